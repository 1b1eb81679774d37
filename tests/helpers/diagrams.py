"""Positions drawn in text: a row a line, `.`, `X` (black), `O` (white), and letters for empty points with a name."""

from __future__ import annotations

import numpy as np
from oracles.board import OracleBoard

from wei7core.board.board import Board


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def board(text: str) -> Board:
    return Board.from_array(np.array([[max(0, ".XO".find(cell)) for cell in row] for row in rows(text)]))


def named(text: str, names: str) -> set[tuple[int, int]]:
    """Return the points that have one of these letters."""
    return {(x, y) for y, row in enumerate(rows(text)) for x, cell in enumerate(row) if cell in names}


def copied(oracle: OracleBoard) -> Board:
    """Return a board with the same moves."""
    board = Board(oracle.width, oracle.height)
    for color, point in oracle.moves:
        board.play(color, point)
    return board
