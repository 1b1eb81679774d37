"""`Board.edit`: stones put on the board or taken away at any time."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from helpers import native
from helpers.cases import in_groups

from wei7core.board.board import BLACK, EMPTY, WHITE, Board
from wei7core.errors import IllegalMoveError, IllegalPositionError, OffBoardError


def test_an_edit_changes_points_and_is_no_move() -> None:
    board = Board(3)
    board.play(BLACK, (1, 1))
    board.edit([(WHITE, (1, 1)), (BLACK, (0, 0)), (WHITE, (0, 1)), (WHITE, (1, 0)), (EMPTY, (2, 2))])
    assert board.to_array().tolist() == [[1, 2, 0], [2, 2, 0], [0, 0, 0]]
    assert board.liberties((0, 0)) == frozenset()
    assert (board.moves(), board.last_move) == ([(BLACK, (1, 1))], (BLACK, (1, 1)))
    assert (board.black_captured, board.white_captured) == (0, 0)
    board._check()


def test_points_are_set_in_their_order() -> None:
    board = Board(2)
    board.edit([(BLACK, (0, 0)), (WHITE, (0, 0)), (EMPTY, (0, 0)), (BLACK, (0, 0))])
    assert board[0, 0] == BLACK
    board._rewind(0, 0)
    assert board == Board(2)


def test_undo_takes_the_edits_after_a_move_with_it() -> None:
    board = Board(3)
    board.edit([(WHITE, (2, 2))])
    board.play(BLACK, (0, 0))
    board.edit([(EMPTY, (0, 0)), (WHITE, (1, 0))])
    board.play(WHITE, (0, 0))
    board.edit([(BLACK, (2, 2)), (EMPTY, (0, 0))])
    board.undo(0)
    assert board.to_array().tolist() == [[0, 2, 0], [0, 0, 0], [0, 0, 1]]
    board.undo()
    assert board.to_array().tolist() == [[0, 2, 0], [0, 0, 0], [0, 0, 2]]
    board.undo()
    assert board.to_array().tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 2]]
    with pytest.raises(IllegalMoveError):
        board.undo()


def test_an_edit_to_what_is_there_is_none() -> None:
    board = Board(3)
    board.edit([(EMPTY, (0, 0)), (EMPTY, (1, 0))])
    assert board._edits == (0, 0)
    board.setup([(BLACK, (0, 0))])
    board.edit([(BLACK, (0, 0))])
    assert board._edits == (0, 0)


@in_groups(
    ("call", "error"),
    [
        (lambda board: board.edit([(BLACK, (0, 0)), (WHITE, (5, 0))]), OffBoardError),
        (lambda board: board.edit([(BLACK, (0, 0)), (EMPTY, (-1, -1))]), OffBoardError),
        (lambda board: board.edit([(BLACK, (0, 0)), (WHITE, (0, 2**40))]), OffBoardError),
        (lambda board: board.edit([(BLACK, (0, 0)), (3, (1, 0))]), ValueError),
        (lambda board: board.edit([(BLACK, (0, 0)), (-1, (1, 0))]), ValueError),
        (lambda board: board.edit([(BLACK, (0, 0)), (True, (1, 0))]), TypeError),
        (lambda board: board.edit([(BLACK, (0, 0)), (WHITE, None)]), TypeError),
        (lambda board: board.edit([(BLACK, (0, 0)), (WHITE, (1, 2, 3))]), ValueError),
        (lambda board: board.edit([(BLACK, (0, 0)), 5]), TypeError),
        (lambda board: board.edit(5), TypeError),
        (lambda board: board.play(EMPTY, (0, 0)), ValueError),
        (lambda board: board.setup([(EMPTY, (0, 0))]), ValueError),
    ],
)
def test_wrong_edits_change_nothing(call: Callable[[Board], object], error: type[Exception]) -> None:
    board = Board(5)
    board.setup([(BLACK, (2, 2))])
    before = board.copy()
    with pytest.raises(error) as refused:
        call(board)
    board._check()
    assert (board, board._edits) == (before, (0, 0))
    if isinstance(refused.value, OffBoardError):
        assert refused.value.point in {(5, 0), (-1, -1), (0, 2**40)}


def test_no_stones_are_set_up_after_an_edit() -> None:
    board = Board(3)
    board.edit([(BLACK, (0, 0))])
    with pytest.raises(IllegalPositionError) as refused:
        board.setup([(WHITE, (2, 2))])
    assert refused.value.reason == "after-move"
    board.copy(history=False).setup([(WHITE, (2, 2))])


def row(cells: str) -> Board:
    """Return a board of one row: `X` black, `O` white, put there by edits."""
    board = Board(len(cells), 1)
    board.edit([(".XO".index(cell), (x, 0)) for x, cell in enumerate(cells)])
    return board


@in_groups(
    ("cells", "color", "x", "after"),
    [
        ("XO.OX", BLACK, 2, "X.X.X"),  # both blocks adjacent to the stone are captured
        ("OXX.X", WHITE, 3, "O..O."),  # so has one that had no liberty before
        ("XOX.O", BLACK, 3, "XOXX."),  # capturing gives the block that it joins a liberty
        ("XXOX.", BLACK, 4, "XXO.."),  # joins a block that has no liberty then: both go, others without stay
        ("OXOXO.", WHITE, 5, "OXOX.."),  # a stone adjacent to its own block alone captures nothing further away
        ("OXOXO..", WHITE, 5, "OXOXOO."),
        ("XOXO.", BLACK, 4, "XOX.X"),  # a block that had its liberty here is captured, others without stay
    ],
)
def test_a_move_looks_at_the_adjacent_blocks_alone(cells: str, color: int, x: int, after: str) -> None:
    board = row(cells)
    board.play(color, (x, 0))
    assert "".join(".XO"[board[column, 0]] for column in range(board.width)) == after
    board._check()
    board.undo()
    assert "".join(".XO"[board[column, 0]] for column in range(board.width)) == cells


def test_a_long_block_without_liberties_goes_when_it_is_touched() -> None:
    """Longer than what a move looks at first, on both sides of the columns that share a machine word."""
    board = Board(60, 5)
    board.edit([(BLACK, (x, 2)) for x in range(60)])
    board.edit([(WHITE, (x, y)) for x in range(60) for y in (1, 3)])
    assert board.liberties((30, 2)) == frozenset()
    board.edit([(EMPTY, (0, 1))])
    assert board.play(WHITE, (0, 1)) == 60
    assert board.black_captured == 60
    board.undo()
    assert board.black_captured == 0
    board.edit([(EMPTY, (59, 2))])
    assert board.play(BLACK, (59, 2)) == 0, "the point at the other end is a liberty"
    board.edit([(WHITE, (0, 1)), (EMPTY, (59, 2))])
    assert board.play(BLACK, (59, 2)) == 60
    assert board.black_captured == 60
    board.undo(2)
    assert (board.black_captured, board.liberties((58, 2))) == (0, {(0, 1), (59, 2)})
    board._check()


@pytest.mark.exhaustive
def test_an_edit_between_makes_it_no_ko_recapture() -> None:
    def ko(between: list[Any]) -> list[bool]:
        board = Board(4, 3)
        board.edit([(1, (1, 0)), (1, (0, 1)), (1, (1, 2)), (2, (2, 0)), (2, (3, 1)), (2, (2, 2)), (2, (1, 1))])
        board.play(BLACK, (2, 1))
        board.edit(between)
        board.play(WHITE, (1, 1))
        board.edit([(BLACK, (0, 0))])
        return [recapture for _, recapture in native.replay_games().history(board)]

    assert ko([]) == [False, True]
    assert ko([(BLACK, (0, 1))]) == [False, True], "nothing changed"
    assert ko([(BLACK, (3, 0))]) == [False, False]
    assert ko([(BLACK, (3, 0)), (EMPTY, (3, 0))]) == [False, False]


def test_copies_and_pickles_keep_the_edits() -> None:
    board = Board(3)
    board.edit([(WHITE, (0, 0))])
    board.play(BLACK, (1, 0))
    board.play(BLACK, (0, 1))
    board.edit([(WHITE, (0, 0)), (EMPTY, (1, 0))])
    board.play(WHITE, None)
    for same in (board.copy(), pickle.loads(pickle.dumps(board))):
        assert (same, same._edits, same.moves()) == (board, (3, 2), board.moves())
        assert same.white_captured == 1
        same.undo(2)
        assert same.to_array().tolist() == [[2, 1, 0], [0, 0, 0], [0, 0, 0]]
        assert same.white_captured == 0
    assert board._edits == (3, 2)


def test_boards_without_history_may_hold_blocks_without_liberties() -> None:
    board = row("XO")
    bare = board.copy(history=False)
    bare._check()
    assert (bare, bare._edits, bare.hash) == (board, (0, 0), board.hash)
    assert pickle.loads(pickle.dumps(bare)) == bare
    assert board.transformed(1).to_array().tolist() == [[2, 1]]
    assert board.transformed(4).size == (1, 2)
    with pytest.raises(IllegalPositionError):
        Board.from_array(board.to_array())
