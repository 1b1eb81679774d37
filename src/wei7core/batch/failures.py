"""Errors of records replayed in C: code and offset are available at once, path and message are made when first read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .._util.lazy_numpy import Array
from ..errors import PROBLEM_CODES, BoardSizeError, Problem
from ..limits import Limits
from ..record.record import Record
from ..replaying.stops import stop_message
from ._engine import FOUND

if TYPE_CHECKING:
    from .options import Options


class _Text(NamedTuple):
    """The attributes of a record that describing a problem needs."""

    source: bytes
    encoding: str
    revision: int
    width: int
    height: int


def problems_of(
    text: bytes, format: str, size: tuple[int, int], rows: Sequence[tuple[Any, ...]], revision: int, limits: Limits
) -> list[Problem]:
    """Return problems of one record, by offset. Thread safe.

    `rows` are some of those of the record, at least one, among the `failures` of an `EngineResult` that lists all
    problems; none is of its board or its positions as a whole.
    """
    from ..formats.sgf.charset_tables import CODECS
    from ..formats.sgf.decode import describe_problems
    from ..formats.wei7.decode import describe

    *_, charset, _, _ = rows[0]
    record = cast("Record", _Text(text, CODECS[charset], revision, *size))
    raw: list[tuple[int, int, int, int]] = []
    found: list[Problem] = []
    described = describe_problems if format == "sgf" else describe
    for _, _, _, offset, code, where, detail, number, x, y, _, color, _, kind, _ in rows:
        if not kind:
            raw.append((code, where, offset, detail))
            continue
        (problem,) = described(record, [(PROBLEM_CODES[code].name, offset, 0)])
        found.append(replace(problem, message=stop_message(FOUND[kind], limits, number, color, x, y)))
    return sorted([*described(record, raw), *found], key=_offset) if found else described(record, raw)


def _offset(problem: Problem) -> int:
    return problem.offset


class Failures:
    """The errors of an `EngineResult`, in the order of its records.

    `rows`, `offsets` and `texts` are its `failures`, `piece` are its rows, `begins` the offsets of its records in their
    source, None where each is a separate source. The attribute `offsets` has those of the errors in the sources.

    Thread safety: threads may share it; concurrent calls of `words` return the same texts.
    """

    __slots__ = ("_heights", "_texts", "_widths", "_words", "format", "offsets", "options", "rows")

    def __init__(
        self, rows: Array, offsets: Array, texts: Any, piece: Array, begins: Array | None, format: str, options: Options
    ):
        places = rows["text"]
        self.rows = rows
        self.offsets = offsets if begins is None else offsets + begins[places]
        self.format = format
        self.options = options
        self._widths, self._heights = piece["width"][places], piece["height"][places]
        self._texts = memoryview(texts)
        self._words: tuple[list[str], list[str]] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the texts stored for the messages; 0 once those are made."""
        return len(self._texts)

    def words(self) -> tuple[list[str], list[str]]:
        """Return the paths and the messages of the errors."""
        texts, words = self._texts, self._words
        if words is None:
            described = list(self._described(texts))
            words = self._words = [path for path, _ in described], [message for _, message in described]
            self._texts = memoryview(b"")
        return words

    def _described(self, texts: memoryview) -> Iterator[tuple[str, str]]:
        from ..formats.sgf.charset_tables import CODECS
        from ..formats.sgf.decode import describe_problems, path_at
        from ..formats.wei7._decoder import locate
        from ..formats.wei7.decode import describe

        limits = self.options.limits
        end = 0
        sizes = zip(self._widths.tolist(), self._heights.tolist(), strict=True)
        for row, size in zip(self.rows.tolist(), sizes, strict=True):
            _, kept, base, in_text, code, where, detail, number, x, y, step, color, charset, kind, _ = row
            begin, end = end, end + kept
            offset = in_text - base
            prefix = "" if step < 0 else f"$.tree.steps[{step}]"
            source = bytes(texts[begin:end])
            encoding = CODECS[charset]
            if kind:
                name = FOUND[kind]
                if name == "no-board":
                    yield "$", _size_message(*size, limits)
                    continue
                path = path_at(source, offset, encoding) if self.format == "sgf" else locate(source, [offset])[0][2]
                is_stop = name != "too-long"
                message = stop_message(name, limits, number, color, x, y) if is_stop else PROBLEM_CODES[code].summary
                yield _joined(prefix, path), message
                continue
            record = cast("Record", _Text(source, encoding, self.options.revision, *size))
            raw = [(code, where, offset, detail)]
            (problem,) = describe_problems(record, raw) if self.format == "sgf" else describe(record, raw)
            yield _joined(prefix, problem.path), problem.message


def _size_message(width: int, height: int, limits: Limits) -> str:
    """The message of the exception for a board that is too large."""
    from ..board.board import Board

    try:
        Board(width, height, max_points=limits.max_points)
    except BoardSizeError as refused:
        return str(refused)
    return ""


def _joined(prefix: str, path: str) -> str:
    """The path in a record of `path` in the value at `prefix`."""
    return prefix + path[1:] if prefix else path
