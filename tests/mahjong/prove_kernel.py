"""The kernel of 鞍山麻将 against plain readings: ``python tests/mahjong/prove_kernel.py [N]``.

N hands are evaluated as the reference does (default 200,000); the other numbers follow from it.
All suit keys are gone through whatever N is. The tests take slices.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from qipai import mahjong
from qipai._core import mahjong as kernel
from qipai.mahjong import Rules
from qipai.reference import mahjong as reference

ANSHAN = Rules.anshan()
RULES = (
    ANSHAN,
    ANSHAN,
    Rules(shisanyao="classic"),
    Rules(sancha="shisanyao"),
)
YAO = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


class Hand(NamedTuple):
    """Concealed tiles by kind, melds as text, the kind that is 混."""

    counts: tuple[int, ...]
    melds: tuple[str, ...]
    wild: int | None

    @property
    def fast(self) -> tuple[bytes, tuple[str, ...], int | None]:
        return bytes(self.counts), self.melds, self.wild

    @property
    def slow(self) -> tuple[list[int], tuple[str, ...], int | None]:
        return list(self.counts), self.melds, self.wild


# Hands ------------------------------------------------------------------------------------------


def text(kinds: list[int]) -> str:
    return "".join(f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in kinds)


def some_set(rng: random.Random, kinds: list[int]) -> list[int]:
    kind = rng.choice(kinds)
    if kind < 27 and kind % 9 < 7 and rng.random() < 0.55:
        return [kind, kind + 1, kind + 2]
    return [kind] * 3


def some_melds(
    rng: random.Random, n: int, kinds: list[int], wild: int | None
) -> tuple[list[str], list[int]]:
    """Melds without 混, and how many of each kind are in them."""
    held = [0] * 34
    melds: list[str] = []
    while len(melds) < n:
        tiles = some_set(rng, kinds)
        form = "{}"
        if tiles[0] == tiles[1]:
            form = rng.choice(("{}", "{}", "{}", "{}+", "({})", "kong"))
            if form != "{}":
                tiles.append(tiles[0])
        if wild in tiles or any(held[kind] + tiles.count(kind) > 4 for kind in tiles):
            kinds = list(range(34))
            continue
        for kind in tiles:
            held[kind] += 1
        melds.append(text(tiles) if form == "kong" else form.format(text(tiles)))
    return melds, held


def some_hand(rng: random.Random, wilds: tuple[int, ...], size: int = 14) -> Hand:
    """A hand of a winning shape, one that a tile or two parts from it, or any tiles."""
    while True:
        n = rng.choice((0, 0, 0, 1, 2, 3, 4))
        wild = rng.randrange(34)
        few = [9 * rng.randrange(3) + i for i in range(rng.randrange(9))]
        kinds = rng.choice((list(range(34)), list(range(34)), [*few, *rng.sample(range(34), 4)]))
        melds, held = some_melds(rng, n, kinds, wild)
        left = 14 - 3 * n
        way = rng.random()
        tiles: list[int] = []
        if way < 0.1 and n == 0:
            for _ in range(7):
                tiles += [rng.choice(kinds)] * 2
        elif way < 0.2:
            tiles = [rng.choice(YAO) for _ in range(left)]
        elif way < 0.85:
            while len(tiles) < left - 2:
                tiles += some_set(rng, kinds)
            tiles += [rng.choice(kinds)] * 2
        else:
            tiles = [rng.randrange(34) for _ in range(left)]
        rng.shuffle(tiles)
        if way > 0.7:
            tiles[0] = rng.randrange(34)
        if way > 0.8:
            tiles[1] = rng.randrange(34)
        mixed = min(rng.choice(wilds), left)
        tiles = [wild] * mixed + [kind for kind in tiles[mixed:] if kind != wild]
        counts = [tiles.count(kind) for kind in range(34)]
        if len(tiles) < left or any(a + b > 4 for a, b in zip(counts, held, strict=True)):
            continue
        if size == 13:
            counts[rng.choice(tiles)] -= 1
        known = wild if mixed or rng.random() < 0.8 else None
        return Hand(tuple(counts), tuple(melds), known)


def clumped_hand(rng: random.Random, size: int) -> Hand:
    """Tiles of few kinds: many of which all four are held."""
    while True:
        wild = rng.randrange(34) if rng.random() < 0.6 else None
        suit = [9 * rng.randrange(3) + i for i in range(9)]
        kinds = rng.choice((rng.sample(range(34), 6), [*suit, *rng.sample(range(27, 34), 2)]))
        n = rng.choice((0, 0, 1, 2, 3))
        melds, held = some_melds(rng, n, kinds, wild)
        pool = [kind for kind in kinds for _ in range(4 - held[kind])]
        if len(pool) < size - 3 * n:
            continue
        tiles = rng.sample(pool, size - 3 * n)
        return Hand(tuple(tiles.count(kind) for kind in range(34)), tuple(melds), wild)


# The plain shape --------------------------------------------------------------------------------


@lru_cache(maxsize=300_000)
def plain(tiles: tuple[int, ...], wilds: int, pairs: int) -> bool:
    """Whether tiles (ascending kinds) and 混 are sets and so many pairs: the first is in one."""
    if not tiles:
        return wilds >= 2 * pairs and (wilds - 2 * pairs) % 3 == 0
    first = tiles[0]
    groups = [(first, first, first)]
    if first < 27:
        groups += [
            (low, low + 1, low + 2)
            for low in range(first - 2, first + 1)
            if low // 9 == (low + 2) // 9 == first // 9
        ]
    if pairs:
        groups.append((first, first))
    for group in groups:
        others = list(group)
        others.remove(first)
        for given in product((True, False), repeat=len(others)):  # a tile, or a 混 for it
            left, mixed = list(tiles[1:]), wilds
            for kind, natural in zip(others, given, strict=True):
                if not natural:
                    mixed -= 1
                elif kind in left:
                    left.remove(kind)
                else:
                    break
            else:
                if mixed >= 0 and plain(tuple(left), mixed, pairs - (len(group) == 2)):
                    return True
    return False


def suit_keys(kinds: int, most: int = 14) -> Iterator[tuple[int, ...]]:
    """Every way to hold up to `most` tiles of so many kinds, the first changing fastest."""
    if kinds == 0:
        yield ()
        return
    for rest in suit_keys(kinds - 1, most):
        for count in range(min(4, most - sum(rest)) + 1):
            yield (count, *rest)


def prove_suit_keys(share: int = 0, of: int = 1) -> int:
    """AM-20, AM-3: every key of a suit with 0 to 4 混 as a hand, alone or beside a tile or a pair
    of 东, against :func:`plain`. Melds of another suit fill it up to 14."""
    rows: list[tuple[int, ...]] = []
    melds: list[bytes] = []
    expected: list[bool] = []
    chows = [mahjong.pack_melds(["123p", "123p", "123p", "123p"][:n]) for n in range(5)]
    for key in islice(suit_keys(9), share, None, of):
        tiles = tuple(kind for kind in range(9) for _ in range(key[kind]))
        for wilds in range(5):
            east = (2 - len(tiles) - wilds) % 3
            size = len(tiles) + wilds + east
            if size > 14:
                continue
            rows.append((*key, *(0,) * 18, east, *(0,) * 5, wilds))
            melds.append(chows[(14 - size) // 3])
            whole = (*tiles, *(27,) * east)
            odd = sum(whole.count(kind) % 2 for kind in set(whole))
            expected.append(plain(whole, wilds, 1) or (size == 14 and odd <= wilds))
    found = mahjong.is_complete_many(
        np.array(rows, np.uint8), np.frombuffer(b"".join(melds), np.uint8).reshape(-1, 4), 33
    )
    wrong = np.flatnonzero(found != np.array(expected))
    assert not len(wrong), (rows[wrong[0]], melds[wrong[0]], expected[wrong[0]])
    return len(rows)


def prove_honour_keys() -> int:
    """AM-20: the same for the honours, which make no runs."""
    rows: list[tuple[int, ...]] = []
    melds: list[bytes] = []
    expected: list[bool] = []
    chows = [mahjong.pack_melds(["123p", "123p", "123p", "123p"][:n]) for n in range(5)]
    for key in suit_keys(7):
        tiles = tuple(kind for kind in range(7) for _ in range(key[kind]))
        for wilds in range(5):
            size = len(tiles) + wilds
            if size % 3 != 2 or size > 14:
                continue
            rows.append((wilds, *(0,) * 26, *key))
            melds.append(chows[(14 - size) // 3])
            odd = sum(count % 2 for count in key)
            groups = plain(tuple(27 + kind for kind in tiles), wilds, 1)
            expected.append(groups or (size == 14 and odd <= wilds))
    found = mahjong.is_complete_many(
        np.array(rows, np.uint8), np.frombuffer(b"".join(melds), np.uint8).reshape(-1, 4), 0
    )
    wrong = np.flatnonzero(found != np.array(expected))
    assert not len(wrong), (rows[wrong[0]], melds[wrong[0]], expected[wrong[0]])
    return len(rows)


# Tiles missing ----------------------------------------------------------------------------------


def prove_costs(share: int = 0, of: int = 1) -> int:
    """The table of tiles missing, which lets a kind be used a fifth time, is right wherever the
    kernel trusts it: no kind is held four times, of a kind near tiles that are held one more can be
    drawn and two in all, and of the others nothing."""
    done = 0
    for key in islice(suit_keys(9), share, None, of):
        if max(key) < 4:
            near = [any(key[max(0, i - 2) : i + 3]) for i in range(9)]
            caps = [max(2, key[i] + 1) if near[i] else 0 for i in range(9)]
            assert kernel.suit_costs(bytes(key)) == kernel.suit_costs(bytes(key), caps), key
            done += 1
    for key in islice(suit_keys(7), share, None, of):
        if max(key) < 4:
            caps = [4 if count else 0 for count in key]
            assert kernel.suit_costs(bytes(key)) == kernel.suit_costs(bytes(key), caps), key
            done += 1
    return done


def some_tiles(rng: random.Random) -> Hand:
    size = rng.choice((13, 14))
    if rng.random() < 0.4:
        return clumped_hand(rng, size)
    return some_hand(rng, (0, 0, 1, 2, 3, 4), size)


def prove_shanten(n: int, seed: int) -> int:
    """:func:`shanten` as the reference searches it."""
    rng = random.Random(f"shanten {seed}")
    for _ in range(n):
        hand = some_tiles(rng)
        assert mahjong.shanten(*hand.fast) == reference.shanten(*hand.slow), hand
    return n


def prove_improving(n: int, seed: int) -> int:
    """:func:`improving` as the reference searches it."""
    rng = random.Random(f"improving {seed}")
    for _ in range(n):
        hand = clumped_hand(rng, 13) if rng.random() < 0.4 else some_hand(rng, (0, 1, 2, 3, 4), 13)
        assert mahjong.improving(*hand.fast) == reference.improving(*hand.slow), hand
    return n


def prove_shanten_by_steps(n: int, seed: int) -> int:
    """What shanten means: a draw that exists lowers 13 tiles by one at best, and some draw does; a
    discard leaves 14 tiles that are not complete where they were at best; complete is -1."""
    rng = random.Random(f"steps {seed}")
    one = np.eye(34, dtype=np.uint8)
    for _ in range(n):
        hand = some_tiles(rng)
        counts, melds, wild = np.array(hand.counts, np.uint8), hand.melds, hand.wild
        held = counts.astype(int)
        for meld in melds:
            for kind in mahjong.Meld(meld).kinds:
                held[kind] += 1
        now = mahjong.shanten(*hand.fast)
        if counts.sum() + 3 * len(melds) == 13:
            changed = np.array([counts + one[k] for k in range(34) if held[k] < 4])
            assert now == mahjong.shanten_many(changed, melds, wild).min() + 1, hand
        elif mahjong.is_complete(*hand.fast):
            assert now == -1, hand
        else:
            changed = np.array([counts - one[k] for k in range(34) if counts[k]])
            assert now == mahjong.shanten_many(changed, melds, wild).min(), hand
    return n


# Winning ----------------------------------------------------------------------------------------


def prove_win(n: int, seed: int) -> int:
    """AM-20 to AM-28: :func:`is_win` and :func:`is_complete` as the reference says."""
    rng = random.Random(f"win {seed}")
    for _ in range(n):
        hand, rules = some_hand(rng, (0, 0, 1, 1, 2, 2, 3, 4)), rng.choice(RULES)
        expected = reference.is_win(*hand.slow, rules)
        assert mahjong.is_win(*hand.fast, rules) is expected, (hand, rules)
        if rng.random() < 0.05:
            assert mahjong.is_complete(*hand.fast) is reference.is_complete(*hand.slow), hand
    return n


def same_win(fast: mahjong.Win | None, slow: reference.Win | None) -> bool:
    if fast is None or slow is None:
        return fast is None and slow is None
    mine = (fast.total, fast.fans, fast.shape, fast.sets, fast.pair, fast.wilds)
    theirs = (slow.total, slow.fans, slow.shape, slow.sets, slow.pair, slow.wilds)
    return mine == theirs


def prove_evaluate(n: int, seed: int, wilds: tuple[int, ...] = (0, 1, 2, 3)) -> int:
    """AM-30 to AM-42: :func:`evaluate` as the reference does, the reading too; most win."""
    rng = random.Random(f"evaluate {seed} {wilds}")
    done = 0
    while done < n:
        hand, rules = some_hand(rng, wilds), rng.choice(RULES)
        if hand.wild is None and max(wilds) > 3:
            continue
        gun = tuple(rng.sample(range(34), rng.randrange(3)))
        options: dict[str, Any] = {"gun": gun, "after_kong": rng.random() < 0.2}
        fast = mahjong.evaluate(*hand.fast, rules, **options)
        if fast is None and rng.random() < 0.9:  # prove_win looks at these
            continue
        slow = reference.evaluate(*hand.slow, rules, **options)
        assert same_win(fast, slow), (hand, rules, options, fast, slow)
        done += 1
    return done


def prove_waits(n: int, seed: int) -> int:
    """AM-20: :func:`waits` and :func:`waits_fan` as the reference finds them."""
    rng = random.Random(f"waits {seed}")
    for _ in range(n):
        hand, rules = some_hand(rng, (0, 0, 1, 1, 2, 2, 3), 13), rng.choice(RULES)
        fast, slow = mahjong.waits_fan(*hand.fast, rules), reference.waits_fan(*hand.slow, rules)
        assert mahjong.waits(*hand.fast, rules) == list(fast) == list(slow), hand
        for kind, win in fast.items():
            assert same_win(win, slow[kind]), (hand, rules, kind, win, slow[kind])
    return n


def prove_payments() -> int:
    """AM-30, AM-31, AM-50: every case, by both :attr:`Rules.dealer_fan`, capped and not."""
    sheets = [Rules(dealer_fan=who, max_fan=cap) for who in ("either", "winner") for cap in (0, 3)]
    cases = [
        case
        for case in product(range(13), range(4), range(4), (None, 0, 1, 2, 3), sheets)
        if case[1] != case[3]
    ]
    for total, winner, dealer, discarder, rules in cases:
        mine = mahjong.payments(total, winner, dealer, discarder, rules)
        assert mine == reference.payments(total, winner, dealer, discarder, rules)
        assert sum(mine) == 0
    return len(cases)


def prove_beside_mahjong(n: int, seed: int) -> int:
    """AM-20: complete hands and shanten without 混 as the package ``mahjong`` has them. To it four
    alike are no two pairs, so hands that could tell are left out, and its thirteen orphans, too."""
    from mahjong.agari import Agari
    from mahjong.shanten import Shanten

    rng = random.Random(f"mahjong {seed}")
    agari, steps = Agari(), Shanten()
    done = 0
    while done < n:
        hand = some_hand(rng, (0,))
        if max(hand.counts) == 4 or hand.melds or all(hand.counts[kind] for kind in YAO):
            continue
        few_kinds = sum(map(bool, hand.counts)) < 7  # three alike may become four
        counts = bytes(hand.counts)
        assert mahjong.is_complete(counts) is agari.is_agari(list(hand.counts)), hand
        if done % 10 == 0 and not few_kinds:
            assert mahjong.shanten(counts) == steps.calculate_shanten(
                list(hand.counts), use_kokushi=False
            ), hand
        done += 1
    return done


# All of it --------------------------------------------------------------------------------------


def in_parallel(prove: Callable[[int, int], int], n: int) -> int:
    """n cases in parts, each with its own seed, on all processors."""
    parts = max(1, n // 500)
    with multiprocessing.Pool() as pool:
        return sum(pool.starmap(prove, [(n // parts, part) for part in range(parts)]))


def shared(prove: Callable[[int, int], int]) -> int:
    """All keys, a share for each of eight processes."""
    with multiprocessing.Pool() as pool:
        return sum(pool.starmap(prove, [(share, 8) for share in range(8)]))


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    four = partial(prove_evaluate, wilds=(4,))
    plan: list[tuple[str, Callable[[], int]]] = [
        ("suit keys with 混 against the plain shape", lambda: shared(prove_suit_keys)),
        ("honour keys with 混 against the plain shape", prove_honour_keys),
        ("keys whose costs need no look at what is left", lambda: shared(prove_costs)),
        ("hands won or not", lambda: in_parallel(prove_win, 10 * n)),
        ("hands evaluated, with 0 to 3 混", lambda: in_parallel(prove_evaluate, n)),
        ("hands evaluated, with 4 混", lambda: in_parallel(four, n // 20)),
        ("hands of 13 with their waits", lambda: in_parallel(prove_waits, n // 10)),
        ("payments", prove_payments),
        ("shanten step by step", lambda: in_parallel(prove_shanten_by_steps, n)),
        ("shanten against the search", lambda: in_parallel(prove_shanten, n // 2)),
        ("improving against the search", lambda: in_parallel(prove_improving, n // 1000)),
    ]
    if find_spec("mahjong") is None:
        print("the package mahjong is not installed: no comparison with it")
    else:
        plan.append(
            ("hands beside the package mahjong", lambda: in_parallel(prove_beside_mahjong, n))
        )
    for what, prove in plan:
        begun = time.perf_counter()
        done = prove()
        print(f"{done:>12,} {what}: equal ({time.perf_counter() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
