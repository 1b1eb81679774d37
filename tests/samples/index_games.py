"""Patterns that games have, or nearly have, and the files of an index of the games of `listed_games`."""

from __future__ import annotations

import random
from collections.abc import Sequence

from oracles import found

from wei7core.tables.writers import has_pyarrow

REGIONS = ("board", "corner", "side", "anywhere")
SIGNS = ".XO"


def own_files(*segments: int) -> list[str]:
    kinds = ("parquet", "w7s") if has_pyarrow() else ("w7s",)
    return ["index.json", "lock", *(f"segment-{number:06}.{kind}" for number in segments for kind in kinds)]


def cut(chance: random.Random, games: list[found.Listed], region: str) -> list[str]:
    """A pattern that matches, or nearly matches, one of the games."""
    game = chance.choice(games)
    stones = chance.choice(found.frames(game)).stones
    rows = ["".join(SIGNS[stones.get((x, y), 0)] for x in range(game.width)) for y in range(game.height)]
    rows = found.turned(rows, chance.randrange(8))
    if region != "board":
        width, height = chance.randint(1, len(rows[0])), chance.randint(1, len(rows))
        x, y = chance.randint(0, len(rows[0]) - width), chance.randint(0, len(rows) - height)
        if region in ("corner", "side"):
            y = 0
        if region == "corner":
            x = 0
        rows = [row[x : x + width] for row in rows[y : y + height]]
    looser = chance.choice(("", "?", "?xo*"))
    return [
        "".join(chance.choice(looser) if looser and chance.random() < 0.4 else sign for sign in row) for row in rows
    ]


def first_of_folded(rows: list[str], own: Sequence[int]) -> dict[str, str]:
    """The name of each point, and of the first point, row by row, that symmetries of the pattern exchange it with."""
    height, width = len(rows), len(rows[0])
    pattern = found.Listed(width, height)
    kept = [number for number in own if found.turned(rows, number) == rows]

    def name(y: int, x: int) -> str:
        return f"{'ABCDEFGHJ'[x]}{height - y}"

    return {
        name(y, x): name(*min(found.unturned(pattern, (x, y), number)[::-1] for number in kept))
        for y in range(height)
        for x in range(width)
    }
