"""Blocks as objects, for the modules that hand them out."""

from libc.stdint cimport int32_t

from wei7core.board.kernel cimport w7_board

# The block of the stone at a point of the board; without stones where there is none.
cdef object block_at(w7_board *board, int32_t x, int32_t y)
# All blocks of one color or, where it is W7_EMPTY, of both.
cdef list blocks_of(const w7_board *board, int color)
# The points of the block at (x, y) or, instead, its liberties, some of them more than once.
cdef list block_points(w7_board *board, int32_t x, int32_t y, bint liberties)
