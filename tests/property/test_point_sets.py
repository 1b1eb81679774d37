"""Sets of points against Python's own."""

from __future__ import annotations

import operator
import pickle
from typing import Any

from helpers import draws
from helpers.effort import examples
from hypothesis import given, settings
from oracles.board import OracleBoard
from oracles.life import connected

from wei7core import PointSet

SIDES = draws.one_of(draws.integers(1, 9), draws.sampled_from([63, 64, 65, 128, 130]))
OPERATORS = [operator.or_, operator.and_, operator.xor, operator.sub]
COMPARISONS = [operator.eq, operator.ne, operator.le, operator.lt, operator.ge, operator.gt]
METHODS = ["union", "intersection", "difference", "symmetric_difference"]
QUESTIONS = ["issubset", "issuperset", "isdisjoint"]


@draws.composite
def point_sets(draw: Any) -> tuple[int, int, set[tuple[int, int]], set[tuple[int, int]]]:
    width, height = draw(SIDES), draw(SIDES)
    # Some close together, so that they touch; some anywhere.
    points = draws.tuples(
        draws.one_of(draws.integers(0, width - 1), draws.integers(max(0, width - 3), width - 1)),
        draws.one_of(draws.integers(0, height - 1), draws.integers(0, min(height, 3) - 1)),
    )
    first = draw(draws.lists(points, max_size=40).map(set))
    second = draw(
        draws.one_of(
            draws.lists(points, max_size=40).map(set), draws.just(set(first)), draws.just(set(sorted(first)[1:]))
        )
    )
    return width, height, first, second


@settings(max_examples=examples(150))
@given(drawn=draws.drawn(point_sets()))
def test_it_answers_as_a_frozenset_does(drawn: tuple[int, int, set[tuple[int, int]], set[tuple[int, int]]]) -> None:
    width, height, first, second = drawn
    a, b = PointSet(first, width, height), PointSet(iter(second), width, height)
    assert a == first
    assert hash(a) == hash(frozenset(first))
    assert len(a) == len(list(a)) == len(first)
    assert bool(a) == bool(first)
    assert list(a) == sorted(first, key=lambda point: point[::-1])
    assert all((point in a) == (point in first) for point in first | second | {(width, 0), (0, height), (-1, -1)})
    for apply in OPERATORS:
        expected = apply(first, second)
        for result in (
            apply(a, b),
            apply(a, second),
            apply(frozenset(first), b),
            apply(a, dict.fromkeys(second).keys()),
        ):
            assert isinstance(result, PointSet)
            assert result == expected
            assert result.size == (width, height)
    for compare in COMPARISONS:
        expected = compare(first, second)
        assert compare(a, b) is compare(a, frozenset(second)) is compare(first, b) is expected
    for name in METHODS:
        assert getattr(a, name)(list(second)) == getattr(a, name)(b) == getattr(first, name)(second)
    assert a.union(second, []) == first | second
    for name in QUESTIONS:
        assert getattr(a, name)(list(second)) is getattr(a, name)(b) is getattr(first, name)(second)
    assert (a == first, b == second) == (True, True), "nothing has changed"


@settings(max_examples=examples(100))
@given(drawn=draws.drawn(point_sets()))
def test_it_knows_its_board(drawn: tuple[int, int, set[tuple[int, int]], set[tuple[int, int]]]) -> None:
    width, height, first, _ = drawn
    points, board = PointSet(first, width, height), OracleBoard(width, height)
    everything = {(x, y) for x in range(width) for y in range(height)}
    adjacent = {other for point in first for other in board.neighbours(point)}
    assert ~points == everything - first
    assert points.dilate() == first | adjacent
    assert points.neighbours() == adjacent - first
    parts = points.components()
    assert set(map(frozenset, parts)) == connected(board, first)
    assert [next(iter(part)) for part in parts] == sorted((next(iter(part)) for part in parts), key=lambda p: p[::-1])
    array = points.to_array()
    assert array.tolist() == [[(x, y) in first for x in range(width)] for y in range(height)]
    assert PointSet.from_array(array.T[::-1].T[:, ::-1]) == points
    assert str(points) == "\n".join(" ".join(".1"[cell] for cell in row) for row in array.tolist())
    same = pickle.loads(pickle.dumps(points))
    assert (same, same.size) == (points, points.size)
