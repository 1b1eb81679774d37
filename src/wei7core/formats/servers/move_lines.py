"""Moves of server games as columns, and texts in which most lines are moves, read many at once.

Digits are made 0 and capitals A in a copy of the text. Then most lines of moves are the same few, and the places of
their numbers and letters are found once for each of these.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ...record.document import Point
from ..record_columns import UNREADABLE
from ..record_rows import move_rows

__all__ = ["PASS", "MoveRun", "Moves", "TextLine", "in_lines", "lines_of"]

PASS: Final = -(1 << 31)
"""Both coordinates of a pass."""

Array: TypeAlias = "npt.NDArray[Any]"

_LINE: Final = re.compile(rb"([^\r\n]*)(?:\r\n?|\n|\Z)")
_BOM: Final = b"\xef\xbb\xbf"
_CLASSES: Final = bytes(
    ord("0") if chr(byte) in "0123456789" else ord("A") if ord("A") <= byte <= ord("Z") else byte for byte in range(256)
)
_LONGEST_MOVE: Final = 64  # bytes of a line
_BEYOND: Final = bytes(8)  # readers of numbers look at the characters after them


class TextLine(NamedTuple):
    """A line of a text without its line end and the white space around it, and the byte where it begins."""

    offset: int
    text: bytes


class MoveRun(NamedTuple):
    """Consecutive moves: their bytes, colours and points, `PASS` twice for a pass."""

    offsets: Array
    colors: Array
    x: Array
    y: Array


class Moves:
    """Moves in order, as columns: bytes, colours (0: unreadable) and points. One thread at a time."""

    def __init__(self) -> None:
        self._columns = array("q"), array("B"), array("i"), array("i")

    def __len__(self) -> int:
        return len(self._columns[0])

    @property
    def last_color(self) -> int:
        """The colour of the last move."""
        return self._columns[1][-1]

    def add(self, offset: int, color: int, point: Point | None) -> None:
        """Append a move; `point` None is a pass."""
        for column, value in zip(self._columns, (offset, color, *(point or (PASS, PASS))), strict=True):
            column.append(value)

    def extend(self, run: MoveRun) -> None:
        """Append moves."""
        for column, values, dtype in zip(self._columns, run, ("i8", "u1", "i4", "i4"), strict=True):
            column.frombytes(values.astype(dtype, copy=False).tobytes())

    def end_before(self, row: int) -> int:
        """Remove the moves from number `row` on and return the byte of the first of them."""
        offset = self._columns[0][row]
        for column in self._columns:
            del column[row:]
        return offset

    def refuse_outside(self, width: int, height: int) -> list[tuple[int, int, Point]]:
        """Make moves off the board unreadable and return the row, the byte and the point of each."""
        offsets, colors, xs, ys = self._columns
        x, y = np.frombuffer(xs, np.int32), np.frombuffer(ys, np.int32)
        outside = ((x < 0) | (x >= width) | (y < 0) | (y >= height)) & ((x != PASS) | (y != PASS))
        rows = np.flatnonzero(outside).tolist()
        found = [(row, offsets[row], (xs[row], ys[row])) for row in rows]
        for row in rows:
            colors[row], xs[row], ys[row] = 0, PASS, PASS
        return found

    def steps(self) -> npt.NDArray[np.void]:
        """Return the rows of `steps`."""
        offsets, colors, x, y = (
            np.frombuffer(column, dtype)
            for column, dtype in zip(self._columns, (np.int64, np.uint8, np.int32, np.int32), strict=True)
        )
        steps = move_rows(offsets, np.maximum(x, -1), np.maximum(y, -1), colors)
        steps["kind"][colors == 0] = UNREADABLE
        return steps


def lines_of(data: bytes, begin: int = 0, end: int | None = None) -> Iterator[TextLine]:
    """Yield the lines in `data[begin:end]`; none of the encodings that servers use has a line feed in a character."""
    last = len(data) if end is None else end
    for match in _LINE.finditer(data, len(_BOM) if begin == 0 and data.startswith(_BOM) else begin, last):
        text, offset = match[1], match.start()
        if offset == end:
            return
        plain = text.strip()
        if len(plain) != len(text):
            offset += len(text) - len(text.lstrip())
        yield TextLine(offset, plain)


class _Layouts(dict[bytes, int]):
    """The number of the layout of each line: the row of `rows` with the places of the groups of the pattern."""

    def __init__(self, pattern: re.Pattern[bytes]) -> None:
        self._pattern = pattern
        self.rows: list[tuple[int, ...]] = [(0,) * pattern.groups]

    def __missing__(self, line: bytes) -> int:
        row = _known_layout(self._pattern, line) if len(line) < _LONGEST_MOVE else None
        self[line] = number = 0 if row is None else len(self.rows)
        if row is not None:
            self.rows.append(row)
        return number


@functools.lru_cache(1024)  # which recur in each record
def _known_layout(pattern: re.Pattern[bytes], line: bytes) -> tuple[int, ...] | None:
    match = pattern.fullmatch(line)
    return None if match is None else tuple(match.start(group) for group in range(1, pattern.groups + 1))


def in_lines(
    data: bytes, pattern: re.Pattern[bytes], read: Callable[..., tuple[Array, Array, Array, Array]]
) -> Iterator[TextLine | MoveRun]:
    """Yield the lines of `data` in order, consecutive ones that are moves as a `MoveRun`.

    `pattern` is that of a line with each digit made 0 and each capital A; its first group begins where the move does.
    `read` takes the text and the places of the groups in it, and returns colours, x, y, and whether each is a move.
    """
    lines = data.translate(_CLASSES).split(b"\n")
    last = lines.pop()
    layouts = _Layouts(pattern)
    numbers = np.array(list(map(layouts.__getitem__, lines)), np.int64)
    if not numbers.any():
        yield from lines_of(data)
        return
    text = np.frombuffer(data + _BEYOND, np.uint8)
    ends = np.flatnonzero(text == ord("\n")) + 1
    starts = np.concatenate(([0], ends[:-1]))
    has_layout = numbers > 0
    offsets, *places = (starts[has_layout] + np.array(layouts.rows)[numbers[has_layout]].T).astype(np.int64)
    colors, x, y, are_moves = read(text, *places)
    is_move = has_layout.copy()
    is_move[has_layout] = are_moves
    before: Array = np.cumsum(has_layout) - has_layout  # lines with a layout before each line
    edges = [0, *(np.flatnonzero(is_move[1:] != is_move[:-1]) + 1).tolist(), len(lines)]
    for begin, end in pairwise(edges):
        if is_move[begin]:
            rows = slice(int(before[begin]), int(before[begin]) + end - begin)
            yield MoveRun(offsets[rows], colors[rows], x[rows], y[rows])
        else:
            yield from lines_of(data, int(starts[begin]), int(ends[end - 1]))
    yield from lines_of(data, len(data) - len(last))
