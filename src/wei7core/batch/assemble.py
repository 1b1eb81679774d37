"""Assembles the columns of a batch in input order from rows of the engine and of single records."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .._util.lazy_numpy import np
from ..errors import PROBLEM_CODES
from ..sources.chunks import Run, numbers_of, owners_of
from ..tables.columns import Boards, ColumnData, Numbers, Texts, joined_columns
from ..tables.packed_boards import packed_size
from ..tables.table import Table
from ._engine import EngineResult, LinesResult, TextList, replay_block, row_columns
from .failures import Failures
from .results import ReplayRow, Results, position_row, positions_columns, replay_columns, replay_row

if TYPE_CHECKING:
    import numpy.typing as npt

    from .metadata import Metadata

__all__ = [
    "Positions",
    "ReplayedChunk",
    "SingleRow",
    "alone",
    "chunk_positions",
    "columns_of",
    "position_table",
]

Array: TypeAlias = "npt.NDArray[Any]"
Positions: TypeAlias = "dict[str, Array]"
"""The positions of an `EngineResult`."""

_FIGURES: Final = ("moves", "passes", "takebacks", "suicides", "ko_recaptures", "black_captured", "white_captured")
_NO_SIZE: Final = -1
LACKS_GAME: Final = 2  # W7_BULK_LACKS_GAME of batch/engine_state.h; less: only the figures of the board are missing


@functools.cache
def alone() -> EngineResult:
    """The result of one record that is deferred."""
    place = np.zeros(1, np.int64)
    return replay_block(b"", place, place, None)


@dataclass(frozen=True, slots=True)
class SingleRow:
    """A record replayed by itself: its row, its problems as (severity, code), and its positions, if requested.

    `metadata` is None if it was not requested, or the header could not be read.
    """

    row: ReplayRow
    problems: tuple[tuple[str, str], ...]
    positions: Positions | None = None
    metadata: Metadata | None = None

    def renumbered(self, number: int) -> SingleRow:
        """Return the record with its number in the source increased by `number`."""
        return replace(self, row=self.row._replace(record=self.row.record + number))


@dataclass(frozen=True, slots=True)
class ReplayedChunk:
    """Consecutive records of a chunk after their replay: record k of `result` is number `begin` + k of the chunk.

    `runs` are their sources. `singles` has, by their places in the result, the records that were replayed by
    themselves; `failures` are the errors of the others, if any, and `headers`, by their places, metadata of those
    that are decoded in Python.
    """

    runs: Sequence[Run]
    format: str
    begin: int
    result: EngineResult | LinesResult
    singles: dict[int, SingleRow]
    failures: Failures | None = None
    headers: Mapping[int, Metadata] = field(default_factory=dict)

    @classmethod
    def alone(cls, record: SingleRow) -> ReplayedChunk:
        """Return a chunk of one record that was replayed by itself."""
        return cls([Run(record.row.source, 1, record.row.record, False)], "", 0, alone(), {0: record})

    def __len__(self) -> int:
        return self.result.records

    def renumbered(self, number: int) -> ReplayedChunk:
        """Return the chunk with the numbers of its records in their source increased by `number`."""
        if number == 0:
            return self
        singles = {place: record.renumbered(number) for place, record in self.singles.items()}
        return replace(self, runs=[run._replace(first=run.first + number) for run in self.runs], singles=singles)

    @property
    def held(self) -> int:
        """Approximate memory in bytes."""
        made = [record.positions for record in self.singles.values() if record.positions is not None]
        size = sum(array.nbytes for positions in made for array in positions.values())
        return size + self.result.nbytes + (0 if self.failures is None else self.failures.nbytes)


def columns_of(
    chunks: Sequence[ReplayedChunk], *, board: bool, positions: bool, metadata: bool = False, canonical: bool = False
) -> Results:
    """Return the rows of all `chunks`, in order."""
    rows = row_columns([chunk.result for chunk in chunks])
    runs = [run for chunk in chunks for run in chunk.runs]
    results = [chunk.result.arrays() for chunk in chunks]
    deferred = rows["is_deferred"]
    count = len(deferred)
    places = np.flatnonzero(deferred)
    others = [chunk.singles[place] for chunk in chunks for place in sorted(chunk.singles)]
    found = [other.row for other in others]
    data: dict[str, ColumnData] = {
        "source": _late_runs([run[:2] for run in runs]),
        "record": Numbers.late(count, functools.partial(_numbered, runs)),
    }
    ids = b"".join([result.ids for result in results])
    has_all = not rows["lacks"].any()
    no_board = None if has_all else np.flatnonzero(rows["lacks"])
    no_game = None if has_all else np.flatnonzero(rows["lacks"] >= LACKS_GAME)
    texts = {
        "id": Texts.late(count, functools.partial(Texts.sized, rows["id_size"], ids)),
        "format": _formats(chunks, no_game),
    }
    if board:
        areas = rows["width"] * rows["height"]
        letters = b"".join([result.letters or b"" for result in results])
        texts["board"] = Texts.sized(np.where(deferred | (rows["lacks"] > 0), _NO_SIZE, areas), letters)
    nothing = _late_runs([(None, count)])
    failures, failed = _failing(chunks)
    errors = _error_codes(failures, failed, count) if failures else nothing
    texts |= {"error": errors, "error_path": nothing, "error_message": nothing}
    for name, column in texts.items():
        data[name] = column.replaced(places, [getattr(row, name) for row in found]) if found else column
    for name in ("width", "height"):
        data[name] = _numbers(rows[name], name, places, found, no_game)
    for name in (*_FIGURES, "problems"):
        data[name] = _numbers(rows[name], name, places, found)
    for name in ("hash", "canonical_hash"):
        data[name] = _numbers(rows[name], name, places, found, no_board)
    data["error_offset"] = Numbers.late(count, functools.partial(_missing, count, "error_offset", places, found))
    if failures:
        _put_errors(data, failures, failed)
    if metadata:
        from .metadata import metadata_columns

        headers = _python_headers(chunks) | dict(zip(places.tolist(), [one.metadata for one in others], strict=True))
        known = sorted(headers)
        formats = [chunk.format for chunk in chunks]
        data |= metadata_columns(results, formats, np.array(known, np.int64), [headers[place] for place in known])
    listed = None
    if positions:
        tables = [table for some in zip(chunks, results, strict=True) for table in chunk_positions(*some)]
        listed = position_table(tables, canonical)
        if canonical and metadata:
            from .position_facts import with_facts

            listed = with_facts(listed, _owners(chunks, results), data["winner"])
    return Results(
        Table(replay_columns(board, metadata), data, replay_row(metadata)),
        positions=listed,
        problems=_problem_counts(others, results),
    )


def _python_headers(chunks: Sequence[ReplayedChunk]) -> dict[int, Metadata | None]:
    """The headers that are decoded in Python, by the places of their records among all."""
    begins = np.cumsum([0, *map(len, chunks)]).tolist()
    return {
        begin + place: header
        for begin, chunk in zip(begins, chunks, strict=False)
        for place, header in chunk.headers.items()
    }


def _problem_counts(others: Sequence[SingleRow], results: Sequence[EngineResult]) -> Counter[tuple[str, str]]:
    """The number of problems by severity and code."""
    problems: Counter[tuple[str, str]] = Counter()
    for other in others:
        problems.update(other.problems)
    for result in results:
        if result.counts:
            counts = np.frombuffer(result.counts, np.int64)
            for number in np.flatnonzero(counts).tolist():
                problems[PROBLEM_CODES[number].severity, PROBLEM_CODES[number].name] += int(counts[number])
    return problems


def _failing(chunks: Sequence[ReplayedChunk]) -> tuple[list[Failures], Array]:
    """The errors of records replayed in C, and the places of these records among all."""
    failures, places, begin = [], [], 0
    for chunk in chunks:
        if chunk.failures is not None:
            failures.append(chunk.failures)
            places.append(begin + chunk.failures.rows["text"])
        begin += len(chunk)
    return failures, _joined(places, np.int64)


@functools.cache
def _names_of_codes() -> Texts:
    return Texts.of([code.name for code in PROBLEM_CODES])


def _error_codes(failures: Sequence[Failures], places: Array, count: int) -> Texts:
    """The names of the errors of records replayed in C."""
    codes = np.full(count, -1, np.int32)
    codes[places] = np.concatenate([some.rows["code"] for some in failures])
    names = _names_of_codes()
    offsets, data, valid = TextList(names.data, names.offsets[1:].astype(np.int64), bytes(len(names))).taken(codes)
    return Texts(offsets, data, None if valid.all() else valid)


def _put_errors(data: dict[str, ColumnData], failures: Sequence[Failures], places: Array) -> None:
    """Put the places of errors of records replayed in C into their columns; paths and messages are made when read."""
    offsets = data["error_offset"]
    assert isinstance(offsets, Numbers)
    numbers, valid = offsets.values.copy(), np.zeros(len(offsets), bool)
    valid |= True if offsets.valid is None else offsets.valid
    numbers[places], valid[places] = np.concatenate([some.offsets for some in failures]), True
    data["error_offset"] = Numbers(numbers, None if valid.all() else valid)
    for number, name in enumerate(("error_path", "error_message")):
        column = data[name]
        assert isinstance(column, Texts)
        data[name] = Texts.late(len(column), functools.partial(_with_words, column, places, failures, number))


def _with_words(column: Texts, places: Array, failures: Sequence[Failures], number: int) -> Texts:
    words = chain.from_iterable(some.words()[number] for some in failures)
    return column.replaced(places, list(words))


def position_table(tables: Sequence[Mapping[str, ColumnData]], canonical: bool = False) -> Table:
    """Concatenate tables of positions."""
    columns, row = positions_columns(canonical), position_row(canonical)
    if tables:
        return Table(columns, joined_columns(tables), row)
    data: dict[str, ColumnData] = {column.name: column.of([]) for column in columns[:-1]}
    return Table(columns, data | {columns[-1].name: Boards.of([], [], [])}, row)


def _joined(arrays: Sequence[Array], dtype: type) -> Array:
    return np.concatenate([np.zeros(0, dtype), *arrays])


def _late_runs(runs: Sequence[tuple[str | None, int]]) -> Texts:
    """`Texts.runs`, made on demand."""
    return Texts.late(sum(count for _, count in runs), functools.partial(Texts.runs, runs))


def _formats(chunks: Sequence[ReplayedChunk], no_game: Array | None) -> Texts:
    """The formats of the records; absent for a record without a game."""
    column = _late_runs([(chunk.format, len(chunk)) for chunk in chunks])
    if no_game is None or not len(no_game):
        return column
    return column.replaced(no_game, [None] * len(no_game))


def _numbers(
    values: Array, name: str, places: Array, found: Sequence[ReplayRow], missing: Array | None = None
) -> Numbers:
    """A column of figures: those of the engine, none at the places `missing`, and of `found` at `places`."""
    if not found and (missing is None or not len(missing)):
        return Numbers(values) if len(values) else Numbers(values, np.zeros(0, bool))
    valid = np.ones(len(values), bool)
    if missing is not None:
        _put(values, valid, [None] * len(missing), missing)
    _put(values, valid, [getattr(row, name) for row in found], places)
    return Numbers(values, None if valid.all() else valid)


def _missing(count: int, name: str, places: Array, found: Sequence[ReplayRow]) -> Numbers:
    """A column of figures that only single records have."""
    values, valid = np.full(count, -1, np.int64), np.zeros(count, bool)
    _put(values, valid, [getattr(row, name) for row in found], places)
    return Numbers(values, None if count and valid.all() else valid)


def _put(values: Array, valid: Array, numbers: Sequence[int | None], places: Array) -> None:
    absent = 0 if values.dtype == np.uint64 else -1
    values[places] = [absent if value is None else value for value in numbers]
    valid[places] = [value is not None for value in numbers]


def chunk_positions(chunk: ReplayedChunk, result: EngineResult) -> Iterator[dict[str, ColumnData]]:
    """Yield the columns of positions of the records of a chunk, in order; `result` is that of the chunk as arrays."""
    last = 0
    made = result.positions
    for place in sorted(chunk.singles):
        if made is not None:
            end = int(np.searchsorted(made["run"]["text"], chunk.begin + place))
            yield from _made_positions(chunk.runs, chunk.begin, made, last, end)
            last = end
        record = chunk.singles[place]
        if record.positions is not None:
            alone = [Run(record.row.source, 1, record.row.record, False)]
            yield from _made_positions(alone, 0, record.positions, 0, len(record.positions["run"]))
    if made is not None:
        yield from _made_positions(chunk.runs, chunk.begin, made, last, len(made["run"]))


def _owners(chunks: Sequence[ReplayedChunk], results: Sequence[EngineResult]) -> Array:
    """The number, among all records, of the record of each position."""
    places: list[Array] = []
    first = 0
    for chunk, result in zip(chunks, results, strict=True):
        made, last = result.positions, 0
        for place in [*sorted(chunk.singles), len(chunk)]:
            if made is not None:
                end = int(np.searchsorted(made["run"]["text"], chunk.begin + place))
                runs, counts = made["run"][last:end], _counts(made)[last:end]
                places.append(np.repeat(runs["text"] - chunk.begin + first, counts))
                last = end
            record = chunk.singles.get(place)
            if record is not None and record.positions is not None:
                places.append(np.full(int(_counts(record.positions).sum()), first + place))
        first += len(chunk)
    return _joined(places, np.int64)


def _made_positions(
    records: Sequence[Run], first: int, made: Positions, begin: int, end: int
) -> Iterator[dict[str, ColumnData]]:
    """The columns of runs `begin` up to `end` of positions of `records`, the first of which is text `first`; none for
    an empty range.
    """
    if begin == end:
        return
    all_runs, all_counts = made["run"], _counts(made)
    runs, counts = all_runs[begin:end], all_counts[begin:end]
    start = int(runs["begin"][0])
    stop = start + int(counts.sum())
    rows = {name: made[name][start:stop] for name in ("step", "move_number", "color", "x", "y", "hash")}
    widths, heights = runs["width"], runs["height"]
    texts = runs["text"] - first
    branches = _bytes_of(made["branches"], all_runs["path_size"], begin, end)
    boards = made["boards"]
    if end - begin < len(all_runs):
        sizes = packed_size(all_runs["width"].astype(np.int64), all_runs["height"]) * all_counts
        boards = _bytes_of(boards, sizes, begin, end)
    data: dict[str, ColumnData] = {
        "source": Texts.late(stop - start, functools.partial(_sources, records, texts, counts)),
        "record": Numbers.late(stop - start, functools.partial(_repeated, records, texts, counts)),
        "branch": Texts.late(stop - start, functools.partial(_paths, runs["path_size"], branches, counts)),
        "step": _optional(rows["step"]),
        "move_number": Numbers(rows["move_number"]),
        "color": _optional(rows["color"]),
        "x": _optional(rows["x"]),
        "y": _optional(rows["y"]),
        "hash": Numbers(rows["hash"]),
        "board": Boards.in_runs(widths, heights, counts, boards),
    }
    if len(made["canonical_hash"]):
        data["canonical_hash"] = Numbers(made["canonical_hash"][start:stop])
    yield data


def _counts(made: Positions) -> Array:
    """The pause points of each run."""
    ends = np.append(made["run"]["begin"], len(made["step"]))
    counts: Array = ends[1:] - ends[:-1]
    return counts


def _sources(records: Sequence[Run], texts: Array, counts: Array) -> Texts:
    """The sources of `texts` of `records`, each repeated `counts` times."""
    of_each = np.bincount(owners_of(records, texts), counts, len(records)).astype(np.int64).tolist()
    return Texts.runs([(run.source, count) for run, count in zip(records, of_each, strict=True)])


def _repeated(records: Sequence[Run], texts: Array, counts: Array) -> Numbers:
    """The numbers of `texts` of `records`, each repeated `counts` times."""
    return Numbers(np.repeat(numbers_of(records)[texts], counts))


def _numbered(records: Sequence[Run]) -> Numbers:
    return Numbers(numbers_of(records))


def _paths(sizes: Array, data: Array, counts: Array) -> Texts:
    """The paths of branches, each repeated `counts` times."""
    text = data.tobytes().decode("ascii")
    ends = np.cumsum(sizes).tolist()
    return Texts.runs([(text[a:b], n) for a, b, n in zip([0, *ends], ends, counts.tolist(), strict=False)])


def _optional(values: Array) -> Numbers:
    """Numbers of which negative ones are absent; the mask of valid ones is made on demand."""
    return Numbers.late(len(values), functools.partial(_not_negative, values))


def _not_negative(values: Array) -> Numbers:
    valid = values >= 0
    return Numbers(values, None if valid.all() else valid)


def _bytes_of(data: Array, sizes: Array, begin: int, end: int) -> Array:
    """The bytes of items `begin` up to `end`, whose sizes are given."""
    if begin == 0 and end == len(sizes):
        return data
    start = int(sizes[:begin].sum(dtype=np.int64))
    return data[start : start + int(sizes[begin:end].sum(dtype=np.int64))]
