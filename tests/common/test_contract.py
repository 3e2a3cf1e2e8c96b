"""What every engine owes its callers, for every game by name."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import qipai
from qipai import cards, shuangkou

NAMES = qipai.games()
# Games in which several are asked unseen, and hands in which that comes up often enough.
WINDOWS = {"fangyang": 40, "gunzi": 12, "mahjong": 60}


def hand(name: str, seed: int) -> tuple[qipai.Game, random.Random]:
    """A new hand and a generator for its actions."""
    return qipai.new(name, seed=seed), random.Random(seed)


def steps(name: str, seed: int):
    """Yield a game before each of its random actions, and at its end."""
    game, rng = hand(name, seed)
    while not game.is_over:
        yield game
        game.apply(rng.choice(game.legal_actions()))
    yield game


def everything(game: qipai.Game, seat: int, mine: bool) -> tuple:
    """All that a seat can look at; ``mine``: what it would do, too."""
    view = game.view(seat)
    return (
        view.as_dict(),
        view.history,
        view.legal_actions,
        game.observe(seat).tobytes(),
        game.hint(5) if mine else None,
        game.legal_actions() if mine else None,
    )


@pytest.mark.parametrize("name", NAMES)
def test_lists_counts_and_masks_agree(name: str) -> None:
    for game in steps(name, 1):
        actions = game.legal_actions()
        ids = [int(action) for action in actions]
        assert ids == sorted(set(ids))
        assert len(ids) == game.legal_count()
        assert game.legal_ids().tolist() == ids
        mask = game.action_mask()
        assert mask.dtype == np.uint8
        assert mask.shape == (game.num_actions,)
        assert np.flatnonzero(mask).tolist() == ids
        packed = game.action_mask(packed=True)
        assert np.array_equal(np.unpackbits(packed, bitorder="little")[: game.num_actions], mask)
        assert bool(ids) != game.is_over
        for action in actions[:3]:
            assert game.check(action) is None
            assert game.parse(str(action)) == action


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_listed_is_refused_and_changes_nothing(name: str) -> None:
    rng = random.Random(2)
    for game in steps(name, 2):
        before = game.snapshot()
        legal = set(game.legal_ids().tolist())
        for id in rng.sample(range(game.num_actions), min(40, game.num_actions)):
            if id in legal:
                assert game.check(id) is None
                continue
            reason = game.check(id)
            assert reason is not None
            assert reason.code and reason.text and reason.text_zh
            with pytest.raises(qipai.IllegalAction) as caught:
                game.apply(id)
            assert caught.value.reason == reason
        assert game.snapshot() == before


@pytest.mark.parametrize("name", NAMES)
def test_snapshot_clone_pickle_and_undo_at_every_step(name: str) -> None:
    before: qipai.Game | None = None
    for game in steps(name, 3):
        again = qipai.restore(game.snapshot())
        assert again == game
        assert again.snapshot() == game.snapshot()
        assert again.rules == game.rules
        mine = game.turn == 0
        assert everything(again, 0, mine) == everything(game, 0, mine)
        assert pickle.loads(pickle.dumps(game)) == game
        copy = game.clone()
        assert copy == game
        if before is not None:
            assert copy != before
            taken = copy.undo()
            assert copy == before
            assert copy.observe(None).tobytes() == before.observe(None).tobytes()
            assert taken is not None
            copy.apply(taken)
            assert copy == game
        before = game.clone()
    fresh = qipai.new(name, seed=3)
    with pytest.raises(qipai.IllegalAction) as caught:
        fresh.undo()
    assert caught.value.reason.code == "nothing_to_undo"


@pytest.mark.parametrize("name", NAMES)
def test_record_replays_to_the_same_hand(name: str) -> None:
    for seed in range(3):
        game, rng = hand(name, seed)
        while not game.is_over:
            if rng.random() < 0.05:
                record = qipai.Record.from_json(game.record().to_json())
                assert record == game.record()
                assert record.replay() == game
            game.apply(rng.choice(game.legal_actions()))
        assert qipai.Record.from_json(game.record().to_json()).replay() == game


@pytest.mark.parametrize("name", NAMES)
def test_views_are_plain_json_and_results_add_up(name: str) -> None:
    for seed in range(4):
        for game in steps(name, seed):
            if game.is_over or len(game.events()) % 9 == 0:
                for seat in (*range(game.players), "table", None):
                    data = game.view(seat).as_dict()
                    assert json.loads(json.dumps(data)) == data
        amounts = [line.amounts for line in game.result if line.amounts is not None]
        assert [sum(column) for column in zip(*amounts, strict=True)] == game.scores() or (
            not amounts and not any(game.scores())
        )
        assert all(line.clause and line.text and line.text_zh for line in game.result)
        json.dumps([line.as_dict() for line in game.result])


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_cannot_tell_a_resampled_hand(name: str) -> None:
    rng = random.Random(4)
    for game in steps(name, 4):
        if rng.random() < 0.7 and not game.is_over:
            continue
        for seat in range(game.players):
            other = game.resample(seat, rng.getrandbits(256))
            # Whether others are to answer before it does, it cannot tell.
            mine = game.turn == seat
            assert everything(other, seat, mine) == everything(game, seat, mine)
            assert other.pending() == () or not other.is_over
            # It is a hand of its own right.
            assert qipai.restore(other.snapshot()) == other


@pytest.mark.parametrize("name", [name for name in NAMES if name.split("/")[0] in WINDOWS])
def test_a_seat_cannot_tell_who_is_to_answer_before_it(name: str) -> None:
    """Neither by asking what is legal nor by answering early, as often as it is asked."""
    rng = random.Random(14)
    early = 0
    for seed in range(WINDOWS[name.split("/")[0]]):
        for game in steps(name, seed):
            for seat in game.pending():
                if seat == game.turn:
                    continue
                held = game.clone()
                while seat in held.pending():
                    other = held.resample(seat, rng.getrandbits(256))
                    assert everything(other, seat, False) == everything(held, seat, False)
                    for id in range(game.num_actions):
                        assert held.check(id, seat=seat) == other.check(id, seat=seat)
                    assert held.apply(rng.choice(held.view(seat).legal_actions), seat=seat) == []
                    early += 1
                    assert (
                        qipai.restore(held.snapshot()) == held == pickle.loads(pickle.dumps(held))
                    )
                reasons = {held.check(id, seat=seat).code for id in range(game.num_actions)}
                assert reasons == {"out_of_turn"}
                other = held.resample(seat, rng.getrandbits(256))
                assert everything(other, seat, False) == everything(held, seat, False)
    assert early > 20


@pytest.mark.parametrize("name", NAMES)
def test_resampling_does_not_hand_out_the_true_deal(name: str) -> None:
    game = qipai.new(name, seed=5)
    for seat in range(game.players):
        deals = {json.dumps(game.resample(seat, seed).deal.as_dict()) for seed in range(8)}
        assert json.dumps(game.deal.as_dict()) not in deals
        assert len(deals) == 8
        assert game.resample(seat, 5).seed != game.seed or game.seed == (5).to_bytes(32, "little")


@pytest.mark.parametrize("name", NAMES)
def test_resampled_hands_can_be_played_to_the_end(name: str) -> None:
    rng = random.Random(6)
    for number, game in enumerate(steps(name, 6)):
        if number % 25 == 0 and not game.is_over:
            other = game.resample(game.turn or 0, number)
            while not other.is_over:
                other.apply(rng.choice(other.legal_actions()))
            assert len(other.scores()) == game.players


@pytest.mark.parametrize("name", NAMES)
def test_observation_spec_covers_the_observation(name: str) -> None:
    game = qipai.new(name, seed=7)
    spec = game.observation_spec
    assert spec[0].start == 0
    assert all(one.stop == two.start for one, two in pairwise(spec))
    assert game.observe(0).shape == (spec[-1].stop,)
    assert all(np.prod(part.shape) == part.stop - part.start for part in spec)
    room = np.zeros(spec[-1].stop + 3, np.uint8)
    assert np.array_equal(game.observe(0, room), game.observe(0))
    assert not room[-3:].any()


@pytest.mark.parametrize("name", NAMES)
def test_events_reach_a_seat_as_its_view_tells(name: str) -> None:
    game, rng = hand(name, 8)
    heard: list[list[qipai.Event]] = [[] for _ in range(game.players)]
    opening = [len(game.events(seat)) for seat in range(game.players)]
    while not game.is_over:
        for event in game.apply(rng.choice(game.legal_actions())):
            for seat in range(game.players):
                seen = event.for_seat(seat)
                if seen is not None:
                    heard[seat].append(seen)
    for seat in range(game.players):
        assert game.view(seat).history[opening[seat] :] == heard[seat]


@pytest.mark.parametrize("name", NAMES)
def test_auto_plays_a_hand_and_hints_are_legal(name: str) -> None:
    game = qipai.new(name, seed=9)
    while not game.is_over:
        hints = game.hint(4)
        legal = set(game.legal_actions())
        assert 1 <= len(hints) <= 4
        assert len(set(hints)) == len(hints)
        assert set(hints) <= legal
        assert len(hints) == min(4, len(legal))
        assert game.auto() == hints[0]
        game.apply(game.auto(), seat=game.turn)
    assert game.hint() == []
    with pytest.raises(qipai.IllegalAction):
        game.auto()


@pytest.mark.parametrize("name", NAMES)
def test_the_end_is_the_end(name: str) -> None:
    game, rng = hand(name, 10)
    with pytest.raises(RuntimeError):
        game.scores()
    with pytest.raises(RuntimeError):
        _ = game.result
    with pytest.raises(RuntimeError):
        game.next_hand()
    last = None
    while not game.is_over:
        last = rng.choice(game.legal_actions())
        game.apply(last)
    assert game.turn is None
    assert game.legal_actions() == []
    assert game.pending() == ()
    assert game.legal_count() == 0
    assert game.check(last).code == "over"
    with pytest.raises(qipai.IllegalAction):
        game.apply(last)
    following = game.next_hand(seed=1)
    assert following.history == game.next_history
    assert following.rules == game.rules


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_hand(name: str) -> None:
    one, two = qipai.new(name, seed=11), qipai.new(name, seed=(11).to_bytes(32, "little"))
    assert one == two
    assert one.deal == two.deal
    assert qipai.new(name, seed=12).deal != one.deal
    assert qipai.new(name).deal != qipai.new(name).deal
    kind = type(one)
    assert kind(one.rules, seed=11, deal=one.deal, history=one.history) == one
    assert kind.Deal.from_dict(json.loads(json.dumps(one.deal.as_dict()))) == one.deal
    assert kind.History.from_dict(one.history.as_dict()) == one.history


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments(name: str) -> None:
    game = qipai.new(name, seed=13)
    kind = type(game)
    before = game.snapshot()
    for seed in (-1, 1 << 256, b"short"):
        with pytest.raises(ValueError, match="seed"):
            qipai.new(name, seed=seed)
    for seed in ("7", 1.5, True):
        with pytest.raises(TypeError, match="seed"):
            qipai.new(name, seed=seed)  # type: ignore[arg-type]
    for seat in (-1, game.players, 99):
        with pytest.raises(ValueError, match="seat"):
            game.view(seat)
        with pytest.raises(ValueError, match="seat"):
            game.observe(seat)
        with pytest.raises(ValueError, match="seat"):
            game.resample(seat, 1)
        with pytest.raises(ValueError, match="seat"):
            game.answer(seat, 0)
        with pytest.raises(ValueError, match="seat"):
            game.escape(seat)
    for id in (-1, game.num_actions, 1 << 80):
        with pytest.raises(qipai.IllegalAction):
            game.apply(id)
        assert game.check(id) is not None
    for action in (None, 1.0, True, object()):
        with pytest.raises(TypeError):
            game.apply(action)  # type: ignore[arg-type]
    for text in ("", "nonsense", "\0", "\ud800", "x" * 10_000):
        with pytest.raises(ValueError):
            game.apply(text)
        with pytest.raises(ValueError):
            game.parse(text)
    for out in (
        np.empty(3, np.int64),
        np.empty((9000, 2), np.int32),
        np.empty(9000, np.int32)[::2],
    ):
        with pytest.raises(ValueError, match="out"):
            game.legal_ids(out)
    with pytest.raises(ValueError, match="out"):
        game.legal_ids(np.empty(0, np.int32))
    with pytest.raises(ValueError, match="out"):
        game.observe(0, np.empty(1, np.uint8))
    with pytest.raises(ValueError, match="out"):
        game.action_mask(np.empty(1, np.uint8))
    frozen = np.empty(game.num_actions, np.uint8)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out"):
        game.action_mask(frozen)
    with pytest.raises(ValueError):
        game.hint(0)
    with pytest.raises(TypeError):
        kind("rules")  # type: ignore[arg-type]
    with pytest.raises((TypeError, ValueError)):
        kind(deal="deal")
    with pytest.raises((TypeError, ValueError)):
        kind(history="history")
    assert game.snapshot() == before


@pytest.mark.parametrize("name", NAMES)
def test_out_of_turn(name: str) -> None:
    game = qipai.new(name, seed=14)
    action = game.legal_actions()[0]
    idle = next(seat for seat in range(game.players) if seat not in game.pending())
    for act in (lambda: game.apply(action, seat=idle), lambda: game.answer(idle, action)):
        with pytest.raises(qipai.IllegalAction) as caught:
            act()
        assert caught.value.reason.code == "out_of_turn"
    assert game.check(action, seat=idle).code == "out_of_turn"
    assert game.check(action, seat=game.turn) is None


def test_foreign_actions() -> None:
    firsts = {name.split("/")[0]: name for name in NAMES}
    games = [qipai.new(name, seed=15) for name in firsts.values()]
    for game in games:
        for other in games:
            if other is not game:
                with pytest.raises(qipai.IllegalAction) as caught:
                    game.apply(other.legal_actions()[0])
                assert caught.value.reason.code == "foreign"
                with pytest.raises(ValueError):
                    type(game).restore(other.snapshot())


@pytest.mark.parametrize("name", NAMES)
def test_match_books_hands_in_a_row(name: str) -> None:
    one, two = qipai.Match(name, seed=16), qipai.Match(name, seed=16)
    rng = random.Random(16)
    totals = [0] * one.game.players
    for number in range(3):
        history = one.game.history
        while not one.game.is_over:
            one.game.apply(rng.choice(one.game.legal_actions()))
        totals = [total + score for total, score in zip(totals, one.game.scores(), strict=True)]
        before = one.game
        one.next()
        assert one.totals == totals
        assert one.hands == number + 1
        assert one.game.history == before.next_history
        assert history == before.history
    assert two.game.deal == qipai.Match(name, seed=16).game.deal
    with pytest.raises(RuntimeError):
        two.next()


def test_names() -> None:
    with pytest.raises(ValueError, match="nonesuch"):
        qipai.new("nonesuch")
    with pytest.raises(ValueError, match="nonesuch"):
        qipai.new(f"{NAMES[0].split('/')[0]}/nonesuch")
    assert qipai.new(NAMES[0].split("/")[0], seed=1) == qipai.new(NAMES[0], seed=1)


def test_where_features_may_be_written() -> None:
    """Only rows that lie one after the other, or what is written would be lost."""
    game = qipai.new("shuangkou/lishui", seed=1)
    rows = game.action_features()
    n, columns = rows.shape
    assert rows.any()
    room = np.zeros((2 * n, columns), np.uint8)
    for out in (room[::2], room.T, room.reshape(-1), room[:, :-1], room[: n - 1], room.view("?")):
        with pytest.raises(ValueError, match="out"):
            game.action_features(out)
    assert not room.any()
    with pytest.raises(TypeError, match="out must be an array"):
        game.action_features([[0]])  # type: ignore[arg-type]
    assert np.array_equal(game.action_features(memoryview(room)), rows)  # type: ignore[arg-type]
    assert np.array_equal(room[:n], rows) and not room[n:].any()


def test_bits_are_not_written_as_truth_values() -> None:
    game = qipai.new("shuangkou/lishui", seed=1)
    room = np.zeros(game.num_actions, np.bool_)
    with pytest.raises(ValueError, match="out"):
        game.action_mask(room, packed=True)
    assert not room.any()
    assert np.array_equal(game.action_mask(room), game.action_mask())


def test_cards_of_no_deck() -> None:
    for decks in (0, 4, -5, 10**8, 1 << 64):
        with pytest.raises(ValueError, match="decks must be 1 to 3"):
            cards.parse("7", decks=decks)
        with pytest.raises(ValueError, match="decks must be 1 to 3"):
            cards.format([0], decks=decks)
    for taken in (-1, 162, 1000, 1 << 64):
        with pytest.raises(ValueError, match=f"card id {taken} is out of range"):
            cards.parse("7", taken=[taken])
    with pytest.raises(ValueError, match=r"out of range 0\.\.53"):
        cards.parse("7", decks=1, taken=[54])
    assert cards.parse("7", taken=[16]) == [17]


WRONG_SELF = """
import pkgutil
from enum import Enum
from importlib import import_module
from types import BuiltinFunctionType
import qipai._core as core

tried = 0
for found in pkgutil.iter_modules(core.__path__):
    for kind in vars(import_module(f"qipai._core.{found.name}")).values():
        if not isinstance(kind, type) or not kind.__module__.startswith("qipai._core"):
            continue
        if issubclass(kind, (Enum, Exception, tuple)):
            continue  # Python's own
        for name, method in vars(kind).items():
            if isinstance(method, (BuiltinFunctionType, staticmethod, classmethod)):
                continue  # needs no self
            if not callable(method) and not hasattr(method, "__get__"):
                continue
            for wrong in ([0], 5, "x", object(), kind):
                for more in ((), (0,), (0, 0)):
                    tried += 1
                    try:
                        method(wrong, *more) if callable(method) else method.__get__(wrong)
                    except TypeError:
                        continue
                    raise SystemExit(f"{kind.__name__}.{name} takes {wrong!r}")
print(tried)
"""


def test_methods_of_compiled_classes_refuse_another_self() -> None:
    """In a process of its own, as it may be its end."""
    command = [sys.executable, "-c", WRONG_SELF]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3000


def test_arrays_whose_items_lie_askew() -> None:
    """Items are read where they lie; not every machine can do that across their bounds."""
    plays = np.array([0x11111 << 4 * low for low in range(8)], np.uint64)
    askew = np.frombuffer(b"-" + plays.tobytes(), np.uint8)[1:].view(np.uint64)
    assert np.array_equal(askew, plays)
    with pytest.raises(ValueError, match="array does not begin at a multiple"):
        shuangkou.classify_many(askew)
    room = np.zeros(4 * 8 + 1, np.uint8)[1:].view(np.int32)
    with pytest.raises(ValueError, match="out does not begin at a multiple"):
        shuangkou.legal_count_many(plays, out=room)
    assert not room.any()
    vec = qipai.VecGame("shuangkou", 8, seed=1)
    actions = np.frombuffer(b"-" + vec.random_actions(1).tobytes(), np.uint8)[1:].view(np.int32)
    with pytest.raises(ValueError, match="actions does not begin at a multiple"):
        vec.step(actions)
