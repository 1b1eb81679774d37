"""`wei7core check`: findings as lines, tables and pictures; quarantine of records; explanation of codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Final, Protocol

from .._util.files import is_special
from .._util.words import counted
from ..batch.resume import open_checkpoint
from ..checking.check import Check, check
from ..checking.codes import BETWEEN_CODES, CODES, GROUPS, Code
from ..checking.finding import Finding
from ..checking.finding_table import EVIDENCE_COLUMN, FINDING_COLUMNS, finding_columns
from ..checking.findings_codec import layout
from ..checking.selection import UnknownCodeError, codes_called
from ..sources.byte_ranges import LEAST_BYTES
from ..sources.sources import STDIN
from ..tables.columns import Column
from ..tables.writers import TableWriter, table_kind, write_table
from .arguments import UsageError, check_output, check_paths, options_from
from .console import Tally, name_passed_over, plain, report, stdout_for
from .progress import Progress

if TYPE_CHECKING:
    import argparse

    from ..checking.quarantine import PutAside
    from .finding_pictures import FindingPictures

_MOST_WAITING: Final = 1024
_WIDTH: Final = 80
_INDENT: Final = "    "


class _Sink(Protocol):
    """The output of findings."""

    def add(self, findings: list[Finding]) -> None:
        """Write findings."""

    def close(self) -> None:
        """Write pending findings."""


def check_records(args: argparse.Namespace) -> bool:
    """Check records and report the findings, or explain a code; return whether there were no findings.

    Findings go to standard output or a file; progress and, unless the command is quiet, a summary to standard error.
    Files and quarantined records appear when everything was read. Raises `UsageError`, before anything is read, if the
    arguments conflict, `wei7core.batch.resume.ResumeError` and `OSError`.
    """
    if args.explain is not None:
        print("\n".join(explained(args.explain)))
        return True
    _refuse_wrong(args)
    tally = Tally()
    aside: PutAside | None = None
    with ExitStack() as stack:
        asked = _asked(args) if args.resume else None
        # Entered first, so that progress is removed only after the files are complete.
        kept = stack.enter_context(open_checkpoint(args.output, asked, args.paths, layout()))
        found = stack.enter_context(closing(_check(args, tally)))
        if args.verbose:
            name_passed_over(found.sources)
        if kept is not None:
            found.keep_in(kept)
        # A pipe could block the prefetching thread; small inputs are done before it starts.
        if (found.sources.bytes_in_all or 0) >= LEAST_BYTES:
            found.prefetch()
        sink = _sink(args, stack)
        quarantine = None
        if args.quarantine is not None:
            from ..checking.quarantine import Quarantine, QuarantineError

            try:
                quarantine = stack.enter_context(Quarantine(args.quarantine, args.paths, move=args.move))
            except QuarantineError as error:
                raise UsageError(str(error)) from None
        for findings in found.lists():
            sink.add(findings)
            if quarantine is not None:
                for finding in findings:
                    quarantine.add(finding)
        sink.close()
        if quarantine is not None:
            aside = quarantine.fill()
    report(_summary(found, tally, args, aside), quiet=args.quiet)
    return not found.shown


def _refuse_wrong(args: argparse.Namespace) -> None:
    if not args.paths:
        raise UsageError("the following arguments are required: PATH (see wei7core check --help)")
    check_output(args)
    if args.show and (args.output or args.format not in (None, "text")):
        raise UsageError("--show cannot be combined with -o or --format")
    if (args.move or args.copy) and not args.quarantine:
        raise UsageError("--move and --copy require --quarantine DIR")
    check_paths(args.paths, [args.output])
    for path in args.paths if args.show else ():
        if path == STDIN or is_special(path):
            name = "standard input" if path == STDIN else path
            raise UsageError(f"{name}: --show reads records a second time, which this input does not allow")


def _asked(args: argparse.Namespace) -> dict[str, object]:
    """The options that findings depend on, as values of JSON."""
    names = ("command", "select", "ignore", "severity", "revision", "encoding", "first_row")
    return {**{name: getattr(args, name) for name in names}, "rules": repr(args.rules)}


def _check(args: argparse.Namespace, tally: Tally) -> Check:
    progress: Progress | None = None

    def count(so_far: Check) -> None:
        nonlocal progress
        tally.records = so_far.records
        if progress is None:
            # Lines on the same terminal would interfere with it.
            wanted = not (args.quiet or args.verbose) and (args.output is not None or not sys.stdout.isatty())
            progress = Progress(tally, sys.stderr, wanted=wanted, reading=so_far.sources)
        progress.step()

    names = ("rules", "select", "ignore", "severity", "jobs", "revision", "encoding", "first_row")
    try:
        return check(args.paths, progress=count, **{name: getattr(args, name) for name in names})
    except ValueError as error:
        raise UsageError(str(error)) from None


def _summary(found: Check, tally: Tally, args: argparse.Namespace, aside: PutAside | None) -> Iterator[str]:
    """The summary lines of a check: figures, counts of codes, quarantined records."""
    seconds = tally.seconds
    parts = [counted(found.records, "record")]
    between = sum(found.shown[code] for code in BETWEEN_CODES)
    if own := found.shown.total() - between:
        parts.append(f"{counted(own, 'finding')} in {counted(found.offending, 'record')}")
    if between:
        parts.append(f"{counted(between, 'finding')} between records")
    if not found.shown:
        parts.append("no findings")
    if found.sources.passed_over:
        parts.append(f"{counted(found.sources.passed_over, 'other file')} skipped")
    parts.append(f"{seconds:.1f} s")
    if found.records and seconds > 0:
        parts.append(f"{found.records / seconds:,.0f} records a second")
    yield ", ".join(parts)
    width = max(map(len, found.shown), default=0)
    for code, count in sorted(found.shown.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>8,}  {code:<{width}}  {CODES[code].summary}"
    if aside is not None:
        parts = [f"{counted(aside.records, 'record')} quarantined in {plain(args.quarantine)}"]
        if args.move:
            parts.append(f"{counted(aside.moved, 'file')} moved")
        if aside.lost:
            parts.append(f"{counted(aside.lost, 'record')} without bytes to quarantine")
        yield ", ".join(parts)


def check_line(finding: Finding) -> str:
    """Return one line about a finding, in the format of compilers, so that editors can jump to the place."""
    text = f"{finding.severity}: {finding.message} [{finding.code}]"
    if finding.record < 0:
        return plain(f"all games: {text}")
    # A finding does not show whether its source has more records: the first one needs no number.
    label = f"{finding.source}#{finding.record}" if finding.record else finding.source
    return plain(f"{label}:{finding.line}:{finding.column}: {text} {finding.path}")


# --- outputs of findings -------------------------------------------------------


def _sink(args: argparse.Namespace, stack: ExitStack) -> _Sink:
    if args.output is not None:
        columns = _columns(table_kind(args.output))
        return _Table(stack.enter_context(write_table(args.output, columns)), columns)
    if args.format not in (None, "text"):
        columns = _columns(args.format)
        return _Table(TableWriter(stdout_for(args.format), columns, args.format), columns)
    if not args.show:
        return _FindingLines(None)
    from .finding_pictures import FindingPictures  # loads what draws boards

    return _FindingLines(FindingPictures(args.paths, options_from(args)))


def _columns(kind: str) -> tuple[Column, ...]:
    return FINDING_COLUMNS if kind == "csv" else (*FINDING_COLUMNS, EVIDENCE_COLUMN)


class _Table:
    """Rows of a table, many at a time."""

    def __init__(self, writer: TableWriter, columns: tuple[Column, ...]) -> None:
        self._writer = writer
        self._columns = columns
        self._waiting: list[Finding] = []

    def add(self, findings: list[Finding]) -> None:
        self._waiting += findings
        while len(self._waiting) >= _MOST_WAITING:
            self._write(_MOST_WAITING)

    def close(self) -> None:
        if self._waiting:
            self._write(len(self._waiting))

    def _write(self, count: int) -> None:
        self._writer.write_columns(finding_columns(self._waiting[:count], self._columns))
        del self._waiting[:count]


class _FindingLines:
    """A line for each finding, followed by its picture if there is one."""

    def __init__(self, pictures: FindingPictures | None) -> None:
        self._pictures = pictures

    def add(self, findings: list[Finding]) -> None:
        if self._pictures is None:
            sys.stdout.writelines([f"{check_line(finding)}\n" for finding in findings])
            return
        for finding in findings:
            print(check_line(finding))
            picture = self._pictures.of(finding)
            if picture is not None:
                print(f"{picture}\n")

    def close(self) -> None:
        """Nothing is pending."""


# --- explanations of codes -----------------------------------------------------


def explained(name: str) -> Iterator[str]:
    """Yield the lines that explain a code, or that list the codes of a group, or all of them (`all`).

    Raises `UsageError` for another name.
    """
    try:
        codes = codes_called(name)
    except UnknownCodeError as error:
        raise UsageError(str(error)) from None
    if len(codes) == 1:
        yield from _one(codes[0])
        return
    width = max(len(code.name) for code in codes)
    for group, title in GROUPS.items():
        listed = [code for code in codes if code.group == group]
        if listed:
            yield f"{group}: {title}"
            for code in listed:
                yield f"  {code.name:<{width}}  {code.severity:<7}  {code.summary}"
            yield ""
    yield "wei7core check --explain CODE explains the meaning, importance and usual causes of a code."


def _one(code: Code) -> Iterator[str]:
    yield f"{code.name} ({code.severity}, {code.group})"
    yield from _wrapped(f"{code.summary[0].upper()}{code.summary[1:]}.", "")
    for title, text in (
        ("What it means", code.meaning),
        ("Why it matters", code.why),
        ("What usually causes it", code.causes),
    ):
        yield ""
        yield title
        yield from _wrapped(text, _INDENT)


def _wrapped(text: str, indent: str) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
