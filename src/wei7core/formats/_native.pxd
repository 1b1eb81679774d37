"""The decoders for the C of other modules, so that they are compiled once."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from wei7core.record.record cimport w7_record


cdef extern from "formats/sgf/decode.h" nogil:
    ctypedef struct w7_sgf_options:
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
        int double_byte
        int isa
        int plainness
        const uint8_t *charsets

    ctypedef struct w7_sgf_facts:
        int64_t begin
        int64_t end
        int32_t revision


cdef extern from "formats/wei7/decode.h" nogil:
    ctypedef struct w7_decode_options:
        int revision
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
        int isa

    ctypedef struct w7_layouts:
        pass


cdef int decode_sgf_text(
    const uint8_t *text, int64_t size, const w7_sgf_options *options, w7_record *record, w7_sgf_facts *facts
) noexcept nogil
cdef int decode_wei7_text(
    const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts, w7_record *record
) noexcept nogil

# For a `Writing`: adds a game of SGF or wei7 without errors, decoded with `options`; `charset` is its encoding.
cdef int write_game(
    void *writing, const w7_record *record, const uint8_t *text, int64_t size, bint is_wei7, int64_t number,
    int charset, const w7_sgf_options *options
) except -1 with gil
