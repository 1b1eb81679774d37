"""Batches of boards in compiled functions of JAX; needs the extra `jax`.

boards = wei7core.selfplay.jax.JaxBoards(w7.BoardBatch(64, 9))

state = boards.begin()
state, planes, legal, rewards, done = jax.jit(boards.step)(state, actions)
"""

from __future__ import annotations

import threading
from typing import Any, TypeAlias

import jax
import numpy as np
import numpy.typing as npt

from .board_batch import BoardBatch

_Arrays: TypeAlias = tuple[npt.NDArray[Any], ...]
_PLANES = 17


class JaxBoards:
    """Steps of a batch as a function of JAX, through `jax.pure_callback`.

    A state is the number of steps that were made: each step takes the state that the one before returned, so that
    steps keep their order. JAX may call the function again with the same arguments: the last step is answered
    again, not played twice. Other states than the last two raise `ValueError`. Thread safety: any number of threads may
    call it.
    """

    def __init__(self, batch: BoardBatch) -> None:
        self.batch = batch
        width, height = batch.size
        n = len(batch)
        self._shapes = (
            jax.ShapeDtypeStruct((), np.int32),
            jax.ShapeDtypeStruct((n, _PLANES, height, width), np.uint8),
            jax.ShapeDtypeStruct((n, width * height + 1), np.bool_),
            jax.ShapeDtypeStruct((n,), np.float32),
            jax.ShapeDtypeStruct((n,), np.bool_),
        )
        self._lock = threading.Lock()
        self._state = 0
        self._last: tuple[bytes, _Arrays] | None = None

    def begin(self) -> npt.NDArray[np.int32]:
        """Return the present state."""
        return np.array(self._state, np.int32)

    def step(self, state: Any, actions: Any) -> Any:
        """Return the next state, the planes, the legal mask, Black's rewards, and where games ended."""
        return jax.pure_callback(self._step, self._shapes, state, actions)

    def _step(self, state: Any, actions: Any) -> _Arrays:
        number, moves = int(state), np.asarray(actions)
        with self._lock:
            if self._last is not None and number == self._state - 1 and self._last[0] == moves.tobytes():
                return self._last[1]
            if number != self._state:
                raise ValueError(f"the boards are in state {self._state}, and the step is one of state {number}")
            self.batch.step(moves)
            self._state += 1
            made = (
                np.array(self._state, np.int32),
                self.batch.planes(),
                self.batch.legal,
                self.batch.rewards,
                self.batch.done,
            )
            self._last = moves.tobytes(), made
            return made
