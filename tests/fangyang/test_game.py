"""The compiled game of 放羊: every clause, on the reference at the same time where it plays."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qipai
from qipai import fangyang
from qipai.fangyang import Deal, Game, History, Rules
from qipai.verify import compare_hands

sys.path.append(str(Path(__file__).parents[1] / "common"))

import alike
import chacha
from alike import FACES, Both, card

LOW_TO_HIGH = "456789TJQKA23BR"
BOMBS = Rules(quad_is_bomb=True)


def deal_of(*held: str, start: int = 0) -> Deal:
    """A deal whose first hands hold these faces at least, filled up from 3 onward."""
    hands = [[FACES.index(face) for face in text.split()] for text in (*held, "", "", "", "")[:4]]
    rest = [one for one in range(54) if one not in itertools.chain(*hands)]
    for seat, hand in enumerate(hands):
        while len(hand) < (14 if (seat - start) % 4 < 2 else 13):
            hand.append(rest.pop(0))
    return Deal(tuple(map(tuple, hands)), start)


# One suit a seat: H, S, D, C; 小王 with seat 0, 大王 with seat 1. Seat 0 has heart 4.
SUIT_DEAL = deal_of(*(" ".join(s + r for r in LOW_TO_HIGH[:13]) for s in "HSDC"))


def new(deal: Deal = SUIT_DEAL, rules: Rules | None = None, history: History | None = None) -> Game:
    return Game(rules, deal=deal, history=history, seed=1)


def opened(
    called: str, shown: bool = False, deal: Deal = SUIT_DEAL, rules: Rules | None = None
) -> Both:
    """A hand on both sides at its first lead."""
    both = Both(new(deal, rules)).apply(f"call {called}")
    while both.game.phase == "ask":
        both.apply("show" if shown and "show" in both.texts else "no")
    return both


def go_out(both: Both, *seats: int) -> Both:
    return both.go_out(*seats, order=LOW_TO_HIGH)


def faces(game: Game, seat: int) -> set[str]:
    return {FACES[one] for one in alike.hands(game)[seat]}


def reason(game: Game, action: Any, **about: Any) -> tuple[str, str]:
    """Why an action is refused; that nothing changes is asserted."""
    before = game.snapshot()
    with pytest.raises(qipai.IllegalAction) as caught:
        game.apply(action, **about)
    assert game.snapshot() == before
    assert game.check(action, **about) == caught.value.reason
    return caught.value.reason.code, caught.value.reason.clause


# --- deal, banker


def test_sizes_of_the_hands() -> None:
    """FY-1: 14 for the seat where the deal starts and the next, 13 for the others."""
    starts = set()
    for seed in range(60):
        deal = Game(seed=seed).deal
        starts.add(deal.start)
        for seat in range(4):
            assert len(deal.hands[seat]) == (14 if (seat - deal.start) % 4 < 2 else 13)
        assert sorted(itertools.chain(*deal.hands)) == list(range(54))
    assert starts == {0, 1, 2, 3}


def test_the_deal_comes_from_the_seed() -> None:
    """FY-1, FY-5: the seat where it starts, unless it is the banker's, then the cards in turn."""
    for number, banker in itertools.product(range(8), (None, 2)):
        seed = (number * 7919 + 1).to_bytes(32, "little")
        stream = chacha.words(seed)
        start = chacha.below(stream, 4) if banker is None else banker
        order = chacha.shuffled(stream, 54)
        deal = Game(seed=seed, history=History(banker)).deal
        assert deal.start == start
        for place, (first, last) in enumerate(itertools.pairwise((0, 14, 28, 41, 54))):
            assert deal.hands[(start + place) % 4] == tuple(sorted(order[first:last]))


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"start": 1}, "come out even"),
        ({"start": 4}, "start"),
        ({"start": True}, "start"),
        ({"hands": ()}, "4 players"),
        ({"hands": "abcd"}, "4 players"),
        ({"hands": (SUIT_DEAL.hands[0],) * 2 + SUIT_DEAL.hands[2:]}, "twice"),
        ({"hands": ((54, *SUIT_DEAL.hands[0][1:]), *SUIT_DEAL.hands[1:])}, "54"),
        ({"hands": (*SUIT_DEAL.hands[:3], None)}, "hands"),
        ({"seed": 1}, "seed"),
    ],
)
def test_bad_deals(change: dict[str, Any], culprit: str) -> None:
    """FY-1"""
    with pytest.raises(ValueError, match=culprit):
        new(SUIT_DEAL.replace(**change))


def test_first_banker_has_heart_4() -> None:
    """FY-5"""
    for seat in range(4):
        both = Both(new(deal_of(*[""] * seat, "H4", start=2)))
        assert both.game.banker == both.game.turn == seat
        (event,) = both.game.events(3)
        assert (event.kind, event.seat, event.cards) == ("banker", seat, (card("H4"),))


def test_later_banker() -> None:
    """FY-5, FY-1: who went out first is banker, and the deal starts there."""
    deal = deal_of("H4", start=3)
    assert Both(new(deal, history=History(3))).game.banker == 3
    assert Both(new(deal, Rules(banker="heart4"), History(3))).game.banker == 0
    assert new(deal, history=History(3)).events(0)[0].cards == ()
    with pytest.raises(ValueError, match="start"):
        new(deal, history=History(2))
    for bad in (4, -1, "0", True):
        with pytest.raises(ValueError, match="banker"):
            History(bad)  # type: ignore[arg-type]


def test_next_hand() -> None:
    """FY-5: the first to go out, whatever the score."""
    both = opened("HK")
    with pytest.raises(RuntimeError):
        _ = both.game.next_history
    go_out(both, 1, 0)
    assert both.game.next_history == History(1)
    assert both.slow.next_history() == {"banker": 1}
    following = both.game.next_hand(seed=5)
    assert following.banker == following.turn == following.deal.start == 1
    both = go_out(opened("HK", rules=Rules(banker="heart4")), 1, 0)
    assert both.game.next_history == History(None)
    following = both.game.next_hand(seed=5)
    assert card("H4") in following.deal.hands[following.banker]


# --- calling


def test_what_can_be_called() -> None:
    """FY-3: a suited card from A down to 4, own cards too."""
    game = new()
    wanted = [f"call {suit}{rank}" for rank in "456789TJQKA" for suit in "DCHS"]
    assert [str(action) for action in game.legal_actions()] == wanted
    assert game.legal_ids().tolist() == list(range(100, 144))
    for text in ("call H2", "call S3", "call B", "call R", "call 大王", "call ♥2", "call 2"):
        assert reason(game, text) == ("not_callable", "FY-3")
        with pytest.raises(qipai.IllegalAction, match="FY-3"):
            game.parse(text)
    for text in ("call K", "call", "call HK SK", "call HKS", "call HK*2", "call HK'", "callHX"):
        with pytest.raises(ValueError) as caught:
            game.apply(text)
        assert not isinstance(caught.value, qipai.IllegalAction)
    for action in ("HK", "4", "pass", "no", "show", "K*", [card("H4")]):
        assert reason(game, action) == ("call_first", "FY-3")
    for seat in (1, 2, 3):
        assert reason(game, "call HK", seat=seat)[0] == "out_of_turn"
    assert game.parse("call ♥K") == game.parse("call  HK ") == game.legal_actions()[4 * 9 + 2]


def test_the_call_is_public() -> None:
    """FY-3"""
    game = new()
    (event,) = game.apply("call S9")
    assert (event.kind, event.seat, event.cards) == ("call", 0, (card("S9"),))
    for seat in (0, 1, 2, 3, "table", None):
        assert game.view(seat)["called"] == "S9"
        assert event in game.view(seat).history
    assert game.called == card("S9")
    assert reason(game, "call S8") == ("called_already", "FY-3")


@pytest.mark.parametrize(
    ("called", "partner"), [("S9", 1), ("D9", 2), ("C9", 3), ("H9", 0), ("H4", 0)]
)
def test_holder_makes_the_sides(called: str, partner: int) -> None:
    """FY-4"""
    game = opened(called).game
    assert game.partner == partner
    for seat in range(4):
        # Only who holds the called card can tell, and the server.
        assert game.view(seat)["partner"] == (partner if seat == partner else None)
    assert game.view("table")["partner"] is None
    assert game.view(None)["partner"] == partner


# --- asking


@pytest.mark.parametrize(("called", "holder"), [("HK", 0), ("SK", 1), ("DK", 2), ("CK", 3)])
def test_asking_goes_round_once(called: str, holder: int) -> None:
    """FY-6: all four, the banker first; only the holder can say yes; a yes ends it."""
    both = Both(new()).apply(f"call {called}")
    for seat in range(4):
        assert (both.game.phase, both.game.turn) == ("ask", seat)
        assert both.texts == (["no", "show"] if seat == holder else ["no"])
        if seat != holder:
            assert reason(both.game, "show") == ("not_holder", "FY-6")
        both.apply("no")
    game = both.game
    assert (game.phase, game.turn) == ("play", 0)
    assert not game.view(None)["known"] and not game.view(None)["shown"]

    both = Both(new()).apply(f"call {called}", *["no"] * holder)
    events = both.game.clone().apply("show")
    assert [event.kind for event in events] == ["no"] * holder + ["show", "lead"]
    assert (events[-2].seat, events[-2].cards) == (holder, (card(called),))
    both.apply("show")
    for seat in (0, 1, 2, 3, "table"):
        view = both.game.view(seat)
        assert (view.phase, view.turn, view["known"], view["shown"]) == ("play", 0, True, True)
        assert view["partner"] == holder


def test_asking_starts_at_the_banker() -> None:
    """FY-6"""
    both = Both(new(deal_of("SK", "", "H4"))).apply("call SK")
    asked = []
    while both.game.phase == "ask":
        asked.append(both.game.turn)
        both.apply("no")
    assert asked == [2, 3, 0, 1] and both.game.turn == 2


def test_showing_when_not_asked() -> None:
    """FY-6: neither before the call nor in play; and an asking wants its answer first."""
    game = new()
    game.apply("call HK")
    for action in ("4", "pass", "K*", "HK", "KKKK*", [card("H4")]):
        assert reason(game, action) == ("answer_first", "FY-6")
    for _ in range(4):
        game.apply("no")
    for action in ("show", "no"):
        assert reason(game, action) == ("not_asked", "FY-6")
        assert game.check(action, seat=1).code == "out_of_turn"


def test_a_seat_sees_its_own_asking_only() -> None:
    """FY-6: neither who is asked nor that anybody has answered."""
    for called in ("HK", "SK", "DK"):
        game = new()
        game.apply(f"call {called}")
        before = [alike.everything(game, seat) for seat in range(4)]
        table = game.view("table")
        for seat in range(4):
            view = game.view(seat)
            assert (view.phase, view.turn) == ("ask", seat)
            assert "no" in view.as_dict()["legal_actions"]
        assert (table.phase, table.turn) == ("ask", None)
        assert game.pending() == (0, 1, 2, 3)
        for turn in range(3):
            assert game.apply("no") == []
            assert game.pending() == tuple(range(turn + 1, 4))
            assert game.view("table") == table
            for seat in range(4):
                view = game.view(seat)
                if seat <= turn:
                    # Its own answer is given: nothing to do until play begins.
                    assert (view.phase, view.turn, view.legal_actions) == ("ask", None, [])
                    assert not game.observe(seat)[128:132].any()
                    assert view.history == table.history
                else:
                    assert view.as_dict() == before[seat][0]
                    assert game.observe(seat).tobytes() == before[seat][1]
        events = game.apply("no")
        assert [event.kind for event in events] == ["no"] * 4 + ["lead"]
        for seat in range(4):
            heard = [event.seat for event in game.view(seat).history if event.kind == "no"]
            assert heard == [seat]
        assert all(event.kind != "no" for event in game.view("table").history)


@pytest.mark.parametrize("holder", range(4))
@pytest.mark.parametrize("shows", [False, True])
def test_answers_in_any_order(holder: int, shows: bool) -> None:
    """FY-6: the same as asking one after the other, and nothing of it is seen before the end."""
    words = ["show" if shows and seat == holder else "no" for seat in range(4)]
    in_turn = new()
    in_turn.apply(f"call {'HSDC'[holder]}K")
    start = in_turn.clone()
    while in_turn.phase == "ask":
        in_turn.apply(words[in_turn.turn or 0])
    for order in itertools.permutations(range(4)):
        game = start.clone()
        for seat in order:
            if game.phase != "ask":
                assert game.pending() == (0,)
                if seat:
                    with pytest.raises(qipai.IllegalAction) as caught:
                        game.answer(seat, "no")
                    assert caught.value.reason.code == "out_of_turn"
                continue
            waiting = {
                other: alike.everything(game, other)[:2]
                for other in game.pending()
                if other != seat
            }
            game.answer(seat, words[seat])
            again = qipai.restore(game.snapshot())
            assert again == game and again.pending() == game.pending()
            if game.phase == "ask":
                assert game.view(seat).turn is None
                for other, seen in waiting.items():
                    assert alike.everything(game, other)[:2] == seen
                with pytest.raises(qipai.IllegalAction):
                    game.answer(seat, "no")
        assert game == in_turn
        assert game.record() == in_turn.record() and game.record().replay() == game
        for viewer in (0, 1, 2, 3, "table", None):
            assert game.view(viewer) == in_turn.view(viewer)


def test_forged_answers() -> None:
    """FY-6: a snapshot with an answer that nobody can have given is refused."""
    game = new()
    game.apply("call SK")
    game.answer(1, "show")
    game.answer(3, "no")
    data = game.snapshot()
    assert qipai.restore(data) == game
    show, no = (144).to_bytes(2, "little"), (55).to_bytes(2, "little")
    given = bytes((0, 1, 0, 1, 0, 0)) + show + bytes(4) + no + bytes(4)
    assert data.count(given) == 1
    for numbers, *answers in (
        ((0, 0, 1, 1, 0, 0), show + bytes(4), no + bytes(4)),  # seat 2 does not hold it
        ((0, 1, 0, 0, 1, 0), show + bytes(4), no + bytes(4)),  # there is no seat 4
        ((0, 2, 0, 0, 0, 0), show + bytes(4), no + bytes(4)),  # two answers of one seat
        ((0, 1, 0, 1, 0, 0), no + bytes(4), bytes(6)),  # a pass
        ((0, 1, 0, 1, 0, 0), no + bytes(4), (100).to_bytes(2, "little") + bytes(4)),  # a call
        ((0, 1, 0, 1, 0, 0), no + bytes(4), b"\xfe\xff" + bytes(4)),
        ((0, 1, 0, 1, 0, 0), no + bytes(4), no + b"\4" + bytes(3)),  # of four cards
        ((0, 1, 0, 1, 0, 0), no + bytes(4), no + b"\0\1\0\0"),  # with bytes that say nothing
    ):
        forged = data[20:].replace(given, bytes(numbers) + b"".join(answers))
        with pytest.raises(ValueError, match="answer"):
            qipai.restore(_sealed(data[:20], forged))
    short = data[20:].replace(given, b"\xff" + given[1:])
    with pytest.raises(ValueError, match="length"):
        qipai.restore(_sealed(data[:20], short))


def _sealed(header: bytes, body: bytes) -> bytes:
    from binascii import crc32

    return header[:16] + crc32(body).to_bytes(4, "little") + body


# --- play


def test_lead_need_not_contain_heart_4() -> None:
    """FY-5"""
    assert "9" in opened("HK").texts


KINGS = deal_of("H4 HK SK DK B")


def test_star_marks_the_called_card() -> None:
    """FY-4, FY-10: with the called card and without are two actions."""
    assert [text for text in opened("HK", deal=KINGS).texts if text[0] == "K"] == [
        "K", "KK", "K*", "KK*", "KKK*"
    ]  # fmt: skip
    for text, gone in [
        ("K", {"DK"}),
        ("K*", {"HK"}),
        ("KK", {"DK", "SK"}),
        ("KK*", {"DK", "HK"}),
        ("KKK*", {"DK", "HK", "SK"}),
    ]:
        both = opened("HK", deal=KINGS)
        before = faces(both.game, 0)
        both.apply(text)
        assert before - faces(both.game, 0) == gone
        for seat in (0, 1, 2, 3, "table", None):
            view = both.game.view(seat)
            assert view["known"] == ("*" in text) and not view["shown"]
            assert view["table"] == text.removesuffix("*")
            assert view["partner"] == (0 if "*" in text or seat in (0, None) else None)
        assert both.game.logged_actions()[-1] == (0, text)


def test_exact_cards() -> None:
    """FY-2, FY-10: suited text and ids play exactly these cards; the star follows from them."""
    for text, gone, starred in [
        ("SK DK", {"DK", "SK"}, False),
        ("SK HK", {"HK", "SK"}, True),
        ("HK SK DK", {"DK", "HK", "SK"}, True),
        ("SK", {"SK"}, False),
        ("HK", {"HK"}, True),
        ("B", {"B"}, False),
    ]:
        both = opened("HK", deal=KINGS)
        ids = [card(face) for face in text.split()]
        assert str(both.game.parse(text)) in (text, f"{text}*")
        assert (int(both.game.parse(text)) > 55) == starred
        other = both.game.clone()
        before = faces(both.game, 0)
        both.apply(text)
        other.play(ids)
        assert other == both.game
        assert before - faces(both.game, 0) == gone
        assert both.game.view(1)["known"] == starred
        assert other.record().replay() == other
        undone = other.undo()
        assert undone is not None
        other.apply(undone)
        assert other == both.game
    game = opened("HK", deal=KINGS).game
    assert game.parse("SK HK*") == game.parse("SK HK")
    for text in ("CK", "SK H4", "SK*", "SK DK*", "HK CK", "33*"):
        assert reason(game, text)[0] in ("not_held", "no_play")
    for text in ("SK SK", "", " ", "*", "K**", "KKKKK", "SK*2"):
        with pytest.raises(ValueError):
            game.apply(text)


def test_lone_called_card_is_starred() -> None:
    """FY-3, FY-10: where the called card is needed the star must be there."""
    both = opened("HK")
    assert "K*" in both.texts and "K" not in both.texts
    assert reason(both.game, "K") == ("unmarked", "FY-10")
    for text in ("Q*", "KK*"):
        assert reason(both.game, text)[0] == "not_held"
    both = opened("HK", deal=KINGS)
    assert reason(both.game, "KKK") == ("unmarked", "FY-10")


def test_others_have_no_star() -> None:
    """FY-4"""
    both = opened("SK")
    assert "K" in both.texts and "K*" not in both.texts
    assert reason(both.game, "K*")[0] == "not_held"


def test_every_action_has_a_text_that_reads_back() -> None:
    """FY-3, FY-6, FY-10: the ids that the module documents."""
    game = opened("HK").game
    texts = [str(game.engine.action(id)) for id in range(game.num_actions)]
    assert [int(game.parse(text)) for text in texts] == list(range(145))
    assert texts[0] == "pass" and texts[53:56] == ["B", "R", "no"] and texts[144] == "show"
    assert texts[1:5] == ["3", "33", "333", "3333"]
    assert texts[56:60] == ["4*", "44*", "444*", "4444*"] and texts[99] == "AAAA*"
    assert texts[100] == "call D4" and texts[143] == "call SA"


def test_joker_pair_and_no_patterns() -> None:
    """FY-10"""
    game = opened("SK", deal=deal_of("H4 B R D5 H5 S5")).game
    for action in ("BR", [52, 53], "45", "5B", "555B"):
        assert reason(game, action) == ("no_play", "FY-10")
    with pytest.raises(ValueError, match="rank 5"):
        game.apply("55555")


def test_beat_or_pass() -> None:
    """FY-11: same pattern and higher, or pass; a free lead cannot be passed."""
    both = opened("HK")
    assert reason(both.game, "pass") == ("free_lead", "FY-11")
    both.apply("Q")
    assert both.game.turn == 1
    assert set(both.texts) == {"K", "A", "2", "3", "R", "pass"}
    assert reason(both.game, "J") == ("too_low", "FY-11")
    assert reason(both.game, "Q") == ("too_low", "FY-11")
    both.apply("3")
    assert both.texts == ["pass"]


def test_four_alike_in_play() -> None:
    """FY-11: `quad_is_bomb`."""
    deal = deal_of("H4", "S5 H5 D5 C5")
    for rules, bomb in [(Rules(), False), (BOMBS, True)]:
        both = opened("SK", deal=deal, rules=rules).apply("H4")
        assert ("5555" in both.texts) == bomb


def test_a_bomb_with_the_called_card_in_it() -> None:
    """FY-11, FY-10: the star does not change what a play beats."""
    both = opened("S5", deal=deal_of("H4", "S5 H5 D5 C5"), rules=BOMBS).apply("H4")
    assert {text for text in both.texts if text[0] == "5"} == {"5", "5*", "5555*"}


def test_pass_does_not_bar() -> None:
    """FY-11, FY-12: who passed may play later; the last to play leads anew, any pattern."""
    both = opened("HK").apply("4", "pass", "5", "pass", "pass", "6", "pass")
    assert (both.game.turn, both.game.view(None)["table_seat"]) == (3, 1)
    both.apply("pass", "pass")
    view = both.game.view(None)
    assert (view.turn, view["table"], view["table_seat"]) == (1, None, None)
    assert len(both.texts) == 13 and "pass" not in both.texts


def test_turn_skips_who_is_out() -> None:
    """FY-11, FY-12: with one out, two passes end the trick."""
    both = go_out(opened("SK"), 2)
    assert both.all_pass() == 3
    both.apply("4")
    assert both.game.turn == 0
    both.apply("5")
    assert both.game.turn == 1
    both.apply("pass")
    assert both.game.turn == 3
    both.apply("pass")
    assert (both.game.turn, both.game.view(None)["table"]) == (0, None)


# --- 接风


def test_relay_before_known() -> None:
    """FY-13, worked case: seat 3 out, the called card not seen: seat 0 leads."""
    both = go_out(opened("SK"), 3)
    assert not both.game.view(None)["known"]
    assert both.all_pass() == 0


def test_relay_before_known_skips_who_is_out() -> None:
    """FY-13: the next in turn who still has cards."""
    assert go_out(opened("SK"), 3, 0).all_pass() == 1
    assert go_out(opened("HK"), 2, 1).all_pass() == 3


def test_relay_once_shown() -> None:
    """FY-13, worked case: the partner 2 leads."""
    assert go_out(opened("SK", shown=True), 3).all_pass() == 2


def test_relay_once_played() -> None:
    """FY-13, worked case: known since the called card was played."""
    both = opened("SK").apply("4", "K*", "pass", "pass", "pass")
    assert go_out(both, 3).all_pass() == 2


def test_relay_when_the_last_play_holds_the_called_card() -> None:
    """FY-13: the last play itself included; the partner 0 and not the next seat 2."""
    both = opened("SK")
    game = both.game
    while len(faces(game, 1)) > 1:
        texts = [text for text in both.texts if text not in ("K*", "pass")]
        if game.turn == 1:
            both.apply(texts[0] if texts else "pass")
        else:
            both.apply("4" if "4" in both.texts and "pass" not in both.texts else "pass")
    assert faces(game, 1) == {"SK"} and not game.view(None)["known"]
    both.apply("pass", "pass", "pass", "K*")
    assert game.finished == (1,) and game.view(3)["known"]
    assert both.all_pass() == 0


def test_relay_among_three_partners() -> None:
    """FY-13: 1v3, known: the next of the three in turn who has cards, never the banker."""
    assert go_out(opened("HK"), 3).all_pass() == 0
    known = ("K*", "pass", "pass", "pass")
    assert go_out(opened("HK").apply(*known), 3).all_pass() == 1
    assert go_out(opened("HK").apply(*known), 1, 3).all_pass() == 2


def test_heart_4_called_by_its_banker() -> None:
    """FY-4, FY-13: alone, and not known before it is played or shown."""
    both = opened("H4")
    assert both.game.partner == both.game.banker == 0
    assert go_out(both, 3).all_pass() == 0
    assert opened("H4").apply("4*").game.view(1)["known"]
    assert opened("H4", shown=True).game.view(1)["known"]


# --- end and score

ENDS = [
    # The worked cases.
    ("HK", False, (0,), [3, -1, -1, -1], "ABBB"),
    ("HK", False, (1, 0), [0, 0, 0, 0], "BABB"),
    ("HK", False, (1, 2, 3), [-3, 1, 1, 1], "BBBA"),
    ("HK", True, (2,), [-6, 2, 2, 2], "shown B"),
    ("SK", False, (2, 0, 3), [-1, -1, 1, 1], "ABAB"),
    ("SK", False, (2, 3), [-2, -2, 2, 2], "AABB"),
    ("SK", False, (2, 0, 1), [0, 0, 0, 0], "ABBA"),
    ("SK", True, (2, 0, 3), [-2, -2, 2, 2], "shown ABAB"),
    ("SK", True, (2, 3), [-4, -4, 4, 4], "shown AABB"),
    ("SK", True, (2, 0, 1), [0, 0, 0, 0], "shown ABBA"),
    # The rest of the table.
    ("HK", False, (3, 1, 0), [0, 0, 0, 0], "BABB"),
    ("HK", True, (0,), [6, -2, -2, -2], "shown ABBB"),
    ("DK", False, (0, 2), [2, -2, 2, -2], "AABB"),
    ("DK", False, (0, 1, 2), [1, -1, 1, -1], "ABAB"),
    ("DK", False, (1, 0, 3), [-1, 1, -1, 1], "ABAB"),
    ("DK", True, (1, 3), [-4, 4, -4, 4], "shown AABB"),
    ("CK", True, (3, 1, 0), [2, -2, -2, 2], "shown ABAB"),
]


def added_up(game: Game) -> list[int]:
    amounts = [line.amounts for line in game.result if line.amounts is not None]
    return [sum(column) for column in zip(*amounts, strict=True)]


@pytest.mark.parametrize(("called", "shown", "out", "scores", "outcome"), ENDS)
def test_end_and_score(
    called: str, shown: bool, out: Sequence[int], scores: list[int], outcome: str
) -> None:
    """FY-14, FY-20, FY-21, FY-22, FY-23: the hand ends just then, every row sums to zero, and the
    result's lines name their clauses and add up."""
    for stake in (1, 5):
        both = opened(called, shown, rules=Rules(stake=stake))
        game = both.game
        for n in range(len(out)):
            assert not game.is_over
            with pytest.raises(RuntimeError):
                game.scores()
            go_out(both, *out[: n + 1])
        assert game.is_over and game.phase == "over" and game.turn is None
        assert game.scores() == [stake * score for score in scores] == added_up(game)
        assert game.outcome == outcome
        alone = called == "HK"
        clauses = [line.clause for line in game.result]
        score_clause = "FY-22" if shown else "FY-21" if alone else "FY-20"
        assert clauses == ["FY-4", *["FY-6"] * shown, score_clause]
        for seat in (0, 1, 2, 3, "table"):
            assert game.view(seat)["scores"] == game.scores()
            assert game.view(seat)["partner"] == game.partner
        assert reason(game, "pass")[0] == "over"


def test_known_is_not_shown() -> None:
    """FY-22: playing the called card is not showing it."""
    both = go_out(opened("HK").apply("K*", "pass", "pass", "pass"), 1, 2, 3)
    assert both.game.view(None)["known"] and both.game.scores() == [-3, 1, 1, 1]


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
def test_table_is_a_field(called: str, shown: bool, out: Sequence[int], scores: list[int]) -> None:
    """FY-23"""
    rules = Rules(
        not_shown_2v2=(11, 12, 13),
        not_shown_1v3=(21, 22, -23),
        shown_2v2=(31, 32, 33),
        shown_1v3=(41, -42),
    )
    both = go_out(opened(called, shown, rules=rules), *out)
    assert both.game.scores() == scores == added_up(both.game)


def test_extreme_stakes() -> None:
    """FY-23: no score is too large for the table."""
    rules = Rules(not_shown_1v3=(100, 0, -100), stake=1_000_000)
    assert go_out(opened("HK", rules=rules), 0).game.scores() == [3 * 10**8, *[-(10**8)] * 3]


# --- what a seat can tell


def step_worlds(one: Game, two: Game, rng: random.Random, apart: set[int]) -> bool:
    """One action that is open in both worlds and moves none of the cards in which they differ."""
    for _ in range(20):
        action = alike.exact_action(one, rng, apart)
        if action is not None and two.check(action) is None:
            one.apply(action)
            two.apply(action)
            return True
    return False


@pytest.mark.parametrize("alone", [True, False])
def test_nobody_else_can_tell_the_worlds_apart(alone: bool) -> None:
    """FY-4, FY-6: 2v2 against 1v3, and one partner against another: views, observations, events,
    hints and legal actions of those without the called card are the same at every step."""
    rng = random.Random(9 if alone else 10)
    steps = compared = 0
    phases = set()
    for seed in range(25):
        one = Game(seed=seed)
        banker = one.banker
        partner, second, third = rng.sample([seat for seat in range(4) if seat != banker], 3)
        other = banker if alone else second
        called = rng.choice([c for c in one.deal.hands[partner] if 4 <= c < 48])
        change = rng.choice([c for c in one.deal.hands[other] if c != card("H4")])
        two = alike.swapped(one, called, change)
        viewers = [second, third] if alone else [banker, third]
        face = FACES[called]
        assert two.banker == banker
        for game in (one, two):
            game.apply(f"call {face}")
        while not one.is_over:
            # Two of three others out, and the hand goes on: all can tell where the card is.
            if len(set(one.finished) - {banker}) > 1:
                break
            phases.add(one.phase)
            steps += 1
            for seat in viewers if one.phase == "ask" or rng.random() < 0.4 else ():
                assert alike.everything(one, seat) == alike.everything(two, seat)
                compared += one.turn == seat
            assert one.view("table") == two.view("table")
            if not step_worlds(one, two, rng, {called, change}):
                break
    assert phases == {"ask", "play"} and steps > 600 and compared > 100


def unknown_hands(rules: Rules, seeds: Sequence[int]) -> Any:
    """Games before their actions, the called card played late."""
    for seed in seeds:
        rng = random.Random(seed)
        game = Game(rules, seed=seed, history=rng.choice([None, History(1)]))
        yield game
        while not game.is_over:
            actions = [str(action) for action in game.legal_actions()]
            late = [text for text in actions if text != "show" and not text.endswith("*")]
            game.apply(rng.choice(late or actions))
            yield game


def test_resampling_gives_every_deal_that_looks_the_same_and_no_other() -> None:
    """FY-4, FY-5, FY-13, FY-14: all that a seat knows stays, and nothing else does."""
    found: dict[tuple[bool, bool, bool], list[int]] = {
        key: [] for key in itertools.product((False, True), repeat=3)
    }
    for game in unknown_hands(Rules(), range(500)):
        if game.phase == "call":
            continue
        for seat in range(4):
            if 2 <= alike.ways(game, seat) <= 60:
                known = bool(game.engine.view(game, None)["known"])
                several = found[known, game.is_over, game.history.banker is None]
                if len(several) < 8:
                    several.append(alike.prove_resample(game, seat, 9))
        if all(len(several) == 8 for several in found.values()):
            break
    assert all(len(several) == 8 for several in found.values())
    assert min(map(max, found.values())) > 2 and max(map(max, found.values())) > 30


def test_resampling_of_a_whole_hand() -> None:
    """FY-4, FY-5: heart 4 stays with a first banker until played; the called card may be with
    anybody until it is known, the banker too, and stays from then on."""
    game = new()
    assert all(card("H4") in game.resample(2, seed).deal.hands[0] for seed in range(40))
    game.apply("call SK")
    for seat, places in [(0, {1, 2, 3}), (1, {1}), (2, {0, 1, 3}), (3, {0, 1, 2})]:
        assert {game.resample(seat, seed).partner for seed in range(60)} == places
    later = game.clone()
    for _ in range(4):
        later.apply("no")
    later.apply("4")
    hands = [later.resample(2, seed).deal.hands for seed in range(40)]
    assert all(card("H4") in hand[0] for hand in hands)
    assert {later.resample(2, seed).partner for seed in range(60)} == {0, 1, 3}
    later.apply("K*")
    assert {later.resample(2, seed).partner for seed in range(60)} == {1}
    shown = game.clone()
    for word in ("no", "show"):
        shown.apply(word)
    assert {shown.resample(seat, seed).partner for seat in range(4) for seed in range(20)} == {1}
    second = new(deal_of("H4", start=0), history=History(0))
    second.apply("call SA")
    assert {card("H4") in second.resample(3, seed).deal.hands[0] for seed in range(60)} == {
        True, False
    }  # fmt: skip


def test_resampling_keeps_what_all_can_infer() -> None:
    """FY-14: with two of three others out and the hand still on, the banker stands alone."""
    both = go_out(opened("HK"), 1, 2)
    assert not both.game.view(1)["known"] and not both.game.is_over
    for seat in (1, 2, 3):
        assert {both.game.resample(seat, seed).partner for seed in range(30)} == {0}


def test_resampling_keeps_a_held_answer() -> None:
    """FY-6"""
    game = new()
    game.apply("call SK")
    game.answer(1, "show")
    game.answer(2, "no")
    for seat in range(4):
        other = game.resample(seat, 4)
        assert alike.everything(other, seat) == alike.everything(game, seat)
        assert (seat in other.pending()) == (seat in game.pending())


# --- numbers for learners


def part(game: Game, seat: int | None, name: str) -> list[Any]:
    found = next(one for one in game.observation_spec if one.name == name)
    return game.observe(seat)[found.start : found.stop].reshape(found.shape).tolist()


def test_observation() -> None:
    """FY-1, FY-3, FY-4, FY-6, FY-13: the slices say what they are named for."""
    game = new()
    assert part(game, 0, "phase") == [1, 0, 0, 0] and part(game, 2, "turn") == [0, 0, 1, 0]
    game.apply("call SK")
    assert part(game, 0, "called_rank").index(1) == 10
    assert part(game, 3, "called_suit") == [0, 0, 0, 1]
    for seat in range(4):
        assert part(game, seat, "turn") == [1, 0, 0, 0]
    assert part(game, None, "turn") == [1, 0, 0, 0]
    for _ in range(4):
        game.apply("no")
    game.apply("4")
    # From seat 3, the others in turn are 0, 1, 2.
    clubs = [1] * 13 + [0, 0]
    assert part(game, 3, "hands") == [clubs, [0] * 15, [0] * 15, [0] * 15]
    assert part(game, 3, "played")[1] == [0, 1, *[0] * 13]
    assert part(game, 3, "sizes") == [13, 13, 14, 13]
    assert part(game, 3, "turn") == [0, 0, 1, 0]
    assert part(game, 3, "on_table") == part(game, 3, "banker") == [0, 1, 0, 0]
    assert part(game, 3, "holds_heart4") == [0, 0, 0, 0]
    assert part(game, 3, "table_rank").index(1) == 1
    assert part(game, 3, "table_width") == [1, 0, 0, 0]
    for name in ("bankers_side", "dealt_called", "holds_called"):
        assert part(game, 3, name) == [0] * 4
    assert part(game, 1, "bankers_side") == [1, 0, 0, 1]
    assert part(game, 1, "dealt_called") == part(game, 1, "holds_called") == [1, 0, 0, 0]
    assert part(game, None, "dealt_called") == [0, 1, 0, 0]
    game.apply("K*")
    assert part(game, 3, "known") == [1] and part(game, 3, "shown") == [0]
    assert part(game, 3, "bankers_side") == [0, 1, 1, 0]
    assert part(game, 3, "dealt_called") == [0, 0, 1, 0] and not any(part(game, 3, "holds_called"))
    assert part(new(), 1, "holds_heart4") == [0, 0, 0, 1]


def test_action_features() -> None:
    """FY-3, FY-6, FY-10"""
    spec = {one.name: slice(one.start, one.stop) for one in new().engine.feature_spec()}
    game = new()
    rows = game.action_features()
    assert rows.shape == (44, 43)
    row = rows[game.legal_actions().index(game.parse("call SK"))]
    assert row[spec["call_rank"]].argmax() == 10 and row[spec["call_suit"]].tolist() == [0, 0, 0, 1]
    assert row.sum() == 2
    game.apply("call HK")
    no, show = game.action_features()
    assert no[spec["no"]] == show[spec["show"]] == 1 and no.sum() == show.sum() == 1
    game = opened("HK", deal=KINGS).game
    rows = game.action_features()
    row = rows[game.legal_actions().index(game.parse("KK*"))]
    assert row[spec["rank"]].argmax() == 10 and row[spec["width"]].tolist() == [0, 1, 0, 0]
    assert row[spec["starred"]] == 1 and row.sum() == 3
    game.apply("4")
    assert game.action_features()[0][spec["pass"]] == 1
    while not np.any(game.action_features()[:, spec["last"]]):
        game.apply(game.auto())
    assert len(faces(game, game.turn or 0)) <= 4


def test_hints_call_and_show_sensibly() -> None:
    """FY-3, FY-6: a call for a partner, a show for a strong hand, and only legal ones."""
    shown = set()
    for seed in range(80):
        game = Game(seed=seed)
        call = game.auto()
        game.apply(call)
        assert game.partner != game.banker and str(call)[-1] in "AKQJ"
        while game.phase == "ask":
            shown.add(str(game.auto()))
            game.apply("no")
    assert shown == {"no", "show"}


# --- whole hands


def test_random_hands_as_the_reference() -> None:
    """FY-1 to FY-23: hands in a row, every state, every list of actions."""
    assert sum(compare_hands("fangyang", 20, 11, hands_in_a_row=5)) > 1200


def house_hand(rng: random.Random) -> Game:
    def points(n: int) -> Any:
        return tuple(rng.randint(-9, 9) for _ in range(n))

    rules = Rules(
        banker=rng.choice(["first_out", "heart4"]),
        quad_is_bomb=rng.random() < 0.6,
        not_shown_2v2=points(3),
        not_shown_1v3=points(3),
        shown_2v2=points(3),
        shown_1v3=points(2),
        stake=rng.choice([1, 7]),
    )
    history = History(rng.choice([None, 0, 1, 2, 3]))
    return Game(rules, seed=rng.getrandbits(256), history=history)


def test_house_rules_as_the_reference() -> None:
    """FY-5, FY-11, FY-20 to FY-23, and plays of any cards named by suit (FY-2)."""
    assert alike.prove_house_rules(house_hand, 25, 12) > 1500


def test_every_step_keeps_and_replays() -> None:
    """FY-2, FY-6: conservation, snapshots and undo at every step, the asking included."""
    rng = random.Random(13)
    for seed in range(6):
        game = Game(seed=seed)
        before = game.clone()
        while not game.is_over:
            game.apply(rng.choice(game.legal_actions()))
            hands = game.view(None)["hands"]
            played = [c for event in game.events() if event.kind == "play" for c in event.cards]
            assert sorted(itertools.chain(played, *hands)) == list(range(54))
            again = qipai.restore(game.snapshot())
            assert again == game and again.view(None) == game.view(None)
            again.undo()
            assert again == before and again.view(None) == before.view(None)
            before = game.clone()
        assert sum(game.scores()) == 0
        record = qipai.Record.from_json(game.record().to_json())
        assert record.replay() == game
        assert json.loads(json.dumps(game.view(None).as_dict())) == game.view(None).as_dict()


def test_names() -> None:
    """FY-1"""
    assert isinstance(qipai.new("fangyang"), fangyang.Game)
    assert qipai.new("fangyang/anshan").rules == Rules.anshan()
    with pytest.raises(qipai.IllegalAction) as caught:
        new().escape(0)
    assert caught.value.reason.code == "no_escape"
