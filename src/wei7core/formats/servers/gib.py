r"""Reader for GIB, the records of the server Tygem.

The format has no official description. This reader follows Sensei's Library (https://senseis.xmp.net/?GIB) and the
programs that read GIB:

- a head between the lines `\HS` and `\HE`, of lines `\[NAME=value\]`; in `GAMEINFOMAIN` and `GAMETAG` the value is a
  list, `GRLT:3,ZIPSU:0,GONGJE:65` and `C2016:03:26:17:29,W3,Z0,G65`: how the game ended, the margin and the komi in
  tenths, and when it was played (`GAMEDATE` too);
- the game between `\GS` and `\GE`: `INI 0 1 N` with N handicap stones, and the moves in order, `STO 0 NUMBER COLOUR X
  Y` with colour 1 for Black and 2 for White and the point counted from 0, from the left and from the top;
  `SKI 0 NUMBER` is a pass.

Everything else in the header is ignored; other words in the game are reported. The header may name its encoding
(`GIBOKIND`).

Known only from programs and real records, and possibly wrong: `GRLT` 0 and 1 are wins by points, 3 and 4 by
resignation, 7 and 8 on time, of Black and White in turn, and any other number is no result; a pass is by the player to
move; the points of handicap stones, and their order; CP949 if no encoding is named; `GTIME:1200-30-3` and `T30-3-1200`
are a main time in seconds and as many periods of so many seconds.
"""

from __future__ import annotations

import re
from typing import Final

from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record
from ..record_rows import numbers_at
from .move_lines import Array, MoveRun, TextLine, in_lines
from .server_games import BLACK, WHITE, ServerGame, decode_with, encoding_of, handicap_stones, shown

_IS_GIB: Final = re.compile(rb"^[ \t]*\\\[(?:GIBOKIND|GAME[A-Z]+)=", re.MULTILINE)
_HEAD: Final = re.compile(rb"\\\[([A-Z]+)=(.*?)(?:\\\])?", re.DOTALL)
_ENCODINGS: Final = {b"China": "gb18030", b"Korea": "cp949", b"Japan": "cp932"}
_PLAYER: Final = re.compile(r"(?P<name>.*?)\s*\((?P<rank>[^()]*)\)", re.DOTALL)
_DATE: Final = re.compile(r"(?:^|,)\s*C([0-9]{4}):([0-9]{2}):([0-9]{2})", re.ASCII)
_DAY: Final = re.compile(r"([0-9]{4})- ?([0-9]{1,2})- ?([0-9]{1,2})(?:-.*)?", re.ASCII)
_TIMES: Final = (
    re.compile(r"(?:^|,)\s*GTIME:(?P<main>[0-9]{1,6})-(?P<period>[0-9]{1,4})-(?P<count>[0-9]{1,3})(?:,|$)", re.ASCII),
    re.compile(r"(?:^|,)\s*T(?P<period>[0-9]{1,4})-(?P<count>[0-9]{1,3})-(?P<main>[0-9]{1,6})(?:,|$)", re.ASCII),
)
_NUMBER: Final = re.compile(rb"-?[0-9]{1,6}")
_STONE: Final = re.compile(
    rb"[ \t]*((A))(A)(A)(?:[ \t]+0{1,6}){2}[ \t]+(0)[ \t]+(00?)[ \t]+(00?)[ \t]*\r?"
)  # see `in_lines`
_RESULTS: Final = {0: "B+{}", 1: "W+{}", 3: "B+R", 4: "W+R", 7: "B+T", 8: "W+T"}
_MOST_SIDE: Final = 52
_USUAL_SIDE: Final = 19
_MOST_STONES: Final = 9


def is_gib(head: bytes) -> bool:
    """Return whether a text that starts with `head` is GIB. Thread safe."""
    return b"\\[G" in head and _IS_GIB.search(head) is not None  # the first test is much faster


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode one GIB record.

    `encoding` names the codec of its texts; without it the encoding is UTF-8 if all bytes are valid, else the one that
    the record names, else CP949. Never raises for the content of the bytes: every problem is in the record's
    `problems`. Raises `LookupError` for an unknown `encoding`. Thread safe.
    """
    return decode_with("gib", read, data, encoding, limits)


def read(data: bytes, encoding: str | None) -> ServerGame:
    """Return the content of a record. Thread safe."""
    return _GibReader(data, encoding).read()


class _GibReader:
    def __init__(self, data: bytes, encoding: str | None) -> None:
        self._data = data
        self._game = ServerGame(encoding=encoding or "")
        self._head: dict[str, bytes] = {}
        self._places: dict[str, int] = {}
        self._is_over = False

    def read(self) -> ServerGame:
        game = self._game
        for part in in_lines(self._data, _STONE, _stones_at):
            if self._is_over:
                break
            if isinstance(part, MoveRun):
                self._begin(int(part.offsets[0]))
                game.moves.extend(part)
            else:
                self._line(part)
        kind = self._head.get("GIBOKIND", b"").strip()
        game.encoding = game.encoding or encoding_of(self._data, _ENCODINGS.get(kind, "cp949"))
        self._about_the_game()
        if not game.is_game:
            game.report("no-game-tree", 0, "game", r"there is neither \GS nor any move")
        elif not self._is_over:
            game.report("record-unframed", len(self._data), "game", r"no \GE marks the end of the game")
        return game

    def _begin(self, offset: int) -> None:
        if not self._game.is_game:
            self._game.is_game, self._game.head = True, offset

    def _line(self, line: TextLine) -> None:
        game = self._game
        if line.text.startswith(b"\\["):
            self._header_line(line)
        elif line.text.startswith((b"\\GS", b"\\GE")):
            self._begin(line.offset)
            self._is_over = line.text.startswith(b"\\GE")
        elif line.text.startswith((b"STO", b"SKI", b"INI")):
            self._begin(line.offset)
            {b"STO": self._stone, b"SKI": self._pass, b"INI": self._start}[line.text[:3]](line)
        elif game.is_game and line.text[:1].isalpha():
            path = f"move {len(game.moves)}"
            game.report("text-outside-record", line.offset, path, f"{shown(line)} is not read")

    def _header_line(self, line: TextLine) -> None:
        match = _HEAD.fullmatch(line.text)
        if match is None:
            message = f"{shown(line)} is not a line of the header"
            self._game.report("value-invalid", line.offset, "head", message)
            return
        name = match[1].decode("ascii")
        self._head.setdefault(name, match[2])
        self._places.setdefault(name, line.offset)
        if name == "GAMENAME" and match[2]:
            self._game.title = self._game.title or (line.offset + match.start(2), line.offset + match.end(2))

    # --- the game --------------------------------------------------------------

    def _numbers(self, line: TextLine) -> list[int] | None:
        """The numbers after the word of a line; those after an `&` do not concern the game."""
        parts = line.text.split(b"&")[0].split()[1:]
        return [int(part) for part in parts] if all(map(_NUMBER.fullmatch, parts)) else None

    def _start(self, line: TextLine) -> None:
        numbers = self._numbers(line)
        if numbers is None or len(numbers) < 3 or not 0 <= numbers[2] <= _MOST_STONES:
            message = f"{shown(line)} does not say how many handicap stones there are: 0 to {_MOST_STONES}"
            self._game.report("value-invalid", line.offset, "start", message)
        elif self._game.moves:
            message = "handicap stones are set after moves; they are omitted"
            self._game.report("value-invalid", line.offset, "start", message)
        else:
            self._game.stones = handicap_stones(numbers[2])
            if self._game.stones:
                self._game.header["HA"] = str(numbers[2])

    def _stone(self, line: TextLine) -> None:
        numbers = self._numbers(line)
        path = f"move {len(self._game.moves) + 1}"
        if numbers is None or len(numbers) < 5 or numbers[2] not in (BLACK, WHITE):
            message = f"{shown(line)} is not a move"
            self._game.report("move-invalid", line.offset, path, message)
            self._game.moves.add(line.offset, 0, None)
        else:
            self._game.moves.add(line.offset, numbers[2], (numbers[3], numbers[4]))

    def _pass(self, line: TextLine) -> None:
        moves = self._game.moves
        last = moves.last_color if moves else BLACK if self._game.stones else WHITE
        moves.add(line.offset, WHITE if last == BLACK else BLACK, None)

    # --- the header --------------------------------------------------------------

    def _text(self, name: str) -> str:
        return self._head.get(name, b"").decode(self._game.encoding, "replace")

    def _about_the_game(self) -> None:
        header = self._game.header
        for name, title in (("GN", "GAMENAME"), ("PC", "GAMEPLACE"), ("PB", "GAMEBLACKNAME"), ("PW", "GAMEWHITENAME")):
            header[name] = self._text(title).strip()
        for name, rank in (("PB", "BR"), ("PW", "WR")):
            player = _PLAYER.fullmatch(header[name])
            if player is not None:
                header[name], header[rank] = player["name"], player["rank"].strip()
        main, tag = self._text("GAMEINFOMAIN"), self._text("GAMETAG")
        date = _DATE.search(tag)
        day = date or _DAY.fullmatch(self._text("GAMEDATE").strip())
        if day is not None:
            header["DT"] = "-".join(f"{int(part):02}" for part in day.groups())
        time = _TIMES[0].search(main) or _TIMES[1].search(tag)
        if time is not None:
            header["TM"] = str(int(time["main"]))
            if int(time["count"]) and int(time["period"]):
                header["OT"] = f"{int(time['count'])}x{int(time['period'])} byo-yomi"
        komi = _value(main, "GONGJE:", tag, "G")
        if komi:
            header["KM"] = _tenths(komi)
        ended = _value(main, "GRLT:", tag, "W")
        result = _RESULTS.get(_or(ended, -1))
        if ended is not None and result is None:
            offset = self._places.get("GAMEINFOMAIN", self._places.get("GAMETAG", 0))
            self._game.report("value-invalid", offset, "head", f"GRLT:{ended} is an unknown result")
        margin = _or(_value(main, "ZIPSU:", tag, "Z"), 0)
        if result is not None and ("{}" not in result or margin > 0):
            header["RE"] = result.format(_tenths(margin))
        self._size(_value(main, "LINE:", "", ""))

    def _size(self, size: int | None) -> None:
        game = self._game
        if size is not None and 1 <= size <= _MOST_SIDE:
            game.size = size
        if game.size != _USUAL_SIDE and game.stones:
            message = f"the points of handicap stones on {game.size} x {game.size} are unknown; they are omitted"
            game.report("value-invalid", game.head, "start", message)
            game.stones = []
        game.check_points()


def _stones_at(
    text: Array, s: Array, t: Array, o: Array, color: Array, x: Array, y: Array
) -> tuple[Array, Array, Array, Array]:
    """Colours, points and validity of stones, see `in_lines`."""
    colors = text[color] - ord("0")
    is_stone = (text[s] == ord("S")) & (text[t] == ord("T")) & (text[o] == ord("O"))
    return colors, numbers_at(text, x)[0], numbers_at(text, y)[0], is_stone & ((colors == BLACK) | (colors == WHITE))


def _value(main: str, long: str, tag: str, short: str) -> int | None:
    """A number of `GAMEINFOMAIN`, or else of `GAMETAG`."""
    for text, name in ((main, long), (tag, short)):
        match = re.search(rf"(?:^|,)\s*{name}(-?[0-9]{{1,6}})(?:,|$)", text, re.ASCII) if name else None
        if match is not None:
            return int(match[1])
    return None


def _or(value: int | None, usual: int) -> int:
    return usual if value is None else value


def _tenths(value: int) -> str:
    whole, rest = divmod(abs(value), 10)
    return f"{'-' * (value < 0)}{whole}" + f".{rest}" * (rest > 0)
