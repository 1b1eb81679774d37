"""How fast does a wei7 text become a final position? Decoding and replay on one core, against orjson and sgfmill.

`replay` is also compared with orjson alone, which only makes Python objects of the same bytes, in three shapes of
text. Final positions and captures are compared with those that others computed before anything is timed.

    python -m pytest benchmarks/test_decode_replay.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import boards

import wei7core
from wei7core.formats.wei7.decode import decode
from wei7core.replaying.replay import replay_record

ROUNDS = 5

Replayer = tuple[Callable[[bytes], Any], Callable[[Any], games.Final]]


def wei7core_decode_replay() -> Replayer:
    """The Record and its replay, as every reader of the package does it."""
    return lambda text: replay_record(decode(text)), final_of_replayed


def final_of_replayed(replayed: Any) -> games.Final:
    cells = replayed.board.to_array()
    return corpus.sha16(corpus.board_text(cells)), replayed.black_captured, replayed.white_captured


def wei7core_loads() -> Replayer:
    """`loads`, and the main line walked to its end with a board."""

    def work(text: bytes) -> Any:
        for node in wei7core.loads(text).main_line():
            last = node
        return last.board

    return work, final_of_board


def final_of_board(board: wei7core.Board) -> games.Final:
    return corpus.sha16(corpus.board_text(board.to_array())), board.black_captured, board.white_captured


def orjson_sgfmill() -> Replayer:
    """orjson, and sgfmill's Board.play for every move that is not a pass."""
    orjson = pytest.importorskip("orjson")

    def work(text: bytes) -> tuple[boards.Board, list[tuple[int, int, str]]]:
        moves = [
            (18 - point["y"], point["x"], games.SGFMILL_COLORS[value["color"]])
            for value in (step["action"]["value"] for step in orjson.loads(text)["tree"]["steps"])
            if (point := value["point"]) is not None
        ]
        board = boards.Board(19)
        for row, column, color in moves:
            board.play(row, column, color)
        return board, moves

    return work, lambda done: games.sgfmill_final(done[1], done[0])


REPLAYERS = {
    "wei7core": (wei7core_decode_replay, 4_000),
    "wei7core.loads and a walk": (wei7core_loads, 1_000),
    "orjson and sgfmill": (orjson_sgfmill, 300),
}


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect nanoseconds a move; print a comparison at the end."""
    timings: dict[str, float] = {}
    yield timings
    for name, nanoseconds in timings.items():
        times = f", wei7core is {nanoseconds / timings['wei7core']:.1f} times as fast" if name != "wei7core" else ""
        summary.append(f"decode and replay with {name}: {nanoseconds:.1f} ns a move{times}")


@pytest.mark.parametrize("name", REPLAYERS)
def test_decode_replay(benchmark: BenchmarkFixture, timings: dict[str, float], name: str) -> None:
    make, count = REPLAYERS[name]
    replayer, final = make()
    chosen = games.all_games().first(count)
    texts = [games.wei7_text(game) for game in chosen.games]
    assert [final(replayer(text)) for text in texts] == chosen.expected
    benchmark.extra_info["correct"] = True

    def work() -> None:
        for text in texts:
            replayer(text)

    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        timings[name] = seconds / chosen.move_count * 1e9
        benchmark.extra_info["ns_per_move"] = timings[name]


BULK_GAMES = 20_000
ORJSON_GAMES = 2_000


def check_results(results: wei7core.Results, expected: list[games.Final]) -> None:
    found = [(corpus.sha16(row.board), row.black_captured, row.white_captured) for row in results]
    assert found == expected


@pytest.mark.parametrize("source", ["bytes", "path"])
def test_replay(benchmark: BenchmarkFixture, summary: list[str], tmp_path: Path, source: str) -> None:
    """`w7.replay` of lines of compact JSON, from bytes or from a file that is in the cache, to columns."""
    chosen = games.all_games().first(BULK_GAMES)
    data = b"\n".join([games.WEI7_TEXTS["compact"](game) for game in chosen.games])
    path = tmp_path / "games.jsonl"
    path.write_bytes(data)
    inputs = data if source == "bytes" else path
    check_results(wei7core.replay(inputs, board=True), chosen.expected)
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.replay(inputs) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_game"] = seconds / len(chosen.games) * 1e6
        summary.append(f"replay of compact JSON from {source}: {seconds / len(chosen.games) * 1e6:.2f} us a game")


def test_read_and_replay(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """The same file read into memory, and replayed from there."""
    chosen = games.all_games().first(BULK_GAMES)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([games.WEI7_TEXTS["compact"](game) for game in chosen.games]))
    check_results(wei7core.replay(path.read_bytes(), board=True), chosen.expected)
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.replay(path.read_bytes()) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_game"] = seconds / len(chosen.games) * 1e6


@pytest.fixture(scope="module")
def microseconds(summary: list[str]) -> Iterator[dict[tuple[str, str], float]]:
    """Collect microseconds a game by shape and program; print a comparison at the end."""
    timings: dict[tuple[str, str], float] = {}
    yield timings
    for (shape, name), game in timings.items():
        line = f"{shape} text, {name}: {game:.2f} us a game"
        if name == "replay" and (shape, "orjson.loads") in timings:
            line += f", {timings[shape, 'orjson.loads'] / game:.1f} times as fast as orjson.loads alone"
        summary.append(line)


@pytest.mark.parametrize("name", ["orjson.loads", "replay"])
@pytest.mark.parametrize("shape", games.WEI7_TEXTS)
def test_bulk_replay(
    benchmark: BenchmarkFixture, microseconds: dict[tuple[str, str], float], shape: str, name: str
) -> None:
    orjson = pytest.importorskip("orjson")
    chosen = games.all_games().first(BULK_GAMES if name == "replay" else ORJSON_GAMES)
    texts = [games.WEI7_TEXTS[shape](game) for game in chosen.games]
    assert len(set(texts)) == len(texts)
    if name == "replay":
        check_results(wei7core.replay(texts, board=True), chosen.expected)
    else:
        assert [games.moves_of(orjson.loads(text)) for text in texts] == [game.moves for game in chosen.games]
    benchmark.extra_info["correct"] = True

    def work() -> None:
        if name == "replay":
            wei7core.replay(texts)
        else:
            for text in texts:
                orjson.loads(text)

    gc.collect()
    gc.freeze()  # the games held here must not slow down the peer, whose objects have the collector at work
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    gc.unfreeze()
    if seconds := games.best_seconds(benchmark):
        microseconds[shape, name] = benchmark.extra_info["us_per_game"] = seconds / len(texts) * 1e6
