"""A finding of a check: one row, with its place in the text and in the game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

FindingSeverity = Literal["info", "warning", "error"]

SEVERITIES: Final[tuple[FindingSeverity, ...]] = ("info", "warning", "error")
"""From the lowest to the highest."""

_NO_EVIDENCE: Final[Mapping[str, Any]] = MappingProxyType({})


class Finding(NamedTuple):
    """One finding of a check, at one place of one record.

    `code` is one of `wei7core.checking.codes.CODES`. `record` counts from 0 inside `source`; `id` is the id of the
    record. `branch` is the path of the branch as ordinals like `0.1`, `-` for the root, None without a branch;
    `move_number` is that of the move, from 1, among the moves in force on its line; `color` is 1 or 2; `x` and `y`
    count from 0 at the top left. `offset`, `line`, `column` and `path` are a place in the source as those of
    `wei7core.errors.Problem`. `evidence` contains the found and the expected values, as JSON values.
    """

    code: str
    severity: FindingSeverity
    source: str
    record: int
    id: str | None
    branch: str | None
    move_number: int | None
    color: int | None
    x: int | None
    y: int | None
    offset: int
    line: int
    column: int
    path: str
    message: str
    evidence: Mapping[str, Any] = _NO_EVIDENCE

    @property
    def point(self) -> tuple[int, int] | None:
        """(x, y), or None without a point."""
        return None if self.x is None or self.y is None else (self.x, self.y)
