"""Boards read from diagrams of letters and dots."""

from __future__ import annotations

import pickle
import random

import pytest
from helpers.cases import in_groups
from oracles.board import OracleBoard
from samples.random_play import WIDE_SIZES, random_point

import wei7core as w7
from wei7core.board import draw
from wei7core.board.drawing.terminal import terminal

ROWS = [[0, 1, 2, 0], [1, 0, 1, 2], [0, 1, 2, 0]]

WAYS = [
    ".XO.\nX.XO\n.XO.",
    "\n\n  . X O .\n  X + X O\n\n  . X O .\n",
    "  A B C D\n3 . X O . 3\n2 X .(X)O 2\n1 . X O . 1\n  A B C D\n",
    "3 .xo.\n2 x,xo\n1 .xo.\n  abcd",
    ".#o. 3\r\n#.#o 2\r\n.#o. 1\r\n",
    "+---------+\n| . @ O . |\n| @ . @ O |\n| . @ O . |\n+---------+",
    "3|.XO.|3\n2|X.XO|2\n1|.XO.|1",
    "\t·●○·\n\t●·●○\n\t·●○·\nmarks: 1 at A1",
    " -------\n.X(O).\nX . X O\n. X O .\n _______",
    "┌●○┐\n●┼●○\n└●○┘",
    "┏ ● ○ ┓\n● ╋ ●(○)\n┗ ● ○ ┛",
    "．●○．\n●＋●◯\n．●○・",
    "＋⚫️⚪️＋\n⚫️＋⚫️⚪️\n＋⚫️⚪️＋",
]


@in_groups("text", WAYS)
def test_ways_to_draw_a_board(text: str) -> None:
    board = w7.Board.from_text(text)
    assert board.to_array().tolist() == ROWS
    assert board.move_count == 0


SIZES = [(1, 1), (1, 5), (2, 1), (9, 9), (13, 19), (19, 19), (25, 25), (26, 3), (700, 1), (2, 120), *WIDE_SIZES]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_printed_is_read_back(width: int, height: int) -> None:
    chance = random.Random(f"{width} {height}")
    board, oracle = w7.Board(width, height), OracleBoard(width, height)
    for _ in range(12):
        for _ in range(width * height // 8 + 1):
            color, point = chance.randint(1, 2), random_point(chance, oracle)
            if point not in oracle.stones:
                board.play(color, point)
                oracle.play(color, point)
        assert w7.Board.from_text(str(board)) == board
        marked = draw.text(board.to_array(), last=(0, 0), marks=[((0, 0), "a")])
        assert w7.Board.from_text(marked) == board
        assert w7.Board.from_text(terminal(board.to_array(), last=(0, 0), colored=False)) == board
        bare = "\n".join("".join(".XO"[color] for color in row) for row in oracle.rows)
        assert w7.Board.from_text(bare) == board


@in_groups(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "no row of points"),
        ("\n  \n", 2, 1, "no row of points"),
        ("A B C\n", 1, 1, "no row of points"),
        ("..\n.?", 2, 2, r"'\?' is not a point"),
        ("..\n. 5 .", 2, 3, "'5' is not a point"),
        ("2 . .\n1 . . .", 2, 3, "this row has 3 points, the first one 2"),
        ("2 . .\n1 .", 2, 3, "this row has 1 point, the first one 2"),
        ("3 . .\n1 . .", 1, 1, "the row is number 2, not 3"),
        ("2 . . 2\n1 . . 7", 2, 7, "the row is number 1, not 7"),
        ("9" * 5000 + " . .", 1, 1, "the row is number 1, not 9"),
        (". .\n12", 2, 3, "this row has no points"),
        ("X.\nXQ", 2, 1, "neither points nor the names of 2 columns"),
        ("  A B D\n. . .", 1, 3, "neither points nor the names of 3 columns"),
        ("  B\n.", 1, 3, "neither points"),
        (". (X . .", 1, 3, r"'\(' is not a point"),
        (". X )  .", 1, 5, r"'\)' is not a point"),
        (".|.", 1, 2, r"'\|' is not a point"),
        ("X" + " " * 100_000 + "?", 1, 100_002, r"'\?' is not a point"),
    ],
)
def test_what_is_no_diagram_is_located(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(w7.DiagramError, match=message) as error:
        w7.Board.from_text(text)
    assert (error.value.line, error.value.column) == (line, column)
    assert str(error.value).startswith(f"line {line}, column {column}: ")
    assert "\n" not in str(error.value)
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.line, again.column) == (str(error.value), line, column)


def test_a_byte_order_mark_is_no_point() -> None:
    assert w7.Board.from_text("\ufeffX .\n. O") == w7.Board.from_text("X .\n. O")


def test_what_else_is_refused() -> None:
    with pytest.raises(w7.IllegalPositionError, match="without liberties"):
        w7.Board.from_text("XO\nOX")
    with pytest.raises(w7.BoardSizeError):
        w7.Board.from_text("...\n...", max_points=5)
    with pytest.raises(TypeError):
        w7.Board.from_text(b"...")  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(TypeError):
        w7.Board.from_text(None)  # type: ignore[arg-type]  # the test passes a wrong type
