"""A move or edit for which memory runs out leaves the board as it was, wherever in it that happens."""

from __future__ import annotations

import random

import pytest
from helpers import native
from oracles.board import EditedBoard

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize(("width", "height"), [(1, 1), (5, 4), (30, 2), (9, 9)])
@pytest.mark.parametrize("lends", [False, True])
def test_moves_without_memory_change_nothing(width: int, height: int, lends: bool) -> None:
    chance = random.Random(f"{width} x {height}")
    oracle = EditedBoard(width, height)
    moves = []
    blocks_at_once = 0
    for _ in range(600):
        color, point = chance.randint(1, 2), (chance.randrange(width), chance.randrange(height))
        if chance.random() < 0.1:
            color = chance.randint(0, 2)
            oracle.edit([(color, point)])
            moves.append((color, *point, True))
        elif point not in oracle.stones:
            captured = {
                frozenset(oracle.block(other))
                for other in oracle.neighbours(point)
                if oracle.liberties(other) == {point}
            }
            blocks_at_once = max(blocks_at_once, len(captured))
            oracle.play(color, point)
            moves.append((color, *point, False))
    failures, captured_stones = native.load("short_memory", "short_memory").play(width, height, moves, lends)
    assert captured_stones == (oracle.captured[1], oracle.captured[2])
    assert failures > len(moves)
    assert blocks_at_once > 1 or width == 1
