"""The C declarations of the games of an index."""

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
        const uint16_t *late_emptied
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

cdef extern from "batch/index/position_search.h" nogil:
    enum:
        W7_INDEX_BLOCK

    ctypedef struct w7_index_hit:
        int32_t group
        int32_t game

    ctypedef struct w7_index_hits:
        w7_index_hit *at
        int64_t count

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

    int w7_corner_histories(const w7_index_group *group, uint64_t *keys, uint8_t *fewest, uint16_t *emptied,
                            void *games, int is_long) noexcept

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

cdef extern from "_util/table.h" nogil:
    ctypedef struct w7_out:
        uint8_t *at
        int64_t count

cdef extern from "batch/index/board_search.h" nogil:
    ctypedef struct w7_index_common:
        w7_out hashes
        w7_out games
        w7_out image_ends
        w7_out image_hashes
        w7_out move_ends
        w7_out moves
        w7_out counts

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
                             const uint8_t *const *chosen, int64_t count, w7_out *answers, int64_t *in_common,
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
        int64_t change_count

    int w7_index_add_records(const w7_index_rows *rows, int64_t records, const int64_t *moves,
                             w7_index_frames *frames) noexcept
