"""The data of each record for checks between games: keys, id and place, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..batch._engine import EngineResult
from ..batch.fingerprints import keys_of_text
from ..batch.summaries import game_facts, summary_dtype
from ..formats import _native
from ..sources.chunks import Chunk, RawRecord, after_space, numbers_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from .duplicates import BetweenGames
    from .judge import JudgedRecord


class GameRows(NamedTuple):
    """Records in the order of the input, as `BetweenGames.add` takes them."""

    sources: Sequence[tuple[str, int]]
    records: npt.NDArray[np.int64]
    facts: npt.NDArray[np.void]
    moves: npt.NDArray[np.int64]
    canonical_hashes: npt.NDArray[np.uint64]
    ids: bytes
    id_sizes: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]

    def renumbered(self, number: int) -> GameRows:
        """Return the rows with `number` added to the record numbers in their source."""
        return self._replace(records=self.records + number) if number else self

    def add_to(self, between: BetweenGames) -> None:
        """Add the records to `between`."""
        between.add(
            self.sources,
            self.records,
            self.facts,
            moves=self.moves,
            canonical_hashes=self.canonical_hashes,
            ids=self.ids,
            id_sizes=self.id_sizes,
            offsets=self.offsets,
            lines=self.lines,
            columns=self.columns,
        )


def rows_of_block(
    block: Chunk, begin: int, piece: EngineResult, judged: dict[int, JudgedRecord], not_compared: Sequence[int] = ()
) -> GameRows:
    """Return the rows of consecutive records of a block, from number `begin` on; `judged` are those checked
    individually, `not_compared` the places of others of which only the text is compared.
    """
    rows = piece.rows
    count = len(rows)
    assert piece.facts is not None
    facts, moves, hashes = piece.facts, rows["moves"].astype(np.int64), rows["canonical_hash"].copy()
    ids, sizes = piece.ids, rows["id_size"].astype(np.int64)
    deferred = [place for place in judged if rows["is_deferred"][place] or rows["problems"][place]]
    if not_compared:
        facts = facts.copy()
        text_keys = facts["text_keys"][not_compared]
        facts[not_compared] = np.zeros(1, summary_dtype())
        facts["text_keys"][not_compared] = text_keys
        moves[not_compared] = hashes[not_compared] = 0
    if deferred:
        facts = facts.copy()
        names = _names(ids, sizes)
        for place in deferred:
            record = judged[place]
            facts[place], moves[place], hashes[place] = _alone(record, block.text(begin + place).data)
            names[place] = (record.id or "").encode("utf-8", "surrogatepass")
        ids = b"".join(names)
        sizes = np.array([len(name) for name in names], np.int64)
    runs = block.runs_of(begin, begin + count)
    indices = np.arange(begin, begin + count)
    # After white space.
    begins, _ = after_space(np.frombuffer(memoryview(block.data), np.uint8), block.begins[indices], block.ends[indices])
    return GameRows(
        [run[:2] for run in runs],
        numbers_of(runs),
        facts,
        moves,
        hashes,
        ids,
        np.maximum(sizes, 0),
        *block.places_of(indices, begins),
    )


def rows_of_text(text: RawRecord, record: JudgedRecord) -> GameRows:
    """Return the row of one record that was checked individually."""
    facts, moves, canonical_hash = _alone(record, text.data)
    name = (record.id or "").encode("utf-8", "surrogatepass")
    data = text.data or b""
    # As in `Chunk.places_of`: a record of any other format is a text of its own.
    space = len(data) - len(data.lstrip()) if text.format == "sgf" else 0
    line, column = _native.pass_text(data, 0, space, text.line, text.column)
    return GameRows(
        [(text.source, 1)],
        np.array([text.record]),
        np.array([facts], summary_dtype()),
        np.array([moves]),
        np.array([canonical_hash], np.uint64),
        name,
        np.array([len(name)]),
        np.array([text.offset + space]),
        np.array([line]),
        np.array([column]),
    )


def _alone(record: JudgedRecord, data: bytes | None) -> tuple[np.void, int, int]:
    """Facts, moves and canonical hash of a record deferred by the compiled replay."""
    line = record.line
    if line is None:
        facts, moves, canonical_hash = np.zeros(1, summary_dtype()), 0, 0
    else:
        facts = np.atleast_1d(game_facts(line.width, line.height, line.stones, line.moves))
        moves, canonical_hash = len(line.moves), line.canonical_hash
    if data is not None:
        facts["text_keys"][0] = keys_of_text(data)
    return facts[0], moves, canonical_hash


def _names(ids: bytes, sizes: npt.NDArray[np.int64]) -> list[bytes]:
    ends = np.cumsum(np.maximum(sizes, 0)).tolist()
    return [ids[begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
