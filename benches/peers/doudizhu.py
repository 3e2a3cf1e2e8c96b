"""双扣 beside the public 斗地主 engines: ``python benches/peers/doudizhu.py``.

Needs ``open-spiel``, ``douzero`` and ``rlcard``; what is missing is named.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from race import Race, enter_openspiel, hands_from_python, hands_in_c, hands_in_rlcard, main, over

from qipai import shuangkou
from qipai._core import arena
from qipai._core import shuangkou as kernel

LEADS = 4096
GAMES = """The games are not the same. 斗地主 leads from 20 cards of one deck and has attachments
(three with one), no wildcards; 双扣 leads from 27 cards of two decks, has no attachments, and each
大王 in the hand may stand for anything."""


def our_leads(wild: int) -> list[bytes]:
    rng = random.Random(wild)
    deck = [rank for rank in range(13) for _ in range(8)] + [13, 13]
    hands = [rng.sample(deck, 27 - wild) + [14] * wild for _ in range(LEADS)]
    return [bytes(cards.count(rank) for rank in range(15)) for cards in hands]


def leads_of_openspiel(race: Race) -> None:
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)
    leads = []
    while len(leads) < 1000:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                continue
            legal = state.legal_actions()
            # The auction has four bids at most: this is the first play.
            if len(legal) > 4:
                leads.append(state)
                break
            state.apply_action(rng.choice(legal))
    race.enter(
        "OpenSpiel", "20 cards, `legal_actions`", over(lambda s: s.legal_actions(), leads), 1000
    )


def leads_of_douzero(race: Race) -> None:
    from douzero.env.move_generator import MovesGener

    rng = random.Random(1)
    deck = [rank for rank in [*range(3, 15), 17] for _ in range(4)] + [20, 30]
    hands = [sorted(rng.sample(deck, 20)) for _ in range(500)]
    race.enter(
        "DouZero", "20 cards, `gen_moves`", over(lambda hand: MovesGener(hand).gen_moves(), hands),
        500,
    )  # fmt: skip


def leads_of_rlcard(race: Race) -> None:
    from rlcard.games.doudizhu.judger import DoudizhuJudger

    rng = random.Random(1)
    order = "3456789TJQKA2BR"
    deck = list(order[:13] * 4 + "BR")
    hands = ["".join(sorted(rng.sample(deck, 20), key=order.index)) for _ in range(200)]
    work = over(DoudizhuJudger.playable_cards_from_hand, hands)
    race.enter("RLCard", "20 cards, `playable_cards_from_hand`", work, 200)


def leads() -> Race:
    race = Race(
        "lead", "All legal plays of a lead", "lead",
        f"""{GAMES} Each library lists the plays of its own game, called from Python. Ours writes
        ids into an array, OpenSpiel returns a list of ids, DouZero lists of cards, RLCard a set of
        strings.""",
    )  # fmt: skip
    out = np.empty(kernel.table_size(), np.int32)
    race.base("an empty call", over(lambda hand: arena.empty(hand, out), our_leads(0)), LEADS)
    for wild in range(3):
        work = over(lambda hand: shuangkou.legal_ids(hand, out=out), our_leads(wild))
        race.enter("qipai", f"27 cards with {wild} 大王", work, LEADS)
    race.invite("OpenSpiel", leads_of_openspiel)
    race.invite("DouZero", leads_of_douzero)
    race.invite("RLCard", leads_of_rlcard)
    return race


def hands_of_openspiel(n: int = 100) -> tuple[int, int]:
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)
    decisions = 0
    for _ in range(n):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return n, decisions


def from_python() -> Race:
    race = Race(
        "doudizhu-python", "Random hands of 双扣 and 斗地主, from Python", "decision",
        """The games differ as above. Whole hands, dealing included, every decision drawn uniformly
        by a Python loop. OpenSpiel leaves the chance of its deals to the caller. RLCard also
        encodes what the player sees at every step; the others are not asked for it.""",
    )  # fmt: skip
    race.enter_hands("qipai", "双扣", hands_from_python("shuangkou/wenzhou", 500))
    race.invite("OpenSpiel", lambda r: r.enter_hands("OpenSpiel", "斗地主", hands_of_openspiel))
    race.invite(
        "RLCard", lambda r: r.enter_hands("RLCard", "斗地主", hands_in_rlcard("doudizhu", 8))
    )
    return race


def in_c() -> Race:
    race = Race(
        "doudizhu-compiled", "Random hands of 双扣 and 斗地主, in compiled code", "decision",
        """The games differ as above. Whole hands, dealing included, every decision drawn uniformly:
        ours inside C, theirs inside C++, by bots or, after the deal, by the rollouts of a
        search.""",
    )  # fmt: skip
    race.enter_hands("qipai", "双扣", hands_in_c("shuangkou/wenzhou", 2000))
    race.invite("OpenSpiel", lambda r: enter_openspiel(r, "斗地主", "dou_dizhu"))
    return race


def races() -> Iterator[Race]:
    yield leads()
    yield from_python()
    yield in_c()


if __name__ == "__main__":
    main(races, __doc__ or "")
