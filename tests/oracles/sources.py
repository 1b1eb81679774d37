"""The records of inputs one by one, each line and each game read by itself: the obvious form of `wei7core.sources`."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Final

from oracles.sgf_games import CHUNK, GameText, games
from wei7core._util.files import is_special, suffix_code
from wei7core.errors import Problem, whole_problem
from wei7core.formats.registry import FORMATS, describe_unknown, detect_format
from wei7core.limits import DEFAULT_LIMITS, Limits
from wei7core.sources.archives import Archives, Member, is_archive_name
from wei7core.sources.chunks import RawRecord
from wei7core.sources.codecs import UnpackingError, bare_name

STDIN = "-"
_BYTES: Final = "<bytes>"
_LINES_SUFFIX: Final = ".jsonl"
_BOM: Final = b"\xef\xbb\xbf"
_MOST_BLANK_LINES: Final = 1000
_SUFFIXES: Final = tuple(suffix for row in FORMATS.values() for suffix in row.suffixes)


class Sources:
    """Iterates over the `RawRecord` of `inputs`, as `wei7core.sources.Sources` does."""

    def __init__(self, inputs: Any, *, limits: Limits = DEFAULT_LIMITS, chunk: int = CHUNK) -> None:
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

    def __iter__(self) -> Iterator[RawRecord]:
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

    def _bytes(self, data: bytes, first: int) -> Iterator[RawRecord]:
        """The records of bytes in memory, numbered from `first`."""
        for text in self._members(_BYTES, io.BytesIO(data), is_file=False):
            in_memory = text.source == _BYTES
            yield replace(text, record=first + text.record, one_of_many=True) if in_memory else text

    def _standard_input(self) -> Iterator[RawRecord]:
        if sys.stdin is None:  # as Python has it where the descriptor is closed
            yield _unreadable(OSError(errno.EBADF, "standard input is closed"), STDIN)
        else:
            yield from self._members(STDIN, sys.stdin.buffer, is_file=False)

    def _folder(self, folder: str) -> Iterator[RawRecord]:
        unreadable: list[OSError] = []
        for parent, folders, names in os.walk(folder, onerror=unreadable.append):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                if not is_special(path) and (is_record_name(name) or _begins_as_record(path)):
                    yield from self._file(path)
                else:
                    self._other_files += 1
            while unreadable:
                yield _unreadable(unreadable.pop(0), folder)
        while unreadable:
            yield _unreadable(unreadable.pop(0), folder)

    def _file(self, path: str) -> Iterator[RawRecord]:
        record = 0
        try:
            with open(path, "rb", buffering=0) as file:
                for text in self._members(path, file, is_file=not is_special(path)):
                    yield text
                    record = text.record + 1 if text.source == path else 0
        except OSError as error:
            yield _unreadable(error, path, record)

    def _members(self, source: str, file: BinaryIO, *, is_file: bool) -> Iterator[RawRecord]:
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

    def _member(self, member: Member, *, is_file: bool) -> Iterator[RawRecord]:
        if member.failure is not None and not member.head:
            return
        format = detect_format(member.head, member.name)
        if format == "sgf":
            yield from self._games(member.source, member.file, member.head)
        elif format == "wei7":
            yield from self._wei7(member, is_file=is_file)
        elif format == "wei7-2.2":
            code = suffix_code(member.name) if is_file else None
            problems = () if code is None else (whole_problem(code),)
            yield replace(self._checked(member.source, 0, member.file.read(), problems), format=format)
        else:
            problem = whole_problem("format-unknown", describe_unknown(member.head))
            yield RawRecord(member.source, 0, None, (problem,))

    def _games(self, source: str, file: BinaryIO, head: bytes, first: int = 0) -> Iterator[RawRecord]:
        found = enumerate(games(file, head, self._limit, self._chunk), first)
        _, before = next(found)
        number = first
        for number, game in found:
            yield self._game(source, number - 1, before, one_of_many=True)
            before = game
        yield self._game(source, number, before, one_of_many=number > 0)

    def _game(self, source: str, record: int, game: GameText, *, one_of_many: bool) -> RawRecord:
        problems = () if game.data is not None else (self._too_long(),)
        return RawRecord(source, record, game.data, problems, one_of_many, "sgf", game.offset, game.line, game.column)

    def _wei7(self, member: Member, *, is_file: bool) -> Iterator[RawRecord]:
        data = member.file.read()
        lines = data.split(b"\n")
        if member.name.lower().endswith(_LINES_SUFFIX) or self._is_of_lines(lines):
            yield from self._lines(member.source, lines)
            return
        code = suffix_code(member.name) if is_file else None
        yield self._checked(member.source, 0, data, () if code is None else (whole_problem(code),))

    def _is_of_lines(self, lines: list[bytes]) -> bool:
        first = lines[0].removeprefix(_BOM).strip()
        if len(lines[0]) >= self._limit + 3 or not (first.startswith(b"{") and first.endswith(b"}")):
            return False
        for line in lines[1:_MOST_BLANK_LINES]:
            start = line[: self._limit + 3].lstrip()
            if start or len(line) >= self._limit + 3:
                return start.startswith(b"{")
        return False

    def _lines(self, source: str, lines: list[bytes]) -> Iterator[RawRecord]:
        record = 0
        for line in lines:
            data = line.rstrip(b"\r")
            if len(line) >= self._limit + 3 or (data and not data.isspace()):
                text = self._checked(source, record, data, one_of_many=True)
                yield text if len(line) < self._limit + 3 else replace(text, data=None, problems=(self._too_long(),))
                record += 1

    def _checked(
        self, source: str, record: int, data: bytes, problems: tuple[Problem, ...] = (), *, one_of_many: bool = False
    ) -> RawRecord:
        if len(data) <= self._limit:
            return RawRecord(source, record, data, problems, one_of_many)
        return RawRecord(source, record, None, (*problems, self._too_long()), one_of_many)

    def _too_long(self) -> Problem:
        return whole_problem("limit-bytes", f"the record has more than {self._limit} bytes")


def _begins_as_record(path: str) -> bool:
    """Whether the first 512 bytes of a file of any name begin a record of wei7, SGF or GIB."""
    try:
        with open(path, "rb") as file:
            head = file.read(512).removeprefix(_BOM)
    except OSError:
        return False
    if head.lstrip().startswith((b"\\HS\r", b"\\HS\n")):
        return True
    text = re.sub(rb"<\?xml[^>]*>", b"", head.lstrip(), count=1).lstrip()
    if text.startswith((b"<wei7 ", b"<wei7\n", b"<wei7>")):
        return True
    dense = b"".join(head.split())
    return dense.startswith(b'{"format":"wei7"') or re.match(rb"\(;[A-Z]{1,2}\[", dense) is not None


def is_record_name(name: str) -> bool:
    return _is_plain_or_packed(name) or is_archive_name(name)


def _is_plain_or_packed(name: str) -> bool:
    return bare_name(name).lower().endswith(_SUFFIXES)


def _not_unpacked(stop: UnpackingError, source: str, record: int = 0) -> RawRecord:
    return RawRecord(source, record, None, (whole_problem(stop.code, stop.message),))


def _unreadable(error: OSError, path: str, record: int = 0) -> RawRecord:
    message = f"cannot be read: {error.strerror or error}"
    return RawRecord(os.fsdecode(error.filename or path), record, None, (whole_problem("file-unreadable", message),))
