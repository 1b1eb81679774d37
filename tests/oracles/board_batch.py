"""A batch of boards, slow and straight from its docstring: each board an oracle, every move judged once a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import oracles.rules
import oracles.score
from oracles.board import EditedBoard, Point
from wei7core.rules import Rules, Scoring


@dataclass
class SlowGame:
    """One board of a batch, without the empty board that follows a game."""

    width: int
    height: int
    rules: Rules
    komi: float
    max_moves: int
    board: EditedBoard = field(init=False)
    is_done: bool = False
    answered: dict[int, str] = field(default_factory=dict)
    """The verdicts on actions in the present position."""

    def __post_init__(self) -> None:
        self.board = EditedBoard(self.width, self.height)

    @property
    def to_play(self) -> int:
        return 1 + len(self.board.moves) % 2

    def point(self, action: int) -> Point | None:
        return None if action == self.width * self.height else (action % self.width, action // self.width)

    def verdict(self, action: int) -> str:
        if not 0 <= action <= self.width * self.height:
            return "off-board"
        if action not in self.answered:
            (self.answered[action],) = oracles.rules.verdicts(
                self.board, self.to_play, self.point(action), [self.rules]
            )
        return self.answered[action]

    @property
    def legal(self) -> list[bool]:
        actions = range(self.width * self.height + 1)
        return [not self.is_done and self.verdict(action) == "legal" for action in actions]

    def step(self, action: int) -> None:
        """Play a legal move."""
        color = self.to_play
        self.answered = {}
        self.board.play(color, self.point(action))
        passes = 0
        for _, point in reversed(self.board.moves):
            if point is not None:
                break
            passes += 1
        stops = 0 < self.rules.passes <= passes and self.rules.last_pass in (0, color)
        self.is_done = stops or len(self.board.moves) >= self.max_moves

    def undo(self) -> bool:
        if not self.board.moves:
            return False
        self.answered = {}
        self.board.undo(1)
        self.is_done = False
        return True

    def margin(self, scoring: Scoring | None = None) -> float:
        scoring = scoring or self.rules.scoring
        if scoring is Scoring.NONE:
            scoring = Scoring.AREA
        plain = Rules(name="plain", ko=self.rules.ko, suicide=self.rules.suicide, scoring=scoring)
        return float(oracles.score.score(self.board, plain, (), Fraction(self.komi), 0, ())[0])

    @property
    def reward(self) -> int:
        margin = self.margin()
        if margin == 0:
            return {0: 0, 1: 1, 2: -1}[self.rules.tie]
        return 1 if margin > 0 else -1

    @property
    def planes(self) -> list[list[list[int]]]:
        """The 17 planes of AlphaGo Zero."""
        made = []
        past = [self.board.stones, *(stones for stones, _ in reversed(self.board.before[-7:]))]
        for age in range(8):
            stone = (past[age] if age < len(past) else {}).get
            for color in (self.to_play, 3 - self.to_play):
                made.append([[int(stone((x, y)) == color) for x in range(self.width)] for y in range(self.height)])
        return [*made, [[int(self.to_play == 1)] * self.width] * self.height]
