"""Memory for the text of records that several threads read.

All views that `memoryview` makes of one buffer share a counter, which free-threaded CPython updates without a lock
(CPython issues 127716 and 155606): threads that slice one view, or drop slices, at the same moment may release it while
it is read. These classes rely on ordinary reference counting, which is thread-safe on free-threaded CPython.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from libc.stddef cimport size_t

cimport cython

cdef extern from "Python.h":
    Py_buffer *PyMemoryView_GET_BUFFER(object view)


@cython.final
@cython.no_gc
cdef class BufferOwner:
    """The bytes of a memoryview, read-only and not copied.

    It references the exporter of the view, not the view. Raises `ValueError` if the view is released, `BufferError` if
    its bytes are not contiguous.

    Thread safety: frozen; any number of threads may read it, and each makes views of its own.
    """

    cdef Py_buffer held
    cdef void *at
    cdef Py_ssize_t size

    def __cinit__(self, memoryview view not None):
        cdef Py_buffer *seen
        owner = view.obj
        if not view.c_contiguous:
            raise BufferError("the bytes of a view must be contiguous")
        seen = PyMemoryView_GET_BUFFER(view)
        self.at, self.size = seen.buf, seen.len
        if self.size == 0:
            return
        if owner is None or not self.lies_in(owner):
            # The owner now exports other memory, or none as plain bytes: reference the view itself.
            PyObject_GetBuffer(view, &self.held, PyBUF_SIMPLE)

    cdef bint lies_in(self, object owner) except -1:
        """Acquire the buffer of `owner` if the bytes are part of it."""
        cdef size_t begin = <size_t>self.at, start
        try:
            PyObject_GetBuffer(owner, &self.held, PyBUF_SIMPLE)
        except (BufferError, ValueError):
            return False
        start = <size_t>self.held.buf
        if self.size <= self.held.len and start <= begin <= start + <size_t>(self.held.len - self.size):
            return True
        PyBuffer_Release(&self.held)
        return False

    def __dealloc__(self):
        PyBuffer_Release(&self.held)

    def __len__(self):
        return self.size

    def __getbuffer__(self, Py_buffer *view, int flags):
        # An empty view may have no memory, but the address of a buffer must not be NULL.
        PyBuffer_FillInfo(view, self, self.at if self.size else <void *>&self.size, self.size, 1, flags)


@cython.final
@cython.no_gc
cdef class PooledBuffer:
    """A bytearray that is appended to `pool`, which may be None, when its last reference is gone.

    Thread safety: any number of threads may read it; writes must be synchronised by the caller. `append` of `pool` is
    called by the thread that dropped the last reference.
    """

    cdef Py_buffer held
    cdef bytearray memory
    cdef object pool

    def __cinit__(self, bytearray memory not None, pool):
        PyObject_GetBuffer(memory, &self.held, PyBUF_WRITABLE)
        self.memory = memory
        self.pool = pool

    def __dealloc__(self):
        PyBuffer_Release(&self.held)
        if self.pool is not None:
            self.pool.append(self.memory)

    def __len__(self):
        return self.held.len

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.held.buf, self.held.len, 0, flags)
