"""`wei7core check`: findings as lines, tables and pictures; quarantine of records; explanation of codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from .._util.files import is_special
from .._util.words import counted
from ..batch.checkpoint import open_checkpoint
from ..batch.options import Options
from ..checking.check import Check, check
from ..checking.codes import CODES, GROUPS, Code
from ..checking.finding import Finding
from ..checking.finding_table import EVIDENCE_COLUMN, FINDING_COLUMNS, finding_columns
from ..checking.selection import UnknownCodeError, codes_called
from ..rules import Rules
from ..sources.sources import STDIN
from ..tables.columns import Column
from ..tables.writers import TableWriter, table_kind, write_table
from .console import Progress, Tally, name_passed_over, plain, report, stdout_for

if TYPE_CHECKING:
    from ..checking.quarantine import PutAside
    from .finding_pictures import FindingPictures

__all__ = ["CheckJob", "WrongJobError", "check_line", "check_records", "explained"]

_MOST_WAITING: Final = 1024
_WIDTH: Final = 80
_INDENT: Final = "    "


class WrongJobError(ValueError):
    """The check cannot be run as requested."""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """The input, selection and output of a check.

    `output` is a table file, `kind` the format printed without one: `text`, `csv` or `jsonl`; `show` adds pictures to
    text. `quarantine` is a folder for records with findings, `move` whether whole files are moved. `resume` saves
    progress in a folder next to the output, and continues from that of an earlier run.
    """

    paths: Sequence[str]
    options: Options
    rules: Rules | None = None
    select: str | None = None
    ignore: str | None = None
    severity: str = "warning"
    jobs: int = 1
    output: str | None = None
    kind: str = "text"
    show: bool = False
    quarantine: str | None = None
    move: bool = False
    quiet: bool = False
    resume: bool = False
    verbose: bool = False


class _Sink(Protocol):
    """The output of findings."""

    def add(self, finding: Finding) -> None:
        """Write one finding."""

    def close(self) -> None:
        """Write pending findings."""


def check_records(job: CheckJob) -> bool:
    """Check all records of a job and report the findings; returns whether there were none.

    Findings go to standard output or a file; progress and, unless the job is quiet, a summary to standard error. Files
    and quarantined records appear when everything was read. Raises `WrongJobError`, before anything is read, if the job
    is impossible, `wei7core.batch.checkpoint.ResumeError` and `OSError`.
    """
    for path in job.paths if job.show else ():
        if path == STDIN or is_special(path):
            name = "standard input" if path == STDIN else path
            raise WrongJobError(f"{name}: --show reads records a second time, which this input does not allow")
    tally = Tally()
    aside: PutAside | None = None
    with ExitStack() as stack:
        # Entered first, so that progress is removed only after the files are complete.
        kept = stack.enter_context(open_checkpoint(job.output, _asked(job) if job.resume else None, job.paths))
        found = stack.enter_context(closing(_check(job, tally)))
        if job.verbose:
            name_passed_over(found.sources)
        if kept is not None:
            found.keep_in(kept)
        sink = _sink(job, stack)
        quarantine = None
        if job.quarantine is not None:
            from ..checking.quarantine import Quarantine, QuarantineError

            try:
                quarantine = stack.enter_context(Quarantine(job.quarantine, job.paths, move=job.move))
            except QuarantineError as error:
                raise WrongJobError(str(error)) from None
        for finding in found:
            sink.add(finding)
            if quarantine is not None:
                quarantine.add(finding)
        sink.close()
        if quarantine is not None:
            aside = quarantine.fill()
    report(_summary(found, tally, job, aside), quiet=job.quiet)
    return not found.shown


def _asked(job: CheckJob) -> dict[str, object]:
    """The options that findings depend on, as values of JSON."""
    options = job.options
    return {
        "command": "check",
        "rules": repr(job.rules),
        "select": job.select,
        "ignore": job.ignore,
        "severity": job.severity,
        "revision": options.revision,
        "encoding": options.encoding,
        "first_row": options.first_row,
    }


def _check(job: CheckJob, tally: Tally) -> Check:
    progress: Progress | None = None

    def count(so_far: Check) -> None:
        nonlocal progress
        tally.records = so_far.records
        if progress is None:
            # Lines on the same terminal would interfere with it.
            wanted = not (job.quiet or job.verbose) and (job.output is not None or not sys.stdout.isatty())
            progress = Progress(tally, sys.stderr, wanted=wanted, reading=so_far.sources)
        progress.step()

    options = job.options
    try:
        return check(
            job.paths,
            rules=job.rules,
            select=job.select,
            ignore=job.ignore,
            severity=job.severity,
            jobs=job.jobs,
            progress=count,
            revision=options.revision,
            limits=options.limits,
            encoding=options.encoding,
            first_row=options.first_row,
        )
    except ValueError as error:
        raise WrongJobError(str(error)) from None


def _summary(found: Check, tally: Tally, job: CheckJob, aside: PutAside | None) -> Iterator[str]:
    """The summary lines of a check: figures, counts of codes, quarantined records."""
    seconds = tally.seconds
    parts = [counted(found.records, "record")]
    shown = found.shown.total()
    parts.append(f"{counted(shown, 'finding')} in {counted(found.offending, 'record')}" if shown else "no findings")
    if found.sources.passed_over:
        parts.append(f"{counted(found.sources.passed_over, 'other file')} skipped")
    parts.append(f"{seconds:.1f} s")
    if found.records and seconds > 0:
        parts.append(f"{found.records / seconds:,.0f} records a second")
    yield ", ".join(parts)
    width = max(map(len, found.shown), default=0)
    for code, count in sorted(found.shown.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>8,}  {code:<{width}}  {CODES[code].summary}"
    if aside is not None and job.quarantine is not None:
        parts = [f"{counted(aside.records, 'record')} quarantined in {plain(job.quarantine)}"]
        if job.move:
            parts.append(f"{counted(aside.moved, 'file')} moved")
        if aside.lost:
            parts.append(f"{counted(aside.lost, 'record')} without bytes to quarantine")
        yield ", ".join(parts)


def check_line(finding: Finding) -> str:
    """Return one line about a finding, in the format of compilers, so that editors can jump to the place."""
    said = f"{finding.severity}: {finding.message} [{finding.code}]"
    if finding.record < 0:
        return plain(f"all games: {said}")
    # A finding does not show whether its source has more records: the first one needs no number.
    label = f"{finding.source}#{finding.record}" if finding.record else finding.source
    return plain(f"{label}:{finding.line}:{finding.column}: {said} {finding.path}")


# --- outputs of findings -------------------------------------------------------


def _sink(job: CheckJob, stack: ExitStack) -> _Sink:
    if job.output is not None:
        columns = _columns(table_kind(job.output))
        return _Table(stack.enter_context(write_table(job.output, columns)), columns)
    if job.kind != "text":
        columns = _columns(job.kind)
        return _Table(TableWriter(stdout_for(job.kind), columns, job.kind), columns)
    if not job.show:
        return _FindingLines(None)
    from .finding_pictures import FindingPictures  # loads what draws boards

    return _FindingLines(FindingPictures(job.paths, job.options))


def _columns(kind: str) -> tuple[Column, ...]:
    return FINDING_COLUMNS if kind == "csv" else (*FINDING_COLUMNS, EVIDENCE_COLUMN)


class _Table:
    """Rows of a table, many at a time."""

    def __init__(self, writer: TableWriter, columns: tuple[Column, ...]) -> None:
        self._writer = writer
        self._columns = columns
        self._waiting: list[Finding] = []

    def add(self, finding: Finding) -> None:
        self._waiting.append(finding)
        if len(self._waiting) >= _MOST_WAITING:
            self.close()

    def close(self) -> None:
        if self._waiting:
            self._writer.write_columns(finding_columns(self._waiting, self._columns))
            self._waiting.clear()


class _FindingLines:
    """A line for each finding, followed by its picture if there is one."""

    def __init__(self, pictures: FindingPictures | None) -> None:
        self._pictures = pictures

    def add(self, finding: Finding) -> None:
        print(check_line(finding))
        picture = None if self._pictures is None else self._pictures.of(finding)
        if picture is not None:
            print(f"{picture}\n")

    def close(self) -> None:
        """Nothing is pending."""


# --- explanations of codes -----------------------------------------------------


def explained(name: str) -> Iterator[str]:
    """Yield the lines that explain a code, or that list the codes of a group, or all of them (`all`).

    Raises `WrongJobError` for another name.
    """
    try:
        codes = codes_called(name)
    except UnknownCodeError as error:
        raise WrongJobError(str(error)) from None
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
