"""Wrong types given to the objects of a document: an error at once that says what is wanted."""

import pytest
from helpers.cases import in_groups

import wei7core as w7


def test_stones_may_be_pairs():
    setup = w7.Setup(stones=[(1, (2, 2)), w7.Stone(2, (3, 3))])
    assert setup.stones == [w7.Stone(1, (2, 2)), w7.Stone(2, (3, 3))]
    game = w7.Game(9)
    game.tree.pre = setup
    assert w7.loads(w7.dumps(game)).tree.pre == setup


@in_groups(
    ("make", "message"),
    [
        (lambda: w7.Branch().play(1, "C3"), "a point is .x, y. from the upper left here, not 'C3'"),
        (lambda: w7.Branch().play("black", (2, 2)), "a color is 1 .black. or 2 .white. here, not 'black'"),
        (lambda: w7.Branch().mark("C3", "a"), "a point is .x, y. from the upper left here, not 'C3'"),
        (lambda: w7.Setup(problem="black"), "a problem is the color to play, 1 .black. or 2 .white., not 'black'"),
        (lambda: w7.Setup(stones=[(1, "C3")]), "a point is .x, y. from the upper left here, not 'C3'"),
        (lambda: w7.Setup(stones=[(1, 2, 2)]), "a stone is a Stone or a pair .color, point., not .1, 2, 2."),
    ],
)
def test_wrong_types_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_a_refused_move_changes_nothing():
    branch = w7.Branch()
    with pytest.raises(TypeError):
        branch.play(1, "C3")
    assert branch.steps == []
