from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, final

from typing_extensions import Unpack, disjoint_base

from .._util.mapped_lines import MappedLines
from ..board.board import Board
from ..limits import Limits
from ..record.document import Branch, Document, Mark, Number, Point, Step
from ..rules import Rules
from .picture import NodePictureOptions

__all__ = [
    "BoardCursor",
    "Claim",
    "Cursor",
    "EditLog",
    "GameClock",
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
    """Return the ordinals of a path given as ordinals or as text: `0.1`; `-` or empty is the root.

    Raises `ValueError` if the text is no path.
    """

@final
class Place:
    """A branch and its path. The chain of parents stores a path of any depth in constant space per branch."""
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
    def is_linked(self, tree: Branch) -> bool:
        """Whether the ordinals still lead from `tree` through these branches to this one."""
    @property
    def has_start(self) -> bool:
        """Whether the start of the branch is a node of its own among the children of the node before it.

        It is one at the root, in a branch with a `pre` and in a branch without steps. Any other start is the same
        position as the node before it, and the first step is the child.
        """
    def below(self) -> list[Place]:
        """The places of the branches of this one."""

@final
class EditLog:
    """The edit log of a game: the number of edits through its nodes, and the undo list of an open edit.

    Attributes: `count`, which a cursor compares with its own; while `Game.edit` is open, `undo`, a list of functions
    without arguments, and `keep`, which receives each step or branch returned to a caller; else both are None.
    """

    count: int
    undo: Any
    keep: Any

@disjoint_base
class NodeSource:
    """The source of nodes: a document, its game, the class of the nodes, and an optional board."""
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

    Every branch has a start node, which represents its `pre`. Attributes: `game` (None in a walk of a bare document),
    `place`, `step_index` (-1 at the start), `move_number` (moves in force, passes included), `removed` (stones captured
    by this move), `effective_time` (seconds since the start of the game at which the step is carried out: the largest
    time so far on the path, because a step with a smaller time follows immediately, clause 3.15.3.1; None before the
    first time), `is_answer` (whether this step belongs to the answer of a problem, clause 3.15.2.2).
    """
    def __init__(self) -> None: ...
    @property
    def source(self) -> NodeSource: ...
    @property
    def game(self) -> Any:
        """The game that the node belongs to; None in a walk of a bare document."""
    @property
    def place(self) -> Place:
        """The branch of this node with its path."""
    @property
    def step(self) -> Step | None:
        """The step of this node; None at the start of a branch."""
    @property
    def step_index(self) -> int: ...
    @property
    def move_number(self) -> int: ...
    @property
    def removed(self) -> int:
        """The number of stones captured by the move of this node."""
    @property
    def effective_time(self) -> Number | None:
        """Seconds since the start of the game at which the step is carried out; None before the first time."""
    @property
    def is_answer(self) -> bool:
        """Whether this step belongs to the answer of a problem (clause 3.15.2.2)."""
    @property
    def is_current(self) -> bool:
        """Whether the game is unedited since the node was made."""
    @property
    def branch(self) -> Branch:
        """The branch that contains this node."""
    @property
    def path(self) -> tuple[int, ...]:
        """The ordinals from the root to the branch; computed on each access."""
    @property
    def board(self) -> Board:
        """The position of the node with the moves in force, as an independent board.

        Costs one copy while the walk is at this position; later the path is replayed from the root of the current
        document. Further accesses return the same board.
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
        """Colour and point of the move of this node (point None: a pass), or None."""
    @property
    def is_pause_point(self) -> bool:
        """Whether a replay should pause here: after every move, passes included, and at a `pre` (clause 3.15.5).

        It should also pause after an `Edit`, but not at a `Note`.

        A record ordered by its times (`Game.timeline`) is better replayed by the clock.
        """
    @property
    def problem(self) -> int | None:
        """The colour to play if this position is the question of a problem, else None."""
    @property
    def claim(self) -> Claim | None:
        """The meaning of a result step (clause 3.15.3.2.3); None for any other node.

        `draw`: no winner; `score`: a win by points; without a margin `victory` if the actor plays the winner's side,
        `resignation` for the other side, `statement` for an unknown side (`Info.side`).
        """
    @property
    def confirms_result(self) -> bool:
        """Whether this step and the one before it claim the same score, or a draw, and have different actors.

        Then the result counts as confirmed (clause 3.15.3.2.3.3).
        """
    def svg(self, **options: Unpack[NodePictureOptions]) -> str:
        """Return a picture of the position as SVG, with the marks and shapes of the record.

        The options are those of `wei7core.replaying.picture.NodePictureOptions`: those of `Board.svg`, and
        `variations`. Raises as `Board.svg` does.
        """
    def _repr_svg_(self) -> str | None: ...

@final
class Cursor(NodeSource):
    """A board that follows a walk through the tree of a document."""
    def enter(self, place: Place) -> bool:
        """Enter a branch and set up its `pre`; returns whether its steps can be played."""
    def apply(self, step: Step) -> bool:
        """Carry out a step; returns False, without any change, if impossible."""
    def leave(self) -> None:
        """Return to the place before the last `enter`."""

@disjoint_base
class BoardCursor:
    """A place in a document with the position there, which moves forward and back at the cost of a step.

    Attributes: `board`, the position, which the cursor changes as it moves; `place`, `step_index` and `move_number` as
    those of a node; `document` and `game`. A step that cannot be played ends its branch, as in every walk. The cursor
    undoes its own steps, so earlier steps must not be changed; `log` counts the relevant edits.
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
    def document(self) -> Document:
        """The document of the nodes."""
    @property
    def game(self) -> Any:
        """The game of the nodes."""
    @property
    def board(self) -> Board: ...
    @property
    def place(self) -> Place: ...
    @property
    def step_index(self) -> int: ...
    @property
    def move_number(self) -> int: ...
    @property
    def node(self) -> Any:
        """The node at the cursor."""
    @property
    def ahead(self) -> Any:
        """The next step of the branch; None at its end, and False if its steps cannot be played."""
    @property
    def taken(self) -> list[Step]: ...
    def restart(self) -> None:
        """Move to the root of the current document, on a new board."""
    def follow(self) -> None:
        """Follow edits of the game; a subclass finds its place after them."""
    def next(self) -> Any:
        """Move to the first child and return its node; None, without any change, if none can be played."""
    def previous(self) -> Any:
        """Move to the parent and return its node; None at the root."""
    def forward(self, n: int = 1) -> Any:
        """Move forward by up to n nodes, always to the first child; return the node reached."""
    def back(self, n: int = 1) -> Any:
        """Move back by n nodes, at most to the root; return the node reached."""
    def enter(self, place: Place) -> bool:
        """Move from the end of a branch to the start of a child branch; returns whether its steps can be played."""
    def leave(self) -> None:
        """Move from anywhere in a branch below the root to the node before the branch."""
    def step(self) -> bool:
        """Carry out the next step of the branch; False, without any change, if impossible."""
    def step_back(self) -> None:
        """Undo the step of this node, which must exist."""

def node_at(source: NodeSource, place: Place, step_index: int, move_number: int) -> Any:
    """Return the node after step `step_index` of a branch (-1: its start), of the kind and game of `source`.

    Its board is replayed on demand. `move_number` is that of the node.
    """

def removed_points(board: Board) -> tuple[Point, ...]:
    """Return the points captured by the last move in force, in reading order; () for none."""

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

    `first_only` enters only the first branch at each fork; `ends_only` yields only the last node of each line. Raises
    `LimitError` (`limit-replay`) after `limits.max_moves` board operations, and `BoardSizeError` at once for a board
    larger than `limits.max_points`.
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
class GameClock:
    """The clocks of both sides. All times are in seconds."""
    @property
    def running(self) -> int:
        """The color whose clock runs."""
    @property
    def since(self) -> float:
        """The time from which it runs."""
    def __init__(self, setting: Any, first: int) -> None: ...
    def time_of(self, color: int, time: float) -> tuple[float, float, int, int, bool]:
        """Return the time of a side at a time: main, seconds, periods, stones, and whether it is over."""
    def stop(self, color: int, time: float, is_move: bool) -> bool:
        """Stop the clock that runs, at a time, for a move of `color`, or start that of `color`, with no move made.

        Returns whether there was time.
        """
    @property
    def state(self) -> bytes:
        """The time of both sides, as bytes; it can be set to what it was."""
    @state.setter
    def state(self, state: bytes) -> None: ...

@disjoint_base
class GrowingLine:
    """The actions so far, and the board after them; whatever is no plain move is for the owner of the line to judge.

    Attributes: `board`; `actions`; `actors`, how many there can be; `sides`, the color of each actor that has one
    alone; `time`, the latest so far; `most_time`; `is_closed`: no move is added; `rules` and `clock`, which judge
    moves, or None; `write`, called with the text of each move before it counts, unless `lines` has room for it, or
    None; `kind`, a subclass of `NumberedAction`;
    `pieces`, the text before and after the numbers of a move: before its number and after it, before and after its
    time, before its color, of a pass, before x and y, after y, before its actor, and at the end.
    """

    board: Board
    actions: list[Any]
    actors: int
    sides: dict[int, int]
    time: Number
    most_time: int
    is_closed: bool
    clock: GameClock | None
    rules: Rules | None
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
