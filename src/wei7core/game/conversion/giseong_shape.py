"""Trees restructured for Giseong records."""

from __future__ import annotations

from dataclasses import replace

from ...formats.giseong.shape import Shapes, starts_with_stone
from ...limits import Limits
from ...record.document import Branch, Move, Setup, Step
from ...replaying.cursor import Place
from .loss_paths import LossPath, joined
from .report import LossReport


def shape_tree(root: Branch, start: Setup, *, is_shown: bool, losses: LossReport, limits: Limits) -> None:
    """Change a tree if necessary, so that `formats.giseong_shape` calls it full.

    Nested variations that the format does not support become parallel lines, each with all its stones; only the first
    has the comments of the shared part. `start` is the text at the start, `is_shown` whether the board then has stones
    or marks.
    """
    _merge_single(root, keep_root=is_shown)
    shapes = Shapes(root)
    if shapes.is_full(root) or shapes.is_of_screens(is_shown):
        return
    room = limits.max_steps
    place = Place(root)
    last: Step | Setup = start
    while place.branch.branches:
        branch = place.branch
        is_single = True
        while is_single:  # what follows the only branch is now below this one, and begins anew
            last = branch.steps[-1] if branch.steps else last
            _raise_first(place, last, losses)
            is_single = len(branch.branches) == 1
            _merge_single(branch, keep_root=False)
        if not branch.branches:
            break
        below = branch.branches[:1]
        for row, child in enumerate(branch.branches[1:], 1):
            if shapes.is_simple(child):
                below.append(child)
                continue
            lines, cost = _lines(child, room)
            room -= cost
            at = LossPath(Place(child, place, row), "branch")
            if lines is None:
                losses.add("variation-dropped", at)
            else:
                losses.add("variation-repeated", at)
                below += lines
        branch.branches = below
        place = place.below()[0] if below else Place(Branch())


def _merge_single(root: Branch, *, keep_root: bool) -> None:
    """Join branches with their single child branch."""
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        while len(branch.branches) == 1 and not (keep_root and branch is root and not branch.steps):
            (below,) = branch.branches
            branch.steps = branch.steps + below.steps
            branch.branches = below.branches
        waiting += branch.branches


def _raise_first(place: Place, last: Step | Setup, losses: LossReport) -> None:
    """Make the first branch begin with a stone, or be empty: its earlier texts move to `last`, the place before it."""
    branch = place.branch
    while branch.branches and not starts_with_stone(branch.branches[0]):
        first = branch.branches[0]
        if first.steps:
            note = first.steps.pop(0)
            losses.add("node-merged", LossPath(Place(first, place), 0))
            last.comment = joined(last.comment, note.comment)
            last.marks = [*last.marks, *note.marks]
        elif first.branches:
            branch.branches = [*first.branches, *branch.branches[1:]]
        else:
            break


def _lines(root: Branch, room: int) -> tuple[list[Branch] | None, int]:
    """All paths through a branch, each as a separate branch; None if they take more than `room` steps."""
    lines: list[Branch] = []
    cost = 0
    waiting: list[tuple[Branch, list[Step]]] = [(root, [])]
    while waiting:
        branch, before = waiting.pop()
        way = before + branch.steps
        cost += len(way)
        if cost > room:
            return None, 0
        if not branch.branches:
            lines.append(Branch(steps=way))
        bare = [replace(step, comment=None, marks=[], properties={}) for step in way if isinstance(step.action, Move)]
        below = [(child, bare if row else way) for row, child in enumerate(branch.branches)]
        waiting.extend(reversed(below))
    return lines, cost
