"""Errors of records replayed in C: code and offset are available at once, path and message are made when first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from .._util.lazy_numpy import Array, np
from ..errors import PROBLEM_CODES, BoardSizeError, Problem, ProblemFields, fields_of
from ..limits import Limits
from ..record.record import Record
from ..replaying.stops import stop_message
from ..sources.chunks import numbers_of, owners_of
from ._engine import FOUND
from .located import located

if TYPE_CHECKING:
    from ..sources.chunks import Chunk
    from .options import Options


_Describe: TypeAlias = "Callable[[Record, list[Any]], list[Problem]]"

_AT_ONCE: Final = 1024  # rows as objects, and the rest of the record of the last one
_WIDEST: Final = 4  # bytes of a character


class _Text(NamedTuple):
    """The attributes of a record that describing a problem needs."""

    source: bytes
    encoding: str
    revision: int
    width: int
    height: int


def problems_of(
    chunk: Chunk, first: int, piece: Array, rows: Array, options: Options
) -> Iterator[tuple[int, str, int, list[ProblemFields]]]:
    """Yield the problems of records, by offset and with their places in the source, after the place of the record among
    the rows `piece`, its source and its number in that.

    `rows`, in the order of the records, are some of the `failures` of an `EngineResult` that lists all problems and
    begins with record `first` of the chunk; none is of a board or of positions as a whole. Thread safe.
    """
    rows = rows[np.lexsort((rows["offset"], rows["text"]))]
    last = 0
    while last < len(rows):
        begin, last = last, min(last + _AT_ONCE, len(rows))
        last += int(np.searchsorted(rows["text"][last:], rows["text"][last - 1], "right"))
        yield from _described(chunk, first, piece, rows[begin:last], options)


def _described(
    chunk: Chunk, first: int, piece: Array, rows: Array, options: Options
) -> Iterator[tuple[int, str, int, list[ProblemFields]]]:
    places, counts = np.unique(rows["text"], return_counts=True)
    is_wide = _may_be_wide(chunk, places + first)
    of_wide = np.repeat(is_wide, counts)
    together = _described_together(chunk, first, piece, rows[~of_wide], options)
    apart = _described_apart(chunk, first, piece, rows[of_wide], options)
    for wide in is_wide.tolist():
        yield next(apart if wide else together)


def _may_be_wide(chunk: Chunk, indices: Array) -> Array:
    """Which records may be in UTF-16 or UTF-32: those of SGF that begin with a byte of those, or near a zero."""
    if chunk.format != "sgf":
        return np.zeros(len(indices), bool)
    data = np.frombuffer(memoryview(chunk.data), np.uint8)
    begins, ends = chunk.begins[indices], chunk.ends[indices]
    heads = data[np.minimum(begins[:, None] + np.arange(_WIDEST), np.clip(ends - 1, 0, None)[:, None])]
    return np.asarray((begins == ends) | (heads[:, 0] > 127) | (heads == 0).any(axis=1))


def _described_together(
    chunk: Chunk, first: int, piece: Array, rows: Array, options: Options
) -> Iterator[tuple[int, str, int, list[ProblemFields]]]:
    """The problems of records in no wide encoding, whose places are found together."""
    from ..formats.sgf import decode as sgf
    from ..formats.sgf.charset_tables import CODECS
    from ..formats.wei7 import decode as wei7

    if not len(rows):
        return
    format = sgf if chunk.format == "sgf" else wei7
    places, texts = rows["text"], rows["text"] + first
    begins, ends, offsets = chunk.begins[texts], chunk.ends[texts], rows["offset"].astype(np.int64)
    lines, columns, paths = located(chunk, begins, ends, offsets, rows["charset"])
    before, first_lines, first_columns = chunk.places_of(texts, begins)
    columns = np.where(lines == 1, columns + first_columns - 1, columns)
    runs = chunk.runs_of(first, first + len(piece))
    owners, numbers = owners_of(runs, places), numbers_of(runs)[places]
    shown = (before + offsets, first_lines + lines - 1, columns, piece["width"][places], piece["height"][places])
    fields = (places, owners, numbers, begins + offsets, ends)
    view, revision, limits = memoryview(chunk.data), options.revision, options.limits
    words: dict[tuple[object, ...], tuple[str, str]] = {}  # most problems of a record have the same
    last = -1
    found: list[ProblemFields] = []
    source, number = "", 0
    for path, row, place, owner, record, at, end, offset, line, column, width, height in zip(
        paths, rows.tolist(), *(values.tolist() for values in (*fields, *shown)), strict=True
    ):
        if place != last:
            if found:
                yield last, source, number, found
            last, source, number, found = place, runs[owner].source, record, []
        _, _, _, _, code, where, detail, move, x, y, _, color, charset, by_replay, _ = row
        kind = PROBLEM_CODES[code]
        quoted = format.quoted(kind, view, at, end)
        key = code, by_replay, where, detail, charset, width, height, quoted
        known = words.get(key)
        if known is None:
            text = cast("Record", _Text(quoted, CODECS[charset], revision, width, height))
            known = words[key] = format.clause_and_message(text, kind, None if by_replay else where, detail)
        clause, message = known
        if by_replay:
            message = stop_message(FOUND[by_replay], limits, move, color, x, y)
        found.append((kind.name, clause, kind.severity, offset, line, column, path, message))
    if found:
        yield last, source, number, found


def _described_apart(
    chunk: Chunk, first: int, piece: Array, rows: Array, options: Options
) -> Iterator[tuple[int, str, int, list[ProblemFields]]]:
    """The problems of any records, one record after the other."""
    from ..formats.sgf.charset_tables import CODECS
    from ..formats.sgf.decode import describe_in_text
    from ..formats.wei7.decode import describe

    limits, revision = options.limits, options.revision
    places, begins = np.unique(rows["text"], return_index=True)
    ends = [*begins.tolist(), len(rows)][1:]
    listed = (
        row for first_row in range(0, len(rows), _AT_ONCE) for row in rows[first_row : first_row + _AT_ONCE].tolist()
    )
    sizes = zip(piece["width"][places].tolist(), piece["height"][places].tolist(), strict=True)
    charsets = rows["charset"][begins].tolist()
    texts = zip(charsets, chunk.texts(places + first), strict=True)
    for place, begin, end, size, (charset, text) in zip(
        places.tolist(), begins.tolist(), ends, sizes, texts, strict=True
    ):
        source = text.data or b""
        described: _Describe = describe
        if text.format == "sgf":
            source, described = describe_in_text(source, limits)
        record = cast("Record", _Text(source, CODECS[charset], revision, *size))
        raw: list[tuple[int, int, int, int]] = []
        found: list[tuple[int, str, str]] = []
        for _, _, _, offset, code, where, detail, number, x, y, _, color, _, kind, _ in islice(listed, end - begin):
            if not kind:
                raw.append((code, where, offset, detail))
                continue
            message = stop_message(FOUND[kind], limits, number, color, x, y)
            found.append((offset, PROBLEM_CODES[code].name, message))
        problems = described(record, raw)
        if found:
            # Located together, in the order in which they are returned, since each search for a place scans the text.
            found.sort(key=itemgetter(0))
            located = described(record, [(name, offset, 0) for offset, name, _ in found])
            messages = (message for _, _, message in found)
            problems += [replace(one, message=message) for one, message in zip(located, messages, strict=True)]
            problems.sort(key=attrgetter("offset"))
        yield place, text.source, text.record, [fields_of(text.placed(problem)) for problem in problems]


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
        from ..formats._native import locate_wei7
        from ..formats.sgf.charset_tables import CODECS
        from ..formats.sgf.decode import describe_problems, path_at
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
                path = (
                    path_at(source, offset, encoding) if self.format == "sgf" else locate_wei7(source, [offset])[0][2]
                )
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
