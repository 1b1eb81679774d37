"""Memory that texts of records lie in while several threads read them.

All views of one memory that `memoryview` makes are counted together, and where Python has no global lock it counts
them without one (CPython issues 127716 and 155606): threads that cut pieces from one view, or drop them, at the same
moment may leave it released while it is read. What is here is held by references alone, which are counted well.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from libc.stddef cimport size_t

cimport cython

cdef extern from "Python.h":
    Py_buffer *PyMemoryView_GET_BUFFER(object view)


@cython.final
@cython.no_gc
cdef class SharedBytes:
    """The bytes that a memoryview shows, read-only; they are not copied.

    It holds what the view is of, not the view. Raises `ValueError` where the view is released, `BufferError` where its
    bytes do not stand one after the other.

    Thread safety: frozen; any number of threads may look at it, and each makes views of its own.
    """

    cdef Py_buffer held
    cdef void *at
    cdef Py_ssize_t size

    def __cinit__(self, memoryview view not None):
        cdef Py_buffer *seen
        owner = view.obj
        if not view.c_contiguous:
            raise BufferError("the bytes of a view must stand one after the other")
        seen = PyMemoryView_GET_BUFFER(view)
        self.at, self.size = seen.buf, seen.len
        if self.size == 0:
            return
        if owner is None or not self.lies_in(owner):
            # The owner shows other memory now, or none as plain bytes: the view itself keeps it.
            PyObject_GetBuffer(view, &self.held, PyBUF_SIMPLE)

    cdef bint lies_in(self, object owner) except -1:
        """Hold the memory of `owner` if the bytes are part of it."""
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
        # Of no bytes there may be no memory, but no buffer is at NULL.
        PyBuffer_FillInfo(view, self, self.at if self.size else <void *>&self.size, self.size, 1, flags)


@cython.final
@cython.no_gc
cdef class LentMemory:
    """A bytearray for as long as somebody looks at it; then it is appended to `pool`, which may be None.

    Thread safety: any number of threads may look at it; who writes is for them to settle. `append` of `pool` is called
    by the thread that was the last.
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
