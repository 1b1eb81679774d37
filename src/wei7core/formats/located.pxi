"""Places of byte offsets, for the locators of both decoders."""

cdef extern from "formats/located.h" nogil:
    ctypedef struct w7_located:
        int64_t offset
        int64_t line
        int64_t column
        int64_t path
        int64_t path_end

    ctypedef struct w7_path_text:
        uint8_t *at
        int64_t count


cdef w7_located *_at_offsets(list offsets) except NULL:
    """Places to be found, which the caller frees with PyMem_Free."""
    cdef int64_t count = len(offsets), k
    cdef w7_located *found = <w7_located *>PyMem_Malloc(count * sizeof(w7_located))
    if found == NULL:
        raise MemoryError()
    try:
        for k in range(count):
            found[k].offset = offsets[k]
    except BaseException:
        PyMem_Free(found)
        raise
    return found


cdef list _rows_of(int status, const w7_located *found, int64_t count, const w7_path_text *paths):
    """(line, column, path) of each place that a locator has found with this status."""
    if status != 0:
        raise MemoryError("not enough memory to locate the problems of a record")
    return [
        (found[k].line, found[k].column, paths.at[found[k].path:found[k].path_end].decode("utf-8", "replace"))
        for k in range(count)
    ]
