"""Points as text of GTP, wherever a board takes a point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core import coordinates, rules
from wei7core.board.point_set import PointSet


def board() -> w7.Board:
    made = w7.Board(9)
    made.setup([(1, "C3"), (2, "d3")])
    return made


def test_text_is_the_same_as_the_pair() -> None:
    one, other = board(), w7.Board(9)
    other.setup([(1, (2, 6)), (2, (3, 6))])
    assert one == other
    assert one.play(1, "e5") == other.play(1, (4, 4)) == 0
    assert one.play(2, "pass") == other.play(2, None) == 0
    assert one.play(1, " PASS ") == 0
    assert one.last_move == (1, None)
    one.edit([(0, "E5"), (2, "J9")])
    assert one["E5"] == 0
    assert one["J9"] == one[8, 0] == 2
    assert one.block("C3") == {(2, 6)}
    assert one.liberties("D3") == one.liberties((3, 6))
    assert one.is_eye("A1", 1) == one.is_eye((0, 8), 1)
    assert one.ladder("C3") == one.ladder((2, 6))
    assert one.is_legal(1, "C3") is rules.Verdict.OCCUPIED
    assert one.is_legal(1, "K3") is rules.Verdict.OFF_BOARD
    assert one.is_legal(1, "pass")
    assert one.position()["J9"] == 2
    children = one.children(1)
    assert "A1" in children
    assert "C3" not in children
    assert children["A1"] == children[0, 8]
    assert "C3" in PointSet(["C3", (4, 4)], 9)
    assert "K3" not in PointSet(["C3"], 9)
    assert w7.Position(9, 9, one.position().packed, 1, "A1").ko == (0, 8)


@in_groups(
    ("use", "kind", "words"),
    [
        (lambda it: it.play(1, "K4"), w7.IllegalMoveError, "move 1: black at 'K4': the point is off the 9 x 9 board"),
        (lambda it: it.play(1, "C3"), w7.IllegalMoveError, "black at 'C3': the point is occupied"),
        (lambda it: it["A10"], w7.OffBoardError, "the point 'A10' is off the 9 x 9 board"),
        (lambda it: it["dd"], ValueError, "'dd'"),
        (lambda it: it.play(1, "resign"), ValueError, "'resign'"),
        (lambda it: it["pass"], ValueError, "pass"),
        (lambda it: it["I5"], ValueError, "letters without I"),
        (lambda it: it[5], TypeError, r'pair \(x, y\) of integers or text as "D4", not 5'),
        (lambda it: it[1.5, 2], TypeError, "expected an integer, not 1.5"),
        (lambda it: it.svg(last=5), TypeError, r'pair \(x, y\) of integers or text as "D4", not 5'),
        (lambda it: it.setup([(1, "A10")]), w7.IllegalPositionError, "the point 'A10' is off the 9 x 9 board"),
        (lambda it: it.setup([(1, (9, 0))]), w7.IllegalPositionError, r"the point \(9, 0\) is off the 9 x 9 board"),
        (lambda it: it.ladder("A1"), ValueError, "no stone at 'A1'"),
        (lambda it: it[1, 2, 3], ValueError, r"not \(1, 2, 3\)"),
        (lambda it: it.edit([(1, "Z99")]), w7.OffBoardError, "the point 'Z99' is off the 9 x 9 board"),
        (lambda it: it.children(1)["K9"], w7.OffBoardError, "the point 'K9' is off the 9 x 9 board"),
        (lambda it: PointSet(["K9"], 9), w7.OffBoardError, "the point 'K9' is off the 9 x 9 board"),
    ],
)
def test_what_is_no_point(use: Callable[[w7.Board], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        use(board())


@in_groups(
    "use",
    [
        lambda: coordinates.from_gtp(5, 9, 9),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: coordinates.from_sgf(None, 9, 9),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: coordinates.to_gtp("D4", 9, 9),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: coordinates.to_sgf((1.5, 2), 9, 9),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: coordinates.to_gtp((1, 2, 3), 9, 9),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: w7.Limits(max_bytes="3"),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: w7.Limits(max_steps=1.5),  # type: ignore[arg-type]  # the test passes a wrong type
        lambda: w7.Limits(max_depth=None),  # type: ignore[arg-type]  # the test passes a wrong type
    ],
)
def test_wrong_types_are_type_errors(use: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        use()


def test_names_of_rules_in_any_case() -> None:
    assert rules.named("AGA") is rules.AGA
    assert rules.named("Tromp Taylor") is rules.TROMP_TAYLOR
    assert rules.named("New_Zealand") is rules.NEW_ZEALAND
    assert w7.Board(9).is_legal(1, "A1", "Chinese")
    with pytest.raises(ValueError, match="unknown rule set 'Chess'"):
        rules.named("Chess")


@pytest.mark.parametrize("name", ["new-zealand", "ing"])
def test_pass_alive_is_refused_where_suicide_is_legal(name: str) -> None:
    """Black's corner seems alive, but White captures by A1 B2 A1 C1 where it may take its own stones off."""
    corner = w7.Board.from_text("...X\nXX..\nOXXX\nOOX.\n.X.X")
    with pytest.raises(ValueError, match="allow suicide"):
        w7.score(corner, name, pass_alive=True)
    assert w7.score(corner, "japanese", pass_alive=True).winner == 1


def test_dead_stones_by_name() -> None:
    made = w7.Board.from_text("XXX\nXO.\nXXX")
    assert w7.score(made, "chinese", dead=["B2"]) == w7.score(made, "chinese", dead=[(1, 1)])
    with pytest.raises(ValueError, match="pass"):
        w7.score(made, "chinese", dead=["pass"])


# --- other systems than that of GTP ---------------------------------------------------------------------


@in_groups("system", coordinates.SYSTEMS)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (9, 9), (19, 19), (13, 5), (26, 3), (27, 52)])
def test_every_point_is_read_back_in_every_system(width: int, height: int, system: str) -> None:
    points: list[tuple[int, int] | None] = [(x, y) for x in range(width) for y in range(height)]
    points.append(None)
    names = [coordinates.to_text(point, width, height, system) for point in points]
    assert len(set(names)) == len(points)
    assert [coordinates.from_text(name, width, height, system) for name in names] == points


def test_names_in_each_system() -> None:
    point = (3, 15)
    assert [coordinates.to_text(point, 19, 19, system) for system in coordinates.SYSTEMS] == ["D4", "dp", "3,15"]
    assert [coordinates.to_text(None, 19, 19, system) for system in coordinates.SYSTEMS] == ["pass", "", "pass"]
    assert coordinates.from_text(" (3, 15) ", 19, 19, "xy") == point
    for system in coordinates.SYSTEMS:
        assert coordinates.from_text("Pass", 19, 19, system) is None
    assert coordinates.from_text("tt", 19, 19, "sgf") is None
    assert coordinates.from_text("tt", 20, 20, "sgf") == (19, 19)


@pytest.mark.parametrize(("system", "corner", "middle"), [("sgf", "ai", "ee"), ("xy", "0,8", "4,4")])
def test_a_board_reads_names_of_every_system(system: str, corner: str, middle: str) -> None:
    one, other = w7.Board(9), w7.Board(9)
    one.setup([(1, corner), (2, (1, 8))], system=system)
    other.setup([(1, "A1"), (2, "B1")])
    assert one == other
    assert one.play(1, middle, system=system) == other.play(1, "E5") == 0
    assert one.move("pass", system=system) == one.move(None, system=system) == 0
    assert one.is_legal(1, middle, system=system) is rules.Verdict.OCCUPIED
    assert one.block(middle, system=system) == one.block("E5")
    assert one.liberties(middle, system=system) == one.liberties("E5")
    assert one.neighbours(corner, system=system) == one.neighbours("A1")
    assert one.ladder(corner, system=system) == one.ladder("A1")
    assert one.is_eye(corner, 1, system=system) is False
    one.edit([(0, corner), (2, middle)], system=system)
    assert (one["A1"], one["E5"]) == (0, 2)


@in_groups(
    ("use", "kind", "words"),
    [
        (lambda it: it.play(1, "D4", system="sgf"), ValueError, "two letters, as \"dd\", not 'D4'"),
        (lambda it: it.play(1, "dd"), ValueError, "not 'dd'; names of SGF need system=\"sgf\""),
        (lambda it: it.play(1, "zz", system="sgf"), w7.IllegalMoveError, "black at 'zz': the point is off the 9 x 9"),
        (lambda it: it.play(1, "9,9", system="xy"), w7.IllegalMoveError, "black at '9,9': the point is off the 9 x 9"),
        (lambda it: it.play(1, "D4", system="xy"), ValueError, 'x and y, as "3,15", or "pass", not \'D4\''),
        (lambda it: it.play(1, "-1,4", system="xy"), ValueError, "not '-1,4'"),
        (
            lambda it: it.play(1, "D4", system="algebra"),
            ValueError,
            "'algebra' is not known; it is one of gtp, sgf, xy",
        ),
        (lambda it: it.play(1, (3, 3), system="algebra"), ValueError, "'algebra' is not known"),
        (lambda it: it.block("", system="sgf"), ValueError, "a pass is no point"),
        (lambda it: it.block("zz", system="sgf"), w7.OffBoardError, "the point 'zz' is off the 9 x 9 board"),
        (lambda it: it.edit([(1, "jj")], system="sgf"), w7.OffBoardError, "the point 'jj' is off the 9 x 9 board"),
    ],
)
def test_what_is_no_point_of_a_system(use: Callable[[w7.Board], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        use(board())
    assert board().move_count == 0


def test_nodes_cursors_and_games_read_names_of_every_system() -> None:
    game = w7.Game(9)
    node = game.root.play("dd", system="sgf")
    assert node.move == (1, (3, 3))
    assert node.play("4,4", system="xy").move == (2, (4, 4))
    assert node.add_variation("ff gg tt", system="sgf").move == (2, (5, 5))
    cursor = game.cursor()
    assert cursor.play("dd", system="sgf") == node
    assert cursor.play(("W", "aa"), system="sgf").move == (2, (0, 0))
    assert game.add_line(["dd", "ff", None], system="sgf").move == (1, None)
    with pytest.raises(ValueError, match="names of SGF need system"):
        game.root.play("dd")
    with pytest.raises(w7.OffBoardError, match="'zz' is off the 9 x 9 board"):
        game.root.play("zz", system="sgf")
    with pytest.raises(ValueError, match="'algebra' is not known"):
        game.root.add_variation("D4", system="algebra")


def test_answers_to_problems_are_read_in_every_system() -> None:
    game = w7.loads(b"(;SZ[9]AB[dd]AW[ee]PL[B];B[cc];W[ff];B[gg])")
    attempt = w7.Attempt(game)
    assert attempt.play("cc", system="sgf").reply == (5, 5)
    assert attempt.play("6,6", system="xy").verdict == "right"
