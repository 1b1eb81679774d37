"""The `moves` of wei7 2.x while they are read: variations, steps, marks and `pre`s as rows.

A variation precedes the step that it replaces. So the steps of a tree are all there when the first variation
comes, and what follows the variations begins a tree of its own, which is the first branch. Where no step follows, the
game as played ends there and that branch is empty, unless the `moves` holds no move at all: then it is a table of
contents (clauses 3.11, 3.12 and 4.8).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from ...limits import Limits
from ..record_columns import MOVE, OF_MARK, OF_PRE, OF_STEP, OF_STONE, OF_TREE, RAW, UNREADABLE
from ..record_rows import NO_SPAN
from .clauses import REQUIRED_NAMES
from .step_runs import Run, runs_in, steps_of
from .text import Span, Tag, element_end, tag_at
from .values import MARK_SYMBOLS, coordinate, short_text_problem
from .xml_parser import Attributes, Context, EventReader, Owner, Runs, StopReadingError

_BLACK: Final = 1
_WHITE: Final = 2
_COLORS: Final = {"black": _BLACK, "white": _WHITE}
_EVALUATIONS: Final = {"bad": 1, "good": 2, "trick": 3}
_TYPES: Final = ("normal", "pass")
_SPLITTERS: Final = ("small", "medium", "large")


class _Level:
    """An open `moves`."""

    __slots__ = ("at", "begun", "ends_in_mark", "forks", "has_step", "marks", "moved", "played", "tree", "wrong_marks")

    def __init__(self, tree: int, at: int, moved: bool) -> None:
        self.at = at
        self.tree = tree  # where steps go
        self.moved = moved  # a step or a stone of `pre` came before on this path
        self.begun = False  # it has a child
        self.ends_in_mark = False
        self.played = False  # one of its children is a move
        self.has_step = False
        self.forks: list[int] | None = None  # the variations before the step that comes next
        self.marks: list[_Placed] = []  # of that step
        self.wrong_marks: list[Span] = []  # those of it that cannot be read


class _Placed:
    """A stone or a mark, with its tag where something in it must be kept, and the content that it should not have."""

    __slots__ = ("at", "content", "tag", "what", "x", "y")

    def __init__(self, at: int, x: int, y: int, what: int, tag: Tag | None) -> None:
        self.at = at
        self.x = x
        self.y = y
        self.what = what
        self.tag = tag
        self.content: list[Span] | None = None


class _Step:
    """The values of the attributes of a step."""

    __slots__ = ("comment", "evaluation", "is_pass", "is_wrong", "kept", "problem", "x", "y")

    def __init__(self) -> None:
        self.x: int | None = None
        self.y: int | None = None
        self.comment: Span = NO_SPAN
        self.evaluation = self.problem = 0
        self.is_pass = False
        self.is_wrong = False  # the position is unknown from here
        self.kept: list[str] = []


class MovesReader(EventReader):
    """Reads the `moves` of a text; `size` is that of the board, 0 while it is not known."""

    def __init__(self, source: bytes, limits: Limits, context: Context) -> None:
        super().__init__(source, limits, context)
        self.size = 0
        self._levels: list[_Level] = []
        self._known: dict[str, int] = {}  # usual coordinates
        self._pre: tuple[int, ...] = ()
        self._pre_wrong = False
        self._pre_unreadable = False
        self._pre_stones: list[_Placed] = []
        self._pre_places: set[tuple[int, int]] = set()
        self._first_mark = 0
        self._placed: _Placed | None = None  # the last stone or mark whose row is still to come
        self._has_half_a_step = False  # one that cannot be read is open, and its text not all there

    def _runs(self) -> Runs:
        return _StepRuns(self, self._source)

    def _read_run(self, run: tuple[int, int, int]) -> bool:
        """Read the steps of a run but the first, which has just been read, and the last; False for no such run."""
        if self._context is not _MOVES or self._at != run[1] or self._skipped:
            return False  # in a comment or a `pre`, for one; an empty element ends where its tag does
        steps = steps_of(self._source, run[1], run[2], self.size)
        if steps is None or self.rows.steps.count + len(steps) > self._limits.max_steps:
            return False
        self.rows.steps.extend(steps)
        self._withheld += run[2] - run[1]
        return True

    def _set_size(self, size: int) -> None:
        self.size = size
        self._known = {str(number): number for number in range(size)}

    def _no_attributes(self, place: str, at: int, attributes: Attributes, owner: Owner | None) -> None:
        if attributes:
            for key, value in tag_at(self._source, at).attributes.values():
                self._note("unknown-attribute", place, key[0])
                if owner is not None:
                    self._keep_part(*owner, key, value)

    def _keep_content(self, begin: int, end: int) -> None:
        """Keep content that the format does not define, at its place among the steps."""
        if self._context is _MOVES:
            self._raw_step(RAW, begin, end)
        elif self._placed is not None and self._context in (_STONE, _MARK):
            self._placed.content = [*(self._placed.content or ()), (begin, end)]
        else:
            super()._keep_content(begin, end)

    def _close_all(self) -> None:
        """Make rows of open elements at the end of an incomplete text."""
        if self._has_half_a_step:
            self.rows.steps.drop_last()  # only its beginning is known
        if self._pre:
            with suppress(StopReadingError):
                self._end_pre()
        while self._levels:
            self._end_level(self._levels.pop())

    def _moves(self, at: int, attributes: Attributes) -> None:
        self._room(len(self.rows.trees), at)
        tree = self.rows.trees.add(at, self.rows.steps.count)
        moved = False
        if self._levels:
            level = self._levels[-1]
            level.begun, moved = True, level.moved
            level.ends_in_mark = False
            if level.forks is None:
                self.rows.trees.end_steps(level.tree, self.rows.steps.count)
                level.forks = []
            level.forks.append(tree)
        self._levels.append(_Level(tree, at, moved))
        self._context, self._closer = _MOVES, self._end_moves
        self._owner = (OF_TREE, tree)
        self._no_attributes("moves", at, attributes, self._owner)

    def _variation(self, _: int, at: int, attributes: Attributes) -> None:
        self._moves(at, attributes)

    def _end_moves(self) -> None:
        level = self._levels[-1]
        if level.marks or level.wrong_marks:
            ends = ((mark.at, element_end(self._source, mark.at)) for mark in level.marks)
            wrong = sorted([*ends, *level.wrong_marks])
            # Clause 3.19 is about the last child of `moves`, 3.18 about every mark.
            self._note("mark-without-step", "mark-place" if level.ends_in_mark else "mark-before-moves", wrong[0][0])
            for at, end in wrong:
                self._keep_part(OF_TREE, level.tree, (at + 1, at + 5), (at, end))
        if not level.has_step:
            self._note("moves-without-step", "steps", level.at)
        self._end_level(self._levels.pop())

    def _end_level(self, level: _Level) -> None:
        if level.forks is None:
            self.rows.trees.end_steps(level.tree, self.rows.steps.count)
            return
        if level.played:
            end = min(self._at, len(self._source))
            if len(self.rows.trees) >= self._limits.max_steps:
                return  # the limit has been reported, or is at the next element
            level.forks.insert(0, self.rows.trees.add(end, self.rows.steps.count))
            self.rows.trees.end_steps(level.forks[0], self.rows.steps.count)
        self.rows.trees.set_branches(level.tree, level.forks)

    def _next_step(self, level: _Level, at: int) -> None:
        """Make room for a step: after variations it begins the branch that continues as played, the first of them."""
        self._room(self.rows.steps.count, at)
        level.begun = True
        if level.forks is not None:
            self._room(len(self.rows.trees), at)
            tree = self.rows.trees.add(at, self.rows.steps.count)
            self.rows.trees.set_branches(level.tree, [tree, *level.forks])
            level.tree, level.forks = tree, None

    def _raw_step(self, kind: int, begin: int, end: int) -> None:
        """Content other than a step, kept in its place among the steps."""
        level = self._levels[-1]
        self._next_step(level, begin)
        # Content that may be a step gets the marks before it.
        marks: tuple[int, int] = (0, -1)
        wrong_marks: list[Span] = []
        if kind != RAW:
            level.played = True
            marks, wrong_marks = self._step_marks(level)
        detail = self.rows.details.add(*NO_SPAN, *NO_SPAN, begin, end, -1.0, *marks, -1, 0)
        self._keep_marks(self.rows.steps.add(begin, 0, 0, detail, kind, 0, 0, 0), wrong_marks)

    def _step(self, color: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        self._next_step(level, at)
        level.has_step = level.moved = level.played = True
        known = self._known
        if len(attributes) == 4 and not level.marks and not level.wrong_marks:
            first, x, second, y = attributes
            if first == "x" and second == "y" and x in known and y in known:
                self._owner = (OF_STEP, self.rows.steps.add(at, known[x], known[y], -1, MOVE, color, 0, 0))
                return
        self._general_step(level, color, at, attributes)

    def _general_step(self, level: _Level, color: int, at: int, attributes: Attributes) -> None:
        row = self.rows.steps.count
        tag = tag_at(self._source, at)
        step = self._read_step(at, attributes, tag)
        kind = UNREADABLE if step.is_wrong else MOVE
        marks, wrong_marks = self._step_marks(level)
        detail = -1
        if step.is_wrong or step.comment != NO_SPAN or step.problem or marks[1] >= 0:
            self._room(self.rows.details.count, at)
            value = (at, at + 1) if step.is_wrong else NO_SPAN
            detail = self.rows.details.add(*NO_SPAN, *step.comment, *value, -1.0, *marks, -1, step.problem)
        x, y = (-1, -1) if step.is_pass or step.is_wrong else (step.x or 0, step.y or 0)
        self.rows.steps.add(at, x, y, detail, kind, color, step.evaluation, 0)
        if not step.is_wrong:
            self._owner = (OF_STEP, row)
            self._keep_marks(row, wrong_marks)
            for name in step.kept:
                self._keep_part(OF_STEP, row, *tag.attributes[name])
            return
        self._owner = None
        self._has_half_a_step = True

        def closer() -> None:
            self._has_half_a_step = False
            self._keep_marks(row, wrong_marks)  # now that there is a step for them
            value = (at, self._end_of(at, self._at))
            self.rows.details.set(detail, *NO_SPAN, *NO_SPAN, *value, -1.0, *marks, -1, 0)

        self._closer = closer

    def _read_step(self, at: int, attributes: Attributes, tag: Tag) -> _Step:
        step = _Step()
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            begin = tag.attributes[name][1][0]
            if name == "x":
                step.x = self._coordinate(value, begin)
            elif name == "y":
                step.y = self._coordinate(value, begin)
            elif name == "comment":
                step.comment = tag.attributes[name][1]
            elif name == "type":
                step.is_pass = value == "pass"
                if value not in _TYPES:
                    self._note("value-not-allowed", "type", begin)
                    step.is_wrong = True
                if not step.is_pass:
                    step.kept.append(name)
            else:
                number = self._attribute_number(name, value, tag, "move")
                if name == "eval" and number:
                    step.evaluation = number
                elif name == "problem" and number:
                    step.problem = number
                else:
                    step.kept.append(name)
        has = [name for name in ("x", "y") if name in tag.attributes]
        if step.is_pass and has:
            self._note("attribute-excluded", "point", tag.attributes[has[0]][0][0])
            step.is_wrong = True
        elif not step.is_pass and not step.is_wrong:
            for name in (name for name in ("x", "y") if name not in has):
                self._note("missing-attribute", "point", at, REQUIRED_NAMES.index(name))
            step.is_wrong = step.x is None or step.y is None
        return step

    def _coordinate(self, value: str, at: int) -> int | None:
        number, code = coordinate(value)
        if code is not None:
            self._note(code, "point", at)
        if number is not None and 0 < self.size <= number:
            self._note("point-off-board", "point", at)
            return None
        return number

    def _attribute_number(self, name: str, value: str, tag: Tag, place: str) -> int | None:
        """`eval` or `problem` as a number, 0 if absent; None for other names and invalid values, which are reported."""
        key, (begin, _) = tag.attributes[name]
        if name == "eval":
            if value in _EVALUATIONS or value == "normal":
                return _EVALUATIONS.get(value, 0)
            self._note("value-not-allowed", "eval", begin)
        elif name == "problem":
            if value in _COLORS or value == "no":
                return _COLORS.get(value, 0)
            self._note("value-not-allowed", "problem", begin)
        elif name == "splitter" and place == "move":
            if value not in _SPLITTERS:
                self._note("value-not-allowed", "splitter", begin)
        elif name == "title":
            code = short_text_problem(value)
            if code is not None:
                self._note(code, "title", begin, len(value))
        else:
            self._note("unknown-attribute", place, key[0])
        return None

    # --- marks -----------------------------------------------------------------------

    def _mark(self, _: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        level.begun = level.ends_in_mark = True
        self._context = _MARK
        self._room(self.rows.marks.count + len(level.marks) + len(level.wrong_marks), at)
        mark = self._read_mark(at, attributes)
        self._owner, self._placed = None, mark
        if mark is None:
            self._closer = lambda: level.wrong_marks.append((at, self._end_of(at, self._at)))
        else:
            level.marks.append(mark)

    def _read_mark(self, at: int, attributes: Attributes) -> _Placed | None:
        """The mark of a tag, or None."""
        known = self._known
        if len(attributes) == 6:
            first, x, second, y, third, symbol = attributes
            names = first == "x" and second == "y" and third == "symbol"
            if names and x in known and y in known and symbol in MARK_SYMBOLS:
                return _Placed(at, known[x], known[y], ord(symbol), None)
        tag = tag_at(self._source, at)
        found: dict[str, int | None] = {}
        has_more = False
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, (begin, _) = tag.attributes[name]
            if name in ("x", "y"):
                found[name] = self._coordinate(value, begin)
            elif name == "symbol":
                found[name] = ord(value) if value in MARK_SYMBOLS else None
                if found[name] is None:
                    self._note("value-not-allowed", "symbol", begin)
            else:
                has_more = True
                self._note("unknown-attribute", "mark", key[0])
        for name in ("x", "y", "symbol"):
            if name not in found:
                self._note("missing-attribute", "mark", at, REQUIRED_NAMES.index(name))
        mark_x, mark_y, mark_symbol = found.get("x"), found.get("y"), found.get("symbol")
        if mark_x is None or mark_y is None or mark_symbol is None:
            return None
        return _Placed(at, mark_x, mark_y, mark_symbol, tag if has_more else None)

    def _add_mark(self, mark: _Placed) -> int:
        row = self.rows.marks.add(mark.at, mark.x, mark.y, mark.what)
        self._keep_of(OF_MARK, row, mark, ("x", "y", "symbol"))
        return row

    def _keep_of(self, owner: int, row: int, placed: _Placed, known: tuple[str, ...]) -> None:
        """Keep the content of a stone or a mark that its row does not have."""
        for name, spans in placed.tag.attributes.items() if placed.tag is not None else ():
            if name not in known:
                self._keep_part(owner, row, *spans)
        for begin, end in placed.content or ():
            self._keep_part(owner, row, (begin, begin), (begin, end))

    def _keep_marks(self, row: int, wrong_marks: list[Span]) -> None:
        for at, end in wrong_marks:
            self._keep_part(OF_STEP, row, (at + 1, at + 5), (at, end))

    def _step_marks(self, level: _Level) -> tuple[tuple[int, int], list[Span]]:
        """Make rows of the marks before a step; returns the first and their number, -1 for none, and the wrong ones.

        Those are kept (`_keep_marks`) when the row of the step is there: the text may break off before.
        """
        first = self.rows.marks.count
        for mark in level.marks:
            self._add_mark(mark)
        count, wrong_marks = len(level.marks), level.wrong_marks
        level.marks, level.wrong_marks = [], []
        return ((first, count) if count else (0, -1)), wrong_marks

    # --- pre ---------------------------------------------------------------------------

    def _pre_element(self, _: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        if level.begun:
            self._note("element-misplaced", "pre-place", at)
            level.has_step = True
            self._context, self._closer, self._owner = self._stack.pop()
            self._skip(at, lambda begin, end: self._raw_step(UNREADABLE, begin, end))
            return
        self._room(self.rows.pres.count, at)
        level.begun = level.has_step = True
        comment: Span = NO_SPAN
        problem = 0
        row = self.rows.pres.count
        if attributes:
            tag = tag_at(self._source, at)
            for name, value in zip(attributes[::2], attributes[1::2], strict=True):
                span = tag.attributes[name][1]
                if name == "comment":
                    comment = span
                    continue
                number = self._attribute_number(name, value, tag, "pre-attributes")
                if name == "title":
                    self.rows.trees.set_title(level.tree, *span)
                elif name == "problem" and number:
                    problem = number
                else:
                    self._keep_part(OF_PRE, row, *tag.attributes[name])
        self._pre = (at, *comment, problem)
        self.rows.pres.add(at, *comment, 0, -1, 0, -1, problem, 0, 0)
        self.rows.trees.set_pre(level.tree, row)
        self._pre_wrong = self._pre_unreadable = False
        self._pre_stones, self._pre_places = [], set()
        self._first_mark = self.rows.marks.count
        self._context, self._owner, self._closer = _PRE, (OF_PRE, row), self._end_pre

    def _stone(self, color: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        self._context = _STONE
        self._room(self.rows.stones.count + len(self._pre_stones), at)
        if level.moved and not self._pre_stones:
            self._note("setup-after-move", "pre-place", at)
            self._pre_unreadable = True
        point: dict[str, int | None] = {}
        tag: Tag | None = None
        known = self._known
        if len(attributes) == 4 and attributes[0] == "x" and attributes[2] == "y":
            point = {"x": known.get(attributes[1]), "y": known.get(attributes[3])}
        if len(point) != 2 or None in point.values():
            point, tag = self._general_stone(at, attributes)
        x, y = point["x"], point["y"]
        if x is None or y is None:
            self._pre_wrong = True
            x = y = -1
        elif (x, y) in self._pre_places:
            self._note("setup-point-taken", "setup", at)
            self._pre_unreadable = True
        self._pre_places.add((x, y))
        self._placed = _Placed(at, x, y, color, tag)
        self._pre_stones.append(self._placed)

    def _general_stone(self, at: int, attributes: Attributes) -> tuple[dict[str, int | None], Tag | None]:
        tag = tag_at(self._source, at)
        point: dict[str, int | None] = {}
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, (begin, _) = tag.attributes[name]
            if name in ("x", "y"):
                point[name] = self._coordinate(value, begin)
            else:
                self._note("unknown-attribute", "stone", key[0])
        for name in ("x", "y"):
            if name not in point:
                self._note("missing-attribute", "stone", at, REQUIRED_NAMES.index(name))
                point[name] = None
        return point, tag

    def _mark_in_pre(self, _: int, at: int, attributes: Attributes) -> None:
        self._context = _MARK
        self._room(self.rows.marks.count, at)
        mark = self._read_mark(at, attributes)
        self._placed = None
        if mark is not None:
            self._owner = (OF_MARK, self._add_mark(mark))
            return
        owner, self._owner = self._owner, None
        assert owner is not None
        self._closer = lambda: self._keep_part(*owner, (at, at), (at, self._end_of(at, self._at)))

    def _end_pre(self) -> None:
        at, comment, comment_end, problem = self._pre
        self._pre = ()
        row, level = self.rows.pres.count - 1, self._levels[-1]
        first, count = self.rows.stones.count, len(self._pre_stones)
        for stone in self._pre_stones:
            if not self._pre_wrong:
                self._keep_of(OF_STONE, self.rows.stones.add(stone.at, stone.x, stone.y, stone.what), stone, ("x", "y"))
                continue
            # One unreadable stone makes the position unknown: all of them are kept as written.
            end = element_end(self._source, stone.at)
            if end < 0:  # the text ends, or is broken, in this stone
                end = tag_at(self._source, stone.at).end
            self._keep_part(OF_PRE, row, (stone.at + 1, stone.at + 6), (stone.at, end))
        level.moved = level.moved or count > 0
        marks = self.rows.marks.count - self._first_mark
        self.rows.pres.set(
            row,
            at,
            comment,
            comment_end,
            first,
            count if count and not self._pre_wrong else -1,
            self._first_mark,
            marks or -1,
            problem,
            self._pre_unreadable or self._pre_wrong,
            0,
        )
        self._pre_stones, self._pre_places = [], set()


class _StepRuns:
    """The runs of plain steps in a text, for `feed`."""

    def __init__(self, reader: MovesReader, source: bytes) -> None:
        self._source = source
        self._end = -1
        self._runs: list[Run] = []  # of the part that ends there, the last one first
        self.read = reader._read_run

    def next(self, begin: int, end: int) -> tuple[int, int, int] | None:
        if end != self._end:
            self._end, self._runs = end, runs_in(self._source, begin, end)[::-1]
        return self._runs.pop() if self._runs else None


_STONE: Final = Context("stone")
_MARK: Final = Context("mark")
_MOVES: Final = Context(
    "moves",
    {
        "black": (MovesReader._step, _BLACK),
        "white": (MovesReader._step, _WHITE),
        "mark": (MovesReader._mark, 0),
        "moves": (MovesReader._variation, 0),
        "pre": (MovesReader._pre_element, 0),
    },
)
_PRE: Final = Context(
    "pre",
    {
        "black": (MovesReader._stone, _BLACK),
        "white": (MovesReader._stone, _WHITE),
        "mark": (MovesReader._mark_in_pre, 0),
    },
)
