from collections.abc import Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..rules import Rules

__all__ = ["ChildBatch"]

@final
class ChildBatch:
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
    def is_wide(self) -> bool: ...
    def make_room(self) -> None: ...
    def read(
        self,
        data: npt.NDArray[np.uint8] | bytes,
        offsets: npt.NDArray[np.int64],
        packed: bool,
        begin: int,
        end: int,
    ) -> int: ...
    def keep(self, boards: Sequence[Board]) -> None: ...
    def lay_out(self) -> int: ...
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
    ) -> None: ...
