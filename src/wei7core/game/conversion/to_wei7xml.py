"""Any document -> one for wei7 2.2 (XML)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ...errors import ConversionError
from ...formats.wei7xml.values import MARK_SYMBOLS, SIZES
from ...formats.wei7xml.write import XML_VERSION, first_branch_form, holds_moves
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import (
    Branch,
    Document,
    Edit,
    Evaluation,
    Extra,
    Mark,
    MarkAction,
    Message,
    Move,
    Result,
    Setup,
    Step,
    Stone,
    Unreadable,
)
from ...replaying.cursor import Place
from ..output_formats import wrong_size
from .from_wei7xml import has_fields_of_wei7xml
from .loss_paths import LossPath, TextAdapter, claimed, drop_extra, joined, to_play
from .report import Loss, LossReport
from .to_wei7 import to_wei7
from .wei7xml_info import info_for_wei7xml, is_plain
from .without_takebacks import has_takebacks, without_takebacks

_EVALUATIONS: Final[tuple[Evaluation | None, ...]] = (None, "bad", "good", "trick")


def to_wei7xml(document: Document, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, list[Loss]]:
    """Return a new document for wei7 2.2, and the losses.

    A document of another format than wei7 is first converted to wei7 3.0; if that changes its branches, losses of the
    second step have their places in the new ones. A takeback becomes a variation with the moves that were withdrawn;
    messages and claims become comments, live marks those of the position. A document read from 2.x is unchanged,
    including its errors.

    Raises `ConversionError` for a board of another size than 7, 9, 11, 13, 15, 17 or 19 points a side, and the
    exceptions of `to_wei7`. No other thread may change the document during the call.
    """
    before: list[Loss] = []
    if document.version is None:
        if document.width != document.height or document.width not in SIZES:
            raise wrong_size("wei7 2.2 supports boards of 7, 9, ... 19 points a side", document)
        if not has_fields_of_wei7xml(document):
            document, before = to_wei7(document, 2, keep_titles=True, limits=limits)
    losses = LossReport()
    converted = _ToWei7Xml(document, losses).document()
    return converted, [*before, *losses.losses()]


class _ToWei7Xml:
    def __init__(self, document: Document, losses: LossReport) -> None:
        self._document = document
        self._losses = losses
        self._texts = TextAdapter(losses)
        self._is_xml = document.version is not None
        self._places: dict[int, LossPath] = {}

    def document(self) -> Document:
        document = self._document
        info, lines = document.info, list[str]()
        if not (self._is_xml and is_plain(info)):
            info, lines = info_for_wei7xml(info, self._losses, self._texts, no_komi=self._is_xml)
        extra = self._extra(document, "$")
        source = document.tree
        if has_takebacks(document):
            source, self._places = without_takebacks(document, self._losses)
        tree = Branch()
        waiting = [(Place(source), tree)]
        while waiting:
            place, out = waiting.pop()
            self._branch(place, out)
            for child in place.below():
                out.branches.append(Branch())
                waiting.append((child, out.branches[-1]))
        levels = [(Place(tree), False)]
        while levels:
            place, played = levels.pop()
            played = played or holds_moves(place.branch)
            if played:
                self._continue(place)
            form = self._complete(place, played)
            below = place.below()
            levels += [(child, False) for child in reversed(below[form != "moves" :])]
            if form == "steps":
                levels.append((below[0], played))
        if lines:
            tree.pre = tree.pre or Setup()
            tree.pre.comment = joined(tree.pre.comment, *lines)
        return replace(
            document, info=info, tree=tree, extra=extra, version=document.version if self._is_xml else XML_VERSION
        )

    def _extra(self, owner: Branch | Document | Mark | Move | Setup | Step | Stone, at: object) -> Extra:
        """The unchanged members of a record of 2.x; extra members of other records are lost."""
        if self._is_xml or not owner.extra:
            return owner.extra
        drop_extra(self._losses, at, owner)
        return {}

    def _continue(self, place: Place) -> None:
        """Continue the first branch after a move in the same `moves`; else the main line would end there."""
        branch = place.branch
        while branch.branches:
            first = branch.branches[0]
            is_place = first.title is not None or (first.pre is not None and first.pre.problem is None)
            if is_place and not any(map(holds_moves, _main_line(first))):
                return  # without moves it is equivalent to the first variation, and remains a separate place
            last = branch.steps[-1] if branch.steps else None
            step = first.steps[0] if first.steps and isinstance(first.steps[0].action, Move) else None
            has_element = step is not None and step.title in (None, first.title)
            is_free = first.title is not None and not has_element and (first.pre is not None or not first.steps)
            if first.pre is not None or is_free:
                if last is None or not isinstance(last.action, Move) or not _is_text(first.pre):
                    self._losses.add("main-line-as-variation", LossPath(place, "branch"))
                    return
                if first.pre is not None:
                    self._merge(first.pre, last, last.action, LossPath(place, len(branch.steps) - 1))
                    first.pre = None
                if is_free:
                    self._losses.add("title-as-comment", LossPath(place, "branch"))
                    last.comment, first.title = joined(last.comment, first.title), None
            if first.steps:
                return
            branch.branches[:1] = first.branches
            if not first.branches:
                if branch.branches:
                    branch.branches.insert(0, Branch())
                return

    def _merge(self, pre: Setup, step: Step, move: Move, at: LossPath) -> None:
        """Move the texts of a `pre` to the move before it: both belong to the same position."""
        is_problem = replace(pre, problem=None) == Setup() and move.problem is None
        if not (is_problem and pre.problem is not None):
            self._losses.add("pre-merged", at)
        if pre.problem is not None and move.problem is not None and move.problem != pre.problem:
            self._losses.add("problem-dropped", at)
            step.comment = joined(step.comment, to_play(move.problem))
        step.comment = joined(step.comment, pre.comment) if pre.comment else step.comment
        there = {(mark.point, mark.symbol) for mark in step.marks}
        step.marks = [*step.marks, *(mark for mark in pre.marks if (mark.point, mark.symbol) not in there)]
        if pre.problem is not None:
            step.action = replace(move, problem=pre.problem)

    def _complete(self, place: Place, played: bool) -> str:
        """Ensure that a `moves` has a step, and that the title of a branch has an element.

        Returns the form of the first branch below.
        """
        branch = place.branch
        form = first_branch_form(branch, played)
        first = branch.steps[0] if branch.steps else None
        has_step = first is not None or form == "steps" or "moves" in branch.kept_empty
        has_place = first is not None and isinstance(first.action, Move)
        if branch.pre is None and not (has_place if branch.title is not None else has_step):
            self._losses.add("pre-added", LossPath(place, "pre"))
            branch.pre = Setup()
        return form

    def _at(self, place: Place, what: Step | Setup, inside: int | str) -> LossPath:
        return self._places.get(id(what)) or LossPath(place, inside)

    def _branch(self, place: Place, out: Branch) -> None:
        branch = place.branch
        out.extra, out.kept_empty = self._extra(branch, LossPath(place, "branch")), branch.kept_empty
        rest: str | None = None
        if branch.title is not None:
            out.title, rest = self._line(branch.title, LossPath(place, "title"))
        if branch.pre is not None:
            at = self._at(place, branch.pre, "pre")
            out.pre = replace(
                branch.pre,
                stones=[replace(stone, extra=self._extra(stone, at)) for stone in branch.pre.stones],
                marks=self._marks(branch.pre.marks, at),
                comment=self._comment(branch.pre.comment, at),
                extra=self._extra(branch.pre, at),
            )
        for index, step in enumerate(branch.steps):
            self._step(step, out, self._at(place, step, index))
        if rest is not None:
            owner = self._owner(out, first=True)
            owner.comment = joined(rest, owner.comment)

    def _line(self, text: str, at: object) -> tuple[str, str | None]:
        """A title on one line, and the whole title if it was cut; a record of 2.x is never cut."""
        return (self._texts.xml(text, at), None) if self._is_xml else self._texts.xml_line(text, at)

    def _comment(self, text: str | None, at: object) -> str | None:
        return None if text is None else self._texts.xml(text, at)

    def _owner(self, out: Branch, *, first: bool = False) -> Step | Setup:
        """The owner of a text: the last step, or the `pre`, which is added if there is neither."""
        if out.steps and not (first and out.pre is not None):
            return out.steps[0 if first else -1]
        out.pre = out.pre or Setup()
        return out.pre

    def _step(self, step: Step, out: Branch, at: LossPath) -> None:
        action = step.action
        if step.time is not None:
            self._losses.add("time-dropped", at, "the time of a step is left out")
        if isinstance(action, Edit):
            raise ConversionError(f"{at}: wei7 2.2 does not support setup during a game")
        if isinstance(action, Unreadable) and not self._is_xml:
            self._losses.add("step-unreadable", at)
            return
        extra = self._extra(step, at)
        if isinstance(action, Unreadable):
            made = replace(step, marks=self._marks(step.marks, at), time=None, actor=None)
            out.steps.append(made)
            return
        if isinstance(action, Move):
            if step.actor is not None:
                self._losses.add("actor-dropped", at)
            self._move(replace(step, extra=extra), action, out, at)
            return
        owner = self._owner(out)
        marks = list(step.marks)
        who = "" if step.actor is None else f"{self._name(step.actor)}: "
        text: str | None = None
        if isinstance(action, Message):
            self._losses.add("message-as-comment", at)
            text = who + self._texts.xml(action.text, at)
        elif isinstance(action, Result):
            self._losses.add("result-as-comment", at)
            text = who + claimed(action)
        elif isinstance(action, MarkAction):
            self._losses.add("mark-action-as-mark", at)
            marks.insert(0, Mark(action.point, action.symbol))
            if step.actor is not None:
                self._losses.add("actor-dropped", at)
        comment = self._comment(step.comment, at)
        owner.comment = joined(owner.comment, text, comment) if text or comment else owner.comment
        there = {(mark.point, mark.symbol) for mark in owner.marks}
        owner.marks += [mark for mark in self._marks(marks, at) if (mark.point, mark.symbol) not in there]

    def _move(self, step: Step, action: Move, out: Branch, at: LossPath) -> None:
        action = replace(action, extra=self._extra(action, at))
        made = replace(step, action=action, marks=self._marks(step.marks, at), time=None, actor=None)
        lines: list[str] = []
        if action.evaluation not in _EVALUATIONS:
            self._losses.add("evaluation-as-comment", at)
            lines.append(f"A {action.evaluation} move.")
            made.action = replace(action, evaluation=None)
        if step.title is not None:
            made.title, whole = self._line(step.title, at)
            lines += [whole] if whole is not None else []
            if not out.steps and out.pre is None and out.title not in (None, made.title):
                # Used by the title of the branch.
                self._losses.add("title-as-comment", at)
                lines.append(step.title)
                made.title = None
        comment = self._comment(step.comment, at)
        made.comment = joined(comment, *lines) if lines else comment
        out.steps.append(made)

    def _name(self, actor: int) -> str:
        people = self._document.info.participants
        name = people[actor].name if 0 <= actor < len(people) else None
        return self._texts.xml(name, "info.participants") if name else f"participant {actor}"

    def _marks(self, marks: list[Mark], at: LossPath) -> list[Mark]:
        made = []
        for mark in marks:
            x, y = mark.point
            inside = 0 <= x < self._document.width and 0 <= y < self._document.height
            if mark.symbol in MARK_SYMBOLS and (inside or self._is_xml):
                made.append(Mark(mark.point, mark.symbol, extra=self._extra(mark, at)))
            else:
                self._losses.add("mark-dropped", at)
        return made


def _is_text(pre: Setup | None) -> bool:
    """Whether a move can hold all of a `pre`."""
    return pre is None or not (pre.stones or pre.extra)


def _main_line(branch: Branch) -> Iterator[Branch]:
    yield branch
    while branch.branches:
        branch = branch.branches[0]
        yield branch
