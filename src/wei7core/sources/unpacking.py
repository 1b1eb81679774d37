"""Compressed data as streams: unpacked while it is read, in bounded memory, and never beyond a budget."""

from __future__ import annotations

import io
import zlib
from typing import Any, BinaryIO, Final, Protocol

from .codecs import Compression, Decoder, UnpackingError, bare_name, compression, decompress

__all__ = ["HEAD", "Budget", "Layer", "Readable", "Stream", "Unpacked", "ZipUnpacked"]

HEAD: Final = 1 << 16
"""Bytes at the start of a stream by which it is recognised."""

_READ: Final = 1 << 13  # what is lost at most before a damaged place
_BUFFER: Final = 1 << 16  # of small reads; large ones pass by it
_FREE: Final = 64 << 20
_MOST_LAYERS: Final = 2


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
        self._readinto = getattr(file, "readinto", None)
        self._budget = budget

    def more(self, size: int) -> bytes:
        if self._head:
            head, self._head = self._head[:size], self._head[size:]
            return head
        data = self._file.read(size) or b""
        if self._budget is not None:
            self._budget.taken += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` does; what follows the beginning is not copied where the file can do that."""
        if self._head or self._readinto is None:
            return super().readinto(buffer)
        count: int = self._readinto(buffer) or 0
        if self._budget is not None:
            self._budget.taken += count
        return count


class Unpacked(Layer):
    """Decompresses what `file` holds: one compressed stream, or several one after the other."""

    def __init__(self, file: Readable, row: Compression, budget: Budget) -> None:
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
        is_asked = decoder.needs_input  # where all of the last output just fitted, only the next call tells
        if is_asked:
            data, self._rest = self._rest or self._file.read(_READ) or b"", b""
        out = decompress(decoder, data, size, self._row.name)
        if decoder.eof:
            self._rest = decoder.unused_data.lstrip(b"\0")
            self._decoder = None
        elif not out and not data and is_asked == decoder.needs_input:
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
            is_asked = decoder.needs_input
            data = (self._file.read(_READ) or b"") if is_asked else b""
            out = decompress(decoder, data, size, "zip")
            if out:
                self._left -= len(out)
                self._checksum = zlib.crc32(out, self._checksum)
                self._budget.spend(len(out))
                return out
            if not data and is_asked == decoder.needs_input:
                break
        if self._left or self._checksum != self._expected:
            raise UnpackingError("archive-invalid", "length or checksum is not what the archive says")
        return b""


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
        while (row := compression(self.head)) is not None:
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
