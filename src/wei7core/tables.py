"""Tables of named columns and the files they are written to, whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Literal, TextIO

__all__ = [
    "SUFFIXES",
    "Column",
    "TableWriter",
    "UnknownTableFormatError",
    "write_csv",
    "write_csv_header",
    "write_jsonl",
]

Kind = Literal["text", "integer", "hash"]
Row = tuple[Any, ...]  # a named tuple

SUFFIXES: Final = (".csv", ".jsonl")
"""Suffixes of the files that can be written."""


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


def write_csv(rows: Iterable[Row], columns: Sequence[Column], file: TextIO) -> None:
    """Write `rows` as CSV (RFC 4180, lines end in a line feed); an absent value is an empty field."""
    csv.writer(file, lineterminator="\n").writerows(_texts(rows, columns))


def write_csv_header(columns: Sequence[Column], file: TextIO) -> None:
    """Write the names of the columns as the first line of CSV."""
    csv.writer(file, lineterminator="\n").writerow(column.name for column in columns)


def write_jsonl(rows: Iterable[Row], columns: Sequence[Column], file: TextIO) -> None:
    """Write each of `rows` as a JSON object on a line of its own; an absent value is null."""
    names = [column.name for column in columns]
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for row in _texts(rows, columns):
        file.write(encode(dict(zip(names, row, strict=True))) + "\n")


def _texts(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[list[Any]]:
    places = [(column.name, column.kind == "hash") for column in columns]
    for row in rows:
        values = []
        for name, is_hash in places:
            value = getattr(row, name)
            values.append(f"{value:016x}" if is_hash and value is not None else value)
        yield values


class TableWriter:
    """A table file that appears under its name only when it is complete.

    Rows go to a temporary file beside the target, which `close()` (or leaving
    the `with` block without an exception) renames; anything else removes it. A
    target that is not a regular file, such as a pipe, is written to directly.

    `suffix` says what to write (one of `SUFFIXES`); without it that of `path`
    does, in any case, and CSV for what is not a regular file. Raises `UnknownTableFormatError`
    for another suffix and `OSError` where the file cannot be made.

    Thread safety: one thread at a time.
    """

    def __init__(self, path: str | os.PathLike[str], columns: Sequence[Column], *, suffix: str | None = None) -> None:
        name = os.fspath(path)
        suffix = suffix or os.path.splitext(name)[1].lower()
        if suffix not in SUFFIXES and not _is_special(name):
            raise UnknownTableFormatError(f"{name}: tables are written as {' or '.join(SUFFIXES)}")
        self._columns = columns
        self._write = write_jsonl if suffix == ".jsonl" else write_csv
        self._target = os.path.realpath(name)
        self._temporary: str | None = None
        if _is_special(self._target):
            self._file = open(self._target, "w", **_TEXT)
        else:
            self._file = self._open_temporary()
        if self._write is write_csv:
            write_csv_header(columns, self._file)

    def _open_temporary(self) -> TextIO:
        if os.path.isdir(self._target):
            raise IsADirectoryError(f"{self._target} is a directory")
        folder, name = os.path.split(self._target)
        self._temporary = os.path.join(folder, f".{name}.{secrets.token_hex(6)}.part")
        return open(self._temporary, "x", **_TEXT)

    def write(self, rows: Iterable[Row]) -> None:
        """Add `rows`, each a named tuple that has the columns among its fields."""
        self._write(rows, self._columns, self._file)

    def close(self) -> None:
        """Finish the file and let it appear under its name."""
        try:
            self._file.close()
            if self._temporary is not None:
                os.replace(self._temporary, self._target)
                self._temporary = None
        finally:
            self.discard()

    def discard(self) -> None:
        """Give the file up; does nothing once it is complete."""
        temporary, self._temporary = self._temporary, None
        with contextlib.suppress(OSError):  # What could not be flushed is thrown away anyway.
            self._file.close()
        if temporary is not None and os.path.lexists(temporary):
            os.unlink(temporary)

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


# A file name may hold bytes that are no UTF-8; escaping them keeps the table readable everywhere.
_TEXT: Final[dict[str, Any]] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}


def _is_special(path: str) -> bool:
    """Whether `path` is there and is neither a regular file nor a directory."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
