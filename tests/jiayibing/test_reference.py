"""The reference of 鞍山甲乙丙 against its rules text."""

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from qipai.reference.jiayibing import Game, Play, beats, classify, legal_plays
from qipai.rules.jiayibing import Rules

RANKS = "3456789TJQKA2BR"  # also low to high: JY-2
FACES = [suit + rank for rank in RANKS[:13] for suit in "DCHS"] + ["B", "R"]
ALIKE_8 = Rules.anshan().replace(max_alike=8)
BOMBS = ALIKE_8.replace(quad_is_bomb=True)


def counts(ranks: str) -> list[int]:
    return [ranks.count(rank) for rank in RANKS]


def faces(cards: Sequence[int]) -> list[str]:
    return [FACES[card % 54] for card in cards]


def deal_of(*held: Sequence[int]) -> dict[str, Any]:
    """A deal whose first hands hold these ids at least; the rest goes round by rank."""
    hands = [list(cards) for cards in (*held, *[()] * 6)[:6]]
    rest = sorted(set(range(108)).difference(*hands), key=lambda card: (card % 54, card))
    while rest:
        for hand in hands:
            if rest and len(hand) < 18:
                hand.append(rest.pop(0))
    return {"hands": hands}


EVEN_DEAL = deal_of([2])  # seat 0 has the marked 3, all have something of nearly every rank


def go_out(game: Game, *seats: int) -> None:
    """Let seats go out in this order, while the others pass or lead their lowest single."""
    for seat in seats:
        while not game.is_over and seat not in game.finished:
            actions = sorted(
                (text for text in game.legal_actions() if text != "pass"),
                key=lambda text: (len(text), RANKS.index(text[0])),
            )
            acts = actions and (game.turn == seat or game.state()["table"] is None)
            game.apply(actions[0] if acts else "pass")
    assert game.finished == list(seats)


def all_pass(game: Game) -> int | None:
    for _ in range(6 - len(game.finished)):
        game.apply("pass")
    assert game.state()["table"] is None
    return game.turn


def random_deal(rng: random.Random) -> dict[str, Any]:
    cards = list(range(108))
    rng.shuffle(cards)
    return {"hands": [cards[18 * seat : 18 * seat + 18] for seat in range(6)]}


# --- patterns


@pytest.mark.parametrize("width", range(1, 9))
def test_rank_order(width: int) -> None:
    """JY-2, JY-11: 大王 小王 2 A .. 3, in every pattern."""
    ranks = RANKS if width <= 2 else RANKS[:13]
    for (i, low), (j, high) in itertools.product(enumerate(ranks), repeat=2):
        assert beats(counts(high * width), counts(low * width), ALIKE_8) == (j > i)


@pytest.mark.parametrize(
    ("cards", "play"),
    [
        ("3", Play("SINGLE", "3", 1, "3")),
        ("22", Play("PAIR", "2", 2, "22")),
        ("BB", Play("PAIR", "B", 2, "BB")),
        ("RR", Play("PAIR", "R", 2, "RR")),
        ("TTT", Play("TRIPLE", "T", 3, "TTT")),
        ("AAAA", Play("QUAD", "A", 4, "AAAA")),
        ("", None),
        ("BR", None),
        ("BBR", None),
        ("BBRR", None),
        ("2R", None),
        ("345", None),
        ("3344", None),
        ("5556", None),
        ("55555", None),
        ("55555555", None),
    ],
)
def test_patterns(cards: str, play: Play | None) -> None:
    """JY-10: 大王 pairs with 大王 only, 小王 with 小王."""
    assert classify(counts(cards)) == play


def test_more_than_four_alike() -> None:
    """JY-10: `max_alike`."""
    names = {5: "FIVE", 6: "SIX", 7: "SEVEN", 8: "EIGHT"}
    for most in range(4, 9):
        rules = Rules.anshan().replace(max_alike=most)
        for width, name in names.items():
            expected = Play(name, "7", width, "7" * width) if width <= most else None
            assert classify(counts("7" * width), rules) == expected


@pytest.mark.parametrize(
    ("cards", "culprit"),
    [
        ("555555555", "rank 5"),
        ("BBB", "rank B"),
        ("RRR", "rank R"),
        ("3333333344444444555", "19 cards"),
    ],
)
def test_impossible_cards(cards: str, culprit: str) -> None:
    """JY-1: two decks, at most 18 cards."""
    for call in (
        lambda: classify(counts(cards)),
        lambda: legal_plays(counts(cards)),
        lambda: beats(counts(cards), counts("3")),
    ):
        with pytest.raises(ValueError, match=culprit):
            call()
    with pytest.raises(ValueError, match="rank 3"):
        classify([-1] + [0] * 14)
    with pytest.raises(ValueError, match="15 counts"):
        classify([1] * 14)


def test_bombs() -> None:
    """JY-11, JY-10: another number alike never beats; as bombs, four or more beat fewer."""
    for n, m in itertools.permutations(range(1, 9), 2):
        assert not beats(counts("A" * n), counts("3" * m), ALIKE_8)
        assert beats(counts("3" * n), counts("A" * m), BOMBS) == (n >= 4 and n > m)
    assert beats(counts("3333"), counts("RR"), BOMBS)
    assert not beats(counts("3333"), counts("4444"), BOMBS)
    assert beats(counts("22222"), counts("AAAAA"), BOMBS)
    four = BOMBS.replace(max_alike=4)
    assert beats(counts("3333"), counts("222"), four)
    with pytest.raises(ValueError, match="no play"):
        beats(counts("33333"), counts("2222"), four)


def test_beats_takes_plays() -> None:
    """JY-11"""
    king, ace = classify(counts("KK")), classify(counts("AA"))
    assert king is not None and ace is not None
    assert beats(ace, king) and not beats(king, counts("AA"))
    for a, b in [("45", "4"), ("33", "BR"), ("", "4"), ("4", "")]:
        with pytest.raises(ValueError, match="no play"):
            beats(counts(a), counts(b))
    with pytest.raises(ValueError, match="no play"):
        beats(Play("FIVE", "K", 5, "KKKKK"), king)


def test_legal_plays() -> None:
    """JY-10, JY-11: each set of ranks once."""
    hand = counts("34444422BBR")

    def texts(on: str | None, rules: Rules) -> list[str]:
        plays = legal_plays(hand, None if on is None else counts(on), rules)
        return sorted(play.cards for play in plays)

    four = "3 4 44 444 4444 2 22 B BB R".split()
    assert texts(None, Rules.anshan()) == sorted(four)
    assert texts(None, ALIKE_8) == texts(None, BOMBS) == sorted([*four, "44444"])
    assert texts("A", Rules.anshan()) == sorted(["2", "B", "R"])
    assert texts("22", Rules.anshan()) == ["BB"]
    assert texts("AA", BOMBS) == sorted(["22", "BB", "4444", "44444"])
    assert texts("5555", BOMBS) == ["44444"]
    assert texts("5555", ALIKE_8) == []
    assert legal_plays(counts("")) == []


# --- deal and first lead


HANDS: list[list[Any]] = EVEN_DEAL["hands"]


@pytest.mark.parametrize(
    ("deal", "culprit"),
    [
        ({"hands": HANDS[:5]}, "hands"),
        ({"hands": [HANDS[0][1:], *HANDS[1:]]}, "seat 0"),
        ({"hands": [HANDS[1], *HANDS[1:]]}, "dealt twice"),
        ({"hands": [[108, *HANDS[0][1:]], *HANDS[1:]]}, "108"),
        ({"hands": [[True, *HANDS[0][1:]], *HANDS[1:]]}, "True"),
        ({"hands": HANDS, "start": 0}, "start"),
        ({}, "hands"),
        (HANDS, "deal"),
    ],
)
def test_bad_deal(deal: Any, culprit: str) -> None:
    """JY-1: two whole decks, six hands of 18."""
    with pytest.raises(ValueError, match=culprit):
        Game(Rules.anshan(), deal)


@pytest.mark.parametrize("history", [None, {}, {"leader": None}])
def test_marked_3_leads(history: dict[str, Any] | None) -> None:
    """JY-3: its holder leads the first hand, any pattern, and it is worth a 3."""
    for seat in range(6):
        game = Game(Rules.anshan(), deal_of(*[()] * seat, [2]), history)
        assert game.turn == seat
    game = Game(Rules.anshan(), deal_of([2, 4, 58, 5]), history)
    assert {"3", "4", "44", "444"} <= set(game.legal_actions()) and not game.is_legal("pass")
    game.apply("H3")
    assert game.is_legal("4") and not game.is_legal("3")


def test_which_3_is_marked() -> None:
    """JY-3: `special_card`."""
    deal = deal_of([2], [56], [3])
    for seat, card in enumerate((2, 56, 3)):
        assert Game(Rules.anshan().replace(special_card=card), deal).turn == seat
    for card in (4, 58, 52, 107):
        with pytest.raises(ValueError, match="special_card"):
            Rules.anshan().replace(special_card=card)


def test_later_leader() -> None:
    """JY-3: who went out first leads the next hand; the marked 3 means nothing then."""
    assert Game(Rules.anshan(), EVEN_DEAL, {"leader": 3}).turn == 3
    special = Rules.anshan().replace(leader="special")
    assert Game(special, EVEN_DEAL, {"leader": 3}).turn == 0
    for rules, leader in [(Rules.anshan(), 4), (special, None)]:
        game = Game(rules, EVEN_DEAL)
        with pytest.raises(RuntimeError):
            game.next_history()
        go_out(game, 4, 1, 0, 2)
        assert game.next_history() == {"leader": leader}


@pytest.mark.parametrize("history", [{"leader": 6}, {"leader": "0"}, {"banker": 0}, [], 0])
def test_bad_history(history: Any) -> None:
    with pytest.raises(ValueError, match=r"banker|leader|history"):
        Game(Rules.anshan(), EVEN_DEAL, history)


# --- play


def test_beat_or_pass() -> None:
    """JY-11: same pattern and higher, or pass; a free lead cannot be passed."""
    game = Game(Rules.anshan(), deal_of([2, 48, 49], [44, 45, 46, 50, 51, 52, 106, 53]))
    assert not game.is_legal("pass")
    game.apply("22")
    assert game.turn == 1
    assert set(game.legal_actions()) == {"BB", "pass"}
    game.apply("BB")
    assert set(game.legal_actions()) == {"pass"}


def test_jokers_do_not_mix() -> None:
    """JY-10"""
    game = Game(Rules.anshan(), deal_of([2, 52, 106, 53, 107]))
    assert {"B", "BB", "R", "RR"} <= set(game.legal_actions())
    for text in ("BR", "RB", "B R", "BBRR", "BBR"):
        assert not game.is_legal(text)


def test_pass_does_not_bar() -> None:
    """JY-11: who passed may play later; the last to play leads anew, any pattern."""
    game = Game(Rules.anshan(), EVEN_DEAL)
    for text in ("3", "pass", "5", "pass", "pass", "pass", "pass", "6"):
        game.apply(text)
    assert (game.turn, game.state()["table_seat"]) == (2, 1)
    for seat in (2, 3, 4, 5, 0):
        assert game.turn == seat
        game.apply("pass")
    assert (game.turn, game.state()["table"], game.state()["table_seat"]) == (1, None, None)
    held = {FACES[card % 54][-1] for card in game.hands[1]}
    assert held <= set(game.legal_actions()) and not game.is_legal("pass")


def test_lowest_ids_or_the_named_cards() -> None:
    """JY-2: suits name cards, and mean nothing else; removing one of two removes one."""
    kings = [40, 94, 41, 95, 43]
    for text, gone in [
        ("K", [40]),
        ("KK", [40, 41]),
        ("KKKK", [40, 41, 43, 94]),
        ("DK", [40]),
        ("DK DK", [40, 94]),
        ("SK CK DK", [40, 41, 43]),
    ]:
        game = Game(Rules.anshan(), deal_of([2, *kings]))
        before = game.hands[0].copy()
        game.apply(text)
        assert [card for card in before if card not in game.hands[0]] == gone
    game = Game(Rules.anshan(), deal_of([2, *kings]))
    for text in ("HK", "SK SK", "DK DK DK", "SK H3", "K SK", "KKKKK", "DK DK CK CK SK", "", " "):
        assert not game.is_legal(text)


def test_relay_goes_to_the_next_seat() -> None:
    """JY-12, worked case: seat 2 out and all pass: the next from 3 on that has cards."""
    game = Game(Rules.anshan(), EVEN_DEAL)
    go_out(game, 2)
    assert all_pass(game) == 3
    game = Game(Rules.anshan(), EVEN_DEAL)
    go_out(game, 3, 2)
    assert all_pass(game) == 4
    game = Game(Rules.anshan(), EVEN_DEAL)
    go_out(game, 3, 4, 5, 2)
    assert all_pass(game) == 0


def test_turn_skips_who_is_out() -> None:
    """JY-11"""
    game = Game(Rules.anshan(), EVEN_DEAL)
    go_out(game, 2, 3)
    assert all_pass(game) == 4
    game.apply(game.legal_actions()[0])
    for seat in (5, 0, 1):
        assert game.turn == seat
        game.apply("pass")
    assert (game.turn, game.state()["table"]) == (4, None)


# --- end and score


@pytest.mark.parametrize(
    ("out", "amount"),
    [
        # The worked cases.
        ((0, 1, 2, 3, 4), 1),
        ((0, 2, 4), 3),
        # Two left holding, the other side, the losers first.
        ((4, 1, 0, 2), 2),
        ((1, 0, 3, 5), -2),
        ((5, 3, 1), -3),
        ((0, 2, 3, 1, 5), -1),
        ((3, 5, 4, 2, 0), 1),
    ],
)
def test_end_and_score(out: tuple[int, ...], amount: int) -> None:
    """JY-1, JY-13, JY-20: the hand ends just when one side is out."""
    flat = amount // abs(amount)
    for score, stake, each in [("left_holding", 5, 5 * amount), ("flat", 1, flat)]:
        game = Game(Rules.anshan().replace(score=score, stake=stake), EVEN_DEAL)
        for seat in range(len(out)):
            assert not game.is_over and game.phase == "play"
            with pytest.raises(RuntimeError):
                game.scores()
            go_out(game, *out[: seat + 1])
        assert game.is_over and game.phase == "over" and game.turn is None
        assert game.legal_actions() == [] and not game.is_legal("pass")
        assert game.scores() == [each, -each] * 3


# --- rules


def test_rules_as_data() -> None:
    """JY-3, JY-10, JY-20"""
    rules = Rules.anshan().replace(leader="special", max_alike=6, score="flat", special_card=55)
    assert Rules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules
    assert Rules.anshan().as_dict() == {
        "name": "anshan",
        "special_card": 2,
        "leader": "first_out",
        "max_alike": 4,
        "quad_is_bomb": False,
        "score": "left_holding",
        "stake": 1,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("special_card", -1),
        ("special_card", 108),
        ("special_card", "H3"),
        ("leader", "heart4"),
        ("max_alike", 3),
        ("max_alike", 9),
        ("quad_is_bomb", "yes"),
        ("score", "double"),
        ("stake", 0),
        ("name", 7),
        ("bet", 1),
    ],
)
def test_bad_rules(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        Rules.anshan().replace(**{field: value})
    with pytest.raises(ValueError, match=field):
        Rules.from_dict(Rules.anshan().as_dict() | {field: value})


# --- whole hands


@pytest.mark.parametrize("rules", [Rules.anshan(), BOMBS, Rules(leader="special", score="flat")])
def test_random_hands(rules: Rules) -> None:
    """JY-11, JY-13, JY-20, JY-3: hands in a row end, lose no card, and sum to zero."""
    rng = random.Random(18)
    history: dict[str, Any] | None = None
    for _ in range(10):
        game = Game(rules, random_deal(rng), history)
        while not game.is_over:
            before, turn = game.state(), game.turn
            assert turn is not None and before["hands"][turn]
            actions = game.legal_actions()
            assert actions and len(actions) == len(set(actions))
            assert ("pass" in actions) == (before["table"] is not None)
            text = rng.choice(actions)
            game.apply(text)
            for seat, (old, new) in enumerate(zip(before["hands"], game.hands, strict=True)):
                gone = [card for card in old if card not in new]
                ranks = "".join(face[-1] for face in faces(gone))
                assert ranks == (text if text != "pass" and seat == turn else "")
                assert set(new) <= set(old)
            assert json.loads(json.dumps(game.state())) == game.state()
        assert sum(game.scores()) == 0
        assert [seat for seat in range(6) if not game.hands[seat]] == sorted(game.finished)
        history = game.next_history()


def test_illegal_changes_nothing() -> None:
    """JY-11: all that is not listed is refused."""
    universe = [rank * n for rank in RANKS for n in range(1, 10)] + ["pass", "45", "BR", "no"]
    rng = random.Random(3)
    game = Game(ALIKE_8, random_deal(rng))
    while not game.is_over:
        state, legal = game.state(), game.legal_actions()
        assert set(legal) <= set(universe)
        for text in rng.sample(universe, 8):
            assert game.is_legal(text) == (text in legal)
            if text not in legal:
                with pytest.raises(ValueError, match="not legal"):
                    game.apply(text)
        assert game.state() == state
        game.apply(rng.choice(legal))
