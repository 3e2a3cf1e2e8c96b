"""The reference of 百变双扣 against the rules text: every worked case and clause by clause."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import prod
from typing import Any

import pytest

from qipai.reference.shuangkou import (
    RANKS,
    Game,
    Play,
    base_stake,
    beats,
    bombs,
    classify,
    contributions,
    legal_plays,
    legal_plays_brute,
    multiplier,
    parse,
    readings,
    stars_reached,
)
from qipai.rules.shuangkou import Rules

WENZHOU, BIANFENG, LISHUI = Rules.wenzhou(), Rules.bianfeng(), Rules.lishui()
PRESETS = [WENZHOU, BIANFENG, LISHUI]
WIDE = BIANFENG.replace(name="wide", max_bomb=10)
by_preset = pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)


def play_of(text: str, rules: Rules = WENZHOU) -> Play:
    play = classify(text, rules)
    assert play is not None
    return play


# Cards and patterns


def test_parse_counts_ranks() -> None:
    """SK-2: the ranks in order; 10 is read as T, separators are skipped."""
    assert parse("3456789TJQKA2BR") == [1] * 15
    assert parse("10, T + 3 R") == parse("3TTR")
    assert parse("") == [0] * 15


@pytest.mark.parametrize(
    "text", ["333333333", "BBB", "RRR", "1", "3X", "10 1", "S7", "33334444555566667777888899TJ"]
)
def test_parse_rejects_what_no_hand_holds(text: str) -> None:
    """SK-1: 27 cards of two decks; a ninth 3, a third joker and a 28th card are impossible."""
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize(
    "counts", [[9] + [0] * 14, [0] * 14 + [3], [0] * 14, [8, 8, 8, 4] + [0] * 11, [-1] + [0] * 14]
)
def test_classify_rejects_impossible_counts(counts: list[int]) -> None:
    """SK-1."""
    with pytest.raises(ValueError):
        classify(counts, WENZHOU)


@by_preset
@pytest.mark.parametrize(
    ("cards", "kind", "reading", "width", "length", "stars"),
    [
        # SK-10, SK-12, SK-14
        ("3", "SINGLE", "3", 1, 1, 0),
        ("2", "SINGLE", "2", 1, 1, 0),
        ("B", "SINGLE", "B", 1, 1, 0),
        ("R", "SINGLE", "R", 1, 1, 0),
        ("RR", "PAIR", "RR", 2, 1, 0),
        ("BB", "PAIR", "BB", 2, 1, 0),
        ("44", "PAIR", "44", 2, 1, 0),
        ("222", "TRIPLE", "222", 3, 1, 0),
        # SK-11, SK-13, SK-15
        ("34567", "STRAIGHT", "34567", 1, 5, 0),
        ("3456789TJQKA", "STRAIGHT", "3456789TJQKA", 1, 12, 0),
        ("556677", "PAIR_RUN", "556677", 2, 3, 0),
        ("QQKKAA", "PAIR_RUN", "QQKKAA", 2, 3, 0),
        ("33445566778899TTJJQQKKAA", "PAIR_RUN", "33445566778899TTJJQQKKAA", 2, 12, 0),
        ("555666777", "TRIPLE_RUN", "555666777", 3, 3, 0),
        ("333444555666777888999TTTJJJ", "TRIPLE_RUN", "333444555666777888999TTTJJJ", 3, 9, 0),
        # SK-16, SK-18
        ("3333", "BOMB", "3333", 4, 1, 4),
        ("22222222", "BOMB", "22222222", 8, 1, 8),
        ("BBR", "THREE_JOKERS", "BBR", 3, 1, 6),
        ("BRR", "THREE_JOKERS", "BRR", 3, 1, 6),
        ("BBRR", "FOUR_JOKERS", "BBRR", 4, 1, 7),
        # SK-30, SK-31
        ("BR", "PAIR", "BB", 2, 1, 0),
        ("2R", "PAIR", "22", 2, 1, 0),
        ("2RR", "TRIPLE", "222", 3, 1, 0),
        ("77RR", "BOMB", "7777", 4, 1, 4),
        ("7777R", "BOMB", "77777", 5, 1, 5),
        ("45678R", "STRAIGHT", "456789", 1, 6, 0),
        ("77899R", "PAIR_RUN", "778899", 2, 3, 0),
        ("7789RR", "PAIR_RUN", "778899", 2, 3, 0),
        ("TJQKAR", "STRAIGHT", "9TJQKA", 1, 6, 0),
        ("3457R", "STRAIGHT", "34567", 1, 5, 0),
        ("34578RR", "STRAIGHT", "3456789", 1, 7, 0),
        ("QKARR", "STRAIGHT", "TJQKA", 1, 5, 0),
        ("JJQQRR", "PAIR_RUN", "JJQQKK", 2, 3, 0),
        ("KKAARR", "PAIR_RUN", "QQKKAA", 2, 3, 0),
        ("33344455R", "TRIPLE_RUN", "333444555", 3, 3, 0),
        # SK-17
        ("333344445555", "CHAIN_BOMB", "333344445555", 4, 3, 7),
        ("3333444455RR", "CHAIN_BOMB", "333344445555", 4, 3, 7),
        ("777778888899999", "CHAIN_BOMB", "777778888899999", 5, 3, 8),
    ],
)
def test_patterns_in_every_preset(
    rules: Rules, cards: str, kind: str, reading: str, width: int, length: int, stars: int
) -> None:
    """SK-10 to SK-18, SK-30, SK-31 and the worked readings."""
    rank = "R" if kind.endswith("JOKERS") else reading[-1]
    assert classify(cards, rules) == Play(kind, rank, width, length, stars, False, cards, reading)


@by_preset
@pytest.mark.parametrize(
    "cards",
    [
        "",  # SK-20
        "3456789TJQKAR",  # SK-11: no thirteenth place
        "23456",
        "A2345",
        "JQKA2",
        "3456B",
        "3456",
        "34",
        "3344",  # SK-13
        "AA2233",
        "KKAA22",
        "556677R",
        "333444",  # SK-15
        "KKKAAA222",
        "33334444RR",  # SK-17: two groups
        "666666777777",
        "333344445555R",
        "KKKKAAAA3333",
        "33334444",
        "333334444",
        "BB7",  # SK-18: no wildcard but 大王
        "BBR7",
        "BBRR7",
        "BBRR77",
        "33B",
        "77B",
        "333B",
        "88888888R",  # SK-16: nine alike
        "88888888RR",
        "333444R",  # SK-20: nothing like 三带一
        "3334",
    ],
)
def test_nothing_in_every_preset(rules: Rules, cards: str) -> None:
    """SK-11, SK-13, SK-15 to SK-18, SK-20 and the worked cases that are nothing."""
    assert classify(cards, rules) is None


@pytest.mark.parametrize(
    ("width", "length", "stars"),
    [
        (4, 3, 7),
        (4, 4, 8),
        (4, 5, 9),
        (4, 6, 10),
        (5, 3, 8),
        (5, 4, 9),
        (5, 5, 10),
        (6, 3, 9),
        (6, 4, 10),
        (7, 3, 10),
        (8, 3, 11),
    ],
)
def test_chain_bomb_stars(width: int, length: int, stars: int) -> None:
    """SK-17: the stars the text lists; the top rank is the last group's."""
    cards = "".join(rank * width for rank in RANKS[4 : 4 + length])
    play = play_of(cards)
    assert (play.kind, play.width, play.length, play.stars) == ("CHAIN_BOMB", width, length, stars)
    assert play.rank == RANKS[3 + length]


def test_larger_bombs_by_rule() -> None:
    """SK-16: nine and ten alike are bombs only where ``max_bomb`` admits them."""
    nine, ten = "8" * 8 + "R", "8" * 8 + "RR"
    at_nine = WENZHOU.replace(max_bomb=9)
    assert play_of(nine, at_nine).stars == 9
    assert classify(ten, at_nine) is None
    assert play_of(ten, WENZHOU.replace(max_bomb=10)).stars == 10
    assert play_of(ten, WENZHOU.replace(max_bomb=10)).reading == "8" * 10


@pytest.mark.parametrize(
    ("cards", "rank", "length", "stars"),
    [
        ("22223333AAAA", "3", 3, 7),
        ("KKKKAAAA2222", "2", 3, 7),
        ("222233334444", "4", 3, 7),
        ("22223333AAAAKKKK", "3", 4, 8),
        ("222333AAAARR", "3", 3, 7),
        ("TTTTJJJJQQQQKKKKAAAA2222", "2", 6, 10),
    ],
)
def test_loops(cards: str, rank: str, length: int, stars: int) -> None:
    """SK-19: in a chain bomb 2 adjoins A and 3; wenzhou has no loops."""
    assert classify(cards, WENZHOU) is None
    for rules in (BIANFENG, LISHUI):
        play = play_of(cards, rules)
        assert (play.kind, play.is_loop) == ("CHAIN_BOMB", True)
        assert (play.rank, play.length, play.stars) == (rank, length, stars)
        assert play.cards == "".join(sorted(cards, key=RANKS.index))
        assert len(play.reading) == len(cards)


@by_preset
@pytest.mark.parametrize("cards", ["AA2233", "KKAA22", "AAA222333", "KA234", "AAAA3333KKKK"])
def test_loops_are_chain_bombs_only(rules: Rules, cards: str) -> None:
    """SK-19: 2 adjoins nothing in other runs, and A does not adjoin 3."""
    assert classify(cards, rules) is None


# One reading is enough


Cards = tuple[int, ...]
Pattern = tuple[str, int, int]  # kind, width, length
Readings = dict[Cards, set[tuple[Pattern, int]]]


def natural_patterns(rules: Rules) -> Iterator[tuple[Pattern, int, Cards]]:
    """Yield (pattern, top, cards) of every pattern made without wildcards."""
    for rank, n in product(range(13), range(1, rules.max_bomb + 1)):
        kind = {1: "SINGLE", 2: "PAIR", 3: "TRIPLE"}.get(n, "BOMB")
        yield (kind, n, 1), rank, tuple(n if at == rank else 0 for at in range(15))
    for kind, n in (("SINGLE", 1), ("PAIR", 2)):
        yield (kind, n, 1), 13, (*[0] * 13, n, 0)
        yield (kind, n, 1), 14, (*[0] * 14, n)
    for kind, small, big in (("THREE", 1, 2), ("THREE", 2, 1), ("FOUR", 2, 2)):
        yield (f"{kind}_JOKERS", small + big, 1), 14, (*[0] * 13, small, big)
    for width in range(1, 9):
        least, most = {1: (5, 12), 2: (3, 12), 3: (3, 12)}.get(width, (3, 6))
        kind = {1: "STRAIGHT", 2: "PAIR_RUN", 3: "TRIPLE_RUN"}.get(width, "CHAIN_BOMB")
        loops = rules.loops and width >= 4
        for length, start in product(range(least, most + 1), range(13)):
            run = [(start + step) % 13 for step in range(length)]
            if width * length <= 27 and (loops or start + length <= 12):
                cards = tuple(width if at in run else 0 for at in range(15))
                yield (kind, width, length), run[-1], cards


def all_readings(rules: Rules) -> Readings:
    """Return every playable set of cards with the (pattern, top) it may be read as (SK-30)."""
    found: Readings = defaultdict(set)
    for pattern, top, cards in natural_patterns(rules):
        if max(cards) <= 8:
            found[cards].add((pattern, top))
        if cards[14]:
            continue
        ranks = [rank for rank, n in enumerate(cards) if n]
        for wild in (1, 2):
            for replaced in combinations_with_replacement(ranks, wild):
                left = [n - replaced.count(rank) for rank, n in enumerate(cards)]
                left[14] = wild
                # 大王 needs a card to go with, and no hand has nine of a rank.
                if min(left) >= 0 and any(left[:14]) and max(left) <= 8:
                    found[tuple(left)].add((pattern, top))
    return found


@pytest.fixture(scope="module", params=[WENZHOU, WIDE], ids=lambda rules: rules.name)
def playable(request: pytest.FixtureRequest) -> tuple[Rules, Readings]:
    return request.param, all_readings(request.param)


def test_readings_are_all_readings(playable: tuple[Rules, Readings]) -> None:
    """SK-30, SK-31, SK-32: over all playable sets, one pattern each, and the highest window."""
    rules, sets = playable
    for cards, expected in sets.items():
        found = readings(cards, rules)
        assert len(found) == len(expected)
        assert {((p.kind, p.width, p.length), RANKS.index(p.rank)) for p in found} == expected
        assert len({pattern for pattern, _ in expected}) == 1
        best = classify(cards, rules)
        assert best is not None
        assert RANKS.index(best.rank) == max(top for _, top in expected)
        assert all(beats(best, other, rules) for other in found if other != best)
        if len(expected) > 1:
            assert best.kind in ("STRAIGHT", "PAIR_RUN")
        # The reading keeps the natural cards and puts others in place of 大王.
        assert len(best.reading) == len(best.cards)
        assert all(best.reading.count(r) >= best.cards.count(r) for r in RANKS[:14])
        assert ("R" in best.reading) == (best.cards in ("R", "RR", "BBR", "BRR", "BBRR"))


def test_nothing_else_is_a_pattern(playable: tuple[Rules, Readings]) -> None:
    """SK-20: sets one card away from a playable one are plays only if they are in the list."""
    rules, sets = playable
    for cards in list(sets)[::5]:
        for rank, step in product(range(15), (1, -1)):
            near = (*cards[:rank], cards[rank] + step, *cards[rank + 1 :])
            limit = 2 if rank >= 13 else 8
            if 0 <= near[rank] <= limit and sum(near) <= 27:
                assert (classify(near, rules) is not None) == (near in sets)


# Comparison


def assert_rising(rules: Rules, *texts: str) -> None:
    """Each beats the one before it, and none beats itself or a later one."""
    for low, high in pairwise(texts):
        assert beats(high, low, rules), (high, low)
    for at, low in enumerate(texts):
        for high in texts[at:]:
            assert not beats(low, high, rules), (low, high)


@by_preset
def test_plain_plays(rules: Rules) -> None:
    """SK-2, SK-40: the same pattern and number of cards, by the highest rank."""
    assert_rising(rules, *"3456789TJQKA2BR")
    assert_rising(rules, "33", "AA", "22", "BR", "RR")
    assert_rising(rules, "333", "AAR", "222")
    assert_rising(rules, "34567", "45678", "TJQKA")
    assert_rising(rules, "345678", "45678R")
    assert_rising(rules, "334455", "7789RR", "QQKKAA")
    assert_rising(rules, "333444555", "QQQKKKAAA")
    for low, high in permutations(["A", "33", "333", "34567", "345678", "334455", "333444555"], 2):
        assert not beats(high, low, rules)
    assert not beats("7R", "77", rules)


@by_preset
def test_bombs_beat_plain_plays(rules: Rules) -> None:
    """SK-41."""
    for plain in ("R", "RR", "222", "9TJQKA", "QQKKAA", "QQQKKKAAA"):
        for bomb in ("3333", "BBR", "BBRR", "333344445555"):
            assert beats(bomb, plain, rules)
            assert not beats(plain, bomb, rules)


@by_preset
def test_stars(rules: Rules) -> None:
    """SK-42, SK-43 and the worked cases that hold in every preset."""
    assert_rising(rules, "AAAA", "33333", "22222", "BBR", "333333", "222222", "2222222", "BBRR")
    assert_rising(rules, "BBRR", "33333333", "333333444444555555")
    assert_rising(rules, "QQQQKKKKAAAA", "BBRR")
    assert not beats("7777R", "77777", rules)
    assert not beats("77777", "7777R", rules)
    assert not beats("BRR", "BBR", rules)
    assert not beats("BBR", "BRR", rules)


def test_equal_stars_by_rank() -> None:
    """SK-44: the higher top wins whatever the shapes; equal tops do not beat."""
    assert_rising(WENZHOU, "3333333", "333344445555", "6666666", "555566667777", "2222222")
    assert not beats("5555555", "333344445555", WENZHOU)
    assert not beats("333344445555", "5555555", WENZHOU)
    assert_rising(WENZHOU, "44445555666677778888", "66666777778888899999")


def test_equal_stars_by_rank_with_loops() -> None:
    """SK-44: a loop's rank is its last place on the cycle, should a house allow both."""
    rules = WENZHOU.replace(loops=True)
    assert_rising(rules, "AAAA22223333", "222233334444", "333344445555", "KKKKAAAA2222")
    assert not beats("AAAA22223333", "3333333", rules)
    assert not beats("3333333", "AAAA22223333", rules)


@pytest.mark.parametrize("rules", [BIANFENG, LISHUI], ids=lambda rules: rules.name)
def test_equal_stars_by_count(rules: Rules) -> None:
    """SK-45: fewer cards win, then a loop is below a plain chain, then the highest rank."""
    assert_rising(rules, "AAAA22223333", "KKKKAAAA2222", "333344445555")
    assert_rising(rules, "333344445555", "QQQQKKKKAAAA", "3333333", "2222222", "BBRR")
    # 9 stars: 20 cards in 5x4 and 4x5, 18 cards in 6x3, 9 alike
    assert_rising(
        rules.replace(max_bomb=9),
        "JJJJQQQQKKKKAAAA2222",
        "33334444555566667777",
        "55555666667777788888",
        "666677778888999TTTTR",
        "QQQQQQKKKKKKAAAAAA",
        "33333333R",
    )
    assert not beats("33334444555566667777", "44444555556666677777", rules)
    assert not beats("44444555556666677777", "33334444555566667777", rules)
    # 10 stars: 25 cards in 5x5, 24 in 6x4 and 4x6
    assert_rising(
        rules,
        "TTTTTJJJJJQQQQQKKKKKAAAAA",
        "333333444444555555666666",
        "444455556666777788889999",
    )
    # the count goes first, so a loop of fewer cards beats a plain chain of more
    assert_rising(rules, "TTTTTJJJJJQQQQQKKKKKAAAAA", "AAAAAA222222333333444444")


@pytest.mark.parametrize(
    "runs",
    [
        ["A23", "KA2", "234", "345", "QKA"],
        ["A234", "KA23", "QKA2", "2345", "3456", "JQKA"],
        ["A2345", "QKA23", "KA234", "JQKA2", "23456", "34567", "TJQKA"],
        ["A23456", "JQKA23", "QKA234", "KA2345", "TJQKA2", "234567", "345678", "9TJQKA"],
    ],
    ids=["three", "four", "five", "six"],
)
def test_order_of_loops(runs: list[str]) -> None:
    """SK-46: A-2-3 together, then K-A-2, then from 2; inside a class by the start on A,2,3..K."""
    assert_rising(BIANFENG, *("".join(rank * 4 for rank in run) for run in runs))


def test_order_of_loops_across_shapes() -> None:
    """SK-46: 5x4 and 4x5 are of equal stars and count, and compare by the same order."""

    def loop(run: str, width: int) -> str:
        return "".join(rank * width for rank in run)

    rising = [loop("A234", 5), loop("QKA23", 4), loop("KA234", 4), loop("JQKA2", 4)]
    assert_rising(BIANFENG, *rising, loop("QKA2", 5), loop("2345", 5), loop("34567", 4))
    for first, second in permutations([loop("A2345", 4), loop("A234", 5)]):
        assert not beats(first, second, BIANFENG)


@pytest.mark.parametrize("rules", [*PRESETS, WIDE, WENZHOU.replace(loops=True)])
def test_beats_is_a_strict_order(rules: Rules) -> None:
    """SK-40 to SK-46: nothing beats itself, no two beat each other, and beating carries over."""
    rng = random.Random(5)
    plays = [p for p in (classify(cards, rules) for cards in sorted(all_readings(rules))) if p]
    for pool in (plays, [p for p in plays if p.stars >= 6]):
        for _ in range(4000):
            a, b, c = rng.choices(pool, k=3)
            assert not beats(a, a, rules)
            assert not (beats(a, b, rules) and beats(b, a, rules))
            if beats(a, b, rules) and beats(b, c, rules):
                assert beats(a, c, rules)


def test_beats_takes_plays_only() -> None:
    """SK-20."""
    with pytest.raises(ValueError):
        beats("3344", "33", WENZHOU)
    with pytest.raises(ValueError):
        beats("33", "", WENZHOU)
    assert beats(play_of("44"), "33", WENZHOU)


# Plays of a hand


def small_hands(n: int, most: int = 3000) -> Iterator[list[int]]:
    """Yield hands in which runs and bombs are common and every subset can be asked."""
    rng = random.Random(11)
    while n:
        start, span = rng.randrange(13), rng.randrange(3, 8)
        hand = [0] * 15
        for step in range(span):
            hand[(start + step) % 13] = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5))
        hand[13], hand[14] = rng.choice((0, 0, 1, 2)), rng.choice((0, 1, 2, 2))
        if prod(count + 1 for count in hand) <= most and sum(hand) <= 27:
            n -= 1
            yield hand


@pytest.mark.parametrize("rules", [WENZHOU, WIDE], ids=lambda rules: rules.name)
def test_legal_plays_are_all(rules: Rules) -> None:
    """SK-10 to SK-19, SK-51: the search over patterns finds what asking every subset finds."""
    rng = random.Random(3)
    for hand in small_hands(60):
        leads = legal_plays(hand, rules=rules)
        assert leads == legal_plays_brute(hand, rules=rules)
        assert len({play.cards for play in leads}) == len(leads)
        if leads:
            on = rng.choice(leads)
            assert legal_plays(hand, on, rules=rules) == [p for p in leads if beats(p, on, rules)]


def test_legal_plays_of_a_hand() -> None:
    """SK-30, SK-40, SK-41: worked by hand."""

    def texts(hand: str, on: str | None = None) -> set[str]:
        return {play.cards for play in legal_plays(hand, on, rules=WENZHOU)}

    assert texts("33R") == {"3", "33", "R", "3R", "33R"}
    assert texts("77BR") == {"7", "B", "R", "77", "7R", "BR", "77R"}
    assert texts("4566RR", "3") == {"4", "5", "6", "R", "66RR"}
    assert texts("4566RR", "33") == {"66", "4R", "5R", "6R", "RR", "66RR"}
    assert texts("4566RR", "345678") == {"66RR"}
    assert texts("4567R", "34567") == {"4567R"}
    assert texts("3456", "34567") == set()


def test_bombs_of_a_hand() -> None:
    """SK-16 to SK-19: worked by hand."""
    assert {play.cards for play in bombs("3333BBR", WENZHOU)} == {"3333", "3333R", "333R", "BBR"}
    loops = {play.cards for play in bombs("22223333AAAA", BIANFENG)}
    assert loops == {"2222", "3333", "AAAA", "3333AAAA2222"}


# Stars, multiplier, contribution, stake


@pytest.mark.parametrize(
    ("width", "merged"),
    [
        (4, [4, 4, 5, 6, 7, 8]),
        (5, [5, 6, 7, 8, 9]),
        (6, [6, 7, 8, 9]),
        (7, [7, 8, 9]),
        (8, [8, 9, 10]),
        (9, [9, 10, 11]),
        (10, [10, 11]),
    ],
)
def test_merged_bombs(width: int, merged: list[int]) -> None:
    """SK-66: n bombs of the same X count together."""
    rules = LISHUI.replace(max_bomb=10)
    natural = min(width, 8)
    played: list[Play] = []
    for rank, stars in zip(RANKS, merged, strict=False):
        played.append(play_of(rank * natural + "R" * (width - natural), rules))
        assert stars_reached(played, rules) == stars
        assert stars_reached(played, rules.replace(merge_bombs=False)) == width


def test_what_does_not_merge() -> None:
    """SK-66: bombs of different X, chains and jokers are not merged."""
    played = [play_of(text) for text in ("33333", "444444", "333344445555", "BBR", "55R", "QQ")]
    assert stars_reached(played, LISHUI) == 7
    assert stars_reached(played[:2], LISHUI) == 6
    assert stars_reached([play_of("333344445555"), play_of("7777")], LISHUI) == 7
    assert stars_reached([play_of("333344445555"), play_of("666677778888")], LISHUI) == 7
    assert stars_reached([play_of("33333"), play_of("4444R")], LISHUI) == 6
    assert stars_reached([], LISHUI) == 0


def test_multiplier() -> None:
    """SK-62, SK-63."""
    for rules in (WENZHOU, BIANFENG):
        expected = [1, 1, 2, 4, 8, 16, 16, 16, 16]
        assert [multiplier(stars, rules) for stars in (0, 4, 5, 6, 7, 8, 9, 10, 11)] == expected
    lishui = [1, 1, 2, 4, 8, 16, 32, 64, 64]
    assert [multiplier(stars, LISHUI) for stars in (0, 4, 5, 6, 7, 8, 9, 10, 11)] == lishui


@pytest.mark.parametrize(
    ("cards", "wenzhou", "bianfeng"),
    [
        ("33333", (0, 0), (0, 0)),
        ("333333", (6, -2), (6, -2)),
        ("BBR", (6, -2), (6, -2)),
        ("BBRR", (12, -4), (18, -6)),
        ("333344445555", (12, -4), (18, -6)),
        ("33333333", (18, -6), (30, -10)),
        ("333333334444444455555555", (18, -6), (30, -10)),
    ],
)
def test_contribution(cards: str, wenzhou: tuple[int, int], bianfeng: tuple[int, int]) -> None:
    """SK-64, SK-65: the player gets, each other gives; bianfeng's figures hold in lishui."""
    plays: list[list[Play]] = [[], [play_of(cards)], [], []]
    for rules, (gain, give) in ((WENZHOU, wenzhou), (BIANFENG, bianfeng), (LISHUI, bianfeng)):
        assert contributions(plays, rules) == [give, gain, give, give]


def test_contributions_add_up_or_not() -> None:
    """SK-64: plays add up; SK-65: in lishui only the highest of each player counts, once."""
    six, seven = play_of("333333"), play_of("7777777")
    plays: list[list[Play]] = [[six, six, seven], [], [six], []]
    assert contributions(plays, WENZHOU) == [24 - 2, -8 - 2, -8 + 6, -8 - 2]
    assert contributions(plays, BIANFENG) == [30 - 2, -10 - 2, -10 + 6, -10 - 2]
    assert contributions(plays, LISHUI) == [18 - 2, -6 - 2, -6 + 6, -6 - 2]
    # SK-66: two bombs of six alike are seven stars
    two: list[list[Play]] = [[], [six, play_of("444444")], [], []]
    assert contributions(two, LISHUI) == [-6, 18, -6, -6]
    assert contributions(two, BIANFENG) == [-4, 12, -4, -4]


def test_base_stake() -> None:
    """SK-67: the lowest level gives the stake."""
    table = {1: 10, 2: 20, 5: 100}
    assert base_stake([5, 2, 5, 5], table) == 20
    assert base_stake([5, 2, 1, 2], table) == 10
    for levels in ([5, 5, 3, 5], [5, 5, 5], []):
        with pytest.raises(ValueError):
            base_stake(levels, table)


# The hand


def deal_of(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    ids = list(range(108))
    rng.shuffle(ids)
    hands = [sorted(ids[27 * seat : 27 * seat + 27]) for seat in range(4)]
    return {"hands": hands, "open_card": rng.randrange(108)}


# Player 0 is dealt the open card and player 2 its copy.
PLAIN_DEAL: dict[str, Any] = {
    "hands": [list(range(27 * seat, 27 * seat + 27)) for seat in range(4)],
    "open_card": 0,
}


def swap(deal: dict[str, Any], first: int, second: int) -> dict[str, Any]:
    """Return the deal with two cards exchanged."""
    other = {first: second, second: first}
    hands = [[other.get(card, card) for card in hand] for hand in deal["hands"]]
    return {**deal, "hands": hands}


def ids_of(*hands: str) -> list[list[int]]:
    """Return distinct ids for rank texts, the lowest first."""
    free: dict[str, list[int]] = {}
    for at, rank in enumerate(RANKS):
        faces = range(4 * at, 4 * at + 4) if at < 13 else [39 + at]
        free[rank] = [copy * 54 + face for copy in (0, 1) for face in faces]
    return [[free[rank].pop(0) for rank in hand] for hand in hands]


def late(rules: Rules, *hands: str) -> Game:
    """Return a hand near its end: the four players hold these cards and player 0 leads."""
    game = Game(rules, PLAIN_DEAL)
    game.hands = ids_of(*hands)
    return game


def run(game: Game, actions: str) -> Game:
    for action in actions.split():
        game.apply(action)
    return game


def test_start() -> None:
    """SK-1, SK-50: 27 cards each, who holds the marked copy leads, be it a joker."""
    game = Game(WENZHOU, PLAIN_DEAL)
    assert (game.players, game.order, game.turn, game.phase) == (4, [0, 1, 2, 3], 0, "play")
    assert [game.partner(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert [len(hand) for hand in game.hands] == [27] * 4
    for card in (30, 60, 100, 53):
        game = Game(WENZHOU, {**PLAIN_DEAL, "open_card": card})
        assert game.leader == game.turn == card // 27


@pytest.mark.parametrize(
    ("copy", "before", "after"),
    [
        (60, [0, 1, 2, 3], [0, 1, 2, 3]),  # player 2 has the copy and sits opposite
        (1, [0, 1, 2, 3], [0, 1, 2, 3]),  # the leader has both
        (30, [0, 1, 2, 3], [0, 2, 1, 3]),  # player 1 changes seats with player 2
        (90, [0, 1, 2, 3], [0, 1, 3, 2]),  # player 3 changes seats with player 2
        (30, [0, 2, 1, 3], [0, 2, 1, 3]),
        (60, [0, 2, 1, 3], [0, 1, 2, 3]),
        (1, [0, 2, 1, 3], [0, 2, 1, 3]),
        (60, [3, 0, 2, 1], [3, 0, 1, 2]),
    ],
)
def test_seats(copy: int, before: list[int], after: list[int]) -> None:
    """SK-50: the holder of the other copy comes to sit opposite the leader, and it stays so."""
    deal = swap(PLAIN_DEAL, 54, copy)
    game = Game(WENZHOU, deal, {"order": before})
    assert game.leader == game.turn == 0
    assert game.order == after
    assert game.next_history() == {"order": after}
    assert Game(WENZHOU, PLAIN_DEAL, game.next_history()).partner(0) == 2


@pytest.mark.parametrize(
    "deal",
    [
        {},
        {"hands": PLAIN_DEAL["hands"]},
        {**PLAIN_DEAL, "seed": 1},
        {**PLAIN_DEAL, "open_card": 108},
        {**PLAIN_DEAL, "open_card": -1},
        {**PLAIN_DEAL, "open_card": True},
        {**PLAIN_DEAL, "open_card": "0"},
        {**PLAIN_DEAL, "hands": PLAIN_DEAL["hands"][:3]},
        {**PLAIN_DEAL, "hands": None},
        {**PLAIN_DEAL, "hands": [*PLAIN_DEAL["hands"][:3], PLAIN_DEAL["hands"][0]]},
        {**PLAIN_DEAL, "hands": [*PLAIN_DEAL["hands"][:3], list(range(82, 108))]},
        {**PLAIN_DEAL, "hands": [*PLAIN_DEAL["hands"][:3], [81.0, *range(82, 108)]]},
        {**PLAIN_DEAL, "hands": [*PLAIN_DEAL["hands"][:3], list(range(82, 109))]},
    ],
)
def test_bad_deals(deal: dict[str, Any]) -> None:
    """SK-1, SK-50: 27 cards each, every card once, one open card among them."""
    with pytest.raises(ValueError):
        Game(WENZHOU, deal)


@pytest.mark.parametrize(
    "history", [{}, {"order": [0, 1, 2]}, {"order": [0, 1, 2, 2]}, {"order": None}, {"seats": []}]
)
def test_bad_history(history: dict[str, Any]) -> None:
    """SK-50."""
    with pytest.raises(ValueError):
        Game(WENZHOU, PLAIN_DEAL, history)


def test_turns() -> None:
    """SK-51: play or pass in turn, who passed may play later, a free lead cannot be passed."""
    game = late(WENZHOU, "38", "47", "5K", "9T")
    assert "pass" not in game.legal_actions() and not game.is_legal("pass")
    with pytest.raises(ValueError):
        game.apply("pass")
    run(game, "3 4 pass 9 pass pass")
    assert (game.turn, game.table_seat) == (2, 3)
    assert set(game.legal_actions()) == {"pass", "K"}
    run(game, "K")
    assert game.turn == 3


def test_turns_follow_the_order() -> None:
    """SK-50, SK-51: the next player is the next in ``order``."""
    game = late(WENZHOU, "34", "56", "78", "9T")
    game.order = [0, 2, 1, 3]
    turns: list[int | None] = []
    for action in ("3", "7", "pass", "9", "pass"):
        turns.append(game.turn)
        game.apply(action)
    assert turns == [0, 2, 1, 3, 0]


def test_all_others_pass() -> None:
    """SK-52: the last to play leads anew, anything."""
    game = run(late(WENZHOU, "38", "477", "56", "9T"), "3 4 pass pass")
    assert game.table_seat == 1
    game.apply("pass")
    assert (game.turn, game.table, game.table_seat) == (1, None, None)
    assert set(game.legal_actions()) == {"7", "77"}


def test_partner_leads_for_who_is_out() -> None:
    """SK-53: 接风, if nobody beats the last card; else who beat it leads."""
    hands = ("3", "456", "789", "TJQ")
    game = run(late(WENZHOU, *hands), "3 pass pass pass")
    assert (game.turn, game.table, game.finished) == (2, None, [0])
    game = run(late(WENZHOU, *hands), "3 4 pass pass")
    assert (game.turn, game.table) == (1, None)
    game = run(late(WENZHOU, "3", "4", "789", "TJQ"), "3 4 pass pass")
    assert (game.turn, game.table, game.finished) == (3, None, [0, 1])


def test_looking_at_the_partner() -> None:
    """SK-54: only with no cards left, and not in wenzhou."""
    for rules, seen in ((WENZHOU, [0]), (BIANFENG, [0, 2]), (LISHUI, [0, 2])):
        game = late(rules, "3", "456", "789", "TJQ")
        assert game.visible_hands(0) == [0]
        game.apply("3")
        assert [game.visible_hands(seat) for seat in range(4)] == [seen, [1], [2], [3]]


@pytest.mark.parametrize(
    ("hands", "actions", "finished", "wenzhou", "bianfeng"),
    [
        # 双扣: the other two rank by the order after the second to go out
        ("3 55 6 44", "3 pass 6", [0, 2, 3, 1], [4, -4, 4, -4], [4, -4, 4, -4]),
        ("34 55 K 66", "3 pass K pass pass pass 4", [2, 0, 1, 3], [4, -4, 4, -4], [4, -4, 4, -4]),
        ("35 4 88 7", "3 4 pass 7", [1, 3, 0, 2], [-4, 4, -4, 4], [-4, 4, -4, 4]),
        # 单扣
        ("3 4 5 67", "3 4 5", [0, 1, 2, 3], [2, -2, 2, -2], [2, -2, 2, -2]),
        ("39 4 5 6", "3 4 5 6", [1, 2, 3, 0], [-2, 2, -2, 2], [-2, 2, -2, 2]),
        # 平扣
        ("3 4 56 7", "3 4 pass 7", [0, 1, 3, 2], [1, 0, 1, 0], [1, -1, 1, -1]),
        ("36 4 5 7T", "3 4 5 pass 6", [1, 2, 0, 3], [0, 1, 0, 1], [-1, 1, -1, 1]),
    ],
)
def test_endings(
    hands: str, actions: str, finished: list[int], wenzhou: list[int], bianfeng: list[int]
) -> None:
    """SK-60, SK-61: over with the last of these plays and not before."""
    for rules, scores in ((WENZHOU, wenzhou), (BIANFENG, bianfeng), (LISHUI, bianfeng)):
        game = late(rules, *hands.split())
        for action in actions.split():
            assert not game.is_over
            with pytest.raises(RuntimeError):
                game.scores()
            game.apply(action)
        assert (game.is_over, game.turn, game.phase) == (True, None, "over")
        assert game.legal_actions() == []
        assert game.finished == game.state()["finished"] == finished
        assert game.scores() == scores
        with pytest.raises(ValueError):
            game.apply("pass")


def test_double_with_seats_changed() -> None:
    """SK-50, SK-60: teams and places go by ``order``."""
    game = late(WENZHOU, "3", "5", "48", "66")
    game.order = [0, 2, 1, 3]
    run(game, "3 4 5")
    assert game.finished == [0, 1, 3, 2]
    assert game.scores() == [4, 4, -4, -4]


@pytest.mark.parametrize(
    ("rules", "scores"), [(WENZHOU, [44, -36, 28, -36]), (BIANFENG, [50, -38, 26, -38])]
)
def test_worked_scores(rules: Rules, scores: list[int]) -> None:
    """SK-61, SK-62, SK-64, SK-67: 双扣 by players 0 and 2 with one bomb of 7 stars."""
    for stake in (1, 3):
        game = late(rules.replace(stake=stake), "7777777", "34", "5", "46")
        run(game, "7777777 pass pass pass 5")
        assert game.finished == [0, 2, 3, 1]
        assert game.scores() == [stake * points for points in scores]


@pytest.mark.parametrize(
    ("hands", "actions", "scores"),
    [
        # the losers' bomb multiplies nothing
        ("3 4444457 6 78", "3 44444 pass pass 5 6", [4, -4, 4, -4]),
        # the partner's does
        ("3 45 666667 89", "3 pass 66666 pass pass 7", [8, -8, 8, -8]),
        # only the largest, and each of six stars or more is paid for
        (
            "333334444449 5 8 67",
            "33333 pass pass pass 444444 pass pass pass 9 pass pass pass 8",
            [22, -18, 14, -18],
        ),
        # the losers are paid too: 6 stars
        ("3 BBR57 6 78", "3 BBR pass pass 5 6", [2, 2, 2, -6]),
    ],
)
def test_multiplier_and_contribution(hands: str, actions: str, scores: list[int]) -> None:
    """SK-62, SK-64: the winners' largest bomb multiplies, every bomb contributes."""
    for rules in (WENZHOU, BIANFENG):
        assert run(late(rules, *hands.split()), actions).scores() == scores


def test_lishui_scores() -> None:
    """SK-63, SK-65, SK-66: merged bombs count for the multiplier and the contribution."""
    hands = ("555556666688888", "34", "7", "46")
    actions = "55555 pass pass pass 66666 pass pass pass 88888 pass pass pass 7"
    assert run(late(LISHUI, *hands), actions).scores() == [50, -38, 26, -38]
    assert run(late(BIANFENG, *hands), actions).scores() == [8, -8, 8, -8]
    long = ("333344445555666677778888", "9T", "7", "JQ")
    game = run(late(LISHUI, *long), f"{long[0]} pass pass pass 7")
    assert game.scores() == [256 + 30, -256 - 10, 256 - 10, -256 - 10]


def test_booked_contribution_and_stars() -> None:
    """SK-64, SK-65, SK-66: the state shows what is booked after each play."""
    hands = ("44444455555533", "67", "89", "TJ")
    for rules, best, paid in (
        (WENZHOU, [6, 6], [6, 12]),
        (BIANFENG, [6, 6], [6, 12]),
        (LISHUI, [6, 7], [6, 18]),
    ):
        game = late(rules, *hands)
        for action, stars, gain in zip(("444444", "555555"), best, paid, strict=True):
            run(game, f"{action} pass pass pass")
            assert game.state()["best_stars"] == [stars, 0, 0, 0]
            assert game.state()["contribution"] == [gain, *[-gain // 3] * 3]


def test_escape() -> None:
    """SK-68: 双扣 base x current multiplier x 2 x stake, the others nothing."""
    for player in range(4):
        for stake in (1, 5):
            game = late(BIANFENG.replace(stake=stake), "3333334", "56", "78", "9T")
            game.apply("333333")
            game.escape(player)
            assert (game.is_over, game.turn, game.legal_actions()) == (True, None, [])
            assert game.scores() == [-32 * stake if seat == player else 0 for seat in range(4)]
            assert game.contribution() == [0, 0, 0, 0]
            with pytest.raises(ValueError):
                game.escape(player)


def test_multiplier_of_an_escape() -> None:
    """SK-68: 1 without a bomb; any player's bombs count, merged as SK-66 has it."""
    game = late(LISHUI, "33", "44", "55", "66")
    game.escape(2)
    assert game.scores() == [0, 0, -8, 0]
    hands = ("33", "555556666688888A", "77", "99")
    actions = "3 55555 pass pass pass 66666 pass pass pass 88888"
    for rules, lost in ((LISHUI, -64), (BIANFENG, -16)):
        game = run(late(rules, *hands), actions)
        game.escape(3)
        assert game.scores() == [0, 0, 0, lost]


def test_where_escape_is_not() -> None:
    """SK-68: not in wenzhou, and only by one of the four."""
    for rules, player in ((WENZHOU, 0), (BIANFENG, 4), (BIANFENG, -1), (BIANFENG, True)):
        game = Game(rules, PLAIN_DEAL)
        before = game.state()
        with pytest.raises(ValueError):
            game.escape(player)
        assert game.state() == before


@pytest.mark.parametrize(
    ("action", "left"),
    [
        ("7", [17, 18, 19, 72, 106, 107]),
        ("77", [18, 19, 72, 106, 107]),
        ("H7", [16, 17, 19, 72, 106, 107]),
        ("H7 H7", [16, 17, 19, 106, 107]),
        ("7, D7", [18, 19, 72, 106, 107]),
        ("S7+R", [16, 17, 18, 72, 106]),
        ("BR", [16, 17, 18, 19, 72]),
    ],
)
def test_cards_removed(action: str, left: list[int]) -> None:
    """SK-1: ranks take the lowest ids, suited text just these faces, one card for each."""
    game = late(WENZHOU, "3", "4", "5", "6")
    game.hands[0] = [16, 17, 18, 19, 72, 106, 107]
    assert game.is_legal(action)
    game.apply(action)
    assert game.hands[0] == left


@pytest.mark.parametrize(
    "action", ["5", "77", "88", "H8 H8", "SB", "89", "8 9", "", "fold", "10", "8X", "8R8", "PASS"]
)
def test_illegal_actions_change_nothing(action: str) -> None:
    """SK-40, SK-51: too low, another pattern, not in hand, no pattern, no cards."""
    game = run(late(WENZHOU, "67", "5899R", "TJ", "QK"), "6")
    before = game.state()
    assert not game.is_legal(action)
    with pytest.raises(ValueError):
        game.apply(action)
    assert game.state() == before


def test_state_in_full() -> None:
    """SK-50, SK-51: every field."""
    game = run(late(BIANFENG, "36", "77", "A", "2R"), "3 7")
    assert game.state() == {
        "turn": 2,
        "phase": "play",
        "order": [0, 1, 2, 3],
        "hands": [[12], [17], [44], [48, 53]],
        "finished": [],
        "table": "7",
        "table_seat": 1,
        "is_over": False,
        "leader": 0,
        "best_stars": [0, 0, 0, 0],
        "contribution": [0, 0, 0, 0],
    }


def assert_ending(game: Game) -> None:
    """The places and the sum of the scores fit the ending (SK-60, SK-61)."""
    assert sorted(game.finished) == [0, 1, 2, 3]
    out = [not game.hands[seat] for seat in game.finished]
    partner_place = game.finished.index(game.partner(game.finished[0]))
    # 双扣 leaves two players with cards, the other endings one.
    assert out == ([True, True, False, False] if partner_place == 1 else [True] * 3 + [False])
    total = 0
    if game.rules.name == "wenzhou" and partner_place == 3:
        best = max(game.best_stars()[seat] for seat in (game.finished[0], game.finished[3]))
        total = 2 * game.rules.stake * {5: 2, 6: 4, 7: 8}.get(best, 16 if best > 7 else 1)
    assert sum(game.scores()) == total


@pytest.mark.parametrize("seed", range(36))
def test_whole_hands(seed: int) -> None:
    """SK-1, SK-50 to SK-53, SK-60: random hands end, and cards and points are conserved."""
    rng = random.Random(seed)
    rules = PRESETS[seed % 3].replace(stake=1 + seed % 4)
    history = {"order": rng.sample(range(4), 4)}
    game = Game(rules, deal_of(seed), history)
    passes = 0
    while game.turn is not None:
        seat, last, before = game.turn, game.table_seat, [set(hand) for hand in game.hands]
        actions = game.legal_actions()
        assert actions and len(set(actions)) == len(actions)
        assert ("pass" in actions) == (game.table is not None)
        assert json.loads(json.dumps(game.state())) == game.state()
        action = rng.choice(actions)
        assert game.is_legal(action)
        game.apply(action)
        gone = before[seat] - set(game.hands[seat])
        assert all(set(game.hands[other]) == before[other] for other in range(4) if other != seat)
        assert len(before[seat]) - len(game.hands[seat]) == len(gone)
        text = "".join(RANKS[card % 54 // 4 + (card % 54 == 53)] for card in gone)
        assert sorted(text) == sorted(action.replace("pass", ""))
        if action != "pass":
            passes = 0
            assert game.is_over or (game.state()["table"], game.table_seat) == (action, seat)
        else:
            # A trick lasts until all others who have cards have passed in a row.
            assert last is not None
            passes += 1
            others = sum(1 for other in range(4) if game.hands[other] and other != last)
            assert (game.table is None) == (passes == others)
            if passes == others:
                assert game.turn == (last if game.hands[last] else game.partner(last))
        assert game.turn is None or game.hands[game.turn]
    assert_ending(game)
    assert game.next_history() == {"order": game.order}


@by_preset
def test_legal_means_listed(rules: Rules) -> None:
    """SK-51: whatever a player might try is legal exactly if it is listed."""
    rng = random.Random(17)
    deck = "6777777788889999BBRR"
    for _ in range(20):
        cards = rng.sample(deck, 20)
        hands = [sorted(cards[5 * seat : 5 * seat + 5], key=RANKS.index) for seat in range(4)]
        game = late(rules, *("".join(hand) for hand in hands))
        while game.turn is not None:
            hand = hands[game.turn]
            tries = {"".join(some) for n in range(1, 6) for some in combinations(hand, n)}
            actions = game.legal_actions()
            assert {text for text in tries | {"pass"} if game.is_legal(text)} == set(actions)
            action = rng.choice(actions)
            for rank in action.replace("pass", ""):
                hand.remove(rank)
            game.apply(action)
            assert [len(ids) for ids in game.hands] == [len(texts) for texts in hands]


# The rule sheet


def test_presets() -> None:
    """SK-16, SK-19, SK-44, SK-45, SK-54, SK-61 to SK-68: the three presets."""
    assert Rules() == WENZHOU
    assert WENZHOU.as_dict() == {
        "name": "wenzhou",
        "loops": False,
        "max_bomb": 8,
        "equal_stars": "rank",
        "base_double": [4, 4, -4, -4],
        "base_single": [2, -2, 2, -2],
        "base_even": [1, 0, 0, 1],
        "multiplier": [2, 4, 8, 16, 16, 16],
        "contribution": [[6, 2], [12, 4], [18, 6]],
        "contribution_counts": "each",
        "merge_bombs": False,
        "see_partner": False,
        "escape": False,
        "stake": 1,
    }
    bianfeng = {
        **WENZHOU.as_dict(),
        "name": "bianfeng",
        "loops": True,
        "equal_stars": "count",
        "base_even": [1, -1, -1, 1],
        "contribution": [[6, 2], [18, 6], [30, 10]],
        "see_partner": True,
        "escape": True,
    }
    assert BIANFENG.as_dict() == bianfeng
    assert LISHUI.as_dict() == {
        **bianfeng,
        "name": "lishui",
        "multiplier": [2, 4, 8, 16, 32, 64],
        "contribution_counts": "highest",
        "merge_bombs": True,
    }


@by_preset
def test_rules_as_json(rules: Rules) -> None:
    """SK-67: a sheet, the house's stake included, comes back from JSON as it was."""
    house = rules.replace(stake=20, base_even=(3, -1, -1, -1))
    assert Rules.from_dict(json.loads(json.dumps(house.as_dict()))) == house != rules


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("loops", 1),
        ("max_bomb", 7),
        ("max_bomb", 11),
        ("equal_stars", "cards"),
        ("base_double", (4, 4, -4)),
        ("base_single", (2, -2, 2, 1001)),
        ("base_even", (1, 0, 0, True)),
        ("multiplier", (0, 4, 8, 16, 16, 16)),
        ("multiplier", (2, 4, 8, 16, 16)),
        ("multiplier", (2, 4, 8, 16, 16, 4097)),
        ("contribution", ((6, 2), (12, 4))),
        ("contribution", ((6, 2), (12, 4), (18, -6))),
        ("contribution", ((6, 2), (12, 4), 18)),
        ("contribution", 6),
        ("contribution_counts", "all"),
        ("merge_bombs", None),
        ("see_partner", "yes"),
        ("escape", 0),
        ("stake", 0),
        ("stake", 10**6 + 1),
        ("stake", 1.5),
        ("colour", "red"),
    ],
)
def test_bad_rules(field: str, value: object) -> None:
    """SK-16, SK-44 to SK-46, SK-61 to SK-68: what a house may not write names the field."""
    with pytest.raises(ValueError, match=field):
        WENZHOU.replace(**{field: value})
    with pytest.raises(ValueError, match=field):
        Rules.from_dict({**WENZHOU.as_dict(), field: value})
