"""Training rows: made of pause points, held in a buffer, drawn and written as planes."""

from libc.stdint cimport INT32_MAX, int8_t

import functools

from wei7core._util.lazy_numpy import np
from wei7core.batch.summaries import dtype_of_struct

cdef extern from "batch/inputs/inputs.h" nogil:
    ctypedef struct w7_input_rules:
        double komi
        uint8_t ko
        uint8_t is_territory
        uint8_t taxes_seki

cdef extern from "batch/sample_rows.h" nogil:
    ctypedef struct w7_sample_row:
        pass

    ctypedef struct w7_position_run:
        pass

    ctypedef struct w7_sample_points:
        const w7_position_run *runs
        const int32_t *move_numbers
        const int32_t *xs
        const int32_t *ys
        const int8_t *colors
        const uint8_t *branches
        const uint8_t *boards
        int64_t run_count
        int64_t count
        int64_t branch_bytes
        int64_t board_bytes

    ctypedef struct w7_sample_texts:
        const int64_t *games
        const int64_t *moves
        const float *margins
        const float *komis
        const uint8_t *is_used
        const uint8_t *winners
        int64_t count

    ctypedef struct w7_sample_rows:
        w7_sample_row *rows
        int64_t *picks
        int64_t count
        int64_t pick_count
        uint8_t *areas
        int64_t area_count
        int32_t width
        int32_t height
        uint8_t has_kos

    int w7_sample_rows_add_all(w7_sample_rows *out, const w7_sample_points *points,
                               const w7_sample_texts *texts) noexcept

cdef extern from "batch/sample_write.h" nogil:
    enum:
        SAMPLE_PLANES "W7_HISTORY_PLANES"
        SAMPLE_LINE "W7_SAMPLE_LINE"

    ctypedef struct w7_sample_place:
        int64_t group
        int64_t pick

    ctypedef struct w7_sample_buffer:
        int32_t width
        int32_t height
        int64_t capacity
        int64_t count
        int64_t stride
        uint8_t *at
        uint32_t *order
        int needs

    ctypedef struct w7_sample_source:
        const w7_sample_row *rows
        const uint8_t *boards
        const uint8_t *areas
        int64_t count
        int64_t board_bytes
        int64_t area_bytes

    ctypedef struct w7_sample_inputs:
        const uint8_t *planes
        int32_t count
        w7_input_type type
        w7_input_rules rules
        uint8_t suicide
        float *globals
        int isa

    ctypedef struct w7_sample_out:
        uint8_t *planes
        int32_t *policy
        float *value
        float *margin
        int64_t *game
        int32_t *number
        uint8_t *symmetry
        uint8_t *legal
        int8_t *ownership
        int64_t count
        w7_sample_inputs inputs

    void w7_sample_buffer_free(w7_sample_buffer *buffer) noexcept
    int w7_sample_buffer_make(w7_sample_buffer *buffer, int32_t width, int32_t height, int64_t capacity,
                              bint has_areas, const w7_slots *slots, uint64_t wanted, bint suicide) noexcept
    w7_sample_place *w7_sample_place_at(const w7_sample_buffer *buffer, int64_t place) noexcept
    int w7_sample_put_all(w7_sample_buffer *buffer, const w7_sample_source *source, const int64_t *picks,
                          int64_t begin, int64_t end, int64_t group, int64_t first, const int64_t *numbers,
                          int8_t *statuses) noexcept
    void w7_sample_draw(w7_sample_buffer *buffer, int64_t wanted, bint is_shuffled, int symmetries,
                        uint64_t *state) noexcept
    int w7_sample_write(const w7_sample_buffer *buffer, int64_t begin, int64_t end, const w7_sample_out *out) noexcept


__all__ += ["InputSlots"]


@functools.cache
def sample_row_type():
    """Return the dtype of the rows of `sample_rows`. Thread safe."""
    # Members in the order of the struct in batch/sample_rows.h.
    return dtype_of_struct(
        [
            ("board", "i8"), ("area", "i8"), ("game", "i8"), ("value", "f4"), ("margin", "f4"), ("policy", "i4"),
            ("number", "i4"), ("ko", "i4"), ("black_surplus", "i4"), ("komi", "f4"), ("color", "u1"), ("earlier", "u1"),
            ("is_used", "?"), ("unused", "u1"),
        ],
        sizeof(w7_sample_row),
    )


@cython.final
@cython.no_gc
cdef class InputSlots:
    """What boards of a size have in common, for inputs of networks: the numbers of their planes, and whether suicide is
    legal; `ValueError` for sizes and planes that do not fit.
    """

    cdef w7_slots slots
    cdef uint64_t wanted
    cdef bint suicide

    def __cinit__(self, int32_t width, int32_t height, planes, bint suicide):
        if not w7_slots_have_size(width, height):
            raise ValueError(f"planes of these features are of boards up to 30 x 30, not of {width} x {height}")
        for plane in planes:
            if not 0 <= plane < W7_INPUT_PLANES:
                raise ValueError("unknown plane")
            self.wanted |= <uint64_t>1 << <int>plane
        self.suicide = suicide
        self.slots.move_limit = 1
        self.slots.isa = ISA
        raise_status(w7_slots_make(&self.slots, width, height), NULL)

    def __dealloc__(self):
        w7_slots_free(&self.slots)


def sample_rows(positions, texts, int32_t width, int32_t height, bint ownership, bint kos):
    """Return (rows, areas, picks) of the pause points `positions` of some texts, those of an `EngineResult`.

    `rows` is an array of `sample_row_type` with a row for each move in force at the end of the main line, of the texts
    that are used and have boards of that size; `picks`, int64, are 8 times the numbers of those that are used. `texts`
    is a dict of arrays with an element for each text: `is_used` (uint8), `games` and `moves` (int64), `winners` (uint8,
    3 for a draw), `margins` and `komis` (float32). `areas` are the packed owners of all points at the end of each game,
    None without `ownership`. Without `kos` rows have none.

    Raises `ValueError` for columns that do not fit each other, `MemoryError` when memory is short. Thread safety: any
    number of threads may call it; the GIL is not held while rows are made.
    """
    cdef w7_sample_points points
    cdef w7_sample_texts about
    cdef w7_sample_rows out
    cdef list held = []
    cdef int status
    if width < 1 or height < 1 or <int64_t>width * height > INT32_MAX // 8:
        raise ValueError(f"invalid size of rows: {width} x {height} points")
    points.count = len(positions["color"])
    points.run_count = len(positions["run"])
    points.branch_bytes = len(positions["branches"])
    points.board_bytes = len(positions["boards"])
    points.move_numbers = <const int32_t *>held_at(held, positions["move_number"], points.count, 4, False)
    points.xs = <const int32_t *>held_at(held, positions["x"], points.count, 4, False)
    points.ys = <const int32_t *>held_at(held, positions["y"], points.count, 4, False)
    points.colors = <const int8_t *>held_at(held, positions["color"], points.count, 1, False)
    points.runs = <const w7_position_run *>held_at(
        held, positions["run"], points.run_count, sizeof(w7_position_run), False)
    points.branches = <const uint8_t *>held_at(held, positions["branches"], points.branch_bytes, 1, False)
    points.boards = <const uint8_t *>held_at(held, positions["boards"], points.board_bytes, 1, False)
    about.count = len(texts["games"])
    about.games = <const int64_t *>held_at(held, texts["games"], about.count, 8, False)
    about.moves = <const int64_t *>held_at(held, texts["moves"], about.count, 8, False)
    about.margins = <const float *>held_at(held, texts["margins"], about.count, 4, False)
    about.is_used = <const uint8_t *>held_at(held, texts["is_used"], about.count, 1, False)
    about.winners = <const uint8_t *>held_at(held, texts["winners"], about.count, 1, False)
    about.komis = <const float *>held_at(held, texts["komis"], about.count, 4, False)
    rows = np.empty(points.count, sample_row_type())
    areas = np.empty(about.count * w7_packed_size(width, height), np.uint8) if ownership else None
    picks = np.empty(points.count, np.int64)
    out.rows = <w7_sample_row *>held_at(held, rows, points.count, sizeof(w7_sample_row))
    out.picks = <int64_t *>held_at(held, picks, points.count, 8)
    out.areas = NULL
    if ownership:
        out.areas = <uint8_t *>held_at(held, areas, len(areas), 1)
    out.count = out.area_count = out.pick_count = 0
    out.width = width
    out.height = height
    out.has_kos = kos
    with nogil:
        status = w7_sample_rows_add_all(&out, &points, &about)
    if status < 0:
        raise MemoryError("not enough memory for the rows of a game")
    if status > 0:
        raise ValueError("the columns of pause points do not fit each other")
    return rows[:out.count], areas[:out.area_count] if ownership else None, picks[:out.pick_count]


cdef int64_t samples_at_once(int64_t count, Team team, int64_t least, int64_t most) noexcept:
    """The rows of a piece: so few that all threads are done at about the same time."""
    return min(max(count // (8 * team.jobs), least), most)


# The work of the threads of a team on a buffer.
ctypedef struct SamplesPut:
    w7_sample_buffer *buffer
    w7_sample_source source
    const int64_t *picks
    int64_t group
    int64_t first
    const int64_t *numbers
    int8_t *statuses
    long failures


ctypedef struct SamplesWrite:
    w7_sample_buffer *buffer
    w7_sample_out out
    long failures


cdef void samples_put(void *context, int64_t begin, int64_t end) noexcept nogil:
    cdef SamplesPut *work = <SamplesPut *>context
    if w7_sample_put_all(work.buffer, &work.source, work.picks, begin, end, work.group, work.first, work.numbers,
                         work.statuses) != 0:
        w7_next_number(&work.failures)


cdef void samples_write(void *context, int64_t begin, int64_t end) noexcept nogil:
    cdef SamplesWrite *work = <SamplesWrite *>context
    if w7_sample_write(work.buffer, begin, end, &work.out) != 0:
        w7_next_number(&work.failures)


@cython.final
@cython.no_gc  # its memory is not to go before it: nothing that it holds refers to anything else
cdef class SampleBuffer:
    """A buffer of at most `capacity` rows of `sample_rows`, each with a copy of its positions.

    Rows are in the order in which they were added. Raises `ValueError` for invalid sizes, `MemoryError` when memory is
    short.

    Thread safety: one thread at a time; those of a `team` share its work.
    """

    cdef w7_sample_buffer c
    cdef View memory
    cdef InputSlots inputs
    cdef int isa
    cdef readonly bint ownership
    cdef int64_t drawn

    def __cinit__(self, int32_t width, int32_t height, int64_t capacity, bint ownership, InputSlots inputs=None,
                  *, int isa=ISA):
        if width < 1 or height < 1 or <int64_t>width * height > INT32_MAX // 8 or not 1 <= capacity < 1 << 32:
            raise ValueError(f"invalid size of a buffer: {capacity} rows of {width} x {height} points")
        self.inputs = inputs
        self.isa = isa
        if w7_sample_buffer_make(&self.c, width, height, capacity, ownership,
                                 NULL if inputs is None else &inputs.slots, 0 if inputs is None else inputs.wanted,
                                 inputs is not None and inputs.suicide) != 0:
            raise MemoryError(f"not enough memory for a buffer of {capacity} rows")
        # Memory of NumPy, which asks the system for large pages: places are read and written in random order.
        self.memory = View(np.zeros((capacity + 1) * self.c.stride // 8, np.uint64), 1, True)
        self.c.at = <uint8_t *>self.memory.at
        self.c.at += -<Py_ssize_t><size_t>self.c.at & SAMPLE_LINE - 1
        self.ownership = ownership

    def __dealloc__(self):
        w7_sample_buffer_free(&self.c)

    def __len__(self):
        return self.c.count

    @property
    def room(self):
        """The number of rows that can be added."""
        return self.c.capacity - self.c.count

    def put(self, rows, boards, areas, picks, int64_t group, Team team, places=None):
        """Add rows: `picks` (int64) are `number of the row << 3 | symmetry`, `boards` the packed boards they name.

        They are appended, or with `places` (int64) stored there. `group` and the picks are what `origins` returns.
        Raises `ValueError` for a row out of range and if the buffer is full; the buffer is then unchanged, or, with
        `places`, unusable.
        """
        cdef View of_rows = View(rows), of_boards = View(boards), of_picks = View(picks, sizeof(int64_t))
        cdef View of_areas = View(b"" if areas is None else areas), of_places = None
        cdef SamplesPut work
        cdef int64_t done, count = of_picks.count
        work.numbers = NULL
        if places is not None:
            of_places = View(places, sizeof(int64_t))
            work.numbers = <const int64_t *>of_places.at
            if of_places.count != of_picks.count:
                raise ValueError("each row has a place")
        elif of_picks.count > self.c.capacity - self.c.count:
            raise ValueError("the buffer is full")
        statuses = np.zeros(count, np.int8)
        of_statuses = View(statuses, 1, True)
        work.buffer = &self.c
        work.source.rows = <const w7_sample_row *>of_rows.at
        work.source.boards = <const uint8_t *>of_boards.at
        work.source.areas = <const uint8_t *>of_areas.at
        work.source.count = of_rows.count // <int64_t>sizeof(w7_sample_row)
        work.source.board_bytes = of_boards.count
        work.source.area_bytes = of_areas.count
        work.picks = <const int64_t *>of_picks.at
        work.group = group
        work.first = self.c.count
        work.failures = 0
        work.statuses = <int8_t *>(<View>of_statuses).at
        # The first row of a piece is examined alone, the others from the one before.
        team.run(samples_put, &work, count, samples_at_once(count, team, 32, 512 if self.c.needs else 128))
        if work.failures > 0:
            done = statuses.argmax() if statuses.max() > 0 else statuses.argmin()
            if statuses[done] > 0:
                raise MemoryError("not enough memory for a row")
            if places is not None:
                raise ValueError(f"the input is not that of the state: it has no row {done} of it")
            raise ValueError(f"row {done} cannot be put into the buffer")
        if work.numbers is NULL:
            self.c.count += count

    def filled(self, int64_t count):
        """Set the number of rows that were stored with `places`."""
        if not 0 <= count <= self.c.capacity:
            raise ValueError(f"the buffer holds fewer than {count} rows")
        self.c.count = count

    def origins(self):
        """Return the group and the pick of each row, as an int64 array of two columns, in the order of the buffer."""
        cdef int64_t k
        cdef View view
        cdef int64_t *at
        cdef w7_sample_place *place
        found = np.empty((self.c.count, 2), np.int64)
        view = View(found, sizeof(int64_t), True)
        at = <int64_t *>view.at
        for k in range(self.c.count):
            place = w7_sample_place_at(&self.c, self.c.order[k])
            at[2 * k] = place.group
            at[2 * k + 1] = place.pick
        return found

    def draw(self, int64_t count, bint shuffled, int symmetries, uint64_t state):
        """Take `count` rows out, at random or the first ones, for `write`; return the next state of the generator.

        Not shuffled, they are the last `count` of the buffer in their order: it must hold no others. With more than
        one of `symmetries` each row gets one of them at random.
        """
        if not 0 <= count <= self.c.count or not 0 <= symmetries <= 8:
            raise ValueError(f"the buffer has fewer than {count} rows")
        with nogil:
            w7_sample_draw(&self.c, count, shuffled, symmetries, &state)
        self.drawn = count
        return state

    def write(self, planes, policy, value, margin, game, number, symmetry, legal, ownership, Team team, features,
              globals):
        """Write the rows drawn last to arrays with an element for each; before the next `put`.

        `policy` and `number` are int32, `value` and `margin` float32, `game` int64, `symmetry` uint8; `legal`, a byte a
        point and one for the pass, and `ownership`, int8 a point, may be None. `features` are (numbers of planes, type,
        ko, suicide, is_territory, taxes_seki, komi) as for `Boards.features`; numbers of None are those of AlphaGo
        Zero. With others `globals`, float32, may be given.
        """
        cdef int64_t points = <int64_t>self.c.width * self.c.height, rows = self.drawn
        cdef SamplesWrite work
        cdef View numbers = None
        cdef list held = []
        cdef int64_t count = SAMPLE_PLANES, k
        work.out.inputs.planes = NULL
        work.out.inputs.globals = NULL
        work.out.inputs.isa = self.isa
        work.out.count = rows
        if not 0 <= features[1] < 4:
            raise ValueError("unknown type of planes")
        work.out.inputs.type = <w7_input_type><int>features[1]
        work.out.inputs.rules.ko = features[2]
        work.out.inputs.suicide = features[3]
        if features[0] is not None:
            if self.inputs is None:
                raise ValueError("the buffer has only the planes of AlphaGo Zero")
            numbers = View(features[0])
            count = numbers.count
            if not 1 <= count <= 1 << 16:
                raise ValueError("unknown planes")
            for k in range(count):
                if (<const uint8_t *>numbers.at)[k] >= W7_INPUT_PLANES or not (
                        self.inputs.wanted >> (<const uint8_t *>numbers.at)[k] & 1):
                    raise ValueError("unknown plane")
            work.out.inputs.planes = <const uint8_t *>numbers.at
            work.out.inputs.count = <int32_t>count
            work.out.inputs.rules.is_territory = features[4]
            work.out.inputs.rules.taxes_seki = features[5]
            work.out.inputs.rules.komi = features[6]
            if globals is not None:
                work.out.inputs.globals = <float *>held_at(held, globals, rows * W7_INPUT_GLOBALS, 4)
        if ownership is not None and not self.ownership:
            raise ValueError("the buffer has no owners of points")
        count *= w7_input_plane_size(points, work.out.inputs.type)
        work.out.planes = <uint8_t *>held_at(held, planes, rows, count)
        work.out.policy = <int32_t *>held_at(held, policy, rows, 4)
        work.out.value = <float *>held_at(held, value, rows, 4)
        work.out.margin = <float *>held_at(held, margin, rows, 4)
        work.out.game = <int64_t *>held_at(held, game, rows, 8)
        work.out.number = <int32_t *>held_at(held, number, rows, 4)
        work.out.symmetry = <uint8_t *>held_at(held, symmetry, rows, 1)
        work.out.legal = <uint8_t *>held_or_null(held, legal, rows, points + 1)
        work.out.ownership = <int8_t *>held_or_null(held, ownership, rows, points)
        work.buffer = &self.c
        work.failures = 0
        team.run(samples_write, &work, rows, samples_at_once(rows, team, 16, 128))
        if work.failures > 0:
            raise MemoryError("not enough memory for the legal moves of a position")
