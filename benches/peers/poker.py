"""One look at some cards, beside poker evaluators: ``python benches/peers/poker.py``.

Needs ``pkrbot``, ``eval7`` and ``phevaluator``; what is missing is named.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from race import OURS, Race, main, over

from qipai import gunzi, mahjong, shuangkou
from qipai._core import arena

sys.path.append(str(Path(__file__).resolve().parents[1]))
import test_gunzi
import test_mahjong
import test_shuangkou

N = 1 << 16
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
QUESTIONS = """The questions are not the same, only of a size. A poker evaluator ranks the best five
of seven cards, or five, of one deck without wildcards. `classify` says what a set of up to 27
cards with 大王 is, half of the sets being playable; `is_win` whether 14 tiles with 0 to 4 混 are
胡, half of them are; `trick_winner` who wins a trick of four plays."""


def dealt(size: int) -> list[list[str]]:
    """Distinct hands."""
    rng = random.Random(size)
    hands: dict[frozenset[str], list[str]] = {}
    while len(hands) < N:
        cards = rng.sample(DECK, size)
        hands[frozenset(cards)] = cards
    return list(hands.values())


HANDS = {size: dealt(size) for size in (5, 7)}
FACES = [[test_gunzi.counts_of(play) for play in plays] for plays in test_gunzi.TRICKS]


def over_stars(call: Callable[..., object], items: Sequence[Any]) -> Callable[[], None]:
    """Work that calls with the parts of every item."""

    def work() -> None:
        for item in items:
            call(*item)

    return work


def one_by_one(race: Race) -> None:
    race.base("an empty call", over(arena.empty, test_shuangkou.ROWS), N)
    race.enter(OURS, "`classify`", over(shuangkou.classify, test_shuangkou.ROWS), N)
    is_win, winner, trump = mahjong.is_win, gunzi.trick_winner, test_gunzi.SPADES_5

    def wins() -> None:
        for counts, _, wild in test_mahjong.CLOSED:
            is_win(counts, (), wild)

    def winners() -> None:
        for plays in FACES:
            winner(plays, trump)

    race.enter(OURS, "`is_win`", wins, N)
    race.enter(OURS, "`trick_winner`", winners, N)


def batches(race: Race) -> None:
    plays = np.empty(N, shuangkou.PLAY_DTYPE)
    counts, _, wild = test_mahjong.arrays(test_mahjong.CLOSED)
    sets, tricks = test_shuangkou.PACKED, test_gunzi.PACKED
    trump = test_gunzi.SPADES_5
    race.enter(OURS, "`classify_many`", lambda: shuangkou.classify_many(sets, out=plays), N)
    race.enter(OURS, "`is_win_many`", lambda: mahjong.is_win_many(counts, (), wild), N)
    race.enter(OURS, "`trick_winner_many`", lambda: gunzi.trick_winner_many(tricks, trump), N)


def pkrbot(race: Race) -> None:
    from pkrbot import Card, evaluate

    deck = {text: Card(text) for text in DECK}
    for size, hands in HANDS.items():
        given = [[deck[text] for text in hand] for hand in hands]
        race.enter("pkrbot", f"{size} cards", over(evaluate, given), N)


def eval7(race: Race) -> None:
    from eval7 import Card, evaluate

    deck = {text: Card(text) for text in DECK}
    for size, hands in HANDS.items():
        given = [[deck[text] for text in hand] for hand in hands]
        race.enter("eval7", f"{size} cards", over(evaluate, given), N)


def phevaluator(race: Race) -> None:
    from phevaluator import Card, _pheval, evaluate_cards

    compiled = {5: _pheval.evaluate_5cards, 7: _pheval.evaluate_7cards}
    for size, hands in HANDS.items():
        given = [tuple(map(Card.to_id, hand)) for hand in hands]
        race.enter("phevaluator", f"{size} cards", over_stars(evaluate_cards, given), N)
        note = "its compiled part, called directly"
        race.enter(
            "phevaluator", f"{size} cards, `_pheval`", over_stars(compiled[size], given), N, note
        )


def races() -> Iterator[Race]:
    calls = Race(
        "poker", "One look at some cards, a call each", "look",
        f"{QUESTIONS} All from Python, with the cards in the form that the function takes.",
    )  # fmt: skip
    many = Race(
        "poker-many", "65,536 looks at some cards, in one call of ours", "look",
        f"{QUESTIONS} The evaluators have no call for many hands: theirs is a loop in Python.",
    )  # fmt: skip
    one_by_one(calls)
    batches(many)
    for race in (calls, many):
        for peer in (pkrbot, eval7, phevaluator):
            race.invite(peer.__name__, peer)
        yield race


if __name__ == "__main__":
    main(races, __doc__ or "")
