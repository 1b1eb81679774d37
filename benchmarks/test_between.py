"""A million of games beside each other: how fast games are taken and compared, and the memory that each needs.

The games are made up: rows of keys, of which some are planted copies. What is found is checked first.
"""

from __future__ import annotations

import functools
import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from wei7core.bulk import FACTS
from wei7core.checking.between import BetweenGames

GAMES = 1_000_000
BATCH = 10_000
PLANTED = {
    "duplicate-bytes": 1000,
    "duplicate-game": 500,
    "duplicate-id": 300,
    "near-duplicate": 400,
    "shared-prefix": 5000,
}
ID_BYTES = 12

Array = npt.NDArray[Any]


@functools.cache
def columns() -> dict[str, Array]:
    """All games: different ones but for those planted, each of which is like the game half of all before it."""
    chance = np.random.default_rng(20240229)
    facts = np.zeros(GAMES, FACTS)
    for name in ("text_keys", "game_key", "prefix_keys", "opening_keys"):
        facts[name] = chance.integers(1, 1 << 63, facts[name].shape, np.uint64)
    facts["opening_keys"][:, :4] %= np.uint64(50)
    facts["prefix_keys"][:, 0] %= np.uint64(GAMES // 4)
    positions = chance.integers(1, 1 << 63, GAMES, np.uint64)
    ids = np.arange(GAMES)
    rows = chance.permutation(np.arange(GAMES // 2, GAMES))
    for code, count in PLANTED.items():
        some, rows = rows[:count], rows[count:]
        first = some - GAMES // 2
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
    return {"facts": facts, "canonical_hashes": positions, "ids": ids}


def batches() -> list[tuple[Any, ...]]:
    """The arguments of each call of `BetweenGames.add`."""
    every = columns()
    made = []
    for begin in range(0, GAMES, BATCH):
        rows = slice(begin, begin + BATCH)
        ids = "".join(f"{number:0{ID_BYTES}}" for number in every["ids"][rows].tolist()).encode()
        numbers = np.arange(begin, begin + BATCH)
        others = {"moves": np.full(BATCH, 250), "ids": ids, "id_sizes": np.full(BATCH, ID_BYTES)}
        others |= {"offsets": numbers * 1400, "lines": numbers + 1, "canonical_hashes": every["canonical_hashes"][rows]}
        made.append((numbers, every["facts"][rows], others))
    return made


def compared(games: list[tuple[Any, ...]], max_memory: int) -> Counter[str]:
    with BetweenGames(max_memory=max_memory) as between:
        for numbers, facts, others in games:
            between.add("games.sgf", numbers, facts, **others)
        return Counter(finding.code for finding in between.findings())


@pytest.mark.parametrize("max_memory", [1 << 30, 1 << 25], ids=["memory", "files"])
def test_a_million_of_games(benchmark: BenchmarkFixture, max_memory: int) -> None:
    games = batches()
    tracemalloc.start()
    assert compared(games, max_memory) == PLANTED
    benchmark.extra_info["bytes_per_game"] = round(tracemalloc.get_traced_memory()[1] / GAMES, 1)
    tracemalloc.stop()
    benchmark.extra_info["games"] = GAMES
    benchmark.pedantic(compared, (games, max_memory), rounds=3)
