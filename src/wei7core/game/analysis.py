"""Evaluations by engines, stored in properties of SGF: `Node.analysis`.

V is of FF[4] (section "Node annotation": positive values are good for Black), SBKV of Sabaki (Black's win rate in
percent). ANALYSIS is private: the visits, and the best move as a point of SGF or `pass`, with a colon between.

For a node without them, the forms of three programs are read. LZ of Lizzie: a first line of the engine's name, the win
rate in percent of the side that moved last, and the number of playouts, and a second line `move Q16 visits ...`.
Comments of KataGo's games: White wins, White loses, no result, White's lead, as `0.49 0.50 0.01 -0.3`, optionally with
`v=` visits. Comments with answers of Pachi on a server: `In 2039 playouts at 4 threads, black Q16 can win with 52.3%
probability`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal

from ..coordinates import from_gtp, from_sgf, to_sgf
from ..record.document import Move, Point
from .properties import set_property

if TYPE_CHECKING:
    from .nodes import Node

_SCORE: Final = "V"
_WINRATE: Final = "SBKV"
REST: Final = "ANALYSIS"
"""The property of the visits and the best move."""
_PASS: Final = "pass"
LIZZIE: Final = "LZ"
"""The property of Lizzie."""
_LIZZIE_LINE: Final = re.compile(
    r"\S+ ([0-9]{1,3}(?:\.[0-9]{1,9})?) ([0-9]{1,9}(?:\.[0-9])?)([km]?)\b", re.ASCII | re.I
)
_LIZZIE_BEST: Final = re.compile(r"\n(?:info )?move (\w{2,4}) ", re.ASCII)
_KATAGO: Final = re.compile(
    r"(?<!\S)([01]\.[0-9]{2}) ([01]\.[0-9]{2}) ([01]\.[0-9]{2}) (-?[0-9]{1,4}\.[0-9])(?: v=([0-9]{1,9}))?(?!\S)",
    re.ASCII,
)
_PACHI: Final = re.compile(
    r"In ([0-9]{1,12}) playouts at [0-9]{1,6} (?:threads|machines), (black|white) (\w{2,4}) can win with "
    r"([0-9]{1,3}\.[0-9]{1,2})% probability",
    re.ASCII,
)
_ROUNDED: Final = 0.021  # tolerance of a sum of three numbers of two decimals
_WHITE: Final = 2
_MOST_DIGITS: Final = 18
_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Analysis:
    """The evaluation of a position by an engine, from Black's side.

    `winrate` is Black's, 0 to 1; `score_lead` in points, positive if Black leads; `visits` of the search; `best` the
    engine's move, (x, y) or "pass". None if unknown. Raises `ValueError` for a number out of range.
    """

    winrate: float | None = None
    score_lead: float | None = None
    visits: int | None = None
    best: Point | Literal["pass"] | None = None

    def __post_init__(self) -> None:
        if self.winrate is not None and not 0 <= self.winrate <= 1:
            raise ValueError(f"a win rate is 0 to 1, not {self.winrate!r}")
        if self.score_lead is not None and not isfinite(self.score_lead):
            raise ValueError(f"a lead is a number of points, not {self.score_lead!r}")
        if self.visits is not None and self.visits < 0:
            raise ValueError(f"a number of visits is 0 or more, not {self.visits!r}")


def analysis_at(node: Node) -> Analysis | None:
    """Return the analysis in the properties of a node; None without a readable one."""
    properties = node.properties
    score = _number(properties, _SCORE)
    percent = _number(properties, _WINRATE)
    visits, best = _rest(node)
    winrate = None if percent is None or not 0 <= percent <= 100 else round(percent / 100, _DECIMALS + 2)
    found = Analysis(winrate, score, visits, best)
    return _of_lizzie(node) or _of_katago(node.comment) or _of_pachi(node) if found == Analysis() else found


def _of_lizzie(node: Node) -> Analysis | None:
    text = next(iter(node.properties.get(LIZZIE, ())), "")
    match = _LIZZIE_LINE.match(text)
    if match is None or float(match[1]) > 100:
        return None
    action = node.step.action if node.step is not None else None
    rate = float(match[1]) if isinstance(action, Move) and action.color != _WHITE else 100 - float(match[1])
    best = _LIZZIE_BEST.search(text)
    visits = round(float(match[2]) * {"": 1, "k": 1_000, "m": 1_000_000}[match[3].lower()])
    return Analysis(round(rate / 100, _DECIMALS + 2), None, visits, None if best is None else _named(node, best[1]))


def _named(node: Node, name: str) -> Point | Literal["pass"] | None:
    """The point of a name of GTP; None for an invalid one."""
    try:
        return from_gtp(name, *node.game.size) or "pass"
    except ValueError:
        return None


def _of_katago(comment: str | None) -> Analysis | None:
    match = _KATAGO.search(comment or "")
    if match is None:
        return None
    _, loses, nothing = shares = [float(match[k]) for k in (1, 2, 3)]
    if abs(sum(shares) - 1) > _ROUNDED:
        return None
    lead = -float(match[4]) or 0.0
    return Analysis(round(min(loses + nothing / 2, 1), _DECIMALS), lead, None if match[5] is None else int(match[5]))


def _of_pachi(node: Node) -> Analysis | None:
    match = _PACHI.search(node.comment or "")
    if match is None or float(match[4]) > 100:
        return None
    rate = float(match[4]) if match[2] == "black" else 100 - float(match[4])
    return Analysis(round(rate / 100, _DECIMALS + 2), None, int(match[1]), _named(node, match[3]))


def set_analysis(node: Node, value: Analysis | None) -> None:
    """Change the three properties of a node. Raises `TypeError` for another type, and as `Game.set` does."""
    if not isinstance(value, Analysis | None):
        raise TypeError(f"the analysis of a node is an Analysis or None, not {value!r:.80}")
    analysis = Analysis() if value is None else value
    size = node.game.size
    best = "" if analysis.best is None else _PASS if analysis.best == _PASS else to_sgf(analysis.best, *size)
    visits = "" if analysis.visits is None else str(analysis.visits)
    values = {
        _SCORE: None if analysis.score_lead is None else _decimal(analysis.score_lead),
        _WINRATE: None if analysis.winrate is None else _decimal(100 * analysis.winrate),
        REST: (f"{visits}:{best}",) if visits or best else None,
    }
    for name, text in values.items():
        if text is not None or name in node.properties:
            set_property(node.game, name, text, node)


def _rest(node: Node) -> tuple[int | None, Point | Literal["pass"] | None]:
    count, _, name = next(iter(node.properties.get(REST, ())), "").partition(":")
    visits = int(count) if count.isascii() and count.isdigit() and len(count) <= _MOST_DIGITS else None
    if name == _PASS:
        return visits, _PASS
    try:
        return visits, from_sgf(name, *node.game.size) if name else None
    except ValueError:
        return visits, None


def _number(properties: Mapping[str, tuple[str, ...]], name: str) -> float | None:
    text = next(iter(properties.get(name, ())), "")
    try:
        number = float(text) if "_" not in text else float("nan")
    except ValueError:
        return None
    return number if isfinite(number) else None


def _decimal(number: float) -> str:
    """A number with six decimals at most, without an exponent, as a real of FF[4]."""
    text = f"{number:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
