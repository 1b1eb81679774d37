"""The hits of a search in an index, and the moves that follow."""

from __future__ import annotations

import datetime
import math
import string
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..._util.lazy_numpy import Array
from ...coordinates import point_name
from ...tables.columns import ColumnData, Numbers, Texts, columns_for
from ...tables.table import Table
from .finding import Matches, MatchingGames
from .opening_tree import opening_tree
from .patterns import Pattern

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...board.drawing.arguments import PictureOptions

_OTHER_NAMES: Final = ("tenuki", "pass")  # before the points
_OTHER_MOVES: Final = len(_OTHER_NAMES)
_REMEMBERED: Final = 16
_REMEMBERED_POINTS: Final = 1 << 10


class HitRow(NamedTuple):
    """A position of a game that matches the pattern.

    `game` is the number of the game in the index, `move_number` how many moves were in force. It matches the pattern
    transformed by `Board.transformed(symmetry)`, with exchanged colors if `swapped`.
    """

    game: int
    move_number: int
    symmetry: int
    swapped: bool


class ContinuationRow(NamedTuple):
    """A move that followed a hit, in the orientation and colors of the pattern.

    `point` is its name on the pattern as on a board of that size, `pass`, or `tenuki` for a move elsewhere. `games` is
    the number of games in which it was played, and of those `black_wins` were won by the Black of the pattern,
    `white_wins` by its White; `other` counts those without a winner or with an unknown one.
    """

    point: str
    color: int
    games: int
    black_wins: int
    white_wins: int
    other: int


class ContinuationDetailRow(NamedTuple):
    """A `ContinuationRow` with statistics of its games.

    `black_rate` and `white_rate` are the shares of Black and of White among the games with a known winner;
    `average_date` is the mean day of the games as ISO 8601, `average_strength` the mean of the ranks of their players:
    1 dan is 1, 1 kyu 0, 2 kyu -1, 1 dan professional 7, plus 0.3 for each further rank. None if unknown.
    """

    point: str
    color: int
    games: int
    black_wins: int
    white_wins: int
    other: int
    black_rate: float | None
    white_rate: float | None
    average_date: str | None
    average_strength: float | None


HIT_COLUMNS: Final = columns_for(HitRow)
"""The columns of hits, in order."""

CONTINUATION_COLUMNS: Final = columns_for(ContinuationRow)
"""The columns of continuations, in order."""

DETAIL_COLUMNS: Final = columns_for(ContinuationDetailRow)
"""The columns of continuations with details, in order."""


class Hits(Table):
    """The positions that match a pattern: a `HitRow` for each, by game and move.

    `len` is the number of games, each counted once; `Hits.row_count` is that of the rows. If a pattern matches under
    several symmetries, the row has the first. Rows are made on first use. Thread safety: frozen; threads may share it.
    """

    def __init__(
        self,
        found: Sequence[Matches | MatchingGames],
        pattern: Pattern,
        region: str,
        with_rows: Callable[[Matches | MatchingGames], Matches],
        values: Callable[[], Array],
    ) -> None:
        self.columns = HIT_COLUMNS
        self.row = HitRow
        self._matches = tuple(found)
        self._with_rows = with_rows
        self._values = values
        self._pattern = pattern
        self._region = region
        self._count = sum(part.game_count() for part in found)

    @cached_property
    def _found(self) -> Sequence[Matches]:
        """The matches with rows for all positions, which most searches make only on demand."""
        return tuple(self._with_rows(part) for part in self._matches)

    @cached_property
    def data(self) -> dict[str, ColumnData]:  # type: ignore[override]  # an attribute of `Table`
        """The columns, by name."""
        numbers = np.zeros(0, np.int64)
        none = (numbers, numbers, numbers, np.zeros(0, bool))
        parts = [none, *(part.columns() for part in self._found)]
        whole = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        order = np.argsort(whole[0], kind="stable")
        return {column.name: Numbers(values[order]) for column, values in zip(HIT_COLUMNS, whole, strict=True)}

    def __len__(self) -> int:
        return self._count

    @cached_property
    def games(self) -> Array:
        """The numbers of the games, ascending, each once."""
        return np.sort(np.concatenate([np.zeros(0, np.int64), *(part.games() for part in self._games_of)]))

    @property
    def _games_of(self) -> Sequence[Matches | MatchingGames]:
        """The matches that name all games: for common positions these are the ones with rows."""
        has_all = all(isinstance(part, MatchingGames) or not len(part.answers) for part in self._matches)
        return self._matches if has_all else self._found

    @property
    def row_count(self) -> int:
        """The number of rows: positions, of which a game may have several."""
        return self._size

    @cached_property
    def _size(self) -> int:  # type: ignore[override]  # an attribute of `Table`
        return sum(part.frame_count() for part in self._found)

    def __repr__(self) -> str:
        return f"<Hits: {self.row_count} positions of {len(self)} games>"

    def continuations(self, *, folded: bool = False, details: bool = False) -> Table:
        """Return the moves that followed the hits, one `ContinuationRow` each, most frequent first.

        A move counts once a game, wherever the pattern occurred; setups are no moves. With `folded` moves are one that
        a symmetry of the pattern exchanges, under the first of their points row by row: on an empty board there are 55
        points, not 361. With `details` rows are `ContinuationDetailRow`, with win rates, average date and strength,
        which requires the metadata of the index and raises as `Index.metadata` does.
        """
        pattern = self._pattern
        size = pattern.width, pattern.height
        counts = np.zeros((pattern.allowed.size + _OTHER_MOVES, 2, 3), np.int64)
        sums = np.zeros((pattern.allowed.size + _OTHER_MOVES, 2, 4)) if details else None
        one = pattern.folded(self._region) if folded else np.arange(pattern.allowed.size, dtype=np.int32)
        values = self._values() if details else None
        is_enough = not details and not any(isinstance(part, MatchingGames) for part in self._matches)
        for part in self._matches if is_enough else self._found:
            assert isinstance(part, Matches)
            part.count_moves(size, one, counts, values, sums)
        games = counts.sum(axis=2).reshape(-1)
        keys = np.flatnonzero(games)
        keys = keys[np.argsort(-games[keys], kind="stable")]
        names = (_names if pattern.allowed.size <= _REMEMBERED_POINTS else _names.__wrapped__)(*size)
        black, white, other = (counts[..., winner].reshape(-1)[keys] for winner in (1, 2, 0))
        data: dict[str, ColumnData] = {
            "point": Texts.of([names[key] for key in (keys >> 1).tolist()]),
            "color": Numbers((keys & 1) + 1),
            "games": Numbers(games[keys]),
            "black_wins": Numbers(black),
            "white_wins": Numbers(white),
            "other": Numbers(other),
        }
        if sums is None:
            return Table(CONTINUATION_COLUMNS, data, ContinuationRow)
        days, day_count, strengths, strength_count = sums.reshape(-1, 4)[keys].T
        dates = _shares(days, day_count).tolist()
        return Table(
            DETAIL_COLUMNS,
            {
                **data,
                "black_rate": _optional(_shares(black, black + white)),
                "white_rate": _optional(_shares(white, black + white)),
                "average_date": Texts.of([None if math.isnan(day) else _iso(day) for day in dates]),
                "average_strength": _optional(_shares(strengths, strength_count)),
            },
            ContinuationDetailRow,
        )

    def svg(self, *, letters: int = 10, folded: bool = False, **options: Unpack[PictureOptions]) -> str:
        """Return a picture of the pattern as SVG, with letters on the points of the next moves.

        A is the move of most games among `continuations(folded=folded)`; at most `letters` of them, 26 at most, have
        one. The other options are those of `Board.svg`; `marks` come after the letters. Raises what `Board.svg` raises.
        """
        rows = self.continuations(folded=folded)
        points = dict.fromkeys(row.point for row in rows if row.point not in _OTHER_NAMES)
        marks = list(zip(points, string.ascii_uppercase[: max(0, letters)], strict=False))
        options["marks"] = [*marks, *options.get("marks", ())]
        return self._pattern.board().svg(**options)

    def to_sgf(self, *, moves: int = 8, least: int = 1) -> str:
        """Return the moves that followed a whole position as a tree in SGF, which `wei7core.loads` reads.

        Lines have at most `moves` moves from the first time that the position was in a game; a comment has the number
        of games that came so far, and who won them. Moves of fewer games than `least` are not there, the others begin
        with the one of most games. Colors and orientation are those of the pattern; lines that a symmetry of the
        pattern exchanges are one. Raises `ValueError` for a region that is not `board`, and for a board of more than
        52 x 52 points.
        """
        if self._region != "board":
            raise ValueError(f"a tree of moves is of a whole board, not of region={self._region!r}")
        return opening_tree(self._found, self._pattern, moves, least)


@lru_cache(_REMEMBERED)
def _names(width: int, height: int) -> tuple[str, ...]:
    """The names of moves on a pattern of a size: those elsewhere, then points row by row."""
    points = (point_name((x, y), height) for y in range(height) for x in range(width))
    return (*_OTHER_NAMES, *points)


def _shares(parts: Array, wholes: Array) -> Array:
    """Quotients, NaN for a divisor of zero."""
    shares: Array = np.divide(parts, wholes, out=np.full(len(parts), np.nan), where=wholes > 0)
    return shares


def _optional(values: Array) -> Numbers:
    return Numbers(values, ~np.isnan(values))


def _iso(day: float) -> str:
    return datetime.date.fromordinal(round(day)).isoformat()
