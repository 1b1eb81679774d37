"""The classes of `_native.pyx` that other modules use."""

cimport cython
from libc.stdint cimport int64_t


@cython.final
cdef class View:
    cdef Py_buffer buffer
    cdef void *at
    cdef int64_t count


cdef extern from "_util/memory_pool.h" nogil:
    ctypedef struct w7_kept_memory:
        void *at
        size_t size

    ctypedef struct w7_kept_places:
        pass


@cython.final
@cython.no_gc
cdef class Places:
    cdef w7_kept_places places


@cython.final
@cython.no_gc
cdef class TableMemory:
    cdef w7_kept_memory *memory
    cdef Places places
    cdef readonly bint is_zero
