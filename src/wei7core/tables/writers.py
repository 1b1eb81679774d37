"""Files of tables: CSV, JSONL, Parquet and NPZ, written as rows arrive and renamed when complete."""

from __future__ import annotations

import importlib.util
import io
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, BinaryIO, Final, Protocol, TextIO

from .._util.files import is_special, write_whole
from .._util.lazy_numpy import np
from .columns import Boards, Column, ColumnData, Numbers, Texts, columns_of_rows, joined_columns
from .row_text import TEXT_FORMATS, text_of_rows
from .to_arrow import MISSING, arrow_schema, arrow_table, pyarrow

Data = Mapping[str, ColumnData]

SUFFIXES: Final = (*TEXT_FORMATS, "parquet", "npz")
"""The kinds of tables; a file name ends in one of them."""

_ROWS_OF_TEXT: Final = 16_384
_FIRST_GROUP: Final = 1 << 13  # then twice as many each time: the set-up of pyarrow overlaps with reading
_LEAST_GROUP: Final = 1 << 15
_MOST_GROUP_BYTES: Final = 1 << 26


class UnknownTableFormatError(ValueError):
    """The suffix of an output file is not that of a supported format, or its package is not installed."""


class _Format(Protocol):
    """A writer of one kind of table files."""

    def write(self, data: Data) -> None:
        """Add rows, at least one."""

    def close(self) -> None:
        """Write the end of the file."""

    def discard(self) -> None:
        """Release all resources, also after an error."""


class TableWriter:
    """Writes tables, and rows (named tuples whose fields include the columns, two or more), to a file.

    `kind` is one of `SUFFIXES`. CSV has a line of names first, lines ending in a line feed, absent values empty; JSONL
    is one JSON object a line, absent values null. Parquet has groups of 32,768 rows and more (fewer at first, and where
    they are long), dictionaries and zstd. NPZ has the arrays of `wei7core.tables.Table.to_numpy`; for texts
    `NAME_bytes` and `NAME_offsets`, for packed boards `board_bytes`, `board_offsets`, `width` and `height`, where item
    k is bytes `offsets[k]` up to `offsets[k + 1]`; and `NAME_valid` if values may be absent. Parquet and NPZ are whole
    only after `close`. NPZ is assembled from unnamed temporary files of the same total size.

    Thread safety: one thread at a time.
    """

    def __init__(self, file: TextIO, columns: Sequence[Column], kind: str) -> None:
        self._columns = tuple(columns)
        self._format: _Format
        if kind == "parquet":
            self._format = _Parquet(file.buffer, columns)
        elif kind == "npz":
            self._format = _Npz(file.buffer, columns)
        else:
            self._format = _Text(file, columns, kind)

    def write(self, rows: Iterable[Any]) -> None:
        """Add rows."""
        self.write_columns(columns_of_rows(self._columns, list(rows)))

    def write_columns(self, data: Mapping[str, ColumnData]) -> None:
        """Add rows given as columns: `data` maps names to columns of one length."""
        if len(data[self._columns[0].name]):
            self._format.write(data)

    def close(self) -> None:
        """Write the end of the table; the file itself stays open."""
        self._format.close()

    def discard(self) -> None:
        """Release all resources; the file is unusable unless `close` was called before."""
        self._format.discard()


class _Text:
    def __init__(self, file: TextIO, columns: Sequence[Column], kind: str) -> None:
        self._file = file
        self._kind = kind
        self._names = [column.name for column in columns]
        self._is_utf8 = isinstance(file, io.TextIOWrapper) and file.encoding.lower().replace("-", "") == "utf8"
        if kind == "csv":
            file.write(",".join(self._names) + "\n")

    def write(self, data: Data) -> None:
        columns = [data[name] for name in self._names]
        rows = len(columns[0])
        if self._is_utf8:
            self._file.flush()
        for begin in range(0, rows, _ROWS_OF_TEXT):
            text = text_of_rows(self._names, columns, self._kind, begin, min(begin + _ROWS_OF_TEXT, rows))
            if self._is_utf8:
                self._file.buffer.write(text)
            else:
                self._file.write(text.decode())

    def close(self) -> None:
        pass

    def discard(self) -> None:
        pass


class _Parquet:
    """Groups of rows are encoded and written by a separate thread while the next ones are made."""

    def __init__(self, file: BinaryIO, columns: Sequence[Column]) -> None:
        self._file = file
        self._columns = columns
        self._writer: Any = None
        self._waiting: list[Data] = []
        self._rows = 0
        self._bytes = 0
        self._wanted = _FIRST_GROUP
        # Importing pyarrow takes a tenth of a second, during which the first records are replayed.
        self._written = _Aside(_load_pyarrow)

    def _open(self) -> Any:
        if self._writer is None:
            parquet = pyarrow("pyarrow.parquet")
            self._writer = parquet.ParquetWriter(
                self._file, arrow_schema(self._columns), compression="zstd", use_dictionary=self._with_dictionary()
            )
        return self._writer

    def _with_dictionary(self) -> list[str]:
        """For columns of mostly different values, as hashes and boards, a dictionary would only cost time."""
        return [
            column.name
            for column in self._columns
            if column.kind not in ("hash", "board") and not column.distinct and column.name not in ("id", "record")
        ]

    def write(self, data: Data) -> None:
        self._waiting.append(data)
        self._rows += len(data[self._columns[0].name])
        self._bytes += sum(values.nbytes for values in data.values())
        if self._rows >= min(self._wanted, _LEAST_GROUP) or self._bytes >= _MOST_GROUP_BYTES:
            self._flush()
            self._wanted = min(2 * self._wanted, _LEAST_GROUP)

    def _flush(self) -> None:
        """Submit the pending rows, one group at a time, so that memory use stays flat. Raises the error of writing the
        last group.
        """
        self._written.result()
        if waiting := self._waiting:
            self._written = _Aside(lambda: self._write_group(waiting))
            self._waiting, self._rows, self._bytes = [], 0, 0

    def _write_group(self, tables: list[Data]) -> None:
        data = joined_columns(tables)
        tables.clear()
        writer = self._open()
        for part in _narrow(arrow_table(self._columns, data), writer.schema):
            writer.write_table(part, row_group_size=len(part))

    def close(self) -> None:
        self._flush()
        self._written.result()
        self._open().close()

    def discard(self) -> None:
        self._written.join()
        # Else the finaliser would close it and fail because the file is already closed.
        if self._writer is not None:
            with suppress(Exception):
                self._writer.close()


class _Aside(threading.Thread):
    """Work running in a thread of its own. Importing the standard thread pools would take milliseconds."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(name="wei7core-writer")
        self._work: Callable[[], None] | None = work
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        assert self._work is not None
        try:
            self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._work = None

    def result(self) -> None:
        """Wait for the end. Raises the exception of the work."""
        self.join()
        if self._error is not None:
            raise self._error


def _load_pyarrow() -> None:
    with suppress(ImportError):  # the consumer raises it
        pyarrow("pyarrow.parquet")


def _narrow(table: Any, schema: Any) -> Iterator[Any]:
    """An Arrow table in parts whose texts fit the types of `schema`."""
    if table.schema.equals(schema):
        yield table
        return
    if table.schema.types == schema.types or len(table) < 2:
        yield table.cast(schema)  # its first call loads much of pyarrow
        return
    middle = len(table) // 2
    for part in (table.slice(0, middle), table.slice(middle)):
        if part.nbytes >= 1 << 31:
            yield from _narrow(part, schema)
        else:
            yield part.cast(schema)


class _Npz:
    """Every array grows in a temporary file of its own: its header contains the length, which is known only at the
    end.
    """

    def __init__(self, file: BinaryIO, columns: Sequence[Column]) -> None:
        self._file = file
        self._columns = columns
        self._stack = ExitStack()
        self._arrays: dict[str, tuple[BinaryIO, np.dtype[Any]]] = {}
        self._ends: dict[str, int] = {}
        for column in columns:
            self.write_column(column, _empty(column))

    def write(self, data: Data) -> None:
        for column in self._columns:
            self.write_column(column, data[column.name])

    def write_column(self, column: Column, values: ColumnData) -> None:
        """Add the values of one column to its arrays."""
        name = column.name
        if isinstance(values, Numbers):
            self._add(name, values.values)
        else:
            texts = values.in_utf8() if isinstance(values, Texts) else values
            if isinstance(texts, Boards):
                self._add("width", texts.widths)
                self._add("height", texts.heights)
            self._add(f"{name}_bytes", texts.data[: texts.offsets[-1]])
            first = name not in self._ends
            end = self._ends.setdefault(name, 0)
            self._add(f"{name}_offsets", texts.offsets[0 if first else 1 :].astype(np.int64) + end)
            self._ends[name] = end + int(texts.offsets[-1])
        if column.optional and not isinstance(values, Boards):
            self._add(f"{name}_valid", np.ones(len(values), bool) if values.valid is None else values.valid)

    def _add(self, name: str, array: np.ndarray[Any, Any]) -> None:
        import tempfile

        if name not in self._arrays:
            # Closed by the stack.
            temporary: Any = self._stack.enter_context(tempfile.TemporaryFile(prefix="wei7core-"))  # noqa: SIM115
            # The same bytes on every platform.
            self._arrays[name] = (temporary, array.dtype.newbyteorder("<"))
        file, dtype = self._arrays[name]
        file.write(np.ascontiguousarray(array, dtype).view(np.uint8).data)

    def close(self) -> None:
        import shutil
        import zipfile

        with zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
            for name, (file, dtype) in self._arrays.items():
                head = {
                    "descr": np.lib.format.dtype_to_descr(dtype),
                    "fortran_order": False,
                    "shape": (file.tell() // dtype.itemsize,),
                }
                file.seek(0)
                # A ZipInfo of our own would not have the level of the archive.
                with archive.open(f"{name}.npy", "w", force_zip64=True) as target:
                    np.lib.format.write_array_header_2_0(target, head)
                    shutil.copyfileobj(file, target, 1 << 20)
                archive.infolist()[-1].create_system = 3  # and not that of the machine

    def discard(self) -> None:
        self._stack.close()


def _empty(column: Column) -> ColumnData:
    if column.kind == "board":
        return Boards(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint8))
    return column.of([])


@contextmanager
def write_table(
    path: str | os.PathLike[str], columns: Sequence[Column], kind: str | None = None
) -> Iterator[TableWriter]:
    """Open the table file `path`, which gets its name when the block ends without an exception.

    Without `kind` the suffix, in any case of letters, selects the format, and anything but a regular file gets CSV.
    Raises `UnknownTableFormatError` for another suffix, and for Parquet without pyarrow, and `OSError`; see
    `wei7core._util.files.write_whole`.
    """
    kind = kind or table_kind(path)
    with write_whole(path) as file:
        writer = TableWriter(file, columns, kind)
        try:
            yield writer
            writer.close()
        finally:
            writer.discard()


def table_kind(path: str | os.PathLike[str]) -> str:
    """Return the kind of table for the suffix of `path`.

    Raises `UnknownTableFormatError` for an unknown suffix, and if pyarrow is required and missing.
    """
    kind = os.path.splitext(path)[1].lower().removeprefix(".")
    if kind == "parquet" and not has_pyarrow():
        raise UnknownTableFormatError(f"{os.fspath(path)}: Parquet {MISSING}")
    if kind in SUFFIXES:
        return kind
    if is_special(path):
        return "csv"
    *some, last = [f".{name}" for name in SUFFIXES]
    raise UnknownTableFormatError(f"{os.fspath(path)}: unsupported output format; use {', '.join(some)} or {last}")


def has_pyarrow() -> bool:
    """Whether pyarrow is installed, without importing it."""
    try:
        return importlib.util.find_spec("pyarrow") is not None
    except ValueError:  # set to None by tests
        return False
