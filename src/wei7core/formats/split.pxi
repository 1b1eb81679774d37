"""The begins and ends of the records of a text, in any buffer of bytes, found without the GIL."""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.stdint cimport INT64_MAX

cdef extern from "formats/sgf/split.h" nogil:
    enum:
        W7_LOOKED_AT

    ctypedef enum w7_sgf_piece:
        W7_SGF_PIECE
        W7_SGF_UNSURE
        W7_SGF_REST

    ctypedef struct w7_sgf_charsets:
        const uint8_t *tables
        const uint8_t *last_name
        int assumed

    w7_sgf_piece w7_sgf_next_piece(
        const uint8_t *text, int64_t size, int64_t begin, int final, int double_byte, w7_sgf_charsets *charsets,
        int64_t *piece_end
    ) noexcept

    int w7_starts_as_usual(const uint8_t *text, int64_t size) noexcept


cdef extern from "formats/sgf/wide.h" nogil:
    ctypedef struct w7_wide:
        int unit
        int mark

    w7_wide w7_wide_of(const uint8_t *text, int64_t size) noexcept
    int64_t w7_wide_to_utf8(const uint8_t *text, int64_t size, w7_wide wide, uint8_t *out) noexcept


cdef extern from "formats/line_column.h" nogil:
    void w7_pass_text(const uint8_t *p, const uint8_t *end, int64_t *line, int64_t *column) noexcept


cdef extern from "formats/wei7/lines.h" nogil:
    ctypedef enum w7_lines_piece:
        W7_LINES_RECORD
        W7_LINES_TOO_LONG
        W7_LINES_CUT
        W7_LINES_REST

    ctypedef enum w7_lines_kind:
        W7_LINES_ONE_RECORD
        W7_LINES_MANY
        W7_LINES_UNKNOWN

    enum:
        W7_LINES_SLACK

    w7_lines_piece w7_lines_next(
        const uint8_t *text, int64_t size, int64_t *at, int final, int64_t limit, int64_t *begin, int64_t *record_end
    ) noexcept
    w7_lines_kind w7_lines_recognise(const uint8_t *text, int64_t size, int final, int64_t limit) noexcept


LINE_TOO_LONG, LINE_CUT, LINE_REST = W7_LINES_TOO_LONG, W7_LINES_CUT, W7_LINES_REST
"""Why `split_lines` stopped."""

_LARGEST_LIMIT = INT64_MAX - W7_LINES_SLACK

cdef struct numbers:
    int64_t *at
    int64_t count
    int64_t room
    int64_t first[32]  # most files are small


cdef int _add(numbers *list, int64_t number) noexcept nogil:
    cdef int64_t *at
    if list.count == list.room:
        at = <int64_t *>PyMem_RawRealloc(
            NULL if list.at == list.first else list.at, <size_t>list.room * 2 * sizeof(int64_t)
        )
        if at == NULL:
            return -1
        if list.at == list.first:
            memcpy(at, list.first, sizeof(list.first))
        list.at = at
        list.room *= 2
    list.at[list.count] = number
    list.count += 1
    return 0


cdef void _begin(numbers *list) noexcept nogil:
    list.at = list.first
    list.count = 0
    list.room = 32


cdef void _free(numbers *list) noexcept nogil:
    if list.at != list.first:
        PyMem_RawFree(list.at)


cdef object _array(numbers *list):
    found = np.empty(list.count, np.int64)
    cdef View view = View(found, sizeof(int64_t), True)
    memcpy(view.at, list.at, <size_t>list.count * sizeof(int64_t))
    return found


cdef w7_sgf_piece _add_ends(
    const uint8_t *at, int64_t size, int64_t start, int final, int double_byte, w7_sgf_charsets *charsets,
    numbers *ends, int64_t *unsure, int *status
) noexcept nogil:
    """Add the ends of the games from `start` on, up to the first piece of another kind, whose kind is returned.

    `unsure` becomes where that begins, and where it ends at the earliest, `status` -1 when memory is short.
    """
    cdef w7_sgf_piece piece
    cdef int assumed_before
    while True:
        assumed_before = charsets.assumed
        piece = w7_sgf_next_piece(at, size, start, final, double_byte, charsets, &unsure[1])
        if piece != W7_SGF_PIECE:
            charsets.assumed = assumed_before
            break
        status[0] = _add(ends, unsure[1])
        if status[0] != 0:
            break
        start = unsure[1]
        double_byte = -1
    unsure[0] = start
    return piece


cdef w7_sgf_piece _cut(
    const uint8_t *at, int64_t size, int64_t start, int final, int double_byte, w7_sgf_charsets *charsets,
    numbers *ends, int64_t *unsure
) except *:
    """`_add_ends` without the GIL; raises `MemoryError`."""
    cdef w7_sgf_piece piece
    cdef int status = 0
    with nogil:
        piece = _add_ends(at, size, start, final, double_byte, charsets, ends, unsure, &status)
    if status != 0:
        raise MemoryError("not enough memory for the places of games")
    return piece


cdef bint _has_tar_checksum(const uint8_t *at, int64_t size) noexcept nogil:
    """Whether the bytes of the checksum of a tar are as such archives have them."""
    cdef int k
    if size < 512:
        return False
    for k in range(148, 156):
        if at[k] != c" " and at[k] != 0 and not c"0" <= at[k] <= c"9":
            return False
    return True


def split_games(text, int64_t start, bint final, int double_byte, bytes tables=None, int assumed=-1):
    """Return (ends, again, assumed) of the SGF games from `start` on: `again` is (begin, end) of one to be looked at.

    `double_byte` is that of the first game, -1 where it is not known; it never is for the others. `tables` are those of
    `wei7core.formats.sgf.charset.engine_tables`, without which a game whose encoding matters is one to be looked at.
    `assumed` is the double_byte of a game that names no encoding, -1 where none has come yet.
    """
    cdef View view = View(text)
    cdef int64_t unsure[2]
    cdef w7_sgf_piece piece
    cdef w7_sgf_charsets charsets
    cdef numbers ends
    if not 0 <= start <= view.count:
        raise ValueError(f"start is {start}, not between 0 and {view.count}")
    if tables is not None and len(tables) not in (W7_CHARSET_OTHER_PAIRS, W7_CHARSET_WHOLE):
        raise ValueError(f"the tables of encodings have {len(tables)} bytes")
    charsets.tables = NULL
    if tables is not None:
        charsets.tables = <const uint8_t *>PyBytes_AS_STRING(tables)
    charsets.last_name = NULL
    charsets.assumed = assumed
    _begin(&ends)
    try:
        piece = _cut(<const uint8_t *>view.at, view.count, start, final, double_byte, &charsets, &ends, unsure)
        return _array(&ends), (unsure[0], unsure[1]) if piece == W7_SGF_UNSURE else None, charsets.assumed
    finally:
        _free(&ends)


def split_usual_games(bytes text not None):
    """Return the ends of the games of a text, as the bytes of int64s, or None.

    None is for a text that does not start as most games do, is a tar, has a game whose encoding matters, or several in
    UTF-16 or UTF-32. All others are of the format `sgf`, packed in nothing. Thread safe.
    """
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef uint8_t *narrow = NULL
    cdef int64_t size = len(text), count = len(text), looked_at = W7_LOOKED_AT
    cdef int64_t unsure[2]
    cdef w7_wide wide = w7_wide_of(at, size)
    cdef w7_sgf_charsets charsets
    cdef numbers ends
    memset(&charsets, 0, sizeof(charsets))
    charsets.assumed = -1
    _begin(&ends)
    try:
        if wide.unit:
            narrow = <uint8_t *>PyMem_RawMalloc(<size_t>size * 2)
            if narrow == NULL:
                raise MemoryError("not enough memory for a text in UTF-8")
            count = w7_wide_to_utf8(at, size, wide, narrow)
            at = narrow
            looked_at = (W7_LOOKED_AT - wide.mark) // wide.unit
        if count < 0 or not w7_starts_as_usual(at, min(count, looked_at)):
            return None
        if _has_tar_checksum(<const uint8_t *>PyBytes_AS_STRING(text), size):
            return None
        if _cut(at, count, 0, True, 0 if wide.unit else -1, &charsets, &ends, unsure) == W7_SGF_UNSURE:
            return None
        if ends.count == 0 or ends.at[ends.count - 1] != count or (wide.unit and ends.count > 1):
            return None
        ends.at[ends.count - 1] = size
        return (<const char *>ends.at)[:ends.count * sizeof(int64_t)]
    finally:
        _free(&ends)
        PyMem_RawFree(narrow)


def split_lines(text, int64_t start, bint final, int64_t limit):
    """Return (begins, ends, next, stop) of the records on lines from `start` on.

    `next` is where to continue, `stop` why: after a line that is too long (`LINE_TOO_LONG`), in
    one whose end is after the text (`LINE_CUT`), or for more text (`LINE_REST`).
    """
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    cdef int64_t size = view.count, begin = 0, end = 0
    cdef w7_lines_piece piece
    cdef numbers begins, ends
    cdef int status = 0
    if not 0 <= start <= size:
        raise ValueError(f"start is {start}, not between 0 and {size}")
    if not 0 <= limit <= _LARGEST_LIMIT:
        raise ValueError(f"limit is {limit}, not between 0 and {_LARGEST_LIMIT}")
    _begin(&begins)
    _begin(&ends)
    try:
        with nogil:
            while True:
                piece = w7_lines_next(at, size, &start, final, limit, &begin, &end)
                if piece != W7_LINES_RECORD:
                    break
                status = _add(&begins, begin) | _add(&ends, end)
                if status != 0:
                    break
        if status != 0:
            raise MemoryError("not enough memory for the places of lines")
        return _array(&begins), _array(&ends), start, <int>piece
    finally:
        _free(&begins)
        _free(&ends)


def is_of_lines(text, bint final, int64_t limit):
    """Return whether a wei7 file that starts with `text` holds a record a line; None where more must be seen."""
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    cdef w7_lines_kind kind
    if not 0 <= limit <= _LARGEST_LIMIT:
        raise ValueError(f"limit is {limit}, not between 0 and {_LARGEST_LIMIT}")
    with nogil:
        kind = w7_lines_recognise(at, view.count, final, limit)
    return None if kind == W7_LINES_UNKNOWN else kind == W7_LINES_MANY


def pass_text(text, int64_t begin, int64_t end, int64_t line, int64_t column):
    """Return the (line, column) after `text[begin:end]` where it starts at `line` and `column`, both from 1.

    A line ends with CR, LF or both. Columns count characters of UTF-8, or of what has one byte for each.
    """
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    if not 0 <= begin <= end <= view.count:
        raise ValueError(f"{begin} to {end} is no part of {view.count} bytes")
    with nogil:
        w7_pass_text(at + begin, at + end, &line, &column)
    return line, column


def places_of(text, places, starts, int64_t line, int64_t column):
    """Return the lines and the columns, two int64 arrays, of bytes `places` of `text`.

    Each is counted from its byte of `starts` on, the first of which is at `line` and `column`, every other one at the
    start of a text of its own. Places after the same start are in their order. Lines and columns are those of
    `pass_text`.
    """
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    cdef int64_t size = view.count, begin = 0, k
    cdef View of_places = View(places, sizeof(int64_t)), of_starts = View(starts, sizeof(int64_t))
    cdef const int64_t *at_places = <const int64_t *>of_places.at
    cdef const int64_t *at_starts = <const int64_t *>of_starts.at
    cdef int64_t count = of_places.count
    if of_starts.count != count:
        raise ValueError(f"expected {count} starts, got {of_starts.count}")
    lines, columns = np.empty(count, np.int64), np.empty(count, np.int64)
    cdef View of_lines = View(lines, sizeof(int64_t), True), of_columns = View(columns, sizeof(int64_t), True)
    cdef int64_t *at_lines = <int64_t *>of_lines.at
    cdef int64_t *at_columns = <int64_t *>of_columns.at
    for k in range(count):
        if k == 0 or at_starts[k] != at_starts[k - 1]:
            begin = at_starts[k]
        if not 0 <= begin <= at_places[k] <= size:
            raise ValueError(f"place {k} is not after those before it, in a text of {size} bytes")
        begin = at_places[k]
    with nogil:
        for k in range(count):
            if k == 0 or at_starts[k] != at_starts[k - 1]:
                begin = at_starts[k]
                if k > 0:
                    line = column = 1
            w7_pass_text(at + begin, at + at_places[k], &line, &column)
            begin = at_places[k]
            at_lines[k] = line
            at_columns[k] = column
    return lines, columns
