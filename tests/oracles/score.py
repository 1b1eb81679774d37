"""Scores, slow and straight from the definitions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from oracles.board import OracleBoard, Point
from wei7core.rules import Compensation, Rules, Scoring


def owners(board: OracleBoard) -> dict[Point, int]:
    """Return whose each point is: that of its stone, or of the only color it reaches.

    An empty point reaches a color if a path of empty points leads from it to a stone of the color (Tromp and Taylor):
    so all points that empty points join reach the same colors.
    """
    found = dict(board.stones)
    points = [(x, y) for y in range(board.height) for x in range(board.width)]
    for point in points:
        if point in found:
            continue
        joint, todo, reached = {point}, [point], set()
        while todo:
            for other in board.neighbours(todo.pop()):
                if other in board.stones:
                    reached.add(board.stones[other])
                elif other not in joint:
                    joint.add(other)
                    todo.append(other)
        found |= dict.fromkeys(joint, reached.pop() if len(reached) == 1 else 0)
    return {point: found[point] for point in points}


def whole_blocks(board: OracleBoard, points: Iterable[Point]) -> set[Point]:
    return {stone for point in points for stone in board.block(point)}


def score(
    board: OracleBoard, rules: Rules, dead: Iterable[Point], komi: Fraction, handicap: int, seki: Iterable[Point]
) -> tuple[Fraction, dict[Point, int]]:
    """Return what Black has more than White, and whose each point is."""
    gone = whole_blocks(board, dead)
    bare = OracleBoard(board.width, board.height)
    bare.stones = {point: color for point, color in board.stones.items() if point not in gone}
    owner = owners(bare)
    if not rules.seki:
        in_seki = whole_blocks(bare, [point for point in seki if point in bare.stones])
        named = {point for point in seki if point not in bare.stones}
        adjacent = {other for stone in in_seki for other in bare.neighbours(stone) if other not in bare.stones}
        for point in owner:
            if point not in bare.stones and any(joined(bare, point, other) for other in named | adjacent):
                owner[point] = 0
    lead = -komi
    if handicap >= 2:
        lead -= {Compensation.NONE: 0, Compensation.EACH: handicap, Compensation.EACH_BUT_ONE: handicap - 1}[
            rules.compensation
        ]
    sign = {0: 0, 1: 1, 2: -1}
    if rules.scoring is Scoring.AREA:
        return lead + sum(sign[color] for color in owner.values()), owner
    lead += sum(sign[color] for point, color in owner.items() if point not in bare.stones)
    lead += board.captured[2] - board.captured[1]
    lead -= sum(sign[board.stones[point]] for point in gone)
    if rules.pass_stones:
        lead -= sum(sign[color] for color, point in board.moves if point is None)
    return lead, owner


def joined(board: OracleBoard, one: Point, two: Point) -> bool:
    """Return whether empty points lead from one empty point to the other."""
    seen, todo = {one}, [one]
    while todo:
        for other in board.neighbours(todo.pop()):
            if other not in board.stones and other not in seen:
                seen.add(other)
                todo.append(other)
    return two in seen
