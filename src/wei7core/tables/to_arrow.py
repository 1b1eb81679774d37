"""Columns as Arrow arrays over the same buffers; requires pyarrow, which is imported on first use."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._util.lazy_numpy import np
from .columns import Boards, Column, ColumnData, Numbers, Texts

MISSING = "requires pyarrow: pip install 'wei7core[arrow]'"
"""The message if pyarrow is not installed."""


def pyarrow(module: str = "pyarrow") -> Any:
    """Return the module, or raise `ImportError` that names the extra."""
    try:
        # By name: pyarrow has no stubs, and few functions use it.
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"Arrow and Parquet {MISSING}") from error


def arrow_table(columns: Sequence[Column], data: Mapping[str, ColumnData]) -> Any:
    """Return the `pyarrow.Table` that `wei7core.tables.Table.to_arrow` describes."""
    library = pyarrow()
    arrays = []
    fields = []
    for column in columns:
        for name, array in _arrays(library, column.name, data[column.name]):
            arrays.append(array)
            fields.append(library.field(name, array.type, column.optional))
    return library.Table.from_arrays(arrays, schema=library.schema(fields))


def arrow_batch(columns: Sequence[Column], data: Mapping[str, ColumnData]) -> Any:
    """Return a `pyarrow.RecordBatch` over the same buffers, of the types of `arrow_schema`.

    Raises `ValueError` if a column has too much text for those.
    """
    library = pyarrow()
    schema = arrow_schema(columns)
    arrays = [array for column in columns for _, array in _arrays(library, column.name, data[column.name])]
    for field, array in zip(schema, arrays, strict=True):
        if array.type != field.type:
            raise ValueError(f"column {field.name!r} has more than 2 GiB of text: use smaller batches")
    return library.RecordBatch.from_arrays(arrays, schema=schema)


def arrow_schema(columns: Sequence[Column]) -> Any:
    """Return the `pyarrow.Schema` of tables of these columns that are not too large for `string` and `binary`."""
    library = pyarrow()
    fields = []
    for column in columns:
        if column.kind == "board":
            fields += [library.field(name, library.int32(), False) for name in ("width", "height")]
        types = {"text": "string", "board": "binary", "hash": "uint64", "number": "double", "integer": column.type}
        fields.append(library.field(column.name, library.type_for_alias(types[column.kind]), column.optional))
    return library.schema(fields)


def _arrays(library: Any, name: str, values: ColumnData) -> Iterator[tuple[str, Any]]:
    if isinstance(values, Numbers):
        yield name, _numbers(library, values.values, values.valid)
    elif isinstance(values, Texts):
        texts = values.in_utf8()
        narrow = texts.offsets.dtype == np.int32
        type = library.string() if narrow else library.large_string()
        yield name, _spans(library, type, texts.offsets, texts.data, texts.valid)
    else:
        yield from _boards(library, name, values)


def _boards(library: Any, name: str, values: Boards) -> Iterator[tuple[str, Any]]:
    yield "width", _numbers(library, values.widths, None)
    yield "height", _numbers(library, values.heights, None)
    narrow = values.offsets[-1] < 1 << 31
    offsets = values.offsets.astype(np.int32) if narrow else values.offsets
    yield name, _spans(library, library.binary() if narrow else library.large_binary(), offsets, values.data, None)


def _numbers(library: Any, values: np.ndarray[Any, Any], valid: np.ndarray[Any, Any] | None) -> Any:
    data = _bits(library, values) if values.dtype == bool else library.py_buffer(values)
    buffers = [_bits(library, valid), data]
    return library.Array.from_buffers(library.from_numpy_dtype(values.dtype), len(values), buffers)


def _spans(
    library: Any,
    type: Any,
    offsets: np.ndarray[Any, Any],
    data: np.ndarray[Any, Any],
    valid: np.ndarray[Any, Any] | None,
) -> Any:
    buffers = [_bits(library, valid), library.py_buffer(offsets), library.py_buffer(data)]
    return library.Array.from_buffers(type, len(offsets) - 1, buffers)


def _bits(library: Any, valid: np.ndarray[Any, Any] | None) -> Any:
    """Bools as bits, the first in the lowest one, as in a validity bitmap."""
    return None if valid is None else library.py_buffer(np.packbits(valid, bitorder="little"))
