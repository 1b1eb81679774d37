"""Blocks as objects."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest
from helpers import diagrams

from wei7core import BLACK, EMPTY, WHITE, Block, Board, PointSet

CORNER = """
    X X . . .
    O X O . .
    . O . . .
    . . . . X
"""


def test_a_block_is_its_stones_and_knows_what_is_around_it() -> None:
    board = diagrams.board(CORNER)
    block = board.block((1, 1))
    assert isinstance(block, frozenset)
    assert block == {(0, 0), (1, 0), (1, 1)} == block.stones
    assert hash(block) == hash(block.stones) == hash(frozenset(block))
    assert isinstance(block.stones, PointSet)
    assert (block.color, len(block), (0, 0) in block) == (BLACK, 3, True)
    assert block.liberties == {(2, 0)}
    assert isinstance(block.liberties, PointSet)
    assert block.in_atari
    white = block.neighbours
    assert [(other.color, set(other)) for other in white] == [
        (WHITE, {(0, 1)}),
        (WHITE, {(2, 1)}),
        (WHITE, {(1, 2)}),
    ]
    assert [(set(other.liberties), other.in_atari) for other in white] == [
        ({(0, 2)}, True),
        ({(2, 0), (3, 1), (2, 2)}, False),
        ({(0, 2), (2, 2), (1, 3)}, False),
    ]
    assert white[0].neighbours == (block,)
    assert repr(white[0]) == "<wei7core.Block white at (0, 1), stones: 1, liberties: 1>"


def test_a_board_lists_its_blocks() -> None:
    board = diagrams.board(CORNER)
    assert board.blocks() == [{(0, 0), (1, 0), (1, 1)}, {(0, 1)}, {(2, 1)}, {(1, 2)}, {(4, 3)}]
    assert board.blocks(BLACK) == [{(0, 0), (1, 0), (1, 1)}, {(4, 3)}]
    assert board.blocks(color=WHITE) == [{(0, 1)}, {(2, 1)}, {(1, 2)}]
    assert Board(3).blocks() == []
    with pytest.raises(ValueError, match="color"):
        board.blocks(EMPTY)


def test_a_block_is_of_the_position_that_it_was_taken_from() -> None:
    board = Board(3)
    board.play(BLACK, (0, 0))
    board.play(WHITE, (1, 0))
    block, listed = board.block((0, 0)), board.blocks()[0]
    assert board.play(WHITE, (0, 1)) == 1
    for taken in (block, listed, copy.copy(block), copy.deepcopy(block), pickle.loads(pickle.dumps(block))):
        assert taken == {(0, 0)}
        assert (taken.color, taken.in_atari, taken.liberties) == (BLACK, True, {(0, 1)})
        assert taken.neighbours == ({(1, 0)},)
    assert board.block((0, 0)) == set()


def test_where_there_is_no_stone_the_block_is_empty() -> None:
    block = diagrams.board(CORNER).block((4, 0))
    assert (block, block.color, block.liberties, block.neighbours, block.in_atari) == (set(), EMPTY, set(), (), False)
    assert block.stones.size == block.liberties.size == (5, 4)
    assert "empty" in repr(block)
    assert not pickle.loads(pickle.dumps(block)).neighbours


@pytest.mark.parametrize(
    "use",
    [
        Block,
        lambda: Block([(0, 0)]),  # type: ignore[call-arg]  # the constructor takes nothing
        lambda: Block.__new__(Block),
        lambda: Block.__new__(Block, [(0, 0)]),  # type: ignore[call-arg]  # the constructor takes nothing
    ],
)
def test_blocks_come_from_boards_alone(use: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=r"Board\.block"):
        use()


@pytest.mark.parametrize(
    ("width", "height", "cells", "point"),
    [(2, 2, b"\1\0\0", (0, 0)), (2, 1, b"\1\3", (0, 0)), (2, 1, b"\1\2", (2, 0)), (2, 1, b"\1\2", (0, -1))],
)
def test_a_pickle_that_was_changed_is_refused(width: int, height: int, cells: bytes, point: tuple[int, int]) -> None:
    rebuild, _ = Board(2).block((0, 0)).__reduce__()
    with pytest.raises(ValueError, match="board"):
        rebuild(width, height, cells, point)


def test_threads_share_a_block() -> None:
    board = diagrams.board(CORNER)
    blocks = [board.block((1, 1)) for _ in range(50)]
    wrong: list[object] = []

    def look() -> None:
        for block in blocks:
            if len(block.neighbours) != 3 or len(block.neighbours[1].liberties) != 3 or not block.in_atari:
                wrong.append(block)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_large_neighbour_is_made_once():
    board = Board(21)
    odd = [(x, y) for x in range(1, 21, 2) for y in range(1, 21, 2)]
    rest = [(x, y) for x in range(21) for y in range(21) if (x, y) not in set(odd) and (x, y) != (0, 0)]
    board.edit([*((1, point) for point in odd), *((2, point) for point in rest)])
    blocks = board.blocks()
    (large,) = [block for block in blocks if block.color == 2]
    assert len(blocks) == 101 and len(large) == 340
    assert all(block.neighbours == (large,) and block.neighbours[0] is large for block in blocks if block.color == 1)
    assert set(large.neighbours) == set(blocks) - {large}
    del blocks, large
    again = board.blocks(1)[0].neighbours[0]  # nobody holds it any more: it is made anew
    assert len(again) == 340
