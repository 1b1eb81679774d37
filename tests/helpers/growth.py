"""How the cost of a function grows with its input."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

MOST: Final = 2.6
"""The factor by which twice the input may raise the cost."""


def growth(make: Callable[[int], Callable[[], object]], size: int, *, most: float = MOST, tries: int = 6) -> float:
    """Return the ratio of the least processor times of `make(2 * size)()` and `make(size)()`.

    Minima of interleaved runs are compared, until the ratio is at most `most`: other load can only raise a time, while
    twice the input multiplies a cost that is linear by 2 and one that is quadratic by 4.
    """
    times = {size: float("inf"), 2 * size: float("inf")}
    for _ in range(tries):
        for each in (size, 2 * size):
            run = make(each)
            gc.collect()
            begin = time.process_time()
            run()
            times[each] = min(times[each], time.process_time() - begin)
        if times[2 * size] <= most * times[size]:
            break
    return times[2 * size] / max(times[size], 1e-6)
