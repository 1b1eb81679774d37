"""Fingerprints of games, of their first moves and of their texts, comparable across files and machines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..replaying.replay import replay_record
from ..sources.chunks import Chunk, RawRecord
from ..tables.columns import Column, ColumnData, Numbers
from ..tables.table import Table
from .options import COUNTED, Options
from .run import engine_results, in_utf8_of
from .single_records import record_of
from .summaries import PREFIX_MOVES, game_facts, summary_dtype, text_keys

if TYPE_CHECKING:
    import numpy.typing as npt

_PREFIXES: Final = tuple(f"prefix_{moves}" for moves in PREFIX_MOVES)

KEY_COLUMNS: Final = (
    Column("record", "integer"),
    Column("moves", "integer"),
    Column("game_key", "hash", optional=True),
    *(Column(name, "hash", optional=True) for name in _PREFIXES),
    Column("text_key", "hash", optional=True),
    Column("text_key_2", "hash", optional=True),
)
"""The columns of keys, in order.

`game_key` identifies the size, the setup before the first move and all moves in force at the end of the main line, up
to the symmetries of the board; absent without a move, and for a record that cannot be replayed to its end. `prefix_20`
and so on are the keys of the first 20 (and so on) moves, absent for shorter games. `text_key` and `text_key_2` together
identify the bytes of the record without surrounding white space. Keys are the same on every platform and in every
release.
"""


class KeyRow(NamedTuple):
    """The keys of one record; see `KEY_COLUMNS`."""

    record: int
    moves: int
    game_key: int | None
    prefix_20: int | None
    prefix_40: int | None
    prefix_60: int | None
    prefix_80: int | None
    prefix_120: int | None
    prefix_160: int | None
    prefix_200: int | None
    text_key: int | None
    text_key_2: int | None


def keys_of(items: Sequence[Chunk | RawRecord], options: Options) -> Table:
    """Return the keys of all records of `items`, numbered from 0 in their order.

    Thread safe; the GIL is not held while most records are decoded and replayed.
    """
    facts: list[npt.NDArray[np.void]] = [np.zeros(0, summary_dtype())]
    moves: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    for item in items:
        if isinstance(item, Chunk):
            _add_block(item, options, facts, moves)
        else:
            count, found = _alone(item, options)
            facts.append(found)
            moves.append(np.array([count], np.int64))
    found, counts = np.concatenate(facts), np.concatenate(moves)
    is_played = (counts > 0) & (found["game_key"] != 0)
    has_text = found["text_keys"].any(axis=1)
    data: dict[str, ColumnData] = {
        "record": Numbers(np.arange(len(found), dtype=np.int64)),
        "moves": Numbers(counts),
        "game_key": _hashes(found["game_key"], is_played),
        "text_key": _hashes(found["text_keys"][:, 0], has_text),
        "text_key_2": _hashes(found["text_keys"][:, 1], has_text),
    }
    for place, (name, least) in enumerate(zip(_PREFIXES, PREFIX_MOVES, strict=True)):
        data[name] = _hashes(found["prefix_keys"][:, place], is_played & (counts >= least))
    return Table(KEY_COLUMNS, data, KeyRow)


def keys_of_text(data: bytes) -> tuple[int, int]:
    """Return the `text_keys` of a record without surrounding white space."""
    found: tuple[int, int] = text_keys(data.strip(b" \t\r\n"))
    return found


def _hashes(values: npt.NDArray[np.uint64], valid: Any) -> Numbers:
    return Numbers(np.where(valid, values, np.uint64(0)), None if valid.all() else valid)


def _add_block(
    block: Chunk, options: Options, facts: list[npt.NDArray[np.void]], moves: list[npt.NDArray[np.int64]]
) -> None:
    columns = {"facts": True, "counted": COUNTED, "problems": True, "in_utf8": partial(in_utf8_of, options=options)}
    for begin, piece in engine_results(block, 0, len(block), options, **columns):
        found, counts = piece.facts, piece.rows["moves"].astype(np.int64)
        assert found is not None
        if piece.failures is not None:
            rows, *_ = piece.failures
            for place in rows["text"][rows["is_error"]].tolist():
                data = block.text(begin + place).data
                assert data is not None
                counts[place], found[place] = 0, np.zeros((), summary_dtype())
                found["text_keys"][place] = keys_of_text(data)
        for place in np.flatnonzero(piece.rows["is_deferred"]).tolist():
            counts[place], found[place : place + 1] = _alone(block.text(begin + place), options)
        facts.append(found)
        moves.append(counts)


def _alone(text: RawRecord, options: Options) -> tuple[int, npt.NDArray[np.void]]:
    """The moves and the summary row of one record, or only the keys of its text if it cannot be replayed to its end."""
    row = np.zeros(1, summary_dtype())
    if text.data is None:
        return 0, row
    moves: list[Any] = []
    record = record_of(text, options)
    replayed = replay_record(record, limits=options.limits)
    if replayed.error is None and replayed.board is not None:
        # The pickled state of a board is its setup, moves and edits.
        _, (width, height, cells, _, moves, edits) = replayed.board.__reduce__()
        setup = [(cell, (place % width, place // width)) for place, cell in enumerate(cells) if cell]
        row[0] = game_facts(width, height, setup, moves, edits=edits)
    row["text_keys"] = keys_of_text(text.data)
    return len(moves), row
