"""Conversion of Python arguments for the kernel, and of its statuses to exceptions."""

from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.mem cimport PyMem_Realloc
from cpython.number cimport PyNumber_Index
from libc.stdint cimport INT64_MAX, INT64_MIN, uint8_t

from wei7core.coordinates import given_pair, given_point, given_text, gtp_point, off_board
from wei7core.errors import BoardSizeError, IllegalMoveError, IllegalPositionError, OffBoardMoveError
from wei7core.rules import PERMISSIVE, Rules, named

from wei7core.board.kernel cimport (
    W7_AFTER_MOVE,
    W7_BAD_COLOR,
    W7_BAD_SIZE,
    W7_NO_LIBERTY,
    W7_NO_MEMORY,
    W7_OCCUPIED,
    W7_OFF_BOARD,
    W7_OK,
    W7_TOO_DEEP,
    w7_board_has_point,
    w7_board_judge,
    w7_board_move_count,
)

cdef tuple COLOR_NAMES = ("empty", "black", "white")
cdef object DEFAULT = PERMISSIVE
cdef w7_rules DEFAULT_FLAGS
DEFAULT_FLAGS.ko = PERMISSIVE.ko
DEFAULT_FLAGS.suicide = PERMISSIVE.suicide


# --- from Python values to C ---------------------------------------------------------------------

cdef int64_t read_other_integer(object value) except? -1:
    cdef int overflow = 0
    cdef int64_t number
    if isinstance(value, bool):
        raise TypeError(f"expected an integer, not {value}")
    try:
        number = PyLong_AsLongLongAndOverflow(PyNumber_Index(value), &overflow)
    except TypeError:
        raise TypeError(f"expected an integer, not {value!r}") from None
    if overflow:
        return INT64_MAX if overflow > 0 else INT64_MIN
    return number


cdef int refuse_color(object color) except -1:
    """A color that is not exactly the int 1 or 2: it may still be an integer of that value."""
    cdef int64_t number
    if isinstance(color, (bool, str)):
        raise TypeError(f"a color is wei7core.BLACK (1) or wei7core.WHITE (2), not {color!r}")
    number = read_integer(color)
    if number != W7_BLACK and number != W7_WHITE:
        raise ValueError(f"a color is wei7core.BLACK (1) or wei7core.WHITE (2), not {color!r}")
    return <int>number


cdef int read_color_or_empty(object color) except -1:
    return W7_EMPTY if read_integer(color) == W7_EMPTY else read_color(color)


cdef int read_other_point(object point, int64_t height, int64_t *x, int64_t *y) except -1:
    cdef tuple pair = <tuple>point if type(point) is tuple and len(<tuple>point) == 2 else pair_of(point, height)
    x[0] = read_integer(pair[0])
    y[0] = read_integer(pair[1])
    return 0


cdef tuple pair_of(object point, int64_t height):
    cdef tuple pair
    if isinstance(point, str):
        named = gtp_point(point, height)
        if named is None:
            raise ValueError("a pass is no point of the board")
        return named
    try:
        # Bytes would be read as their numbers, and sets have no order.
        pair = None if isinstance(point, (bytes, bytearray, set, frozenset, dict)) else tuple(point)
    except TypeError:
        pair = None
    if pair is None:
        raise TypeError(f'a point is a pair (x, y) of integers or text as "D4", not {point!r}')
    if len(pair) != 2:
        raise ValueError(f'a point is a pair (x, y) of integers or text as "D4", not {point!r}')
    return pair


cdef object point_by(object system, object point, const w7_board *board):
    """A point given as text of another system than GTP, as a pair or "pass"; other objects are returned unchanged."""
    if system == "gtp" or not isinstance(point, str):
        given_point("pass", 1, 1, system)  # refuses an unknown system
        return point
    return given_point(point, board.grid.width, board.grid.height, system)


cdef bint is_pass(object point) except -1:
    return point is None or (isinstance(point, str) and point.strip().lower() == "pass")


cdef int64_t read_stones(object stones, int64_t height, bint or_empty, w7_placement **placements,
                         list points) except -1:
    cdef w7_placement *grown
    cdef int64_t count = 0, room = 0, x, y
    for stone in stones:
        try:
            color, point = stone
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"a stone is a pair (color, point), not {stone!r}") from None
        if count == room:
            room = 2 * room + 16
            grown = <w7_placement *>PyMem_Realloc(placements[0], <size_t>room * sizeof(w7_placement))
            if grown is NULL:
                raise MemoryError("not enough memory for the stones")
            placements[0] = grown
        read_point(point, height, &x, &y)
        placements[0][count].color = <uint8_t>(read_color_or_empty(color) if or_empty else read_color(color))
        placements[0][count].x = narrow(x)
        placements[0][count].y = narrow(y)
        points.append((x, y) if type(point) is tuple else given_pair(point, x, y))
        count += 1
    return count


cdef int read_rules(object rules, w7_rules *flags) except -1:
    if rules is DEFAULT:  # attributes of other objects take as long as a move
        flags[0] = DEFAULT_FLAGS
        return 0
    if type(rules) is not Rules:
        rules = named(rules)
    flags.ko = <uint8_t>read_integer(rules.ko)
    flags.suicide = rules.suicide is True
    return 0


cdef w7_status judge_move(
    w7_board *board, w7_rules rules, int color, int32_t x, int32_t y, w7_verdict *verdict
) noexcept nogil:
    return w7_board_judge(board, rules, color, x, y, verdict)


# --- from C to Python values ---------------------------------------------------------------------

cdef int raise_status(
    w7_status status, const w7_board *board, int color=0, object point=None, object given=None
) except -1:
    if status == W7_OK:
        return 0
    if status == W7_NO_MEMORY:
        raise MemoryError("not enough memory for the board or its history")
    if status == W7_BAD_SIZE:
        raise BoardSizeError("the sides of a board are at least 1 and it has less than 2 ** 31 points")
    size = f"{board.grid.width} x {board.grid.height}"
    if status == W7_AFTER_MOVE:
        raise IllegalPositionError("stones cannot be set up after a move or an edit", point=None, reason="after-move")
    if status == W7_NO_LIBERTY:
        raise IllegalPositionError(
            f"the stone at {given_text(point, point)} leaves a block without liberties", point=tuple(point),
            reason="no-liberty")
    number = w7_board_move_count(board) + 1
    if status == W7_TOO_DEEP:
        moves = "1 move" if number == 2 else f"{number - 1} moves"
        raise IllegalMoveError(
            f"only {moves} can be taken back", move_number=number, color=None, point=None, reason="too-deep")
    if status == W7_BAD_COLOR:
        raise ValueError("a color is 1 (black) or 2 (white)")
    where = f"move {number}: {COLOR_NAMES[color]} at {given_text(given, point)}"
    if status == W7_OCCUPIED:
        raise IllegalMoveError(
            f"{where}: the point is occupied", move_number=number, color=color, point=point, reason="occupied")
    if status == W7_OFF_BOARD:
        raise OffBoardMoveError(
            f"{where}: the point is off the {size} board", move_number=number, color=color, point=point)
    raise SystemError(f"unexpected status {<int>status} of the board kernel")


cdef int raise_setup_status(w7_status status, const w7_board *board, object point) except -1:
    if status == W7_OCCUPIED:
        raise IllegalPositionError(
            f"there is a stone at {given_text(point, point)} already", point=tuple(point), reason="occupied")
    if status == W7_OFF_BOARD:
        raise IllegalPositionError(
            f"the point {given_text(point, point)} is off the {board.grid.width} x {board.grid.height} board",
            point=tuple(point), reason="off-board")
    return raise_status(status, board, 0, point)


cdef int require_point(const w7_board *board, int64_t x, int64_t y, object given) except -1:
    if not w7_board_has_point(board, x, y):
        raise off_board(given, x, y, board.grid.width, board.grid.height)
    return 0
