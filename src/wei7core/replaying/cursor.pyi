from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, final

from typing_extensions import Unpack, disjoint_base

from .._util.mapped_lines import MappedLines
from ..board.board import Board
from ..limits import Limits
from ..record.document import Branch, Document, Mark, Number, Point, Step
from .picture import NodePictureOptions

__all__ = [
    "BoardCursor",
    "Claim",
    "Cursor",
    "EditLog",
    "GrowingLine",
    "Node",
    "NodeSource",
    "NumberedAction",
    "Place",
    "node_at",
    "parse_path",
    "removed_points",
    "walk_branches",
    "walk_line",
]

Claim = Literal["victory", "resignation", "score", "draw", "statement"]

def parse_path(path: str | Iterable[int]) -> tuple[int, ...]:
    """Return the ordinals of a path given as ordinals or as text: `0.1`; `-` or nothing is the root.

    Raises `ValueError` where the text is no path.
    """

@final
class Place:
    """A branch and the way to it. The chain of parents keeps a path of any depth in constant space per branch."""
    @property
    def branch(self) -> Branch: ...
    @property
    def parent(self) -> Place | None: ...
    @property
    def ordinal(self) -> int: ...
    def __init__(self, branch: Branch, parent: Place | None = None, ordinal: int = 0) -> None: ...
    def chain(self) -> list[Place]:
        """The places from the root to this one."""
    @property
    def path(self) -> tuple[int, ...]:
        """The ordinals that lead from the root to this branch."""
    @property
    def has_start(self) -> bool:
        """Whether the start of the branch is a node of its own among the children of the node before it.

        It is one at the root, where the branch has a `pre` and where it has no steps. Any other start is the same
        position as the node before it, and the first step is the child.
        """
    def below(self) -> list[Place]:
        """The places of the branches of this one."""

@final
class EditLog:
    """How often a game was edited through its nodes, and what has to be undone if an open edit fails.

    Attributes: `count`, which a cursor compares with its own; while `Game.edit` is open, `undo`, a list of functions
    without arguments, and `keep`, which takes a step or branch that a caller gets hold of; else both are None.
    """

    count: int
    undo: Any
    keep: Any

@disjoint_base
class NodeSource:
    """What nodes are made from: a document, its game, the class of the nodes, and a board where there is one."""
    def __init__(
        self,
        document: Document,
        limits: Limits,
        kind: type[Node] = ...,
        game: Any = None,
        log: EditLog | None = None,
    ) -> None: ...
    @property
    def document(self) -> Document: ...
    @property
    def board(self) -> Board: ...
    @property
    def game(self) -> Any: ...
    @property
    def kind(self) -> type[Node]: ...

@disjoint_base
class Node:
    """One place of a walk: the start of a branch, or the position after one of its steps.

    Every branch has a start node, which represents its `pre`. Attributes:
    `game` (None in a walk of a bare document), `place`, `step_index` (-1 at the start), `move_number` (moves in
    force, passes included), `removed` (stones that this move took off the board),
    `effective_time` (seconds since the start of the game at which the step is
    carried out: the largest time so far on the path, because a step whose time
    is smaller follows at once, clause 3.15.3.1; None before the first time),
    `is_answer` (whether this step belongs to the answer of a problem, clause
    3.15.2.2).
    """
    def __init__(self) -> None: ...
    @property
    def source(self) -> NodeSource: ...
    @property
    def game(self) -> Any:
        """The game that the node belongs to; None in a walk of a bare document."""
    @property
    def place(self) -> Place:
        """The branch of this node with the way to it."""
    @property
    def step(self) -> Step | None:
        """The step of this node; None at the start of a branch."""
    @property
    def step_index(self) -> int: ...
    @property
    def move_number(self) -> int: ...
    @property
    def removed(self) -> int:
        """The number of stones that the move of this node took off the board."""
    @property
    def effective_time(self) -> Number | None:
        """Seconds since the start of the game at which the step is carried out; None before the first time."""
    @property
    def is_answer(self) -> bool:
        """Whether this step belongs to the answer of a problem (clause 3.15.2.2)."""
    @property
    def is_current(self) -> bool:
        """Whether the game was not edited through its nodes since the node was made."""
    @property
    def branch(self) -> Branch:
        """The branch that contains this node."""
    @property
    def path(self) -> tuple[int, ...]:
        """The ordinals that lead from the root to the branch; made anew on each access."""
    @property
    def board(self) -> Board:
        """The position here with the moves in force, a board of your own that stays as it is.

        Costs one copy while the walk is at this position; later the path is
        replayed from the root as the document is then. Further accesses give
        the same board.
        """
    @property
    def comment(self) -> str | None:
        """The comment of the step, at the start of a branch that of its `pre`; None removes it."""
    @comment.setter
    def comment(self, value: str | None) -> None: ...
    @property
    def marks(self) -> list[Mark]:
        """The marks shown on this position; a mark shown live is the action of its step instead."""
    @property
    def time(self) -> Number | None:
        """The time of the step as written, in seconds since the start of the game."""
    @property
    def move(self) -> tuple[int, Point | None] | None:
        """Colour and point of the move made here (point None: a pass), or None."""
    @property
    def is_pause_point(self) -> bool:
        """Whether a replay should pause here: after every move, passes included, and at a `pre` (clause 3.15.5).

        So it should after an `Edit`, but not at a `Note`.

        A record ordered by its times (`Game.timeline`) is better replayed by the clock.
        """
    @property
    def problem(self) -> int | None:
        """The colour to play where this position is the question of a problem, else None."""
    @property
    def claim(self) -> Claim | None:
        """What a result step says (clause 3.15.3.2.3); None for any other node.

        `draw`: there is no winner; `score`: somebody wins by so many points;
        without a margin `victory` where the actor plays the winner's side,
        `resignation` where the other, `statement` where the side is not known
        (`Info.side`).
        """
    @property
    def confirms_result(self) -> bool:
        """Whether this step and the one before it claim the same score, or a draw, and have different actors.

        Then the result counts as confirmed (clause 3.15.3.2.3.3).
        """
    def svg(self, **options: Unpack[NodePictureOptions]) -> str:
        """Return a picture of the position as SVG, with the marks and shapes that the record has here.

        The options are those of `wei7core.replaying.picture.NodePictureOptions`: those of `Board.svg`, and
        `variations`. Raises what `Board.svg` raises.
        """
    def _repr_svg_(self) -> str | None: ...

@final
class Cursor(NodeSource):
    """One board that moves up and down the tree of a document."""
    def enter(self, place: Place) -> bool:
        """Go into a branch and set up its `pre`; returns whether its steps can be played."""
    def apply(self, step: Step) -> bool:
        """Carry out a step; returns False, and changes nothing, where that is impossible."""
    def leave(self) -> None:
        """Go back to where the last `enter` came from."""

@disjoint_base
class BoardCursor(NodeSource):
    """A place in a document with the position there, which moves forward and back at the cost of a step.

    Attributes: `board`, the position itself, which the cursor changes as it moves; `place`, `step_index` and
    `move_number` as those of a node. A step that cannot be played ends its branch, as in every walk. The cursor takes
    back what it did, so that steps before it may not be changed; `log` counts the edits it has to know of.
    """
    def __init__(
        self,
        document: Document,
        limits: Limits,
        kind: type[Node] = ...,
        game: Any = None,
        log: EditLog | None = None,
    ) -> None: ...
    @property
    def place(self) -> Place: ...
    @property
    def step_index(self) -> int: ...
    @property
    def move_number(self) -> int: ...
    @property
    def node(self) -> Any:
        """The node where the cursor is."""
    @property
    def ahead(self) -> Any:
        """The next step of the branch; None at its end, and False where its steps cannot be played."""
    @property
    def taken(self) -> list[Step]: ...
    def restart(self) -> None:
        """Go to the root of the document as it is now, on a new board."""
    def follow(self) -> None:
        """Come to terms with edits of the game; a subclass knows where its place is then."""
    def next(self) -> Any:
        """Go on to the first child and return its node; None, and nothing changes, where none can be played."""
    def previous(self) -> Any:
        """Go back to the parent and return its node; None at the root."""
    def forward(self, n: int = 1) -> Any:
        """Go on by n nodes, always to the first child, or as far as there are some; return the node reached."""
    def back(self, n: int = 1) -> Any:
        """Go back by n nodes, or to the root; return the node reached."""
    def descend(self, place: Place) -> bool:
        """Go from the end of a branch to the first node of one below; False, and nothing changes, if it cannot."""
    def enter(self, place: Place) -> bool:
        """Go from the end of a branch to the start of one below; returns whether its steps can be played."""
    def leave(self) -> None:
        """Go back from anywhere in a branch below the root to the node before it."""
    def step(self) -> bool:
        """Carry out the next step of the branch; False, and nothing changes, where that is impossible."""
    def step_back(self) -> None:
        """Undo the step of this node; the caller knows that there is one."""

def node_at(source: NodeSource, place: Place, step_index: int, move_number: int) -> Any:
    """Return the node after step `step_index` of a branch (-1: its start), of the kind and game of `source`.

    Its board is replayed when it is asked for. `move_number` is that of the node.
    """

def removed_points(board: Board) -> tuple[Point, ...]:
    """Return the points that the last move in force took off the board, in reading order; () where there is none."""

def walk_branches(
    document: Document,
    limits: Limits,
    *,
    first_only: bool,
    ends_only: bool,
    kind: type[Node] = ...,
    game: Any = None,
    log: EditLog | None = None,
) -> Iterator[Any]:
    """Yield the nodes of the tree, each branch before those below it.

    Raises `ValueError` at a branch that contains itself.

    `first_only` enters the first branch only at each fork; `ends_only`
    yields of each line the last node alone. Raises `LimitError` (`limit-replay`)
    after `limits.max_moves` board operations, and `BoardSizeError` at once for
    a board larger than `limits.max_points`.
    """

def walk_line(
    document: Document,
    limits: Limits,
    path: tuple[int, ...],
    *,
    kind: type[Node] = ...,
    game: Any = None,
    log: EditLog | None = None,
) -> Iterator[Any]:
    """Yield the nodes from the root through the steps of the branch at `path`, as `walk_branches` does."""

@disjoint_base
class NumberedAction:
    """An action with its place in a line: `number`, from 0; `action`; `actor` and `time`, or None."""
    @property
    def number(self) -> int: ...
    @property
    def action(self) -> Any: ...
    @property
    def actor(self) -> int | None: ...
    @property
    def time(self) -> Number | None: ...
    def __init__(self, number: int, action: Any, actor: int | None = None, time: Number | None = None) -> None: ...
    def __reduce__(self) -> tuple[type[NumberedAction], tuple[int, Any, int | None, Number | None]]: ...

@disjoint_base
class GrowingLine:
    """The actions so far, and the board after them; whatever is no plain move is for the owner of the line to judge.

    Attributes: `board`; `actions`; `actors`, how many there can be; `sides`, the color of each actor that has one
    alone; `time`, the latest so far; `most_time`; `judges_all`: moves too are for the owner; `write`, called with the
    text of each move before it counts, unless `lines` has room for it, or None; `kind`, a subclass of `NumberedAction`;
    `pieces`, the text before and after the numbers of a move: before its number and after it, before and after its
    time, before its color, of a pass, before x and y, after y, before its actor, and at the end.
    """

    board: Board
    actions: list[Any]
    actors: int
    sides: dict[int, int]
    time: Number
    most_time: int
    judges_all: bool
    lines: MappedLines | None
    write: Callable[[bytes], object] | None
    kind: type[NumberedAction]
    @property
    def pieces(self) -> tuple[bytes, ...]:
        """The pieces of text."""
    @pieces.setter
    def pieces(self, pieces: tuple[bytes, ...]) -> None: ...
    def add_move(self, action: Any, actor: int | None, time: Number | None) -> Any:
        """Play a move and return it with its number, or None, and nothing changes, where it is not plain and legal.

        Plain is a `Move` without more than a color and a point, by an actor and at a time that there can be.
        Raises what `write` raises; then nothing has changed.
        """
