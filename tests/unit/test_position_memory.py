"""Memory of positions is used again only when nothing refers to it, by any number of threads."""

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wei7core as w7


def games(seed, count):
    """Games of SGF whose positions take hundreds of kilobytes, so that their memory is cached."""
    rng = np.random.default_rng(seed)
    letters = "abcdefghijklmnopqrs"
    return "".join(
        "(;SZ[19]"
        + "".join(f";{'BW'[k % 2]}[{letters[p // 19]}{letters[p % 19]}]" for k, p in enumerate(rng.permutation(361)))
        + ")"
        for _ in range(count)
    ).encode()


def columns(results):
    return {name: values.tolist() for name, values in results.positions.to_numpy().items()}


def test_results_keep_their_memory():
    texts = [games(seed, 4 + 9 * seed) for seed in range(4)]
    expected = [columns(w7.replay(text, positions=True)) for text in texts]
    kept = [w7.replay(text, positions=True) for text in texts]
    for text in texts * 3:
        w7.replay(text, positions=True)
    assert [columns(results) for results in kept] == expected
    first = kept[0].positions.to_numpy()["hash"]
    del kept
    for text in texts:
        w7.replay(text, positions=True)
    assert first.tolist() == expected[0]["hash"]


def test_threads_share_cached_memory():
    texts = [games(seed, 6 + 5 * seed) for seed in range(4)]
    expected = [columns(w7.replay(text, positions=True)) for text in texts]

    def work(number):
        return [columns(w7.replay(texts[k % 4], positions=True)) == expected[k % 4] for k in range(number, number + 4)]

    with ThreadPoolExecutor(4) as pool:
        assert all(all(equal) for equal in pool.map(work, range(4)))


def test_positions_beyond_the_estimate():
    # Passes take fewer bytes than the estimate has for a move.
    text = b"(;SZ[19]" + b";B[]" * 9_000 + b")"
    results = w7.replay(text * 2, positions=True)
    assert len(results.positions) == 2 * len(w7.replay(text, positions=True).positions)
    assert results.positions.to_numpy()["move_number"][-1] == 9_000


def test_memory_that_is_not_used_is_returned():
    # A text of comments has far fewer positions than one of moves of that size.
    text = b"(;SZ[19]" + b";B[aa]" * 2_000 + b"C[" + b"c" * 400_000 + b"])"
    expected = columns(w7.replay(text, positions=True))
    for _ in range(3):
        assert columns(w7.replay(text, positions=True)) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="blocks are cached where the compiler is gcc or clang")
def test_memory_in_a_reference_cycle_is_used_again():
    text = games(1, 40)

    def hashes():
        return w7.replay(text, positions=True).positions.to_numpy()["hash"]

    def address(array):
        return array.__array_interface__["data"][0]

    for _ in range(3):
        array = hashes()
        before, memory = address(array), array
        while isinstance(memory, np.ndarray):
            memory = memory.base
        del array
        cycle = [memory]
        cycle.append(cycle)
        del memory, cycle
        gc.collect()
        assert address(hashes()) == before
