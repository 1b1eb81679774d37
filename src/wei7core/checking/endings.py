"""The end of a game: its last position and last moves, compared with the stated result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from ..board.board import BLACK, WHITE
from ..record.points import decimal_text
from ..record.result import Ending, GameResult
from ..rules import Dead, Rules, Scoring
from .finding import FindingSeverity
from .header import Header, HeaderIssue

SHORTEST: Final = 18
"""A finished game has at least one move for this number of points of its board."""

LONGEST: Final = 3
"""The largest plausible number of moves of a game for each point of its board."""


class LastLine(NamedTuple):
    """The main line at its end: the size of the board, the moves in force, the passes at its end, the color of the last
    stone or pass (0: none).
    """

    width: int
    height: int
    moves: int
    last_passes: int
    last_color: int


class Lead(NamedTuple):
    """Points of area of Black and of White, with all stones alive."""

    black: int
    white: int


class Ground(NamedTuple):
    """Certain points of Black and White: unconditionally alive stones and their territory (Benson)."""

    black: int
    white: int


def is_won(header: Header) -> bool:
    """Return whether the result implies that the game was played."""
    return header.result is not None and header.result.ending not in (Ending.VOID, Ending.UNKNOWN)


def can_be_scored(header: Header) -> bool:
    """Return whether the last position alone may decide the result: by rules without the removal of dead stones."""
    rules = header.rules
    return (
        header.is_counted
        and header.komi is not None
        and rules.scoring is Scoring.AREA
        and rules.dead is Dead.NONE
        and rules.passes > 0
    )


def is_scored(header: Header, line: LastLine) -> bool:
    """Return whether the last position alone decides the result, play having ended by passes."""
    return can_be_scored(header) and header.rules.passes <= line.last_passes


def takes_ground(header: Header) -> bool:
    """Return whether the points of the board, or those certain, can contradict the result: by area rules with agreement
    on dead stones.
    """
    rules = header.rules
    return (
        header.is_counted and header.komi is not None and rules.scoring is Scoring.AREA and rules.dead is not Dead.NONE
    )


def ending_issues(
    header: Header, line: LastLine, lead: Callable[[], Lead], ground: Callable[[], Ground]
) -> Iterator[HeaderIssue]:
    """Yield the issues of the end of the game. `lead` and `ground` count the last position when needed."""
    yield from _length_issues(header, line)
    result, rules = header.result, header.rules
    if result is None:
        return
    if header.is_counted and line.last_passes < rules.passes and line.moves:
        ending = _number(line.last_passes)
        message = f"the game was counted, but ends with {ending}, where {rules.name} rules require {rules.passes}"
        evidence = {"passes": line.last_passes, "wanted": rules.passes}
        severity: FindingSeverity | None = (
            None if rules.dead is Dead.NONE else "info"
        )  # records of people omit passes if they agree on the count
        yield HeaderIssue("end-without-two-passes", "result", message, evidence, severity)
    if result.ending is Ending.RESIGNATION and line.last_color and line.last_color != result.winner:
        loser = _name(line.last_color)
        message = f"{loser} resigned after its own move: the stated result is {result}"
        yield HeaderIssue(
            "resign-side-mismatch", "result", message, {"result": str(result), "last_color": line.last_color}
        )
    if is_scored(header, line):
        yield from _score_issues(header, result, lead())
    elif takes_ground(header):
        certain = Ground(0, 0) if rules.suicide else ground()  # Benson's theorem does not hold with suicide
        yield from _ground_issues(header, result, certain, line.width * line.height)


def _length_issues(header: Header, line: LastLine) -> Iterator[HeaderIssue]:
    points = line.width * line.height
    evidence = {"moves": line.moves, "points": points}
    if is_won(header) and line.moves * SHORTEST < points:
        message = f"the game has a result, but only {line.moves} moves on {points} points"
        yield HeaderIssue("game-too-short", None, message, evidence)
    if line.moves > LONGEST * points:
        yield HeaderIssue("game-too-long", None, f"the game has {line.moves} moves on {points} points", evidence)


def _score_issues(header: Header, result: GameResult, lead: Lead) -> Iterator[HeaderIssue]:
    assert header.komi is not None
    black = lead.black - lead.white - header.komi - header.compensation
    winner = BLACK if black > 0 else WHITE if black < 0 else header.rules.tie or None
    score = GameResult(Ending.DRAW) if winner is None else GameResult(Ending.POINTS, winner, abs(black))
    evidence = {
        "result": str(result),
        "score": str(score),
        "black": lead.black,
        "white": lead.white,
        "komi": decimal_text(header.komi),
    }
    message = f"the last position is {score} by {header.rules.name} rules: the stated result is {result}"
    if result.winner != winner:
        yield HeaderIssue("result-winner-mismatch", "result", message, evidence)
    elif result.margin is not None and abs(black) not in _margins(result.margin, header.rules):
        yield HeaderIssue("result-score-mismatch", "result", message, evidence)


def _margins(margin: Fraction, rules: Rules) -> tuple[Fraction, ...]:
    """The possible readings of a margin: under area rules one in quarters is in Chinese stones."""
    return (2 * margin,) if rules.scoring is Scoring.AREA and margin.denominator == 4 else (margin,)


def _ground_issues(header: Header, result: GameResult, ground: Ground, points: int) -> Iterator[HeaderIssue]:
    """Stones that cannot be captured count, whatever the players agreed on."""
    assert header.komi is not None
    owed = header.komi + header.compensation
    least, most = 2 * ground.black - points - owed, points - 2 * ground.white - owed
    evidence = {"result": str(result), "black_holds": ground.black, "white_holds": ground.white}
    claims = [Fraction(0)]
    if result.ending is Ending.POINTS:
        assert result.margin is not None
        sign = 1 if result.winner == BLACK else -1
        claims = [sign * margin for margin in _margins(result.margin, header.rules)]
        if (sign > 0 and most < 0) or (sign < 0 and least > 0):
            message = (
                f"{_name(3 - (result.winner or 0))} has enough certain points to win: the stated result is {result}"
            )
            yield HeaderIssue("result-winner-mismatch", "result", message, evidence)
            return
    if not any(least <= claim <= most for claim in claims):
        held = f"Black has {ground.black} certain points, White {ground.white}"
        message = f"no count of the last position gives {result}: {held}"
        yield HeaderIssue("result-score-mismatch", "result", message, evidence)


def _number(passes: int) -> str:
    return "no pass" if passes == 0 else "one pass" if passes == 1 else f"{passes} passes"


def _name(color: int) -> str:
    return "Black" if color == BLACK else "White"
