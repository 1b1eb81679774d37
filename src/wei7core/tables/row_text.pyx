# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Rows of columns as the text of a CSV or JSON file, made without the GIL."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import json

from wei7core._util.lazy_numpy import np

from wei7core.tables.columns import Boards, Texts

from wei7core._util._native cimport View

__all__ = ["TEXT_FORMATS", "text_of_rows"]


cdef extern from "_util/table.h" nogil:
    ctypedef struct w7_out:
        uint8_t *at
        int64_t count

cdef extern from "tables/row_text.h" nogil:
    enum:
        W7_CELL_INTEGER
        W7_CELL_HASH
        W7_CELL_TEXT
        W7_CELL_BOARD
        W7_CELL_NUMBER

    ctypedef struct w7_column:
        const int64_t *integers
        const uint64_t *hashes
        const int64_t *offsets
        const uint8_t *data
        const int32_t *widths
        const int32_t *heights
        const uint8_t *valid
        const uint8_t *name
        int64_t name_size
        uint8_t kind

    int w7_out_rows(
        w7_out *out, const w7_column *columns, int64_t count, int64_t rows, int as_json
    ) noexcept


TEXT_FORMATS = ("csv", "jsonl")
"""The kinds of tables that are text and may be written to standard output: CSV, and a JSON object a line."""


def text_of_rows(names, columns, kind, begin=0, end=None):
    """Return rows `begin` up to `end` (None: all) of `columns` as bytes of UTF-8, each followed by a line feed.

    `names` are those of the columns, `columns` lists one `wei7core.tables.columns.Numbers`, `Texts` or `Boards`
    for each, all of one length. `kind` is `csv` or `jsonl`. Numbers that are `uint64` are written as 16 hex digits,
    boards with a letter a point, floats as their shortest decimal. An absent value is empty in CSV and null in JSON.

    Raises `ValueError` for another kind, for columns of different lengths and for rows out of range, and `MemoryError`.
    Thread safe; the GIL is not held while text is made.
    """
    cdef w7_out out
    cdef w7_column *cells
    cdef int64_t count = len(columns), first = begin, last
    cdef int status, as_json = kind == "jsonl"
    cdef list kept = []
    if kind not in TEXT_FORMATS:
        raise ValueError(f"unknown kind of text {kind!r} (choose from csv, jsonl)")
    lengths = {len(column) for column in columns}
    if len(lengths) != 1 or len(names) != count:
        raise ValueError("the columns of a table must have names and equal lengths")
    last = lengths.pop() if end is None else end
    if not 0 <= first <= last <= len(columns[0]):
        raise ValueError(f"rows {first} up to {last} are out of range")
    memset(&out, 0, sizeof(out))
    cells = <w7_column *>PyMem_Calloc(<size_t>count, sizeof(w7_column))
    if cells == NULL:
        raise MemoryError(f"no memory for a list of {count} columns")
    try:
        for k in range(count):
            _put(&cells[k], columns[k], first, last, kept)
            name = ("," if k else "{").encode() + json.dumps(names[k], ensure_ascii=False).encode() + b":"
            cells[k].name = _at(name, kept)
            cells[k].name_size = len(name)
        with nogil:
            status = w7_out_rows(&out, cells, count, last - first, as_json)
        if status != 0:
            raise MemoryError(f"no memory for the text of {last - first} rows")
        return (<char *>out.at)[:out.count] if out.count else b""
    finally:
        PyMem_Free(cells)
        free(out.at)


cdef const uint8_t *_at(object buffer, list kept) except? NULL:
    """The address of the first byte, or any address for no bytes; `kept` references the memory while it is in use."""
    cdef View view = View(buffer)
    kept.append(view)
    return <const uint8_t *>view.at


cdef const uint8_t *_numbers(object array, object type, list kept) except? NULL:
    return _at(np.ascontiguousarray(array, type).view(np.uint8), kept)


cdef object _written(object values):
    """Floats as texts: their shortest exact decimals, without `.0`."""
    different, places = np.unique(values, return_inverse=True)
    texts = [repr(value).removesuffix(".0") for value in different.tolist()]
    return Texts.of([texts[place] for place in places.tolist()])


cdef int _put(w7_column *cell, object column, int64_t begin, int64_t end, list kept) except -1:
    """Sets a cell to rows `begin` up to `end` of a column."""
    if isinstance(column, Boards):
        cell.kind = W7_CELL_BOARD
        cell.offsets = <const int64_t *>_numbers(column.offsets[begin:end + 1], np.int64, kept)
        cell.data = _at(column.data, kept)
        cell.widths = <const int32_t *>_numbers(column.widths[begin:end], np.int32, kept)
        cell.heights = <const int32_t *>_numbers(column.heights[begin:end], np.int32, kept)
        if column.offsets[len(column)] > len(column.data):
            raise ValueError("a column of boards is shorter than its offsets")
        return 0
    if column.valid is not None:
        cell.valid = _numbers(column.valid[begin:end], np.bool_, kept)
    if not isinstance(column, Texts) and column.values.dtype.kind == "f":
        numbers = _written(column.values[begin:end])
        cell.kind = W7_CELL_NUMBER
        cell.offsets = <const int64_t *>_numbers(numbers.offsets, np.int64, kept)
        cell.data = _at(numbers.data, kept)
    elif isinstance(column, Texts):
        cell.kind = W7_CELL_TEXT
        cell.offsets = <const int64_t *>_numbers(column.offsets[begin:end + 1], np.int64, kept)
        cell.data = _at(column.data, kept)
        if column.offsets[len(column)] > len(column.data):
            raise ValueError("a column of texts is shorter than its offsets")
    elif column.values.dtype == np.uint64:
        cell.kind = W7_CELL_HASH
        cell.hashes = <const uint64_t *>_numbers(column.values[begin:end], np.uint64, kept)
    else:
        cell.kind = W7_CELL_INTEGER
        cell.integers = <const int64_t *>_numbers(column.values[begin:end], np.int64, kept)
    return 0


cdef extern from "_util/glue_for_size.h":
    pass
