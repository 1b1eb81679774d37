"""Whose turn it is, the ko point, the neighbours of a point and the legal points, against slow twins."""

from __future__ import annotations

import random

import pytest
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import OracleBoard, Point
from samples.random_play import SIZES, random_point, region

import wei7core as w7


def turn(oracle: OracleBoard) -> int:
    if oracle.moves:
        return 3 - oracle.moves[-1][0]
    colors = sorted(oracle.stones.values())
    return 2 if len(colors) >= 2 and colors[-1] == 1 else 1


def ko(oracle: OracleBoard) -> Point | None:
    """The point where the next stone would bring back the position before the last move, found by trying each."""
    if not oracle.before:
        return None
    color, before = turn(oracle), oracle.before[-1][0]
    for y in range(oracle.height):
        for x in range(oracle.width):
            if (x, y) not in oracle.stones and before.get((x, y)) == color:
                tried = oracle.copy(history=True)
                tried.play(color, (x, y))
                if tried.stones == before:
                    return x, y
    return None


@settings(max_examples=examples(40))
@given(size=SIZES, chance=chances(), length=st.integers(1, 60))
def test_turns_and_kos_of_random_games(size: tuple[int, int], chance: random.Random, length: int) -> None:
    board, oracle = w7.Board(*size), OracleBoard(*size)
    points = region(chance, oracle)
    for _ in range(length):
        action, point = chance.random(), chance.choice(points)
        color = turn(oracle)
        if action < 0.1:
            n = chance.randint(0, min(3, len(oracle.moves)))
            board.undo(n)
            oracle.undo(n)
        elif action < 0.15:
            assert board.move(None) == oracle.play(color, None) == 0
        elif point in oracle.stones:
            with pytest.raises(w7.IllegalMoveError) as refused:
                board.move(point)
            assert (refused.value.color, refused.value.point) == (color, point)
        elif action < 0.3:
            assert board.play(color := chance.randint(1, 2), point) == oracle.play(color, point)
        else:
            assert board.move(point) == oracle.play(color, point)
        assert (board.moves(), board.to_play) == (oracle.moves, turn(oracle))
    point = random_point(chance, oracle)
    assert board.neighbours(point) == sorted(oracle.neighbours(point), key=lambda other: other[::-1])


ROOM = [(x, y) for x in range(4) for y in range(3)]


@settings(max_examples=examples(40))
@given(chance=chances())
def test_kos_of_small_boards(chance: random.Random) -> None:
    board, oracle = w7.Board(4, 3), OracleBoard(4, 3)
    for _ in range(60):
        point = chance.choice(ROOM)
        if point not in oracle.stones:
            assert board.move(point) == oracle.play(turn(oracle), point)
            assert board.ko == ko(oracle)
            if board.ko:
                assert board.is_legal(board.to_play, board.ko, "japanese").reason == "ko-recapture"
                assert board.ko == board.position(board.to_play, ko=True).ko
                assert board.ko not in board.legal(rules="japanese")


@settings(max_examples=examples(20))
@given(chance=chances(), stones=st.lists(st.sampled_from(ROOM), unique=True, max_size=4))
def test_turns_before_the_first_move(chance: random.Random, stones: list[Point]) -> None:
    board, oracle = w7.Board(5, 5), OracleBoard(5, 5)
    colors = [chance.choice((1, 1, 1, 2)) for _ in stones]
    board.edit(zip(colors, stones, strict=True))
    oracle.stones = dict(zip(stones, colors, strict=True))
    assert board.to_play == turn(oracle)
    assert w7.Board.from_position(board.position()).to_play == board.copy(history=False).to_play == turn(oracle)


@settings(max_examples=examples(10))
@given(chance=chances(), rules=st.sampled_from(["permissive", "japanese", "aga"]))
def test_legal_points(chance: random.Random, rules: str) -> None:
    board = w7.Board(4, 3)
    for _ in range(25):
        point = chance.choice(ROOM)
        if board[point] == w7.EMPTY:
            board.move(point)
        for color in (w7.BLACK, w7.WHITE):
            assert list(board.legal(color, rules)) == [
                at for at in sorted(ROOM, key=lambda at: at[::-1]) if board.is_legal(color, at, rules)
            ]
        assert board.legal(rules=rules) == board.legal(board.to_play, rules)


def test_an_edit_after_a_move_does_not_change_the_turn() -> None:
    board = w7.Board.from_text(". X O .\nX O . O\n. X O .")
    assert (board.to_play, board.ko) == (w7.BLACK, None)
    assert board.move("C2") == 1
    assert (board.to_play, board.ko) == (w7.WHITE, (1, 1))
    board.edit([(w7.BLACK, (0, 0)), (w7.EMPTY, (0, 0))])
    assert (board.to_play, board.ko) == (w7.WHITE, None)
    board.undo()
    assert (board.to_play, board.ko) == (w7.BLACK, None)
    assert board.play(w7.BLACK, (2, 1)) == 1
    assert board.play(w7.BLACK, None) == 0
    assert (board.to_play, board.ko) == (w7.WHITE, None)


def test_refused_arguments() -> None:
    board = w7.Board(5, 4)
    for point in [(5, 0), (0, -1), (2**80, 0), "F1"]:
        with pytest.raises(w7.OffBoardError):
            board.neighbours(point)
    with pytest.raises(w7.IllegalMoveError):
        board.move((5, 0))
    with pytest.raises(ValueError, match="resign"):
        board.move("resign")
    with pytest.raises(ValueError, match="color"):
        board.legal(0)
    with pytest.raises(ValueError, match=r"unknown|no rule"):
        board.legal(rules="draughts")
    assert board.move_count == 0
    assert board.neighbours("A1") == [(0, 2), (1, 3)]
    assert w7.Board(1).neighbours((0, 0)) == []
