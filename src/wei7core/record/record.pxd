"""Declarations for Cython code that fills or reads a `Record` without Python objects."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t


cdef extern from "record/record.h" nogil:
    ctypedef struct w7_span:
        int64_t begin
        int64_t end

    ctypedef struct w7_problem:
        int64_t offset
        uint16_t code
        uint16_t place
        int32_t detail

    ctypedef struct w7_problems:
        w7_problem *at
        int64_t count

    # Any other table: its rows are read in C.
    ctypedef struct w7_rows "w7_steps":
        void *at
        int64_t count

    ctypedef struct w7_record:
        int32_t width
        int32_t height
        uint8_t size_form
        uint8_t unreadable
        uint8_t flags
        uint8_t replaces
        w7_span info
        w7_span charset
        int64_t participant_count
        w7_rows trees
        w7_rows steps
        w7_rows details
        w7_rows pres
        w7_rows stones
        w7_rows marks
        w7_rows kept
        w7_problems problems

    void w7_record_init(w7_record *record)
    void w7_record_free(w7_record *record)


cdef class Record:
    cdef w7_record c
    cdef readonly bytes source
    cdef readonly str format
    cdef readonly int revision
    cdef readonly str encoding
    # describe(record, raw problems) returns located ones: the format defines the messages.
    cdef object _describe
    # read_text(record, bytes of a span) returns the text: the format defines escapes and encoding.
    cdef object _read_text
    # The callable and arguments that recreate this record.
    cdef tuple _origin
    cdef tuple _problems
    # What a decoder in Python has read of the header, as its format has it.
    cdef readonly object header


cdef class Move:
    cdef public object color
    cdef public object point
    cdef public object evaluation
    cdef public object problem
    cdef object _extra      # None: empty


cdef class _StepMembers:
    cdef object time
    cdef object actor
    cdef object marks        # None, as for the next and `extra`: empty
    cdef object comment
    cdef object properties
    cdef object title
    cdef object splitter
    cdef object extra
    cdef object kept_empty
    cdef bint inherits       # the properties are without DD and VW, and nobody else has them


cdef class Step:
    cdef object _action     # where `color` is 0
    cdef _StepMembers _members  # None: nothing
    cdef int32_t x          # of a move whose object was not asked for; -1: a pass
    cdef int32_t y
    cdef uint8_t color      # of such a move, else 0
    cdef public bint joined
    cdef _StepMembers members(self)
    cdef bint is_quiet(self) except -1
    cdef bint is_bare(self) except -1
    cdef int code(self, Py_ssize_t width, Py_ssize_t height) except -2
