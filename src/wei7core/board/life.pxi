"""Unconditional life: stones that cannot be captured even if their owner always passes."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t

from typing import NamedTuple

from wei7core.board.kernel cimport w7_board_copy, w7_board_free, w7_status

cdef extern from "board/kernel/benson.h" nogil:
    enum:
        W7_ALIVE_STONE
        W7_ALIVE_TERRITORY

    w7_status w7_board_pass_alive(const w7_board *board, int color, uint8_t *points) noexcept


class PassAlive(NamedTuple):
    """The unconditionally alive stones and territory of one color (`Board.pass_alive`).

    Valid under rules that forbid suicide: suicide of several stones can open a region again.

    `stones`: those that cannot be captured. `territory`: the regions that make them alive, which are empty points, and
    opponent stones that cannot live there.
    """

    stones: "PointSet"
    territory: "PointSet"


cdef object pass_alive_points(const w7_board *board, int color):
    cdef int32_t width = board.grid.width, height = board.grid.height, x, y
    cdef PointSet stones = empty_point_set(width, height), territory = empty_point_set(width, height)
    cdef w7_board copy
    cdef w7_status status
    cdef uint8_t state
    cdef uint8_t *points = <uint8_t *>PyMem_Malloc(<size_t>width * <size_t>height)
    if points is NULL:
        raise MemoryError("not enough memory for the points of the board")
    try:
        raise_status(w7_board_copy(&copy, board, False), board)
        with nogil:  # the board was copied: it may change
            status = w7_board_pass_alive(&copy, color, points)
            w7_board_free(&copy)
        raise_status(status, board)
        for y in range(height):
            for x in range(width):
                state = points[<size_t>y * <size_t>width + <size_t>x]
                if state == W7_ALIVE_STONE:
                    w7_points_put(&stones.c, x, y)
                elif state == W7_ALIVE_TERRITORY:
                    w7_points_put(&territory.c, x, y)
    finally:
        PyMem_Free(points)
    return PassAlive(stones, territory)
