"""Options shared by every batch operation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .._util.numbers import integer
from ..errors import ERROR, PROBLEM_CODES
from ..formats.registry import FirstRow, is_encoding
from ..formats.sgf.charset import codec, number_of
from ..limits import DEFAULT_LIMITS, Limits, check_limits

_NO_GAME: Final = ("no-game-tree", "game-not-go")
_OF_MOVE: Final = ("move-invalid", "point-off-board")

COUNTED: Final = bytes(
    1
    + 2 * (code.severity == ERROR)
    + 4 * (code.name in _NO_GAME)
    + 8 * (code.syntax or code.limit)
    + 16 * (code.name in _OF_MOVE)
    for code in PROBLEM_CODES
)
"""Flags of each problem code: 1 counted, 2 an error, 4 no game is read, 8 reading ends, 16 a problem of a move of SGF;
64 marks errors with which the engine may write a record.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """Options for reading records, and the columns to return; see `replay`."""

    board: bool = False
    positions: bool = False
    strict: bool = False
    revision: int = 7
    limits: Limits = DEFAULT_LIMITS
    encoding: str | None = None
    first_row: FirstRow = "top"
    metadata: bool = False
    canonical: bool = False

    def for_replay(self) -> Options:
        """Return the options as a replay uses them: positions with metadata always have canonical hashes."""
        return replace(self, canonical=self.canonical or (self.positions and self.metadata))

    @property
    def wanted_charset(self) -> int:
        """The number in `CODECS` of `encoding`; -1 without an encoding, and for UTF-16 and UTF-32."""
        return -1 if self.encoding is None else number_of(codec(self.encoding.encode()))


def refuse_wrong(options: Options, jobs: int) -> None:
    """Raise `ValueError` for invalid options, `TypeError` for those of other types."""
    if integer("jobs", jobs) < 1:
        raise ValueError("jobs must be at least 1")
    if options.revision not in (2, 7):
        raise ValueError("revision must be 7 or 2")
    check_limits(options.limits)
    if options.encoding is not None and not is_encoding(options.encoding):
        raise ValueError(f"unknown encoding {options.encoding!r}")
    if options.first_row not in ("top", "bottom"):
        raise ValueError(f"the first row is {options.first_row!r}; use top or bottom")
