"""Files of wei7: one record, or a record a line, split while they are read."""

from __future__ import annotations

from collections.abc import Iterator

from .._util.lazy_numpy import np
from ..errors import Problem
from ..formats import _native
from .chunks import MOST_BYTES, Chunk, RawRecord, Run, cut
from .read_buffer import READ_BYTES, ReadBuffer, next_size


def is_of_lines(buffer: ReadBuffer, limit: int, chunk: int = READ_BYTES) -> bool:
    """Return whether a source has a record a line.

    It has if the first line is a whole JSON object and the next one starts another. Reads as far as needed. Raises the
    errors of reading the source.
    """
    while (known := _native.is_of_lines(buffer.text, buffer.final, limit)) is None:
        buffer.fill(max(2 * len(buffer.text), len(buffer.text) + chunk))
    return known


def line_items(
    buffer: ReadBuffer, source: str, limit: int, too_long: Problem, chunk: int = READ_BYTES, number: int = 0
) -> Iterator[Chunk | RawRecord]:
    """Yield the records of a source with one a line, counted from `number`; blank lines are skipped.

    A line of more than `limit` bytes is omitted with the problem `too_long`. Raises the errors of reading the source.
    """
    start = 0
    while True:
        text = buffer.text
        begins, ends, start, stop = _native.split_lines(text, start, buffer.final, limit)
        for first, last in cut(begins, ends, max(chunk, MOST_BYTES)):
            begin, end = int(begins[first]), int(ends[last - 1])
            parts = slice(first, last)
            runs = (Run(source, last - first, number, True),)
            starts = np.zeros(1, np.int64)
            yield Chunk(text[begin:end], begins[parts] - begin, ends[parts] - begin, "wei7", runs, starts)
            number += last - first
        if stop == _native.LINE_REST:
            if buffer.final:
                return
            buffer.drop(start)
            start = 0
            buffer.fill(next_size(len(buffer.text), chunk, limit + 4))
            continue
        yield RawRecord(source, number, None, (too_long,), True)
        number += 1
        if stop == _native.LINE_CUT:
            buffer.drop(start)
            start = _line_end(buffer, chunk)


def _line_end(buffer: ReadBuffer, chunk: int) -> int:
    """Read to the end of a line, and return the offset of the next one in the buffer."""
    while True:
        end = bytes(buffer.text).find(b"\n") + 1
        if end or buffer.final:
            return end or len(buffer.text)
        buffer.drop(len(buffer.text))
        buffer.fill(chunk)


def whole_item(
    buffer: ReadBuffer, source: str, limit: int, problems: tuple[Problem, ...], too_long: Problem, format: str = "wei7"
) -> Chunk | RawRecord:
    """Return the whole content of a source as one record; `problems` are those of the file. Raises the errors of
    reading.
    """
    buffer.fill(limit + 1)
    size = len(buffer.text)
    if size > limit:
        return RawRecord(source, 0, None, (*problems, too_long), False, format)
    if problems:
        return RawRecord(source, 0, bytes(buffer.text), problems, False, format)
    begins = np.zeros(1, np.int64)
    return Chunk(buffer.text, begins, np.array([size], np.int64), format, (Run(source, 1, 0, False),), begins)
