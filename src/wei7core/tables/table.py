"""Tables: named columns over contiguous buffers, and rows made on demand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from .._util.lazy_numpy import np
from .._util.words import counted
from .columns import Boards, Column, ColumnData, Numbers, Texts, columns_of_rows, joined_columns
from .to_arrow import arrow_table
from .writers import write_table

_ROWS_AT_ONCE: Final = 1024
_NAMED: Final = 6  # columns in the repr


class Table:
    """Rows of one kind, stored as columns.

    `columns` describes them, in the order of the files; `data` has, by name, a `wei7core.tables.columns.Numbers`,
    `Texts` or `Boards` for each, all of one length. Iteration and indexing make rows, which are named tuples of the
    type `row`; fields without a column are None.

    Thread safety: frozen; threads may share it.
    """

    def __init__(self, columns: Sequence[Column], data: Mapping[str, ColumnData], row: type[Any]) -> None:
        self.columns = tuple(columns)
        self.data = {column.name: data[column.name] for column in self.columns}
        self.row = row
        sizes = set(map(len, self.data.values()))
        self._size = sizes.pop()
        if sizes:
            raise ValueError("the columns of a table must have equal lengths")

    @classmethod
    def from_rows(cls, columns: Sequence[Column], rows: Iterable[Any], row: type[Any]) -> Table:
        """Return the table of `rows`, named tuples whose fields include the columns."""
        return Table(columns, columns_of_rows(columns, list(rows)), row)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        for begin in range(0, self._size, _ROWS_AT_ONCE):
            yield from self._rows(begin, min(begin + _ROWS_AT_ONCE, self._size))

    def __getitem__(self, index: Any) -> Any:
        places = range(self._size)[index]
        if isinstance(places, int):
            return self._rows(places, places + 1)[0]
        return [self[place] for place in places]

    def __repr__(self) -> str:
        names = [column.name for column in self.columns]
        listed = ", ".join(names[:_NAMED]) + (", .." if len(names) > _NAMED else "")
        return f"<Table of {counted(len(self), 'row')}: {listed}>"

    def _repr_html_(self) -> str:
        """The table for notebooks: the first 15 rows and the last 5, long texts cut."""
        from .html import table_html

        return table_html(self)

    def _rows(self, begin: int, end: int) -> list[Any]:
        absent = [None] * (end - begin)
        fields = [self.data[name].to_list(begin, end) if name in self.data else absent for name in self.row._fields]
        return list(map(self.row._make, zip(*fields, strict=True)))

    @property
    def nbytes(self) -> int:
        """Bytes of the buffers of all columns."""
        return sum(values.nbytes for values in self.data.values())

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return one array a column, by name.

        Integers are of their type (int64 in tables of records), an absent one -1; other numbers float64, an absent one
        NaN; hashes uint64, an absent one 0: these are the arrays of the table itself, read only. Texts are objects, an
        absent one None. For packed boards there are `width`, `height` and `board`: an array of bytes of shape (n, k)
        where all boards have k bytes, of objects (bytes) else; `wei7core.unpack_boards` takes the former.
        """
        return _arrays(self.data)

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table` over the same buffers, absent values null.

        Integers and hashes are as in `to_numpy`, texts `string` (`large_string` beyond 2 GiB), packed boards
        `binary` with columns `width` and `height` before them.

        Raises `ImportError` where pyarrow is not installed (`pip install wei7core[arrow]`).
        """
        return arrow_table(self.columns, self.data)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` as CSV, whole or not at all."""
        self._write(path, "csv")

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` as one JSON object a line, whole or not at all."""
        self._write(path, "jsonl")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` as Parquet, whole or not at all; raises `ImportError` as `to_arrow`."""
        self._write(path, "parquet")

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write the table to the file `path` for `numpy.load`, whole or not at all.

        `wei7core.tables.writers.TableWriter` lists the arrays.
        """
        self._write(path, "npz")

    def _write(self, path: str | os.PathLike[str], kind: str) -> None:
        with write_table(path, self.columns, kind) as writer:
            writer.write_columns(self.data)


def joined(tables: Sequence[Table]) -> Table:
    """Return the rows of `tables`, at least one, all of the same columns, as one table."""
    first = tables[0]
    return Table(first.columns, joined_columns([table.data for table in tables]), first.row)


def _arrays(data: Mapping[str, ColumnData]) -> dict[str, np.ndarray[Any, Any]]:
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for name, values in data.items():
        if isinstance(values, Numbers):
            arrays[name] = values.values
        elif isinstance(values, Texts):
            arrays[name] = _objects(values.to_list(0, len(values)))
        else:
            arrays["width"], arrays["height"] = values.widths, values.heights
            arrays[name] = _packed(values)
    return arrays


def _packed(boards: Boards) -> np.ndarray[Any, Any]:
    size = boards.size
    return _objects(list(boards.packed(0, len(boards)))) if size is None else boards.data.reshape(-1, size)


def _objects(values: list[Any]) -> np.ndarray[Any, Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
