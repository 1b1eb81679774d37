"""Light playouts, slow and straight from the docstring of `w7.playout`; sets of points are the bits of integers."""

from __future__ import annotations

import functools
import random

import oracles.score
from oracles.board import OracleBoard, Point

Owners = dict[Point, int]


class Geometry:
    """The points of a board, row by row: point (x, y) is bit y * width + x."""

    def __init__(self, width: int, height: int) -> None:
        self.points = [(x, y) for y in range(height) for x in range(width)]
        self.bits = {point: 1 << number for number, point in enumerate(self.points)}
        self.all = (1 << width * height) - 1
        self.width = width
        self.left, self.right = (sum(self.bits[x, y] for y in range(height)) for x in (0, width - 1))
        bit = self.bits.get
        self.next_to = {
            one: bit((x - 1, y), 0) | bit((x + 1, y), 0) | bit((x, y - 1), 0) | bit((x, y + 1), 0)
            for (x, y), one in self.bits.items()
        }
        self.corners = {
            one: bit((x - 1, y - 1), 0) | bit((x + 1, y - 1), 0) | bit((x - 1, y + 1), 0) | bit((x + 1, y + 1), 0)
            for (x, y), one in self.bits.items()
        }

    def around(self, points: int) -> int:
        """Return the points next to some points; some of these may be among them."""
        across = (points & ~self.right) << 1 | (points & ~self.left) >> 1
        return (across | points << self.width | points >> self.width) & self.all

    def block(self, stones: int, stone: int) -> int:
        """Return all stones that are connected with one of them."""
        block = new = stone
        while new:
            new = self.around(new) & stones & ~block
            block |= new
        return block


geometry = functools.cache(Geometry)


def is_eye(on: Geometry, own: int, other: int, point: int) -> bool:
    """Return whether an empty point is an eye, as `Board.is_eye` has it."""
    neighbours = on.next_to[point]
    if not neighbours or neighbours & ~own:
        return False
    against = (on.corners[point] & other).bit_count()
    if against < (2 if neighbours.bit_count() == 4 else 1):
        return True
    return not neighbours & ~on.block(own, neighbours & -neighbours)


def take(on: Geometry, own: int, other: int, point: int) -> int:
    """Return the stones of the other color that a stone on a point takes."""
    empty = on.all & ~own & ~other & ~point
    taken, remaining = 0, on.next_to[point] & other
    while remaining:
        block = on.block(other, remaining & -remaining)
        remaining &= ~block
        if not on.around(block) & empty:
            taken |= block
    return taken


def options(on: Geometry, own: int, other: int, before: tuple[int, int] | None) -> list[int]:
    """Return the points where a stone is neither suicide nor the recapture of a ko, and fills no eye, row by row.

    `before`: own and other stones before the last move.
    """
    empty = on.all & ~own & ~other
    found = []
    for point in on.next_to:
        if not point & empty:
            continue
        if not on.next_to[point] & empty:  # else it is no suicide and no eye, and no stone was just taken from there
            taken = take(on, own, other, point)
            if not taken and not on.around(on.block(own | point, point)) & empty & ~point:
                continue
            if (taken and before == (own | point, other & ~taken)) or is_eye(on, own, other, point):
                continue
        found.append(point)
    return found


def playout(board: OracleBoard, color: int, chance: random.Random, max_moves: int) -> tuple[int, Owners]:
    """Play a position to its end; return by how many points Black is ahead, and whose each point is."""
    on = geometry(board.width, board.height)
    own, other = (sum(on.bits[at] for at, stone in board.stones.items() if stone == of) for of in (color, 3 - color))
    before = None
    passes = 0
    for _ in range(max_moves):
        allowed = options(on, own, other, before)
        before = other, own  # in the order of the next player
        if allowed:
            point = allowed[int(chance.random() * len(allowed))]
            own, other = own | point, other & ~take(on, own, other, point)
        passes = 0 if allowed else passes + 1
        if passes == 2:
            break
        own, other, color = other, own, 3 - color
    end = OracleBoard(board.width, board.height)
    stones = {color: own, 3 - color: other}
    end.stones = {at: of for of, where in stones.items() for at, bit in on.bits.items() if where & bit}
    owners = oracles.score.owners(end)
    return sum({0: 0, 1: 1, 2: -1}[owner] for owner in owners.values()), owners
