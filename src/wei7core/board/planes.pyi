from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from .board import Board
from .position import Position

__all__ = ["PLANES", "to_planes"]

_Array = TypeVar("_Array", npt.NDArray[np.uint8], npt.NDArray[np.float32])

PLANES: Final[tuple[str, ...]]

@overload
def to_planes(
    positions: Board | Position | Iterable[Board | Position],
    to_play: SupportsIndex | Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]] | None = None,
    *,
    history: SupportsIndex = 0,
    features: Literal["alphago-zero"] | None = None,
    dtype: None = None,
    out: None = None,
) -> npt.NDArray[np.uint8]: ...
@overload
def to_planes(
    positions: Board | Position | Iterable[Board | Position],
    to_play: SupportsIndex | Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]] | None = None,
    *,
    history: SupportsIndex = 0,
    features: Literal["alphago-zero"] | None = None,
    dtype: npt.DTypeLike,
    out: None = None,
) -> npt.NDArray[Any]: ...
@overload
def to_planes(
    positions: Board | Position | Iterable[Board | Position],
    to_play: SupportsIndex | Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]] | None = None,
    *,
    history: SupportsIndex = 0,
    features: Literal["alphago-zero"] | None = None,
    dtype: npt.DTypeLike | None = None,
    out: _Array,
) -> _Array: ...
