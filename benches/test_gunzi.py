"""打滚子: single calls and batches. Every figure over 65,536 distinct inputs."""

from __future__ import annotations

import random
import statistics

import numpy as np
import pytest

import qipai
from qipai import cards, gunzi
from qipai._core import arena
from qipai.gunzi import Rules, Trump
from qipai.reference import gunzi as reference

N = 1 << 16
LIVE, DEAD = Rules.yiku(), Rules.diamond()
SPADES_5 = Trump("S", 5)
DECK = [face for face in range(54) for _ in range(3)]
NO_HEARTS = [face for face in DECK if SPADES_5.group(face) != "H"]
both_ways = pytest.mark.parametrize("rules", [LIVE, DEAD], ids=["live", "dead"])


def counts_of(faces: list[int]) -> bytes:
    held = bytearray(54)
    for face in faces:
        held[face] += 1
    return bytes(held)


def lead_of(rng: random.Random, hand: list[int]) -> list[int]:
    """Of three faces the one held most often, all of it."""
    face = max(rng.sample(hand, 3), key=hand.count)
    return [face] * hand.count(face)


def follows(n: int, seed: int) -> list[tuple[bytes, bytes, bytes]]:
    """Lead, play and hand of 39: half of the plays are legal, half any cards of the hand."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        deal = rng.sample(DECK, 78)
        lead, hand = lead_of(rng, deal[:39]), counts_of(deal[39:])
        if i % 2:
            text = gunzi.random_follow(counts_of(lead), hand, SPADES_5, DEAD, i)
            play = [card % 54 for card in cards.parse(text)]
        else:
            play = rng.sample(deal[39:], len(lead))
        rows.append((counts_of(lead), counts_of(play), hand))
    return rows


def tricks(n: int, seed: int) -> list[list[list[int]]]:
    """Four plays, each legal, out of hands of 39."""
    rng = random.Random(seed)
    made = []
    for i in range(n):
        deal = rng.sample(DECK, 156)
        lead = lead_of(rng, deal[:39])
        plays = [lead]
        for seat in (1, 2, 3):
            hand = counts_of(deal[39 * seat : 39 * seat + 39])
            text = gunzi.random_follow(counts_of(lead), hand, SPADES_5, DEAD, i)
            plays.append([card % 54 for card in cards.parse(text)])
        made.append(plays)
    return made


FOLLOWS = follows(N, 1)
TRICKS = tricks(N, 2)
PACKED = np.array(
    [
        plays[0][0]
        | len(plays[0]) << 60
        | sum(
            face << 6 + 18 * seat + 6 * place
            for seat, play in enumerate(plays[1:])
            for place, face in enumerate(play)
        )
        for plays in TRICKS
    ],
    np.uint64,
)
ROWS = np.array(
    [[face for play in plays for face in [*play, 255, 255][:3]] for plays in TRICKS], np.uint8
)
TRUMPS = np.random.default_rng(3).integers(0, 32, N, np.uint8)


def faces(counts: bytes) -> list[int]:
    return [face for face, count in enumerate(counts) for _ in range(count)]


def test_empty_call(each) -> None:
    """What is_legal_follow is measured by: a compiled function that does nothing."""
    call = arena.empty

    def work() -> None:
        for _, play, hand in FOLLOWS:
            call(play, hand)

    each(work, N)


@both_ways
def test_is_legal_follow_bytes(each, rules: Rules) -> None:
    call = gunzi.is_legal_follow

    def work() -> None:
        for lead, play, hand in FOLLOWS:
            call(lead, play, hand, SPADES_5, rules)

    each(work, N)


def test_is_legal_follow_text(each) -> None:
    call = gunzi.is_legal_follow
    rows = [tuple(cards.format(part) for part in row) for row in FOLLOWS]

    def work() -> None:
        for lead, play, hand in rows:
            call(lead, play, hand, SPADES_5, DEAD)

    each(work, N)


def test_is_legal_follow_reference(each) -> None:
    call, trump = reference.is_legal_follow, reference.Trump("S", 5)
    rows = [tuple(faces(part) for part in row) for row in FOLLOWS[:2000]]

    def work() -> None:
        for lead, play, hand in rows:
            call(lead, play, hand, trump, DEAD)

    each(work, len(rows))


@pytest.fixture(scope="module")
def void_hands() -> list[bytes]:
    """Hands of 39 without a heart."""
    rng = random.Random(4)
    hands = [counts_of(rng.sample(NO_HEARTS, 39)) for _ in range(N)]
    some = [gunzi.count_follows("H8*3", hand, SPADES_5) for hand in hands[:1000]]
    print(f"\nfollows of a void hand on a 滚: median {statistics.median(some):.0f}")
    return hands


def test_count_follows_of_a_void_hand(each, void_hands: list[bytes]) -> None:
    call, lead = gunzi.count_follows, counts_of([22] * 3)

    def work() -> None:
        for hand in void_hands:
            call(lead, hand, SPADES_5, DEAD)

    each(work, N)


def test_random_follow_of_a_void_hand(each, void_hands: list[bytes]) -> None:
    call, lead = gunzi.random_follow, counts_of([22] * 3)

    def work() -> None:
        for seed, hand in enumerate(void_hands):
            call(lead, hand, SPADES_5, DEAD, seed)

    each(work, N)


def test_iter_follows_of_a_void_hand(each, void_hands: list[bytes]) -> None:
    """One follow of the list."""
    lead = counts_of([22] * 3)
    hands = void_hands[:50]
    total = sum(gunzi.count_follows(lead, hand, SPADES_5) for hand in hands)

    def work() -> None:
        for hand in hands:
            for _ in gunzi.iter_follows(lead, hand, SPADES_5, DEAD):
                pass

    each(work, total)


def test_trick_winner_bytes(each) -> None:
    call = gunzi.trick_winner
    rows = [[counts_of(play) for play in plays] for plays in TRICKS]

    def work() -> None:
        for plays in rows:
            call(plays, SPADES_5)

    each(work, N)


def test_trick_winner_reference(each) -> None:
    call, trump = reference.trick_winner, reference.Trump("S", 5)
    rows = TRICKS[:2000]

    def work() -> None:
        for plays in rows:
            call(plays, trump)

    each(work, len(rows))


@pytest.mark.parametrize("trump", [SPADES_5, TRUMPS], ids=["one_trump", "trumps"])
@pytest.mark.parametrize("rows", [PACKED, ROWS], ids=["packed", "faces"])
def test_trick_winner_many(each, rows: np.ndarray, trump: Trump | np.ndarray) -> None:
    out = np.empty(N, np.uint8)
    each(lambda: gunzi.trick_winner_many(rows, trump, out=out), N)


@pytest.mark.parametrize("threads", [1, 2])
def test_trick_winner_many_million(each, threads: int) -> None:
    rows = np.concatenate([np.roll(PACKED, 17 * i) for i in range(16)])
    trumps = np.concatenate([TRUMPS] * 16)
    out = np.empty(len(rows), np.uint8)
    each(lambda: gunzi.trick_winner_many(rows, trumps, out=out, threads=threads), len(rows))


def test_settle(each) -> None:
    rng = random.Random(5)
    call = gunzi.settle
    rows = [
        (
            5 * rng.randrange(61),
            rng.random() < 0.5,
            (rng.randrange(4), rng.randrange(4)),
            (rng.randrange(3, 11), rng.randrange(3, 11)),
        )
        for _ in range(N)
    ]

    def work() -> None:
        for points, dug, buried, level in rows:
            call(points, dug, buried, level=level, rules=DEAD)

    each(work, N)


def test_step_from_python(each) -> None:
    """``apply(id)`` of plays that are known."""
    rng = random.Random(2)
    rows: list[tuple[int, list[int]]] = []
    for seed in range(500):
        game, ids = gunzi.Game(seed=seed), []
        while not game.is_over:
            ids.append(int(rng.choice(game.legal_ids())))
            game.apply(ids[-1])
        rows.append((seed, ids))

    def work() -> None:
        for seed, ids in rows:
            apply = gunzi.Game(seed=seed).apply
            for id in ids:
                apply(id)

    each(work, sum(len(ids) for _, ids in rows))


@pytest.mark.parametrize("steps", [0, 30, 100])
def test_resample(each, steps: int) -> None:
    rng = random.Random(3)
    games: list[qipai.Game] = []
    while len(games) < 64:
        game = gunzi.Game(seed=rng.getrandbits(256))
        for _ in range(steps):
            game.apply(int(rng.choice(game.legal_ids())))
        games.append(game)
    each(lambda: [game.resample(game.turn or 0, i) for i, game in enumerate(games)], len(games))
