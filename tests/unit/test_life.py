"""Eyes and unconditional life, as people know them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from helpers import diagrams
from helpers.cases import in_groups

from wei7core import BLACK, EMPTY, WHITE, Board, OffBoardError, PassAlive, PointSet

# Black lives where its stones are B, with what is marked a (empty) or w (white); X, O and dots are not alive.
POSITIONS = {
    "two eyes in the corner": """
        a B a B .
        B B B B .
        . . . . .
        """,
    "one large eye is not enough": """
        . . . X .
        X X X X .
        . . . . .
        """,
    # The blocks share eyes, and every eye is false to him who looks at diagonals. Two vital regions each: the
    # condition of https://en.wikipedia.org/wiki/Life_and_death_(Go)#Benson's_definition_of_unconditional_life
    "blocks that share eyes and are not joined": """
        a B . .
        B a B .
        . B a B
        . . B a
        """,
    "eyes that need stones which can be taken": """
        . X . X O .
        X O X X O .
        O . O O . .
        """,
    "seki": """
        . X O X O .
        X X O X O O
        O O O X X X
        . . . . . .
        """,
    "stones of the opponent in an eye": """
        a B w w B .
        B B a B B .
        . B B B . .
        . . . . . .
        """,
    "an eye where the opponent has room is no eye": """
        . X . . . X
        X X . . . X
        X X X X X X
        . . . . . .
        . . . . . .
        """,
    "three eyes": """
        a B a B a
        B B B B B
        . . . . .
        . . . . .
        """,
    "one row": """
        a B a B a
        """,
    "one row with room at its end": """
        . X . X . .
        """,
    "a row of small regions is outside": """
        . . . . .
        B B B B B
        . . . . .
        """.replace(".", "a"),
    "nothing": """
        . . .
        . O .
        """,
}


@in_groups("name", POSITIONS)
@pytest.mark.parametrize("swap", [False, True], ids=["as drawn", "colors swapped"])
@pytest.mark.parametrize("symmetry", range(8))
def test_pass_alive(name: str, swap: bool, symmetry: int) -> None:
    text = POSITIONS[name]
    board = diagrams.board(text.replace("B", "X").replace("w", "O").replace("a", "."))
    if swap:
        board = Board.from_array((3 - board.to_array()) % 3)
    stones, territory = (mask(board, diagrams.named(text, letters), symmetry) for letters in ("B", "aw"))
    board = board.transformed(symmetry)
    alive = board.pass_alive(WHITE if swap else BLACK)
    assert isinstance(alive, PassAlive)
    assert isinstance(alive.stones, PointSet)
    assert (alive.stones, alive.territory) == (stones, territory)
    assert alive.stones.size == alive.territory.size == board.size


def mask(board: Board, points: set[tuple[int, int]], symmetry: int) -> PointSet:
    """Return points as they are on a turned board."""
    cells = np.zeros((board.height, board.width), dtype=bool)
    for x, y in points:
        cells[y, x] = True
    if symmetry & 4:
        cells = cells.T
    return PointSet.from_array(cells[:: -1 if symmetry & 2 else 1, :: -1 if symmetry & 1 else 1])


@in_groups(
    ("text", "eyes"),
    [
        ("a X . \n X X . \n . . .", "a"),  # the corner
        ("a X . \n X O . \n . . .", ""),  # its diagonal is the opponent's
        (". X a X . \n . X X X . \n . . . . .", "a"),  # the edge
        (". X . X . \n O O X . . \n . . . . .", ""),  # one diagonal there is too many
        (". . X . . \n . X a X . \n . . X O .", "a"),  # one diagonal is not, elsewhere
        (". O X . . \n . X . X . \n . . X O .", ""),  # two are
        (". . X . . \n . X a X . \n . . X . .", "a"),  # empty diagonals do not count
        ("X a X X X \n X X O . X \n a X X X X", "a"),  # one block all around: its diagonal does not matter
        ("X X X . \n X . X O \n O X O . \n . . . .", ""),  # two diagonals, and not one block
        ("a X . \n X . . \n a X .", "a"),  # a side of the middle is empty
        (".", ""),  # one point has no sides
        ("a X a", "a"),
    ],
)
def test_eyes(text: str, eyes: str) -> None:
    board = diagrams.board(text)
    points = [(x, y) for x in range(board.width) for y in range(board.height)]
    found = {point for point in points if board.is_eye(point, BLACK)}
    assert found == (diagrams.named(text, "a") if eyes else set())
    assert not any(board.is_eye(point, WHITE) for point in points)
    swapped = Board.from_array((3 - board.to_array()) % 3)
    assert {point for point in points if swapped.is_eye(point, WHITE)} == found


def test_a_block_is_followed_around_an_eye_over_a_wide_board() -> None:
    """The sides of the eye meet far away, on both sides of where rows are cut inside."""
    board = Board(60, 9)
    ring = {(x, y) for x in range(20, 36) for y in (0, 8)} | {(x, y) for x in (20, 35) for y in range(9)}
    arms = {(x, 4) for x in range(20, 36) if x != 28} | {(28, 3), (28, 2), (28, 1), (28, 5), (28, 6), (28, 7)}
    board.setup([(BLACK, point) for point in ring | arms])
    board.setup([(WHITE, point) for point in [(27, 3), (29, 3), (27, 5), (29, 5)]])
    assert board.is_eye((28, 4), BLACK)
    board.edit([(EMPTY, (31, 0))])
    assert board.is_eye((28, 4), BLACK), "joined around the other side"
    board.edit([(EMPTY, (24, 4))])
    assert not board.is_eye((28, 4), BLACK)


@in_groups(
    ("ask", "error"),
    [
        (lambda board: board.is_eye((5, 0), BLACK), OffBoardError),
        (lambda board: board.is_eye((0, -1), BLACK), OffBoardError),
        (lambda board: board.is_eye((0, 0), EMPTY), ValueError),
        (lambda board: board.is_eye(0, BLACK), TypeError),
        (lambda board: board.pass_alive(EMPTY), ValueError),
        (lambda board: board.pass_alive(None), TypeError),
    ],
)
def test_what_is_refused(ask: Callable[[Board], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        ask(Board(5))


def test_a_large_board_falls_in_one_go() -> None:
    """A thousand blocks along a diagonal, each of which lives by the adjacent ones."""
    cells = np.zeros((1000, 1000), dtype=np.uint8)
    steps = np.arange(999)
    cells[steps, steps + 1] = cells[steps + 1, steps] = BLACK
    board = Board.from_array(cells)
    alive = board.pass_alive(BLACK)
    assert len(alive.stones) == len(board.blocks()) == 2 * 999
    assert alive.territory == {(step, step) for step in range(1000)}
    board.edit([(BLACK, (0, 0))])
    assert board.pass_alive(BLACK) == (set(), set())
