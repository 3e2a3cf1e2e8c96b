"""The reference of 鞍山放羊 against its rules text."""

import itertools
import json
import random
from collections import Counter
from typing import Any

import pytest

from qipai.reference.fangyang import Game, Play, beats, classify, legal_plays
from qipai.rules.fangyang import Rules

RANKS = "3456789TJQKA2BR"
LOW_TO_HIGH = "456789TJQKA23BR"
FACES = [suit + rank for rank in RANKS[:13] for suit in "DCHS"] + ["B", "R"]
BOMBS = Rules.anshan().replace(quad_is_bomb=True)


def counts(ranks: str) -> list[int]:
    return [ranks.count(rank) for rank in RANKS]


def deal_of(*held: str, start: int = 0) -> dict[str, Any]:
    """A deal whose first hands hold these faces at least, filled up from 3 onward."""
    hands = [[FACES.index(face) for face in text.split()] for text in (*held, "", "", "", "")[:4]]
    rest = [card for card in range(54) if card not in itertools.chain(*hands)]
    for seat, hand in enumerate(hands):
        size = 14 if (seat - start) % 4 < 2 else 13
        while len(hand) < size:
            hand.append(rest.pop(0))
    return {"hands": hands, "start": start}


# One suit a seat: H, S, D, C; 小王 with seat 0, 大王 with seat 1. Seat 0 has heart 4.
SUIT_DEAL = deal_of(*(" ".join(s + r for r in LOW_TO_HIGH[:13]) for s in "HSDC"))


def opened(
    called: str,
    shown: bool = False,
    deal: dict[str, Any] = SUIT_DEAL,
    rules: Rules = Rules.anshan(),  # noqa: B008
) -> Game:
    """A hand at its first lead."""
    game = Game(rules, deal)
    game.apply(f"call {called}")
    while game.phase == "ask":
        game.apply("show" if shown and "show" in game.legal_actions() else "no")
    return game


def go_out(game: Game, *seats: int) -> None:
    """Let seats go out in this order, while the others pass or lead their lowest single.

    The called card is kept back as long as something else will do.
    """
    for seat in seats:
        while not game.is_over and seat not in game.finished:
            actions = sorted(
                (text for text in game.legal_actions() if text != "pass"),
                key=lambda text: (text.endswith("*"), len(text), LOW_TO_HIGH.index(text[0])),
            )
            acts = actions and (game.turn == seat or game.state()["table"] is None)
            game.apply(actions[0] if acts else "pass")
    assert game.finished == list(seats)


def random_deal(rng: random.Random, banker: int | None = None) -> dict[str, Any]:
    cards = list(range(54))
    rng.shuffle(cards)
    start = rng.randrange(4) if banker is None else banker
    sizes = [14 if (seat - start) % 4 < 2 else 13 for seat in range(4)]
    return {"hands": [[cards.pop() for _ in range(size)] for size in sizes], "start": start}


# --- patterns


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_rank_order(width: int) -> None:
    """FY-2, FY-11: 大王 小王 3 2 A .. 4, in every pattern."""
    ranks = LOW_TO_HIGH if width == 1 else LOW_TO_HIGH[:13]
    for (i, low), (j, high) in itertools.product(enumerate(ranks), repeat=2):
        assert beats(counts(high * width), counts(low * width)) == (j > i)


@pytest.mark.parametrize(
    ("cards", "play"),
    [
        ("9", Play("SINGLE", "9", 1, "9")),
        ("R", Play("SINGLE", "R", 1, "R")),
        ("33", Play("PAIR", "3", 2, "33")),
        ("TTT", Play("TRIPLE", "T", 3, "TTT")),
        ("AAAA", Play("QUAD", "A", 4, "AAAA")),
        ("", None),
        ("BR", None),
        ("4R", None),
        ("KKR", None),
        ("45678", None),
        ("4455", None),
        ("5556", None),
        ("555666", None),
    ],
)
def test_patterns(cards: str, play: Play | None) -> None:
    """FY-10"""
    assert classify(counts(cards)) == play


@pytest.mark.parametrize(
    ("cards", "culprit"),
    [
        ("55555", "rank 5"),
        ("BB", "rank B"),
        ("RR", "rank R"),
        ("444455556666777", "15 cards"),
    ],
)
def test_impossible_cards(cards: str, culprit: str) -> None:
    """FY-1: one deck, at most 14 cards."""
    for call in (
        lambda: classify(counts(cards)),
        lambda: legal_plays(counts(cards)),
        lambda: beats(counts(cards), counts("4")),
    ):
        with pytest.raises(ValueError, match=culprit):
            call()
    with pytest.raises(ValueError, match="rank 3"):
        classify([-1] + [0] * 14)
    with pytest.raises(ValueError, match="15 counts"):
        classify([1] * 14)


def test_same_pattern_only() -> None:
    """FY-11: off, four alike is no bomb; on, it beats all but a higher four."""
    off = Rules.anshan()
    for n, m in itertools.permutations([1, 2, 3, 4], 2):
        assert not beats(counts("A" * n), counts("5" * m), off)
        assert beats(counts("5" * n), counts("A" * m), BOMBS) == (n == 4)
    assert beats(counts("4444"), counts("R"), BOMBS)
    assert not beats(counts("4444"), counts("5555"), BOMBS)
    assert beats(counts("3333"), counts("2222"), BOMBS)


def test_beats_takes_plays() -> None:
    """FY-11"""
    king, ace = classify(counts("K")), classify(counts("A"))
    assert king is not None and ace is not None
    assert beats(ace, king) and not beats(king, counts("A"))
    for a, b in [("45", "4"), ("4", "BR"), ("", "4"), ("4", "")]:
        with pytest.raises(ValueError, match="no play"):
            beats(counts(a), counts(b))
    with pytest.raises(ValueError, match="no play"):
        beats(ace, Play("PAIR", "K", 2, "KQ"))


def test_legal_plays() -> None:
    """FY-10, FY-11: each set of ranks once."""
    hand = counts("44555566633BR")

    def texts(on: str | None, rules: Rules) -> list[str]:
        plays = legal_plays(hand, None if on is None else counts(on), rules)
        return sorted(play.cards for play in plays)

    off = Rules.anshan()
    lead = "4 44 5 55 555 5555 6 66 666 3 33 B R".split()
    assert texts(None, off) == texts(None, BOMBS) == sorted(lead)
    assert texts("2", off) == sorted(["3", "B", "R"])
    assert texts("44", off) == sorted(["55", "66", "33"])
    assert texts("44", BOMBS) == sorted(["55", "66", "33", "5555"])
    assert texts("666", off) == []
    assert texts("R", BOMBS) == ["5555"]
    assert texts("4444", off) == ["5555"]
    assert legal_plays(counts("")) == []


# --- deal, banker, call


def test_two_hands_of_14() -> None:
    """FY-1: the two seats at which the deal starts hold 14 cards."""
    for start in range(4):
        hands = Game(Rules.anshan(), deal_of(start=start)).hands
        expected = [14 if seat in (start, (start + 1) % 4) else 13 for seat in range(4)]
        assert [len(hand) for hand in hands] == expected


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"start": 1}, "seat 0"),
        ({"start": 4}, "start"),
        ({"start": True}, "start"),
        ({"start": None}, "start"),
        ({"hands": []}, "hands"),
        ({"hands": "abcd"}, "hands"),
        ({"hands": [SUIT_DEAL["hands"][0]] * 2 + SUIT_DEAL["hands"][2:]}, "dealt twice"),
        ({"hands": [[54, *SUIT_DEAL["hands"][0][1:]], *SUIT_DEAL["hands"][1:]]}, "54"),
        ({"hands": [["H4", *SUIT_DEAL["hands"][0][1:]], *SUIT_DEAL["hands"][1:]]}, "H4"),
        ({"hands": [*SUIT_DEAL["hands"][:3], None]}, "seat 3"),
        ({"seed": 1}, "seed"),
    ],
)
def test_bad_deal(change: dict[str, Any], culprit: str) -> None:
    """FY-1: whole decks only, 14, 14, 13, 13."""
    with pytest.raises(ValueError, match=culprit):
        Game(Rules.anshan(), SUIT_DEAL | change)


@pytest.mark.parametrize("history", [None, {}, {"banker": None}])
def test_first_banker_has_heart_4(history: dict[str, Any] | None) -> None:
    """FY-5"""
    for seat in range(4):
        deal = deal_of(*[""] * seat, "H4", start=2)
        game = Game(Rules.anshan(), deal, history)
        assert game.banker == game.turn == seat


def test_later_banker() -> None:
    """FY-5, FY-1: who went out first is banker, and the deal starts there."""
    game = Game(Rules.anshan(), deal_of("H4", start=3), {"banker": 3})
    assert game.banker == game.turn == 3
    heart4 = Rules.anshan().replace(banker="heart4")
    assert Game(heart4, deal_of("H4", start=3), {"banker": 3}).banker == 0
    with pytest.raises(ValueError, match="start"):
        Game(Rules.anshan(), deal_of("H4", start=3), {"banker": 2})


@pytest.mark.parametrize("history", [{"banker": 4}, {"banker": "0"}, {"leader": 0}, [], 0])
def test_bad_history(history: Any) -> None:
    with pytest.raises(ValueError, match=r"banker|leader|history"):
        Game(Rules.anshan(), SUIT_DEAL, history)


def test_next_history() -> None:
    """FY-5: the first to go out, whatever the score."""
    game = opened("HK")
    with pytest.raises(RuntimeError):
        game.next_history()
    go_out(game, 1, 0)
    assert game.next_history() == {"banker": 1}
    game = opened("HK", rules=Rules.anshan().replace(banker="heart4"))
    go_out(game, 1, 0)
    assert game.next_history() == {"banker": None}


def test_call() -> None:
    """FY-3: a suited card from A down to 4, own cards too."""
    game = Game(Rules.anshan(), SUIT_DEAL)
    assert game.phase == "call"
    expected = [f"call {suit}{rank}" for suit in "DCHS" for rank in "A K Q J T 9 8 7 6 5 4".split()]
    assert sorted(game.legal_actions()) == sorted(expected)
    for text in ("call H2", "call S3", "call B", "call R", "call K", "HK", "pass", "no", "4"):
        assert not game.is_legal(text)
        with pytest.raises(ValueError, match=text):
            game.apply(text)
    game.apply("call S9")
    assert game.state()["called"] == "S9" and game.phase == "ask"


def test_holder_makes_the_sides() -> None:
    """FY-4"""
    for called, sides in [
        ("S9", [[0, 1], [0, 1], [2, 3], [2, 3]]),
        ("D9", [[0, 2], [1, 3], [0, 2], [1, 3]]),
        ("C9", [[0, 3], [1, 2], [1, 2], [0, 3]]),
        ("H9", [[0], [1, 2, 3], [1, 2, 3], [1, 2, 3]]),
    ]:
        game = opened(called)
        assert [game.side(seat) for seat in range(4)] == sides


# --- showing


@pytest.mark.parametrize(("called", "holder"), [("HK", 0), ("SK", 1), ("DK", 2), ("CK", 3)])
def test_asking_goes_round_once(called: str, holder: int) -> None:
    """FY-6: all four, the banker first; only the holder can say yes; a yes ends it."""
    game = Game(Rules.anshan(), SUIT_DEAL)
    game.apply(f"call {called}")
    for seat in range(4):
        assert (game.phase, game.turn) == ("ask", seat)
        assert game.legal_actions() == (["show", "no"] if seat == holder else ["no"])
        game.apply("no")
    assert (game.phase, game.turn, game.known, game.shown) == ("play", 0, False, False)

    game = Game(Rules.anshan(), SUIT_DEAL)
    game.apply(f"call {called}")
    for _ in range(holder):
        game.apply("no")
    game.apply("show")
    assert (game.phase, game.turn, game.known, game.shown) == ("play", 0, True, True)


def test_asking_starts_at_the_banker() -> None:
    """FY-6"""
    game = Game(Rules.anshan(), deal_of("SK", "", "H4"))
    game.apply("call SK")
    asked: list[int | None] = []
    while game.phase == "ask":
        asked.append(game.turn)
        game.apply("no")
    assert asked == [2, 3, 0, 1] and game.turn == 2


# --- play


def test_lead_need_not_contain_heart_4() -> None:
    """FY-5"""
    assert opened("HK").is_legal("9")


def test_star_marks_the_called_card() -> None:
    """FY-10, FY-4: with the called card and without are two actions."""
    game = opened("HK", deal=deal_of("H4 HK SK DK"))
    kings = {text for text in game.legal_actions() if text.startswith("K")}
    assert kings == {"K", "K*", "KK", "KK*", "KKK*"}
    for text, gone in [
        ("K", ["DK"]),
        ("K*", ["HK"]),
        ("KK", ["DK", "SK"]),
        ("KK*", ["DK", "HK"]),
        ("KKK*", ["DK", "HK", "SK"]),
    ]:
        game = opened("HK", deal=deal_of("H4 HK SK DK"))
        before = game.hands[0].copy()
        game.apply(text)
        assert [FACES[card] for card in before if card not in game.hands[0]] == gone
        assert game.known == ("*" in text)
        assert game.state()["table"] == text.removesuffix("*")


def test_lone_called_card_is_starred() -> None:
    """FY-10, FY-3"""
    game = opened("HK")
    assert game.is_legal("K*") and not game.is_legal("K")
    assert not game.is_legal("Q*")


def test_others_have_no_star() -> None:
    """FY-4: a star only with the holder."""
    game = opened("SK")
    assert game.is_legal("K") and not game.is_legal("K*")


def test_suited_text() -> None:
    """FY-2: suits name cards, and mean nothing else."""
    for text, gone, known in [
        ("SK DK", ["DK", "SK"], False),
        ("SK HK", ["HK", "SK"], True),
        ("HK SK DK", ["DK", "HK", "SK"], True),
        ("SK", ["SK"], False),
        ("B", ["B"], False),
    ]:
        game = opened("HK", deal=deal_of("H4 HK SK DK B"))
        before = game.hands[0].copy()
        game.apply(text)
        assert [FACES[card] for card in before if card not in game.hands[0]] == gone
        assert game.known == known
    game = opened("HK", deal=deal_of("H4 HK SK DK B"))
    for text in ("CK", "SK SK", "SK H4", "SK*", "K SK", "SK,DK", "", " "):
        assert not game.is_legal(text)


def test_beat_or_pass() -> None:
    """FY-11: same pattern and higher, or pass; a free lead cannot be passed."""
    game = opened("HK")
    assert not game.is_legal("pass")
    game.apply("Q")
    assert game.turn == 1
    assert set(game.legal_actions()) == {"K", "A", "2", "3", "R", "pass"}
    game.apply("3")
    assert set(game.legal_actions()) == {"pass"}


def test_four_alike_in_play() -> None:
    """FY-11: `quad_is_bomb`."""
    deal = deal_of("H4", "S5 H5 D5 C5")
    for rules, bomb in [(Rules.anshan(), False), (BOMBS, True)]:
        game = opened("SK", deal=deal, rules=rules)
        game.apply("H4")
        assert game.is_legal("5555") == bomb


def test_pass_does_not_bar() -> None:
    """FY-11, FY-12: who passed may play later; the last to play leads anew, any pattern."""
    game = opened("HK")
    for text in ("4", "pass", "5", "pass", "pass", "6", "pass"):
        game.apply(text)
    assert (game.turn, game.state()["table_seat"]) == (3, 1)
    for text in ("pass", "pass"):
        game.apply(text)
    assert (game.turn, game.state()["table"], game.state()["table_seat"]) == (1, None, None)
    assert len(game.legal_actions()) == 13 and not game.is_legal("pass")


def test_turn_skips_who_is_out() -> None:
    """FY-11, FY-12: with one out, two passes end the trick."""
    game = opened("SK")
    go_out(game, 2)
    for _ in range(3):
        game.apply("pass")
    assert game.turn == 3
    game.apply("4")
    assert game.turn == 0
    game.apply("5")
    assert game.turn == 1
    game.apply("pass")
    assert game.turn == 3
    game.apply("pass")
    assert (game.turn, game.state()["table"]) == (0, None)


# --- 接风


def all_pass(game: Game) -> int | None:
    for _ in range(4 - len(game.finished)):
        game.apply("pass")
    assert game.state()["table"] is None
    return game.turn


def test_relay_before_known() -> None:
    """FY-13, worked case: seat 3 out, the called card not seen: seat 0 leads."""
    game = opened("SK")
    go_out(game, 3)
    assert not game.known
    assert all_pass(game) == 0


def test_relay_before_known_skips_who_is_out() -> None:
    """FY-13: the next in turn who still has cards."""
    game = opened("SK")
    go_out(game, 3, 0)
    assert not game.known
    assert all_pass(game) == 1
    game = opened("HK")
    go_out(game, 2, 1)
    assert not game.known
    assert all_pass(game) == 3


def test_relay_once_shown() -> None:
    """FY-13, worked case: the partner 2 leads."""
    game = opened("SK", shown=True)
    go_out(game, 3)
    assert all_pass(game) == 2


def test_relay_once_played() -> None:
    """FY-13, worked case: known since the called card was played."""
    game = opened("SK")
    game.apply("4")
    game.apply("K*")
    for _ in range(3):
        game.apply("pass")
    assert game.known and not game.shown
    go_out(game, 3)
    assert all_pass(game) == 2


def test_relay_when_the_last_play_holds_the_called_card() -> None:
    """FY-13: the last play itself included; the partner 0 and not the next seat 2."""
    game = opened("SK")
    while len(game.hands[1]) > 1:  # seat 1 gets rid of all but the king
        free = game.state()["table"] is None
        texts = [text for text in game.legal_actions() if text not in ("K*", "pass")]
        if game.turn == 1:
            game.apply(texts[0] if texts else "pass")
        else:
            game.apply("4" if free and game.is_legal("4") else "pass")
    assert not game.known
    for _ in range(3):
        game.apply("pass")
    game.apply("K*")
    assert game.finished == [1] and game.known
    assert all_pass(game) == 0


def test_relay_among_three_partners() -> None:
    """FY-13: 1v3, known: the next of the three in turn who has cards, never the banker."""
    unknown = opened("HK")
    go_out(unknown, 3)
    assert all_pass(unknown) == 0

    game = opened("HK")
    game.apply("K*")
    for _ in range(3):
        game.apply("pass")
    go_out(game, 3)
    assert all_pass(game) == 1

    game = opened("HK")
    game.apply("K*")
    for _ in range(3):
        game.apply("pass")
    go_out(game, 1, 3)
    assert all_pass(game) == 2


def test_heart_4_called_by_its_banker() -> None:
    """FY-13, FY-4: alone, and not known before it is played or shown."""
    game = opened("H4")
    assert game.is_alone and not game.known
    go_out(game, 3)
    assert not game.known and all_pass(game) == 0
    game = opened("H4")
    game.apply("4*")
    assert game.known
    assert opened("H4", shown=True).known


# --- end and score


@pytest.mark.parametrize(
    ("called", "shown", "out", "scores"),
    [
        # The worked cases.
        ("HK", False, (0,), [3, -1, -1, -1]),
        ("HK", False, (1, 0), [0, 0, 0, 0]),
        ("HK", False, (1, 2, 3), [-3, 1, 1, 1]),
        ("HK", True, (2,), [-6, 2, 2, 2]),
        ("SK", False, (2, 0, 3), [-1, -1, 1, 1]),
        ("SK", False, (2, 3), [-2, -2, 2, 2]),
        ("SK", False, (2, 0, 1), [0, 0, 0, 0]),
        ("SK", True, (2, 0, 3), [-2, -2, 2, 2]),
        ("SK", True, (2, 3), [-4, -4, 4, 4]),
        ("SK", True, (2, 0, 1), [0, 0, 0, 0]),
        # The rest of the table.
        ("HK", False, (3, 1, 0), [0, 0, 0, 0]),
        ("HK", True, (0,), [6, -2, -2, -2]),
        ("DK", False, (0, 2), [2, -2, 2, -2]),
        ("DK", False, (0, 1, 2), [1, -1, 1, -1]),
        ("DK", False, (1, 0, 3), [-1, 1, -1, 1]),
        ("DK", True, (1, 3), [-4, 4, -4, 4]),
        ("CK", True, (3, 1, 0), [2, -2, -2, 2]),
    ],
)
def test_end_and_score(called: str, shown: bool, out: tuple[int, ...], scores: list[int]) -> None:
    """FY-14, FY-20, FY-21, FY-22: the hand ends just then, and every row sums to zero."""
    for stake in (1, 5):
        game = opened(called, shown, rules=Rules.anshan().replace(stake=stake))
        for seat in range(len(out)):
            assert not game.is_over
            with pytest.raises(RuntimeError):
                game.scores()
            go_out(game, *out[: seat + 1])
        assert game.is_over and game.phase == "over" and game.turn is None
        assert game.legal_actions() == [] and not game.is_legal("pass")
        assert game.scores() == [stake * score for score in scores]


def test_known_is_not_shown() -> None:
    """FY-22: playing the called card is not showing it."""
    game = opened("HK")
    game.apply("K*")
    for _ in range(3):
        game.apply("pass")
    go_out(game, 1, 2, 3)
    assert game.known and game.scores() == [-3, 1, 1, 1]


@pytest.mark.parametrize(
    ("called", "shown", "out", "scores"),
    [
        ("SK", False, (2, 0, 3), [-11, -11, 11, 11]),
        ("SK", False, (2, 3), [-12, -12, 12, 12]),
        ("SK", False, (2, 0, 1), [-13, -13, 13, 13]),
        ("HK", False, (0,), [63, -21, -21, -21]),
        ("HK", False, (1, 0), [66, -22, -22, -22]),
        ("HK", False, (1, 2, 0), [66, -22, -22, -22]),
        ("HK", False, (1, 2, 3), [-69, 23, 23, 23]),
        ("SK", True, (2, 0, 3), [-31, -31, 31, 31]),
        ("SK", True, (2, 3), [-32, -32, 32, 32]),
        ("SK", True, (2, 0, 1), [-33, -33, 33, 33]),
        ("HK", True, (0,), [123, -41, -41, -41]),
        ("HK", True, (3,), [-126, 42, 42, 42]),
    ],
)
def test_table_is_a_field(
    called: str, shown: bool, out: tuple[int, ...], scores: list[int]
) -> None:
    """FY-23"""
    rules = Rules.anshan().replace(
        not_shown_2v2=(11, 12, 13),
        not_shown_1v3=(21, 22, -23),
        shown_2v2=(31, 32, 33),
        shown_1v3=(41, -42),
    )
    game = opened(called, shown, rules=rules)
    go_out(game, *out)
    assert game.scores() == scores


# --- rules


def test_rules_as_data() -> None:
    """FY-5, FY-11, FY-20 to FY-23"""
    rules = Rules.anshan().replace(banker="heart4", shown_1v3=(3, -3), stake=10)
    assert Rules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules
    assert Rules.anshan().as_dict() == {
        "name": "anshan",
        "banker": "first_out",
        "quad_is_bomb": False,
        "not_shown_2v2": [1, 2, 0],
        "not_shown_1v3": [1, 0, -1],
        "shown_2v2": [2, 4, 0],
        "shown_1v3": [2, -2],
        "stake": 1,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("banker", "random"),
        ("banker", None),
        ("quad_is_bomb", 1),
        ("not_shown_2v2", (1, 2)),
        ("not_shown_2v2", (1, 2, 101)),
        ("not_shown_1v3", (1, 2, "3")),
        ("shown_2v2", 3),
        ("shown_1v3", (1, 2, 3)),
        ("stake", 0),
        ("stake", True),
        ("name", ""),
        ("bet", 1),
    ],
)
def test_bad_rules(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        Rules.anshan().replace(**{field: value})
    with pytest.raises(ValueError, match=field):
        Rules.from_dict(Rules.anshan().as_dict() | {field: value})


# --- whole hands


def stepped(game: Game, rng: random.Random) -> None:
    """One random step, with what holds in every step."""
    before: dict[str, Any] = game.state()
    turn = game.turn
    assert turn is not None and before["hands"][turn]
    actions = game.legal_actions()
    assert actions and len(actions) == len(set(actions))
    if game.phase == "play":
        assert ("pass" in actions) == (before["table"] is not None)
    text = rng.choice(actions)
    game.apply(text)
    hands: list[list[int]] = before["hands"]
    for seat, (old, new) in enumerate(zip(hands, game.hands, strict=True)):
        ranks = "".join(FACES[card][-1] for card in old if card not in new)
        is_play = before["phase"] == "play" and text != "pass" and seat == turn
        assert ranks == (text.removesuffix("*") if is_play else "")
        assert set(new) <= set(old)
    assert not before["known"] or game.known
    assert json.loads(json.dumps(game.state())) == game.state()


@pytest.mark.parametrize("rules", [Rules.anshan(), BOMBS, Rules(banker="heart4")])
def test_random_hands(rules: Rules) -> None:
    """FY-14, FY-20 to FY-23, FY-5: hands in a row end, and sum to zero."""
    rng = random.Random(14)
    banker: int | None = None
    ends: Counter[tuple[bool, bool]] = Counter()
    for _ in range(24):
        game = Game(rules, random_deal(rng, banker), {"banker": banker})
        while not game.is_over:
            stepped(game, rng)
        assert sum(game.scores()) == 0
        assert sorted(seat for seat in range(4) if not game.hands[seat]) == sorted(game.finished)
        ends[game.is_alone, game.shown] += 1
        banker = game.next_history()["banker"]
    assert len(ends) == 4


def test_illegal_changes_nothing() -> None:
    """FY-11, FY-3, FY-6: all that is not listed is refused."""
    calls = [f"call {face}" for face in FACES]
    plays = [rank * n + star for rank in RANKS for n in range(1, 6) for star in ("", "*")]
    universe = [*calls, *plays, "show", "no", "pass", "call", "45", "BR"]
    rng = random.Random(3)
    game = Game(Rules.anshan(), random_deal(rng))
    while not game.is_over:
        state, legal = game.state(), game.legal_actions()
        assert set(legal) <= set(universe)
        for text in rng.sample(universe, 16):
            assert game.is_legal(text) == (text in legal)
            if text not in legal:
                with pytest.raises(ValueError, match="not legal"):
                    game.apply(text)
        assert game.state() == state
        game.apply(rng.choice(legal))
