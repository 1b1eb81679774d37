"""SGF (FF[1] to FF[4]): decoding, and messages of problems."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from ...errors import PROBLEM_CODE_BY_NAME, PROBLEM_CODES, Problem, ProblemCode
from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record
from .. import _native
from . import charset as sgf_charset
from .charset import EVIDENCE, Choice, Wide
from .games import wide_offsets
from .text_values import read_text

Row: TypeAlias = "tuple[int, int, int, int] | tuple[str, int, int]"
"""A problem of the decoder (code number, property number, offset, detail), or found later (code, offset, detail)."""

# Codes that other formats have too, or that replay finds.
_CLAUSES: Final = {"point-off-board": "FF[4], Move", "move-occupied": "FF[4], move", "setup-no-liberty": "FF[4], setup"}

# The games by their numbers in GM, from 1.
# fmt: off
_GAMES: Final = (
    "Go", "Othello", "chess", "Gomoku and Renju", "Nine Men's Morris", "Backgammon", "Chinese chess", "Shogi",
    "Lines of Action", "Ataxx", "Hex", "Jungle", "Neutron", "Philosopher's Football", "Quadrature", "Trax",
    "Tantrix", "Amazons", "Octi", "Gess", "Twixt", "Zertz", "Plateau", "Yinsh", "Punct", "Gobblet", "Hive", "Exxit",
    "Hnefatal", "Kuba", "Tripples", "Chase", "Tumbling Down", "Sahara", "Byte", "Focus", "Dvonn", "Tamsk", "Gipf",
    "Kropki",
)
# fmt: on

# The problem of a value, by its detail: the constants of lexer.h.
_VALUES: Final = (
    "is a komi in hundredths of a point, as Fox writes it; it is read so",
    "is the point one past the last of the board; it is read as a pass",
    "is a point as people name it, and not as SGF does; it is read so",
    "has no point; no stone is set up there",
    "names the corners of a rectangle in another order than upper left, lower right; all its points are set up",
)

# The problem of a property in its node, by its detail: the constants of lexer.h.
_PLACES: Final = (
    "belongs into the root node; it is not read here",
    "says that the move of its node is illegal, and there is no move",
    "is about the game, of which a node before this one on the path speaks already",
    "belongs into the root node",
)
_PLACE_CLAUSES: Final = ("FF[4], root", "FF[4], KO", "FF[4], game-info", "FF[4], root")

_EXPECTED: Final = {
    **dict.fromkeys(("TE", "BM", "DM", "GB", "GW", "HO", "UC"), "1 or 2"),
    **dict.fromkeys(("KO", "DO", "IT"), "empty, as it must be"),
    "HA": "a whole number of 2 or more",
} | {"PL": "B or W", "KM": "a number", "BL": "a number of seconds", "WL": "a number of seconds"}

_VALUE: Final = re.compile(rb"(?:[^\]\\]|\\.){0,400}", re.DOTALL)
_WORD: Final = re.compile(rb"[A-Za-z0-9_]{1,40}")


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode the first game tree of SGF text.

    `encoding` names the codec of texts if the record names none, an unknown one or a wrong one. Never raises for the
    content of the bytes: every problem is in the record's `problems`. Raises `LookupError` for an unknown `encoding`
    and `MemoryError`. Thread safe; the GIL is released.
    """
    wanted = None if encoding is None else sgf_charset.codec(encoding.encode())
    if encoding is not None and wanted is None:
        raise LookupError(f"{encoding!r} is not an encoding that records can have")
    source, wide = _in_utf8(data, limits)
    record, game, charset, is_ascii, is_utf8 = _native.decode_sgf(source, 0, limits)
    choice = sgf_charset.ASCII
    if wide is not None:
        choice = sgf_charset.choose_wide(record.charset, is_ascii)
    elif not is_ascii:
        choice = sgf_charset.choose(source[slice(*game)], record.charset, is_utf8, wanted)
    double_byte = sgf_charset.double_byte(choice.encoding) if wide is None else 0
    text = source[slice(*game)]
    if double_byte:
        record, game, _, _, _ = _native.decode_sgf(source, double_byte, limits)
    return _native.finish_sgf(
        record,
        choice.encoding,
        _charset_problems(choice, text, game[0], charset),
        limits.max_problems,
        functools.partial(_describe, wide=wide),
        read_text,
        (_decode_again, (data, encoding, limits)),
    )


def in_utf8(data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, Callable[[list[int]], list[int]]] | None:
    """Return SGF text in UTF-16 or UTF-32 as UTF-8, and the function that maps ascending offsets in it to those in
    `data`.

    Returns None for another text. Thread safe.
    """
    source, wide = _in_utf8(data, limits)
    return None if wide is None else (source, functools.partial(wide_offsets, source, wide))


def _in_utf8(data: bytes, limits: Limits) -> tuple[bytes, Wide | None]:
    return sgf_charset.transcode_wide_to_utf8(data) if len(data) <= limits.max_bytes else (data, None)


def _decode_again(data: bytes, encoding: str | None, limits: Limits) -> Record:
    return decode(data, encoding=encoding, limits=limits)


def _charset_problems(choice: Choice, text: bytes, begin: int, charset: int) -> list[tuple[int, int, int]]:
    problems = []
    if choice.code:
        offset = begin + sgf_charset.first_high(text) if choice.code == "charset-assumed" else charset
        problems.append((PROBLEM_CODE_BY_NAME[choice.code].number, offset, choice.evidence))
    if choice.undecodable >= 0:
        problems.append((PROBLEM_CODE_BY_NAME["text-undecodable"].number, begin + choice.undecodable, 0))
    return problems


def describe_problems(record: Record, rows: Iterable[Row]) -> list[Problem]:
    """Return the located problems of rows of the decoder or found later, of a record in neither UTF-16 nor UTF-32."""
    return _describe(record, rows, None)


def describe_in_text(
    data: bytes, limits: Limits = DEFAULT_LIMITS
) -> tuple[bytes, Callable[[Record, Iterable[Row]], list[Problem]]]:
    """Return `data`, transcoded to UTF-8 from UTF-16 or UTF-32, and the function that describes problems by their
    offsets in it.

    Thread safe.
    """
    source, wide = _in_utf8(data, limits)
    return source, functools.partial(_describe, wide=wide)


def path_at(source: bytes, offset: int, encoding: str) -> str:
    """Return the path of the place at `offset` of a text in `encoding`. Thread safe."""
    ((_, _, path),) = _native.locate_sgf(
        source, [offset], sgf_charset.double_byte(encoding), sgf_charset.characters(encoding)
    )
    return path


def _describe(record: Record, raw: Iterable[Row], wide: Wide | None) -> list[Problem]:
    """Located problems in the order of their offsets.

    They are of `record.source`; `wide` is the text before its conversion to UTF-8.
    """
    source = record.source
    rows = []
    for row in raw:
        if len(row) == 4:
            rows.append((PROBLEM_CODES[row[0]], _native.PROPERTIES[row[1]], row[2], row[3]))
        else:
            # Replay reports the step; the place of an occupied point is the point itself.
            offset = _native.find_sgf_value(source, row[1]) if row[0] == "move-occupied" else row[1]
            rows.append((PROBLEM_CODE_BY_NAME[row[0]], _name_at(source, row[1]), offset, row[2]))
    rows.sort(key=lambda row: row[2])
    offsets = [row[2] for row in rows]
    double_byte = sgf_charset.double_byte(record.encoding)
    places = _native.locate_sgf(source, offsets, double_byte, sgf_charset.characters(record.encoding))
    shown = offsets if wide is None else wide_offsets(source, wide, offsets)
    problems = []
    for (code, name, offset, detail), at, shown_offset in zip(rows, places, shown, strict=True):
        message = _message(record, code, name, offset, detail, wide)
        problems.append(Problem(code.name, _clause(code, detail), code.severity, shown_offset, *at, message))
    return problems


def clause_and_message(record: Record, code: ProblemCode, where: int | None, detail: int) -> tuple[str, str]:
    """Return clause and message of a problem of the decoder, whose text in neither UTF-16 nor UTF-32 is `record.source`
    as `quoted` returns it; `where` is None for one that was found later.
    """
    name = "" if where is None else _native.PROPERTIES[where]
    return _clause(code, detail), _message(record, code, name, 0, detail, None)


def quoted(code: ProblemCode, data: memoryview, begin: int, end: int) -> bytes:
    """Return the part of a text that ends at `end` which the message of a problem at `begin` depends on."""
    if code.name == "property-name-long":
        found = _WORD.match(data, begin, end)
    elif code.name == "value-invalid" or "{value}" in _MESSAGES.get(code.name, ""):
        found = _VALUE.match(data, begin, min(end, begin + _MOST_QUOTED))
    else:
        return b""
    return b"" if found is None else found.group()


def _clause(code: ProblemCode, detail: int) -> str:
    if code.name == "property-misplaced":
        return _PLACE_CLAUSES[detail]
    return "" if code.limit else _CLAUSES.get(code.name, code.clause)


def _name_at(source: bytes, offset: int) -> str:
    found = _WORD.match(source, offset)
    return "" if found is None else found.group().decode()


_EXCERPT_BYTES: Final = 400
_MOST_QUOTED: Final = 1024


def _excerpt(record: Record, offset: int) -> str:
    """The text of a value at `offset`, cut to a length that fits a line."""
    found = _VALUE.match(record.source, offset)
    # A value may be long, and have many problems: no character has more than four bytes.
    text = "" if found is None else found.group()[:_EXCERPT_BYTES].decode(record.encoding, "replace")
    text = text[:41]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= 40 else text[:36] + " ..."


# The message of each code; `value` is property and value as in the text, `name` the property alone.
_MESSAGES: Final = {
    "point-off-board": "{value} is neither a point of {board} nor a pass",
    "move-invalid": "{value} is neither a point nor a pass",
    "move-occupied": "{value} is on an occupied point",
    "point-invalid": "{value} is not a point of {board}; it is ignored",
    "mark-invalid": "{value} is not a point of {board}",
    "point-upper-case": "{value} is written in capitals; they are read as small letters, here and later",
    "setup-repeated": "{value} is set up a second time in this node; the last one counts",
    "size-invalid": "{value} is not a board size of SGF (1 to 52); 19x19 is assumed",
    "board-size-unsupported": "{value} has more points than the limit allows",
    "value-unclosed": "the value of {name} is not closed before the text ends",
    "values-too-many": "{name} has more values than one; the first one counts",
    "property-without-value": "{name} has no value",
    "text-undecodable": "the text has bytes that are invalid in {encoding}",
    "charset-assumed": "the record names no encoding; read as {encoding}: {evidence}",
    "charset-contradicted": "{value} is not the encoding of the text; read as {encoding}: {evidence}",
    "charset-unknown": "{value} is an unknown encoding; read as {encoding}: {evidence}",
}


def _message(record: Record, code: ProblemCode, name: str, offset: int, detail: int, wide: Wide | None) -> str:
    if code.name == "game-not-go":
        game = _GAMES[detail - 1] if 0 < detail <= len(_GAMES) else "another game"
        return f"GM[{detail}] is {game}: only Go (GM[1]) is read"
    if code.name == "no-game-tree" and detail:
        return "no parenthesis opens a game tree; the nodes are read as one"
    if code.name == "property-duplicate":
        return f"this node has {name} more than once; {'the first one counts' if detail else 'all of them count'}"
    if code.name == "property-name-long":
        return f"{_name_at(record.source, offset)} has lower-case letters, which FF[4] has not; they are not read"
    if code.name == "property-misplaced":
        return f"{name} {_PLACES[detail]}"
    if code.name == "values-too-many" and detail:
        return f"{name} has more values than one before the first move; all are set up as stones"
    if code.name == "value-invalid" and detail:
        return f"{name}[{_excerpt(record, offset)}] {_VALUES[detail - 1]}"
    if code.name == "value-invalid":
        return f"{name}[{_excerpt(record, offset)}] is not {_EXPECTED.get(name, 'a whole number')}"
    template = _MESSAGES.get(code.name)
    if template is None:
        return code.summary
    return template.format(
        value=f"{name}[{_excerpt(record, offset)}]" if "{value}" in template else "",
        name=name or "a property",
        board=f"the {record.width}x{record.height} board",
        encoding=record.encoding if wide is None else wide.name,
        evidence=EVIDENCE[detail] if code.name.startswith("charset-") else "",
    )
