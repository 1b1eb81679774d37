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


cdef struct Member:
    PyThread_type_lock begin  # held until there is work, or no more
    PyThread_type_lock done   # held until it is done
    TeamWork work             # NULL: there is no more
    void *context
    int64_t first
    int64_t last
    int64_t piece             # of the numbers at once, shared by all; 0: from `first` up to `last`


@cython.final
@cython.no_gc
cdef class Members:
    cdef Member *members
    cdef PyThread_type_lock busy
    cdef PyThread_type_lock claim  # held while a piece is claimed
    cdef int64_t next              # of the pieces, the first number
    cdef int count
    cdef int started
    cdef int used                  # by the present call
    cdef void wake(self, int first) noexcept nogil
    cdef void work_at_pieces(self, TeamWork work, void *context, int64_t last, int64_t piece) noexcept nogil


@cython.final
@cython.no_gc
cdef class Team:
    cdef int jobs
    cdef Members members
    cdef long process
    cdef void dismiss(self)
    cdef Members present(self)
    cdef int run(self, TeamWork work, void *context, int64_t count, int64_t piece=*) except -1
