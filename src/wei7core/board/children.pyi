from collections.abc import Iterator
from typing import SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt

from wei7core import Board  # for those who check types alone: the module knows no Board

__all__ = ["Children"]

_Point: TypeAlias = tuple[SupportsIndex, SupportsIndex] | str

@final
class Children:
    """Every move of one color in a position, and what it would do. `Board.children` makes it, at once for all points.

    The arrays are of shape (height, width), indexed `[y, x]`, and read-only; they are made when one of them is first
    asked for. What a move does is given wherever a stone can be put, legal or not.

    As a collection: `len()` is the number of legal points, iteration yields `((x, y), board)` for each of them, row by
    row, `children[x, y]` is the board after the move there, and `(x, y) in children` says whether it is legal. Boards
    are made when they are asked for, with the moves before them, and are independent. They need the board as it was:
    after it was changed, they raise `RuntimeError` until the change is undone. The arrays stay what they are.

    Thread safety: may be shared by threads.
    """
    @property
    def color(self) -> int:
        """The color of the moves."""
    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Where the rules allow the move: bool."""
    @property
    def reason(self) -> npt.NDArray[np.uint8]:
        """Why it is not legal, the values of `wei7core.rules.Verdict`, 0 where it is legal: uint8."""
    @property
    def captured(self) -> npt.NDArray[np.int32]:
        """How many stones of the opponent the move would remove: int32."""
    @property
    def lost(self) -> npt.NDArray[np.int32]:
        """How many stones of its own color the move would remove by suicide, itself too, or 0: int32."""
    @property
    def hash(self) -> npt.NDArray[np.uint64]:
        """`Board.hash` after the move, 0 on occupied points: uint64."""
    @property
    def self_atari(self) -> npt.NDArray[np.bool_]:
        """Where the block of the move would have exactly one liberty, after captures: bool."""
    @property
    def points(self) -> list[tuple[int, int]]:
        """The legal points, row by row, as a new list of (x, y)."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[tuple[int, int], Board]]: ...
    def __contains__(self, point: _Point, /) -> bool: ...
    def __getitem__(self, point: _Point, /) -> Board: ...
