"""Giseong records ("Giseong ANSI", version 96.12): decoding, the document of a record, and places of problems."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import PROBLEM_CODE_BY_NAME, Problem, ProblemCode, Severity
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import (
    Branch,
    Document,
    Info,
    Mark,
    Move,
    Note,
    Participant,
    Player,
    Properties,
    Setup,
    Step,
    Unreadable,
)
from ...record.record import Record, make_record
from ..record_columns import MOVE, NOTE, OF_ROOT, UNREADABLE
from ..record_rows import NO_SPAN, Rows, move_rows
from ..sgf.charset import codec
from .codes import BLACK, SIDE, WHITE, parts
from .read import GiseongRecord, read
from .text import Text, choose_encoding
from .to_document import Spot
from .tokens import MOVES, POSTING, TOKENS, VERSION_TOKEN, comment, marks

if TYPE_CHECKING:
    from ..registry import FirstRow

__all__ = ["decode", "document_from_record", "record_title"]

FORMAT: Final = "giseong"
_TITLE: Final = 12
_CLAUSES: Final = {"move-occupied": "section 6, G8"}
_MOST_PATHS: Final = 1 << 20  # characters of all branch paths together: one of many levels is as long as these


def decode(
    data: bytes, *, encoding: str | None = None, first_row: FirstRow = "top", limits: Limits = DEFAULT_LIMITS
) -> Record:
    """Decode one Giseong record.

    `encoding` names the codec of the text; without it the encoding is UTF-8 if all bytes are valid, else CP949.
    `first_row` is the position of row 1. Never raises for the content of the bytes: every problem is in the record's
    `problems`. Raises `LookupError` for an unknown `encoding` and `MemoryError`. Thread safe.
    """
    wanted = None if encoding is None else codec(encoding.encode())
    if encoding is not None and wanted is None:
        raise LookupError(f"{encoding!r} is not an encoding that records can have")
    origin = (_decode_again, (data, encoding, first_row, limits))
    if len(data) > limits.max_bytes:
        problem = _problem(PROBLEM_CODE_BY_NAME["limit-bytes"], "", 0, (1, 1), "-", f"the record has {len(data)} bytes")
        return _record(data, "utf-8", Rows(), (problem,), None, origin, 0, broken_off=True)
    used = wanted or choose_encoding(data)
    text = Text(data, used)
    reading = read(text, first_row, limits)
    if not reading.has_codes:
        message = "there is no code of Giseong in the text"
        problem = _problem(PROBLEM_CODE_BY_NAME["no-codes"], "section 1", 0, (1, 1), "-", message)
        return _record(data, used, Rows(), (problem,), text, origin, 0)
    problems = _located(reading, text)
    return _record(
        data,
        used,
        _rows(reading, text),
        problems,
        text,
        origin,
        reading.version or 0,
        broken_off=reading.broken_off,
        header={number: name.text for number, name in reading.names.items()},
    )


def _decode_again(data: bytes, encoding: str | None, first_row: FirstRow, limits: Limits) -> Record:
    return decode(data, encoding=encoding, first_row=first_row, limits=limits)


def record_title(record: Record) -> str | None:
    """Return the title shown by control 12, or None. Thread safe."""
    for key, value in zip(record.kept["key"].tolist(), record.kept["value"].tolist(), strict=True):
        if _TITLE_CONTROL.search(record.source[slice(*key)]):
            return _read_text(record, record.source[slice(*value)]) or None
    return None


_TITLE_CONTROL: Final = re.compile(rb"1[\r\n]*2[\r\n]*w")


# --- columns --------------------------------------------------------------------


def _record(
    data: bytes,
    encoding: str,
    rows: Rows,
    problems: tuple[Problem, ...],
    text: Text | None,
    origin: tuple[Any, ...],
    version: int,
    *,
    broken_off: bool = False,
    header: dict[int, str] | None = None,
) -> Record:
    for row, problem in enumerate(problems):
        rows.problems.add(problem.offset, PROBLEM_CODE_BY_NAME[problem.code].number, 0, row)
    return make_record(
        data,
        FORMAT,
        rows.tables(),
        size=(SIDE, SIDE),
        size_form=0,
        revision=version,
        encoding=encoding,
        broken_off=broken_off,
        describe=functools.partial(_describe, problems, text),
        read_text=_read_text,
        origin=origin,
        header=header,
    )


def _rows(reading: GiseongRecord, text: Text) -> Rows:
    rows = Rows()
    numbers: dict[int, int] = {}
    for branch in reading.branches:
        first = rows.steps.count
        offset = text.offset(branch.spots[0].index) if branch.spots else 0
        numbers[id(branch)] = number = rows.trees.add(offset, first)
        for spot in branch.spots:
            if spot.before is not None:
                before = spot.before
                offsets = text.offsets(before.at)
                rows.steps.extend(move_rows(offsets, before.column - 1, before.row - 1, before.color))
            if _is_step(spot):
                _add_step(rows, spot, text)
        rows.trees.end_steps(number, rows.steps.count)
    for branch in reading.branches:
        rows.trees.set_branches(numbers[id(branch)], [numbers[id(one)] for one in branch.below])
    root = reading.root
    if comment(root.tokens) is not None or marks(root.tokens):
        commentary = _commentary_span(root, text)
        rows.trees.set_pre(0, rows.pres.add(text.offset(0), *commentary, 0, -1, 0, -1, 0, 0, 0))
    for name in reading.names.values():
        key, value = text.span(name.end, name.control_end), _span(text, name.begin, name.end)
        rows.kept.add(*key, *value, -1, OF_ROOT, 0)
    return rows


def _add_step(rows: Rows, spot: Spot, text: Text) -> None:
    kind = MOVE if spot.color else UNREADABLE if spot.raw is not None else NOTE
    commentary, value = _commentary_span(spot, text), NO_SPAN
    if spot.raw is not None:
        value = text.span(spot.index, spot.index + len(spot.raw))
    detail = -1
    if (commentary, value) != (NO_SPAN, NO_SPAN):
        detail = rows.details.add(*NO_SPAN, *commentary, *value, -1.0, 0, -1, -1, 0)
    rows.steps.add(text.offset(spot.index), *spot.point, detail, kind, spot.color, 0, 0)


def _is_step(spot: Spot) -> bool:
    return spot.is_step or (spot.parent is not None and bool(spot.tokens))


def _span(text: Text, begin: int, end: int) -> tuple[int, int]:
    return text.span(begin, end) if end > begin else (text.offset(begin),) * 2


def _commentary_span(spot: Spot, text: Text) -> tuple[int, int]:
    """The bytes of the commentary, with the controls in it."""
    if spot.text is None or comment(spot.tokens) is None:
        return NO_SPAN
    return text.span(*spot.text)


def _read_text(record: Record, span: bytes) -> str:
    clean = Text(span, record.encoding).clean
    return comment([clean[part.begin : part.end] for part in parts(clean)]) or ""


# --- problems -------------------------------------------------------------------


def _problem(code: ProblemCode, clause: str, offset: int, place: tuple[int, int], path: str, message: str) -> Problem:
    severity: Severity = code.severity
    return Problem(code.name, "" if code.limit else clause, severity, offset, *place, path, message)


def _located(reading: GiseongRecord, text: Text) -> tuple[Problem, ...]:
    """The problems of a reading in the order of their places."""
    problems = []
    room = _MOST_PATHS
    for found in sorted(reading.problems, key=lambda one: one.index):
        path, step = found.spot.place if room > 0 else ("...", 0)
        room -= len(path)
        problems.append(
            _problem(
                PROBLEM_CODE_BY_NAME[found.code],
                found.clause,
                text.offset(found.index),
                text.line_and_column(found.index),
                f"{path};{step}",
                found.message,
            )
        )
    return tuple(problems)


def _describe(
    problems: tuple[Problem, ...],
    text: Text | None,
    record: Record,
    raw: Iterable[tuple[int, int, int, int] | tuple[str, int, int]],
) -> list[Problem]:
    """The located problems: those of decoder rows, each an index into `problems`, and those found later."""
    described = []
    paths = _StepPaths(record)
    for row in raw:
        if len(row) == 4:
            described.append(problems[row[3]])
            continue
        code = PROBLEM_CODE_BY_NAME[row[0]]
        place = (1, 1) if text is None else text.line_and_column(text.index(row[1]))
        clause = _CLAUSES.get(code.name, code.clause)
        described.append(_problem(code, clause, row[1], place, paths.at(row[1]), code.summary))
    return described


class _StepPaths:
    """The paths of steps, by their offsets in the text."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._rows: dict[int, int] | None = None
        self._room = _MOST_PATHS

    def at(self, offset: int) -> str:
        record = self._record
        if self._rows is None:
            self._rows = {at: row for row, at in enumerate(record.steps["offset"].tolist())}
        step = self._rows.get(offset)
        if step is None or self._room <= 0:
            return "-"
        trees = record.trees
        tree = int(np.nonzero((trees["first_step"] <= step) & (trees["first_step"] + trees["step_count"] > step))[0][0])
        inside = step - int(trees["first_step"][tree])
        ordinals = []
        while trees["parent"][tree] >= 0:
            ordinals.append(str(trees["ordinal"][tree]))
            tree = int(trees["parent"][tree])
        path = f"{'.'.join(reversed(ordinals)) or '-'};{inside}"
        self._room -= len(path)
        return path


# --- documents ------------------------------------------------------------------


def document_from_record(record: Record) -> Document:
    """Return a new document with the whole content of the record.

    A label is a `Mark` whose symbol is the text shown. Codes that only a viewer of Giseong can use are kept among the
    properties, see `tokens`. Any thread may call this; the record is not changed.
    """
    data, _, first_row, limits = record.__reduce__()[1]
    document = Document(SIDE, SIDE)
    if not len(record.trees):
        return document
    reading = read(Text(data, record.encoding), first_row, limits)
    branches: dict[int, Branch] = {}
    for arranged in reading.branches:
        branch = Branch(steps=list(_steps(arranged.spots)))
        branches[id(arranged)] = branch
        if arranged.parent is not None:
            branches[id(arranged.parent)].branches.append(branch)
    document.tree = branches[id(reading.branches[0])]
    root = reading.root
    commentary, shown = comment(root.tokens), marks(root.tokens)
    if commentary is not None or shown:
        document.tree.pre = Setup(marks=shown, comment=commentary)
    if root.tokens:
        document.properties[TOKENS] = tuple(root.tokens)
    for name, value in ((MOVES, reading.declared_moves), (VERSION_TOKEN, reading.version)):
        if value is not None:
            document.properties[name] = (str(value),)
    if reading.is_posting:
        document.properties[POSTING] = ("",)
    document.info = _info(record.header)
    return document


def header_of(record: Record) -> tuple[Info, Properties]:
    """Return the names and the title, and no properties. Any thread may call this."""
    return _info(record.header if len(record.trees) else {}), {}


def _steps(spots: list[Spot]) -> Iterator[Step]:
    for spot in spots:
        if spot.before is not None:
            _, row, column, color = spot.before
            points = zip((column - 1).tolist(), (row - 1).tolist(), strict=True)
            for one, point in zip(color.tolist(), points, strict=True):
                yield Step(Move(one, point))
        if _is_step(spot):
            yield _step(spot)


def _step(spot: Spot) -> Step:
    if spot.raw is not None:
        step = Step(Unreadable(spot.raw.encode()))
    elif spot.color:
        step = Step(Move(spot.color, spot.point))
        if spot.label is not None:
            step.marks.append(Mark(spot.point, spot.label))
    else:
        step = Step(Note())
    if spot.tokens:
        step.properties = {TOKENS: tuple(spot.tokens)}
        step.comment = comment(spot.tokens)
        step.marks += marks(spot.tokens)
    return step


_RANKED: Final = re.compile(r"(?P<name>.*\S) (?P<rank>[0-9]{1,2}[급단])", re.ASCII | re.DOTALL)


def _info(header: Mapping[int, str]) -> Info:
    """The title and the players; participant 0 is Black and participant 1 White, where either is known."""
    names = {number: text for number, text in header.items() if text.strip()}
    info = Info(name=names.get(_TITLE))
    if 5 in names or 6 in names:
        info.participants = [_participant(names.get(5)), _participant(names.get(6))]
        info.players = [Player(0, BLACK), Player(1, WHITE)]
    return info


def _participant(text: str | None) -> Participant:
    ranked = _RANKED.fullmatch(text or "")
    if ranked is None:
        return Participant(text)
    return replace(Participant(ranked["name"]), rank=ranked["rank"])
