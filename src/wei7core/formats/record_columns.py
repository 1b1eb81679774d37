"""The columns of a record as Python values, and the constants of record/record.h."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ..record.document import Evaluation, Extra, Mark, SizeForm, Stone
from ..record.record import stone_rows

if TYPE_CHECKING:
    from ..record.record import Record

Kept = dict[int, dict[int, Extra]]
"""Kept members and properties, by the kind and the row of their owner."""

UNREADABLE, MOVE, TAKEBACK, RESULT, MARK, MESSAGE, RAW, SETUP, NOTE = range(9)
"""Kinds of steps."""

OF_ROOT, OF_TREE, OF_PRE, OF_STEP, OF_ACTION, OF_VALUE, OF_STONE, OF_MARK = range(8)
"""Owners of kept members and properties."""

EMBEDDED_IN: Final = (None, "point", "problem", "size")
"""The small objects in an owner that may hold them; None is the owner itself."""

EVALUATIONS: Final[tuple[Evaluation | None, ...]] = (None, "bad", "good", "trick", "controversial")
SIZE_FORMS: Final[tuple[SizeForm, ...]] = ("absent", "integer", "object")


def rows_of(table: Any, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows of a structured array as tuples of plain Python values of the named fields. Thread safe."""
    return zip(*(table[name].tolist() for name in names), strict=True)


def marks_and_stones(record: Record, kept: Kept) -> tuple[list[Mark], list[Stone]]:
    """Return the marks and the stones of a record by their rows, with their `kept` members. Thread safe."""
    marks = [Mark((x, y), chr(symbol)) for x, y, symbol in rows_of(record.marks, "x", "y", "symbol")]
    stones = stones_of(record)
    for row, extra in kept[OF_MARK].items():
        marks[row].extra = extra
    for row, extra in kept[OF_STONE].items():
        stones[row].extra = extra
    return marks, stones


def stones_of(record: Record) -> list[Stone]:
    """Return the stones of a record by their rows. Thread safe."""
    return [Stone(color, (x, y)) for x, y, color in stone_rows(record)]
