"""What do the children of many positions cost, as columns, and what the nodes of a tree with their boards?

    python -m pytest benchmarks/test_expand.py --benchmark-timer=time.process_time

The rows are compared with `Board.children` before anything is timed. Jobs are measured by the clock on the wall, on all
processors: figures of a busy machine are meaningless.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import games
import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import wei7core as w7
from wei7core.board.board import Board
from wei7core.game.game import Game
from wei7core.tables.columns import Boards

POSITIONS = 100_000
CHECKED = 50
RULES = "japanese"
ROUNDS = 5

TREE_MOVES = 100_000
BRANCH_MOVES = 25
FORKS = 2
LINE_MOVES = 250

UNTIMED = {"POSITIONS": 2_000, "TREE_MOVES": 5_000}


@dataclass(frozen=True)
class Batch:
    """Real positions with the color to move, as bytes and packed, and the number of all children."""

    stones: npt.NDArray[np.uint8]
    colors: npt.NDArray[np.uint8]
    packed: Boards
    child_count: int


@pytest.fixture(scope="module")
def batch() -> Batch:
    stones, colors, packed = [], [], []
    for game in games.all_games().games:
        board = Board(19)
        for color, point in game.moves:
            stones.append(board.to_array())
            packed.append(board.position().packed)
            colors.append(color)
            board.play(color, point)
        if len(stones) >= POSITIONS:
            break
    array = np.array(stones[:POSITIONS])
    sizes = np.full(len(array), 19, np.int32)
    boards = Boards(sizes, sizes, np.frombuffer(b"".join(packed[:POSITIONS]), np.uint8))
    made = Batch(array, np.array(colors[:POSITIONS], np.uint8), boards, int((array == 0).sum()))
    check(made)
    return made


def check(batch: Batch) -> None:
    """Compare both ways in with each other, and some positions with `Board.children`."""
    columns = w7.expand(batch.stones, batch.colors, RULES).to_numpy()
    assert len(columns["parent"]) == batch.child_count
    for name, array in w7.expand(batch.packed, batch.colors, RULES, jobs=2).to_numpy().items():
        assert (array == columns[name]).all()
    for parent in range(0, len(batch.stones), len(batch.stones) // CHECKED):
        rows = slice(*np.searchsorted(columns["parent"], [parent, parent + 1]).tolist())
        stones = batch.stones[parent]
        children = Board.from_array(stones).children(int(batch.colors[parent]), RULES)
        for name in ("legal", "reason", "captured", "lost", "hash", "self_atari"):
            assert (columns[name][rows] == getattr(children, name)[stones == 0]).all()
        assert (np.stack([columns["y"][rows], columns["x"][rows]], axis=1) == np.argwhere(stones == 0)).all()


@pytest.mark.parametrize("form", ["bytes", "packed"])
def test_expand(benchmark: BenchmarkFixture, batch: Batch, summary: list[str], form: str) -> None:
    """All columns of all children; two tables are held in turn, so that memory comes from the machine only at first."""
    positions = batch.stones if form == "bytes" else batch.packed
    held: list[Any] = []

    def work() -> None:
        held[:] = [*held[-1:], w7.expand(positions, batch.colors, RULES)]

    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=3)
    benchmark.extra_info.update(positions=len(batch.stones), children=batch.child_count, correct=True)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["ns_per_child"] = seconds / batch.child_count * 1e9
        summary.append(f"expand, {form}: {batch.child_count / seconds / 1e6:.0f} million children a second")


@contextmanager
def all_processors() -> Iterator[None]:
    """Let the process run anywhere, as it did before it was bound to one processor."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize("jobs", [1, 2])
def test_expand_jobs(benchmark: BenchmarkFixture, batch: Batch, summary: list[str], jobs: int) -> None:
    """The same by the clock on the wall."""
    held: list[Any] = []
    seconds = []

    def work() -> None:
        begin = time.perf_counter()
        held[:] = [*held[-1:], w7.expand(batch.stones, batch.colors, RULES, jobs=jobs)]
        seconds.append(time.perf_counter() - begin)

    with all_processors():
        benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=3)
    benchmark.extra_info.update(positions=len(batch.stones), children=batch.child_count, correct=True)
    benchmark.extra_info["ns_per_child"] = min(seconds) / batch.child_count * 1e9
    summary.append(f"expand, jobs {jobs}: {batch.child_count / min(seconds) / 1e6:.0f} million children a second")


# --- trees ---------------------------------------------------------------------------------------


def add_moves(branch: w7.Branch, board: Board, count: int, chance: random.Random) -> int:
    """Play random moves on a board and at the end of a branch, as far as there is room; return how many."""
    made = 0
    while made < count and (empty := [p for _ in range(50) if not board[p := point_of(chance)]]):
        color = 3 - board.last_move[0] if board.last_move else w7.BLACK
        board.play(color, empty[0])
        branch.play(color, empty[0])
        made += 1
    return made


def read_again(game: Game) -> Game:
    """Return the game as it is when it comes from a file."""
    return w7.loads(w7.dumps(game))


def point_of(chance: random.Random) -> tuple[int, int]:
    return chance.randrange(19), chance.randrange(19)


@pytest.fixture(scope="module")
def tree() -> Game:
    """Return a game of 100,000 moves in branches, each of which forks; what grows is chosen at random."""
    chance = random.Random(1)
    game = Game(19)
    open_branches = [(game.tree, Board(19))]
    made = 0
    while made < TREE_MOVES:
        branch, board = open_branches.pop(chance.randrange(len(open_branches)))
        more = add_moves(branch, board, min(BRANCH_MOVES, TREE_MOVES - made), chance)
        if more:  # else the board is full
            made += more
            open_branches += [(branch.add_branch(), board.copy()) for _ in range(FORKS)]
    for branch in list(game.tree.walk()):
        branch.branches[:] = [below for below in branch.branches if below.steps]
    return read_again(game)


@pytest.fixture(scope="module")
def lines() -> list[Game]:
    """Return games without branches, of as many moves together."""
    chance = random.Random(2)
    made = []
    for _ in range(TREE_MOVES // LINE_MOVES):
        game = Game(19)
        assert add_moves(game.tree, Board(19), LINE_MOVES, chance) == LINE_MOVES
        made.append(read_again(game))
    return made


def time_walk(benchmark: BenchmarkFixture, summary: list[str], name: str, work: Callable[[], object]) -> None:
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(count=TREE_MOVES, correct=True)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["ns_per_move"] = seconds / TREE_MOVES * 1e9
        summary.append(f"{name}: {seconds / TREE_MOVES * 1e9:.0f} ns a move")


def test_walk_of_a_tree(benchmark: BenchmarkFixture, tree: Game, summary: list[str]) -> None:
    """Every node of every branch with its board."""
    nodes = list(tree.walk())
    assert sum(node.move is not None for node in nodes) == TREE_MOVES
    for node in nodes[:: len(nodes) // 20]:
        board = Board(19)
        for color, point in node.board.moves():
            board.play(color, point)
        assert (board.hash, board.move_count) == (node.board.hash, node.move_number)

    def work() -> None:
        for node in tree.walk():
            node.board  # noqa: B018 - the benchmark makes the board

    time_walk(benchmark, summary, "walk of a tree with its boards", work)


def test_walk_of_lines(benchmark: BenchmarkFixture, lines: list[Game], summary: list[str]) -> None:
    """The plain replay of as many moves: nothing is ever taken back."""

    def work() -> None:
        for game in lines:
            for node in game.main_line():
                node.board  # noqa: B018 - the benchmark makes the board

    time_walk(benchmark, summary, "walk of games without branches with their boards", work)


def test_play_of_lines(benchmark: BenchmarkFixture, lines: list[Game], summary: list[str]) -> None:
    """The same moves by `Board.play` alone, out of lists: no record, no nodes, one board a game."""
    moves = [[node.move for node in game.main_line() if node.move] for game in lines]

    def work() -> None:
        for line in moves:
            play = Board(19).play
            for color, point in line:
                play(color, point)

    time_walk(benchmark, summary, "Board.play of the same moves", work)
