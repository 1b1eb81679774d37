"""Arrow batches in, Arrow batches out: the functions that dataframes and cluster engines map over their data.

Each takes one batch of any library that speaks the Arrow C data interface (pyarrow, polars, DuckDB, pandas), keeps no
state, and returns a `pyarrow.RecordBatch` of a schema that is known beforehand. All that they take can be pickled.
They need pyarrow (`pip install 'wei7core[arrow]'`), which is imported when it is used.
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
from ..batch.run import Group, parts_of
from ..checking.finding import Finding
from ..checking.finding_table import EVIDENCE_COLUMN, FINDING_COLUMNS, finding_columns
from ..checking.prescreen import Screen
from ..checking.selection import Selection
from ..rules import PERMISSIVE, Rules, named
from ..sources.chunks import RecordBlock, RecordText
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
    """Return the `pyarrow.Schema` of what `replay_batch` returns: the columns of `wei7core.replay`, in their order."""
    return arrow_schema(replay_columns(options.board, options.metadata))


def positions_schema() -> Any:
    """Return the `pyarrow.Schema` of what `positions_batch` returns, which is what `expand_batch` takes."""
    return arrow_schema(POSITION_COLUMNS)


def expand_schema() -> Any:
    """Return the `pyarrow.Schema` of what `expand_batch` returns."""
    return arrow_schema(CHILD_COLUMNS)


def keys_schema() -> Any:
    """Return the `pyarrow.Schema` of what `keys_batch` returns; `wei7core.batch.fingerprints.KEY_COLUMNS`
    describes it."""
    return arrow_schema(KEY_COLUMNS)


def check_schema() -> Any:
    """Return the `pyarrow.Schema` of what `check_batch` returns: a `wei7core.Finding`, its evidence as JSON."""
    return arrow_schema(_FINDING_COLUMNS)


def replay_batch(batch: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Replay the records of one column and return a row for each, in their order, as `wei7core.replay` does.

    `batch` is a record batch, or a table, of any library that has `__arrow_c_array__` or `__arrow_c_stream__`.
    `column` names one of strings or bytes (also large, views, a dictionary), a record of any format in each value;
    its buffers are read where they are. A value is one record: SGF of several games has the problem `more-games`, and
    a null value the error `format-unknown`. `options.positions` is for `positions_batch`.

    The `pyarrow.RecordBatch` that is returned has the columns of `replay_schema`; `source` is `<bytes>` and `record`
    the number of the row. `keep` names columns of `batch` that go before them as they are: keys of the rows; `source`
    and `record`, where they are named, take the place of those instead.

    A record that cannot be read or replayed never raises: its row says why. Raises `KeyError` for a column that is not
    there, `TypeError` for what is no batch and a column of other things, `ValueError` for wrong options, an array
    whose values lie outside of it, and more than 2 GiB of texts, `ImportError` without pyarrow.

    Thread safety: any number of threads may call it; the GIL is not held while records are decoded and replayed.
    """
    reader = _replayed(batch, column, keep, options)
    return joined_batches(list(reader), reader.schema)


def replay_stream(data: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Replay batch by batch, as they are asked for, and return a `pyarrow.RecordBatchReader`, for data of any size.

    Arguments and what is raised are those of `replay_batch`; numbers of records go on from batch to batch. What only
    reading shows is raised then. Thread safety: one thread at a time may read.
    """
    return _replayed(data, column, keep, options)


def keys_batch(batch: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the keys of the records of one column, a row for each, by which games are found that are there twice.

    Arguments and what is raised are those of `replay_batch`, but for `source`, which this has no column for: it is kept
    as others are. The columns are those of `keys_schema`: rows with the same `game_key`
    are one game, perhaps turned or mirrored, those with the same `prefix_60` have their first 60 moves in common.
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
    """Judge the records of one column and return a row for each thing that is wrong or odd, as `wei7core.check` does.

    `batch`, `column` and `options` are as in `replay_batch`, the others as in `wei7core.check`. The columns are those
    of `check_schema`: `record` is the number of the row of the record in `batch`, in whose order findings come.
    `keep` names columns of `batch` that precede them, each value with the findings of its record; `source` and
    `record`, where they are named, take the place of those. Games are judged by themselves: see `keys_batch` for those
    that are like others.

    Raises what `replay_batch` raises, and `ValueError` for rules, codes and a severity that there are not. Thread
    safety: as `replay_batch`; records with findings are judged one by one, with the GIL held.
    """
    refuse_wrong(options, 1)
    selection = Selection.of(select, ignore, severity)
    judged_by = None if rules is None else named(rules)
    library = pyarrow()
    pieces = batches_of(batch)
    schema = with_kept(pieces.schema, keep, check_schema(), _REPLACED)

    def judged(piece: Any, first: int) -> Any:
        items, order, chosen = _records(column_of(piece, column), options)
        findings = _findings(Screen(judged_by, selection, chosen), items, order.tolist())
        places = library.array([finding.record for finding in findings], library.int64())
        renumbered = [finding._replace(record=finding.record + first) for finding in findings]
        rows = arrow_batch(_FINDING_COLUMNS, finding_columns(renumbered, _FINDING_COLUMNS))
        values = library.RecordBatch.from_arrays([column_of(piece, name).take(places) for name in keep], list(keep))
        return kept_columns(values, keep, rows, schema)

    return joined_batches(list(_each(pieces, judged)), schema)


def _findings(screen: Screen, items: Sequence[RecordBlock | RecordText], order: Sequence[int]) -> list[Finding]:
    """The findings of records that are numbered from 0, by the numbers that `order` gives them instead."""
    found: list[Finding] = []
    for item in items:
        if isinstance(item, RecordText):
            found += screen.judged(item).findings
        else:
            for screened in screen.screened(item, 0, len(item)):
                found += screened.findings
    return sorted([one._replace(record=order[one.record]) for one in found], key=attrgetter("record"))


def positions_batch(batch: Any, *, column: str = "data", options: Options = _DEFAULT) -> Any:
    """Return a row for every pause point of every branch of the records of one column.

    Arguments and what is raised are those of `replay_batch`. The columns are those of `positions_schema`: `record` is
    the number of the row of the record in `batch`, `board` packed as `wei7core.unpack_boards` describes. A record that
    cannot be replayed has the rows up to there; `replay_batch` says why.
    """
    refuse_wrong(options, 1)
    options = replace(options, positions=True)

    def positions(piece: Any, first: int) -> Any:
        return tables_of(column_of(piece, column), options, first)[1]

    return joined_batches(list(_each(batches_of(batch), positions)), positions_schema())


def expand_batch(
    batch: Any, *, column: str = "board", color: int | str = "color", rules: Rules | str = PERMISSIVE
) -> Any:
    """Return what can follow from the positions of one column: a row for each empty point, as `wei7core.expand` does.

    `batch` is as in `replay_batch`; it has packed boards in `column` and integers `width` and `height`, as
    `positions_batch` makes them. `color` is who plays next: 1 or 2 for all, or the name of a column of those. `rules`
    is a rule set or its name; simple ko and superko, which need the moves before, are not looked at.

    The `pyarrow.RecordBatch` that is returned has the columns of `expand_schema`; `parent` is the number of the row of
    the position. Raises what `replay_batch` raises, and `ValueError` for null values, what is no packed board, colors
    and rules that make no sense, and boards of more than 32,767 points. Thread safety: as `replay_batch`.
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
            raise ValueError("a batch of positions has boards of at most 32,767 points")
        parents = table.data["parent"]
        assert isinstance(parents, Numbers)
        data = {**table.data, "parent": Numbers(parents.values + np.int32(first))}
        return arrow_batch(CHILD_COLUMNS, data)

    return joined_batches(list(_each(batches_of(batch), expanded)), expand_schema())


def _replayed(data: Any, column: str, keep: Sequence[str], options: Options) -> Any:
    """A reader of what becomes of the records; what is wrong with the arguments is raised now."""
    refuse_wrong(options, 1)
    if options.positions:
        raise ValueError("positions are a table of their own: see positions_batch")
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
    """What `work` makes of each piece and the number of its first row, as they are asked for."""
    first = 0
    for piece in pieces:
        yield work(piece, first)
        first += len(piece)


def tables_of(array: Any, options: Options, first: int = 0) -> tuple[Any, Any, Results]:
    """Return the rows of the records of a `pyarrow.Array`, in their order and counted from `first`, as a record batch,
    and their positions as another one, None where they were not asked for.

    The `Results` have the same in any order, and what else is known of them. Raises as `replay_batch`.
    """
    items, order, options = _records(array, options)
    parts = parts_of(
        Group([(item, 0, len(item)) if isinstance(item, RecordBlock) else item for item in items]), options
    )
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


def _records(array: Any, options: Options) -> tuple[list[RecordBlock | RecordText], npt.NDArray[np.int64], Options]:
    """The records of an array, the number of the value that each of them is, and how they are read."""
    values = values_of(array)
    if values.is_text:
        options = replace(options, encoding="utf-8")
    return *records_of(values, options.limits), options


def _in_order(batch: Any, numbers: npt.NDArray[np.int64]) -> Any:
    """The rows in the order of `numbers`, one for each."""
    if (numbers[1:] >= numbers[:-1]).all():
        return batch
    return batch.take(pyarrow().array(np.argsort(numbers, kind="stable")))


def _integers(batch: Any, name: str) -> npt.NDArray[Any]:
    array = column_of(batch, name)
    if array.null_count:
        raise ValueError(f"column {name!r} has values that are null")
    if not pyarrow("pyarrow.types").is_integer(array.type):
        raise TypeError(f"column {name!r} is of {array.type}, not of integers")
    return np.asarray(array)


def _boards(batch: Any, column: str) -> Boards:
    """The packed boards of a column, over the same memory where they are contiguous in it."""
    values = values_of(column_of(batch, column))
    if values.valid is not None:
        raise ValueError(f"column {column!r} has values that are null")
    widths, heights = (_integers(batch, name).astype(np.int64) for name in ("width", "height"))
    if len(widths) and (widths.min() < 1 or heights.min() < 1 or max(widths.max(), heights.max()) >= 1 << 31):
        raise ValueError("a board has a width and a height of at least 1")
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
