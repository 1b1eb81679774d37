"""Timelines at their pace, on an event loop whose clock jumps to the next timer: no test waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import wei7core as w7
from wei7core.play.live.timeline import Timeline


class JumpingSelector(selectors.DefaultSelector):
    """A selector that never waits: the time it was to wait is added to `now`."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing is scheduled: the test would wait for ever"
        self.now += max(0.0, timeout)
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop with the clock of a `JumpingSelector`."""

    def __init__(self) -> None:
        self.clock = JumpingSelector()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now


def run(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    loop = JumpingLoop()
    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()


def game(times: tuple[float | None, ...] = (2, 5, None, 9.5, 60)) -> w7.Game:
    made = w7.Game(9)
    for number, time in enumerate(times):
        made.tree.steps.append(w7.Step(w7.Move(1 + number % 2, (number % 9, number // 9)), time=time))
    return made


async def played(line: Timeline, act: Callable[[int], object] = lambda _: None) -> list[tuple[float, int]]:
    """The seconds since the first node at which each node came, and its move number."""
    loop = asyncio.get_running_loop()
    begin = None
    found = []
    async for node in line:
        begin = loop.time() if begin is None else begin
        found.append((round(loop.time() - begin, 3), node.move_number))
        act(node.move_number)
    return found


def test_nodes_come_at_their_times() -> None:
    assert run(lambda: played(Timeline(game()))) == [(0, 0), (2, 1), (5, 2), (5, 3), (9.5, 4), (60, 5)]
    assert run(lambda: played(Timeline(game(), speed=10)))[-1] == (6, 5)
    assert run(lambda: played(Timeline(game(), speed=0.5)))[1] == (4, 1)


def test_a_start_shows_the_node_of_that_time_first() -> None:
    assert run(lambda: played(Timeline(game(), start=6))) == [(0, 3), (3.5, 4), (54, 5)]
    assert run(lambda: played(Timeline(game(), start=1000))) == [(0, 5)]


def test_a_time_that_is_less_than_that_before_is_the_same_moment() -> None:
    assert run(lambda: played(Timeline(game((3, 1, 4))))) == [(0, 0), (3, 1), (3, 2), (4, 3)]


def test_a_branch_is_played_to_its_end() -> None:
    made = game((2, 5))
    made.tree.branches = [
        w7.Branch(steps=[w7.Step(w7.Move(1, (8, 8)), time=7)]),
        w7.Branch(steps=[w7.Step(w7.Move(1, (7, 7)), time=11)]),
    ]
    assert run(lambda: played(Timeline(made)))[-1] == (7, 3)
    assert run(lambda: played(Timeline(made, branch="1"))) == [(0, 0), (2, 1), (5, 2), (11, 3)]


def test_seek_speed_and_pause_while_it_plays() -> None:
    line = Timeline(game())

    def forward(number: int) -> None:
        if number == 1:
            line.seek(50)
            assert line.time == 50
        if number == 4:
            line.speed = 2

    assert run(lambda: played(line, forward)) == [(0, 0), (2, 1), (2, 4), (7, 5)]

    async def paused() -> list[tuple[float, int]]:
        again = Timeline(game())
        loop = asyncio.get_running_loop()

        def hold(number: int) -> None:
            if number == 1:
                again.pause()
                assert (again.is_paused, again.time) == (True, 2)
                loop.call_later(100, again.resume)

        return await played(again, hold)

    assert run(paused) == [(0, 0), (2, 1), (105, 2), (105, 3), (109.5, 4), (160, 5)]


def test_a_slow_taker_gets_every_node() -> None:
    async def slow() -> list[tuple[float, int]]:
        line = Timeline(game())
        found = []
        async for node in line:
            found.append((line.time, node.move_number))
            await asyncio.sleep(7)
        return found

    times = run(slow)
    assert [number for _, number in times] == [0, 1, 2, 3, 4, 5]
    assert [time for time, _ in times] == pytest.approx([0, 7, 14, 21, 28, 60])


def test_a_timeline_can_be_played_again_and_left() -> None:
    async def twice() -> None:
        line = Timeline(game())
        assert len(await played(line)) == 6
        assert await played(line) == []
        assert line.time == line.duration == 60
        line.seek(9)
        assert [number for _, number in await played(line)] == [3, 4, 5]
        line.seek(0)
        waiting = asyncio.ensure_future(played(line))
        await asyncio.sleep(3)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert line.time == pytest.approx(3)

    run(twice)


def test_the_node_of_a_time() -> None:
    line = Timeline(game())
    assert [line.node_at(time).move_number for time in (0, 1.9, 2, 5, 9.4, 9.5, 1e9)] == [0, 0, 1, 3, 3, 4, 5]
    assert (line.speed, line.is_paused, line.time) == (1, False, 0)


def test_what_is_no_timeline() -> None:
    with pytest.raises(ValueError, match="no step of the line has a time"):
        Timeline(game((None, None)))
    with pytest.raises(IndexError):
        Timeline(game(), branch="3")
    for speed in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a speed is above 0"):
            Timeline(game(), speed=speed)
    line = Timeline(game())
    for time in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a time is 0 seconds or more"):
            line.seek(time)
    with pytest.raises(ValueError, match="a speed is above 0"):
        line.speed = 0
