"""Many records at once: read, decoded and replayed one after the other or in threads, a row for each."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from mmap import mmap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from .batch_columns import Left, Part, columns_of, positions_of
from .bulk import LINES_MEMORY, bulk_format, replay_block, replay_lines, replay_texts
from .errors import ERROR, Problem
from .formats.registry import FirstRow, decode, id_in, is_encoding, record_id
from .limits import DEFAULT_LIMITS, Limits
from .line_ranges import LineRange
from .record import Record
from .record_blocks import RecordBlock, RecordText, unreadable
from .replaying import Replayed, pause_points, pause_points_size, replay_record
from .results import PositionRow, ReplayRow, Results
from .sources import Input, Sources
from .tables import Table

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = [
    "BATCH_RECORDS",
    "Group",
    "Options",
    "Outcome",
    "Place",
    "batches",
    "groups_of",
    "in_order",
    "items_of",
    "outcome_positions",
    "parts_of",
    "placed_batches",
    "readable",
    "record_of",
    "refuse_wrong",
    "replay",
    "replay_batches",
    "replay_each",
]

BATCH_RECORDS: Final = 1 << 16
"""Records of a piece, unless a caller asks for another number."""

_CHUNK_RECORDS: Final = 256
_CHUNK_BYTES: Final = 1 << 20
_FIRST_GROUP_BYTES: Final = 1 << 18
_GROUP_BYTES: Final = 1 << 22
_BATCH_BYTES: Final = 1 << 25
_LINES_SHARE: Final = 4  # the text of lines is not in memory any more: a part of it counts
_RECORD_COST: Final = 1 << 14  # of a record by itself, in bytes of text of a block
_NO_ERROR: Final = (None, None, None, None)

_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


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
    first_row: FirstRow = "top"


class Place(NamedTuple):
    """Where a piece ends: `groups` of the input are done, and `lines` records of the file of lines that was read last.

    It holds for the same input and options only.
    """

    groups: int = 0
    lines: int = 0


_START: Final = Place()


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
    inputs: Input | mmap | Iterable[Input | mmap],
    *,
    jobs: int = 1,
    positions: bool = False,
    board: bool = False,
    strict: bool = False,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
    first_row: FirstRow = "top",
) -> Results:
    """Replay all records of `inputs` and return their rows, in input order.

    `inputs` is bytes (or a bytearray, a memoryview, an `mmap.mmap`), a path (a str
    is a path: a file, an archive, a folder, or `-` for standard input), or an
    iterable of those; formats are recognised by content; see
    `wei7core.sources.Sources`. `jobs` is the number of threads. `board` adds the
    last position as a column, `positions` the table of all pause points.
    A breach of the format that leaves the moves readable is only counted, unless
    `strict` makes it the error of its row. `revision` (7 or 2) is that of the
    wei7 3.0 specification, `encoding` that of SGF and Giseong texts which do
    not say theirs, or say it wrong. `first_row` is where row 1 of Giseong is (`top`, `bottom`).

    A record that cannot be read or replayed never raises: its row says why.
    Raises `ValueError` for `jobs` below 1, another revision or first row, or an
    encoding that Python does not know.

    Thread safety: any number of threads may call it.
    """
    options = Options(board, positions, strict, revision, limits, encoding, first_row=first_row)
    (results,) = batches(Sources(readable(inputs), limits=limits), options, jobs, None)
    return results


def replay_batches(
    inputs: Input | mmap | Iterable[Input | mmap],
    *,
    batch_size: int = BATCH_RECORDS,
    jobs: int = 1,
    positions: bool = False,
    board: bool = False,
    strict: bool = False,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
    first_row: FirstRow = "top",
) -> Iterator[Results]:
    """Replay the records of `inputs` and yield their rows in pieces, in input order, while they are read.

    Arguments are those of `replay`. Each piece has `batch_size` records, the last one what is left; one whose
    text, boards or positions come to tens of megabytes has fewer. Memory stays the same
    however many records there are, as long as the pieces are not kept.

    Raises what `replay` raises, before anything is read, and `ValueError` for a `batch_size` below 1.

    Thread safety: any number of threads may call it; an iterator is for one thread at a time.
    """
    if batch_size < 1:
        raise ValueError("batch_size must be at least 1")
    options = Options(board, positions, strict, revision, limits, encoding, first_row=first_row)
    return batches(Sources(readable(inputs), limits=limits), options, jobs, batch_size, exact=True)


def readable(inputs: Any) -> Any:
    """Return `inputs` with views of files that are mapped into memory: those are iterable, but no lists of inputs."""
    if isinstance(inputs, mmap):
        return memoryview(inputs)
    if isinstance(inputs, (str, os.PathLike, bytes, bytearray, memoryview)):
        return inputs
    return (memoryview(item) if isinstance(item, mmap) else item for item in inputs)


def batches(
    sources: Sources, options: Options, jobs: int, size: int | None, *, exact: bool = False
) -> Iterator[Results]:
    """Replay the records of `sources` as `replay_batches` does; `size` None gives one piece, also of no record.

    Unless it must be `exact`, a piece may have some records more or less than `size`, and threads read large files of a
    record a line each for itself. Pieces are the same with any number of threads.
    """
    placed = placed_batches(sources, options, jobs, size, exact=exact)
    return (results for results, _ in placed)


def placed_batches(
    sources: Sources, options: Options, jobs: int, size: int | None, place: Place = _START, *, exact: bool = False
) -> Iterator[tuple[Results, Place]]:
    """Yield the pieces of `batches` that come behind `place`, each with the place behind it.

    What comes before is not replayed, but read, unless it is a large file of a record a line.
    """
    refuse_wrong(options, jobs)
    return _batches(sources, options, jobs, size, place, exact=exact)


def _batches(
    sources: Sources, options: Options, jobs: int, size: int | None, place: Place, *, exact: bool
) -> Iterator[tuple[Results, Place]]:
    parts: list[Part] = []
    held = records = 0
    done, number = place.groups, place.lines
    blocks = sources.blocks() if exact and size is not None else sources.pieces()
    groups = islice(groups_of(blocks, options, size), done, None)
    for group, made in in_order(parts_of, groups, options, jobs):
        done += 1
        count = sum(map(len, made))
        if group.lines is None:
            parts += made
        else:
            number = number if group.lines.begin else 0
            parts += [part.counted_on(number) for part in made]
            number += count
        if size is None:
            continue
        records += count
        held += sum(part.held for part in made) + (group.size if group.lines is None else group.size // _LINES_SHARE)
        if group.ends_batch or held >= _BATCH_BYTES or records > size:
            yield columns_of(parts, board=options.board, positions=options.positions), Place(done, number)
            parts, held, records = [], 0, 0
    if parts or size is None:
        yield columns_of(parts, board=options.board, positions=options.positions), Place(done, number)


def replay_each(texts: Iterable[RecordText], options: Options, jobs: int = 1) -> Iterator[Outcome]:
    """Iterate over the `Outcome` of each of `texts`, in order, with `jobs` threads at work.

    Few records are in memory at a time, whatever their number. Raises `ValueError`
    as `replay` does. An iterator is for one thread at a time.
    """
    refuse_wrong(options, jobs)
    return chain.from_iterable(outcomes for _, outcomes in in_order(_outcomes, _chunks(texts), options, jobs))


def refuse_wrong(options: Options, jobs: int) -> None:
    """Raise `ValueError` for options that there are not."""
    if jobs < 1:
        raise ValueError("jobs must be at least 1")
    if options.revision not in (2, 7):
        raise ValueError("revision must be 7 or 2")
    if options.encoding is not None and not is_encoding(options.encoding):
        raise ValueError(f"the encoding {options.encoding!r} is not known")
    if options.first_row not in ("top", "bottom"):
        raise ValueError(f"the first row is {options.first_row!r}; use top or bottom")


def record_of(text: RecordText, options: Options) -> Record:
    """Return the record that `text.data` decodes to; never raises for what it holds. Thread safe."""
    assert text.data is not None
    return decode(
        text.data,
        text.format,
        revision=options.revision,
        encoding=options.encoding,
        first_row=options.first_row,
        limits=options.limits,
    )


def in_order(
    work: Callable[[_Task, Options], _Made], tasks: Iterable[_Task], options: Options, jobs: int
) -> Iterator[tuple[_Task, _Made]]:
    """Yield each task and what `work` makes of it, in order; with `jobs` threads at work, or in this one."""
    if jobs == 1:
        for task in tasks:
            yield task, work(task, options)
        return
    from concurrent.futures import ThreadPoolExecutor

    pending: deque[tuple[_Task, Future[_Made]]] = deque()
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="wei7core")
    try:
        for task in tasks:
            pending.append((task, executor.submit(work, task, options)))
            if len(pending) > 2 * jobs:
                first, made = pending.popleft()
                yield first, made.result()
        while pending:
            first, made = pending.popleft()
            yield first, made.result()
    finally:
        executor.shutdown(cancel_futures=True)


@dataclass(slots=True)
class Group:
    """What is handed to a thread at once: records `begin` up to `end` of blocks, and records by themselves, or `lines`.

    `size` is the bytes of their text. `ends_batch`: the last record is the last of a piece.
    """

    items: list[tuple[RecordBlock, int, int] | RecordText]
    size: int = 0
    ends_batch: bool = False
    lines: LineRange | None = None


def groups_of(
    blocks: Iterable[RecordBlock | RecordText | LineRange], options: Options, size: int | None
) -> Iterator[Group]:
    """Yield groups large enough that handing them to a thread costs little; none goes beyond a piece of `size` records.

    They do not depend on the number of threads, and so neither do the pieces.
    """
    group = Group([])
    # Positions take tens of times the memory of the text of SGF.
    most = _FIRST_GROUP_BYTES if options.positions else _GROUP_BYTES
    wanted = _FIRST_GROUP_BYTES
    room = size or sys.maxsize
    for block in blocks:
        if isinstance(block, LineRange):
            if group.items:
                yield group
                group = Group([])
            yield Group([], block.size, lines=block)
            continue
        count = len(block) if isinstance(block, RecordBlock) else 1
        begin = 0
        while begin < count:
            end = min(count, begin + room)
            if isinstance(block, RecordBlock):
                group.items.append((block, begin, end))
                group.size += int(block.ends[end - 1] - block.begins[begin])
            else:
                group.items.append(block)
                group.size += _RECORD_COST
            room -= end - begin
            begin = end
            if room == 0:
                group.ends_batch = True
                room = size or sys.maxsize
            if group.ends_batch or group.size >= wanted:
                yield group
                group = Group([])
                wanted = min(2 * wanted, most)
    if group.items:
        yield group


def parts_of(group: Group, options: Options) -> list[Part]:
    """Return what becomes of the records of a group, in their order. Thread safe."""
    return _parts_of_items(group.items, options) if group.lines is None else _parts_of_lines(group.lines, options)


def _parts_of_items(items: Iterable[tuple[RecordBlock, int, int] | RecordText], options: Options) -> list[Part]:
    parts: list[Part] = []
    for item in items:
        if isinstance(item, RecordText):
            parts.append(Part.alone(_left(item, options)))
        else:
            parts += _parts_of_block(*item, options)
    return parts


def _parts_of_lines(lines: LineRange, options: Options) -> list[Part]:
    """What C reads and makes of a range of lines, and those records that it leaves."""
    parts: list[Part] = []
    file = lines.file
    count = 0
    begin, place = -1, lines.begin
    memory = file.buffers.take(LINES_MEMORY, memoryview(b""))
    while begin < place:
        begin = place
        piece, texts, behind, error = replay_lines(
            file.descriptor,
            begin,
            lines.end,
            memory,
            bulk_format("wei7", options.revision),
            limit=file.limit,
            board=options.board,
            positions=options.positions,
            limits=options.limits,
        )
        left = {
            number: _left(RecordText(file.source, count + number, text, (), True), options)
            for number, text in zip(np.flatnonzero(piece.rows["left"]).tolist(), texts, strict=True)
        }
        parts.append(Part(file.source, count, "wei7", 0, piece, left))
        count += len(piece.rows)
        if error is not None:
            failure = unreadable(OSError(error, os.strerror(error)), file.source, count)
            return [*parts, Part.alone(_left(failure, options))]
        if behind is None:
            return parts
        place = behind
    # A line that C does not take: here, or in what remains of the range.
    rest = Group([], lines=LineRange(file, place, lines.end))
    return parts + [part.counted_on(count) for part in _parts_of_items(items_of(rest), options)]


def items_of(group: Group) -> Iterator[tuple[RecordBlock, int, int] | RecordText]:
    """Yield the records of a group; those of a range of lines are read now."""
    if group.lines is None:
        yield from group.items
        return
    for item in group.lines.items():
        yield item if isinstance(item, RecordText) else (item, 0, len(item))


def _parts_of_block(block: RecordBlock, begin: int, end: int, options: Options) -> Iterator[Part]:
    """What C makes of the records, and those one by one that it leaves."""
    format = bulk_format(block.format, options.revision)
    while begin < end:
        piece = replay_block(
            block.data,
            block.begins[:end],
            block.ends[:end],
            format,
            first=begin,
            board=options.board,
            positions=options.positions,
            limits=options.limits,
        )
        left = {
            place: _left(block.text(begin + place), options) for place in np.flatnonzero(piece.rows["left"]).tolist()
        }
        yield Part(block.sources, block.first, block.format, begin, piece, left)
        begin += len(piece.rows)


def _left(text: RecordText, options: Options) -> Left:
    outcome = _outcome(text, options)
    problems = tuple((problem.severity, problem.code) for problem in outcome.problems)
    return Left(outcome.row, problems, outcome_positions(outcome) if options.positions else None)


def outcome_positions(outcome: Outcome) -> Table:
    """Return the table of the positions of one record, of none where it was not kept. Thread safe."""
    if outcome.record is None:
        return positions_of(())
    width, height = outcome.record.width, outcome.record.height
    return positions_of((row, width, height) for row in outcome.positions())


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
    return bulk_format(text.format, options.revision)


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
