"""The children of a position: every move of one colour and its effect."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from wei7core.errors import IllegalMoveError
from wei7core.rules import Verdict

from wei7core._util.free_threading cimport W7_THREADS_RUN_FREE, w7_dict_get, w7_has_weak_references
from wei7core.board.kernel cimport W7_BLACK, w7_board, w7_board_edit_count, w7_board_hash, w7_board_move_count, w7_rules

cdef extern from "board/kernel/point_sets.h" nogil:
    size_t w7_point_set_words(int64_t points) noexcept
    int64_t w7_point_count(const uint64_t *set, int64_t points) noexcept
    bint w7_point_in(const uint64_t *set, int64_t number) noexcept

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(void *object) noexcept

cdef object ndarray = np.ndarray
cdef tuple VERDICTS = tuple(Verdict)

# The columns in memory order: those of the widest elements first.
cdef tuple COLUMNS = (
    ("hash", np.dtype(np.uint64)),
    ("captured", np.dtype(np.int32)),
    ("lost", np.dtype(np.int32)),
    ("reason", np.dtype(np.uint8)),
    ("legal", np.dtype(np.bool_)),
    ("self_atari", np.dtype(np.bool_)),
)
cdef int POINT_BYTES = sum([dtype.itemsize for _, dtype in COLUMNS])


# --- columns ---------------------------------------------------------------------------------------

# Neither class below can be in a reference cycle: the collector would clear them before `Children` returns columns.
@cython.no_gc
cdef class _Columns:
    """The columns of one position, contiguous in memory that Python code cannot write to."""

    cdef bint is_unseen(self):
        """Whether the only reference is the owner's, so that the memory can be reused.

        Every array references the record, possibly indirectly, and the record references the memory.
        """
        cdef Py_ssize_t views = 0
        for view in self.views:
            if view is not None:
                # Two references are that of the list, and that of this loop.
                if Py_REFCNT(<void *>view) != 2 or w7_has_weak_references(view):
                    return False
                views += 1
        return (Py_REFCNT(<void *>self) == 1 and Py_REFCNT(<void *>self.record) == 1 + views
                and not w7_has_weak_references(self.record) and Py_REFCNT(<void *>self.memory) == 2)

    cdef object view(self, int index):
        view = self.views[index]
        if view is None:
            made = self.record[COLUMNS[index][0]]
            view = self.views[index]
            if view is None:  # else another thread was first
                view = self.views[index] = made
        return view


cdef _Columns new_columns(_BoardSize size):
    cdef _Columns columns = _Columns.__new__(_Columns)
    cdef int64_t points = <int64_t>size.width * size.height, offset = 0
    columns.memory = PyBytes_FromStringAndSize(NULL, points * POINT_BYTES)
    columns.views = [None] * len(COLUMNS)
    if size.record_type is not None:
        columns.record = ndarray((), size.record_type, columns.memory)
        return columns
    columns.record = {}
    for name, dtype in COLUMNS:
        columns.record[name] = ndarray((size.height, size.width), dtype, columns.memory, offset)
        offset += points * dtype.itemsize
    return columns


# --- shared tables of one size ---- ----------------------------------------------------------------

cdef dict SIZES = {}
cdef int MOST_SIZES = 64
cdef int MOST_SPARES = 4


@cython.no_gc
cdef class _BoardSize:
    """The tables of a size with planes, the type of a record of all columns, and some that were used.

    Unreferenced columns are reused: creating them takes longer than finding children and writing them. On free-threaded
    builds references cannot be counted, and columns are not reused.
    """

    def __dealloc__(self):
        free(self.tables)

    cdef _Columns take_columns(self):
        cdef _Columns columns
        for _index in range(len(self.spares)):
            columns = <_Columns>self.spares.pop(0)
            if columns.is_unseen():
                return columns
            self.spares.append(columns)
        return new_columns(self)

    cdef int give_columns(self, _Columns columns) except -1:
        if self.record_type is not None and not W7_THREADS_RUN_FREE:
            if len(self.spares) >= MOST_SPARES:
                self.spares.pop(0)
            self.spares.append(columns)
        return 0


cdef _BoardSize make_size(const w7_board *c):
    cdef _BoardSize size = _BoardSize.__new__(_BoardSize)
    size.width = c.grid.width
    size.height = c.grid.height
    size.spares = []
    if c.grid.has_planes:
        size.tables = <w7_plane_tables *>malloc(sizeof(w7_plane_tables))
        if size.tables is NULL:
            raise MemoryError("not enough memory for the tables of a board")
        w7_plane_tables_fill(size.tables, &c.grid)
        # A view of one member of a record takes a fourth of the time of an array.
        size.record_type = np.dtype([(name, dtype, (size.height, size.width)) for name, dtype in COLUMNS])
    return size


cdef _BoardSize size_of(const w7_board *c):
    cdef object key = <int64_t>c.grid.width << 32 | c.grid.height
    # Another thread may clear the sizes, or add the same one.
    size = w7_dict_get(SIZES, key)
    if size is None:
        size = make_size(c)
        if c.grid.has_planes:
            if len(SIZES) >= MOST_SIZES:
                SIZES.clear()
            SIZES[key] = size
    return size


# --- the children of a board -----------------------------------------------------------------------

cdef extern from "board/kernel/children.h" nogil:
    void w7_children_on_planes(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                               const w7_plane_words *opponent, int color, w7_children *children) noexcept


cdef void children_on_planes(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                             const w7_plane_words *opponent, int color, w7_children *children) noexcept nogil:
    w7_children_on_planes(isa, tables, own, opponent, color, children)


cdef Children find_children(object board, w7_board *c, int color, w7_rules rules):
    cdef Children children = Children.__new__(Children)
    children.size = size_of(c)
    raise_status(w7_board_keep_children(c, children.size.tables, rules, color, &children.c), c)
    children.board = board
    children.move_count = w7_board_move_count(c)
    children.edit_count = w7_board_edit_count(c)
    children.source.children = &children.c
    children.source.tables = children.size.tables
    children.source.hash = w7_board_hash(c)
    children.source.width = c.grid.width
    children.source.height = c.grid.height
    children.source.color = color
    children.source.isa = c.isa
    children.source.rules = rules
    return children


@cython.final
cdef class Children:
    """Every move of one color in a position and its effect, made by `Board.children` for all points at once.

    The arrays are of shape (height, width), indexed `[y, x]`, and read-only; they are made on first access. The effect
    is given for every empty point, legal or not.

    As a collection: `len()` is the number of legal points, iteration yields `((x, y), board)` for each of them, row by
    row, `children[x, y]` is the board after the move there, and `(x, y) in children` tests whether it is legal. Boards
    are made on request, with the previous moves, and are independent. They require the unchanged board: after a change
    they raise `RuntimeError` until it is undone. The arrays do not change.

    Thread safety: may be shared by threads.
    """

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self):
        raise TypeError("Children cannot be instantiated directly; use Board.children")

    def __dealloc__(self):
        free(self.c.empty)
        if self.columns is not None and self.size is not None:
            self.size.give_columns(self.columns)

    cdef _Columns make_columns(self):
        cdef _Columns made = self.size.take_columns()
        cdef int64_t points = <int64_t>self.source.width * self.source.height
        cdef w7_child_columns columns
        cdef char *at = PyBytes_AS_STRING(made.memory)
        columns.hash = <uint64_t *>at
        columns.captured = <int32_t *>(at + 8 * points)
        columns.lost = <int32_t *>(at + 12 * points)
        columns.verdict = <uint8_t *>(at + 16 * points)
        columns.legal = <uint8_t *>(at + 17 * points)
        columns.self_atari = <uint8_t *>(at + 18 * points)
        w7_write_child_columns(&self.source, &columns)
        return made

    cdef object column(self, int index):
        cdef _Columns made
        with cython.critical_section(self):
            if self.columns is not None:
                return self.columns.view(index)
        # Outside the lock: it may be released while creating them blocks, and then two threads would write.
        made = self.make_columns()
        with cython.critical_section(self):
            if self.columns is None:
                self.columns = made
            return self.columns.view(index)

    @property
    def color(self):
        """The color of the moves."""
        return self.source.color

    @property
    def legal(self):
        """Whether the rules allow the move: bool."""
        return self.column(4)

    @property
    def reason(self):
        """The verdict, as values of `wei7core.rules.Verdict`, 0 if legal: uint8."""
        return self.column(3)

    @property
    def captured(self):
        """The number of stones of the opponent that the move would remove: int32."""
        return self.column(1)

    @property
    def lost(self):
        """The number of stones of its own color that the move would remove by suicide, including itself, or 0:
        int32.
        """
        return self.column(2)

    @property
    def hash(self):
        """`Board.hash` after the move, 0 on occupied points: uint64."""
        return self.column(0)

    @property
    def self_atari(self):
        """Whether the block of the move would have exactly one liberty, after captures: bool."""
        return self.column(5)

    @property
    def points(self):
        """The legal points, row by row, as a new list of (x, y)."""
        cdef list points = []
        cdef int64_t number
        cdef size_t word
        cdef uint64_t bits
        for word in range(w7_point_set_words(<int64_t>self.source.width * self.source.height)):
            bits = self.c.legal[word]
            while bits:
                number = <int64_t>(64 * word) + w7_lowest_bit(bits)
                points.append((number % self.source.width, number // self.source.width))
                bits &= bits - 1
        return points

    def __len__(self):
        return w7_point_count(self.c.legal, <int64_t>self.source.width * self.source.height)

    def __iter__(self):
        return ((point, self.child(point)) for point in self.points)

    def __contains__(self, point):
        cdef int64_t number = self.number_of(point)
        return number >= 0 and w7_point_in(self.c.legal, number)

    def __getitem__(self, point):
        """Return the board after the move at (x, y).

        Raises `IllegalMoveError` if the move is not legal, with the `reason` of its verdict, and `OffBoardError` off
        the board.
        """
        cdef int64_t number = self.number_of(point), x, y
        read_point(point, self.source.height, &x, &y)
        if number < 0:
            raise off_board(point, x, y, self.source.width, self.source.height)
        if not w7_point_in(self.c.legal, number):
            self.refuse(x, y, point)
        return self.child((x, y))

    cdef int64_t number_of(self, object point) except -2:
        """The number of a point, or -1 off the board."""
        cdef int64_t x, y
        read_point(point, self.source.height, &x, &y)
        if 0 <= x < self.source.width and 0 <= y < self.source.height:
            return y * self.source.width + x
        return -1

    cdef int refuse(self, x, y, given) except -1:
        verdict = VERDICTS[self.column(3)[y, x]]
        color = "black" if self.source.color == W7_BLACK else "white"
        raise IllegalMoveError(
            f"move {self.move_count + 1}: {color} at {given_text(given, (x, y))}: {verdict}",
            move_number=self.move_count + 1, color=self.source.color, point=(x, y), reason=verdict.reason)

    cdef object child(self, point):
        """The board after a move on an empty point."""
        board = self.board.copy()
        if (board.hash, board.move_count, board._edits[0]) != (self.source.hash, self.move_count, self.edit_count):
            raise RuntimeError("the board has changed since its children were found")
        board.play(self.source.color, point)
        return board

    def __repr__(self):
        color = "black" if self.source.color == W7_BLACK else "white"
        return f"<Children of {color}: {len(self)} legal points>"
