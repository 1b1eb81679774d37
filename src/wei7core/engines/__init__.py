"""wei7core on clusters: `wei7core.arrow` mapped by Ray Data, Spark and Dask, one module for each.

`replay` of each takes and returns what the engine itself works with. Nothing is kept between batches, so that the
engine may run, repeat and move them as it likes. Extras of the same names install the engines:
`pip install 'wei7core[dask]'`, `[ray]`, `[spark]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

__all__ = ["Run"]

Run: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""What `cluster` of each gives: it yields what a function makes of each of some tasks, in any order.

Where the function has an attribute `is_short` that is true, an engine whose tasks are dear may run several as one.
"""
