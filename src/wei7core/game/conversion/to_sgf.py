"""Any document -> one for SGF."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...coordinates import point_name
from ...formats.sgf.properties import MOST_POINTS, escape, is_name, marks
from ...record.document import (
    Document,
    Edit,
    Evaluation,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Properties,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)
from ...replaying.cursor import Place
from ..output_formats import wrong_size
from .line_of_play import GameNode, arranged, keep_first
from .loss_paths import BLACK, COLOR_WORDS, LossPath, TextAdapter, claimed, drop_extra
from .report import Loss, LossReport
from .sgf_info import info_for_sgf
from .takebacks import taken_back_text


def to_sgf(document: Document) -> tuple[Document, list[Loss]]:
    """Return a new document for SGF, and the losses.

    A takeback becomes a node of its own after the last remaining move; the following steps are below that node, and the
    withdrawn moves are a variation of it. The line in force at the end is the first one at every fork. `pre` of a
    branch becomes its first node. Messages, claims and live marks join the node where they were made. A document read
    from SGF is unchanged, except for properties whose names FF[4] does not allow.

    Raises `ConversionError` if the board has more than 52 points a side, or an unknown size.
    """
    if not (1 <= document.width <= MOST_POINTS and 1 <= document.height <= MOST_POINTS):
        raise wrong_size(f"SGF supports boards of 1 to {MOST_POINTS} points a side", document)
    return _ToSgf(document).converted()


class _InsertionPoint:
    """The insertion point of nodes: after `node`, in a branch of the source with the title `title`."""

    __slots__ = ("_own", "_takeback", "_takebacks", "asked", "is_main", "node", "title")

    def __init__(self, node: GameNode, asked: bool, is_main: bool, own: GameNode | None = None) -> None:
        self.node = node
        self.asked = asked  # a problem has been set
        self.is_main = is_main
        self.title: str | None = None
        self._own = own  # the last node of this branch
        self._takeback: GameNode | None = None  # the node of the last takeback
        self._takebacks = 0  # how many that node represents

    def add(self, step: Step) -> GameNode:
        """Add a node."""
        self.node = GameNode(step, self.node)
        if self._own is None:
            self.node.begins, self.node.title = True, self.title
        self._own = self.node
        return self.node

    def take_back(self, count: int) -> tuple[GameNode, list[GameNode]] | None:
        """Add a node before the last `count` moves and return it with these moves, last first; None: there are fewer.

        It replaces the node of a takeback directly before it, if that has no other content.
        """
        last = self.node
        found = last.taken_back(count)
        if found is None:
            return None
        self.node, moves = found
        added = self.add(Step(Note()))
        if last is self._takeback and not last.step.marks and len(last.texts) == self._takebacks:
            last.give_way_to(added)
        else:
            self._takebacks = 0
        self._takebacks += 1
        self._takeback = added
        return added, moves

    def here(self) -> GameNode:
        """The last node of the branch; a new one if it has none, because branches share the previous one."""
        return self.add(Step(Note())) if self._own is None else self._own


class _Node:
    """The place of a step of SGF by its node, counted on demand; -1 is the root node."""

    __slots__ = ("_at",)

    def __init__(self, at: LossPath) -> None:
        self._at = at

    def __str__(self) -> str:
        place, index = self._at.place, self._at.inside
        assert isinstance(index, int)
        joined = sum(step.joined for step in place.branch.steps[: index + 1])
        return str(LossPath(place, (place.parent is None) + index - joined))


class _ToSgf:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._losses = LossReport()
        self._texts = TextAdapter(self._losses)
        self._info, properties = info_for_sgf(document, self._losses, self._texts)
        self._properties = self._spelled(properties, LossPath(Place(document.tree), -1))
        self._claim: Result | None = None

    def converted(self) -> tuple[Document, list[Loss]]:
        document = self._document
        drop_extra(self._losses, "$", document)
        root = GameNode(Step(Note(), properties=self._properties))
        preset: list[Stone] = []
        first = Place(document.tree)
        if document.tree.pre is not None:
            preset = self._stones(document.tree.pre, LossPath(first, "pre"))
        root.title = self._texts.sgf_line(document.tree.title, LossPath(first, "title"))
        waiting = [(first, _InsertionPoint(root, False, True, root))]
        while waiting:
            place, line = waiting.pop()
            going = self._branch(place, line)
            below = place.below() if going else []
            if not below:
                keep_first(line.node)
            for child in reversed(below):
                waiting.append((child, _InsertionPoint(line.node, line.asked, line.is_main and child.ordinal == 0)))
        tree = arranged(root)
        if preset or root.step.marks or root.step.comment is not None:
            pre = document.tree.pre
            unchecked = pre is not None and pre.unchecked
            tree.pre = Setup(preset, None, root.step.marks, root.step.comment, unchecked=unchecked)
        if self._info.result is None and self._claim is not None and "RE" not in self._properties:
            self._info.result = replace(self._claim, extra={})
        result = Document(
            document.width, document.height, document.size_form, self._info, tree, root.step.properties, replaces=True
        )
        return result, self._losses.losses()

    def _spelled(self, properties: Properties, at: LossPath) -> Properties:
        """The properties of a step with names allowed in FF[4]; the others are losses."""
        if all(map(is_name, properties)):
            return dict(properties)
        for name in properties:
            if not is_name(name):
                message = f"FF[4] does not allow the property name {name[:40]!r}"
                self._losses.add("property-dropped", _Node(at), message, kind=name, listed=1)
        return {name: values for name, values in properties.items() if is_name(name)}

    def _branch(self, place: Place, line: _InsertionPoint) -> bool:
        """Convert one branch along `line`; returns whether child branches can follow."""
        branch = place.branch
        drop_extra(self._losses, LossPath(place, "branch"), branch)
        if place.parent is not None:
            line.title = self._texts.sgf_line(branch.title, LossPath(place, "title"))
        if branch.pre is not None:
            self._pre(branch.pre, line, LossPath(place, "pre"))
        going = True
        for index, step in enumerate(branch.steps):
            going = self._step(step, line, LossPath(place, index))
            if not going:
                break
        line.here()
        return going

    def _pre(self, pre: Setup, line: _InsertionPoint, at: LossPath) -> None:
        drop_extra(self._losses, at, pre)
        if pre.evaluation is not None:
            self._losses.add("position-evaluation-dropped", at)
        node = line.node
        if not (pre.stones or pre.marks or pre.comment is not None or pre.problem is not None):
            self._losses.add("pause-point-dropped", at)
            return
        if at.place.parent is not None:
            stones = self._stones(pre, at)
            node = line.add(Step(Edit(stones) if stones else Note()))
        self._annotate(node, pre, at)
        if pre.problem is not None:
            line.asked = True
            node.step.properties["PL"] = ("B" if pre.problem == BLACK else "W",)
            self._ask(node, pre.problem, at)

    def _stones(self, pre: Setup, at: LossPath) -> list[Stone]:
        stones = []
        for stone in pre.stones:
            drop_extra(self._losses, at, stone)
            (x, y), is_start = stone.point, at.place.parent is None
            if not is_start or (0 <= x < self._document.width and 0 <= y < self._document.height):
                stones.append(Stone(stone.color, stone.point))
            else:
                self._losses.add(
                    "member-dropped", at, f"the stone on {stone.point}, which is off the board, is left out"
                )
        return stones

    def _step(self, step: Step, line: _InsertionPoint, at: LossPath) -> bool:
        """Convert one step; returns False if nothing can follow it."""
        action = step.action
        if step.time is not None:
            self._losses.add("time-dropped", at, "the time of a step is left out")
        if step.actor is not None and isinstance(action, (Move, MarkAction, Edit, Note)):
            self._losses.add("actor-dropped", at)
        if step.extra:
            drop_extra(self._losses, at, step)
        if isinstance(action, Unreadable):
            if action.text[:1].isupper() and self._document.version is None:
                # A property of an SGF node, written unchanged.
                raw = Unreadable(action.text, action.may_be_move)
                node = line.add(
                    Step(raw, comment=step.comment, properties=self._spelled(step.properties, at), joined=step.joined)
                )
                self._head(node, step, at)
                return True
            self._losses.add("step-unreadable", at)
            return not action.may_be_move
        if isinstance(action, Takeback):
            return self._take_back(step, action, line, at)
        if isinstance(action, Move):
            self._move(step, action, line, at)
        elif isinstance(action, (Edit, Note)):
            stones = [replace(stone, extra={}) for stone in action.stones] if isinstance(action, Edit) else []
            own = Edit(stones) if isinstance(action, Edit) else Note()
            node = line.add(Step(own, properties=self._spelled(step.properties, at), joined=step.joined))
            self._annotate(node, step, at)
        else:
            self._live(step, action, line, at)
        return True

    def _move(self, step: Step, action: Move, line: _InsertionPoint, at: LossPath) -> None:
        if action.extra:
            drop_extra(self._losses, at, action)
        evaluation, remark = action.evaluation, None
        if evaluation is not None and (line.asked or evaluation not in ("good", "bad")):
            remark = (_ANSWERS if line.asked else _REMARKS).get(evaluation, _REMARKS.get(evaluation))
            self._losses.add("evaluation-as-comment", at)
            evaluation = None
        move = Move(action.color, action.point, evaluation)
        node = line.add(Step(move, properties=self._spelled(step.properties, at), joined=step.joined))
        self._annotate(node, step, at)
        if remark is not None:
            node.texts.append(remark)
        if action.problem is not None:
            line.asked = True
            self._ask(node, action.problem, at)

    def _head(self, node: GameNode, step: Step, at: LossPath) -> None:
        """The head of a step of wei7 2.x."""
        if step.title is not None:
            self._name_node(node, step.title, at)
        if step.splitter is not None:
            self._losses.add("splitter-dropped", at)

    def _name_node(self, node: GameNode, title: str, at: LossPath) -> None:
        """Set the name (N) of a node unless it has one, of the branch that begins there or of a previous step."""
        name = self._texts.sgf_line(title, at)
        if name is None or name == node.title:
            return
        if node.title is None and "N" not in node.step.properties:
            node.step.properties["N"] = (escape(name),)
        else:
            self._losses.add("title-as-comment", at)
            node.texts.insert(0, name)

    def _ask(self, node: GameNode, color: int, at: LossPath) -> None:
        node.texts.append(f"Problem: {COLOR_WORDS.get(color, 'nobody')} to play.")
        self._losses.add("problem-as-comment", at)

    def _take_back(self, step: Step, action: Takeback, line: _InsertionPoint, at: LossPath) -> bool:
        found = line.take_back(action.count)
        if found is None:
            self._losses.add("takeback-too-deep", at)
            return False
        node, nodes = found
        moves = [one.step.action for one in nodes if isinstance(one.step.action, Move)]
        name = None if step.actor is None else self._name(step.actor)
        node.texts.append(taken_back_text(step, moves, self._document, name))
        self._losses.add("takeback-as-variation", at)
        self._annotate(node, step, at)
        return True

    def _live(self, step: Step, action: Result | MarkAction | Message, line: _InsertionPoint, at: LossPath) -> None:
        node = line.here()
        who = "" if step.actor is None else f"{self._name(step.actor)}: "
        if isinstance(action, MarkAction):
            self._losses.add("mark-action-as-mark", at)
            self._mark(node, Mark(action.point, action.symbol, extra=action.extra), at)
        elif isinstance(action, Message):
            self._losses.add("message-as-comment", at)
            node.texts.append(who + self._texts.sgf(action.text, at))
        else:
            drop_extra(self._losses, at, action)
            self._losses.add("result-as-comment", at)
            node.texts.append(who + claimed(action))
            if line.is_main and (action.winner is None or action.winner in COLOR_WORDS):
                self._claim = action
        self._annotate(node, step, at)

    def _name(self, actor: int) -> str:
        people = self._document.info.participants
        name = people[actor].name if 0 <= actor < len(people) else None
        return self._texts.sgf_line(name, "info.participants") or f"participant {actor}"

    def _annotate(self, node: GameNode, owner: Setup | Step, at: LossPath) -> None:
        """Add the comment, the title and the marks of `owner` to a node."""
        if owner.comment is not None:
            node.texts.append(self._texts.sgf(owner.comment, at))
        if isinstance(owner, Step):
            self._head(node, owner, at)
            if owner.properties:
                # Marks read from SGF are unchanged.
                node.step.marks += [replace(mark, extra={}) for mark in owner.marks]
                return
        elif owner is self._document.tree.pre and owner.marks == self._marks_of_root():
            node.step.marks += owner.marks
            return
        for mark in owner.marks:
            self._mark(node, mark, at)

    def _marks_of_root(self) -> list[Mark]:
        """The marks that the properties of the root node make."""
        return marks(self._properties, self._document.width, self._document.height)

    def _mark(self, node: GameNode, mark: Mark, at: LossPath) -> None:
        if mark.extra:
            drop_extra(self._losses, at, mark)
        (x, y), (width, height) = mark.point, (self._document.width, self._document.height)
        if not (0 <= x < width and 0 <= y < height and (mark.symbol or mark.shape)):
            self._losses.add("mark-dropped", at)
        elif not node.put(Mark(mark.point, self._texts.decodable(mark.symbol, at), shape=mark.shape)):
            name = point_name(mark.point, height)
            self._losses.add("mark-dropped", at, f"SGF allows one label a point; a second one on {name} is omitted")


_ANSWERS: Final[dict[Evaluation, str]] = {"good": "Right.", "bad": "Wrong."}
_REMARKS: Final[dict[Evaluation, str]] = {"trick": "A trick move.", "controversial": "A controversial move."}
