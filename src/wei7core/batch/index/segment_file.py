"""Files of an index: named arrays, mapped into memory, with a version and checksums.

A file has 16 bytes of signature, then as little-endian numbers of 4 bytes the version, the size of a header and its
CRC-32, then the header: JSON with name, type, shape, offset and CRC-32 of every array, and the size of the file; then
the arrays, each at a multiple of 64 bytes. Files are never changed once they have their name.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from zlib import crc32

import numpy as np

from ..._util.files import write_bytes_whole
from ..._util.lazy_numpy import Array
from ..._util.ordered_map import parallel_ranges
from ...errors import IndexFileError

INDEX_VERSION: Final = 4
_MAGIC: Final = b"wei7core index\0\n"
_START: Final = struct.Struct("<16sIII")
_LINE: Final = 64
_CRC_AT_ONCE: Final = 1 << 22
_READ_AT_RANDOM: Final = frozenset(
    {"hash_games", "keys", "buckets", "common_hashes", "common_games", "image_ends", "image_hashes", "move_ends"}
    | {
        "common_moves",
        "common_counts",
        "moves",
        "offsets",
        "change_offsets",
        "change_frames",
        "changes",
        "games",
        "winner",
        "corner_keys",
        "corner_games",
    }
)
_TYPES: Final = frozenset({"|u1", "|i1", "<u2", "<i4", "<u4", "<i8", "<u8"})


def write_segment(path: str, arrays: Mapping[str, Array], facts: Mapping[str, Any], jobs: int = 1) -> int:
    """Write arrays and facts to the file `path`, whole or not at all, and return its size. Raises `OSError`.

    `jobs` threads share the work.
    """
    kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    data = [_bytes_of(array) for array in kept.values()]
    checksums = parallel_ranges(lambda number, _: crc32(data[number]), len(data), 1, jobs)
    described: dict[str, Any] = {}
    place = 0
    for (name, array), checksum in zip(kept.items(), checksums, strict=True):
        if array.dtype.str not in _TYPES:
            raise ValueError(f"an index has no arrays of type {array.dtype.str}")
        described[name] = [array.dtype.str, list(array.shape), place, checksum]
        place += -(-array.nbytes // _LINE) * _LINE
    header = json.dumps({"arrays": described, "facts": dict(facts), "size": place}, separators=(",", ":")).encode()
    first = _first_array(len(header))
    parts: list[Any] = [_START.pack(_MAGIC, INDEX_VERSION, len(header), crc32(header)), header]
    parts.append(bytes(first - _START.size - len(header)))
    for array in kept.values():
        parts += [_bytes_of(array), bytes(-array.nbytes % _LINE)]
    write_bytes_whole(path, parts)
    return first + place


class SegmentFile:
    """One file of an index, mapped into memory: `arrays` by name, and the `facts` that were written with them.

    Raises `IndexFileError` where the file is none of an index, of another version, or not whole, `OSError` where it
    cannot be read. Thread safety: frozen; threads may share it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            start = file.read(_START.size)
            if len(start) < _START.size:
                raise IndexFileError(f"the file is truncated: it has {len(start)} bytes", source=path)
            magic, version, header_size, checksum = _START.unpack(start)
            if magic != _MAGIC:
                raise IndexFileError("the file is none of an index", source=path)
            if version != INDEX_VERSION:
                raise IndexFileError(
                    f"the index is of version {version}; this release reads {INDEX_VERSION}", source=path
                )
            if header_size > size:
                raise IndexFileError("the file is truncated in its header", source=path)
            header = file.read(header_size)
        if crc32(header) != checksum:
            raise IndexFileError("the checksum of the header is wrong", source=path)
        members = json.loads(header)
        self.facts: dict[str, Any] = members["facts"]
        self._described: dict[str, tuple[str, list[int], int, int]] = members["arrays"]
        self._end_of_header = _START.size + header_size
        self._first = _first_array(header_size)
        self.size = size
        if size != self._first + members["size"]:
            raise IndexFileError(
                f"the file is truncated: it has {size} bytes, not {self._first + members['size']}", source=path
            )
        self._memory = np.memmap(path, np.uint8, "r")
        self.arrays = {name: self._array(name) for name in self._described}
        self._advise()

    def _advise(self, *, is_read_whole: bool = False) -> None:
        """Advise the system which arrays are read at random, so that it does not read megabytes around each place."""
        memory: Any = getattr(self._memory, "_mmap", None)
        if not hasattr(mmap, "MADV_RANDOM") or not isinstance(memory, mmap.mmap):
            return
        advice = mmap.MADV_NORMAL if is_read_whole else mmap.MADV_RANDOM
        for name, (type, shape, place, _) in self._described.items():
            if name.rpartition("/")[2] in _READ_AT_RANDOM:
                begin = (self._first + place) // mmap.PAGESIZE * mmap.PAGESIZE
                size = int(np.prod(shape, dtype=np.int64)) * np.dtype(type).itemsize
                with suppress(OSError, ValueError):
                    memory.madvise(advice, begin, min(size + mmap.PAGESIZE, len(memory) - begin))

    def verify(self) -> None:
        """Compare all arrays with their checksums. Raises `IndexFileError` with the name of the first wrong one."""
        self._advise(is_read_whole=True)
        end = self._end_of_header
        for name, (_, _, place, checksum) in self._described.items():
            if self._memory[end : self._first + place].any():
                raise IndexFileError(f"there are bytes before {name} that are of no array", source=self.path)
            data = _bytes_of(self.arrays[name])
            found = 0
            for begin in range(0, len(data), _CRC_AT_ONCE):
                found = crc32(data[begin : begin + _CRC_AT_ONCE], found)
            if found != checksum:
                raise IndexFileError(f"the checksum of {name} is wrong", source=self.path)
            end = self._first + place + len(data)
        if self._memory[end:].any():
            raise IndexFileError("there are bytes at the end that are of no array", source=self.path)
        self._advise()

    def _array(self, name: str) -> Array:
        type, shape, place, _ = self._described[name]
        dtype = np.dtype(type)
        count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        begin = self._first + place
        values: Array = np.asarray(self._memory[begin : begin + count]).view(dtype).reshape(shape)
        return values


def _first_array(header_size: int) -> int:
    return -(-(_START.size + header_size) // _LINE) * _LINE


def _bytes_of(array: Array) -> memoryview:
    flat: Any = array.reshape(-1).view(np.uint8)
    return memoryview(flat)
