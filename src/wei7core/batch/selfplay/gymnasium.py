"""A vector environment of Gymnasium over a batch of boards; needs the extra `gymnasium`.

envs = wei7core.selfplay.gymnasium.GoVectorEnv(1024, 9)

observations, infos = envs.reset()
observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...rules import Rules
from .board_batch import BoardBatch

_Array: TypeAlias = npt.NDArray[Any]
_PLANES = 17


class GoVectorEnv(VectorEnv[_Array, _Array, _Array]):  # type: ignore[misc,unused-ignore]  # may be untyped
    """`num_envs` games of both players, each move one action: a point, `y * width + x`, or `width * height` for a pass.

    Observations are the 17 planes of AlphaGo Zero from the side to move. A reward is that of the player who moved: 1
    where the move ended a game that it won, -1 where it lost, else 0. Games end (`terminations`) by passes, and are cut
    off (`truncations`) after `max_moves`; both are counted with all stones alive. Infos have `legal`, the mask of legal
    actions of the next step, `to_play`, and `errors` of the last step as `wei7core.BoardBatch` gives them: an action
    that is not legal changes nothing. `autoreset_mode` is any of Gymnasium's; in `SAME_STEP` infos have `final_obs`
    where games ended. `jobs`, `rules`, `komi`, `max_moves` as for the batch, which is the attribute `batch`.
    """

    def __init__(
        self,
        num_envs: int,
        size: int | tuple[int, int] = 19,
        *,
        rules: Rules | str = "tromp-taylor",
        komi: float | None = None,
        jobs: int = 1,
        max_moves: int | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.batch = BoardBatch(
            num_envs, size, rules=rules, komi=komi, jobs=jobs, auto_reset=False, max_moves=max_moves
        )
        width, height = self.batch.size
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": []}
        self.single_observation_space = gymnasium.spaces.Box(0, 1, (_PLANES, height, width), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(width * height + 1)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode = autoreset_mode
        self._over = np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[_Array, dict[str, Any]]:
        """Empty all boards, or those of `options["reset_mask"]`. `seed` decides nothing: boards have no chance."""
        super().reset(seed=seed)
        mask = None if options is None else options.get("reset_mask")
        self.batch.reset(mask)
        self._over &= False if mask is None else ~np.asarray(mask)
        return self.batch.planes(), self._infos(np.zeros(self.num_envs, np.uint8))

    def step(self, actions: _Array) -> tuple[_Array, _Array, _Array, _Array, dict[str, Any]]:
        """Play an action in every game. In the mode `NEXT_STEP` a game that is over begins anew instead."""
        batch, skipped = self.batch, self._over
        if self._mode is AutoresetMode.NEXT_STEP and skipped.any():
            batch.reset(skipped)
            actions = np.where(skipped, -1, actions)
        is_black = batch.to_play == 1
        batch.step(actions)
        errors = np.where(skipped, 0, batch.errors) if self._mode is AutoresetMode.NEXT_STEP else batch.errors
        rewards = np.where(is_black, batch.rewards, -batch.rewards)
        ended = batch.lengths > 0
        # A game that ends by passes and at the limit at once has ended by its rules.
        truncations = ended & (batch.lengths >= batch.max_moves) & ~self._has_passed()
        terminations = ended & ~truncations
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.SAME_STEP and ended.any():
            infos = {"final_obs": self._final(ended), "_final_obs": ended.copy()}
            batch.reset(ended)
            ended = np.zeros_like(ended)
        self._over = ended if self._mode is not AutoresetMode.DISABLED else ended | (skipped & (batch.lengths == 0))
        return batch.planes(), rewards, terminations, truncations, {**self._infos(errors), **infos}

    def _has_passed(self) -> npt.NDArray[np.bool_]:
        return self.batch.passes >= max(self.batch.rules.passes, 1)

    def _final(self, ended: npt.NDArray[np.bool_]) -> _Array:
        planes = self.batch.planes()
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended).tolist():
            final[index] = planes[index]
        return final

    def _infos(self, errors: _Array) -> dict[str, Any]:
        return {"legal": self.batch.legal, "to_play": self.batch.to_play, "errors": errors}
