"""Places of handicap stones: those that GTP fixes (section 4.1 of the specification), and free ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..coordinates import Point

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


def free_handicap(stones: int, width: int, height: int) -> list[Point]:
    """Return points for any number of handicap stones, from the top left, row by row: the same ones each time.

    They are those of `fixed_handicap` where it has so many. Further stones go, one by one, to the point that is
    farthest from the stones and from the outside of the board, counted along the lines; the first in reading order
    where there are several.

    Raises `ValueError` unless there are at least two stones and, with them on the board, a point without one.
    """
    if not 2 <= stones < width * height:
        raise ValueError(f"the number of free handicap stones on a {width} x {height} board is not {stones}")
    most = min(stones, most_fixed(width, height))
    points = fixed_handicap(most, width, height) if most >= 2 else []
    columns, rows = np.arange(width), np.arange(height)[:, None]
    room = np.minimum(np.minimum(columns, width - 1 - columns), np.minimum(rows, height - 1 - rows)) + 1
    for x, y in points:
        np.minimum(room, abs(columns - x) + abs(rows - y), out=room)
    while len(points) < stones:
        y, x = divmod(int(room.argmax()), width)
        points.append((x, y))
        np.minimum(room, abs(columns - x) + abs(rows - y), out=room)
    return sorted(points, key=lambda point: (point[1], point[0]))
