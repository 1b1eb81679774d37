"""Many boards in one block of memory, stepped without the GIL."""

cimport cython
from libc.stdint cimport SIZE_MAX, int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from wei7core._util.cpu import ISA

from wei7core._util._native cimport TableMemory, Team, View
from wei7core.board._values cimport raise_status, read_rules
from wei7core.board.kernel cimport w7_rules, w7_status

cdef extern from "batch/selfplay/layout.h" nogil:
    enum:
        W7_SLOT_MOVES
        W7_HISTORY_PLANES

    ctypedef struct w7_slot:
        uint64_t hash
        uint16_t move_count
        uint16_t captured[3]
        uint8_t color
        uint8_t passes
        uint8_t is_done

    ctypedef struct w7_slots:
        int32_t points
        uint16_t *place_of
        int32_t words
        int32_t move_limit
        w7_rules rules
        uint8_t passes
        uint8_t last_pass
        uint8_t is_territory
        uint8_t tie
        uint8_t isa
        double komi
        size_t stride

    ctypedef struct w7_ply:
        uint16_t move

    ctypedef struct w7_slot_view:
        w7_slot *slot
        const w7_ply *plies

    bint w7_slots_have_size(int64_t width, int64_t height) noexcept
    w7_status w7_slots_make(w7_slots *slots, int32_t width, int32_t height) noexcept
    void w7_slots_free(w7_slots *slots) noexcept
    int w7_slot_color(const w7_slot_view *view, uint32_t place) noexcept
    w7_slot_view w7_slot_view_of(const w7_slots *slots, uint8_t *slot) noexcept

cdef extern from "batch/selfplay/steps.h" nogil:
    ctypedef struct w7_step_columns:
        uint8_t *legal
        uint8_t *planes
        uint8_t *done
        float *rewards
        double *margins
        uint8_t *errors
        int32_t *lengths
        int64_t count

    uint8_t *w7_slots_at(const w7_slots *slots, uint8_t *boards, int64_t index) noexcept
    void w7_slots_make_empty(w7_slots *slots) noexcept
    void w7_slot_clear(const w7_slots *slots, w7_slot_view *view) noexcept
    void w7_slots_write(int isa, const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end,
                        const w7_step_columns *columns) noexcept
    bint w7_slot_begin_at(const w7_slots *slots, w7_slot_view *view, const uint8_t *stones, int color) noexcept
    void w7_slots_step(int isa, const w7_slots *slots, uint8_t *boards, const int32_t *actions, int64_t begin,
                       int64_t end, bint resets, const w7_step_columns *columns) noexcept
    void w7_slots_undo(const w7_slots *slots, uint8_t *boards, const uint8_t *chosen, int64_t begin, int64_t end,
                       uint8_t *undone) noexcept
    void w7_slots_count(const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end, bint is_territory,
                        double *margins, uint8_t *owners) noexcept

cdef extern from "batch/selfplay/playout.h" nogil:
    ctypedef struct w7_playout:
        pass

    void w7_playouts(const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end, int64_t times, uint64_t seed,
                     int32_t most_moves, w7_playout *room, float *margins, int32_t *owned) noexcept

cdef extern from "batch/selfplay/features.h" nogil:
    enum:
        W7_INPUT_PLANES
        W7_INPUT_GLOBALS

    ctypedef enum w7_input_type:
        pass

    ctypedef struct w7_feature_columns:
        const uint8_t *planes
        int32_t count
        w7_input_type type
        uint8_t taxes_seki
        uint8_t *analyses
        uint8_t *out
        float *globals
        int8_t *statuses

    int w7_input_needs(uint64_t wanted) noexcept
    size_t w7_analysis_size(const w7_slots *slots) noexcept
    int64_t w7_input_plane_size(int64_t points, w7_input_type type) noexcept
    void w7_slots_features(int isa, const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end,
                           const w7_feature_columns *columns) noexcept

__all__ += ["MOST_BOARD_MOVES", "STEP_BYTES", "Boards", "boards_fit"]

MOST_BOARD_MOVES = W7_SLOT_MOVES
STEP_BYTES = 18


def boards_fit(int64_t width, int64_t height):
    """Whether a batch can have boards of this size."""
    return w7_slots_have_size(width, height)


cdef object boards_view(object array, int64_t count, Py_ssize_t size, bint writable=True):
    """The view of an array with `count` elements of `size` bytes; None for None."""
    cdef View view
    if array is None:
        return None
    view = View(array, 1, writable)
    if view.count != count * size:
        raise ValueError(f"an array has {view.count} bytes, not {count * size}")
    return view


cdef void *boards_at(object view) noexcept:
    return (<View>view).at if view is not None else NULL


cdef void *held_at(list held, object array, int64_t count, Py_ssize_t size, bint writable=True) except? NULL:
    """The memory of an array with `count` elements of `size` bytes, which `held` then keeps."""
    if array is None:
        raise TypeError("an array is None")
    held.append(boards_view(array, count, size, writable))
    return boards_at(held[len(held) - 1])


cdef void *held_or_null(list held, object array, int64_t count, Py_ssize_t size) except? NULL:
    return NULL if array is None else held_at(held, array, count, size)


# The work of the threads of a team: a step, or the legal points or planes of the position.
ctypedef struct BoardsWork:
    int isa
    const w7_slots *slots
    uint8_t *boards
    const int32_t *actions
    bint resets
    w7_step_columns columns


cdef void boards_step(void *context, int64_t begin, int64_t end) noexcept nogil:
    cdef BoardsWork *work = <BoardsWork *>context
    w7_slots_step(work.isa, work.slots, work.boards, work.actions, begin, end, work.resets, &work.columns)


cdef void boards_write(void *context, int64_t begin, int64_t end) noexcept nogil:
    cdef BoardsWork *work = <BoardsWork *>context
    w7_slots_write(work.isa, work.slots, work.boards, begin, end, &work.columns)


ctypedef struct FeaturesWork:
    int isa
    const w7_slots *slots
    uint8_t *boards
    w7_feature_columns columns


cdef void boards_features(void *context, int64_t begin, int64_t end) noexcept nogil:
    cdef FeaturesWork *work = <FeaturesWork *>context
    if begin < end:
        w7_slots_features(work.isa, work.slots, work.boards, begin, end, &work.columns)


@cython.final
cdef class Boards:
    """`count` boards of one size, which play and score by `rules`.

    The arrays that methods write to are contiguous and have an element or a row for each board. With a `team` a method
    works on all boards, on its threads; others work on boards `begin` up to `end`.

    Raises `MemoryError`, and `ValueError` for sizes that do not fit. Thread safety: threads may call the methods for
    different boards at once.
    """

    cdef w7_slots slots
    cdef TableMemory memory
    cdef TableMemory analyses
    cdef uint8_t *boards
    cdef readonly int64_t count
    cdef readonly int32_t width
    cdef readonly int32_t height
    cdef int isa

    def __cinit__(self, int64_t count, int32_t width, int32_t height, rules, *, double komi, int passes,
                  int last_pass, bint is_territory, int tie, int32_t move_limit, int isa=ISA):
        cdef w7_slot_view slot
        cdef int64_t i
        read_rules(rules, &self.slots.rules)
        if count < 0 or not w7_slots_have_size(width, height) or not 1 <= move_limit <= W7_SLOT_MOVES:
            raise ValueError("there are no such boards")
        self.slots.komi = komi
        self.slots.passes = <uint8_t>passes
        self.slots.last_pass = <uint8_t>last_pass
        self.slots.is_territory = is_territory
        self.slots.tie = <uint8_t>tie
        self.slots.move_limit = move_limit
        self.slots.isa = <uint8_t>isa
        self.isa = isa
        raise_status(w7_slots_make(&self.slots, width, height), NULL)
        w7_slots_make_empty(&self.slots)
        if <uint64_t>count > SIZE_MAX // 2 // self.slots.stride:
            raise MemoryError("not enough memory for the boards")
        self.memory = TableMemory(<size_t>count * self.slots.stride)
        self.boards = <uint8_t *>self.memory.memory.at
        self.count = count
        self.width = width
        self.height = height
        for i in range(count):
            slot = w7_slot_view_of(&self.slots, w7_slots_at(&self.slots, self.boards, i))
            w7_slot_clear(&self.slots, &slot)

    def __dealloc__(self):
        w7_slots_free(&self.slots)

    cdef int check(self, int64_t begin, int64_t end) except -1:
        if not 0 <= begin <= end <= self.count:
            raise ValueError("there are no such boards")
        return 0

    def step(self, actions, legal, planes, found, bint resets, Team team):
        """Play a move on each board: int32 actions; uint8 legal, planes and `found`, which has STEP_BYTES a board: the
        float64 margins of all boards, float32 rewards, int32 lengths, uint8 done and errors. `legal` and `planes` may
        be None.
        """
        cdef BoardsWork work
        cdef int64_t n = self.count
        cdef list held = []
        cdef uint8_t *at = <uint8_t *>held_at(held, found, n, STEP_BYTES)
        work.actions = <const int32_t *>held_at(held, actions, n, 4, False)
        work.columns.legal = <uint8_t *>held_or_null(held, legal, n * (self.slots.points + 1), 1)
        work.columns.planes = <uint8_t *>held_or_null(held, planes, n * W7_HISTORY_PLANES * self.slots.points, 1)
        work.columns.count = n
        work.columns.margins = <double *>at
        work.columns.rewards = <float *>(at + 8 * n)
        work.columns.lengths = <int32_t *>(at + 12 * n)
        work.columns.done = at + 16 * n
        work.columns.errors = at + 17 * n
        work.isa = self.isa
        work.slots = &self.slots
        work.boards = self.boards
        work.resets = resets
        team.run(boards_step, &work, n)

    def clear(self, chosen, int64_t begin, int64_t end):
        """Make boards empty, those where `chosen`, uint8, is not 0."""
        cdef View view = boards_view(chosen, self.count, 1, False)
        cdef w7_slot_view slot
        cdef int64_t i
        self.check(begin, end)
        with nogil:
            for i in range(begin, end):
                if (<const uint8_t *>view.at)[i]:
                    slot = w7_slot_view_of(&self.slots, w7_slots_at(&self.slots, self.boards, i))
                    w7_slot_clear(&self.slots, &slot)

    def undo(self, chosen, undone, int64_t begin, int64_t end):
        """Take the last move back of boards where `chosen`, uint8, is not 0; `undone`, uint8: where there was one."""
        cdef View view = boards_view(chosen, self.count, 1, False)
        cdef View out = boards_view(undone, self.count, 1)
        self.check(begin, end)
        with nogil:
            w7_slots_undo(
                &self.slots, self.boards, <const uint8_t *>view.at, begin, end, <uint8_t *>out.at)

    def write(self, legal, planes, Team team):
        """Write where a move is legal, the pass last, and the planes of AlphaGo Zero: uint8; either may be None."""
        cdef BoardsWork work
        cdef list held = []
        work.isa = self.isa
        work.slots = &self.slots
        work.boards = self.boards
        work.columns.legal = <uint8_t *>held_or_null(held, legal, self.count * (self.slots.points + 1), 1)
        work.columns.planes = <uint8_t *>held_or_null(
            held, planes, self.count * W7_HISTORY_PLANES * self.slots.points, 1)
        work.columns.count = self.count
        team.run(boards_write, &work, self.count)

    def features(self, planes, int type, out, globals, bint taxes_seki, Team team):
        """Write planes by their numbers, uint8, as `type` says (batch/inputs/inputs.h), and float32 globals or None."""
        cdef FeaturesWork work
        cdef int32_t k
        cdef int64_t plane_bytes
        cdef uint64_t wanted = 0
        cdef list held = []
        numbers = View(planes)
        work.columns.planes = <const uint8_t *>(<View>numbers).at
        work.columns.count = <int32_t>(<View>numbers).count
        if not 0 <= type < 4 or (<View>numbers).count > 1 << 16:
            raise ValueError("there are no such planes")
        for k in range(work.columns.count):
            if work.columns.planes[k] >= W7_INPUT_PLANES:
                raise ValueError("unknown plane")
            wanted |= <uint64_t>1 << work.columns.planes[k]
        work.columns.analyses = NULL
        if w7_input_needs(wanted):
            if self.analyses is None:
                self.analyses = TableMemory(<size_t>self.count * w7_analysis_size(&self.slots))
                if not self.analyses.is_zero:
                    memset(self.analyses.memory.at, 0, <size_t>self.count * w7_analysis_size(&self.slots))
            work.columns.analyses = <uint8_t *>self.analyses.memory.at
        work.columns.type = <w7_input_type>type
        statuses = np.zeros(self.count, np.int8)
        work.isa = self.isa
        work.slots = &self.slots
        work.boards = self.boards
        work.columns.taxes_seki = taxes_seki
        plane_bytes = work.columns.count * w7_input_plane_size(self.slots.points, work.columns.type)
        work.columns.out = <uint8_t *>held_at(held, out, self.count * plane_bytes, 1)
        work.columns.globals = <float *>held_or_null(held, globals, self.count * W7_INPUT_GLOBALS, 4)
        work.columns.statuses = <int8_t *>held_at(held, statuses, self.count, 1)
        team.run(boards_features, &work, self.count)
        if statuses.any():
            raise MemoryError("not enough memory for the inputs of boards")

    def stones(self, out, int64_t begin, int64_t end):
        """Write the color of every point: uint8."""
        cdef View view = boards_view(out, self.count * self.slots.points, 1)
        cdef w7_slot_view slot
        cdef uint8_t *at
        cdef int64_t i, point
        self.check(begin, end)
        with nogil:
            for i in range(begin, end):
                slot = w7_slot_view_of(&self.slots, w7_slots_at(&self.slots, self.boards, i))
                at = <uint8_t *>view.at + i * self.slots.points
                for point in range(self.slots.points):
                    at[point] = <uint8_t>w7_slot_color(&slot, self.slots.place_of[point])

    def count_points(self, margins, owners, bint is_territory, int64_t begin, int64_t end):
        """Write the margin of Black, float64, and unless `owners` is None the owner of each point, uint8."""
        cdef View view = boards_view(margins, self.count, 8)
        cdef object owned = boards_view(owners, self.count * self.slots.points, 1)
        cdef uint8_t *at = <uint8_t *>boards_at(owned)
        self.check(begin, end)
        with nogil:
            w7_slots_count(&self.slots, self.boards, begin, end, is_territory, <double *>view.at, at)

    def playouts(self, margins, owned, int64_t times, uint64_t seed, int32_t most_moves, int64_t begin, int64_t end):
        """Play each board to its end `times` times, at random: float32 margins of each, and int32 `owned`, the number
        of playouts in which Black owned a point less those in which White did.
        """
        cdef View view = boards_view(margins, self.count * times, 4)
        cdef View owners = boards_view(owned, self.count * self.slots.points, 4)
        cdef w7_playout *room
        self.check(begin, end)
        room = <w7_playout *>calloc(2, sizeof(w7_playout))
        if room is NULL:
            raise MemoryError("not enough memory for a board")
        with nogil:
            w7_playouts(&self.slots, self.boards, begin, end, times, seed, most_moves, room, <float *>view.at,
                        <int32_t *>owners.at)
        free(room)

    def state(self, hashes, to_play, done, captured, move_counts, passes=None):
        """Write what all boards know: uint64, uint8, uint8, int32 for each color, int32, uint8. Any may be None."""
        cdef w7_slot *slot
        cdef int64_t i
        cdef list held = []
        cdef uint64_t *at_hash = <uint64_t *>held_or_null(held, hashes, self.count, 8)
        cdef uint8_t *at_color = <uint8_t *>held_or_null(held, to_play, self.count, 1)
        cdef uint8_t *at_done = <uint8_t *>held_or_null(held, done, self.count, 1)
        cdef int32_t *at_captured = <int32_t *>held_or_null(held, captured, 2 * self.count, 4)
        cdef int32_t *at_count = <int32_t *>held_or_null(held, move_counts, self.count, 4)
        cdef uint8_t *at_passes = <uint8_t *>held_or_null(held, passes, self.count, 1)
        with nogil:
            for i in range(self.count):
                slot = <w7_slot *>w7_slots_at(&self.slots, self.boards, i)
                if at_hash is not NULL:
                    at_hash[i] = slot.hash
                if at_color is not NULL:
                    at_color[i] = slot.color
                if at_done is not NULL:
                    at_done[i] = slot.is_done
                if at_captured is not NULL:
                    at_captured[2 * i] = slot.captured[1]
                    at_captured[2 * i + 1] = slot.captured[2]
                if at_count is not NULL:
                    at_count[i] = slot.move_count
                if at_passes is not NULL:
                    at_passes[i] = slot.passes

    def begin_at(self, stones, int color):
        """Make every board a game that begins with these stones, uint8 of each point of one board, and this color.

        Chains without liberties, and other values, are a `ValueError`. For playouts only: White begins no other game.
        """
        cdef View view = boards_view(stones, self.slots.points, 1, False)
        cdef w7_slot_view slot
        cdef int64_t i
        cdef bint fits = color == 1 or color == 2
        for i in range(self.count):
            slot = w7_slot_view_of(&self.slots, w7_slots_at(&self.slots, self.boards, i))
            fits = fits and w7_slot_begin_at(&self.slots, &slot, <const uint8_t *>view.at, color)
        if not fits:
            raise ValueError("a block of the position has no liberties")

    def moves(self, int64_t index):
        """The moves in force of a board, as numbers of points."""
        cdef w7_slot_view slot
        cdef int32_t i
        self.check(index, index + 1)
        slot = w7_slot_view_of(&self.slots, w7_slots_at(&self.slots, self.boards, index))
        return [slot.plies[i].move for i in range(slot.slot.move_count)]

    def gather(self, Boards origin, indices):
        """Copy boards of others that play by the same rules to these: that of int64 index k to board k."""
        cdef View view = boards_view(indices, self.count, 8, False)
        cdef const int64_t *at = <const int64_t *>view.at
        cdef int64_t i
        if self.slots.stride != origin.slots.stride:
            raise ValueError("the boards have another size")
        for i in range(self.count):
            if not 0 <= at[i] < origin.count:
                raise IndexError(f"board {at[i]} out of range (there are {origin.count})")
        with nogil:
            for i in range(self.count):
                memcpy(w7_slots_at(&self.slots, self.boards, i), w7_slots_at(&self.slots, origin.boards, at[i]),
                       self.slots.stride)
