from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wei7core.board.board import Board

__all__ = ["Area", "count_area", "count_areas"]

class Area(NamedTuple):
    black_stones: int
    white_stones: int
    black_territory: int
    white_territory: int
    owners: npt.NDArray[np.uint8]

def count_area(board: Board) -> Area: ...
def count_areas(cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]: ...
