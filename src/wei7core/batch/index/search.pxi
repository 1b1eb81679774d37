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
        uint8_t is_wide
        uint8_t has_setups

    void w7_index_summarise(const w7_index_group *group, uint8_t *first_stones, uint8_t *black, uint8_t *white) noexcept

cdef extern from "batch/index/search.h" nogil:
    ctypedef struct w7_index_form:
        const int32_t *points
        const uint8_t *allowed
        int64_t places
        int64_t count
        int64_t colored
        int64_t stones
        int64_t empty
        uint8_t swapped

    ctypedef struct w7_index_hit:
        int32_t game

    ctypedef struct w7_index_hits:
        w7_index_hit *at
        size_t count

    ctypedef struct w7_index_search:
        const w7_index_group *group
        const w7_index_form *forms
        int64_t form_count
        int64_t max_move
        uint8_t to_play

    int w7_index_find(w7_index_search *search, const uint8_t *chosen, w7_index_hits *hits) noexcept

cdef extern from "batch/index/continuations.h" nogil:
    ctypedef struct w7_index_placement:
        const int32_t *firsts
        int64_t places
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
        int32_t *last_games

    int w7_index_count_moves(const w7_index_group *group, const w7_index_hit *hits, int64_t count,
                             w7_index_tally *tally) noexcept

cdef extern from "batch/index/frames.h" nogil:
    ctypedef struct w7_index_rows:
        int64_t count
        const int32_t *texts
        const int32_t *steps
        const int32_t *move_numbers
        const int32_t *xs
        const int32_t *ys
        const int32_t *widths
        const int32_t *heights
        const int8_t *colors
        const uint64_t *hashes
        const int32_t *branch_sizes
        const uint8_t *branches
        int64_t branch_bytes
        const uint8_t *boards
        int64_t board_bytes

    ctypedef struct w7_index_frames:
        int32_t width
        int32_t height
        uint64_t empty_hash
        uint8_t is_wide
        int64_t *counts
        void *codes
        uint64_t *hashes
        int64_t count
        uint32_t *change_frames
        uint32_t *changes
        size_t change_count

    int w7_index_add_records(const w7_index_rows *rows, int64_t records, const int64_t *moves,
                             w7_index_frames *frames) noexcept

cdef extern from "batch/index/hash_table.h" nogil:
    int w7_index_order_hashes(const uint64_t *hashes, const int64_t *offsets, int64_t games, int bits,
                              uint32_t *buckets, void *hash_games, int is_long, uint8_t *keys) noexcept


cdef enum:
    FORMS = 16
    COLUMNS = 12

_COLUMNS = (
    "branches", "boards", "color", "hash", "branch_size", "text", "step", "move_number", "x", "y", "width", "height",
)


@cython.final
cdef class GameStore:
    """The arrays of a group (`size_group.group_arrays`), of which C reads.

    `arrays` are offsets, change_offsets, moves, change_frames, changes, and unless the group is only to be summarised
    black, white and first_stones, which are empty where none are kept. Raises `ValueError` where their lengths do not
    agree. Thread safety: frozen.
    """

    cdef w7_index_group group
    cdef list views

    def __cinit__(self, int64_t points, arrays, bint has_setups):
        cdef int code_size = 2 if (points + 1) << 2 <= 1 << 16 else 4
        cdef View offsets, change_offsets, moves, change_frames, changes, black, white, first
        offsets, change_offsets = View(arrays[0], 8), View(arrays[1], 4)
        moves, change_frames, changes = View(arrays[2], code_size), View(arrays[3], 4), View(arrays[4], code_size)
        self.views = [offsets, change_offsets, moves, change_frames, changes]
        self.group.games = offsets.count - 1
        self.group.points = points
        self.group.frame_count = moves.count
        self.group.change_count = changes.count
        self.group.offsets = <const int64_t *>offsets.at
        self.group.change_offsets = <const uint32_t *>change_offsets.at
        self.group.moves = moves.at
        self.group.change_frames = <const uint32_t *>change_frames.at
        self.group.changes = changes.at
        self.group.row_bytes = (self.group.games + 7) // 8
        self.group.is_wide = code_size == 4
        self.group.has_setups = has_setups
        if (
            not 0 < points <= INT32_MAX >> 2
            or not 0 <= self.group.games <= INT32_MAX - 1
            or change_offsets.count != offsets.count
            or change_frames.count != changes.count
        ):
            raise ValueError("the arrays of a group are not of one length")
        if len(arrays) == 5:
            return
        black, white, first = View(arrays[5]), View(arrays[6]), View(arrays[7])
        self.views += [black, white, first]
        if black.count != points * self.group.row_bytes or white.count != black.count:
            raise ValueError("the planes of a group have another length")
        if first.count not in (0, points * self.group.games):
            raise ValueError("the first stones of a group have another length")
        self.group.black = <const uint8_t *>black.at
        self.group.white = <const uint8_t *>white.at
        self.group.first_stones = <const uint8_t *>first.at if first.count else NULL

    def summarise(self, first_stones, black, white):
        """Fill the arrays `first_stones` (may be empty), `black` and `white` (zeros) of the group."""
        cdef View firsts = View(first_stones, writable=True)
        cdef View blacks = View(black, writable=True), whites = View(white, writable=True)
        if (
            firsts.count not in (0, self.group.points * self.group.games)
            or blacks.count != self.group.points * self.group.row_bytes
            or whites.count != blacks.count
        ):
            raise ValueError("the summaries of a group have another length")
        with nogil:
            w7_index_summarise(&self.group, <uint8_t *>firsts.at if firsts.count else NULL, <uint8_t *>blacks.at,
                               <uint8_t *>whites.at)

    def find(self, forms, chosen, int64_t max_move, int to_play):
        """Return the places where forms are, as the bytes of rows of 5 native int32.

        A row is a game of the group, the first frame (counted in the game) and the one after the last, the form and
        the place. Each of `forms` is (points, allowed, colored, stones, empty, swapped), see `search.h`; `chosen` are
        bits of games or None, `max_move` -1 and `to_play` 0 for any. Raises `MemoryError`.
        """
        cdef w7_index_form[FORMS] of
        cdef w7_index_search search
        cdef w7_index_hits hits
        cdef View points, allowed, bits
        cdef const uint8_t *at_chosen = NULL
        cdef int64_t k, point
        cdef int status
        kept = []
        if len(forms) > FORMS:
            raise ValueError("a pattern has 16 forms at most")
        memset(&search, 0, sizeof(search))
        memset(&hits, 0, sizeof(hits))
        if self.group.black is NULL:
            raise ValueError("the group has no planes")
        for k, (at_points, at_allowed, colored, stones, empty, swapped) in enumerate(forms):
            points, allowed = View(at_points, 4), View(at_allowed)
            kept += [points, allowed]
            of[k].points = <const int32_t *>points.at
            of[k].allowed = <const uint8_t *>allowed.at
            of[k].count = allowed.count
            of[k].places = at_points.shape[0]
            of[k].colored, of[k].stones, of[k].empty, of[k].swapped = colored, stones, empty, swapped
            if points.count != of[k].places * of[k].count or colored + stones + empty > of[k].count:
                raise ValueError("the arrays of a form are not of one length")
            for point in range(points.count):
                if not 0 <= of[k].points[point] < self.group.points:
                    raise ValueError("a point is off the board")
        if chosen is not None:
            bits = View(chosen)
            if bits.count != self.group.row_bytes:
                raise ValueError("the chosen games are not of one length with the group")
            at_chosen = <const uint8_t *>bits.at
        search.group = &self.group
        search.forms = of
        search.form_count = len(forms)
        search.max_move = max_move
        search.to_play = to_play
        with nogil:
            status = w7_index_find(&search, at_chosen, &hits)
        try:
            if status:
                raise MemoryError("not enough memory for the hits")
            return PyBytes_FromStringAndSize(<const char *>hits.at, <Py_ssize_t>(hits.count * sizeof(w7_index_hit)))
        finally:
            free(hits.at)

    def count_moves(self, hits, placements, board, pattern, folded, winners, counts):
        """Add to `counts` the moves that follow `hits`, which `find` returned, each once a game.

        `placements` is of each form (firsts, symmetry, swapped), `board` and `pattern` are (width, height), `folded`
        (int32) has for each point of the pattern the one that stands for it, `winners` is by game of the group.
        `counts` (int64) has the shape (points of the pattern + 2, 2, 3): first those of a tenuki and of a pass, by
        color and by winner. Raises `ValueError` for hits of another group, `MemoryError`.
        """
        cdef w7_index_placement[FORMS] of
        cdef w7_index_tally tally
        cdef View firsts
        cdef View at_hits = View(hits), at_folded = View(folded, 4), at_winners = View(winners)
        cdef View at_counts = View(counts, 8, writable=True)
        cdef int64_t k, keys, hit_count = at_hits.count // <int64_t>sizeof(w7_index_hit)
        cdef int status
        kept = []
        tally.board_width, tally.board_height = board
        tally.width, tally.height = pattern
        keys = (<int64_t>tally.width * tally.height + 2) * 2
        if <int64_t>tally.board_width * tally.board_height != self.group.points or len(placements) > FORMS:
            raise ValueError("the board is another one")
        if at_counts.count != keys * 3 or at_folded.count != keys // 2 - 2 or at_winners.count != self.group.games:
            raise ValueError("the arrays of the counts are not of one length")
        for k in range(at_folded.count):
            if not 0 <= (<const int32_t *>at_folded.at)[k] < at_folded.count:
                raise ValueError("a point is off the pattern")
        for k, (at_firsts, symmetry, swapped) in enumerate(placements):
            firsts = View(at_firsts, 4)
            kept.append(firsts)
            of[k].firsts = <const int32_t *>firsts.at
            of[k].places = firsts.count
            of[k].symmetry, of[k].swapped = symmetry, swapped
        tally.forms = of
        tally.form_count = len(placements)
        tally.folded = <const int32_t *>at_folded.at
        tally.winners = <const uint8_t *>at_winners.at
        tally.counts = <int64_t *>at_counts.at
        tally.last_games = <int32_t *>calloc(<size_t>keys, sizeof(int32_t))
        if tally.last_games is NULL:
            raise MemoryError("not enough memory for the moves")
        memset(tally.last_games, 255, <size_t>keys * sizeof(int32_t))
        with nogil:
            status = w7_index_count_moves(&self.group, <const w7_index_hit *>at_hits.at, hit_count, &tally)
        free(tally.last_games)
        if status:
            raise ValueError("the hits are of another group")


def add_records(columns, moves, size, empty_hash, counts, codes, hashes):
    """Find the frames of records on boards of one size; return how many, and the bytes of what they change.

    `columns` are the pause points as `replay_block` has them, except that `text` counts from the first record.
    `moves` (int64) has for each record the moves in force at its end, -1 for one of no interest; `size` is (width,
    height), `empty_hash` that of the empty board. `counts` (int64) is filled with the frames of each record; `codes`
    (of 2 or 4 bytes) and `hashes` (uint64) with those of all, and have room for all rows and one more a record. What
    they change are native uint32: numbers of frames, and codes. Raises `MemoryError`, and `ValueError` for rows that
    do not agree.
    """
    cdef w7_index_rows rows
    cdef w7_index_frames frames
    cdef void *at[COLUMNS]
    cdef View view
    cdef View at_moves = View(moves, 8), at_counts = View(counts, 8, writable=True)
    cdef View at_codes, at_hashes = View(hashes, 8, writable=True)
    cdef int status, k
    memset(&frames, 0, sizeof(frames))
    frames.width, frames.height = size
    frames.is_wide = (<int64_t>frames.width * frames.height + 1) << 2 > 1 << 16
    frames.empty_hash = empty_hash
    at_codes = View(codes, 4 if frames.is_wide else 2, writable=True)
    kept = []
    rows.count = len(columns["text"])
    for k, name in enumerate(_COLUMNS):
        view = View(columns[name], 1 if k < 3 else 8 if k == 3 else 4)
        kept.append(view)
        at[k] = view.at
        if k >= 2 and view.count != rows.count:
            raise ValueError("the columns of positions are not of one length")
    rows.branch_bytes, rows.board_bytes = (<View>kept[0]).count, (<View>kept[1]).count
    if at_counts.count != at_moves.count or at_codes.count != rows.count + at_moves.count or (
        at_hashes.count != at_codes.count
    ):
        raise ValueError("the arrays of frames have another length")
    rows.branches, rows.boards, rows.colors = <const uint8_t *>at[0], <const uint8_t *>at[1], <const int8_t *>at[2]
    rows.hashes, rows.branch_sizes = <const uint64_t *>at[3], <const int32_t *>at[4]
    rows.texts, rows.steps, rows.move_numbers = <const int32_t *>at[5], <const int32_t *>at[6], <const int32_t *>at[7]
    rows.xs, rows.ys = <const int32_t *>at[8], <const int32_t *>at[9]
    rows.widths, rows.heights = <const int32_t *>at[10], <const int32_t *>at[11]
    frames.counts, frames.codes = <int64_t *>at_counts.at, at_codes.at
    frames.hashes = <uint64_t *>at_hashes.at
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


def order_hashes(hashes, offsets, buckets, hash_games, keys):
    """Fill `buckets` (uint32), `hash_games` (of 2 or 4 bytes) and `keys` (uint8) of a group, see `group_arrays`.

    `hashes` (uint64) are those of all frames, and those of game k are `offsets[k]` (int64) up to `offsets[k + 1]`.
    Raises `MemoryError`, and `ValueError` for lengths that do not agree.
    """
    cdef View at_hashes = View(hashes, 8), at_offsets = View(offsets, 8)
    cdef View at_buckets = View(buckets, 4, writable=True), at_keys = View(keys, writable=True)
    cdef int size = hash_games.dtype.itemsize, bits = (len(buckets) - 1).bit_length() - 1, status
    cdef View at_games = View(hash_games, size, writable=True)
    cdef const int64_t *at = <const int64_t *>at_offsets.at
    cdef int64_t k
    if (
        at_games.count != at_hashes.count
        or at_keys.count != at_hashes.count
        or at_offsets.count < 1
        or at[0] != 0
        or at[at_offsets.count - 1] != at_hashes.count
        or not 1 <= bits < 32
        or at_buckets.count != (<int64_t>1 << bits) + 1
    ):
        raise ValueError("the arrays of the hashes are not of one length")
    for k in range(at_offsets.count - 1):
        if at[k] > at[k + 1]:
            raise ValueError("the offsets are not ascending")
    with nogil:
        status = w7_index_order_hashes(<const uint64_t *>at_hashes.at, at, at_offsets.count - 1, bits,
                                       <uint32_t *>at_buckets.at, at_games.at, size == 4, <uint8_t *>at_keys.at)
    if status:
        raise MemoryError("not enough memory for the hashes")
