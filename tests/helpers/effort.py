"""How much tests try: in proportion to the examples of the profile, and which parameters are of the quick suite."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

EXAMPLES_OF_DEV = 100


def examples(count: int) -> int:
    """Return `count` in the profiles `dev` and `ci`, and in the others as many in proportion."""
    return max(1, count * settings.default.max_examples // EXAMPLES_OF_DEV)


def is_quick() -> bool:
    """Whether the profile tries fewer examples than `dev` and `ci` do."""
    return settings.default.max_examples < EXAMPLES_OF_DEV


def chances() -> st.SearchStrategy[random.Random]:
    """Sources of random numbers, each made of a seed.

    Where Hypothesis draws every number itself, that takes most of the time of a test and ends many examples as too
    large. In the profile `dev` it does, since it can then shrink what has failed.
    """
    if os.environ.get("WEI7CORE_HYPOTHESIS") == "dev":
        return st.randoms(use_true_random=False)
    return st.builds(random.Random, st.integers(0, 2**64 - 1))


def first(count: int, values: Iterable[Any], width: int = 1) -> list[Any]:
    """Parameters of which the quick suite has the first ones; those after them are exhaustive.

    `width` is the number of names that one parameter has values for.
    """
    return _marked(values, width, lambda number: number < count)


def every(step: int, values: Iterable[Any], width: int = 1) -> list[Any]:
    """Parameters of which the quick suite has every `step`-th, from the first; the others are exhaustive."""
    return _marked(values, width, lambda number: number % step == 0)


def _marked(values: Iterable[Any], width: int, is_quick: Callable[[int], bool]) -> list[Any]:
    return [
        value if is_quick(number) else pytest.param(*(value if width > 1 else (value,)), marks=pytest.mark.exhaustive)
        for number, value in enumerate(values)
    ]
