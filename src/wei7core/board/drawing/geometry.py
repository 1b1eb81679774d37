"""The places of lines and points of a picture, and the parts that depend on nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from unicodedata import east_asian_width

from ...coordinates import SGF_LETTERS, Point, column_name
from .themes import Theme

Region = tuple[int, int, int, int]
"""The first and the last column, the first and the last row that are shown: x0, y0, x1, y1."""

STEP: Final = 28  # units between two lines; even, so that lines at half units are crisp on a screen
RADIUS: Final = 13.25
FONT: Final = "Helvetica,Arial,'DejaVu Sans',sans-serif"
COORDINATES: Final = ("gtp", "sgf", "kanji")
MOST_KEPT: Final = 1000  # points of a picture whose fixed parts are kept for the next one

_DOT: Final = 9
_MOST_DRAWN: Final = 5000  # elements of signs that are kept, about 1 MB
_STUB: Final = STEP // 4
_CUT: Final = STEP // 2
_DIGITS: Final = "〇一二三四五六七八九"


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


class Geometry:
    """The places of a picture of one size, region and kind of coordinates; immutable but for what is kept of drawings.

    `xs` and `ys` are the places of all columns and rows of the board, those outside the region included. `circles` has
    the element of a stone for each point, row by row, `at` the attributes of a text there, `centers` those of a circle,
    `names` what it is called. `drawn` keeps elements of signs. `is_whole`: the region is the board.
    """

    __slots__ = (
        "_count", "_dots", "_squares", "at", "centers", "circles", "drawn", "frame", "height", "is_whole", "names",
        "region", "size", "texts", "width", "xs", "ys",
    )  # fmt: skip

    names: list[str]

    def __init__(self, size: tuple[int, int], region: Region, coordinates: str | None, theme: Theme) -> None:
        self.size = size
        self.region = region
        width, height = size
        x0, y0, x1, y1 = region
        self.is_whole = (x1 - x0 + 1, y1 - y0 + 1) == size
        rows = row_names(height, coordinates)
        columns = column_names(width, coordinates)
        left, top = (STEP, STEP) if coordinates is None else _margins(rows[y0 : y1 + 1], columns[x1])
        # Half a unit puts the middle of each line, one unit wide, on the middle of a pixel.
        self.xs = [left + 0.5 + STEP * (x - x0) for x in range(width)]
        self.ys = [top + 0.5 + STEP * (y - y0) for y in range(height)]
        self.width, self.height = 2 * left + STEP * (x1 - x0) + 1, 2 * top + STEP * (y1 - y0) + 1
        places = [(f"{x:g}", f"{y:g}") for y in self.ys for x in self.xs]
        self.centers = [f'cx="{x}" cy="{y}"' for x, y in places]
        self.circles = [f'<circle {center} r="{RADIUS}"/>' for center in self.centers]
        self.drawn: dict[object, dict[int, str]] = {}
        self._count = 0
        self._dots: list[str] = []
        self._squares: list[str] = []
        self.at = [f'x="{x}" y="{y}"' for x, y in places]
        letters = column_names(width, None)
        self.names = [f"{letter}{row}" for row in range(height, 0, -1) for letter in letters]
        self.frame = "\n".join([*self._grid(theme), *self._stars(theme)])
        self.texts = "\n".join(self._names(columns, rows, theme)) if coordinates else ""

    @property
    def squares(self) -> list[str]:
        """The path around each point, row by row; made on first use."""
        if not self._squares:
            self._squares = self._paths(STEP)
        return self._squares

    @property
    def dots(self) -> list[str]:
        """The path of a small square on each point, row by row; made on first use."""
        if not self._dots:
            self._dots = self._paths(_DOT)
        return self._dots

    def keep(self, kept: dict[int, str], key: int, element: str) -> str:
        """Cache an element of a sign, and return it; the cache is bounded for all signs together."""
        self._count += 1
        if self._count > _MOST_DRAWN:
            self.drawn, self._count = {}, 0
        kept[key] = element
        return element

    def _paths(self, side: int) -> list[str]:
        corners = [(f"{x - side / 2:g}", f"{y - side / 2:g}") for y in self.ys for x in self.xs]
        return [f"M{x} {y}h{side}v{side}h-{side}z" for x, y in corners]

    def _grid(self, theme: Theme) -> list[str]:
        x0, y0, x1, y1 = self.region
        width, height = self.size
        # On a board one point wide the crossing lines have no length; stubs make its points visible.
        stub_x, stub_y = (_STUB if side == 1 else 0 for side in self.size)
        left = self.xs[x0] - (_CUT if x0 else stub_x)
        right = self.xs[x1] + (_CUT if x1 < width - 1 else stub_x)
        top = self.ys[y0] - (_CUT if y0 else stub_y)
        bottom = self.ys[y1] + (_CUT if y1 < height - 1 else stub_y)
        across = "".join(f"M{left:g} {y:g}H{right:g}" for y in self.ys[y0 : y1 + 1])
        down = "".join(f"M{x:g} {top:g}V{bottom:g}" for x in self.xs[x0 : x1 + 1])
        parts = [f'<path d="{across}{down}" fill="none" stroke="{theme.line}"/>']
        if stub_x or stub_y:
            return parts
        if (x0, y0, x1, y1) == (0, 0, width - 1, height - 1):
            parts.append(
                f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"'
                f' fill="none" stroke="{theme.line}" stroke-width="3"/>'
            )
            return parts
        edges = [f"M{x:g} {top:g}V{bottom:g}" for x, is_edge in ((left, not x0), (right, x1 == width - 1)) if is_edge]
        edges += [f"M{left:g} {y:g}H{right:g}" for y, is_edge in ((top, not y0), (bottom, y1 == height - 1)) if is_edge]
        if edges:
            path = "".join(edges)
            parts.append(f'<path d="{path}" stroke="{theme.line}" stroke-width="3" stroke-linecap="square"/>')
        return parts

    def _stars(self, theme: Theme) -> list[str]:
        x0, y0, x1, y1 = self.region
        stars = [(x, y) for x, y in star_points(*self.size) if x0 <= x <= x1 and y0 <= y <= y1]
        dots = [f'<circle cx="{self.xs[x]:g}" cy="{self.ys[y]:g}" r="3"/>' for x, y in stars]
        return [f'<g fill="{theme.line}">', *dots, "</g>"]

    def _names(self, columns: list[str], rows: list[str], theme: Theme) -> list[str]:
        # dy centres capitals and digits on the given height in every viewer; dominant-baseline does not.
        x0, y0, x1, y1 = self.region
        left, top = self.xs[x0] - STEP, self.ys[y0] - STEP
        right, bottom = self.width - left, self.height - top
        start = f'<g font-family="{FONT}" font-size="13" fill="{theme.ink}" text-anchor='
        parts = [start + '"middle">']
        for x in range(x0, x1 + 1):
            parts += [f'<text x="{self.xs[x]:g}" y="{y:g}" dy=".35em">{columns[x]}</text>' for y in (top, bottom)]
        parts.append("</g>")
        for anchor, x_at in (("end", left + 8), ("start", right - 8)):
            parts.append(f'{start}"{anchor}">')
            parts += [f'<text x="{x_at:g}" y="{self.ys[y]:g}" dy=".35em">{rows[y]}</text>' for y in range(y0, y1 + 1)]
            parts.append("</g>")
        return parts


def _margins(rows: list[str], last_column: str) -> tuple[int, int]:
    widest = max(map(text_columns, rows))
    longest = max(widest, len(last_column) - 1)
    return 2 * STEP - 4 + 8 * max(0, longest - 2), 2 * STEP - 4


def column_names(width: int, coordinates: str | None) -> list[str]:
    """Return the labels above the columns, from the left."""
    if coordinates == "sgf":
        return [SGF_LETTERS[x] if x < len(SGF_LETTERS) else "?" for x in range(width)]
    if coordinates == "kanji":
        return [str(x + 1) for x in range(width)]
    return [column_name(x) for x in range(width)]


def row_names(height: int, coordinates: str | None) -> list[str]:
    """Return the labels of the rows, from the top."""
    if coordinates == "sgf":
        return [SGF_LETTERS[y] if y < len(SGF_LETTERS) else "?" for y in range(height)]
    if coordinates == "kanji":
        return [_kanji(y + 1) for y in range(height)]
    return [str(height - y) for y in range(height)]


def text_columns(text: str) -> int:
    """Return the columns that a text takes where all others are one wide."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _kanji(number: int) -> str:
    """A row as old diagrams write it: 一 .. 十, 十一 .. 十九, 二十 ..; from 100 on digit by digit."""
    if number >= 100:
        return "".join(_DIGITS[int(digit)] for digit in str(number))
    tens, ones = divmod(number, 10)
    text = ("" if tens < 2 else _DIGITS[tens]) + ("十" if tens else "")
    return text + (_DIGITS[ones] if ones else "")


@lru_cache(maxsize=32)
def _kept(size: tuple[int, int], region: Region, coordinates: str | None, theme: Theme) -> Geometry:
    return Geometry(size, region, coordinates, theme)


def geometry_of(size: tuple[int, int], region: Region, coordinates: str | None, theme: Theme) -> Geometry:
    """Return the geometry of a picture; that of a board of usual size is made once."""
    make = _kept if size[0] * size[1] <= MOST_KEPT else Geometry
    return make(size, region, coordinates, theme)
