"""The games of an index, gathered and ordered without the GIL."""

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

CORNER_LISTS = W7_CORNER_LISTS
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
        _take(self.views, arrays, bytes((8, size, 4, 1, size, 2))[: len(arrays)], at)
        if (
            at[0].count != W7_CORNER_LISTS * self.group.games
            or at[1].count != at[0].count
            or at[2].count != W7_CORNER_LISTS
            or at[4].count != at[3].count
            or (len(arrays) > 5 and at[5].count != at[3].count)
        ):
            raise ValueError("the arrays of the corners are not of one length")
        self.group.corner_keys = <const uint64_t *>at[0].at
        self.group.corner_games = <const uint8_t *>at[1].at
        self.group.late_ends = <const uint32_t *>at[2].at
        self.group.late_stones = <const uint8_t *>at[3].at
        self.group.late_games = <const uint8_t *>at[4].at
        self.group.late_emptied = <const uint16_t *>at[5].at if len(arrays) > 5 else NULL
        self.group.late_count = at[3].count
        self.group.has_long_corners = size == 4
        return 0

    def corner_histories(self, arrays):
        """Fill four arrays by list and game: keys, fewest stones, empty points, and games.

        See `corner_histories.h`. Keys (uint64) are in their order, games (of 2 or 4 bytes) are those of the keys, and
        fewest stones (uint8) and empty points (uint16) in the order of games. Raises `MemoryError`.
        """
        cdef _Array[4] at
        cdef int64_t count = W7_CORNER_LISTS * self.group.games
        cdef int size = arrays[3].dtype.itemsize, status = -1
        kept = []
        _take(kept, arrays, bytes((8, 1, 2, size)), at, True)
        if (
            not count == at[0].count == at[1].count == at[2].count == at[3].count
            or self.group.points > W7_CORNER_MOST_POINTS
        ):
            raise ValueError("the arrays of the corners are not of one length")
        with nogil:
            status = w7_corner_histories(&self.group, <uint64_t *>at[0].at, <uint8_t *>at[1].at, <uint16_t *>at[2].at,
                                         at[3].at, size == 4)
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
        cdef w7_out *kept = <w7_out *>&common
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


cdef bytes _bytes_of(const w7_out *kept):
    return PyBytes_FromStringAndSize(<const char *>kept.at, <Py_ssize_t>kept.count) if kept.count else b""
