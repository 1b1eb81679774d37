"""The owner of every point when stones count, and empty points that reach only one color."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT32_MAX, int64_t, uint8_t

from typing import Any, NamedTuple

import numpy as np

from wei7core.board.kernel cimport (
    W7_BLACK,
    W7_OK,
    W7_WHITE,
    w7_board,
    w7_board_clear,
    w7_board_free,
    w7_board_init,
    w7_board_write_unchecked,
    w7_grid,
    w7_status,
)

cdef extern from "board/kernel/area.h" nogil:
    ctypedef struct w7_area:
        int64_t stones[3]
        int64_t territory[3]

    w7_status w7_grid_area(const w7_grid *grid, w7_area *area, uint8_t *owners) noexcept


class Area(NamedTuple):
    """The area of both colors, as John Tromp and Bill Taylor count it: every stone lives (`count_area`).

    `black_stones`, `white_stones`: stones on the board. `black_territory`, `white_territory`: empty points from which
    lines of empty points lead to stones of that color and to no others. `owners`: an array `[y, x]` with 1 for Black's
    stones and territory, 2 for White's, and 0 for all other points.
    """

    black_stones: int
    white_stones: int
    black_territory: int
    white_territory: int
    owners: Any


def count_area(Board board not None):
    """Return the `Area` of the position on a board; `owners` is a new `uint8` array of shape `(height, width)`.

    Thread safety: the board is locked while it is read.
    """
    cdef w7_area area
    cdef w7_status status
    cdef Py_buffer view
    owners = np.empty((board.c.grid.height, board.c.grid.width), np.uint8)
    PyObject_GetBuffer(owners, &view, PyBUF_WRITABLE)
    with cython.critical_section(board):
        status = w7_grid_area(&board.c.grid, &area, <uint8_t *>view.buf)
    PyBuffer_Release(&view)
    raise_status(status, &board.c)
    return Area(
        area.stones[<int>W7_BLACK],
        area.stones[<int>W7_WHITE],
        area.territory[<int>W7_BLACK],
        area.territory[<int>W7_WHITE],
        owners,
    )


def count_areas(cells):
    """Return the areas of many positions of one size, as an `int64` array of shape `(n, 4)`.

    `cells` is a `uint8` array of shape `(n, height, width)` of 0, 1 and 2, as `unpack_boards` returns it. A row has
    the first four numbers of an `Area`: black stones, white stones, black territory, white territory.

    Raises `ValueError` for another shape, another value, or a board without points; `TypeError` for other elements.
    Thread safety: all positions are counted without the GIL, in a copy of their own.
    """
    given = np.asarray(cells)
    if given.dtype != np.uint8:
        raise TypeError(f"the elements of positions are uint8, not {given.dtype}")
    if given.ndim != 3:
        raise ValueError(f"positions are an array of 3 dimensions (n, height, width), not {given.ndim}")
    cdef int64_t count = given.shape[0], height = given.shape[1], width = given.shape[2], index = 0
    if width < 1 or height < 1 or width > INT32_MAX // height:
        raise ValueError(f"expected a width and a height of at least 1, got {width} x {height}")
    # A copy, because other threads must not change the cells while they are read.
    own = np.array(given, order="C")
    if own.size and own.max() > 2:
        raise ValueError("the elements of positions are 0 (empty), 1 (black) and 2 (white)")
    areas = np.empty((count, 4), np.int64)
    cdef w7_board board
    cdef w7_area area
    cdef w7_status status
    cdef Py_buffer read, written
    cdef int64_t *row
    raise_status(w7_board_init(&board, <int>width, <int>height), &board)
    PyObject_GetBuffer(own, &read, PyBUF_SIMPLE)
    PyObject_GetBuffer(areas, &written, PyBUF_WRITABLE)
    with nogil:
        status = W7_OK
        while index < count and status == W7_OK:
            w7_board_clear(&board)
            w7_board_write_unchecked(&board, <const uint8_t *>read.buf + index * width * height)
            status = w7_grid_area(&board.grid, &area, NULL)
            row = <int64_t *>written.buf + 4 * index
            row[0] = area.stones[<int>W7_BLACK]
            row[1] = area.stones[<int>W7_WHITE]
            row[2] = area.territory[<int>W7_BLACK]
            row[3] = area.territory[<int>W7_WHITE]
            index += 1
    PyBuffer_Release(&read)
    PyBuffer_Release(&written)
    w7_board_free(&board)
    raise_status(status, NULL)
    return areas
