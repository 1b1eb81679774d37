"""Scores against the definitions, each other, and against other people's programs."""

from __future__ import annotations

import dataclasses
import os
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import score as score_oracle
from oracles.board import OracleBoard
from oracles.life import pass_alive
from samples.random_play import WIDE_SIZES

import wei7core as w7
from wei7core.board.area import count_area, count_areas
from wei7core.rules import AGA, NAMED, Compensation, Dead, Scoring

CHANCE = chances()
SMALL = st.tuples(st.integers(1, 9), st.integers(1, 9))
SIZES = st.one_of(SMALL, st.sampled_from([(19, 19), *[size for size in WIDE_SIZES if size[0] * size[1] < 500]]))
COUNTED = [rules for rules in NAMED.values() if rules.scoring is not Scoring.NONE]
RULES = [
    *COUNTED,
    dataclasses.replace(AGA, name="aga-territory", scoring=Scoring.TERRITORY),
    dataclasses.replace(AGA, name="area-without-seki", seki=False),
]


def scattered(chance: random.Random, size: tuple[int, int]) -> OracleBoard:
    """Return a board with any stones at all, many or few, in lumps, so that regions are of every kind."""
    oracle = OracleBoard(*size)
    share = chance.choice([0.05, 0.3, 0.6, 0.9])
    for y in range(size[1]):
        for x in range(size[0]):
            if chance.random() < share:
                adjacent = [oracle.stones[point] for point in oracle.neighbours((x, y)) if point in oracle.stones]
                oracle.stones[x, y] = (
                    chance.choice(adjacent) if adjacent and chance.random() < 0.8 else chance.choice([1, 2])
                )
    return oracle


def edited(oracle: OracleBoard) -> w7.Board:
    board = w7.Board(oracle.width, oracle.height)
    board.edit((color, point) for point, color in oracle.stones.items())
    return board


def played(chance: random.Random, size: tuple[int, int]) -> tuple[OracleBoard, w7.Board]:
    """Return a board with a history: moves, captures, passes."""
    oracle, board = OracleBoard(*size), w7.Board(*size)
    for number in range(chance.randint(0, 2 * size[0] * size[1])):
        color = 1 + number % 2
        point = (chance.randrange(size[0]), chance.randrange(size[1]))
        move = None if point in oracle.stones or chance.random() < 0.1 else point
        oracle.play(color, move)
        board.play(color, move)
    return oracle, board


@settings(max_examples=examples(150))
@given(size=SIZES, chance=CHANCE)
def test_area_is_what_tromp_and_taylor_say(size: tuple[int, int], chance: random.Random) -> None:
    oracle = scattered(chance, size)
    owners = score_oracle.owners(oracle)
    area = count_area(edited(oracle))
    assert {(x, y): int(color) for y, row in enumerate(area.owners) for x, color in enumerate(row)} == owners
    for color, stones, territory in [(1, area[0], area[2]), (2, area[1], area[3])]:
        assert stones == list(oracle.stones.values()).count(color)
        assert stones + territory == list(owners.values()).count(color)


@pytest.mark.parametrize("size", [(60, 40), (27, 60), (300, 5), (1, 500), (500, 1)])
def test_area_of_mazes(size: tuple[int, int]) -> None:
    """Regions that wind through many chunks of the grid, up and down: as many points as a plain flood reaches."""
    width, height = size
    chance = random.Random(width)
    board = w7.Board(width, height)
    walls = [(x, y) for y in range(height) for x in range(width) if (x % 2 and y % 2) or chance.random() < 0.35]
    board.edit((w7.BLACK, point) for point in walls)
    board.edit((w7.WHITE, point) for point in chance.sample(walls, 5))
    cells = board.to_array()
    expected = np.zeros_like(cells)
    empty = w7.PointSet.from_array(cells == 0)
    for region in empty.components():
        colors = {board[point] for point in region.neighbours()}
        for x, y in region:
            expected[y, x] = max(colors) if len(colors) == 1 else 0
    assert np.array_equal(np.where(cells == 0, expected, cells), count_area(board).owners)


@settings(max_examples=examples(40))
@given(size=SMALL, chance=CHANCE, count=st.integers(0, 4))
def test_many_positions_are_counted_as_one_is(size: tuple[int, int], chance: random.Random, count: int) -> None:
    boards = [edited(scattered(chance, size)) for _ in range(count)]
    cells = np.array([board.to_array() for board in boards], np.uint8).reshape(count, size[1], size[0])
    assert count_areas(cells).tolist() == [list(count_area(board)[:4]) for board in boards]
    turned = np.asfortranarray(cells)
    assert np.array_equal(count_areas(turned), count_areas(cells))


def test_arrays_that_are_no_positions() -> None:
    for wrong in (np.zeros((3, 3), np.uint8), np.full((1, 2, 2), 3, np.uint8), np.zeros((2, 0, 3), np.uint8)):
        with pytest.raises(ValueError, match=r"dimensions|elements|at least 1"):
            count_areas(wrong)
    with pytest.raises(TypeError, match="uint8"):
        count_areas(np.zeros((1, 3, 3), np.int64))  # type: ignore[arg-type]  # the test passes a wrong type


@settings(max_examples=examples(80))
@given(size=SMALL, chance=CHANCE, rules=st.sampled_from(RULES), handicap=st.integers(0, 9))
def test_scores_are_what_the_rules_say(size: tuple[int, int], chance: random.Random, rules: w7.rules.Rules,
                                       handicap: int) -> None:  # fmt: skip
    oracle, board = played(chance, size)
    stones = sorted(oracle.stones)
    dead = [] if rules.dead is Dead.NONE else chance.sample(stones, min(len(stones), chance.choice([0, 0, 1, 3])))
    gone = score_oracle.whole_blocks(oracle, dead)
    points = [(x, y) for x in range(size[0]) for y in range(size[1]) if (x, y) not in gone]
    seki = chance.sample(points, min(len(points), chance.choice([0, 1, 2])))
    komi = Fraction(chance.randint(-20, 40), chance.choice([1, 2, 4]))
    handicap = min(handicap, size[0] * size[1])  # more are refused
    lead, owners = score_oracle.score(oracle, rules, dead, komi, handicap, seki)
    found = w7.score(board, rules, dead, komi, handicap, seki=seki)
    assert found.black.total - found.white.total == lead
    assert found.margin == abs(lead)
    assert found.winner == (1 if lead > 0 else 2 if lead < 0 else rules.tie or None)
    assert found.dead == gone
    assert {(x, y): int(color) for y, row in enumerate(found.ownership) for x, color in enumerate(row)} == owners
    assert found.compare(found.result) is w7.Agreement.AGREES
    assert board.moves() == oracle.moves


@settings(max_examples=examples(50))
@given(size=SMALL, chance=CHANCE, handicap=st.integers(0, 3))
def test_pass_stones_make_both_ways_of_counting_one(size: tuple[int, int], chance: random.Random,
                                                    handicap: int) -> None:  # fmt: skip
    """AGA: White moves last; a handicap costs White a point for each stone but one by area, nothing by territory."""
    board = w7.Board(*size)
    points = [(x, y) for x in range(size[0]) for y in range(size[1])]
    handicap = handicap if handicap >= 2 and len(points) > 4 else 0
    if handicap:
        stones = [(w7.BLACK, point) for point in chance.sample(points, handicap)]
        try:
            board.setup(stones)
        except w7.IllegalPositionError:
            handicap = 0
    first = w7.WHITE if handicap else w7.BLACK
    for number in range(2 * chance.randint(0, len(points)) + (handicap > 0)):
        point = chance.choice(points)
        board.play(3 - first if number % 2 else first, None if board[point] or chance.random() < 0.2 else point)
    assert not board.moves() or board.moves()[-1][0] == w7.WHITE
    territory = dataclasses.replace(AGA, scoring=Scoring.TERRITORY, compensation=Compensation.NONE)
    by_area = w7.score(board, AGA, handicap=handicap)
    by_territory = w7.score(board, territory, handicap=handicap)
    assert (by_area.winner, by_area.margin) == (by_territory.winner, by_territory.margin)


@settings(max_examples=examples(60))
@given(size=SMALL, chance=CHANCE)
def test_unconditional_life_names_the_dead(size: tuple[int, int], chance: random.Random) -> None:
    oracle = scattered(chance, size)
    oracle.stones = {point: color for point, color in oracle.stones.items() if oracle.liberties(point)}
    lives = {color: pass_alive(oracle, color) for color in (1, 2)}
    dead = {
        point for color, (_, territory) in lives.items() for point in territory if oracle.stones.get(point) == 3 - color
    }
    board = edited(oracle)
    found = w7.score(board, "japanese", pass_alive=True)
    assert found.dead == dead
    assert found == w7.score(board, "japanese", dead)
    for stones, territory in lives.values():
        for x, y in stones | territory:
            assert found.ownership[y, x] == (1 if (x, y) in lives[1][0] | lives[1][1] else 2)


@settings(max_examples=examples(40))
@given(size=st.integers(2, 19), chance=CHANCE)
def test_sgfmill_counts_the_same_area(size: int, chance: random.Random) -> None:
    boards = pytest.importorskip("sgfmill.boards")
    oracle = scattered(chance, (size, size))
    oracle.stones = {point: color for point, color in oracle.stones.items() if oracle.liberties(point)}
    peer = boards.Board(size)
    for (x, y), color in oracle.stones.items():
        peer.board[size - 1 - y][x] = "b" if color == 1 else "w"
    found = w7.score(edited(oracle), "tromp-taylor")
    assert found.black.total - found.white.total == peer.area_score()


def settled(chance: random.Random, size: int) -> w7.Board:
    """Return the end of a game of random moves in which nobody fills his own eyes: all empty points are such eyes."""
    board, passes = w7.Board(size), 0
    while passes < 2 and board.move_count < 12 * size * size:
        color = 1 + board.move_count % 2
        points = [point for point in board.legal_points(color, "japanese") if not board.is_eye(point, color)]
        board.play(color, chance.choice(points) if points else None)
        passes = 0 if points else passes + 1
    return board


GNUGO = shutil.which("gnugo") or next((path for path in ["/usr/games/gnugo"] if Path(path).exists()), None)


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed (Debian package gnugo)")
def test_gnu_go_counts_the_same() -> None:
    """GNU Go plays on until all dead stones are captured, and then counts area: here nothing is left to capture."""
    chance = random.Random(6)
    commands, expected = [], []
    for number in range(12):
        board = settled(chance, (5, 7, 9)[number % 3])
        if len(board.pass_alive(1).stones) + len(board.pass_alive(2).stones) < sum(len(b) for b in board.blocks()):
            continue
        commands += [f"boardsize {board.width}", "clear_board", "komi 0.5"]
        for color in (1, 2):
            for block in board.blocks(color):
                commands += [f"play {'bw'[color - 1]} {w7.coordinates.to_gtp(point, *board.size)}" for point in block]
        commands.append("final_score")
        expected.append(str(w7.score(board, "tromp-taylor", komi=0.5)))
    output = subprocess.run(
        [str(GNUGO), "--mode", "gtp", "--chinese-rules", "--allow-suicide", "--capture-all-dead", "--seed", "1"],
        input="\n".join([*commands, "quit", ""]), capture_output=True, text=True, timeout=60, check=True,
        env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
    ).stdout  # fmt: skip
    found = [w7.GameResult.parse(words) for words in output.replace("=", "").split() if "+" in words]
    assert "?" not in output
    assert [str(result) for result in found] == expected
    assert len(expected) >= 8
