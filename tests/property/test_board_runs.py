"""Runs of moves played in one call, with every instruction set: against the oracle and each other."""

from __future__ import annotations

import random
from typing import Any

import pytest
from helpers import native
from helpers.effort import chances, examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles.board import EditedBoard
from samples import corpus
from samples.random_play import SIZES, random_point, region

from wei7core.board.board import Board

pytestmark = pytest.mark.exhaustive  # compiles an extension

OK, OCCUPIED, OFF_BOARD, BAD_COLOR = 0, 2, 3, 4
NO_END = 2**62

Move = tuple[int, tuple[int, int] | None]

# The largest boards that have planes, those next to them that have none, and the least ones.
EDGES = [(62, 8), (63, 7), (22, 22), (2, 170), (2, 171), (30, 16), (1, 255), (1, 256), (50, 10), (21, 23), (1, 1)]
RUN_SIZES = st.one_of(SIZES, st.sampled_from(EDGES))


def ways() -> list[str]:
    return list(native.runs().WAYS)


def known(board: Board) -> tuple[Any, ...]:
    """Return all that can be known of a board; removed stones without their order."""
    board._check()
    history = native.replay_games().history(board)
    captured = board.black_captured, board.white_captured
    return board.to_array().tobytes(), board.hash, captured, board.moves(), history, board._work


def run(board: Board, way: str, moves: list[Move], enough: int = NO_END) -> tuple[int, int]:
    status, played = native.runs().play(board, way, corpus.placements(moves), enough)
    return status, played


def run_on_all(boards: dict[str, Board], moves: list[Move], enough: int = NO_END) -> tuple[int, int]:
    """Play a run on boards that are the same, and see that they still are."""
    ends = {way: run(board, way, moves, enough) for way, board in boards.items()}
    states = {way: known(board) for way, board in boards.items()}
    for way in boards:
        assert ends[way] == ends["rows"], way
        assert states[way] == states["rows"], way
    return ends["rows"]


def playable(board: Board, moves: list[Move]) -> list[Move]:
    """Play those moves that can be played, one by one, and return them."""
    played: list[Move] = []
    for color, point in moves:
        if point is None or board[point] == 0:
            board.play(color, point)
            played.append((color, point))
    return played


def random_run(chance: random.Random, oracle: EditedBoard, points: list[tuple[int, int]], length: int) -> list[Move]:
    """Play moves on the oracle and return them; mostly in turn, dense, so that many capture."""
    moves: list[Move] = []
    color = chance.randint(1, 2)
    for _ in range(length):
        color = 3 - color if chance.random() < 0.8 else color
        point = chance.choice(points)
        if chance.random() < 0.03:
            moves.append((color, None))
        elif point not in oracle.stones:
            moves.append((color, point))
        else:
            continue
        oracle.play(*moves[-1])
    return moves


def refused(chance: random.Random, oracle: EditedBoard) -> tuple[int, list[Move]]:
    """Return a move that cannot be played, or none, with its status."""
    point = random_point(chance, oracle)
    color = chance.randint(1, 2)
    if chance.random() < 0.3:
        outside = [(oracle.width, point[1]), (point[0], oracle.height), (-1, point[1]), (point[0], -1), (2**31 - 1, -1)]
        return OFF_BOARD, [(color, chance.choice(outside))]
    if chance.random() < 0.3:
        return BAD_COLOR, [(chance.choice([0, 3, 255]), point)]
    if point in oracle.stones:
        return OCCUPIED, [(color, point)]
    return OK, []


@given(size=RUN_SIZES, chance=chances())
def test_runs_against_the_oracle(size: tuple[int, int], chance: random.Random) -> None:
    oracle = EditedBoard(*size)
    boards = {way: Board(*size) for way in ways()}
    for _ in range(chance.randint(1, 4)):
        points = region(chance, oracle)
        if chance.random() < 0.4:
            stones = [(chance.randint(0, 2), chance.choice(points)) for _ in range(chance.randint(1, 30))]
            oracle.edit(stones)
            for board in boards.values():
                board.edit(stones)
        moves = random_run(chance, oracle, points, chance.randint(0, 150))
        status, more = refused(chance, oracle)
        assert run_on_all(boards, [*moves, *more, *moves[:1]] if more else moves) == (status, len(moves))
        for board in boards.values():
            assert board.to_array().tolist() == oracle.rows
            assert board.hash == oracle.hash
            assert (board.black_captured, board.white_captured) == (oracle.captured[1], oracle.captured[2])
            assert board.moves() == oracle.moves
        assert native.replay_games().history(boards["rows"]) == oracle.history()
        count = chance.randint(0, len(oracle.moves)) if chance.random() < 0.5 else 0
        oracle.undo(count)
        for board in boards.values():
            board.undo(count)
            assert board.to_array().tolist() == oracle.rows


@settings(max_examples=examples(40))
@given(size=RUN_SIZES, chance=chances())
def test_a_full_board_that_is_captured_and_filled_again(size: tuple[int, int], chance: random.Random) -> None:
    """Blocks as long as the board, given up one by one or all at once, with one liberty far away."""
    alone, boards = Board(*size), {way: Board(*size) for way in ways()}
    points = [(x, y) for y in range(size[1]) for x in range(size[0])]
    color = chance.randint(1, 2)
    for _ in range(3):
        if chance.random() < 0.5:
            chance.shuffle(points)
        same = chance.choice([1.0, 0.99, 0.9, 0.5])
        moves = playable(alone, [(color if chance.random() < same else 3 - color, point) for point in points])
        assert run_on_all(boards, moves) == (OK, len(moves))
        assert known(boards["rows"]) == known(alone)
        color = 3 - color


@given(size=RUN_SIZES, chance=chances(), enough=st.integers(0, 60))
@example(size=(19, 19), chance=random.Random(1), enough=0)
def test_a_run_ends_where_the_work_does(size: tuple[int, int], chance: random.Random, enough: int) -> None:
    oracle = EditedBoard(*size)
    boards = {way: Board(*size) for way in ways()}
    moves = random_run(chance, oracle, region(chance, oracle), 120)
    status, played = run_on_all(boards, moves, enough)
    assert status == OK
    assert played <= min(enough, len(moves))
    work = boards["rows"]._work
    assert played == len(moves) or played + work >= enough


def test_which_boards_have_planes() -> None:
    has_planes = native.runs().has_planes
    assert [size for size in EDGES if not has_planes(Board(*size))] == [(63, 7), (2, 171), (1, 256)]
    assert not has_planes(Board(509, 1))


@pytest.mark.parametrize("size", [(19, 19), (9, 9), (13, 19)])
def test_long_games_of_random_moves(size: tuple[int, int]) -> None:
    """Whole games until every point was played on, as runs of every length."""
    chance = random.Random(f"{size}")
    points = [(x, y) for y in range(size[1]) for x in range(size[0])]
    for _ in range(10):
        alone, boards = Board(*size), {way: Board(*size) for way in ways()}
        moves = playable(alone, [(1 + number % 2, chance.choice(points)) for number in range(1500)])
        done = 0
        while done < len(moves):
            status, played = run_on_all(boards, moves[done : done + chance.randint(1, 400)])
            assert status == OK
            done += played
        assert known(boards["rows"]) == known(alone)


def test_real_games_are_the_same_in_every_form() -> None:
    path = corpus.folder()
    games = corpus.generated_games(100) if path is None else corpus.tygem_games(path, limit=500)
    for game in games:
        states = []
        for way in ways():
            board = Board(game.width, game.height)
            assert run(board, way, game.moves) == (OK, len(game.moves))
            states.append(known(board))
        assert all(state == states[0] for state in states), game.id
