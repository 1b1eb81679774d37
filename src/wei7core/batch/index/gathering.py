"""The content of an index for each record: the frames of its main line, as arrays.

A frame is a position of a game that is in force at the end of its main line: the start, the position after each move in
force, and after each setup between them. It is stored as its changes from the frame before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..._util.ordered_map import ordered_map
from ...errors import PROBLEM_CODES
from ...sources.chunks import Chunk, RawRecord, numbers_of
from ...sources.sources import Sources
from .._engine import EngineResult
from ..assemble import Positions, alone
from ..options import COUNTED, Options
from ..run import Task, engine_results, in_utf8_of, items_of, tasks_of
from ..single_records import positions_of_record, replay_raw_record
from ._search import add_records
from .record_rows import RecordRows

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..metadata import Metadata

__all__ = ["Frames", "Gathered", "HeaderRows", "code_type", "gathered", "joined_frames"]

Array: TypeAlias = "npt.NDArray[Any]"

_RUN_COLUMNS: Final = ("begin", "text", "path_size", "width", "height")


def code_type(area: int) -> type[np.uint16 | np.uint32]:
    """The type of the codes of a board: `point << 2`, with 2 bits below, where a pass is at point `area`."""
    return np.uint16 if (area + 1) << 2 <= 1 << 16 else np.uint32


class HeaderRows(NamedTuple):
    """The metadata of consecutive records: those of a piece, and of those `found`, by their places in it."""

    piece: EngineResult
    format: str
    found: dict[int, Metadata | None]


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of games on boards of one size.

    `games` are the numbers of the games and `counts` how many frames each has. `moves` has a code for each frame:
    `point << 2 | color`: color 0 is the start or a setup, point `width * height` a pass. `changes` are codes `point <<
    2 | removed << 1 | color - 1` of the stones that a frame adds or removes in addition to that of its move, and
    `change_frames` the numbers of their frames, ascending.
    """

    width: int
    height: int
    games: Array
    counts: Array
    moves: Array
    change_frames: Array
    changes: Array


@dataclass(frozen=True, slots=True)
class Gathered:
    """Consecutive records: their rows and metadata, and the frames of those with a board, by its size."""

    rows: list[RecordRows]
    headers: list[HeaderRows]
    frames: list[Frames]


def gathered(sources: Sources, options: Options, jobs: int) -> Iterator[Gathered]:
    """Read, replay and gather all records of `sources`, in their order; `jobs` threads share the work."""
    groups = tasks_of(sources.pieces(), options, None)
    return (made for _, made in ordered_map(partial(_gathered_group, options=options), groups, jobs))


def _gathered_group(group: Task, options: Options) -> Gathered:
    made = Gathered([], [], [])
    count = 0
    for item in items_of(group):
        if isinstance(item, RawRecord):
            rows, metadata = _add_alone(item, options, count, made)
            made.rows.append(rows)
            made.headers.append(HeaderRows(alone(), "wei7", {0: metadata}))
            count += 1
        else:
            count = _add_block(*item, options, count, made)
    return made


def _add_block(block: Chunk, begin: int, end: int, options: Options, first: int, made: Gathered) -> int:
    """Add records of a block, numbered from `first` on, and return the number of the next one."""
    pieces = engine_results(
        block,
        begin,
        end,
        options,
        positions=True,
        sparse=True,
        metadata=True,
        counted=COUNTED,
        in_utf8=partial(in_utf8_of, options=options),
        failures=True,
        strict=options.strict,
    )
    for at, piece in pieces:
        assert piece.positions is not None
        width, height, moves = (piece.rows[name].astype(np.int64) for name in ("width", "height", "moves"))
        runs = block.runs_of(at, at + piece.records)
        has_board = ~piece.rows["is_deferred"] & (piece.rows["lacks"] == 0)
        width[~has_board] = height[~has_board] = 0
        of_boards = width.copy(), height.copy(), np.where(has_board, moves, -1)
        found: dict[int, Metadata | None] = {}
        errors = _errors_of(piece)
        for place in np.flatnonzero(piece.rows["is_deferred"]).tolist():
            own, found[place] = _add_alone(block.text(at + place), options, first + place, made)
            width[place], height[place], moves[place] = own.width[0], own.height[0], own.moves[0]
            if own.errors:
                errors[place] = own.errors[0]
        made.frames.extend(_frames_of(piece.positions, at, *of_boards, first))
        made.rows.append(RecordRows([run[:2] for run in runs], numbers_of(runs), width, height, moves, errors))
        made.headers.append(HeaderRows(piece._replace(positions=None), block.format, found))
        first += piece.records
    return first


def _errors_of(piece: EngineResult) -> dict[int, str]:
    """The codes of the errors of records, by their places."""
    if piece.failures is None:
        return {}
    rows = piece.failures[0]
    names = [PROBLEM_CODES[number].name for number in rows["code"].tolist()]
    return dict(zip(rows["text"].tolist(), names, strict=True))


def _add_alone(text: RawRecord, options: Options, number: int, made: Gathered) -> tuple[RecordRows, Metadata | None]:
    """Add the frames of a record that the compiled replay defers, and return its row and metadata."""
    outcome = replay_raw_record(text, options)
    row = outcome.row
    width, height = row.width or 0, row.height or 0
    if row.hash is None:  # no board was made
        width = height = 0
    record, widths, heights, moves = (np.array([value], np.int64) for value in (row.record, width, height, row.moves))
    if width:
        positions = positions_of_record(outcome, options, sparse=True)
        made.frames.extend(_frames_of(positions, 0, widths, heights, moves, number))
    errors = {} if row.error is None else {0: row.error}
    return RecordRows([(row.source, 1)], record, widths, heights, moves, errors), outcome.metadata


# --- the main line -----------------------------------------------------------


def _frames_of(
    positions: Positions, first_text: int, widths: Array, heights: Array, moves: Array, first: int
) -> Iterator[Frames]:
    """Yield the frames of records with these sparse positions, by the size of their boards.

    `widths`, `heights` and `moves` in force are those of the records, which positions number from `first_text` on, and
    frames from `first` on; those with -1 moves are not kept.
    """
    found = positions["run"]
    runs = {name: found[name].astype(np.int32 if name in ("width", "height") else np.int64) for name in _RUN_COLUMNS}
    runs["text"] = runs["text"] - first_text
    kept = moves >= 0
    sizes = widths.astype(np.int64) << 32 | heights.astype(np.int64)
    for key in sorted(set(sizes[kept].tolist())):
        width, height = key >> 32, key & 0xFFFFFFFF
        here = kept & (sizes == key)
        room = len(positions["code"]) + len(moves)
        counts = np.empty(len(moves), np.int64)
        codes = np.empty(room, code_type(width * height))
        of_size = np.where(here, moves, -1).astype(np.int64)
        total, *changed = add_records(positions, runs, of_size, (width, height), counts, codes)
        change_frames, changes = (np.frombuffer(data, np.uint32) for data in changed)
        games = np.flatnonzero(here)
        yield Frames(
            width,
            height,
            games + first,
            counts[games],
            codes[:total],
            change_frames.astype(np.int64),
            changes.astype(code_type(width * height)),
        )


def joined_frames(parts: Sequence[Frames]) -> Frames:
    """The frames of `parts`, at least one, all of one size, as one."""
    shifts = np.cumsum([0, *(len(part.moves) for part in parts[:-1])])
    return Frames(
        parts[0].width,
        parts[0].height,
        np.concatenate([part.games for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.change_frames + shift for part, shift in zip(parts, shifts.tolist(), strict=True)]),
        np.concatenate([part.changes for part in parts]),
    )
