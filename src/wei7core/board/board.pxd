"""The board for other Cython packages.

    from wei7core.board.board cimport Board, w7_board_play, W7_BLACK, W7_OK

Compile with `wei7core.get_include()` among the include directories. All functions are `static inline` C without
Python; none takes the GIL or raises. A status other than W7_OK means that nothing changed. A board may be used by
one thread at a time: code that works on `Board.c` holds the GIL, a critical section, or the only reference.
"""

cimport cython

from wei7core.board.kernel cimport *


@cython.final
cdef class Board:
    cdef w7_board c
