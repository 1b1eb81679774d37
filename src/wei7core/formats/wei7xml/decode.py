"""wei7 2.0, 2.1 and 2.2 (XML): decoding, and messages of problems."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Final
from xml.parsers import expat

from ...errors import PROBLEM_CODE_BY_NAME, PROBLEM_CODES, Problem, ProblemCode
from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record, make_record
from ..record_columns import SIZE_FORMS
from .clauses import CLAUSE_OF, CONSTRUCT_OF, CONSTRUCTS, REQUIRED_NAMES, Construct
from .read import Reader
from .step_runs import Run, runs_in
from .text import tag_at, value_text
from .xml_parser import StopReadingError, feed, make_parser

_CONTINUATION: Final = bytes(range(0x80, 0xC0))
_EXCERPT: Final = re.compile(rb"""[^"'<>]*""")
_NO_ATTRIBUTE: Final = ("", ((0, 0), (0, 0)))
_PATH_HEAD: Final = 48
_PATH_TAIL: Final = 16
"""The number of elements shown of a longer path, which is written without its middle."""


def decode(data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode the bytes of one wei7 2.x record (clauses 3.1 to 3.20 of version 2.2).

    Never raises for the content of the bytes: every violation of a clause, except those found on a board, is in the
    record's `problems`. Raises `MemoryError`. Thread safe.
    """
    reader = Reader(data, limits)
    reader.read()
    size = max(reader.size, 0)
    return make_record(
        data,
        "wei7-2.2",
        reader.rows.tables(),
        size=(size, size),
        size_form=SIZE_FORMS.index("integer"),
        info=reader.info,
        broken_off=reader.broken_off,
        describe=describe,
        read_text=read_text,
        origin=(_decode_again, (data, limits)),
    )


def _decode_again(data: bytes, limits: Limits) -> Record:
    return decode(data, limits=limits)


def read_text(_record: Record, span: bytes) -> str:
    """Return the value of an attribute from its bytes, with references resolved."""
    return value_text(span)


def describe(record: Record, raw: Iterable[tuple[int, int, int, int] | tuple[str, int, int]]) -> list[Problem]:
    """Return located problems in the order of their offsets.

    `raw` holds (code number, place number, offset, detail) rows of the decoder or (code name, offset, detail) rows
    found later.
    """
    rows = []
    for row in raw:
        if len(row) == 4:
            rows.append((PROBLEM_CODES[row[0]], CONSTRUCTS[row[1]], row[2], row[3]))
        else:
            construct = {"setup-no-liberty": "setup", "move-occupied": "go"}.get(row[0], "text")
            rows.append((PROBLEM_CODE_BY_NAME[row[0]], CONSTRUCTS[CONSTRUCT_OF[construct]], row[1], row[2]))
    rows.sort(key=lambda row: row[2])
    offsets = [row[2] for row in rows]
    paths = _PathReader(record.source, offsets).found()
    places = zip(_lines(record.source, offsets), paths, strict=True)
    problems = []
    for (code, place, offset, detail), (line_and_column, path) in zip(rows, places, strict=True):
        message = _message(code, place, detail, _excerpt(record.source, offset))
        at = offset, *line_and_column, path
        problems.append(Problem(code.name, _clause(code, place), code.severity, *at, message))
    return problems


def _clause(code: ProblemCode, place: Construct) -> str:
    if code.limit:
        return ""
    return CLAUSE_OF.get(code.name, place.clause)


def _lines(source: bytes, offsets: list[int]) -> list[tuple[int, int]]:
    """Line and column of each of the ascending offsets, in one pass."""
    found = []
    line, column, last = 1, 1, 0
    for offset in offsets:
        breaks = source.count(b"\n", last, offset)
        if breaks:
            line += breaks
            column = 1
            last = source.rindex(b"\n", last, offset) + 1
        column += len(source[last:offset].translate(None, _CONTINUATION))
        last = max(last, offset)
        found.append((line, column))
    return found


class _PathReader:
    """The XPath of each of some ascending offsets, from a second pass over the text, made only for records with
    problems. Runs of plain steps between the offsets are counted without the parser.
    """

    def __init__(self, source: bytes, offsets: list[int]) -> None:
        self._source = source
        self._offsets = offsets
        self._paths: list[str] = []
        self._names: list[str] = []
        self._counts: list[dict[str, int]] = [{}]
        self._tag = -1  # the last tag, where nothing has followed it
        self._at = 0
        self._withheld = 0  # bytes that the parser has not seen
        self._end = -1  # of the part whose runs are known
        self._runs: Iterator[Run] = iter(())
        self._parser = make_parser(self)

    def found(self) -> list[str]:
        with suppress(StopReadingError, expat.ExpatError):  # the wanted offsets are before it, or at it
            feed(self._parser, self._source, lambda: self._at, self)
        self._add_paths(len(self._source) + 1)
        return self._paths

    def next(self, begin: int, end: int) -> Run | None:
        """Return the next run, as `Runs.next`."""
        if end != self._end:
            self._end = end
            last = self._offsets[-1] if self._offsets else 0
            runs = runs_in(self._source, begin, min(end, last)) if begin < last else []
            self._runs = chain.from_iterable(map(self._between_offsets, runs))
        return next(self._runs, None)

    def _between_offsets(self, run: Run) -> Iterator[Run]:
        """Yield the parts of a run without the elements at the offsets."""
        source = self._source
        begin, first_end, last = run
        for offset in self._offsets[bisect_left(self._offsets, first_end) : bisect_left(self._offsets, last)]:
            if offset < first_end:
                continue
            before = source.rfind(b"<", first_end, offset + 1)
            if before > first_end:
                yield begin, first_end, before
            begin = source.find(b"<", source.find(b">", offset))
            first_end = source.find(b">", begin) + 1
        if first_end < last:
            yield begin, first_end, last

    def read(self, run: Run) -> bool:
        """Count the elements of a run but the first and the last, as `Runs.read`."""
        if self._at != run[1] or not self._names:
            return False  # in a comment, for one; an empty element ends where its tag does
        steps = self._source.count(b"<", run[1], run[2])
        black = self._source.count(b"<b", run[1], run[2])
        counts = self._counts[-1]
        for name, count in (("black", black), ("white", steps - black)):
            counts[name] = counts.get(name, 0) + count
        self._withheld += run[2] - run[1]
        return True

    def start(self, name: str, _attributes: list[str]) -> None:
        at = self._before()
        counts = self._counts[-1]
        counts[name] = counts.get(name, 0) + 1
        self._names.append(self._step(name, counts[name]))
        self._counts.append({})
        self._tag = at

    def end(self, _name: str) -> None:
        self._before()
        self._tag = -1
        self._names.pop()
        self._counts.pop()

    def doctype(self, *_: object) -> None:
        raise StopReadingError

    def _step(self, name: str, number: int) -> str:
        parent = self._names[-1] if self._names else ""
        repeats = parent.startswith(("moves", "pre")) and name in ("moves", "black", "white", "mark")
        return f"{name}[{number}]" if repeats or number > 1 else name

    def _before(self) -> int:
        """Compute the paths of the offsets before the current event."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if len(self._paths) < len(self._offsets) and self._offsets[len(self._paths)] < at:
            self._add_paths(at)
        if len(self._paths) == len(self._offsets):
            raise StopReadingError
        return at

    def _add_paths(self, end: int) -> None:
        names = self._names
        if len(names) > _PATH_HEAD + _PATH_TAIL:
            names = [*names[:_PATH_HEAD], "...", *names[-_PATH_TAIL:]]
        path = "/" + "/".join(names)
        tag = tag_at(self._source, self._tag) if self._tag >= 0 and len(self._paths) < len(self._offsets) else None
        # Attributes and offsets are in the order of the text, so one pass over both suffices.
        attributes = iter(tag.attributes.items() if tag is not None else ())
        name, (key, value) = next(attributes, _NO_ATTRIBUTE)
        while len(self._paths) < len(self._offsets) and self._offsets[len(self._paths)] < end:
            offset = self._offsets[len(self._paths)]
            while value[1] < offset and name:
                name, (key, value) = next(attributes, _NO_ATTRIBUTE)
            self._paths.append(f"{path}/@{name}" if name and key[0] <= offset <= value[1] else path)


def _excerpt(source: bytes, offset: int) -> str:
    """The value or name at `offset`, cut to a length that fits a line."""
    if source.startswith(b"<", offset):
        found = re.compile(rb"[^\s/>]*").match(source, offset + 1, offset + 401)
    else:
        found = _EXCERPT.match(source, offset, offset + 400)
    token = (b"" if found is None else found.group()).decode("utf-8", "replace").rstrip()
    token = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in token)
    return token if len(token) <= 40 else token[:36] + " ..."


def _message(code: ProblemCode, place: Construct, detail: int, found: str) -> str:
    name = code.name
    if name == "unknown-element":
        return f"{place.noun} cannot have an element {found!r} here, only {place.expected}"
    if name == "unknown-attribute":
        return f"{place.noun} cannot have the attribute {found.split('=', maxsplit=1)[0].strip()!r}"
    if name in ("missing-element", "missing-attribute"):
        return f"{found} lacks the required {name[len('missing-') :]} {REQUIRED_NAMES[detail]!r}"
    if name in ("element-repeated", "element-misplaced"):
        return f"{code.summary}: {found!r}; {place.noun} must be {place.expected}"
    if name == "string-too-long":
        return f"{place.noun} has {detail} characters, 128 are allowed"
    if name in ("value-not-allowed", "number-not-integer", "number-out-of-range", "number-not-half", "number-spelling"):
        return f"{place.noun} must be {place.expected}, not {found!r}"
    if name == "datetime-invalid":
        return f"{place.noun} must be {place.expected}, not {found!r}"
    if name == "point-off-board":
        return f"the point is outside the board: coordinate {found}"
    if name == "xml-syntax" and detail:
        return f"{code.summary}: it ends too early"
    if name == "limit-bytes" and detail:
        return "one tag or comment takes more than 64 MiB"
    return code.summary
