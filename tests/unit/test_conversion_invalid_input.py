"""Games that programs have built and no format allows: what cannot be said is lost, and reported."""

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.record.document import (
    GameRules,
    Info,
    Mark,
    Move,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
)

MOVE = Move(1, (2, 2))


def losses_of(game, format):
    """The codes of what is lost; what is written can be read again."""
    lost = []
    data = w7.dumps(game, format=format, validate=False, losses=lost)
    assert w7.loads(data, strict=False).size == game.size
    return {one.code for one in lost}


def game_of(*steps, **info):
    game = w7.Game(19)
    game.tree.steps[:] = steps or [Step(MOVE)]
    game.document.info = Info(**info)
    return game


@in_groups(
    ("info", "format", "code"),
    [
        ({"rules": GameRules(None, None, "nonsense")}, "sgf", "scoring-unknown"),
        ({"rules": GameRules("stones")}, "sgf", "scoring-unknown"),
        ({"rules": GameRules("stones")}, "wei7-2.2", "scoring-unknown"),
        ({"result": Result(3)}, "sgf", "result-dropped"),
        ({"result": Result(3)}, "wei7-2.2", "result-dropped"),
        ({"players": [Player(5, 1)]}, "sgf", "player-dropped"),
        ({"players": [Player(-1, 1)]}, "sgf", "player-dropped"),
        ({"participants": [Participant("a")], "players": [Player(0, 7)]}, "sgf", "player-dropped"),
        ({"time": "9999-12-31T23:59:60Z"}, "wei7-2.2", "date-dropped"),
        ({"time": "yesterday"}, "wei7-2.2", "date-dropped"),
        ({"time": "yesterday"}, "sgf", "date-dropped"),
    ],
)
def test_information(info, format, code):
    assert code in losses_of(game_of(**info), format)


@pytest.mark.parametrize("format", ["sgf", "wei7-2.2", "giseong"])
def test_takebacks_of_more_than_there_is(format):
    found = losses_of(game_of(Step(MOVE), Step(Takeback(5)), Step(Move(2, (3, 3)))), format)
    assert "takeback-too-deep" in found


@pytest.mark.parametrize(
    ("format", "code"), [("sgf", "member-dropped"), ("giseong", "member-dropped"), ("wei7-2.2", "step-unreadable")]
)
def test_stones_of_the_start_where_no_board_is(format, code):
    game = game_of()
    game.tree.pre = Setup([Stone(1, (3, 3)), Stone(2, (20, 3)), Stone(1, (0, 19))])
    assert code in losses_of(game, format)


def test_marks_where_no_board_is():
    for format in ("wei7-2.2", "giseong"):
        found = losses_of(game_of(Step(MOVE, marks=[Mark((19, 0), "a"), Mark((0, 0), "b")])), format)
        assert "mark-dropped" in found
