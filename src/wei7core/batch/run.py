"""Many records at once: read, decoded and replayed one after the other or in threads, a row for each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from mmap import mmap
from typing import Any, Final, NamedTuple

from .._util.lazy_numpy import np
from .._util.ordered_map import ordered_map
from .._util.prefetch import Prefetcher
from ..formats.registry import FirstRow
from ..formats.sgf.charset import engine_tables
from ..limits import DEFAULT_LIMITS, Limits
from ..sources.byte_ranges import ByteRange
from ..sources.chunks import Chunk, RawRecord, unreadable
from ..sources.sources import Input, Sources
from ._engine import LINES_MEMORY, EngineResult, bulk_format, replay_block, replay_lines
from .assemble import FallbackRow, ReplayedChunk, columns_of
from .failures import Failures
from .options import Options, refuse_wrong
from .results import Results

__all__ = [
    "BATCH_RECORDS",
    "ResumePoint",
    "Task",
    "batches",
    "engine_results",
    "items_of",
    "placed_batches",
    "readable",
    "replay",
    "replay_batches",
    "replay_task",
    "tasks_of",
]

BATCH_RECORDS: Final = 1 << 16
"""Records of a piece, unless a caller asks for another number."""

_FIRST_GROUP_BYTES: Final = 1 << 18
_GROUP_BYTES: Final = 1 << 22
_BATCH_BYTES: Final = 1 << 25
_LINES_SHARE: Final = 4  # the text of lines is not in memory any more: a part of it counts
_RECORD_COST: Final = 1 << 14  # of a record by itself, in bytes of text of a block
_AHEAD_BYTES: Final = 1 << 24  # of rows that wait to become columns
_FAILED_BYTES: Final = 1 << 27  # of texts that results hold for the words of errors; later ones have words at once


class ResumePoint(NamedTuple):
    """Where a piece ends: `groups` of the input are done, and `lines` records of the file of lines that was read last.

    It holds for the same input and options only.
    """

    groups: int = 0
    lines: int = 0


_START: Final = ResumePoint()


def replay(
    inputs: Input | mmap | Iterable[Input | mmap],
    *,
    jobs: int = 1,
    positions: bool = False,
    canonical: bool = False,
    board: bool = False,
    metadata: bool = False,
    strict: bool = False,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    progress: Callable[[int], object] | None = None,
) -> Results:
    """Replay all records of `inputs` and return their rows, in input order.

    `inputs` is bytes (or a bytearray, a memoryview, an `mmap.mmap`), a path (a str
    is a path: a file, an archive, a folder, or `-` for standard input), or an
    iterable of those; formats are recognised by content; see
    `wei7core.sources.Sources`. `jobs` is the number of threads. `board` adds the
    last position as a column, `positions` the table of all pause points, in which
    `canonical` adds the least hash under the symmetries of the board, `metadata`
    what the header says of the game (`wei7core.batch.results.METADATA_COLUMNS`), and to
    pause points that hash and `wei7core.batch.results.POSITION_METADATA_COLUMNS`.
    A breach of the format that leaves the moves readable is only counted, unless
    `strict` makes it the error of its row. `revision` (7 or 2) is that of the
    wei7 3.0 specification, `encoding` that of SGF and Giseong texts which do
    not say theirs, or say it wrong. `first_row` is where row 1 of Giseong is (`top`, `bottom`). `progress` is called
    now and then, in the thread of the caller, with the number of records replayed so far; what it raises ends the call.

    A record that cannot be read or replayed never raises: its row says why.
    Raises `ValueError` for `jobs` below 1, another revision or first row, or an
    encoding that Python does not know.

    Thread safety: any number of threads may call it.
    """
    options = Options(
        board,
        positions,
        strict,
        revision,
        limits,
        encoding,
        first_row=first_row,
        metadata=metadata,
        canonical=canonical or (positions and metadata),
    )
    ((results, _),) = placed_batches(Sources(readable(inputs), limits=limits), options, jobs, None, progress=progress)
    return results


def replay_batches(
    inputs: Input | mmap | Iterable[Input | mmap],
    *,
    batch_size: int = BATCH_RECORDS,
    jobs: int = 1,
    positions: bool = False,
    canonical: bool = False,
    board: bool = False,
    metadata: bool = False,
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
    options = Options(
        board,
        positions,
        strict,
        revision,
        limits,
        encoding,
        first_row=first_row,
        metadata=metadata,
        canonical=canonical or (positions and metadata),
    )
    return batches(Sources(readable(inputs), limits=limits), options, jobs, batch_size, exact=True)


def readable(inputs: Any) -> Any:
    """Return `inputs` with views of files that are mapped into memory: those are iterable, but no lists of inputs."""
    if isinstance(inputs, mmap):
        return memoryview(inputs)
    if isinstance(inputs, (str, os.PathLike, bytes, bytearray, memoryview)):
        return inputs
    return (memoryview(item) if isinstance(item, mmap) else item for item in inputs)


def batches(
    sources: Sources, options: Options, jobs: int, size: int | None, *, exact: bool = False, ahead: bool = False
) -> Iterator[Results]:
    """Replay the records of `sources` as `replay_batches` does; `size` None gives one piece, also of no record.

    Unless it must be `exact`, a piece may have some records more or less than `size`, and threads read large files of a
    record a line each for itself. Pieces are the same with any number of threads. `ahead`: reading and replaying begin
    at once, in a thread of their own, some tens of megabytes in advance; no source may keep it waiting without end.
    """
    placed = placed_batches(sources, options, jobs, size, exact=exact, ahead=ahead)
    return (results for results, _ in placed)


def placed_batches(
    sources: Sources,
    options: Options,
    jobs: int,
    size: int | None,
    place: ResumePoint = _START,
    *,
    exact: bool = False,
    ahead: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Iterator[tuple[Results, ResumePoint]]:
    """Yield the pieces of `batches` that come behind `place`, each with the place behind it.

    What comes before is not replayed, but read, unless it is a large file of a record a line. `progress` is called with
    the number of records of each group of them that is done and all before it.
    """
    refuse_wrong(options, jobs)
    blocks = sources.blocks() if exact and size is not None else sources.pieces()
    groups = islice(tasks_of(blocks, options, size), place.groups, None)
    made = ordered_map(partial(replay_task, options=options), groups, jobs)
    return _batches(Prefetcher(made, _AHEAD_BYTES, _held) if ahead else made, options, size, place, progress)


def _held(made: tuple[Task, list[ReplayedChunk]]) -> int:
    group, parts = made
    return sum(part.held for part in parts) + (group.size if group.lines is None else 0)


def _batches(
    made: Generator[tuple[Task, list[ReplayedChunk]], None, None] | Prefetcher[tuple[Task, list[ReplayedChunk]]],
    options: Options,
    size: int | None,
    place: ResumePoint,
    progress: Callable[[int], object] | None,
) -> Iterator[tuple[Results, ResumePoint]]:
    parts: list[ReplayedChunk] = []
    held = records = failed_bytes = total = 0
    done, number = place.groups, place.lines
    with closing(made):
        for group, some in made:
            done += 1
            count = sum(map(len, some))
            total += count
            if progress is not None:
                progress(total)
            if group.lines is None:
                parts += some
            else:
                number = number if group.lines.begin else 0
                parts += [part.counted_on(number) for part in some]
                number += count
            for part in some:
                if part.failures is not None:
                    failed_bytes += part.failures.nbytes
                    if failed_bytes > _FAILED_BYTES:
                        part.failures.words()
            if size is None:
                continue
            records += count
            held += sum(part.held for part in some)
            held += group.size if group.lines is None else group.size // _LINES_SHARE
            if group.ends_batch or held >= _BATCH_BYTES or records > size:
                yield _results(parts, options), ResumePoint(done, number)
                parts, held, records, failed_bytes = [], 0, 0, 0
    if parts or size is None:
        yield _results(parts, options), ResumePoint(done, number)


def _results(parts: list[ReplayedChunk], options: Options) -> Results:
    return columns_of(
        parts,
        board=options.board,
        positions=options.positions,
        metadata=options.metadata,
        canonical=options.canonical,
    )


@dataclass(slots=True)
class Task:
    """What is handed to a thread at once: records `begin` up to `end` of blocks, and records by themselves, or `lines`.

    `size` is the bytes of their text. `ends_batch`: the last record is the last of a piece.
    """

    items: list[tuple[Chunk, int, int] | RawRecord]
    size: int = 0
    ends_batch: bool = False
    lines: ByteRange | None = None


def tasks_of(blocks: Iterable[Chunk | RawRecord | ByteRange], options: Options, size: int | None) -> Iterator[Task]:
    """Yield groups large enough that handing them to a thread costs little; none goes beyond a piece of `size` records.

    They do not depend on the number of threads, and so neither do the pieces.
    """
    group = Task([])
    # Positions take tens of times the memory of the text of SGF.
    most = _FIRST_GROUP_BYTES if options.positions else _GROUP_BYTES
    wanted = _FIRST_GROUP_BYTES
    room = size or sys.maxsize
    for block in blocks:
        if isinstance(block, ByteRange):
            if group.items:
                yield group
                group = Task([])
            yield Task([], block.size, lines=block)
            continue
        count = len(block) if isinstance(block, Chunk) else 1
        begin = 0
        while begin < count:
            end = min(count, begin + room)
            if isinstance(block, Chunk):
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
                group = Task([])
                wanted = min(2 * wanted, most)
    if group.items:
        yield group


def replay_task(group: Task, options: Options) -> list[ReplayedChunk]:
    """Return what becomes of the records of a group, in their order. Thread safe."""
    return _replay_items(group.items, options) if group.lines is None else _replay_lines(group.lines, options)


def _replay_items(items: Iterable[tuple[Chunk, int, int] | RawRecord], options: Options) -> list[ReplayedChunk]:
    parts: list[ReplayedChunk] = []
    for item in items:
        if isinstance(item, RawRecord):
            parts.append(ReplayedChunk.alone(_fallback_row(item, options)))
        else:
            parts += _replay_chunk(*item, options)
    return parts


def _replay_lines(lines: ByteRange, options: Options) -> list[ReplayedChunk]:
    """What C reads and makes of a range of lines, and those records that it leaves."""
    parts: list[ReplayedChunk] = []
    file = lines.file
    count = 0
    begin, place = -1, lines.begin
    memory = file.buffers.take(LINES_MEMORY, memoryview(b""))
    while begin < place:
        begin = place
        piece, texts, failed, behind, error = replay_lines(
            file.descriptor,
            begin,
            lines.end,
            memory,
            bulk_format("wei7", options.revision),
            limit=file.limit,
            board=options.board,
            positions=options.positions,
            canonical=options.canonical,
            metadata=options.metadata,
            counted=options.counted,
            failures=True,
            limits=options.limits,
        )
        left = {
            number: _fallback_row(RawRecord(file.source, count + number, text, (), True), options)
            for number, text in texts.items()
        }
        failures = None
        if failed is not None:
            failures = Failures(*failed, piece.arrays().rows, None, "wei7", options.revision)
        parts.append(ReplayedChunk(file.source, count, "wei7", 0, piece, left, failures))
        count += piece.records
        if error is not None:
            failure = unreadable(OSError(error, os.strerror(error)), file.source, count)
            return [*parts, ReplayedChunk.alone(_fallback_row(failure, options))]
        if behind is None:
            return parts
        place = behind
    # A line that C does not take: here, or in what remains of the range.
    rest = Task([], lines=ByteRange(file, place, lines.end))
    return parts + [part.counted_on(count) for part in _replay_items(items_of(rest), options)]


def items_of(group: Task) -> Iterator[tuple[Chunk, int, int] | RawRecord]:
    """Yield the records of a group; those of a range of lines are read now."""
    if group.lines is None:
        yield from group.items
        return
    for item in group.lines.items():
        yield item if isinstance(item, RawRecord) else (item, 0, len(item))


def engine_results(
    block: Chunk, begin: int, end: int, options: Options, **columns: Any
) -> Iterator[tuple[int, EngineResult]]:
    """Replay records `begin` up to `end` of a block, as many at once as `replay_block` takes.

    Yields where each piece begins, and the piece; `columns` are the arguments of `replay_block` for what it holds.
    """
    format = bulk_format(block.format, options.revision)
    wanted = options.wanted_charset
    while begin < end:
        piece = replay_block(
            block.data,
            block.begins[:end],
            block.ends[:end],
            format,
            first=begin,
            charsets=engine_tables if wanted >= -1 else None,
            wanted_charset=max(wanted, -1),
            limits=options.limits,
            **columns,
        )
        yield begin, piece
        begin += piece.records


def _replay_chunk(block: Chunk, begin: int, end: int, options: Options) -> Iterator[ReplayedChunk]:
    """What C makes of the records, and those one by one that it leaves."""
    pieces = engine_results(
        block,
        begin,
        end,
        options,
        board=options.board,
        positions=options.positions,
        canonical=options.canonical,
        metadata=options.metadata,
        counted=options.counted,
        failures=True,
    )
    for first, piece in pieces:
        left = {
            place: _fallback_row(block.text(first + place), options)
            for place in np.flatnonzero(piece.rows["left"]).tolist()
        }
        failures = None
        if piece.failures is not None:
            offsets = block.source_offsets(first, first + piece.records)
            failures = Failures(*piece.failures, piece.rows, offsets, block.format, options.revision)
        part = piece._replace(failures=None)  # whose texts are held no longer than their words need them
        yield ReplayedChunk(block.sources, block.first, block.format, first, part, left, failures)


def _fallback_row(text: RawRecord, options: Options) -> FallbackRow:
    from .fallback import positions_of_record, replay_raw_record  # which load boards: most batches need none

    outcome = replay_raw_record(text, options)
    problems = tuple((problem.severity, problem.code) for problem in outcome.problems)
    positions = positions_of_record(outcome, options) if options.positions else None
    return FallbackRow(outcome.row, problems, positions, outcome.metadata)
