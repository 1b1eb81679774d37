"""Large files of a record a line, cut into ranges that threads read each for itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..errors import Problem
from .chunks import RecordBlock, RecordText, unreadable
from .read_buffer import Buffers
from .record_lines import line_items

__all__ = ["CAN_READ_RANGES", "LEAST_BYTES", "LineFile", "LineRange"]

CAN_READ_RANGES: Final = hasattr(os, "preadv")
"""Whether the system reads at a place of a file without moving the place where others read."""

LEAST_BYTES: Final = 1 << 24
"""Bytes of a file that is worth it."""

_RANGE: Final = 1 << 23  # handed to a thread at once: what Python does for it takes a fiftieth of the time
_FIRST_RANGE: Final = 1 << 25  # the same while another thread loads modules, which lets nobody in for milliseconds
_FIRST_BYTES: Final = 1 << 28
_LINE: Final = 1 << 15  # bytes that are read at once where a line is to end soon


class LineFile:
    """An open file, which is closed when nothing looks at it any more.

    Thread safety: any number of threads may read ranges of it.
    """

    def __init__(self, descriptor: int, source: str, limit: int, too_long: Problem) -> None:
        """Take over `descriptor`. `source`, `limit` and `too_long` are as in
        `wei7core.sources.record_lines.line_items`."""
        self.descriptor = descriptor
        self.source = source
        self.limit = limit
        self.too_long = too_long
        self.buffers = Buffers()

    def __del__(self) -> None:
        os.close(self.descriptor)

    def ranges(self, size: int | None = None) -> Iterator[LineRange]:
        """Yield ranges that come to the whole file, of `size` bytes or as they suit threads best; the last one ends
        where the file does when it is read."""
        end = os.fstat(self.descriptor).st_size
        large = _FIRST_BYTES if end >= 2 * _FIRST_BYTES else 0  # else there would be work for few threads
        begin = 0
        while begin < max(end, 1):
            after = begin + (size or (_FIRST_RANGE if begin < large else _RANGE))
            yield LineRange(self, begin, after if after < end else None)
            begin = after


class LineRange(NamedTuple):
    """The lines of a file that start at bytes `begin` up to `end`, which is None for the end of the file.

    How many they are is known when they are read: their records are counted from 0.
    """

    file: LineFile
    begin: int
    end: int | None

    @property
    def size(self) -> int:
        """Bytes of the range."""
        end = os.fstat(self.file.descriptor).st_size if self.end is None else self.end
        return max(end - self.begin, 0)

    def items(self, chunk: int = _RANGE + _LINE) -> Iterator[RecordBlock | RecordText]:
        """Yield the records, as `line_items` does; where reading fails, a `RecordText` says so."""
        file = self.file
        count = 0
        try:
            window = _RangeWindow(file, self.begin, self.end)
            for item in line_items(window, file.source, file.limit, file.too_long, chunk):
                yield item
                count += len(item) if isinstance(item, RecordBlock) else 1
        except OSError as error:
            yield unreadable(error, file.source, count)


class _RangeWindow:
    """A window (`wei7core.sources.read_buffer.Window`) on the lines of a range; the last line may end after it."""

    def __init__(self, file: LineFile, begin: int, end: int | None) -> None:
        self._file = file
        self._end = end
        self._at = begin  # of what is read next
        self.text = memoryview(b"")
        self.final = False
        if begin:
            self._find_start()

    def _find_start(self) -> None:
        """Go to where the first line of the range starts; the byte before the range says whether it does there."""
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
        """See `Window`. Raises what reading the file raises."""
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
        """How many of the `count` bytes that were read belong to the range; sets `final` where it ends with them."""
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
        """See `Window`."""
        self.text = self.text[count:]
