"""Players: native bots for every game, and what a bot in Python is.

``random`` draws uniformly from the legal actions, ``greedy`` does what an average player would (and
what ``Game.auto`` does), ``search`` imagines the hidden cards and plays each candidate out. A
native bot chooses for a game, :meth:`NativeBot.choose`, and runs inside C in
:func:`qipai.play_batch`; a bot in Python is any callable ``bot(view, legal_actions) -> action``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from qipai._core.arena import choose_for
from qipai._core.chance import seed_bytes
from qipai._core.game import Action, Game
from qipai.plain import exact, integer
from qipai.view import View

PythonBot: TypeAlias = "Callable[[View, list[Action]], Action | int | str]"

RANDOM, GREEDY, SEARCH = range(3)
KINDS = (("random", RANDOM), ("greedy", GREEDY), ("search", SEARCH))


@dataclass(frozen=True, slots=True)
class NativeBot:
    """A bot that the compiled core plays.

    ``worlds``, ``candidates`` and ``seconds`` are for ``search``: how many deals of what is hidden
    it imagines for a decision, how many of the best hints it tries in each, and the time after
    which it imagines no more (0: no limit; a limit gives up equal results on equal seeds).
    ``ValueError`` for a bot that there is not.
    """

    name: str
    kind: int
    worlds: int = 0
    candidates: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", exact(self.name))
        for what in ("kind", "worlds", "candidates"):
            object.__setattr__(self, what, integer(what, getattr(self, what)))
        if (self.name, self.kind) not in KINDS:
            raise ValueError(f"there is no native bot {self.name!r} of kind {self.kind!r}")
        seconds = exact(self.seconds)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            raise TypeError(f"seconds must be a number, not {seconds!r}")
        exactly = float.__float__(seconds) if isinstance(seconds, float) else seconds
        object.__setattr__(self, "seconds", exactly)
        if self.kind != SEARCH:
            if self.worlds or self.candidates or self.seconds:
                raise ValueError(f"{self.name} has no budget")
        elif not (
            1 <= self.worlds <= 10**9 and 2 <= self.candidates <= 64 and 0 <= self.seconds < 1e6
        ):
            raise ValueError(
                "search needs at least 1 world, 2 to 64 candidates, and seconds from 0"
            )

    @property
    def label(self) -> str:
        """The name, with what of its budget is not the usual."""
        usual = NATIVE[self.name]
        budget = [
            f"{what}={getattr(self, what)}"
            for what in ("worlds", "candidates", "seconds")
            if getattr(self, what) != getattr(usual, what)
        ]
        return f"{self.name}({', '.join(budget)})" if budget else self.name

    @property
    def spec(self) -> tuple[int, int, int, int]:
        """The numbers for the compiled core."""
        return (self.kind, self.worlds, self.candidates, int(self.seconds * 1e9))

    def choose(self, game: Game, seed: int | bytes = 0) -> Action:
        """Return what the bot does for the seat to act.

        It goes by what that seat may know only. ``seed``: what its chance comes from.
        ``ValueError`` when the hand is over.
        """
        if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"game must be a Game, not {type(game).__name__}")
        return game.engine.action(choose_for(game, self.spec, seed_bytes(seed)))

    def with_budget(
        self,
        *,
        worlds: int | None = None,
        candidates: int | None = None,
        seconds: float | None = None,
    ) -> NativeBot:
        """Return the bot with another budget; ``ValueError`` where it is none."""
        if self.kind != SEARCH:
            raise ValueError(f"{self.name} has no budget")
        return replace(
            self,
            worlds=self.worlds if worlds is None else worlds,
            candidates=self.candidates if candidates is None else candidates,
            seconds=self.seconds if seconds is None else seconds,
        )


random = NativeBot("random", RANDOM)
greedy = NativeBot("greedy", GREEDY)
search = NativeBot("search", SEARCH, worlds=24, candidates=6)

NATIVE = {bot.name: bot for bot in (random, greedy, search)}


def named(bot: NativeBot | PythonBot | str) -> NativeBot | PythonBot:
    """Return a bot by its name, any other as it is; ``ValueError`` for a name that is none."""
    if isinstance(bot, str):
        if bot not in NATIVE:
            raise ValueError(f"there is no bot {bot!r}; there are {', '.join(NATIVE)}")
        return NATIVE[bot]
    if not isinstance(bot, NativeBot) and not callable(bot):
        raise TypeError(f"a bot is a name, a native bot or a callable, not {type(bot).__name__}")
    return bot
