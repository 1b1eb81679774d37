"""Named positions as pictures, in `tests/positions`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import in_groups
from oracles.board import OracleBoard

from wei7core.board.board import Board

FOLDER = Path(__file__).resolve().parent.parent / "positions"
COLORS = {".": 0, "X": 1, "O": 2}


@dataclass
class Case:
    """A position, moves as (color, point, stones removed), and the position they lead to."""

    name: str
    before: list[list[int]] = field(default_factory=list)
    moves: list[tuple[int, tuple[int, int], int]] = field(default_factory=list)
    after: list[list[int]] = field(default_factory=list)


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = []
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        case = Case(f"{path.stem}: {lines[0]}")
        for line in lines[1:]:
            words = line.split()
            if not line.startswith(" "):
                color, x, y, takes, removed = words
                assert takes == "takes", line
                case.moves.append((COLORS[color], (int(x), int(y)), int(removed)))
            else:
                (case.after if case.moves else case.before).append([COLORS[word] for word in words])
        cases.append(case)
    return cases


CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


@in_groups("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("swap", [False, True], ids=["as drawn", "colors swapped"])
@pytest.mark.parametrize("symmetry", range(8))
def test_position(case: Case, swap: bool, symmetry: int) -> None:
    """Every case holds for both colours and however the board is turned."""
    before, after = np.array(case.before), np.array(case.after)
    if swap:
        before, after = (3 - before) % 3, (3 - after) % 3
    board = Board.from_array(before).transformed(symmetry)
    start = board.copy()
    for color, (x, y), removed in case.moves:
        there = OracleBoard(before.shape[1], before.shape[0])
        there.stones = {(x, y): 1}
        (point,) = there.transformed(symmetry).stones
        assert board.play(3 - color if swap else color, point) == removed
        board._check()
    assert board == Board.from_array(after).transformed(symmetry)
    board.undo(len(case.moves))
    assert board == start
    assert board.hash == start.hash


def test_all_files_are_read() -> None:
    assert {case.name.split(":")[0] for case in CASES} == {"captures", "ko", "suicide"}
    assert len({case.name for case in CASES}) == len(CASES) >= 20
