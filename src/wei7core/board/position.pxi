"""Positions as values: small, immutable, hashable, for transposition tables."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport Py_EQ, Py_NE
from libc.stdint cimport INT32_MAX

import numpy as np

from wei7core.errors import BoardSizeError

from wei7core.board.kernel cimport W7_BLACK, W7_EMPTY, w7_board_hash, w7_point, w7_status

cdef extern from "board/kernel/ko_point.h" nogil:
    w7_status w7_board_ko_point(w7_board *board, int color, w7_point *point) noexcept

cdef extern from "board/kernel/pack.h" nogil:
    int64_t w7_packed_size(int64_t width, int64_t height) noexcept
    void w7_board_pack(const w7_board *board, uint8_t *packed) noexcept
    bint w7_packed_is_valid(const uint8_t *packed, int64_t width, int64_t height) noexcept
    uint64_t w7_packed_hash(const uint8_t *packed, int32_t width, int32_t height) noexcept

cdef extern from "board/kernel/zobrist.h" nogil:
    uint64_t w7_zobrist_key(uint64_t kind, uint64_t y, uint64_t x) noexcept

cdef class Position:
    """Position(width, height, packed, to_play=None, ko=None)\n--\n
    The stones of a board as a value: immutable, hashable, picklable, 91 bytes of stones for 19 x 19.

    Two positions are equal if their size and stones are equal, and so are the color `to_play` and the `ko` point that
    is forbidden to it. Both are optional (None). Moves and captures are not part of a position, so that transpositions
    are equal in a table.

    `Board.position` makes one of a board, `Board.from_position` a board of it. `Position(width, height, packed)` is for
    packed stones, two bits a point, as in the column `board` of replayed positions and `wei7core.unpack_boards`.

    Raises `BoardSizeError` if a side is below 1, `ValueError` if `packed` is no board of that size or `ko` is no empty
    point of it, or is given without `to_play`. Positions may be shared by threads.
    """

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, width, height, packed, to_play=None, ko=None):
        cdef int64_t columns = read_integer(width)
        cdef int64_t rows = read_integer(height)
        cdef int64_t x = -1, y = -1
        cdef int color = W7_EMPTY if to_play is None else read_color(to_play)
        cdef bytes stones = packed if type(packed) is bytes else bytes(memoryview(packed))
        cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(stones)
        if columns < 1 or rows < 1 or columns > INT32_MAX or rows > INT32_MAX or columns > INT32_MAX // rows:
            raise BoardSizeError("the sides of a position are at least 1 and it has less than 2 ** 31 points")
        if PyBytes_GET_SIZE(stones) != w7_packed_size(columns, rows) or not w7_packed_is_valid(at, columns, rows):
            raise ValueError(f"these {PyBytes_GET_SIZE(stones)} bytes are no packed board of {columns} x {rows} points")
        if ko is not None:
            read_point(ko, rows, &x, &y)
            if color == W7_EMPTY:
                raise ValueError("ko requires to_play")
            if not (0 <= x < columns and 0 <= y < rows) or stone_at(at, y * columns + x) != W7_EMPTY:
                raise ValueError(f"the ko point ({x}, {y}) is no empty point of the {columns} x {rows} position")
        with cython.critical_section(self):
            if self.packed is not None:
                raise TypeError("a Position cannot change after construction")
            self.packed = stones
            self.columns = <int32_t>columns
            self.rows = <int32_t>rows
            self.key = w7_packed_hash(at, self.columns, self.rows)
            self.color = <uint8_t>color
            self.ko_x = <int32_t>x
            self.ko_y = <int32_t>y

    @property
    def width(self):
        """Number of columns."""
        return self.columns

    @property
    def height(self):
        """Number of rows."""
        return self.rows

    @property
    def size(self):
        """`(width, height)`."""
        return self.columns, self.rows

    @property
    def hash(self):
        """The `Board.hash` of these stones, without `to_play` and `ko`; the same in every release."""
        return self.key

    @property
    def to_play(self):
        """The color to play, or None."""
        return self.color if self.color != W7_EMPTY else None

    @property
    def ko(self):
        """The point that `to_play` may not play on at once, as a ko, or None."""
        return (self.ko_x, self.ko_y) if self.ko_x >= 0 else None

    def to_array(self):
        """Return the stones as a new `uint8` array of shape `(height, width)`: `array[y, x]` is 0, 1 or 2."""
        fours = np.frombuffer(self.packed, dtype=np.uint8)
        points = (fours[:, None] >> np.arange(0, 8, 2, dtype=np.uint8)) & 3
        return points.reshape(-1)[:<int64_t>self.columns * self.rows].reshape(self.rows, self.columns)

    def __getitem__(self, point):
        """Return the color at a point: 0, 1 or 2.

        Raises `OffBoardError` (an `IndexError` and a `ValueError`) off the board; -1 does not wrap.
        """
        cdef int64_t x, y
        read_point(point, self.rows, &x, &y)
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            raise off_board(point, x, y, self.columns, self.rows)
        return stone_at(<const uint8_t *>PyBytes_AS_STRING(self.packed), y * self.columns + x)

    # --- the data model ---

    def __hash__(self):
        cdef uint64_t turn, key = self.key
        if self.color != W7_EMPTY:
            # A kind of key distinct from stones and sizes.
            turn = 2 * <uint64_t>(self.ko_x + 1) + (self.color == W7_BLACK)
            key ^= w7_zobrist_key(3, <uint64_t>(self.ko_y + 1), turn)
        return <Py_hash_t>(key ^ key >> 32)

    def __richcmp__(self, other, int operator):
        cdef Position position
        cdef bint equal
        if not isinstance(other, Position) or (operator != Py_EQ and operator != Py_NE):
            return NotImplemented
        position = <Position>other
        equal = (
            self.key == position.key
            and self.color == position.color
            and self.ko_x == position.ko_x
            and self.ko_y == position.ko_y
            and self.columns == position.columns
            and self.rows == position.rows
            and self.packed == position.packed
        )
        return equal == (operator == Py_EQ)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        most = self.columns, self.rows, self.packed
        if self.color == W7_EMPTY:
            return Position, most
        return Position, (*most, self.to_play) if self.ko_x < 0 else (*most, self.to_play, self.ko)

    def __sizeof__(self):
        """Return the bytes of the position, its stones among them."""
        return object.__sizeof__(self) + self.packed.__sizeof__()

    def __repr__(self):
        turn = "" if self.color == W7_EMPTY else ", black to play" if self.color == W7_BLACK else ", white to play"
        ko = "" if self.ko_x < 0 else f", ko at {self.ko}"
        cells = self.to_array()
        stones = f"{int((cells == W7_BLACK).sum())} black and {int((cells == W7_WHITE).sum())} white stones"
        return f"<wei7core.Position {self.columns} x {self.rows}, {stones}{turn}{ko}, hash {self.key:016x}>"

    def __str__(self):
        """A drawing in text, with coordinates."""
        from wei7core.board import draw

        return draw.text(self.to_array())


cdef inline int stone_at(const uint8_t *packed, int64_t place) noexcept:
    return packed[place >> 2] >> (2 * (place & 3)) & 3


cdef Position position_of(w7_board *board, int color, bint ko):
    cdef Position position = Position.__new__(Position)
    cdef w7_point point
    point.x = point.y = -1
    if ko:
        raise_status(w7_board_ko_point(board, color, &point), board)
    position.packed = PyBytes_FromStringAndSize(NULL, w7_packed_size(board.grid.width, board.grid.height))
    w7_board_pack(board, <uint8_t *>PyBytes_AS_STRING(position.packed))
    position.key = w7_board_hash(board)
    position.columns = board.grid.width
    position.rows = board.grid.height
    position.color = <uint8_t>color
    position.ko_x = point.x
    position.ko_y = point.y
    return position
