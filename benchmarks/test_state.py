"""What do copies, positions and planes of real positions cost? On one core, compared with moves in the same run.

The results are compared with the boards that they were made of before anything is timed.

    python -m pytest benchmarks/test_state.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator

import games
import numpy as np
import pytest
from helpers import native
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus

import wei7core as w7

GAMES = 4_000
NEAR = 64
"""Positions that copies are made of over and over, as a search does: few enough to stay close to the processor."""

PYTHON_ROUNDS = 100
NATIVE_ROUNDS = 2_000
ROUNDS = 9
UNTIMED = {"PYTHON_ROUNDS": 2, "NATIVE_ROUNDS": 20}


@functools.cache
def boards() -> list[w7.Board]:
    """Return each game after two thirds of its moves, with them."""
    return [played(game.moves[: len(game.moves) * 2 // 3]) for game in games.all_games().first(GAMES).games]


def played(moves: list[corpus.Move]) -> w7.Board:
    board = w7.Board(19)
    for color, point in moves:
        board.play(color, point)
    return board


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect nanoseconds a call; print a comparison at the end with a move."""
    timings: dict[str, float] = {}
    yield timings
    for name, nanoseconds in timings.items():
        move = "native move" if name.startswith("native") else "Board.play"
        compared = f", {nanoseconds / timings[move]:.2f} times {move}" if move in timings and move != name else ""
        summary.append(f"{name}: {nanoseconds:.1f} ns{compared}")


def time_calls(
    benchmark: BenchmarkFixture, timings: dict[str, float], name: str, work: Callable[[], object], count: int
) -> None:
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info["correct"] = True
    if seconds := games.best_seconds(benchmark):
        timings[name] = benchmark.extra_info["ns_per_call"] = seconds / count * 1e9


def test_play(benchmark: BenchmarkFixture, timings: dict[str, float]) -> None:
    """Board.play from Python, which the others are measured by."""
    chosen = [game.moves for game in games.all_games().first(GAMES).games]
    assert [played(moves).moves() == moves for moves in chosen[:100]] == [True] * 100

    def work() -> None:
        for moves in chosen:
            play = w7.Board(19).play
            for color, point in moves:
                play(color, point)

    time_calls(benchmark, timings, "Board.play", work, sum(map(len, chosen)))


@pytest.mark.parametrize("history", [True, False], ids=["history", "bare"])
def test_copy(benchmark: BenchmarkFixture, timings: dict[str, float], history: bool) -> None:
    for board in boards():
        copy = board.copy(history=history)
        assert copy == board
        assert copy.move_count == (board.move_count if history else 0)
        if history:
            copy.undo(copy.move_count)
            assert copy.hash == w7.Board(19).hash

    near = boards()[:NEAR] * PYTHON_ROUNDS

    def work() -> None:
        for board in near:
            board.copy(history=history)

    time_calls(benchmark, timings, "Board.copy" if history else "Board.copy(history=False)", work, len(near))


def test_copy_and_play(benchmark: BenchmarkFixture, timings: dict[str, float]) -> None:
    """What a search does for a child: copy without history, one move."""
    chosen = []
    for board in boards()[:NEAR]:
        empty = np.argwhere(board.to_array() == w7.EMPTY)
        chosen += [(board, (int(x), int(y))) for y, x in empty[:PYTHON_ROUNDS]]

    def work() -> None:
        for board, point in chosen:
            board.copy(history=False).play(w7.BLACK, point)

    time_calls(benchmark, timings, "Board.copy(history=False).play", work, len(chosen))


def test_native_move(benchmark: BenchmarkFixture, timings: dict[str, float]) -> None:
    chosen = games.all_games().first(GAMES)
    moves, offsets = corpus.pack(chosen.games)
    captured = np.empty((len(chosen.games), 2), dtype=np.int64)
    replay_games = native.replay_games().replay_games
    assert replay_games(19, 19, moves, offsets, None, captured) == len(moves)
    assert captured.tolist() == [[black, white] for _, black, white in chosen.expected]
    time_calls(
        benchmark, timings, "native move", lambda: replay_games(19, 19, moves, offsets, None, captured), len(moves)
    )


@pytest.mark.parametrize("history", [True, False], ids=["history", "bare"])
def test_native_copy(benchmark: BenchmarkFixture, timings: dict[str, float], history: bool) -> None:
    """One board made a copy of others in C, in the memory that it has."""
    extension = native.replay_games()
    to, near = w7.Board(19), boards()[:NEAR]
    for board in near:
        extension.assign(to, board, history)
        assert (to == board, to.move_count) == (True, board.move_count if history else 0)
    together = functools.reduce(operator.xor, (board.hash for board in near))
    assert extension.assign_each(to, near, 1, history) == together
    time_calls(
        benchmark, timings, f"native copy, {'history' if history else 'bare'}",
        lambda: extension.assign_each(to, near, NATIVE_ROUNDS, history), NATIVE_ROUNDS * len(near),
    )  # fmt: skip


def test_position(benchmark: BenchmarkFixture, timings: dict[str, float]) -> None:
    for board in boards():
        position = board.position(w7.BLACK)
        assert (position.to_array() == board.to_array()).all()
        assert position.hash == board.hash
    near = boards()[:NEAR] * PYTHON_ROUNDS

    def work() -> None:
        for board in near:
            board.position(w7.BLACK)

    time_calls(benchmark, timings, "Board.position", work, len(near))


def test_look_up(benchmark: BenchmarkFixture, timings: dict[str, float]) -> None:
    """Positions in a dict that holds equal ones, made of other boards."""
    table = {board.position(w7.BLACK): index for index, board in enumerate(boards())}
    positions = [w7.Board.from_array(board.to_array()).position(w7.BLACK) for board in boards()]
    assert all(boards()[table[position]] == board for position, board in zip(positions, boards(), strict=True))

    def work() -> None:
        for position in positions:
            table[position]

    time_calls(benchmark, timings, "look-up of a position", work, len(positions))


@pytest.mark.parametrize("history", [0, 7])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_to_planes(benchmark: BenchmarkFixture, timings: dict[str, float], dtype: type, history: int) -> None:
    out = w7.to_planes(boards(), w7.WHITE, history=history, dtype=dtype)
    for board, planes in zip(boards(), out, strict=True):
        cells = board.to_array()
        assert (planes[:3] == [cells == w7.WHITE, cells == w7.BLACK, cells == w7.EMPTY]).all()
        assert (planes[3:6].sum(axis=0) == planes[0]).all()

    time_calls(
        benchmark, timings, f"to_planes, {np.dtype(dtype).name}, {history} earlier positions, a position",
        lambda: w7.to_planes(boards(), w7.WHITE, history=history, out=out), len(boards()),
    )  # fmt: skip
