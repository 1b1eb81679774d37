"""Many positions expanded at once, with every instruction set, against the oracle."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import expansion as expansion_oracle
from oracles.board import EditedBoard, Point
from oracles.rules import EVERY_RULE
from samples.random_play import region

import wei7core as w7
from wei7core import Board, Position
from wei7core._util.cpu import ISA
from wei7core.batch import expansion
from wei7core.batch._expand import ChildBatch
from wei7core.rules import Ko, Rules

# Planes and none, rows that cross words, the largest with planes and the next ones.
SIZES = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.sampled_from([(19, 19), (22, 22), (62, 8), (63, 7), (2, 170), (2, 171), (1, 255), (1, 256), (13, 5), (27, 3)]),
)
BARE = [rules for rules in EVERY_RULE if rules.ko in (Ko.NONE, Ko.SIMPLE)]


def of_isa(isa: int, *arguments: Any) -> ChildBatch:
    return ChildBatch(*arguments, isa=isa)


def expand(isa: int, *arguments: Any, **keywords: Any) -> list[expansion_oracle.Row]:
    """Return the rows that the kernel finds with one instruction set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expansion, "ChildBatch", lambda *rest: of_isa(isa, *rest))
        return expansion_oracle.plain(w7.expand(*arguments, **keywords))


def some_game(chance: random.Random, size: Point) -> tuple[Board, EditedBoard, Position]:
    """Return a board with moves that meet, its oracle, and the position."""
    board, oracle = Board(*size), EditedBoard(*size)
    near = region(chance, oracle)
    color = chance.randint(1, 2)
    for _ in range(chance.choice([0, 3, 3 * len(near)])):
        color = chance.choice([color, 3 - color, 3 - color, 3 - color])
        point = chance.choice(near)
        if point not in oracle.stones:
            board.play(color, point)
            oracle.play(color, point)
    return board, oracle, board.position(3 - color, ko=True)


@settings(max_examples=examples(30), deadline=None)
@given(sizes=st.lists(SIZES, min_size=1, max_size=3), seed=st.integers(0, 2**32), rules=st.sampled_from(BARE))
def test_positions_without_moves(sizes: list[Point], seed: int, rules: Rules) -> None:
    chance = random.Random(seed)
    games = [some_game(chance, size) for size in sizes]
    colors = [position.to_play for _, _, position in games]
    expected = [
        row
        for parent, (_, oracle, position) in enumerate(games)
        for row in expansion_oracle.rows(parent, oracle, position.to_play or 0, rules, position.ko)
    ]
    for isa in {0, ISA}:
        assert expand(isa, [position for *_, position in games], None, rules) == expected
        assert expand(isa, [board for board, *_ in games], colors, rules) == expected
        position = games[0][2]
        ko = [position.ko or (-1, -1)]
        found = expand(isa, position.to_array()[None], position.to_play, rules, ko=ko)
        assert found == [row for row in expected if row[0] == 0]


@settings(max_examples=examples(10), deadline=None)
@given(
    sizes=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=1, max_size=3), seed=st.integers(0, 2**32)
)
def test_boards_with_their_moves(sizes: list[Point], seed: int) -> None:
    chance = random.Random(seed)
    games = [some_game(chance, size) for size in sizes]
    colors = [chance.randint(1, 2) for _ in games]
    for rules in EVERY_RULE[2 * Ko.POSITIONAL :]:
        expected = [
            row
            for parent, ((_, oracle, _), color) in enumerate(zip(games, colors, strict=True))
            for row in expansion_oracle.rows(parent, oracle, color, rules)
        ]
        for isa in {0, ISA}:
            assert expand(isa, [board for board, *_ in games], colors, rules) == expected


@settings(max_examples=examples(30), deadline=None)
@given(size=SIZES, seed=st.integers(0, 2**32))
def test_any_stones(size: Point, seed: int) -> None:
    """Stones anywhere, blocks without liberties among them."""
    chance = np.random.default_rng(seed)
    width, height = size
    many = chance.choice(3, (2, height, width), p=[0.2, 0.4, 0.4]).astype(np.uint8)
    for color in (1, 2):
        expected = []
        for parent, stones in enumerate(many):
            oracle = EditedBoard(width, height)
            oracle.edit([(int(stones[y, x]), (x, y)) for y in range(height) for x in range(width) if stones[y, x]])
            expected += expansion_oracle.rows(parent, oracle, color, w7.rules.JAPANESE)
        for isa in {0, ISA}:
            assert expand(isa, many, color, "japanese") == expected
