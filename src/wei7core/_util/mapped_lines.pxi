"""Lines that are added to memory, such as that of a mapped file."""

from cpython.bytes cimport PyBytes_AS_STRING

cdef extern from "_util/mapped_lines.h" nogil:
    void w7_put_line(char *at, const char *line, size_t size) noexcept


@cython.final
@cython.no_gc
cdef class MappedLines:
    """Lines one after another, in memory that `use` gives it. Attribute: `size`, the bytes of all of them.

    Thread safety: one thread at a time.
    """

    def __init__(self, Py_ssize_t size):
        self.size = size

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)

    def use(self, memory):
        """Write to other memory, which has the lines so far; None: to none. The former memory is let go of.

        Raises `BufferError` or `TypeError` where it cannot be written to; then there is none.
        """
        PyBuffer_Release(&self.buffer)
        self.buffer.len = 0  # which neither a release nor a refusal resets
        if memory is not None:
            try:
                PyObject_GetBuffer(memory, &self.buffer, PyBUF_WRITABLE)
            except BaseException:
                self.buffer.len = 0
                raise

    cpdef bint add(self, bytes line) except -1:
        """Add a line, its last byte last; returns False, and writes nothing, where there is no room for it."""
        return self.put(PyBytes_AS_STRING(line), len(line))

    cdef bint put(self, const char *line, Py_ssize_t length) noexcept:
        """Do what `add` does."""
        if length == 0 or self.size < 0 or length > self.buffer.len - self.size:
            return False
        w7_put_line(<char *>self.buffer.buf + self.size, line, length)
        self.size += length
        return True
