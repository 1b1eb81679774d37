"""Light playouts of the boards of a batch: random games from each position to its end.

played = w7.playout(batch, 100, seed=1)
played.margins.mean(axis=1), played.ownership
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from ..._util.words import shapes_text
from .board_batch import BoardBatch, on_boards


@dataclass(frozen=True, slots=True, eq=False)
class Playouts:
    """The results of random games from each position of a batch.

    `margins`: float32 of shape (n, times), Black's points minus White's and the komi. `ownership`: float32 of shape (n,
    height, width), the mean of 1 where a point was Black's in the end, -1 where it was White's, 0 else.
    """

    margins: npt.NDArray[np.float32]
    ownership: npt.NDArray[np.float32]

    def __repr__(self) -> str:
        return shapes_text(self)


def playout(
    batch: BoardBatch, times: SupportsIndex = 1, *, seed: SupportsIndex = 0, max_moves: SupportsIndex | None = None
) -> Playouts:
    """Play every board of a batch `times` times to its end, at random, and count the area; the batch stays as it is.

    A move is one of the points, each as likely as the others, where a stone is neither suicide nor the immediate
    recapture of a ko, and fills no eye of its own color (`Board.is_eye`); a player without one passes. A playout ends
    with two passes in a row, whatever was passed before, or after `max_moves`: None is 3 times the number of points.
    Superko does not count, nor does a ko that was taken before the playout. All stones count as alive, whatever the
    scoring of the rules.

    `seed`: integer; the same one gives the same playouts, whatever `batch.jobs` is. Raises `ValueError` for a number of
    playouts or moves below 1 or above 2^31 - 1, and `MemoryError`. Thread safety: as a call of the batch.
    """
    if not isinstance(batch, BoardBatch):
        raise TypeError(f"playouts are of a wei7core.BoardBatch, not of {type(batch).__name__}")
    count = operator.index(times)
    width, height = batch.size
    limit = 3 * width * height if max_moves is None else operator.index(max_moves)
    if not 1 <= count < 2**31 or not 1 <= limit < 2**31:
        raise ValueError(f"playouts and their moves are from 1 to 2^31 - 1, not {count} and {limit}")
    number = operator.index(seed) % 2**64
    margins = np.zeros((len(batch), count), np.float32)
    owned = np.zeros((len(batch), height, width), np.int32)
    on_boards(batch, lambda boards, begin, end: boards.playouts(margins, owned, count, number, limit, begin, end))
    return Playouts(margins, (owned / count).astype(np.float32))
