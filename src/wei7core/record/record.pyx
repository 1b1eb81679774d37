# cython: language_level=3, freethreading_compatible=True
"""`Record`: a game as plain frozen columns, independent of its format."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy

from wei7core._util.free_threading cimport W7_THREADS_RUN_FREE, w7_has_weak_references

import copyreg
import dataclasses
from copy import deepcopy

from wei7core._util.lazy_numpy import np


cdef extern from "record/record.h" nogil:
    ctypedef struct w7_step:
        int32_t x
        int32_t y
        int32_t detail
        uint8_t kind
        uint8_t color
        uint8_t tag
        uint8_t joined
    ctypedef struct w7_detail:
        w7_span comment
        int32_t mark_count
        uint8_t problem
    ctypedef struct w7_tree:
        int32_t parent
        int32_t first_step
        int32_t first_branch
        int32_t step_count
        int32_t pre
    ctypedef struct w7_pre:
        pass
    ctypedef struct w7_placed:
        int32_t x
        int32_t y
        uint8_t what
    ctypedef struct w7_kept:
        w7_span key
        w7_span value
        int32_t index
        uint8_t owner
    enum:
        W7_STEP_MOVE
        W7_EVALUATION_NONE
        W7_OWNER_ROOT
        W7_OWNER_STEP

cdef extern from "Python.h":
    ctypedef struct PyObject
    Py_ssize_t Py_REFCNT(PyObject *object) noexcept

cdef extern from "record/check_rows.h" nogil:
    const char *w7_wrong_row(const w7_record *record, int64_t size)


# Members in the order of the structs in record/record.h, laid out as C lays them out.
_SPAN = [("begin", "i8"), ("end", "i8")]
_ROWS = {
    "steps": [
        ("offset", "i8"), ("x", "i4"), ("y", "i4"), ("detail", "i4"),
        ("kind", "u1"), ("color", "u1"), ("tag", "u1"), ("joined", "u1"),
    ],
    "details": [
        ("time", _SPAN), ("comment", _SPAN), ("value", _SPAN), ("seconds", "f8"),
        ("marks", "i4"), ("mark_count", "i4"), ("actor", "i4"), ("problem", "u1"), ("unused", "u1", 3),
    ],
    "trees": [
        ("offset", "i8"), ("title", _SPAN), ("parent", "i4"), ("ordinal", "i4"),
        ("first_branch", "i4"), ("next_branch", "i4"), ("branch_count", "i4"),
        ("first_step", "i4"), ("step_count", "i4"), ("pre", "i4"),
    ],
    "pres": [
        ("offset", "i8"), ("comment", _SPAN), ("stones", "i4"), ("stone_count", "i4"),
        ("marks", "i4"), ("mark_count", "i4"), ("problem", "u1"), ("unreadable", "u1"), ("unchecked", "u1"),
        ("unused", "u1", 5),
    ],
    "stones": [("offset", "i8"), ("x", "i4"), ("y", "i4"), ("color", "u1"), ("unused", "u1", 7)],
    "marks": [("offset", "i8"), ("x", "i4"), ("y", "i4"), ("symbol", "u1"), ("unused", "u1", 7)],
    "kept": [
        ("key", _SPAN), ("value", _SPAN), ("index", "i4"), ("owner", "u1"), ("inside", "u1"), ("unused", "u1", 2),
    ],
    "problems": [("offset", "i8"), ("code", "u2"), ("place", "u2"), ("detail", "i4")],
}
_SIZES = {
    "steps": sizeof(w7_step), "details": sizeof(w7_detail), "trees": sizeof(w7_tree), "pres": sizeof(w7_pre),
    "stones": sizeof(w7_placed), "marks": sizeof(w7_placed), "kept": sizeof(w7_kept), "problems": sizeof(w7_problem),
}


class _Dtypes(dict):
    """The NumPy types of the rows by the names of tables, made on first use, which imports NumPy."""

    def __missing__(self, name):
        made = np.dtype(_ROWS[name], align=True)
        if made.itemsize != _SIZES[name]:
            raise ImportError("wei7core was built for another C layout; rebuild it from source")
        self[name] = made
        return made


_DTYPES = _Dtypes()


@cython.final
cdef class _Rows:
    """The bytes of one table, read only; references its record."""

    cdef Record record
    cdef void *at
    cdef Py_ssize_t size

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.at, self.size, 1, flags)


cdef object table(Record record, str name, void *at, int64_t count):
    cdef _Rows view
    if count == 0:
        empty = np.empty(0, _DTYPES[name])
        empty.flags.writeable = False
        return empty
    view = _Rows.__new__(_Rows)
    view.record = record
    view.at = at
    view.size = <Py_ssize_t>count * <Py_ssize_t>_SIZES[name]
    return np.frombuffer(view, _DTYPES[name])


def dtype_of(name):
    """Return the NumPy type of the rows of the table `name`, which is a property of `Record`, or `problems`."""
    return _DTYPES[name]


def make_record(
    bytes source not None, str format not None, tables, *, size, size_form, revision=0, encoding="utf-8", info=None,
    charset=None, broken_off=False, replaces=False, describe, read_text, origin,
    header=None,
):
    """Return the `Record` made by a decoder in Python from `source`.

    `tables` holds the rows of each table by its name, as an array of `dtype_of`; those of `problems` are (offset,
    number of the code, place, detail). `size` is (width, height), `info` and `charset` are spans of the source or None.
    `replaces`: a move on an occupied point replaces the stone there. `describe(record, raw problems)` returns located
    problems, `read_text(record, bytes of a span)` text; `origin` is the callable and its arguments that recreate the
    record, `header` what the format reads of the header, which must not change.

    Raises `ValueError` if a row references rows or bytes out of range, `MemoryError` when memory is short. Thread safe.
    """
    cdef Record record = Record.__new__(Record)
    cdef const char *wrong
    for name, rows in tables.items():
        if len(rows) and rows.dtype != _DTYPES[name]:
            raise ValueError(f"the rows of {name} have another layout")
    record.source = source
    record.format = format
    record.revision = revision
    record.encoding = encoding
    record._describe = describe
    record._read_text = read_text
    record._origin = origin
    record.header = header
    record.c.width, record.c.height = size
    record.c.size_form = size_form
    record.c.unreadable = bool(broken_off)
    record.c.replaces = bool(replaces)
    record.c.info.begin, record.c.info.end = info or (-1, -1)
    record.c.charset.begin, record.c.charset.end = charset or (-1, -1)
    record.c.trees.at = _copy(tables, "trees", &record.c.trees.count)
    record.c.steps.at = _copy(tables, "steps", &record.c.steps.count)
    record.c.details.at = _copy(tables, "details", &record.c.details.count)
    record.c.pres.at = _copy(tables, "pres", &record.c.pres.count)
    record.c.stones.at = _copy(tables, "stones", &record.c.stones.count)
    record.c.marks.at = _copy(tables, "marks", &record.c.marks.count)
    record.c.kept.at = _copy(tables, "kept", &record.c.kept.count)
    record.c.problems.at = <w7_problem *>_copy(tables, "problems", &record.c.problems.count)
    wrong = w7_wrong_row(&record.c, len(source))
    if wrong != NULL:
        raise ValueError(wrong.decode("ascii"))
    return record


cdef void *_copy(tables, str name, int64_t *count) except? NULL:
    """A copy of the rows of a table; NULL if there are none."""
    cdef Py_buffer view
    cdef void *at = NULL
    rows = tables.get(name, b"")
    if not len(rows):
        return NULL
    PyObject_GetBuffer(np.ascontiguousarray(rows), &view, PyBUF_SIMPLE)
    try:
        at = malloc(view.len)
        if at == NULL:
            raise MemoryError(f"no memory for the {name} of a record")
        memcpy(at, view.buf, view.len)
        count[0] = len(rows)
        return at
    finally:
        PyBuffer_Release(&view)


@cython.final
cdef class Record:
    """Record()\n--\n
    A game as frozen columns over the text it was read from.

    Made by the decoder of a format (`wei7core.formats`), never directly. Tables are
    read-only NumPy structured arrays over the record's own memory, their fields those of
    `record/record.h`; a span (`begin`, `end`) names bytes of `source`, -1 where a member
    is absent. Row 0 of `trees` is the whole game, and a tree comes before its branches.

    Thread safety: a record never changes, so threads may share it.
    """

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __cinit__(self):
        w7_record_init(&self.c)

    def __dealloc__(self):
        w7_record_free(&self.c)

    def __init__(self):
        raise TypeError("Record cannot be instantiated directly; use wei7core.loads")

    def __reduce__(self):
        return self._origin

    def __repr__(self):
        from wei7core._util.words import counted, counts_text

        parts = [counted(self.c.steps.count, "step"), counted(self.c.trees.count - 1, "variation")]
        found = {}
        for problem in self.problems:
            found[problem.code] = found.get(problem.code, 0) + 1
        parts.append(f"{counted(len(self.problems), 'problem')} ({counts_text(found)})" if found else "no problem")
        return f"<Record {self.format} {self.width}x{self.height}: {', '.join(parts)}>"

    @property
    def charset(self):
        """The encoding of texts as stated in the record, as bytes, or None; `encoding` is the one in use."""
        if self.c.charset.begin < 0:
            return None
        return self.source[self.c.charset.begin:self.c.charset.end]

    @property
    def width(self):
        """Points from left to right; 0 if the size could not be read."""
        return self.c.width

    @property
    def height(self):
        """Points from top to bottom; 0 if the size could not be read."""
        return self.c.height

    @property
    def size_form(self):
        """The form of the size in the text: 0 absent, 1 an integer, 2 an object."""
        return self.c.size_form

    @property
    def broken_off(self):
        """Whether reading stopped before the end of the text."""
        return bool(self.c.unreadable)

    @property
    def info_json(self):
        """The bytes of the `info` object, or None."""
        if self.c.info.begin < 0:
            return None
        return self.source[self.c.info.begin:self.c.info.end]

    @property
    def trees(self):
        """The whole game and its branches, parents first."""
        return table(self, "trees", self.c.trees.at, self.c.trees.count)

    @property
    def steps(self):
        """Moves, takebacks, results, marks and messages; those of one tree are consecutive."""
        return table(self, "steps", self.c.steps.at, self.c.steps.count)

    @property
    def moves(self):
        """The points (x, y) of the moves of the main line as an array of n x 2, (-1, -1) for a pass; as written.

        Takebacks, and moves that cannot be played, are among them. A new array each time.
        """
        return _main_line(self, 0)

    @property
    def colors(self):
        """The colours of the moves of the main line (`moves`), 1 and 2."""
        return _main_line(self, 1)

    @property
    def details(self):
        """The optional members of steps: times, comments, marks, actors, texts."""
        return table(self, "details", self.c.details.at, self.c.details.count)

    @property
    def pres(self):
        """The preset positions."""
        return table(self, "pres", self.c.pres.at, self.c.pres.count)

    @property
    def stones(self):
        """The stones of the preset positions."""
        return table(self, "stones", self.c.stones.at, self.c.stones.count)

    @property
    def marks(self):
        """The marks of steps and preset positions."""
        return table(self, "marks", self.c.marks.at, self.c.marks.count)

    @property
    def kept(self):
        """Members without a column, as text."""
        return table(self, "kept", self.c.kept.at, self.c.kept.count)

    @property
    def problems(self):
        """Every problem the decoder found, a tuple of `Problem` in the order of their offsets."""
        cdef int64_t k
        cdef w7_problem *problem
        # Threads share records, and only the lock makes it safe to read a pointer that another one may replace.
        with cython.critical_section(self):
            if self._problems is not None:
                return self._problems
        raw = []
        for k in range(self.c.problems.count):
            problem = &self.c.problems.at[k]
            raw.append((problem.code, problem.place, problem.offset, problem.detail))
        found = tuple(self._describe(self, raw)) if raw else ()
        with cython.critical_section(self):
            if self._problems is None:  # another thread may have been first; all share its tuple
                self._problems = found
            return self._problems

    def locate(self, raw):
        """Return the `Problem` of each (code name, byte offset, detail) found after decoding.

        `detail` is an integer whose meaning depends on the code, 0 by default.
        """
        return self._describe(self, raw)

    def text(self, begin, end):
        """Return the decoded text of the bytes `source[begin:end]` of a span.

        Escapes of the format are resolved; invalid bytes become U+FFFD.
        """
        return self._read_text(self, (<object>self.source)[begin:end])


include "steps.pxi"
