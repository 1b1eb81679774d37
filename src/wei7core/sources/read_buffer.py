"""A sliding read buffer over a source: unconsumed bytes and newly read ones, contiguous in memory."""

from __future__ import annotations

from collections import deque
from typing import BinaryIO, Final, Protocol

from .._util._native import PooledBuffer

READ_BYTES: Final = 1 << 20
"""Bytes that are read at once."""

_STEP: Final = 1 << 18  # sizes of buffers are rounded up to it, so that they fit again
_LARGEST_KEPT: Final = 1 << 24
_MOST_KEPT: Final = 32


class ReadBuffer(Protocol):
    """A part of a source.

    `text` is the unconsumed part of the bytes read so far; `final`: the source ends with it. Moving on never changes an
    earlier `text`: blocks of records reference it.
    """

    text: memoryview
    final: bool

    def fill(self, wanted: int) -> None:
        """Make `text` `wanted` bytes long, or end it where the source does."""

    def drop(self, count: int) -> None:
        """Move on past the first `count` bytes of `text`."""


def next_size(size: int, chunk: int, most: int) -> int:
    """Return the size in bytes to fill a buffer to that has `size` unconsumed ones, the start of a record.

    A small rest counts towards the next `chunk`, else each chunk would end with a block of one record. An incomplete
    record is scanned again only when there is twice as much of it, or `most`.
    """
    return chunk if 2 * size <= chunk else max(size + chunk, min(2 * size, most))


class FileReadBuffer:
    """A read buffer over a file, which is read in large pieces, each into unreferenced memory.

    Files are read, not mapped: truncation of a mapped file by another process would kill this one. Reading costs one
    more copy, within the cache.
    """

    def __init__(self, file: BinaryIO, buffers: BufferPool | None = None) -> None:
        self._file = file
        self._buffers = buffers or BufferPool()
        self.text = memoryview(b"")
        self.final = False

    def fill(self, wanted: int) -> None:
        """See `ReadBuffer`. Raises what reading the file raises."""
        size = len(self.text)
        if self.final or size >= wanted:
            return
        # Not all at once: little may follow, and `wanted` may be a limit.
        room = min(wanted, size + max(size, READ_BYTES))
        buffer = self._buffers.take(room, self.text)
        while size < wanted:
            if size == room:
                room = min(wanted, 2 * room)
                buffer = self._buffers.take(room, buffer)
            count: int = self._file.readinto(buffer[size:])  # type: ignore[attr-defined]  # of a binary file
            if not count:
                self.final = True
                break
            size += count
        self.text = buffer[:size].toreadonly()

    def drop(self, count: int) -> None:
        """See `ReadBuffer`."""
        self.text = self.text[count:]


class MemoryReadBuffer:
    """A read buffer over bytes that are in memory; nothing is copied."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._rest = memoryview(data).toreadonly()
        self.text = self._rest[:0]
        self.final = False

    def fill(self, wanted: int) -> None:
        """See `ReadBuffer`."""
        self.final = len(self._rest) < wanted
        self.text = self._rest[:wanted]

    def drop(self, count: int) -> None:
        """See `ReadBuffer`."""
        self._rest = self._rest[count:]
        self.text = self.text[count:]


class BufferPool:
    """A pool of memory to read into, reused when its last reference is gone.

    New memory would be mapped, faulted in page by page and unmapped for each piece of a file, by all threads in turn.
    At most `kept` pieces of it wait to be reused.

    Thread safety: any number of threads may acquire memory.
    """

    def __init__(self, kept: int = _MOST_KEPT) -> None:
        self._free: deque[bytearray] = deque(maxlen=kept)

    def take(self, size: int, start: memoryview) -> memoryview:
        """Return `size` bytes that start with `start`; the rest is uninitialised."""
        memory = self._unused(size) or bytearray(-(-size // _STEP) * _STEP)
        view = memoryview(PooledBuffer(memory, self._free if len(memory) <= _LARGEST_KEPT else None))[:size]
        view[: len(start)] = start
        return view

    def _unused(self, size: int) -> bytearray | None:
        """Returned memory of `size` bytes or more."""
        try:
            for _ in range(len(self._free)):
                memory = self._free.pop()  # the last one is most likely in the cache
                if len(memory) >= size:
                    return memory
                self._free.appendleft(memory)
        except IndexError:  # another thread has taken the last one
            pass
        return None
