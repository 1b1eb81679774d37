"""Batches of boards, compared with games that an oracle plays and with single boards."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers.effort import every, first, is_quick
from oracles.board_batch import SlowGame
from oracles.rules import EVERY_RULE

import wei7core as w7
from wei7core import rules
from wei7core._util._native import Team
from wei7core._util.cpu import ISAS
from wei7core.batch._expand import STEP_BYTES, Boards
from wei7core.rules import Ko, Rules, Scoring, Verdict

TINY = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (1, 7), (3, 3)]
LARGE = [(5, 5), (4, 8), (9, 9), (64, 1), (1, 65), (13, 7), (19, 19), (30, 30), (340, 1)]
NAMED = list(rules.NAMED.values())
FINISHED = 8  # in `errors`, of a move after the end of a game
Actions = npt.NDArray[np.int32]


def chosen(chance: random.Random, legal: npt.NDArray[np.bool_], pass_chance: float = 0.05) -> Actions:
    """Return a random legal move of each board, points before passes; -1 where a game is over."""
    actions = []
    for row in legal:
        points = np.flatnonzero(row[:-1])
        can_pass = not len(points) or chance.random() < pass_chance
        actions.append(len(row) - 1 if can_pass else int(points[chance.randrange(len(points))]))
    return np.where(legal.any(axis=1), actions, -1).astype(np.int32)


def check_state(batch: w7.BoardBatch, games: list[SlowGame]) -> None:
    assert batch.to_array().tolist() == [game.board.rows for game in games]
    assert batch.hash.tolist() == [game.board.hash for game in games]
    assert batch.to_play.tolist() == [game.to_play for game in games]
    assert batch.done.tolist() == [game.is_done for game in games]
    assert batch.move_count.tolist() == [len(game.board.moves) for game in games]
    assert batch.captured.tolist() == [list(game.board.captured.values()) for game in games]
    assert batch.legal.tolist() == [game.legal for game in games]
    assert batch.planes().tolist() == [game.planes for game in games]
    for scoring in (Scoring.AREA, Scoring.TERRITORY):
        assert batch.score(scoring).tolist() == [game.margin(scoring) for game in games]


def play_beside_games(size: tuple[int, int], each: Rules, seed: int, steps: int, n: int = 3) -> None:
    chance = random.Random(f"{size} {each.name} {seed}")
    komi, max_moves = chance.choice([0.0, 0.5, 7.0]), chance.choice([5, 3 * size[0] * size[1] + 2])
    auto_reset = chance.random() < 0.5
    batch = w7.BoardBatch(n, size, rules=each, komi=komi, max_moves=max_moves, auto_reset=auto_reset)
    games = [SlowGame(*size, each, komi, max_moves) for _ in range(n)]
    check_state(batch, games)
    for _ in range(steps):
        if chance.random() < 0.1:
            mask = np.array([chance.random() < 0.5 for _ in games])
            assert batch.undo(mask).tolist() == [
                bool(one) and game.undo() for one, game in zip(mask, games, strict=True)
            ]
            check_state(batch, games)
        if chance.random() < 0.03 or all(game.is_done for game in games):
            mask = np.array([chance.random() < 0.8 for _ in games])
            batch.reset(mask)
            games = [SlowGame(*size, each, komi, max_moves) if m else g for m, g in zip(mask, games, strict=True)]
            check_state(batch, games)
        actions = chosen(chance, batch.legal, 0.1)
        for index in range(n):
            if chance.random() < 0.1:
                actions[index] = chance.randint(-2, size[0] * size[1] + 2)
        verdicts = ["finished" if g.is_done else g.verdict(int(a)) for g, a in zip(games, actions, strict=True)]
        legal = np.zeros((n, size[0] * size[1] + 1), np.bool_)
        planes = np.zeros((n, 17, size[1], size[0]), np.uint8)
        batch.step(actions, legal=legal, planes=planes)
        codes = [8 if verdict == "finished" else [v.reason for v in Verdict].index(verdict) for verdict in verdicts]
        assert batch.errors.tolist() == codes
        was_done = [game.is_done for game in games]
        for game, action, verdict in zip(games, actions, verdicts, strict=True):
            if verdict == "legal":
                game.step(int(action))
        ended = [game.is_done and not before for game, before in zip(games, was_done, strict=True)]
        assert batch.done.tolist() == [game.is_done for game in games]
        assert batch.rewards.tolist() == [g.reward if end else 0 for g, end in zip(games, ended, strict=True)]
        assert batch.margins.tolist() == [g.margin() if end else 0 for g, end in zip(games, ended, strict=True)]
        assert batch.lengths.tolist() == [len(g.board.moves) if e else 0 for g, e in zip(games, ended, strict=True)]
        if auto_reset:
            done = batch.done
            games = [SlowGame(*size, each, komi, max_moves) if g.is_done else g for g in games]
            assert (batch.move_count[done] == 0).all()
        else:
            check_state(batch, games)
        assert (legal == batch.legal).all()
        assert (planes == batch.planes()).all()
        assert legal.tolist() == [game.legal for game in games]


@pytest.mark.parametrize("each", every(5, [*EVERY_RULE, *NAMED]), ids=lambda each: each.name)
@pytest.mark.parametrize("size", every(2, TINY), ids=str)
def test_every_rule_on_tiny_boards(size: tuple[int, int], each: Rules) -> None:
    play_beside_games(size, each, 1, 25)


@pytest.mark.exhaustive
@pytest.mark.parametrize("each", [*EVERY_RULE, *NAMED], ids=lambda each: each.name)
@pytest.mark.parametrize("size", [*TINY, (4, 3), (4, 4)], ids=str)
def test_every_rule_on_tiny_boards_for_long(size: tuple[int, int], each: Rules) -> None:
    play_beside_games(size, each, 10, 50)


def play_beside_boards(size: tuple[int, int], each: Rules, seed: int, n: int, steps: int) -> None:
    """Compare with `w7.Board`, which has its own oracle, and play the games that it calls legal."""
    width, height = size
    points = width * height
    chance = random.Random(f"{size} {each.name} {seed}")
    batch = w7.BoardBatch(n, size, rules=each, komi=0.5, auto_reset=False)
    boards = [w7.Board(*size) for _ in range(n)]
    for step in range(min(steps, 2 * points)):
        color = 1 + step % 2
        legal = batch.legal
        alive = ~batch.done
        assert (legal[:, -1] == alive).all()
        for index in np.flatnonzero(alive):
            assert (legal[index, :-1].reshape(height, width) == boards[index].children(color, each).legal).all()
        assert batch.hash[alive].tolist() == [boards[i].hash for i in np.flatnonzero(alive)]
        if alive.any():
            expected = w7.to_planes([boards[i] for i in np.flatnonzero(alive)], color, features="alphago-zero")
            assert (batch.planes()[alive] == expected).all()
        actions = chosen(chance, legal, 0.01)
        batch.step(actions)
        assert (batch.errors == np.where(alive, 0, FINISHED)).all()
        for index in np.flatnonzero(alive):
            move = int(actions[index])
            boards[index].play(color, None if move == points else (move % width, move // width))
    counted = each if each.scoring is not Scoring.NONE else rules.TROMP_TAYLOR
    for index, board in enumerate(boards):
        score = w7.score(board, counted, komi=0.5)
        assert batch.score()[index] == float(score.black.total - score.white.total)
        assert (batch.ownership()[index] == w7.score(board, rules.TROMP_TAYLOR).ownership).all()
        assert batch.board(index) == board
        assert batch.board(index).hash == board.hash


@pytest.mark.parametrize("each", every(3, EVERY_RULE), ids=lambda each: each.name)
@pytest.mark.parametrize("size", LARGE[:4], ids=str)
def test_games_next_to_boards(size: tuple[int, int], each: Rules) -> None:
    play_beside_boards(size, each, 1, 8, 150)


@pytest.mark.parametrize("size", LARGE[4:], ids=str)
@pytest.mark.parametrize("name", first(1, ["tromp-taylor", "japanese", "new-zealand"]))
def test_games_on_large_boards(size: tuple[int, int], name: str) -> None:
    play_beside_boards(size, rules.named(name), 1, 3, 700 if size == (19, 19) else 250)


@pytest.mark.exhaustive
@pytest.mark.parametrize("each", [*EVERY_RULE, *NAMED], ids=lambda each: each.name)
@pytest.mark.parametrize("size", LARGE[:-2], ids=str)
def test_games_next_to_boards_for_long(size: tuple[int, int], each: Rules) -> None:
    play_beside_boards(size, each, 2, 2, 800)


def test_boards_reset_themselves() -> None:
    """Many random games with resets: every row agrees with a board that is played anew now and then."""
    chance = np.random.default_rng(5)
    n = 400
    batch = w7.BoardBatch(n, 7, komi=0.5, max_moves=60)
    ended = 0
    for step in range(150):
        legal = batch.legal
        noise = chance.random(legal.shape) * legal
        noise[:, -1] *= 0.05
        actions = noise.argmax(axis=1)
        before = batch.move_count
        batch.step(actions)
        assert not batch.errors.any()
        assert (batch.move_count == np.where(batch.done, 0, before + 1)).all()
        assert (batch.rewards[batch.done] != 0).all()
        assert (np.sign(batch.margins) == batch.rewards).all()
        ended += int(batch.done.sum())
        if step % 30 == 29:
            for index in range(0, n, 29):
                board = batch.board(index)
                assert board.hash == batch.hash[index]
                children = board.children(int(batch.to_play[index]), "tromp-taylor")
                assert (children.legal.ravel() == batch.legal[index, :-1]).all()
    assert ended > n


@pytest.mark.parametrize("jobs", first(2, [2, 3, 16]))
def test_threads_write_the_same(jobs: int) -> None:
    chance = random.Random(jobs)
    one, many = (w7.BoardBatch(101, 9, rules="aga", jobs=threads, max_moves=40) for threads in (1, jobs))
    assert (one.jobs, many.jobs) == (1, jobs)
    for _ in range(60):
        actions = chosen(chance, one.legal)
        planes = np.zeros((101, 17, 9, 9), np.uint8)
        one.step(actions)
        many.step(actions, planes=planes)
        for name in ("done", "rewards", "margins", "lengths", "errors", "legal", "hash", "to_play", "captured"):
            assert (getattr(one, name) == getattr(many, name)).all(), name
        assert (one.planes() == planes).all()
        assert (one.to_array() == many.to_array()).all()
        assert (one.score("territory") == many.score("territory")).all()
        mask = np.array([chance.random() < 0.1 for _ in range(101)])
        assert (one.undo(mask) == many.undo(mask)).all()


SIZES_OF_SETS = [(19, 19), (9, 9), (1, 1), (22, 22), (23, 23), (63, 6), (64, 5), (5, 64), (4, 16)]


@pytest.mark.parametrize(
    ("size", "rules"), every(2, itertools.product(SIZES_OF_SETS, ["tromp-taylor", "aga", "japanese"]), 2)
)
def test_instruction_sets_play_the_same(size: tuple[int, int], rules: str) -> None:
    """Sets of points in a wide register, of 8 words at most and rows of at most 63 points, and in words."""
    chance = random.Random(3)
    points = size[0] * size[1]
    options = {"komi": 0.0, "passes": 2, "last_pass": 0, "is_territory": False, "tie": 0, "move_limit": 2 * points}
    boards = [Boards(6, *size, rules, **options, isa=isa) for isa in range(len(ISAS))]
    columns = [
        {
            "legal": np.zeros((6, points + 1), np.bool_),
            "planes": np.zeros((6, 17, size[1], size[0]), np.uint8),
            "found": np.zeros(6 * STEP_BYTES, np.uint8),
        }
        for _ in boards
    ]
    for batch, made in zip(boards, columns, strict=True):
        batch.write(made["legal"], made["planes"], Team(1))
    for _ in range(min(2 * points, 450)):
        actions = chosen(chance, columns[0]["legal"], 0.02)
        for batch, made in zip(boards, columns, strict=True):
            batch.step(actions, *made.values(), True, Team(1))
        for made in columns[1:]:
            for name, column in made.items():
                assert (column == columns[0][name]).all(), name


@pytest.mark.parametrize(("n", "jobs"), first(4, [(1, 1), (2, 1), (3, 2), (700, 2), (700, 1)], 2))
def test_planes_are_written_wherever_they_begin(n: int, jobs: int) -> None:
    """Lines of the cache that rows share with each other and with what is not theirs; 700 rows go past the cache."""
    chance = random.Random(n)
    options = {"komi": 0.0, "passes": 0, "last_pass": 0, "is_territory": False, "tie": 0, "move_limit": 700}
    boards = [Boards(n, 19, 19, w7.rules.TROMP_TAYLOR, **options, isa=isa) for isa in range(len(ISAS))]
    legal, found = np.zeros((n, 362), np.bool_), np.zeros(n * STEP_BYTES, np.uint8)
    expected = np.zeros(n * 17 * 361, np.uint8)
    team = Team(jobs)
    suicide = [0, 2, 360, 19, 359, 20, 1, 361]  # Black's last stone and another one
    boards[0].write(legal, expected, team)
    for step in range(130 if n < 700 else 15 if is_quick() else 26):
        begin = 0 if step < 9 else chance.randrange(130)
        room = np.full(expected.size + 130, 7, np.uint8)
        planes = room[begin : begin + expected.size]
        actions = np.full(n, suicide[step], np.int32) if step < 8 else chosen(chance, legal)
        boards[0].step(actions, legal, expected, found, True, team)
        assert not found[17 * n :].any()
        for batch in boards[1:]:
            for is_step in (True, False):
                planes[:] = 7
                if is_step:
                    batch.step(actions, None, planes, found, True, team)
                else:
                    batch.write(None, planes, team)
                assert (planes == expected).all()
                assert (room[:begin] == 7).all()
                assert (room[begin + expected.size :] == 7).all()


def test_copies_and_selections_are_independent() -> None:
    chance = random.Random(8)
    batch = w7.BoardBatch(5, 9, komi=6.5)
    for _ in range(50):
        batch.step(chosen(chance, batch.legal, 0))
    same = batch.copy()
    picked = batch.select([3, 3, 0])
    assert (len(same), len(picked)) == (5, 3)
    assert (picked.hash == batch.hash[[3, 3, 0]]).all()
    assert (picked.legal == batch.legal[[3, 3, 0]]).all()
    assert (picked.planes() == batch.planes()[[3, 3, 0]]).all()
    assert picked.moves(1) == batch.moves(3)
    before = batch.hash
    for other in (same, picked):
        other.step(chosen(chance, other.legal, 0))
        assert (other.undo()).all()
    assert (same.hash == before).all()
    assert (same.legal == batch.legal).all()
    del batch
    same.step(chosen(chance, same.legal))
    assert not same.errors.any()


@pytest.mark.parametrize("auto_reset", [False, True])
@pytest.mark.parametrize("name", ["tromp-taylor", "aga", "japanese"])
def test_copies_and_pickles_are_batches_of_the_same_games(name: str, auto_reset: bool) -> None:
    chance = random.Random(9)
    options: dict[str, Any] = {"rules": name, "komi": 3, "jobs": 2, "auto_reset": auto_reset, "max_moves": 60}
    batch = w7.BoardBatch(6, (4, 3), **options)
    batch.step([0] * 6)
    batch.reset([True] + [False] * 5)
    for _ in range(70):
        batch.step(chosen(chance, batch.legal, 0.2))
        batch.undo([chance.random() < 0.1 for _ in range(6)])
    for other in (copy.copy(batch), copy.deepcopy([batch])[0], pickle.loads(pickle.dumps(batch))):
        for read in ("size", "rules", "komi", "jobs", "auto_reset", "max_moves"):
            assert getattr(other, read) == getattr(batch, read)
        for read in ("hash", "to_play", "captured", "move_count", "passes", "legal", "errors"):
            assert (getattr(other, read) == getattr(batch, read)).all(), read
        assert (other.planes() == batch.planes()).all()
        before = batch.hash
        other.step(chosen(chance, other.legal, 0))
        assert (batch.hash == before).all()
        other.undo(), other.reset()
        assert (batch.hash == before).all()


def test_changed_arrays_change_no_batch() -> None:
    batch = w7.BoardBatch(2, 3)
    batch.step([0, 9])
    names = ("legal", "done", "errors", "rewards", "margins", "lengths", "hash", "to_play", "captured", "move_count")
    for name in names:
        before = getattr(batch, name)
        expected = before.tolist()
        before[:] = 1 - before
        assert getattr(batch, name).tolist() == expected, name
    batch.step([1, 1])
    legal = batch.legal
    legal[:, -1] = False
    assert batch.legal[:, -1].all()


def test_the_legal_points_of_arrays_stay_what_they_were() -> None:
    batch = w7.BoardBatch(2, 3)
    legal, done, errors = batch.legal, batch.done, batch.errors
    batch.step([0, 9])
    assert legal.all()
    assert not done.any()
    assert not errors.any()
    assert batch.legal[0].tolist() == [False] + [True] * 9
    assert batch.done is not done


def test_the_end_of_games() -> None:
    def passes(name: str, count: int, **options: Any) -> list[bool]:
        batch = w7.BoardBatch(1, 3, rules=name, auto_reset=False, **options)
        ends = []
        for _ in range(count):
            batch.step([9])
            ends.append(bool(batch.done[0]))
        return ends

    assert passes("chinese", 3) == [False, True, True]
    assert passes("permissive", 3) == [False, False, False]
    assert passes("permissive", 3, max_moves=2) == [False, True, True]
    assert passes("aga", 2) == [False, True]
    aga = w7.BoardBatch(1, 3, rules="aga", auto_reset=False)
    for move, is_over in ((0, False), (9, False), (9, False), (9, True)):
        aga.step([move])
        assert (aga.done[0], aga.errors[0]) == (is_over, 0)
    assert (aga.margins[0], aga.rewards[0], aga.lengths[0]) == (9 - 7.5, 1, 4)
    aga.step([1])
    assert (aga.errors[0], aga.done[0], aga.rewards[0]) == (FINISHED, True, 0)
    tie = w7.BoardBatch(1, 3, rules="ing", komi=0)
    tie.step([9])
    tie.step([9])
    assert (tie.margins[0], tie.rewards[0], tie.done[0], tie.move_count[0]) == (0, 1, True, 0)
    tie.step([4])
    assert not tie.done[0]


def test_what_a_batch_shows_of_itself() -> None:
    batch = w7.BoardBatch(2, (5, 4), rules="japanese", jobs=2, auto_reset=False)
    assert (len(batch), batch.size, batch.rules, batch.komi) == (2, (5, 4), rules.JAPANESE, 6.5)
    assert (batch.jobs, batch.auto_reset, batch.max_moves) == (2, False, 40)
    assert repr(batch) == "<wei7core.BoardBatch of 2 boards 5 x 4, japanese>"
    assert w7.BoardBatch(1, 19, max_moves=100).max_moves == 100
    assert (batch.legal.shape, batch.legal.dtype) == ((2, 21), np.bool_)
    assert batch.planes().shape == (2, 17, 4, 5)
    assert (batch.rewards.dtype, batch.margins.dtype, batch.lengths.dtype) == (np.float32, np.float64, np.int32)
    assert batch.score().tolist() == [-6.5, -6.5]


def test_arrays_of_the_caller() -> None:
    batch = w7.BoardBatch(3, 4)
    memory = bytearray(3 * 17 * 16)
    out = np.frombuffer(memory, np.uint8).reshape(3, 17, 4, 4)
    assert (batch.planes(out=out) == out).all()
    assert any(memory)
    view = memoryview(bytearray(48)).cast("B", (3, 4, 4))
    batch.step([5, 6, 16])
    assert (batch.to_array(out=view) == batch.to_array()).all()
    assert bytes(view).count(1) == 2
    owners = np.full((3, 4, 4), 9, np.uint8)
    assert batch.ownership(out=owners) is owners
    assert np.unique(owners).tolist() == [0, 1]
    assert np.from_dlpack(batch.planes()).shape == (3, 17, 4, 4)


def test_what_is_refused() -> None:
    batch = w7.BoardBatch(2, 3)
    read_only = np.zeros((2, 17, 3, 3), np.uint8)
    read_only.flags.writeable = False
    refused: list[tuple[type[Exception], str, Any]] = [
        (w7.BoardSizeError, "31 x 31", lambda: w7.BoardBatch(1, 31)),
        (w7.BoardSizeError, "0 x 3", lambda: w7.BoardBatch(1, (0, 3))),
        (w7.BoardSizeError, "341 x 1", lambda: w7.BoardBatch(1, (341, 1))),
        (w7.BoardSizeError, "not of", lambda: w7.BoardBatch(1, 2**70)),
        (TypeError, "integer", lambda: w7.BoardBatch(1, "19")),
        (TypeError, "integer", lambda: w7.BoardBatch(1.5, 19)),
        (ValueError, "1 board or more", lambda: w7.BoardBatch(0, 3)),
        (ValueError, "1 board or more", lambda: w7.BoardBatch(-1, 3)),
        (ValueError, "threads", lambda: w7.BoardBatch(1, 3, jobs=0)),
        (ValueError, "limit of moves", lambda: w7.BoardBatch(1, 3, max_moves=0)),
        (ValueError, "limit of moves", lambda: w7.BoardBatch(1, 3, max_moves=32768)),
        (ValueError, "komi", lambda: w7.BoardBatch(1, 3, komi=float("nan"))),
        (TypeError, "komi is a number of points, not '7.5'", lambda: w7.BoardBatch(1, 3, komi="7.5")),
        (TypeError, "komi is a number of points, not True", lambda: w7.BoardBatch(1, 3, komi=True)),
        (w7.BoardSizeError, r"not \(3,\)", lambda: w7.BoardBatch(1, (3,))),
        (TypeError, "integers, not True", lambda: w7.BoardBatch(1, True)),
        (ValueError, "up to 2", lambda: w7.BoardBatch(2**31, 3)),
        (ValueError, "not b'own'", lambda: batch.planes(b"own")),
        (ValueError, "not None", lambda: batch.planes(None)),
        (ValueError, "not of None", lambda: batch.planes(dtype=None)),
        (ValueError, "not of .f4", lambda: batch.planes(dtype=np.dtype("f4").newbyteorder())),
        (IndexError, "board 9223372036854775808 out", lambda: batch.select(np.array([2**63], np.uint64))),
        (ValueError, r"not of shape \(0,\)", lambda: batch.select([])),
        (TypeError, "not of NoneType", lambda: w7.playout(None)),
        (ValueError, "unknown rule set", lambda: w7.BoardBatch(1, 3, rules="house")),
        (
            ValueError,
            "passes",
            lambda: w7.BoardBatch(1, 3, rules=Rules(name="long", ko=Ko.NONE, suicide=False, passes=201)),
        ),
        (TypeError, "auto_reset is True or False, not 'no'", lambda: w7.BoardBatch(1, 3, auto_reset="no")),
        (TypeError, "auto_reset", lambda: w7.BoardBatch(1, 3, auto_reset=None)),
        (TypeError, "auto_reset", lambda: w7.BoardBatch(2, 3, auto_reset=np.array([True, False]))),
        (TypeError, "integers, not float64", lambda: batch.step([0.0, 1.0])),
        (ValueError, "2 boards", lambda: batch.step([0])),
        (ValueError, "2 boards", lambda: batch.step([[0], [1]])),
        (ValueError, "booleans", lambda: batch.reset([1, 0])),
        (ValueError, "booleans", lambda: batch.undo([True])),
        (ValueError, "'alphago-zero'", lambda: batch.planes("katago")),
        (ValueError, "shape", lambda: batch.planes(out=np.zeros((2, 17, 9), np.uint8))),
        (ValueError, "float32", lambda: batch.planes(out=np.zeros((2, 17, 3, 3), np.float32))),
        (ValueError, "C-contiguous", lambda: batch.planes(out=read_only)),
        (ValueError, "C-contiguous", lambda: batch.planes(out=np.zeros((2, 17, 3, 6), np.uint8)[..., ::2])),
        (TypeError, "in place", lambda: batch.to_array(out=[[[0] * 3] * 3] * 2)),
        (ValueError, "legal has the shape", lambda: batch.step([0, 0], legal=np.zeros((2, 9), np.bool_))),
        (ValueError, "uint8, not bool", lambda: batch.step([0, 0], legal=np.zeros((2, 10), np.uint8))),
        (ValueError, "scoring|Scoring", lambda: batch.score("zi")),
        (ValueError, "area or territory", lambda: batch.score("none")),
        (IndexError, "board 2 out of range", lambda: batch.moves(2)),
        (IndexError, "board -3 out of range", lambda: batch.board(-3)),
        (IndexError, "board 2 out of range", lambda: batch.select([0, 2])),
        (IndexError, "board -1 out of range", lambda: batch.select([-1])),
        (TypeError, "indices", lambda: batch.select([0.5])),
        (ValueError, "one or more", lambda: batch.select(np.zeros(0, int))),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()
    assert (batch.move_count == 0).all()


def test_actions_of_any_integer_type() -> None:
    for dtype in (np.int8, np.uint8, np.int64, np.uint64, np.uint32):
        batch = w7.BoardBatch(2, 3)
        batch.step(np.array([4, 100], dtype))
        assert batch.errors.tolist() == [0, Verdict.OFF_BOARD.value]
    batch.step(np.array([2**40 + 4, -(2**40) + 4]))
    assert batch.errors.tolist() == [7, 7]
    batch.step(np.array([2**64 - 1, 2**63], np.uint64))
    assert batch.errors.tolist() == [7, 7]


def test_the_kernel_refuses_what_does_not_fit() -> None:
    boards = w7.BoardBatch(2, 3)._boards
    for begin, end in ((-1, 1), (0, 3), (2, 1)):
        with pytest.raises(ValueError, match="no such boards"):
            boards.clear(np.zeros(2, np.uint8), begin, end)
    with pytest.raises(ValueError, match="19 bytes, not 20"):
        boards.write(np.zeros(19, np.uint8), None, Team(1))
    with pytest.raises(ValueError, match="another size"):
        boards.gather(w7.BoardBatch(2, 4)._boards, np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="no such boards"):
        Boards(1, 31, 31, "aga", komi=0.0, passes=2, last_pass=0, is_territory=False, tie=0, move_limit=9)
