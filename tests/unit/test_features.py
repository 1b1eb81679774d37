"""Planes for networks, against a twin that asks the oracle about every point."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers.cases import in_groups
from oracles.board import EditedBoard
from samples.random_play import random_point, region

import wei7core as w7
from wei7core.board.planes import PLANES

SIZES = [(1, 1), (1, 7), (5, 4), (9, 9), (19, 19), (26, 3), (27, 2), (54, 3)]


def stone_planes(oracle: EditedBoard, color: int) -> list[list[list[int]]]:
    """Return the points of own stones, and of the opponent's."""
    return [[[int(cell == one) for cell in row] for row in oracle.rows] for one in (color, 3 - color)]


def planes_of(oracle: EditedBoard, color: int, ko: tuple[int, int] | None, history: int) -> npt.NDArray[np.uint8]:
    """Return what the docstring of `to_planes` promises, point by point."""
    points = [[(x, y) for x in range(oracle.width)] for y in range(oracle.height)]
    liberties = {point: len(oracle.liberties(point)) for point in oracle.stones}
    planes: list[Any] = stone_planes(oracle, color)
    planes.append([[int(point not in oracle.stones) for point in row] for row in points])
    for one in (color, 3 - color):
        for count in (1, 2, 3):
            planes.append(
                [
                    [int(oracle.stones.get(p) == one and min(liberties[p], 3) == count) for p in row]
                    for row in points
                ]
            )  # fmt: skip
    planes.append([[int(point == ko) for point in row] for row in points])
    before = oracle.copy(history=True)
    for _ in range(history):
        if before.moves:
            before.undo(1)
            planes += stone_planes(before, color)
        else:
            planes += [[[0] * oracle.width] * oracle.height] * 2
    return np.array(planes, dtype=np.uint8)


def played(width: int, height: int, chance: random.Random, moves: int) -> tuple[w7.Board, EditedBoard]:
    """Return boards after random moves, many of which meet, and now and then an edit."""
    board, oracle = w7.Board(width, height), EditedBoard(width, height)
    near = region(chance, oracle)
    for _ in range(moves):
        color, point = (
            chance.randint(1, 2),
            chance.choice(near) if chance.random() < 0.7 else random_point(chance, oracle),
        )
        if chance.random() < 0.05:
            board.edit([(color, point)])
            oracle.edit([(color, point)])
        elif point not in oracle.stones:
            board.play(color, point)
            oracle.play(color, point)
    return board, oracle


@in_groups(("width", "height"), SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_every_plane_of_boards(width: int, height: int, dtype: Any) -> None:
    chance = random.Random(f"{width} {height}")
    boards, expected, colors = [], [], []
    for moves in (0, 1, 2, 20, 60, width * height):
        board, oracle = played(width, height, chance, moves)
        color = chance.randint(1, 2)
        boards.append(board)
        colors.append(color)
        expected.append(planes_of(oracle, color, board.position(color, ko=True).ko, history=3))
    planes = w7.to_planes(boards, colors, history=3, dtype=dtype)
    assert planes.dtype == dtype
    assert planes.shape == (len(boards), len(PLANES) + 6, height, width)
    assert (planes == np.array(expected)).all()
    assert (w7.to_planes(boards[3], colors[3], history=3, dtype=dtype) == expected[3]).all()
    for board in boards:
        board._check()


def history_planes_of(oracle: EditedBoard, color: int) -> list[list[list[int]]]:
    """Return the 17 planes of AlphaGo Zero, point by point."""
    planes = stone_planes(oracle, color)
    before = oracle.copy(history=True)
    for _ in range(7):
        there = bool(before.moves)
        if there:
            before.undo(1)
        planes += stone_planes(before, color) if there else [[[0] * oracle.width] * oracle.height] * 2
    return [*planes, [[int(color == w7.BLACK)] * oracle.width] * oracle.height]


@in_groups(("width", "height"), [*SIZES, (31, 1), (32, 1), (8, 4), (13, 13), (64, 64)])
def test_the_planes_of_alphago_zero(width: int, height: int) -> None:
    chance = random.Random(f"{width} {height}")
    boards, expected, colors = [], [], []
    for moves in (0, 1, 5, 30, 60):
        board, oracle = played(width, height, chance, moves)
        for point in (None, None)[: chance.randint(0, 2)]:
            board.play(w7.BLACK, point)
            oracle.play(w7.BLACK, point)
        colors.append(chance.randint(1, 2))
        boards.append(board)
        expected.append(history_planes_of(oracle, colors[-1]))
    for dtype in (np.uint8, np.float32):
        planes = w7.to_planes(boards, colors, features="alphago-zero", dtype=dtype)
        assert planes.dtype == dtype
        assert planes.shape == (len(boards), 17, height, width)
        assert (planes == np.array(expected)).all()
    guarded = np.full((len(boards) + 1, 17, height, width), 9, np.uint8)
    w7.to_planes(boards, colors, features="alphago-zero", out=guarded[:-1])
    assert (guarded[:-1] == np.array(expected)).all()
    assert (guarded[-1] == 9).all()
    alone = w7.to_planes(boards[-1].position(colors[-1]), features="alphago-zero")
    assert (alone[:2] == expected[-1][:2]).all()
    assert not alone[2:16].any()
    assert (alone[16] == expected[-1][16]).all()


def test_positions_know_no_history() -> None:
    chance = random.Random(5)
    pairs = [played(9, 9, chance, moves) for moves in (0, 30, 70)]
    positions = [board.position(color) for (board, _), color in zip(pairs, (1, 2, 1), strict=True)]
    expected = [planes_of(oracle, color, None, 0) for (_, oracle), color in zip(pairs, (1, 2, 1), strict=True)]
    planes = w7.to_planes(positions, history=2)
    assert (planes[:, : len(PLANES)] == expected).all()
    assert not planes[:, len(PLANES) :].any()
    assert (w7.to_planes([pairs[1][0], positions[1]], [2, 2])[0] == w7.to_planes(positions[1])).all()


def test_the_ko_plane() -> None:
    board = w7.Board(4, 3)
    for color, point in [(1, (1, 0)), (2, (2, 0)), (1, (0, 1)), (2, (3, 1)), (1, (1, 2)), (2, (2, 2)), (2, (1, 1))]:
        board.play(color, point)
    ko = PLANES.index("ko")
    assert not w7.to_planes(board, 1)[ko].any()
    board.play(1, (2, 1))
    position = board.position(2, ko=True)
    for source, color, points in ((board, 2, 1), (board, 1, 0), (position, 2, 1), (position, 1, 0)):
        plane = w7.to_planes(source, color)[ko]
        assert (plane.sum(), plane[1, 1]) == (points, points)
    assert not w7.to_planes(board.position(2))[ko].any()


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_an_array_is_filled(dtype: Any) -> None:
    boards = [played(9, 9, random.Random(seed), 40)[0] for seed in range(3)]
    out = np.full((3, 14, 9, 9), 7, dtype=dtype)
    assert w7.to_planes(boards, w7.BLACK, history=2, out=out) is out
    assert (out == w7.to_planes(boards, w7.BLACK, history=2)).all()
    one = out[1]
    assert w7.to_planes(boards[0], w7.WHITE, history=2, dtype=dtype, out=one) is one
    assert (out[1] == w7.to_planes(boards[0], w7.WHITE, history=2)).all()


def test_what_is_refused() -> None:
    board = w7.Board(3, 2)
    read_only = np.zeros((10, 2, 3), np.uint8)
    read_only.flags.writeable = False
    refused: list[tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]] = [
        (ValueError, "at least one position", ([], 1), {}),
        (ValueError, "position 0 has no color", (board,), {}),
        (ValueError, "position 1 has no color", ([board.position(1), board.position()],), {}),
        (ValueError, "color", (board, 3), {}),
        (TypeError, "a color is .* not True", (board, True), {}),
        (ValueError, "2 positions and 1 colors", ([board, board], [1]), {}),
        (ValueError, "position 1 is 2 x 3, the first 3 x 2", ([board, w7.Board(2, 3)], 1), {}),
        (TypeError, "not of str", (["board"], 1), {}),
        (TypeError, "not of int", ([board, 1], 1), {}),
        (ValueError, "earlier positions", (board, 1), {"history": -1}),
        (ValueError, "earlier positions", (board, 1), {"history": 2**70}),
        (ValueError, "'alphago-zero', not 'stones'", (board, 1), {"features": "stones"}),
        (ValueError, "a history of their own", (board, 1), {"features": "alphago-zero", "history": 7}),
        (ValueError, "uint8 or float32", (board, 1), {"dtype": np.float64}),
        (ValueError, "uint8 or float32", (board, 1), {"out": np.zeros((10, 2, 3), bool)}),
        (ValueError, "not float32", (board, 1), {"out": np.zeros((10, 2, 3), np.uint8), "dtype": np.float32}),
        (TypeError, "NumPy array", (board, 1), {"out": bytearray(60)}),
        (ValueError, "shape", (board, 1), {"out": np.zeros((10, 3, 2), np.uint8)}),
        (ValueError, "shape", ([board], 1), {"out": np.zeros((10, 2, 3), np.uint8)}),
        (ValueError, "C-contiguous", (board, 1), {"out": np.zeros((2, 3, 10), np.uint8).transpose(2, 0, 1)}),
        (ValueError, "C-contiguous", (board, 1), {"out": read_only}),
    ]
    for kind, message, arguments, options in refused:
        with pytest.raises(kind, match=message):
            w7.to_planes(*arguments, **options)


def test_several_threads_make_planes_of_the_same_boards() -> None:
    boards = [played(9, 9, random.Random(seed), 60)[0] for seed in range(20)]
    expected = w7.to_planes(boards, 1, history=4)
    with ThreadPoolExecutor(4) as pool:
        for planes in pool.map(lambda _: w7.to_planes(boards, 1, history=4), range(16)):
            assert (planes == expected).all()
