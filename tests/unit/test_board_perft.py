"""Counts of all move sequences, in `tests/perft`, and of all positions of small boards."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
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


def read_counts() -> Iterator[tuple[int, int, str, int, int, int]]:
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
                yield width, height, colors, int(words[1]), int(words[2]), int(words[3])


def perft(board: Board | OracleBoard, colors: list[tuple[int, ...]], depth: int) -> tuple[int, int]:
    """Return the number of move sequences and the number of stones that their last moves remove."""
    sequences = removed = 0
    points = points_of(board.width, board.height)
    if isinstance(board, Board):
        empty = [point for point, cell in zip(points, board.to_array().tobytes(), strict=True) if not cell]
    else:
        empty = [point for point in points if point not in board.stones]
    play, undo = board.play, board.undo
    for color in colors[0]:
        for point in [None, *empty]:
            taken = play(color, point)
            if depth == 1:
                sequences += 1
                removed += taken
            else:
                counts = perft(board, [*colors[1:], colors[0]], depth - 1)
                sequences += counts[0]
                removed += counts[1]
            undo(1)
    return sequences, removed


@functools.cache
def points_of(width: int, height: int) -> list[tuple[int, int]]:
    """The points of a board, row by row."""
    return [(x, y) for y in range(height) for x in range(width)]


@pytest.mark.parametrize(("width", "height", "colors", "depth", "sequences", "removed"), list(read_counts()))
def test_perft(width: int, height: int, colors: str, depth: int, sequences: int, removed: int) -> None:
    assert perft(Board(width, height), COLORS[colors], depth) == (sequences, removed)
    if sequences <= ORACLE_SEQUENCES:
        assert perft(OracleBoard(width, height), COLORS[colors], depth) == (sequences, removed)


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
