"""Counts of all move sequences, in `tests/perft`, and of all positions of small boards."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path

import numpy as np
import pytest
from oracles.board import OracleBoard

from wei7core.board.board import Board
from wei7core.errors import IllegalPositionError

pytestmark = pytest.mark.exhaustive

FOLDER = Path(__file__).resolve().parent.parent / "perft"
COLORS: dict[str, list[tuple[int, ...]]] = {"alternate": [(1,), (2,)], "both": [(1, 2)]}
ORACLE_SEQUENCES = 4_000
"""The oracle is slow: it counts again what has at most so many sequences."""


def read_counts() -> dict[tuple[int, int, str], dict[int, tuple[int, int]]]:
    """Return the counts of each depth, by the size of the board and the colors."""
    found: dict[tuple[int, int, str], dict[int, tuple[int, int]]] = {}
    for path in sorted(FOLDER.glob("*.perft")):
        width = height = 0
        colors = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if words[:1] == ["size"]:
                width, height = int(words[1]), int(words[2])
            elif words[:1] == ["colors"]:
                colors = words[1]
            elif words[:1] == ["perft"]:
                found.setdefault((width, height, colors), {})[int(words[1])] = int(words[2]), int(words[3])
    return found


COUNTS = read_counts()


def perft(board: Board | OracleBoard, colors: list[tuple[int, ...]], depth: int) -> list[tuple[int, int]]:
    """Return the number of move sequences of each length, and the number of stones that their last moves remove."""
    sequences, removed = [0] * depth, [0] * depth
    add_counts(board, colors, 0, depth - 1, sequences, removed)
    return list(zip(sequences, removed, strict=True))


def add_counts(
    board: Board | OracleBoard,
    colors: list[tuple[int, ...]],
    length: int,
    last: int,
    sequences: list[int],
    removed: list[int],
) -> None:
    points = points_of(board.width, board.height)
    if isinstance(board, Board):
        empty = [point for point, cell in zip(points, board.to_array().tobytes(), strict=True) if not cell]
    else:
        empty = [point for point in points if point not in board.stones]
    play, undo = board.play, board.undo
    next_colors = [*colors[1:], colors[0]]
    for color in colors[0]:
        for point in [None, *empty]:
            removed[length] += play(color, point)
            sequences[length] += 1
            if length < last:
                add_counts(board, next_colors, length + 1, last, sequences, removed)
            undo(1)


@functools.cache
def points_of(width: int, height: int) -> list[tuple[int, int]]:
    """The points of a board, row by row."""
    return [(x, y) for y in range(height) for x in range(width)]


@pytest.mark.parametrize(("width", "height", "colors"), list(COUNTS))
def test_perft(width: int, height: int, colors: str) -> None:
    counts = COUNTS[width, height, colors]
    assert list(counts) == list(range(1, len(counts) + 1))
    assert perft(Board(width, height), COLORS[colors], len(counts)) == list(counts.values())
    depth = max(depth for depth, (sequences, _) in counts.items() if sequences <= ORACLE_SEQUENCES)
    assert perft(OracleBoard(width, height), COLORS[colors], depth) == list(counts.values())[:depth]


@pytest.mark.parametrize(
    ("width", "height", "positions"), [(1, 1, 1), (2, 1, 5), (1, 3, 15), (2, 2, 57), (3, 2, 489), (3, 3, 12_675)]
)
def test_number_of_legal_positions(width: int, height: int, positions: int) -> None:
    """For squares, sequence A094777 of the OEIS."""
    legal = 0
    for cells in itertools.product((0, 1, 2), repeat=width * height):
        try:
            Board.from_array(np.array(cells, dtype=np.uint8).reshape(height, width))
        except IllegalPositionError as error:
            assert error.reason == "no-liberty"
        else:
            legal += 1
    assert legal == positions
