"""What is read of a file stays as it was while somebody holds it, and its memory serves again afterwards."""

import io

import numpy as np

from wei7core.sources.read_buffer import CHUNK, Buffers, FileReadBuffer


def next_piece(window):
    window.drop(len(window.text))
    window.fill(CHUNK)
    return window.text


def test_a_piece_stays_while_it_is_held():
    window = FileReadBuffer(io.BytesIO(b"".join(bytes([k]) * CHUNK for k in range(40))))
    held = [next_piece(window) for _ in range(40)]
    assert [piece == bytes([k]) * CHUNK for k, piece in enumerate(held)] == [True] * 40


def test_memory_that_nobody_holds_is_taken_up_again():
    window = FileReadBuffer(io.BytesIO(bytes(20 * CHUNK)))
    memories = {np.frombuffer(next_piece(window), np.uint8).ctypes.data for _ in range(20)}
    assert len(memories) <= 2
    buffers = Buffers()
    buffers.take(CHUNK, memoryview(b""))[-5:] = b"above"
    held = buffers.take(CHUNK, memoryview(b"be"))
    assert (bytes(held[:2]), bytes(held[-5:])) == (b"be", b"above")
    part = held[-5:]
    del held
    assert bytes(buffers.take(CHUNK, memoryview(b""))[-5:]) == bytes(5)
    assert bytes(part) == b"above"


def test_what_is_left_of_a_piece_begins_the_next_one():
    data = bytes(k % 251 for k in range(3 * CHUNK))
    window = FileReadBuffer(io.BytesIO(data))
    window.fill(CHUNK)
    window.drop(CHUNK - 5)
    window.fill(2 * CHUNK)
    assert window.text == data[CHUNK - 5 : 3 * CHUNK - 5]
    window.fill(3 * CHUNK)
    assert window.text == data[CHUNK - 5 :]
    assert window.final
