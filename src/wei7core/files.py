"""Files that are read in pieces, and files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final, TextIO

__all__ = ["chunks", "is_special", "write_whole"]

_CHUNK: Final = 1 << 20


def chunks(file: BinaryIO, count: int) -> Iterator[bytes]:
    """At most `count` bytes: asked for at once, that much memory would be set aside."""
    while count > 0 and (chunk := file.read(min(count, _CHUNK))):
        count -= len(chunk)
        yield chunk


@contextmanager
def write_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes the name `path` when the block ends, and is removed if the block raises.

    It is written beside its target, links followed, and then renamed, so no
    reader ever sees a part of it. A target that is there and is no regular file,
    such as a pipe, is written to directly. Characters that UTF-8 cannot hold
    (half of a surrogate pair, in names of files) are escaped. Line ends are
    written as they are given. Raises `OSError`.
    """
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise IsADirectoryError(f"{os.fspath(path)} is a folder")
    if is_special(target):
        with open(target, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        return
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(6)}.part")
    try:
        with open(temporary, "x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether `path` is there and is neither a regular file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
