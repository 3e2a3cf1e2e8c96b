"""Several hands in a row."""

from __future__ import annotations

from hashlib import sha256

from qipai._core.chance import seed_bytes
from qipai._core.game import Game
from qipai.registry import preset_rules
from qipai.rules._base import RulesBase


class Match:
    """Hands in a row with totals: each begins with what the one before left.

    ``name``: as for :func:`qipai.new`; ``rules``: other rules of that game; ``seed``: as for a
    game: hand i, from 0, has the seed SHA-256(seed + i as four bytes, big end first).
    """

    def __init__(
        self, name: str, rules: RulesBase | None = None, seed: int | bytes | None = None
    ) -> None:
        kind, preset = preset_rules(name)
        self._seed = seed_bytes(seed)
        self.hands = 0
        self.game: Game = kind(preset if rules is None else rules, seed=self._hand_seed())
        self.totals = [0] * self.game.players

    def _hand_seed(self) -> bytes:
        return sha256(self._seed + self.hands.to_bytes(4, "big")).digest()

    def next(self) -> Game:
        """Book the hand that is over and return the next; ``RuntimeError`` before its end."""
        scores = self.game.scores()
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.hands += 1
        self.game = self.game.next_hand(self._hand_seed())
        return self.game

    def __repr__(self) -> str:
        return f"<Match of {self.game.engine.name}: {self.hands} hands, totals {self.totals}>"
