"""The main line of a record as engines take it: stones at the start, then moves in their order.

Engines cannot edit stones in the middle of a game, so a line with such edits has several segments. Moves
are never replaced by the stones that they led to: an engine needs them for ko, and its network looks at them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..board.board import Board
from ..coordinates import Point
from ..game.game import Game
from ..record.document import Edit
from ..record.points import komi_in_points
from ..rules import Rules

Moves = list[tuple[int, Point | None]]


@dataclass(slots=True)
class LineSegment:
    """A part of a line without edits: `stones` on the board after `first_turn` moves, then `moves`."""

    first_turn: int
    stones: list[tuple[int, Point]] = field(default_factory=list)
    moves: Moves = field(default_factory=list)


@dataclass(slots=True)
class Line:
    """The part of a game that engines receive.

    `segments` has one element for a game without edits. `to_play` is the color to play at the end. `handicap` is the
    number of handicap stones; `komi` (in points) and `rules` are those that the record names, or None.
    """

    size: tuple[int, int]
    segments: list[LineSegment]
    to_play: int = 1
    handicap: int = 0
    komi: float | None = None
    rules: Rules | None = None

    @property
    def turns(self) -> int:
        """The number of moves in force."""
        last = self.segments[-1]
        return last.first_turn + len(last.moves)

    def at(self, turn: int) -> LineSegment:
        """Return the segment that the position after `turn` moves belongs to: of several, the last.

        Raises `IndexError` where the line has fewer moves, or `turn` is negative.
        """
        last = self.segments[-1]
        if not 0 <= turn <= last.first_turn + len(last.moves):
            raise out_of_range(turn, self.turns)
        if turn >= last.first_turn:
            return last
        return next(segment for segment in reversed(self.segments) if segment.first_turn <= turn)


def out_of_range(turn: int, turns: int) -> IndexError:
    """Return the error for a turn that a line of that many moves lacks."""
    return IndexError(f"turn {turn} is out of range: the line has {turns} moves")


def line_of(game: Game) -> Line:
    """Return the main line of a game, with the moves in force at its end: takebacks are carried out.

    Raises what `Game.main_line` raises.
    """
    starts: list[tuple[int, list[tuple[int, Point]]]] = []
    end = None
    for node in game.main_line():
        end = node
        if node.step is None:
            has_stones = node.branch.pre is not None and bool(node.branch.pre.stones)
        else:
            has_stones = isinstance(node.step.action, Edit)
        if has_stones:
            starts.append((node.move_number, _stones_of(node.board)))
    assert end is not None
    line = Line(game.size, [LineSegment(0)], end.to_play, game.handicap)
    for turn, stones in starts:
        if turn > line.segments[-1].first_turn:
            line.segments.append(LineSegment(turn))
        line.segments[-1].stones = stones
    moves = end.board.moves()
    ends = [segment.first_turn for segment in line.segments[1:]]
    for segment, stop in zip(line.segments, [*ends, len(moves)], strict=True):
        segment.moves = moves[segment.first_turn : stop]
    line.rules = game.rules
    info_rules = game.info.rules
    if info_rules is not None and info_rules.komi is not None:
        line.komi = float(komi_in_points(info_rules.komi, line.rules) if line.rules else info_rules.komi)
    return line


def _stones_of(board: Board) -> list[tuple[int, Point]]:
    array = board.to_array()
    return [(int(array[y, x]), (int(x), int(y))) for y, x in zip(*array.nonzero(), strict=True)]
