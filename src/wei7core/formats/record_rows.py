"""Rows of a record under construction by a decoder in Python, in the layout of C to save memory.

Trees may be found in any order; they are numbered anew at the end, each before its branches and the main line first,
which is the order of a walk.
"""

from __future__ import annotations

import struct
from array import array
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..record.record import dtype_of
from .record_columns import MOVE, OF_TREE

NO_SPAN: Final = (-1, -1)

_LAYOUTS: Final = {
    "steps": "=q2ii4B",
    "details": "=6qd3iB3x",
    "pres": "=3q4i3B5x",
    "stones": "=q2iB7x",
    "marks": "=q2iB7x",
    "kept": "=4qi2B2x",
    "problems": "=q2Hi",
}
_STRUCTS: Final = {name: struct.Struct(layout) for name, layout in _LAYOUTS.items()}
if any(layout.size != dtype_of(name).itemsize for name, layout in _STRUCTS.items()):
    raise ImportError("rows of records have another layout here")

_DIGITS: Final = slice(ord("0"), ord("9") + 1)
_IS_DIGIT: Final = np.zeros(256, np.int64)
_IS_DIGIT[_DIGITS] = 1
_NUMBERS: Final = np.zeros((ord("9") + 1, 128), np.int32)  # by a digit and the character after it
_NUMBERS[_DIGITS] = np.arange(10)[:, None]
_NUMBERS[_DIGITS, _DIGITS] = np.arange(100).reshape(10, 10)
_MOVE_FIELDS: Final = dtype_of("steps")


def move_rows(
    offsets: npt.NDArray[np.int64], x: npt.NDArray[np.int32], y: npt.NDArray[np.int32], colors: npt.NDArray[np.uint8]
) -> npt.NDArray[np.void]:
    """Return rows of `steps` for moves without other members. Thread safe."""
    rows = np.zeros(len(offsets), _MOVE_FIELDS)
    rows["offset"], rows["x"], rows["y"], rows["color"] = offsets, x, y, colors
    rows["detail"], rows["kind"] = -1, MOVE
    return rows


def numbers_at(
    text: npt.NDArray[np.uint8], at: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the numbers at `at`, each of one digit or two and not at the end, and their ends. Thread safe."""
    after = at + 1
    second = text[after]
    return _NUMBERS[text[at], second], after + _IS_DIGIT[second]


class RowTable:
    """One growing table. Its rows take the values of their fields in order, spans as two."""

    __slots__ = ("_data", "_layout", "count")

    def __init__(self, name: str) -> None:
        self._layout = _STRUCTS[name]
        self._data = bytearray()
        self.count = 0

    def add(self, *values: Any) -> int:
        """Append a row and return its number."""
        self._data += self._layout.pack(*values)
        self.count += 1
        return self.count - 1

    def extend(self, rows: npt.NDArray[np.void]) -> None:
        """Append rows in the layout of the table."""
        self._data += rows.tobytes()
        self.count += len(rows)

    def set(self, row: int, *values: Any) -> None:
        """Replace a row."""
        self._layout.pack_into(self._data, row * self._layout.size, *values)

    def drop_last(self) -> None:
        """Remove the last row."""
        del self._data[-self._layout.size :]
        self.count -= 1

    def array(self, name: str) -> npt.NDArray[np.void]:
        """Return the rows as an array over the same memory; none can be added while the array exists."""
        return np.frombuffer(self._data, dtype_of(name))


class Trees:
    """The trees of a record, in the order they are found: columns, and for each the numbers of its branches."""

    def __init__(self) -> None:
        self._offset, self._title, self._title_end = array("q"), array("q"), array("q")
        self._first_step, self._step_count, self._pre = array("i"), array("i"), array("i")
        self._branches: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._offset)

    def add(self, offset: int, first_step: int) -> int:
        """Append a tree and return its number; the first is the whole game, the others become branches of others."""
        for column, value in (
            (self._offset, offset),
            (self._title, -1),
            (self._title_end, -1),
            (self._first_step, first_step),
            (self._step_count, 0),
            (self._pre, -1),
        ):
            column.append(value)
        return len(self._offset) - 1

    def set_title(self, tree: int, begin: int, end: int) -> None:
        """Set the bytes of the title."""
        self._title[tree], self._title_end[tree] = begin, end

    def set_pre(self, tree: int, pre: int) -> None:
        """Set the row of `pres`."""
        self._pre[tree] = pre

    def end_steps(self, tree: int, end: int) -> None:
        """End the steps of the tree before row `end`."""
        self._step_count[tree] = end - self._first_step[tree]

    def set_branches(self, tree: int, branches: list[int]) -> None:
        """Set the branches of a tree, the main line first."""
        if branches:
            self._branches[tree] = branches

    def array(self) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
        """Return the rows in the order of a walk, and the row of each tree in it; -1 for one without a parent."""
        if len(self) == 1 and not self._branches:
            title = self._title[0], self._title_end[0]
            row = self._offset[0], title, -1, 0, -1, -1, -1, self._first_step[0], self._step_count[0], self._pre[0]
            return np.array([row], dtype_of("trees")), np.zeros(1, np.int64)
        order: list[int] = []
        new = [-1] * len(self)
        waiting = [0] if new else []
        while waiting:
            tree = waiting.pop()
            new[tree] = len(order)
            order.append(tree)
            waiting.extend(reversed(self._branches.get(tree, ())))
        size = len(order)
        parents, ordinals, counts = [-1] * size, [0] * size, [-1] * size
        first, following = [-1] * size, [-1] * size
        for tree, branches in self._branches.items():
            parent, last = new[tree], -1
            if parent < 0:
                continue  # it has no parent itself
            first[parent], counts[parent] = new[branches[0]], len(branches)
            for ordinal, branch in enumerate(branches):
                number = new[branch]
                parents[number], ordinals[number] = parent, ordinal
                if last >= 0:
                    following[last] = number
                last = number
        rows = np.zeros(size, dtype_of("trees"))
        for name, values in (
            ("parent", parents),
            ("ordinal", ordinals),
            ("first_branch", first),
            ("next_branch", following),
            ("branch_count", counts),
        ):
            rows[name] = values
        for name, column in (
            ("offset", self._offset),
            ("first_step", self._first_step),
            ("step_count", self._step_count),
            ("pre", self._pre),
        ):
            rows[name] = np.array(column)[order]
        rows["title"]["begin"], rows["title"]["end"] = np.array(self._title)[order], np.array(self._title_end)[order]
        return rows, np.array(new, np.int64)


class Rows:
    """All tables of one record."""

    def __init__(self) -> None:
        self.trees = Trees()
        self.steps, self.details, self.pres = RowTable("steps"), RowTable("details"), RowTable("pres")
        self.stones, self.marks = RowTable("stones"), RowTable("marks")
        self.kept, self.problems = RowTable("kept"), RowTable("problems")

    def tables(self) -> dict[str, npt.NDArray[np.void]]:
        """Return them in the form that `wei7core.record.make_record` takes."""
        tables: dict[str, npt.NDArray[np.void]] = {
            name: table.array(name) for name in _LAYOUTS if (table := getattr(self, name)).count
        }
        tables["trees"], new = self.trees.array()
        if "kept" in tables and len(new) > 1:
            kept = tables["kept"].copy()
            of_trees = kept["owner"] == OF_TREE
            kept["index"][of_trees] = new[kept["index"][of_trees]]
            tables["kept"] = kept
        return tables
