# The results of the engine as objects over its memory: names, failures, counts of problems, positions.


cdef bytes _ids(w7_bulk *bulk, object rows, object format, bint are_transcoded):
    """The names of `rows` in UTF-8; those that C has not read are read, which changes `rows`."""
    cdef bytes ids = bulk.ids.at[:bulk.ids.count]
    return _read_names(rows, ids, format) if bulk.has_raw_names or are_transcoded else ids


def _read_names(rows, bytes ids, format):
    """Return the names of `rows` in UTF-8, and set their sizes; the names of one encoding are decoded together."""
    from wei7core.formats.sgf.charset_tables import CODECS

    raw = rows["is_raw_name"]
    places = np.flatnonzero(((rows["charset"] > 0) & (rows["id_size"] > 0)) | raw)
    if not len(places):
        return ids
    ends = np.cumsum(np.maximum(rows["id_size"], 0))[places]
    begins = ends - rows["id_size"][places]
    names = [ids[begin:end] for begin, end in zip(begins.tolist(), ends.tolist())]
    for k in np.flatnonzero(raw[places]).tolist():
        names[k] = _read_name(names[k], format, CODECS[rows["charset"][places[k]]])
    charsets = np.where(raw[places], 0, rows["charset"][places])
    for number in np.unique(charsets[charsets > 0]).tolist():
        # Names contain no line break, and none of these encodings has its byte inside a character.
        some = np.flatnonzero(charsets == number).tolist()
        text = b"\n".join([names[k] for k in some]).decode(CODECS[number], "replace").encode()
        for k, name in zip(some, text.split(b"\n")):
            names[k] = name
    rows["id_size"][places] = [-1 if name is None else len(name) for name in names]
    between = [ids[end:begin] for end, begin in zip([0, *ends.tolist()], [*begins.tolist(), len(ids)])]
    return between[0] + b"".join([part for pair in zip(names, between[1:]) for part in pair if part])


def _read_name(data, format, charset):
    """Return the name in the part of a text that holds it, in UTF-8, or None."""
    from wei7core.formats.sgf.text_values import first_simple_text
    from wei7core.formats.registry import id_in

    name = first_simple_text(data, charset) if format == "sgf" else id_in("wei7", data)
    return None if name is None else name.encode("utf-8", "surrogatepass")


cdef object _failures(w7_bulk *bulk, int64_t start, list moved):
    """The failures, with texts counted from `start`, the offsets of the errors in the texts as given, and the stored
    parts of those texts; None without failures.

    The memory of the texts is taken from `bulk`, not copied.
    """
    cdef w7_bulk_failures *rows = &bulk.failures.rows
    if rows.count == 0:
        return None
    failures = np.frombuffer((<const char *>rows.at)[:rows.count * sizeof(w7_bulk_failure)], failure_type()).copy()
    failures["text"] -= start
    offsets = failures["offset"].copy()
    for first, last, offsets_of in moved:
        # A board that is too large has no place in the text.
        places = first + np.flatnonzero(failures["kind"][first:last] != W7_FOUND_NO_BOARD)
        places = places[np.argsort(offsets[places])]
        offsets[places] = offsets_of(offsets[places].tolist())
    return failures, offsets, _held(&bulk.failures.texts.at, bulk.failures.texts.count)


cdef bytes _counts(const w7_bulk *bulk):
    """The number of problems of each code, as native int64; empty if there are none."""
    cdef int k
    for k in range(W7_CODE_COUNT):
        if bulk.counts[k]:
            return (<const char *>bulk.counts)[:W7_CODE_COUNT * sizeof(int64_t)]
    return b""


@cython.final
@cython.no_gc  # the cache is needed until the memory is freed, and nothing that it holds refers to anything else
cdef class _Memory:
    """Memory allocated in C, cached or freed with the last array over it."""

    cdef void *at
    cdef Py_ssize_t size
    cdef int64_t room   # 0: it is not cached
    cdef _Keeper keeper

    def __dealloc__(self):
        w7_block_give(&self.keeper.blocks, self.at, self.room)

    def __len__(self):
        return self.size

    def __getbuffer__(self, Py_buffer *view, int flags):
        # An empty allocation may be NULL, but no buffer may be.
        PyBuffer_FillInfo(view, self, self.at if self.at != NULL else <void *>&self.size, self.size, 1, flags)


cdef object _held(void *at_field, int64_t size, int64_t room=0):
    """Take over the `size` bytes at the pointer stored in `at_field`, which becomes NULL.

    Memory of `room` bytes is cached for columns of the next table, unless that is 0. The pointer is copied as bytes
    because its own type differs from column to column.
    """
    cdef _Memory memory = _Memory.__new__(_Memory)
    memcpy(&memory.at, at_field, sizeof(memory.at))
    memset(at_field, 0, sizeof(memory.at))
    memory.size = <Py_ssize_t>size
    memory.room = room
    memory.keeper = _KEEPER
    return memory


cdef dict _positions(w7_positions *found):
    """The columns of positions in memory of C, by name."""
    cdef int64_t count = found.count, room
    cdef dict columns
    w7_positions_trim(found)
    room = found.room
    columns = {
        "run": _held(&found.runs, found.run_count * sizeof(w7_position_run)),
        "move_number": _held(&found.move_numbers, count * 4, room * 4),
        "branches": _held(&found.branches.at, found.branches.count),
        "boards": _held(&found.boards.at, found.boards.count, found.boards.room),
    }
    if found.is_sparse:
        columns["code"] = _held(&found.xs, count * 4, room * 4)
        columns["removed"] = _held(&found.removed.at, found.removed.count)
    else:
        columns["step"] = _held(&found.steps, count * 4, room * 4)
        columns["color"] = _held(&found.colors, count, room)
        columns["x"] = _held(&found.xs, count * 4, room * 4)
        columns["y"] = _held(&found.ys, count * 4, room * 4)
        columns["hash"] = _held(&found.hashes, count * 8, room * 8)
        columns["canonical_hash"] = _held(
            &found.canonical_hashes, count * 8 if found.with_canonical else 0, room * 8
        )
    return columns


_OTHER_TYPES = {
    "color": "i1",
    "hash": "u8",
    "canonical_hash": "u8",
    "branches": "u1",
    "boards": "u1",
    "code": "u4",
    "removed": "u4",
}


cdef dict _arrays(dict positions):
    types = {**_OTHER_TYPES, "run": position_run_type()}
    return {name: np.frombuffer(memory, types.get(name, "i4")) for name, memory in positions.items()}
