"""Training rows of records in the layout of KataGo's self-play files.

Source: cpp/dataio/trainingwrite.h of https://github.com/lightvector/KataGo, the comments of `TrainingWriteBuffers`,
version 2 of the rows (64 channels of targets). Values that records of games lack have weight 0: the search, ownership,
score, lead, and the positions to come. A policy is the move that was played, with weight 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..._util.lazy_numpy import Array
from .batch import SampleBatch

if TYPE_CHECKING:
    import numpy.typing as npt

_TARGETS: Final = 64
_SCORE_RADIUS: Final = 60
"""Points more than the board has that a score may be: EXTRA_SCORE_DISTR_RADIUS of KataGo."""
_HASH_BITS: Final = (22, 22, 20, 22, 22, 20)


def katago_arrays(batch: SampleBatch, width: int, height: int, *, territory: bool) -> dict[str, Array]:
    """Return a batch of features "katago-v7" as bits, with globals, as the arrays of a file of KataGo."""
    count, points = len(batch), width * height
    assert batch.globals is not None
    rows = np.arange(count)
    policy = np.zeros((count, 2, points + 1), np.int16)
    policy[rows, 0, batch.policy] = 1
    policy[:, 1] = 1  # of no weight, but KataGo requires a distribution
    targets = np.zeros((count, _TARGETS), np.float32)
    has_value = ~np.isnan(batch.value)
    win = np.where(has_value, (np.nan_to_num(batch.value) + 1) / 2, 0.5)
    for channel in range(0, 20, 4):
        targets[:, channel], targets[:, channel + 1] = win, 1 - win
    targets[:, 24] = 1  # no weight of later positions
    targets[:, 25] = targets[:, 26] = 1
    targets[:, 35] = ~has_value
    targets[:, 36:41] = 1
    targets[:, 41:47] = _game_hashes(batch.game)
    targets[:, 47] = batch.globals[:, 5] * 20
    targets[:, 48] = not territory
    targets[:, 51] = batch.move_number
    targets[:, 55] = 4  # a position of an external record
    targets[:, 60] = 1
    targets[:, 62] = has_value & np.isin(win, (0, 1))
    targets[:, 63] = 2
    scores = np.zeros((count, 2 * (points + _SCORE_RADIUS)), np.int8)
    scores[:, points + _SCORE_RADIUS] = 100
    return {
        "binaryInputNCHWPacked": batch.planes,
        "globalInputNC": batch.globals,
        "policyTargetsNCMove": policy,
        "globalTargetsNC": targets,
        "scoreDistrN": scores,
        "valueTargetsNCHW": np.zeros((count, 5, height, width), np.int8),
    }


def _game_hashes(games: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """128 bits that name each game, in parts that floats hold."""
    words = []
    for salt in (1, 2):
        with np.errstate(over="ignore"):
            z = games.astype(np.uint64) * np.uint64(2) + np.uint64(salt)
            z *= np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            words.append(z ^ (z >> np.uint64(31)))
    parts, shift = [], 0
    for k, bits in enumerate(_HASH_BITS):
        parts.append((words[k // 3] >> np.uint64(shift)) & np.uint64((1 << bits) - 1))
        shift = 0 if k == 2 else shift + bits
    return np.stack(parts, axis=1).astype(np.float32)
