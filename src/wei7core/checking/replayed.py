"""The compiled replay of records of a block, with all that a check takes from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..batch._engine import EngineResult
from ..batch.options import COUNTED, Options
from ..batch.run import engine_results, in_utf8_of
from ..sources.chunks import Chunk


def replayed(block: Chunk, begin: int, end: int, options: Options) -> Iterator[tuple[int, EngineResult]]:
    """Replay records `begin` up to `end` of a block, and yield the first record of each piece with the piece."""
    columns = {"board": True, "facts": True, "counted": COUNTED, "problems": True}
    return engine_results(block, begin, end, options, in_utf8=partial(in_utf8_of, options=options), **columns)
