"""The values of an Arrow column of texts or bytes: their ranges in its buffers, without a copy. Requires pyarrow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from .._util.lazy_numpy import Array
from ..tables.to_arrow import pyarrow

_NOTHING: Final = memoryview(b"")
_VIEW: Final = np.dtype([("size", "i4"), ("head", "V4"), ("buffer", "i4"), ("offset", "i4")])
_MOST_IN_VIEW: Final = 12  # longer values are in a data buffer, whose number and offset the view contains


@dataclass(frozen=True, slots=True)
class Values:
    """Value k is bytes `begins[k]` up to `ends[k]` (int64) of `buffers[places[k]]`; `valid` marks the present ones, or
    is None.

    Every range is within its buffer; those of absent values are otherwise arbitrary. `is_text`: the bytes are UTF-8.
    """

    buffers: tuple[memoryview, ...]
    places: Array
    begins: Array
    ends: Array
    valid: Array | None
    is_text: bool

    def __len__(self) -> int:
        return len(self.begins)

    def taken(self, numbers: Array) -> Values:
        """Return the values with these numbers, in their order."""
        valid = None if self.valid is None else self.valid[numbers]
        places, begins, ends = self.places[numbers], self.begins[numbers], self.ends[numbers]
        return Values(self.buffers, places, begins, ends, valid, self.is_text)


def values_of(array: Any) -> Values:
    """Return the ranges of the values of a `pyarrow.Array`.

    It may be of any type of strings or bytes: with offsets of 32 or 64 bits, views, of a fixed size, a dictionary or
    runs of them, an extension of those, or all null. Slices are read where they are. Raises `TypeError` for another
    type, and `ValueError` for an array with values outside its buffers.
    """
    types = pyarrow("pyarrow.types")
    type = array.type
    if isinstance(array, pyarrow().ExtensionArray):
        return values_of(array.storage)
    if types.is_dictionary(type):
        return _of_dictionary(array)
    if types.is_run_end_encoded(type):
        ends = np.asarray(array.run_ends).astype(np.int64) - array.offset
        places = np.searchsorted(ends, np.arange(len(array)), "right")
        return values_of(array.values).taken(places)
    if types.is_null(type):
        nothing = np.zeros(len(array), np.int64)
        return Values((_NOTHING,), nothing, nothing, nothing, np.zeros(len(array), bool), False)
    is_text = types.is_string(type) or types.is_large_string(type)
    if is_text or types.is_binary(type) or types.is_large_binary(type):
        return _of_offsets(array, types.is_large_string(type) or types.is_large_binary(type), is_text)
    if types.is_fixed_size_binary(type):
        begins = (np.arange(len(array), dtype=np.int64) + array.offset) * type.byte_width
        return _checked(array, [array.buffers()[1]], None, begins, begins + type.byte_width, False)
    if type in _views():
        return _of_views(array, str(type) == "string_view")
    raise TypeError(f"expected a column of strings or bytes, got {type}")


def _views() -> tuple[Any, ...]:
    """The types of views, which old versions of pyarrow lack."""
    library = pyarrow()
    return tuple(getattr(library, name)() for name in ("string_view", "binary_view") if hasattr(library, name))


def _of_offsets(array: Any, is_large: bool, is_text: bool) -> Values:
    _, offsets, data = array.buffers()
    if len(array) == 0:
        return _checked(array, [None], None, np.zeros(0, np.int64), np.zeros(0, np.int64), is_text)
    dtype = np.dtype(np.int64 if is_large else np.int32)
    bounds = _numbers(offsets, dtype, array.offset, len(array) + 1).astype(np.int64)
    return _checked(array, [data], None, bounds[:-1], bounds[1:], is_text)


def _of_views(array: Any, is_text: bool) -> Values:
    _, own, *others = array.buffers()
    views = _numbers(own, _VIEW, array.offset, len(array))
    sizes = views["size"].astype(np.int64)
    # Short values follow their size in the view itself.
    within = (np.arange(len(array), dtype=np.int64) + array.offset) * _VIEW.itemsize + 4
    is_short = sizes <= _MOST_IN_VIEW
    begins = np.where(is_short, within, views["offset"])
    return _checked(
        array,
        [own, *others],
        np.where(is_short, 0, views["buffer"].astype(np.int64) + 1),
        begins,
        begins + sizes,
        is_text,
    )


def _of_dictionary(array: Any) -> Values:
    library = pyarrow()
    indices = array.indices
    valid = None
    if indices.null_count:
        valid = np.asarray(indices.is_valid())
        indices = indices.fill_null(library.scalar(0, indices.type))
    values = values_of(array.dictionary)
    if len(values) == 0:  # no number then matches a value
        values = replace(values_of(library.nulls(1)), is_text=values.is_text)
    numbers = np.asarray(indices).astype(np.int64)
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(values)):
        raise ValueError("a value of the column is not in its dictionary")
    found = values.taken(numbers)
    if valid is None:
        return found
    return replace(found, valid=valid if found.valid is None else valid & found.valid)


def _numbers(buffer: Any, dtype: np.dtype[Any], offset: int, count: int) -> Array:
    size = 0 if buffer is None else buffer.size
    if size < (offset + count) * dtype.itemsize:
        raise ValueError("the column has fewer values than its length")
    if count == 0:
        return np.zeros(0, dtype)
    return np.frombuffer(buffer, dtype, count, offset * dtype.itemsize)


def _checked(array: Any, buffers: list[Any], places: Array | None, begins: Array, ends: Array, is_text: bool) -> Values:
    """The values, checked to be within their buffers: the array may be invalid."""
    valid = np.asarray(array.is_valid()) if array.null_count else None
    if valid is not None:
        begins, ends = np.where(valid, begins, 0), np.where(valid, ends, 0)
    if places is None:
        places = np.zeros(len(begins), np.int64)
    elif valid is not None:
        places = np.where(valid, places, 0)
    views = tuple(_NOTHING if buffer is None else memoryview(buffer) for buffer in buffers)
    sizes = np.array([len(view) for view in views], np.int64)
    if len(begins) and (places.min() < 0 or places.max() >= len(views)):
        raise ValueError("a value of the column names a buffer that does not exist")
    if ((begins < 0) | (ends < begins) | (ends > sizes[places])).any():
        raise ValueError("a value of the column exceeds its buffer")
    return Values(views, places, begins, ends, valid, is_text)
