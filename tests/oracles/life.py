"""Eyes and unconditional life, slow and straight from the definitions."""

from __future__ import annotations

from oracles.board import OracleBoard, Point

Points = frozenset[Point]


def connected(board: OracleBoard, points: set[Point]) -> set[Points]:
    """Return the connected parts of some points."""
    parts = set()
    remaining = set(points)
    while remaining:
        todo = [remaining.pop()]
        part = set(todo)
        while todo:
            adjacent = [point for point in board.neighbours(todo.pop()) if point in remaining]
            remaining.difference_update(adjacent)
            part.update(adjacent)
            todo += adjacent
        parts.add(frozenset(part))
    return parts


def pass_alive(board: OracleBoard, color: int) -> tuple[set[Point], set[Point]]:
    """Return the stones and the territory of Benson's algorithm.

    As in Life in the game of Go (1976): blocks without two vital regions go, then regions that one of them borders,
    until none does.
    """
    own = {point for point, stone in board.stones.items() if stone == color}
    others = {(x, y) for x in range(board.width) for y in range(board.height)} - own
    blocks, regions = connected(board, own), connected(board, others)

    def borders(block: Points, region: Points) -> bool:
        return any(other in region for stone in block for other in board.neighbours(stone))

    def is_vital(region: Points, block: Points) -> bool:
        empty = region - set(board.stones)
        return bool(empty) and all(any(other in block for other in board.neighbours(point)) for point in empty)

    while True:
        kept = {block for block in blocks if sum(is_vital(region, block) for region in regions) >= 2}
        given_up = blocks - kept
        if not given_up:
            break
        regions = {region for region in regions if not any(borders(block, region) for block in given_up)}
        blocks = kept
    vital = {region for region in regions if any(is_vital(region, block) for block in blocks)}
    return set().union(*blocks), set().union(*vital)


def is_eye(board: OracleBoard, point: Point, color: int) -> bool:
    """Return what `Board.is_eye` returns by its docstring."""
    x, y = point
    sides = board.neighbours(point)
    if point in board.stones or not sides or any(board.stones.get(side) != color for side in sides):
        return False
    if len({frozenset(board.block(side)) for side in sides}) == 1:
        return True
    diagonals = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
    against = sum(board.stones.get(diagonal) == 3 - color for diagonal in diagonals)
    return against <= (1 if len(sides) == 4 else 0)
