"""`walk_branches`: the nodes of a tree one after the other."""


@cython.final
cdef class _Walk:
    """An iterator over the nodes of a tree.

    The two nodes returned last are used again, with their boards, where nobody else has them, as in most loops. Of a
    record the columns are walked, as long as they have all that the walk needs and there is no document.
    """

    cdef object _document   # or a record, of whose columns only the main line can be walked
    cdef Record _record     # whose columns are walked; else None
    cdef w7_main_line _line     # in these
    cdef object _limits
    cdef object _kind
    cdef object _game
    cdef EditLog _log
    cdef bint _first_only
    cdef bint _ends_only
    cdef bint _runs         # a call is under way, or an exception ended the walk
    cdef bint _is_open      # the steps of the branch can be played
    cdef Cursor _cursor     # None before the first node
    cdef list _waiting      # None marks the end of the branch whose nodes precede it
    cdef Py_ssize_t _places  # of these that are no such mark
    cdef Place _place       # the branch that is walked; None between two
    cdef list _steps        # of the branch; None at its start
    cdef Py_ssize_t _index
    cdef Node _even
    cdef Node _odd
    cdef bint _is_odd       # the next node is to be `_odd`

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, document, limits, first_only, ends_only, kind, game, log):
        self._document = document
        self._limits = limits
        self._kind = kind
        self._game = game
        self._log = log
        self._first_only = first_only
        self._ends_only = ends_only

    def __iter__(self):
        return self

    def __next__(self):
        cdef Node node
        with cython.critical_section(self):
            if self._runs:
                raise StopIteration
            self._runs = True
            node = self._next()
            if node is None:
                self._cursor = None
                raise StopIteration
            self._runs = False
        return node

    cdef int _start(self) except -1:
        self._cursor = Cursor(self._document, self._limits, self._kind, self._game, self._log)
        self._waiting = []
        if self._cursor.record is not None and w7_main_line_enter(&self._cursor.record.c, 0, &self._line):
            self._record = self._cursor.record
            self._line.index = -2
            self._cursor.reserve(self._record.c.steps.count)
            if self._log.line is None:
                self._log.line = []
        else:
            self._waiting.append(Place(self._cursor.document.tree))
            self._places = 1
        return 0

    @cython.boundscheck(False)
    @cython.nonecheck(False)
    @cython.wraparound(False)
    cdef Node _next_of_columns(self):
        """The next node; None at the end of the line, and after a change to the document."""
        cdef const w7_record *record = &self._record.c
        cdef const w7_step *step
        cdef Cursor cursor = self._cursor
        cdef Node node
        cdef int64_t tree, row = -1
        if Py_SIZE(<PyObject *>self._log.line):
            return self._leave_columns()
        if self._line.index >= -1:
            row = w7_main_line_row(record, &self._line)
        if row >= 0:
            step = &(<const w7_step *>record.steps.at)[row]
            if (
                not w7_main_line_is_move(record, row) or cursor.is_spent()
                or not cursor.play_at(step.color, step.x, step.y)
            ):
                return self._leave_columns()
        elif self._line.index >= -1:
            tree = (<const w7_tree *>record.trees.at)[self._line.tree].first_branch
            if tree < 0:
                self._record = None
                return None
            if not w7_main_line_enter(record, tree, &self._line):
                return self._leave_columns()
            self._line.depth += 1
            self._line.index -= 1
            cursor.removed = 0
        self._line.index += 1
        self._index = self._line.index
        node = self._node(None)
        node._depth = self._line.depth
        node._row = row
        return node

    @cython.boundscheck(False)
    @cython.nonecheck(False)
    @cython.wraparound(False)
    cdef Node _leave_columns(self):
        """Continue in the document."""
        cdef Py_ssize_t floor = 0, depth
        cdef tuple pair
        self._record = None
        self._cursor.document  # makes it
        for depth in range(self._line.depth + 1):
            pair = <tuple>self._log.line[depth]
            self._place = <Place>pair[0]
            self._cursor.enter_played(self._place, floor)
            floor += len(<list>pair[1])
            self._waiting.append(None)
        self._steps = self._place.branch.steps
        self._is_open = True
        return None

    @cython.boundscheck(False)
    @cython.nonecheck(False)
    @cython.wraparound(False)
    cdef Node _next(self):
        cdef Py_ssize_t index
        cdef object place, step
        if self._cursor is None:
            self._start()
        if self._record is not None:
            node = self._next_of_columns()
            if node is not None:
                return node
        while True:
            if self._place is not None:
                if self._steps is None:
                    steps = self._place.branch.steps
                    self._steps = steps if isinstance(steps, list) else list(steps)
                    self._cursor.reserve(len(self._steps))
                index = self._index + 1
                if self._is_open and index < len(self._steps):
                    step = self._steps[index]
                    # Most are moves alone.
                    self._is_open = is_bare(step) and self._cursor.play(<Step>step) or self._cursor.apply(step)
                    if self._is_open:
                        self._index = index
                        if not self._ends_only:
                            return self._node(self._place)
                        continue
                place, self._place, self._steps = self._place, None, None
                if not self._descend(place) and self._ends_only:
                    return self._node(place)
            elif self._places == 0:
                return None
            else:
                place = self._waiting.pop()
                if place is None:
                    self._cursor.leave()
                    continue
                self._places -= 1
                self._waiting.append(None)
                self._index = -1
                self._is_open = self._cursor.enter(place)
                self._place = place
                if not self._ends_only:
                    return self._node(place)

    cdef bint _descend(self, Place place) except -1:
        """Note the branches below one that has ended; returns whether there are any."""
        cdef list below = place.below() if self._is_open else []
        cdef list entered = below[:1] if self._first_only else below[::-1]
        self._waiting.extend(entered)
        self._places += len(entered)
        return bool(below)

    @cython.nonecheck(False)
    cdef Node _node(self, Place place):
        cdef Cursor cursor = self._cursor
        cdef Node node = self._odd if self._is_odd else self._even
        # Two references are that of the walk, and that of this variable; a node has no weak ones.
        if W7_THREADS_RUN_FREE or node is None or Py_REFCNT(<void *>node) != 2:
            node = new_node(cursor, place, self._index, cursor.step, cursor.moves)
            if self._is_odd:
                self._odd = node
            else:
                self._even = node
        else:
            renew_node(node, cursor, place, self._index, cursor.step, cursor.moves)
        set_replayed(node, cursor)
        self._is_odd = not self._is_odd
        return node


def walk_branches(document, limits, *, bint first_only, bint ends_only, type kind not None=Node, game=None, log=None):
    """Return an iterator over the nodes of the tree, each branch before those below it.

    For the main line alone, the record that `game` makes its document of will do instead of the document.

    Raises `ValueError` at a branch that contains itself.

    `first_only` enters only the first branch at each fork; `ends_only` yields only the last node of each line. Raises
    `LimitError` (`limit-replay`) after `limits.max_moves` board operations, and `BoardSizeError` at once for a board
    larger than `limits.max_points`.
    """
    return _Walk(document, limits, first_only, ends_only, kind, game, log)
