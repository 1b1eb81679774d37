"""Memory of texts: shared without a copy, and held while any thread has a view of it."""

from __future__ import annotations

import array
import gc
import threading
from collections import deque

import numpy as np
import pytest

from wei7core._util._native import BufferOwner, PooledBuffer
from wei7core.sources.chunks import Chunk, Run
from wei7core.sources.sources import Sources

TEXT = bytes(k % 251 for k in range(5000))


def is_held(memory: bytearray) -> bool:
    """Whether there is a view of it: then its size is fixed."""
    try:
        memory.append(0)
    except BufferError:
        return True
    memory.pop()
    return False


# --- BufferOwner ----------------------------------------------------------------------------------


@pytest.mark.parametrize("begin", [0, 1, 4999, 5000])
@pytest.mark.parametrize("end", [0, 1, 4999, 5000])
@pytest.mark.parametrize("kind", [bytes, bytearray, lambda data: np.frombuffer(data, np.uint8)])
def test_it_shows_what_the_view_shows(kind, begin, end):
    owner = kind(TEXT)
    shared = BufferOwner(memoryview(owner)[begin:end])
    assert bytes(shared) == bytes(memoryview(shared)) == TEXT[begin:end]
    assert len(shared) == len(TEXT[begin:end])
    if shared:
        assert np.shares_memory(np.frombuffer(shared, np.uint8), np.frombuffer(owner, np.uint8))


def test_what_it_shows_is_bytes_and_cannot_be_written():
    view = memoryview(BufferOwner(memoryview(bytearray(TEXT))))
    assert (view.format, view.ndim, view.shape, view.readonly) == ("B", 1, (len(TEXT),), True)
    with pytest.raises(TypeError):
        view[0] = 1
    numbers = array.array("i", [1, 2, 3])
    assert bytes(BufferOwner(memoryview(numbers)[1:])) == numbers.tobytes()[numbers.itemsize :]
    square = np.arange(12, dtype=np.int16).reshape(3, 4)
    assert bytes(BufferOwner(memoryview(square))) == square.tobytes()


def test_it_holds_the_memory_and_not_the_view():
    memory = bytearray(TEXT)
    view = memoryview(memory)
    shared = BufferOwner(view[10:20])
    other = BufferOwner(memoryview(shared)[2:4])
    view.release()
    assert bytes(other) == TEXT[12:14]
    assert is_held(memory)
    del shared
    gc.collect()
    assert is_held(memory)
    assert bytes(other) == TEXT[12:14]
    del other
    assert not is_held(memory)


def test_a_view_of_what_cannot_show_plain_bytes_is_held_itself():
    row = memoryview(np.arange(12, dtype=np.uint8).reshape(3, 4)[:, :2])[1:2]
    assert row.c_contiguous
    shared = BufferOwner(row)
    assert bytes(shared) == bytes(row)
    with pytest.raises(BufferError):
        row.release()


def test_views_that_cannot_be_shared():
    with pytest.raises(BufferError, match="contiguous"):
        BufferOwner(memoryview(TEXT)[::2])
    released = memoryview(TEXT)
    released.release()
    with pytest.raises(ValueError, match="released"):
        BufferOwner(released)
    for other in (TEXT, None, "text"):
        with pytest.raises(TypeError):
            BufferOwner(other)


def at_once(work, threads: int = 4) -> list[object]:
    """What `work` raises in some threads that start together."""
    start = threading.Barrier(threads)
    errors: list[object] = []

    def run() -> None:
        start.wait()
        try:
            work()
        except BaseException as error:
            errors.append(error)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return errors


def test_threads_cut_pieces_of_the_same_bytes():
    # From a memoryview they must not, where Python has no lock: one of them finds it released.
    memory = bytearray(TEXT)
    shared = BufferOwner(memoryview(memory))

    def cut(of: BufferOwner = shared) -> None:
        for begin in range(20_000):
            piece = memoryview(of)[begin % 4000 : begin % 4000 + 5]
            assert piece[0] == begin % 4000 % 251

    assert at_once(cut) == []
    assert is_held(memory)
    del shared, cut
    gc.collect()
    assert not is_held(memory)


def test_threads_read_records_of_one_block():
    text = b"(;GM[1]SZ[9];B[aa];W[bb])\n" * 2000
    ends = np.arange(1, 2001) * 26
    block = Chunk(memoryview(text), ends - 26, ends, "sgf", (Run("games.sgf", 2000, 0, True),), np.zeros(1, np.int64))
    assert isinstance(block.data, BufferOwner)

    def read() -> None:
        for index in range(len(block)):
            assert block.text(index).data == text[:26]

    assert at_once(read) == []
    assert block.text(7).line == 8


@pytest.mark.exhaustive
def test_threads_read_the_same_view_as_a_source():
    text = b"(;GM[1]SZ[9];B[aa];W[bb])\n" * 100
    view = memoryview(text)

    def read() -> None:
        for _ in range(200):
            assert sum(1 for _ in Sources(view)) == 100

    assert at_once(read) == []
    view.release()


# --- PooledBuffer -----------------------------------------------------------------------------------


def test_memory_comes_back_when_nobody_looks_at_it():
    pool: deque[bytearray] = deque()
    memory = bytearray(TEXT)
    lent = PooledBuffer(memory, pool)
    view = memoryview(lent)
    view[:3] = b"abc"
    assert (len(lent), bytes(memory[:4])) == (len(TEXT), b"abc\3")
    part = BufferOwner(view[1:3])
    del lent, view
    assert (len(pool), is_held(memory), bytes(part)) == (0, True, b"bc")
    del part
    assert [one is memory for one in pool] == [True]
    assert not is_held(memory)


def test_memory_that_no_pool_wants():
    memory = bytearray(TEXT)
    lent = PooledBuffer(memory, None)
    assert is_held(memory)
    del lent
    assert not is_held(memory)
    with pytest.raises(TypeError):
        PooledBuffer(TEXT, None)
