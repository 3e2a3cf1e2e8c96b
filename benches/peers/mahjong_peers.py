"""鞍山麻将 beside other mahjong libraries, in one run: ``python benches/peers/mahjong_peers.py``.

None of them knows 混, so all get the same hands without it: half of them complete, half with a
tile exchanged or two. Where the question is the same (complete or not, shanten of four sets and a
pair and of seven pairs) so must be the answers, which are compared first. To the others four alike
are no two pairs, so hands that could tell are left out. What a hand waits for and is worth each
tells by its own rules: that is not the same work, and is printed for orientation.

Needs ``mahjong``, ``PyMahjongGB`` and ``riichienv``; what is missing is left out.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from qipai import mahjong as ours

HANDS = 1 << 16
SLOW = 1 << 13
ROUNDS = 5

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


def timed(work: Callable[[Any], Any], items: Sequence[Any]) -> float:
    """The median over rounds of the mean time of one item, in microseconds."""
    means = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for item in items:
            work(item)
        means.append((time.perf_counter() - begun) / len(items) * 1e6)
    return statistics.median(means)


def timed_many(work: Callable[[Any], Any], array: np.ndarray) -> float:
    return timed(work, [array]) / len(array)


class Peer:
    """What a library can be asked; a question it cannot answer is None."""

    complete: Callable[[Any], bool] | None = None
    shanten: Callable[[Any], int] | None = None
    waits: Callable[[Any], list[int]] | None = None
    value: Callable[[Any], object] | None = None

    def __init__(self, name: str, hand: Callable[[Counts], Any]) -> None:
        self.name, self.hand = name, hand


def qipai() -> Peer:
    peer = Peer("qipai", bytes)
    peer.complete, peer.shanten = ours.is_complete, ours.shanten
    peer.waits, peer.value = ours.waits, ours.evaluate
    return peer


def mahjong() -> Peer:
    from mahjong.agari import Agari
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.shanten import Shanten

    agari, steps, calculator = Agari(), Shanten(), HandCalculator()
    peer = Peer("mahjong", list)
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
    peer = Peer("PyMahjongGB", lambda counts: tuple(names[kind] for kind in kinds_of(counts)))

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

    peer = Peer("riichienv", ids_of)
    peer.shanten = lambda hand: min(calculate_shanten(hand), 6)
    peer.complete = lambda hand: calculate_shanten(hand) == -1
    peer.waits = lambda hand: HandEvaluator(hand).get_waits()
    return peer


def found() -> list[Peer]:
    peers = []
    for make in (qipai, mahjong, pymahjonggb, riichienv):
        try:
            peers.append(make())
        except ModuleNotFoundError as error:
            print(f"left out: {error.name} is not installed")
    return peers


def ask(question: str, peers: list[Peer], hands: list[Counts], same: bool = True) -> None:
    """Compare the answers on some hands, then time all."""
    print(f"\n{question}")
    expected: list[Any] | None = None
    for peer in peers:
        work = getattr(peer, question.split()[0])
        if work is None:
            continue
        few = hands if peer.name == "qipai" else hands[:SLOW]
        given = [peer.hand(counts) for counts in few]
        answers = [work(hand) for hand in given[:SLOW]]
        expected = expected or answers
        differ = sum(a != b for a, b in zip(answers, expected, strict=True)) if same else 0
        note = f"  ({differ} of {len(answers)} answers differ)" if differ else ""
        print(f"  {peer.name:<12} {timed(work, given):>9.3f} us{note}")


def main() -> None:
    peers = found()
    fourteen, thirteen = some_hands(HANDS, 14), some_hands(HANDS, 13)
    array = np.array(fourteen, np.uint8)
    complete = ours.is_complete_many(array)
    print(f"{complete.mean():.0%} of {HANDS:,} hands are complete")
    ask("complete or not", peers, fourteen)
    print(f"  {'qipai, batch':<12} {timed_many(ours.is_complete_many, array):>9.3f} us")
    ask("shanten of 13 tiles", peers, thirteen)
    many = np.array(thirteen, np.uint8)
    print(f"  {'qipai, batch':<12} {timed_many(ours.shanten_many, many):>9.3f} us")
    ask("waits of 13 tiles, each by its own rules", peers, thirteen, same=False)
    wins = complete & ours.is_win_many(array)
    won = [counts for counts, win in zip(fourteen, wins, strict=True) if win]
    ask("value of hands that win, each by its own rules", peers, won, same=False)


if __name__ == "__main__":
    main()
