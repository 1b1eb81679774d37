"""The stones on the screen of a viewer of Giseong, which distinguish a new stone from a label on an existing one.

Reader and writer only need the colour of a point, in the order of the record, so this is a map of stones with captures
(G7), without history or rules, for one size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...record.document import Point
from .codes import SIDE

_WIDTH: Final = SIDE + 2
_EDGE: Final = 3
_NEIGHBOURS: Final = (-_WIDTH, -1, 1, _WIDTH)


def _empty() -> bytes:
    edge = bytes([_EDGE])
    return edge * _WIDTH + (edge + bytes(SIDE) + edge) * SIDE + edge * _WIDTH


_EMPTY: Final = _empty()


class StoneMap:
    """The stones that are shown. One thread at a time."""

    def __init__(self) -> None:
        self._stones = bytearray(_EMPTY)
        self._kept: bytes | None = _EMPTY  # the same stones, if requested since the last change
        # Pending stones, and their points: the effect of most stones is never requested.
        self._runs: list[Callable[[], list[tuple[int, Point]]]] = []
        self._waiting: list[tuple[int, Point]] = []
        self._awaited: set[Point] = set()

    def color(self, point: Point) -> int:
        """Return the colour of the stone on a point of the board, 0 where there is none."""
        at = _at(point)
        self._await_runs()
        if self._waiting and (self._stones[at] or point in self._awaited):
            self._put_waiting()
        return self._stones[at]

    def put(self, color: int, point: Point) -> None:
        """Put a stone on an empty point of the board and remove blocks without liberties; an occupied point does not
        change.
        """
        self.put_run(lambda: [(color, point)])

    def put_run(self, run: Callable[[], list[tuple[int, Point]]]) -> None:
        """Put the stones that `run` returns one after the other."""
        self._kept = None
        self._runs.append(run)

    def _await_runs(self) -> None:
        for run in self._runs:
            stones = run()
            self._waiting.extend(stones)
            self._awaited.update(point for _, point in stones)
        self._runs.clear()

    def _put_waiting(self) -> None:
        self._await_runs()
        stones = self._stones
        for color, point in self._waiting:
            at = _at(point)
            if stones[at]:
                continue
            stones[at] = color
            for step in _NEIGHBOURS:
                if stones[at + step] == _EDGE - color:
                    self._take_off_dead(at + step)
            self._take_off_dead(at)
        self._waiting.clear()
        self._awaited.clear()

    def _take_off_dead(self, at: int) -> None:
        """Take the block at `at` off unless it has a liberty."""
        stones = self._stones
        color = stones[at]
        block, seen = [at], {at}
        for one in block:
            for step in _NEIGHBOURS:
                neighbour = one + step
                if not stones[neighbour]:
                    return
                if stones[neighbour] == color and neighbour not in seen:
                    seen.add(neighbour)
                    block.append(neighbour)
        for one in block:
            stones[one] = 0

    def stones(self) -> bytes:
        """Return all stones, for `show`."""
        if self._kept is None:
            self._put_waiting()
            self._kept = bytes(self._stones)
        return self._kept

    def show(self, stones: bytes = _EMPTY) -> None:
        """Show what `stones` returned once, or nothing."""
        if stones is not self._kept:
            self._runs.clear()
            self._waiting.clear()
            self._awaited.clear()
            self._stones[:] = stones
            self._kept = stones


def _at(point: Point) -> int:
    return (point[1] + 1) * _WIDTH + point[0] + 1
