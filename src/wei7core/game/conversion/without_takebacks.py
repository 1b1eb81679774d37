"""Conversion of takebacks to variations, for a format with a `pre` of a branch, but without takebacks.

The steps after a takeback become a separate branch after the last remaining move, whose `pre` describes the takeback;
the withdrawn moves remain as a variation of it. The line in force at the end is the first one at every fork.
"""

from __future__ import annotations

from ...record.document import Branch, Document, Move, Note, Setup, Step, Takeback
from ...replaying.cursor import Place
from .line_of_play import GameNode, arranged, keep_first
from .loss_paths import LossPath
from .report import LossReport
from .takebacks import taken_back_text


def has_takebacks(document: Document) -> bool:
    """Return whether any step is a takeback."""
    return any(isinstance(step.action, Takeback) for branch in document.tree.walk() for step in branch.steps)


def without_takebacks(document: Document, losses: LossReport) -> tuple[Branch, dict[int, LossPath]]:
    """Return the tree without takebacks, and the place of each step and `pre` shared with the source, by id.

    Steps and `pre`s are those of the document, which does not change.
    """
    return _Without(document, losses).tree()


class _Without:
    def __init__(self, document: Document, losses: LossReport) -> None:
        self._document = document
        self._losses = losses
        self._places: dict[int, LossPath] = {}
        self._setups: dict[int, Setup] = {}
        self._takeback: GameNode | None = None  # the node of the last one, if it has no other content

    def tree(self) -> tuple[Branch, dict[int, LossPath]]:
        source = self._document.tree
        root = GameNode(Step(Note()))
        waiting = [(Place(source), root)]
        while waiting:
            place, node = waiting.pop()
            end = self._branch(place, node)
            below = place.below() if end is not None else []
            if not below:
                keep_first(end or node)
            waiting.extend((child, end or node) for child in reversed(below))
        tree = arranged(root)
        tree.title, tree.pre = source.title, source.pre
        for branch in tree.walk():
            if branch.steps and isinstance(branch.steps[0].action, Note):
                first = branch.steps.pop(0)
                branch.pre = self._setups.get(id(first)) or Setup(marks=first.marks, comment=first.comment)
        return tree, self._places

    def _branch(self, place: Place, node: GameNode) -> GameNode | None:
        """Add the nodes of a branch after `node`; returns the last one, None if nothing can follow."""
        branch = place.branch
        begins = place.parent is not None
        self._takeback = None  # other branches begin at its node, too
        if branch.pre is not None:
            self._places[id(branch.pre)] = LossPath(place, "pre")
        if begins and (branch.pre is not None or not branch.steps):
            node = GameNode(Step(Note()), node)
            node.begins, node.title, begins = True, branch.title, False
            self._setups[id(node.step)] = branch.pre or Setup()
        for index, step in enumerate(branch.steps):
            self._places[id(step)] = at = LossPath(place, index)
            if isinstance(step.action, Takeback):
                found = node.taken_back(step.action.count)
                if found is None:
                    self._losses.add("takeback-too-deep", at)
                    return None
                node = self._take_back(step, found, node, at)
            else:
                node = GameNode(step, node)
                node.begins = begins
            if begins:
                node.title = branch.title
            begins = False
        return node

    def _take_back(self, step: Step, found: tuple[GameNode, list[GameNode]], last: GameNode, at: LossPath) -> GameNode:
        """Add the node of a takeback; it replaces the node of a takeback directly before it."""
        stays, nodes = found
        node = GameNode(Step(Note(), marks=list(step.marks)), stays)
        node.begins = True
        if last is self._takeback:
            last.give_way_to(node)
        moves = [one.step.action for one in nodes if isinstance(one.step.action, Move)]
        node.texts = [*node.texts, taken_back_text(step, moves, self._document)]
        self._takeback = node
        if step.comment is not None or step.marks:
            node.texts.append(step.comment or "")
            self._takeback = None
        self._losses.add("takeback-as-variation", at)
        if step.time is not None:
            self._losses.add("time-dropped", at, "the time of a step is left out")
        return node
