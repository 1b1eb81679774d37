"""Rows of a table that have the keys of an earlier row, found in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from .._util.lazy_numpy import Array
from .spill import Columns

Allowed: TypeAlias = "Callable[[int, int], Array]"
"""A mask of the rows of a range to compare."""

ROWS_AT_ONCE = 1 << 20
"""Rows that are sorted together, so that the additional memory does not grow with the table."""


def pairs(
    table: Columns, keys: Sequence[str], allowed: Allowed, rows_at_once: int = ROWS_AT_ONCE
) -> Iterator[tuple[Array, Array]]:
    """Yield arrays of the numbers of rows that have the `keys` of an earlier row, and the numbers of the first such
    rows.

    A first key of 0 is absent. The first key must be distributed like a hash: the table is scanned once for each
    `rows_at_once` of its rows, each time for the keys of one remainder. All rows with one key, however many, take the
    memory of one row.
    """
    parts = -(-len(table) // rows_at_once)
    for part in range(parts):
        repeated = _repeated(_first_keys(table, keys[0], allowed, parts, part), rows_at_once)
        if len(repeated):
            yield from _firsts(_candidates(table, keys, allowed, repeated), rows_at_once)


def _first_keys(table: Columns, key: str, allowed: Allowed, parts: int, part: int) -> Iterator[Array]:
    for begin, (values,) in table.pieces([key]):
        taken = allowed(begin, begin + len(values)) & (values != 0)
        if parts > 1:
            taken &= values % np.uint64(parts) == part
        yield values[taken]


def _repeated(pieces: Iterator[Array], rows_at_once: int) -> Array:
    """The repeated keys, ascending."""
    once = twice = np.empty(0, np.uint64)
    waiting: list[Array] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= rows_at_once:
            once, twice = _counted([once, *waiting], twice)
            waiting, size = [], 0
    return _counted([once, *waiting], twice)[1]


def _counted(pieces: list[Array], twice: Array) -> tuple[Array, Array]:
    values = np.concatenate(pieces)
    values.sort()
    same = values[1:] == values[:-1]
    again = values[1:][same]
    if len(again):
        values = _each_once(values)
        twice = np.concatenate([twice, again])
        twice.sort()
        twice = _each_once(twice)
    return values, twice


def _each_once(values: Array) -> Array:
    """The distinct ones of ascending values; np.unique, which hashes them, is many times slower."""
    once: Array = values[np.concatenate([[True], values[1:] != values[:-1]])]
    return once


def _candidates(table: Columns, keys: Sequence[str], allowed: Allowed, repeated: Array) -> Iterator[list[Array]]:
    """The numbers and keys of the rows that have one of the repeated keys."""
    # The search costs most, so the lowest bits of a key are compared first.
    bits = min(max(len(repeated).bit_length() + 4, 10), 24)
    low = np.uint64((1 << bits) - 1)
    may_be = np.zeros(1 << bits, bool)
    may_be[repeated & low] = True
    for begin, (first,) in table.pieces(keys[:1]):
        chosen = np.flatnonzero(may_be[first & low] & allowed(begin, begin + len(first)))
        places = np.minimum(np.searchsorted(repeated, first[chosen]), len(repeated) - 1)
        chosen = chosen[repeated[places] == first[chosen]]
        if len(chosen):
            others = [table.read(name, begin, begin + len(first))[chosen] for name in keys[1:]]
            yield [begin + chosen, first[chosen], *others]


def _firsts(pieces: Iterator[list[Array]], rows_at_once: int) -> Iterator[tuple[Array, Array]]:
    known: list[list[Array]] = []  # the first rows of their keys, then the pieces after them
    size = 0
    for piece in pieces:
        known.append(piece)
        size += len(piece[0])
        if size >= rows_at_once:
            found, firsts = _folded(known)
            known, size = [firsts], 0
            yield found
    if size:
        yield _folded(known)[0]


def _folded(known: list[list[Array]]) -> tuple[tuple[Array, Array], list[Array]]:
    """Rows and the first rows with their keys; and of each key the first row, in the order of the keys."""
    columns = [np.concatenate(column) for column in zip(*known, strict=True)]
    # Stable, with known rows first: of equal keys the first row comes first.
    order = np.lexsort(columns[:0:-1])
    columns = [column[order] for column in columns]
    heads = np.ones(len(order), bool)
    heads[1:] = False
    for column in columns[1:]:
        heads[1:] |= column[1:] != column[:-1]
    rows = columns[0]
    first_rows = rows[heads][np.cumsum(heads) - 1]
    return (rows[~heads], first_rows[~heads]), [column[heads] for column in columns]
