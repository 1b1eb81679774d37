"""The colors of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Theme:
    """The colors of a picture, as SVG writes them.

    `paper` is the ground, `line` the grid, `ink` texts on the ground; `black` and `white` fill stones, which have edges
    in `black_edge` and `white_edge`, and signs on them in `on_black` and `on_white`. `cold` and `warm` are the ends of
    a heat map: values below and above zero. `alive` encloses stones that cannot be captured, `arrow` is the color of
    arrows and lines.
    """

    paper: str
    line: str
    ink: str
    black: str
    white: str
    black_edge: str
    white_edge: str
    on_black: str
    on_white: str
    cold: str
    warm: str
    alive: str
    arrow: str


THEMES: Final = {
    "print": Theme(
        "#fff",
        "#000",
        "#000",
        "#000",
        "#fff",
        "#000",
        "#000",
        "#fff",
        "#000",
        "#2166ac",
        "#d6604d",
        "#2a7f3f",
        "#b2182b",
    ),
    "wood": Theme(
        "#e2b566",
        "#5c4118",
        "#2e2008",
        "#1c1c1c",
        "#f8f6f0",
        "#000",
        "#7d705a",
        "#fff",
        "#1c1c1c",
        "#1d5fa8",
        "#c22f1f",
        "#1d6b33",
        "#a3170f",
    ),
    "dark": Theme(
        "#20242b",
        "#727b8a",
        "#d5dae3",
        "#07080a",
        "#dfe3ea",
        "#949dac",
        "#dfe3ea",
        "#f2f4f8",
        "#14171c",
        "#5aa2e6",
        "#f08562",
        "#58c077",
        "#ff9d5c",
    ),
}


def theme_named(theme: str | Theme) -> Theme:
    """Return a theme by its name. Raises `ValueError` for an unknown name."""
    if isinstance(theme, Theme):
        return theme
    found = THEMES.get(theme)
    if found is None:
        raise ValueError(f"theme is one of {', '.join(THEMES)}, not {theme!r}")
    return found
