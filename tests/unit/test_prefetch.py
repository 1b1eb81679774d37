"""Prefetching in another thread: order, errors, and that no thread remains."""

import gzip
import random
import threading
from contextlib import closing

import pytest

from wei7core._util.prefetch import Prefetcher
from wei7core.sources import sources
from wei7core.sources.sources import Sources


def readers():
    return [thread for thread in threading.enumerate() if thread.name == "wei7core-reader"]


def readers_end():
    """Whether they end by themselves: one that has handed over the end may still be on its way out."""
    for thread in readers():
        thread.join(300)
    return not readers()


def test_items_come_in_order_from_another_thread():
    def items():
        for number in range(100):
            yield number, threading.get_ident()

    found = list(Prefetcher(items()))
    assert [number for number, _ in found] == list(range(100))
    assert threading.get_ident() not in {thread for _, thread in found}
    assert readers_end()


def test_few_items_wait():
    made = []
    reached = threading.Event()

    def items():
        for number in range(100):
            made.append(number)
            if number == 4:
                reached.set()
            yield number

    found = Prefetcher(items())
    assert next(found) == 0
    assert reached.wait(300)
    assert len(made) <= 6
    found.close()
    assert len(made) <= 7
    assert not readers()


@pytest.mark.parametrize("kind", [ValueError, OSError, KeyboardInterrupt, MemoryError])
def test_an_error_comes_after_the_items_before_it(kind):
    def items():
        yield 1
        yield 2
        raise kind("no more")

    found = Prefetcher(items())
    assert [next(found), next(found)] == [1, 2]
    with pytest.raises(kind, match="no more"):
        next(found)
    assert readers_end()


def test_what_is_prefetched_is_closed_by_its_own_thread():
    closed = []

    def items():
        try:
            while True:
                yield 1
        finally:
            closed.append(threading.current_thread().name)

    found = Prefetcher(items())
    next(found)
    found.close()
    assert closed == ["wei7core-reader"]


def test_an_interrupted_reader_ends_its_thread():
    found = Prefetcher(iter_forever())
    with pytest.raises(KeyboardInterrupt), closing(found):
        for _ in found:
            raise KeyboardInterrupt
    assert not readers()


def test_a_reader_that_nobody_wants_any_more_ends():
    found = Prefetcher(iter_forever())
    (thread,) = readers()
    del found
    thread.join(300)
    assert not thread.is_alive()


def test_after_the_end_there_is_nothing():
    for found in Prefetcher(iter([1])), Prefetcher(iter_forever()):
        assert next(found) == 1
        found.close()
        assert list(found) == []
        assert next(found, None) is None


def test_items_wait_up_to_their_size():
    made = []
    reached = threading.Event()

    def items():
        for size in (3, 3, 3, 5, 1, 1, 1, 1, 1, 1, 1):
            made.append(size)
            if sum(made) > 10:
                reached.set()
            yield size

    found = Prefetcher(items(), 10, lambda size: size)
    assert reached.wait(300)
    for thread in readers():
        thread.join(0.05)
    assert made == [3, 3, 3, 5]
    assert [next(found), next(found)] == [3, 3]
    assert list(found) == made[2:] == [3, 5, 1, 1, 1, 1, 1, 1, 1]
    assert readers_end()


def iter_forever():
    while True:
        yield 1


@pytest.mark.exhaustive
def test_large_packed_files_are_read_ahead_and_no_others(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(sources, "Prefetcher", lambda items: started.append(1) or Prefetcher(items))
    noise = random.Random(1).randbytes(100_000).hex().encode()
    game = b"(;FF[4]C[" + noise + b"])"
    (tmp_path / "large.sgf").write_bytes(game * 50)
    (tmp_path / "large.sgf.gz").write_bytes(gzip.compress(game * 50))
    (tmp_path / "small.sgf.gz").write_bytes(gzip.compress(b"(;FF[4])" * 50))
    for name, count in ("large.sgf", 0), ("large.sgf.gz", 1), ("small.sgf.gz", 1):
        assert len(list(Sources(tmp_path / name))) == 50
        assert len(started) == count
    assert readers_end()


def test_a_reader_that_stops_early_leaves_no_thread(tmp_path):
    noise = random.Random(1).randbytes(3_000_000).hex().encode()
    path = tmp_path / "a.sgf.gz"
    path.write_bytes(gzip.compress((b"(;FF[4]C[" + noise[:50_000] + b"])\n") * 40 + b"(;FF[4]C[" + noise + b"])", 1))
    texts = iter(Sources(path))
    next(texts)
    texts.close()
    assert not readers()
