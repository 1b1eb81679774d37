"""What there is to read, cut into shards of about one size: each is one task, and one file of the output."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from ..folders import FolderFile, files_of
from ..sources import is_record_name

__all__ = ["SHARD_BYTES", "Piece", "Shard", "Shards", "is_url", "open_file", "shards_of"]

SHARD_BYTES: Final = 1 << 26
"""Bytes of input of a shard, as they are stored; more only where a file is larger that cannot be cut."""

_MOST_FILES: Final = 10_000
_TABLE: Final = ".parquet"


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or groups of rows of one that is Parquet.

    `source` is what rows call it, `path` where it is: a URL, or an absolute path. `size` is in bytes. Of Parquet
    `begin` and `end` are numbers of groups, and `first` the number of the first row in the file.
    """

    source: str
    path: str
    size: int
    begin: int = 0
    end: int = 0
    first: int = 0

    @property
    def is_table(self) -> bool:
        """Whether it is of a Parquet file."""
        return self.end > 0


@dataclass(frozen=True, slots=True)
class Shard:
    """Pieces that are read by one task. Shards are numbered from 0, in the order of the input."""

    number: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Shards:
    """All shards, in order; `passed_over` counts the files of folders whose names are not those of records."""

    shards: tuple[Shard, ...]
    passed_over: int


def shards_of(paths: Iterable[str], size: int = SHARD_BYTES) -> Shards:
    """Return what there is to read at `paths`: files and folders here, and at any URL that fsspec knows.

    The footers of Parquet files are read, and otherwise only names. A file of Parquet is cut between groups of rows,
    all others are read as a whole. Raises `OSError` for a path that is not there, `ImportError` for a URL without
    fsspec or what it needs.
    """
    found: list[Piece] = []
    passed_over = 0
    for path in paths:
        for piece in _files(path):
            if piece is None:
                passed_over += 1
            elif piece.path.lower().endswith(_TABLE):
                found += _cut(piece, size)
            else:
                found.append(piece)
    return Shards(tuple(_gathered(found, size)), passed_over)


def is_url(path: str) -> bool:
    """Return whether a path is a URL, which fsspec opens, and no name of this machine."""
    return "://" in path or "::" in path


def open_file(path: str) -> BinaryIO:
    """Open a file that `Piece.path` names, for reading."""
    if not is_url(path):
        return open(path, "rb", buffering=0)
    import fsspec

    file: BinaryIO = fsspec.open(path, "rb").open()
    return file


def _files(path: str) -> Iterator[Piece | None]:
    """The files at a path, None for each that is none of records."""
    if is_url(path):
        yield from _files_elsewhere(path)
    elif os.path.isdir(path):
        for found in files_of(path):
            if isinstance(found, OSError):
                raise found
            yield _piece_here(found)
    else:
        yield Piece(path, os.path.abspath(path), os.stat(path).st_size)


def _piece_here(found: FolderFile) -> Piece | None:
    if found.is_special or not _is_read(found.name):
        return None
    return Piece(found.path, os.path.abspath(found.path), os.stat(found.path).st_size)


def _files_elsewhere(url: str) -> Iterator[Piece | None]:
    import fsspec

    system, place = fsspec.core.url_to_fs(url)
    if not system.exists(place):
        raise FileNotFoundError(2, "No such file or directory", url)
    if system.isfile(place):
        yield Piece(url, url, int(system.size(place) or 0))
        return
    for name, about in sorted(system.find(place, detail=True).items()):
        if not _is_read(name.rpartition("/")[2]):
            yield None
            continue
        full = system.unstrip_protocol(name)
        yield Piece(full, full, int(about.get("size") or 0))


def _is_read(name: str) -> bool:
    return is_record_name(name) or name.lower().endswith(_TABLE)


def _cut(file: Piece, size: int) -> Iterator[Piece]:
    """The groups of rows of a Parquet file, as many together as come to a shard."""
    from ..arrow_columns import pyarrow

    with open_file(file.path) as opened:
        about: Any = pyarrow("pyarrow.parquet").ParquetFile(opened).metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        sizes = [sum(group.column(k).total_compressed_size for k in range(group.num_columns)) for group in groups]
        rows = [group.num_rows for group in groups]
    begin = first = 0
    while begin < len(rows):
        end, held = begin + 1, sizes[begin]
        while end < len(rows) and held + sizes[end] <= size:
            held += sizes[end]
            end += 1
        yield Piece(file.source, file.path, held, begin, end, first)
        first += sum(rows[begin:end])
        begin = end


def _gathered(pieces: Sequence[Piece], size: int) -> Iterator[Shard]:
    number = held = 0
    some: list[Piece] = []
    for piece in pieces:
        if some and (held + piece.size > size or len(some) == _MOST_FILES):
            yield Shard(number, tuple(some))
            number, held, some = number + 1, 0, []
        some.append(piece)
        held += piece.size
    if some:
        yield Shard(number, tuple(some))
