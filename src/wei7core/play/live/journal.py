"""The journal of a live game: a file of lines that grows by one line an action and is whole after a kill at any byte.

The first line says what the game is, each further one is an event. A line counts where it ends with a line feed: what
follows the last one is what a killed process had begun to write, and is cut off.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from ..._util.files import chunks, write_whole

__all__ = ["Journal", "read_journal"]

_FORMAT: Final = "wei7core-journal"
_VERSION: Final = 1
_MOST_BYTES: Final = 1 << 30


class Journal:
    """An open journal. Thread safety: one thread at a time."""

    __slots__ = ("_file", "_size", "_sync", "path")

    def __init__(self, path: str | os.PathLike[str], size: int, *, sync: bool = False) -> None:
        """Open a journal for more lines; `size` are the bytes that it keeps. Use `create` for a new one."""
        self.path = os.fspath(path)
        self._file = os.open(self.path, os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        self._size = size
        self._sync = sync
        os.ftruncate(self._file, size)
        os.lseek(self._file, size, os.SEEK_SET)

    @staticmethod
    def create(path: str | os.PathLike[str], head: dict[str, Any], *, sync: bool = False) -> Journal:
        """Begin a journal; its first line appears whole or not at all. Raises `FileExistsError` and `OSError`."""
        if os.path.lexists(path):
            raise FileExistsError(f"{os.fspath(path)} exists already: LiveGame.recover continues it")
        text = json.dumps({"format": _FORMAT, "version": _VERSION, **head}) + "\n"
        with write_whole(path) as file:
            file.write(text)
        return Journal(path, len(text), sync=sync)

    def write(self, line: str) -> None:
        """Add a line. Raises `OSError` and leaves the journal as it was where it cannot be written whole."""
        data = f"{line}\n".encode()
        try:
            written = os.write(self._file, data)
            while written < len(data):
                written += os.write(self._file, data[written:])
            if self._sync:
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Close the file; once more does nothing."""
        if self._file >= 0:
            file, self._file = self._file, -1
            try:
                os.fsync(file)
            finally:
                os.close(file)


def read_journal(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[bytes], int]:
    """Return the first line of a journal, its other lines, and the bytes of all of them.

    Raises `OSError`, and `ValueError` where the file is no journal or more than a gigabyte.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = b"".join(chunks(file, _MOST_BYTES + 1))
    if len(data) > _MOST_BYTES:
        raise ValueError(f"{name}: the journal has more than {_MOST_BYTES:,} bytes")
    whole = data[: data.rfind(b"\n") + 1]
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
