"""The planes of rows as bits, and the stones and boards that they encode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from .._util.lazy_numpy import Array
from .codes import Collector
from .planes import as_bits, first_points
from .rows import TrainingRows

_PLANES: Final = ("own", "opponent", "on_board", "ko", "legal", "history")


@dataclass
class DecodedPlanes:
    """The decoded planes of rows.

    `bits` are the fields as `uint8` of 0 and 1, None if absent, and `invalid_rows` the rows where they hold other
    values. `stones` are the positions, 1 for own stones and 2 for the opponent's, and `widths` and `heights` the sizes
    of their boards; `usable` marks the rows in which these are reliable.
    """

    bits: dict[str, Array | None]
    invalid_rows: dict[str, Array]
    stones: Array
    usable: Array
    widths: Array
    heights: Array


def check_frames(part: TrainingRows, found: Collector) -> DecodedPlanes:
    """Judge planes as bits on boards."""
    count, height, width = part.own.shape
    read = {name: _bits(part, name, found) for name in _PLANES}
    bits, invalid_rows = {name: pair[0] for name, pair in read.items()}, {name: pair[1] for name, pair in read.items()}
    own, opponent, on_board = bits["own"], bits["opponent"], bits["on_board"]
    assert own is not None and opponent is not None
    stones = own | opponent << 1
    usable = ~(invalid_rows["own"] | invalid_rows["opponent"] | invalid_rows["on_board"])
    usable &= ~_check_overlap(stones, usable, found)
    frames = DecodedPlanes(bits, invalid_rows, stones, usable, np.full(count, width), np.full(count, height))
    if on_board is not None:
        _check_on_board(frames, on_board != 0, found)
    return frames


def _bits(part: TrainingRows, name: str, found: Collector) -> tuple[Array | None, Array]:
    """A field as `uint8` of 0 and 1, None if absent, and the rows where it holds other values."""
    array = getattr(part, name)
    if array is None:
        return None, np.zeros(len(part), bool)
    bits, wrong = as_bits(array)
    if wrong is None:
        return bits, np.zeros(len(part), bool)
    rows: Array = np.any(wrong.reshape(len(part), -1), axis=1)
    at = wrong[rows].reshape(int(rows.sum()), -1).argmax(axis=1)
    values = array[rows].reshape(len(at), -1)[np.arange(len(at)), at]
    width, points = part.own.shape[2], part.own.shape[1] * part.own.shape[2]
    on_point = (name != "legal") | (at < points)
    on_plane = at % points if name == "history" else at
    found.add(
        "row-planes-value",
        np.flatnonzero(rows),
        lambda k: (f"{name} holds {values[k]}, not 0 or 1", {"field": name, "found": float(values[k])}),
        (np.where(on_point, on_plane % width, -1), np.where(on_point, on_plane // width, -1)),
    )
    return bits, rows


def _check_overlap(stones: Array, usable: Array, found: Collector) -> Array:
    """The rows with two stones on a point."""
    both = stones == 3
    if not both.any():
        return np.zeros(len(stones), bool)
    overlap: Array = both.reshape(len(stones), -1).any(axis=1)
    rows = np.flatnonzero(overlap & usable)
    x, y = first_points(both[rows])
    found.add(
        "row-planes-overlap",
        rows,
        lambda k: (
            f"({x[k]}, {y[k]}) has a stone of each side",
            {"points": int(np.count_nonzero(both[rows[k]]))},
        ),
        (x, y),
    )
    return overlap


def _check_on_board(frames: DecodedPlanes, on_board: Array, found: Collector) -> None:
    """Find the sizes of boards that are smaller than the arrays, and points used outside of them."""
    count, height, width = on_board.shape
    frames.widths = widths = on_board[:, 0, :].sum(axis=1, dtype=np.int64)
    frames.heights = heights = on_board[:, :, 0].sum(axis=1, dtype=np.int64)
    inside = (np.arange(width) < widths[:, None])[:, None, :] & (np.arange(height) < heights[:, None])[:, :, None]
    different = inside != on_board
    non_rectangular = different.reshape(count, -1).any(axis=1) | (widths == 0)
    rows = np.flatnonzero(non_rectangular & frames.usable)
    found.add(
        "row-off-board",
        rows,
        lambda k: (
            "the points of the board are not a rectangle in the upper left corner",
            {"width": int(widths[rows[k]]), "height": int(heights[rows[k]])},
        ),
        first_points(different[rows]),
    )
    frames.usable &= ~non_rectangular
    outside = ~inside
    history, legal = frames.bits["history"], frames.bits["legal"]
    shown = {
        "ko": frames.bits["ko"],
        "history": None if history is None else history.reshape(count, -1, height, width).any(axis=1),
        "legal": None if legal is None else legal[:, :-1].reshape(count, height, width),
        "stones": frames.stones,
    }
    for name, plane in shown.items():
        if plane is not None:
            off_board = _check_outside(frames, name, (plane != 0) & outside, found)
    frames.usable &= ~off_board  # of the stones, which come last


def _check_outside(frames: DecodedPlanes, name: str, outside: Array, found: Collector) -> Array:
    """The rows where a field has something outside of the board."""
    off_board: Array = np.any(outside.reshape(len(outside), -1), axis=1)
    rows = np.flatnonzero(off_board & frames.usable)
    x, y = first_points(outside[rows])
    found.add(
        "row-off-board",
        rows,
        lambda k: (
            f"{name} has ({x[k]}, {y[k]}), and the board is {frames.widths[rows[k]]} x {frames.heights[rows[k]]}",
            {"field": name, "width": int(frames.widths[rows[k]]), "height": int(frames.heights[rows[k]])},
        ),
        (x, y),
    )
    return off_board
