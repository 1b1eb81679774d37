"""Replay of a record: every branch is played on a board, and the end of the main line summarised."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc

from collections import namedtuple

from wei7core.errors import BoardSizeError, whole_problem
from wei7core.limits import DEFAULT_LIMITS
from wei7core._util.cpu import ISA
from wei7core.replaying.stops import problems_and_error, size_error, stop_message


cdef extern from "replaying/walk.h" nogil:
    ctypedef enum w7_event:
        W7_EVENT_END
        W7_EVENT_PRE
        W7_EVENT_MOVE
        W7_EVENT_REPLACED
        W7_EVENT_SETUP
        W7_EVENT_STOP
        W7_EVENT_MAIN_END
        W7_EVENT_TICK
        W7_EVENT_NO_MEMORY
    ctypedef enum w7_stop_kind:
        W7_STOP_NONE
        W7_STOP_UNREADABLE
        W7_STOP_OCCUPIED
        W7_STOP_NO_LIBERTY
        W7_STOP_TAKEBACK_OF_SETUP
        W7_STOP_LIMIT
    ctypedef struct w7_stop:
        int64_t offset
        int64_t move_number
        int32_t x
        int32_t y
        uint8_t color
        uint8_t kind
    ctypedef struct w7_walk:
        const w7_record *record
        w7_board *board
        int64_t step
        int32_t tree
        int64_t main_takebacks
        uint8_t on_main
        w7_stop stop
    void w7_walk_init(w7_walk *walk, const w7_record *record, w7_board *board, int64_t max_work) noexcept
    void w7_walk_free(w7_walk *walk) noexcept
    int w7_walk_has_more(const w7_walk *walk) noexcept
    w7_event w7_walk_next(w7_walk *walk) noexcept
    w7_event w7_walk_next_halt(w7_walk *walk) noexcept
    int w7_walk_text_size(const w7_record *record, int64_t *size) noexcept


cdef extern from "replaying/summary.h" nogil:
    ctypedef struct w7_figures:
        int64_t moves
        int64_t passes
        int64_t suicides
        int64_t ko_recaptures
    w7_figures w7_board_figures(const w7_board *board, int isa) noexcept
    void w7_board_letters(const w7_board *board, int isa, char *letters) noexcept


cdef int KERNEL_ISA = ISA

PausePoint = namedtuple(
    "PausePoint", "branch step move_number color point hash position", module="wei7core.replaying.replay"
)
PausePoint.__doc__ = """A position at which a program that replays a record should pause (clause 3.15.5).

Every move is one, and every `pre`, with or without stones, on every branch; in
SGF every setup of stones in the course of a game, also one that changes nothing.
`branch` is the path of ordinals from the root (`0.1`; `-` for the root itself); of more than 192 the first 128 and the
last 64, with `..` between them where all others are 0, else `*`;
`step` the place in the `steps` of that branch, None for its `pre`;
`move_number` the moves in force; `color` and `point` those of the move (None
for a `pre` and a setup, `point` None for a pass); `hash` as `Board.hash`; `position` one
letter a point, `.`, `X` or `O`, row by row from the top left.
"""


@cython.final
cdef class Replayed:
    """The result of replaying a record; made by `replay_record`.

    The figures are those of the path in force at the end of the main line: `moves` (passes included), `passes`,
    `suicides`, `ko_recaptures` (moves that bring back the position of two moves before by taking one stone each) and
    the stones removed, by their colour; `takebacks` counts the takebacks on the main line.

    `problems` holds all problems of the record, those of the decoder included, by offset. `error` is the one that ended
    the replay of a branch (the main line first) early, or None: other errors, such as a missing parenthesis at the end
    of SGF, do not affect the moves.

    Thread safety: frozen; threads may share it.
    """

    cdef readonly int64_t moves
    cdef readonly int64_t passes
    cdef readonly int64_t takebacks
    cdef readonly int64_t suicides
    cdef readonly int64_t ko_recaptures
    cdef readonly int64_t black_captured
    cdef readonly int64_t white_captured
    cdef readonly tuple problems
    cdef readonly object error
    cdef KernelBoard last

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self):
        raise TypeError("Replayed cannot be instantiated directly; use replay_record()")

    def __reduce__(self):
        raise TypeError("Replayed cannot be pickled; replay its record again")

    @property
    def hash(self):
        """The hash of the last position; None if the board is larger than the limit."""
        return None if self.last is None else self.last.hash

    @property
    def canonical_hash(self):
        """The least hash of the last position among its symmetries, computed on each access, or None."""
        return None if self.last is None else self.last.canonical_hash

    @property
    def board(self):
        """A copy of the last board of the main line, with its moves; None if it is larger than the limit."""
        return None if self.last is None else self.last.copy()

    @property
    def position(self):
        """The last position of the main line, one letter a point, row by row from the top left, or None."""
        return None if self.last is None else letters(self.last)


def replay_record(Record record not None, *, limits=DEFAULT_LIMITS):
    """Play every branch of `record` and return a `Replayed`.

    A branch ends at an unplayable step, with its descendants, and the others continue; the work (moves played, taken
    back and replayed) is limited to `limits.max_moves`. Bad content never raises. The GIL is not held while the
    branches are walked.

    Thread safety: any number of threads may replay the same record.
    """
    cdef Replayed replayed = Replayed.__new__(Replayed)
    cdef list found = []
    cdef object main_stop = None
    cdef object side_stop = None
    try:
        replayed.last = KernelBoard(record.width, record.height, max_points=limits.max_points)
    except BoardSizeError as refused:
        replayed.problems = record.problems
        replayed.error = size_error(record)
        if replayed.error is None:
            # The record was decoded with another limit.
            replayed.error = whole_problem("board-size-unsupported", str(refused))
            replayed.problems = (replayed.error, *record.problems)
        return replayed
    main_stop, side_stop = _walk(record, replayed, limits, found)
    _describe(replayed)
    replayed.problems = record.problems
    if found or replayed.problems:
        replayed.problems, replayed.error = problems_and_error(
            record, found, main_stop, side_stop, record.c.trees.count > 0
        )
    return replayed


cdef tuple _walk(Record record, Replayed replayed, object limits, list found):
    """Walks all branches, stores the end of the main line in `replayed` and returns its stop and the first other one.

    A stop is the index in `found` of its (code, offset, message), or (offset,) if the decoder has found it.
    """
    cdef w7_walk walk
    cdef w7_event event
    cdef KernelBoard others
    cdef object main_stop = None
    cdef object side_stop = None
    cdef int64_t most = limits.max_problems
    w7_walk_init(&walk, &record.c, &replayed.last.c, limits.max_moves)
    try:
        while True:
            with nogil:
                event = w7_walk_next_halt(&walk)
            if event == W7_EVENT_STOP:
                stop = _stop(&walk.stop, found, limits)
                if walk.on_main:
                    main_stop = stop
                elif side_stop is None:
                    side_stop = stop
                if len(found) > most:
                    break
            elif event == W7_EVENT_REPLACED:
                _replaced(&walk.stop, found, limits)
            elif event == W7_EVENT_MAIN_END:
                if not w7_walk_has_more(&walk):
                    break
                others = replayed.last.copy()
                walk.board = &others.c
            elif event == W7_EVENT_TICK:
                PyErr_CheckSignals()
            elif event == W7_EVENT_NO_MEMORY:
                raise MemoryError("no memory to replay the record")
            else:
                break
        replayed.takebacks = walk.main_takebacks
    finally:
        w7_walk_free(&walk)
    return main_stop, side_stop


cdef void _add(const w7_stop *stop, str code, str kind, list found, object limits):
    """Add a problem that the walk has found, as (code, offset, message)."""
    message = stop_message(kind, limits, stop.move_number, stop.color, stop.x, stop.y)
    found.append((code, stop.offset, message))


cdef void _replaced(const w7_stop *stop, list found, object limits):
    """Adds a move on an occupied point after which the branch continues."""
    if len(found) == limits.max_problems:
        _add(stop, "limit-problems", "more-moves", found, limits)
    elif len(found) < limits.max_problems:
        _add(stop, "move-occupied", "replaced", found, limits)


cdef object _stop(const w7_stop *stop, list found, object limits):
    if stop.kind == W7_STOP_UNREADABLE:
        return (stop.offset,)
    if len(found) == limits.max_problems:
        _add(stop, "limit-problems", "more-stops", found, limits)
    elif stop.kind == W7_STOP_OCCUPIED:
        _add(stop, "move-occupied", "occupied", found, limits)
    elif stop.kind == W7_STOP_NO_LIBERTY:
        _add(stop, "setup-no-liberty", "no-liberty", found, limits)
    elif stop.kind == W7_STOP_TAKEBACK_OF_SETUP:
        _add(stop, "takeback-too-deep", "takeback-of-setup", found, limits)
    else:
        _add(stop, "limit-replay", "limit", found, limits)
    return len(found) - 1


cdef void _describe(Replayed replayed):
    cdef KernelBoard board = replayed.last
    cdef w7_figures figures
    with nogil:
        figures = w7_board_figures(&board.c, KERNEL_ISA)
    replayed.moves = figures.moves
    replayed.passes = figures.passes
    replayed.suicides = figures.suicides
    replayed.ko_recaptures = figures.ko_recaptures
    replayed.black_captured = board.c.captured[1]
    replayed.white_captured = board.c.captured[2]


cdef str letters(KernelBoard board):
    cdef Py_ssize_t size = <Py_ssize_t>board.width * board.height
    cdef char *text = <char *>PyMem_Malloc(size)
    if text == NULL:
        raise MemoryError("no memory for a picture of the board")
    try:
        w7_board_letters(&board.c, KERNEL_ISA, text)
        return text[:size].decode("ascii")
    finally:
        PyMem_Free(text)


@cython.final
cdef class PausePoints:
    """Iterates over the pause points of a record; see `pause_points`."""

    cdef Record record
    cdef KernelBoard board
    cdef w7_walk walk
    cdef int32_t tree
    cdef list ordinals  # from the root to the tree
    cdef list turns  # how many of them are not 0, up to each
    cdef str branch

    def __cinit__(self, Record record not None, limits):
        self.record = record
        self.tree = 0
        self.ordinals, self.turns = [], []
        self.branch = "-"
        try:
            self.board = KernelBoard(record.width, record.height, max_points=limits.max_points)
        except BoardSizeError:
            return
        w7_walk_init(&self.walk, &record.c, &self.board.c, limits.max_moves)

    def __dealloc__(self):
        w7_walk_free(&self.walk)

    def __iter__(self):
        return self

    def __next__(self):
        cdef w7_event event
        with cython.critical_section(self):
            if self.board is None:
                raise StopIteration
            while True:
                event = w7_walk_next(&self.walk)
                if event == W7_EVENT_REPLACED:
                    event = W7_EVENT_MOVE
                if event == W7_EVENT_MOVE or event == W7_EVENT_PRE or event == W7_EVENT_SETUP:
                    return self.point(event)
                if event == W7_EVENT_END:
                    raise StopIteration
                if event == W7_EVENT_NO_MEMORY:
                    self.board = None
                    raise MemoryError("no memory to replay the record")
                PyErr_CheckSignals()

    cdef object point(self, w7_event event):
        cdef const w7_step *step
        cdef object place = None
        cdef int64_t first = (<const w7_tree *>self.walk.record.trees.at)[self.walk.tree].first_step
        if self.tree != self.walk.tree:
            self.follow(self.walk.tree)
            self.branch = path_text(self.ordinals, self.turns)
        if event != W7_EVENT_PRE:
            place = self.walk.step - first
        if event != W7_EVENT_MOVE:
            return PausePoint(
                self.branch, place, self.board.move_count, None, None, self.board.hash, letters(self.board)
            )
        step = <const w7_step *>self.walk.record.steps.at + self.walk.step
        return PausePoint(
            self.branch,
            place,
            self.board.move_count,
            step.color,
            None if step.x < 0 else (step.x, step.y),
            self.board.hash,
            letters(self.board),
        )

    cdef object follow(self, int32_t tree):
        """Go to a tree that the walk meets after the last one."""
        cdef const w7_tree *trees = <const w7_tree *>self.walk.record.trees.at
        cdef list below = []
        cdef int32_t fork = tree
        # Trees are numbered as the walk meets them: one with a number above that of the last one does not contain it.
        while trees[fork].parent >= 0 and fork > self.tree:
            below.append(trees[fork].ordinal)
            fork = trees[fork].parent
        while self.tree != fork:
            self.ordinals.pop()
            self.turns.pop()
            self.tree = trees[self.tree].parent
        for ordinal in reversed(below):
            self.turns.append((self.turns[len(self.turns) - 1] if self.turns else 0) + (ordinal != 0))
            self.ordinals.append(ordinal)
        self.tree = tree


def pause_points(Record record not None, *, limits=DEFAULT_LIMITS):
    """Return an iterator over the `PausePoint` of every branch of `record`, parents before their branches.

    A branch ends at an unplayable step, without an error; see `replay_record`, whose limits apply. Each point has the
    whole board as text: `pause_points_size` returns the total size. One iterator is for one thread at a time.
    """
    return PausePoints(record, limits)


def pause_points_size(Record record not None):
    """Return an upper bound of the characters of boards and branch paths in the `pause_points` of `record`."""
    cdef int64_t size = 0
    if w7_walk_text_size(&record.c, &size) != 0:
        raise MemoryError("no memory to measure the record")
    return size


PATH_HEAD, PATH_TAIL = 128, 64  # as in positions.h


cdef str path_text(list ordinals, list turns):
    """Ordinals joined by dots. Of a long path the middle is left out: `..` where its ordinals are all 0, else `*`."""
    if len(ordinals) <= PATH_HEAD + PATH_TAIL:
        return ".".join(map(str, ordinals)) or "-"
    left_out = ".." if turns[PATH_HEAD - 1] == turns[len(turns) - 1 - PATH_TAIL] else "*"
    return ".".join([*map(str, ordinals[:PATH_HEAD]), left_out, *map(str, ordinals[-PATH_TAIL:])])
