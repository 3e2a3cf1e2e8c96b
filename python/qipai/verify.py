"""The compiled core against the reference, on random hands."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from qipai._core.game import Game
from qipai.registry import preset_rules

# A call from the lead of a hand must end within this many actions in any game.
LONGEST = 5000


class Mismatch(AssertionError):
    """Compiled core and reference differ."""


def reference_game(game: Game) -> Any:
    """Return the reference's game of the same rules, deal and history, not played yet."""
    module = import_module(f"qipai.reference.{game.engine.name}")
    return module.Game(game.rules, deal_of(game), game.history.as_dict())


def deal_of(game: Game) -> dict[str, Any]:
    """Return the deal as the reference takes it."""
    deal = game.deal.as_dict()
    deal.pop("redeals", None)
    return deal


def compare_state(game: Game, slow: Any) -> None:
    """Raise :class:`Mismatch` unless both say the same of everything the reference knows."""
    mine = game.engine.view(game, None)
    for name, value in slow.state().items():
        if mine[name] != value:
            raise Mismatch(f"{name}: compiled {mine[name]!r}, reference {value!r}")
    if game.is_over and game.scores() != slow.scores():
        raise Mismatch(f"scores: compiled {game.scores()}, reference {slow.scores()}")


def compare_actions(game: Game, slow: Any) -> list[str]:
    """Return the legal actions as text; :class:`Mismatch` unless both list the same."""
    mine = [str(action) for action in game.legal_actions()]
    theirs = slow.legal_actions()
    if sorted(mine) != sorted(theirs):
        only = sorted(set(mine) - set(theirs))
        missing = sorted(set(theirs) - set(mine))
        raise Mismatch(f"legal actions: only compiled {only[:5]}, only reference {missing[:5]}")
    if len(mine) != game.legal_count():
        raise Mismatch(f"{len(mine)} legal actions are listed, {game.legal_count()} counted")
    return mine


def compare_hand(game: Game, rng: random.Random, *, lists: float = 1.0, slow: Any = None) -> int:
    """Play a random hand on both, equal after every step; return the number of actions.

    ``lists``: the share of steps at which the whole lists of legal actions are compared; at the
    others the reference is asked about the action alone.
    """
    slow = slow or reference_game(game)
    for step in range(LONGEST):
        try:
            compare_state(game, slow)
            if game.is_over:
                return step
            texts = (
                compare_actions(game, slow)
                if rng.random() < lists
                else [str(action) for action in game.legal_actions()]
            )
            text = rng.choice(texts)
            try:
                slow.apply(text)
            except ValueError:
                raise Mismatch(f"the reference does not allow {text!r}") from None
        except Mismatch as error:
            raise Mismatch(f"step {step}: {error}\n{game.record().to_json()}") from None
        game.apply(text)
        if slow.phase == "redeal":  # GZ-22, GZ-26: the new deal is the compiled game's
            slow.redeal(deal_of(game))
    raise Mismatch(f"the hand does not end: {game.record().to_json()}")


def compare_hands(
    name: str, n: int, seed: int, *, lists: float = 1.0, hands_in_a_row: int = 1
) -> Iterator[int]:
    """Compare n random hands of a preset; yield the actions of each.

    ``hands_in_a_row``: after so many hands the history starts afresh.
    """
    rng = random.Random(seed)
    kind, rules = preset_rules(name)
    history = None
    for number in range(n):
        if number % hands_in_a_row == 0:
            history = None
        game = kind(rules, seed=rng.getrandbits(256), history=history)
        yield compare_hand(game, rng, lists=lists)
        history = game.next_history


def compare_in_parallel(
    name: str, n: int, seed: int, *, lists: float = 1.0, hands_in_a_row: int = 1
) -> Iterator[int]:
    """Compare n random hands on all processors; yield the actions of each stretch of hands.

    Stretches are whole rows of hands, each with a seed of its own.
    """
    stretch = max(hands_in_a_row, 40 // hands_in_a_row * hands_in_a_row)
    starts = range(0, n, stretch)
    tasks = [
        (name, min(stretch, n - start), seed * 1_000_003 + start, lists, hands_in_a_row)
        for start in starts
    ]
    with multiprocessing.get_context("spawn").Pool() as pool:
        yield from pool.imap_unordered(_compare_stretch, tasks)


def _compare_stretch(task: tuple[str, int, int, float, int]) -> int:
    name, n, seed, lists, hands_in_a_row = task
    return sum(compare_hands(name, n, seed, lists=lists, hands_in_a_row=hands_in_a_row))
