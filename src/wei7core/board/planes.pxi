"""Positions as input planes of networks."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

import numpy as np

from wei7core._util.cpu import ISA

from wei7core.board.kernel cimport (
    W7_EMPTY,
    W7_OK,
    w7_board,
    w7_board_assign,
    w7_board_free,
    w7_board_move_count,
    w7_board_undo,
    w7_point,
    w7_status,
)

cdef extern from "board/kernel/pack.h" nogil:
    int64_t w7_packed_size(int64_t width, int64_t height) noexcept
    void w7_board_pack(const w7_board *board, uint8_t *packed) noexcept

cdef extern from "board/kernel/features.h" nogil:
    enum:
        W7_PLANES_NOW
        W7_HISTORY_POSITIONS
        W7_HISTORY_PLANES

    ctypedef struct w7_feature_shape:
        int32_t width
        int32_t height
        int32_t history
        uint8_t is_float

    ctypedef struct w7_feature_turn:
        int64_t ko
        uint8_t color

    w7_status w7_features_write(const w7_feature_shape *shape, const uint8_t *packed, const w7_feature_turn *turns,
                                int64_t count, uint8_t *out) noexcept
    w7_status w7_history_features_write(int isa, const w7_feature_shape *shape, const uint8_t *packed,
                                        const w7_feature_turn *turns, int64_t count, uint8_t *out) noexcept

PLANES = (
    "own", "opponent", "empty", "own-1", "own-2", "own-3", "opponent-1", "opponent-2", "opponent-3", "ko",
)
"""The planes of a position in their order; those of earlier positions follow them."""


def to_planes(positions, to_play=None, *, history=0, features=None, dtype=None, out=None):
    """Return positions as planes of 0 and 1 for a network: `(planes, height, width)`, or `(n, planes, height, width)`.

    `positions` is a `Board` or `Position`, or for the second shape a sequence of them, all of one size. `to_play` is
    the color whose stones are "own": one for all, or a sequence of one for each; None takes that of the `Position`.
    The planes, 10 + 2 * history:

    - 0, 1, 2: own stones, the opponent's, empty points
    - 3, 4, 5: own stones whose block has 1, 2, and 3 or more liberties
    - 6, 7, 8: the same of the opponent
    - 9: the point where `to_play` may not retake a ko at once: found from the last move of a `Board`; of a `Position`
      it is its `ko`, if its `to_play` is that color - 10 + 2 * i, 11 + 2 * i: own stones and the opponent's before the
      last i + 1 moves of a `Board`; 0 if it has fewer moves in force, and for a `Position`, which has none

    `features="alphago-zero"` gives the 17 planes of that network instead, and `history` stays 0: planes 2 * i and
    2 * i + 1 are own stones and the opponent's i moves before, i from 0 to 7, and plane 16 is 1 where Black is to play.

    `dtype` is `uint8` (the default) or `float32`. `out`, an array of that shape and one of these types, C-contiguous,
    aligned and writable, is filled and returned without allocating memory for the result.

    Raises `ValueError` for no positions, other sizes, colors or shapes, and `TypeError` for other objects.
    Thread safety: each board is locked while it is read. The planes are made without the GIL; `out` is the caller's
    until then.
    """
    cdef bint single = isinstance(positions, (Board, Position))
    cdef list items = [positions] if single else list(positions)
    cdef int64_t count = len(items), size, most_history = read_integer(history)
    cdef bint is_history_alone = features is not None
    cdef int isa = ISA
    cdef w7_feature_shape shape
    cdef w7_feature_turn *turns
    cdef Py_buffer view
    cdef w7_status status
    cdef bytearray packed
    cdef const uint8_t *packed_at
    if not items:
        raise ValueError("expected at least one position")
    if not 0 <= most_history <= INT32_MAX // 4:
        raise ValueError(f"the number of earlier positions is from 0 to {INT32_MAX // 4}, not {history}")
    if is_history_alone:
        if features != "alphago-zero":
            raise ValueError(f"features are None or 'alphago-zero', not {features!r}")
        if most_history != 0:
            raise ValueError("the features 'alphago-zero' have a history of their own: history is 0")
        most_history = W7_HISTORY_POSITIONS - 1
    width, height = size_of(items[0])
    shape.width = width
    shape.height = height
    shape.history = <int32_t>most_history
    full = (W7_HISTORY_PLANES if is_history_alone else W7_PLANES_NOW + 2 * most_history, height, width)
    out = output(out, dtype, full if single else (count, *full))
    shape.is_float = out.dtype == np.float32
    size = w7_packed_size(width, height)
    packed = bytearray(count * (1 + most_history) * size)
    packed_at = <const uint8_t *>PyByteArray_AS_STRING(packed)
    turns = <w7_feature_turn *>PyMem_Malloc(<size_t>count * sizeof(w7_feature_turn))
    if turns is NULL:
        raise MemoryError("not enough memory for the positions")
    try:
        read_turns(items, to_play, turns)
        read_states(items, &shape, turns, <uint8_t *>PyByteArray_AS_STRING(packed))
        PyObject_GetBuffer(out, &view, PyBUF_WRITABLE)
        with nogil:
            if is_history_alone:
                status = w7_history_features_write(isa, &shape, packed_at, turns, count, <uint8_t *>view.buf)
            else:
                status = w7_features_write(&shape, packed_at, turns, count, <uint8_t *>view.buf)
        PyBuffer_Release(&view)
        if status != W7_OK:
            raise MemoryError("not enough memory for a position")
    finally:
        PyMem_Free(turns)
    return out


cdef tuple size_of(object item):
    if isinstance(item, Board):
        return (<Board>item).c.grid.width, (<Board>item).c.grid.height
    if isinstance(item, Position):
        return (<Position>item).columns, (<Position>item).rows
    raise TypeError(f"planes are made of boards and positions, not of {type(item).__name__}")


cdef object output(object out, object dtype, tuple shape):
    """The array to fill."""
    if out is None:
        kind = np.dtype(np.uint8 if dtype is None else dtype)
    elif not isinstance(out, np.ndarray):
        raise TypeError(f"out is a NumPy array, not {type(out).__name__}")
    else:
        kind = out.dtype
        if dtype is not None and np.dtype(dtype) != kind:
            raise ValueError(f"out holds {kind}, not {np.dtype(dtype)}")
    if kind != np.uint8 and kind != np.float32:
        raise ValueError(f"planes are uint8 or float32, not {kind}")
    if out is None:
        return np.empty(shape, dtype=kind)
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, not {shape}")
    if not out.flags.carray:
        raise ValueError("out is not C-contiguous, aligned and writable")
    return out


cdef int read_turns(list items, object to_play, w7_feature_turn *turns) except -1:
    """The color to play at each position."""
    cdef int64_t index
    cdef Position position
    if to_play is None:
        for index in range(len(items)):
            position = items[index] if isinstance(items[index], Position) else None
            if position is None or position.color == W7_EMPTY:
                raise ValueError(f"position {index} has no color to play: name one")
            turns[index].color = position.color
        return 0
    if hasattr(to_play, "__len__"):
        colors = list(to_play)
        if len(colors) != len(items):
            raise ValueError(f"there are {len(items)} positions and {len(colors)} colors to play")
    else:
        colors = [read_color(to_play)] * len(items)
    for index in range(len(items)):
        turns[index].color = <uint8_t>read_color(colors[index])
    return 0


cdef int read_states(list items, const w7_feature_shape *shape, w7_feature_turn *turns, uint8_t *packed) except -1:
    """Each position packed, followed by the earlier ones, and its ko."""
    cdef int64_t index, size = w7_packed_size(shape.width, shape.height)
    cdef Position position
    cdef w7_board earlier
    memset(&earlier, 0, sizeof(earlier))
    try:
        for index in range(len(items)):
            item = items[index]
            if size_of(item) != (shape.width, shape.height):
                raise ValueError(
                    f"position {index} is {' x '.join(map(str, size_of(item)))}, the first {shape.width} x "
                    f"{shape.height}: one array holds one size")
            if isinstance(item, Board):
                read_board(<Board>item, shape.history, &turns[index], packed, &earlier)
            else:
                position = <Position>item
                turns[index].ko = -1
                if position.ko_x >= 0 and position.color == turns[index].color:
                    turns[index].ko = <int64_t>position.ko_y * shape.width + position.ko_x
                memcpy(packed, PyBytes_AS_STRING(position.packed), <size_t>size)
            packed += (1 + shape.history) * size
    finally:
        w7_board_free(&earlier)
    return 0


cdef int read_board(Board board, int32_t history, w7_feature_turn *turn, uint8_t *packed, w7_board *earlier) except -1:
    """A packed board and its earlier positions; `earlier` is a scratch board for undo."""
    cdef int64_t size = w7_packed_size(board.c.grid.width, board.c.grid.height), moves
    cdef int32_t index
    cdef w7_point ko
    with cython.critical_section(board):
        raise_status(w7_board_ko_point(&board.c, turn.color, &ko), &board.c)
        w7_board_pack(&board.c, packed)
        moves = w7_board_move_count(&board.c)
        if history > 0:
            raise_status(w7_board_assign(earlier, &board.c, True), &board.c)
    turn.ko = <int64_t>ko.y * board.c.grid.width + ko.x if ko.x >= 0 else -1
    for index in range(history if history < moves else <int32_t>moves):
        w7_board_undo(earlier, 1)
        w7_board_pack(earlier, packed + (1 + index) * size)
    return 0
