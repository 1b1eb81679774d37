"""The rows of a batch replay, as columns for files, NumPy and Arrow."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from .._util.lazy_numpy import np
from .._util.words import counted, counts_text
from ..tables.columns import Column, Numbers, Texts, columns_for
from ..tables.table import Table

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "METADATA_COLUMNS",
    "POSITION_COLUMNS",
    "POSITION_METADATA_COLUMNS",
    "PROBLEM_COLUMNS",
    "REPLAY_COLUMNS",
    "CanonicalPositionRow",
    "FindingRow",
    "MetadataRow",
    "PositionMetadataRow",
    "PositionRow",
    "ReplayRow",
    "Results",
    "position_row",
    "positions_columns",
    "replay_columns",
    "replay_row",
]


class ReplayRow(NamedTuple):
    """One record after its replay.

    The figures are those of the path in force at the end of the main line, as
    far as it could be played. `problems` counts all problems, warnings included;
    the four fields `error...` describe the one that prevented a full replay. `error_offset` counts bytes from 0, in a
    file of lines from the start of the record's line. Fields are None if absent from the record, or if it was not read.
    """

    source: str
    record: int
    id: str | None
    format: str | None
    width: int | None
    height: int | None
    moves: int
    passes: int
    takebacks: int
    suicides: int
    ko_recaptures: int
    black_captured: int
    white_captured: int
    hash: int | None
    canonical_hash: int | None
    board: str | None
    problems: int
    error: str | None
    error_offset: int | None
    error_path: str | None
    error_message: str | None


class MetadataRow(NamedTuple):
    """One record after its replay, with its metadata: the fields of `ReplayRow`, and those below.

    Each is None if the header has no such value or an unreadable one, and if the header was not read.
    `wei7core.batch.results.METADATA_COLUMNS` describes them.
    """

    source: str
    record: int
    id: str | None
    format: str | None
    width: int | None
    height: int | None
    moves: int
    passes: int
    takebacks: int
    suicides: int
    ko_recaptures: int
    black_captured: int
    white_captured: int
    hash: int | None
    canonical_hash: int | None
    board: str | None
    problems: int
    error: str | None
    error_offset: int | None
    error_path: str | None
    error_message: str | None
    black: str | None
    white: str | None
    black_rank: str | None
    white_rank: str | None
    black_team: str | None
    white_team: str | None
    event: str | None
    round: str | None
    place: str | None
    date: str | None
    date_raw: str | None
    komi: float | None
    rules: str | None
    rules_raw: str | None
    handicap: int | None
    time_limit: float | None
    overtime: str | None
    result_raw: str | None
    winner: int | None
    margin: float | None
    ending: str | None
    source_program: str | None
    first_moves: str | None
    opening_key: int | None


class FindingRow(NamedTuple):
    """One problem of one record; see `wei7core.errors.Problem`."""

    severity: str
    code: str
    clause: str
    source: str
    record: int
    offset: int
    line: int
    column: int
    path: str
    message: str


class PositionRow(NamedTuple):
    """One pause point of one branch of one record; see `wei7core.replaying.replay.PausePoint`."""

    source: str
    record: int
    branch: str
    step: int | None
    move_number: int
    color: int | None
    x: int | None
    y: int | None
    hash: int
    board: str


class CanonicalPositionRow(NamedTuple):
    """One pause point as in `PositionRow`, with the least hash under the symmetries of the board."""

    source: str
    record: int
    branch: str
    step: int | None
    move_number: int
    color: int | None
    x: int | None
    y: int | None
    hash: int
    canonical_hash: int
    board: str


class PositionMetadataRow(NamedTuple):
    """A `CanonicalPositionRow` with `wei7core.batch.results.POSITION_METADATA_COLUMNS`."""

    source: str
    record: int
    branch: str
    step: int | None
    move_number: int
    color: int | None
    x: int | None
    y: int | None
    hash: int
    canonical_hash: int
    board: str
    to_play: int | None
    next_move: str | None
    winner: int | None


REPLAY_COLUMNS: Final = columns_for(ReplayRow, hash="hash", canonical_hash="hash")
"""The columns of a replay, in order; `board` only if requested."""

_ALL: Final = columns_for(MetadataRow, distinct=("first_moves",), winner="int8", opening_key="hash")

METADATA_COLUMNS: Final = _ALL[len(REPLAY_COLUMNS) :]
"""The columns of `replay(metadata=True)` after the others, in order. Texts are as written; white space alone counts as
absent.

- `date`: the first day of `date_raw` as ISO 8601, or only its month or year
- `komi`: in points (目), hundredths and Chinese stones (子) converted
- `rules`: one of `wei7core.rules.NAMED` that `rules_raw` names
- `handicap`: stones, by HA or as they are set up, 0 for none
- `time_limit`: main time of each player in seconds
- `result_raw`: RE of SGF; for formats with a winner and a margin, the equivalent RE
- `winner`: 1 (Black) or 2 (White); `margin`: in points
- `ending`: `score`, `resign`, `time`, `forfeit`, `draw`, `void` or `unknown`
- `first_moves`: the first 12 moves in force at the end of the main line, vertices of GTP with spaces between them
- `opening_key`: identifies the size, setup and those moves, up to symmetries of the board and exchanged colors
"""

_POSITION_KINDS: Final = {
    "step": "int32",
    "move_number": "int32",
    "color": "int8",
    "x": "int32",
    "y": "int32",
    "hash": "hash",
    "canonical_hash": "hash",
    "board": "board",
}

POSITION_COLUMNS: Final = columns_for(PositionRow, **_POSITION_KINDS)
"""The columns of a list of pause points, in order; `positions_columns` has the canonical hash as well."""
_CANONICAL_COLUMNS: Final = columns_for(CanonicalPositionRow, **_POSITION_KINDS)

POSITION_METADATA_COLUMNS: Final = columns_for(PositionMetadataRow, to_play="int8", winner="int8")[
    len(_CANONICAL_COLUMNS) :
]
"""The additional columns of pause points with metadata, in order.

- `to_play`: the color of the next move; without an immediate one, the opponent of the move that led there, if one did
- `next_move`: the GTP vertex of the immediate next move, on the first branch if there are several
- `winner`: that of the game, 1 (Black) or 2 (White)
"""

PROBLEM_COLUMNS: Final = columns_for(FindingRow)
"""The columns of a list of problems, in order."""


class Results(Table):
    """A `ReplayRow`, or with metadata a `MetadataRow`, for each record of a batch, in input order.

    `positions` is the `Table` of `PositionRow` of all records, or None unless requested. `problems` counts the problems
    of all records by (severity, code).
    """

    def __init__(self, rows: Table, *, positions: Table | None, problems: Counter[tuple[str, str]]) -> None:
        self.__dict__.update(rows.__dict__)
        self.positions = positions
        self.problems = problems

    @property
    def errors(self) -> list[ReplayRow | MetadataRow]:
        """The rows of the records that could not be replayed to their end."""
        return [self[place] for place in np.flatnonzero(self._failed).tolist()]

    @property
    def error_count(self) -> int:
        """How many records could not be replayed to their end."""
        return int(np.count_nonzero(self._failed))

    @property
    def error_codes(self) -> Counter[str]:
        """How many records could not be replayed to their end, by the code of the error in their row."""
        errors = self.data["error"]
        assert isinstance(errors, Texts)
        failed = np.flatnonzero(self._failed).tolist() if self.error_count else ()
        return Counter(code for place in failed for code in errors.to_list(place, place + 1) if code is not None)

    @property
    def move_count(self) -> int:
        """The moves of all records together."""
        moves = self.data["moves"]
        assert isinstance(moves, Numbers)
        return int(moves.values.sum())

    def __repr__(self) -> str:
        count, failed = len(self), self.error_count
        parts = [f"{count - failed:,} replayed", counted(self.move_count, "move")]
        if failed:
            parts.append(f"{counted(failed, 'error')} ({counts_text(self.error_codes)})")
        parts.append(counted(self.problems.total(), "problem"))
        if self.positions is not None:
            parts.append(counted(len(self.positions), "position"))
        return f"<Results of {counted(count, 'record')}: {', '.join(parts)}>"

    @property
    def _failed(self) -> npt.NDArray[np.bool_]:
        errors = self.data["error"]
        assert isinstance(errors, Texts)
        return np.ones(len(self), bool) if errors.valid is None else errors.valid


def positions_columns(canonical: bool, metadata: bool = False) -> tuple[Column, ...]:
    """Return the columns of a list of pause points, with those of their canonical hashes where that is `canonical`.

    `metadata` adds `POSITION_METADATA_COLUMNS` to these.
    """
    if not canonical:
        return POSITION_COLUMNS
    return (*_CANONICAL_COLUMNS, *POSITION_METADATA_COLUMNS) if metadata else _CANONICAL_COLUMNS


def position_row(
    canonical: bool, metadata: bool = False
) -> type[PositionRow | CanonicalPositionRow | PositionMetadataRow]:
    """Return the type of the rows of `positions_columns`."""
    if canonical and metadata:
        return PositionMetadataRow
    return CanonicalPositionRow if canonical else PositionRow


@functools.cache
def replay_columns(board: bool, metadata: bool = False) -> tuple[Column, ...]:
    """Return the columns of a replay table, with or without `board` and metadata."""
    columns = tuple(column for column in REPLAY_COLUMNS if board or column.name != "board")
    return (*columns, *METADATA_COLUMNS) if metadata else columns


def replay_row(metadata: bool) -> type[ReplayRow] | type[MetadataRow]:
    """Return the type of the rows of a replay table."""
    return MetadataRow if metadata else ReplayRow
