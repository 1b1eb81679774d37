"""Replay of single records with all their problems, for records that the engine defers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .._util.lazy_numpy import np
from ..errors import ERROR, Problem
from ..formats.registry import decode, record_id
from ..limits import Limits
from ..record.record import Record
from ..replaying.replay import Replayed, pause_points_size, replay_record
from ..sources.chunks import RawRecord
from ._engine import record_positions, replay_block
from .assemble import Positions, SingleRow
from .options import Options
from .results import ReplayRow

if TYPE_CHECKING:
    from .metadata import Metadata

_NO_ERROR: Final = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class ReplayedRecord:
    """One record after its replay: its row, its problems and the decoded record.

    `record` is None if it was not read, has too many positions, or was not requested. `metadata` is None if it was not
    requested, or the header could not be read.
    """

    text: RawRecord
    row: ReplayRow
    problems: tuple[Problem, ...]
    record: Record | None
    limits: Limits
    metadata: Metadata | None = None

    @property
    def label(self) -> str:
        """The source, followed by `#` and the number of the record if the source may contain several."""
        return f"{self.row.source}#{self.row.record}" if self.text.one_of_many else self.row.source


def record_of(text: RawRecord, options: Options) -> Record:
    """Decode `text.data`; never raises for its content. Thread safe."""
    assert text.data is not None
    return decode(
        text.data,
        text.format,
        revision=options.revision,
        encoding=options.encoding,
        first_row=options.first_row,
        limits=options.limits,
    )


def positions_of_record(outcome: ReplayedRecord, options: Options, *, sparse: bool = False) -> Positions:
    """Return the positions of one record like those of an `EngineResult`; none without a record. Thread safe."""
    if outcome.record is None:
        place = np.zeros(1, np.int64)
        made = replay_block(b"", place, place, None, positions=True, sparse=sparse).positions
        assert made is not None
        return made
    return record_positions(outcome.record, canonical=options.canonical, sparse=sparse, limits=options.limits)


def replay_raw_record(text: RawRecord, options: Options, record: Record | None = None) -> ReplayedRecord:
    """Replay one record by itself, `record` if it is decoded; never raises for its content. Thread safe."""
    if text.data is None:
        return ReplayedRecord(
            text, _unread_row(text, text.problems, text.problems[-1]), text.problems, None, options.limits
        )
    record = record or record_of(text, options)
    replayed = replay_record(record, limits=options.limits)
    problems = text.problems + tuple(map(text.placed, replayed.problems))
    error = None if replayed.error is None else text.placed(replayed.error)
    too_long = options.positions and pause_points_size(record) > options.limits.max_positions
    if too_long:
        (problem,) = record.locate([("limit-positions", 0, 0)])
        problem = text.placed(problem)
        problems = (*problems, problem)
        error = error or problem
    if options.strict:
        error = next((problem for problem in problems if problem.severity == ERROR), error)
    if len(record.trees):
        row = _row(text, record, replayed, error, problems, options)
    else:
        row = _unread_row(text, problems, error)
    metadata = None
    if options.metadata:
        from .metadata import metadata_of

        metadata = metadata_of(record, replayed)
    return ReplayedRecord(text, row, problems, None if too_long else record, options.limits, metadata)


def single_row(text: RawRecord, options: Options, record: Record | None = None) -> SingleRow:
    """Replay one record by itself, `record` if it is decoded, for the columns of a batch. Thread safe."""
    outcome = replay_raw_record(text, options, record)
    problems = tuple((problem.severity, problem.code) for problem in outcome.problems)
    positions = positions_of_record(outcome, options) if options.positions else None
    return SingleRow(outcome.row, problems, positions, outcome.metadata)


def _row(
    text: RawRecord,
    record: Record,
    replayed: Replayed,
    error: Problem | None,
    problems: tuple[Problem, ...],
    options: Options,
) -> ReplayRow:
    return ReplayRow(
        text.source,
        text.record,
        record_id(record),
        record.format,
        record.width,
        record.height,
        replayed.moves,
        replayed.passes,
        replayed.takebacks,
        replayed.suicides,
        replayed.ko_recaptures,
        replayed.black_captured,
        replayed.white_captured,
        replayed.hash,
        replayed.canonical_hash,
        replayed.position if options.board else None,
        len(problems),
        *_error_fields(error),
    )


def _unread_row(text: RawRecord, problems: tuple[Problem, ...], error: Problem | None) -> ReplayRow:
    """The row of a record without a readable game: figures of the board are absent."""
    figures = (0,) * 7
    missing = (None,) * 4
    return ReplayRow(
        text.source,
        text.record,
        *missing,
        *figures,
        None,
        None,
        None,
        len(problems),
        *_error_fields(error),
    )


def _error_fields(error: Problem | None) -> tuple[str | None, int | None, str | None, str | None]:
    if error is None:
        return _NO_ERROR
    return error.code, error.offset, error.path, error.message
