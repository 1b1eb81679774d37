"""What does it cost to know every child of a position? On one core, against playing each move.

The sums over all children are compared with those of playing each move before anything is timed, and what Python sees
with `Board.play` and `is_legal`.

    python -m pytest benchmarks/test_children.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import games
import pytest
from helpers import native
from pytest_benchmark.fixture import BenchmarkFixture

from wei7core import rules
from wei7core.board.board import Board

POSITIONS = 200_000
PYTHON_POSITIONS = 3_000
PLAYED_GAMES = 2_000
LONG = 200
ROUNDS = 5
UNTIMED = {"POSITIONS": 4_000, "PYTHON_POSITIONS": 100}

POSITIONAL = rules.Rules(name="positional", ko=rules.Ko.POSITIONAL, suicide=True)

PLAYED, CALL, LEGAL = "copy, play and hash of a child", "Board.play", "legal points after 200 moves"

Turn = tuple[Board, int]
"""A board and the color to move."""


@dataclass(frozen=True)
class Kept:
    """Positions as the kernel keeps them, with the color to move, and the sums over all their children."""

    positions: bytes
    sums: tuple[int, ...]

    @property
    def child_count(self) -> int:
        return self.sums[0]


@pytest.fixture(scope="module")
def kept() -> Kept:
    keep = native.children().kept
    positions: list[bytes] = []
    for game in games.all_games().games:
        board = Board(19)
        for color, point in game.moves:
            positions.append(keep(board, color))
            board.play(color, point)
        if len(positions) >= POSITIONS:
            break
    together = b"".join(positions[:POSITIONS])
    return Kept(together, native.children().batch(Board(19), None, together))


def boards_of_games(every: int, at_least: int = 0) -> list[Turn]:
    """Return boards with their moves: every so-manieth position of games, where it has that many moves."""
    turns: list[Turn] = []
    for game in games.all_games().games:
        board = Board(19)
        for number, (color, point) in enumerate(game.moves):
            if number >= at_least and number % every == 0:
                turns.append((board.copy(), color))
                if len(turns) == PYTHON_POSITIONS:
                    return turns
            board.play(color, point)
    return turns


Timings = dict[str, tuple[float, str]]
"""Nanoseconds by name, with the name of what they are compared with, or its own."""


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[Timings]:
    """Collect nanoseconds; print a comparison at the end."""
    timings: Timings = {}
    yield timings
    for name, (nanoseconds, peer) in timings.items():
        line = f"{name}: {nanoseconds:.2f} ns"
        if peer != name and peer in timings:
            line += f", {nanoseconds / timings[peer][0]:.2f} times {peer}"
        summary.append(line)


def time_work(
    benchmark: BenchmarkFixture, timings: Timings, names: tuple[str, str], work: Callable[[], object], count: int
) -> None:
    """Time work on `count` things and enter it under the first name; the second one is its peer's."""
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(count=count, correct=True)
    if seconds := games.best_seconds(benchmark):
        unit = "ns_per_child" if names[1] == PLAYED else "ns_per_call"
        benchmark.extra_info[unit] = seconds / count * 1e9
        timings[names[0]] = seconds / count * 1e9, names[1]


@pytest.mark.parametrize("way", list(native.children().WAYS))
def test_native_children(benchmark: BenchmarkFixture, kept: Kept, timings: Timings, way: str) -> None:
    """Hash, captures and suicide of every child, written to columns, from the rows of the board."""
    like, batch = Board(19), native.children().batch
    assert batch(like, way, kept.positions) == kept.sums
    names = f"a child of many, {way}", PLAYED
    time_work(benchmark, timings, names, lambda: batch(like, way, kept.positions, False), kept.child_count)


def test_native_play(benchmark: BenchmarkFixture, kept: Kept, timings: Timings) -> None:
    """The same by a copy of the rows, a move and its hash, for every child."""
    like, batch = Board(19), native.children().batch
    time_work(benchmark, timings, (PLAYED, PLAYED), lambda: batch(like, None, kept.positions, False), kept.child_count)


def test_calls_of_play(benchmark: BenchmarkFixture, timings: Timings) -> None:
    """Board.play called from Python: the yardstick of the calls below."""
    chosen = games.all_games().first(PLAYED_GAMES)

    def work() -> None:
        for game in chosen.games:
            play = Board(19).play
            for color, point in game.moves:
                play(color, point)

    time_work(benchmark, timings, (CALL, CALL), work, chosen.move_count)


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    return boards_of_games(every=13)


def check(turns: list[Turn], rule_set: rules.Rules) -> None:
    """Compare children with moves that are played and judged one by one, on some of the boards."""
    for board, color in turns[:: len(turns) // 20]:
        children = board.children(color, rule_set)
        for y in range(19):
            for x in range(19):
                assert children.reason[y, x] == board.is_legal(color, (x, y), rule_set).value
                if board[x, y] == 0:
                    child = board.copy()
                    removed = child.play(color, (x, y))
                    assert (children.hash[y, x], children.captured[y, x] + children.lost[y, x]) == (child.hash, removed)


def test_board_children(benchmark: BenchmarkFixture, turns: list[Turn], timings: Timings) -> None:
    """Board.children alone: no array is asked for."""
    check(turns, rules.PERMISSIVE)

    def work() -> None:
        for board, color in turns:
            board.children(color)

    time_work(benchmark, timings, ("Board.children", CALL), work, len(turns))


def test_board_children_arrays(benchmark: BenchmarkFixture, turns: list[Turn], timings: Timings) -> None:
    """Board.children, and four of its arrays."""

    def work() -> None:
        for board, color in turns:
            children = board.children(color)
            children.legal, children.captured, children.lost, children.hash  # noqa: B018 - the benchmark reads them

    time_work(benchmark, timings, ("Board.children, four arrays", CALL), work, len(turns))


@pytest.fixture(scope="module")
def long_games() -> list[Turn]:
    return boards_of_games(every=29, at_least=LONG)


@pytest.mark.parametrize("superko", [False, True], ids=["permissive", "superko"])
def test_long_history(benchmark: BenchmarkFixture, long_games: list[Turn], timings: Timings, superko: bool) -> None:
    """What is legal after 200 moves or more, with and without positional superko."""
    rule_set = POSITIONAL if superko else rules.PERMISSIVE
    check(long_games, rule_set)

    def work() -> None:
        for board, color in long_games:
            board.children(color, rule_set).legal  # noqa: B018 - the benchmark reads them

    name = f"{LEGAL}, positional superko" if superko else LEGAL
    time_work(benchmark, timings, (name, LEGAL), work, len(long_games))
