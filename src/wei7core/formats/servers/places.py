"""Trees of moves in games of servers: places with moves, comments and marks; their rows and their branches.

Nothing here recurses, and each place is visited a fixed number of times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from ...record.document import Branch, Edit, Evaluation, Mark, Move, Point, Setup, Step, Stone, Unreadable
from ..record_columns import EVALUATIONS, MOVE, SETUP, UNREADABLE
from ..record_rows import NO_SPAN, Rows

Span = tuple[int, int]
Key = tuple[int, int, Point | None]
_UNKNOWN: Final = "?"


@dataclass(slots=True, eq=False)
class Place:
    """A place in a tree. `kind` is that of its step; `next_color` plays after it. `main` is the child on the main
    line, without which it is the first one.

    `span` are the bytes of the last text in the comment. `verdict`: whether the place ends a right line or a
    wrong one.
    """

    offset: int
    kind: int = MOVE
    color: int = 0
    point: Point | None = None
    next_color: int = 0
    depth: int = 0
    parent: Place | None = None
    children: dict[Key, Place] = field(default_factory=dict)
    main: Place | None = None
    comment: str = ""
    span: Span = NO_SPAN
    marks: list[Mark] = field(default_factory=list)
    verdict: Evaluation | None = None
    evaluation: Evaluation | None = None


@dataclass(slots=True)
class Lines:
    """The lines of a tree, each after the line that it branches off: the number of that line (-1: none) and the places.

    `cut` is the byte of the first place that did not fit, or None.
    """

    lines: list[tuple[int, list[Place]]]
    cut: int | None = None


def lines_from(root: Place, most: int) -> Lines:
    """Return the lines after `root`, with up to `most` steps, branches, stones and marks. Thread safe."""
    made: list[tuple[int, list[Place]]] = []
    waiting: list[tuple[int, list[Place]]] = [(-1, [root])]
    left, marks = most, most - len(root.marks)
    while waiting:
        parent, line = waiting.pop()
        begins = line.pop() if parent < 0 else line[-1]
        number = len(made)
        made.append((parent, line))
        children = _in_order(begins)
        while len(children) == 1:
            line.append(children[0])
            children = _in_order(children[0])
        for row, place in enumerate(line):
            left, marks = left - 1, marks - len(place.marks)
            if left < 0 or marks < 0:
                del line[row:]
                return Lines(made, place.offset)
        waiting.extend((number, [child]) for child in reversed(children))
    return Lines(made)


def _in_order(place: Place) -> list[Place]:
    children = [*place.children.values()]
    if place.main is None or children[:1] == [place.main]:
        return children
    return [place.main, *(one for one in children if one is not place.main)]


def add_lines(rows: Rows, root: Place, found: Lines) -> None:
    """Add the rows of the lines. Not thread safe."""
    below: list[list[int]] = [[] for _ in found.lines]
    for number, (parent, line) in enumerate(found.lines):
        offset = line[0].offset if line else root.offset
        rows.trees.add(offset, rows.steps.count)
        for place in line:
            _add_step(rows, place)
        rows.trees.end_steps(number, rows.steps.count)
        if parent >= 0:
            below[parent].append(number)
    for number, branches in enumerate(below):
        rows.trees.set_branches(number, branches)


def add_marks(rows: Rows, offset: int, marks: list[Mark]) -> int:
    """Add the rows of marks, a label by its first letter, and return their number. Not thread safe."""
    for mark in marks:
        symbol = ord(mark.symbol[0])
        rows.marks.add(offset, *mark.point, symbol if symbol < 128 else ord(_UNKNOWN))
    return len(marks)


def _add_step(rows: Rows, place: Place) -> None:
    detail, tag = -1, 0
    if place.span != NO_SPAN or place.marks:
        first = rows.marks.count if place.marks else -1
        count = add_marks(rows, place.offset, place.marks) or -1
        detail = rows.details.add(*NO_SPAN, *place.span, *NO_SPAN, -1.0, first, count, -1, 0)
    x, y = place.point or (-1, -1)
    color = place.color
    if place.kind == SETUP:
        x, y, color = rows.stones.add(place.offset, x, y, color), 1, 0
    elif place.kind == MOVE:
        tag = EVALUATIONS.index(place.evaluation)
    rows.steps.add(place.offset, x, y, detail, place.kind, color, tag, 0)


def branch_of(found: Lines, pre: Setup | None, raw: Callable[[Place], bytes]) -> Branch:
    """Return new branches; `raw` returns the text of a step that could not be read. Thread safe."""
    branches: list[Branch] = []
    for parent, line in found.lines:
        branch = Branch(pre=None if branches else pre, steps=[_step(place, raw) for place in line])
        if parent >= 0:
            branches[parent].branches.append(branch)
        branches.append(branch)
    return branches[0]


def _step(place: Place, raw: Callable[[Place], bytes]) -> Step:
    if place.kind == UNREADABLE:
        return Step(Unreadable(raw(place)))
    if place.point is None or place.kind == MOVE:
        step = Step(Move(place.color, place.point, place.evaluation))
    else:
        step = Step(Edit([Stone(place.color, place.point)]))
    step.comment = place.comment or None
    step.marks = list(place.marks)
    return step
