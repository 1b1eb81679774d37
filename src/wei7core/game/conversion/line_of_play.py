"""Conversion of actions with takebacks to a tree of nodes, as in SGF.

Every other action is a node. A takeback returns to an earlier node, where the following steps become a new variation,
so that the withdrawn moves stay in the tree. The time is proportional to the moves made and taken back.
"""

from __future__ import annotations

from ...record.document import Branch, Edit, Mark, Move, Point, Step


class GameNode:
    """A node: its step, whose comment is made at the end out of `texts`.

    `begins`: a branch of the source starts here, so that one of the result does.
    """

    __slots__ = ("_children", "_last_move", "_marked", "begins", "first", "parent", "step", "texts", "title")

    def __init__(self, step: Step, parent: GameNode | None = None) -> None:
        self.step = step
        self.parent = parent
        self.begins = False
        self.title: str | None = None
        self.texts: list[str] = []
        self.first: GameNode | None = None  # the first child
        self._children: list[GameNode] = []
        self._marked: dict[tuple[Point, bool], Mark] | None = None
        # The nearest move in force, for takebacks.
        if isinstance(step.action, Move):
            self._last_move: GameNode | None = self
        elif parent is None or isinstance(step.action, Edit):
            self._last_move = None
        else:
            self._last_move = parent._last_move
        if parent is not None:
            parent._children.append(self)

    def taken_back(self, count: int) -> tuple[GameNode, list[GameNode]] | None:
        """Return the node before the last `count` moves and these moves, last first; None if there are fewer.

        Moves before stones were set up cannot be taken back. `count` is at least 1, or there are none.
        """
        if count < 1:
            return None
        node: GameNode | None = self
        moves: list[GameNode] = []
        while len(moves) < count:
            move = None if node is None else node._last_move
            if move is None:
                return None
            moves.append(move)
            node = move.parent
        return (node, moves) if node is not None else None

    def give_way_to(self, other: GameNode) -> None:
        """Remove the node, a last child without children, from the tree; a new node gets its texts."""
        assert self.parent is not None
        assert self.parent._children[-1] is self
        assert not self._children
        self.parent._children.pop()
        other.texts = self.texts
        other.begins, other.title = other.begins or self.begins, other.title or self.title

    def put(self, mark: Mark) -> bool:
        """Add a mark; returns False if the point already has another one of its kind. An equal one is ignored."""
        if self._marked is None:
            self._marked = {}
        there = self._marked.setdefault((mark.point, mark.shape is not None), mark)
        if there is mark:
            self.step.marks.append(mark)
        return (there.symbol, there.shape) == (mark.symbol, mark.shape)

    def ordered(self) -> list[GameNode]:
        """The children: the preferred one first, the others as they were made."""
        if self.first is None or self._children[0] is self.first:
            return self._children
        return [self.first, *(child for child in self._children if child is not self.first)]


def keep_first(end: GameNode) -> None:
    """Make the line to `end` the first one at every fork without a first one."""
    node = end
    while node.parent is not None and node.parent.first is None:
        node.parent.first = node
        node = node.parent


def arranged(root: GameNode) -> Branch:
    """Return the nodes below `root` as branches; a branch ends at a fork, or where another one begins."""
    tree = Branch(root.title)
    waiting = [(root, tree)]
    while waiting:
        node, branch = waiting.pop()
        while True:
            _join_comments(node)
            if node is not root:
                branch.steps.append(node.step)
            children = node.ordered()
            if len(children) != 1 or children[0].begins:
                break
            node = children[0]
        for child in children:
            below = Branch(child.title)
            branch.branches.append(below)
            waiting.append((child, below))
    return tree


def _join_comments(node: GameNode) -> None:
    if node.texts:
        node.step.comment = "\n".join(filter(None, node.texts))
