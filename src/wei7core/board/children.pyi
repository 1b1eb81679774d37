from collections.abc import Iterator
from typing import SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt

from wei7core import Board  # for those who check types alone: the module knows no Board

__all__ = ["Children"]

_Point: TypeAlias = tuple[SupportsIndex, SupportsIndex] | str

@final
class Children:
    """Every move of one color in a position and its effect, made by `Board.children` for all points at once.

    The arrays are of shape (height, width), indexed `[y, x]`, and read-only; they are made on first access. The effect
    is given for every empty point, legal or not.

    As a collection: `len()` is the number of legal points, iteration yields `((x, y), board)` for each of them, row by
    row, `children[x, y]` is the board after the move there, and `(x, y) in children` tests whether it is legal. Boards
    are made on request, with the previous moves, and are independent. They require the unchanged board: after a change
    they raise `RuntimeError` until it is undone. The arrays do not change.

    Thread safety: may be shared by threads.
    """
    @property
    def color(self) -> int:
        """The color of the moves."""
    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Whether the rules allow the move: bool."""
    @property
    def reason(self) -> npt.NDArray[np.uint8]:
        """The verdict, as values of `wei7core.rules.Verdict`, 0 if legal: uint8."""
    @property
    def captured(self) -> npt.NDArray[np.int32]:
        """The number of stones of the opponent that the move would remove: int32."""
    @property
    def lost(self) -> npt.NDArray[np.int32]:
        """The number of stones of its own color that the move would remove by suicide, including itself, or 0:
        int32.
        """
    @property
    def hash(self) -> npt.NDArray[np.uint64]:
        """`Board.hash` after the move, 0 on occupied points: uint64."""
    @property
    def self_atari(self) -> npt.NDArray[np.bool_]:
        """Whether the block of the move would have exactly one liberty, after captures: bool."""
    @property
    def points(self) -> list[tuple[int, int]]:
        """The legal points, row by row, as a new list of (x, y)."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[tuple[int, int], Board]]: ...
    def __contains__(self, point: _Point, /) -> bool: ...
    def __getitem__(self, point: _Point, /) -> Board: ...
