"""What is between games, found by comparing each game with all before it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from wei7core.batch.summaries import PREFIX_MOVES, keys_of_texts, summary_dtype
from wei7core.checking.duplicates import DEFAULT_BETWEEN, BetweenGames


@dataclass
class Game:
    """One game by its keys; 0 is no key."""

    text: tuple[int, int]
    game: int = 0
    position: int = 0
    moves: int = 0
    prefixes: list[int] = field(default_factory=lambda: [0] * len(PREFIX_MOVES))
    openings: list[int] = field(default_factory=lambda: [0] * 16)
    id: str = ""
    source: str = "games"
    record: int = 0
    offset: int = 0
    line: int = 1
    column: int = 1


def expected(games, options=DEFAULT_BETWEEN):
    """The findings as (code, number, number of the first, moves in common), in order, but for the openings."""
    copies, same, reported, found = set(), set(), set(), []

    def first(number, alike, others):
        return next((other for other in range(number) if other in others and alike(games[other], games[number])), None)

    def report(code, number, other, detail=0):
        found.append((number, code, other, detail))

    everything = range(len(games))
    for number in everything:
        if any(games[number].text) and games[number].text[0]:
            other = first(number, lambda a, b: a.text == b.text, everything)
            if other is not None:
                copies.add(number)
                report("duplicate-bytes", number, other)
    remaining = [number for number in everything if number not in copies]
    long = [number for number in remaining if games[number].moves >= max(1, options.least_moves)]
    for number in long:
        key = games[number].game
        other = first(number, lambda a, b: (a.game, a.position, a.moves) == (b.game, b.position, b.moves), long)
        if key and other is not None:
            same.add(number)
            report("duplicate-game", number, other)
    for number in remaining:
        other = first(number, lambda a, b: a.id == b.id, remaining)
        if games[number].id and other is not None:
            report("duplicate-id", number, other)
    remaining = [number for number in remaining if number not in same]
    for number in (number for number in long if number in remaining):
        other = first(number, lambda a, b: a.position == b.position, set(long) & set(remaining))
        if games[number].position and other is not None:
            reported.add(number)
            report("near-duplicate", number, other)
    for level in range(len(PREFIX_MOVES) - 1, -1, -1):
        moves = PREFIX_MOVES[level]
        for number in remaining if moves >= options.prefix_moves else []:
            key = games[number].prefixes[level]
            other = first(number, lambda a, b, k=level: a.prefixes[k] == b.prefixes[k], remaining)
            if key and other is not None and number not in reported:
                reported.add(number)
                shorter = min(games[number].moves, games[other].moves)
                near = moves >= options.long_prefix or moves >= 3 / 4 * shorter
                report("near-duplicate" if near else "shared-prefix", number, other, moves)
    order = ["duplicate-bytes", "duplicate-game", "duplicate-id", "near-duplicate", "shared-prefix"]
    return [
        (code, number, other, detail)
        for number, code, other, detail in sorted(found, key=lambda one: (one[0], order.index(one[1])))
    ]


def entropy(games, moves):
    """The entropy of the positions after so many moves, and the number of games that have them."""
    keys = Counter(game.openings[moves - 1] for game in games if game.openings[moves - 1])
    total = keys.total()
    return -sum(count / total * math.log2(count / total) for count in keys.values()) if total else 0.0, total


def facts_of(games):
    facts = np.zeros(len(games), summary_dtype())
    for row, game in zip(facts, games, strict=True):
        row["text_keys"], row["game_key"] = game.text, game.game
        row["prefix_keys"], row["opening_keys"] = game.prefixes, game.openings
    return facts


def fill(between, games, batches=1):
    """Add games, in so many batches."""
    for some in np.array_split(np.arange(len(games)), batches):
        batch = [games[number] for number in some]
        ids = [game.id.encode() for game in batch]
        between.add(
            [(game.source, 1) for game in batch],
            np.array([game.record for game in batch], np.int64),
            facts_of(batch),
            moves=np.array([game.moves for game in batch], np.int64),
            canonical_hashes=np.array([game.position for game in batch], np.uint64),
            ids=b"".join(ids),
            id_sizes=np.array([len(name) or -1 for name in ids], np.int64),
            offsets=np.array([game.offset for game in batch], np.int64),
            lines=np.array([game.line for game in batch], np.int64),
            columns=np.array([game.column for game in batch], np.int64),
        )


def found_between(games, batches=1, **options):
    """The findings of `BetweenGames`."""
    with BetweenGames(**options) as between:
        fill(between, games, batches)
        return list(between.findings())


def keys_of(texts):
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return keys_of_texts(b"".join(texts), ends - [len(text) for text in texts], ends)
