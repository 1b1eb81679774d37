"""The C functions of bulk replay."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from wei7core.formats._native cimport w7_decode_options, w7_layouts, w7_sgf_facts, w7_sgf_options
from wei7core.record.record cimport w7_record


cdef extern from "batch/engine.h" nogil:
    enum:
        W7_CODE_COUNT
        W7_CHARSET_OTHER_PAIRS
        W7_CHARSET_WHOLE
        W7_CHARSET_ALL
        W7_BULK_WEI7_7
        W7_BULK_WEI7_2
        W7_BULK_SGF
        W7_BULK_DECODED
        W7_BULK_MOST_HELD
        W7_STOP_OCCUPIED
        W7_STOP_NO_LIBERTY
        W7_STOP_TAKEBACK_OF_SETUP
        W7_STOP_LIMIT
        W7_FOUND_REPLACED
        W7_FOUND_MORE_MOVES
        W7_FOUND_MORE_STOPS
        W7_FOUND_NO_BOARD
        W7_FOUND_TOO_LONG

    ctypedef struct w7_bulk_text:
        const uint8_t *at
        int64_t size
        uint8_t format

    ctypedef struct w7_bulk_row:
        int64_t name_begin
        int64_t name_end
        uint8_t is_deferred

    ctypedef struct w7_letters:
        char *at
        int64_t count
        int64_t room

    int w7_letters_reserve(w7_letters *letters, int64_t more) noexcept

    ctypedef struct w7_block_cache:
        pass

    void w7_block_give(w7_block_cache *cache, void *block, int64_t size) noexcept
    void w7_block_cache_free(w7_block_cache *cache) noexcept

    ctypedef struct w7_position_run:
        pass

    ctypedef struct w7_positions:
        int32_t *steps
        int32_t *move_numbers
        int32_t *xs
        int32_t *ys
        int8_t *colors
        uint64_t *hashes
        uint64_t *canonical_hashes
        int64_t count
        int64_t room
        int64_t text
        w7_block_cache *cache
        w7_position_run *runs
        int64_t run_count
        w7_letters branches
        w7_letters boards
        w7_letters removed
        uint8_t is_sparse
        uint8_t with_canonical

    void w7_positions_trim(w7_positions *positions) noexcept

    ctypedef struct w7_bulk_block:
        const uint8_t *data
        const int64_t *begins
        const int64_t *ends
        uint8_t format

    ctypedef struct w7_facts:
        uint8_t is_wide

    ctypedef struct w7_facts_work:
        w7_facts *rows
        w7_facts *row

    void w7_facts_add_text_key(w7_facts *facts, const uint8_t *text, int64_t size, int isa) noexcept

    enum:
        W7_METADATA_FIELDS

    ctypedef struct w7_metadata_row:
        pass

    ctypedef struct w7_metadata_rows:
        w7_metadata_row *at
        int64_t count

    ctypedef struct w7_value_ends:
        int64_t *at
        int64_t count

    ctypedef struct w7_metadata:
        w7_metadata_rows rows
        w7_letters values
        w7_value_ends ends
        w7_letters charsets
        w7_letters first

    enum:
        W7_DAY_BYTES

    ctypedef struct w7_texts:
        const uint8_t *data
        int64_t size
        const int64_t *ends
        const uint8_t *kinds
        int64_t count

    int64_t w7_taken_offsets(
        const w7_texts *texts, const int32_t *codes, int64_t count, int64_t *offsets, uint8_t *valid
    ) noexcept
    void w7_taken_texts(
        const w7_texts *texts, const int32_t *codes, int64_t count, const int64_t *offsets, uint8_t *out
    ) noexcept
    int64_t w7_distinct_texts(
        const w7_texts *texts, const int32_t *codes, int64_t count, int32_t *places, int32_t *firsts
    ) noexcept
    int64_t w7_days_of_texts(
        const w7_texts *texts, const int32_t *codes, int64_t count, uint8_t *is_day, uint8_t *days
    ) noexcept

    ctypedef struct w7_bulk_failure:
        pass

    ctypedef struct w7_bulk_failures:
        w7_bulk_failure *at
        int64_t count

    ctypedef struct w7_failures:
        w7_bulk_failures rows
        w7_letters texts

    ctypedef int (*w7_decode_function)(
        const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts, w7_record *record
    ) noexcept

    ctypedef int (*w7_sgf_decode_function)(
        const uint8_t *text, int64_t size, const w7_sgf_options *options, w7_record *record, w7_sgf_facts *facts
    ) noexcept

    ctypedef int (*w7_write_function)(
        void *writing, const w7_record *record, const uint8_t *text, int64_t size, bint is_wei7, int64_t number,
        int charset, const w7_sgf_options *options
    ) except -1 with gil

    ctypedef struct w7_bulk:
        w7_decode_function decode_wei7
        w7_sgf_decode_function decode_sgf
        w7_decode_options wei7
        w7_sgf_options sgf
        int64_t max_points
        int64_t max_moves
        w7_record record
        const w7_record *decoded
        int isa
        w7_letters letters
        w7_letters ids
        w7_positions positions
        int64_t max_positions
        const uint8_t *charsets
        int wanted_charset
        uint8_t wants_charsets
        uint8_t wants_utf8
        uint8_t is_utf8
        int64_t not_wide
        uint8_t has_all_charsets
        const uint8_t *last_name
        uint8_t with_letters
        uint8_t with_ids
        w7_facts_work facts
        w7_metadata metadata
        uint8_t with_metadata
        uint8_t with_positions
        uint8_t with_facts
        uint8_t *is_counted
        w7_failures failures
        uint8_t with_failures
        uint8_t is_strict
        uint8_t lists_problems
        uint8_t has_raw_names
        int64_t *counts
        w7_write_function write
        void *writing
        int (*check_signals)() noexcept nogil

    ctypedef enum w7_event:
        W7_EVENT_END
        W7_EVENT_TICK
        W7_EVENT_NO_MEMORY

    ctypedef enum w7_status:
        W7_OK

    ctypedef struct w7_walk:
        pass

    ctypedef struct w7_bulk_kept:
        pass

    ctypedef w7_bulk_kept *w7_bulk_keeper

    void w7_walk_free(w7_walk *walk) noexcept
    w7_status w7_bulk_start_positions(w7_bulk *bulk, const w7_record *record, w7_walk *walk) noexcept
    w7_event w7_bulk_walk_positions(w7_bulk *bulk, w7_walk *walk) noexcept
    void w7_bulk_free(w7_bulk *bulk) noexcept
    void w7_bulk_take_kept(w7_bulk *bulk, w7_bulk_keeper *keeper) noexcept
    void w7_bulk_end(w7_bulk *bulk, w7_bulk_keeper *keeper) noexcept
    void w7_bulk_kept_free(w7_bulk_kept *kept) noexcept
    int w7_bulk_one(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row) noexcept
    int w7_bulk_block_fits(const w7_bulk_block *block, int64_t count, int64_t size) noexcept
    int64_t w7_bulk_held(const w7_bulk *bulk) noexcept
    int w7_bulk_number(
        w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *rows, int64_t number
    ) noexcept
    int64_t w7_bulk_run_block(
        w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t next, int64_t count
    ) noexcept


cdef extern from "formats/sgf/wide.h" nogil:
    ctypedef struct w7_wide:
        int unit
        int is_big

    w7_wide w7_wide_of(const uint8_t *text, int64_t size) noexcept
    int64_t w7_wide_to_utf8(const uint8_t *text, int64_t size, w7_wide wide, uint8_t *out) noexcept


cdef extern from "batch/line_records.h" nogil:
    ctypedef enum w7_bulk_lines_stop:
        W7_BULK_LINES_DONE
        W7_BULK_LINES_PAUSE
        W7_BULK_LINES_FULL
        W7_BULK_LINES_LONG
        W7_BULK_LINES_UNREAD
        W7_BULK_LINES_NO_MEMORY

    enum:
        W7_LINE_FILE_CHUNK

    ctypedef struct w7_line_file:
        uint8_t *buffer
        int64_t room
        int64_t limit
        int64_t stop
        int file

    ctypedef struct w7_bulk_rows:
        w7_bulk_row *at
        int64_t count
        w7_letters deferred_texts

    int w7_line_file_start(w7_line_file *lines, int64_t begin) noexcept
    int64_t w7_line_file_next(const w7_line_file *lines) noexcept
    w7_bulk_lines_stop w7_bulk_run_lines(
        w7_bulk *bulk, uint8_t format, w7_line_file *lines, w7_bulk_rows *rows
    ) noexcept
    void w7_bulk_rows_free(w7_bulk_rows *rows) noexcept


cdef extern from "batch/row_columns.h" nogil:
    enum:
        W7_BULK_COLUMNS

    void w7_bulk_put_rows(
        const w7_bulk_row *rows, int64_t count, uint64_t **columns, uint8_t *is_deferred, uint8_t *lacks,
        int64_t place
    ) noexcept
