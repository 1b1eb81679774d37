"""What lives, for the board."""

from libc.stdint cimport int32_t

from wei7core.board.kernel cimport w7_board


cdef extern from "board/kernel/eye.h" nogil:
    # Whether a point of the board is an eye of the colour as the stones stand.
    bint w7_board_is_eye(w7_board *board, int color, int32_t x, int32_t y) noexcept

# The PassAlive of a color.
cdef object pass_alive_points(const w7_board *board, int color)
