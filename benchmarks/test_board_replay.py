"""How fast are moves played, from moves already decoded? On one core, against sgfmill's Board.play.

Final boards and captures are compared before anything is timed.

    python -m pytest benchmarks/test_board_replay.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import corpus
import games
import native
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sgfmill import boards

from wei7core.board import Board

SGFMILL_GAMES = 300
PYTHON_GAMES = 5_000
ROUNDS = 5


@pytest.fixture(scope="module")
def all_games() -> games.Games:
    return games.all_games()


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect nanoseconds a move; say at the end how they compare."""
    timings: dict[str, float] = {}
    yield timings
    for name, nanoseconds in timings.items():
        line = f"{name}: {nanoseconds:.1f} ns a move"
        if name != "sgfmill" and "sgfmill" in timings:
            line += f", {timings['sgfmill'] / nanoseconds:.0f} times sgfmill"
        summary.append(line)


def time_moves(
    benchmark: BenchmarkFixture, timings: dict[str, float], name: str, work: Callable[[], object], move_count: int
) -> None:
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(moves=move_count, correct=True)
    if seconds := games.best_seconds(benchmark):
        timings[name] = benchmark.extra_info["ns_per_move"] = seconds / move_count * 1e9


def test_native_loop(benchmark: BenchmarkFixture, all_games: games.Games, timings: dict[str, float]) -> None:
    """The kernel called from C, by an extension that cimports it."""
    replay_games = native.replay_games().replay_games
    moves, offsets = corpus.pack(all_games.games)
    count = len(all_games.games)
    captured = np.empty((count, 2), dtype=np.int64)
    cells = np.empty((count, 19, 19), dtype=np.uint8)
    assert replay_games(19, 19, moves, offsets, cells, captured) == len(moves)
    results = [(corpus.sha16(corpus.board_text(cells[i])), *captured[i].tolist()) for i in range(count)]
    assert results == all_games.expected

    time_moves(
        benchmark, timings, "native loop",
        lambda: replay_games(19, 19, moves, offsets, None, captured), len(moves),
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
