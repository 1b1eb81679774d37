"""Reader for NGF, the records of the server wBaduk (Cyberoro).

The format has no description. This reader follows programs that read and write NGF, and real records: twelve lines
(kind of game, size, White, Black with their ranks, server, handicap, one more number, komi, date and time, one more
number, result, number of moves), then a move a line, `PMABBREER`: two letters that count, the colour, the column and
the row counted from `B` at the left and from the top, and both once more; `A` is a pass. The points of three handicap
stones are unknown.

In older records each line of the head begins with `GI`, and the lines are others: title, two players, two that are
empty, date, size, handicap, one more number, komi. The colours of the players are not stated: White is assumed to be
first, as in later records, with a warning.

Known only from programs and real records, and possibly wrong: half a point is added to a whole komi of an even game;
the last word of a player's line is the rank; handicap stones are as on Tygem; names are in GB 18030 where they are not
UTF-8. A result in other words than `Black wins by ...`, `White loses on time` and the like is ignored.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record
from ...record.result import GameResult
from .move_lines import PASS, Array, MoveRun, TextLine, in_lines
from .server_games import BLACK, WHITE, ServerGame, decode_with, encoding_of, handicap_stones, shown

_IS_NGF: Final = re.compile(
    rb"\A(?:[^\n]*\n[ \t]*[0-9]{1,2}[ \t]*\r?\n(?:[^\n]*\n){1,40}?|(?:GI[^\n]*\n){7,40})PM[A-Z]{2}[BW][A-Z]{2}"
)
_MOVE: Final = re.compile(rb"PM[A-Z]{2}([BW])([A-Z])([A-Z])(?:[A-Z]{2})?")
_MOVE_LINE: Final = re.compile(rb"[ \t]*((A))(A)AA(A)(A)(A)(?:AA)?[ \t]*\r?")  # see `in_lines`
_HEAD: Final = 12
_SIZE, _WHITE, _BLACK, _HANDICAP, _KOMI, _DATE, _RESULT = 1, 2, 3, 5, 7, 8, 10
_DAY: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})\b.*", re.ASCII)
_OLD: Final = b"GI"
_OLD_PLAYERS, _OLD_DATE, _OLD_SIZE, _OLD_HANDICAP, _OLD_KOMI = slice(1, 3), 5, 6, 7, 9
_OLD_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", re.ASCII)
_END: Final = re.compile(
    r"(?P<who>Black|White) (?P<what>wins|loses)\b"
    r"(?:.*?(?P<how>resign|time)|[^0-9]*(?P<points>[0-9]+(?:\.[0-9]+)?)(?!(?: ?[0-9]+)?/|[0-9]|\.[0-9]))?.*",
    re.IGNORECASE | re.ASCII,
)
_MOST_SIDE: Final = 25
_MOST_STONES: Final = 9
_USUAL_SIDE: Final = 19
_UNKNOWN_STONES: Final = 3
_FIRST: Final = ord("B")


def is_ngf(head: bytes) -> bool:
    """Return whether a text that starts with `head` is NGF. Thread safe."""
    return _IS_NGF.match(head) is not None


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode one NGF record; `encoding` is that of its names, by default UTF-8 if all bytes are valid, else GB 18030.

    Never raises for the content of the bytes: every problem is in the record's `problems`. Raises `LookupError` for an
    unknown `encoding`. Thread safe.
    """
    return decode_with("ngf", read, data, encoding, limits)


def read(data: bytes, encoding: str | None) -> ServerGame:
    """Return the content of a record. Thread safe."""
    game = ServerGame(encoding=encoding or encoding_of(data, "gb18030"))
    head: list[TextLine] = []
    for line in in_lines(data, _MOVE_LINE, _moves_at):
        if isinstance(line, MoveRun):
            game.head = game.head if game.is_game else int(line.offsets[0])
            game.is_game = True
            game.moves.extend(line)
        elif line.text.startswith(b"PM"):
            game.head = game.head if game.is_game else line.offset
            game.is_game = True
            _move(game, line)
        elif not game.is_game:
            head.append(line)
        elif line.text:
            message = f"{shown(line, game.encoding)} follows the moves; it is not read"
            game.report("text-outside-record", line.offset, "end", message)
    if game.is_game:
        if head and all(line.text.startswith(_OLD) for line in head):
            _about_the_old_game(game, head[:_HEAD])
        else:
            _about_the_game(game, head[:_HEAD])
        game.check_points()
    else:
        game.report("no-game-tree", 0, "game", "there is not a move")
    return game


def _move(game: ServerGame, line: TextLine) -> None:
    match = _MOVE.fullmatch(line.text)
    if match is None:
        message = f"{shown(line, game.encoding)} is not a move"
        game.report("move-invalid", line.offset, f"move {len(game.moves) + 1}", message)
        game.moves.add(line.offset, 0, None)
        return
    x, y = match[2][0] - _FIRST, match[3][0] - _FIRST
    game.moves.add(line.offset, BLACK if match[1] == b"B" else WHITE, None if x < 0 and y < 0 else (x, y))


def _moves_at(text: Array, p: Array, m: Array, color: Array, x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
    """Colours, points and validity of moves, see `in_lines`."""
    letters = text[color]
    columns, rows = text[x].astype(np.int32) - _FIRST, text[y].astype(np.int32) - _FIRST
    passes = (columns < 0) & (rows < 0)
    columns[passes] = rows[passes] = PASS
    is_move = (text[p] == ord("P")) & (text[m] == ord("M")) & ((letters == ord("B")) | (letters == ord("W")))
    return np.where(letters == ord("B"), BLACK, WHITE), columns, rows, is_move


def _about_the_game(game: ServerGame, head: list[TextLine]) -> None:
    texts = [line.text.decode(game.encoding, "replace") for line in head]
    texts += [""] * (_HEAD - len(texts))
    _set_size(game, texts[_SIZE], head[_SIZE].offset if len(head) > _SIZE else 0)
    header = game.header
    for row, name, rank in ((_WHITE, "PW", "WR"), (_BLACK, "PB", "BR")):
        header[name], header[rank] = _player(texts[row])
    handicap = _number(texts[_HANDICAP]) or 0
    _set_stones(game, handicap, head[_HANDICAP].offset if len(head) > _HANDICAP else 0)
    _set_komi(game, texts[_KOMI], handicap)
    day = _DAY.fullmatch(texts[_DATE])
    if day is not None:
        header["DT"] = "-".join(day.groups())
    end = _END.fullmatch(texts[_RESULT])
    if end is not None:
        winner = end["who"][0].upper() if end["what"].lower() == "wins" else {"b": "W", "w": "B"}[end["who"][0].lower()]
        header["RE"] = f"{winner}+{end['points'] or (end['how'] or '')[:1].upper()}"
    elif texts[_RESULT].strip():
        ended = texts[_RESULT].strip()
        try:
            header["RE"] = str(GameResult.parse(ended))
        except ValueError:
            message = f"{ended[:40]!r} is an unknown result; it is ignored"
            game.report("value-invalid", head[_RESULT].offset, "result", message)


def _about_the_old_game(game: ServerGame, head: list[TextLine]) -> None:
    texts = [line.text.removeprefix(_OLD).decode(game.encoding, "replace").strip() for line in head]
    texts += [""] * (_HEAD - len(texts))
    if texts[0]:
        game.title = head[0].offset + len(_OLD), head[0].offset + len(head[0].text)
    game.header["GN"] = texts[0]
    for (name, rank), player in zip((("PW", "WR"), ("PB", "BR")), texts[_OLD_PLAYERS], strict=True):
        game.header[name], game.header[rank] = _player(player)
    if any(texts[_OLD_PLAYERS]):
        message = "the record does not say who plays which colour; White is assumed to be first, as in later records"
        game.report("value-invalid", head[_OLD_PLAYERS.start].offset, "players", message)
    _set_size(game, texts[_OLD_SIZE], head[min(_OLD_SIZE, len(head) - 1)].offset)
    handicap = _number(texts[_OLD_HANDICAP]) or 0
    _set_stones(game, handicap, head[min(_OLD_HANDICAP, len(head) - 1)].offset)
    _set_komi(game, texts[_OLD_KOMI], handicap)
    day = _OLD_DAY.fullmatch(texts[_OLD_DATE])
    if day is not None:
        game.header["DT"] = f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}"


def _player(text: str) -> tuple[str, str]:
    """The name and the rank, which is the last of several words."""
    name, _, rank = text.rpartition(" ") if " " in text else (text, "", "")
    return name.strip(), rank


def _set_size(game: ServerGame, text: str, offset: int) -> None:
    size = _number(text)
    if size is None or not 1 <= size <= _MOST_SIDE:
        game.report("size-invalid", offset, "size", "the line of the size has none; 19 x 19 is assumed")
    else:
        game.size = size


def _set_stones(game: ServerGame, handicap: int, offset: int) -> None:
    if not handicap:
        return
    game.header["HA"] = str(handicap)
    if 1 < handicap <= _MOST_STONES and handicap != _UNKNOWN_STONES and game.size == _USUAL_SIDE:
        game.stones = handicap_stones(handicap)
    elif handicap != 1:
        message = f"the points of {handicap} handicap stones are unknown; they are omitted"
        game.report("value-invalid", offset, "handicap", message)


def _set_komi(game: ServerGame, text: str, handicap: int) -> None:
    if re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,2}", text):
        game.header["KM"] = text
    elif komi := _number(text):
        game.header["KM"] = str(komi) if handicap else f"{komi}.5"


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else None
