"""Input planes by name: predefined sets, and lists of single planes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Features: TypeAlias = str | Iterable[str]

# In the order of the numbers of batch/inputs/inputs.h.
PLANE_NAMES: Final[tuple[str, ...]] = (
    "own",
    *(f"own-{k}" for k in range(1, 8)),
    "opponent",
    *(f"opponent-{k}" for k in range(1, 8)),
    "empty",
    "board",
    "nothing",
    "black-to-play",
    "white-to-play",
    "legal",
    "ko",
    *(f"liberties-{k}" for k in range(1, 4)),
    *(f"own-liberties-{k}" for k in range(1, 5)),
    *(f"opponent-liberties-{k}" for k in range(1, 5)),
    *(f"move-{k}" for k in range(1, 6)),
    "ladder",
    "ladder-1",
    "ladder-2",
    "ladder-moves",
    "own-area",
    "opponent-area",
    "own-alive",
    "opponent-alive",
)
"""The names of all planes."""

FEATURES: Final[dict[str, tuple[str, ...]]] = {
    "alphago-zero": (
        *(name for k in range(8) for name in (PLANE_NAMES[k], PLANE_NAMES[8 + k])),
        "black-to-play",
    ),
    "katago-v7": (
        "board",
        "own",
        "opponent",
        *(f"liberties-{k}" for k in range(1, 4)),
        "ko",
        "nothing",
        "nothing",
        *(f"move-{k}" for k in range(1, 6)),
        "ladder",
        "ladder-1",
        "ladder-2",
        "ladder-moves",
        "own-area",
        "opponent-area",
        "nothing",
        "nothing",
    ),
}
"""The planes of sets of features, by name."""

GLOBALS: Final = 19
"""The number of global inputs of `katago-v7`."""

_NUMBERS: Final = {name: number for number, name in enumerate(PLANE_NAMES)}
_TYPES: Final = {"uint8": 0, "float16": 1, "float32": 2, "bits": 3}


@dataclass(frozen=True, slots=True)
class PlaneLayout:
    """The layout of planes in memory: their numbers, the number of the type, and the dtype and shape of the array."""

    numbers: npt.NDArray[np.uint8]
    type: int
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]


def features_of(features: Features) -> tuple[str, ...]:
    """Return the names of the planes of a set of features, or of a list. Raises `ValueError` for an unknown name."""
    if isinstance(features, str):
        if features not in FEATURES:
            raise ValueError(f"features are {' or '.join(map(repr, FEATURES))}, or a list of planes, not {features!r}")
        return FEATURES[features]
    if features is None or isinstance(features, (bytes, bytearray)):
        raise ValueError(f"features are {' or '.join(map(repr, FEATURES))}, or a list of planes, not {features!r}")
    names = tuple(features)
    if unknown := [name for name in names if name not in _NUMBERS]:
        raise ValueError(f"there is no plane {unknown[0]!r}; there are {', '.join(PLANE_NAMES)}")
    if not names:
        raise ValueError("features are at least one plane")
    return names


def layout_of(features: Features, dtype: npt.DTypeLike | Literal["bits"], width: int, height: int) -> PlaneLayout:
    """Return the layout of planes as numbers of a type, or with "bits" as bits, eight points a byte.

    Raises `ValueError` for unknown features and types.
    """
    names = features_of(features)
    asked: Any = dtype  # mypy would spend seconds on each type of the union with each overload of np.dtype
    is_bits = isinstance(dtype, str) and dtype == "bits"
    kind = "bits" if is_bits else np.dtype(asked).name
    if kind not in _TYPES or dtype is None or not (is_bits or np.dtype(asked).isnative):
        raise ValueError(
            f"planes are of uint8, float16, float32 or 'bits', not of {None if dtype is None else np.dtype(asked)}"
        )
    shape = (len(names), -(-width * height // 8)) if is_bits else (len(names), height, width)
    numbers = np.array([_NUMBERS[name] for name in names], np.uint8)
    return PlaneLayout(numbers, _TYPES[kind], np.dtype("uint8" if is_bits else kind), shape)
