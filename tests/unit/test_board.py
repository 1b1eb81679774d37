"""The Python surface of `Board`: what it returns and what it raises."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers.cases import in_groups
from oracles.board import OracleBoard, splitmix64

from wei7core.board import draw
from wei7core.board.board import BLACK, EMPTY, WHITE, Board
from wei7core.errors import BoardSizeError, IllegalMoveError, IllegalPositionError
from wei7core.limits import MAX_POINTS


def test_the_constants_are_those_of_the_format() -> None:
    assert (EMPTY, BLACK, WHITE) == (0, 1, 2)


def test_a_short_game() -> None:
    board = Board(19)
    assert board.size == (board.width, board.height) == (19, 19)
    assert board.last_move is None
    assert board.play(BLACK, (0, 1)) == 0
    assert board.play(WHITE, (0, 0)) == 0
    assert board.play(BLACK, (1, 0)) == 1
    assert board.play(WHITE, None) == 0
    assert board.move_count == 4
    assert board.last_move == (WHITE, None)
    assert board.moves() == [(BLACK, (0, 1)), (WHITE, (0, 0)), (BLACK, (1, 0)), (WHITE, None)]
    assert (board.black_captured, board.white_captured) == (0, 1)
    assert [board[0, 0], board[1, 0], board[0, 1]] == [EMPTY, BLACK, BLACK]
    board.undo(2)
    assert board[0, 0] == WHITE
    assert (board.black_captured, board.white_captured) == (0, 0)
    assert board.last_move == (WHITE, (0, 0))
    board.undo()
    board.undo(0)
    assert board.move_count == 1


def test_blocks_and_liberties() -> None:
    board = Board(4, 3)
    board.setup([(BLACK, (0, 0)), (BLACK, (1, 0)), (WHITE, (0, 1)), (BLACK, (3, 2))])
    assert board.block((1, 0)) == {(0, 0), (1, 0)}
    assert board.liberties((0, 0)) == {(2, 0), (1, 1)}
    assert board.liberties((0, 1)) == {(1, 1), (0, 2)}
    assert board.block((2, 2)) == board.liberties((2, 2)) == frozenset()
    assert isinstance(board.block((1, 0)), frozenset)


@in_groups(
    ("arguments", "keywords"),
    [((0,), {}), ((-1,), {}), ((3, 0), {}), ((2049, 2048), {}), ((10**30,), {}), ((3,), {"max_points": 8}),
     ((1, 2**31), {"max_points": 2**40}), ((2**31 - 1, 2), {"max_points": 2**40})],
)  # fmt: skip
def test_sizes_that_are_no_board(arguments: tuple[int, ...], keywords: dict[str, int]) -> None:
    with pytest.raises(BoardSizeError):
        Board(*arguments, **keywords)


def test_sizes_at_the_limit() -> None:
    assert Board(3, max_points=9).size == (3, 3)
    assert Board(2048).play(WHITE, (2047, 2047)) == 0
    assert Board(MAX_POINTS, 1).play(BLACK, (MAX_POINTS - 1, 0)) == 0
    assert Board(1, MAX_POINTS + 1, max_points=MAX_POINTS + 1).play(BLACK, (0, MAX_POINTS)) == 0


def test_a_size_is_an_integer() -> None:
    sizes: list[Any] = [(1.5, None), ("9", None), (9, 9.0), (None, 3)]
    for width, height in sizes:
        with pytest.raises(TypeError):
            Board(width, height)


@in_groups(
    ("color", "point", "reason"),
    [(BLACK, (1, 1), "occupied"), (WHITE, (1, 1), "occupied"), (BLACK, (-1, -1), "off-board"),
     (WHITE, (5, 0), "off-board"), (WHITE, (0, 4), "off-board"), (BLACK, (-1, 0), "off-board"),
     (BLACK, (2**32, 0), "off-board"), (BLACK, (0, -(2**31)), "off-board")],
)  # fmt: skip
def test_illegal_moves_state_what_is_wrong(color: int, point: tuple[int, int], reason: str) -> None:
    board = Board(5, 4)
    board.play(BLACK, (1, 1))
    before = board.copy()
    with pytest.raises(IllegalMoveError, match=r"^move 2: (black|white) at \(") as refused:
        board.play(color, point)
    error = refused.value
    assert isinstance(error, IndexError) == (reason == "off-board")
    for again in (error, copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (str(again), type(again)) == (str(error), type(error))
        assert (again.move_number, again.color, again.point, again.reason) == (2, color, point, reason)
    assert board == before
    assert board.moves() == before.moves()


def test_too_many_moves_taken_back() -> None:
    board = Board(5)
    board.play(BLACK, (1, 1))
    for n in (2, 10**30):
        with pytest.raises(IllegalMoveError) as refused:
            board.undo(n)
        assert (refused.value.reason, refused.value.color, refused.value.point) == ("too-deep", None, None)
    with pytest.raises(ValueError, match="not negative"):
        board.undo(-1)
    assert board.move_count == 1


@in_groups(
    ("call", "error"),
    [
        (lambda board: board.play(0, (0, 0)), ValueError),
        (lambda board: board.play(3, None), ValueError),
        (lambda board: board.play(True, (0, 0)), TypeError),
        (lambda board: board.play(1, (0, True)), TypeError),
        (lambda board: board[(False, 0)], TypeError),
        (lambda board: board.undo(True), TypeError),
        (lambda board: board.play("B", (0, 0)), TypeError),
        (lambda board: board.play(1, 5), TypeError),
        (lambda board: board.play(1, (1,)), ValueError),
        (lambda board: board.play(1, (1, 2, 3)), ValueError),
        (lambda board: board.play(1, (1.0, 2)), TypeError),
        (lambda board: board.play(1, "ab"), ValueError),
        (lambda board: board.undo("1"), TypeError),
        (lambda board: board.setup(3), TypeError),
        (lambda board: board.setup([(3, (0, 0))]), ValueError),
        (lambda board: board.setup([(1, None)]), TypeError),
        (lambda board: board.transformed(8), ValueError),
        (lambda board: board.transformed(-1), ValueError),
        (lambda board: board[5, 0], IndexError),
        (lambda board: board[-1, 0], IndexError),
        (lambda board: board[0], TypeError),
        (lambda board: board.block((0, 5)), IndexError),
        (lambda board: board.liberties((0, -1)), IndexError),
        (hash, TypeError),
    ],
)
def test_wrong_arguments(call: Callable[[Board], object], error: type[Exception]) -> None:
    board = Board(5)
    board.setup([(BLACK, (2, 2))])
    before = board.copy()
    with pytest.raises(error):
        call(board)
    board._check()
    assert board == before
    assert board.move_count == 0


def test_integers_of_other_kinds_are_welcome() -> None:
    board = Board(np.int64(5))
    board.play(np.uint8(1), (np.int32(2), np.int64(3)))
    pair: Any = [4, 4]
    board.play(2, pair)
    assert board.moves() == [(1, (2, 3)), (2, (4, 4))]
    assert all(type(value) is int for value in board.moves()[0][1] or ())


@in_groups(
    ("stones", "reason", "point"),
    [
        ([(BLACK, (0, 0)), (WHITE, (0, 0))], "occupied", (0, 0)),
        ([(BLACK, (1, 1))], "occupied", (1, 1)),
        ([(BLACK, (3, 0))], "off-board", (3, 0)),
        ([(BLACK, (0, 0)), (BLACK, (-1, -1))], "off-board", (-1, -1)),
        ([(WHITE, (0, 1)), (WHITE, (2, 1)), (WHITE, (1, 0)), (WHITE, (1, 2))], "no-liberty", (0, 1)),
        ([(BLACK, (2, 0)), (WHITE, (1, 0)), (WHITE, (2, 1))], "no-liberty", (2, 0)),
    ],
)
def test_illegal_setup_changes_nothing(stones: list[Any], reason: str, point: tuple[int, int]) -> None:
    board = Board(3)
    board.setup([(BLACK, (1, 1))])
    before = board.copy()
    with pytest.raises(IllegalPositionError) as refused:
        board.setup(stones)
    assert (refused.value.reason, refused.value.point) == (reason, point)
    assert board == before
    assert board.hash == before.hash


@pytest.mark.parametrize("last", [(1, 2), (3, 2), (2, 1), (2, 3)])
def test_setup_may_not_take_the_last_liberty_of_stones_that_stand(last: tuple[int, int]) -> None:
    board = Board(5)
    around = [(1, 2), (3, 2), (2, 1), (2, 3)]
    board.setup([(BLACK, (2, 2)), *((WHITE, point) for point in around if point != last)])
    with pytest.raises(IllegalPositionError) as refused:
        board.setup([(WHITE, (0, 0)), (WHITE, last)])
    assert (refused.value.reason, refused.value.point) == ("no-liberty", last)
    board.setup([(WHITE, (0, 0)), (BLACK, last)])


def test_setup_before_the_first_move_only() -> None:
    board = Board(3)
    board.play(WHITE, None)
    with pytest.raises(IllegalPositionError) as refused:
        board.setup([(BLACK, (0, 0))])
    assert (refused.value.reason, refused.value.point) == ("after-move", None)
    board.undo()
    board.setup(iter([(BLACK, (0, 0))]))
    board.setup([(WHITE, (1, 0))])
    assert board.to_array().tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]
    assert board.move_count == 0


def test_errors_survive_pickling() -> None:
    board = Board(3)
    with pytest.raises(IllegalMoveError) as refused:
        board.play(BLACK, (3, 3))
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), vars(again)) == (str(refused.value), vars(refused.value))


def test_arrays() -> None:
    board = Board(3, 2)
    board.play(WHITE, (2, 0))
    array = board.to_array()
    assert array.shape == (2, 3)
    assert array.dtype == np.uint8
    array[1, 1] = 1
    assert board[1, 1] == 0
    for cells in (array, array.tolist(), array.astype(np.int64), np.asfortranarray(array), array[::-1][::-1]):
        assert Board.from_array(cells).to_array().tolist() == array.tolist()


@in_groups(
    ("array", "error"),
    [([1, 2], ValueError), ([[3]], ValueError), ([[-1, 0]], ValueError), ([[0.0, 1.0]], TypeError),
     ([["X"]], TypeError), ([[True, False]], TypeError), ([[1]], IllegalPositionError),
     ([[1, 2]], IllegalPositionError), (np.zeros((0, 3), int), BoardSizeError), (np.zeros((3, 3, 1), int), ValueError)],
)  # fmt: skip
def test_arrays_that_are_no_board(array: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Board.from_array(array)


def test_from_array_has_a_limit() -> None:
    with pytest.raises(BoardSizeError):
        Board.from_array(np.zeros((3, 3), np.uint8), max_points=8)


def test_equality_is_of_size_and_stones() -> None:
    one, other = Board(3), Board(3)
    one.play(BLACK, (0, 0))
    other.setup([(BLACK, (0, 0))])
    assert one == other
    other.play(WHITE, (1, 1))
    assert one != other
    assert Board(2, 3) != Board(3, 2)
    assert one != 3
    assert one == one.copy()


def test_copies_keep_the_captures_and_if_wished_the_moves() -> None:
    board = Board(3)
    for color, point in [(WHITE, (0, 0)), (BLACK, (1, 0)), (BLACK, (0, 1)), (BLACK, None)]:
        board.play(color, point)
    for same in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert same == board
        assert (same.moves(), same.white_captured) == (board.moves(), 1)
        same.undo(4)
        assert (same.hash, same.white_captured) == (Board(3).hash, 0)
    bare = board.copy(history=False)
    assert bare == board
    assert (bare.moves(), bare.white_captured, bare.last_move) == ([], 1, None)
    assert pickle.loads(pickle.dumps(bare)).white_captured == 1
    bare.setup([(WHITE, (2, 2))])
    assert bare != board
    assert board.move_count == 4


def test_transformed_points_of_a_rectangle() -> None:
    board = Board(3, 2)
    board.play(BLACK, (0, 0))
    board.play(WHITE, (2, 0))
    expected = [
        [[1, 0, 2], [0, 0, 0]], [[2, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 0, 2]], [[0, 0, 0], [2, 0, 1]],
        [[1, 0], [0, 0], [2, 0]], [[0, 1], [0, 0], [0, 2]], [[2, 0], [0, 0], [1, 0]], [[0, 2], [0, 0], [0, 1]],
    ]  # fmt: skip
    assert [board.transformed(symmetry).to_array().tolist() for symmetry in range(8)] == expected


def test_hash_never_changes() -> None:
    """People store these values: they are written out, and the oracle computes them from the docstring."""
    assert splitmix64(1) == 0xE220A8397B1DCDAF
    assert f"{Board(19).hash:016x}" == "f280531397e2c0a5"
    assert f"{Board(9, 13).hash:016x}" == "8e49a3d7081b706f"
    board = Board(19)
    board.play(BLACK, (3, 15))
    assert f"{board.hash:016x}" == "66c1a9cbf1f2e7e0"
    assert f"{board.canonical_hash:016x}" == "66c1a9cbf1f2e7e0"
    board.play(WHITE, (16, 3))
    assert f"{board.hash:016x}" == "2cdcf96f4a27047c"
    wide = Board(100, 1)
    wide.play(WHITE, (99, 0))
    assert f"{wide.hash:016x}" == "3640d64c69622468"
    oracle = OracleBoard(100, 1)
    oracle.play(WHITE, (99, 0))
    assert wide.hash == oracle.hash
    assert wide.canonical_hash == oracle.canonical_hash


def test_hash_is_of_the_position_alone() -> None:
    one, other = Board(5), Board(5)
    one.play(BLACK, (0, 0))
    one.play(WHITE, (1, 1))
    one.play(BLACK, None)
    other.setup([(WHITE, (1, 1)), (BLACK, (0, 0))])
    assert one.hash == other.hash
    assert Board(2, 3).hash != Board(3, 2).hash


def test_init_again_is_refused() -> None:
    board = Board(3)
    board.play(BLACK, (0, 0))
    with pytest.raises(TypeError):
        Board.__init__(board, 5)
    assert board.size == (3, 3)
    assert board.move_count == 1


def test_the_class_is_final() -> None:
    with pytest.raises(TypeError):
        type("MyBoard", (Board,), {})


def test_drawings_come_from_draw() -> None:
    board = Board(5, 4)
    assert str(board) == draw.text(board.to_array())
    assert board._repr_svg_() == draw.svg(board.to_array())
    board.play(BLACK, (1, 2))
    assert str(board) == draw.text(board.to_array(), last=(1, 2)) != draw.text(board.to_array())
    assert board._repr_svg_() == draw.svg(board.to_array(), last=(1, 2))
    assert Board(draw.MAX_SVG_POINTS + 1, 1)._repr_svg_() is None
    board.play(WHITE, None)
    assert str(board) == draw.text(board.to_array())
    assert repr(board) == f"<wei7core.Board 5 x 4, 2 moves, black to play, hash {board.hash:016x}>"
    ko = Board.from_text(".XO.\nX.XO\n.XO.")
    ko.play(WHITE, (1, 1))
    assert repr(ko) == f"<wei7core.Board 4 x 3, 1 move, black to play, ko at (2, 1), hash {ko.hash:016x}>"


def test_threads_with_boards_of_their_own_and_one_together() -> None:
    shared = Board(19)
    results: list[int] = []

    def play(column: int) -> None:
        own = Board(19)
        for row in range(19):
            own.play(BLACK, (column, row))
            shared.play(BLACK, (column, row))
            own.liberties((column, 0))
            shared.block((column, 0))
        own._check()
        results.append(own.hash)

    threads = [threading.Thread(target=play, args=(column,)) for column in range(18)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 18
    shared._check()
    assert shared.move_count == 18 * 19
    assert shared.liberties((0, 0)) == {(18, y) for y in range(19)}


def test_a_takeback_too_deep_reports_the_number_of_moves():
    board = Board(5)
    board.play(BLACK, (0, 0))
    with pytest.raises(IllegalMoveError, match="only 1 move can be taken back"):
        board.undo(2)
    board.play(WHITE, None)
    with pytest.raises(IllegalMoveError, match="only 2 moves can be taken back"):
        board.undo(3)


def test_a_color_as_text_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"a color is wei7core.BLACK \(1\) or wei7core.WHITE \(2\), not 'black'"):
        Board(5).play("black", "A1")  # type: ignore[arg-type]  # the test passes a wrong type
    assert Board() == Board(19)


def test_push_and_pop_are_move_and_undo() -> None:
    board = Board(5)
    moves = [(1, (0, 4)), (2, (1, 4)), (1, None), (2, (0, 3))]
    removed = [board.push("A1"), board.push("be", system="sgf"), board.push(None), board.push((0, 3))]
    assert (removed, board.moves()) == ([0, 0, 0, 1], moves)
    assert [board.pop() for _ in moves] == moves[::-1]
    assert board == Board(5) and board.last_move is None
    with pytest.raises(IllegalMoveError, match="only 0 moves can be taken back"):
        board.pop()


@pytest.mark.parametrize("point", [b"A1", bytearray(b"A1"), {1, 2}, frozenset((1, 2)), {1: 2, 3: 4}])
def test_bytes_and_sets_are_no_points(point: Any) -> None:
    board = Board(100)
    for call in (
        lambda: board.play(BLACK, point),
        lambda: board[point],
        lambda: board.setup([(BLACK, point)]),
        lambda: list(board.neighbours(point)),
    ):
        with pytest.raises(TypeError, match="a point is a pair"):
            call()
    assert board == Board(100)


def test_arguments_that_are_no_stones_and_sides_are_named() -> None:
    for stone, kind in ((1, TypeError), ((1,), ValueError), ((1, (1, 2), 3), ValueError)):
        for call in (Board(5).setup, Board(5).edit):
            with pytest.raises(kind, match=r"a stone is a pair \(color, point\), not"):
                call([stone])  # type: ignore[list-item]  # the test passes a wrong type
    for sides in ((True,), (5, False)):
        with pytest.raises(TypeError, match="the sides of a board are integers"):
            Board(*sides)
    with pytest.raises(BoardSizeError, match=f"a {2**64} x 3 board"):
        Board(2**64, 3)
