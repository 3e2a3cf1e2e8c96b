"""Many hands at once: batches, bots, VecGame, for every game by name."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import qipai
from qipai import bots
from qipai._core import arena

NAMES = qipai.games()


@pytest.mark.parametrize("name", NAMES)
def test_batches_are_the_same_however_they_are_cut(name: str) -> None:
    whole = qipai.play_batch(name, ["greedy", "random"], 300, seed=1)
    assert whole == qipai.play_batch(name, ["greedy", "random"], 300, seed=1, threads=3)
    parts = [
        qipai.play_batch(name, ["greedy", "random"], n, seed=1, first=first)
        for first, n in ((200, 100), (0, 77), (77, 123))
    ]
    assert parts[0] + parts[1] + parts[2] == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole != qipai.play_batch(name, ["greedy", "random"], 300, seed=2)
    assert sum(whole.outcomes.values()) == whole.hands == 300


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_the_hands_it_says(name: str) -> None:
    """Summed by hand over Games of the same seeds, played by the same bots."""
    key = (7).to_bytes(32, "little")
    kind = type(qipai.new(name, seed=0))
    sums = [0] * qipai.new(name, seed=0).players
    squares = list(sums)
    bot_sums, bot_squares = [0, 0], [0, 0]
    outcomes: dict[str, int] = {}
    for number in range(6):
        total = [0, 0]
        for turn in range(2):
            game = qipai.new(name, seed=arena.batch_seed(key, number))
            while not game.is_over:
                place = game.order.index(game.turn)
                assert (place + turn) % 2 in (0, 1)
                game.apply(game.auto())
            scores = game.scores()
            for seat, score in enumerate(scores):
                sums[seat] += score
                squares[seat] += score**2
                total[(game.order.index(seat) + turn) % 2] += score
            outcomes[game.outcome] = outcomes.get(game.outcome, 0) + 1
        for bot in range(2):
            bot_sums[bot] += total[bot]
            bot_squares[bot] += total[bot] ** 2
    batch = qipai.play_batch(name, ["greedy", "greedy"], 6, seed=7, duplicate=True)
    assert batch.sums == tuple(sums)
    assert batch.squares == tuple(squares)
    assert batch.bot_sums == tuple(bot_sums)
    assert batch.bot_squares == tuple(bot_squares)
    assert {end: n for end, n in batch.outcomes.items() if n} == outcomes
    assert kind is type(game)
    # A bot against itself on duplicate deals wins and loses alike.
    assert batch.mean(0) == pytest.approx(batch.mean(1))


def test_mean_and_interval_are_those_of_the_text_books() -> None:
    """Against numpy, from the scores of the single deals."""
    name, n = "shuangkou/bianfeng", 60
    deals = [
        qipai.play_batch(name, ["greedy", "random"], 1, seed=3, first=i, duplicate=True)
        for i in range(n)
    ]
    batch = qipai.play_batch(name, ["greedy", "random"], n, seed=3, duplicate=True)
    values = np.array([deal.bot_sums[0] / 4 for deal in deals])
    assert batch.mean(0) == pytest.approx(values.mean())
    half = 1.959964 * values.std(ddof=1) / np.sqrt(n)
    assert batch.interval(0) == pytest.approx((values.mean() - half, values.mean() + half))
    with pytest.raises(ValueError, match="two deals"):
        deals[0].interval(0)


@pytest.mark.parametrize("name", NAMES)
def test_greedy_beats_random(name: str) -> None:
    batch = qipai.play_batch(name, ["greedy", "random"], 600, seed=4, duplicate=True)
    assert batch.interval(0)[0] > 0


@pytest.mark.parametrize("name", NAMES)
def test_search_is_seeded_and_legal(name: str) -> None:
    game = qipai.new(name, seed=5)
    small = bots.search.with_budget(worlds=2, candidates=3)
    rng = random.Random(5)
    for _ in range(12):
        if game.is_over:
            break
        action = small.choose(game, seed=9)
        assert action in game.legal_actions()
        assert action == small.choose(game, seed=9)
        game.apply(rng.choice(game.legal_actions()))
    timed = bots.search.with_budget(worlds=10**9, seconds=0.02)
    if not game.is_over:
        assert timed.choose(game) in game.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_search_goes_by_what_the_seat_knows(name: str) -> None:
    """The same for every deal that the seat cannot tell from the true one."""
    game = qipai.new(name, seed=6)
    small = bots.search.with_budget(worlds=2, candidates=3)
    rng = random.Random(6)
    for step in range(10):
        if game.is_over:
            break
        if step % 3 == 0:
            other = game.resample(game.turn or 0, step)
            assert other.hint(3) == game.hint(3)
        game.apply(rng.choice(game.legal_actions()))
    assert small.choose(qipai.new(name, seed=6), 1) == small.choose(qipai.new(name, seed=6), 1)


def test_python_bots() -> None:
    """A bot in Python is any callable; native ones are callable too where a Game is at hand."""
    seen: list[int] = []

    def last(view: qipai.View, actions: list[qipai.Action]) -> qipai.Action:
        assert view.legal_actions == actions
        assert view.turn == view.seat
        seen.append(len(actions))
        return actions[-1]

    batch = qipai.play_batch("shuangkou", [last, "greedy"], 3, seed=1, duplicate=True)
    assert batch.bots == ("last", "greedy")
    assert batch.hands == 6
    assert seen
    assert batch == qipai.play_batch("shuangkou", [last, "greedy"], 3, seed=1, duplicate=True)


def test_bad_batches() -> None:
    for wrong in (
        lambda: qipai.play_batch("shuangkou", "random", 0),
        lambda: qipai.play_batch("shuangkou", ["random"] * 3, 1),
        lambda: qipai.play_batch("shuangkou", [], 1),
        lambda: qipai.play_batch("shuangkou", "nonesuch", 1),
        lambda: qipai.play_batch("nonesuch", "random", 1),
        lambda: qipai.play_batch("shuangkou", "random", 1, threads=0),
        lambda: qipai.play_batch("shuangkou", "random", 1, seed=-1),
        lambda: bots.greedy.with_budget(worlds=3),
        lambda: bots.search.with_budget(worlds=0),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        qipai.play_batch("shuangkou", [7], 1)  # type: ignore[list-item]
    one = qipai.play_batch("shuangkou", "random", 2, seed=1)
    with pytest.raises(ValueError):
        _ = one + qipai.play_batch("shuangkou", "greedy", 2, seed=1)


def test_progress_can_end_a_batch() -> None:
    parts: list[qipai.Summary] = []

    def stop(summary: qipai.Summary) -> None:
        parts.append(summary)
        if summary.n >= 600:
            raise KeyboardInterrupt

    for threads in (1, 2):
        parts.clear()
        with pytest.raises(KeyboardInterrupt):
            qipai.play_batch("shuangkou", "random", 10**9, seed=1, threads=threads, progress=stop)
        assert parts[-1].n >= 600
        assert [part.n for part in parts] == sorted(part.n for part in parts)


# VecGame ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("name", NAMES)
def test_vec_games_are_games(name: str, autoreset: str) -> None:
    """Every place, step by step, against a Game that is played beside it."""
    n = 5
    vec = qipai.VecGame(name, n, seed=1, mask="bits", autoreset=autoreset)
    games = [vec.game(i) for i in range(n)]
    ended = [0] * n
    for step in range(400):
        actions = vec.random_actions(step).copy()
        counts = vec.legal_counts()
        for i, game in enumerate(games):
            over = game.is_over
            assert counts[i] == game.legal_count()
            assert vec.turns[i] == (-1 if over else game.turn)
            seat = 0 if over else game.turn
            assert np.array_equal(vec.observations[i], game.observe(seat))
            assert np.array_equal(vec.masks[i], game.action_mask(packed=True))
            assert actions[i] == 0 if over else actions[i] in game.legal_ids()
        vec.step(actions)
        for i, game in enumerate(games):
            if game.is_over:
                assert not vec.dones[i]
                assert not vec.rewards[i].any()
                if autoreset == "next_step":
                    games[i] = vec.game(i)
                    assert not games[i].events() or games[i].record().actions == ()
                continue
            game.apply(int(actions[i]))
            assert vec.dones[i] == game.is_over
            if game.is_over:
                ended[i] += 1
                assert vec.rewards[i].tolist() == game.scores()
                assert vec.last_rewards[i].tolist() == game.scores()
                for seat in range(game.players):
                    assert np.array_equal(vec.last_observations[i, seat], game.observe(seat))
                if autoreset == "same_step":
                    games[i] = vec.game(i)
                elif autoreset == "disabled" and ended[i] < 2:
                    vec.reset([i])
                    games[i] = vec.game(i)
            else:
                assert not vec.rewards[i].any()
    assert sum(ended) > 0


@pytest.mark.parametrize("name", NAMES)
def test_vec_masks_features_threads(name: str) -> None:
    n = 40
    bits = qipai.VecGame(name, n, seed=2)
    flags = qipai.VecGame(name, n, seed=2, mask="bytes", threads=3)
    bare = qipai.VecGame(name, n, seed=2, mask="none")
    assert bare.masks.shape == (n, 0)
    for step in range(60):
        unpacked = np.unpackbits(bits.masks, axis=1, bitorder="little")[:, : bits.num_actions]
        assert np.array_equal(unpacked, flags.masks)
        assert np.array_equal(bits.observations, flags.observations)
        assert np.array_equal(bits.turns, bare.turns)
        if step % 20 == 0:
            rows, ids, starts = bits.legal_features()
            assert starts[-1] == len(rows) == len(ids) == bits.legal_counts().sum()
            game = bits.game(7)
            mine = slice(starts[7], starts[8])
            assert ids[mine].tolist() == game.legal_ids().tolist()
            assert np.array_equal(rows[mine], game.action_features())
            assert rows.shape[1] == bits.feature_spec[-1].stop
        actions = bits.random_actions(step)
        flags.step(actions)
        bare.step(actions)
        bits.step(actions)
    hints = bits.hints()
    for i in range(n):
        game = bits.game(i)
        assert hints[i] == (0 if game.is_over else int(game.auto()))


def test_bad_vec_games() -> None:
    vec = qipai.VecGame("shuangkou", 3, seed=1)
    before = [vec.game(i) for i in range(3)]
    good = vec.random_actions(1).copy()
    for actions in (
        np.array([good[0], 0, good[2]], np.int32), np.array([good[0], 6396, 1], np.int32),
        np.array([good[0], -1, 1], np.int32), good[:2], np.zeros(3), np.zeros((3, 1), np.int32),
        good.astype(np.int64),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            vec.step(actions)
    assert [vec.game(i) for i in range(3)] == before
    for wrong in (
        lambda: qipai.VecGame("shuangkou", 0),
        lambda: qipai.VecGame("shuangkou", 2, mask="bit"),  # type: ignore[arg-type]
        lambda: qipai.VecGame("shuangkou", 2, autoreset="yes"),  # type: ignore[arg-type]
        lambda: vec.game(3),
        lambda: vec.game(1 << 70),
        lambda: vec.reset([0, 3]),
    ):
        with pytest.raises(ValueError):
            wrong()
    for place in (1.5, True, None, "0"):
        with pytest.raises(TypeError, match="a place must be an integer"):
            vec.reset([0, place])  # type: ignore[list-item]
    assert [vec.game(i) for i in range(3)] == before
    good.flags.writeable = False  # actions are only read
    vec.step(good)
    assert [vec.game(i) for i in range(3)] != before


def test_native_bots_are_checked_when_made() -> None:
    """What is no bot never reaches the compiled core."""
    from dataclasses import replace

    NativeBot = qipai.bots.NativeBot
    for wrong, error in (
        (lambda: NativeBot("greedy", 7), ValueError),
        (lambda: NativeBot("clever", 1), ValueError),
        (lambda: NativeBot("search", 2), ValueError),
        (lambda: NativeBot("search", 2, -5, -5, -1.0), ValueError),
        (lambda: NativeBot("search", 2, 1, 65), ValueError),
        (lambda: NativeBot("greedy", 1, worlds=3), ValueError),
        (lambda: replace(qipai.bots.search, candidates=10**6), ValueError),
        (lambda: qipai.bots.search.with_budget(worlds=1.5), TypeError),  # type: ignore[arg-type]
        (lambda: qipai.bots.search.with_budget(worlds=True), TypeError),
        (lambda: qipai.bots.search.with_budget(seconds="1"), TypeError),  # type: ignore[arg-type]
        (lambda: qipai.bots.greedy.with_budget(worlds=1), ValueError),
    ):
        with pytest.raises(error):
            wrong()


def test_searches_of_different_budgets_do_not_add_up() -> None:
    small, large = (
        qipai.play_batch("fangyang", qipai.bots.search.with_budget(worlds=worlds), 2, seed=1)
        for worlds in (2, 3)
    )
    assert small.bots == ("search(worlds=2)",)
    with pytest.raises(ValueError, match="do not add up"):
        small + large
    with pytest.raises(ValueError, match="sum at most"):
        qipai.play_batch("fangyang", "random", 1 << 64, seed=1)
    with pytest.raises(TypeError, match="threads"):
        qipai.play_batch("fangyang", "random", 1, seed=1, threads="2")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", qipai.games())
def test_random_hands_are_counted_and_summed(name: str) -> None:
    """Hands in C: the same seed the same sums, and hands add up, whatever their number."""
    from qipai._core.arena import random_hands

    game = qipai.new(name, seed=1)
    before = game.snapshot()
    actions, sums = random_hands(game, 20, 7)
    assert random_hands(game, 20, 7) == (actions, sums)
    assert random_hands(game, 0, 7) == (0, [0] * game.players)
    assert actions >= 20 and len(sums) == game.players
    assert random_hands(game, 19, 7)[0] < actions
    assert game.snapshot() == before
    with pytest.raises(ValueError, match="at least 0"):
        random_hands(game, -1, 7)
