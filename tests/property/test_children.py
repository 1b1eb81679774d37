"""Every child of a position, with every instruction set: against the oracle, which plays each move."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers import native
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import children as children_oracle
from oracles.board import EditedBoard, Point
from oracles.rules import EVERY_RULE
from samples import corpus
from samples.random_play import SIZES, region

from wei7core.board.board import Board
from wei7core.rules import PERMISSIVE, Rules

pytestmark = pytest.mark.exhaustive  # compiles an extension

# The largest boards that have planes, those next to them that have none, and the least ones.
EDGES = [(62, 8), (63, 7), (22, 22), (2, 170), (2, 171), (1, 255), (1, 256), (21, 23), (19, 19), (1, 1), (1, 2), (2, 2)]
ALL_SIZES = st.one_of(SIZES, st.sampled_from(EDGES))
SMALL_SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))
FEW_SIZES = st.sampled_from(
    [(1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (3, 3), (4, 3), (5, 5), (19, 19), (27, 3), (26, 20)]
)
COLUMNS = ("hash", "captured", "lost", "reason", "legal", "self_atari")
TYPES = ("u8", "i4", "i4", "u1", "?", "?")

Columns = dict[str, npt.NDArray[Any]]


def found(board: Board, color: int, rules: Rules) -> Columns:
    """Return what `Board.children` finds, when all instruction sets have found the same."""
    children = board.children(color, rules)
    columns: Columns = {name: getattr(children, name) for name in COLUMNS}
    for way in native.children().WAYS:
        arrays = [np.empty((board.height, board.width), dtype) for dtype in TYPES]
        assert native.children().children(board, way, color, rules.ko, rules.suicide, arrays) == 0
        for name, array in zip(COLUMNS, arrays, strict=True):
            assert (array == columns[name]).all(), (way, name)
    return columns


def compare(board: Board, oracle: EditedBoard, rules: list[Rules]) -> None:
    """Compare the children of both colours, and what rule sets say of them."""
    before = (board.hash, board.moves(), board._edits, board._work)
    for color in (1, 2):
        expected = children_oracle.children(oracle, color)
        reasons = children_oracle.reasons(oracle, color, rules)
        for each, reason in zip(rules, reasons, strict=True):
            columns = found(board, color, each)
            for name in ("hash", "captured", "lost", "self_atari"):
                assert columns[name].tolist() == getattr(expected, name), name
            assert columns["reason"].tolist() == reason, each
            assert (columns["legal"] == (columns["reason"] == 0)).all()
    assert before == (board.hash, board.moves(), board._edits, board._work)
    board._check()


def both(size: Point) -> tuple[Board, EditedBoard]:
    return Board(*size), EditedBoard(*size)


def edit(board: Board, oracle: EditedBoard, stones: list[tuple[int, Point]]) -> None:
    board.edit(stones)
    oracle.edit(stones)


def play(board: Board, oracle: EditedBoard, color: int, point: Point | None) -> None:
    if point is None or point not in oracle.stones:
        board.play(color, point)
        oracle.play(color, point)


@settings(max_examples=examples(200))
@given(size=SMALL_SIZES, chance=chances(), share=st.floats(0, 1), black=st.floats(0, 1))
def test_random_positions(size: Point, chance: random.Random, share: float, black: float) -> None:
    """Random stones, with full boards and blocks without liberties among them."""
    board, oracle = both(size)
    points = [(x, y) for y in range(size[1]) for x in range(size[0]) if chance.random() < share]
    edit(board, oracle, [(1 if chance.random() < black else 2, point) for point in points])
    compare(board, oracle, [PERMISSIVE])


@settings(max_examples=examples(15))
@given(size=ALL_SIZES, chance=chances(), share=st.floats(0.3, 1))
def test_random_positions_of_every_size(size: Point, chance: random.Random, share: float) -> None:
    board, oracle = both(size)
    points = [point for _ in range(3) for point in region(chance, oracle) if chance.random() < share]
    edit(board, oracle, [(chance.randint(1, 2), point) for point in points])
    compare(board, oracle, [PERMISSIVE])


@settings(max_examples=examples(40))
@given(size=ALL_SIZES, chance=chances(), color=st.integers(1, 2))
def test_boards_full_but_for_a_few_points(size: Point, chance: random.Random, color: int) -> None:
    """Long blocks with few liberties, far away from each other."""
    board, oracle = both(size)
    points = [(x, y) for y in range(size[1]) for x in range(size[0])]
    stones = dict.fromkeys(points, color)
    for _ in range(chance.randint(0, 4)):
        for point in region(chance, oracle):
            if chance.random() < 0.7:
                stones[point] = 3 - color
    for point in chance.sample(points, min(len(points), chance.randint(0, 6))):
        del stones[point]
    edit(board, oracle, [(stone, point) for point, stone in stones.items()])
    compare(board, oracle, [PERMISSIVE])


@settings(max_examples=examples(50))
@given(size=FEW_SIZES, chance=chances(), length=st.integers(0, 80))
def test_every_rule_in_dense_games(size: Point, chance: random.Random, length: int) -> None:
    """Captures, ko, suicide and repetitions on a few points."""
    board, oracle = both(size)
    left, top = chance.randrange(size[0]), chance.randrange(size[1])
    points = [(x, y) for x in range(left, min(left + 4, size[0])) for y in range(top, min(top + 3, size[1]))]
    if chance.random() < 0.3:
        edit(board, oracle, [(chance.randint(0, 2), point) for point in points])
    for number in range(length):
        color = 1 + number % 2 if chance.random() < 0.9 else chance.randint(1, 2)
        play(board, oracle, color, chance.choice(points) if chance.random() < 0.95 else None)
    if chance.random() < 0.2:
        edit(board, oracle, [(chance.randint(0, 2), chance.choice(points))])
    compare(board, oracle, EVERY_RULE if len(board.children(1)) < 60 else chance.sample(EVERY_RULE, 2))


@settings(max_examples=examples(20))
@given(chance=chances(), size=st.sampled_from([(19, 19), (13, 13), (25, 20), (40, 30)]))
def test_ko_on_large_boards(chance: random.Random, size: Point) -> None:
    """Kos, sent stones and captures of two for one, anywhere: each rule set in turn."""
    board, oracle = both(size)
    x, y = chance.randrange(1, size[0] - 3), chance.randrange(1, size[1] - 2)
    shape = [
        (1, (x, y - 1)),
        (1, (x - 1, y)),
        (1, (x, y + 1)),
        (2, (x + 1, y - 1)),
        (2, (x + 2, y)),
        (2, (x + 1, y + 1)),
    ]
    edit(board, oracle, [(chance.choice([color, color, color, 0]), point) for color, point in shape])
    color = 1
    for _ in range(chance.randint(0, 12)):
        play(board, oracle, color, chance.choice([(x, y), (x + 1, y), (x, y - 1), None]))
        color = 3 - color
    compare(board, oracle, [chance.choice(EVERY_RULE)])


def games_to_walk() -> list[corpus.Game]:
    path = corpus.folder()
    return list(corpus.generated_games(20) if path is None else corpus.tygem_games(path, limit=100))


def test_all_positions_of_games_by_playing_each_move() -> None:
    """Every child of every position, by the kernel's own moves; the sums distinguish points."""
    batch = native.children().batch
    like = Board(19)
    for game in games_to_walk():
        board, positions = Board(19), []
        for color, point in game.moves:
            positions.append(native.children().kept(board, color))
            board.play(color, point)
        kept = b"".join(positions)
        played = batch(like, None, kept)
        assert [batch(like, way, kept) for way in native.children().WAYS] == [played] * len(native.children().WAYS), (
            game.id
        )


@pytest.mark.parametrize("size", [(7, 7), (9, 13), (62, 8), (2, 170)])
def test_long_dense_games_by_playing_each_move(size: Point) -> None:
    """Games of random moves until every block is short of liberties."""
    chance = random.Random(f"{size}")
    batch, positions, board = native.children().batch, [], Board(*size)
    for number in range(6000):
        point = chance.randrange(size[0]), chance.randrange(size[1])
        if board[point] == 0:
            board.play(1 + number % 2, point)
            positions.append(native.children().kept(board, chance.randint(1, 2)))
    kept = b"".join(positions[::3])
    played = batch(board, None, kept)
    for way in native.children().WAYS:
        assert batch(board, way, kept) == played, way


@pytest.mark.parametrize("size", [(100, 100), (300, 2), (2, 300)])
def test_random_games_on_large_boards(size: Point) -> None:
    chance = random.Random(f"{size}")
    board, positions = Board(*size), []
    points = [(x, y) for y in range(size[1]) for x in range(size[0])]
    for number, point in enumerate(chance.sample(points, len(points) * 9 // 10)):
        if board[point] == 0:
            board.play(chance.randint(1, 2), point)
        if number % (len(points) // 6) == 0:
            positions.append(native.children().kept(board, 1 + number % 2))
    kept = b"".join(positions)
    assert native.children().batch(board, "any board", kept) == native.children().batch(board, None, kept)
