"""Training rows, sound ones and broken ones, against the twin that judges them point by point."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import rows as rows_oracle
from oracles.board import EditedBoard, Point
from oracles.rules import EVERY_RULE

import wei7core as w7
from wei7core import Board
from wei7core.rules import Ko, Rules
from wei7core.tables.columns import Boards
from wei7core.training import check, planes
from wei7core.training.rows import TrainingRows

SIZES = st.one_of(st.integers(1, 6).map(lambda size: (size, size)), st.tuples(st.integers(1, 7), st.integers(1, 6)))
SEEDS = st.integers(0, 2**32)
BARE = [None, *(rules for rules in EVERY_RULE if rules.ko in (Ko.NONE, Ko.SIMPLE))]
HISTORY = 3


def game(chance: random.Random, width: int, height: int) -> tuple[Board, EditedBoard, int]:
    """Return a board after random moves that meet, its twin, and the side to move."""
    board, twin = Board(width, height), EditedBoard(width, height)
    color = 1
    for _ in range(chance.choice([0, 1, 4, width * height, 2 * width * height])):
        point = chance.randrange(width), chance.randrange(height)
        if point not in twin.stones:
            board.play(color, point)
            twin.play(color, point)
            color = 3 - color if chance.random() < 0.95 else color
    return board, twin, color


def sound_rows(chance: random.Random, games: list[tuple[Board, EditedBoard, int]], frame: Point) -> dict[str, Any]:
    """Return rows of the games' last positions, in a frame that may be larger than the boards, as writable arrays."""
    width, height = frame
    count, moves = len(games), width * height + 1
    rows: dict[str, Any] = {
        name: np.zeros((count, height, width), chance.choice([np.uint8, np.float32, np.int16, np.bool_]))
        for name in ("own", "opponent", "on_board", "ko")
    }
    rows["history"] = np.zeros((count, HISTORY, 2, height, width), np.uint8)
    rows["policy"] = np.zeros((count, moves), np.float32)
    rows["legal"] = np.zeros((count, moves), np.uint8)
    for number, (board, _, color) in enumerate(games):
        made = w7.to_planes(board, color, history=HISTORY)
        square = (number, slice(board.height), slice(board.width))
        rows["own"][square], rows["opponent"][square], rows["ko"][square] = made[0], made[1], made[9]
        rows["on_board"][square] = 1
        rows["history"][number, :, :, : board.height, : board.width] = made[10:].reshape(HISTORY, 2, *made.shape[1:])
        legal = np.zeros((height, width), np.uint8)
        legal[: board.height, : board.width] = (made[2] == 1) & (made[9] == 0)
        rows["legal"][number] = [*legal.reshape(-1), 1]
        weights = np.array([chance.random() for _ in range(moves)]) * rows["legal"][number]
        rows["policy"][number] = weights / weights.sum()
    rows["to_move"] = np.array([color for _, _, color in games])
    rows["outcome"] = np.array([chance.choice([-1.0, 1.0, 0.0]) for _ in games])
    rows["value"] = np.array([chance.uniform(-1, 1) for _ in games], np.float32)
    rows["score"] = rows["outcome"] * chance.uniform(0.5, 9)
    rows["winner"] = np.where(
        rows["outcome"] == 0, 0, np.where(rows["outcome"] > 0, rows["to_move"], 3 - rows["to_move"])
    )
    if all((board.width, board.height) == frame for board, _, _ in games) and chance.random() < 0.7:
        del rows["on_board"]
    return rows


def break_some(chance: random.Random, rows: dict[str, Any]) -> None:
    """Change a few things, most of them for the worse, and leave fields out."""
    count, height, width = rows["own"].shape
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        row, x, y = chance.randrange(count), chance.randrange(width), chance.randrange(height)
        name = chance.choice(sorted(rows))
        array = rows[name]
        if name in ("own", "opponent", "ko", "on_board"):
            kind = chance.randrange(4)
            if kind == 0 and array.dtype != np.bool_:
                array[row, y, x] = chance.choice([2, 0.5, 7, 255, float("nan")]) if array.dtype == np.float32 else 2
            elif kind == 1 and width == height:
                plane = array[row].T.copy()
                array[row] = plane[::-1] if chance.random() < 0.5 else plane
            elif kind == 2:
                rows["own"][row], rows["opponent"][row] = rows["opponent"][row].copy(), rows["own"][row].copy()
            else:
                array[row, y, x] = array[row, y, x] == 0
        elif name == "history":
            if chance.random() < 0.5:
                array[row, chance.randrange(HISTORY), chance.randrange(2), y, x] ^= chance.choice([1, 1, 1, 2])
            else:
                array[row] = array[row, ::-1].copy()
        elif name == "policy":
            array[row, chance.randrange(width * height + 1)] += chance.choice([-1, 0.25, 1, float("nan"), float("inf")])
        elif name == "legal":
            array[row, chance.randrange(width * height + 1)] ^= chance.choice([1, 1, 2])
        elif name == "to_move":
            array[row] = chance.choice([0, 1, 2, 3])
        elif name == "winner":
            array[row] = chance.choice([-1, 0, 1, 2])
        else:
            array[row] = chance.choice([-1, 1, 0, 1.5, -7, float("nan"), 1e-9])
    for name in ("to_move", "ko", "legal", "policy", "outcome", "value", "score", "winner", "history"):
        if chance.random() < 0.2:
            del rows[name]
    if chance.random() < 0.3:
        rows["game"] = np.array([chance.randrange(2) for _ in range(count)])
        rows.pop("winner", None)
    if chance.random() < 0.3:
        rows["suicide"] = np.array([chance.random() < 0.5 for _ in range(count)])
    if chance.random() < 0.3:
        rows["superko"] = np.array([chance.random() < 0.5 for _ in range(count)])
    if chance.random() < 0.3:
        rows["judge_policy"] = np.array([chance.random() < 0.7 for _ in range(count)])
    rows["policy_is_counts"] = chance.random() < 0.3


def some_rows(chance: random.Random, size: Point, *, frames: bool) -> tuple[list[Any], dict[str, Any]]:
    sizes = [size] * chance.randint(1, 6)
    if frames and chance.random() < 0.5:
        sizes = [(chance.randint(1, size[0]), chance.randint(1, size[1])) for _ in sizes]
    games = [game(chance, *one) for one in sizes]
    rows = sound_rows(chance, games, size)
    break_some(chance, rows)
    return games, rows


def found_by_us(rows: TrainingRows, **keywords: Any) -> rows_oracle.Found:
    found = w7.check_rows(rows, **keywords)
    pairs = [(row.row, row.code) for row in found]
    assert sum(found.counts.values()) == len(pairs)
    return {(row, code) for row, code in pairs if row is not None}


@settings(max_examples=examples(80), deadline=None)
@given(size=SIZES, seed=SEEDS, rules=st.sampled_from(BARE), at_once=st.sampled_from([1, 40, 10**6]))
def test_rows_alone(size: Point, seed: int, rules: Rules | None, at_once: int) -> None:
    chance = random.Random(seed)
    _, fields = some_rows(chance, size, frames=True)
    rows = TrainingRows(**fields)
    mass = chance.choice([0.0, 0.3])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "_POINTS_AT_ONCE", at_once)
        ours = found_by_us(rows, rules=rules, illegal_mass=mass)
    assert ours == rows_oracle.findings(rows, rules=rules, illegal_mass=mass)


@settings(max_examples=examples(60), deadline=None)
@given(size=SIZES, seed=SEEDS, rules=st.sampled_from(BARE), form=st.sampled_from(["array", "packed"]))
def test_rows_against_positions(size: Point, seed: int, rules: Rules | None, form: str) -> None:
    chance = random.Random(seed)
    games, fields = some_rows(chance, size, frames=form == "packed")
    rows = TrainingRows(**fields)
    twins = [twin.transformed(chance.choice([0] * 9 + [1, 2, 3])) for _, twin, _ in games]
    stones = [np.array(twin.rows, np.uint8) for twin in twins]
    if form == "array":
        positions: Any = np.array(stones)
    else:
        packed = b"".join([planes.pack(one[None]).tobytes() for one in stones])
        sizes = np.array([(twin.width, twin.height) for twin in twins], np.int32)
        positions = Boards(sizes[:, 0].copy(), sizes[:, 1].copy(), np.frombuffer(packed, np.uint8))
    ours = found_by_us(rows, rules=rules, positions=positions)
    assert ours == rows_oracle.findings(rows, twins, rules)


@settings(max_examples=examples(60), deadline=None)
@given(size=SIZES, seed=SEEDS, rules=st.sampled_from([None, *EVERY_RULE]))
def test_rows_against_boards(size: Point, seed: int, rules: Rules | None) -> None:
    chance = random.Random(seed)
    games, fields = some_rows(chance, size, frames=True)
    rows = TrainingRows(**fields)
    ours = found_by_us(rows, rules=rules, positions=[board for board, _, _ in games])
    assert ours == rows_oracle.findings(rows, [twin for _, twin, _ in games], rules, bare=False)


@settings(max_examples=examples(60), deadline=None)
@given(width=st.integers(1, 30), height=st.integers(1, 12), seed=SEEDS, density=st.floats(0.3, 1))
def test_blocks_without_liberties(width: int, height: int, seed: int, density: float) -> None:
    """Random stones, with long blocks, against a flood of each block."""
    chance = random.Random(seed)
    positions = np.zeros((4, height, width), np.uint8)
    expected = {}
    for number in range(len(positions)):
        twin = EditedBoard(width, height)
        long_color = chance.choice([1, 2])
        for y in range(height):
            for x in range(width):
                if chance.random() < density:
                    twin.stones[x, y] = long_color if chance.random() < 0.8 else 3 - long_color
                    positions[number, y, x] = twin.stones[x, y]
        dead = [(y, x) for block in twin.blocks(1, 2) if not twin.has_liberty(block) for x, y in block]
        if dead:
            expected[number] = min(dead)
    rows, x, y = planes.without_liberties(positions)
    assert dict(zip(rows.tolist(), zip(y.tolist(), x.tolist(), strict=True), strict=True)) == expected
