"""Fixtures of the index: random games, and an index of them."""

from __future__ import annotations

import random

import pytest
from oracles import found
from samples.listed_games import listed, written

import wei7core as w7


@pytest.fixture(scope="session")
def games() -> list[found.Listed]:
    chance = random.Random(26)
    return [listed(chance, number) for number in range(64)]


@pytest.fixture(scope="session")
def index(games, tmp_path_factory) -> w7.Index:
    """An index of three segments."""
    folder = tmp_path_factory.mktemp("index")
    texts = written(games)
    index = w7.Index.create(folder, texts[:20], jobs=2)
    assert index.add(texts[20:]) == 44
    return w7.Index.open(folder)
