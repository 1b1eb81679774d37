from collections.abc import Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..rules import Rules

__all__ = ["ChildBatch"]

@final
class ChildBatch:
    """Positions whose children are wanted, in memory of its own.

    `sizes` lists (width, height), and position k has size `which[k]`, moves of `colors[k]`, and `kos[k]`, the number
    (row by row) of the point that simple ko forbids, or -1. First `read` or `keep` gives each position its stones, then
    `lay_out` its rows, then `write` fills them. `isa` chooses the instruction set: all give the same rows.

    Raises `BoardSizeError` for sizes that no board has, and `MemoryError`. Thread safety: threads may call `read`, and
    then `write`, for different positions at once.
    """
    def __new__(
        cls,
        sizes: Sequence[tuple[int, int]],
        which: npt.NDArray[np.int32],
        colors: npt.NDArray[np.uint8],
        kos: npt.NDArray[np.int64],
        rules: Rules | str,
        isa: int = ...,
    ) -> ChildBatch: ...
    @property
    def is_wide(self) -> bool:
        """Whether a board has more than 32,767 points, so that numbers of points have 4 bytes, not 2."""
    def make_room(self) -> None:
        """Make room for the stones of positions that are no boards, before they are read."""
    def read(
        self,
        data: npt.NDArray[np.uint8] | bytes,
        offsets: npt.NDArray[np.int64],
        packed: bool,
        begin: int,
        end: int,
    ) -> int:
        """Read the stones of positions `begin` up to `end`; return the number of one that is wrong, or -1.

        Position k is bytes `offsets[k]` up to `offsets[k + 1]` of `data`: two bits a point if they are packed, else a
        byte a point.
        """
    def keep(self, boards: Sequence[Board]) -> None:
        """Take the positions of boards, with their moves; each is locked while it is copied."""
    def lay_out(self) -> int:
        """Give each position its rows, once all are read, and return how many there are.

        Raises `ValueError` where a ko point is no empty point of its position.
        """
    def write(
        self,
        parent: npt.NDArray[np.int32],
        x: npt.NDArray[Any],
        y: npt.NDArray[Any],
        legal: npt.NDArray[np.bool_],
        reason: npt.NDArray[np.uint8],
        captured: npt.NDArray[Any],
        lost: npt.NDArray[Any],
        hash: npt.NDArray[np.uint64],
        self_atari: npt.NDArray[np.bool_],
        begin: int,
        end: int,
        is_zero: bool,
    ) -> None:
        """Write the rows of positions `begin` up to `end` to arrays with an element for each row of all.

        They are of the types of `wei7core.batch.expansion.CHILD_COLUMNS`. `is_zero`: what is mostly 0 is 0 already,
        `reason`, `captured`, `lost` and `self_atari`.
        """
