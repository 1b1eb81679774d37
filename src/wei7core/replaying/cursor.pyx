# cython: language_level=3, freethreading_compatible=True
"""Walking a document with a board: every node of a tree for O(total steps) board operations.

A walk keeps one board. It plays forwards, goes back up by undo, and plays again
what a branch had withdrawn from its ancestors. Where a step cannot be played
the branch ends there; nothing is raised for content, only for the limits.
A walk and its nodes may be used by one thread at a time.
"""

cimport cython
from libc.stdint cimport INT64_MAX, int64_t

from typing import Literal

from wei7core.board.board import Board
from wei7core.record.document import Edit, Move, Result, Takeback, Unreadable
from wei7core.errors import ERROR, Problem, record_error

__all__ = ["Claim", "Cursor", "Node", "Place", "parse_path", "walk_branches", "walk_line"]

Claim = Literal["victory", "resignation", "score", "draw", "statement"]
"""What a result step says, from its actor's side; a statement is one whose side is not known."""


def parse_path(path):
    """Return the ordinals of a path given as ordinals or as text: `0.1`; `-` or nothing is the root.

    Raises `ValueError` where the text is no path.
    """
    if not isinstance(path, str):
        return tuple(path)
    if path in ("", "-"):
        return ()
    try:
        return tuple(int(ordinal) for ordinal in path.split("."))
    except ValueError:
        raise ValueError(f"{path!r} is not a path of branches; write ordinals like 0.1, or - for the root") from None


@cython.final
@cython.trashcan(True)  # a chain of parents may be long
cdef class Place:
    """A branch and the way to it. The chain of parents keeps a path of any depth in constant space per branch."""

    cdef readonly object branch
    cdef readonly Place parent
    cdef readonly object ordinal

    def __init__(self, branch, Place parent=None, ordinal=0):
        self.branch = branch
        self.parent = parent
        self.ordinal = ordinal

    def chain(self):
        """The places from the root to this one."""
        cdef Place place = self
        places = []
        while place is not None:
            places.append(place)
            place = place.parent
        return places[::-1]

    @property
    def path(self):
        """The ordinals that lead from the root to this branch."""
        return tuple([place.ordinal for place in self.chain()[1:]])

    def below(self):
        """The places of the branches of this one."""
        return [Place(branch, self, ordinal) for ordinal, branch in enumerate(self.branch.branches)]


@cython.final
@cython.freelist(8)
cdef class Node:
    """One place of a walk: the start of a branch, or the position after one of its steps.

    Every branch has a start node, which stands for its `pre`. Attributes:
    `step_index` (-1 at the start), `move_number` (moves in force, passes
    included), `removed` (stones that this move took off the board),
    `effective_time` (seconds since the start of the game at which the step is
    carried out: the largest time so far on the path, because a step whose time
    is smaller follows at once, clause 3.15.3.1; None before the first time),
    `is_answer` (whether this step belongs to the answer of a problem, clause
    3.15.2.2).
    """

    cdef Cursor _cursor
    cdef Place _place
    cdef object _board
    cdef object _previous
    cdef Py_ssize_t _state
    cdef readonly Py_ssize_t step_index
    cdef readonly object step
    """The step of this node; None at the start of a branch."""
    cdef readonly Py_ssize_t move_number
    cdef readonly object removed
    cdef readonly object effective_time
    cdef readonly bint is_answer

    def __init__(self):
        raise TypeError("nodes are made by walks of a game")

    @property
    def branch(self):
        """The branch that this node lies in."""
        return self._place.branch

    @property
    def path(self):
        """The ordinals that lead from the root to the branch; made anew on each access."""
        return self._place.path

    @property
    def board(self):
        """The position here with the moves in force, a board of your own that stays as it is.

        Costs one copy while the walk stands at this position; later the path is
        replayed from the root as the document is then. Further accesses give
        the same board.
        """
        if self._board is None:
            if self._cursor.state == self._state:
                self._board = self._cursor.board.copy()
            else:
                self._board = self._cursor.replay(self._place, self.step_index)
        return self._board

    @property
    def comment(self):
        """The comment of the step, at the start of a branch that of its `pre`."""
        owner = self.step or self.branch.pre
        return None if owner is None else owner.comment

    @property
    def marks(self):
        """The marks shown on this position; a mark shown live is the action of its step instead."""
        owner = self.step or self.branch.pre
        return [] if owner is None else owner.marks

    @property
    def time(self):
        """The time of the step as written, in seconds since the start of the game."""
        return None if self.step is None else self.step.time

    @property
    def move(self):
        """Colour and point of the move made here (point None: a pass), or None."""
        action = None if self.step is None else self.step.action
        return (action.color, action.point) if isinstance(action, Move) else None

    @property
    def is_pause_point(self):
        """Whether a replay should pause here: after every move, passes included, and at a `pre` (clause 3.15.5).

        So it should after an `Edit`, but not at a `Note`.

        A record told by its times (`Game.timeline`) is better replayed by the clock.
        """
        if self.step is None:
            return self.branch.pre is not None
        return isinstance(self.step.action, (Move, Edit))

    @property
    def problem(self):
        """The colour to play where this position is the question of a problem, else None."""
        if self.step is None:
            return None if self.branch.pre is None else self.branch.pre.problem
        return self.step.action.problem if isinstance(self.step.action, Move) else None

    @property
    def claim(self):
        """What a result step says (clause 3.15.3.2.3); None for any other node.

        `draw`: there is no winner; `score`: somebody wins by so many points;
        without a margin `victory` where the actor plays the winner's side,
        `resignation` where the other, `statement` where the side is not known
        (`Info.side`).
        """
        if self.step is None or not isinstance(self.step.action, Result):
            return None
        result = self.step.action
        if result.winner is None:
            return "draw"
        if result.margin is not None:
            return "score"
        side = self._cursor.document.info.side(self.step.actor)
        if side is None:
            return "statement"
        return "victory" if side == result.winner else "resignation"

    @property
    def confirms_result(self):
        """Whether this step and the one before it claim the same score and have different actors.

        Then the result counts as confirmed (clause 3.15.3.2.3.3).
        """
        one, two = self._previous, self.step
        if one is None or two is None or not isinstance(one.action, Result) or not isinstance(two.action, Result):
            return False
        return (
            two.action.margin is not None
            and (one.action.winner, one.action.margin) == (two.action.winner, two.action.margin)
            and one.actor is not None
            and two.actor is not None
            and one.actor != two.actor
        )

    def __repr__(self):
        where = "start" if self.step is None else f"step {self.step_index}"
        return f"<Node: {where} of {self.branch!r}, move {self.move_number}>"


cdef Node node_of(Cursor cursor, Place place, Py_ssize_t step_index):
    cdef Node node = Node.__new__(Node)
    node._cursor = cursor
    node._place = place
    node._state = cursor.state
    node._previous = cursor.previous
    node.step_index = step_index
    node.step = cursor.step
    node.move_number = cursor.moves
    node.removed = cursor.removed
    node.effective_time = cursor.time
    node.is_answer = cursor.is_answer
    return node


@cython.final
cdef class _Level:
    """What going into a branch changed, so that leaving it brings everything back."""

    cdef Py_ssize_t floor   # fewest moves that were in force within the branch
    cdef Py_ssize_t edits   # in force when it was entered; no takeback reaches behind one
    cdef list withdrawn     # moves of ancestors that it took back, last first
    cdef list stones        # points put on the empty board by its `pre`
    cdef tuple saved

    def __init__(self, floor, edits, saved):
        self.floor = floor
        self.edits = edits
        self.withdrawn = []
        self.stones = []
        self.saved = saved


@cython.final
cdef class Cursor:
    """One board that goes up and down the tree of a document."""

    cdef readonly object document
    cdef readonly object board
    cdef Py_ssize_t state       # changes whenever the board does
    cdef Py_ssize_t moves       # in force
    cdef object step
    cdef object previous        # the step before `step` on the path
    cdef object removed
    cdef object time
    cdef bint is_answer
    cdef object _limits
    cdef int64_t _most          # moves, of the limits
    cdef int64_t _work
    cdef list _levels
    cdef object _last
    cdef bint _touched          # a move, an edit or a preset stone came before, also if withdrawn
    cdef bint _in_problem
    cdef Place _place

    def __init__(self, document, limits):
        self.document = document
        self.removed = 0
        self._limits = limits
        self._most = min(limits.max_moves, INT64_MAX // 2)
        self._work = 0
        self._levels = []
        self.board = Board(document.width, document.height, max_points=limits.max_points)

    cdef int _spend(self, int64_t moves) except -1:
        cdef int64_t beyond = self.board._work
        self._work += moves
        if beyond > self._most - self._work:
            ordinals = () if self._place is None else self._place.path
            path = "$.tree" + "".join([f".branches[{ordinal}]" for ordinal in ordinals])
            message = f"walking the record takes more than {self._limits.max_moves} moves and stones set up"
            raise record_error(Problem("limit-replay", "", ERROR, 0, 1, 1, path, message))
        return 0

    cpdef bint enter(self, Place place) except -1:
        """Go into a branch and set up its `pre`; returns whether its steps can be played."""
        cdef _Level level
        self._place = place
        pre = place.branch.pre
        level = _Level(self.moves, self.board._edits[0], (self._touched, self._in_problem, self.time, self._last))
        self._levels.append(level)
        self.step = None
        self.previous = self._last
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
            (self.board._put if pre.anyhow and place.parent is None else self.board.setup)(stones)
        except ValueError:
            return False
        self.state += 1
        self._touched = True
        level.stones = [point for _, point in stones]
        return True

    cpdef bint apply(self, step) except -1:
        """Carry out a step; returns False, and changes nothing, where that is impossible."""
        cdef object problem = None
        action = step.action
        removed = 0
        if isinstance(action, Move):
            self._spend(1)
            try:
                removed = self.board.play(action.color, action.point)
            except ValueError:
                return False
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
        elif isinstance(action, Unreadable) and action.may_be_move:
            return False
        self.removed = removed
        self.previous, self.step, self._last = self._last, step, step
        self.is_answer = self._in_problem
        if problem is not None:
            self._in_problem = True
        time = step.time
        if time is not None and (self.time is None or time > self.time):
            self.time = time
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

    cpdef int leave(self) except -1:
        """Go back to where the last `enter` came from."""
        cdef _Level level = self._levels.pop()
        own = self.moves - level.floor
        edits = self.board._edits[0] - level.edits
        self._spend(own + edits + len(level.withdrawn))
        self.state += 1
        if own or edits:
            self.board._rewind(level.floor, level.edits)
            self.moves = level.floor
        # Another board would cost its size, however few stones there are.
        self.board._take_away(level.stones)
        for move in reversed(level.withdrawn):
            self.board.play(*move)
            self.moves += 1
        self._touched, self._in_problem, self.time, self._last = level.saved
        return 0

    cdef object replay(self, Place place, Py_ssize_t step_index):
        """The board after step `step_index` of a place, replayed from the root."""
        cdef Cursor cursor = Cursor(self.document, self._limits)
        for above in place.chain():
            cursor.enter(above)
            steps = above.branch.steps if above is not place else above.branch.steps[: step_index + 1]
            for step in steps:
                cursor.apply(step)
        return cursor.board


def walk_branches(document, limits, *, bint first_only, bint ends_only):
    """Yield the nodes of the tree, each branch before those below it.

    `first_only` goes into the first branch only at each fork; `ends_only`
    yields of each line the last node alone. Raises `LimitError` (`limit-replay`)
    after `limits.max_moves` board operations, and `BoardSizeError` at once for
    a board larger than `limits.max_points`.
    """
    cdef Cursor cursor = Cursor(document, limits)
    cdef Place place
    cdef Py_ssize_t index
    # None stands for leaving the branch whose nodes come before it.
    cdef list waiting = [Place(document.tree)]
    while waiting:
        place = waiting.pop()
        if place is None:
            cursor.leave()
            continue
        waiting.append(None)
        below = []
        index = -1
        if cursor.enter(place):
            if not ends_only:
                yield node_of(cursor, place, index)
            for step in place.branch.steps:
                if not cursor.apply(step):
                    break
                index += 1
                if not ends_only:
                    yield node_of(cursor, place, index)
            else:
                below = place.below()
        elif not ends_only:
            yield node_of(cursor, place, index)
        if ends_only and not below:
            yield node_of(cursor, place, index)
        waiting.extend(below[:1] if first_only else reversed(below))


def walk_line(document, limits, path):
    """Yield the nodes from the root through the steps of the branch at `path`, as `walk_branches` does."""
    cdef Cursor cursor = Cursor(document, limits)
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
