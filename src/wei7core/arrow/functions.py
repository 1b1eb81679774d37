"""Arrow batches in, Arrow batches out: the functions that dataframes and cluster engines map over their data.

Each takes one batch of any library that supports the Arrow C data interface (pyarrow, polars, DuckDB, pandas), has no
state, and returns a `pyarrow.RecordBatch` with a fixed schema. All arguments can be pickled. The functions require
pyarrow (`pip install 'wei7core[arrow]'`), which is imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..batch.assemble import columns_of
from ..batch.expansion import CHILD_COLUMNS, expand
from ..batch.fingerprints import KEY_COLUMNS, keys_of
from ..batch.options import Options, refuse_wrong
from ..batch.results import POSITION_COLUMNS, Results, replay_columns
from ..batch.run import Task, replay_task
from ..checking.finding import Finding
from ..checking.finding_table import EVIDENCE_COLUMN, FINDING_COLUMNS, finding_columns
from ..checking.prescreen import BatchChecker
from ..checking.selection import Selection
from ..rules import PERMISSIVE, Rules, named
from ..sources.chunks import Chunk, RawRecord
from ..tables.columns import Boards, Numbers
from ..tables.packed_boards import packed_size
from ..tables.to_arrow import arrow_batch, arrow_schema, pyarrow
from .batches import batches_of, column_of, joined_batches, kept_columns, place_of, with_kept
from .records import records_of
from .values import values_of

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Options",
    "check_batch",
    "check_schema",
    "expand_batch",
    "expand_schema",
    "keys_batch",
    "keys_schema",
    "positions_batch",
    "positions_schema",
    "replay_batch",
    "replay_schema",
    "replay_stream",
    "tables_of",
]

_DEFAULT: Final = Options()
_FINDING_COLUMNS: Final = (*FINDING_COLUMNS, EVIDENCE_COLUMN)
_REPLACED: Final = frozenset({"source", "record"})


def replay_schema(options: Options = _DEFAULT) -> Any:
    """Return the `pyarrow.Schema` of the result of `replay_batch`: the columns of `wei7core.replay`, in their order."""
    return arrow_schema(replay_columns(options.board, options.metadata))


def positions_schema() -> Any:
    """Return the `pyarrow.Schema` of the result of `positions_batch`, which `expand_batch` takes."""
    return arrow_schema(POSITION_COLUMNS)


def expand_schema() -> Any:
    """Return the `pyarrow.Schema` of the result of `expand_batch`."""
    return arrow_schema(CHILD_COLUMNS)


def keys_schema() -> Any:
    """Return the `pyarrow.Schema` of the result of `keys_batch`; `wei7core.batch.fingerprints.KEY_COLUMNS` describes
    it.
    """
    return arrow_schema(KEY_COLUMNS)


def check_schema() -> Any:
    """Return the `pyarrow.Schema` of the result of `check_batch`: a `wei7core.Finding`, its evidence as JSON."""
    return arrow_schema(_FINDING_COLUMNS)


def replay_batch(batch: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Replay the records of one column and return a row for each, in their order, as `wei7core.replay` does.

    `batch` is a record batch, or a table, of any library that has `__arrow_c_array__` or `__arrow_c_stream__`.
    `column` names one of strings or bytes (also large, views, a dictionary), a record of any format in each value;
    its buffers are read where they are. A value is one record: SGF of several games has the problem `more-games`, and
    a null value the error `format-unknown`. `options.positions` is for `positions_batch`.

    The `pyarrow.RecordBatch` that is returned has the columns of `replay_schema`; `source` is `<bytes>` and `record`
    the number of the row. `keep` names columns of `batch` that precede them unchanged: keys of the rows; `source` and
    `record`, if named, replace those columns.

    A record that cannot be read or replayed never raises: its row has the reason. Raises `KeyError` for a missing
    column, `TypeError` for another object than a batch and for a column of another type, `ValueError` for wrong
    options, an array with values outside its buffers, and more than 2 GiB of texts, `ImportError` without pyarrow.

    Thread safety: any number of threads may call it; the GIL is not held while records are decoded and replayed.
    """
    reader = _replayed(batch, column, keep, options)
    return joined_batches(list(reader), reader.schema)


def replay_stream(data: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Replay batch by batch, on demand, and return a `pyarrow.RecordBatchReader`, for data of any size.

    Arguments and exceptions are those of `replay_batch`; record numbers continue from batch to batch. Errors in the
    data are raised when it is read. Thread safety: one thread at a time may read.
    """
    return _replayed(data, column, keep, options)


def keys_batch(batch: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the keys of the records of one column, a row for each, for finding duplicate games.

    Arguments and exceptions are those of `replay_batch`, except `source`, which is no column here: it is kept as others
    are. The columns are those of `keys_schema`: rows with the same `game_key` are one game, possibly rotated or
    reflected; those with the same `prefix_60` share their first 60 moves.
    """
    refuse_wrong(options, 1)
    pieces = batches_of(batch)
    schema = with_kept(pieces.schema, keep, keys_schema(), {"record"})

    def keys(piece: Any, first: int) -> Any:
        items, order, chosen = _records(column_of(piece, column), options)
        data = {**keys_of(items, chosen).data, "record": Numbers(order + first)}
        return kept_columns(piece, keep, _in_order(arrow_batch(KEY_COLUMNS, data), order), schema)

    return joined_batches(list(_each(pieces, keys)), schema)


def check_batch(
    batch: Any,
    *,
    column: str = "data",
    keep: Sequence[str] = (),
    rules: Rules | str | None = None,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    severity: str = "warning",
    options: Options = _DEFAULT,
) -> Any:
    """Check the records of one column and return a row for each finding, as `wei7core.check` does.

    `batch`, `column` and `options` are as in `replay_batch`, the others as in `wei7core.check`. The columns are those
    of `check_schema`: `record` is the number of the row of the record in `batch`; findings come in the order of the
    rows. `keep` names columns of `batch` that precede them, each value with the findings of its record; `source` and
    `record`, if named, replace those columns.

    Games are not compared with each other: see `keys_batch` for duplicates. Raises the exceptions of `replay_batch`,
    and `ValueError` for unknown rules, codes and severities. Thread safety: as `replay_batch`; records with findings
    are checked one by one, with the GIL held.
    """
    refuse_wrong(options, 1)
    selection = Selection.of(select, ignore, severity)
    judged_by = None if rules is None else named(rules)
    library = pyarrow()
    pieces = batches_of(batch)
    schema = with_kept(pieces.schema, keep, check_schema(), _REPLACED)

    def judged(piece: Any, first: int) -> Any:
        items, order, chosen = _records(column_of(piece, column), options)
        findings = _findings(BatchChecker(judged_by, selection, chosen), items, order.tolist())
        places = library.array([finding.record for finding in findings], library.int64())
        renumbered = [finding._replace(record=finding.record + first) for finding in findings]
        rows = arrow_batch(_FINDING_COLUMNS, finding_columns(renumbered, _FINDING_COLUMNS))
        values = library.RecordBatch.from_arrays([column_of(piece, name).take(places) for name in keep], list(keep))
        return kept_columns(values, keep, rows, schema)

    return joined_batches(list(_each(pieces, judged)), schema)


def _findings(screen: BatchChecker, items: Sequence[Chunk | RawRecord], order: Sequence[int]) -> list[Finding]:
    """The findings of records numbered from 0, renumbered by `order`."""
    found: list[Finding] = []
    for item in items:
        if isinstance(item, RawRecord):
            found += screen.judged(item).findings
        else:
            for screened in screen.screened(item, 0, len(item)):
                found += screened.findings
    return sorted([one._replace(record=order[one.record]) for one in found], key=attrgetter("record"))


def positions_batch(batch: Any, *, column: str = "data", options: Options = _DEFAULT) -> Any:
    """Return a row for every pause point of every branch of the records of one column.

    Arguments and exceptions are those of `replay_batch`. The columns are those of `positions_schema`: `record` is the
    number of the row of the record in `batch`, `board` packed as `wei7core.unpack_boards` describes. A record that
    cannot be replayed to its end has the rows up to there; `replay_batch` has the reason.
    """
    refuse_wrong(options, 1)
    options = replace(options, positions=True)

    def positions(piece: Any, first: int) -> Any:
        return tables_of(column_of(piece, column), options, first)[1]

    return joined_batches(list(_each(batches_of(batch), positions)), positions_schema())


def expand_batch(
    batch: Any, *, column: str = "board", color: int | str = "color", rules: Rules | str = PERMISSIVE
) -> Any:
    """Return the possible moves of the positions of one column: a row for each empty point, as `wei7core.expand` does.

    `batch` is as in `replay_batch`; it has packed boards in `column` and integers `width` and `height`, as
    `positions_batch` makes them. `color` is the player to move: 1 or 2 for all, or the name of a column of colors.
    `rules` is a rule set or its name; simple ko and superko, which require the previous moves, are not considered.

    The `pyarrow.RecordBatch` that is returned has the columns of `expand_schema`; `parent` is the number of the row of
    the position. Raises the exceptions of `replay_batch`, and `ValueError` for null values, invalid packed boards,
    invalid colors and rules, and boards of more than 32,767 points. Thread safety: as `replay_batch`.
    """

    def expanded(piece: Any, first: int) -> Any:
        try:
            boards = _boards(piece, column)
            colors = color if isinstance(color, int) else _integers(piece, color)
            table = expand(boards, colors, rules)
        except ValueError as error:
            if first:  # rows are counted from there
                raise ValueError(f"in the batch that starts with row {first}: {error}") from None
            raise
        if table.columns != CHILD_COLUMNS:
            raise ValueError("expected boards of at most 32,767 points in a batch of positions")
        parents = table.data["parent"]
        assert isinstance(parents, Numbers)
        data = {**table.data, "parent": Numbers(parents.values + np.int32(first))}
        return arrow_batch(CHILD_COLUMNS, data)

    return joined_batches(list(_each(batches_of(batch), expanded)), expand_schema())


def _replayed(data: Any, column: str, keep: Sequence[str], options: Options) -> Any:
    """A reader of the results; wrong arguments raise now."""
    refuse_wrong(options, 1)
    if options.positions:
        raise ValueError("positions=True is not supported here: use positions_batch")
    library = pyarrow()
    pieces = batches_of(data)
    schema = replay_schema(options)
    place_of(pieces.schema, column)
    schema = with_kept(pieces.schema, keep, schema, _REPLACED)

    def replayed(piece: Any, first: int) -> Any:
        rows, *_ = tables_of(column_of(piece, column), options, first)
        return kept_columns(piece, keep, rows, schema)

    return library.RecordBatchReader.from_batches(schema, _each(pieces, replayed))


def _each(pieces: Iterable[Any], work: Callable[[Any, int], Any]) -> Iterator[Any]:
    """The results of `work` for each piece and the number of its first row, on demand."""
    first = 0
    for piece in pieces:
        yield work(piece, first)
        first += len(piece)


def tables_of(array: Any, options: Options, first: int = 0) -> tuple[Any, Any, Results]:
    """Return the rows of the records of a `pyarrow.Array`, in their order and counted from `first`, as a record batch,
    and their positions as another one, None if not requested.

    The `Results` contain the same rows in any order, and their other columns. Raises as `replay_batch`.
    """
    items, order, options = _records(array, options)
    parts = replay_task(Task([(item, 0, len(item)) if isinstance(item, Chunk) else item for item in items]), options)
    results = columns_of(parts, board=options.board, positions=options.positions, metadata=options.metadata)
    rows = arrow_batch(results.columns, {**results.data, "record": Numbers(order + first)})
    positions = None
    if results.positions is not None:
        places = results.positions.data["record"]
        assert isinstance(places, Numbers)
        numbers = order[places.values]
        positions = arrow_batch(POSITION_COLUMNS, {**results.positions.data, "record": Numbers(numbers + first)})
        positions = _in_order(positions, numbers)
    return _in_order(rows, order), positions, results


def _records(array: Any, options: Options) -> tuple[list[Chunk | RawRecord], npt.NDArray[np.int64], Options]:
    """The records of an array, the number of the value of each, and the options of reading."""
    values = values_of(array)
    if values.is_text:
        options = replace(options, encoding="utf-8")
    return *records_of(values, options.limits), options


def _in_order(batch: Any, numbers: npt.NDArray[np.int64]) -> Any:
    """The rows in the order of `numbers`."""
    if (numbers[1:] >= numbers[:-1]).all():
        return batch
    return batch.take(pyarrow().array(np.argsort(numbers, kind="stable")))


def _integers(batch: Any, name: str) -> npt.NDArray[Any]:
    array = column_of(batch, name)
    if array.null_count:
        raise ValueError(f"column {name!r} has null values")
    if not pyarrow("pyarrow.types").is_integer(array.type):
        raise TypeError(f"column {name!r} must be of integers, not of {array.type}")
    return np.asarray(array)


def _boards(batch: Any, column: str) -> Boards:
    """The packed boards of a column, over the same memory if they are contiguous in it."""
    values = values_of(column_of(batch, column))
    if values.valid is not None:
        raise ValueError(f"column {column!r} has null values")
    widths, heights = (_integers(batch, name).astype(np.int64) for name in ("width", "height"))
    if len(widths) and (widths.min() < 1 or heights.min() < 1 or max(widths.max(), heights.max()) >= 1 << 31):
        raise ValueError("expected a width and a height of at least 1")
    wrong = np.flatnonzero(values.ends - values.begins != packed_size(widths, heights))
    if len(wrong):
        k = int(wrong[0])
        raise ValueError(f"position {k} is no packed board of {widths[k]} x {heights[k]} points")
    if len(values) and len(values.buffers) == 1 and (values.begins[1:] == values.ends[:-1]).all():
        data = np.frombuffer(values.buffers[0], np.uint8)[values.begins[0] : values.ends[-1]]
    else:
        parts = zip(values.places.tolist(), values.begins.tolist(), values.ends.tolist(), strict=True)
        data = np.frombuffer(b"".join([values.buffers[place][a:b] for place, a, b in parts]), np.uint8)
    return Boards(widths.astype(np.int32), heights.astype(np.int32), data)
