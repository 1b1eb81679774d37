"""Records of SGF or wei7 that nobody has changed as text, straight from their columns."""

cdef extern from "_util/table.h" nogil:
    ctypedef struct w7_out:
        uint8_t *at
        int64_t count
        int64_t room

    int w7_out_reserve(w7_out *out, int64_t more)
    void w7_out_put(w7_out *out, const void *bytes, int64_t size)


cdef extern from "record/record.h" nogil:
    enum:
        W7_STEP_UNREADABLE

    ctypedef struct w7_step:
        uint8_t kind

    ctypedef struct w7_kept:
        w7_span key
        w7_span value
        int32_t index
        uint8_t owner
        uint8_t inside


cdef extern from "formats/sgf/write.h" nogil:
    ctypedef struct w7_sgf_writing:
        const uint8_t *rank
        const uint8_t *kind
        int is_wei7

    enum:
        W7_WRITTEN
        W7_WRITE_NO_MEMORY
        W7_SGF_PLACES

    int w7_sgf_write(
        const w7_record *record, const uint8_t *source, int64_t size, const w7_sgf_writing *writing, w7_out *out
    )
    int w7_sgf_write_root(
        const w7_record *record, const uint8_t *source, int64_t size, const w7_sgf_writing *writing, w7_out *out,
        int64_t *kept
    )


cdef extern from "formats/sgf/write_wei7.h" nogil:
    ctypedef struct w7_sgf_parts:
        const uint8_t *first
        int64_t first_size
        const uint8_t *second
        int64_t second_size
        int is_complete
        int is_normal
        int is_possible

    ctypedef struct w7_step_texts:
        int width
        int height
        uint8_t *text
        uint8_t *size

    ctypedef struct w7_sgf_context:
        const w7_step_texts *steps
        w7_sgf_writing writing
        uint8_t **label
        int64_t *label_size
        w7_sgf_parts komi
        w7_sgf_parts rules
        w7_sgf_parts result

    int w7_make_step_texts(w7_step_texts *steps, int width, int height)
    int w7_sgf_find_root(
        const w7_record *record, const uint8_t *source, const char *name, int64_t *begin, int64_t *end
    )
    ctypedef struct w7_sgf_losses:
        w7_out numbers

    int w7_sgf_write_wei7(
        const w7_record *record,
        const uint8_t *source,
        int64_t size,
        const w7_sgf_context *context,
        w7_out *out,
        w7_sgf_losses *losses,
    )


cdef extern from "formats/wei7/write.h" nogil:
    int w7_wei7_put_start(const w7_record *record, w7_out *out)
    int w7_wei7_put_trees(
        const w7_record *record, const uint8_t *source, const w7_step_texts *moves, w7_out *out
    )


cdef extern from "formats/wei7/info_kind.h" nogil:
    ctypedef struct w7_info_kind:
        int32_t width
        int32_t height
        int32_t only_dates
        uint8_t *text
        int64_t size
        w7_span *at
        int count

    int w7_info_find_kind(const uint8_t *info, int64_t size, w7_info_kind *kind)


cdef enum:
    USUAL_POINTS = 19   # on a side of a board
    PLACES = 703
    MOST_KINDS = 4096
    LONGEST_VALUE = 64
    LARGE = 1 << 24     # bytes of a buffer that is not kept


# A record in UTF-8 that was in another encoding, and its text.
cdef struct Recoded:
    w7_record record
    w7_out text


cdef class Writer:
    """Writer(ranks, kinds, labels, codec_of, read, read_info, lost_in_tree)\n--\n
    What writes plain records: the tables of properties by the places of their names.

    `ranks` and `kinds` have a byte for each place, `labels` a `bytes` or None. `codec_of(number)` is the codec of an
    encoding as bytes, None for one in which bytes of ASCII may be other characters. `read(name, value)` returns what a
    short text of KM, RU or RE becomes in wei7: (JSON or None, JSON or None, whether that is all of it, whether in the
    same words, whether wei7 can have the value), or None where the record is converted as a document; a result is kept.
    `read_info(info, width, height, as_wei7, is_kind)` does so for the information of wei7, of a kind with a NUL for
    each text: (what is written between these texts, their numbers, losses), or the same information without escapes.
    That is the start of a record of SGF up to the last property of the game, or the member of wei7 with a comma before
    it. `lost_in_tree(kept, unreadable, losses)` returns `losses`, those of the information of wei7, and those of a
    branch in SGF: of the members `kept`, a row of (owner, row, object in it, name, value) each, and of the first step
    that cannot be read, -1 for none; or None as `read`. Thread safe.
    """

    cdef bytes _ranks
    cdef bytes _kinds
    cdef list _labels
    cdef object _codec_of
    cdef object _read
    cdef object _read_info
    cdef object _lost_in_tree
    cdef dict _of_kinds     # what `read_info` has returned
    cdef dict _of_values    # what `read` has returned, by name
    cdef w7_sgf_context _context
    cdef w7_step_texts _steps
    cdef uint8_t *_label[PLACES]
    cdef int64_t _label_size[PLACES]

    def __cinit__(
        self, bytes ranks not None, bytes kinds not None, list labels not None, codec_of, read, read_info, lost_in_tree
    ):
        if not len(ranks) == len(kinds) == len(labels) == W7_SGF_PLACES:
            raise ValueError(f"a table of properties has {W7_SGF_PLACES} rows")
        self._ranks = ranks
        self._kinds = kinds
        self._labels = list(labels)
        self._codec_of = codec_of
        self._read = read
        self._read_info = read_info
        self._lost_in_tree = lost_in_tree
        self._of_kinds = {}
        self._of_values = {b"KM": {}, b"RU": {}, b"RE": {}}
        for place in range(W7_SGF_PLACES):
            label = self._labels[place]
            self._label[place] = NULL if label is None else <uint8_t *>PyBytes_AS_STRING(label)
            self._label_size[place] = 0 if label is None else PyBytes_GET_SIZE(label)
        self._context.writing.rank = <const uint8_t *>PyBytes_AS_STRING(ranks)
        self._context.writing.kind = <const uint8_t *>PyBytes_AS_STRING(kinds)
        self._context.label = self._label
        self._context.label_size = self._label_size
        if not w7_make_step_texts(&self._steps, USUAL_POINTS, USUAL_POINTS):
            raise MemoryError("not enough memory for the texts of moves")
        self._context.steps = &self._steps

    def __dealloc__(self):
        free(self._steps.text)
        free(self._steps.size)

    def write(self, Record record not None, bint as_wei7, bint only_root=False):
        """Return a record of SGF in UTF-8 as SGF, or as wei7, and the losses of that: numbers of two bytes.

        A record of wei7 with the losses of `read_info`; as wei7 one without problems. With `only_root` the root node of
        one of SGF, as SGF. None where it is converted as a document.
        """
        cdef w7_out out
        cdef bytes source = record.source
        cdef bint is_wei7 = record.format == "wei7"
        if not (is_wei7 or record.format == "sgf") or record.encoding not in ("ascii", "utf-8"):
            return None
        memset(&out, 0, sizeof(out))
        try:
            made = self._written(
                &record.c, <const uint8_t *>PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source), is_wei7, as_wei7,
                only_root, &out
            )
            return None if made is None else ((<char *>out.at)[:out.count], made)
        finally:
            free(out.at)

    def write_in(self, bytes text not None, int charset, bint as_wei7, limits, int isa=_ISA):
        """Return what `write` returns for a record of SGF that has no error, by the number of its encoding."""
        cdef Recoded recoded
        cdef w7_out out
        cdef w7_sgf_options options
        memset(&out, 0, sizeof(out))
        memset(&recoded, 0, sizeof(recoded))
        memset(&options, 0, sizeof(options))
        options.max_steps = limits.max_steps
        options.max_depth = limits.max_depth
        options.max_points = limits.max_points
        options.max_problems = limits.max_problems
        options.isa = isa
        w7_record_init(&recoded.record)
        try:
            made = self._recoded(
                <const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text), charset, &options, as_wei7, &recoded,
                &out
            )
            return None if made is None else ((<char *>out.at)[:out.count], made)
        finally:
            w7_record_free(&recoded.record)
            free(recoded.text.at)
            free(out.at)

    cdef object _recoded(
        self, const uint8_t *text, int64_t size, int charset, const w7_sgf_options *options, bint as_wei7,
        Recoded *recoded, w7_out *out
    ):
        cdef w7_sgf_options others = options[0]
        cdef w7_sgf_facts facts
        cdef int64_t high = w7_charset_end_of_high(text, text + size) - text
        cdef Py_ssize_t count = 0
        cdef const char *begin
        cdef object codec = self._codec_of(charset)
        cdef int status
        if codec is None:
            return None
        # Codecs of many bytes take their time for ASCII as well: they get the part with all other characters alone.
        try:
            characters = PyUnicode_Decode(<char *>text, high, PyBytes_AS_STRING(codec), NULL)
            begin = PyUnicode_AsUTF8AndSize(characters, &count)
        except UnicodeError:
            return None
        recoded.text.count = 0
        if w7_out_reserve(&recoded.text, count + size - high):
            raise MemoryError("not enough memory to write a record")
        w7_out_put(&recoded.text, begin, count)
        w7_out_put(&recoded.text, text + high, size - high)
        others.max_bytes = recoded.text.count  # the text itself was not too long
        others.double_byte = 0
        others.charsets = NULL
        with nogil:
            status = w7_sgf_decode_game(recoded.text.at, recoded.text.count, &others, &recoded.record, &facts)
        if status != 0:
            raise MemoryError(f"not enough memory to decode a record of {recoded.text.count} bytes")
        return self._written(&recoded.record, recoded.text.at, recoded.text.count, False, as_wei7, False, out)

    cdef object _written(
        self, const w7_record *record, const uint8_t *text, int64_t size, bint is_wei7, bint as_wei7,
        bint only_root, w7_out *out
    ):
        """Append a record to `out`; return its losses, or None where nothing is appended."""
        cdef w7_sgf_context context = self._context
        cdef w7_sgf_losses losses
        cdef int64_t begin = out.count, kept
        cdef int status
        cdef tuple komi, rules, result      # hold the bytes that `context` names
        cdef object lost = None
        memset(&losses.numbers, 0, sizeof(losses.numbers))
        context.writing.is_wei7 = is_wei7
        if as_wei7 and not is_wei7:
            komi = self._parts(record, text, b"KM", &context.komi)
            rules = self._parts(record, text, b"RU", &context.rules)
            result = self._parts(record, text, b"RE", &context.result)
            if komi is None or rules is None or result is None:
                return None
        try:
            status = W7_WRITTEN
            if is_wei7:
                if as_wei7:
                    status = w7_wei7_put_start(record, out)
                if status == W7_WRITTEN:
                    lost = self._put_info(record, text, as_wei7, out)
                    if lost is not None and not as_wei7:
                        lost = self._with_tree(record, text, lost)
                    if lost is None:
                        out.count = begin
                        return None
            with nogil:
                if is_wei7 and as_wei7:
                    if status == W7_WRITTEN:
                        status = w7_wei7_put_trees(record, text, context.steps, out)
                elif as_wei7:
                    status = w7_sgf_write_wei7(record, text, size, &context, out, &losses)
                elif only_root:
                    status = w7_sgf_write_root(record, text, size, &context.writing, out, &kept)
                else:
                    status = w7_sgf_write(record, text, size, &context.writing, out)
            if status == W7_WRITE_NO_MEMORY:
                raise MemoryError("not enough memory to write a record")
            if status != W7_WRITTEN:
                out.count = begin
                return None
            return lost if is_wei7 else (<char *>losses.numbers.at)[:losses.numbers.count]
        finally:
            free(losses.numbers.at)

    cdef object _with_tree(self, const w7_record *record, const uint8_t *text, lost):
        """`lost`, the losses of the information of wei7, and those of its tree in SGF; None: as a document."""
        cdef const w7_step *steps = <const w7_step *>record.steps.at
        cdef const w7_kept *kept = <const w7_kept *>record.kept.at
        cdef int64_t k, unreadable = 0
        while unreadable < record.steps.count and steps[unreadable].kind != W7_STEP_UNREADABLE:
            unreadable += 1
        if unreadable == record.steps.count:
            if record.kept.count == 0:
                return lost
            unreadable = -1
        rows = [
            (
                kept[k].owner, kept[k].index, kept[k].inside, (<const char *>text)[kept[k].key.begin:kept[k].key.end],
                (<const char *>text)[kept[k].value.begin:kept[k].value.end],
            )
            for k in range(record.kept.count)
        ]
        return self._lost_in_tree(rows, unreadable, lost)

    cdef object _put_info(self, const w7_record *record, const uint8_t *text, bint as_wei7, w7_out *out):
        """Append the converted information of a record of wei7; return its losses, or None."""
        cdef const uint8_t *info = b"{}"
        cdef int64_t size = 2
        cdef w7_info_kind kind
        cdef bytes key, info_text
        cdef tuple made
        if record.info.begin >= 0:
            info = text + record.info.begin
            size = record.info.end - record.info.begin
        kind.width = record.width
        kind.height = record.height
        kind.only_dates = not as_wei7
        while True:
            if (
                w7_info_find_kind(info, size, &kind)
                and PyUnicode_DecodeUTF8(<const char *>info, size, "surrogateescape").isprintable()
            ):
                key = (<const char *>&kind)[:3 * sizeof(int32_t) + kind.size]
                made = self._of_kinds.get(key)
                if made is None:
                    info_text = (<const char *>kind.text)[:kind.size]
                    made = self._read_info(info_text, record.width, record.height, as_wei7, True) or ()
                    if len(self._of_kinds) >= MOST_KINDS:
                        self._of_kinds.clear()
                    self._of_kinds[key] = made
                break
            read = self._read_info(
                (<const char *>info)[:size], record.width, record.height, as_wei7, False
            )
            if not isinstance(read, bytes):
                made = read or ()
                break
            info_text = read
            info = <const uint8_t *>PyBytes_AS_STRING(info_text)
            size = PyBytes_GET_SIZE(info_text)
        if not made:
            return None
        self._put_parts(made, info, &kind, as_wei7, out)
        return made[2]

    cdef int _put_parts(
        self, tuple made, const uint8_t *info, const w7_info_kind *kind, bint as_wei7, w7_out *out
    ) except -1:
        """Append what `read_info` has returned, with the texts in `info`."""
        cdef tuple parts = made[0]
        cdef bytes numbers = made[1], part
        cdef int64_t k, at
        cdef w7_span span
        for k in range(len(parts)):
            part = parts[k]
            if w7_out_reserve(out, PyBytes_GET_SIZE(part)):
                raise MemoryError("not enough memory to write a record")
            w7_out_put(out, PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part))
            if k == PyBytes_GET_SIZE(numbers):
                break
            if <uint8_t>PyBytes_AS_STRING(numbers)[k] >= kind.count:
                raise ValueError("information of wei7 has fewer texts")
            span = kind.at[<uint8_t>PyBytes_AS_STRING(numbers)[k]]
            if w7_out_reserve(out, 2 * (span.end - span.begin)):
                raise MemoryError("not enough memory to write a record")
            for at in range(span.begin, span.end):
                if info[at] == c"]" and not as_wei7:
                    w7_out_put(out, b"\\", 1)
                w7_out_put(out, info + at, 1)
        return 0

    cdef tuple _parts(self, const w7_record *record, const uint8_t *text, bytes name, w7_sgf_parts *parts):
        """The new form of a property, () if there is none, None if the record must be converted as a document."""
        cdef int64_t begin, end
        cdef bytes first, second
        cdef bytes value
        cdef dict of_name = self._of_values[name]
        if not w7_sgf_find_root(record, text, PyBytes_AS_STRING(name), &begin, &end):
            return ()
        if end - begin > LONGEST_VALUE:
            return None
        value = (<const char *>text)[begin:end]
        made = of_name.get(value)
        if made is None:
            made = self._read(name, value) or ()
            if len(of_name) >= MOST_KINDS:
                of_name.clear()
            of_name[value] = made
        if not made:
            return None
        first, second, parts.is_complete, parts.is_normal, parts.is_possible = made
        if first is not None:
            parts.first = <const uint8_t *>PyBytes_AS_STRING(first)
            parts.first_size = PyBytes_GET_SIZE(first)
        if second is not None:
            parts.second = <const uint8_t *>PyBytes_AS_STRING(second)
            parts.second_size = PyBytes_GET_SIZE(second)
        return made


cdef class Writing:
    """Writing(writer, as_wei7)\n--\n
    Writes the plain records of a batch while the engine replays them, one after the other, each with a line feed at its
    end. Its memory is that text.

    `made` has (begin, end, losses) for each record that was written, by its number in the batch: what `Writer.write`
    returns is the text from begin to end. For one thread at a time.
    """

    cdef readonly dict made
    cdef Writer _writer
    cdef bint _as_wei7
    cdef w7_out _out
    cdef Recoded _recoded
    cdef Py_ssize_t _views

    def __cinit__(self, Writer writer not None, bint as_wei7):
        w7_record_init(&self._recoded.record)
        self._writer = writer
        self._as_wei7 = as_wei7
        self.made = {}

    def __dealloc__(self):
        w7_record_free(&self._recoded.record)
        free(self._recoded.text.at)
        free(self._out.at)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self._out.at, self._out.count, 1, flags)
        self._views += 1

    def __releasebuffer__(self, Py_buffer *view):
        self._views -= 1

    def clear(self):
        """Begin a new text, unless there are views of this one; return whether it began."""
        if self._views:
            return False
        self.made = {}
        self._out.count = 0
        if self._out.room > LARGE:
            free(self._out.at)
            memset(&self._out, 0, sizeof(self._out))
        return True


cdef int write_game(
    void *writing, const w7_record *record, const uint8_t *text, int64_t size, bint is_wei7, int64_t number,
    int charset, const w7_sgf_options *options
) except -1 with gil:
    cdef Writing to = <Writing>writing
    cdef int64_t begin = to._out.count, end
    if to._views:
        raise BufferError("the text of a Writing that has views cannot grow")
    if charset == W7_CHARSET_UTF8:
        lost = to._writer._written(record, text, size, is_wei7, to._as_wei7, False, &to._out)
    else:
        lost = to._writer._recoded(text, size, charset, options, to._as_wei7, &to._recoded, &to._out)
    if lost is not None:
        end = to._out.count
        if to._as_wei7:
            if w7_out_reserve(&to._out, 1):
                raise MemoryError("not enough memory to write a record")
            w7_out_put(&to._out, b"\n", 1)
        to.made[number] = begin, end, lost
    return 0
