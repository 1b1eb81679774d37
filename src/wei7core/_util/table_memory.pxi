"""Memory of large tables, reused for the next table when the last reference to it is gone."""

cimport cython
from cpython.buffer cimport PyBuffer_FillInfo

cdef extern from "_util/memory_pool.h" nogil:
    void w7_pool_free(w7_memory_pool *places) noexcept
    w7_pool_block *w7_pool_acquire(w7_memory_pool *places, size_t size, int *is_zero) noexcept
    void w7_pool_release(w7_memory_pool *places, w7_pool_block *memory) noexcept


@cython.final
@cython.no_gc
cdef class Places:
    """The pool of memory for tables."""

    def __dealloc__(self):
        w7_pool_free(&self.places)


_PLACES = Places()


@cython.final
@cython.no_gc
cdef class TableMemory:
    """A writable buffer of `size` bytes or a little more. `is_zero` is whether it is all zeros, as new memory is.

    Memory of 4 MiB or more returns to the pool with its last reference, one block for each power of 2; the system may
    reclaim pooled memory. Raises `MemoryError` when memory is short. Thread safety: threads may create buffers at once.
    """

    def __cinit__(self, size_t size):
        cdef int is_zero = 0
        self.places = _PLACES
        self.memory = w7_pool_acquire(&self.places.places, size, &is_zero)
        self.is_zero = is_zero
        if self.memory is NULL:
            raise MemoryError(f"not enough memory for a table of {size} bytes")

    def __dealloc__(self):
        if self.memory is not NULL:
            w7_pool_release(&self.places.places, self.memory)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.memory.at, <Py_ssize_t>self.memory.size, 0, flags)
