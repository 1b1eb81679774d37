"""How fast are moves played, from moves already decoded? On one core, against sgfmill's Board.play.

The games are the 20,000 of the corpus where it is (see tests/corpus.py), 5,000 generated ones elsewhere; always
thousands of different ones, because a processor learns a few games by heart. Final boards and captures are compared
before anything is timed.

    python -m pytest benchmarks/test_board_replay.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import corpus
import native
import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sgfmill import boards

from wei7core.board import Board

SGFMILL_GAMES = 300
PYTHON_GAMES = 5_000
ROUNDS = 5
SGFMILL_COLORS = {1: "b", 2: "w"}


@dataclass(frozen=True)
class Games:
    """Games, and the final boards and captures that others computed for them, if anyone did."""

    games: list[corpus.Game]
    moves: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    expected: list[tuple[str, int, int]]


def sgfmill_moves(game: corpus.Game) -> list[tuple[int, int, str]]:
    return [(18 - point[1], point[0], SGFMILL_COLORS[color]) for color, point in game.moves if point is not None]


def sgfmill_result(game: corpus.Game) -> tuple[str, int, int]:
    """Return the final board and, from the number of stones left, the captures."""
    board = boards.Board(19)
    stones = {"b": 0, "w": 0}
    for row, column, color in sgfmill_moves(game):
        board.play(row, column, color)
        stones[color] += 1
    text = "".join({None: ".", "b": "X", "w": "O"}[board.get(18 - y, x)] for y in range(19) for x in range(19))
    return corpus.sha16(text), stones["b"] - text.count("X"), stones["w"] - text.count("O")


@pytest.fixture(scope="module")
def games() -> Games:
    path = corpus.folder()
    if path is None:
        games = list(corpus.generated_games(PYTHON_GAMES))
        expected = [sgfmill_result(game) for game in games]
    else:
        games = list(corpus.tygem_games(path))
        rows = corpus.tygem_expected(path)
        expected = [(row["final_sha16"], int(row["black_captured"]), int(row["white_captured"])) for row in rows]
        assert [game.id for game in games] == [row["id"] for row in rows]
    moves, offsets = corpus.pack(games)
    return Games(games, moves, offsets, expected)


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
    if benchmark.stats is not None:  # it is None with --benchmark-disable
        timings[name] = benchmark.stats.stats.min / move_count * 1e9
        benchmark.extra_info.update(moves=move_count, ns_per_move=timings[name], correct=True)


def test_native_loop(benchmark: BenchmarkFixture, games: Games, timings: dict[str, float]) -> None:
    """The kernel called from C, by an extension that cimports it."""
    replay_games = native.replay_games().replay_games
    count = len(games.games)
    captured = np.empty((count, 2), dtype=np.int64)
    cells = np.empty((count, 19, 19), dtype=np.uint8)
    assert replay_games(19, 19, games.moves, games.offsets, cells, captured) == len(games.moves)
    results = [(corpus.sha16(corpus.board_text(cells[i])), *captured[i].tolist()) for i in range(count)]
    assert results == games.expected

    time_moves(
        benchmark, timings, "native loop",
        lambda: replay_games(19, 19, games.moves, games.offsets, None, captured), len(games.moves),
    )  # fmt: skip


def test_board_play(benchmark: BenchmarkFixture, games: Games, timings: dict[str, float]) -> None:
    """Board.play called from Python for every move."""
    chosen = games.games[:PYTHON_GAMES]
    for game, expected in zip(chosen, games.expected, strict=False):
        board = Board(19)
        for color, point in game.moves:
            board.play(color, point)
        text = corpus.board_text(board.to_array())
        assert (corpus.sha16(text), board.black_captured, board.white_captured) == expected

    def work() -> None:
        for game in chosen:
            play = Board(19).play
            for color, point in game.moves:
                play(color, point)

    time_moves(benchmark, timings, "Board.play from Python", work, sum(len(game.moves) for game in chosen))


def test_sgfmill(benchmark: BenchmarkFixture, games: Games, timings: dict[str, float]) -> None:
    """Board.play of sgfmill on the first games; passes are left out, it has none."""
    chosen = games.games[:SGFMILL_GAMES]
    assert [sgfmill_result(game) for game in chosen] == games.expected[:SGFMILL_GAMES]
    moves = [sgfmill_moves(game) for game in chosen]

    def work() -> None:
        for game_moves in moves:
            play = boards.Board(19).play
            for row, column, color in game_moves:
                play(row, column, color)

    time_moves(benchmark, timings, "sgfmill", work, sum(map(len, moves)))
