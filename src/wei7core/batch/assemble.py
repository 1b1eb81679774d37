"""The columns of a batch: what C made of blocks, and the records that it left, put together in input order."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .._util.lazy_numpy import np
from ..errors import PROBLEM_CODES
from ..tables.columns import Boards, ColumnData, Numbers, Texts, joined_columns
from ..tables.packed_boards import packed_size
from ..tables.table import Table
from ._engine import EngineResult, LinesResult, replay_block, row_columns
from .failures import Failures
from .results import ReplayRow, Results, position_row, positions_columns, replay_columns, replay_row

if TYPE_CHECKING:
    import numpy.typing as npt

    from .metadata import Metadata

__all__ = [
    "FallbackRow",
    "Positions",
    "ReplayedChunk",
    "alone",
    "columns_of",
    "position_columns",
    "position_table",
    "record_columns",
]

Array: TypeAlias = "npt.NDArray[Any]"
Positions: TypeAlias = "dict[str, Array]"
"""The positions of an `EngineResult`."""

_FIGURES: Final = ("moves", "passes", "takebacks", "suicides", "ko_recaptures", "black_captured", "white_captured")
_NO_SIZE: Final = -1


@functools.cache
def alone() -> EngineResult:
    """The piece of one record that C leaves."""
    place = np.zeros(1, np.int64)
    return replay_block(b"", place, place, None)


@dataclass(frozen=True, slots=True)
class FallbackRow:
    """A record that was replayed by itself: its row, its problems by (severity, code), its positions, if any.

    `metadata` is None where it was not asked for, or its header not read.
    """

    row: ReplayRow
    problems: tuple[tuple[str, str], ...]
    positions: Positions | None = None
    metadata: Metadata | None = None

    def counted_on(self, number: int) -> FallbackRow:
        """Return the record with a number in its source that is larger by `number`."""
        return replace(self, row=self.row._replace(record=self.row.record + number))


@dataclass(frozen=True, slots=True)
class ReplayedChunk:
    """Records that stand one after the other, without their text: record k of `piece` is number `begin` + k of a block.

    `sources` and `first` are those of the block (`wei7core.sources.chunks.Chunk`). `left` has, by their places
    in the piece, the records that the piece says nothing of; `failures` are the errors of those of which it says all
    else, None where there are none.
    """

    sources: str | tuple[str, ...]
    first: int
    format: str
    begin: int
    piece: EngineResult | LinesResult
    left: dict[int, FallbackRow]
    failures: Failures | None = None

    @classmethod
    def alone(cls, record: FallbackRow) -> ReplayedChunk:
        """Return the part of one record that was replayed by itself."""
        return cls(record.row.source, record.row.record, "", 0, alone(), {0: record})

    def __len__(self) -> int:
        return self.piece.records

    def counted_on(self, number: int) -> ReplayedChunk:
        """Return the same records with numbers in their source that are larger by `number`."""
        if number == 0:
            return self
        left = {place: record.counted_on(number) for place, record in self.left.items()}
        return replace(self, first=self.first + number, left=left)

    @property
    def held(self) -> int:
        """Bytes of what was made, roughly."""
        made = [record.positions for record in self.left.values() if record.positions is not None]
        size = sum(array.nbytes for positions in made for array in positions.values())
        return size + self.piece.nbytes + (0 if self.failures is None else self.failures.nbytes)

    def runs(self) -> Iterator[tuple[str, int]]:
        """The sources of the records, and how many records in turn each has."""
        if isinstance(self.sources, str):
            yield self.sources, len(self)
        else:
            yield from ((name, 1) for name in self.sources[self.begin : self.begin + len(self)])

    def numbers(self) -> Array:
        """The numbers of the records in their sources."""
        if isinstance(self.sources, str):
            first = self.first + self.begin
            return np.arange(first, first + len(self), dtype=np.int64)
        return np.zeros(len(self), np.int64)


def columns_of(
    parts: Sequence[ReplayedChunk], *, board: bool, positions: bool, metadata: bool = False, canonical: bool = False
) -> Results:
    """Return the rows of all `parts`, in their order."""
    rows = row_columns([part.piece for part in parts])
    pieces = [part.piece.arrays() for part in parts]
    left = rows["left"]
    places = np.flatnonzero(left)
    others = [part.left[place] for part in parts for place in sorted(part.left)]
    found = [other.row for other in others]
    data: dict[str, ColumnData] = {
        "source": Texts.runs([run for part in parts for run in part.runs()]),
        "record": Numbers(_joined([part.numbers() for part in parts], np.int64)),
    }
    texts = {
        "id": Texts.sized(rows["id_size"], b"".join([piece.ids for piece in pieces])),
        "format": Texts.runs([(part.format, len(part)) for part in parts]),
    }
    if board:
        areas = rows["width"] * rows["height"]
        letters = b"".join([piece.letters or b"" for piece in pieces])
        texts["board"] = Texts.sized(np.where(left, _NO_SIZE, areas), letters)
    nothing = Texts.runs([(None, len(left))])
    texts |= dict.fromkeys(("error", "error_path", "error_message"), nothing)
    for name, column in texts.items():
        data[name] = column.replaced(places, [getattr(row, name) for row in found]) if found else column
    for name in ("width", "height", *_FIGURES, "hash", "canonical_hash"):
        data[name] = _numbers(rows[name], name, places, found)
    data["problems"] = _numbers(rows["problems"], "problems", places, found)
    data["error_offset"] = _missing(len(left), "error_offset", places, found)
    _put_errors(data, parts)
    if metadata:
        from .metadata import metadata_columns

        formats = [part.format for part in parts]
        data |= metadata_columns(pieces, formats, places, [other.metadata for other in others])
    problems: Counter[tuple[str, str]] = Counter(chain.from_iterable(other.problems for other in others))
    for piece in pieces:
        if piece.counts:
            counts = np.frombuffer(piece.counts, np.int64)
            for number in np.flatnonzero(counts).tolist():
                problems[PROBLEM_CODES[number].severity, PROBLEM_CODES[number].name] += int(counts[number])
    listed = None
    if positions:
        tables = [table for some in zip(parts, pieces, strict=True) for table in _positions(*some)]
        listed = position_table(tables, canonical)
        if canonical and metadata:
            from .position_facts import with_facts

            listed = with_facts(listed, _owners(parts, pieces), data["winner"])
    return Results(
        Table(replay_columns(board, metadata), data, replay_row(metadata)),
        positions=listed,
        problems=problems,
    )


def _put_errors(data: dict[str, ColumnData], parts: Sequence[ReplayedChunk]) -> None:
    """Put the errors of records that C has replayed into their columns; their words are made when they are read."""
    begins = np.cumsum([0, *map(len, parts)]).tolist()
    failing = [(begin, part.failures) for begin, part in zip(begins, parts, strict=False) if part.failures is not None]
    if not failing:
        return
    failures = [some for _, some in failing]
    places = np.concatenate([begin + some.rows["text"] for begin, some in failing])
    codes, offsets = data["error"], data["error_offset"]
    assert isinstance(codes, Texts) and isinstance(offsets, Numbers)
    data["error"] = codes.replaced(places, list(chain.from_iterable(some.codes for some in failures)))
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
    """Return the table of the positions that `tables` have, one after the other."""
    columns, row = positions_columns(canonical), position_row(canonical)
    if tables:
        return Table(columns, joined_columns(tables), row)
    data: dict[str, ColumnData] = {column.name: column.of([]) for column in columns[:-1]}
    return Table(columns, data | {columns[-1].name: Boards.of([], [], [])}, row)


def _joined(arrays: Sequence[Array], dtype: type) -> Array:
    return np.concatenate([np.zeros(0, dtype), *arrays])


def _numbers(values: Array, name: str, places: Array, found: Sequence[ReplayRow]) -> Numbers:
    """One column of figures that C made; those of the records that it left stand in their rows."""
    if not found:
        return Numbers(values) if len(values) else Numbers(values, np.zeros(0, bool))
    valid = np.ones(len(values), bool)
    _put(values, valid, [getattr(row, name) for row in found], places)
    return Numbers(values, None if valid.all() else valid)


def _missing(count: int, name: str, places: Array, found: Sequence[ReplayRow]) -> Numbers:
    """One column of figures that only records have that C left."""
    values, valid = np.full(count, -1, np.int64), np.zeros(count, bool)
    _put(values, valid, [getattr(row, name) for row in found], places)
    return Numbers(values, None if count and valid.all() else valid)


def _put(values: Array, valid: Array, said: Sequence[int | None], places: Array) -> None:
    absent = 0 if values.dtype == np.uint64 else -1
    values[places] = [absent if value is None else value for value in said]
    valid[places] = [value is not None for value in said]


def _positions(part: ReplayedChunk, piece: EngineResult) -> Iterator[dict[str, ColumnData]]:
    """The positions of the records of a part, in the order of the records."""
    last = 0
    made = piece.positions
    for place in sorted(part.left):
        if made is not None:
            end = int(np.searchsorted(made["run"]["text"], part.begin + place))
            yield from _made_positions(part.sources, part.first, made, last, end)
            last = end
        record = part.left[place]
        if record.positions is not None:
            yield from record_columns(record.row, record.positions)
    if made is not None:
        yield from _made_positions(part.sources, part.first, made, last, len(made["run"]))


def record_columns(row: ReplayRow, positions: Positions) -> Iterator[dict[str, ColumnData]]:
    """The columns of the positions of one record, whose row that is; none where it has no positions."""
    yield from _made_positions(row.source, row.record, positions, 0, len(positions["run"]))


def _owners(parts: Sequence[ReplayedChunk], pieces: Sequence[EngineResult]) -> Array:
    """The place of the record of each position among all records."""
    places: list[Array] = []
    first = 0
    for part, piece in zip(parts, pieces, strict=True):
        made, last = piece.positions, 0
        for place in [*sorted(part.left), len(part)]:
            if made is not None:
                end = int(np.searchsorted(made["run"]["text"], part.begin + place))
                runs, counts = made["run"][last:end], _counts(made)[last:end]
                places.append(np.repeat(runs["text"] - part.begin + first, counts))
                last = end
            record = part.left.get(place)
            if record is not None and record.positions is not None:
                places.append(np.full(int(_counts(record.positions).sum()), first + place))
        first += len(part)
    return _joined(places, np.int64)


def _made_positions(
    names: str | Sequence[str], first: int, made: Positions, begin: int, end: int
) -> Iterator[dict[str, ColumnData]]:
    """Those of runs `begin` up to `end`; none where there are no such runs."""
    if begin == end:
        return
    runs, counts = made["run"][begin:end], _counts(made)[begin:end]
    start = int(runs["begin"][0])
    stop = start + int(counts.sum())
    rows = {name: made[name][start:stop] for name in ("step", "move_number", "color", "x", "y", "hash")}
    widths, heights = runs["width"], runs["height"]
    all_runs = made["run"]
    sizes = packed_size(all_runs["width"].astype(np.int64), all_runs["height"]) * _counts(made)
    numbers = runs["text"]
    if isinstance(names, str):
        sources = [(names, stop - start)]
        numbers = first + numbers
    else:
        sources = [(names[text], count) for text, count in zip(numbers.tolist(), counts.tolist(), strict=True)]
        numbers = np.zeros(end - begin, np.int64)
    branches = _bytes_of(made["branches"], made["run"]["path_size"], begin, end)
    data: dict[str, ColumnData] = {
        "source": Texts.late(stop - start, functools.partial(Texts.runs, sources)),
        "record": Numbers.late(stop - start, functools.partial(_repeated, numbers, counts)),
        "branch": Texts.late(stop - start, functools.partial(_paths, runs["path_size"], branches, counts)),
        "step": _optional(rows["step"]),
        "move_number": Numbers(rows["move_number"]),
        "color": _optional(rows["color"]),
        "x": _optional(rows["x"]),
        "y": _optional(rows["y"]),
        "hash": Numbers(rows["hash"]),
        "board": Boards.in_runs(widths, heights, counts, _bytes_of(made["boards"], sizes, begin, end)),
    }
    if len(made["canonical_hash"]):
        data["canonical_hash"] = Numbers(made["canonical_hash"][start:stop])
    yield data


def _counts(made: Positions) -> Array:
    """The pause points of each run."""
    return np.diff(made["run"]["begin"], append=len(made["step"]))


def _repeated(values: Array, counts: Array) -> Numbers:
    return Numbers(np.repeat(values, counts))


def _paths(sizes: Array, data: Array, counts: Array) -> Texts:
    """The paths of branches, each as many times as its number in `counts`."""
    text = data.tobytes().decode("ascii")
    ends = np.cumsum(sizes).tolist()
    return Texts.runs([(text[a:b], n) for a, b, n in zip([0, *ends], ends, counts.tolist(), strict=False)])


def position_columns(positions: Positions) -> dict[str, Array]:
    """Return the positions of an `EngineResult` with a value for each pause point of what is said of its run there.

    Those are `text`, `width`, `height` and `branch_size` (int32); `branches` has a path for each pause point too.
    """
    runs, counts = positions["run"], _counts(positions)
    names = {"text": "text", "width": "width", "height": "height", "branch_size": "path_size"}
    columns = {name: np.repeat(runs[field].astype(np.int32), counts) for name, field in names.items()}
    paths = _paths(runs["path_size"], positions["branches"], counts)
    return {**{name: positions[name] for name in positions if name != "run"}, **columns, "branches": paths.data}


def _optional(values: Array) -> Numbers:
    valid = values >= 0
    return Numbers(values, None if valid.all() else valid)


def _bytes_of(data: Array, sizes: Array, begin: int, end: int) -> Array:
    """The bytes of things `begin` up to `end`, of which each has its size."""
    if begin == 0 and end == len(sizes):
        return data
    start = int(sizes[:begin].sum(dtype=np.int64))
    return data[start : start + int(sizes[begin:end].sum(dtype=np.int64))]
