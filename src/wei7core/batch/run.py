"""Batch replay: reads, decodes and replays records, optionally in several threads; each record becomes a row."""

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
from ..formats.registry import DECODED_IN_PYTHON, FirstRow
from ..formats.sgf.charset import engine_tables
from ..limits import DEFAULT_LIMITS, Limits
from ..sources.byte_ranges import ByteRange
from ..sources.chunks import Chunk, RawRecord, Run, unreadable
from ..sources.sources import Input, Sources
from ._engine import LINES_MEMORY, EngineResult, bulk_format, replay_block, replay_lines
from .assemble import ReplayedChunk, SingleRow, columns_of
from .failures import Failures
from .options import COUNTED, Options, refuse_wrong
from .results import Results

BATCH_RECORDS: Final = 1 << 16
"""The default number of records of a batch."""

_ONE: Final = (str, os.PathLike, bytes, bytearray, memoryview)
_FIRST_TASK_BYTES: Final = 1 << 18
_TASK_BYTES: Final = 1 << 20  # so that text that was copied is replayed from the cache
_BATCH_BYTES: Final = 1 << 25
_LINES_SHARE: Final = 4  # the text of lines is no longer in memory: a quarter of it is counted
_RECORD_COST: Final = 1 << 14  # of a record outside of chunks, in bytes of text of a chunk
_AHEAD_BYTES: Final = 1 << 24  # of prefetched rows
_MESSAGE_BYTES: Final = 1 << 27  # of texts stored for error messages; beyond, messages are made at once


class ResumePoint(NamedTuple):
    """The end of a batch: `tasks` of the input are done, and `lines` records of the last file of lines.

    Valid only for the same input and options.
    """

    tasks: int = 0
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

    `inputs` is bytes (or a bytearray, a memoryview, an `mmap.mmap`, an array of bytes), a path (a str is a path: a
    file, an archive, a folder, or `-` for standard input), or an iterable of those; formats are recognised by content;
    see `wei7core.sources.Sources`. `jobs` is the number of threads. `board` adds the last position as a column,
    `positions` the table of all pause points, to which `canonical` adds the least hash under the symmetries of the
    board, `metadata` the game information of the header (`wei7core.batch.results.METADATA_COLUMNS`), and to pause
    points that hash and `wei7core.batch.results.POSITION_METADATA_COLUMNS`. A breach of the format that leaves the
    moves readable is only counted, unless `strict` makes it the error of its row. `revision` (7 or 2) is that of the
    wei7 3.0 specification, `encoding` that of SGF and Giseong texts that name none, or a wrong one. `first_row` is
    where row 1 of Giseong is (`top`, `bottom`). `progress` is called repeatedly, in the caller's thread, with the
    number of records replayed so far; an exception from it ends the call.

    A record that cannot be read or replayed never raises: its row holds the error. Raises `ValueError` for `jobs` below
    1, another revision or first row, or an unknown encoding.

    Thread safety: any number of threads may call it.
    """
    options = Options(board, positions, strict, revision, limits, encoding, first_row, metadata, canonical).for_replay()
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
    """Replay the records of `inputs` and yield their rows in batches, in input order, while the input is read.

    Arguments are those of `replay`. Each batch has `batch_size` records, the last one the remainder; a batch whose
    text, boards or positions reach tens of megabytes has fewer. Memory does not grow with the number of records,
    unless the caller stores the batches.

    Raises the exceptions of `replay`, before anything is read, and `ValueError` for a `batch_size` below 1.

    Thread safety: any number of threads may call it; an iterator is for one thread at a time.
    """
    if batch_size < 1:
        raise ValueError("batch_size must be at least 1")
    options = Options(board, positions, strict, revision, limits, encoding, first_row, metadata, canonical).for_replay()
    return batches(Sources(readable(inputs), limits=limits), options, jobs, batch_size, exact=True)


def readable(inputs: Any) -> Any:
    """Return `inputs` with memory-mapped files and arrays of bytes as views: they are iterable, but no lists.

    Raises `TypeError` for an open file, whose lines would each be an input.
    """
    if isinstance(inputs, _ONE):
        return inputs
    try:
        view = memoryview(inputs)
    except (TypeError, ValueError):  # NumPy's own types of texts and times are no memory for others
        view = None
    if view is not None and view.ndim == 1 and view.format.lstrip("<") in ("B", "b", "c"):  # ctypes has "<B"
        return view
    if hasattr(inputs, "readline"):
        raise TypeError(f"an open file is no input, only its path or what it reads: {inputs!r:.80}")
    items = (memoryview(item) if isinstance(item, mmap) else item for item in inputs)
    return list(items) if isinstance(inputs, (list, tuple)) else items  # of a list the size is known at once


def repeatable(inputs: Any) -> Any:
    """Return what `readable` does, with several inputs as a list, which can be read again."""
    found = readable(inputs)
    return found if isinstance(found, _ONE) else list(found)


def batches(
    sources: Sources, options: Options, jobs: int, size: int | None, *, exact: bool = False, prefetch: bool = False
) -> Iterator[Results]:
    """Replay the records of `sources` as `replay_batches` does; `size` None yields one batch, even without records.

    Unless `exact`, a batch may have somewhat more or fewer records than `size`, and threads read large files of
    one record a line independently. Batches do not depend on the number of threads. `prefetch`: reading and replaying
    start at once, in a separate thread, up to tens of megabytes in advance; no source may block it forever.
    """
    placed = placed_batches(sources, options, jobs, size, exact=exact, prefetch=prefetch)
    return (results for results, _ in placed)


def placed_batches(
    sources: Sources,
    options: Options,
    jobs: int,
    size: int | None,
    place: ResumePoint = _START,
    *,
    exact: bool = False,
    prefetch: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Iterator[tuple[Results, ResumePoint]]:
    """Yield the batches of `batches` after `place`, each with the place of its end.

    Records before `place` are read but not replayed; large files of one record a line are not read either. `progress`
    is called after each task with the number of records done so far.
    """
    refuse_wrong(options, jobs)
    chunks = sources.blocks() if exact and size is not None else sources.pieces()
    tasks = islice(tasks_of(chunks, options, size), place.tasks, None)
    made = ordered_map(partial(replay_task, options=options), tasks, jobs)
    return _batches(Prefetcher(made, _AHEAD_BYTES, _held) if prefetch else made, options, size, place, progress)


def _held(made: tuple[Task, list[ReplayedChunk]]) -> int:
    task, replayed = made
    return sum(each.held for each in replayed) + (task.size if task.lines is None else 0)


def _batches(
    made: Generator[tuple[Task, list[ReplayedChunk]], None, None] | Prefetcher[tuple[Task, list[ReplayedChunk]]],
    options: Options,
    size: int | None,
    place: ResumePoint,
    progress: Callable[[int], object] | None,
) -> Iterator[tuple[Results, ResumePoint]]:
    replayed: list[ReplayedChunk] = []
    held = records = failed_bytes = total = 0
    done, number = place.tasks, place.lines
    with closing(made):
        for task, some in made:
            done += 1
            count = sum(map(len, some))
            total += count
            if progress is not None:
                progress(total)
            if task.lines is None:
                replayed += some
            else:
                number = number if task.lines.begin else 0
                replayed += [each.renumbered(number) for each in some]
                number += count
            for each in some:
                if each.failures is not None:
                    failed_bytes += each.failures.nbytes
                    if failed_bytes > _MESSAGE_BYTES:
                        each.failures.words()
            if size is None:
                continue
            records += count
            held += sum(each.held for each in some)
            held += task.size if task.lines is None else task.size // _LINES_SHARE
            if task.ends_batch or held >= _BATCH_BYTES or records > size:
                yield _results(replayed, options), ResumePoint(done, number)
                replayed, held, records, failed_bytes = [], 0, 0, 0
    if replayed or size is None:
        yield _results(replayed, options), ResumePoint(done, number)


def _results(replayed: list[ReplayedChunk], options: Options) -> Results:
    return columns_of(
        replayed,
        board=options.board,
        positions=options.positions,
        metadata=options.metadata,
        canonical=options.canonical,
    )


@dataclass(slots=True)
class Task:
    """The work of one call of a thread: records `begin` up to `end` of chunks and single records, or `lines`.

    `size` is the bytes of their text. `ends_batch`: the last record is the last of a batch.
    """

    items: list[tuple[Chunk, int, int] | RawRecord]
    size: int = 0
    ends_batch: bool = False
    lines: ByteRange | None = None


def tasks_of(chunks: Iterable[Chunk | RawRecord | ByteRange], options: Options, size: int | None) -> Iterator[Task]:
    """Yield tasks large enough to amortise the hand-over to a thread; no task crosses the end of a batch of `size`.

    Tasks, and hence batches, do not depend on the number of threads.
    """
    task = Task([])
    # Positions take tens of times the memory of the text of SGF.
    most = _FIRST_TASK_BYTES if options.positions else _TASK_BYTES
    wanted = _FIRST_TASK_BYTES
    room = size or sys.maxsize
    for chunk in chunks:
        if isinstance(chunk, ByteRange):
            if task.items:
                yield task
                task = Task([])
            yield Task([], chunk.size, lines=chunk)
            continue
        count = len(chunk) if isinstance(chunk, Chunk) else 1
        begin = 0
        while begin < count:
            end = min(count, begin + room)
            if isinstance(chunk, Chunk):
                task.items.append((chunk, begin, end))
                task.size += int(chunk.ends[end - 1] - chunk.begins[begin])
            else:
                task.items.append(chunk)
                task.size += _RECORD_COST
            room -= end - begin
            begin = end
            if room == 0:
                task.ends_batch = True
                room = size or sys.maxsize
            if task.ends_batch or task.size >= wanted:
                yield task
                task = Task([])
                wanted = min(2 * wanted, most)
    if task.items:
        yield task


def replay_task(task: Task, options: Options) -> list[ReplayedChunk]:
    """Replay the records of a task, in order. Thread safe."""
    return _replay_items(task.items, options) if task.lines is None else _replay_lines(task.lines, options)


def _replay_items(items: Iterable[tuple[Chunk, int, int] | RawRecord], options: Options) -> list[ReplayedChunk]:
    replayed: list[ReplayedChunk] = []
    for item in items:
        if not isinstance(item, RawRecord):
            replayed += _replay_chunk(*item, options)
        elif item.data is None or item.problems:
            replayed.append(ReplayedChunk.alone(_single_row(item, options)))
        else:
            replayed += _replay_chunk(item.as_chunk(), 0, 1, options)
    return replayed


def _replay_lines(lines: ByteRange, options: Options) -> list[ReplayedChunk]:
    """Replay a range of lines in C; records that are deferred are replayed one by one."""
    replayed: list[ReplayedChunk] = []
    file = lines.file
    count = 0
    begin, place = -1, lines.begin
    memory = file.buffers.take(LINES_MEMORY, memoryview(b""))
    while begin < place:
        begin = place
        result, texts, failed, following, error = replay_lines(
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
            counted=COUNTED,
            failures=True,
            strict=options.strict,
            limits=options.limits,
        )
        singles = {
            number: _single_row(RawRecord(file.source, count + number, text, (), True), options)
            for number, text in texts.items()
        }
        failures = None
        if failed is not None:
            failures = Failures(*failed, result.arrays().rows, None, "wei7", options)
        runs = (Run(file.source, result.records, count, True),)
        replayed.append(ReplayedChunk(runs, "wei7", 0, result, singles, failures))
        count += result.records
        if error is not None:
            failure = unreadable(OSError(error, os.strerror(error)), file.source, count)
            return [*replayed, ReplayedChunk.alone(_single_row(failure, options))]
        if following is None:
            return replayed
        place = following
    # C stopped at a line that is too long for it.
    rest = Task([], lines=ByteRange(file, place, lines.end))
    return replayed + [each.renumbered(count) for each in _replay_items(items_of(rest), options)]


def items_of(task: Task) -> Iterator[tuple[Chunk, int, int] | RawRecord]:
    """Yield the records of a task; a range of lines is read now."""
    if task.lines is None:
        yield from task.items
        return
    for item in task.lines.items():
        yield item if isinstance(item, RawRecord) else (item, 0, len(item))


def engine_results(
    chunk: Chunk, begin: int, end: int, options: Options, **columns: Any
) -> Iterator[tuple[int, EngineResult]]:
    """Replay records `begin` up to `end` of a chunk, as many a call as `replay_block` takes.

    Yields the first record of each result, and the result; `columns` are arguments of `replay_block` that select
    columns.
    """
    format = bulk_format(chunk.format, options.revision)
    while begin < end:
        result = replay_block(
            chunk.data,
            chunk.begins[:end],
            chunk.ends[:end],
            format,
            first=begin,
            charsets=engine_tables,
            wanted_charset=options.wanted_charset,
            limits=options.limits,
            **columns,
        )
        yield begin, result
        begin += result.records


def _replay_chunk(chunk: Chunk, begin: int, end: int, options: Options) -> Iterator[ReplayedChunk]:
    """Replay the records in C; those that are deferred are replayed one by one."""
    if chunk.format in DECODED_IN_PYTHON:
        from .decoded import replay_decoded

        yield from replay_decoded(chunk, begin, end, options)
        return
    results = engine_results(
        chunk,
        begin,
        end,
        options,
        board=options.board,
        positions=options.positions,
        canonical=options.canonical,
        metadata=options.metadata,
        counted=COUNTED,
        in_utf8=partial(in_utf8_of, options=options),
        failures=True,
        strict=options.strict,
    )
    for first, result in results:
        singles = {
            place: _single_row(chunk.text(first + place), options)
            for place in np.flatnonzero(result.rows["is_deferred"]).tolist()
        }
        failures = None
        if result.failures is not None:
            offsets = chunk.source_offsets_of(np.arange(first, first + result.records))
            failures = Failures(*result.failures, result.rows, offsets, chunk.format, options)
        kept = result._replace(failures=None)  # so that `failures` alone holds the texts
        runs = chunk.runs_of(first, first + result.records)
        yield ReplayedChunk(runs, chunk.format, first, kept, singles, failures)


def in_utf8_of(data: bytes, options: Options) -> tuple[bytes, Callable[[list[int]], list[int]]] | None:
    """`formats.sgf.decode.in_utf8` with these options."""
    from ..formats.sgf.decode import in_utf8  # which most batches do not need

    return in_utf8(data, options.limits)


def _single_row(text: RawRecord, options: Options) -> SingleRow:
    from .single_records import single_row  # loads boards, which most batches do not need

    return single_row(text, options)
