"""Any document -> one that is valid wei7 3.0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from ...board.board import Board
from ...coordinates import point_name
from ...errors import ConversionError, IllegalPositionError, OffBoardError
from ...formats.sgf.properties import game_number
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import (
    Branch,
    Document,
    Edit,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Number,
    Point,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)
from ...replaying.cursor import Cursor, Place
from .from_wei7xml import has_fields_of_wei7xml, plain_wei7, split_problems
from .loss_paths import BLACK, COLOR_WORDS, CutError, LossPath, TextAdapter, drop_extra, joined, to_play
from .report import Loss, LossReport
from .sgf_remarks import add_shape, remarks, title_of
from .tsumego import Tsumego, tsumego_of
from .wei7_info import InfoForWei7, valid_result


def to_wei7(
    document: Document,
    revision: int = 7,
    *,
    keep_titles: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Document, list[Loss]]:
    """Return a new document of valid wei7 3.0 by `revision` (7 or 2), and the losses.

    Stones that are set up before any move become the preset stones of a branch; a node without a move becomes the `pre`
    of a new branch, so that it remains a separate place. Properties of SGF without a member in wei7 become text in
    comments. A branch ends before stones that are set up after a move, before a position with a block without liberties
    and before a move on an occupied point. With `keep_titles` the name of a node of SGF stays the title of its move,
    which 3.0 has no place for and 2.x has. Revision 7 has no problem at a move: the following steps become a branch
    with a problem at its `pre` if each of its moves is evaluated and it is not inside another problem; else the comment
    states who is to play.

    Raises `ValueError` for another revision, `LimitError` if walking the record takes more than `limits.max_moves`
    moves, `BoardSizeError` for a size that is unknown or has more than `limits.max_points` points, `ConversionError`
    for another game than Go.
    """
    if revision not in _EVALUATIONS:
        raise ValueError("revision must be 7 or 2")
    if has_fields_of_wei7xml(document):
        return _from_wei7xml(document, revision, limits)
    if game_number(document.properties) != 1:
        raise ConversionError(f"wei7 is for records of Go, not of the game GM[{game_number(document.properties)}]")
    return _ToWei7(document, revision, limits, LossReport(), keep_titles=keep_titles).converted()


def without_empty_lists(document: Document) -> Document:
    """Return a document of wei7 without problems, changed in place to the result of `to_wei7`."""
    owners: list[Document | Info | Branch | Setup | Step] = [document, document.info]
    for branch in document.tree.walk():
        owners += [branch, *branch.steps]
        if branch.pre is not None:
            owners.append(branch.pre)
    for owner in owners:
        if owner.kept_empty:
            owner.kept_empty = frozenset()
    return document


def _from_wei7xml(document: Document, revision: int, limits: Limits) -> tuple[Document, list[Loss]]:
    losses = LossReport()
    plain = plain_wei7(document, revision, losses)
    if document.version is None:
        return _ToWei7(plain, revision, limits, losses).converted()
    # In revision 2 problems are at moves as in 2.x, so that every place is still that of the source.
    converted, listed = _ToWei7(plain, 2, limits, losses).converted()
    if revision == 7:
        split_problems(converted.tree)
    return converted, listed


@dataclass(frozen=True, slots=True)
class _State:
    """The state at the start of a branch: whether a move was made, pending preset stones, a problem."""

    moved: bool = False
    stones: dict[Point, int] | None = None
    asked: bool = False


class _Source:
    """A branch in conversion, and the numbers of its steps.

    In wei7 they count from 0. In SGF they are those of the nodes, and the root node is number 0 of the root.
    """

    __slots__ = ("_numbers", "branch", "place")

    def __init__(self, place: Place, is_sgf: bool) -> None:
        self.place = place
        self.branch = place.branch
        first = 1 if is_sgf and place.parent is None else 0
        steps = self.branch.steps
        self._numbers: Sequence[int] = range(first, first + len(steps) + 1)
        if any(step.joined for step in steps):
            before = accumulate((not step.joined for step in steps), initial=0)
            numbers = zip(before, steps, strict=False)
            self._numbers = [first + number - step.joined for number, step in numbers]

    def at(self, index: int) -> LossPath:
        """The place of a step, or of a missing first one."""
        return LossPath(self.place, self._numbers[index])


class _Target:
    """The target branch of steps; nodes without a move begin nested ones."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch

    def note(self, comment: str | None, marks: list[Mark], title: str | None) -> None:
        """Add the content of a node without a move to the `pre` of the branch, or of a new one."""
        if comment is None and not marks and title is None:
            return
        pre = self.branch.pre
        has_content = title is not None or (pre is not None and (pre.comment is not None or pre.marks))
        if has_content or self.branch.steps:
            below = Branch(title, Setup(marks=marks, comment=comment))
            self.branch.branches.append(below)
            self.branch = below
        elif pre is None:
            self.branch.pre = Setup(marks=marks, comment=comment)
        else:
            pre.comment, pre.marks = comment, marks


class _Questions:
    """The possible starts of a problem in a branch: in revision 7 all moves after it on its level need an
    evaluation.
    """

    def __init__(self, evaluations: tuple[str, ...], branch: Branch, pre: Setup | None, asked: bool) -> None:
        # `evaluations` are the relevant ones; none if every move gets one.
        moves = ((index, step.action) for index, step in enumerate(branch.steps) if isinstance(step.action, Move))
        self._last = max(
            (index for index, move in moves if evaluations and move.evaluation not in evaluations), default=-1
        )
        self.asked = asked or (pre is not None and pre.problem is not None and self.can_start(-1))

    def can_start(self, index: int) -> bool:
        """Whether every move after step `index` has an evaluation; -1 is the start of the branch."""
        return index >= self._last


class _ToWei7:
    def __init__(
        self,
        document: Document,
        revision: int,
        limits: Limits,
        losses: LossReport,
        *,
        keep_titles: bool = False,
    ) -> None:
        self._document = document
        self._size = document.width, document.height
        self._keep_titles = keep_titles
        self._revision = revision
        self._limits = limits
        self._losses = losses
        self._texts = TextAdapter(self._losses)
        self._cursor = Cursor(replace(document, replaces=False), limits)
        self._deferring = _before_more_setups(document.tree)
        self._symbols = _SYMBOLS | {"*"} if revision == 2 else _SYMBOLS
        self._evaluations = _EVALUATIONS[revision]
        self._is_sgf = _is_sgf(document)
        self._tsumego: Tsumego | None = tsumego_of(document) if document.replaces else None

    def converted(self) -> tuple[Document, list[Loss]]:
        document = self._document
        info = InfoForWei7(document, self._losses, self._texts)
        drop_extra(self._losses, "$", document)
        tree = Branch()
        waiting: list[tuple[Place, Branch, _State] | None] = [(Place(document.tree), tree, _State())]
        while waiting:
            item = waiting.pop()
            if item is None:
                self._cursor.leave()
                continue
            place, out, state = item
            waiting.append(None)
            target, state_below = self._branch(place, out, state, info if place.parent is None else None)
            if state_below is None:
                continue
            below = []
            for child in place.below():
                target.branches.append(Branch())
                below.append((child, target.branches[-1], state_below))
            waiting.extend(reversed(below))
        if self._revision == 7:
            split_problems(tree)
        result = Document(document.width, document.height, document.size_form, info.info, tree)
        return result, self._losses.losses()

    # --- one branch ----------------------------------------------------------

    def _branch(
        self, place: Place, out: Branch, state: _State, info: InfoForWei7 | None
    ) -> tuple[Branch, _State | None]:
        """Convert one branch into `out`; returns the parent for child branches, and their state (None: none can
        follow).
        """
        source = _Source(place, self._is_sgf)
        branch = place.branch
        drop_extra(self._losses, LossPath(place, "branch"), branch)
        can_go = self._cursor.enter(place)
        title = self._title(place)
        out.title = None if title is None else self._texts.decodable(title, LossPath(place, "title"))
        if branch.pre is not None:
            out.pre = self._pre(branch.pre, LossPath(place, "pre"), state)
        target = _Target(out)
        questions = _Questions(self._evaluations if self._tsumego is None else (), branch, out.pre, state.asked)
        stones, cut = self._preset(source, out, state)
        if info is not None:
            self._about_the_game(place, out, info)
            if self._tsumego is not None and out.pre is not None and out.pre.stones:
                out.pre.problem, questions.asked = self._tsumego.color, True
        if cut is None and not can_go:
            cut = CutError("setup-after-move", 0)
        moved = state.moved
        if cut is None:
            try:
                moved = self._steps(source, target, state, questions)
            except CutError as error:
                cut = error
        self._drop_unanswered_problem(place, out, questions)
        if cut is not None:
            self._cut(source, cut)
            return target.branch, None
        return target.branch, _State(moved, stones, questions.asked)

    def _title(self, place: Place) -> str | None:
        """The title of a branch, or the name of its first SGF node."""
        branch = place.branch
        if branch.title is not None:
            return branch.title
        if place.parent is None:
            return title_of(self._document.properties)
        return title_of(branch.steps[0].properties) if branch.steps else None

    def _cut(self, source: _Source, cut: CutError) -> None:
        cut.report(self._losses, source.at(cut.index), source.branch, _WHY_CUT[cut.code])

    def _pre(self, pre: Setup, at: LossPath, state: _State) -> Setup:
        drop_extra(self._losses, at, pre)
        for stone in pre.stones:
            drop_extra(self._losses, at, stone)
        comment = None if pre.comment is None else self._texts.decodable(pre.comment, at)
        marks, labels = self._marks(pre.marks, at)
        problem = pre.problem
        if problem is not None and (problem not in COLOR_WORDS or (state.asked and self._revision == 7)):
            self._losses.add("problem-dropped", at)
            labels = joined(to_play(problem), labels)
            problem = None
        return Setup([], problem, marks, joined(comment, labels) if labels else comment)

    def _preset(self, source: _Source, out: Branch, state: _State) -> tuple[dict[Point, int] | None, CutError | None]:
        """Fold all setup before the first move into the preset stones; returns those for child branches.

        Child branches with further setup get them, because preset stones are allowed once on each path (clause
        3.15.2.6).
        """
        if state.moved:
            return None, None
        branch = source.branch
        stones = dict(state.stones or {})
        shown = False
        last = -1
        if branch.pre is not None:
            shown = bool(branch.pre.stones or branch.pre.comment or branch.pre.marks)
            stones.update((stone.point, stone.color) for stone in branch.pre.stones)
        moves = False
        for index, step in enumerate(branch.steps):
            if isinstance(step.action, Move):
                moves = True
                break
            if isinstance(step.action, Edit) and _changes(stones, step.action):
                if shown:
                    self._losses.add("setup-folded", source.at(index))
                for stone in step.action.stones:
                    stones[stone.point] = stone.color
                shown, last = True, index
            elif step.comment or step.marks:
                shown = True
        there = {point: color for point, color in stones.items() if color}
        if not there:
            return None, None
        if not moves and id(branch) in self._deferring:
            self._losses.add("setup-moved", source.at(last) if last >= 0 else LossPath(source.place, "pre"))
            return there, None
        board = Board(self._document.width, self._document.height, max_points=self._limits.max_points)
        try:
            board.setup([(color, point) for point, color in there.items()])
        except IllegalPositionError as error:
            code = "setup-without-liberties" if error.reason == "no-liberty" else "step-unreadable"
            return None, CutError(code, max(last, 0))
        out.pre = out.pre or Setup()
        out.pre.stones = [Stone(color, point) for point, color in there.items()]
        return None, None

    def _about_the_game(self, place: Place, out: Branch, info: InfoForWei7) -> None:
        """Add information without a member of `info` to the comment of the root."""
        blacks = sum(stone.color == BLACK for stone in out.pre.stones) if out.pre else 0
        at = LossPath(place, 0)
        properties = info.remaining_properties(blacks, at)
        lines = joined(*info.lines, *remarks(properties, None, at, self._losses, self._texts, self._size))
        if lines:
            out.pre = out.pre or Setup()
            out.pre.comment = joined(out.pre.comment, lines)

    def _drop_unanswered_problem(self, place: Place, out: Branch, questions: _Questions) -> None:
        """In revision 7 all moves on the level of a problem need an evaluation (clause 3.15.3.2.1.3)."""
        pre = out.pre
        if self._revision != 7 or pre is None or pre.problem is None or questions.can_start(-1):
            return
        self._losses.add("problem-dropped", LossPath(place, "pre"))
        pre.comment = joined(pre.comment, to_play(pre.problem))
        pre.problem = None

    # --- steps ---------------------------------------------------------------

    def _steps(self, source: _Source, target: _Target, state: _State, questions: _Questions) -> bool:
        """Convert the steps of a branch; returns whether a move was made up to its end."""
        moved = state.moved
        is_first = source.place.parent is not None  # the first node of the root is the root node
        for begin, node in _nodes(source.branch.steps):
            at = source.at(begin)
            made: Step | None = None
            lines: list[str] = []
            for index, step in enumerate(node, begin):
                made_now = self._action(step, index, at, lines, moved)
                if made_now is not None and isinstance(made_now.action, Move):
                    self._question(made_now.action, index, at, lines, questions)
                if made_now is not None:
                    target.branch.steps.append(made_now)
                    made = made_now
                    moved = moved or isinstance(made_now.action, Move)
            # The name of the first node of a branch is the title of the branch.
            title = None if is_first else title_of(node[0].properties)
            is_first = False
            if title is not None:
                title = self._texts.decodable(title, at)
            comment = self._comment(node, made, at, lines)
            marks, labels = self._marks([mark for step in node for mark in step.marks], at)
            if made is None:
                # A branch without steps is one empty node of SGF.
                is_branch = source.place.parent is not None and len(node) == len(source.branch.steps)
                if _is_empty(node) and not is_branch:
                    self._losses.add("node-dropped", at)
                target.note(joined(comment, labels) if labels else comment, marks, title)
            else:
                made.marks = marks
                if title and self._keep_titles and isinstance(made.action, Move):
                    made.title, title = title, None
                elif title:
                    self._losses.add("title-as-comment", at)
                made.comment = joined(title, comment, labels) if title or labels else comment
        return moved

    def _comment(self, node: list[Step], made: Step | None, at: LossPath, lines: list[str]) -> str | None:
        evaluation = made.action.evaluation if made is not None and isinstance(made.action, Move) else None
        for step in node:
            if step.properties:
                lines += remarks(
                    step.properties, evaluation, at, self._losses, self._texts, self._size, has_move=made is not None
                )
        comments = [self._texts.decodable(step.comment, at) for step in node if step.comment is not None]
        if len(comments) == 1 and not lines:
            return comments[0]
        return joined(*comments, *lines)

    def _action(self, step: Step, index: int, at: LossPath, lines: list[str], moved: bool) -> Step | None:
        """The action in wei7, or None if it is no step there."""
        action = step.action
        if isinstance(action, Edit) and moved and not self._stand(action):
            raise CutError("setup-after-move", index)
        if not self._cursor.apply(step):
            raise CutError(_REFUSED.get(type(action), "step-unreadable"), index)
        drop_extra(self._losses, at, step)
        if isinstance(action, Unreadable):
            self._losses.add("step-unreadable", at)
            return None
        if isinstance(action, (Edit, Note)):
            return None
        if isinstance(action, Move):
            made = Step(self._move(step, action, at, lines))
        elif isinstance(action, Result):
            drop_extra(self._losses, at, action)
            if not valid_result(action):
                self._losses.add("result-dropped", at)
                return None
            made = Step(replace(action, extra={}))
        elif isinstance(action, MarkAction):
            drop_extra(self._losses, at, action)
            marks, labels = self._marks([Mark(action.point, action.symbol)], at)
            if labels:
                lines.append(labels)
            if not marks:
                return None
            made = Step(MarkAction(marks[0].point, marks[0].symbol))
        elif isinstance(action, Message):
            made = Step(Message(self._texts.decodable(action.text, at)))
        else:
            made = Step(Takeback(action.count))
        made.time = self._time(step.time, at)
        if step.actor is not None:
            if 0 <= step.actor < len(self._document.info.participants):
                made.actor = step.actor
            else:
                self._losses.add("actor-dropped", at)
        return made

    def _stand(self, edit: Edit) -> bool:
        """Whether the board already has the stones of `edit`."""
        try:
            return all(self._cursor.board[stone.point] == stone.color for stone in edit.stones)
        except OffBoardError:
            return False

    def _move(self, step: Step, action: Move, at: LossPath, lines: list[str]) -> Move:
        drop_extra(self._losses, at, action)
        evaluation, problem = action.evaluation, action.problem
        if self._tsumego is not None:
            evaluation = self._tsumego.evaluations.get(id(step), evaluation)
            if id(step) in self._tsumego.unclear:
                self._losses.add("evaluation-unclear", at)
        if evaluation is not None and evaluation not in self._evaluations:
            self._losses.add("evaluation-dropped", at)
            lines.append(f"A {evaluation} move.")
            evaluation = None
        return Move(action.color, action.point, evaluation, problem)

    def _question(self, move: Move, index: int, at: LossPath, lines: list[str], questions: _Questions) -> None:
        """Keep the problem at a move, which `split_problems` moves to a branch, or describe it in the comment."""
        if move.problem is None or self._revision != 7:
            return
        if move.problem in COLOR_WORDS and not questions.asked and questions.can_start(index):
            self._losses.add("problem-moved", at)
            questions.asked = True
            return
        self._losses.add("problem-dropped", at)
        lines.append(to_play(move.problem) or "")
        move.problem = None

    def _time(self, time: Number | None, at: LossPath) -> Number | None:
        if time is None or 0 <= time < _DAY:
            return time
        self._losses.add("time-dropped", at, "a time of a day or more is left out")
        return None

    def _marks(self, marks: list[Mark], at: LossPath) -> tuple[list[Mark], str | None]:
        """Return the marks with a symbol for each, and a line with the texts that they represent."""
        made: list[Mark] = []
        labels: list[str] = []
        for mark in marks:
            drop_extra(self._losses, at, mark)
            (x, y), (width, height) = mark.point, (self._document.width, self._document.height)
            if not (0 <= x < width and 0 <= y < height and mark.symbol):
                self._losses.add("mark-dropped", at)
                continue
            symbol = mark.symbol
            if symbol not in self._symbols:
                self._losses.add(
                    "label-replaced", at, f"the label {symbol[:40]!r} became `?`; the comment has its text"
                )
                labels.append(f"{point_name(mark.point, height)} {self._texts.decodable(symbol, at)}")
                symbol = "?"
            elif mark.shape is not None:
                add_shape(self._losses, mark.shape, symbol, at)
            made.append(Mark(mark.point, symbol))
        return made, f"Labels: {', '.join(labels)}" if labels else None


_SYMBOLS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?")
_EVALUATIONS: Final = {7: ("bad", "good"), 2: ("bad", "good", "trick", "controversial")}
_DAY: Final = 86_400
_REFUSED: Final[dict[type, str]] = {Move: "move-occupied", Takeback: "takeback-too-deep", Edit: "setup-after-move"}
_WHY_CUT: Final = {
    "setup-after-move": "stones are set up after moves",
    "setup-without-liberties": "the position has a block without liberties",
    "move-occupied": "the move is on an occupied point or off the board",
    "takeback-too-deep": "the takeback withdraws more moves than are in force",
    "step-unreadable": "the step could not be read",
}


def _is_empty(node: Sequence[Step]) -> bool:
    """Whether a node has no move, setup, comment, mark or property of its own."""
    return all(
        isinstance(step.action, Note) and step.comment is None and not (step.properties or step.marks or step.extra)
        for step in node
    )


def _changes(stones: dict[Point, int], edit: Edit) -> bool:
    return any(stones.get(stone.point, 0) != stone.color for stone in edit.stones)


def _nodes(steps: list[Step]) -> Iterator[tuple[int, list[Step]]]:
    """The steps of each SGF node, with the index of the first; in wei7 every step is a node."""
    begin = 0
    for index in range(1, len(steps) + 1):
        if index == len(steps) or not steps[index].joined:
            yield begin, steps[begin:index]
            begin = index


def _is_sgf(document: Document) -> bool:
    """Whether a document has features of SGF alone; an empty one has neither steps nor places in them."""
    return bool(document.properties) or any(
        step.joined or step.properties or isinstance(step.action, (Edit, Note))
        for branch in document.tree.walk()
        for step in branch.steps
    )


def _before_more_setups(root: Branch) -> set[int]:
    """The ids of the branches with further setup below them before any move."""
    rows: list[tuple[Branch, int, bool]] = []
    waiting = [(root, -1)]
    while waiting:
        branch, parent = waiting.pop()
        sets_up, moves = branch.pre is not None and bool(branch.pre.stones), False
        for step in branch.steps:
            moves = isinstance(step.action, Move)
            if moves:
                break
            sets_up = sets_up or isinstance(step.action, Edit)
        rows.append((branch, parent, sets_up))
        if not moves:
            waiting.extend((child, len(rows) - 1) for child in branch.branches)
    above: set[int] = set()
    for branch, parent, sets_up in reversed(rows):
        if parent >= 0 and (sets_up or id(branch) in above):
            above.add(id(rows[parent][0]))
    return above
