"""Columns of numbers that grow, in memory or, above a limit, in temporary files without names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import IO, TYPE_CHECKING

import numpy as np

from .._util.lazy_numpy import Array

if TYPE_CHECKING:
    from pathlib import Path

CHUNK_ROWS = 1 << 14
"""Rows that are buffered in memory and written at once."""


class Spill:
    """The memory of several tables: above `max_memory` bytes in total, all tables are written to files.

    The files are in `folder`, or where the system keeps temporary ones. They have no names (on Windows they go with
    the last handle), so that none remains, however the process ends. Tables of few rows stay in memory all the
    same: each holds its last `CHUNK_ROWS` rows. For one thread at a time.
    """

    def __init__(self, max_memory: int, folder: str | Path | None = None) -> None:
        self.max_memory = max_memory
        self.folder = folder
        self.spilled = False
        self._tables: list[Columns] = []

    def table(self, columns: Mapping[str, str]) -> Columns:
        """Return an empty table of columns, their NumPy types by name."""
        table = Columns(self, columns)
        self._tables.append(table)
        return table

    @property
    def held(self) -> int:
        """Bytes of rows in memory."""
        return sum(table.held for table in self._tables)

    def make_room(self) -> None:
        """Continue in files if too much memory is used. Raises `OSError` if they cannot be written."""
        if not self.spilled and self.held > self.max_memory:
            self.spilled = True
            for table in self._tables:
                table.write_out()

    def close(self) -> None:
        """Release all rows and files."""
        for table in self._tables:
            table.close()


class Columns:
    """Rows of numbers, column by column: appended, and read by ranges or row numbers. Made by `Spill.table`."""

    def __init__(self, owner: Spill, columns: Mapping[str, str]) -> None:
        self._owner = owner
        self._types = {name: np.dtype(kind) for name, kind in columns.items()}
        self._row_bytes = sum(kind.itemsize for kind in self._types.values())
        self._chunks: dict[str, list[Array]] = {name: [] for name in self._types}
        self._files: dict[str, IO[bytes]] = {}
        self._written = 0  # rows in the files: whole chunks
        self.count = 0

    def __len__(self) -> int:
        return self.count

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return len(next(iter(self._chunks.values()))) * CHUNK_ROWS * self._row_bytes

    def append(self, columns: Mapping[str, Array], count: int) -> None:
        """Add `count` rows, given as an array of that length for each column."""
        done = 0
        while done < count:
            place = self.count % CHUNK_ROWS
            if place == 0:
                self._begin_chunk()
            size = min(CHUNK_ROWS - place, count - done)
            for name, chunks in self._chunks.items():
                chunks[-1][place : place + size] = columns[name][done : done + size]
            done += size
            self.count += size

    def _begin_chunk(self) -> None:
        if self._owner.spilled:
            self.write_out()
        for name, chunks in self._chunks.items():
            chunks.append(np.empty(CHUNK_ROWS, self._types[name]))
        self._owner.make_room()

    def write_out(self) -> None:
        """Write the full chunks to files."""
        full = self.count // CHUNK_ROWS - self._written // CHUNK_ROWS
        for name, chunks in self._chunks.items():
            if name not in self._files:
                import tempfile

                self._files[name] = tempfile.TemporaryFile(  # noqa: SIM115 - closed by `close`
                    prefix="wei7core-", dir=self._owner.folder
                )
            self._files[name].seek(self._written * self._types[name].itemsize)
            for chunk in chunks[:full]:
                self._files[name].write(chunk.data)
            del chunks[:full]
        self._written += full * CHUNK_ROWS

    def read(self, name: str, begin: int, end: int) -> Array:
        """Return rows `begin` up to `end` of a column."""
        out = np.empty(end - begin, self._types[name])
        place = begin
        if place < self._written:
            place = min(end, self._written)
            self._read_file(name, begin, out[: place - begin])
        while place < end:
            chunk, first = divmod(place - self._written, CHUNK_ROWS)
            size = min(CHUNK_ROWS - first, end - place)
            out[place - begin : place - begin + size] = self._chunks[name][chunk][first : first + size]
            place += size
        return out

    def _read_file(self, name: str, begin: int, out: Array) -> None:
        file = self._files[name]
        file.seek(begin * out.itemsize)
        view = memoryview(out.data).cast("B")
        done = 0
        while done < len(view):
            size = file.readinto(view[done:])  # type: ignore[attr-defined]  # of a binary file
            if not size:
                raise OSError("a temporary file of wei7core was truncated")
            done += size

    def take(self, name: str, rows: Array) -> Array:
        """Return the values of a column at row numbers, in any order."""
        out = np.empty(len(rows), self._types[name])
        order = np.argsort(rows, kind="stable")
        ascending = rows[order]
        chunks = ascending // CHUNK_ROWS
        edges = np.flatnonzero(np.diff(chunks, prepend=-1, append=-1)).tolist()  # no chunk has the number -1
        for head, tail in pairwise(edges):
            begin, end = int(ascending[head]), int(ascending[tail - 1]) + 1
            out[order[head:tail]] = self.read(name, begin, end)[ascending[head:tail] - begin]
        return out

    def pieces(self, names: Sequence[str]) -> Iterator[tuple[int, list[Array]]]:
        """Iterate over some columns: the number of a first row, and the columns from there on, a chunk at a time."""
        for begin in range(0, self.count, CHUNK_ROWS):
            end = min(begin + CHUNK_ROWS, self.count)
            yield begin, [self.read(name, begin, end) for name in names]

    def close(self) -> None:
        """Release all rows."""
        for file in self._files.values():
            file.close()
        for chunks in self._chunks.values():
            chunks.clear()
        self._files.clear()
        self._written = self.count = 0
