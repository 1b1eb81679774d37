"""Training rows, made position by position by the slow board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from oracles import found
from oracles.board import EditedBoard, Point, Stones

HISTORY = 8


@dataclass
class Row:
    """A row as `wei7core.samples` has it, under no symmetry."""

    game: int
    move_number: int
    planes: npt.NDArray[np.uint8]
    policy: int
    value: float
    legal: npt.NDArray[np.bool_]
    ownership: npt.NDArray[np.int8]


def rows_of(game: found.Listed, number: int) -> list[Row]:
    """The rows of a game, that of the number `number` of the input."""
    frames = found.frames(game)
    moved = [frame for frame in frames if frame.next is not None]
    owners = area(game.width, game.height, frames[-1].stones)
    rows = []
    for place, frame in enumerate(moved):
        assert frame.next is not None
        color, point = frame.next
        if point is not None and point in frame.stones:
            continue
        positions = [earlier.stones for earlier in moved[: place + 1][::-1][:HISTORY]]
        rows.append(
            Row(
                number,
                frame.number,
                planes_of(game.width, game.height, positions, color),
                game.width * game.height if point is None else point[1] * game.width + point[0],
                float("nan") if game.winner is None else 1.0 if game.winner == color else -1.0,
                legal_moves(game.width, game.height, positions, color),
                np.array(
                    [[signed(owners.get((x, y), 0), color) for x in range(game.width)] for y in range(game.height)]
                ),
            )
        )
    return rows


def signed(owner: int, color: int) -> int:
    return 0 if owner == 0 else 1 if owner == color else -1


def planes_of(width: int, height: int, positions: list[Stones], color: int) -> npt.NDArray[np.uint8]:
    planes = np.zeros((17, height, width), np.uint8)
    for place, stones in enumerate(positions):
        for (x, y), stone in stones.items():
            planes[2 * place + (stone != color), y, x] = 1
    planes[16] = color == 1
    return planes


def legal_moves(width: int, height: int, positions: list[Stones], color: int) -> npt.NDArray[np.bool_]:
    legal = np.zeros(width * height + 1, np.bool_)
    legal[-1] = True
    for y in range(height):
        for x in range(width):
            legal[y * width + x] = (x, y) not in positions[0] and is_legal(width, height, positions, color, (x, y))
    return legal


def is_legal(width: int, height: int, positions: list[Stones], color: int, point: Point) -> bool:
    board = EditedBoard(width, height)
    board.stones = dict(positions[0])
    board.play(color, point)
    if point not in board.stones:
        return False
    taken = len(positions[0]) + 1 - len(board.stones)
    is_back = len(positions) > 1 and board.stones == positions[1]
    x, y = point
    is_alone = all(board.stones.get(other) != color for other in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))
    return not (taken == 1 and is_back and is_alone)


def area(width: int, height: int, stones: Stones) -> dict[Point, int]:
    """The owner of each point: that of its stone, or of all stones that its empty region reaches."""
    owners: dict[Point, int] = dict(stones)
    for start in ((x, y) for x in range(width) for y in range(height)):
        if start in owners:
            continue
        region, reached, waiting = {start}, set(), [start]
        while waiting:
            x, y = waiting.pop()
            for other in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if not (0 <= other[0] < width and 0 <= other[1] < height):
                    continue
                if other in stones:
                    reached.add(stones[other])
                elif other not in region:
                    region.add(other)
                    waiting.append(other)
        owners |= dict.fromkeys(region, reached.pop() if len(reached) == 1 else 0)
    return owners


def turned(planes: npt.NDArray[Any], symmetry: int) -> npt.NDArray[Any]:
    """Arrays of points, the last two axes, as a symmetry of `Board.to_array` shows them."""
    if symmetry & 4:
        planes = planes.swapaxes(-1, -2)
    if symmetry & 1:
        planes = planes[..., ::-1]
    return planes[..., ::-1, :] if symmetry & 2 else planes
