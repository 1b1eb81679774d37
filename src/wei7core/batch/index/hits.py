"""What a search in an index has found: a row a hit, and the moves that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ...coordinates import point_name
from ...tables.columns import Column, Numbers, Texts
from ...tables.table import Table
from .finding import NO_MOVE, PASS, TENUKI, Found

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["CONTINUATION_COLUMNS", "HIT_COLUMNS", "ContinuationRow", "HitRow", "Hits"]

Array: TypeAlias = "npt.NDArray[Any]"


class HitRow(NamedTuple):
    """A position of a game in which the pattern stands.

    `game` is the number of the game in the index, `move_number` how many moves were in force. The pattern, its colors
    exchanged where it is `swapped`, stands there as `Board.transformed(symmetry)` turns it.
    """

    game: int
    move_number: int
    symmetry: int
    swapped: bool


class ContinuationRow(NamedTuple):
    """A move that followed a hit, as it is on the pattern: turned back, and with its colors.

    `point` is its name on the pattern as on a board of that size, `pass`, or `tenuki` for a move elsewhere. `games` is
    the number of games in which it was played, and of those `black_wins` were won by the Black of the pattern,
    `white_wins` by its White, `other` by nobody, or it is not known.
    """

    point: str
    color: int
    games: int
    black_wins: int
    white_wins: int
    other: int


HIT_COLUMNS: Final = (
    Column("game", "integer"),
    Column("move_number", "integer"),
    Column("symmetry", "integer"),
    Column("swapped", "integer", type="bool"),
)
"""The columns of hits, in order."""

CONTINUATION_COLUMNS: Final = (
    Column("point", "text"),
    Column("color", "integer"),
    Column("games", "integer"),
    Column("black_wins", "integer"),
    Column("white_wins", "integer"),
    Column("other", "integer"),
)
"""The columns of continuations, in order."""


class Hits(Table):
    """The positions in which a pattern stands: a `HitRow` for each, by game and move.

    `len` is the number of games, each counted once; `Hits.row_count` is that of the rows. Where a pattern stands under
    several symmetries at once, the row has the first. Thread safety: frozen; threads may share it.
    """

    def __init__(self, found: Found, size: tuple[int, int], winners: Array) -> None:
        super().__init__(
            HIT_COLUMNS,
            {
                "game": Numbers(found.games),
                "move_number": Numbers(found.move_numbers),
                "symmetry": Numbers(found.symmetries),
                "swapped": Numbers(found.swapped),
            },
            HitRow,
        )
        self._found = found
        self._pattern_size = size
        self._winners = winners
        self._games = np.unique(found.games)

    def __len__(self) -> int:
        return len(self._games)

    @property
    def games(self) -> Array:
        """The numbers of the games, ascending, each once."""
        return self._games

    @property
    def row_count(self) -> int:
        """How many rows there are: positions, of which a game may have several."""
        return len(self._found.games)

    def __repr__(self) -> str:
        return f"<Hits: {self.row_count} positions of {len(self)} games>"

    def continuations(self) -> Table:
        """Return the moves that followed the hits, a `ContinuationRow` each, the one of most games first.

        A move counts once a game, wherever the pattern stood in it; setups are no moves.
        """
        found = self._found
        kept = np.flatnonzero(found.points != NO_MOVE)
        keys, which = np.unique((found.points[kept] - NO_MOVE) << 2 | found.colors[kept], return_inverse=True)
        pairs = np.unique(np.stack([which.reshape(-1), found.games[kept]]), axis=1, return_index=True)[1]
        move, hit = which.reshape(-1)[pairs], kept[pairs]
        winner = self._winners[found.games[hit]].astype(np.int64)
        winner = np.where(found.swapped[hit] & (winner > 0), 3 - winner, winner)
        counts = np.zeros((len(keys), 3), np.int64)
        np.add.at(counts, (move, winner), 1)
        order = np.argsort(-counts.sum(axis=1), kind="stable")
        rows = [
            ContinuationRow(
                self._point_name((int(keys[k]) >> 2) + NO_MOVE),
                int(keys[k]) & 3,
                int(counts[k].sum()),
                int(counts[k, 1]),
                int(counts[k, 2]),
                int(counts[k, 0]),
            )
            for k in order.tolist()
        ]
        data = {
            column.name: Texts.of([row.point for row in rows])
            if column.kind == "text"
            else Numbers(np.array([getattr(row, column.name) for row in rows], np.int64))
            for column in CONTINUATION_COLUMNS
        }
        return Table(CONTINUATION_COLUMNS, data, ContinuationRow)

    def _point_name(self, point: int) -> str:
        if point in (PASS, TENUKI):
            return "pass" if point == PASS else "tenuki"
        width, height = self._pattern_size
        return point_name((point % width, point // width), height)
