from collections.abc import Iterable
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from qipai._core.game import Game

MODES: tuple[str, ...]
MASKS: tuple[str, ...]

@disjoint_base
class VecCore:
    """The states of n games; :class:`qipai.VecGame` is its face."""

    def __new__(
        cls,
        prototype: Game,
        n: int,
        key: bytes,
        autoreset: str,
        mask: str,
        threads: SupportsIndex,
    ) -> Self: ...
    def attach(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.uint8],
        turns: NDArray[np.int8],
        rewards: NDArray[np.int64],
        dones: NDArray[np.bool_],
        last_observations: NDArray[np.uint8],
        last_rewards: NDArray[np.int64],
    ) -> None:
        """Take the arrays to be written, flat, and begin a hand in every place."""

    def reset(self, places: Iterable[int]) -> None:
        """Begin a new hand in these places."""

    def step(self, actions: NDArray[np.int32]) -> None:
        """Do one action in every game; all are checked before any is done."""

    def draw(self, out: NDArray[np.int32], seed: int) -> None:
        """Write a uniformly random legal action for every game; 0 where the hand is over."""

    def hint(self, out: NDArray[np.int32]) -> None:
        """Write the greedy action of every game; 0 where the hand is over."""

    def counts(self, out: NDArray[np.int32]) -> None:
        """Write how many legal actions every game has."""

    def features(self, out: NDArray[np.uint8], ids: NDArray[np.int32]) -> None:
        """Write a row of features and the id of every legal action of every game, game by game."""

    def game(self, place: int) -> Game[Any, Any, Any]:
        """An independent copy of one game."""
