"""Boards as programs print them, and diagrams of Sensei's Library. The texts were written for these tests."""

from __future__ import annotations

import random

import pytest
from helpers.cases import in_groups

import wei7core as w7

ROWS = [[0, 0, 0, 0, 0], [0, 1, 2, 0, 2], [0, 0, 1, 0, 0], [1, 0, 0, 2, 1]]

PACHI = """\
Move:   7  Komi: 7.5  Handicap: 0  Captures B: 0 W: 0  KO: C3
      A B C D E
    +-----------+
  4 | . . . . . |
  3 | . X O). O |
  2 | . . X . . |
  1 | X . . O X |
    +-----------+
"""
PACHI_OWNERS = """\
Move:   7  Komi: 7.5  Handicap: 0  Captures B: 0 W: 0  KO: C3
      A B C D E        A B C D E
    +-----------+    +-----------+
  4 | . . . . . |  4 | , x : o O |
  3 | . X O). O |  3 | X X : o O |
  2 | . . X . . |  2 | X X x : , |
  1 | X . . O X |  1 | X x , : : |
    +-----------+    +-----------+
"""
GNU_GO = """\
    White (O) has captured 0 pieces
    Black (X) has captured 1 pieces

   A B C D E
 4 . . . . . 4
 3 . X O . O 3
 2 . . X + . 2     WHITE (O) has captured 0 stones
 1 X . . O X 1     BLACK (X) has captured 1 stones
   A B C D E
"""
KATAGO = """\
MoveNum: 7 HASH: 7CFE4A1D9A4A3D5B0B1D64D9D28EEBD7
   A B C D E
 4 . . . . .
 3 . X1O2. O
 2 . . X . .1
 1 X . . O X3
Next player: White
Rules: {"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0"}
B stones captured: 1
W stones captured: 0
"""
SENSEI = """\
$$Wcm12 A title, with . X and O in it
$$  -----------
$$ | . , a . . |
$$ | C X 1 . W |
$$ | S T 2 M z |
$$ | # . . @ Y |
$$  -----------
$$ {AR B4 C3}
$$ [a|SomePage]
"""
SENSEI_SHORT = """\
  $$ Black to play
  $$ .....
  $$ .4O.3
  $$ ..B..
  $$ 0..Q6
"""
SENSEI_BARE = """\
$$ +---
$$ |.....
$$ |.Z3.P
$$ |..0..
$$ |4..5X
"""


@pytest.mark.parametrize("text", [PACHI, PACHI_OWNERS, GNU_GO, KATAGO, SENSEI])
def test_boards_of_programs(text: str) -> None:
    assert w7.Board.from_text(text).to_array().tolist() == ROWS
    assert w7.Board.from_text(text.replace("\n", "\r\n")).to_array().tolist() == ROWS
    assert w7.Board.from_text("\n\n" + text.rstrip()).to_array().tolist() == ROWS


def test_who_begins_in_a_diagram_of_senseis_library() -> None:
    flipped = [[0, 0, 0, 0, 0], [0, 2, 2, 0, 1], [0, 0, 1, 0, 0], [2, 0, 0, 2, 2]]
    assert w7.Board.from_text(SENSEI_SHORT).to_array().tolist() == flipped
    bare = [[0, 0, 0, 0, 0], [0, 1, 1, 0, 2], [0, 0, 2, 0, 0], [2, 0, 0, 1, 1]]
    assert w7.Board.from_text(SENSEI_BARE).to_array().tolist() == bare
    white = SENSEI_BARE.replace("$$ +---", "$$W\n$$ +---")
    assert w7.Board.from_text(white)["C3"] == w7.WHITE
    assert w7.Board.from_text(white)["A1"] == w7.BLACK


@in_groups(
    ("text", "line", "column", "words"),
    [
        (". X)) .", 1, 5, r"'\)' is not a point"),
        (". ) X .", 1, 3, r"'\)' is not a point"),
        (". X4. .", 1, 4, "'4' is not a point"),
        ("Move: X\n. .", 1, 1, "'M' is not a point|neither points"),
        (" 1 | X . |  2 | X . |", 1, 10, r"'\|' is not a point"),
        ("Next player\n. .", 1, 1, "neither points|no point"),
        ("$$ a title\n$$ . .\n$$ . _", 3, 6, "'_' is not a point"),
        ("$$ a title\n$$ . .\n. .", 3, 1, r"the line has no \$\$"),
        ("$$ a title", 1, 1, "no row of points"),
    ],
)
def test_what_no_program_prints_is_located(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(w7.DiagramError, match=words) as error:
        w7.Board.from_text(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_a_mark_of_the_last_move_leaves_the_numbers_of_rows() -> None:
    """A digit at the end of a row without a number at its beginning is the number of the row."""
    board = w7.Board.from_text(".XO2\nX..1")
    assert board.to_array().tolist() == [[0, 1, 2], [1, 0, 0]]
    with pytest.raises(w7.DiagramError, match="the row is number 2, not 3"):
        w7.Board.from_text(".XO3\nX..1")


NAMES = "ABCDEFGHJKLMNOPQRST"


def as_program(chance: random.Random, rows: list[list[int]], program: str) -> str:
    """What a program prints of a board, with marks of last moves in any places."""
    height, width = len(rows), len(rows[0])
    names = "   " + "".join(" " + name for name in NAMES[:width])
    if program == "pachi with owners":
        names = 2 * f"      {' '.join(NAMES[:width])}  "
    if program == "sensei":
        letters = {0: ".,CSTMabxoz", 1: "XB#YZ13579", 2: "OW@QP24680"}
        lines = ["$$ " + " ".join(chance.choice(letters[cell]) for cell in row) for row in rows]
        return "\n".join(["$$c Some title", *lines])
    lines = []
    for y, row in enumerate(rows):
        letters = [".XO"[cell] for cell in row]
        gaps = [chance.choice(" )" if "pachi" in program else " 123") for _ in row]
        if "pachi" in program:
            lines.append(f"{height - y:3} | " + "".join(map("".join, zip(letters, gaps, strict=True))) + "|")
            if program == "pachi with owners":
                owners = chance.choices(":XxOo,", k=width)
                lines[-1] += f" {height - y:2} | " + "".join(owner + " " for owner in owners) + "|"
        elif program == "katago":
            lines.append(f"{height - y:2} " + "".join(map("".join, zip(letters, gaps, strict=True))).rstrip())
        else:
            captures = "     WHITE (O) has captured 1 stone" if y == 0 else ""
            lines.append(f"{height - y:2} " + " ".join(letters) + f" {height - y}" + captures)
    return "\n".join([names, *lines, *([names] if program == "gnugo" else [])])


@pytest.mark.parametrize("program", ["pachi", "pachi with owners", "katago", "gnugo", "sensei"])
def test_random_boards_of_programs(program: str) -> None:
    chance = random.Random(program)
    for _ in range(60):
        board = w7.Board(chance.randint(2, 19), chance.randint(1, 19))
        for _ in range(chance.randint(0, 40)):
            point = chance.randrange(board.width), chance.randrange(board.height)
            if board[point] == w7.EMPTY:
                board.move(point)
        text = as_program(chance, board.to_array().tolist(), program)
        assert w7.Board.from_text(text) == board, text
