"""What an index keeps of each record: the frames of its main line, as arrays.

A frame is a position of a game that is in force at the end of its main line: the start, the position after each move in
force, and after each setup between them. It is kept as what it changes of the frame before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..._util.ordered_map import ordered_map
from ...formats.registry import read_document
from ...formats.sgf.text import simple_text
from ...formats.wei7.info import read_info
from ...record.result import GameResult
from ...sources.chunks import RecordBlock, RecordText
from ...sources.sources import Sources
from ...tables.columns import Boards, Numbers, Texts
from ...tables.packed_boards import packed_size
from .._engine import bulk_format, replay_block
from ..fallback import Outcome, outcome_of, outcome_positions
from ..options import Options
from ..run import Group, groups_of, items_of

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["NO_WINNER", "Frames", "Gathered", "GatheredRow", "code_type", "gathered", "joined_frames"]

Array: TypeAlias = "npt.NDArray[Any]"

NO_WINNER: Final = 0
_RESULT: Final = 1  # of the spans of the facts of a record
_FAR: Final = 1 << 40  # more than any record has moves


def code_type(area: int) -> str:
    """The type of the codes of a board: `point << 2`, with 2 bits below, where a pass is at point `area`."""
    return "<u2" if (area + 1) << 2 <= 1 << 16 else "<u4"


class GatheredRow(NamedTuple):
    """What is kept of a record as a whole. `width` is 0 where no board could be made; `winner` 0 where nobody won."""

    source: str
    record: int
    width: int
    height: int
    moves: int
    winner: int
    error: str | None


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of games on boards of one size.

    `games` are the numbers of the games and `counts` how many frames each has. `moves` has a code a frame,
    `point << 2 | color`: color 0 is the start or a setup, point `width * height` a pass. `changes` are codes
    `point << 2 | removed << 1 | color - 1` of the stones that a frame puts or removes besides that of its move, and
    `change_frames` the numbers of their frames, ascending. `hashes` are those of the positions.
    """

    width: int
    height: int
    games: Array
    counts: Array
    moves: Array
    change_frames: Array
    changes: Array
    hashes: Array


@dataclass(frozen=True, slots=True)
class Gathered:
    """Some records in turn: a row for each, and the frames of those that have a board, by its size."""

    rows: list[GatheredRow]
    frames: list[Frames]


class _Rows(NamedTuple):
    """Pause points of the main lines of records, in their order; `texts` are the numbers of the records."""

    texts: Array
    steps: Array
    move_numbers: Array
    colors: Array
    xs: Array
    ys: Array
    widths: Array
    heights: Array
    hashes: Array
    boards: Array
    offsets: Array


def gathered(sources: Sources, options: Options, jobs: int) -> Iterator[Gathered]:
    """Read, replay and gather all records of `sources`, in their order; `jobs` threads share the work."""
    groups = groups_of(sources.pieces(), options, None)
    return (made for _, made in ordered_map(partial(_gathered_group, options=options), groups, jobs))


def _gathered_group(group: Group, options: Options) -> Gathered:
    rows: list[GatheredRow] = []
    frames: list[Frames] = []
    winners: dict[tuple[str, bytes], int] = {}
    for item in items_of(group):
        if isinstance(item, RecordText):
            _add_alone(item, options, rows, frames)
        else:
            _add_block(*item, options, winners, rows, frames)
    return Gathered(rows, frames)


def _add_block(
    block: RecordBlock,
    begin: int,
    end: int,
    options: Options,
    winners: dict[tuple[str, bytes], int],
    rows: list[GatheredRow],
    frames: list[Frames],
) -> None:
    format = bulk_format(block.format, options.revision)
    while begin < end:
        piece = replay_block(
            block.data,
            block.begins[:end],
            block.ends[:end],
            format,
            first=begin,
            positions=True,
            facts=True,
            counted=options.counted,
            limits=options.limits,
        )
        assert piece.positions is not None and piece.facts is not None
        first = len(rows)
        spans = piece.facts["spans"][:, _RESULT].tolist()
        figures = zip(*(piece.rows[name].tolist() for name in ("width", "height", "moves", "left")), strict=True)
        view = memoryview(block.data)
        for place, (width, height, moves, left) in enumerate(figures):
            if left:
                _add_alone(block.text(begin + place), options, rows, frames)
                continue
            number = begin + place
            said_from, said_to = spans[place]
            winner = NO_WINNER
            if said_from >= 0:
                start = int(block.begins[number])
                said = bytes(view[start + said_from : start + said_to])
                key = (block.format, said)
                if key not in winners:
                    winners[key] = _winner_said(*key)
                winner = winners[key]
            if isinstance(block.sources, tuple):
                source, record = block.sources[number], 0
            else:
                source, record = block.sources, block.first + number
            rows.append(GatheredRow(source, record, width, height, moves, winner, None))
        made = _main_line_of_piece(piece.positions)
        kept = np.flatnonzero(piece.rows["left"] == 0)
        frames += _frames_of(
            made._replace(texts=made.texts - begin),
            kept,
            piece.rows["width"][kept].astype(np.int64),
            piece.rows["height"][kept].astype(np.int64),
            piece.rows["moves"][kept].astype(np.int64),
            first,
        )
        begin += piece.records


def _add_alone(text: RecordText, options: Options, rows: list[GatheredRow], frames: list[Frames]) -> None:
    """Add a record that the compiled replay leaves."""
    outcome = outcome_of(text, options)
    row = outcome.row
    first = len(rows)
    width, height = row.width or 0, row.height or 0
    if row.hash is None:  # no board was made
        width = height = 0
    rows.append(GatheredRow(row.source, row.record, width, height, row.moves, _winner_of(outcome), row.error))
    if width:
        widths, heights, moves = (np.array([side], np.int64) for side in (width, height, row.moves))
        frames += _frames_of(_main_line_of_outcome(outcome), np.zeros(1, np.int64), widths, heights, moves, first)


def _winner_said(format: str, said: bytes) -> int:
    """Who won by what a header says, as written."""
    try:
        result: GameResult | None
        if format == "sgf":
            result = GameResult.parse(simple_text(said.decode("utf-8")))
        else:
            told = read_info(b'{"result":%b}' % said).result
            result = None if told is None else GameResult.from_result(told)
    except ValueError:
        return NO_WINNER
    return NO_WINNER if result is None else result.winner or NO_WINNER


def _winner_of(outcome: Outcome) -> int:
    if outcome.record is None:
        return NO_WINNER
    try:
        document = read_document(outcome.record)
        said = document.properties.get("RE") if outcome.record.format == "sgf" else None
        if said:
            return GameResult.parse(simple_text(said[0])).winner or NO_WINNER
        told = document.info.result
        return NO_WINNER if told is None else GameResult.from_result(told).winner or NO_WINNER
    except ValueError:
        return NO_WINNER


# --- the main line -----------------------------------------------------------


def _main_line_of_piece(made: dict[str, Array]) -> _Rows:
    """The pause points of the main lines among those of all branches: its path is of zeros alone."""
    sizes = packed_size(made["width"].astype(np.int64), made["height"].astype(np.int64))
    ends, path_ends = np.cumsum(sizes), np.cumsum(made["branch_size"], dtype=np.int64)
    paths = made["branches"]
    # Of the bytes of paths, what is neither a zero nor a dot, nor the sign of the root, is of another branch.
    other = np.flatnonzero((paths != ord("0")) & (paths != ord(".")) & (paths != ord("-")))
    is_main = np.ones(len(sizes), bool)
    is_main[np.searchsorted(path_ends, other, "right")] = False
    # A path such as 10 has a one; one such as 00 there is not.
    main = slice(None) if is_main.all() else np.flatnonzero(is_main)
    return _Rows(
        made["text"][main].astype(np.int64),
        made["step"][main].astype(np.int64),
        made["move_number"][main].astype(np.int64),
        made["color"][main].astype(np.int64),
        made["x"][main].astype(np.int64),
        made["y"][main].astype(np.int64),
        made["width"][main].astype(np.int64),
        made["height"][main].astype(np.int64),
        made["hash"][main],
        made["boards"],
        (ends - sizes)[main],
    )


def _main_line_of_outcome(outcome: Outcome) -> _Rows:
    data = outcome_positions(outcome).data
    paths, boards = data["branch"], data["board"]
    assert isinstance(paths, Texts) and isinstance(boards, Boards)
    main = np.array([not set(path or "") - set("0.-") for path in paths.to_list(0, len(paths))], bool)

    def numbers(name: str) -> Array:
        column = data[name]
        assert isinstance(column, Numbers)
        values: Array = column.values[main]
        return values if name == "hash" else values.astype(np.int64)

    xs = numbers("x")
    sides = boards.widths[main].astype(np.int64), boards.heights[main].astype(np.int64)
    steps, moves, colors, ys, hashes = (numbers(name) for name in ("step", "move_number", "color", "y", "hash"))
    texts = np.zeros(len(xs), np.int64)
    return _Rows(texts, steps, moves, colors, xs, ys, *sides, hashes, boards.data, boards.offsets[:-1][main])


def _in_force(rows: _Rows, moves_by_text: Array) -> Array:
    """The rows whose position is one of the game as it ended: no later takeback has gone behind them.

    A row is passed where a later one is a move of the same number or lower, or any row of a lower number, and where
    more moves were taken back at the end.
    """
    texts = rows.texts
    base = texts * _FAR
    limits = base + rows.move_numbers + np.where(rows.colors >= 0, 0, 1)
    later = np.full(len(texts) + 1, np.iinfo(np.int64).max)
    later[:-1] = np.minimum.accumulate(limits[::-1])[::-1]
    in_force: Array = (base + rows.move_numbers < later[1:]) & (rows.move_numbers <= moves_by_text[texts])
    return in_force


def _frames_of(rows: _Rows, kept: Array, widths: Array, heights: Array, moves: Array, first: int) -> Iterator[Frames]:
    """Yield the frames of the records `kept` (their numbers in `rows.texts`, with size and moves), by size.

    `first` is the number of the first record of all.
    """
    count = int(max(kept.max(initial=-1), rows.texts.max(initial=-1))) + 1
    by_text = np.full(count, -1, np.int64)
    by_text[kept] = moves
    chosen = np.flatnonzero(_in_force(rows, by_text))
    for key in np.unique(widths << 32 | heights).tolist():
        width, height = key >> 32, key & 0xFFFFFFFF
        of_size = np.flatnonzero((widths == width) & (heights == height))
        texts = kept[of_size]
        here = np.zeros(count, bool)
        here[texts] = True
        yield _frames_of_size(rows, chosen[here[rows.texts[chosen]]], texts, width, height, first)


def _frames_of_size(rows: _Rows, chosen: Array, texts: Array, width: int, height: int, first: int) -> Frames:
    area = width * height
    size = int(packed_size(width, height))
    counted = np.bincount(rows.texts[chosen], minlength=int(texts.max()) + 1)[texts]
    begins = np.cumsum(counted) - counted
    # A game that has no position before its first step begins with the empty board.
    starts = np.ones(len(texts), bool)
    some = counted > 0
    firsts = chosen[begins[some]]
    starts[some] = rows.steps[firsts] >= 0
    counts = counted + starts
    total = int(counts.sum())
    places = np.cumsum(counts) - counts  # of the first frame of each game
    own = np.ones(total, bool)
    own[places[starts]] = False
    at = np.flatnonzero(own)

    color = np.maximum(rows.colors[chosen], 0)
    x, y = rows.xs[chosen], rows.ys[chosen]
    point = np.where(x >= 0, y * width + x, area)
    codes = np.full(total, area << 2, np.int64)
    codes[at] = np.where(color > 0, point << 2 | color, area << 2)
    hashes = np.full(total, _empty_hash(width, height), np.uint64)
    hashes[at] = rows.hashes[chosen]

    # What a frame changes besides the stone of its move: the packed boards differ there.
    offsets = rows.offsets[chosen]
    packed = _packed_rows(rows.boards, offsets, size)
    before = np.zeros_like(packed)
    before[1:] = packed[:-1]
    before[np.searchsorted(at, places[some] + starts[some])] = 0
    change_frames, changes = _changes(packed, before, at, point, color, area)
    return Frames(
        width,
        height,
        (first + texts).astype(np.int64),
        counts.astype(np.int64),
        codes.astype(code_type(area)),
        change_frames,
        changes.astype(code_type(area)),
        hashes,
    )


def _packed_rows(boards: Array, offsets: Array, size: int) -> Array:
    """The packed boards at `offsets`, one a row."""
    if not len(offsets):
        return np.zeros((0, size), np.uint8)
    first = int(offsets[0])
    if int(offsets[-1]) - first == (len(offsets) - 1) * size and (np.diff(offsets) == size).all():
        return boards[first : first + len(offsets) * size].reshape(-1, size)
    packed: Array = boards[offsets[:, None] + np.arange(size)]
    return packed


def _changes(packed: Array, before: Array, at: Array, point: Array, color: Array, area: int) -> tuple[Array, Array]:
    """What each frame changes besides putting the stone of its move: the numbers of the frames and the codes."""
    differing = packed ^ before
    placed = np.flatnonzero((color > 0) & (point < area))
    at_move, own = point[placed], color[placed]
    byte, shift = at_move >> 2, 2 * (at_move & 3)
    old, new = before[placed, byte].astype(np.int64) >> shift & 3, packed[placed, byte].astype(np.int64) >> shift & 3
    differing[placed, byte] &= ~(3 << shift).astype(np.uint8)
    # A stone that was there already is replaced (SGF allows it), and one that has no liberty is removed at once.
    frames, changes = (
        [placed[old > 0], placed[new == 0]],
        [
            (at_move << 2 | 2 | old - 1)[old > 0],
            (at_move << 2 | 2 | own - 1)[new == 0],
        ],
    )
    row, byte = np.nonzero(differing)
    bits = differing[row, byte].astype(np.int64)
    old_byte, new_byte = before[row, byte].astype(np.int64), packed[row, byte].astype(np.int64)
    for k in range(4):
        changed = bits >> 2 * k & 3 > 0
        for removed, byte_of in ((2, old_byte), (0, new_byte)):
            state = byte_of >> 2 * k & 3
            which = changed & (state > 0)
            frames.append(row[which])
            changes.append((byte[which] * 4 + k) << 2 | removed | state[which] - 1)
    found, codes = np.concatenate(frames), np.concatenate(changes)
    order = np.argsort(found, kind="stable")
    return at[found[order]], codes[order]


def _empty_hash(width: int, height: int) -> int:
    from ...board.position import Position

    return Position(width, height, bytes(int(packed_size(width, height)))).hash


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
        np.concatenate([part.hashes for part in parts]),
    )
