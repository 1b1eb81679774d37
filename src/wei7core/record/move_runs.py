"""Runs of moves in a document that is only written: numbers, which a table converts to text.

Most steps of most records have only a colour and a point. A writer needs no object for each of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from .document import Move, Point, Step


class MoveRun(Step):
    """Consecutive moves with only a colour and a point, in place of their steps.

    `codes` has `(color - 1) * (points + 1) + y * width + x` for each, `points` in place of the point for a pass. Only
    writers, and conversions that declare it, accept documents with runs; none is returned to users.
    """

    __slots__ = ("codes",)

    def __init__(self, codes: list[int]) -> None:
        super().__init__(_SOME_MOVE)
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)


_SOME_MOVE: Final = Move(0, None)
MOST_POINTS_IN_RUNS: Final = 52 * 52
"""Of a board; a table of the moves on a larger one would not pay."""


def move_of(code: int, width: int, height: int) -> tuple[int, Point | None]:
    """Return the colour and the point of a code of `MoveRun`. Thread safe."""
    color, place = divmod(code, width * height + 1)
    return color + 1, None if place == width * height else (place % width, place // width)


def quiet_moves(rows: Any, kind: int, width: int, height: int) -> Any:
    """Return a mask of the rows of steps that are moves on the board, or passes, without details. Thread safe.

    For a board too large for a table of its moves it is False throughout.
    """
    if width * height > MOST_POINTS_IN_RUNS:
        return np.zeros(len(rows), dtype=bool)
    x, y, color = rows["x"], rows["y"], rows["color"]
    on_board = (x < width) & (y < height) & ((y >= 0) | (x < 0))
    return (rows["kind"] == kind) & (rows["detail"] < 0) & (color > 0) & (color < 3) & on_board


class StepRows:
    """The steps of a record by their rows: runs for the rows in `quiet`, a `Step` for each other row."""

    def __init__(
        self, rows: Any, quiet: Any, width: int, height: int, make: Callable[[Sequence[int]], list[Step]]
    ) -> None:
        points = width * height
        x, y = rows["x"].astype(np.int64), rows["y"].astype(np.int64)
        codes = (rows["color"].astype(np.int64) - 1) * (points + 1) + np.where(x < 0, points, y * width + x)
        self._codes: list[int] = codes.tolist()
        self._others: list[int] = np.flatnonzero(~quiet).tolist()
        self._steps = make(self._others)

    def between(self, first: int, end: int) -> list[Step]:
        """Return the steps of the rows from `first` to before `end`."""
        found: list[Step] = []
        for k in range(bisect_left(self._others, first), bisect_left(self._others, end)):
            row = self._others[k]
            if row > first:
                found.append(MoveRun(self._codes[first:row]))
            found.append(self._steps[k])
            first = row + 1
        if first < end:
            found.append(MoveRun(self._codes[first:end]))
        return found
