"""What a picture has, checked and in one form, and the words for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from .arguments import Cells, Ghost, Symbol
from .geometry import Region

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Scene", "description", "runs_of"]

Point = tuple[int, int]

_COLORS: Final = ("empty", "black", "white")


class Scene(NamedTuple):
    """All that a picture has, whatever part of it is shown; `stones` are the cells, row by row."""

    cells: Cells
    stones: bytes
    last: Point | None
    symbols: dict[Point, Symbol]
    numbers: dict[Point, str]
    ghosts: dict[Point, Ghost]
    alive: list[Point]
    arrows: list[tuple[Point, Point]]
    lines: list[tuple[Point, Point]]
    heat: npt.NDArray[np.float64] | None
    owned: npt.NDArray[np.float64] | None

    def points(self) -> Iterator[Point]:
        """Yield the points that have anything but a value."""
        for y, x in zip(*self.cells.nonzero(), strict=True):
            yield int(x), int(y)
        for points in (self.symbols, self.numbers, self.ghosts, self.alive):
            yield from points
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

    said = [f"Black stones: {stones.count(1)}. White stones: {stones.count(2)}."]
    if region != (0, 0, width - 1, height - 1):
        said.insert(0, f"Shown: {name((region[0], region[3]))} to {name((region[2], region[1]))}.")
    if scene.last is not None:
        color = stones[scene.last[1] * width + scene.last[0]]
        stone = f", {_COLORS[color]}" if color else ""
        said.append(f"Last move: {name(scene.last)}{stone}.")
    ghosts = (f"{_COLORS[g.color]} {g.text} at {name(p)}".replace("  ", " ") for p, g in scene.ghosts.items())
    lists = {
        "Moves": [f"{text} at {names[y * width + x]}" for (x, y), text in scene.numbers.items()],
        "Marks": [f"{symbol.words} at {' '.join(at)}" for symbol, at in _marked(scene, names)],
        "Not on the board": list(ghosts),
        "Alive": list(map(name, scene.alive)),
        "Arrows": [f"{name(one)} to {name(two)}" for one, two in scene.arrows],
        "Lines": [f"{name(one)} to {name(two)}" for one, two in scene.lines],
    }
    said += [f"{title}: {', '.join(items)}." for title, items in lists.items() if items]
    bounds = scene.bounds()
    if bounds:
        said.append(f"Values of points: {bounds[0]:.4g} to {bounds[1]:.4g}.")
    if scene.owned is not None:
        said.append(f"Points owned: Black {int((scene.owned > 0.5).sum())}, White {int((scene.owned < -0.5).sum())}.")
    return " ".join(said)


def runs_of(
    labels: Mapping[Point, tuple[str, str | None]], width: int
) -> list[tuple[tuple[str, str | None], list[int]]]:
    """Return labels in their order, each with the points that follow one another with it, as numbers row by row."""
    points = [y * width + x for x, y in labels]
    runs = []
    begin = 0
    for label, run in groupby(labels.values()):
        end = begin + len(list(run))
        runs.append((label, points[begin:end]))
        begin = end
    return runs


def _marked(scene: Scene, names: list[str]) -> Iterable[tuple[Symbol, list[str]]]:
    """Each mark once, with the names of its points."""
    marked: dict[Symbol, list[str]] = {}
    for symbol, points in runs_of(scene.symbols, scene.cells.shape[1]):
        marked.setdefault(Symbol(*symbol), []).extend(map(names.__getitem__, points))
    return marked.items()
