"""Records as they come from their sources: the text of one, and blocks of many in one buffer."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .errors import Problem
from .games import _Place

__all__ = ["RecordBlock", "RecordText", "blocks_of"]


@dataclass(frozen=True, slots=True)
class RecordText:
    """The bytes of one record and where they stand.

    `source` is the path as it was given, or found, and for a file inside an
    archive `archive.zip!/inner/name.sgf`; `record` counts from 0 inside
    it. `data` is None where the record was not read, and the last of `problems`
    then says why; else they are about the file, not its text. `one_of_many`:
    the source may hold more records than this one.

    `format` is the format it was recognised as (`wei7`, `sgf`). `offset`, `line`
    and `column` are where `data` starts in an SGF source (a wei7 record is a
    source of its own).
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
        """Return a problem of `data` with its place counted from the start of the source."""
        if self.offset == 0:
            return problem
        return replace(
            problem,
            offset=self.offset + problem.offset,
            line=self.line + problem.line - 1,
            column=problem.column + (self.column - 1 if problem.line == 1 else 0),
        )


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """Records that stand in one buffer, most of them of one source."""

    data: bytes | mmap.mmap | memoryview
    begins: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    format: str
    sources: str | tuple[str, ...]
    first: int
    one_of_many: bool
    offset: int = 0
    line: int = 1
    column: int = 1

    def __len__(self) -> int:
        return len(self.begins)

    def text(self, index: int) -> RecordText:
        """Return record `index` as the text that iterating over the sources gives."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        data = bytes(self.data[begin:end])
        alone = isinstance(self.sources, str)
        source = self.sources if isinstance(self.sources, str) else self.sources[index]
        record = self.first + index if alone else 0
        if self.format != "sgf" or not alone:
            return RecordText(source, record, data, (), self.one_of_many, self.format)
        place = _Place()
        place.offset, place.line, place.column = self.offset, self.line, self.column
        place.advance(bytes(self.data[:begin]))
        return RecordText(
            source, record, data, (), self.one_of_many, self.format, place.offset, place.line, place.column
        )


def blocks_of(texts: Iterable[RecordText]) -> Iterator[RecordBlock | RecordText]:
    """Join texts that follow each other into blocks."""
    waiting: list[RecordText] = []
    size = 0
    for text in texts:
        joins = text.data is not None and not text.problems
        if waiting and (not joins or size >= 1 << 20 or len(waiting) == 4096 or not _follows(waiting[-1], text)):
            yield _joined(waiting)
            waiting, size = [], 0
        if joins:
            waiting.append(text)
            size += len(text.data or b"")
        else:
            yield text
    if waiting:
        yield _joined(waiting)


def _follows(last: RecordText, text: RecordText) -> bool:
    return (last.source, last.format, last.one_of_many, last.record + 1) == (
        text.source,
        text.format,
        text.one_of_many,
        text.record,
    ) and text.offset == (last.offset + len(last.data or b"") if text.format == "sgf" else 0)


def _joined(texts: list[RecordText]) -> RecordBlock:
    first = texts[0]
    ends = np.cumsum([len(text.data or b"") for text in texts], dtype=np.int64)
    begins = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    data = b"".join([text.data or b"" for text in texts])
    return RecordBlock(
        data,
        begins,
        ends,
        first.format,
        first.source,
        first.record,
        first.one_of_many,
        first.offset,
        first.line,
        first.column,
    )
