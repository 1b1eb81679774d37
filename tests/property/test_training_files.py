"""Files of training rows, damaged in any place: rows or an error of ours, never anything else."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.training_files import katago_arrays, leela_zero_text, npz

import wei7core as w7
from wei7core import TrainingFileError, TrainingRows
from wei7core.training import katago, leela_zero


def small_rows() -> TrainingRows:
    own = np.zeros((3, 5, 5), np.uint8)
    own[1:, 2, 2] = 1
    policy = np.zeros((3, 26), np.int16)
    policy[:, 3] = 9
    return TrainingRows(
        own=own, opponent=own * 0, policy=policy, outcome=np.ones(3), score=np.ones(3), to_move=np.array([1, 2, 1]),
        history=np.zeros((3, 7, 2, 5, 5), np.uint8),
    )  # fmt: skip


TEXT = leela_zero_text(small_rows())
ARRAYS = katago_arrays(small_rows())
READERS: dict[str, tuple[list[bytes], Callable[[bytes], Any]]] = {
    "leela-zero": ([TEXT, gzip.compress(TEXT)], lambda data: leela_zero.read(data, size=5)),
    "katago": (
        [npz(ARRAYS, compressed=way).getvalue() for way in (False, True)],
        lambda data: katago.read(io.BytesIO(data)),
    ),
}


def damaged(chance: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5])):
        place = chance.randrange(len(out))
        match chance.randrange(5):
            case 0:
                out[place] = chance.randrange(256)
            case 1:
                out[place] ^= 1 << chance.randrange(8)
            case 2 if len(out) > 40:
                del out[place : place + chance.randrange(1, 30)]
            case 3:
                out[place:place] = chance.randbytes(chance.randrange(1, 9))
            case _:
                other = chance.randrange(len(out))
                out[place : place + 20] = out[other : other + 20]
    return bytes(out)


@pytest.mark.parametrize("engine", READERS)
@settings(max_examples=examples(100), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_damaged_files(engine: str, seed: int) -> None:
    chance = random.Random(seed)
    files, read = READERS[engine]
    try:
        w7.check_rows(read(damaged(chance, chance.choice(files))))
    except TrainingFileError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("engine", READERS)
def test_truncated_files(engine: str) -> None:
    """Every prefix is refused, but for text that ends with a row; of archives some are tried."""
    files, read = READERS[engine]
    for data in files:
        for end in range(0 if engine == "leela-zero" else 1, len(data), 1 if len(data) < 1000 else 97):
            ended = data[:end].count(b"\n") % leela_zero.LINES == 0 and data[end - 1 : end] in (b"\n", b"")
            if not (data is TEXT and ended):
                try:
                    w7.check_rows(read(data[:end]))
                except TrainingFileError:
                    continue
                assert end == 0 or (data is TEXT and data[end : end + 1] == b"\n"), end
