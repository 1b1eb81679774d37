"""`PointSet`: a set of points of one size of board, on bits."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT32_MAX, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from collections.abc import Set

import numpy as np

from wei7core.errors import BoardSizeError
from wei7core.limits import MAX_POINTS

from wei7core.board.kernel cimport W7_OK, w7_status

cdef extern from "board/kernel/bits.h" nogil:
    int w7_lowest_bit(uint64_t bits) noexcept

cdef extern from "board/kernel/partition.h" nogil:
    enum:
        W7_BY_COLOR

    ctypedef struct w7_partition:
        uint8_t *cells
        uint32_t *parts
        uint32_t count

    size_t w7_partition_place(const w7_partition *partition, int32_t x, int32_t y) noexcept
    w7_status w7_partition_init(w7_partition *partition, int32_t width, int32_t height) noexcept
    void w7_partition_free(w7_partition *partition) noexcept
    void w7_partition_number(w7_partition *partition, int compared) noexcept

cdef enum Operation:
    UNION
    INTERSECTION
    DIFFERENCE
    SYMMETRIC_DIFFERENCE

cdef int64_t MAX_POINTS_DEFAULT = MAX_POINTS


@cython.final
cdef class PointSet:
    """PointSet(points, width, height=None, *, max_points=None)\n--\n
    A set of points of one size of board, stored as bits.

    `PointSet(points, 19)` is a set on a square, `PointSet(points, width, height)` on any rectangle from 1 x 1;
    `points` is an iterable of `(x, y)`, counted from 0 at the top left. It is iterated in reading order: row by
    row from the top, each from the left.

    It works as a frozenset of pairs does: immutable, with the same operators, methods and comparisons, equal to
    any set of the same points and with the same hash, so that it can be a key. Operators take sets, methods any
    iterables; what they return is a `PointSet` of this size. Points off the board are never in it: adding some
    (`|`, `^`) raises, other operations ignore them. In addition to a frozenset it has a board: `~points` are all
    others, `dilate`, `neighbours` and `components` follow the lines, and it prints as a diagram.

    Raises `OffBoardError` (an `IndexError` and a `ValueError`) for a point off the board, `BoardSizeError` for a
    size that `Board` refuses. Safe to share by threads. The class cannot be subclassed.
    """

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __cinit__(self):
        self.known_hash = -1

    def __init__(self, points, width, height=None, *, max_points=None):
        cdef int64_t columns = read_integer(width)
        cdef int64_t rows = columns if height is None else read_integer(height)
        cdef int64_t most = MAX_POINTS_DEFAULT if max_points is None else read_integer(max_points)
        cdef PointSet read
        if columns < 1 or rows < 1:
            raise BoardSizeError(f"the sides of a board are at least 1, not {columns} x {rows}")
        if columns > most // rows:
            raise BoardSizeError(f"a {columns} x {rows} board has more than {most} points (max_points)")
        if columns > INT32_MAX // rows:
            raise BoardSizeError("a board has less than 2 ** 31 points")
        read = empty_point_set(<int32_t>columns, <int32_t>rows)
        read_points(read, points, True)
        with cython.critical_section(self):
            if self.c.words is not NULL:
                raise TypeError("a PointSet cannot change after construction")
            self.c = read.c
            read.c.words = NULL

    def __dealloc__(self):
        free(self.c.words)

    # --- properties ---

    @property
    def width(self):
        """Number of columns of the board."""
        return self.c.width

    @property
    def height(self):
        """Number of rows of the board."""
        return self.c.height

    @property
    def size(self):
        """`(width, height)` of the board."""
        return self.c.width, self.c.height

    # --- a collection ---

    def __len__(self):
        return w7_points_count(&self.c)

    def __bool__(self):
        cdef size_t index
        for index in range(w7_points_word_count(&self.c)):
            if self.c.words[index]:
                return True
        return False

    def __contains__(self, point):
        return has_point(self, point)

    def __iter__(self):
        cdef size_t index
        cdef int32_t y
        cdef uint64_t bits
        for y in range(self.c.height):
            for index in range(self.c.row_words):
                bits = self.c.words[<size_t>y * self.c.row_words + index]
                while bits:
                    yield <int32_t>(64 * index) + w7_lowest_bit(bits), y
                    bits &= bits - 1

    def __hash__(self):
        cdef Py_hash_t known
        with cython.critical_section(self):
            known = self.known_hash
        if known == -1:
            known = hash(frozenset(self))
            with cython.critical_section(self):
                self.known_hash = known
        return known

    # --- comparison ---

    def __eq__(self, other):
        if same_size(self, other):
            return w7_points_equal(&self.c, &(<PointSet>other).c)
        if not is_set(other):
            return NotImplemented
        return len(self) == len(other) and has_all(self, other)

    def __le__(self, other):
        return self.issubset(other) if is_set(other) else NotImplemented

    def __lt__(self, other):
        return self.issubset(other) and len(self) < len(other) if is_set(other) else NotImplemented

    def __ge__(self, other):
        return has_all(self, other) if is_set(other) else NotImplemented

    def __gt__(self, other):
        return has_all(self, other) and len(self) > len(other) if is_set(other) else NotImplemented

    def issubset(self, other):
        """Return whether all points are in another set or iterable."""
        return not combine(self, other, DIFFERENCE)

    def issuperset(self, other):
        """Return whether all points of another set or iterable are here."""
        return has_all(self, other)

    def isdisjoint(self, other):
        """Return whether no point of another set or iterable is here."""
        return not combine(self, other, INTERSECTION)

    # --- operations on sets ---

    def __or__(self, other):
        return combine(self, other, UNION) if is_set(other) else NotImplemented

    def __ror__(self, other):
        return combine(self, other, UNION) if is_set(other) else NotImplemented

    def __and__(self, other):
        return combine(self, other, INTERSECTION) if is_set(other) else NotImplemented

    def __rand__(self, other):
        return combine(self, other, INTERSECTION) if is_set(other) else NotImplemented

    def __xor__(self, other):
        return combine(self, other, SYMMETRIC_DIFFERENCE) if is_set(other) else NotImplemented

    def __rxor__(self, other):
        return combine(self, other, SYMMETRIC_DIFFERENCE) if is_set(other) else NotImplemented

    def __sub__(self, other):
        return combine(self, other, DIFFERENCE) if is_set(other) else NotImplemented

    def __rsub__(self, other):
        return combine(converted(self, other, True), self, DIFFERENCE) if is_set(other) else NotImplemented

    def __invert__(self):
        """Return all points of the board that are not here."""
        cdef PointSet others = empty_point_set(self.c.width, self.c.height)
        cdef size_t index
        for index in range(w7_points_word_count(&self.c)):
            others.c.words[index] = ~self.c.words[index] & w7_points_columns(&self.c, index % self.c.row_words)
        return others

    def union(self, *others):
        """Return these points and those of the others, which are iterables."""
        for other in others:
            self = combine(self, other, UNION)
        return self

    def intersection(self, *others):
        """Return the points that all others, which are iterables, have too."""
        for other in others:
            self = combine(self, other, INTERSECTION)
        return self

    def difference(self, *others):
        """Return the points that none of the others, which are iterables, has."""
        for other in others:
            self = combine(self, other, DIFFERENCE)
        return self

    def symmetric_difference(self, other):
        """Return the points that are here or in the other iterable, but not in both."""
        return combine(self, other, SYMMETRIC_DIFFERENCE)

    # --- on the board ---

    def dilate(self):
        """Return these points and all adjacent ones."""
        cdef PointSet wider = empty_point_set(self.c.width, self.c.height)
        w7_points_dilate(&self.c, &wider.c)
        return wider

    def neighbours(self):
        """Return the points adjacent to these that are not here themselves."""
        return combine(self.dilate(), self, DIFFERENCE)

    def components(self):
        """Return the connected parts as a list of sets, in reading order of their first points.

        Each of them takes the memory of a whole board, a bit a point.
        """
        cdef w7_partition partition
        cdef list parts = []
        cdef int32_t x, y
        cdef dict numbers = {}
        if w7_partition_init(&partition, self.c.width, self.c.height) != W7_OK:
            raise MemoryError("not enough memory for the parts of a set of points")
        try:
            for y in range(self.c.height):
                for x in range(self.c.width):
                    partition.cells[w7_partition_place(&partition, x, y)] = w7_points_has(&self.c, x, y)
            w7_partition_number(&partition, W7_BY_COLOR)
            for x, y in self:
                number = partition.parts[w7_partition_place(&partition, x, y)]
                if number not in numbers:
                    numbers[number] = len(parts)
                    parts.append(empty_point_set(self.c.width, self.c.height))
                w7_points_put(&(<PointSet>parts[numbers[number]]).c, x, y)
        finally:
            w7_partition_free(&partition)
        return parts

    # --- arrays ---

    def to_array(self):
        """Return a new bool array of shape `(height, width)`: `array[y, x]` is whether (x, y) is a member."""
        cdef Py_buffer view
        cdef uint8_t *cells
        cdef int32_t x, y
        array = np.empty((self.c.height, self.c.width), dtype=np.bool_)
        PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
        cells = <uint8_t *>view.buf
        for y in range(self.c.height):
            for x in range(self.c.width):
                cells[<size_t>y * <size_t>self.c.width + x] = w7_points_has(&self.c, x, y)
        PyBuffer_Release(&view)
        return array

    @staticmethod
    def from_array(array, *, max_points=None):
        """Return the set of the points where a bool array of shape `(height, width)` is true.

        Raises `ValueError` for another number of dimensions, `TypeError` for other elements and `BoardSizeError` as
        `PointSet()` does.
        """
        cdef Py_buffer view
        cdef const uint8_t *cells
        cdef PointSet points
        cdef int32_t x, y
        given = np.asarray(array)
        if given.ndim != 2:
            raise ValueError(f"a set of points is an array of 2 dimensions (height, width), not {given.ndim}")
        if given.dtype.kind != "b":
            raise TypeError(f"the elements of a set of points are bool, not {given.dtype}")
        points = PointSet((), given.shape[1], given.shape[0], max_points=max_points)
        # A copy, because other threads must not change the cells while they are read.
        PyObject_GetBuffer(np.array(given, order="C"), &view, PyBUF_SIMPLE)
        cells = <const uint8_t *>view.buf
        for y in range(points.c.height):
            for x in range(points.c.width):
                if cells[<size_t>y * <size_t>points.c.width + x]:
                    w7_points_put(&points.c, x, y)
        PyBuffer_Release(&view)
        return points

    # --- the data model ---

    def __reduce__(self):
        return _rebuild_point_set, (self.width, self.height, np.packbits(self.to_array(), bitorder="little").tobytes())

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"PointSet({list(self)}, {self.width}, {self.height})"

    def __str__(self):
        """A diagram: a line for each row, 1 for a point that is here and a dot for another."""
        cells = np.where(self.to_array(), "1", ".")
        return "\n".join(" ".join(row) for row in cells)


Set.register(PointSet)


def _rebuild_point_set(width, height, bits):
    """Return the set that was pickled."""
    cells = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=width * height, bitorder="little")
    return PointSet.from_array(cells.reshape(height, width).astype(np.bool_), max_points=width * height)


cdef PointSet empty_point_set(int32_t width, int32_t height):
    cdef PointSet points = PointSet.__new__(PointSet)
    points.c.row_words = (<size_t>width + 63) // 64
    points.c.words = <uint64_t *>calloc(points.c.row_words * <size_t>height, sizeof(uint64_t))
    if points.c.words is NULL:
        raise MemoryError("not enough memory for a set of points")
    points.c.width = width
    points.c.height = height
    return points


cdef int read_points(PointSet points, object others, bint strict) except -1:
    """Add points to a set; points off the board raise with `strict` and are ignored without it."""
    cdef int64_t x, y
    for point in others:
        if not strict:
            try:
                read_point(point, points.c.height, &x, &y)
            except (TypeError, ValueError):
                continue
        else:
            read_point(point, points.c.height, &x, &y)
        if 0 <= x < points.c.width and 0 <= y < points.c.height:
            w7_points_put(&points.c, <int32_t>x, <int32_t>y)
        elif strict:
            raise off_board(point, x, y, points.c.width, points.c.height)
    return 0


cdef bint is_set(object other) except -1:
    """Whether operators accept it: common types first, because a check for the abstract one is slow."""
    return type(other) is PointSet or isinstance(other, (frozenset, set)) or isinstance(other, Set)


cdef bint same_size(PointSet points, object other):
    return (type(other) is PointSet and points.c.width == (<PointSet>other).c.width
            and points.c.height == (<PointSet>other).c.height)


cdef PointSet converted(PointSet points, object other, bint strict):
    """The points of another set or iterable as a set of this size."""
    cdef PointSet read
    if same_size(points, other):
        return <PointSet>other
    read = empty_point_set(points.c.width, points.c.height)
    read_points(read, other, strict)
    return read


cdef PointSet combine(PointSet points, object other, Operation operation):
    cdef PointSet result = empty_point_set(points.c.width, points.c.height)
    cdef PointSet second = converted(points, other, operation == UNION or operation == SYMMETRIC_DIFFERENCE)
    cdef const uint64_t *a = points.c.words
    cdef const uint64_t *b = second.c.words
    cdef uint64_t *to = result.c.words
    cdef size_t index, count = w7_points_word_count(&points.c)
    if operation == UNION:
        for index in range(count):
            to[index] = a[index] | b[index]
    elif operation == INTERSECTION:
        for index in range(count):
            to[index] = a[index] & b[index]
    elif operation == DIFFERENCE:
        for index in range(count):
            to[index] = a[index] & ~b[index]
    else:
        for index in range(count):
            to[index] = a[index] ^ b[index]
    return result


cdef bint has_point(PointSet points, object point) except -1:
    cdef int64_t x, y
    try:
        read_point(point, points.c.height, &x, &y)
    except (TypeError, ValueError):
        return False
    return w7_points_has(&points.c, x, y)


cdef bint has_all(PointSet points, object others) except -1:
    for point in others:
        if not has_point(points, point):
            return False
    return True
