# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The board: one position of Go and the moves that led to it."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Free
from cpython.number cimport PyNumber_Index
from libc.stdint cimport INT32_MAX

import numpy as np

from wei7core.coordinates import given_text
from wei7core.errors import BoardSizeError, IllegalPositionError
from wei7core.limits import MAX_POINTS
from wei7core._util.cpu import ISA
from wei7core.rules import PERMISSIVE, Verdict

from wei7core.board._values cimport (
    block_at,
    block_points,
    blocks_of,
    empty_point_set,
    find_children,
    is_pass,
    move_point,
    narrow,
    pass_alive_points,
    point_by,
    PointSet,
    Position,
    position_of,
    raise_setup_status,
    raise_status,
    read_color,
    read_integer,
    read_ladder,
    read_point,
    read_rules,
    read_stones,
    require_point,
    w7_board_is_eye,
    w7_points_put,
)

cdef extern from "board/kernel/self_check.h" nogil:
    const char *w7_board_check(w7_board *board) noexcept

cdef extern from "board/kernel/ko_point.h" nogil:
    w7_status w7_board_ko_point(w7_board *board, int color, w7_point *point) noexcept

cdef extern from "board/kernel/grid.h" nogil:
    const int W7_PLANE_COLUMNS
    const int W7_PLANE_PLACES

cdef extern from "board/kernel/board.h" nogil:
    int64_t w7_board_work(const w7_board *board) noexcept

__all__ = ["BLACK", "EMPTY", "WHITE", "Board"]

EMPTY = W7_EMPTY
BLACK = W7_BLACK
WHITE = W7_WHITE

LADDER_NODES = 100_000
PLANE_COLUMNS = W7_PLANE_COLUMNS
PLANE_POINTS = W7_PLANE_PLACES

cdef int64_t MAX_POINTS_DEFAULT = MAX_POINTS
cdef uint8_t ISA_IN_USE = ISA
cdef tuple VERDICTS = tuple(Verdict)
cdef object GTP = "gtp"


cdef Board new_board():
    """A board without a kernel board, which the caller must make."""
    return Board.__new__(Board)


@cython.final
cdef class Board:
    """Board(width=19, height=None, *, max_points=None)\n--\n
    One position of Go and the moves that led to it, on any width x height.

    `Board(19)` is a square, `Board(width, height)` any rectangle from 1 x 1. A point is a pair `(x, y)` counted
    from 0 at the top left, or text as GTP has it, "D4"; methods take `system="sgf"` for "dd" and "xy" for "3,15"
    (`wei7core.coordinates.SYSTEMS`), and raise `ValueError` for another system.
    Colors are `BLACK` (1), `WHITE` (2) and, for a point without a stone, `EMPTY` (0).

    The rules are those of the wei7 format and no others: a stone is placed on an empty point; then every opponent block
    without liberties is removed; then every own block without liberties is removed. Suicide, immediate ko recapture,
    passes at any time and several moves of one color in a row are legal. `is_legal` applies stricter rules. (Only
    `edit` can create blocks without liberties; a move removes those that it touches.)

    Boards are equal when their size and stones are; they are mutable and have no hash() (see `hash` for a key).
    They can be copied and pickled; pickling keeps the moves and edits. The class cannot be subclassed.

    Thread safety: every method locks the board on free-threaded Python, so that calls do not mix; a sequence of
    calls is not one step. Different boards are independent.

    Raises `BoardSizeError` if a side is below 1 or the board has more than `max_points` points (default
    4,194,304, `wei7core.limits.MAX_POINTS`).
    """

    __hash__ = None

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, width=19, height=None, *, max_points=None):
        cdef int64_t columns, rows, most
        cdef w7_board board
        if isinstance(width, bool) or isinstance(height, bool):
            raise TypeError(f"the sides of a board are integers, not {width if height is None else (width, height)}")
        columns = read_integer(width)
        rows = columns if height is None else read_integer(height)
        most = MAX_POINTS_DEFAULT if max_points is None else read_integer(max_points)
        if columns < 1 or rows < 1:
            raise BoardSizeError(f"the sides of a board are at least 1, not {columns} x {rows}")
        if columns > most // rows:
            raise BoardSizeError(
                f"a {width} x {width if height is None else height} board has more than {most} points (max_points)"
            )
        if columns > INT32_MAX or rows > INT32_MAX:
            raise BoardSizeError("a board has less than 2 ** 31 points")
        raise_status(w7_board_init(&board, <int32_t>columns, <int32_t>rows), &board)
        board.isa = ISA_IN_USE
        with cython.critical_section(self):
            if self.c.grid.width == 0:
                w7_board_free(&self.c)
                self.c = board
                return
        # Code that reads the board while Python code runs relies on its size.
        w7_board_free(&board)
        raise TypeError("a board is made once: its size cannot change")

    def __dealloc__(self):
        cdef w7_board last = self.c
        w7_board_free(&last)  # of the object itself it would write every byte

    # --- properties ---

    @property
    def width(self):
        """Number of columns."""
        return self.c.grid.width

    @property
    def height(self):
        """Number of rows."""
        return self.c.grid.height

    @property
    def size(self):
        """`(width, height)`."""
        return self.c.grid.width, self.c.grid.height

    @property
    def hash(self):
        """A 64-bit key of size and stones, the same on every platform and in every release.

        With `s(n)` output number n (counted from 1) of SplitMix64 from seed 0, that is

            z = n * 0x9E3779B97F4A7C15
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9
            z = (z ^ z >> 27) * 0x94D049BB133111EB
            s = z ^ z >> 31                                     (all modulo 2 ** 64)

        it is `s(height * 2**31 + width)` XOR `s(color * 2**62 + y * 2**31 + x)` of every stone. The side to move
        and earlier positions have no part in it. Usually written `f"{board.hash:016x}"`.
        """
        with cython.critical_section(self):
            return w7_board_hash(&self.c)

    @property
    def canonical_hash(self):
        """The least `hash` among the symmetries that keep width and height: 8 of a square, 4 of a rectangle."""
        with cython.critical_section(self):
            return w7_board_canonical_hash(&self.c)

    @property
    def black_captured(self):
        """Number of black stones removed by the moves in force, by White or by suicide."""
        with cython.critical_section(self):
            return self.c.captured[<int>W7_BLACK]

    @property
    def white_captured(self):
        """Number of white stones removed by the moves in force, by Black or by suicide."""
        with cython.critical_section(self):
            return self.c.captured[<int>W7_WHITE]

    @property
    def move_count(self):
        """Number of moves in force, passes included."""
        with cython.critical_section(self):
            return w7_board_move_count(&self.c)

    @property
    def last_move(self):
        """The last move in force as `(color, point)`, with point None for a pass; None without a move."""
        cdef const w7_move *move
        with cython.critical_section(self):
            if w7_board_move_count(&self.c) == 0:
                return None
            move = w7_board_move(&self.c, w7_board_move_count(&self.c) - 1)
            return move.color, move_point(move)

    @property
    def to_play(self):
        """The color to play, by the moves in force: the opponent of the last one, be it a move or a pass.

        Without a move it is White if the board has at least two black stones and no white ones, as with a handicap, and
        else Black. Edits after a move do not change it. `copy(history=False)` and boards made of stones alone have no
        moves; pass the color to `play` if another one is to play. SGF's PL belongs to a record: see
        `wei7core.Node.to_play`.
        """
        with cython.critical_section(self):
            return turn_of(&self.c)

    @property
    def ko(self):
        """The empty point where `to_play` may not retake a ko at once, or None.

        It is the ko of `wei7core.rules.Ko.SIMPLE`: a stone there would restore the position before the last move.
        `position(color, ko=True).ko` is that of a given color. `play` and `move` accept the point: only rules forbid
        it.
        """
        cdef w7_point point
        with cython.critical_section(self):
            raise_status(w7_board_ko_point(&self.c, turn_of(&self.c), &point), &self.c)
        return (point.x, point.y) if point.x >= 0 else None

    def is_legal(self, color, point, rules=PERMISSIVE, *, system=GTP):
        """Return the verdict of a rule set on a move by the color to play, as a `wei7core.rules.Verdict`.

        It is true if the move is legal, and else names the rule that fired: `if not board.is_legal(...)`, then
        `verdict.reason`. `rules` is a `wei7core.rules.Rules` or the name of one, such as "aga". A pass (None) is always
        legal. Superko considers the moves in force, back to the start or the last `edit` (see `wei7core.rules.Ko`); a
        repeated position is compared stone by stone. Turn order and the end of play are not checked.

        Raises `ValueError` for another color or an unknown name.
        """
        cdef int stone = read_color(color)
        cdef int64_t x = -1, y = -1
        cdef int32_t column = -1, row = -1
        cdef w7_rules flags
        cdef w7_verdict verdict
        read_rules(rules, &flags)
        if system is not GTP:
            point = point_by(system, point, &self.c)
        if not is_pass(point):
            read_point(point, self.c.grid.height, &x, &y)
            column = narrow(x)
            row = narrow(y)
        with cython.critical_section(self):
            raise_status(w7_board_judge(&self.c, flags, stone, column, row, &verdict), &self.c)
        return VERDICTS[<int>verdict]

    def children(self, color, rules=PERMISSIVE):
        """Return what every move of a color would do, for all points at once: a `wei7core.board.children.Children`.

        It has arrays of shape (height, width): `legal`, `reason` (why not), `captured`, `lost` (by suicide), `hash` and
        `self_atari`; iteration yields `((x, y), board)` for every legal move, its board made when it is reached.
        `rules` is as in `is_legal`. The result does not follow the board when that changes.

        Raises `ValueError` for another color or an unknown name.
        """
        cdef int stone = read_color(color)
        cdef w7_rules flags
        read_rules(rules, &flags)
        with cython.critical_section(self):
            return find_children(self, &self.c, stone, flags)

    def legal_points(self, color, rules=PERMISSIVE):
        """Return the points where a rule set allows a color to put a stone, row by row, as a list of (x, y).

        The arguments are those of `children`.
        """
        return self.children(color, rules).points

    def legal(self, color=None, rules=PERMISSIVE):
        """Return where a rule set allows a color to put a stone, as a `PointSet`.

        `color` is by default the one whose turn it is (`to_play`), and `rules` is as in `is_legal`. A pass is legal
        always and no point. `children` describes every move. Raises `ValueError` for another color or an unknown
        name.
        """
        cdef int stone = W7_EMPTY if color is None else read_color(color)
        cdef w7_rules flags
        cdef PointSet points
        read_rules(rules, &flags)
        points = empty_point_set(self.c.grid.width, self.c.grid.height)
        with cython.critical_section(self):
            children = find_children(self, &self.c, turn_of(&self.c) if stone == W7_EMPTY else stone, flags)
        for x, y in children.points:
            w7_points_put(&points.c, x, y)
        return points

    # --- changing the board ---

    def play(self, color, point, *, system=GTP):
        """Play a move and return the number of stones it removed: of the opponent or, by suicide, of its own color.

        `point` is `(x, y)` or text of `system`, None or "pass" a pass. Raises `IllegalMoveError` if the point is
        occupied or off the board, `ValueError` for another color; the board is then unchanged.
        """
        return play_point(self, read_color(color), point, system)

    def move(self, point, *, system=GTP):
        """Play a move of the color to play (`to_play`) and return the number of stones it removed, as `play` does.

        Thread safety: the turn is found and the move played in one step. Raises `IllegalMoveError` if the point is
        occupied or off the board, `ValueError` for text that is no point; the board is then unchanged.
        """
        return play_point(self, W7_EMPTY, point, system)

    def undo(self, n=1):
        """Take back the last n moves in force, passes included, and restore the position exactly.

        Edits after the first of these moves are undone with them. Raises `IllegalMoveError` (reason `too-deep`) if
        fewer moves are in force, `ValueError` for a negative n; the board is then unchanged.
        """
        cdef int64_t count = read_integer(n)
        if count < 0:
            raise ValueError(f"the number of moves to take back is not negative, as {n} is")
        with cython.critical_section(self):
            raise_status(w7_board_undo(&self.c, count), &self.c)

    push = move

    def pop(self):
        """Take back the last move in force, as `undo` does, and return it as `(color, point)`."""
        cdef const w7_move *move
        cdef tuple last = None
        with cython.critical_section(self):
            if w7_board_move_count(&self.c):
                move = w7_board_move(&self.c, w7_board_move_count(&self.c) - 1)
                last = move.color, move_point(move)
            raise_status(w7_board_undo(&self.c, 1), &self.c)
        return last

    def setup(self, stones, *, system=GTP):
        """Add stones before the first move; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`. Raises `IllegalPositionError` if a point is off the board or not
        empty, if a block would lose its last liberty or have none (clause P-8), and if moves or edits are in force.
        """
        if system is not GTP:
            stones = [(color, point_by(system, point, &self.c)) for color, point in stones]
        set_up(self, stones)

    def handicap(self, n, placement="fixed"):
        """Place handicap stones of Black on an empty board and return their points, row by row, as a list of (x, y).

        `placement` is "fixed", the places of GTP 2 (section 4.1; 2 to 9 stones, at most 4 if a side is even or 7, none
        if one is shorter), or "free": any number from 2, first on the fixed places, further ones as far as possible
        from the stones and the outside of the board. The stones are no moves; `to_play` is White after them.

        Raises `ValueError` for another placement and if there are no places for so many stones, `IllegalPositionError`
        if moves or edits are in force, a stone is on the board or, with so many free ones, a block would have no
        liberty. The board is then unchanged.

        Thread safety: the check for stones and the setup are two steps.
        """
        return place_handicap(self, n, placement)

    def edit(self, stones, *, system=GTP):
        """Add or remove stones at any time; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`, carried out in order: the point gets that color, whatever its
        content, and with `EMPTY` (0) no stone. This is the semantics of AB, AW and AE of SGF (FF[4], setup properties):
        it is no move, nothing is captured, and blocks without liberties are possible. `undo` of an earlier move undoes
        it.

        Thread safety: one step, as every method is. Raises `OffBoardError` (an `IndexError` and a `ValueError`) for
        a point off the board, `ValueError` for another color.
        """
        if system is not GTP:
            stones = [(color, point_by(system, point, &self.c)) for color, point in stones]
        edit_points(self, stones)

    # --- other boards ---

    def copy(self, history=True):
        """Return an independent board of the same stones and captures.

        Without `history` the copy has no moves and edits to take back, and allows setup, as for a search. With it the
        copy shares the moves of the board until it plays itself; only then they are copied.
        """
        cdef Board copy = new_board()
        cdef bint with_history = history
        with cython.critical_section(self):
            raise_status(w7_board_assign(&copy.c, &self.c, with_history), &self.c)
        return copy

    def position(self, to_play=None, *, ko=False):
        """Return the stones on the board as a `Position`, a small value for tables and sets.

        With `to_play` the position includes the color to play. With `ko` it also includes the point where that color
        may not retake a ko at once (see `wei7core.rules.Ko.SIMPLE`). Captures and moves are not included.

        Raises `ValueError` for another color, or `ko` without `to_play`.
        """
        cdef int color = W7_EMPTY if to_play is None else read_color(to_play)
        cdef bint with_ko = ko
        if with_ko and color == W7_EMPTY:
            raise ValueError("ko requires to_play")
        with cython.critical_section(self):
            return position_of(&self.c, color, with_ko)

    @staticmethod
    def from_position(Position position not None, *, max_points=None):
        """Return a board with the stones of a `Position`, without captures and moves.

        Raises `BoardSizeError` as `Board()` does.
        """
        cdef Board board = Board(position.columns, position.rows, max_points=max_points)
        write_cells(&board.c, position.to_array(), True)
        return board

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def transformed(self, symmetry):
        """Return the board rotated or reflected, with its captures but without moves.

        `symmetry` is 0 to 7, a sum: 4 exchanges x and y, and width and height; then 1 counts columns from the other
        side, and 2 rows. Raises `ValueError` for another number.
        """
        cdef int64_t number = read_integer(symmetry)
        if number < 0 or number > 7:
            raise ValueError(f"a symmetry is a number from 0 to 7, not {symmetry!r}")
        cdef Board board = new_board()
        cdef Board now = self.copy(history=False)  # a consistent snapshot, even if other threads play on it
        width, height = self.size if number < 4 else self.size[::-1]
        raise_status(w7_board_init(&board.c, width, height), &board.c)
        board.c.isa = ISA_IN_USE
        write_cells(&board.c, read_cells(&now.c, <int>number), True)
        board.c.captured[<int>W7_BLACK] = now.c.captured[<int>W7_BLACK]
        board.c.captured[<int>W7_WHITE] = now.c.captured[<int>W7_WHITE]
        return board

    # --- arrays ---

    def to_array(self):
        """Return the position as a new `uint8` array of shape `(height, width)`: `array[y, x]` is 0, 1 or 2."""
        with cython.critical_section(self):
            return read_cells(&self.c, 0)

    @staticmethod
    def from_array(array, *, max_points=None):
        """Return a board with the stones of a 2-D integer array, indexed `[y, x]`, of 0, 1 and 2.

        Raises `ValueError` for another shape or value, `TypeError` for other elements, `BoardSizeError` as
        `Board()` does and `IllegalPositionError` where a block has no liberty.
        """
        return board_of_array(array, max_points)

    @staticmethod
    def from_text(str text not None, *, max_points=None):
        """Return the board of a diagram, without moves: `print(board)`, or other common drawings.

        Black is one of `X x # @ ●`, white `O o ○`, an empty point `. , + · ┼`, with spaces between the points or none.
        Row numbers, names of columns, edges (`+---+`, `|`) and the brackets of a last move are optional. Supported are
        the boards that GNU Go, Pachi and KataGo print, and diagrams of Sensei's Library (`$$`) with their numbered
        moves as stones; see `wei7core.board.parse_diagram`.

        Raises `DiagramError` (a `ValueError`) with line and column of the first error, `BoardSizeError` as `Board()`
        does and `IllegalPositionError` where a block has no liberty.
        """
        from wei7core.board import parse_diagram as diagrams

        return Board.from_array(diagrams.cells_of_text(text), max_points=max_points)

    def __getitem__(self, point):
        """Return the color at a point: 0, 1 or 2.

        Raises `OffBoardError` (an `IndexError` and a `ValueError`) off the board; -1 does not wrap.
        """
        cdef int64_t x, y
        read_point(point, self.c.grid.height, &x, &y)
        with cython.critical_section(self):
            require_point(&self.c, x, y, point)
            return w7_board_get(&self.c, <int32_t>x, <int32_t>y)

    def block(self, point, *, system=GTP):
        """Return the `Block` at a point: a frozenset of its stones with its color, liberties and neighbours.

        It is empty without a stone, and a snapshot of the current position. Raises `OffBoardError` (an `IndexError` and
        a `ValueError`) off the board.
        """
        cdef int64_t x, y
        point = given_place(self, point, system, &x, &y)
        with cython.critical_section(self):
            require_point(&self.c, x, y, point)
            return block_at(&self.c, <int32_t>x, <int32_t>y)

    def blocks(self, color=None):
        """Return all blocks, or those of one color, as a list in reading order of their first stones.

        One pass over the board finds them all. As with `block` they are snapshots of the current position.
        """
        cdef int stone = W7_EMPTY if color is None else read_color(color)
        with cython.critical_section(self):
            return blocks_of(&self.c, stone)

    def liberties(self, point, *, system=GTP):
        """Return the liberties of the block at a point as a frozenset of points; empty without a stone.

        Raises `OffBoardError` (an `IndexError` and a `ValueError`) off the board.
        """
        cdef int64_t x, y
        point = given_place(self, point, system, &x, &y)
        with cython.critical_section(self):
            require_point(&self.c, x, y, point)
            return frozenset(block_points(&self.c, <int32_t>x, <int32_t>y, True))

    def neighbours(self, point, *, system=GTP):
        """Return the points adjacent to a point, row by row, as a list of two to four (x, y).

        On a board of one row or column there are fewer. Raises `OffBoardError` (an `IndexError` and a `ValueError`) off
        the board.
        """
        cdef int64_t x, y
        point = given_place(self, point, system, &x, &y)
        require_point(&self.c, x, y, point)
        around = (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)
        return [near for near in around if w7_board_has_point(&self.c, near[0], near[1])]

    def ladder(self, point, first=None, *, max_nodes=LADDER_NODES, system=GTP):
        """Read whether the block at a point is captured in a ladder, and return a `Ladder`: `captured` and `line`.

        `first` is the color that moves first; by default the owner of a block in atari, and the opponent of any other.
        In a ladder every move of the opponent leaves the block one liberty or takes it. Its owner captures an adjacent
        block in atari, or extends on a liberty. The block escapes if it gets three liberties, or two while the opponent
        has no such move; one with three or more at the start escapes at once, one without liberties, made by an edit,
        counts as captured. Neither side plays suicide or repeats a position of the line or the one before the board's
        last move: a ko is not retaken at once, and one that cannot be retaken saves the block.

        At most `max_nodes` moves are tried, by default 100,000, some tenths of a second (less of them where blocks of
        hundreds of stones are followed); if that is not enough, `captured` is None. Raises `ValueError` without a
        stone, `OffBoardError` off the board.
        """
        cdef int64_t x, y, nodes = read_integer(max_nodes)
        cdef int color = W7_EMPTY if first is None else read_color(first)
        point = given_place(self, point, system, &x, &y)
        if nodes < 0:
            raise ValueError(f"the number of moves to try is not negative, as {max_nodes} is")
        with cython.critical_section(self):
            require_point(&self.c, x, y, point)
            if w7_board_get(&self.c, <int32_t>x, <int32_t>y) == W7_EMPTY:
                raise ValueError(f"there is no stone at {given_text(point, (x, y))}")
            return read_ladder(&self.c, <int32_t>x, <int32_t>y, color, nodes)

    def is_eye(self, point, color, *, system=GTP):
        """Return whether a point is an eye of a color in this position.

        It is empty, with stones of that color on every side; and these are one block, or the opponent has a stone on
        one of its diagonals at most, and on none where the point is at the edge. Empty diagonals do not count
        against it. Raises `OffBoardError` off the board.
        """
        cdef int64_t x, y
        cdef int stone = read_color(color)
        point = given_place(self, point, system, &x, &y)
        with cython.critical_section(self):
            require_point(&self.c, x, y, point)
            return w7_board_is_eye(&self.c, stone, <int32_t>x, <int32_t>y)

    def pass_alive(self, color):
        """Return the unconditionally alive stones and territory of a color as `PassAlive`.

        By the algorithm of D. B. Benson, Life in the game of Go, Information Sciences 10 (1976). The blocks of the
        color cut the board into regions; a region is vital to a block if each of its empty points is a liberty of that
        block. Blocks with fewer than two vital regions are removed, and the regions adjacent to them, until nothing
        changes. `stones` are the remaining blocks, `territory` the regions vital to one of them, with the opponent's
        stones there. It is valid under rules that forbid suicide: suicide of several stones can open a region again.
        """
        cdef int stone = read_color(color)
        with cython.critical_section(self):
            return pass_alive_points(&self.c, stone)

    def moves(self):
        """Return the moves in force, the first one first, as `(color, point)` with point None for a pass."""
        cdef Board now
        cdef int64_t index
        cdef const w7_move *move
        moves = []
        if self.c.grid.width == 0:  # never made
            return moves
        now = self.copy()  # creating tuples may run other code, which may change the board
        for index in range(w7_board_move_count(&now.c)):
            move = w7_board_move(&now.c, index)
            moves.append((move.color, move_point(move)))
        return moves

    # --- the data model ---

    def __eq__(self, other):
        cdef Board board
        if not isinstance(other, Board):
            return NotImplemented
        board = <Board>other
        with cython.critical_section(self, board):
            return w7_board_equal(&self.c, &board.c)

    def __reduce__(self):
        cdef Board start
        start = self.copy()
        moves, edits = start.moves(), edit_rows(&start.c)
        w7_board_rewind(&start.c, 0, 0)
        captured = start.black_captured, start.white_captured
        return _rebuild, (start.width, start.height, start.to_array().tobytes(), captured, moves, edits)

    def __repr__(self):
        turn = "black" if self.to_play == W7_BLACK else "white"
        ko = "" if self.ko is None else f", ko at {self.ko}"
        moves = "1 move" if self.move_count == 1 else f"{self.move_count} moves"
        return f"<wei7core.Board {self.width} x {self.height}, {moves}, {turn} to play{ko}, hash {self.hash:016x}>"

    def __str__(self):
        """A drawing in text, with coordinates."""
        from wei7core.board import draw

        return draw.text(self.to_array(), last=last_point(self))

    def svg(self, **options):
        """Return a picture of the board as SVG.

        The options are those of `wei7core.board.drawing.arguments.PictureOptions`: theme, size, region, coordinates,
        last, numbers, first_number, marks, ghosts, heat, legend, ownership, arrows, lines, dim, view, ladder,
        pass_alive, title, alt. Raises `TypeError` for another option, `ValueError` for a value that an option cannot
        have and for a board of more than 100,000 points, `OffBoardError` for a point off the board.
        """
        from wei7core.board.drawing.of_board import board_svg

        return board_svg(self, **options)

    def _repr_svg_(self):
        """A drawing as SVG, for notebooks; None for a board too large to draw, which a notebook shows as text."""
        from wei7core.board import draw

        return None if self.width * self.height > draw.MAX_SVG_POINTS else self.svg()

    def _put(self, stones):
        """Like setup, without checking liberties. For walks: the setup at the root of an SGF record."""
        put_stones(self, stones)

    def _take_away(self, points):
        """Remove preset stones, with no history in force. For walks that return to a fork."""
        take_stones(self, points)

    def _rewind(self, move_count, edit_count):
        """Return to the state with so many moves and edits in force. For walks that return to a fork."""
        with cython.critical_section(self):
            raise_status(w7_board_rewind(&self.c, move_count, edit_count), &self.c)

    @property
    def _edits(self):
        """The number of edits in force, and that of the moves in force when the last one was made, or 0. For walks."""
        with cython.critical_section(self):
            return w7_board_edit_count(&self.c), w7_board_edited_at(&self.c)

    @property
    def _work(self):
        """The additional cost of the moves so far, in steps. For limits."""
        with cython.critical_section(self):
            return w7_board_work(&self.c)

    def _check(self):
        """Raise `AssertionError` unless the kernel's data are consistent. For tests."""
        cdef const char *wrong
        with cython.critical_section(self):
            wrong = w7_board_check(&self.c)
        if wrong is not NULL:
            raise AssertionError(wrong.decode())


def last_passes(Board board not None, int64_t most):
    """Return the number of passes among the last moves in force, counted up to `most`."""
    cdef int64_t count = 0
    with cython.critical_section(board):
        most = min(most, w7_board_move_count(&board.c))
        while count < most and w7_board_move(&board.c, w7_board_move_count(&board.c) - 1 - count).x < 0:
            count += 1
    return count


include "setup.pxi"
include "turns.pxi"
include "cells.pxi"
include "area.pxi"
include "planes.pxi"
