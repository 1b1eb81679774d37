"""Reading games from bytes, text, files and plain objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import ERROR, Problem, RecordError, RecordSyntaxError, record_error, whole_problem
from ..formats.registry import FirstRow, decode, describe_unknown, detect_format
from ..formats.sgf.charset import DISAGREES
from ..formats.wei7.json_text import encode
from ..limits import DEFAULT_LIMITS, Limits
from ..replaying.replay import replay_record
from ..sources.chunks import RawRecord
from ..sources.sources import Sources
from .game import Game, game_from_record

_UTF_8 = "utf-8"


class Guesses:
    """The encodings assumed for the records of one file that name none, which should agree.

    `first` is the last file that had such a record, and the encoding of its first one. Thread safety: one thread at a
    time.
    """

    def __init__(self) -> None:
        self.first: tuple[str | None, str] = (None, "")

    def agrees(self, source: str, encoding: str) -> bool:
        """Return whether a record of `source` that names no encoding is read as the first such record of it."""
        if source != self.first[0]:
            self.first = source, encoding
        return encoding == self.first[1]

    def doubted(self, source: str, encoding: str, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Return the problems of a record of `source`; that of its encoding names records read in another one."""
        for place, problem in enumerate(problems):
            if problem.code != "charset-assumed":
                continue
            if not self.agrees(source, encoding):
                extended = replace(problem, message=f"{problem.message}{DISAGREES}{self.first[1]}")
                return (*problems[:place], extended, *problems[place + 1 :])
            break
        return problems


def loads(
    data: bytes | bytearray | memoryview | str,
    *,
    format: str | None = None,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
) -> Game:
    """Read one record of wei7 3.0 (JSON), wei7 2.x (XML), SGF or Giseong, detected from its content.

    `format` (`wei7`, `wei7-2.2`, `sgf`, `giseong`) replaces the detection.

    Every requirement of the format is checked, in wei7 those of the given `revision` of its specification, including
    those that need a board. Strict reading raises the first error; lenient reading (`strict=False`) reads as far as
    possible and lists every problem in `Game.problems`. Unknown members are kept and written back. `encoding` is that
    of SGF records that do not name it, or name a wrong one, and of Giseong; by default it is detected. `first_row` is
    the position of row 1 in Giseong (`top`, `bottom`), which the format does not define. An SGF collection of several
    games is an error here: see `loads_all`.

    Raises `RecordError` (a `ValueError`): `RecordSyntaxError` if wei7 text is no JSON in UTF-8, `LimitError` if a limit
    is exceeded; `TypeError` for data of another type, `ValueError` for another format, revision or encoding. Any thread
    may call this.
    """
    text = _bytes(data)
    is_text = isinstance(data, str)
    found = format or detect_format(text)
    charset = _UTF_8 if is_text else encoding
    try:
        return _read(
            text,
            found or "wei7",
            strict=strict,
            revision=revision,
            encoding=charset,
            first_row=first_row,
            limits=limits,
            is_text=is_text,
        )
    except RecordSyntaxError as error:
        if found is None:
            error.args = (f"{error}; {describe_unknown(text)}",)
        raise


def loads_all(
    data: bytes | bytearray | memoryview | str,
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
    failed: list[RecordError] | None = None,
) -> Iterator[Game]:
    """Yield every game of `data`: of an SGF collection, of lines of wei7 records, or a single record.

    Reads and raises as `loads` does, at the game in question; places of problems and errors refer to the whole of
    `data` (in lines of wei7 records, to their line). `failed` is that of `load_all`. An iterator is for one thread at a
    time.
    """
    is_text = isinstance(data, str)
    options = (strict, revision, _UTF_8 if is_text else encoding, first_row, limits)
    yield from _each(Sources(_bytes(data), limits=limits), failed, options, is_text=is_text)


def load(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
) -> Game:
    """Read one record from a file, which may be compressed, as `loads` does; errors name the file.

    For wei7, a suffix other than `.wei7` is an error, one in other letter case a warning (clause 3.1). A file of
    several records is an error (`more-games`): see `load_all`. Raises as `loads` does, and `OSError` if the file cannot
    be read. Any thread may call this.
    """
    texts = _texts(path, limits)
    text = next(texts, None)
    if text is None:
        raise record_error(whole_problem("file-unreadable", "the file contains no records"), os.fsdecode(path))
    other = next(texts, None)
    if other is not None:
        problems = other.problems  # the reason of a truncated file
        if other.data is not None or other.source != text.source:
            message = "the file contains several records; load_all reads them all"
            problems = (replace(whole_problem("more-games", message), clause=""),)
        text = replace(text, problems=(*problems, *text.problems))
    return _read(
        text.data,
        text.format,
        strict=strict,
        revision=revision,
        encoding=encoding,
        first_row=first_row,
        limits=limits,
        text=text,
        name=text.source,
    )


def load_all(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
    failed: list[RecordError] | None = None,
) -> Iterator[Game]:
    """Yield every game of a file, archive or folder, one at a time; see `wei7core.sources.Sources`.

    A record that cannot be read at all raises even in lenient reading; `replay` gives a row for each record, whatever
    its content. Raises as `loads` does, at the game in question, and `OSError` if the path itself cannot be opened. A
    list given as `failed` takes the errors of records instead, and the next one is read. An iterator is for one thread
    at a time.
    """
    yield from _each(_texts(path, limits), failed, (strict, revision, encoding, first_row, limits), is_named=True)


def _each(
    texts: Iterable[RawRecord],
    failed: list[RecordError] | None,
    options: tuple[bool, int, str | None, FirstRow, Limits],
    *,
    is_text: bool = False,
    is_named: bool = False,
) -> Iterator[Game]:
    guesses = Guesses()
    for text in texts:
        name = text.source if is_named else None
        try:
            game = _read(text.data, text.format, *options, text=text, name=name, is_text=is_text, guesses=guesses)
        except RecordError as error:
            if failed is None:
                raise
            failed.append(error)
        else:
            yield game


def from_obj(obj: Any, *, strict: bool = True, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> Game:
    """Read one wei7 3.0 record from plain objects, as returned by `json.loads` or `orjson.loads`.

    Validates as `loads` does. Offset, line and column of a problem refer to the compact JSON text of `obj`; its path
    needs no text. Any nesting depth is supported. Raises as `loads` does, and `TypeError` for objects that JSON does
    not support. Any thread may call this.
    """
    return loads(encode(obj), format="wei7", strict=strict, revision=revision, limits=limits)


def _bytes(data: bytes | bytearray | memoryview | str) -> bytes:
    if isinstance(data, str):
        # Half a surrogate pair becomes bytes that the decoder rejects with their place.
        return data.encode(_UTF_8, "surrogatepass")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"expected bytes, bytearray, memoryview or str, got {type(data).__name__}")


def _texts(path: str | os.PathLike[str], limits: Limits) -> Iterator[RawRecord]:
    name = os.fsdecode(path)
    if not os.path.isdir(name):
        with open(name, "rb"):
            pass  # else its error would be reported as a problem of a record
    return iter(Sources([name], limits=limits))


def _read(
    data: bytes | None,
    format: str,
    strict: bool,
    revision: int,
    encoding: str | None,
    first_row: FirstRow,
    limits: Limits,
    *,
    text: RawRecord | None = None,
    name: str | None = None,
    is_text: bool = False,
    guesses: Guesses | None = None,
) -> Game:
    """The game of the bytes of a record; `text` has its place in a source, None for a text of its own."""
    if data is None:
        raise record_error(text.problems[-1] if text else whole_problem("file-unreadable"), name)
    record = decode(data, format, revision=revision, encoding=encoding, first_row=first_row, limits=limits)
    problems = replay_record(record, limits=limits).problems
    if is_text and problems:
        # The characters are known: the stated encoding does not matter.
        problems = tuple(problem for problem in problems if not problem.code.startswith("charset-"))
    if text is not None:
        problems = (*text.problems, *map(text.placed, problems))
        if guesses is not None:
            problems = guesses.doubted(text.source, record.encoding, problems)
    if strict:
        _raise_first_error(problems, name)
    return game_from_record(record, problems=problems, revision=revision, limits=limits)


def validate_record(data: bytes, format: str, revision: int, limits: Limits) -> None:
    """Raise what strict `loads` raises for the bytes of a record. Thread safe."""
    record = decode(data, format, revision=revision, limits=limits)
    _raise_first_error(replay_record(record, limits=limits).problems, None)


def _raise_first_error(problems: tuple[Problem, ...], name: str | None) -> None:
    for problem in problems:
        if problem.severity == ERROR:
            raise record_error(problem, name)
