"""Many records and many positions at once: replay to columns, keys of games, children of positions.

May import `replaying`, `sources`, `tables`, `formats`, `board` and `record`. Start with `run.py`, then `engine.h`, the
C loop over the records of a chunk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .run import replay, replay_batches

__all__ = ["replay", "replay_batches"]

__getattr__, __dir__ = lazy_attributes(__name__, {"run": tuple(__all__)})
