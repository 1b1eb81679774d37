"""Boards of different sizes in one batch, in arrays of the size of the largest.

batch = w7.MixedBatch([9, 13, (19, 13), 19], rules="chinese")
batch.step(actions)                 # y * 19 + x on every board, 361 for a pass
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import BoardSizeError
from ...rules import Rules, Scoring
from ..inputs.features import Features
from .board_batch import BoardBatch, sides_of

_Array: TypeAlias = npt.NDArray[Any]


class MixedBatch:
    """A batch of boards of different sizes, each in the upper left corner of arrays of one size.

    `sizes`: of each board, a side or (width, height). `bound`: the size of the arrays, that of the widest and highest
    board unless it is given. `rules`, `komi`, `jobs`, `auto_reset` and `max_moves` are those of `BoardBatch`, None for
    `max_moves` being twice the number of points of each board.

    A move is `y * width + x` with the width of the bound, or its `width * height` for a pass; points that a board does
    not have are no moves of it (`Verdict.OFF_BOARD`). Arrays have an element or a row for each board, in the order of
    `sizes`, and 0 where a board has no point; the plane `board` of features is 1 where it has one. Attributes and
    methods are those of `BoardBatch`; internally the boards of each size are one batch, in `batches`.

    Raises `BoardSizeError` for sizes that a batch cannot have or that exceed the bound, `ValueError` for other
    arguments. Thread safety: as `BoardBatch`.
    """

    def __init__(
        self,
        sizes: Sequence[int | tuple[int, int]],
        *,
        bound: int | tuple[int, int] | None = None,
        rules: Rules | str = "tromp-taylor",
        komi: float | None = None,
        jobs: int = 1,
        auto_reset: bool = True,
        max_moves: int | None = None,
    ) -> None:
        given: Sequence[Any] = sizes
        pairs = [sides_of(tuple(size) if np.ndim(size) else size) for size in given]
        if not pairs:
            raise ValueError("a batch has 1 board or more, not 0")
        largest = max(width for width, _ in pairs), max(height for _, height in pairs)
        self._bound = largest if bound is None else sides_of(bound)
        if largest[0] > self._bound[0] or largest[1] > self._bound[1]:
            raise BoardSizeError(f"a board has {largest[0]} columns or {largest[1]} rows, over the bound {self._bound}")
        self._count = len(pairs)
        places: dict[tuple[int, int], list[int]] = {}
        for index, pair in enumerate(pairs):
            places.setdefault(pair, []).append(index)
        options: dict[str, Any] = {"rules": rules, "komi": komi, "jobs": jobs, "auto_reset": auto_reset}
        self.batches: tuple[tuple[npt.NDArray[np.int64], BoardBatch], ...] = tuple(
            (np.array(numbers), BoardBatch(len(numbers), pair, max_moves=max_moves, **options))
            for pair, numbers in places.items()
        )

    def __len__(self) -> int:
        """The number of boards."""
        return self._count

    @property
    def bound(self) -> tuple[int, int]:
        """Width and height of the arrays."""
        return self._bound

    def __copy__(self) -> MixedBatch:
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(numbers)} of {batch.size[0]} x {batch.size[1]}" for numbers, batch in self.batches)
        return f"<wei7core.MixedBatch of {self._count:,} boards: {sizes}>"

    # --- playing -------------------------------------------------------------------------------------

    def step(self, actions: npt.ArrayLike) -> None:
        """Play a move on every board. Raises as `BoardBatch.step`."""
        moves = np.asarray(actions)
        if moves.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {moves.dtype}")
        if moves.shape != (self._count,):
            raise ValueError(f"there are {self._count} boards, and actions of shape {moves.shape}")
        wide, high = self._bound
        moves = np.clip(moves, -1 if moves.dtype.kind == "i" else 0, wide * high + 1).astype(np.int64)
        for numbers, batch in self.batches:
            width, height = batch.size
            of = moves[numbers]
            x, y = of % wide, of // wide
            is_point = (of >= 0) & (of < wide * high) & (x < width) & (y < height)
            own = np.where(is_point, y * width + x, np.where(of == wide * high, width * height, -1))
            batch.step(own)

    def _masks(self, mask: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        array = np.ones(self._count, np.bool_) if mask is None else np.asarray(mask)
        if array.dtype != np.bool_ or array.shape != (self._count,):
            raise ValueError(f"a mask has {self._count} booleans, not {array.dtype} of shape {array.shape}")
        return array

    def undo(self, mask: npt.ArrayLike | None = None) -> npt.NDArray[np.bool_]:
        """Take the last move of boards back; return where there was one."""
        chosen, undone = self._masks(mask), np.zeros(self._count, np.bool_)
        for numbers, batch in self.batches:
            undone[numbers] = batch.undo(chosen[numbers])
        return undone

    def reset(self, mask: npt.ArrayLike | None = None) -> None:
        """Make boards empty."""
        chosen = self._masks(mask)
        for numbers, batch in self.batches:
            batch.reset(chosen[numbers])

    # --- arrays --------------------------------------------------------------------------------------

    def _joined(self, name: str) -> _Array:
        first = getattr(self.batches[0][1], name)
        made = np.zeros((self._count, *first.shape[1:]), first.dtype)
        for numbers, batch in self.batches:
            made[numbers] = getattr(batch, name)
        return made

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended the game; without `auto_reset`, whether it is over."""
        return self._joined("done")

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """1 where the last step ended a game that Black won, -1 where White did."""
        return self._joined("rewards")

    @property
    def margins(self) -> npt.NDArray[np.float64]:
        """The margins of Black in points of games that the last step ended."""
        return self._joined("margins")

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Moves of games that the last step ended."""
        return self._joined("lengths")

    @property
    def errors(self) -> npt.NDArray[np.uint8]:
        """0 where the last step played its move, else why not."""
        return self._joined("errors")

    @property
    def to_play(self) -> npt.NDArray[np.uint8]:
        """The color to play."""
        return self._joined("to_play")

    @property
    def hash(self) -> npt.NDArray[np.uint64]:
        """`Board.hash` of each position."""
        return self._joined("hash")

    @property
    def captured(self) -> npt.NDArray[np.int32]:
        """Stones that were removed, black and white ones."""
        return self._joined("captured")

    @property
    def move_count(self) -> npt.NDArray[np.int32]:
        """Moves in force, passes included."""
        return self._joined("move_count")

    def score(self, scoring: Scoring | str | None = None) -> npt.NDArray[np.float64]:
        """Return the margin of Black in points, komi included, as if all games were over."""
        made = np.zeros(self._count, np.float64)
        for numbers, batch in self.batches:
            made[numbers] = batch.score(scoring)
        return made

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Where a move is legal: bool of shape (n, width * height + 1) of the bound, the pass last."""
        wide, high = self._bound
        made = np.zeros((self._count, wide * high + 1), np.bool_)
        for numbers, batch in self.batches:
            width, height = batch.size
            legal = batch.legal
            points = np.zeros((len(batch), high, wide), np.bool_)
            points[:, :height, :width] = legal[:, :-1].reshape(-1, height, width)
            made[numbers, :-1] = points.reshape(len(batch), -1)
            made[numbers, -1] = legal[:, -1]
        return made

    def planes(self, features: Features = "alphago-zero", *, dtype: npt.DTypeLike = np.uint8) -> _Array:
        """Return planes of uint8, float16 or float32: of shape (n, planes, height, width) of the bound."""
        names = features if isinstance(features, str) else tuple(features)
        made: _Array | None = None
        for numbers, batch in self.batches:
            width, height = batch.size
            planes = batch.planes(names, dtype=dtype)
            if planes.ndim != 4:
                raise ValueError("planes of boards of different sizes are no bits")
            if made is None:
                made = np.zeros((self._count, planes.shape[1], *self._bound[::-1]), planes.dtype)
            made[numbers, :, :height, :width] = planes
        assert made is not None
        return made

    def to_array(self) -> npt.NDArray[np.uint8]:
        """Return the stones: uint8 of shape (n, height, width) of the bound."""
        made = np.zeros((self._count, *self._bound[::-1]), np.uint8)
        for numbers, batch in self.batches:
            width, height = batch.size
            made[numbers, :height, :width] = batch.to_array()
        return made
