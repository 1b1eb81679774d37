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

cdef enum:
    MOST_MEMBERS = 16
    SURELY_FINITE = 289  # power of ten of 18 digits


cdef enum Kind:
    NUMBER
    COUNT
    TEXT
    FLAG
    WORD
    ANY
    SHAPE
    LATER
    LIST
    TUPLE


cdef struct ShapeMember:
    const char *name
    Py_ssize_t size
    Kind kind
    Kind part  # of the elements of a list


# What is read of a text that is not of the shape.
cdef object OTHER = object()
cdef tuple KINDS = ("number", "count", "text", "flag", "word")


cdef struct Text:
    const char *at
    PyObject *words


cdef enum:
    LONGEST_WORD = 7  # letters that a key has room for, next to their number


cdef struct WordSlot:
    uint64_t key  # 0: free
    PyObject *value


@cython.final
@cython.no_gc
cdef class Words:
    """The values of words, found without a text being made of the short ones; `other` is called with any other word.

    Thread safety: shared freely.
    """

    cdef dict values
    cdef object other
    cdef WordSlot *slots
    cdef int bits

    def __cinit__(self, dict values not None, other not None):
        cdef Py_ssize_t place, size
        cdef uint64_t key
        self.values = dict(values)
        self.other = other
        self.bits = 4
        while (<Py_ssize_t>1 << self.bits) < 2 * len(self.values):
            self.bits += 1
        size = <Py_ssize_t>1 << self.bits
        self.slots = <WordSlot *>PyMem_Calloc(size, sizeof(WordSlot))
        if self.slots == NULL:
            raise MemoryError
        for word, value in self.values.items():
            text = (<str?>word).encode()
            key = key_of_word(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
            if key != 0:
                place = self.place_of(key)
                self.slots[place].key = key
                self.slots[place].value = <PyObject *>value  # which the dict keeps

    def __dealloc__(self):
        PyMem_Free(self.slots)

    cdef Py_ssize_t place_of(self, uint64_t key) noexcept:
        """The place of a key, or the free one where it would be."""
        cdef Py_ssize_t place = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - self.bits))
        while self.slots[place].key != 0 and self.slots[place].key != key:
            place = (place + 1) & ((<Py_ssize_t>1 << self.bits) - 1)
        return place

    cdef object find(self, const char *word, Py_ssize_t size):
        cdef uint64_t key = key_of_word(word, size)
        cdef Py_ssize_t place
        if key != 0:
            place = self.place_of(key)
            if self.slots[place].key != 0:
                return <object>self.slots[place].value
        text = PyUnicode_DecodeASCII(word, size, NULL)
        return self.values[text] if text in self.values else self.other(text)

    cdef bint has(self, const char *word, Py_ssize_t size) except -1:
        """Whether `find` finds a word."""
        cdef uint64_t key = key_of_word(word, size)
        if key == 0 or self.slots[self.place_of(key)].key == 0:
            try:
                self.find(word, size)
            except ValueError:
                return False
        return True


cdef uint64_t key_of_word(const char *word, Py_ssize_t size) noexcept:
    """The letters and the length of a word; 0 for one that is too long."""
    cdef uint64_t key = size
    cdef Py_ssize_t place
    if size > LONGEST_WORD or size == 0:
        return 0
    for place in range(size):
        key = key << 8 | <unsigned char>word[place]
    return key


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
    cdef bint others
    cdef ShapeMember members[MOST_MEMBERS]
    cdef unsigned int required  # a bit for each member
    cdef list names
    cdef list parts
    cdef list missing

    def __cinit__(self, make, list members not None, bint others=True):
        if len(members) > MOST_MEMBERS:
            raise ValueError(f"a shape has at most {MOST_MEMBERS} members")
        self.make = make
        self.others = others
        self.names = [name.encode("ascii") for name, _, _ in members]
        self.parts = [part_of(kind) for _, kind, _ in members]
        self.missing = [missing for _, _, missing in members]
        for place, (_, kind, missing) in enumerate(members):
            self.required |= <unsigned int>(missing is Ellipsis) << place
            self.members[place].name = PyBytes_AS_STRING(<bytes>self.names[place])
            self.members[place].size = PyBytes_GET_SIZE(<bytes>self.names[place])
            self.members[place].kind = kind_of(kind)
            self.members[place].part = kind_of(self.parts[place])

    def read(self, bytes line not None, Words words=None):
        """Return what `make` returns for the object of a line.

        Returns None for a line that is no such object, or has a text with an escape or a letter beyond ASCII: it may
        be JSON all the same. Raises what `make` raises, and what `words` raises but for `ValueError`.
        """
        return read_all(line, words, SHAPE, SHAPE, self)

    cdef object _object(self, Text *text):
        cdef const char *name
        cdef Py_ssize_t size, place, count = len(self.missing)
        cdef const ShapeMember *member
        cdef unsigned int found = 0
        cdef list values = self.missing[:]
        cdef dict others = {} if self.others else None
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
                    member = &self.members[place]
                    if member.size == size and is_name(member.name, name, size):
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
        if self.required & ~found:
            return OTHER
        if others is not None:
            values.append(others)
        return tuple(values) if self.make is None else self.make(*values)

    cdef bint _passes(self, Text *text) except -1:
        """Whether `_object` reads an object; passes it."""
        cdef const char *name
        cdef Py_ssize_t size, place, count = len(self.missing)
        cdef const ShapeMember *member
        cdef unsigned int found = 0
        if not take(text, c"{"):
            return False
        if take(text, c"}"):
            return self.required == 0
        while True:
            name = text.at + 1
            if not pass_text(text):
                return False
            size = text.at - name - 1
            text.at = w7_json_spaces(text.at)
            if not take(text, c":"):
                return False
            for place in range(count):
                member = &self.members[place]
                if member.size == size and is_name(member.name, name, size):
                    if not passes(text, member.kind, member.part, <object>PyList_GET_ITEM(self.parts, place)):
                        return False
                    found |= <unsigned int>1 << place
                    break
            else:
                if not self.others or not passes(text, LIST if text.at[0] == c"[" else ANY, ANY, None):
                    return False
            if not take(text, c","):
                return take(text, c"}") and self.required & ~found == 0


@cython.final
@cython.no_gc
cdef class Later:
    """An element of a shape that is checked at once, and read when it is wanted: its value is its text.

    Thread safety: shared freely.
    """

    cdef object shape
    cdef Kind kind
    cdef Kind part

    def __cinit__(self, kind):
        self.shape = part_of(kind)
        self.kind = kind_of(kind)
        self.part = kind_of(self.shape)

    def read(self, bytes text not None, Words words=None):
        """Return what the text is read as; otherwise as `JsonShape.read`."""
        return read_all(text, words, self.kind, self.part, self.shape)


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
    """Whether two names of one size are the same: the first letters tell most apart, without a call."""
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


cdef object part_of(kind):
    """The shape of a kind, or the kind of its elements, which are to be of one that has no elements."""
    return kind[0] if isinstance(kind, (list, tuple)) else kind


cdef object element(Text *text, Kind kind, Kind part, object shape):
    """What is there, of that kind, and the spaces after it passed; OTHER where it is of another kind."""
    cdef const char *begin = text.at
    if kind == SHAPE:
        return (<JsonShape>shape)._object(text)
    if kind == LATER:
        if not passes(text, kind, part, shape):
            return OTHER
        return PyBytes_FromStringAndSize(begin, text.at - begin)
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


cdef bint passes(Text *text, Kind kind, Kind part, object shape) except -1:
    """Whether `element` reads what is there; passes it."""
    cdef w7_json_number number
    cdef const char *begin = text.at
    cdef const char *end
    if kind == SHAPE:
        return (<JsonShape>shape)._passes(text)
    if kind == LATER:
        return passes(text, (<Later>shape).kind, (<Later>shape).part, (<Later>shape).shape)
    if kind >= LIST:
        if not take(text, c"["):
            return False
        if take(text, c"]"):
            return True
        while passes(text, part, part, shape):
            if not take(text, c","):
                return take(text, c"]")
        return False
    if begin[0] == c'"':
        if not (kind == TEXT or kind == WORD or kind == ANY) or not pass_text(text):
            return False
        if kind == WORD and not (<Words?><object>text.words).has(begin + 1, text.at - begin - 2):
            return False
        end = text.at
    elif not scan_number(begin, kind, &number, &end):
        end = scan_name(begin, kind)
    if end == NULL:
        return False
    text.at = w7_json_spaces(end)
    return True


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
    elif number.power > SURELY_FINITE and not isfinite(PyOS_string_to_double(at, &stop, NULL)):
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
