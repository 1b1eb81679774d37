from typing import NamedTuple

from wei7core.board.point_set import PointSet

__all__ = ["PassAlive"]

class PassAlive(NamedTuple):
    stones: PointSet
    territory: PointSet
