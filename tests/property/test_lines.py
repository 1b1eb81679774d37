"""Records of one line of moves, played for the last position alone: against the oracle, and against the walk.

On planes, and on boards of at most 30 x 24 points with captures that are resolved late.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from helpers import native
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.engine import compare, replay_texts
from oracles.replay import Line
from samples import corpus
from samples.random_play import region

from wei7core._util.cpu import ISAS
from wei7core.board.board import Board
from wei7core.limits import Limits

Move = tuple[int, tuple[int, int] | None]

SIZES = [(19, 19), (9, 9), (13, 19), (5, 5), (2, 3), (1, 1), (62, 8), (22, 22), (2, 170), (30, 16), (1, 255), (50, 10)]
WAYS_OF_SMALL_BOARDS = ["deferred", *(f"{name} deferred" for name in ISAS if name == "avx2")]
WAYS = ["planes", *(f"{name} planes" for name in ISAS if name.startswith("avx512"))]


def ways(size: tuple[int, int]) -> list[str]:
    return [*WAYS, *(WAYS_OF_SMALL_BOARDS if size[0] <= 30 and size[1] <= 24 else [])]


def lively(chance: random.Random, board: Line, length: int) -> list[Move]:
    """Play moves that capture often, and take what was just taken back where that is one stone."""
    points, moves, color = region(chance, board), [], chance.randint(1, 2)
    freed: list[tuple[int, int]] = []
    for _ in range(length):
        color = 3 - color if chance.random() < 0.9 else color
        choice = chance.choice(freed if freed and chance.random() < 0.5 else points)
        point = None if chance.random() < 0.03 else choice
        if point in board.stones:
            continue
        before = set(board.stones)
        board.play(color, point)
        freed = sorted(before - set(board.stones))
        moves.append((color, point))
    return moves


def played(size: tuple[int, int], way: str, moves: list[Move]) -> tuple[Any, list[list[int]]]:
    board = Board(*size)
    return native.runs().play_line_on(board, way, corpus.placements(moves)), board.to_array().tolist()


def figures(board: Line) -> dict[str, int]:
    names = ("moves", "passes", "suicides", "ko_recaptures", "black_captured", "white_captured")
    every = board.figures()
    return {name: every[name] for name in names}


@pytest.mark.exhaustive
@given(size=st.sampled_from(SIZES), chance=chances())
def test_lines_against_the_oracle(size: tuple[int, int], chance: random.Random) -> None:
    oracle = Line(*size)
    moves = [(1, None), *lively(chance, oracle, chance.randint(0, 120))]
    expected = {**figures(oracle), "moves": len(moves), "passes": figures(oracle)["passes"] + 1}
    for way in ways(size):
        assert played(size, way, moves) == (expected, oracle.rows)


@pytest.mark.exhaustive
@given(size=st.sampled_from(SIZES), chance=chances())
def test_lines_that_cannot_be_played(size: tuple[int, int], chance: random.Random) -> None:
    """A move that is refused, or is none, anywhere: what comes after it makes no difference."""
    oracle = Line(*size)
    moves = lively(chance, oracle, chance.randint(0, 60))
    width, height = size
    wrong: list[Move] = [(1, (width, 0)), (2, (0, height)), (1, (-1, 0)), (2, (0, -1)), (0, (0, 0)), (3, None)]
    wrong += [(color, point) for color in (1, 2) for point in oracle.stones]
    more = lively(chance, Line(*size), chance.randint(0, 60))
    for way in ways(size):
        assert played(size, way, [*moves, chance.choice(wrong), *more])[0] is None


@pytest.mark.exhaustive
def test_a_ko_that_is_fought() -> None:
    """Recaptures count where both moves took one stone and nothing came between."""
    shape: list[Move] = [(1, (1, 0)), (2, (2, 0)), (1, (0, 1)), (2, (3, 1)), (1, (1, 2)), (2, (2, 2)), (2, (1, 1))]
    fight: list[Move] = [(1, (2, 1)), (2, (1, 1)), (1, (2, 1)), (2, None), (2, (1, 1)), (1, (5, 5)), (1, (2, 1))]
    for count in range(len(fight) + 1):
        oracle = Line(7, 7)
        for move in (moves := shape + fight[:count]):
            oracle.play(*move)
        for way in ways((7, 7)):
            assert played((7, 7), way, moves) == (figures(oracle), oracle.rows)
    assert figures(oracle)["ko_recaptures"] == 2


def action(move: Move) -> dict[str, Any]:
    color, point = move
    return {"type": "move", "value": {"color": color, "point": point and {"x": point[0], "y": point[1]}}}


def odd_step(chance: random.Random) -> dict[str, Any]:
    """What may come between moves, or after them."""
    steps = [
        {"action": {"type": "takeback", "value": 1}},
        {"action": {"type": "result", "value": {"winner": 1}}},
        {"action": {"type": "mark", "value": {"symbol": 1, "point": {"x": 0, "y": 0}}}},
        {"action": {"type": "message", "value": "!"}},
        {"action": {"type": "nothing"}},
        {},
        {"action": action((1, (0, 0)))},
    ]
    return chance.choice(steps)


@st.composite
def long_records(draw: st.DrawFn) -> bytes:
    """Lines of many moves; now and then something else among them or at their end, a branch, or preset stones."""
    chance = draw(chances())
    width, height = chance.choice([(19, 19), (9, 9), (13, 19), (30, 16), (25, 25)])
    moves = lively(chance, Line(width, height), chance.choice([20, 150, 300]))
    steps: list[dict[str, Any]] = [{"action": action(move)} for move in moves]
    if chance.random() < 0.3:
        steps.insert(chance.randint(0, len(steps)), odd_step(chance))
    if chance.random() < 0.3:
        steps.append(odd_step(chance))
    tree: dict[str, Any] = {"steps": steps}
    if chance.random() < 0.1:
        tree["branches"] = [{"steps": steps[:1]}]
    if chance.random() < 0.1:
        tree["pre"] = {"stones": [{"color": 1, "point": {"x": width - 1, "y": height - 1}}]}
    size = {"width": width, "height": height}
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": tree}).encode()


@settings(max_examples=examples(60))
@given(texts=st.lists(long_records(), min_size=1, max_size=4), most=st.integers(1, 400))
def test_rows_are_those_of_the_walk(texts: list[bytes], most: int) -> None:
    formats = ["wei7"] * len(texts)
    compare(texts, formats)
    compare(texts, formats, Limits(max_moves=most))
    rows, letters = replay_texts(texts, formats, board=True, isa=0)
    for isa in range(len(ISAS)):
        others, other_letters = replay_texts(texts, formats, board=True, isa=isa)
        assert (others.tobytes(), other_letters) == (rows.tobytes(), letters)


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", [*WAYS, *WAYS_OF_SMALL_BOARDS])
def test_real_games_are_those_of_runs(way: str) -> None:
    path = corpus.folder()
    games = corpus.generated_games(100) if path is None else corpus.tygem_games(path, limit=500)
    for game in games:
        board = Board(game.width, game.height)
        native.runs().play(board, "rows", corpus.placements(game.moves), 2**62)
        found, rows = played((game.width, game.height), way, game.moves)
        assert rows == board.to_array().tolist(), game.id
        captured = found["black_captured"], found["white_captured"]
        assert captured == (board.black_captured, board.white_captured), game.id
