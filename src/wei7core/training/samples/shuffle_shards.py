"""Rows of many files in random order, with little memory: an external shuffle in two passes.

The first pass distributes the rows of each file to buckets, files of bare rows. The second one reads a bucket, which
fits into memory, puts its rows in random order and cuts them into shards. Both save their progress, so that a killed
run can be resumed; the random generator is seeded by the seed and the number of the file or bucket, so that the output
is the same.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..._util.files import write_whole
from ..._util.lazy_numpy import Array
from ..._util.numbers import integer
from .shards import shard_name, write_shard

if TYPE_CHECKING:
    import numpy.typing as npt

Rows: TypeAlias = Mapping[str, Array]

_NOTE: Final = "progress.json"
_MOST_BUCKETS: Final = 4096
_ROWS_AT_ONCE: Final = 1 << 16


def shuffle_shards(
    sources: str | os.PathLike[str] | Rows | Iterable[str | os.PathLike[str] | Rows],
    target: str | os.PathLike[str],
    *,
    rows: int = 20_000,
    seed: int = 1,
    memory: int = 1 << 30,
    total: int | None = None,
    compressed: bool = True,
) -> int:
    """Write the rows of `sources` to .npz shards of `rows` rows each in the folder `target`, in random order.

    `sources`: .npz files, or mappings of arrays with a row each, all with the same names, types and shapes, or one of
    these; an iterable that is not a sequence is read again from its start when a run is resumed. `memory`: bytes that
    rows may take at once, in addition to those of one source and a few copies of a shard; `total`: rows of all sources,
    by which buckets are made where it is known, else by the first source times their number; buckets that become too
    large are split again. `compressed`: shards are compressed. The folder `target` holds the buckets, as large as all
    rows, until all shards are there. The same sources and arguments give the same bytes.

    A killed run is resumed by a call with the same arguments. Returns the number of shards.

    Raises `ValueError` for arguments that do not fit, sources that differ, and a folder of another run, `TypeError` for
    numbers that are no integers, and `OSError`.
    """
    rows, memory, seed = integer("rows", rows), integer("memory", memory), integer("seed", seed)
    total = None if total is None else integer("total", total)
    if rows < 1 or memory < 1 or (total is not None and total < 1):
        raise ValueError("rows, memory and total must be at least 1")
    if isinstance(sources, (str, os.PathLike, Mapping)):
        sources = [sources]
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    deal = _BucketPass(folder / "buckets", {"rows": rows, "seed": seed, "memory": memory, "total": total})
    if not (folder / _NOTE).exists():
        # A shard without a note would pass for one of this run.
        if any(folder.glob(shard_name(0, "npz"))):
            raise ValueError(f"{folder} has shards of another run")
        deal.run(sources)
        _write_note(folder / _NOTE, {"options": deal.options, "sizes": deal.sizes, "row": deal.row})
    note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
    if note["options"] != deal.options:
        raise ValueError(f"{folder} has the shards of other arguments: {note['options']}")
    count: int = sum(note["sizes"])
    shards = -(-count // rows)
    for number, found in enumerate(_shards_of(deal.folder, note, rows, seed, folder)):
        if found is not None:
            _write(folder / shard_name(number, "npz"), found, compressed=compressed)
    shutil.rmtree(deal.folder, ignore_errors=True)
    return shards


class _BucketPass:
    """The first pass: distributes the rows of sources to files."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self.folder, self.options = folder, options
        self.sizes: list[int] = []
        self.row: list[tuple[str, str, list[int]]] = []
        self.done = 0

    def run(self, sources: Iterable[str | os.PathLike[str] | Rows]) -> None:
        note = self.folder / _NOTE
        if note.exists():
            self._resume(json.loads(note.read_text(encoding="utf-8")))
        else:
            # A run that was killed within its first source has rows here that no note counts.
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
        several = len(sources) if isinstance(sources, Sequence) else 1
        for number, source in enumerate(sources):
            if number < self.done:
                continue
            arrays = _arrays(source)
            self._take_kind(arrays, several)
            self._deal(arrays, number)
            self.done = number + 1
            _write_note(note, {"options": self.options, "sizes": self.sizes, "row": self.row, "done": self.done})

    def _resume(self, note: dict[str, Any]) -> None:
        if note["options"] != self.options:
            raise ValueError(f"{self.folder} has the buckets of other arguments: {note['options']}")
        self.sizes, self.done = note["sizes"], note["done"]
        self.row = [(name, kind, shape) for name, kind, shape in note["row"]]
        size = _dtype(self.row).itemsize
        for bucket, rows in enumerate(self.sizes):
            path = self.folder / f"{bucket:04d}"
            if path.exists():
                os.truncate(path, rows * size)

    def _take_kind(self, arrays: Rows, sources: int) -> None:
        row = [(name, array.dtype.str, list(array.shape[1:])) for name, array in sorted(arrays.items())]
        if self.row and row != self.row:
            raise ValueError(f"source {self.done} has other arrays than those before: {row}")
        if not self.row:
            kind = _dtype(row)
            if kind.hasobject or not kind.itemsize:
                raise ValueError(f"rows are numbers or texts of a fixed size, not {kind}")
            self.row = row
            count = self.options["total"] or len(next(iter(arrays.values()))) * sources
            # A bucket is read whole, and its rows are copied once in their new order.
            buckets = math.ceil(3 * count * kind.itemsize / self.options["memory"])
            self.sizes = [0] * min(max(buckets, 1), _MOST_BUCKETS)

    def _deal(self, arrays: Rows, number: int) -> None:
        count = len(next(iter(arrays.values())))
        chance = _random(self.options["seed"], 2 * number)
        buckets = chance.integers(len(self.sizes), size=count, dtype=np.uint32)
        step = _rows_at_once(_dtype(self.row), self.options["memory"])
        for begin in range(0, count, step):
            part = {name: array[begin : begin + step] for name, array in arrays.items()}
            _deal_rows(self.folder, _packed(part, self.row), buckets[begin : begin + step], self.sizes)


def _random(seed: int, number: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=np.array([seed % 2**64, number], np.uint64)))


def _rows_at_once(kind: np.dtype[np.void], memory: int) -> int:
    return max(1, min(_ROWS_AT_ONCE, memory // (4 * kind.itemsize)))


def _deal_rows(folder: Path, packed: Array, buckets: Array, sizes: list[int]) -> None:
    """Append rows to the files of their buckets, and count them."""
    order = np.argsort(buckets, kind="stable")
    ends = np.cumsum(np.bincount(buckets, minlength=len(sizes)))
    first = 0
    for bucket, end in enumerate(ends.tolist()):
        if end > first:
            with (folder / f"{bucket:04d}").open("ab") as file:
                file.write(packed[order[first:end]].data)
            sizes[bucket] += end - first
        first = end


def _shuffled(
    path: Path, size: int, kind: np.dtype[np.void], chance: np.random.Generator, memory: int
) -> Iterator[Any]:
    """Yield rows of a bucket and the order they come in; in parts, dealt out once more, where it is too large."""
    parts = min(math.ceil(3 * size * kind.itemsize / memory), _MOST_BUCKETS)
    if parts < 2:
        yield np.fromfile(path, kind), chance.permutation(size)
        return
    folder = path.with_name(f"{path.name}-parts")
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
    folder.mkdir()
    sizes = [0] * parts
    with path.open("rb") as file:
        while len(rows := np.fromfile(file, kind, _rows_at_once(kind, memory))):
            _deal_rows(folder, rows, chance.integers(parts, size=len(rows), dtype=np.uint32), sizes)
    for part, count in enumerate(sizes):
        name = folder / f"{part:04d}"
        yield np.fromfile(name, kind) if count else np.empty(0, kind), chance.permutation(count)
        name.unlink(missing_ok=True)
    folder.rmdir()


def _shards_of(buckets: Path, note: dict[str, Any], rows: int, seed: int, target: Path) -> Iterator[Rows | None]:
    """Yield the rows of each shard; None for those that are there already."""
    kind = _dtype(note["row"])
    sizes: list[int] = note["sizes"]
    shards = -(-sum(sizes) // rows)
    written = 0
    while written < shards and (target / shard_name(written, "npz")).exists():
        yield None
        written += 1
    waiting = np.empty(0, kind)
    passed = 0
    for bucket, size in enumerate(sizes):
        if passed + size <= written * rows:
            passed += size
            continue
        path = buckets / f"{bucket:04d}"
        found = path.stat().st_size // kind.itemsize if path.exists() else 0
        if found != size:
            raise ValueError(f"bucket {bucket} has {found} rows, not {size}")
        if not size:
            continue  # no row was distributed to it, and no file was made
        chance = _random(seed, 2 * bucket + 1)
        for made, order in _shuffled(path, size, kind, chance, note["options"]["memory"]):
            begin, passed = max(written * rows - passed, 0), passed + len(order)
            while len(waiting) + len(order) - begin >= rows:
                end = begin + rows - len(waiting)
                part = made[order[begin:end]]
                yield _unpacked(np.concatenate([waiting, part]) if len(waiting) else part, note["row"])
                begin, waiting = end, np.empty(0, kind)
                written += 1
            waiting = np.concatenate([waiting, made[order[begin:]]])
            del made, order  # before the next ones are made
    if len(waiting):
        yield _unpacked(waiting, note["row"])


def _arrays(source: str | os.PathLike[str] | Rows) -> Rows:
    if isinstance(source, Mapping):
        arrays = {name: np.asarray(array) for name, array in source.items()}
    else:
        with np.load(source, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    if not arrays or len({len(array) if array.ndim else -1 for array in arrays.values()}) != 1:
        raise ValueError("a source has arrays with a row each, as many in all of them")
    return arrays


def _dtype(row: Sequence[Sequence[Any]]) -> np.dtype[np.void]:
    return np.dtype([(name, kind, tuple(shape)) for name, kind, shape in row])


def _packed(arrays: Rows, row: Sequence[Sequence[Any]]) -> npt.NDArray[np.void]:
    packed = np.empty(len(next(iter(arrays.values()))), _dtype(row))
    for name, array in arrays.items():
        packed[name] = array
    return packed


def _unpacked(packed: npt.NDArray[np.void], row: Sequence[Sequence[Any]]) -> Rows:
    return {name: np.ascontiguousarray(packed[name]) for name, _, _ in row}


def _write(path: Path, arrays: Rows, *, compressed: bool) -> None:
    if compressed:
        write_shard(path, arrays)
        return
    with write_whole(path) as file:
        np.savez(file.buffer, **arrays)  # type: ignore[arg-type]  # no array is named allow_pickle


def _write_note(path: Path, note: dict[str, Any]) -> None:
    with write_whole(path) as file:
        json.dump(note, file)
