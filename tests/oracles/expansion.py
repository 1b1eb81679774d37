"""The rows of an expansion, from the oracle that plays every move on a copy of its board."""

from __future__ import annotations

from typing import Any

from oracles import children as children_oracle
from oracles.board import EditedBoard, Point
from wei7core.rules import Rules, Verdict

Row = tuple[int, int, int, bool, int, int, int, int, bool]
"""parent, x, y, legal, reason, captured, lost, hash, self-atari"""


def rows(parent: int, board: EditedBoard, color: int, rules: Rules, ko: Point | None = None) -> list[Row]:
    """Return a row for each empty point.

    With superko in the rules the moves of the board are judged, else stones and the ko point alone.
    """
    found = children_oracle.children(board, color)
    if rules.ko.name in ("NONE", "SIMPLE"):
        reasons = [[bare_reason(found.lost[y][x], (x, y) == ko, rules) for x in range(board.width)]
                   for y in range(board.height)]  # fmt: skip
    else:
        (reasons,) = children_oracle.reasons(board, color, [rules])
    return [
        (
            parent, x, y, reasons[y][x] == 0, reasons[y][x], found.captured[y][x], found.lost[y][x], found.hash[y][x],
            found.self_atari[y][x],
        )
        for y in range(board.height) for x in range(board.width) if (x, y) not in board.stones
    ]  # fmt: skip


def bare_reason(lost: int, is_ko: bool, rules: Rules) -> int:
    if lost and not rules.suicide:
        return Verdict.SUICIDE.value
    return Verdict.KO_RECAPTURE.value if is_ko and rules.ko.name == "SIMPLE" else 0


def plain(table: Any) -> list[Row]:
    """Return the rows of a table as tuples of Python's own numbers."""
    return [tuple(row) for row in table]
