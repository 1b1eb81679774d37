"""The tree of nodes of a document, written from the words of the issue and slow: every node is an object with links.

Each node knows the moves in force as a list, so that nothing is counted backwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wei7core.record.document import Branch, Document, Move, Step, Takeback


@dataclass(eq=False)
class PlainNode:
    """One node; `owner` is its step, or the branch that starts here."""

    owner: Step | Branch
    parent: PlainNode | None
    path: tuple[int, ...]
    index: int
    moves: list[tuple[Move, PlainNode | None]]  # in force, each with the node before it
    to_play: int
    children: list[PlainNode] = field(default_factory=list)

    @property
    def line(self) -> list[PlainNode]:
        return [self] if self.parent is None else [*self.parent.line, self]

    def below(self) -> list[PlainNode]:
        return [self, *(node for child in self.children for node in child.below())]


def tree_of(document: Document, handicap: int = 0) -> PlainNode:
    """Return the root node; for trees that can be played to their ends."""
    return _branch(document.tree, None, (), document.properties, 2 if handicap > 1 else 1)


def _branch(
    branch: Branch, above: PlainNode | None, path: tuple[int, ...], properties: dict[str, Any], first: int
) -> Any:
    node = above
    top = None
    if above is None or branch.pre is not None or not branch.steps:
        moves = [] if above is None else above.moves
        asked = None if branch.pre is None else branch.pre.problem
        turn = asked or _color(properties) or (first if above is None else above.to_play)
        top = node = PlainNode(branch, above, path, -1, moves, turn)
    for index, step in enumerate(branch.steps):
        assert node is not None
        moves = list(node.moves)
        if isinstance(step.action, Move):
            moves.append((step.action, node))
            turn = step.action.problem or _color(step.properties) or 3 - step.action.color
        elif isinstance(step.action, Takeback):
            _, before = moves[-step.action.count]
            del moves[-step.action.count :]
            assert before is not None
            turn = _color(step.properties) or before.to_play
        else:
            turn = _color(step.properties) or node.to_play
        made = PlainNode(step, node, path, index, moves, turn)
        if top is None:
            top = made
        else:
            node.children.append(made)
        node = made
    assert node is not None
    for ordinal, below in enumerate(branch.branches):
        node.children.append(_branch(below, node, (*path, ordinal), {}, first))
    return top


def _color(properties: dict[str, Any]) -> int | None:
    return {"B": 1, "W": 2}.get(properties.get("PL", ("",))[0])
