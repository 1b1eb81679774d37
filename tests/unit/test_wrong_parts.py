"""Parts of the tree of a document that are of a wrong type or at a wrong place: each is named by what uses it."""

from functools import partial

import pytest
from helpers.cases import in_groups

from wei7core.game.dump import convert, dumps
from wei7core.game.game import Game
from wei7core.game.load import loads
from wei7core.game.merge import merge
from wei7core.record.document import Edit, Mark, MarkAction, Message, Move, Note, Setup, Step, Stone
from wei7core.record.result import GameResult
from wei7core.rules import JAPANESE


def walked(game):
    return list(game.walk())


@in_groups(
    ("wrong", "text"),
    [
        (5, "steps are Step objects, not 5"),
        (None, "steps are Step objects, not None"),
        (Move(1, (2, 2)), "steps are Step objects, not Move"),
        (Step(None), "the action of a step is a Move or another action, not None"),
        (Step(5, comment="x"), "the action of a step is a Move or another action, not 5"),
    ],
)
def test_objects_that_are_no_steps_are_named(wrong, text):
    for format in ("sgf", "wei7"):
        game = convert(loads(b"(;SZ[9];B[aa](;W[bb])(;W[cc]))"), format)
        game.tree.branches[1].steps.append(wrong)
        for act in (walked, Game.check, partial(dumps, format=format)):
            with pytest.raises(TypeError, match=text):
                act(game)


def test_other_wrong_parts_of_a_tree_are_named():
    for wrong in (None, 5, "x"):
        game = loads(b"(;SZ[9];B[aa](;W[bb])(;W[cc]))")
        game.tree.branches.append(wrong)
        for act in (walked, Game.check, dumps):
            with pytest.raises(TypeError, match=f"branches are Branch objects, not {wrong!r}"):
                act(game)
    game = loads(b"(;SZ[9];B[aa])")
    game.tree.steps[0].comment = 5
    for act in (Game.check, dumps):
        with pytest.raises(TypeError, match="the comment of a step is a text, not 5"):
            act(game)


@pytest.mark.parametrize("format", ["sgf", "wei7", "wei7-2.2"])
def test_texts_and_marks_of_another_type_are_named(format):
    game = loads(b"(;SZ[9];B[aa];W[bb])")
    for wrong, text in (
        (Step(Message(None)), "a message is a text, not None"),
        (Step(Note(), marks=[None]), r"marks are Mark objects, not \[None\]"),
        (Step(Note(), marks=[Mark("E5", "A")]), r"a point is \(x, y\) from the upper left here, not 'E5'"),
    ):
        game.tree.steps.append(wrong)
        with pytest.raises(TypeError, match=text):
            dumps(game, format=format, losses=[])
        game.tree.steps.pop()
    for pre in (Setup(stones=[Stone(1, "E5")]), Setup(marks=[Mark("E5", "A")])):
        game.tree.pre = pre
        with pytest.raises(TypeError, match=r"a point is .* not 'E5': only a board has the size that its name needs"):
            dumps(game, format=format, losses=[])
    game.tree.pre = None
    game.tree.title = 5
    with pytest.raises(TypeError, match="the title of a branch is a text, not 5"):
        dumps(game, format=format, losses=[])


@pytest.mark.parametrize(
    "act",
    [*(partial(dumps, format=format, losses=[]) for format in ("sgf", "wei7", "wei7-2.2", "giseong")), Game.check,
     lambda game: game.transformed(1), lambda game: merge([game])],
)  # fmt: skip
def test_points_as_texts_are_named_in_all_parts_of_a_tree(act):
    for action in (Move(1, "E5"), Move(2, "E5", "good"), MarkAction("E5", "A"), Edit([Stone(0, "E5")])):
        game = Game(19)
        game.tree.steps.append(Step(action))
        with pytest.raises(TypeError, match=r"a point is .* not 'E5': only a board has the size that its name needs"):
            act(game)


@in_groups(
    ("name", "wrong", "text"),
    [
        ("result", "B+R", r"info.result takes Result objects, not 'B\+R' \(`Game.set` takes text\)"),
        ("result", GameResult.parse("B+R"), "info.result takes Result objects, not GameResult"),
        ("rules", "japanese", "info.rules takes GameRules objects, not 'japanese'"),
        ("rules", JAPANESE, "info.rules takes GameRules objects, not <wei7core.Rules"),
        ("participants", ["Ada"], "info.participants takes Participant objects, not 'Ada'$"),
        ("players", [None], "info.players takes Player objects, not None"),
    ],
)
def test_wrong_parts_of_the_information_about_a_game_are_named(name, wrong, text):
    for game in (Game(9, black="Ada"), loads(b"(;SZ[9]PB[Ada];B[aa])")):
        setattr(game.info, name, wrong)
        for act in (Game.check, *(partial(dumps, format=each, losses=[]) for each in ("sgf", "wei7", "wei7-2.2"))):
            with pytest.raises(TypeError, match=text):
                act(game)
        setattr(game.info, name, [] if isinstance(wrong, list) else None)
        game.info.players = []
        assert dumps(game, format="sgf", losses=[]).startswith(b"(;FF[4]")


def test_no_information_and_no_setup_are_named():
    for wrong in (None, {}, "Ada"):
        game = loads(b"(;SZ[9]PB[Ada];B[aa])")
        game.info = wrong
        for format in ("sgf", "wei7"):
            with pytest.raises(TypeError, match=f"the info of a game is an Info object, not {wrong!r}"):
                dumps(game, format=format, losses=[])
    game = Game(9)
    game.tree.pre = [Stone(1, (2, 2))]
    with pytest.raises(TypeError, match=r"the pre of a branch is a Setup object, not \[Stone"):
        dumps(game)


def test_branches_are_counted_from_the_first():
    tree = loads(b"(;SZ[9];B[aa](;W[bb])(;W[cc]))").tree
    first, second = tree.branches
    for act in (
        *(lambda at=at: tree.add_branch(at=at) for at in (-1, 3, 2**70)),
        *(lambda at=at: tree.remove_branch(at) for at in (-1, 2, 2**70)),
        *(lambda at=at: tree.move_branch(0, at) for at in (-1, 2, 2**70)),
        *(lambda at=at: tree.move_branch(at, 0) for at in (-1, 2, 2**70)),
    ):
        with pytest.raises(IndexError, match="there is no"):
            act()
        assert tree.branches == [first, second]
    with pytest.raises(TypeError, match="branches are Branch objects, not 5"):
        tree.add_branch(5)
    tree.move_branch(0, 1)
    assert tree.branches == [second, first]
    added = tree.add_branch(at=2)
    assert tree.branches[2] is added is tree.remove_branch(2)
