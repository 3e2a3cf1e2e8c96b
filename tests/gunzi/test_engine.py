"""The compiled game of 打滚子, clause by clause, on the reference at the same time."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

import qipai
from qipai import gunzi
from qipai.cards import format as format_cards
from qipai.cards import parse
from qipai.gunzi import Deal, Game, History, Rules
from qipai.verify import compare_state
from qipai.verify import deal_of as deal_of_game

sys.path.append(str(Path(__file__).parents[1] / "common"))
sys.path.append(str(Path(__file__).parent))

import chacha
import hands
from alike import Both

DEAD, LIVE = Rules.diamond(), Rules.yiku()
LATER = History((5, 5), 0)
JOKERS = "B*3 R*3"
FIVES = "D5*3 C5*3 H5*3 S5*3"
TWOS = "D2*3 C2*3 H2*3 S2*3"


def deal_of(
    start: int = 0,
    bottom: str = "",
    early: dict[int, str] | None = None,
    late: dict[int, str] | None = None,
    flips: Sequence[int] = range(6),
    lowest: int = 0,
) -> Deal:
    """A deal in which a seat draws ``early`` first and ``late`` last; what is not named goes from
    low to high to the bottom and to the seats, ``lowest`` first."""
    pool = sorted(range(162), key=lambda card: (card % 54, card))

    def take(text: str) -> list[int]:
        ids: list[int] = []
        for card in parse(text, decks=3):
            ids.append(next(one for one in pool if one % 54 == card % 54))
            pool.remove(ids[-1])
        return ids

    under = take(bottom)
    first = [take((early or {}).get(seat, "")) for seat in range(4)]
    last = [take((late or {}).get(seat, "")) for seat in range(4)]
    under += [pool.pop(0) for _ in range(6 - len(under))]
    rows: list[list[int]] = [[], [], [], []]
    for seat in (lowest, *(seat for seat in range(4) if seat != lowest)):
        need = 39 - len(first[seat]) - len(last[seat])
        rows[seat] = first[seat] + [pool.pop(0) for _ in range(need)] + last[seat]
    draws = tuple(rows[(start + turn) % 4][turn // 4] for turn in range(156))
    return Deal(draws, tuple(under), start, tuple(flips))


def new(deal: Deal, history: History | None = LATER, rules: Rules = DEAD) -> Both:
    return Both(Game(rules, deal=deal, history=history, seed=1))


def asked(both: Both, most: int = 1000) -> list[tuple[int, int]]:
    """Decline every showing; (cards drawn, seat) of each who was asked."""
    log: list[tuple[int, int]] = []
    while both.game.phase == "deal" and len(log) < most:
        log.append((both.game.view(None)["drawn"], both.game.turn or 0))
        both.apply("pass")
    return log


def to_phase(both: Both, phase: str = "play") -> Both:
    """Show nothing, keep jokers, bury the lowest, until a phase is reached."""
    while both.game.phase != phase:
        texts = both.texts
        both.apply(next((text for text in ("pass", "done") if text in texts), texts[0]))
    return both


def end_deal(both: Both) -> Both:
    while both.game.phase == "deal":
        both.apply("pass")
    return both


def end_window(both: Both, seat: int) -> Both:
    """Decline every showing until a seat is asked in the end window."""
    while both.game.view(None)["drawn"] < 156 or both.game.turn != seat:
        both.apply("pass")
    return both


def shown_by(both: Both, seat: int, text: str) -> Both:
    """Pass until a seat is asked, and show."""
    while both.game.turn != seat or text not in both.texts:
        both.apply("pass")
    return both.apply(text)


def faces(ids: Sequence[int]) -> Counter[str]:
    return Counter(format_cards([card % 54]) for card in ids)


def parse_faces(text: str) -> list[str]:
    return list(faces(parse(text, decks=3)).elements())


def held(game: Game, seat: int) -> Counter[str]:
    return faces(game.view(None)["hands"][seat])


def reason(game: Game, act: Callable[[], object]) -> tuple[str, str]:
    """Why something is refused; that nothing changes is asserted."""
    before = game.snapshot()
    with pytest.raises(qipai.IllegalAction) as caught:
        act()
    assert game.snapshot() == before
    return caught.value.reason.code, caught.value.reason.clause


def look(game: Game, seat: int | str) -> tuple[object, ...]:
    view = game.view(seat)
    seen = game.observe(seat).tobytes() if isinstance(seat, int) else None
    return view.as_dict(), view.history, seen


# Deal


def test_deal_gz1_gz11() -> None:
    """GZ-1, GZ-11: 39 each, one at a time in turn order, six under; later the dealer's start."""
    for seed in range(8):
        game = Game(seed=seed)
        while game.phase == "deal":
            game.apply("pass")
        view, deal = game.view(None), game.deal
        for i in range(4):
            seat = (deal.start + i) % 4
            assert set(deal.draws[i::4]) <= set(view["hands"][seat]) | set(view["bottom"])
            assert len(deal.draws[i::4]) == 39
        assert len(deal.bottom) == 6
    assert {Game(seed=seed).deal.start for seed in range(40)} == {0, 1, 2, 3}
    assert {Game(seed=seed, history=History((4, 6), 2)).deal.start for seed in range(9)} == {2}
    with pytest.raises(ValueError, match="GZ-11"):
        Game(deal=deal_of(start=1), history=History((4, 6), 2))


def test_bad_deals_and_histories_gz10() -> None:
    """GZ-10: a round begins at 3 and 3, without blood; a deal has each card once."""
    good = deal_of()
    for change in (
        {"draws": good.draws[:-1]},
        {"draws": (good.draws[1], *good.draws[1:])},
        {"draws": (good.bottom[0], *good.draws[1:])},
        {"draws": (162, *good.draws[1:])},
        {"bottom": good.bottom[1:]},
        {"start": 4},
        {"start": True},
        {"flips": (0, 1, 2, 3, 4, 4)},
        {"flips": (0, 1, 2, 3, 4)},
        {"flips": (1, 2, 3, 4, 5, 6)},
        {"redeals": -1},
    ):
        with pytest.raises(ValueError):
            good.replace(**change)
    for levels, dealer, blood in (
        ((3, 4), None, 0),
        ((3, 3), None, 1),
        ((2, 4), 0, 0),
        ((3, 11), 0, 0),
        ((3, 4), 4, 0),
        ((3, 4), 0, 24),
        ((3, 4), 0, -1),
    ):
        with pytest.raises(ValueError):
            History(levels, dealer, blood)
    with pytest.raises(ValueError):
        History((3, 4, 5), 0, 0)  # type: ignore[arg-type]


# Bidding


def test_first_windows_gz20_gz21() -> None:
    """GZ-20, GZ-21: who draws a first 大王 is asked, and again in the end window; a second one adds
    nothing."""
    deal = deal_of(start=1, early={1: "R", 2: "D9 D9 R"}, late={1: "R"})
    # Seat 1 draws cards 1, 5, .., 153, seat 2 cards 2, 6, .., 154; seat 0 draws last.
    assert asked(new(deal, None)) == [(1, 1), (10, 2), (156, 1), (156, 2)]


def test_every_window_gz20() -> None:
    """GZ-20: with ``bid_windows="every"`` whoever can show is asked after every card."""
    deal = deal_of(early={2: "R"}, bottom="R R")
    every = asked(new(deal, None, DEAD.replace(bid_windows="every")))
    assert every == [(drawn, 2) for drawn in range(3, 157)]


def test_order_in_a_window_gz20() -> None:
    """GZ-20: who drew is asked first, the others in turn; after a showing from the shower's 下家
    on, the shower last; marks are gone then."""
    early = {0: "D5*3", 1: "H5*2", 2: "C5*2", 3: "S5"}
    apart = {0: "R B", 1: "R B", 2: "R B"}
    both = new(deal_of(early=early, late=apart, bottom="H5 C5 S5*2"))
    order: list[tuple[int, int]] = []
    while both.game.view(None)["drawn"] < 5:
        order.append((both.game.view(None)["drawn"], both.game.turn or 0))
        both.apply("pass")
    assert order == [(1, 0), (2, 1), (3, 2), (4, 3)]
    # Seat 0 draws its second five of diamonds: nobody else is asked again.
    assert both.game.turn == 0
    both.apply("show D5")
    # Nobody has two alike but seat 0, who may reinforce: only it is asked.
    assert both.game.view(None)["drawn"] == 5
    assert both.game.turn == 0
    assert both.texts == ["pass", "show D5*2"]
    both.apply("pass")
    # Seat 1's second five can overturn one.
    assert (both.game.view(None)["drawn"], both.game.turn) == (6, 1)
    both.apply("show H5*2")
    # From the 下家 on: seat 2 has not drawn its second five, seat 0 has only two.
    assert (both.game.view(None)["drawn"], both.game.turn) == (9, 0)
    assert both.texts == ["pass", "show D5*3"]
    both.apply("pass")
    assert asked(both) == [(156, 0)]


def test_a_new_showing_asks_again_gz20() -> None:
    """GZ-20: who declined is asked again when another's showing stands that can be overturned."""
    both = new(deal_of(early={1: "H5*3", 3: "S5"}))
    order = []
    while both.game.turn != 3:
        order.append(both.game.turn)
        both.apply("pass")
    assert order == [1]  # its first five
    assert both.game.view(None)["drawn"] == 4
    both.apply("show S5")
    order = [(both.game.view(None)["drawn"], both.game.turn)]
    both.apply("pass")
    order.append((both.game.view(None)["drawn"], both.game.turn))
    # One of its fives overturns nothing; the second and the third each add a showing.
    assert order == [(6, 1), (10, 1)]


def test_asking_and_a_no_are_secret_gz20() -> None:
    """GZ-20: nobody else sees who is asked, or a no, in views, observations and events."""
    game = Game(deal=deal_of(early={0: "R"}, late={2: "R"}))
    assert game.turn == 0
    assert game.view(0).turn == 0
    assert [str(action) for action in game.view(0).legal_actions] == ["pass", "show R"]
    for other in (1, 2, 3, "table"):
        view = game.view(other)
        assert view.turn is None
        assert not view.legal_actions
        assert view["window"] is view["declined"] is None
    spec = {part.name: part for part in game.observation_spec}
    turn = slice(spec["turn"].start, spec["turn"].stop)
    assert game.observe(0)[turn].tolist() == [1, 0, 0, 0]
    for other in (1, 2, 3):
        assert game.observe(other)[turn].tolist() == [0, 0, 0, 0]
    events = game.apply("pass")
    for event in events:
        assert (event.kind == "pass") == (event.for_seat(1) is None)
    assert [event.kind for event in game.events(3)] == ["draw"] * game.view(None)["drawn"]
    # A drawn card is seen by who drew it.
    seen = [event.cards is not None for event in game.events(3)]
    assert seen[:8] == [False, False, False, True] * 2


def test_answers_in_any_order_gz20() -> None:
    """GZ-20: in the end window all who can show may answer at once, with the same result."""
    deal = deal_of(early={1: "R", 2: "R", 3: "R"})
    one = end_window(new(deal, None), 3).game  # who drew last is asked first
    two = one.clone()
    assert one.pending() == (1, 2, 3)
    for text in ("pass", "pass", "show R"):
        one.apply(text)
    assert two.answer(2, "show R") == []
    assert two.answer(1, "pass") == []
    assert two.pending() == (3,)
    assert two.view(1).turn is None
    assert not two.view(1).legal_actions
    assert reason(two, lambda: two.answer(1, "show R"))[0] == "out_of_turn"
    assert reason(two, lambda: two.answer(0, "pass")) == ("out_of_turn", "")
    two.answer(3, "pass")
    assert two == one
    assert two.dealer == 2


def test_six_cards_at_once_gz41() -> None:
    """GZ-41: what ``play`` buries at once is no action; it is not told to be no shape either."""
    game = to_phase(new(deal_of()), "bury").game
    six = game.view(None)["hands"][game.turn or 0][:6]
    assert reason(game, lambda: game.apply(six)) == ("card_by_card", "GZ-41")
    game.play(six)
    assert game.phase == "joker"


def test_a_seat_cannot_tell_whether_another_is_asked_before_it_gz20() -> None:
    """GZ-20: seats 2 and 3 can show; seat 1 can, too, in the first world only."""
    one, two = (
        new(deal_of(2, bottom, early={1: own, 2: "R", 3: "R"}), None).game
        for own, bottom in (("R", "C4*3 H4*3"), ("C4", "R C4*2 H4*3"))
    )
    for game in (one, two):
        while game.view(None)["drawn"] < 156:
            game.apply("pass")
    assert one.pending() == (1, 2, 3) and two.pending() == (2, 3)

    def told(game: Game) -> tuple[object, ...]:
        checks = [game.check(id, seat=2) for id in range(game.num_actions)]
        return look(game, 2), game.view(2).legal_actions, game.events(2), checks

    assert told(one) == told(two)
    assert one.check("show R", seat=2) is None
    # What the second tells is nobody's but seat 2's.
    assert one.apply("pass", seat=2) == two.apply("pass", seat=2) == []
    assert told(one) == told(two)
    assert (one.turn, two.turn) == (1, 3)
    for game in (one, two):
        assert reason(game, partial(game.answer, 2, "show R")) == ("out_of_turn", "")
    one.answer(1, "pass")
    assert one.turn == 3 and told(one) == told(two)
    for game in (one, two):
        assert "pass" not in {event.kind for event in game.events(2)[-1:]}
        (no,) = [
            event for event in game.answer(3, "pass") if event.for_seat(2) and event.kind == "pass"
        ]
        assert no.seat == 2


def test_a_held_answer_is_void_after_a_showing_gz20() -> None:
    """GZ-20: a showing opens the window again, so that the others are asked anew."""
    deal = deal_of(early={0: "D5*2", 1: "H5*3"}, bottom="D5 C5*3 S5*2", late={2: "S5"})
    game = end_window(new(deal), 0).game
    assert game.pending() == (0, 1, 2)
    game.answer(1, "pass")
    game.apply("show D5*2")
    assert (game.turn, [str(action) for action in game.legal_actions()]) == (
        1,
        ["pass", "show H5*3"],
    )


def test_show_big_gz21() -> None:
    """GZ-21: the first to show is the dealer, nobody overturns it, and the first suited card drawn
    afterwards names the trump suit, at level 3."""
    both = new(deal_of(early={0: "R", 1: "R"}, bottom="D9 C9 H9 S9 DT CT"), None)
    both.apply("pass").apply("show R")
    assert both.game.dealer == 1
    view = both.game.view(3)
    # Seat 1 draws on: its next card is its second.
    second = both.game.deal.draws[5]
    assert view["trump"] == {"suit": "DCHS"[second % 54 % 4], "level": 3}
    assert view["trump_card"] == second
    assert both.game.phase == "bury"
    assert [e.cards for e in both.game.events(3) if e.kind == "trump"] == [(second,)]


def test_jokers_are_passed_over_gz21() -> None:
    """GZ-21: jokers drawn after the showing name nothing; with no card left the bottom does, in
    order."""
    both = new(deal_of(early={2: "R B B S9"}), None).apply("show R")
    assert both.game.view(None)["trump"] == {"suit": "S", "level": 3}
    both = new(deal_of(late={3: "R B"}, bottom="B R C9 H9"), None)
    asked(both, 1)
    both.apply("show R")
    assert both.game.dealer == 3
    assert both.game.view(0)["trump"] == {"suit": "C", "level": 3}
    assert faces([both.game.view(0)["trump_card"]]) == {"C9": 1}


@pytest.mark.parametrize(
    ("bottom", "flips", "dealer", "suit"),
    [
        ("DA C3 H2 S4 D9 D9", range(6), 2, "C"),  # 3 is the highest
        ("DA C2 H2 S4 D9 D9", range(6), 2, "C"),  # then 2; of equals the earlier
        ("DK CQ HA S4 D9 D9", range(6), 3, "H"),
        ("D4 C5 H5 S4 D9 D9", range(6), 2, "C"),
        ("B C4 H6 S5 D8 D7", range(6), 0, "D"),  # seat 1 turns again: C4, then H6, S5, D8
        ("D9 C9 H9 S9 DT B", (5, 4, 3, 2, 1, 0), 1, "D"),  # B and DT for seat 1
    ],
)
def test_flips_gz22(bottom: str, flips: Sequence[int], dealer: int, suit: str) -> None:
    """GZ-22: from the start on each turns a card; 3 > 2 > A > K .. 4, the earlier of equals."""
    both = new(deal_of(start=1, bottom=bottom, flips=flips), None)
    asked(both)
    game = both.game
    assert (game.dealer, game.view(2)["trump"]) == (dealer, {"suit": suit, "level": 3})
    turned = [event for event in game.events(0) if event.kind == "flip"]
    assert [event.cards for event in turned] == [(card,) for _, card in game.view(0)["flipped"]]
    # GZ-40: nobody has shown, so that only the dealer sees the rest.
    assert game.phase == "bury"
    for seat in range(4):
        assert (game.view(seat)["first_bottom"] is not None) == (seat == dealer)


def test_the_bottom_runs_out_gz22() -> None:
    """GZ-22: dealt again, with the same start; the k-th shuffle is stream k of the seed."""
    seed = (77).to_bytes(32, "little")
    deal = deal_of(start=3, bottom="B B R D9 D8 D7", late={1: "R R"})
    game = Game(seed=seed, deal=deal)
    while game.deal == deal:
        assert game.phase == "deal"
        game.apply("pass")
    stream = chacha.words(seed, 1)
    cards = tuple(chacha.shuffled(stream, 162))
    assert (game.deal.draws, game.deal.bottom) == (cards[:156], cards[156:])
    assert game.deal.flips == tuple(chacha.shuffled(stream, 6))
    assert (game.deal.start, game.deal.redeals) == (3, 1)
    assert game.record().actions == ()
    assert game.events(0)[0].kind == "redeal"
    assert game.record().replay() == game
    assert qipai.restore(game.snapshot()) == game
    with pytest.raises(qipai.IllegalAction):
        game.undo()


def test_showings_gz23() -> None:
    """GZ-23: later any player shows one, two or three level cards; the dealer is fixed."""
    deal = deal_of(early={2: "H5*3"}, late={2: "R"}, bottom="D5*2 C5*2 H9 C9")
    both = end_window(new(deal, History((5, 7), 0)), 2)
    assert (both.game.turn, both.texts) == (2, ["pass", "show H5", "show H5*2", "show H5*3"])
    both.apply("show H5*2")
    to_phase(both, "bury")
    assert both.game.dealer == 0
    assert both.game.view(1)["trump"] == {"suit": "H", "level": 5}
    both.refuses("show R", "show H7")


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        ("show D5", {"show C5*2", "show C5*3", "show B*3", "show R*3"}),
        ("show D5*2", {"show C5*3", "show B*3", "show R*3"}),
        ("show D5*3", {"show B*3", "show R*3"}),
        ("show B*3 as H", {"show R*3"}),
        ("show R*3 as H", set()),
    ],
)
def test_overturn_gz24_gz25(standing: str, expected: set[str]) -> None:
    """GZ-24: two overturn one, three two or one. GZ-25: three 大王 everything, three 小王 all but
    these; they name any suit. The partner's showing is overturned like any."""
    deal = deal_of(late={0: "D5*3", 2: f"C5*3 {JOKERS}"})
    if standing.startswith("show B"):
        deal = deal_of(late={0: "D5*3 B*3", 2: "C5*3 R*3"})
    elif standing.startswith("show R"):
        deal = deal_of(late={0: "D5*3 R*3", 2: "C5*3 B*3"})
    both = end_window(new(deal), 0).apply(standing)
    found: set[str] = set()
    while both.game.phase == "deal":
        if both.game.turn == 2:
            found = {text for text in both.texts if text != "pass"}
        both.apply("pass")
    assert {text.split(" as ")[0] for text in found} == expected
    for joker in ("B", "R"):
        named = {text[-1] for text in found if text.startswith(f"show {joker}")}
        assert named == (set("DCHS") if f"show {joker}*3" in expected else set())


def test_own_showing_gz24() -> None:
    """GZ-24: one reinforces the own showing with its suit only; ``self_overturn`` lifts that."""
    deal = deal_of(late={1: "D5*2 C5*3"}, bottom="D5 S5*3")
    for rules, expected in (
        (DEAD, ["pass", "show D5*2"]),
        (DEAD.replace(self_overturn=True), ["pass", "show C5*2", "show C5*3", "show D5*2"]),
    ):
        both = end_window(new(deal, LATER, rules), 1).apply("show D5")
        while both.game.turn != 1:
            both.apply("pass")
        assert (both.game.turn, sorted(both.texts)) == (1, expected)
        if rules is DEAD:
            assert reason(both.game, partial(both.game.apply, "show C5*3")) == ("own_suit", "GZ-24")


def test_three_jokers_over_ones_own_gz25() -> None:
    """GZ-25: over the own level cards, three 大王 over the own three 小王; not in a first hand."""
    both = end_window(new(deal_of(late={1: f"D5 {JOKERS}"}, bottom="S9 D9 D9")), 1)
    for text in ("show D5", "show B*3 as C", "show R*3 as S"):
        while both.game.turn != 1:
            both.apply("pass")
        both.apply(text)
    to_phase(both, "bury")
    assert both.game.view(0)["trump"] == {"suit": "S", "level": 5}
    first = new(deal_of(late={1: JOKERS}), None)
    asked(first, 1)
    assert first.texts == ["pass", "show R"]
    assert reason(first.game, lambda: first.game.apply("show B*3 as C")) == (
        "first_shows_big",
        "GZ-21",
    )


def test_nobody_shows_gz26() -> None:
    """GZ-26: a card of the bottom is drawn until it is suited; all see it, and not the rest."""
    both = new(deal_of(bottom="D9 B R H8 C7 C7", flips=(1, 2, 3, 0, 4, 5)))
    asked(both)
    for seat in range(4):
        view = both.game.view(seat)
        assert view["trump"] == {"suit": "H", "level": 5}
        assert faces([card for _, card in view["flipped"]]) == {"B": 1, "R": 1, "H8": 1}
        assert (view["first_bottom"] is None) == (seat != 0)
    assert both.game.phase == "bury"


def test_six_jokers_gz26() -> None:
    """GZ-26: with six jokers under, all is dealt again, and the blood stays due."""
    deal = deal_of(bottom=JOKERS, early={3: "D9*3 C9*3"})
    game = Game(deal=deal, seed=5, history=History((5, 5), 0, 2))
    while game.deal == deal:
        game.apply("pass")
    assert (game.deal.start, game.deal.redeals) == (0, 1)
    while game.phase == "deal":
        game.apply("pass")
    assert (game.phase, game.turn, game.view(3)["tribute"]) == ("tribute", 3, 2)


@pytest.mark.parametrize(
    ("bottom", "history"), [("B B R D9 D8 D7", None), (JOKERS, History((5, 5), 0, 2))]
)
def test_dealt_again_on_both_gz22_gz26(bottom: str, history: History | None) -> None:
    """GZ-22, GZ-26: a hand that is dealt again is the same on both readings to its end."""
    both = new(deal_of(bottom=bottom), history)
    game, slow, first = both.game, both.slow, both.game.deal
    while game.deal == first:
        game.apply("pass")
        slow.apply("pass")
    assert slow.phase == "redeal"
    slow.redeal(deal_of_game(game))
    rng = random.Random(6)
    while not game.is_over:
        compare_state(game, slow)
        text = str(rng.choice(game.legal_actions()))
        game.apply(text)
        slow.apply(text)
    compare_state(game, slow)
    assert game.deal.redeals == 1


# Tribute


def given(both: Both) -> list[str]:
    """Give the first offered until nothing is due."""
    texts: list[str] = []
    end_deal(both)
    while both.game.phase == "tribute":
        texts.append(both.texts[0].removeprefix("give "))
        both.apply(both.texts[0])
    return texts


def test_tribute_gz30_gz31() -> None:
    """GZ-30, GZ-31: the dealer's 上家 gives the highest, of equals by choice, and the dealer gives
    back as many of free choice before the bottom is shown; all see them."""
    fives = "D5*2 C5*2 H5*2 S5*3"
    deal = deal_of(late={1: fives, 3: "R H5 D5 S2 CA"}, early={0: "C5"}, lowest=3)
    both = new(deal, History((5, 5), 0, 3))
    end_deal(shown_by(both, 0, "show C5"))
    assert (both.game.phase, both.game.turn) == ("tribute", 3)
    assert both.game.view(1)["tribute"] is None
    assert both.texts == ["give R"]
    both.apply("give R")
    assert both.texts == ["give D5", "give H5"]
    assert reason(both.game, lambda: both.game.apply("give CA")) == ("not_highest", "GZ-30")
    both.apply("give H5", "give D5")
    assert (both.game.phase, both.game.turn) == ("return", 0)
    assert not [event for event in both.game.events() if event.kind == "bottom"]
    assert "return R" in both.texts
    both.apply("return R", "return C5", both.texts[0])
    assert len(both.game.view(None)["hands"][3]) == 39
    for seat in (1, 2, "table"):
        assert faces(both.game.view(seat)["given"]) == {"R": 1, "H5": 1, "D5": 1}
        assert len(both.game.view(seat)["returned"]) == 3
        kinds = [event.kind for event in both.game.events(seat)]
        assert kinds.index("bottom") > max(i for i, kind in enumerate(kinds) if kind == "return")


@pytest.mark.parametrize(
    ("level", "rank", "expected"),
    [
        (7, "7", ["S7", "SA", "S6"]),
        (5, "5", ["S5", "D5", "SA"]),
        (10, "T", ["ST", "SA", "S6"]),
    ],
)
def test_point_cards_in_tribute_gz30(level: int, rank: str, expected: list[str]) -> None:
    """GZ-30: no 分牌, except that level cards are given at levels 5 and 10."""
    mine = f"SA SK S{rank}" + (" D5" if level == 5 else " ST" if level == 7 else "")
    taken = Counter(parse_faces(f"{mine} S{rank}"))
    parked = [f"{suit}{r}" for r in {rank, "5"} for suit in "DCHS" for _ in range(3)]
    rest = " ".join((Counter(parked) - taken).elements())
    deal = deal_of(early={0: f"S{rank}"}, late={1: rest, 3: mine}, lowest=3)
    both = new(deal, History((level, 3), 0, 3))
    shown_by(both, 0, f"show S{rank}")
    assert given(both) == expected


def test_fewer_than_due_gz30() -> None:
    """GZ-30: who has fewer cards that may be given gives what there is."""
    points = "".join(f"{suit}{rank}*3 " for suit in "DCHS" for rank in "5TK")
    deal = deal_of(late={3: f"{points} S9 H9 D9"}, early={0: "S4"})
    both = new(deal, History((4, 4), 0, 23))
    shown_by(both, 0, "show S4")
    assert sorted(given(both)) == ["D9", "H9", "S9"]
    assert both.game.view(1)["tribute"] == 3
    both.apply(both.texts[0])
    both.apply(both.texts[0])
    assert both.game.phase == "return"
    both.apply(both.texts[0])
    assert both.game.phase != "return"


def test_blood_goes_to_the_next_hand_gz32_gz33() -> None:
    """GZ-32, GZ-33: what a hand leaves is due in the next, from the new dealer's 上家."""
    checked = 0
    rng = random.Random(1)
    for seed in range(60):
        game = Game(seed=seed, history=History((5, 7), 1))
        play_out(game, rng)
        done = game.view(None)["settlement"]
        following = game.next_hand(seed)
        if done["round_winner"]:
            assert following.history == History()
            continue
        total, dug = game.view(None)["total"], game.view(None)["dug"]
        small, big = (faces(game.view(None)["bottom"])[joker] for joker in "BR")
        jokers = 0 if game.view(None)["dry"] or (dug and total < 120) else 2 * big + small
        points = -(-(80 - total) // 10) if total < 80 else max(0, (total - 150) // 10)
        assert following.history.blood == points + jokers
        while following.phase == "deal":
            following.apply("pass")
        if following.history.blood:
            checked += 1
            assert following.phase == "tribute"
            assert following.turn == ((following.dealer or 0) + 3) % 4
            # GZ-32: a side under 80 pays as attackers, the old dealers pay above 150.
            assert done["payer"] == ("attackers" if total < 120 else "dealers")
            assert (following.turn - 1) % 2 == (done["payer"] == "attackers")
    assert checked > 10


# The bottom


SHOWN = deal_of(bottom="D3 D3 C4 C4 H6 H6", early={0: "D5"}, late={0: "B R*2 S9"})


def at_bury(deal: Deal = SHOWN, show: str = "show D5", rules: Rules = DEAD) -> Both:
    return to_phase(shown_by(new(deal, LATER, rules), 0, show), "bury")


def test_bottom_shown_and_taken_gz40() -> None:
    """GZ-40: after a showing all see the bottom; the dealer takes it and buries six."""
    both = at_bury()
    for seat in (0, 1, 2, 3, "table"):
        assert faces(both.game.view(seat)["first_bottom"]) == {"D3": 2, "C4": 2, "H6": 2}
    assert both.game.turn == 0
    assert len(both.game.view(0).hand) == 45
    seven = format_cards(both.game.view(0).hand[:7], decks=3)
    assert reason(both.game, lambda: both.game.play(seven)) == ("bury_six", "GZ-40")


def test_burying_is_unseen_gz41() -> None:
    """GZ-41: six, ascending; nobody sees a part of it, and without jokers not the whole either."""
    both = at_bury()
    game = both.game
    others = [look(game, seat) for seat in (1, 2, 3, "table")]
    both.apply("bury D3")
    assert [look(game, seat) for seat in (1, 2, 3, "table")] == others
    assert game.view(0)["named"] == [parse("D3", decks=3)[0]]
    both.apply("bury D3", "bury C4", "bury C4", "bury H6")
    assert reason(game, lambda: game.apply("bury C4"))[0] in ("order", "not_held")
    assert [look(game, seat) for seat in (1, 2, 3, "table")] == others
    both.apply("bury H6")
    for seat in (1, 2, 3, "table"):
        view = game.view(seat)
        assert view["bottom"] is None
        assert not view["bottom_shown"]
        (event,) = [event for event in game.events(seat) if event.kind == "bury"]
        assert (event.count, event.cards) == (6, None)
    assert faces(game.view(0)["bottom"]) == {"D3": 2, "C4": 2, "H6": 2}


def test_big_before_small_gz41() -> None:
    """GZ-41: who buries a 小王 may keep no 大王; with a joker the bottom is shown."""
    both = at_bury()
    low = ["D3", "D3", "C4"]
    assert reason(both.game, lambda: both.game.play("D3*2 C4*2 H6 B")) == ("big_first", "GZ-41")
    assert reason(both.game, lambda: both.game.play("D3*2 C4*2 B R")) == ("big_first", "GZ-41")
    for card in low:
        both.apply(f"bury {card}")
    both.apply("bury B")
    assert both.texts == ["bury R"]
    both.apply("bury R", "bury R")
    for seat in (1, 2, 3, "table"):
        assert faces(both.game.view(seat)["bottom"]) == {"D3": 2, "C4": 1, "B": 1, "R": 2}
    # 大王 alone may go.
    both = at_bury()
    both.game.play("D3*2 C4*2 H6 R")
    assert both.game.view(1)["bottom_shown"]


def at_jokers(deal: Deal, buried: str, show: str = "show D5") -> Both:
    both = at_bury(deal, show)
    for card in sorted(parse(buried, decks=3), key=lambda card: card % 54):
        both.apply(f"bury {format_cards([card % 54])}")
    return both


JOKER_DEAL = deal_of(
    bottom="D3 C4 C4 H6 H6 S7", early={0: "D5"}, late={1: "B", 2: "B R", 3: "R R B"}
)


def test_all_three_are_asked_gz42() -> None:
    """GZ-42: in turn from the dealer's 下家, with jokers or not; a no is not seen."""
    both = at_jokers(JOKER_DEAL, "D3 C4 C4 H6 H6 S7")
    game = both.game
    assert (game.phase, game.turn, game.pending()) == ("joker", 1, (1, 2, 3))
    before = [look(game, seat) for seat in (0, 2, 3, "table")]
    for seat in (1, 2, 3):
        assert game.view(seat).turn == seat
    assert game.view(0).turn is None
    both.apply("done")
    assert [look(game, seat) for seat in (0, 2, 3, "table")] == before
    both.apply("bury B")
    assert "done" not in both.texts
    assert reason(game, lambda: game.apply("done")) == ("big_first", "GZ-41")
    assert reason(game, lambda: game.apply("bury S9"))[1] in ("", "GZ-42")
    assert [look(game, seat) for seat in (0, "table")] == [before[0], before[3]]
    both.apply("bury R", "done")
    assert (game.phase, game.turn) == ("pick", 2)
    for seat in (0, 1, "table"):
        assert faces(game.view(seat)["bottom"]) == Counter(
            {"D3": 1, "C4": 2, "H6": 2, "S7": 1, "B": 1, "R": 1}
        )
    # Side suits before trumps, then by rank: D is trump, so the fours of clubs come first.
    assert both.texts == ["pick C4"]
    assert reason(game, lambda: game.apply("pick H6")) == ("not_smallest", "GZ-42")
    assert reason(game, lambda: game.apply("pick R")) == ("not_picked", "GZ-42")
    both.apply("pick C4", "pick C4")
    assert game.turn == 3
    both.apply("done")
    assert (game.phase, game.turn) == ("play", 0)
    assert len(game.view(None)["hands"][2]) == 39


def test_answers_about_jokers_in_any_order_gz42() -> None:
    """GZ-42: answers in another order come to the same."""
    one = at_jokers(JOKER_DEAL, "D3 C4 C4 H6 H6 S7").game
    two = one.clone()
    for _ in range(3):
        one.apply("done")
    two.answer(3, "done")
    two.answer(1, "done")
    assert two.pending() == (2,)
    two.answer(2, "done")
    assert one == two


def test_surplus_jokers_go_back_gz42() -> None:
    """GZ-42: jokers beyond what there is to pick go back, 小王 first; 分牌 are not picked."""
    deal = deal_of(bottom="D3 C4 C4 H6 H6 S7", early={0: "D5"}, late={0: "SK*3 HK*2", 1: "B*2 R*2"})
    both = at_jokers(deal, "C4 HK HK SK SK SK")
    both.game.play("B*2 R*2")
    game = both.game
    assert (game.phase, game.turn) == ("pick", 1)
    assert held(game, 1)["B"] == 2
    assert held(game, 1)["R"] == 1
    assert faces(game.view(3)["bottom"])["R"] == 1
    (event,) = [event for event in game.events("table") if event.kind == "joker"]
    assert faces(event.cards or ()) == {"B": 2, "R": 2}
    assert [str(action) for action in game.legal_actions()] == ["pick C4"]
    game.apply("pick C4")
    # GZ-43: nothing is left to pick, so that nobody else is asked.
    assert (game.phase, game.turn) == ("play", 0)


def test_equal_cards_are_chosen_gz42() -> None:
    """GZ-42: of equal ranks in different suits the player chooses; trumps come last."""
    deal = deal_of(bottom="D4 C4 H4 S5 D2 D2", early={0: "D5"}, late={0: "SK", 1: "B*3"})
    both = at_jokers(deal, "D4 C4 H4 S5 D2 SK")
    both.apply("bury B", "bury B", "bury B", "done")
    assert both.texts == ["pick C4", "pick H4"]
    both.apply("pick H4", "pick C4")
    assert both.texts == ["pick D4"]  # a trump, and the level card S5 counts as 分牌


@pytest.mark.parametrize("buried", ["SK SK SK HK HK ST", "SK SK SK HK HK R"])
def test_nothing_to_pick_gz43(buried: str) -> None:
    """GZ-43: with six 分牌, or 分牌 and jokers, nobody may bury jokers."""
    deal = deal_of(bottom="D3 C4 C4 H6 H6 S7", early={0: "D5"}, late={0: "SK*3 HK*2 ST R"})
    both = at_jokers(deal, buried)
    assert (both.game.phase, both.game.turn) == ("play", 0)


@pytest.mark.parametrize(
    ("bottom", "dry"),
    [
        ("C4 C4 H6 H6 S7 S8", True),  # no trump-suit card
        ("D5 D2 C2 B H6 H6", True),  # level cards and 2s do not count
        ("D3 C4 C4 H6 H6 S7", False),
        ("D3 D4 C2 H5 B R", True),  # nothing but trumps
        ("D3 D4 C2 H5 B C6", False),
    ],
)
def test_dry_gz44(bottom: str, dry: bool) -> None:
    """GZ-44: no trump-suit card, or nothing but trumps; then nobody takes it or buries."""
    both = shown_by(new(deal_of(bottom=bottom, early={0: "D5"})), 0, "show D5")
    while both.game.phase == "deal":
        both.apply("pass")
    game = both.game
    assert game.view(2)["dry"] is dry
    assert game.phase == ("play" if dry else "bury")
    if dry:
        assert game.turn == 0
        for seat in (1, 2, 3, "table"):
            assert faces(game.view(seat)["bottom"]) == faces(parse(bottom, decks=3))
            assert game.view(seat)["bottom_shown"]


def test_an_unseen_bottom_is_never_dry_gz44() -> None:
    """GZ-44: a bottom that is not shown is never 干锅."""
    both = new(deal_of(bottom="C4 C4 H6 H6 S7 S8", flips=(4, 0, 1, 2, 3, 5)))
    asked(both)
    assert both.game.phase == "bury"
    assert both.game.view(0)["trump"] == {"suit": "S", "level": 5}


# Play


def at_play(held: dict[int, str], lead: str, rules: Rules = DEAD, trump: str = "S") -> Both:
    """A first trick with these cards in hands, spades and fives being trumps, and a lead made."""
    bottom = f"{trump}4 {trump}4 D9 D9 C9 C9"
    deal = deal_of(bottom=bottom, late=held, early={0: f"{trump}5"})
    both = to_phase(shown_by(new(deal, LATER, rules), 0, f"show {trump}5"), "bury")
    for card in sorted(parse(bottom, decks=3), key=lambda card: card % 54):
        both.apply(f"bury {format_cards([card % 54])}")
    to_phase(both)
    return both.apply(lead) if lead else both


def test_leads_gz5_gz50() -> None:
    """GZ-5, GZ-50: the dealer leads a 单, 棒 or 滚; no 拖拉机, no 甩牌, no two different cards."""
    both = at_play({0: "HK*3 HA*2 CA"}, "")
    game = both.game
    assert game.turn == 0
    assert {"HK", "HK*2", "HK*3", "HA", "HA*2", "CA"} <= set(both.texts)
    assert not any(text.startswith("+") or text in ("HA*3", "CA*2") for text in both.texts)
    for cards in ("HK*2 HA*2", "HK HA", "HA CA", "HK*3 HA"):
        assert reason(game, lambda cards=cards: game.play(cards)) == ("mixed_lead", "GZ-5")
        assert reason(game, lambda cards=cards: game.apply(cards)) == ("no_shape", "GZ-5")
    assert reason(game, lambda: game.apply("+HK")) == ("mixed_lead", "GZ-5")
    assert reason(game, lambda: game.apply("HA*3")) == ("not_held", "")
    assert reason(game, lambda: game.apply("pass")) == ("play", "GZ-50")


@pytest.mark.parametrize(
    ("lead", "hand", "play", "live", "dead"),
    [
        ("HQ*2", "H6*2 H9 C4", "H6 H9", True, False),
        ("HQ*2", "H3 H9 C4", "H3 C4", False, False),
        ("HQ*2", "H9*3 H3 H4 C4", "H3 H4", True, True),
        ("HQ*2", "H9*3 C4 D6", "C4 D6", False, False),
        ("HQ*3", "H6*2 H9 HT C4", "H6*2 H9", True, True),
        ("HQ*3", "H6*2 H9 HT C4", "H6 H9 HT", True, False),
        ("HQ*3", "H6*2 C4 D6", "H6 C4 D6", False, False),
        ("HQ*3", "H6*2 C4 D6", "H6*2 C4", True, True),
    ],
)
def test_worked_follows_gz51_gz52_gz53(
    lead: str, hand: str, play: str, live: bool, dead: bool
) -> None:
    """GZ-51..53: the worked cases, of hearts, at the table and card by card."""
    # Every heart but the lead and those in the hand is with seats 2 and 3.
    used = Counter(card % 54 for card in parse(f"{lead} {hand}", decks=3))
    hearts = [4 * rank + 2 for rank in range(13) if rank not in (2, 12)]
    rest = [face for face in hearts for _ in range(3 - used[face])]
    others = format_cards(parse(" ".join(format_cards([face]) for face in rest), decks=3))
    half = " ".join(others.replace("'", "").split()[:12])
    other = " ".join(others.replace("'", "").split()[12:])
    for rules, allowed in ((LIVE, live), (DEAD, dead)):
        both = at_play({0: lead, 1: hand, 2: half, 3: other}, lead, rules)
        game = both.game
        trump = gunzi.Trump("S", 5)
        mine = format_cards(game.view(1).hand, decks=3)
        assert gunzi.is_legal_follow(lead, play, mine, trump, rules) is allowed
        if allowed:
            events = game.play(play)
            (made,) = [event for event in events if event.kind == "play"]
            assert faces(made.cards or ()) == faces(parse(play, decks=3))
        else:
            code, clause = reason(game, lambda game=game: game.play(play))
            assert (code, clause) in (
                ("follow_suit", "GZ-51"),
                ("shape_owed", "GZ-53"),
                ("no_way_on", ""),
            )
            assert (clause == "GZ-53") == live


def test_follow_rules_are_fields_gz54() -> None:
    """GZ-54: both presets take either way to follow."""
    for rules in (DEAD.replace(follow="live"), LIVE):
        both = at_play({0: "HQ*2", 1: "H6*2 H9", 2: "H6"}, "HQ*2", rules)
        assert "+H6" in both.texts
    for rules in (LIVE.replace(follow="dead"), DEAD):
        both = at_play({0: "HQ*2", 1: "H6*2 H9", 2: "H6"}, "HQ*2", rules)
        assert "+H6" not in both.texts
        assert "H6*2" in both.texts


def test_bad_plays_gz51() -> None:
    """GZ-5, GZ-51: three cards to a 棒, two different as one action, a card not held."""
    both = at_play({0: "HQ*2", 1: "H6*3 H7 H8"}, "HQ*2", LIVE)
    game = both.game
    assert reason(game, lambda: game.play("H6 H7 H8")) == ("wrong_size", "GZ-51")
    assert reason(game, lambda: game.play("H6")) == ("wrong_size", "GZ-51")
    assert reason(game, lambda: game.apply("H6")) == ("wrong_size", "GZ-51")
    assert reason(game, lambda: game.apply("H6 H7")) == ("no_shape", "GZ-5")
    assert reason(game, lambda: game.play("H6 HA")) == ("not_held", "")
    assert reason(game, lambda: game.play("HQ*2")) == ("not_held", "")
    both.apply("+H6")
    assert reason(game, lambda: game.apply("H7*2"))[0] == "unfinished"
    assert reason(game, lambda: game.apply("+H6")) == ("all_alike", "")


def test_half_a_play_is_unseen() -> None:
    """A mixed play is made in ascending order, and nobody sees a part of it."""
    both = at_play({0: "HQ*3", 1: "H6 H7 H8 H9"}, "HQ*3", LIVE)
    game = both.game
    before = [look(game, seat) for seat in (0, 2, 3, "table")]
    both.apply("+H7")
    assert "+H6" not in both.texts
    assert reason(game, lambda: game.apply("+H6")) == ("order", "")
    both.apply("+H8")
    assert [look(game, seat) for seat in (0, 2, 3, "table")] == before
    assert faces(game.view(1)["named"]) == {"H7": 1, "H8": 1}
    both.apply("+H9")
    assert faces(game.view(0)["trick"][1][1]) == {"H7": 1, "H8": 1, "H9": 1}
    (event,) = [event for event in game.events(0) if event.kind == "play" and event.seat == 1]
    assert event.action is None
    assert event.count == 3


def test_trick_gz3_gz4_gz55_gz56() -> None:
    """GZ-3, GZ-4, GZ-50, GZ-55, GZ-56: the highest of the shape wins, its side gathers the points,
    and the winner leads."""
    # Spades are trumps at level 5: the five of hearts beats the ace of spades, equals go first.
    both = at_play({0: "SK", 1: "H5", 2: "D5", 3: "SA"}, "SK")
    for text in ("H5", "D5", "SA"):
        both.apply(text)
    assert both.game.turn == 1
    assert both.game.view(0)["points"] == [0, 20]
    assert both.game.view(None)["last_winner"] == 1


def test_exact_copies() -> None:
    """Copies are alike: text takes the lowest, a mark or ids exactly those."""
    both = at_play({0: "HK*3"}, "")
    game = both.game
    ids = [card for card in game.view(0).hand if format_cards([card % 54]) == "HK"]
    one = game.clone()
    one.apply("HK*2")
    assert one.view(0)["trick"] == [[0, ids[:2]]]
    two = game.clone()
    two.apply("HK''")
    assert two.view(0)["trick"] == [[0, ids[2:]]]
    assert two.record().actions[-1] == "HK''"
    three = game.clone()
    three.play([ids[2], ids[0]])
    assert three.view(0)["trick"] == [[0, [ids[0], ids[2]]]]
    for done in (one, two, three):
        assert done.record().replay() == done
        assert len(done.view(0).hand) == 39 - len(done.view(0)["trick"][0][1])


# The end


def play_out(game: Game, rng: random.Random) -> None:
    while not game.is_over:
        game.apply(rng.choice(game.legal_actions()))


HIGH = f"{JOKERS} {FIVES} {TWOS} SA*3 SK*3 SQ*3"


def test_nothing_for_the_attackers_gz65() -> None:
    """GZ-60, GZ-65: S = 0: the dealers win the round, at level 5 gaining 6 (GZ-66)."""
    both = at_play({0: HIGH.replace("S5*3", "S5*2")}, "")
    game = both.game
    trump = gunzi.Trump("S", 5)
    while not game.is_over:
        texts = [str(action) for action in game.legal_actions()]
        if game.turn == 0:
            singles = [text for text in texts if "*" not in text]
            game.apply(max(singles, key=lambda text: trump.strength(text)))
        else:
            game.apply(texts[0])
    view = game.view(None)
    assert (view["total"], view["dug"]) == (0, False)
    assert view["settlement"]["round_winner"] == "dealers"
    assert game.scores() == [6, -6, 6, -6]
    assert game.next_history == History()
    assert "GZ-65" in [line.clause for line in game.result]
    assert game.outcome == "round to dealers, kept"


def test_everything_for_the_attackers_gz61_gz65() -> None:
    """GZ-61, GZ-62, GZ-65: 300 and a doubled bottom; the attackers win the round."""
    deal = deal_of(bottom="S4 SJ HK HK C9 C9", late={1: HIGH})
    both = to_phase(shown_by(new(deal), 1, "show S5"), "bury")
    game = both.game
    game.play("S4 SJ HK HK C9 C9")
    while game.phase == "joker":
        game.apply("done")
    trump = gunzi.Trump("S", 5)
    while not game.is_over:
        texts = [str(action) for action in game.legal_actions()]
        singles = [text for text in texts if "*" not in text]
        best = max(singles, key=lambda text: trump.strength(text))
        low = min(singles, key=lambda text: trump.strength(text))
        game.apply(best if game.turn == 1 else low)
    view = game.view(None)
    # 20 in the bottom: 280 in the tricks, and 40.
    assert (view["total"], view["dug"]) == (320, True)
    assert game.scores() == [-6, 6, -6, 6]
    assert game.outcome == "round to attackers, dug"
    assert game.view(2)["bottom"] == view["bottom"]


@pytest.mark.parametrize("rules", [DEAD, LIVE], ids=["dead", "live"])
def test_settlement_from_what_all_saw(rules: Rules) -> None:
    """GZ-2, GZ-12, GZ-56, GZ-60..63, GZ-64, GZ-66: S, 抠底, levels, blood and next dealer follow
    from the tricks that were seen and the bottom."""
    rng = random.Random(7)
    seen: Counter[object] = Counter()
    for number in range(120):
        levels = (rng.randrange(3, 11), rng.randrange(3, 11))
        history = History(levels, rng.randrange(4)) if number % 3 else None
        game = Game(rules.replace(stake=2), seed=rng.getrandbits(200), history=history)
        while not game.is_over:
            game.apply(game.auto() if rng.random() < 0.3 else rng.choice(game.legal_actions()))
        dealer = game.dealer or 0
        points, last, trick = [0, 0], -1, 0
        for event in game.events("table"):
            if event.kind == "play":
                trick += gunzi.points(list(event.cards or ()))
            elif event.kind == "trick":
                last = event.seat or 0
                points[last % 2] += trick
                trick = 0
        assert sum(points) + gunzi.points(game.view(0)["bottom"]) == 300
        dug = (last - dealer) % 2 == 1
        under = game.view(0)["bottom"]
        total = points[(dealer + 1) % 2] + (2 * gunzi.points(under) if dug else 0)
        both_levels = (3, 3) if history is None else levels
        level = (both_levels[dealer % 2], both_levels[(dealer + 1) % 2])
        jokers = (faces(under)["R"], faces(under)["B"])
        done = gunzi.settle(total, dug, jokers, level=level, dry=game.view(0)["dry"], rules=rules)
        view = game.view(None)
        assert (view["total"], view["dug"]) == (total, dug)
        assert view["settlement"] == {
            **done._asdict(),
            "levels": list(done.levels),
        }
        side = {"dealers": dealer % 2, "attackers": (dealer + 1) % 2, None: 0}[done.gainer]
        gained = 2 * done.gained if done.gainer else 0
        assert game.scores() == [gained if seat % 2 == side else -gained for seat in range(4)]
        after = game.next_history
        if done.round_winner:
            assert after == History()
        else:
            assert after.dealer == (dealer + (done.next_dealer or 0)) % 4
            assert after.levels[dealer % 2] == done.levels[0]
            assert after.levels[(dealer + 1) % 2] == done.levels[1]
            assert after.blood == done.blood
        lines = [line.amounts for line in game.result if line.amounts]
        assert [sum(column) for column in zip(*lines, strict=True)] == (
            game.scores() if lines else []
        )
        seen[done.gainer, dug, bool(done.round_winner)] += 1
        seen["dry"] += view["dry"]
        seen["jokers"] += any(jokers) and not view["dry"]
    assert min(seen["dry"], seen["jokers"]) > 10
    assert len(seen) >= 5


def test_dry_jokers_count_nothing_gz44() -> None:
    """GZ-44: jokers in a 干锅 bottom add no level and no blood, and end no round."""
    deal = deal_of(bottom="B*3 H6 H6 H7", early={0: "D5"}, late={0: "DA*3 DK*3 D2*3 C5*3 H5*3"})
    both = shown_by(new(deal), 0, "show D5")
    while both.game.phase == "deal":
        both.apply("pass")
    game = both.game
    assert game.view(0)["dry"]
    rng = random.Random(3)
    while not game.is_over:
        game.apply(game.auto() if game.turn in (0, 2) else rng.choice(game.legal_actions()))
    view = game.view(None)
    done = view["settlement"]
    if view["total"] not in range(1, 300):
        pytest.fail("the deal was to be an ordinary one")
    assert done["round_winner"] is None
    assert done["gained"] <= 1
    points = (
        -(-(80 - view["total"]) // 10)
        if view["total"] < 80
        else max(0, (view["total"] - 150) // 10)
    )
    assert done["blood"] == points


def test_level_ten_won_gz10_gz63() -> None:
    """GZ-10, GZ-63: dealers at 10 who win it win the round, gaining 1; then all begins anew."""
    rng = random.Random(2)
    won = 0
    for seed in range(40):
        game = Game(seed=seed, history=History((10, 6), 0))
        while not game.is_over:
            mine = (game.turn or 0) % 2 == 0
            game.apply(game.auto() if mine else rng.choice(game.legal_actions()))
        view = game.view(None)
        if view["settlement"]["gainer"] == "dealers":
            won += 1
            assert game.scores() == [1, -1, 1, -1]
            following = game.next_hand(seed=1)
            assert following.history == History()
            assert following.dealer is None
    assert won > 10


def test_whole_rounds_gz10() -> None:
    """GZ-10, GZ-12: hands in a row until a side has won level 10; no gain jumps over 10."""
    match = qipai.Match("gunzi/diamond", seed=8)
    rng = random.Random(8)
    rounds = hands_played = 0
    while rounds < 2 and hands_played < 120:
        game = match.game
        before = game.history
        while not game.is_over:
            game.apply(rng.choice(game.legal_actions()))
        after = game.next_history
        assert all(3 <= level <= 10 for level in after.levels)
        if after.dealer is None:
            rounds += 1
        else:
            rises = [new - old for new, old in zip(after.levels, before.levels, strict=True)]
            assert min(rises) == 0
            assert max(rises) == max(game.scores())
        match.next()
        hands_played += 1
    assert rounds == 2
    assert match.totals[0] == match.totals[2] == -match.totals[1]


# Always


@pytest.mark.parametrize("name", ["gunzi/diamond", "gunzi/yiku"])
def test_cards_and_points_are_conserved_gz1_gz2(name: str) -> None:
    """GZ-1, GZ-2: 162 cards, each once, and 300 points at every step of every phase."""
    rng = random.Random(9)
    history = None
    phases = set()
    kind = type(qipai.new(name, seed=1))
    for seed in range(10):
        game = kind(qipai.new(name, seed=1).rules, seed=seed, history=history)
        while True:
            view = game.view(None)
            places = [
                *view["hands"],
                view["undrawn"],
                view["bottom"],
                view["named"],
                view["played"],
            ]
            places += [cards for _, cards in view["trick"]]
            assert sorted(card for place in places for card in place) == list(range(162))
            loose = [card for place in places if place is not view["played"] for card in place]
            assert gunzi.points(loose) + sum(view["points"]) == 300
            phases.add(game.phase)
            if game.is_over:
                break
            game.apply(rng.choice(game.legal_actions()))
        history = game.next_history
    assert phases >= {"deal", "tribute", "return", "bury", "joker", "play", "over"}


@pytest.mark.parametrize("follow", ["live", "dead"])
@pytest.mark.parametrize("preset", ["diamond", "yiku"])
def test_random_hands_against_the_reference(preset: str, follow: str) -> None:
    """GZ-1..66: whole hands of all kinds, equal after every step; long: prove_hands.py."""
    rng = random.Random(f"{preset} {follow}")
    base = (DEAD if preset == "diamond" else LIVE).replace(follow=follow)
    seen: Counter[str] = Counter()
    for _ in range(6):
        rules = hands.house_rules(rng, base)
        hands.play_both(hands.any_hand(rng, rules, hands.any_history(rng)), rng, 0.05, seen)
    assert seen["hands"] == 6


def test_a_round_against_the_reference() -> None:
    """GZ-10: a whole round, equal after every step."""
    seen: Counter[str] = Counter()
    assert hands.play_round(random.Random(4), DEAD, 0.02, seen) == seen["hands"]


# What a seat knows


def imagined(game: Game, seat: int, n: int = 60) -> list[Game]:
    return [game.resample(seat, number) for number in range(n)]


def test_resampling_respects_voids_gz51() -> None:
    """GZ-51: who did not follow has none of the suit; the others' cards move freely."""
    both = at_play({0: "HA HQ", 1: "H6", 2: "C9", 3: "H7"}, "HA")
    game = both.game
    trump = gunzi.Trump("S", 5)
    rng = random.Random(1)
    for _ in range(60):
        game.apply(rng.choice(game.legal_actions()))
    void: dict[int, set[str]] = {seat: set() for seat in range(4)}
    lead = ""
    for event in game.events("table"):
        if event.kind in ("lead", "trick"):
            lead = ""
        elif event.kind == "play":
            groups = {trump.group(format_cards([card % 54])) for card in event.cards or ()}
            if not lead:
                lead = groups.pop()
            elif groups != {lead}:
                void[event.seat or 0].add(lead)
    assert any(void.values())
    where: Counter[tuple[int, int]] = Counter()
    for other in imagined(game, 0):
        hands_now = other.view(None)["hands"]
        for seat in (1, 2, 3):
            where.update((card, seat) for card in hands_now[seat])
            for card in hands_now[seat]:
                assert trump.group(format_cards([card % 54])) not in void[seat]
    cards = {card for card, _ in where}
    assert sum(len([seat for seat in (1, 2, 3) if where[card, seat]]) > 1 for card in cards) > 10


def test_resampling_respects_dead_follows_gz53() -> None:
    """GZ-53: who played two singles to a 棒 held no two alike but out of a 滚."""
    both = at_play({0: "HQ*2", 1: "H9*3 H3 H4"}, "HQ*2")
    both.game.play("H3 H4")
    for other in imagined(both.game, 0):
        hearts = Counter(
            {
                face: n
                for face, n in (held(other, 1) + Counter({"H3": 1, "H4": 1})).items()
                if face[0] == "H" and face not in ("H5", "H2")
            }
        )
        assert 2 not in hearts.values()
    assert len({str(sorted(held(other, 1).items())) for other in imagined(both.game, 0)}) > 50


def test_resampling_respects_tribute_gz30() -> None:
    """GZ-30: who gave the highest holds nothing higher that may be given; given cards are known."""
    late = {1: "D5*2 C5*2 H5*2 S5*3", 2: "R*3 B*3", 3: "H5 D5 S2 CA"}
    both = new(deal_of(late=late, early={0: "C5"}, lowest=3), History((5, 5), 0, 2))
    shown_by(both, 0, "show C5")
    assert sorted(given(both)) == ["D5", "H5"]
    for _ in range(2):
        both.apply(next(text for text in both.texts if text[-1] in "6789"))
    trump = gunzi.Trump("C", 5)
    for other in imagined(both.game, 1):
        high = [face for face in held(other, 3) if trump.strength(face) > trump.strength("D5")]
        assert not high
        assert other.view(None)["given"] == both.game.view(None)["given"]


def test_resampling_respects_burying_gz41() -> None:
    """GZ-41: who has buried a 小王 holds no 大王; what is buried unseen is dealt anew."""
    both = at_bury()
    both.game.play("D3*2 C4 B R*2")
    for seat in (1, 2, 3):
        for other in imagined(both.game, seat, 20):
            assert held(other, 0)["R"] == 0
            assert other.view(None)["bottom"] == both.game.view(None)["bottom"]
    both = at_bury()
    both.game.play("D3*2 C4*2 H6*2")
    buried = set()
    for other in imagined(both.game, 2):
        under = faces(other.view(None)["bottom"])
        assert not under["B"] and not under["R"]
        assert set(under) - set("DTK5")  # something could be picked (GZ-43)
        buried.add(str(sorted(under.items())))
    assert len(buried) > 30


def test_resampling_respects_showings_gz20() -> None:
    """GZ-20, GZ-23: a shower held the cards when they were shown; hidden passes are new."""
    deal = deal_of(early={2: "H5 H5", 1: "R C5"}, late={3: "D5 S5"})
    both = new(deal)
    shown_by(both, 2, "show H5*2")
    game = both.game
    drawn = game.view(None)["drawn"]
    for other in imagined(game, 0):
        hand = [
            card
            for i, card in enumerate(other.deal.draws[:drawn])
            if (other.deal.start + i) % 4 == 2
        ]
        assert faces(hand)["H5"] == 2
        assert other.view(None)["drawn"] == drawn
    logs = {other.record().actions for other in imagined(game, 0)}
    assert len(logs) > 1


@pytest.mark.parametrize("name", ["gunzi/diamond", "gunzi/yiku"])
def test_no_seat_can_tell_in_whole_rounds(name: str) -> None:
    """GZ-20, GZ-40..42: views, observations and legal actions stay the same in every phase when
    what a seat cannot see is dealt anew."""
    rng = random.Random(12)
    history = None
    seen: Counter[str] = Counter()
    kind, rules = type(qipai.new(name, seed=1)), qipai.new(name, seed=1).rules
    for _ in range(8):
        game = kind(rules, seed=rng.getrandbits(200), history=history)
        while not game.is_over:
            if rng.random() < (0.04 if game.phase == "play" else 0.3):
                for seat in range(4):
                    other = game.resample(seat, rng.getrandbits(200))
                    assert look(other, seat) == look(game, seat)
                    assert seat not in game.pending() or seat in other.pending()
                    assert qipai.restore(other.snapshot()) == other
                    assert other.deal != game.deal
                seen[game.phase] += 1
            game.apply(rng.choice(game.legal_actions()))
        history = game.next_history
    assert set(seen) >= {"deal", "tribute", "return", "bury", "joker", "play"}


def test_action_ids_are_those_of_the_documentation() -> None:
    """The ids that the module's docstring lists."""
    game = Game(seed=1)
    for text, id in (
        ("pass", 0),
        ("D3", 1),
        ("R*3", 162),
        ("+D3", 163),
        ("bury R", 270),
        ("give D3", 271),
        ("return B", 377),
        ("pick D4", 383),
        ("done", 433),
        ("show D3", 434),
        ("show ST*3", 529),
        ("show R", 530),
        ("show B*3 as D", 531),
        ("show R*3 as S", 538),
    ):
        assert int(game.parse(text)) == id
        assert str(game.engine.action(id)) == text
    assert game.num_actions == 539


@pytest.mark.parametrize(
    "text",
    ["H", "H8*4", "8", "show", "show H8 C8", "show B*3", "show H5 as S", "show DJ", "+", "bury"],
)
def test_text_that_cannot_be_read(text: str) -> None:
    game = Game(seed=1)
    before = game.snapshot()
    with pytest.raises(ValueError):
        game.apply(text)
    assert game.snapshot() == before


def test_resampling_does_not_remember_the_truth() -> None:
    """Late in a hand, worlds that the seat cannot tell apart are drawn alike from each of them: a
    chi-square of two samples."""
    for seed in (511, 513, 516):
        game = gunzi.Game(seed=seed)
        for _ in range(130):
            game.apply(game.auto())
        seat = game.turn or 0
        worlds = {
            one.observe(None).tobytes(): one
            for one in map(partial(game.resample, seat), range(200))
        }
        assert len(worlds) > 4
        one, two = list(worlds.values())[:2]
        counts = [
            Counter(
                world.resample(seat, 1000 * place + i).observe(None).tobytes() for i in range(900)
            )
            for place, world in enumerate((one, two), 1)
        ]
        common = [key for key in counts[0] if counts[0][key] + counts[1][key] >= 20]
        chi = sum(
            (counts[0][key] - counts[1][key]) ** 2 / (counts[0][key] + counts[1][key])
            for key in common
        )
        free = len(common) - 1
        assert chi < free + 5 * (2 * free) ** 0.5 + 5, (seed, chi, free)
