"""`wei7core convert`: records to another format, in one file or one file each."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from errno import ENOTDIR
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

from .._util.files import is_special, lies_in, replace_file, temporary_folder, write_whole
from .._util.words import counted
from ..batch.options import Options
from ..batch.resume import Checkpoint, open_checkpoint
from ..batch.single_records import ReplayedRecord
from ..errors import ERROR, Problem, Wei7Error
from ..formats.giseong.text import decoded
from ..game.conversion import encode_record
from ..game.conversion.plain_records import moved_counts, moved_losses
from ..game.conversion.reading_losses import reading_losses
from ..game.conversion.report import Loss, count_by_code, summary
from ..game.load import Guesses
from ..game.output_formats import TARGETS, Target, format_of
from ..sources.sources import STDIN, Sources
from ..tables.columns import columns_for
from ..tables.writers import write_table
from .arguments import UsageError, check_paths, options_from
from .console import Tally, finding_line, plain, report, stdout_for
from .convert_names import FileNames, Origin
from .convert_plain import PlainRun, outcomes
from .progress import Progress

if TYPE_CHECKING:
    import argparse

_PART_RECORDS: Final = 1024
_PART_BYTES: Final = 1 << 24
_FORM: Final = 1  # version of the content of the parts of a checkpoint


class LossRow(NamedTuple):
    """One loss of one record, as in `wei7core.game.conversion.report.Loss`."""

    code: str
    source: str
    record: int
    path: str
    times: int
    message: str


LOSS_COLUMNS: Final = columns_for(LossRow)


class _Converted(NamedTuple):
    """The result for one record: its origin, its bytes (None without any), and its losses."""

    origin: Origin
    data: bytes | memoryview | None
    losses: list[LossRow]


_MANY: Final = Origin("", 0, None, True)
"""The origin of a text of many records, after which no file is named."""


class _AbandonedError(Exception):
    """An error occurred and nothing must be written."""


Write = Callable[[Origin, bytes | memoryview], None]


def convert_records(args: argparse.Namespace) -> bool:
    """Convert all records of a source; returns whether none had an error, nor, when strict, any loss.

    Errors are reported on standard error, and unless the command is quiet its progress and a summary. A record with an
    error is converted as far as it could be read; with `strict` nothing is written then, nor after a loss, and never if
    no record could be converted. A target file or folder appears whole or not at all. With `resume` progress is saved
    next to it until the end, and the work of an earlier run is not repeated. Raises `UsageError` if the target
    does not fit, before anything is read, and if one file would get several records;
    `wei7core.batch.resume.ResumeError`; and `OSError`.
    """
    check_paths([args.source], [args.losses])
    args.to = args.to or format_of(args.target)
    if args.to is None:
        raise UsageError(f"{args.target}: cannot infer the output format from the file name; use --to FORMAT")
    _check(args)
    run = _Run(args)
    try:
        with ExitStack() as stack:
            # Entered first, so that progress is removed only after the files are complete.
            kept = stack.enter_context(_kept(args, run.options))
            rows = stack.enter_context(write_table(args.losses, LOSS_COLUMNS)) if args.losses else None
            try:
                with _target(args, run.report_line) as write:
                    for converted in run.converted(kept, is_joined=not (_is_folder(args.target) or _takes_one(args))):
                        if rows is not None:
                            rows.write(converted.losses)
                        if converted.data is not None and not (args.strict and run.failed):
                            write(converted.origin, converted.data)
                    if run.is_abandoned:
                        raise _AbandonedError
            except _AbandonedError:
                pass  # the list of losses is written nevertheless
    finally:
        run.wipe()
    report([run.summary()], quiet=args.quiet)
    return not run.failed


class _Run:
    """Converts records one by one and counts them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self.options = options_from(args, strict=args.strict)
        self._sources = Sources(args.source)
        self._tally = Tally()
        self._guesses = Guesses()
        self._lost: Counter[str] = Counter()  # by code
        self._written = 0
        self._refused = 0  # without an error of their own, refused by the target format
        self.failed = False
        wanted = not args.quiet and (args.target != STDIN or not sys.stdout.isatty())
        self._progress = Progress(self._tally, sys.stderr, wanted=wanted, reading=self._sources)

    @property
    def is_abandoned(self) -> bool:
        """Whether an existing target must not be replaced: an empty file is no record."""
        return self.failed and (self._args.strict or not self._written)

    def converted(self, kept: Checkpoint | None, *, is_joined: bool) -> Iterator[_Converted]:
        """Yield the result for each record, the `kept` ones first; report the problems of the others.

        With `is_joined` records that come one after the other may be one text.
        """
        part: list[_Converted] = []
        size = 0
        for stored in kept or ():
            yield from self._restored(stored)
        for outcome in outcomes(self._sources, self._tally.records, self._args.to, self.options):
            if isinstance(outcome, PlainRun) and is_joined and kept is None:
                yield self._joined(outcome)
                continue
            for one in self._plain(outcome) if isinstance(outcome, PlainRun) else (self._replayed(outcome),):
                if kept is not None:
                    part.append(one)
                    size += len(one.data or b"")
                yield one
            # Not within a run of plain records, which are counted together.
            if kept is not None and (len(part) >= _PART_RECORDS or size >= _PART_BYTES):
                kept.add(self._stored(part))
                part, size = [], 0
        if not self._tally.records:
            raise UsageError(f"{self._args.source}: no records found")

    def _joined(self, run: PlainRun) -> _Converted:
        """All records of a run as one text, each ended by a line feed."""
        reading = self._count_run(run)
        rows = []
        if self._args.losses:
            rows = [row for place in range(len(run)) for row in self._plain_rows(run, place, reading)]
        return _Converted(_MANY, run.text, rows)

    def _plain(self, run: PlainRun) -> Iterator[_Converted]:
        reading = self._count_run(run)
        for place, data in enumerate(run.data):
            yield _Converted(run.origin(place), data, self._plain_rows(run, place, reading))

    def _plain_rows(self, run: PlainRun, place: int, reading: dict[int, list[Loss]]) -> list[LossRow]:
        """The losses of a record of a run, where they are written."""
        if not self._args.losses:
            return []
        origin = run.origin(place)
        return _rows(origin.source, origin.record, [*reading.get(place, ()), *moved_losses(run.moved[place])])

    def _count_run(self, run: PlainRun) -> dict[int, list[Loss]]:
        """Count the records of a run; return the losses of those with uncertain readings, by their places."""
        errors = run.errors()
        self._tally.count(len(run), run.moves, Counter(problem.code for _, problem in errors), run.problems)
        self._progress.step()
        for place, problem in errors:
            self._report_error(run.label(place), problem)
        self._written += len(run)
        for moved, times in Counter(run.moved).items():
            for code, count in moved_counts(moved).items():
                self._lost[code] += count * times
                self.failed |= self._args.strict
        reading = {}
        for place in sorted(run.guesses.keys() | run.lossy):
            source, guess = run.source(place), run.guesses.get(place)
            if place in run.lossy or (guess is not None and not self._guesses.agrees(source, guess)):
                problems = self._guesses.doubted(source, guess or "", run.problems_of(place))
                reading[place] = losses = reading_losses(problems)
                self._count(losses)
        return reading

    def _replayed(self, outcome: ReplayedRecord) -> _Converted:
        self._tally.add(outcome)
        self._progress.step()
        data, losses = self._one(outcome)
        self._written += data is not None
        self._count(losses)
        row = outcome.row
        origin = Origin(row.source, row.record, row.id, outcome.text.one_of_many)
        return _Converted(origin, data, _rows(row.source, row.record, losses))

    def _stored(self, part: list[_Converted]) -> bytes:
        """The records of a part, and all counts up to its end."""
        tally = self._tally
        state = {
            "records": [(one.origin, one.data and str(one.data, "latin-1"), one.losses) for one in part],
            "tally": [tally.records, tally.moves, tally.warnings, tally.failures, tally.codes],
            "run": [self._lost, self._written, self._refused, self.failed],
            "guess": self._guesses.first,
        }
        return json.dumps(state).encode()

    def _restored(self, data: bytes) -> Iterator[_Converted]:
        state = json.loads(data)
        tally = self._tally
        tally.records, tally.moves, tally.warnings, failures, codes = state["tally"]
        tally.failures, tally.codes = Counter(failures), Counter(codes)
        lost, self._written, self._refused, self.failed = state["run"]
        self._lost = Counter(lost)
        source, encoding = state["guess"]
        self._guesses.first = source, encoding
        self._progress.step()
        for origin, text, losses in state["records"]:
            yield _Converted(Origin(*origin), text and text.encode("latin-1"), [LossRow(*row) for row in losses])

    def _one(self, outcome: ReplayedRecord) -> tuple[bytes | None, list[Loss]]:
        error = outcome.row.error
        if error is not None:
            problem = next((one for one in outcome.problems if one.code == error and one.severity == ERROR), None)
            self._report_error(outcome.label, problem or outcome.problems[-1])
        if outcome.record is None or not len(outcome.record.trees) or error == "game-not-go":
            return None, []
        try:
            limits = self.options.limits
            data, losses = encode_record(outcome.record, self._args.to, outcome.problems, limits)
            problems = self._guesses.doubted(outcome.row.source, outcome.record.encoding, tuple(outcome.problems))
            return data, reading_losses(problems) + losses
        except (Wei7Error, ValueError) as refusal:
            self.failed = True
            self._refused += error is None
            self.report_line(f"{outcome.label}: error: {refusal}")
            return None, []

    def _report_error(self, label: str, problem: Problem) -> None:
        self.failed = True
        self.report_line(finding_line(label, problem))

    def _count(self, losses: list[Loss]) -> None:
        if losses and self._args.strict:
            self.failed = True
        self._lost += count_by_code(losses)

    def report_line(self, line: str) -> None:
        """Print a line on standard error, in place of the line of progress."""
        self._progress.close()
        print(plain(line), file=sys.stderr)

    def wipe(self) -> None:
        """Clear the line of progress."""
        self._progress.close()

    def summary(self) -> str:
        """Return the summary line."""
        written = "nothing written" if self.is_abandoned else f"{counted(self._written, 'record')} written"
        parts = [counted(self._tally.records, "record"), written]
        parts.append(f"{counted(self._tally.not_replayed + self._refused, 'record')} with an error")
        return f"{', '.join(parts)}; {summary(self._lost)}"


def _rows(source: str, record: int, losses: Iterable[Loss]) -> list[LossRow]:
    return [LossRow(loss.code, source, record, loss.path, loss.count, loss.message) for loss in losses]


def _kept(args: argparse.Namespace, options: Options) -> AbstractContextManager[Checkpoint | None]:
    asked: dict[str, Any] = {name: value for name, value in asdict(options).items() if name != "limits"}
    asked |= {"command": "convert", "to": args.to}
    return open_checkpoint(args.target, asked if args.resume else None, [args.source], [_FORM, LossRow._fields])


# --- targets -------------------------------------------------------------------


def _is_folder(target: str) -> bool:
    """An existing folder, or a new name that ends in a slash or has no suffix."""
    if os.path.exists(target):
        return os.path.isdir(target)
    return bool(target) and (target.endswith(("/", os.sep)) or not os.path.splitext(target)[1])


def _check(args: argparse.Namespace) -> None:
    target = TARGETS[args.to]
    if args.resume and (args.target == STDIN or is_special(args.target)):
        raise UsageError("--resume requires a file or a folder as TARGET")
    if args.target == STDIN:
        return
    if args.losses and os.path.realpath(args.losses) == os.path.realpath(args.target):
        raise UsageError(f"{args.losses}: this file is already used for something else")
    if args.source != STDIN and os.path.realpath(args.source) == os.path.realpath(args.target):
        raise UsageError(f"{args.target}: TARGET is also SOURCE")
    if _is_folder(args.target) and lies_in(args.source, args.target):
        raise UsageError(f"{args.target}: this folder is inside the source folder; write outside it")
    if _is_folder(args.target) or is_special(args.target):
        return
    if not os.path.basename(args.target):
        allowed = " or ".join(target.suffixes)
        raise UsageError(f"{args.target}: unsupported suffix for {args.to}; use {allowed}, or a folder")
    if lies_in(args.source, args.target) and os.path.exists(args.target):
        raise UsageError(f"{args.target}: this file is one of the inputs; write outside their folder")


def _is_file(path: str, source: str) -> bool:
    return source != STDIN and os.path.exists(path) and os.path.samefile(path, source)


@contextmanager
def _target(args: argparse.Namespace, report_line: Callable[[str], None]) -> Iterator[Write]:
    """Open the target; yields the function that writes one record."""
    if args.target == STDIN:
        with _standard_output(args) as file:
            yield _into(file, TARGETS[args.to], one=_takes_one(args), as_text=True)
    elif _is_folder(args.target):
        with _folder(args, report_line) as write:
            yield write
    else:
        with write_whole(args.target) as file:
            yield _into(file, TARGETS[args.to], one=_takes_one(args), name=args.target)


def _takes_one(args: argparse.Namespace) -> bool:
    """Whether the target, which is no folder, can hold one record alone."""
    target = TARGETS[args.to]
    if args.target == STDIN:
        return not target.suffix_of_many
    suffix = os.path.splitext(args.target)[1].lower()
    # A file with another suffix, which --to allows, may have as many records as the format allows.
    return not target.suffix_of_many or suffix == target.suffix != target.suffix_of_many


def _into(file: TextIO, target: Target, *, one: bool, name: str = STDIN, as_text: bool = False) -> Write:
    """Writes records one after the other; each ends in a line feed if the format allows several.

    With `as_text` characters are written, in the encoding of the file.
    """
    written = 0
    places = "a folder" if not target.suffix_of_many else f"a {target.suffix_of_many} file or a folder"

    def write(_origin: Origin, data: bytes | memoryview) -> None:
        nonlocal written
        if one and written:
            raise UsageError(f"{name}: the source has more than one record; write them to {places}")
        written += 1
        if as_text:
            file.write(decoded(bytes(data)))
        else:
            file.buffer.write(data)
        if not one and data[-1:] != b"\n":
            file.write("\n") if as_text else file.buffer.write(b"\n")

    return write


@contextmanager
def _standard_output(args: argparse.Namespace) -> Iterator[TextIO]:
    """Standard output; with `strict` through a temporary file, as a loss forbids any output."""
    stdout = stdout_for("jsonl")
    if not args.strict:
        yield stdout
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as file:
        yield file
        file.seek(0)
        shutil.copyfileobj(file, stdout)


@contextmanager
def _folder(args: argparse.Namespace, report_line: Callable[[str], None]) -> Iterator[Write]:
    """A folder with one file a record; the files are moved there when all are written."""
    target = os.path.realpath(args.target)
    is_new = not os.path.isdir(target)
    if is_new and os.path.lexists(target):
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), args.target)
    names: list[str] = []
    file_names = FileNames(args.source, TARGETS[args.to].suffix)
    with temporary_folder(target, os.path.dirname(target) if is_new else target, args.target) as staging:

        def write(origin: Origin, data: bytes | memoryview) -> None:
            name = file_names.name(origin)
            if not is_new and _is_file(os.path.join(target, name), args.source):
                raise UsageError(f"{args.target}: {name} would replace SOURCE; write to another folder")
            path = os.path.join(staging, name)
            if os.path.dirname(name):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
            names.append(name)

        yield write
        if is_new:
            os.rename(staging, target)
            return
        replaced = sum(os.path.lexists(os.path.join(target, name)) for name in names)
        for name in names:
            if os.path.dirname(name):
                os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            replace_file(os.path.join(staging, name), os.path.join(target, name))
        if replaced and not args.quiet:
            report_line(f"{args.target}: {counted(replaced, 'file')} of the same name replaced")
        shutil.rmtree(staging)  # only of empty folders
