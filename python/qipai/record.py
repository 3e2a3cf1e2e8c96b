"""A hand written down, to be replayed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self, cast

from qipai._core.game import Game
from qipai.fair import Proof
from qipai.plain import Plain, exact, shown
from qipai.registry import game_class
from qipai.rules._base import RulesBase

FORMAT = 1
SEED = re.compile("[0-9a-f]{64}")
ESCAPE = re.compile("escape ([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Record:
    """All that a hand was: what was fixed before it, and what was done.

    ``game``: the name of its module; ``rules``, ``deal`` and ``history``: the game's own;
    ``seed`` in hexadecimal; ``actions``: texts in the order in which they were done, ``"escape 2"``
    where player 2 ran away. Answers that are held for their turn are no actions yet. ``proof``: how
    the seed came about, where that can be checked (:mod:`qipai.fair`). ``format`` is raised when
    there is more to write down, in the record or in what it holds.
    """

    game: str
    rules: RulesBase
    seed: str
    deal: Plain
    history: Plain
    actions: tuple[str, ...]
    format: int = FORMAT
    proof: Proof | None = None

    def __post_init__(self) -> None:
        for name in ("game", "seed", "actions", "format"):
            object.__setattr__(self, name, exact(getattr(self, name)))
        for name, kind in (("rules", RulesBase), ("deal", Plain), ("history", Plain)):
            value: object = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"a record's {name} must be the game's, not {value!r}")
        if not isinstance(self.proof, Proof | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a record's proof must be a Proof or None, not {self.proof!r}")
        _text("game", self.game)
        if not SEED.fullmatch(_text("seed", self.seed)):
            raise ValueError("a record's seed must have 64 hexadecimal digits in lower case")
        if not isinstance(self.actions, tuple):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("a record's actions must be a tuple")
        for text in self.actions:
            _text("actions", text)
        _known_format(self.format)

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the record of a hand as it stands."""
        if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"game must be a Game, not {type(game).__name__}")
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
        """Return the record that :meth:`as_dict` wrote; ``ValueError`` for anything else.

        It names the format where that is another, else the entries that this format does not have.
        """
        wanted = tuple(field.name for field in fields(cls))
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a record must be a mapping, not {type(data).__name__}")
        for name in wanted:
            if name != "proof" and name not in data:
                raise ValueError(f"a record lacks {name!r}")
        _known_format(data["format"])
        for name in data:
            if name not in wanted:
                raise ValueError(
                    f"a record of format {FORMAT} has no {name!r}; its entries are "
                    f"{', '.join(wanted)}"
                )
        actions: object = data["actions"]
        if not isinstance(actions, list):
            raise ValueError("a record's actions must be a list")
        kind = game_class(_text("game", data["game"]))
        return cls(
            kind._engine.name,
            kind.Rules.from_dict(data["rules"]),
            data["seed"],
            kind.Deal.from_dict(data["deal"]),
            kind.History.from_dict(data["history"]),
            tuple(cast("list[str]", actions)),
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
                if ran := ESCAPE.fullmatch(text):
                    game.escape(int(ran[1]))
                else:
                    game.apply(text)
            except ValueError as error:
                raise ValueError(f"action {number} of the record: {error}") from error
        return game


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a record's {name} must be text, not {value!r}")
    return value


def _known_format(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"a record's format must be a number, not {value!r}")
    if value != FORMAT:
        raise ValueError(f"the record has format {shown(value)}, this version reads {FORMAT}")
