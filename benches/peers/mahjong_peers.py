"""鞍山麻将 beside other mahjong libraries: ``python benches/peers/mahjong_peers.py``.

Where the question is the same, so must be the answers, which are compared first. To the others four
alike are no two pairs, so hands that could tell are left out.

Needs ``mahjong``, ``PyMahjongGB``, ``riichienv`` and ``rlcard``; what is missing is named.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from race import OURS, Race, hands_from_python, hands_in_rlcard, main, over

from qipai import mahjong as ours
from qipai._core import arena

HANDS = 1 << 16
SLOW = 1 << 12  # for those that take microseconds
SAME = """None of the others knows 混, so all get the same hands without it: half of them complete,
half with a tile exchanged or two; to us they are the easy ones."""

Counts = tuple[int, ...]


def some_hands(n: int, size: int) -> list[Counts]:
    """Distinct hands: sets and a pair, or seven pairs, every other one changed in a tile or two."""
    rng = random.Random(size)
    made: dict[Counts, None] = {}
    while len(made) < n:
        tiles: list[int] = []
        if rng.random() < 0.1:
            tiles = rng.sample(range(34), 7) * 2
        else:
            for _ in range(4):
                kind = rng.randrange(34)
                run = kind < 27 and kind % 9 < 7 and rng.random() < 0.75
                tiles += [kind, kind + 1, kind + 2] if run else [kind] * 3
            tiles += [rng.randrange(34)] * 2
        rng.shuffle(tiles)
        if len(made) % 2:
            tiles[0] = rng.randrange(34)
            tiles[1] = rng.choice((tiles[1], rng.randrange(34)))
        counts = tuple(tiles[:size].count(kind) for kind in range(34))
        if max(counts) < 4 and sum(map(bool, counts)) >= 7:
            made[counts] = None
    return list(made)


def kinds_of(counts: Counts) -> list[int]:
    return [kind for kind in range(34) for _ in range(counts[kind])]


def ids_of(counts: Counts) -> list[int]:
    return [4 * kind + copy for kind in range(34) for copy in range(counts[kind])]


class Peer:
    """What a library can be asked; a question it cannot answer is None."""

    complete: Callable[[Any], bool] | None = None
    shanten: Callable[[Any], int] | None = None
    waits: Callable[[Any], list[int]] | None = None
    value: Callable[[Any], object] | None = None

    def __init__(self, hand: Callable[[Counts], Any], fast: bool = False) -> None:
        self.hand, self.fast = hand, fast


def qipai() -> Peer:
    peer = Peer(bytes, fast=True)
    peer.complete, peer.shanten = ours.is_complete, ours.shanten
    peer.waits, peer.value = ours.waits, ours.evaluate
    return peer


def mahjong() -> Peer:
    from mahjong.agari import Agari
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.shanten import Shanten

    agari, steps, calculator = Agari(), Shanten(), HandCalculator()
    peer = Peer(list)
    peer.complete = agari.is_agari
    peer.shanten = lambda hand: steps.calculate_shanten(hand, use_kokushi=False)

    def value(hand: list[int]) -> object:
        ids = ids_of(tuple(hand))
        return calculator.estimate_hand_value(ids, ids[-1])

    peer.value = value
    return peer


def pymahjonggb() -> Peer:
    from MahjongGB import MahjongFanCalculator, RegularShanten, SevenPairsShanten

    names = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)]
    names += ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
    peer = Peer(lambda counts: tuple(names[kind] for kind in kinds_of(counts)))

    def shanten(hand: tuple[str, ...]) -> int:
        fewest = RegularShanten(hand)[0]
        return min(fewest, SevenPairsShanten(hand)[0])

    peer.shanten = shanten
    peer.value = lambda hand: MahjongFanCalculator(
        (), hand[:-1], hand[-1], 0, False, False, False, False, 0, 0
    )
    return peer


def riichienv() -> Peer:
    from riichienv import HandEvaluator, calculate_shanten

    peer = Peer(ids_of, fast=True)
    peer.shanten = lambda hand: min(calculate_shanten(hand), 6)
    peer.complete = lambda hand: calculate_shanten(hand) == -1
    peer.waits = lambda hand: HandEvaluator(hand).get_waits()
    return peer


LIBRARIES = {
    OURS: qipai, "mahjong": mahjong, "PyMahjongGB": pymahjonggb, "riichienv": riichienv
}  # fmt: skip


def asked(race: Race, question: str, hands: list[Counts], same: bool) -> Race:
    """All that can answer enter; where the work is the same the answers are compared."""
    expected: list[Any] = []

    def enter(race: Race, library: str) -> None:
        peer = LIBRARIES[library]()
        call = getattr(peer, question)
        if call is None:
            return
        given = [peer.hand(counts) for counts in hands[: None if peer.fast else SLOW]]
        note = ""
        if same:
            answers = [call(hand) for hand in given[:SLOW]]
            expected[:] = expected or answers
            differ = sum(a != b for a, b in zip(answers, expected, strict=True))
            note = f"{differ} of {len(answers):,} answers differ" if library != OURS else ""
        race.enter(library, "one a call", over(call, given), len(given), note)

    given = list(map(bytes, hands))
    race.base("an empty call", over(arena.empty, given), len(given))
    for library in LIBRARIES:
        race.invite(library, partial(enter, library=library))
    return race


def races() -> Iterator[Race]:
    fourteen, thirteen = some_hands(HANDS, 14), some_hands(HANDS, 13)
    array = np.array(fourteen, np.uint8)
    complete = ours.is_complete_many(array)

    race = Race(
        "complete", "Mahjong: is a hand of 14 complete", "hand",
        f"""{SAME} Four sets and a pair, or seven pairs. riichienv has no such question to ask; it
        is asked for the shanten.""",
    )  # fmt: skip
    asked(race, "complete", fourteen, same=True)
    race.enter(OURS, "a batch", lambda: ours.is_complete_many(array), HANDS)
    yield race

    many = np.array(thirteen, np.uint8)
    race = Race(
        "shanten", "Mahjong: shanten of 13 tiles", "hand",
        f"""{SAME} Four sets and a pair, or seven pairs. PyMahjongGB has a function for each of the
        two; both are called.""",
    )  # fmt: skip
    asked(race, "shanten", thirteen, same=True)
    race.enter(OURS, "a batch", lambda: ours.shanten_many(many), HANDS)
    yield race

    race = Race(
        "waits", "Mahjong: waits of 13 tiles", "hand",
        f"{SAME} Each library tells them by its own rules, which is not the same work.",
    )  # fmt: skip
    yield asked(race, "waits", thirteen, same=False)

    wins = complete & ours.is_win_many(array)
    won = [counts for counts, win in zip(fourteen, wins, strict=True) if win]
    race = Race(
        "value", "Mahjong: the value of a hand that wins", "hand",
        """The same hands, without 混. Each library values them by its own rules, which is not the
        same work: riichi (mahjong) and 国标 (PyMahjongGB) know far more kinds of hands than 鞍山
        does.""",
    )  # fmt: skip
    yield asked(race, "value", won, same=False)

    race = Race(
        "mahjong-python", "Random hands of mahjong, from Python", "decision",
        """Whole hands, dealing included, every decision drawn uniformly by a Python loop. The
        rules are not the same: ours has 混 and asks about 吃, 碰, 杠 and 胡 with their clauses;
        that of RLCard is a simple one, which also encodes what the player sees at every step.""",
    )  # fmt: skip
    race.enter_hands(OURS, "`mahjong/anshan`", hands_from_python("mahjong/anshan", 200))
    race.invite(
        "RLCard", lambda race: race.enter_hands("RLCard", "mahjong", hands_in_rlcard("mahjong", 3))
    )
    yield race


if __name__ == "__main__":
    main(races, __doc__ or "")
