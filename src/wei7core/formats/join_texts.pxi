"""Texts of a list in one buffer, as blocks of records need them."""

ctypedef enum kind_of_text:
    _OTHER
    _SGF
    _WEI7

cdef enum:
    _NAMED_WITHIN = 256  # bytes in which most records of wei7 have the member that names the format


cdef bint _names_format(const uint8_t *at, int64_t size) noexcept nogil:
    """Whether `"format"` is among the first bytes."""
    cdef const uint8_t *end = at + min(size, _NAMED_WITHIN) - 8
    while at <= end:
        if at[0] == c'"' and memcmp(at, b'"format"', 8) == 0:
            return True
        at += 1
    return False


cdef bint _starts_a_member(const uint8_t *at, int64_t size) noexcept nogil:
    """Whether the name of a member is next after the brace, in texts that are indented after white space."""
    cdef const uint8_t *end = at + min(size, _NAMED_WITHIN)
    at += 1
    while at < end and (at[0] == c" " or at[0] == c"\n" or at[0] == c"\r" or at[0] == c"\t"):
        at += 1
    return at < end and at[0] == c'"'


cdef kind_of_text _kind_of(const uint8_t *at, int64_t size, int64_t limit, numbers *ends, int *status) noexcept nogil:
    """The format of a text that is as most of it are, the ends of whose records are added."""
    cdef w7_sgf_charsets charsets
    cdef int64_t unsure[2]
    cdef int64_t before = ends.count
    if size < 4 or _has_tar_checksum(at, size):
        return _OTHER
    if at[0] == c"{":
        # No UTF-16 and no UTF-32, where one of four bytes is zero.
        if at[1] == 0 or at[2] == 0 or at[3] == 0 or not _starts_a_member(at, size) or not _names_format(at, size):
            return _OTHER
        if w7_lines_recognise(at, size, True, limit) != W7_LINES_ONE_RECORD:
            return _OTHER
        status[0] = _add(ends, size)
        return _WEI7
    if w7_wide_of(at, size).unit or not w7_starts_as_usual(at, size):
        return _OTHER
    memset(&charsets, 0, sizeof(charsets))
    charsets.assumed = -1
    if _add_ends(at, size, 0, True, -1, &charsets, ends, unsure, status) != W7_SGF_UNSURE and status[0] == 0:
        if ends.count > before and ends.at[ends.count - 1] == size:
            return _SGF
    ends.count = before
    return _OTHER


def join_texts(
    list texts not None, Py_ssize_t first, buffer, Py_ssize_t longest, int64_t most, int64_t most_of_text, int64_t limit
):
    """Copy the texts of a list, from number `first` on, into a buffer, and return the places of their records.

    Copied are bytes of one format, at most `longest` each: single records of wei7 and collections of SGF of at most
    `most_of_text` games that start as most do (`split_usual_games`), as many as fit and have `most` records, but at
    least one. Any other item ends them.

    Returns (format, count of texts, begins, ends, starts), int64 arrays: the places of the records in the buffer, and
    the numbers of the records with which a text begins. `limit` is the most bytes of a record. Raises `ValueError` for
    a `first` that is no number of a text.

    Thread safety: while no thread changes the list or the buffer.
    """
    cdef View view = View(buffer, 1, True)
    cdef uint8_t *out = <uint8_t *>view.at
    cdef int64_t used = 0, size, count, k
    cdef Py_ssize_t number = first
    cdef kind_of_text kind, expected = _OTHER
    cdef numbers begins, ends, starts
    cdef int status = 0
    cdef bint fits
    cdef const uint8_t *at
    if not 0 <= first < len(texts):
        raise ValueError(f"text {first} is none of {len(texts)}")
    if not 0 <= limit <= _LARGEST_LIMIT:
        raise ValueError(f"limit is {limit}, not between 0 and {_LARGEST_LIMIT}")
    _begin(&begins)
    _begin(&ends)
    _begin(&starts)
    try:
        while number < len(texts) and type(texts[number]) is bytes:
            text = texts[number]
            at = <const uint8_t *>PyBytes_AS_STRING(text)
            size = PyBytes_GET_SIZE(text)
            if size > longest or size > view.count - used:
                break
            count = ends.count
            kind = _kind_of(at, size, limit, &ends, &status)
            fits = expected == _OTHER or (kind == expected and ends.count <= most)
            if kind == _OTHER or not fits or ends.count - count > most_of_text:
                ends.count = count
                break
            expected = kind
            memcpy(out + used, at, <size_t>size)
            status |= _add(&starts, count)
            for k in range(count, ends.count):
                status |= _add(&begins, used if k == count else ends.at[k - 1])
                ends.at[k] += used
            if status != 0:
                raise MemoryError("not enough memory for the places of records")
            used += size
            number += 1
        format = "sgf" if expected == _SGF else "wei7"
        return format, number - first, _array(&begins), _array(&ends), _array(&starts)
    finally:
        _free(&begins)
        _free(&ends)
        _free(&starts)
