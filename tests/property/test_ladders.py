"""Ladders against a reader of a few lines."""

from __future__ import annotations

import random

import pytest
from helpers.diagrams import copied
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import EditedBoard
from oracles.ladder import Reader, TooLongError
from samples.random_play import WIDE_SIZES, region

from wei7core.board.board import Board

SIZES = st.one_of(st.tuples(st.integers(1, 9), st.integers(1, 9)), st.sampled_from(WIDE_SIZES[:8]))


def compare(board: Board, oracle: EditedBoard, point: tuple[int, int], first: int | None) -> bool | None:
    """Read the ladder of a block both ways; None where it is too long for the slow one."""
    ladder = board.ladder(point, first)
    reader = Reader(oracle, point)
    color = reader.first() if first is None else first
    try:
        assert ladder.captured == reader.is_captured(color)
        reader.left = 500
        moves = len(oracle.moves)
        try:
            reader.check_line(color, bool(ladder.captured), ladder.line)
        finally:
            oracle.undo(len(oracle.moves) - moves)
    except TooLongError:
        return None
    return ladder.captured


@settings(max_examples=examples(60))
@given(size=SIZES, chance=chances())
def test_ladders(size: tuple[int, int], chance: random.Random) -> None:
    oracle = EditedBoard(*size)
    points = region(chance, oracle)
    for point in chance.sample(points, round(len(points) * chance.choice([0.3, 0.5, 0.7]))):
        if point not in oracle.stones:
            oracle.play(chance.randint(1, 2), point)
    board = copied(oracle)
    before = board.to_array().tolist(), board.moves()
    stones = {min(oracle.block(point)) for point in oracle.stones}
    for point in chance.sample(sorted(stones), min(4, len(stones))):
        for first in (None, 1, 2):
            compare(board, oracle, point, first)
    assert (board.to_array().tolist(), board.moves()) == before
    board._check()


@pytest.mark.exhaustive
def test_the_examples_are_worth_reading() -> None:
    """Both ends come, with captures on the way; long ladders too, and few are too long for the slow reader."""
    chance = random.Random(5)
    ends: list[bool | None] = []
    longest = captures = 0
    for _ in range(40):
        oracle = EditedBoard(7, 6)
        for _ in range(22):
            point = chance.randrange(7), chance.randrange(6)
            if point not in oracle.stones:
                oracle.play(chance.randint(1, 2), point)
        board = copied(oracle)
        for point in {min(oracle.block(point)) for point in oracle.stones}:
            if len(oracle.liberties(point)) <= 2:
                ends.append(compare(board, oracle, point, None))
                line = board.ladder(point).line
                longest = max(longest, len(line))
                copy = board.copy()
                captures += sum(copy.play(*move) > 0 for move in line[:-1])
    assert ends.count(True) > 20
    assert ends.count(False) > 20
    assert ends.count(None) < 5
    assert longest >= 8
    assert captures > 10
