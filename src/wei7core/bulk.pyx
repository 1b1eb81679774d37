# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Many records a call: decoded and replayed one after the other without the GIL, a row of an array for each."""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

import numpy as np

from wei7core.limits import DEFAULT_LIMITS
from wei7core.processor import FORM

__all__ = ["FORMATS", "replay_texts"]


cdef extern from "_bulk/bulk.h" nogil:
    enum:
        W7_BULK_WEI7_7
        W7_BULK_WEI7_2
        W7_BULK_SGF

    ctypedef struct w7_bulk_text:
        const uint8_t *at
        int64_t size
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

    ctypedef struct w7_letters:
        char *at
        int64_t count

    ctypedef struct w7_bulk:
        w7_decode_options wei7
        w7_sgf_options sgf
        int64_t max_points
        int64_t max_moves
        w7_letters letters
        uint8_t with_letters

    void w7_bulk_free(w7_bulk *bulk) noexcept
    int64_t w7_bulk_run(
        w7_bulk *bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t next, int64_t count
    ) noexcept


FORMATS = {"wei7": W7_BULK_WEI7_7, "wei7-rev2": W7_BULK_WEI7_2, "sgf": W7_BULK_SGF}
"""The formats that are read here, by name."""

# Members in the order of the struct in _bulk/bulk.h, laid out as C lays them out.
_ROW = np.dtype(
    [
        ("width", "i4"), ("height", "i4"), ("moves", "i8"), ("passes", "i8"), ("takebacks", "i8"), ("suicides", "i8"),
        ("ko_recaptures", "i8"), ("black_captured", "i8"), ("white_captured", "i8"), ("hash", "u8"),
        ("canonical_hash", "u8"), ("name_begin", "i8"), ("name_end", "i8"), ("left", "?"), ("unused", "u1", 7),
    ],
    align=True,
)
if _ROW.itemsize != sizeof(w7_bulk_row):
    raise ImportError("the rows of wei7core were built for another C layout; build it again from source")
_COLUMNS = [name for name in _ROW.names if name != "unused"]


def replay_texts(texts, formats, *, board=False, limits=DEFAULT_LIMITS):
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

    Raises `ValueError` where texts and formats differ in number, `MemoryError`
    when memory is short. Thread safety: any number of threads may call it; the
    GIL is not held while records are decoded and replayed.
    """
    cdef tuple kept = tuple(texts)
    cdef w7_bulk bulk
    cdef w7_bulk_text *inputs
    cdef Py_buffer view
    cdef int64_t count = len(kept), done = 0, k = 0
    memset(&bulk, 0, sizeof(bulk))
    bulk.wei7.max_bytes = bulk.sgf.max_bytes = limits.max_bytes
    bulk.wei7.max_steps = bulk.sgf.max_steps = limits.max_steps
    bulk.wei7.max_depth = bulk.sgf.max_depth = limits.max_depth
    bulk.wei7.max_points = bulk.sgf.max_points = bulk.max_points = limits.max_points
    bulk.wei7.max_problems = bulk.sgf.max_problems = limits.max_problems
    bulk.wei7.form = FORM
    bulk.max_moves = limits.max_moves
    bulk.with_letters = bool(board)
    rows = np.empty(count, _ROW)
    inputs = <w7_bulk_text *>PyMem_Malloc(<size_t>count * sizeof(w7_bulk_text))
    if inputs == NULL:
        raise MemoryError(f"no memory for a list of {count} texts")
    try:
        for text, name in zip(kept, formats, strict=True):
            _put(&inputs[k], text, name)
            k += 1
        PyObject_GetBuffer(rows, &view, PyBUF_WRITABLE)
        try:
            while done < count:
                with nogil:
                    done = w7_bulk_run(&bulk, inputs, <w7_bulk_row *>view.buf, done, count)
                if done < 0:
                    raise MemoryError("not enough memory to decode and replay a record")
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&view)
        return rows[_COLUMNS], bulk.letters.at[:bulk.letters.count] if board else None
    finally:
        PyMem_Free(inputs)
        w7_bulk_free(&bulk)


cdef int _put(w7_bulk_text *at, object text, object name) except -1:
    if not isinstance(text, bytes):
        raise TypeError(f"the text of a record must be bytes, not {type(text).__name__}")
    at.at = <const uint8_t *>PyBytes_AS_STRING(text)
    at.size = PyBytes_GET_SIZE(text)
    at.format = FORMATS.get(name, 0)
    return 0
