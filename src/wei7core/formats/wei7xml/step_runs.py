"""Runs of plain steps in a wei7 2.x text, read many at once: the parser calls several functions for each."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from ..record_rows import move_rows, numbers_at

_STEP: Final = rb'<(?:black|white) x="(?:0|[1-9][0-9]?)" y="(?:0|[1-9][0-9]?)" ?/>'
# A run has no more than a few hundred steps: the memory of a match grows with its repetitions.
_RUN: Final = re.compile(rb"(%s)(?:[ \t\r\n]*(%s)){7,510}" % (_STEP, _STEP))
_X: Final = len('<black x="')
_BETWEEN: Final = len('" y="')
_BLACK: Final = 1
_WHITE: Final = 2


def next_run(source: bytes, begin: int, end: int) -> tuple[int, int, int] | None:
    """Return where a run of at least eight plain steps in [begin, end) begins, its first ends, and the last begins.

    Thread safe.
    """
    found = _RUN.search(source, begin, end)
    return None if found is None else (found.start(), found.end(1), found.start(2))


def steps_of(source: bytes, begin: int, end: int, size: int) -> npt.NDArray[np.void] | None:
    """Return the rows of the plain steps in [begin, end); None where a point is not on the board. Thread safe."""
    text = np.frombuffer(source, np.uint8, end - begin, begin)
    starts = np.flatnonzero(text == ord("<"))
    x, ends = numbers_at(text, starts + _X)
    y, _ = numbers_at(text, ends + _BETWEEN)
    if max(x.max(), y.max()) >= size:
        return None
    return move_rows(starts + begin, x, y, np.where(text[starts + 1] == ord("b"), _BLACK, _WHITE))
