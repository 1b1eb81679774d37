"""How many training rows are checked in a second, and what do the files of engines cost?

    python -m pytest benchmarks/test_training_rows.py --benchmark-timer=time.process_time

Rows are positions of thousands of real games, with policies over all legal points. What is found is compared with the
twin of the tests, and with errors planted in known rows, before anything is timed. The peers are `to_planes`, which
makes the planes that are checked here, and the twin.
"""

from __future__ import annotations

import dataclasses
import io
import time
from dataclasses import dataclass
from typing import Any

import games
import numpy as np
import pytest
from oracles import rows as rows_oracle
from oracles.board import EditedBoard
from pytest_benchmark.fixture import BenchmarkFixture
from samples.training_files import katago_arrays, leela_zero_text, npz

import wei7core as w7
from wei7core import Board, Position, TrainingRows
from wei7core.training import katago, leela_zero

ROWS = 30_000
EVERY = 23
"""One position in so many of each game."""
HISTORY = 7
RULES = "japanese"
CHECKED = 40
IN_FILES = 1_000
ROUNDS = 5
UNTIMED = {"ROWS": 2_000, "IN_FILES": 200}


@dataclass(frozen=True)
class Batch:
    """Rows, and the positions that they are of."""

    rows: TrainingRows
    positions: list[Position]
    stones: Any


@pytest.fixture(scope="module")
def batch() -> Batch:
    positions, history = [], []
    for game in games.all_games().games:
        board = Board(game.width, game.height)
        for number, (color, point) in enumerate(game.moves):
            if number % EVERY == EVERY - 1:
                positions.append(board.position(color, ko=True))
                history.append(w7.to_planes(board, color, history=HISTORY)[10:].reshape(HISTORY, 2, 19, 19))
            board.play(color, point)
        if len(positions) >= ROWS:
            break
    planes = w7.to_planes(positions)
    moves = w7.expand(positions, rules=RULES).to_numpy()
    legal = np.zeros((len(positions), 19, 19), np.float32)
    legal[moves["parent"], moves["y"], moves["x"]] = moves["legal"]
    policy = np.ones((len(positions), 362), np.float32)
    policy[:, :-1] = np.random.default_rng(1).random((len(positions), 361)) * legal.reshape(-1, 361)
    policy /= policy.sum(axis=1, keepdims=True)
    to_move = np.array([position.to_play for position in positions])
    outcome = np.where(to_move == 1, 1.0, -1.0)
    fields = {"own": planes[:, 0], "opponent": planes[:, 1], "ko": planes[:, 9], "history": np.array(history)}
    rows = TrainingRows(
        **{name: np.ascontiguousarray(array) for name, array in fields.items()},
        to_move=to_move, policy=policy, outcome=outcome, value=outcome / 2,
    )  # fmt: skip
    made = Batch(rows, positions, np.array([position.to_array() for position in positions]))
    check(made)
    return made


def check(batch: Batch) -> None:
    """Nothing is found in sound rows, each planted error is, and the twin finds the same in some rows of both kinds."""
    assert list(w7.check_rows(batch.rows, positions=batch.positions, rules=RULES)) == []
    broken = {name: array.copy() for name, array in batch.rows.arrays().items()}
    planted = np.arange(0, len(batch.rows), len(batch.rows) // CHECKED)
    broken["own"][planted] = broken["own"][planted, ::-1]
    broken["policy"][planted + 1, 5] += 1
    found = w7.check_rows(broken, positions=batch.stones)
    assert {row.row for row in found if row.code == "row-policy-not-normalised"} == set((planted + 1).tolist())
    assert {row.row for row in found} <= set(planted.tolist()) | set((planted + 1).tolist())
    some = np.unique([planted, planted + 1])
    twins = [twin_of(stones) for stones in batch.stones[some]]
    expected = rows_oracle.findings(TrainingRows(**{name: array[some] for name, array in broken.items()}), twins)
    assert {(row.row, row.code) for row in found} == {(int(some[row]), code) for row, code in expected}


def twin_of(stones: Any) -> EditedBoard:
    twin = EditedBoard(stones.shape[1], stones.shape[0])
    twin.stones = {(x, y): int(stones[y, x]) for y, x in np.argwhere(stones).tolist()}
    return twin


def measure(benchmark: BenchmarkFixture, summary: list[str], name: str, rows: int, work: Any, rounds: int) -> None:
    benchmark.pedantic(work, rounds=rounds, warmup_rounds=min(rounds - 1, 1))
    benchmark.extra_info.update(count=rows, correct=True)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["us_per_row"] = seconds / rows * 1e6
        summary.append(f"{name}: {seconds / rows * 1e6:.2f} us a row, {rows / seconds:,.0f} rows a second")


@pytest.mark.parametrize("what", ["alone", "rules", "stones", "history"])
def test_check_rows(benchmark: BenchmarkFixture, batch: Batch, summary: list[str], what: str) -> None:
    rows = batch.rows if what == "history" else dataclasses.replace(batch.rows, history=None)
    keywords = {"rules": {"rules": RULES}, "stones": {"positions": batch.stones}}.get(what, {})
    found = []

    def work() -> None:
        found[:] = [w7.check_rows(rows, **keywords).rows]  # type: ignore[arg-type]  # keywords of several types

    measure(benchmark, summary, f"check_rows, {what}", len(rows), work, ROUNDS)
    assert found == [len(rows)]


def test_to_planes(benchmark: BenchmarkFixture, batch: Batch, summary: list[str]) -> None:
    """What it costs to make the planes of the same rows, without policies."""
    measure(benchmark, summary, "to_planes", len(batch.rows), lambda: w7.to_planes(batch.positions), ROUNDS)


def test_twin(benchmark: BenchmarkFixture, batch: Batch, summary: list[str]) -> None:
    rows = dataclasses.replace(batch.rows, history=None).part(0, CHECKED)
    measure(benchmark, summary, "the twin in Python", len(rows), lambda: rows_oracle.findings(rows), 1)


@pytest.mark.parametrize("engine", ["leela-zero", "katago"])
def test_files(benchmark: BenchmarkFixture, batch: Batch, summary: list[str], engine: str) -> None:
    """Files read and checked."""
    rows = batch.rows.part(0, IN_FILES)
    if engine == "leela-zero":
        text = leela_zero_text(rows)
        read = lambda: leela_zero.read(text)  # noqa: E731 - one reader for each branch
    else:
        assert rows.policy is not None
        visits = dataclasses.replace(rows, policy=(rows.policy * 30_000).astype(np.int16))
        data = npz(katago_arrays(visits)).getvalue()
        read = lambda: katago.read(io.BytesIO(data))  # noqa: E731 - one reader for each branch
    assert list(w7.check_rows(read())) == []
    measure(benchmark, summary, f"{engine}, read and checked", len(rows), lambda: w7.check_rows(read()), ROUNDS)
    begin = time.process_time()
    assert sum(map(len, read())) == len(rows)
    summary.append(f"{engine}, of these read: {(time.process_time() - begin) / len(rows) * 1e6:.2f} us a row")
