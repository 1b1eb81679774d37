"""Random games on boards of every shape, move by move against the oracle."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from helpers.effort import chances
from hypothesis import given
from hypothesis import strategies as st
from oracles.board import OracleBoard
from samples.random_play import SIZES, random_point, region

from wei7core.board.board import Board
from wei7core.errors import IllegalMoveError, IllegalPositionError


def compare(board: Board, oracle: OracleBoard) -> None:
    board._check()
    assert board.to_array().tolist() == oracle.rows
    assert board.hash == oracle.hash
    assert (board.black_captured, board.white_captured) == (oracle.captured[1], oracle.captured[2])
    assert board.moves() == oracle.moves
    assert board.move_count == len(oracle.moves)
    assert board.last_move == (oracle.moves[-1] if oracle.moves else None)


@given(size=SIZES, chance=chances(), length=st.integers(1, 120))
def test_play_pass_and_undo(size: tuple[int, int], chance: random.Random, length: int) -> None:
    board, oracle = Board(*size), OracleBoard(*size)
    points = region(chance, oracle)
    for _ in range(length):
        action = chance.random()
        color = chance.randint(1, 2)
        point = chance.choice(points)
        if action < 0.05:
            n = chance.randint(0, min(8, len(oracle.moves)))
            board.undo(n)
            oracle.undo(n)
        elif action < 0.08:
            assert board.play(color, None) == oracle.play(color, None) == 0
        elif point in oracle.stones:
            with pytest.raises(IllegalMoveError) as refused:
                board.play(color, point)
            assert refused.value.reason == "occupied"
            assert (refused.value.move_number, refused.value.color) == (len(oracle.moves) + 1, color)
            assert refused.value.point == point
        else:
            assert board.play(color, point) == oracle.play(color, point)
        compare(board, oracle)
    point = random_point(chance, oracle)
    assert board[point] == oracle.stones.get(point, 0)
    for looked_at in [*points, point]:
        assert board.block(looked_at) == oracle.block(looked_at)
        assert board.liberties(looked_at) == oracle.liberties(looked_at)
    same = pickle.loads(pickle.dumps(board))
    compare(same, oracle)
    n = len(oracle.moves)
    same.undo(n)
    oracle.undo(n)
    compare(same, oracle)
    assert same.hash == Board(*size).hash
    assert same == Board(*size)


@given(size=SIZES, chance=chances(), fullness=st.floats(0, 0.9))
def test_setup(size: tuple[int, int], chance: random.Random, fullness: float) -> None:
    oracle = OracleBoard(*size)
    board = Board(*size)
    points = region(chance, oracle)
    for _ in range(2):
        stones = [(chance.randint(1, 2), point) for point in points if chance.random() < fullness]
        if chance.random() < 0.2:
            stones.append((1, random_point(chance, oracle)))
        chance.shuffle(stones)
        if oracle.can_setup(stones):
            board.setup(stones)
            oracle.stones |= {point: color for color, point in stones}
        else:
            with pytest.raises(IllegalPositionError) as refused:
                board.setup(iter(stones))
            assert refused.value.reason in ("occupied", "no-liberty")
            assert refused.value.point in {point for _, point in stones}
        compare(board, oracle)
    again = Board.from_array(board.to_array())
    assert again == board
    assert again.hash == board.hash
    again.play(1, None)
    with pytest.raises(IllegalPositionError) as refused:
        again.setup([])
    assert refused.value.reason == "after-move"
    compare(pickle.loads(pickle.dumps(board)), oracle)


@given(size=SIZES, chance=chances(), symmetry=st.integers(0, 7))
def test_symmetry(size: tuple[int, int], chance: random.Random, symmetry: int) -> None:
    board, oracle = Board(*size), OracleBoard(*size)
    for _ in range(chance.randint(0, 60)):
        point = random_point(chance, oracle)
        color = chance.randint(1, 2)
        if point not in oracle.stones:
            board.play(color, point)
            oracle.play(color, point)
    turned, oracle_turned = board.transformed(symmetry), oracle.transformed(symmetry)
    turned._check()
    assert turned.size == (oracle_turned.width, oracle_turned.height)
    assert turned.to_array().tolist() == oracle_turned.rows
    assert turned.hash == oracle_turned.hash
    assert turned.black_captured == board.black_captured
    assert turned.white_captured == board.white_captured
    assert turned.moves() == []
    assert board.canonical_hash == oracle.canonical_hash
    if turned.size == board.size:
        assert turned.canonical_hash == board.canonical_hash


@given(chance=chances())
def test_random_bytes_are_a_board_or_no_position(chance: random.Random) -> None:
    width, height = chance.randint(1, 5), chance.randint(1, 5)
    cells = np.array([[chance.choice([0, 0, 1, 2]) for _ in range(width)] for _ in range(height)], dtype=np.uint8)
    stones = [(int(cells[y, x]), (x, y)) for y in range(height) for x in range(width) if cells[y, x]]
    if OracleBoard(width, height).can_setup(stones):
        assert np.array_equal(Board.from_array(cells).to_array(), cells)
    else:
        with pytest.raises(IllegalPositionError):
            Board.from_array(cells)
