"""The header of a record, and its issues before any move is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from ..board.board import BLACK
from ..formats.headers import komi_of, whole_number
from ..formats.sgf.facts import color_of
from ..formats.sgf.text_values import simple_text
from ..game.game import Game
from ..record.document import Info, Properties
from ..record.points import decimal_text, to_fraction, zi_text
from ..record.result import Ending, GameResult
from ..rules import PERMISSIVE, Rules, Scoring
from .finding import FindingSeverity

UNNAMED: Final[Rules] = replace(PERMISSIVE, name="unnamed")
"""The rules of a record without known rules: no move is forbidden, but colors should alternate."""

_MOST_KOMI: Final = 10  # points; clause 3.10.1 of wei7 allows less
_STANDARD_RESULT: Final = re.compile(
    r"0|Draw|Void|\?|[BW]\+(?:R|Resign|T|Time|F|Forfeit|[0-9]+(?:\.[0-9]+)?)?", re.ASCII
)


class HeaderIssue(NamedTuple):
    """An issue of a record: its code, its member of the header, and its message.

    `member` is `komi`, `result`, `handicap`, or None for the record as a whole. `severity` None is that of the code.
    """

    code: str
    member: str | None
    message: str
    evidence: Mapping[str, Any] = {}
    severity: FindingSeverity | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The parsed header of a record.

    `rules` are those of the check. `komi` is in points (目), None without a readable one, and `result` the stated
    result; `is_counted` if it comes from counting. `handicap` is the stated number of stones, None without a number.
    `first` is the stated color to play first, or None. `issues` are the issues of the header.
    """

    rules: Rules
    komi: Fraction | None
    result: GameResult | None
    handicap: int | None
    first: int | None
    issues: tuple[HeaderIssue, ...] = field(compare=False)

    @property
    def is_counted(self) -> bool:
        """Whether the result was found by counting."""
        return self.result is not None and self.result.ending in (Ending.POINTS, Ending.DRAW)

    @property
    def compensation(self) -> int:
        """White's points for handicap stones, by the rules."""
        return self.rules.handicap_points(self.handicap) if self.handicap is not None and self.handicap > 1 else 0


def header_of(game: Game, rules: Rules | None) -> Header:
    """Return the header of a game, checked by `rules`, or by those that it names. Thread safe."""
    judged_by = rules or game.rules or UNNAMED
    info, properties = game.info, game.properties
    handicap = whole_number(_text_of(properties, "HA") or "")
    komi = komi_of(info, judged_by)
    result = game.result
    issues = [
        *_komi_issues(info, properties, komi),
        *_result_issues(info, properties, result),
        *_handicap_issues(properties, handicap),
    ]
    header = Header(judged_by, komi, result, handicap, color_of(_text_of(properties, "PL") or ""), ())
    return replace(header, issues=(*issues, *_contradictions(header)))


def _text_of(properties: Properties, name: str) -> str | None:
    values = properties.get(name)
    text = simple_text(values[0]).strip() if values else ""
    return text or None


def _komi_issues(info: Info, properties: Properties, points: Fraction | None) -> Iterator[HeaderIssue]:
    written = _text_of(properties, "KM")
    komi = None if info.rules is None else info.rules.komi
    if written is not None and komi is None:
        message = f"the komi is not a number of points: {_shown(written)}"
        yield HeaderIssue("komi-out-of-range", "komi", message, {"written": written})
        return
    if komi is None or points is None:
        return
    number = to_fraction(komi)
    spelled = decimal_text(number) if written is None else written
    evidence = {"written": spelled, "points": decimal_text(points)}
    if number != points:
        message = f"a komi of {spelled} is in Chinese stones (子): {zi_text(number)} are {decimal_text(points)} points"
        yield HeaderIssue("komi-dialect", "komi", message, evidence)
    elif number and number * 100 == _real(spelled):
        message = f"a komi of {spelled} is in hundredths of a point: it is read as {decimal_text(points)}"
        yield HeaderIssue("komi-dialect", "komi", message, evidence)
    if not 0 <= points < _MOST_KOMI or points.denominator > 2:
        message = f"a komi of {decimal_text(points)} points is none of 0 to 9.5 in halves"
        yield HeaderIssue("komi-out-of-range", "komi", message, evidence)


def _real(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except ValueError:
        return None


def _result_issues(info: Info, properties: Properties, result: GameResult | None) -> Iterator[HeaderIssue]:
    written = _text_of(properties, "RE")
    if written is None:
        if info.result is not None and result is None:
            yield HeaderIssue("result-syntax", "result", "the result has an invalid winner or margin")
        elif result is None:
            yield HeaderIssue("result-missing", None, "the record has no result")
        return
    if result is None:
        try:
            result = GameResult.parse(written)
        except ValueError:
            message = f"{_shown(written)} is not a result of a game"
            yield HeaderIssue("result-syntax", "result", message, {"written": written})
            return
    if not _STANDARD_RESULT.fullmatch(written):
        message = f"non-standard result {_shown(written)}, read as {result}"
        yield HeaderIssue("result-syntax", "result", message, {"written": written, "read": str(result)})


def _handicap_issues(properties: Properties, handicap: int | None) -> Iterator[HeaderIssue]:
    written = _text_of(properties, "HA")
    if written is not None and handicap is None:
        message = f"the handicap is not a number of stones: {_shown(written)}"
        yield HeaderIssue("handicap-count-mismatch", "handicap", message, {"written": written})


def _contradictions(header: Header) -> Iterator[HeaderIssue]:
    """Results that are impossible with this komi, whatever was played: scores without komi are whole numbers."""
    result, rules = header.result, header.rules
    if result is None or header.komi is None or not header.is_counted:
        return
    komi = header.komi + header.compensation
    evidence = {"result": str(result), "komi": decimal_text(header.komi)}
    if result.ending is Ending.DRAW:
        if komi.denominator != 1:
            message = f"a game with a komi of {decimal_text(header.komi)} points cannot be a draw"
            yield HeaderIssue("draw-impossible", "result", message, evidence)
        elif rules.tie:
            winner = "Black" if rules.tie == BLACK else "White"
            message = f"{rules.name} rules have no draws: {winner} wins a tie"
            yield HeaderIssue("draw-impossible", "result", message, evidence)
        return
    assert result.margin is not None
    margin = result.margin
    if rules.scoring is Scoring.AREA and margin.denominator == 4:
        margin *= 2
    if (margin + komi).denominator != 1:
        message = f"no game with a komi of {decimal_text(header.komi)} points ends {result}"
        yield HeaderIssue("result-parity-impossible", "result", message, evidence)


def _shown(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= 40 else plain[:36] + " ..."
