"""Boards that were copied from each other share a history, and do not notice each other, in one thread or several."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import native
from oracles.board import EditedBoard, OracleBoard

from wei7core.board.board import Board

Pair = tuple[Board, EditedBoard]

SIZES = [(1, 1), (3, 2), (6, 6), (30, 2)]


def same(board: Board, oracle: OracleBoard) -> None:
    board._check()
    assert board.to_array().tolist() == oracle.rows
    assert board.moves() == oracle.moves
    assert board.hash == oracle.hash
    assert (board.black_captured, board.white_captured) == (oracle.captured[1], oracle.captured[2])


def change(pair: Pair, chance: random.Random) -> None:
    """Play, pass, edit or take back."""
    board, oracle = pair
    color, point = chance.randint(1, 2), (chance.randrange(oracle.width), chance.randrange(oracle.height))
    what = chance.random()
    if what < 0.15:
        count = min(len(oracle.moves), chance.choice((1, 1, 2, 30)))
        board.undo(count)
        oracle.undo(count)
    elif what < 0.25:
        color = chance.randint(0, 2)
        board.edit([(color, point)])
        oracle.edit([(color, point)])
    elif what < 0.3 or point in oracle.stones:
        board.play(color, None)
        oracle.play(color, None)
    else:
        assert board.play(color, point) == oracle.play(color, point)


def taken_back(pair: Pair) -> None:
    """The whole history of a board is its own."""
    board, oracle = pair
    while oracle.moves:
        board.undo()
        oracle.undo(1)
        assert board.hash == oracle.hash
    same(board, oracle)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_boards_that_were_copied_from_each_other(size: tuple[int, int], seed: int) -> None:
    assign = native.replay_games().assign
    chance = random.Random(f"{size} {seed}")
    pairs: list[Pair] = [(Board(*size), EditedBoard(*size))]
    for _ in range(400):
        at = chance.randrange(len(pairs))
        board, oracle = pairs[at]
        history = chance.random() < 0.8
        what = chance.random()
        if what < 0.1:
            pairs.append((board.copy(history=history), oracle.copy(history)))
        elif what < 0.2:
            onto = chance.randrange(len(pairs))
            assign(pairs[onto][0], board, history)
            pairs[onto] = pairs[onto][0], oracle.copy(history)
        elif what < 0.25 and len(pairs) > 4:
            same(*pairs.pop(at))
        else:
            change(pairs[at], chance)
            same(*pairs[at])
    for pair in pairs:
        same(*pair)
        taken_back(pair)


@pytest.mark.exhaustive
def test_a_board_of_another_size_can_be_copied_onto_one() -> None:
    assign = native.replay_games().assign
    board, other = Board(5), Board(30, 2)
    board.play(1, (4, 4))
    other.play(2, (29, 1))
    assign(board, other, True)
    assert board == other
    assert board.moves() == [(2, (29, 1))]
    board.undo()
    other._check()
    assert other.moves() == [(2, (29, 1))]
    assign(other, other, False)
    assert other.moves() == []
    assert other[29, 1] == 2


def test_copies_belong_to_any_thread() -> None:
    def play_on(job: tuple[Board, EditedBoard, int]) -> None:
        board, oracle, seed = job
        chance = random.Random(seed)
        for _ in range(40):
            mine, model = board.copy(), oracle.copy(True)
            for _ in range(20):
                change((mine, model), chance)
            same(mine, model)

    chance = random.Random(1)
    board, oracle = Board(4), EditedBoard(4, 4)
    with ThreadPoolExecutor(4) as pool:
        jobs = []
        for seed in range(8):
            for _ in range(10):
                change((board, oracle), chance)
            jobs.append(pool.submit(play_on, (board.copy(), oracle.copy(True), seed)))
            board.play(1, None)
            oracle.play(1, None)
        for job in jobs:
            job.result()
    same(board, oracle)
    taken_back((board, oracle))


def test_a_board_copied_onto_another_has_a_past_of_its_own() -> None:
    """Each of the two knows the positions of a ko, and where it forgot the moves it knows none."""
    assign = native.replay_games().assign
    board, other = Board(4, 3), Board(4, 3)
    for color, point in [(1, (1, 0)), (2, (2, 0)), (1, (0, 1)), (2, (3, 1)), (1, (1, 2)), (2, (2, 2)), (2, (1, 1))]:
        board.play(color, point)
    other.play(2, (3, 2))
    assert board.play(1, (2, 1)) == 1
    for history in (True, False, True):
        assert board.is_legal(2, (1, 1), "tromp-taylor").reason == "positional-repeat"
        assert other.is_legal(2, (1, 1), "tromp-taylor")
        assign(other, board, history)
        assert bool(other.is_legal(2, (1, 1), "tromp-taylor")) != history
        other.undo(other.move_count)
