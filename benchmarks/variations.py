"""Millions of distinct games out of thousands: symmetries of the square, colours swapped, cuts at different lengths.

A move is a code: twice as many as there are points and a pass, black's first. A variation is then a table of codes,
and what is written of a move a table of texts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from samples import corpus

from wei7core.board.board import Board

SHORTEST = 40
"""Moves that no cut goes below. All games differ in these, in all their variations, so all records do."""
TURNS = 16
"""8 symmetries of the square, times 2 for the colours."""
RANDOM_SIZES = (9, 13, 19)

Codes = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class Base:
    """A game on a square board, as codes."""

    id: str
    size: int
    codes: Codes


@dataclass(frozen=True)
class Variation:
    """The first `length` moves of a game, turned by `turn` of `TURNS`."""

    base: Base
    turn: int
    length: int

    @property
    def id(self) -> str:
        return f"{self.base.id}-{self.turn}-{self.length}"


def turned_codes(size: int, turn: int) -> Codes:
    """Return what each code becomes: bits of `turn` for reflections, the diagonal, the colours."""
    points = np.arange(size * size).reshape(size, size)
    if turn & 1:
        points = points[:, ::-1]
    if turn & 2:
        points = points[::-1]
    if turn & 4:
        points = points.T
    color = np.append(points.ravel(), size * size)
    colors = [color, color + len(color)]
    return np.concatenate(colors[::-1] if turn & 8 else colors).astype(np.uint16)


def moves_of_codes(size: int) -> list[corpus.Move]:
    """Return the move of each code."""
    points = [(code % size, code // size) for code in range(size * size)]
    return [(color, point) for color in (1, 2) for point in (*points, None)]


def corpus_games(limit: int) -> Iterator[Base]:
    """Yield up to `limit` real games of 19x19; without the corpus there is none."""
    path = corpus.folder()
    if path is None:
        return
    codes = {move: code for code, move in enumerate(moves_of_codes(19))}
    for game in corpus.tygem_games(path, limit):
        yield Base(game.id, 19, np.fromiter(map(codes.__getitem__, game.moves), np.uint16, len(game.moves)))


def random_games(count: int, seed: int) -> Iterator[Base]:
    """Yield games of random moves by turns, a few of them passes: every third one on 9x9, 13x13, 19x19."""
    chance = np.random.default_rng(seed)
    sizes = itertools.cycle(RANDOM_SIZES)
    for number, size in zip(range(count), sizes, strict=False):
        area = size * size
        length = int(chance.integers(SHORTEST, area * 5 // 4))
        board = Board(size)
        codes: list[int] = []
        while len(codes) < length:
            for code in chance.permutation(area + 1).tolist():
                point = (code % size, code // size) if code < area else None
                if point is not None and board[point]:
                    continue
                color = len(codes) % 2
                board.play(1 + color, point)
                codes.append(code + color * (area + 1))
        yield Base(f"random-{seed}-{number}", size, np.array(codes[:length], np.uint16))


def all_different(games: Iterable[Base]) -> list[Base]:
    """Return the games without those whose first moves are a variation of another's, or of their own."""
    tables = {size: [turned_codes(size, turn) for turn in range(TURNS)] for size in RANDOM_SIZES}
    seen = set()
    kept = []
    for game in games:
        if len(game.codes) < SHORTEST:
            continue
        begin = game.codes[:SHORTEST]
        beginnings = {table[begin].tobytes() for table in tables[game.size]}
        name = (game.size, min(beginnings))
        if len(beginnings) == TURNS and name not in seen:
            seen.add(name)
            kept.append(game)
    return kept


def variations(games: list[Base], seed: int, longest: int | None = None) -> Iterator[Variation]:
    """Yield all variations of games that are `all_different`: no two with the same moves.

    Every game comes once before any comes again, and all turns before a shorter cut. `longest` cuts games to that
    many moves from the beginning.
    """
    chance = np.random.default_rng(seed)
    order = chance.permutation(len(games)).tolist()
    first_turns = chance.integers(TURNS, size=len(games)).tolist()
    lengths = [len(game.codes) if longest is None else min(len(game.codes), longest) for game in games]
    for left_out in itertools.count():
        order = [number for number in order if lengths[number] - left_out >= SHORTEST]
        if not order:
            return
        for turn in range(TURNS):
            for number in order:
                yield Variation(games[number], (first_turns[number] + turn) % TURNS, lengths[number] - left_out)
