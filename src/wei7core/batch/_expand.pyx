# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Many positions at once, without the GIL: their children, batches of boards for self-play, training rows."""

cimport cython
from libc.stdint cimport INT16_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from wei7core.errors import BoardSizeError
from wei7core._util.cpu import ISA

from wei7core.board.board cimport Board
from wei7core.board._values cimport (
    children_on_planes, raise_status, read_rules, w7_children, w7_plane_tables, w7_plane_words,
)
from wei7core.board.kernel cimport (
    W7_BAD_SIZE,
    w7_board,
    w7_board_copy,
    w7_board_free,
    w7_rules,
    w7_status,
)
from wei7core._util._native cimport TableMemory, View, w7_next_number

cdef extern from "board/kernel/pack.h" nogil:
    int64_t w7_packed_size(int64_t width, int64_t height) noexcept

cdef extern from "board/kernel/point_sets.h" nogil:
    size_t w7_point_set_words(int64_t points) noexcept

cdef extern from "board/kernel/stone_sets.h" nogil:
    int w7_stone_sets_unpack(const uint8_t *packed, int64_t points, uint64_t *black, uint64_t *white) noexcept
    int w7_stone_sets_of_bytes_by(int isa, const uint8_t *bytes, int64_t points, uint64_t *black,
                                  uint64_t *white) noexcept

cdef extern from "board/kernel/expansion.h" nogil:
    ctypedef struct w7_expansion_size:
        int32_t width
        int32_t height

    ctypedef struct w7_expansion_position:
        const w7_expansion_size *size
        const uint64_t *black
        const uint64_t *white
        w7_board *board
        int64_t ko
        int64_t row
        uint8_t color

    ctypedef struct w7_expansion_columns:
        int32_t *parent
        void *x
        void *y
        uint8_t *legal
        uint8_t *reason
        void *captured
        void *lost
        uint8_t *self_atari
        uint64_t *hash
        uint8_t wide
        uint8_t is_zero

    ctypedef void (*w7_plane_children)(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                                       const w7_plane_words *opponent, int color,
                                       w7_children *children) noexcept nogil

    w7_status w7_expansion_size_make(w7_expansion_size *size, int32_t width, int32_t height) noexcept
    int64_t w7_expansion_empty(const w7_expansion_position *position) noexcept
    bint w7_expansion_ko_is_empty(const w7_expansion_position *position) noexcept
    w7_status w7_expansion_write(const w7_expansion_position *positions, int64_t begin, int64_t end, w7_rules rules,
                                 int isa, w7_plane_children on_planes,
                                 const w7_expansion_columns *columns) noexcept

__all__ = ["ChildBatch", "SampleBuffer", "sample_row_type", "sample_rows"]


@cython.final
cdef class ChildBatch:
    """Positions to expand, copied.

    `sizes` lists (width, height), and position k has size `which[k]`, moves of `colors[k]`, and `kos[k]`, the number
    (row by row) of the point that simple ko forbids, or -1. `read` or `keep` sets the stones of each position,
    `lay_out` allocates its rows, `write` fills them. `isa` chooses the instruction set: all give the same rows.

    Raises `BoardSizeError` for invalid sizes, and `MemoryError`. Thread safety: threads may call `read`, and
    then `write`, for different positions at once.
    """

    cdef w7_expansion_size *sizes
    cdef TableMemory position_memory
    cdef w7_expansion_position *positions
    cdef TableMemory set_memory
    cdef w7_board *boards
    cdef w7_rules rules
    cdef int64_t count
    cdef int64_t rows
    cdef int isa
    cdef readonly bint is_wide
    """Whether a board has more than 32,767 points, so that numbers of points have 4 bytes, not 2."""

    def __cinit__(self, sizes, which, colors, kos, rules, int isa=ISA):
        cdef View of_which = View(which, sizeof(int32_t)), of_colors = View(colors), of_kos = View(kos, sizeof(int64_t))
        cdef const int32_t *at_which = <const int32_t *>of_which.at
        cdef const uint8_t *at_colors = <const uint8_t *>of_colors.at
        cdef const int64_t *at_kos = <const int64_t *>of_kos.at
        cdef int64_t index, size_count = len(sizes)
        read_rules(rules, &self.rules)
        self.isa = isa
        self.rows = -1
        if of_colors.count != of_which.count or of_kos.count != of_which.count:
            raise ValueError("each position has a size, a color and a ko")
        self.sizes = <w7_expansion_size *>calloc(<size_t>size_count + 1, sizeof(w7_expansion_size))
        if self.sizes is NULL:
            raise MemoryError("not enough memory for the positions")
        self.position_memory = TableMemory((<size_t>of_which.count + 1) * sizeof(w7_expansion_position))
        self.positions = <w7_expansion_position *>self.position_memory.memory.at
        self.count = of_which.count
        for index, (width, height) in enumerate(sizes):
            status = w7_expansion_size_make(&self.sizes[index], width, height)
            if status == W7_BAD_SIZE:
                raise BoardSizeError(f"a board of {width} x {height} points is not possible")
            raise_status(status, NULL)
            self.is_wide = self.is_wide or width * height > INT16_MAX
        for index in range(self.count):
            if not 0 <= at_which[index] < size_count or not 1 <= at_colors[index] <= 2:
                raise ValueError(f"position {index} has no size, or no color")
            self.positions[index].size = &self.sizes[at_which[index]]
            self.positions[index].black = NULL
            self.positions[index].white = NULL
            self.positions[index].board = NULL
            self.positions[index].row = -1
            self.positions[index].color = at_colors[index]
            self.positions[index].ko = at_kos[index]

    def __dealloc__(self):
        cdef int64_t index
        if self.boards is not NULL:
            for index in range(self.count):
                w7_board_free(&self.boards[index])
        free(self.boards)
        free(self.sizes)

    def make_room(self):
        """Make room for the stones of positions that are no boards, before they are read."""
        cdef int64_t index, words = 0
        cdef uint64_t *at
        for index in range(self.count):
            words += 2 * words_of(&self.positions[index])
        self.set_memory = TableMemory(<size_t>words * sizeof(uint64_t))
        at = <uint64_t *>self.set_memory.memory.at
        for index in range(self.count):
            self.positions[index].black = at
            self.positions[index].white = at + words_of(&self.positions[index])
            at += 2 * words_of(&self.positions[index])

    def read(self, data, offsets, bint packed, int64_t begin, int64_t end):
        """Read the stones of positions `begin` up to `end`; return the number of one that is wrong, or -1.

        Position k is bytes `offsets[k]` up to `offsets[k + 1]` of `data`: two bits a point if they are packed, else a
        byte a point.
        """
        cdef View of_data = View(data), of_offsets = View(offsets, sizeof(int64_t))
        cdef const uint8_t *stones = <const uint8_t *>of_data.at
        cdef const int64_t *places = <const int64_t *>of_offsets.at
        cdef int64_t index, points, wrong = -1
        cdef w7_expansion_position *position
        cdef bint valid
        if self.rows >= 0 or self.set_memory is None:
            raise ValueError("positions are read when there is room for them, and before they are laid out")
        if not 0 <= begin <= end <= self.count or of_offsets.count != self.count + 1:
            raise ValueError("there are no such positions")
        with nogil:
            for index in range(begin, end):
                position = &self.positions[index]
                points = points_of(position)
                valid = (
                    0 <= places[index] and places[index + 1] <= of_data.count
                    and places[index + 1] - places[index] == (w7_packed_size(points, 1) if packed else points)
                )
                if not valid:
                    wrong = index
                    break
                if packed:
                    valid = w7_stone_sets_unpack(
                        stones + places[index], points, <uint64_t *>position.black, <uint64_t *>position.white)
                else:
                    valid = w7_stone_sets_of_bytes_by(
                        self.isa, stones + places[index], points, <uint64_t *>position.black,
                        <uint64_t *>position.white)
                if not valid:
                    wrong = index
                    break
                position.row = w7_expansion_empty(position)  # until all are laid out: how many it has
        return wrong

    def keep(self, boards):
        """Take the positions of boards, with their moves; each is locked while it is copied."""
        cdef int64_t index
        cdef Board board
        cdef w7_status status
        if self.boards is not NULL or len(boards) != self.count:
            raise ValueError("there is a board for each position, once")
        self.boards = <w7_board *>calloc(<size_t>self.count + 1, sizeof(w7_board))
        if self.boards is NULL:
            raise MemoryError("not enough memory for the boards")
        for index in range(self.count):
            board = boards[index]
            with cython.critical_section(board):
                status = w7_board_copy(&self.boards[index], &board.c, True)
            raise_status(status, NULL)
            if (self.boards[index].grid.width != self.positions[index].size.width
                    or self.boards[index].grid.height != self.positions[index].size.height):
                raise ValueError(f"position {index} has another size")
            self.positions[index].board = &self.boards[index]
            self.positions[index].row = w7_expansion_empty(&self.positions[index])

    def lay_out(self):
        """Allocate the rows of all positions, once all are read, and return their number.

        Raises `ValueError` if a ko point is not an empty point of its position.
        """
        cdef int64_t index, own, rows = 0
        cdef w7_expansion_position *position
        if self.rows >= 0:
            raise ValueError("the rows are laid out already")
        for index in range(self.count):
            position = &self.positions[index]
            if position.row < 0:
                raise ValueError(f"position {index} was not read")
            if not w7_expansion_ko_is_empty(position):
                raise ValueError(f"the ko point of position {index} is not an empty point of it")
            own = position.row
            position.row = rows
            rows += own
        self.positions[self.count].row = rows
        self.rows = rows
        return rows

    def write(
        self,
        parent,
        x,
        y,
        legal,
        reason,
        captured,
        lost,
        hash,
        self_atari,
        int64_t begin,
        int64_t end,
        bint is_zero,
    ):
        """Write the rows of positions `begin` up to `end` to arrays with an element for each row of all.

        They are of the types of `wei7core.batch.expansion.CHILD_COLUMNS`. `is_zero`: the arrays that are mostly 0
        (`reason`, `captured`, `lost`, `self_atari`) are filled with 0 already.
        """
        cdef Py_ssize_t number = 4 if self.is_wide else 2
        cdef w7_expansion_columns columns
        cdef w7_status status
        cdef View view
        if self.rows < 0 or not 0 <= begin <= end <= self.count:
            raise ValueError("there are no such positions")
        held = [
            View(parent, 4, True), View(x, number, True), View(y, number, True), View(legal, 1, True),
            View(reason, 1, True), View(captured, number, True), View(lost, number, True), View(hash, 8, True),
            View(self_atari, 1, True),
        ]
        for view in held:
            if view.count != self.rows:
                raise ValueError("each column has an element for each row")
        columns.wide = self.is_wide
        columns.is_zero = is_zero
        columns.parent = <int32_t *>(<View>held[0]).at
        columns.x = (<View>held[1]).at
        columns.y = (<View>held[2]).at
        columns.legal = <uint8_t *>(<View>held[3]).at
        columns.reason = <uint8_t *>(<View>held[4]).at
        columns.captured = (<View>held[5]).at
        columns.lost = (<View>held[6]).at
        columns.hash = <uint64_t *>(<View>held[7]).at
        columns.self_atari = <uint8_t *>(<View>held[8]).at
        with nogil:
            status = w7_expansion_write(
                self.positions, begin, end, self.rules, self.isa, children_on_planes, &columns)
        raise_status(status, NULL)


include "selfplay/boards.pxi"


cdef inline int64_t points_of(const w7_expansion_position *position) noexcept nogil:
    return <int64_t>position.size.width * position.size.height


cdef inline int64_t words_of(const w7_expansion_position *position) noexcept nogil:
    return <int64_t>w7_point_set_words(points_of(position))


include "sample_buffer.pxi"


cdef extern from "_util/glue_for_size.h":
    pass
