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


cdef list _located(const uint8_t *text, int64_t size, list offsets, int double_byte, int characters):
    """(line, column, path) of each of the ascending `offsets`: of JSON where `characters` is below 0, else of SGF."""
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


def locate_each(
    data, list begins not None, list ends not None, list offsets not None, bytes double_bytes=None,
    bytes characters=None
):
    """Return (line, column, path) of byte `offsets[k]` of the record `data[begins[k]:ends[k]]`, for each of these.

    `double_bytes` and `characters` have those of `locate_sgf`; without them the records are of wei7. Ascending offsets
    of a record that follow each other are located in one pass, in the encoding of the first. Raises `ValueError` for a
    record outside of `data`, `MemoryError`.
    """
    cdef View text = View(data)
    cdef Py_ssize_t count = len(begins), first = 0, last
    cdef int64_t begin, end
    cdef int pair = 0, unit = -1
    cdef list found = []
    if not len(ends) == len(offsets) == count or (double_bytes and not len(double_bytes) == len(characters) == count):
        raise ValueError(f"expected ends, offsets and encodings of {count} records")
    while first < count:
        begin, end = begins[first], ends[first]
        if not 0 <= begin <= end <= text.count:
            raise ValueError(f"record {first} is outside its data")
        last = first + 1
        while last < count and begins[last] == begin and ends[last] == end and offsets[last] >= offsets[last - 1]:
            last += 1
        if double_bytes:
            pair, unit = double_bytes[first], characters[first]
        found += _located(<const uint8_t *>text.at + begin, end - begin, offsets[first:last], pair, unit)
        first = last
    return found
