"""The metadata of the games of a segment: a Parquet file, so that other programs join it by the number of a game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np

from ..._util.files import write_whole
from ...errors import IndexFileError
from ...tables.columns import Column, ColumnData, Numbers, Texts
from ...tables.to_arrow import arrow_schema, pyarrow
from ...tables.writers import has_pyarrow, write_table
from ..results import METADATA_COLUMNS

if TYPE_CHECKING:
    from ..metadata import Metadata
    from .gathering import HeaderRows
    from .record_rows import RecordRows

_AT_ONCE: Final = 1 << 22
_ROWS_A_GROUP: Final = 1 << 17

FILE_COLUMNS: Final = (
    Column("game", "integer"),
    Column("source", "text"),
    Column("record", "integer"),
    *METADATA_COLUMNS,
)
"""The columns of the files of metadata, in order."""


def metadata_path(path: str) -> str:
    """The file of the metadata of the segment `path`."""
    return os.path.splitext(path)[0] + ".parquet"


class MetadataFile:
    """A file of metadata, of `size` bytes with the CRC-32 `checksum`. Thread safety: frozen."""

    def __init__(self, path: str, size: int, checksum: int) -> None:
        self.path = path
        self.size = size
        self.checksum = checksum

    @classmethod
    def of(cls, path: str) -> MetadataFile:
        """The file as it is. Raises `OSError`."""
        return cls(path, os.path.getsize(path), _checksum(path))

    def check_size(self) -> None:
        """Raise `IndexFileError` where the file is missing or of another size."""
        size = -1
        with suppress(OSError):
            size = os.path.getsize(self.path)
        if size < 0:
            raise IndexFileError("the metadata of the segment is missing", source=self.path)
        if size != self.size:
            raise IndexFileError(f"the file is truncated: it has {size} bytes, not {self.size}", source=self.path)

    def verify(self) -> None:
        """Raise `IndexFileError` where the file is not the one that was written."""
        self.check_size()
        if _checksum(self.path) != self.checksum:
            raise IndexFileError("the checksum of the metadata is wrong", source=self.path)


def _checksum(path: str) -> int:
    found = 0
    with open(path, "rb") as file:
        while data := file.read(_AT_ONCE):
            found = crc32(data, found)
    return found


def metadata_of(headers: Sequence[HeaderRows]) -> dict[str, Any]:
    """The columns of metadata of the records of `headers`, in their order."""
    from ..metadata import metadata_columns  # imported while another thread sorts positions

    places: list[int] = []
    found: list[Metadata | None] = []
    begin = 0
    for header in headers:
        places += [begin + place for place in header.found]
        found += header.found.values()
        begin += header.piece.records
    pieces, formats = [header.piece for header in headers], [header.format for header in headers]
    return metadata_columns(pieces, formats, np.array(places, np.int64), found)


def write_metadata(path: str, first: int, rows: RecordRows, columns: Mapping[str, ColumnData]) -> MetadataFile | None:
    """Write the metadata of the segment `path`, whose games are counted from `first`; None without pyarrow."""
    if not has_pyarrow():
        return None
    data: dict[str, ColumnData] = {
        **columns,
        "game": Numbers(np.arange(first, first + len(rows), dtype=np.int64)),
        "source": Texts.runs(rows.sources),
        "record": Numbers(rows.record),
    }
    name = metadata_path(path)
    with write_table(name, FILE_COLUMNS, "parquet") as writer:
        writer.write_columns(data)
    return MetadataFile.of(name)


def merge_metadata(path: str, files: Sequence[MetadataFile | None], first: int) -> MetadataFile | None:
    """Write the metadata of segments as that of the segment `path`, games numbered from `first`; None without any."""
    names = [file.path for file in files if file is not None]
    if not names:
        return None
    table = metadata_table(names)
    numbers = pyarrow().array(np.arange(first, first + len(table), dtype=np.int64))
    table = table.set_column(0, table.schema.field("game"), numbers)
    name = metadata_path(path)
    with write_whole(name) as file:
        pyarrow("pyarrow.parquet").write_table(table, file.buffer, compression="zstd", row_group_size=_ROWS_A_GROUP)
    return MetadataFile.of(name)


def metadata_table(paths: Iterable[str], columns: Sequence[str] | None = None) -> Any:
    """Return columns (None: all) of files of metadata as a `pyarrow.Table`.

    Raises `ImportError` without pyarrow, `IndexFileError` where a file cannot be read.
    """
    library, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    wanted = [column.name for column in FILE_COLUMNS] if columns is None else list(dict.fromkeys(columns))
    texts = [column.name for column in FILE_COLUMNS if column.kind == "text" and not column.distinct]
    tables = []
    for path in paths:
        try:
            with parquet.ParquetFile(path, read_dictionary=texts) as file:
                tables.append(file.read(wanted))
        except (OSError, library.ArrowException) as error:
            raise IndexFileError(f"the metadata cannot be read: {error}", source=path) from None
    if not tables:
        return arrow_schema(FILE_COLUMNS).empty_table().select(wanted)
    return library.concat_tables(tables)
