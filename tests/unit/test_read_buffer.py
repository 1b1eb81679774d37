"""Memory read from a file is unchanged while a view of it exists, and reused afterwards."""

import io

import numpy as np

from wei7core.sources.read_buffer import READ_BYTES, BufferPool, FileReadBuffer


def next_piece(window):
    window.drop(len(window.text))
    window.fill(READ_BYTES)
    return window.text


def test_a_piece_stays_while_it_is_held():
    window = FileReadBuffer(io.BytesIO(b"".join(bytes([k]) * READ_BYTES for k in range(20))))
    held = [next_piece(window) for _ in range(20)]
    assert [piece == bytes([k]) * READ_BYTES for k, piece in enumerate(held)] == [True] * 20


def test_memory_that_nobody_holds_is_taken_up_again():
    window = FileReadBuffer(io.BytesIO(bytes(20 * READ_BYTES)))
    memories = {np.frombuffer(next_piece(window), np.uint8).ctypes.data for _ in range(20)}
    assert len(memories) <= 2
    buffers = BufferPool()
    buffers.take(READ_BYTES, memoryview(b""))[-5:] = b"above"
    held = buffers.take(READ_BYTES, memoryview(b"be"))
    assert (bytes(held[:2]), bytes(held[-5:])) == (b"be", b"above")
    part = held[-5:]
    del held
    assert bytes(buffers.take(READ_BYTES, memoryview(b""))[-5:]) == bytes(5)
    assert bytes(part) == b"above"


def test_what_is_left_of_a_piece_begins_the_next_one():
    data = (bytes(range(251)) * (3 * READ_BYTES // 251 + 1))[: 3 * READ_BYTES]
    window = FileReadBuffer(io.BytesIO(data))
    window.fill(READ_BYTES)
    window.drop(READ_BYTES - 5)
    window.fill(2 * READ_BYTES)
    assert window.text == data[READ_BYTES - 5 : 3 * READ_BYTES - 5]
    window.fill(3 * READ_BYTES)
    assert window.text == data[READ_BYTES - 5 :]
    assert window.final
