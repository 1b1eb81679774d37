"""Observations and actions of OpenSpiel's game `go` for a batch of boards, so that its networks and players can be
used.

OpenSpiel counts rows from the bottom; it need not be installed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .board_batch import BoardBatch


def observation_tensor(batch: BoardBatch) -> npt.NDArray[np.float32]:
    """Return what `State.observation_tensor` gives: (n, 4, height, width), black, white, empty, White to play."""
    stones = batch.to_array()[:, ::-1]
    planes = np.empty((len(batch), 4, *stones.shape[1:]), np.float32)
    for plane, color in enumerate((1, 2, 0)):
        planes[:, plane] = stones == color
    planes[:, 3] = (batch.to_play == 2)[:, None, None]
    return planes


def legal_actions_mask(batch: BoardBatch) -> npt.NDArray[np.bool_]:
    """Return `batch.legal` in the order of OpenSpiel's actions."""
    width, height = batch.size
    legal = batch.legal
    points = legal[:, :-1].reshape(-1, height, width)[:, ::-1].reshape(len(batch), -1)
    return np.concatenate([points, legal[:, -1:]], axis=1)


def to_action(batch: BoardBatch, moves: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return moves of the batch as actions of OpenSpiel."""
    width, height = batch.size
    array = np.asarray(moves, np.int64)
    return np.where(array == width * height, array, (height - 1 - array // width) * width + array % width)


def from_action(batch: BoardBatch, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return actions of OpenSpiel as moves of the batch."""
    return to_action(batch, actions)
