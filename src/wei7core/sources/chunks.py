"""The raw text of records: of one record, and of many in one buffer."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from .._util._native import BufferOwner
from .._util.lazy_numpy import np
from ..errors import Problem, whole_problem
from ..formats import _native

if TYPE_CHECKING:
    import mmap

    import numpy.typing as npt

IN_MEMORY_SOURCE: Final = "<bytes>"
"""The source of records that were given as bytes."""

MOST_BYTES: Final = 1 << 20
"""Bytes of text at which a block ends; only a single larger record exceeds it."""

MOST_RECORDS: Final = 4096
"""Records of a block at most."""

FIRST_GATHERED: Final = 64
"""Small records of the first block; then twice as many each time, so that the first rows come early."""

_Other = TypeVar("_Other")

_NO_SPACE: Final = re.compile(rb"[^ \t\n\r\f\v]")
_IS_SPACE: Final = bytes(not _NO_SPACE.match(bytes([byte])) for byte in range(256))
_LITTLE_SPACE: Final = 64  # bytes searched in many parts at once; longer white space is rare


class Run(NamedTuple):
    """Consecutive `records` of `source`, from its number `first` on; `one_of_many` is as in `RawRecord`."""

    source: str
    records: int
    first: int
    one_of_many: bool


class WholeText(NamedTuple):
    """The records of a small text, or of a few, read as a whole: fields as in `Chunk` and `Run`.

    Offsets and `starts` are the bytes of int64s.
    """

    data: bytes | memoryview
    begins: bytes
    ends: bytes
    format: str
    source: str
    records: int
    first: int
    one_of_many: bool
    starts: bytes = bytes(8)


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
        """Return the chunk of this record alone, which must have been read; it has none of the `problems`."""
        assert self.data is not None
        begins, ends = np.zeros(1, np.int64), np.array([len(self.data)])
        runs = (Run(self.source, 1, self.record, self.one_of_many),)
        return Chunk(self.data, begins, ends, self.format, runs, begins, self.offset, self.line, self.column)

    def placed(self, problem: Problem) -> Problem:
        """Return a problem of `data`, its place relative to the start of the source."""
        if self.offset == 0:
            return problem
        column = problem.column + (self.column - 1 if problem.line == 1 else 0)
        place = self.offset + problem.offset, self.line + problem.line - 1, column
        return Problem(problem.code, problem.clause, problem.severity, *place, problem.path, problem.message)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Records in one buffer.

    `data` must not be changed; a memoryview is stored as `BufferOwner`. `begins` and `ends` are the byte offsets of
    each record in it. `format` is the detected format, `runs` are the sources of all records. Of SGF, `starts` are the
    ascending numbers, from 0, of the records with which a text begins, and `offset`, `line` and `column` the place of
    the first record in its text. `places` are the offsets, lines and columns at which the records start in their
    source, where `data` does not have them: games of a text in UTF-16 or UTF-32 have a byte order mark each.

    Thread safety: any number of threads may use it.
    """

    data: bytes | mmap.mmap | memoryview | BufferOwner
    begins: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    format: str
    runs: tuple[Run, ...]
    starts: npt.NDArray[np.int64]
    offset: int = 0
    line: int = 1
    column: int = 1
    places: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None
    _run_ends: list[int] = field(init=False, repr=False, compare=False)
    # (offset in data, line, column) of the last requested record: most requests come in order. Threads share it.
    _reached: list[tuple[int, int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.data, memoryview):
            object.__setattr__(self, "data", BufferOwner(self.data))
        object.__setattr__(self, "_run_ends", list(accumulate(run.records for run in self.runs)))
        object.__setattr__(self, "_reached", [(int(self.begins[0]), self.line, self.column)])

    def __len__(self) -> int:
        return len(self.begins)

    def text(self, index: int) -> RawRecord:
        """Return record `index` of the block, from 0, with a copy of its bytes and its place in its source."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        data = bytes(memoryview(self.data)[begin:end])
        (run,) = self.runs_of(index, index + 1)
        offset = int(self.source_offsets_of(index))
        place = offset, *self._line_and_column(index)
        return RawRecord(run.source, run.first, data, (), run.one_of_many, self.format, *place)

    def texts(self, indices: npt.NDArray[np.int64] | None = None) -> Iterator[RawRecord]:
        """Yield the records of the block of ascending numbers, by default all, as `text` returns them."""
        some = np.arange(len(self)) if indices is None else indices
        begins = self.begins[some]
        columns = (some, begins, self.ends[some], *self.places_of(some, begins))
        memory = memoryview(self.data)
        for index, begin, end, *place in zip(*(column.tolist() for column in columns), strict=True):
            owner = bisect_right(self._run_ends, index)
            run, data = self.runs[owner], bytes(memory[begin:end])
            number = run.first + run.records - (self._run_ends[owner] - index)
            yield RawRecord(run.source, number, data, (), run.one_of_many, self.format, *place)

    def runs_of(self, begin: int, end: int) -> list[Run]:
        """Return the sources of records `begin` up to `end`, at least one."""
        first, last = bisect_right(self._run_ends, begin), bisect_left(self._run_ends, end)
        runs = list(self.runs[first : last + 1])
        runs[-1] = runs[-1]._replace(records=runs[-1].records - (self._run_ends[last] - end))
        before = begin - (self._run_ends[first] - self.runs[first].records)
        runs[0] = runs[0]._replace(records=runs[0].records - before, first=runs[0].first + before)
        return runs

    def source_offsets_of(self, indices: int | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the offsets of some records in their sources, as in `text`."""
        if self.places is not None:
            return np.asarray(self.places[0][indices])
        starts = self._starts_of(indices)
        offsets = self.begins[indices] - self.begins[starts] + (starts == 0) * self.offset
        return np.asarray(offsets * (self.format == "sgf"))

    def places_of(
        self, indices: npt.NDArray[np.int64], offsets: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return offsets, lines and columns, in their sources, of bytes of `data`, one in each of some records of
        ascending numbers; with `places` only first bytes have their own lines and columns.
        """
        if self.places is not None:
            starts, lines, columns = (column[indices] for column in self.places)
            return starts + offsets - self.begins[indices], lines, columns
        if not len(indices) or self.format != "sgf":
            return np.zeros(len(indices), np.int64), np.ones(len(indices), np.int64), np.ones(len(indices), np.int64)
        first = int(indices[0])
        in_sources = self.source_offsets_of(indices) + offsets - self.begins[indices]
        starts = self.begins[np.maximum(self._starts_of(indices), first)]
        return in_sources, *_native.places_of(self.data, offsets, starts, *self._line_and_column(first))

    def _starts_of(self, indices: int | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The numbers of the records with which the texts of some records begin."""
        return np.asarray(self.starts[self.starts.searchsorted(indices, "right") - 1])

    def _line_and_column(self, index: int) -> tuple[int, int]:
        """Line and column at which a record starts in its source."""
        if self.places is not None:
            _, lines, columns = self.places
            return int(lines[index]), int(columns[index])
        if self.format != "sgf":
            return 1, 1
        start = int(self._starts_of(index))
        begin, begin_of_text = int(self.begins[index]), int(self.begins[start])
        known, line, column = self._reached[0]
        if not begin_of_text <= known <= begin:
            known, line, column = begin_of_text, *((1, 1) if start else (self.line, self.column))
        line, column = _native.pass_text(self.data, known, begin, line, column)
        self._reached[0] = (begin, line, column)
        return line, column


def numbers_of(runs: Sequence[Run]) -> npt.NDArray[np.int64]:
    """Return the numbers of all records of `runs` in their sources."""
    counts, firsts = (np.array([run[field] for run in runs], np.int64) for field in (1, 2))
    return np.arange(counts.sum(), dtype=np.int64) + np.repeat(firsts - np.cumsum(counts) + counts, counts)


def owners_of(runs: Sequence[Run], places: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return the number of the run of each of some records, of those places among all of `runs`."""
    return np.asarray(np.searchsorted(np.cumsum([run.records for run in runs]), places, "right"))


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


def gather_small(items: Iterable[WholeText | _Other]) -> Generator[Chunk | _Other, None, None]:
    """Pass items on; combine small texts into blocks."""
    group: list[WholeText] = []
    most = FIRST_GATHERED
    count = size = 0
    for item in items:
        if group and (
            not isinstance(item, WholeText)
            or item.format != group[0].format
            or count + item.records > MOST_RECORDS
            or size + len(item.data) > MOST_BYTES
        ):
            yield _joined(group)
            group, count, size = [], 0, 0
        if not isinstance(item, WholeText):
            yield item
            continue
        group.append(item)
        count += item.records
        size += len(item.data)
        if count >= most:
            yield _joined(group)
            group, count, size = [], 0, 0
            most = min(2 * most, MOST_RECORDS)
    if group:
        yield _joined(group)


def _joined(texts: list[WholeText]) -> Chunk:
    """The block of texts of one format."""
    data, begins, ends, formats, *fields, starts = zip(*texts, strict=True)
    counts = np.array(fields[1], np.int64)
    sizes = np.fromiter(map(len, data), np.int64, len(data))
    shifts = np.repeat(np.cumsum(sizes) - sizes, counts)
    begin, end, start = (np.frombuffer(b"".join(offsets), np.int64) for offsets in (begins, ends, starts))
    in_each = [len(some) // 8 for some in starts]
    first, last = texts[0], texts[-1]
    total = last.first + last.records - first.first
    if first.source == last.source == IN_MEMORY_SOURCE and total == counts.sum():  # none of a file among them
        runs: tuple[Run, ...] = (Run(first.source, total, first.first, first.one_of_many),)
    else:
        runs = tuple(map(Run, *fields))
    starts_of = start + np.repeat(np.cumsum(counts) - counts, in_each)
    return Chunk(b"".join(data), begin + shifts, end + shifts, formats[0], runs, starts_of)


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
