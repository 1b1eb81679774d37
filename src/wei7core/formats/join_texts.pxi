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


cdef extern from "_util/small_file.h" nogil:
    enum:
        W7_CAN_READ_SMALL_FILES
        W7_CURRENT_FOLDER

    int64_t w7_read_small_file(int folder, const char *name, uint8_t *out, int64_t room) noexcept


CAN_READ_SMALL_FILES = bool(W7_CAN_READ_SMALL_FILES)
"""Whether `read_texts` reads files on this system."""

CURRENT_FOLDER = W7_CURRENT_FOLDER
"""The descriptor of the current folder for `read_texts`."""

cdef struct joined:
    int64_t used  # bytes of the buffer
    kind_of_text expected
    int status
    numbers begins, ends, starts


cdef void _begin_joined(joined *texts, kind_of_text expected) noexcept nogil:
    memset(texts, 0, sizeof(texts[0]))
    texts.expected = expected
    _begin(&texts.begins)
    _begin(&texts.ends)
    _begin(&texts.starts)


cdef bint _join(
    joined *texts, const uint8_t *at, int64_t size, int64_t most, int64_t most_of_text, int64_t limit
) noexcept nogil:
    """Add the places that the records of a text will have in the buffer; False for a text that is not joined."""
    cdef int64_t count = texts.ends.count, k
    cdef kind_of_text kind = _kind_of(at, size, limit, &texts.ends, &texts.status)
    cdef bint fits = texts.expected == _OTHER or (kind == texts.expected and (count == 0 or texts.ends.count <= most))
    if kind == _OTHER or not fits or texts.ends.count - count > most_of_text or texts.status != 0:
        texts.ends.count = count
        return False
    texts.expected = kind
    texts.status |= _add(&texts.starts, count)
    for k in range(count, texts.ends.count):
        texts.status |= _add(&texts.begins, texts.used if k == count else texts.ends.at[k - 1])
        texts.ends.at[k] += texts.used
    texts.used += size
    return texts.status == 0


cdef tuple _result(joined *texts, Py_ssize_t count):
    if texts.status != 0:
        raise MemoryError("not enough memory for the places of records")
    format = "sgf" if texts.expected == _SGF else "wei7"
    return format, count, _array(&texts.begins), _array(&texts.ends), _array(&texts.starts)


cdef void _free_joined(joined *texts) noexcept nogil:
    _free(&texts.begins)
    _free(&texts.ends)
    _free(&texts.starts)


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
    cdef int64_t size
    cdef Py_ssize_t number = first
    cdef joined made
    cdef const uint8_t *at
    if not 0 <= first < len(texts):
        raise ValueError(f"text {first} is none of {len(texts)}")
    if not 0 <= limit <= _LARGEST_LIMIT:
        raise ValueError(f"limit is {limit}, not between 0 and {_LARGEST_LIMIT}")
    _begin_joined(&made, _OTHER)
    try:
        while number < len(texts) and type(texts[number]) is bytes:
            text = texts[number]
            at = <const uint8_t *>PyBytes_AS_STRING(text)
            size = PyBytes_GET_SIZE(text)
            if size > longest or size > view.count - made.used:
                break
            if not _join(&made, at, size, most, most_of_text, limit):
                break
            memcpy(out + made.used - size, at, <size_t>size)
            number += 1
        return _result(&made, number - first)
    finally:
        _free_joined(&made)


def read_texts(
    int folder, bytes names not None, bint is_sgf, buffer, int64_t longest, int64_t most, int64_t most_of_text,
    int64_t limit,
):
    """Read the files of a folder into a buffer, and return the places of their records, as `join_texts` does of texts.

    `folder` is a descriptor, or `CURRENT_FOLDER`, `names` are those of the files, each ended by a zero byte. Files of
    SGF (`is_sgf`), or else of one wei7 record, are read as long as `join_texts` would take their texts. Any other
    file ends them, and so does one that cannot be read.

    Raises `ValueError` for names that do not end with a zero byte, or a wrong `limit`. The GIL is released.

    Thread safety: while no thread changes the buffer.
    """
    cdef View view = View(buffer, 1, True)
    cdef uint8_t *out = <uint8_t *>view.at
    cdef const char *name = PyBytes_AS_STRING(names)
    cdef const char *end = name + PyBytes_GET_SIZE(names)
    cdef Py_ssize_t count = 0
    cdef int64_t size
    cdef joined made
    if name == end or end[-1] != 0:
        raise ValueError("names do not end with a zero byte")
    if not 0 <= limit <= _LARGEST_LIMIT:
        raise ValueError(f"limit is {limit}, not between 0 and {_LARGEST_LIMIT}")
    _begin_joined(&made, _SGF if is_sgf else _WEI7)
    try:
        with nogil:
            while name < end:
                size = w7_read_small_file(folder, name, out + made.used, min(longest + 1, view.count - made.used))
                if size <= 0 or not _join(&made, out + made.used, size, most, most_of_text, limit):
                    break
                count += 1
                name += strlen(name) + 1
        return _result(&made, count)
    finally:
        _free_joined(&made)
