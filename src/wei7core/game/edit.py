"""Edits of a tree at its nodes: each changes only the lists concerned, and records its undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..record.document import Branch, Move, Point, Step
from ..replaying.cursor import EditLog, Place
from .moves import AnyColor, AnyMove, AnyPoint, color_of, move_of, moves_of, point_in_errors
from .nodes import Node, located, node_of

if TYPE_CHECKING:
    from ..board.board import Board
    from .game import Game


def done(log: EditLog, undo: Callable[[], None]) -> None:
    """Log an edit that `undo` reverts."""
    log.count += 1
    if log.undo is not None:
        log.undo.append(undo)


# --- adding moves ------- ----------------------------------------------------------------------------------


def play(node: Node, point: AnyPoint, color: AnyColor | None, board: Board | None = None, system: str = "gtp") -> Node:
    """Return the child of `node` with that move, added if missing; `board` is the position there."""
    node = located(node)
    stated, at = move_of(point, node.game.size, system)
    turn = color_of(color) if color is not None else stated or node.to_play
    for child in node.children:
        if child.move == (turn, at):
            return child
    (board or node.board).copy().play(turn, point_in_errors(point, stated, at), system=system)
    return add_steps(node, [Step(Move(turn, at))])


def add_variation(node: Node, moves: Iterable[AnyMove] | str, system: str = "gtp") -> Node:
    """Add a new variation with the moves and return its first node."""
    node = located(node)
    steps = _steps(node.to_play, node.board.copy(), moves_of(moves, node.game.size, system), system)
    if not steps:
        raise ValueError("a variation has one move or more")
    return add_steps(node, steps)


def add_line(game: Game, moves: Iterable[AnyMove] | str, system: str = "gtp") -> Node:
    """Follow moves from the root and add the missing ones; return the last node."""
    cursor = game.cursor()
    wanted = moves_of(moves, game.size, system)
    for index, (stated, point, _) in enumerate(wanted):
        color = stated or cursor.node.to_play
        child = next((one for one in cursor.node.children if one.move == (color, point)), None)
        if child is None:
            steps = _steps(color, cursor.board.copy(), wanted[index:], system)
            cursor.goto(add_steps(cursor.node, steps))
            cursor.forward(len(steps) - 1)
            break
        cursor.goto(child)
    return cursor.node


def _steps(
    color: int, board: Board, moves: Sequence[tuple[int | None, Point | None, AnyPoint]], system: str
) -> list[Step]:
    """The steps of moves that follow a position; raises if one of them cannot be played."""
    steps = []
    for stated, point, given in moves:
        color = stated or color
        board.play(color, given, system=system)
        steps.append(Step(Move(color, point)))
        color = 3 - color
    return steps


def add_steps(node: Node, steps: list[Step]) -> Node:
    """Add steps after a node, as its last variation, and return the node of the first one."""
    node = located(node)
    place, log = node.place, node.source.log
    branch, at = place.branch, node.step_index + 1
    if at == len(branch.steps) and not branch.branches:
        branch.steps.extend(steps)

        def undo() -> None:
            del branch.steps[at:]

        done(log, undo)
        return node_of(node, place, at)
    if at < len(branch.steps):
        _split(branch, at, log)
    added = Branch(steps=steps)
    branch.branches.append(added)
    done(log, lambda: _without(branch.branches, added))
    return node_of(node, Place(added, place, len(branch.branches) - 1), 0)


def _split(branch: Branch, at: int, log: EditLog) -> None:
    rest = branch.split(at)
    joined = rest.steps[0].joined
    rest.steps[0].joined = False  # the node of SGF that it belonged to ends at the fork

    def undo() -> None:
        rest.steps[0].joined = joined
        branch.steps.extend(rest.steps)
        branch.branches = rest.branches

    done(log, undo)


def _without(branches: list[Branch], branch: Branch) -> None:
    # The branch is the last one, or near it.
    for ordinal in range(len(branches) - 1, -1, -1):
        if branches[ordinal] is branch:
            del branches[ordinal]
            return


# --- moving and removing variations ----- ------------------------------------------------------------------


def promote(node: Node, *, to_main: bool) -> None:
    """Move the variation of a node up by one place; `to_main`: to the first place at every fork."""
    for branches, ordinal in _forks(node):
        if ordinal:
            _move(node.source.log, branches, ordinal, 0 if to_main else ordinal - 1)
            if not to_main:
                return


def demote(node: Node) -> None:
    """Move the variation of a node down by one place at the nearest fork."""
    for branches, ordinal in _forks(node):
        if ordinal + 1 < len(branches):
            _move(node.source.log, branches, ordinal, ordinal + 1)
        return


def _forks(node: Node) -> Iterator[tuple[list[Branch], int]]:
    """Yield the variations at each fork before a node, the nearest first, with the ordinal of the one to the node."""
    above: Place | None = located(node).place
    while above is not None and above.parent is not None:
        branches = above.parent.branch.branches
        if len(branches) > 1:
            yield branches, next(k for k, branch in _from(branches, above.ordinal) if branch is above.branch)
        above = above.parent


def _move(log: EditLog, branches: list[Branch], ordinal: int, to: int) -> None:
    branches.insert(to, branches.pop(ordinal))
    done(log, lambda: branches.insert(ordinal, branches.pop(to)))


def _from(branches: list[Branch], ordinal: int) -> Iterator[tuple[int, Branch]]:
    """Yield branches with their ordinals, the most likely one first."""
    if ordinal < len(branches):
        yield ordinal, branches[ordinal]
    yield from enumerate(branches)


def delete(node: Node) -> None:
    """Remove a node with all that follows it."""
    node = located(node)
    place, index = node.place, node.step_index
    if place.parent is None and index < 0:
        raise ValueError("the root of a game cannot be deleted")
    if place.parent is None or index > 0 or (index == 0 and place.has_start):
        _cut(place.branch, index, node.source.log)
        return
    branches = place.parent.branch.branches
    removed = place.branch
    ordinal = next(k for k, branch in _from(branches, place.ordinal) if branch is removed)
    del branches[ordinal]
    done(node.source.log, lambda: branches.insert(ordinal, removed))


def truncate(node: Node) -> None:
    """Remove all that follows a node."""
    node = located(node)
    _cut(node.place.branch, node.step_index + 1, node.source.log)


def _cut(branch: Branch, at: int, log: EditLog) -> None:
    """Remove the steps from `at` on and all branches."""
    steps, branches = branch.steps[at:], branch.branches
    if not steps and not branches:
        return
    del branch.steps[at:]
    branch.branches = []

    def undo() -> None:
        branch.steps.extend(steps)
        branch.branches = branches

    done(log, undo)


# --- all or nothing -------------------------------------------------------------------------------------------


@contextmanager
def all_or_nothing(game: Game) -> Iterator[Game]:
    """Undo all changes of a game in the block if an exception leaves it."""
    log = game.root.source.log
    outer, log.undo = log.undo, []
    kept = _Kept(log.undo)
    before, log.keep = log.keep, kept
    kept.keep_document(game.document)
    try:
        yield game
    except BaseException:
        for undo in reversed(log.undo):
            undo()
        log.count += 1
        raise
    else:
        if outer is not None:
            outer.extend(log.undo)
    finally:
        log.undo, log.keep = outer, before


class _Kept:
    """Copies of objects of a document, made before the caller of an open edit gets them."""

    def __init__(self, undo: list[Callable[[], None]]) -> None:
        self._undo = undo
        self._known: dict[int, Any] = {}  # the objects themselves, so that no other one gets the same id

    def __call__(self, owner: Step | Branch) -> None:
        """Save a step, or a branch with its descendants."""
        for each in owner.walk() if isinstance(owner, Branch) else (owner,):
            if id(each) not in self._known:
                self._keep(each)
                for step in each.steps if isinstance(each, Branch) else ():
                    if id(step) not in self._known:
                        self._keep(step)

    def keep_document(self, document: Any) -> None:
        """Save the information about the game, and the root of the tree without its descendants."""
        info, properties, tree = deepcopy(document.info), copy(document.properties), document.tree
        owner, raw = document.info, document.properties
        form = document.width, document.height, document.size_form

        def undo() -> None:
            document.width, document.height, document.size_form = form
            document.tree, document.info, document.properties = tree, owner, raw
            _restore(owner, info)
            raw.clear()
            raw.update(properties)

        self._undo.append(undo)

    def _keep(self, owner: Step | Branch) -> None:
        self._known[id(owner)] = owner
        if isinstance(owner, Step):
            state = deepcopy(owner)
            self._undo.append(lambda: _restore(owner, state))
            return
        before = copy(owner)
        pre, steps, branches = deepcopy(owner.pre), list(owner.steps), list(owner.branches)

        def undo() -> None:
            # The lists remain the same objects, which later undo functions reference.
            before.pre, before.steps[:], before.branches[:] = pre, steps, branches
            _restore(owner, before)

        self._undo.append(undo)


def _restore(owner: Any, state: Any) -> None:
    for item in fields(owner):
        setattr(owner, item.name, getattr(state, item.name))
