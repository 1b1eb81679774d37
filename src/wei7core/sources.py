"""Where records come from: paths, folders, files of lines, standard input, bytes at hand."""

from __future__ import annotations

import errno
import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from .errors import Problem, whole_problem
from .files import SUFFIX, chunks, is_special, suffix_code
from .limits import DEFAULT_LIMITS, Limits

__all__ = ["STDIN", "Input", "RecordText", "Sources", "is_record_name"]

Input = str | os.PathLike[str] | bytes | bytearray | memoryview

STDIN: Final = "-"
"""The path that stands for standard input."""

_BYTES: Final = "<bytes>"
_LINES_SUFFIX: Final = ".jsonl"
_BOM: Final = b"\xef\xbb\xbf"
_CHUNK: Final = 1 << 20
_MOST_BLANK_LINES: Final = 1000


@dataclass(frozen=True, slots=True)
class RecordText:
    """The bytes of one record and where they stand.

    `source` is the path as it was given, or found; `record` counts from 0 inside
    it. `data` is None where the record was not read, and the last of `problems`
    then says why; else they are about the file, not its text. `one_of_many`:
    the source may hold more records than this one.
    """

    source: str
    record: int
    data: bytes | None
    problems: tuple[Problem, ...] = ()
    one_of_many: bool = False


class Sources:
    """Iterates over the `RecordText` of `inputs`, in order, reading as it goes.

    An input is the bytes of one record, a file, a folder (searched through for
    names ending in .wei7 or .jsonl, in any case, in sorted order; links to
    folders are not followed, pipes and the like passed over) or `-` for standard input. A file holds one record
    a line when its name ends in .jsonl, or when its first line is a whole JSON
    object and the next line starts another; blank lines are skipped. Any other
    file is one record.

    What cannot be read, or is longer than `limits.max_bytes`, is passed on as a
    `RecordText` without data. `passed_over` counts the files of folders whose
    names end otherwise.

    Thread safety: one thread at a time.
    """

    def __init__(self, inputs: Input | Iterable[Input], *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._inputs: Iterable[Input]
        if isinstance(inputs, (str, os.PathLike, bytes, bytearray, memoryview)):
            self._inputs = [inputs]
        else:
            self._inputs = inputs
        self._limit = limits.max_bytes
        self.passed_over = 0

    def __iter__(self) -> Iterator[RecordText]:
        texts = 0
        for item in self._inputs:
            if isinstance(item, (bytes, bytearray, memoryview)):
                yield self._checked(_BYTES, texts, bytes(item), one_of_many=True)
                texts += 1
            elif os.fspath(item) == STDIN:
                yield from self._standard_input()
            elif os.path.isdir(item):
                yield from self._folder(os.fspath(item))
            else:
                yield from self._file(os.fspath(item))

    def _standard_input(self) -> Iterator[RecordText]:
        if sys.stdin is None:  # as Python has it where the descriptor is closed
            yield _unreadable(OSError(errno.EBADF, "standard input is closed"), STDIN)
        else:
            yield from self._stream(STDIN, sys.stdin.buffer, is_file=False)

    def _folder(self, folder: str) -> Iterator[RecordText]:
        unreadable: list[OSError] = []
        for parent, folders, names in os.walk(folder, onerror=unreadable.append):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                if is_record_name(name) and not is_special(path):
                    yield from self._file(path)
                else:
                    self.passed_over += 1
            while unreadable:
                yield _unreadable(unreadable.pop(0), folder)
        while unreadable:
            yield _unreadable(unreadable.pop(0), folder)

    def _file(self, path: str) -> Iterator[RecordText]:
        record = 0
        try:
            with open(path, "rb", buffering=_CHUNK) as file:
                for text in self._stream(path, file, is_file=not is_special(path)):
                    yield text
                    record = text.record + 1
        except OSError as error:
            yield _unreadable(error, path, record)

    def _stream(self, source: str, file: BinaryIO, *, is_file: bool) -> Iterator[RecordText]:
        head = [self._line(file)]
        is_lines = source.lower().endswith(_LINES_SUFFIX)
        if not is_lines and _is_whole_object(head[0]):
            head.append(self._line(file))
            while head[-1].isspace() and len(head) < _MOST_BLANK_LINES:
                head.append(self._line(file))
            is_lines = head[-1].lstrip().startswith(b"{")
        if is_lines:
            yield from self._lines(source, file, head)
            return
        data = b"".join([*head, *chunks(file, self._limit + 1 - sum(map(len, head)))])
        code = suffix_code(source) if is_file else None
        yield self._checked(source, 0, data, () if code is None else (whole_problem(code),))

    def _lines(self, source: str, file: BinaryIO, head: list[bytes]) -> Iterator[RecordText]:
        record = 0
        for line in itertools.chain(head, iter(lambda: self._line(file), b"")):
            is_cut = len(line) == self._limit + 3 and not line.endswith(b"\n")
            rest = line
            while is_cut and rest and not rest.endswith(b"\n"):
                rest = file.readline(_CHUNK)
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
        message = f"the record has more than {self._limit} bytes"
        return RecordText(source, record, None, (*problems, whole_problem("limit-bytes", message)), one_of_many)


def is_record_name(name: str) -> bool:
    """Return whether a file of that name in a folder is read."""
    return name.lower().endswith((SUFFIX, _LINES_SUFFIX))


def _is_whole_object(line: bytes) -> bool:
    """Whether a line looks like a JSON object; no other JSON text goes on with `{` on its next line."""
    return line.endswith(b"\n") and line.removeprefix(_BOM).lstrip().startswith(b"{") and line.rstrip().endswith(b"}")


def _unreadable(error: OSError, path: str, record: int = 0) -> RecordText:
    message = f"cannot be read: {error.strerror or error}"
    return RecordText(os.fsdecode(error.filename or path), record, None, (whole_problem("file-unreadable", message),))
