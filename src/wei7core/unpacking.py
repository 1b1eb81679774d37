"""Compressed data as streams: unpacked while it is read, in bounded memory, and never beyond a budget."""

from __future__ import annotations

import importlib
import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Protocol

__all__ = [
    "HEAD",
    "Budget",
    "Decoder",
    "Layer",
    "Readable",
    "Stream",
    "Unpacked",
    "UnpackingError",
    "ZipUnpacked",
    "bare_name",
    "compressions",
    "is_compressed",
    "zip_decoder",
]

HEAD: Final = 1 << 16
"""Bytes at the start of a stream by which it is recognised."""

_READ: Final = 1 << 13  # what is lost at most before a damaged place
_CRUMB: Final = 16
_BUFFER: Final = 1 << 20
_FREE: Final = 64 << 20
_MOST_LAYERS: Final = 2
_XZ_MEMORY: Final = 1 << 28  # four times what the highest level of xz needs


class UnpackingError(Exception):
    """Reading stopped: `code` is the problem code, `message` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Readable(Protocol):
    """What bytes are read from: files, pipes, other layers; none of them without waiting for data."""

    def read(self, size: int, /) -> bytes | None:
        """Return 1 to `size` bytes, or none at the end."""


class Budget:
    """What all that is unpacked from one source may come to: 64 MiB and `factor` times the bytes `taken` from it."""

    __slots__ = ("factor", "made", "taken")

    def __init__(self, factor: int, taken: int = 0) -> None:
        self.factor = factor
        self.taken = taken
        self.made = 0

    def spend(self, size: int) -> None:
        """Count `size` bytes more; raises `UnpackingError` beyond the budget."""
        self.made += size
        if self.made > _FREE + self.factor * self.taken:
            raise UnpackingError(
                "limit-archive", f"unpacked it is longer than {self.factor:,} times its size and 64 MiB"
            )


class Decoder(Protocol):
    """What the decompressors of the standard library have in common, from bz2 on."""

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether more data must be given before more comes out."""

    @property
    def unused_data(self) -> bytes:
        """What was given behind the end."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Return at most `max_length` bytes more."""


class _Zlib:
    """A zlib decompressor in the manner of the others, which gives all that stands before a damaged place."""

    def __init__(self, window: int) -> None:
        self._object = zlib.decompressobj(window)
        self._error: zlib.error | None = None

    @property
    def eof(self) -> bool:
        return self._object.eof

    @property
    def needs_input(self) -> bool:
        return self._error is None and not self._object.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._object.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if self._error is not None:
            raise self._error
        before = self._object.copy()
        data = self._object.unconsumed_tail + data
        try:
            return self._object.decompress(data, max_length)
        except zlib.error as error:
            self._error = error
        found = []
        for begin in range(0, len(data), _CRUMB):
            try:
                found.append(before.decompress(data[begin : begin + _CRUMB]))
            except zlib.error:
                break
        if not any(found):
            raise self._error
        return b"".join(found)


class _Stored:
    """What is not compressed, as if it were."""

    eof = False
    unused_data = b""

    def __init__(self) -> None:
        self._left = b""

    @property
    def needs_input(self) -> bool:
        return not self._left

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        data = self._left + data
        self._left = data[max_length:]
        return data[:max_length]


class _ZipLzma:
    """LZMA as zip archives hold it: behind a header that only they have."""

    eof = False
    needs_input = True
    unused_data = b""

    def __init__(self) -> None:
        self._header = b""
        self._decoder: Decoder | None = None

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        decoder = self._decoder
        if decoder is None:
            self._header += data
            size = int.from_bytes(self._header[2:4], "little")
            if len(self._header) < 4 + size or len(self._header) < 4:
                return b""
            lzma = importlib.import_module("lzma")
            decoder = self._decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE, _XZ_MEMORY)
            # The old stand-alone format has the same properties, then the length (here: not known).
            data = self._header[4 : 4 + size] + b"\xff" * 8 + self._header[4 + size :]
        out = decoder.decompress(data, max_length)
        self.eof, self.needs_input = decoder.eof, decoder.needs_input
        return out


def _bzip2() -> Decoder:
    decoder: Decoder = importlib.import_module("bz2").BZ2Decompressor()
    return decoder


def _xz() -> Decoder:
    lzma = importlib.import_module("lzma")
    decoder: Decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)
    return decoder


def _zstandard() -> Decoder:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            decoder: Decoder = importlib.import_module(name).ZstdDecompressor()
        except ImportError:
            continue
        return decoder
    raise UnpackingError("file-unreadable", "zstd data needs another package: pip install 'wei7core[zstd]'")


@dataclass(frozen=True, slots=True)
class _Compression:
    name: str
    suffixes: tuple[str, ...]
    starts: tuple[bytes, ...]
    make: Callable[[], Decoder]


_ZSTD_SKIPPABLE: Final = tuple(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16))
_COMPRESSIONS: Final = (
    _Compression("gzip", (".gz",), (b"\x1f\x8b\x08",), lambda: _Zlib(31)),
    _Compression("bzip2", (".bz2",), (b"BZh",), _bzip2),
    _Compression("xz", (".xz",), (b"\xfd7zXZ\0",), _xz),
    _Compression("zstd", (".zst",), (b"\x28\xb5\x2f\xfd", *_ZSTD_SKIPPABLE), _zstandard),
)
_BZIP2_BLOCKS: Final = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
_TAR_SUFFIXES: Final = (".tgz", ".tbz", ".tbz2", ".txz", ".tzst")


def compressions() -> tuple[str, ...]:
    """Return the suffixes of compressed files."""
    return tuple(suffix for row in _COMPRESSIONS for suffix in row.suffixes)


def bare_name(name: str) -> str:
    """Return the name that a compressed file has once it is unpacked; `.tgz` and the like become `.tar`."""
    lower = name.lower()
    for suffix in compressions():
        if lower.endswith(suffix):
            return name[: -len(suffix)]
    for suffix in _TAR_SUFFIXES:
        if lower.endswith(suffix):
            return name[: -len(suffix)] + ".tar"
    return name


def zip_decoder(method: int) -> Decoder:
    """Return the decoder of a zip compression method; raises `UnpackingError` where there is none."""
    if method == 0:
        return _Stored()
    if method == 8:
        return _Zlib(-15)
    if method == 12:
        return _bzip2()
    if method == 14:
        return _ZipLzma()
    if method == 93:
        return _zstandard()
    raise UnpackingError("archive-invalid", f"the zip compression method {method} is not known")


class Layer(io.RawIOBase):
    """A stream that ends where it fails, so that nothing read before is lost; `failure` tells."""

    failure: UnpackingError | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` does."""
        if self.failure is not None:
            return 0
        try:
            data = self.more(len(buffer))
        except UnpackingError as stop:
            self.failure = stop
            return 0
        buffer[: len(data)] = data
        return len(data)

    def more(self, size: int) -> bytes:
        """Return 1 to `size` bytes, or none at the end; raises `UnpackingError`."""
        raise NotImplementedError


class _Start(Layer):
    """A file whose beginning was read already; counts what is taken where it is the outermost one."""

    def __init__(self, head: bytes, file: Readable, budget: Budget | None) -> None:
        self._head = head
        self._file = file
        self._budget = budget

    def more(self, size: int) -> bytes:
        if self._head:
            head, self._head = self._head[:size], self._head[size:]
            return head
        data = self._file.read(size) or b""
        if self._budget is not None:
            self._budget.taken += len(data)
        return data


class Unpacked(Layer):
    """Decompresses what `file` holds: one compressed stream, or several one after the other."""

    def __init__(self, file: Readable, row: _Compression, budget: Budget) -> None:
        self._file = file
        self._row = row
        self._budget = budget
        self._decoder: Decoder | None = None
        self._rest = b""
        self._begun = False

    def more(self, size: int) -> bytes:
        """Return up to `size` bytes unpacked."""
        while (decoder := self._decoder or self._next_stream()) is not None:
            data = self._more_of(decoder, size)
            if data:
                self._budget.spend(len(data))
                return data
        return b""

    def _next_stream(self) -> Decoder | None:
        """Start on the next compressed stream, if there is one; zeros between two, or behind the last, are padding."""
        while not self._rest:
            self._rest = self._file.read(_READ) or b""
            if not self._rest:
                return None
            self._rest = self._rest.lstrip(b"\0") if self._begun else self._rest
        if len(self._rest) < 8:
            self._rest += self._file.read(_READ) or b""
        if not self._rest.startswith(self._row.starts):
            raise UnpackingError("archive-invalid", f"something else than {self._row.name} data follows")
        self._decoder = self._row.make()
        self._begun = True
        return self._decoder

    def _more_of(self, decoder: Decoder, size: int) -> bytes:
        data = b""
        if decoder.needs_input:
            data, self._rest = self._rest or self._file.read(_READ) or b"", b""
        out = _decompress(decoder, data, size, self._row.name)
        if decoder.eof:
            self._rest = decoder.unused_data.lstrip(b"\0")
            self._decoder = None
        elif not out and not data and decoder.needs_input:
            raise UnpackingError("archive-invalid", f"the {self._row.name} data ends too early")
        return out


class ZipUnpacked(Layer):
    """Decompresses one member of a zip archive and compares length and checksum with what the archive says."""

    def __init__(self, file: Readable, decoder: Decoder, size: int, checksum: int, budget: Budget) -> None:
        self._file = file
        self._decoder = decoder
        self._left = size
        self._expected = checksum
        self._checksum = 0
        self._budget = budget

    def more(self, size: int) -> bytes:
        """Return up to `size` bytes unpacked."""
        decoder = self._decoder
        while not decoder.eof:
            data = (self._file.read(_READ) or b"") if decoder.needs_input else b""
            out = _decompress(decoder, data, size, "zip")
            if out:
                self._left -= len(out)
                self._checksum = zlib.crc32(out, self._checksum)
                self._budget.spend(len(out))
                return out
            if not data and decoder.needs_input:
                break
        if self._left or self._checksum != self._expected:
            raise UnpackingError("archive-invalid", "length or checksum is not what the archive says")
        return b""


def _decompress(decoder: Decoder, data: bytes, size: int, name: str) -> bytes:
    try:
        return decoder.decompress(data, size)
    except (MemoryError, UnpackingError):
        raise
    except Exception as error:  # each library has classes of its own; bz2 raises OSError
        raise UnpackingError("archive-invalid", f"the {name} data is damaged: {error}") from None


class Stream:
    """A source of bytes with its beginning at hand, decompressed as far as it is compressed.

    `name` is the bare name, `file` a buffered binary file at its start, `head`
    its first bytes (all of them where there are fewer than `HEAD`).
    """

    def __init__(self, name: str, file: Readable, budget: Budget, *, outermost: bool) -> None:
        self.name = name
        self.head = b""
        self.layers: list[Layer] = [file] if isinstance(file, Layer) else []
        self._begin(file, budget if outermost else None)
        self.is_compressed = False
        while (row := _compression(self.head)) is not None:
            self.is_compressed = True
            if sum(isinstance(layer, Unpacked) for layer in self.layers) == _MOST_LAYERS:
                self.layers[-1].failure = UnpackingError(
                    "archive-invalid", f"it is compressed more than {_MOST_LAYERS} times"
                )
                self.head = b""
                break
            layer = Unpacked(self.file, row, budget)
            self.layers.append(layer)
            self.name = bare_name(self.name)
            self._begin(layer, None)

    @property
    def failure(self) -> UnpackingError | None:
        """Why the stream ended before its end, or None."""
        return next((layer.failure for layer in self.layers if layer.failure is not None), None)

    def _begin(self, file: Readable, budget: Budget | None) -> None:
        parts: list[bytes] = []
        room = HEAD
        while room and (data := file.read(room)):
            parts.append(data)
            room -= len(data)
        self.head = b"".join(parts)
        if budget is not None:
            budget.taken += len(self.head)
        self.file: BinaryIO = (
            io.BufferedReader(_Start(self.head, file, budget), _BUFFER) if not room else io.BytesIO(self.head)
        )


def is_compressed(head: bytes) -> bool:
    """Return whether data that starts with `head` is compressed."""
    return _compression(head) is not None


def _compression(head: bytes) -> _Compression | None:
    row = next((row for row in _COMPRESSIONS if head.startswith(row.starts)), None)
    # Three letters alone could start a text.
    return None if row is not None and row.name == "bzip2" and head[4:10] not in _BZIP2_BLOCKS else row
