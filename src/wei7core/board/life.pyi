from typing import NamedTuple

from wei7core.board.point_set import PointSet

__all__ = ["PassAlive"]

class PassAlive(NamedTuple):
    """The unconditionally alive stones and territory of one color (`Board.pass_alive`).

    Valid under rules that forbid suicide: suicide of several stones can open a region again.

    `stones`: those that cannot be captured. `territory`: the regions that make them alive, which are empty points, and
    opponent stones that cannot live there.
    """

    stones: PointSet
    territory: PointSet
