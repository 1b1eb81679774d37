"""Conversion of points, colours and moves given by callers to the values of a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, Final

from ..coordinates import Point, from_text, point_name, to_gtp

AnyPoint = Point | str | None
"""(x, y), a vertex of GTP such as "D4", or None and "pass" for a pass."""

AnyColor = int | str
"""1 or 2, or a name: "B", "W", "black", "white" in any case of letters."""

AnyMove = AnyPoint | tuple[AnyColor, AnyPoint]
"""A point for the colour to play, or a colour with a point."""

COLOR_WORDS: Final = {"b": 1, "black": 1, "w": 2, "white": 2}
"""The names of the colors, in small letters."""


def color_of(color: AnyColor) -> int:
    """Return 1 for Black and 2 for White. Raises `ValueError` for anything else."""
    found = COLOR_WORDS.get(color.lower()) if isinstance(color, str) else color
    if found is True or found not in (1, 2):
        raise ValueError(f"unknown color {color!r}; use 1 or 2, or 'B' or 'W'")
    return int(found)


def point_of(point: AnyPoint, size: tuple[int, int], system: str = "gtp") -> Point | None:
    """Return (x, y) on a board of that size, None for a pass; `system` is that of text (`coordinates.SYSTEMS`).

    Raises `OffBoardError` (an `IndexError` and a `ValueError`) for a point off the board, `ValueError` for another text
    and `TypeError` for another type.
    """
    if isinstance(point, str):
        return from_text(point, *size, system)
    if point is None:
        return None
    refused = f"a point is (x, y), text such as 'D4', or None for a pass, not {point!r}"
    try:
        # Bytes would be read as their numbers, and sets have no order.
        pair = () if isinstance(point, (bytes, bytearray, Set, Mapping)) else tuple(point)
        if len(pair) == 2:
            to_gtp(pair, *size)
    except TypeError:
        pair = ()
    if not pair:
        raise TypeError(refused)
    if len(pair) != 2:
        raise ValueError(refused)
    return int(pair[0]), int(pair[1])


def move_of(move: AnyMove, size: tuple[int, int], system: str = "gtp") -> tuple[int | None, Point | None]:
    """Return the colour (None: the one to play) and the point of a move; raises as its parts do."""
    if isinstance(move, tuple) and len(move) == 2:
        first, second = move
        if isinstance(first, str) or second is None or isinstance(second, (str, tuple, list)):
            color: Any = first
            # `point_of` raises for another type.
            return color_of(color), point_of(second, size, system)  # type: ignore[arg-type]
    return None, point_of(move, size, system)  # type: ignore[arg-type]  # `point_of` raises for another type


def moves_of(
    moves: Iterable[AnyMove] | str, size: tuple[int, int], system: str = "gtp"
) -> list[tuple[int | None, Point | None, AnyPoint]]:
    """Return color, point and `point_in_errors` of each move; text is names of points with white space between them."""
    listed = moves.split() if isinstance(moves, str) else list(moves)
    return [(*found, point_in_errors(move, *found)) for move in listed for found in [move_of(move, size, system)]]


def point_in_errors(move: AnyMove, color: int | None, point: Point | None) -> AnyPoint:
    """Return the text that a move was given as, else its point: `Board.play` repeats it in errors."""
    given = move if color is None else move[1]  # type: ignore[index]  # with a color it is a pair
    return given if isinstance(given, str) else point


def move_text(color: int, point: Point | None, height: int) -> str:
    """Return a move as text: "B D4", "W pass". Never raises for a point off the board."""
    name = "pass" if point is None else str(point) if min(point) < 0 else point_name(point, height)
    return f"{'BW'[color - 1] if color in (1, 2) else color} {name}"
