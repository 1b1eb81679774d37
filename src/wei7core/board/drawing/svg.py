"""A position as SVG: one layer a function, from the ground up."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import chain
from math import hypot
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..._util._native import joined_items, numbers_with
from ...coordinates import Point
from .arguments import (
    Cells,
    Ghost,
    Signs,
    Symbol,
    cells_of,
    coordinates_of,
    ghosts_of,
    numbers_of,
    pairs_of,
    places_by_symbol,
    places_of,
    point_of,
    region_of,
    signs_of,
    values_of,
    words_of,
)
from .geometry import FONT, Geometry, geometry_of, text_columns
from .scene import Scene, description
from .themes import Theme, theme_named

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_SVG_POINTS: Final = 100_000
"""Points on the largest board that `svg` draws; viewers cannot show more."""

_PLACES: Final = itemgetter(1)  # of a symbol with its places
_LEVELS: Final = 8  # shades of a heat map on each side of zero
_GHOST: Final = 3  # what a point has, after empty, black and white
_LEGEND: Final = 34  # units that the legend needs
_LEAST_OWNED: Final = 0.05
_EXCESS: Final = 1e-6  # of a mean of values from -1 to 1, by rounding
_MOST_LETTERS: Final = 3
_SIZES: Final = (16, 13, 10.5)  # of the letters of a text, by its length
_CLEARED: Final = (9.5, 10.5, 12)  # the radius without lines around a text, by its columns
_WIDE_SIZES: Final = (15, 11.5, 8)  # where some of them are as wide as they are high


def svg(
    cells: Any,
    *,
    last: Any = None,
    marks: Iterable[Any] = (),
    coordinates: str | bool | None = True,
    theme: str | Theme = "print",
    size: int | None = None,
    region: Any = None,
    numbers: Mapping[Any, object] | None = None,
    ghosts: Iterable[Sequence[Any]] = (),
    heat: Any = None,
    legend: bool = True,
    ownership: Any = None,
    arrows: Iterable[tuple[Any, Any]] = (),
    lines: Iterable[tuple[Any, Any]] = (),
    dim: Iterable[Any] = (),
    view: Iterable[Any] | None = None,
    alive: Iterable[Any] = (),
    title: str | None = None,
    alt: str | None = None,
) -> str:
    """Draw a position as a self-contained SVG picture that by default looks like a diagram in a book.

    `cells` has shape (height, width) and values 0 (empty), 1 (black), 2 (white); `PictureOptions` explains the options.
    The last move has a dot (a ring where its stone has a symbol or a number, a cross where the stone is gone). A text
    of more than three characters is shortened in the picture and whole in its description. `alive` are points that
    cannot be captured: a ring around stones, a small ring on the others.

    Raises `ValueError` for an array that is no position, a point off the board (`OffBoardError`), an option that has no
    such value, or a board of more than `MAX_SVG_POINTS` points.

    Thread safety: may be called from several threads.
    """
    cells = cells_of(cells)
    height, width = cells.shape
    if cells.size > MAX_SVG_POINTS:
        raise ValueError(f"a picture of {width} x {height} points is too large: at most {MAX_SVG_POINTS:,} points")
    board = (width, height)
    stones = cells.tobytes()
    scene = Scene(
        cells,
        stones,
        None if last is None else point_of(last, board),
        signs_of(marks, board) if marks else [],
        numbers_of(numbers, board) if numbers else {},
        ghosts_of(ghosts, board) if ghosts else {},
        places_of(alive, board) if alive else [],
        pairs_of(arrows, board) if arrows else [],
        pairs_of(lines, board) if lines else [],
        None if heat is None else values_of(heat, board, "heat"),
        None if ownership is None else values_of(ownership, board, "ownership", 1 + _EXCESS),
    )
    colors = theme_named(theme)
    shown = (0, 0, width - 1, height - 1) if region is None else region_of(region, board, scene.points())
    place = geometry_of(board, shown, coordinates_of(coordinates), colors)
    bounds = scene.bounds()
    total = place.height + (_LEGEND if legend and bounds else 0)
    name = f"Go board, {width} x {height}" if title is None else words_of(title, "title")
    words = description(scene, place.names, place.region) if alt is None else words_of(alt, "alt")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {_scaled(place.width, total, size)}'
        f' viewBox="0 0 {place.width} {total}">',
        f"<title>{escape(name, quote=False)}</title>",
        f"<desc>{escape(words, quote=False)}</desc>",
        f'<rect width="{place.width}" height="{total}" fill="{colors.paper}"/>',
        *_layers(scene, place, colors),
    ]
    if dim:
        parts += _covers(places_of(dim, board), 0.6, place, colors)
    if view is not None:
        seen = set(places_of(view, board))
        parts += _covers([at for at in range(len(stones)) if at not in seen], 1, place, colors)
    if legend and bounds:
        parts += _legend(bounds, place, colors)
    parts.append("</svg>")
    return "\n".join(parts)


def _layers(scene: Scene, place: Geometry, colors: Theme) -> list[str]:
    """The layers of the picture, from the ground up."""
    last, stones = scene.last, scene.stones
    bounds = scene.bounds()
    parts = [] if scene.heat is None or bounds is None else _heat(scene.heat, bounds, place, colors)
    parts.append(place.frame)
    if place.texts:
        parts.append(place.texts)
    parts += _stones(stones if place.is_whole else _cropped(scene.cells, place), place, colors)
    if scene.ghosts:
        parts += _ghosts(stones, scene.ghosts, place, colors)
    if scene.alive:
        parts += _alive(stones, scene.alive, place, colors)
    if scene.owned is not None:
        parts += _ownership(stones, scene.owned, place, colors)
    signs = scene.signs
    if scene.numbers:
        labels = {at: _text_sign(text) for at, text in scene.numbers.items()}
        labels.update({at: sign for sign, places in signs for at in places})
        signs = places_by_symbol(labels)
    if last is not None:
        at = last[1] * place.size[0] + last[0]
        has_sign = at in chain.from_iterable(map(_PLACES, signs))
        parts += _last_mark(stones[at], last, has_sign, place, colors)
    if signs:
        parts += _symbols(stones, signs, scene.ghosts, place, colors)
    if scene.lines or scene.arrows:
        parts += _arrows(scene.lines, scene.arrows, place, colors)
    return parts


def _scaled(width: int, height: int, size: int | None) -> str:
    if size is None:
        return f'width="{width}" height="{height}"'
    if not (isinstance(size, int) and size > 0):
        raise ValueError(f"size is a number of pixels, 1 or more, not {size!r}")
    longer = max(width, height)
    return f'width="{width * size / longer:.6g}" height="{height * size / longer:.6g}"'


def _cropped(cells: Cells, place: Geometry) -> bytes:
    x0, y0, x1, y1 = place.region
    shown = np.zeros_like(cells)
    shown[y0 : y1 + 1, x0 : x1 + 1] = cells[y0 : y1 + 1, x0 : x1 + 1]
    return shown.tobytes()


def _inside(places: Iterable[int], place: Geometry) -> list[int]:
    x0, y0, x1, y1 = place.region
    width = place.size[0]
    if place.is_whole:
        return list(places)
    return [at for at in places if x0 <= at % width <= x1 and y0 <= at // width <= y1]


# --- layers -----------------------------------------------------------------------------------------------


def _shade(value: float, bounds: tuple[float, float], colors: Theme) -> tuple[str, int]:
    """The color of a value, and its strength from 0 to `_LEVELS`."""
    low, high = bounds
    if low < 0 < high:
        part = abs(value) / max(-low, high)
    else:
        part = (value - low) / (high - low) if high > low else 1.0
        part = 1 - part if high <= 0 else part
    return colors.cold if value < 0 else colors.warm, round(part * _LEVELS)


def _heat(values: npt.NDArray[np.float64], bounds: tuple[float, float], place: Geometry, colors: Theme) -> list[str]:
    squares: dict[tuple[str, int], list[str]] = {}
    known = values.ravel().tolist()
    for at in _inside(range(len(known)), place):
        value = known[at]
        if value == value:  # noqa: PLR0124 - NaN is no value
            shade = _shade(value, bounds, colors)
            squares.setdefault(shade, []).append(place.squares[at])
    return [
        f'<path d="{"".join(paths)}" fill="{color}" fill-opacity="{_opacity(level)}"/>'
        for (color, level), paths in squares.items()
        if level
    ]


def _opacity(level: int) -> str:
    return f"{0.85 * level / _LEVELS:.3g}"


def _legend(bounds: tuple[float, float], place: Geometry, colors: Theme) -> list[str]:
    low, high = bounds
    count = 9 if low < 0 < high else 5
    side = min(22, (place.width - 8) // (count + 4))
    left = (place.width - count * side) / 2
    top = place.height + 4
    parts = []
    for index in range(count):
        value = low + (high - low) * index / (count - 1)
        color, level = _shade(value, bounds, colors)
        parts.append(
            f'<rect x="{left + index * side:g}" y="{top}" width="{side}" height="14" fill="{color}"'
            f' fill-opacity="{_opacity(level)}" stroke="{colors.line}" stroke-width=".5"/>'
        )
    start = f'<g font-family="{FONT}" font-size="12" fill="{colors.ink}">'
    return [
        *parts,
        start,
        f'<text x="{left - 5:g}" y="{top + 7}" dy=".35em" text-anchor="end">{low:.3g}</text>',
        f'<text x="{left + count * side + 5:g}" y="{top + 7}" dy=".35em">{high:.3g}</text>',
        "</g>",
    ]


def _stones(stones: bytes, place: Geometry, colors: Theme) -> list[str]:
    parts = []
    for color, fill, edge in ((1, colors.black, colors.black_edge), (2, colors.white, colors.white_edge)):
        circles = joined_items(place.circles, numbers_with(stones, color), "\n")
        parts += [f'<g fill="{fill}" stroke="{edge}">', *([circles] if circles else []), "</g>"]
    return parts


def _ghosts(stones: bytes, ghosts: dict[int, Ghost], place: Geometry, colors: Theme) -> list[str]:
    parts = []
    inside = _inside(ghosts, place)
    for color, fill, edge in ((1, colors.black, colors.black_edge), (2, colors.white, colors.white_edge)):
        circles = [place.circles[at] for at in inside if ghosts[at].color == color and not stones[at]]
        if circles:
            parts += [f'<g fill="{fill}" stroke="{edge}" opacity=".55">', *circles, "</g>"]
    labelled = {at: _text_sign(ghosts[at].text) for at in inside if ghosts[at].text}
    if labelled:
        shown = bytearray(stones)
        for at, ghost in ghosts.items():
            shown[at] = shown[at] or ghost.color
        parts += _symbols(bytes(shown), places_by_symbol(labelled), {}, place, colors)
    return parts


def _alive(stones: bytes, alive: list[int], place: Geometry, colors: Theme) -> list[str]:
    parts = [f'<g fill="none" stroke="{colors.alive}" stroke-width="2.5">']
    parts += [f'<circle {place.centers[at]} r="{12 if stones[at] else 4}"/>' for at in _inside(alive, place)]
    parts.append("</g>")
    return parts


def _ownership(stones: bytes, owned: npt.NDArray[np.float64], place: Geometry, colors: Theme) -> list[str]:
    """A square on each point, black or white, whose side grows with the value."""
    parts = []
    width = place.size[0]
    known = owned.ravel().tolist()
    for at in _inside(range(len(known)), place):
        value = known[at]
        if not abs(value) > _LEAST_OWNED:
            continue
        side = 12 * min(1.0, abs(value))
        color = 1 if value > 0 else 2
        if stones[at] == color:
            continue  # the stone itself shows whose the point is
        fill, edge = (colors.black, colors.white_edge) if color == 1 else (colors.white, colors.black_edge)
        left, top = place.xs[at % width] - side / 2, place.ys[at // width] - side / 2
        parts.append(
            f'<rect x="{left:.4g}" y="{top:.4g}" width="{side:.3g}" height="{side:.3g}" fill="{fill}" stroke="{edge}"'
            ' stroke-width=".75"/>'
        )
    return parts


def _last_mark(color: int, point: Point, has_symbol: bool, place: Geometry, colors: Theme) -> list[str]:
    if not _inside([point[1] * place.size[0] + point[0]], place):
        return []
    x, y = place.xs[point[0]], place.ys[point[1]]
    ink = (colors.ink, colors.on_black, colors.on_white)[color]
    if has_symbol:
        return [f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="none" stroke="{ink}" stroke-width="1.5"/>']
    if color:
        return [f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{ink}"/>']
    return [f'<path d="M{x - 5:g} {y - 5:g}l10 10m0-10l-10 10" fill="none" stroke="{ink}" stroke-width="2.5"/>']


def _symbols(stones: bytes, signs: Signs, ghosts: Mapping[int, Ghost], place: Geometry, colors: Theme) -> list[str]:
    parts = [f'<g font-family="{FONT}" font-weight="bold" text-anchor="middle">']
    ground = bytearray(stones)
    for at in ghosts:
        ground[at] = ground[at] or _GHOST
    territory: dict[str, Sequence[int]] = {"TB": [], "TW": []}
    drawn, is_whole = place.drawn, place.is_whole
    for sign, places in signs:
        inside = places if is_whole else _inside(places, place)
        text, shape = sign
        if shape is not None and shape in territory:
            territory[shape] = [*territory[shape], *inside] if territory[shape] else inside
            continue
        name = text if shape is None else sign  # the hash of a text is cached
        kept = drawn.get(name)
        if kept is None:
            kept = drawn[name] = {}
        for at in inside:
            key = 4 * at + ground[at]
            parts.append(kept.get(key) or place.keep(kept, key, _sign(sign, at, ground[at], place, colors)))
    fills = (colors.black, colors.white_edge), (colors.white, colors.black_edge)
    for places, (fill, edge) in zip(territory.values(), fills, strict=True):
        if places:  # often a hundred: one element for all
            path = joined_items(place.dots, list(places), "")
            assert path is not None
            parts.append(f'<path d="{path}" fill="{fill}" stroke="{edge}"/>')
    parts.append("</g>")
    return parts


@lru_cache(maxsize=1024)
def _text_sign(text: str) -> Symbol:
    return Symbol(text)


def _sign(sign: Symbol, at: int, ground: int, place: Geometry, colors: Theme) -> str:
    """The element of a sign on a point that is empty, black, white or under a ghost."""
    ink = (colors.ink, colors.on_black, colors.on_white, colors.ink)[ground]
    if sign.shape is not None:
        return _shape(sign.shape, place.xs[at % place.size[0]], place.ys[at // place.size[0]], ink)
    radius, letters = _letters(sign.text, ink)
    clear = "" if ground else f'<circle {place.centers[at]} r="{radius}" fill="{colors.paper}"/>\n'
    return f"{clear}<text {place.at[at]} {letters}"


@lru_cache(maxsize=2048)
def _letters(text: str, ink: str) -> tuple[float, str]:
    """The radius of the ground without lines, and what follows the place in the element of a text."""
    radius = _CLEARED[min(text_columns(text), _MOST_LETTERS) - 1]
    if len(text) > _MOST_LETTERS:
        text = text[: _MOST_LETTERS - 1] + "\u2026"
    wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    size = (_WIDE_SIZES if wide else _SIZES)[len(text) - 1]
    return radius, f'dy=".36em" font-size="{size}" fill="{ink}">{escape(text, quote=False)}</text>'


def _shape(shape: str, x: float, y: float, ink: str) -> str:
    stroke = f'fill="none" stroke="{ink}" stroke-width="2"'
    if shape == "TR":
        return f'<path d="M{x:g} {y - 8.5:g}l7.4 12.8h-14.8z" {stroke} stroke-linejoin="round"/>'
    if shape == "CR":
        return f'<circle cx="{x:g}" cy="{y:g}" r="6.5" {stroke}/>'
    if shape == "SQ":
        return f'<rect x="{x - 6:g}" y="{y - 6:g}" width="12" height="12" {stroke}/>'
    if shape == "MA":
        return f'<path d="M{x - 6:g} {y - 6:g}l12 12m0-12l-12 12" {stroke}/>'
    return f'<path d="M{x:g} {y - 7:g}l7 7l-7 7l-7-7z" fill="{ink}" fill-opacity=".6"/>'


def _arrows(
    lines: list[tuple[Point, Point]], arrows: list[tuple[Point, Point]], place: Geometry, colors: Theme
) -> list[str]:
    parts = [f'<g stroke="{colors.arrow}" stroke-width="3.5" stroke-linecap="round" fill="{colors.arrow}">']
    for (xa, ya), (xb, yb) in lines:
        parts.append(f'<path d="M{place.xs[xa]:g} {place.ys[ya]:g}L{place.xs[xb]:g} {place.ys[yb]:g}"/>')
    for (xa, ya), (xb, yb) in arrows:
        x1, y1, x2, y2 = place.xs[xa], place.ys[ya], place.xs[xb], place.ys[yb]
        length = hypot(x2 - x1, y2 - y1)
        if not length:
            continue
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        end_x, end_y = x2 - 9 * dx, y2 - 9 * dy  # the base of the head
        left = f"{end_x - 5.5 * dy:.5g} {end_y + 5.5 * dx:.5g}"
        right = f"{end_x + 5.5 * dy:.5g} {end_y - 5.5 * dx:.5g}"
        parts.append(f'<path d="M{x1:g} {y1:g}L{end_x:.5g} {end_y:.5g}"/>')
        parts.append(f'<path d="M{x2:g} {y2:g}L{left}L{right}z" stroke-width="1" stroke-linejoin="round"/>')
    parts.append("</g>")
    return parts


def _covers(places: Iterable[int], opacity: float, place: Geometry, colors: Theme) -> list[str]:
    squares = place.squares
    path = "".join([squares[at] for at in _inside(places, place)])
    return [f'<path d="{path}" fill="{colors.paper}" fill-opacity="{opacity}"/>'] if path else []
