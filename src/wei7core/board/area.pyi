from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wei7core.board.board import Board

__all__ = ["Area", "count_area", "count_areas"]

class Area(NamedTuple):
    """The area of both colors, as John Tromp and Bill Taylor count it: every stone lives (`count_area`).

    `black_stones`, `white_stones`: stones on the board. `black_territory`, `white_territory`: empty points from which
    lines of empty points lead to stones of that color and to no others. `owners`: an array `[y, x]` with 1 for Black's
    stones and territory, 2 for White's, and 0 for all other points.
    """

    black_stones: int
    white_stones: int
    black_territory: int
    white_territory: int
    owners: npt.NDArray[np.uint8]

def count_area(board: Board) -> Area:
    """Return the `Area` of the position on a board; `owners` is a new `uint8` array of shape `(height, width)`.

    Thread safety: the board is locked while it is read.
    """

def count_areas(cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return the areas of many positions of one size, as an `int64` array of shape `(n, 4)`.

    `cells` is a `uint8` array of shape `(n, height, width)` of 0, 1 and 2, as `unpack_boards` returns it. A row has
    the first four numbers of an `Area`: black stones, white stones, black territory, white territory.

    Raises `ValueError` for another shape, another value, or a board without points; `TypeError` for other elements.
    Thread safety: all positions are counted without the GIL, in a copy of their own.
    """
