"""A hand written down, to be replayed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from qipai._core.game import Game
from qipai.fair import Proof
from qipai.plain import Plain
from qipai.registry import game_class
from qipai.rules._base import RulesBase

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """All that a hand was: what was fixed before it, and what was done.

    ``game``: the name of its module; ``rules``, ``deal`` and ``history``: the game's own;
    ``seed`` in hexadecimal; ``actions``: texts in the order in which they were done, ``"escape 2"``
    where player 2 ran away. Answers that are held for their turn are no actions yet. ``proof``: how
    the seed came about, where that can be checked (:mod:`qipai.fair`).
    """

    game: str
    rules: RulesBase
    seed: str
    deal: Plain
    history: Plain
    actions: tuple[str, ...]
    format: int = FORMAT
    proof: Proof | None = None

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the record of a hand as it stands."""
        return cls(
            game.engine.name,
            game.rules,
            game.seed.hex(),
            game.deal,
            game.history,
            tuple(
                f"escape {seat}" if text == "escape" else text
                for seat, text in game.logged_actions()
            ),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON."""
        data: dict[str, Any] = {
            "format": self.format,
            "game": self.game,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "deal": self.deal.as_dict(),
            "history": self.history.as_dict(),
            "actions": list(self.actions),
        }
        if self.proof is not None:
            data["proof"] = self.proof.as_dict()
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the record that :meth:`as_dict` wrote; ``ValueError`` for anything else."""
        wanted = {
            "format": int,
            "game": str,
            "rules": Mapping,
            "seed": str,
            "deal": Mapping,
            "history": Mapping,
            "actions": list,
        }
        if not isinstance(data, Mapping) or set(data) - {"proof"} != set(wanted):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a record has the entries {', '.join(wanted)}, and may have proof")
        for name, kind in wanted.items():
            if not isinstance(data[name], kind) or data[name] is True:
                raise ValueError(f"a record's {name} must be a {kind.__name__.lower()}")
        if data["format"] != FORMAT:
            raise ValueError(f"the record has format {data['format']}, this version reads {FORMAT}")
        if not all(isinstance(text, str) for text in data["actions"]):
            raise ValueError("a record's actions must be texts")
        if len(data["seed"]) != 64:
            raise ValueError("a record's seed must have 64 hexadecimal digits")
        bytes.fromhex(data["seed"])
        kind = game_class(data["game"])
        return cls(
            data["game"],
            kind.Rules.from_dict(data["rules"]),
            data["seed"],
            kind.Deal.from_dict(data["deal"]),
            kind.History.from_dict(data["history"]),
            tuple(data["actions"]),
            proof=Proof.from_dict(data["proof"]) if "proof" in data else None,
        )

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the record of its JSON; ``ValueError`` where it is none."""
        try:
            data = json.loads(text)
        except RecursionError:
            raise ValueError("the record is nested too deeply") from None
        return cls.from_dict(data)

    def replay(self) -> Game:
        """Return the game, played up to the last recorded action.

        ``ValueError`` where the record cannot have happened.
        """
        game: Game = game_class(self.game)(
            self.rules, seed=bytes.fromhex(self.seed), deal=self.deal, history=self.history
        )
        for number, text in enumerate(self.actions):
            try:
                if text.startswith("escape "):
                    game.escape(int(text.removeprefix("escape ")))
                else:
                    game.apply(text)
            except ValueError as error:
                raise ValueError(f"action {number} of the record: {error}") from error
        return game
