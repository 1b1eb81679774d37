"""A batch of boards, slow and straight from its docstring: each board an oracle, every move judged once a position."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from fractions import Fraction

import oracles.rules
import oracles.score
from oracles.board import EditedBoard, Point
from wei7core.rules import Ko, Rules, Scoring

COUNTING = {
    scoring: Rules(name="counting", ko=Ko.NONE, suicide=True, scoring=scoring)
    for scoring in (Scoring.AREA, Scoring.TERRITORY)
}
"""Rules that count so: what a position is worth does not depend on the ko and on suicides."""


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
    margins: dict[Scoring, float] = field(default_factory=dict)
    """Those of the present position."""

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

    def changed(self) -> None:
        """Forget what was found of the last position."""
        self.answered, self.margins = {}, {}
        for name in ("legal", "planes"):
            vars(self).pop(name, None)

    @functools.cached_property
    def legal(self) -> list[bool]:
        actions = range(self.width * self.height + 1)
        return [not self.is_done and self.verdict(action) == "legal" for action in actions]

    def step(self, action: int) -> None:
        """Play a legal move."""
        color = self.to_play
        self.changed()
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
        self.changed()
        self.board.undo(1)
        self.is_done = False
        return True

    def margin(self, scoring: Scoring | None = None) -> float:
        scoring = scoring or self.rules.scoring
        if scoring is Scoring.NONE:
            scoring = Scoring.AREA
        if scoring not in self.margins:
            lead, _ = oracles.score.score(self.board, COUNTING[scoring], (), Fraction(self.komi), 0, ())
            self.margins[scoring] = float(lead)
        return self.margins[scoring]

    @property
    def reward(self) -> int:
        margin = self.margin()
        if margin == 0:
            return {0: 0, 1: 1, 2: -1}[self.rules.tie]
        return 1 if margin > 0 else -1

    @functools.cached_property
    def planes(self) -> list[list[list[int]]]:
        """The 17 planes of AlphaGo Zero."""
        made = []
        past = [self.board.stones, *(stones for stones, _ in reversed(self.board.before[-7:]))]
        for age in range(8):
            of_color = {1: [], 2: []}
            for point, color in (past[age] if age < len(past) else {}).items():
                of_color[color].append(point)
            for color in (self.to_play, 3 - self.to_play):
                plane = [[0] * self.width for _ in range(self.height)]
                for x, y in of_color[color]:
                    plane[y][x] = 1
                made.append(plane)
        return [*made, [[int(self.to_play == 1)] * self.width] * self.height]
