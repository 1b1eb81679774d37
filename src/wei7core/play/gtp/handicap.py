"""Handicap stones at the places that GTP fixes (section 4.1 of the specification)."""

from __future__ import annotations

from typing import Final

__all__ = ["fixed_handicap", "most_fixed"]

Point = tuple[int, int]

_SMALLEST: Final = 7
_FOURTH_LINE_FROM: Final = 12
_MOST: Final = 9


def most_fixed(width: int, height: int) -> int:
    """Return how many stones have fixed places on a board of that size: 0, 4 or 9."""
    if min(width, height) < _SMALLEST:
        return 0
    has_middles = width % 2 and height % 2 and min(width, height) > _SMALLEST
    return _MOST if has_middles else 4


def fixed_handicap(stones: int, width: int, height: int) -> list[Point]:
    """Return the points of a fixed handicap, from the top left, row by row.

    Raises `ValueError` unless there are at least two stones and places for all of them.
    """
    most = most_fixed(width, height)
    if not 2 <= stones <= most:
        raise ValueError(
            f"a {width} x {height} board has places for 2 to {most} handicap stones"
            if most
            else f"a {width} x {height} board has no places for handicap stones"
        )
    left, top = (2 if size < _FOURTH_LINE_FROM else 3 for size in (width, height))
    right, bottom, middle, center = width - 1 - left, height - 1 - top, width // 2, height // 2
    points = [(right, top), (left, bottom), (left, top), (right, bottom)][: min(stones, 4)]
    if stones >= 6:
        points += [(left, center), (right, center)]
    if stones >= 8:
        points += [(middle, top), (middle, bottom)]
    if stones in (5, 7, 9):
        points.append((middle, center))
    return sorted(points, key=lambda point: (point[1], point[0]))
