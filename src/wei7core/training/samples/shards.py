"""Training rows as files: .npz of the arrays, .npz as KataGo's self-play writes them (`katago_writer`), or Parquet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..._util.files import write_whole
from ..._util.lazy_numpy import Array
from ...tables.to_arrow import pyarrow
from .batch import SampleBatch


def shard_name(number: int, kind: str) -> str:
    """Return the name of the file of shard `number`."""
    return f"shard-{number:06d}.{'parquet' if kind == 'parquet' else 'npz'}"


def plain_arrays(batch: SampleBatch) -> dict[str, Array]:
    """Return the arrays of a batch that it has, by the names of its fields."""
    arrays = {item.name: getattr(batch, item.name) for item in fields(batch)}
    return {name: array for name, array in arrays.items() if array is not None}


def merged(batches: Iterator[SampleBatch], rows: int) -> Iterator[SampleBatch]:
    """Yield batches of `rows` rows each, the last one smaller, of smaller ones."""
    waiting: list[SampleBatch] = []
    for batch in batches:
        waiting.append(batch)
        while sum(map(len, waiting)) >= rows:
            whole = _joined(waiting)
            yield _part(whole, 0, rows)
            waiting = [_part(whole, rows, len(whole))] if len(whole) > rows else []
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[SampleBatch]) -> SampleBatch:
    if len(batches) == 1:
        return batches[0]
    first = plain_arrays(batches[0])
    arrays: dict[str, Any] = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in first}
    return replace(batches[0], **arrays)


def _part(batch: SampleBatch, begin: int, end: int) -> SampleBatch:
    arrays: dict[str, Any] = {name: array[begin:end] for name, array in plain_arrays(batch).items()}
    return replace(batch, **arrays)


def write_shard(path: str | os.PathLike[str], arrays: Mapping[str, Array]) -> None:
    """Write arrays with a row each to a file, .npz or .parquet, which appears whole. Raises `OSError`.

    A column of Parquet has numbers, or for arrays of more axes lists of them, row by row, and the shape of a row in its
    metadata. Raises `ImportError` without pyarrow.
    """
    with write_whole(path) as file:
        if not os.fspath(path).endswith(".parquet"):
            np.savez_compressed(file.buffer, **arrays)  # type: ignore[arg-type]  # no array is named allow_pickle
            return
        pa, parquet = pyarrow("pyarrow"), pyarrow("pyarrow.parquet")
        columns, items = [], []
        for name, array in arrays.items():
            flat = pa.array(array.reshape(-1))
            size = array[0].size if len(array) else 1
            column = flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, size)
            columns.append(column)
            shape = " ".join(map(str, array.shape[1:]))
            items.append(pa.field(name, column.type, nullable=False, metadata={"shape": shape} if shape else None))
        parquet.write_table(pa.Table.from_arrays(columns, schema=pa.schema(items)), file.buffer, compression="zstd")
