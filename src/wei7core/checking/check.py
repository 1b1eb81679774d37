"""`check`: records in, findings out, in the order of the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice
from mmap import mmap
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from .._util.ordered_map import ordered_map
from .._util.prefetch import Prefetcher
from .._util.words import counted, counts_text
from ..batch._engine import EngineResult
from ..batch.options import Options, refuse_wrong
from ..batch.resume import Checkpoint
from ..batch.run import ResumePoint, Task, items_of, readable, tasks_of
from ..formats.registry import FirstRow
from ..limits import DEFAULT_LIMITS, Limits
from ..rules import Rules, named
from ..sources.chunks import Chunk, RawRecord
from ..sources.sources import Input, Sources
from .codes import BETWEEN_CODES
from .finding import Finding
from .findings_codec import FinishedPart, PartKeeper, read_part
from .replayed import replayed
from .selection import Selection

if TYPE_CHECKING:
    from .duplicates import BetweenGames
    from .game_rows import GameRows
    from .prescreen import BatchChecker

_AHEAD_BYTES: Final = 1 << 24  # text of prefetched groups
_MOST_LISTED: Final = 4096  # findings between games
_CODE: Final = itemgetter(Finding._fields.index("code"))
_RECORD: Final = itemgetter(Finding._fields.index("source"), Finding._fields.index("record"))


class _Made(NamedTuple):
    """The result of a group of records."""

    records: int
    findings: list[Finding]
    games: list[GameRows]


class Check(Iterator[Finding]):
    """The findings of many records, in input order, while they are read; those between games come last.

    `records`: number checked so far; `shown`: findings so far, by code; `offending`: records with a finding of their
    own so far; `sources`: the input. For one thread at a time.
    """

    def __init__(
        self,
        sources: Sources,
        rules: Rules | None,
        selection: Selection,
        options: Options,
        jobs: int,
        progress: Callable[[Check], object] | None,
        max_memory: int,
    ) -> None:
        self.sources = sources
        self.records = 0
        self.offending = 0
        self.shown: Counter[str] = Counter()
        self._rules = rules
        self._selection = selection
        self._options = options
        self._jobs = jobs
        self._progress = progress
        self._max_memory = max_memory
        self._compared = [code for code in BETWEEN_CODES if selection.wants(code)]
        self._between: BetweenGames | None = None
        self._kept: Checkpoint | None = None
        self._prefetches = False
        self._lists = self._run()
        self._found = self._one_by_one()

    def prefetch(self) -> None:
        """Read and replay in a thread of its own, some megabytes in advance; call it before the first finding is taken.

        Only for `jobs` of 1, and for sources of which none may block forever.
        """
        self._prefetches = True

    def keep_in(self, kept: Checkpoint) -> None:
        """Resume from the checkpoint `kept`, and save finished parts to it; call it before the first finding is taken.

        The checkpoint must come from a check of the same inputs with the same options. Findings are the same; taking
        one may then raise `wei7core.batch.resume.ResumeError`, and `OSError`.
        """
        self._kept = kept

    def __next__(self) -> Finding:
        return next(self._found)

    def lists(self) -> Iterator[list[Finding]]:
        """Yield the findings in lists, if none was taken yet; those of a list count as taken when it is."""
        last = None
        for findings in self._lists:
            self.shown.update(map(_CODE, findings))
            if findings[0].code not in BETWEEN_CODES:
                records = [record for record, _ in groupby(findings, _RECORD)]
                self.offending += len(records) - (records[0] == last)
                last = records[-1]
            yield findings

    def close(self) -> None:
        """Stop reading and yield no more findings."""
        self._found.close()
        self._lists.close()

    def __repr__(self) -> str:
        found = f"{counted(self.shown.total(), 'finding')} ({counts_text(self.shown)})" if self.shown else "no finding"
        return f"<Check: {counted(self.records, 'record')} checked so far, {self.offending:,} with findings, {found}>"

    def _screen(self) -> BatchChecker:
        from .prescreen import BatchChecker

        return BatchChecker(self._rules, self._selection, self._options)

    def _compare(self, rows: GameRows) -> None:
        if self._between is None:
            from .duplicates import BetweenGames

            self._between = BetweenGames(codes=self._compared, max_memory=self._max_memory)
        rows.add_to(self._between)

    def _one_by_one(self) -> Generator[Finding, None, None]:
        last = None
        for findings in self._lists:
            is_own = findings[0].code not in BETWEEN_CODES
            for finding in findings:
                self.shown[finding.code] += 1
                if is_own:
                    record = _RECORD(finding)
                    self.offending += last != record
                    last = record
                yield finding

    def _run(self) -> Generator[list[Finding], None, None]:
        """Yield findings in lists, none of them empty: those of records, then those between games."""
        try:
            yield from filter(None, self._of_records())
            if self._between is not None:
                between = filter(self._selection.shows, self._between.findings())
                while some := list(islice(between, _MOST_LISTED)):
                    yield some
        finally:
            if self._between is not None:
                self._between.close()

    def _of_records(self) -> Iterator[list[Finding]]:
        place = ResumePoint()
        for data in self._kept or ():
            part = read_part(data)
            place = part.place
            yield from self._taken(part)
        keeper = None if self._kept is None else PartKeeper(self._kept)
        for part, size in self._judged_after(place):
            yield from self._taken(part)
            if keeper is not None:
                keeper.add(part, size)
        if keeper is not None:
            keeper.close()

    def _taken(self, part: FinishedPart) -> Iterator[list[Finding]]:
        self.records += part.records
        yield part.findings
        for rows in part.games:
            self._compare(rows)
        if self._progress is not None:
            self._progress(self)

    def _judged_after(self, place: ResumePoint) -> Iterator[tuple[FinishedPart, int]]:
        """Yield each checked group of records after a place, with the size of its text in bytes."""
        groups = islice(tasks_of(self.sources.pieces(), self._options, None), place.tasks, None)
        done, number = place
        with closing(self._judged_groups(groups)) as judged:
            for group, made in judged:
                done += 1
                first = 0  # the number in its file of the first record of a range of lines
                if group.lines is not None:
                    first = number if group.lines.begin else 0
                    number = first + made.records
                findings = made.findings
                if first:
                    findings = [finding._replace(record=finding.record + first) for finding in findings]
                games = [rows.renumbered(first) for rows in made.games]
                yield FinishedPart(ResumePoint(done, number), made.records, findings, games), group.size

    def _judged_groups(self, groups: Iterator[Task]) -> Generator[tuple[Task, _Made], None, None]:
        if not self._prefetches or self._jobs > 1:
            screen = self._screen()
            yield from ordered_map(lambda group: self._judge(screen, self._replayed(group)), groups, self._jobs)
            return
        pieces_of = ((group, list(self._replayed(group))) for group in groups)
        with closing(Prefetcher(pieces_of, _AHEAD_BYTES, lambda made: made[0].size)) as prefetched:
            screen = self._screen()  # loads the modules that judge, while the first records are replayed
            for group, pieces in prefetched:
                yield group, self._judge(screen, pieces)

    def _replayed(self, group: Task) -> Iterator[RawRecord | tuple[Chunk, int, EngineResult]]:
        """Yield the records of a group, those of chunks as pieces with the number of their first record."""
        for item in items_of(group):
            if isinstance(item, RawRecord):
                yield item
                continue
            block, begin, end = item
            for first, piece in replayed(block, begin, end, self._options):
                yield block, first, piece

    def _judge(self, screen: BatchChecker, pieces: Iterable[RawRecord | tuple[Chunk, int, EngineResult]]) -> _Made:
        from .game_rows import rows_of_block, rows_of_text

        records = 0
        found: list[Finding] = []
        games: list[GameRows] = []
        for item in pieces:
            if isinstance(item, RawRecord):
                record = screen.judged(item)
                records += 1
                found += record.findings
                if self._compared:
                    games.append(rows_of_text(item, record))
                continue
            block, first, piece = item
            screened = screen.screened_piece(block, first, piece)
            found += screened.findings
            if self._compared:
                games.append(rows_of_block(block, first, piece, screened.judged, screened.not_compared))
            records += len(piece.rows)
        return _Made(records, found, games)


def check(
    inputs: Input | mmap | Iterable[Input | mmap],
    *,
    rules: Rules | str | None = None,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    severity: str = "warning",
    jobs: int = 1,
    progress: Callable[[Check], object] | None = None,
    revision: int = 7,
    limits: Limits = DEFAULT_LIMITS,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    max_memory: int = 1 << 30,
) -> Check:
    """Check all records of `inputs` and return an iterator over the findings, in input order.

    Each record is replayed permissively, on every branch, and then checked by `rules` (a `wei7core.rules.Rules`, or the
    name of one); None selects the rules that the record names. Without known rules no move is forbidden, but the colors
    should alternate. `inputs`, `jobs`, `revision`, `limits`, `encoding` and `first_row` are those of `wei7core.replay`.

    `select` and `ignore` name codes, groups of codes or beginnings of codes (`wei7core.checking.codes.CODES`);
    `severity` is the lowest that is reported: `info`, `warning` or `error`. A code named in `select` is reported
    whatever its severity.

    Games are compared with each other after all have been read. That takes some 130 bytes a game; beyond `max_memory`
    bytes in total the comparison continues in temporary files, with the same findings. If no code between games is
    selected, nothing is stored for a record.

    `progress` is called repeatedly with the returned `Check`, which counts records and findings. Nothing is printed.

    No record raises an exception: unreadable ones are findings. Raises `ValueError` for unknown rules, codes,
    severities, revisions, first rows and encodings, and for an invalid `jobs`. Thread safety: any number of threads may
    call it; an iterator is for one thread at a time.
    """
    options = Options(revision=revision, limits=limits, encoding=encoding, first_row=first_row)
    refuse_wrong(options, jobs)
    selection = Selection.of(select, ignore, severity)
    judged_by = None if rules is None else named(rules)
    return Check(Sources(readable(inputs), limits=limits), judged_by, selection, options, jobs, progress, max_memory)
