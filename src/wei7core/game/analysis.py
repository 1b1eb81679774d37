"""What an engine says of a node, kept in properties of SGF: `Node.analysis`.

V is of FF[4] (section "Node annotation": positive values are good for Black), SBKV of Sabaki (Black's win rate in
percent). ANALYSIS is private: the visits, and the best move as a point of SGF or `pass`, with a colon between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal

from ..coordinates import from_sgf, to_sgf
from ..record.document import Point
from .properties import set_property

if TYPE_CHECKING:
    from .nodes import Node

__all__ = ["Analysis", "analysis_at", "set_analysis"]

_SCORE: Final = "V"
_WINRATE: Final = "SBKV"
_REST: Final = "ANALYSIS"
_PASS: Final = "pass"
_MOST_DIGITS: Final = 18
_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine says of a position, from Black's side.

    `winrate` is Black's, 0 to 1; `score_lead` in points, more than 0 where Black leads; `visits` of the search; `best`
    the engine's move, (x, y) or "pass". None where it is not known. Raises `ValueError` for a number out of range.
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
    """Return what the properties of a node say; None where they say nothing that can be read."""
    properties = node.properties
    score = _number(properties, _SCORE)
    percent = _number(properties, _WINRATE)
    visits, best = _rest(node)
    winrate = None if percent is None or not 0 <= percent <= 100 else round(percent / 100, _DECIMALS + 2)
    found = Analysis(winrate, score, visits, best)
    return None if found == Analysis() else found


def set_analysis(node: Node, value: Analysis | None) -> None:
    """Change the three properties of a node. Raises `TypeError` for another type, and what `Game.set` raises."""
    if not isinstance(value, Analysis | None):
        raise TypeError(f"the analysis of a node is an Analysis or None, not {value!r:.80}")
    said = Analysis() if value is None else value
    size = node.game.size
    best = "" if said.best is None else _PASS if said.best == _PASS else to_sgf(said.best, *size)
    visits = "" if said.visits is None else str(said.visits)
    values = {
        _SCORE: None if said.score_lead is None else _decimal(said.score_lead),
        _WINRATE: None if said.winrate is None else _decimal(100 * said.winrate),
        _REST: (f"{visits}:{best}",) if visits or best else None,
    }
    for name, text in values.items():
        if text is not None or name in node.properties:
            set_property(node.game, name, text, node)


def _rest(node: Node) -> tuple[int | None, Point | Literal["pass"] | None]:
    count, _, name = next(iter(node.properties.get(_REST, ())), "").partition(":")
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
