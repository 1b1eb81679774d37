"""Pictures of a position: plain text and SVG.

Knows arrays of cells and nothing of boards or records. `cells` has shape
(height, width) and values 0 (empty), 1 (black), 2 (white); points are (x, y)
from the upper left, as wei7 counts them. Printed coordinates are the usual ones
of Go: letters from the left without I (A .. Z, then AA, AB ..), numbers from
the bottom, so (0, 0) of a 19 x 19 board prints as A19.

Every function is pure and safe to call from several threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

from ..coordinates import column_name, point_name

__all__ = ["MAX_SVG_POINTS", "column_lines", "star_points", "svg", "text"]

Cells: TypeAlias = "npt.NDArray[np.uint8]"
Point = tuple[int, int]
Marks = Iterable[tuple[Point, str]]

MAX_SVG_POINTS: Final = 100_000
"""Points on the largest board that `svg` draws; viewers cannot show more."""

_COLORS: Final = ("empty", "black", "white")
_GLYPHS: Final = np.frombuffer(b".XO", dtype=np.uint8)

_INK: Final = "#000"
_PAPER: Final = "#fff"
_STEP: Final = 28  # units between two lines; even, so that lines at half units are crisp on a screen
_RADIUS: Final = 13.25
_FONT: Final = "Helvetica,Arial,'DejaVu Sans',sans-serif"


def star_points(width: int, height: int) -> list[Point]:
    """Return the points printed as dots: corners, centre, and sides from 15 lines on; few or none on small boards."""
    edge_x, edge_y = (3 if side >= 12 else 2 for side in (width, height))
    columns, rows = (edge_x, width - 1 - edge_x), (edge_y, height - 1 - edge_y)
    points = []
    if min(width, height) >= 8:
        points += [(x, y) for x in columns for y in rows]
        if width >= 15 and width % 2:
            points += [(width // 2, y) for y in rows]
        if height >= 15 and height % 2:
            points += [(x, height // 2) for x in columns]
    if min(width, height) >= 5 and width % 2 and height % 2:
        points.append((width // 2, height // 2))
    return points


def column_lines(width: int) -> list[str]:
    """Return the lines that name columns, a letter or a space for every other character.

    Names of several letters are written downwards, so that every column stays two characters wide.
    """
    names = [column_name(x) for x in range(width)]
    depth = len(names[-1])
    return [" ".join(letters) for letters in zip(*(name.rjust(depth) for name in names), strict=True)]


def text(cells: Cells, *, last: Point | None = None, marks: Marks = ()) -> str:
    """Draw a position with letters and dots.

    X is black, O white, `.` an empty point, `+` an empty star point. The last
    move stands in brackets, `(X)`. Symbols of `marks` never hide a stone: they
    are listed in one line below the board. No line ends in spaces; the text
    ends without a line break. Raises ValueError for an array that is no
    position, and for a point off the board.
    """
    cells, symbols = _checked(cells, last, marks)
    height, width = cells.shape
    grid = np.full((height, 2 * width + 1), ord(" "), dtype=np.uint8)
    points = _GLYPHS[cells]
    for x, y in star_points(width, height):
        if not cells[y, x]:
            points[y, x] = ord("+")
    grid[:, 1::2] = points
    if last is not None:
        x, y = last
        grid[y, 2 * x], grid[y, 2 * x + 2] = b"()"
    digits = len(str(height))
    header = [" " * (digits + 1) + line for line in column_lines(width)]
    lines = [
        f"{height - y:>{digits}}{row.tobytes().decode('ascii')}{height - y:<{digits}}" for y, row in enumerate(grid)
    ]
    if symbols:
        listed = ", ".join(f"{symbol} at {point_name(point, height)}" for point, symbol in symbols.items())
        footer = [*header, f"marks: {listed}"]
    else:
        footer = header
    return "\n".join(line.rstrip() for line in (*header, *lines, *footer))


def svg(cells: Cells, *, last: Point | None = None, marks: Marks = (), coordinates: bool = True) -> str:
    """Draw a position as a self-contained SVG picture that looks like a diagram in a book.

    The last move has a dot (a ring where its stone has a symbol, a cross where
    the stone is gone); `marks` are (point, symbol) pairs, a symbol being one to
    three printable characters; of several on one point the last one shows.
    Raises ValueError for an array that is no position, a point off the board,
    another kind of symbol, or a board of more than `MAX_SVG_POINTS` points.
    """
    cells, symbols = _checked(cells, last, marks)
    height, width = cells.shape
    if cells.size > MAX_SVG_POINTS:
        raise ValueError(f"a picture of {width} x {height} points is too large: at most {MAX_SVG_POINTS:,} points")
    left, top = _margins(height, width) if coordinates else (_STEP, _STEP)
    # Half a unit puts the middle of each line, one unit wide, on the middle of a pixel.
    xs = [left + 0.5 + _STEP * x for x in range(width)]
    ys = [top + 0.5 + _STEP * y for y in range(height)]
    total_width, total_height = 2 * left + _STEP * (width - 1) + 1, 2 * top + _STEP * (height - 1) + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{total_width}" height="{total_height}"'
        f' viewBox="0 0 {total_width} {total_height}">',
        f"<title>Go board, {width} x {height}</title>",
        f"<desc>{_escaped(_description(cells, last, symbols))}</desc>",
        f'<rect width="{total_width}" height="{total_height}" fill="{_PAPER}"/>',
        *_grid(xs, ys),
        f'<g fill="{_INK}">',
        *(f'<circle cx="{xs[x]:g}" cy="{ys[y]:g}" r="3"/>' for x, y in star_points(width, height)),
        "</g>",
    ]
    if coordinates:
        parts += _coordinates(xs, ys, total_width, total_height)
    parts += _stones(cells, xs, ys)
    if last is not None:
        parts += _last_mark(int(cells[last[1], last[0]]), xs[last[0]], ys[last[1]], last in symbols)
    parts += _symbols(cells, xs, ys, symbols)
    parts.append("</svg>")
    return "\n".join(parts)


def _checked(cells: Any, last: Point | None, marks: Marks) -> tuple[Cells, dict[Point, str]]:
    cells = np.asarray(cells)
    if cells.ndim != 2 or not cells.size:
        raise ValueError(f"cells must have the shape (height, width), at least 1 x 1, not {cells.shape}")
    if cells.dtype.kind not in "biu" or cells.min() < 0 or cells.max() > 2:
        raise ValueError("cells must be 0 (empty), 1 (black) or 2 (white)")
    symbols = dict(marks)
    height, width = cells.shape
    for x, y in (*symbols, *([] if last is None else [last])):
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"point ({x}, {y}) is off the {width} x {height} board")
    for symbol in symbols.values():
        if not (1 <= len(symbol) <= 3 and symbol.isprintable()):
            raise ValueError(f"a symbol is one to three printable characters, not {symbol!r}")
    return cells.astype(np.uint8, copy=False), symbols


def _description(cells: Cells, last: Point | None, symbols: dict[Point, str]) -> str:
    height = cells.shape[0]
    _, black, white = np.bincount(cells.ravel(), minlength=3)
    said = [f"Black stones: {black}. White stones: {white}."]
    if last is not None:
        color = cells[last[1], last[0]]
        stone = f", {_COLORS[color]}" if color else ""
        said.append(f"Last move: {point_name(last, height)}{stone}.")
    if symbols:
        said.append("Marks: " + ", ".join(f"{s} at {point_name(p, height)}" for p, s in symbols.items()) + ".")
    return " ".join(said)


def _margins(height: int, width: int) -> tuple[int, int]:
    longest = max(len(str(height)), len(column_name(width - 1)) - 1)
    return 2 * _STEP - 4 + 8 * max(0, longest - 2), 2 * _STEP - 4


def _grid(xs: list[float], ys: list[float]) -> list[str]:
    # On a board one point wide the crossing lines have no length; stubs make its points visible.
    stub_x, stub_y = (_STEP // 4 if len(side) == 1 else 0 for side in (xs, ys))
    across = "".join(f"M{xs[0] - stub_x:g} {y:g}H{xs[-1] + stub_x:g}" for y in ys)
    down = "".join(f"M{x:g} {ys[0] - stub_y:g}V{ys[-1] + stub_y:g}" for x in xs)
    parts = [f'<path d="{across}{down}" fill="none" stroke="{_INK}"/>']
    if not (stub_x or stub_y):
        parts.append(
            f'<rect x="{xs[0]:g}" y="{ys[0]:g}" width="{xs[-1] - xs[0]:g}" height="{ys[-1] - ys[0]:g}"'
            f' fill="none" stroke="{_INK}" stroke-width="3"/>'
        )
    return parts


def _coordinates(xs: list[float], ys: list[float], total_width: int, total_height: int) -> list[str]:
    # dy centres capitals and digits on the given height in every viewer; dominant-baseline does not.
    left, top = xs[0] - _STEP, ys[0] - _STEP
    right, bottom = total_width - left, total_height - top
    parts = [f'<g font-family="{_FONT}" font-size="13" fill="{_INK}" text-anchor="middle">']
    for x, at in enumerate(xs):
        name = column_name(x)
        parts += [f'<text x="{at:g}" y="{y:g}" dy=".35em">{name}</text>' for y in (top, bottom)]
    parts.append("</g>")
    return parts + _row_numbers(ys, left, right)


def _row_numbers(ys: list[float], left: float, right: float) -> list[str]:
    parts = []
    for anchor, x in (("end", left + 8), ("start", right - 8)):
        parts.append(f'<g font-family="{_FONT}" font-size="13" fill="{_INK}" text-anchor="{anchor}">')
        parts += [f'<text x="{x:g}" y="{at:g}" dy=".35em">{len(ys) - y}</text>' for y, at in enumerate(ys)]
        parts.append("</g>")
    return parts


def _stones(cells: Cells, xs: list[float], ys: list[float]) -> list[str]:
    parts = []
    for color, fill in ((1, _INK), (2, _PAPER)):
        parts.append(f'<g fill="{fill}" stroke="{_INK}">')
        rows, columns = np.nonzero(cells == color)
        parts += [f'<circle cx="{xs[x]:g}" cy="{ys[y]:g}" r="{_RADIUS}"/>' for x, y in zip(columns, rows, strict=True)]
        parts.append("</g>")
    return parts


def _last_mark(color: int, x: float, y: float, has_symbol: bool) -> list[str]:
    ink = _PAPER if color == 1 else _INK
    if has_symbol:
        return [f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="none" stroke="{ink}" stroke-width="1.5"/>']
    if color:
        return [f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{ink}"/>']
    return [f'<path d="M{x - 5:g} {y - 5:g}l10 10m0-10l-10 10" fill="none" stroke="{ink}" stroke-width="2.5"/>']


def _escaped(text: str) -> str:
    from html import escape

    return escape(text, quote=False)


def _symbols(cells: Cells, xs: list[float], ys: list[float], symbols: dict[Point, str]) -> list[str]:
    if not symbols:
        return []
    parts = [f'<g font-family="{_FONT}" font-weight="bold" text-anchor="middle">']
    for (x, y), symbol in symbols.items():
        at = f'x="{xs[x]:g}" y="{ys[y]:g}"'
        if not cells[y, x]:
            parts.append(f'<circle cx="{xs[x]:g}" cy="{ys[y]:g}" r="9.5" fill="{_PAPER}"/>')
        ink = _PAPER if cells[y, x] == 1 else _INK
        size = (16, 13, 10.5)[len(symbol) - 1]
        parts.append(f'<text {at} dy=".36em" font-size="{size}" fill="{ink}">{_escaped(symbol)}</text>')
    parts.append("</g>")
    return parts
