"""Hashes, columns and files are the same bytes on every platform."""

import numpy as np
from helpers import golden

import wei7core as w7


def test_the_bytes_are_those_of_every_platform():
    kept = golden.GOLDEN.read_text(encoding="utf-8").splitlines()
    made = list(golden.lines())
    assert len(made) > 200
    assert {line for line in made if line not in set(kept)} == set(), (
        "if what changed is meant to, on every platform: cd tests; python -m helpers.golden > data/golden.txt"
    )
    assert made == kept


def test_numbers_are_stored_with_the_least_byte_first(tmp_path):
    w7.replay(golden.SOURCES[:1]).to_npz(tmp_path / "rows.npz")
    with np.load(tmp_path / "rows.npz") as arrays:
        orders = {arrays[name].dtype.str[0] for name in arrays}
    assert orders == {"<", "|"}
