"""`Node`: one place of the tree of a game, with its relatives.

A node has no link to other nodes. It has its branch, its path and its step, and finds its relatives in the lists of the
document on demand; after edits it searches for its step again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ..formats.sgf.text_values import simple_text
from ..record.document import Branch, Move, Point, Properties, Setup, Step, Takeback
from ..replaying.cursor import EditLog, NodeSource, Place, node_at, parse_path, removed_points
from ..replaying.cursor import Node as NodeOfWalk
from .moves import AnyColor, AnyMove, AnyPoint, move_text

if TYPE_CHECKING:
    from ..formats.sgf.facts import SgfFacts
    from .analysis import Analysis
    from .game import Game

_BLACK: Final = 1
_WHITE: Final = 2
_COLORS: Final = {"B": _BLACK, "BLACK": _BLACK, "1": _BLACK, "W": _WHITE, "WHITE": _WHITE, "2": _WHITE}


class Node(NodeOfWalk):
    """One place of a game: its root, or the position after a step.

    `Game.root`, `Game.walk()`, `Game.cursor().node` and other nodes return nodes. They are equal if they are the same
    place of the same game, and can be keys of dicts.

    A branch with a `pre`, and one without steps, has a node for its start. Walks also give one for the start of any
    other branch; that is the position at the end of the parent branch, equal to the node there, and its children are
    those of its branch alone.

    Attributes of the place: `parent` or `previous`, `children`, `next`, `siblings`, `depth`, `path`, `step_index`,
    `is_main_line`. Of the step: `step`, `move`, `comment`, `title`, `marks`, `properties`, `facts`, `time`. Of the
    position: `board`, `to_play`, `ko`, `captured`, `removed`, `move_number`. `board` and attributes derived from it
    cost a replay from the root, except while a walk or a cursor is at the node; the others are cheap.

    Thread safety: one thread at a time for a game with all its nodes.
    """

    __slots__ = ()

    def __new__(cls) -> Node:
        """Raise `TypeError`: only games make nodes."""
        raise TypeError("Node cannot be instantiated directly; use Game.walk()")

    # --- places ---------------------------------------------------------------------------------------

    @property
    def parent(self) -> Node | None:
        """The node before this one; None only at the root."""
        node = located(self)
        place, index = node.place, node.step_index
        if index < 0:
            if place.parent is None:
                return None
            return _end_of(node, place.parent) if place.has_start else _end_of(node, place.parent).parent
        number = self.move_number - moves_of_step(node.step)
        if index or place.has_start:
            return node_of(node, place, index - 1, number)
        return _end_of(node, place.parent, number)

    @property
    def previous(self) -> Node | None:
        """The same as `parent`."""
        return self.parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The next nodes, in the order of the record; the first is the continuation."""
        node = located(self)
        place, index = node.place, node.step_index + 1
        steps = place.branch.steps
        number = self.move_number
        if index < len(steps):
            return (node_of(node, place, index, number + moves_of_step(steps[index])),)
        return tuple(_first_of(node, below, number) for below in place.below())

    @property
    def next(self) -> Node | None:
        """The first child; None at the end of a line."""
        node = located(self)
        place, index = node.place, node.step_index + 1
        branch = place.branch
        if index < len(branch.steps):
            return node_of(node, place, index, self.move_number + moves_of_step(branch.steps[index]))
        if not branch.branches:
            return None
        return _first_of(node, Place(branch.branches[0], place, 0), self.move_number)

    @property
    def siblings(self) -> tuple[Node, ...]:
        """The other children of the parent, in the order of the record; () at the root."""
        parent = self.parent
        return () if parent is None else tuple(node for node in parent.children if node != self)

    @property
    def depth(self) -> int:
        """The number of nodes before this one on its line: 0 at the root."""
        node = located(self)
        above, depth = node.place, node.step_index + 1
        while above.parent is not None:
            depth += above.has_start
            above = above.parent
            depth += len(above.branch.steps)
        return depth

    @property
    def path(self) -> tuple[int, ...]:
        """The ordinals of the branches from the root to that of this node."""
        place = located(self).place
        if place.is_linked(self.source.document.tree):
            return place.path
        return _found_again(self).place.path

    @property
    def is_main_line(self) -> bool:
        """Whether the node is on the game as played: the first branch at every fork (clause 3.15.4)."""
        return not any(self.path)

    @property
    def line(self) -> Iterator[Node]:
        """The nodes from the root to this one, this one included."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return reversed(nodes)

    # --- content of the record ------------------------------------------------------------------------

    @property
    def properties(self) -> Properties:
        """The properties of an SGF node except its moves and setup, as `Step.properties`; of the root,
        `Game.properties`.

        Changes are written in formats that support them, else they are losses. The start of another branch has an empty
        read-only mapping.
        """
        node = located(self)
        if node.step is not None:
            return node.step.properties
        properties: Properties = node.game.properties if node.place.parent is None else _NOTHING
        return properties

    @property
    def facts(self) -> SgfFacts:
        """The properties of this node as typed values: dates, clocks, verdicts, territory and so on."""
        from ..formats.sgf.facts import sgf_facts

        return sgf_facts(self.properties, self.game.size)

    @property
    def title(self) -> str | None:
        """The title of the step, N of SGF, or the title of the branch that begins here."""
        node = located(self)
        step, place = node.step, node.place
        if step is not None and step.title is not None:
            return step.title
        names = self.properties.get("N", ())
        if names:
            return simple_text(names[0])
        begins = node.step_index < 0 or (node.step_index == 0 and not place.has_start)
        title: str | None = place.branch.title
        return title if begins else None

    @property
    def analysis(self) -> Analysis | None:
        """The evaluation of the position by an engine (`wei7core.analysis.Analysis`), or None.

        It is stored in `properties`: V of SGF, SBKV of Sabaki and a private ANALYSIS. SGF keeps these; in other formats
        they are losses. Without them, LZ of Lizzie and comments of KataGo's games and of Pachi are read. Setting it
        raises `ValueError` at the start of a branch that is not the root, and `TypeError` for another type; None
        removes it.
        """
        from .analysis import analysis_at

        return analysis_at(self)

    @analysis.setter
    def analysis(self, value: Analysis | None) -> None:
        from .analysis import set_analysis

        set_analysis(self, value)

    # --- the position ---------------------------------------------------------------------------------

    @property
    def to_play(self) -> int:
        """The colour to play, by the record.

        PL of this node and the colour of its problem decide; else it is the opponent of the last move in force, or
        after a takeback the colour of the first withdrawn move. Before the first move White plays with a handicap
        (`Game.handicap`), and Black without one.
        """
        node = located(self)
        withdrawn = 0
        for owner, properties in _back_from(node):
            if withdrawn == 0:
                stated = _stated_to_play(owner, properties)
                if stated:
                    return stated
            action = owner.action if isinstance(owner, Step) else None
            if isinstance(action, Takeback):
                withdrawn += action.count
            elif isinstance(action, Move):
                if withdrawn == 0:
                    return 3 - action.color
                withdrawn -= 1
        return _WHITE if node.game.handicap > 1 else _BLACK

    @property
    def ko(self) -> Point | None:
        """The point where the colour to play may not retake a ko at once (see `wei7core.rules.Ko.SIMPLE`), or None."""
        return self.board.position(self.to_play, ko=True).ko

    @property
    def captured(self) -> tuple[Point, ...]:
        """The points captured by the move of this node, in reading order; () if it is no move."""
        node = located(self)
        if node.step is None or not isinstance(node.step.action, Move) or not self.removed:
            return ()
        return removed_points(self.board)

    # --- edits ----------------------------------------------------------------------------------------

    def play(self, point: AnyPoint, color: AnyColor | None = None, *, system: str = "gtp") -> Node:
        """Return the child with that move, added as the last variation if missing.

        `point` is (x, y), text such as "D4", or None or "pass" for a pass; `color` None is the colour to play. Text is
        in the `system` "gtp", "sgf" or "xy" (`wei7core.coordinates`). Raises `IllegalMoveError` if the point is
        occupied, `OffBoardError` off the board, `ValueError` for another text or colour; nothing is changed then. It
        costs a replay from the root; `Cursor.play` does not.
        """
        from .edit import play

        return play(self, point, color, system=system)

    def add_variation(self, moves: Iterable[AnyMove] | str, *, system: str = "gtp") -> Node:
        """Add moves as a new last variation, and return its first node.

        `moves` are points for alternating colours from the one to play, or (colour, point) pairs, or text such as "D4
        Q16 pass"; `system` is that of `play`. Raises as `play` does, for an unplayable move, and `ValueError` without
        moves; nothing is changed then.
        """
        from .edit import add_variation

        return add_variation(self, moves, system)

    def promote(self, *, to_main: bool = False) -> None:
        """Move the variation of this node up by one place at the nearest fork at which it is not the first.

        With `to_main` it becomes the first at every fork, and the node is on the main line.
        """
        from .edit import promote

        promote(self, to_main=to_main)

    def demote(self) -> None:
        """Move the variation of this node down by one place at the nearest fork before it."""
        from .edit import demote

        demote(self)

    def delete(self) -> None:
        """Remove the node with its descendants. Raises `ValueError` for the root."""
        from .edit import delete

        delete(self)

    def truncate(self) -> None:
        """Remove the descendants of the node."""
        from .edit import truncate

        truncate(self)

    # --- the data model -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self.game is other.game and _key(self) is _key(other)

    def __hash__(self) -> int:
        return hash(id(_key(self)))

    def __reduce__(self) -> Any:
        raise TypeError("Node cannot be pickled; pickle the game, and the path and step_index of the node")

    def __repr__(self) -> str:
        where = "start" if self.step is None else f"step {self.step_index}"
        move = self.move
        move_part = "" if move is None else f", {move_text(*move, self.game.size[1])}"
        return f"<Node: {where} of {self.branch!r}, move {self.move_number}{move_part}>"


_NOTHING: Final[Any] = MappingProxyType({})


def root_of(game: Game, log: EditLog) -> Node:
    """Return the root node of a game with that log of edits."""
    document = game.document
    source = NodeSource(document, game.limits, Node, game, log)
    root: Node = node_at(source, Place(document.tree), -1, 0)
    return root


def main_line_of(tree: Branch) -> Iterator[tuple[Place, list[Step]]]:
    """Yield each branch of the main line, with its steps."""
    place = Place(tree)
    yield place, list(tree.steps)
    while place.branch.branches:
        place = Place(place.branch.branches[0], place)
        yield place, list(place.branch.steps)


def place_at(tree: Branch, path: str | Iterable[int]) -> Place:
    """Return the branch at a path below the root of a game.

    Raises `IndexError` if there is none and `ValueError` if the text is no path.
    """
    place = Place(tree)
    for ordinal in parse_path(path):
        branches = place.branch.branches
        if not 0 <= ordinal < len(branches):
            name = ".".join(map(str, place.path)) or "-"
            count = f"{len(branches)} branch{'es' * (len(branches) != 1)}"
            raise IndexError(f"branch {name} has {count}, none with number {ordinal}")
        place = Place(branches[ordinal], place, ordinal)
    return place


def located(node: Node) -> Node:
    """Return the node in the current document: the same one, or one with the current branch of its step.

    Raises `ValueError` if the step is no longer in the record.
    """
    index, step = node.step_index, node.step
    place = node.place
    steps = place.branch.steps
    is_there = (step is None or (index < len(steps) and steps[index] is step)) and _is_linked(node, place)
    # After an edit, an ancestor branch may be missing.
    if is_there and (node.is_current or place.is_linked(node.source.document.tree)):
        return node
    return _found_again(node)


def located_in(game: Game, node: Node) -> Node:
    """Return `located` of a node of `game`. Raises as that does, and `TypeError`."""
    if not isinstance(node, Node):
        raise TypeError(f"expected a Node of the game, got {node!r}")
    if node.game is not game:
        raise ValueError("the node belongs to another game")
    return located(node)


def _is_linked(node: Node, place: Place) -> bool:
    """Whether the branch is still at the end of its path; only the last branch of the path is checked."""
    if place.parent is None:
        return place.branch is node.source.document.tree
    branches, ordinal = place.parent.branch.branches, place.ordinal
    return ordinal < len(branches) and branches[ordinal] is place.branch


def linked_part(game: Game, place: Place) -> Place:
    """Return the path of `place` from the root, with current ordinals, as far as it still exists."""
    way = Place(game.document.tree)
    for below in place.chain()[1:]:
        branches = way.branch.branches
        ordinal = below.ordinal
        if not (ordinal < len(branches) and branches[ordinal] is below.branch):
            ordinal = next((k for k, branch in enumerate(branches) if branch is below.branch), -1)
        if ordinal < 0:
            break
        way = Place(below.branch, way, ordinal)
    return way


def _found_again(node: Node) -> Node:
    """The current node of its step, or of the branch that it starts, near its old place if possible."""
    step, wanted = node.step, node.place.branch
    for start in (linked_part(node.game, node.place), Place(node.game.document.tree)):
        waiting = [start]
        while waiting:
            place = waiting.pop()
            if step is None:
                if place.branch is wanted:
                    return node_of(node, place, -1, node.move_number)
            else:
                for index, other in enumerate(place.branch.steps):
                    if other is step:
                        return node_of(node, place, index, node.move_number)
            waiting.extend(reversed(place.below()))
    raise ValueError("the node is no longer in the record")


def _key(node: Node) -> Step | Branch:
    """The identity of a node: the step, or the branch that it starts."""
    if node.step is not None:
        return node.step
    place: Place = node.place
    if place.has_start:
        return place.branch
    assert place.parent is not None
    above = place.parent.branch
    return above.steps[-1] if above.steps else above


def node_of(node: Node, place: Place, index: int, number: int | None = None) -> Node:
    """Return another node of the same game; `number` None: it is made by one step after `node`."""
    if number is None:
        number = node.move_number + moves_of_step(place.branch.steps[index])
    made: Node = node_at(node.source, place, index, number)
    return made


def _first_of(node: Node, place: Place, number: int) -> Node:
    """The first node of a branch that begins after move `number`."""
    if place.has_start:
        return node_of(node, place, -1, number)
    return node_of(node, place, 0, number + moves_of_step(place.branch.steps[0]))


def _end_of(node: Node, place: Place | None, number: int | None = None) -> Node:
    """The last node of the parent branch."""
    assert place is not None
    return node_of(node, place, len(place.branch.steps) - 1, node.move_number if number is None else number)


def moves_of_step(step: Step | None) -> int:
    """The change of the number of moves in force by a step."""
    action = None if step is None else step.action
    if isinstance(action, Move):
        return 1
    return -action.count if isinstance(action, Takeback) else 0


def _back_from(node: Node) -> Iterator[tuple[Step | Setup | None, Properties]]:
    """Yield the steps and setups from a node back to the root with their properties, the last one first."""
    place: Place | None = node.place
    index = node.step_index
    while place is not None:
        branch = place.branch
        for k in range(index, -1, -1):
            yield branch.steps[k], branch.steps[k].properties
        yield branch.pre, node.game.properties if place.parent is None else {}
        place = place.parent
        index = -1 if place is None else len(place.branch.steps) - 1


def _stated_to_play(owner: Step | Setup | None, properties: Properties) -> int:
    """The stated colour to play at a node, 0 for none."""
    asked = owner.problem if isinstance(owner, Setup) else None
    if isinstance(owner, Step) and isinstance(owner.action, Move):
        asked = owner.action.problem
    if asked in (_BLACK, _WHITE):
        return asked
    values = properties.get("PL", ())
    return _COLORS.get(values[0].strip().upper(), 0) if values else 0
