"""The input, split into shards of about one size: each is one task, and one file of the output."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Final

from .._util.scan_dir import FolderFile, files_of
from ..arrow.batches import place_of
from ..limits import Limits
from ..sources.record_files import is_record_name
from ..sources.sources import format_of_parts
from ..sources.splits import Split, split_between, split_offsets
from ..tables.to_arrow import pyarrow

SHARD_BYTES: Final = 1 << 27
"""Bytes of input of a shard, as stored; only a larger file that cannot be split exceeds it."""

TABLE_FORMAT: Final = "parquet"
"""The `InputSplit.format` of groups of rows."""

_MOST_FILES: Final = 10_000
_TABLE: Final = ".parquet"


@dataclass(frozen=True, slots=True)
class InputSplit:
    """A file, or part of one.

    Rows name it `source`; `path` is its location: a URL, or an absolute path. `size` is in bytes. `format` is empty
    where the file is read as a whole. Of `parquet` `begin` and `end` are numbers of groups of rows, else they are as in
    `wei7core.sources.splits.FilePart`; `first` is the number of the first record in the file.
    """

    source: str
    path: str
    size: int
    format: str = ""
    begin: int = 0
    end: int = 0
    first: int = 0


@dataclass(frozen=True, slots=True)
class Shard:
    """The pieces read by one task. Shards are numbered from 0, in the order of the input."""

    number: int
    pieces: tuple[InputSplit, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The `step` bytes from `begin` on of piece number `piece`, a whole file of `size` bytes at `path`."""

    piece: int
    path: str
    size: int
    begin: int
    step: int


@dataclass(frozen=True, slots=True)
class RangeFound:
    """The content of a range: the records that start in it, in a `format` that can be split, or neither."""

    range: Range
    format: str | None
    cut: Split | None


@dataclass(frozen=True, slots=True)
class RangeReader:
    """Finds the records of a range. Can be pickled; any number of threads may call it."""

    limits: Limits
    is_short: ClassVar = True  # see `Run`

    def __call__(self, range: Range) -> RangeFound:
        """Return the content of a range. Raises the errors of reading, except for missing files."""
        format = cut = None
        try:
            with open_file(range.path) as file:
                format = format_of_parts(file, range.path.rpartition("/")[2], self.limits)
                if format is not None:
                    cut = split_between(file, format, range.size, range.begin, range.step, self.limits.max_bytes)
        except (FileNotFoundError, PermissionError):
            pass  # reported in its row
        except ValueError:
            format = None  # fsspec's exception for a server without range requests
        return RangeFound(range, format, cut)


def pieces_at(path: str, column: str = "data", size: int = SHARD_BYTES) -> tuple[list[InputSplit], int]:
    """Return the input at a path or URL, in order, and the number of skipped files.

    Parquet files are split into row groups whose `column` comes to `size` bytes; for all others only names are
    examined. Raises the errors of listing, mostly `OSError`, `ImportError` for a URL without fsspec or its
    dependencies, `KeyError` for Parquet without the column.
    """
    found: list[InputSplit] = []
    passed_over = 0
    for piece in _files(path):
        if piece is None:
            passed_over += 1
        elif piece.path.lower().endswith(_TABLE):
            found += _cut(piece, column, size)
        else:
            found.append(piece)
    return found, passed_over


def ranges_of(pieces: Sequence[InputSplit], size: int = SHARD_BYTES) -> list[Range]:
    """Return ranges of about `size` bytes of larger files, in which to search for records."""
    found = []
    for number, piece in enumerate(pieces):
        if not piece.format and piece.size > size:
            step = -(-piece.size // -(-piece.size // size))
            found += [Range(number, piece.path, piece.size, begin, step) for begin in range(0, piece.size, step)]
    return found


def shards_of(
    pieces: Sequence[InputSplit], found: Iterable[RangeFound] = (), size: int = SHARD_BYTES
) -> tuple[Shard, ...]:
    """Return shards of pieces, of roughly `size` bytes; `found` has, in any order, the splits of large files.

    Larger are the shards of files that cannot be split: compressed files, archives, and formats with one record a file.
    """
    cuts: dict[int, list[RangeFound]] = {}
    for one in found:
        cuts.setdefault(one.range.piece, []).append(one)
    return tuple(_gathered(_all_cut(pieces, cuts), size))


def _all_cut(pieces: Sequence[InputSplit], cuts: Mapping[int, list[RangeFound]]) -> Iterator[InputSplit]:
    for number, piece in enumerate(pieces):
        found = sorted(cuts.get(number, ()), key=lambda one: one.range.begin)
        formats = {one.format for one in found}
        format = formats.pop() if len(formats) == 1 else None
        if format is None:
            yield piece
            continue
        for begin, end, first in split_offsets([one.cut for one in found], piece.size):
            yield InputSplit(piece.source, piece.path, end - begin, format, begin, end, first)


def is_url(path: str) -> bool:
    """Return whether a path is a URL, which fsspec opens, and not a local path."""
    return "://" in path or "::" in path


def open_file(path: str) -> BinaryIO:
    """Open the file of `InputSplit.path` for reading."""
    if not is_url(path):
        return open(path, "rb", buffering=0)
    import fsspec

    file: BinaryIO = fsspec.open(path, "rb").open()
    return file


def _files(path: str) -> Iterator[InputSplit | None]:
    """The files at a path, None for each that is no file of records."""
    if is_url(path):
        yield from _files_elsewhere(path)
    elif os.path.isdir(path):
        for found in files_of(path):
            if isinstance(found, OSError):
                raise found
            yield _piece_here(found)
    else:
        yield InputSplit(path, os.path.abspath(path), os.stat(path).st_size)


def _piece_here(found: FolderFile) -> InputSplit | None:
    if found.is_special or not _is_read(found.name):
        return None
    return InputSplit(found.path, os.path.abspath(found.path), os.stat(found.path).st_size)


def _files_elsewhere(url: str) -> Iterator[InputSplit | None]:
    import fsspec

    system, place = fsspec.core.url_to_fs(url)
    if not system.exists(place):
        raise FileNotFoundError(2, "No such file or directory", url)
    if not url.endswith("/") and system.isfile(place):  # over HTTP a folder is also a page, hence a file
        yield InputSplit(url, url, int(system.size(place) or 0))
        return
    for name, about in sorted(system.find(place, detail=True).items()):
        if not _is_read(name.rpartition("/")[2]):
            yield None
            continue
        full = system.unstrip_protocol(name)
        size = about.get("size")
        yield InputSplit(full, full, int((system.size(name) if size is None else size) or 0))


def _is_read(name: str) -> bool:
    return is_record_name(name) or name.lower().endswith(_TABLE)


def _cut(file: InputSplit, column: str, size: int) -> Iterator[InputSplit]:
    """The row groups of a Parquet file, combined into shards."""
    with open_file(file.path) as opened:
        table: Any = pyarrow("pyarrow.parquet").ParquetFile(opened)
        place_of(table.schema_arrow, column)
        groups = [table.metadata.row_group(number) for number in range(table.num_row_groups)]
        parts = [[group.column(k) for k in range(group.num_columns)] for group in groups]
        sizes = [sum(part.total_compressed_size for part in of if part.path_in_schema == column) for of in parts]
        rows = [group.num_rows for group in groups]
    begin = first = 0
    while begin < len(rows):
        end, held = begin + 1, sizes[begin]
        while end < len(rows) and held + sizes[end] <= size:
            held += sizes[end]
            end += 1
        yield InputSplit(file.source, file.path, held, TABLE_FORMAT, begin, end, first)
        first += sum(rows[begin:end])
        begin = end


def _gathered(pieces: Iterable[InputSplit], size: int) -> Iterator[Shard]:
    number = held = 0
    some: list[InputSplit] = []
    for piece in pieces:
        if some and (held + piece.size > size or len(some) == _MOST_FILES):
            yield Shard(number, tuple(some))
            number, held, some = number + 1, 0, []
        some.append(piece)
        held += piece.size
    if some:
        yield Shard(number, tuple(some))
