"""Counts of games and positions under rule sets: our own, counted twice, and those of the literature.

The literature is John Tromp and Gunnar Farnebäck, "Combinatorics of Go" (2016, https://tromp.github.io/go/gostate.pdf):
its tables of the number of games and of the average outdegree of positions, both under positional superko.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from oracles.board import EditedBoard, Point
from oracles.rules import verdicts

from wei7core.board.board import BLACK, WHITE, Board
from wei7core.errors import IllegalPositionError
from wei7core.rules import NAMED, TROMP_TAYLOR, Ko, Rules

pytestmark = pytest.mark.exhaustive

NATURAL = Rules(name="natural", ko=Ko.NATURAL, suicide=True)
RULES = {**NAMED, "natural": NATURAL}
ORACLE_SEQUENCES = 600
"""The oracle is slow: it counts again what has at most so many sequences."""

# Black and White in turn from the empty board, passes included, until so many moves are made, whatever the rule sets
# say of the end of games: (width, height), moves, how many positions such games end in, the same under all of these
# rule sets, and how many games there are under each of them. The oracle counted all of them once.
SETS = ("permissive", "ing", "japanese", "tromp-taylor", "aga", "new-zealand", "natural")
COUNTS = [
    ((1, 1), 8, 1, (256, 256, 1, 1, 1, 2, 25)),
    ((2, 1), 4, 5, (33, 27, 17, 17, 17, 23, 27)),
    ((2, 1), 8, 5, (783, 499, 67, 49, 49, 101, 301)),
    ((3, 1), 4, 15, (99, 99, 59, 59, 59, 93, 95)),
    ((3, 1), 9, 15, (12058, 12058, 2080, 1220, 1290, 3756, 5884)),
    ((2, 2), 4, 49, (217, 217, 193, 193, 193, 217, 217)),
    ((2, 2), 7, 57, (4017, 4017, 2697, 2617, 2641, 3609, 3721)),
    ((3, 2), 3, 114, (229, 229, 229, 229, 229, 229, 229)),
    ((3, 2), 5, 335, (4235, 4227, 3843, 3979, 3843, 4227, 4227)),
    ((3, 3), 4, 1367, (5517, 5517, 5453, 5453, 5453, 5517, 5517)),
]


def points_of(board: Board | EditedBoard) -> Iterator[Point]:
    return itertools.product(range(board.width), range(board.height))


def is_allowed(oracle: EditedBoard, rules: Rules, color: int, point: Point | None) -> bool:
    return verdicts(oracle, color, point, [rules]) == ["legal"]


def count(
    board: Board | EditedBoard, legal: Callable[[int, Point | None], object], color: int, depth: int, ends: set[bytes]
) -> int:
    """Return the number of sequences of legal moves, and add the positions that they end in."""
    if depth == 0:
        cells = board.to_array() if isinstance(board, Board) else np.array(board.rows, dtype=np.uint8)
        ends.add(cells.tobytes())
        return 1
    sequences = 0
    for point in [None, *points_of(board)]:
        if legal(color, point):
            board.play(color, point)
            sequences += count(board, legal, 3 - color, depth - 1, ends)
            board.undo(1)
    return sequences


@pytest.mark.parametrize(("size", "depth", "positions", "sequences"), COUNTS)
def test_perft(size: tuple[int, int], depth: int, positions: int, sequences: tuple[int, ...]) -> None:
    counted, counted_again = [], []
    for name, known in zip(SETS, sequences, strict=True):
        rules, board, ends = RULES[name], Board(*size), set[bytes]()
        legal = functools.partial(board.is_legal, rules=rules)
        counted.append((count(board, legal, BLACK, depth, ends), len(ends)))
        if known <= ORACLE_SEQUENCES:
            oracle, ends = EditedBoard(*size), set[bytes]()
            allowed = functools.partial(is_allowed, oracle, rules)
            counted_again.append((count(oracle, allowed, BLACK, depth, ends), len(ends)))
    assert counted == [(known, positions) for known in sequences]
    assert counted_again == [(known, positions) for known in sequences if known <= ORACLE_SEQUENCES]


def games(board: Board) -> int:
    """Return the number of games that continue from here, this one included: plays of any color, as passes allow."""
    number = 1
    for color, point in itertools.product((BLACK, WHITE), points_of(board)):
        if board.is_legal(color, point, TROMP_TAYLOR):
            board.play(color, point)
            number += games(board)
            board.undo()
    return number


@pytest.mark.parametrize(("width", "height", "number"), [(1, 1, 1), (1, 2, 9), (2, 1, 9), (1, 3, 907), (3, 1, 907)])
def test_number_of_games(width: int, height: int, number: int) -> None:
    """Games are simple paths from the empty board in the graph of positions: what positional superko lets be played."""
    assert games(Board(width, height)) == number


@pytest.mark.parametrize(
    ("width", "height", "degree"),
    [
        (1, 1, "0.000"),
        (1, 2, "2.400"),
        (1, 3, "2.800"),
        (4, 1, "3.512"),
        (2, 2, "3.368"),
        (3, 2, "4.728"),
        (2, 4, "6.208"),
    ],
)
def test_average_number_of_children(width: int, height: int, degree: str) -> None:
    """Positions that can follow a position, other than itself, by a stone of either color."""
    children = []
    for cells in itertools.product((0, 1, 2), repeat=width * height):
        try:
            board = Board.from_array(np.array(cells, dtype=np.uint8).reshape(height, width))
        except IllegalPositionError:
            continue
        after = set()
        for color, point in itertools.product((BLACK, WHITE), points_of(board)):
            if board.is_legal(color, point, TROMP_TAYLOR):
                board.play(color, point)
                after.add(board.to_array().tobytes())
                board.undo()
        children.append(len(after))
    assert f"{np.mean(children):.3f}" == degree
