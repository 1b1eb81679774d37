"""Where records come from: paths, folders, archives, files of many records, standard input, bytes at hand."""

from __future__ import annotations

import errno
import io
import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from .archives import Archives, Member, is_archive_name, is_packed
from .decompression import UnpackingError, bare_name
from .errors import Problem, whole_problem
from .files import chunks, is_special, suffix_code
from .formats.registry import FORMATS, described, recognise
from .games import CHUNK, GameText, games
from .limits import DEFAULT_LIMITS, Limits
from .record_blocks import RecordBlock, RecordText, blocks_of

__all__ = ["STDIN", "Input", "RecordText", "Sources", "is_record_name"]

Input = str | os.PathLike[str] | bytes | bytearray | memoryview

STDIN: Final = "-"
"""The path that stands for standard input."""

_BYTES: Final = "<bytes>"
_LINES_SUFFIX: Final = ".jsonl"
_BOM: Final = b"\xef\xbb\xbf"
_MOST_BLANK_LINES: Final = 1000
_SUFFIXES: Final = tuple(suffix for row in FORMATS.values() for suffix in row.suffixes)


class Sources:
    """Iterates over the `RecordText` of `inputs`, in order, reading as it goes.

    An input is bytes, a file, a folder (searched through for names of records,
    of their compressed forms and of archives, in any case, in sorted order; links to
    folders are not followed, pipes and the like passed over) or `-` for standard
    input. Files and streams may be compressed or archives, as
    `wei7core.archives` tells; what they hold is recognised by its content.

    SGF may hold any number of games. A wei7 file holds one record
    a line when its name ends in .jsonl, or when its first line is a whole JSON
    object and the next line starts another; blank lines are skipped. Any other
    file is one record, and so are bytes of wei7.

    What cannot be read, or is longer than `limits.max_bytes`, is passed on as a
    `RecordText` without data. `passed_over` counts the files of folders and archives
    whose names end otherwise, or that are no regular files. `chunk` is how many
    bytes of SGF are read at once.

    Thread safety: one thread at a time.
    """

    def __init__(self, inputs: Input | Iterable[Input], *, limits: Limits = DEFAULT_LIMITS, chunk: int = CHUNK) -> None:
        self._inputs: Iterable[Input]
        if isinstance(inputs, (str, os.PathLike, bytes, bytearray, memoryview)):
            self._inputs = [inputs]
        else:
            self._inputs = inputs
        self._limit = min(limits.max_bytes, sys.maxsize - 3)  # so that a little more can be asked for
        self._chunk = chunk
        self._archives = Archives(_is_plain_or_packed, limits=limits)
        self._other_files = 0

    @property
    def passed_over(self) -> int:
        """How many files of folders and archives were not read."""
        return self._other_files + self._archives.passed_over

    def __iter__(self) -> Iterator[RecordText]:
        texts = 0
        for item in self._inputs:
            if isinstance(item, (bytes, bytearray, memoryview)):
                for text in self._bytes(bytes(item), texts):
                    yield text
                    texts += text.source == _BYTES
            elif os.fspath(item) == STDIN:
                yield from self._standard_input()
            elif os.path.isdir(item):
                yield from self._folder(os.fspath(item))
            else:
                yield from self._file(os.fspath(item))

    def blocks(self) -> Iterator[RecordBlock | RecordText]:
        """Iterate over the same records, in the same order, in blocks where they can be."""
        return blocks_of(self)

    def _bytes(self, data: bytes, first: int) -> Iterator[RecordText]:
        """The records of bytes at hand, counted from `first`."""
        format = None if is_packed(data) else recognise(data)
        if format == "wei7":
            yield self._checked(_BYTES, first, data, one_of_many=True)
        elif format == "sgf":
            for text in self._games(_BYTES, io.BytesIO(data), data, first):
                yield text if text.one_of_many else replace(text, one_of_many=True)
        else:
            for text in self._members(_BYTES, io.BytesIO(data), is_file=False):
                at_hand = text.source == _BYTES
                yield replace(text, record=first + text.record, one_of_many=True) if at_hand else text

    def _standard_input(self) -> Iterator[RecordText]:
        if sys.stdin is None:  # as Python has it where the descriptor is closed
            yield _unreadable(OSError(errno.EBADF, "standard input is closed"), STDIN)
        else:
            yield from self._members(STDIN, sys.stdin.buffer, is_file=False)

    def _folder(self, folder: str) -> Iterator[RecordText]:
        unreadable: list[OSError] = []
        for parent, folders, names in os.walk(folder, onerror=unreadable.append):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                if is_record_name(name) and not is_special(path):
                    yield from self._file(path)
                else:
                    self._other_files += 1
            while unreadable:
                yield _unreadable(unreadable.pop(0), folder)
        while unreadable:
            yield _unreadable(unreadable.pop(0), folder)

    def _file(self, path: str) -> Iterator[RecordText]:
        record = 0
        try:
            with open(path, "rb", buffering=0) as file:
                for text in self._members(path, file, is_file=not is_special(path)):
                    yield text
                    record = text.record + 1 if text.source == path else 0
        except OSError as error:
            yield _unreadable(error, path, record)

    def _members(self, source: str, file: BinaryIO, *, is_file: bool) -> Iterator[RecordText]:
        try:
            for member in self._archives.members(source, os.path.basename(source) if is_file else "", file):
                record = 0
                for text in self._member(member, is_file=is_file or member.source != source):
                    yield text
                    record += 1
                if member.failure is not None:
                    yield _not_unpacked(member.failure, member.source, record)
        except UnpackingError as stop:
            yield _not_unpacked(stop, source)

    def _member(self, member: Member, *, is_file: bool) -> Iterator[RecordText]:
        if member.failure is not None and not member.head:
            return
        format = recognise(member.head, member.name)
        if format == "sgf":
            yield from self._games(member.source, member.file, member.head)
        elif format == "wei7":
            yield from self._wei7(member, is_file=is_file)
        else:
            problem = whole_problem("format-unknown", described(format, member.head))
            yield RecordText(member.source, 0, None, (problem,))

    def _games(self, source: str, file: BinaryIO, head: bytes, first: int = 0) -> Iterator[RecordText]:
        found = enumerate(games(file, head, self._limit, self._chunk), first)
        _, before = next(found)
        number = first
        for number, game in found:
            yield self._game(source, number - 1, before, one_of_many=True)
            before = game
        yield self._game(source, number, before, one_of_many=number > 0)

    def _game(self, source: str, record: int, game: GameText, *, one_of_many: bool) -> RecordText:
        problems = () if game.data is not None else (self._too_long(),)
        return RecordText(source, record, game.data, problems, one_of_many, "sgf", game.offset, game.line, game.column)

    def _wei7(self, member: Member, *, is_file: bool) -> Iterator[RecordText]:
        source, file = member.source, member.file
        head = [self._line(file)]
        is_lines = member.name.lower().endswith(_LINES_SUFFIX)
        if not is_lines and _is_whole_object(head[0]):
            head.append(self._line(file))
            while head[-1].isspace() and len(head) < _MOST_BLANK_LINES:
                head.append(self._line(file))
            is_lines = head[-1].lstrip().startswith(b"{")
        if is_lines:
            yield from self._lines(source, file, head)
            return
        data = b"".join([*head, *chunks(file, self._limit + 1 - sum(map(len, head)))])
        code = suffix_code(member.name) if is_file else None
        yield self._checked(source, 0, data, () if code is None else (whole_problem(code),))

    def _lines(self, source: str, file: BinaryIO, head: list[bytes]) -> Iterator[RecordText]:
        record = 0
        for line in itertools.chain(head, iter(lambda: self._line(file), b"")):
            is_cut = len(line) == self._limit + 3 and not line.endswith(b"\n")
            rest = line
            while is_cut and rest and not rest.endswith(b"\n"):
                rest = file.readline(CHUNK)
            data = line if is_cut else line.rstrip(b"\r\n")
            if is_cut or (data and not data.isspace()):
                yield self._checked(source, record, data, one_of_many=True)
                record += 1

    def _line(self, file: BinaryIO) -> bytes:
        """The next line, or as much of it as shows that it is too long whatever ends it."""
        return file.readline(self._limit + 3)

    def _checked(
        self, source: str, record: int, data: bytes, problems: tuple[Problem, ...] = (), *, one_of_many: bool = False
    ) -> RecordText:
        if len(data) <= self._limit:
            return RecordText(source, record, data, problems, one_of_many)
        return RecordText(source, record, None, (*problems, self._too_long()), one_of_many)

    def _too_long(self) -> Problem:
        return whole_problem("limit-bytes", f"the record has more than {self._limit} bytes")


def is_record_name(name: str) -> bool:
    """Return whether a file of that name in a folder is read."""
    return _is_plain_or_packed(name) or is_archive_name(name)


def _is_plain_or_packed(name: str) -> bool:
    """Whether a file of that name in an archive is read."""
    return bare_name(name).lower().endswith(_SUFFIXES)


def _is_whole_object(line: bytes) -> bool:
    """Whether a line looks like a JSON object; no other JSON text goes on with `{` on its next line."""
    return line.endswith(b"\n") and line.removeprefix(_BOM).lstrip().startswith(b"{") and line.rstrip().endswith(b"}")


def _not_unpacked(stop: UnpackingError, source: str, record: int = 0) -> RecordText:
    return RecordText(source, record, None, (whole_problem(stop.code, stop.message),))


def _unreadable(error: OSError, path: str, record: int = 0) -> RecordText:
    message = f"cannot be read: {error.strerror or error}"
    return RecordText(os.fsdecode(error.filename or path), record, None, (whole_problem("file-unreadable", message),))
