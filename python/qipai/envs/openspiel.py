"""Every game as an OpenSpiel game in Python; needs ``qipai[openspiel]``.

Importing the module registers them: ``shuangkou/wenzhou`` is then
``pyspiel.load_game("python_qipai_shuangkou_wenzhou")``. Chance comes first and is explicit: 32
nodes of 256 equal outcomes, the bytes of the seed, from which the hand follows as everywhere.
"""

# The library has no types, and may not be there when types are checked.
# mypy: disable-error-code="import-untyped, import-not-found, misc, unused-ignore"
# pyright: reportMissingImports=false, reportMissingModuleSource=false, reportUntypedBaseClass=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from qipai._core.game import Game
from qipai.batches import prototype_of
from qipai.extras import missing
from qipai.registry import games

try:
    import pyspiel
except ImportError as error:
    raise missing("qipai.envs.openspiel", "open_spiel", "openspiel") from error

SEED_BYTES = 32
# A hand's log counts actions in 16 bits; hands are far shorter.
MAX_GAME_LENGTH = (1 << 16) - 1
# What an information state tensor holds of the past.
EVENTS = 512
EVENT_NUMBERS = 5


def short_name(name: str) -> str:
    """Return OpenSpiel's name of a game of :func:`qipai.games`."""
    return f"python_qipai_{name.replace('/', '_')}"


def game_type(name: str, players: int) -> Any:
    """Return the ``pyspiel.GameType`` of a game.

    Scores need not add up to zero, so every game is general-sum.
    """
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"qipai {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


class QipaiGame(pyspiel.Game):
    """A game of qipai; its states are :class:`QipaiState`.

    ``name``: as in :func:`qipai.games`, a subclass for each. The rules give no bounds of the scores
    that hold for every sheet: utilities are from -inf to inf.
    """

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.prototype, _ = prototype_of(self.name)
        players = self.prototype.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.prototype.num_actions,
            max_chance_outcomes=256,
            num_players=players,
            min_utility=-inf,
            max_utility=inf,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(game_type(self.name, players), info, params or {})

    def new_initial_state(self) -> QipaiState:
        """Return the state before the seed is known."""
        return QipaiState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many bytes a seed has."""
        return SEED_BYTES

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Return what looks at states for a player; ``ValueError`` for other kinds of looking."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        private = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not wanted.public_info or wanted.private_info != private:
            raise ValueError("there are observations of one player, public information included")
        return Observer(self.prototype, wanted.perfect_recall)


class QipaiState(pyspiel.State):
    """A hand: first its seed byte by byte, then a :class:`qipai.Game`, as :attr:`hand`."""

    def __init__(self, game: QipaiGame) -> None:
        super().__init__(game)
        self.seed = b""
        self.hand: Game | None = None

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for chance or the end."""
        if self.hand is None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.hand.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.hand is not None and self.hand.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the values of a byte of the seed, with equal probabilities."""
        return [(byte, 1 / 256) for byte in range(256)]

    def returns(self) -> list[float]:
        """Return the scores; zeros before the end."""
        if self.hand is None or not self.hand.is_over:
            return [0.0] * self.num_players()
        return [float(score) for score in self.hand.scores()]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> QipaiState:
        """Return the hand with what a player cannot know dealt anew, by ``Game.resample``.

        ``sampler`` gives numbers from 0 to 1. The history keeps the ids of the true hand, its seed
        included: who wants to know the state must ask the state.
        """
        state: QipaiState = self.clone()
        if self.hand is not None:
            state.seed = bytes(int(sampler() * 256) & 255 for _ in range(SEED_BYTES))
            state.hand = self.hand.resample(player, state.seed)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        assert self.hand is not None
        ids: list[int] = self.hand.legal_ids().tolist()
        return ids

    def _apply_action(self, action: int) -> None:
        if self.hand is not None:
            self.hand.apply(action)
            return
        self.seed += bytes((action,))
        if len(self.seed) == SEED_BYTES:
            like: Game = self.get_game().prototype
            self.hand = type(like)(like.rules, seed=self.seed, history=like.history)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed byte {action}"
        return str(self.get_game().prototype.engine.action(action))

    def __str__(self) -> str:
        if self.hand is None:
            return f"seed {self.seed.hex()}"
        return self.hand.record().to_json()


class Observer:
    """What a player may know of a state, in OpenSpiel's form.

    ``tensor`` holds the slices of the game's ``observation_spec``, by name in ``dict``. For perfect
    recall two more follow: ``player``, one-hot, and ``events`` of shape (512, 5), what the player
    has learnt, the last first: the number of the kind, the seat, how many cards, the action and the
    first card, each plus 1, and 0 where there is none. Strings are the player's view in JSON, for
    perfect recall with the history.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self._kinds = game.engine.event_kinds
        self._perfect_recall = perfect_recall
        spec = game.observation_spec
        self._seen = spec[-1].stop
        more = game.players + EVENTS * EVENT_NUMBERS if perfect_recall else 0
        self.tensor: NDArray[np.float32] = np.zeros(self._seen + more, np.float32)
        self.dict = {
            part.name: self.tensor[part.start : part.stop].reshape(part.shape) for part in spec
        }
        if perfect_recall:
            self.dict["player"] = self.tensor[self._seen : self._seen + game.players]
            events = self.tensor[self._seen + game.players :]
            self.dict["events"] = events.reshape(EVENTS, EVENT_NUMBERS)

    def set_from(self, state: QipaiState, player: int) -> None:
        """Write what a player may know into ``tensor``."""
        self.tensor.fill(0)
        if state.hand is None:
            return
        self.tensor[: self._seen] = state.hand.observe(player)
        if not self._perfect_recall:
            return
        self.dict["player"][player] = 1
        for row, event in zip(
            self.dict["events"], reversed(state.hand.events(player)), strict=False
        ):
            row[:] = (
                self._kinds.index(event.kind) + 1,
                0 if event.seat is None else event.seat + 1,
                event.count + 1,
                0 if event.action is None else int(event.action) + 1,
                event.cards[0] + 1 if event.cards else 0,
            )

    def string_from(self, state: QipaiState, player: int) -> str:
        """Return what a player may know as text."""
        if state.hand is None:
            return ""
        view = state.hand.view(player).as_dict()
        if not self._perfect_recall:
            del view["history"]
        return json.dumps(view, ensure_ascii=False, separators=(",", ":"))


# OpenSpiel lets go of these when Python is gone. A class outlives that, a function would be freed.
for _name in games():
    _game = type(f"QipaiGame_{_name.replace('/', '_')}", (QipaiGame,), {"name": _name})
    _game.__module__ = __name__
    globals()[_game.__name__] = _game  # where pickle looks for it
    pyspiel.register_game(game_type(_name, prototype_of(_name)[0].players), _game)
