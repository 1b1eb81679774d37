"""Positions as values: what they hold, when they are equal, and the way to a board and back."""

from __future__ import annotations

import copy
import pickle
import random
import sys

import numpy as np
import pytest
from helpers.cases import in_groups
from oracles.board import OracleBoard, position_hash
from samples.random_play import random_point

import wei7core as w7
from wei7core.rules import Ko, Rules
from wei7core.tables.packed_boards import pack_letters

SIZES = [(1, 1), (3, 1), (2, 5), (9, 9), (13, 19), (19, 19), (26, 3), (27, 2), (53, 4), (100, 3)]

SIMPLE = Rules(name="simple ko", suicide=True, ko=Ko.SIMPLE)
KO: list[tuple[int, tuple[int, int] | None]] = [
    (1, (1, 0)),
    (2, (2, 0)),
    (1, (0, 1)),
    (2, (3, 1)),
    (1, (1, 2)),
    (2, (2, 2)),
    (2, (1, 1)),
    (1, (2, 1)),
]
"""The last move takes a stone at (1, 1), which White could take back."""


def played(width: int, height: int, seed: int = 0) -> tuple[w7.Board, OracleBoard]:
    chance = random.Random(f"{width} {height} {seed}")
    board, oracle = w7.Board(width, height), OracleBoard(width, height)
    for _ in range(width * height):
        color, point = chance.randint(1, 2), random_point(chance, oracle)
        if point not in oracle.stones:
            board.play(color, point)
            oracle.play(color, point)
    return board, oracle


@in_groups(("width", "height"), SIZES)
def test_a_position_holds_the_stones_of_the_board(width: int, height: int) -> None:
    board, oracle = played(width, height)
    position = board.position()
    assert position.size == (position.width, position.height) == (width, height)
    assert position.to_array().tolist() == oracle.rows
    assert position.hash == board.hash == position_hash(width, height, oracle.stones)
    assert position.packed == pack_letters("".join(".XO"[color] for row in oracle.rows for color in row))
    assert w7.unpack_boards(position.packed, width, height)[0].tolist() == oracle.rows
    assert [[position[x, y] for x in range(width)] for y in range(height)] == oracle.rows
    assert str(position) == str(board.copy(history=False))
    again = w7.Board.from_position(position)
    again._check()
    assert again == board
    assert again.move_count == again.black_captured == again.white_captured == 0
    assert again.position() == position == w7.Position(width, height, position.packed)


def test_a_position_does_not_change_with_the_board() -> None:
    board, _ = played(9, 9)
    position, rows = board.position(), board.to_array().tolist()
    board.undo(20)
    assert position.to_array().tolist() == rows
    assert position != board.position()
    with pytest.raises(AttributeError):
        position.to_play = 1  # type: ignore[misc]  # refused at run time too
    with pytest.raises(TypeError):
        position.__init__(9, 9, position.packed)  # type: ignore[misc]  # refused at run time too
    assert not position.to_array().base.flags.writeable or position.to_array().tolist() == rows


def test_blocks_without_liberties_survive() -> None:
    board = w7.Board(2)
    board.edit([(1, (x, y)) for x in range(2) for y in range(2)])
    assert w7.Board.from_position(board.position()) == board


def test_color_and_ko_point_distinguish_positions() -> None:
    board = w7.Board(4, 3)
    for color, point in KO:
        board.play(color, point)
    plain, white, white_ko = board.position(), board.position(w7.WHITE), board.position(w7.WHITE, ko=True)
    black = board.position(w7.BLACK, ko=True)
    assert (plain.to_play, plain.ko) == (None, None)
    assert (white.to_play, white.ko) == (w7.WHITE, None)
    assert (white_ko.to_play, white_ko.ko) == (w7.WHITE, (1, 1))
    assert (black.to_play, black.ko) == (w7.BLACK, None)
    together = [plain, white, white_ko, black]
    assert len(set(together)) == len({hash(position) for position in together}) == 4
    assert len({position.hash for position in together}) == 1
    assert black == board.position(w7.BLACK)
    assert white_ko == w7.Position(4, 3, plain.packed, w7.WHITE, (1, 1))
    stones = "4 black and 3 white stones"
    assert repr(white_ko) == f"<wei7core.Position 4 x 3, {stones}, white to play, ko at (1, 1), hash {board.hash:016x}>"


def test_ways_to_a_position_meet() -> None:
    """Moves and captures are no part of it; the same stones on a board of another shape are another position."""
    board = w7.Board(4, 3)
    for color, point in KO:
        board.play(color, point)
    other = w7.Board.from_array(board.to_array())
    assert other.position() == board.position()
    assert hash(other.position()) == hash(board.position())
    assert w7.Board(4, 3).position() != w7.Board(3, 4).position()
    assert w7.Board(4, 3).position() != w7.Board(4, 3).position(1)
    assert w7.Board(4, 3).position() != w7.Board(4, 3)
    with pytest.raises(TypeError):
        _ = board.position() < other.position()  # type: ignore[operator]  # refused at run time too


@pytest.mark.parametrize(
    ("moves", "ko"),
    [
        (KO, (1, 1)),
        ([*KO, (2, None)], None),  # Black's ko stone was not the last move
        ([*KO[:-1], (2, (3, 0)), (1, (2, 1))], (1, 1)),
        # The stone that took one stone is not alone: taking it back would take three.
        (
            [(2, (2, 0)), (1, (1, 0)), (2, (3, 1)), (1, (0, 1)), (2, (1, 1)), (1, (2, 2)), (1, (1, 2)), (1, (2, 1))],
            None,
        ),
    ],
)
def test_the_ko_point(moves: list[tuple[int, tuple[int, int] | None]], ko: tuple[int, int] | None) -> None:
    board = w7.Board(4, 3)
    for color, point in moves:
        board.play(color, point)
    before = board.moves()
    assert board.position(w7.WHITE, ko=True).ko == ko
    assert board.moves() == before
    for x in range(4):
        for y in range(3):
            verdict = board.is_legal(w7.WHITE, (x, y), SIMPLE)
            assert (verdict.reason == "ko-recapture") == ((x, y) == ko)


def test_an_edit_ends_a_ko() -> None:
    board = w7.Board(5, 3)
    for color, point in KO:
        board.play(color, point)
    assert board.position(2, ko=True).ko == (1, 1)
    board.edit([(1, (4, 2))])
    assert board.position(2, ko=True).ko is None


def test_a_position_is_small_and_pickles() -> None:
    board, _ = played(19, 19)
    for position in (board.position(), board.position(1), w7.Position(19, 19, bytes(91), 2, (3, 3))):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(position, protocol))
            assert again == position
            assert (hash(again), again.hash, again.ko, again.to_play) == (
                hash(position), position.hash, position.ko, position.to_play,
            )  # fmt: skip
        assert len(pickle.dumps(position)) < 200
        assert sys.getsizeof(position) < 300
        assert copy.copy(position) is copy.deepcopy(position) is position


@pytest.mark.parametrize("width", [1, 3, 4, 5, 6])
def test_bytes_that_are_no_board_are_refused(width: int) -> None:
    size = (width + 3) // 4
    for packed in (bytes(size - 1), bytes(size + 1), b"\3" + bytes(size - 1)):
        with pytest.raises(ValueError, match="no packed board"):
            w7.Position(width, 1, packed)
    if width % 4:
        with pytest.raises(ValueError, match="no packed board"):
            w7.Position(width, 1, bytes(size - 1) + bytes([1 << 2 * (width % 4)]))
    assert w7.Position(width, 1, memoryview(bytes(size))) == w7.Position(width, 1, np.zeros(size, np.uint8))


def test_what_else_is_refused() -> None:
    stone = w7.Position(2, 2, b"\1")
    assert stone[0, 0] == 1
    for point in ((2, 0), (0, -1)):
        with pytest.raises(w7.OffBoardError):
            stone[point]
    with pytest.raises(w7.BoardSizeError):
        w7.Position(0, 2, b"")
    with pytest.raises(w7.BoardSizeError):
        w7.Position(2**40, 2**40, b"")
    with pytest.raises(TypeError):
        w7.Position(2, 2, 1)  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(ValueError, match="color"):
        w7.Position(2, 2, b"\1", 3)
    with pytest.raises(ValueError, match="to_play"):
        w7.Position(2, 2, b"\1", None, (0, 1))
    for ko in ((0, 0), (2, 0), (-1, 0)):
        with pytest.raises(ValueError, match="ko point"):
            w7.Position(2, 2, b"\1", 1, ko)
    with pytest.raises(ValueError, match="to_play"):
        w7.Board(3).position(ko=True)
    with pytest.raises(ValueError, match="color"):
        w7.Board(3).position(0)
    with pytest.raises(w7.BoardSizeError):
        w7.Board.from_position(stone, max_points=3)
