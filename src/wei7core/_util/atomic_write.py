"""Temporary files: written next to the target, renamed when complete, removed if the writing process died.

A target has places for its temporary files and folders, numbered from 0, so that the next run knows where to look for
those that a killed one has left. Whoever writes holds a lock on what it writes, which ends with the process, however
that ends: what is locked belongs to a living run, and stays.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from binascii import crc32
from contextlib import suppress
from itertools import count
from typing import Any, Final

if sys.platform != "win32":
    import fcntl

__all__ = ["InterruptsLater", "lock_file", "new_file", "new_folder"]

_PLACES: Final = 8
"""Places in which leftovers are looked for: few runs write to one target at once, and fewer of them are killed."""

_OLD_FILE: Final = 60.0
_OLD_FOLDER: Final = 86_400.0
"""Seconds after which what nobody wrote to is a leftover, where there are no locks."""

_LOOK: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_MAKE: Final = (
    os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
) | getattr(os, "O_NOINHERIT", 0)


class InterruptsLater:
    """An interrupt that comes inside of this block is heeded at its end: what was made in it has a name by then.

    Python heeds it between any two steps, also between making a file and telling which it is. Only the main thread
    hears of interrupts; in others, and where the program has its own way with them, this does nothing.
    """

    def __init__(self) -> None:
        self._heed: Any = None
        self._come: tuple[int, Any] | None = None

    def __enter__(self) -> None:
        import signal

        if threading.current_thread() is threading.main_thread():
            heed = signal.getsignal(signal.SIGINT)
            if heed is signal.default_int_handler:
                self._heed = heed
                signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: Any) -> None:
        self._come = number, frame

    def __exit__(self, *_: object) -> None:
        if self._heed is not None:
            import signal

            signal.signal(signal.SIGINT, self._heed)
            if self._come is not None:
                self._heed(*self._come)


def new_file(target: str) -> tuple[str, int]:
    """Make an empty file next to `target`, and remove what killed runs to the same target have left.

    Returns its path and a descriptor, open for writing. A copy of the descriptor must stay open until the file has
    been renamed or removed; where it is closed before, another run may take the file for a leftover.
    Raises `OSError`. Thread safe.
    """
    folder = os.path.dirname(target)
    _clear(folder, target)
    for number in count():
        path = _place(folder, target, number)
        try:
            descriptor = os.open(path, _MAKE, 0o666)
        except FileExistsError:
            continue
        if _take_or_remove(path, descriptor):
            return path, descriptor
        os.close(descriptor)
    raise AssertionError


def new_folder(target: str, parent: str) -> tuple[str, int | None]:
    """Make an empty folder in `parent` for what is to become `target`, as `new_file` makes a file.

    The descriptor only holds the lock; it is None where folders cannot be locked.
    """
    _clear(parent, target)
    for number in count():
        path = _place(parent, target, number)
        try:
            os.mkdir(path)
        except FileExistsError:
            continue
        if sys.platform == "win32":
            return path, None
        try:
            descriptor = os.open(path, _LOOK)
        except FileNotFoundError:  # another run took it for a leftover
            continue
        except BaseException:
            os.rmdir(path)
            raise
        if _take_or_remove(path, descriptor):
            return path, descriptor
        os.close(descriptor)
    raise AssertionError


def lock_file(path: str, descriptor: int) -> bool:
    """Take the lock of an open file, which ends with the process or when it is closed; False where another has it.

    Where there are no locks every file is free.
    """
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return _is_there(path, descriptor)


def _place(folder: str, target: str, number: int) -> str:
    # Targets that have a mark in common do no harm: only what is dead is cleared away.
    mark = crc32(os.fsencode(os.path.basename(target)))
    return os.path.join(folder, f".wei7core-{mark:08x}-{number}.part")


def _clear(folder: str, target: str) -> None:
    for number in range(_PLACES):
        path = _place(folder, target, number)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        # What cannot be removed stays, and its place is taken.
        with suppress(OSError):
            _remove_if_dead(path, status)


def _remove_if_dead(path: str, status: os.stat_result) -> None:
    if sys.platform == "win32":
        # An open file cannot be removed there, but between its last byte and its new name it is closed.
        old = _OLD_FOLDER if stat.S_ISDIR(status.st_mode) else _OLD_FILE
        if time.time() - status.st_mtime > old:
            _remove(path)
        return
    descriptor = os.open(path, _LOOK)
    try:
        if _lock(descriptor, wait=False) and _is_there(path, descriptor):
            _remove(path)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil

        shutil.rmtree(path)
    else:
        os.unlink(path)


def _take(path: str, descriptor: int) -> bool:
    """Lock what was just made; False where another run took it for a leftover in between."""
    if sys.platform == "win32":
        return True
    _lock(descriptor, wait=True)
    return _is_there(path, descriptor)


def _take_or_remove(path: str, descriptor: int) -> bool:
    """As `_take`; who is interrupted meanwhile leaves nothing."""
    try:
        return _take(path, descriptor)
    except BaseException:
        os.close(descriptor)
        _remove(path)
        raise


def _is_there(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Whether the lock is held now; a file system without locks has none to give, and its leftovers stay."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
