"""The variety of openings: the entropy of the positions after the first moves of many games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._util.lazy_numpy import Array

OPENING_MOVES = 16
"""The largest number of moves after which positions are compared."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The positions after `moves` moves: of how many games, and their Shannon entropy in bits."""

    moves: int
    games: int
    entropy: float


def entropy(keys: Array) -> float:
    """Return the Shannon entropy of the values, in bits: 0 where all are equal, log2 of their number where none are."""
    if len(keys) == 0:
        return 0.0
    counts = np.unique(keys, return_counts=True)[1]
    return float(np.log2(len(keys)) - np.sum(counts * np.log2(counts)) / len(keys))


class OpeningSample:
    """The opening keys of games: of all, or of `most` that are chosen by their numbers alone.

    The sample has the games whose numbers, mixed by SplitMix64, are least: all games are equally likely, and the same
    input gives the same sample. For one thread at a time.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.games = 0
        self._keys = np.empty((0, OPENING_MOVES), np.uint64)
        self._ranks = np.empty(0, np.uint64)
        self._waiting: list[tuple[Array, Array]] = []
        self._size = 0

    @property
    def is_sample(self) -> bool:
        """Whether there were more games than the sample has."""
        return self.games > self.most

    def add(self, keys: Array) -> None:
        """Add games: a row of keys for each, 0 where it has fewer moves."""
        ranks = _mixed(np.arange(self.games + 1, self.games + 1 + len(keys), dtype=np.uint64))
        self.games += len(keys)
        if len(self._ranks) == self.most:
            chosen = ranks <= self._ranks.max(initial=0)
            ranks, keys = ranks[chosen], keys[chosen]
        self._waiting.append((ranks, np.array(keys, np.uint64)))
        self._size += len(ranks)
        if self._size >= max(self.most, 1):
            self._fold()

    def _fold(self) -> None:
        ranks = np.concatenate([self._ranks, *(ranks for ranks, _ in self._waiting)])
        keys = np.concatenate([self._keys, *(keys for _, keys in self._waiting)])
        self._waiting, self._size = [], 0
        if len(ranks) > self.most:
            chosen = np.sort(np.argpartition(ranks, self.most - 1)[: self.most])
            ranks, keys = ranks[chosen], keys[chosen]
        self._ranks, self._keys = ranks, keys

    def spread(self, moves: int) -> Spread:
        """Return the statistics of the positions after `moves` moves, 1 to 16, of the games that have as many."""
        if self._waiting:
            self._fold()
        keys = self._keys[:, moves - 1]
        keys = keys[keys != 0]
        return Spread(moves, len(keys), entropy(keys))


def _mixed(numbers: Array) -> Array:
    """Outputs of SplitMix64 by their numbers."""
    z = numbers * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
