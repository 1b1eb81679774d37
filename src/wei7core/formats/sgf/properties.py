"""The properties of SGF: one table of those that FF[1], FF[3] and FF[4] define, and the meaning of the values of a
node.

Values come as a node has them between the brackets, escapes included. Invalid values are ignored here; the decoder has
reported them. All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Final, Literal, NamedTuple, cast

from ...coordinates import SGF_LETTERS, sgf_name, sgf_point
from ...record.document import Evaluation, Mark, Point, Properties
from .text_values import simple_text, unescape

PropertyType = Literal["root", "game-info", "setup", "move", "timing", "annotation", "markup", "none"]


class Property(NamedTuple):
    """A property as FF defines it: the nodes it may be in, the kind of its values, whether it has a list of them.

    `rank` is its place in a node as written here. `obsolete`: FF[4] does not define it any more.
    """

    place: PropertyType
    value: str
    is_list: bool
    rank: int
    obsolete: bool


def _table() -> dict[str, Property]:
    table: dict[str, Property] = {}
    for row in _ROWS.split("\n"):
        place, value, *names = row.split()
        for name in names:
            table[name.rstrip("*")] = Property(
                cast(PropertyType, place), value.rstrip("+"), value.endswith("+"), len(table), name.endswith("*")
            )
    return table


# Type, kind of value (+: a list of them), names (*: not in FF[4]). The order is that of a node when written.
_ROWS: Final = """\
root number FF
root simple CA
root number GM
root size SZ
root simple:simple AP
root number ST BS* WS*
game-info simple GN EV RO DT PC PB BR BT PW WR WT RU
game-info real KM
game-info number HA
game-info real TM
game-info simple OT RE ON SO US AN CP ID*
game-info number OM* OP* OV*
none none LT*
game-info text GC
setup stone+ AB AW AE
setup color PL
move move B W
move none KO
move number MN
annotation simple N
timing real BL WL
timing number OB OW
annotation double TE BM
annotation none DO IT
annotation double DM GB GW UC HO
annotation real V
annotation number EL* TC*
annotation double CH* SI*
annotation move EX*
markup point+ TR CR SQ MA SL M* L*
markup point:simple+ LB
markup point:point+ AR LN
markup point+ TB TW DD VW SE* SC* RG*
none figure FG
none number PM
annotation text C"""

PROPERTIES: Final = _table()
"""By name, in the order in which a node is written; `C` last."""

SHAPE_MARKS: Final[dict[str, tuple[str, str]]] = {
    "TR": ("TR", "%"),
    "CR": ("CR", "@"),
    "SQ": ("SQ", "#"),
    "MA": ("MA", "&"),
    "M": ("MA", "&"),
    "SL": ("SL", "$"),
}
"""Properties that put a shape on each of their points, with the shape and the symbol that represents it."""

LABELS: Final = ("LB", "L")
"""Properties that put a text on each of their points."""


def short_name(name: str) -> str:
    """Return the significant part of a property name, its capitals and digits: `AddBlack` is `AB`.

    A name with an underscore or a digit before the first capital is a private one and is kept; one of small
    letters alone is empty.
    """
    if is_name(name) or "_" in name:
        return name
    short = "".join(c for c in name if c.isupper() or c.isdigit())
    return name if short[:1].isdigit() else short


def is_name(name: str) -> bool:
    """Return whether FF[4] can spell a property of that name: capitals alone."""
    return name.isascii() and name.isalpha() and name.isupper()


def escape(plain: str, *, composed: bool = False) -> str:
    """Return `plain` as a value; as part of a `composed` one (`point:text`) its colons are escaped too."""
    return (_COMPOSED if composed else _CLOSING).sub(r"\\\g<0>", plain)


def is_value(value: str) -> bool:
    """Return whether `value` can be written between brackets: it neither closes them nor escapes the closing one."""
    return ("]" not in value and "\\" not in value) or _VALUE.fullmatch(value) is not None


_CLOSING: Final = re.compile(r"[\\\]]")
_COMPOSED: Final = re.compile(r"[\\\]:]")
_VALUE: Final = re.compile(r"[^\\\]]*(?:\\.[^\\\]]*)*", re.DOTALL)

MOST_POINTS: Final = len(SGF_LETTERS)
"""Points on a side of a board: a coordinate is one letter."""


def points(values: Iterable[str], width: int, height: int) -> list[Point]:
    """Return the points of a list, each once, in order of appearance; `aa:cc` is all of a rectangle."""
    found: list[Point] = []
    taken = [0] * height  # one bit for each point of a row, so that overlapping rectangles cost little
    for value in values:
        corner, colon, opposite = value.partition(":")
        one = sgf_point(corner, width, height)
        other = sgf_point(opposite, width, height) if colon else one
        if one is None or other is None:
            continue
        (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        row = (1 << right + 1) - (1 << left)
        for y in range(top, bottom + 1):
            fresh = row & ~taken[y]
            if fresh:
                taken[y] |= row
                found += [(x, y) for x in range(left, right + 1) if fresh >> x & 1]
    return found


def game_number(properties: Properties) -> int:
    """Return GM of the root node: 1, Go, also where it is absent or no number of a game."""
    text = (properties.get("GM") or ("",))[0].strip().removeprefix("+")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 and text.strip("0") else 1


def comment(properties: Properties) -> str | None:
    """Return the comment (C), or None."""
    values = properties.get("C")
    return unescape(values[0]) if values else None


def evaluation(properties: Properties) -> Evaluation | None:
    """Return the evaluation of a move by TE and BM: `good`, `bad`, or None for neither, and for both at once."""
    good, bad = (values[0].strip() in ("1", "2") for values in (properties.get(name) or ("",) for name in ("TE", "BM")))
    if good == bad:
        return None
    return "good" if good else "bad"


def marks(properties: Properties, width: int, height: int) -> list[Mark]:
    """Return the shapes and labels of a node on the points of a board of that size."""
    found: list[Mark] = []
    for name, (shape, symbol) in SHAPE_MARKS.items():
        if name in properties:
            found += [Mark(at, symbol, shape=shape) for at in points(properties[name], width, height)]
    for value in properties.get("LB", ()):
        at = sgf_point(value.partition(":")[0], width, height)
        if at is not None:
            found.append(Mark(at, simple_text(value.partition(":")[2]) or "?"))
    for letter, value in _lettered(properties):
        found += [Mark(at, letter) for at in points((value,), width, height)]
    return found


def in_ff4(properties: Properties) -> Properties:
    """Return properties with MA and LB in place of M and L, which FF[4] does not have; without these the same ones."""
    if "M" not in properties and "L" not in properties:
        return properties
    marked = [*properties.get("MA", ()), *properties.get("M", ())]
    labels = list(properties.get("LB", ()))
    for letter, value in _lettered(properties):
        # A rectangle of points has one letter on all of them.
        area = points((value,), MOST_POINTS, MOST_POINTS) if ":" in value else ()
        names = map(sgf_name, area) if area else filter(str.strip, (value,))
        labels += [f"{name}:{letter}" for name in names]
    kept = {name: values for name, values in properties.items() if name not in ("M", "L", "MA", "LB")}
    return kept | {name: tuple(values) for name, values in (("MA", marked), ("LB", labels)) if values}


def _lettered(properties: Properties) -> Iterable[tuple[str, str]]:
    """Each value of L with its letter."""
    return zip(chain(_LETTER, repeat("?")), properties.get("L", ()), strict=False)


_LETTER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
