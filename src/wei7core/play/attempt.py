"""An attempt at a problem of a record: moves are judged, and the opponent answers from the record."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .._util.words import counted
from ..board.board import Board
from ..coordinates import Point
from ..game.go_problems import Questions, find_questions
from ..game.moves import AnyPoint, point_of
from ..game.node_tree import NodeTree, read_tree
from ..replaying.cursor import Node, parse_path

if TYPE_CHECKING:
    from ..game.game import Game

Verdict = Literal["right", "wrong", "continue", "unknown"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The judgement of a move, and the reply.

    `verdict`: `right` if the problem is solved, `continue` if the move is right so far, `wrong`, or `unknown` if the
    record has no such move or does not judge it; then nothing is played. `reply` is the opponent's point (None without
    a reply, or for a pass), `replies` all its moves; `comment` is the text of the move and the replies, or None.
    """

    verdict: Verdict
    reply: Point | None = None
    comment: str | None = None
    replies: tuple[Point | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Statistics:
    """How the attempts at a set of problems went: `Attempt.statistics`.

    `problems` is the number of attempts; each is `solved`, `failed`, `given_up` or still `open`. `first_try` of the
    solved ones had no mistake and no hint. `mistakes` and `hints` are those of all attempts together.
    """

    problems: int = 0
    solved: int = 0
    failed: int = 0
    given_up: int = 0
    open: int = 0
    first_try: int = 0
    mistakes: int = 0
    hints: int = 0

    @property
    def rate(self) -> float | None:
        """The share of solved problems among those that are over, 0 to 1; None where none is."""
        over = self.problems - self.open
        return self.solved / over if over else None


class Attempt:
    """An attempt at one problem of a game (wei7 3.0, 3.15.2.2 and 3.15.3.2.1.3; 2.2, 4; comments by the custom of SGF).

    `Attempt(game)` takes the first problem of the game, or the start of a record without one; `branch` is the path of
    the branch with the problem, as `0.1` or ordinals, `-` for the root. Of several good replies one is chosen by
    `seed`. With `hold_back` a wrong move gets `continue` while the record has moves after it, so that the solver plays
    to the end of the line, and `wrong` there.

    Attributes: `color`, the player to move; `node`, the place in the record; `board`, a copy of the position there;
    `solved`; `failed`; `over`: the problem is solved, failed or given up; `mistakes`, the number of wrong and unknown
    answers, and `hints`, of hints, since the attempt was made.

    Only moves of the record count: symmetric answers are right if the record has them. Edits of the game after
    this are not seen.

    Raises `ValueError` if the game or the branch has no problem and no moves, `IndexError` for a branch out of range,
    and the exceptions of `Game.walk`.

    Thread safety: one thread at a time.
    """

    __slots__ = (
        "_at",
        "_failed",
        "_hold_back",
        "_over",
        "_question",
        "_questions",
        "_random",
        "_seed",
        "_solved",
        "_tree",
        "hints",
        "mistakes",
    )

    def __init__(
        self, game: Game, branch: str | Iterable[int] | None = None, seed: int = 0, *, hold_back: bool = False
    ) -> None:
        self._tree = read_tree(game)
        self._question, self._questions = _question_of(game, self._tree, branch)
        self._seed = seed
        self._hold_back = hold_back
        self.mistakes = 0
        self.hints = 0
        self.restart()

    @staticmethod
    def all(game: Game, seed: int = 0, *, hold_back: bool = False) -> list[Attempt]:
        """Return an attempt at each problem of a game, in the order of `Game.walk`."""
        tree = read_tree(game)
        questions = find_questions(game, tree)
        attempts = []
        for question in sorted(questions.colors):
            attempt = Attempt.__new__(Attempt)
            attempt._tree, attempt._question, attempt._questions = tree, question, questions
            attempt._seed, attempt._hold_back = seed, hold_back
            attempt.mistakes = attempt.hints = 0
            attempt.restart()
            attempts.append(attempt)
        return attempts

    @staticmethod
    def statistics(attempts: Iterable[Attempt]) -> Statistics:
        """Return how attempts went as they are now, as those of `Attempt.all`; each counts once, whatever restarts."""
        found = list(attempts)
        solved = [attempt for attempt in found if attempt.solved]
        return Statistics(
            problems=len(found),
            solved=len(solved),
            failed=sum(attempt.failed for attempt in found),
            given_up=sum(attempt.over and not attempt.solved and not attempt.failed for attempt in found),
            open=sum(not attempt.over for attempt in found),
            first_try=sum(not attempt.mistakes and not attempt.hints for attempt in solved),
            mistakes=sum(attempt.mistakes for attempt in found),
            hints=sum(attempt.hints for attempt in found),
        )

    def restart(self) -> None:
        """Go back to the question; replies are chosen in the same order again."""
        self._at = self._question
        self._random = random.Random(self._seed)
        self._solved = self._failed = self._over = False

    @property
    def color(self) -> int:
        """The color that solves the problem: 1 (black) or 2 (white)."""
        return self._questions.colors[self._question]

    @property
    def node(self) -> Node:
        """The place in the record."""
        return self._tree.nodes[self._at]

    @property
    def board(self) -> Board:
        """A copy of the current position."""
        return self.node.board.copy()

    @property
    def comment(self) -> str | None:
        """The text of the problem."""
        return self._tree.nodes[self._question].comment

    @property
    def solved(self) -> bool:
        """Whether the end of a right line was reached."""
        return self._solved

    @property
    def failed(self) -> bool:
        """Whether a wrong move was played; with `hold_back` it is reported at the end of the line."""
        return self._failed and self._over

    @property
    def over(self) -> bool:
        """Whether no move is taken any more: the problem is solved, failed or given up."""
        return self._over

    def play(self, point: AnyPoint, *, system: str = "gtp") -> Answer:
        """Answer with a move at (x, y) or "C5", or with a pass (None, "pass"); `system` is that of `Node.play`.

        Raises `ValueError` where the attempt is over and for a text that names no point, `OffBoardError` off the board.
        """
        if self._over:
            raise ValueError("the attempt is over: restart() begins it anew")
        found = self._own_move(point_of(point, self._tree.nodes[0].board.size, system))
        good = None if found is None else self._questions.good.get(found)
        if found is None or good is None:
            self.mistakes += 1
            return Answer("unknown", comment=None if found is None else self._tree.nodes[found].comment)
        comments = list(self._go(found))
        if not good:
            self.mistakes += 1
            self._failed = True
        points = tuple(self._reply(comments))
        verdict = self._verdict()
        return Answer(verdict, points[0] if points else None, "\n\n".join(comments) or None, points)

    def hint(self) -> Point | None:
        """Return the point of a right move; None without one, for a pass, and if the attempt is over."""
        self.hints += 1
        right = [] if self._over else self._right_moves()
        return _point(self._tree.nodes[right[0]]) if right else None

    def give_up(self) -> list[tuple[int, Point | None]]:
        """End the attempt and return the moves `(color, point)` of a right line from here, replies included.

        The list is empty if the record has none from here. The place in the record stays the same.
        """
        self._over = True
        line: list[tuple[int, Point | None]] = []
        index = self._at
        while moves := self._tree.moves_after(index):
            good = [move for move in moves if self._questions.good.get(move)]
            own = [move for move in good if self._color_of(move) == self.color]
            others = [move for move in moves if self._color_of(move) != self.color]
            if not (own or others):
                break
            index = (own or [move for move in others if move in good] or others)[0]
            node = self._tree.nodes[index]
            assert node.move is not None
            line.append(node.move)
        return line

    def __repr__(self) -> str:
        state = "solved" if self.solved else "failed" if self.failed else "given up" if self.over else "open"
        parts = [f"{'Black' if self.color == 1 else 'White'} to solve", state, f"at {self.node!r}"]
        parts += [
            counted(number, noun) for number, noun in ((self.mistakes, "mistake"), (self.hints, "hint")) if number
        ]
        return f"<Attempt: {', '.join(parts)}>"

    # --- the record -----------------------------------------------------------------------------------

    def _color_of(self, index: int) -> int:
        move = self._tree.nodes[index].move
        return 0 if move is None else move[0]

    def _own_move(self, point: Point | None) -> int | None:
        """The move of the solver at a point; of several in the record a good one, else the first."""
        same = [
            index for index in self._tree.moves_after(self._at) if self._tree.nodes[index].move == (self.color, point)
        ]
        return max(same, key=lambda index: self._questions.good.get(index, False), default=None)

    def _right_moves(self) -> list[int]:
        return [
            index
            for index in self._tree.moves_after(self._at)
            if self._color_of(index) == self.color and self._questions.good.get(index)
        ]

    def _go(self, index: int) -> Iterator[str]:
        """Go to a move, and yield the comments on the path to it."""
        way = []
        above = index
        while above != self._at:
            way.append(above)
            above = self._tree.parents[above]
        self._at = index
        for node in reversed(way):
            comment = self._tree.nodes[node].comment
            if comment:
                yield comment

    def _reply(self, comments: list[str]) -> Iterator[Point | None]:
        """Play the other side's moves until the solver has one, and yield their points."""
        while moves := self._tree.moves_after(self._at):
            if any(self._color_of(move) == self.color for move in moves):
                return
            values = self._questions.good
            best = [move for move in moves if values.get(move)] or [move for move in moves if values.get(move) is None]
            comments += self._go(self._random.choice(best or moves))
            yield _point(self._tree.nodes[self._at])

    def _verdict(self) -> Verdict:
        goes_on = bool(self._tree.moves_after(self._at))
        if self._failed:
            self._over = not (self._hold_back and goes_on)
            return "wrong" if self._over else "continue"
        if goes_on:
            return "continue"
        self._solved = self._over = True
        return "right"


def _point(node: Node) -> Point | None:
    return None if node.move is None else node.move[1]


def _question_of(game: Game, tree: NodeTree, branch: str | Iterable[int] | None) -> tuple[int, Questions]:
    """The node of the question, and all questions of the game, this one among them."""
    if branch is None:
        questions = find_questions(game, tree)
        if questions.colors:
            return min(questions.colors), questions
        start = 0
    else:
        path = parse_path(branch)
        target = game.branch_at(path)
        own = [index for index, node in enumerate(tree.nodes) if node.branch is target]
        questions = find_questions(game, tree)
        asked = [index for index in own if index in questions.colors]
        if asked:
            return asked[0], questions
        start = 0
        if own:
            start = own[0] if tree.nodes[own[0]].step is None else max(0, tree.parents[own[0]])
    questions = find_questions(game, tree, start)
    if start not in questions.colors:
        raise ValueError("the record has no problem here, and no moves that could answer one")
    return start, questions
