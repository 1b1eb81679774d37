"""Sets of points: what is refused, how they print, and that they are sets."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Set
from typing import Any

import numpy as np
import pytest
from helpers.cases import in_groups

from wei7core import BoardSizeError, OffBoardError, PointSet


def test_it_is_a_set_that_can_be_a_key() -> None:
    points = PointSet([(1, 0), (0, 1), (1, 0)], 3, 2)
    assert isinstance(points, Set)
    assert len(points) == 2
    assert list(points) == [(1, 0), (0, 1)]
    assert points == {(0, 1), (1, 0)} == points
    # An equal key of another type.
    assert {points: "found"}[frozenset({(0, 1), (1, 0)})] == "found"  # type: ignore[index]
    assert points != [(1, 0), (0, 1)]
    assert (1, 0) in points
    assert (-1, 0) not in points
    assert "D4" not in points
    assert None not in points
    assert (points.width, points.height, points.size) == (3, 2, (3, 2))
    assert not PointSet((), 3)
    assert copy.copy(points) is copy.deepcopy(points) is points


def test_sets_of_other_sizes_are_sets_of_points_too() -> None:
    small, large = PointSet([(0, 0)], 1), PointSet([(0, 0)], 19)
    assert small == large
    assert hash(small) == hash(large)
    assert (small | large).size == (1, 1)
    assert (large - small).size == (19, 19)
    assert small & PointSet([(0, 0), (5, 5)], 19) == small
    assert small < PointSet([(0, 0), (5, 5)], 19)
    with pytest.raises(OffBoardError):
        small | PointSet([(5, 5)], 19)


def test_it_prints_as_a_diagram() -> None:
    points = PointSet([(1, 0), (0, 1)], 3, 2)
    assert str(points) == ". 1 .\n1 . ."
    assert repr(points) == "PointSet([(1, 0), (0, 1)], 3, 2)"
    assert eval(repr(points)) == points


def test_neighbours_and_parts() -> None:
    points = PointSet([(0, 0), (3, 1)], 4, 2)
    assert str(points.dilate()) == "1 1 . 1\n1 . 1 1"
    assert str(points.neighbours()) == ". 1 . 1\n1 . 1 ."
    assert (points.components(), (~points).components()) == ([{(0, 0)}, {(3, 1)}], [~points])
    assert PointSet((), 4).components() == []


@in_groups(
    ("make", "error"),
    [
        (lambda: PointSet([(19, 0)], 19), OffBoardError),
        (lambda: PointSet([(0, -1)], 19), OffBoardError),
        (lambda: PointSet([(0, 10**30)], 19), OffBoardError),
        (lambda: PointSet([3], 19), TypeError),
        (lambda: PointSet([(1, 2, 3)], 19), ValueError),
        (lambda: PointSet([(1.0, 2)], 19), TypeError),
        (lambda: PointSet(None, 19), TypeError),
        (lambda: PointSet((), 0), BoardSizeError),
        (lambda: PointSet((), 5, -1), BoardSizeError),
        (lambda: PointSet((), 4096), BoardSizeError),
        (lambda: PointSet((), 10**20), BoardSizeError),
        (lambda: PointSet((), 50_000, max_points=10**20), BoardSizeError),
        (lambda: PointSet((), 3) | {(0, 3)}, OffBoardError),
        (lambda: PointSet((), 3) ^ {(0, 3)}, OffBoardError),
        (lambda: {(0, 3)} - PointSet((), 3), OffBoardError),
        (lambda: PointSet((), 3) | [(0, 0)], TypeError),
        (lambda: PointSet((), 3) < [(0, 0)], TypeError),
        (lambda: PointSet((), 3).__init__((), 4), TypeError),
        (lambda: PointSet.from_array(np.zeros(3, dtype=bool)), ValueError),
        (lambda: PointSet.from_array(np.zeros((3, 3))), TypeError),
        (lambda: PointSet.from_array(np.zeros((0, 3), dtype=bool)), BoardSizeError),
        (lambda: PointSet.from_array(np.zeros((3, 3), dtype=bool), max_points=8), BoardSizeError),
    ],
)
def test_what_is_refused(make: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_errors_name_the_place() -> None:
    with pytest.raises(OffBoardError, match=r"^the point \(9, 3\) is off the 9 x 5 board$") as refused:
        PointSet([(1, 1), (9, 3)], 9, 5)
    assert refused.value.point == (9, 3)


@pytest.mark.exhaustive
def test_the_largest_boards() -> None:
    for width, height in [(2048, 2048), (1, 4_194_304), (4_194_304, 1)]:
        points = PointSet([(0, 0), (width - 1, height - 1)], width, height)
        assert len(~points) == width * height - 2
        assert len(points.neighbours()) == (4 if width == height else 2)
        assert [set(part) for part in points.components()] == [{(0, 0)}, {(width - 1, height - 1)}]
        assert pickle.loads(pickle.dumps(points)) == points
