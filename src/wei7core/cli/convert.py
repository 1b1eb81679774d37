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
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, TextIO

from .._util.atomic_write import InterruptsLater, new_folder
from .._util.files import is_special, lies_in, write_whole
from .._util.words import counted
from ..batch.checkpoint import Checkpoint, open_checkpoint
from ..batch.fallback import ReplayedRecord
from ..batch.options import Options
from ..errors import ERROR, Wei7Error
from ..formats.giseong.text import decoded
from ..game.conversion import encode_record
from ..game.conversion.output_formats import TARGETS, Target
from ..game.conversion.plain_records import moved_losses
from ..game.conversion.reading_losses import reading_losses
from ..game.conversion.report import Loss, count_by_code, summary
from ..game.load import Guesses
from ..sources.sources import STDIN, Sources
from ..tables.columns import Column
from ..tables.writers import write_table
from .console import Progress, Tally, finding_line, plain, report, stdout_for
from .convert_names import FileNames, Origin
from .convert_plain import PlainRun, outcomes

__all__ = ["LOSS_COLUMNS", "ConversionJob", "LossRow", "WrongTargetError", "convert_records"]

_PART_RECORDS: Final = 1024
_PART_BYTES: Final = 1 << 24


class WrongTargetError(ValueError):
    """The target cannot be used as requested."""


class LossRow(NamedTuple):
    """One loss of one record, as in `wei7core.game.conversion.report.Loss`."""

    code: str
    source: str
    record: int
    path: str
    times: int
    message: str


LOSS_COLUMNS: Final = (
    Column("code", "text"),
    Column("source", "text"),
    Column("record", "integer"),
    Column("path", "text"),
    Column("times", "integer"),
    Column("message", "text"),
)


@dataclass(frozen=True, slots=True)
class ConversionJob:
    """The source, target and options of a conversion."""

    source: str
    target: str
    format: str
    losses: str | None
    strict: bool
    quiet: bool
    options: Options
    resume: bool = False


class _Converted(NamedTuple):
    """The result for one record: its origin, its bytes (None without any), and its losses."""

    origin: Origin
    data: bytes | None
    losses: list[LossRow]


class _AbandonedError(Exception):
    """An error occurred and nothing must be written."""


Write = Callable[[Origin, bytes], None]


def convert_records(job: ConversionJob) -> bool:
    """Convert all records of a source; returns whether none had an error, nor, when strict, any loss.

    Errors are reported on standard error, and unless the job is quiet its progress and a summary. A record with an
    error is converted as far as it could be read; with `strict` nothing is written then, nor after a loss, and never if
    no record could be converted. A target file or folder appears whole or not at all. With `resume` progress is saved
    next to it until the end, and the work of an earlier run is not repeated. Raises `WrongTargetError` if the target
    does not fit, before anything is read, and if one file would get several records;
    `wei7core.batch.checkpoint.ResumeError`; and `OSError`.
    """
    _check(job)
    run = _Run(job)
    try:
        with ExitStack() as stack:
            # Entered first, so that progress is removed only after the files are complete.
            kept = stack.enter_context(_kept(job))
            rows = stack.enter_context(write_table(job.losses, LOSS_COLUMNS)) if job.losses else None
            try:
                with _target(job) as write:
                    for converted in run.converted(kept, is_joined=not (_is_folder(job.target) or _takes_one(job))):
                        if rows is not None:
                            rows.write(converted.losses)
                        if converted.data is not None and not (job.strict and run.failed):
                            write(converted.origin, converted.data)
                    if run.is_abandoned:
                        raise _AbandonedError
            except _AbandonedError:
                pass  # the list of losses is written nevertheless
    finally:
        run.wipe()
    report([run.summary()], quiet=job.quiet)
    return not run.failed


class _Run:
    """Converts records one by one and counts them."""

    def __init__(self, job: ConversionJob) -> None:
        self._job = job
        self._sources = Sources(job.source)
        self._tally = Tally()
        self._guesses = Guesses()
        self._lost: Counter[str] = Counter()  # by code
        self._written = 0
        self._refused = 0  # without an error of their own, refused by the target format
        self.failed = False
        wanted = not job.quiet and (job.target != STDIN or not sys.stdout.isatty())
        self._progress = Progress(self._tally, sys.stderr, wanted=wanted, reading=self._sources)

    @property
    def is_abandoned(self) -> bool:
        """Whether an existing target must stay: an empty file is no record."""
        return self.failed and (self._job.strict or not self._written)

    def converted(self, kept: Checkpoint | None, *, is_joined: bool) -> Iterator[_Converted]:
        """Yield the result for each record, the `kept` ones first; report the problems of the others.

        With `is_joined` records that come one after the other may be one text.
        """
        part: list[_Converted] = []
        size = 0
        for stored in kept or ():
            yield from self._restored(stored)
        for outcome in outcomes(self._sources, self._tally.records, self._job.format, self._job.options):
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
            raise WrongTargetError(f"{self._job.source}: no records found")

    def _joined(self, run: PlainRun) -> _Converted:
        """All records of a run as one text, each ended by a line feed."""
        self._count_run(run)
        separator = b"" if run.data[0].endswith(b"\n") else b"\n"  # all are of one format
        rows = [row for index in range(len(run.data)) for row in self._plain_rows(run, index)]
        return _Converted(run.origin(0), separator.join([*run.data, b""]), rows)

    def _plain(self, run: PlainRun) -> Iterator[_Converted]:
        self._count_run(run)
        for index, data in enumerate(run.data):
            yield _Converted(run.origin(index), data, self._plain_rows(run, index))

    def _plain_rows(self, run: PlainRun, index: int) -> list[LossRow]:
        """The losses of a record of a run, where they are written."""
        if not self._job.losses:
            return []
        origin = run.origin(index)
        return _rows(origin.source, origin.record, moved_losses(run.moved[index]))

    def _count_run(self, run: PlainRun) -> None:
        self._tally.count(len(run.data), run.moves, {}, {})
        self._progress.step()
        self._written += len(run.data)
        for moved, times in Counter(run.moved).items():
            for code, count in count_by_code(moved_losses(moved)).items():
                self._lost[code] += count * times
                self.failed |= self._job.strict

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
            "records": [(one.origin, one.data and one.data.decode("latin-1"), one.losses) for one in part],
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
            self.failed = True
            problem = next((one for one in outcome.problems if one.code == error and one.severity == ERROR), None)
            self._tell(finding_line(outcome.label, problem or outcome.problems[-1]))
        if outcome.record is None or not len(outcome.record.trees) or error == "game-not-go":
            return None, []
        try:
            limits = self._job.options.limits
            data, losses = encode_record(outcome.record, self._job.format, outcome.problems, limits)
            problems = self._guesses.doubted(outcome.row.source, outcome.record.encoding, tuple(outcome.problems))
            return data, reading_losses(problems) + losses
        except (Wei7Error, ValueError) as refusal:
            self.failed = True
            self._refused += error is None
            self._tell(f"{outcome.label}: error: {refusal}")
            return None, []

    def _count(self, losses: list[Loss]) -> None:
        if losses and self._job.strict:
            self.failed = True
        self._lost += count_by_code(losses)

    def _tell(self, line: str) -> None:
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


def _kept(job: ConversionJob) -> AbstractContextManager[Checkpoint | None]:
    asked: dict[str, Any] = {name: value for name, value in asdict(job.options).items() if name != "limits"}
    options = {"command": "convert", "to": job.format, **asked}
    return open_checkpoint(job.target, options if job.resume else None, [job.source])


# --- targets -------------------------------------------------------------------


def _is_folder(target: str) -> bool:
    """An existing folder, or a new name that ends in a slash or has no suffix."""
    if os.path.exists(target):
        return os.path.isdir(target)
    return bool(target) and (target.endswith(("/", os.sep)) or not os.path.splitext(target)[1])


def _check(job: ConversionJob) -> None:
    target = TARGETS[job.format]
    if job.resume and (job.target == STDIN or is_special(job.target)):
        raise WrongTargetError("--resume requires a file or a folder as TARGET")
    if job.target == STDIN:
        return
    if job.losses and os.path.realpath(job.losses) == os.path.realpath(job.target):
        raise WrongTargetError(f"{job.losses}: this file is already used for something else")
    if job.source != STDIN and os.path.realpath(job.source) == os.path.realpath(job.target):
        raise WrongTargetError(f"{job.target}: TARGET is also SOURCE")
    if _is_folder(job.target) and lies_in(job.source, job.target):
        raise WrongTargetError(f"{job.target}: this folder is inside the source folder; write outside it")
    if _is_folder(job.target) or is_special(job.target):
        return
    if not os.path.basename(job.target):
        allowed = " or ".join(target.suffixes)
        raise WrongTargetError(f"{job.target}: unsupported suffix for {job.format}; use {allowed}, or a folder")
    if lies_in(job.source, job.target) and os.path.exists(job.target):
        raise WrongTargetError(f"{job.target}: this file is one of the inputs; write outside their folder")


@contextmanager
def _target(job: ConversionJob) -> Iterator[Write]:
    """Open the target; yields the function that writes one record."""
    if job.target == STDIN:
        with _standard_output(job) as file:
            yield _into(file, TARGETS[job.format], one=_takes_one(job), as_text=True)
    elif _is_folder(job.target):
        with _folder(job) as write:
            yield write
    else:
        with write_whole(job.target) as file:
            yield _into(file, TARGETS[job.format], one=_takes_one(job), name=job.target)


def _takes_one(job: ConversionJob) -> bool:
    """Whether the target, which is no folder, can hold one record alone."""
    target = TARGETS[job.format]
    if job.target == STDIN:
        return not target.suffix_of_many
    suffix = os.path.splitext(job.target)[1].lower()
    # A file with another suffix, which --to allows, may have as many records as the format allows.
    return not target.suffix_of_many or suffix == target.suffix != target.suffix_of_many


def _into(file: TextIO, target: Target, *, one: bool, name: str = STDIN, as_text: bool = False) -> Write:
    """Writes records one after the other; each ends in a line feed if the format allows several.

    With `as_text` characters are written, in the encoding of the file.
    """
    written = 0
    places = "a folder" if not target.suffix_of_many else f"a {target.suffix_of_many} file or a folder"

    def write(_origin: Origin, data: bytes) -> None:
        nonlocal written
        if one and written:
            raise WrongTargetError(f"{name}: the source has more than one record; write them to {places}")
        written += 1
        if not one and not data.endswith(b"\n"):
            data += b"\n"
        if as_text:
            file.write(decoded(data))
        else:
            file.buffer.write(data)

    return write


@contextmanager
def _standard_output(job: ConversionJob) -> Iterator[TextIO]:
    """Standard output; with `strict` through a temporary file, as a loss forbids any output."""
    stdout = stdout_for("jsonl")
    if not job.strict:
        yield stdout
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as file:
        yield file
        file.seek(0)
        shutil.copyfileobj(file, stdout)


@contextmanager
def _folder(job: ConversionJob) -> Iterator[Write]:
    """A folder with one file a record; the files are moved there when all are written."""
    target = os.path.realpath(job.target)
    is_new = not os.path.isdir(target)
    parent = os.path.dirname(target) if is_new else target
    staging = ""
    lock: int | None = None
    names: list[str] = []
    file_names = FileNames(job.source, TARGETS[job.format].suffix)

    def write(origin: Origin, data: bytes) -> None:
        name = file_names.name(origin)
        path = os.path.join(staging, name)
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)
        names.append(name)

    try:
        with InterruptsLater():
            staging, lock = new_folder(target, parent)
        yield write
        if is_new:
            os.rename(staging, target)
        else:
            for name in names:
                if os.path.dirname(name):
                    os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
                os.replace(os.path.join(staging, name), os.path.join(target, name))
            shutil.rmtree(staging)  # only of empty folders
    except BaseException as error:
        if staging:
            shutil.rmtree(staging, ignore_errors=True)
        elif isinstance(error, OSError):
            error.filename = job.target
        raise
    finally:
        if lock is not None:
            os.close(lock)
