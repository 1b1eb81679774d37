"""Properties of SGF as typed facts: dates, clocks, numbers of moves, verdicts, lines, territory, views, figures."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from ...coordinates import sgf_point
from ...record.document import Point, Properties
from .info import seconds
from .properties import points
from .text_values import simple_text

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SgfFacts:
    """The typed values of the properties of an SGF node; absent and invalid ones (by FF[4]) are None or empty.

    Of the game: `dates` (DT) are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, short forms written out; `time_limit` (TM) is in
    seconds; `overtime` (OT) is free text; `handicap` (HA) a number of stones; `application` (AP) name and version;
    `variation_style` (ST) a number.

    Of the move: `move_number` (MN); `seconds_left` (BL, WL) and `moves_left` (OB, OW), the moves to make in this
    period, by color; `is_forced` (KO), `is_interesting` (IT), `is_doubtful` (DO); `good` (TE) and `bad` (BM), 1 or 2
    for very.

    Of the position: `name` (N); `to_play` (PL); `even`, `good_for_black`, `good_for_white`, `unclear` and `hotspot`
    (DM, GB, GW, UC, HO), 1 or 2 for emphasis; `value` (V), points in favour of Black; `territory` (TB, TW) by color;
    `arrows` (AR) and `lines` (LN) from point to point; `dimmed` (DD) and `view` (VW) are points, none of them where a
    value clears what earlier nodes set, None where the property is absent.

    Of printing: `figure` (FG) is flags and a title, (0, "") for an empty one; `print_mode` (PM).

    Points are (x, y) from the upper left, colors 1 (black) and 2 (white). Immutable; any thread may use one.
    """

    dates: tuple[str, ...] = ()
    time_limit: float | None = None
    overtime: str | None = None
    handicap: int | None = None
    application: tuple[str, str] | None = None
    variation_style: int | None = None
    move_number: int | None = None
    seconds_left: Mapping[int, float] = field(default_factory=dict)
    moves_left: Mapping[int, int] = field(default_factory=dict)
    is_forced: bool = False
    is_interesting: bool = False
    is_doubtful: bool = False
    good: int | None = None
    bad: int | None = None
    name: str | None = None
    to_play: int | None = None
    even: int | None = None
    good_for_black: int | None = None
    good_for_white: int | None = None
    unclear: int | None = None
    hotspot: int | None = None
    value: float | None = None
    territory: Mapping[int, frozenset[Point]] = field(default_factory=dict)
    arrows: tuple[tuple[Point, Point], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    dimmed: frozenset[Point] | None = None
    view: frozenset[Point] | None = None
    figure: tuple[int, str] | None = None
    print_mode: int | None = None


def sgf_facts(properties: Properties, size: tuple[int, int] = (19, 19)) -> SgfFacts:
    """Return the typed values of the properties of one node: `Game.properties`, `Step.properties`, those of a `Node`.

    `properties` maps names to values as they are written between brackets; `size` is (width, height), by which points
    are read. Never raises for the content of values. The properties of the root must be complete: FF decides the unit
    of TM (FF[1]: minutes). Pure; any thread may call it. Clauses: FF[4], properties; dates as its DT.
    """
    values = {name: read(properties) for name, read in _READERS.items()}
    return SgfFacts(**values, **{name: read(properties, size) for name, read in _READERS_OF_POINTS.items()})


def _first(properties: Properties, name: str) -> str | None:
    values = properties.get(name)
    return simple_text(values[0]).strip() if values else None


def _text(name: str) -> Callable[[Properties], str | None]:
    return lambda properties: _first(properties, name) or None


def _one(name: str, read: Callable[[str], _T | None]) -> Callable[[Properties], _T | None]:
    return lambda properties: None if (value := _first(properties, name)) is None else read(value)


def _flag(name: str) -> Callable[[Properties], bool]:
    return lambda properties: name in properties


def _by_color(black: str, white: str, read: Callable[[str], _T | None]) -> Callable[..., dict[int, _T]]:
    def both(properties: Properties) -> dict[int, _T]:
        texts = {1: _first(properties, black), 2: _first(properties, white)}
        found = {color: read(text) for color, text in texts.items() if text is not None}
        return {color: value for color, value in found.items() if value is not None}

    return both


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _count(text: str) -> int | None:
    return None if text.startswith("-") else _number(text)


def _real(text: str) -> float | None:
    return float(text) if _REAL.fullmatch(text) else None


def _double(text: str) -> int | None:
    return int(text) if text in ("1", "2") else None


def color_of(value: str) -> int | None:
    """Return the color that a value such as that of PL names, None for any other."""
    return {"b": 1, "1": 1, "black": 1, "w": 2, "2": 2, "white": 2}.get(value.lower())


_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)
_REAL: Final = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})", re.ASCII)


def _time_limit(properties: Properties) -> float | None:
    values = properties.get("TM")
    return _real(seconds(values, properties)[0].strip()) if values else None


def _halves(value: str) -> tuple[str, str | None]:
    """Both halves of a composed value as they are written; the second one is None where there is no colon."""
    match = _COMPOSED.fullmatch(value)
    return (value, None) if match is None else (match[1], match[2])


_COMPOSED: Final = re.compile(r"((?:[^\\:]|\\.)*):(.*)", re.DOTALL)


def _figure(properties: Properties) -> tuple[int, str] | None:
    values = properties.get("FG")
    if not values:
        return None
    flags, title = _halves(values[0])
    return (0, simple_text(flags)) if title is None else (_number(flags.strip()) or 0, simple_text(title))


def _application(properties: Properties) -> tuple[str, str] | None:
    if not properties.get("AP"):
        return None
    name, version = (simple_text(half or "").strip() for half in _halves(properties["AP"][0]))
    return (name, version) if name or version else None


def _set_of_points(name: str) -> Callable[[Properties, tuple[int, int]], frozenset[Point] | None]:
    def read(properties: Properties, size: tuple[int, int]) -> frozenset[Point] | None:
        return frozenset(points(properties[name], *size)) if name in properties else None

    return read


def _territory(properties: Properties, size: tuple[int, int]) -> dict[int, frozenset[Point]]:
    return {
        color: frozenset(points(properties[name], *size))
        for color, name in ((1, "TB"), (2, "TW"))
        if name in properties
    }


def _pairs(name: str) -> Callable[[Properties, tuple[int, int]], tuple[tuple[Point, Point], ...]]:
    def read(properties: Properties, size: tuple[int, int]) -> tuple[tuple[Point, Point], ...]:
        halves = map(_halves, properties.get(name, ()))
        ends = [(sgf_point(one.strip(), *size), sgf_point((other or "").strip(), *size)) for one, other in halves]
        return tuple((one, other) for one, other in ends if one is not None and other is not None)

    return read


# --- dates -----------------------------------------------------------------------


def _dates(properties: Properties) -> tuple[str, ...]:
    return dates(_first(properties, "DT") or "")


def dates(value: str) -> tuple[str, ...]:
    """Return the dates of a value of DT, short forms written out; none where one of them cannot be read."""
    found: list[str] = []
    last: tuple[int, ...] = ()
    for text in value.split(","):
        match = _DATE.fullmatch(text.strip())
        if match is None:
            return ()
        last = _whole(tuple(map(int, _DIGITS.findall(text))), match["year"] is not None, last)
        if not last or not _is_date(*last):
            return ()
        found.append("-".join([f"{last[0]:04}", *(f"{part:02}" for part in last[1:])]))
    return tuple(found)


def _whole(parts: tuple[int, ...], has_year: bool, last: tuple[int, ...]) -> tuple[int, ...]:
    """The year, month and day of a date whose first parts are those of the date before it; () where they are not."""
    if has_year:
        return parts
    if len(parts) == 2:
        return (last[0], *parts) if len(last) > 1 else ()
    return (*last[:-1], *parts) if len(last) > 1 else ()


def _is_date(year: int, month: int = 1, day: int = 1) -> bool:
    return year > 0 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


# Separators other than the dash of FF[4] are common, and with a year of four digits first there is no doubt.
_DATE: Final = re.compile(r"(?P<year>[0-9]{4})(?:([-./])[0-9]{1,2}(?:\2[0-9]{1,2})?)?|[0-9]{2}(?:-[0-9]{2})?", re.ASCII)
_DIGITS: Final = re.compile(r"[0-9]+", re.ASCII)

_READERS: Final[Mapping[str, Callable[[Properties], Any]]] = {
    "dates": _dates,
    "time_limit": _time_limit,
    "overtime": _text("OT"),
    "handicap": _one("HA", _count),
    "application": _application,
    "variation_style": _one("ST", _number),
    "move_number": _one("MN", _number),
    "seconds_left": _by_color("BL", "WL", _real),
    "moves_left": _by_color("OB", "OW", _number),
    "is_forced": _flag("KO"),
    "is_interesting": _flag("IT"),
    "is_doubtful": _flag("DO"),
    "good": _one("TE", _double),
    "bad": _one("BM", _double),
    "name": _text("N"),
    "to_play": _one("PL", color_of),
    "even": _one("DM", _double),
    "good_for_black": _one("GB", _double),
    "good_for_white": _one("GW", _double),
    "unclear": _one("UC", _double),
    "hotspot": _one("HO", _double),
    "value": _one("V", _real),
    "figure": _figure,
    "print_mode": _one("PM", _number),
}

_READERS_OF_POINTS: Final[Mapping[str, Callable[[Properties, tuple[int, int]], Any]]] = {
    "territory": _territory,
    "arrows": _pairs("AR"),
    "lines": _pairs("LN"),
    "dimmed": _set_of_points("DD"),
    "view": _set_of_points("VW"),
}
