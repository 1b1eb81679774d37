"""Tables of named columns, and the texts they are written as."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal, TextIO

from .files import is_special, write_whole

__all__ = ["FORMATS", "Column", "TableWriter", "UnknownTableFormatError", "table_kind", "write_table"]

Kind = Literal["text", "integer", "hash"]
Row = tuple[Any, ...]  # a named tuple


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what its values are, and whether one may be absent (None).

    A `hash` is an unsigned 64-bit integer that texts show as 16 hex digits.
    """

    name: str
    kind: Kind
    optional: bool = False


class UnknownTableFormatError(ValueError):
    """The suffix of an output file names no format that this version writes."""


class TableWriter:
    """Writes rows (named tuples that have the columns, two or more, among their fields) to a text file.

    `kind` is one of `FORMATS`: CSV with a line of names first, lines ending in a
    line feed, absent values empty; or one JSON object a line, absent values null.

    Thread safety: one thread at a time.
    """

    def __init__(self, file: TextIO, columns: Sequence[Column], kind: str) -> None:
        names = [column.name for column in columns]
        self._values = attrgetter(*names)
        self._hashes = [place for place, column in enumerate(columns) if column.kind == "hash"]
        self._write = FORMATS[kind](file, names)

    def write(self, rows: Iterable[Row]) -> None:
        """Add `rows`."""
        self._write(self._texts(rows))

    def _texts(self, rows: Iterable[Row]) -> Iterator[list[Any]]:
        for row in rows:
            values = list(self._values(row))
            for place in self._hashes:
                if values[place] is not None:
                    values[place] = f"{values[place]:016x}"
            yield values


def _csv(file: TextIO, names: list[str]) -> Callable[[Iterable[list[Any]]], None]:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    return writer.writerows


def _jsonl(file: TextIO, names: list[str]) -> Callable[[Iterable[list[Any]]], None]:
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

    def write(rows: Iterable[list[Any]]) -> None:
        for values in rows:
            file.write(encode(dict(zip(names, values, strict=True))) + "\n")

    return write


FORMATS: Final = {"csv": _csv, "jsonl": _jsonl}
"""The kinds of tables; a file name ends in one of them."""


@contextmanager
def write_table(
    path: str | os.PathLike[str], columns: Sequence[Column], kind: str | None = None
) -> Iterator[TableWriter]:
    """Open the table file `path`, which appears under its name when the block ends without an exception.

    Without `kind` the suffix says what to write, in any case of letters, and CSV
    is written to what is no regular file. Raises `UnknownTableFormatError` for
    another suffix and `OSError`; see `wei7core.files.write_whole`.
    """
    kind = kind or table_kind(path)
    with write_whole(path) as file:
        yield TableWriter(file, columns, kind)


def table_kind(path: str | os.PathLike[str]) -> str:
    """Return the kind of table that the suffix of `path` names, or raise `UnknownTableFormatError`."""
    kind = os.path.splitext(path)[1].lower().removeprefix(".")
    if kind in FORMATS:
        return kind
    if is_special(path):
        return "csv"
    raise UnknownTableFormatError(f"{os.fspath(path)}: tables are written as .{' or .'.join(FORMATS)} in this version")
