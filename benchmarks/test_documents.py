"""What does a game cost as a document? Moves as objects, boards of nodes, writing again, `wei7core convert`.

On one core, against sgfmill in the same run; results are compared with what is known of the games before anything is
timed. The games are those of the corpus where it is, generated ones elsewhere.

    python -m pytest benchmarks/test_documents.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import sgf

import wei7core
from wei7core.cli.main import main

ROUNDS = 3
GAMES = 2_000
PEER_GAMES = 200
CONVERTED_GAMES = 5_000
FORK = 10
"""Moves before the variation that is added."""

Moves = list[tuple[int, int, str]]
"""(row, column, colour) of each move, from below as sgfmill counts; without passes."""


def moves_as_objects(texts: list[bytes]) -> Iterator[Any]:
    for text in texts:
        yield [node.move for node in wei7core.loads(text).main_line()]


def objects_of_sgfmill(texts: list[bytes]) -> Iterator[Any]:
    for text in texts:
        yield [node.get_move() for node in sgf.Sgf_game.from_bytes(text).get_main_sequence()]


def unchanged(texts: list[bytes]) -> Iterator[bytes]:
    for text in texts:
        yield wei7core.dumps(wei7core.loads(text), format="sgf")


def unchanged_by_sgfmill(texts: list[bytes]) -> Iterator[bytes]:
    for text in texts:
        yield sgf.Sgf_game.from_bytes(text).serialise()


def with_a_branch(texts: list[bytes]) -> Iterator[bytes]:
    for text in texts:
        game = wei7core.loads(text)
        cursor = game.cursor()
        cursor.forward(FORK)
        cursor.node.add_variation([None])  # a pass can be played anywhere
        yield wei7core.dumps(game, format="sgf")


def branch_by_sgfmill(texts: list[bytes]) -> Iterator[bytes]:
    for text in texts:
        game = sgf.Sgf_game.from_bytes(text)
        line = game.get_main_sequence()
        color, _ = line[min(FORK, len(line) - 1)].get_move()
        line[min(FORK, len(line) - 1)].new_child().set_move("w" if color == "b" else "b", None)
        yield game.serialise()


def boards_of_nodes(texts: list[bytes]) -> Iterator[wei7core.Board]:
    for text in texts:
        board = wei7core.Board(19)
        for node in wei7core.loads(text).main_line():
            board = node.board
        yield board


def sgfmill_moves(move: tuple[int, tuple[int, int] | None] | None) -> Moves:
    return [] if move is None or move[1] is None else [(18 - move[1][1], move[1][0], "?bw"[move[0]])]


def checked_objects(found: list[Any], chosen: games.Games) -> bool:
    return [[row for move in moves for row in sgfmill_moves(move)] for moves in found] == wanted(chosen)


def checked_peer(found: list[Any], chosen: games.Games) -> bool:
    return [[(*at, color) for color, at in moves if at is not None] for moves in found] == wanted(chosen)


def checked_texts(written: list[bytes], chosen: games.Games) -> bool:
    return checked_peer(list(objects_of_sgfmill(written)), chosen)


def checked_branches(written: list[bytes], chosen: games.Games) -> bool:
    children = 0
    for text in written:
        line = sgf.Sgf_game.from_bytes(text).get_main_sequence()
        children += len(line[min(FORK, len(line) - 1)])
    long_enough = sum(len(game.moves) > FORK for game in chosen.games)
    return checked_texts(written, chosen) and children == len(chosen.games) + long_enough


def checked_boards(last: list[wei7core.Board], chosen: games.Games) -> bool:
    found = [
        (corpus.sha16(corpus.board_text(board.to_array())), board.black_captured, board.white_captured)
        for board in last
    ]
    return found == chosen.expected


def wanted(chosen: games.Games) -> list[Moves]:
    return [games.sgfmill_moves(game) for game in chosen.games]


Work = Callable[[list[bytes]], Iterator[Any]]
Checked = Callable[[Any, games.Games], bool]
CASES: dict[str, tuple[Work, Checked, int]] = {
    "objects": (moves_as_objects, checked_objects, GAMES),
    "objects, sgfmill": (objects_of_sgfmill, checked_peer, PEER_GAMES),
    "unchanged": (unchanged, checked_texts, GAMES),
    "unchanged, sgfmill": (unchanged_by_sgfmill, checked_texts, PEER_GAMES),
    "branch": (with_a_branch, checked_branches, GAMES),
    "branch, sgfmill": (branch_by_sgfmill, checked_branches, PEER_GAMES),
    "boards": (boards_of_nodes, checked_boards, GAMES),
}


@pytest.mark.parametrize("case", CASES)
def test_document(benchmark: BenchmarkFixture, case: str) -> None:
    work, checked, count = CASES[case]
    chosen = games.all_games().first(count)
    texts = games.sgf_texts()[:count]
    assert len(set(texts)) == len(texts) == len(chosen.games)
    assert checked(list(work(texts)), chosen)
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: deque(work(texts), 0) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        unit, number = ("ns_per_move", 1e9 / chosen.move_count) if case == "boards" else ("us_per_game", 1e6 / count)
        benchmark.extra_info[unit] = seconds * number


@pytest.mark.parametrize("target", ["sgf", "jsonl", "sgf of jsonl", "jsonl of jsonl"])
def test_convert(benchmark: BenchmarkFixture, tmp_path: Path, target: str) -> None:
    """The command as a user calls it, from file to file; what a process needs to start is not in it."""
    chosen = games.all_games().first(CONVERTED_GAMES)
    target, _, lines_of = target.partition(" of ")
    source, out = tmp_path / "games.sgf", tmp_path / f"out.{target}"
    source.write_bytes(b"".join(games.sgf_texts()[:CONVERTED_GAMES]))
    if lines_of:
        lines = source.with_suffix(f".{lines_of}")
        assert main(["convert", str(source), str(lines), "--quiet"]) == 0
        source = lines

    def convert() -> None:
        assert main(["convert", str(source), str(out), "--quiet"]) == 0

    convert()
    found = list(wei7core.load_all(source))
    written = list(wei7core.load_all(out))
    assert [game.record.moves.tolist() for game in written] == [game.record.moves.tolist() for game in found]
    assert len(written) == len(chosen.games)
    if target == "jsonl":
        lines = out.read_bytes().splitlines()
        assert [games.moves_of(json.loads(line)) for line in lines] == [game.moves for game in chosen.games]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(convert, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_game"] = seconds / len(chosen.games) * 1e6
