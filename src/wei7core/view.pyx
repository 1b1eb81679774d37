# cython: language_level=3, freethreading_compatible=True
"""The memory of other objects, held as long as it is looked at.

Typed memoryviews would do the same: what Cython adds to each module for those takes 40 kB of a wheel.
"""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer

__all__ = ["View"]


@cython.final
cdef class View:
    """The contiguous memory of an object that has the buffer protocol, from `at` on: `count` items of `size` bytes.

    Raises `TypeError` for an object that has none, `BufferError` where it is not contiguous or may not be written to,
    and `ValueError` where its items have another size; bytes may be of anything. Thread safety: frozen.
    """

    def __cinit__(self, object owner, Py_ssize_t size=1, bint writable=False):
        PyObject_GetBuffer(owner, &self.buffer, PyBUF_WRITABLE if writable else PyBUF_SIMPLE)
        if size != 1 and self.buffer.itemsize != size:
            raise ValueError(f"items have {self.buffer.itemsize} bytes, not {size}")
        self.at = self.buffer.buf if self.buffer.buf is not NULL else <void *>&self.count
        self.count = self.buffer.len // size

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)
