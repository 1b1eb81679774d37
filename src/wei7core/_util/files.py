"""Files: how records are named, reading in pieces, and writing that appears whole or not at all."""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Final, TextIO

from .atomic_write import InterruptsLater, new_file, new_folder

WEI7_SUFFIX: Final = ".wei7"
"""The suffix of wei7 files (clause 3.1)."""

_CHUNK: Final = 1 << 20


def suffix_code(name: str) -> str | None:
    """Return the code of the problem of the suffix of a wei7 file (`file-suffix`, `file-suffix-case`), or None."""
    if name.endswith(WEI7_SUFFIX):
        return None
    return "file-suffix-case" if name.lower().endswith(WEI7_SUFFIX) else "file-suffix"


def chunks(file: BinaryIO, count: int) -> Iterator[bytes]:
    """Read at most `count` bytes, in pieces: a single read would allocate memory for all of `count`."""
    while count > 0 and (chunk := file.read(min(count, _CHUNK))):
        count -= len(chunk)
        yield chunk


@contextmanager
def write_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes the name `path` when the block ends, and is removed if the block raises.

    It is written next to its target, links followed, and then renamed, so no reader ever sees a part of it; leftovers
    of killed runs to the same target are removed first. A target that exists keeps its permissions; one that is no
    regular file, such as a pipe, is written to directly. Characters that UTF-8 cannot encode (half of a surrogate pair,
    in names of files) are escaped. Line ends are written as they are given. Raises `OSError`, which names `path`.
    """
    name = os.fspath(path)
    # Before links are followed: no file has the name of the pipe that /dev/stdout links to.
    if is_special(name):
        with _text_file(name, "w", name) as file:
            yield file
        return
    target = os.path.realpath(name)
    if os.path.isdir(target):
        raise IsADirectoryError(f"{name} is a folder")
    temporary = lock = None
    try:
        with InterruptsLater():
            temporary, descriptor = new_file(target)
            # Until the file has its name; on Windows, what is open can be neither renamed nor removed.
            lock = None if os.name == "nt" else os.dup(descriptor)
            text = _text_file(descriptor, "w", name)
        with text as file:
            yield file
        replace_file(temporary, target)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError) and (temporary is None or error.filename == temporary):
            error.filename = name
        raise
    finally:
        if lock is not None:
            os.close(lock)


def replace_file(made: str, target: str) -> None:
    """Give the file `made` the name `target`, and the permissions of the file that has it."""
    with suppress(OSError):  # there is none yet, or the file system has no permissions
        os.chmod(made, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(made, target)


def write_bytes_whole(path: str, parts: Iterable[Any]) -> None:
    """Write `parts`, objects with the buffer protocol, to the file `path` as `write_whole` does.

    When this returns the file survives a power failure.
    """
    with write_whole(path) as file:
        for part in parts:
            file.buffer.write(part)
        file.flush()
        try:
            os.fsync(file.fileno())
        except OSError as error:  # a full disk
            error.filename = path
            raise


@contextmanager
def temporary_folder(target: str, parent: str, shown: str) -> Iterator[str]:
    """Yield a new hidden folder in `parent`, which is removed if the block raises an exception.

    `target` is what the block makes of it, `shown` its name in errors. Leftovers of killed runs to the same target are
    removed first. Raises `OSError`.
    """
    staging, lock = "", None
    try:
        with InterruptsLater():
            staging, lock = new_folder(target, parent)
        yield staging
    except BaseException as error:
        if staging:
            shutil.rmtree(staging, ignore_errors=True)
        # Writes to a full disk name no file.
        if isinstance(error, OSError) and (error.filename is None or str(error.filename).startswith(staging)):
            error.filename = shown
        raise
    finally:
        if lock is not None:
            os.close(lock)


@contextmanager
def whole_folder(path: str) -> Iterator[str]:
    """Yield a temporary folder that becomes `path`, a new or empty folder, if the block ends without an exception."""
    with temporary_folder(path, os.path.dirname(path), path) as staging:
        yield staging
        if os.path.isdir(path):
            os.rmdir(path)
        os.rename(staging, path)


class _NamedFile(io.FileIO):
    """A file whose write errors name the requested path; plain ones name none."""

    def __init__(self, path: str | int, mode: str, shown: str) -> None:
        super().__init__(path, mode)
        self._shown = shown

    def write(self, data: Any) -> int:
        """Write as `io.FileIO` does."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._shown
            raise


def _text_file(path: str | int, mode: str, shown: str) -> TextIO:
    file = io.BufferedWriter(_NamedFile(path, mode, shown))
    return io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether `path` exists and is neither a regular file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def lies_in(folder: str, path: str) -> bool:
    """Whether `folder` is a folder that contains `path` at any depth, after links are followed."""
    return os.path.isdir(folder) and os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))
