"""Planes of training rows as positions: what they hold, blocks without liberties, symmetries, steps of a history.

Positions are arrays of `uint8`, shape (n, height, width), of 0, `OWN` and `OPPONENT`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .._util.lazy_numpy import Array
from ..batch.expansion import expand
from ..board.planes import PLANES, to_planes
from ..board.position import Position

OWN: Final = 1
OPPONENT: Final = 2

SYMMETRIES: Final = (
    "as it is",
    "mirrored left to right",
    "mirrored top to bottom",
    "turned by 180 degrees",
    "mirrored with x and y exchanged",
    "turned clockwise by 90 degrees",
    "turned counterclockwise by 90 degrees",
    "mirrored with x and y exchanged, from the lower right corner",
)
"""What `Board.transformed` does, by its number."""

_BOTH: Final = np.uint8(OWN | OPPONENT)
_ROUNDS: Final = 12
"""Steps along blocks for all positions at once; the few whose blocks are longer are flooded one by one."""


def as_bits(plane: Array) -> tuple[Array, Array | None]:
    """Return a plane as `uint8` of 0 and 1, and where it holds something else: a bool for each element, or None."""
    if plane.dtype == np.bool_:
        return plane.view(np.uint8), None
    if plane.dtype == np.uint8 and (not plane.size or plane.max() <= 1):
        return plane, None
    ones = plane == 1
    wrong = ~ones & (plane != 0)
    return ones.view(np.uint8), wrong if wrong.any() else None


def first_points(where: Array) -> tuple[Array, Array]:
    """Return x and y of the first point of each position where the bools are true."""
    flat = where.reshape(len(where), where.shape[1] * where.shape[2]).argmax(axis=1)
    return flat % where.shape[-1], flat // where.shape[-1]


def count_each(where: Array) -> Array:
    """Return how many of the bools in each row, (n, points), are true; many times as fast as NumPy's own way."""
    counts: Array = np.bitwise_count(np.packbits(where, axis=1)).sum(axis=1, dtype=np.int64)
    return counts


def pack(positions: Array) -> Array:
    """Return positions with two bits a point, shape (n, bytes), as `wei7core.unpack_boards` reads them."""
    count, height, width = positions.shape
    flat = np.zeros((count, -(-height * width // 4) * 4), np.uint8)
    flat[:, : height * width] = positions.reshape(count, -1)
    fours = flat.reshape(count, -1, 4)
    packed: Array = fours[..., 0] | fours[..., 1] << 2 | fours[..., 2] << 4 | fours[..., 3] << 6
    return packed


# --- blocks without liberties ------------------------------------------------


def without_liberties(positions: Array) -> tuple[Array, Array, Array]:
    """Return the positions that have blocks without liberties, and x and y of the first stone of one in each.

    Liberties spread from empty points along the stones of each colour, in all positions at once. Few stones are not
    reached within some steps; their positions go through the board's own count of liberties.
    """
    count, height, width = positions.shape
    stride = width + 1
    # What may spread through each point: both colours where it is empty, its own where it has a stone, nothing
    # through the border, which ends one row and begins the next.
    through = np.zeros((count, height + 1, stride), np.uint8)
    np.bitwise_or((positions == 0).view(np.uint8) * _BOTH, positions, out=through[:, :height, :width])
    may = np.concatenate([np.zeros(stride, np.uint8), through.reshape(-1), np.zeros(1, np.uint8)])
    reached = (may == _BOTH).view(np.uint8) * _BOTH
    inner, end = slice(stride, -stride), len(may)
    spread = np.empty(end - 2 * stride, np.uint8)
    for _ in range(_ROUNDS):
        np.bitwise_or(reached[stride - 1 : end - stride - 1], reached[stride + 1 : end - stride + 1], out=spread)
        spread |= reached[: end - 2 * stride]
        spread |= reached[2 * stride :]
        spread &= may[inner]
        reached[inner] |= spread
    differing = (reached != may)[stride : end - 1].reshape(count, -1)
    doubtful = np.flatnonzero(differing.any(axis=1)) if differing.any() else np.zeros(0, np.int64)
    if not len(doubtful):
        return doubtful, doubtful, doubtful
    planes = to_planes([Position(width, height, row.tobytes()) for row in pack(positions[doubtful])], OWN)
    first = PLANES.index("own-1")
    dead = (positions[doubtful] != 0) & ~planes[:, first : first + 6].any(axis=1)
    found = dead.any(axis=(1, 2))
    return (doubtful[found], *first_points(dead[found]))


# --- sides and symmetries --------------------------------------------------------------


def exchanged(positions: Array) -> Array:
    """Return positions with own stones and the opponent's exchanged."""
    swapped: Array = (positions << 1 | positions >> 1) & 3
    return swapped


def symmetric(positions: Array, number: int) -> Array:
    """Return positions turned or mirrored as `Board.transformed` does it: 4 exchanges x and y, then 1 and 2 mirror."""
    if number & 4:
        positions = positions.transpose(0, 2, 1)
    if number & 1:
        positions = positions[:, :, ::-1]
    if number & 2:
        positions = positions[:, ::-1, :]
    return positions


# --- history -----------------------------------------------------------------


def is_a_move(before: Array, after: Array) -> Array:
    """Return for each pair of positions whether one move of either side, or a pass, can lead from one to the other.

    Where stones went, they must be those that the move takes. Where none did, stones that should have gone are not
    looked for. A move on an occupied point replaces its stone, as in SGF.
    """
    count = len(before)
    older, newer = before.reshape(count, -1), after.reshape(count, -1)
    changed = older != newer
    gone = changed & (older != 0)
    came = changed & ((older == 0) | (newer != 0))
    came_count = count_each(came)
    possible: Array = came_count <= 1
    unclear = np.flatnonzero(gone.any(axis=1) & possible)
    if len(unclear):
        # Stones go by the move of the other colour, or by suicide, which leaves no stone that came.
        came, gone = came[unclear], gone[unclear]
        emptied = np.where(came, 0, older[unclear]).reshape(before[unclear].shape)
        rows = np.arange(len(unclear))
        newcomers = newer[unclear][rows, came.argmax(axis=1)]
        movers = np.where(came_count[unclear] == 1, newcomers, older[unclear][rows, gone.argmax(axis=1)])
        possible[unclear] = _leads_to(emptied, movers, after[unclear])
    return possible


def _leads_to(before: Array, movers: Array, after: Array) -> Array:
    """Whether a move of the color in `movers` makes each position from the one before."""
    height, width = before.shape[1:]
    hashes = np.array([Position(width, height, row.tobytes()).hash for row in pack(after)], np.uint64)
    children = expand(before, movers).to_numpy()
    parents = children["parent"]
    found = np.zeros(len(before), bool)
    found[parents[children["hash"] == hashes[parents]]] = True
    return found
