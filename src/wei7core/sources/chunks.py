"""The raw text of records: of one record, and of many in one buffer."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from .._util.lazy_numpy import np
from .._util.text_memory import BufferOwner
from ..errors import Problem, whole_problem
from ..formats import _split

if TYPE_CHECKING:
    import mmap

    import numpy.typing as npt

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


class UsualGame(NamedTuple):
    """A game of SGF that was given as bytes, and its number among the records that were."""

    data: bytes
    number: int


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

    def as_chunk(self) -> Chunk:
        """Return the chunk of this record alone, which must have been read; it says nothing of `problems`."""
        assert self.data is not None
        begins, ends = np.zeros(1, np.int64), np.array([len(self.data)])
        place = self.offset, self.line, self.column
        return Chunk(self.data, begins, ends, self.format, self.source, self.record, self.one_of_many, *place)

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
        return self.source_offsets_of(np.arange(begin, end))

    def source_offsets_of(self, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the offsets of some records in their sources, as in `text`."""
        if isinstance(self.sources, tuple) or self.apart or self.format != "sgf":
            return np.zeros(len(indices), np.int64)
        return self.offset + self.begins[indices]

    def texts(self) -> Iterator[RawRecord]:
        """Yield all records of the block, as `text` returns them."""
        return map(self.text, range(len(self)))

    def places_of(self, indices: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lines and columns at which records of ascending numbers start in their sources, as in `text`."""
        if not len(indices) or isinstance(self.sources, tuple) or self.apart or self.format != "sgf":
            return np.ones(len(indices), np.int64), np.ones(len(indices), np.int64)
        begins = self.begins[indices]
        return _split.places_of(self.data, begins, int(begins[0]), *self.place_of(int(indices[0])))

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
    items: Iterable[Chunk | RawRecord | UsualGame | _Other],
) -> Generator[Chunk | RawRecord | _Other, None, None]:
    """Pass items on; combine usual games and small texts of one source each, or in memory, into blocks."""
    group = _Group()
    most = _FIRST_GATHERED
    for item in items:
        if isinstance(item, UsualGame):
            data, number = item
            source, format, one_of_many = IN_MEMORY_SOURCE, "sgf", True
        else:
            text = _small(item)
            if text is None:
                if group.data:
                    yield group.block()
                    group = _Group()
                yield item
                continue
            assert text.data is not None
            data, number, source, format, one_of_many = (
                text.data,
                text.record,
                text.source,
                text.format,
                text.one_of_many,
            )
        count = len(group.data)
        if count == most or (count and not group.takes(data, number, format, one_of_many)):
            yield group.block()
            group = _Group()
            most = min(2 * most, MOST_RECORDS) if count == most else most
        if not group.data:
            group.first, group.format, group.one_of_many = number, format, one_of_many
        group.data.append(data)
        group.sources.append(source)
        group.size += len(data)
    if group.data:
        yield group.block()


class _Group:
    """Texts that become a block: the arguments of `Chunk` that they have in common, and their bytes."""

    __slots__ = ("data", "first", "format", "one_of_many", "size", "sources")

    def __init__(self) -> None:
        self.data: list[bytes] = []
        self.sources: list[str] = []
        self.size = self.first = 0
        self.format = ""
        self.one_of_many = False

    def takes(self, data: bytes, number: int, format: str, one_of_many: bool) -> bool:
        """Whether a text continues after the group."""
        return (
            self.size + len(data) <= MOST_BYTES
            and format == self.format
            and one_of_many == self.one_of_many
            and (not one_of_many or number == self.first + len(self.data))
        )

    def block(self) -> Chunk:
        ends = np.cumsum([len(data) for data in self.data], dtype=np.int64)
        begins = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
        sources = IN_MEMORY_SOURCE if self.one_of_many else tuple(self.sources)
        data = b"".join(self.data)
        return Chunk(data, begins, ends, self.format, sources, self.first, self.one_of_many, apart=True)


def _small(item: object) -> RawRecord | None:
    """The only text of an item, where it is small and a text of its own."""
    if isinstance(item, Chunk) and len(item) == 1 and item.offset == 0:
        item = item.text(0) if int(item.ends[0] - item.begins[0]) <= _SMALL else None
    if not isinstance(item, RawRecord) or item.data is None or len(item.data) > _SMALL:
        return None
    is_alone = item.source == IN_MEMORY_SOURCE if item.one_of_many else item.record == 0
    return item if is_alone and not item.problems and item.offset == 0 else None


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
