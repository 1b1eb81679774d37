"""One task of an engine: a shard of the input replayed, and written as one file of Parquet."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ..arrow import replay_schema, rows_of
from ..arrow_columns import arrow_batch, pyarrow
from ..batch import BATCH_RECORDS, Options, batches
from ..results import Results
from ..sources import NamedFile, Sources
from .shards import Piece, Shard, is_url, open_file

__all__ = ["PartMade", "PartWriter"]

_TABLE_RECORDS: Final = 10_000
_GROUP_RECORDS: Final = 1 << 16
_GROUP_BYTES: Final = 1 << 26


@dataclass(frozen=True, slots=True)
class PartMade:
    """What a part holds: records, their moves, those with an error by its code, and problems by (severity, code)."""

    number: int
    records: int
    moves: int
    failures: Mapping[str, int]
    problems: Mapping[tuple[str, str], int]
    passed_over: int


@dataclass(frozen=True, slots=True)
class PartWriter:
    """Replays a shard when it is called and writes its rows to `target`, a folder here or at a URL, as a file `part-N`.

    It appears whole or not at all, and a shard always makes the same file: a task may be run again, also while
    it still runs elsewhere. `column` is that of records in Parquet. Can be pickled; any number of threads may call it.
    """

    target: str
    column: str
    options: Options

    def __call__(self, shard: Shard) -> PartMade:
        """Write the part of a shard. Raises what reading and writing do, but for files that are not there."""
        made = _Made(self.options)
        passed_over = 0
        for piece in shard.pieces:
            if piece.is_table:
                for rows, results in _rows_of_table(piece, self.column, self.options):
                    made.add(rows, results)
                continue
            sources = Sources([NamedFile(piece.source, partial(open_file, piece.path))], limits=self.options.limits)
            for results in batches(sources, self.options, 1, BATCH_RECORDS):
                made.add(arrow_batch(results.columns, results.data), results)
            passed_over += sources.passed_over
        _write(self.target, f"part-{shard.number:06}.parquet", made.close())
        return PartMade(shard.number, made.records, made.moves, made.failures, made.problems, passed_over)


class _Made:
    """Rows on their way into a file of Parquet in memory, which is small beside the records."""

    def __init__(self, options: Options) -> None:
        self.records = self.moves = 0
        self.failures: Counter[str] = Counter()
        self.problems: Counter[tuple[str, str]] = Counter()
        self._schema = replay_schema(options)
        self._file = io.BytesIO()
        names = [name for name in self._schema.names if name not in ("id", "hash", "canonical_hash", "board")]
        parquet = pyarrow("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd", use_dictionary=names)
        self._waiting: list[Any] = []
        self._rows = self._bytes = 0

    def add(self, batch: Any, results: Results) -> None:
        """Add rows, and count what they tell."""
        self.records += len(batch)
        self.moves += results.move_count
        self.failures.update(results.error_codes)
        self.problems.update(results.problems)
        self._waiting.append(batch)
        self._rows += len(batch)
        self._bytes += batch.nbytes
        if self._rows >= _GROUP_RECORDS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            table = pyarrow().Table.from_batches(self._waiting, self._schema)
            self._writer.write_table(table, row_group_size=max(1, len(table)))
            self._waiting, self._rows, self._bytes = [], 0, 0

    def close(self) -> bytes:
        """Return the file."""
        self._flush()
        self._writer.close()
        return self._file.getvalue()


def _rows_of_table(piece: Piece, column: str, options: Options) -> Iterator[tuple[Any, Results]]:
    library = pyarrow()
    with open_file(piece.path) as file:
        table = pyarrow("pyarrow.parquet").ParquetFile(file)
        first = piece.first
        groups = list(range(piece.begin, piece.end))
        for batch in table.iter_batches(_TABLE_RECORDS, row_groups=groups, columns=[column]):
            rows, results = rows_of(batch.column(0), options, first)
            names = library.array([piece.source] * len(rows), library.string())
            yield rows.set_column(0, rows.schema.field(0), names), results
            first += len(rows)


def _write(folder: str, name: str, data: bytes) -> None:
    """Write a file that is there whole or not at all: renamed here, put in one piece to stores of objects."""
    if is_url(folder):
        import fsspec

        system, place = fsspec.core.url_to_fs(folder)
        system.pipe_file(f"{place.rstrip('/')}/{name}", data)
        return
    # Two attempts at one part may be under way at once: each writes a file of its own.
    temporary = os.path.join(folder, f".{name}-{os.urandom(8).hex()}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, os.path.join(folder, name))
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
