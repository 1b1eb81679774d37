"""How fast are moves played, from moves already decoded? On one core, against sgfmill's Board.play.

Final boards and captures are compared before anything is timed. Random games show what larger boards cost.

    python -m pytest benchmarks/test_board_replay.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator

import games
import numpy as np
import numpy.typing as npt
import pytest
from helpers import native
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import boards

from wei7core._util import cpu as processor
from wei7core.board.board import Board

SGFMILL_GAMES = 300
PYTHON_GAMES = 5_000
RANDOM_MOVES = 300_000
ROUNDS = 5
UNTIMED = {"SGFMILL_GAMES": 20, "RANDOM_MOVES": 20_000}

NUMBERS = {"portable": 0, "avx2": 1, "avx512bw": 2, "avx512": 3}
"""The kernels by name, as `_util/cpu.h` numbers them."""


@pytest.fixture(scope="module")
def all_games() -> games.Games:
    return games.all_games()


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect nanoseconds a move; print a comparison at the end."""
    timings: dict[str, float] = {}
    yield timings
    for name, nanoseconds in timings.items():
        line = f"{name}: {nanoseconds:.1f} ns a move"
        if name.startswith("random games"):
            line += f", {nanoseconds / timings['random games, 19 x 19']:.2f} times 19 x 19"
        elif name != "sgfmill" and "sgfmill" in timings:
            line += f", {timings['sgfmill'] / nanoseconds:.0f} times sgfmill"
        summary.append(line)


def time_moves(
    benchmark: BenchmarkFixture, timings: dict[str, float], name: str, work: Callable[[], object], move_count: int
) -> None:
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(moves=move_count, correct=True)
    if seconds := games.best_seconds(benchmark):
        timings[name] = benchmark.extra_info["ns_per_move"] = seconds / move_count * 1e9


@pytest.mark.parametrize("kernel", processor.ISAS)
def test_native_loop(
    benchmark: BenchmarkFixture, all_games: games.Games, timings: dict[str, float], kernel: str
) -> None:
    """The kernel called from C, by an extension that cimports it."""
    isa = NUMBERS[kernel]
    replay_games = native.replay_games().replay_games
    moves, offsets = corpus.pack(all_games.games)
    count = len(all_games.games)
    captured = np.empty((count, 2), dtype=np.int64)
    cells = np.empty((count, 19, 19), dtype=np.uint8)
    assert replay_games(19, 19, moves, offsets, cells, captured, isa) == len(moves)
    results = [(corpus.sha16(corpus.board_text(cells[i])), *captured[i].tolist()) for i in range(count)]
    assert results == all_games.expected

    time_moves(
        benchmark, timings, f"native loop, {kernel}",
        lambda: replay_games(19, 19, moves, offsets, None, captured, isa), len(moves),
    )  # fmt: skip


@functools.cache
def random_games(side: int) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Return games of as many random moves as the board has points, RANDOM_MOVES in all."""
    chance = random.Random(side)
    boards_to_play = []
    for _ in range(max(1, RANDOM_MOVES // side**2)):
        board = Board(side)
        while board.move_count < side**2:
            point = chance.randrange(side), chance.randrange(side)
            if board[point] == 0:
                board.play(1 + board.move_count % 2, point)
        boards_to_play.append(corpus.Game("random", side, side, board.moves()))
    return corpus.pack(boards_to_play)


@pytest.mark.parametrize("side", [19, 25, 37, 100])
def test_random_games(benchmark: BenchmarkFixture, timings: dict[str, float], side: int) -> None:
    """Large boards compared with 19 x 19, all in the kernel in use."""
    replay_games = native.replay_games().replay_games
    moves, offsets = random_games(side)
    captured = np.empty((len(offsets) - 1, 2), dtype=np.int64)
    cells = np.empty((len(offsets) - 1, side, side), dtype=np.uint8)
    assert replay_games(side, side, moves, offsets, cells, captured) == len(moves)
    stones = np.count_nonzero(cells, axis=(1, 2))
    assert (stones + captured.sum(axis=1) == np.diff(offsets)).all()

    time_moves(
        benchmark, timings, f"random games, {side} x {side}",
        lambda: replay_games(side, side, moves, offsets, None, captured), len(moves),
    )  # fmt: skip


def test_board_play(benchmark: BenchmarkFixture, all_games: games.Games, timings: dict[str, float]) -> None:
    """Board.play called from Python for every move."""
    chosen = all_games.first(PYTHON_GAMES)
    for game, expected in zip(chosen.games, chosen.expected, strict=True):
        board = Board(19)
        for color, point in game.moves:
            board.play(color, point)
        text = corpus.board_text(board.to_array())
        assert (corpus.sha16(text), board.black_captured, board.white_captured) == expected

    def work() -> None:
        for game in chosen.games:
            play = Board(19).play
            for color, point in game.moves:
                play(color, point)

    time_moves(benchmark, timings, "Board.play from Python", work, chosen.move_count)


def test_sgfmill(benchmark: BenchmarkFixture, all_games: games.Games, timings: dict[str, float]) -> None:
    """Board.play of sgfmill on the first games; passes are left out, it has none."""
    chosen = all_games.first(SGFMILL_GAMES)
    moves = [games.sgfmill_moves(game) for game in chosen.games]
    assert [games.sgfmill_final(game_moves) for game_moves in moves] == chosen.expected

    def work() -> None:
        for game_moves in moves:
            play = boards.Board(19).play
            for row, column, color in game_moves:
                play(row, column, color)

    time_moves(benchmark, timings, "sgfmill", work, sum(map(len, moves)))
