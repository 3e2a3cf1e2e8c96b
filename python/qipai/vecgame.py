"""Many games stepped together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from qipai._core.chance import seed_bytes
from qipai._core.game import Game
from qipai._core.vec import VecCore
from qipai.batches import prototype_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Autoreset = Literal["next_step", "same_step", "disabled"]
Mask = Literal["bits", "bytes", "none"]


class VecGame:
    """n games of one kind, stepped together; everything they say is written into arrays that stay.

    ``game``: a name as for :func:`qipai.new`, or a Game whose rules and history every hand has.
    ``seed``: as for a Game; hand k in place i depends on the seed, i and k alone. ``mask``:
    ``"bits"`` (action a is bit ``a % 8`` of byte ``a // 8``), ``"bytes"`` (1 or 0 each) or
    ``"none"``. ``autoreset``, as Gymnasium has it: ``"next_step"`` begins a new hand at the step
    after the end, whose action is not looked at; ``"same_step"`` at once; ``"disabled"`` never, see
    :meth:`reset`. ``threads``: on how many a step is done. One
    VecGame is for one thread at a time.

    After every step these hold what there is to know (numpy, C-contiguous; do not replace them):

    - ``observations`` uint8 (n, size): of the seat to act; ``Game.observation_spec`` names slices.
    - ``masks`` uint8 (n, bytes): its legal actions; all zero where the hand is over.
    - ``turns`` int8 (n,): the seat to act, -1 where the hand is over.
    - ``rewards`` int64 (n, players): the scores where this step ended a hand, else zero.
    - ``dones`` bool (n,): whether this step ended a hand.
    - ``last_observations`` uint8 (n, players, size), ``last_rewards`` int64 (n, players): what each
      player saw and won at the end of the last hand that ended in the place.
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        seed: int | bytes | None = None,
        *,
        mask: Mask = "bits",
        autoreset: Autoreset = "next_step",
        threads: int = 1,
    ) -> None:
        import numpy as np

        if n >= 1 << 31:
            raise ValueError(f"n must be below 2**31, not {n}")
        prototype, self.name = prototype_of(game)
        self.n = n
        self.players = prototype.players
        self.num_actions = prototype.num_actions
        self.observation_spec = prototype.observation_spec
        self.feature_spec = prototype.engine.feature_spec()
        self.autoreset: Autoreset = autoreset
        self._core = VecCore(prototype, n, seed_bytes(seed), autoreset, mask, threads)
        size = prototype.engine.observation_size
        wide = {"bits": (self.num_actions + 7) // 8, "bytes": self.num_actions, "none": 0}[mask]
        self.observations: NDArray[np.uint8] = np.zeros((n, size), np.uint8)
        self.masks: NDArray[np.uint8] = np.zeros((n, wide), np.uint8)
        self.turns: NDArray[np.int8] = np.zeros(n, np.int8)
        self.rewards: NDArray[np.int64] = np.zeros((n, self.players), np.int64)
        self.dones: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.last_observations: NDArray[np.uint8] = np.zeros((n, self.players, size), np.uint8)
        self.last_rewards: NDArray[np.int64] = np.zeros((n, self.players), np.int64)
        self._ids: NDArray[np.int32] = np.zeros(n, np.int32)
        self._core.attach(
            self.observations.reshape(-1),
            self.masks.reshape(-1),
            self.turns,
            self.rewards.reshape(-1),
            self.dones,
            self.last_observations.reshape(-1),
            self.last_rewards.reshape(-1),
        )

    def step(self, actions: NDArray[np.int32]) -> None:
        """Do ``actions[i]`` (int32 ids of shape (n,)) in every game i.

        ``ValueError`` names the first that is not legal; no game has moved then. Where a hand is
        over the action is not looked at.
        """
        self._core.step(actions)

    def reset(self, places: Iterable[int] | None = None) -> None:
        """Begin a new hand in these places, or (None) in all."""
        self._core.reset(range(self.n) if places is None else places)

    def random_actions(self, seed: int) -> NDArray[np.int32]:
        """Return a uniformly random legal action for every game, 0 where the hand is over.

        ``seed``: an int below 2**64. The array is written anew by the next call of this kind.
        """
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed must be at least 0 and below 2**64, not {seed}")
        self._core.draw(self._ids, seed)
        return self._ids

    def hints(self) -> NDArray[np.int32]:
        """Return the greedy action of every game, 0 where the hand is over, as above."""
        self._core.hint(self._ids)
        return self._ids

    def legal_counts(self) -> NDArray[np.int32]:
        """Return how many legal actions every game has, int32 of shape (n,)."""
        import numpy as np

        counts: NDArray[np.int32] = np.zeros(self.n, np.int32)
        self._core.counts(counts)
        return counts

    def legal_features(
        self,
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """Return (rows, ids, starts): a row of features for each legal action of all games.

        The actions of game i are the rows ``starts[i]`` to ``starts[i + 1] - 1``; ``rows`` uint8 of
        shape (k, features), ``ids`` int32 (k,), ``starts`` int64 (n + 1,). ``feature_spec`` names
        the columns.
        """
        import numpy as np

        starts: NDArray[np.int64] = np.zeros(self.n + 1, np.int64)
        np.cumsum(self.legal_counts(), out=starts[1:])
        total = int(starts[-1])
        columns = self.feature_spec[-1].stop if self.feature_spec else 0
        rows: NDArray[np.uint8] = np.zeros((total, columns), np.uint8)
        ids: NDArray[np.int32] = np.zeros(total, np.int32)
        self._core.features(rows.reshape(-1), ids)
        return rows, ids, starts

    def game(self, place: int) -> Game:
        """Return an independent copy of the game in a place."""
        return self._core.game(place)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<VecGame {self.n} x {self.name}>"
