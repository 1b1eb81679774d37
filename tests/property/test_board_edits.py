"""Stones that come and go between the moves, against a slow board that follows SGF's own words."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from helpers import native
from helpers.effort import chances
from hypothesis import given
from hypothesis import strategies as st
from oracles.board import EditedBoard, Point, Stones

from wei7core.board.board import Board
from wei7core.errors import IllegalMoveError

WIDE_SIZES = [(26, 3), (27, 5), (30, 30), (53, 3), (79, 2), (3, 60)]
SIZES = st.one_of(st.tuples(st.integers(1, 25), st.integers(1, 25)), st.sampled_from(WIDE_SIZES))


def region(chance: random.Random, board: EditedBoard) -> list[Point]:
    """Return the points of a part of the board, so that stones get into each other's way."""
    width, height = min(board.width, chance.randint(1, 12)), min(board.height, chance.randint(1, 10))
    left, top = chance.randint(0, board.width - width), chance.randint(0, board.height - height)
    return [(left + x, top + y) for x in range(width) for y in range(height)]


def random_edit(chance: random.Random, points: list[Point]) -> list[tuple[int, Point]]:
    """Return stones for some points, or for nearly all of them: whole regions without a liberty."""
    fullness = chance.choice([0.05, 0.3, 0.9, 1.0])
    colors = chance.choice([[0, 1, 2], [1, 2], [1, 1, 1, 1, 2], [2, 2, 2, 1], [1], [2], [0]])
    return [(chance.choice(colors), point) for point in points if chance.random() < fullness]


def compare(board: Board, oracle: EditedBoard) -> None:
    board._check()
    assert board.to_array().tolist() == oracle.rows
    assert board.hash == oracle.hash
    assert (board.black_captured, board.white_captured) == (oracle.captured[1], oracle.captured[2])
    assert board.moves() == oracle.moves
    assert board._edits == (len(oracle.edited), max(oracle.edited, default=0))


def act(chance: random.Random, board: Board, oracle: EditedBoard, points: list[Point]) -> None:
    """Do one random thing on both boards."""
    action = chance.random()
    color, point = chance.randint(1, 2), chance.choice(points)
    if action < 0.08:
        n = chance.randint(0, min(5, len(oracle.moves)))
        board.undo(n)
        oracle.undo(n)
    elif action < 0.2:
        stones = random_edit(chance, points)
        board.edit(stones)
        oracle.edit(stones)
    elif action < 0.23:
        assert board.play(color, None) == oracle.play(color, None)
    elif action < 0.3:
        # A single hole in what is full decides most.
        board.edit([(0, point)])
        oracle.edit([(0, point)])
    elif point not in oracle.stones:
        assert board.play(color, point) == oracle.play(color, point)


@given(size=SIZES, chance=chances(), length=st.integers(1, 80))
def test_edits_among_moves(size: tuple[int, int], chance: random.Random, length: int) -> None:
    board, oracle = Board(*size), EditedBoard(*size)
    points = region(chance, oracle)
    for _ in range(length):
        act(chance, board, oracle, points)
        compare(board, oracle)
    assert board.canonical_hash == oracle.canonical_hash
    for point in points:
        assert board.block(point) == oracle.block(point)
        assert board.liberties(point) == oracle.liberties(point)
    for symmetry in range(8):
        turned = board.transformed(symmetry)
        turned._check()
        assert turned.to_array().tolist() == oracle.transformed(symmetry).rows
    assert native.replay_games().history(board) == oracle.history()
    for same in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        compare(same, oracle)
        assert same == board
    bare = pickle.loads(pickle.dumps(board.copy(history=False)))
    assert (bare, bare.moves(), bare._edits) == (board, [], (0, 0))
    bare._check()
    n = chance.randint(0, len(oracle.moves))
    same.undo(n)
    twin = oracle.twin()
    twin.undo(n)
    compare(same, twin)
    compare(board, oracle)


@given(size=SIZES, chance=chances(), length=st.integers(1, 30))
def test_going_back_to_any_moment(size: tuple[int, int], chance: random.Random, length: int) -> None:
    board, oracle = Board(*size), EditedBoard(*size)
    points = region(chance, oracle)[:12]
    moments: list[tuple[int, int, Stones]] = [(0, 0, {})]
    for _ in range(length):
        if chance.random() < 0.5:
            color, point = chance.randint(0, 2), chance.choice(points)
            board.edit([(color, point)])
            oracle.edit([(color, point)])
        elif (point := chance.choice(points)) not in oracle.stones:
            color = chance.randint(1, 2)
            board.play(color, point)
            oracle.play(color, point)
        moment = (len(oracle.moves), len(oracle.edited), dict(oracle.stones))
        if moment != moments[-1]:
            moments.append(moment)
    known = {moment[:2] for moment in moments}
    for move_count in range(-1, len(oracle.moves) + 2):
        for edit_count in range(-1, len(oracle.edited) + 2):
            if (move_count, edit_count) not in known:
                with pytest.raises(IllegalMoveError):
                    board._rewind(move_count, edit_count)
    compare(board, oracle)
    for move_count, edit_count, stones in chance.sample(moments, len(moments)):
        earlier = board.copy()
        earlier._rewind(move_count, edit_count)
        earlier._check()
        assert (earlier.move_count, earlier._edits[0]) == (move_count, edit_count)
        assert {(x, y): earlier[x, y] for x in range(size[0]) for y in range(size[1]) if earlier[x, y]} == stones
        assert earlier.moves() == oracle.moves[:move_count]
        if move_count == 0:
            assert (earlier.black_captured, earlier.white_captured) == (0, 0)


@pytest.mark.exhaustive
def test_every_neighbourhood_without_liberties() -> None:
    """Fill a 5 x 5 board by chance, thousands of times, and play into one of the few holes."""
    chance = random.Random(3)
    removals = set()
    for _ in range(4000):
        width, height = chance.randint(1, 5), chance.randint(1, 5)
        board, oracle = Board(width, height), EditedBoard(width, height)
        points = [(x, y) for x in range(width) for y in range(height)]
        stones = [(chance.randint(1, 2), point) for point in points if chance.random() < 0.93]
        board.edit(stones)
        oracle.edit(stones)
        holes = [point for point in points if point not in oracle.stones]
        for point in holes:
            if point in oracle.stones:
                continue
            color = chance.randint(1, 2)
            before = dict(oracle.captured)
            assert board.play(color, point) == oracle.play(color, point)
            removals.add((oracle.captured[color] > before[color], oracle.captured[3 - color] > before[3 - color]))
            compare(board, oracle)
        board.undo(len(oracle.moves))
        oracle.undo(len(oracle.moves))
        compare(board, oracle)
    assert removals == {(False, False), (True, False), (False, True)}
