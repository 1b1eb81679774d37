"""Batches of boards as environments of other libraries, by the checks of those libraries and compared with them."""

from __future__ import annotations

import numpy as np
import pytest
from wei7core.selfplay import open_spiel

import wei7core as w7


def test_gymnasium_vector_environment() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode
    from wei7core.selfplay.gymnasium import GoVectorEnv

    for mode in AutoresetMode:
        envs = GoVectorEnv(8, 3, autoreset_mode=mode, max_moves=12)
        single = w7.BoardBatch(8, 3, auto_reset=False, max_moves=12)
        generator = np.random.default_rng(1)
        observations, infos = envs.reset(seed=1)
        over = np.zeros(8, bool)
        ends = {"terminations": 0, "truncations": 0}
        for _ in range(200):
            assert envs.observation_space.contains(observations)
            assert (infos["legal"] == single.legal).all()
            actions = (generator.random(infos["legal"].shape) * (infos["legal"] + 1e-9)).argmax(axis=1)
            assert envs.action_space.contains(actions)
            mover = single.to_play
            observations, rewards, terminations, truncations, infos = envs.step(actions)
            if mode is AutoresetMode.NEXT_STEP:
                single.reset(over)
                single.step(np.where(over, -1, actions))
            else:
                single.step(actions)
            done = single.lengths > 0
            assert ((terminations | truncations) == done).all()
            assert not (terminations & truncations).any()
            assert (rewards == np.where(mover == 1, 1, -1) * single.rewards).all()
            assert (terminations <= (single.passes >= 2)).all()
            ends["terminations"] += int(terminations.sum())
            ends["truncations"] += int(truncations.sum())
            over = done
            if mode is AutoresetMode.SAME_STEP and done.any():
                for index in np.flatnonzero(done):
                    assert (infos["final_obs"][index] == single.planes()[index]).all()
                single.reset(done)
            if mode is AutoresetMode.DISABLED and done.any():
                observations, infos = envs.reset(options={"reset_mask": done})
                single.reset(done)
            assert (observations == single.planes()).all()
        assert min(ends.values()) > 5, mode


def test_pettingzoo_environments() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    from wei7core.selfplay.pettingzoo import GoEnv, GoParallelEnv

    with pytest.warns(UserWarning, match=r"[Oo]bservation"):  # of dicts with masks, as its own environment of Go has
        api_test(GoEnv(5), num_cycles=200)
        api_test(GoEnv(3, max_moves=10), num_cycles=200)
    parallel_api_test(GoParallelEnv(4), num_cycles=200)
    seed_test(lambda: GoEnv(5), num_cycles=50)
    parallel_seed_test(lambda: GoParallelEnv(5), num_cycles=50)
    env = GoEnv(3, render_mode="ansi")
    env.reset()
    for action in (4, 9, 9):
        env.step(action)
    assert env.rewards == {"black_0": 1.0, "white_0": -1.0}
    assert all(env.terminations.values())
    assert "X" in str(env.render())
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match="action 4 is not legal for white_0"):
        env.step(4)


def test_openspiel_observes_the_same() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("go", {"board_size": 7, "komi": 7.5})
    rules = w7.rules.Rules(name="OpenSpiel", ko=w7.rules.Ko.SIMPLE, suicide=False)
    generator = np.random.default_rng(1)
    for _ in range(6):
        state, batch = game.new_initial_state(), w7.BoardBatch(1, 7, rules=rules, komi=7.5, max_moves=98)
        while not state.is_terminal():
            observed = np.array(state.observation_tensor(), np.float32).reshape(4, 7, 7)
            assert (observed == open_spiel.observation_tensor(batch)[0]).all()
            legal = open_spiel.legal_actions_mask(batch)[0]
            assert np.flatnonzero(legal).tolist() == state.legal_actions()
            action = int(generator.choice(np.flatnonzero(legal)))
            state.apply_action(action)
            batch.step(open_spiel.from_action(batch, [action]))
        # OpenSpiel also ends a game that repeats a position.
        assert not batch.done[0] or state.returns()[0] == batch.rewards[0]


def test_actions_of_openspiel_go_back() -> None:
    batch = w7.BoardBatch(2, (5, 3))
    moves = np.arange(16)
    assert (open_spiel.from_action(batch, open_spiel.to_action(batch, moves)) == moves).all()
    assert open_spiel.to_action(batch, [0, 15]).tolist() == [10, 15]
    batch.step([0, 14])
    assert np.flatnonzero(~open_spiel.legal_actions_mask(batch)[0]).tolist() == [10]
    assert open_spiel.observation_tensor(batch)[1, 0, 0].tolist() == [0, 0, 0, 0, 1]
    assert (open_spiel.observation_tensor(batch)[:, 3] == 1).all()


def test_jax_steps_the_batch() -> None:
    jax = pytest.importorskip("jax")
    from wei7core.selfplay.jax import JaxBoards

    boards, expected = JaxBoards(w7.BoardBatch(4, 5)), w7.BoardBatch(4, 5)
    step, state = jax.jit(boards.step), boards.begin()
    for move in range(12):
        actions = np.arange(4, dtype=np.int32) + move
        before = state
        state, planes, legal, rewards, done = step(state, actions)
        expected.step(actions)
        assert (np.asarray(planes) == expected.planes()).all()
        assert (np.asarray(legal) == expected.legal).all()
        assert (np.asarray(rewards) == expected.rewards).all()
        assert (np.asarray(done) == expected.done).all()
    again = step(before, actions)
    assert int(again[0]) == int(state) == 12
    with pytest.raises(Exception, match="in state 12"):
        jax.block_until_ready(step(np.int32(3), actions))
