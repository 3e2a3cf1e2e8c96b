"""双扣 beside the public 斗地主 engines, in one run: ``python benches/peers/doudizhu.py``.

The tasks are not the same, and which is harder depends: 斗地主 leads from 20 cards of one deck and
has attachments (three with one) but no wildcards; 双扣 leads from 27 cards of two decks, and every
大王 in the hand may stand for anything. Each library does its own task from Python: all legal plays
of a lead, and whole hands by uniformly random decisions.

Needs ``open-spiel``, ``douzero`` and ``rlcard``; what is missing is left out.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from qipai import shuangkou
from qipai._core import arena
from qipai._core import shuangkou as kernel

LEADS = 2000
ROUNDS = 5


def timed(work: Callable[[Any], Any], items: Iterable[Any]) -> float:
    """The median over rounds of the mean time of one item, in microseconds."""
    items = list(items)
    means = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for item in items:
            work(item)
        means.append((time.perf_counter() - begun) / len(items) * 1e6)
    return statistics.median(means)


def ours(wild: int) -> float:
    rng = random.Random(wild)
    deck = [rank for rank in range(13) for _ in range(8)] + [13, 13]
    hands = []
    for _ in range(LEADS):
        cards = rng.sample(deck, 27 - wild) + [14] * wild
        hands.append(bytes(cards.count(rank) for rank in range(15)))
    out = np.empty(kernel.table_size(), np.int32)
    return timed(lambda hand: shuangkou.legal_ids(hand, out=out), hands)


def our_hands_in_c() -> float:
    game = shuangkou.Game(seed=1)
    decisions, _ = arena.random_hands(game, 2000, 1)
    return timed(lambda seed: arena.random_hands(game, 2000, 1), [1]) / decisions


def our_hands_from_python() -> float:
    out = np.empty(kernel.table_size(), np.int32)
    draw = random.Random(1).random
    decisions = 0

    def play(seed: int) -> None:
        nonlocal decisions
        game = shuangkou.Game(seed=seed)
        while game.turn is not None:
            ids = game.legal_ids(out)
            game.apply(int(ids[int(draw() * len(ids))]))
            decisions += 1

    each = timed(play, range(200))
    return each / (decisions / (200 * ROUNDS))


def openspiel() -> dict[str, float]:
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)
    leads = []
    while len(leads) < 300:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                continue
            legal = state.legal_actions()
            # The first play of a hand is a lead of 20 cards.
            if len(legal) > 4:
                leads.append(state.clone())
                break
            state.apply_action(legal[0] if len(legal) == 1 else rng.choice(legal))
    figures = {"legal actions of a 20-card lead": timed(lambda s: s.clone().legal_actions(), leads)}
    figures["clone alone"] = timed(lambda s: s.clone(), leads)
    decisions = 0

    def play(_: int) -> None:
        nonlocal decisions
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1

    each = timed(play, range(40))
    figures["decision of a random hand from Python, chance nodes included"] = each / (
        decisions / (40 * ROUNDS)
    )
    return figures


def douzero() -> dict[str, float]:
    from douzero.env.move_generator import MovesGener

    rng = random.Random(1)
    deck = [rank for rank in [*range(3, 15), 17] for _ in range(4)] + [20, 30]
    hands = [sorted(rng.sample(deck, 20)) for _ in range(300)]
    return {
        "legal plays of a 20-card lead": timed(lambda hand: MovesGener(hand).gen_moves(), hands)
    }


def rlcard() -> dict[str, float]:
    from rlcard.games.doudizhu.judger import DoudizhuJudger

    rng = random.Random(1)
    deck = [rank for rank in "3456789TJQKA2" for _ in range(4)] + ["B", "R"]
    order = "3456789TJQKA2BR"
    hands = ["".join(sorted(rng.sample(deck, 20), key=order.index)) for _ in range(100)]
    return {"legal plays of a 20-card lead": timed(DoudizhuJudger.playable_cards_from_hand, hands)}


def main() -> None:
    base = ours(0)
    rows = [("qipai", f"legal ids of a 27-card lead, {w} 大王", ours(w)) for w in (0, 1, 2)]
    rows.append(("qipai", "decision of a random hand in C", our_hands_in_c()))
    rows.append(("qipai", "decision of a random hand from Python, deals included",
                 our_hands_from_python()))  # fmt: skip
    for name, peer in (("OpenSpiel", openspiel), ("DouZero", douzero), ("RLCard", rlcard)):
        try:
            rows += [(name, task, figure) for task, figure in peer().items()]
        except ImportError:
            print(f"{name} is not installed")
    print(f"{'library':<10} {'task, in its own game':<62} {'us each':>9} {'x ours':>8}")
    for name, task, figure in rows:
        print(f"{name:<10} {task:<62} {figure:>9.2f} {figure / base:>8.1f}")
    print("x ours: against the 27-card lead without 大王")


if __name__ == "__main__":
    main()
