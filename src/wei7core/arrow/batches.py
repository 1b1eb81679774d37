"""Batches of other libraries: import, columns by name, columns to keep, and export as one batch."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from ..tables.to_arrow import pyarrow


def batches_of(data: Any) -> Any:
    """Return a `pyarrow.RecordBatchReader` over a batch of any library; raises `TypeError` for any other object."""
    library = pyarrow()
    if isinstance(data, library.RecordBatch):
        return library.RecordBatchReader.from_batches(data.schema, [data])
    if hasattr(data, "__arrow_c_stream__"):
        return library.RecordBatchReader.from_stream(data)
    if hasattr(data, "__arrow_c_array__"):
        batch = library.record_batch(data)
        return library.RecordBatchReader.from_batches(batch.schema, [batch])
    raise TypeError(f"expected a batch with __arrow_c_array__ or __arrow_c_stream__, got {type(data).__name__}")


def place_of(schema: Any, name: str) -> int:
    """Return the number of a column; raises `KeyError` if no column, or several, have the name."""
    places: list[int] = schema.get_all_field_indices(name)
    if len(places) != 1:
        reason = "no column" if not places else "several columns"
        raise KeyError(f"{reason} {name!r} in a batch of {', '.join(schema.names) or 'none'}")
    return places[0]


def column_of(batch: Any, name: str) -> Any:
    """Return a column as an array; raises as `place_of`."""
    return batch.column(place_of(batch.schema, name))


def with_kept(given: Any, keep: Sequence[str], schema: Any, replaced: Set[str]) -> Any:
    """Return a schema preceded by the columns of `given` to keep, except those that replace columns of its own.

    Raises `KeyError` for a missing column, `ValueError` for one whose name is that of another.
    """
    kept = [given.field(place_of(given, name)) for name in keep if name not in replaced]
    for field in kept:
        if field.name in schema.names:
            raise ValueError(f"column {field.name!r} is a column of the result and cannot be kept under this name")
    return pyarrow().schema([*kept, *schema])


def kept_columns(piece: Any, keep: Sequence[str], batch: Any, schema: Any) -> Any:
    """Return the rows of `batch` with the columns of `piece` to keep, as a batch of `schema`.

    Raises `ValueError` for null values in columns that allow none.
    """
    arrays = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name in keep:
        array = column_of(piece, name)
        if name in arrays:
            if array.null_count:
                raise ValueError(f"column {name!r} has null values")
            array = array.cast(schema.field(name).type)
        arrays[name] = array
    return pyarrow().RecordBatch.from_arrays([arrays[name] for name in schema.names], schema=schema)


def joined_batches(batches: list[Any], schema: Any) -> Any:
    """Return the rows of all batches, any number of them, as one."""
    if len(batches) == 1:
        return batches[0]
    library = pyarrow()
    arrays = []
    for number, field in enumerate(schema):
        chunks = [batch.column(number) for batch in batches]
        arrays.append(library.concat_arrays(chunks) if chunks else library.nulls(0, field.type))
    return library.RecordBatch.from_arrays(arrays, schema=schema)
