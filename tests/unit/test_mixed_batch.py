"""Boards of different sizes in one batch: each as in a batch of its own."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import wei7core as w7

SIZES = [5, (7, 4), 5, 9, (7, 4), (4, 7), 9, 5]
WIDE, HIGH = 9, 9


def test_boards_play_as_in_batches_of_their_own() -> None:
    options = {"rules": "chinese", "komi": 3.5, "max_moves": 60}
    batch = w7.MixedBatch(SIZES, jobs=2, **options)
    alone = [w7.BoardBatch(1, size, **options) for size in SIZES]
    generator = np.random.default_rng(1)
    ended = 0
    for step in range(150):
        legal, stones = batch.legal, batch.to_array()
        zero, katago = batch.planes(), batch.planes(["board", "ladder", "own"], dtype=np.float32)
        for index, one in enumerate(alone):
            width, height = one.size
            points = np.zeros((HIGH, WIDE), bool)
            points[:height, :width] = one.legal[0, :-1].reshape(height, width)
            assert (legal[index] == [*points.ravel(), one.legal[0, -1]]).all()
            assert (stones[index, :height, :width] == one.to_array()[0]).all()
            assert (zero[index, :, :height, :width] == one.planes()[0]).all()
            assert (katago[index, :, :height, :width] == one.planes(["board", "ladder", "own"])[0]).all()
            assert katago[index, 0].sum() == width * height
        noise = generator.random(legal.shape) * legal
        noise[:, -1] *= 0.1
        actions = noise.argmax(axis=1)
        batch.step(actions)
        for action, one in zip(actions.tolist(), alone, strict=True):
            width, height = one.size
            one.step([width * height if action == WIDE * HIGH else action // WIDE * width + action % WIDE])
        for name in ("done", "rewards", "margins", "lengths", "errors", "to_play", "hash", "captured", "move_count"):
            assert (getattr(batch, name) == np.concatenate([getattr(one, name) for one in alone])).all(), name
        assert (batch.score() == np.concatenate([one.score() for one in alone])).all()
        ended += int(batch.done.sum())
        if step % 20 == 5:
            mask = generator.random(len(SIZES)) < 0.5
            made = [one.undo(mask[k : k + 1])[0] for k, one in enumerate(alone)]
            assert batch.undo(mask).tolist() == made
    assert ended > 10
    batch.reset(np.arange(len(SIZES)) < 3)
    assert (batch.move_count[:3] == 0).all()
    assert repr(batch) == "<wei7core.MixedBatch of 8 boards: 3 of 5 x 5, 2 of 7 x 4, 2 of 9 x 9, 1 of 4 x 7>"


def test_points_off_a_board_are_no_moves() -> None:
    batch = w7.MixedBatch([3, 5], bound=(6, 5))
    assert batch.bound == (6, 5)
    assert len(batch) == 2
    for action in (3, 18, 31, -1, 29):
        batch.step([action, 30])
        assert batch.errors.tolist() == [w7.rules.Verdict.OFF_BOARD.value, 0]
        batch.reset()
    batch.step(np.array([14, 2**63], np.uint64))
    assert batch.errors.tolist() == [0, w7.rules.Verdict.OFF_BOARD.value]


def test_copies_are_independent() -> None:
    batch = w7.MixedBatch([3, 4])
    batch.step([5, 6])
    for other in (copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        assert (other.hash == batch.hash).all()
        other.step([0, 0])
        assert batch.move_count.tolist() == [1, 1] and other.move_count.tolist() == [2, 2]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(w7.BoardSizeError, match="over the bound"):
        w7.MixedBatch([9, 13], bound=9)
    with pytest.raises(ValueError, match="1 board or more"):
        w7.MixedBatch([])
    with pytest.raises(w7.BoardSizeError, match=r"not \(1, 2, 3\)"):
        w7.MixedBatch([(1, 2, 3)])
    for sizes in ([5.0], "59", [True]):
        with pytest.raises(TypeError, match="integer"):
            w7.MixedBatch(sizes)
    assert w7.MixedBatch(np.array([5, 3])).bound == w7.MixedBatch([[5, 5], np.int8(3)], bound=(5, 5)).bound == (5, 5)
    batch = w7.MixedBatch([3, 4])
    with pytest.raises(ValueError, match="are no bits"):
        batch.planes(dtype="bits")
    with pytest.raises(ValueError, match="actions of shape"):
        batch.step([1])
    with pytest.raises(TypeError, match="integers"):
        batch.step([0.5, 1])
    with pytest.raises(ValueError, match="2 booleans"):
        batch.reset(np.array([1, 0]))
