"""Planes of training rows as positions: what they hold, blocks without liberties, symmetries, steps of a history.

Positions are arrays of `uint8`, shape (n, height, width), of 0, `OWN` and `OPPONENT`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..expansion import expand
from ..features import PLANES, to_planes
from ..position import Position

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "OPPONENT",
    "OWN",
    "SYMMETRIES",
    "as_bits",
    "first_points",
    "is_a_move",
    "pack",
    "symmetric",
    "without_liberties",
]

Array: TypeAlias = "npt.NDArray[Any]"

OWN: Final = 1
OPPONENT: Final = 2
_BORDER: Final = 3

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

_QUICK_ROUNDS: Final = 8
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

    Stones beside an empty point are alive, and what touches them in their colour. Few stones are not found so within
    some steps; their positions go through the board's own count of liberties.
    """
    count, height, width = positions.shape
    stride = width + 1
    framed = np.full((count, height + 1, stride), _BORDER, np.uint8)
    framed[:, :height, :width] = positions
    # The border of one row, or position, is that of the next one too; one row more stands before the first.
    flat = np.concatenate([np.full(stride, _BORDER, np.uint8), framed.reshape(-1), np.full(stride, _BORDER, np.uint8)])
    beside = (1, -1, stride, -stride)
    empty = flat == 0
    alive = np.zeros(len(flat), bool)
    inner = slice(stride, -stride)
    for step in beside:
        alive[inner] |= empty[stride + step : len(flat) - stride + step]
    in_doubt = np.flatnonzero(((flat == OWN) | (flat == OPPONENT)) & ~alive)
    alive &= (flat == OWN) | (flat == OPPONENT)
    for _ in range(_QUICK_ROUNDS):
        if not len(in_doubt):
            break
        colors = flat[in_doubt]
        reached = np.zeros(len(in_doubt), bool)
        for step in beside:
            next_to = in_doubt + step
            reached |= alive[next_to] & (flat[next_to] == colors)
        alive[in_doubt[reached]] = True
        in_doubt = in_doubt[~reached]
    doubtful = np.unique((in_doubt - stride) // (stride * (height + 1)))
    if not len(doubtful):
        none = np.zeros(0, np.int64)
        return none, none, none
    planes = to_planes([Position(width, height, row.tobytes()) for row in pack(positions[doubtful])], OWN)
    first = PLANES.index("own-1")
    dead = (positions[doubtful] != 0) & ~planes[:, first : first + 6].any(axis=1)
    found = dead.any(axis=(1, 2))
    return (doubtful[found], *first_points(dead[found]))


# --- symmetries --------------------------------------------------------------


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
    looked for.
    """
    count = len(before)
    older, newer = before.reshape(count, -1), after.reshape(count, -1)
    changed = older != newer
    gone = changed & (older != 0)
    came = changed & (older == 0)
    came_count = np.count_nonzero(came, axis=1)
    gone_count = np.count_nonzero(gone, axis=1)
    recolored = (gone & (newer != 0)).any(axis=1)
    possible: Array = ~recolored & (came_count <= 1)
    unclear = np.flatnonzero(possible & (gone_count > 0))
    if len(unclear):
        # Stones go by the move of the other colour, or by suicide, which leaves no stone that came.
        came, gone = came[unclear], gone[unclear]
        rows = np.arange(len(unclear))
        newcomers = newer[unclear][rows, came.argmax(axis=1)]
        movers = np.where(came_count[unclear] == 1, newcomers, older[unclear][rows, gone.argmax(axis=1)])
        possible[unclear] = _leads_to(before[unclear], movers, after[unclear])
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
