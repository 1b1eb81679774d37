"""What do blocks, ladders, unconditional life and sets of points cost, from Python, a position? On one core.

The positions come from the middle and the end of distinct games. The first ones are compared with the slow oracles of
the tests before anything is timed. Sets of points are timed compared with frozensets of the same points.

    python -m pytest benchmarks/test_blocks.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator

import games
import pytest
from oracles import ladder as ladder_oracle
from oracles import life as life_oracle
from oracles.board import EditedBoard
from pytest_benchmark.fixture import BenchmarkFixture

from wei7core import BLACK, WHITE, Board, PointSet

POSITIONS = 2_000
CHECKED = 20
ROUNDS = 5
UNTIMED = {"POSITIONS": 100}


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """Return a position of each game: of some in the middle, of some near the end."""
    boards = []
    for number, game in enumerate(games.all_games().games[:POSITIONS]):
        board = Board(19)
        for color, point in game.moves[: 60 + number % 180]:
            board.play(color, point)
        boards.append(board)
    return boards


@pytest.fixture(scope="module")
def oracles(boards: list[Board]) -> list[EditedBoard]:
    """Return the first positions as the oracle holds them."""
    oracles = []
    for board in boards[:CHECKED]:
        oracle = EditedBoard(19, 19)
        for color, point in board.moves():
            oracle.play(color, point)
        assert oracle.rows == board.to_array().tolist()
        oracles.append(oracle)
    return oracles


@pytest.fixture(scope="module")
def costs(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect microseconds each; list them at the end."""
    costs: dict[str, float] = {}
    yield costs
    summary += [f"{name}: {cost:.2f} us" for name, cost in costs.items()]


def time_each(
    benchmark: BenchmarkFixture, costs: dict[str, float], name: str, work: Callable[[], object], count: int
) -> None:
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(count=count, correct=True)
    if seconds := games.best_seconds(benchmark):
        costs[name] = benchmark.extra_info["us_each"] = seconds / count * 1e6


def test_all_blocks(
    benchmark: BenchmarkFixture, boards: list[Board], oracles: list[EditedBoard], costs: dict[str, float]
) -> None:
    for board, oracle in zip(boards, oracles, strict=False):
        blocks = board.blocks()
        assert set(blocks) == {frozenset(oracle.block(point)) for point in oracle.stones}
        assert all(block.liberties == oracle.liberties(min(block)) for block in blocks)

    def work() -> None:
        for board in boards:
            board.blocks()

    time_each(benchmark, costs, "all blocks of a position", work, len(boards))


def test_one_block(benchmark: BenchmarkFixture, boards: list[Board], costs: dict[str, float]) -> None:
    """The block of the last move, with its liberties counted."""
    asked = [(board, board.last_move[1]) for board in boards if board.last_move and board.last_move[1]]
    assert all(board.block(point).liberties == board.liberties(point) for board, point in asked)
    in_atari = operator.attrgetter("in_atari")

    def work() -> None:
        for board, point in asked:
            in_atari(board.block(point))

    time_each(benchmark, costs, "a block and whether it is in atari", work, len(asked))


def test_pass_alive(
    benchmark: BenchmarkFixture, boards: list[Board], oracles: list[EditedBoard], costs: dict[str, float]
) -> None:
    for board, oracle in zip(boards, oracles, strict=False):
        for color in (BLACK, WHITE):
            assert board.pass_alive(color) == life_oracle.pass_alive(oracle, color)

    def work() -> None:
        for board in boards:
            board.pass_alive(BLACK)
            board.pass_alive(WHITE)

    time_each(benchmark, costs, "what lives of one color", work, 2 * len(boards))


def test_ladders(
    benchmark: BenchmarkFixture, boards: list[Board], oracles: list[EditedBoard], costs: dict[str, float]
) -> None:
    """Every block of one or two liberties, its owner or the opponent first as is the default."""
    asked = [
        (board, min(block)) for board in boards for block in board.blocks() if 1 <= len(block.liberties) <= 2
    ]  # fmt: skip
    checked = 0
    for board, oracle in zip(boards, oracles, strict=False):
        for point in {min(oracle.block(point)) for point in oracle.stones if len(oracle.liberties(point)) <= 2}:
            reader = ladder_oracle.Reader(oracle, point)
            moves = len(oracle.moves)
            try:
                assert board.ladder(point).captured == reader.is_captured(reader.first())
                checked += 1
            except ladder_oracle.TooLongError:
                oracle.undo(len(oracle.moves) - moves)
    assert checked > CHECKED
    ladders = [board.ladder(point) for board, point in asked]
    assert all(ladder.captured is not None for ladder in ladders)
    benchmark.extra_info.update(
        nodes=sum(ladder.nodes for ladder in ladders), most_nodes=max(ladder.nodes for ladder in ladders)
    )

    def work() -> None:
        for board, point in asked:
            board.ladder(point)

    time_each(benchmark, costs, "a ladder", work, len(asked))


SETS = {
    "union": lambda a, b: a | b,
    "intersection": lambda a, b: a & b,
    "difference": lambda a, b: a - b,
    "subset": lambda a, b: a <= b,
    "length": lambda a, b: len(a),
    "membership": lambda a, b: (9, 9) in a,
}


@pytest.mark.parametrize("kind", ["PointSet", "frozenset"])
@pytest.mark.parametrize("operation", SETS)
def test_sets(
    benchmark: BenchmarkFixture, boards: list[Board], costs: dict[str, float], kind: str, operation: str
) -> None:
    """The stones of Black and the neighbours of those of White."""
    apply = SETS[operation]
    pairs = []
    for board in boards:
        array = board.to_array()
        pairs.append((PointSet.from_array(array == BLACK), PointSet.from_array(array == WHITE).dilate()))
    plain = [(frozenset(a), frozenset(b)) for a, b in pairs]
    assert [apply(a, b) for a, b in pairs] == [apply(a, b) for a, b in plain]
    chosen = pairs if kind == "PointSet" else plain

    def work() -> None:
        for a, b in chosen:
            apply(a, b)

    time_each(benchmark, costs, f"{operation} of two {kind}s", work, len(chosen))


def test_dilate(benchmark: BenchmarkFixture, boards: list[Board], costs: dict[str, float]) -> None:
    sets = [PointSet.from_array(board.to_array() == BLACK) for board in boards]
    for points in sets[:CHECKED]:
        board = EditedBoard(19, 19)
        assert points.dilate() == points.union(*map(board.neighbours, points))
    time_each(benchmark, costs, "points and their neighbours", lambda: [a.dilate() for a in sets], len(sets))
