"""A decoded wei7 record -> an editable document: from columns to objects.

The columns are read once, table by table; branches are linked by their rows, so that nesting depth costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ...record.document import (
    Action,
    Branch,
    Document,
    Extra,
    Info,
    MarkAction,
    Message,
    Move,
    Number,
    Point,
    Properties,
    PropertyDict,
    Result,
    Setup,
    Step,
    Takeback,
    Unreadable,
)
from ...record.move_runs import StepRows, quiet_moves
from ...record.record import bare_steps
from ..record_columns import (
    EMBEDDED_IN,
    EVALUATIONS,
    MARK,
    MESSAGE,
    MOVE,
    OF_ACTION,
    OF_PRE,
    OF_ROOT,
    OF_STEP,
    OF_TREE,
    OF_VALUE,
    RESULT,
    SIZE_FORMS,
    TAKEBACK,
    UNREADABLE,
    Kept,
    marks_and_stones,
    rows_of,
)
from .info import read_info
from .json_text import read_number

if TYPE_CHECKING:
    from ...record.record import Record


def document_from_record(record: Record, *, runs: bool = False) -> Document:
    """Return a new document with the whole content of the record, kept members included.

    With `runs` moves are in `MoveRun` where that is possible.

    Content that the decoder could not read (lenient reading) is omitted or kept as text. Any thread may call this; the
    record is not changed.
    """
    return _TreeBuilder(record).document(runs)


def _late(info: bytes) -> Callable[[str], Info | Properties]:
    return lambda name: read_info(info) if name == "info" else PropertyDict()


class _TreeBuilder:
    def __init__(self, record: Record) -> None:
        self._record = record
        self._source = record.source
        self._text = record.text
        self._kept = self._read_kept()
        self._marks, self._stones = marks_and_stones(record, self._kept)

    def document(self, runs: bool) -> Document:
        record = self._record
        known = record.width > 0  # else a kept member
        document = Document(record.width, record.height, SIZE_FORMS[record.size_form if known else 0])
        document.extra = self._extra(OF_ROOT, 0)
        if record.info_json is not None:
            document.fill_later(_late(record.info_json))
            document.kept_empty = frozenset({"info"})
        trees = self._trees(self._runs() if runs else self._all_steps())
        if trees:
            document.tree = trees[0]
        return document

    def _read_kept(self) -> Kept:
        kept: Kept = {owner: {} for owner in range(8)}
        for key, value, row, owner, inside in rows_of(self._record.kept, "key", "value", "index", "owner", "inside"):
            name = self._text(*key)
            within = "action" if owner == OF_ACTION else EMBEDDED_IN[inside]
            extra = kept[OF_STEP if owner == OF_ACTION else owner].setdefault(row, {})
            extra[name if within is None else (within, name)] = self._source[value[0] : value[1]]
        return kept

    def _extra(self, owner: int, row: int) -> Extra:
        # Each owner is made once, so the dictionary can be handed over.
        return self._kept[owner].get(row) or {}

    def _trees(self, steps: Callable[[int, int], list[Step]]) -> list[Branch]:
        pres = self._pres()
        branches: list[Branch] = []
        columns = ("title", "parent", "branch_count", "first_step", "step_count", "pre")
        for row, (title, parent, branch_count, first, count, pre) in enumerate(rows_of(self._record.trees, *columns)):
            branch = Branch(
                self._optional_text(title),
                None if pre < 0 else pres[pre],
                steps(first, first + count) if count > 0 else [],
                extra=self._extra(OF_TREE, row),
                kept_empty=_PRESENT[count >= 0, branch_count >= 0],
            )
            branches.append(branch)
            if parent >= 0:
                branches[parent].branches.append(branch)
        return branches

    def _optional_text(self, span: tuple[int, int]) -> str | None:
        return None if span[0] < 0 else self._text(*span)

    def _optional_number(self, span: tuple[int, int]) -> Number | None:
        return None if span[0] < 0 else read_number(self._source[span[0] : span[1]].decode("ascii"))

    def _pres(self) -> list[Setup]:
        columns = ("comment", "stones", "stone_count", "marks", "mark_count", "problem")
        return [
            Setup(
                self._stones[stones : stones + max(stone_count, 0)],
                problem or None,
                self._marks[marks : marks + max(mark_count, 0)],
                self._optional_text(comment),
                extra=self._extra(OF_PRE, row),
                kept_empty=_PRE_PRESENT[stone_count >= 0, mark_count >= 0],
            )
            for row, (comment, stones, stone_count, marks, mark_count, problem) in enumerate(
                rows_of(self._record.pres, *columns)
            )
        ]

    def _all_steps(self) -> Callable[[int, int], list[Step]]:
        steps, others = bare_steps(self._record, [*self._kept[OF_STEP], *self._kept[OF_VALUE]])
        for row, step in zip(others, self._steps(others), strict=True):
            steps[row] = step
        return lambda first, end: steps[first:end]

    def _runs(self) -> Callable[[int, int], list[Step]]:
        rows, size = self._record.steps, (self._record.width, self._record.height)
        quiet = quiet_moves(rows, MOVE, *size) & (rows["tag"] == 0)
        quiet[[*self._kept[OF_STEP], *self._kept[OF_VALUE]]] = False
        return StepRows(rows, quiet, *size, self._steps).between

    def _steps(self, rows: Sequence[int]) -> list[Step]:
        if not rows:
            return []
        table = self._record.steps
        if len(rows) < len(table):
            table = table[np.asarray(rows, dtype=np.intp)]
        columns = ("time", "comment", "value", "marks", "mark_count", "actor", "problem")
        details = list(rows_of(self._record.details, *columns))
        steps: list[Step] = []
        for x, y, detail, kind, color, tag in rows_of(table, "x", "y", "detail", "kind", "color", "tag"):
            time, comment, value, marks, mark_count, actor, problem = details[detail] if detail >= 0 else _BARE
            step = Step(self._action(kind, x, y, color, tag, value, problem))
            if detail >= 0:
                step.time = self._optional_number(time)
                step.actor = None if actor < 0 else actor
                step.comment = self._optional_text(comment)
                if mark_count >= 0:
                    step.marks = self._marks[marks : marks + mark_count]
                    step.kept_empty = _MARKS
            steps.append(step)
        self._keep_in_steps(dict(zip(rows, steps, strict=True)))
        return steps

    def _action(self, kind: int, x: int, y: int, color: int, tag: int, value: tuple[int, int], problem: int) -> Action:
        if kind == MOVE:
            point: Point | None = None if x < 0 else (x, y)
            return Move(color, point, EVALUATIONS[tag], problem or None)
        if kind == TAKEBACK:
            return Takeback(x)
        if kind == RESULT:
            return Result(color or None, self._optional_number(value))
        if kind == MARK:
            return MarkAction((x, y), chr(tag))
        if kind == MESSAGE:
            return Message(self._text(*value))
        return Unreadable(self._source[value[0] : value[1]], may_be_move=kind == UNREADABLE)

    def _keep_in_steps(self, steps: dict[int, Step]) -> None:
        for row, extra in self._kept[OF_STEP].items():
            steps[row].extra = extra
        for row, extra in self._kept[OF_VALUE].items():
            action = steps[row].action
            if isinstance(action, (Move, Result, MarkAction)):
                action.extra = extra


_ABSENT: Final = (-1, -1)
_BARE: Final = (_ABSENT, _ABSENT, _ABSENT, 0, -1, -1, 0)
_MARKS: Final = frozenset({"marks"})


def _presence(first: str, second: str) -> dict[tuple[bool, bool], frozenset[str]]:
    """The sets for each combination, made once: a record has one for each of its branches."""
    return {
        (one, two): frozenset(name for name, there in ((first, one), (second, two)) if there)
        for one in (False, True)
        for two in (False, True)
    }


_PRESENT: Final = _presence("steps", "branches")
_PRE_PRESENT: Final = _presence("stones", "marks")
