"""The border of the wei7 3.0 decoder: bytes in, `Record` out, and places of offsets."""

cdef extern from "formats/wei7/decode.h" nogil:
    int w7_decode(
        const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts, w7_record *record
    )

    int64_t w7_find_in_step(const uint8_t *text, int64_t size, int64_t step, const char *name)

    enum:
        W7_NAME_COUNT
    const char *W7_NAMES[]


MEMBER_NAMES = tuple([W7_NAMES[k].decode("ascii") for k in range(W7_NAME_COUNT)])
"""Member names in the order of their numbers in C."""


cdef int decode_wei7_text(
    const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts, w7_record *record
) noexcept nogil:
    return w7_decode(text, size, options, layouts, record)


def decode_wei7(bytes source not None, int revision, limits, describe, read_text, origin, *, bint general_only=False,
                int isa=_ISA):
    """Decode `source` and return its `Record`; see `wei7core.formats.wei7.decode`.

    With `general_only` no layout of steps is learned: every value is read by its own rule; `isa` is the instruction set
    of the code to use (`wei7core._util.cpu`). The answer is the same.
    """
    cdef Record record = Record.__new__(Record)
    cdef w7_decode_options options
    cdef w7_layouts layouts
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(source)
    cdef int64_t size = PyBytes_GET_SIZE(source)
    cdef int status
    options.revision = revision
    options.max_bytes = limits.max_bytes
    options.max_steps = limits.max_steps
    options.max_depth = limits.max_depth
    options.max_points = limits.max_points
    options.max_problems = limits.max_problems
    options.isa = isa
    record.source = source
    record.format = "wei7"
    record.revision = revision
    record.encoding = "utf-8"
    record._describe = describe
    record._read_text = read_text
    record._origin = origin
    with nogil:
        memset(&layouts, 0, sizeof(layouts))
        status = w7_decode(text, size, &options, NULL if general_only else &layouts, &record.c)
    if status != 0:
        raise MemoryError(f"not enough memory to decode a record of {size} bytes")
    return record


def find_in_wei7_step(bytes source not None, int64_t step, bytes name not None):
    """Return the offset of the member `name` of the value of the move that starts at offset `step`.

    The step itself where it has none; `source` must be the text of a record that holds the step.
    """
    cdef int64_t found
    if not 0 <= step < PyBytes_GET_SIZE(source):
        raise ValueError(f"no step starts at offset {step}")
    found = w7_find_in_step(
        <const uint8_t *>PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source), step, PyBytes_AS_STRING(name)
    )
    return step if found < 0 else found


def locate_wei7(bytes source not None, list offsets not None):
    """Return (line, column, path) for each byte offset of the ascending list `offsets`."""
    return _located(<const uint8_t *>PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source), offsets, 0, -1)
