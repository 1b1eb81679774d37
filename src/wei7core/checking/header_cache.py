"""A cache of parsed headers, with the columns needed to decide whether a record requires a full check."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from ..board.board import BLACK
from ..formats.sgf.charset_tables import CODECS
from ..formats.sgf.info import info_from_properties
from ..formats.wei7.info import read_info
from ..game.game import Game, game_from_document
from ..record.document import Document, PropertyDict
from ..record.result import Ending
from ..rules import Rules
from .endings import can_be_scored, is_won, takes_ground
from .header import Header, HeaderIssue, header_of

if TYPE_CHECKING:
    import numpy.typing as npt

HEADER_FORMATS: Final = ("sgf", "wei7")
"""The formats by their numbers in the keys of headers; all that are not SGF are that of wei7."""

MEMBER_SPANS: Final[dict[str | None, int]] = {"komi": 0, "result": 1, "handicap": 2}
"""The index of the span of each header member among the facts of a record."""

HEADER_FIGURES: Final = np.dtype(
    [
        ("looked_at", "?"),  # this header requires a check of the moves
        ("has_issues", "?"),  # the header itself has an issue
        ("is_won", "?"),
        ("is_counted", "?"),
        ("passes", "u1"),  # passes that end a game by its rules
        ("resigned_to", "u1"),  # the winner by resignation, else 0
        ("is_scored", "?"),  # the last position after the passes that end a game may contradict the result
        ("takes_ground", "?"),  # any last position may
    ]
)
"""The values of a header that decide whether the end of a game must be checked."""

_SGF_MEMBERS: Final = ("KM", "RE", "HA", "RU", "PL")
_KEY: Final = struct.Struct(f"=2B{len(_SGF_MEMBERS)}i")


class HeaderCache:
    """Headers by their keys (`wei7core.batch.summaries.header_keys`), checked by `rules`, or by those that they name.

    `headers` are all so far and `figures` their rows of `HEADER_FIGURES`, both by number. `ending_issues` are the
    issues to report of a record by a key of its number, passes at its end and last color, of ends for which nothing
    else counts. Any number of threads may use it.
    """

    def __init__(self, rules: Rules | None) -> None:
        self.headers: list[Header] = []
        self.figures: npt.NDArray[np.void] = np.zeros(64, HEADER_FIGURES)
        self.ending_issues: dict[int, list[HeaderIssue]] = {}
        self._rules = rules
        self._numbers: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.headers)

    def numbers(self, keys: Iterable[bytes]) -> list[int]:
        """Return the numbers of the headers with these keys."""
        known = self._numbers.get
        return [self._number(key) if (number := known(key)) is None else number for key in keys]

    def _number(self, key: bytes) -> int:
        try:
            return self._numbers[key]
        except KeyError:
            header = header_of(_game(key), self._rules)
            with self._lock:
                if key not in self._numbers:  # another thread may have been first
                    self._numbers[key] = self._add(header)
                return self._numbers[key]

    def _add(self, header: Header) -> int:
        number, result, rules = len(self.headers), header.result, header.rules
        if number == len(self.figures):
            more = np.zeros(2 * number, HEADER_FIGURES)
            more[:number] = self.figures
            self.figures = more
        resigned = result is not None and result.ending is Ending.RESIGNATION
        self.figures[number] = (
            header.first not in (None, BLACK) or (header.handicap or 0) > 1 or rules.passes == 1,
            bool(header.issues),
            is_won(header),
            header.is_counted,
            rules.passes,
            (result.winner or 0) if result is not None and resigned else 0,
            can_be_scored(header),
            takes_ground(header),
        )
        self.headers.append(header)
        return number


def _game(key: bytes) -> Game:
    """A game with the raw values of a header, and nothing else."""
    number, charset, *sizes = _KEY.unpack_from(key)
    format, codec = HEADER_FORMATS[number], CODECS[charset]
    raw: list[bytes | None] = []
    begin = _KEY.size
    for size in sizes:
        raw.append(key[begin : begin + size] if size >= 0 else None)
        begin += max(size, 0)
    document = Document()
    if format == "sgf":
        values = zip(_SGF_MEMBERS, raw, strict=True)
        document.properties = PropertyDict(
            {name: (value.decode(codec, "replace"),) for name, value in values if value is not None}
        )
        document.info = info_from_properties(document.properties)
    else:
        komi, result, _, kind, scoring = raw
        rules = _object((b"komi", komi), (b"type", kind), (b"scoring", scoring))
        document.info = read_info(_object((b"rules", rules if len(rules) > 2 else None), (b"result", result)))
    return game_from_document(document, format)


def _object(*members: tuple[bytes, bytes | None]) -> bytes:
    """The JSON text of an object of the present members."""
    return b"{" + b",".join(b'"%b":%b' % (name, value) for name, value in members if value is not None) + b"}"
