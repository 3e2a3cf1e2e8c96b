"""百变双扣: calls, batches, listings, whole hands. Every figure over 65,536 distinct inputs."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

import qipai
from qipai import shuangkou
from qipai._core import arena
from qipai._core import shuangkou as kernel
from qipai.reference import shuangkou as reference
from qipai.shuangkou import Rules

N = 1 << 16
RANKS = "3456789TJQKA2BR"
DECK = [rank for rank in range(13) for _ in range(8)] + [13, 13, 14, 14]
WENZHOU, BIANFENG = Rules.wenzhou(), Rules.bianfeng()


def counts_of(cards: list[int]) -> bytes:
    return bytes(cards.count(rank) for rank in range(15))


def packed(counts: bytes) -> int:
    return sum(count << 4 * rank for rank, count in enumerate(counts))


def playable() -> list[bytes]:
    """All sets that bianfeng plays."""
    plays = (kernel.play_at_id(id) for id in range(1, kernel.table_size()))
    sets = (bytes(play.cards.count(rank) for rank in RANKS) for play in plays)
    return [counts for counts in sets if shuangkou.classify(counts, BIANFENG)]


SETS = playable()


def mixed(n: int, seed: int) -> list[bytes]:
    """Playable sets and random hands, half and half. The hands are distinct; there are only some
    6,400 playable sets, which come in random order. They are made anew one after the other: what
    is timed is not the way through memory."""
    rng = random.Random(seed)
    return [
        bytes(bytearray(rng.choice(SETS)))
        if i % 2
        else counts_of(rng.sample(DECK, rng.randint(2, 27)))
        for i in rng.sample(range(n), n)
    ]


ROWS = mixed(N, 1)
PACKED = np.array([packed(row) for row in ROWS], np.uint64)
COUNTS = np.array([list(row) for row in ROWS], np.uint8)
TEXTS = ["".join(rank * count for rank, count in zip(RANKS, row, strict=True)) for row in ROWS]


def hands(wild: int, n: int = N) -> list[bytes]:
    """Hands of 27 with so many 大王."""
    rng = random.Random(wild)
    deck = DECK[:-2]
    return [counts_of(rng.sample(deck, 27 - wild) + [14] * wild) for _ in range(n)]


def test_empty_call(each) -> None:
    call = arena.empty

    def work() -> None:
        for row in ROWS:
            call(row, WENZHOU)

    each(work, N)


def test_classify_bytes(each) -> None:
    classify = shuangkou.classify

    def work() -> None:
        for row in ROWS:
            classify(row, WENZHOU)

    each(work, N)


def test_classify_text(each) -> None:
    classify = shuangkou.classify

    def work() -> None:
        for text in TEXTS:
            classify(text, WENZHOU)

    each(work, N)


def test_classify_reference(each) -> None:
    classify = reference.classify
    rows = [tuple(row) for row in ROWS[:2000]]

    def work() -> None:
        for row in rows:
            classify(row, WENZHOU)

    each(work, len(rows))


@pytest.mark.parametrize("rows", [PACKED, COUNTS], ids=["packed", "counts"])
def test_classify_many(each, rows: np.ndarray) -> None:
    out = np.empty(N, shuangkou.PLAY_DTYPE)
    each(lambda: shuangkou.classify_many(rows, BIANFENG, out=out), N)


@pytest.mark.parametrize("threads", [1, 2])
def test_classify_many_million(each, threads: int) -> None:
    rows = np.concatenate([np.roll(PACKED, 17 * i) for i in range(16)])
    out = np.empty(len(rows), shuangkou.PLAY_DTYPE)
    each(lambda: shuangkou.classify_many(rows, BIANFENG, out=out, threads=threads), len(rows))


def pairs() -> tuple[list[bytes], list[bytes]]:
    rng = random.Random(3)
    return [rng.choice(SETS) for _ in range(N)], [rng.choice(SETS) for _ in range(N)]


def test_beats_bytes(each) -> None:
    a, b = pairs()
    beats = shuangkou.beats

    def work() -> None:
        for one, other in zip(a, b, strict=True):
            beats(one, other, BIANFENG)

    each(work, N)


def test_beats_reference(each) -> None:
    a, b = ([tuple(row) for row in rows[:1000]] for rows in pairs())

    def work() -> None:
        for one, other in zip(a, b, strict=True):
            reference.beats(one, other, BIANFENG)

    each(work, 1000)


@pytest.mark.parametrize("rules", [WENZHOU, BIANFENG], ids=["wenzhou", "bianfeng"])
def test_beats_many(each, rules: Rules) -> None:
    a, b = (
        np.array([packed(row) if shuangkou.classify(row, rules) else 1 for row in rows], np.uint64)
        for rows in pairs()
    )
    out = np.empty(N, np.bool_)
    each(lambda: shuangkou.beats_many(a, b, rules, out=out), N)


@pytest.mark.parametrize("wild", [0, 1, 2])
def test_legal_ids_of_a_lead(each, wild: int) -> None:
    """All legal plays of a 27-card lead into the caller's buffer, the call included."""
    leads = hands(wild)
    out = np.empty(kernel.table_size(), np.int32)
    legal_ids = shuangkou.legal_ids

    def work() -> None:
        for hand in leads:
            legal_ids(hand, None, WENZHOU, out=out)

    each(work, N)


@pytest.mark.parametrize("wild", [0, 1, 2])
def test_legal_count_many_of_leads(each, wild: int) -> None:
    leads = np.array([packed(hand) for hand in hands(wild)], np.uint64)
    out = np.empty(N, np.int32)
    each(lambda: shuangkou.legal_count_many(leads, None, WENZHOU, out=out), N)


@pytest.mark.parametrize("wild", [0, 2])
def test_legal_plays_reference(each, wild: int) -> None:
    leads = [tuple(hand) for hand in hands(wild, 12)]

    def work() -> None:
        for hand in leads:
            reference.legal_plays(hand, None, rules=WENZHOU)

    each(work, len(leads))


def positions(n: int = N) -> list[qipai.Game]:
    """Distinct positions on the way through random hands."""
    rng = random.Random(5)
    found: list[qipai.Game] = []
    while len(found) < n:
        game = shuangkou.Game(BIANFENG, seed=rng.getrandbits(256))
        while not game.is_over and len(found) < n:
            found.append(game.clone())
            game.apply(int(rng.choice(game.legal_ids())))
    return found


@pytest.fixture(scope="module")
def games() -> list[qipai.Game]:
    return positions()


def test_clone(each, games: list[qipai.Game]) -> None:
    each(lambda: [game.clone() and None for game in games], N)


def test_snapshot(each, games: list[qipai.Game]) -> None:
    each(lambda: [game.snapshot() and None for game in games], N)


def test_observe(each, games: list[qipai.Game]) -> None:
    out = np.empty(games[0].engine.observation_size, np.uint8)

    def work() -> None:
        for game in games:
            game.observe(0, out)

    each(work, N)


def test_hint(each, games: list[qipai.Game]) -> None:
    each(lambda: [game.hint() and None for game in games], N)


def test_restore(each, games: list[qipai.Game]) -> None:
    snapshots = [game.snapshot() for game in games[:4000]]
    each(lambda: [qipai.restore(data) and None for data in snapshots], len(snapshots))


@pytest.mark.parametrize(
    "code",
    ["pass", "import qipai", "import qipai; qipai.new('shuangkou', seed=1)", "import numpy"],
    ids=["bare", "import", "first_game", "numpy_for_comparison"],
)
def test_start_of_a_process(each, code: str) -> None:
    """Whole processes; what ``import qipai`` adds is the difference to the bare one."""

    def work() -> None:
        for _ in range(10):
            subprocess.run([sys.executable, "-c", code], check=True)

    each(work, 10)
