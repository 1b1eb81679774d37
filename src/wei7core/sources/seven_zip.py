"""7-Zip archives: their members one after the other, as streams, by the extra `7z` (py7zr).

py7zr reads the header and makes the decompressor of each folder, which is a stream of several members. Its own
extraction would build paths from member names, and unpack the whole archive before returning the first byte. Supported
are methods whose output can be limited, except PPMd: the decoder that py7zr uses has memory errors.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, cast

from .codecs import UnpackingError

SIGNATURE: Final = b"7z\xbc\xaf\x27\x1c"
SEVEN_ZIP_SUFFIX: Final = ".7z"

_START: Final = 32  # bytes before the packed data
_ENCODED: Final = b"\x17"  # a compressed header
_MAX_HEADER: Final = 1 << 24
_MAX_MEMORY: Final = 1 << 28
_PIECE: Final = 1 << 13  # compressed bytes at once: the output of deflate for more would take much memory
_STEP: Final = 1 << 20
_LZMA: Final = b"\3\1\1"
_LZMA2: Final = b"\x21"
_FILTERS: Final = (b"\0", b"\3", b"\4", b"\3\3\1\3")  # stored, delta, and BCJ under two numbers
_DEFLATE: Final = b"\4\1\x08"
_BZIP2: Final = b"\4\2\2"
_METHODS: Final = frozenset({_LZMA, _LZMA2, _DEFLATE, _BZIP2, *_FILTERS})
_AES: Final = b"\x06\xf1\x07\1"


class SevenZip:
    """The members of the archive in `file`, which stays open.

    `spend` is called with the size of each unpacked piece, unread members included. Raises `UnpackingError`, and the
    exceptions of py7zr for a damaged header. Thread safety: one thread at a time.
    """

    def __init__(self, file: IO[bytes], spend: Callable[[int], None]) -> None:
        try:
            import py7zr
            from py7zr import archiveinfo
        except ImportError:
            message = "7-Zip archives require another package: pip install 'wei7core[7z]'"
            raise UnpackingError("file-unreadable", message) from None
        _check_header(file, archiveinfo.HeaderStreamsInfo)
        file.seek(0)
        self._file = cast("Any", _File(file))
        self._spend = spend
        try:
            self._archive: Any = py7zr.SevenZipFile(self._file)
        except Exception as error:
            raise _translated(error) from None
        self.is_broken = False

    def __iter__(self) -> Iterator[tuple[str | None, Content]]:
        """Yield name and content of each member; the content can be read until the next one is requested.

        The name of a folder, a link or a socket is None. Raises `UnpackingError` and the exceptions of py7zr.
        """
        streams = getattr(self._archive.header, "main_streams", None)
        folders = [] if streams is None else streams.unpackinfo.folders
        numbers = {id(folder): number for number, folder in enumerate(folders)}
        at, number = _Packed(self, None, 0), -1
        for info in self._archive.files:
            if not info.emptystream and numbers.get(id(info.folder)) != number:
                number = numbers[id(info.folder)]
                at = self._opened(streams, number)
            content = Content(info.filename, at, info.uncompressed, info.crc32)
            is_file = not (info.is_directory or info.is_symlink or info.is_junction or info.is_socket)
            yield (info.filename if is_file else None), content
            content.skip()

    def _opened(self, streams: Any, number: int) -> _Packed:
        """The packed data of a folder at its start."""
        folder, packed = streams.unpackinfo.folders[number], streams.packinfo
        _check_coders(folder.coders)
        if len(packed.packsizes) != len(streams.unpackinfo.folders):
            raise UnpackingError("archive-invalid", "the 7-Zip archive has folders of several packed streams")
        self._file.seek(self._archive.afterheader + packed.packpos + packed.packpositions[number])
        decoder = folder.get_decompressor(packed.packsizes[number])
        decoder.block_size = _PIECE
        return _Packed(self, decoder, folder.unpacksizes[-1])

    def unpack(self, decoder: Any, size: int) -> bytes:
        """Return up to `size` bytes of a folder, at least 1."""
        try:
            while True:
                before = self._file.tell()
                data = bytes(decoder.decompress(self._file, size))
                self._spend(len(data))
                if data:
                    return data
                if self._file.tell() == before:
                    raise UnpackingError("archive-invalid", "the data of the 7-Zip archive ends too early")
        except BaseException as error:
            self.is_broken = True
            raise _translated(error) from None


class _File(io.RawIOBase):
    """A file that py7zr accepts as a file object; it stays open."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


class _Packed:
    """The unpacked bytes of a folder, in pieces of a fixed size: with those of the members, input would pile up."""

    def __init__(self, archive: SevenZip, decoder: Any, size: int) -> None:
        self._archive = archive
        self._decoder = decoder
        self._missing = size
        self._piece = b""
        self._at = 0

    def read(self, size: int) -> bytes:
        if self._at == len(self._piece):
            if not self._missing:
                raise UnpackingError("archive-invalid", "the members of the 7-Zip archive are longer than its data")
            self._piece, self._at = self._archive.unpack(self._decoder, min(self._missing, _STEP)), 0
            self._missing -= len(self._piece)
        data = self._piece[self._at : self._at + size]
        self._at += len(data)
        return data


class Content:
    """The content of a member, compared with its checksum at its end."""

    def __init__(self, name: str, packed: _Packed, size: int, checksum: int | None) -> None:
        self.name = name
        self._packed = packed
        self._missing = size
        self._expected = checksum if size else None
        self._checksum = 0

    def read(self, size: int) -> bytes:
        """Return 1 to `size` bytes, or none at the end. Raises `UnpackingError` and the exceptions of py7zr."""
        if not self._missing:
            if self._expected not in (None, self._checksum):
                raise UnpackingError("archive-invalid", "the checksum differs from that in the header of the archive")
            return b""
        data = self._packed.read(min(size, self._missing))
        self._missing -= len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        return data

    def skip(self) -> None:
        """Unpack the unread rest."""
        while self._missing:
            self._missing -= len(self._packed.read(self._missing))


def _check_header(file: IO[bytes], streams_info: Any) -> None:
    """Refuse a header that would take too much memory, before it is unpacked. Also raises the exceptions of py7zr."""
    file.seek(0)
    start, size = struct.unpack("<12xQQ4x", file.read(_START).ljust(_START, b"\0"))
    unpacked = size
    if size <= _MAX_HEADER and start < 1 << 62:
        file.seek(_START + start)
        header = file.read(size)
        if header.startswith(_ENCODED):
            folders = streams_info.retrieve(io.BytesIO(header[1:])).unpackinfo.folders
            for folder in folders:
                _check_coders(folder.coders)
            unpacked = sum(folder.unpacksizes[-1] for folder in folders)
    if max(size, unpacked) > _MAX_HEADER:
        raise UnpackingError("limit-archive", f"the header of the 7-Zip archive has more than {_MAX_HEADER:,} bytes")


def _check_coders(coders: list[dict[str, Any]]) -> None:
    """Refuse unknown methods, and those that would take too much memory."""
    for coder in coders:
        method, properties = coder["method"], coder.get("properties") or b""
        if method == _AES:
            raise UnpackingError("archive-invalid", "the 7-Zip archive is encrypted")
        if method not in _METHODS:
            raise UnpackingError("archive-invalid", f"the 7-Zip method {method.hex()} is not supported")
        memory = 0
        if method == _LZMA2 and properties:
            memory = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        elif method == _LZMA and len(properties) >= 5:
            memory = int.from_bytes(properties[1:5], "little")
        if memory > _MAX_MEMORY:
            raise UnpackingError("limit-archive", f"unpacking takes {memory:,} bytes of memory, beyond {_MAX_MEMORY:,}")


def _translated(error: BaseException) -> BaseException:
    """The exception, or damage of the archive where the decoder raises an `OSError` for it, as bz2 does."""
    if isinstance(error, OSError) and error.errno is None:
        return UnpackingError("archive-invalid", f"the 7-Zip archive is damaged: {error}")
    return error
