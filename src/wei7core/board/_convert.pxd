"""Between Python and the kernel: arguments on their way in, statuses on their way out as exceptions.

The functions that every move passes through stand here, so that modules compile them into their own code.
"""

from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport INT32_MAX, int32_t, int64_t

from wei7core.board.kernel cimport W7_BLACK, W7_EMPTY, W7_WHITE, w7_board, w7_move, w7_placement, w7_rules, w7_status

cdef int64_t read_other_integer(object value) except? -1
cdef int refuse_color(object color) except -1
cdef tuple pair_of(object point)

# The number of stones of an iterable of (color, (x, y)). They are in `placements`, which the caller frees with
# PyMem_Free also after an exception, and their points as written in `points`.
cdef int64_t read_stones(object stones, bint or_empty, w7_placement **placements, list points) except -1

# What a wei7core.rules.Rules, or the name of one, asks of a move.
cdef int read_rules(object rules, w7_rules *flags) except -1

# Raises what a status of the kernel means; the one place that knows.
cdef int raise_status(w7_status status, const w7_board *board, int color=*, object point=*) except -1
# Like raise_status, for stones that are no moves.
cdef int raise_setup_status(w7_status status, const w7_board *board, object point) except -1
cdef int require_point(const w7_board *board, int64_t x, int64_t y) except -1

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1


cdef inline int64_t read_integer(object value) except? -1:
    """Any integer; one too large for 64 bits becomes the largest or the least."""
    cdef int overflow = 0
    cdef int64_t number
    if PyLong_CheckExact(value):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow == 0:
            return number
    return read_other_integer(value)


cdef inline int read_color(object color) except -1:
    if PyLong_CheckExact(color):
        number = read_integer(color)
        if number == W7_BLACK or number == W7_WHITE:
            return <int>number
    return refuse_color(color)


cdef inline int read_point(object point, int64_t *x, int64_t *y) except -1:
    cdef tuple pair = <tuple>point if type(point) is tuple and len(<tuple>point) == 2 else pair_of(point)
    x[0] = read_integer(pair[0])
    y[0] = read_integer(pair[1])
    return 0


cdef inline int32_t narrow(int64_t coordinate) noexcept:
    """The coordinate, or one that is off every board and no pass."""
    return <int32_t>coordinate if 0 <= coordinate <= INT32_MAX else -2


cdef inline object move_point(const w7_move *move):
    return None if move.x < 0 else (move.x, move.y)
