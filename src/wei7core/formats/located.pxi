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


cdef int _locate(
    const uint8_t *text, int64_t size, int double_byte, int characters, w7_located *found, int64_t count,
    w7_path_text *paths
) noexcept nogil:
    """Locate the ascending offsets of `found`, of JSON where `characters` is below 0, else of SGF; -1: no memory."""
    paths.at = NULL
    if characters < 0:
        return w7_locate(text, size, found, count, paths)
    return w7_sgf_locate(text, size, double_byte, characters, found, count, paths)


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
            status = _locate(text, size, double_byte, characters, found, count, &paths)
        if status != 0:
            raise MemoryError("not enough memory to locate the problems of a record")
        return [
            (found[k].line, found[k].column, paths.at[found[k].path:found[k].path_end].decode("utf-8", "replace"))
            for k in range(count)
        ]
    finally:
        PyMem_Free(found)
        free(paths.at)


def locate_each(data, begins, ends, offsets, double_bytes=None, characters=None):
    """Return lines, columns and paths, a list each, of byte `offsets[k]` of the record `data[begins[k]:ends[k]]`.

    The first three are arrays of int64. `double_bytes` and `characters`, arrays of uint8, are those of `locate_sgf`;
    without them the records are of wei7. Ascending offsets of a record that follow each other are located in one pass,
    in the encoding of the first.
    Raises `ValueError` for a record outside of `data`, `MemoryError`.
    """
    cdef View text = View(data), of_begins = View(begins, sizeof(int64_t)), of_ends = View(ends, sizeof(int64_t))
    cdef View of_offsets = View(offsets, sizeof(int64_t))
    cdef View pairs = View(b"" if double_bytes is None else double_bytes)
    cdef View units = View(b"" if characters is None else characters)
    cdef bint is_sgf = double_bytes is not None
    cdef const int64_t *at_begins = <const int64_t *>of_begins.at
    cdef const int64_t *at_ends = <const int64_t *>of_ends.at
    cdef const int64_t *at_offsets = <const int64_t *>of_offsets.at
    cdef int64_t count = of_begins.count, first = 0, some, size, k
    cdef int status, pair = 0, unit = -1
    cdef w7_located *found
    cdef w7_path_text paths
    cdef bytes path = b""
    cdef str written = ""
    if min(of_ends.count, of_offsets.count) < count or (is_sgf and min(pairs.count, units.count) < count):
        raise ValueError(f"expected ends, offsets and encodings of {count} records")
    lines, columns, written_paths = [], [], []
    found = <w7_located *>PyMem_Malloc(count * sizeof(w7_located))
    if found == NULL:
        raise MemoryError()
    paths.at = NULL
    try:
        while first < count:
            if not 0 <= at_begins[first] <= at_ends[first] <= text.count:
                raise ValueError(f"record {first} is outside its data")
            some = first
            while some < count and at_begins[some] == at_begins[first] and at_ends[some] == at_ends[first] and (
                some == first or at_offsets[some] >= at_offsets[some - 1]
            ):
                found[some].offset = at_offsets[some]
                some += 1
            if is_sgf:
                pair, unit = (<const uint8_t *>pairs.at)[first], (<const uint8_t *>units.at)[first]
            size = at_ends[first] - at_begins[first]
            free(paths.at)
            with nogil:
                status = _locate(
                    <const uint8_t *>text.at + at_begins[first], size, pair, unit, found + first, some - first, &paths
                )
            if status != 0:
                raise MemoryError("not enough memory to locate the problems of a record")
            for k in range(first, some):
                size = found[k].path_end - found[k].path
                if size != len(path) or memcmp(paths.at + found[k].path, PyBytes_AS_STRING(path), size) != 0:
                    path = paths.at[found[k].path:found[k].path_end]
                    written = path.decode("utf-8", "replace")
                lines.append(found[k].line)
                columns.append(found[k].column)
                written_paths.append(written)
            first = some
    finally:
        PyMem_Free(found)
        free(paths.at)
    return lines, columns, written_paths
