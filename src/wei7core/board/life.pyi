from typing import NamedTuple

from wei7core.board.point_set import PointSet

__all__ = ["PassAlive"]

class PassAlive(NamedTuple):
    """What of one color lives though its owner passes for ever (`Board.pass_alive`).

    It does by rules that forbid suicide. Where several stones may take themselves off, they can open a region again.

    `stones`: those that cannot be captured. `territory`: the regions that make them live, which are empty points, and
    opponent stones that cannot live there.
    """

    stones: PointSet
    territory: PointSet
