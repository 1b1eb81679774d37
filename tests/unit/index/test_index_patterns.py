"""The points of patterns at all places, under all symmetries, are those of boards turned by hand."""

from __future__ import annotations

import random

import pytest
from oracles import found
from samples.index_games import REGIONS

from wei7core.batch.index.patterns import Pattern, forms_of


def turned_points(width: int, height: int, own: tuple[int, int], place: tuple[int, int], number: int) -> list[int]:
    """The numbers of the points of a pattern at a place of a board that is then turned."""
    letters = ["".join(chr(256 + y * width + x) for x in range(width)) for y in range(height)]
    where = {letter: k for k, letter in enumerate("".join(found.turned(letters, number)))}
    return [where[letters[place[1] + y][place[0] + x]] for y in range(own[1]) for x in range(own[0])]


@pytest.mark.parametrize("region", REGIONS)
def test_forms_are_those_of_boards_turned_by_hand(region):
    chance = random.Random(region)
    for _ in range(60):
        width, height = chance.choice([(5, 5), (4, 4), (5, 3), (3, 5), (1, 1), (1, 4)])
        own = chance.choice([(width, height), (height, width)])
        if region != "board":
            own = chance.randint(1, own[0]), chance.randint(1, own[1])
        signs = chance.choice([".", ".X", ".XO?"])
        rows = ["".join(chance.choice(signs) for _ in range(own[0])) for _ in range(own[1])]
        if chance.random() < 0.4:
            rows = rows[: (own[1] + 1) // 2] + rows[: own[1] // 2][::-1]
        pattern = Pattern.of("\n".join(rows))
        codes = pattern.allowed.reshape(-1).tolist()
        wanted = {}
        for number in range(8):
            sides = (height, width) if number & 4 else (width, height)
            if own[0] > sides[0] or own[1] > sides[1] or (region == "board" and own != sides):
                continue
            across = sides[0] - own[0] + 1 if region in ("side", "anywhere") else 1
            down = sides[1] - own[1] + 1 if region == "anywhere" else 1
            places = [turned_points(*sides, own, (x, y), number) for y in range(down) for x in range(across)]
            demands = frozenset(frozenset(zip(points, codes, strict=True)) for points in places)
            wanted.setdefault(demands, (number, places))
        forms = forms_of(pattern, region, width, height, symmetry=True, either_color=False, to_play=False)
        assert [(form.symmetry, form.points.tolist()) for form in forms] == list(wanted.values()), (rows, width, height)
