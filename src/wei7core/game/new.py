"""The header of a new game: names, komi, rules, date and handicap stones."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Final

from .._util.numbers import integer
from ..record.document import Point, Setup, Stone
from ..rules import Rules, named

if TYPE_CHECKING:
    from .game import Game


_OF_FF4: Final = {"aga": "AGA", "ing": "GOE", "new-zealand": "NZ"}
"""Names that FF[4] prescribes for RU."""


def set_rules(game: Game, rules: Rules | str) -> None:
    """Set the rules of a game. Raises `ValueError` for an unknown name."""
    name = named(rules).name
    game.set("RU", _OF_FF4.get(name, name.title()))


def set_date(game: Game, date: str | datetime.date) -> None:
    """Set the start of a game: in `info.time` with a time of day, else as DT of SGF."""
    if isinstance(date, datetime.datetime):
        utc = date if date.tzinfo is None else date.astimezone(datetime.timezone.utc)
        game.info.time = utc.replace(tzinfo=None).isoformat(timespec="auto") + "Z"
    elif isinstance(date, str) and "T" in date:
        game.info.time = date
    elif isinstance(date, (str, datetime.date)):
        game.set("DT", date if isinstance(date, str) else date.isoformat())
    else:
        raise TypeError(f"a date is a text, a datetime.date or a datetime.datetime, not {date!r}")


def set_handicap(game: Game, stones: int) -> None:
    """Set up handicap stones. Raises `ValueError` for a number that the board has no points for."""
    stones = integer("handicap", stones)
    points = handicap_points(*game.size, stones)
    game.tree.pre = Setup([Stone(1, point) for point in points])
    game.set("HA", stones)


def handicap_points(width: int, height: int, count: int) -> list[Point]:
    """Return the points of handicap stones, in the order of GTP (version 2, 4.1.1).

    Raises `ValueError` unless count is 2 to 9, or 2 to 4 on a board with an even side or one below 9 points.
    """
    least = min(width, height)
    most = 0 if least < 7 else 9 if least > 7 and width % 2 and height % 2 else 4
    if not 2 <= count <= most:
        allowed = f"2 to {most} handicap stones" if most else "no points for handicap stones"
        raise ValueError(f"a board of {width} x {height} points has {allowed}, not {count}")
    left, top = (2 if side < 13 else 3 for side in (width, height))
    right, bottom, x, y = width - 1 - left, height - 1 - top, width // 2, height // 2
    corners = [(left, bottom), (right, top), (left, top), (right, bottom)]
    sides = [(left, y), (right, y)] if count > 5 else []
    sides += [(x, top), (x, bottom)] if count > 7 else []
    return [*corners[:count], *sides, *([(x, y)] if count > 4 and count % 2 else [])]
