"""Cluster engines: `wei7core.arrow` mapped by Dask, Ray Data and Spark, one module each.

May import `arrow` and all that it uses. Start with `dask.py`, the shortest, then `shards.py` and `parts.py`, which cut
the command's work into tasks. `replay` of each takes and returns what the engine itself works with. Batches share no
state, so that the engine may run, repeat and move them. Extras of the same names install the engines: `pip install
'wei7core[dask]'`, `[ray]`, `[spark]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

__all__ = ["Run"]

Run: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""What `cluster` of each gives: it yields what a function makes of each of some tasks, in any order.

Where the function has an attribute `is_short` that is true, an engine whose tasks are dear may run several as one.
"""
