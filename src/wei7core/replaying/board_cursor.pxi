"""`BoardCursor`: one step at a time, forward and back."""


cdef class BoardCursor(NodeSource):
    """A place in a document with the position there, which moves forward and back at the cost of a step.

    Attributes: `board`, the position, which the cursor changes as it moves; `place`, `step_index` and `move_number` as
    those of a node. A step that cannot be played ends its branch, as in every walk. The cursor undoes its own steps, so
    earlier steps must not be changed; `log` counts the relevant edits.
    """

    cdef KernelBoard _kernel    # is `board`
    cdef readonly Place place
    cdef readonly Py_ssize_t step_index
    cdef readonly Py_ssize_t move_number
    cdef Py_ssize_t _known      # edits of the log
    cdef Py_ssize_t _touches    # moves, edits and presets before this place, in force or withdrawn
    cdef bint _is_open          # the steps of the branch can be played
    cdef list _steps            # of the branch
    cdef object _step           # the last one carried out
    cdef list _done             # the undo data of each step before this place; None: a move
    cdef readonly list taken    # the steps before this place
    cdef list _entered          # the place from which each branch was entered, and the points of its preset stones

    def __init__(self, document, limits, type kind not None=Node, game=None, EditLog log=None):
        NodeSource.__init__(self, document, limits, kind, game, log or EditLog())
        self.restart()

    def restart(self):
        """Move to the root of the current document, on a new board."""
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
        """Follow edits of the game; a subclass finds its place after them."""
        self.restart()

    cdef int _follow(self) except -1:
        if self._kernel is None:
            raise TypeError("BoardCursor cannot be instantiated directly; use Game.cursor()")
        if self._known != self.log.count:
            self.follow()
            self._known = self.log.count
        return 0

    @property
    def node(self):
        """The node at the cursor."""
        self._follow()
        return self._node()

    cdef Node _node(self):
        return new_node(self, self.place, self.step_index, self._step, self.move_number)

    @property
    def ahead(self):
        """The next step of the branch; None at its end, and False if its steps cannot be played."""
        if not self._is_open:
            return False
        return self._steps[self.step_index + 1] if self.step_index + 1 < len(self._steps) else None

    def next(self):
        """Move to the first child and return its node; None, without any change, if none can be played."""
        self._follow()
        return self._node() if self._next() else None

    def previous(self):
        """Move to the parent and return its node; None at the root."""
        self._follow()
        return self._node() if self._previous() else None

    def forward(self, Py_ssize_t n=1):
        """Move forward by up to n nodes, always to the first child; return the node reached."""
        self._follow()
        while n > 0 and self._next():
            n -= 1
        return self._node()

    def back(self, Py_ssize_t n=1):
        """Move back by n nodes, at most to the root; return the node reached."""
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
        """Move from the end of a branch to the first node of a child branch; False, without any change, if
        impossible.
        """
        self.enter(place)
        if starts(place) or self.step():
            return True
        self.leave()
        return False

    cpdef bint enter(self, Place place) except -1:
        """Move from the end of a branch to the start of a child branch; returns whether its steps can be played."""
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
        """Move from anywhere in a branch below the root to the node before the branch."""
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
        """Carry out the next step of the branch; False, without any change, if impossible."""
        cdef int color
        cdef int64_t x = -1, y = -1
        cdef w7_status status
        cdef object done = None
        if self.step_index + 1 >= len(self._steps):
            return False
        step = self._steps[self.step_index + 1]
        if type(step) is Step and (<Step>step).color and self._play(<Step>step):
            return True
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

    cdef bint _play(self, Step step) except -1:
        """Carry out a move whose object was not asked for; False, and nothing changed, where a step has more."""
        cdef w7_status status
        with cython.critical_section(self._kernel):
            status = w7_board_play(&self._kernel.c, step.color, step.x, step.y if step.x >= 0 else -1)
        if status != W7_OK:
            return False
        self.move_number += 1
        self._touches += 1
        self.state += 1
        self._done.append(None)
        self.taken.append(step)
        self._step = step
        self.step_index += 1
        return True

    cpdef int step_back(self) except -1:
        """Undo the step of this node, which must exist."""
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
