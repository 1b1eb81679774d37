"""Small files of one suffix, many of which are read in C into one buffer."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from .._util.lazy_numpy import np
from .._util.scan_dir import FolderFile
from ..formats import _native
from .chunks import FIRST_GATHERED, MOST_BYTES, MOST_RECORDS, Chunk, Run, WholeText
from .read_buffer import BufferPool
from .record_files import OF_MACOS

if TYPE_CHECKING:
    import numpy.typing as npt

SMALL: Final = 1 << 18
"""The size of files and texts, in bytes, from which on they are not copied into a block."""

SHORT_BLOCK: Final = 16
"""Files or texts: a block of fewer costs more than reading them one by one, to be gathered later."""

LEAST_MEMORY: Final = MOST_BYTES // 4
"""The memory that a block leaves for the next one, in bytes; texts that fill it are no short block."""

_MEMORY: Final = BufferPool(8)  # new memory in each call would take as long as dozens of games
_MOST_FILES: Final = 1024  # of one call: an interrupt waits for its end
_SGF_SUFFIXES: Final = (".sgf", ".SGF", ".sgfs")

_Other = TypeVar("_Other")


class BlockMemory:
    """The memory of consecutive blocks of texts: what a block leaves unused is for the next one."""

    def __init__(self) -> None:
        self._free = memoryview(b"")

    def free(self) -> memoryview:
        """Return the memory for the next block, of `LEAST_MEMORY` bytes or more."""
        if len(self._free) < LEAST_MEMORY:
            self._free = _MEMORY.take(MOST_BYTES, memoryview(b""))
        return self._free

    def used(self, size: int) -> memoryview:
        """Return the first `size` bytes of it, which the next block does not write to."""
        data, self._free = self._free[:size].toreadonly(), self._free[size:]
        return data


def plain_suffix(name: Any) -> str | None:
    """Return the kind of most small files, `sgf` or `wei7`, by the name of a file; None for any other item."""
    if type(name) is not str or "\0" in name:
        return None
    if name.endswith(_SGF_SUFFIXES):
        return "sgf"
    return "wei7" if name.endswith(".wei7") else None


def folder_and_suffix(found: FolderFile | OSError) -> tuple[str, str | None]:
    """Return the folder of a file, and its kind as `plain_suffix` does."""
    if isinstance(found, OSError) or found.is_special or found.name.startswith(OF_MACOS):
        return "", None
    return found.path[: -len(found.name)], plain_suffix(found.name)


def small_files(
    folder: str,
    names: list[str],
    suffix: str,
    *,
    longest: int,
    limit: int,
    count: Callable[[int, int], object],
    others: Callable[[list[str]], Iterable[_Other]],
) -> Generator[Chunk | WholeText | _Other, None, None]:
    """Yield the records of files of one kind (`plain_suffix`), in order.

    The files are `names` in `folder`, which ends with a separator, or paths where that is empty. `longest` is the most
    bytes of a file, `limit` that of a record. `count` is called with the numbers of files and bytes that were read;
    `others` yields the records of files that are larger or unusual, cannot be read, or are too few for a block.
    """
    paths = [folder + name for name in names] if folder else names
    first, singles, most = 0, 1, FIRST_GATHERED
    memory = BlockMemory()
    with _descriptor(folder) as descriptor:
        while descriptor is not None and len(names) - first >= SHORT_BLOCK:
            encoded = _encoded(names[first : first + most])
            if encoded is None:
                break
            format, files, begins, ends, starts = _native.read_texts(
                descriptor, encoded, suffix == "sgf", memory.free(), longest, MOST_RECORDS, MOST_RECORDS, limit
            )
            if files:
                size = int(ends[-1])
                data = memory.used(size)
                counts = np.diff(starts, append=len(ends)).tolist()
                owners = zip(paths[first : first + files], counts, strict=True)
                runs = tuple(Run(path, records, 0, records > 1) for path, records in owners)
                count(files, size)
                if files < SHORT_BLOCK and size < LEAST_MEMORY:  # an unusual file follows
                    yield from _whole_texts(data, begins, ends, starts, format, runs)
                else:
                    yield Chunk(data, begins, ends, format, runs, starts)
                first += files
                most = min(2 * most, _MOST_FILES)
            if files >= SHORT_BLOCK or (files and size >= LEAST_MEMORY):
                singles = 1
                continue
            yield from others(paths[first : first + singles])
            first += singles
            singles = min(2 * singles, MOST_RECORDS)
    yield from others(paths[first:])


@contextmanager
def _descriptor(folder: str) -> Iterator[int | None]:
    """Open a folder for `read_texts`, "" for the current one; None where that reads nothing."""
    if not _native.CAN_READ_SMALL_FILES:
        yield None
        return
    if not folder:
        yield _native.CURRENT_FOLDER
        return
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    try:
        yield opened
    finally:
        os.close(opened)


def _encoded(names: list[str]) -> bytes | None:
    """The names of files as `read_texts` takes them; None if the system can have no such name."""
    try:
        return os.fsencode("\0".join([*names, ""]))
    except UnicodeEncodeError:
        return None


def _whole_texts(
    data: memoryview,
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    format: str,
    runs: tuple[Run, ...],
) -> Iterator[WholeText]:
    """The records of a few files in one buffer, each file by itself."""
    for start, run in zip(starts.tolist(), runs, strict=True):
        stop = start + run.records
        begin = begins[start]
        places = (begins[start:stop] - begin).tobytes(), (ends[start:stop] - begin).tobytes()
        text = data[begin : ends[stop - 1]]
        yield WholeText(text, *places, format, run.source, run.records, 0, run.one_of_many)
