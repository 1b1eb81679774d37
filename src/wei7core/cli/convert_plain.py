"""Records on their way through `wei7core convert`: plain ones of SGF many at once, all others one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ..batch._engine import replay_texts
from ..batch.options import Options
from ..batch.single_records import ReplayedRecord, replay_each
from ..formats.registry import id_in
from ..game.conversion.plain_records import plain_texts
from ..sources.chunks import Chunk
from ..sources.sources import Sources
from .convert_names import Origin

_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class PlainRun:
    """Consecutive records of a block, from number `begin` on, that have no problem and were converted at once.

    `data` are the converted ones, `moved` what `moved_losses` makes their losses of, `names` the bytes of GN or None of
    each, `moves` those in force of all of them.
    """

    block: Chunk
    begin: int
    data: list[bytes]
    moved: list[bytes]
    names: list[bytes | None]
    moves: int

    def origin(self, index: int) -> Origin:
        """Return where a record of the run comes from."""
        number, name = self.begin + index, self.names[index]
        (run,) = self.block.runs_of(number, number + 1)
        return Origin(run.source, run.first, None if name is None else id_in("sgf", name), run.one_of_many)


def outcomes(sources: Sources, done: int, format: str, options: Options) -> Iterator[PlainRun | ReplayedRecord]:
    """Yield what becomes of the records after the first `done` on their way to `format`, in order.

    Those that are no plain ones are replayed, to be converted by the caller.
    """
    for item in sources.blocks():
        count = len(item) if isinstance(item, Chunk) else 1
        begin, done = min(done, count), done - min(done, count)
        if begin == count:
            continue
        if not isinstance(item, Chunk):
            yield from replay_each([item], options)
        elif item.format != "sgf" or options.encoding is not None:  # an encoding that the user names may be doubted
            yield from replay_each(map(item.text, range(begin, count)), options)
        else:
            for first in range(begin, count, _AT_ONCE):
                yield from _some(item, first, min(first + _AT_ONCE, count), format, options)


def _some(block: Chunk, begin: int, end: int, format: str, options: Options) -> Iterator[PlainRun | ReplayedRecord]:
    view = memoryview(block.data)
    places = zip(block.begins[begin:end].tolist(), block.ends[begin:end].tolist(), strict=True)
    texts = [bytes(view[first:last]) for first, last in places]
    figures, _ = replay_texts(texts, ["sgf"] * len(texts), limits=options.limits)
    deferred, moves = figures["is_deferred"].tolist(), figures["moves"].tolist()
    spans = list(zip(figures["name_begin"].tolist(), figures["name_end"].tolist(), strict=True))
    clean = [row for row, is_left in enumerate(deferred) if not is_left]
    made: list[tuple[bytes, bytes] | None] = [None] * len(texts)
    for row, data in zip(clean, plain_texts([texts[row] for row in clean], format, options.limits), strict=True):
        made[row] = data
    for is_plain, group in groupby(range(len(texts)), lambda row: made[row] is not None):
        rows = list(group)
        if not is_plain:
            yield from replay_each([block.text(begin + row) for row in rows], options)
            continue
        names = [texts[row][slice(*spans[row])] if spans[row][0] >= 0 else None for row in rows]
        converted = [one for one in made[rows[0] : rows[-1] + 1] if one is not None]
        yield PlainRun(
            block,
            begin + rows[0],
            [data for data, _ in converted],
            [moved for _, moved in converted],
            names,
            sum(moves[rows[0] : rows[-1] + 1]),
        )
