# The texts of headers and the first moves of many records, as arrays, and columns of some of those texts.


@functools.cache
def metadata_type():
    """Return the dtype of the rows of `EngineResult.metadata`. Thread safe."""
    # Members in the order of the struct in batch/metadata.h.
    return dtype_of_struct(
        [
            ("value_numbers", "i4", W7_METADATA_FIELDS), ("handicap", "i4"), ("first_size", "i4"), ("unused", "u1", 4),
            ("opening_key", "u8"),
        ],
        sizeof(w7_metadata_row),
    )


cdef dict _metadata(w7_metadata *metadata):
    """The metadata of all records, in memory of C."""
    return {
        "rows": _held(&metadata.rows.at, metadata.rows.count * sizeof(w7_metadata_row)),
        "values": _held(&metadata.values.at, metadata.values.count),
        "ends": _held(&metadata.ends.at, metadata.ends.count * sizeof(int64_t)),
        "charsets": _held(&metadata.charsets.at, metadata.charsets.count),
        "first_moves": _held(&metadata.first.at, metadata.first.count),
    }


@cython.final
cdef class TextList:
    """Texts one after the other: text k ends before byte `ends[k]` (int64) of `data`, where the next one begins.

    `kinds` has a byte for each: texts of different kinds are not the same. Methods take `codes`, int32 numbers of
    texts, raise `ValueError` if there is no such text inside the data, `MemoryError`, and do not hold the GIL.

    Thread safety: any number of threads may use it, and none may write to its buffers or to codes during a call.
    """

    cdef View data, ends, kinds
    cdef w7_texts c

    def __cinit__(self, data, ends, kinds):
        self.data, self.ends, self.kinds = View(data), View(ends, sizeof(int64_t)), View(kinds)
        if self.kinds.count != self.ends.count:
            raise ValueError("each text must have a kind")
        self.c.data, self.c.size = <const uint8_t *>self.data.at, self.data.count
        self.c.ends, self.c.count = <const int64_t *>self.ends.at, self.ends.count
        self.c.kinds = <const uint8_t *>self.kinds.at

    def taken(self, codes):
        """Return (offsets, bytes, valid) of the texts `codes`, as a column of `Texts` has them; -1 is an absent one."""
        cdef View numbers = View(codes, sizeof(int32_t))
        offsets, valid = np.empty(numbers.count + 1, np.int64), np.empty(numbers.count, np.bool_)
        cdef int64_t *to_offsets = <int64_t *>_at(offsets)
        cdef uint8_t *to_valid = <uint8_t *>_at(valid)
        cdef uint8_t *to_data
        cdef int64_t total
        with nogil:
            total = w7_taken_offsets(&self.c, <const int32_t *>numbers.at, numbers.count, to_offsets, to_valid)
        data = np.empty(_known(total), np.uint8)
        to_data = <uint8_t *>_at(data)
        with nogil:
            w7_taken_texts(&self.c, <const int32_t *>numbers.at, numbers.count, to_offsets, to_data)
        return offsets, data, valid

    def distinct(self, codes):
        """Number the distinct texts of `codes` and return (places, firsts).

        `places` has the number of each code's text, -1 for code -1; `firsts` the first code of each distinct text.
        """
        cdef View numbers = View(codes, sizeof(int32_t))
        places, firsts = np.empty(numbers.count, np.int32), np.empty(numbers.count, np.int32)
        cdef int32_t *to_places = <int32_t *>_at(places)
        cdef int32_t *to_firsts = <int32_t *>_at(firsts)
        cdef int64_t found
        with nogil:
            found = w7_distinct_texts(&self.c, <const int32_t *>numbers.at, numbers.count, to_places, to_firsts)
        return places, firsts[:_known(found)]

    def days(self, codes):
        """Return (is_day, days): which texts start with an ISO 8601 date, alone or before a `T`, and those dates.

        No code is -1; `days` are 10 bytes for each date.
        """
        cdef View numbers = View(codes, sizeof(int32_t))
        is_day, days = np.empty(numbers.count, np.bool_), np.empty(numbers.count * W7_DAY_BYTES, np.uint8)
        cdef uint8_t *to_flags = <uint8_t *>_at(is_day)
        cdef uint8_t *to_days = <uint8_t *>_at(days)
        cdef int64_t found
        with nogil:
            found = w7_days_of_texts(&self.c, <const int32_t *>numbers.at, numbers.count, to_flags, to_days)
        return is_day, days[:_known(found) * W7_DAY_BYTES]


cdef void *_at(array) except NULL:
    """The memory of an array that the caller holds and nobody resizes."""
    return View(array, 1, True).at


cdef int64_t _known(int64_t found) except -1:
    if found == -2:
        raise MemoryError("not enough memory to number texts")
    if found < 0:
        raise ValueError("a code is out of range, or its text outside the data")
    return found
