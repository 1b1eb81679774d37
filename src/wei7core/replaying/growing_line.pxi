"""`GrowingLine`: a line of a game that grows by one action at a time, at the cost of the action."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.mem cimport PyMem_Free
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.string cimport memcpy, strlen

from wei7core._util._native cimport MappedLines
from wei7core.board._values cimport judge_move, read_rules
from wei7core.board.kernel cimport W7_LEGAL, w7_rules, w7_verdict

cdef extern from "Python.h":
    enum:
        Py_DTSF_ADD_DOT_0
    char *PyOS_double_to_string(double value, char format, int precision, int flags, int *kind)
    int PyObject_IS_GC(object instance)
    void PyObject_GC_UnTrack(void *instance)

cdef enum:
    MOST_NUMBER = 32    # bytes of a number, whole or not
    MOST_PIECES = 256
    MOST_LINE = MOST_PIECES + 6 * MOST_NUMBER

# The text before and after the numbers of a move.
cdef enum:
    BEFORE_NUMBER
    AFTER_NUMBER
    BEFORE_TIME
    AFTER_TIME
    BEFORE_COLOR
    PASS
    BEFORE_X
    BEFORE_Y
    AFTER_POINT
    BEFORE_ACTOR
    END
    PIECES


@cython.no_gc  # an action refers to no event; without, games of many moves would set off collections of all of them
cdef class NumberedAction:
    """An action with its place in a line: `number`, from 0; `action`; `actor` and `time`, or None."""

    cdef readonly object number
    cdef readonly object action
    cdef readonly object actor
    cdef readonly object time

    def __init__(self, number, action, actor=None, time=None):
        self.number = number
        self.action = action
        self.actor = actor
        self.time = time

    def __reduce__(self):
        return type(self), (self.number, self.action, self.actor, self.time)


cdef class GrowingLine:
    """The actions so far, and the board after them; whatever is no plain move is for the owner of the line to judge.

    Attributes: `board`; `actions`; `actors`, how many there can be; `sides`, the color of each actor that has one
    alone; `time`, the latest so far; `most_time`; `is_closed`: no move is added; `rules` and `clock`, which judge
    moves, or None; `write`, called with the text of each move before it counts, unless `lines` has room for it, or
    None; `kind`, a subclass of `NumberedAction`;
    `pieces`, the text before and after the numbers of a move: before its number and after it, before and after its
    time, before its color, of a pass, before x and y, after y, before its actor, and at the end.
    """

    cdef public KernelBoard board
    cdef public list actions
    cdef public Py_ssize_t actors
    cdef public dict sides
    cdef public object time
    cdef public object most_time
    cdef public bint is_closed
    cdef public GameClock clock
    cdef object _rules
    cdef w7_rules flags
    cdef public MappedLines lines
    cdef public object write
    cdef public type kind
    cdef tuple _pieces

    @property
    def pieces(self):
        """The pieces of text."""
        return self._pieces

    @pieces.setter
    def pieces(self, tuple pieces not None):
        if len(pieces) != PIECES or sum([len(<bytes?>piece) for piece in pieces]) > MOST_PIECES:
            raise ValueError(f"{PIECES} pieces of text of at most {MOST_PIECES} bytes are wanted")
        self._pieces = pieces

    @property
    def rules(self):
        """The rules."""
        return self._rules

    @rules.setter
    def rules(self, rules):
        if rules is not None:
            read_rules(rules, &self.flags)
        self._rules = rules

    def add_move(self, action, actor, time):
        """Play a move and return it with its number, or None, and nothing changes, where it is not plain and legal.

        Plain is a `Move` without more than a color and a point, by an actor and at a time that there can be.
        Raises what `write` raises; then nothing has changed.
        """
        cdef KernelBoard board = self.board
        cdef GameClock clock = self.clock
        cdef NumberedAction added
        cdef SideTime remaining
        cdef w7_verdict verdict = W7_LEGAL
        cdef w7_status status = W7_OK
        cdef int color
        cdef int64_t x = -1, y = -1
        cdef double now = 0
        cdef bint is_later
        cdef Py_ssize_t number
        if self.is_closed or self._pieces is None or self.kind is None or board is None or type(action) is not Move:
            return None
        point = action.point
        color = small(action.color, 3)
        if color < 1 or not self._is_plain(action, color, actor, time):
            return None
        if point is not None:
            if not PyTuple_CheckExact(point) or PyTuple_GET_SIZE(point) != 2:
                return None
            x = small(<object>PyTuple_GET_ITEM(point, 0), board.c.grid.width)
            y = small(<object>PyTuple_GET_ITEM(point, 1), board.c.grid.height)
            if x < 0 or y < 0:
                return None
        is_later = time is not None and time > self.time
        if clock is not None:
            if time is None:
                return None
            now = time if is_later else self.time
            if not clock.find_remaining(<int>clock.now.running, now, &remaining):
                return None
        with cython.critical_section(board):
            if self._rules is not None:
                status = judge_move(&board.c, self.flags, color, <int32_t>x, <int32_t>y, &verdict)
            if status == W7_OK and verdict == W7_LEGAL:
                status = w7_board_play(&board.c, color, <int32_t>x, <int32_t>y)
        if status != W7_OK or verdict != W7_LEGAL:
            return None
        number = len(self.actions)
        try:
            if self.write is not None:
                self._write(number, time, color, x, y, actor)
            added = <NumberedAction>(<PyTypeObject *>NumberedAction).tp_new(self.kind, <PyObject *>NO_ARGUMENTS, NULL)
            added.number = number
            added.action = action
            added.actor = actor
            added.time = time
            if PyObject_IS_GC(added):  # a subclass written in Python; many games keep millions of them
                PyObject_GC_UnTrack(<PyObject *>added)
            self.actions.append(added)
        except BaseException:
            with cython.critical_section(board):
                w7_board_undo(&board.c, 1)
            raise
        if is_later:
            self.time = time
        if clock is not None:
            clock.pass_on(color, now, &remaining)
        return added

    cdef bint _is_plain(self, object move, int color, object actor, object time) except -1:
        cdef double seconds
        if move.evaluation is not None or move.problem is not None or move.extra:
            return False
        if actor is not None:
            if small(actor, self.actors) < 0:
                return False
            if self.sides and self.sides.get(actor, color) != color:
                return False
        if time is None:
            return True
        if PyLong_CheckExact(time):
            return small(time, self.most_time) >= 0
        if not PyFloat_CheckExact(time):
            return False
        seconds = PyFloat_AS_DOUBLE(time)
        return seconds >= 0 and seconds < self.most_time

    cdef int _write(self, Py_ssize_t number, object time, int color, int64_t x, int64_t y, object actor) except -1:
        cdef char line[MOST_LINE]
        cdef char *at = line
        cdef char *seconds
        cdef size_t size
        at = put_number(self._put(at, BEFORE_NUMBER), number)
        at = self._put(at, AFTER_NUMBER)
        if time is not None:
            at = self._put(at, BEFORE_TIME)
            if PyLong_CheckExact(time):
                at = put_number(at, time)
            else:
                seconds = PyOS_double_to_string(PyFloat_AS_DOUBLE(time), c"r", 0, Py_DTSF_ADD_DOT_0, NULL)
                if seconds == NULL:
                    raise MemoryError
                size = strlen(seconds)
                memcpy(at, seconds, size)
                at += size
                PyMem_Free(seconds)
            at = self._put(at, AFTER_TIME)
        at = put_number(self._put(at, BEFORE_COLOR), color)
        if x < 0:
            at = self._put(at, PASS)
        else:
            at = put_number(self._put(at, BEFORE_X), x)
            at = put_number(self._put(at, BEFORE_Y), y)
            at = self._put(at, AFTER_POINT)
        if actor is not None:
            at = put_number(self._put(at, BEFORE_ACTOR), actor)
        at = self._put(at, END)
        if self.lines is None or not self.lines.put(line, at - line):
            self.write(PyBytes_FromStringAndSize(line, at - line))
        return 0

    cdef char *_put(self, char *at, int piece):
        cdef PyObject *text = PyTuple_GET_ITEM(self._pieces, piece)
        memcpy(at, PyBytes_AS_STRING(<object>text), PyBytes_GET_SIZE(<object>text))
        return at + PyBytes_GET_SIZE(<object>text)


cdef char *put_number(char *at, int64_t number) noexcept:
    """Write a whole number that is not negative; returns where it ends."""
    cdef char digits[MOST_NUMBER]
    cdef int count = 0
    while True:
        digits[count] = <char>(48 + number % 10)
        count += 1
        number //= 10
        if number == 0:
            break
    while count > 0:
        count -= 1
        at[0] = digits[count]
        at += 1
    return at


cdef int64_t small(object number, int64_t most) noexcept:
    """A whole number from 0 that is less than `most`; -1 for anything else."""
    cdef int overflow = 0
    cdef long long value
    if not PyLong_CheckExact(number):
        return -1
    value = PyLong_AsLongLongAndOverflow(number, &overflow)
    return value if overflow == 0 and 0 <= value < most else -1
