"""Files, archives and streams as members: each an unpacked binary stream, none of them extracted to a path."""

from __future__ import annotations

import copy
import errno
import io
import re
import stat
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final

from ..formats.sgf.charset import DOUBTFUL, EVIDENCE, choose
from ..formats.sgf.charset_tables import FREQUENT
from ..limits import DEFAULT_LIMITS, Limits
from .codecs import Decompressed, Readable, UnpackingError, bare_name, compression, zip_compression
from .seven_zip import SEVEN_ZIP_SUFFIX, Content, SevenZip
from .seven_zip import SIGNATURE as _SEVEN_ZIP

if TYPE_CHECKING:
    import tarfile
    import zipfile

HEAD: Final = 1 << 16
"""Bytes at the start of a stream by which its format is detected."""

MEMBER_SEPARATOR: Final = "!/"
"""Separates the name of an archive from the name of a member: `archive.zip!/inner/name.sgf`."""

_SUFFIXES: Final = (".zip", ".tar", SEVEN_ZIP_SUFFIX)
_ZIP_SIGNATURES: Final = (b"PK\3\4", b"PK\5\6")
_BUFFER: Final = 1 << 16  # of small reads; large ones bypass it
_FREE_OUTPUT: Final = 64 << 20
_MAX_LAYERS: Final = 2
_TAR_BLOCK: Final = 512
_MAX_TAR_HEADER: Final = 1 << 20
_MAX_ZIP_DIRECTORY: Final = 64 << 20
_UTF8_NAME: Final = 0x800
_EAST_ASIA: Final = re.compile(rb"[\x80-\xff]{3}")
_HALF_PAIR: Final = re.compile("[\udc80-\udcff]")
_MOST_LEGACY_NAMES: Final = 64  # by which the encoding of a tar archive is guessed
_MOST_NAME: Final = 256


def is_archive_name(name: str) -> bool:
    """Return whether the suffix of a file name is that of an archive: .zip, .7z, .tar, or a compressed tar."""
    lower = name.lower()
    return lower.endswith(_SUFFIXES) or bare_name(lower).endswith(".tar")


def is_packed(head: bytes) -> bool:
    """Return whether data that starts with `head` is compressed or an archive."""
    return compression(head) is not None or head.startswith((*_ZIP_SIGNATURES, _SEVEN_ZIP)) or _is_tar(head, "")


# --- streams -------------------------------------------------------------------------------------


class OutputLimit:
    """The limit of all bytes unpacked from one input: 64 MiB and `factor` times the `taken` bytes of input."""

    __slots__ = ("factor", "made", "taken")

    def __init__(self, factor: int) -> None:
        self.factor = factor
        self.taken = 0
        self.made = 0

    def spend(self, size: int) -> None:
        """Count `size` bytes of output; raises `UnpackingError` beyond the limit."""
        self.made += size
        if self.made > _FREE_OUTPUT + self.factor * self.taken:
            message = f"the unpacked data exceeds {self.factor:,} times the packed size plus 64 MiB"
            raise UnpackingError("limit-archive", message)


class GuardedReader(io.RawIOBase):
    """Reads `file` to its end or to the first failure, so that everything before it is kept; `failure` is the reason.

    `limit` counts the bytes. `kind` names the data in messages.
    """

    def __init__(self, file: Readable, kind: str, limit: OutputLimit | None = None) -> None:
        self._file = file
        self._kind = kind
        self._limit = limit
        self.failure: UnpackingError | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` does."""
        if self.failure is not None:
            return 0
        try:
            data = self._file.read(len(buffer)) or b""
            if self._limit is not None:
                self._limit.spend(len(data))
        except Exception as error:
            self.failure = _damage(self._kind, error)
            return 0
        buffer[: len(data)] = data
        return len(data)


class _Restarted(io.RawIOBase):
    """A file from its start although its `head` was read already; counts the input that follows."""

    def __init__(self, head: bytes, file: Readable, input_of: OutputLimit | None = None) -> None:
        self._head = head
        self._file = file
        self._readinto = getattr(file, "readinto", None)
        self._input_of = input_of

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
            buffer[: len(data)] = data
            return len(data)
        if self._readinto is not None:  # without a copy
            count: int = self._readinto(buffer) or 0
        else:
            data = self._file.read(len(buffer)) or b""
            count = len(data)
            buffer[:count] = data
        if self._input_of is not None:
            self._input_of.taken += count
        return count


class Member:
    """A single file or a member of an archive, decompressed up to two times, not yet read beyond its first bytes.

    `source` names it as rows do: the path as given, or `archive.zip!/inner/name.sgf`. `name` is its own name without
    the suffixes of compression. `file` is a buffered reader at the start of the content, `head` its first `HEAD` bytes,
    or all of it.
    """

    def __init__(self, source: str, name: str, file: Readable, limit: OutputLimit, *, is_input: bool = False) -> None:
        self.source = source
        self.name = name
        self.head = b""
        self.file: BinaryIO
        self.layers: list[GuardedReader] = [file] if isinstance(file, GuardedReader) else []
        self._start(file, limit if is_input else None)
        self.is_compressed = False
        depth = 0
        while (kind := compression(self.head)) is not None:
            self.is_compressed = True
            depth += 1
            layer = GuardedReader(Decompressed(self.file, kind), kind.name, limit)
            self.layers.append(layer)
            if depth > _MAX_LAYERS:
                layer.failure = UnpackingError("archive-invalid", f"more than {_MAX_LAYERS} layers of compression")
            self.name = bare_name(self.name)
            self._start(layer)

    @property
    def failure(self) -> UnpackingError | None:
        """Why the content ended before its end (`archive-invalid`, `limit-archive`), as far as it has been read, or
        None.
        """
        return next((layer.failure for layer in self.layers if layer.failure is not None), None)

    @property
    def is_zip(self) -> bool:
        """Whether the content is a zip archive."""
        return self.head.startswith(_ZIP_SIGNATURES)

    @property
    def is_seven_zip(self) -> bool:
        """Whether the content is a 7-Zip archive."""
        return self.head.startswith(_SEVEN_ZIP)

    @property
    def is_tar(self) -> bool:
        """Whether the content is a tar archive."""
        return _is_tar(self.head, self.name)

    def _start(self, file: Readable, input_of: OutputLimit | None = None) -> None:
        parts: list[bytes] = []
        room = HEAD
        while room and (data := file.read(room)):
            if not isinstance(data, bytes):
                raise TypeError(f"expected a file opened in binary mode; its read() returned {type(data).__name__}")
            parts.append(data)
            room -= len(data)
        self.head = b"".join(parts)
        if input_of is not None:
            input_of.taken += len(self.head)
        is_whole = room > 0
        self.file = (
            io.BytesIO(self.head) if is_whole else io.BufferedReader(_Restarted(self.head, file, input_of), _BUFFER)
        )


# --- archives ------------------------------------------------------------------------------------


class Archives:
    """Opens files: plain, compressed (gzip, bzip2, xz, zstd) or archives (zip, 7-Zip, tar and compressed tar).

    The kind is detected from the first bytes. Members of archives are read in the order of the archive. Members whose
    name `is_wanted` refuses, that are no regular files (links, devices, folders), or that are archives themselves are
    skipped, counted in `passed_over`, and named to `on_passed_over` where that is a function. Names inside archives are
    never used as paths. Zip and 7-Zip archives require seeking: from a pipe they are copied to an unnamed temporary
    file; nothing else is written.

    The unpacked data of one file, over all levels, is limited to 64 MiB plus `limits.max_expansion` times the
    bytes read.

    Thread safety: one thread at a time.
    """

    def __init__(self, is_wanted: Callable[[str], bool], *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._is_wanted = is_wanted
        self._factor = limits.max_expansion
        self.passed_over = 0
        self.on_passed_over: Callable[[str], object] | None = None

    def pass_over(self, source: str) -> None:
        """Count a file that is not read, and call `on_passed_over` with its name."""
        self.passed_over += 1
        if self.on_passed_over is not None:
            self.on_passed_over(source)

    def members(self, source: str, name: str, file: BinaryIO) -> Iterator[Member]:
        """Yield the members of the binary `file`; each must be read before the next one is requested.

        `file` stays open. Raises `UnpackingError` where an archive cannot be read (further), and `OSError`.
        """
        limit = OutputLimit(self._factor)
        whole = Member(source, name, file, limit, is_input=True)
        if whole.is_zip or whole.is_seven_zip:
            kind, members = ("zip", self._zip_members) if whole.is_zip else ("7-Zip", self._seven_zip_members)
            if whole.is_compressed:
                raise UnpackingError("archive-invalid", f"a {kind} archive inside compressed data is not supported")
            with _seekable(file, whole.file) as archive:
                limit.taken = archive.seek(0, 2)  # members may share bytes
                yield from members(source, archive, limit)
        elif whole.is_tar:
            yield from self._tar_members(whole, limit)
        else:
            yield whole

    def _member(self, archive: str, name: str, content: GuardedReader, limit: OutputLimit) -> Member | None:
        """A member of an archive; None for one that is an archive itself."""
        member = Member(archive + MEMBER_SEPARATOR + name, name, content, limit)
        if member.is_zip or member.is_seven_zip or member.is_tar:
            self.pass_over(member.source)
            return None
        return member

    def _zip_members(self, source: str, file: IO[bytes], limit: OutputLimit) -> Iterator[Member]:
        import zipfile

        try:
            archive = zipfile.ZipFile(_ZipFile(file))
        except Exception as error:
            raise _damage("zip archive", error) from None
        with archive:
            for info, name in _zip_names(archive.infolist()):
                kind = stat.S_IFMT(info.external_attr >> 16)
                if kind not in (0, stat.S_IFREG) or not self._is_wanted(name):
                    self.pass_over(source + MEMBER_SEPARATOR + name)
                    continue
                content = _ZipContent(archive, info)
                try:
                    member = self._member(source, name, GuardedReader(content, "zip archive", limit), limit)
                    if member is not None:
                        yield member
                    if member is not None and _is_limit(member.failure):
                        return
                finally:
                    content.close()

    def _seven_zip_members(self, source: str, file: IO[bytes], limit: OutputLimit) -> Iterator[Member]:
        try:
            archive = SevenZip(file, limit.spend)
            found = iter(archive)
        except Exception as error:
            raise _damage("7-Zip archive", error) from None
        while (entry := _next_entry(found)) is not None:
            name, content = entry
            if name is None or not self._is_wanted(name):
                self.pass_over(source + MEMBER_SEPARATOR + (name or content.name))
                continue
            member = self._member(source, name, GuardedReader(content, "7-Zip archive"), limit)
            if member is not None:
                yield member
            if archive.is_broken or (member is not None and _is_limit(member.failure)):
                return

    def _tar_members(self, whole: Member, limit: OutputLimit) -> Iterator[Member]:
        blocks = _TarBlocks(whole.file)
        names = _TarNames()
        try:
            with _open_tar(blocks) as archive:
                while (info := _next_header(archive, blocks)) is not None:
                    name = names.name_of(info)
                    if not info.isreg() or not self._is_wanted(name):
                        self.pass_over(whole.source + MEMBER_SEPARATOR + name)
                        continue
                    has_holes = info.issparse()
                    file = archive.extractfile(info) if has_holes else _TarMember(archive.fileobj, info, whole)
                    content = GuardedReader(file, "tar archive")
                    member = self._member(whole.source, name, content, limit)
                    if member is not None:
                        yield member
                    if content.failure or (member and _is_limit(member.failure)):
                        return
        except UnpackingError as error:
            raise (whole.failure or error) from None
        if whole.failure:  # after the last member
            raise whole.failure


def _next_entry(found: Iterator[tuple[str | None, Content]]) -> tuple[str | None, Content] | None:
    try:
        return next(found, None)
    except Exception as error:
        raise _damage("7-Zip archive", error) from None


def _is_limit(failure: UnpackingError | None) -> bool:
    return failure is not None and failure.code == "limit-archive"


class _ZipFile:
    """The bytes of a zip archive; refuses a directory whose entries would take too much memory as objects."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > _MAX_ZIP_DIRECTORY:
            message = f"the directory of the zip archive has more than {_MAX_ZIP_DIRECTORY:,} bytes"
            raise UnpackingError("limit-archive", message)
        return self._file.read(size)


def _zip_names(members: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The members of a zip archive with their names: without the flag of UTF-8 those are in an encoding of East Asia,
    guessed as that of a record is, UTF-8, or as zipfile reads them (code page 437).
    """
    legacy = {}
    for info in members:
        if not (info.flag_bits & _UTF8_NAME or info.filename.isascii()):
            with suppress(UnicodeEncodeError):  # the name is that of an extra field
                legacy[info.filename] = info.filename.encode("cp437")
    encodings = ("utf-8", _east_asian(legacy.values()))
    for info in members:
        name = info.filename
        yield info, _decoded(legacy[name], encodings, name) if name in legacy else name


def _east_asian(names: Collection[bytes]) -> str:
    """The encoding of East Asia that names are in, guessed as that of a record is; ASCII where it is not clear."""
    if _EAST_ASIA.search(text := b"\n".join(names)):
        found = choose(b"(;C[%b])" % text, None, False, None)
        if found.encoding in FREQUENT and EVIDENCE[found.evidence] not in DOUBTFUL:
            return found.encoding
    return "ascii"


def _decoded(raw: bytes, encodings: Iterable[str], otherwise: str) -> str:
    """A name in the first of the encodings that can read it, or `otherwise`."""
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return otherwise


class _TarNames:
    """The names of the members of a tar archive: UTF-8, or in the encoding of East Asia that those that are not, up to
    a name, are clearly in. Bytes of other names are half surrogate pairs, as in names of files.
    """

    def __init__(self) -> None:
        self._legacy: list[bytes] = []
        self._encoding = "ascii"

    def name_of(self, info: tarfile.TarInfo) -> str:
        """Return the name of the next member."""
        name = info.name
        if name.isascii() or not _HALF_PAIR.search(name):
            return name
        raw = name.encode("utf-8", "surrogateescape")
        if self._encoding == "ascii" and len(self._legacy) < _MOST_LEGACY_NAMES and len(raw) <= _MOST_NAME:
            self._legacy.append(raw)
            self._encoding = _east_asian(self._legacy)
        return _decoded(raw, (self._encoding,), name)


class _ZipContent:
    """The content of a zip member, compared with the length and checksum of the directory.

    zipfile only finds its compressed bytes: it would decompress some methods without a limit of the output at once.
    """

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._info = info
        self._missing = info.file_size
        self._checksum = 0
        self._raw: IO[bytes] | None = None
        self._content: Readable | None = None

    def read(self, size: int) -> bytes:
        """Return 1 to `size` bytes, or none at the end. Raises `UnpackingError` and what zipfile raises."""
        if self._content is None:
            self._content = self._open()
        data = self._content.read(size) or b""
        self._missing -= len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        if not data and (self._missing or self._checksum != self._info.CRC):
            raise UnpackingError("archive-invalid", "the length or checksum differs from the archive's directory")
        return data

    def _open(self) -> Readable:
        info = self._info
        if info.flag_bits & 1:
            raise UnpackingError("archive-invalid", "the member is encrypted")
        method = info.compress_type
        kind = zip_compression(method) if method else None
        stored = copy.copy(info)
        stored.compress_type = 0
        stored.file_size = info.compress_size
        del stored.CRC
        if hasattr(stored, "_end_offset"):  # newer versions refuse some members that share bytes, and warn of others
            stored._end_offset = None
        self._raw = raw = self._archive.open(stored)
        if kind is None:
            return raw
        if kind.name == "LZMA":
            # Its header is a version and the size of the properties; the stand-alone format has them and a length.
            properties = raw.read(int.from_bytes(raw.read(4)[2:], "little"))
            return Decompressed(_Restarted(properties + b"\xff" * 8, raw), kind)
        return Decompressed(raw, kind)

    def close(self) -> None:
        """Close the member; the archive stays open."""
        if self._raw is not None:
            self._raw.close()


class _TarBlocks:
    """The bytes of a tar archive; refuses the headers of one member more than a sensible size."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._allowed: int | None = _MAX_TAR_HEADER

    def allow(self, size: int | None) -> None:
        """Allow `size` bytes from now on, None for any number."""
        self._allowed = size

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if self._allowed is not None:
            self._allowed -= len(data)
            if self._allowed < 0:
                raise UnpackingError("archive-invalid", "a header of the tar archive is too long")
        return data


class _TarMember:
    """The bytes of a member without holes; tarfile gives none where the archive ends among them."""

    def __init__(self, file: Any, info: tarfile.TarInfo, whole: Member) -> None:
        self._file = file
        self._place = info.offset_data
        self._end = info.offset_data + info.size
        self._whole = whole

    def read(self, size: int) -> bytes:
        self._file.seek(self._place)
        data: bytes = self._file.read(min(size, self._end - self._place))
        if not data and self._place < self._end:
            message = "the tar archive is damaged: unexpected end of data"
            raise self._whole.failure or UnpackingError("archive-invalid", message)
        self._place += len(data)
        return data


def _open_tar(blocks: _TarBlocks) -> Any:
    """A tar archive, read to the end of the file: a further archive after its end is a part of it."""
    import tarfile

    class Header(tarfile.TarInfo):
        """Reports damage: tarfile skips a damaged header, or takes it for the end of the archive."""

        is_after_end = False

        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Any:
            try:
                header = super().fromtarfile(archive)
            except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # not in the stub
                Header.is_after_end = True
                blocks.allow(_MAX_TAR_HEADER)
                raise
            except tarfile.HeaderError as error:
                # Not in the stub.
                if Header.is_after_end and isinstance(error, tarfile.InvalidHeaderError):  # type: ignore[attr-defined]
                    raise UnpackingError("archive-invalid", "other data follows the end of the tar archive") from None
                if Header.is_after_end:
                    raise
                raise UnpackingError("archive-invalid", f"the tar archive is damaged: {error}") from None
            Header.is_after_end = False
            return header

        def _proc_member(self, archive: tarfile.TarFile) -> Any:
            # Long names and the like are read here, as many bytes as the header gives.
            if self.size < 0:
                raise UnpackingError("archive-invalid", "the tar archive is damaged: a length is negative")
            return super()._proc_member(archive)  # type: ignore[misc]  # not in the stub

    try:
        return tarfile.open(  # type: ignore[call-overload]  # the stub wants a file with more methods
            fileobj=blocks, mode="r|", tarinfo=Header, ignore_zeros=True, encoding="utf-8", errors="surrogateescape"
        )
    except Exception as error:
        raise _damage("tar archive", error) from None


def _next_header(archive: Any, blocks: _TarBlocks) -> tarfile.TarInfo | None:
    """The next member of a tar archive, or None; earlier ones are removed from its list."""
    archive.members.clear()
    blocks.allow(max(0, archive.offset - archive.fileobj.tell()) + _MAX_TAR_HEADER)
    try:
        info: tarfile.TarInfo | None = archive.next()
    except Exception as error:
        raise _damage("tar archive", error) from None
    blocks.allow(None)
    return info


def _damage(kind: str, error: Exception) -> UnpackingError:
    """The failure that an exception of a library means; raises those that are about the machine, not the data."""
    if isinstance(error, UnpackingError):
        return error
    is_invalid_seek = isinstance(error, OSError) and error.errno == errno.EINVAL
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and not is_invalid_seek):
        raise error
    return UnpackingError("archive-invalid", f"the {kind} is damaged: {error}")


@contextmanager
def _seekable(file: BinaryIO, content: BinaryIO) -> Iterator[IO[bytes]]:
    """`file` if it can seek, else a temporary copy of `content`, which is at its start."""
    if file.seekable():
        yield file
        return
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as whole:
        shutil.copyfileobj(content, whole)
        yield whole


def _is_tar(head: bytes, name: str) -> bool:
    """Whether the first block is the header of a tar archive, by its checksum: old archives have no magic number."""
    if len(head) < _TAR_BLOCK:
        return False
    text = head[148:156].strip(b" \0")
    if not text:
        return not any(head[:_TAR_BLOCK]) and name.lower().endswith(".tar")
    if not text.isdigit() or text.strip(b"01234567"):
        return False
    return int(text, 8) == sum(head[:148]) + sum(head[156:_TAR_BLOCK]) + 8 * ord(" ")
