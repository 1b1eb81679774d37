"""Serialisation of the results of a batch, for checkpoints."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple
from typing import Any, Final

from .._util.lazy_numpy import np
from ..sources.sources import Sources
from ..tables.columns import Boards, Column, ColumnData, Numbers, Texts
from ..tables.table import Table
from .options import Options
from .results import Results, position_row, positions_columns, replay_columns, replay_row
from .resume import Checkpoint, ResumeError, open_checkpoint
from .run import ResumePoint, batches, placed_batches

Arrays = dict[str, Any]

_HEAD: Final = "head"
_FORM: Final = 1  # version of a part, which also has the columns; incremented when its content changes


@contextmanager
def resumable_batches(
    target: str,
    paths: Sequence[str],
    sources: Sources,
    options: Options,
    jobs: int,
    size: int,
    *,
    resume: bool,
    prefetch: bool = False,
) -> Iterator[Iterator[Results]]:
    """Yield the batches of `wei7core.batch.batches` for `sources`, which read `paths`; the block writes them to
    `target`.

    With `resume` batches are saved next to the target until the block ends without an exception, and those that an
    earlier run saved come first. Their records are not replayed again; their files are read again, except large files
    of one record a line. Batches do not depend on how often the run was interrupted. Without `resume` saved batches are
    removed at the end. Raises `wei7core.batch.resume.ResumeError`.
    """
    asked = {name: value for name, value in asdict(options).items() if name != "limits"}
    asked |= {"command": "replay", "size": size}
    with open_checkpoint(target, asked if resume else None, paths, _layout()) as kept:
        if kept is None:
            yield batches(sources, options, jobs, size, prefetch=prefetch)
        else:
            yield _resumed(sources, options, jobs, size, kept, prefetch=prefetch)


def _layout() -> list[Any]:
    """The version of parts, and all columns; the options of a run determine which of them it has."""
    positions = positions_columns(True, False), positions_columns(True, True)
    return [_FORM, [[astuple(column) for column in columns] for columns in (replay_columns(True, True), *positions)]]


def _resumed(
    sources: Sources, options: Options, jobs: int, size: int, kept: Checkpoint, *, prefetch: bool
) -> Iterator[Results]:
    from zipfile import BadZipFile

    place = ResumePoint()
    for data in kept:
        try:
            results, place = _read(data, options)
        except (KeyError, ValueError, BadZipFile) as error:
            raise ResumeError(f"a part of the unfinished run cannot be read: {error}") from None
        yield results
    for results, end in placed_batches(sources, options, jobs, size, place, prefetch=prefetch):
        kept.add(_written(results, end))
        yield results


def _written(results: Results, place: ResumePoint) -> bytes:
    problems = [[severity, code, count] for (severity, code), count in results.problems.items()]
    head = json.dumps({"tasks": place.tasks, "lines": place.lines, "problems": problems})
    arrays: Arrays = {_HEAD: np.frombuffer(head.encode(), np.uint8)}
    _add_columns(arrays, "rows", results.data)
    if results.positions is not None:
        _add_columns(arrays, "positions", results.positions.data)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _add_columns(arrays: Arrays, table: str, data: Mapping[str, ColumnData]) -> None:
    for name, column in data.items():
        fields = ("widths", "heights", "data") if isinstance(column, Boards) else ("offsets", "data", "values", "valid")
        for field in fields:
            array = getattr(column, field, None)
            if array is not None:
                arrays[f"{table}-{name}-{field}"] = array


def _read(data: bytes, options: Options) -> tuple[Results, ResumePoint]:
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = dict(file)
    head = json.loads(arrays[_HEAD].tobytes())
    columns = replay_columns(options.board, options.metadata)
    rows = Table(columns, _columns(arrays, "rows", columns), replay_row(options.metadata))
    positions = None
    if options.positions:
        columns = positions_columns(options.canonical, options.metadata)
        row = position_row(options.canonical, options.metadata)
        positions = Table(columns, _columns(arrays, "positions", columns), row)
    problems = Counter({(severity, code): count for severity, code, count in head["problems"]})
    return Results(rows, positions=positions, problems=problems), ResumePoint(head["tasks"], head["lines"])


def _columns(arrays: Arrays, table: str, columns: tuple[Column, ...]) -> dict[str, ColumnData]:
    return {column.name: _column(arrays, f"{table}-{column.name}", column) for column in columns}


def _column(arrays: Arrays, name: str, column: Column) -> ColumnData:
    if column.kind == "board":
        return Boards(arrays[f"{name}-widths"], arrays[f"{name}-heights"], arrays[f"{name}-data"])
    valid = arrays.get(f"{name}-valid")
    if column.kind == "text":
        return Texts(arrays[f"{name}-offsets"], arrays[f"{name}-data"], valid)
    return Numbers(arrays[f"{name}-values"], valid)
