"""The raw text of records: of one record, and of many in one buffer."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from .._util.lazy_numpy import np
from .._util.text_memory import BufferOwner
from ..errors import Problem, whole_problem
from ..formats import _split

if TYPE_CHECKING:
    import mmap

    import numpy.typing as npt

__all__ = [
    "IN_MEMORY_SOURCE",
    "MOST_BYTES",
    "MOST_RECORDS",
    "Chunk",
    "RawRecord",
    "after_space",
    "coalesce_small",
    "cut",
    "unreadable",
]

IN_MEMORY_SOURCE: Final = "<bytes>"
"""The source of records that were given as bytes."""

MOST_BYTES: Final = 1 << 20
"""Bytes of text at which a block ends; only a single larger record exceeds it."""

MOST_RECORDS: Final = 4096
"""Records of a block at most."""

_Other = TypeVar("_Other")

_FIRST_GATHERED: Final = 64  # then twice as many each time, so that the first rows come early
_SMALL: Final = 1 << 16  # larger texts are not copied into a block
_NO_SPACE: Final = re.compile(rb"[^ \t\n\r\f\v]")
_IS_SPACE: Final = bytes(not _NO_SPACE.match(bytes([byte])) for byte in range(256))
_LITTLE_SPACE: Final = 64  # bytes searched in many parts at once; longer white space is rare


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The bytes of one record and their place.

    `source` is the path as given or found, and for a file inside an archive `archive.zip!/inner/name.sgf`; `record`
    counts from 0 inside it. `data` is None if the record was not read, and the last of `problems` is then the reason;
    else they concern the file, not its text.

    `one_of_many`: the source may contain further records. `format` is the detected format (`wei7`, `wei7-2.2`, `sgf`).
    `offset`, `line` and `column` are where `data` starts in an SGF source (a wei7 record is a source of its own).
    """

    source: str
    record: int
    data: bytes | None
    problems: tuple[Problem, ...] = ()
    one_of_many: bool = False
    format: str = "wei7"
    offset: int = 0
    line: int = 1
    column: int = 1

    def placed(self, problem: Problem) -> Problem:
        """Return a problem of `data`, its place relative to the start of the source."""
        if self.offset == 0:
            return problem
        return replace(
            problem,
            offset=self.offset + problem.offset,
            line=self.line + problem.line - 1,
            column=problem.column + (self.column - 1 if problem.line == 1 else 0),
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """Records in one buffer, most of them of one source.

    `data` must not be changed; a memoryview is stored as `BufferOwner`. `begins` and `ends` are the byte offsets of
    each record in it. `format` is the detected format. `sources` is the source of all records, `first` then the number
    of the first one in it, or a tuple with the source of each, which contains that record alone. `offset`, `line` and
    `column` are the place of `data[0]` in an SGF source; with `apart`, as with many sources, each record is a text of
    its own.

    Thread safety: any number of threads may use it.
    """

    data: bytes | mmap.mmap | memoryview | BufferOwner
    begins: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    format: str
    sources: str | tuple[str, ...]
    first: int
    one_of_many: bool
    offset: int = 0
    line: int = 1
    column: int = 1
    apart: bool = False
    # (offset in data, line, column) of the last requested record: most requests come in order. Threads share it.
    _reached: list[tuple[int, int, int] | None] = field(
        default_factory=lambda: [None], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if isinstance(self.data, memoryview):
            object.__setattr__(self, "data", BufferOwner(self.data))

    def __len__(self) -> int:
        return len(self.begins)

    def text(self, index: int) -> RawRecord:
        """Return record `index` of the block, from 0, with a copy of its bytes and its place in its source."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        data = bytes(memoryview(self.data)[begin:end])
        if isinstance(self.sources, tuple):
            return RawRecord(self.sources[index], 0, data, (), self.one_of_many, self.format)
        number = self.first + index
        if self.apart or self.format != "sgf":
            return RawRecord(self.sources, number, data, (), self.one_of_many, self.format)
        return RawRecord(
            self.sources, number, data, (), self.one_of_many, self.format, self.offset + begin, *self.place_of(index)
        )

    def source_offsets(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return the offsets of records `begin` up to `end` in their sources, as in `text`."""
        if isinstance(self.sources, tuple) or self.apart or self.format != "sgf":
            return np.zeros(end - begin, np.int64)
        return self.offset + self.begins[begin:end]

    def texts(self) -> Iterator[RawRecord]:
        """Yield all records of the block, as `text` returns them."""
        return map(self.text, range(len(self)))

    def place_of(self, index: int) -> tuple[int, int]:
        """Return line and column at which record `index` starts in an SGF source."""
        begin = int(self.begins[index])
        known, line, column = self._reached[0] or (0, self.line, self.column)
        if known > begin:
            known, line, column = 0, self.line, self.column
        line, column = _split.pass_text(self.data, known, begin, line, column)
        self._reached[0] = (begin, line, column)
        return line, column


def unreadable(error: OSError, path: str, record: int = 0) -> RawRecord:
    """Return the placeholder for the records of `path` from number `record` on, after reading failed."""
    message = f"cannot be read: {error.strerror or error}"
    return RawRecord(os.fsdecode(error.filename or path), record, None, (whole_problem("file-unreadable", message),))


def cut(
    begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], most: int = MOST_BYTES
) -> Iterator[tuple[int, int]]:
    """Group the records at `begins` and `ends` into blocks; yield (first, last + 1) of each.

    A block has up to `most` bytes, or one record.
    """
    first = 0
    while first < len(begins):
        fitting = int(np.searchsorted(ends, begins[first] + most, "right"))
        last = max(first + 1, min(fitting, first + MOST_RECORDS))
        yield first, last
        first = last


def coalesce_small(
    items: Iterable[Chunk | RawRecord | _Other],
) -> Generator[Chunk | RawRecord | _Other, None, None]:
    """Pass items on; combine small texts of one source each, or in memory, into blocks."""
    texts: list[RawRecord] = []
    most = _FIRST_GATHERED
    size = 0
    for item in items:
        data = item.data if isinstance(item, RawRecord) else None
        if not isinstance(item, RawRecord) or data is None or not _is_small(item):
            if texts:
                yield _block_of(texts)
                texts, size = [], 0
            yield item
            continue
        if texts and (size + len(data) > MOST_BYTES or not _goes_with(texts[-1], item)):
            yield _block_of(texts)
            texts, size = [], 0
        texts.append(item)
        size += len(data)
        if len(texts) == most:
            yield _block_of(texts)
            texts, size = [], 0
            most = min(2 * most, MOST_RECORDS)
    if texts:
        yield _block_of(texts)


def _is_small(text: RawRecord) -> bool:
    return (
        text.data is not None
        and len(text.data) <= _SMALL
        and not text.problems
        and text.offset == 0
        and (text.source == IN_MEMORY_SOURCE if text.one_of_many else text.record == 0)
    )


def _goes_with(one: RawRecord, other: RawRecord) -> bool:
    if one.format != other.format or one.one_of_many != other.one_of_many:
        return False
    return not one.one_of_many or other.record == one.record + 1


def _block_of(texts: list[RawRecord]) -> Chunk:
    data = b"".join([text.data or b"" for text in texts])
    lengths = np.array([len(text.data or b"") for text in texts], np.int64)
    ends = np.cumsum(lengths)
    first = texts[0]
    sources = IN_MEMORY_SOURCE if first.one_of_many else tuple([text.source for text in texts])
    return Chunk(data, ends - lengths, ends, first.format, sources, first.record, first.one_of_many, apart=True)


def after_space(
    text: npt.NDArray[np.uint8], begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the offset of the first byte other than white space in each part of `text`, and whether there is one."""
    is_space = np.frombuffer(_IS_SPACE, np.bool_)
    places = begins.copy()
    waiting = np.flatnonzero(places < ends)
    for _ in range(_LITTLE_SPACE):
        waiting = waiting[is_space[text[places[waiting]]]]
        if not len(waiting):
            break
        places[waiting] += 1
        waiting = waiting[places[waiting] < ends[waiting]]
    for part in waiting.tolist():
        found = _NO_SPACE.search(text.data, places[part], ends[part])
        places[part] = found.start() if found else ends[part]
    return places, places < ends
