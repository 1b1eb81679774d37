"""A position in characters, with colors where a terminal has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ...coordinates import Point
from .arguments import cells_of, coordinates_of, numbers_of, point_of, region_of, symbols_of
from .geometry import Region, column_names, row_names, star_points, text_columns

_WOOD: Final = "48;2;222;184;112"
_LAST: Final = "48;2;190;120;60"
_INKS: Final = ("38;2;110;80;35", "38;2;10;10;10", "38;2;255;255;255")
_SHAPES: Final = {
    "TR": "\u25b2",
    "CR": "\u25cb",
    "SQ": "\u25a0",
    "MA": "\u00d7",
    "SL": "\u25c6",
    "TB": "\u25aa",
    "TW": "\u25ab",
}
_PLAIN_STONES: Final = {1: "\u25cf", 2: "\u25cb"}
_RESET: Final = "\x1b[0m"


def terminal(
    cells: Any,
    *,
    last: Any = None,
    marks: Iterable[Any] = (),
    coordinates: str | bool | None = True,
    region: Any = None,
    numbers: Mapping[Any, object] | None = None,
    colored: bool = True,
) -> str:
    """Draw a position for a terminal, with the lines of the grid between the stones.

    A point has two columns, and three where a text of two columns would touch the next one. `colored` uses ANSI
    sequences of 24 bits; without it the last move is in brackets and no sequence is written. A mark replaces the
    character of its point; a number, its last two digits. The other options are those of `svg`.
    """
    cells = cells_of(cells)
    height, width = cells.shape
    size = (width, height)
    last = None if last is None else point_of(last, size)
    symbols = symbols_of(marks, size)
    signs = {at: _SHAPES[s.shape] if s.shape else s.text[:1] for at, s in symbols.items()}
    texts = numbers_of(numbers, size) if numbers else {}
    places = [*cells.ravel().nonzero()[0].tolist(), *signs, *texts]
    shown = region_of(region, size, [(at % width, at // width) for at in places])
    stars = set(star_points(*size))
    kind = coordinates_of(coordinates)
    rows = [""] * height if kind is None else row_names(height, kind)
    widest = max(map(text_columns, rows[shown[1] : shown[3] + 1]))
    columns = 3 if any(text_columns(text[-2:]) > 1 for text in (*signs.values(), *texts.values())) else 2
    lines = []
    for y in range(shown[1], shown[3] + 1):
        row = []
        for x in range(shown[0], shown[2] + 1):
            color = int(cells[y, x])
            at = y * width + x
            sign = signs.get(at) or (texts.get(at) or "")[-2:] or _character(color, x, y, size, stars, colored)
            row.append((sign, color, (x, y) == last))
        pad = " " * (widest - text_columns(rows[y])) + rows[y] + (" " if kind else "")
        lines.append(
            pad
            + (_colored_row(row, columns) if colored else _plain_row(row, columns))
            + (f" {rows[y]}" if kind else "")
        )
    if not kind:
        return "\n".join(line.rstrip() for line in lines)
    header = _header(column_names(width, kind), shown, widest, columns)
    return "\n".join(line.rstrip() for line in (*header, *lines, *header))


def _header(names: list[str], region: Region, widest: int, columns: int) -> list[str]:
    """The lines that name columns; names of several characters are written downwards."""
    shown = names[region[0] : region[2] + 1]
    depth = max(map(len, shown))
    rows = zip(*(name.rjust(depth) for name in shown), strict=True)
    return [" " * (widest + columns) + (" " * (columns - 1)).join(letters) for letters in rows]


def _character(color: int, x: int, y: int, size: tuple[int, int], stars: set[Point], colored: bool) -> str:
    if color:
        return "\u25cf" if colored else _PLAIN_STONES[color]
    if (x, y) in stars:
        return "\u254b"
    right, bottom = size[0] - 1, size[1] - 1
    row = 0 if y == 0 else 2 if y == bottom else 1
    column = 0 if x == 0 else 2 if x == right else 1
    return ("\u250c\u252c\u2510", "\u251c\u253c\u2524", "\u2514\u2534\u2518")[row][column]


def _colored_row(row: list[tuple[str, int, bool]], columns: int) -> str:
    parts = []
    for sign, color, is_last in row:
        space = " " * (columns - text_columns(sign))
        parts.append(f"\x1b[{_LAST if is_last else _WOOD};{_INKS[color]}m{space}{sign}")
    return "".join(parts) + f"\x1b[{_WOOD}m {_RESET}"


def _plain_row(row: list[tuple[str, int, bool]], columns: int) -> str:
    parts = []
    before = " "
    for sign, _, is_last in row:
        space = before.ljust(columns - 1)[: columns - text_columns(sign)]
        parts.append((space[:-1] + "(" if is_last and space else space) + sign)
        before = ")" if is_last else " "
    return "".join(parts) + before
