"""The positions that findings are about, also of findings in games that are not those where they were found."""

import pytest

import wei7core as w7
from wei7core.checking.finding import Finding
from wei7core.checking.moment import moment
from wei7core.document import Move, Step


def finding(code, *, branch=None, move_number=None, color=None, point=None):
    x, y = point or (None, None)
    return Finding(code, "error", "a.sgf", 0, None, branch, move_number, color, x, y, 0, 1, 1, "-", "")


def game_of(*moves):
    game = w7.Game(9)
    game.tree.steps[:] = [Step(Move(1 + number % 2, point)) for number, point in enumerate(moves)]
    return game


GAME = game_of((0, 0), (1, 1), None)


def test_the_position_before_a_move_and_what_the_last_one_was():
    shown = moment(GAME, finding("turn-order", move_number=3, color=1))
    assert shown.caption == "before move 3, Black pass; move 2 was White B8:"
    assert shown.board.move_count == 2 and shown.point is None
    shown = moment(GAME, finding("move-occupied", move_number=4, color=2, point=(1, 1)))
    assert shown.caption == "before move 4, White B8; move 3 was Black pass:"
    assert shown.point == (1, 1)
    shown = moment(GAME, finding("move-off-board", move_number=4, color=2, point=(20, 3)))
    assert "White at (20, 3)" in shown.caption and shown.point is None


def test_the_start_and_the_end():
    shown = moment(GAME, finding("komi-out-of-range"))
    assert shown.caption == "at the start:" and shown.board.move_count == 0
    shown = moment(GAME, finding("pass-early"))
    assert shown.caption == "after move 3:" and shown.board.move_count == 3


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (GAME, finding("move-occupied", branch="5.5", move_number=1)),
        (GAME, finding("move-occupied", branch="nonsense")),
        (GAME, finding("ko-recapture", move_number=9)),
        (GAME, finding("komi-out-of-range", branch="5")),
        (w7.Game(600), finding("pass-early")),
    ],
    ids=["no-branch", "no-path", "no-move", "no-start", "too-large"],
)
def test_there_may_be_none(game, found):
    assert moment(game, found) is None
