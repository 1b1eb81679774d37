"""Planes of batches: sets of features and lists of planes, their types, and the numbers of KataGo."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import first
from oracles import features as slow

import wei7core as w7
from wei7core.batch.inputs.features import FEATURES, PLANE_NAMES

RULES = ["tromp-taylor", "chinese", "japanese", "aga"]


def play(batch: w7.BoardBatch, chance: random.Random, passes: float = 0.02) -> None:
    """A random step that fills few eyes, so that ladders and living blocks appear."""
    actions = []
    width, points = batch.size[0], batch.size[0] * batch.size[1]
    for index, legal in enumerate(batch.legal):
        board, color = batch.board(index), int(batch.to_play[index])
        moves = [
            move
            for move in np.flatnonzero(legal[:-1]).tolist()
            if chance.random() < 0.05 or not board.is_eye((move % width, move // width), color)
        ]
        actions.append(points if not moves or chance.random() < passes else chance.choice(moves))
    batch.step(actions)


def compare(batch: w7.BoardBatch, rules: str) -> set[str]:
    """Compare all planes; return those that had a point."""
    width, height = batch.size
    names = [name for name in PLANE_NAMES if name != "legal"]
    made = batch.planes(names)
    seen = set()
    for index in range(len(batch)):
        expected = slow.planes(width, height, batch.moves(index), rules)
        assert set(expected) == set(names)
        for plane, name in zip(made[index], names, strict=True):
            assert (plane == slow.as_array(expected[name], width, height)).all(), (name, batch.moves(index))
            if plane.any():
                seen.add(name)
    return seen


@pytest.mark.parametrize("rules", first(1, RULES))
@pytest.mark.parametrize("size", first(1, [(5, 5), (7, 6)], width=1))
def test_planes_are_those_of_the_slow_ones(size: tuple[int, int], rules: str) -> None:
    chance = random.Random(f"{size}{rules}")
    batch = w7.BoardBatch(2, size, rules=rules, max_moves=120)
    seen: set[str] = set()
    for step in range(90):
        play(batch, chance)
        if step % 9 == 0 or step > 84:
            seen |= compare(batch, rules)
    missing = set(PLANE_NAMES) - seen - {"nothing", "legal", "white-to-play", "black-to-play", "ko"}
    assert missing <= {"own-alive", "opponent-alive", *(["own-area", "opponent-area"] if rules == "japanese" else [])}


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
@pytest.mark.parametrize(("size", "steps"), [((9, 9), 160), ((13, 4), 110), ((70, 2), 90), ((19, 19), 60)])
def test_planes_do_not_depend_on_those_before(size: tuple[int, int], steps: int, rules: str) -> None:
    """What is found from the position before is what is found of the position alone, as a copy has it."""
    chance = random.Random(f"{size}{rules}")
    names = [name for name in PLANE_NAMES if name != "legal"]
    batch = w7.BoardBatch(3, size, rules=rules, auto_reset=False)
    for step in range(steps):
        play(batch, chance)
        if step % 17 == 5:
            batch.undo(np.array([True, False, chance.random() < 0.5]))
        if step % 29 == 7:
            batch = batch.select([chance.randrange(3) for _ in range(3)])
        if step % 40 == 39:
            batch.reset(np.array([False, False, True]))
        if step % 11 == 3:  # other needs in between
            batch.planes(["own-alive", "liberties-2"])
        made, alone = batch.planes(names), batch.copy().planes(names)
        assert (made == alone).all(), (step, [batch.moves(k) for k in range(3)])


def test_ladders_are_forgotten_by_undo_and_reset() -> None:
    chance = random.Random(5)
    batch = w7.BoardBatch(3, 5)
    for _ in range(30):
        play(batch, chance)
        batch.planes("katago-v7")
    for _ in range(2):
        batch.undo()
        compare(batch, "tromp-taylor")
        play(batch, chance)
        compare(batch, "tromp-taylor")
        batch.undo()
    batch.reset(np.array([True, False, True]))
    play(batch, chance)
    compare(batch, "tromp-taylor")


@pytest.mark.exhaustive
def test_a_ladder_across_the_board() -> None:
    batch = w7.BoardBatch(1, 19)
    places = [(3, 3), (2, 3), (15, 3), (3, 2), (15, 15), (4, 2), (3, 4), (2, 4)]
    for x, y in places:
        batch.step([y * 19 + x])
    batch.step([361])
    batch.step([4 * 19 + 4])
    batch.step([361])
    ladder, moves = batch.planes(["ladder", "ladder-moves"])[0]
    assert (ladder.sum(), moves.sum()) == (2, 1)
    compare(batch, "tromp-taylor")


def test_sets_of_features_are_lists_of_planes() -> None:
    chance = random.Random(2)
    batch = w7.BoardBatch(5, (7, 5))
    for _ in range(25):
        play(batch, chance)
    for name, planes in FEATURES.items():
        assert (batch.planes(name) == batch.planes(planes)).all()
        assert (batch.planes(iter(planes)) == batch.planes(planes)).all()
    assert (batch.planes(["legal"])[:, 0].reshape(5, -1) == batch.legal[:, :-1]).all()
    assert (batch.planes(["own", "own", "opponent"])[:, 0] == batch.planes("alphago-zero")[:, 0]).all()


@in_groups("size", [(5, 5), (9, 9), (19, 19), (1, 1), (3, 11)])
@pytest.mark.parametrize("features", ["alphago-zero", "katago-v7"])
def test_types(size: tuple[int, int], features: str) -> None:
    chance = random.Random(2)
    batch = w7.BoardBatch(3, size, jobs=2)
    for _ in range(30):
        play(batch, chance)
    planes = batch.planes(features)
    for dtype in (np.float16, np.float32, "float32"):
        made = batch.planes(features, dtype=dtype)
        assert made.dtype == dtype
        assert (made == planes).all()
    bits = batch.planes(features, dtype="bits")
    assert (bits == np.packbits(planes.reshape(*planes.shape[:2], -1), axis=2)).all()
    out = np.empty_like(bits)
    assert batch.planes(features, out, dtype="bits") is out
    assert (out == bits).all()
    floats = np.empty(planes.shape, np.float32)
    assert batch.planes(features, out=floats, dtype=np.float32) is floats
    assert (floats == planes).all()


def test_globals_of_katago() -> None:
    batch = w7.BoardBatch(1, 5, rules="japanese", komi=6.5, auto_reset=False)
    first = batch.global_inputs()[0]
    assert first.shape == (19,)
    assert {k: float(v) for k, v in enumerate(first) if v} == {5: np.float32(-6.5 / 20), 9: 1, 10: 1}
    batch.step([12])
    batch.step([25])
    numbers = {k: float(v) for k, v in enumerate(batch.global_inputs()[0]) if v}
    assert numbers == {0: 1, 5: np.float32(-7.5 / 20), 9: 1, 10: 1, 14: 1}
    expected = {
        "tromp-taylor": {6: 1.0, 7: 0.5, 8: 1.0},
        "aga": {6: 1.0, 7: -0.5},
        "chinese": {},
        "new-zealand": {6: 1.0, 7: -0.5, 8: 1.0},
    }
    for rules, numbers in expected.items():
        made = w7.BoardBatch(1, 6, rules=rules, komi=0.5).global_inputs()[0]
        # 36 points: with komi 0.5 Black needs one more than half; -0.5 is a quarter wave from -2.
        assert {k: float(v) for k, v in enumerate(made) if v} == {5: np.float32(-0.025), 18: -0.5, **numbers}
    out = np.empty((1, 19), np.float32)
    assert batch.global_inputs(out=out) is out
    assert w7.BoardBatch(1, 3, komi=100).global_inputs()[0, 5] == np.float32(-0.5)


def test_what_does_not_fit_is_refused() -> None:
    batch = w7.BoardBatch(2, 5)
    with pytest.raises(ValueError, match="no plane 'ownn'"):
        batch.planes(["own", "ownn"])
    with pytest.raises(ValueError, match="at least one plane"):
        batch.planes([])
    with pytest.raises(ValueError, match="features are 'alphago-zero' or 'katago-v7'"):
        batch.planes("alphago")
    with pytest.raises(ValueError, match="uint8, float16, float32 or 'bits', not of float64"):
        batch.planes(dtype=np.float64)
    with pytest.raises(ValueError, match="out has the shape"):
        batch.planes("katago-v7", np.empty((2, 17, 5, 5), np.uint8))
    with pytest.raises(ValueError, match="global inputs"):
        batch.global_inputs("alphago-zero")  # type: ignore[arg-type]
