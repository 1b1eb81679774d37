"""Scoring of positions by a rule set: area or territory, prisoners, komi, compensation for a handicap.

    score = w7.score(board, "chinese", dead=[(3, 3)], komi=7.5)
    print(score, score.black.total, score.white.total)

Dead stones and seki cannot be determined reliably from a position: the caller supplies them. All functions are pure;
any thread may call them.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..board.area import count_area
from ..board.board import BLACK, EMPTY, WHITE, Board
from ..board.point_set import PointSet
from ..coordinates import Point, from_gtp
from ..record.points import from_zi, to_fraction, to_zi
from ..record.result import Ending, GameResult
from ..rules import Dead, Rules, Scoring, named

Exact = float | Decimal | Fraction


class Agreement(enum.Enum):
    """The comparison of a score with a stated result (`Score.compare`)."""

    AGREES = "agrees"
    WINNER_DIFFERS = "winner differs"
    """Another color wins, or the game is a draw."""
    MARGIN_DIFFERS = "margin differs"
    """The same color wins, by another margin."""
    CANNOT_BE_TOLD = "cannot be told"
    """The game was not decided by counting, or the kind of ending is unknown."""


@dataclass(frozen=True, slots=True)
class Points:
    """The exact score of one color, in points (目).

    `stones`: living stones on the board, 0 with territory scoring. `territory`: empty points. `prisoners`: stones
    captured in play, dead ones, and passes if they cost a stone; 0 with area scoring. `komi` and `compensation` (for
    handicap stones): White's, 0 for Black.
    """

    stones: int
    territory: int
    prisoners: int
    komi: Fraction
    compensation: int

    @property
    def total(self) -> Fraction:
        """The sum of all."""
        return self.komi + (self.stones + self.territory + self.prisoners + self.compensation)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position by a rule set. Immutable; `str()` is `B+3.5`, or `0` for a draw.

    `rules`: those of the count. `black`, `white`: the score of each. `winner`: 1 (Black), 2 (White), or None for a
    draw; a tie may have a winner by the rules. `margin`: in points (目), not negative. `ownership`: a read-only `uint8`
    array `[y, x]` of shape (height, width): 1 for Black's stones and territory, 2 for White's, 0 for neutral points;
    ignored in comparisons. `dead`: the stones that were counted as dead.
    """

    rules: Rules
    black: Points
    white: Points
    winner: int | None
    margin: Fraction
    dead: PointSet
    ownership: npt.NDArray[np.uint8] = field(compare=False, repr=False)

    @property
    def result(self) -> GameResult:
        """The corresponding result; `str(score)` is the text of RE in SGF."""
        if self.winner is None:
            return GameResult(Ending.DRAW)
        return GameResult(Ending.POINTS, self.winner, self.margin)

    @property
    def zi(self) -> Fraction:
        """The margin in Chinese stones (子), half as many as points (`wei7core.record.points.zi_text` writes them)."""
        return to_zi(self.margin)

    def compare(self, result: GameResult | str) -> Agreement:
        """Return whether a stated result, a `GameResult` or a text as in RE, agrees with this score.

        Only counted games and draws can agree or differ. A margin in quarters, impossible in points, is read as Chinese
        stones (子) under area rules. Raises `ValueError` for a text that is no result.
        """
        stated = GameResult.parse(result) if isinstance(result, str) else result
        if not isinstance(stated, GameResult):
            raise TypeError(f"expected a GameResult or a text, got {result!r}")
        if stated.ending not in (Ending.POINTS, Ending.DRAW):
            return Agreement.CANNOT_BE_TOLD
        if stated.winner != self.winner:
            return Agreement.WINNER_DIFFERS
        if stated.margin is None or stated.margin == self.margin:
            return Agreement.AGREES
        is_zi = self.rules.scoring is Scoring.AREA and stated.margin.denominator == 4
        return Agreement.AGREES if is_zi and from_zi(stated.margin) == self.margin else Agreement.MARGIN_DIFFERS

    def __str__(self) -> str:
        return str(self.result)


def score(
    board: Board,
    rules: Rules | str,
    dead: Iterable[Point | str | Set[Point]] = (),
    komi: Exact | None = None,
    handicap: int = 0,
    *,
    seki: Iterable[Point | str | Set[Point]] = (),
    pass_alive: bool = False,
    prisoners: tuple[int, int] | None = None,
) -> Score:
    """Count the position on a board as if play had ended there.

    `rules`: a `wei7core.rules.Rules`, or the name of one. `dead`: points, `(x, y)` or "D4", or sets of them, such as
    `Block`s and `PointSet`s; each means its whole block, which is removed first. `komi`: in points (目); None takes
    that of the rules for such a game, 0 if they do not define it (`wei7core.record.points.from_zi` converts from 子).
    `handicap`: Black's stones; White gets their compensation by the rules, from 2 stones on (1 is the first move
    without komi). `seki`: stones in seki, as whole blocks, or empty points, as whole regions: if the rules count no
    points in seki (`Rules.seki`), these regions and those adjacent to the stones are neutral; else it has no effect.
    `prisoners`: stones that Black and White have captured in play; None takes the captures of the moves on the board,
    and with pass stones one for each pass in force.

    With `pass_alive` stones are also dead in a region that is vital to an alive block of the opponent
    (`Board.pass_alive`): one whose empty points are all liberties of that block. Nothing else is inferred: other stones
    inside an alive wall, living stones without two certain eyes, and seki must be given. It is valid only under rules
    that forbid suicide, and refused for others.

    Area: living stones, and empty points that reach only that color. Territory: such empty points, and prisoners, dead
    stones among them; points of regions that reach both colors, as before the last neutral points are filled, are
    neutral. Under rules without dead stones (`Dead.NONE`), `dead` and `pass_alive` are not allowed.

    Raises `ValueError` for rules without scoring, `pass_alive` with rules that allow suicide, an invalid dead or seki
    point, and an invalid komi, handicap or number of prisoners; `OffBoardError` (an `IndexError` and a `ValueError`)
    for a point off the board. The board does not change. Thread safety: no other thread may change the board during the
    call.
    """
    rules = named(rules)
    if rules.scoring is Scoring.NONE:
        raise ValueError(f"{rules.name} rules define no scoring")
    if not isinstance(board, Board):
        raise TypeError(f"a score is of a wei7core.Board, not of {type(board).__name__}")
    if isinstance(handicap, bool) or not hasattr(handicap, "__index__"):
        raise TypeError(f"a handicap is a number of stones, not {handicap!r}")
    if handicap < 0:
        raise ValueError(f"negative number of handicap stones {handicap}")
    if handicap > board.size[0] * board.size[1]:
        raise ValueError(f"{handicap} handicap stones are more than the board has points")
    if prisoners is not None:
        prisoners = _two_numbers(prisoners)
    if komi is None:
        komi = (rules.handicap_komi if handicap else rules.komi) or 0
    width, height = board.size
    gone = _whole_blocks(board, dead)
    if pass_alive and rules.suicide and rules.dead is not Dead.NONE:
        raise ValueError(f"{rules.name} rules allow suicide, so that no stones are unconditionally alive; pass dead=")
    if pass_alive:
        gone |= _dead_by_benson(board, gone)
    if rules.dead is Dead.NONE and (gone or pass_alive):
        raise ValueError(f"under {rules.name} rules no stone is dead at the end: all stones on the board are counted")
    if gone:
        before, board = board, board.copy(history=False)
        board.edit((EMPTY, point) for point in gone)
    else:
        before = board
    area = count_area(board)
    owners = area.owners
    territory = [area.black_territory, area.white_territory]
    held = _seki_regions(board, seki, gone)
    if held is not None and not rules.seki:
        for color in (BLACK, WHITE):
            territory[color - 1] -= int(np.count_nonzero(owners[held] == color))
        owners[held] = EMPTY
    owners.setflags(write=False)
    stones, captured = [area.black_stones, area.white_stones], [0, 0]
    if rules.scoring is Scoring.TERRITORY:
        stones = [0, 0]
        captured = list(_taken(before, rules) if prisoners is None else prisoners)
        for point in gone:
            captured[before[point] == BLACK] += 1
    compensation = rules.handicap_points(handicap) if handicap > 1 else 0
    black = Points(stones[0], territory[0], captured[0], Fraction(0), 0)
    white = Points(stones[1], territory[1], captured[1], to_fraction(komi), compensation)
    lead = black.total - white.total
    winner = BLACK if lead > 0 else WHITE if lead < 0 else rules.tie or None
    return Score(
        rules, black, white, winner, abs(lead), PointSet(gone, width, height, max_points=width * height), owners
    )


def _two_numbers(prisoners: Any) -> tuple[int, int]:
    try:
        black, white = map(operator.index, prisoners)
    except (TypeError, ValueError) as error:
        raise type(error)(f"prisoners are two numbers of stones, not {prisoners!r:.80}") from None
    if black < 0 or white < 0:
        raise ValueError(f"negative number of prisoners {prisoners!r:.80}")
    return black, white


def _points(board: Board, points: Iterable[Point | str | Set[Point]]) -> Iterable[Point]:
    for each in points:
        if isinstance(each, str):
            named_point = from_gtp(each, *board.size)
            if named_point is None:
                raise ValueError("a pass is no point of the board")
            yield named_point
        elif isinstance(each, Set):
            yield from each
        else:
            yield each


def _whole_blocks(board: Board, points: Iterable[Point | str | Set[Point]]) -> set[Point]:
    """The points of all blocks given by one or more of their points."""
    found: set[Point] = set()
    for point in _points(board, points):
        if board[point] == EMPTY:
            raise ValueError(f"there is no stone at {point} that could be dead")
        if tuple(point) not in found:
            found |= board.block(point)
    return found


def _dead_by_benson(board: Board, given: set[Point]) -> set[Point]:
    found: set[Point] = set()
    for color in (BLACK, WHITE):
        stones, territory = board.pass_alive(color)
        if not stones.isdisjoint(given):
            raise ValueError(f"the stone at {next(iter(stones & given))} cannot be captured, hence is not dead")
        found |= {point for point in territory if board[point]}
    return found


def _seki_regions(
    board: Board, points: Iterable[Point | str | Set[Point]], gone: Set[Point]
) -> npt.NDArray[np.bool_] | None:
    """The empty regions that are given, or adjacent to given blocks; dead stones are removed."""
    seeds: set[Point] = set()
    for point in _points(board, points):
        if tuple(point) in gone:
            raise ValueError(f"the stone at {point} cannot be in seki and dead")
        seeds |= {(point[0], point[1])} if board[point] == EMPTY else board.liberties(point)
    if not seeds:
        return None
    # With a black stone on every seed, and all others white, the regions of the seeds are those that reach Black.
    cells = board.to_array()
    marked = board.copy(history=False)
    marked.edit((WHITE, (int(x), int(y))) for y, x in np.argwhere(cells == BLACK))
    marked.edit((BLACK, seed) for seed in seeds)
    reached: npt.NDArray[np.bool_] = (cells == EMPTY) & (count_area(marked).owners != WHITE)
    return reached


def _taken(board: Board, rules: Rules) -> tuple[int, int]:
    """The prisoners of both colors by the moves in force."""
    passes = [color for color, point in board.moves() if point is None] if rules.pass_stones else []
    return board.white_captured + passes.count(WHITE), board.black_captured + passes.count(BLACK)
