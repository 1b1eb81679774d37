"""The codes of Giseong records: their meanings, and the split of a text into parts.

A placement ends in `@`, a control in `w`, and everything else is commentary. The effect of a code on a record is in
`read`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..record_rows import numbers_at

BLACK: Final = 1
WHITE: Final = 2
SIDE: Final = 19
"""Points of a side of the board: there is no other size."""

HANGUL: Final = tuple("가나다라마바사아자차카타파하")
"""The letters of kind 1, by their index."""
LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NUMBERS: Final = tuple(map(str, range(100)))
SYMBOLS: Final = tuple("▲◈▣⊙→←↑↓")
"""The symbols of kinds 11 and 12, by their index."""

NEUTRAL, HANGUL_KIND = 0, 1
SAVE, RESTORE, CLEAR = 8, 9, 10


class Kind(NamedTuple):
    """A kind of placement: the colour of its stone (0: none), whether it has a point, the labels of its index."""

    color: int
    has_point: bool = True
    labels: tuple[str, ...] = ()

    @property
    def numbers(self) -> int:
        """How many numbers follow that of the kind."""
        return 2 * self.has_point + bool(self.labels)


PLACEMENT_KINDS: Final = {
    NEUTRAL: Kind(0),
    HANGUL_KIND: Kind(0, labels=HANGUL),
    2: Kind(BLACK),
    3: Kind(WHITE),
    4: Kind(BLACK, labels=LETTERS),
    5: Kind(WHITE, labels=LETTERS),
    6: Kind(BLACK, labels=NUMBERS),
    7: Kind(WHITE, labels=NUMBERS),
    SAVE: Kind(0, has_point=False),
    RESTORE: Kind(0, has_point=False),
    CLEAR: Kind(0, has_point=False),
    11: Kind(BLACK, labels=SYMBOLS),
    12: Kind(WHITE, labels=SYMBOLS),
}
"""The kinds of placements, by the first number."""

LABEL_KINDS: Final = {
    (kind.color, label): (number, index)
    for number, kind in PLACEMENT_KINDS.items()
    if kind.color
    for index, label in enumerate(kind.labels)
}
"""(Colour of the stone, label on it) -> kind and index."""


class Control(NamedTuple):
    """A control: its name, and how many numbers follow its own at least and at most."""

    name: str
    least: int = 0
    most: int = 0


CONTROLS: Final = {
    1: Control("start"),
    2: Control("end"),
    3: Control("clear-dialogue"),
    4: Control("name"),
    5: Control("black"),
    6: Control("white"),
    7: Control("sound"),
    8: Control("rest"),
    9: Control("break", 0, 1),
    10: Control("numbers-on", 2, 2),
    11: Control("numbers-off"),
    12: Control("title"),
    13: Control("sound"),
    20: Control("moves", 1, 1),
    21: Control("posting"),
    22: Control("posting-end"),
    23: Control("version", 1, 1),
}
"""The controls, by the first number."""

RESERVED: Final = re.compile(r"[&@~`#$%^*\-+_=|\\/}{]+")
"""Characters reserved outside of codes: no comment of a valid record contains them (section 4)."""


class Span(NamedTuple):
    """A part of a text: [begin, end), and its kind: `text`, `open`, `close`, `@`, `w`, or `malformed`.

    `numbers` are those of a placement or control.
    """

    what: str
    begin: int
    end: int
    numbers: tuple[int, ...] = ()


class PlainStones(NamedTuple):
    """Stones without labels: the characters of their codes, the numbers of rows and columns, and the colours."""

    at: npt.NDArray[np.int64]
    row: npt.NDArray[np.int32]
    column: npt.NDArray[np.int32]
    color: npt.NDArray[np.uint8]

    def listed(self) -> list[tuple[int, tuple[int, int]]]:
        """Return the colour and the point (x, y) of each."""
        points = zip((self.column - 1).tolist(), (self.row - 1).tolist(), strict=True)
        return list(zip(self.color.tolist(), points, strict=True))


_ON_BOARD: Final = "(?:1[0-9]|[1-9])"
# A run has no more than a thousand stones: the memory of a match grows with its repetitions.
_STONES: Final = re.compile(rf"(?:&\[[23];{_ON_BOARD};{_ON_BOARD}@){{8,1000}}", re.ASCII)
_PART: Final = re.compile(r"&\[(?P<inside>[0-9;:., \t+\-]*)(?P<close>[@w]?)|\{\{|\}\}")
_NUMBERS: Final = re.compile(r"[0-9]{1,9}(?:;[0-9]{1,9}){0,3}", re.ASCII)


def parts(text: str, last: int = 0) -> Iterator[Span]:
    """Yield the parts of `text`, which has no line breaks, from character `last` on without gaps. Thread safe."""
    for match in _PART.finditer(text, last):
        begin, end = match.span()
        if begin > last:
            yield Span("text", last, begin)
        yield _part(match, begin, end)
        last = end
    if len(text) > last:
        yield Span("text", last, len(text))


def _part(match: re.Match[str], begin: int, end: int) -> Span:
    inside = match["inside"]
    if inside is None:
        return Span("open" if match[0] == "{{" else "close", begin, end)
    if not match["close"] or not _NUMBERS.fullmatch(inside):
        return Span("malformed", begin, end)
    return Span(match["close"], begin, end, tuple(map(int, inside.split(";"))))


def plain_stones(text: str, begin: int) -> tuple[PlainStones, int] | None:
    """Return the stones of a run that begins at character `begin` of `text`, and its end; None for less than eight.

    Thread safe.
    """
    run = _STONES.match(text, begin)
    if run is None:
        return None
    letters = np.frombuffer(run[0].encode("ascii"), np.uint8)
    starts = np.flatnonzero(letters == ord("&"))
    row, ends = numbers_at(letters, starts + len("&[2;"))
    column, _ = numbers_at(letters, ends + 1)
    color = np.where(letters[starts + 2] == ord("2"), BLACK, WHITE).astype(np.uint8)
    return PlainStones(starts + begin, row, column, color), run.end()


def read_code(token: str) -> Span | None:
    """Return the part that `token` forms if all of it is one code (a placement, a control, a malformed one), else None.

    Thread safe.
    """
    match = _PART.fullmatch(token)
    return None if match is None or match["inside"] is None else _part(match, 0, len(token))


def placed(numbers: tuple[int, ...]) -> tuple[Kind, tuple[int, int], str | None]:
    """Return the kind, the point (x, y) and the label of a well-formed placement that has a point. Thread safe."""
    kind = PLACEMENT_KINDS[numbers[0]]
    return kind, (numbers[2] - 1, numbers[1] - 1), kind.labels[numbers[3]] if kind.labels else None


def code(close: str, *numbers: int) -> str:
    """Return a code as it is written. Thread safe."""
    return f"&[{';'.join(map(str, numbers))}{close}"
