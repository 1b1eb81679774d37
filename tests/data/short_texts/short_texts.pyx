# cython: language_level=3, freethreading_compatible=True
"""Decodes and replays texts with memory that runs out at chosen calls, and counts what is not given back."""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

from wei7core._util.cpu import ISA as CHOSEN

cdef int ISA = CHOSEN


cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>

    static int64_t calls_until_failure, pieces_in_use;
    static int fails_once;

    static int fails(void)
    {
        int64_t left = calls_until_failure--;
        return fails_once ? left == 0 : left <= 0;
    }

    static void *counted(void *piece)
    {
        pieces_in_use += piece != NULL;
        return piece;
    }

    static void *failing_malloc(size_t bytes)
    {
        return fails() ? NULL : counted(malloc(bytes));
    }

    static void *failing_calloc(size_t count, size_t bytes)
    {
        return fails() ? NULL : counted(calloc(count, bytes));
    }

    static void *failing_realloc(void *rows, size_t bytes)
    {
        return fails() ? NULL : rows == NULL ? counted(malloc(bytes)) : realloc(rows, bytes);
    }

    static void counting_free(void *piece)
    {
        pieces_in_use -= piece != NULL;
        free(piece);
    }

    #define malloc failing_malloc
    #define calloc failing_calloc
    #define realloc failing_realloc
    #define free counting_free
    #include "batch/engine.h"
    #include "formats/sgf/locate.h"
    #undef malloc
    #undef calloc
    #undef realloc
    #undef free

    /* A number that tells records apart. */
    static uint64_t sum_of(const void *rows, size_t bytes, uint64_t sum)
    {
        for (size_t i = 0; i < bytes; i++)
            sum = (sum ^ ((const uint8_t *)rows)[i]) * 0x100000001B3u;
        return (sum ^ bytes) * 0x100000001B3u;
    }

    #define SUM_OF_TABLE(table, sum) sum_of((table).at, (size_t)(table).count * sizeof *(table).at, sum)

    static uint64_t sum_of_record(const w7_record *record)
    {
        uint64_t sum = SUM_OF_TABLE(record->trees, 0);
        sum = SUM_OF_TABLE(record->steps, sum);
        sum = SUM_OF_TABLE(record->details, sum);
        sum = SUM_OF_TABLE(record->pres, sum);
        sum = SUM_OF_TABLE(record->stones, sum);
        sum = SUM_OF_TABLE(record->marks, sum);
        sum = SUM_OF_TABLE(record->kept, sum);
        return SUM_OF_TABLE(record->problems, sum);
    }

    static int by_offset(const void *a, const void *b)
    {
        int64_t left = ((const w7_located *)a)->offset, right = ((const w7_located *)b)->offset;
        return (left > right) - (left < right);
    }

    enum { MOST_FOUND = 500 };

    /* Decodes a text of SGF and finds the places of its problems. */
    static int decode_sgf(const uint8_t *text, int64_t size, const w7_sgf_options *options, uint64_t *sum)
    {
        static w7_located found[MOST_FOUND];
        w7_record record;
        w7_path_text paths = {NULL, 0, 0};
        int64_t count, i;
        int status;
        w7_record_init(&record);
        status = w7_sgf_decode(text, size, options, &record);
        if (status == 0) {
            count = record.problems.count < MOST_FOUND ? record.problems.count : MOST_FOUND;
            memset(found, 0, sizeof found);
            for (i = 0; i < count; i++)
                found[i].offset = record.problems.at[i].offset;
            qsort(found, (size_t)count, sizeof *found, by_offset);
            status = w7_sgf_locate(text, size, options->double_byte, 0, found, count, &paths);
            *sum = SUM_OF_TABLE(paths, sum_of(found, sizeof found, sum_of_record(&record)));
            counting_free(paths.at);
        }
        w7_record_free(&record);
        return status;
    }

    /* The same texts again and again until memory is enough: the failures, or -1 where something was not given back
     * or another answer given. */
    static int64_t decode_again_and_again(const uint8_t *text, int64_t size, const w7_sgf_options *options, int once)
    {
        uint64_t good = 0, sum = 0;
        int64_t failures = 0, allowed;
        fails_once = once;
        calls_until_failure = INT64_MAX;
        pieces_in_use = 0;
        if (decode_sgf(text, size, options, &good) != 0)
            return -1;
        for (allowed = 0;; allowed++) {
            int status;
            calls_until_failure = allowed;
            status = decode_sgf(text, size, options, &sum);
            if (pieces_in_use != 0 || (status == 0 && sum != good))
                return -1;
            if (calls_until_failure >= 0)
                return failures;
            failures += status != 0;
        }
    }

    static int run_bulk(w7_bulk bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t count, uint64_t *sum)
    {
        int status = 0;
        bulk.decode_wei7 = w7_decode;
        bulk.decode_sgf = w7_sgf_decode_game;
        for (int64_t k = 0; status == 0 && k < count; k++)
            status = w7_bulk_one(&bulk, &texts[k], &rows[k]);
        *sum = SUM_OF_TABLE(bulk.letters, sum_of(rows, (size_t)count * sizeof *rows, 0));
        w7_bulk_free(&bulk);
        return status;
    }

    static int64_t run_again_and_again(w7_bulk bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t count,
                                       int once)
    {
        uint64_t good = 0, sum = 0;
        int64_t failures = 0, allowed;
        fails_once = once;
        calls_until_failure = INT64_MAX;
        pieces_in_use = 0;
        if (run_bulk(bulk, texts, rows, count, &good) != 0)
            return -1;
        for (allowed = 0;; allowed++) {
            int status;
            calls_until_failure = allowed;
            status = run_bulk(bulk, texts, rows, count, &sum);
            if (pieces_in_use != 0 || (status == 0 && sum != good))
                return -1;
            if (calls_until_failure >= 0)
                return failures;
            failures += status != 0;
        }
    }
    """
    ctypedef struct w7_sgf_options:
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
        int double_byte
        int isa
        int plainness
    ctypedef struct w7_decode_options:
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
    ctypedef struct w7_bulk_text:
        const uint8_t *at
        int64_t size
        uint8_t format
    ctypedef struct w7_bulk_row:
        uint8_t is_deferred
    ctypedef struct w7_bulk:
        w7_decode_options wei7
        w7_sgf_options sgf
        int64_t max_points
        int64_t max_moves
        int isa
        uint8_t with_letters
    int64_t decode_again_and_again(const uint8_t *text, int64_t size, const w7_sgf_options *options, int once)
    int64_t run_again_and_again(w7_bulk bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t count, int once)
    void *memset(void *at, int byte, size_t size)
    enum:
        W7_BULK_WEI7_7
        W7_BULK_SGF

cdef enum:
    MOST_TEXTS = 64


cdef w7_sgf_options options(int double_byte) noexcept:
    cdef w7_sgf_options limits
    memset(&limits, 0, sizeof(limits))
    limits.max_bytes = limits.max_steps = limits.max_depth = limits.max_points = 1 << 24
    limits.max_problems = 10_000
    limits.double_byte = double_byte
    limits.isa = ISA
    return limits


def decode(bytes text, int double_byte, bint once):
    """Decode SGF as often as memory fails for it; return the failures, -1 where one did any harm.

    Memory fails at one call after the other, either that one alone (`once`) or it and all others after it.
    """
    cdef w7_sgf_options limits = options(double_byte)
    return decode_again_and_again(text, len(text), &limits, once)


def replay(list texts, bint once):
    """Decode and replay texts of wei7 (those that start with a brace) and SGF in the same way."""
    cdef w7_bulk bulk
    cdef w7_bulk_text inputs[MOST_TEXTS]
    cdef w7_bulk_row rows[MOST_TEXTS]
    cdef bytes text
    cdef int count = 0
    memset(&bulk, 0, sizeof(bulk))
    bulk.sgf = options(0)
    bulk.wei7.max_bytes = bulk.wei7.max_steps = bulk.wei7.max_depth = bulk.wei7.max_points = bulk.sgf.max_bytes
    bulk.wei7.max_problems = bulk.sgf.max_problems
    bulk.max_points = bulk.max_moves = bulk.sgf.max_bytes
    bulk.isa = ISA
    bulk.with_letters = 1
    assert len(texts) <= MOST_TEXTS
    for text in texts:
        inputs[count].at = text
        inputs[count].size = len(text)
        inputs[count].format = W7_BULK_WEI7_7 if text.startswith(b"{") else W7_BULK_SGF
        count += 1
    return run_again_and_again(bulk, inputs, rows, count, once)
