"""The compiled game of 甲乙丙: every clause, on the reference at the same time where it plays."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qipai
from qipai import jiayibing
from qipai.jiayibing import Deal, Game, History, Rules
from qipai.verify import compare_hands

sys.path.append(str(Path(__file__).parents[1] / "common"))

import alike
import chacha
from alike import Both, card

RANKS = "3456789TJQKA2BR"  # JY-2: also low to high


def deal_of(*held: Sequence[int]) -> Deal:
    """A deal whose first hands hold these ids at least; the rest goes round by rank."""
    hands = [list(cards) for cards in (*held, *[()] * 6)[:6]]
    rest = sorted(set(range(108)).difference(*hands), key=lambda one: (one % 54, one))
    while rest:
        for hand in hands:
            if rest and len(hand) < 18:
                hand.append(rest.pop(0))
    return Deal(tuple(map(tuple, hands)))


EVEN_DEAL = deal_of([2])  # seat 0 has the marked 3, all have something of nearly every rank


def new(deal: Deal = EVEN_DEAL, rules: Rules | None = None, history: History | None = None) -> Game:
    return Game(rules, deal=deal, history=history, seed=1)


def both(
    deal: Deal = EVEN_DEAL, rules: Rules | None = None, history: History | None = None
) -> Both:
    return Both(new(deal, rules, history))


def go_out(pair: Both, *seats: int) -> Both:
    return pair.go_out(*seats, order=RANKS)


def reason(game: Game, action: Any, **about: Any) -> tuple[str, str]:
    """Why an action is refused; that nothing changes is asserted."""
    before = game.snapshot()
    with pytest.raises(qipai.IllegalAction) as caught:
        game.apply(action, **about)
    assert game.snapshot() == before
    assert game.check(action, **about) == caught.value.reason
    return caught.value.reason.code, caught.value.reason.clause


# --- deal and first lead


def test_the_deal_comes_from_the_seed() -> None:
    """JY-1: two decks, six hands of 18, seat by seat."""
    for number in range(12):
        seed = (number * 7919 + 1).to_bytes(32, "little")
        order = chacha.shuffled(chacha.words(seed), 108)
        deal = Game(seed=seed).deal
        assert deal.hands == tuple(
            tuple(sorted(order[18 * seat : 18 * seat + 18])) for seat in range(6)
        )


HANDS = EVEN_DEAL.hands


@pytest.mark.parametrize(
    ("hands", "culprit"),
    [
        (HANDS[:5], "6 players"),
        ((HANDS[0][1:], *HANDS[1:]), "come out even|leaves out"),
        ((HANDS[1], *HANDS[1:]), "twice"),
        (((108, *HANDS[0][1:]), *HANDS[1:]), "108"),
        (((True, *HANDS[0][1:]), *HANDS[1:]), "True"),
        ((None, *HANDS[1:]), "hands"),
        ((HANDS[0] + HANDS[1][:1], HANDS[1][1:], *HANDS[2:]), "come out even"),
    ],
)
def test_bad_deals(hands: Any, culprit: str) -> None:
    """JY-1"""
    with pytest.raises(ValueError, match=culprit):
        new(Deal(hands))


def test_marked_3_leads() -> None:
    """JY-3: its holder leads the first hand, any pattern, and it is worth a 3."""
    for seat in range(6):
        game = both(deal_of(*[()] * seat, [2])).game
        assert game.turn == seat
        (event,) = game.events((seat + 1) % 6)
        assert (event.kind, event.seat, event.cards) == ("lead", seat, (2,))
        assert game.view((seat + 1) % 6)["special"] == seat
    pair = both(deal_of([2, 4, 58, 5]))
    assert {"3", "4", "44", "444"} <= set(pair.texts) and "pass" not in pair.texts
    pair.apply("H3")
    assert pair.game.view(1)["special"] is None
    assert "4" in pair.texts and "3" not in pair.texts
    without = both(deal_of([2, 4, 58, 5])).apply("444")
    assert without.game.view(1)["special"] == 0


def test_which_3_is_marked() -> None:
    """JY-3: `special_card`; the other copy of that 3 is not marked."""
    deal = deal_of([2], [56], [3])
    for seat, special in enumerate((2, 56, 3)):
        assert both(deal, Rules(special_card=special)).game.turn == seat


def test_later_leader() -> None:
    """JY-3: who went out first leads the next hand; the marked 3 means nothing then."""
    game = both(history=History(3)).game
    assert game.turn == 3 and game.view(1)["special"] is None
    assert game.events(1)[0].cards == ()
    special = Rules(leader="special")
    assert both(rules=special, history=History(3)).game.turn == 0
    for rules, leader in [(Rules(), 4), (special, None)]:
        pair = both(rules=rules)
        with pytest.raises(RuntimeError):
            _ = pair.game.next_history
        go_out(pair, 4, 1, 0, 2)
        assert pair.game.next_history == History(leader)
        assert pair.slow.next_history() == {"leader": leader}
        following = pair.game.next_hand(seed=3)
        holder = next(seat for seat in range(6) if 2 in following.deal.hands[seat])
        assert following.turn == (holder if leader is None else leader)
    for bad in (6, -1, "0", True):
        with pytest.raises(ValueError, match="leader"):
            History(bad)  # type: ignore[arg-type]


# --- play


def test_beat_or_pass() -> None:
    """JY-11: same pattern and higher, or pass; a free lead cannot be passed."""
    pair = both(deal_of([2, 48, 49], [44, 45, 46, 50, 51, 52, 106, 53]))
    assert reason(pair.game, "pass") == ("free_lead", "JY-11")
    pair.apply("22")
    assert pair.game.turn == 1 and set(pair.texts) == {"BB", "pass"}
    for low in ("22", "AA", "R", "B"):
        assert reason(pair.game, low) == ("too_low", "JY-11")
    pair.apply("BB")
    assert pair.texts == ["pass"]


def test_jokers_do_not_mix() -> None:
    """JY-10: a pair of jokers is two of one kind."""
    pair = both(deal_of([2, 52, 106, 53, 107]))
    assert {"B", "BB", "R", "RR"} <= set(pair.texts)
    for action in ("BR", "RB", "B R", "BBRR", "BBR", [52, 53]):
        assert reason(pair.game, action) == ("no_play", "JY-10")


def test_more_than_four_alike() -> None:
    """JY-10: five alike are no pattern, unless `max_alike` says so."""
    deal = deal_of([2, *range(40, 44), *range(94, 98)])
    pair = both(deal)
    for action in ("KKKKK", "K" * 8, [40, 41, 42, 43, 94]):
        assert reason(pair.game, action) == ("no_play", "JY-10")
    with pytest.raises(ValueError, match="rank K"):
        pair.game.apply("K" * 9)
    for most in range(5, 9):
        pair = both(deal, Rules(max_alike=most))
        widths = {len(text) for text in pair.texts if text[0] == "K"}
        assert widths == set(range(1, most + 1))
        pair.apply("K" * most)
        assert pair.game.view(1)["table"] == "K" * most


def test_bombs_in_play() -> None:
    """JY-10: `quad_is_bomb`: four or more beat fewer, whatever the rank."""
    deal = deal_of([2, 53, 107], [4, 5, 6, 7, 58], [59, 60, 61])
    assert both(deal).apply("RR").texts == ["pass"]
    rules = Rules(quad_is_bomb=True)
    assert both(deal, rules).apply("RR").texts == ["pass", "4444"]
    rules = Rules(quad_is_bomb=True, max_alike=8)
    assert both(deal, rules).apply("RR").texts == ["pass", "4444", "44444"]


def test_pass_does_not_bar() -> None:
    """JY-11: who passed may play later; the last to play leads anew, any pattern."""
    pair = both().apply("3", "pass", "5", "pass", "pass", "pass", "pass", "6")
    assert (pair.game.turn, pair.game.view(None)["table_seat"]) == (2, 1)
    for seat in (2, 3, 4, 5, 0):
        assert pair.game.turn == seat
        pair.apply("pass")
    view = pair.game.view(None)
    assert (view.turn, view["table"], view["table_seat"]) == (1, None, None)
    held = {alike.FACES[one % 54][-1] for one in view["hands"][1]}
    assert held <= set(pair.texts) and "pass" not in pair.texts


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
        pair = both(deal_of([2, *kings]))
        before = set(alike.hands(pair.game)[0])
        pair.apply(text)
        assert before - set(alike.hands(pair.game)[0]) == set(gone)
        by_ids = new(deal_of([2, *kings]))
        by_ids.play(gone)
        assert by_ids == pair.game and by_ids.record().replay() == by_ids
        undone = by_ids.undo()
        assert undone is not None
        by_ids.apply(undone)
        assert by_ids == pair.game
    game = new(deal_of([2, *kings]))
    assert game.apply("DK'")[0].cards == (94,)
    game = new(deal_of([2, *kings]))
    for text in ("HK", "CK CK CK'", "DK DK CK CK SK HK"):
        with pytest.raises(ValueError):
            game.apply(text)
    for action in ("HK", [42], [97]):
        assert reason(game, action)[0] == "not_held"
    with pytest.raises(ValueError, match="twice"):
        game.apply([40, 40])


def test_relay_goes_to_the_next_seat() -> None:
    """JY-12, worked case: seat 2 out and all pass: the next from 3 on that has cards, of
    whichever side."""
    assert go_out(both(), 2).all_pass() == 3
    assert go_out(both(), 3, 2).all_pass() == 4
    assert go_out(both(), 3, 4, 5, 2).all_pass() == 0


def test_turn_skips_who_is_out() -> None:
    """JY-11"""
    pair = go_out(both(), 2, 3)
    assert pair.all_pass() == 4
    pair.apply(pair.texts[0])
    for seat in (5, 0, 1):
        assert pair.game.turn == seat
        pair.apply("pass")
    assert (pair.game.turn, pair.game.view(None)["table"]) == (4, None)


# --- end and score


def added_up(game: Game) -> list[int]:
    amounts = [line.amounts for line in game.result if line.amounts is not None]
    return [sum(column) for column in zip(*amounts, strict=True)]


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
def test_end_and_score(out: Sequence[int], amount: int) -> None:
    """JY-1, JY-13, JY-20: the hand ends just when one side is out, every row sums to zero, and the
    result's lines name their clauses and add up."""
    flat = amount // abs(amount)
    for score, stake, each in [("left_holding", 1, amount), ("flat", 5, 5 * flat)]:
        pair = both(rules=Rules(score=score, stake=stake))
        game = pair.game
        for n in range(len(out)):
            assert not game.is_over and game.phase == "play"
            with pytest.raises(RuntimeError):
                game.scores()
            go_out(pair, *out[: n + 1])
        assert game.is_over and game.phase == "over" and game.turn is None
        assert game.scores() == [each, -each] * 3 == added_up(game)
        assert [line.clause for line in game.result] == ["JY-13", "JY-20"]
        assert game.result[0].count == abs(amount)
        assert game.outcome == f"{abs(amount)} left"
        assert reason(game, "pass")[0] == "over"


# --- what a seat can tell


def test_nobody_can_tell_the_others_cards_apart() -> None:
    """JY-1, JY-3: what a seat sees does not change with cards that it cannot see."""
    rng = random.Random(4)
    steps = compared = 0
    for seed in range(8):
        one = Game(seed=seed, history=rng.choice([None, History(4)]))
        first, second = rng.sample(range(6), 2)
        apart = [
            rng.choice([c for c in one.deal.hands[seat] if c != 2]) for seat in (first, second)
        ]
        two = alike.swapped(one, *apart)
        viewers = [seat for seat in range(6) if seat not in (first, second)]
        while not one.is_over:
            steps += 1
            for seat in viewers if rng.random() < 0.15 else ():
                assert alike.everything(one, seat) == alike.everything(two, seat)
                compared += one.turn == seat
            for _ in range(20):
                action = alike.exact_action(one, rng, set(apart))
                if action is not None and two.check(action) is None:
                    one.apply(action)
                    two.apply(action)
                    break
            else:
                break
        assert one.view("table") == two.view("table")
    assert steps > 800 and compared > 60


def test_resampling_gives_every_deal_that_looks_the_same_and_no_other() -> None:
    """JY-1, JY-3: all that a seat knows stays, the marked 3 too, and nothing else does."""
    rng = random.Random(5)
    found: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(300):
        first = seed % 2 == 0
        game = Game(seed=seed, history=None if first else History(1))
        while not game.is_over:
            # The marked 3 is kept to the end.
            actions = [str(action) for action in game.legal_actions()]
            late = [text for text in actions if text[0] != "3"]
            game.apply(rng.choice(late or actions))
            for seat in range(6):
                if len(found[first]) < 7 and 2 <= alike.ways(game, seat) <= 60:
                    found[first].append(alike.prove_resample(game, seat, 9))
        if all(len(several) == 7 for several in found.values()):
            break
    assert all(len(several) == 7 and max(several) > 5 for several in found.values())


def test_resampling_of_a_whole_hand() -> None:
    """JY-3: the marked 3 stays with who led by it, until played; later it is a card like any."""

    def stays(game: Game, seat: int) -> set[bool]:
        return {2 in game.resample(seat, seed).deal.hands[0] for seed in range(40)}

    game = new(deal_of([2, 4, 58]))
    assert stays(game, 3) == stays(game, 0) == {True}
    game.apply("44")
    assert stays(game, 3) == {True}
    other_copy = {56 in game.resample(3, seed).deal.hands[5] for seed in range(60)}
    assert other_copy == {True, False}
    assert stays(new(deal_of([2, 4, 58]), history=History(1)), 3) == {True, False}
    special = new(deal_of([2, 4, 58]), Rules(leader="special"), History(1))
    assert stays(special, 3) == {True}


# --- numbers for learners


def part(game: Game, seat: int | None, name: str) -> list[Any]:
    found = next(one for one in game.observation_spec if one.name == name)
    return game.observe(seat)[found.start : found.stop].reshape(found.shape).tolist()


def test_observation() -> None:
    """JY-1, JY-3: the slices say what they are named for."""
    game = new(deal_of([2, 4, 58]))
    assert part(game, 4, "holds_special") == part(game, 4, "turn") == [0, 0, 1, 0, 0, 0]
    assert not any(part(game, 4, "on_table")) and not any(part(game, 4, "table_rank"))
    game.apply("44")
    assert part(game, 4, "table_rank").index(1) == 1
    assert part(game, 4, "table_width") == [0, 1, *[0] * 6]
    assert part(game, 4, "on_table") == [0, 0, 1, 0, 0, 0]
    assert part(game, 4, "turn") == [0, 0, 0, 1, 0, 0]
    assert part(game, 4, "sizes") == [18, 18, 16, 18, 18, 18]
    assert part(game, 4, "played") == [[0] * 15] * 2 + [[0, 2, *[0] * 13]] + [[0] * 15] * 3
    hand = [alike.FACES[one % 54][-1] for one in alike.hands(game)[4]]
    assert part(game, 4, "hands") == [[hand.count(rank) for rank in RANKS], *[[0] * 15] * 5]
    assert sum(map(sum, part(game, None, "hands"))) == 106
    pair = go_out(both(), 2, 3)
    assert part(pair.game, 4, "places") == [0, 0, 0, 0, 1, 2]


def test_action_features() -> None:
    """JY-10, JY-11"""
    game = new(deal_of([2, 52, 106]))
    spec = {one.name: slice(one.start, one.stop) for one in game.engine.feature_spec()}
    rows = game.action_features()
    row = rows[game.legal_actions().index(game.parse("BB"))]
    assert row[spec["rank"]].argmax() == 13 and row[spec["width"]].tolist() == [0, 1, *[0] * 6]
    assert row.sum() == 2
    game.apply("3")
    row = game.action_features()[0]
    assert row[spec["pass"]] == 1 and row.sum() == 1
    while not np.any(game.action_features()[:, spec["last"]]):
        game.apply(game.auto())
    assert len({one % 54 // 4 for one in alike.hands(game)[game.turn or 0] if one % 54 < 52}) <= 1


# --- whole hands


def test_random_hands_as_the_reference() -> None:
    """JY-1 to JY-20: hands in a row, every state, every list of actions."""
    assert sum(compare_hands("jiayibing", 8, 11, hands_in_a_row=4)) > 1200


def house_hand(rng: random.Random) -> Game:
    rules = Rules(
        special_card=rng.choice([0, 1, 2, 3, 54, 57]),
        leader=rng.choice(["first_out", "special"]),
        max_alike=rng.randint(4, 8),
        quad_is_bomb=rng.random() < 0.6,
        score=rng.choice(["left_holding", "flat"]),
        stake=rng.choice([1, 7]),
    )
    history = History(rng.choice([None, 0, 1, 2, 3, 4, 5]))
    return Game(rules, seed=rng.getrandbits(256), history=history)


def test_house_rules_as_the_reference() -> None:
    """JY-3, JY-10, JY-20, and plays of any cards named by suit (JY-2)."""
    assert alike.prove_house_rules(house_hand, 10, 12) > 1200


def test_every_step_keeps_and_replays() -> None:
    """JY-1, JY-2: conservation, snapshots and undo at every step."""
    rng = random.Random(13)
    for seed in range(3):
        game = Game(seed=seed)
        before = game.clone()
        while not game.is_over:
            game.apply(rng.choice(game.legal_actions()))
            played = [c for event in game.events() if event.kind == "play" for c in event.cards]
            assert sorted(itertools.chain(played, *alike.hands(game))) == list(range(108))
            again = qipai.restore(game.snapshot())
            assert again == game and again.observe(None).tobytes() == game.observe(None).tobytes()
            again.undo()
            assert again == before
            before = game.clone()
        assert sum(game.scores()) == 0
        assert qipai.Record.from_json(game.record().to_json()).replay() == game


def test_names() -> None:
    """JY-1"""
    assert isinstance(qipai.new("jiayibing"), jiayibing.Game)
    assert qipai.new("jiayibing/anshan").rules == Rules.anshan()
    assert new().order == (0, 1, 2, 3, 4, 5)
    with pytest.raises(qipai.IllegalAction) as caught:
        new().escape(0)
    assert caught.value.reason.code == "no_escape"
    assert card("H3") == 2
