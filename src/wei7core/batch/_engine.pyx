# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The batch engine: many records a call are decoded and replayed without the GIL, each into a row of an array."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals, PyErr_Occurred
from libc.errno cimport errno
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

cimport cython

import functools
from collections import namedtuple

from wei7core.batch.summaries import dtype_of_struct, summary_dtype
from wei7core.limits import DEFAULT_LIMITS
from wei7core._util.lazy_numpy import np
from wei7core._util.cpu import ISA

from wei7core._util._native cimport View
from wei7core.formats._native cimport decode_sgf_text, decode_wei7_text, write_game
from wei7core.formats._native import Writing
from wei7core.record.record cimport Record

__all__ = [
    "ENGINE_FORMATS", "FOUND", "LINES_MEMORY", "LinesResult", "EngineResult", "TextList", "bulk_format", "failure_type",
    "metadata_type", "position_run_type", "record_positions", "replay_block", "replay_lines", "replay_records",
    "row_columns", "row_type",
]


@cython.final
@cython.no_gc
cdef class _Keeper:
    """The memory that a batch keeps for the next one."""

    cdef w7_bulk_keeper keeper
    cdef w7_block_cache blocks  # of results

    def __dealloc__(self):
        w7_bulk_kept_free(self.keeper)
        w7_block_cache_free(&self.blocks)


cdef _Keeper _KEEPER = _Keeper()


ENGINE_FORMATS = {"wei7": W7_BULK_WEI7_7, "wei7-rev2": W7_BULK_WEI7_2, "sgf": W7_BULK_SGF}
"""The formats that the engine reads, by name."""


def bulk_format(format, int revision):
    """Return the name in `ENGINE_FORMATS` of a detected format; wei7 3.0 is read by `revision` (7 or 2)."""
    return "wei7-rev2" if format == "wei7" and revision == 2 else format


FOUND = {
    W7_STOP_OCCUPIED: "occupied", W7_STOP_NO_LIBERTY: "no-liberty", W7_STOP_TAKEBACK_OF_SETUP: "takeback-of-setup",
    W7_STOP_LIMIT: "limit", W7_FOUND_REPLACED: "replaced", W7_FOUND_MORE_MOVES: "more-moves",
    W7_FOUND_MORE_STOPS: "more-stops", W7_FOUND_NO_BOARD: "no-board", W7_FOUND_TOO_LONG: "too-long",
}
"""What a replay finds, by its number in C; see `wei7core.replaying.stops`."""


@functools.cache
def row_type():
    """Return the dtype of the rows of `EngineResult`. Thread safe."""
    # Members in the order of the struct in batch/engine_state.h.
    return dtype_of_struct(
        [
            ("width", "i4"), ("height", "i4"), ("moves", "i8"), ("passes", "i8"), ("takebacks", "i8"),
            ("suicides", "i8"), ("ko_recaptures", "i8"), ("black_captured", "i8"), ("white_captured", "i8"),
            ("hash", "u8"), ("canonical_hash", "u8"), ("name_begin", "i8"), ("name_end", "i8"), ("id_size", "i8"),
            ("is_deferred", "?"), ("charset", "u1"), ("lacks", "u1"), ("is_raw_name", "?"), ("problems", "i4"),
        ],
        sizeof(w7_bulk_row),
    )


@functools.cache
def failure_type():
    """Return the dtype of `failures` of `EngineResult`. Thread safe.

    `text` is the number of the text in the result; `size` bytes of it, from offset `base` on, are stored: all, or in
    wei7 step `step` of the root tree (-1: all). `code` is the number of the error's code, `offset` its place in the
    text, `where` and `detail` are the arguments of the decoder's message. `kind` is 0 for a problem of the decoder,
    else one of `FOUND`; `color`, `move_number`, `x` and `y` are those of the move or stone. `charset` is the number of
    the encoding in `CODECS`. `is_error`: it is the error of the row.
    """
    # Members in the order of the struct in batch/failures.h.
    return dtype_of_struct(
        [
            ("text", "i8"), ("size", "i8"), ("base", "i8"), ("offset", "i8"), ("code", "u2"), ("where", "u2"),
            ("detail", "i4"), ("move_number", "i8"), ("x", "i4"), ("y", "i4"), ("step", "i4"), ("color", "u1"),
            ("charset", "u1"), ("kind", "u1"), ("is_error", "?"),
        ],
        sizeof(w7_bulk_failure),
    )


@functools.cache
def position_run_type():
    """Return the dtype of `run` of the positions of `EngineResult`. Thread safe.

    `begin` is the first pause point of the run, `text` the number of the text in the block, `path_size` the bytes of
    the path of the branch.
    """
    # Members in the order of the struct in batch/positions.h.
    return dtype_of_struct(
        [("begin", "i8"), ("text", "i8"), ("path_size", "i8"), ("width", "i4"), ("height", "i4")],
        sizeof(w7_position_run),
    )


class EngineResult(
    namedtuple(
        "EngineResult", "rows ids letters positions facts counts failures metadata", defaults=(None, b"", None, None)
    )
):
    """The result of `replay_block` for consecutive texts.

    `rows` is a structured array with a row for each: the figures of `wei7core.replaying.replay.Replayed`, `width` and
    `height`, and the range of the name of the record in the text (`name_begin` and `name_end`, -1 without a name): in
    wei7 the `info` object, in SGF the values of GN; `id_size` is the size of the name in `ids`, -1 without a name;
    `lacks` is 1 without a last position (the board is too large), 2 without a game. `letters` are the concatenated last
    positions, one letter a point, `width * height` each, as one bytes object; None unless requested.
    `positions` is None, or a dict of arrays with a value for each pause point: `step` (-1 for a `pre`), `move_number`,
    `color`, `x` and `y` (-1 if absent), `hash`, `canonical_hash` (empty unless requested); `run` of
    `position_run_type`, with a value for consecutive pause points of one branch of one text; and `branches` and
    `boards`, the concatenated paths of those branches and packed positions.
    `facts` is None, or an array of `summary_dtype` with a row for each text; all zeros if the text is deferred.
    `counts` are native int64, by the number of the code: the problems of all other texts; `problems` of a row is the
    number of its own. `failures` is None, or (an array of `failure_type` with a row for each text that has an error,
    the offsets of the errors in the texts as given, a buffer of the stored parts of those texts); no other row has an
    error. `metadata` is None, or a dict of buffers: `rows` of `metadata_type`, one for each text, whose `value_numbers`
    are numbers of the texts in `values` with the ends `ends` (int64), each in the encoding of `CODECS` given by
    `charsets` (uint8), to which 128 is added for values as written, where some bytes are no characters; and the
    concatenated `first_moves`.
    """

    __slots__ = ()

    @property
    def records(self):
        """The number of texts."""
        return len(self.rows)

    @property
    def nbytes(self):
        """Approximate memory in bytes."""
        positions = self.positions or {}
        made = sum([array.nbytes for array in positions.values()])
        made += sum([len(memory) for memory in (self.metadata or {}).values()])
        return made + self.rows.nbytes + len(self.ids) + len(self.letters or b"")

    def arrays(self):
        """Return the result itself."""
        return self


def replay_block(
    data, begins, ends, format, *, first=0, board=False, positions=False, canonical=False, facts=False, metadata=False,
    sparse=False, counted=b"", charsets=None, int wanted_charset=-1, in_utf8=None, failures=False, problems=False,
    strict=False, writing=None, limits=DEFAULT_LIMITS, int isa=ISA
):
    """Decode and replay the texts of one buffer from number `first` on, and return an `EngineResult`.

    Text k is bytes `begins[k]` up to `ends[k]` (int64 arrays) of `data`, anything that has the buffer protocol; it is
    not copied. `format` is one of `ENGINE_FORMATS`; with None all texts are deferred. `board` requests letters,
    `positions` the pause points of every branch, `canonical` their canonical hashes, `sparse` ones of
    codes of the moves and of what they removed (`sparse_rows.h`), `facts` rows of `summary_dtype`,
    `metadata` texts of headers. The result ends before the last text, but has at least one, if letters or positions
    reach many megabytes: the next call continues there.

    `is_deferred` is set, and nothing else, in the row of a text with a problem, a branch that cannot be played, bytes
    beyond ASCII in SGF that is not UTF-8 or does not name it, an unknown format, or uncommonly much work. Such a text
    must be replayed by `wei7core.replaying.replay.replay_record`, which gives the same results for all others. A text
    that is deferred has no positions either. `isa` is the number of the instruction set, which must be available
    (`wei7core._util.cpu`); results do not depend on it.

    `counted` has a byte for
    each code of `PROBLEM_CODES`, 1 for problems that are counted and defer no record; empty: none.
    `charsets` is the function that returns the tables of encodings (`wei7core.formats.sgf.charset.engine_tables`);
    without it SGF that is neither UTF-8 nor ASCII as named is deferred. `wanted_charset` is the number of the
    encoding of a text that names none, or a wrong one; -1: it is guessed. `in_utf8` is a function that takes
    the bytes of an SGF text that looks as if it were in UTF-16 or UTF-32, and returns its text in UTF-8 and a function
    from ascending offsets in that to those in the bytes, or None for another text; the `spans` of its facts are of the
    former.
    `failures`: texts with errors, also those without a game, have rows as well (`counted` must be given); with `strict`
    the error is the first one that a text has, not the one that ends its replay. `problems`: these failures are all
    problems of all texts, nothing of the texts is stored, and offsets stay those in the text that `in_utf8` makes.
    `writing` is a `wei7core.formats._native.Writing` that gets each record as it is replayed; `hash` and
    `canonical_hash` of rows are then 0.

    Raises `ValueError` if a text is not inside `data` or there is no text `first`, `MemoryError` when memory is
    short. Thread safety: any number of threads may call it, and none may write to `data`, `begins` or `ends`
    during the call; the GIL is not held while records are decoded and replayed.
    """
    cdef w7_bulk bulk
    cdef w7_bulk_block block
    cdef Py_buffer text, row, fact
    cdef View at_begins = View(begins, sizeof(int64_t)), at_ends = View(ends, sizeof(int64_t))
    cdef int64_t count = at_begins.count, start = first, done = first
    cdef bytes tables = None
    cdef w7_letters narrow
    cdef list moved = []  # of texts that were made UTF-8: where their errors begin and end, and their `in_utf8`
    if wanted_charset >= W7_CHARSET_ALL:
        raise ValueError(f"there is no encoding {wanted_charset}")
    if at_ends.count != count or not 0 <= start < count:
        raise ValueError(f"text {first} out of range (the block has {count})")
    memset(&narrow, 0, sizeof(narrow))
    _start(&bulk, limits, isa)
    bulk.with_letters = bool(board)
    bulk.with_positions = bool(positions)
    bulk.positions.with_canonical = bool(canonical)
    bulk.positions.is_sparse = bool(sparse)
    bulk.with_ids = 1
    bulk.with_facts = bool(facts)
    bulk.with_metadata = bool(metadata)
    _count(&bulk, counted)
    rows = np.empty(count, row_type())
    found = np.empty(count if facts else 0, summary_dtype())
    bulk.wanted_charset = wanted_charset
    bulk.wants_charsets = charsets is not None
    bulk.wants_utf8 = in_utf8 is not None
    bulk.with_failures = bool(failures or problems)
    bulk.lists_problems = bool(problems)
    bulk.is_strict = bool(strict)
    if writing is not None:
        if not isinstance(writing, Writing):
            raise TypeError(f"expected a Writing, got {type(writing).__name__}")
        bulk.write, bulk.writing = write_game, <void *>writing
    PyObject_GetBuffer(data, &text, PyBUF_SIMPLE)
    w7_bulk_take_kept(&bulk, &_KEEPER.keeper)
    try:
        block.data = <const uint8_t *>text.buf
        block.begins = <const int64_t *>at_begins.at
        block.ends = <const int64_t *>at_ends.at
        block.format = ENGINE_FORMATS.get(format, 0)
        if not w7_bulk_block_fits(&block, count, text.len):
            raise ValueError("a text of the block is outside its data")
        PyObject_GetBuffer(rows, &row, PyBUF_WRITABLE)
        PyObject_GetBuffer(found, &fact, PyBUF_WRITABLE)
        bulk.facts.rows = <w7_facts *>fact.buf
        try:
            while done < count and w7_bulk_held(&bulk) < W7_BULK_MOST_HELD:
                with nogil:
                    done = w7_bulk_run_block(&bulk, &block, <w7_bulk_row *>row.buf, done, count)
                if done < 0:
                    _fail()
                if bulk.wants_charsets > 1:
                    tables = _charsets(&bulk, charsets(tables is not None))
                if bulk.wants_utf8 > 1:
                    bulk.wants_utf8 = 1
                    if tables is None and charsets is not None:
                        tables = _charsets(&bulk, charsets(False))
                    done += _replay_in_utf8(
                        &bulk, &block, <w7_bulk_row *>row.buf, done, in_utf8, &narrow, moved
                    )
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&fact)
            PyBuffer_Release(&row)
        rows = rows[start:done]
        return EngineResult(
            rows,
            _ids(&bulk, rows, format, tables is not None),
            bulk.letters.at[:bulk.letters.count] if board else None,
            _arrays(_positions(&bulk.positions)) if positions else None,
            found[start:done] if facts else None,
            _counts(&bulk),
            _failures(&bulk, start, moved),
            _metadata(&bulk.metadata) if metadata else None,
        )
    finally:
        PyBuffer_Release(&text)
        free(narrow.at)
        w7_bulk_end(&bulk, &_KEEPER.keeper)


cdef int _replay_in_utf8(
    w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t number, object in_utf8, w7_letters *narrow,
    list moved
) except -1:
    """Do a text of a block that is asked for in UTF-8; add to `moved` where its failures are.

    `narrow` is memory for the text. Returns 1, 0 if the text is not in UTF-16 or UTF-32 and is to be done as it is.
    """
    cdef w7_bulk_text text
    cdef int64_t failures = bulk.failures.rows.count
    cdef int done
    cdef const uint8_t *begin = block.data + block.begins[number]
    cdef int64_t size = block.ends[number] - block.begins[number]
    cdef w7_wide wide = w7_wide_of(begin, size)
    cdef bytes data = None
    cdef object offsets_of = None
    text.size = -1
    if wide.unit and size <= bulk.sgf.max_bytes:
        if w7_letters_reserve(narrow, 2 * size) != 0:
            _fail()
        with nogil:
            text.size = w7_wide_to_utf8(begin, size, wide, <uint8_t *>narrow.at)
        text.at = <const uint8_t *>narrow.at
    if text.size < 0:  # damaged, or not in one of them
        found = in_utf8((<const char *>begin)[:size])
        if found is None:
            bulk.not_wide = number
            return 0
        data, offsets_of = found
        text.at = <const uint8_t *>PyBytes_AS_STRING(data)
        text.size = len(data)
    text.format = block.format
    bulk.is_utf8 = 1
    with nogil:
        done = w7_bulk_number(bulk, &text, rows, number)
    bulk.is_utf8 = 0
    if done < 0:
        _fail()
    if bulk.with_facts:
        w7_facts_add_text_key(bulk.facts.row, begin, size, bulk.isa)
        bulk.facts.row.is_wide = 1
    if bulk.failures.rows.count > failures and not bulk.lists_problems:
        if offsets_of is None:
            _, offsets_of = in_utf8((<const char *>begin)[:size])
        moved.append((failures, bulk.failures.rows.count, offsets_of))
    return 1


def replay_records(
    list records not None, *, int64_t first=0, board=False, positions=False, canonical=False, metadata=False,
    counted=b"", limits=DEFAULT_LIMITS, int isa=ISA
):
    """Replay `records`, made by decoders in Python, of which the first has number `first`; return an `EngineResult`.

    Arguments and result are those of `replay_block` without `failures`: a row has `is_deferred` if the record has
    an error, or a problem that is not counted. Names of records and texts of headers are absent.

    Raises `MemoryError` when memory is short. Thread safety: any number of threads may call it, also for the same
    records; the list must not change.
    """
    cdef w7_bulk bulk
    cdef w7_bulk_text text
    cdef Py_buffer row
    cdef Record record
    cdef int64_t count = len(records), done = 0
    cdef int status
    _start(&bulk, limits, isa)
    bulk.with_letters = bool(board)
    bulk.with_positions = bool(positions)
    bulk.positions.with_canonical = bool(canonical)
    bulk.with_metadata = bool(metadata)
    _count(&bulk, counted)
    text.at = NULL
    text.size = 0
    text.format = W7_BULK_DECODED
    rows = np.empty(count, row_type())
    PyObject_GetBuffer(rows, &row, PyBUF_WRITABLE)
    try:
        while done < count and w7_bulk_held(&bulk) < W7_BULK_MOST_HELD:
            record = records[done]
            if record is None:
                raise TypeError("expected a Record, not None")
            bulk.decoded = &record.c
            bulk.positions.text = first + done
            with nogil:
                status = w7_bulk_one(&bulk, &text, <w7_bulk_row *>row.buf + done)
            if status < 0:
                _fail()
            done += 1
        rows = rows[:done]
        return EngineResult(
            rows,
            b"",
            bulk.letters.at[:bulk.letters.count] if board else None,
            _arrays(_positions(&bulk.positions)) if positions else None,
            None,
            _counts(&bulk),
            None,
            _metadata(&bulk.metadata) if metadata else None,
        )
    finally:
        PyBuffer_Release(&row)
        memset(&bulk.record, 0, sizeof(bulk.record))  # its tables are those of the last record
        w7_bulk_free(&bulk)


def record_positions(
    Record record not None, *, canonical=False, sparse=False, limits=DEFAULT_LIMITS, int isa=ISA
):
    """Return the `positions` of an `EngineResult` for one record, as far as each of its branches can be played.

    There are none if its board exceeds the limit. Raises `MemoryError` when memory is short. Thread safety:
    any number of threads may call it, also for one record; the GIL is not held while branches are played.
    """
    cdef w7_bulk bulk
    cdef w7_walk walk
    cdef w7_event event
    _start(&bulk, limits, isa)
    bulk.positions.with_canonical = bool(canonical)
    bulk.positions.is_sparse = bool(sparse)
    try:
        if 0 < <int64_t>record.width * record.height <= bulk.max_points:
            if w7_bulk_start_positions(&bulk, &record.c, &walk) != W7_OK:
                raise MemoryError("not enough memory to replay a record")
            try:
                event = W7_EVENT_TICK
                while event == W7_EVENT_TICK:
                    with nogil:
                        event = w7_bulk_walk_positions(&bulk, &walk)
                    PyErr_CheckSignals()
            finally:
                w7_walk_free(&walk)
            if event == W7_EVENT_NO_MEMORY:
                raise MemoryError("not enough memory to replay a record")
        return _arrays(_positions(&bulk.positions))
    finally:
        w7_bulk_free(&bulk)


LINES_MEMORY = W7_LINE_FILE_CHUNK + (W7_LINE_FILE_CHUNK >> 2)
"""The best size of the memory for `replay_lines`: one read and the start of a record."""


@cython.final
cdef class LinesResult:
    """The result of `replay_lines`: an `EngineResult` in memory of C, which can be made before NumPy is loaded.

    Loading NumPy takes as long as replaying ten thousand records.

    Thread safety: frozen; threads may share it.
    """

    cdef readonly Py_ssize_t records
    cdef readonly object rows
    cdef object ids, letters, positions, counts, metadata

    @property
    def nbytes(self):
        """Approximate memory in bytes."""
        made = sum([len(memory) for memory in (self.positions or {}).values()])
        made += sum([len(memory) for memory in (self.metadata or {}).values()])
        return made + len(self.rows) + len(self.ids) + len(self.letters or b"")

    def arrays(self):
        """Return the `EngineResult` over the same memory."""
        positions = None if self.positions is None else _arrays(self.positions)
        rows = np.frombuffer(self.rows, row_type())
        return EngineResult(rows, self.ids, self.letters, positions, None, self.counts, None, self.metadata)


def replay_lines(
    int file, begin, end, memory, format, *, limit, board=False, positions=False, canonical=False, metadata=False,
    counted=b"", failures=False, strict=False, limits=DEFAULT_LIMITS, int isa=ISA
):
    """Read, decode and replay the records of a file that holds one a line.

    Returns (result, deferred_texts, failures, next, error).

    `file` is the descriptor of an open file, whose position is not moved: read are the lines that start at byte `begin`
    or later and before byte `end` (None: the end of the file). Blank lines are skipped. `memory` is a writable buffer
    for reading (`LINES_MEMORY` bytes); its content is lost. `format` is one of `ENGINE_FORMATS`, `counted` and
    `failures` are as in `replay_block`. `result` is a `LinesResult`, `deferred_texts` has the bytes of the texts that
    are deferred, by their places in the result; `failures` are those of `EngineResult`. `next` is None at the end;
    else the offset of the line at which to continue: with another call if results reach many megabytes, by other means
    if the line has more than `limit` bytes or exceeds the memory. `error` is None, or the `errno` of a failed read.

    Raises `MemoryError` when memory is short, `ValueError` for offsets below 0. Thread safety: any number of threads
    may call it, each with its own memory; the GIL is not held while the file is read and records are replayed.
    """
    cdef w7_bulk bulk
    cdef w7_bulk_rows found
    cdef w7_line_file lines
    cdef w7_bulk_lines_stop stop = W7_BULK_LINES_PAUSE
    cdef Py_buffer view
    cdef LinesResult piece
    cdef bint is_begun = False
    cdef int64_t start = begin, k
    cdef uint8_t kind = ENGINE_FORMATS[format]
    cdef int number = 0
    memset(&found, 0, sizeof(found))
    memset(&lines, 0, sizeof(lines))
    lines.file = file
    lines.limit = limit
    lines.stop = -1 if end is None else end
    if start < 0 or (end is not None and lines.stop < 0):
        raise ValueError("begin and end must be at least 0")
    _start(&bulk, limits, isa)
    bulk.with_letters = bool(board)
    bulk.with_positions = bool(positions)
    bulk.positions.with_canonical = bool(canonical)
    bulk.with_ids = 1
    bulk.with_metadata = bool(metadata)
    _count(&bulk, counted)
    bulk.with_failures = bool(failures)
    bulk.is_strict = bool(strict)
    PyObject_GetBuffer(memory, &view, PyBUF_WRITABLE)
    w7_bulk_take_kept(&bulk, &_KEEPER.keeper)
    try:
        lines.buffer = <uint8_t *>view.buf
        lines.room = view.len
        while stop == W7_BULK_LINES_PAUSE:
            with nogil:
                if not is_begun and w7_line_file_start(&lines, start) != 0:
                    stop = W7_BULK_LINES_UNREAD
                else:
                    stop = w7_bulk_run_lines(&bulk, kind, &lines, &found)
                number = errno
            is_begun = True
            PyErr_CheckSignals()
        if stop == W7_BULK_LINES_NO_MEMORY:
            _fail()
        deferred_texts = {
            k: found.deferred_texts.at[found.at[k].name_begin : found.at[k].name_end]
            for k in range(found.count) if found.at[k].is_deferred
        }
        piece = LinesResult.__new__(LinesResult)
        piece.records = found.count
        piece.rows = _held(&found.at, found.count * sizeof(w7_bulk_row))
        if bulk.has_raw_names:
            piece.rows = np.frombuffer(piece.rows, row_type()).copy()
        piece.ids = _ids(&bulk, piece.rows, "wei7", False)
        piece.letters = bulk.letters.at[:bulk.letters.count] if board else None
        piece.positions = _positions(&bulk.positions) if positions else None
        piece.counts = _counts(&bulk)
        piece.metadata = _metadata(&bulk.metadata) if metadata else None
        goes_on = stop == W7_BULK_LINES_FULL or stop == W7_BULK_LINES_LONG
        return (
            piece, deferred_texts, _failures(&bulk, 0, []), w7_line_file_next(&lines) if goes_on else None,
            number if stop == W7_BULK_LINES_UNREAD else None,
        )
    finally:
        PyBuffer_Release(&view)
        w7_bulk_rows_free(&found)
        w7_bulk_end(&bulk, &_KEEPER.keeper)


# In the order of w7_bulk_put_rows.
_COLUMNS = (
    "width", "height", "moves", "passes", "takebacks", "suicides", "ko_recaptures", "black_captured", "white_captured",
    "hash", "canonical_hash", "id_size", "problems",
)


def row_columns(pieces):
    """Return the rows of `pieces` (`EngineResult`, `LinesResult`), in order, as a dict of arrays by name.

    `is_deferred` has bools, `hash` and `canonical_hash` uint64, all others int64; `name_begin` and `name_end` are
    omitted. Raises `MemoryError`. Thread safety: any number of threads may call it; the GIL is not held for
    most of the work.
    """
    cdef list kept = list(pieces)
    cdef int64_t total = 0, place = 0, count
    cdef uint64_t *columns[W7_BULK_COLUMNS]
    cdef View view
    cdef uint8_t *is_deferred
    cdef uint8_t *lacks
    cdef int k
    for piece in kept:
        total += <int64_t>piece.records
    numbers = {name: np.empty(total, np.uint64) for name in _COLUMNS}
    flags, missing = np.empty(total, np.uint8), np.empty(total, np.uint8)
    held = [View(array, 1, True) for array in (*numbers.values(), flags, missing)]
    for k in range(W7_BULK_COLUMNS):
        columns[k] = <uint64_t *>(<View>held[k]).at
    is_deferred = <uint8_t *>(<View>held[W7_BULK_COLUMNS]).at
    lacks = <uint8_t *>(<View>held[W7_BULK_COLUMNS + 1]).at
    for piece in kept:
        view = View(piece.rows)
        count = view.count // <int64_t>sizeof(w7_bulk_row)
        if count > total - place:
            raise RuntimeError("a result changed while it was read")
        with nogil:
            w7_bulk_put_rows(<const w7_bulk_row *>view.at, count, columns, is_deferred, lacks, place)
        place += count
    found = {name: array if "hash" in name else array.view(np.int64) for name, array in numbers.items()}
    found["is_deferred"], found["lacks"] = flags.view(np.bool_), missing
    return found


cdef extern from *:
    """
    /* Called without the GIL. Returns -1 with an exception set. */
    static int w7_check_signals(void)
    {
        const PyGILState_STATE state = PyGILState_Ensure();
        const int status = PyErr_CheckSignals();
        PyGILState_Release(state);
        return status;
    }
    """
    int w7_check_signals() noexcept nogil


cdef int _fail() except -1:
    """Raise the exception of a signal handler, or `MemoryError`."""
    if PyErr_Occurred() != NULL:
        return -1
    raise MemoryError("not enough memory to decode and replay a record")


cdef int _start(w7_bulk *bulk, object limits, int isa) except -1:
    memset(bulk, 0, sizeof(w7_bulk))
    bulk.decode_wei7 = decode_wei7_text
    bulk.decode_sgf = decode_sgf_text
    bulk.check_signals = w7_check_signals
    bulk.positions.cache = &_KEEPER.blocks
    bulk.not_wide = -1
    bulk.isa = bulk.wei7.isa = bulk.sgf.isa = isa
    bulk.wei7.max_bytes = bulk.sgf.max_bytes = limits.max_bytes
    bulk.wei7.max_steps = bulk.sgf.max_steps = limits.max_steps
    bulk.wei7.max_depth = bulk.sgf.max_depth = limits.max_depth
    bulk.wei7.max_points = bulk.sgf.max_points = limits.max_points
    bulk.max_points = min(limits.max_points, 0x7FFFFFFF)
    bulk.wei7.max_problems = bulk.sgf.max_problems = limits.max_problems
    bulk.max_moves = limits.max_moves
    bulk.max_positions = limits.max_positions
    return 0


cdef int _count(w7_bulk *bulk, bytes counted) except -1:
    """Set the problems that defer no record."""
    if len(counted) not in (0, W7_CODE_COUNT):
        raise ValueError(f"counted must have {W7_CODE_COUNT} bytes, one for each code, not {len(counted)}")
    memcpy(bulk.is_counted, PyBytes_AS_STRING(counted), len(counted))
    return 0


cdef bytes _charsets(w7_bulk *bulk, bytes tables):
    """Set the tables of encodings, which must outlive `bulk`."""
    if len(tables) not in (W7_CHARSET_OTHER_PAIRS, W7_CHARSET_WHOLE):
        raise ValueError(f"wrong size of the tables of encodings: {len(tables)} bytes")
    bulk.charsets = <const uint8_t *>PyBytes_AS_STRING(tables)
    bulk.has_all_charsets = len(tables) == W7_CHARSET_WHOLE
    bulk.last_name = NULL
    bulk.wants_charsets = 0
    return tables


include "_results.pxi"
include "_metadata.pxi"


cdef extern from "_util/glue_for_size.h":
    pass
