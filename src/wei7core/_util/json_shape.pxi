"""JSON objects of a known shape, read into calls without dicts and lists between."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.math cimport isfinite
from libc.string cimport memcmp

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0

cdef extern from "_util/json_scan.h" nogil:
    ctypedef struct w7_json_number:
        double value
        int64_t whole
        bint is_whole
        bint is_exact

    const char *w7_json_spaces(const char *at) noexcept
    const char *w7_json_text(const char *at) noexcept
    const char *w7_json_word(const char *at, const char *word) noexcept
    const char *w7_json_scan_number(const char *at, w7_json_number *number) noexcept

cdef enum:
    MOST_MEMBERS = 16


cdef enum Kind:
    NUMBER
    COUNT
    TEXT
    FLAG
    WORD
    SHAPE
    LIST
    TUPLE


cdef struct ShapeMember:
    const char *name
    Py_ssize_t size
    Kind kind


# What is read of a text that is not of the shape.
cdef object OTHER = object()
cdef tuple KINDS = ("number", "count", "text", "flag", "word")


cdef struct Text:
    const char *at
    PyObject *table


@cython.final
@cython.no_gc
cdef class JsonShape:
    """The shape of a JSON object: a call of `make` with the values of some members, in an order of their own.

    Without `make` it is a tuple of them. `members` has, for each of at most 16, its name, its kind and what it is where
    the object has none, `...` if it must have one. A kind is `"number"`: a float, finite; `"count"`: a whole number,
    not negative; `"text"`; `"flag"`: true or false; `"word"`: an element of the table that `read` is given, by a text;
    a shape; or a list or tuple of one of these. Other members are an argument more: a dict of numbers, texts, flags and
    null, and lists of these; where `others` is false there must be none.

    Thread safety: shared freely.
    """

    cdef object make
    cdef bint others
    cdef ShapeMember members[MOST_MEMBERS]
    cdef list names
    cdef list parts
    cdef list missing

    def __cinit__(self, make, list members not None, bint others=True):
        if len(members) > MOST_MEMBERS:
            raise ValueError(f"a shape has at most {MOST_MEMBERS} members")
        self.make = make
        self.others = others
        self.names = [name.encode("ascii") for name, _, _ in members]
        self.parts = [kind if isinstance(kind, (str, JsonShape)) else kind[0] for _, kind, _ in members]
        self.missing = [missing for _, _, missing in members]
        for place, (_, kind, _) in enumerate(members):
            self.members[place].name = PyBytes_AS_STRING(<bytes>self.names[place])
            self.members[place].size = PyBytes_GET_SIZE(<bytes>self.names[place])
            self.members[place].kind = kind_of(kind)

    def read(self, bytes line not None, table=None):
        """Return what `make` returns for the object of a line.

        Returns None for a line that is no such object, or has a text with an escape or a letter beyond ASCII: it may
        be JSON all the same. Raises what `make` raises, and what an element of `table` raises but for `ValueError`.
        """
        cdef Text text
        text.at = w7_json_spaces(PyBytes_AS_STRING(line))
        text.table = <PyObject *>table
        found = self._object(&text)
        # A byte 0 is at the end, and nothing before it is passed by.
        if found is OTHER or text.at != PyBytes_AS_STRING(line) + PyBytes_GET_SIZE(line):
            return None
        return found

    cdef object _object(self, Text *text):
        cdef const char *name
        cdef Py_ssize_t size, place, count = len(self.missing)
        cdef const ShapeMember *member
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
                    if member.size == size and memcmp(member.name, name, size) == 0:
                        value = element(text, member.kind, <object>PyList_GET_ITEM(self.parts, place))
                        if value is OTHER:
                            return OTHER
                        values[place] = value
                        break
                else:
                    if others is None:
                        return OTHER
                    value = other(text)
                    if value is OTHER:
                        return OTHER
                    others[PyUnicode_DecodeASCII(name, size, NULL)] = value
                if take(text, c","):
                    continue
                if take(text, c"}"):
                    break
                return OTHER
        if Ellipsis in values:
            return OTHER
        if others is not None:
            values.append(others)
        return tuple(values) if self.make is None else self.make(*values)


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
    """The kind that is so named; of a list or tuple, whose elements are to be of a kind that has no elements."""
    if isinstance(kind, (list, tuple)):
        return LIST if isinstance(kind, list) else TUPLE
    return SHAPE if isinstance(kind, JsonShape) else <Kind>KINDS.index(kind)


cdef object element(Text *text, Kind kind, object part):
    """What is there, of that kind, and the spaces after it passed; OTHER where it is of another kind."""
    if kind == SHAPE:
        return (<JsonShape>part)._object(text)
    if kind >= LIST:
        value = elements(text, kind_of(part), part)
        return tuple(<list>value) if kind == TUPLE and value is not OTHER else value
    value = scalar(text)
    if kind == NUMBER:
        if type(value) is int:
            return <double>value
        return value if type(value) is float else OTHER
    if kind == COUNT:
        return value if type(value) is int and value >= 0 else OTHER
    if type(value) is not (bool if kind == FLAG else str):
        return OTHER
    if kind == WORD:
        try:
            return (<object>text.table)[value]
        except ValueError:
            return OTHER
    return value


cdef object elements(Text *text, Kind kind, object part):
    """A list of elements of a kind; of kind LIST, of any that are no lists."""
    cdef list found = []
    if not take(text, c"["):
        return OTHER
    if take(text, c"]"):
        return found
    while True:
        value = scalar(text) if kind == LIST else element(text, kind, part)
        if value is OTHER:
            return OTHER
        found.append(value)
        if take(text, c"]"):
            return found
        if not take(text, c","):
            return OTHER


cdef object other(Text *text):
    return elements(text, LIST, None) if text.at[0] == c"[" else scalar(text)


cdef object scalar(Text *text):
    """A number, a text, true, false or null."""
    cdef w7_json_number number
    cdef const char *begin = text.at
    cdef const char *end
    if begin[0] == c'"':
        if not pass_text(text):
            return OTHER
        value = PyUnicode_DecodeASCII(begin + 1, text.at - begin - 2, NULL)
        text.at = w7_json_spaces(text.at)
        return value
    end = w7_json_scan_number(begin, &number)
    if end != NULL:
        if not number.is_exact and not number.is_whole:
            number.value = PyOS_string_to_double(begin, <char **>&end, NULL)
            if not isfinite(number.value):
                return OTHER
        value = number.whole if number.is_whole else number.value
    else:
        value = True
        end = w7_json_word(begin, "true")
        if end == NULL:
            value = False
            end = w7_json_word(begin, "false")
        if end == NULL:
            value = None
            end = w7_json_word(begin, "null")
        if end == NULL:
            return OTHER
    text.at = w7_json_spaces(end)
    return value
