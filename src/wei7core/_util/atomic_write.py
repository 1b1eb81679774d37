"""Temporary files: written next to the target, renamed when complete, removed if the writing process died.

The temporary files and folders of a target have numbered names, from 0, so that the next run finds those of a killed
one. A run locks its temporary file; the lock ends with the process, however it ends. A locked file belongs to a living
run and is kept.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final

if sys.platform != "win32":
    import fcntl

_PLACES: Final = 8
"""Numbers that are searched for leftovers: few runs write to one target at once, and fewer of them are killed."""

_OLD_FILE: Final = 60.0
_OLD_FOLDER: Final = 86_400.0
"""Age in seconds, since the last write, from which a file is a leftover on a file system without locks."""

_LOOK: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_MAKE: Final = (
    os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
) | getattr(os, "O_NOINHERIT", 0)


class InterruptsLater:
    """Defers SIGINT until the block exits, so that no temporary file is created without its path being recorded.

    Python can raise KeyboardInterrupt between any two steps. Only the main thread receives signals; in other threads,
    and where the program has its own handler, this has no effect.
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
    """Create an empty file next to `target`, and remove leftovers of killed runs to the same target.

    Returns its path and a descriptor, open for writing. A copy of the descriptor must stay open until the file has been
    renamed or removed; if it is closed earlier, another run may take the file for a leftover. Raises `OSError`. Thread
    safe.
    """
    path, descriptor = _new(os.path.dirname(target), target, lambda path: os.open(path, _MAKE, 0o666))
    assert descriptor is not None
    return path, descriptor


def new_folder(target: str, parent: str) -> tuple[str, int | None]:
    """Create an empty folder in `parent` that will become `target`, as `new_file` creates a file.

    The descriptor serves only as a lock; it is None where folders cannot be locked.
    """
    return _new(parent, target, _made_folder)


def _new(folder: str, target: str, make: Callable[[str], int | None]) -> tuple[str, int | None]:
    for number in range(_PLACES):
        # A file that cannot be removed stays, and its number is in use.
        with suppress(OSError):
            _remove_if_dead(_place(folder, target, number))
    for number in count():
        path = _place(folder, target, number)
        try:
            descriptor = make(path)
        except FileExistsError:
            continue
        if descriptor is None or sys.platform == "win32":
            return path, descriptor
        try:
            _lock(descriptor, wait=True)
            if _is_there(path, descriptor):
                return path, descriptor
        except BaseException:  # an interrupt leaves no file
            os.close(descriptor)
            _remove(path)
            raise
        os.close(descriptor)  # another run took it for a leftover
    raise AssertionError


def _made_folder(path: str) -> int | None:
    os.mkdir(path)
    if sys.platform == "win32":
        return None
    try:
        return os.open(path, _LOOK)
    except FileNotFoundError:
        raise FileExistsError from None  # another run took it for a leftover
    except BaseException:
        os.rmdir(path)
        raise


def lock_file(path: str, descriptor: int) -> bool:
    """Lock an open file until it is closed or the process ends; False if another process has the lock.

    Without locks every file counts as free.
    """
    locked = _lock(descriptor, wait=False)
    return locked is None or (locked and _is_there(path, descriptor))


def _place(folder: str, target: str, number: int) -> str:
    # Two targets with the same mark do no harm: only files of dead runs are removed.
    mark = crc32(os.fsencode(os.path.basename(target)))
    return os.path.join(folder, f".wei7core-{mark:08x}-{number}.part")


def _remove_if_dead(path: str) -> None:
    status = os.lstat(path)
    if sys.platform == "win32":
        # An open file cannot be removed there, but between its last byte and its new name it is closed.
        if time.time() - status.st_mtime > (_OLD_FOLDER if stat.S_ISDIR(status.st_mode) else _OLD_FILE):
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


def _is_there(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int, *, wait: bool) -> bool | None:
    """Whether the file was locked; None on a file system without locks, where leftovers stay."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
