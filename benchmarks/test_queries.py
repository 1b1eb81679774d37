"""What does a query to an engine cost: one position each, all positions of whole games, and calls of `query` at once?

The engine is a program that answers from prepared bytes, in a process of its own (`tests/samples/quick_katago.py`);
every answer names its query and turn, and all are compared before anything is timed. Queries a second
are counted by the clock, with both processes at work; the time of the processor is that of the client alone.

    python -m pytest benchmarks/test_queries.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import quick_katago

import wei7core as w7

ROUNDS = 3
OPENINGS = 20_000
OPENING = 8
WHOLE_GAMES = 100
CALLS_AT_ONCE = 1_000
UNTIMED = {"WHOLE_GAMES": 20}

Moves = list[tuple[int, "tuple[int, int] | None"]]
Found = dict[tuple[int, "int | None"], "int | None"]
Ask = Callable[[w7.analysis.KataGo, "list[Moves]"], Awaitable["list[w7.analysis.Row]"]]


async def positions(katago: w7.analysis.KataGo, lines: list[Moves]) -> list[w7.analysis.Row]:
    """A query of each line, for its first position."""
    return [row async for row in katago.analyze(lines, every=10_000)]


async def whole_games(katago: w7.analysis.KataGo, lines: list[Moves]) -> list[w7.analysis.Row]:
    """A query of each line, for each of its positions."""
    return [row async for row in katago.analyze(lines)]


async def calls(katago: w7.analysis.KataGo, lines: list[Moves]) -> list[w7.analysis.Row]:
    """A call of `query` for each line, many of them at once."""
    found: list[w7.analysis.Row] = []
    for start in range(0, len(lines), CALLS_AT_ONCE):
        some = lines[start : start + CALLS_AT_ONCE]
        for number, rows in enumerate(await asyncio.gather(*(katago.query(line, turns=[0]) for line in some))):
            rows[0].game = start + number
            found += rows
    return found


def run(ask: Ask, lines: list[Moves]) -> tuple[list[w7.analysis.Row], float]:
    """Return the rows, and the seconds from the first query to the last answer."""

    async def main() -> tuple[list[w7.analysis.Row], float]:
        async with w7.analysis.KataGo([sys.executable, "-S", "-E", quick_katago.__file__], timeout=100) as katago:
            await katago.version()
            begin = time.perf_counter()
            rows = await ask(katago, lines)
            return rows, time.perf_counter() - begin

    return asyncio.run(main())


@pytest.mark.parametrize("ask", [positions, whole_games, calls], ids=["positions", "whole games", "calls"])
def test_queries(benchmark: BenchmarkFixture, summary: list[str], ask: Ask) -> None:
    chosen = games.all_games().games[:WHOLE_GAMES]
    lines: list[Moves] = [list(game.moves) for game in chosen]
    if ask is not whole_games:
        lines = [line[:OPENING] for line in lines]
        lines = (lines * (1 + OPENINGS // len(lines)))[: OPENINGS if benchmark.enabled else len(lines)]
    turns = [range(len(line) + 1 if ask is whole_games else 1) for line in lines]
    expected: Found = {(game, turn): 1000 * len(lines[game]) + turn for game, some in enumerate(turns) for turn in some}
    rows, _ = run(ask, lines)
    assert len(rows) == len(expected)
    assert {(row.game, row.turn): row.visits for row in rows} == expected
    assert all(row.best.move == (3, 15) and row.moves[1].winrate == 0.6 and row.error is None for row in rows)
    seconds: list[float] = []
    benchmark.pedantic(lambda: seconds.append(run(ask, lines)[1]), rounds=ROUNDS)
    benchmark.extra_info["correct"] = True
    if benchmark.enabled:
        rate = benchmark.extra_info["queries_per_second"] = len(expected) / min(seconds)
        cost = 1e6 * benchmark.stats.stats.min / len(expected)
        summary.append(
            f"queries, {ask.__name__.replace('_', ' ')}: {rate:,.0f} a second, {cost:.1f} us each by the timer"
        )
