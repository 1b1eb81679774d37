"""`Board.is_legal` against an oracle that keeps every position, through plays, passes, undo, edits and copies."""

from __future__ import annotations

import copy
import pickle
import random

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import EditedBoard, Point
from oracles.rules import EVERY_RULE, verdicts

from wei7core.board.board import Board
from wei7core.rules import Rules

SMALL = st.sampled_from([(1, 1), (1, 2), (3, 1), (1, 5), (2, 2), (3, 2), (2, 4), (3, 3), (4, 4)])
SIZES = st.one_of(SMALL, SMALL, SMALL, st.tuples(st.integers(1, 9), st.integers(1, 9)), st.just((27, 2)))

# Hypothesis would rather have all chances alike, as it shrinks them; here they shall differ.
SEEDS = st.integers(0, 2**64 - 1)


def compare(board: Board, oracle: EditedBoard, color: int, points: list[Point | None]) -> None:
    """Compare all verdicts on the points, and see that asking changes nothing."""
    before = (board.hash, board.moves(), board._edits, board._work, board.black_captured, board.white_captured)
    for point in points:
        reasons = verdicts(oracle, color, point, EVERY_RULE)
        assert [board.is_legal(color, point, rules).reason for rules in EVERY_RULE] == reasons
    assert before == (board.hash, board.moves(), board._edits, board._work, board.black_captured, board.white_captured)
    board._check()


def act(chance: random.Random, board: Board, oracle: EditedBoard, points: list[Point]) -> Board:
    """Do one random thing on both boards; most are moves, in turn or not."""
    action = chance.random()
    color, point = chance.randint(1, 2), chance.choice(points)
    if chance.random() < 0.6 and oracle.moves:
        color = 3 - oracle.moves[-1][0]
    if action < 0.12:
        n = chance.randint(0, min(6, len(oracle.moves)))
        board.undo(n)
        oracle.undo(n)
    elif action < 0.16:
        board.edit([(chance.randint(0, 2), point)])
        oracle.edit([(board[point], point)])
    elif action < 0.3:
        assert board.play(color, None) == oracle.play(color, None)
    elif action < 0.33:
        return chance.choice([board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))])
    elif point not in oracle.stones:
        assert board.play(color, point) == oracle.play(color, point)
    return board


@settings(max_examples=examples(300))
@given(size=SIZES, seed=SEEDS)
def test_every_rule_on_every_point(size: tuple[int, int], seed: int) -> None:
    chance = random.Random(seed)
    board, oracle = Board(*size), EditedBoard(*size)
    everywhere = [(x, y) for x in range(size[0]) for y in range(size[1])]
    left, top = chance.randrange(size[0]), chance.randrange(size[1])
    points = [(x, y) for x, y in everywhere if left <= x < left + 4 and top <= y < top + 3]
    if chance.random() < 0.3:
        stones = [(chance.randint(1, 2), point) for point in points if chance.random() < 0.5]
        if oracle.can_setup(stones):
            board.setup(stones)
            oracle.stones = {point: color for color, point in stones}
    for _ in range(chance.randint(1, 60)):
        board = act(chance, board, oracle, points)
        # Some moves go by unasked: the past is then caught up with later.
        if chance.random() < 0.5:
            compare(board, oracle, chance.randint(1, 2), [chance.choice(points), None])
    for color in (1, 2):
        compare(board, oracle, color, [*everywhere, (-1, 0), (0, size[1])])


@settings(max_examples=examples(60))
@given(size=SMALL, rules=st.sampled_from(EVERY_RULE), seed=SEEDS)
def test_games_under_a_rule_set(size: tuple[int, int], rules: Rules, seed: int) -> None:
    """Only legal moves are played: long games without end, on boards so small that most moves would repeat."""
    chance = random.Random(seed)
    board, oracle = Board(*size), EditedBoard(*size)
    everywhere = [(x, y) for x in range(size[0]) for y in range(size[1])]
    for number in range(50):
        color = 1 + number % 2
        reasons = {point: verdicts(oracle, color, point, [rules])[0] for point in everywhere}
        assert {point: board.is_legal(color, point, rules).reason for point in everywhere} == reasons
        legal = [point for point in everywhere if reasons[point] == "legal"]
        point = chance.choice(legal) if legal and chance.random() < 0.9 else None
        assert board.play(color, point) == oracle.play(color, point)
