"""The arguments of pictures: points, regions, marks, and values of points, in the forms of callers.

The place of a point is its number, row by row from the upper left.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy as np

from ..._util._native import cells_of as cells_of_table
from ...coordinates import Point, from_gtp
from ...errors import OffBoardError
from .geometry import COORDINATES, MOST_KEPT, Region
from .themes import Theme

if TYPE_CHECKING:
    import numpy.typing as npt

Cells: TypeAlias = "npt.NDArray[np.uint8]"
AnyPoint = Point | str
Size = tuple[int, int]
_Name = TypeVar("_Name")

SHAPE_NAMES: Final = {
    "TR": "triangle",
    "CR": "circle",
    "SQ": "square",
    "MA": "cross",
    "SL": "selected",
    "TB": "territory of Black",
    "TW": "territory of White",
}
"""The shapes that a mark may have, by the property of SGF, in words."""

_POINT, _TEXT, _SHAPE = attrgetter("point"), attrgetter("symbol"), attrgetter("shape")  # of a `Mark`
_NAME: Final = attrgetter("symbol", "shape")
_HALVES: Final = {"top": (1, 0), "bottom": (1, 1), "left": (0, 0), "right": (0, 1)}
_MARK: Final = "a mark is a point and a text, a shape and its points, or a Mark"
_MARGIN: Final = 1
_MOST_TEXTS: Final = 1024
_NO_XML: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Symbol(NamedTuple):
    """A mark on a point: a shape of `SHAPE_NAMES`, or a text where `shape` is None."""

    text: str
    shape: str | None = None

    @property
    def words(self) -> str:
        """The mark as text."""
        return self.text if self.shape is None else SHAPE_NAMES[self.shape]


Signs: TypeAlias = list[tuple[Symbol, Sequence[int]]]
"""Symbols, each with its places."""

_SHAPES: Final = {name: Symbol("", name) for name in SHAPE_NAMES}


class _Texts(dict[str, Symbol]):
    """The symbols of texts; equal ones are mostly the same object."""

    def __missing__(self, text: str) -> Symbol:
        if len(self) >= _MOST_TEXTS:
            self.clear()
        symbol = self[text] = _symbol(text, None)
        return symbol


_TEXTS: Final = _Texts()


class Ghost(NamedTuple):
    """A stone that is not on the board: one of a variation, or of a line to come."""

    color: int
    text: str


class PictureOptions(TypedDict, total=False):
    """The options of `Board.svg`, `Node.svg` and `Game.svg`. A point is (x, y) or a text as "D4".

    theme: `print` (default), `wood`, `dark`, or a `Theme`. size: the longer side of the picture in pixels; None is 28 a
    line. region: what is shown; `stones` (all that the picture has, with a margin), `top`, `bottom`, `left`, `right`,
    `top left` and the other corners, or two opposite corner points; None is the whole board. coordinates: `gtp`
    (True), `sgf`, `kanji` (columns 1 2 3, rows 一二三), or None (False).

    last: the point of the last move, which gets a dot; True (default) is that of the board. numbers: True or the number
    of the first move that gets its number; or a text for each point. first_number: the number shown on the first of
    them, if not its own.

    marks: pairs of a point and a text, `Mark` objects, and pairs of a shape of SGF (TR SQ CR MA SL TB TW) and its
    points. ghosts: triples of a color, a point and a text, or pairs without a text. heat: a value for each point, as
    an array of shape (height, width) or a mapping; NaN is no value; the legend is below the board unless `legend` is
    False. ownership: values from -1 (White's) to 1 (Black's), in the same forms or as a flat list. arrows, lines:
    pairs of points. dim: points shown faintly; view: the points shown at all.

    ladder: the point of a block whose ladder is shown as numbered ghosts. pass_alive: True shows what cannot be
    captured though its owner passes. title and alt replace the words for screen readers.
    """

    theme: str | Theme
    size: int | None
    region: str | Sequence[AnyPoint] | None
    coordinates: str | bool | None
    last: AnyPoint | bool | None
    numbers: bool | int | Mapping[AnyPoint, object] | None
    first_number: int | None
    marks: Iterable[Any]
    ghosts: Iterable[Sequence[Any]]
    heat: Any
    legend: bool
    ownership: Any
    arrows: Iterable[tuple[AnyPoint, AnyPoint]]
    lines: Iterable[tuple[AnyPoint, AnyPoint]]
    dim: Iterable[AnyPoint]
    view: Iterable[AnyPoint] | None
    ladder: AnyPoint | None
    pass_alive: bool
    title: str | None
    alt: str | None


def cells_of(cells: Any) -> Cells:
    """Return an array of a position; raise `ValueError` for one that is none."""
    array: npt.NDArray[Any] = np.asarray(cells)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"cells must have the shape (height, width), at least 1 x 1, not {array.shape}")
    if array.dtype == np.uint8:
        is_position = not array.tobytes().translate(None, b"\0\1\2")
    else:
        is_position = array.dtype.kind in "biu" and array.min() >= 0 and array.max() <= 2
    if not is_position:
        raise ValueError("cells must be 0 (empty), 1 (black) or 2 (white)")
    return array.astype(np.uint8, copy=False)


def point_of(point: Any, size: Size) -> Point:
    """Return a point as (x, y). Raises `OffBoardError` off the board, `ValueError` for a text that names none."""
    if isinstance(point, str):
        found = from_gtp(point, *size)
        if found is None:
            raise ValueError("a pass has no point to draw")
        return found
    try:
        x, y = point
    except TypeError:
        raise TypeError(f'a point is a pair (x, y) of integers or text as "D4", not {point!r}') from None
    if type(x) is int and type(y) is int and 0 <= x < size[0] and 0 <= y < size[1]:
        return x, y
    if not (0 <= x < size[0] and 0 <= y < size[1]):
        raise OffBoardError(f"the point ({x}, {y}) is off the {size[0]} x {size[1]} board", point=(x, y))
    return int(x), int(y)


def words_of(text: str, name: str) -> str:
    """Return the text of an option. Raises `TypeError` for no text, `ValueError` for one that XML has no place for."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is a text, not {text!r}")
    if _NO_XML.search(text):
        raise ValueError(f"{name} has characters that no XML has: {text!r}")
    return text


def places_of(points: Iterable[Any], size: Size) -> list[int]:
    """Return the places of points, each once, in their order."""
    if isinstance(points, str):
        raise TypeError(f"points are a list of them, not {points!r}")
    return list(dict.fromkeys(_each_place(points, size)))


def _each_place(points: Iterable[Any], size: Size) -> Places:
    if type(points) is Places:
        return points
    points = list(points)
    return places_in(points, size, b"") or Places([_place_of(point, size) for point in points])


def places_in(points: Iterable[Any], size: Size, letters: bytes) -> Places | None:
    """Return the places of points (x, y) and of pairs of letters on a board of usual size; None where there are others.

    `letters` has the number of each letter of ASCII.
    """
    if size[0] * size[1] > MOST_KEPT:
        return None
    found = cells_of_table(list(points), *size, letters)
    return None if found is None else Places(found[0], int.from_bytes(found[1], "little"))


class Places(list[int]):
    """Points as numbers, row by row, where other arguments have points; all are on the board.

    `bits` has the bit of each of them; -1: not known.
    """

    __slots__ = ("bits",)

    def __init__(self, places: Iterable[int] = (), bits: int = -1) -> None:
        super().__init__(places)
        self.bits = bits if bits.bit_count() == len(self) else -1


def _place_of(point: Any, size: Size) -> int:
    x, y = point_of(point, size)
    return y * size[0] + x


def pairs_of(pairs: Iterable[tuple[Any, Any]], size: Size) -> list[tuple[Point, Point]]:
    """Return pairs of points."""
    found = []
    for pair in pairs:
        one, two = _parts(pair, 2, 2, "an arrow or a line is a pair of points")
        found.append((point_of(one, size), point_of(two, size)))
    return found


def _parts(value: Any, least: int, most: int, what: str) -> Any:
    """The parts of an argument that consists of several; a text would be taken for its letters."""
    if not isinstance(value, (tuple, list, np.ndarray)):
        raise TypeError(f"{what}, not {value!r}")
    if not least <= len(value) <= most:
        raise ValueError(f"{what}, not {value!r}")
    return value


def coordinates_of(coordinates: str | bool | None) -> str | None:
    """Return the kind of coordinates, None for none."""
    if coordinates is True:
        return "gtp"
    if not coordinates:
        return None
    if coordinates not in COORDINATES:
        raise ValueError(f"coordinates are one of {', '.join(COORDINATES)}, True or None, not {coordinates!r}")
    return coordinates


def symbols_of(marks: Iterable[Any], size: Size) -> dict[int, Symbol]:
    """Return the marks by place; of several on one point the last one.

    A text given with a point must be printable; in a `Mark`, which may come from a file, other characters are replaced.
    """
    return {at: symbol for symbol, places in _runs_of(marks, size)[0] for at in places}


def signs_of(marks: Iterable[Any], size: Size) -> Signs:
    """Return each symbol with its places, in the order of the marks, as `symbols_of` reads them."""
    runs, are_apart = _runs_of(marks, size)
    if are_apart:
        return runs
    names = dict(runs)
    if len(names) < len(runs):
        lists: dict[Symbol, list[int]] = {symbol: [] for symbol in names}
        for symbol, places in runs:
            lists[symbol].extend(places)
        names.update(lists)
    if len(set().union(*names.values())) < sum(map(len, names.values())):
        return places_by_symbol({at: symbol for symbol, places in runs for at in places})
    return list(names.items())


def places_by_symbol(symbols: Mapping[int, Symbol]) -> Signs:
    """Return each symbol with its places, in the order of the symbols."""
    return list(_grouped(symbols.values(), symbols).items())


def _grouped(names: Iterable[_Name], places: Iterable[int]) -> dict[_Name, Sequence[int]]:
    """The places of each name, in their order."""
    found: defaultdict[_Name, list[int]] = defaultdict(list)
    deque(map(list.append, map(found.__getitem__, names), places), 0)  # a statement a place takes twice as long
    return {**found}


def _runs_of(marks: Iterable[Any], size: Size) -> tuple[Signs, bool]:
    """The marks: a symbol, and the places that get it; of several runs with a place the last one counts.

    Then, whether certainly no symbol and no place is there twice.
    """
    marks = list(marks)
    kinds = set(map(type, marks))
    groups: Iterable[tuple[type, list[Any]]] = [(kind, marks) for kind in kinds]
    if len(kinds) > 1:
        groups = [(kind, list(found)) for kind, found in groupby(marks, type)]
    runs: Signs = []
    bits = 0
    are_apart, has_pairs = True, False
    for kind, found in groups:
        if issubclass(kind, str) or not (issubclass(kind, (tuple, list)) or hasattr(found[0], "point")):
            raise TypeError(f"{_MARK}, not {found[0]!r}")
        if issubclass(kind, (tuple, list)):
            pairs = [_pair(mark, size) for mark in found]
            runs += pairs
            has_pairs = True
            each = [places.bits if type(places) is Places else -1 for _, places in pairs]
        else:
            signs, places, are_kept = _signs_of_marks(found, size)
            runs += signs
            each = [places.bits if are_kept else -1]
        for some in each:
            are_apart = are_apart and some >= 0 and not bits & some
            bits |= some
    if are_apart and (len(kinds) > 1 or has_pairs):
        are_apart = len({symbol for symbol, _ in runs}) == len(runs)
    return runs, are_apart


def _signs_of_marks(marks: list[Any], size: Size) -> tuple[Signs, Places, bool]:
    """The symbols of `Mark` objects with their places, all places, and whether each symbol is there once."""
    places = _each_place(map(_POINT, marks), size)
    if places.bits < 0 and len(set(places)) < len(places):
        last = dict(zip(places, marks, strict=True))
        places, marks = Places(last), list(last.values())
    if any(map(_SHAPE, marks)):
        names = _grouped(map(_NAME, marks), places)
        symbols = list(starmap(_symbol, names))
        return list(zip(symbols, names.values(), strict=True)), places, len(set(symbols)) == len(symbols)
    texts: Collection[str] = list(map(_TEXT, marks))
    different = set(texts)
    each: Iterable[Sequence[int]] = zip(places)
    if len(different) < len(places):
        groups = _grouped(texts, places)
        texts, each = groups, groups.values()
    are_kept = "" not in different and "".join(texts).isprintable()  # another text would become one of these
    return list(zip(map(_TEXTS.__getitem__, texts), each, strict=True)), places, are_kept


def _pair(mark: Any, size: Size) -> tuple[Symbol, Sequence[int]]:
    first, second = _parts(mark, 2, 2, _MARK)
    if isinstance(first, str) and first in SHAPE_NAMES:
        return _SHAPES[first], _each_place(_one_or_many(second), size)
    at = _place_of(first, size)
    if not (isinstance(second, str) and second and second.isprintable()):
        raise ValueError(f"a symbol is one or more printable characters, not {second!r}")
    return _TEXTS[second], (at,)


@lru_cache(maxsize=1024)
def _symbol(text: str, shape: str | None) -> Symbol:
    """The symbol of a mark; equal ones are mostly the same object."""
    text = text if text.isprintable() else _printable(text)
    return Symbol(text or "?", shape if shape in SHAPE_NAMES else None)


def _one_or_many(points: Any) -> Iterable[Any]:
    if type(points) is Places:
        return points
    if isinstance(points, str):
        return [points]
    if not isinstance(points, Collection):
        raise TypeError(f"{_MARK}, not {points!r}")
    is_point = len(points) == 2 and all(isinstance(value, (int, np.integer)) for value in points)
    return [points] if is_point else points


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "\ufffd" for letter in text)


def ghosts_of(ghosts: Iterable[Sequence[Any]], size: Size) -> dict[int, Ghost]:
    """Return the ghost stones by place; of several on one point the first one."""
    found: dict[int, Ghost] = {}
    for ghost in ghosts:
        color, point, *text = _parts(ghost, 2, 3, "a ghost is a color, a point and, if wanted, a text")
        if isinstance(color, bool) or color not in (1, 2):
            raise ValueError(f"the color of a ghost is 1 (black) or 2 (white), not {color!r}")
        found.setdefault(_place_of(point, size), Ghost(int(color), str(text[0]) if text else ""))
    _refuse_unprintable([ghost.text for ghost in found.values()])
    return found


def numbers_of(numbers: Mapping[Any, object], size: Size) -> dict[int, str]:
    """Return the texts on stones by place."""
    texts = list(map(str, numbers.values()))
    _refuse_unprintable(texts)
    return dict(zip(_each_place(numbers, size), texts, strict=True))


def _refuse_unprintable(texts: list[str]) -> None:
    if not "".join(texts).isprintable():
        wrong = next(text for text in texts if not text.isprintable())
        raise ValueError(f"the text of a stone has printable characters, not {wrong!r}")


def values_of(values: Any, size: Size, name: str, most: float = np.inf) -> npt.NDArray[np.float64]:
    """Return an array of shape (height, width) of values, NaN where there is none.

    Raises `ValueError` for another shape, for infinite values, and for those further from 0 than `most`.
    """
    width, height = size
    if isinstance(values, Mapping):
        array = np.full((height, width), np.nan)
        for point, value in values.items():
            x, y = point_of(point, size)
            array[y, x] = value
    else:
        array = np.asarray(values, dtype=np.float64)
        if array.ndim == 1 and array.size == width * height:
            array = array.reshape(height, width)
    if array.shape != (height, width):
        raise ValueError(f"{name} must have the shape (height, width), {(height, width)} here, not {array.shape}")
    if np.isinf(array).any():
        raise ValueError(f"{name} must have finite values, or NaN for none")
    if (abs(array) > most).any():
        raise ValueError(f"{name} must have values from -1 to 1, or NaN for none")
    return array


def region_of(region: Any, size: Size, shown: Iterable[Point]) -> Region:
    """Return the region that is named; `shown` are the points of all that the picture has.

    Raises `ValueError` for an unknown name.
    """
    width, height = size
    whole = 0, 0, width - 1, height - 1
    if region is None:
        return whole
    if region == "stones":
        found = list(shown)
        return _around(found, size) if found else whole
    if isinstance(region, str):
        first, colon, second = region.partition(":")
        if not colon:
            return _named_region(region, size)
        region = first, second
    points = _parts(region, 2, 2, "a region is a name or two points")
    (xa, ya), (xb, yb) = (point_of(point, size) for point in points)
    return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)


def _around(points: list[Point], size: Size) -> Region:
    """The bounding box of points with a margin; one line more than the margin is shown rather than cut off."""
    ranges = []
    for axis in (0, 1):
        low, high = min(point[axis] for point in points), max(point[axis] for point in points)
        low = 0 if low <= _MARGIN + 1 else low - _MARGIN
        high = size[axis] - 1 if high >= size[axis] - 2 - _MARGIN else high + _MARGIN
        ranges.append((low, high))
    (x0, x1), (y0, y1) = ranges
    return x0, y0, x1, y1


def _named_region(name: str, size: Size) -> Region:
    """A half or a quarter of the board, with the middle line and one more."""
    ranges = [(0, size[0] - 1), (0, size[1] - 1)]
    words = name.replace("-", " ").split()
    axes = [_HALVES[word][0] for word in words if word in _HALVES]
    for word in words or [""]:
        if word not in _HALVES or len(set(axes)) < len(words):
            raise ValueError(
                f"region is stones, top, bottom, left, right, a corner as 'top left', or two points, not {name!r}"
            )
        axis, is_far = _HALVES[word]
        lines = min(size[axis], size[axis] // 2 + 2)
        ranges[axis] = (size[axis] - lines, size[axis] - 1) if is_far else (0, lines - 1)
    (x0, x1), (y0, y1) = ranges
    return x0, y0, x1, y1
