"""The words for the errors of records that were replayed in C: no record is decoded again for them."""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from ..errors import PROBLEM_CODES
from ..formats.sgf.decode import describe_problem
from ..formats.sgf.guess_charset import CODECS
from ..formats.wei7.decode import describe
from ..record.record import Record
from ..sources.chunks import RecordText
from ._engine import Failure
from .assemble import ErrorFields

__all__ = ["error_fields"]

_COLORS: Final = {1: "black", 2: "white"}


class _Text(NamedTuple):
    """What describing a problem reads of a record."""

    source: bytes
    encoding: str
    revision: int
    width: int
    height: int


def error_fields(text: RecordText, failure: Failure, size: tuple[int, int], revision: int) -> ErrorFields:
    """Return code, offset, path and message of the error of a record with a board of `size`. Thread safe."""
    assert text.data is not None
    record = cast("Record", _Text(text.data, CODECS[failure.charset], revision, *size))
    code = PROBLEM_CODES[failure.code].name
    row = (failure.code, failure.where, failure.offset, failure.detail)
    if failure.move is not None:
        (problem,) = describe(record, [(code, failure.offset, 0)])
        number, color, x, y = failure.move
        message = f"move {number}, {_COLORS[color]} ({x}, {y}), is on an occupied point"
        return code, text.offset + problem.offset, problem.path, message
    (problem,) = describe_problem(record, row) if text.format == "sgf" else describe(record, [row])
    return code, text.offset + problem.offset, problem.path, problem.message
