"""Whole hands on both readings: ``python tests/mahjong/prove_hands.py [N]``, N random hands.

Every second hand has random house rules. Deals are shuffled, made of sets, or such that a kong can
be robbed, so that nothing is rare; actions are random, with a liking for some kinds, or the hint.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from qipai.mahjong import Deal, Game, Rules, is_win, next_kind
from qipai.tiles import format as format_tiles
from qipai.verify import Mismatch, compare_actions, compare_state, reference_game

CHOICES = {
    "discard_wild": (True, False),
    "dead_wall": (14, 14, 0, 1, 30, 60, 82),
    "shisanyao": ("all_yao", "classic"),
    "dealer_fan": ("either", "winner"),
    "gun": ("open", "hidden"),
    "sancha": ("everywhere", "shisanyao"),
    "max_fan": (0, 0, 3),
    "stake": (1, 7),
}
LIKINGS = (
    (),
    ("win",),
    ("kong", "ankong", "addkong", "pon"),
    ("kong", "ankong", "addkong", "chi", "pon", "win"),
    ("hint",),
)


def house_rules(rng: random.Random) -> Rules:
    """The preset, or any rules."""
    if rng.random() < 0.5:
        return Rules.anshan()
    return Rules.anshan().replace(**{name: rng.choice(of) for name, of in CHOICES.items()})


def made_deal(rng: random.Random) -> Deal:
    """A wall in which most of the hands are sets and pairs."""
    left = set(range(136))
    hands: list[list[int]] = []

    def take(kinds: tuple[int, ...]) -> list[int]:
        tiles: list[int] = []
        for kind in kinds:
            tiles += [tile for tile in range(4 * kind, 4 * kind + 4) if tile in left][:1]
            left.difference_update(tiles)
        return tiles

    for _ in range(4):
        hand: list[int] = []
        while len(hand) < 12:
            kind, low = rng.randrange(34), 9 * rng.randrange(3) + rng.randrange(7)
            if rng.random() < 0.25:
                kind = rng.choice((0, 8, 9, 17, 18, 26, *range(27, 34)))
            run = (low, low + 1, low + 2)
            hand += take(rng.choice((run, (kind, kind), (kind, kind, kind))))
        left.update(hand[12:])
        hands.append(hand[:12])
    rest = rng.sample(sorted(left), len(left))
    for hand, size in zip(hands, (14, 13, 13, 13), strict=True):
        while len(hand) < size:
            hand.append(rest.pop())
    return Deal((*hands[0], *hands[1], *hands[2], *hands[3], *rest), rng.randrange(4))


def robbing_deal(rng: random.Random) -> tuple[Deal, str]:
    """A wall in which one seat can make a 碰 of the dealer's first discard and draw the fourth a
    round later, while another waits for it; and that discard."""
    while True:
        rest = rng.sample(range(136), 136)
        kind = 9 * rng.randrange(3) + rng.randrange(1, 8)
        maker, robber = rng.sample((1, 2, 3), 2)
        tiles: list[list[int]] = [[], [], [], []]
        wanted = [(0, [kind]), (maker, [kind, kind]), (robber, [kind - 1, kind + 1])]
        for _ in range(3):
            low = 9 * rng.randrange(3) + rng.randrange(7)
            three = rng.choice(([low, low + 1, low + 2], [rng.randrange(34)] * 3))
            wanted.append((robber, three))
        wanted.append((robber, [rng.choice((27, 28, 31, 32, 33))] * 2))
        wanted.append((4, [kind]))
        drawn: list[int] = []
        for seat, kinds in wanted:
            for each in kinds:
                tile = next((tile for tile in rest if tile // 4 == each), None)
                if tile is not None:
                    rest.remove(tile)
                    (tiles[seat] if seat < 4 else drawn).append(tile)
        waits = [*tiles[robber], 4 * kind + 3]
        if len(waits) != 14 or not drawn or not _wins(waits, rest[-1]):
            continue
        for hand, size in zip(tiles, (14, 13, 13, 13), strict=True):
            while len(hand) < size:
                hand.append(rest.pop(0))
        rest[3:3] = drawn
        wall = (*tiles[0], *tiles[1], *tiles[2], *tiles[3], *rest)
        return Deal(wall, rng.randrange(4)), f"discard {format_tiles([4 * kind])}"


def _wins(tiles: list[int], turned: int) -> bool:
    counts = Counter(tile // 4 for tile in tiles)
    return max(counts.values()) <= 4 and is_win(
        bytes(counts[kind] for kind in range(34)), (), next_kind(turned // 4)
    )


def compare(n: int, seed: int) -> Iterator[tuple[str, Counter[str]]]:
    """Play n hands on both, equal after every step; yield how each ended and what was done."""
    rng = random.Random(seed)
    for _ in range(n):
        share, first, deal = rng.random(), "", None
        if share < 0.2:
            deal, first = robbing_deal(rng)
        elif share < 0.6:
            deal = made_deal(rng)
        game = Game(house_rules(rng), seed=rng.getrandbits(256), deal=deal)
        yield compare_one(game, rng, first)


def compare_one(game: Game, rng: random.Random, first: str) -> tuple[str, Counter[str]]:
    """Play a hand on both; ``first``: what is done first, and kongs are liked after it."""
    slow = reference_game(game)
    liking = ("pon", "addkong") if first else rng.choice(LIKINGS)
    done: Counter[str] = Counter()
    while True:
        try:
            compare_state(game, slow)
            if game.is_over:
                break
            texts = compare_actions(game, slow)
        except Mismatch as error:
            raise Mismatch(f"{error}\n{game.record().to_json()}") from None
        liked = [text for text in texts if text.split()[0] in liking]
        if "hint" in liking and rng.random() < 0.9:
            liked = [str(game.auto())]
        text = rng.choice(liked if liked and rng.random() < 0.9 else texts)
        if first in texts:
            text, first = first, ""
        done[text.split()[0]] += 1
        game.apply(text)
        slow.apply(text)
    if game.next_history.as_dict() != slow.next_history():
        raise Mismatch(f"next: compiled {game.next_history}, reference {slow.next_history()}")
    amounts = [line.amounts for line in game.result if line.amounts is not None]
    assert [sum(column) for column in zip(*amounts, strict=True)] == game.scores()
    assert sum(game.scores()) == 0
    return game.outcome, done


def stretch(task: tuple[int, int]) -> tuple[Counter[str], Counter[str]]:
    ends: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for end, actions in compare(*task):
        ends[end] += 1
        done += actions
    return ends, done


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    begun = time.perf_counter()
    ends: Counter[str] = Counter()
    done: Counter[str] = Counter()
    tasks = [(min(50, n - start), 10_007 + start) for start in range(0, n, 50)]
    with multiprocessing.get_context("spawn").Pool() as pool:
        for some_ends, some_done in pool.imap_unordered(stretch, tasks):
            ends += some_ends
            done += some_done
    print(
        f"{n:,} hands equal after each of {done.total():,} actions "
        f"({time.perf_counter() - begun:.0f} s)"
    )
    print("  ends:", ", ".join(f"{name} {count:,}" for name, count in ends.most_common()))
    print("  actions:", ", ".join(f"{name} {count:,}" for name, count in done.most_common()))


if __name__ == "__main__":
    main()
