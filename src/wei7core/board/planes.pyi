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
) -> _Array:
    """Return positions as planes of 0 and 1 for a network: `(planes, height, width)`, or `(n, planes, height, width)`.

    `positions` is a `Board` or `Position`, or for the second shape a sequence of them, all of one size. `to_play` is
    the color whose stones are "own": one for all, or a sequence of one for each; None takes that of the `Position`.
    The planes, 10 + 2 * history:

    - 0, 1, 2: own stones, the opponent's, empty points
    - 3, 4, 5: own stones whose block has 1, 2, and 3 or more liberties
    - 6, 7, 8: the same of the opponent
    - 9: the point where `to_play` may not retake a ko at once: found from the last move of a `Board`; of a `Position`
      it is its `ko`, if its `to_play` is that color - 10 + 2 * i, 11 + 2 * i: own stones and the opponent's before the
      last i + 1 moves of a `Board`; 0 if it has fewer moves in force, and for a `Position`, which has none

    `features="alphago-zero"` gives the 17 planes of that network instead, and `history` stays 0: planes 2 * i and
    2 * i + 1 are own stones and the opponent's i moves before, i from 0 to 7, and plane 16 is 1 where Black is to play.

    `dtype` is `uint8` (the default) or `float32`. `out`, an array of that shape and one of these types, C-contiguous,
    aligned and writable, is filled and returned without allocating memory for the result.

    Raises `ValueError` for no positions, other sizes, colors or shapes, and `TypeError` for other objects.
    Thread safety: each board is locked while it is read. The planes are made without the GIL; `out` is the caller's
    until then.
    """
