"""One task of an engine: a shard of the input replayed, and written as one file of Parquet, or as two."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO, Final

from ..arrow.functions import positions_schema, replay_schema, tables_of
from ..batch.options import Options
from ..batch.results import Results
from ..batch.run import BATCH_RECORDS, batches
from ..sources.sources import NamedFile, Sources
from ..sources.splits import FilePart
from ..tables.to_arrow import arrow_batch, pyarrow
from .shards import TABLE_FORMAT, InputSplit, Shard, is_url, open_file

UNFINISHED: Final = ".part-"
"""The prefix of the names of incomplete parts in local folders."""

_TABLE_RECORDS: Final = 10_000
_RECORDS_WITH_POSITIONS: Final = 1_000
_GROUP_ROWS: Final = 1 << 16
_GROUP_BYTES: Final = 1 << 26
_ALL_DIFFERENT: Final = frozenset({"id", "hash", "canonical_hash", "board", "first_moves", "opening_key"})


@dataclass(frozen=True, slots=True)
class PartMade:
    """The counts of a part: records, their moves, records with an error by its code, and problems by (severity,
    code).
    """

    number: int
    records: int
    moves: int
    failures: Mapping[str, int]
    problems: Mapping[tuple[str, str], int]
    passed_over: int


@dataclass(frozen=True, slots=True)
class PartWriter:
    """Replays a shard and writes its rows to `target`, a local folder or a URL, as a file `part-N`.

    Positions go to the folder `positions`, if given, under the same name. A file is written whole or not at all, and a
    shard always gives the same file: a task may be repeated, even while it still runs elsewhere. `column` is that of
    records in Parquet. Can be pickled; any number of threads may call it.
    """

    target: str
    column: str
    options: Options
    positions: str | None = None

    def __call__(self, shard: Shard) -> PartMade:
        """Write the part of a shard. Raises the errors of reading and writing, except for missing files."""
        name = f"part-{shard.number:06}.parquet"
        counted = _PartCounts()
        with ExitStack() as stack:
            made = [stack.enter_context(_table_file(self.target, name, replay_schema(self.options)))]
            if self.positions is not None:
                made.append(stack.enter_context(_table_file(self.positions, name, positions_schema())))
            for piece in shard.pieces:
                for *batches_made, results in _tables(piece, self.column, self.options, counted):
                    counted.add(results)
                    for table, batch in zip(made, batches_made, strict=False):
                        table.add(batch)
        return PartMade(
            shard.number, counted.records, counted.moves, counted.failures, counted.problems, counted.passed_over
        )


@dataclass(slots=True)
class _PartCounts:
    """The counts of a part in progress."""

    records: int = 0
    moves: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    passed_over: int = 0

    def add(self, results: Results) -> None:
        self.records += len(results)
        self.moves += results.move_count
        self.failures.update(results.error_codes)
        self.problems.update(results.problems)


class _ParquetTable:
    """A table written to Parquet in pieces."""

    def __init__(self, file: BinaryIO, schema: Any) -> None:
        self._schema = schema
        alike = [name for name in schema.names if name not in _ALL_DIFFERENT]
        parquet = pyarrow("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=alike)
        self._waiting: list[Any] = []
        self._rows = self._bytes = 0

    def add(self, batch: Any) -> None:
        self._waiting.append(batch)
        self._rows += len(batch)
        self._bytes += batch.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            table = pyarrow().Table.from_batches(self._waiting, self._schema)
            self._writer.write_table(table, row_group_size=max(1, len(table)))
            self._waiting, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        self._flush()
        self._writer.close()


@contextmanager
def _table_file(folder: str, name: str, schema: Any) -> Iterator[_ParquetTable]:
    """A table that becomes a file of a folder only on success:

    renamed in local folders, uploaded to object stores. Two attempts at one part may run at once: each first writes a
    file of its own.
    """
    if is_url(folder):
        descriptor, path = tempfile.mkstemp(prefix="wei7core-")
        os.close(descriptor)
    else:
        path = os.path.join(folder, f"{UNFINISHED}{name}-{os.urandom(8).hex()}")
    try:
        with open(path, "wb") as file, closing(_ParquetTable(file, schema)) as table:
            yield table
        if is_url(folder):
            import fsspec

            system, place = fsspec.core.url_to_fs(folder)
            system.put_file(path, f"{place.rstrip('/')}/{name}")
        else:
            os.replace(path, os.path.join(folder, name))
    finally:
        if os.path.exists(path):
            os.unlink(path)


def _tables(
    piece: InputSplit, column: str, options: Options, counted: _PartCounts
) -> Iterator[tuple[Any, Any, Results]]:
    """The rows of a piece, and their positions if requested, as record batches."""
    if piece.format == TABLE_FORMAT:
        yield from _tables_of_groups(piece, column, options)
        return
    opener = partial(open_file, piece.path)
    source: NamedFile | FilePart = NamedFile(piece.source, opener)
    if piece.format:
        source = FilePart(piece.source, opener, piece.format, piece.begin, piece.end, piece.first)
    sources = Sources([source], limits=options.limits)
    for results in batches(sources, options, 1, BATCH_RECORDS):
        positions = results.positions
        yield (
            arrow_batch(results.columns, results.data),
            None if positions is None else arrow_batch(positions.columns, positions.data),
            results,
        )
    counted.passed_over += sources.passed_over


def _tables_of_groups(piece: InputSplit, column: str, options: Options) -> Iterator[tuple[Any, Any, Results]]:
    library = pyarrow()
    size = _RECORDS_WITH_POSITIONS if options.positions else _TABLE_RECORDS

    def named(batch: Any) -> Any:
        names = library.array([piece.source], library.string()).take(library.array([0] * len(batch)))
        return batch.set_column(0, batch.schema.field(0), names)

    with open_file(piece.path) as file:
        table = pyarrow("pyarrow.parquet").ParquetFile(file)
        first = piece.first
        for batch in table.iter_batches(size, row_groups=list(range(piece.begin, piece.end)), columns=[column]):
            rows, positions, results = tables_of(batch.column(0), options, first)
            yield named(rows), None if positions is None else named(positions), results
            first += len(rows)
