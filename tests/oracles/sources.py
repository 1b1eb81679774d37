"""The records of inputs, each source read whole and cut as the documentation of `wei7core.sources` has it.

What archives and compressed files contain, and which format a text has, is left to the package: those have tests of
their own. Where records begin and end, and what a row says of them, is decided here.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, BinaryIO

from oracles import split
from wei7core.errors import Problem, whole_problem
from wei7core.formats.registry import describe_unknown, detect_format
from wei7core.formats.sgf.charset import Wide, transcode_wide_to_utf8
from wei7core.limits import DEFAULT_LIMITS, Limits
from wei7core.sources.archives import Archives, Member
from wei7core.sources.chunks import RawRecord
from wei7core.sources.codecs import UnpackingError

STDIN = "-"
IN_MEMORY = "<bytes>"
LEAST_LOOKAHEAD = 8192
SEEN_START = 256  # bytes of the start of a game, by which it is detected and found again
BLANK_LINES = 1000
BOM = b"\xef\xbb\xbf"
NEXT_GAME = re.compile(rb"\(\s{0,60};\s{0,60}(?:FF|GM|SZ|CA)\s{0,60}\[")
CONTINUATIONS = bytes(range(0x80, 0xC0))  # of characters of UTF-8
LINE_END = re.compile(r"\r\n|\n\r|\r|\n")
RECORD_NAME = re.compile(
    r"(?!\._).*\.(?:wei7|jsonl|sgfs?|giseong|gib|ngf|ug[fi])(?:\.(?:gz|bz2|xz|lzma|zst))?", re.IGNORECASE | re.DOTALL
)
ARCHIVE_NAME = re.compile(
    r"(?!\._).*\.(?:zip|7z|tar|tar\.(?:gz|bz2|xz|lzma|zst)|tgz|tbz2?|txz|tzst)", re.IGNORECASE | re.DOTALL
)
STARTS_A_RECORD = re.compile(rb'\s*(?:\(;[A-Z]{1,2}\[|\{\s*"format"\s*:\s*"wei7"|(?:<\?xml[^>]*>\s*)?<wei7[ \n>])')


class Sources:
    """Iterates over the `RawRecord` of `inputs`, as `wei7core.sources.Sources` does."""

    def __init__(self, inputs: Any, *, limits: Limits = DEFAULT_LIMITS, chunk: int = 1 << 20) -> None:
        self._inputs = [inputs] if isinstance(inputs, (str, os.PathLike, bytes)) else inputs
        self._limit = limits.max_bytes
        self._too_long = whole_problem("limit-bytes", f"the record has more than {self._limit} bytes")
        self._most = self._limit + max(chunk, LEAST_LOOKAHEAD)
        self._archives = Archives(lambda name: RECORD_NAME.fullmatch(os.path.basename(name)) is not None, limits=limits)
        self._other_files = 0

    @property
    def passed_over(self) -> int:
        """How many files of folders and archives were not read."""
        return self._other_files + self._archives.passed_over

    def __iter__(self) -> Iterator[RawRecord]:
        number = 0  # of the records in memory
        for item in self._inputs:
            if isinstance(item, bytes):
                for found in self._unpacked(IN_MEMORY, "", io.BytesIO(item)):
                    if found.source == IN_MEMORY:
                        yield replace(found, record=number, one_of_many=True)
                        number += 1
                    else:
                        yield found
            elif os.fspath(item) == STDIN:
                if sys.stdin is None:
                    yield unreadable(OSError(errno.EBADF, "standard input is closed"), STDIN)
                else:
                    yield from self._unpacked(STDIN, "", sys.stdin.buffer)
            elif os.path.isdir(item):
                yield from self._folder(os.fspath(item))
            else:
                yield from self._file(os.fspath(item))

    def _folder(self, folder: str) -> Iterator[RawRecord]:
        for parent, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                if is_read(path, name):
                    yield from self._file(path)
                else:
                    self._other_files += 1

    def _file(self, path: str) -> Iterator[RawRecord]:
        try:
            with open(path, "rb") as file:
                yield from self._unpacked(path, os.path.basename(path), file)
        except OSError as error:
            yield unreadable(error, path)

    def _unpacked(self, source: str, name: str, file: BinaryIO) -> Iterator[RawRecord]:
        try:
            for member in self._archives.members(source, name, file):
                is_file = name != "" or member.source != source
                records = [] if member.failure is not None and not member.head else self._records(member, is_file)
                yield from records
                if member.failure is not None:
                    yield damaged(member.failure, member.source, len(records))
        except UnpackingError as failure:
            yield damaged(failure, source, 0)

    def _records(self, member: Member, is_file: bool) -> list[RawRecord]:
        """The records of a source that is neither compressed nor an archive."""
        source, text = member.source, member.file.read()
        format = detect_format(member.head, member.name)
        suffix = suffix_problems(member.name) if is_file else ()
        if format == "sgf":
            games = list(self._games(text, member.head))
            return [
                RawRecord(
                    source, number, data, () if data is not None else (self._too_long,), len(games) > 1, "sgf", *at
                )
                for number, (data, *at) in enumerate(games)
            ]
        if format == "wei7":
            if member.name.lower().endswith(".jsonl") or self._is_of_lines(text.split(b"\n")):
                return list(self._lines(source, text.split(b"\n")))
            return [self._record(source, 0, text, suffix)]
        if format == "wei7-2.2":
            return [replace(self._record(source, 0, text, suffix), format=format)]
        assert format is None, "a format that no test has"
        return [RawRecord(source, 0, None, (whole_problem("format-unknown", describe_unknown(member.head)),))]

    def _record(self, source: str, number: int, data: bytes, problems: tuple[Problem, ...] = ()) -> RawRecord:
        if len(data) <= self._limit:
            return RawRecord(source, number, data, problems)
        return RawRecord(source, number, None, (*problems, self._too_long))

    # --- lines ---------------------------------------------------------------------------------------

    def _is_of_lines(self, lines: list[bytes]) -> bool:
        """Whether the first line is an object, and the next one that is not blank begins another."""
        first = lines[0].removeprefix(BOM).strip()
        if self._is_beyond(lines[0]) or not (first.startswith(b"{") and first.endswith(b"}")):
            return False
        for line in lines[1:BLANK_LINES]:
            if self._is_beyond(line) or line.strip():
                return line[: self._limit + 3].lstrip().startswith(b"{")
        return False

    def _is_beyond(self, line: bytes) -> bool:
        """Whether reading stops in a line before its end, so that it is not known whether it is blank."""
        return len(line) > self._limit + 2

    def _lines(self, source: str, lines: list[bytes]) -> Iterator[RawRecord]:
        number = 0
        for line in lines:
            if self._is_beyond(line):
                yield RawRecord(source, number, None, (self._too_long,), True)
            elif line.strip():
                yield replace(self._record(source, number, line.rstrip(b"\r")), one_of_many=True)
            else:
                continue
            number += 1

    # --- games of SGF --------------------------------------------------------------------------------

    def _games(self, text: bytes, head: bytes) -> Iterator[tuple[bytes | None, int, int, int]]:
        """Yield the bytes of each game, None beyond the limit, with its offset, line and column.

        A game that has no end within the limit and the lookahead is left out with all that follows up to a place that
        begins a game for certain.
        """
        _, wide = transcode_wide_to_utf8(head[:SEEN_START])
        if wide is not None:
            yield from self._wide_games(text, wide)
            return
        at, assumed = 0, -1
        while at < len(text) or at == 0:
            window = text[at : at + self._most]
            is_end = len(window) < self._most
            found = []
            for begin, end, encoding in split.pieces(window, assumed):
                if not is_end and not split.is_confirmed(window, end):
                    break
                found.append((begin, end))
                assumed = encoding
            for begin, end in found or ([(0, len(window))] if is_end else []):
                yield (window[begin:end] if end - begin <= self._limit else None, *place(text, at + begin))
            if is_end:
                return
            if found:
                at += found[-1][1]
            else:
                yield (None, *place(text, at))
                ahead = at + self._most
                starts = NEXT_GAME.finditer(text, ahead - SEEN_START)
                at = next((start.start() for start in starts if start.end() > ahead), len(text))

    def _wide_games(self, text: bytes, wide: Wide) -> Iterator[tuple[bytes | None, int, int, int]]:
        """The same of a text in UTF-16 or UTF-32: each game has a byte order mark, which its place allows for."""
        if len(text) > self._limit:
            yield None, 0, 1, 1
            return
        in_utf8 = text[wide.mark :].decode(wide.codec, "replace").encode()
        mark = "\ufeff".encode(wide.codec)
        begin = 0
        for start, end in split.games(in_utf8) or [(0, 0)]:
            stop = min(wide.mark + len(in_utf8[:end].decode().encode(wide.codec)), len(text))
            if start == 0:
                yield text[:stop], 0, 1, 1
            else:
                yield (mark + text[begin:stop], begin - len(mark), *place(in_utf8, start)[1:])
            begin = stop


@lru_cache(4)
def line_ends(text: bytes) -> tuple[list[int], list[int]]:
    """The offsets of all line ends, and those after them."""
    found = list(LINE_END.finditer(text.decode("latin-1")))
    return [end.start() for end in found], [end.end() for end in found]


def place(text: bytes, offset: int) -> tuple[int, int, int]:
    """The offset with its line and column, which count from 1 and, of columns, the bytes that begin a character."""
    starts, ends = line_ends(text)
    lines = bisect_left(starts, offset)
    line = text[ends[lines - 1] if lines else 0 : offset]
    return offset, 1 + lines, 1 + len(line.translate(None, CONTINUATIONS))


def is_read(path: str, name: str) -> bool:
    """Whether a file of a folder is read: by its name, or since it begins as a record."""
    if os.path.exists(path) and not os.path.isfile(path):
        return False
    if RECORD_NAME.fullmatch(name) or ARCHIVE_NAME.fullmatch(name):
        return True
    with open(path, "rb") as file:
        return STARTS_A_RECORD.match(file.read(512).removeprefix(BOM)) is not None


def suffix_problems(name: str) -> tuple[Problem, ...]:
    if name.endswith(".wei7"):
        return ()
    return (whole_problem("file-suffix-case" if name.lower().endswith(".wei7") else "file-suffix"),)


def damaged(failure: UnpackingError, source: str, number: int) -> RawRecord:
    return RawRecord(source, number, None, (whole_problem(failure.code, failure.message),))


def unreadable(error: OSError, path: str) -> RawRecord:
    message = f"cannot be read: {error.strerror or error}"
    return RawRecord(os.fsdecode(error.filename or path), 0, None, (whole_problem("file-unreadable", message),))
