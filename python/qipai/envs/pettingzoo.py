"""Every game as a PettingZoo AEC environment; needs ``qipai[pettingzoo]``."""

# The library has no types, and may not be there when types are checked.
# mypy: disable-error-code="import-untyped, import-not-found, misc, unused-ignore"
# pyright: reportMissingImports=false, reportMissingTypeStubs=false, reportUntypedBaseClass=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeArgument=false
# pyright: reportGeneralTypeIssues=false

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from qipai._core.game import Game
from qipai.batches import prototype_of
from qipai.extras import missing

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as error:
    raise missing("qipai.envs.pettingzoo", "pettingzoo", "pettingzoo") from error

VERSION = 0


class Observation(TypedDict):
    """What an agent is given: ``Game.observe`` of its seat, and its legal actions.

    ``observation`` uint8 of shape (size,); ``action_mask`` int8 of shape (num_actions,), all zero
    for an agent that is not to act.
    """

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def env(game: str | Game, *, render_mode: str | None = None) -> Any:
    """Return :class:`raw_env` in PettingZoo's usual wrappers.

    They refuse numbers that are no action, and calls in the wrong order. An action that the rules
    do not allow is an ``IllegalAction``, as everywhere in qipai; it ends nothing.
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(game, render_mode=render_mode)))


class raw_env(AECEnv):
    """One hand of a game, seat i as the agent ``player_i``.

    ``game``: a name as for :func:`qipai.new`, or a Game whose rules and history every hand has.
    ``render_mode``: ``"ansi"`` or None. An agent's observation is an :class:`Observation`; rewards
    are the scores, at the end. ``state()`` is ``Game.observe(None)``, everything. The agents know
    who is to act from ``agent_selection``, which their observations may not tell them.
    """

    def __init__(self, game: str | Game, *, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        super().__init__()
        self._prototype, self.name = prototype_of(game)
        self.metadata: dict[str, Any] = {
            "name": f"qipai_{self.name.replace('/', '_')}_v{VERSION}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        size, actions = self._prototype.engine.observation_size, self._prototype.num_actions
        self.possible_agents = [f"player_{seat}" for seat in range(self._prototype.players)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 255, (size,), np.uint8),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.state_space = Box(0, 255, (size,), np.uint8)
        self._chance, _ = np_random()
        self.game = self._prototype

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions: the ids of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a hand. ``seed``: of this hand and those after it; None goes on from the last."""
        if seed is not None:
            self._chance, _ = np_random(seed)
        kind, rules = type(self._prototype), self._prototype.rules
        self.game = kind(rules, seed=self._chance.bytes(32), history=self._prototype.history)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may see and do."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.game.num_actions, np.uint8)
        if seat == self.game.turn:
            self.game.action_mask(mask)
        return {"observation": self.game.observe(seat), "action_mask": mask.view(np.int8)}

    def state(self) -> NDArray[np.uint8]:
        """Return everything, for critics that may look."""
        return self.game.observe(None)

    def step(self, action: int | None) -> None:
        """Do an action of the agent to act; None for one whose hand is over.

        ``IllegalAction`` where the rules do not allow it; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must act")
        self.game.apply(int(action))
        self._cumulative_rewards[agent] = 0
        if self.game.is_over:
            self.rewards = dict(zip(self.agents, self.game.scores(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self._select()

    def _select(self) -> None:
        assert self.game.turn is not None
        self.agent_selection = self.possible_agents[self.game.turn]

    def render(self) -> str | None:
        """Return what a spectator sees, a line for each thing; None without a render mode."""
        if self.render_mode is None:
            return None
        view = self.game.view("table")
        shown = view.as_dict()
        del shown["history"], shown["legal_actions"]
        lines = [f"{name}: {value}" for name, value in shown.items() if value is not None]
        lines += [f"last: {event.as_dict()}" for event in view.history[-1:]]
        return "\n".join(lines)

    def close(self) -> None:
        """Do nothing: there is no window."""
