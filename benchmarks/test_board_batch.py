"""How many boards are stepped in a second? On one core, random legal play on 19 x 19, 1,024 boards at once.

The games are played once before anything is timed, some of them compared with `w7.Board`; the timed steps repeat their
moves and must end in the same positions. Where they are installed, OpenSpiel plays the same games one by one, and
EnvPool and pgx play games of their own on 64 boards at once.

    python -m pytest benchmarks/test_board_batch.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import games
import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import wei7core as w7

SIZE = 19
PASS = SIZE * SIZE
BOARDS, STEPS = 1_024, 800
PEER_BOARDS, PEER_STEPS = 64, 300
UNTIMED_BOARDS, UNTIMED_STEPS = 16, 60
PEER_GAMES = 8
ROUNDS = 3

Options = dict[str, bool]
WAYS: dict[str, Options] = {"mask": {"planes": False}, "mask and planes": {"planes": True}}


@dataclass(frozen=True)
class Played:
    """The moves of all boards, step by step, and where they led."""

    actions: npt.NDArray[np.int32]
    hashes: npt.NDArray[np.uint64]
    ended: int

    @property
    def count(self) -> int:
        return self.actions.size


def new_batch(n: int) -> w7.BoardBatch:
    return w7.BoardBatch(n, SIZE, rules="tromp-taylor", komi=7.5)


def random_actions(generator: np.random.Generator, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Return a random legal point of each board, a pass where there is none."""
    points = np.cumsum(legal[:, :-1], axis=1, dtype=np.int32)
    chosen = (generator.random(len(legal)) * points[:, -1]).astype(np.int32)
    return np.where(points[:, -1] == 0, PASS, (points <= chosen[:, None]).sum(axis=1)).astype(np.int32)


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest) -> Played:
    untimed = bool(request.config.getoption("benchmark_disable", False))
    n, steps = (UNTIMED_BOARDS, UNTIMED_STEPS) if untimed else (BOARDS, STEPS)
    generator = np.random.default_rng(1)
    batch = new_batch(n)
    actions = np.empty((steps, n), np.int32)
    ended = 0
    for step in range(steps):
        actions[step] = random_actions(generator, batch.legal)
        batch.step(actions[step])
        assert not batch.errors.any()
        ended += int(batch.done.sum())
        if step % (steps // 5) == steps // 10:
            check(batch, range(step % 7, n, max(n // 20, 1)))
    return Played(actions, batch.hash, ended)


def check(batch: w7.BoardBatch, chosen: range) -> None:
    """Compare some boards with `w7.Board`, which played the same moves."""
    legal, planes, hashes, to_play = batch.legal, batch.planes(), batch.hash, batch.to_play
    for index in chosen:
        board, color = batch.board(index), int(to_play[index])
        assert board.hash == hashes[index]
        assert (board.children(color, "tromp-taylor").legal.ravel() == legal[index, :-1]).all()
        assert (w7.to_planes(board, color, features="alphago-zero") == planes[index]).all()


Timings = dict[str, float]


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[Timings]:
    """Collect steps a second; print a comparison at the end."""
    timings: Timings = {}
    yield timings
    for name, rate in timings.items():
        summary.append(f"{name}: {rate:,.0f} steps a second")


def time_steps(benchmark: BenchmarkFixture, timings: Timings, name: str, count: int) -> None:
    benchmark.extra_info.update(count=count, correct=True)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["steps_per_second"] = count / seconds
        timings[name] = count / seconds


@pytest.mark.parametrize("way", WAYS)
def test_steps(benchmark: BenchmarkFixture, played: Played, timings: Timings, way: str) -> None:
    """Moves with exact superko, the legal points after each, automatic reset, and the planes of AlphaGo Zero."""
    n = played.actions.shape[1]
    legal = np.empty((n, PASS + 1), np.bool_)
    planes = np.empty((n, 17, SIZE, SIZE), np.uint8) if WAYS[way]["planes"] else None
    batch = new_batch(n)

    def work() -> None:
        for actions in played.actions:
            batch.step(actions, legal=legal, planes=planes)

    benchmark.pedantic(work, setup=batch.reset, rounds=ROUNDS, warmup_rounds=1)
    assert (batch.hash == played.hashes).all()
    assert (legal == batch.legal).all()
    assert planes is None or (planes == batch.planes()).all()
    time_steps(benchmark, timings, f"BoardBatch, {way}", played.count)


def test_playouts(benchmark: BenchmarkFixture, summary: list[str]) -> None:
    """Light playouts from the empty board, counted; `test_playouts.py` compares their distribution."""
    times = 5_000 if benchmark.enabled else 20
    played = benchmark.pedantic(w7.playout, (w7.BoardBatch(1, SIZE, komi=0), times), rounds=ROUNDS)
    assert np.abs(played.ownership).max() < 1 or not benchmark.enabled
    benchmark.extra_info.update(count=times, correct=True)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["playouts_per_second"] = times / seconds
        summary.append(f"playouts: {times / seconds:,.0f} a second")


def test_boards_one_at_a_time(benchmark: BenchmarkFixture, played: Played, timings: Timings) -> None:
    """The same by `w7.Board`: play and the legal points."""
    columns = played.actions[: min(400, len(played.actions)), :PEER_GAMES].T.tolist()

    def work() -> None:
        for actions in columns:
            board, color = w7.Board(SIZE), w7.BLACK
            for action in actions:
                board.play(color, None if action == PASS else (action % SIZE, action // SIZE))
                color = 3 - color
                board.children(color, "tromp-taylor").legal  # noqa: B018 - the benchmark reads it

    benchmark.pedantic(work, rounds=1)
    time_steps(benchmark, timings, "w7.Board, mask", sum(map(len, columns)))


@pytest.mark.parametrize("observed", [False, True], ids=["mask", "mask and observation"])
def test_openspiel(benchmark: BenchmarkFixture, played: Played, timings: Timings, observed: bool) -> None:
    """OpenSpiel, whose rules are those of Tromp and Taylor without suicide: such moves are left out."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("go", {"board_size": SIZE, "komi": 7.5})
    columns = played.actions[: min(400, len(played.actions)), :PEER_GAMES].T.tolist()
    count = 0

    def work() -> None:
        nonlocal count
        count = 0
        for actions in columns:
            state = game.new_initial_state()
            for action in actions:
                move = action if action == PASS else (SIZE - 1 - action // SIZE) * SIZE + action % SIZE
                if move not in state.legal_actions():
                    break
                state.apply_action(move)
                count += 1
                if observed:
                    state.observation_tensor()

    benchmark.pedantic(work, rounds=1)
    assert count > 0
    time_steps(benchmark, timings, f"OpenSpiel, {'mask and observation' if observed else 'mask'}", count)


def test_envpool(benchmark: BenchmarkFixture, timings: Timings) -> None:
    """EnvPool's Go on one thread, which returns only its observation: its own random legal play."""
    envpool = pytest.importorskip("envpool")
    env = envpool.make(
        f"Go{SIZE}x{SIZE}-v1", env_type="gymnasium", num_envs=PEER_BOARDS, batch_size=PEER_BOARDS, num_threads=1, seed=1
    )
    _, info = env.reset()
    generator = np.random.default_rng(1)
    # Its moves are chosen outside of what is timed: the same work, step by step.
    seconds = 0.0

    def work() -> None:
        nonlocal info, seconds
        for _ in range(PEER_STEPS if benchmark.enabled else 3):
            actions = random_actions(generator, np.asarray(info["legal_action_mask"]).astype(np.bool_))
            begin = time.process_time()
            info = env.step(actions)[-1]
            seconds += time.process_time() - begin

    benchmark.pedantic(work, rounds=1)
    assert np.asarray(info["board"]).any()
    if benchmark.enabled:
        timings["EnvPool, mask and observation"] = PEER_BOARDS * PEER_STEPS / seconds


def test_pgx(benchmark: BenchmarkFixture, timings: Timings) -> None:
    """pgx on the processor: steps compiled by JAX, with its mask and observation."""
    pgx, jax = pytest.importorskip("pgx"), pytest.importorskip("jax")
    env = pgx.make(f"go_{SIZE}x{SIZE}")
    step = jax.jit(jax.vmap(env.step))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), PEER_BOARDS))
    generator = np.random.default_rng(1)
    seconds = 0.0
    step(state, random_actions(generator, np.asarray(state.legal_action_mask)))  # compiled before it is timed

    def work() -> None:
        nonlocal state, seconds
        for _ in range(PEER_STEPS // 10 if benchmark.enabled else 3):
            actions = random_actions(generator, np.asarray(state.legal_action_mask))
            begin = time.process_time()
            state = jax.block_until_ready(step(state, actions))
            seconds += time.process_time() - begin

    benchmark.pedantic(work, rounds=1)
    assert np.asarray(state.observation).any()
    if benchmark.enabled:
        timings["pgx, mask and observation"] = PEER_BOARDS * (PEER_STEPS // 10) / seconds
