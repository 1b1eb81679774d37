cimport cython
from libc.stdint cimport int64_t, uint8_t


@cython.final
cdef class View:
    cdef Py_buffer buffer
    cdef void *at
    cdef int64_t count
