"""Decompressors of the standard library, made alike: at most so many bytes at once, and damage as one exception."""

from __future__ import annotations

import contextlib
import importlib
import zlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

__all__ = ["Compression", "Decoder", "UnpackingError", "bare_name", "compression", "decompress", "zip_decoder"]

_CRUMB: Final = 16  # bytes by which a damaged place is approached
_XZ_MEMORY: Final = 1 << 28  # four times what the highest level of xz needs


class UnpackingError(Exception):
    """Reading stopped: `code` is the problem code, `message` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


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
        probe = before.copy()
        sound = 0
        with contextlib.suppress(zlib.error):
            while sound < len(data):
                probe.decompress(data[sound : sound + _CRUMB])
                sound += _CRUMB
        found = [before.decompress(data[:sound])]
        with contextlib.suppress(zlib.error):  # what comes out together with the error is lost: so byte by byte
            for begin in range(sound, min(sound + _CRUMB, len(data))):
                found.append(before.decompress(data[begin : begin + 1]))
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
            lzma = _library("lzma")
            decoder = self._decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE, _XZ_MEMORY)
            # The old stand-alone format has the same properties, then the length (here: not known).
            data = self._header[4 : 4 + size] + b"\xff" * 8 + self._header[4 + size :]
        out = decoder.decompress(data, max_length)
        self.eof, self.needs_input = decoder.eof, decoder.needs_input
        return out


def _library(name: str) -> Any:
    """A module of the standard library that Python may have been built without."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UnpackingError("file-unreadable", f"this Python was built without its module {name}") from None


def _bzip2() -> Decoder:
    decoder: Decoder = _library("bz2").BZ2Decompressor()
    return decoder


def _xz() -> Decoder:
    lzma = _library("lzma")
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


class Compression(NamedTuple):
    """A kind of compressed file: its name, the suffix of its files, how they may start, and its decoder."""

    name: str
    suffix: str
    starts: tuple[bytes, ...]
    make: Callable[[], Decoder]


_ZSTD_SKIPPABLE: Final = tuple(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16))
_COMPRESSIONS: Final = (
    Compression("gzip", ".gz", (b"\x1f\x8b\x08",), lambda: _Zlib(31)),
    Compression("bzip2", ".bz2", (b"BZh",), _bzip2),
    Compression("xz", ".xz", (b"\xfd7zXZ\0",), _xz),
    Compression("zstd", ".zst", (b"\x28\xb5\x2f\xfd", *_ZSTD_SKIPPABLE), _zstandard),
)
_STARTS: Final = tuple(start for row in _COMPRESSIONS for start in row.starts)
_BZIP2_BLOCKS: Final = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
_TAR_SUFFIXES: Final = (".tgz", ".tbz", ".tbz2", ".txz", ".tzst")


def bare_name(name: str) -> str:
    """Return the name that a compressed file has once it is unpacked; `.tgz` and the like become `.tar`."""
    lower = name.lower()
    for row in _COMPRESSIONS:
        if lower.endswith(row.suffix):
            return name[: -len(row.suffix)]
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


def decompress(decoder: Decoder, data: bytes, size: int, name: str) -> bytes:
    """Return at most `size` bytes more; raises `UnpackingError` where the data, of the kind `name`, is damaged."""
    try:
        return decoder.decompress(data, size)
    except (MemoryError, UnpackingError):
        raise
    except Exception as error:  # each library has classes of its own; bz2 raises OSError
        raise UnpackingError("archive-invalid", f"the {name} data is damaged: {error}") from None


def compression(head: bytes) -> Compression | None:
    """Return how data that starts with `head` is compressed, or None."""
    if not head.startswith(_STARTS):
        return None
    row = next((row for row in _COMPRESSIONS if head.startswith(row.starts)), None)
    # Three letters alone could start a text.
    return None if row is not None and row.name == "bzip2" and head[4:10] not in _BZIP2_BLOCKS else row
