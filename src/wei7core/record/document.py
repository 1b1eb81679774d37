"""A game record as an editable tree of plain Python objects.

A `Branch` has a title, preset stones, steps and further branches. Objects have no link to their parent: a branch can be
moved, shared or pickled by itself, list operations never leave a stale link, and a place in the tree is a path of
ordinals instead. Lists are always lists; `kept_empty` has the names of empty lists that are written, and comparison
ignores it. Members that lenient reading found but the format does not define are stored as JSON text in `extra` of
their owner, by name, and written back; a pair of names is a member of the owner's `point`, `problem`, `action` or
`size` object. In wei7 2.x it is kept as XML (`formats.wei7xml.to_document`).

Independent of boards and text formats. Nothing is checked before the record is written or walked. Objects may be used
by one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args

from .property_dict import Properties, PropertyDict
from .record import Move, Step

__all__ = [
    "Action",
    "Branch",
    "Document",
    "Edit",
    "Evaluation",
    "Extra",
    "GameRules",
    "HasExtra",
    "Info",
    "Mark",
    "MarkAction",
    "Message",
    "Move",
    "Note",
    "Number",
    "Participant",
    "Player",
    "Point",
    "Properties",
    "PropertyDict",
    "Result",
    "Setup",
    "SizeForm",
    "Splitter",
    "Step",
    "Stone",
    "Takeback",
    "Unreadable",
    "inside_itself",
    "require_info",
    "require_no_cycle",
]

Point = tuple[int, int]
"""(x, y) from the upper left point, x to the right, y downwards (clause 3.6)."""

Number = int | float | Decimal
"""An exact value: int if it is whole, float if its repr is the value as written, else Decimal."""

Evaluation = Literal["bad", "good", "trick", "controversial"]
"""The evaluation of a move (clause 3.15.3.2.1.3); the last two belong to revision 2 alone."""

Splitter = Literal["medium", "large"]
"""The size of the gap between two steps (wei7 2.x)."""

SizeForm = Literal["absent", "integer", "object"]
"""The form of the board size in the text (clause 3.9); absent means 19 x 19."""

Extra = dict[str | tuple[str, str], bytes]
"""Members without an attribute in their class: name -> JSON text."""


class HasExtra(Protocol):
    """What keeps members that its format does not define."""

    extra: Extra


_NONE: Final[frozenset[str]] = frozenset()

_NAMED_LEVELS: Final = 40


def _pair(stone: Any) -> Any:
    """A stone given as (color, point)."""
    if not isinstance(stone, tuple) or len(stone) != 2:
        raise TypeError(f"a stone is a Stone or a pair (color, point), not {stone!r}")
    _refuse_text(*stone)
    return stone


def _refuse_text(color: object, point: object) -> None:
    if isinstance(color, str):
        raise TypeError(f"a color is 1 (black) or 2 (white) here, not {color!r}")
    if isinstance(point, str):
        raise TypeError(
            f"a point is (x, y) from the upper left here, not {point!r}: only a board has the size that its name needs "
            "(`coordinates.from_gtp`, `Node.play`)"
        )


def _same(one: Any, other: Any, unordered: tuple[str, ...]) -> bool:
    """Whether two objects of one dataclass are equal, ignoring the order of the lists in `unordered`."""
    if type(other) is not type(one):
        return False
    for item in fields(one):
        left, right = getattr(one, item.name), getattr(other, item.name)
        if item.name in unordered and left != right:
            left, right = sorted(left, key=repr), sorted(right, key=repr)
        if item.compare and left != right:
            return False
    return True


@dataclass(slots=True)
class Mark:
    """A symbol shown on a point: one of `a-z A-Z 0-9 @ # $ % & ?` (clause 3.12; revision 2 also `*`).

    From SGF and Giseong a label may be longer, and `shape` is `TR`, `CR`, `SQ`, `MA` or `SL`
    where the symbol only represents that shape.
    """

    point: Point
    symbol: str
    _: KW_ONLY
    shape: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Stone:
    """A preset stone (clause 3.15.2.1); `color` is 1 (black) or 2 (white), in an `Edit` also 0 (no stone)."""

    color: int
    point: Point
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Setup:
    """The `pre` of a branch: preset stones, and comment and marks before the first move (clause 3.15.2).

    `problem` is the colour to play where this position is the question of a problem; every later move of the branch is
    then part of the answer. `unchecked` allows blocks without liberties (SGF; not in wei7). `evaluation` is that of the
    position (wei7 2.x alone). Pairs (color, point) among the stones become `Stone`. Raises `TypeError` for a stone or a
    problem that is none.
    """

    stones: list[Stone] = field(default_factory=list)
    problem: int | None = None
    marks: list[Mark] = field(default_factory=list)
    comment: str | None = None
    _: KW_ONLY
    unchecked: bool = field(default=False, compare=False)
    evaluation: Evaluation | None = None
    extra: Extra = field(default_factory=dict)
    kept_empty: frozenset[str] = field(default=_NONE, compare=False)

    def __post_init__(self) -> None:
        if self.problem is not None and not isinstance(self.problem, int):
            raise TypeError(f"a problem is the color to play, 1 (black) or 2 (white), not {self.problem!r}")
        stones: list[Any] = self.stones
        if not all(isinstance(stone, Stone) for stone in stones):
            self.stones = [stone if isinstance(stone, Stone) else Stone(*_pair(stone)) for stone in stones]

    @property
    def anyhow(self) -> bool:
        """`unchecked`, by its name in release 0.1.0, which pickles contain."""
        return self.unchecked

    @anyhow.setter
    def anyhow(self, value: bool) -> None:
        self.unchecked = value

    @property
    def handicap(self) -> int:
        """The number of handicap stones: two or more, all black, in a position that is no problem; else 0."""
        colors = [stone.color for stone in self.stones] if self.problem is None else []
        return len(colors) if len(colors) > 1 and set(colors) == {1} else 0

    def __eq__(self, other: object) -> bool:
        """The order of stones and of marks carries no meaning (clauses 3.13 and 3.15.2.5)."""
        return _same(self, other, ("stones", "marks"))


@dataclass(slots=True)
class Takeback:
    """Withdraws the last `count` moves in force, passes included, also those of earlier branches (clause 3.15.3.2.2).

    Preset stones, messages, marks and results are not withdrawn and not counted.
    """

    count: int = 1


@dataclass(slots=True)
class Result:
    """How the game ended, or as an action: the actor's claim that it did so (clauses 3.8 and 3.15.3.2.3).

    `winner` is 1 or 2, None for a draw; `margin` is in points, a multiple of 0.5, and None if the game was won before
    counting.
    """

    winner: int | None
    margin: Number | None = None
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class MarkAction:
    """One mark shown at this time of a live session; formal records use `Step.marks` (clause 3.15.3.2.4)."""

    point: Point
    symbol: str
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Message:
    """A message that the actor sends (clause 3.15.3.2.5)."""

    text: str


@dataclass(slots=True)
class Edit:
    """Stones added or removed at any time, without captures (SGF: AB, AW, AE); wei7 has no such step.

    It does not count as a move. Blocks without liberties are allowed. No later takeback may reach before it.
    """

    stones: list[Stone] = field(default_factory=list)


@dataclass(slots=True)
class Note:
    """No action: a place in the game that has a comment, marks or properties (an SGF node); wei7 has no such step."""


@dataclass(slots=True)
class Unreadable:
    """A whole step that lenient reading could not read, as JSON text; the rest of its `Step` is not used.

    `may_be_move`: the position after it is unknown, so that a walk ends there.
    """

    text: bytes
    may_be_move: bool = True


Action: TypeAlias = Move | Takeback | Result | MarkAction | Message | Edit | Note | Unreadable


@dataclass(slots=True, eq=False, repr=False)
class Branch:
    """A tree of the format: the whole game or any variation of it (clause 3.15).

    `branches` start from the position after all `steps`; the first one is the game as played. `steps` and `branches`
    are ordinary lists. Comparing, copying, pickling and deleting work at any depth.
    """

    title: str | None = None
    pre: Setup | None = None
    steps: list[Step] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)
    kept_empty: frozenset[str] = field(default=_NONE, compare=False)

    def play(
        self,
        color: int,
        point: Point | None,
        evaluation: Evaluation | None = None,
        *,
        time: Number | None = None,
        actor: int | None = None,
        comment: str | None = None,
    ) -> Step:
        """Append a move, or a pass if `point` is None, and return its step.

        Raises `TypeError` for a point as text, because a branch has no size; `Node.play` takes text.
        """
        _refuse_text(color, point)
        return self._append(Move(color, point, evaluation), time, actor, comment)

    def take_back(
        self, count: int = 1, *, time: Number | None = None, actor: int | None = None, comment: str | None = None
    ) -> Step:
        """Append a takeback of the last `count` moves in force and return its step."""
        return self._append(Takeback(count), time, actor, comment)

    def claim(
        self,
        winner: int | None,
        margin: Number | None = None,
        *,
        time: Number | None = None,
        actor: int | None = None,
        comment: str | None = None,
    ) -> Step:
        """Append the claim of a result (`winner` None: a draw) and return its step."""
        return self._append(Result(winner, margin), time, actor, comment)

    def mark(
        self,
        point: Point,
        symbol: str,
        *,
        time: Number | None = None,
        actor: int | None = None,
        comment: str | None = None,
    ) -> Step:
        """Append a mark shown live and return its step; marks of a position go into `Step.marks`."""
        _refuse_text(1, point)
        return self._append(MarkAction(point, symbol), time, actor, comment)

    def say(
        self, text: str, *, time: Number | None = None, actor: int | None = None, comment: str | None = None
    ) -> Step:
        """Append a message and return its step."""
        return self._append(Message(text), time, actor, comment)

    def _append(self, action: Action, time: Number | None, actor: int | None, comment: str | None) -> Step:
        step = Step(action, time=time, actor=actor, comment=comment)
        self.steps.append(step)
        return step

    def add_branch(self, branch: Branch | None = None, *, at: int | None = None) -> Branch:
        """Insert `branch` (None: a new empty one) before ordinal `at` (None: last) and return it.

        Raises `IndexError` unless 0 <= at <= number of branches, and `TypeError` for what is no branch.
        """
        branch = Branch() if branch is None else branch
        if not isinstance(branch, Branch):
            raise TypeError(_NO_BRANCH.format(branch))
        at = len(self.branches) if at is None else at
        if not 0 <= at <= len(self.branches):
            raise IndexError(f"there is no ordinal {at} among {len(self.branches)} branches and one more")
        self.branches.insert(at, branch)
        return branch

    def remove_branch(self, ordinal: int) -> Branch:
        """Remove the branch at `ordinal` with its descendants and return it.

        Raises `IndexError` if there is none.
        """
        return self.branches.pop(self._known(ordinal))

    def _known(self, ordinal: int) -> int:
        if not 0 <= ordinal < len(self.branches):
            raise IndexError(f"there is no branch {ordinal} among {len(self.branches)}")
        return ordinal

    def move_branch(self, ordinal: int, to: int) -> None:
        """Move the branch at `ordinal` to ordinal `to`; the first is the game as played.

        Raises `IndexError` if there is no branch at `ordinal` or at `to`.
        """
        to = self._known(to)
        self.branches.insert(to, self.branches.pop(self._known(ordinal)))

    def split(self, at: int) -> Branch:
        """Make room for a variation before step `at`, and return the branch with the continuation.

        The steps from `at` on and all branches go into a new branch, which becomes the only one (Q&A 4.11: at a
        variation the game as played continues in a branch). Add the variation with `add_branch`. Raises `IndexError`
        unless 0 <= at <= number of steps.
        """
        if not 0 <= at <= len(self.steps):
            raise IndexError(f"a branch of {len(self.steps)} steps cannot be split before step {at}")
        rest = Branch(steps=self.steps[at:], branches=self.branches, kept_empty=self.kept_empty & {"branches"})
        del self.steps[at:]
        self.branches = [rest]
        return rest

    def walk(self) -> Iterator[Branch]:
        """Yield this branch and all below it, each before its own branches, in order.

        Raises `ValueError` at a branch that contains itself, and names it as one of the branches here; `TypeError`
        at an object that is no branch.
        """
        waiting: list[Branch] = [self]
        above: list[Branch] = []
        inside: set[int] = set()
        while waiting:
            branch = waiting.pop()
            if branch is _END:
                inside.discard(id(above.pop()))
                continue
            if not isinstance(branch, Branch):
                raise TypeError(_NO_BRANCH.format(branch))
            if id(branch) in inside:
                raise inside_itself([*above, branch])
            yield branch
            if branch.branches:
                above.append(branch)
                inside.add(id(branch))
                waiting.append(_END)
                waiting.extend(reversed(branch.branches))

    def __repr__(self) -> str:
        title = "" if self.title is None else f" {self.title[:40]!r}"
        return f"<Branch{title}: {len(self.steps)} steps, {len(self.branches)} branches>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Branch):
            return NotImplemented
        waiting = [(self, other)]
        compared: set[tuple[int, int]] = set()  # a branch may contain itself
        while waiting:
            one, two = waiting.pop()
            if one is two or (id(one), id(two)) in compared:
                continue
            compared.add((id(one), id(two)))
            if _own(one)[:-1] != _own(two)[:-1]:
                return False
            waiting.extend(zip(one.branches, two.branches, strict=True))
        return True

    def __copy__(self) -> Branch:
        return replace(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # One flat list, because pickle and deepcopy recurse into nested objects.
        return _assemble, ([_own(branch) for branch in self.walk()],)


_END: Final = Branch()  # follows the branches of a branch in `Branch.walk`
_NO_BRANCH: Final = "branches are Branch objects, not {!r:.80}"
_ACTIONS: Final = get_args(Action)


def require_step(step: object) -> None:
    """Raise `TypeError` for an object that is no step, or whose action, texts, marks or points are none."""
    if not isinstance(step, Step):
        raise TypeError(f"steps are Step objects, not {step!r:.80}")
    if not isinstance(step.action, _ACTIONS):
        raise TypeError(f"the action of a step is a Move or another action, not {step.action!r:.80}")
    if step.comment is not None and not isinstance(step.comment, str):
        raise TypeError(f"the comment of a step is a text, not {step.comment!r:.80}")
    if type(step.action) is Message and not isinstance(step.action.text, str):
        raise TypeError(f"a message is a text, not {step.action.text!r:.80}")
    if step.marks and not all(isinstance(mark, Mark) for mark in step.marks):
        raise TypeError(f"marks are Mark objects, not {step.marks!r:.80}")
    refuse_names(step.action, *step.marks, *(step.action.stones if isinstance(step.action, Edit) else ()))


def require_info(document: Document) -> None:
    """Raise `TypeError` for information about the game, or a part of it, that is an object of another class."""
    info: Any = document.info if document._has("info") else Info()  # else it is as it was read
    if not isinstance(info, Info):
        raise TypeError(f"the info of a game is an Info object, not {info!r:.80}")
    parts: list[tuple[str, Any, type]] = [("rules", info.rules, GameRules), ("result", info.result, Result)]
    parts += [("participants", one, Participant) for one in info.participants]
    parts += [("players", one, Player) for one in info.players]
    for name, value, kind in parts:
        if not (isinstance(value, kind) or (value is None and kind in (GameRules, Result))):
            hint = " (`Game.set` takes text)" if kind in (GameRules, Result) else ""
            raise TypeError(f"info.{name} takes {kind.__name__} objects, not {value!r:.80}{hint}")


def refuse_names(*owners: object) -> None:
    """Raise `TypeError` for moves, marks and stones whose point is a text."""
    for owner in owners:
        _refuse_text(1, getattr(owner, "point", None))


def require_no_cycle(root: Branch) -> None:
    """Raise `ValueError` if a branch contains itself, which no record can express."""
    for _ in root.walk():
        pass


def inside_itself(above: Sequence[Branch]) -> ValueError:
    """Return the error of the last of these branches, which equals one before it; each contains the next."""
    ordinals = [
        str(next(ordinal for ordinal, one in enumerate(outer.branches) if one is inner))
        for outer, inner in pairwise(above[: _NAMED_LEVELS + 1])
    ]
    dots = "..." if len(above) > _NAMED_LEVELS + 1 else ""
    return ValueError(f"branch {'.'.join(ordinals) or '-'}{dots} contains itself")


def path_of_branch(root: Branch, wanted: Branch) -> str:
    """The path of a branch of the tree, in the form of `Node.path_text` and of problems."""
    above: dict[int, tuple[Branch, int]] = {}
    for branch in root.walk():
        if branch is wanted:
            break
        for ordinal, child in enumerate(branch.branches):
            above.setdefault(id(child), (branch, ordinal))
    ordinals: list[str] = []
    while wanted is not root:
        wanted, ordinal = above[id(wanted)]
        ordinals.append(str(ordinal))
    return ".".join(reversed(ordinals)) or "-"


def _own(branch: Branch) -> tuple[Any, ...]:
    """The attributes of a branch, with the number of its branches in place of them; `kept_empty` last."""
    return branch.title, branch.pre, branch.steps, len(branch.branches), branch.extra, branch.kept_empty


def _assemble(rows: list[tuple[Any, ...]]) -> Branch:
    """The tree whose branches, in the order of `Branch.walk`, are `rows`."""
    made: list[Branch] = []
    open_branches: list[tuple[Branch, int]] = []
    for title, pre, steps, count, extra, kept_empty in rows:
        branch = Branch(title, pre, steps, extra=extra, kept_empty=kept_empty)
        made.append(branch)
        while open_branches and len(open_branches[-1][0].branches) == open_branches[-1][1]:
            open_branches.pop()
        if open_branches:
            open_branches[-1][0].branches.append(branch)
        open_branches.append((branch, count))
    return made[0]


@dataclass(slots=True)
class GameRules:
    """The rules the game was played by (clause 3.10.1): `komi` is in points, 0 <= komi < 10, a multiple of 0.5."""

    scoring: str | None = None
    komi: Number | None = None
    type: str | None = None
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Participant:
    """A participant, as player or otherwise (clause 3.10.4)."""

    name: str | None = None
    _: KW_ONLY
    domain: str | None = None
    id: str | None = None
    title: str | None = None
    rank: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Player:
    """A participant (by index) who plays, and the colour where it is fixed (clause 3.10.7)."""

    participant: int
    color: int | None = None
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Info:
    """What is known about the game; nothing here changes board or stones (clause 3.10).

    `time` is the start in UTC, in one of the three forms of clause 3.10.2.
    """

    domain: str | None = None
    id: str | None = None
    name: str | None = None
    rules: GameRules | None = None
    time: str | None = None
    place: str | None = None
    participants: list[Participant] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    result: Result | None = None
    _: KW_ONLY
    extra: Extra = field(default_factory=dict)
    kept_empty: frozenset[str] = field(default=_NONE, compare=False)

    def __eq__(self, other: object) -> bool:
        """The order of players carries no meaning (clause 3.10.7)."""
        return _same(self, other, ("players",))

    def side(self, participant: int | None) -> int | None:
        """The one colour that `participant` (an index) plays; None for none, for both and for no participant."""
        colors = {player.color for player in self.players if player.participant == participant} - {None}
        return colors.pop() if len(colors) == 1 else None

    def player_name(self, color: int) -> str | None:
        """The name to show for a colour: its players' names joined by `, `; None where none is known."""
        indexes = [player.participant for player in self.players if player.color == color]
        names = [self.participants[index].name for index in indexes if 0 <= index < len(self.participants)]
        return ", ".join(name for name in names if name) or None

    @property
    def black_name(self) -> str | None:
        """The name to show for Black, or None."""
        return self.player_name(1)

    @property
    def white_name(self) -> str | None:
        """The name to show for White, or None."""
        return self.player_name(2)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known at all."""
        return all(getattr(self, item.name) in (None, [], {}) for item in fields(self) if item.name != "kept_empty")


_OF_THE_TEXT: Final = ("FF", "CA", "SZ")
"""Properties of a root node that describe its text, or repeat a member of `Document`; a writer makes them."""


@dataclass(slots=True, eq=False)
class Document:
    """A whole record: the size of the board, the information about the game, and its tree (clause 3.2).

    `properties` are those of the root node of an SGF record besides its moves and setup, as in `Step`. `version` is
    that of a record of wei7 2.x (`2.0`, `2.1`, `2.2`), None for any other: there a missing evaluation means a normal
    move, and a missing komi none. `replaces`: a move on an occupied point replaces the stone there (SGF, FF[4]: it is
    played "no matter what was there before"); elsewhere it cannot be played.
    """

    width: int = 19
    height: int = 19
    size_form: SizeForm = field(default="integer", compare=False)
    info: Info = field(default_factory=Info)
    tree: Branch = field(default_factory=Branch)
    properties: Properties = field(default_factory=PropertyDict)
    extra: Extra = field(default_factory=dict)
    kept_empty: frozenset[str] = field(default=_NONE, compare=False)
    version: str | None = field(default=None, compare=False)
    replaces: bool = field(default=False, compare=False)
    _late: Callable[[str], Any] | None = field(default=None, init=False, repr=False, compare=False)
    _record: Any = field(default=None, init=False, repr=False, compare=False)

    def fill_later(self, read: Callable[[str], Any], record: Any = None) -> None:
        """Take `info` and `properties` from `read`, by name, on first use.

        `record` has the root node that they will be read from, if nothing of it was changed.
        """
        del self.info, self.properties
        self._late, self._record = read, record

    @property
    def record_of_root(self) -> Any:
        """The record that `info` and `properties` agree with because neither was asked for or set; None: unknown."""
        return None if self._record is None or self._has("info") or self._has("properties") else self._record

    def _has(self, name: str) -> bool:
        try:
            object.__getattribute__(self, name)
        except AttributeError:
            return False
        return True

    @property
    def has_info_as_read(self) -> bool:
        """Whether nobody has asked for `info` yet, nor changed `properties`, so that they agree."""
        if self.record_of_root is not None:
            return True
        raw = self.properties
        if self._late is None or (type(raw) is PropertyDict and raw.read is not None):
            return False
        return not self._has("info")

    def __getattr__(self, name: str) -> Any:
        # Only what is not set comes here.
        if name in ("_late", "_record"):
            return None
        if name not in ("info", "properties") or self._late is None:
            raise AttributeError(f"a Document has no attribute {name!r}")
        value = self._late(name)
        setattr(self, name, value)
        self._record = None
        if self._has("properties" if name == "info" else "info"):
            self._late = None  # it holds the record
        return value

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        return None, {item.name: getattr(self, item.name) for item in fields(self) if item.init}

    def __eq__(self, other: object) -> bool:
        """Whether both are equivalent; FF, CA, SZ and GM[1], which every record written as SGF gets, do not count."""
        if not isinstance(other, Document):
            return NotImplemented
        one, two = replace(self, properties={}), replace(other, properties={})
        return _same(one, two, ()) and _of_the_game(self.properties) == _of_the_game(other.properties)


def _of_the_game(properties: Properties) -> Properties:
    return {
        name: values
        for name, values in properties.items()
        if name not in _OF_THE_TEXT and (name != "GM" or values != ("1",))
    }
