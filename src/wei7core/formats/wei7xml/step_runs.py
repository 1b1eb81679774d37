"""Runs of plain steps in a wei7 2.x text, read many at once: the parser calls several functions for each.

Digits are made 0 in a copy of the text, in which plain steps are the same few texts.
"""

from __future__ import annotations

import functools
import re
from typing import Final

import numpy as np
import numpy.typing as npt

from ..record_rows import move_rows, numbers_at

_STEP: Final = re.compile(rb'([ \t\r\n]*)<(?:black|white) x="00?" y="00?" ?/')
_DIGITS_AS_0: Final = bytes(ord("0") if chr(byte) in "0123456789" else byte for byte in range(256))
_LEAST: Final = 8  # steps of a run
_LONGEST: Final = 256  # bytes of a step with the white space before it
_X: Final = len('<black x="')
_BETWEEN: Final = len('" y="')
_BLACK: Final = 1
_WHITE: Final = 2

Run = tuple[int, int, int]


@functools.lru_cache(1024)  # which recur in each record
def _space_before_step(text: bytes) -> int:
    """The bytes of white space before a plain step without its last character; -1 for another text."""
    match = _STEP.fullmatch(text) if len(text) <= _LONGEST else None
    return -1 if match is None else match.end(1)


def runs_in(source: bytes, begin: int, end: int) -> list[Run]:
    """Return where each run of at least eight plain steps in [begin, end) begins, its first ends, and its last begins.

    Thread safe.
    """
    part = source[begin:end]
    spaces = np.array(list(map(_space_before_step, part.translate(_DIGITS_AS_0).split(b">")[:-1])), np.int64)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], spaces >= 0, [False]))))
    begins, ends = edges[::2], edges[1::2]
    is_long = ends - begins >= _LEAST
    if not is_long.any():
        return []
    begins, last = begins[is_long], ends[is_long] - 1
    closes = np.flatnonzero(np.frombuffer(part, np.uint8) == ord(">")) + begin + 1
    starts = np.concatenate(([begin], closes))
    return list(
        zip(
            (starts[begins] + spaces[begins]).tolist(),
            closes[begins].tolist(),
            (starts[last] + spaces[last]).tolist(),
            strict=True,
        )
    )


def steps_of(source: bytes, begin: int, end: int, size: int) -> npt.NDArray[np.void] | None:
    """Return the rows of the plain steps in [begin, end); None where a point is not on the board, or misspelled.

    Thread safe.
    """
    text = np.frombuffer(source, np.uint8, end - begin, begin)
    starts = np.flatnonzero(text == ord("<"))
    x, middles = numbers_at(text, starts + _X)
    y, ends = numbers_at(text, middles + _BETWEEN)
    if max(x.max(), y.max()) >= size:
        return None
    digits = ends - starts - (_X + _BETWEEN)
    if (digits != 2 + (x > 9) + (y > 9)).any():
        return None  # with a zero before a digit
    return move_rows(starts + begin, x, y, np.where(text[starts + 1] == ord("b"), _BLACK, _WHITE))
