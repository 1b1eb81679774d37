# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Whose every point is when stones count, and empty points that reach one color only."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t

from typing import Any, NamedTuple

import numpy as np

from wei7core.board cimport Board
from wei7core.border cimport raise_status
from wei7core.kernel cimport W7_BLACK, W7_WHITE, w7_grid, w7_status

cdef extern from "_kernel/area.h" nogil:
    ctypedef struct w7_area:
        int64_t stones[3]
        int64_t territory[3]

    w7_status w7_grid_area(const w7_grid *grid, w7_area *area, uint8_t *owners) noexcept

__all__ = ["Area", "count_area"]


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
