"""The doors in: games from bytes, text, files and plain objects."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..errors import ERROR, Problem, RecordSyntaxError, record_error, whole_problem
from ..formats.registry import FirstRow, decode, described, recognise
from ..formats.sgf.charset import DISAGREES
from ..formats.wei7.json_text import encode
from ..limits import DEFAULT_LIMITS, Limits
from ..replaying.replay import replay_record
from ..sources.sources import RecordText, Sources
from .game import Game, game_from_record

__all__ = ["Guesses", "from_obj", "load", "load_all", "loads", "loads_all", "validate_record"]

_UTF_8 = "utf-8"


class Guesses:
    """In which encoding the records of one file were read that name none; those of one file should agree.

    One thread at a time.
    """

    def __init__(self) -> None:
        self._source: str | None = None
        self._encoding = ""

    def doubted(self, source: str, encoding: str, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Return the problems of a record of `source`; that of its encoding says where others were read in another."""
        for place, problem in enumerate(problems):
            if problem.code != "charset-assumed":
                continue
            if source != self._source:
                self._source, self._encoding = source, encoding
            elif encoding != self._encoding:
                said = replace(problem, message=f"{problem.message}{DISAGREES}{self._encoding}")
                return (*problems[:place], said, *problems[place + 1 :])
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
    """Read one record, wei7 3.0 (JSON), wei7 2.x (XML), SGF or Giseong, as its content shows.

    `format` (`wei7`, `wei7-2.2`, `sgf`, `giseong`) settles beforehand which of them it is.

    Every requirement of the format is checked, in wei7 those of the given
    `revision` of its specification, also where a board is needed to tell. Strict
    reading raises the first error; lenient reading (`strict=False`) reads as far
    as possible and lists every problem in `Game.problems`. What the format does
    not name is kept and written back. `encoding` is that of SGF texts whose
    record does not name it, or names it wrong, and of Giseong; without it they are looked at. `first_row` is where
    row 1 of Giseong is (`top`, `bottom`), which the format does not say. An
    SGF collection of several games is an error here: see `loads_all`.

    Raises `RecordError` (a `ValueError`): `RecordSyntaxError` where wei7 text is
    no JSON in UTF-8, `LimitError` where a limit is passed; `TypeError` for data
    of another type, `ValueError` for another format, revision or encoding. Any
    thread may call this.
    """
    text = _bytes(data)
    is_text = isinstance(data, str)
    found = format or recognise(text)
    record_text = RecordText("", 0, text, format=found or "wei7")
    try:
        return _game(
            record_text,
            strict,
            revision,
            _UTF_8 if is_text else encoding,
            limits,
            first_row=first_row,
            named=False,
            is_text=is_text,
        )
    except RecordSyntaxError as error:
        if found is None:
            error.args = (f"{error}; {described(text)}",)
        raise


def loads_all(
    data: bytes | bytearray | memoryview | str,
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Game]:
    """Yield every game of `data`: of an SGF collection, of lines of wei7 records, or the one record there is.

    Reads and raises as `loads` does, at the game in question; problems and
    errors are placed in the whole of `data` (in lines of wei7 records, in their
    line). An iterator is for one thread at a time.
    """
    is_text = isinstance(data, str)
    guesses = Guesses()
    for text in Sources(_bytes(data), limits=limits):
        yield _game(
            text,
            strict,
            revision,
            _UTF_8 if is_text else encoding,
            limits,
            first_row=first_row,
            named=False,
            is_text=is_text,
            guesses=guesses,
        )


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

    For wei7, a suffix other than `.wei7` is an error, one in other letter case a
    warning (clause 3.1). A file of several records is an error (`more-games`):
    see `load_all`. Raises what `loads` raises, and `OSError` where the file
    cannot be read. Any thread may call this.
    """
    texts = _texts(path, limits)
    text = next(texts, None)
    if text is None:
        raise record_error(whole_problem("file-unreadable", "the file contains no records"), os.fsdecode(path))
    other = next(texts, None)
    if other is not None:
        problems = other.problems  # why the file ends before its end
        if other.data is not None or other.source != text.source:
            message = "there are several records in it: load_all reads them all"
            problems = (replace(whole_problem("more-games", message), clause=""),)
        text = replace(text, problems=(*problems, *text.problems))
    return _game(text, strict, revision, encoding, limits, first_row=first_row)


def load_all(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Game]:
    """Yield every game of a file, archive or folder, one at a time; see `wei7core.sources.Sources`.

    A record that cannot be read at all raises even in lenient reading; `replay`
    is the way to a row for each whatever it holds. Raises what `loads` raises, at
    the game in question, and `OSError` where the path itself cannot be opened.
    An iterator is for one thread at a time.
    """
    guesses = Guesses()
    for text in _texts(path, limits):
        yield _game(text, strict, revision, encoding, limits, first_row=first_row, guesses=guesses)


def from_obj(obj: Any, *, strict: bool = True, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> Game:
    """Read one wei7 3.0 record from plain objects, as `json.loads` or `orjson.loads` give them.

    Validates as `loads` does. Offset, line and column of a problem count in
    the compact JSON text of `obj`; its path needs no text. Any nesting depth
    will do. Raises what `loads` raises, and `TypeError` for what JSON cannot
    hold. Any thread may call this.
    """
    return loads(encode(obj), format="wei7", strict=strict, revision=revision, limits=limits)


def _bytes(data: bytes | bytearray | memoryview | str) -> bytes:
    if isinstance(data, str):
        # Half a surrogate pair becomes bytes that the decoder refuses with their place.
        return data.encode(_UTF_8, "surrogatepass")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"a record is read from bytes, bytearray, memoryview or str, not {type(data).__name__}")


def _texts(path: str | os.PathLike[str], limits: Limits) -> Iterator[RecordText]:
    name = os.fsdecode(path)
    if not os.path.isdir(name):
        with open(name, "rb"):
            pass  # else what is wrong with it would come as the problem of a record
    return iter(Sources([name], limits=limits))


def _game(
    text: RecordText,
    strict: bool,
    revision: int,
    encoding: str | None,
    limits: Limits,
    *,
    first_row: FirstRow,
    named: bool = True,
    is_text: bool = False,
    guesses: Guesses | None = None,
) -> Game:
    name = text.source if named else None
    if text.data is None:
        raise record_error(text.problems[-1], name)
    record = decode(text.data, text.format, revision=revision, encoding=encoding, first_row=first_row, limits=limits)
    found = replay_record(record, limits=limits).problems
    if is_text:
        # The characters are known: what the record says of its encoding has been settled before.
        found = tuple(problem for problem in found if not problem.code.startswith("charset-"))
    problems = (*text.problems, *(text.placed(problem) for problem in found))
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
