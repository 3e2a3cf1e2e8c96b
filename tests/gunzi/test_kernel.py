"""The compiled kernel of 打滚子, against the rules text and the reference."""

from __future__ import annotations

import importlib.util
import pickle
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai import cards, gunzi
from qipai._core import gunzi as kernel
from qipai.gunzi import Rules, Settlement, Trump, is_legal_follow, settle, trick_winner

_spec = importlib.util.spec_from_file_location(
    "gunzi_prove_kernel", Path(__file__).with_name("prove_kernel.py")
)
assert _spec is not None and _spec.loader is not None
proofs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(proofs)

LIVE, DEAD = Rules.yiku(), Rules.diamond()
SPADES_5 = Trump("S", 5)
RANKS = "3456789TJQKA"
SUITS = "DCHS"


def counts(text: str) -> bytes:
    return bytes(proofs.counts([card % 54 for card in cards.parse(text)]))


# The order of cards


@pytest.mark.parametrize("level", range(3, 11))
@pytest.mark.parametrize("suit", SUITS)
def test_order_of_cards(suit: str, level: int) -> None:
    """GZ-3, GZ-4: all faces from the weakest up, equal ones together; trumps are one suit."""
    trump, own_level = Trump(suit, level), RANKS[level - 3]
    others = [other for other in SUITS if other != suit]
    plain = [rank for rank in RANKS if rank != own_level]
    side = [[other + rank for other in others] for rank in plain]
    trumps = [
        *([suit + rank] for rank in plain),
        [other + "2" for other in others],
        [suit + "2"],
        [other + own_level for other in others],
        [suit + own_level],
        ["B"],
        ["R"],
    ]
    order = [{trump.strength(card) for card in equal} for equal in side + trumps]
    assert all(len(equal) == 1 for equal in order)
    places = [place for equal in order for place in equal]
    assert places == sorted(set(places))
    assert places[0] >= 0 and places[-1] <= 29
    assert all(trump.group(card) == card[0] for equal in side for card in equal)
    assert all(trump.group(card) == "trump" for equal in trumps for card in equal)


def test_trump_is_a_value() -> None:
    """GZ-3: equal, hashable, picklable; its number is the face of its level card."""
    trump = Trump("H", 10)
    assert trump == Trump("♥", 10) and hash(trump) == hash(Trump("♥", 10))
    assert trump != Trump("H", 9) and trump != Trump("D", 10) and trump != "HT"
    assert (trump.suit, trump.level, str(trump)) == ("H", 10, "HT")
    assert eval(repr(trump)) == trump == pickle.loads(pickle.dumps(trump))
    assert len({Trump(suit, level) for suit in SUITS for level in range(3, 11)}) == 32
    assert [int(Trump("D", 3)), int(Trump("S", 3)), int(trump)] == cards.parse("D3 S3 HT")
    with pytest.raises(AttributeError):
        trump.level = 3  # type: ignore[misc]
    assert trump.strength(cards.parse("H4*3")[2]) == trump.strength("H4")


@pytest.mark.parametrize(("suit", "level"), [("X", 5), ("", 5), ("SH", 5), ("S", 2), ("S", 11)])
def test_no_such_trump(suit: str, level: int) -> None:
    """GZ-10: levels are 3 to 10."""
    with pytest.raises(ValueError, match=r"suit|level"):
        Trump(suit, level)


@pytest.mark.parametrize("card", ["", "H3 H4", "H3*2", "X", 162, -1])
def test_not_one_card(card: Any) -> None:
    with pytest.raises(ValueError):
        SPADES_5.strength(card)
    with pytest.raises(ValueError):
        SPADES_5.group(card)


def test_points() -> None:
    """GZ-2: 5, T and K; 300 in all."""
    assert gunzi.points(bytes([3] * 54)) == 300
    assert gunzi.points("H5 DT*2 CK H3 R B HA") == 35
    assert gunzi.points("5 10 K") == 25
    assert gunzi.points(cards.parse("S5*3")) == 15
    assert gunzi.points("") == 0


# Leads and follows

# Lead, hand, play, by 活棒, by 死棒: the worked cases.
WORKED = [
    ("H8*2", "H6*2 H9 C4", "H6 H9", True, False),
    ("H8*2", "H3 H9 C4", "H3 C4", False, False),
    ("H8*2", "H9*3 H3 H4 C4", "H3 H4", True, True),
    ("H8*2", "H9*3 C4 D6", "C4 D6", False, False),
    ("H8*3", "H6*2 H9 HT C4", "H6*2 H9", True, True),
    ("H8*3", "H6*2 H9 HT C4", "H6 H9 HT", True, False),
    ("H8*3", "H6*2 C4 D6", "H6 C4 D6", False, False),
    ("H8*3", "H6*2 C4 D6", "H6*2 C4", True, True),
    ("S7*2", "H5*2 S3", "H5 S3", True, False),
]
CORNERS = [
    # GZ-53: any two alike serve, two out of a 滚 included.
    ("H8*2", "H9*3 H6*2 H4", "H9*2", True, True),
    ("H8*2", "H9*3 H6*2 H4", "H6*2", True, True),
    ("H8*2", "H9*3 H6*2 H4", "H9 H4", True, False),
    # GZ-53: no 棒 but a 滚, which need not be broken and may be.
    ("H8*2", "H9*3 H4", "H9 H4", True, True),
    ("H8*2", "H9*3 H4", "H9*2", True, True),
    ("H8*2", "H9*3 H4 C6*2", "C6*2", False, False),
    # GZ-53: a 滚 first, else 棒 + single, else three singles.
    ("H8*3", "H9*3 H6*2 H4", "H9*3", True, True),
    ("H8*3", "H9*3 H6*2 H4", "H6*2 H4", True, False),
    ("H8*3", "H9*3 H6*2 H4", "H9*2 H4", True, False),
    ("H8*3", "H6*2 HT*2 H4", "H6*2 HT", True, True),
    ("H8*3", "H6*2 HT*2 H4", "H6 HT H4", True, False),
    ("H8*3", "H3 H4 H6 H7", "H4 H6 H7", True, True),
    # GZ-53: a shape is owed only by a suit that fills the play, and counts only within it.
    ("H8*3", "H9*2 C4*3", "H9*2 C4", True, True),
    ("H8*3", "H9 C4*3", "C4*3", False, False),
    ("H8*3", "H9 C4*3 D6", "H9 C4 D6", True, True),
    ("H8*2", "H9 C4*2", "H9 C4", True, True),
    ("H8*2", "C4*2 D6 S3", "D6 S3", True, True),
    ("H8*3", "C4*3 D6 S3*2", "D6 S3*2", True, True),
    # GZ-51: all trumps are one suit; level cards and 2s of hearts are no hearts.
    ("H8", "H5 H2 C4", "C4", True, True),
    ("H8", "H5 H2 H3 C4", "H2", False, False),
    ("D2*2", "H5*2 S3 R", "S3 R", True, False),
    ("D2*3", "H5*2 D5 R S3", "H5*2 D5", True, True),
    ("D2*3", "H5*2 D5 R S3", "H5 D5 R", True, False),
    ("R", "S3 H4", "H4", False, False),
    # Of another size, or not held.
    ("H8*2", "H6*2 H9 C4", "H6", False, False),
    ("H8*2", "H6*2 H9 C4", "H6*2 H9", False, False),
    ("H8*2", "H6*2 H9 C4", "", False, False),
    ("H8*2", "H6*2 H9 C4", "H9*2", False, False),
    ("H8", "H6*2 H9 C4", "H7", False, False),
]


@pytest.mark.parametrize(("lead", "hand", "play", "live", "dead"), WORKED + CORNERS)
def test_follow(lead: str, hand: str, play: str, live: bool, dead: bool) -> None:
    """GZ-51, GZ-52, GZ-53, in every form of cards."""
    for rules, legal in ((LIVE, live), (DEAD, dead)):
        forms: tuple[Callable[[str], Any], ...] = (str, counts, cards.parse)
        for form in forms:
            given = is_legal_follow(form(lead), form(play), form(hand), SPADES_5, rules)
            assert given is legal, rules.follow
        listed = list(gunzi.iter_follows(lead, hand, SPADES_5, rules))
        assert (counts(play) in map(counts, listed)) is legal
        assert len(set(listed)) == len(listed) == gunzi.count_follows(lead, hand, SPADES_5, rules)
        drawn = {gunzi.random_follow(lead, hand, SPADES_5, rules, seed) for seed in range(200)}
        assert drawn <= set(listed)
    assert is_legal_follow(lead, play, hand, SPADES_5) is dead  # GZ-54


def test_follows_of_a_void_hand() -> None:
    """GZ-51: thousands of sets may follow a 滚, and are counted without listing them."""
    hand = [card for card in range(108) if card % 54 % 4 == 0 and card % 54 < 48][:24]
    hand += [card for card in range(54) if card % 4 == 1 and card < 48] + [52, 106, 53]
    sets = {
        tuple(sorted(c % 54 for c in play))
        for play in combinations(hand, 3)
    }  # fmt: skip
    assert len(hand) == 39 and len(sets) > 2000
    assert gunzi.count_follows("H8*3", hand, SPADES_5, DEAD) == len(sets)


def test_follows_of_a_short_hand() -> None:
    """A hand that is shorter than the lead has no follows."""
    for hand in ("", "H3*2", "C4 R"):
        for rules in (LIVE, DEAD):
            assert gunzi.count_follows("H8*3", hand, SPADES_5, rules) == 0
            assert list(gunzi.iter_follows("H8*3", hand, SPADES_5, rules)) == []
            assert not is_legal_follow("H8*3", hand, hand, SPADES_5, rules)
            assert kernel.follow_steps("H8*3", "", hand, SPADES_5, rules) == (0, 0)
            with pytest.raises(ValueError, match="shorter"):
                gunzi.random_follow("H8*3", hand, SPADES_5, rules, 1)


def test_follows_are_listed_when_asked() -> None:
    """Two iterators at a time, each with its own hand."""
    one = gunzi.iter_follows("H8", "H3 H4", SPADES_5)
    other = gunzi.iter_follows("H8", "C6 C7 R", SPADES_5)
    assert [next(one), next(other), next(one), *other] == ["H3", "C6", "H4", "C7", "R"]
    assert list(one) == []


def test_leads() -> None:
    """GZ-5, GZ-50: every 单, 棒 and 滚."""
    leads = ["C4", "H8", "H8*2", "H8*3", "B", "B*2", "R"]
    assert gunzi.legal_leads("H8*3 R B*2 C4", SPADES_5) == leads
    assert gunzi.legal_leads("", SPADES_5) == []


@pytest.mark.parametrize(
    "lead", ["", "H3*2 H4*2", "H5 D5", "S2 H2", "HA HK", "B R", "H3 H4 H5", "H8*4", "H8*3 C8", "X"]
)
def test_no_lead(lead: str) -> None:
    """GZ-5: no 拖拉机, no 甩牌, no run; two different level cards are no 棒; three copies exist."""
    hand = "H6 H7 H9*2"
    for call in (
        lambda: is_legal_follow(lead, "H6", hand, SPADES_5),
        lambda: gunzi.count_follows(lead, hand, SPADES_5),
        lambda: gunzi.iter_follows(lead, hand, SPADES_5),
        lambda: gunzi.random_follow(lead, hand, SPADES_5, seed=1),
        lambda: trick_winner([lead, "H6"], SPADES_5),
    ):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("H6*4", "H6"),
        ("H6 7Z", "Z"),
        (bytes([0] * 53 + [4]), "R"),
        (bytes(53), "54"),
        ([162], "162"),
        ([7, 7], "7"),
    ],
)
def test_no_cards(bad: Any, says: str) -> None:
    """GZ-1: what no hand can be is named."""
    for call in (
        lambda: is_legal_follow("H8", bad, "H6", SPADES_5),
        lambda: is_legal_follow("H8", "H6", bad, SPADES_5),
        lambda: gunzi.count_follows("H8", bad, SPADES_5),
        lambda: gunzi.legal_leads(bad, SPADES_5),
        lambda: gunzi.points(bad),
    ):
        with pytest.raises(ValueError, match=says):
            call()


def test_hands_have_39_cards() -> None:
    """GZ-1"""
    most = list(range(39))
    assert gunzi.count_follows("R", most, SPADES_5) > 0
    with pytest.raises(ValueError, match="40"):
        gunzi.count_follows("R", [*most, 39], SPADES_5)


def test_what_is_not_of_this_game() -> None:
    with pytest.raises(TypeError):
        is_legal_follow("H8", "H6", "H6", "S5")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        is_legal_follow("H8", "H6", "H6", SPADES_5, "dead")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gunzi.points(5)  # type: ignore[arg-type]


# Draws


def test_the_same_seed_draws_the_same_follow() -> None:
    args = ("H8*3", "C3*3 C4*2 C6*2 D7*3 R B S9 SA", SPADES_5, DEAD)
    seeds: list[Any] = [0, 1, 2**256 - 1, bytes(range(32))]
    for seed in seeds:
        assert gunzi.random_follow(*args, seed) == gunzi.random_follow(*args, seed)
    assert gunzi.random_follow(*args, 5) == gunzi.random_follow(*args, (5).to_bytes(32, "little"))
    assert len({gunzi.random_follow(*args) for _ in range(20)}) > 1
    for bad in (-1, 2**256, b"short"):
        with pytest.raises(ValueError, match="seed"):
            gunzi.random_follow(*args, bad)


def test_draws_are_uniform() -> None:
    """Each follow comes equally often, in every branch of GZ-51 to GZ-53."""
    assert proofs.prove_draws(20) >= 12 * 20_000


# Tricks

WINNERS = [
    (["H7", "HK", "CA", "H3"], 2),
    (["HA", "C3", "B", "D6"], 3),
    (["H8*2", "HK*2", "HA+H3", "H9*2"], 2),
    (["HA*2", "S3+S4", "C4*2", "D6+D7"], 1),
    (["S7", "H5", "D5", "S9"], 2),
    (["S7*2", "H5*2", "D5*2", "S5*2"], 4),
    (["S7", "D2", "S2", "SA"], 3),
    # GZ-55: the shape must be matched; mixed cards never win; the first of equals wins.
    (["H8*3", "S3*2+R", "H9*3", "S6*3"], 4),
    (["H8*3", "R*3", "B*3", "HA*3"], 2),
    (["H8*2", "R+B", "H5+D5", "C4*2"], 1),
    (["H8", "H8", "CA", "H8"], 1),
    (["D2", "H2", "C2", "S3"], 1),
    (["D5", "H5", "S2", "B"], 4),
    (["R", "R", "R", "S5"], 1),
    (["CA", "H4", "D4", "S3"], 4),
]


@pytest.mark.parametrize(("plays", "winner"), WINNERS)
def test_trick(plays: list[str], winner: int) -> None:
    """GZ-55, one trick at a time and as rows of a batch; also a trick that still runs."""
    assert trick_winner(plays, SPADES_5) == winner - 1
    assert trick_winner([counts(play) for play in plays], SPADES_5) == winner - 1
    assert trick_winner(plays[:winner], SPADES_5) == winner - 1
    assert trick_winner(plays[:1], SPADES_5) == 0
    trick = [list(proofs.faces_of(play)) for play in plays]
    for rows in proofs.trick_rows([trick] * 3):
        assert gunzi.trick_winner_many(rows, SPADES_5).tolist() == [winner - 1] * 3


@pytest.mark.parametrize(
    "plays",
    [
        [],
        ["H7", "HK", "CA", "H3", "H4"],
        ["H7", "HK*2"],
        ["H7*2", "HK"],
        ["H7", ""],
        ["H7 H8", "HK*2"],
        ["H7*2", "HK*2", "H7+H3", "H7+H4"],
        ["R", "R", "R", "R"],
        ["H7*3", "HK*3", "C3*2+H7", "C4*3"],
    ],
)
def test_no_trick(plays: list[str]) -> None:
    """GZ-1, GZ-5: 1 to 4 plays of one size, a lead that is a shape, no fourth card of a face."""
    with pytest.raises(ValueError):
        trick_winner(plays, SPADES_5)


def test_batch_of_tricks() -> None:
    """GZ-55: both forms of rows, one trump or one a row, any number of threads, out given."""
    tricks = [[list(proofs.faces_of(play)) for play in plays] for plays, _ in WINNERS] * 3000
    winners = [winner - 1 for _, winner in WINNERS] * 3000
    trumps = np.full(len(tricks), int(SPADES_5), np.uint8)
    for rows in proofs.trick_rows(tricks):
        for trump in (SPADES_5, trumps):
            for threads in (1, 2, 5):
                given = gunzi.trick_winner_many(rows, trump, threads=threads)
                assert given.dtype == np.uint8 and given.tolist() == winners
        out = np.full(len(tricks) + 2, 9, np.uint8)
        given = gunzi.trick_winner_many(rows, SPADES_5, out=out)
        assert np.shares_memory(given, out) and out.tolist() == [*winners, 9, 9]
        assert gunzi.trick_winner_many(rows[:0], SPADES_5).shape == (0,)
    # Under another trump, row by row: hearts lead, and spades no longer ruff.
    ruff = [[proofs.faces_of(card) for card in ("H7", "S3", "HK", "H5")]] * 2
    rows, packed = proofs.trick_rows(ruff)
    mixed = np.array([int(Trump("S", 5)), int(Trump("D", 3))], np.uint8)
    for form in (rows, packed):
        assert gunzi.trick_winner_many(form, mixed).tolist() == [3, 1]


BAD_ROWS = [
    ["H7", "HK*2", "CA", "H3"],
    ["H7", "H7", "H7", "H7"],
    ["H7*2", "H7*2", "CA*2", "H3*2"],
    ["H7*3", "HK*3", "C3*2+H7", "C4*3"],
]


def test_rows_that_are_no_tricks() -> None:
    """A bad row is named, and nothing is written."""
    good = [list(proofs.faces_of(play)) for play in WINNERS[2][0]]
    bad_tricks = [[list(proofs.faces_of(play)) for play in plays] for plays in BAD_ROWS]
    out = np.full(4, 9, np.uint8)
    for trick in bad_tricks:
        for rows in proofs.trick_rows([good, good, trick, good]):
            with pytest.raises(ValueError, match=r"plays\[2\]"):
                gunzi.trick_winner_many(rows, SPADES_5, out=out)
    rows, packed = proofs.trick_rows([good] * 4)
    short = rows.copy()
    short[2, 4] = proofs.NO_CARD
    with pytest.raises(ValueError, match=r"plays\[2\]"):
        gunzi.trick_winner_many(short, SPADES_5, out=out)
    for face in (54, 55, 63, 64, 100, 200, 254):
        for place in range(12):
            wrong = rows.copy()
            wrong[2, place] = face
            with pytest.raises(ValueError, match=r"plays\[2\]"):
                gunzi.trick_winner_many(wrong, SPADES_5, out=out)
    for word in (0, 3 << 60, 15 << 60, 1 << 62 | int(packed[2]), int(packed[2]) ^ 3 << 60):
        wrong = packed.copy()
        wrong[2] = word
        with pytest.raises(ValueError, match=r"plays\[2\]"):
            gunzi.trick_winner_many(wrong, SPADES_5, out=out)
    with pytest.raises(ValueError, match=r"trump\[1\]: 32"):
        gunzi.trick_winner_many(packed, np.array([0, 32, 0, 0], np.uint8), out=out)
    for args, more in (
        ((rows[:, :11].copy(), SPADES_5), {}),
        ((rows.astype(np.int8), SPADES_5), {}),
        ((rows[::2], SPADES_5), {}),
        ((packed.astype(np.float64), SPADES_5), {}),
        ((packed, np.zeros(3, np.uint8)), {}),
        ((packed, np.zeros(4, np.uint16)), {}),
        ((packed, SPADES_5), {"out": np.zeros(3, np.uint8)}),
        ((packed, SPADES_5), {"out": np.zeros(4, np.int32)}),
        ((packed, SPADES_5), {"threads": 0}),
    ):
        with pytest.raises(ValueError):
            gunzi.trick_winner_many(*args, **more)
    assert out.tolist() == [9] * 4


# The settlement


def settled(
    gainer: str | None,
    levels: tuple[int, int],
    gained: int,
    blood: int,
    payer: str | None,
    next_dealer: int | None,
    round_winner: str | None = None,
) -> tuple[Any, ...]:
    return (gainer, levels, gained, blood, payer, next_dealer, round_winner)


D, A = "dealers", "attackers"

SETTLED = [
    # The worked cases.
    ((75, False, (0, 0)), (3, 3), settled(D, (4, 3), 1, 1, A, 2)),
    ((5, False, (0, 0)), (3, 3), settled(D, (4, 3), 1, 8, A, 2)),
    ((155, True, (0, 0)), (3, 3), settled(A, (3, 4), 1, 0, None, 1)),
    ((165, True, (0, 0)), (3, 3), settled(A, (3, 4), 1, 1, D, 1)),
    ((100, True, (1, 1)), (3, 3), settled(None, (3, 3), 0, 0, None, 2)),
    ((120, False, (0, 2)), (3, 3), settled(None, (3, 3), 0, 2, D, 1)),
    ((310, True, (0, 0)), (4, 6), settled(A, (3, 3), 5, 0, None, None, A)),
    ((60, False, (1, 0)), (9, 3), settled(D, (10, 3), 1, 4, A, 2)),
    # GZ-12, GZ-62, GZ-63: around 120.
    ((115, False, (0, 0)), (5, 7), settled(D, (6, 7), 1, 0, None, 2)),
    ((120, True, (0, 0)), (5, 7), settled(A, (5, 8), 1, 0, None, 1)),
    ((115, True, (0, 0)), (5, 7), settled(None, (5, 7), 0, 0, None, 2)),
    ((120, False, (0, 0)), (5, 7), settled(None, (5, 7), 0, 0, None, 1)),
    # GZ-32: the blood of few points is due with 抠底 too, a 5 counts as 10 below 80 only.
    ((80, False, (0, 0)), (5, 7), settled(D, (6, 7), 1, 0, None, 2)),
    ((70, True, (0, 0)), (5, 7), settled(None, (5, 7), 0, 1, A, 2)),
    ((65, True, (0, 0)), (5, 7), settled(None, (5, 7), 0, 2, A, 2)),
    ((160, False, (0, 0)), (5, 7), settled(None, (5, 7), 0, 1, D, 1)),
    ((295, False, (0, 0)), (5, 7), settled(None, (5, 7), 0, 14, D, 1)),
    # GZ-33, GZ-64: 大王 two, 小王 one, levels and blood.
    ((75, False, (1, 1)), (3, 3), settled(D, (7, 3), 4, 4, A, 2)),
    ((75, True, (2, 2)), (3, 3), settled(None, (3, 3), 0, 1, A, 2)),
    ((165, False, (2, 1)), (3, 3), settled(None, (3, 3), 0, 6, D, 1)),
    ((165, True, (2, 1)), (3, 3), settled(A, (3, 9), 6, 6, D, 1)),
    # GZ-10: no gain jumps over 10, level 10 must be won as dealers.
    ((165, True, (2, 1)), (3, 8), settled(A, (3, 10), 2, 6, D, 1)),
    ((165, True, (0, 0)), (3, 10), settled(A, (3, 10), 0, 1, D, 1)),
    ((75, False, (2, 0)), (9, 3), settled(D, (10, 3), 1, 5, A, 2)),
    ((75, False, (0, 0)), (10, 4), settled(D, (3, 3), 1, 0, None, None, D)),
    ((75, True, (0, 0)), (10, 4), settled(None, (10, 4), 0, 1, A, 2)),
    # GZ-65.
    ((0, False, (0, 0)), (6, 10), settled(D, (3, 3), 5, 0, None, None, D)),
    ((0, True, (0, 0)), (6, 10), settled(D, (3, 3), 5, 0, None, None, D)),
    ((0, False, (3, 3)), (10, 3), settled(D, (3, 3), 1, 0, None, None, D)),
    ((300, False, (0, 0)), (6, 10), settled(A, (3, 3), 1, 0, None, None, A)),
    ((115, False, (3, 0)), (3, 3), settled(D, (3, 3), 8, 0, None, None, D)),
    ((115, False, (0, 3)), (3, 3), settled(D, (3, 3), 8, 0, None, None, D)),
    ((120, True, (3, 0)), (3, 9), settled(A, (3, 3), 2, 0, None, None, A)),
    ((115, True, (3, 0)), (3, 3), settled(None, (3, 3), 0, 0, None, 2)),
    ((120, False, (0, 3)), (3, 3), settled(None, (3, 3), 0, 3, D, 1)),
    ((300, True, (3, 3)), (3, 3), settled(A, (3, 3), 8, 0, None, None, A)),
]


@pytest.mark.parametrize(("args", "level", "expected"), SETTLED)
def test_settlement(
    args: tuple[int, bool, tuple[int, int]], level: tuple[int, int], expected: tuple[Any, ...]
) -> None:
    """GZ-10, GZ-12, GZ-32, GZ-33, GZ-61..66."""
    s = settle(*args, level=level)
    assert type(s) is Settlement and tuple(s) == expected
    assert pickle.loads(pickle.dumps(s)) == s


@pytest.mark.parametrize("buried", [(0, 0), (1, 1), (3, 0), (0, 3), (3, 3)])
def test_a_dry_hand(buried: tuple[int, int]) -> None:
    """GZ-44: jokers in the bottom count for nothing; GZ-32 and one level hold."""
    s = settle(75, False, buried, level=(3, 3), dry=True)
    assert s == settled(D, (4, 3), 1, 1, A, 2)
    s = settle(165, False, buried, level=(3, 3), dry=True)
    assert s == settled(None, (3, 3), 0, 1, D, 1)
    s = settle(165, True, buried, level=(3, 3), dry=True)
    assert s == settled(A, (3, 4), 1, 1, D, 1)


def test_settlement_by_the_rules() -> None:
    """GZ-64 ``joker_levels``, GZ-65 ``instant_jokers``."""
    rules = DEAD.replace(joker_levels=(1, 3), instant_jokers="big")
    assert settle(100, False, (1, 1), level=(3, 3), rules=rules).levels == (8, 3)
    small = settle(100, False, (0, 3), level=(3, 3), rules=rules)
    assert small == settled(D, (10, 3), 7, 3, A, 2)
    assert settle(100, False, (3, 0), level=(3, 3), rules=rules).round_winner == D


@pytest.mark.parametrize(
    ("points", "dug", "buried", "level"),
    [
        (-5, False, (0, 0), (3, 3)),
        (77, False, (0, 0), (3, 3)),
        (305, False, (0, 0), (3, 3)),
        (365, True, (0, 0), (3, 3)),
        (355, True, (1, 0), (3, 3)),
        (305, True, (3, 3), (3, 3)),
        (100, False, (4, 0), (3, 3)),
        (100, False, (0, 4), (3, 3)),
        (100, False, (-1, 0), (3, 3)),
        (100, False, (0, 0, 0), (3, 3)),
        (100, False, (0, 0), (2, 3)),
        (100, False, (0, 0), (3, 11)),
        (100, False, (0, 0), (3,)),
        (100, 1, (0, 0), (3, 3)),
        (True, False, (0, 0), (3, 3)),
        (100.0, False, (0, 0), (3, 3)),
    ],
)
def test_impossible_settlement(points: Any, dug: Any, buried: Any, level: Any) -> None:
    """GZ-61: with 抠底 the bottom adds at most ten points a card that is no joker."""
    with pytest.raises(ValueError):
        settle(points, dug, buried, level=level)
    for most, jokers in ((360, (0, 0)), (350, (1, 0)), (300, (3, 3))):
        for dry in (False, True):
            assert settle(most, True, jokers, level=(3, 3), dry=dry).round_winner == A
            with pytest.raises(ValueError, match="points"):
                settle(most + 5, True, jokers, level=(3, 3), dry=dry)


# Slices of the proofs


def test_tricks_as_the_reference() -> None:
    """GZ-51..55"""
    done = proofs.prove_tricks(8_000, 11)
    assert len(done) == 24 and min(done.values()) > 100


def test_follows_as_the_reference() -> None:
    """GZ-51..53: counted, listed, and made step by step."""
    assert proofs.prove_follows(1500, 12, 8) > 3000
    assert proofs.prove_follows(60, 13, 16) > 500
    assert proofs.prove_follows(10, 14, 44) > 50


@pytest.mark.parametrize("chosen", ["C3", "H3 H3", "H3*2", "H3 H4 H6", "H4 H3*2", "R"])
def test_steps_that_begin_nothing(chosen: str) -> None:
    """GZ-53: a prefix that no legal play goes on from is named."""
    with pytest.raises(ValueError, match="chosen"):
        kernel.follow_steps("H8*3", chosen, "H3*2 H4*3 H6 C3", SPADES_5, DEAD)


def test_settlement_as_the_reference() -> None:
    """GZ-60..66: every S, 抠底 or not, the jokers, 干锅 or not, at the levels that matter."""
    assert proofs.prove_settle((3, 9, 10), ((2, 1),)) > 100_000


def test_wrong_types_name_the_culprit() -> None:
    trump = gunzi.Trump("S", 5)
    for call, name in (
        (lambda: gunzi.settle(5, True, 0, level=(3, 3)), "buried"),
        (lambda: gunzi.settle(5, True, None, level=(3, 3)), "buried"),
        (lambda: gunzi.settle(5, True, (0, 0), level=3), "level"),
        (lambda: gunzi.settle(5, True, (0, 0), level=None), "level"),
        (lambda: gunzi.trick_winner(None, trump), "plays"),
    ):
        with pytest.raises((TypeError, ValueError), match=name):
            call()
