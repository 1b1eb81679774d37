"""Declarations of the parts of `_values.pyx` for each other and for other modules.

The functions of `_convert.pxi` that every move uses are defined here, so that modules inline them.
"""

cimport cython
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint64_t

from wei7core.board.kernel cimport (
    W7_BLACK, W7_EMPTY, W7_WHITE, w7_board, w7_grid, w7_move, w7_placement, w7_rules, w7_status, w7_verdict,
)

# --- _convert.pxi ---

cdef int64_t read_other_integer(object value) except? -1
cdef int refuse_color(object color) except -1
cdef int read_other_point(object point, int64_t height, int64_t *x, int64_t *y) except -1
cdef object point_by(object system, object point, const w7_board *board)
# Whether it is None or the text of a pass.
cdef bint is_pass(object point) except -1

# The number of stones of an iterable of (color, (x, y)). They are in `placements`, which the caller frees with
# PyMem_Free also after an exception, and their points as written in `points`.
cdef int64_t read_stones(object stones, int64_t height, bint or_empty, w7_placement **placements,
                         list points) except -1

# The kernel's form of a wei7core.rules.Rules or the name of one.
cdef int read_rules(object rules, w7_rules *flags) except -1

# `w7_board_judge`, for modules that would else compile all of it.
cdef w7_status judge_move(w7_board *board, w7_rules rules, int color, int32_t x, int32_t y,
                          w7_verdict *verdict) noexcept nogil

# Raises the exception for a status of the kernel; the only place that maps them.
cdef int raise_status(w7_status status, const w7_board *board, int color=*, object point=*, object given=*) except -1
# Like raise_status, for stones that are no moves.
cdef int raise_setup_status(w7_status status, const w7_board *board, object point) except -1
cdef int require_point(const w7_board *board, int64_t x, int64_t y, object given) except -1

cdef extern from "board/small_int.h":
    bint w7_small_int(object value, int64_t *number) noexcept
    bint w7_small_pair(object point, int64_t *x, int64_t *y) noexcept


cdef inline int64_t read_integer(object value) except? -1:
    """Any integer; one too large for 64 bits becomes the largest or the least."""
    cdef int64_t number
    return number if w7_small_int(value, &number) else read_other_integer(value)


cdef inline int read_color(object color) except -1:
    cdef int64_t number
    if w7_small_int(color, &number) and (number == W7_BLACK or number == W7_WHITE):
        return <int>number
    return refuse_color(color)


cdef inline int read_point(object point, int64_t height, int64_t *x, int64_t *y) except -1:
    """A pair, or text as "D4" on a board of a height."""
    return 0 if w7_small_pair(point, x, y) else read_other_point(point, height, x, y)


cdef inline int32_t narrow(int64_t coordinate) noexcept:
    """The coordinate, or one that is off every board and no pass."""
    return <int32_t>coordinate if 0 <= coordinate <= INT32_MAX else -2


cdef inline object move_point(const w7_move *move):
    return None if move.x < 0 else (move.x, move.y)


# --- position.pxi ---

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

# The position of a board, which the caller has locked: with a color to play, and the point that simple ko forbids to
# it.
cdef Position position_of(w7_board *board, int color, bint ko)


# --- point_set.pxi ---

cdef extern from "board/kernel/point_rows.h" nogil:
    ctypedef struct w7_point_words:
        uint64_t *words
        size_t row_words
        int32_t width
        int32_t height

    size_t w7_points_word_count(const w7_point_words *points) noexcept
    void w7_points_put(w7_point_words *points, int32_t x, int32_t y) noexcept
    bint w7_points_has(const w7_point_words *points, int64_t x, int64_t y) noexcept
    int64_t w7_points_count(const w7_point_words *points) noexcept
    bint w7_points_equal(const w7_point_words *a, const w7_point_words *b) noexcept
    uint64_t w7_points_columns(const w7_point_words *points, size_t index) noexcept
    void w7_points_dilate(const w7_point_words *points, w7_point_words *wider) noexcept


cdef class PointSet:
    cdef w7_point_words c
    cdef Py_hash_t known_hash


# An empty set; its creator may add points until it is shared.
cdef PointSet empty_point_set(int32_t width, int32_t height)


# --- blocks.pxi ---

# The block of the stone at a point of the board; empty without a stone.
cdef object block_at(w7_board *board, int32_t x, int32_t y)
# All blocks of one color or, where it is W7_EMPTY, of both.
cdef list blocks_of(const w7_board *board, int color)
# The points of the block at (x, y) or, instead, its liberties, some of them more than once.
cdef list block_points(w7_board *board, int32_t x, int32_t y, bint liberties)


# --- ladder.pxi ---

# The result of the ladder of the block of the stone at (x, y). `first` is the color that moves first; W7_EMPTY: the
# owner of a block in atari, the attacker of any other.
cdef object read_ladder(const w7_board *board, int32_t x, int32_t y, int first, int64_t max_nodes)


# --- life.pxi ---

cdef extern from "board/kernel/eye.h" nogil:
    # Whether a point of the board is an eye of the colour in the current position.
    bint w7_board_is_eye(w7_board *board, int color, int32_t x, int32_t y) noexcept

# The PassAlive of a color.
cdef object pass_alive_points(const w7_board *board, int color)


# --- children.pxi ---

cdef extern from "board/kernel/planes.h" nogil:
    # The tables of boards of one size with planes.
    ctypedef struct w7_plane_tables:
        pass

    ctypedef struct w7_plane_words:
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
    # The output columns, an element for each point; NULL for a column not requested.
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

    cdef object column(self, int index)
    cdef _Columns make_columns(self)
    cdef int64_t number_of(self, object point) except -2
    cdef int refuse(self, x, y, given) except -1
    cdef object child(self, point)


# `w7_children_on_planes`, for modules that would else compile all of it.
cdef void children_on_planes(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                             const w7_plane_words *opponent, int color, w7_children *children) noexcept nogil

# The children of a Board, whose w7_board is locked by the caller.
cdef Children find_children(object board, w7_board *c, int color, w7_rules rules)
