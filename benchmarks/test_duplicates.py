"""A million of games together: how fast games are taken and compared, and the memory that each needs.

The games are made up: rows of keys, of which some are planted copies. What is found is checked first. Memory is the
peak of all that is held and sorted, the ids of 12 bytes included.

    python -m pytest benchmarks/test_duplicates.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import functools
import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games import best_seconds
from pytest_benchmark.fixture import BenchmarkFixture

from wei7core.batch.summaries import summary_dtype
from wei7core.checking.duplicates import BetweenGames

GAMES = 1_000_000
UNTIMED_GAMES = 20_000
BATCH = 10_000
PLANTED = {
    "duplicate-bytes": 1000,
    "duplicate-game": 500,
    "duplicate-id": 300,
    "near-duplicate": 400,
    "shared-prefix": 5000,
}
"""Findings in a million."""
ID_BYTES = 12

Array = npt.NDArray[Any]
Batch = tuple[Array, Array, dict[str, Any]]


def planted(count: int) -> dict[str, int]:
    return {code: number * count // GAMES for code, number in PLANTED.items()}


def made_up(count: int) -> tuple[Array, Array, Array]:
    """Return facts, last positions and ids: different ones, but for planted games that are like one half as old."""
    chance = np.random.default_rng(20240229)
    facts = np.zeros(count, summary_dtype())
    for name in ("text_keys", "game_key", "prefix_keys", "opening_keys"):
        facts[name] = chance.integers(1, 1 << 63, facts[name].shape, np.uint64)
    facts["opening_keys"][:, :4] %= np.uint64(50)
    facts["prefix_keys"][:, 0] %= np.uint64(count // 4)
    positions = chance.integers(1, 1 << 63, count, np.uint64)
    ids = np.arange(count)
    rows = chance.permutation(np.arange(count // 2, count))
    for code, number in planted(count).items():
        some, rows = rows[:number], rows[number:]
        first = some - count // 2
        if code == "duplicate-bytes":
            facts[some], positions[some] = facts[first], positions[first]
        elif code == "duplicate-game":
            facts["game_key"][some], positions[some] = facts["game_key"][first], positions[first]
        elif code == "duplicate-id":
            ids[some] = ids[first]
        elif code == "near-duplicate":
            facts["prefix_keys"][some, :5] = facts["prefix_keys"][first, :5]
        else:
            facts["prefix_keys"][some, :3] = facts["prefix_keys"][first, :3]
    return facts, positions, ids


@functools.cache
def batches(count: int) -> list[Batch]:
    """Return the arguments of each call of `BetweenGames.add`."""
    facts, positions, ids = made_up(count)
    made = []
    for begin in range(0, count, BATCH):
        rows = slice(begin, begin + BATCH)
        names = "".join(f"{number:0{ID_BYTES}}" for number in ids[rows].tolist()).encode()
        numbers = np.arange(begin, begin + BATCH)
        others = {"moves": np.full(BATCH, 250), "ids": names, "id_sizes": np.full(BATCH, ID_BYTES)}
        others |= {
            "offsets": numbers * 1400,
            "lines": numbers + 1,
            "columns": numbers * 0 + 1,
            "canonical_hashes": positions[rows],
        }
        made.append((numbers, facts[rows], others))
    return made


def compared(games: list[Batch], max_memory: int) -> Counter[str]:
    with BetweenGames(max_memory=max_memory) as between:
        for numbers, facts, others in games:
            between.add([("games.sgf", BATCH)], numbers, facts, **others)
        return Counter(finding.code for finding in between.findings())


@pytest.mark.parametrize("max_memory", [1 << 30, 1 << 25], ids=["memory", "files"])
def test_a_million_of_games(benchmark: BenchmarkFixture, summary: list[str], max_memory: int) -> None:
    count = UNTIMED_GAMES if benchmark.disabled else GAMES
    games = batches(count)
    tracemalloc.start()
    assert compared(games, max_memory) == planted(count)
    each = tracemalloc.get_traced_memory()[1] / count
    tracemalloc.stop()
    benchmark.extra_info.update(count=count, correct=True, bytes_a_game=round(each, 1))
    benchmark.pedantic(compared, (games, max_memory), rounds=3)
    if seconds := best_seconds(benchmark):
        where = "memory" if max_memory == 1 << 30 else "files"
        summary.append(
            f"between {count:,} games, in {where}: {seconds / count * 1e6:.2f} us and {each:.0f} bytes a game"
        )
