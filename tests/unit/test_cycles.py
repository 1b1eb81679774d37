"""A branch that contains itself: every function that goes through the tree says where, and returns."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from helpers.cases import in_groups
from wei7core.document import Branch

import wei7core as w7


def exhaust(nodes: Iterable[Any]) -> None:
    deque(nodes, maxlen=0)


def nine() -> w7.Game:
    return w7.loads(b"(;SZ[9];B[dg](;W[aa])(;W[bb](;B[cc])(;B[dd])))")


def nineteen() -> w7.Game:
    return w7.loads(b"(;SZ[19];B[dg](;W[aa])(;W[bb](;B[cc])(;B[dd])))")


FORMATS = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")
USES: list[Callable[[w7.Game], Any]] = [
    *(lambda game, to=to: w7.dumps(game, format=to, losses=[]) for to in FORMATS),
    *(lambda game, to=to: w7.convert(game, to, losses=[]) for to in FORMATS),
    lambda game: game.timeline,
    lambda game: exhaust(game.tree.walk()),
    lambda game: exhaust(game.walk()),
    lambda game: exhaust(game.leaves()),
    lambda game: exhaust(game.line((1, 0, 0, 1, 0, 0, 1))),
    lambda game: game.check(),
    pickle.dumps,
    lambda game: pickle.dumps(game.tree),
    copy.deepcopy,
    lambda game: copy.deepcopy(game.tree),
    lambda game: w7.convert(game, "wei7", losses=[]).to_obj(),
]


def cycled(game: w7.Game) -> None:
    """Put the root under one of its branches, so that it is met only after others."""
    game.tree.branches[1].branches[0].branches.append(game.tree)


@in_groups("number", range(len(USES)))
@pytest.mark.parametrize("make", [nine, nineteen])
def test_a_branch_inside_itself_is_refused_with_its_place(number: int, make: Callable[[], w7.Game]) -> None:
    game = make()
    cycled(game)
    if make is nine and number in (4, 9):
        return  # of 9 x 9 Giseong refuses the board
    with pytest.raises(ValueError, match=r"branch 1\.0\.0 contains itself"):
        USES[number](game)


@pytest.mark.parametrize("format", FORMATS)
def test_games_of_every_format(format: str) -> None:
    game = w7.convert(nineteen(), format, losses=[])
    branch = game.tree
    while branch.branches:
        branch = branch.branches[-1]
    branch.branches.append(game.tree)
    for to in FORMATS:
        with pytest.raises(ValueError, match="contains itself"):
            w7.dumps(game, format=to, losses=[])


def test_the_main_line() -> None:
    game = nine()
    game.tree.branches[0].branches.append(game.tree)
    for use in (lambda: exhaust(game.main_line()), lambda: game.score("chinese"), game.confirmed_result):
        with pytest.raises(ValueError, match=r"branch 0\.0 contains itself"):
            use()
    game = nine()
    game.tree.branches.insert(0, game.tree)
    with pytest.raises(ValueError, match="branch 0 contains itself"):
        exhaust(game.main_line())


def test_comparing_returns() -> None:
    one, other, third = nine(), nine(), nine()
    for game in (one, other, third):
        cycled(game)
    third.tree.branches[1].play(1, (8, 8))
    assert one == other
    assert one != third
    assert one.tree != nine().tree


def test_a_branch_may_stand_at_several_places() -> None:
    shared = Branch("shared")
    root = Branch(branches=[shared, Branch(branches=[shared, shared])])
    assert [branch.title for branch in root.walk()].count("shared") == 3
    assert pickle.loads(pickle.dumps(root)) == root


def test_a_cycle_far_below_is_named_in_one_short_line() -> None:
    root = branch = Branch()
    for _ in range(20_000):
        branch = branch.add_branch()
    branch.branches.append(branch)
    with pytest.raises(ValueError, match=r"^branch 0(\.0){39}\.\.\. contains itself$"):
        exhaust(root.walk())
