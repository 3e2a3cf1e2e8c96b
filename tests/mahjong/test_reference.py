"""鞍山麻将, the executable specification. W in a hand is a 混; it is 5z unless said otherwise."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest

from qipai.reference.mahjong import (
    Game,
    Meld,
    Win,
    evaluate,
    format_kinds,
    improving,
    is_complete,
    is_win,
    next_kind,
    parse_kinds,
    payments,
    shanten,
    waits,
    waits_fan,
)
from qipai.rules.mahjong import Rules

ANSHAN = Rules.anshan()
WILD = "5z"


def win(
    hand: str,
    *melds: str,
    rules: Rules = ANSHAN,
    gun: str = "",
    after_kong: bool = False,
) -> Win | None:
    text = hand.replace("W", " 5z ")
    return evaluate(text, melds, WILD, rules, gun=gun, after_kong=after_kong)


def won(
    hand: str,
    *melds: str,
    rules: Rules = ANSHAN,
    gun: str = "",
    after_kong: bool = False,
) -> Win:
    found = win(hand, *melds, rules=rules, gun=gun, after_kong=after_kong)
    assert found is not None
    return found


def fans(
    hand: str,
    *melds: str,
    rules: Rules = ANSHAN,
    gun: str = "",
    after_kong: bool = False,
) -> dict[str, int]:
    found = won(hand, *melds, rules=rules, gun=gun, after_kong=after_kong)
    assert found.total == sum(count for _, _, count in found.fans)
    return {name: count for name, _, count in found.fans}


def kinds(text: str) -> tuple[int, ...]:
    return tuple(parse_kinds(text))


def one(text: str) -> int:
    [kind] = parse_kinds(text)
    return kind


# Rules


def test_rules_round_trip_and_are_checked() -> None:
    """AM-4, AM-13, AM-27, AM-30, AM-37, AM-41, AM-50: the fields and what they begin with."""
    assert ANSHAN.as_dict() == {
        "name": "anshan",
        "discard_wild": True,
        "dead_wall": 14,
        "shisanyao": "all_yao",
        "dealer_fan": "either",
        "gun": "open",
        "sancha": "everywhere",
        "max_fan": 0,
        "stake": 1,
    }
    house = ANSHAN.replace(gun="hidden", max_fan=5, dead_wall=0)
    assert Rules.from_dict(house.as_dict()) == house
    for name, bad in [
        ("discard_wild", 1),
        ("dead_wall", 83),
        ("dead_wall", -1),
        ("shisanyao", "none"),
        ("dealer_fan", True),
        ("gun", "both"),
        ("sancha", ""),
        ("max_fan", 31),
        ("stake", 0),
        ("name", ""),
    ]:
        with pytest.raises(ValueError, match=name):
            ANSHAN.replace(**{name: bad})
    with pytest.raises(ValueError, match="flowers"):
        Rules.from_dict({"flowers": True})


# Tiles


def test_tiles_as_text() -> None:
    assert parse_kinds("19m 19p19s 17z") == [0, 8, 9, 17, 18, 26, 27, 33]
    assert format_kinds([33, 0, 8, 0, 9]) == "119m1p7z"
    for bad in ("8z", "0m", "12", "m", "1x", "1 m", "１m"):
        with pytest.raises(ValueError, match="tile"):
            parse_kinds(bad)


@pytest.mark.parametrize(
    ("turned", "wild"),
    [pair.split() for pair in ("8m 9m", "9m 1m", "9p 1p", "9s 1s", "1z 2z", "2z 3z", "3z 4z")]
    + [pair.split() for pair in ("4z 1z", "7z 6z", "6z 5z", "5z 7z")],
)
def test_next_kind_in_its_ring(turned: str, wild: str) -> None:
    """AM-2: rings 1..9 within a suit, 东南西北, 中发白."""
    assert next_kind(one(turned)) == one(wild)


def test_melds_as_text() -> None:
    made = {"123m": "chi", "777z": "pon", "7777z": "kong", "7777z+": "addkong", "(7777z)": "ankong"}
    for text, how in made.items():
        assert Meld.parse(text).how == how
        assert str(Meld.parse(text)) == text
    for bad in ("12m", "124m", "567z", "891m", "9m1p2p", "77z", "777z+", "(777z)", "(123m)", ""):
        with pytest.raises(ValueError, match=r"is no meld"):
            Meld.parse(bad)


# Winning

WORKED = [
    ("123m456p789s111z22z", 2),
    ("123m456p789s222p55s", 2),
    ("123m456m789p111z22z", None),
    ("111m999p111s222z33z", 4),
    ("1m9m1p9p1s9s1z1z2z2z3z3z4z4z", 3),
    ("234m456p678s345s77z", 2),
    ("234m456p678s345s55p", None),
    ("234m456p678s333s55p", None),
    ("W23m456p678s333s55p", None),
    ("11m33m55p77p22s44s66s", 4),
    ("11m11m55p77p22s44s66s", 5),
]


@pytest.mark.parametrize(("hand", "total"), WORKED)
def test_worked_cases(hand: str, total: int | None) -> None:
    """AM-20 to AM-27, AM-32, AM-33, AM-36, AM-39 to AM-41: the worked cases."""
    found = win(hand)
    assert (found and found.total) == total
    assert is_win(hand.replace("W", "5z"), (), WILD) == (total is not None)


def test_worked_cases_line_by_line() -> None:
    """AM-25, AM-27, AM-40, AM-41: the 番 of the worked cases by name and clause."""
    assert won("111m999p111s222z33z").fans == (
        ("穷胡", "AM-32", 1),
        ("站立", "AM-33", 1),
        ("十三幺", "AM-39", 1),
        ("三叉", "AM-41", 1),
    )
    assert won("11m11m55p77p22s44s66s").fans == (
        ("穷胡", "AM-32", 1),
        ("站立", "AM-33", 1),
        ("四归一", "AM-36", 1),
        ("七对", "AM-39", 1),
        ("二八", "AM-40", 1),
    )


def test_shapes() -> None:
    """AM-20: four sets and a pair, seven pairs with four alike as two, or nothing."""
    assert won("123m456p789s111z22z").shape == "four_sets"
    assert won("11m11m55p77p22s44s66s").shape == "seven_pairs"
    assert won("1m9m1p9p1s9s1z1z2z2z3z3z4z4z").shape == "shisanyao"
    assert is_complete("234m456p678s345s55p")  # complete, though it wins nothing (AM-21)
    assert not is_complete("123m456p789s111z2z3z")
    assert is_complete("22z", ("123m", "7777z+", "(1111z)", "555p"))
    assert not is_complete("1m9m1p9p1s9s1z1z2z2z3z3z4z4z")


def test_wild_is_natural_for_nothing() -> None:
    """AM-3, AM-23: a 9m that is 混 is no 9, not even where it stands for itself."""
    hand = "789m456p345s222p66s"
    assert is_win(hand)
    assert is_complete(hand, (), "9m")
    assert not is_win(hand, (), "9m")


def test_wild_may_be_a_fifth_copy() -> None:
    """AM-3: four 1m and a 混 are a triplet and a pair."""
    found = won("1111mW123p456p789s")
    assert found.sets == (kinds("111m"), kinds("123p"), kinds("456p"), kinds("789s"))
    assert (found.pair, found.wilds) == (one("1m"), kinds("1m"))
    assert not is_complete("1111m2z123p456p789s")


def test_has_triplet() -> None:
    """AM-21: a triplet or kong, melded or not, or a pair of a dragon."""
    runs = ("123m", "456p", "789s")
    assert win("234m55p", *runs) is None
    assert win("222p55p", *runs)
    for meld in ("222p", "2222p", "2222p+", "(2222p)"):
        assert win("55p", *runs, meld)
    for dragon in ("6z", "7z"):
        assert win(f"234m{dragon}{dragon}", *runs)
    assert win("234m11z", *runs) is None


def test_wild_in_triplet_and_dragon_pair() -> None:
    """AM-21: 混 complete a triplet or a dragon's pair if one tile at least is natural."""
    runs = ("123m", "456p", "789s", "234m")
    assert win("W7z", *runs)
    assert win("W5p", *runs) is None
    assert win("WW", *runs) is None
    assert win("2pWW5s5s", *runs[:3])
    # 白 is the 混 here: no natural tile of it can be in the pair.
    assert win("5z5z", *runs) is None
    assert is_win("5z5z", runs, "6z")


def test_has_run() -> None:
    """AM-22: a run, in hand or melded, with one natural tile at least."""
    triplets = ("111m", "222p", "333s")
    assert win("444p55p", *triplets) is None
    assert win("456p55p", *triplets)
    assert win("55p", *triplets, "456p")
    assert win("5pWW77z", *triplets)
    assert is_complete("5z5z5z77z", triplets, WILD)
    assert win("WWW77z", *triplets) is None


def test_has_yao() -> None:
    """AM-23: a natural 1, 9 or honour, melds included."""
    assert win("234m456p678s333s55p") is None
    assert win("234m456p678s333s11z")
    assert win("456p678s333s55p", "123m")
    assert win("456p678s55p", "234m", "(1111z)")
    assert win("W78m456p678s333s55p") is None


def test_has_three_suits() -> None:
    """AM-24: natural tiles of all three suits, melds included."""
    assert win("123m456m789p111z22z") is None
    assert win("123m456mW11z22z", "789p") is None
    assert win("123m456p111z22z", "789s")
    assert win("123m456p7sWW111z22z")
    assert win("123m456pWW9m111z22z") is None


def test_seven_pairs_are_free_and_closed() -> None:
    """AM-25: no condition but that nothing is melded; only some 番 are added."""
    assert fans("33m44m55m66m77m33p44p") == {"穷胡": 1, "站立": 1, "七对": 1}
    assert win("33m44m55m66m77mW", "(3333p)") is None
    hand = "77z77z33m44m55m33p44p"
    assert fans(hand, gun="3m", after_kong=True) == {
        "穷胡": 1,
        "站立": 1,
        "四归一": 1,
        "枪": 2,
        "七对": 1,
    }


def test_seven_pairs_with_wilds() -> None:
    """AM-20, AM-42: 混 fill pairs; a pair of 混 alone stands for the smallest kind."""
    found = won("1133m55p77s99sWWWW")
    assert found.shape == "seven_pairs"
    assert found.sets == (*[kinds("11m")] * 3, *map(kinds, ("33m", "55p", "77s", "99s")))
    assert (found.pair, found.wilds) == (None, kinds("1111m"))
    assert fans("1133m55p77s99sWWWW") == {"站立": 1, "七对": 1}


def test_shisanyao_lacks_suits_and_sets() -> None:
    """AM-26, AM-27: only 1, 9, honours and 混, in any number; melds count."""
    assert fans("111m999m111z222z33z") == {"穷胡": 1, "站立": 1, "十三幺": 1, "三叉": 1}
    assert fans("19p1s9s2z3z7zW", "111z", "(9999m)") == {"杠": 1, "十三幺": 1}
    assert won("19p1s9s2z3z7zW", "111z", "(9999m)").wilds == ()
    assert win("19p1s9s2z3z7z2m", "111z", "(9999m)") is None
    assert win("19p1s9s2z", "111z", "(9999m)", "123m") is None


def test_classic_shisanyao() -> None:
    """AM-27: the thirteen kinds and one double of them, closed; 混 may fill."""
    classic = ANSHAN.replace(shisanyao="classic")
    hand = "19m19p19s1234567z"
    found = evaluate(hand + "7z", (), None, classic)
    assert found is not None
    assert found.fans == (("穷胡", "AM-32", 1), ("站立", "AM-33", 1), ("十三幺", "AM-39", 1))
    assert (found.shape, found.pair, found.wilds) == ("shisanyao", one("7z"), ())
    assert waits(hand, (), None, classic) == [k for k in range(34) if k in kinds(hand)]
    filled = won("19m19p19s123467zWW", rules=classic)
    assert (filled.pair, filled.wilds) == (one("1m"), kinds("1m5z"))
    filled = won("19m19p19s12346zW77z", rules=classic)
    assert (filled.pair, filled.wilds) == (one("7z"), kinds("5z"))
    assert win("1m9m1p9p1s9s1z1z2z2z3z3z4z4z", rules=classic) is None
    assert win("119m19p19s1234667z", rules=classic) is None
    assert win("19m19p19s12467z", "(3333z)", rules=classic) is None


def test_open_hands_win() -> None:
    """AM-28, AM-33: an open hand wins, without 站立."""
    assert fans("456p789s22z", "123m", "111z") == {"穷胡": 1}
    assert fans("456p78sW22z", "123m", "111z") == {}
    assert won("456p78sW22z", "123m", "111z").total == 0


# 番


def test_poor_win() -> None:
    """AM-32: no 混, even one that stands for itself."""
    assert "穷胡" in fans("123m456p789s111z22z")
    assert "穷胡" not in fans("123m456p78sW111z22z")
    whole = evaluate("123m456p789s111z22z", (), "9s")
    assert whole is not None
    assert [name for name, _, _ in whole.fans] == ["站立"]


@pytest.mark.parametrize("meld", ["123m", "111z", "1111z", "1111z+"])
def test_melds_open_the_hand(meld: str) -> None:
    """AM-33: all but a 暗杠."""
    rest = "111z" if meld == "123m" else "123m"
    assert "站立" not in fans(f"{rest}456p789s22z", meld)


def test_concealed_kong_does_not_open() -> None:
    """AM-33, AM-34."""
    assert fans("123m456p789s22z", "(1111z)") == {"穷胡": 1, "站立": 1, "杠": 1}


def test_kongs() -> None:
    """AM-34: each kong, of whatever sort."""
    assert fans("123m55s", "(1111z)", "3333p", "9999s+") == {"穷胡": 1, "杠": 3, "三叉": 1}


def test_big_brothers() -> None:
    """AM-35: each dragon's triplet or kong, in hand or melded, of natural tiles."""
    assert fans("123m456p55s777z", "6666z") == {"穷胡": 1, "杠": 1, "大哥大": 2}
    assert fans("123m456p55s77zW", "666z") == {"大哥大": 1}
    assert "大哥大" not in fans("123m456p55s111z", "222z")


def test_four_in_one() -> None:
    """AM-36: four natural copies in hand and melds that are no kong."""
    assert fans("5m46m456p789s22z", "555m") == {"穷胡": 1, "四归一": 1}
    assert fans("3333m45m678p11s999s") == {"穷胡": 1, "站立": 1, "四归一": 1}
    assert "四归一" not in fans("456p789s22z123m", "(5555m)")
    assert "四归一" not in fans("333m4m5mW678p11s999s")
    assert fans("3333m4444p7799s11z")["四归一"] == 2


def test_guns() -> None:
    """AM-37: each natural copy, melds included; the 混 kind does not count."""
    assert fans("123m456p789s22z", "(1111z)", gun="1z")["枪"] == 4
    assert fans("123m456p789s22z", "111z", gun="1z2z")["枪"] == 5
    assert "枪" not in fans("123m456p78sW111z22z", gun="5z")
    assert "枪" not in fans("123m456p789s111z22z", gun="4z")
    assert fans("11m11m55p77p22s44s66s", gun="1m2m")["枪"] == 4
    assert fans("111m999p111s222z33z", gun="2z3z")["枪"] == 5


def test_eyes_of_two_or_eight() -> None:
    """AM-38: a natural pair of 2 or 8 of a suit, not of a wind."""
    for pair in ("22m", "88m", "22p", "88s"):
        assert fans(f"123m456p789s111z{pair}")["二八将"] == 1
    for pair in ("22z", "55m", "8pW"):
        assert "二八将" not in fans(f"123m456p789s111z{pair}")


def test_win_after_kong() -> None:
    """AM-39: 杠上开花, in 十三幺 too."""
    assert fans("123m456p789s22z", "(1111z)", after_kong=True)["杠上开花"] == 1
    assert fans("19p1s9s2z3z7zW", "111z", "(9999m)", after_kong=True)["杠上开花"] == 1


def test_eyes_in_seven_pairs() -> None:
    """AM-40: once, for a natural pair of 2 or 8 of a suit."""
    assert fans("22m88m22p88p22s88s55m")["二八"] == 1
    assert "二八" not in fans("33m44m55m66m77m33p22z")
    assert "二八" not in fans("33m44m55m66m77m33p2pW")
    assert fans("33m44m55m66m33p222pW")["二八"] == 1


def test_three_triplets() -> None:
    """AM-41: three natural triplets or kongs, by the rules also outside 十三幺."""
    hand = "222p333s456m99s"
    assert fans(hand, "777s") == {"穷胡": 1, "三叉": 1}
    assert fans(hand, "777s", rules=ANSHAN.replace(sancha="shisanyao")) == {"穷胡": 1}
    assert "三叉" not in fans("22pW333s456m99s", "777s")
    hand = "111m999p111s222z33z"
    assert fans(hand, rules=ANSHAN.replace(sancha="shisanyao"))["三叉"] == 1


def test_shisanyao_counts_by_tiles_held() -> None:
    """AM-35, AM-36, AM-41: three natural copies do, wherever they are."""
    assert fans("7z111m2z3z4z9p", "777z", "1111s") == {
        "穷胡": 1,
        "杠": 1,
        "大哥大": 1,
        "四归一": 1,
        "十三幺": 1,
        "三叉": 1,
    }
    assert "三叉" not in fans("7z11mW2z3z4z9p", "777z", "1111s")


def test_seven_pairs_inside_shisanyao() -> None:
    """AM-41, AM-42: 十三幺 with 七对 is worth more than 七对; 三叉 counts as well."""
    assert fans("11m99m11p99p11s99s77z") == {"穷胡": 1, "站立": 1, "十三幺": 1, "七对": 1}
    assert fans("1111m9999m1111p11s") == {
        "穷胡": 1,
        "站立": 1,
        "四归一": 3,
        "十三幺": 1,
        "七对": 1,
        "三叉": 1,
    }
    assert fans("111m999m111p11s99sW")["三叉"] == 1
    assert "七对" not in fans("111m999m111p11s99sW")
    assert fans("111m999m111p99sWWW")["七对"] == 1


def test_sets_before_pairs() -> None:
    """AM-42: of equal readings four sets and a pair; then the smaller sets."""
    found = won("777z334455m55p7sWW")  # 站立 and 大哥大, or 站立 and 七对
    assert (found.total, found.shape) == (2, "four_sets")
    assert found.sets == tuple(map(kinds, ("345m", "345m", "555p", "777z")))
    assert (found.pair, found.wilds) == (one("7s"), kinds("5p7s"))


def test_then_the_smaller_sets() -> None:
    """AM-42: with 345p for 456p the sets are smaller than with the 混 as the pair."""
    found = won("123m456p789s111zWW")
    assert found.sets == tuple(map(kinds, ("123m", "345p", "789s", "111z")))
    assert (found.pair, found.wilds) == (one("6p"), kinds("3p6p"))


def test_then_the_smaller_pair() -> None:
    """AM-42: 11m of two 混, where 11z could be the pair and two 混 in the triplet."""
    found = won("111zWW", "123m", "456p", "789s")
    assert found.sets == (kinds("111z"),)
    assert (found.pair, found.wilds) == (one("1m"), kinds("11m"))


def test_wild_set_stands_for_the_smallest() -> None:
    """AM-3, AM-42: three 混 are a set."""
    found = won("WWW789s88p", "777z", "3333m")
    assert found.sets == (kinds("111m"), kinds("789s"))
    assert found.wilds == kinds("111m")
    assert fans("WWW789s88p", "777z", "3333m") == {"杠": 1, "大哥大": 1, "二八将": 1}


def test_most_fan_counts() -> None:
    """AM-42: the pair of 2 is natural where the 混 is in the run."""
    found = won("22m34mW456p789s111s")
    assert found.sets[0] == kinds("234m")
    assert fans("22m34mW456p789s111s") == {"站立": 1, "二八将": 1}


def test_last_the_earlier_clause() -> None:
    """AM-42: of the same sets and pair, worth the same with a natural pair or with three natural
    triplets, the 番 of the earlier clause."""
    assert fans("2222mW333p444s789s") == {"站立": 1, "四归一": 1, "二八将": 1}


# Waiting


def test_waits() -> None:
    """AM-3, AM-20: a drawn 混 wins, a fifth copy does not exist."""
    assert waits("123m456p789s111z2z") == [one("2z")]
    assert waits("123m456p789s111z2z", (), WILD) == [one("2z"), one("5z")]
    assert waits("1111m123p456p789s") == []
    assert waits("1111m123p456p789s", (), WILD) == [one("5z")]
    assert waits("46m22z", ("123p", "789s", "111z")) == [one("5m")]
    assert waits("234m456p678s345s5p") == []  # complete with 5p, but without 碰 (AM-21)
    found = waits_fan("123m456p78s111z22z")
    assert {format_kinds([k]): w.total for k, w in found.items()} == {"6s": 2, "9s": 2}


def test_shanten() -> None:
    assert shanten("123m456p789s111z22z") == -1
    assert shanten("123m456p789s111z2z") == 0
    assert shanten("147m258p369s1234z") == 6  # seven pairs: seven more tiles
    assert shanten("1111m123p456p789p") == 1  # there is no fifth 1m
    assert shanten("1111m123p456p789p", (), WILD) == 0  # a 混 may be one (AM-3)
    assert shanten("1111m123p456p789p5z", (), WILD) == -1
    assert shanten("1m", ("111s", "222s", "333s", "444s")) == 0
    assert shanten("1s", ("111s", "222s", "333s", "444s")) == 1
    assert shanten("5555z19m19p19s123z", (), WILD) == 2  # seven pairs lack seven tiles, four are 混


def test_improving() -> None:
    """78s, the pair of winds or a pair of another wind."""
    found = improving("123m456p78s11z234z")
    assert {format_kinds([k]): n for k, n in found.items()} == {
        "6s": 4,
        "9s": 4,
        "1z": 2,
        "2z": 3,
        "3z": 3,
        "4z": 3,
    }


def deal_hand(rng: random.Random, size: int, wilds: int) -> list[int]:
    """Kinds of a random hand with so many 5z, from few kinds so that it is near to complete."""
    pool = [k for k in range(34) for _ in range(4) if k != 31 and (k < 6 or 9 <= k < 14 or k > 30)]
    return rng.sample(pool, size - wilds) + [31] * wilds


def splits(counts: Counter[int], sets: int, pairs: int) -> bool:
    """Whether tiles without 混 are so many sets and pairs, trying each group of the lowest kind."""
    if not counts:
        return not sets and not pairs
    lowest = min(counts)
    groups = [Counter([lowest] * 2)] if pairs else []
    if sets:
        groups.append(Counter([lowest] * 3))
        if lowest < 27 and lowest % 9 < 7:
            groups.append(Counter([lowest, lowest + 1, lowest + 2]))
    return any(
        group <= counts
        and splits(counts - group, sets - (group.total() == 3), pairs - (group.total() == 2))
        for group in groups
    )


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_complete_as_by_putting_every_tile_for_every_wild(wilds: int) -> None:
    """AM-3, AM-20: 混 as placeholders, or each 混 replaced by each of the 34 kinds."""
    rng = random.Random(f"complete {wilds}")
    found: Counter[bool] = Counter()
    for _ in range(60 if wilds == 2 else 200):
        melds = rng.choice([(), ("789p",), ("789p", "1111z")])
        hand = deal_hand(rng, 14 - 3 * len(melds), wilds)
        natural = Counter(k for k in hand if k != 31)
        expected = False
        for stand in combinations_with_replacement(range(34), wilds):
            counts = natural + Counter(stand)
            if splits(counts, 4 - len(melds), 1) or (not melds and splits(counts, 0, 7)):
                expected = True
                break
        assert is_complete(hand, melds, WILD) == expected, hand
        found[expected] += 1
    assert wilds == 0 or min(found[True], found[False]) > 0


@pytest.mark.parametrize("seed", range(8))
def test_shanten_by_drawing_and_discarding(seed: int) -> None:
    """AM-20: 14 tiles are as near as after the best discard, 13 one less near than with the best
    draw; -1 is complete and nothing else is."""
    rng = random.Random(f"shanten {seed}")
    melds = ("789p",) if seed % 2 else ()
    hand = deal_hand(rng, 14 - 3 * len(melds), seed % 3)
    near = shanten(hand, melds, WILD)
    assert (near == -1) == is_complete(hand, melds, WILD)
    after = {k: [*hand[: hand.index(k)], *hand[hand.index(k) + 1 :]] for k in set(hand)}
    if near >= 0:
        assert near == min(shanten(rest, melds, WILD) for rest in after.values())
    held = Counter(hand) + Counter(parse_kinds("".join(melds)))
    rest = after[hand[0]]
    held[hand[0]] -= 1
    drawn = {k: shanten([*rest, k], melds, WILD) for k in range(34) if held[k] < 4}
    before = shanten(rest, melds, WILD)
    assert before == min(drawn.values()) + 1
    better = {k: 4 - held[k] for k in drawn if drawn[k] < before}
    assert improving(rest, melds, WILD) == better


def test_impossible_hands() -> None:
    """AM-1, AM-10: a wrong number of tiles, five of a kind, no meld, a 混 in a meld."""
    good = "123m456p789s11z22z"
    for hand, melds, wild, culprit in [
        (good, (), None, "13 tiles"),
        (good + "33z", (), None, "15 tiles"),
        (good + "1z", ("333s",), None, "17 tiles"),
        ("11111m456p789s11z2z", (), None, "5 tiles of 1m"),
        ("456p789s11z22z3z", ("111z",), None, "5 tiles of 1z"),
        ("1z456p789s22z33m", ("1111z",), None, "5 tiles of 1z"),
        ("456p789s11z22z4z", ("124m",), None, "no meld"),
        ("456p789s11z222z", ("123m",), "2m", "混"),
        ("456p789s11z222z", ("(5555z)",), "5z", "混"),
        (good + "1x", (), None, "x"),
        (good + "1z", (), "12m", "one tile"),
    ]:
        with pytest.raises(ValueError, match=culprit):
            evaluate(hand, melds, wild)
    with pytest.raises(ValueError, match="14 tiles"):
        waits(good + "1z")
    with pytest.raises(ValueError, match="12 tiles"):
        shanten("123m456p789s11z2z")
    with pytest.raises(ValueError, match="34"):
        evaluate([34] * 14)
    with pytest.raises(ValueError, match="-1"):
        evaluate([-1] + [0] * 33)
    with pytest.raises(ValueError, match="34"):
        evaluate(good + "1z", gun=[34])


def test_hand_as_counts_or_kinds() -> None:
    hand = parse_kinds("123m456p789s111z22z")
    counts = [hand.count(k) for k in range(34)]
    random.Random(1).shuffle(hand)
    assert evaluate(hand) == evaluate(counts) == evaluate("22z111z789s456p123m")


# Payment


def test_payments() -> None:
    """AM-30, AM-31, AM-50: the worked cases."""
    assert payments(2, 0, 0, None) == [48, -16, -16, -16]
    assert payments(1, 1, 0, 0) == [-8, 12, -2, -2]


def test_payment_options() -> None:
    """AM-30, AM-31, AM-50."""
    assert payments(0, 1, 0, 2) == [-2, 5, -2, -1]
    assert payments(0, 1, 0, 2, ANSHAN.replace(dealer_fan="winner")) == [-1, 4, -2, -1]
    assert payments(0, 0, 0, 2, ANSHAN.replace(dealer_fan="winner")) == [8, -2, -4, -2]
    assert payments(3, 1, 0, None, ANSHAN.replace(max_fan=4)) == [-16, 48, -16, -16]
    assert payments(3, 1, 0, 0, ANSHAN.replace(max_fan=4)) == [-16, 32, -8, -8]
    assert payments(1, 1, 0, 0, ANSHAN.replace(stake=5)) == [-40, 60, -10, -10]
    for bad in [(-1, 0, 0, None), (0, 4, 0, None), (0, 0, -1, None), (0, 0, 0, 4), (0, 1, 0, 1)]:
        with pytest.raises(ValueError, match=r"must|cannot"):
            payments(*bad)


# Play


def deal(
    hands: list[str], draws: str = "", tail: str = "", turned: str = "6z", dealer: int = 0
) -> dict[str, Any]:
    """The deal that gives seats these tiles; ``draws`` from the front, ``tail`` for kongs."""
    left = list(range(136))

    def take(text: str) -> list[int]:
        tiles: list[int] = []
        for kind in parse_kinds(text):
            tiles.append(next(tile for tile in left if tile // 4 == kind))
            left.remove(tiles[-1])
        return tiles

    last = take(turned)
    first = [tile for step in range(4) for tile in take(hands[(dealer + step) % 4])]
    assert len(first) == 53
    front, back = take(draws), take(tail)
    return {"wall": [*first, *front, *left, *back[::-1], *last], "dealer": dealer}


def play(game: Game, *actions: str) -> Game:
    for action in actions:
        game.apply(action)
    return game


# Seat 0 deals and holds 5m; 1 can claim it by 吃, 2 by 碰 and 杠, 3 wins on it. 混 is 5z.
CLAIMS = [
    "5m19m19p19s1234677z",
    "3467m258p258s333z",
    "555m369p369s444z7z",
    "46m123p789s111z22z",
]


def test_deal() -> None:
    """AM-1, AM-2: who gets which tiles, the 混, where draws and kong tiles come from."""
    wall = list(range(136))
    random.Random(5).shuffle(wall)
    game = Game(ANSHAN, {"wall": wall, "dealer": 2})
    state = game.state()
    assert state["hands"][2] == sorted(wall[:14])
    assert state["hands"][3] == sorted(wall[14:27])
    assert state["hands"][0] == sorted(wall[27:40])
    assert state["hands"][1] == sorted(wall[40:53])
    assert (state["turn"], state["phase"], state["wall_left"]) == (2, "discard", 82)
    assert (state["turned"], state["wild"]) == (wall[135], next_kind(wall[135] // 4))
    while game.phase != "discard" or game.turn == 2:
        game.apply("pass" if game.phase == "claim" else game.legal_actions()[-1])
    assert (game.turn, game.drawn) == (3, wall[53])


def test_deals_are_checked() -> None:
    """AM-1, AM-14."""
    wall = list(range(136))
    hostile: list[Any] = [
        {"wall": wall},
        {"wall": wall, "dealer": 4},
        {"wall": wall, "dealer": True},
        {"wall": wall[:-1], "dealer": 0},
        {"wall": [*wall[:-1], 0], "dealer": 0},
        {"wall": [*wall[:-1], "135"], "dealer": 0},
        {"wall": None, "dealer": 0},
        {"wall": wall, "dealer": 0, "seed": 1},
        [],
    ]
    for bad in hostile:
        with pytest.raises(ValueError, match=r"deal|wall"):
            Game(ANSHAN, bad)
    with pytest.raises(ValueError, match="dealer"):
        Game(ANSHAN, {"wall": wall, "dealer": 0}, {"dealer": 1})
    with pytest.raises(ValueError, match="history"):
        Game(ANSHAN, {"wall": wall, "dealer": 0}, {"banker": 0})
    assert Game(ANSHAN, {"wall": wall, "dealer": 1}, {"dealer": 1}).turn == 1


def test_claims_are_asked_in_tiers() -> None:
    """AM-10, AM-11: 胡, then 碰 and 杠, then 吃 of the next seat; each once."""
    game = play(Game(ANSHAN, deal(CLAIMS, draws="8m")), "discard 5m")
    assert (game.turn, game.phase, game.legal_actions()) == (3, "claim", ["win", "pass"])
    game.apply("pass")
    assert (game.turn, game.legal_actions()) == (2, ["pon 5m", "kong 5m", "pass"])
    game.apply("pass")
    assert game.turn == 1
    assert game.legal_actions() == ["chi 345m", "chi 456m", "chi 567m", "pass"]
    game.apply("pass")
    assert (game.turn, game.phase, game.wall_left) == (1, "discard", 81)
    assert game.drawn is not None
    assert game.drawn // 4 == one("8m")
    assert game.state()["discards"][0] == [one("5m") * 4]


def test_win_on_a_discard() -> None:
    """AM-30, AM-31, AM-50: 穷胡 and 站立; the dealer discarded."""
    game = play(Game(ANSHAN, deal(CLAIMS)), "discard 5m", "win")
    assert game.is_over
    assert game.scores() == [-16, -4, -4, 24]
    state = game.state()
    tile = one("5m") * 4
    assert (state["winner"], state["win_tile"], state["discarder"]) == (3, tile, 0)
    assert tile in state["hands"][3]
    assert state["discards"] == [[], [], [], []]
    assert (state["turn"], state["phase"], game.legal_actions()) == (None, "over", [])
    assert game.next_history() == {"dealer": 1}  # AM-14
    assert game.result() == [
        {"name": "穷胡", "clause": "AM-32", "seat": 3, "count": 1},
        {"name": "站立", "clause": "AM-33", "seat": 3, "count": 1},
        {"name": "庄", "clause": "AM-30", "seat": 0, "count": 1},
        {"name": "点炮", "clause": "AM-31", "seat": 0, "count": 1},
        {"name": "付", "clause": "AM-50", "seat": 0, "amount": -16},
        {"name": "付", "clause": "AM-50", "seat": 1, "amount": -4},
        {"name": "付", "clause": "AM-50", "seat": 2, "amount": -4},
        {"name": "收", "clause": "AM-50", "seat": 3, "amount": 24},
    ]
    game = play(Game(ANSHAN.replace(stake=3), deal(CLAIMS)), "discard 5m", "win")
    assert game.scores() == [-48, -12, -12, 72]


def test_the_nearest_wins_alone() -> None:
    """AM-11: of two that can win the nearer is asked first."""
    hands = [CLAIMS[0], "46m456p123s333z44z", "555m369p369s4z66s7z", CLAIMS[3]]
    game = play(Game(ANSHAN, deal(hands)), "discard 5m")
    assert (game.turn, game.legal_actions()) == (1, ["win", "pass"])
    game.apply("pass")
    assert (game.turn, game.legal_actions()) == (3, ["win", "pass"])
    game = play(Game(ANSHAN, deal(hands)), "discard 5m", "win")
    assert (game.winner, game.scores()[3]) == (1, -4)


def test_pon() -> None:
    """AM-10: two tiles of the hand and the discard; then a discard, no kong and no win."""
    hands = [*CLAIMS[:2], "55m123p456s789s22z", "369p11369s44467z"]
    game = play(Game(ANSHAN, deal(hands)), "discard 5m")
    assert (game.turn, game.legal_actions()) == (2, ["win", "pass"])
    play(game, "pass", "pon 5m")
    assert (game.turn, game.phase, game.drawn) == (2, "discard", None)
    state = game.state()
    assert state["melds"][2] == ["555m"]
    assert state["discards"][0] == []
    assert len(state["hands"][2]) == 11
    assert is_win([t // 4 for t in state["hands"][2]], state["melds"][2], state["wild"])
    assert {action.split()[0] for action in game.legal_actions()} == {"discard"}
    with pytest.raises(ValueError, match="win"):
        game.apply("win")
    assert "discard 2z" in game.legal_actions()
    game.apply("discard 1p")
    assert game.state()["discards"][2] == [one("1p") * 4 + 1]


def test_chi_only_from_the_seat_before() -> None:
    """AM-10: the seat after next is not asked; a run needs natural tiles."""
    hands = [CLAIMS[0], "258p258s333z667z9m", "3467m369p369s444z", "147p147s111222z9m"]
    game = play(Game(ANSHAN, deal(hands)), "discard 5m")
    assert (game.turn, game.phase) == (1, "discard")
    game = play(Game(ANSHAN, deal(CLAIMS, turned="3m")), "discard 5m", "pass", "pass")
    assert game.wild == one("4m")
    assert game.legal_actions() == ["chi 567m", "pass"]
    game.apply("chi 567m")
    state = game.state()
    assert (game.turn, state["melds"][1], len(state["hands"][1])) == (1, ["567m"], 11)
    assert {action.split()[0] for action in game.legal_actions()} == {"discard"}


def test_kong_on_a_discard() -> None:
    """AM-10: 明杠 draws from the tail."""
    game = play(Game(ANSHAN, deal(CLAIMS, tail="9m8m")), "discard 5m", "pass", "kong 5m")
    state = game.state()
    assert (game.turn, game.phase) == (2, "discard")
    assert state["melds"][2] == ["5555m"]
    assert state["after_kong"]
    assert state["drawn"] // 4 == one("9m")
    assert (len(state["hands"][2]), state["wall_left"]) == (11, 81)
    assert state["discards"][0] == []


KONG = ["1111z123m456p78s22z", "258m258p258s3467z", "369m369p369s4447z", "147m147p147s3336z"]


def test_win_on_the_replacement() -> None:
    """AM-10, AM-33, AM-34, AM-39: a 暗杠 by the dealer's first 14, then 杠上开花."""
    game = Game(ANSHAN, deal(KONG, tail="9s"))
    assert "win" not in game.legal_actions()
    game.apply("ankong 1z")
    assert game.state()["melds"][0] == ["(1111z)"]
    assert game.legal_actions()[0] == "win"
    game.apply("win")
    assert game.scores() == [192, -64, -64, -64]
    assert [line["name"] for line in game.result()[:4]] == ["穷胡", "站立", "杠", "杠上开花"]
    assert (game.discarder, game.state()["win_tile"] // 4) == (None, one("9s"))
    assert game.next_history() == {"dealer": 0}


def test_no_flower_after_the_discard() -> None:
    """AM-39: the tile must be the kong's; a later own draw is none."""
    game = play(Game(ANSHAN, deal(KONG, draws="9m9m9m9s", tail="1p")), "ankong 1z", "discard 1p")
    for _ in range(3):
        while game.phase == "claim":
            game.apply("pass")
        game.apply("discard 9m")
    while game.phase == "claim":
        game.apply("pass")
    game.apply("win")
    assert [line["name"] for line in game.result()[:4]] == ["穷胡", "站立", "杠", "庄"]
    assert game.scores() == [96, -32, -32, -32]


def test_dealer_wins_at_once() -> None:
    """AM-10, AM-30, AM-31: 自摸 on the first 14."""
    hands = ["123m456p789s111z22z", *KONG[1:]]
    game = Game(ANSHAN, deal(hands))
    assert "pass" not in game.legal_actions()
    game.apply("win")
    assert game.scores() == [48, -16, -16, -16]


ROB = ["5m19m19p19s1234677z", "555m258p258s3334z", "369p369s4467z123s", CLAIMS[3]]


def robbed() -> Game:
    """Seat 1 takes 5m by 碰 and adds the fourth a round later; seat 3 waits for it."""
    game = Game(ANSHAN, deal(ROB, draws="8m8m8m9p", tail="9m"))
    play(game, "discard 5m", "pass", "pon 5m", "discard 4z")
    while game.phase == "claim":
        game.apply("pass")
    for seat in (2, 3, 0):
        assert game.turn == seat
        game.apply("discard 8m")
        while game.phase == "claim":
            game.apply("pass")
    assert game.turn == 1
    return game


def test_robbing_a_kong() -> None:
    """AM-12: the kong's maker pays as discarder, the meld stays a 碰. AM-10: a win passed before
    does not matter, and 加杠 takes a tile that was not just drawn."""
    game = robbed()
    assert game.drawn is not None
    assert game.drawn // 4 == one("9p")
    game.apply("addkong 5m")
    tile = one("5m") * 4 + 3
    assert (game.turn, game.phase, game.legal_actions()) == (3, "rob", ["win", "pass"])
    assert game.state()["last_discard"] == tile
    assert game.state()["melds"][1] == ["555m"]
    game.apply("win")
    state = game.state()
    assert (state["winner"], state["discarder"], state["win_tile"]) == (3, 1, tile)
    assert state["melds"][1] == ["555m"]
    assert tile in state["hands"][3]
    assert tile not in state["hands"][1]
    assert game.scores() == [-8, -8, -4, 20]


def test_kong_that_is_not_robbed() -> None:
    """AM-10, AM-12: 加杠 goes through and draws from the tail."""
    game = play(robbed(), "addkong 5m", "pass")
    state = game.state()
    assert (game.turn, game.phase, state["melds"][1]) == (1, "discard", ["5555m+"])
    assert state["after_kong"]
    assert state["drawn"] // 4 == one("9m")
    assert state["last_discard"] is None


def test_concealed_kongs() -> None:
    """AM-10, AM-12: only natural tiles, and nobody may rob one."""
    hands = ["5555z1111m123p456s", "46m789p789s23477z", "369p369s23467z12s", "238m147p147s2346z"]
    game = Game(ANSHAN, deal(hands))
    assert [a for a in game.legal_actions() if "kong" in a] == ["ankong 1m"]
    game.apply("ankong 1m")
    assert (game.turn, game.phase) == (0, "discard")


def test_wild_discards() -> None:
    """AM-4: nobody is asked about a discarded 混; `discard_wild` off, it is kept."""
    hands = ["5z19m19p19s1234677z", "3467m258p28s5333z", "55m369p369s55447z", CLAIMS[3]]
    game = Game(ANSHAN, deal(hands))
    assert is_win([one("5z"), *parse_kinds(hands[3])], (), game.wild)
    assert (play(game, "discard 5z").turn, game.phase) == (1, "discard")
    house = Game(ANSHAN.replace(discard_wild=False), deal(hands))
    assert "discard 5z" not in house.legal_actions()
    assert "discard 1m" in house.legal_actions()
    # Who holds nothing but 混 may discard one.
    house.hands[0] = [one("5z") * 4, one("5z") * 4 + 1]
    house.melds[0] = [Meld.parse(text) for text in ("123m", "456p", "789s", "567s")]
    assert house.legal_actions() == ["discard 5z"]


def test_end_of_the_wall() -> None:
    """AM-13, AM-14: with ``dead_wall`` tiles left nobody draws and nobody makes a kong."""
    house = ANSHAN.replace(dead_wall=82)
    game = Game(house, deal(KONG))
    assert "ankong 1z" not in game.legal_actions()
    play(game, "discard 1z")
    assert (game.is_over, game.winner, game.scores()) == (True, None, [0, 0, 0, 0])
    assert game.result() == [{"name": "流局", "clause": "AM-13"}]
    assert game.next_history() == {"dealer": 0}
    last = play(Game(house, deal(CLAIMS)), "discard 5m")
    assert last.legal_actions() == ["win", "pass"]
    assert play(last, "pass").legal_actions() == ["pon 5m", "pass"]
    play(last, "pon 5m", "discard 7z")
    while last.phase == "claim":
        last.apply("pass")
    assert (last.is_over, last.wall_left) == (True, 82)


def test_fourteen_tiles_stay() -> None:
    """AM-13: without kongs the hand is drawn with 14 left."""
    wall = list(range(136))
    random.Random(3).shuffle(wall)
    game = Game(ANSHAN, {"wall": wall, "dealer": 3})
    while not game.is_over:
        game.apply("pass" if game.phase == "claim" else game.legal_actions()[-1])
    assert (game.wall_left, game.winner, game.scores()) == (14, None, [0, 0, 0, 0])


def test_open_gun() -> None:
    """AM-37: 明枪 is the kind before the turned tile in its ring."""
    hands = ["123m456p789s111z22z", *KONG[1:]]
    for turned, gun in [("8m", "7m"), ("1m", "9m"), ("1z", "4z"), ("7z", "5z")]:
        assert Game(ANSHAN, deal(hands, turned=turned)).state()["gun"] == [one(gun)]
    game = play(Game(ANSHAN, deal(hands, turned="2z")), "win")
    assert game.state()["gun"] == [one("1z")]
    assert {"name": "枪", "clause": "AM-37", "seat": 0, "count": 3} in game.result()
    assert game.scores() == [384, -128, -128, -128]  # 2 + 3 枪 + 庄 + 点炮


def test_hidden_gun() -> None:
    """AM-37: 暗枪 are the next tile of the wall and the kind after it, known after the win."""
    hands = ["123m456p789s111z22z", *KONG[1:]]
    house = ANSHAN.replace(gun="hidden")
    game = Game(house, deal(hands, draws="8s"))
    assert game.state()["gun"] == []
    game.apply("win")
    assert game.state()["gun"] == [one("8s"), one("9s")]
    assert game.scores() == [3 * 64, -64, -64, -64]  # 2 + 2 枪 + 庄 + 点炮
    # After a kong too it is the front of the wall, not the tail.
    game = play(Game(house, deal(KONG, draws="3p", tail="9s2z")), "ankong 1z", "win")
    assert game.state()["gun"] == [one("3p"), one("4p")]
    # The 混 that stands for 9s does not count.
    mixed = ["123m456p78s5111z22z", *hands[1:]]
    game = play(Game(house, deal(mixed, draws="5z")), "win")
    assert game.state()["gun"] == [one("5z"), one("7z")]
    assert game.scores() == [24, -8, -8, -8]  # 站立, 庄 and 点炮


def test_no_tile_left_for_a_hidden_gun() -> None:
    """AM-37: no tile left, no 枪."""
    house = ANSHAN.replace(gun="hidden", dead_wall=0)
    game = Game(house, deal(CLAIMS))
    game.front = game.back
    play(game, "discard 5m", "win")
    assert game.state()["gun"] == []
    assert game.scores() == [-16, -4, -4, 24]


def test_dealer_stays_or_passes_on() -> None:
    """AM-14: the dealer stays after winning or a drawn hand, else the next seat deals."""
    hands = [CLAIMS[(seat - 3) % 4] for seat in range(4)]
    game = play(Game(ANSHAN, deal(hands, dealer=3)), "discard 5m", "win")
    assert (game.winner, game.next_history()) == (2, {"dealer": 0})
    with pytest.raises(RuntimeError):
        Game(ANSHAN, deal(CLAIMS)).next_history()


def test_illegal_actions_change_nothing() -> None:
    """AM-10: what is not among the legal actions is refused."""
    game = play(Game(ANSHAN, deal(CLAIMS)), "discard 5m", "pass")
    before = game.state()
    for bad in (
        "discard 5m",
        "win",
        "chi 345m",
        "kong 4m",
        "pon 5",
        "addkong 5m",
        "",
        "pass ",
        "x",
    ):
        assert not game.is_legal(bad)
        with pytest.raises(ValueError, match="illegal"):
            game.apply(bad)
    assert game.state() == before
    for early in (game.scores, game.result, game.next_history):
        with pytest.raises(RuntimeError):
            early()


# Whole hands


def company(kind: int, hand: list[int], wild: int) -> int:
    """How much a tile is wanted: its like and its neighbours in the hand."""
    near = [k for k in hand if k < 27 and k // 9 == kind // 9 and 0 < abs(k - kind) <= 2]
    return 100 if kind == wild else 3 * hand.count(kind) + len(near) * (kind < 27)


def check_state(game: Game, wall: list[int]) -> None:
    """Every tile is in one place, and the hand of who is to discard is one larger."""
    state = game.state()
    assert json.loads(json.dumps(state)) == state
    melds = [[Meld.parse(text) for text in row] for row in state["melds"]]
    kongs = sum(meld.is_kong for row in melds for meld in row)
    back = 135 - kongs
    left = wall[back - state["wall_left"] : back]
    offered = [state["last_discard"]] if state["phase"] == "rob" else []
    rows = [*state["hands"], *state["discards"], left, offered, [wall[135]]]
    seen = [tile for row in rows for tile in row]
    assert len(seen) == len(set(seen))
    rest = sorted(tile // 4 for tile in set(wall) - set(seen))
    assert rest == sorted(kind for row in melds for meld in row for kind in meld.tiles)
    for seat in range(4):
        size = len(state["hands"][seat]) + 3 * len(melds[seat])
        extra = (state["phase"] == "discard" and seat == state["turn"]) or seat == state["winner"]
        assert size == 13 + extra
        assert state["wild"] not in [kind for meld in melds[seat] for kind in meld.tiles]


@pytest.mark.parametrize("seed", range(24))
def test_whole_hands(seed: int) -> None:
    """AM-1, AM-11, AM-13, AM-50: tiles are conserved, somebody can always act, sums are zero."""
    rng = random.Random(f"hand {seed}")
    rules = Rules.anshan().replace(
        gun=rng.choice(["open", "hidden"]),
        discard_wild=rng.random() < 0.5,
        dead_wall=rng.choice([0, 14]),
    )
    wall = rng.sample(range(136), 136)
    game = Game(rules, {"wall": wall, "dealer": seed % 4})
    steps = 0
    while not game.is_over:
        check_state(game, wall)
        legal = game.legal_actions()
        assert legal
        assert len(legal) == len(set(legal))
        discards = [a for a in legal if a.startswith("discard")]
        if "win" in legal:
            action = "win"
        elif discards and (len(discards) == len(legal) or rng.random() < 0.2):
            hand = [tile // 4 for tile in game.hands[game.actor]]
            action = min(discards, key=lambda a: company(one(a[8:]), hand, game.wild))
        else:
            action = rng.choice([a for a in legal if a not in discards])
        game.apply(action)
        steps += 1
        assert steps < 1000
    check_state(game, wall)
    assert game.wall_left >= rules.dead_wall
    scores = game.scores()
    assert sum(scores) == 0
    lines = game.result()
    if game.winner is None:
        assert scores == [0, 0, 0, 0]
        assert game.wall_left == rules.dead_wall
    else:
        assert scores[game.winner] > 0
        assert [line["amount"] for line in lines if "amount" in line] == scores
        count = sum(
            line["count"] for line in lines if line.get("seat") == game.winner and "count" in line
        )
        for payer in set(range(4)) - {game.winner}:
            own = sum(line["count"] for line in lines if line["seat"] == payer and "count" in line)
            assert scores[payer] == -(2 ** (count + own))
    assert game.next_history()["dealer"] in (game.dealer, (game.dealer + 1) % 4)
