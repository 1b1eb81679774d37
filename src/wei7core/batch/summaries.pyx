# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Per-game summary rows (keys, passes, setup counts, header spans) that let a check skip most records."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

import functools

from wei7core._util.lazy_numpy import np
from wei7core._util.cpu import ISA

from wei7core._util._native cimport View

__all__ = [
    "PREFIX_MOVES", "dtype_of_struct", "game_facts", "header_keys", "keys_of_texts", "opening_key", "summary_dtype",
    "text_keys",
]


cdef extern from "batch/summary.h" nogil:
    enum:
        W7_PREFIXES
        W7_OPENING_MOVES
        W7_HEADER_VALUES
    const int32_t W7_PREFIX_MOVES[]

    ctypedef struct w7_header_span:
        int32_t begin
        int32_t end

    ctypedef struct w7_facts:
        w7_header_span *spans

    ctypedef struct w7_placement:
        pass

    ctypedef struct w7_listed_game:
        const w7_placement *stones
        int64_t stone_count
        const w7_placement *moves
        int64_t move_count
        const w7_placement *edits
        const int64_t *edit_moves
        int64_t edit_count

    ctypedef enum w7_status:
        W7_OK
        W7_NO_MEMORY
        W7_BAD_SIZE

    w7_status w7_listed_game_facts(
        const w7_listed_game *game, int32_t width, int32_t height, int isa, w7_facts *facts, int64_t *done
    ) noexcept
    void w7_text_key(const uint8_t *text, int64_t size, int isa, uint64_t *key) noexcept


cdef extern from "batch/metadata.h" nogil:
    enum:
        W7_FIRST_MOVES

    w7_status w7_listed_game_opening(
        const w7_listed_game *game, int32_t width, int32_t height, uint64_t *opening_key, int64_t *done
    ) noexcept


PREFIX_MOVES = tuple([W7_PREFIX_MOVES[k] for k in range(W7_PREFIXES)])
"""The numbers of first moves of `prefix_keys` of `summary_dtype`."""


def dtype_of_struct(fields, size_t size):
    """Return the dtype of a struct of C with these fields and this size.

    Raises `ImportError` where the two do not agree. Thread safe.
    """
    dtype = np.dtype(fields, align=True)
    if dtype.itemsize != size:
        raise ImportError("the rows of wei7core were built for another C layout; build it again from source")
    return dtype


@functools.cache
def summary_dtype():
    """Return the dtype of the summaries in `EngineResult.facts`. Thread safe.

    All values are of the moves in force at the end of the main line. `game_key`: of the position before the first move
    and all moves, their order, their colors and passes, the same for the images of a game under the symmetries that
    keep its size. `prefix_keys`: the same of the first `PREFIX_MOVES`. `opening_keys`: the canonical hash of the
    position after 1, 2, .. moves. All of them are 0 where the game is shorter. `text_keys`: a 128-bit key of the bytes
    of the record (`text_keys`). `spans`: the ranges of the values of komi, result, handicap, rules and the player to
    move in the record, as written, -1 for none: in SGF the first value of KM, RE, HA, RU and PL of the root; in wei7
    the values of `rules.komi`, `result`, `rules.type` and `rules.scoring` of `info`, all but the third. `first_color`,
    `last_color`; `same_color`, moves of the color of the move before; `first_pass`, its number from 1, or 0;
    `last_passes`, passes in a row at the end; `end_of_play`, the number of the move that first makes two passes in a
    row, or 0; `setup_black` and `setup_white`, stones before the first move. `plain`: the record is one branch, no
    problem, in which only moves change the board, apart from a `pre` of the root. `repeats`: a move recreated an
    earlier position, judged by hashes of 64 bits. `is_lifted`: the values are those of the only node of SGF that
    has the game info, which is not the root. `is_wide`: the text is in UTF-16 or UTF-32; `spans` and `stop` are those
    of the same text in UTF-8. `stop`: where the main line ends early, the offset of the problem of its step, or 0;
    `plain` is then about the steps before it.
    """
    # Members in the order of the struct in batch/summary.h.
    return dtype_of_struct(
        [
            ("game_key", "u8"), ("prefix_keys", "u8", W7_PREFIXES), ("opening_keys", "u8", W7_OPENING_MOVES),
            ("text_keys", "u8", 2), ("spans", "i4", (W7_HEADER_VALUES, 2)), ("first_color", "i4"),
            ("last_color", "i4"), ("same_color", "i4"), ("first_pass", "i4"), ("last_passes", "i4"),
            ("end_of_play", "i4"), ("setup_black", "i4"), ("setup_white", "i4"), ("plain", "?"), ("repeats", "?"),
            ("is_lifted", "?"), ("is_wide", "?"), ("stop", "i4"),
        ],
        sizeof(w7_facts),
    )


def game_facts(int32_t width, int32_t height, setup, moves, *, edits=(), int isa=ISA):
    """Return the row of `summary_dtype` of a game given as lists: that of a record with these moves in force.

    `setup` are the stones before the first move, `(color, (x, y))` each, as `wei7core.Board.setup` takes them; they
    may leave blocks without liberties. `moves` are `(color, (x, y))`, or `(color, None)` for a pass, as
    `wei7core.Board.moves` gives them. `edits` are stones added or removed in between, `(moves before it, color,
    (x, y))`, in their order; color 0 removes a stone. `isa` is the number of the instruction set; the result does not
    depend on it.

    Values of a text are absent: `text_keys` are 0, all `spans` -1, and `plain` is False.

    Raises `ValueError` if the board cannot be made or a stone or move cannot be played, `MemoryError` when memory
    is short. Thread safety: any number of threads may call it.
    """
    cdef w7_listed_game game
    cdef w7_status status
    cdef int64_t done
    cdef list held = _list_game(&game, setup, moves, edits)
    cdef Py_buffer view
    row = np.zeros(1, summary_dtype())
    row["spans"] = -1
    PyObject_GetBuffer(row, &view, PyBUF_WRITABLE)
    try:
        with nogil:
            status = w7_listed_game_facts(&game, width, height, isa, <w7_facts *>view.buf, &done)
    finally:
        PyBuffer_Release(&view)
    _require_played(status, width, height, done)
    del held
    return row[0]


def opening_key(int32_t width, int32_t height, setup, moves, *, edits=()):
    """Return the key of the first 12 moves of a game given as lists, as `game_facts` takes them.

    It identifies the size, the setup and those moves, up to the symmetries of the board and the exchange of colors. It
    is made like `game_key`, the same on every platform and in every release. Raises the exceptions of `game_facts`.
    Thread safe.
    """
    cdef w7_listed_game game
    cdef w7_status status
    cdef int64_t done
    cdef uint64_t key = 0
    cdef list first = list(moves)[:W7_FIRST_MOVES]
    cdef list held = _list_game(&game, setup, first, [edit for edit in edits if edit[0] <= len(first)])
    with nogil:
        status = w7_listed_game_opening(&game, width, height, &key, &done)
    _require_played(status, width, height, done)
    del held
    return key


cdef list _list_game(w7_listed_game *game, setup, moves, edits):
    """Fill `game` from the lists; the returned views own its memory."""
    later = list(edits)
    arrays = [
        _placements(setup), _placements(moves), _placements([(color, point) for _, color, point in later]),
        np.array([count for count, _, _ in later], np.int64),
    ]
    if np.any(np.diff(arrays[3]) < 0):
        raise ValueError("edits must be in the order of the moves before them")
    views = [View(array.view(np.uint8), 1) for array in arrays]
    game.stones = <const w7_placement *>(<View>views[0]).at
    game.stone_count = len(arrays[0])
    game.moves = <const w7_placement *>(<View>views[1]).at
    game.move_count = len(arrays[1])
    game.edits = <const w7_placement *>(<View>views[2]).at
    game.edit_moves = <const int64_t *>(<View>views[3]).at
    game.edit_count = len(later)
    return views


cdef int _require_played(w7_status status, int32_t width, int32_t height, int64_t done) except -1:
    if status == W7_NO_MEMORY:
        raise MemoryError("not enough memory to play a game")
    if status == W7_BAD_SIZE:
        raise ValueError(f"invalid board size {width} x {height}")
    if status != W7_OK:
        raise ValueError(f"stone or move number {done} of the game, from 0, cannot be played")
    return 0


cdef object _placements(stones):
    rows = []
    for color, point in stones:
        x, y = (-1, -1) if point is None else point
        rows.append((x, y, color))
    # As w7_placement of the kernel.
    dtype = dtype_of_struct([("x", "i4"), ("y", "i4"), ("color", "u1")], sizeof(w7_placement))
    try:
        return np.array(rows, dtype)
    except OverflowError:
        raise ValueError("a point or color of the game is out of range") from None


def text_keys(text, *, int isa=ISA):
    """Return the two 64-bit keys of the bytes of `text`, any object with the buffer protocol.

    They are those of `summary_dtype`, the same on every machine and in every release (see `batch/text_key.h`). Two
    different texts, unless chosen to collide, agree in both with a probability below 2**-120.
    `isa` is the number of the instruction set; the result does not depend on it. Thread safety: any number of threads
    may call it, and none may write to `text` during the call.
    """
    cdef Py_buffer view
    cdef uint64_t key[2]
    PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
    try:
        with nogil:
            w7_text_key(<const uint8_t *>view.buf, view.len, isa, key)
    finally:
        PyBuffer_Release(&view)
    return key[0], key[1]


def keys_of_texts(data, begins, ends, *, int isa=ISA):
    """Return the `text_keys` of many texts in one buffer, as an array of two columns.

    Text k is bytes `begins[k]` up to `ends[k]` (int64 arrays) of `data`. Raises `ValueError` for a text outside of it.
    Thread safety: any number of threads may call it, and none may write to the three during the call.
    """
    cdef Py_buffer view
    cdef View of_begins = View(begins, sizeof(int64_t)), of_ends = View(ends, sizeof(int64_t)), keys
    cdef const int64_t *at_begins = <const int64_t *>of_begins.at
    cdef const int64_t *at_ends = <const int64_t *>of_ends.at
    cdef int64_t count = of_begins.count, k
    if of_ends.count != count:
        raise ValueError(f"{of_ends.count} ends, expected {count}")
    found = np.empty((count, 2), np.uint64)
    keys = View(found, sizeof(uint64_t), True)
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        for k in range(count):
            if not 0 <= at_begins[k] <= at_ends[k] <= view.len:
                raise ValueError(f"text {k} is outside its data")
        with nogil:
            for k in range(count):
                w7_text_key(<const uint8_t *>view.buf + at_begins[k], at_ends[k] - at_begins[k], isa,
                            <uint64_t *>keys.at + 2 * k)
    finally:
        PyBuffer_Release(&view)
    return found


def header_keys(data, begins, facts, charsets, wanted, int format):
    """Return the header of each wanted record as bytes: equal for records of equal format, encoding and header values.

    Record k begins at byte `begins[k]` (int64) of `data`, `facts[k]` is its row of `summary_dtype`, and `charsets[k]`
    (uint8) the number of its encoding; `wanted[k]` (bool) whether it is requested. A key is `format` and the encoding,
    a byte each, the sizes of the values at the `spans`, native int32, -1 for none, and the values. Raises `ValueError`
    for a value outside of `data`. Thread safety: any number of threads may call it, and none may write to the arguments
    during the call.
    """
    cdef View text = View(data), of_begins = View(begins, sizeof(int64_t)), rows = View(facts)
    cdef View of_charsets = View(charsets), of_wanted = View(wanted)
    cdef const w7_facts *row = <const w7_facts *>rows.at
    cdef const uint8_t *value
    cdef int64_t count = of_begins.count, begin, size, k
    cdef int32_t sizes[W7_HEADER_VALUES]
    cdef bytes key
    cdef char *out
    cdef int i
    if rows.count != count * <int64_t>sizeof(w7_facts) or of_charsets.count != count or of_wanted.count != count:
        raise ValueError(f"expected rows and encodings of {count} records")
    keys = []
    for k in range(count):
        if not (<const uint8_t *>of_wanted.at)[k]:
            continue
        begin = (<const int64_t *>of_begins.at)[k]
        size = 2 + sizeof(sizes)
        for i in range(W7_HEADER_VALUES):
            sizes[i] = -1
            if row[k].spans[i].begin >= 0:
                if not 0 <= begin <= text.count - row[k].spans[i].end or row[k].spans[i].end < row[k].spans[i].begin:
                    raise ValueError(f"a value of record {k} is outside its data")
                sizes[i] = row[k].spans[i].end - row[k].spans[i].begin
                size += sizes[i]
        key = PyBytes_FromStringAndSize(NULL, size)
        out = PyBytes_AS_STRING(key)
        out[0] = <char>format
        out[1] = (<const char *>of_charsets.at)[k]
        memcpy(out + 2, sizes, sizeof(sizes))
        out += 2 + sizeof(sizes)
        for i in range(W7_HEADER_VALUES):
            if sizes[i] > 0:
                value = <const uint8_t *>text.at + begin + row[k].spans[i].begin
                memcpy(out, value, sizes[i])
                out += sizes[i]
        keys.append(key)
    return keys


include "index/declarations.pxi"
include "index/game_store.pxi"
include "index/search.pxi"
