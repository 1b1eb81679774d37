"""What a file, archive or stream holds: its members as streams, unpacked while they are read, none written anywhere."""

from __future__ import annotations

import copy
import errno
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final

from ..limits import DEFAULT_LIMITS, Limits
from .codecs import UnpackingError, bare_name, compression, zip_decoder
from .unpacking import Budget, Layer, Readable, Stream, ZipUnpacked

if TYPE_CHECKING:
    import tarfile
    import zipfile

__all__ = ["INSIDE", "Archives", "Member", "is_archive_name", "is_packed"]

INSIDE: Final = "!/"
"""Stands between the name of an archive and the name inside of it."""

_SUFFIXES: Final = (".zip", ".tar")
_ZIP_STARTS: Final = (b"PK\3\4", b"PK\5\6")
_TAR_BLOCK: Final = 512
_MOST_HEADER: Final = 1 << 20
_MOST_DIRECTORY: Final = 64 << 20


def is_archive_name(name: str) -> bool:
    """Return whether a file of that name may be an archive: .zip, .tar, and compressed tar."""
    lower = name.lower()
    return lower.endswith(_SUFFIXES) or bare_name(lower).endswith(".tar")


def is_packed(head: bytes) -> bool:
    """Return whether data that starts with `head` is compressed or an archive."""
    return compression(head) is not None or head.startswith(_ZIP_STARTS) or _is_tar(head, "")


@dataclass(frozen=True, slots=True)
class Member:
    """One file, found on its own or in an archive, before it is read.

    `source` names it as rows do: the path as given, or `archive.zip!/inner/name.sgf`.
    `name` is its own name without the suffixes of compression; `stream` its bytes.
    """

    source: str
    name: str
    stream: Stream

    @property
    def file(self) -> BinaryIO:
        """The unpacked bytes, buffered, from the start."""
        return self.stream.file

    @property
    def head(self) -> bytes:
        """The first bytes of the file, `unpacking.HEAD` of them or all."""
        return self.stream.head

    @property
    def failure(self) -> UnpackingError | None:
        """After reading: why the file ended before its end (`archive-invalid`, `limit-archive`), or None."""
        return self.stream.failure


class Archives:
    """Opens files: plain, compressed (gzip, bzip2, xz, zstd) or archives (zip, tar and compressed tar).

    Which they are is told by their first bytes. Members of archives are read in
    the order of the archive; those that `is_wanted` refuses by their name, that are
    no regular files (links, devices, folders) or archives again are passed over and
    counted in `passed_over`. Names inside are never used as paths. A zip archive
    needs seeking and is copied to an unnamed temporary file where the stream
    cannot; nothing else is written.

    All that is unpacked from one file, at whatever level, may come to 64 MiB and
    `limits.max_expansion` times what was read of it.

    Thread safety: one thread at a time.
    """

    def __init__(self, is_wanted: Callable[[str], bool], *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._is_wanted = is_wanted
        self._factor = limits.max_expansion
        self.passed_over = 0

    def members(self, source: str, name: str, file: BinaryIO) -> Iterator[Member]:
        """Yield what the binary `file` holds; each member must be read before the next is asked for.

        `file` stays open. Raises `UnpackingError` where an archive cannot be read (on),
        and `OSError`.
        """
        budget = Budget(self._factor)
        stream = Stream(name, file, budget, outermost=True)
        if stream.head.startswith(_ZIP_STARTS):
            yield from self._zip(source, stream, file, budget)
        elif _is_tar(stream.head, stream.name):
            yield from self._tar(source, stream, budget)
        else:
            yield Member(source, stream.name, stream)

    def _inner(self, archive: str, name: str, layers: list[Layer], file: Layer, budget: Budget) -> Iterator[Member]:
        stream = Stream(name, file, budget, outermost=False)
        stream.layers[:0] = layers
        if stream.head.startswith(_ZIP_STARTS) or _is_tar(stream.head, stream.name):
            self.passed_over += 1
        else:
            yield Member(archive + INSIDE + name, stream.name, stream)

    def _zip(self, source: str, stream: Stream, file: BinaryIO, budget: Budget) -> Iterator[Member]:
        if stream.is_compressed:
            raise UnpackingError("archive-invalid", "a zip archive that is compressed once more is not read")
        with _seekable(file, stream.file) as whole:
            budget.taken = whole.seek(0, 2)  # members may share bytes
            yield from self._zip_members(source, whole, budget)

    def _zip_members(self, source: str, file: IO[bytes], budget: Budget) -> Iterator[Member]:
        import zipfile

        with _damage("zip"):
            archive = zipfile.ZipFile(_ZipSource(file))
        with archive:
            for info in archive.infolist():
                kind = stat.S_IFMT(info.external_attr >> 16)
                if kind not in (0, stat.S_IFREG) or not self._is_wanted(info.filename):
                    self.passed_over += 1
                    continue
                member: Member | None = None
                with closing(_ZipMember(archive, info, budget)) as content:
                    for member in self._inner(source, info.filename, [], content, budget):
                        yield member
                if member is not None and member.failure is not None and member.failure.code == "limit-archive":
                    return

    def _tar(self, source: str, stream: Stream, budget: Budget) -> Iterator[Member]:
        whole = _TarSource(stream.file)
        try:
            with _open_tar(whole) as archive:
                while (info := _next(archive, whole)) is not None:
                    if not info.isreg() or info.issparse() or not self._is_wanted(info.name):
                        self.passed_over += 1
                        continue
                    content = _TarMember(archive.fileobj, info.size)
                    for member in self._inner(source, info.name, stream.layers, content, budget):
                        yield member
                        failure = member.failure
                        if failure is not None and (
                            failure is stream.failure or failure is content.failure or failure.code == "limit-archive"
                        ):
                            return
        except UnpackingError as stop:
            raise (stream.failure or stop) from None


class _ZipSource:
    """The bytes of a zip archive; refuses a directory that would take too much memory as objects."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > _MOST_DIRECTORY:
            message = f"the directory of the zip archive has more than {_MOST_DIRECTORY:,} bytes"
            raise UnpackingError("limit-archive", message)
        return self._file.read(size)


class _ZipMember(Layer):
    """One member of a zip archive; opened when it is read, so that what is wrong with it is a failure of its own."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> None:
        self._archive = archive
        self._info = info
        self._budget = budget
        self._unpacked: ZipUnpacked | None = None
        self._raw: IO[bytes] | None = None

    def more(self, size: int) -> bytes:
        with _damage("zip"):
            if self._unpacked is None:
                self._unpacked = self._open()
            return self._unpacked.more(size)

    def _open(self) -> ZipUnpacked:
        info = self._info
        if info.flag_bits & 1:
            raise UnpackingError("archive-invalid", "it is encrypted")
        decoder = zip_decoder(info.compress_type)
        # zipfile would unpack some methods without a limit to what comes out at once.
        stored = copy.copy(info)
        stored.compress_type = 0
        stored.file_size = info.compress_size
        del stored.CRC
        if hasattr(stored, "_end_offset"):  # newer zipfile refuses some members that share bytes, and warns of others
            stored._end_offset = None
        self._raw = self._archive.open(stored)
        return ZipUnpacked(self._raw, decoder, info.file_size, info.CRC, self._budget)

    def close(self) -> None:
        if self._raw is not None:
            self._raw.close()
        super().close()


class _TarMember(Layer):
    """One member of a tar archive, from the place where its headers end."""

    def __init__(self, file: Readable, size: int) -> None:
        self._file = file
        self._left = size

    def more(self, size: int) -> bytes:
        if self._left == 0:
            return b""
        data = self._file.read(min(size, self._left)) or b""
        self._left -= len(data)
        if not data:
            raise UnpackingError("archive-invalid", "the tar archive ends too early")
        return data


class _TarSource:
    """The bytes of a tar archive; refuses to give the headers of one member more than is sensible."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left: int | None = _MOST_HEADER

    def allow(self, size: int | None) -> None:
        self._left = size

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                raise UnpackingError("archive-invalid", "a header of the tar archive is too long")
        return data


def _open_tar(source: Any) -> Any:
    import tarfile

    with _damage("tar"):
        return tarfile.open(fileobj=source, mode="r|", tarinfo=_tar_header_class())


def _next(archive: Any, source: _TarSource) -> tarfile.TarInfo | None:
    """The next member of a tar archive, or None; those before it are forgotten."""
    if archive.offset == 0:  # it holds none; Python 3.10 would go back from there
        return None
    archive.members.clear()
    source.allow(max(0, archive.offset - archive.fileobj.tell()) + _MOST_HEADER)
    with _damage("tar"):
        info: tarfile.TarInfo | None = archive.next()
    source.allow(None)
    return info


def _tar_header_class() -> type[tarfile.TarInfo]:
    import tarfile

    class Header(tarfile.TarInfo):
        """Tells of a damaged header; tarfile takes one behind the first for the end of the archive."""

        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Any:
            try:
                return super().fromtarfile(archive)
            except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
                raise
            except tarfile.HeaderError as error:
                raise UnpackingError("archive-invalid", f"the tar archive is damaged: {error}") from None

        def _proc_member(self, archive: tarfile.TarFile) -> Any:
            # What follows a header is read here, and so much of it as it says.
            if self.size < 0:
                raise UnpackingError("archive-invalid", "the tar archive is damaged: a length is negative")
            return super()._proc_member(archive)  # type: ignore[misc]

    return Header


@contextmanager
def _damage(name: str) -> Iterator[None]:
    """Turns what the libraries raise for hostile or damaged archives into `UnpackingError`."""
    try:
        yield
    except (MemoryError, UnpackingError):
        raise
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the start of the file
            raise
        raise UnpackingError("archive-invalid", f"the {name} archive is damaged: {error}") from None
    except Exception as error:
        raise UnpackingError("archive-invalid", f"the {name} archive is damaged: {error}") from None


@contextmanager
def _seekable(file: BinaryIO, unread: BinaryIO) -> Iterator[IO[bytes]]:
    """`file` where it can seek, else a copy of what it holds, `unread` from its start."""
    if file.seekable():
        yield file
        return
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as whole:
        shutil.copyfileobj(unread, whole)
        yield whole


def _is_tar(head: bytes, name: str) -> bool:
    """Whether the first block is the header of a tar archive: its checksum tells, also without a magic number."""
    if len(head) < _TAR_BLOCK:
        return False
    block = head[:_TAR_BLOCK]
    if not any(block):
        return name.lower().endswith(".tar")
    text = block[148:156].strip(b" \0")
    if not text or not text.isdigit() or text.strip(b"01234567"):
        return False
    return int(text, 8) == sum(block[:148]) + sum(block[156:]) + 8 * ord(" ")
