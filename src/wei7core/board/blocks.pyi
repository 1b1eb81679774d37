from typing import Any, NoReturn, final

from wei7core.board.point_set import PointSet

__all__ = ["Block"]

@final
class Block(frozenset[tuple[int, int]]):
    """The stones of one color that are joined along lines: a frozenset of their points, with liberties and neighbours.

    `Board.block` and `Board.blocks` make blocks. A block is a snapshot: it describes the position that it was taken
    from, and does not change when the board does. As a set it is its stones, `(x, y)`: it has their number as its
    length, and equals any set of the same points. Without a stone the block is empty and has neither liberties nor
    neighbours.

    Safe to share by threads. Blocks can be pickled, with their position. The class cannot be subclassed.
    """
    def __init__(self) -> NoReturn: ...
    @property
    def color(self) -> int:
        """The color of the stones, 1 or 2; 0 without stones."""
    @property
    def stones(self) -> PointSet:
        """The points of the stones, as a `PointSet` of the board's size."""
    @property
    def liberties(self) -> PointSet:
        """The empty points adjacent to the stones, as a `PointSet`."""
    @property
    def in_atari(self) -> bool:
        """Whether the block has one liberty."""
    @property
    def neighbours(self) -> tuple[Block, ...]:
        """The opponent's blocks adjacent to this one, as a tuple in reading order."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Block: ...
    def __deepcopy__(self, memo: object) -> Block: ...
