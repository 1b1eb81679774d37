"""Training rows as files: .npz of the arrays, .npz as KataGo's self-play writes them, or Parquet.

Source of KataGo's layout: cpp/dataio/trainingwrite.h of https://github.com/lightvector/KataGo, the comments of
`TrainingWriteBuffers`, version 2 of the rows (64 channels of targets). Values that records of games lack have weight 0:
the search, ownership, score, lead, and the positions to come. A policy is the move that was played, with weight 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..._util.files import write_whole
from ...tables.to_arrow import pyarrow
from .batch import SampleBatch

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SHARD_FORMATS", "katago_arrays", "merged", "plain_arrays", "shard_name", "write_shard"]

Array: TypeAlias = "npt.NDArray[Any]"

SHARD_FORMATS: Final = ("katago", "npz", "parquet")

_TARGETS: Final = 64
_SCORE_RADIUS: Final = 60
"""Points more than the board has that a score may be: EXTRA_SCORE_DISTR_RADIUS of KataGo."""
_HASH_BITS: Final = (22, 22, 20, 22, 22, 20)


def shard_name(number: int, kind: str) -> str:
    """Return the name of the file of shard `number`."""
    return f"shard-{number:06d}.{'parquet' if kind == 'parquet' else 'npz'}"


def plain_arrays(batch: SampleBatch) -> dict[str, Array]:
    """Return the arrays of a batch that it has, by the names of its fields."""
    arrays = {item.name: getattr(batch, item.name) for item in fields(batch)}
    return {name: array for name, array in arrays.items() if array is not None}


def katago_arrays(batch: SampleBatch, width: int, height: int, *, territory: bool) -> dict[str, Array]:
    """Return a batch of features "katago-v7" as bits, with globals, as the arrays of a file of KataGo."""
    count, points = len(batch), width * height
    assert batch.globals is not None
    rows = np.arange(count)
    policy = np.zeros((count, 2, points + 1), np.int16)
    policy[rows, 0, batch.policy] = 1
    policy[:, 1] = 1  # of no weight, but KataGo requires a distribution
    targets = np.zeros((count, _TARGETS), np.float32)
    has_value = ~np.isnan(batch.value)
    win = np.where(has_value, (np.nan_to_num(batch.value) + 1) / 2, 0.5)
    for channel in range(0, 20, 4):
        targets[:, channel], targets[:, channel + 1] = win, 1 - win
    targets[:, 24] = 1  # no weight of later positions
    targets[:, 25] = targets[:, 26] = 1
    targets[:, 35] = ~has_value
    targets[:, 36:41] = 1
    targets[:, 41:47] = _game_hashes(batch.game)
    targets[:, 47] = batch.globals[:, 5] * 20
    targets[:, 48] = not territory
    targets[:, 51] = batch.move_number
    targets[:, 55] = 4  # a position of an external record
    targets[:, 60] = 1
    targets[:, 62] = has_value & np.isin(win, (0, 1))
    targets[:, 63] = 2
    scores = np.zeros((count, 2 * (points + _SCORE_RADIUS)), np.int8)
    scores[:, points + _SCORE_RADIUS] = 100
    return {
        "binaryInputNCHWPacked": batch.planes,
        "globalInputNC": batch.globals,
        "policyTargetsNCMove": policy,
        "globalTargetsNC": targets,
        "scoreDistrN": scores,
        "valueTargetsNCHW": np.zeros((count, 5, height, width), np.int8),
    }


def _game_hashes(games: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """128 bits that name each game, in parts that floats hold."""
    words = []
    for salt in (1, 2):
        with np.errstate(over="ignore"):
            z = games.astype(np.uint64) * np.uint64(2) + np.uint64(salt)
            z *= np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            words.append(z ^ (z >> np.uint64(31)))
    parts, shift = [], 0
    for k, bits in enumerate(_HASH_BITS):
        parts.append((words[k // 3] >> np.uint64(shift)) & np.uint64((1 << bits) - 1))
        shift = 0 if k == 2 else shift + bits
    return np.stack(parts, axis=1).astype(np.float32)


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
            np.savez_compressed(file.buffer, **arrays)  # type: ignore[arg-type]
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
