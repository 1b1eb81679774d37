"""Light playouts: their distribution against that of a slow twin. All seeds are fixed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from oracles.board import OracleBoard
from oracles.playout import geometry, is_eye, playout

import wei7core as w7

FAST = 20_000


def started(size: tuple[int, int], moves: list[int]) -> tuple[w7.BoardBatch, OracleBoard, int]:
    """Return a batch of one board and an oracle after some moves, with the color to play."""
    batch, oracle = w7.BoardBatch(1, size, rules="permissive"), OracleBoard(*size)
    color = w7.BLACK
    for move in moves:
        batch.step([move])
        assert not batch.errors.any()
        oracle.play(color, None if move == size[0] * size[1] else (move % size[0], move // size[0]))
        color = 3 - color
    return batch, oracle, color


def check_distribution(size: tuple[int, int], moves: list[int], slow: int) -> None:
    batch, oracle, color = started(size, moves)
    limit = 3 * size[0] * size[1]
    chance = random.Random(f"{size} {moves}")
    played = w7.playout(batch, FAST, seed=len(moves))
    twins = [playout(oracle, color, chance, limit) for _ in range(slow)]
    margins = np.array([margin for margin, _ in twins])
    fast = np.sort(played.margins[0])
    # Kolmogorov and Smirnov: once in a thousand seeds the two would differ by more, were they alike.
    values = np.unique(np.concatenate([fast, margins]))
    apart = np.abs(
        np.searchsorted(fast, values, side="right") / FAST
        - np.searchsorted(np.sort(margins), values, side="right") / slow
    )
    assert apart.max() * np.sqrt(slow) < 1.95
    signs = {0: 0, 1: 1, 2: -1}
    owned = np.array([[[signs[owners[x, y]] for x in range(size[0])] for y in range(size[1])] for _, owners in twins])
    error = np.sqrt(owned.var(axis=0) / slow + 1 / slow**2)
    assert (np.abs(owned.mean(axis=0) - played.ownership[0]) < 5 * error).all()


STARTS: list[tuple[tuple[int, int], list[int]]] = [
    ((2, 2), []),
    ((3, 2), []),
    ((3, 3), [4]),
    ((5, 1), [2]),
    ((4, 3), [5, 6, 1, 12]),
    ((3, 3), [1, 0, 3, 4, 0]),  # a stone where one was taken
]


def test_playouts_are_distributed_as_those_of_the_twin() -> None:
    check_distribution(*STARTS[0], 300)
    check_distribution(*STARTS[-1], 300)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("size", "moves"), [*STARTS, ((4, 4), []), ((5, 5), [12, 6])], ids=str)
def test_playouts_are_distributed_as_many_of_the_twin(size: tuple[int, int], moves: list[int]) -> None:
    check_distribution(size, moves, 1500)


def test_the_eyes_of_the_twin_are_those_of_the_board() -> None:
    chance = random.Random(4)
    on = geometry(5, 4)
    for _ in range(30):
        board, oracle = w7.Board(5, 4), OracleBoard(5, 4)
        for _ in range(30):
            color, point = 1 + int(chance.random() * 1.6), (int(chance.random() * 5), int(chance.random() * 4))
            if point not in oracle.stones:
                board.play(color, point)
                oracle.play(color, point)
        stones = [sum(bit for point, bit in on.bits.items() if oracle.stones.get(point) == of) for of in (1, 2)]
        for point, bit in on.bits.items():
            for color, (own, other) in ((1, stones), (2, stones[::-1])):
                assert board.is_eye(point, color) == (point not in oracle.stones and is_eye(on, own, other, bit))


def test_playouts_do_not_depend_on_threads() -> None:
    batches = [w7.BoardBatch(9, 9, komi=6.5, jobs=jobs) for jobs in (1, 4)]
    for batch in batches:
        batch.step(np.arange(9))
    before = batches[0].hash
    one, many = (w7.playout(batch, 5, seed=3) for batch in batches)
    assert (one.margins == many.margins).all()
    assert (one.ownership == many.ownership).all()
    assert len(np.unique(one.margins)) > 5
    assert (batches[0].hash == before).all()
    again, other = w7.playout(batches[0], 5, seed=3), w7.playout(batches[0], 5, seed=4)
    assert (again.margins == one.margins).all()
    assert (other.margins != one.margins).any()
    assert (np.abs(one.ownership) <= 1).all()


def test_playouts_are_equal_to_themselves_alone() -> None:
    played = w7.playout(w7.BoardBatch(2, 3), 2)
    assert [played].count(played) == 1
    assert played != w7.playout(w7.BoardBatch(2, 3), 2)
    assert len({played}) == 1


def test_the_end_of_playouts() -> None:
    batch = w7.BoardBatch(1, 9, komi=0.5)
    assert w7.playout(batch, 3, max_moves=1).margins.tolist() == [[80.5] * 3]
    assert w7.playout(w7.BoardBatch(1, 1), 2).margins.tolist() == [[0, 0]]


def test_what_is_refused() -> None:
    batch = w7.BoardBatch(1, 3)
    refused: list[dict[str, Any]] = [{"times": 0}, {"times": 2**31}, {"max_moves": 0}, {"max_moves": 2**40}]
    for options in refused:
        with pytest.raises(ValueError, match="from 1 to"):
            w7.playout(batch, **options)
    with pytest.raises(TypeError):
        w7.playout(batch, 1.5)  # type: ignore[arg-type]
