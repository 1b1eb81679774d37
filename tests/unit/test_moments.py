"""The positions that findings are about, also of findings in games that are not those where they were found."""

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.checking.finding import Finding
from wei7core.checking.finding_position import finding_position
from wei7core.coordinates import point_name
from wei7core.record.document import Branch, Move, Note, Step


def finding(code, *, branch=None, move_number=None, color=None, point=None):
    x, y = point or (None, None)
    return Finding(code, "error", "a.sgf", 0, None, branch, move_number, color, x, y, 0, 1, 1, "-", "")


def game_of(*moves):
    game = w7.Game(9)
    game.tree.steps[:] = [Step(Move(1 + number % 2, point)) for number, point in enumerate(moves)]
    return game


GAME = game_of((0, 0), (1, 1), None)


def test_the_position_before_a_move_and_what_the_last_one_was():
    shown = finding_position(GAME, finding("turn-order", move_number=3, color=1))
    assert shown.caption == "before move 3, Black pass; move 2 was White B8:"
    assert shown.board.move_count == 2 and shown.point is None
    shown = finding_position(GAME, finding("move-occupied", move_number=4, color=2, point=(1, 1)))
    assert shown.caption == "before move 4, White B8; move 3 was Black pass:"
    assert shown.point == (1, 1)
    shown = finding_position(GAME, finding("move-off-board", move_number=4, color=2, point=(20, 3)))
    assert "White at (20, 3)" in shown.caption and shown.point is None


def test_the_start_and_the_end():
    shown = finding_position(GAME, finding("komi-out-of-range"))
    assert shown.caption == "at the start:" and shown.board.move_count == 0
    shown = finding_position(GAME, finding("pass-early"))
    assert shown.caption == "after move 3:" and shown.board.move_count == 3


def test_points_on_the_edges_and_off_them():
    game = w7.Game((3, 2))
    for point, shown in (((0, 0), (0, 0)), ((2, 1), (2, 1)), ((3, 0), None), ((0, 2), None), ((-1, 1), None)):
        of_start, of_end = (
            finding_position(game, finding(code, point=point)) for code in ("komi-out-of-range", "pass-early")
        )
        assert (of_start.point, of_end.point) == (shown, shown)
        before = finding_position(game, finding("move-off-board", move_number=1, color=2, point=point))
        assert before.point == shown
        name = f"at {point}" if shown is None else point_name(point, 2)
        assert before.caption == f"before move 1, White {name}:"


def test_the_start_of_a_branch_below_others():
    game = game_of((0, 0))
    game.tree.branches += [Branch(), Branch()]
    game.tree.branches[1].branches += [Branch(), Branch()]
    game.tree.branches[1].play(2, (1, 1))
    game.tree.branches[1].branches[1].play(1, (2, 2))
    shown = finding_position(game, finding("komi-out-of-range", branch="1.1"))
    assert (shown.caption, shown.board.move_count) == ("at the start of branch 1.1:", 2)
    shown = finding_position(game, finding("komi-out-of-range", branch="1"))
    assert (shown.caption, shown.board.move_count) == ("at the start of branch 1:", 1)
    assert finding_position(game, finding("pass-early", branch="1.1")).caption == "after move 3:"


def test_after_a_takeback_several_moves_have_a_number():
    game = game_of((0, 0), (1, 1))
    game.tree.take_back()
    game.tree.play(2, (2, 2))
    game.tree.steps.append(Step(Note()))
    for point, stones in (((1, 1), 1), ((2, 2), 1)):
        shown = finding_position(game, finding("turn-order", move_number=2, color=2, point=point))
        assert (int((shown.board.to_array() > 0).sum()), shown.caption) == (
            stones, f"before move 2, White {point_name(point, 9)}; move 1 was Black A9:",
        )  # fmt: skip
    assert finding_position(game, finding("turn-order", move_number=2, color=2, point=(4, 4))) is None
    assert finding_position(game, finding("turn-order", move_number=2)).board.move_count == 1


@pytest.mark.parametrize("size", [(52, 52), (1, 2704)])
def test_the_largest_boards_that_are_drawn(size):
    assert finding_position(w7.Game(size), finding("pass-early")) is not None
    assert finding_position(w7.Game((size[0], size[1] + 1)), finding("pass-early")) is None


@in_groups(
    ("game", "found"),
    [
        (GAME, finding("move-occupied", branch="5.5", move_number=1)),
        (GAME, finding("move-occupied", branch="nonsense")),
        (GAME, finding("ko-recapture", move_number=9)),
        (GAME, finding("komi-out-of-range", branch="5")),
        (w7.Game(600), finding("pass-early")),
        (GAME, finding("syntax-error")),
        (GAME, finding("duplicate-game")),
    ],
    ids=["no-branch", "no-path", "no-move", "no-start", "too-large", "of-the-file", "between-games"],
)
def test_there_may_be_none(game, found):
    assert finding_position(game, found) is None
