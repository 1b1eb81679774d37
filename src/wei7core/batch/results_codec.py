"""The results of a piece of a replay as bytes that can be kept in a file, and back."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final

from .._util.lazy_numpy import np
from ..sources.sources import Sources
from ..tables.columns import Boards, Column, ColumnData, Numbers, Texts
from ..tables.table import Table
from .checkpoint import Checkpoint, ResumeError, open_checkpoint
from .options import Options
from .results import Results, position_row, positions_columns, replay_columns, replay_row
from .run import ResumePoint, batches, placed_batches

__all__ = ["pieces_for"]

Arrays = dict[str, Any]

_HEAD: Final = "head"


@contextmanager
def pieces_for(
    target: str,
    paths: Sequence[str],
    sources: Sources,
    options: Options,
    jobs: int,
    size: int,
    *,
    resume: bool,
    ahead: bool = False,
) -> Iterator[Iterator[Results]]:
    """Give what `wei7core.batch.batches` makes of `sources`, which read `paths`; the block writes it to `target`.

    With `resume` it is kept beside the target until the block ends without an exception, and what an earlier run has
    kept comes first: it is neither decoded nor replayed again, though files are read once more, but for large
    ones of a record a line. The pieces are the same however often the run was broken off. Without
    `resume` what was kept is removed in the end. Raises `wei7core.batch.checkpoint.ResumeError`.
    """
    asked = {name: value for name, value in asdict(options).items() if name != "limits"}
    with open_checkpoint(target, {"command": "replay", "size": size, **asked} if resume else None, paths) as kept:
        if kept is None:
            yield batches(sources, options, jobs, size, ahead=ahead)
        else:
            yield _resumed(sources, options, jobs, size, kept, ahead=ahead)


def _resumed(
    sources: Sources, options: Options, jobs: int, size: int, kept: Checkpoint, *, ahead: bool
) -> Iterator[Results]:
    from zipfile import BadZipFile

    place = ResumePoint()
    for data in kept:
        try:
            results, place = _read(data, options)
        except (KeyError, ValueError, BadZipFile) as error:
            raise ResumeError(f"a part of the unfinished run cannot be read: {error}") from None
        yield results
    for results, behind in placed_batches(sources, options, jobs, size, place, ahead=ahead):
        kept.add(_written(results, behind))
        yield results


def _written(results: Results, place: ResumePoint) -> bytes:
    problems = [[severity, code, count] for (severity, code), count in results.problems.items()]
    head = json.dumps({"groups": place.groups, "lines": place.lines, "problems": problems})
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
    return Results(rows, positions=positions, problems=problems), ResumePoint(head["groups"], head["lines"])


def _columns(arrays: Arrays, table: str, columns: tuple[Column, ...]) -> dict[str, ColumnData]:
    return {column.name: _column(arrays, f"{table}-{column.name}", column) for column in columns}


def _column(arrays: Arrays, name: str, column: Column) -> ColumnData:
    if column.kind == "board":
        return Boards(arrays[f"{name}-widths"], arrays[f"{name}-heights"], arrays[f"{name}-data"])
    valid = arrays.get(f"{name}-valid")
    if column.kind == "text":
        return Texts(arrays[f"{name}-offsets"], arrays[f"{name}-data"], valid)
    return Numbers(arrays[f"{name}-values"], valid)
