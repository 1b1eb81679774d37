"""Light playouts, slow and straight from the docstring of `w7.playout`."""

from __future__ import annotations

import random

import oracles.score
from oracles.board import EditedBoard, OracleBoard, Point


def is_eye(board: OracleBoard, color: int, point: Point) -> bool:
    """Say whether an empty point is an eye, as `Board.is_eye` has it."""
    neighbours = board.neighbours(point)
    if not neighbours or any(board.stones.get(other) != color for other in neighbours):
        return False
    if set(neighbours) <= board.block(neighbours[0]):
        return True
    x, y = point
    corners = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
    against = sum(board.stones.get(corner) == 3 - color for corner in corners)
    return against < (2 if len(neighbours) == 4 else 1)


def may_play(board: OracleBoard, color: int, point: Point) -> bool:
    """Say whether a stone there is neither suicide nor the immediate recapture of a ko, and fills no eye."""
    if is_eye(board, color, point):
        return False
    before = board.before[-1][0] if board.before else None
    after = EditedBoard(board.width, board.height)  # which looks at the blocks beside the point alone
    after.stones = dict(board.stones)
    taken = after.play(color, point)
    return point in after.stones and not (taken == 1 and after.stones == before)


def playout(board: OracleBoard, color: int, chance: random.Random, max_moves: int) -> tuple[int, dict[Point, int]]:
    """Play a position to its end; return by how many points Black is ahead, and whose each point is."""
    board = board.copy(history=False)
    points = [(x, y) for y in range(board.height) for x in range(board.width)]
    passes = 0
    for _ in range(max_moves):
        options = [point for point in points if point not in board.stones and may_play(board, color, point)]
        board.play(color, options[int(chance.random() * len(options))] if options else None)
        passes = 0 if options else passes + 1
        if passes == 2:
            break
        color = 3 - color
    owners = oracles.score.owners(board)
    return sum({0: 0, 1: 1, 2: -1}[owner] for owner in owners.values()), owners
