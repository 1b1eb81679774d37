"""Blocks against the oracle, on boards of every shape, including boards with blocks without liberties."""

from __future__ import annotations

import pickle
import random

from helpers.effort import chances, examples
from hypothesis import given, settings
from oracles.board import EditedBoard
from samples.random_play import SIZES, random_point, region

from wei7core import Board


@settings(max_examples=examples(100))
@given(size=SIZES, chance=chances())
def test_blocks(size: tuple[int, int], chance: random.Random) -> None:
    board, oracle = Board(*size), EditedBoard(*size)
    stones = [(chance.randint(0, 2), point) for point in region(chance, oracle)]
    stones += [(chance.randint(1, 2), random_point(chance, oracle)) for _ in range(10)]
    board.edit(stones)
    oracle.edit(stones)
    reading_order = sorted(oracle.stones, key=lambda point: point[::-1])
    expected = list(dict.fromkeys(frozenset(oracle.block(point)) for point in reading_order))
    blocks = board.blocks()
    assert blocks == expected
    for color in (1, 2):
        assert board.blocks(color) == [block for block in expected if oracle.stones[min(block)] == color]
    for block in chance.sample(blocks, min(10, len(blocks))):
        stone = min(block)
        adjacent = {other for point in block for other in oracle.neighbours(point)} & set(oracle.stones) - block
        neighbours = {frozenset(oracle.block(other)) for other in adjacent}
        for same in (block, board.block(stone), pickle.loads(pickle.dumps(block))):
            assert same == same.stones == oracle.block(stone)
            assert same.color == oracle.stones[stone]
            assert same.liberties == oracle.liberties(stone)
            assert same.in_atari == (len(oracle.liberties(stone)) == 1)
            assert len(same.neighbours) == len(neighbours)
            assert set(same.neighbours) == neighbours
            assert same.liberties == oracle.liberties(stone), "known now, with all others"
            assert same.in_atari == (len(oracle.liberties(stone)) == 1)
    board._check()
