"""All nodes of a game at once, with their parents, for passes over a whole tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..replaying.cursor import Node

if TYPE_CHECKING:
    from .game import Game


@dataclass(slots=True)
class NodeTree:
    """Nodes in the order of `Game.walk`: each one after its parent. `parents[0]` is -1.

    An empty start of a branch has no node of its own. Unplayable steps are omitted, with their continuations.
    """

    nodes: list[Node] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)

    def moves_after(self, index: int) -> list[int]:
        """Return the next moves after a node, skipping other steps, in the order of the record."""
        found = []
        waiting = self.children[index][::-1]
        while waiting:
            child = waiting.pop()
            if self.nodes[child].move is not None:
                found.append(child)
            else:
                waiting += self.children[child][::-1]
        return found


def read_tree(game: Game) -> NodeTree:
    """Return all nodes of a game. Raises as `Game.walk` does."""
    from .game import Game

    if not isinstance(game, Game):
        raise TypeError(f"expected a Game, got {game!r}")
    above = {id(below): branch for branch in game.tree.walk() for below in branch.branches}
    last: dict[int, int] = {}
    tree = NodeTree()
    for node in game.walk():
        branch = node.branch
        key = id(branch)
        parent = last[key] if node.step is not None else last[id(above[key])] if key in above else -1
        if node.step is None and parent >= 0 and branch.pre is None and not branch.title:
            last[key] = parent
            continue
        last[key] = len(tree.nodes)
        if parent >= 0:
            tree.children[parent].append(len(tree.nodes))
        tree.nodes.append(node)
        tree.parents.append(parent)
        tree.children.append([])
    return tree
