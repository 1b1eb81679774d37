from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = ["CORNER_LISTS", "GameStore", "add_records", "count_moves", "find_boards", "find_patterns"]

CORNER_LISTS: int

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Form: TypeAlias = tuple[npt.NDArray[np.int32], _Bytes, int, int, int, bool, npt.NDArray[np.int32] | None]

@final
class GameStore:
    def __new__(
        cls,
        width: int,
        height: int,
        arrays: Sequence[npt.NDArray[Any]],
        has_setups: bool,
        corners: Sequence[npt.NDArray[Any]] = (),
    ) -> GameStore: ...
    def corner_histories(
        self, arrays: tuple[npt.NDArray[np.uint64], _Bytes, npt.NDArray[np.uint16], npt.NDArray[Any]]
    ) -> None: ...
    def summarise(self, first_stones: _Bytes, black: _Bytes, white: _Bytes) -> None: ...
    def order_hashes(
        self,
        winners: Callable[[], _Bytes],
        buckets: npt.NDArray[np.uint32],
        hash_games: npt.NDArray[Any],
        keys: _Bytes,
        jobs: int = 1,
        isa: int = ...,
        hash_bits: int = 64,
    ) -> list[list[bytes]]: ...

def add_records(
    columns: Mapping[str, npt.NDArray[Any]],
    runs: Mapping[str, npt.NDArray[Any]],
    moves: npt.NDArray[np.int64],
    size: tuple[int, int],
    counts: npt.NDArray[np.int64],
    codes: npt.NDArray[Any],
) -> tuple[int, bytes, bytes]: ...
def find_patterns(
    stores: Sequence[GameStore],
    forms: Sequence[_Form],
    chosen: Sequence[_Bytes] | None,
    max_move: int,
    to_play: int,
    contiguous: bool,
    first_group: int,
    begin: int = 0,
    end: int = 2147483647,
    found: Sequence[_Bytes] | None = None,
    corners: bytes = b"",
) -> bytes | int: ...
def find_boards(
    stores: Sequence[GameStore],
    forms: Sequence[_Form],
    hashes: npt.NDArray[np.uint64],
    canonical: Sequence[int],
    stones: int,
    chosen: Sequence[_Bytes] | None,
    max_move: int,
    to_play: int,
    contiguous: bool,
    with_common: bool,
) -> tuple[bytes, bytes, int]: ...
def count_moves(
    stores: Sequence[GameStore],
    winners: Sequence[_Bytes | None],
    hits: npt.NDArray[np.int32],
    answers: npt.NDArray[np.int32],
    placements: Sequence[tuple[npt.NDArray[np.int32], int, int, bool]],
    pattern: tuple[int, int],
    folded: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int64],
    values: Sequence[npt.NDArray[np.int64]] | None = None,
    sums: npt.NDArray[np.int64] | None = None,
) -> None: ...
