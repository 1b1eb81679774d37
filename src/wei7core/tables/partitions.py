"""A folder of Parquet files, partitioned by the values of columns as Hive names them: `winner=1/part-0.parquet`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote

from .._util.files import whole_folder
from .columns import Column, ColumnData
from .to_arrow import arrow_schema, arrow_table, pyarrow
from .writers import UnknownTableFormatError, has_pyarrow

_MOST_PARTITIONS: Final = 1 << 14
_MOST_BYTES: Final = 255  # of the name of a folder, on most systems
_MOST_BYTES_OF_PATH: Final = 3072  # for the folders of all columns


class PartitionError(UnknownTableFormatError):
    """The table cannot be partitioned as requested."""


class PartitionedWriter:
    """Writes tables into a folder, a file for each table and partition. For one thread at a time.

    `cut`: how many values of rows no folder can be named by: those that are too long lost their end, and the name of
    the folder of no value got an ellipsis.
    """

    def __init__(self, folder: str, columns: Sequence[Column], by: Sequence[str]) -> None:
        self.cut = 0
        self._folder = folder
        self._columns = columns
        self._by = list(by)
        self._count = 0

    def write_columns(self, data: Mapping[str, ColumnData]) -> None:
        """Write the rows of a table. Raises `OSError`, and `ImportError` where pyarrow has no datasets."""
        dataset = pyarrow("pyarrow.dataset")
        schema = arrow_schema(self._columns)
        fields = pyarrow().schema([schema.field(name) for name in self._by])
        coded = [
            column.name for column in self._columns if column.kind in ("text", "integer", "number")
            and not column.distinct and column.name not in ("id", "record")
        ]  # fmt: skip
        format = dataset.ParquetFileFormat()
        dataset.write_dataset(
            self._named(arrow_table(self._columns, data).cast(schema)),
            self._folder,
            format=format,
            file_options=format.make_write_options(compression="zstd", use_dictionary=coded),
            partitioning=dataset.partitioning(fields, flavor="hive"),
            basename_template=f"part-{self._count}-{{i}}.parquet",
            existing_data_behavior="overwrite_or_ignore",
            max_partitions=_MOST_PARTITIONS,
        )
        self._count += 1

    def _named(self, table: Any) -> Any:
        """The table with texts that fit the names of folders, which have them percent-encoded."""
        library = pyarrow()
        for name in self._by:
            place = table.schema.get_field_index(name)
            if not library.types.is_string(table.schema.field(place).type):
                continue
            most = min(_MOST_BYTES, _MOST_BYTES_OF_PATH // len(self._by)) - len(name) - 1
            coded = table.column(place).combine_chunks().dictionary_encode()
            texts = coded.dictionary.to_pylist()
            names = [_cut(text, most) for text in texts]
            if names != texts:
                changed = library.array([text != short for text, short in zip(texts, names, strict=True)])
                self.cut += changed.take(coded.indices).true_count
                shorter = library.array(names, library.string()).take(coded.indices)
                table = table.set_column(place, table.schema.field(place), shorter)
        return table


def _cut(text: str, most: int) -> str:
    """The text, or as much of it as `most` bytes of its percent-encoded form have room for, and an ellipsis.

    The name of the folder of no value gets one, too.
    """
    if text == _NO_VALUE:
        return text + _ELLIPSIS
    if 12 * len(text) <= most or len(quote(text, safe="")) <= most:
        return text
    room = most - len(quote(_ELLIPSIS))
    end = 0
    while (room := room - len(quote(text[end], safe=""))) >= 0:
        end += 1
    return text[:end] + _ELLIPSIS


_ELLIPSIS: Final = "…"
_NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"


@contextmanager
def write_partitions(folder: str, columns: Sequence[Column], by: Sequence[str]) -> Iterator[PartitionedWriter]:
    """Fill `folder`, which appears when the block ends without an exception; it is new, or empty.

    Raises `PartitionError` for a missing column, or one named twice, without pyarrow, and where the folder has files;
    `OSError`.
    """
    names = [column.name for column in columns]
    if wrong := [name for name in by if name not in names]:
        raise PartitionError(f"there is no column {wrong[0]}; there are {', '.join(names)}")
    if len(set(by)) < len(by):
        raise PartitionError(f"the column {next(name for name in by if by.count(name) > 1)} is named twice")
    if not has_pyarrow():
        raise PartitionError("partitions are Parquet, which needs pyarrow: pip install 'wei7core[arrow]'")
    target = os.path.realpath(folder)
    if os.path.lexists(target) and (not os.path.isdir(target) or os.listdir(target)):
        raise PartitionError(f"{folder}: a folder that is new or empty takes the partitions")
    with whole_folder(target) as staging:
        yield PartitionedWriter(staging, columns, by)
