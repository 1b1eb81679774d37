"""How fast does SGF become final positions? From the bytes of thousands of different games, on one core, to rows.

Final positions and captures are compared with those that others computed before anything is timed. The games are
those of the corpus where it is, generated ones elsewhere: the last line names which.

    python -m pytest benchmarks/test_sgf.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import boards, sgf

import wei7core
from wei7core.formats.sgf.decode import decode

ROUNDS = 5
FILES = 5_000
PEER = "sgfmill, parsing and replay"
PEER_PARSING = "sgfmill, parsing alone"
PARSING = "Record of each game, no replay"
REMARKS = "replay, games with time left and comments"
PEER_REMARKS = "sgfmill, games with time left and comments"
PEERS = (PEER, PEER_PARSING, PEER_REMARKS)
PEER_OF = {PARSING: PEER_PARSING, REMARKS: PEER_REMARKS}

Work = Callable[[list[bytes]], Any]
Finals = Callable[[Any], list[games.Final] | None]


def replayed(texts: list[bytes]) -> wei7core.Results:
    """The games as one collection."""
    return wei7core.replay(b"".join(texts), board=True)


def row_finals(rows: wei7core.Results) -> list[games.Final]:
    return [(corpus.sha16(row.board), row.black_captured, row.white_captured) for row in rows]


def moves_of_records(records: list[wei7core.Record]) -> list[games.Final]:
    """What the decoded moves lead to; their replay is not timed."""
    finals = []
    for record in records:
        board = wei7core.Board(record.width, record.height)
        for color, point in games.moves_of_columns(record.steps):
            board.play(color, point)
        text = corpus.board_text(board.to_array())
        finals.append((corpus.sha16(text), board.black_captured, board.white_captured))
    return finals


def sgfmill_moves(game: sgf.Sgf_game) -> list[tuple[int, int, str]]:
    moves = [node.get_move() for node in game.get_main_sequence()]
    return [(*point, color) for color, point in moves if point is not None]


def sgfmill_replay(texts: list[bytes]) -> list[tuple[boards.Board, list[tuple[int, int, str]]]]:
    done = []
    for text in texts:
        moves = sgfmill_moves(sgf.Sgf_game.from_bytes(text))
        board = boards.Board(19)
        for row, column, color in moves:
            board.play(row, column, color)
        done.append((board, moves))
    return done


def sgfmill_parse(texts: list[bytes]) -> list[list[tuple[int, int, str]]]:
    return [sgfmill_moves(sgf.Sgf_game.from_bytes(text)) for text in texts]


WAYS: dict[str, tuple[Work, Finals, int]] = {
    "replay, final positions": (replayed, row_finals, 20_000),
    REMARKS: (replayed, row_finals, 5_000),
    "replay, a row object a game": (lambda texts: wei7core.replay(texts, board=True), row_finals, 5_000),
    PARSING: (lambda texts: [decode(text) for text in texts], moves_of_records, 2_000),
    PEER: (sgfmill_replay, lambda done: [games.sgfmill_final(moves, board) for board, moves in done], 300),
    PEER_REMARKS: (sgfmill_replay, lambda done: [games.sgfmill_final(moves, board) for board, moves in done], 300),
    PEER_PARSING: (sgfmill_parse, lambda done: [games.sgfmill_final(moves) for moves in done], 300),
}  # fmt: skip


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, tuple[float, float, float]]]:
    """Collect nanoseconds a move, microseconds a game and megabytes a second; print a comparison at the end."""
    timings: dict[str, tuple[float, float, float]] = {}
    yield timings
    for name, (move, game, speed) in timings.items():
        line = f"SGF by {name}: {move:.1f} ns a move, {game:.2f} us a game, {speed:.0f} MB/s"
        peer = PEER_OF.get(name, PEER)
        if peer in timings and name not in PEERS:
            line += f", {timings[peer][0] / move:.0f} times {peer}"
        summary.append(line)
    if timings:
        summary.append(f"SGF games: {'generated' if corpus.folder() is None else 'of the corpus'}, all different")


@pytest.mark.parametrize("name", WAYS)
def test_sgf(benchmark: BenchmarkFixture, timings: dict[str, tuple[float, float, float]], name: str) -> None:
    work, finals, count = WAYS[name]
    chosen = games.all_games().first(count)
    texts = (games.sgf_texts_with_remarks() if name in (REMARKS, PEER_REMARKS) else games.sgf_texts())[:count]
    assert len(set(texts)) == len(texts) == len(chosen.games)
    assert finals(work(texts)) == chosen.expected
    benchmark.extra_info["correct"] = True

    benchmark.pedantic(lambda: work(texts) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        size = sum(map(len, texts))
        timings[name] = (seconds / chosen.move_count * 1e9, seconds / len(texts) * 1e6, size / seconds / 1e6)
        benchmark.extra_info["ns_per_move"], benchmark.extra_info["us_per_game"], _ = timings[name]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games as files of a folder."""
    folder = tmp_path_factory.mktemp("games")
    for number, text in enumerate(games.sgf_texts()[:FILES]):
        (folder / f"{number:05}.sgf").write_bytes(text)
    return folder


@pytest.mark.parametrize("name", ["replay", "read_bytes"])
def test_folder(benchmark: BenchmarkFixture, summary: list[str], folder: Path, name: str) -> None:
    """`w7.replay` of a folder of small files that are in the cache, and the same files read by `pathlib`."""
    chosen = games.all_games().first(FILES)
    assert row_finals(wei7core.replay(folder, board=True)) == chosen.expected
    benchmark.extra_info["correct"] = True

    def work() -> None:
        if name == "replay":
            wei7core.replay(folder)
        else:
            for path in sorted(folder.iterdir()):
                path.read_bytes()

    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_game"] = seconds / FILES * 1e6
        summary.append(f"SGF files of a folder by {name}: {seconds / FILES * 1e6:.2f} us a game")
