"""Compressed data: detected by its first bytes, and decompressed while it is read.

The incremental decompressors of the standard library are used, not its file objects: those set no memory limit for xz,
ignore other data after bzip2 and xz, and lose a buffer of output before a damaged place.
"""

from __future__ import annotations

import importlib
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

_PIECE: Final = 1 << 13  # compressed bytes that are read at once
_STEP: Final = 1 << 13  # decompressed bytes at once: at most these are lost before a damaged place
_XZ_MEMORY: Final = 1 << 28  # four times what the highest level of xz needs
_SIGNATURE: Final = 8  # bytes needed to see whether another stream follows


class UnpackingError(Exception):
    """Compressed data or an archive cannot be read: `code` is the problem code, `message` the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Readable(Protocol):
    """A source of bytes: a file, a pipe, the content of an archive."""

    def read(self, size: int, /) -> bytes | None:
        """Return 1 to `size` bytes, or none at the end."""


class _Decoder(Protocol):
    """The interface of `bz2.BZ2Decompressor` and its like."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Inflate:
    """`zlib.decompressobj` with the interface of the others; returns all of the output before a damaged place."""

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
            if found := b"".join(_bytewise(before, data)):
                return found
            raise


def _bytewise(decoder: Any, data: bytes) -> Iterator[bytes]:
    """The output before a damaged place; a call that fails returns none of its output."""
    with suppress(zlib.error):
        for byte in data:
            yield decoder.decompress(bytes([byte]))


def _library(name: str) -> Any:
    """A module of the standard library that Python may have been built without."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UnpackingError("file-unreadable", f"this Python was built without its module {name}") from None


def _bzip2() -> _Decoder:
    decoder: _Decoder = _library("bz2").BZ2Decompressor()
    return decoder


def _xz(format: str = "FORMAT_XZ") -> _Decoder:
    lzma = _library("lzma")
    decoder: _Decoder = lzma.LZMADecompressor(getattr(lzma, format), _XZ_MEMORY)
    return decoder


def _zstandard() -> _Decoder:
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(ImportError):
            decoder: _Decoder = importlib.import_module(name).ZstdDecompressor()
            return decoder
    raise UnpackingError("file-unreadable", "zstd data requires another package: pip install 'wei7core[zstd]'")


class Compression(NamedTuple):
    """A compression: its name, its decompressor, the suffix of its files, and the signatures that they start with.

    Without signatures it is that of a zip member: one stream, which ends with its input.
    """

    name: str
    make: Callable[[], _Decoder]
    suffix: str = ""
    signatures: tuple[bytes, ...] = ()
    step: int = _STEP


_ZSTD_SKIPPABLE: Final = tuple(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16))
_COMPRESSIONS: Final = (
    Compression("gzip", lambda: _Inflate(31), ".gz", (b"\x1f\x8b\x08",), sys.maxsize),
    Compression("bzip2", _bzip2, ".bz2", (b"BZh",)),
    Compression("xz", _xz, ".xz", (b"\xfd7zXZ\0",)),
    Compression("zstd", _zstandard, ".zst", (b"\x28\xb5\x2f\xfd", *_ZSTD_SKIPPABLE)),
)
_SIGNATURES: Final = tuple(signature for row in _COMPRESSIONS for signature in row.signatures)
_BZIP2_BLOCKS: Final = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
_TAR_SUFFIXES: Final = (".tgz", ".tbz", ".tbz2", ".txz", ".tzst")
_ZIP_METHODS: Final = {
    8: Compression("deflate", lambda: _Inflate(-15), step=sys.maxsize),
    12: Compression("bzip2", _bzip2),
    14: Compression("LZMA", lambda: _xz("FORMAT_ALONE")),
    93: Compression("zstd", _zstandard),
}


def bare_name(name: str) -> str:
    """Return the name of a compressed file without its suffix; `.tgz` and the like become `.tar`."""
    lower = name.lower()
    for row in _COMPRESSIONS:
        if lower.endswith(row.suffix):
            return name[: -len(row.suffix)]
    for suffix in _TAR_SUFFIXES:
        if lower.endswith(suffix):
            return name[: -len(suffix)] + ".tar"
    return name


def compression(head: bytes) -> Compression | None:
    """Return the compression of data that starts with `head`, or None."""
    if not head.startswith(_SIGNATURES):
        return None
    row = next((row for row in _COMPRESSIONS if head.startswith(row.signatures)), None)
    # Three letters alone could start a text.
    return None if row is not None and row.name == "bzip2" and head[4:10] not in _BZIP2_BLOCKS else row


def zip_compression(method: int) -> Compression:
    """Return the compression of a zip method other than 0; raises `UnpackingError` for one that is not supported."""
    try:
        return _ZIP_METHODS[method]
    except KeyError:
        raise UnpackingError("archive-invalid", f"zip compression method {method} is not supported") from None


class Decompressed:
    """The content of a compressed file: of one compressed stream, or of several in a row, with zeros between them."""

    def __init__(self, file: Readable, kind: Compression) -> None:
        self._file = file
        self._kind = kind
        self._decoder: _Decoder | None = None
        self._rest = b""
        self._is_begun = False

    def read(self, size: int) -> bytes:
        """Return 1 to `size` bytes, or none at the end. Raises `UnpackingError`, and what reading the file raises."""
        while (decoder := self._decoder or self._next_stream()) is not None:
            data = b""
            is_asked = decoder.needs_input  # after output that filled its buffer only the next call can show it
            if is_asked:
                data, self._rest = self._rest or self._file.read(_PIECE) or b"", b""
            out = self._decompress(decoder, data, size)
            if decoder.eof:
                self._rest = decoder.unused_data.lstrip(b"\0")
                self._decoder = None
            elif not out and not data and is_asked == decoder.needs_input:
                if not self._kind.signatures:
                    return b""
                raise UnpackingError("archive-invalid", f"the {self._kind.name} data ends too early")
            if out:
                return out
        return b""

    def _next_stream(self) -> _Decoder | None:
        if self._is_begun and not self._kind.signatures:
            return None
        while not self._rest:
            self._rest = self._file.read(_PIECE) or b""
            if not self._rest:
                return None
            self._rest = self._rest.lstrip(b"\0") if self._is_begun else self._rest
        if len(self._rest) < _SIGNATURE:
            self._rest += self._file.read(_PIECE) or b""
        if self._kind.signatures and not self._rest.startswith(self._kind.signatures):
            raise UnpackingError("archive-invalid", f"other data follows the {self._kind.name} data")
        self._decoder = self._kind.make()
        self._is_begun = True
        return self._decoder

    def _decompress(self, decoder: _Decoder, data: bytes, size: int) -> bytes:
        try:
            return decoder.decompress(data, min(size, self._kind.step))
        except (MemoryError, UnpackingError):
            raise
        except Exception as error:  # each library has exceptions of its own; bz2 raises OSError
            raise UnpackingError("archive-invalid", f"the {self._kind.name} data is damaged: {error}") from None
