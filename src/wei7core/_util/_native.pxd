"""The classes of `_native.pyx` that other modules use."""

cimport cython
from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int64_t


@cython.final
cdef class View:
    cdef Py_buffer buffer
    cdef void *at
    cdef int64_t count


cdef extern from "_util/memory_pool.h" nogil:
    ctypedef struct w7_pool_block:
        void *at
        size_t size

    ctypedef struct w7_memory_pool:
        pass


@cython.final
@cython.no_gc
cdef class Places:
    cdef w7_memory_pool places


@cython.final
@cython.no_gc
cdef class TableMemory:
    cdef w7_pool_block *memory
    cdef Places places
    cdef readonly bint is_zero


@cython.final
@cython.no_gc
cdef class MappedLines:
    cdef Py_buffer buffer
    cdef public Py_ssize_t size
    cpdef bint add(self, bytes line) except -1
    cdef bint put(self, const char *line, Py_ssize_t length) noexcept


ctypedef void (*TeamWork)(void *context, int64_t begin, int64_t end) noexcept nogil


cdef extern from "_util/team.h" nogil:
    ctypedef struct w7_gate:
        pass

    bint w7_gate_make(w7_gate *gate) noexcept
    void w7_gate_free(w7_gate *gate) noexcept
    void w7_gate_open(w7_gate *gate) noexcept
    void w7_gate_pass(w7_gate *gate, int looks) noexcept
    long w7_next_number(long *next) noexcept


cdef struct Member:
    w7_gate begin   # opened when there is work, or no more
    w7_gate done    # opened when it is done, also that of the members that it woke
    TeamWork work   # NULL: there is no more
    void *context
    int64_t count
    int64_t piece   # of the numbers at once, shared by all; 0: each member has one range


@cython.final
@cython.no_gc
cdef class Members:
    cdef Member *members
    cdef long next        # number of a piece
    cdef PyThread_type_lock busy
    cdef int count
    cdef int started
    cdef int used         # by the present call
    cdef int looks        # of a thread at a gate before it sleeps
    cdef void share(self, int index, TeamWork work, void *context, int64_t count, int64_t piece) noexcept nogil


@cython.final
@cython.no_gc
cdef class Team:
    cdef int jobs
    cdef Members members
    cdef long process
    cdef void dismiss(self)
    cdef Members present(self)
    cdef int run(self, TeamWork work, void *context, int64_t count, int64_t piece=*) except -1
