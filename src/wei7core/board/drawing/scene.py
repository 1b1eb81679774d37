"""The content of a picture, checked and normalised, and its description in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..._util._native import joined_items
from ...coordinates import Point
from .arguments import SHAPE_NAMES, Cells, Ghost, Signs
from .geometry import Region

if TYPE_CHECKING:
    import numpy.typing as npt

_COLORS: Final = ("empty", "black", "white")


class Scene(NamedTuple):
    """All that a picture has, whatever part of it is shown, by places; `stones` are the cells, row by row.

    `signs` has the places of each symbol.
    """

    cells: Cells
    stones: bytes
    last: Point | None
    signs: Signs
    numbers: dict[int, str]
    ghosts: dict[int, Ghost]
    alive: list[int]
    arrows: list[tuple[Point, Point]]
    lines: list[tuple[Point, Point]]
    heat: npt.NDArray[np.float64] | None
    owned: npt.NDArray[np.float64] | None

    def points(self) -> Iterator[Point]:
        """Yield the points that have anything but a value."""
        for y, x in zip(*self.cells.nonzero(), strict=True):
            yield int(x), int(y)
        width = self.cells.shape[1]
        for places in (*(places for _, places in self.signs), self.numbers, self.ghosts, self.alive):
            for place in places:
                yield place % width, place // width
        for pair in (*self.arrows, *self.lines):
            yield from pair

    def bounds(self) -> tuple[float, float] | None:
        """Return the least and the largest value of the heat map; None where it has none."""
        if self.heat is None:
            return None
        known = self.heat[~np.isnan(self.heat)]
        return (float(known.min()), float(known.max())) if known.size else None


def description(scene: Scene, names: list[str], region: Region) -> str:
    """Return what a picture shows, for readers of screens: figures, and whatever is not simply a stone.

    `names` has the name of each point, row by row.
    """
    height, width = map(int, scene.cells.shape)
    stones = scene.stones

    def name(point: Point) -> str:
        return names[point[1] * width + point[0]]

    def place_names(places: Sequence[int]) -> str:
        return joined_items(names, list(places), " ") or " ".join(map(names.__getitem__, places))

    parts = [f"Black stones: {stones.count(1)}. White stones: {stones.count(2)}."]
    if region != (0, 0, width - 1, height - 1):
        parts.insert(0, f"Shown: {name((region[0], region[3]))} to {name((region[2], region[1]))}.")
    if scene.last is not None:
        color = stones[scene.last[1] * width + scene.last[0]]
        stone = f", {_COLORS[color]}" if color else ""
        parts.append(f"Last move: {name(scene.last)}{stone}.")
    ghosts = (f"{_COLORS[g.color]} {g.text} at {names[at]}".replace("  ", " ") for at, g in scene.ghosts.items())
    lists = {
        "Moves": [f"{text} at {names[at]}" for at, text in scene.numbers.items()],
        "Marks": [
            f"{text if shape is None else SHAPE_NAMES[shape]} at {names[at[0]] if len(at) == 1 else place_names(at)}"
            for (text, shape), at in scene.signs
        ],
        "Not on the board": list(ghosts),
        "Alive": [names[at] for at in scene.alive],
        "Arrows": [f"{name(one)} to {name(two)}" for one, two in scene.arrows],
        "Lines": [f"{name(one)} to {name(two)}" for one, two in scene.lines],
    }
    parts += [f"{title}: {', '.join(items)}." for title, items in lists.items() if items]
    bounds = scene.bounds()
    if bounds:
        parts.append(f"Values of points: {bounds[0]:.4g} to {bounds[1]:.4g}.")
    if scene.owned is not None:
        parts.append(f"Points owned: Black {int((scene.owned > 0.5).sum())}, White {int((scene.owned < -0.5).sum())}.")
    return " ".join(parts)
