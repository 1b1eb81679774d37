"""`BoardCursor`: one step at a time, forward and back."""

cdef list steps_of(Place place):
    cdef list steps = place.branch.steps
    if steps is None:
        raise TypeError("a branch has no list of steps")
    return steps


cdef class BoardCursor:
    """A place in a document with the position there, which moves forward and back at the cost of a step.

    Attributes: `board`, the position, which the cursor changes as it moves; `place`, `step_index` and `move_number` as
    those of a node; `taken_count`, the number of steps before this place; `document` and `game`. A step that cannot be
    played ends its branch, as in every walk. The cursor undoes its own steps, so earlier steps must not be changed;
    `log` counts the relevant edits.
    """

    cdef NodeSource _source     # of its nodes; not the cursor itself, which keeps two of them
    cdef EditLog _log           # of the source; None before there is a board
    cdef readonly KernelBoard board
    cdef readonly Place place
    cdef readonly Py_ssize_t step_index
    cdef readonly Py_ssize_t move_number
    cdef Py_ssize_t _known      # edits of the log
    cdef Py_ssize_t _touches    # moves, edits and presets before this place, in force or withdrawn
    cdef bint _is_open          # the steps of the branch can be played
    cdef list _steps            # of the branch
    cdef list _taken            # the steps before this place, and then some that were before another one
    cdef readonly Py_ssize_t taken_count
    cdef list _done             # the undo data of those that are no moves, each after its index in `_taken`
    cdef Py_ssize_t _last_done  # index of the last one of these; -1: none
    cdef list _entered          # the place from which each branch was entered, and the points of its preset stones
    cdef Node _even             # the two nodes returned last
    cdef Node _odd
    cdef bint _is_odd           # the next one is to be `_odd`

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        self._source = NodeSource(document, limits, kind, game, log or EditLog())
        self.restart()

    @property
    def document(self):
        """The document of the nodes."""
        return self._source.document

    @property
    def game(self):
        """The game of the nodes."""
        return self._source.game

    def restart(self):
        """Move to the root of the current document, on a new board."""
        cdef NodeSource source = self._source
        if source is None:
            raise TypeError("BoardCursor cannot be instantiated directly; use Game.cursor()")
        document = source.document
        board = KernelBoard(document.width, document.height, max_points=source._limits.max_points)
        self.board = source.board = board
        self.place = None
        self.step_index = -1
        self.move_number = self._touches = self.taken_count = 0
        self._done = []
        self._taken = []
        self._last_done = -1
        self._entered = []
        self._log = source.log
        self._known = self._log.count
        source.state += 1
        self._enter(Place(document.tree))

    def follow(self):
        """Follow edits of the game; a subclass finds its place after them."""
        self.restart()

    @property
    def taken(self):
        """The steps before this place."""
        return self._taken[: self.taken_count]

    @cython.final
    @cython.nonecheck(False)
    cdef int _follow(self) except -1:
        self._check()
        if self._known != self._log.count:
            self.follow()
            self._known = self._log.count
        return 0

    @property
    def node(self):
        """The node at the cursor."""
        self._follow()
        return self._node()

    # Steps are taken one by one, each by a call: where nothing can be freed, references are not counted.

    @cython.final
    @cython.nonecheck(False)
    cdef Node _node(self):
        """The node of this place: a new one, or the last but one if nobody else has it, as in most loops."""
        cdef PyObject *kept = <PyObject *>self._odd if self._is_odd else <PyObject *>self._even
        cdef PyObject *step = <PyObject *>None
        cdef Node node
        if self.step_index >= 0:
            step = w7_item(<PyObject *>self._taken, self.taken_count - 1)
        # A node has no weak references.
        if W7_THREADS_RUN_FREE or kept == <PyObject *>None or w7_reference_count(kept) != 1:
            node = new_node(self._source, self.place, self.step_index, <object>step, self.move_number)
            if self._is_odd:
                self._odd = node
            else:
                self._even = node
            kept = <PyObject *>node
        else:
            renew_node(<Node>kept, self._source, self.place, self.step_index, <object>step, self.move_number)
        self._is_odd = not self._is_odd
        return <Node>kept

    @property
    def ahead(self):
        """The next step of the branch; None at its end, and False if its steps cannot be played."""
        self._check()
        if not self._is_open:
            return False
        return self._steps[self.step_index + 1] if self.step_index + 1 < len(self._steps) else None

    # A call with a bound function object would cost as much as the step.
    @cython.binding(False)
    @cython.embedsignature(True)
    @cython.always_allow_keywords(False)
    @cython.nonecheck(False)
    def next(self):
        """Move to the first child and return its node; None, without any change, if none can be played."""
        self._follow()
        return self._node() if self._next() else None

    @cython.binding(False)
    @cython.embedsignature(True)
    @cython.always_allow_keywords(False)
    @cython.nonecheck(False)
    def previous(self):
        """Move to the parent and return its node; None at the root."""
        self._follow()
        return self._node() if self._previous() else None

    @cython.binding(False)
    @cython.embedsignature(True)
    @cython.nonecheck(False)
    def forward(self, n=1):
        """Move forward by up to n nodes, always to the first child; return the node reached."""
        cdef int64_t remaining = read_integer(n)
        self._follow()
        while remaining > 0 and self._next():
            remaining -= 1
        return self._node()

    @cython.binding(False)
    @cython.embedsignature(True)
    @cython.nonecheck(False)
    def back(self, n=1):
        """Move back by n nodes, at most to the root; return the node reached."""
        cdef int64_t remaining = read_integer(n)
        self._follow()
        while remaining > 0 and self._previous():
            remaining -= 1
        return self._node()

    @cython.final
    @cython.nonecheck(False)
    cdef bint _next(self) except -1:
        return self._take_step() if self.step_index + 1 < Py_SIZE(<PyObject *>self._steps) else self._enter_first()

    @cython.final
    cdef bint _enter_first(self) except -1:
        branches = self.place.branch.branches
        return bool(branches) and self._is_open and self._descend(Place(branches[0], self.place, 0))

    @cython.final
    @cython.nonecheck(False)
    cdef bint _previous(self) except -1:
        if self.step_index >= 0:
            self._take_back()
            if self.step_index >= 0 or starts(self.place):
                return True
        return self._leave_start()

    @cython.final
    cdef bint _leave_start(self) except -1:
        if self.place.parent is None:
            return False
        self._leave()
        return True

    @cython.final
    cdef bint _descend(self, Place place) except -1:
        """Move from the end of a branch to the first node of a child branch; False, without any change, if
        impossible.
        """
        self._enter(place)
        if starts(place) or self._take_step():
            return True
        self._leave()
        return False

    # Not `cpdef`: each call would look for a method of a subclass.

    @cython.binding(False)
    @cython.embedsignature(True)
    def enter(self, Place place not None):
        """Move from the end of a branch to the start of a child branch; returns whether its steps can be played."""
        self._check()
        return self._enter(place)

    @cython.binding(False)
    @cython.embedsignature(True)
    def leave(self):
        """Move from anywhere in a branch below the root to the node before the branch."""
        self._check()
        if self.place.parent is None:
            raise ValueError("there is no node before the root")
        self._leave()

    @cython.binding(False)
    @cython.embedsignature(True)
    def step(self):
        """Carry out the next step of the branch; False, without any change, if impossible."""
        self._check()
        return self._take_step()

    @cython.binding(False)
    @cython.embedsignature(True)
    def step_back(self):
        """Undo the step of this node, which must exist."""
        self._check()
        if self.step_index < 0:
            raise IndexError("the node has no step to undo")
        self._take_back()

    @cython.final
    cdef int _check(self) except -1:
        if self._log is None:
            raise TypeError("BoardCursor cannot be instantiated directly; use Game.cursor()")
        return 0

    @cython.final
    cdef bint _enter(self, Place place) except -1:
        cdef list steps = steps_of(place)
        pre = place.branch.pre
        points = ()
        is_open = True
        if pre is not None and pre.stones:
            stones = [(stone.color, stone.point) for stone in pre.stones]
            is_open = self._touches == 0
            if is_open:
                try:
                    (self.board._put if pre.unchecked and place.parent is None else self.board.setup)(stones)
                    points = [point for _, point in stones]
                    self._touches += 1
                    self._source.state += 1
                except ValueError:
                    is_open = False
        elif pre is not None:
            is_open = "stones" not in pre.extra and "<stones>" not in pre.extra
        self._entered.append((self.step_index, points))
        self.place = place
        self.step_index = -1
        self._is_open = is_open
        self._steps = steps if is_open else []
        return is_open

    @cython.final
    cdef int _leave(self) except -1:
        while self.step_index >= 0:
            self._take_back()
        self.step_index, points = self._entered.pop()
        if points:
            self.board._take_away(points)
            self._touches -= 1
            self._source.state += 1
        self.place = self.place.parent
        self._steps = steps_of(self.place)
        self._is_open = True
        return 0

    @cython.final
    @cython.nonecheck(False)
    cdef bint _take_step(self) except -1:
        cdef Py_ssize_t index = self.step_index + 1
        cdef PyObject *steps = <PyObject *>self._steps
        cdef PyObject *step
        cdef PyObject *taken
        cdef w7_status status = W7_BAD_COLOR
        if index >= Py_SIZE(steps):
            return False
        step = w7_item(steps, index)
        if Py_TYPE(step) == <PyTypeObject *>Step and (<Step>step).color:
            with cython.critical_section(self.board):
                status = w7_board_play(
                    &self.board.c, (<Step>step).color, (<Step>step).x, (<Step>step).y if (<Step>step).x >= 0 else -1
                )
        if status == W7_OK:
            self.move_number += 1
            self._touches += 1
            self._source.state += 1
            taken = <PyObject *>self._taken
            if self.taken_count < Py_SIZE(taken) and w7_item(taken, self.taken_count) == step:
                self.taken_count += 1
            else:
                self._remember(<object>step)
        elif not self._carry_out(<object>step):
            return False
        self.step_index = index
        return True

    @cython.final
    cdef int _remember(self, object step) except -1:
        if self.taken_count < len(self._taken):
            self._taken[self.taken_count] = step
        else:
            self._taken.append(step)
        self.taken_count += 1
        return 0

    @cython.final
    cdef bint _carry_out(self, object step) except -1:
        """Carry out any step; False, and nothing changed, if impossible."""
        cdef int color
        cdef int64_t x = -1, y = -1
        cdef w7_status status
        cdef object done = None
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
            with cython.critical_section(self.board):
                status = w7_board_play(&self.board.c, color, <int>x, <int>y)
            if status == W7_OCCUPIED and self._source.document.replaces:
                done = (self.move_number, self.board._edits[0])
                self.board.edit([(0, point)])
                self.board.play(color, point)
            elif status != W7_OK:
                return False
            self.move_number += 1
            self._touches += 1
            self._source.state += 1
        elif isinstance(action, Takeback):
            if not 1 <= action.count <= self.move_number - self.board._edits[1]:
                return False
            done = []
            for _ in range(action.count):
                done.append(self.board.last_move)
                self.board.undo()
            self.move_number -= len(done)
            self._source.state += 1
        elif isinstance(action, Edit):
            done = (self.move_number, self.board._edits[0])
            try:
                self.board.edit([(stone.color, stone.point) for stone in action.stones])
            except ValueError:
                return False
            self._touches += 1
            self._source.state += 1
        elif isinstance(action, Unreadable) and action.may_be_move:
            return False
        else:
            done = ()
        if done is not None:
            self._last_done = self.taken_count
            self._done.append((self._last_done, done))
        self._remember(step)
        return True

    @cython.final
    @cython.nonecheck(False)
    cdef int _take_back(self) except -1:
        self.taken_count -= 1
        self.step_index -= 1
        if self._last_done == self.taken_count:
            return self._revert()
        with cython.critical_section(self.board):
            w7_board_undo(&self.board.c, 1)
        self.move_number -= 1
        self._touches -= 1
        self._source.state += 1
        return 0

    @cython.final
    cdef int _revert(self) except -1:
        """Undo the last step that is no move."""
        _, done = self._done.pop()
        self._last_done = self._done[-1][0] if self._done else -1
        if isinstance(done, list):
            for move in reversed(done):
                self.board.play(*move)
            self.move_number += len(done)
        elif done:
            self.board._rewind(done[0], done[1])
            self.move_number = done[0]
            self._touches -= 1
        else:
            return 0
        self._source.state += 1
        return 0
