"""`Children` as an object: arrays, the collection of boards, and what it refuses."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest

from wei7core import BLACK, WHITE, rules
from wei7core.board.board import Board
from wei7core.board.children import Children
from wei7core.errors import IllegalMoveError, OffBoardError

COLUMNS = {"legal": "?", "reason": "u1", "captured": "i4", "lost": "i4", "hash": "u8", "self_atari": "?"}


def ko() -> Board:
    """Black has just taken at (2, 1); White would take back at (1, 1)."""
    board = Board(5, 4)
    board.setup([(BLACK, (1, 0)), (BLACK, (0, 1)), (BLACK, (1, 2)), (WHITE, (2, 0)), (WHITE, (3, 1)), (WHITE, (2, 2))])
    board.play(WHITE, (1, 1))
    assert board.play(BLACK, (2, 1)) == 1
    return board


def corner() -> Board:
    """White to play at (0, 0): suicide of one, at (1, 0) of two."""
    board = Board(5)
    board.setup([(BLACK, (0, 1)), (BLACK, (1, 1)), (BLACK, (2, 0)), (WHITE, (1, 0))])
    return board


def test_a_position_in_full() -> None:
    board = corner()
    children = board.children(WHITE, "japanese")
    after = board.copy()
    assert after.play(WHITE, (0, 0)) == 2
    assert (children.lost[0, 0], children.captured[0, 0], children.hash[0, 0]) == (2, 0, after.hash)
    assert (children.legal[0, 0], children.reason[0, 0]) == (False, rules.Verdict.SUICIDE.value)
    assert not children.self_atari[0, 0]
    assert children.reason[1, 0] == rules.Verdict.OCCUPIED.value
    assert (children.hash[1, 0], children.legal[1, 0]) == (0, False)
    takes = board.children(BLACK)
    assert (takes.captured[0, 0], takes.lost[0, 0], takes.legal[0, 0]) == (1, 0, True)
    assert int(takes.captured.sum()) == 1
    assert len(takes) == 21 == len(board.children(WHITE, "permissive")) == len(children) + 1


def test_what_is_legal_depends_on_the_rules() -> None:
    board = ko()
    for name, reason in (
        ("permissive", "legal"),
        ("japanese", "ko-recapture"),
        ("tromp-taylor", "positional-repeat"),
        ("aga", "situational-repeat"),
    ):
        children = board.children(WHITE, name)
        assert tuple(rules.Verdict)[children.reason[1, 1]].reason == reason
        assert board.is_legal(WHITE, (1, 1), name).value == children.reason[1, 1]
        assert ((1, 1) in children) == ((1, 1) in board.legal_points(WHITE, name)) == (reason == "legal")
        assert children.captured[1, 1] == 1
        assert children.self_atari[1, 1]


@pytest.mark.parametrize("size", [(19, 19), (5, 3), (30, 20), (1, 1)])
def test_arrays(size: tuple[int, int]) -> None:
    board = Board(*size)
    board.play(BLACK, (0, 0))
    children = board.children(WHITE)
    for name, dtype in COLUMNS.items():
        array = getattr(children, name)
        assert (array.shape, array.dtype) == (size[::-1], np.dtype(dtype))
        assert array.flags.c_contiguous
        assert array.flags.aligned
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
        assert np.shares_memory(array, getattr(children, name))
    assert children.color == WHITE


def test_arrays_outlive_everything_else() -> None:
    """Memory serves again only when nobody sees it."""
    boards = [Board(9) for _ in range(20)]
    for number, board in enumerate(boards):
        board.play(BLACK, (number % 9, number // 9))
    hashes = [board.children(WHITE).hash for board in boards]
    rows = [board.children(WHITE).hash[3] for board in boards]
    memory = [memoryview(board.children(WHITE).captured) for board in boards]
    bases = [board.children(WHITE).lost.base.base for board in boards]
    for _ in range(50):
        assert boards[0].children(BLACK).legal.sum() == 80
    gc.collect()
    for board, array, row in zip(boards, hashes, rows, strict=True):
        with_white = board.copy()
        with_white.play(WHITE, (5, 3))
        assert array[3, 5] == row[5] == with_white.hash
        assert array.tolist() == board.children(WHITE).hash.tolist()
    assert not any(view.tobytes().strip(b"\0") for view in memory)
    assert len({bytes(base)[:648] for base in bases}) == 20


def test_the_collection_of_boards() -> None:
    board = ko()
    children = board.children(WHITE, "japanese")
    assert children.points == board.legal_points(WHITE, "japanese")
    assert children.points == [(int(x), int(y)) for y, x in np.argwhere(children.legal)]
    found = list(children)
    assert [point for point, _ in found] == children.points
    assert len(children) == len(found) == int(children.legal.sum())
    for (x, y), child in found:
        assert child.hash == children.hash[y, x]
        assert child.last_move == (WHITE, (x, y))
        child.undo()
        assert child == board
        assert child.moves() == board.moves()
    assert children[4, 3] == dict(found)[4, 3] or children[4, 3].move_count == 3
    assert (4, 3) in children
    assert (5, 0) not in children
    assert repr(children) == f"<Children of white: {len(found)} legal points>"


def test_what_is_no_child() -> None:
    children = ko().children(WHITE, "japanese")
    with pytest.raises(IllegalMoveError, match=r"move 3: white at \(1, 1\): ko-recapture") as caught:
        children[1, 1]
    assert (caught.value.reason, caught.value.move_number, caught.value.point) == ("ko-recapture", 3, (1, 1))
    with pytest.raises(IllegalMoveError, match="occupied"):
        children[1, 0]
    with pytest.raises(OffBoardError, match="off the 5 x 4 board"):
        children[5, 0]
    with pytest.raises(OffBoardError):
        children[-1, 0]
    with pytest.raises(TypeError):
        children[0]  # type: ignore[index]  # refused at run time too


def test_the_result_does_not_follow_the_board() -> None:
    board = ko()
    children = board.children(WHITE)
    legal = board.legal_points(WHITE)
    board.play(WHITE, (4, 3))
    assert children.points == legal
    assert int(children.legal.sum()) == len(legal)
    with pytest.raises(RuntimeError, match="changed"):
        children[4, 3]
    with pytest.raises(RuntimeError, match="changed"):
        next(iter(children))
    board.undo()
    assert children[4, 3].move_count == 3
    board.edit([(BLACK, (4, 3)), (0, (4, 3))])
    with pytest.raises(RuntimeError, match="changed"):
        children[4, 3]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((3,), ValueError),
        ((True,), TypeError),
        ((BLACK, "no such rules"), ValueError),
        ((BLACK, 7), TypeError),
        ((), TypeError),
    ],
)
def test_arguments(arguments: tuple[object, ...], kind: type[Exception]) -> None:
    for method in (Board(3).children, Board(3).legal_points):
        with pytest.raises(kind):
            method(*arguments)  # type: ignore[arg-type]  # the test passes a wrong type


def test_only_boards_make_them() -> None:
    with pytest.raises(TypeError, match=r"Board\.children"):
        Children()
    with pytest.raises(TypeError, match=r"Board\.children"):
        Children.__new__(Children)
    with pytest.raises(TypeError):
        pickle.dumps(Board(3).children(BLACK))


def test_many_sizes() -> None:
    """More sizes than are remembered at once."""
    for width in range(1, 80):
        board = Board(width, 2)
        children = board.children(BLACK)
        assert len(children) == 2 * width == int(children.legal.sum())


def test_columns_serve_again_after_children_on_a_cycle() -> None:
    """The collector may not clear columns that wait for the next position."""
    assert Board(9).children(BLACK).legal.all()  # columns that are older than the cycle
    for _ in range(3):
        cycle: list[object] = []
        children = Board(9).children(BLACK)
        assert children.legal.all()
        cycle += [children, cycle]
        del children, cycle
        gc.collect()
        board = Board(9)
        board.play(WHITE, (0, 0))
        assert int(board.children(BLACK).legal.sum()) == 80
