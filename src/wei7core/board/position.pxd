"""Positions for other modules, which make them of a board of the kernel."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from wei7core.board.kernel cimport w7_board


@cython.final
@cython.no_gc
cdef class Position:
    cdef readonly bytes packed
    cdef uint64_t key       # as w7_board_hash
    cdef int32_t columns
    cdef int32_t rows
    cdef int32_t ko_x       # -1: none
    cdef int32_t ko_y
    cdef uint8_t color      # to play, or W7_EMPTY

# The position of a board, which may be looked into: with a color to play, and the point that simple ko forbids to it.
cdef Position position_of(w7_board *board, int color, bint ko)
