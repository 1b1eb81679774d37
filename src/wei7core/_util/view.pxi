"""The memory of other objects, acquired while it is in use.

Typed memoryviews would do the same, but Cython's code for them adds 40 kB to each module of a wheel.
"""

cimport cython
from cpython.buffer cimport (
    PyBUF_FORMAT,
    PyBUF_ND,
    PyBUF_SIMPLE,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)

import sys

_NATIVE = b"@=<" if sys.byteorder == "little" else b"@=>"
_NUMBERS = frozenset((b"h", b"H", b"i", b"I", b"l", b"L", b"q", b"Q", b"n", b"N"))


@cython.final
cdef class View:
    """The contiguous memory of an object with the buffer protocol, from `at` on.

    It has `count` native integers of `size` bytes, or with size 1 the bytes of any type. Raises `TypeError` for an
    object without a buffer, `BufferError` if it is not contiguous or not writable, and `ValueError` for items of
    another type. Thread safety: frozen.
    """

    def __cinit__(self, object owner, Py_ssize_t size=1, bint writable=False):
        cdef int flags = PyBUF_WRITABLE if writable else PyBUF_SIMPLE
        PyObject_GetBuffer(owner, &self.buffer, flags if size == 1 else flags | PyBUF_ND | PyBUF_FORMAT)
        if size != 1:
            if self.buffer.itemsize != size:
                raise ValueError(f"items have {self.buffer.itemsize} bytes, not {size}")
            if self.buffer.format is NULL or (<bytes>self.buffer.format).lstrip(_NATIVE) not in _NUMBERS:
                held = (<bytes>self.buffer.format).decode("ascii", "replace") if self.buffer.format is not NULL else ""
                raise ValueError(f"buffer must contain native integers, got format {held!r}")
        self.at = self.buffer.buf if self.buffer.buf is not NULL else <void *>&self.count
        self.count = self.buffer.len // size

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)
