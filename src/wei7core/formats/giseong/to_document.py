"""The places of a Giseong record as a tree.

A record is one run of commands. What follows a restored board, or a cleared one, or is in a block, starts again from an
earlier place, so that every way through it is a line of a tree. Nothing here recurses.
"""

from __future__ import annotations

from ...record.document import Point
from .codes import PlainStones, read_code


class Spot:
    """A place in a record: the beginning, a stone, or the start of a branch (a block, a restored or a cleared board).

    `tokens` are the texts and the codes without a stone up to the next place. `index` is the character of its code,
    `text` from where to where its commentary is. `before` are stones between the parent, which is a stone too, and this
    one: each of them a place without text, codes or other children. `block` is the number of the block that contains
    it, 0 outside of all. `raw` is a stone off the board, as written. `shown`: the board has, or had, a stone or a
    label.
    """

    __slots__ = (
        "before",
        "begins",
        "block",
        "branch",
        "children",
        "color",
        "index",
        "label",
        "parent",
        "point",
        "raw",
        "row",
        "shown",
        "text",
        "tokens",
    )

    def __init__(self, parent: Spot | None, index: int, block: int, *, begins: bool = False) -> None:
        self.parent = parent
        self.index = index
        self.block = block
        self.begins = begins
        self.children: list[Spot] = []
        self.tokens: list[str] = []
        self.text: tuple[int, int] | None = None
        self.before: PlainStones | None = None
        self.color = 0
        self.point: Point = (-1, -1)
        self.label: str | None = None
        self.raw: str | None = None
        self.branch: Arranged | None = None
        self.row = 0
        self.shown: bool = parent is not None and parent.shown
        if parent is not None:
            parent.children.append(self)

    def stone(self, color: int, point: Point, label: str | None) -> None:
        """Make this the place of a stone."""
        self.color, self.point, self.label = color, point, label
        self.shown = True

    @property
    def place(self) -> tuple[str, int]:
        """The path of the branch that contains this once all is arranged, and the number of its step there."""
        spot = self
        while spot.branch is None:  # joined to its parent
            assert spot.parent is not None
            spot = spot.parent
        return spot.branch.path, spot.row

    @property
    def is_step(self) -> bool:
        """Whether a stone is put here, possibly an invalid one."""
        return self.color != 0 or self.raw is not None

    @property
    def size_before(self) -> int:
        """The number of stones in `before`."""
        return 0 if self.before is None else len(self.before.at)

    def add_text(self, text: str, begin: int, end: int) -> None:
        """Add commentary."""
        if self.tokens and read_code(self.tokens[-1]) is None:
            self.tokens[-1] += text
        else:
            self.tokens.append(text)
        self.text = (begin if self.text is None else self.text[0], end)

    def ordered(self) -> tuple[list[Spot], bool]:
        """The children, the continuation first and the others in order of creation, and whether there is a
        continuation.
        """
        main = next((child for child in self.children if child.block == self.block), None)
        if main is None or self.children[0] is main:
            return self.children, main is not None
        return [main, *(child for child in self.children if child is not main)], True


class Arranged:
    """A branch: its spots in order, its branches, and its path."""

    __slots__ = ("below", "ordinal", "parent", "spots")

    def __init__(self, parent: Arranged | None, ordinal: int) -> None:
        self.parent = parent
        self.ordinal = ordinal
        self.spots: list[Spot] = []
        self.below: list[Arranged] = []

    @property
    def path(self) -> str:
        """The ordinals from the root, `-` for the root itself."""
        ordinals = []
        branch = self
        while branch.parent is not None:
            ordinals.append(str(branch.ordinal))
            branch = branch.parent
        return ".".join(reversed(ordinals)) or "-"


def arranged(root: Spot) -> list[Arranged]:
    """Return the branches below `root`, itself first and each before its own; spots learn their places.

    A branch ends where there is a fork. The first branch at every fork is the continuation; it is empty if there is
    none.
    """
    tree = Arranged(None, 0)
    made = []
    waiting: list[tuple[Spot | None, Arranged]] = [(root, tree)]
    while waiting:
        spot, branch = waiting.pop()
        made.append(branch)
        if spot is None:
            continue
        children, goes_on = _run(spot, branch)
        below: list[tuple[Spot | None, Arranged]] = []
        for child in children if goes_on or not children else [None, *children]:
            next_branch = Arranged(branch, len(branch.below))
            branch.below.append(next_branch)
            below.append((child, next_branch))
        waiting.extend(reversed(below))
    return made


def _run(spot: Spot, branch: Arranged) -> tuple[list[Spot], bool]:
    """Put the spots from `spot` on up to the next fork into the branch; return those after the fork."""
    rows = 0
    while True:
        children, goes_on = spot.ordered()
        # A restored place has no siblings, but a cleared board differs from the place before it.
        while spot.parent is not None and len(children) == 1 and goes_on and children[0].begins:
            _join(spot, children[0])
            children, goes_on = spot.ordered()
        if spot.before is not None:
            rows += spot.size_before
        spot.branch, spot.row = branch, rows
        branch.spots.append(spot)
        rows += spot.is_step or (spot.parent is not None and bool(spot.tokens))
        if len(children) != 1 or not goes_on or children[0].begins:
            return children, goes_on
        spot = children[0]


def _join(spot: Spot, other: Spot) -> None:
    """Move the content and the children of the only child to `spot`."""
    for token in other.tokens:
        if other.text is None or read_code(token) is not None:
            spot.tokens.append(token)
        else:
            spot.add_text(token, *other.text)
    spot.children = other.children
