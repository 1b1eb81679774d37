"""Cluster engines: `wei7core.arrow` mapped by Dask, Ray Data and Spark, one module each.

May import `arrow` and its dependencies. Start with `dask.py`, the shortest, then `shards.py` and `part_writer.py`,
which split the command's work into tasks. `replay` of each takes and returns the data type of the engine. Batches share
no state, so that the engine may run, repeat and move them. Extras of the same names install the engines: `pip install
'wei7core[dask]'`, `[ray]`, `[spark]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

__all__ = ["Run"]

Run: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""The result of `cluster` of each engine:

it applies a function to tasks and yields the results in any order. If the function has a true attribute `is_short`, an
engine with expensive tasks may run several as one.
"""
