"""Games that are found by the histories of their corners are those of all points."""

from __future__ import annotations

import random

import numpy as np
import pytest
from oracles import found
from samples.index_games import cut
from samples.listed_games import listed, sgf

import wei7core as w7
from wei7core.batch.index.size_group import SizeGroup

_ALL_MOVES = 10_000
"""With a limit of moves, here one without effect, histories are not looked at."""


@pytest.fixture(scope="module")
def corner_games() -> list[found.Listed]:
    """Enough 9x9 games for ranges of histories; many begin with the same stones in a corner, or with setups."""
    chance = random.Random(30)
    games = []
    for number in range(300):
        game = listed(chance, 6 + 8 * (1 + 3 * number))
        opening = [("move", 1 + k % 2, point) for k, point in enumerate([(2, 2), (6, 6), (2, 5), (5, 2)][: number % 5])]
        if number % 2:
            game = found.Listed(9, 9, winner=1, events=opening)
            if number % 10 == 1:
                game.start = [(1, point) for point in [(2, 2), (6, 6), (6, 2), (7, 6)][: 1 + number % 4]]
            for k in range(len(opening), chance.randrange(8, 40)):
                game.events.append(("move", 1 + k % 2, (chance.randrange(6), chance.randrange(6))))
        games.append(game)
    return games


def without(index: w7.Index, *names: str) -> w7.Index:
    """The index as an older release wrote it, without arrays whose names begin in these ways."""
    old = w7.Index.open(index.folder)
    for segment in old._segments:
        for k, group in enumerate(segment.groups):
            arrays = {name: array for name, array in group.arrays.items() if not name.startswith(names)}
            segment.groups[k] = SizeGroup(
                group.width, group.height, arrays, segment.rows["winner"], int(segment.file.facts["first"])
            )
    return old


def test_games_are_those_of_all_points_and_of_older_segments(corner_games, tmp_path):
    index = w7.Index.create(tmp_path, [sgf(game) for game in corner_games])
    old = [without(index, "corner_", "late_"), without(index, "late_emptied")]
    assert len(index._segments[0].groups[0]) == 300
    chance = random.Random(31)
    met = 0
    for number in range(160):
        rows = "\n".join(cut(chance, corner_games, "corner"))
        options = {"symmetry": chance.random() < 0.7, "either_color": chance.random() < 0.4}
        if number % 4 == 0:
            options["where"] = np.arange(300) % 3 > 0
        hits = index.find(rows, "corner", **options)
        numbers = hits.games.tolist()
        assert len(hits) == len(numbers)
        assert numbers == index.find(rows, "corner", max_move=_ALL_MOVES, **options).games.tolist(), (rows, options)
        assert all(numbers == each.find(rows, "corner", **options).games.tolist() for each in old)
        assert numbers == sorted(set(hits.to_numpy()["game"].tolist()))
        met += bool(numbers)
    assert met > 80


def test_games_are_those_of_a_slow_search(corner_games, tmp_path):
    some = corner_games[:60]
    index = w7.Index.create(tmp_path, [sgf(game) for game in some])
    chance = random.Random(32)
    for _ in range(12):
        rows = cut(chance, some, "corner")
        hits, _ = found.search(some, rows, "corner", True, False)
        assert index.find("\n".join(rows), "corner").games.tolist() == sorted({game for game, *_ in hits}), rows


def test_a_handicap_of_a_corner_is_no_position_without_it(tmp_path):
    start = "AB[dd][pp]"
    index = w7.Index.create(tmp_path, [f"(;SZ[19]{start};W[qc])".encode(), b"(;SZ[19];B[pd];W[dd])"] * 20)
    corner = [["."] * 5 for _ in range(5)]
    assert len(index.find("\n".join(map("".join, corner)), "corner", symmetry=False)) == 20
    corner[3][3] = "X"
    assert len(index.find("\n".join(map("".join, corner)), "corner", symmetry=False)) == 20
    corner[3][3] = "O"
    assert len(index.find("\n".join(map("".join, corner)), "corner", symmetry=False)) == 20


def test_a_captured_corner_is_found_again(tmp_path):
    """The stone on the corner is captured: after it the position is one that no first events have."""
    games = [b"(;SZ[9];B[aa];W[ba];B[ee];W[ab];B[ff];W[ac])"] * 30
    index = w7.Index.create(tmp_path, games)
    assert len(index.find(".O.\nO..\n...", "corner", symmetry=False)) == 30
    assert len(index.find(".O.\nO..\nO..", "corner", symmetry=False)) == 30
    assert len(index.find("XO.\nO..\n...", "corner", symmetry=False)) == 0


def test_large_boards_have_no_histories_of_corners(tmp_path):
    index = w7.Index.create(tmp_path, [b"(;SZ[40];B[aa];W[ba])"])
    assert "corner_keys" not in index._segments[0].groups[0].arrays
    assert len(index.find("XO.\n...", "corner")) == 1
