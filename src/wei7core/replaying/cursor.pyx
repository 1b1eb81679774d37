# cython: language_level=3, freethreading_compatible=True, nonecheck=True, embedsignature.format=clinic
"""Walking a document with a board: every node of a tree for O(total steps) board operations.

A walk uses one board. It plays forward, returns by undo, and replays the moves of ancestors that a branch had
withdrawn. A branch ends at an unplayable step; content never raises, only limits do. A walk and its nodes may be used
by one thread at a time.

`BoardCursor` moves one step at a time instead, forward and back, as its caller directs. `GrowingLine` is a line that is
played just now.
"""

cimport cython
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t

from wei7core.board.board cimport (
    Board as KernelBoard,
    W7_BAD_COLOR,
    W7_OCCUPIED,
    W7_OK,
    w7_board,
    w7_board_assign,
    w7_board_move,
    w7_board_move_count,
    w7_board_play,
    w7_board_removed,
    w7_board_undo,
    w7_move,
    w7_point,
    w7_status,
)
from wei7core.board._values cimport narrow, raise_status, read_color, read_integer, read_point
from wei7core.record.record cimport Record, Step, w7_record

from wei7core._util.free_threading cimport W7_THREADS_RUN_FREE

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(void *object) noexcept
    Py_ssize_t w7_reference_count "Py_REFCNT"(PyObject *object) noexcept
    Py_ssize_t Py_SIZE(PyObject *object) noexcept
    PyTypeObject *Py_TYPE(PyObject *object) noexcept
    PyObject *w7_item "PyList_GET_ITEM"(PyObject *list, Py_ssize_t index) noexcept

cdef extern from "board/kernel/board.h" nogil:
    int64_t w7_board_work(const w7_board *board) noexcept
    w7_status w7_history_reserve(w7_board *board, int64_t moves, int64_t removed) noexcept

cdef extern from "replaying/main_line.h" nogil:
    ctypedef struct w7_step:
        int32_t x
        int32_t y
        uint8_t color
    ctypedef struct w7_tree:
        int32_t parent
        int32_t ordinal
        int32_t first_branch
        int32_t first_step
    ctypedef struct w7_main_line:
        int64_t tree
        int64_t index
        int64_t depth
    bint w7_main_line_enter(const w7_record *record, int64_t tree, w7_main_line *line) noexcept
    int64_t w7_main_line_row(const w7_record *record, const w7_main_line *line) noexcept
    bint w7_main_line_is_move(const w7_record *record, int64_t row) noexcept

from typing import Literal

from wei7core.board.board import Board
from wei7core.record.document import (
    Branch, Edit, MarkAction, Message, Move, Note, Result, Setup, Takeback, Unreadable, inside_itself, require_step,
)
from wei7core.errors import ERROR, Problem, record_error

__all__ = [
    "BoardCursor",
    "Claim",
    "Cursor",
    "EditLog",
    "GameClock",
    "GrowingLine",
    "Node",
    "NodeSource",
    "NumberedAction",
    "Place",
    "node_at",
    "parse_path",
    "removed_points",
    "walk_branches",
    "walk_line",
]

Claim = Literal["victory", "resignation", "score", "draw", "statement"]
"""The meaning of a result step for its actor; a statement has an unknown side."""

_WITHOUT_BOARD = (Result, MarkAction, Message, Note)

cdef enum:
    _MOST_RESERVED = 4096  # moves: a game, not a record that only claims many

include "place.pxi"
include "node.pxi"


cdef inline bint is_bare(object step) noexcept:
    """Whether a step is a move, whose object was not asked for, and nothing else."""
    return type(step) is Step and (<Step>step).color != 0 and (<Step>step)._members is None


@cython.final
cdef class _Level:
    """The undo data of entering a branch."""

    cdef Py_ssize_t floor   # fewest moves in force within the branch
    cdef Py_ssize_t edits   # in force when it was entered; no takeback reaches before one
    cdef list withdrawn     # moves of ancestors that it withdrew, last first
    cdef list stones        # points set up on the empty board by its `pre`
    cdef object branch      # an `id`
    cdef tuple saved

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, branch, floor, edits, saved):
        self.branch = branch
        self.floor = floor
        self.edits = edits
        self.withdrawn = []
        self.stones = []
        self.saved = saved


@cython.final
cdef class Cursor(NodeSource):
    """A board that follows a walk through the tree of a document."""

    cdef KernelBoard _kernel    # is `board`; None for one that tests have put in its place
    cdef Py_ssize_t moves       # in force
    cdef object step
    cdef Py_ssize_t removed
    cdef object time
    cdef bint is_answer
    cdef int64_t _most          # moves, of the limits
    cdef int64_t _work
    cdef list _levels
    cdef set _inside            # the `id` of each branch that is entered
    cdef bint _touched          # a move, an edit or a preset stone precedes, possibly withdrawn
    cdef bint _in_problem
    cdef Place _place

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        NodeSource.__init__(self, document, limits, kind, game, log)
        self.removed = 0
        self._most = min(limits.max_moves, INT64_MAX // 2)
        self._work = 0
        self._levels = []
        self._inside = set()
        # A record has the size of its document.
        self.board = Board(document.width, document.height, max_points=limits.max_points)
        self._kernel = self.board if type(self.board) is KernelBoard else None

    @cython.nonecheck(False)
    cdef inline int _spend(self, int64_t moves) except -1:
        self._work += moves
        if self._kernel is None or w7_board_work(&self._kernel.c) > self._most - self._work:
            self._refuse_excess()
        return 0

    cdef bint is_spent(self) noexcept:
        """Whether another move would be one too many."""
        return self._kernel is not None and w7_board_work(&self._kernel.c) >= self._most - self._work

    cdef int _refuse_excess(self) except -1:
        cdef int64_t beyond = self.board._work if self._kernel is None else w7_board_work(&self._kernel.c)
        if beyond > self._most - self._work:
            ordinals = () if self._place is None else self._place.path
            path = "$.tree" + "".join([f".branches[{ordinal}]" for ordinal in ordinals])
            message = f"walking the record takes more than {self._limits.max_moves} moves and stones set up"
            raise record_error(Problem("limit-replay", "", ERROR, 0, 1, 1, path, message))
        return 0

    cpdef bint enter(self, Place place) except -1:
        """Enter a branch and set up its `pre`; returns whether its steps can be played."""
        cdef _Level level
        if not isinstance(place.branch, Branch):
            raise TypeError(f"branches are Branch objects, not {place.branch!r:.80}")
        self._place = place
        pre = place.branch.pre
        if id(place.branch) in self._inside:
            raise inside_itself([above.branch for above in place.chain()])
        self._inside.add(id(place.branch))
        saved = self._touched, self._in_problem, self.time
        level = _Level(id(place.branch), self.moves, self.board._edits[0], saved)
        self._levels.append(level)
        self.step = None
        self.removed = 0
        self.is_answer = False
        if pre is None:
            return True
        self._in_problem = self._in_problem or pre.problem is not None
        if not pre.stones:
            return "stones" not in pre.extra and "<stones>" not in pre.extra
        self._spend(len(pre.stones))
        if self._touched:
            return False
        stones = [(stone.color, stone.point) for stone in pre.stones]
        try:
            (self.board._put if pre.unchecked and place.parent is None else self.board.setup)(stones)
        except ValueError:
            return False
        self.state += 1
        self._touched = True
        level.stones = [point for _, point in stones]
        return True

    cdef int reserve(self, Py_ssize_t moves) except -1:
        """Reserve memory for the history of some moves, up to a limit: to grow while copies share it costs a copy."""
        cdef int64_t most = min(moves, _MOST_RESERVED)
        if self._kernel is not None:
            with cython.critical_section(self._kernel):
                raise_status(w7_history_reserve(&self._kernel.c, most, most), &self._kernel.c)
        return 0

    cpdef bint apply(self, step) except -1:
        """Carry out a step; returns False, without any change, if impossible."""
        cdef object problem = None
        cdef Py_ssize_t removed = 0
        if is_bare(step) and self.play(<Step>step):
            return True
        if not isinstance(step, Step):
            require_step(step)
        action = step.action
        if isinstance(action, Move):
            self._spend(1)
            try:
                removed = self.board.play(action.color, action.point)
            except ValueError:
                if not self.document.replaces or action.color not in (1, 2) or not self._empty(action.point):
                    return False
                removed = self.board.play(action.color, action.point)
            problem = action.problem
            self.state += 1
            self.moves += 1
            self._touched = True
        elif isinstance(action, Takeback):
            if not 1 <= action.count <= self.moves - self.board._edits[1]:
                return False
            self._take_back(action.count)
        elif isinstance(action, Edit):
            self._spend(len(action.stones))
            try:
                self.board.edit([(stone.color, stone.point) for stone in action.stones])
            except ValueError:
                return False
            self.state += 1
            self._touched = True
        elif isinstance(action, Unreadable):
            if action.may_be_move:
                return False
        elif not isinstance(action, _WITHOUT_BOARD):
            require_step(step)
        self.removed = removed
        self.step = step
        self.is_answer = self._in_problem
        if problem is not None:
            self._in_problem = True
        time = step.time
        if time is not None and (self.time is None or time > self.time):
            self.time = time
        return True

    cdef int enter_played(self, Place place, Py_ssize_t floor) except -1:
        """Enter a branch after `floor` moves whose steps are played; nothing but moves precedes them."""
        self._place = place
        self._inside.add(id(place.branch))
        self._levels.append(_Level(id(place.branch), floor, 0, (floor > 0, False, None)))
        return 0

    @cython.nonecheck(False)
    cdef bint play(self, Step step) except -1:
        """Play a move that is all of a step; returns False, and changes nothing, if the kernel does not play it."""
        if not self.play_at(step.color, step.x, step.y):
            return False
        self.step = step
        return True

    @cython.nonecheck(False)
    cdef bint play_at(self, int color, int32_t x, int32_t y) except -1:
        """Play a move, a pass where `x` is negative, as `play` does."""
        cdef const w7_move *move
        cdef w7_status status
        if self._kernel is None:
            return False
        self._spend(1)
        with cython.critical_section(self._kernel):
            status = w7_board_play(&self._kernel.c, color, x, y if x >= 0 else -1)
            if status == W7_OK:
                move = w7_board_move(&self._kernel.c, w7_board_move_count(&self._kernel.c) - 1)
                self.removed = move.removed_opponent + move.removed_own
        if status != W7_OK:
            self._work -= 1
            return False
        self.state += 1
        self.moves += 1
        self._touched = True
        self.is_answer = self._in_problem
        return True

    cdef bint _empty(self, object point) except -1:
        """Remove the stone on a point, for a move that replaces it; returns whether there was one."""
        try:
            if not self.board[point]:
                return False
        except (ValueError, TypeError, IndexError):
            return False
        self.board.edit([(0, point)])
        return True

    cdef int _take_back(self, Py_ssize_t count) except -1:
        cdef _Level level = self._levels[-1]
        cdef Py_ssize_t left
        self._spend(count)
        left = self.moves - count
        if left < level.floor:
            self.board.undo(self.moves - level.floor)
            while level.floor > left:
                level.withdrawn.append(self.board.last_move)
                self.board.undo(1)
                level.floor -= 1
        else:
            self.board.undo(count)
        self.state += 1
        self.moves = left
        return 0

    @property
    def has_edits(self):
        """Whether stones set up in the course of the moves are in force."""
        return self.board._edits[0] > 0

    cpdef int leave(self) except -1:
        """Return to the place before the last `enter`."""
        cdef _Level level = self._levels.pop()
        self._inside.discard(level.branch)
        own = self.moves - level.floor
        edits = self.board._edits[0] - level.edits
        self._spend(own + edits + len(level.withdrawn))
        self.state += 1
        if own or edits:
            self.board._rewind(level.floor, level.edits)
            self.moves = level.floor
        # A new board would cost its size, however few stones there are.
        self.board._take_away(level.stones)
        for move in reversed(level.withdrawn):
            self.board.play(*move)
            self.moves += 1
        self._touched, self._in_problem, self.time = level.saved
        return 0


include "board_cursor.pxi"
include "game_clock.pxi"
include "growing_line.pxi"
include "replay.pxi"
include "walk.pxi"


def walk_line(document, limits, path, *, kind=Node, game=None, log=None):
    """Yield the nodes from the root through the steps of the branch at `path`, as `walk_branches` does."""
    cdef Cursor cursor = Cursor(document, limits, kind, game, log)
    cdef Place place = Place(document.tree)
    cdef Py_ssize_t index
    for ordinal in (*path, None):
        going = cursor.enter(place)
        yield node_of(cursor, place, -1)
        if not going:
            return
        for index, step in enumerate(place.branch.steps):
            if not cursor.apply(step):
                return
            yield node_of(cursor, place, index)
        if ordinal is not None:
            place = Place(place.branch.branches[ordinal], place, ordinal)


cdef extern from "_util/glue_for_size.h":
    pass
