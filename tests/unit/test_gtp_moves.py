"""Moves as engines are sent them, against `coordinates.to_gtp`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from helpers.cases import in_groups

from wei7core.board.gtp_moves import moves_to_json
from wei7core.coordinates import to_gtp


def twin(moves: list[Any], width: int, height: int) -> str:
    names = [["BW"[color - 1], to_gtp(point, width, height)] for color, point in moves]
    return json.dumps(names, separators=(",", ":"))[1:-1]


def test_every_point_of_every_usual_size() -> None:
    for width, height in [(1, 1), (9, 9), (13, 9), (19, 19), (25, 25), (8, 99), (25, 10)]:
        points = [(x, y) for x in range(width) for y in range(height)]
        moves = [(1 + number % 2, point) for number, point in enumerate([None, *points, None])]
        assert moves_to_json(moves, width, height) == twin(moves, width, height)
        for count in range(4):
            assert moves_to_json(moves[:count], width, height) == twin(moves[:count], width, height)


@in_groups(
    "move",
    [
        None, (), (1,), (1, (0, 0), 1), [1, (0, 0)], (0, (0, 0)), (3, (0, 0)), (-1, None), (True, None), (1.0, None),
        ("B", None), (1, ()), (1, (0,)), (1, (0, 0, 0)), (1, [0, 0]), (1, "A1"), (1, (0.0, 0)), (1, (0, "0")),
        (1, (-1, 0)), (1, (0, -1)), (1, (9, 0)), (1, (0, 7)), (1, (2**63, 0)), (1, (0, -(2**63))), (2**64 + 1, (0, 0)),
        (1, (np.int64(1), 0)), (np.int8(1), (0, 0)),
    ],
)  # fmt: skip
def test_what_is_no_plain_move_is_none(move: Any) -> None:
    assert moves_to_json([(1, (8, 6)), (2, None)], 9, 7) == '["B","J1"],["W","pass"]'
    assert moves_to_json([(1, (8, 6)), move], 9, 7) is None


def test_boards_beyond_z_are_none() -> None:
    for width, height in [(26, 5), (5, 100), (-(2**31), 9)]:
        assert moves_to_json([(1, (0, 0))], width, height) is None
