"""Arrays of .npz files, some rows at a time, without pickles."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any, Final

import numpy as np

from .._util.lazy_numpy import Array
from ..errors import TrainingFileError

_BYTES_AT_ONCE: Final = 1 << 26
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What reading a damaged zip raises: also for other methods and passwords."""


@dataclass(frozen=True, slots=True)
class ArrayLayout:
    """The layout of an array: the name of its dtype, and the number of its axes, the first of which are the rows."""

    dtype: str
    axes: int


class NpzRows:
    """The selected arrays of an .npz file; others are not read.

    `layouts` defines what they must be, and `shapes` what they are. Raises `TrainingFileError` where the file is no
    .npz, an array is missing, is no array of numbers (nothing is unpickled), or is something else than its layout,
    and where they have different numbers of rows. A context manager. Thread safety: one thread at a time.
    """

    def __init__(
        self, source: str | os.PathLike[str] | IO[bytes], name: str | None, layouts: Mapping[str, ArrayLayout]
    ):
        self._name = name
        self._stack = ExitStack()
        self._members: dict[str, IO[bytes]] = {}
        self._dtypes: dict[str, np.dtype[Any]] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        try:
            self._open(source, layouts)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> NpzRows:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return next(iter(self.shapes.values()))[0]

    def error(self, message: str, array: str = "", row: int | None = None) -> TrainingFileError:
        """The error in an array."""
        return TrainingFileError(message, source=self._name, row=row, place=array)

    def parts(self, rows: int) -> Iterator[dict[str, Array]]:
        """Yield the arrays, at most `rows` rows at a time, fewer where those take much memory.

        Raises `TrainingFileError` too where one row alone takes more than 64 MiB.
        """
        size = sum(map(self._row_bytes, self.shapes))
        if size > _BYTES_AT_ONCE:
            raise self.error(f"a row takes {size} bytes, more than the {_BYTES_AT_ONCE} that are read at once")
        rows = max(1, min(rows, _BYTES_AT_ONCE // max(1, size)))
        for begin in range(0, len(self), rows):
            count = min(rows, len(self) - begin)
            yield {name: self._rows(name, begin, count) for name in self.shapes}

    def _open(self, source: str | os.PathLike[str] | IO[bytes], layouts: Mapping[str, ArrayLayout]) -> None:
        try:
            archive = self._stack.enter_context(zipfile.ZipFile(source))
        except _DAMAGE as error:
            raise self.error(f"not an .npz file: {error}") from None
        there = set(archive.namelist())
        for name, layout in layouts.items():
            if f"{name}.npy" not in there:
                raise self.error("the file has no such array", name)
            try:
                member = self._stack.enter_context(archive.open(f"{name}.npy"))
                shape, fortran, dtype = _header(member)
            except (OSError, MemoryError):
                raise
            except Exception as error:  # NumPy reads headers as Python, and raises what its parser and tokenizer raise
                reason = " ".join(str(error).split())
                raise self.error(f"the array cannot be read: {reason}", name) from None
            if dtype.hasobject:
                raise self.error("the array holds Python objects, which are never unpickled", name)
            if dtype.name != layout.dtype or len(shape) != layout.axes or fortran:
                order = ", columns first" if fortran else ""
                raise self.error(
                    f"the array is {dtype.name} of shape {shape}{order}, not {layout.dtype} with {layout.axes} axes",
                    name,
                )
            self._members[name], self._dtypes[name], self.shapes[name] = member, dtype, shape
        if len({shape[0] for shape in self.shapes.values()}) > 1:
            rows = ", ".join(f"{name} {shape[0]}" for name, shape in self.shapes.items())
            raise self.error(f"the arrays have different numbers of rows: {rows}")

    def _row_bytes(self, name: str) -> int:
        size = self._dtypes[name].itemsize
        for length in self.shapes[name][1:]:
            size *= length
        return size

    def _rows(self, name: str, begin: int, count: int) -> Array:
        size = self._row_bytes(name)
        try:
            data = self._members[name].read(size * count)
        except _DAMAGE as error:
            raise self.error(f"the array cannot be read: {error}", name, begin) from None
        if len(data) < size * count:
            raise self.error("the array ends too early", name, begin + (len(data) // size if size else 0))
        dtype = self._dtypes[name]
        array = np.frombuffer(data, dtype).reshape(count, *self.shapes[name][1:])
        return array.astype(dtype.newbyteorder("="), copy=False)


def _header(member: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and dtype, from the header of an .npy file."""
    version = np.lib.format.read_magic(member)
    if version != (1, 0):  # the others are for headers of more than 64 KiB
        raise ValueError(f"version {version[0]}.{version[1]} of the .npy format is not read, only 1.0")
    return np.lib.format.read_array_header_1_0(member)
