"""What follows from a position: the C functions, and the class that Board.children returns."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from wei7core.board.kernel cimport w7_board, w7_grid, w7_rules, w7_status

cdef extern from "board/kernel/planes.h" nogil:
    # What boards of one size that have planes look up.
    ctypedef struct w7_plane_tables:
        pass

    void w7_plane_tables_fill(w7_plane_tables *tables, const w7_grid *grid) noexcept

cdef extern from "board/kernel/children_owned.h" nogil:
    ctypedef struct w7_child:
        uint64_t key
        int32_t point           # y * width + x
        int32_t captured
        int32_t lost

    # Sets have a bit for each point, the lowest bit of a word first.
    ctypedef struct w7_children:
        uint64_t *empty
        uint64_t *legal
        uint64_t *self_atari
        w7_child *takers
        int64_t taker_count

    # `tables` are those of the size of the board, NULL where it has no planes. Free children.empty, unless the status
    # is not W7_OK.
    w7_status w7_board_keep_children(w7_board *board, const w7_plane_tables *tables, w7_rules rules, int color,
                                     w7_children *children) noexcept

cdef extern from "board/kernel/children_columns.h" nogil:
    # Where columns are written, an element for each point; NULL where one is not wanted.
    ctypedef struct w7_child_columns:
        uint64_t *hash
        int32_t *captured
        int32_t *lost
        uint8_t *verdict
        uint8_t *legal
        uint8_t *self_atari

    ctypedef struct w7_child_source:
        const w7_children *children
        const w7_plane_tables *tables
        uint64_t hash
        int32_t width
        int32_t height
        int color
        int isa
        w7_rules rules

    void w7_write_child_columns(const w7_child_source *source, const w7_child_columns *columns) noexcept


cdef class _Columns:
    cdef bytes memory
    cdef object record
    cdef list views

    cdef bint is_unseen(self)
    cdef object view(self, int index)


cdef class _BoardSize:
    cdef int32_t width
    cdef int32_t height
    cdef w7_plane_tables *tables
    cdef object record_type
    cdef list spares

    cdef _Columns take_columns(self)
    cdef int give_columns(self, _Columns columns) except -1


cdef class Children:
    cdef object board
    cdef _BoardSize size
    cdef w7_children c
    cdef w7_child_source source
    cdef int64_t move_count
    cdef int64_t edit_count
    cdef _Columns columns

    cdef int require_made(self) except -1
    cdef object column(self, int index)
    cdef _Columns make_columns(self)
    cdef int64_t number_of(self, object point) except -2
    cdef int refuse(self, x, y) except -1
    cdef object child(self, point)


# The children of a Board, whose w7_board is locked by the caller.
cdef Children find_children(object board, w7_board *c, int color, w7_rules rules)
