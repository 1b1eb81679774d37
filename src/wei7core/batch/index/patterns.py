"""Patterns of a search, and the places on a board where each may match.

A pattern is a rectangle of points, each with its allowed contents. In the canonical orientation it is as it was given:
a `board` pattern covers the board, a `corner` pattern has the upper left point of the board, a `side` pattern is at the
upper side, and one of `anywhere` may be moved freely. A symmetry turns or mirrors the board with the pattern on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from ..._util.lazy_numpy import Array
from ...board.board import Board
from ...board.position import Position
from ...errors import DiagramError

_Shape: TypeAlias = tuple[int, tuple[int, int], tuple[int, int]]
"""The first point, the size of the pattern, and the numbers of its places in a row and in a column."""
_Geometry: TypeAlias = tuple[int, Array, Array, _Shape]
_Geometries: TypeAlias = tuple[_Geometry, ...]
_Numbers: TypeAlias = tuple[int, ...]
Region = Literal["board", "corner", "side", "anywhere"]
REGIONS: Final[tuple[str, ...]] = get_args(Region)

EMPTY_ALLOWED: Final = 1
BLACK_ALLOWED: Final = 2
WHITE_ALLOWED: Final = 4
_ANY: Final = EMPTY_ALLOWED | BLACK_ALLOWED | WHITE_ALLOWED
_SIGNS: Final = {
    **dict.fromkeys(".,+·", EMPTY_ALLOWED),
    **dict.fromkeys("X#@●", BLACK_ALLOWED),
    **dict.fromkeys("O○", WHITE_ALLOWED),
    "?": _ANY,
    "x": EMPTY_ALLOWED | BLACK_ALLOWED,
    "o": EMPTY_ALLOWED | WHITE_ALLOWED,
    "*": BLACK_ALLOWED | WHITE_ALLOWED,
}
_REMEMBERED: Final = 64
_REMEMBERED_POINTS: Final = 1 << 10
_OWN_SYMMETRIES: Final = {"board": range(8), "corner": (0, 4), "side": (0, 1), "anywhere": range(8)}
_ARE_EXACT: Final = np.array([code in (EMPTY_ALLOWED, BLACK_ALLOWED, WHITE_ALLOWED) for code in range(8)])
_EXCHANGED: Final = np.array(
    [code & EMPTY_ALLOWED | (code & BLACK_ALLOWED) << 1 | (code & WHITE_ALLOWED) >> 1 for code in range(8)], np.uint8
)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The allowed contents of each point: `allowed[y, x]` is a sum of 1 (empty), 2 (black) and 4 (white).

    `order`: by point, row by row, when its stone was put, from 0; None where that is not known.
    """

    allowed: Array
    order: Array | None = None

    @classmethod
    def of(cls, pattern: Board | Position | str, *, with_order: bool = False) -> Pattern:
        """Return the pattern of a board, a position or a text; that of a board `with_order` of its stones.

        In texts each line is a row: `.` empty, `X` black, `O` white, `?` anything, `x` not white, `o` not black, `*` a
        stone of either color; spaces between points do not count. Raises `DiagramError` where a text is none of those,
        `TypeError` for another object.
        """
        if isinstance(pattern, (Board, Position)):
            stones = pattern.to_array()
            order = _order_of(pattern.moves(), stones) if with_order and isinstance(pattern, Board) else None
            return cls((1 << stones).astype(np.uint8), order)
        if not isinstance(pattern, str):
            raise TypeError(f"a pattern is a Board, a Position or a text, not {type(pattern).__name__}")
        rows: list[list[int]] = []
        for number, line in enumerate(pattern.splitlines(), 1):
            if not line.strip():
                continue
            row = []
            for column, sign in enumerate(line, 1):
                if sign.isspace():
                    continue
                if sign not in _SIGNS:
                    message = f"{sign!r} is not a sign of patterns (choose from . X O ? x o *)"
                    raise DiagramError(message, line=number, column=column)
                row.append(_SIGNS[sign])
            if rows and len(row) != len(rows[0]):
                message = f"this row has {len(row)} points, the first one {len(rows[0])}"
                raise DiagramError(message, line=number, column=1)
            rows.append(row)
        if not rows:
            raise DiagramError("the pattern has no rows", line=1, column=1)
        return cls(np.array(rows, np.uint8))

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.allowed.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.allowed.shape[0])

    @property
    def is_exact(self) -> bool:
        """Whether every point allows exactly one content."""
        return bool(_ARE_EXACT[self.allowed].all())

    def exchanged(self) -> Pattern:
        """The pattern with the colors exchanged."""
        return Pattern(_EXCHANGED[self.allowed])

    def folded(self, region: str) -> Array:
        """For each point, row by row, the first of those that the symmetries of the pattern exchange it with (int32).

        They are those that leave the pattern, and where it is on a board, as it is.
        """
        first: Array = np.min(self.own_images(region), axis=0).astype(np.int32)
        return first

    def own_images(self, region: str) -> list[Array]:
        """For each symmetry that leaves the pattern as it is where each of its points goes, the identity first."""
        own = _OWN_SYMMETRIES[region]
        square = self.width == self.height
        allowed = self.allowed.reshape(-1)
        numbers = tuple(number for number in own if square or not number & 4)
        geometries = _geometries(self.width, self.height, "board", self.width, self.height, numbers)
        images = [points[0] for _, points, *_ in geometries]
        return [image for image in images if (allowed[image] == allowed).all()]

    def board(self) -> Board:
        """The stones of the pattern, those that may be of one color alone, on a board of its size."""
        stones = np.zeros(8, np.uint8)
        stones[BLACK_ALLOWED], stones[WHITE_ALLOWED] = 1, 2
        return Board.from_array(stones[self.allowed])


class Form(NamedTuple):
    """A pattern under one symmetry and exchange of colors, on boards of one size: the places where it may be.

    `points[p, k]` is point k of the pattern (row by row) at place p, as a number of the board; `allowed[k]` is what may
    be on it. `symmetry` leads from the pattern to the board, as `Board.transformed` counts.
    """

    symmetry: int
    swapped: bool
    points: Array
    allowed: Array


def forms_of(
    pattern: Pattern, region: str, width: int, height: int, *, symmetry: bool, either_color: bool, to_play: bool
) -> list[Form]:
    """Return the different forms of a pattern on boards of a size, the given one first; none where none fits.

    With `to_play` forms with exchanged colors are different, though their stones may be the same.
    """
    forms: list[Form] = []
    known: set[tuple[bool, _Shape, bytes]] = set()
    own_height, own_width = pattern.allowed.shape
    geometries: list[_Geometry] = []
    for numbers in ((0, 1, 2, 3), (4, 5, 6, 7)) if symmetry else ((0,),):
        sides = (height, width) if numbers[0] & 4 else (width, height)
        if own_width <= sides[0] and own_height <= sides[1] and (region != "board" or (own_width, own_height) == sides):
            geometries.extend(_geometries(own_width, own_height, region, *sides, numbers))
    for swapped in (False, True) if either_color else (False,):
        allowed = (pattern.exchanged() if swapped else pattern).allowed.reshape(-1)
        for number, points, order, shape in geometries:
            # Forms with the same requirements for the same points are equal.
            key = swapped and to_play, shape, allowed[order].tobytes()
            if key not in known:
                known.add(key)
                forms.append(Form(number, swapped, points, allowed))
    return forms


def _order_of(moves: Sequence[tuple[int, tuple[int, int] | None]], stones: Array) -> Array | None:
    """When each stone of a board was put, where its moves put all of them, and no others."""
    order = np.full(stones.shape, -1, np.int32)
    for number, (color, point) in enumerate(moves):
        if point is None or stones[point[1], point[0]] != color or order[point[1], point[0]] >= 0:
            return None
        order[point[1], point[0]] = number
    return order.reshape(-1) if np.count_nonzero(stones) == len(moves) else None


def _geometries(
    own_width: int, own_height: int, region: str, width: int, height: int, numbers: _Numbers
) -> _Geometries:
    """Of each symmetry the points of a pattern of a size at all places, their order at the first place, and the shape.

    `width` and `height` are those of the board in the canonical orientation.
    """
    is_small = width * height <= _REMEMBERED_POINTS and own_width * own_height <= _REMEMBERED_POINTS
    made = _remembered_geometries if is_small else _new_geometries
    return made(own_width, own_height, region, width, height, numbers)


def _new_geometries(
    own_width: int, own_height: int, region: str, width: int, height: int, numbers: _Numbers
) -> _Geometries:
    points = places_of(own_width, own_height, region, width, height, numbers)
    orders = np.argsort(points[:, 0], axis=1)
    firsts = points.reshape(len(numbers), -1).min(axis=1).tolist()
    points.flags.writeable = orders.flags.writeable = False
    sizes = (own_width, own_height), _counts_of_places(own_width, own_height, region, width, height)
    turned = sizes[0][::-1], sizes[1][::-1]
    shapes = [(first, *(turned if number & 4 else sizes)) for number, first in zip(numbers, firsts, strict=True)]
    return tuple(zip(numbers, points, orders, shapes, strict=True))


_remembered_geometries = lru_cache(_REMEMBERED)(_new_geometries)


def places_of(own_width: int, own_height: int, region: str, width: int, height: int, numbers: _Numbers) -> Array:
    """By symmetry and place the points of a pattern on a board in the canonical orientation, which is then turned."""
    across, down = _counts_of_places(own_width, own_height, region, width, height)
    steps = np.array([_steps(number, width, height) for number in numbers], np.int32).reshape(-1, 3, 1)
    places = steps[:, 0] + _grid(across, down, steps)
    points: Array = places[:, :, None] + _grid(own_width, own_height, steps)[:, None]
    return points


def _counts_of_places(own_width: int, own_height: int, region: str, width: int, height: int) -> tuple[int, int]:
    """The numbers of places in a row and in a column."""
    across = width - own_width + 1 if region in ("side", "anywhere") else 1
    return across, height - own_height + 1 if region == "anywhere" else 1


def _steps(number: int, width: int, height: int) -> tuple[int, int, int]:
    """The number of the upper left point under a symmetry, and what a step to the right and one down add to it."""
    if number & 4:
        width, height = height, width
    first = (width - 1 if number & 1 else 0) + ((height - 1) * width if number & 2 else 0)
    right, below = -1 if number & 1 else 1, -width if number & 2 else width
    return (first, below, right) if number & 4 else (first, right, below)


def _grid(width: int, height: int, steps: Array) -> Array:
    """By symmetry the numbers of a rectangle of points, row by row, counted from the first one."""
    y, x = np.divmod(np.arange(width * height, dtype=np.int32), np.int32(width))
    numbers: Array = x * steps[:, 1] + y * steps[:, 2]
    return numbers
