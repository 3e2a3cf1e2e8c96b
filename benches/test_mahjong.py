"""鞍山麻将: single calls and batches. Half of the hands win, and they have 0 to 4 混 alike.

Every figure is over 65,536 distinct hands, but for those of slow calls.
"""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

from qipai import mahjong
from qipai._core import arena
from qipai._core import mahjong as kernel
from qipai.reference import mahjong as reference

N = 1 << 16
WALL = [kind for kind in range(34) for _ in range(4)]

Row = tuple[bytes, bytes, int]  # counts, melds, 混


def built(rng: random.Random, wild: int, mixed: int, melds: int) -> Row | None:
    """Melds, sets and a pair, with some tiles exchanged for 混; None where they do not fit."""
    groups: list[list[int]] = []
    for _ in range(4):
        kind = rng.randrange(34)
        run = kind < 27 and kind % 9 < 7 and rng.random() < 0.6
        groups.append([kind, kind + 1, kind + 2] if run else [kind] * 3)
    tiles = [kind for group in groups[melds:] for kind in group] + [rng.randrange(34)] * 2
    rng.shuffle(tiles)
    tiles = tiles[mixed:]
    held = [kind for group in groups[:melds] for kind in group] + tiles
    if wild in held or max(map(held.count, held)) > 4:
        return None
    counts = bytes(tiles.count(kind) + mixed * (kind == wild) for kind in range(34))
    codes = [1 + 34 * (group[0] == group[1]) + group[0] for group in groups[:melds]]
    return counts, bytes(codes) + bytes(4 - melds), wild


def some_row(rng: random.Random, mixed: int, melds: int, win: bool) -> Row:
    """A hand with so many 混 and melds that wins, or any."""
    while True:
        wild = rng.randrange(34)
        row = built(rng, wild, mixed, melds)
        if row is None or not mahjong.is_win(*row):
            continue
        if win:
            return row
        pool = [kind for kind in WALL if kind != wild]
        for code in row[1][:melds]:
            form, kind = divmod(code - 1, 34)
            for i in range(3):
                pool.remove(kind + i * (form == 0))
        tiles = rng.sample(pool, 14 - 3 * melds - mixed)
        counts = bytes(tiles.count(kind) + mixed * (kind == wild) for kind in range(34))
        return counts, row[1], wild


def rows(n: int, mixed: int, melds: tuple[int, ...] = (0,)) -> list[Row]:
    rng = random.Random(mixed)
    return [some_row(rng, mixed, rng.choice(melds), i % 2 == 1) for i in rng.sample(range(n), n)]


def arrays(hands: list[Row], times: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The hands as arrays, and again with their suits exchanged: as many other hands alike."""
    counts = np.frombuffer(b"".join(row[0] for row in hands), np.uint8).reshape(-1, 34)
    melds = np.frombuffer(b"".join(row[1] for row in hands), np.uint8).reshape(-1, 4)
    wild = np.array([row[2] for row in hands], np.uint8)
    orders = list(permutations(range(3)))[:times]
    kinds = [np.array([9 * s + r for s in order for r in range(9)]) for order in orders]
    kinds = [np.append(part, np.arange(27, 34)).astype(np.uint8) for part in kinds]
    return (
        np.ascontiguousarray(np.concatenate([counts[:, part] for part in kinds])),
        np.concatenate([melds] * times),
        np.concatenate([np.argsort(part).astype(np.uint8)[wild] for part in kinds]),
    )


def in_order(hands: list[Row]) -> list[Row]:
    """The same, made anew one after the other: what is timed is not the way through memory."""
    return [(bytes(bytearray(counts)), melds, wild) for counts, melds, wild in hands]


BY_WILDS = [rows(N // 4, mixed) for mixed in range(5)]
CLOSED = in_order(random.Random(1).sample([row for part in BY_WILDS for row in part], N))
MELDED = in_order(
    random.Random(2).sample(
        [row for mixed in range(3) for row in rows(N // 2, mixed, (1, 2, 3))], N
    )
)
of_wilds = pytest.mark.parametrize("mixed", range(5))


def of_thirteen(hands: list[Row]) -> list[Row]:
    """The hands with one natural tile less."""
    rng = random.Random(3)
    made = []
    for counts, melds, wild in hands:
        held = [kind for kind in range(34) if counts[kind] and kind != wild]
        without = bytearray(counts)
        without[rng.choice(held)] -= 1
        made.append((bytes(without), melds, wild))
    return made


def call_each(each, call, hands: list[Row]) -> None:
    """Call with counts and 混, closed."""

    def work() -> None:
        for counts, _, wild in hands:
            call(counts, (), wild)

    each(work, len(hands))


def test_empty_call(each) -> None:
    """What a call is measured by: a compiled function that does nothing."""
    call = arena.empty

    def work() -> None:
        for counts, _, wild in CLOSED:
            call(counts, wild)

    each(work, N)


def test_is_win_bytes(each) -> None:
    call_each(each, mahjong.is_win, CLOSED)


def test_is_win_with_melds(each) -> None:
    call = mahjong.is_win

    def work() -> None:
        for row in MELDED:
            call(*row)

    each(work, N)


def test_is_complete_bytes(each) -> None:
    call_each(each, mahjong.is_complete, CLOSED)


def test_is_win_reference(each) -> None:
    """Over 500 hands."""
    hands = [(list(counts), melds, wild) for counts, melds, wild in CLOSED[:500]]
    call_each(each, reference.is_win, hands)  # type: ignore[arg-type]


@of_wilds
def test_is_win_many(each, mixed: int) -> None:
    counts, _, wild = arrays(BY_WILDS[mixed], 4)
    each(lambda: mahjong.is_win_many(counts, (), wild), N)


@pytest.mark.parametrize("hands", [CLOSED, MELDED], ids=["closed", "melds"])
@pytest.mark.parametrize(
    "many", [mahjong.is_win_many, mahjong.is_complete_many, mahjong.shanten_many]
)
def test_many(each, many, hands: list[Row]) -> None:
    counts, melds, wild = arrays(hands)
    given = melds if melds.any() else ()
    each(lambda: many(counts, given, wild), N)


def test_is_win_many_two_threads(each) -> None:
    counts, _, wild = arrays(CLOSED)
    each(lambda: mahjong.is_win_many(counts, (), wild, threads=2), N)


@of_wilds
def test_evaluate(each, mixed: int) -> None:
    """Over the half of 16,384 hands that is built to win."""
    hands = [row for row in BY_WILDS[mixed] if mahjong.is_win(*row)]
    call_each(each, mahjong.evaluate, hands)


def test_evaluate_reference(each) -> None:
    """Over 200 hands with two 混."""
    hands = [(list(row[0]), row[1], row[2]) for row in BY_WILDS[2] if mahjong.is_win(*row)][:200]
    call_each(each, reference.evaluate, hands)  # type: ignore[arg-type]


def test_waits(each) -> None:
    call_each(each, mahjong.waits, of_thirteen(CLOSED))


def test_waits_fan(each) -> None:
    call_each(each, mahjong.waits_fan, of_thirteen(CLOSED[: N // 4]))


def test_shanten(each) -> None:
    call_each(each, mahjong.shanten, of_thirteen(CLOSED))


def test_improving(each) -> None:
    call_each(each, mahjong.improving, of_thirteen(CLOSED[: N // 4]))


def test_best_discard(each) -> None:
    call_each(each, kernel.best_discard_of, CLOSED[: N // 16])


def test_payments(each) -> None:
    call = mahjong.payments

    def work() -> None:
        for i in range(N):
            call(i & 7, i & 3, i >> 2 & 3)

    each(work, N)


def test_first_use(each) -> None:
    """A whole process: Python's own start, importing the game and one call."""
    code = (
        "import time; begun = time.perf_counter(); from qipai import mahjong; "
        "mahjong.evaluate('123m456p789s111z22z', (), '5z'); print(time.perf_counter() - begun)"
    )

    def work() -> float:
        return float(subprocess.check_output([sys.executable, "-c", code]))

    print(f"\nimport and first call: {min(work() for _ in range(5)) * 1e3:.1f} ms")
    each(work, 1)
