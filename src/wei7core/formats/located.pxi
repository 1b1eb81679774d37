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


cdef extern from "formats/wei7/locate.h" nogil:
    int w7_locate(const uint8_t *text, int64_t size, w7_located *found, int64_t count, w7_path_text *paths)


cdef extern from "formats/sgf/locate.h" nogil:
    int w7_sgf_locate(
        const uint8_t *text, int64_t size, int double_byte, int characters, w7_located *found, int64_t count,
        w7_path_text *paths
    )


cdef list _located(bytes source, list offsets, int double_byte, int characters):
    """(line, column, path) of each of the ascending `offsets`: of JSON where `characters` is below 0, else of SGF."""
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(source)
    cdef int64_t size = PyBytes_GET_SIZE(source)
    cdef int64_t count = len(offsets), k
    cdef int status
    cdef w7_path_text paths
    cdef w7_located *found = <w7_located *>PyMem_Malloc(count * sizeof(w7_located))
    if found == NULL:
        raise MemoryError()
    paths.at = NULL
    try:
        for k in range(count):
            found[k].offset = offsets[k]
        with nogil:
            if characters < 0:
                status = w7_locate(text, size, found, count, &paths)
            else:
                status = w7_sgf_locate(text, size, double_byte, characters, found, count, &paths)
        if status != 0:
            raise MemoryError("not enough memory to locate the problems of a record")
        return [
            (found[k].line, found[k].column, paths.at[found[k].path:found[k].path_end].decode("utf-8", "replace"))
            for k in range(count)
        ]
    finally:
        PyMem_Free(found)
        free(paths.at)
