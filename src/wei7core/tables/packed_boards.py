"""Positions in tables: packed boards of two bits a point, and their conversion."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from .._util.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

_POINTS_A_BYTE: Final = 4
_CODES: Final = bytes.maketrans(b".XO", b"\0\1\2")
_LETTERS: Final = bytes.maketrans(b"\0\1\2\3", b".XO?")


@functools.cache
def _shifts() -> npt.NDArray[np.uint8]:
    return np.arange(0, 8, 2, dtype=np.uint8)


@functools.cache
def _points() -> npt.NDArray[np.uint8]:
    """The four points of every byte, one byte each, the first in the lowest two bits."""
    points: npt.NDArray[np.uint8] = (np.arange(256, dtype=np.uint8)[:, None] >> _shifts()) & np.uint8(3)
    return points


def packed_size(width: Any, height: Any) -> Any:
    """Return the bytes of a packed board of `width` times `height` points; numbers or arrays of them."""
    return (width * height + _POINTS_A_BYTE - 1) // _POINTS_A_BYTE


def pack_letters(letters: str) -> bytes:
    """Return a position, one letter a point (`.`, `X`, `O`), as packed bytes. Thread safe."""
    codes = np.frombuffer(letters.encode("ascii").translate(_CODES), np.uint8)
    fours = np.pad(codes, (0, -len(codes) % _POINTS_A_BYTE)).reshape(-1, _POINTS_A_BYTE)
    packed: npt.NDArray[np.uint8] = np.bitwise_or.reduce(fours << _shifts(), axis=1, dtype=np.uint8)
    return packed.tobytes()


def letters_of(packed: bytes, area: int) -> str:
    """Return the `area` points of a packed board as letters. Thread safe."""
    points = _points()[np.frombuffer(packed, np.uint8)].reshape(-1)[:area]
    return points.tobytes().translate(_LETTERS).decode("ascii")


def unpack_boards(packed: Any, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Return packed boards of `width` times `height` points as an array of shape (n, height, width).

    Values are `wei7core.EMPTY`, `BLACK` and `WHITE`. `packed` holds n boards of k = (width * height + 3) // 4 bytes: an
    array of bytes of shape (n, k) or (n * k,), such as the column `board` of positions, or anything that has the buffer
    protocol, a sequence of bytes, or a column of bytes of pyarrow or polars. Points go row by row from the top left,
    four a byte, the first in the lowest two bits: 0 is an empty point, 1 a black stone, 2 a white one; bits after the
    last point are 0.

    Raises `ValueError` if `packed` is not a whole number of boards of that size or has an empty row, or if `width` or
    `height` is below 1. Thread safe.
    """
    if width < 1 or height < 1:
        raise ValueError(f"expected a width and a height of at least 1, got {width} x {height}")
    for to_list in ("to_pylist", "to_list"):  # columns of pyarrow and of polars
        if hasattr(packed, to_list):
            packed = getattr(packed, to_list)()
            if any(board is None for board in packed):
                raise ValueError("a row of the column has no board")
            break
    if isinstance(packed, Sequence) and not isinstance(packed, (bytes, bytearray, memoryview)):
        packed = b"".join(packed)
    if isinstance(packed, np.ndarray) and packed.dtype == object:
        packed = b"".join(packed.tolist())
    data = np.ascontiguousarray(packed) if isinstance(packed, np.ndarray) else np.frombuffer(packed, np.uint8)
    size = int(packed_size(width, height))
    if data.dtype != np.uint8 or data.size % size or (data.ndim > 1 and data.shape[-1] != size):
        raise ValueError(f"packed boards of {width} times {height} points have {size} bytes each")
    points: npt.NDArray[np.uint8] = _points()[data.reshape(-1, size)].reshape(-1, size * _POINTS_A_BYTE)
    points = np.ascontiguousarray(points[:, : width * height])
    if (points == 3).any():
        raise ValueError("a packed board has a point that is neither empty nor a stone")
    return points.reshape(-1, height, width)
