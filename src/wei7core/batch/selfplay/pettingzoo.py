"""Environments of PettingZoo, one game each; needs the extra `pettingzoo`.

env = wei7core.selfplay.pettingzoo.GoEnv(9)
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv, ParallelEnv

from ...rules import Rules
from .board_batch import BoardBatch

_Observation: TypeAlias = dict[str, npt.NDArray[Any]]
_AGENTS = ["black_0", "white_0"]
_PLANES = 17


class _Game:
    """One board of a batch, with the observations and rewards that both environments share."""

    def __init__(
        self, size: int | tuple[int, int], rules: Rules | str, komi: float | None, max_moves: int | None
    ) -> None:
        self.batch = BoardBatch(1, size, rules=rules, komi=komi, auto_reset=False, max_moves=max_moves)
        width, height = self.batch.size
        self.points = width * height
        self.observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 1, (_PLANES, height, width), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.points + 1,), np.int8),
            }
        )
        self.action_space = gymnasium.spaces.Discrete(self.points + 1)

    def player(self) -> str:
        return _AGENTS[int(self.batch.to_play[0]) - 1]

    def observation(self, agent: str) -> _Observation:
        """The observation of an agent: from its own side, and without a legal action if it is not to move."""
        planes = self.batch.planes()[0]
        mask = self.batch.legal[0].astype(np.int8)
        if agent != self.player():
            planes = planes[[*(k ^ 1 for k in range(_PLANES - 1)), _PLANES - 1]]
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def play(self, action: int) -> None:
        """Raises `ValueError` for an action that is not legal."""
        self.batch.step(np.array([action]))
        if self.batch.errors[0]:
            raise ValueError(f"action {action} is not legal for {self.player()}")

    def rewards(self) -> dict[str, float]:
        reward = float(self.batch.rewards[0])
        return dict(zip(_AGENTS, (reward, -reward), strict=True))

    def endings(self) -> tuple[bool, bool]:
        """Whether the game ended by its rules, and whether it was cut off."""
        is_over = bool(self.batch.done[0])
        is_passed = bool(self.batch.passes[0] >= max(self.batch.rules.passes, 1))
        return is_over and is_passed, is_over and not is_passed


class _Env:
    """What both environments have in common."""

    def __init__(
        self,
        size: int | tuple[int, int] = 19,
        *,
        rules: Rules | str = "tromp-taylor",
        komi: float | None = None,
        max_moves: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._game = _Game(size, rules, komi, max_moves)
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        self.agents = list(_AGENTS)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:  # noqa: ARG002 - both agents have the same
        """What an observation of an agent is."""
        return self._game.observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:  # noqa: ARG002 - both agents have the same
        """The numbers of points, and the pass."""
        return self._game.action_space

    def render(self) -> str | None:
        """The board as text, in the mode `ansi`."""
        return str(self._game.batch.board(0)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


class GoEnv(_Env, AECEnv[str, _Observation, int]):  # type: ignore[misc,unused-ignore]  # may be untyped
    """Go for the agents `black_0` and `white_0`, who move in turn.

    An observation has `observation`, the 17 planes of AlphaGo Zero from the side of the agent, and `action_mask`, 1
    where it may move: point `y * width + x`, last the pass. The rewards at the end are 1 and -1, or 0 for a draw.
    Raises `ValueError` for an action that is not legal.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "wei7core_go_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - no chance
        """Begin a new game; `seed` decides nothing."""
        self._game.batch.reset()
        self.agents = list(self.possible_agents)
        self.agent_selection = self._game.player()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> _Observation:
        """The board as an agent sees it."""
        return self._game.observation(agent)

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is; after the end None removes agents."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        assert action is not None
        self._game.play(int(action))
        self.rewards = self._game.rewards()
        ended, cut_off = self._game.endings()
        self.terminations = dict.fromkeys(self.agents, ended)
        self.truncations = dict.fromkeys(self.agents, cut_off)
        self.agent_selection = self._game.player()
        self._accumulate_rewards()


class GoParallelEnv(_Env, ParallelEnv[str, _Observation, int]):  # type: ignore[misc,unused-ignore]  # may be untyped
    """`GoEnv` for agents that act simultaneously: the action of the agent that is not to move is ignored.

    The action mask of the agent that is not to move allows only the pass.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "wei7core_go_v0", "render_modes": ["ansi"]}

    def _observations(self) -> dict[str, _Observation]:
        observations = {agent: self._game.observation(agent) for agent in _AGENTS}
        for agent in _AGENTS:
            if agent != self._game.player():
                observations[agent]["action_mask"][-1] = 1
        return observations

    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002 - there is no chance
        options: dict[str, Any] | None = None,  # noqa: ARG002 - there are none
    ) -> tuple[dict[str, _Observation], dict[str, dict[str, Any]]]:
        """Begin a new game; `seed` decides nothing."""
        self._game.batch.reset()
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in _AGENTS}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, _Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the action of the agent whose turn it is."""
        self._game.play(int(actions[self._game.player()]))
        ended, cut_off = self._game.endings()
        if ended or cut_off:
            self.agents = []
        return (
            self._observations(),
            self._game.rewards(),
            dict.fromkeys(_AGENTS, ended),
            dict.fromkeys(_AGENTS, cut_off),
            {agent: {} for agent in _AGENTS},
        )
