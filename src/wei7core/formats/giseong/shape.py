"""The trees that a Giseong record can represent.

The format has three ways back to an earlier place: a block `{{ }}` starts at the place before it, and blocks do not
nest; a board that was saved can be restored any number of times, and there is one such board; a cleared board is empty.
The terms for a branch with everything below it:

- a *line* has no forks;
- a *simple* one can be in a block: at each of its forks a board is saved, and all but the last are lines;
- a *plain* one needs no saved board: all but its first branches are lines, each in a block;
- a *full* one can be outside of blocks, where the saved board is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...record.document import Branch, Note, Setup, Step
from .codes import NEUTRAL, SIDE, read_code
from .tokens import tokens_of

_POINT: Final = 2


def postorder(root: Branch) -> Iterator[Branch]:
    """Yield the branches of a tree, each after those below it."""
    found = []
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        found.append(branch)
        waiting.extend(branch.branches)
    return reversed(found)


def starts_with_stone(branch: Branch) -> bool:
    """Whether a branch can continue directly from the place before it, distinguished by its first stone."""
    return bool(branch.steps) and not isinstance(branch.steps[0].action, Note)


def draws(owner: Step | Setup, tokens: tuple[str, ...] = ()) -> bool:
    """Whether a place with `tokens` and without a stone draws something on the board."""
    return bool(owner.marks) or any(map(_is_neutral_point, tokens))


def _is_neutral_point(token: str) -> bool:
    part = read_code(token)
    if part is None or part.what != "@" or part.numbers[0] != NEUTRAL or len(part.numbers) != 1 + _POINT:
        return False
    return all(1 <= number <= SIDE for number in part.numbers[1:])


class Shapes:
    """The classification of each branch of a tree, by the terms at the top of this file.

    A branch with a single child continues in it. Thread safety: one thread at a time.
    """

    def __init__(self, root: Branch) -> None:
        self._root = root
        self._lines: set[int] = set()
        self._simple: set[int] = set()
        self._plain: set[int] = set()
        self._full: set[int] = set()
        for branch in postorder(root):
            self._classify(branch)

    def is_line(self, branch: Branch) -> bool:
        """Whether it has no forks."""
        return id(branch) in self._lines

    def is_simple(self, branch: Branch) -> bool:
        """Whether it can be in a block."""
        return id(branch) in self._simple

    def is_full(self, branch: Branch) -> bool:
        """Whether it can be outside of blocks."""
        return id(branch) in self._full

    def blocks_before(self, branch: Branch) -> int:
        """How many of the branches other than the first can be in blocks before it."""
        count = 0
        for child in branch.branches[1:]:
            if not self.is_simple(child):
                break
            count += 1
        return count

    def _classify(self, branch: Branch) -> None:
        below = branch.branches
        key = id(branch)
        if len(below) < 2:
            for kind in (self._lines, self._simple, self._plain, self._full):
                if not below or id(below[0]) in kind:
                    kind.add(key)
            return
        first, *others = below
        begins = starts_with_stone(first)
        goes_on = begins or not (first.steps or first.branches)
        if begins and all(map(self.is_line, below[:-1])) and self.is_simple(below[-1]):
            self._simple.add(key)
        if goes_on and id(first) in self._plain and all(map(self.is_line, others)):
            self._plain.add(key)
        if self.blocks_before(branch) == len(others):
            if goes_on and self.is_full(first):
                self._full.add(key)
            return
        rest = others[self.blocks_before(branch) :]
        if (
            begins
            and id(first) in self._plain
            and all(id(child) in self._plain for child in rest[:-1])
            and self.is_full(rest[-1])
        ):
            self._full.add(key)

    def is_of_screens(self, is_shown: bool) -> bool:
        """Whether each branch of the root can be shown on a board that is cleared before it.

        A board is cleared only where something is shown; `is_shown`: something is before all branches.
        """
        root = self._root
        if root.steps or not root.branches or not all(map(self.is_full, root.branches)):
            return False
        if is_shown:
            return True
        before = root.branches[:-1]
        return bool(before) and starts_with_stone(before[0]) and all(map(_shows_first, before))


def _shows_first(branch: Branch) -> bool:
    """Whether the board is not empty from the first step of a branch on."""
    if not branch.steps:
        return False
    step = branch.steps[0]
    return starts_with_stone(branch) or draws(step, tokens_of(step.properties))
