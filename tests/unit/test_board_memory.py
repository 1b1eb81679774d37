"""A move for which memory runs out leaves the board as it was, wherever in the move that happens."""

from __future__ import annotations

import random

import native
import pytest
from oracle import OracleBoard


@pytest.mark.parametrize(("width", "height"), [(1, 1), (5, 4), (30, 2), (9, 9)])
def test_moves_without_memory_change_nothing(width: int, height: int) -> None:
    chance = random.Random(f"{width} x {height}")
    oracle = OracleBoard(width, height)
    moves = []
    blocks_at_once = 0
    for _ in range(600):
        color, point = chance.randint(1, 2), (chance.randrange(width), chance.randrange(height))
        if point not in oracle.stones:
            captured = {
                frozenset(oracle.block(other)) for other in oracle.beside(point) if oracle.liberties(other) == {point}
            }
            blocks_at_once = max(blocks_at_once, len(captured))
            oracle.play(color, point)
            moves.append((color, *point))
    failures, captured_stones = native.load("short_memory", "short_memory").play(width, height, moves)
    assert captured_stones == (oracle.captured[1], oracle.captured[2])
    assert failures > len(moves)
    assert blocks_at_once > 1 or width == 1
