"""`wei7core replay` and `wei7core validate`: rows, positions and findings of records, here or on a cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, TypeVar

from .._util.words import counted
from ..batch.results import PROBLEM_COLUMNS, FindingRow, positions_columns, replay_columns
from ..batch.run import BATCH_RECORDS, batches
from ..sources.byte_ranges import LEAST_BYTES
from ..sources.sources import STDIN, Sources
from ..tables.writers import TableWriter, write_table
from .arguments import UsageError, check_output, check_paths, options_from
from .console import (
    ResultPrinter,
    Tally,
    name_passed_over,
    plain,
    problem_line,
    replay_summary,
    report,
    result_cells,
    stdout_for,
)
from .progress import Progress

if TYPE_CHECKING:
    import argparse

    from ..batch.examined import Counts, ExaminedRecords
    from ..batch.options import Options
    from ..tables.columns import Column
    from ..tables.partitions import PartitionedWriter
    from ..tables.table import Table

_Made = TypeVar("_Made")


def replay(args: argparse.Namespace) -> bool:
    """Replay all records, write a row for each and a summary on standard error; return whether none failed.

    `args` are those of the command, as `wei7core.cli.arguments` makes them. Raises `UsageError` if they conflict,
    `ResumeError` if a run cannot be resumed, and `OSError`.
    """
    if args.engine:
        return _replay_on_engine(args)
    kind = args.format or "table"
    _check(args, kind)
    if args.metadata is None:
        args.metadata = bool(args.partition) or os.path.splitext(args.output or "")[1].lower() == ".parquet"
    sources = _sources(args)
    tally = Tally()
    cut = 0
    with_positions = args.positions is not None
    options = options_from(args, board=args.board, positions=with_positions, strict=args.strict, metadata=args.metadata)
    options = options.for_replay()
    with ExitStack() as stack:
        # A pipe could block the prefetching thread; small inputs are done before it starts.
        prefetch = bool(args.output) and (sources.bytes_in_all or 0) >= LEAST_BYTES
        if args.output:
            from ..batch.results_codec import resumable_batches

            # Entered first, so that progress is removed only after the files are complete.
            pieces = stack.enter_context(
                resumable_batches(
                    args.output,
                    args.paths,
                    sources,
                    options,
                    args.jobs,
                    BATCH_RECORDS,
                    resume=args.resume,
                    prefetch=prefetch,
                )
            )
        else:
            pieces = batches(sources, options, args.jobs, BATCH_RECORDS)
        positions = None
        if args.positions:
            columns = positions_columns(options.canonical, args.metadata)
            positions = stack.enter_context(write_table(args.positions, columns))
        if args.output or kind != "table":
            columns = replay_columns(args.board, args.metadata)
            writer = stack.enter_context(_writer(args, columns, kind))
            progress = _progress(sources, tally, args)
            stack.callback(progress.close)
            for results in pieces:
                writer.write_columns(results.data)
                if positions is not None and results.positions is not None:
                    positions.write_columns(results.positions.data)
                tally.add_results(results)
                progress.step()
            cut = getattr(writer, "cut", 0)
        else:
            _print_table(args, sources, options, tally, positions)
    summary = [*replay_summary(tally, sources.passed_over, tally.seconds)]
    if cut:
        summary.append(f"{counted(cut, 'value')} that no folder can be named by: changed")
    lines, refused = _write_unique(args, options) if args.unique else ([], [])
    report(refused, quiet=not refused)
    report(summary + lines, quiet=args.quiet)
    return not tally.not_replayed and not refused


def _check(args: argparse.Namespace, kind: str) -> None:
    """Refuse arguments that do not go together."""
    if args.address:
        raise UsageError("--address requires --engine")
    check_output(args)
    if args.metadata and kind == "table" and not args.output:
        raise UsageError("--metadata requires -o OUT or --format csv or jsonl: the printed table has no columns for it")
    check_paths(args.paths, [None if args.partition else args.output, args.positions])
    if args.partition and (not args.output or args.resume or os.path.splitext(args.output)[1]):
        raise UsageError("--partition requires -o FOLDER, and cannot be combined with --resume")
    if args.unique:
        from .unique import check_target

        check_target(args.unique, args.paths)


def _writer(
    args: argparse.Namespace, columns: Sequence[Column], kind: str
) -> AbstractContextManager[TableWriter | PartitionedWriter]:
    """The writer of the rows: into a folder, a file, or to standard output."""
    if args.partition:
        from ..tables.partitions import write_partitions

        return write_partitions(args.output, columns, args.partition.split(","))
    if args.output:
        return write_table(args.output, columns)
    return nullcontext(TableWriter(stdout_for(kind), columns, kind))


def _write_unique(args: argparse.Namespace, options: Options) -> tuple[list[str], list[str]]:
    """The lines of the summary, and one for each record that cannot be written."""
    from ..game.conversion.report import summary
    from .unique import write_unique

    made = write_unique(args.paths, args.unique, options, args.jobs)
    copies = f"{made.copies:,} {'copy' if made.copies == 1 else 'copies'} left out"
    parts = [f"{counted(made.games, 'game')} written to {plain(args.unique)}", copies]
    if made.refused:
        parts.append(f"{counted(len(made.refused), 'record')} cannot be written")
    losses = [summary(made.losses)] if made.losses else []
    return ["; ".join([", ".join(parts), *losses])], [plain(line) for line in made.refused]


def _replay_on_engine(args: argparse.Namespace) -> bool:
    from .cluster import ClusterError, ClusterJob, replay_on_engine

    if not args.output or args.format:
        raise UsageError("--engine requires -o FOLDER, which it fills with Parquet files")
    if args.positions and os.path.abspath(args.positions) == os.path.abspath(args.output):
        raise UsageError(f"{args.positions}: this folder is used for rows; use another one for positions")
    if args.unique or args.partition:
        raise UsageError("--unique and --partition cannot be combined with --engine")
    if args.resume:
        raise UsageError("--resume cannot be combined with --engine, which repeats failed tasks itself")
    if args.verbose:
        raise UsageError("--verbose cannot be combined with --engine")
    if STDIN in args.paths:
        raise UsageError("--engine cannot read from standard input (workers open the files themselves)")
    options = options_from(args, board=args.board, strict=args.strict, metadata=bool(args.metadata))
    job = ClusterJob(
        args.engine, args.paths, args.output, options, args.address, args.jobs, args.column, args.positions
    )
    tally = Tally()
    progress = Progress(tally, sys.stderr, wanted=not args.quiet)
    try:
        passed_over = replay_on_engine(job, tally, progress.step)
    except ClusterError as error:
        raise UsageError(str(error)) from None
    finally:
        progress.close()
    report(replay_summary(tally, passed_over, tally.seconds), quiet=args.quiet)
    return not tally.not_replayed


def _print_table(
    args: argparse.Namespace, sources: Sources, options: Options, tally: Tally, positions: TableWriter | None
) -> None:
    import shutil

    from ..batch.examined import examine

    printer = ResultPrinter(sys.stdout, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    for cells, found in _watched(examine(sources, options, args.jobs, _printed), sources, tally, args):
        for some in cells:
            printer.add(some)
        if positions is not None and found is not None:
            positions.write_columns(found.data)
    printer.close()


def _printed(records: ExaminedRecords) -> tuple[tuple[list[Sequence[str]], Table | None], Counts]:
    found = records.positions() if records.options.positions else None
    return (result_cells(records), found), records.counts()


def validate(args: argparse.Namespace) -> bool:
    """List every problem of all records; return whether none is an error. Arguments and exceptions are those of
    `replay`.
    """
    from ..batch.examined import examine

    check_paths(args.paths, [args.output])
    sources = _sources(args)
    tally = Tally()
    with ExitStack() as stack:
        writer = stack.enter_context(write_table(args.output, PROBLEM_COLUMNS)) if args.output else None
        options = options_from(args, strict=True)
        if writer is not None:
            for rows in _watched(examine(sources, options, 1, _with_rows), sources, tally, args):
                writer.write(rows)
        else:
            for lines in _watched(examine(sources, options, 1, _with_lines), sources, tally, args):
                sys.stdout.writelines(lines)
    parts = [counted(tally.records, "record"), counted(tally.errors, "error"), counted(tally.warnings, "warning")]
    if sources.passed_over:
        parts.append(f"{counted(sources.passed_over, 'other file')} skipped")
    report([", ".join([*parts, f"{tally.seconds:.1f} s"])], quiet=args.quiet)
    return not tally.errors


def _with_lines(records: ExaminedRecords) -> tuple[list[str], Counts]:
    labels = list(records.labels())
    lines = [problem_line(labels[place], problem) + "\n" for place, problem in records.all_problems()]
    return lines, records.counts()


def _with_rows(records: ExaminedRecords) -> tuple[list[FindingRow], Counts]:
    places = [(run.source, number) for run in records.runs for number in range(run.first, run.first + run.records)]
    rows = [
        FindingRow(severity, code, clause, *places[place], offset, line, column, path, message)
        for place, (code, clause, severity, offset, line, column, path, message) in records.all_problems()
    ]
    return rows, records.counts()


def _sources(args: argparse.Namespace) -> Sources:
    sources = Sources(args.paths)
    if args.verbose:
        name_passed_over(sources)
    return sources


def _progress(sources: Sources, tally: Tally, args: argparse.Namespace) -> Progress:
    """Progress, shown unless lines on the same terminal would interfere with it."""
    wanted = not (args.quiet or args.verbose) and (bool(args.output) or not sys.stdout.isatty())
    return Progress(tally, sys.stderr, wanted=wanted, reading=sources)


def _watched(
    made: Iterable[tuple[_Made, Counts]], sources: Sources, tally: Tally, args: argparse.Namespace
) -> Iterator[_Made]:
    """Counts what is made of records and passes it on while showing progress."""
    progress = _progress(sources, tally, args)
    try:
        for found, counts in made:
            tally.count(*counts)
            progress.step()
            yield found
    finally:
        progress.close()
