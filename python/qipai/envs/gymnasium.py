"""Many hands at once as a Gymnasium vector environment; needs ``qipai[gymnasium]``."""

# The library may not be there when types are checked.
# mypy: disable-error-code="import-not-found, misc, unused-ignore"
# pyright: reportMissingImports=false, reportUntypedBaseClass=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai._core.game import Game
from qipai.extras import missing
from qipai.vecgame import Autoreset, VecGame

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("qipai.envs.gymnasium", "gymnasium", "gymnasium") from error

MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}
Step = tuple[
    NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class QipaiVectorEnv(VectorEnv):
    """:class:`qipai.VecGame` by Gymnasium's names; whoever is to act acts.

    ``game``: a name as for :func:`qipai.new`, or a Game whose rules and history every hand has;
    ``num_envs`` hands of it. ``autoreset_mode`` as Gymnasium has it, also in ``metadata``.
    ``threads``: on how many a step is done. ``copy``: whether what is returned is the caller's;
    False returns the same arrays again, written anew by every step.

    Observations are those of the seat to act (uint8, (num_envs, size)); where the hand is over, of
    the seat that acted last. A step's reward is what the seat that acted got for it: its score if
    the step ended the hand, else 0. ``infos`` holds for every hand ``turn`` (int8, the seat to act,
    -1 where the hand is over) and ``action_mask`` (int8, (num_envs, num_actions)), and for hands
    that this step ended ``scores`` (int64, (num_envs, players)) and ``last_observations`` (uint8,
    (num_envs, players, size)) of all players. With ``SAME_STEP`` these stand in ``final_info``, and
    ``final_obs`` holds the last observation of the seat that acted. The entry ``_scores`` says of
    which hands ``scores`` is, and so on.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.num_envs = num_envs
        self.metadata: dict[str, Any] = {"autoreset_mode": autoreset_mode, "render_modes": []}
        self.copy = copy
        self._make = (game, num_envs, MODES[autoreset_mode], threads)
        self.games = self._new(None)
        size = self.games.observations.shape[1]
        self.single_observation_space = Box(0, 255, (size,), np.uint8)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = Discrete(self.games.num_actions)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _new(self, seed: int | None) -> VecGame:
        game, n, autoreset, threads = self._make
        return VecGame(game, n, seed, mask="bytes", autoreset=autoreset, threads=threads)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin new hands.

        ``seed``: as for a Game, of these hands and all after them; None goes on from the last.
        ``options["reset_mask"]``: bool (num_envs,), the hands to begin anew; it goes with no seed.
        """
        which = (options or {}).get("reset_mask")
        if which is not None:
            which = np.asarray(which)
            if seed is not None:
                raise ValueError("a seed is for all hands, reset_mask for some")
            if which.shape != (self.num_envs,) or which.dtype != np.bool_:
                raise ValueError(f"reset_mask must be bool of shape ({self.num_envs},)")
        super().reset(seed=seed)
        if seed is not None:
            self.games = self._new(seed)
        else:
            self.games.reset(None if which is None else np.flatnonzero(which).tolist())
        observations = self.games.observations
        return observations.copy() if self.copy else observations, self._infos()

    def step(self, actions: NDArray[Any]) -> Step:
        """Do an action (integers of shape (num_envs,)) in every hand.

        ``ValueError`` names the first that is not legal; no hand has moved then. Where a hand was
        over the action is not looked at.
        """
        games = self.games
        places = np.arange(self.num_envs)
        acted = games.turns.copy()
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {chosen.dtype}")
        if chosen.shape == acted.shape:
            # What int32 cannot hold must not become an action on the way.
            foreign = (chosen < 0) | (chosen >= games.num_actions)
            for place in np.flatnonzero(foreign & (acted >= 0)):
                raise ValueError(f"actions[{place}] = {chosen[place]} is not legal")
            chosen = np.where(foreign, 0, chosen)
        games.step(np.ascontiguousarray(chosen, np.int32))
        over = games.dones.copy()
        rewards = np.where(over, games.rewards[places, acted], 0).astype(np.float64)
        observations = games.observations.copy() if self.copy else games.observations
        infos = self._infos()
        if over.any():
            last = games.last_observations.copy()
            ends = {"scores": games.last_rewards.copy(), "_scores": over}
            ends |= {"last_observations": last, "_last_observations": over}
            if games.autoreset == "same_step":
                final: NDArray[np.object_] = np.full(self.num_envs, None, np.object_)
                for place in np.flatnonzero(over):
                    final[place] = last[place, acted[place]]
                infos |= {"final_obs": final, "_final_obs": over}
                infos |= {"final_info": ends, "_final_info": over}
            else:
                infos |= ends
                observations[over] = last[over, acted[over]]
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _infos(self) -> dict[str, Any]:
        turns, masks = self.games.turns, self.games.masks.view(np.int8)
        every = np.ones(self.num_envs, np.bool_)
        return {
            "turn": turns.copy() if self.copy else turns,
            "_turn": every,
            "action_mask": masks.copy() if self.copy else masks,
            "_action_mask": every,
        }
