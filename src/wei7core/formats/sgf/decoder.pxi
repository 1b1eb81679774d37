"""The border of the SGF decoder: bytes in, `Record` out, and places of offsets."""

cdef extern from "formats/sgf/decode.h" nogil:
    ctypedef struct w7_sgf_property:
        const char *name

    int w7_sgf_decode_game(
        const uint8_t *text, int64_t size, const w7_sgf_options *options, w7_record *record, w7_sgf_facts *facts
    )
    int w7_sgf_add_problem(w7_record *record, int code, int64_t offset, int32_t detail, int64_t max_problems)

    enum:
        W7_HAS_HIGH_BYTES
        W7_NOT_UTF8
        W7_SGF_PROPERTY_COUNT
    const w7_sgf_property W7_SGF_TABLE[]


cdef extern from "formats/sgf/locate.h" nogil:
    int64_t w7_sgf_find_value(const uint8_t *text, int64_t size, int64_t offset)


cdef extern from "formats/sgf/charset.h" nogil:
    ctypedef struct w7_charset_choice:
        int charset
        int is_named
        int evidence
        int64_t undecodable

    enum:
        W7_CHARSET_UTF8
        W7_CHARSET_TABLES
        W7_CHARSET_OTHER_PAIRS
        W7_CHARSET_WHOLE
        W7_CHARSET_JOHAB
        W7_CHARSET_ALL

    const uint8_t *w7_charset_end_of_high(const uint8_t *begin, const uint8_t *end)
    int w7_charset_guess(const uint8_t *tables, const uint8_t *begin, const uint8_t *end, int *is_doubtful)
    void w7_charset_choose(
        const uint8_t *tables, const uint8_t *begin, const uint8_t *end, bint is_utf8, int declared, int wanted,
        w7_charset_choice *choice
    )


PROPERTIES = tuple([W7_SGF_TABLE[k].name.decode("ascii") for k in range(W7_SGF_PROPERTY_COUNT)])
"""The names of known properties by their numbers; 0 means any other."""


cdef int decode_sgf_text(
    const uint8_t *text, int64_t size, const w7_sgf_options *options, w7_record *record, w7_sgf_facts *facts
) noexcept nogil:
    return w7_sgf_decode_game(text, size, options, record, facts)


def decode_sgf(bytes source not None, int double_byte, limits, int isa=_ISA, int plainness=0):
    """Decode the first game of `source`.

    `isa` is the number of one that the processor runs, `plainness` how much of what makes decoding quick is left
    out: 0 nothing, 1 code for many bytes at once, 2 all. They change no answer.

    Returns (record, (begin, end) of the game, offset of the value of CA or -1, whether all is ASCII, all is UTF-8).

    The record is not done: `finish_sgf` gives it its encoding and functions before anybody else sees it.
    """
    cdef Record record = Record.__new__(Record)
    cdef w7_sgf_options options
    cdef w7_sgf_facts facts
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(source)
    cdef int64_t size = PyBytes_GET_SIZE(source)
    cdef int status
    memset(&options, 0, sizeof(options))
    options.max_bytes = limits.max_bytes
    options.max_steps = limits.max_steps
    options.max_depth = limits.max_depth
    options.max_points = limits.max_points
    options.max_problems = limits.max_problems
    options.double_byte = double_byte
    options.isa = isa
    options.plainness = plainness
    record.source = source
    record.format = "sgf"
    with nogil:
        status = w7_sgf_decode_game(text, size, &options, &record.c, &facts)
    if status != 0:
        raise MemoryError(f"not enough memory to decode a record of {size} bytes")
    record.revision = facts.revision
    return (
        record, (facts.begin, facts.end), record.c.charset.begin,
        not record.c.flags & W7_HAS_HIGH_BYTES, not record.c.flags & W7_NOT_UTF8,
    )


def finish_sgf(Record record not None, str encoding not None, list problems, int64_t max_problems, describe, read_text,
               origin):
    """Give a record of `decode_sgf` its encoding, further (code number, offset, detail) problems and its functions."""
    record.encoding = encoding
    record._describe = describe
    record._read_text = read_text
    record._origin = origin
    # The decoder has reported some texts that it cannot read already.
    reported = set()
    if problems:
        reported = {
            (record.c.problems.at[k].code, record.c.problems.at[k].offset) for k in range(record.c.problems.count)
        }
    for code, offset, detail in problems:
        if (code, offset) in reported:
            continue
        if w7_sgf_add_problem(&record.c, code, offset, detail, max_problems) != 0:
            raise MemoryError("not enough memory for the problems of a record")
    return record


def find_sgf_value(bytes source not None, int64_t offset):
    """Return the offset of the first value of the property that starts at `offset`; `offset` where none does."""
    if not 0 <= offset <= PyBytes_GET_SIZE(source):
        raise ValueError(f"offset is {offset}, not between 0 and {PyBytes_GET_SIZE(source)}")
    return w7_sgf_find_value(<const uint8_t *>PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source), offset)


def locate_sgf(bytes source not None, list offsets not None, int double_byte, int characters):
    """Return (line, column, path) for each byte offset of the ascending list `offsets`.

    `characters` decides which bytes are one column: 0 those of a UTF-8 character, 1 and 2 a pair as `double_byte`
    counts them, 3 each byte.
    """
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(source)
    return _located(text, PyBytes_GET_SIZE(source), offsets, double_byte, characters)


cdef const uint8_t *_tables(bytes tables) except NULL:
    if len(tables) not in (W7_CHARSET_TABLES, W7_CHARSET_OTHER_PAIRS, W7_CHARSET_WHOLE):
        raise ValueError(f"wrong size of the tables of encodings: {len(tables)} bytes")
    return <const uint8_t *>PyBytes_AS_STRING(tables)


def guess_charset(bytes text not None, bytes tables not None):
    """Return the number of the encoding in which the characters of `text` are likeliest, 0 where none fits."""
    cdef const uint8_t *begin = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef int is_doubtful = 0
    return w7_charset_guess(_tables(tables), begin, begin + PyBytes_GET_SIZE(text), &is_doubtful)


def choose_charset(bytes text not None, bytes tables not None, bint is_utf8, int declared, int wanted):
    """Return (number, is named, evidence, offset of what is undecodable or -1) of the encoding of `text`.

    `declared` is the encoding that the record names, `wanted` the one that the user asks for, -1 where there is none.
    """
    cdef const uint8_t *begin = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef w7_charset_choice choice
    if max(declared, wanted) >= (W7_CHARSET_ALL if len(tables) == W7_CHARSET_WHOLE else W7_CHARSET_JOHAB):
        raise ValueError("there is no table of that encoding")
    w7_charset_choose(_tables(tables), begin, begin + PyBytes_GET_SIZE(text), is_utf8, declared, wanted, &choice)
    return choice.charset, bool(choice.is_named), choice.evidence, choice.undecodable
