"""Many games as one tree: shared beginnings once, and a variation wherever they differ.

Lines are stored as lists of numbers, one for each step, and split only where games differ. Steps are made at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from copy import copy, deepcopy
from typing import Any, Final

from ..board.board import Board
from ..coordinates import sgf_name
from ..formats.registry import decode
from ..formats.sgf.apply_properties import apply_properties
from ..formats.sgf.properties import LABELS, SHAPE_MARKS
from ..record.document import Branch, Edit, Mark, Move, Note, Setup, Step, inside_itself, require_step
from ..record.record import line_of_moves, noted_steps
from .game import Game, game_from_record

_SHOWN: Final = frozenset(name.encode() for name in (*SHAPE_MARKS, *LABELS, "TE", "BM"))


def merge(games: Iterable[Game], transpositions: bool = False, *, moves: int | None = None) -> Game:
    """Return a new game of all lines and variations of `games`, in their order, with shared beginnings once.

    Steps with the same action become one step, with all their different comments, one below the other, and all their
    marks. Other properties of SGF, times, actors and information about each game are dropped. `moves` limits the moves
    of every line. With `transpositions` a game that reaches an existing position by another order of moves (the same
    stones, ko and colour to play) continues there; the move that led to it is the end of its line. The new game is of
    SGF if the first one is, or if any has steps that only SGF has; else of wei7.

    Raises `ValueError` for no games, for different board sizes, and for a branch that contains itself. The games do not
    change; no other thread may change them during the call.
    """
    merger: _Merger | None = None
    for game in games:
        if not isinstance(game, Game):
            raise TypeError(f"expected a wei7core.Game, not {type(game).__name__}")
        if merger is None:
            merger = _Merger(game, transpositions, moves)
        merger.add(game)
    if merger is None:
        raise ValueError("expected at least one game to merge")
    return merger.game()


class _Run:
    """A run of steps, a number for each, and its continuations by their first number.

    `annotated` has the steps with more than a move, and the branch of a game that starts here, by ordinal. Both are
    None while empty, as in most runs of many games.
    """

    __slots__ = ("annotated", "below", "keys")

    def __init__(self, keys: list[int]) -> None:
        self.keys = keys
        self.annotated: dict[int, list[Any]] | None = None
        self.below: dict[int, _Run] | None = None

    def annotate(self, index: int, owners: list[Any]) -> None:
        """Add the steps of another game."""
        if self.annotated is None:
            self.annotated = {}
        self.annotated.setdefault(index, []).extend(owners)

    def split(self, at: int) -> None:
        """Split off the part from `at` on."""
        keys, annotated = self.keys, self.annotated
        rest = _Run(keys[at:])
        del keys[at:]
        if annotated:
            rest.annotated = {index - at: owners for index, owners in annotated.items() if index >= at}
            self.annotated = {index: owners for index, owners in annotated.items() if index < at}
        rest.below, self.below = self.below, {rest.keys[0]: rest}

    def extend(self, keys: list[int], annotated: dict[int, list[Any]], done: int) -> None:
        """Add the steps of a game from `done` on."""
        shift = len(self.keys) - done
        self.keys += keys[done:]
        for index, owners in annotated.items():
            if index >= done:
                self.annotate(index + shift, owners)


class _Merger:
    def __init__(self, first: Game, transpositions: bool, moves: int | None) -> None:
        self._first = first
        self._size = first.size
        self._most = moves
        self._longest = sys.maxsize if moves is None else moves
        self._root = _Run([])
        self._others: dict[str, int] = {}  # numbers of steps that are no moves, below 0
        self._has_annotations = False
        self._is_sgf = first.format == "sgf"
        self._tree: Branch | None = None  # of the added game
        self._root_setups: list[Setup] = []  # at the roots of games without setup stones
        self._positions: dict[Any, _Run] | None = {} if transpositions else None

    def add(self, game: Game) -> None:
        """Add the lines of a game to the tree."""
        if game.size != self._size:
            sizes = " and ".join(f"{width} x {height}" for width, height in (self._size, game.size))
            raise ValueError(f"games on boards of {sizes} points cannot be merged")
        keys = None if game.record is None else line_of_moves(game.record, self._longest, _SHOWN)
        start = Board(*self._size) if self._positions is not None else None
        if keys is not None:
            self._insert(self._root, 0, keys, {}, start)
            return
        apply_properties(game.document)
        self._tree = game.document.tree
        inside: dict[int, Branch] = {}
        waiting: list[Any] = [(game.document.tree, self._root, 0, 0, start)]
        while waiting:
            item = waiting.pop()
            if item is None:
                inside.popitem()
                continue
            branch, run, at, count, board = item
            if id(branch) in inside:
                raise inside_itself([*inside.values(), branch])
            inside[id(branch)] = branch
            waiting.append(None)
            keys, annotated, count = self._line(branch, count)
            self._has_annotations |= bool(annotated)
            run, at, board = self._insert(run, at, keys, annotated, board)
            if self._most is None or count < self._most:
                waiting.extend((below, run, at, count, board and board.copy()) for below in reversed(branch.branches))

    def _line(self, branch: Branch, count: int) -> tuple[list[int], dict[int, list[Any]], int]:
        """The numbers of a branch, its texts, and the moves of the line until its end."""
        keys: list[int] = []
        annotated: dict[int, list[Any]] = {}
        pre = branch.pre
        if branch is self._tree and pre is not None and not pre.stones and pre.problem is None:
            self._root_setups.append(pre)
        elif pre is not None and (pre.stones or pre.problem is not None or pre.comment is not None or pre.marks):
            annotated[0] = [branch]
            stones = sorted((stone.point, stone.color) for stone in pre.stones)
            keys.append(self._number(f"{stones} {pre.problem}"))
        for step in noted_steps(branch.steps):
            require_step(step)
        for step in branch.steps:
            action = step.action
            if isinstance(action, Move):
                if self._most is not None and count == self._most:
                    break
                count += 1
                keys.append(_number_of_move(action.color, action.point))
                if action.evaluation is None and action.problem is None and step.comment is None and not step.marks:
                    continue
            else:
                colors = {one.point: one.color for one in action.stones} if isinstance(action, Edit) else {}
                self._is_sgf |= isinstance(action, (Edit, Note))
                keys.append(self._number(repr(sorted(colors.items()) if colors else action)))
            annotated[len(keys) - 1] = [step]
        return keys, annotated, count

    def _number(self, what: str) -> int:
        return self._others.setdefault(what, -1 - len(self._others))

    def _insert(self, run: _Run, at: int, keys: list[int], annotated: dict[int, list[Any]], board: Board | None) -> Any:
        """Follow a line from a place on, and add missing steps; return the place of its end."""
        if board is not None:
            return self._insert_by_position(run, keys, annotated, board)
        done, total = 0, len(keys)
        while True:
            own = run.keys
            end = len(own)
            while at < end and done < total and own[at] == keys[done]:
                if annotated and done in annotated:
                    run.annotate(at, annotated[done])
                at += 1
                done += 1
            if done == total:
                return run, at, None
            if at < end:
                run.split(at)
            elif not run.below and run is not self._root and not (annotated and _starts(annotated, done)):
                run.extend(keys, annotated, done)
                return run, len(own), None
            if run.below is None:
                run.below = {}
            below = run.below.get(keys[done])
            if below is None:
                below = run.below[keys[done]] = _Run([])
                below.extend(keys, annotated, done)
                return below, len(below.keys), None
            run, at = below, 0

    def _insert_by_position(
        self, run: _Run, keys: list[int], annotated: dict[int, list[Any]], board: Board | None
    ) -> Any:
        """As `_insert`, with a run for each step; at a move to a known position the line continues there.

        After a step that is no move positions are not compared.
        """
        positions = self._positions
        assert positions is not None
        for index, key in enumerate(keys):
            if run.below is None:
                run.below = {}
            below = run.below.get(key)
            is_new = below is None
            if below is None:
                below = run.below[key] = _Run([key])
            if index in annotated:
                below.annotate(0, annotated[index])
            run = below
            if key < 0:
                board = None
            if board is not None:
                color, point = _move_of_number(key)
                try:
                    board.play(color, point)
                except ValueError:
                    board = None
                    continue
                position = board.position(3 - color, ko=True)
                run = positions.setdefault(position, below) if is_new else positions.get(position, below)
        return run, 1, board

    def game(self) -> Game:
        """Return the merged game."""
        if self._first.format == "sgf" and not self._others and not self._has_annotations and not self._root_setups:
            return self._from_text()
        game = Game(self._size, revision=self._first.revision, limits=self._first.limits)
        waiting = [(self._root, game.tree)]
        while waiting:
            run, branch = waiting.pop()
            while True:
                _add_steps(branch, run)
                if not run.below or len(run.below) != 1:
                    break
                (below,) = run.below.values()
                if _starts(below.annotated, 0) and (branch.pre is not None or branch.steps):
                    break
                run = below
            for below in run.below.values() if run.below else ():
                branch.branches.append(Branch())
                waiting.append((below, branch.branches[-1]))
        if self._root_setups:
            game.tree.pre = game.tree.pre or Setup()
            _combine(game.tree.pre, [*self._root_setups, copy(game.tree.pre)])
        if self._is_sgf:
            game.format = "sgf"
            game.document.replaces = True
        return game

    def _from_text(self) -> Game:
        """The merged game of moves alone, made from a text: its objects are created on demand."""
        width, height = self._size
        size = str(width) if width == height else f"{width}:{height}"
        nodes = _Nodes()
        parts = [f"(;FF[4]CA[UTF-8]GM[1]SZ[{size}]"]
        waiting: list[_Run | str] = [")", self._root]
        while waiting:
            run = waiting.pop()
            if isinstance(run, str):
                parts.append(run)
                continue
            parts += map(nodes.__getitem__, run.keys)
            if not run.below:
                continue
            if len(run.below) == 1:
                waiting += run.below.values()
                continue
            for below in reversed(run.below.values()):
                waiting += (")", below, "(")
        record = decode("".join(parts).encode(), "sgf", limits=self._first.limits)
        return game_from_record(record, problems=(), revision=self._first.revision, limits=self._first.limits)


class _Nodes(dict[int, str]):
    """Nodes of SGF by the numbers of their moves."""

    def __missing__(self, number: int) -> str:
        color, point = _move_of_number(number)
        self[number] = f";{'BW'[color - 1]}[{'' if point is None else sgf_name(point)}]"
        return self[number]


def _starts(annotated: dict[int, list[Any]] | None, index: int) -> bool:
    """Whether a branch starts here."""
    return annotated is not None and index in annotated and isinstance(annotated[index][0], Branch)


def _add_steps(branch: Branch, run: _Run) -> None:
    annotated = run.annotated
    if not annotated:
        branch.steps += [Step(Move(*_move_of_number(key))) for key in run.keys]
        return
    for index, key in enumerate(run.keys):
        owners = annotated.get(index)
        if owners is None:
            branch.steps.append(Step(Move(*_move_of_number(key))))
        elif isinstance(owners[0], Branch):
            first = owners[0].pre
            assert first is not None
            branch.title = owners[0].title
            branch.pre = Setup(deepcopy(first.stones), first.problem, unchecked=first.unchecked)
            _combine(branch.pre, [owner.pre for owner in owners])
        else:
            step = Step(deepcopy(owners[0].action), joined=owners[0].joined)
            _combine(step, owners)
            branch.steps.append(step)


def _combine(made: Any, owners: list[Any]) -> None:
    """Add the comments and marks of several steps to a step or setup."""
    comments = dict.fromkeys(owner.comment for owner in owners if owner.comment is not None)
    made.comment = "\n\n".join(comments) if comments else None
    marks: dict[Any, Mark] = {}
    for owner in owners:
        for mark in owner.marks:
            marks.setdefault((mark.point, mark.symbol, mark.shape), Mark(mark.point, mark.symbol, shape=mark.shape))
    made.marks = list(marks.values())


# --- numbers of moves: colour, row and column, and no row for a pass ----------------------------------------


def _number_of_move(color: int, point: tuple[int, int] | None) -> int:
    x, y = (-1, -1) if point is None else point
    return (y + 1 << 32) + (x + 1 << 2) + color


def _move_of_number(number: int) -> tuple[int, tuple[int, int] | None]:
    y, rest = number >> 32, number & 0xFFFFFFFF
    return rest & 3, None if y == 0 else ((rest >> 2) - 1, y - 1)
