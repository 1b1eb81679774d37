"""What every move of one colour does, found by copying the oracle's board and playing each."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracles.board import EditedBoard
from oracles.rules import verdicts
from wei7core.rules import Rules, Verdict

CODES = {verdict.reason: verdict.value for verdict in Verdict}


@dataclass
class Expected:
    """The columns of `Children`, row by row."""

    hash: list[list[int]] = field(default_factory=list)
    captured: list[list[int]] = field(default_factory=list)
    lost: list[list[int]] = field(default_factory=list)
    self_atari: list[list[bool]] = field(default_factory=list)


def children(board: EditedBoard, color: int) -> Expected:
    expected = Expected()
    for y in range(board.height):
        rows: list[tuple[int, int, int, bool]] = []
        for x in range(board.width):
            if (x, y) in board.stones:
                rows.append((0, 0, 0, False))
                continue
            after = board.child(color, (x, y))
            captured = after.captured[3 - color] - board.captured[3 - color]
            lost = after.captured[color] - board.captured[color]
            rows.append((after.hash, captured, lost, len(after.liberties((x, y))) == 1))
        for column, values in zip(
            (expected.hash, expected.captured, expected.lost, expected.self_atari), zip(*rows, strict=True), strict=True
        ):
            column.append(list(values))
    return expected


def reasons(board: EditedBoard, color: int, rules: list[Rules]) -> list[list[list[int]]]:
    """Return the codes of the verdicts, for each rule set row by row."""
    rows = [
        [verdicts(board, color, (x, y), rules) for x in range(board.width)] for y in range(board.height)
    ]  # fmt: skip
    return [[[CODES[found[index]] for found in row] for row in rows] for index in range(len(rules))]
