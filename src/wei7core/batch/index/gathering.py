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
from ...sources.chunks import Chunk, RawRecord
from ...sources.sources import Sources
from .._engine import EngineResult
from ..assemble import Positions, alone
from ..fallback import positions_of_record, replay_raw_record
from ..options import Options
from ..run import Task, engine_results, items_of, tasks_of
from ._search import add_records

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..metadata import Metadata

__all__ = ["Frames", "Gathered", "GatheredRow", "HeaderRows", "code_type", "gathered", "joined_frames"]

Array: TypeAlias = "npt.NDArray[Any]"

_RUN_COLUMNS: Final = ("begin", "text", "path_size", "width", "height")


def code_type(area: int) -> type[np.uint16 | np.uint32]:
    """The type of the codes of a board: `point << 2`, with 2 bits below, where a pass is at point `area`."""
    return np.uint16 if (area + 1) << 2 <= 1 << 16 else np.uint32


class GatheredRow(NamedTuple):
    """The row of a record, without its metadata. `width` is 0 if no board could be made."""

    source: str
    record: int
    width: int
    height: int
    moves: int
    error: str | None


class HeaderRows(NamedTuple):
    """The metadata of some records in turn: those of a piece, and of those `found` by their places in it."""

    piece: EngineResult
    format: str
    found: dict[int, Metadata | None]


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of games on boards of one size.

    `games` are the numbers of the games and `counts` how many frames each has. `moves` has a code a frame,
    `point << 2 | color`: color 0 is the start or a setup, point `width * height` a pass. `changes` are codes
    `point << 2 | removed << 1 | color - 1` of the stones that a frame adds or removes in addition to that of its move,
    and `change_frames` the numbers of their frames, ascending.
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
    """Some records in turn: a row for each, their metadata, and the frames of those that have a board, by its size."""

    rows: list[GatheredRow]
    headers: list[HeaderRows]
    frames: list[Frames]


def gathered(sources: Sources, options: Options, jobs: int) -> Iterator[Gathered]:
    """Read, replay and gather all records of `sources`, in their order; `jobs` threads share the work."""
    groups = tasks_of(sources.pieces(), options, None)
    return (made for _, made in ordered_map(partial(_gathered_group, options=options), groups, jobs))


def _gathered_group(group: Task, options: Options) -> Gathered:
    made = Gathered([], [], [])
    for item in items_of(group):
        if isinstance(item, RawRecord):
            made.headers.append(HeaderRows(alone(), "wei7", {0: _add_alone(item, options, made)}))
        else:
            _add_block(*item, options, made)
    return made


def _add_block(block: Chunk, begin: int, end: int, options: Options, made: Gathered) -> None:
    rows = made.rows
    pieces = engine_results(
        block, begin, end, options, positions=True, sparse=True, metadata=True, counted=options.counted
    )
    for at, piece in pieces:
        assert piece.positions is not None
        first = len(rows)
        found: dict[int, Metadata | None] = {}
        figures = zip(
            *(piece.rows[name].tolist() for name in ("width", "height", "moves", "needs_fallback")), strict=True
        )
        for place, (width, height, moves, left) in enumerate(figures):
            number = at + place
            if left:
                found[place] = _add_alone(block.text(number), options, made)
                continue
            if isinstance(block.sources, tuple):
                source, record = block.sources[number], 0
            else:
                source, record = block.sources, block.first + number
            rows.append(GatheredRow(source, record, width, height, moves, None))
        made.headers.append(HeaderRows(piece._replace(positions=None), block.format, found))
        in_force = np.where(piece.rows["needs_fallback"], -1, piece.rows["moves"])
        sizes = piece.rows["width"], piece.rows["height"]
        made.frames.extend(_frames_of(piece.positions, at, *sizes, in_force, first))


def _add_alone(text: RawRecord, options: Options, made: Gathered) -> Metadata | None:
    """Add a record that the compiled replay leaves, and return its metadata."""
    outcome = replay_raw_record(text, options)
    row = outcome.row
    first = len(made.rows)
    width, height = row.width or 0, row.height or 0
    if row.hash is None:  # no board was made
        width = height = 0
    made.rows.append(GatheredRow(row.source, row.record, width, height, row.moves, row.error))
    if width:
        widths, heights, moves = (np.array([number], np.int64) for number in (width, height, row.moves))
        positions = positions_of_record(outcome, options, sparse=True)
        made.frames.extend(_frames_of(positions, 0, widths, heights, moves, first))
    return outcome.metadata


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
        room = len(positions["step"]) + len(moves)
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
