"""Sources of records: paths, folders, archives, files of many records, standard input, bytes in memory."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import groupby, islice, takewhile
from mmap import mmap
from typing import Any, BinaryIO, Final, NamedTuple, cast

from .._util._native import BufferOwner
from .._util.files import suffix_code
from .._util.lazy_numpy import np
from .._util.prefetch import Prefetcher
from .._util.scan_dir import FolderFile, files_of
from ..errors import Problem, whole_problem
from ..formats import _native
from ..formats.registry import describe_unknown, detect_format
from ..formats.sgf.charset import transcode_wide_to_utf8
from ..formats.sgf.games import split
from ..limits import DEFAULT_LIMITS, Limits, check_limits
from .archives import HEAD, Archives, Member, is_packed
from .byte_ranges import CAN_READ_RANGES, LEAST_BYTES, ByteRange, LineFile
from .chunks import (
    FIRST_GATHERED,
    IN_MEMORY_SOURCE,
    MOST_BYTES,
    MOST_RECORDS,
    Chunk,
    RawRecord,
    Run,
    WholeText,
    gather_small,
    unreadable,
)
from .codecs import UnpackingError
from .read_buffer import READ_BYTES, BufferPool, FileReadBuffer, MemoryReadBuffer, ReadBuffer
from .record_files import OPEN_FLAGS, holds_records, is_record_file, is_record_member
from .record_lines import is_of_lines, line_items, whole_item
from .sgf_reader import CollectionReader
from .small_files import (
    LEAST_MEMORY,
    SHORT_BLOCK,
    SMALL,
    BlockMemory,
    folder_and_suffix,
    plain_suffix,
    small_files,
)
from .splits import FilePart

Input = str | os.PathLike[str] | bytes | bytearray | memoryview | mmap

STDIN: Final = "-"
"""The path that means standard input."""

_LINES_SUFFIX: Final = ".jsonl"
_MARKED: Final = 256  # bytes needed to detect UTF-16
_XML: Final = "wei7-2.2"
_ALONE: Final = frozenset({_XML, "giseong", "gib", "ngf", "ugf", "ogs"})  # formats with one record a source

Items = Generator[Chunk | RawRecord | WholeText, None, None]
Pieces = Generator[Chunk | RawRecord | WholeText | ByteRange, None, None]
_Counting = Generator[Chunk | RawRecord | WholeText | ByteRange, None, int]


class NamedFile(NamedTuple):
    """A file of another file system: `open` returns it, opened in binary mode; it will be closed.

    Rows name it `source`. A missing or unreadable file is a row, as with other files; other exceptions of `open` and of
    reading propagate.
    """

    source: str
    open: Callable[[], BinaryIO]


class Sources:
    """The records of `inputs`, in order, read on demand: `blocks` of many, or `RawRecord` one by one.

    An input is bytes (any object with the buffer protocol), a file, a `NamedFile` or `FilePart`, a folder (searched for
    file names of records, of compressed records and of archives, in any case, in sorted order; links to folders are not
    followed, pipes and the like are skipped; a file of another name is read if its content starts like a record) or `-`
    for standard input. Files and streams may be compressed or archives, as `wei7core.sources.archives` describes;
    formats are detected from the content.

    SGF may contain any number of games. A wei7 file has one record a line if its name ends in .jsonl, or if its first
    line is a whole JSON object and the next line starts another; the latter holds for bytes as well. Blank lines are
    skipped. Any other text of wei7 is one record, and so is one of any other format.

    An unreadable record, or one longer than `limits.max_bytes`, is passed on as a `RawRecord` without data.
    `passed_over` counts the files of folders and archives that have another suffix or are not regular. `bytes_read`
    counts the bytes read of the inputs, before decompression, and `files_read` the files read to their end. `chunk` is
    the number of bytes of text in one read.

    Compressed files and archives are decompressed in advance by another thread, which ends with the iterator.

    Thread safety: one thread at a time.
    """

    def __init__(
        self,
        inputs: Input | Iterable[Input | NamedFile | FilePart],
        *,
        limits: Limits = DEFAULT_LIMITS,
        chunk: int = READ_BYTES,
    ) -> None:
        check_limits(limits)
        is_one = isinstance(inputs, (str, os.PathLike)) or _bytes_of(inputs) is not None
        several: Any = inputs
        self._inputs: Iterable[Any] = [inputs] if is_one else several
        self._limit = min(limits.max_bytes, sys.maxsize - 3)  # so that a little more can be requested
        self._too_long = whole_problem("limit-bytes", f"the record has more than {self._limit} bytes")
        self._chunk = chunk
        self._most_whole = min(self._limit, chunk)
        self._archives = Archives(is_record_member, limits=limits)
        self._buffers = BufferPool()
        self.bytes_read = 0
        self.files_read = 0

    @property
    def passed_over(self) -> int:
        """How many files of folders and archives were not read."""
        return self._archives.passed_over

    def name_passed_over(self, report: Callable[[str], object]) -> None:
        """Call `report` with the name of each skipped file, possibly in the decompressing thread."""
        self._archives.on_passed_over = report

    @property
    def bytes_in_all(self) -> int | None:
        """The final value of `bytes_read` if all inputs are bytes and regular files, else None."""
        if not isinstance(self._inputs, (list, tuple)):
            return None
        size = 0
        for item in self._inputs:
            data = _bytes_of(item)
            if data is not None:
                size += len(data)
                continue
            if isinstance(item, (NamedFile, FilePart)):
                return None
            try:
                status = os.stat(item)
            except OSError:
                return None
            if not stat.S_ISREG(status.st_mode):
                return None
            size += status.st_size
        return size

    @property
    def files_in_all(self) -> int | None:
        """The final value of `files_read` if all inputs are files and folders, else None.

        This lists the names in folders, which costs little compared with reading the files.
        """
        if not isinstance(self._inputs, (list, tuple)):
            return None
        count = 0
        for item in self._inputs:
            if isinstance(item, (NamedFile, FilePart)) or _bytes_of(item) is not None or os.fspath(item) == STDIN:
                return None
            count += sum(map(is_record_file, files_of(os.fspath(item)))) if os.path.isdir(item) else 1
        return count

    def __iter__(self) -> Iterator[RawRecord]:
        for item in self.blocks():
            if isinstance(item, RawRecord):
                yield item
            else:
                yield from item.texts()

    def blocks(self) -> Iterator[Chunk | RawRecord]:
        """Iterate over the records in blocks of many, each of about 1 MiB and 4096 records at most.

        A record that was not read, or has problems before it is decoded, comes as a `RawRecord` of its own between
        them.
        """
        return cast("Iterator[Chunk | RawRecord]", gather_small(self._all(with_ranges=False)))

    def pieces(self) -> Iterator[Chunk | RawRecord | ByteRange]:
        """Iterate as `blocks` does, but yield large JSONL files as ranges, which the consumer reads."""
        return gather_small(self._all(with_ranges=CAN_READ_RANGES))

    def _all(self, *, with_ranges: bool) -> Pieces:
        if isinstance(self._inputs, list):
            yield from self._listed(self._inputs, 0, FIRST_GATHERED, with_ranges=with_ranges)
            return
        number = size = 0
        group: list[bytes] = []
        most = FIRST_GATHERED
        for item in self._inputs:
            is_text = type(item) is bytes and len(item) < SMALL
            if is_text:
                group.append(item)
                size += len(item)
                if len(group) < most and size < MOST_BYTES:
                    continue
                most = min(2 * most, MOST_RECORDS)
            # Other items are not consumed in advance: a file may exist only until the next one is requested.
            number = yield from self._listed(group, number, most, with_ranges=with_ranges)
            group, size = [], 0
            if not is_text:
                number = yield from self._each((item,), number, with_ranges=with_ranges)
        yield from self._listed(group, number, most, with_ranges=with_ranges)

    def _listed(self, inputs: list[Any], number: int, most: int, *, with_ranges: bool) -> _Counting:
        """The records of a list like those of `_each`, but blocks of `most` texts, then more, are joined in C."""

        def others(paths: list[str]) -> Pieces:
            yield from self._each(paths, 0, with_ranges=with_ranges)

        first, singles = 0, 1
        memory = BlockMemory()
        while len(inputs) - first >= SHORT_BLOCK:
            texts = 0
            if (suffix := plain_suffix(_path_of(inputs[first]))) is not None:
                items = (_path_of(inputs[number]) for number in range(first, len(inputs)))
                paths = list(takewhile(lambda path: plain_suffix(path) == suffix, items))
                yield from self._small_files("", paths, suffix, others)
                first += len(paths)
                continue
            if type(inputs[first]) is bytes:
                format, texts, begins, ends, starts = _native.join_texts(
                    inputs, first, memory.free(), min(SMALL - 1, self._most_whole), most, MOST_RECORDS, self._limit
                )
                if texts:
                    count, size = len(ends), int(ends[-1])
                    self.bytes_read += size
                    data = memory.used(size)
                    if count < FIRST_GATHERED and size < LEAST_MEMORY:  # an unusual text follows, or the end
                        places = begins.tobytes(), ends.tobytes(), format
                        yield WholeText(data, *places, IN_MEMORY_SOURCE, count, number, True, starts.tobytes())
                    else:
                        yield Chunk(data, begins, ends, format, (Run(IN_MEMORY_SOURCE, count, number, True),), starts)
                    number += count
                    most = min(2 * most, MOST_RECORDS)
                first += texts
                if texts >= SHORT_BLOCK or (texts and size >= LEAST_MEMORY):
                    singles = 1
                    continue
            # Blocks of a few texts would cost more than texts read one by one, which are gathered later.
            following = inputs[first : first + singles]
            number = yield from self._each(following, number, with_ranges=with_ranges)
            first += len(following)
            singles = min(2 * singles, MOST_RECORDS)
        return (yield from self._each(inputs[first:], number, with_ranges=with_ranges))

    def _each(self, inputs: Iterable[Any], number: int, *, with_ranges: bool) -> _Counting:
        """The records of inputs; those in memory are counted from `number` on; returns the number after them."""
        for item in inputs:
            data = item if type(item) is bytes else _bytes_of(item)
            if data is not None:
                self.bytes_read += len(data)
                text = None
                if len(data) < SMALL:
                    text = self._whole(IN_MEMORY_SOURCE, "", bytes(data), is_file=False, first=number, one_of_many=True)
                if isinstance(text, WholeText):
                    yield text
                    number += text.records
                    continue
                for found in self._large_in_memory(memoryview(data), number):
                    yield found
                    number = _number_after(found, IN_MEMORY_SOURCE, number)
            elif isinstance(item, (NamedFile, FilePart)):
                yield from self._opened_by_caller(item)
            elif os.fspath(item) == STDIN:
                yield from self._standard_input()
            elif os.path.isdir(item):
                yield from self._folder(os.fspath(item), with_ranges=with_ranges)
            else:
                yield from self._file(os.fspath(item), os.path.basename(item), with_ranges=with_ranges)
                self.files_read += 1
        return number

    def _large_in_memory(self, data: memoryview, first: int) -> Items:
        """The records of bytes that are too large for a `WholeText`, counted from `first`."""
        head = bytes(data[:HEAD])
        format = _format_of(head)
        buffer = MemoryReadBuffer(data)
        if format == "sgf":
            yield from self._games(buffer, head, IN_MEMORY_SOURCE, first).items()
            return
        if format is None:
            items = self._members(IN_MEMORY_SOURCE, _MemoryFile(data), is_file=False)
        else:
            items = self._content(buffer, head, IN_MEMORY_SOURCE, "", is_file=False)
        with closing(items):
            for item in items:
                yield _as_one_of_many(item, first)

    def _standard_input(self) -> Items:
        if sys.stdin is None:  # Python's value for a closed descriptor
            yield unreadable(OSError(errno.EBADF, "standard input is closed"), STDIN)
        else:
            yield from self._members(STDIN, _Counted(sys.stdin.buffer, self), is_file=False)

    def _opened_by_caller(self, named: NamedFile | FilePart) -> Items:
        try:
            file = named.open()
        except (FileNotFoundError, PermissionError) as error:
            yield unreadable(OSError(error.errno, error.strerror or str(error)), named.source)
            return
        counted: Any = _Counted(file, self)
        items: Items
        if isinstance(named, FilePart):
            items = named.items(counted, self._limit, self._too_long, self._chunk)
        else:
            items = self._members(named.source, counted, is_file=True)
        with file, closing(items):
            yield from items
        self.files_read += 1

    def _folder(self, folder: str, *, with_ranges: bool) -> Pieces:
        def others(paths: list[str]) -> Pieces:
            for path in paths:
                yield from self._file(path, os.path.basename(path), with_ranges=with_ranges)
                self.files_read += 1

        for (parent, suffix), files in groupby(files_of(folder), folder_and_suffix):
            if suffix is None:
                yield from self._files(files, folder, with_ranges=with_ranges)
                continue
            names = (found.name for found in files if isinstance(found, FolderFile))
            while some := list(islice(names, MOST_RECORDS)):
                yield from self._small_files(parent, some, suffix, others)

    def _small_files(self, folder: str, names: list[str], suffix: str, others: Callable[[list[str]], Pieces]) -> Pieces:
        def count(files: int, size: int) -> None:
            self.files_read += files
            self.bytes_read += size

        longest = min(SMALL - 1, self._most_whole)
        return small_files(folder, names, suffix, longest=longest, limit=self._limit, count=count, others=others)

    def _files(self, files: Iterable[FolderFile | OSError], folder: str, *, with_ranges: bool) -> Pieces:
        for found in files:
            if isinstance(found, OSError):
                yield unreadable(found, folder)
            elif is_record_file(found):
                yield from self._file(found.path, found.name, with_ranges=with_ranges)
                self.files_read += 1  # of those that `files_in_all` counts
            elif holds_records(found):
                yield from self._file(found.path, found.name, with_ranges=with_ranges)
            else:
                self._archives.pass_over(found.path)

    def _file(self, path: str, name: str, *, with_ranges: bool) -> Iterable[Chunk | RawRecord | WholeText | ByteRange]:
        try:
            opened = self._opened(path, name)
        except OSError as error:
            opened = unreadable(error, path)
        if isinstance(opened, bytes):
            return self._members(path, io.BytesIO(opened), is_file=True)
        if isinstance(opened, int):
            return self._large_file(opened, path, name, with_ranges=with_ranges)
        return (opened,)

    def _large_file(self, descriptor: int, path: str, name: str, *, with_ranges: bool) -> Pieces:
        number = 0
        try:
            with open(descriptor, "rb", buffering=0) as file:
                is_regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
                head = file.read(HEAD) if is_regular else b""
                if is_regular:
                    file.seek(0)
                if with_ranges and is_regular and self._is_large_of_lines(file, head, name):
                    yield from self._ranges(path, file)
                    return
                items: Items | Prefetcher[Chunk | RawRecord] = self._members(
                    path, _Counted(file, self), is_file=is_regular
                )
                # A pipe could block the thread forever; for a small file starting a thread takes longer than reading.
                if len(head) == HEAD and is_packed(head):
                    items = Prefetcher(gather_small(items))
                with closing(items):
                    for item in items:
                        yield item
                        number = _number_after(item, path, 0)
        except OSError as error:
            yield unreadable(error, path, number)

    def _is_large_of_lines(self, file: BinaryIO, head: bytes, name: str) -> bool:
        """Whether ranges of a file can be read; its position does not change."""
        if os.fstat(file.fileno()).st_size < LEAST_BYTES or _format_of(head, name) != "wei7":
            return False
        holds_lines = self._holds_lines(FileReadBuffer(file, self._buffers), name)
        file.seek(0)
        return holds_lines

    def _ranges(self, path: str, file: BinaryIO) -> Iterator[ByteRange]:
        lines = LineFile(os.dup(file.fileno()), path, self._limit, self._too_long)
        for part in lines.ranges():
            self.bytes_read += part.size
            yield part

    def _opened(self, path: str, name: str) -> WholeText | RawRecord | bytes | int:
        """The records of a small file, or its content for the general reader; the descriptor of a large file."""
        descriptor = os.open(path, OPEN_FLAGS)
        is_kept = False
        try:
            status = os.fstat(descriptor)
            if stat.S_ISREG(status.st_mode) and status.st_size < SMALL:
                data = os.read(descriptor, status.st_size + 1)
                if len(data) == status.st_size:
                    self.bytes_read += len(data)
                    text = self._whole(path, name, data, is_file=True)
                    return data if text is None else text
                os.lseek(descriptor, 0, os.SEEK_SET)
            is_kept = True
            return descriptor
        finally:
            if not is_kept:
                os.close(descriptor)

    def _whole(
        self, source: str, name: str, data: bytes, *, is_file: bool, first: int = 0, one_of_many: bool = False
    ) -> WholeText | RawRecord | None:
        """The records, counted from `first`, of a source whose whole content is `data`; None if it needs the general
        reader.

        With `one_of_many` even a single record is marked so.
        """
        if len(data) > self._most_whole:
            return None
        format: str | None = "sgf"
        begins, ends = b"", _native.split_usual_games(data)
        if ends is None:
            format = _format_of(data[:HEAD], name)
            ends = len(data).to_bytes(8, sys.byteorder)
            if format == "sgf":
                pieces = split(data)
                is_wide = transcode_wide_to_utf8(data)[1] is not None
                if pieces and (pieces[-1][1] < len(data) or (is_wide and len(pieces) > 1)):
                    return None
                if pieces and not is_wide:
                    ends = np.array([end for _, end in pieces], np.int64).tobytes()
            elif format == "wei7" and (_is_named_lines(name) or _native.is_of_lines(data, True, self._limit)):
                one_of_many = True
                begins, ends = (offsets.tobytes() for offsets in _native.split_lines(data, 0, True, self._limit)[:2])
            elif format not in ("wei7", *_ALONE):
                return None
            elif is_file and (problems := _suffix_problems(name, format)):
                return RawRecord(source, 0, data, problems, False, format)
        count = len(ends) // 8
        if not 0 < count <= MOST_RECORDS:
            return None
        assert format is not None
        begins = begins or bytes(8) + ends[:-8]
        return WholeText(data, begins, ends, format, source, count, first, one_of_many or count > 1)

    def _members(self, source: str, file: Any, *, is_file: bool) -> Items:
        try:
            for member in self._archives.members(source, os.path.basename(source) if is_file else "", file):
                number = 0
                for item in self._member(member, is_file=is_file or member.source != source):
                    yield item
                    number = _number_after(item, member.source, number)
                if member.failure is not None:
                    yield _not_unpacked(member.failure, member.source, number)
        except UnpackingError as stop:
            yield _not_unpacked(stop, source)

    def _member(self, member: Member, *, is_file: bool) -> Items:
        head, source = member.head, member.source
        if member.failure is not None and not head:
            return
        if len(head) < HEAD:
            text = self._whole(source, member.name, head, is_file=is_file)
            if text is not None:
                yield text
                return
        buffer: ReadBuffer = FileReadBuffer(member.file, self._buffers) if len(head) == HEAD else MemoryReadBuffer(head)
        yield from self._content(buffer, head, source, member.name, is_file=is_file)

    def _content(self, buffer: ReadBuffer, head: bytes, source: str, name: str, *, is_file: bool) -> Items:
        """The records of a source that is neither compressed nor an archive and starts with `head`."""
        format = detect_format(head, name)
        if format == "sgf":
            yield from _one_or_many(self._games(buffer, head, source, 0).items())
        elif format in _ALONE:
            problems = _suffix_problems(name, format) if is_file else ()
            yield whole_item(buffer, source, self._limit, problems, self._too_long, format)
        elif format != "wei7":
            yield RawRecord(source, 0, None, (whole_problem("format-unknown", describe_unknown(head, name)),))
        elif self._holds_lines(buffer, name):
            yield from line_items(buffer, source, self._limit, self._too_long, self._chunk)
        else:
            problems = _suffix_problems(name, format) if is_file else ()
            yield whole_item(buffer, source, self._limit, problems, self._too_long)

    def _holds_lines(self, buffer: ReadBuffer, name: str) -> bool:
        return _is_named_lines(name) or is_of_lines(buffer, self._limit, self._chunk)

    def _games(self, buffer: ReadBuffer, head: bytes, source: str, first: int) -> CollectionReader:
        return CollectionReader(buffer, head, source, first, self._limit, self._too_long, self._chunk)


class _Counted:
    """A file that counts the bytes read."""

    def __init__(self, file: BinaryIO, sources: Sources) -> None:
        self._file = file
        self._sources = sources
        self.seekable, self.seek, self.tell = file.seekable, file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size) or b""
        self._sources.bytes_read += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        count: int = self._file.readinto(buffer) or 0  # type: ignore[attr-defined]  # of a binary file
        self._sources.bytes_read += count
        return count


class _MemoryFile(io.RawIOBase):
    """Bytes in memory as a file, without a copy."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: len(self._data)}[whence]
        if start + offset < 0:
            raise OSError(errno.EINVAL, "negative seek position")
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        part = self._data[self._at : self._at + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)


def format_of_parts(file: BinaryIO, name: str, limits: Limits = DEFAULT_LIMITS) -> str | None:
    """Return the format of a file that can be split between records at any offset (`FilePart`), else None.

    `name` is the name of the file, which is read from its start as far as needed. Raises the errors of reading.
    """
    file.seek(0)
    head = file.read(HEAD)
    format = _format_of(head, name)
    if format == "sgf":
        return None if transcode_wide_to_utf8(head[:_MARKED])[1] is not None else format
    if format != "wei7":
        return None
    file.seek(0)
    is_cut = _is_named_lines(name) or is_of_lines(FileReadBuffer(file), limits.max_bytes)
    return format if is_cut else None


def _is_named_lines(name: str) -> bool:
    return name.lower().endswith(_LINES_SUFFIX)


def _format_of(head: bytes, name: str = "") -> str | None:
    return None if is_packed(head) else detect_format(head, name)


def _path_of(item: Any) -> Any:
    """A path as text, or any other item."""
    return os.fspath(item) if isinstance(item, os.PathLike) else item


def _bytes_of(item: Any) -> memoryview | None:
    """The bytes of an object with the buffer protocol; None for any other, paths included."""
    if isinstance(item, str):  # those of NumPy have the protocol
        return None
    try:
        # Not a view of a view: other threads may make theirs of it.
        data = item if isinstance(item, memoryview) else memoryview(item)
    except TypeError:
        return None
    return memoryview(BufferOwner(data) if data.c_contiguous and data.nbytes else data.tobytes())


def _suffix_problems(name: str, format: str) -> tuple[Problem, ...]:
    code = suffix_code(name) if format.startswith("wei7") else None
    return () if code is None else (whole_problem(code),)


def _number_after(item: Chunk | RawRecord | WholeText, source: str, number: int) -> int:
    """The number of the next record of `source`, which was `number` before `item`."""
    if isinstance(item, RawRecord):
        return item.record + 1 if item.source == source else number
    last = item if isinstance(item, WholeText) else item.runs[-1]
    return last.first + last.records if last.source == source else number


def _as_one_of_many(item: Chunk | RawRecord | WholeText, first: int) -> Chunk | RawRecord | WholeText:
    """The records of bytes in memory, counted from `first`; those of archive members are counted separately."""
    if isinstance(item, RawRecord):
        return replace(item, record=first + item.record, one_of_many=True) if item.source == IN_MEMORY_SOURCE else item
    if isinstance(item, WholeText):
        is_member = item.source != IN_MEMORY_SOURCE
        return item if is_member else item._replace(first=first + item.first, one_of_many=True)
    run = item.runs[0]
    if run.source != IN_MEMORY_SOURCE:
        return item
    return replace(item, runs=(run._replace(first=first + run.first, one_of_many=True),))


def _one_or_many(items: Generator[Chunk | RawRecord, None, None]) -> Items:
    """The records of a source, marked `one_of_many` unless there is a single one."""
    first = next(items)
    if isinstance(first, Chunk) and len(first) > 1:
        yield first
    else:
        second = next(items, None)
        if second is None:
            if isinstance(first, RawRecord):
                yield replace(first, one_of_many=False)
            else:
                yield replace(first, runs=(first.runs[0]._replace(one_of_many=False),))
            return
        yield first
        yield second
    yield from items


def _not_unpacked(stop: UnpackingError, source: str, record: int = 0) -> RawRecord:
    return RawRecord(source, record, None, (whole_problem(stop.code, stop.message),))
