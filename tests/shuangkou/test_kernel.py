"""The compiled kernel of 百变双扣, against the text's examples and the reference."""

from __future__ import annotations

import importlib.util
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

from qipai import shuangkou
from qipai._core import shuangkou as kernel
from qipai.shuangkou import Kind, Rules, beats, bombs, classify, legal_ids, legal_plays

_spec = importlib.util.spec_from_file_location(
    "shuangkou_proofs", Path(__file__).with_name("proofs.py")
)
assert _spec is not None and _spec.loader is not None
proofs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(proofs)

WENZHOU, BIANFENG, LISHUI = Rules.wenzhou(), Rules.bianfeng(), Rules.lishui()

# (cards, kind, rank, width, length, stars, reading), from the worked cases and clauses.
PLAYS = [
    ("BR", "PAIR", "B", 2, 1, 0, "BB"),
    ("BBR", "THREE_JOKERS", "R", 3, 1, 6, "BBR"),
    ("BRR", "THREE_JOKERS", "R", 3, 1, 6, "BRR"),
    ("BBRR", "FOUR_JOKERS", "R", 4, 1, 7, "BBRR"),
    ("R", "SINGLE", "R", 1, 1, 0, "R"),
    ("RR", "PAIR", "R", 2, 1, 0, "RR"),
    ("B", "SINGLE", "B", 1, 1, 0, "B"),
    ("2R", "PAIR", "2", 2, 1, 0, "22"),
    ("2RR", "TRIPLE", "2", 3, 1, 0, "222"),
    ("77RR", "BOMB", "7", 4, 1, 4, "7777"),
    ("7777R", "BOMB", "7", 5, 1, 5, "77777"),
    ("3457R", "STRAIGHT", "7", 1, 5, 0, "34567"),
    ("34578RR", "STRAIGHT", "9", 1, 7, 0, "3456789"),
    ("QKARR", "STRAIGHT", "A", 1, 5, 0, "TJQKA"),
    ("45678R", "STRAIGHT", "9", 1, 6, 0, "456789"),
    ("TJQKAR", "STRAIGHT", "A", 1, 6, 0, "9TJQKA"),
    ("3456789TJQKA", "STRAIGHT", "A", 1, 12, 0, "3456789TJQKA"),
    ("77899R", "PAIR_RUN", "9", 2, 3, 0, "778899"),
    ("7789RR", "PAIR_RUN", "9", 2, 3, 0, "778899"),
    ("JJQQRR", "PAIR_RUN", "K", 2, 3, 0, "JJQQKK"),
    ("KKAARR", "PAIR_RUN", "A", 2, 3, 0, "QQKKAA"),
    ("33344455R", "TRIPLE_RUN", "5", 3, 3, 0, "333444555"),
    ("333344445555", "CHAIN_BOMB", "5", 4, 3, 7, "333344445555"),
    ("3333444455RR", "CHAIN_BOMB", "5", 4, 3, 7, "333344445555"),
]
NOTHING = [
    "3456789TJQKAR", "23456", "A2345", "JQKA2", "3456B", "3344", "556677R", "KKKAAA222",
    "33334444RR", "666666777777", "333344445555R", "34", "3456", "7788", "333444", "3R4", "BB3R",
]  # fmt: skip
STARS = [(4, 3, 7), (4, 4, 8), (4, 5, 9), (4, 6, 10), (5, 3, 8), (5, 4, 9), (5, 5, 10),
         (6, 3, 9), (6, 4, 10), (7, 3, 10), (8, 3, 11)]  # fmt: skip


@pytest.mark.parametrize(("cards", "kind", "rank", "width", "length", "stars", "reading"), PLAYS)
def test_readings(cards, kind, rank, width, length, stars, reading) -> None:
    """SK-10..18, SK-30, SK-31: the worked cases."""
    for rules in (WENZHOU, BIANFENG, LISHUI):
        play = classify(cards, rules)
        assert play is not None
        assert play.kind is Kind[kind]
        assert (play.rank, play.width, play.length, play.stars) == (rank, width, length, stars)
        assert play.reading == reading
        assert not play.is_loop
        assert play.cards == "".join(sorted(cards, key="3456789TJQKA2BR".index))
        assert pickle.loads(pickle.dumps(play)) == play
        assert classify(play.reading, rules) is not None


@pytest.mark.parametrize("cards", NOTHING)
def test_no_patterns(cards: str) -> None:
    """SK-20, SK-11 (no 2, A high only), SK-17 (at least three groups)."""
    for rules in (WENZHOU, BIANFENG, LISHUI):
        assert classify(cards, rules) is None
    assert classify("", WENZHOU) is None
    assert classify(b"\0" * 15) is None
    assert classify([]) is None


def test_loops() -> None:
    """SK-19: 2 adjoins A and 3 in bianfeng and lishui only."""
    for cards, rank in (("AAAA22223333", "3"), ("KKKKAAAA2222", "2"), ("222233334444", "4")):
        assert classify(cards, WENZHOU) is None
        for rules in (BIANFENG, LISHUI, WENZHOU.replace(loops=True)):
            play = classify(cards, rules)
            assert play is not None
            assert play.is_loop
            assert (play.kind, play.rank, play.stars) == (Kind.CHAIN_BOMB, rank, 7)
            assert play.reading == "".join(sorted(cards, key="3456789TJQKA2BR".index))
    assert classify("KKKKAAAA3333", BIANFENG) is None
    assert classify("AAAA2222333R", BIANFENG).reading == "3333AAAA2222"


def test_stars_of_chain_bombs() -> None:
    """SK-17: the printed table."""
    for width, length, stars in STARS:
        cards = "".join(rank * width for rank in "3456789"[:length])
        play = classify(cards, WENZHOU)
        assert play is not None
        assert play.stars == stars
    assert classify("".join(rank * 3 for rank in "3456789TJ"), WENZHOU).kind is Kind.TRIPLE_RUN


def test_max_bomb() -> None:
    """SK-16: nine and ten alike are patterns only where the house says so."""
    assert classify("77777777R") is None
    assert classify("7777777RR") is None
    nine, ten = WENZHOU.replace(max_bomb=9), WENZHOU.replace(max_bomb=10)
    assert classify("77777777R", nine).stars == 9
    assert classify("77777777RR", nine) is None
    assert classify("77777777RR", ten).stars == 10
    assert classify("7777777R").stars == 8


BEATS = [
    ("45678R", "345678", WENZHOU), ("33333", "AAAA", WENZHOU), ("BBR", "22222", WENZHOU),
    ("333333", "BBR", WENZHOU), ("BBRR", "2222222", WENZHOU), ("33333333", "BBRR", WENZHOU),
    ("3333333", "333344445555", BIANFENG), ("333344445555", "3333333", WENZHOU),
    ("KKKKAAAA2222", "AAAA22223333", BIANFENG), ("333344445555", "KKKKAAAA2222", BIANFENG),
    ("333344445555", "AAAA22223333", BIANFENG), ("RR", "BB", WENZHOU), ("3333", "R", WENZHOU),
    ("BBRR", "333344445555", BIANFENG), ("222233334444", "KKKKAAAA2222", BIANFENG),
]  # fmt: skip


@pytest.mark.parametrize(("higher", "lower", "rules"), BEATS)
def test_beats(higher: str, lower: str, rules: Rules) -> None:
    """SK-40..46: the worked cases."""
    assert beats(higher, lower, rules) is True
    assert beats(lower, higher, rules) is False
    assert beats(classify(higher, rules), classify(lower, rules), rules) is True


@pytest.mark.parametrize(
    ("one", "other", "rules"),
    [
        ("7777R", "77777", WENZHOU), ("33", "4", WENZHOU), ("34567", "345678", WENZHOU),
        ("BBR", "BRR", WENZHOU), ("777", "888999TTT", WENZHOU),
        # 5x4 and 4x5 tie in stars and count; so do their tops here.
        ("44444555556666677777", "33334444555566667777", BIANFENG),
    ],
)  # fmt: skip
def test_neither_beats(one: str, other: str, rules: Rules) -> None:
    """SK-40 (the same pattern and number of cards), SK-43, SK-44 (equal never beats)."""
    assert not beats(one, other, rules)
    assert not beats(other, one, rules)


def test_beats_needs_plays() -> None:
    """SK-20, SK-19."""
    with pytest.raises(ValueError, match="3344"):
        beats("3344", "3")
    with pytest.raises(ValueError, match="3333AAAA2222"):
        beats("AAAA22223333", "3", WENZHOU)
    with pytest.raises(ValueError):
        beats(classify("AAAA22223333", BIANFENG), "3", WENZHOU)


def test_every_form_of_cards() -> None:
    """Text, counts and ids say the same."""
    counts = bytes([0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1])
    faces = bytearray(54)
    for face in (16, 17, 20, 24, 25, 53):
        faces[face] = 1
    forms = ["77899R", "7 7 8 9 9 R", "7,7+8 9 9,大王", "D7 C7 H8 S9 ♦9 R", "7*2 8 9*2 R", counts,
             bytes(faces), [16, 17, 20, 24, 25, 53], (16, 70, 20, 24, 78, 107),
             np.array([16, 17, 20, 24, 25, 53])]  # fmt: skip
    for form in forms:
        play = classify(form)
        assert play is not None
        assert play.cards == "77899R"
    assert classify("10JQKA") == classify("TJQKA")


@pytest.mark.parametrize(
    ("cards", "culprit"),
    [
        ("RRR", "R"), ("777777777", "7"), ("77x", "x"), ("1", "1"), ("H7 H7 H7", "H7"),
        ("SB", "SB"), ("7*", "*"), ("7*0", "*0"), ("H", "H"), ("BBB", "B"), ("😀", "😀"),
        (bytes([9] + [0] * 14), "3"), (bytes([0] * 14 + [3]), "R"), (bytes([255] * 15), "3"),
        (bytes([2] * 14 + [0]), "28"), (b"", "0"), (bytes(14), "14"), (bytes(16), "16"),
        (bytes([3] + [0] * 53), "D3"), ([108], "108"), ([-1], "-1"), ([5, 5], "5"),
        ("3" * 500, "decks"),
    ],
)  # fmt: skip
def test_what_no_hand_can_be(cards: object, culprit: str) -> None:
    """Bad input is named."""
    for call in (classify, bombs, legal_plays, lambda cards: beats(cards, "3")):
        with pytest.raises(ValueError) as caught:
            call(cards)
        assert culprit in str(caught.value)


def test_wrong_types() -> None:
    for cards in (None, 7, 1.5, [1.5], ["7"], [True]):
        with pytest.raises(TypeError):
            classify(cards)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        classify("7", "wenzhou")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        shuangkou.Play()
    with pytest.raises(ValueError):
        Rules(max_bomb=7)
    with pytest.raises(ValueError, match="wrong"):
        WENZHOU.replace(wrong=1)


def test_table_digest() -> None:
    """Action ids are stable: this changes only with a new version of them."""
    assert kernel.table_digest() == (
        "31c4d691d893983da1ceaa0fe0d8b719f8458250d7b176c957c91c2c20c9de72"
    )
    assert kernel.table_size() == 6396
    plain = [id for id in range(1, 6396) if "R" not in kernel.play_at_id(id).cards]
    assert len(plain) == 389


def test_classify_a_slice() -> None:
    """SK-10..20, SK-30..31: one playable set in eleven with its neighbours."""
    assert proofs.prove_classify(share=11) > 5000
    assert proofs.prove_nothing_is_missing(3000, 7) == 3000


def test_beats_a_slice() -> None:
    """SK-40..46: one reading in twelve against all."""
    assert proofs.prove_beats(share=12, offset=3) > 20_000
    assert proofs.prove_same_reading_compares_alike(share=6) > 10_000


def test_one_reading_a_slice() -> None:
    """SK-32: one playable set in nine."""
    assert proofs.prove_one_reading(share=9) > 5000


def test_legal_plays_a_slice() -> None:
    """SK-51 and SK-40..46: small hands against all sub-multisets, large ones against a search."""
    proofs.prove_legal_small(1200, 8)
    proofs.prove_legal_large(30, 9)


def test_legal_plays_are_in_the_order_of_ids_and_beat() -> None:
    hand = "33344455566677789TJQKA2BBRR"
    plays = legal_plays(hand)
    assert [int(play) for play in plays] == sorted({int(play) for play in plays})
    for on in ("3", "33", "34567", "333444555", "3333", "BBR"):
        followers = legal_plays(hand, on)
        assert followers
        assert followers == legal_plays(hand, classify(on))
        assert [play for play in plays if beats(play, on)] == followers
    with pytest.raises(ValueError, match="3344"):
        legal_plays(hand, "3344")


def test_legal_ids_are_those_of_the_legal_plays() -> None:
    """Into a new array, into one with room for all ids, and into one that is just large enough."""
    rng = random.Random(5)
    room = np.full(10_000, -1, np.int32)
    for _ in range(60):
        ranks = rng.sample("3456789TJQKA2" * 8 + "BBRR", rng.randrange(28))
        hand, on = "".join(ranks), rng.choice((None, "3", "44", "5555"))
        rules = rng.choice((WENZHOU, BIANFENG, LISHUI))
        wanted = [int(play) for play in legal_plays(hand, on, rules)]
        ids = legal_ids(hand, on, rules)
        assert ids.dtype == np.int32 and ids.tolist() == wanted
        found = legal_ids(hand, on, rules, out=room)
        assert found.tolist() == wanted and found.base is room
        just = np.zeros(len(wanted), np.int32)
        assert legal_ids(hand, on, rules, out=just) is just and just.tolist() == wanted
        if wanted:
            with pytest.raises(ValueError, match=f"{len(wanted)} are needed"):
                legal_ids(hand, on, rules, out=just[:-1])


# Batches ---------------------------------------------------------------------------------------


def packed(counts) -> int:
    return sum(count << 4 * rank for rank, count in enumerate(counts))


def random_rows(n: int, seed: int) -> list[tuple[int, ...]]:
    rng = random.Random(seed)
    sets = proofs.all_sets()
    return [
        rng.choice(sets)
        if rng.random() < 0.5
        else proofs.random_hand(rng, rng.randint(2, 27), rng.randint(0, 2))
        for _ in range(n)
    ]


@pytest.mark.parametrize("rules", [WENZHOU, BIANFENG])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_classify_many(rules: Rules, threads: int) -> None:
    rows = random_rows(40_000 if threads > 1 else 6000, 1)
    counts = np.array(rows, np.uint8)
    hands = np.array([packed(row) for row in rows], np.uint64)
    fast = shuangkou.classify_many(hands, rules, threads=threads)
    assert fast.dtype == shuangkou.PLAY_DTYPE
    assert np.array_equal(fast, shuangkou.classify_many(counts, rules, threads=threads))
    for row, got in list(zip(rows, fast, strict=True))[:6000]:
        play = classify(bytes(row), rules)
        assert int(got["id"]) == (0 if play is None else int(play))
        if play is not None:
            assert int(got["kind"]) == play.kind
            assert "3456789TJQKA2BR"[got["rank"]] == play.rank
            assert (got["width"], got["length"], got["stars"], got["is_loop"]) == (
                play.width, play.length, play.stars, play.is_loop,
            )  # fmt: skip
    out = np.zeros(len(rows) + 1, shuangkou.PLAY_DTYPE)
    assert np.shares_memory(shuangkou.classify_many(hands, rules, out=out), out)
    assert np.array_equal(out[:-1], fast)
    assert not out[-1]["id"]


def test_beats_many() -> None:
    rng = random.Random(2)
    for rules in (WENZHOU, BIANFENG):
        sets = [row for row in proofs.all_sets() if classify(bytes(row), rules) is not None]
        a = [rng.choice(sets) for _ in range(20_000)]
        b = [rng.choice(sets) for _ in range(20_000)]
        left = np.array([packed(row) for row in a], np.uint64)
        right = np.array(b, np.uint8)
        fast = shuangkou.beats_many(left, right, rules)
        assert fast.dtype == np.bool_
        assert np.array_equal(fast, shuangkou.beats_many(left, right, rules, threads=3))
        slow = [beats(bytes(x), bytes(y), rules) for x, y in zip(a[:4000], b, strict=False)]
        assert fast[:4000].tolist() == slow
        out = np.zeros(20_000, np.bool_)
        shuangkou.beats_many(left, right, rules, out=out)
        assert np.array_equal(out, fast)


def test_legal_count_many() -> None:
    rng = random.Random(3)
    rows = [proofs.random_hand(rng, 27, i % 3) for i in range(300)]
    hands = np.array(rows, np.uint8)
    for on in (None, "3", "33344455R", "5555"):
        counts = shuangkou.legal_count_many(hands, on, BIANFENG)
        assert counts.dtype == np.int32
        expected = [len(legal_plays(bytes(row), on, BIANFENG)) for row in rows]
        assert counts.tolist() == expected


def test_batches_refuse_bad_arrays_before_writing() -> None:
    """Dtype, shape, counts, room."""
    good = np.array([1, 2, 16], np.uint64)
    out = np.zeros(3, shuangkou.PLAY_DTYPE)
    bad = [
        np.array([1, 2, 3], np.int64), np.array([1.0]), np.zeros((2, 14), np.uint8),
        np.zeros((2, 15), np.int8), np.zeros((2, 30), np.uint8)[:, ::2], np.uint64(1),
        np.array([1, 9, 1], np.uint64), np.array([1, 1 << 60], np.uint64),
        np.array([3 << 52], np.uint64), np.full((2, 15), 2, np.uint8),
        np.full(1, 0x222222222222222, np.uint64),
    ]  # fmt: skip
    for array in bad:
        for call in (shuangkou.classify_many, shuangkou.legal_count_many):
            with pytest.raises(ValueError):
                call(array)
        with pytest.raises(ValueError):
            shuangkou.classify_many(array, out=out)
        with pytest.raises(ValueError):
            shuangkou.beats_many(array, array)
    assert not out["id"].any()
    with pytest.raises(ValueError, match=r"\[1\].*3"):
        shuangkou.classify_many(np.array([[1] + [0] * 14, [9] + [0] * 14], np.uint8))
    with pytest.raises(ValueError, match="room"):
        shuangkou.classify_many(good, out=np.zeros(2, shuangkou.PLAY_DTYPE))
    with pytest.raises(ValueError, match="out"):
        shuangkou.classify_many(good, out=np.zeros(3, np.uint64))
    with pytest.raises(ValueError, match="rows"):
        shuangkou.beats_many(good, good[:2])
    flags = np.ones(2, np.bool_)
    with pytest.raises(ValueError, match=r"b\[1\] is no play"):
        shuangkou.beats_many(np.array([1, 1], np.uint64), np.array([1, 0x11], np.uint64), out=flags)
    assert flags.all()
    for threads in (0, -1, 1000):
        with pytest.raises(ValueError, match="threads"):
            shuangkou.classify_many(good, threads=threads)
    with pytest.raises(TypeError):
        shuangkou.classify_many([1, 2, 3])  # type: ignore[arg-type]
    frozen = good.copy()
    frozen.flags.writeable = False
    assert len(shuangkou.classify_many(frozen)) == 3
    assert len(shuangkou.classify_many(np.zeros(0, np.uint64))) == 0
