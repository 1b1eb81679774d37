"""A batch of training rows, as arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._util._native import TableMemory
from ..._util.words import shapes_text
from ...batch.inputs.features import GLOBALS, PlaneLayout
from ..rows import TrainingRows

if TYPE_CHECKING:
    import numpy.typing as npt

PLANE_COUNT = 17
"""Planes of a position by the feature set `alphago-zero`."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleBatch:
    """n positions with the move that was played in each and how the game ended, an array a field.

    Planes are indexed [row, plane, y, x], y = 0 at the top. "Own" is the player to move. Every array of a row shows the
    board under the same symmetry.

    - `planes`, those of the features, uint8 (n, 17, height, width) of AlphaGo Zero: plane 2 * i has own stones and
      plane 2 * i + 1 the opponent's, now (i = 0) and before the last i moves, all 0 where the game had not begun;
      plane 16 is
      1 where Black is to move
    - `policy`, int32 (n,): the point of the move played, `y * width + x`; `width * height` is a pass
    - `value`, float32 (n,): 1 the player to move won the game, -1 lost it, 0 a draw, NaN if unknown
    - `margin`, float32 (n,): points by which the player to move won, negative where it lost; NaN unless it was counted
    - `game`, int64 (n,): the number of the record in the input, from 0
    - `move_number`, int32 (n,): moves in force before the one played
    - `symmetry`, uint8 (n,): the symmetry, 0 to 7, under which the row is shown, as `Board.to_array` counts them
    - `legal`, bool (n, height * width + 1), or None: where the player to move may play, the pass last: on empty points,
      without suicide and without taking a ko back at once unless the rules asked for allow it; superko does not count
    - `ownership`, int8 (n, height, width), or None: whose each point is in the last position of the game, 1 own, -1 the
      opponent's, 0 nobody's; stones own their points, dead ones too
    - `globals`, float32 (n, 19), or None: with the planes of KataGo, `BoardBatch.global_inputs`

    Thread safety: the arrays are the caller's.
    """

    planes: npt.NDArray[Any]
    policy: npt.NDArray[np.int32]
    value: npt.NDArray[np.float32]
    margin: npt.NDArray[np.float32]
    game: npt.NDArray[np.int64]
    move_number: npt.NDArray[np.int32]
    symmetry: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_] | None = None
    ownership: npt.NDArray[np.int8] | None = None
    globals: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.policy)

    def __repr__(self) -> str:
        return shapes_text(self)

    def to_rows(self) -> TrainingRows:
        """Return the batch as rows that `wei7core.check_rows` judges; stones and history share memory with `planes`.

        Rows are shown under their `symmetry`: for a comparison with `games` take samples with `symmetry="none"`, else
        each row under another symmetry is a finding.

        Raises `ValueError` for other planes than those of AlphaGo Zero, uint8.
        """
        if self.planes.dtype != np.uint8 or self.planes.ndim != 4 or self.planes.shape[1] != PLANE_COUNT:
            raise ValueError("rows are made of the planes of AlphaGo Zero, uint8")
        count, _, height, width = self.planes.shape
        policy = np.zeros((count, height * width + 1), np.uint8)
        policy[np.arange(count), self.policy] = 1
        earlier = self.planes[:, 2:-1]
        return TrainingRows(
            own=self.planes[:, 0],
            opponent=self.planes[:, 1],
            to_move=np.where(self.planes[:, -1, 0, 0] > 0, 1, 2),
            legal=self.legal,
            policy=policy,
            outcome=np.nan_to_num(self.value),
            has_outcome=~np.isnan(self.value),
            score=np.nan_to_num(self.margin),
            has_score=~np.isnan(self.margin),
            history=earlier.reshape(count, -1, 2, height, width),
            game=self.game,
            move_number=self.move_number,
        )


def empty_batch(
    count: int, width: int, height: int, *, legal: bool, ownership: bool, layout: PlaneLayout, has_globals: bool
) -> SampleBatch:
    """Return a batch of `count` rows of any content; memory of large planes that are no longer used is reused.

    Thread safe. Raises `MemoryError`.
    """
    points = width * height
    shape = (count, *layout.shape)
    size = math.prod(shape)
    memory: Any = TableMemory(size * layout.dtype.itemsize)
    planes = np.frombuffer(memory, layout.dtype, size).reshape(shape)
    return SampleBatch(
        planes,
        np.empty(count, np.int32),
        np.empty(count, np.float32),
        np.empty(count, np.float32),
        np.empty(count, np.int64),
        np.empty(count, np.int32),
        np.empty(count, np.uint8),
        np.empty((count, points + 1), np.bool_) if legal else None,
        np.empty((count, height, width), np.int8) if ownership else None,
        np.empty((count, GLOBALS), np.float32) if has_globals else None,
    )
