"""The kernel of 打滚子 against the reference: ``python tests/gunzi/prove_kernel.py [N]``, N tricks.

Each trick is a case for its winner and, by both ways to follow, for one of its follows. The tests
take slices.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from operator import add
from typing import Any

import numpy as np

from qipai import cards, gunzi
from qipai._core import gunzi as kernel
from qipai.gunzi import Rules
from qipai.reference import gunzi as reference
from qipai.reference.gunzi.cards import suit_led

LIVE, DEAD = Rules.yiku(), Rules.diamond()
TRUMPS = [
    (gunzi.Trump(suit, level), reference.Trump(suit, level))
    for suit in "DCHS"
    for level in range(3, 11)
]
SUITS = [
    [[face for face in range(54) if suit_led(face, slow) == suit] for suit in (*"DCHS", "trump")]
    for _, slow in TRUMPS
]
NO_CARD = 255

Faces = Sequence[int]


def counts(faces: Faces) -> bytes:
    held = bytearray(54)
    for face in faces:
        held[face] += 1
    return bytes(held)


def faces_of(text: str) -> tuple[int, ...]:
    return tuple(sorted(card % 54 for card in cards.parse(text)))


def dense_hands(rng: random.Random, suits: list[list[int]], faces: int) -> list[list[int]]:
    """Four hands of few faces, most of one or two suits, with many 棒 and 滚."""
    one, other = rng.sample(suits, 2)
    few = {
        *rng.sample(one, min(faces // 2, len(one))),
        *rng.sample(other, min(faces // 3, len(other))),
    }
    few.update(rng.sample(sorted({*range(54)} - few), faces - len(few)))
    while True:
        hands: list[list[int]] = [[], [], [], []]
        for face in few:
            alike = rng.choice((1, 2, 3, 3))
            hands[rng.randrange(4)] += [face] * alike
            for _ in range(3 - alike):
                hands[rng.randrange(4)].append(face)
        if min(map(len, hands)) >= 3 and max(map(len, hands)) <= 39:
            return hands


def some_lead(rng: random.Random, hand: Faces) -> list[int]:
    face = rng.choice(hand)
    return [face] * rng.randint(1, hand.count(face))


def some_play(rng: random.Random, lead: Faces, hand: Faces, suit: list[int]) -> list[int]:
    """As many cards as the lead: often of its suit as far as it goes, often alike, or any."""
    size, way = len(lead), rng.random()
    if way < 0.4:
        own = [face for face in hand if face in suit]
        rest = [face for face in hand if face not in suit]
        rng.shuffle(own)
        rng.shuffle(rest)
        return (own + rest)[:size]
    if way < 0.8:
        alike = [face for face in set(hand) if hand.count(face) >= size]
        if alike:
            return [rng.choice(alike)] * size
    return rng.sample(hand, size)


# Tricks and follows at random


def trick_rows(tricks: list[list[list[int]]]) -> tuple[Any, Any]:
    """Tricks as rows of faces and as packed rows, as trick_winner_many documents them."""
    rows = np.full((len(tricks), 12), NO_CARD, np.uint8)
    packed = np.zeros(len(tricks), np.uint64)
    for at, plays in enumerate(tricks):
        word = plays[0][0] | len(plays[0]) << 60
        for seat, play in enumerate(plays):
            rows[at, 3 * seat : 3 * seat + len(play)] = play
            if seat:
                for place, face in enumerate(play):
                    word |= face << 6 + 18 * (seat - 1) + 6 * place
        packed[at] = word
    return rows, packed


def prove_tricks(n: int, seed: int) -> Counter[tuple[str, int, int]]:
    """GZ-51..55: n tricks, from hands dense in 棒 and 滚, under every trump."""
    rng = random.Random(seed)
    done: Counter[tuple[str, int, int]] = Counter()
    tricks: list[list[list[int]]] = []
    trumps, winners = [], []
    while len(tricks) < n:
        trump = rng.randrange(32)
        fast, slow = TRUMPS[trump]
        hands = dense_hands(rng, SUITS[trump], rng.choice((6, 8, 10)))
        for leader in range(4):
            lead = some_lead(rng, hands[leader])
            suit = next(suit for suit in SUITS[trump] if lead[0] in suit)
            order = [hands[leader - 3], hands[leader - 2], hands[leader - 1]]
            plays = [lead, *(some_play(rng, lead, hand, suit) for hand in order)]
            packed = [counts(play) for play in plays]
            asked = rng.randrange(3)
            play, hand = plays[asked + 1], order[asked]
            held = counts(hand)
            for rules in (LIVE, DEAD):
                expected = reference.is_legal_follow(lead, play, hand, slow, rules)
                given = gunzi.is_legal_follow(packed[0], packed[asked + 1], held, fast, rules)
                assert given is expected, (lead, play, hand, slow, rules.follow, given)
                done[rules.follow, len(lead), expected] += 1
            winner = reference.trick_winner(plays, slow)
            assert gunzi.trick_winner(packed, fast) == winner, (plays, slow, winner)
            done["won", len(lead), winner] += 1
            tricks.append(plays)
            trumps.append(int(fast))
            winners.append(winner)
    for rows in trick_rows(tricks):
        for threads in (1, 3):
            many = gunzi.trick_winner_many(rows, np.array(trumps, np.uint8), threads=threads)
            assert many.tolist() == winners
    return done


# All follows of a hand


def prove_follows(n: int, seed: int, faces: int) -> int:
    """GZ-51..53: all follows of n hands of so many faces, counted, listed, made step by step, and
    of hands up to ten cards every set of cards."""
    rng = random.Random(seed)
    done = 0
    for _ in range(n):
        number = rng.randrange(32)
        fast, slow = TRUMPS[number]
        hands = dense_hands(rng, SUITS[number], faces)
        lead, hand = some_lead(rng, hands[0]), hands[1]
        led, held = counts(lead), counts(hand)
        for rules in (LIVE, DEAD):
            expected = list(reference.iter_follows(lead, hand, slow, rules))
            given = [faces_of(text) for text in gunzi.iter_follows(led, held, fast, rules)]
            assert len(given) == len(set(given)) == gunzi.count_follows(led, held, fast, rules)
            assert sorted(given) == expected, (lead, hand, slow, rules.follow)
            if len(hand) <= 10:
                for play in set(combinations(sorted(hand), len(lead))):
                    legal = gunzi.is_legal_follow(led, counts(play), held, fast, rules)
                    assert legal is (play in expected), (lead, play, hand, slow, rules.follow)
            prove_steps(lead, hand, fast, rules, expected)
            done += len(expected)
    return done


def mask(faces: Iterator[int]) -> int:
    return sum(1 << face for face in set(faces))


def prove_steps(
    lead: Faces, hand: Faces, trump: gunzi.Trump, rules: Rules, follows: list[tuple[int, ...]]
) -> None:
    """Every prefix in ascending order goes on exactly to the legal plays that are not all alike."""
    mixed = [play for play in follows if len(set(play)) > 1]
    prefixes = {play[:length] for play in mixed for length in range(len(lead))} | {()}
    for prefix in prefixes:
        whole, after = kernel.follow_steps(counts(lead), counts(prefix), counts(hand), trump, rules)
        length = len(prefix)
        assert after == mask(play[length] for play in mixed if play[:length] == prefix), (
            lead, hand, trump, rules.follow, prefix,
        )  # fmt: skip
        alike = mask(play[0] for play in follows if len(set(play)) == 1)
        assert whole == (0 if prefix else alike), (lead, hand, trump, rules.follow)


# Draws


def chi_square_z(draws: Counter[str], cells: int) -> float:
    """How many deviations a chi-square of equal cells lies from its mean (Wilson and Hilferty)."""
    expected = sum(draws.values()) / cells
    assert expected >= 5 and len(draws) <= cells
    free = cells - 1
    chi = sum((seen - expected) ** 2 / expected for seen in draws.values())
    chi += (cells - len(draws)) * expected
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


# (lead, hand, rules): every branch of what may follow.
DRAWS = [
    ("H8", "H3*2 H4 H6*3 C4", DEAD),
    ("H8*2", "H3*3 H4 H6 C4*2", DEAD),
    ("H8*2", "H3*3 H4*2 H6 C4*2", DEAD),
    ("H8*2", "H3*3 H4*2 H6 C4*2", LIVE),
    ("H8*2", "H3 C4*2 C6 D7*3", DEAD),
    ("H8*3", "H3*3 H4*3 H6 C4*2", DEAD),
    ("H8*3", "H3*2 H4*2 H6 H7 C4*2", DEAD),
    ("H8*3", "H3 H4 H6 H7 H9 HQ", DEAD),
    ("H8*3", "H3*3 H4*2 H6 H7 C4*2", LIVE),
    ("H8*3", "H3 C4*2 C6 D7*3 R", DEAD),
    ("H8*3", "H3 H4 C4*2 C6 D7*3 R", DEAD),
    ("H8*3", "C3*3 C4*2 C6*2 D7*3 R B S9 SA", DEAD),
]


def prove_draws(n: int) -> int:
    """random_follow gives every follow, each as often: n draws a follow, at least 20,000 a case."""
    trump = gunzi.Trump("S", 5)
    done = 0
    for lead, hand, rules in DRAWS:
        follows = set(gunzi.iter_follows(lead, hand, trump, rules))
        times = max(20_000, n * len(follows))
        draws = Counter(
            gunzi.random_follow(lead, hand, trump, rules, seed) for seed in range(times)
        )
        assert set(draws) <= follows
        z = chi_square_z(draws, len(follows))
        assert -5 < z < 5, (lead, hand, rules.follow, z)
        done += times
    return done


# The settlement


def prove_settle(levels: Sequence[int], joker_levels: Sequence[tuple[int, int]]) -> int:
    """GZ-60..66: every S, 抠底 or not, the jokers, 干锅 or not, the levels; both raise or none."""
    done = 0
    sheets = [
        DEAD.replace(joker_levels=worth, instant_jokers=which)
        for worth in joker_levels
        for which in ("both", "big")
    ]

    def outcome(settle: Callable[..., Any], *args: Any, **more: Any) -> tuple[Any, ...] | None:
        try:
            s = settle(*args, **more)
        except ValueError:
            return None
        return (s.gainer, s.levels, s.gained, s.blood, s.payer, s.next_dealer, s.round_winner)

    for rules in sheets:
        for points, dug, big, small, dry, dealers, attackers in product(
            range(-5, 371, 5), (False, True), range(5), range(5), (False, True), levels, levels
        ):
            args = (points, dug, (big, small))
            more = {"level": (dealers, attackers), "dry": dry, "rules": rules}
            expected = outcome(reference.settle, *args, **more)
            assert outcome(gunzi.settle, *args, **more) == expected, (args, more, expected)
            done += 1
    return done


def in_parallel(prove: Callable[..., Any], tasks: list[tuple[Any, ...]]) -> Any:
    """Do the tasks of a proof on all processors and add up what they did."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        return reduce(add, pool.starmap(prove, tasks, chunksize=1))


def stretches(n: int, length: int, *more: Any) -> list[tuple[Any, ...]]:
    """At least one of n cases, in tasks of so many, each with a seed of its own."""
    return [(min(length, n - begin), begin, *more) for begin in range(0, max(n, 1), length)]


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    worths = [(2, 1), (0, 0), (1, 1), (7, 7), (3, 5)]
    plan: list[tuple[str, Callable[..., Any], list[tuple[Any, ...]]]] = [
        ("settlements", prove_settle, [(range(3, 11), [worth]) for worth in worths]),
        ("draws", prove_draws, [(400,)]),
        ("follows of hands of few faces", prove_follows, stretches(n // 200, 1000, 8)),
        ("follows of middling hands", prove_follows, stretches(n // 5_000, 100, 16)),
        ("follows of large hands", prove_follows, stretches(n // 40_000, 10, 44)),
        ("tricks and follows", prove_tricks, stretches(n, 20_000)),
    ]
    for what, prove, tasks in plan:
        begun = time.perf_counter()
        done = in_parallel(prove, tasks)
        if isinstance(done, Counter):
            for name, number in sorted(done.items()):
                print(f"{number:>12,} {name}")
            done = sum(done.values())
        print(f"{done:>12,} {what}: equal ({time.perf_counter() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
