"""The compiled engine of 百变双扣, clause by clause, on hands that are given card by card."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pytest

import qipai
from qipai.cards import format as text_of
from qipai.shuangkou import Deal, Game, History, Rules, base_stake
from qipai.verify import compare_hands

_spec = importlib.util.spec_from_file_location(
    "shuangkou_proofs_for_engine", Path(__file__).with_name("proofs.py")
)
assert _spec is not None and _spec.loader is not None
proofs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(proofs)

WENZHOU, BIANFENG, LISHUI = Rules.wenzhou(), Rules.bianfeng(), Rules.lishui()
RANKS = "3456789TJQKA2BR"


def deal(wanted: dict[int, str], open_rank: str, leader: int, other: int | None = None) -> Deal:
    """A deal in which the seats hold (at least) the wanted ranks, and the leader the marked card.

    The open card is the diamond of its rank (or the joker); its copies go to the leader and to
    ``other`` (the leader too where it is None).
    """
    left = list(range(108))
    hands: list[list[int]] = [[] for _ in range(4)]
    face = {"B": 52, "R": 53}.get(open_rank, 4 * RANKS.index(open_rank))

    def give(seat: int, card: int) -> None:
        left.remove(card)
        hands[seat].append(card)

    give(leader, face)
    give(leader if other is None else other, face + 54)
    for seat, ranks in wanted.items():
        need = [rank for rank in ranks]
        for card in hands[seat]:
            rank = rank_of(card)
            if rank in need:
                need.remove(rank)
        for rank in need:
            give(seat, next(card for card in left if rank_of(card) == rank))
    for seat in range(4):
        while len(hands[seat]) < 27:
            give(seat, left[-1])
    return Deal(tuple(tuple(hand) for hand in hands), face)


def rank_of(card: int) -> str:
    face = card % 54
    return RANKS[face // 4] if face < 52 else RANKS[face - 39]


def ranks(game: Game, seat: int) -> str:
    return "".join(sorted((rank_of(c) for c in game.view(seat).hand), key=RANKS.index))


def play_out(game: Game, order: list[int]) -> None:
    """Let the seats go out in this order, each by single cards while the others pass."""
    while not game.is_over:
        turn = game.turn
        assert turn is not None
        first = next((seat for seat in order if seat not in game.finished), None)
        actions = [a for a in game.legal_actions() if len(str(a)) == 1]
        if turn == first and actions:
            game.apply(actions[0])
        elif game.view(None)["table"] is None:
            game.apply(min(game.legal_actions(), key=lambda a: (len(str(a)), int(a))))
        else:
            game.apply("pass")


def test_order_and_teams() -> None:
    """SK-1: 27 each, seats opposite in the order are a team; SK-2 is in the kernel's tests."""
    game = qipai.new("shuangkou", seed=1)
    assert [len(game.view(seat).hand) for seat in range(4)] == [27] * 4
    assert sorted(card for seat in range(4) for card in game.view(seat).hand) == list(range(108))
    assert sorted(game.order) == [0, 1, 2, 3]


@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("other", [None, 0, 1, 2, 3])
def test_open_card_seats_the_partner(leader: int, other: int | None) -> None:
    """SK-50: the marked copy leads, the other's holder sits opposite, numbers stay."""
    game = Game(deal=deal({}, "8", leader, other))
    assert game.turn == leader
    order = game.order
    opposite = order[(order.index(leader) + 2) % 4]
    partner = leader if other is None else other
    if partner == leader:
        assert order == (0, 1, 2, 3)
    else:
        assert opposite == partner
        moved = [seat for seat, place in enumerate(order) if seat != place]
        assert moved in ([], sorted({partner, (leader + 2) % 4}))


def test_seats_stay_in_the_next_hand() -> None:
    """SK-50: the order holds until the next open card changes it."""
    game = Game(deal=deal({}, "8", 0, 1), seed=3)
    assert game.order == (0, 2, 1, 3)
    rng = random.Random(1)
    while not game.is_over:
        game.apply(rng.choice(game.legal_actions()))
    assert game.next_history == History((0, 2, 1, 3))
    stays = Game(deal=deal({}, "8", 2), history=game.next_history)
    assert stays.order == (0, 2, 1, 3)
    changes = Game(deal=deal({}, "8", 2, 1), history=game.next_history)
    assert changes.order == (0, 2, 3, 1)


def test_turn_pass_and_free_lead() -> None:
    """SK-51, SK-52: in turn, passing bars nobody, a free lead cannot be passed."""
    game = Game(deal=deal({0: "3456", 1: "4K", 2: "5A", 3: "62"}, "3", 0))
    with pytest.raises(qipai.IllegalAction) as caught:
        game.apply("pass")
    assert caught.value.reason.clause == "SK-51"
    for text in ("3", "pass", "pass", "6", "pass", "K", "pass", "pass", "pass"):
        game.apply(text)
    assert game.turn == 1
    assert game.view(1)["table"] is None
    assert game.check("pass").code == "free_lead"


def test_beating_is_asked_for() -> None:
    """SK-40, SK-41, SK-20: too low, a bomb, no pattern, cards that are not held."""
    game = Game(deal=deal({0: "3", 1: "3334569999K"}, "K", 0))
    game.apply("K")
    assert game.turn == 1
    assert game.check("K").clause == "SK-40"
    assert game.check("33").code == "too_low"
    assert game.check("9999") is None
    assert game.check("3456").code == "no_play"
    assert game.check("2").code in ("not_held", None) or "2" in ranks(game, 1)
    assert game.check("RR").code == "not_held" or ranks(game, 1).endswith("RR")


def test_wind_goes_to_the_partner() -> None:
    """SK-53: nobody beats the last cards of a player: the partner leads."""
    # Seat 0 holds everything it needs to go out by leads that none can beat.
    low = deal({0: "RR22222222AAAAAAAA", 2: "3"}, "R", 0)
    game = Game(deal=low)
    assert game.turn == 0
    while 0 not in game.finished:
        if game.turn == 0:
            plays = game.legal_actions()
            game.apply(max((a for a in plays if str(a) != "pass"), key=lambda a: len(str(a))))
        else:
            game.apply("pass")
    while game.view(None)["table"] is not None:
        game.apply("pass")
    assert game.turn == 2


def test_exact_cards_are_the_cards_that_go() -> None:
    """Suited text and ids move those cards, ranks the lowest ids."""
    game = Game(deal=deal({0: "77777777"}, "7", 0))
    assert game.clone().apply("7")[0].cards == (16,)
    assert game.clone().apply("S7'")[0].cards == (54 + 19,)
    assert game.clone().apply("S7 D7'")[0].cards == (19, 54 + 16)
    one, two = game.clone(), game.clone()
    assert one.apply([54 + 18, 17])[0].cards == two.apply("C7 H7'")[0].cards == (17, 54 + 18)
    assert one == two
    assert game.clone().play([16, 17, 18, 19])[0].cards == (16, 17, 18, 19)
    after = game.clone()
    after.apply("S7 D7")
    assert not {16, 19} & set(after.view(0).hand)
    assert len(after.view(0).hand) == 25
    record = after.record()
    assert record.actions == ("D7 S7",)
    assert record.replay() == after
    with pytest.raises(qipai.IllegalAction) as caught:
        game.apply([0, 4])
    assert caught.value.reason.code == "no_play"
    missing = next(card for card in range(108) if card not in game.view(0).hand)
    for cards in ([missing], text_of([missing])):
        if isinstance(cards, list) or rank_of(missing) not in ranks(game, 0):
            with pytest.raises(qipai.IllegalAction) as caught:
                game.apply(cards)
            assert caught.value.reason.code == "not_held"
    with pytest.raises(ValueError):
        game.apply([16, 16])
    with pytest.raises(ValueError):
        game.apply([108])


# Endings: the last two of each row are the places that SK-60 gives when the hand ends.
ENDINGS = [
    ([0, 2], "double", [0, 2, 3, 1], [4, -4, 4, -4]),
    ([0, 1, 2], "single", [0, 1, 2, 3], [2, -2, 2, -2]),
    ([0, 1, 3], "even", [0, 1, 3, 2], [1, -1, 1, -1]),
]


@pytest.mark.parametrize(("going_out", "how", "places", "scores"), ENDINGS)
def test_endings(going_out: list[int], how: str, places: list[int], scores: list[int]) -> None:
    """SK-60, SK-61: ends as soon as it is known; third and fourth of 双扣 in order after the
    second."""
    game = Game(BIANFENG, deal=deal({}, "8", 0))
    play_out(game, going_out)
    assert list(game.finished) == places
    stars = max(
        game.view(None)["best_stars"][seat] for seat in (going_out[0], (going_out[0] + 2) % 4)
    )
    assert stars < 5
    assert game.scores() == scores
    assert game.result[1].clause == "SK-61"
    names = {"double": "双扣", "single": "单扣", "even": "平扣"}
    assert game.result[1].text.startswith(names[how])


def test_even_row_of_wenzhou_is_as_printed() -> None:
    """SK-61: 1,0,0,1 does not sum to zero; the row is a field."""
    for rules, scores in (
        (WENZHOU, [1, 0, 1, 0]),
        (WENZHOU.replace(base_even=(1, -1, -1, 1)), [1, -1, 1, -1]),
        (WENZHOU.replace(base_even=(3, -2, -2, 1), stake=10), [30, -20, 10, -20]),
    ):
        game = Game(rules, deal=deal({}, "8", 0))
        play_out(game, [0, 1, 3])
        assert game.scores() == scores


def hand_with(rules: Rules, bombs: dict[int, list[str]], going_out: list[int]) -> Game:
    """A hand in which seats play these bombs as the lead goes round, and then go out in order."""
    game = Game(rules, deal=deal({seat: "".join(plays) for seat, plays in bombs.items()}, "3", 0))
    for seat, plays in bombs.items():
        for text in plays:
            lead_to(game, seat)
            game.apply(text)
            while game.view(None)["table"] is not None:
                game.apply("pass")
    play_out(game, going_out)
    return game


def lead_to(game: Game, seat: int) -> None:
    """Bring the turn to a seat, with singles that leave its bombs whole."""
    while game.turn != seat:
        if game.view(None)["table"] is None:
            game.apply(min(game.legal_actions(), key=lambda a: (len(str(a)), int(a))))
        else:
            game.apply("pass")


@pytest.mark.parametrize(
    ("rules", "scores"),
    [(WENZHOU, [44, -36, 28, -36]), (BIANFENG, [50, -38, 26, -38]),
     (BIANFENG.replace(stake=100), [5000, -3800, 2600, -3800]),
     (WENZHOU.replace(stake=100), [4400, -3600, 2800, -3600])],
)  # fmt: skip
def test_worked_score(rules: Rules, scores: list[int]) -> None:
    """SK-62, SK-64, SK-67: 双扣 by 0 and 2, seat 0 played one bomb of seven stars."""
    game = hand_with(rules, {0: ["9999999"]}, [0, 2])
    assert game.view(None)["best_stars"][0] == 7
    assert max(game.view(None)["best_stars"][1:]) < 6
    assert game.scores() == scores
    clauses = [line.clause for line in game.result]
    assert clauses == ["SK-62", "SK-61", "SK-64"]


@pytest.mark.parametrize(
    ("preset", "bombs", "factor"),
    [
        (WENZHOU, ["9999"], 1), (WENZHOU, ["99999"], 2), (WENZHOU, ["999999"], 4),
        (WENZHOU, ["9999999"], 8), (WENZHOU, ["99999999"], 16), (WENZHOU, ["99999", "999"], 2),
        (WENZHOU, ["99999TTTTTJJJJJQQQQQ"], 16), (LISHUI, ["99999TTTTTJJJJJQQQQQ"], 32),
        (LISHUI, ["8888999TTTTJJJJR"], 16), (LISHUI, ["999999TTTTTTJJJJJJQQQQQQ"], 64),
    ],
)  # fmt: skip
def test_multiplier(preset: Rules, bombs: list[str], factor: int) -> None:
    """SK-62, SK-63: the largest bomb of the winners multiplies both sides' base."""
    rules = preset.replace(contribution=((0, 0), (0, 0), (0, 0)))
    game = hand_with(rules, {0: bombs}, [0, 2])
    assert game.scores() == [4 * factor, -4 * factor, 4 * factor, -4 * factor]


def test_losers_bombs_do_not_multiply() -> None:
    """SK-62: only the winning team's."""
    rules = WENZHOU.replace(contribution=((0, 0), (0, 0), (0, 0)))
    game = hand_with(rules, {1: ["9999999"]}, [0, 2])
    assert game.view(None)["best_stars"][1] == 7
    assert game.scores() == [4, -4, 4, -4]


@pytest.mark.parametrize(
    ("rules", "bombs", "given"),
    [
        (WENZHOU, {1: ["999999"]}, [-2, 6, -2, -2]),
        (WENZHOU, {1: ["9999999"]}, [-4, 12, -4, -4]),
        (WENZHOU, {1: ["99999999"]}, [-6, 18, -6, -6]),
        (WENZHOU, {1: ["999999", "TTTTTT"]}, [-4, 12, -4, -4]),
        (BIANFENG, {1: ["999999", "TTTTTTT"]}, [-8, 24, -8, -8]),
        (BIANFENG, {1: ["99999999"], 3: ["TTTTTT"]}, [-12, 28, -12, -4]),
        (LISHUI, {1: ["999999"]}, [-2, 6, -2, -2]),
        (LISHUI, {1: ["99999"]}, [0, 0, 0, 0]),
        # SK-66: two bombs of six count as seven stars, once.
        (LISHUI, {1: ["999999", "TTTTTT"]}, [-6, 18, -6, -6]),
        (LISHUI, {1: ["99999", "TTTTT"]}, [-2, 6, -2, -2]),
        (LISHUI, {1: ["9999", "TTTT", "JJJJ", "QQQQ"]}, [-2, 6, -2, -2]),
        (LISHUI, {1: ["9999", "TTTT", "JJJJ"]}, [0, 0, 0, 0]),
        (LISHUI, {1: ["99999", "TTTTTT"]}, [-2, 6, -2, -2]),
        (LISHUI, {1: ["99999999", "TTTTTTTT"]}, [-10, 30, -10, -10]),
    ],
)  # fmt: skip
def test_contribution(rules: Rules, bombs: dict[int, list[str]], given: list[int]) -> None:
    """SK-64 (each play), SK-65 (the highest, once), SK-66 (bombs of one size together)."""
    game = hand_with(rules, bombs, [0, 2])
    stars = game.view(None)["best_stars"]
    assert max(stars[0], stars[2]) < 5
    assert game.view(None)["contribution"] == given
    assert game.scores() == [b + c for b, c in zip([4, -4, 4, -4], given, strict=True)]


@pytest.mark.parametrize(
    ("alike", "number", "stars"),
    [(4, 1, 4), (4, 2, 4), (4, 3, 5), (4, 4, 6), (4, 5, 7), (4, 6, 8), (5, 2, 6), (5, 3, 7),
     (5, 4, 8), (5, 5, 9), (6, 2, 7), (6, 3, 8), (6, 4, 9), (7, 2, 8), (7, 3, 9), (8, 2, 9),
     (8, 3, 10)],
)  # fmt: skip
def test_merged_stars(alike: int, number: int, stars: int) -> None:
    """SK-66: the printed table."""
    bombs = [rank * alike for rank in "456789"[:number]]
    game = hand_with(LISHUI, {1: bombs}, [0, 2])
    assert game.view(None)["best_stars"][1] == stars


def test_escape() -> None:
    """SK-68: 双扣 base x multiplier x 2 x stake; contributions are void; bianfeng and lishui."""
    game = Game(BIANFENG, deal=deal({0: "999999"}, "3", 0))
    game.apply("999999")
    assert game.turn == 1
    before = game.clone()
    game.escape(3)
    assert game.is_over
    assert game.scores() == [0, 0, 0, -32]
    assert [line.clause for line in game.result] == ["SK-62", "SK-68"]
    assert game.record().actions[-1] == "escape 3"
    assert game.undo() is None
    assert game == before
    calm = Game(BIANFENG.replace(stake=5), deal=deal({}, "3", 0))
    calm.escape(0)
    assert calm.scores() == [-40, 0, 0, 0]
    for again in (lambda: calm.escape(1), lambda: Game(WENZHOU, seed=1).escape(0)):
        with pytest.raises(qipai.IllegalAction):
            again()


def test_partner_hand_is_seen_after_going_out_only() -> None:
    """SK-54: bianfeng and lishui; an observation shows it then, never before."""
    for rules, seen in ((BIANFENG, True), (LISHUI, True), (WENZHOU, False)):
        game = Game(rules, deal=deal({0: "3333333377777777"}, "3", 0))
        partner = game.order[(game.order.index(0) + 2) % 4]
        rng = random.Random(1)
        while 0 not in game.finished and not game.is_over:
            assert game.view(0)["hands"][partner] is None
            assert not game.observe(0)[30:45].any()
            if game.turn == 0:
                plays = [a for a in game.legal_actions() if str(a) != "pass"]
                game.apply(rng.choice(plays) if plays else "pass")
            elif game.view(None)["table"] is None:
                game.apply(min(game.legal_actions(), key=lambda a: (len(str(a)), int(a))))
            else:
                game.apply("pass")
        assert not game.is_over
        held = game.view(None)["hands"][partner]
        assert game.view(0)["hands"][partner] == (held if seen else None)
        assert bool(game.observe(0)[30:45].any()) == seen
        for other in range(1, 4):
            hands = game.view(other)["hands"]
            assert [seat for seat in range(4) if hands[seat] is not None] == [other]


def test_base_stake() -> None:
    """SK-67: the lowest level decides."""
    table = {1: 10, 2: 20, 3: 50, 5: 100}
    assert base_stake([3, 1, 2, 5], table) == 10
    assert base_stake([5, 5, 5, 5], table) == 100
    assert base_stake([2, 1, 2, 1], [0, 7, 8]) == 7
    with pytest.raises(ValueError, match="4"):
        base_stake([4, 5, 5, 5], table)
    with pytest.raises(ValueError, match="four"):
        base_stake([1, 2, 3], table)


def test_deals_that_do_not_come_out_even() -> None:
    """SK-1: 27 cards each, every card once."""
    good = qipai.new("shuangkou", seed=1).deal
    hands = [list(hand) for hand in good.hands]
    moved = [hands[0][1:], [*hands[1], hands[0][0]], *hands[2:]]
    with pytest.raises(ValueError, match="even"):
        Game(deal=Deal(tuple(map(tuple, moved)), 0))
    with pytest.raises(ValueError, match="leaves out"):
        Game(deal=Deal((good.hands[0][1:], *good.hands[1:]), 0))
    with pytest.raises(ValueError):
        Deal((good.hands[0], good.hands[0], *good.hands[2:]), 0)
    for hands_given, open_card in [
        (good.hands[:3], 0), (good.hands, 108), (good.hands, -1), (good.hands, "x"), ("abcd", 0),
        ((1, 2, 3, 4), 0), (None, 0), (good.hands, None),
    ]:  # fmt: skip
        with pytest.raises(ValueError):
            Deal(hands_given, open_card)  # type: ignore[arg-type]
    for order in [(0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), "0123", None]:
        with pytest.raises(ValueError):
            History(order)  # type: ignore[arg-type]


def test_deal_in_text() -> None:
    """Rank-only text takes the lowest ids that are left."""
    hands = ["3333333344444444555555556RR", "66666667777777788888888999B"]
    hands += ["99999TTTTTTTTJJJJJJJJQQQQQB", "QQQKKKKKKKKAAAAAAAA22222222"]
    made = Deal(tuple(hands), 0)  # type: ignore[arg-type]
    game = Game(deal=made)
    assert ranks(game, 0) == hands[0]
    assert ranks(game, 3) == hands[3]


@pytest.mark.parametrize("preset", ["wenzhou", "bianfeng", "lishui"])
def test_whole_hands_against_the_reference(preset: str) -> None:
    """SK-50..68: random hands in a row, everything equal after every step, lists on a sample."""
    assert sum(compare_hands(f"shuangkou/{preset}", 60, 1, lists=0.05, hands_in_a_row=4)) > 5000


def test_house_rules_against_the_reference() -> None:
    """Fields of Rules in other combinations."""
    from qipai.verify import compare_hand

    rng = random.Random(5)
    for _ in range(40):
        rules = rng.choice((WENZHOU, BIANFENG, LISHUI)).replace(
            name="自家",
            loops=rng.random() < 0.5,
            max_bomb=rng.choice((8, 9, 10)),
            equal_stars=rng.choice(("rank", "count")),
            merge_bombs=rng.random() < 0.5,
            contribution_counts=rng.choice(("each", "highest")),
            see_partner=rng.random() < 0.5,
            stake=rng.choice((1, 7, 10**6)),
            multiplier=(2, 3, 5, 7, 11, 13),
        )
        compare_hand(Game(rules, seed=rng.getrandbits(256)), rng, lists=0.1)


@pytest.mark.parametrize("preset", ["bianfeng", "lishui"])
def test_escapes_against_the_reference(preset: str) -> None:
    """SK-68."""
    proofs.escape_at_random(f"shuangkou/{preset}", 25, 6)


def test_hidden_cards_can_be_exchanged_without_a_trace() -> None:
    """Two players' unseen cards swap places: nobody else's view, observation or hint changes."""
    rng = random.Random(7)
    for seed in range(12):
        game = Game(rng.choice((WENZHOU, BIANFENG)), seed=seed)
        for _ in range(rng.randrange(60)):
            if not game.is_over:
                game.apply(rng.choice(game.legal_actions()))
        for seat in range(4):
            one, two = rng.sample([s for s in range(4) if s != seat], 2)
            visible = game.view(seat)["hands"]
            if visible[one] is not None or visible[two] is not None or game.is_over:
                continue
            marked = game.deal.open_card
            pools = [
                [c for c in game.view(None)["hands"][s] if c % 54 != marked % 54]
                for s in (one, two)
            ]
            n = rng.randint(0, min(map(len, pools)))
            swap = [rng.sample(pool, n) for pool in pools]
            hands = [set(hand) for hand in game.deal.hands]
            hands[one] ^= set(swap[0]) | set(swap[1])
            hands[two] ^= set(swap[0]) | set(swap[1])
            other = Game(
                game.rules,
                seed=0,
                deal=Deal(tuple(tuple(hand) for hand in hands), marked),
                history=game.history,
            )
            for event in game.events():
                if event.kind == "play":
                    other.apply(event.cards)
                elif event.kind == "pass":
                    other.apply("pass")
            assert other.view(seat) == game.view(seat)
            assert other.observe(seat).tobytes() == game.observe(seat).tobytes()
            if game.turn == seat:
                assert other.hint(20) == game.hint(20)
                assert other.legal_actions() == game.legal_actions()
            assert other.view("table") == game.view("table")


def test_resampling_is_uniform_over_what_is_hidden() -> None:
    """Each hidden card goes to each hand in proportion to the room there (chi-square)."""
    game = Game(WENZHOU, seed=21)
    rng = random.Random(21)
    for _ in range(70):
        if game.legal_count():
            game.apply(rng.choice(game.legal_actions()))
    assert not game.is_over
    seat, n = 0, 3000
    others = [s for s in range(1, 4)]
    marked = game.deal.open_card % 54
    now = game.view(None)["hands"]
    hidden = [c for s in others for c in now[s] if c % 54 != marked]
    room = {s: sum(c % 54 != marked for c in now[s]) for s in others}
    where = {(c, s): 0 for c in hidden for s in others}
    for number in range(n):
        hands = game.resample(seat, number).view(None)["hands"]
        for s in others:
            for c in hands[s]:
                if c % 54 != marked:
                    where[c, s] += 1
    chi = 0.0
    for (_, s), seen in where.items():
        expected = n * room[s] / len(hidden)
        chi += (seen - expected) ** 2 / expected
    freedom = (len(hidden) - 1) * (sum(r > 0 for r in room.values()) - 1)
    assert chi < freedom + 6 * (2 * freedom) ** 0.5
    assert chi > freedom - 6 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("rules", "lead", "answer", "clause"),
    [
        (WENZHOU, "K", "Q", "SK-40"),
        (WENZHOU, "4444", "99", "SK-41"),
        (LISHUI, "55555", "9999", "SK-42"),
        (BIANFENG, "666666", "BRR", "SK-43"),  # 三王炸弹 is the smallest of 6 stars
        (WENZHOU, "BBRR", "7777777", "SK-43"),  # 天王炸弹 is the largest of 7
        (WENZHOU, "4444", "3333", "SK-44"),
        (BIANFENG, "4444", "3333", "SK-45"),
        (LISHUI, "7777777", "333344445555", "SK-45"),  # fewer cards win
        (BIANFENG, "444455556666", "KKKKAAAA2222", "SK-45"),  # a loop is below the plain ones
        (LISHUI, "KKKKAAAA2222", "AAAA22223333", "SK-46"),  # A-2-3 together are the smallest
    ],
)
def test_why_a_play_does_not_beat(rules: Rules, lead: str, answer: str, clause: str) -> None:
    """SK-40..46: the reason names the clause that decides."""
    game = Game(rules, deal=deal({0: lead, 1: answer}, "T", 0))
    game.apply(lead)
    assert game.turn == 1
    reason = game.check(answer)
    assert reason is not None
    assert (reason.code, reason.clause) == ("too_low", clause)
