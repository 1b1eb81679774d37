"""`Timeline`: a record with times, played at its pace."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterable
from math import isfinite
from typing import Final

from ...game.game import Game
from ...game.nodes import Node

_CLOSE: Final = 1e-6  # seconds of the record that timers may be early


class Timeline:
    """The nodes of a line of a game at their times (3.15.3.1): an asynchronous iterator with speed, pause and seek.

        async for node in Timeline(game, speed=10):
            print(node.effective_time, node.comment)

    The line is the main line, or the one to the end of the branch at the path `branch`. The first node is the one that
    is shown at `start`; each other one follows at its time, which runs from the first node on. A consumer that is late
    gets overdue nodes at once, in order; none is skipped.

    Attributes: `time`, seconds of the record now; `duration`, the time of the last node; `speed`; `is_paused`.

    Raises `ValueError` if no step of the line has a time, for a speed that is not above 0 and for a start that is
    not 0 or more, `IndexError` for a branch out of range, and what `Game.main_line` raises. Edits of the game
    after this are not seen. Thread safety: for the thread of one event loop, and for one loop over the nodes at a time.
    """

    __slots__ = ("_at", "_changed", "_loop", "_next", "_nodes", "_paused", "_since", "_speed", "_times")

    def __init__(
        self, game: Game, *, speed: float = 1.0, start: float = 0.0, branch: str | Iterable[int] | None = None
    ) -> None:
        self._nodes: list[Node] = []
        self._times: list[float] = []
        has_times = False
        for node in game.main_line() if branch is None else game.line(branch):
            if node.step is None and not node.place.has_start:
                continue  # the same position as the node before
            self._nodes.append(node)
            self._times.append(float(node.effective_time or 0))
            has_times = has_times or node.effective_time is not None
        if not has_times:
            raise ValueError("no step of the line has a time")
        self._speed = _positive(speed)
        self._changed = asyncio.Event()
        self._paused = False
        self._loop: asyncio.AbstractEventLoop | None = None  # once the time runs
        self._since = 0.0  # the time of the loop when that of the record was `_at`
        self._at = 0.0
        self._next = 0
        self.seek(start)

    @property
    def duration(self) -> float:
        """The time of the last node, in seconds."""
        return self._times[-1]

    @property
    def time(self) -> float:
        """Seconds of the record now: they run from the first node that is taken, but for pauses, to `duration`."""
        if self._loop is None or self._paused:
            return self._at
        return min(self._at + (self._loop.time() - self._since) * self._speed, self.duration)

    @property
    def is_paused(self) -> bool:
        """Whether the time is held."""
        return self._paused

    @property
    def speed(self) -> float:
        """Seconds of the record for each second; may be changed while it plays. Raises `ValueError` unless above 0."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        new = _positive(speed)
        self._go_on_from(self.time)
        self._speed = new

    def node_at(self, time: float) -> Node:
        """Return the node that is shown at `time`: the last one that is not later, the first one before all."""
        return self._nodes[self._index_at(time)]

    def seek(self, time: float) -> None:
        """Go to `time`: the next node is the one shown there. Raises `ValueError` unless it is 0 or more."""
        if not (time >= 0 and isfinite(time)):
            raise ValueError(f"a time is 0 seconds or more, not {time!r}")
        self._next = self._index_at(time)
        self._go_on_from(min(float(time), self.duration))

    def pause(self) -> None:
        """Hold the time; nodes that are due already are still given."""
        self._go_on_from(self.time)
        self._paused = True

    def resume(self) -> None:
        """Let the time run again."""
        self._go_on_from(self.time)
        self._paused = False

    def __aiter__(self) -> Timeline:
        return self

    async def __anext__(self) -> Node:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._since = self._loop.time()
        while self._next < len(self._nodes):
            wait = self._times[self._next] - self.time
            if wait <= _CLOSE:
                self._next += 1
                return self._nodes[self._next - 1]
            self._changed.clear()
            timer = None
            if not self._paused:
                timer = self._loop.call_later(wait / self._speed, self._changed.set)
            try:
                await self._changed.wait()
            finally:
                if timer is not None:
                    timer.cancel()
        raise StopAsyncIteration

    def _index_at(self, time: float) -> int:
        return max(0, bisect_right(self._times, time) - 1)

    def _go_on_from(self, at: float) -> None:
        """Set the time of the record to `at`, and resume the consumer that waits for a node."""
        self._at = at
        if self._loop is not None:
            self._since = self._loop.time()
        self._changed.set()


def _positive(speed: float) -> float:
    if not (speed > 0 and isfinite(speed)):
        raise ValueError(f"a speed is above 0, not {speed!r}")
    return float(speed)
