"""What the C interface says of the moves in force: the points removed and ko recaptures."""

from __future__ import annotations

import random

from helpers import native
from helpers.effort import chances
from hypothesis import given
from hypothesis import strategies as st
from oracles.board import OracleBoard

from wei7core.board.board import Board


def expected_history(oracle: OracleBoard) -> list[tuple[set[tuple[int, int]], bool]]:
    """Compare the positions before and after each move, and after the next one."""
    positions = [stones for stones, _ in oracle.before] + [oracle.stones]
    rows: list[tuple[set[tuple[int, int]], bool]] = []
    takes_one = [False]
    for index, (_, point) in enumerate(oracle.moves):
        stood = set(positions[index]) | ({point} if point else set())
        removed = stood - set(positions[index + 1])
        takes_one.append(len(removed) == 1 and point not in removed)
        comes_back = index > 0 and positions[index - 1] == positions[index + 1]
        rows.append((removed, comes_back and takes_one[-1] and takes_one[-2]))
    return rows


@given(
    size=st.sampled_from([(1, 1), (3, 1), (1, 4), (3, 3), (5, 4), (28, 2)]),
    chance=chances(),
    length=st.integers(1, 100),
)
def test_history(size: tuple[int, int], chance: random.Random, length: int) -> None:
    board, oracle = Board(*size), OracleBoard(*size)
    left = chance.randint(0, max(0, size[0] - 6))
    for _ in range(length):
        color = chance.randint(1, 2)
        point = (chance.randrange(left, min(size[0], left + 6)), chance.randrange(size[1]))
        if chance.random() < 0.3 and oracle.before:
            # Where a stone has just been taken is where a ko would be taken back.
            taken = sorted(oracle.before[-1][0].keys() - oracle.stones.keys())
            color, point = 3 - oracle.moves[-1][0], taken[0] if taken else point
        if chance.random() < 0.05:
            n = chance.randint(0, min(3, len(oracle.moves)))
            board.undo(n)
            oracle.undo(n)
        elif point not in oracle.stones:
            board.play(color, point)
            oracle.play(color, point)
    assert native.replay_games().history(board) == expected_history(oracle)


def test_a_ko_and_what_only_looks_like_one() -> None:
    board = Board(4, 3)
    board.setup([(1, (1, 0)), (1, (0, 1)), (1, (1, 2)), (2, (2, 0)), (2, (3, 1)), (2, (2, 2)), (2, (1, 1))])
    for color, point in [(1, (2, 1)), (2, (1, 1)), (1, None), (1, (2, 1))]:
        board.play(color, point)
    recaptures = [recapture for _, recapture in native.replay_games().history(board)]
    assert recaptures == [False, True, False, False]
    suicides = Board(3, 1)
    suicides.setup([(2, (1, 0))])
    suicides.play(1, (0, 0))
    suicides.play(1, (0, 0))
    assert native.replay_games().history(suicides) == [({(0, 0)}, False), ({(0, 0)}, False)]
