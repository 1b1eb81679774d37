"""Many records at once: read, decoded and replayed one after the other or in threads, a row for each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from .bulk import replay_texts
from .errors import ERROR, Problem
from .formats.registry import decode, id_in, is_encoding, record_id
from .limits import DEFAULT_LIMITS, Limits
from .record import Record
from .replaying import Replayed, pause_points, pause_points_size, replay_record
from .results import PositionRow, ReplayRow, Results
from .sources import Input, RecordText, Sources

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Options", "Outcome", "record_of", "replay", "replay_each"]

_CHUNK_RECORDS: Final = 256
_CHUNK_BYTES: Final = 1 << 20
_NO_ERROR: Final = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Options:
    """How records are read and what is made of them; see `replay`. `records`: outcomes come with their records."""

    board: bool = False
    positions: bool = False
    strict: bool = False
    revision: int = 7
    limits: Limits = DEFAULT_LIMITS
    encoding: str | None = None
    records: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One record after its replay: its row, all its problems, and itself.

    `record` is None where it was not read, where there are too many positions, and where nothing that needs it was
    asked for.
    """

    text: RecordText
    row: ReplayRow
    problems: tuple[Problem, ...]
    record: Record | None
    limits: Limits

    @property
    def label(self) -> str:
        """The source, with `#` and the number of the record where it may hold several."""
        return f"{self.row.source}#{self.row.record}" if self.text.one_of_many else self.row.source

    def positions(self) -> Iterator[PositionRow]:
        """The pause points of every branch, played anew while they are asked for."""
        if self.record is None:
            return
        for pause in pause_points(self.record, limits=self.limits):
            x, y = (None, None) if pause.point is None else pause.point
            yield PositionRow(
                self.row.source,
                self.row.record,
                pause.branch,
                pause.step,
                pause.move_number,
                pause.color,
                x,
                y,
                pause.hash,
                pause.position,
            )


def replay(
    inputs: Input | Iterable[Input],
    *,
    jobs: int = 1,
    positions: bool = False,
    board: bool = False,
    strict: bool = False,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
) -> Results:
    """Replay all records of `inputs` and return their rows, in input order.

    `inputs` is bytes, a path (a str is a path: a file, an archive, a folder, or
    `-` for standard input), or an iterable of those; formats are recognised by
    content; see `wei7core.sources.Sources`. `jobs` is the number of threads. `board` adds the
    last position as a column, `positions` the table of all pause points.
    A breach of the format that leaves the moves readable is only counted, unless
    `strict` makes it the error of its row. `revision` (7 or 2) is that of the
    wei7 3.0 specification, `encoding` that of SGF texts which do
    not say theirs, or say it wrong.

    A record that cannot be read or replayed never raises: its row says why.
    Raises `ValueError` for `jobs` below 1, another revision, or an encoding that
    Python does not know.

    Thread safety: any number of threads may call it.
    """
    options = Options(board, positions, strict, revision, limits, encoding)
    rows: list[ReplayRow] = []
    paused: list[PositionRow] = []
    for outcome in replay_each(Sources(inputs, limits=limits), options, jobs):
        rows.append(outcome.row)
        if positions:
            paused.extend(outcome.positions())
    return Results(rows, board=board, positions=paused if positions else None)


def replay_each(texts: Iterable[RecordText], options: Options, jobs: int = 1) -> Iterator[Outcome]:
    """Iterate over the `Outcome` of each of `texts`, in order, with `jobs` threads at work.

    Few records are in memory at a time, whatever their number. Raises `ValueError`
    as `replay` does. An iterator is for one thread at a time.
    """
    if jobs < 1:
        raise ValueError("jobs must be at least 1")
    if options.revision not in (2, 7):
        raise ValueError("revision must be 7 or 2")
    if options.encoding is not None and not is_encoding(options.encoding):
        raise ValueError(f"the encoding {options.encoding!r} is not known")
    if jobs == 1:
        return chain.from_iterable(_outcomes(chunk, options) for chunk in _chunks(texts))
    return _replay_in_threads(texts, options, jobs)


def record_of(text: RecordText, options: Options) -> Record:
    """Return the record that `text.data` decodes to; never raises for what it holds. Thread safe."""
    assert text.data is not None
    return decode(
        text.data,
        text.format,
        revision=options.revision,
        encoding=options.encoding,
        limits=options.limits,
    )


def _replay_in_threads(texts: Iterable[RecordText], options: Options, jobs: int) -> Iterator[Outcome]:
    from concurrent.futures import ThreadPoolExecutor

    pending: deque[Future[list[Outcome]]] = deque()
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="wei7core")
    try:
        for chunk in _chunks(texts):
            pending.append(executor.submit(_outcomes, chunk, options))
            if len(pending) > 2 * jobs:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        executor.shutdown(cancel_futures=True)


def _chunks(texts: Iterable[RecordText]) -> Iterator[list[RecordText]]:
    """Groups large enough that handing them to a thread costs little."""
    chunk: list[RecordText] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text.data or b"")
        if len(chunk) == _CHUNK_RECORDS or size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _outcomes(chunk: list[RecordText], options: Options) -> list[Outcome]:
    """All records of a chunk in one call, and then those one by one that this leaves: what needs more than a row."""
    if options.positions or options.records:
        return [_outcome(text, options) for text in chunk]
    rows, letters = replay_texts(
        [text.data or b"" for text in chunk],
        [_bulk_format(text, options) for text in chunk],
        board=options.board,
        limits=options.limits,
    )
    outcomes = []
    end = 0
    for text, row in zip(chunk, rows.tolist(), strict=True):
        width, height, *_, name_begin, name_end, left = row
        if left or text.data is None:
            outcomes.append(_outcome(text, options))
            continue
        board = None
        if letters is not None:
            begin, end = end, end + width * height
            board = letters[begin:end].decode("ascii")
        name = id_in(text.format, text.data[name_begin:name_end]) if name_begin >= 0 else None
        place = (text.source, text.record, name, text.format)
        outcomes.append(
            Outcome(text, ReplayRow._make((*place, *row[:-3], board, 0, *_NO_ERROR)), (), None, options.limits)
        )
    return outcomes


def _bulk_format(text: RecordText, options: Options) -> str | None:
    """The format by which many texts at once are read; None where there is more to say of this one."""
    if text.data is None or text.problems:
        return None
    return "wei7-rev2" if text.format == "wei7" and options.revision == 2 else text.format


def _outcome(text: RecordText, options: Options) -> Outcome:
    if text.data is None:
        return Outcome(text, _unread_row(text, text.problems, text.problems[-1]), text.problems, None, options.limits)
    record = record_of(text, options)
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
    return Outcome(text, row, problems, None if too_long else record, options.limits)


def _row(
    text: RecordText,
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


def _unread_row(text: RecordText, problems: tuple[Problem, ...], error: Problem | None) -> ReplayRow:
    """The row of what holds no game that could be read: nothing is said of a board."""
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
