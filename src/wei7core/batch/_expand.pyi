from collections.abc import Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..rules import Rules

__all__ = ["ChildBatch"]

__all__ += ["MOST_BOARD_MOVES", "Boards", "boards_fit"]

MOST_BOARD_MOVES: int

def boards_fit(width: int, height: int) -> bool:
    """Whether a batch can have boards of this size."""

@final
class Boards:
    """`count` boards of one size, which play and score by `rules`.

    Every method works on boards `begin` up to `end`, and writes elements or rows `begin` up to `end` of the arrays,
    which are contiguous and have an element or a row for each board.

    Raises `MemoryError`, and `ValueError` for sizes that do not fit. Thread safety: threads may call the methods for
    different boards at once.
    """
    def __new__(
        cls,
        count: int,
        width: int,
        height: int,
        rules: Rules | str,
        *,
        komi: float,
        passes: int,
        last_pass: int,
        is_territory: bool,
        tie: int,
        move_limit: int,
        isa: int = ...,
    ) -> Boards: ...
    @property
    def count(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    def step(
        self,
        actions: npt.NDArray[np.int32],
        legal: npt.NDArray[Any] | None,
        planes: npt.NDArray[np.uint8] | None,
        done: npt.NDArray[Any],
        rewards: npt.NDArray[np.float32],
        margins: npt.NDArray[np.float64],
        errors: npt.NDArray[np.uint8],
        lengths: npt.NDArray[np.int32],
        resets: bool,
        begin: int,
        end: int,
    ) -> None:
        """Play a move on each board: int32 actions; uint8 legal, planes, done, errors; float32 rewards, float64
        margins, int32 lengths. `legal` and `planes` may be None.
        """
    def clear(self, chosen: npt.NDArray[np.uint8], begin: int, end: int) -> None:
        """Make boards empty, those where `chosen`, uint8, is not 0."""
    def undo(self, chosen: npt.NDArray[np.uint8], undone: npt.NDArray[Any], begin: int, end: int) -> None:
        """Take the last move back of boards where `chosen`, uint8, is not 0; `undone`, uint8: where there was one."""
    def legal(self, out: npt.NDArray[Any], begin: int, end: int) -> None:
        """Write where a move is legal, the pass last: uint8."""
    def planes(self, out: npt.NDArray[np.uint8], begin: int, end: int) -> None:
        """Write the planes of AlphaGo Zero: uint8."""
    def stones(self, out: npt.NDArray[np.uint8], begin: int, end: int) -> None:
        """Write the color of every point: uint8."""
    def count_points(
        self,
        margins: npt.NDArray[np.float64],
        owners: npt.NDArray[np.uint8] | None,
        is_territory: bool,
        begin: int,
        end: int,
    ) -> None:
        """Write the margin of Black, float64, and unless `owners` is None the owner of each point, uint8."""
    def state(
        self,
        hashes: npt.NDArray[np.uint64] | None,
        to_play: npt.NDArray[np.uint8] | None,
        done: npt.NDArray[Any] | None,
        captured: npt.NDArray[np.int32] | None,
        move_counts: npt.NDArray[np.int32] | None,
    ) -> None:
        """Write what all boards know: uint64, uint8, uint8, int32 for each color, int32. Any may be None."""
    def moves(self, index: int) -> list[int]:
        """The moves in force of a board, as numbers of points."""
    def gather(self, origin: Boards, indices: npt.NDArray[np.int64]) -> None:
        """Copy boards of others that play by the same rules to these: that of int64 index k to board k."""

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
