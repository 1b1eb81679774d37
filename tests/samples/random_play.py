"""Boards of every shape, and where on them random moves meet each other."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from oracles.board import OracleBoard

# Rows of more than 26 columns are cut into chunks inside: these widths have points on both sides of every cut.
WIDE_SIZES = [(26, 3), (27, 5), (29, 2), (30, 30), (52, 4), (53, 3), (60, 7), (79, 2), (105, 1), (3, 60), (1, 200)]
SIZES = st.one_of(st.tuples(st.integers(1, 25), st.integers(1, 25)), st.sampled_from(WIDE_SIZES))


def random_point(chance: random.Random, board: OracleBoard) -> tuple[int, int]:
    return chance.randrange(board.width), chance.randrange(board.height)


def region(chance: random.Random, board: OracleBoard) -> list[tuple[int, int]]:
    """Return the points of a small part of the board, so that random stones capture each other."""
    width, height = min(board.width, chance.randint(1, 9)), min(board.height, chance.randint(1, 6))
    left, top = chance.randint(0, board.width - width), chance.randint(0, board.height - height)
    return [(left + x, top + y) for x in range(width) for y in range(height)]
