"""What a long run has finished, kept beside its output in numbered parts, so that the next run can go on from there."""

from __future__ import annotations

import json
import os
import stat
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from .._util.atomic_write import lock_file
from .._util.files import write_whole
from .._util.scan_dir import files_of
from .._version import __version__
from ..sources.sources import STDIN, is_record_name

__all__ = ["CHECKPOINT_SUFFIX", "Checkpoint", "ResumeError", "discard", "inputs_of", "open_checkpoint", "unfinished"]

CHECKPOINT_SUFFIX: Final = ".unfinished"
"""What is behind the name of an output in the name of the folder of its parts."""

_LOCK: Final = "lock"
_RUN: Final = "run.json"
_CHECKSUM: Final = 9


class ResumeError(ValueError):
    """A run cannot go on from where another one ended."""


class Checkpoint:
    """The finished parts of a run: bytes, in the order in which they were added.

    Thread safety: one thread at a time. There is one for an output at a time, in all processes.
    """

    def __init__(self, folder: str, count: int) -> None:
        self._folder = folder
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Read one part after the other. Raises `ResumeError` for one that is not as it was written."""
        for number in range(self._count):
            path = self._path(number)
            with open(path, "rb") as file:
                checksum, data = file.read(_CHECKSUM), file.read()
            if checksum != _checksum(data):
                raise ResumeError(f"{path}: this part is damaged; remove its folder to start anew")
            yield data

    def add(self, data: bytes) -> None:
        """Keep one more part: when this returns it outlives the process, and the machine where its disk does."""
        with write_whole(self._path(self._count)) as file:
            file.buffer.write(_checksum(data))
            file.buffer.write(data)
            file.flush()
            os.fsync(file.fileno())
        self._count += 1

    def remove(self) -> None:
        """Remove all that is kept; the output is whole."""
        # What is there at any time can be gone on from: the last parts go first, what tells of them goes behind them.
        for number in reversed(range(self._count)):
            os.unlink(self._path(number))
        os.unlink(os.path.join(self._folder, _RUN))
        for name in os.listdir(self._folder):  # what was being written when a run was killed
            if name.startswith("."):
                os.unlink(os.path.join(self._folder, name))
        os.unlink(os.path.join(self._folder, _LOCK))
        os.rmdir(self._folder)

    def _path(self, number: int) -> str:
        return os.path.join(self._folder, f"part-{number:06}")


def _checksum(data: bytes) -> bytes:
    return b"%08x\n" % crc32(data)


@contextmanager
def unfinished(target: str, run: Mapping[str, Any]) -> Iterator[Checkpoint]:
    """Open what an earlier run to `target` has kept, or nothing yet; what is kept stays there when the block ends.

    `run` says, in values of JSON, all that the parts depend on; the version of the package is added. Raises
    `ResumeError` where the earlier run was another one, and where one is at work now, and `OSError`.
    """
    folder = _folder_of(target)
    try:
        with suppress(FileExistsError):
            os.mkdir(folder)
    except OSError as error:
        error.filename = target
        raise
    descriptor = _locked(folder)
    if descriptor is None:
        raise ResumeError(f"{target}: another run is writing this file")
    try:
        yield Checkpoint(folder, _parts_of(folder, target, {"version": __version__, **run}))
    finally:
        os.close(descriptor)


def discard(target: str) -> None:
    """Remove what an earlier run to `target` has kept, unless one is at work: the output has been made without it."""
    folder = _folder_of(target)
    if not os.path.isfile(os.path.join(folder, _LOCK)):
        return
    with suppress(OSError):
        descriptor = _locked(folder)
        if descriptor is not None:
            try:
                Checkpoint(folder, _count(folder)).remove()
            finally:
                os.close(descriptor)


@contextmanager
def open_checkpoint(
    target: str | None, options: Mapping[str, Any] | None, paths: Sequence[str]
) -> Iterator[Checkpoint | None]:
    """Open what an earlier run to `target` has kept, and remove it when the block ends well: the target is whole then.

    `options` say, in values of JSON, all that the parts depend on beside the files at `paths`. Without any nothing is
    kept, and what was kept is removed in the end. Raises what `unfinished` and `inputs_of` raise.
    """
    if target is None or target == STDIN:
        yield None
    elif options is None:
        yield None
        discard(target)
    else:
        with unfinished(target, {"options": options, "inputs": inputs_of(paths)}) as kept:
            yield kept
            kept.remove()


def inputs_of(paths: Sequence[str]) -> list[list[Any]]:
    """Return what tells whether inputs have changed: sizes and times of files; of folders, those of all their files.

    Raises `ResumeError` for what can be read once only, and `OSError`.
    """
    from hashlib import blake2b

    found: list[list[Any]] = []
    for path in paths:
        status = None if path == STDIN else os.stat(path)
        if status is None or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise ResumeError(f"{path}: what comes from a pipe cannot be read again, so no run can be resumed")
        if stat.S_ISREG(status.st_mode):
            found.append([path, status.st_size, status.st_mtime_ns])
            continue
        digest, count = blake2b(digest_size=16), 0
        for file in files_of(path):
            if isinstance(file, OSError) or file.is_special or not is_record_name(file.name):
                continue
            with suppress(OSError):
                status = os.stat(file.path)
                digest.update(os.fsencode(file.path) + b"\0%d\0%d\0" % (status.st_size, status.st_mtime_ns))
            count += 1
        found.append([path, count, digest.hexdigest()])
    return found


def _folder_of(target: str) -> str:
    return os.path.realpath(target) + CHECKPOINT_SUFFIX


def _locked(folder: str) -> int | None:
    path = os.path.join(folder, _LOCK)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    if lock_file(path, descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _count(folder: str) -> int:
    count = 0
    while os.path.isfile(os.path.join(folder, f"part-{count:06}")):
        count += 1
    return count


def _parts_of(folder: str, target: str, run: dict[str, Any]) -> int:
    """How many parts of this very run there are."""
    path = os.path.join(folder, _RUN)
    try:
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
    except FileNotFoundError:
        # Parts of which nothing is told are what a run has left that was killed while it removed them.
        for number in reversed(range(_count(folder))):
            os.unlink(os.path.join(folder, f"part-{number:06}"))
        with write_whole(path) as file:
            json.dump(run, file)
        return 0
    except ValueError:
        before = None
    wanted = json.loads(json.dumps(run))
    if before != wanted:
        names = [name for name in wanted if not isinstance(before, dict) or before.get(name) != wanted[name]]
        changed = ", ".join(names) or "the options"
        raise ResumeError(f"{target}: what is in {folder} comes from another run ({changed}); remove it to start anew")
    return _count(folder)
