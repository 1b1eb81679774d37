"""Children of all positions of real games under every rule set, against the verdict on each move played by itself.

WEI7CORE_CHILDREN_GAMES says how many games; 1,000 of them take some minutes.
"""

from __future__ import annotations

import os

import pytest
from oracles.rules import EVERY_RULE
from samples import corpus

from wei7core.board.board import Board

pytestmark = pytest.mark.exhaustive

GAMES = int(os.environ.get("WEI7CORE_CHILDREN_GAMES", "3"))


def test_children_under_every_rule_set_by_judging_each_move() -> None:
    points = [(x, y) for y in range(19) for x in range(19)]
    for game in corpus.tygem_games(corpus.require(), limit=GAMES):
        board = Board(19)
        for color, point in game.moves:
            for rules in EVERY_RULE:
                reasons = bytes(board.is_legal(color, each, rules).value for each in points)
                assert board.children(color, rules).reason.tobytes() == reasons, (game.id, board.move_count, rules)
            board.play(color, point)
