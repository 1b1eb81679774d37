"""The rows that a replay of many records gives, as columns for files, NumPy and Arrow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from .._util.lazy_numpy import np
from .._util.words import counted, counts_text
from ..tables.columns import Column, Numbers, Texts
from ..tables.table import Table

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "FINDING_COLUMNS",
    "POSITION_COLUMNS",
    "REPLAY_COLUMNS",
    "FindingRow",
    "PositionRow",
    "ReplayRow",
    "Results",
    "replay_columns",
]


class ReplayRow(NamedTuple):
    """What became of one record.

    The figures are those of the path in force at the end of the main line, as
    far as it could be played. `problems` counts all problems, warnings included;
    the four fields `error...` tell of the one that kept the record from being
    replayed to its end. `error_offset` counts bytes from 0, in a file of lines
    from the start of the record's line. Fields may be None where the record does
    not say, or was not read.
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


class FindingRow(NamedTuple):
    """One problem of one record, in the place that `wei7core.errors.Problem` tells."""

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


REPLAY_COLUMNS: Final = (
    Column("source", "text"),
    Column("record", "integer"),
    Column("id", "text", optional=True),
    Column("format", "text", optional=True),
    Column("width", "integer", optional=True),
    Column("height", "integer", optional=True),
    Column("moves", "integer"),
    Column("passes", "integer"),
    Column("takebacks", "integer"),
    Column("suicides", "integer"),
    Column("ko_recaptures", "integer"),
    Column("black_captured", "integer"),
    Column("white_captured", "integer"),
    Column("hash", "hash", optional=True),
    Column("canonical_hash", "hash", optional=True),
    Column("board", "text", optional=True),
    Column("problems", "integer"),
    Column("error", "text", optional=True),
    Column("error_offset", "integer", optional=True),
    Column("error_path", "text", optional=True),
    Column("error_message", "text", optional=True),
)
"""The columns of a replay, in order; `board` is there only when it was asked for."""

POSITION_COLUMNS: Final = (
    Column("source", "text"),
    Column("record", "integer"),
    Column("branch", "text"),
    Column("step", "integer", optional=True, type="int32"),
    Column("move_number", "integer", type="int32"),
    Column("color", "integer", optional=True, type="int8"),
    Column("x", "integer", optional=True, type="int32"),
    Column("y", "integer", optional=True, type="int32"),
    Column("hash", "hash"),
    Column("board", "board"),
)
"""The columns of a list of pause points, in order."""

FINDING_COLUMNS: Final = (
    Column("severity", "text"),
    Column("code", "text"),
    Column("clause", "text"),
    Column("source", "text"),
    Column("record", "integer"),
    Column("offset", "integer"),
    Column("line", "integer"),
    Column("column", "integer"),
    Column("path", "text"),
    Column("message", "text"),
)
"""The columns of a list of problems, in order."""


class Results(Table):
    """A `ReplayRow` for each record of a batch, in input order.

    `positions` is the `Table` of `PositionRow` of all records, or None when it
    was not asked for. `problems` counts the problems of all records by (severity, code).
    """

    def __init__(self, rows: Table, *, positions: Table | None, problems: Counter[tuple[str, str]]) -> None:
        super().__init__(rows.columns, rows.data, rows.row)
        self.positions = positions
        self.problems = problems

    @property
    def errors(self) -> list[ReplayRow]:
        """The rows of the records that could not be replayed to their end."""
        return [self[place] for place in np.flatnonzero(self._failed).tolist()]

    @property
    def error_count(self) -> int:
        """How many records could not be replayed to their end."""
        return int(np.count_nonzero(self._failed))

    @property
    def error_codes(self) -> Counter[str]:
        """How many records could not be replayed to their end, by the code of the error in their row."""
        said = self.data["error"]
        assert isinstance(said, Texts)
        failed = np.flatnonzero(self._failed).tolist() if self.error_count else ()
        return Counter(code for place in failed for code in said.to_list(place, place + 1) if code is not None)

    @property
    def move_count(self) -> int:
        """The moves of all records together."""
        moves = self.data["moves"]
        assert isinstance(moves, Numbers)
        return int(moves.values.sum())

    def __repr__(self) -> str:
        count, failed = len(self), self.error_count
        said = [f"{count - failed:,} replayed", counted(self.move_count, "move")]
        if failed:
            said.append(f"{counted(failed, 'error')} ({counts_text(self.error_codes)})")
        said.append(counted(self.problems.total(), "problem"))
        if self.positions is not None:
            said.append(counted(len(self.positions), "position"))
        return f"<Results of {counted(count, 'record')}: {', '.join(said)}>"

    @property
    def _failed(self) -> npt.NDArray[np.bool_]:
        said = self.data["error"]
        assert isinstance(said, Texts)
        return np.ones(len(self), bool) if said.valid is None else said.valid


def replay_columns(board: bool) -> tuple[Column, ...]:
    """Return the columns of a replay table, with or without `board`."""
    return tuple(column for column in REPLAY_COLUMNS if board or column.name != "board")
