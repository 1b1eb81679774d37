"""Threads that share the work of one object."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from helpers.effort import examples

import wei7core as w7
from wei7core._util.prefetch import Prefetcher


def played(jobs: int, steps: int = 60, n: int = 37) -> bytes:
    batch = w7.BoardBatch(n, 5, jobs=jobs, max_moves=40)
    generator = np.random.default_rng(1)
    seen = b""
    for _ in range(steps):
        noise = generator.random(batch.legal.shape) * batch.legal
        batch.step(noise.argmax(axis=1))
        seen += batch.hash.tobytes() + batch.planes().tobytes() + batch.rewards.tobytes()
    return seen


@pytest.mark.parametrize("jobs", [2, 3, 16, 64])
def test_threads_do_not_change_what_is_written(jobs: int) -> None:
    assert played(jobs) == played(1)


@pytest.mark.parametrize("jobs", [2, 5])
def test_threads_that_fell_asleep_between_calls(jobs: int) -> None:
    batch, one = w7.BoardBatch(11, 5, jobs=jobs), w7.BoardBatch(11, 5)
    for point in range(24):
        if point % 3 == 0:
            time.sleep(0.002)
        batch.step(np.full(11, point))
        one.step(np.full(11, point))
        assert (batch.hash == one.hash).all()


def test_more_threads_than_boards() -> None:
    batch = w7.BoardBatch(1, 5, jobs=1000)
    batch.step([3])
    assert batch.to_array()[0, 0, 3] == 1


def test_threads_end_with_the_batch() -> None:
    before = set(threading.enumerate())  # those of other batches may still be ending
    batch = w7.BoardBatch(16, 5, jobs=4)
    batch.step(np.zeros(16, np.int32))
    threads = [thread for thread in threading.enumerate() if thread not in before]
    assert [thread.name for thread in threads] == 3 * ["wei7core"]
    del batch
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()


def test_copies_in_several_threads_share_the_team() -> None:
    batch = w7.BoardBatch(64, 5, jobs=4)
    copies = [batch.copy() for _ in range(4)]
    actions = np.arange(64, dtype=np.int32) % 25

    def play(one: w7.BoardBatch) -> None:
        for _ in range(examples(200)):
            one.reset()
            one.step(actions)

    threads = [threading.Thread(target=play, args=(one,)) for one in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    batch.step(actions)
    assert all((one.hash == batch.hash).all() for one in copies)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch = w7.BoardBatch(16, 5, jobs=4)
    batch.step(np.zeros(16, np.int32))
    child = os.fork()
    if child == 0:  # pragma: no cover
        status = 1
        try:
            batch.step(np.ones(16, np.int32))
            status = int(not (batch.to_array()[:, 0, 1] == 2).all())
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    batch.step(np.ones(16, np.int32))
    assert (batch.to_array()[:, 0, 1] == 2).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_cannot_continue_an_iteration_with_threads() -> None:
    pieces = w7.replay_batches([b"(;SZ[9];B[aa];W[bb];B[cc])"] * 5000, jobs=2, batch_size=500)
    items = Prefetcher(number for number in range(100))
    next(pieces), next(items)
    child = os.fork()
    if child == 0:  # pragma: no cover
        status = 0
        try:
            signal.alarm(60)
            for each in (pieces, items):
                try:
                    next(each)
                    status = 1
                except RuntimeError as error:
                    status |= "os.fork: begin another one" not in str(error)
            items.close()
            status |= len(w7.replay([b"(;B[aa])"] * 100, jobs=2)) != 100
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert sum(map(len, pieces)) == 4500
    assert list(items) == list(range(1, 100))
