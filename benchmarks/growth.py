"""How the cost of a function grows with its input."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

FACTOR: Final = 8
"""How many times larger the larger input is."""
MOST: Final = 24.0
"""The largest ratio of the costs: 8 times the input multiplies a linear cost by 8 and a quadratic one by 64.

Caches that the larger input exceeds have raised the ratio of a linear cost to 11.
"""


def growth(make: Callable[[int], Callable[[], object]], size: int, *, most: float = MOST, tries: int = 6) -> float:
    """Return the ratio of the least processor times of `make(FACTOR * size)()` and `make(size)()`, in seconds.

    Minima of interleaved runs are compared, until the ratio is at most `most`: other load can only raise a time.
    """
    small = large = float("inf")
    for _ in range(tries):
        small = min(small, seconds(make(size)))
        large = min(large, seconds(make(FACTOR * size)))
        if large <= most * small:
            break
    return large / max(small, 1e-6)


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of `run()`."""
    gc.collect()
    gc.freeze()  # so that the next call need not look through what is in use: modules, mostly
    begin = time.process_time()
    run()
    return time.process_time() - begin
