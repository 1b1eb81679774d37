"""Arrow batches in, Arrow batches out: functions that dataframes and cluster engines map over their data.

May import `checking`, `batch` and `tables`; requires pyarrow (`pip install 'wei7core[arrow]'`). Start with
`functions.py`, the public interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .functions import (
        Options,
        check_batch,
        check_schema,
        expand_batch,
        expand_schema,
        keys_batch,
        keys_schema,
        positions_batch,
        positions_schema,
        replay_batch,
        replay_schema,
        replay_stream,
        tables_of,
    )

__all__ = [
    "Options",
    "check_batch",
    "check_schema",
    "expand_batch",
    "expand_schema",
    "keys_batch",
    "keys_schema",
    "positions_batch",
    "positions_schema",
    "replay_batch",
    "replay_schema",
    "replay_stream",
    "tables_of",
]

__getattr__, __dir__ = lazy_attributes(__name__, {"functions": tuple(__all__)})
