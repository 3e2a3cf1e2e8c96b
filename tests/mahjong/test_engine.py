"""The compiled engine of 鞍山麻将, clause by clause, on walls that are laid tile by tile."""

from __future__ import annotations

import importlib.util
import json
import random
from collections import Counter
from pathlib import Path

import pytest

import qipai
from qipai.mahjong import Deal, Game, History, Rules
from qipai.tiles import parse

_spec = importlib.util.spec_from_file_location(
    "mahjong_prove_hands", Path(__file__).with_name("prove_hands.py")
)
assert _spec is not None and _spec.loader is not None
prove_hands = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(prove_hands)

ANSHAN = Rules.anshan()
HIDDEN = ANSHAN.replace(gun="hidden")
KINDS = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 10) if suit != "z" or rank < 8]


def kinds_of(text: str) -> list[int]:
    return [tile // 4 for tile in parse(text)]


def deal(
    hands: dict[int, str] | None = None,
    draws: str = "",
    tail: str = "",
    turned: str = "6z",
    dealer: int = 0,
) -> Deal:
    """A wall in which the seats get these tiles and others that go with nothing, the draws come in
    this order, those for kongs from `tail`, and `turned` is turned. The rest is in no order."""
    given = [kinds_of((hands or {}).get((dealer + step) % 4, "")) for step in range(4)]
    ends = kinds_of(draws), kinds_of(tail), kinds_of(turned)
    left = Counter({kind: 4 for kind in range(34)})
    left.subtract(kind for kinds in (*given, *ends) for kind in kinds)
    assert min(left.values()) >= 0, "more than four of a kind"
    full = next(filter(None, (filled(given, left.copy(), random.Random(i)) for i in range(2000))))
    left.subtract(kind for kinds in full for kind in kinds)
    left.update(kind for kinds in given for kind in kinds)
    rest = [kind for kind in range(34) for _ in range(left[kind])]
    middle = 136 - 53 - sum(map(len, ends))
    order = [kind for kinds in full for kind in kinds] + ends[0] + rest[:middle]
    order += [*reversed(ends[1]), *ends[2]]
    copies = Counter[int]()
    wall: list[int] = []
    for kind in order:
        wall.append(4 * kind + copies[kind])
        copies[kind] += 1
    return Deal(tuple(wall), dealer)


def filled(
    given: list[list[int]], left: Counter[int], rng: random.Random
) -> list[list[int]] | None:
    """Hands filled up with tiles that make no pair and no part of a run, at random; None where it
    did not come out. Nobody gets a 5z, the 混 of most of these hands."""
    hands: list[list[int]] = []
    for step, kinds in enumerate(given):
        hand = list(kinds)
        for kind in rng.sample(range(34), 34):
            near = {kind - 2, kind - 1, kind, kind + 1, kind + 2} if kind < 27 else {kind}
            alone = not near & {other for other in hand if (other < 27) == (kind < 27)
                                and other // 9 == kind // 9}  # fmt: skip
            if left[kind] and alone and kind != 31 and len(hand) < (13 if step else 14):
                hand.append(kind)
                left[kind] -= 1
        if len(hand) != (13 if step else 14):
            return None
        hands.append(hand)
    return hands


def play(game: Game, *texts: str) -> Game:
    for text in texts:
        game.apply(text)
    return game


def legal(game: Game) -> set[str]:
    return {str(action) for action in game.legal_actions()}


def words(game: Game) -> set[str]:
    return {text.split()[0] for text in legal(game)}


def held(game: Game, seat: int) -> Counter[str]:
    return Counter(KINDS[tile // 4] for tile in game.view(None)["hands"][seat])


def clauses(game: Game) -> dict[str, int]:
    """The counted lines of a result, by clause."""
    counts = Counter[str]()
    for line in game.result:
        if line.count is not None:
            counts[line.clause] += line.count
    return dict(counts)


def code(game: Game, text: str, seat: int | None = None) -> tuple[str, str]:
    reason = game.check(text, seat=seat)
    assert reason is not None
    return reason.code, reason.clause


# Deal, 混 ---------------------------------------------------------------------------------------


def test_deal_in_order() -> None:
    """AM-1: 14 to the dealer, 13 to seat + 1, + 2, + 3; draws follow from the 54th on."""
    wall = list(range(136))
    random.Random(1).shuffle(wall)
    game = Game(deal=Deal(tuple(wall), 2))
    hands = game.view(None)["hands"]
    assert hands[2] == sorted(wall[:14])
    assert hands[3] == sorted(wall[14:27])
    assert hands[0] == sorted(wall[27:40])
    assert hands[1] == sorted(wall[40:53])
    assert game.view(None)["drawn"] == wall[13]
    assert (game.turn, game.phase, game.wall_left) == (2, "discard", 82)
    assert game.view("table")["turned"] == wall[135]


@pytest.mark.parametrize(
    ("turned", "wild"),
    [("8m", "9m"), ("9m", "1m"), ("9p", "1p"), ("9s", "1s"), ("1z", "2z"), ("4z", "1z"),
     ("7z", "6z"), ("6z", "5z"), ("5z", "7z")],
)  # fmt: skip
def test_turned_tile_names_the_wild(turned: str, wild: str) -> None:
    """AM-2: the next in its ring, 东南西北 and 中发白 too; the turned tile stays out of play."""
    wall = [tile for tile in range(136) if tile != 4 * KINDS.index(turned)]
    game = Game(deal=Deal((*wall, 4 * KINDS.index(turned)), 0))
    assert KINDS[game.wild] == wild
    assert game.view(0)["turned"] == 4 * KINDS.index(turned)
    assert all(4 * KINDS.index(turned) not in hand for hand in game.view(None)["hands"])


def test_wild_counts_as_natural_for_nothing() -> None:
    """AM-3, AM-4, AM-10: a 混 makes no meld and cannot be claimed, not even to win."""
    # Seat 1 holds two more, and any tile makes its pair.
    game = play(Game(deal=deal({0: "5z", 1: "234m456p678s11m55z"})), "discard 5z")
    assert (game.phase, game.turn) == ("discard", 1)
    # Four alike are no kong.
    game = Game(deal=deal({0: "5555z"}))
    assert words(game) == {"discard"}
    assert code(game, "ankong 5z") == ("wild_meld", "AM-10")
    # A 混 is no part of a claimed triplet or run.
    game = play(Game(deal=deal({0: "3m", 1: "4m5z", 2: "3m5z"})), "discard 3m")
    assert (game.phase, game.turn) == ("discard", 1)


def test_wild_stands_for_a_fifth_copy() -> None:
    """AM-3, AM-36: with 2222s in hand the 混 can be nothing but one 2s more."""
    game = play(first("123m456p789p2222s5z"), "win")
    assert game.win is not None
    assert [KINDS[kind] for kind in game.win.wilds] == ["2s"]
    assert clauses(game)["AM-36"] == 1


def test_discarding_a_wild_where_it_must_stay() -> None:
    """AM-4: `discard_wild` off: only who holds nothing but 混."""
    keep = ANSHAN.replace(discard_wild=False)
    assert "discard 5z" in legal(Game(deal=deal({0: "5z"})))
    game = Game(keep, deal=deal({0: "5z"}))
    assert "discard 5z" not in legal(game)
    assert code(game, "discard 5z") == ("wild_kept", "AM-4")
    # Four 暗杠 leave one tile, and the replacement makes two.
    kongs = {0: "1111m9999p1111s5z2z"}
    game = Game(keep.replace(dead_wall=0), deal=deal(kongs, tail="22z2z5z"))
    play(game, "ankong 1m", "ankong 9p", "ankong 1s", "ankong 2z")
    assert held(game, 0) == Counter({"5z": 2})
    assert legal(game) == {"discard 5z", "win"}
    play(game, "discard 5z")
    # Whoever looks on knows now that the other tile is a 混, too.
    for seed in range(20):
        assert held(unseen_by(game, 1, seed), 0) == Counter({"5z": 1})


# The play ---------------------------------------------------------------------------------------


def test_draw_and_discard_go_round() -> None:
    """AM-10, AM-11: to seat + 1, the next of the wall; there is no passing on one's own draw."""
    game = play(Game(deal=deal({3: "1z"}, draws="9m9p9s", dealer=3)), "discard 1z")
    for seat, drawn in ((0, "9m"), (1, "9p"), (2, "9s")):
        assert (game.turn, game.phase) == (seat, "discard")
        assert code(game, "pass") == ("no_pass", "AM-10")
        assert KINDS[game.view(seat)["drawn"] // 4] == drawn
        assert game.view((seat + 1) % 4)["drawn"] is None
        play(game, f"discard {drawn}")
    assert game.turn == 3


@pytest.mark.parametrize(("seat", "asked"), [(1, True), (2, False), (3, False)])
def test_chow_from_the_left_only(seat: int, asked: bool) -> None:
    """AM-10: 吃 is for the next in turn; the text names the run with the claimed tile."""
    game = play(Game(deal=deal({0: "5m", seat: "3467m"})), "discard 5m")
    assert (game.phase == "claim") == asked
    if asked:
        assert game.turn == 1
        assert legal(game) == {"pass", "chi 345m", "chi 456m", "chi 567m"}
        play(game, "chi 456m")
        view = game.view(None)
        assert view["melds"][1] == ["456m"]
        assert view["discards"][0] == []
        assert (held(game, 1)["3m"], held(game, 1)["4m"], held(game, 1)["6m"]) == (1, 0, 0)
        assert (game.turn, game.phase, view["drawn"]) == (1, "discard", None)


def test_pong_and_kong_from_anyone() -> None:
    """AM-10: 碰 with two, 明杠 with three; the turn passes to who claims."""
    game = play(Game(deal=deal({0: "5m", 3: "555m"}, tail="8s")), "discard 5m")
    assert (game.turn, legal(game)) == (3, {"pass", "pon 5m", "kong 5m"})
    pong = play(game.clone(), "pon 5m")
    assert (pong.view(None)["melds"][3], pong.turn) == (["555m"], 3)
    kong = play(game.clone(), "kong 5m")
    view = kong.view(None)
    assert view["melds"][3] == ["5555m"]
    assert KINDS[view["drawn"] // 4] == "8s"  # from the tail
    assert (view["after_kong"], view["wall_left"], kong.turn) == (True, 81, 3)
    play(game, "pass")
    assert (game.turn, game.phase) == (1, "discard")


def test_concealed_and_added_kongs_after_an_own_draw_only() -> None:
    """AM-10: not right after 吃 or 碰; the dealer's first 14 and a replacement are draws."""
    game = Game(deal=deal({0: "5m1111s2222p", 1: "55m9999p"}))
    play(game, "ankong 1s")
    assert game.view(None)["melds"][0] == ["(1111s)"]
    assert (game.turn, game.view(None)["after_kong"]) == (0, True)
    play(game, "ankong 2p", "discard 5m", "pon 5m")
    assert words(game) == {"discard"}
    for text in ("ankong 9p", "addkong 5m", "win"):
        assert code(game, text) == ("after_claim", "AM-10")


def test_added_kong_with_any_tile_of_the_hand() -> None:
    """AM-10: a tile that stayed in the hand makes a 加杠 at a later draw."""
    game = Game(deal=deal({0: "5m", 1: "555m1z"}, draws="9m9p9s9m", tail="8s"))
    play(game, "discard 5m", "pon 5m")
    assert code(game, "addkong 5m")[0] == "after_claim"
    play(game, "discard 1z", "discard 9m", "discard 9p", "discard 9s")
    assert game.turn == 1
    play(game, "addkong 5m")
    view = game.view(None)
    assert view["melds"][1] == ["5555m+"]
    assert (game.turn, KINDS[view["drawn"] // 4], view["after_kong"]) == (1, "8s", True)


def test_no_win_right_after_a_claim() -> None:
    """AM-10: 14 tiles that win may not be declared when the last of them was a 碰."""
    game = play(Game(HIDDEN, deal=deal({0: "9p", 1: "11123m99p567s234s"})), "discard 9p")
    assert legal(game) == {"pass", "win"}
    play(game, "pass", "pon 9p")
    assert code(game, "win") == ("after_claim", "AM-10")


def test_dealer_wins_on_the_first_14() -> None:
    """AM-10, AM-31: as an own draw."""
    game = first("123m456p789s111z22z")
    assert "win" in legal(game)
    play(game, "win")
    assert game.outcome == "自摸"
    assert game.view(None)["discarder"] is None


def test_a_win_that_was_passed_may_be_taken_later() -> None:
    """AM-10: neither a win let go nor a claim restricts what comes after."""
    game = Game(deal=deal({0: "2z", 1: "123m456p789s111z2z"}, draws="2z"))
    play(game, "discard 2z")
    assert legal(game) == {"pass", "win"}
    play(game, "pass")
    assert (game.turn, game.phase) == (1, "discard")
    assert "win" in legal(game)
    # After 吃 the same kind may be discarded.
    game = play(Game(deal=deal({0: "5m", 1: "345m"})), "discard 5m", "chi 345m")
    assert "discard 5m" in legal(game)


def asked_deal() -> Deal:
    """5p: seats 1 and 3 win on it, seat 2 has two more, seat 1 could also take a run."""
    hands = {0: "5p", 1: "34p123m789s11122z", 2: "55p", 3: "46p123m789s44477z"}
    return deal(hands, draws="9m9p")


def test_claims_in_their_order() -> None:
    """AM-11: 胡 before 碰 before 吃; a seat is asked once in each tier where it has the claim."""
    game = play(Game(deal=asked_deal()), "discard 5p")
    assert game.pending() == (1, 2, 3)
    order: list[tuple[int | None, set[str]]] = []
    while game.phase == "claim":
        order.append((game.turn, words(game)))
        play(game, "pass")
    assert order == [
        (1, {"pass", "win"}), (3, {"pass", "win"}), (2, {"pass", "pon"}), (1, {"pass", "chi"}),
    ]  # fmt: skip
    assert (game.turn, game.phase) == (1, "discard")


def test_nearest_wins_alone() -> None:
    """AM-11: of several the nearest in turn order, counted from the discarder."""
    hands = {2: "5p", 1: "34p123m789s11122z", 0: "46p123m789s44477z"}
    game = play(Game(HIDDEN, deal=deal(hands, dealer=2, draws="8p")), "discard 5p")
    assert game.turn == 0
    play(game, "win")
    assert (game.view(None)["winner"], game.view(None)["discarder"]) == (0, 2)
    assert game.view(None)["discards"][2] == []


def rob_deal() -> Deal:
    """Seat 1 makes a 碰 of 5m and draws the fourth a round later; seat 3 waits for 5m by 46m."""
    hands = {0: "5m", 1: "55m1z", 3: "46m123p789s11122z"}
    return deal(hands, draws="9m9p9s5m", tail="8s")


TO_THE_ROB = ("discard 5m", "pass", "pon 5m", "discard 1z", "pass", "discard 9m", "discard 9p",
              "discard 9s", "addkong 5m")  # fmt: skip


def rob(rules: Rules = HIDDEN) -> Game:
    """The 加杠 of 5m; seat 3 has let the first 5m go, and a 碰 of 1z."""
    return play(Game(rules, deal=rob_deal()), *TO_THE_ROB)


def test_robbing_a_kong() -> None:
    """AM-12: who made it counts as the discarder, the meld stays a 碰, the tile goes over."""
    game = rob()
    assert (game.phase, game.turn, legal(game)) == ("rob", 3, {"win", "pass"})
    assert game.view(None)["melds"][1] == ["555m"]
    assert game.last_discard is not None and KINDS[game.last_discard // 4] == "5m"
    assert code(game, "pon 5m") == ("other_claim", "AM-11")
    passed = play(game.clone(), "pass")
    assert passed.view(None)["melds"][1] == ["5555m+"]
    assert (passed.turn, passed.phase, passed.view(None)["after_kong"]) == (1, "discard", True)
    play(game, "win")
    view = game.view(None)
    assert (game.outcome, view["winner"], view["discarder"]) == ("抢杠", 3, 1)
    assert view["melds"][1] == ["555m"]
    assert held(game, 1)["5m"] == 0
    assert KINDS[view["win_tile"] // 4] == "5m"
    assert not view["after_kong"]
    assert game.result[0].clause == "AM-12"
    # 点炮 is one 番 more than seat 2 pays.
    assert game.scores()[1] == 2 * game.scores()[2]


def test_an_unseen_robber_may_be_anybody() -> None:
    """AM-12: to the others somebody may rob; they cannot tell who, or with what."""
    game = rob()
    for seat in range(4):
        for seed in range(5):
            assert unseen_by(game, seat, seed).phase == "rob"


def test_concealed_kong_is_not_robbed() -> None:
    """AM-12: only 加杠."""
    game = Game(deal=deal({0: "5555m", 3: "46m123p789s11122z"}))
    play(game, "ankong 5m")
    assert (game.phase, game.turn) == ("discard", 0)


def test_dead_wall() -> None:
    """AM-13: who must draw with so many left cannot; no kong then; nobody pays."""
    rules = ANSHAN.replace(dead_wall=82)
    game = Game(rules, deal=deal({0: "5m1111s", 1: "34m", 3: "555m1z"}))
    assert code(game, "ankong 1s") == ("dead_wall", "AM-13")
    play(game, "discard 5m")
    assert (game.turn, legal(game)) == (3, {"pass", "pon 5m"})
    assert code(game, "kong 5m") == ("dead_wall", "AM-13")
    assert play(game.clone(), "pon 5m", "discard 1z").is_over
    play(game, "pass")
    assert legal(game) == {"pass", "chi 345m"}
    play(game, "pass")
    assert game.is_over
    assert (game.outcome, game.scores()) == ("流局", [0, 0, 0, 0])
    assert [line.clause for line in game.result] == ["AM-13"]
    # The last discard may be won on.
    game = play(Game(rules, deal=deal({0: "2z", 1: "123m456p789s111z2z"})), "discard 2z")
    assert legal(game) == {"pass", "win"}
    assert play(game, "win").outcome == "点炮"


@pytest.mark.parametrize("dead", [81, 40, 14, 0])
def test_draws_until_the_dead_wall(dead: int) -> None:
    """AM-13: with 14 left nobody draws, the turned tile not counted (`dead_wall`)."""
    game = Game(ANSHAN.replace(dead_wall=dead), seed=dead)
    while not game.is_over:
        texts = [str(action) for action in game.legal_actions()]
        play(game, next(text for text in texts if text.split()[0] in ("pass", "discard")))
    assert game.wall_left == dead
    assert game.outcome == "流局"


def test_next_dealer() -> None:
    """AM-14: stays after winning or a drawn hand, else the next deals; the first at random."""
    hands = {2: "123m456p789s111z22z"}
    game = play(Game(HIDDEN, deal=deal(hands, dealer=2, draws="6m")), "win")
    assert game.next_history == History(2)
    assert game.next_hand(seed=3).dealer == 2
    drawn = Game(ANSHAN.replace(dead_wall=82), deal=deal({1: "1z"}, dealer=1))
    play(drawn, "discard 1z")
    assert (drawn.is_over, drawn.next_history) == (True, History(1))
    assert play(rob(), "win").next_history == History(1)
    assert {Game(seed=seed).dealer for seed in range(40)} == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="AM-14"):
        Game(deal=deal(dealer=1), history=History(2))
    assert Game(deal=deal(dealer=2), history=History(2)).dealer == 2


# Winning: the dealer declares the first 14 -------------------------------------------------------


def first(tiles: str, rules: Rules = HIDDEN, draws: str = "6m", turned: str = "6z") -> Game:
    """A dealer's hand, with the 混 5z and, in a room with 暗枪, 6m turned after the win."""
    return Game(rules, deal=deal({0: tiles}, draws=draws, turned=turned))


# The worked cases of the rules; W is 5z.
WORKED = [
    ("123m456p789s111z22z", 2), ("123m456p789s222p55s", 2), ("123m456m789p111z22z", None),
    ("111m999p111s222z33z", 4), ("1m9m1p9p1s9s1z1z2z2z3z3z4z4z", 3), ("234m456p678s345s77z", 2),
    ("234m456p678s345s55p", None), ("234m456p678s333s55p", None), ("5z23m456p678s333s55p", None),
    ("11m33m55p77p22s44s66s", 4), ("11m11m55p77p22s44s66s", 5),
]  # fmt: skip


@pytest.mark.parametrize(("tiles", "total"), WORKED)
def test_worked_hands(tiles: str, total: int | None) -> None:
    """AM-20..27, AM-32, 33, 36, 39, 40, 41 and AM-50: the worked cases, won by the dealer's draw.

    Each of the others pays the 番 of the hand, 庄 and 点炮.
    """
    game = first(tiles)
    assert ("win" in legal(game)) == (total is not None)
    if total is None:
        assert code(game, "win") == ("no_win", "AM-20")
        return
    play(game, "win")
    assert game.win is not None and game.win.total == total
    each = 2 ** (total + 2)
    assert game.scores() == [3 * each, -each, -each, -each]
    assert sum(line.count or 0 for line in game.result) == total + 6  # 庄 and 点炮 three times


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        # AM-21: a triplet that 混 completes counts; a pair of 混 alone is no dragon.
        ("123m456p789s15z5z22z", {"AM-33"}),
        # AM-22: four triplets and no run.
        ("111m222p333s444z66z", None),
        # AM-23: 混 as 1m is no 幺九.
        ("5z5z3m456p678s333s55p", None),
        # AM-24: no 条, 混 does not stand for it.
        ("123m456m789p111z25z", None),
        # AM-38: 22s and 88p make the pair; 2z does not.
        ("123m456p789s111z22s", {"AM-32", "AM-33", "AM-38"}),
        ("123m456p789s111z88p", {"AM-32", "AM-33", "AM-38"}),
        # AM-38: a 混 in the pair is none.
        ("123m456p789s111z2s5z", {"AM-33"}),
        # AM-35: a triplet of 发 in the hand.
        ("123m456p789s666z22z", {"AM-32", "AM-33", "AM-35"}),
        # AM-36: four 1z without a kong: a triplet of them and none over, so in 七对.
        ("1111z22m33m44p55s66s", {"AM-32", "AM-33", "AM-36", "AM-39", "AM-40"}),
        # AM-41: three natural triplets.
        ("111m222p333s456s77z", {"AM-32", "AM-33", "AM-41"}),
        # AM-41: not where one has a 混.
        ("111m222p33s5z456s77z", {"AM-33"}),
    ],
)  # fmt: skip
def test_conditions_and_fans(tiles: str, expected: set[str] | None) -> None:
    """AM-3, AM-21..24, AM-32..41: each case names what counts."""
    game = first(tiles)
    assert ("win" in legal(game)) == (expected is not None)
    if expected is not None:
        play(game, "win")
        assert set(clauses(game)) - {"AM-30", "AM-31"} == expected
        assert sum(game.scores()) == 0


def test_seven_pairs_are_free_of_suits_and_yao() -> None:
    """AM-25: 七对 without 1, 9 and honours, in two suits."""
    game = play(first("2233m445566p7788p"), "win")
    assert game.win is not None and game.win.shape == "seven_pairs"
    assert set(clauses(game)) == {"AM-30", "AM-31", "AM-32", "AM-33", "AM-39", "AM-40"}


def test_thirteen_yao_by_rule() -> None:
    """AM-26, AM-27: all 幺九 and honours in one suit; the classic thirteen kinds and a double."""
    classic = HIDDEN.replace(shisanyao="classic")
    all_yao, thirteen = "111999m1112224z4z", "119m19p19s1234z67z5z"
    assert "win" in legal(first(all_yao))
    assert "win" not in legal(first(all_yao, classic))
    assert "win" in legal(first(thirteen, classic))
    game = play(first(thirteen, classic), "win")
    assert game.win is not None and game.win.shape == "shisanyao"
    assert clauses(game)["AM-39"] == 1


def test_open_hand_wins() -> None:
    """AM-28, AM-33: 吃 opens the hand, so 站立 is lost; it wins all the same."""
    hands = {0: "3m", 1: "12m456p789s111z2z7z"}
    game = Game(HIDDEN, deal=deal(hands, draws="9m9m9m2z8p"))
    play(game, "discard 3m", "chi 123m", "discard 7z")
    play(game, "discard 9m", "discard 9m", "discard 9m")
    assert game.turn == 1
    play(game, "win")
    assert clauses(game) == {"AM-30": 1, "AM-31": 3, "AM-32": 1}
    # 穷胡 and own draw: 2^2 each, the dealer 2^3.
    assert game.scores() == [-8, 16, -4, -4]


def test_concealed_kong_keeps_the_hand_closed() -> None:
    """AM-33, AM-34, AM-39: 暗杠, 站立 and 杠上开花."""
    game = Game(HIDDEN, deal=deal({0: "123m456p789s1111z2z"}, tail="2z", draws="6m"))
    play(game, "ankong 1z")
    assert "win" in legal(game)
    play(game, "win")
    assert clauses(game) == {
        "AM-30": 3, "AM-31": 3, "AM-32": 1, "AM-33": 1, "AM-34": 1, "AM-39": 1,
    }  # fmt: skip
    assert game.win is not None and ("杠上开花", "AM-39", 1) in game.win.fans
    assert game.scores() == [3 * 64, -64, -64, -64]


def test_four_of_a_kind_without_a_kong() -> None:
    """AM-36: 四归一 over two sets."""
    game = play(first("111123m456p78999s"), "win")
    assert clauses(game)["AM-36"] == 1


def test_open_gun() -> None:
    """AM-37: 8m turned: 9m is 混, each natural 7m is 枪, known before the win."""
    game = first("777m345m456p234s11z", ANSHAN, turned="8m")
    assert [KINDS[kind] for kind in game.view(1)["gun"]] == ["7m"]
    play(game, "win")
    assert clauses(game)["AM-37"] == 3


def test_hidden_gun() -> None:
    """AM-37: the next of the wall after the win, and its next kind; after a kong the front too."""
    game = first("123m456p789s111z22z", draws="8s")
    assert game.view(None)["gun"] == []
    events = game.apply("win")
    assert [KINDS[kind] for kind in game.view(3)["gun"]] == ["8s", "9s"]
    assert clauses(game)["AM-37"] == 2
    (turned,) = [event for event in events if event.kind == "gun"]
    assert turned.for_seat("table") == turned and turned.cards is not None
    assert KINDS[turned.cards[0] // 4] == "8s"
    kong = Game(HIDDEN, deal=deal({0: "123m456p789s1111z2z"}, tail="2z", draws="7s"))
    play(kong, "ankong 1z", "win")
    assert clauses(kong)["AM-37"] == 2  # 7s and 8s


def test_hidden_gun_without_the_wild() -> None:
    """AM-37: copies of the 混 kind do not count; 6z turned after the win would make 5z a 枪."""
    game = play(first("123m456p789s111z25z", draws="6z"), "win")
    assert [KINDS[kind] for kind in game.view(None)["gun"]] == ["6z", "5z"]
    assert "AM-37" not in clauses(game)


def test_no_tile_left_for_a_gun() -> None:
    """AM-37: on the last draw of a wall that is used up there is none."""
    rules = HIDDEN.replace(dead_wall=0)
    found = seed = 0
    while found < 3:
        seed += 1
        game = Game(rules, seed=seed)
        rng = random.Random(seed)
        while not game.is_over:
            actions = [str(a) for a in game.legal_actions()]
            if game.wall_left or "win" not in actions:
                actions = [a for a in actions if a != "win"]
            play(game, "win" if "win" in actions else rng.choice(actions))
        if game.outcome != "流局":
            found += 1
            assert game.view(None)["gun"] == []
            assert "AM-37" not in clauses(game)


def test_sancha_by_rule() -> None:
    """AM-41: `sancha="shisanyao"` counts it in 十三幺 only; there it goes with 七对 of one hand."""
    only = HIDDEN.replace(sancha="shisanyao")
    assert "AM-41" not in clauses(play(first("111m222p333s456s77z", only), "win"))
    assert clauses(play(first("111m999p111s222z33z", only), "win"))["AM-41"] == 1


def test_dragon_kong_and_melds() -> None:
    """AM-33, AM-34, AM-35: a 明杠 of 发 is 杠 and 大哥大, and opens the hand."""
    hands = {0: "6z", 1: "666z123m456p789s2z"}
    game = Game(HIDDEN, deal=deal(hands, tail="2z", draws="6m", turned="9p"))
    play(game, "discard 6z", "kong 6z", "win")
    assert clauses(game) == {
        "AM-30": 1, "AM-31": 3, "AM-32": 1, "AM-34": 1, "AM-35": 1, "AM-39": 1,
    }  # fmt: skip


def test_reading_is_told() -> None:
    """AM-42: the result says how the tiles are read and what each 混 stands for."""
    game = play(first("123m456p789s11z5z22z"), "win")
    (line,) = [line for line in game.result if line.clause == "AM-42"]
    assert line.text == "read as four sets and a pair 123m 456p 789s 111z 22z, 混 as 1z"
    assert line.text_zh == "四副一将 123m 456p 789s 111z 22z，混作1z"


# Payment ----------------------------------------------------------------------------------------

WAITING = {0: "2z", 1: "123m456p789s111z2z"}


@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        # 穷胡, 站立: 2; the dealer pays 庄 and 点炮 more.
        ({}, [-16, 24, -4, -4]),
        ({"dealer_fan": "winner"}, [-8, 16, -4, -4]),
        ({"max_fan": 3}, [-8, 16, -4, -4]),
        ({"max_fan": 1, "stake": 5}, [-10, 30, -10, -10]),
        ({"stake": 100}, [-1600, 2400, -400, -400]),
    ],
)
def test_payments_on_a_discard(rules: dict[str, object], scores: list[int]) -> None:
    """AM-30, AM-31, AM-50: the dealer discards, seat 1 wins."""
    game = Game(HIDDEN.replace(**rules), deal=deal(WAITING, draws="6m"))
    play(game, "discard 2z", "win")
    assert game.scores() == scores
    paid = [line.amounts for line in game.result if line.clause == "AM-50"]
    assert [sum(column) for column in zip(*paid, strict=True)] == scores
    assert len(paid) == 3
    count = 0 if rules.get("dealer_fan") else 1
    assert clauses(game).get("AM-30", 0) == count
    assert clauses(game)["AM-31"] == 1


def test_no_fan_pays_one() -> None:
    """AM-50: n = 0 pays 1: an open hand with a 混, won on a discard."""
    hands = {0: "3m", 1: "12m456p789s11z5z2z7z", 2: "2z"}
    game = Game(HIDDEN, deal=deal(hands, draws="9m6m"))
    play(game, "discard 3m", "chi 123m", "discard 7z", "discard 2z", "win")
    assert game.win is not None and game.win.total == 0
    # The dealer 庄, the discarder 点炮, seat 3 nothing.
    assert game.scores() == [-2, 5, -2, -1]


def test_dealers_own_draw() -> None:
    """AM-50, the worked payment: 穷胡 and 站立, each pays 2^4; `dealer_fan` makes no difference."""
    for how in ("either", "winner"):
        game = play(first("123m456p789s111z22z", HIDDEN.replace(dealer_fan=how)), "win")
        assert game.scores() == [48, -16, -16, -16]


# Secrets ----------------------------------------------------------------------------------------


def test_an_asking_is_seen_by_its_seat_alone() -> None:
    """AM-11: each sees its own, and nobody who else is asked or has passed."""
    game = play(Game(deal=asked_deal()), "discard 5p")
    for seat, own in ((1, {"pass", "win"}), (2, {"pass", "pon 5p"}), (3, {"pass", "win"})):
        view = game.view(seat)
        assert view.turn == seat
        assert {str(action) for action in view.legal_actions} == own
    before = {who: game.view(who).as_dict() for who in (0, 2, 3, "table")}
    assert before[0]["turn"] is None and before[0]["legal_actions"] == []
    assert before["table"]["turn"] is None
    observed = [game.observe(seat).tobytes() for seat in (0, 2, 3)]
    assert play(game, "pass").turn == 3
    assert {who: game.view(who).as_dict() for who in (0, 2, 3, "table")} == before
    assert [game.observe(seat).tobytes() for seat in (0, 2, 3)] == observed
    # Seat 1 is still to answer whether it chows.
    assert {str(action) for action in game.view(1).legal_actions} == {"pass", "chi 345p"}
    # Where all pass, each hears of its own answers only, once the window is closed.
    events = [game.apply("pass") for _ in range(3)]
    assert events[:2] == [[], []]
    kinds = {
        who: [event.kind for event in events[2] if event.for_seat(who) is not None]
        for who in (0, 1, 2, 3, "table")
    }
    assert kinds == {
        0: ["draw"], 1: ["pass", "pass", "draw"], 2: ["pass", "draw"], 3: ["pass", "draw"],
        "table": ["draw"],
    }  # fmt: skip


def test_concealed_kong_is_seen_by_its_owner_until_the_end() -> None:
    """AM-10: the others see that there is one; at the end all 暗杠 and the winner's tiles."""
    hands = {0: "1111s2z", 1: "123m456p789s111z2z"}
    game = Game(HIDDEN, deal=deal(hands, draws="6m"))
    (kong, draw) = game.apply("ankong 1s")
    assert kong.for_seat(0).cards == tuple(4 * KINDS.index("1s") + i for i in range(4))
    for who in (1, 2, 3, "table"):
        seen = kong.for_seat(who)
        assert (seen.kind, seen.seat, seen.count, seen.cards, seen.action) == (
            "ankong", 0, 4, None, None)  # fmt: skip
        assert draw.for_seat(who).cards is None
        assert game.view(who)["melds"][0] == ["(????)"]
    assert game.view(0)["melds"][0] == game.view(None)["melds"][0] == ["(1111s)"]
    play(game, "discard 2z", "win")
    for who in (0, 1, 2, 3, "table"):
        view = game.view(who)
        assert view["melds"][0] == ["(1111s)"]
        assert view["hands"][1] is not None
        assert view["hands"][2] is None or who == 2
    shown = [event for event in game.events("table") if event.kind == "show"]
    assert [event.seat for event in shown] == [1, 0]
    assert shown[1].cards == kong.cards


def test_drawn_tiles_are_seen_by_the_drawer() -> None:
    """AM-10: others see that a tile was drawn, never which."""
    game = play(Game(deal=deal({0: "1z"}, draws="9m")), "discard 1z")
    (draw,) = [event for event in game.events() if event.kind == "draw"]
    assert draw.for_seat(1).cards == draw.cards
    for who in (0, 2, 3, "table"):
        assert draw.for_seat(who).cards is None
        assert game.view(who)["drawn"] is None
    assert game.view(1)["drawn"] == draw.cards[0]


def everything(game: Game, seat: int) -> tuple[object, ...]:
    view = game.view(seat)
    return view.as_dict(), view.history, view.legal_actions, game.observe(seat).tobytes()


def busy_game(rng: random.Random) -> Game:
    rules = prove_hands.house_rules(rng)
    return Game(rules, seed=rng.getrandbits(256), deal=prove_hands.made_deal(rng))


def advance(game: Game, rng: random.Random) -> None:
    """Do an action, claims and kongs sooner than others."""
    texts = [str(action) for action in game.legal_actions()]
    liked = [text for text in texts if text.split()[0] not in ("discard", "pass", "win")]
    game.apply(rng.choice(liked if liked and rng.random() < 0.7 else texts))


def unseen_by(game: Game, seat: int, seed: int) -> Game:
    """A hand that the seat cannot tell from this one."""
    other = game.resample(seat, seed)
    assert everything(other, seat) == everything(game, seat)
    assert qipai.restore(other.snapshot()) == other
    assert other.deal != game.deal
    if seat in game.pending():
        # Who answers before it, if anybody, is not known: it is to act.
        assert other.turn == seat
    if game.turn == seat:
        assert other.hint(5) == game.hint(5)
    return other


def test_no_seat_can_tell_a_resampled_hand() -> None:
    """AM-10, AM-11: in every phase, with hidden 暗杠, held answers and unseen askings."""
    rng = random.Random(7)
    seen = Counter[tuple[str, bool, bool]]()
    for _ in range(60):
        game = busy_game(rng)
        while True:
            often = {"claim": 0.3, "rob": 1.0, "over": 1.0, "discard": 0.02}[game.phase]
            for seat in range(4) if rng.random() < often else ():
                unseen_by(game, seat, rng.getrandbits(256))
                seen[game.phase, game.turn == seat, seat in game.pending()] += 1
            if game.is_over:
                break
            later = [seat for seat in game.pending() if seat != game.turn]
            if later and rng.random() < 0.5:
                game.answer(rng.choice(later), "pass")
            else:
                advance(game, rng)
    assert {phase for phase, _, _ in seen} >= {"discard", "claim", "over"}
    assert seen["claim", False, True]


def test_resampling_reaches_every_place_alike() -> None:
    """A tile that seat 1 discarded is any of the 13 it was dealt or the one it drew, all alike."""
    game = play(Game(deal=deal({0: "1z"}, draws="9m8s")), "discard 1z", "discard 9m")
    tile = game.view(None)["discards"][1][0]
    places = Counter(game.resample(0, seed).deal.wall.index(tile) for seed in range(2800))
    assert set(places) == {*range(14, 27), 53}
    assert sum((n - 200) ** 2 / 200 for n in places.values()) < 45  # 13 degrees of freedom


def test_resampling_gives_a_hidden_kong_every_kind_that_it_can_be() -> None:
    """AM-10: to seat 1 it may be any natural kind of which it sees no tile."""
    game = play(Game(deal=deal({0: "1111s"})), "ankong 1s")
    mine = {tile // 4 for tile in game.view(1).hand}
    able = set(range(34)) - mine - {game.wild, game.view(1)["turned"] // 4}
    found = Counter[int]()
    for seed in range(60 * len(able)):
        other = game.resample(1, seed)
        (text,) = other.view(None)["melds"][0]
        found[KINDS.index(text[1] + text[-2])] += 1
    assert KINDS.index("1s") in able
    assert set(found) == able
    expected = sum(found.values()) / len(found)
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 60


# Answers in any order ---------------------------------------------------------------------------


def test_answers_in_any_order() -> None:
    """AM-11: held answers come to what asking one after the other would."""
    rng = random.Random(11)
    windows = 0
    for number in range(200):
        game = busy_game(rng)
        while not game.is_over:
            if len(game.pending()) < 2:
                advance(game, rng)
                continue
            windows += 1
            choice = random.Random(number)
            plan: dict[tuple[int, frozenset[str]], str] = {}

            def answer_of(
                game: Game, seat: int, plan: dict = plan, choice: random.Random = choice
            ) -> str:
                texts = sorted(str(action) for action in game.view(seat).legal_actions)
                return plan.setdefault((seat, frozenset(texts)), choice.choice(texts))

            start = game.wall_left, len(game.events())
            apart = game.clone()
            while (
                apart.phase in ("claim", "rob") and (apart.wall_left, len(apart.events())) == start
            ):
                seats = list(apart.pending())
                seat = rng.choice(seats)
                apart.answer(seat, answer_of(apart, seat))
            while game.phase in ("claim", "rob") and (game.wall_left, len(game.events())) == start:
                turn = game.turn
                assert turn is not None
                game.apply(answer_of(game, turn))
            assert apart == game
    assert windows > 60


def test_an_answer_for_a_later_tier_waits() -> None:
    """AM-11: a 碰 sent early gives way to a 胡, and to nothing less."""
    game = play(Game(HIDDEN, deal=asked_deal()), "discard 5p")
    assert game.answer(2, "pon 5p") == []
    assert game.pending() == (1, 3)
    with pytest.raises(qipai.IllegalAction):
        game.answer(2, "pass")
    with pytest.raises(qipai.IllegalAction):
        game.answer(2, "chi 345p")
    assert game.clone() == qipai.restore(game.snapshot())
    taken = game.clone()
    taken.answer(3, "pass")
    assert [event.kind for event in taken.answer(1, "pass")][-1] == "pon"
    assert taken.turn == 2
    game.answer(3, "win")
    game.answer(1, "pass")
    assert game.view(None)["winner"] == 3


# Exact tiles, bad input -------------------------------------------------------------------------


def test_exact_tiles() -> None:
    """A kind means the lowest copy in hand; marks and ids name exactly theirs."""
    hands = {0: "555m", 1: "4466m"}
    game = Game(deal=deal(hands))
    five, four, six = (4 * KINDS.index(kind) for kind in ("5m", "4m", "6m"))
    assert game.clone().apply("discard 5m")[0].cards == (five,)
    assert game.clone().apply("discard 5''m")[0].cards == (five + 2,)
    assert game.clone().apply([five + 1])[0].cards == (five + 1,)
    assert game.clone().play([five + 1])[0].cards == (five + 1,)
    play(game, "discard 5''m")
    assert game.record().actions == ("discard 5''m",)
    assert game.record().replay() == game
    assert str(game.undo()) == "discard 5''m"
    play(game, "discard 5''m")
    assert game.clone().apply("chi 456m")[0].cards == (four, six)
    assert game.clone().apply("chi 4'56m")[0].cards == (four + 1, six)
    assert game.clone().apply([four + 1, six + 1])[0].cards == (four + 1, six + 1)
    exact = game.clone()
    exact.apply("chi 4'56'm")
    assert exact.record().actions[-1] == "chi 4'56'm"
    assert exact.record().replay() == exact
    for wrong in ("discard 5'''m", [five + 3], [0], [five, five]):
        with pytest.raises(ValueError):
            Game(deal=deal(hands)).apply(wrong)
    missing = Game(deal=deal(hands)).check("discard 5'''m")
    assert missing is not None and missing.code == "not_held"
    pair = play(Game(deal=deal({0: "5m", 2: "555m"})), "discard 5m")
    assert pair.apply([five + 2, five + 3])[0].cards == (five + 2, five + 3)
    assert pair.record().actions[-1] == "pon 5''5'''m"
    assert pair.record().replay() == pair


def test_an_answer_before_its_turn_keeps_its_copies() -> None:
    five, four, six = (4 * KINDS.index(kind) for kind in ("5m", "4m", "6m"))
    game = play(Game(deal=deal({0: "5m", 1: "44m66m", 3: "55m"})), "discard 5m")
    assert (game.turn, game.pending()) == (3, (1, 3))
    assert game.answer(1, [four + 1, six]) == []
    assert qipai.restore(game.snapshot()) == game
    assert game.apply("pass")[-1].cards == (four + 1, six)
    assert five not in game.view(None)["discards"][0]


def test_a_seat_cannot_tell_whether_another_is_asked_before_it_am11() -> None:
    """AM-11: seat 1 may 碰 and 吃; seat 2 may win in the first world only.

    Whatever seat 1 asks and answers, it is told the same, until its answer takes effect.
    """
    hands = {0: "5m19m19p19s1234567z", 1: "455667m1199p99s1s", 3: "2233z88p22s33s44s2p"}
    one, two = (
        play(Game(deal=deal({**hands, 2: hand}, turned="8p")), "discard 5m")
        for hand in ("46m123p456p789s55z", "48m123p456p789s55z")
    )
    assert one.pending() == (1, 2) and two.pending() == (1,)

    def told(game: Game) -> tuple[object, ...]:
        return everything(game, 1), [game.check(id, seat=1) for id in range(game.num_actions)]

    assert told(one) == told(two)
    assert one.answer(1, "pass") == two.answer(1, "pass") == []
    assert told(one) == told(two)
    assert legal(two) == {"pass", "chi 456m", "chi 567m"}
    assert one.turn == 2
    assert qipai.restore(one.snapshot()) == one
    for game in (one, two):
        assert code(game, "pon 5m", 1) == ("other_claim", "AM-11")
    # Its last answer waits for seat 2.
    taken = one.clone()
    assert taken.answer(1, "chi 456m") == []
    assert taken.pending() == (2,)
    for text in ("pass", "pon 5m", "chi 456m"):
        assert code(taken, text, 1) == ("out_of_turn", "")
    assert [event.kind for event in taken.answer(2, "pass")][-1] == "chi"
    assert taken.turn == 1
    robbed = one.clone()
    robbed.answer(1, "chi 456m")
    robbed.answer(2, "win")
    assert robbed.view(None)["winner"] == 2
    assert one.answer(1, "pass") == [] and one.pending() == (2,)
    one.answer(2, "pass")
    two.answer(1, "pass")
    assert one.turn == two.turn == 1 and one.phase == two.phase == "discard"


def test_unmarked_tiles_are_the_lowest_held() -> None:
    """Seat 1 holds the second and third 4m: 4m without a mark is the second."""
    four, five, six = (4 * KINDS.index(kind) for kind in ("4m", "5m", "6m"))
    game = play(Game(deal=deal({0: "4m5m", 1: "44m66m"})), "discard 5m")
    assert game.apply("chi 456'm")[0].cards == (four + 1, six + 1)
    assert five not in game.view(None)["hands"][1]


def test_exact_kong_ids() -> None:
    """Three ids claim 明杠, four make a 暗杠; other tiles are no action."""
    five = 4 * KINDS.index("5m")
    game = play(Game(deal=deal({0: "5m", 2: "555m"})), "discard 5m")
    with pytest.raises(qipai.IllegalAction) as caught:
        game.clone().apply([five + 1, 135])
    assert caught.value.reason.code == "no_action"
    game.apply([five + 1, five + 2, five + 3])
    assert game.view(None)["melds"][2] == ["5555m"]
    game = Game(deal=deal({0: "5555m"}))
    with pytest.raises(qipai.IllegalAction) as caught:
        game.clone().apply([five, five + 1])
    assert caught.value.reason.code == "no_action"
    game.apply([five, five + 1, five + 2, five + 3])
    assert game.view(None)["melds"][0] == ["(5555m)"]


def test_bad_claims_change_nothing() -> None:
    """AM-10, AM-11, AM-13: out of turn, without the tiles, no meld, a 混 in a meld."""
    hands = {0: "5m1m", 1: "34m", 2: "55m"}
    start = Game(deal=deal(hands))
    window = play(start.clone(), "discard 5m")
    later = play(window.clone(), "pass")
    cases = [
        (start, "discard 8s", "not_held"), (start, "chi 345m", "nothing_to_claim"),
        (start, "pon 1m", "nothing_to_claim"), (start, "kong 1m", "nothing_to_claim"),
        (start, "ankong 1m", "not_held"), (start, "addkong 1m", "no_pong"),
        (start, "win", "no_win"), (start, "pass", "no_pass"), (start, "ankong 5z", "wild_meld"),
        (start, "addkong 5z", "wild_meld"),
        (window, "discard 5m", "answer_first"), (window, "ankong 5m", "answer_first"),
        (window, "addkong 5m", "answer_first"), (window, "win", "no_win"),
        (window, "kong 5m", "not_held"), (window, "pon 6m", "no_meld"),
        (window, "chi 345m", "not_next"), (later, "pon 5m", "not_held"),
        (later, "chi 456m", "not_held"), (later, "chi 123m", "no_meld"),
        (later, "chi 123p", "no_meld"), (later, "kong 9s", "no_meld"),
    ]  # fmt: skip
    assert (window.turn, later.turn) == (2, 1)
    for game, text, expected in cases:
        before = game.snapshot()
        with pytest.raises(qipai.IllegalAction) as caught:
            game.apply(text)
        reason = caught.value.reason
        assert reason.code == expected, text
        assert reason.code in ("not_held",) or reason.clause.startswith("AM-")
        assert game.snapshot() == before
    for seat in (0, 3):
        with pytest.raises(qipai.IllegalAction) as caught:
            window.answer(seat, "pon 5m")
        assert caught.value.reason.code == "out_of_turn"
    # A run with the 混 in it.
    game = play(Game(deal=deal({0: "4m", 1: "2356m"}, turned="4m")), "discard 4m")
    assert legal(game) == {"pass", "chi 234m"}
    assert code(game, "chi 456m") == ("wild_meld", "AM-10")
    # What the seat may do in another tier only, and has already let go.
    both = play(Game(deal=asked_deal()), "discard 5p")
    assert code(both, "chi 345p") == ("other_claim", "AM-11")
    play(both, "pass", "pass", "pass")
    assert code(both, "win") == ("other_claim", "AM-11")


@pytest.mark.parametrize(
    "text", ["discard", "discard 5", "discard 55m", "discard 8z", "chi 124m", "chi 12m", "chi 891m",
             "chi 123z", "pon", "pon 5m6m", "kong 55555m", "win 5m", "pass now", "hu", "Discard 5m"]
)  # fmt: skip
def test_unreadable_texts(text: str) -> None:
    game = Game(seed=1)
    before = game.snapshot()
    with pytest.raises(ValueError):
        game.apply(text)
    assert game.snapshot() == before


def test_bad_deals() -> None:
    """AM-1: 136 tiles, each once, and a seat."""
    good = Game(seed=1).deal
    for wall in (good.wall[:-1], (*good.wall[:-1], good.wall[0]), (*good.wall[:-1], 136), "123m", 7,
                 (*good.wall[:-1], 1.5)):  # fmt: skip
        with pytest.raises(ValueError):
            Deal(wall, 0)  # type: ignore[arg-type]
    for dealer in (-1, 4, None, True):
        with pytest.raises(ValueError, match="dealer"):
            Deal(good.wall, dealer)  # type: ignore[arg-type]
        if dealer is not None:
            with pytest.raises(ValueError, match="dealer"):
                History(dealer)  # type: ignore[arg-type]
    assert Deal.from_dict(json.loads(json.dumps(good.as_dict()))) == good


def test_every_action_has_its_text() -> None:
    """Ids and texts are inverse, and the ids are those that the docs list."""
    game = Game(seed=1)
    texts = [str(game.engine.action(id)) for id in range(game.num_actions)]
    assert len(set(texts)) == game.num_actions == 193
    assert [int(game.parse(text)) for text in texts] == list(range(193))
    for id, text in ((0, "pass"), (1, "win"), (2, "discard 1m"), (35, "discard 7z"),
                     (36, "chi 123m"), (42, "chi 789m"), (43, "chi 123p"), (56, "chi 789s"),
                     (57, "pon 1m"), (91, "kong 1m"), (125, "ankong 1m"), (159, "addkong 1m"),
                     (192, "addkong 7z")):  # fmt: skip
        assert texts[id] == text


# Conservation and the reference -----------------------------------------------------------------


def test_tiles_are_conserved() -> None:
    """AM-1, AM-10: hands, melds, rivers, wall, the turned and the asked tile are always 136."""
    rng = random.Random(5)
    for _ in range(8):
        game = busy_game(rng)
        while True:
            view = game.view(None)
            tiles = [tile for row in view["hands"] + view["discards"] for tile in row]
            assert len(set(tiles)) == len(tiles)
            melded = sum(text.count(digit) for row in view["melds"] for text in row
                         for digit in "123456789")  # fmt: skip
            asked = 1 if game.phase == "rob" else 0
            assert len(tiles) + melded + asked + view["wall_left"] + 1 == 136
            sizes = [
                size + 3 * len(row) for size, row in zip(view["sizes"], view["melds"], strict=True)
            ]
            assert sorted(sizes)[:3] == [13, 13, 13]
            observed = game.observe(None)
            (unseen,) = [part for part in game.observation_spec if part.name == "unseen"]
            assert observed[unseen.start : unseen.stop].sum() == view["wall_left"] - (
                len(view["gun"]) == 2)  # fmt: skip
            if game.is_over:
                break
            advance(game, rng)


def test_hands_as_in_the_reference() -> None:
    """Whole hands, half of them under random house rules, equal after every step."""
    done = Counter[str]()
    for _, actions in prove_hands.compare(24, 3):
        done += actions
    assert set(done) == {
        "discard", "pass", "win", "chi", "pon", "kong", "ankong", "addkong",
    }  # fmt: skip


@pytest.mark.parametrize("rules", [HIDDEN, ANSHAN])
def test_robbed_kongs_as_in_the_reference(rules: Rules) -> None:
    """AM-12: step by step with the reference."""
    from qipai.verify import compare_actions, compare_state, reference_game

    for last in ("win", "pass"):
        game = Game(rules, deal=rob_deal())
        slow = reference_game(game)
        for text in (*TO_THE_ROB, last):
            compare_state(game, slow)
            compare_actions(game, slow)
            game.apply(text)
            slow.apply(text)
        compare_state(game, slow)


def test_greedy_and_search_play() -> None:
    """The hint wins where it can, and keeps its 混."""
    game = first("123m456p789s111z22z")
    assert str(game.auto()) == "win"
    game = Game(deal=deal({0: "5z"}))
    assert all(str(action) != "discard 5z" for action in game.hint(12))
    batch = qipai.play_batch("mahjong", ["greedy", "random"], 60, seed=2, duplicate=True)
    assert batch.mean(0) > 0
