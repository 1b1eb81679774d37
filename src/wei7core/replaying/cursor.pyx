# cython: language_level=3, freethreading_compatible=True, nonecheck=True
"""Walking a document with a board: every node of a tree for O(total steps) board operations.

A walk keeps one board. It plays forwards, goes back up by undo, and plays again
what a branch had withdrawn from its ancestors. Where a step cannot be played
the branch ends there; nothing is raised for content, only for the limits.
A walk and its nodes may be used by one thread at a time.

`BoardCursor` goes one step at a time instead, forward and back, where a caller sends it.
"""

cimport cython
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport INT64_MAX, int64_t

from wei7core.board.board cimport (
    Board as KernelBoard,
    W7_OCCUPIED,
    W7_OK,
    w7_board_move,
    w7_board_move_count,
    w7_board_play,
    w7_board_removed,
    w7_board_undo,
    w7_move,
    w7_point,
    w7_status,
)
from wei7core.board._values cimport narrow, read_color, read_point

from typing import Literal

from wei7core.board.board import Board
from wei7core.record.document import Edit, Move, Result, Setup, Takeback, Unreadable, inside_itself
from wei7core.errors import ERROR, Problem, record_error

__all__ = [
    "BoardCursor",
    "Claim",
    "Cursor",
    "EditLog",
    "Node",
    "NodeSource",
    "Place",
    "node_at",
    "parse_path",
    "removed_points",
    "walk_branches",
    "walk_line",
]

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

    __new__ = staticmethod(type.__call__)  # whoever calls it gets what the constructor makes

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

    @property
    def has_start(self):
        """Whether the start of the branch is a node of its own among the children of the node before it.

        It is one at the root, where the branch has a `pre` and where it has no steps. Any other start is the same
        position as the node before it, and the first step is the child.
        """
        return starts(self)

    def below(self):
        """The places of the branches of this one."""
        return [Place(branch, self, ordinal) for ordinal, branch in enumerate(self.branch.branches)]


cdef bint starts(Place place) except -1:
    return place.parent is None or place.branch.pre is not None or not place.branch.steps


@cython.final
cdef class EditLog:
    """How often a game was edited through its nodes, and what has to be undone if an open edit fails.

    Attributes: `count`, which a cursor compares with its own; while `Game.edit` is open, `undo`, a list of functions
    without arguments, and `keep`, which takes a step or branch that a caller gets hold of; else both are None.
    """

    cdef public Py_ssize_t count
    cdef public object undo
    cdef public object keep


@cython.no_gc  # nothing that a node holds knows of it; without, a walk would set off a collection every few games
cdef class Node:
    """One place of a walk: the start of a branch, or the position after one of its steps.

    Every branch has a start node, which stands for its `pre`. Attributes:
    `game` (None in a walk of a bare document), `place`, `step_index` (-1 at the start), `move_number` (moves in
    force, passes included), `removed` (stones that this move took off the board),
    `effective_time` (seconds since the start of the game at which the step is
    carried out: the largest time so far on the path, because a step whose time
    is smaller follows at once, clause 3.15.3.1; None before the first time),
    `is_answer` (whether this step belongs to the answer of a problem, clause
    3.15.2.2).
    """

    cdef readonly NodeSource source     # has the board while its state is `_state`
    cdef Place _place
    cdef object _board
    cdef object _previous
    cdef Py_ssize_t _state
    cdef bint _is_replayed      # the attributes below are known
    cdef readonly Py_ssize_t step_index
    cdef object _step
    cdef Py_ssize_t _known      # edits of the log when the node was made
    cdef readonly Py_ssize_t move_number
    cdef object _removed
    cdef object _time
    cdef bint _is_answer

    def __init__(self):
        raise TypeError("nodes are made by walks of a game")

    cdef int _replay(self) except -1:
        """Find out by a replay from the root what a walk knows."""
        cdef Cursor cursor
        if not self._is_replayed:
            cursor = replayed(self.place, self.step_index, self.source)
            self._previous = cursor.previous
            self._removed = cursor.removed
            self._time = cursor.time
            self._is_answer = cursor.is_answer
            self._is_replayed = True
        return 0

    @property
    def game(self):
        """The game that the node belongs to; None in a walk of a bare document."""
        return None if self.source is None else self.source.game

    @property
    def place(self):
        """The branch of this node with the way to it."""
        if self._place is None:
            raise TypeError("nodes are made by walks of a game")
        return self._place

    @property
    def step(self):
        """The step of this node; None at the start of a branch."""
        if self._step is not None and self.source.log is not None and self.source.log.keep is not None:
            self.source.log.keep(self._step)
        return self._step

    @property
    def branch(self):
        """The branch that this node lies in."""
        branch = self.place.branch
        if self.source.log is not None and self.source.log.keep is not None:
            self.source.log.keep(branch)
        return branch

    @property
    def is_current(self):
        """Whether the game was not edited through its nodes since the node was made."""
        return self.source is not None and self.source.log is not None and self._known == self.source.log.count

    @property
    def path(self):
        """The ordinals that lead from the root to the branch; made anew on each access."""
        return self.place.path

    @property
    def removed(self):
        """The number of stones that the move of this node took off the board."""
        self._replay()
        return self._removed

    @property
    def effective_time(self):
        """Seconds since the start of the game at which the step is carried out; None before the first time."""
        self._replay()
        return self._time

    @property
    def is_answer(self):
        """Whether this step belongs to the answer of a problem (clause 3.15.2.2)."""
        self._replay()
        return self._is_answer

    @property
    def board(self):
        """The position here with the moves in force, a board of your own that stays as it is.

        Costs one copy while the walk stands at this position; later the path is
        replayed from the root as the document is then. Further accesses give
        the same board.
        """
        if self._board is None:
            place = self.place
            if self.source.state == self._state:
                self._board = self.source.board.copy()
            else:
                self._board = replayed(place, self.step_index, self.source).board
        return self._board

    @property
    def comment(self):
        """The comment of the step, at the start of a branch that of its `pre`; None removes it."""
        owner = self._step or self.place.branch.pre
        return None if owner is None else owner.comment

    @comment.setter
    def comment(self, value):
        owner = self.step
        if owner is None:
            branch = self.branch
            if branch.pre is None:
                branch.pre = Setup()
            owner = branch.pre
        owner.comment = value

    @property
    def marks(self):
        """The marks shown on this position; a mark shown live is the action of its step instead."""
        owner = self.step or self.branch.pre
        return [] if owner is None else owner.marks

    @property
    def time(self):
        """The time of the step as written, in seconds since the start of the game."""
        return None if self._step is None else self._step.time

    @property
    def move(self):
        """Colour and point of the move made here (point None: a pass), or None."""
        action = None if self._step is None else self._step.action
        return (action.color, action.point) if isinstance(action, Move) else None

    @property
    def is_pause_point(self):
        """Whether a replay should pause here: after every move, passes included, and at a `pre` (clause 3.15.5).

        So it should after an `Edit`, but not at a `Note`.

        A record told by its times (`Game.timeline`) is better replayed by the clock.
        """
        if self._step is None:
            return self.place.branch.pre is not None
        return isinstance(self._step.action, (Move, Edit))

    @property
    def problem(self):
        """The colour to play where this position is the question of a problem, else None."""
        if self._step is None:
            return None if self.place.branch.pre is None else self.place.branch.pre.problem
        return self._step.action.problem if isinstance(self._step.action, Move) else None

    @property
    def claim(self):
        """What a result step says (clause 3.15.3.2.3); None for any other node.

        `draw`: there is no winner; `score`: somebody wins by so many points;
        without a margin `victory` where the actor plays the winner's side,
        `resignation` where the other, `statement` where the side is not known
        (`Info.side`).
        """
        if self._step is None or not isinstance(self._step.action, Result):
            return None
        result = self._step.action
        if result.winner is None:
            return "draw"
        if result.margin is not None:
            return "score"
        side = self.source.document.info.side(self._step.actor)
        if side is None:
            return "statement"
        return "victory" if side == result.winner else "resignation"

    @property
    def confirms_result(self):
        """Whether this step and the one before it claim the same score and have different actors.

        Then the result counts as confirmed (clause 3.15.3.2.3.3).
        """
        self._replay()
        one, two = self._previous, self._step
        if one is None or two is None or not isinstance(one.action, Result) or not isinstance(two.action, Result):
            return False
        return (
            two.action.margin is not None
            and (one.action.winner, one.action.margin) == (two.action.winner, two.action.margin)
            and one.actor is not None
            and two.actor is not None
            and one.actor != two.actor
        )

    def svg(self, **options):
        """Return a picture of the position as SVG, with the marks and shapes that the record has here.

        The options are those of `wei7core.replaying.picture.NodePictureOptions`: those of `Board.svg`, and
        `variations`. Raises what `Board.svg` raises.
        """
        from wei7core.replaying.picture import node_svg

        return node_svg(self, self.source.document, options)

    def _repr_svg_(self):
        """The picture for notebooks; None for a board too large to draw."""
        from wei7core.board.draw import MAX_SVG_POINTS

        document = self.source.document
        return None if document.width * document.height > MAX_SVG_POINTS else self.svg()

    def __repr__(self):
        where = "start" if self._step is None else f"step {self.step_index}"
        return f"<Node: {where} of {self.branch!r}, move {self.move_number}>"


cdef class NodeSource:
    """What nodes are made from: a document, its game, the class of the nodes, and a board where there is one."""

    cdef readonly object document
    cdef readonly object board
    cdef readonly object game
    cdef readonly type kind     # `Node` or a subclass
    cdef EditLog log            # of the game
    cdef Py_ssize_t state       # changes whenever the board does
    cdef object _limits

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        if not issubclass(kind, Node):
            raise TypeError(f"nodes are of Node or of a class derived from it, not of {kind.__name__}")
        self.document = document
        self.kind = kind
        self.game = game
        self.log = log
        self._limits = limits


cdef tuple NO_ARGUMENTS = ()
cdef object MOVE = Move


cdef Node new_node(NodeSource source, Place place, Py_ssize_t step_index, object step, Py_ssize_t move_number):
    # As Node.__new__(source.kind), without a call by name.
    cdef Node node
    if source.kind is None:
        raise TypeError("nodes are made by walks of a game")
    node = <Node>(<PyTypeObject *>Node).tp_new(source.kind, <PyObject *>NO_ARGUMENTS, NULL)
    node.source = source
    node._place = place
    node._state = source.state
    node.step_index = step_index
    node._step = step
    if source.log is not None:
        node._known = source.log.count
    node.move_number = move_number
    return node


cdef Node node_of(Cursor cursor, Place place, Py_ssize_t step_index):
    cdef Node node = new_node(cursor, place, step_index, cursor.step, cursor.moves)
    node._previous = cursor.previous
    node._removed = cursor.removed
    node._time = cursor.time
    node._is_answer = cursor.is_answer
    node._is_replayed = True
    return node


cdef Cursor replayed(Place place, Py_ssize_t step_index, NodeSource source):
    """A cursor after step `step_index` of a place, or where the way there cannot be played on, from the root."""
    cdef Cursor cursor = Cursor(source.document, source._limits)
    for above in place.chain():
        if not cursor.enter(above):
            break
        steps = above.branch.steps
        if above is place:
            steps = steps[: step_index + 1]
        for step in steps:
            if not cursor.apply(step):
                return cursor
    return cursor


def node_at(NodeSource source not None, Place place not None, Py_ssize_t step_index, Py_ssize_t move_number):
    """Return the node after step `step_index` of a branch (-1: its start), of the kind and game of `source`.

    Its board is replayed when it is asked for. `move_number` is that of the node.
    """
    cdef Node node = new_node(source, place, step_index, None, move_number)
    node._state = -1
    if step_index >= 0:
        node._step = place.branch.steps[step_index]
    return node


def removed_points(KernelBoard board not None):
    """Return the points that the last move in force took off the board, in reading order; () where there is none."""
    cdef const w7_move *move
    cdef const w7_point *points
    cdef int64_t index, count
    cdef list found = []
    with cython.critical_section(board):
        count = w7_board_move_count(&board.c)
        if count:
            move = w7_board_move(&board.c, count - 1)
            points = w7_board_removed(&board.c, count - 1)
            for index in range(move.removed_opponent + move.removed_own):
                found.append((points[index].y, points[index].x))
    found.sort()
    return tuple([(x, y) for y, x in found])


@cython.final
cdef class _Level:
    """What going into a branch changed, so that leaving it brings everything back."""

    cdef Py_ssize_t floor   # fewest moves that were in force within the branch
    cdef Py_ssize_t edits   # in force when it was entered; no takeback reaches behind one
    cdef list withdrawn     # moves of ancestors that it took back, last first
    cdef list stones        # points put on the empty board by its `pre`
    cdef object branch      # an `id`
    cdef tuple saved

    __new__ = staticmethod(type.__call__)  # whoever calls it gets what the constructor makes

    def __init__(self, branch, floor, edits, saved):
        self.branch = branch
        self.floor = floor
        self.edits = edits
        self.withdrawn = []
        self.stones = []
        self.saved = saved


@cython.final
cdef class Cursor(NodeSource):
    """One board that goes up and down the tree of a document."""

    cdef Py_ssize_t moves       # in force
    cdef object step
    cdef object previous        # the step before `step` on the path
    cdef object removed
    cdef object time
    cdef bint is_answer
    cdef int64_t _most          # moves, of the limits
    cdef int64_t _work
    cdef list _levels
    cdef set _inside            # the `id` of each branch that was entered and not left
    cdef object _last
    cdef bint _touched          # a move, an edit or a preset stone came before, also if withdrawn
    cdef bint _in_problem
    cdef Place _place

    __new__ = staticmethod(type.__call__)  # whoever calls it gets what the constructor makes

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        NodeSource.__init__(self, document, limits, kind, game, log)
        self.removed = 0
        self._most = min(limits.max_moves, INT64_MAX // 2)
        self._work = 0
        self._levels = []
        self._inside = set()
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
        if id(place.branch) in self._inside:
            raise inside_itself([above.branch for above in place.chain()])
        self._inside.add(id(place.branch))
        saved = self._touched, self._in_problem, self.time, self._last
        level = _Level(id(place.branch), self.moves, self.board._edits[0], saved)
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

    cdef bint _empty(self, object point) except -1:
        """Take the stone on a point away, for a move that replaces it; returns whether there was one."""
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

    cpdef int leave(self) except -1:
        """Go back to where the last `enter` came from."""
        cdef _Level level = self._levels.pop()
        self._inside.discard(level.branch)
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


cdef class BoardCursor(NodeSource):
    """A place in a document with the position there, which goes on and back at the price of a step.

    Attributes: `board`, the position itself, which the cursor changes as it goes; `place`, `step_index` and
    `move_number` as those of a node. A step that cannot be played ends its branch, as in every walk. The cursor takes
    back what it did, so that steps behind it may not be changed; `log` counts the edits it has to know of.
    """

    cdef KernelBoard _kernel    # is `board`
    cdef readonly Place place
    cdef readonly Py_ssize_t step_index
    cdef readonly Py_ssize_t move_number
    cdef Py_ssize_t _known      # edits of the log
    cdef Py_ssize_t _touches    # moves, edits and presets in force or withdrawn that lie before this place
    cdef bint _is_open          # the steps of the branch can be played
    cdef list _steps            # of the branch
    cdef object _step           # carried out last
    cdef list _done             # how each step before this place is undone; None: a move
    cdef readonly list taken    # the steps before this place
    cdef list _entered          # where each branch was entered from, and the points of its preset stones

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        NodeSource.__init__(self, document, limits, kind, game, log or EditLog())
        self.restart()

    def restart(self):
        """Go to the root of the document as it is now, on a new board."""
        document = self.document
        self.board = self._kernel = KernelBoard(document.width, document.height, max_points=self._limits.max_points)
        self.place = None
        self.step_index = -1
        self._step = None
        self.move_number = self._touches = 0
        self._done = []
        self.taken = []
        self._entered = []
        self._known = self.log.count
        self.state += 1
        self.enter(Place(document.tree))

    def follow(self):
        """Come to terms with edits of the game; a subclass knows where its place is then."""
        self.restart()

    cdef int _follow(self) except -1:
        if self._kernel is None:
            raise TypeError("cursors are made by a game")
        if self._known != self.log.count:
            self.follow()
            self._known = self.log.count
        return 0

    @property
    def node(self):
        """The node where the cursor is."""
        self._follow()
        return self._node()

    cdef Node _node(self):
        return new_node(self, self.place, self.step_index, self._step, self.move_number)

    @property
    def ahead(self):
        """The next step of the branch; None at its end, and False where its steps cannot be played."""
        if not self._is_open:
            return False
        return self._steps[self.step_index + 1] if self.step_index + 1 < len(self._steps) else None

    def next(self):
        """Go on to the first child and return its node; None, and nothing changes, where none can be played."""
        self._follow()
        return self._node() if self._next() else None

    def previous(self):
        """Go back to the parent and return its node; None at the root."""
        self._follow()
        return self._node() if self._previous() else None

    def forward(self, Py_ssize_t n=1):
        """Go on by n nodes, always to the first child, or as far as there are some; return the node reached."""
        self._follow()
        while n > 0 and self._next():
            n -= 1
        return self._node()

    def back(self, Py_ssize_t n=1):
        """Go back by n nodes, or to the root; return the node reached."""
        self._follow()
        while n > 0 and self._previous():
            n -= 1
        return self._node()

    cdef bint _next(self) except -1:
        if self.step_index + 1 < len(self._steps):
            return self.step()
        branches = self.place.branch.branches
        return bool(branches) and self._is_open and self.descend(Place(branches[0], self.place, 0))

    cdef bint _previous(self) except -1:
        if self.step_index >= 0:
            self.step_back()
            if self.step_index >= 0 or starts(self.place):
                return True
        if self.place.parent is None:
            return False
        self.leave()
        return True

    cpdef bint descend(self, Place place) except -1:
        """Go from the end of a branch to the first node of one below; False, and nothing changes, if it cannot."""
        self.enter(place)
        if starts(place) or self.step():
            return True
        self.leave()
        return False

    cpdef bint enter(self, Place place) except -1:
        """Go from the end of a branch to the start of one below; returns whether its steps can be played."""
        pre = place.branch.pre
        points = ()
        is_open = True
        if pre is not None and pre.stones:
            stones = [(stone.color, stone.point) for stone in pre.stones]
            is_open = self._touches == 0
            if is_open:
                try:
                    (self.board._put if pre.anyhow and place.parent is None else self.board.setup)(stones)
                    points = [point for _, point in stones]
                    self._touches += 1
                    self.state += 1
                except ValueError:
                    is_open = False
        elif pre is not None:
            is_open = "stones" not in pre.extra and "<stones>" not in pre.extra
        self._entered.append((self.step_index, points))
        self.place = place
        self.step_index = -1
        self._step = None
        self._is_open = is_open
        self._steps = place.branch.steps if is_open else []
        return is_open

    cpdef int leave(self) except -1:
        """Go back from anywhere in a branch below the root to the node before it."""
        while self.step_index >= 0:
            self.step_back()
        self.step_index, points = self._entered.pop()
        if points:
            self.board._take_away(points)
            self._touches -= 1
            self.state += 1
        self.place = self.place.parent
        self._steps = self.place.branch.steps
        self._step = None if self.step_index < 0 else self._steps[self.step_index]
        self._is_open = True
        return 0

    cpdef bint step(self) except -1:
        """Carry out the next step of the branch; False, and nothing changes, where that is impossible."""
        cdef int color
        cdef int64_t x = -1, y = -1
        cdef w7_status status
        cdef object done = None
        if self.step_index + 1 >= len(self._steps):
            return False
        step = self._steps[self.step_index + 1]
        action = step.action
        if type(action) is MOVE:
            point = action.point
            try:
                color = read_color(action.color)
                if point is not None:
                    read_point(point, 0, &x, &y)
                    x, y = narrow(x), narrow(y)
            except ValueError:
                return False
            with cython.critical_section(self._kernel):
                status = w7_board_play(&self._kernel.c, color, <int>x, <int>y)
            if status == W7_OCCUPIED and self.document.replaces:
                done = (self.move_number, self.board._edits[0])
                self.board.edit([(0, point)])
                self.board.play(color, point)
            elif status != W7_OK:
                return False
            self.move_number += 1
            self._touches += 1
            self.state += 1
        elif isinstance(action, Takeback):
            if not 1 <= action.count <= self.move_number - self.board._edits[1]:
                return False
            done = []
            for _ in range(action.count):
                done.append(self.board.last_move)
                self.board.undo()
            self.move_number -= len(done)
            self.state += 1
        elif isinstance(action, Edit):
            done = (self.move_number, self.board._edits[0])
            try:
                self.board.edit([(stone.color, stone.point) for stone in action.stones])
            except ValueError:
                return False
            self._touches += 1
            self.state += 1
        elif isinstance(action, Unreadable) and action.may_be_move:
            return False
        else:
            done = ()
        self._done.append(done)
        self.taken.append(step)
        self._step = step
        self.step_index += 1
        return True

    cpdef int step_back(self) except -1:
        """Undo the step of this node; the caller knows that there is one."""
        done = self._done.pop()
        self.taken.pop()
        self.step_index -= 1
        self._step = None if self.step_index < 0 else self._steps[self.step_index]
        if done is None:
            with cython.critical_section(self._kernel):
                w7_board_undo(&self._kernel.c, 1)
            self.move_number -= 1
            self._touches -= 1
        elif isinstance(done, list):
            for move in reversed(done):
                self.board.play(*move)
            self.move_number += len(done)
        elif done:
            self.board._rewind(done[0], done[1])
            self.move_number = done[0]
            self._touches -= 1
        else:
            return 0
        self.state += 1
        return 0


def walk_branches(document, limits, *, bint first_only, bint ends_only, kind=Node, game=None, log=None):
    """Yield the nodes of the tree, each branch before those below it.

    Raises `ValueError` at a branch that lies inside itself.

    `first_only` goes into the first branch only at each fork; `ends_only`
    yields of each line the last node alone. Raises `LimitError` (`limit-replay`)
    after `limits.max_moves` board operations, and `BoardSizeError` at once for
    a board larger than `limits.max_points`.
    """
    cdef Cursor cursor = Cursor(document, limits, kind, game, log)
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
