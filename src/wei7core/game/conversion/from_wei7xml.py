"""Conversion of a document of wei7 2.x to one for wei7 3.0, including the meaning of absent members.

In 2.x no evaluation is a normal move, and rules without a komi have none. A problem may be at any step; revision 7 of
3.0 has it only at the `pre` of a branch, so that the rest becomes a separate branch.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from typing import Final

from ...formats.headers import with_implied_komi
from ...record.document import Branch, Document, Mark, Move, Setup
from ...replaying.cursor import Place
from .loss_paths import LossPath, joined, to_play
from .report import LossReport

_TRICK: Final = "A trick move."
_STAR: Final = "*"
_HASH: Final = "#"


def has_fields_of_wei7xml(document: Document) -> bool:
    """Return whether a document has members of wei7 2.x alone, read or set later."""
    return document.version is not None or any(
        (branch.pre is not None and branch.pre.evaluation is not None)
        or any(step.title is not None or step.splitter is not None for step in branch.steps)
        for branch in document.tree.walk()
    )


def plain_wei7(document: Document, revision: int, losses: LossReport) -> Document:
    """Return a new document of the same branches and steps, without members of 2.x alone.

    For revision 7, problems at steps stay (`split_problems` converts them), and only one inside another is omitted.
    Members of `extra` stay.
    """
    return _Plain(document, revision, losses).document()


class _Plain:
    def __init__(self, document: Document, revision: int, losses: LossReport) -> None:
        self._document = document
        self._losses = losses
        self._is_xml = document.version is not None
        self._by_seven = revision == 7 and self._is_xml

    def document(self) -> Document:
        source = self._document
        info = source.info
        if self._is_xml:
            time = None if info.time is None else utc_time(info.time, self._losses)
            info = replace(with_implied_komi(info), time=time)
        document = replace(source, info=info, tree=Branch(), version=None)
        waiting = [(Place(source.tree), document.tree, False)]
        while waiting:
            place, out, asked = waiting.pop()
            asked = self._branch(place, out, asked)
            for child in place.below():
                out.branches.append(Branch())
                waiting.append((child, out.branches[-1], asked))
        return document

    def _branch(self, place: Place, out: Branch, asked: bool) -> bool:
        """Fill `out`; returns whether a problem has been set by its end."""
        branch = place.branch
        out.title, out.extra = branch.title, branch.extra
        if branch.pre is not None:
            out.pre = self._pre(branch.pre, LossPath(place, "pre"), asked)
            asked = asked or out.pre.problem is not None
        for index, step in enumerate(branch.steps):
            at = LossPath(place, index)
            made = replace(step, title=None, splitter=None, marks=self._marks(step.marks, at))
            if step.splitter is not None:
                self._losses.add("splitter-dropped", at)
            lines: list[str] = []
            if step.title is not None:
                if index == 0 and out.title is None:
                    out.title = step.title
                elif index > 0 or out.title != step.title:
                    self._losses.add("title-as-comment", at)
                    lines.append(step.title)
            if isinstance(step.action, Move):
                made.action, remarks = self._move(step.action, at, asked)
                asked = asked or made.action.problem is not None
                made.comment = joined(*lines, step.comment, *remarks) if lines or remarks else step.comment
            else:
                made.comment = joined(*lines, step.comment) if lines else step.comment
            out.steps.append(made)
        return asked

    def _pre(self, pre: Setup, at: LossPath, asked: bool) -> Setup:
        made = replace(pre, evaluation=None, marks=self._marks(pre.marks, at))
        if pre.evaluation is not None:
            self._losses.add("position-evaluation-dropped", at)
        if self._by_seven and asked and pre.problem is not None:
            self._losses.add("problem-dropped", at)
            made.problem, made.comment = None, joined(pre.comment, to_play(pre.problem))
        return made

    def _move(self, move: Move, at: LossPath, asked: bool) -> tuple[Move, list[str]]:
        """The move, and lines for its comment."""
        if not self._by_seven:
            return move, []
        made = replace(move)
        lines: list[str] = []
        if move.evaluation == "trick":
            self._losses.add("evaluation-dropped", at)
            lines.append(_TRICK)
            made.evaluation = "bad" if asked else None
        elif asked and move.evaluation is None:
            self._losses.add("normal-as-good", at)
            made.evaluation = "good"
        if move.problem is not None:
            if asked:
                self._losses.add("problem-dropped", at)
                lines.append(to_play(move.problem) or "")
                made.problem = None
            else:
                self._losses.add("problem-moved", at)
        return made, lines

    def _marks(self, marks: list[Mark], at: LossPath) -> list[Mark]:
        if not self._by_seven or all(mark.symbol != _STAR for mark in marks):
            return marks
        made = []
        for mark in marks:
            if mark.symbol == _STAR:
                self._losses.add("symbol-replaced", at)
            made.append(replace(mark, symbol=_HASH) if mark.symbol == _STAR else mark)
        return made


def split_problems(root: Branch) -> None:
    """Convert a problem at a move to one at the `pre` of a new branch with all following steps.

    The branches are changed in place; the problems must not be nested.
    """
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        for index, step in enumerate(branch.steps):
            if isinstance(step.action, Move) and step.action.problem is not None:
                rest = branch.split(index + 1)
                rest.pre = Setup(problem=step.action.problem)
                step.action.problem = None
                waiting.append(rest)
                break
        else:
            waiting.extend(branch.branches)


_DATE_TIME: Final = re.compile(
    r"(-?[0-9]{4,})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})?",
    re.ASCII,
)
_MOST_FRACTION: Final = 9
_YEARS: Final = 400  # the period of the Gregorian calendar


def utc_time(text: str, losses: LossReport, at: str = "info.time") -> str | None:
    """Return the dateTime of XML Schema `text` in the shortest of the three forms of 3.0 that keeps it, or None.

    A time without a zone is taken to be UTC. Any other text stays as it is.
    """
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return text
    year, month, day, hour, minute, second = match.groups()[:6]
    zone = match[8]
    if zone is None:
        losses.add("time-zone-assumed", at)
    if len(year) != 4:
        losses.add("date-dropped", at)
        return None
    try:
        # datetime has neither year 0 nor earlier ones, which a zone could lead to.
        utc = datetime.datetime(int(year) % _YEARS + _YEARS, int(month), int(day), int(hour) % 24, int(minute))
    except ValueError:
        return text
    utc += datetime.timedelta(days=int(hour) // 24) - _offset(zone)
    shifted = int(year) + utc.year - int(year) % _YEARS - _YEARS
    if not 0 <= shifted <= 9999:
        losses.add("date-dropped", at)
        return None
    fraction = (match[7] or "")[:_MOST_FRACTION].rstrip("0")
    if (match[7] or "")[_MOST_FRACTION:].strip("0"):
        losses.add("time-rounded", at)
    seconds = f":{second}" if fraction or int(second) else ""
    return f"{shifted:04}-{utc:%m-%dT%H:%M}{seconds}{'.' + fraction if fraction else ''}Z"


def _offset(zone: str | None) -> datetime.timedelta:
    if zone in (None, "Z"):
        return datetime.timedelta()
    assert zone is not None
    offset = datetime.timedelta(hours=int(zone[1:3]), minutes=int(zone[4:]))
    return -offset if zone.startswith("-") else offset
