# The texts of headers and the first moves of many records, as arrays, and columns of some of those texts.


@functools.cache
def metadata_type():
    """Return the dtype of the rows of `EngineResult.metadata`. Thread safe."""
    # Members in the order of the struct in batch/metadata.h.
    return dtype_of_struct(
        [
            ("said", "i4", W7_SAID), ("handicap", "i4"), ("first_size", "i4"), ("unused", "u1", 4),
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


def taken_texts(data, ends, codes):
    """Return (offsets, bytes, valid) of the texts that `codes` (int32) name, as `Texts` has them.

    Text k ends before byte `ends[k]` (int64) of `data`, where the next one begins. Code -1 is an absent text. Raises
    `ValueError` for a code or an end out of range, `MemoryError`. Thread safety: any number of threads may call it, and
    none may write to the three during the call; the GIL is not held.
    """
    cdef View texts = View(data, 1), of_ends = View(ends, sizeof(int64_t)), of_codes = View(codes, sizeof(int32_t))
    cdef View to_offsets, to_valid, to_data
    cdef int64_t count = of_codes.count, total
    last = np.diff(ends, prepend=0)
    if len(ends) and (last.min() < 0 or ends[len(ends) - 1] > texts.count):
        raise ValueError("a text is outside its data")
    if count and not -1 <= codes.min() <= codes.max() < len(ends):
        raise ValueError("a code is out of range")
    offsets, valid = np.empty(count + 1, np.int64), np.empty(count, np.uint8)
    to_offsets, to_valid = View(offsets, sizeof(int64_t), True), View(valid, 1, True)
    with nogil:
        total = w7_taken_offsets(
            <const int64_t *>of_ends.at, <const int32_t *>of_codes.at, count, <int64_t *>to_offsets.at,
            <uint8_t *>to_valid.at
        )
    out = np.empty(total, np.uint8)
    to_data = View(out, 1, True)
    with nogil:
        w7_taken_texts(
            <const uint8_t *>texts.at, <const int64_t *>of_ends.at, <const int32_t *>of_codes.at, count,
            <const int64_t *>to_offsets.at, <uint8_t *>to_data.at
        )
    return offsets, out, valid.view(np.bool_)
