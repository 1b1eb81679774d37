"""`Cursor`: a place in a game with its position, which moves from node to node at the cost of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, SupportsIndex

from .._util.numbers import integer
from ..replaying.cursor import BoardCursor, Place
from .edit import play
from .moves import AnyColor, AnyPoint
from .nodes import Node, located_in, moves_of_step, place_at

if TYPE_CHECKING:
    from .game import Game


class Cursor(BoardCursor):
    """One place of a game with the position there: `game.cursor()`.

    `next`, `previous`, `forward(n)` and `back(n)` move along the line, `goto` anywhere, `play` adds moves. Each returns
    the new `Node` of the cursor, or None if it could not move. Attributes: `node`; `board`, the position, which changes
    with the cursor (copy it to keep it); `move_number`; `place` and `step_index` of the node.

    A step that cannot be played ends its branch, as in every walk. Edits by nodes, cursors and the game are followed:
    the cursor stays at its node, or moves to the last one before it that remains. Direct changes of the document's
    lists before the cursor take effect after `restart()`.

    Raises `BoardSizeError` for a size that is unknown or beyond `limits.max_points` of the game. Thread safety: one
    thread at a time for a game with all its cursors.
    """

    __slots__ = ()

    game: Game
    node: Node

    def __init__(self, game: Game) -> None:
        from .game import Game

        if not isinstance(game, Game):
            raise TypeError(f"expected a Game, got {game!r}")
        super().__init__(game.document, game.limits, Node, game, game.root.source.log)

    def goto(self, where: Node | SupportsIndex | str | Iterable[int], step_index: int | None = None) -> Node:
        """Move to a node, to a move of this line, or to a branch, and return the node there.

        A number is that of a move: the first node with that many moves in force on the line from the root through this
        node, continued along first children. A path, ordinals like (0, 1) or text like "0.1", is that of a branch: its
        first node, or the one after step `step_index`. `-` and () are the root.

        Raises `IndexError` if there is no such place, `ValueError` for a text that is no path and if the path cannot be
        played; the cursor then does not move.
        """
        if isinstance(where, Node):
            node = located_in(self.game, where)
            return self._go(node.place, node.step_index)
        if hasattr(where, "__index__"):
            return self._go_to_move(integer("the number of a move", where))
        place = place_at(self.document.tree, where)
        if step_index is None:
            step_index = -1 if place.has_start else 0
        count = len(place.branch.steps)
        if not -1 <= step_index < count:
            raise IndexError(f"the branch has {count} step{'s' * (count != 1)}, none with number {step_index}")
        return self._go(place, step_index)

    def next_variation(self) -> Node | None:
        """Move to the first node of the next variation, of the innermost branch that has one."""
        return self._to_sibling(1)

    def previous_variation(self) -> Node | None:
        """Move to the first node of the previous variation; as `next_variation`."""
        return self._to_sibling(-1)

    def next_pause(self) -> Node | None:
        """Move along first children to the next pause point (clause 3.15.5)."""
        return self._forward_to(lambda node: node.is_pause_point)

    def next_comment(self) -> Node | None:
        """Move along first children to the next node with a comment."""
        return self._forward_to(lambda node: bool(node.comment))

    def play(self, point: AnyPoint, color: AnyColor | None = None, *, system: str = "gtp") -> Node:
        """Move to the child with a move, added as the last variation if missing; return its node.

        Arguments and exceptions are those of `Node.play`; after an exception the cursor does not move.
        """
        node = play(self.node, point, color, self.board, system)
        return self._go(node.place, node.step_index)

    def __repr__(self) -> str:
        return f"<Cursor at {self.node!r}>"

    # --- paths ----------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Find the node again after edits of the game, or the last remaining one before it."""
        taken = {id(step) for step in self.taken}
        ordinals = {id(place.branch): place.ordinal for place in self.place.chain()}
        most = self.taken_count
        self.restart()
        while self.taken_count <= most:
            ahead = self.ahead
            if ahead is None:
                below = self._place_on(taken, ordinals)
                if below is None or not self.enter(below):
                    return
            elif not ahead or id(ahead) not in taken or not self.step():
                return

    def _place_on(self, taken: set[int], ordinals: dict[int, int]) -> Place | None:
        """The child branch on the path through these steps and branches; `ordinals` by the `id` of a branch."""
        branches = self.place.branch.branches
        likely = [ordinal for ordinal in ordinals.values() if ordinal < len(branches)]
        for ordinal in (*likely, *range(len(branches))):
            branch = branches[ordinal]
            if id(branch) in ordinals or (branch.steps and branch.pre is None and id(branch.steps[0]) in taken):
                return Place(branch, self.place, ordinal)
        return None

    def _go_to_move(self, number: int) -> Node:
        reached = 0
        for place in self.node.place.chain():
            if reached == number:
                break
            steps = (
                place.branch.steps[: self.step_index + 1] if place.branch is self.place.branch else place.branch.steps
            )
            for index, step in enumerate(steps):
                reached += moves_of_step(step)
                if reached == number:
                    return self._go(place, index)
        if number == 0:
            return self._go(Place(self.document.tree), -1)
        most, node = reached, self.node.next
        while node is not None:
            if node.move_number == number:
                return self._go(node.place, node.step_index)
            most, node = max(most, node.move_number), node.next
        raise IndexError(f"move {number} is out of range: the line has {most} moves")

    def _to_sibling(self, by: int) -> Node | None:
        above: Place | None = self.node.place
        while above is not None and above.parent is not None:
            branches, ordinal = above.parent.branch.branches, above.ordinal + by
            if 0 <= ordinal < len(branches):
                place = Place(branches[ordinal], above.parent, ordinal)
                return self._go(place, -1 if place.has_start else 0)
            above = above.parent
        return None

    def _forward_to(self, wanted: Callable[[Node], bool]) -> Node | None:
        node = self.node.next
        while node is not None and not wanted(node):
            node = node.next
        return None if node is None else self._go(node.place, node.step_index)

    def _go(self, place: Place, index: int) -> Node:
        """Move to a node by the branches not shared with the current path."""
        before, before_index = self.place, self.step_index
        if not self._reach(place, index):
            self._reach(before, before_index)
            raise ValueError("the path to the node cannot be played")
        return self.node

    def _reach(self, place: Place, index: int) -> bool:
        wanted, here = place.chain(), self.place.chain()
        shared = 0
        while shared < min(len(wanted), len(here)) and wanted[shared].branch is here[shared].branch:
            shared += 1
        for _ in range(len(here) - shared):
            self.leave()
        for below in wanted[shared:]:
            while self.step():
                pass
            if self.ahead is not None or not self.enter(below):
                return False
        while self.step_index > index:
            self.step_back()
        while self.step_index < index:
            if not self.step():
                return False
        return True
