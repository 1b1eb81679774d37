"""Pictures of a position: plain text, SVG, and colors for terminals.

Knows arrays of cells and nothing of boards or records. `cells` has shape
(height, width) and values 0 (empty), 1 (black), 2 (white); points are (x, y)
from the upper left, as wei7 counts them. Printed coordinates are the usual ones
of Go: letters from the left without I (A .. Z, then AA, AB ..), numbers from
the bottom, so (0, 0) of a 19 x 19 board prints as A19.

Every function is pure and safe to call from several threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ..coordinates import column_name, point_name
from .drawing.apng import apng
from .drawing.arguments import cells_of, point_of, symbols_of
from .drawing.geometry import star_points
from .drawing.svg import MAX_SVG_POINTS, svg
from .drawing.terminal import terminal

__all__ = ["MAX_SVG_POINTS", "apng", "column_lines", "star_points", "svg", "terminal", "text"]


_GLYPHS: Final = np.frombuffer(b".XO", dtype=np.uint8)


def column_lines(width: int) -> list[str]:
    """Return the lines that name columns, a letter or a space for every other character.

    Names of several letters are written downwards, so that every column stays two characters wide.
    """
    names = [column_name(x) for x in range(width)]
    depth = len(names[-1])
    return [" ".join(letters) for letters in zip(*(name.rjust(depth) for name in names), strict=True)]


def text(cells: Any, *, last: Any = None, marks: Iterable[Any] = ()) -> str:
    """Draw a position with letters and dots.

    X is black, O white, `.` an empty point, `+` an empty star point. The last
    move is in brackets, `(X)`. Symbols of `marks` never hide a stone: they
    are listed in one line below the board. No line ends in spaces; the text
    ends without a line break. Raises ValueError for an array that is no
    position, and for a point off the board.
    """
    cells = cells_of(cells)
    height, width = cells.shape
    size = (width, height)
    last = None if last is None else point_of(last, size)
    symbols = symbols_of(marks, size)
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
        listed = ", ".join(
            f"{symbol.words} at {point_name((at % width, at // width), height)}" for at, symbol in symbols.items()
        )
        footer = [*header, f"marks: {listed}"]
    else:
        footer = header
    return "\n".join(line.rstrip() for line in (*header, *lines, *footer))
