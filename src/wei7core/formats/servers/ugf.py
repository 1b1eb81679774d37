"""Reader for UGF, also called UGI, the records of PandaNet.

The format has no official description. This reader follows https://homepages.cwi.nl/~aeb/go/misc/ugf.html, Sensei's
Library (https://senseis.xmp.net/?UGI) and the programs that read UGF: a section `[Header]` of lines `Name=value`, and a
section `[Data]` of a move a line, `QP,B1,1,0`: the point as two letters (from the left; with `CoordinateType=IGS` from
the bottom, else from the top), the colour, the number of the move, where 0 is a handicap stone. `YA` is a pass. Other
sections, such as `[Figure]` with its comments, are ignored and reported.

Known only from programs and real records, and possibly wrong: `Winner=B,C`, `B,F` and `B,T` are wins by resignation, by
forfeit and on time; `Rule=JPN` and `CHN` are Japanese and Chinese rules, and others are unknown; texts are in Shift JIS
if no encoding is named and they are not UTF-8; letters continue after `S` on boards up to 25.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record
from .move_lines import PASS, Array, MoveRun, TextLine, in_lines
from .server_games import BLACK, WHITE, ServerGame, decode_with, encoding_of, shown

_IS_UGF: Final = re.compile(rb"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*\[Header\]", re.IGNORECASE)
_MOVE: Final = re.compile(rb"([A-Z])([A-Z]),([BW])[^,]{0,9},([0-9]{1,6})(?:,.*)?", re.DOTALL)
_MOVE_LINE: Final = re.compile(rb"[ \t]*((A))(A),(A)0{0,9},(0{1,6})(?:,[0,]*)?[ \t]*\r?")  # see `in_lines`
_ENCODINGS: Final = {"sjis": "cp932", "euc": "euc_jp", "utf8": "utf-8", "big5": "big5", "gb": "gb18030"}
_SECTION: Final = re.compile(rb"\[[A-Za-z][A-Za-z0-9 _]{0,40}\]")  # comments may have texts in brackets
_DAY: Final = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2})(?:,.*)?", re.ASCII)
_WINNER: Final = re.compile(r"([BW]),(?:([0-9]{1,3}(?:\.[0-9]{1,2})?)|([CFT])).*", re.ASCII)
_ENDS: Final = {"C": "R", "F": "F", "T": "T"}
_RULES: Final = {"JPN": "Japanese", "CHN": "Chinese"}
_KOMI: Final = re.compile(r"([0-9]{1,2}),(-?[0-9]{1,3}(?:\.[0-9]{1,2})?).*", re.ASCII)
_MOST_SIDE: Final = 25
_A: Final = ord("A")


def is_ugf(head: bytes) -> bool:
    """Return whether a text that starts with `head` is UGF. Thread safe."""
    return _IS_UGF.match(head) is not None


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode one UGF record; `encoding` is that of its texts, by default UTF-8 if all bytes are valid, else the one
    that the record names, else Shift JIS.

    Never raises for the content of the bytes: every problem is in the record's `problems`. Raises `LookupError` for an
    unknown `encoding`. Thread safe.
    """
    return decode_with("ugf", read, data, encoding, limits)


def read(data: bytes, encoding: str | None) -> ServerGame:
    """Return the content of a record. Thread safe."""
    game = ServerGame(encoding=encoding or "")
    head: dict[str, tuple[int, bytes]] = {}
    moves: list[TextLine | MoveRun] = []
    section = b""
    for line in in_lines(data, _MOVE_LINE, _moves_at):
        if isinstance(line, MoveRun):
            if section == b"data":
                moves.append(line)
        elif line.text.startswith(b"[") and _SECTION.fullmatch(line.text):
            section = line.text[1:-1].lower()
            if section == b"data":
                game.is_game, game.head = True, line.offset
            elif section not in (b"header", b"remote", b"files"):
                message = f"the section {shown(line)} is not read"
                game.report("text-outside-record", line.offset, "section", message)
        elif section == b"header":
            name, separator, value = line.text.partition(b"=")
            if separator:
                start = line.offset + len(name) + 1
                head.setdefault(name.strip().lower().decode("ascii", "replace"), (start, value))
        elif section == b"data" and line.text:
            moves.append(line)
    language = head.get("lang", (0, b""))[1].strip().lower().decode("ascii", "replace").replace("-", "")
    game.encoding = game.encoding or encoding_of(data, _ENCODINGS.get(language, "cp932"))
    texts = {name: value.decode(game.encoding, "replace").strip() for name, (_, value) in head.items()}
    if not game.is_game:
        game.report("no-game-tree", 0, "game", "there is no section [Data]")
        return game
    if "title" in head:
        start, value = head["title"]
        game.title = start, start + len(value)
    _about_the_game(game, texts, head)
    from_bottom = texts.get("coordinatetype", "").upper() == "IGS"
    for line in moves:
        if isinstance(line, MoveRun):
            y = np.where(line.y == PASS, PASS, game.size - 1 - line.y) if from_bottom else line.y
            game.moves.extend(line._replace(y=y))
        else:
            _move(game, line, from_bottom=from_bottom)
    game.check_points()
    return game


def _about_the_game(game: ServerGame, texts: dict[str, str], head: dict[str, tuple[int, bytes]]) -> None:
    header = game.header
    header["GN"], header["PC"] = texts.get("title", "").strip(","), texts.get("place", "")
    for name, rank, member in (("PB", "BR", "playerb"), ("PW", "WR", "playerw")):
        header[name], header[rank] = [part.strip() for part in (*texts.get(member, "").split(","), "", "")][:2]
    header["RU"] = _RULES.get(texts.get("rule", ""), "")
    day = _DAY.fullmatch(texts.get("date", ""))
    if day is not None:
        header["DT"] = "-".join(day.groups())
    winner = _WINNER.fullmatch(texts.get("winner", ""))
    if winner is not None:
        header["RE"] = f"{winner[1]}+{winner[2] or _ENDS[winner[3]]}"
    elif (ended := texts.get("winner", "").strip(", ")) not in ("", "?"):
        match = re.match("[BW](?=,)", ended)
        header["RE"] = f"{match[0]}+" if match is not None else ""
        known = "the winner is read, and how the game was won is not known" if match else "it is not read"
        game.report("value-invalid", head["winner"][0], "result", f"{ended[:40]!r} is an unknown result: {known}")
    komi = _KOMI.fullmatch(texts.get("hdcp", ""))
    if komi is not None:
        header["KM"] = komi[2]
        header["HA"] = komi[1].lstrip("0")
    size = texts.get("size", "19")
    if re.fullmatch("[0-9]{1,2}", size) and 1 <= int(size) <= _MOST_SIDE:
        game.size = int(size)
    else:
        message = f"{size[:20]!r} is not a board size; 19 x 19 is assumed"
        game.report("size-invalid", head["size"][0], "size", message)


def _move(game: ServerGame, line: TextLine, *, from_bottom: bool) -> None:
    match = _MOVE.fullmatch(line.text.upper())
    if match is None:
        message = f"{shown(line, game.encoding)} is not a move"
        game.report("move-invalid", line.offset, f"move {len(game.moves) + 1}", message)
        game.moves.add(line.offset, 0, None)
        return
    color = BLACK if match[3] == b"B" else WHITE
    x, y = match[1][0] - _A, match[2][0] - _A
    if from_bottom:
        y = game.size - 1 - y
    is_on_board = 0 <= x < game.size and 0 <= y < game.size
    is_handicap = int(match[4]) == 0 and color == BLACK and not game.moves
    if is_handicap and is_on_board and (x, y) not in game.stones:
        game.stones.append((x, y))
    elif match[1] + match[2] == b"YA":
        game.moves.add(line.offset, color, None)
    else:
        game.moves.add(line.offset, color, (x, y))


def _moves_at(text: Array, x: Array, y: Array, color: Array, number: Array) -> tuple[Array, Array, Array, Array]:
    """Colours, points and validity of moves, see `in_lines`; lines numbered from 0 may be handicap stones."""
    letters = text[color]
    columns, rows = text[x].astype(np.int32) - _A, text[y].astype(np.int32) - _A
    passes = (columns == ord("Y") - _A) & (rows == 0)
    columns[passes] = rows[passes] = PASS
    is_move = ((letters == ord("B")) | (letters == ord("W"))) & (text[number] != ord("0"))
    return np.where(letters == ord("B"), BLACK, WHITE), columns, rows, is_move
