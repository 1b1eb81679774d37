"""An engine's evaluation of a position: candidate moves, and figures of the position.

The same objects come from `kata-analyze` and `lz-analyze` of GTP and from KataGo's JSON protocol.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..coordinates import Point


@dataclass(slots=True)
class MoveInfo:
    """A candidate move.

    `move` is a point (x, y), None for a pass; `winrate`, `prior` and `lcb` (the lower bound of the win rate) are
    probabilities, 0 to 1; `score_lead` and `score_stdev` are in points; `utility` is the engine's own measure. Each is
    None if the engine does not report it. `order` counts from 0, the best; `pv` is the expected line, `move` first;
    `pv_visits` the visits after each of its moves. `extra` has all other values, by name.
    """

    move: Point | None
    visits: int = 0
    winrate: float | None = None
    score_lead: float | None = None
    score_stdev: float | None = None
    prior: float | None = None
    lcb: float | None = None
    utility: float | None = None
    order: int = 0
    pv: tuple[Point | None, ...] = ()
    pv_visits: tuple[int, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)


class Unread:
    """Holds a response whose values are read on first use."""

    __slots__ = ("unread",)
    unread: Any


@dataclass(slots=True)
class Report(Unread):
    """An engine's evaluation of a position at one time of its search.

    `moves` are the candidates, the best first. `visits`, `winrate`, `score_lead`, `score_stdev` and `utility` are
    those of the whole search, None if not reported. `ownership` has a number from -1 to 1 for each
    point, row by row from the top left. `extra` has all other values, by name.
    """

    moves: list[MoveInfo] = field(default_factory=list)
    visits: int | None = None
    winrate: float | None = None
    score_lead: float | None = None
    score_stdev: float | None = None
    utility: float | None = None
    ownership: list[float] | None = None
    ownership_stdev: list[float] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def best(self) -> MoveInfo | None:
        """The candidate of the lowest order, or None."""
        return min(self.moves, key=lambda info: info.order, default=None)
