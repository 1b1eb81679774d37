"""Records of a chunk after their replay in C, with all their problems; deferred ones are replayed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from .._util.lazy_numpy import np
from .._util.ordered_map import ordered_map
from ..errors import PROBLEM_CODES, Problem, ProblemFields, fields_of
from ..sources.chunks import Chunk, RawRecord, Run
from ..sources.sources import Sources
from ._engine import FOUND, EngineResult, failure_type
from .assemble import ReplayedChunk, SingleRow, alone, chunk_positions, position_table
from .failures import problems_of
from .options import COUNTED, Options, refuse_wrong
from .run import Task, engine_results, in_utf8_of, tasks_of
from .single_records import ReplayedRecord, positions_of_record, replay_raw_record

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..tables.table import Table

_Made = TypeVar("_Made")

Counts: TypeAlias = tuple[int, int, Counter[str], Counter[tuple[str, str]]]
"""Records, moves, errors of rows by code, and problems by severity and code."""

_NO_PLACE: Final = tuple(kind for kind, name in FOUND.items() if name in ("no-board", "too-long"))


class ExaminedRecords:
    """Consecutive records after their replay: record k of `result` is number `first` + k of a chunk.

    Records marked in `is_single` are replayed individually, by `outcome`; the problems of all others are described on
    demand. Thread safety: one thread at a time.
    """

    def __init__(self, chunk: Chunk | RawRecord, first: int, result: EngineResult, options: Options) -> None:
        self.result = result
        self.options = options
        self.first = first
        self._chunk = chunk
        rows = np.empty(0, failure_type()) if result.failures is None else result.failures[0]
        texts = rows["text"]
        is_single = result.rows["is_deferred"] | (np.bincount(texts, minlength=len(self)) != result.rows["problems"])
        if len(rows):
            is_single[texts[np.isin(rows["kind"], _NO_PLACE)]] = True
        self.is_single: npt.NDArray[np.bool_] = is_single
        self.rows: npt.NDArray[np.void] = rows[~is_single[texts]]
        """The problems of the other records as rows of `failure_type`, record by record."""
        self._bounds = np.searchsorted(self.rows["text"], np.arange(len(self) + 1)).tolist()
        self._outcomes: dict[int, ReplayedRecord] = {}

    def __len__(self) -> int:
        return self.result.records

    def text(self, place: int) -> RawRecord:
        """Return the text of a record."""
        return self._chunk if isinstance(self._chunk, RawRecord) else self._chunk.text(self.first + place)

    def outcome(self, place: int) -> ReplayedRecord:
        """Replay a record individually, at most once."""
        outcome = self._outcomes.get(place)
        if outcome is None:
            outcome = self._outcomes[place] = replay_raw_record(self.text(place), self.options)
        return outcome

    @cached_property
    def runs(self) -> list[Run]:
        """The sources of the records."""
        if isinstance(self._chunk, RawRecord):
            return [Run(self._chunk.source, 1, self._chunk.record, self._chunk.one_of_many)]
        return self._chunk.runs_of(self.first, self.first + len(self))

    @cached_property
    def sources(self) -> list[str]:
        """The source of each record."""
        return [run.source for run in self.runs for _ in range(run.records)]

    def run_of(self, place: int) -> Run:
        """Return a record as a run of one."""
        if isinstance(self._chunk, RawRecord):
            return self.runs[0]
        (run,) = self._chunk.runs_of(self.first + place, self.first + place + 1)
        return run

    def data(self, place: int) -> bytes:
        """Return the bytes of a record of a chunk."""
        chunk, number = self._chunk, self.first + place
        assert isinstance(chunk, Chunk)
        return bytes(memoryview(chunk.data)[int(chunk.begins[number]) : int(chunk.ends[number])])

    def labels(self) -> Iterator[str]:
        """Yield the label of each record, as `ReplayedRecord.label`."""
        for run in self.runs:
            for number in range(run.first, run.first + run.records):
                yield f"{run.source}#{number}" if run.one_of_many else run.source

    def problem_rows(self, place: int) -> npt.NDArray[np.void]:
        """Return the problems of a record that is not replayed by itself, as rows."""
        return self.rows[self._bounds[place] : self._bounds[place + 1]]

    def described(self, rows: npt.NDArray[np.void]) -> Iterator[tuple[int, list[ProblemFields]]]:
        """Yield the problems of some of `rows`, in their order, by the places of the records."""
        if len(rows):
            assert isinstance(self._chunk, Chunk)
            found = problems_of(self._chunk, self.first, self.result.rows, rows, self.options)
            yield from ((place, problems) for place, _, _, problems in found)

    def problems(self, place: int) -> tuple[Problem, ...]:
        """Return all problems of a record."""
        if self.is_single[place]:
            return self.outcome(place).problems
        return tuple(Problem(*one) for _, some in self.described(self.problem_rows(place)) for one in some)

    def all_problems(self) -> Iterator[tuple[int, ProblemFields]]:
        """Yield all problems of the records with the place of each."""
        described = self.described(self.rows)
        for place in np.flatnonzero(self.is_single | (self.result.rows["problems"] > 0)).tolist():
            single = self.is_single[place]
            for problem in map(fields_of, self.outcome(place).problems) if single else next(described)[1]:
                yield place, problem

    def single_places(self) -> list[int]:
        """Return the places of the records replayed individually."""
        places: list[int] = np.flatnonzero(self.is_single).tolist()
        return places

    @cached_property
    def ids(self) -> list[str | None]:
        """The names of the records; None for those replayed individually."""
        return ids_of(self.result, np.arange(len(self)))

    def figures(self, begin: int, end: int) -> tuple[int, Counter[tuple[str, str]]]:
        """Return the numbers of moves and the problems of records, none of which is replayed individually."""
        moves = int(self.result.rows["moves"][begin:end].sum())
        return moves, _problems(self.rows["code"][self._bounds[begin] : self._bounds[end]])

    def counts(self) -> Counts:
        """Return the counts of the records."""
        moves = int(self.result.rows["moves"][~self.is_single].sum())
        found = _problems(self.rows["code"])
        failed = _problems(self.rows["code"][self.rows["is_error"]])
        errors = Counter({code: count for (_, code), count in failed.items()})
        for place in self.single_places():
            outcome = self.outcome(place)
            moves += outcome.row.moves
            if outcome.row.error is not None:
                errors[outcome.row.error] += 1
            found.update((problem.severity, problem.code) for problem in outcome.problems)
        return len(self), moves, errors, found

    def positions(self) -> Table:
        """Return the table of positions of the records, which `options` must request."""
        deferred = np.flatnonzero(self.result.rows["is_deferred"]).tolist()
        outcomes = {place: self.outcome(place) for place in deferred}
        singles = {
            place: SingleRow(outcome.row, (), positions_of_record(outcome, self.options))
            for place, outcome in outcomes.items()
        }
        chunk = ReplayedChunk(self.runs, "", self.first, self.result, singles)
        return position_table(list(chunk_positions(chunk, self.result)))


def _problems(codes: npt.NDArray[np.uint16]) -> Counter[tuple[str, str]]:
    """The number of problems with these codes, by severity and code."""
    if not len(codes):
        return Counter()
    counts = np.bincount(codes)
    numbers = np.flatnonzero(counts)
    kinds = [PROBLEM_CODES[number] for number in numbers.tolist()]
    return Counter(dict(zip([(kind.severity, kind.name) for kind in kinds], counts[numbers].tolist(), strict=True)))


def examine(sources: Sources, options: Options, jobs: int, make: Callable[[ExaminedRecords], _Made]) -> Iterator[_Made]:
    """Replay the records of `sources` and yield what `make` returns for consecutive ones, in order.

    `jobs` threads share the work, `make` included. Memory does not grow with the number of records. Raises `ValueError`
    as `replay` does. An iterator is for one thread at a time.
    """
    refuse_wrong(options, jobs)
    tasks = tasks_of(sources.blocks(), options, None)
    for _, made in ordered_map(partial(_examine_task, options=options, make=make), tasks, jobs):
        yield from made


def _examine_task(task: Task, options: Options, make: Callable[[ExaminedRecords], _Made]) -> list[_Made]:
    in_utf8 = partial(in_utf8_of, options=options)
    return [
        make(records)
        for item in task.items
        for records in (
            [ExaminedRecords(item, 0, alone(), options)]
            if isinstance(item, RawRecord)
            else examine_chunk(*item, options, board=options.board, positions=options.positions, in_utf8=in_utf8)
        )
    ]


def examine_chunk(chunk: Chunk, begin: int, end: int, options: Options, **columns: Any) -> Iterator[ExaminedRecords]:
    """Replay records `begin` up to `end` of a chunk; `columns` are further arguments of `replay_block`."""
    columns = {"counted": COUNTED} | columns
    columns |= {"canonical": options.canonical, "problems": True, "strict": options.strict}
    for first, result in engine_results(chunk, begin, end, options, **columns):
        yield ExaminedRecords(chunk, first, result, options)


def ids_of(piece: EngineResult, places: npt.NDArray[np.int64]) -> list[str | None]:
    """Return the names of records of `piece`, by their places."""
    sizes = piece.rows["id_size"]
    ends = np.cumsum(np.maximum(sizes, 0))[places]
    of_places = zip(sizes[places].tolist(), ends.tolist(), strict=True)
    if piece.ids.isascii():
        ids = piece.ids.decode("ascii")
        return [None if size < 0 else ids[end - size : end] for size, end in of_places]
    parts = (None if size < 0 else piece.ids[end - size : end] for size, end in of_places)
    return [part if part is None else part.decode("utf-8", "surrogatepass") for part in parts]
