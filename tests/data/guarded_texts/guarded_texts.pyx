# cython: language_level=3, freethreading_compatible=True
"""Decodes SGF that lies between two pages of memory that nobody may look at."""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <unistd.h>
    #include "formats/sgf/decode.h"

    static uint8_t *guarded;
    static int64_t room;

    /* Two pages for the text, one before and one behind them that cannot be read. */
    static int reserve_pages(void)
    {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *pages = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages + page, 2 * page, PROT_READ | PROT_WRITE) != 0)
            return -1;
        guarded = pages + page;
        room = (int64_t)(2 * page);
        return 0;
    }

    /* Decodes a copy of the text that ends, and one that starts, where memory does. Returns the steps, -1 where the
     * text is too long or memory short. */
    static int64_t decode_guarded(const uint8_t *text, int64_t size, const w7_sgf_options *options)
    {
        int64_t steps = -1;
        if (size > room)
            return -1;
        for (int at_end = 0; at_end < 2; at_end++) {
            uint8_t *copy = at_end ? guarded + room - size : guarded;
            w7_record record;
            int status;
            memcpy(copy, text, (size_t)size);
            w7_record_init(&record);
            status = w7_sgf_decode(copy, size, options, &record);
            steps = status == 0 ? record.steps.count : -1;
            w7_record_free(&record);
            if (status != 0)
                return -1;
        }
        return steps;
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
    int reserve_pages()
    int64_t decode_guarded(const uint8_t *text, int64_t size, const w7_sgf_options *options)


if reserve_pages() != 0:
    raise MemoryError("no pages for guarded texts")


def decode(bytes text, int isa, int double_byte):
    """Return the number of steps; a byte that is read outside the text ends the process."""
    cdef w7_sgf_options options
    memset(&options, 0, sizeof(options))
    options.max_bytes = options.max_steps = options.max_depth = options.max_points = 1 << 24
    options.max_problems = 10_000
    options.double_byte = double_byte
    options.isa = isa
    return decode_guarded(text, len(text), &options)
