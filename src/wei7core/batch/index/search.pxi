"""The games of an index, gathered and searched without the GIL."""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from wei7core._util._native cimport View

cdef extern from "batch/index/game_store.h" nogil:
    ctypedef struct w7_index_group:
        int64_t games
        int64_t points
        int64_t frame_count
        int64_t change_count
        const int64_t *offsets
        const uint32_t *change_offsets
        const void *moves
        const uint32_t *change_frames
        const void *changes
        const uint8_t *first_stones
        const uint8_t *black
        const uint8_t *white
        int64_t row_bytes
        int32_t width
        int32_t height
        const uint32_t *buckets
        const uint8_t *keys
        const void *hash_games
        int32_t bucket_bits
        int64_t common_count
        int64_t image_count
        int64_t move_count
        const uint64_t *common_hashes
        const uint32_t *common_games
        const uint32_t *image_ends
        const uint64_t *image_hashes
        const uint32_t *move_ends
        const uint32_t *common_moves
        const uint32_t *common_counts
        const uint64_t *corner_keys
        const uint8_t *corner_games
        const uint32_t *late_ends
        const uint8_t *late_stones
        const uint8_t *late_games
        int64_t late_count
        uint8_t has_long_corners
        uint8_t has_long_games
        uint8_t is_wide
        uint8_t has_setups

    void w7_index_summarise(const w7_index_group *group, uint8_t *first_stones, uint8_t *black, uint8_t *white) noexcept

cdef extern from "batch/index/first_bounds.h" nogil:
    ctypedef struct w7_index_form:
        const int32_t *points
        const uint8_t *allowed
        int64_t places
        int64_t count
        int64_t colored
        int64_t stones
        int64_t empty
        const int32_t *order
        uint8_t swapped

cdef extern from "batch/index/search.h" nogil:
    enum:
        W7_INDEX_BLOCK

    ctypedef struct w7_index_hit:
        int32_t group
        int32_t game

    ctypedef struct w7_index_hits:
        w7_index_hit *at
        size_t count

    ctypedef struct w7_index_search:
        const w7_index_group *group
        const w7_index_form *forms
        int64_t form_count
        int64_t max_move
        int32_t group_number
        uint8_t to_play
        uint8_t is_contiguous
        uint8_t isa

    int w7_index_begin_search(w7_index_search *search) noexcept
    void w7_index_end_search(w7_index_search *search) noexcept
    int w7_index_find(w7_index_search *search, int64_t begin, int64_t end, const uint8_t *chosen,
                      w7_index_hits *hits) noexcept

cdef extern from "batch/index/game_search.h" nogil:
    int w7_index_find_games(w7_index_search *search, int64_t begin, int64_t end, const uint8_t *chosen,
                            uint8_t *found) noexcept
    int64_t w7_index_count_bits(const uint8_t *bits, int64_t bytes) noexcept

cdef extern from "batch/index/corner_histories.h" nogil:
    enum:
        W7_CORNERS
        W7_CORNER_LISTS
        W7_CORNER_MOST_POINTS

    int w7_corner_histories(const w7_index_group *group, uint64_t *keys, uint8_t *fewest, void *games,
                            int is_long) noexcept

cdef extern from "batch/index/corner_search.h" nogil:
    int w7_corner_find(w7_index_search *search, const uint8_t *corners, const uint8_t *chosen, uint8_t *found) noexcept

cdef extern from "batch/index/reading.h" nogil:
    enum w7_index_array:
        W7_INDEX_READ_IMAGE_ENDS
        W7_INDEX_READ_COUNTS

    ctypedef struct w7_index_answer:
        int32_t group
        int32_t number

    ctypedef struct w7_index_reading:
        const w7_index_group *const *groups
        int64_t group_count
        const w7_index_answer *answers

    void w7_index_read_ahead(const w7_index_reading *reading, int64_t count, w7_index_array array,
                             w7_index_array last) noexcept

cdef extern from "batch/index/board_search.h" nogil:
    ctypedef struct w7_index_bytes:
        uint8_t *at
        size_t size

    ctypedef struct w7_index_common:
        w7_index_bytes hashes
        w7_index_bytes games
        w7_index_bytes image_ends
        w7_index_bytes image_hashes
        w7_index_bytes move_ends
        w7_index_bytes moves
        w7_index_bytes counts

    ctypedef struct w7_index_wanted:
        uint64_t canonical[2]
        int canonical_count
        int32_t stones
        uint64_t *keys
        const uint64_t *forms

    ctypedef struct w7_index_ordering:
        int part_bits

    ctypedef struct w7_index_tables:
        uint32_t *buckets
        void *games
        uint8_t *keys
        int bits
        uint8_t is_long

    int w7_index_begin_ordering(w7_index_ordering *ordering, const w7_index_group *group, int64_t chunks, int bits,
                                int isa, int hash_bits) noexcept
    void w7_index_hash_chunk(w7_index_ordering *ordering, int64_t chunk) noexcept
    void w7_index_place_parts(w7_index_ordering *ordering) noexcept
    void w7_index_spread_chunk(w7_index_ordering *ordering, int64_t chunk) noexcept
    int w7_index_order_parts(w7_index_ordering *ordering, int64_t begin, int64_t end,
                             const w7_index_tables *tables) noexcept
    int w7_index_find_common(const w7_index_ordering *ordering, int64_t begin, int64_t end, const uint8_t *winners,
                             w7_index_common *common) noexcept
    void w7_index_end_ordering(w7_index_ordering *ordering) noexcept
    int w7_index_find_boards(w7_index_search *search, w7_index_wanted *wanted, const w7_index_group *const *groups,
                             const uint8_t *const *chosen, int64_t count, w7_index_bytes *answers, int64_t *in_common,
                             w7_index_hits *hits) noexcept

cdef extern from "batch/index/continuations.h" nogil:
    ctypedef struct w7_index_placement:
        const int32_t *firsts
        int64_t places
        uint64_t hash
        uint8_t symmetry
        uint8_t swapped

    ctypedef struct w7_index_tally:
        int32_t board_width
        int32_t board_height
        int32_t width
        int32_t height
        const w7_index_placement *forms
        int64_t form_count
        const int32_t *folded
        const uint8_t *winners
        int64_t *counts
        const double *values
        double *sums
        int64_t *last_games
        int64_t first_game
        int32_t *keys

    int w7_index_count_moves(const w7_index_group *group, const w7_index_hit *hit, w7_index_tally *tally) noexcept
    int w7_index_count_common(const w7_index_group *group, int64_t number, w7_index_tally *tally) noexcept

cdef extern from "batch/index/frames.h" nogil:
    ctypedef struct w7_index_rows:
        int64_t count
        const int32_t *move_numbers
        const uint32_t *codes
        int64_t run_count
        const int64_t *run_begins
        const int64_t *texts
        const int64_t *path_sizes
        const int32_t *widths
        const int32_t *heights
        const uint8_t *branches
        int64_t branch_bytes
        const uint8_t *boards
        int64_t board_bytes
        const uint32_t *removed
        int64_t removed_count

    ctypedef struct w7_index_frames:
        int32_t width
        int32_t height
        uint8_t is_wide
        int64_t *counts
        void *codes
        int64_t count
        uint32_t *change_frames
        uint32_t *changes
        size_t change_count

    int w7_index_add_records(const w7_index_rows *rows, int64_t records, const int64_t *moves,
                             w7_index_frames *frames) noexcept

cdef struct _Array:
    void *at
    int64_t count

cdef enum:
    MOST_ARRAYS = 10
    FORMS = 16
    PARTS = 7
    CHUNKS = 4  # of work, for each thread
    COLUMNS = 5
    RUN_COLUMNS = 5

_COLUMNS = ("branches", "boards", "removed", "code", "move_number")
_RUN_COLUMNS = ("begin", "text", "path_size", "width", "height")


cdef int _take(list kept, arrays, bytes sizes, _Array *at, bint writable=False) except -1:
    """Find out where arrays of numbers of these sizes are, and how many they have. `kept` gets views of them."""
    cdef View view
    cdef int k
    for k in range(len(sizes)):
        view = View(arrays[k], sizes[k], writable)
        kept.append(view)
        at[k].at, at[k].count = view.at, view.count
    return 0


@cython.final
cdef class GameStore:
    """The arrays of a group (`size_group.group_arrays`), of which C reads.

    `arrays` are offsets, change_offsets, moves, change_frames, changes; unless the group is only to be summarised
    black, white and first_stones, which are empty where none are kept; and unless it is only searched for patterns
    buckets, keys, hash_games, common_hashes, common_games, image_ends, image_hashes, move_ends, common_moves and
    common_counts.
    Raises `ValueError` where their lengths do not agree. Thread safety: frozen.
    """

    cdef w7_index_group group
    cdef list views

    def __cinit__(self, int32_t width, int32_t height, arrays, bint has_setups, corners=()):
        cdef int64_t points = <int64_t>width * height
        cdef int code_size = 2 if (points + 1) << 2 <= 1 << 16 else 4
        cdef _Array[MOST_ARRAYS] at
        self.views = []
        _take(self.views, arrays, bytes((8, 4, code_size, 4, code_size, 1, 1, 1))[: len(arrays)], at)
        self.group.games = at[0].count - 1
        self.group.points = points
        self.group.width, self.group.height = width, height
        self.group.frame_count = at[2].count
        self.group.change_count = at[4].count
        self.group.offsets = <const int64_t *>at[0].at
        self.group.change_offsets = <const uint32_t *>at[1].at
        self.group.moves = at[2].at
        self.group.change_frames = <const uint32_t *>at[3].at
        self.group.changes = at[4].at
        self.group.row_bytes = (self.group.games + 7) // 8
        self.group.is_wide = code_size == 4
        self.group.has_setups = has_setups
        if (
            width < 1
            or not 0 < points <= INT32_MAX >> 2
            or not 0 <= self.group.games <= INT32_MAX - 1
            or at[1].count != at[0].count
            or at[3].count != at[4].count
        ):
            raise ValueError("the arrays of a group are not of one length")
        if len(arrays) == 5:
            return
        if at[5].count != points * self.group.row_bytes or at[6].count != at[5].count:
            raise ValueError("the planes of a group have another length")
        if at[7].count not in (0, points * self.group.games):
            raise ValueError("the first stones of a group have another length")
        self.group.black = <const uint8_t *>at[5].at
        self.group.white = <const uint8_t *>at[6].at
        self.group.first_stones = <const uint8_t *>at[7].at if at[7].count else NULL
        if len(arrays) > 8:
            self.add_tables(arrays[8:], at)
        if corners:
            self.add_corners(corners, at)

    cdef int add_tables(self, arrays, _Array *at) except -1:
        cdef int size = 2 if arrays[2].dtype.itemsize == 2 else 4, bits
        _take(self.views, arrays, bytes((4, 1, size, 8, 4, 4, 8, 4, 4, 4)), at)
        bits = (at[0].count - 1).bit_length() - 1
        if (
            not 1 <= bits < 32
            or at[0].count != (<int64_t>1 << bits) + 1
            or at[1].count != self.group.frame_count
            or at[2].count != at[1].count
            or at[4].count != at[3].count
            or at[5].count != at[3].count
            or at[7].count != at[6].count
            or at[9].count != 3 * at[8].count
        ):
            raise ValueError("the arrays of the hashes are not of one length")
        self.group.bucket_bits = bits
        self.group.buckets = <const uint32_t *>at[0].at
        self.group.keys = <const uint8_t *>at[1].at
        self.group.hash_games = at[2].at
        self.group.has_long_games = size == 4
        self.group.common_count, self.group.image_count, self.group.move_count = at[3].count, at[6].count, at[8].count
        self.group.common_hashes = <const uint64_t *>at[3].at
        self.group.common_games = <const uint32_t *>at[4].at
        self.group.image_ends = <const uint32_t *>at[5].at
        self.group.image_hashes = <const uint64_t *>at[6].at
        self.group.move_ends = <const uint32_t *>at[7].at
        self.group.common_moves = <const uint32_t *>at[8].at
        self.group.common_counts = <const uint32_t *>at[9].at
        return 0

    cdef int add_corners(self, arrays, _Array *at) except -1:
        cdef int size = 2 if arrays[1].dtype.itemsize == 2 else 4
        _take(self.views, arrays, bytes((8, size, 4, 1, size)), at)
        if (
            at[0].count != W7_CORNER_LISTS * self.group.games
            or at[1].count != at[0].count
            or at[2].count != W7_CORNER_LISTS
            or at[4].count != at[3].count
        ):
            raise ValueError("the arrays of the corners are not of one length")
        self.group.corner_keys = <const uint64_t *>at[0].at
        self.group.corner_games = <const uint8_t *>at[1].at
        self.group.late_ends = <const uint32_t *>at[2].at
        self.group.late_stones = <const uint8_t *>at[3].at
        self.group.late_games = <const uint8_t *>at[4].at
        self.group.late_count = at[3].count
        self.group.has_long_corners = size == 4
        return 0

    def corner_histories(self, arrays):
        """Fill three arrays by list and game: keys, fewest stones and games, see `corner_histories.h`.

        Keys (uint64) are in their order, games (of 2 or 4 bytes) are those of the keys, and fewest stones (uint8) in
        the order of games. Raises `MemoryError`.
        """
        cdef _Array[3] at
        cdef int64_t count = W7_CORNER_LISTS * self.group.games
        cdef int size = arrays[2].dtype.itemsize, status = -1
        kept = []
        _take(kept, arrays, bytes((8, 1, size)), at, True)
        if not count == at[0].count == at[1].count == at[2].count or self.group.points > W7_CORNER_MOST_POINTS:
            raise ValueError("the arrays of the corners are not of one length")
        with nogil:
            status = w7_corner_histories(&self.group, <uint64_t *>at[0].at, <uint8_t *>at[1].at, at[2].at, size == 4)
        if status:
            raise MemoryError("not enough memory for the corners")

    def summarise(self, first_stones, black, white):
        """Fill the arrays `first_stones` (may be empty), `black` and `white` (zeros) of the group."""
        cdef _Array[3] at
        kept = []
        _take(kept, (first_stones, black, white), b"\1\1\1", at, True)
        if (
            at[0].count not in (0, self.group.points * self.group.games)
            or at[1].count != self.group.points * self.group.row_bytes
            or at[2].count != at[1].count
        ):
            raise ValueError("the summaries of a group have another length")
        with nogil:
            w7_index_summarise(&self.group, <uint8_t *>at[0].at if at[0].count else NULL, <uint8_t *>at[1].at,
                               <uint8_t *>at[2].at)

    def order_hashes(self, winners, buckets, hash_games, keys, int jobs=1, int isa=ISA, int hash_bits=64):
        """Fill `buckets` (uint32), `hash_games` (of 2 or 4 bytes) and `keys` (uint8) of the group.

        Returns lists, to be joined, of the bytes of the arrays of common positions, in the order in which `GameStore`
        takes them; ends are counted from the begin of their own list. `winners()`, called late, are by game (uint8);
        `jobs` threads share the work. `isa` is the number of the instruction set, `hash_bits` (1 to 64) how many
        bits of hashes are compared first; the result depends on neither. Raises `MemoryError`, and `ValueError` for
        lengths that differ.
        """
        cdef View at_keys = View(keys, writable=True), at_buckets = View(buckets, 4, writable=True)
        cdef int size = hash_games.dtype.itemsize, bits = (len(buckets) - 1).bit_length() - 1
        cdef View at_games = View(hash_games, size, writable=True)
        cdef _Ordering ordering
        cdef uint32_t *at
        cdef int64_t k
        if (
            size not in (2, 4)
            or at_games.count != self.group.frame_count
            or at_keys.count != at_games.count
            or self.group.offsets[0] != 0
            or self.group.offsets[self.group.games] != self.group.frame_count
            or not 1 <= bits < 32
            or not 0 < hash_bits <= 64
            or at_buckets.count != (<int64_t>1 << bits) + 1
        ):
            raise ValueError("the arrays of the hashes are not of one length")
        for k in range(self.group.games):
            if not 0 <= self.group.offsets[k + 1] - self.group.offsets[k] < INT32_MAX:
                raise ValueError("the offsets are not ascending")
        ordering = _Ordering(self, CHUNKS * jobs, bits, isa, hash_bits)
        ordering.kept = [at_buckets, at_games, at_keys]
        ordering.tables = [<uint32_t *>at_buckets.at, at_games.at, <uint8_t *>at_keys.at, bits, size == 4]
        share = _parallel_ranges()
        for ordering.stage in range(4):
            k = CHUNKS * jobs if ordering.stage < 2 else <int64_t>1 << ordering.ordering.part_bits
            if ordering.stage == 1:
                w7_index_place_parts(&ordering.ordering)
            elif ordering.stage == 3:
                ordering.winners = View(winners())
                if ordering.winners.count != self.group.games:
                    raise ValueError("the winners are not of one length with the games")
            made = share(ordering.work, k, k // (CHUNKS * jobs) + (k % (CHUNKS * jobs) > 0), jobs)
        at = <uint32_t *>at_buckets.at
        at[<int64_t>1 << bits] = <uint32_t>self.group.frame_count
        return made


@cython.final
cdef class _Ordering:
    """The frames of a group, which threads order by their hashes in stages, and the arrays that the last one fills."""

    cdef w7_index_ordering ordering
    cdef GameStore store
    cdef w7_index_tables tables
    cdef list kept
    cdef View winners
    cdef int stage

    def __cinit__(self, GameStore store, int64_t chunks, int bits, int isa, int hash_bits):
        self.store = store
        if w7_index_begin_ordering(&self.ordering, &store.group, chunks, bits, isa, hash_bits):
            raise MemoryError("not enough memory for the hashes")

    def __dealloc__(self):
        w7_index_end_ordering(&self.ordering)

    def work(self, int64_t begin, int64_t end):
        """Hash or spread one of the chunks, or order some of the parts, or find their common positions.

        Returns the bytes of the arrays of common positions that are found.
        """
        cdef w7_index_common common
        cdef w7_index_bytes *kept = <w7_index_bytes *>&common
        cdef int status = 0
        cdef int64_t k
        memset(&common, 0, sizeof(common))
        with nogil:
            if self.stage == 0:
                w7_index_hash_chunk(&self.ordering, begin)
            elif self.stage == 1:
                w7_index_spread_chunk(&self.ordering, begin)
            elif self.stage == 2:
                status = w7_index_order_parts(&self.ordering, begin, end, &self.tables)
            else:
                status = w7_index_find_common(&self.ordering, begin, end, <const uint8_t *>self.winners.at, &common)
        try:
            if status:
                raise MemoryError("not enough memory for the hashes")
            return [_bytes_of(&kept[k]) for k in range(PARTS)]
        finally:
            for k in range(PARTS):
                free(kept[k].at)


def _parallel_ranges():
    from wei7core._util.ordered_map import parallel_ranges

    return parallel_ranges


cdef bytes _bytes_of(const w7_index_bytes *kept):
    return PyBytes_FromStringAndSize(<const char *>kept.at, <Py_ssize_t>kept.size) if kept.size else b""


@cython.final
cdef class _Groups:
    """The groups of some stores, which have boards of one size."""

    cdef const w7_index_group **at
    cdef const uint8_t **chosen
    cdef int64_t count
    cdef list kept

    def __cinit__(self, stores, chosen, bint writable=False):
        cdef GameStore store
        cdef _Array[1] bits
        cdef int64_t k
        self.count = len(stores)
        self.at = <const w7_index_group **>calloc(<size_t>self.count + 1, sizeof(void *))
        self.chosen = <const uint8_t **>calloc(<size_t>self.count + 1, sizeof(void *))
        self.kept = [list(stores)]
        if self.at is NULL or self.chosen is NULL:
            raise MemoryError("not enough memory for the groups")
        if chosen is not None and len(chosen) != self.count:
            raise ValueError("the chosen games are not of one length with the groups")
        for k in range(self.count):
            store = self.kept[0][k]
            self.at[k] = &store.group
            if store.group.black is NULL:
                raise ValueError("the group has no planes")
            if store.group.width != self.at[0].width or store.group.height != self.at[0].height:
                raise ValueError("the groups have boards of several sizes")
            if chosen is not None:
                _take(self.kept, (chosen[k],), b"\1", bits, writable)
                if bits[0].count != store.group.row_bytes:
                    raise ValueError("the chosen games are not of one length with the group")
                self.chosen[k] = <const uint8_t *>bits[0].at

    def __dealloc__(self):
        free(<void *>self.at)
        free(<void *>self.chosen)


@cython.final
cdef class _Forms:
    """The forms of a pattern, for boards of `points` points."""

    cdef w7_index_form[FORMS] at
    cdef int64_t count
    cdef list kept

    def __cinit__(self, forms, int64_t points):
        cdef _Array[3] at
        cdef w7_index_form *of
        cdef int64_t k, point
        if len(forms) > FORMS:
            raise ValueError("a pattern has 16 forms at most")
        self.count = len(forms)
        self.kept = []
        for k, form in enumerate(forms):
            of = &self.at[k]
            form_points, allowed, of.colored, of.stones, of.empty, of.swapped, order = form
            _take(self.kept, form, b"\4\1", at)
            of.points, of.allowed = <const int32_t *>at[0].at, <const uint8_t *>at[1].at
            of.count, of.places = at[1].count, form_points.shape[0]
            if order is not None:
                _take(self.kept, (order,), b"\4", &at[2])
                of.order = <const int32_t *>at[2].at
            if (
                at[0].count != of.places * of.count
                or of.colored < 0
                or of.stones < 0
                or of.empty < 0
                or of.colored + of.stones + of.empty > of.count
                or (order is not None and at[2].count != of.colored + of.stones)
            ):
                raise ValueError("the arrays of a form are not of one length")
            for point in range(at[0].count):
                if not 0 <= of.points[point] < points:
                    raise ValueError("a point is off the board")


cdef bytes _hits_of(const w7_index_hits *hits):
    if not hits.count:
        return b""
    return PyBytes_FromStringAndSize(<const char *>hits.at, <Py_ssize_t>(hits.count * sizeof(w7_index_hit)))


def find_patterns(
    stores, forms, chosen, int64_t max_move, int to_play, bint contiguous, int32_t first_group, int64_t begin=0,
    int64_t end=INT32_MAX, found=None, corners=b"",
):
    """Return the places where forms are in the games of `stores`, as the bytes of rows of 6 native int32.

    A row is a group, counted from `first_group`, a game of it, the first frame (counted in the game) and the one after
    the last, the form and the place. Each of `forms` is (points, allowed, colored, stones, empty, swapped, order),
    see `search.h`; `chosen` are bits of games by group or None, `max_move` -1 and `to_play` 0 for any. Of each group
    the games from `begin`, a multiple of 512, up to `end` are searched. With `found` (uint8, an array for each group)
    there are no rows: its bits are set for the games that have a form, and their number is returned; `to_play` and
    `contiguous` do not count. `corners`: by form the corner in which it is, if all games are searched. Raises
    `MemoryError`.
    """
    cdef _Groups groups = _Groups(stores, chosen)
    cdef _Groups into = _Groups(stores, found, found is not None)
    cdef _Forms of
    cdef w7_index_search search
    cdef w7_index_hits hits
    cdef const uint8_t *at_corners = corners
    cdef bint is_of_corners = len(corners) > 0 and max_move < 0
    cdef int64_t k, count = 0
    cdef int status = 0
    if not groups.count:
        return b""
    if begin < 0 or begin % W7_INDEX_BLOCK:
        raise ValueError("the first game is not that of a block")
    of = _Forms(forms, groups.at[0].points)
    memset(&search, 0, sizeof(search))
    memset(&hits, 0, sizeof(hits))
    search.forms, search.form_count = of.at, of.count
    search.max_move, search.to_play, search.is_contiguous = max_move, to_play, contiguous
    search.isa = ISA
    search.group = groups.at[0]
    if len(corners) not in (0, of.count) or (corners and max(corners) >= W7_CORNERS):
        raise ValueError("the corners are not of one length with the forms")
    with nogil:
        status = w7_index_begin_search(&search)
        for k in range(groups.count):
            if status:
                break
            search.group = groups.at[k]
            search.group_number = first_group + <int32_t>k
            if into.chosen[k] is NULL:
                status = w7_index_find(&search, begin, min(end, groups.at[k].games), groups.chosen[k], &hits)
                continue
            if is_of_corners and groups.at[k].corner_keys is not NULL:
                status = w7_corner_find(&search, at_corners, groups.chosen[k], <uint8_t *>into.chosen[k])
            else:
                status = w7_index_find_games(&search, begin, min(end, groups.at[k].games), groups.chosen[k],
                                             <uint8_t *>into.chosen[k])
            count += w7_index_count_bits(into.chosen[k] + begin // 8,
                                         min((end + 7) // 8, groups.at[k].row_bytes) - begin // 8)
        w7_index_end_search(&search)
    try:
        if status:
            raise MemoryError("not enough memory for the hits")
        return _hits_of(&hits) if found is None else count
    finally:
        free(hits.at)


def find_boards(
    stores, forms, hashes, canonical, int32_t stones, chosen, int64_t max_move, int to_play, bint contiguous,
    bint with_common
):
    """Return rows as `find_patterns`, of whole positions, the pairs of common positions, and how many games have these.

    `hashes` (uint64) are those of the forms, all of so many `stones`, `canonical` one or two whole numbers. A pair is a
    group and a number of a common position (native int32); with `with_common` there are no rows of such groups.
    """
    cdef _Groups groups = _Groups(stores, chosen)
    cdef _Forms of
    cdef _Array[1] at_hashes
    cdef w7_index_search search
    cdef w7_index_hits hits
    cdef w7_index_wanted wanted
    cdef w7_index_bytes answers
    cdef int64_t k, in_common = 0
    cdef int status = 0
    if not groups.count:
        return b"", b"", 0
    of = _Forms(forms, groups.at[0].points)
    _take(of.kept, (hashes,), b"\10", at_hashes)
    if at_hashes[0].count != of.count or not 1 <= len(canonical) <= 2:
        raise ValueError("the hashes are not of one length with the forms")
    for k in range(groups.count):
        if groups.at[k].buckets is NULL:
            raise ValueError("the group has no hashes")
    memset(&search, 0, sizeof(search))
    memset(&hits, 0, sizeof(hits))
    memset(&answers, 0, sizeof(answers))
    memset(&wanted, 0, sizeof(wanted))
    search.forms, search.form_count = of.at, of.count
    search.max_move, search.to_play, search.is_contiguous = max_move, to_play, contiguous
    search.group = groups.at[0]
    wanted.canonical_count = len(canonical)
    for k, hash in enumerate(canonical):
        wanted.canonical[k] = hash
    wanted.forms = <const uint64_t *>at_hashes[0].at
    wanted.stones = stones
    with nogil:
        status = w7_index_begin_search(&search)
        if not status:
            status = w7_index_find_boards(&search, &wanted, groups.at, groups.chosen, groups.count, &answers,
                                          &in_common if with_common else NULL, &hits)
        w7_index_end_search(&search)
        free(wanted.keys)
    try:
        if status:
            raise MemoryError("not enough memory for the hits")
        return _hits_of(&hits), _bytes_of(&answers), in_common
    finally:
        free(hits.at)
        free(answers.at)


def count_moves(stores, winners, hits, answers, placements, pattern, folded, counts, values=None, sums=None):
    """Add to `counts` the moves that follow what `find_patterns` or `find_boards` returned, each once a game.

    `placements` is of each form (firsts, hash, symmetry, swapped), `pattern` (width, height), `folded` (int32) has for
    each point of the pattern its representative, `winners` (uint8) are by game, an array for each group; None without
    hits.
    `counts` (int64) has the shape (points of the pattern + 2, 2, 3): first those of a tenuki and of a pass, by color
    and by winner. `values` (float64) are two numbers of each game, NaN where they are not known, an array for each
    group; `sums` (float64) has the shape (points of the pattern + 2, 2, 4): the sum of the first and how many are
    known, and the same of the second. Raises `ValueError` for hits of other groups, `MemoryError`.
    """
    cdef _Groups groups = _Groups(stores, None)
    cdef w7_index_placement[FORMS] of
    cdef w7_index_tally tally
    cdef _Array[4] at
    cdef _Array[1] one
    cdef const w7_index_hit *hit
    cdef const w7_index_answer *answer
    cdef const uint8_t **of_groups = groups.chosen
    cdef const double **at_values = NULL
    cdef w7_index_reading reading
    cdef int64_t k, keys, hit_count, answer_count
    cdef int32_t last = -1
    cdef int status = 0
    if not groups.count:
        return
    kept = []
    _take(kept, (hits, answers, folded), b"\1\1\4", at)
    _take(kept, (counts,), b"\10", &at[3], True)
    hit, hit_count = <const w7_index_hit *>at[0].at, at[0].count // <int64_t>sizeof(w7_index_hit)
    answer, answer_count = <const w7_index_answer *>at[1].at, at[1].count // <int64_t>sizeof(w7_index_answer)
    memset(&tally, 0, sizeof(tally))
    tally.board_width, tally.board_height = groups.at[0].width, groups.at[0].height
    tally.width, tally.height = pattern
    tally.folded, tally.counts = <const int32_t *>at[2].at, <int64_t *>at[3].at
    keys = (<int64_t>tally.width * tally.height + 2) * 2
    if at[3].count != keys * 3 or at[2].count != keys // 2 - 2 or (
        len(winners) != groups.count if winners is not None else hit_count
    ):
        raise ValueError("the arrays of the counts are not of one length")
    if len(placements) > FORMS:
        raise ValueError("a pattern has 16 forms at most")
    for k in range(at[2].count):
        if not 0 <= tally.folded[k] < at[2].count:
            raise ValueError("a point is off the pattern")
    for k, placement in enumerate(placements):
        firsts, of[k].hash, of[k].symmetry, of[k].swapped = placement
        _take(kept, (firsts,), b"\4", one)
        of[k].firsts, of[k].places = <const int32_t *>one[0].at, one[0].count
    tally.forms, tally.form_count = of, len(placements)
    if winners is not None:
        for k in range(groups.count):
            _take(kept, (winners[k],), b"\1", one)
            of_groups[k] = <const uint8_t *>one[0].at
            if one[0].count != groups.at[k].games:
                raise ValueError("the winners are not of one length with the group")
    if values is not None:
        _take(kept, (sums,), b"\10", one, True)
        tally.sums = <double *>one[0].at
        if one[0].count != keys * 4 or len(values) != groups.count or answer_count:
            raise ValueError("the arrays of the sums are not of one length")
    memset(&reading, 0, sizeof(reading))
    reading.groups, reading.group_count, reading.answers = groups.at, groups.count, answer
    try:
        tally.last_games = <int64_t *>calloc(<size_t>keys, sizeof(int64_t))
        tally.keys = <int32_t *>calloc(<size_t>(tally.form_count * (groups.at[0].points + 1)) + 1, sizeof(int32_t))
        at_values = <const double **>calloc(<size_t>groups.count, sizeof(void *))
        if tally.last_games is NULL or tally.keys is NULL or at_values is NULL:
            raise MemoryError("not enough memory for the moves")
        memset(tally.last_games, 255, <size_t>keys * sizeof(int64_t))
        for k in range(groups.count if values is not None else 0):
            _take(kept, (values[k],), b"\10", one)
            at_values[k] = <const double *>one[0].at
            if one[0].count != 2 * groups.at[k].games:
                raise ValueError("the values are not of one length with the group")
        with nogil:
            for k in range(hit_count):
                if hit[k].group < last or hit[k].group >= groups.count:
                    status = -1
                    break
                while last < hit[k].group:
                    tally.first_game += groups.at[last].games if last >= 0 else 0
                    last += 1
                tally.winners, tally.values = of_groups[last], at_values[last]
                status = w7_index_count_moves(groups.at[last], hit + k, &tally)
                if status:
                    break
            w7_index_read_ahead(&reading, answer_count, W7_INDEX_READ_IMAGE_ENDS, W7_INDEX_READ_COUNTS)
            for k in range(answer_count):
                if status:
                    break
                if not 0 <= answer[k].group < groups.count:
                    status = -1
                    break
                status = w7_index_count_common(groups.at[answer[k].group], answer[k].number, &tally)
        if status:
            raise ValueError("the hits are of another group")
    finally:
        free(tally.last_games)
        free(tally.keys)
        free(<void *>at_values)


def add_records(columns, runs, moves, size, counts, codes):
    """Find the frames of records on boards of one size; return how many, and the bytes of what they change.

    `columns` are pause points as `replay_block` has them with `sparse`; `runs` (int64, but int32 for sizes) are
    the columns of their runs, except that `text` counts from the first record.
    `moves` (int64) has for each record the moves in force at its end, -1 for one of no interest; `size` is (width,
    height). `counts` (int64) is filled with the frames of each record; `codes` (of 2 or 4 bytes) with those of all, and
    has room for all rows and one more a record. What they change are native uint32: numbers of frames, and codes.
    Raises `MemoryError`, and `ValueError` for rows that do not agree.
    """
    cdef w7_index_rows rows
    cdef w7_index_frames frames
    cdef void *at[COLUMNS]
    cdef void *at_runs[RUN_COLUMNS]
    cdef View view
    cdef View at_moves = View(moves, 8), at_counts = View(counts, 8, writable=True)
    cdef View at_codes
    cdef int status, k
    memset(&frames, 0, sizeof(frames))
    frames.width, frames.height = size
    frames.is_wide = (<int64_t>frames.width * frames.height + 1) << 2 > 1 << 16
    at_codes = View(codes, 4 if frames.is_wide else 2, writable=True)
    kept = []
    rows.count, rows.run_count = len(columns["code"]), len(runs["begin"])
    for k, name in enumerate(_COLUMNS):
        view = View(columns[name], 1 if k < 2 else 4)
        kept.append(view)
        at[k] = view.at
        if k > 2 and view.count != rows.count:
            raise ValueError("the columns of positions are not of one length")
    for k, name in enumerate(_RUN_COLUMNS):
        view = View(runs[name], 8 if k < 3 else 4)
        kept.append(view)
        at_runs[k] = view.at
        if view.count != rows.run_count:
            raise ValueError("the columns of runs are not of one length")
    rows.branch_bytes, rows.board_bytes = (<View>kept[0]).count, (<View>kept[1]).count
    rows.removed_count = (<View>kept[2]).count // 2
    if at_counts.count != at_moves.count or at_codes.count != rows.count + at_moves.count:
        raise ValueError("the arrays of frames have another length")
    rows.branches, rows.boards, rows.removed = <const uint8_t *>at[0], <const uint8_t *>at[1], <const uint32_t *>at[2]
    rows.codes, rows.move_numbers = <const uint32_t *>at[3], <const int32_t *>at[4]
    rows.run_begins, rows.texts = <const int64_t *>at_runs[0], <const int64_t *>at_runs[1]
    rows.path_sizes = <const int64_t *>at_runs[2]
    rows.widths, rows.heights = <const int32_t *>at_runs[3], <const int32_t *>at_runs[4]
    frames.counts, frames.codes = <int64_t *>at_counts.at, at_codes.at
    with nogil:
        status = w7_index_add_records(&rows, at_moves.count, <const int64_t *>at_moves.at, &frames)
    try:
        if status == -1:
            raise MemoryError("not enough memory for the frames")
        if status:
            raise ValueError("the rows of positions do not agree")
        changed = <Py_ssize_t>(frames.change_count * sizeof(uint32_t))
        return (
            frames.count,
            PyBytes_FromStringAndSize(<const char *>frames.change_frames, changed),
            PyBytes_FromStringAndSize(<const char *>frames.changes, changed),
        )
    finally:
        free(frames.change_frames)
        free(frames.changes)
