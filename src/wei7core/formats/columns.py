"""The columns of a record as Python values, and the numbers in them, which are those of _record/record.h."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..document import Evaluation, SizeForm

UNREADABLE, MOVE, TAKEBACK, RESULT, MARK, MESSAGE, RAW, SETUP, NOTE = range(9)
"""Kinds of steps."""

OF_ROOT, OF_TREE, OF_PRE, OF_STEP, OF_ACTION, OF_VALUE, OF_STONE, OF_MARK = range(8)
"""Owners of kept members and properties."""

INSIDE: Final = (None, "point", "problem", "size")
"""The small objects in an owner that may hold them; None is the owner itself."""

EVALUATIONS: Final[tuple[Evaluation | None, ...]] = (None, "bad", "good", "trick", "controversial")
SIZE_FORMS: Final[tuple[SizeForm, ...]] = ("absent", "integer", "object")


def rows_of(table: Any, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows of a structured array as tuples of plain Python values of the named fields. Thread safe."""
    return zip(*(table[name].tolist() for name in names), strict=True)
