"""`Node`: a step of a document with the position after it, and the creation of nodes."""


@cython.final
cdef class EditLog:
    """The edit log of a game: the number of edits through its nodes, and the undo list of an open edit.

    Attributes: `count`, which a cursor compares with its own; while `Game.edit` is open, `undo`, a list of functions
    without arguments, and `keep`, which receives each step or branch returned to a caller; else both are None.
    """

    cdef public Py_ssize_t count
    cdef public object undo
    cdef public object keep
    cdef public list line   # (place, steps) of the main line as read, [] before; None where no columns are walked


@cython.no_gc  # a node is in no reference cycle; with the GC a walk would trigger a collection every few games
cdef class Node:
    """One place of a walk: the start of a branch, or the position after one of its steps.

    Every branch has a start node, which represents its `pre`. Attributes: `game` (None in a walk of a bare document),
    `place`, `step_index` (-1 at the start), `move_number` (moves in force, passes included), `removed` (stones captured
    by this move), `effective_time` (seconds since the start of the game at which the step is carried out: the largest
    time so far on the path, because a step with a smaller time follows immediately, clause 3.15.3.1; None before the
    first time), `is_answer` (whether this step belongs to the answer of a problem, clause 3.15.2.2).
    """

    cdef readonly NodeSource source     # has the board as long as its state is `_state`
    cdef Place _place           # None: that of `_depth` in the main line as read
    cdef Py_ssize_t _depth
    cdef int64_t _row           # of the step in the columns of the source, -1: none
    cdef object _board
    cdef KernelBoard _spare     # a board whose memory may be used for `_board`
    cdef Py_ssize_t _state
    cdef bint _is_replayed      # the attributes below are known
    cdef readonly Py_ssize_t step_index
    cdef object _step
    cdef Py_ssize_t _known      # edits of the log when the node was made
    cdef readonly Py_ssize_t move_number
    cdef Py_ssize_t _removed
    cdef object _time
    cdef bint _is_answer

    def __init__(self):
        raise TypeError("Node cannot be instantiated directly; use Game.walk()")

    @cython.boundscheck(False)
    @cython.nonecheck(False)
    @cython.wraparound(False)
    cdef int _settle(self) except -1:
        """Find place and step of a node of columns in the document, which the game makes now at the latest."""
        cdef tuple pair
        if self._place is None and self.source is not None:
            self.source.document
            pair = <tuple>self.source.log.line[self._depth]
            self._place = <Place>pair[0]
            if self.step_index >= 0:
                self._step = (<list>pair[1])[self.step_index]
        return 0

    cdef int _replay(self) except -1:
        """Compute by a replay from the root the attributes that a walk sets."""
        cdef Cursor cursor
        if not self._is_replayed:
            cursor = replayed(self.place, self.step_index, self.source)
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
        """The branch of this node with its path."""
        self._settle()
        if self._place is None:
            raise TypeError("Node cannot be instantiated directly; use Game.walk()")
        return self._place

    @property
    def step(self):
        """The step of this node; None at the start of a branch."""
        self._settle()
        if self._step is not None and self.source.log is not None and self.source.log.keep is not None:
            self.source.log.keep(self._step)
        return self._step

    @property
    def branch(self):
        """The branch that contains this node."""
        branch = self.place.branch
        if self.source.log is not None and self.source.log.keep is not None:
            self.source.log.keep(branch)
        return branch

    @property
    def is_current(self):
        """Whether the game is unedited since the node was made."""
        return self.source is not None and self.source.log is not None and self._known == self.source.log.count

    @property
    def path(self):
        """The ordinals from the root to the branch; computed on each access."""
        return self.place.path

    @property
    def removed(self):
        """The number of stones captured by the move of this node."""
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
    @cython.nonecheck(False)
    def board(self):
        """The position of the node with the moves in force, as an independent board.

        Costs one copy while the walk is at this position; later the path is replayed from the root of the current
        document. Further accesses return the same board.
        """
        if self._board is None:
            if self.source is not None and self.source.state == self._state:
                board = self.source.board
                if type(board) is not KernelBoard:
                    self._board = board.copy()
                elif self._spare is None:
                    self._board = copied_to(KernelBoard.__new__(KernelBoard), <KernelBoard>board)
                else:
                    self._board = copied_to(self._spare, <KernelBoard>board)
                    self._spare = None
            else:
                self._board = replayed(self.place, self.step_index, self.source).board
        return self._board

    @property
    def comment(self):
        """The comment of the step, at the start of a branch that of its `pre`; None removes it."""
        self._settle()
        owner = self._step or self.place.branch.pre
        return None if owner is None else owner.comment

    @comment.setter
    def comment(self, value):
        owner = self.step
        if owner is None:
            branch = self.branch
            if branch.pre is None:
                if value is None:
                    return
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
        self._settle()
        return None if self._step is None else self._step.time

    @property
    def move(self):
        """Colour and point of the move of this node (point None: a pass), or None."""
        cdef Step bare
        cdef const w7_step *row
        if self._place is None and self.source is not None and not self.source.log.line:
            if self._row < 0:
                return None
            row = &(<const w7_step *>self.source.record.c.steps.at)[self._row]
            return <int>row.color, None if row.x < 0 else (row.x, row.y)
        self._settle()
        if type(self._step) is Step and (<Step>self._step).color:
            bare = self._step
            return <int>bare.color, None if bare.x < 0 else (bare.x, bare.y)
        action = None if self._step is None else self._step.action
        return (action.color, action.point) if isinstance(action, Move) else None

    @property
    def is_pause_point(self):
        """Whether a replay should pause here: after every move, passes included, and at a `pre` (clause 3.15.5).

        It should also pause after an `Edit`, but not at a `Note`.

        A record ordered by its times (`Game.timeline`) is better replayed by the clock.
        """
        self._settle()
        if self._step is None:
            return self.place.branch.pre is not None
        return isinstance(self._step.action, (Move, Edit))

    @property
    def problem(self):
        """The colour to play if this position is the question of a problem, else None."""
        self._settle()
        if self._step is None:
            return None if self.place.branch.pre is None else self.place.branch.pre.problem
        return self._step.action.problem if isinstance(self._step.action, Move) else None

    @property
    def claim(self):
        """The meaning of a result step (clause 3.15.3.2.3); None for any other node.

        `draw`: no winner; `score`: a win by points; without a margin `victory` if the actor plays the winner's side,
        `resignation` for the other side, `statement` for an unknown side (`Info.side`).
        """
        self._settle()
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
        """Whether this step and the one before it claim the same score, or a draw, and have different actors.

        Then the result counts as confirmed (clause 3.15.3.2.3.3).
        """
        self._settle()
        two = self._step
        if two is None or not isinstance(two.action, Result):
            return False
        one = step_before(self.place, self.step_index)
        if one is None or not isinstance(one.action, Result):
            return False
        return (
            (two.action.margin is not None or two.action.winner is None)
            and (one.action.winner, one.action.margin) == (two.action.winner, two.action.margin)
            and one.actor is not None
            and two.actor is not None
            and one.actor != two.actor
        )

    def svg(self, **options):
        """Return a picture of the position as SVG, with the marks and shapes of the record.

        The options are those of `wei7core.replaying.picture.NodePictureOptions`: those of `Board.svg`, and
        `variations`. Raises as `Board.svg` does.
        """
        from wei7core.replaying.picture import node_svg

        return node_svg(self, self.source.document, options)

    def _repr_svg_(self):
        """The picture for notebooks; None for a board too large to draw."""
        from wei7core.board.draw import MAX_SVG_POINTS

        document = self.source.document
        return None if document.width * document.height > MAX_SVG_POINTS else self.svg()

    def __repr__(self):
        where = "start" if self.step is None else f"step {self.step_index}"
        return f"<Node: {where} of {self.branch!r}, move {self.move_number}>"


cdef class NodeSource:
    """The source of nodes: a document, its game, the class of the nodes, and an optional board.

    Instead of the document a source may have the record that the game makes it of when it is asked for.
    """

    cdef object _document       # None: that of the game
    cdef Record record          # None: there is a document
    cdef readonly object board
    cdef readonly object game
    cdef readonly type kind     # `Node` or a subclass
    cdef readonly EditLog log   # of the game
    cdef Py_ssize_t state       # changes whenever the board does
    cdef object _limits

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        if not issubclass(kind, Node):
            raise TypeError(f"expected Node or a subclass, got {kind.__name__}")
        if type(document) is Record:
            self.record = document
        else:
            self._document = document
        self.kind = kind
        self.game = game
        self.log = log
        self._limits = limits

    @property
    def document(self):
        """The document of the nodes."""
        return self._document if self.record is None else self.game.document


@cython.nonecheck(False)
cdef KernelBoard copied_to(KernelBoard copy, KernelBoard board):
    """As `Board.copy`, without a call by name, into a board that nobody else has."""
    cdef w7_status status
    with cython.critical_section(board):
        status = w7_board_assign(&copy.c, &board.c, True)
    if status != W7_OK:
        raise_status(status, &board.c)
    return copy


cdef tuple NO_ARGUMENTS = ()
cdef object MOVE = Move


cdef Node new_node(NodeSource source, Place place, Py_ssize_t step_index, object step, Py_ssize_t move_number):
    # As Node.__new__(source.kind), without a call by name.
    cdef Node node
    if source.kind is None:
        raise TypeError("Node cannot be instantiated directly; use Game.walk()")
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


@cython.nonecheck(False)  # nothing here is None but `source.log`
cdef int renew_node(
    Node node, NodeSource source, Place place, Py_ssize_t step_index, object step, Py_ssize_t move_number
) except -1:
    """Make of a node that nobody else has that of another place of the same source; its board may be used again."""
    if node._place is not place:
        node._place = place
    if node._board is not None:
        # A board has no weak references.
        if Py_REFCNT(<void *>node._board) == 1:
            node._spare = <KernelBoard>node._board
        node._board = None
    node._is_replayed = False
    node._state = source.state
    node.step_index = step_index
    node._step = step
    if source.log is not None:
        node._known = source.log.count
    node.move_number = move_number
    return 0


@cython.nonecheck(False)
cdef inline int set_replayed(Node node, Cursor cursor) except -1:
    node._removed = cursor.removed
    if node._time is not cursor.time:
        node._time = cursor.time
    node._is_answer = cursor.is_answer
    node._is_replayed = True
    return 0


cdef object step_before(Place place, Py_ssize_t step_index):
    """The step before a step of a branch, on its path; None where there is none."""
    steps = place.branch.steps
    if 0 < step_index <= len(steps):
        return steps[step_index - 1]
    while place.parent is not None:
        place = place.parent
        if place.branch.steps:
            return place.branch.steps[-1]
    return None


cdef Node node_of(Cursor cursor, Place place, Py_ssize_t step_index):
    cdef Node node = new_node(cursor, place, step_index, cursor.step, cursor.moves)
    set_replayed(node, cursor)
    return node


cdef Cursor replayed(Place place, Py_ssize_t step_index, NodeSource source):
    """A cursor moved from the root to step `step_index` of a place, or to the last playable step before it."""
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

    Its board is replayed on demand. `move_number` is that of the node.
    """
    cdef Node node = new_node(source, place, step_index, None, move_number)
    node._state = -1
    if step_index >= 0:
        node._step = place.branch.steps[step_index]
    return node


def removed_points(KernelBoard board not None):
    """Return the points captured by the last move in force, in reading order; () for none."""
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
