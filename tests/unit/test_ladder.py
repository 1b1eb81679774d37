"""Ladders that people know, in every position of the board and in both colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from helpers import diagrams
from helpers.cases import in_groups

from wei7core import BLACK, EMPTY, WHITE, Board, OffBoardError

CAPTURED, ESCAPES = True, False


@dataclass
class Case:
    """Black's block B, who moves first (None: as is the default), and how it ends."""

    name: str
    diagram: str
    first: int | None
    captured: bool
    moves: int | None = None
    """In the line, where there is no choice."""


CASES = [
    Case(
        "the classic ladder",
        """
        . . . . . . . . .
        . . O O . . . . .
        . O B . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
        CAPTURED,
        23,
    ),
    Case(
        "a ladder breaker on its way",
        """
        . . . . . . . . .
        . . O O . . . . .
        . O B . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
        ESCAPES,
    ),
    Case(
        "a stone of the attacker on its way does no harm",
        """
        . . . . . . . . .
        . . O O . . . . .
        . O B . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
        CAPTURED,
    ),
    Case(
        "stones of the ladder are captured on the way",
        """
        . . X X . . . . .
        . X O O X . . . .
        . O B . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
        ESCAPES,
    ),
    Case(
        "in atari, saved by capturing an adjacent stone",
        """
        . . O X . .
        . O B O X .
        . O . . . .
        . . O . . .
        """,
        None,
        ESCAPES,
    ),
    Case(
        "in atari at the edge: it runs along the first line in vain",
        """
        . . . . . . .
        . O O O O O .
        . O B . . . .
        """,
        None,
        CAPTURED,
    ),
    Case(
        "the edge, with adjacent friends",
        """
        . . . . . . . .
        . O O O X . . .
        . O B . X . . .
        """,
        None,
        ESCAPES,
    ),
    Case(
        "in atari and it is the attacker's move",
        """
        . O . .
        O B . .
        . O . .
        """,
        WHITE,
        CAPTURED,
        1,
    ),
    Case(
        "its owner saves it by moving first",
        """
        . . . . . . .
        . . O O . . .
        . O B . . . .
        . O . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        BLACK,
        ESCAPES,
    ),
    Case(
        "three liberties",
        """
        . O .
        . B .
        . . .
        """,
        None,
        ESCAPES,
        0,
    ),
    Case(
        "two liberties where every move of the attacker is suicide",
        """
        . B . X
        X X X X
        X O O O
        . O . .
        """,
        None,
        ESCAPES,
        0,
    ),
    Case(
        "snapback: to capture the stone that gives atari puts the block in atari again",
        """
        . B O . . O
        . B O O O O
        B B O . . .
        O O O . . .
        . . . . . .
        """,
        None,
        CAPTURED,
        3,
    ),
    Case(
        "nothing left to do: captured before the stone is taken",
        """
        B . O
        O O .
        . . .
        """,
        None,
        CAPTURED,
    ),
    Case(
        "one row",
        """
        . O B . . .
        """,
        None,
        CAPTURED,
        6,  # and not 2: the longest line that was read
    ),
]


def numbers(case: Case) -> np.ndarray:
    """Return the position of a case as numbers, 3 for the block that is asked about."""
    return np.array([[".XOB".find(cell) for cell in row] for row in diagrams.rows(case.diagram)])


@in_groups("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("swap", [False, True], ids=["as drawn", "colors swapped"])
@pytest.mark.parametrize("symmetry", range(8))
def test_ladder(case: Case, swap: bool, symmetry: int) -> None:
    cells = numbers(case)
    if symmetry & 4:
        cells = cells.T
    cells = cells[:: -1 if symmetry & 2 else 1, :: -1 if symmetry & 1 else 1]
    y, x = np.argwhere(cells == 3)[0].tolist()
    stones = np.where(cells == 3, 1, cells)
    first = case.first
    if swap:
        stones = (3 - stones) % 3
        first = None if first is None else 3 - first
    board = Board.from_array(stones)
    before = board.copy()
    ladder = board.ladder((x, y), first)
    assert ladder.captured is case.captured
    if case.moves is not None:
        assert len(ladder.line) == case.moves
    assert board == before
    assert board.move_count == 0
    for color, point in ladder.line:
        board.play(color, point)
    left = board.block((x, y))
    assert len(left.liberties) < 2 if case.captured else len(left.liberties) >= 2
    board._check()


def ko() -> Board:
    """Return a board where White has just taken a ko, and the stone that took it is in atari."""
    board = diagrams.board(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        """
    )
    assert board.play(WHITE, (1, 1)) == 1
    assert board.block((1, 1)).in_atari
    return board


def test_a_ko_is_not_taken_back_at_once() -> None:
    board = ko()
    assert board.ladder((1, 1), BLACK).captured is False
    board.play(BLACK, (4, 3))
    assert board.ladder((1, 1), BLACK) == (True, ((BLACK, (2, 1)),), 1)
    assert board.ladder((1, 1), WHITE).captured is False, "it connects"


def test_an_edit_ends_the_ko() -> None:
    board = ko()
    board.edit([(BLACK, (4, 3))])
    assert board.ladder((1, 1), BLACK).captured is True


def test_after_a_pass_the_ko_can_be_taken() -> None:
    board = ko()
    board.play(BLACK, None)
    assert board.ladder((1, 1), BLACK).captured is True


def test_a_block_that_an_edit_left_without_liberties_counts_as_captured() -> None:
    board = Board(2)
    board.edit([(BLACK, (0, 0)), (WHITE, (1, 0)), (WHITE, (0, 1))])
    for first in (None, BLACK, WHITE):
        assert board.ladder((0, 0), first) == (True, (), 0)


def test_the_limit_is_an_answer_of_its_own() -> None:
    board = Board(9)
    board.setup([(BLACK, (2, 2)), *[(WHITE, point) for point in [(2, 1), (1, 2), (1, 3), (3, 1)]]])
    nodes = board.ladder((2, 2)).nodes
    assert board.ladder((2, 2), max_nodes=nodes).captured is True
    for most in range(nodes):
        assert board.ladder((2, 2), max_nodes=most) == (None, (), most)


@pytest.mark.exhaustive
def test_a_ladder_across_the_largest_board() -> None:
    """Thousands of moves deep; long blocks use the limit up sooner than the moves alone would."""
    board = Board(1000)
    board.setup([(BLACK, (2, 2)), *[(WHITE, point) for point in [(2, 1), (1, 2), (1, 3), (3, 1)]]])
    ladder = board.ladder((2, 2))
    assert ladder.captured is True
    assert len(ladder.line) == ladder.nodes == 4 * 1000 - 13
    short = board.ladder((2, 2), max_nodes=4000)
    assert short.captured is None
    assert short.nodes < ladder.nodes


@in_groups(
    ("point", "first", "max_nodes", "error"),
    [
        ((0, 0), None, 10, ValueError),
        ((9, 0), None, 10, OffBoardError),
        ((1, 1), EMPTY, 10, ValueError),
        ((1, 1), True, 10, TypeError),
        ((1, 1), None, -1, ValueError),
        ((1, 1), None, 1.5, TypeError),
        (3, None, 10, TypeError),
    ],
)
def test_what_is_refused(point: object, first: object, max_nodes: object, error: type[Exception]) -> None:
    board = Board(9)
    board.play(BLACK, (1, 1))
    with pytest.raises(error):
        board.ladder(point, first, max_nodes=max_nodes)  # type: ignore[arg-type]  # the test passes a wrong type
