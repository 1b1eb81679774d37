"""Large JSONL files, split into byte ranges that threads read independently."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..errors import Problem
from .chunks import Chunk, RawRecord, unreadable
from .read_buffer import BufferPool
from .record_lines import line_items

CAN_READ_RANGES: Final = hasattr(os, "preadv")
"""Whether the system can read at an offset without moving the file position (`os.preadv`)."""

LEAST_BYTES: Final = 1 << 24
"""Size in bytes from which a file is split."""

_RANGE: Final = 1 << 23  # of one task of a thread: Python's share is a fiftieth of its time
_FIRST_RANGE: Final = 1 << 25  # the same while another thread imports modules, which keeps the GIL for milliseconds
_FIRST_BYTES: Final = 1 << 28
_LINE: Final = 1 << 15  # bytes of a read that looks for the end of a line


class LineFile:
    """An open file, closed with its last reference.

    Thread safety: any number of threads may read ranges of it.
    """

    def __init__(self, descriptor: int, source: str, limit: int, too_long: Problem) -> None:
        """Take over `descriptor`. `source`, `limit` and `too_long` are as in
        `wei7core.sources.record_lines.line_items`.
        """
        self.descriptor = descriptor
        self.source = source
        self.limit = limit
        self.too_long = too_long
        self.buffers = BufferPool()

    def __del__(self) -> None:
        os.close(self.descriptor)

    def ranges(self, size: int | None = None) -> Iterator[ByteRange]:
        """Yield ranges that cover the whole file, of `size` bytes or of a size that suits the threads; the last one
        ends at the end of the file at the time it is read.
        """
        end = os.fstat(self.descriptor).st_size
        large = _FIRST_BYTES if end >= 2 * _FIRST_BYTES else 0  # else few threads would have work
        begin = 0
        while begin < max(end, 1):
            after = begin + (size or (_FIRST_RANGE if begin < large else _RANGE))
            yield ByteRange(self, begin, after if after < end else None)
            begin = after


class ByteRange(NamedTuple):
    """The lines of a file that start at bytes `begin` up to `end`, None for the end of the file.

    Their number is not known before they are read: records are counted from 0.
    """

    file: LineFile
    begin: int
    end: int | None

    @property
    def size(self) -> int:
        """Bytes of the range."""
        end = os.fstat(self.file.descriptor).st_size if self.end is None else self.end
        return max(end - self.begin, 0)

    def items(self, chunk: int = _RANGE + _LINE) -> Iterator[Chunk | RawRecord]:
        """Yield the records, as `line_items` does; a failure to read is reported in a `RawRecord`."""
        file = self.file
        count = 0
        try:
            buffer = _RangeReadBuffer(file, self.begin, self.end)
            for item in line_items(buffer, file.source, file.limit, file.too_long, chunk):
                yield item
                count += len(item) if isinstance(item, Chunk) else 1
        except OSError as error:
            yield unreadable(error, file.source, count)


class _RangeReadBuffer:
    """A read buffer over the lines of a range; the last line may end after it."""

    def __init__(self, file: LineFile, begin: int, end: int | None) -> None:
        self._file = file
        self._end = end
        self._at = begin  # of the next read
        self.text = memoryview(b"")
        self.final = False
        if begin:
            self._find_start()

    def _find_start(self) -> None:
        """Move to the start of the first line of the range; the byte before the range shows whether a line starts
        there.
        """
        self._at -= 1
        while not self.final:
            wanted = _LINE if self._end is None else min(_LINE, self._end - 1 - self._at)
            data = os.pread(self._file.descriptor, wanted, self._at) if wanted > 0 else b""
            place = data.find(b"\n")
            if place >= 0:
                self._at += place + 1
                return
            self._at += len(data)
            self.final = not data

    def fill(self, wanted: int) -> None:
        """See `ReadBuffer`. Raises what reading the file raises."""
        size = len(self.text)
        if self.final or size >= wanted:
            return
        buffer = self._file.buffers.take(wanted, self.text)
        while size < wanted and not self.final:
            stop = wanted
            if self._end is not None:
                stop = min(wanted, size + max(self._end - self._at, 0) + _LINE)
            count = self._within(buffer[size:stop], os.preadv(self._file.descriptor, [buffer[size:stop]], self._at))
            self._at += count
            size += count
        self.text = buffer[:size].toreadonly()

    def _within(self, data: memoryview, count: int) -> int:
        """How many of the `count` bytes read belong to the range; sets `final` if the range ends with them."""
        if count == 0:
            self.final = True
        elif self._end is not None and self._at + count >= self._end:
            last = max(self._end - 1 - self._at, 0)
            place = bytes(data[last:count]).find(b"\n")
            if place >= 0:
                self.final = True
                return last + place + 1
        return count

    def drop(self, count: int) -> None:
        """See `ReadBuffer`."""
        self.text = self.text[count:]
