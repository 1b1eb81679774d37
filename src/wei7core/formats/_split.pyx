# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Where the records of a text begin and end, in any buffer of bytes, found without the GIL."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from libc.stdint cimport INT64_MAX, int64_t, uint8_t
from libc.string cimport memcpy, memset

from wei7core._util.lazy_numpy import np

from wei7core._util._native cimport View


cdef extern from "formats/sgf/split.h" nogil:
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

    enum:
        W7_CHARSET_OTHER_PAIRS
        W7_CHARSET_WHOLE


cdef extern from "formats/sgf/line_column.h" nogil:
    void w7_sgf_pass_text(const uint8_t *p, const uint8_t *end, int64_t *line, int64_t *column) noexcept


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
"""Why `lines` stopped."""

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


def games(text, int64_t start, bint final, int double_byte, bytes tables=None, int assumed=-1):
    """Return (ends, again, assumed) of the SGF games from `start` on: `again` is (begin, end) of one to be looked at.

    `double_byte` is that of the first game, -1 where it is not known; it never is for the others. `tables` are those of
    `wei7core.formats.sgf.charset.engine_tables`, without which a game whose encoding matters is one to be looked at.
    `assumed` is the double_byte of a game that names no encoding, -1 where none has come yet.
    """
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    cdef int64_t size = view.count, end = 0
    cdef w7_sgf_piece piece
    cdef w7_sgf_charsets charsets
    cdef numbers ends
    cdef int status = 0, assumed_before
    if not 0 <= start <= size:
        raise ValueError(f"start is {start}, not between 0 and {size}")
    if tables is not None and len(tables) not in (W7_CHARSET_OTHER_PAIRS, W7_CHARSET_WHOLE):
        raise ValueError(f"the tables of encodings have {len(tables)} bytes")
    charsets.tables = NULL
    if tables is not None:
        charsets.tables = <const uint8_t *>PyBytes_AS_STRING(tables)
    charsets.last_name = NULL
    charsets.assumed = assumed
    _begin(&ends)
    try:
        with nogil:
            while True:
                assumed_before = charsets.assumed
                piece = w7_sgf_next_piece(at, size, start, final, double_byte, &charsets, &end)
                if piece != W7_SGF_PIECE:
                    charsets.assumed = assumed_before
                    break
                status = _add(&ends, end)
                if status != 0:
                    break
                start = end
                double_byte = -1
        if status != 0:
            raise MemoryError("not enough memory for the places of games")
        return _array(&ends), (start, end) if piece == W7_SGF_UNSURE else None, charsets.assumed
    finally:
        _free(&ends)


def is_usual_game(bytes text not None):
    """Return whether a text is plainly one game of SGF: it starts as most do, is no tar, and ends with its game.

    All texts of which this is true are of the format `sgf`, packed in nothing, and `games` gives one piece of them.
    Thread safe.
    """
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef int64_t size = len(text), end = 0
    cdef w7_sgf_charsets charsets
    if not w7_starts_as_usual(at, size):
        return False
    if size >= 512 and text[148:156].strip(b" \0").isdigit():  # the checksum of a tar
        return False
    memset(&charsets, 0, sizeof(charsets))
    charsets.assumed = -1
    return w7_sgf_next_piece(at, size, 0, True, -1, &charsets, &end) == W7_SGF_PIECE and end == size


def lines(text, int64_t start, bint final, int64_t limit):
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
        w7_sgf_pass_text(at + begin, at + end, &line, &column)
    return line, column


def places_of(text, begins, int64_t begin, int64_t line, int64_t column):
    """Return the lines and the columns, two int64 arrays, of bytes `begins` of `text`, where byte `begin`
    is at `line` and `column`.

    Places are in their order and none before `begin`. Lines and columns are those of `pass_text`.
    """
    cdef View view = View(text)
    cdef const uint8_t *at = <const uint8_t *>view.at
    cdef int64_t size = view.count, k
    cdef View of_begins = View(begins, sizeof(int64_t))
    cdef const int64_t *places = <const int64_t *>of_begins.at
    cdef int64_t count = of_begins.count
    lines, columns = np.empty(count, np.int64), np.empty(count, np.int64)
    cdef View of_lines = View(lines, sizeof(int64_t), True), of_columns = View(columns, sizeof(int64_t), True)
    cdef int64_t *at_lines = <int64_t *>of_lines.at
    cdef int64_t *at_columns = <int64_t *>of_columns.at
    for k in range(count):
        if not begin <= places[k] <= size or (k > 0 and places[k] < places[k - 1]) or begin < 0:
            raise ValueError(f"place {k} is not after those before it, in a text of {size} bytes")
    with nogil:
        for k in range(count):
            w7_sgf_pass_text(at + begin, at + places[k], &line, &column)
            begin = places[k]
            at_lines[k] = line
            at_columns[k] = column
    return lines, columns


cdef extern from "_util/glue_for_size.h":
    pass
