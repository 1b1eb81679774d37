"""A decoded SGF record -> an editable document: from columns to objects.

The columns are read once, table by table; branches are linked by their rows, so that nesting depth costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ...record.document import (
    Action,
    Branch,
    Document,
    Edit,
    Info,
    Move,
    Note,
    Properties,
    PropertyDict,
    Setup,
    Step,
    Unreadable,
)
from ...record.move_runs import StepRows, quiet_moves
from ...record.record import bare_steps, commented_rows, kept_texts, tree_rows
from ..record_columns import MOVE, NOTE, SETUP, SIZE_FORMS, rows_of, stones_of
from .charset import double_byte
from .info import info_from_properties
from .properties import PROPERTIES, comment, evaluation, is_value, marks, points, short_name
from .text_values import first_simple_text

if TYPE_CHECKING:
    from ...record.record import Record

_GAME_INFO: Final = frozenset(name for name, row in PROPERTIES.items() if row.place == "game-info")
_SETUPS: Final = ("AB", "AW", "AE")


def document_from_record(record: Record, *, runs: bool = False) -> Document:
    """Return a new document with all content of the record; with `runs` moves are in `MoveRun` where possible.

    Names of properties are in capitals. Where a node has a property twice, it has the values of both; of one that is no
    list the first value counts. Game information of a single node before all variations moves to the root (FF[4]:
    game-info is usually there), unless the root has the same property. Any thread may call this; the record is not
    changed.
    """
    return _TreeBuilder(record).document(runs)


def game_name(record: Record) -> str | None:
    """Return GN of the root node, or None. Any thread may call this."""
    for key, text, _ in kept_texts(record, of_root=True):
        if short_name(key.decode("ascii", "replace")) == "GN":
            return first_simple_text(text, record.encoding)
    return None


def _name(key: bytes) -> tuple[str, bool]:
    """The name of a property, and whether it has a list of values."""
    name = short_name(key.decode("ascii", "replace"))
    known = PROPERTIES.get(name)
    return name, known is not None and known.is_list


def values_of(text: bytes, encoding: str, *, closed_only: bool = False) -> tuple[str, ...]:
    """Return the values of a property from its first bracket to after its last, which may lack where the text ends.

    They are as written between brackets; invalid bytes become U+FFFD. Thread safe.
    """
    inside = text[1:-1]
    if text.endswith(b"]") and b"]" not in inside and b"\\" not in inside:
        return (inside.decode(encoding, "replace"),)
    return tuple(
        _sound(value.decode(encoding, "replace"))
        for value, close in _VALUES[double_byte(encoding)].findall(text)
        if close == b"]" or not closed_only
    )


_named: Final = lru_cache(maxsize=512)(_name)
_SHORT_NAME: Final = 16


class _TreeBuilder:
    def __init__(self, record: Record) -> None:
        self._record = record
        self._source = record.source
        self._encoding = record.encoding
        self._size = record.width, record.height
        self._of_root: Properties | None = None  # not read yet
        self._of_steps: dict[int, Properties] = {}
        self._stones = stones_of(record)

    def document(self, runs: bool) -> Document:
        record = self._record
        self._read_steps()
        document = Document(*self._size, SIZE_FORMS[record.size_form], replaces=True)
        if any(not properties.keys().isdisjoint(_GAME_INFO) for properties in self._of_steps.values()):
            self._lift_info()
        trees = self._trees(self._runs() if runs else self._all_steps())
        if trees:
            document.tree = trees[0]
        document.fill_later(self._late, record if self._of_root is None else None)
        return document

    def _late(self, name: str) -> Info | Properties:
        properties = self._root()
        return info_from_properties(properties) if name == "info" else PropertyDict(properties)

    def _lift_info(self) -> None:
        """Move game information to the root from a single node that is on every line."""
        root = self._root()
        if len(self._record.trees) == 0 or not root.keys().isdisjoint(_GAME_INFO):
            return
        rows = [row for row, properties in self._of_steps.items() if not properties.keys().isdisjoint(_GAME_INFO)]
        if len(rows) != 1 or rows[0] >= int(self._record.trees["step_count"][0]):
            return
        properties = self._of_steps[rows[0]]
        for name in [name for name in properties if name in _GAME_INFO]:
            root[name] = properties.pop(name)

    def _root(self) -> Properties:
        """The properties of the root, read on first use."""
        if self._of_root is None:
            found: dict[int, Properties] = {0: {}}
            self._read_kept(found, of_root=True)
            self._of_root = found[0]
            for begin, end in self._record.pres["comment"].tolist():
                if begin >= 0:
                    self._add_comment(self._of_root, begin, end)
        return self._of_root

    def _read_steps(self) -> None:
        self._read_kept(self._of_steps, of_root=False)
        for row, begin, end in commented_rows(self._record):
            self._add_comment(self._of_steps.setdefault(row, {}), begin, end)

    def _read_kept(self, owners: dict[int, Properties], *, of_root: bool) -> None:
        more: dict[tuple[int, str], list[str]] = {}  # joined at the end: repeated concatenation would be quadratic
        for key, text, row in kept_texts(self._record, of_root=of_root):
            properties = owners.setdefault(row, {})
            name, is_list = _named(key) if len(key) < _SHORT_NAME else _name(key)
            if not name[:1].isalpha():
                continue  # a name without capitals is empty; the decoder has reported it
            values = values_of(text, self._encoding, closed_only=is_list)
            if name in _SETUPS:
                values = tuple(one for one in values if not points((one,), *self._size))
            if not values:
                continue
            if name not in properties:
                properties[name] = values
            else:
                more.setdefault((row, name), []).extend(values)
        for (row, name), later in more.items():
            owners[row][name] += tuple(later)

    def _add_comment(self, properties: Properties, begin: int, end: int) -> None:
        """Add a comment before later ones; one with several values is among the kept properties, whole."""
        value = _sound(self._source[begin:end].decode(self._encoding, "replace"))
        later = properties.get("C", ())
        if later[:1] != (value,):
            properties["C"] = (value, *later)

    def _trees(self, steps: Callable[[int, int], list[Step]]) -> list[Branch]:
        branches: list[Branch] = []
        for parent, first, count, pre in tree_rows(self._record):
            branch = Branch(steps=steps(first, first + count))
            branches.append(branch)
            if parent >= 0:
                branches[parent].branches.append(branch)
            elif pre >= 0:
                branch.pre = self._setup(pre)
        return branches

    def _setup(self, row: int) -> Setup | None:
        first, count = next(rows_of(self._record.pres[row : row + 1], "stones", "stone_count"))
        properties = self._root()
        stones = self._stones[first : first + max(count, 0)]
        setup = Setup(stones, None, marks(properties, *self._size), comment(properties), unchecked=True)
        return None if setup == Setup() else setup

    def _all_steps(self) -> Callable[[int, int], list[Step]]:
        steps, others = bare_steps(self._record, self._of_steps)
        for row, step in zip(others, self._steps(others), strict=True):
            steps[row] = step
        return lambda first, end: steps[first:end]

    def _runs(self) -> Callable[[int, int], list[Step]]:
        rows = self._record.steps
        joined = rows["joined"] != 0
        quiet = quiet_moves(rows, MOVE, *self._size) & ~joined
        quiet[:-1] &= ~joined[1:]
        quiet[list(self._of_steps)] = False
        return StepRows(rows, quiet, *self._size, self._steps).between

    def _steps(self, rows: Sequence[int]) -> list[Step]:
        """The steps of rows in their order, which have all rows of a node or none."""
        if not rows:
            return []
        table = self._record.steps
        if len(rows) < len(table):
            table = table[np.asarray(rows, dtype=np.intp)]
        values = self._record.details["value"].tolist()
        steps: list[Step] = []
        properties: Properties | None = None
        undecided = True  # the evaluation of a node is that of its first move
        columns = ("x", "y", "detail", "kind", "color", "joined")
        for row, (x, y, detail, kind, color, joined) in zip(rows, rows_of(table, *columns), strict=True):
            if kind == MOVE:
                step = Step(Move(color, None if x < 0 else (x, y)))
            else:
                step = Step(self._action(kind, x, y, values[detail] if detail >= 0 else _ABSENT))
            if joined:
                step.joined = True
                properties = self._root() if properties is None else properties
            else:
                properties = self._of_steps.get(row, _NOTHING)
                undecided = True
            if row in self._of_steps:
                properties = step.properties = PropertyDict(self._of_steps[row])
                step.comment = comment(properties)
                step.marks = marks(properties, *self._size)
            if undecided and properties and isinstance(step.action, Move):
                step.action.evaluation = evaluation(properties)
                undecided = False
            steps.append(step)
        return steps

    def _action(self, kind: int, x: int, y: int, value: tuple[int, int]) -> Action:
        if kind == SETUP:
            return Edit(self._stones[x : x + y])
        if kind == NOTE:
            return Note()
        text = self._source[slice(*value)]
        at = text.find(b"[")
        name = short_name(text[:at].decode("ascii", "replace"))
        values = values_of(text[at:], self._encoding, closed_only=True)
        # If the text ends in the first value, the move is unknown and stays open.
        rest = "".join(f"[{one}]" for one in values) or text[at:].decode(self._encoding, "replace")
        return Unreadable((name + rest).encode())


_ABSENT: Final = (0, 0)
_NOTHING: Final[Properties] = {}


def _sound(value: str) -> str:
    """A value that can be written between brackets, even if its encoding was wrong or the text ended in it."""
    if is_value(value):
        return value
    closed = _ESCAPE_OR_BRACKET.sub(lambda match: match[0] if len(match[0]) == 2 else r"\]", value)
    return closed if is_value(closed) else closed[:-1]


_ESCAPE_OR_BRACKET: Final = re.compile(r"\\.|\]", re.DOTALL)


# Values with their brackets; the last one may lack its own, where the text ended. In some encodings the second byte
# of a character may look like a bracket or a backslash; the last bracket is one, even after half a character.
_PAIRS: Final = (
    rb"",
    rb"[\x81-\xfe](?!\]\Z)[\x30-\x7e\x80-\xfe]|",
    rb"[\x81-\x9f\xe0-\xfc](?!\]\Z)[\x30-\x7e\x80-\xfe]|",
)
_VALUES: Final = [
    re.compile(
        rb"(?s)\[([^\\\]\x81-\xfe]*(?:(?:" + pair + rb"\\(?:" + pair + rb".)|[\x81-\xfe])[^\\\]\x81-\xfe]*)*)"
        rb"(\]|\\?\Z)"
    )
    for pair in _PAIRS
]
