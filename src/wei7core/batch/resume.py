"""Checkpoints of long runs: finished parts, saved in a folder next to the output, from which the next run resumes."""

from __future__ import annotations

import json
import os
import stat
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from .._util.atomic_write import lock_file
from .._util.files import write_bytes_whole, write_whole
from .._util.scan_dir import files_of
from .._version import __version__
from ..sources.record_files import holds_records
from ..sources.sources import STDIN

CHECKPOINT_SUFFIX: Final = ".unfinished"
"""The suffix of the folder of parts, appended to the name of the output."""

_LOCK: Final = "lock"
_RUN: Final = "run.json"
_CHECKSUM: Final = 9


class ResumeError(ValueError):
    """A run cannot be resumed."""


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
        """Read the parts in order. Raises `ResumeError` for a damaged one."""
        for number in range(self._count):
            path = self._path(number)
            with open(path, "rb") as file:
                checksum, data = file.read(_CHECKSUM), file.read()
            if checksum != _checksum(data):
                raise ResumeError(f"{path}: this part is damaged; remove its folder to start again")
            yield data

    def add(self, data: bytes) -> None:
        """Save one more part. When this returns it survives the end of the process, and a power failure."""
        write_bytes_whole(self._path(self._count), [_checksum(data), data])
        self._count += 1

    def remove(self) -> None:
        """Remove the checkpoint; the output is complete."""
        # A kill at any time leaves a valid checkpoint: the last parts are removed first, their description after them.
        for number in reversed(range(self._count)):
            os.unlink(self._path(number))
        os.unlink(os.path.join(self._folder, _RUN))
        for name in os.listdir(self._folder):  # temporary files of a killed run
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
    """Open the checkpoint of `target`, or create it; it is kept when the block ends.

    `run` describes, as JSON values, all that the parts depend on; the version of the package is added. Raises
    `ResumeError` if the checkpoint is of a different run or in use by another process, and `OSError`.
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
    """Remove the checkpoint of `target`, unless another process is using it: the output is complete."""
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
    target: str | None, options: Mapping[str, Any] | None, paths: Sequence[str], layout: Sequence[Any]
) -> Iterator[Checkpoint | None]:
    """Open the checkpoint of `target`, and remove it when the block succeeds: the target is complete then.

    `options` are, as JSON values, all that the parts depend on in addition to the files at `paths` and to `layout`,
    which describes how parts are written. With None nothing is saved, and an existing checkpoint is removed at the end.
    Raises the exceptions of `unfinished` and `inputs_of`.
    """
    if target is None or target == STDIN:
        yield None
    elif options is None:
        yield None
        discard(target)
    else:
        with unfinished(target, {"layout": layout, "options": options, "inputs": inputs_of(paths)}) as kept:
            yield kept
            kept.remove()


def inputs_of(paths: Sequence[str]) -> list[list[Any]]:
    """Return a fingerprint of the inputs: sizes and times of files, and of all files in folders.

    Raises `ResumeError` for inputs that can be read only once, and `OSError`.
    """
    from hashlib import blake2b

    found: list[list[Any]] = []
    for path in paths:
        status = None if path == STDIN else os.stat(path)
        if status is None or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise ResumeError(f"{path}: a pipe cannot be read again, so a run from it cannot be resumed")
        if stat.S_ISREG(status.st_mode):
            found.append([path, status.st_size, status.st_mtime_ns])
            continue
        digest, count = blake2b(digest_size=16), 0
        for file in files_of(path):
            if isinstance(file, OSError) or not holds_records(file):
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
    """The number of parts of this run."""
    path = os.path.join(folder, _RUN)
    try:
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
    except FileNotFoundError:
        # Parts without a description are the remains of a run that was killed while removing them.
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
        raise ResumeError(f"{target}: {folder} belongs to a different run ({changed}); remove it to start again")
    return _count(folder)
