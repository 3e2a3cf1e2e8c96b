"""打滚子: the reference against the rules text, clause by clause."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from qipai.reference.gunzi import (
    Game,
    Settlement,
    Trump,
    count_follows,
    is_legal_follow,
    iter_follows,
    legal_leads,
    points,
    settle,
    trick_winner,
)
from qipai.reference.gunzi.bidding import Showing, later_showings
from qipai.reference.gunzi.bottom import is_dry
from qipai.reference.gunzi.cards import face_text, faces_of, is_trump, shape, strength
from qipai.rules.gunzi import Rules

DEAD, LIVE = Rules.diamond(), Rules.yiku()
SPADES_5 = Trump("S", 5)
FIRST = {"levels": [3, 3], "dealer": None, "blood": 0}
ALL_5 = "D5*3 C5*3 H5*3 S5*3"
JOKERS = "B*3 R*3"


# Building hands


def deal_of(
    start: int = 0,
    bottom: str = "",
    early: dict[int, str] | None = None,
    late: dict[int, str] | None = None,
    flips: Sequence[int] = range(6),
) -> dict[str, Any]:
    """A deal in which a seat draws ``early`` first, ``late`` last, and low cards in between."""
    pool = sorted(range(162), key=lambda card: (card % 54, card))

    def take(text: str) -> list[int]:
        ids: list[int] = []
        for face in faces_of(text):
            ids.append(next(card for card in pool if card % 54 == face))
            pool.remove(ids[-1])
        return ids

    under = take(bottom)
    first = [take((early or {}).get(seat, "")) for seat in range(4)]
    last = [take((late or {}).get(seat, "")) for seat in range(4)]
    under += [pool.pop(0) for _ in range(6 - len(under))]
    hands: list[list[int]] = []
    for seat in range(4):
        need = 39 - len(first[seat]) - len(last[seat])
        hands.append(first[seat] + [pool.pop(0) for _ in range(need)] + last[seat])
    draws = [hands[(start + turn) % 4][turn // 4] for turn in range(156)]
    return {"draws": draws, "bottom": under, "start": start, "flips": list(flips)}


def history(
    levels: tuple[int, int] = (5, 5), dealer: int | None = 0, blood: int = 0
) -> dict[str, Any]:
    return {"levels": list(levels), "dealer": dealer, "blood": blood}


def faces_in(ids: Sequence[int]) -> list[str]:
    return [face_text(face) for face in sorted(card % 54 for card in ids)]


def asked(game: Game, most: int = 1000) -> list[tuple[int, int]]:
    """Decline every showing; (cards drawn, seat) of each who was asked."""
    log: list[tuple[int, int]] = []
    while game.phase == "deal" and game.turn is not None and len(log) < most:
        log.append((game.drawn, game.turn))
        game.apply("pass")
    return log


def run(game: Game, *texts: str) -> Game:
    for text in texts:
        game.apply(text)
    return game


def to_play(game: Game) -> Game:
    """Decline everything, bury the lowest cards, and come to the first lead."""
    while game.phase != "play":
        texts = game.legal_actions()
        game.apply(next((text for text in ("pass", "done") if text in texts), texts[0]))
    return game


# The rule sheet


def test_presets_gz54() -> None:
    """GZ-54: 钻石 plays 死棒, 亿酷 活棒; either takes either."""
    assert (DEAD.name, DEAD.follow) == ("diamond", "dead")
    assert (LIVE.name, LIVE.follow) == ("yiku", "live")
    assert DEAD.replace(follow="live").follow == "live"
    assert LIVE.replace(follow="dead").follow == "dead"
    for rules in (DEAD, LIVE):  # GZ-20, GZ-24, GZ-64, GZ-65
        assert rules.bid_windows == "changed"
        assert rules.self_overturn is False
        assert rules.joker_levels == (2, 1)
        assert rules.instant_jokers == "both"
        assert rules.stake == 1
        assert Rules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("follow", "free"),
        ("bid_windows", True),
        ("self_overturn", 1),
        ("joker_levels", (2,)),
        ("joker_levels", (2, -1)),
        ("instant_jokers", "small"),
        ("stake", 0),
        ("name", ""),
    ],
)
def test_bad_rules(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        DEAD.replace(**{field: value})


# Cards


def test_points_gz2() -> None:
    """GZ-2: 5 counts 5, T and K 10 each, 300 in all."""
    assert points(faces_of("H5 ST DK CA R")) == 25
    assert points(list(range(54)) * 3) == 300
    with pytest.raises(ValueError, match="H5"):
        points(faces_of("H5*3 H5"))


def test_trumps_gz3() -> None:
    """GZ-3: jokers, all 2, all level cards, the trump suit."""
    trumps = {face_text(face) for face in range(54) if is_trump(face, SPADES_5)}
    spades = {"S" + rank for rank in "3456789TJQKA2"}
    assert trumps == spades | {"R", "B", "D2", "C2", "H2", "D5", "C5", "H5"}


def test_order_gz4() -> None:
    """GZ-4: the whole order; level cards and 2s of the other suits are equal among each other."""
    order = "R|B|S5|H5 C5 D5|S2|H2 C2 D2|SA|SK|SQ|SJ|ST|S9|S8|S7|S6|S4|S3"
    order += "|" + "|".join(f"H{rank} C{rank} D{rank}" for rank in "AKQJT987643")
    groups = [[strength(face, SPADES_5) for face in faces_of(part)] for part in order.split("|")]
    assert sum(map(len, groups)) == 54
    assert all(len(set(group)) == 1 for group in groups)
    heights = [group[0] for group in groups]
    assert heights == sorted(set(heights), reverse=True)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("H8", 1), ("H8*2", 2), ("H8*3", 3), ("B*3", 3),
        ("H8 C8", None), ("H5 D5", None), ("H2 S2", None), ("B R", None),
        ("S3*2 S4*2", None), ("S6*3 S7*3", None), ("SA SK", None), ("", None),
    ],
)  # fmt: skip
def test_shapes_gz5(cards: str, expected: int | None) -> None:
    """GZ-5: 单, 棒, 滚 and nothing else; two suits make no 棒 (GZ-4)."""
    assert shape(faces_of(cards)) == expected


@pytest.mark.parametrize(("suit", "level"), [("X", 5), ("", 5), ("SH", 5), ("S", 2), ("S", 11)])
def test_bad_trump(suit: str, level: int) -> None:
    with pytest.raises(ValueError, match=r"suit|level"):
        Trump(suit, level)


# Leads, follows, tricks


def test_leads_gz50() -> None:
    """GZ-50: every 单, 棒 and 滚 once."""
    leads = legal_leads(faces_of("H8*3 C4*2 R"), SPADES_5)
    expected = ["H8", "H8*2", "H8*3", "C4", "C4*2", "R"]
    assert sorted(leads) == sorted(tuple(faces_of(text)) for text in expected)


@pytest.mark.parametrize(
    ("lead", "hand", "play", "live", "dead"),
    [
        # the worked cases
        ("H8*2", "H6*2 H9 C4", "H6 H9", True, False),
        ("H8*2", "H3 H9 C4", "H3 C4", False, False),
        ("H8*2", "H9*3 H3 H4 C4", "H3 H4", True, True),
        ("H8*2", "H9*3 C4 D6", "C4 D6", False, False),
        ("H8*3", "H6*2 H9 HT C4", "H6*2 H9", True, True),
        ("H8*3", "H6*2 H9 HT C4", "H6 H9 HT", True, False),
        ("H8*3", "H6*2 C4 D6", "H6 C4 D6", False, False),
        ("H8*3", "H6*2 C4 D6", "H6*2 C4", True, True),
        ("S7*2", "H5*2 S3", "H5 S3", True, False),
        # GZ-51: follow suit while there is any, all trumps are one suit, else freely
        ("H8", "H3 C4", "C4", False, False),
        ("S7", "H5 C4", "C4", False, False),
        ("S7", "B D2 C4", "D2", True, True),
        ("H8", "H5 C4 D9", "C4", True, True),
        ("H8", "H5 C4 D9", "H5", True, True),
        ("H8*2", "H3 C4 D9", "C4 D9", False, False),
        ("H8*2", "C4 D9 S3*2", "C4 S3", True, True),
        # GZ-53: any two alike serve, two out of a 滚 included
        ("H8*2", "H9*3 H6*2 H3", "H9*2", True, True),
        ("H8*2", "H9*3 H6*2 H3", "H6*2", True, True),
        ("H8*2", "H9*3 H6*2 H3", "H9 H3", True, False),
        # GZ-53: without a 棒 one of a 滚 may serve as a single card
        ("H8*2", "H9*3 H3", "H9 H3", True, True),
        ("H8*2", "H9*3 H3", "H9*2", True, True),
        # GZ-53: 滚, else 棒 + single, else singles
        ("H8*3", "H9*3 H6*2 H3", "H9*3", True, True),
        ("H8*3", "H9*3 H6*2 H3", "H6*2 H3", True, False),
        ("H8*3", "H9*3 H6*2 H3", "H9*2 H6", True, False),
        ("H8*3", "H6*2 H9*2", "H6 H9*2", True, True),
        ("H8*3", "H6 H7 H9 C4*3", "H6 H7 H9", True, True),
        ("H8*3", "H6 H7 H9 C4*3", "C4*3", False, False),
        # a shape is owed only if the suit led fills the whole play
        ("H8*3", "H6*2 C4*2 D6", "H6*2 D6", True, True),
        ("H8*3", "C4*3 D6 D7 D9", "D6 D7 D9", True, True),
        # level cards of two suits are no 棒
        ("S7*2", "H5 D5 S3", "H5 S3", True, True),
        # other numbers of cards, other cards
        ("H8*2", "H6*2 H9", "H6", False, False),
        ("H8", "H6*2 H9", "H6*2", False, False),
        ("H8", "H6*2 H9", "H7", False, False),
        ("H8*2", "H6 H9", "H6*2", False, False),
    ],
)
def test_follow_gz51_gz52_gz53(lead: str, hand: str, play: str, live: bool, dead: bool) -> None:
    """GZ-51, GZ-52, GZ-53, worked cases included; level 5, trump spades."""
    cards = faces_of(lead), faces_of(play), faces_of(hand)
    assert is_legal_follow(*cards, SPADES_5, LIVE) is live
    assert is_legal_follow(*cards, SPADES_5, DEAD) is dead


@pytest.mark.parametrize(
    ("lead", "hand", "live", "dead"),
    [
        ("H8", "H3 H9*2 C4", "H3|H9", "H3|H9"),
        ("H8*2", "H6*2 H9 C4", "H6*2|H6 H9", "H6*2"),
        ("H8*2", "H6 C4*2 D9", "H6 C4|H6 D9", "H6 C4|H6 D9"),
        ("H8*3", "H6*2 H9*2", "H6*2 H9|H6 H9*2", "H6*2 H9|H6 H9*2"),
        ("H8*2", "C4*2 S3", "C4*2|C4 S3", "C4*2|C4 S3"),
    ],
)
def test_follows_are_listed_once(lead: str, hand: str, live: str, dead: str) -> None:
    """GZ-51 to GZ-53: every distinct follow, once."""
    for rules, expected in ((LIVE, live), (DEAD, dead)):
        plays = list(iter_follows(faces_of(lead), faces_of(hand), SPADES_5, rules))
        wanted = [tuple(sorted(faces_of(text))) for text in expected.split("|")]
        assert sorted(plays) == sorted(wanted)
        assert count_follows(faces_of(lead), faces_of(hand), SPADES_5, rules) == len(wanted)


def test_bad_follow() -> None:
    hand = faces_of("H6 H9")
    with pytest.raises(ValueError, match="lead"):
        is_legal_follow(faces_of("H8 H7"), hand, hand, SPADES_5, LIVE)
    with pytest.raises(ValueError, match="lead"):
        count_follows([], hand, SPADES_5, LIVE)
    with pytest.raises(ValueError, match=r"hand.*H6"):
        count_follows(faces_of("H8"), faces_of("H6*3 H6"), SPADES_5, LIVE)
    with pytest.raises(ValueError, match="54"):
        legal_leads([54], SPADES_5)


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        # the worked cases
        ("H7 HK CA H3", 1),
        ("HA C3 B D6", 2),
        ("H8*2 HK*2 HA+H3 H9*2", 1),
        ("HA*2 S3+S4 C4*2 D6+D7", 0),
        ("S7 H5 D5 S9", 1),
        ("S7*2 H5*2 D5*2 S5*2", 3),
        ("S7 D2 S2 SA", 2),
        # GZ-55
        ("HK HK HA HA", 2),
        ("H8*2 S3*2 S4*2 HA*2", 2),
        ("H8*3 HK*2+HA S3*3 R*2+B", 2),
        ("H8*2 H5+D5 HK+HQ C9*2", 0),
        ("D2 C2 H2 S3", 0),
        ("H7 DA CA H6", 0),
    ],
)
def test_trick_gz55(plays: str, winner: int) -> None:
    """GZ-55, worked cases included; level 5, trump spades."""
    assert trick_winner([faces_of(play) for play in plays.split()], SPADES_5) == winner


@pytest.mark.parametrize("plays", ["", "H8+H9 H3*2", "H8*2 H3", "H8*2 H8*2", "H3 H4 H6 H7 H8"])
def test_bad_trick(plays: str) -> None:
    with pytest.raises(ValueError, match=r"plays|lead"):
        trick_winner([faces_of(play) for play in plays.split()], SPADES_5)


# Settlement


def settled(
    total: int,
    dug: bool,
    buried: tuple[int, int] = (0, 0),
    level: tuple[int, int] = (3, 3),
    **more: Any,
) -> Settlement:
    return settle(total, dug, buried, level=level, **more)


def test_settle_worked_cases() -> None:
    """GZ-32, GZ-33, GZ-63, GZ-64, GZ-65: the worked cases."""
    assert settled(75, False).blood == 1
    assert (settled(5, False).blood, settled(5, False).gained) == (8, 1)
    assert settled(155, True).blood == 0
    assert settled(165, True).blood == 1
    void = settled(100, True, (1, 1))
    assert (void.gainer, void.gained, void.blood) == (None, 0, 0)
    held = settled(120, False, (0, 2))
    assert (held.gainer, held.gained, held.blood, held.payer) == (None, 0, 2, "dealers")
    assert settled(310, True).round_winner == "attackers"
    assert settled(60, False, (1, 0), (9, 3)).levels == (10, 3)


@pytest.mark.parametrize(
    ("total", "blood", "payer"),
    [
        (5, 8, "attackers"), (10, 7, "attackers"), (70, 1, "attackers"), (75, 1, "attackers"),
        (80, 0, None), (115, 0, None), (120, 0, None), (150, 0, None), (155, 0, None),
        (160, 1, "dealers"), (175, 2, "dealers"), (295, 14, "dealers"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dug", [False, True])
def test_blood_from_points_gz32(total: int, blood: int, payer: str | None, dug: bool) -> None:
    """GZ-32: whoever won the last trick."""
    got = settled(total, dug)
    assert (got.blood, got.payer) == (blood, payer)


@pytest.mark.parametrize(
    ("total", "dug", "gainer", "levels", "blood", "payer", "next_dealer"),
    [
        # GZ-62, GZ-63, GZ-64: four cases, one 大王 and one 小王 buried, levels 4 and 5
        (100, False, "dealers", (8, 5), 3, "attackers", 2),
        (100, True, None, (4, 5), 0, None, 2),
        (140, False, None, (4, 5), 3, "dealers", 1),
        (140, True, "attackers", (4, 9), 3, "dealers", 1),
        (40, False, "dealers", (8, 5), 7, "attackers", 2),
        (40, True, None, (4, 5), 4, "attackers", 2),
        (170, False, None, (4, 5), 5, "dealers", 1),
        (170, True, "attackers", (4, 9), 5, "dealers", 1),
    ],
)
def test_buried_jokers_gz12_gz33_gz64(
    total: int,
    dug: bool,
    gainer: str | None,
    levels: tuple[int, int],
    blood: int,
    payer: str | None,
    next_dealer: int,
) -> None:
    """GZ-12, GZ-33, GZ-62, GZ-63, GZ-64."""
    got = settled(total, dug, (1, 1), (4, 5))
    assert (got.gainer, got.levels, got.blood, got.payer) == (gainer, levels, blood, payer)
    assert got.next_dealer == next_dealer
    assert got.round_winner is None
    assert got.gained == sum(levels) - 9


def test_no_gain_jumps_over_ten_gz10() -> None:
    """GZ-10, GZ-66: 逢10必打; attackers at 10 stay there and gain 0."""
    assert settled(100, False, (2, 2), (7, 3)).levels == (10, 3)
    assert settled(100, False, (2, 2), (7, 3)).gained == 3
    at_ten = settled(140, True, (1, 0), (3, 10))
    assert (at_ten.gainer, at_ten.levels, at_ten.gained) == ("attackers", (3, 10), 0)
    assert at_ten.round_winner is None
    assert (at_ten.blood, at_ten.next_dealer) == (2, 1)


def test_level_ten_won_gz63() -> None:
    """GZ-10, GZ-63, GZ-66: the round is won, counting as level 11; nothing is due (GZ-32)."""
    expected = Settlement("dealers", (3, 3), 1, 0, None, None, "dealers")
    assert settled(60, False, (1, 0), (10, 8)) == expected
    assert settled(100, True, (0, 0), (10, 8)).round_winner is None
    assert settled(120, False, (0, 0), (10, 8)).round_winner is None


@pytest.mark.parametrize(
    ("total", "dug", "buried", "winner"),
    [
        (0, False, (0, 0), "dealers"),
        (0, True, (0, 0), "dealers"),
        (5, False, (0, 0), None),
        (300, False, (0, 0), "attackers"),
        (300, True, (0, 0), "attackers"),
        (360, True, (0, 0), "attackers"),
        (295, True, (0, 0), None),
        (115, False, (3, 0), "dealers"),
        (115, False, (0, 3), "dealers"),
        (115, True, (3, 0), None),
        (115, True, (0, 3), None),
        (120, True, (3, 0), "attackers"),
        (120, True, (0, 3), "attackers"),
        (120, False, (3, 3), None),
        (115, False, (2, 2), None),
    ],
)
def test_round_ends_gz65(total: int, dug: bool, buried: tuple[int, int], winner: str) -> None:
    """GZ-65, GZ-66: a round won counts as 11 - the winner's level; nothing goes into the next."""
    got = settled(total, dug, buried, (4, 6))
    assert got.round_winner == winner
    if winner is not None:
        gained = 7 if winner == "dealers" else 5
        assert got == Settlement(got.gainer, (3, 3), gained, 0, None, None, got.round_winner)
        assert got.gainer == winner


def test_instant_jokers_and_joker_levels() -> None:
    """GZ-64, GZ-65: the fields of the sheet."""
    big = DEAD.replace(instant_jokers="big")
    assert settled(115, False, (0, 3), rules=big).round_winner is None
    assert settled(115, False, (0, 3), rules=big).levels == (7, 3)
    assert settled(115, False, (3, 0), rules=big).round_winner == "dealers"
    cheap = DEAD.replace(joker_levels=(1, 0))
    got = settled(115, False, (1, 1), rules=cheap)
    assert (got.levels, got.blood) == ((5, 3), 3)


def test_dry_gz44() -> None:
    """GZ-44: one level still, jokers count for nothing; GZ-32 and S = 0 hold as ever."""
    got = settled(60, False, (1, 1), (4, 4), dry=True)
    assert (got.gainer, got.levels, got.blood) == ("dealers", (5, 4), 2)
    got = settled(170, True, (1, 1), (4, 4), dry=True)
    assert (got.gainer, got.levels, got.blood) == ("attackers", (4, 5), 2)
    assert settled(130, False, (0, 2), dry=True).blood == 0
    assert settled(115, False, (3, 0), dry=True).round_winner is None
    assert settled(0, False, (0, 0), dry=True).round_winner == "dealers"


@pytest.mark.parametrize(
    ("total", "dug", "buried", "level", "culprit"),
    [
        (7, False, (0, 0), (3, 3), "points"),
        (-5, False, (0, 0), (3, 3), "points"),
        (305, False, (0, 0), (3, 3), "points"),
        (365, True, (0, 0), (3, 3), "points"),
        (345, True, (1, 1), (3, 3), "points"),  # two jokers leave room for 40 points
        (100, False, (4, 0), (3, 3), "大王"),
        (100, False, (0, 4), (3, 3), "小王"),
        (100, False, (0, -1), (3, 3), "小王"),
        (100, False, (0, 0), (2, 3), "level"),
        (100, False, (0, 0), (3, 11), "level"),
    ],
)
def test_impossible_settlement(
    total: int, dug: bool, buried: tuple[int, int], level: tuple[int, int], culprit: str
) -> None:
    with pytest.raises(ValueError, match=culprit):
        settle(total, dug, buried, level=level)


def test_most_points_gz61() -> None:
    """GZ-61: six tens in the bottom make 360, jokers leave less room."""
    assert settled(360, True).round_winner == "attackers"
    assert settled(340, True, (1, 1)).round_winner == "attackers"


# The first hand of a round


def test_deal_gz1_gz11() -> None:
    """GZ-1, GZ-11: one card at a time in turn order, 39 each, six in the bottom."""
    deal = deal_of(start=2, early={3: "R", 0: "", 1: ""})
    game = Game(DEAD, deal)
    assert (game.drawn, game.turn) == (2, 3)  # seat 2 drew first, then seat 3
    assert game.hands[2] == deal["draws"][:1]
    assert game.hands[3] == deal["draws"][1:2]
    asked(game)
    assert [len(hand) for hand in game.state()["hands"]].count(39) == 3


def test_first_windows_gz20() -> None:
    """GZ-20: a second 大王 adds nothing; the end window asks once more."""
    deal = deal_of(bottom="R", early={1: "R R"})
    assert asked(Game(DEAD, deal)) == [(2, 1), (156, 1)]
    every = DEAD.replace(bid_windows="every")
    assert asked(Game(every, deal)) == [(drawn, 1) for drawn in range(2, 157)]


def test_first_windows_order_gz20() -> None:
    """GZ-20: who just drew is asked first, then the others in turn order."""
    deal = deal_of(start=1, early={1: "D4 R", 2: "R", 0: "R"})
    every = DEAD.replace(bid_windows="every")
    # seat 1 draws cards 1 and 5, seat 2 card 2, seat 0 card 4
    expected = [(2, 2), (3, 2), (4, 0), (4, 2), (5, 1), (5, 2), (5, 0), (6, 2), (6, 0), (6, 1)]
    assert asked(Game(every, deal), 10) == expected
    game = Game(DEAD, deal)
    assert asked(game) == [(2, 2), (4, 0), (5, 1), (156, 0), (156, 1), (156, 2)]


def test_show_big_joker_gz21() -> None:
    """GZ-21: the shower is the dealer, the next suited card drawn names the trumps."""
    deal = deal_of(start=1, early={1: "R", 3: "C4 R B*2 HQ", 2: "R"})
    game = Game(DEAD, deal)
    assert (game.turn, game.legal_actions()) == (1, ["pass", "show R"])
    game.apply("pass")
    assert game.turn == 2
    game.apply("pass")
    assert game.turn == 3
    game.apply("show R")  # nobody can overturn it, though seats 1 and 2 hold one
    state = game.state()
    assert state["drawn"] == 156
    assert state["dealer"] == 3
    assert state["trump"] == {"suit": "H", "level": 3}
    assert faces_in([state["trump_card"]]) == ["HQ"]
    assert state["shown"] == {"seat": 3, "text": "show R", "suit": None}
    assert state["flipped"] == []


def test_show_in_the_end_window_gz21() -> None:
    """GZ-21: with no card to come the bottom is looked through in order."""
    deal = deal_of(bottom="B R C7 H8 D4 D6", early={0: "R"})
    game = Game(DEAD, deal)
    game.apply("pass")
    assert game.drawn == 156
    game.apply("show R")
    state = game.state()
    assert state["trump"] == {"suit": "C", "level": 3}
    assert faces_in([state["trump_card"]]) == ["C7"]
    late = Game(DEAD, deal_of(bottom="DJ R*2", late={3: "R"}))
    assert (late.drawn, late.turn) == (156, 3)
    late.apply("show R")
    assert late.state()["trump"]["suit"] == "D"


@pytest.mark.parametrize(
    ("bottom", "flips", "start", "dealer", "suit", "turned"),
    [
        ("H4 S6 DA CK R B", (0, 1, 2, 3, 4, 5), 1, 3, "D", 4),
        ("H4 S6 DA CK R B", (3, 2, 0, 1, 4, 5), 1, 2, "D", 4),
        ("HA D2 C2 SK R B", (0, 1, 2, 3, 4, 5), 0, 1, "D", 4),  # the earlier flip wins a tie
        ("HA D2 C3 SK R B", (0, 1, 2, 3, 4, 5), 0, 2, "C", 4),  # 3 above 2 above A
        ("H4 S4 D5 C4 R B", (0, 1, 2, 3, 4, 5), 0, 2, "D", 4),
        ("HA R B S4 C3 D3", (0, 1, 2, 3, 4, 5), 2, 0, "C", 6),  # jokers over, by the same player
    ],
)
def test_flips_gz22(
    bottom: str, flips: tuple[int, ...], start: int, dealer: int, suit: str, turned: int
) -> None:
    """GZ-22: each flips one card from the seat where the deal started on."""
    deal = deal_of(start, bottom, flips=flips)
    game = Game(DEAD, deal)
    asked(game)
    state = game.state()
    assert (state["dealer"], state["trump"]) == (dealer, {"suit": suit, "level": 3})
    assert len(state["flipped"]) == turned
    assert [card for _, card in state["flipped"]] == [deal["bottom"][i] for i in flips][:turned]


def test_flips_name_the_seats_gz22() -> None:
    """GZ-22: a joker is flipped over by the same player."""
    game = Game(DEAD, deal_of(2, "HA R B S4 C3 D3"))
    asked(game)
    assert [seat for seat, _ in game.flipped] == [2, 3, 3, 3, 0, 1]


def test_bottom_runs_out_gz22() -> None:
    """GZ-22: then the deal is made again, with the same start."""
    poor = deal_of(1, "HA R*3 S4 C3")
    again = deal_of(1, "H4 S6 DA CK", early={1: "R"})
    game = Game(DEAD, poor, redeals=[again])
    assert (game.turn, game.drawn) == (1, 1)
    assert game.bottom == again["bottom"]
    game.apply("pass")
    asked(game)
    assert game.dealer == 3

    alone = Game(DEAD, poor)
    assert (alone.phase, alone.turn, alone.legal_actions()) == ("redeal", None, [])
    assert not alone.is_over
    with pytest.raises(ValueError, match="start"):
        alone.redeal(deal_of(2, "H4 S6 DA CK"))
    assert alone.phase == "redeal"
    alone.redeal(again)
    assert (alone.phase, alone.turn) == ("deal", 1)
    with pytest.raises(ValueError, match="redeal"):
        alone.redeal(again)


def test_first_bottom_gz40() -> None:
    """GZ-40: the bottom is shown if 大王 was, else not and never 干锅 (GZ-44)."""
    dry = "R D4 D6 D7 D8 D9"
    shown = run(Game(DEAD, deal_of(0, dry, early={0: "R HQ"})), "show R")
    assert (shown.dry, shown.phase) == (True, "play")
    hidden = Game(DEAD, deal_of(0, "D4 D6 D7 D8 D9 DJ", flips=(5, 4, 3, 2, 1, 0)))
    asked(hidden)
    # DJ, the first flip, wins: trumps are diamonds and fill the bottom
    assert (hidden.dry, hidden.phase, hidden.dealer) == (False, "bury", 0)


# Bidding in later hands


def later(early: dict[int, str], bottom: str = JOKERS, rules: Rules = DEAD, **more: Any) -> Game:
    """A later hand at level 5, dealer 0; the 5s not named are the last cards of seat 3."""
    named = " ".join([bottom, *early.values()])
    rest = faces_of(ALL_5)
    for face in faces_of(named):
        if face in rest:
            rest.remove(face)
    late = {3: " ".join(map(face_text, rest))}
    return Game(rules, deal_of(0, bottom, early, late), history(**more))


def test_later_windows_gz20_gz23() -> None:
    """GZ-20, GZ-23: who declined is asked again for a new showing, one's own or another's."""
    game = later({0: "H5*2", 2: "S5*2"})
    assert (game.drawn, game.turn) == (1, 0)
    assert game.legal_actions() == ["pass", "show H5"]
    game.apply("pass")
    assert (game.drawn, game.turn, game.legal_actions()) == (3, 2, ["pass", "show S5"])
    game.apply("pass")
    assert (game.drawn, game.turn) == (5, 0)
    assert game.legal_actions() == ["pass", "show H5", "show H5*2"]
    game.apply("pass")
    assert (game.drawn, game.turn) == (7, 2)
    game.apply("show S5")
    assert (game.drawn, game.turn) == (7, 0)  # may overturn, so is asked again
    assert game.legal_actions() == ["pass", "show H5*2"]
    game.apply("pass")
    assert (game.drawn, game.turn) == (7, 2)  # the shower last, to reinforce
    assert game.legal_actions() == ["pass", "show S5*2"]
    game.apply("pass")
    # nothing changes until seat 3 draws a second 5 alike
    assert game.turn == 3
    assert game.legal_actions() == ["pass", "show D5*2"]


def test_every_window_gz20() -> None:
    """GZ-20: with "every" whoever can show is asked after every card."""
    every = DEAD.replace(bid_windows="every")
    game = later({0: "H5", 2: "S5"}, rules=every)
    expected = [(1, 0), (2, 0), (3, 2), (3, 0), (4, 0), (4, 2), (5, 0), (5, 2), (6, 2), (6, 0)]
    assert asked(game, 10) == expected
    assert asked(later({0: "H5", 2: "S5"}), 2) == [(1, 0), (3, 2)]


def test_end_window_gz20() -> None:
    """GZ-20: it starts with who drew last and asks everyone who can show once more."""
    game = later({0: "H5*3", 2: "S5*3"})
    log = asked(game)
    assert log[-3:] == [(156, 3), (156, 0), (156, 2)]
    game = later({0: "H5*3", 2: "S5*3"})
    while game.drawn < 156:
        game.apply("pass")
    run(game, "show D5", "show H5*2")  # by seats 3 and 0
    assert game.turn == 2
    game.apply("show S5*3")
    # nobody can overturn three alike: seat 2's S5*3 stands, over a bottom of six trumps
    assert (game.phase, game.dry) == ("play", True)
    assert game.state()["trump"] == {"suit": "S", "level": 5}
    assert game.state()["shown"] == {"seat": 2, "text": "show S5*3", "suit": "S"}
    assert game.dealer == 0  # GZ-23: showing sets the trump suit only


def test_own_showing_binds_while_it_stands_gz24() -> None:
    """GZ-24: reinforce in the same suit only; a partner's or a new showing may be overturned."""
    early = {0: "H5 D5*2", 2: "S5*2"}
    game = run(later(early), "show H5")
    assert (game.drawn, game.turn, game.legal_actions()) == (7, 2, ["pass", "show S5*2"])
    run(game, "pass")
    assert game.turn == 3  # not seat 0 for the second D5, card 9
    assert game.drawn > 9
    free = later(early, rules=DEAD.replace(self_overturn=True))
    run(free, "show H5", "pass")
    assert (free.drawn, free.turn, free.legal_actions()) == (9, 0, ["pass", "show D5*2"])


def texts(hand: str, standing: str = "", is_own: bool = False, rules: Rules = DEAD) -> set[str]:
    """The showings of a hand at level 5 over a standing one such as ``H5*2`` or ``B*3 as S``."""
    old = None
    if standing:
        cards, _, named = standing.partition(" as ")
        faces = faces_of(cards)
        old = Showing(faces[0], len(faces), named or standing[0])
    return {new.text for new in later_showings(faces_of(hand), 5, old, is_own, rules)}


def test_showings_gz23() -> None:
    """GZ-23: level cards alone, one, two or three alike; fewer than three jokers show nothing."""
    assert texts("H5*3 C5 H6*3 H2*3 B*2 R*2") == {
        "show H5", "show H5*2", "show H5*3", "show C5",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        ("S5", {"show H5*2", "show H5*3", "show C5*2"}),
        ("S5*2", {"show H5*3"}),
        ("S5*3", set[str]()),
        ("B*3 as S", set[str]()),
    ],
)
def test_overturn_gz24(standing: str, expected: set[str]) -> None:
    """GZ-24: more cards alike overturn fewer, equal counts never."""
    assert texts("H5*3 C5*2 D5", standing) == expected


def test_self_overturn_gz24() -> None:
    """GZ-24: one's own showing is reinforced in its suit; `self_overturn` frees the suit."""
    free = DEAD.replace(self_overturn=True)
    assert texts("H5*3 C5*3", "H5", is_own=True) == {"show H5*2", "show H5*3"}
    assert texts("H5*3 C5*3", "H5*2", is_own=True, rules=free) == {"show H5*3", "show C5*3"}
    assert texts("H5 C5", "H5", is_own=True, rules=free) == set()


def named(joker: str) -> set[str]:
    return {f"show {joker}*3 as {suit}" for suit in "DCHS"}


@pytest.mark.parametrize("is_own", [False, True])
def test_three_jokers_gz25(is_own: bool) -> None:
    """GZ-25: any suit, over everything lower, one's own level cards too."""
    assert texts("B*3 R*3") == named("B") | named("R")
    for standing in ("H5", "H5*2", "H5*3"):
        assert texts("B*3", standing, is_own) == named("B")
        assert texts("R*3", standing, is_own) == named("R")
    assert texts("R*3", "B*3 as S", is_own) == named("R")
    assert texts("B*3", "R*3 as S", is_own) == set()
    assert texts("B*3 R*3", "R*3 as S", is_own) == set()


def test_three_jokers_in_a_hand_gz25() -> None:
    """GZ-20, GZ-25: the trump suit is the one named."""
    game = later({0: "H5", 1: "B*3", 2: "R*3"}, bottom="H3 H4 H6 H7 D3 D4")
    run(game, "show H5")
    assert (game.drawn, game.turn) == (10, 1)
    run(game, "show B*3 as C")
    assert (game.drawn, game.turn) == (11, 2)
    run(game, "show R*3 as D")
    assert game.drawn == 156  # nobody could be asked any more
    assert game.state()["trump"] == {"suit": "D", "level": 5}
    assert game.state()["shown"] == {"seat": 2, "text": "show R*3 as D", "suit": "D"}


def test_nobody_shows_gz26() -> None:
    """GZ-26: a card from the bottom names the suit, jokers are drawn over."""
    game = later({}, bottom="B R H7 S8 D9 C3")
    asked(game)
    state = game.state()
    assert state["trump"] == {"suit": "H", "level": 5}
    assert [faces_in([card]) for _, card in state["flipped"]] == [["B"], ["R"], ["H7"]]
    assert state["shown"] is None
    other = Game(DEAD, deal_of(0, "B R H7 S8 D9 C3", flips=(4, 0, 1, 2, 3, 5)), history(blood=0))
    asked(other)
    assert other.state()["trump"]["suit"] == "D"


def test_six_jokers_gz26() -> None:
    """GZ-26: deal again with the same start; blood due stays due."""
    again = deal_of(0, "H7", late={3: "R"})
    game = Game(DEAD, deal_of(0, JOKERS), history(blood=1), redeals=[again])
    asked(game)
    assert (game.phase, game.turn, game.legal_actions()) == ("tribute", 3, ["give R"])
    alone = later({})
    asked(alone)
    assert alone.phase == "redeal"


def test_bad_deals_and_histories_gz11() -> None:
    """GZ-10, GZ-11, GZ-32: what no hand can start from."""
    good = deal_of(0)
    bad: list[tuple[dict[str, Any], dict[str, Any] | None, str]] = [
        (good, history(dealer=1), "start"),  # GZ-11: a later deal starts at the dealer
        ({**good, "start": 4}, None, "start"),
        ({**good, "draws": good["draws"][1:]}, None, "draws"),
        ({**good, "bottom": good["draws"][:6]}, None, "twice"),
        ({**good, "bottom": [162, *good["bottom"][1:]]}, None, "bottom"),
        ({**good, "flips": [0, 0, 1, 2, 3, 4]}, None, "flips"),
        ({**good, "more": 1}, None, "more"),
        ({"draws": good["draws"], "start": 0}, None, "bottom"),
        (good, history(levels=(2, 3)), "levels"),
        (good, history(levels=(3, 11)), "levels"),
        (good, history(dealer=4), "dealer"),
        (good, history(blood=-1), "blood"),
        (good, history(levels=(4, 3), dealer=None), "round"),
        (good, history(levels=(3, 3), dealer=None, blood=1), "round"),
        (good, {"levels": [3, 3], "dealer": 0}, "blood"),
    ]
    for deal, past, culprit in bad:
        with pytest.raises(ValueError, match=culprit):
            Game(DEAD, deal, past)


# Tribute


def tribute(giver: str, blood: int, level: int = 6) -> Game:
    """A later hand, hearts trumps by a flip: seat 3 owes seat 0; its other cards are low."""
    low = faces_of("C3*3 C4*3 C7*3 C8*3 C9*3 CJ*3 CQ*3 D3*3 D4*3 D7*3 D8*3 D9*3 DJ*3")
    low = low[: 39 - len(faces_of(giver))]
    hand = " ".join(map(face_text, low)) + " " + giver
    deal = deal_of(0, "H3 H4 H7 H8 H9 HJ", early={3: hand})
    game = Game(DEAD, deal, history((level, 3), 0, blood))
    asked(game)
    return game


def test_tribute_gz30() -> None:
    """GZ-30: the highest cards, card by card, the giver choosing among equals (GZ-4)."""
    game = tribute("R B H6 D6 C6 H2 S2 D2*2", 8)
    assert (game.phase, game.turn) == ("tribute", 3)
    for face in ("R", "B", "H6"):
        assert game.legal_actions() == [f"give {face}"]  # GZ-66: asked all the same
        run(game, f"give {face}")
    assert game.legal_actions() == ["give C6", "give D6"]
    run(game, "give D6")
    assert game.legal_actions() == ["give C6"]
    run(game, "give C6", "give H2")
    assert game.legal_actions() == ["give D2", "give S2"]
    run(game, "give D2")
    assert game.legal_actions() == ["give D2", "give S2"]
    run(game, "give D2")
    assert faces_in(game.given) == ["D6", "C6", "H6", "D2", "D2", "H2", "B", "R"]
    assert set(game.given) <= set(game.hands[0])
    assert (game.phase, game.turn) == ("return", 0)


@pytest.mark.parametrize(
    ("level", "given"),
    [
        # hearts are trumps; the giver's trumps are these and no other card is higher
        (6, ["HA", "HQ"]),  # no T, K or 5
        (5, ["H5", "D5"]),  # level 5: they are the highest trumps; T and K are not given
        (10, ["HT", "HA"]),  # level 10: T is, 5 and K are not
    ],
)
def test_point_cards_gz30(level: int, given: list[str]) -> None:
    """GZ-30: no 分牌, but level cards at 5 and 10."""
    game = tribute("HK*2 HA H5 D5 HT HQ", 2, level)
    for face in given:
        assert game.legal_actions() == [f"give {face}"]
        run(game, f"give {face}")
    assert game.phase == "return"


def test_fewer_than_due_gz30() -> None:
    """GZ-30: who has fewer such cards gives what there is."""
    all_points = " ".join(f"{suit}{rank}*3" for suit in "DCHS" for rank in "5TK")
    game = tribute(all_points + " D7 C8 S9", 8)
    run(game, "give S9", "give C8", "give D7")
    assert (game.phase, game.turn, game.tribute) == ("return", 0, 3)


def test_return_gz31() -> None:
    """GZ-31: as many cards back, of free choice, those received included, before the bottom."""
    game = tribute("R B", 2)
    run(game, "give R", "give B")
    assert (game.phase, game.turn) == ("return", 0)
    assert len(game.hands[0]) == 41
    assert game.legal_actions() == sorted({f"return {face}" for face in faces_in(game.hands[0])})
    low = faces_in(game.hands[0])[0]
    run(game, "return R", f"return {low}")
    assert faces_in(game.returned) == [low, "R"]
    assert faces_in(game.hands[3])[-1] == "R"
    assert [len(hand) for hand in game.hands] == [45, 39, 39, 39]
    assert (game.phase, game.turn) == ("bury", 0)


def test_no_tribute_without_blood_gz30() -> None:
    game = tribute("R", 0)
    assert (game.phase, game.given) == ("bury", [])


# The bottom


def test_bury_in_order_gz41() -> None:
    """GZ-41: any six cards, 分牌 included; ascending, every prefix can be completed."""
    game = tribute("R", 0)
    dealer = sorted(card % 54 for card in game.hands[0])
    texts = game.legal_actions()
    # the last five cards cannot begin: six have to follow in ascending order
    startable = {face for face in dealer if sum(other >= face for other in dealer) >= 6}
    assert set(texts) == {f"bury {face_text(face)}" for face in startable}
    begin = face_text(sorted(startable)[3])
    run(game, f"bury {begin}")
    lower = face_text(sorted(startable)[0])
    assert not game.is_legal(f"bury {lower}")


def burying(top: str, seat1: str = "", seat3: str = "") -> Game:
    """A hand with trump hearts in which dealer 0 is to bury and holds exactly these jokers."""
    rest = faces_of(JOKERS)
    for face in faces_of(f"{top} {seat1} {seat3}"):
        if face in rest:
            rest.remove(face)
    late = {0: top, 1: seat1, 3: seat3, 2: " ".join(map(face_text, rest))}
    game = Game(DEAD, deal_of(0, "H4 H4 H7 H8 H9 HJ", late=late), history((6, 3)))
    asked(game)
    assert game.phase == "bury"
    return game


def test_big_joker_before_small_gz41() -> None:
    """GZ-41: who buries a 小王 has no 大王 left; every prefix can still be completed."""
    game = burying("B*2 R")
    run(game, "bury D3", "bury D3", "bury D3", "bury D4")
    assert game.is_legal("bury B")  # a 小王, then the 大王
    assert game.is_legal("bury R") is False  # nothing is left to follow it
    run(game, "bury B")
    assert game.legal_actions() == ["bury R"]
    run(game, "bury R")
    assert game.phase == "joker"
    assert game.bottom_shown  # GZ-41: a joker is buried

    game = burying("B*2 R")
    run(game, "bury D3", "bury D3", "bury D3", "bury D4", "bury D4")
    assert not game.is_legal("bury B")
    run(game, "bury R")
    assert game.bottom_shown

    game = burying("B*2 R*2")
    run(game, "bury D3", "bury D3", "bury D3", "bury D4")
    assert not game.is_legal("bury B")  # two 大王 need two places
    game = burying("B*2")
    run(game, "bury D3", "bury D3", "bury D3", "bury D4", "bury D4")
    assert game.is_legal("bury B")


def test_bottom_hidden_without_jokers_gz41() -> None:
    game = burying("B*2 R")
    run(game, *["bury D3"] * 3, *["bury D4"] * 3)
    assert game.bottom_shown is False
    assert faces_in(game.bottom) == ["D3"] * 3 + ["D4"] * 3
    assert [len(hand) for hand in game.hands] == [39] * 4


def test_all_three_are_asked_gz42() -> None:
    """GZ-42: in turn order from the dealer's 下家, once each, jokers or not."""
    game = burying("", seat1="R B")
    run(game, *["bury D3"] * 3, *["bury D4"] * 3)
    assert (game.phase, game.turn) == ("joker", 1)
    assert game.legal_actions() == ["bury B", "bury R", "done"]
    run(game, "done")
    assert (game.phase, game.turn) == ("joker", 2)
    run(game, "done")
    assert (game.phase, game.turn, game.legal_actions()) == ("joker", 3, ["done"])
    run(game, "done")
    assert (game.phase, game.turn) == ("play", 0)  # GZ-50
    assert game.bottom_shown is False


def test_bury_jokers_and_pick_gz42() -> None:
    """GZ-41, GZ-42: 大王 must go with a 小王; the smallest cards are picked up."""
    game = burying("", seat1="R B*2")
    run(game, *["bury D3"] * 2, *["bury D4"] * 3, "bury S4")
    run(game, "bury B")
    assert game.legal_actions() == ["bury B", "bury R"]  # no done: a 大王 is left
    run(game, "bury B", "bury R")
    assert game.legal_actions() == ["done"]
    run(game, "done")
    assert (game.phase, game.turn, game.bottom_shown) == ("pick", 1, True)
    assert game.legal_actions() == ["pick D3"]
    run(game, "pick D3", "pick D3")
    assert game.legal_actions() == ["pick D4", "pick S4"]  # equal rank: the player chooses
    run(game, "pick S4")
    assert [face_text(card % 54) for _, card in game.picked] == ["D3", "D3", "S4"]
    assert faces_in(game.bottom) == ["D4"] * 3 + ["B", "B", "R"]
    assert [len(hand) for hand in game.hands] == [39] * 4
    assert (game.phase, game.turn) == ("joker", 2)


def test_a_big_joker_alone_gz41() -> None:
    """GZ-41: 大王 may go without 小王; after it no 小王 is named (ascending order)."""
    game = burying("", seat1="R B*2")
    run(game, *["bury D3"] * 3, *["bury D4"] * 3, "bury R")
    assert game.legal_actions() == ["done"]
    run(game, "done", "pick D3")
    assert faces_in(game.hands[1])[-2:] == ["B", "B"]
    assert faces_in(game.bottom).count("R") == 1


def test_trumps_are_picked_last_gz42() -> None:
    """GZ-4, GZ-42: side suits before trumps, then by rank; no 分牌."""
    game = burying("H2 C2 D2", seat1="R*3 B*2")
    # hearts are trumps, level 6
    run(game, "bury D5", "bury H9", "bury HJ", "bury D2", "bury C2", "bury H2")
    run(game, "bury B", "bury B", "bury R", "bury R", "bury R", "done")
    run(game, "pick H9", "pick HJ")
    assert game.legal_actions() == ["pick C2", "pick D2"]  # equal trumps
    run(game, "pick C2", "pick D2")
    assert game.legal_actions() == ["pick H2"]
    run(game, "pick H2")
    assert faces_in(game.bottom) == ["D5", "B", "B", "R", "R", "R"]
    assert (game.phase, game.turn) == ("play", 0)  # nothing is left to pick (GZ-43)


def test_surplus_jokers_go_back_gz42() -> None:
    """GZ-42: those beyond what there is to pick go back, 小王 first."""
    game = burying("DT*3 CK*2", seat1="R*2 B*2")
    run(game, "bury D3", "bury DT", "bury DT", "bury DT", "bury CK", "bury CK")
    run(game, "bury B", "bury B", "bury R", "bury R", "done")
    assert game.legal_actions() == ["pick D3"]
    assert faces_in(game.bottom) == ["D3", "DT", "DT", "DT", "CK", "CK", "R"]
    assert faces_in(game.hands[1])[-3:] == ["B", "B", "R"]
    run(game, "pick D3")
    assert game.phase == "play"
    assert [len(hand) for hand in game.hands] == [39] * 4


@pytest.mark.parametrize(
    ("top", "buried"),
    [
        ("DT*3 CK*3", "DT*3 CK*3"),
        ("DT*3 CK*2 R", "DT*3 CK*2 R"),
        ("B*3 R*3", "B*3 R*3"),
    ],
)
def test_nothing_to_pick_gz43(top: str, buried: str) -> None:
    """GZ-43: all 分牌, or 分牌 and jokers: nobody is asked; the same for six jokers."""
    game = burying(top)
    run(game, *(f"bury {face_text(face)}" for face in faces_of(buried)))
    assert (game.phase, game.turn) == ("play", 0)
    assert game.bottom_shown is ("R" in buried)


def test_level_fives_are_not_picked_gz42() -> None:
    """GZ-42, GZ-43: level cards of 5 are 分牌 here too."""
    game = later({0: "D5*3 C5*3"}, bottom="H4 H6 H7 H8 H9 HJ")
    asked(game)
    run(game, *["bury D5"] * 3, *["bury C5"] * 3)
    assert game.phase == "play"


@pytest.mark.parametrize(
    ("bottom", "dry"),
    [
        ("D3 C4 H6 D7 C8 D9", True),  # no spade
        ("D3 C4 H6 D7 C8 S9", False),
        ("D3 C4 H6 D7 C8 S5", True),  # level cards apart
        ("D3 C4 H6 D7 C8 S2", True),  # nor do 2s count
        ("D3 C4 H6 D7 C8 R", True),
        ("S3 S4 H5 D2 R B", True),  # nothing but trumps
        ("S3 S4 H5 D2 R D3", False),
    ],
)
def test_is_dry_gz44(bottom: str, dry: bool) -> None:
    """GZ-44 at level 5, trump spades."""
    assert is_dry(faces_of(bottom), SPADES_5) is dry


def test_dry_hand_gz44() -> None:
    """GZ-40, GZ-44: a bottom shown and dry stays; the tribute comes first."""
    game = later({0: "S5"}, bottom="D3 C4 H6 D7 C8 R", blood=1)
    run(game, "show S5")
    asked(game)
    assert game.phase == "tribute"
    assert game.bottom_shown is False
    run(game, game.legal_actions()[0])
    run(game, game.legal_actions()[0])
    assert (game.phase, game.turn, game.dry, game.bottom_shown) == ("play", 0, True, True)
    assert faces_in(game.bottom) == ["D3", "C4", "H6", "D7", "C8", "R"]
    hidden = later({0: "S5"}, bottom="S3 D3 C4 H6 D7 C8")
    asked(hidden)
    assert (hidden.phase, hidden.dry) == ("bury", False)


# Play


def play_table(seat1: str, rules: Rules, lead: str) -> Game:
    """Level 5, trump spades; seat 1 has just these hearts, the dealer led other ones."""
    hearts = faces_of(" ".join(f"H{rank}*3" for rank in "346789TJQKA"))
    for face in faces_of(seat1):
        hearts.remove(face)
    late = {0: " ".join(map(face_text, hearts)), 1: seat1}
    game = Game(rules, deal_of(0, "S3 S4 S6 S7 S8 S9", late=late), history())
    to_play(game)
    assert game.trump == SPADES_5
    game.apply(lead)
    assert game.turn == 1
    return game


def test_play_actions_gz52_gz53() -> None:
    """GZ-52, GZ-53: 单, 棒, 滚 are one action, any other play goes card by card."""
    dead = play_table("H6*2 H9", DEAD, "H8*2")
    assert dead.legal_actions() == ["H6*2"]
    live = play_table("H6*2 H9", LIVE, "H8*2")
    assert live.legal_actions() == ["+H6", "H6*2"]
    run(live, "+H6")
    assert live.legal_actions() == ["+H9"]
    assert (live.turn, faces_in(live.partial)) == (1, ["H6"])
    run(live, "+H9")
    assert (live.turn, live.partial) == (2, [])
    dead = play_table("H6*2 H9 HT", DEAD, "H8*3")
    assert dead.legal_actions() == ["+H6"]  # 棒 + single, in ascending order
    run(dead, "+H6")
    assert dead.legal_actions() == ["+H6"]
    run(dead, "+H6")
    assert dead.legal_actions() == ["+H9", "+HT"]
    single = play_table("H6*2 H9", DEAD, "H8")
    assert single.legal_actions() == ["H6", "H9"]


def test_short_suit_gz51() -> None:
    """GZ-51: who runs short plays all of the suit and fills up from anywhere."""
    game = play_table("H9", DEAD, "H8*2")
    for play in steps(game):
        assert faces_of("H9")[0] in play
    assert len(steps(game)) == len(set(faces_in(game.hands[1]))) - 1


def steps(game: Game) -> set[tuple[int, ...]]:
    """Every whole play that the actions of the seat asked can come to."""
    plays: set[tuple[int, ...]] = set()

    def walk(game: Game) -> None:
        for text in game.legal_actions():
            after = copy.deepcopy(game)
            after.apply(text)
            if after.partial:
                walk(after)
            else:
                plays.add(tuple(sorted(card % 54 for card in after.trick[-1][1])))

    walk(game)
    return plays


@pytest.mark.parametrize("rules", [DEAD, LIVE], ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    ("hand", "lead"), [("H6*2 H9*3 HT", "H8*3"), ("H6*2 H9*3 HT*2", "H8*2"), ("H6*2", "H8*3")]
)
def test_steps_reach_every_follow(rules: Rules, hand: str, lead: str) -> None:
    """GZ-51 to GZ-53: the steps come to exactly the legal plays."""
    game = play_table(hand, rules, lead)
    cards = [card % 54 for card in game.hands[1]]
    assert steps(game) == set(iter_follows(faces_of(lead), cards, SPADES_5, rules))


def test_play_whole_sets() -> None:
    game = play_table("H6*2 H9", LIVE, "H8*2")
    before = game.state()
    six, nine = faces_of("H6 H9")
    bad: list[str | list[int]] = ["H9", "H6 C4", [six, six], [six, nine + 108 + 54], "H9 HX"]
    for cards in bad:
        with pytest.raises(ValueError, match=r"legal|hand|card"):
            game.play(cards)
        assert game.state() == before
    by_text, by_ids, by_steps = (copy.deepcopy(game) for _ in range(3))
    by_text.play("H9 H6")
    run(by_steps, "+H6", "+H9")
    assert by_text.state() == by_steps.state()
    held = [card for card in game.hands[1] if card % 54 in (six, nine)]
    exact = [max(card for card in held if card % 54 == six), *(c for c in held if c % 54 == nine)]
    by_ids.play(exact)
    assert by_ids.trick[-1] == (1, exact)
    half = run(copy.deepcopy(game), "+H6")
    with pytest.raises(ValueError, match="now"):
        half.play("H9")


def test_trick_winner_leads_gz50_gz56() -> None:
    """GZ-50, GZ-56: the winner of a trick leads next and takes its 分牌."""
    game = play_table("H6*2 HK HA", DEAD, "HT")
    run(game, "HA")
    while game.trick:
        game.apply(game.legal_actions()[0])
    assert game.last_winner == game.turn
    ids = game.played
    assert len(ids) == 4
    assert game.last_winner is not None
    assert sum(game.points) == points([card % 54 for card in ids]) >= 10
    assert game.points[game.last_winner % 2] == sum(game.points)


# The end


def strongest(suit: str, level: str) -> str:
    """The 39 highest trumps: jokers, level cards, 2s and nine of the suit."""
    cards = [JOKERS, *(f"{s}{level}*3 {s}2*3" for s in "DCHS")]
    return " ".join([*cards, f"{suit}A*3 {suit}K*3 {suit}Q*3"])


def strongest_single(game: Game) -> str:
    assert game.trump is not None
    trump = game.trump
    singles = [text for text in game.legal_actions() if "*" not in text and "+" not in text]
    return max(singles, key=lambda text: (strength(faces_of(text)[0], trump), text))


def test_dealers_take_all_gz65() -> None:
    """GZ-1, GZ-65, GZ-66: S = 0; the score is 11 - level for each of the side, times the stake."""
    deal = deal_of(0, "H4 H6 H8 H9 HJ D3", early={0: strongest("H", "7")})
    game = Game(DEAD.replace(stake=3), deal, history((7, 9), 0))
    while game.phase == "deal":
        game.apply("pass")
    run(game, *(f"bury {face}" for face in ("D3", "H4", "H6", "H8", "H9", "HJ")), *["done"] * 3)
    while not game.is_over:
        game.apply(strongest_single(game))
    assert (game.total, game.dug) == (0, False)
    assert game.settlement == Settlement("dealers", (3, 3), 4, 0, None, None, "dealers")
    assert game.scores() == [12, -12, 12, -12]
    assert game.next_history() == FIRST


def test_attackers_take_all_gz61_gz65() -> None:
    """GZ-60, GZ-61, GZ-65: 抠底 doubles the bottom; S >= 300 wins the attackers the round."""
    early = {1: strongest("H", "7"), 0: "DT*3 DK*3"}
    deal = deal_of(0, "H4 H6 H8 H9 HJ D3", early=early)
    game = Game(DEAD, deal, history((7, 9), 0))
    while game.phase == "deal":
        game.apply("pass")
    run(game, *["bury DT"] * 3, *["bury DK"] * 3)  # sixty points under
    assert game.phase == "play"  # GZ-43
    while not game.is_over:
        game.apply(strongest_single(game))
    assert game.points == [0, 240]
    assert (game.total, game.dug) == (360, True)
    assert game.settlement == Settlement("attackers", (3, 3), 2, 0, None, None, "attackers")
    assert game.scores() == [-2, 2, -2, 2]
    assert game.next_history() == FIRST


def test_dry_hand_settles_without_jokers_gz44() -> None:
    """GZ-44: a side that meets its condition goes up one level, 大王 in the bottom or not."""
    for seed in range(20):
        chance = random.Random(seed)
        game = Game(DEAD, deal_of(0, "R*2 D4 D6 D7 D8", early={0: "R HQ"}))
        game.apply("show R")
        assert game.dry
        while not game.is_over:
            game.apply(chance.choice(game.legal_actions()))
        assert game.total is not None
        if 0 < game.total < 300 and game.dug == (game.total >= 120):
            break
    else:
        pytest.fail("no hand was won")
    up = 0 if game.total < 120 else 1
    assert game.next_history()["levels"] == [4 - up, 3 + up]
    assert game.scores() == [1 - 2 * up, 2 * up - 1] * 2


def test_before_the_end() -> None:
    game = Game(DEAD, deal_of(0))
    with pytest.raises(RuntimeError):
        game.scores()
    with pytest.raises(RuntimeError):
        game.next_history()


def test_illegal_changes_nothing() -> None:
    game = later({0: "H5*2", 2: "S5*2"}, bottom="H4 H6 H7 H8 H9 HJ", blood=2)
    chance = random.Random(5)
    seen: set[str] = set()
    while not game.is_over:
        before = game.state()
        for text in ("", "show", "show D5", "give", "bury D3*2", "done ", "+", "H8 H9", "nonsense"):
            if text not in game.legal_actions():
                with pytest.raises(ValueError, match="not legal"):
                    game.apply(text)
        assert game.state() == before
        seen.add(game.phase)
        game.apply(chance.choice(game.legal_actions()))
    assert {"deal", "tribute", "return", "play"} <= seen
    with pytest.raises(ValueError, match="over"):
        game.apply("pass")


# Whole hands


def random_deal(chance: random.Random, start: int) -> dict[str, Any]:
    ids = list(range(162))
    chance.shuffle(ids)
    flips = list(range(6))
    chance.shuffle(flips)
    return {"draws": ids[:156], "bottom": ids[156:], "start": start, "flips": flips}


def check_conserved(state: dict[str, Any]) -> None:
    """162 cards and 300 points (GZ-1, GZ-2), each card in one place."""
    out = [card for _, ids in state["trick"] for card in ids] + state["named"]
    held = [card for hand in state["hands"] for card in hand] + state["undrawn"] + state["bottom"]
    assert sorted([*held, *out, *state["played"]]) == list(range(162))
    assert sum(state["points"]) + points([card % 54 for card in held + out]) == 300


@pytest.mark.parametrize("rules", [DEAD, LIVE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("seed", range(3))
def test_random_rounds(rules: Rules, seed: int) -> None:
    """GZ-1, GZ-2, GZ-12, GZ-56, GZ-60, GZ-61, GZ-66: three hands in a row."""
    chance = random.Random(seed)
    past: dict[str, Any] = FIRST
    for _ in range(3):
        start = chance.randrange(4) if past["dealer"] is None else past["dealer"]
        game = Game(rules, random_deal(chance, start), past)
        tricks = 0
        while game.turn is not None:
            state = game.state()
            check_conserved(state)
            assert json.loads(json.dumps(state)) == state
            texts = game.legal_actions()
            assert len(set(texts)) == len(texts) > 0
            before = len(game.played)
            game.apply(chance.choice(texts))
            tricks += len(game.played) > before
        state = game.state()
        check_conserved(state)
        assert (state["is_over"], len(state["bottom"]), len(state["played"])) == (True, 6, 156)
        assert 13 <= tricks <= 39
        assert game.dealer is not None and game.total is not None
        side = game.dealer % 2
        assert state["dug"] == (state["last_winner"] % 2 != side)
        bottom = points([card % 54 for card in state["bottom"]])
        assert game.total == state["points"][1 - side] + (2 * bottom if state["dug"] else 0)
        after = game.next_history()
        if after["dealer"] is not None:  # GZ-12
            seat = game.dealer + (2 if game.total < 120 else 1)
            assert after["dealer"] == seat % 4
            changes = [new - old for new, old in zip(after["levels"], past["levels"], strict=True)]
            assert game.scores() == [changes[s % 2] - changes[1 - s % 2] for s in range(4)]
        assert sum(game.scores()) == 0
        past = after
