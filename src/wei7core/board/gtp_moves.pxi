"""Moves as engines are sent them."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.string cimport memcpy

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

    ctypedef struct PyObject:
        pass

    bint PyTuple_CheckExact(PyObject *value)
    Py_ssize_t PyTuple_GET_SIZE(PyObject *value)
    PyObject *PyTuple_GET_ITEM(PyObject *value, Py_ssize_t place)

cdef enum:
    MOST_COLUMNS = 25
    MOST_ROWS = 99
    LONGEST_MOVE = 13  # ["B","pass"],


def moves_to_json(list moves not None, int64_t width, int64_t height):
    """Return moves `(color, point)` on a board of that size as elements of an array: `["B","D4"],["W","pass"]`.

    Returns None for a move that is no tuple of plain integers or not on the board, and for a board with columns beyond
    Z or more than 99 rows.
    """
    cdef Py_ssize_t room = len(moves)
    cdef bytes memory
    cdef char *end
    if width > MOST_COLUMNS or height > MOST_ROWS or room > PY_SSIZE_T_MAX // 16:
        return None
    memory = PyBytes_FromStringAndSize(NULL, room * LONGEST_MOVE)
    end = PyBytes_AS_STRING(memory)
    for move in moves:
        room -= 1  # another thread may have added moves
        end = end_of_move(end, move, width, height) if room >= 0 else NULL
        if end is NULL:
            return None
    room = end - PyBytes_AS_STRING(memory)
    return PyUnicode_DecodeASCII(PyBytes_AS_STRING(memory), room - (room > 0), NULL)


cdef char *end_of_move(char *at, move, int64_t width, int64_t height) noexcept:
    """Write a move and a comma, and return where they end; NULL for another object."""
    cdef int64_t color, x, y
    cdef PyObject *point
    if not is_pair(<PyObject *>move):
        return NULL
    color = plain_integer(<PyObject *>move, 0)
    if color != W7_BLACK and color != W7_WHITE:
        return NULL
    memcpy(at, b'["B","pass"],', LONGEST_MOVE)
    if color == W7_WHITE:
        at[2] = c"W"
    point = PyTuple_GET_ITEM(<PyObject *>move, 1)
    if point is <PyObject *>None:
        return at + LONGEST_MOVE
    if not is_pair(point):
        return NULL
    x = plain_integer(point, 0)
    y = plain_integer(point, 1)
    if not (0 <= x < width and 0 <= y < height):
        return NULL
    y = height - y
    at[6] = <char>(c"A" + x + (x >= 8))  # without I
    at += 7
    if y >= 10:
        at[0] = <char>(c"0" + y // 10)
        at += 1
    at[0] = <char>(c"0" + y % 10)
    memcpy(at + 1, b'"],', 3)
    return at + 4


cdef bint is_pair(PyObject *value) noexcept:
    return PyTuple_CheckExact(value) and PyTuple_GET_SIZE(value) == 2


cdef int64_t plain_integer(PyObject *pair, Py_ssize_t place) noexcept:
    """An integer of 64 bits; -1 for another object."""
    cdef int overflow = 0
    cdef PyObject *value = PyTuple_GET_ITEM(pair, place)
    return PyLong_AsLongLongAndOverflow(<object>value, &overflow) if PyLong_CheckExact(<object>value) else -1
