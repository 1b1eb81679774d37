"""The journal of a live game: a file of lines that grows by one line an action and is whole after a kill at any byte.

The first line describes the game, each further one is an event. A line counts where it ends with a line feed and no
zero byte comes before it. What follows was begun by a killed process, or is room that it had reserved, and is cut off.

Where the system reserves room for files, lines are written to mapped memory, for less than the time of a system call;
they are in the file, whatever happens to the process, as soon as they are written.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import suppress
from mmap import mmap
from typing import Any, Final
from weakref import WeakSet

if sys.platform != "win32":
    import fcntl

from ..._util._native import MappedLines
from ..._util.files import chunks, write_whole

_FORMAT: Final = "wei7core-journal"
_VERSION: Final = 1
_MOST_BYTES: Final = 1 << 30
_LEAST_ROOM: Final = 1 << 15
_MOST_ROOM: Final = 1 << 20
_NO_ROOM: Final = frozenset({errno.EINVAL, errno.ENODEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})


class Journal:
    """A journal for more lines, opened for the first of them: to read a journal changes nothing.

    `size` are the bytes that are kept. One journal at a time writes to a file; another one's lines raise `OSError`.
    `lines` has the size, and the memory of lines. Thread safety: one thread at a time.
    """

    __slots__ = ("__weakref__", "_file", "_is_mapped", "_sync", "lines", "path")

    def __init__(self, path: str | os.PathLike[str], size: int, *, sync: bool = False) -> None:
        self.path = os.fspath(path)
        self._file = -1
        self.lines = MappedLines(size)
        self._sync = sync
        self._is_mapped = not sync and hasattr(os, "posix_fallocate")

    @staticmethod
    def create(path: str | os.PathLike[str], head: dict[str, Any], *, sync: bool = False) -> Journal:
        """Begin a journal; its first line appears whole or not at all. Raises `FileExistsError` and `OSError`."""
        if os.path.lexists(path):
            raise FileExistsError(f"{os.fspath(path)} exists already: LiveGame.recover continues it")
        text = json.dumps({"format": _FORMAT, "version": _VERSION, **head}) + "\n"
        with write_whole(path) as file:
            file.write(text)
        journal = Journal(path, len(text), sync=sync)
        journal._open()
        return journal

    def _open(self) -> None:
        self._file = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        try:
            if sys.platform != "win32":
                self._lock()
            os.lseek(self._file, self.lines.size, os.SEEK_SET)
            if b"\n" in os.read(self._file, _LEAST_ROOM).partition(b"\0")[0]:
                raise OSError(errno.EBUSY, "another game went on with the journal", self.path)
            self._cut()
        except BaseException:
            self._release()
            raise
        _open_journals.add(self)

    def _release(self) -> None:
        file, self._file = self._file, -1
        os.close(file)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError(errno.EBUSY, "another game writes to the journal", self.path) from None
        except OSError:
            self._is_mapped = False  # a file that another process may cut is not written through memory

    def write(self, line: bytes) -> None:
        """Add a line, with its end. Raises `OSError` and leaves the journal as it was where it is not written whole."""
        lines = self.lines
        if lines.add(line):
            return
        if self._file < 0:
            self._open()
        if not (self._is_mapped and self._reserve(len(line)) and lines.add(line)):
            self._write_out(line)

    def _reserve(self, size: int) -> bool:
        """Map room for `size` bytes and more; returns False where the system cannot.

        Without reserved room, a full disk would end the process at the write.
        """
        room = self.lines.size + size + min(max(self.lines.size, _LEAST_ROOM), _MOST_ROOM)
        try:
            os.posix_fallocate(self._file, 0, room)
            memory = mmap(self._file, room)
        except OSError as error:
            self._is_mapped = error.errno not in _NO_ROOM
            if self._is_mapped:
                raise
            self.lines.use(None)
            self._cut()
            return False
        self.lines.use(memory)
        return True

    def _write_out(self, line: bytes) -> None:
        size = len(line)
        try:
            written = os.write(self._file, line)
            while written < size:
                written += os.write(self._file, line[written:])
            if self._sync:
                os.fsync(self._file)
        except OSError:
            self._cut()
            raise
        self.lines.size += size

    def _cut(self) -> None:
        """Cut off what follows the lines, and go there."""
        os.ftruncate(self._file, self.lines.size)
        os.lseek(self._file, self.lines.size, os.SEEK_SET)

    def close(self) -> None:
        """Close the file; once more does nothing."""
        if self._file >= 0:
            try:
                self.lines.use(None)
                self._is_mapped = False
                self._cut()
                os.fsync(self._file)
            finally:
                self._release()

    def __del__(self) -> None:
        if getattr(self, "_file", -1) >= 0:
            with suppress(OSError):
                os.close(self._file)


_open_journals: Final[WeakSet[Journal]] = WeakSet()


def _close_all() -> None:
    """Close the journals of a parent process, which holds their locks: the next line opens the file anew."""
    for journal in _open_journals:
        if journal._file >= 0:
            journal.lines.use(None)
            journal._release()
    _open_journals.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_all)


def read_journal(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[bytes], int]:
    """Return the first line of a journal, its other lines, and their total size in bytes.

    Raises `OSError`, and `ValueError` if the file is not a journal or exceeds a gigabyte.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = b"".join(chunks(file, _MOST_BYTES + 1))
    if len(data) > _MOST_BYTES:
        raise ValueError(f"{name}: the journal has more than {_MOST_BYTES:,} bytes")
    end = data.find(b"\0")
    whole = data[: data.rfind(b"\n", 0, len(data) if end < 0 else end) + 1]
    first, *lines = whole.split(b"\n")[:-1] if whole else [b""]
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise ValueError(f"{name}: the file is not a journal of a live game, or its first line is not complete")
    if head.get("version") != _VERSION:
        raise ValueError(f"{name}: the version of the journal is {head.get('version')!r:.20}, and {_VERSION} is known")
    return head, lines, len(whole)
