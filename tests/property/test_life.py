"""Eyes and unconditional life against the definitions, on boards of every shape."""

from __future__ import annotations

import functools
import itertools
import random

import pytest
from helpers.diagrams import copied
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import OracleBoard, Point
from oracles.life import is_eye, pass_alive
from samples.random_play import SIZES, region

from wei7core.board.board import Board
from wei7core.rules import Ko, Rules

NO_SUICIDE = Rules(name="no suicide", ko=Ko.NONE, suicide=False)
"""Benson's theorem depends on it: stones that take themselves off would open the regions that they fill."""


def filled(chance: random.Random, size: tuple[int, int]) -> OracleBoard:
    """Return a board with a crowded part where most points are of one colour, so that some blocks live."""
    oracle = OracleBoard(*size)
    favourite, share = chance.randint(1, 2), chance.choice([0.6, 0.8, 0.95])
    points = region(chance, oracle)
    for point in chance.sample(points, round(len(points) * chance.choice([0.6, 0.8, 0.95]))):
        if point not in oracle.stones:
            oracle.play(favourite if chance.random() < share else 3 - favourite, point)
    return oracle


@settings(max_examples=examples(150))
@given(size=SIZES, chance=chances())
def test_what_lives_is_what_the_paper_says(size: tuple[int, int], chance: random.Random) -> None:
    oracle = filled(chance, size)
    board = copied(oracle)
    for color in (1, 2):
        assert board.pass_alive(color) == pass_alive(oracle, color)
    board._check()


@settings(max_examples=examples(60))
@given(size=SIZES, chance=chances())
def test_eyes_are_what_the_docstring_says(size: tuple[int, int], chance: random.Random) -> None:
    oracle = filled(chance, size)
    board = copied(oracle)
    for point in itertools.islice(itertools.product(range(size[0]), range(size[1])), 400):
        for color in (1, 2):
            assert board.is_eye(point, color) == is_eye(oracle, point, color)
    board._check()


@settings(max_examples=examples(60))
@given(size=st.tuples(st.integers(2, 7), st.integers(2, 7)), chance=chances())
def test_what_lives_outlives_any_moves_of_the_opponent(size: tuple[int, int], chance: random.Random) -> None:
    board = copied(filled(chance, size))
    stones, territory = board.pass_alive(1)
    for _ in range(200):
        point = chance.randrange(size[0]), chance.randrange(size[1])
        if board.is_legal(2, point, NO_SUICIDE):
            board.play(2, point)
    assert all(board[point] == 1 for point in stones)
    assert stones <= board.pass_alive(1).stones
    assert board.pass_alive(2).stones.isdisjoint(territory)


@pytest.mark.parametrize("size", [(1, 7), (2, 3), (4, 2)])
def test_on_small_boards_all_else_can_be_captured(size: tuple[int, int]) -> None:
    """Benson's theorem, in every position: what is not found alive falls to some moves of the opponent alone."""
    width, height = size
    points = [(x, y) for y in range(height) for x in range(width)]

    @functools.cache
    def safe(cells: tuple[int, ...]) -> frozenset[Point]:
        """Return the black stones that White cannot capture while Black passes; White does not play suicide."""
        oracle = OracleBoard(*size)
        oracle.stones = {point: color for point, color in zip(points, cells, strict=True) if color}
        left = frozenset(point for point, color in oracle.stones.items() if color == 1)
        for point, color in zip(points, cells, strict=True):
            if left and color == 0:
                oracle.play(2, point)
                if point in oracle.stones:
                    left &= safe(tuple(oracle.stones.get(other, 0) for other in points))
                oracle.undo(1)
        return left

    alive = 0
    for cells in itertools.product(range(3), repeat=len(points)):
        oracle = OracleBoard(*size)
        oracle.stones = {point: color for point, color in zip(points, cells, strict=True) if color}
        if all(oracle.liberties(point) for point in oracle.stones):
            board = Board(*size)
            board.setup([(color, point) for point, color in oracle.stones.items()])
            found = board.pass_alive(1).stones
            assert found == safe(cells)
            alive += bool(found)
    assert alive > 0
