"""Names of points: those of GTP and of printed boards ("D4"), those of SGF ("dd"), and the x and y of wei7 ("3,15").

    from wei7core import coordinates

    board.play(w7.BLACK, coordinates.from_gtp("Q16", 19, 19))
    coordinates.from_text("pd", 19, 19, system="sgf")

A point is (x, y) from the upper left, as everywhere here; a pass is None. Knows nothing of boards but their size.
Every function is pure and safe to call from several threads.
"""

from __future__ import annotations

import re
from typing import Final

from .errors import OffBoardError

__all__ = [
    "SGF_LETTERS",
    "SYSTEMS",
    "column_name",
    "from_gtp",
    "from_sgf",
    "from_text",
    "gtp_point",
    "named_point",
    "point_name",
    "sgf_name",
    "sgf_point",
    "to_gtp",
    "to_sgf",
    "to_text",
]

Point = tuple[int, int]

_COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_GTP: Final = re.compile(r"([A-HJ-Z]+)([0-9]+)", re.ASCII | re.IGNORECASE)
_MOST_DIGITS: Final = 10
_MOST_BITS: Final = 256  # of a coordinate that a message has

SGF_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The coordinates that SGF has, from 0; so a side of a board has at most 52 points."""

_FIRST_CAPITAL: Final = 26
_SGF: Final = re.compile(r"\s*([a-zA-Z])([a-zA-Z])\s*", re.ASCII)
_SGF_PASS: Final = "tt"
_MOST_WITH_SGF_PASS: Final = 19

SYSTEMS: Final = ("gtp", "sgf", "xy")
"""The systems of names that text can be in: "D4", "dd", and the x and y of wei7 from 0, "3,15"."""

_XY: Final = re.compile(r"\s*\(?\s*([0-9]{1,10})\s*,\s*([0-9]{1,10})\s*\)?\s*", re.ASCII)
_PASS: Final = "pass"


# --- GTP, and boards as they are printed ------------------------------------------------------------


def column_name(x: int) -> str:
    """Return the letters of column `x` (from 0): A .. H, J .. Z, AA, AB ..; raise ValueError if x < 0."""
    if x < 0:
        raise ValueError(f"column {x} is negative")
    name = ""
    x += 1
    while x:
        x, letter = divmod(x - 1, len(_COLUMNS))
        name = _COLUMNS[letter] + name
    return name


def point_name(point: Point, height: int) -> str:
    """Return the usual name of `point` on a board of that height: (3, 3) of 19 is D16."""
    x, y = point
    return f"{column_name(x)}{height - y}"


def to_gtp(point: Point | None, width: int, height: int) -> str:
    """Return the vertex of GTP that names a point of a board of that size: "D16"; "pass" for None.

    GTP (version 2, 2.11) has the letters A to Z without I, and so 25 columns. Columns beyond go on with AA, AB .. AZ
    (no I), BA .., as KataGo and Sabaki name them. Raises `OffBoardError` for a point off the board.
    """
    if point is None:
        return "pass"
    _require(point, width, height)
    return point_name(point, height)


def from_gtp(vertex: str, width: int, height: int) -> Point | None:
    """Return the point that a vertex of GTP names on a board of that size, in capitals or small letters; None: a pass.

    Raises `ValueError` for another text, "resign" among them, and `OffBoardError` (a `ValueError`) for a point that
    the board does not have.
    """
    point = gtp_point(vertex, height)
    if point is not None:
        _require(point, width, height, vertex)
    return point


def gtp_point(vertex: str, height: int) -> Point | None:
    """Return the point that a vertex of GTP names on a board of that height and any width, on it or not.

    Raises what `from_gtp` raises, but for a point that the board does not have.
    """
    text = _text(vertex, "a vertex").strip()
    if text.lower() == _PASS:
        return None
    match = _GTP.fullmatch(text)
    if match is None or len(match[1]) > _MOST_DIGITS or len(match[2]) > _MOST_DIGITS:
        other = '; names of SGF need system="sgf"' if _SGF.fullmatch(text) else ""
        raise ValueError(f'a vertex is letters without I and a number, as "D4", or "pass", not {_shown(vertex)}{other}')
    x = -1
    for letter in match[1].upper():
        x = (x + 1) * len(_COLUMNS) + _COLUMNS.index(letter)
    return x, height - int(match[2])


# --- SGF -----------------------------------------------------------------------------------------------


def to_sgf(point: Point | None, width: int, height: int) -> str:
    """Return the two letters that name a point in SGF: (3, 15) is "dp"; "" for None, a pass as FF[4] writes it.

    Raises `OffBoardError` for a point off the board, and `ValueError` for one that SGF cannot name: it has letters
    for 52 columns and rows.
    """
    if point is None:
        return ""
    _require(point, width, height)
    if max(point) >= len(SGF_LETTERS):
        raise ValueError(f"SGF has letters for {len(SGF_LETTERS)} columns and rows, and none for the point {point}")
    return sgf_name(point)


def from_sgf(value: str, width: int, height: int) -> Point | None:
    """Return the point that a value of SGF names on a board of that size; None: a pass.

    A pass is "", and on boards of up to 19 columns and rows also "tt", as FF[3] writes it. On a side of up to 26 points
    capitals count as small letters, as old files have them.
    Raises `ValueError` for another text and `OffBoardError` (a `ValueError`) for a point that the board does not have.
    """
    text = _text(value, "a value of SGF").strip()
    if text == "" or (text == _SGF_PASS and max(width, height) <= _MOST_WITH_SGF_PASS):
        return None
    match = _SGF.fullmatch(text)
    if match is None:
        raise ValueError(f'a point of SGF is two letters, as "dd", not {_shown(value)}')
    point = sgf_point(text, width, height)
    if point is None:
        _require((SGF_LETTERS.index(match[1]), SGF_LETTERS.index(match[2])), width, height, value)
    return point


def sgf_name(point: Point) -> str:
    """Return the two letters of a point. Raises `IndexError` for a coordinate that SGF has no letter for."""
    return SGF_LETTERS[point[0]] + SGF_LETTERS[point[1]]


def sgf_point(value: str, width: int, height: int) -> Point | None:
    """Return the point that two letters name on a board of that size, or None; capitals count as small letters."""
    match = _SGF.fullmatch(value)
    if match is None:
        return None
    x, y = SGF_LETTERS.index(match[1]), SGF_LETTERS.index(match[2])
    if width <= _FIRST_CAPITAL <= x:
        x -= _FIRST_CAPITAL
    if height <= _FIRST_CAPITAL <= y:
        y -= _FIRST_CAPITAL
    return (x, y) if x < width and y < height else None


# --- any system ----------------------------------------------------------------------------------------


def from_text(text: str, width: int, height: int, system: str = "gtp") -> Point | None:
    """Return the point that a text names on a board of that size; None: a pass.

    `system` is one of `SYSTEMS`. "pass" is a pass in each, and what `from_sgf` takes for one in "sgf".
    Raises `ValueError` for another system and for a text that names no point in it, and `OffBoardError` (a
    `ValueError`) for a point that the board does not have.
    """
    point = named_point(text, width, height, system)
    if point is not None:
        _require(point, width, height, text)
    return point


def to_text(point: Point | None, width: int, height: int, system: str = "gtp") -> str:
    """Return the name of a point in one of `SYSTEMS`: "D16", "dd", "3,3"; of None, a pass, "pass" or "" of SGF.

    Raises `ValueError` for another system, and what `to_gtp` and `to_sgf` raise.
    """
    if system == "gtp":
        return to_gtp(point, width, height)
    if system == "sgf":
        return to_sgf(point, width, height)
    _require_system(system)
    if point is None:
        return _PASS
    _require(point, width, height)
    return f"{point[0]},{point[1]}"


def named_point(text: str, width: int, height: int, system: str) -> Point | None:
    """Return the point that a text names, as `from_text`, on the board or not."""
    if system == "gtp":
        return gtp_point(text, height)
    _require_system(system)
    name = _text(text, "the name of a point").strip()
    if name.lower() == _PASS:
        return None
    if system == "xy":
        pair = _XY.fullmatch(name)
        if pair is None:
            raise ValueError(f'a point is x and y, as "3,15", or "pass", not {_shown(text)}')
        return int(pair[1]), int(pair[2])
    try:
        return from_sgf(text, width, height)
    except OffBoardError as error:
        return error.point


class _Given(tuple[int, int]):
    """A point with the text that it was given as."""

    text: str


def given_point(text: str, width: int, height: int, system: str) -> Point | str:
    """Return the point that a text names, as `named_point`, with the text for `given_text`; "pass" for a pass."""
    point = named_point(text, width, height, system)
    if point is None:
        return _PASS
    return given_pair(text, *point)


def given_pair(given: object, x: int, y: int) -> Point:
    """Return the point (x, y), with the text for `given_text` if it was given as text."""
    text = getattr(given, "text", given)
    if not isinstance(text, str):
        return x, y
    point = _Given((x, y))
    point.text = text
    return point


def given_text(given: object, point: object) -> str:
    """Return a point as a message has it: as it was given, if that was text, or integers too large for `point`."""
    text = getattr(given, "text", given)
    if isinstance(text, str):
        return _shown(text)
    is_pair = isinstance(text, tuple) and all(type(one) is int and one.bit_length() < _MOST_BITS for one in text)
    return str(text if is_pair else point)


def off_board(given: object, x: int, y: int, width: int, height: int) -> OffBoardError:
    """Return the error for a point off a board."""
    return OffBoardError(f"the point {given_text(given, (x, y))} is off the {width} x {height} board", point=(x, y))


def _require_system(system: str) -> None:
    if system not in SYSTEMS:
        raise ValueError(f"the system {system!r} is not known; it is one of {', '.join(SYSTEMS)}")


# --- refusals --------------------------------------------------------------------------------------------


def _text(value: str, noun: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{noun} is text, not {value!r}")
    return value


def _require(point: Point, width: int, height: int, text: str | None = None) -> None:
    if not (isinstance(point, tuple) and len(point) == 2 and all(isinstance(one, int) for one in point)):
        raise TypeError(f"a point is a pair (x, y) of integers, not {point!r}")
    x, y = point
    if not (0 <= x < width and 0 <= y < height):
        raise off_board(text, x, y, width, height)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "...")
