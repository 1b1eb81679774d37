"""JSON objects of a known shape, read into calls without dicts and lists between."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.math cimport isfinite
from libc.stdint cimport uint64_t
from libc.string cimport memcmp

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0

cdef extern from "_util/json_scan.h" nogil:
    ctypedef struct w7_json_number:
        double value
        int64_t whole
        bint is_whole
        bint is_exact
        int power

    const char *w7_json_spaces(const char *at) noexcept
    const char *w7_json_text(const char *at) noexcept
    const char *w7_json_word(const char *at, const char *word) noexcept
    const char *w7_json_scan_number(const char *at, w7_json_number *number) noexcept

cdef extern from "_util/json_shape.h":
    ctypedef enum Kind "w7_json_kind":
        NUMBER "W7_JSON_NUMBER"
        COUNT "W7_JSON_COUNT"
        TEXT "W7_JSON_TEXT"
        FLAG "W7_JSON_FLAG"
        WORD "W7_JSON_WORD"
        ANY "W7_JSON_ANY"
        SHAPE "W7_JSON_SHAPE"
        LATER "W7_JSON_LATER"
        LIST "W7_JSON_LIST"
        TUPLE "W7_JSON_TUPLE"

    const int W7_JSON_MEMBERS
    const int W7_JSON_FINITE_POWER

    ctypedef struct w7_json_word_slot:
        uint64_t key
        void *value

    ctypedef struct w7_json_words:
        w7_json_word_slot *slots
        int bits

    ctypedef struct w7_json_member:
        const char *name
        size_t size
        Kind kind
        Kind part
        const void *shape

    ctypedef struct w7_json_shape:
        w7_json_member *members
        int count
        unsigned int required
        int others

    uint64_t w7_json_word_key(const char *word, size_t size) noexcept
    size_t w7_json_word_place(const w7_json_words *words, uint64_t key) noexcept
    const char *w7_json_pass(const char *at, Kind kind, Kind part, const void *shape,
                             const w7_json_words *words) noexcept

# The result for a text of another shape.
cdef object OTHER = object()
cdef tuple KINDS = ("number", "count", "text", "flag", "word")


cdef struct Text:
    const char *at
    PyObject *words


@cython.final
@cython.no_gc
cdef class Words:
    """The values of words, found without a text being made of the short ones; `other` is called with any other word.

    Thread safety: shared freely.
    """

    cdef dict values
    cdef object other
    cdef w7_json_words c

    def __cinit__(self, dict values not None, other not None):
        cdef size_t place
        cdef uint64_t key
        self.values = dict(values)
        self.other = other
        self.c.bits = 4
        while (<Py_ssize_t>1 << self.c.bits) < 2 * len(self.values):
            self.c.bits += 1
        self.c.slots = <w7_json_word_slot *>PyMem_Calloc(<size_t>1 << self.c.bits, sizeof(w7_json_word_slot))
        if self.c.slots == NULL:
            raise MemoryError
        for word, value in self.values.items():
            text = (<str?>word).encode()
            key = w7_json_word_key(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
            if key != 0:
                place = w7_json_word_place(&self.c, key)
                self.c.slots[place].key = key
                self.c.slots[place].value = <PyObject *>value  # which the dict keeps

    def __dealloc__(self):
        PyMem_Free(self.c.slots)

    cdef object find(self, const char *word, Py_ssize_t size):
        cdef uint64_t key = w7_json_word_key(word, size)
        cdef size_t place
        if key != 0:
            place = w7_json_word_place(&self.c, key)
            if self.c.slots[place].key != 0:
                return <object>self.c.slots[place].value
        text = PyUnicode_DecodeASCII(word, size, NULL)
        return self.values[text] if text in self.values else self.other(text)


@cython.final
@cython.no_gc
cdef class JsonShape:
    """The shape of a JSON object: a call of `make` with the values of some members, in an order of their own.

    Without `make` it is a tuple of them. `members` has, for each of at most 16, its name, its kind and what it is where
    the object has none, `...` if it must have one. A kind is `"number"`: a float, finite; `"count"`: a whole number,
    not negative; `"text"`; `"flag"`: true or false; `"word"`: the value of a text by the `Words` that `read` is given;
    a shape; `Later`; or a list or tuple of one of these. Other members are an argument more: a dict of numbers, texts,
    flags and null, and lists of these; where `others` is false there must be none.

    Thread safety: shared freely.
    """

    cdef object make
    cdef w7_json_shape c
    cdef list names
    cdef list parts
    cdef list missing

    def __cinit__(self, make, list members not None, bint others=True):
        if len(members) > W7_JSON_MEMBERS:
            raise ValueError(f"a shape has at most {W7_JSON_MEMBERS} members")
        self.make = make
        self.c.others = others
        self.c.count = <int>len(members)
        self.names = [name.encode("ascii") for name, _, _ in members]
        self.parts = [part_of(kind) for _, kind, _ in members]
        self.missing = [missing for _, _, missing in members]
        for place, (_, kind, missing) in enumerate(members):
            self.c.required |= <unsigned int>(missing is Ellipsis) << place
            self.c.members[place].name = PyBytes_AS_STRING(<bytes>self.names[place])
            self.c.members[place].size = PyBytes_GET_SIZE(<bytes>self.names[place])
            set_kind(&self.c.members[place], kind)

    def read(self, bytes line not None, Words words=None):
        """Return what `make` returns for the object of a line.

        Returns None for a line that is no such object, or has a text with an escape or a letter beyond ASCII: it may
        be JSON all the same. Raises what `make` raises, and what `words` raises but for `ValueError`.
        """
        return read_all(line, words, SHAPE, SHAPE, self)

    cdef object _object(self, Text *text):
        cdef const char *name
        cdef Py_ssize_t size, place, count = len(self.missing)
        cdef const w7_json_member *member
        cdef unsigned int found = 0
        cdef list values = self.missing[:]
        cdef dict others = {} if self.c.others else None
        if not take(text, c"{"):
            return OTHER
        if not take(text, c"}"):
            while True:
                name = text.at + 1
                if not pass_text(text):
                    return OTHER
                size = text.at - name - 1
                text.at = w7_json_spaces(text.at)
                if not take(text, c":"):
                    return OTHER
                for place in range(count):
                    member = &self.c.members[place]
                    if member.size == <size_t>size and is_name(member.name, name, size):
                        value = element(text, member.kind, member.part, <object>PyList_GET_ITEM(self.parts, place))
                        if value is OTHER:
                            return OTHER
                        found |= <unsigned int>1 << place
                        values[place] = value
                        break
                else:
                    if others is None:
                        return OTHER
                    value = elements(text, ANY, None) if text.at[0] == c"[" else scalar(text, ANY)
                    if value is OTHER:
                        return OTHER
                    others[PyUnicode_DecodeASCII(name, size, NULL)] = value
                if take(text, c","):
                    continue
                if take(text, c"}"):
                    break
                return OTHER
        if self.c.required & ~found:
            return OTHER
        if others is not None:
            values.append(others)
        return tuple(values) if self.make is None else self.make(*values)


@cython.final
@cython.no_gc
cdef class Later:
    """An element of a shape that is checked at once, and read when it is wanted: its value is its text.

    Thread safety: shared freely.
    """

    cdef object shape
    cdef w7_json_member c

    def __cinit__(self, kind):
        self.shape = part_of(kind)
        set_kind(&self.c, kind)

    def read(self, bytes text not None, Words words=None):
        """Return what the text is read as; otherwise as `JsonShape.read`."""
        return read_all(text, words, self.c.kind, self.c.part, self.shape)


cdef object read_all(bytes line, Words words, Kind kind, Kind part, shape):
    """What is on a line, of that kind; None for anything else."""
    cdef Text text
    text.at = w7_json_spaces(PyBytes_AS_STRING(line))
    text.words = <PyObject *>words
    found = element(&text, kind, part, shape)
    # A byte 0 is at the end, and nothing before it is passed by.
    if found is OTHER or text.at != PyBytes_AS_STRING(line) + PyBytes_GET_SIZE(line):
        return None
    return found


cdef bint is_name(const char *name, const char *found, Py_ssize_t size) noexcept:
    """Whether two names of one size are the same: the first letters distinguish most, without a call."""
    return size == 0 or (name[0] == found[0] and memcmp(name, found, size) == 0)


cdef bint take(Text *text, char letter) noexcept:
    """Pass a letter and the spaces after it; False where there is another one."""
    if text.at[0] != letter:
        return False
    text.at = w7_json_spaces(text.at + 1)
    return True


cdef bint pass_text(Text *text) noexcept:
    """Pass a text of plain letters, in quotes."""
    cdef const char *end = w7_json_text(text.at)
    if end == NULL:
        return False
    text.at = end
    return True


cdef Kind kind_of(kind) except *:
    """The kind that is so named."""
    if isinstance(kind, (list, tuple)):
        return LIST if isinstance(kind, list) else TUPLE
    if isinstance(kind, Later):
        return LATER
    return SHAPE if isinstance(kind, JsonShape) else <Kind>KINDS.index(kind)


cdef int set_kind(w7_json_member *member, kind) except -1:
    """Set the kind of a member, whose shape its owner keeps."""
    part = part_of(kind)
    member.kind = kind_of(kind)
    member.part = kind_of(part)
    if isinstance(part, JsonShape):
        member.shape = &(<JsonShape>part).c
    elif isinstance(part, Later):
        member.shape = &(<Later>part).c
    return 0


cdef object part_of(kind):
    """The shape of a kind, or the kind of its elements, which are to be of one that has no elements."""
    return kind[0] if isinstance(kind, (list, tuple)) else kind


cdef object element(Text *text, Kind kind, Kind part, object shape):
    """What is there, of that kind, and the spaces after it passed; OTHER where it is of another kind."""
    cdef const char *begin = text.at
    if kind == SHAPE:
        return (<JsonShape>shape)._object(text)
    if kind == LATER:
        text.at = w7_json_pass(begin, kind, part, &(<Later>shape).c,
                               NULL if text.words is <PyObject *>None else &(<Words><object>text.words).c)
        return OTHER if text.at is NULL else PyBytes_FromStringAndSize(begin, text.at - begin)
    if kind >= LIST:
        value = elements(text, part, shape)
        return tuple(<list>value) if kind == TUPLE and value is not OTHER else value
    return scalar(text, kind)


cdef object elements(Text *text, Kind kind, object shape):
    """A list of elements of a kind."""
    cdef list found = []
    if not take(text, c"["):
        return OTHER
    if take(text, c"]"):
        return found
    while True:
        value = element(text, kind, kind, shape)
        if value is OTHER:
            return OTHER
        found.append(value)
        if take(text, c"]"):
            return found
        if not take(text, c","):
            return OTHER


cdef object scalar(Text *text, Kind kind):
    """A number, a text, true, false or null, of that kind."""
    cdef w7_json_number number
    cdef const char *begin = text.at
    cdef const char *end
    if begin[0] == c'"':
        if not (kind == TEXT or kind == WORD or kind == ANY) or not pass_text(text):
            return OTHER
        if kind == WORD:
            try:
                value = (<Words?><object>text.words).find(begin + 1, text.at - begin - 2)
            except ValueError:
                return OTHER
        else:
            value = PyUnicode_DecodeASCII(begin + 1, text.at - begin - 2, NULL)
        text.at = w7_json_spaces(text.at)
        return value
    if scan_number(begin, kind, &number, &end):
        if end == NULL:
            return OTHER
        if not number.is_exact and not number.is_whole:
            number.value = PyOS_string_to_double(begin, <char **>&end, NULL)
        if not number.is_whole:
            value = number.value
        else:
            value = <double>number.whole if kind == NUMBER else number.whole
    else:
        end = scan_name(begin, kind)
        if end == NULL:
            return OTHER
        value = None if begin[0] == c"n" else begin[0] == c"t"
    text.at = w7_json_spaces(end)
    return value


cdef bint scan_number(const char *at, Kind kind, w7_json_number *number, const char **end) except -1:
    """Whether there is a number, and where it ends; NULL where it is not of that kind."""
    cdef char *stop
    end[0] = w7_json_scan_number(at, number)
    if end[0] == NULL:
        return False
    if kind == COUNT:
        if not number.is_whole or number.whole < 0:
            end[0] = NULL
    elif kind != NUMBER and kind != ANY:
        end[0] = NULL
    elif number.power > W7_JSON_FINITE_POWER and not isfinite(PyOS_string_to_double(at, &stop, NULL)):
        end[0] = NULL
    return True


cdef const char *scan_name(const char *at, Kind kind) noexcept:
    """Where true, false or, of any kind, null ends; NULL where there is none of them."""
    cdef const char *end = NULL
    if kind == FLAG or kind == ANY:
        end = w7_json_word(at, "true")
        if end == NULL:
            end = w7_json_word(at, "false")
        if end == NULL and kind == ANY:
            end = w7_json_word(at, "null")
    return end
