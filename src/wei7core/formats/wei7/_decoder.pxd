"""The decoder of wei7 3.0 for the C of other modules, so that it is compiled once."""

from libc.stdint cimport int64_t, uint8_t

from wei7core.record.record cimport w7_record


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


cdef int decode_text(
    const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts, w7_record *record
) noexcept nogil
