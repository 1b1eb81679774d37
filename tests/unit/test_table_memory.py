"""Memory of large tables: new ones are zeros, and what is given up is used again, never by two at once."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import wei7core
from wei7core._util._native import TableMemory

LEAST_KEPT = 1 << 22

KEEPS = pytest.mark.skipif(os.name != "posix", reason="memory goes back to the system here")


def place_of(memory):
    return np.frombuffer(memory, np.uint8).ctypes.data


@pytest.mark.parametrize("size", [0, 1, 63, 4096, LEAST_KEPT - 1])
def test_small_memory_is_new(size):
    for _ in range(2):
        memory = TableMemory(size)
        array = np.frombuffer(memory, np.uint8) if size else np.zeros(0, np.uint8)
        assert memory.is_zero
        assert len(array) == size
        assert not array.any()
        array[:] = 1


@KEEPS
def test_large_memory_is_used_again():
    size = 11 * LEAST_KEPT + 5
    first = TableMemory(size)
    np.frombuffer(first, np.uint8)[:] = 1
    place = place_of(first)
    del first
    second = TableMemory(size - 100)
    assert (place_of(second), second.is_zero) == (place, False)
    third = TableMemory(size)
    assert third.is_zero
    assert place_of(third) != place
    assert not np.frombuffer(third, np.uint8).any()


@KEEPS
def test_what_is_too_small_or_much_too_large_is_not_used():
    place = None
    for size in (9 * LEAST_KEPT, 12 * LEAST_KEPT, 3 * LEAST_KEPT):
        memory = TableMemory(size)
        array = np.frombuffer(memory, np.uint8)
        assert len(array) >= size
        if memory.is_zero:
            assert not array.any()
        array[-1] = array[0] = 7
        if place is not None:
            assert memory.is_zero or place_of(memory) != place
        place = place_of(memory)
        del memory, array


def test_an_array_keeps_its_memory():
    array = np.frombuffer(TableMemory(2 * LEAST_KEPT), np.uint8)
    array[:] = 5
    others = [TableMemory(2 * LEAST_KEPT) for _ in range(3)]
    for other in others:
        np.frombuffer(other, np.uint8)[:] = 6
    assert (array == 5).all()


def test_there_is_not_memory_without_end():
    for size in (1 << 62, (1 << 63) - 1, (1 << 64) - 1):
        with pytest.raises((MemoryError, OverflowError)):
            TableMemory(size)
    with pytest.raises(OverflowError):
        TableMemory(-1)
    with pytest.raises(TypeError):
        TableMemory("12")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the addresses of a process so")
def test_what_waits_makes_room():
    code = (
        "import resource, numpy as np; from wei7core._util._native import TableMemory\n"
        "memory = TableMemory(100 << 20); del memory\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (80 << 20), -1))\n"
        "try: bytearray(300 << 20); raise SystemExit('no bound')\n"
        "except MemoryError: pass\n"
        "memory = TableMemory(150 << 20)\n"
        "assert memory.is_zero and not np.frombuffer(memory, np.uint8).any()\n"
        "try: TableMemory(300 << 20)\n"
        "except MemoryError as error: print(error)\n"
    )
    # Threads of NumPy's library take address space of their own, some of them after `used` is read.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    if done.stderr == "no bound\n":
        pytest.skip("nobody keeps the bound here, as in an emulator")
    assert done.stdout == "not enough memory for a table of 314572800 bytes\n", done.stderr


def test_no_two_threads_have_the_same_memory():
    wrong = []

    def work(number):
        for turn in range(30):
            memory = TableMemory(LEAST_KEPT + (turn % 3) * 100)
            array = np.frombuffer(memory, np.uint8)[: 1 << 16]
            array[:] = number
            if not (array == number).all():
                wrong.append(number)
            del memory, array

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("jobs", [1, 3])
def test_tables_do_not_show_what_was_in_their_memory(jobs):
    """Each is what small tables, whose memory is always new, say of the same positions."""
    chance = np.random.default_rng(5)
    for share in (0.9, 0.2, 0.5):
        stones = np.where(chance.random((900, 19, 19)) < share, chance.integers(1, 3, (900, 19, 19)), 0).astype(
            np.uint8
        )
        colors = chance.integers(1, 3, 900)
        table = wei7core.expand(stones, colors, "japanese", jobs=jobs).to_numpy()
        begin = 0
        for first in range(0, 900, 100):
            part = wei7core.expand(stones[first : first + 100], colors[first : first + 100], "japanese").to_numpy()
            rows = slice(begin, begin + len(part["parent"]))
            begin = rows.stop
            part["parent"] = part["parent"] + first
            for name, values in part.items():
                assert (table[name][rows] == values).all(), name
        assert begin == len(table["parent"])
