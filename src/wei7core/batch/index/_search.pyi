from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = ["GameStore", "add_records", "order_hashes"]

@final
class GameStore:
    def __new__(cls, points: int, arrays: Sequence[npt.NDArray[Any]], has_setups: bool) -> GameStore: ...
    def summarise(
        self, first_stones: npt.NDArray[np.uint8], black: npt.NDArray[np.uint8], white: npt.NDArray[np.uint8]
    ) -> None: ...
    def find(
        self,
        forms: Sequence[tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], int, int, int, bool]],
        chosen: npt.NDArray[np.uint8] | None,
        max_move: int,
        to_play: int,
    ) -> bytes: ...
    def count_moves(
        self,
        hits: npt.NDArray[np.int32],
        placements: Sequence[tuple[npt.NDArray[np.int32], int, bool]],
        board: tuple[int, int],
        pattern: tuple[int, int],
        folded: npt.NDArray[np.int32],
        winners: npt.NDArray[np.uint8],
        counts: npt.NDArray[np.int64],
    ) -> None: ...

def add_records(
    columns: Mapping[str, npt.NDArray[Any]],
    moves: npt.NDArray[np.int64],
    size: tuple[int, int],
    empty_hash: int,
    counts: npt.NDArray[np.int64],
    codes: npt.NDArray[Any],
    hashes: npt.NDArray[np.uint64],
) -> tuple[int, bytes, bytes]: ...
def order_hashes(
    hashes: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
    buckets: npt.NDArray[np.uint32],
    hash_games: npt.NDArray[Any],
    keys: npt.NDArray[np.uint8],
) -> None: ...
