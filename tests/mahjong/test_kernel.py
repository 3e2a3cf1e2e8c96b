"""The compiled kernel of 鞍山麻将, against the text's cases, plain readings and the reference."""

from __future__ import annotations

import importlib.util
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

from qipai import new
from qipai import tiles as mahjong_tiles
from qipai._core import mahjong as mahjong_core
from qipai.mahjong import (
    Meld,
    MeldForm,
    Rules,
    Win,
    evaluate,
    improving,
    is_complete,
    is_complete_many,
    is_win,
    is_win_many,
    kind_before,
    next_kind,
    pack_melds,
    payments,
    shanten,
    shanten_many,
    waits,
    waits_fan,
)

_spec = importlib.util.spec_from_file_location(
    "mahjong_proofs", Path(__file__).with_name("prove_kernel.py")
)
assert _spec is not None and _spec.loader is not None
proofs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(proofs)

CLASSIC = Rules(shisanyao="classic")
W = "5z"  # in the cases below 混 is 白, written as itself


def won(hand: str, *melds: str, rules: Rules | None = None, **options: object) -> Win:
    win = evaluate(hand, melds, W, rules, **options)  # type: ignore[arg-type]
    assert win is not None
    assert is_win(hand, melds, W, rules)
    return win


def names(win: Win) -> list[str]:
    return [name for name, _, count in win.fans for _ in range(count)]


# The cases of the text: hand, 番, closed and without 枪; None where it does not win.
CASES = [
    ("123m456p789s111z22z", 2),
    ("123m456p789s222p55s", 2),
    ("123m456m789p111z22z", None),
    ("111m999p111s222z33z", 4),
    ("1m9m1p9p1s9s1z1z2z2z3z3z4z4z", 3),
    ("234m456p678s345s77z", 2),
    ("234m456p678s345s55p", None),
    ("234m456p678s333s55p", None),
    ("5z23m456p678s333s55p", None),
    ("11m33m55p77p22s44s66s", 4),
    ("11m11m55p77p22s44s66s", 5),
]


@pytest.mark.parametrize(("hand", "total"), CASES)
def test_worked_cases(hand: str, total: int | None) -> None:
    """AM-20 to AM-27, AM-32, AM-33, AM-36, AM-38 to AM-41: the worked cases of the text."""
    assert is_win(hand, (), W) is (total is not None)
    win = evaluate(hand, (), W)
    assert (win and win.total) == total


def test_rings() -> None:
    """AM-2, AM-37: 1..9 within a suit, 东南西北, 中发白; after the last comes the first."""
    ring = ["8m", "9m", "1m", "2m"]
    assert [next_kind(tile) for tile in ring[:3]] == [8, 0, 1]
    assert [next_kind(tile) for tile in "东南西北"] == [28, 29, 30, 27]
    assert [next_kind(tile) for tile in "中发白"] == [32, 31, 33]
    assert [kind_before(next_kind(kind)) for kind in range(34)] == list(range(34))
    assert kind_before("8m") == 6
    for wrong in ("", "12m", 34, -1):
        with pytest.raises(ValueError, match="tile"):
            next_kind(wrong)


def test_wild_is_not_even_its_own_kind() -> None:
    """AM-3, AM-23, AM-24, AM-32, AM-37: a 混 is no natural tile of its own kind."""
    hand = "123m456m789p222p9s9s"  # complete; 9s is the only 条
    assert is_win(hand, (), "5z") and not is_win(hand, (), "9s")
    assert is_win("234m456p678s345s7z7z", (), "5z")
    assert not is_win("234m456p678s345s7z7z", (), "7z")  # no 幺九, and the pair is none of 中
    win = evaluate("123m456p789s111z22z", (), "7m", gun="7m1z")
    assert win is not None and ("枪", "AM-37", 3) in win.fans
    win = evaluate("123m456p789s111z22z", (), "1z", gun="1z")
    assert win is not None and names(win) == ["站立"]


def test_wild_as_a_fifth_copy() -> None:
    """AM-3: 1m three times and again beside a 混, as a pair."""
    win = won("1111m5z456p789s111z")
    assert (win.pair, win.wilds, names(win)) == (0, (0,), ["站立", "四归一"])


def test_peng() -> None:
    """AM-21: a triplet or kong, melded or made with 混; or dragons as the pair, one natural."""
    assert not is_win("123m456p678s345s55p", (), W)
    assert is_win("123m456p678s345s77z", (), W)
    assert is_win("123m456p678s345s7z5z", (), W)
    assert not is_win("123m456p678s345s5z5z", (), W)  # the 混 alone are no pair of dragons
    assert not is_win("123m456p678s345s22z", (), W)
    assert is_win("123m456p678s55p", ["333s"], W)
    assert is_win("123m456p678s55p", ["(3333s)"], W)
    assert not is_win("123m456p678s55p", ["345s"], W)
    assert is_win("123m456p678s33s5z55p", (), W)


def test_shun() -> None:
    """AM-22: four sets and a pair hold a run, in the hand or melded."""
    assert is_complete("111m222p333s444s55p", (), W)
    assert not is_win("111m222p333s444s55p", (), W)
    assert is_win("111m222p333s55p", ["456s"], W)
    assert not is_win("111m222p333s55p", ["4444s"], W)


def test_yao_and_suits() -> None:
    """AM-23, AM-24: natural tiles, melds included; a 混 stands for neither."""
    assert not is_win("234m456p678s33s5z55p", (), W)
    assert is_win("234m456p33s5z55p", ["789s"], W)
    assert is_complete("123m789p111z22z555z", (), W) and not is_win("123m789p111z22z555z", (), W)
    assert is_win("123m789p111z22z", ["456s"], W)


def test_seven_pairs() -> None:
    """AM-25, AM-40: free of 三门齐 and 幺九, closed; 二八 only by a natural pair."""
    win = won("22m33m44m55m66m77m88m")
    assert (win.shape, names(win)) == ("seven_pairs", ["穷胡", "站立", "七对", "二八"])
    assert win.sets == tuple((kind, kind) for kind in range(1, 8))
    assert win.pair is None and win.wilds == ()
    assert not is_win("22m33m44m55m66m7m", ["777z"], W)
    mixed = won("2m5z33m44m55m66m77m99m")
    assert names(mixed) == ["站立", "七对"] and mixed.wilds == (1,)
    spare = won("22m33m44m55m66m77m5z5z")  # 混 alone are 11m
    assert names(spare) == ["站立", "七对", "二八"] and spare.wilds == (0, 0)
    with_options = won("22m33m44m55m66m77m88m", gun="3m7m", after_kong=True)
    assert names(with_options).count("枪") == 4 and "杠上开花" not in names(with_options)


def test_all_yao() -> None:
    """AM-26, AM-27, AM-41: all tiles 1, 9 or honours, melds included; nothing else is required."""
    win = won("1s9s1z2z3z4z6z7z", "111m", "(9999p)")
    assert (win.shape, win.sets, win.pair) == ("shisanyao", (), None)
    assert names(win) == ["穷胡", "杠", "十三幺"]
    assert not is_win("1s9s1z2z3z4z6z7z", ["123m", "(9999p)"], W)
    assert not is_win("2s9s1z2z3z4z6z7z", ["111m", "(9999p)"], W)
    win = won("666777z1111m99p1s9s")
    assert names(win) == ["穷胡", "站立", "大哥大", "大哥大", "四归一", "十三幺", "三叉"]
    assert names(won("111m111p111s99m99p5z")) == ["站立", "十三幺", "三叉"]
    assert names(won("111m111p111s99m5z5z5z")) == ["站立", "十三幺", "七对", "三叉"]
    win = won("1111m1111p11s99s5z5z")
    assert names(win) == ["站立", "四归一", "四归一", "十三幺", "七对"]
    assert win.wilds == ()
    assert names(won("1111p11s99s1z5z5z", "(1111m)")) == ["站立", "杠", "四归一", "十三幺"]


def test_classic_shisanyao() -> None:
    """AM-27: the thirteen kinds and one double, closed; 混 may fill."""
    whole = "19m19p19s1234567z"
    for double in ("1m", "9s", "7z"):
        win = evaluate(whole + double, (), "2m", CLASSIC)
        assert win is not None and names(win) == ["穷胡", "站立", "十三幺"]
        assert win.sets == () and win.pair == mahjong_tiles.parse(double)[0] // 4
    assert not is_win(whole + "2m", (), "3m", CLASSIC)
    assert not is_win("119m19p19s123456z1m", (), "2m", CLASSIC)
    win = evaluate("119m19p19s123456z2m", (), "2m", CLASSIC)
    assert win is not None and win.wilds == (33,)
    win = evaluate("19m19p19s12346z222m", (), "2m", CLASSIC)
    assert win is not None and (win.pair, win.wilds) == (0, (0, 31, 33))
    assert not is_win("1s9s1z2z3z4z6z7z", ["111m", "(9999p)"], W, CLASSIC)
    assert not is_win("111m999p111s222z33z", (), W, CLASSIC)


def test_closed_and_kongs() -> None:
    """AM-33, AM-34: only a 暗杠 leaves the hand closed; each kong counts."""
    base = "123m456p789s22p"
    assert names(won(base, "(3333s)")) == ["穷胡", "站立", "杠", "二八将"]
    for meld in ("3333s", "3333s+"):
        assert names(won(base, meld)) == ["穷胡", "杠", "二八将"]
    assert names(won(base, "333s")) == ["穷胡", "二八将"]
    assert names(won("456p789s22p", "3333s", "(1111m)")) == ["穷胡", "杠", "杠", "二八将"]
    after = won(base, "(3333s)", after_kong=True)
    assert names(after) == ["穷胡", "站立", "杠", "二八将", "杠上开花"]  # AM-39


def test_dageda() -> None:
    """AM-35: each triplet or kong of dragons, in the hand or melded, natural tiles only."""
    assert names(won("123m456p789s666z44p")) == ["穷胡", "站立", "大哥大"]
    assert names(won("123m789s666z44p", "7777z")) == ["穷胡", "杠", "大哥大", "大哥大"]
    assert names(won("123m456p789s66z5z44p")) == ["站立"]


def test_siguiyi() -> None:
    """AM-36: four natural copies, melds included, without a kong."""
    assert names(won("1111m23m456p789s22p")) == ["穷胡", "站立", "四归一", "二八将"]
    assert names(won("123m456p789s22p", "111m")) == ["穷胡", "四归一", "二八将"]
    assert "四归一" not in names(won("456p789s22p", "123s", "(1111m)"))


def test_gun() -> None:
    """AM-37: each natural copy, melds included; a kind given twice is one."""
    hand = ("123m456p789s22p", "(3333s)")
    for gun, count in (("3s", 4), ("2p2p", 2), ([10, "3s"], 6), (20, 4), ("5z", 0), ((), 0)):
        assert names(won(*hand, gun=gun)).count("枪") == count


def test_two_or_eight() -> None:
    """AM-38: the pair of a suit without 混, no wind."""
    assert "二八将" in names(won("123m456p789s111z88p"))
    assert "二八将" not in names(won("123m456p789s111z22z"))
    assert names(won("123m456p789s111z2p5z")) == ["站立"]


def test_sancha() -> None:
    """AM-41: three natural triplets or kongs, melds included; by the rules in 十三幺 alone."""
    hand = "111m999p444s123s22p"
    assert names(won(hand)) == ["穷胡", "站立", "二八将", "三叉"]
    assert names(won(hand, rules=Rules(sancha="shisanyao"))) == ["穷胡", "站立", "二八将"]
    assert names(won("111m999p44s5z123s22p")) == ["站立", "二八将"]
    assert names(won("444s123s22p", "111m", "9999p")) == ["穷胡", "杠", "二八将", "三叉"]
    assert "三叉" in names(won("666z111m99p9s12z", "999s", rules=Rules(sancha="shisanyao")))


def test_the_reading_that_counts() -> None:
    """AM-42: most 番; then four sets before 七对, the smaller sets, the earlier clause."""
    win = won("23m5z456p789s111z22z")
    assert (win.sets[0], win.wilds) == ((0, 1, 2), (0,))
    win = won("123m456p789s66z5z44p")  # 444p and 66z before 666z and 44p
    assert (win.sets[1], win.pair, win.wilds) == ((12, 12, 12), 32, (12,))
    win = won("334455m777z55p66s5z")  # 大哥大 or 七对
    assert (win.shape, names(win)) == ("four_sets", ["站立", "大哥大"])
    assert (win.sets[2], win.pair, win.wilds) == ((13, 13, 13), 23, (13,))
    win = won("2222m5z999p444s123s")  # 二八将 by a natural pair, or 三叉 by a natural triplet
    assert names(win) == ["站立", "四归一", "二八将"]
    win = won("112233m777z55p66s5z")  # 七对 has more
    assert (win.shape, win.total) == ("seven_pairs", 3)


def test_win_object() -> None:
    """AM-42: a Win is a value: equal, hashable, picklable, printable, and made by evaluate only."""
    win = won("123m456p789s22p", "(3333s)", gun="3s")
    assert win.total == 8 == sum(count for _, _, count in win.fans)
    assert win.fans[-2:] == (("枪", "AM-37", 4), ("二八将", "AM-38", 1))
    assert repr(win) == "<Win 8 four_sets: 穷胡 站立 杠 枪×4 二八将>"
    copy = pickle.loads(pickle.dumps(win))
    assert copy == win and hash(copy) == hash(win) and copy != won("123m456p789s22p", "(3333s)")
    with pytest.raises(TypeError, match="evaluate"):
        Win()


def test_waits() -> None:
    """AM-20, AM-4: kinds that win, the 混 kind among them; none of which all four are held."""
    assert waits("123m456p789s111z2z", (), W) == [28, 31]
    found = waits_fan("123m456p789s111z2z", (), W)
    assert [(kind, names(win)) for kind, win in found.items()] == [
        (28, ["穷胡", "站立"]),
        (31, ["站立"]),
    ]
    with_gun = waits_fan("123m456p789s111z2z", (), W, gun="2z")
    assert names(with_gun[28]).count("枪") == 2
    assert waits("1111m456p789s123s", (), W) == [31]  # the pair of the fourth 1m: only by 混
    assert waits("456p789s1m", ["111m", "123s"], W) == [31]
    assert waits("123m456p789s2z", ["(1111z)"], W) == [28, 31]
    assert waits("1z", ["123m", "456p", "789s", "222z"], None) == [27]


def test_payments() -> None:
    """AM-30, AM-31, AM-50: the cases of the text; 2^0 = 1; a cap of n; times the stake."""
    assert payments(2, 0, 0) == [48, -16, -16, -16]
    assert payments(1, 1, 0, 0) == [-8, 12, -2, -2]
    assert payments(0, 1, 0, 2) == [-2, 5, -2, -1]
    assert payments(0, 1, 0, 2, Rules(dealer_fan="winner")) == [-1, 4, -2, -1]
    assert payments(0, 1, 1, 2, Rules(dealer_fan="winner")) == [-2, 8, -4, -2]
    assert payments(2, 0, 0, None, Rules(max_fan=3, stake=5)) == [120, -40, -40, -40]
    for wrong in ((-1, 0, 0), (2, 4, 0), (2, 0, -1), (2, 0, 0, 4), (2, 0, 0, 0), (99, 0, 0)):
        with pytest.raises(ValueError, match=r"total|winner|dealer|discarder"):
            payments(*wrong)


def test_shanten() -> None:
    """Tiles to draw, less one: -1 complete, 0 waiting, by tiles that exist."""
    assert shanten("123m456p789s111z22z") == -1
    assert shanten("11m33m55p77p22s44s66s") == -1
    assert shanten("123m456p789s111z2z") == 0
    assert shanten("1m9m1p9p1s9s1z2z3z4z5z6z7z") == 6  # seven pairs of thirteen single tiles
    assert shanten("1m9m1p9p1s9s1z2z3z5z5z5z5z", (), W) == 2
    # 1m is held four times: no fifth comes to pair the last one, but a 混 can.
    assert shanten("1111m123p456p789p") == 1
    assert shanten("1111m123p456p789p", (), "9s") == 0
    assert shanten("1m123p456p789p", ["111m"]) == 1
    assert shanten("2z", ["123m", "456p", "789s", "111z"]) == 0


def test_improving() -> None:
    """The kinds that lower shanten, with the copies neither in hand nor in melds."""
    assert improving("123m456p789s11z2z3z") == {27: 2, 28: 3, 29: 3}
    assert improving("123m456p789s11z2z3z", (), W) == {27: 2, 28: 3, 29: 3, 31: 4}
    assert improving("456p789s11z2z3z", ["222z"], W) == {27: 2, 29: 3, 31: 4}
    assert improving("123m456p789s111z2z") == {28: 3}


def test_best_discard() -> None:
    """AM-23, AM-24: the discard goes by the distance to a win, and no 混 is given away."""
    best = mahjong_core.best_discard_of
    assert best("123m456p78s11z2z", ["333z"], W) == 28
    assert best("123m456p789s111z29p") in (10, 17)
    # 6s is of less use than a second 9m, but it is the only 条.
    assert best("123m456m789p111z6s9m") == 8
    # Of the waits for 2z and 3z the one with tiles left.
    assert best("123m456p789s111z2z3z", (), W, "2z2z2z") == 28
    assert best("5z5z", ["123m", "456p", "789s", "111z"], W) == 31


def test_melds() -> None:
    """AM-10: what a meld is, as text and as a byte."""
    forms = {
        "123m": (MeldForm.CHOW, False, True),
        "777z": (MeldForm.PONG, False, True),
        "7777z": (MeldForm.OPEN_KONG, True, True),
        "7777z+": (MeldForm.ADDED_KONG, True, True),
        "(7777z)": (MeldForm.CONCEALED_KONG, True, False),
    }
    for written, (form, kong, opened) in forms.items():
        meld = Meld(written)
        assert (meld.form, meld.is_kong, meld.is_open) == (form, kong, opened)
        assert str(meld) == written and pickle.loads(pickle.dumps(meld)) == meld
        assert pack_melds([written]) == bytes([int(meld), 0, 0, 0])
        assert len({meld, Meld(written)}) == 1
    assert Meld("312m") == Meld("1万2万3万") and Meld("312m").kinds == (0, 1, 2)
    assert str(Meld("(发发发发)")) == "(6666z)"
    everything = {str(Meld(text)) for text in ALL_MELDS}
    assert len(everything) == 21 + 4 * 34
    for wrong in ("", "12m", "124m", "891m", "9m1p2p", "123z", "1234m", "11m", "123m+", "(111m)",
                  "777z+", "(7777z", "77777z", "7777z++", "x"):  # fmt: skip
        with pytest.raises(ValueError, match=r"is no meld|copies"):
            Meld(wrong)


ALL_MELDS = [
    *(f"{a}{a + 1}{a + 2}{suit}" for suit in "mps" for a in range(1, 8)),
    *(
        form.format(f"{rank}" * size + suit)
        for suit in "mpsz"
        for rank in range(1, 10 if suit != "z" else 8)
        for form, size in (("{}", 3), ("{}", 4), ("{}+", 4), ("({})", 4))
    ),
]

FINE = ("123m456p789s111z22z", (), W)
WRONG = [
    (("123m456p789s111z2z", (), W), "13 tiles"),
    (("123m456p789s111z222z", (), W), "15 tiles"),
    (("123m456p789s111z22z", ["789p"], W), "14 tiles in hand and 1 melds"),
    (("11111m456p789s22z1z", (), W), "5 copies of 1m"),
    (("11m456p789s111z", ["111m"], W), "5 copies of 1m in hand and melds"),
    (("456p789s22z", ["111m", "123m", "123m"], W), "5 copies of 1m|tiles"),
    (("456p789s11z22z", ["124m"], W), "is no meld"),
    (("456p789s11z22z", ["123m"] * 5, W), "more than 4 melds"),
    (("456p789s11z22z", b"\xff" + bytes(3), W), "255 is no meld"),
    (("456p789s11z22z", b"\x01", W), "4 long"),
    (("456p789s11z222z", ["123m"], "1m"), "a meld holds 1m, the 混"),
    (("123m456p789s111z2x", (), W), "no suit|no tile|'x'"),
    (("123m456p789s111z28z", (), W), "'8z'"),
    ((bytes(33), (), W), "34"),
    ((bytes([14]) + bytes(33), (), W), "14 copies of 1m"),
    (([0, 0], (), W), "given twice"),
    (([136], (), W), "136"),
    (("123m456p789s111z22z", (), 34), "wild"),
    (("123m456p789s111z22z", (), "12m"), "wild"),
    (("123m456p789s111z22z", (), 10**30), "wild"),
]


@pytest.mark.parametrize(("given", "why"), WRONG)
def test_what_is_no_hand(given: tuple[object, ...], why: str) -> None:
    """AM-1, AM-10: not 14 tiles, five of a kind, no meld, a 混 in a meld."""
    for ask in (is_win, is_complete, evaluate):
        with pytest.raises(ValueError, match=why):
            ask(*given)  # type: ignore[operator]


def test_sizes() -> None:
    """13 tiles wait, 14 win, and shanten takes both."""
    for ask in (waits, waits_fan, improving):
        with pytest.raises(ValueError, match="14 tiles in hand"):
            ask(*FINE)
    for hand in ("123m456p789s111z", "123m456p789s111z222z"):
        with pytest.raises(ValueError, match="13 or 14"):
            shanten(hand)
    for gun in ("8z", 34, ["x"]):
        with pytest.raises(ValueError, match=r"gun|'8z'|'x'"):
            evaluate(*FINE, gun=gun)
    for wrong in (True, 1.5, [1]):
        with pytest.raises(TypeError):
            is_win(FINE[0], (), wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            is_win(FINE[0], (), W, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        is_win(FINE[0], [7], W)  # type: ignore[list-item]


def test_forms_of_a_hand() -> None:
    """Text, counts and ids are the same hand."""
    ids = mahjong_tiles.parse(FINE[0])
    counts = bytes(sum(tile // 4 == kind for tile in ids) for kind in range(34))
    for hand in (FINE[0], counts, ids, np.array(ids), "123万,456筒 789条东东东南南"):
        assert evaluate(hand, (), W) == evaluate(*FINE)
        assert evaluate(hand, (), 31) == evaluate(*FINE)
    assert is_win("123m456p11z22z2z", "789s", W)
    assert is_win("123m11z22z2z", "789s 456p", W)
    assert is_win("123m11z22z2z", [Meld("789s"), "456p"], W)
    assert is_win("123m11z22z2z", pack_melds(["789s", "456p"]), W)


# Batches ----------------------------------------------------------------------------------------


def rows(n: int, size: int = 14) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = random.Random(size)
    hands = [proofs.some_hand(rng, (0, 1, 2, 3, 4), size) for _ in range(1_000)]
    hands = rng.choices(hands, k=n)
    counts = np.array([hand.counts for hand in hands], np.uint8)
    melds = np.frombuffer(b"".join(pack_melds(hand.melds) for hand in hands), np.uint8)
    wild = np.array([255 if hand.wild is None else hand.wild for hand in hands], np.uint8)
    return counts, melds.reshape(n, 4), wild


BATCHES = [(is_win_many, is_win), (is_complete_many, is_complete), (shanten_many, shanten)]


@pytest.mark.parametrize(("many", "one"), BATCHES)
def test_batches(many, one) -> None:
    """A batch is one call a row, for every number of threads, and fills the caller's array."""
    counts, melds, wild = rows(20_000)
    answer = many(counts, melds, wild)
    for i in range(0, 20_000, 7):
        kind = None if wild[i] == 255 else int(wild[i])
        assert answer[i] == one(bytes(counts[i]), bytes(melds[i]), kind)
    out = np.ones(20_001, answer.dtype)
    for threads in (1, 2, 3):
        assert (many(counts, melds, wild, out=out, threads=threads) == answer).all()
    assert out[-1] == 1
    closed = counts[~melds.any(axis=1)]
    none, all_white = np.zeros((len(closed), 4), np.uint8), np.full(len(closed), 31, np.uint8)
    assert (many(closed, (), 31) == many(closed, none, all_white)).all()
    assert many(counts[:0]).shape == (0,)
    melded = np.array([list(counts_of("123m456p11z222z"))], np.uint8)
    assert many(melded, ["789s"], W) == many(melded, pack_melds(["789s"]), W)


def counts_of(text: str) -> bytes:
    ids = mahjong_tiles.parse(text)
    return bytes(sum(tile // 4 == kind for tile in ids) for kind in range(34))


def test_classic_batch() -> None:
    """AM-27: a batch goes by the rules given."""
    hand = np.array([list(counts_of("111m999p111s222z33z"))], np.uint8)
    assert is_win_many(hand, (), W)[0] and not is_win_many(hand, (), W, CLASSIC)[0]


@pytest.mark.parametrize(("many", "one"), BATCHES)
def test_batches_refuse(many, one) -> None:
    """A wrong dtype, shape, count or too small out; nothing is written."""
    counts, melds, wild = rows(3_000)
    fine = many(counts, melds, wild)
    out = np.full(3_000, 1, fine.dtype)
    bad = counts.copy()
    bad[2_500] = 5
    worse = melds.copy()
    worse[2_000] = 200
    wilder = wild.copy()
    wilder[1_000] = 34
    wrong: list[tuple[tuple[object, ...], dict[str, object], str]] = [
        ((bad, melds, wild), {}, r"hands\[2500\]: 5 copies of 1m"),
        ((counts, worse, wild), {}, r"hands\[2000\]: 200 is no meld"),
        ((counts, melds, wilder), {}, r"hands\[1000\]: wild"),
        ((counts.astype(np.int8), melds, wild), {}, "hands must be"),
        ((counts[:, :33], melds, wild), {}, "hands|contiguous"),
        ((counts[::2], melds, wild), {}, "contiguous"),
        ((np.zeros(3, np.uint64), melds, wild), {}, "hands must be"),
        ((counts, melds[:-1], wild), {}, "melds must be"),
        ((counts, melds.astype(np.int32), wild), {}, "melds must be"),
        ((counts, melds, wild[:-1]), {}, "wild has 2999 rows"),
        ((counts, melds, wild.astype(np.int64)), {}, "wild must be"),
        ((counts, melds, wild), {"out": out[:-1]}, "out has room for 2999"),
        ((counts, melds, wild), {"out": np.zeros(3_000, np.int64)}, "out must be"),
        ((counts, melds, wild), {"threads": 0}, "threads"),
    ]
    for given, options, why in wrong:
        with pytest.raises(ValueError, match=why):
            many(*given, **{"out": out, **options})
        assert (out == 1).all()
    with pytest.raises(TypeError, match="melds must be texts or Melds, not memoryview"):
        many(counts, memoryview(melds), wild)


# Slices of the proofs ---------------------------------------------------------------------------


def test_suit_keys() -> None:
    """AM-3, AM-20: suit keys with 0 to 4 混 against a plain check of the shape."""
    assert proofs.prove_suit_keys(17, 400) > 2_000


def test_costs() -> None:
    """The table of tiles missing where the kernel trusts it."""
    assert proofs.prove_costs(17, 400) > 400


def test_wins_as_the_reference() -> None:
    """AM-20 to AM-28, against the reference."""
    proofs.prove_win(2_000, 0)


def test_evaluates_as_the_reference() -> None:
    """AM-30 to AM-42, against the reference."""
    proofs.prove_evaluate(1_000, 0)
    proofs.prove_evaluate(100, 0, (4,))


def test_waits_as_the_reference() -> None:
    """AM-20, AM-42, against the reference."""
    proofs.prove_waits(100, 0)


def test_shanten_as_the_reference() -> None:
    """Tiles missing, against the search of the reference, and step by step."""
    proofs.prove_shanten(60, 0)
    proofs.prove_shanten_by_steps(2_000, 0)


def test_payments_as_the_reference() -> None:
    """AM-30, AM-31, AM-50, every case against the reference."""
    assert proofs.prove_payments() == 13 * 4 * 4 * 4 * 4


def test_beside_the_package_mahjong() -> None:
    """AM-20: the plain shapes without 混 as another package has them."""
    pytest.importorskip("mahjong")
    proofs.prove_beside_mahjong(2_000, 0)


def test_arrays_where_a_number_is_wanted_name_the_culprit() -> None:
    hand, many = "123m456p789s11122z", np.zeros((3, 34), np.int64)
    assert is_win(hand, (), np.array(31)) is is_win(hand, (), 31)
    assert evaluate(hand, gun=np.array([1, 2])) == evaluate(hand, gun=(1, 2))
    for call, name in (
        (lambda: is_win(hand, (), np.array([31])), "wild"),
        (lambda: next_kind(np.array([31])), "tile"),
        (lambda: is_win(np.zeros((1, 14), np.int64)), "tile id"),
        (lambda: new("shuangkou", seed=1).check(np.array([[1, 2]])), "card id"),
        (lambda: new("mahjong", seed=1).action_features(out=[0] * 789), "out"),
    ):
        with pytest.raises(TypeError, match=name):
            call()
    with pytest.raises(ValueError, match=r"hands must be uint8 of shape \(n, 34\)"):
        is_win_many(many)
