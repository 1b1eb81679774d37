"""`cd tests; python -m helpers.linear_memory EXTENSION [BEGIN STEP]`: which of the cases from BEGIN on, each STEP-th,
need more memory than in proportion to the input. EXTENSION is the folder of `counted_memory`, PYTHONMALLOC is `malloc`.

Without BEGIN: what is counted and what is traced of one list.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from samples.hostile_shapes import TEXTS

from helpers.uses import USES
from wei7core.errors import Wei7Error

MOST: Final = 2.6
"""The factor by which twice the input may raise the memory."""
LEAST_BYTES: Final = 1 << 19
"""Less memory than this is not compared: blocks that are allocated once would decide."""
TEXT: Final = 6_000
"""About how many bytes the smaller text of a shape has."""
DEEP: Final = [shape for shape in TEXTS if any(word in shape for word in ("deep", "nested", "setups", "attributes"))]

# Each shape with a use in turn, so that each use has a shape, and the deep ones with what is most at risk.
CASES: Final = [(shape, use) for shape in DEEP for use in ("positions", "check by rules")] + [
    (shape, list(USES)[row % len(USES)]) for row, shape in enumerate(TEXTS)
]


def traced(call: Callable[[], object]) -> int:
    """The most memory that a call holds, of which tracemalloc takes most of the time."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def counted(call: Callable[[], object]) -> int:
    """The same, in a process with PYTHONMALLOC=malloc."""
    import counted_memory

    counted_memory.start()
    call()
    return counted_memory.peak()


def failures(cases: list[tuple[str, str]], measure: Callable[[Callable[[], object]], int]) -> list[str]:
    """What is wrong with each of the cases that fail."""

    def peak(shape: str, use: str, size: int) -> int:
        data = TEXTS[shape](size)

        def call() -> None:
            with suppress(Wei7Error, ValueError):
                USES[use](data)

        gc.collect()
        gc.freeze()  # so that the next call need not look through what is in use: modules, mostly
        return measure(call)

    found = []  # with the exceptions: the other cases are tried as well
    for shape, use in cases:
        try:
            second = peak(shape, use, 2 * TEXT)
            if second <= LEAST_BYTES:
                continue
            first = peak(shape, use, TEXT)
            if second > MOST * first:
                first, second = second, peak(shape, use, 4 * TEXT)
            if second > MOST * first:
                found.append(f"{shape}, {use}: {second} bytes, {first} of half the text")
        except Exception as error:
            found.append(f"{shape}, {use}: {error!r}")
    return found


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    if sys.argv[2:]:
        print(*failures(CASES[int(sys.argv[2]) :: int(sys.argv[3])], counted), sep="\n", end="")
    else:
        print(*(measure(lambda: [[n] for n in range(100_000)]) for measure in (counted, traced)))
