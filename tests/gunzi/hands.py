"""Random hands of 打滚子 on both readings: deals, histories and players of all kinds."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from qipai.gunzi import Deal, Game, History, Rules
from qipai.verify import Mismatch, compare_actions, compare_state, deal_of, reference_game

CHOICES: dict[str, tuple[Any, ...]] = {
    "bid_windows": ("changed", "changed", "every"),
    "self_overturn": (False, True),
    "joker_levels": ((2, 1), (2, 1), (0, 0), (7, 7)),
    "instant_jokers": ("both", "big"),
    "stake": (1, 3),
}
# What a player likes to do: texts that begin so, or what the hint says.
LIKINGS = ((), ("show",), ("pass",), ("bury B", "bury R"), ("+",), ("hint",))
BOTTOMS = ((), (), "jokers", "points", "trumps")


def house_rules(rng: random.Random, rules: Rules) -> Rules:
    """The rules, with fields other than ``follow`` changed now and then."""
    if rng.random() < 0.5:
        return rules
    return rules.replace(**{name: rng.choice(of) for name, of in CHOICES.items()})


def any_history(rng: random.Random) -> History | None:
    """A first hand, or a later one of any levels and blood."""
    if rng.random() < 0.3:
        return None
    levels = rng.choices((3, 4, 5, 8, 9, 10), k=2)
    return History((levels[0], levels[1]), rng.randrange(4), rng.choice((0, 0, 0, 1, 4, 23)))


def made_deal(rng: random.Random, history: History | None) -> Deal:
    """Cards alike in one hand mostly, and a bottom of one kind now and then."""
    level = 3 if history is None else history.levels[(history.dealer or 0) % 2]
    kind = rng.choice(BOTTOMS)
    rank = level - 3
    special = {
        "jokers": [52, 53] * 3,
        "points": [4 * r + s for r in (2, 7, 10) for s in range(4)],
        "trumps": [*range(4 * rank, 4 * rank + 4), *range(48, 54)],
        (): [],
    }[kind]
    bottom: list[int] = []
    for face in rng.sample(special, min(6, len(special))):
        card = next(face + 54 * copy for copy in range(3) if face + 54 * copy not in bottom)
        bottom.append(card)
    bottom = bottom[: rng.randrange(3, 7)]
    faces = rng.sample(range(54), 54)
    deck = [face + 54 * copy for face in faces for copy in range(3)]
    deck = [card for card in deck if card not in bottom]
    while len(bottom) < 6:
        bottom.append(deck.pop(rng.randrange(len(deck))))
    hands = [rng.sample(deck[39 * i : 39 * i + 39], 39) for i in range(4)]
    draws = tuple(hands[i % 4][i // 4] for i in range(156))
    dealer = None if history is None else history.dealer
    start = rng.randrange(4) if dealer is None else dealer
    return Deal(draws, tuple(bottom), start, tuple(rng.sample(range(6), 6)))


def any_hand(rng: random.Random, rules: Rules, history: History | None) -> Game:
    """A shuffled hand or a made one."""
    deal = made_deal(rng, history) if rng.random() < 0.5 else None
    return Game(rules, seed=rng.getrandbits(256), deal=deal, history=history)


def choose(rng: random.Random, game: Game, texts: list[str], likings: list[tuple[str, ...]]) -> str:
    liking = likings[game.turn or 0]
    if "hint" in liking and rng.random() < 0.8:
        return str(game.auto())
    liked = [text for text in texts if liking and text.startswith(liking)]
    return rng.choice(liked if liked and rng.random() < 0.8 else texts)


def play_both(game: Game, rng: random.Random, lists: float, seen: Counter[str]) -> int:
    """Play a hand on both readings, equal after every step; how many actions.

    ``lists``: the share of steps at which all legal actions are compared. ``seen`` counts what came
    up, so that a proof can tell whether it met what is rare.
    """
    slow = reference_game(game)
    likings = [rng.choice(LIKINGS) for _ in range(4)]
    actions = 0
    while True:
        try:
            compare_state(game, slow)
            if game.is_over:
                break
            listed = rng.random() < lists
            texts = compare_actions(game, slow) if listed else list(map(str, game.legal_actions()))
            text = choose(rng, game, texts, likings)
            try:
                slow.apply(text)
            except ValueError:
                raise Mismatch(f"the reference does not allow {text!r}") from None
        except Mismatch as error:
            raise Mismatch(f"{error}\n{game.record().to_json()}") from None
        seen[game.phase] += 1
        game.apply(text)
        actions += 1
        if slow.phase == "redeal":
            seen["redeal"] += 1
            slow.redeal(deal_of(game))
    if game.next_history.as_dict() != slow.next_history():
        raise Mismatch(f"next hand: {game.next_history}, {slow.next_history()}")
    view = game.view(None)
    seen["hands"] += 1
    seen["dry"] += view["dry"]
    seen["dug"] += view["dug"]
    seen["rounds"] += view["settlement"]["round_winner"] is not None
    seen["gained by " + str(view["settlement"]["gainer"])] += 1
    return actions


def play_round(rng: random.Random, rules: Rules, lists: float, seen: Counter[str]) -> int:
    """Play hands in a row until a side has won the round; how many hands."""
    game = Game(rules, seed=rng.getrandbits(256))
    hands = 1
    while True:
        play_both(game, rng, lists, seen)
        if game.next_history.dealer is None:
            return hands
        game = game.next_hand(rng.getrandbits(256))
        hands += 1
