"""`Move` and `Step` of documents: a step of a record that was read is few bytes; its objects are made on demand.

Objects may be used by one thread at a time.
"""

_NOTHING_EMPTY = frozenset()
_IMMUTABLE = frozenset((type(None), bool, int, float, str, frozenset))


def _dataclass(name, names, defaults):
    """A dataclass of the same fields, for the functions of `dataclasses`; those with a default are for keywords."""
    fields = [(each, object) for each in names]
    for each, default in defaults.items():
        kind = "default_factory" if isinstance(default, type) else "default"
        is_keyword = each not in ("evaluation", "problem")
        field = dataclasses.field(kw_only=is_keyword, compare=each != "kept_empty", **{kind: default})
        fields.append((each, object, field))
    return dataclasses.make_dataclass(name, fields)


_MOVE = _dataclass("Move", ("color", "point"), {"evaluation": None, "problem": None, "extra": dict})
_STEP = _dataclass("Step", ("action",), {
    "time": None, "actor": None, "marks": list, "comment": None, "properties": dict, "joined": False, "title": None,
    "splitter": None, "extra": dict, "kept_empty": _NOTHING_EMPTY,
})


@cython.no_gc  # nothing that a move holds refers to it
cdef class Move:
    """Move(color, point, evaluation=None, problem=None, *, extra=None)\n--\n
    One move; `point` None is a pass, which counts as a move (clause 3.15.3.2.1).

    `evaluation` rates the move, in a problem as right or wrong. `problem` (revision 2 only) makes the position after
    the move a question: the colour to play.
    """

    __dataclass_fields__ = _MOVE.__dataclass_fields__
    __dataclass_params__ = _MOVE.__dataclass_params__
    __match_args__ = _MOVE.__match_args__
    __hash__ = None

    def __init__(self, color, point, evaluation=None, problem=None, *, extra=None):
        self.color = color
        self.point = point
        self.evaluation = evaluation
        self.problem = problem
        self._extra = extra

    @property
    def extra(self):
        """Members that only lenient reading keeps."""
        if self._extra is None:
            self._extra = {}
        return self._extra

    @extra.setter
    def extra(self, value):
        self._extra = value

    @property
    def is_pass(self):
        """Whether the move is a pass."""
        return self.point is None

    def __eq__(self, other):
        cdef Move one
        if type(other) is not type(self):
            return NotImplemented
        one = other
        return (
            self.color == one.color
            and self.point == one.point
            and self.evaluation == one.evaluation
            and self.problem == one.problem
            and (self._extra or {}) == (one._extra or {})
        )

    def __repr__(self):
        return _repr(self)

    def __reduce_ex__(self, protocol):
        return _reduced(self)

    def __deepcopy__(self, memo):
        return _deep_copy(self, memo)

    def __setstate__(self, state):
        _restore(self, state)

    def __replace__(self, **changes):
        return dataclasses.replace(self, **changes)


@cython.final
@cython.no_gc
cdef class _StepMembers:
    """The members of a step other than its action."""


@cython.no_gc  # nothing that a step holds refers to it
cdef class Step:
    """Step(action, *, time=None, actor=None, marks=None, comment=None, properties=None, joined=False, title=None,\
 splitter=None, extra=None, kept_empty=())\n--\n
    One action and its properties (clause 3.15.3).

    `time` is in seconds since the start of the whole game, 0 <= time < 86400; the order of the steps prevails if the
    times contradict it. `actor` is an index into `Info.participants`. `marks` and `comment` belong to the position
    after the action. `properties` are those of an SGF node besides its moves and setup; a writer of SGF keeps those
    that agree with the other attributes. `joined`: the step belongs to the same SGF node as the one before it, which
    has the properties of both. In wei7 2.x a step has a `title`, and a `splitter`, the size of the gap before it; None
    is a small one.
    """

    __dataclass_fields__ = _STEP.__dataclass_fields__
    __dataclass_params__ = _STEP.__dataclass_params__
    __match_args__ = _STEP.__match_args__
    __hash__ = None

    def __init__(
        self, action, *, time=None, actor=None, marks=None, comment=None, properties=None, joined=False, title=None,
        splitter=None, extra=None, kept_empty=_NOTHING_EMPTY,
    ):
        self.color = 0
        self._action = action
        self._members = None
        self.joined = joined
        if (
            time is not None or actor is not None or marks is not None or comment is not None or title is not None
            or properties is not None or splitter is not None or extra is not None or kept_empty is not _NOTHING_EMPTY
        ):
            members = self.members()
            members.time = time
            members.actor = actor
            members.marks = marks
            members.comment = comment
            members.properties = properties
            members.title = title
            members.splitter = splitter
            members.extra = extra
            members.kept_empty = kept_empty

    cdef _StepMembers members(self):
        """The members of the step other than its action, to be changed."""
        if self._members is None:
            self._members = _StepMembers.__new__(_StepMembers)
            self._members.kept_empty = _NOTHING_EMPTY
        return self._members

    cdef bint is_quiet(self) except -1:
        """Whether the step has nothing but its action; `joined` aside."""
        cdef _StepMembers members = self._members
        return members is None or (
            members.time is None
            and members.actor is None
            and members.comment is None
            and members.title is None
            and members.splitter is None
            and members.kept_empty is _NOTHING_EMPTY
            and not members.marks
            # Emptied properties remember their previous content.
            and (members.properties is None or (type(members.properties) is dict and not members.properties))
            and not members.extra
        )

    cdef bint is_bare(self) except -1:
        """Whether the step is a move with a colour and a point only."""
        cdef Move move
        if not self.is_quiet():
            return False
        if self.color:
            return True
        if type(self._action) is not Move:
            return False
        move = self._action
        if move.point is not None and type(move.point) is not tuple:
            return False
        return move.evaluation is None and move.problem is None and not move._extra

    cdef int code(self, Py_ssize_t width, Py_ssize_t height) except -2:
        """The number of a move that has a colour and a point on the board, or a pass, and nothing else; else -1.

        As in `MoveRun.codes`.
        """
        cdef Py_ssize_t x = -1, y = -1, color = self.color
        cdef Move move
        if self.joined or not self.is_bare():
            return -1
        if color:
            x, y = self.x, self.y
        else:
            move = self._action
            if type(move.color) is not int or not 1 <= move.color <= 2:
                return -1
            color = move.color
            if move.point is not None:
                if type(move.point) is not tuple or len(move.point) != 2:
                    return -1
                if type(move.point[0]) is not int or type(move.point[1]) is not int:
                    return -1
                if not (0 <= move.point[0] < width and 0 <= move.point[1] < height):
                    return -1
                x, y = move.point
        if x >= width or y >= height:
            return -1
        return <int>((color - 1) * (width * height + 1) + (width * height if x < 0 else y * width + x))

    @property
    def action(self):
        """The action of the step."""
        cdef Move move
        if self.color:
            move = Move.__new__(Move)
            move.color = <int>self.color
            move.point = None if self.x < 0 else (self.x, self.y)
            self._action = move
            self.color = 0
        return self._action

    @action.setter
    def action(self, value):
        self.color = 0
        self._action = value

    @property
    def time(self):
        """Seconds since the start of the whole game, or None."""
        return None if self._members is None else self._members.time

    @time.setter
    def time(self, value):
        if value is not None or self._members is not None:
            self.members().time = value

    @property
    def actor(self):
        """An index into `Info.participants`, or None."""
        return None if self._members is None else self._members.actor

    @actor.setter
    def actor(self, value):
        if value is not None or self._members is not None:
            self.members().actor = value

    @property
    def comment(self):
        """The comment on the position after the action, or None."""
        return None if self._members is None else self._members.comment

    @comment.setter
    def comment(self, value):
        if value is not None or self._members is not None:
            self.members().comment = value

    @property
    def title(self):
        """The title of the step (wei7 2.x), or None."""
        return None if self._members is None else self._members.title

    @title.setter
    def title(self, value):
        if value is not None or self._members is not None:
            self.members().title = value

    @property
    def splitter(self):
        """The size of the gap before the step (wei7 2.x), or None."""
        return None if self._members is None else self._members.splitter

    @splitter.setter
    def splitter(self, value):
        if value is not None or self._members is not None:
            self.members().splitter = value

    @property
    def marks(self):
        """The marks of the position after the action."""
        members = self.members()
        if members.marks is None:
            members.marks = []
        return members.marks

    @marks.setter
    def marks(self, value):
        self.members().marks = value

    @property
    def properties(self):
        """All properties of an SGF node except its moves and setup."""
        members = self.members()
        if members.properties is None:
            members.properties = {}
        members.inherits = False  # the caller may change them
        return members.properties

    @properties.setter
    def properties(self, value):
        cdef _StepMembers members = self.members()
        members.properties = value
        members.inherits = False

    @property
    def extra(self):
        """Members that only lenient reading keeps."""
        members = self.members()
        if members.extra is None:
            members.extra = {}
        return members.extra

    @extra.setter
    def extra(self, value):
        self.members().extra = value

    @property
    def kept_empty(self):
        """The names of members that are written although they are empty."""
        return _NOTHING_EMPTY if self._members is None else self._members.kept_empty

    @kept_empty.setter
    def kept_empty(self, value):
        self.members().kept_empty = value

    def __eq__(self, other):
        """The order of marks carries no meaning (clause 3.13)."""
        cdef Step one
        if type(other) is not type(self):
            return False
        one = other
        if self.color and one.color and self._members is None and one._members is None:
            return (self.color, self.x, self.y, self.joined) == (one.color, one.x, one.y, one.joined)
        return (
            self.action == one.action
            and self.time == one.time
            and self.actor == one.actor
            and self.comment == one.comment
            and self.joined == one.joined
            and self.title == one.title
            and self.splitter == one.splitter
            and self.properties == one.properties
            and self.extra == one.extra
            and (self.marks == one.marks or sorted(self.marks, key=repr) == sorted(one.marks, key=repr))
        )

    def __repr__(self):
        return _repr(self)

    def __reduce_ex__(self, protocol):
        return _reduced(self)

    def __deepcopy__(self, memo):
        cdef Step made
        if type(self) is not Step or self._members is not None:
            return _deep_copy(self, memo)
        made = Step.__new__(Step)
        made.color = self.color
        made.x = self.x
        made.y = self.y
        made.joined = self.joined
        if not self.color:
            made._action = deepcopy(self._action, memo)
        return made

    def __setstate__(self, state):
        _restore(self, state)

    def __replace__(self, **changes):
        return dataclasses.replace(self, **changes)


# The form of dataclasses with slots, which 0.1.0 had: its pickles can be read, and those of today have the same form.
def _repr(owner):
    fields = ", ".join([f"{name}={getattr(owner, name)!r}" for name in owner.__dataclass_fields__])
    return f"{type(owner).__qualname__}({fields})"


def _reduced(owner):
    state = {name: getattr(owner, name) for name in owner.__dataclass_fields__}
    return copyreg.__newobj__, (type(owner),), (getattr(owner, "__dict__", None), state)


def _deep_copy(owner, memo):
    # As `copy.deepcopy` copies the state of `_reduced`, without a call for each number and text.
    own, members = _reduced(owner)[2]
    made = type(owner).__new__(type(owner))
    memo[id(owner)] = made  # its parts may refer to it
    for name, value in members.items():
        if type(value) not in _IMMUTABLE and not (type(value) is tuple and _IMMUTABLE.issuperset(map(type, value))):
            value = deepcopy(value, memo)
        setattr(made, name, value)
    if own:
        made.__dict__.update(deepcopy(own, memo))
    return made


def _restore(owner, state):
    own, members = state if isinstance(state, tuple) else (state, None)
    if own:
        owner.__dict__.update(own)
    for name, value in (members or {}).items():
        setattr(owner, name, value)


# --- the steps of records -------------------------------------------------------------------------------------


def bare_steps(Record record not None, with_entries):
    """Return a list of the steps of `record` by their rows, None for those that have more than a colour and a point.

    The latter are listed as well. `with_entries` are rows with entries in other tables. Where several steps are one
    SGF node, all of them are among the others or none. Thread safe.
    """
    cdef const w7_step *steps = <const w7_step *>record.c.steps.at
    cdef Py_ssize_t count = record.c.steps.count, row
    cdef bytearray others = bytearray(count)
    cdef unsigned char *is_other = others
    cdef const w7_step *step
    cdef Step made
    cdef list found = [None] * count
    cdef list rows = []
    for row in with_entries:
        if not 0 <= row < count:
            raise IndexError("a row of steps is not there")
        is_other[row] = 1
    for row in range(count):
        step = &steps[row]
        if (
            step.kind != W7_STEP_MOVE or step.detail >= 0 or step.tag or not 1 <= step.color <= 2
            or step.x >= record.c.width or step.y >= record.c.height or (step.y < 0 and step.x >= 0)
        ):
            is_other[row] = 1
        if step.joined:
            is_other[row] = 1
            if row:
                is_other[row - 1] = 1
    for row in range(count):
        if is_other[row]:
            rows.append(row)
            continue
        step = &steps[row]
        made = Step.__new__(Step)
        made.color = step.color
        made.x = step.x
        made.y = step.y
        found[row] = made
    return found, rows


cdef object _main_line(Record record, bint colors):
    """The points or the colours of the moves of the main line."""
    cdef const w7_step *steps = <const w7_step *>record.c.steps.at
    cdef const w7_tree *trees = <const w7_tree *>record.c.trees.at
    cdef const w7_step *step
    cdef int32_t *points = NULL
    cdef Py_buffer view
    cdef int64_t count = 0, k, tree
    cdef int pass_of
    found = None
    for pass_of in range(2):
        if pass_of == 1:
            found = np.empty(count, np.uint8) if colors else np.empty((count, 2), np.int32)
            PyObject_GetBuffer(found, &view, PyBUF_WRITABLE)
            points = <int32_t *>view.buf
        count = 0
        tree = 0 if record.c.trees.count else -1
        while tree >= 0:
            for k in range(trees[tree].step_count):
                step = &steps[trees[tree].first_step + k]
                if step.kind != W7_STEP_MOVE:
                    continue
                if pass_of == 1 and colors:
                    (<uint8_t *>view.buf)[count] = step.color
                elif pass_of == 1:
                    points[2 * count] = step.x
                    points[2 * count + 1] = step.y if step.x >= 0 else -1
                count += 1
            tree = trees[tree].first_branch
    PyBuffer_Release(&view)
    return found


def commented_rows(Record record not None):
    """Return (row, begin, end) of each step with a comment: the bytes of the source that it takes. Thread safe."""
    cdef const w7_step *steps = <const w7_step *>record.c.steps.at
    cdef const w7_detail *details = <const w7_detail *>record.c.details.at
    cdef Py_ssize_t row
    cdef const w7_span *comment
    cdef list found = []
    if record.c.details.count == 0:
        return found
    for row in range(record.c.steps.count):
        if steps[row].detail < 0:
            continue
        comment = &details[steps[row].detail].comment
        if comment.begin >= 0:
            found.append((row, comment.begin, comment.end))
    return found


def kept_texts(Record record not None, *, bint of_root):
    """Return (key, value, row of the owner) of each kept member, texts as bytes: of the root, or of all others.

    Thread safe.
    """
    cdef const w7_kept *kept = <const w7_kept *>record.c.kept.at
    cdef Py_ssize_t row
    cdef list found = []
    for row in range(record.c.kept.count):
        if (kept[row].owner == W7_OWNER_ROOT) != of_root:
            continue
        found.append((
            record.source[kept[row].key.begin:kept[row].key.end],
            record.source[kept[row].value.begin:kept[row].value.end],
            kept[row].index,
        ))
    return found


def tree_rows(Record record not None):
    """Return (parent, first step, number of steps, pre) of each tree. Thread safe."""
    cdef const w7_tree *trees = <const w7_tree *>record.c.trees.at
    cdef Py_ssize_t row
    return [
        (trees[row].parent, trees[row].first_step, trees[row].step_count, trees[row].pre)
        for row in range(record.c.trees.count)
    ]


def stone_rows(Record record not None):
    """Return (x, y, color) of each stone. Thread safe."""
    cdef const w7_placed *stones = <const w7_placed *>record.c.stones.at
    cdef Py_ssize_t row
    return [(stones[row].x, stones[row].y, stones[row].what) for row in range(record.c.stones.count)]


def line_of_moves(Record record not None, Py_ssize_t most, shown not None):
    """Return the first `most` moves of a record that is one line of moves and shows no more there, else None.

    A move is `(y + 1 << 32) + (x + 1 << 2) + color`; that of a pass has x and y of -1. Comments, marks, evaluations,
    problems and kept members of steps with a name in `shown` are more. Thread safe.
    """
    cdef const w7_step *steps = <const w7_step *>record.c.steps.at
    cdef const w7_detail *details = <const w7_detail *>record.c.details.at
    cdef const w7_kept *kept = <const w7_kept *>record.c.kept.at
    cdef const w7_detail *detail
    cdef const w7_step *step
    cdef Py_ssize_t row, count = min(most, record.c.steps.count)
    cdef list moves = []
    if record.c.trees.count != 1 or record.c.pres.count or record.c.unreadable:
        return None
    for row in range(record.c.kept.count):
        if kept[row].owner == W7_OWNER_STEP and kept[row].index < count:
            if record.source[kept[row].key.begin:kept[row].key.end] in shown:
                return None
    for row in range(count):
        step = &steps[row]
        if step.kind != W7_STEP_MOVE or step.tag != W7_EVALUATION_NONE:
            return None
        if step.detail >= 0:
            detail = &details[step.detail]
            if detail.comment.begin >= 0 or detail.mark_count > 0 or detail.problem:
                return None
        moves.append(((<int64_t>step.y + 1) << 32) + ((<int64_t>step.x + 1) << 2) + step.color)
    return moves


def move_codes(steps, Py_ssize_t begin, Py_ssize_t width, Py_ssize_t height):
    """Return the codes (see `MoveRun`) of the steps from `begin` on, up to the first that is more than a move.

    The last of them is left out where the step after it belongs to the same SGF node. One thread at a time.
    """
    cdef list codes = []
    cdef Py_ssize_t row
    cdef int code
    for row in range(begin, len(steps)):
        step = steps[row]
        if type(step) is not Step:
            break
        code = (<Step>step).code(width, height)
        if code < 0:
            if (<Step>step).joined and codes:
                codes.pop()
            break
        codes.append(code)
    return codes


def inherited_properties(list steps not None, Py_ssize_t end, dict found not None):
    """Add to `found` the values of DD and VW that it lacks, each from the last step before `end` that has one.

    One thread at a time.
    """
    cdef _StepMembers members
    cdef Py_ssize_t row
    cdef dict values
    cdef bint is_shared
    for row in range(min(end, len(steps)) - 1, -1, -1):
        step = steps[row]
        members = None
        is_shared = True
        if type(step) is Step:
            members = (<Step>step)._members
            if members is None or members.properties is None or members.inherits:
                continue
            # Nobody else can change what nobody else has.
            is_shared = (
                W7_THREADS_RUN_FREE
                or Py_REFCNT(<PyObject *>members.properties) != 1
                or w7_has_weak_references(members.properties)
            )
            properties = members.properties
        else:
            properties = step.properties
        # A subclass of `dict` looks names up as this does, without a call by name.
        values = <dict>properties if isinstance(properties, dict) else dict(properties)
        if "DD" not in values and "VW" not in values:
            if not is_shared:
                members.inherits = True
            continue
        for name in ("DD", "VW"):
            if name in values:
                found.setdefault(name, values[name])
        if len(found) == 2:
            break


def noted_steps(steps):
    """Return those of `steps` that are more than a move with a colour and a point. One thread at a time."""
    cdef list found = []
    for step in steps:
        if type(step) is not Step or not (<Step>step).is_bare():
            found.append(step)
    return found
