# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Many records a call: decoded and replayed one after the other without the GIL, a row of an array for each."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

cimport cython

from collections import namedtuple

import numpy as np

from wei7core.limits import DEFAULT_LIMITS
from wei7core.processor import FORM

__all__ = ["FORMATS", "Piece", "replay_block", "replay_texts"]


cdef extern from "_bulk/bulk.h" nogil:
    enum:
        W7_BULK_WEI7_7
        W7_BULK_WEI7_2
        W7_BULK_SGF
        W7_BULK_MOST_HELD

    ctypedef struct w7_bulk_text:
        const uint8_t *at
        int64_t size
        const void *later
        uint8_t format

    ctypedef struct w7_bulk_row:
        pass

    ctypedef struct w7_decode_options:
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
        int form

    ctypedef struct w7_sgf_options:
        int64_t max_bytes
        int64_t max_steps
        int64_t max_depth
        int64_t max_points
        int64_t max_problems
        int form

    ctypedef struct w7_letters:
        char *at
        int64_t count

    ctypedef struct w7_positions:
        int32_t *texts
        int32_t *steps
        int32_t *move_numbers
        int32_t *xs
        int32_t *ys
        int32_t *widths
        int32_t *heights
        int8_t *colors
        uint64_t *hashes
        int32_t *branch_sizes
        int64_t count
        w7_letters branches
        w7_letters boards

    ctypedef struct w7_bulk_block:
        const uint8_t *data
        const int64_t *begins
        const int64_t *ends
        uint8_t format

    ctypedef struct w7_bulk:
        w7_decode_options wei7
        w7_sgf_options sgf
        int64_t max_points
        int64_t max_moves
        int form
        w7_letters letters
        w7_letters ids
        w7_positions positions
        int64_t max_positions
        uint8_t with_letters
        uint8_t with_ids
        uint8_t with_positions

    void w7_bulk_free(w7_bulk *bulk) noexcept
    int64_t w7_bulk_run(
        w7_bulk *bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t next, int64_t count
    ) noexcept
    int w7_bulk_block_fits(const w7_bulk_block *block, int64_t count, int64_t size) noexcept
    int64_t w7_bulk_held(const w7_bulk *bulk) noexcept
    int64_t w7_bulk_run_block(
        w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t next, int64_t count
    ) noexcept


FORMATS = {"wei7": W7_BULK_WEI7_7, "wei7-rev2": W7_BULK_WEI7_2, "sgf": W7_BULK_SGF}
"""The formats that are read here, by name."""

# Members in the order of the struct in _bulk/bulk.h, laid out as C lays them out.
_ROW = np.dtype(
    [
        ("width", "i4"), ("height", "i4"), ("moves", "i8"), ("passes", "i8"), ("takebacks", "i8"), ("suicides", "i8"),
        ("ko_recaptures", "i8"), ("black_captured", "i8"), ("white_captured", "i8"), ("hash", "u8"),
        ("canonical_hash", "u8"), ("name_begin", "i8"), ("name_end", "i8"), ("id_size", "i8"), ("left", "?"),
        ("unused", "u1", 7),
    ],
    align=True,
)
if _ROW.itemsize != sizeof(w7_bulk_row):
    raise ImportError("the rows of wei7core were built for another C layout; build it again from source")
cdef enum:
    TEXTS_AT_ONCE = 64  # few enough that an object asked for its bytes is in the cache when they are read, and let go

_COLUMNS = [name for name in _ROW.names if name not in ("id_size", "unused")]

Piece = namedtuple("Piece", "rows ids letters positions")
Piece.__doc__ = """What `replay_block` made of some texts that stand one after the other.

`rows` is a structured array with a row for each, as that of `replay_texts`, and in `id_size` the bytes of the
record's name among `ids`, -1 where it has none. `letters` are the last positions, as those of `replay_texts`.
`positions` is None, or a dict of arrays with a value for each pause point: `text` (which of the texts of the
block), `step` (-1 for a `pre`), `move_number`, `color`, `x` and `y` (-1 where there is none), `width`, `height`,
`hash`, `branch_size`; and `branches` and `boards`, the bytes of all paths of branches and of all packed positions.
"""


def replay_texts(texts, formats, *, board=False, limits=DEFAULT_LIMITS, int form=FORM):
    """Decode and replay `texts`, bytes of one record each, and return (rows, letters).

    `formats` names the format of each (`FORMATS`; None leaves the text alone). `rows` is a structured array
    with a row for each text: the figures of `wei7core.replaying.Replayed`,
    `width` and `height`, and the bytes of the text that hold the name of the
    record (`name_begin` and `name_end`, -1 where there is none): in wei7 the
    `info` object, in SGF the values of GN. `letters` are the last positions of all of them, one letter a
    point, `width * height` each, as one bytes object; None without `board`.

    A row says so in `left`, and nothing else, where the text has anything to
    say beyond it: a problem of any kind, a branch that cannot be played, bytes
    beyond ASCII in SGF that does not call itself UTF-8 or is none, an unknown
    format, uncommonly much work. Such a text is for
    `wei7core.replaying.replay_record`, whose answers the others equal.

    `form` is the number of the form of the compiled code; it must run here (`wei7core.processor`), and changes no
    answer.

    Raises `ValueError` where texts and formats differ in number, `MemoryError`
    when memory is short. Thread safety: any number of threads may call it; the
    GIL is not held while records are decoded and replayed.
    """
    cdef list kept = texts if type(texts) is list else list(texts)
    cdef list names = formats if type(formats) is list else list(formats)
    cdef list some, some_names
    cdef object name, last_name = None
    cdef uint8_t format = 0
    cdef w7_bulk bulk
    cdef w7_bulk_text inputs[TEXTS_AT_ONCE]
    cdef Py_buffer view
    cdef int64_t count = len(kept), start = 0, ready, done, k
    if len(names) != count:
        raise ValueError(f"{count} texts do not go with {len(names)} formats")
    _start(&bulk, limits, form)
    bulk.with_letters = bool(board)
    rows = np.empty(count, _ROW)
    PyObject_GetBuffer(rows, &view, PyBUF_WRITABLE)
    try:
        while start < count:
            ready = min(count - start, TEXTS_AT_ONCE)
            # References of its own: whoever holds the list may change it while the GIL is not held.
            some, some_names = kept[start : start + ready], names[start : start + ready]
            if len(some) != ready or len(some_names) != ready:
                raise RuntimeError("the list of texts or of formats changed while it was read")
            for k in range(ready):
                name = some_names[k]
                if name is not last_name:
                    last_name, format = name, FORMATS.get(name, 0)
                inputs[k].format = format
                _put(&inputs[k], some[k], _later(kept, start + k))
            done = 0
            while done < ready:
                with nogil:
                    done = w7_bulk_run(&bulk, inputs, <w7_bulk_row *>view.buf + start, done, ready)
                if done < 0:
                    raise MemoryError("not enough memory to decode and replay a record")
                PyErr_CheckSignals()
            start += ready
        return rows[_COLUMNS], bulk.letters.at[:bulk.letters.count] if board else None
    finally:
        PyBuffer_Release(&view)
        w7_bulk_free(&bulk)


cdef const void *_later(list texts, int64_t number) noexcept:
    """The address of the text that stands TEXTS_AT_ONCE further on, to look at when it is its turn, or NULL."""
    if number + TEXTS_AT_ONCE >= PyList_GET_SIZE(texts):
        return NULL
    return <const void *>PyList_GET_ITEM(texts, number + TEXTS_AT_ONCE)


cdef int _put(w7_bulk_text *at, object text, const void *later) except -1:
    if not isinstance(text, bytes):
        raise TypeError(f"the text of a record must be bytes, not {type(text).__name__}")
    at.at = <const uint8_t *>PyBytes_AS_STRING(text)
    at.size = PyBytes_GET_SIZE(text)
    at.later = later
    return 0


def replay_block(
    data, begins, ends, format, *, first=0, board=False, positions=False, limits=DEFAULT_LIMITS, int form=FORM
):
    """Decode and replay the texts from number `first` on that stand in one buffer, and return a `Piece` of them.

    Text k is bytes `begins[k]` up to `ends[k]` (int64 arrays) of `data`, anything that has the buffer protocol; it is
    not copied. `format` is one of `FORMATS`; with None all texts are left. `board` asks for letters,
    `positions` for the pause points of every branch. The piece ends before the last text, but has one at
    least, where letters or positions come to many megabytes: the next call goes on from there.

    A row says so in `left`, as `replay_texts` tells; then the text has no positions either.

    Raises `ValueError` where a text does not lie in `data` or there is no text `first`, `MemoryError` when memory is
    short. Thread safety: any number of threads may call it, and none may write to `data` meanwhile; the GIL is
    not held while records are decoded and replayed.
    """
    cdef w7_bulk bulk
    cdef w7_bulk_block block
    cdef Py_buffer text, row
    cdef const int64_t[::1] at_begins = begins, at_ends = ends
    cdef int64_t count = len(begins), start = first, done = first
    if len(ends) != count or not 0 <= start < count:
        raise ValueError(f"there is no text {first} in a block of {count}")
    _start(&bulk, limits, form)
    bulk.with_letters = bool(board)
    bulk.with_positions = bool(positions)
    bulk.with_ids = 1
    rows = np.empty(count, _ROW)
    PyObject_GetBuffer(data, &text, PyBUF_SIMPLE)
    try:
        block.data = <const uint8_t *>text.buf
        block.begins = &at_begins[0]
        block.ends = &at_ends[0]
        block.format = FORMATS.get(format, 0)
        if not w7_bulk_block_fits(&block, count, text.len):
            raise ValueError("a text of the block does not lie in its data")
        PyObject_GetBuffer(rows, &row, PyBUF_WRITABLE)
        try:
            while done < count and w7_bulk_held(&bulk) < W7_BULK_MOST_HELD:
                with nogil:
                    done = w7_bulk_run_block(&bulk, &block, <w7_bulk_row *>row.buf, done, count)
                if done < 0:
                    raise MemoryError("not enough memory to decode and replay a record")
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&row)
        return Piece(
            rows[start:done],
            bulk.ids.at[:bulk.ids.count],
            bulk.letters.at[:bulk.letters.count] if board else None,
            _positions(&bulk.positions) if positions else None,
        )
    finally:
        PyBuffer_Release(&text)
        w7_bulk_free(&bulk)


cdef int _start(w7_bulk *bulk, object limits, int form) except -1:
    memset(bulk, 0, sizeof(w7_bulk))
    bulk.form = bulk.wei7.form = bulk.sgf.form = form
    bulk.wei7.max_bytes = bulk.sgf.max_bytes = limits.max_bytes
    bulk.wei7.max_steps = bulk.sgf.max_steps = limits.max_steps
    bulk.wei7.max_depth = bulk.sgf.max_depth = limits.max_depth
    bulk.wei7.max_points = bulk.sgf.max_points = bulk.max_points = limits.max_points
    bulk.wei7.max_problems = bulk.sgf.max_problems = limits.max_problems
    bulk.max_moves = limits.max_moves
    bulk.max_positions = limits.max_positions
    return 0


@cython.final
cdef class _Memory:
    """Memory that C has set aside; given back with the last array over it."""

    cdef void *at
    cdef Py_ssize_t size

    def __dealloc__(self):
        free(self.at)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.at, self.size, 1, flags)


cdef object _taken(void *at_field, int64_t count, str name):
    """The array of the `count` numbers that the pointer at `at_field` names; they are no longer the owner's.

    The pointer is copied as bytes because its own type differs from column to column.
    """
    cdef _Memory memory
    dtype = np.dtype(name)
    if count == 0:
        return np.empty(0, dtype)
    memory = _Memory.__new__(_Memory)
    memcpy(&memory.at, at_field, sizeof(memory.at))
    memset(at_field, 0, sizeof(memory.at))
    memory.size = <Py_ssize_t>count * <Py_ssize_t>dtype.itemsize
    return np.frombuffer(memory, dtype)


cdef dict _positions(w7_positions *found):
    cdef int64_t count = found.count
    return {
        "text": _taken(&found.texts, count, "i4"),
        "step": _taken(&found.steps, count, "i4"),
        "move_number": _taken(&found.move_numbers, count, "i4"),
        "color": _taken(&found.colors, count, "i1"),
        "x": _taken(&found.xs, count, "i4"),
        "y": _taken(&found.ys, count, "i4"),
        "width": _taken(&found.widths, count, "i4"),
        "height": _taken(&found.heights, count, "i4"),
        "hash": _taken(&found.hashes, count, "u8"),
        "branch_size": _taken(&found.branch_sizes, count, "i4"),
        "branches": _taken(&found.branches.at, found.branches.count, "u1"),
        "boards": _taken(&found.boards.at, found.boards.count, "u1"),
    }
