"""Batch move generation: the children of many positions, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np

from .._util._native import TableMemory
from .._util.lazy_numpy import Array
from .._util.ordered_map import parallel_ranges
from ..board.board import Board
from ..board.position import Position
from ..rules import PERMISSIVE, Ko, Rules, named
from ..tables.columns import Boards, Column, Numbers, columns_for
from ..tables.table import Table
from ._expand import ChildBatch

_MOST_POSITIONS: Final = (1 << 31) - 1
_POSITIONS_AT_ONCE: Final = 1024
"""The positions between two checks for signals; their rows exceed the caches anyway."""

_READ_AT_ONCE: Final = 1 << 13  # reading takes a thirtieth of the time, so larger parts suffice


class ChildRow(NamedTuple):
    """One move of one position, as returned by `expand`.

    `parent` counts the positions from 0. `reason` is a code of `wei7core.rules.Verdict`, 0 where the move is `legal`.
    `captured` and `lost` are the stones of the opponent, and of the color of the move, that it would remove; `hash` is
    `Board.hash` after it; `self_atari`: its block would have exactly one liberty.
    """

    parent: int
    x: int
    y: int
    legal: bool
    reason: int
    captured: int
    lost: int
    hash: int
    self_atari: bool


CHILD_COLUMNS: Final = columns_for(
    ChildRow, parent="int32", x="int16", y="int16", reason="uint8", captured="int16", lost="int16", hash="hash"
)
"""The columns of an expansion, in order. With a board of more than 32,767 points, int32 replaces int16."""

_WIDE_COLUMNS: Final = tuple(
    replace(column, type="int32") if column.type == "int16" else column for column in CHILD_COLUMNS
)
_LINE: Final = 64  # so that no two columns share a cache line


class _Stones(NamedTuple):
    """Positions without their moves: position k is bytes `offsets[k]` up to `offsets[k + 1]` of `data`."""

    data: Array
    offsets: Array
    packed: bool


def expand(
    positions: Board | Position | Boards | Array | Iterable[Board | Position],
    color: SupportsIndex | Sequence[SupportsIndex] | Array | None = None,
    rules: Rules | str = PERMISSIVE,
    *,
    ko: Any = None,
    jobs: int = 1,
) -> Table:
    """Evaluate every move of many positions: a row for each empty point of each, as columns.

    `positions` are one of these:

    - an array of `uint8`, shape (n, height, width) or (height, width): 0, 1 and 2, as `Board.to_array` has them
    - packed boards as the table of positions of `replay` has them, of any sizes: `positions.data["board"]`
    - `Board` and `Position` objects, of any sizes; one, or an iterable of them

    `color` is the color to play: one for all, or a sequence with one for each; None uses that of each `Position`.
    `rules` is a rule set or its name. Simple ko looks at the last move of a `Board` and at the `ko` of a `Position`
    whose `to_play` is that color; for arrays `ko` may name the forbidden points, shape (n, 2), x and y, negative for
    none. Superko needs the moves before the position, so it requires boards. Stones are kept as given, even blocks
    without liberties.

    Rows are in the order of the positions, and within a position row by row from the upper left. `ChildRow` describes
    the columns: `parent`, `x`, `y`, `legal`, `reason`, `captured`, `lost`, `hash`, `self_atari`. `to_numpy` returns the
    arrays, 23 bytes a row, `to_arrow` a table over the same memory except for the two columns of bools. `jobs` threads
    share the work, without the GIL. The memory of a large table that is no longer used is reused for the next one; the
    system may reclaim it.

    Raises `ValueError` for invalid positions, colors or ko points, with the number of the position, and for
    superko without boards; `TypeError` for other objects; `MemoryError`. Thread safety: boards are locked while they
    are read; arrays must not be written to during the call.
    """
    rules = rules if isinstance(rules, Rules) else named(rules)
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, not {jobs}")
    if isinstance(positions, (Board, Position)):
        positions = [positions]
    if isinstance(positions, (Boards, np.ndarray)):
        batch = _batch_of_stones(positions, color, rules, ko, jobs)
    else:
        if ko is not None:
            raise ValueError("ko applies to arrays only: boards and positions have their own")
        items = list(positions)
        for index, item in enumerate(items):
            if not isinstance(item, (Board, Position)):
                raise TypeError(f"position {index}: expected Board or Position, got {type(item).__name__}")
        batch = _batch_of_objects(items, color, rules, jobs)
    return _table(batch[0], batch[1], jobs)


def _table(batch: ChildBatch, count: int, jobs: int) -> Table:
    rows = batch.lay_out()
    columns = _WIDE_COLUMNS if batch.is_wide else CHILD_COLUMNS
    arrays, is_zero = _arrays(columns, rows)

    def write(begin: int, end: int) -> None:
        batch.write(begin=begin, end=end, is_zero=is_zero, **arrays)

    parallel_ranges(write, count, _POSITIONS_AT_ONCE, jobs)
    return Table(columns, {name: Numbers(array) for name, array in arrays.items()}, ChildRow)


def _arrays(columns: Sequence[Column], rows: int) -> tuple[dict[str, Array], bool]:
    """Arrays for `rows` rows in one piece of memory, and whether it is all zeros."""
    places: dict[str, tuple[np.dtype[Any], int]] = {}
    end = 0
    for column in columns:
        dtype = np.dtype("uint64" if column.kind == "hash" else column.type)
        places[column.name] = dtype, end
        end += -(-rows * dtype.itemsize // _LINE) * _LINE
    memory: Any = TableMemory(end)
    whole = np.frombuffer(memory, np.uint8)
    arrays = {name: whole[begin : begin + rows * dtype.itemsize].view(dtype) for name, (dtype, begin) in places.items()}
    return arrays, bool(memory.is_zero)


# --- inputs -----------------------------------------------------------------


def _batch_of_stones(positions: Boards | Array, color: Any, rules: Rules, ko: Any, jobs: int) -> tuple[ChildBatch, int]:
    """The batch of an array or of packed boards, and their number."""
    if rules.ko >= Ko.POSITIONAL:
        raise ValueError(f"{rules.name}: superko needs moves, which arrays of positions do not have")
    if isinstance(positions, Boards):
        widths, heights = positions.widths.astype(np.int64), positions.heights.astype(np.int64)
        stones = _Stones(positions.data, positions.offsets, True)
    else:
        if positions.dtype != np.uint8 or positions.ndim not in (2, 3):
            raise ValueError(
                f"positions are uint8 arrays of shape (n, height, width), not {positions.dtype} of {positions.shape}"
            )
        array = np.ascontiguousarray(positions).reshape(-1, *positions.shape[-2:]) if positions.size else positions
        if array.ndim != 3 or 0 in array.shape[1:]:
            raise ValueError(f"positions of shape {positions.shape} have no points")
        count, height, width = array.shape
        widths, heights = np.full(count, width), np.full(count, height)
        stones = _Stones(array.reshape(-1), np.arange(count + 1, dtype=np.int64) * (height * width), False)
    colors = _colors(color, len(widths))
    return _batch(stones, widths, heights, colors, _ko_numbers(ko, widths, heights), rules, jobs), len(widths)


def _batch_of_objects(items: list[Board | Position], color: Any, rules: Rules, jobs: int) -> tuple[ChildBatch, int]:
    """The batch of boards and positions, and their number."""
    colors = _colors_of(items, color)
    widths = np.array([item.width for item in items], np.int64)
    heights = np.array([item.height for item in items], np.int64)
    kos = np.full(len(items), -1, np.int64)
    if rules.ko >= Ko.POSITIONAL:
        boards = [item for item in items if isinstance(item, Board)]
        if len(boards) < len(items):
            index = next(index for index, item in enumerate(items) if not isinstance(item, Board))
            raise ValueError(f"{rules.name}: superko needs moves, and position {index} is a Position, which has none")
        sizes, which = _sizes(widths, heights)
        batch = ChildBatch(sizes, which, colors, kos, rules)
        batch.keep(boards)
        return batch, len(items)
    bare = list(_bare(items, colors.tolist(), rules.ko is Ko.SIMPLE))
    for index, position in enumerate(bare):
        if position.ko is not None and position.to_play == colors[index]:
            x, y = position.ko
            kos[index] = y * position.width + x
    data = b"".join([position.packed for position in bare])
    stones = _Stones(np.frombuffer(data, np.uint8), _offsets([len(position.packed) for position in bare]), True)
    return _batch(stones, widths, heights, colors, kos, rules, jobs), len(items)


def _bare(items: Iterable[Board | Position], colors: Iterable[int], ko: bool) -> Iterator[Position]:
    for item, color in zip(items, colors, strict=True):
        yield item if isinstance(item, Position) else item.position(color, ko=ko)


def _offsets(sizes: Sequence[int]) -> Array:
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(np.array(sizes, np.int64), out=offsets[1:])
    return offsets


def _batch(
    stones: _Stones, widths: Array, heights: Array, colors: Array, kos: Array, rules: Rules, jobs: int
) -> ChildBatch:
    sizes, which = _sizes(widths, heights)
    batch = ChildBatch(sizes, which, colors, kos, rules)
    batch.make_room()

    def read(begin: int, end: int) -> int:
        return batch.read(stones.data, stones.offsets, stones.packed, begin, end)

    for wrong in parallel_ranges(read, len(widths), _READ_AT_ONCE, jobs):
        if wrong >= 0:
            raise ValueError(
                f"position {wrong} is not a packed board of {widths[wrong]} x {heights[wrong]} points"
                if stones.packed
                else f"position {wrong} has values other than 0 (empty), 1 (black) and 2 (white)"
            )
    return batch


def _sizes(widths: Array, heights: Array) -> tuple[list[tuple[int, int]], Array]:
    """The distinct sizes, and the index of the size of each position."""
    if len(widths) > _MOST_POSITIONS:
        raise ValueError(f"{len(widths)} positions are more than one table holds: expand them in parts")
    if len(widths) and (widths == widths[0]).all() and (heights == heights[0]).all():  # as nearly always
        return [(int(widths[0]), int(heights[0]))], np.zeros(len(widths), np.int32)
    keys = widths << 32 | heights
    keys, which = np.unique(keys, return_inverse=True)
    return [(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()], which.astype(np.int32, copy=False)


def _colors(color: Any, count: int) -> Array:
    """One color for each position."""
    if color is None:
        raise ValueError("color is required for arrays of positions")
    colors = np.asarray(color)
    if colors.ndim == 0:
        colors = np.full(count, colors)
    if colors.shape != (count,):
        raise ValueError(f"expected {count} colors, got an array of shape {colors.shape}")
    if count and (colors.dtype.kind not in "iu" or not ((colors == 1) | (colors == 2)).all()):
        raise ValueError("a color is 1 (black) or 2 (white)")
    return colors.astype(np.uint8)


def _colors_of(items: list[Board | Position], color: Any) -> Array:
    if color is not None:
        return _colors(color, len(items))
    colors = [item.to_play if isinstance(item, Position) else None for item in items]
    if None in colors:
        raise ValueError(f"position {colors.index(None)} has no color to play; pass color")
    return np.array(colors, np.uint8)


def _ko_numbers(ko: Any, widths: Array, heights: Array) -> Array:
    """The forbidden points as numbers, -1 for none."""
    if ko is None:
        return np.full(len(widths), -1, np.int64)
    points = np.asarray(ko)
    if points.shape != (len(widths), 2) or points.dtype.kind not in "iu":
        raise ValueError(f"ko points are integers of shape ({len(widths)}, 2), not {points.dtype} of {points.shape}")
    x, y = points.astype(np.int64).T
    none = (x < 0) & (y < 0)
    off = ~none & ((x < 0) | (y < 0) | (x >= widths) | (y >= heights))
    if off.any():
        raise ValueError(f"the ko point of position {int(np.argmax(off))} is not an empty point of it")
    return np.where(none, -1, y * widths + x)
