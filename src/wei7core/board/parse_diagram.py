"""Parser of diagrams of letters and dots.

Accepted, on lines of their own:

- rows of points: black `X x # @ ● ⚫`, white `O o ○ ◯ ⚪`, empty `. , + ·` (also full-width) and crossings such as
  `┌ ┼ ╋`, with which people in East Asia and `terminal.py` draw boards; spaces between them or none; around them the
  number of the row, on one side, on both or on none, and `|`; the last move in brackets, `(X)`, or before one, `X)`
- the names of the columns: A, B .. without I or with it, in capitals or small letters; beyond the 25th as
  `draw.text` writes them, on two lines or more
- edges: `-----` or `+-----+`; the line of marks that `draw.text` writes; empty lines

- the lines that GNU Go, Pachi and KataGo print with a board: captures, the number of the move, rules, KataGo's marks of
  the last moves, `X1`, and Pachi's second board, of the owners of points, on the right
- diagrams of Sensei's Library, as `parse_sensei` describes

The upper left of the diagram is the upper left of the board. A number adds no information and must be right: rows are
counted from the bottom. Pure functions; any thread may call them.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from ..errors import DiagramError
from .draw import column_lines
from .parse_sensei import is_sensei, plain_lines

_CROSSINGS: Final = "".join(map(chr, range(0x250C, 0x254C)))
_COLORS: Final = {
    **dict.fromkeys(f".,+·．＋・{_CROSSINGS}", 0),
    **dict.fromkeys("Xx#@●⚫", 1),
    **dict.fromkeys("Oo○◯⚪", 2),
}
_ALPHABET: Final = re.escape("".join(_COLORS))
_DIGITS: Final = "0123456789"
_MOST_DIGITS: Final = 12  # longer numbers are wrong in any case
_POINT: Final = re.compile(rf"\s*(?:\(\s*([{_ALPHABET}])\s*\)|([{_ALPHABET}])\)?)")
_EDGE: Final = re.compile(r"[\s+|]*[-_=][\s+|_=-]*")
_MARKS: Final = re.compile(r"\s*marks: ")
_OF_PROGRAMS: Final = re.compile(
    r"\s*(?:Move:\s*\d+\s|MoveNum: \d|HASH: |Next player: |Rules: \{|Handicap bonus score: |[BW] stones captured: \d)"
)
_CAPTURES: Final = re.compile(r"(?:White|Black) \([OX]\) has captured \d+ (?:stones?|pieces?)\s*\Z", re.IGNORECASE)
_KATAGO_ROW: Final = re.compile(r"\s*\d+ (?:[.XO][ 123])*[.XO][123]?\s*")
_PACHI_NAMES: Final = re.compile(r"(\s{6}(A(?: [B-Z])*)) {8}\2\s*")  # of two boards
_PACHI_ROW: Final = re.compile(r"(\s*(\d+) \|[^|]*\|) +\2 \|[^|]*\|\s*")
_KATAGO_MARK: Final = re.compile(r"(?<=[.XO])[123]")
_PLAIN_COLUMNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def cells_of_text(text: str) -> npt.NDArray[np.uint8]:
    """Return the cells of a diagram: `(height, width)`, 0 empty, 1 black, 2 white.

    Raises `DiagramError` with the line and column of the first error.
    """
    rows: list[bytes] = []
    numbers: list[tuple[int, int, int, int]] = []  # row, number as written, line, column
    names: list[tuple[int, str]] = []
    lines = text.removeprefix("\ufeff").replace("\ufe0f", "").splitlines()  # which asks for a picture in color
    plain = plain_lines(lines) if is_sensei(lines) else [_without_remarks(line) for line in lines]
    for number, line in enumerate(plain, 1):
        if not line.strip() or _EDGE.fullmatch(line) or _MARKS.match(line):
            continue
        if _names_columns(line):
            names.append((number, line))
            continue
        begin, end = len(line) - len(line.lstrip()), len(line.rstrip())
        first, last = begin, end
        while first < end and line[first] in _DIGITS:
            first += 1
        while last > first and line[last - 1] in _DIGITS:
            last -= 1
        for left, right in ((begin, first), (last, end)):
            if left < right:
                numbers.append((len(rows), int(line[left:right][:_MOST_DIGITS]), number, left + 1))
        while first < last and (line[first] == "|" or line[first].isspace()):
            first += 1
        row = _read_row(line[first:last].rstrip().rstrip("|"), number, first + 1)
        if rows and len(row) != len(rows[0]):
            message = f"this row has {_points(len(row))}, the first one {len(rows[0])}"
            raise DiagramError(message, line=number, column=first + 1)
        rows.append(row)
    if not rows:
        raise DiagramError("the diagram has no row of points", line=max(1, len(lines)), column=1)
    for index, written, number, column in numbers:
        if written != len(rows) - index:
            raise DiagramError(f"the row is number {len(rows) - index}, not {written}", line=number, column=column)
    _check_names(names, len(rows[0]))
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1)


def _without_remarks(line: str) -> str:
    """The line without the other output of programs, in the same columns."""
    if _OF_PROGRAMS.match(line):
        return ""
    first = _PACHI_ROW.fullmatch(line) or _PACHI_NAMES.fullmatch(line)
    if first is not None:
        return first[1]
    captures = _CAPTURES.search(line)
    if captures is not None:
        line = line[: captures.start()]
    return _KATAGO_MARK.sub(" ", line) if _KATAGO_ROW.fullmatch(line) else line


def _names_columns(line: str) -> bool:
    """Whether a line consists of letters that are not all stones."""
    letters = line.replace(" ", "").replace("\t", "")
    return letters.isascii() and letters.isalpha() and any(letter not in _COLORS for letter in letters)


def _read_row(points: str, line: int, column: int) -> bytes:
    row, at = bytearray(), 0
    points = points.rstrip()
    while at < len(points):
        match = _POINT.match(points, at)
        if match is None:
            at += len(points[at:]) - len(points[at:].lstrip())
            raise DiagramError(f"{points[at]!r} is not a point of a diagram", line=line, column=column + at)
        row.append(_COLORS[match[1] or match[2]])
        at = match.end()
    if not row:
        raise DiagramError("this row has no points", line=line, column=column)
    return bytes(row)


def _check_names(names: list[tuple[int, str]], width: int) -> None:
    known = {line.replace(" ", "") for line in column_lines(width)} if names else set()
    if width <= len(_PLAIN_COLUMNS):
        known.add(_PLAIN_COLUMNS[:width])
    for number, line in names:
        words = line.split()
        if "".join(words).upper() not in known:
            column = line.index(words[0]) + 1
            raise DiagramError(
                f"these letters are neither points nor the names of {width} columns", line=number, column=column
            )


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
