"""The rows that a replay of many records gives, as columns for files, NumPy and Arrow."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from .tables import Column, write_table

__all__ = [
    "FINDING_COLUMNS",
    "POSITION_COLUMNS",
    "REPLAY_COLUMNS",
    "FindingRow",
    "PositionRow",
    "ReplayRow",
    "Results",
    "Table",
    "replay_columns",
]


class ReplayRow(NamedTuple):
    """What became of one record.

    The figures are those of the path in force at the end of the main line, as
    far as it could be played. `problems` counts all problems, warnings included;
    the four fields `error...` tell of the one that kept the record from being
    replayed to its end. `error_offset` counts bytes from 0, in a file of lines
    from the start of the record's line. Fields may be None where the record does
    not say, or was not read.
    """

    source: str
    record: int
    id: str | None
    format: str | None
    width: int | None
    height: int | None
    moves: int
    passes: int
    takebacks: int
    suicides: int
    ko_recaptures: int
    black_captured: int
    white_captured: int
    hash: int | None
    canonical_hash: int | None
    board: str | None
    problems: int
    error: str | None
    error_offset: int | None
    error_path: str | None
    error_message: str | None


class FindingRow(NamedTuple):
    """One problem of one record, in the place that `wei7core.errors.Problem` tells."""

    severity: str
    code: str
    clause: str
    source: str
    record: int
    offset: int
    line: int
    column: int
    path: str
    message: str


class PositionRow(NamedTuple):
    """One pause point of one branch of one record; see `wei7core.replaying.PausePoint`."""

    source: str
    record: int
    branch: str
    step: int | None
    move_number: int
    color: int | None
    x: int | None
    y: int | None
    hash: int
    board: str


REPLAY_COLUMNS: Final = (
    Column("source", "text"),
    Column("record", "integer"),
    Column("id", "text", optional=True),
    Column("format", "text", optional=True),
    Column("width", "integer", optional=True),
    Column("height", "integer", optional=True),
    Column("moves", "integer"),
    Column("passes", "integer"),
    Column("takebacks", "integer"),
    Column("suicides", "integer"),
    Column("ko_recaptures", "integer"),
    Column("black_captured", "integer"),
    Column("white_captured", "integer"),
    Column("hash", "hash", optional=True),
    Column("canonical_hash", "hash", optional=True),
    Column("board", "text", optional=True),
    Column("problems", "integer"),
    Column("error", "text", optional=True),
    Column("error_offset", "integer", optional=True),
    Column("error_path", "text", optional=True),
    Column("error_message", "text", optional=True),
)
"""The columns of a replay, in order; `board` is there only when it was asked for."""

POSITION_COLUMNS: Final = (
    Column("source", "text"),
    Column("record", "integer"),
    Column("branch", "text"),
    Column("step", "integer", optional=True),
    Column("move_number", "integer"),
    Column("color", "integer", optional=True),
    Column("x", "integer", optional=True),
    Column("y", "integer", optional=True),
    Column("hash", "hash"),
    Column("board", "text"),
)
"""The columns of a list of pause points, in order."""

FINDING_COLUMNS: Final = (
    Column("severity", "text"),
    Column("code", "text"),
    Column("clause", "text"),
    Column("source", "text"),
    Column("record", "integer"),
    Column("offset", "integer"),
    Column("line", "integer"),
    Column("column", "integer"),
    Column("path", "text"),
    Column("message", "text"),
)
"""The columns of a list of problems, in order."""


class Table:
    """Rows of one kind, and their columns.

    Iteration gives the rows, which are named tuples; `columns` are those that
    the writers write, in order.

    Thread safety: frozen; threads may share it.
    """

    def __init__(self, columns: Sequence[Column], rows: Iterable[Any]) -> None:
        self.columns = tuple(columns)
        self._rows = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __getitem__(self, index: int) -> Any:
        return self._rows[index]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"

    def _values(self, column: Column) -> list[Any]:
        return [getattr(row, column.name) for row in self._rows]

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return one array a column, by name.

        Integers are int64, an absent one -1; hashes uint64, an absent one 0;
        texts are objects, an absent one None.
        """
        return {column.name: _to_array(column, self._values(column)) for column in self.columns}

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table`: int64, uint64 and string columns, absent values null.

        Raises `ImportError` where pyarrow is not installed (`pip install wei7core[arrow]`).
        """
        try:
            # By name: there are no stubs, and only this method needs it.
            pyarrow = importlib.import_module("pyarrow")
        except ImportError as error:
            raise ImportError("Arrow tables need pyarrow: pip install 'wei7core[arrow]'") from error
        types = {"text": pyarrow.string(), "integer": pyarrow.int64(), "hash": pyarrow.uint64()}
        fields = [pyarrow.field(column.name, types[column.kind], column.optional) for column in self.columns]
        arrays = [
            pyarrow.array(_encodable(column, self._values(column)), types[column.kind]) for column in self.columns
        ]
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` as CSV, whole or not at all."""
        self._write(path, "csv")

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` as one JSON object a line, whole or not at all."""
        self._write(path, "jsonl")

    def _write(self, path: str | os.PathLike[str], kind: str) -> None:
        with write_table(path, self.columns, kind) as writer:
            writer.write(self._rows)


class Results(Table):
    """A `ReplayRow` for each record of a batch, in input order.

    `positions` is the `Table` of `PositionRow` of all records, or None when it
    was not asked for.
    """

    def __init__(self, rows: Iterable[ReplayRow], *, board: bool, positions: Iterable[PositionRow] | None) -> None:
        super().__init__(replay_columns(board), rows)
        self.positions = None if positions is None else Table(POSITION_COLUMNS, positions)

    @property
    def errors(self) -> list[ReplayRow]:
        """The rows of the records that could not be replayed to their end."""
        return [row for row in self._rows if row.error is not None]


def replay_columns(board: bool) -> tuple[Column, ...]:
    """Return the columns of a replay table, with or without `board`."""
    return tuple(column for column in REPLAY_COLUMNS if board or column.name != "board")


def _to_array(column: Column, values: list[Any]) -> np.ndarray[Any, Any]:
    if column.kind == "text":
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    absent, dtype = (-1, np.int64) if column.kind == "integer" else (0, np.uint64)
    return np.array([absent if value is None else value for value in values], dtype=dtype)


def _encodable(column: Column, values: list[Any]) -> list[Any]:
    """Arrow's texts are UTF-8; a file name may hold bytes that are not."""
    if column.kind != "text":
        return values
    return [None if value is None else value.encode("utf-8", "backslashreplace").decode() for value in values]
