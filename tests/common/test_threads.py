"""Threads: eight share what may be shared, and each says what one says alone.

Rules, deals, records, actions, views, bots and the functions of the game modules may be shared, and
a Game that nobody changes. A Game that is played on, or a VecGame, is for one thread at a time.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import pkgutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Barrier, Thread
from typing import Any, TypeVar

import numpy as np
import pytest

import qipai
from qipai import _core, bots

T = TypeVar("T")
NAMES = qipai.games()
GAMES = sorted({name.partition("/")[0] for name in NAMES})
THREADS = 8


@contextmanager
def restless() -> Iterator[None]:
    """The interpreter changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def together(work: Callable[[int], T]) -> list[T]:
    """What ``work`` returns for 0 to 7, each in a thread of its own, all begun at once."""
    start = Barrier(THREADS)
    results: list[Any] = [None] * THREADS
    errors: list[BaseException] = []

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=run, args=(number,)) for number in range(THREADS)]
    with restless():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
    return results


def pick(*of: object) -> int:
    digest = hashlib.sha256(" ".join(map(str, of)).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def told(game: qipai.Game) -> Any:
    """What a game says, as plain data."""
    return [
        game.snapshot().hex(),
        [game.view(seat).as_dict() for seat in (0, "table", None)],
        [game.observe(seat).tobytes().hex() for seat in (0, None)],
        game.legal_ids().tolist(),
        int(game.action_mask(packed=True).sum()),
        [str(action) for action in game.hint(3)],
        game.scores() if game.is_over else None,
        [line.as_dict() for line in game.result] if game.is_over else None,
    ]


def hand(game: qipai.Game, seed: int) -> str:
    """A fingerprint of a hand played to the end, looked at, copied and taken back on the way."""
    seen = hashlib.sha256()
    step = 0
    while not game.is_over:
        ids = game.legal_ids()
        events = game.apply(int(ids[pick(seed, step) % len(ids)]))
        seen.update(json.dumps([event.as_dict() for event in events]).encode())
        if step % 45 == 0 and not game.is_over:
            seen.update(json.dumps(told(game)).encode())
            seat = game.turn or 0
            other = game.resample(seat, step)
            assert other.view(seat) == game.view(seat)
            seen.update(other.snapshot())
            copy = game.clone()
            copy.apply(int(copy.legal_ids()[-1]))
            if copy.record().actions:  # none where cards were dealt anew
                copy.undo()
                assert copy == game
            game = qipai.restore(game.snapshot()) if step % 90 else pickle.loads(pickle.dumps(game))
        step += 1
    assert game.record().replay() == game
    seen.update(json.dumps(told(game)).encode())
    return seen.hexdigest()


# The functions of the games, on shared rules and arrays -----------------------------------------


def batches(name: str) -> Callable[[], Any]:
    """The batch functions of a game, on arrays that are there once."""
    game, _, preset = name.partition("/")
    module = import_module(f"qipai.{game}")
    rules = getattr(module.Rules, preset)()
    rng = np.random.default_rng(1)
    n = 20_000  # enough for threads within a call
    if game == "mahjong":
        tiles = np.zeros((n, 34), np.uint8)
        for copy in range(14):  # runs at random places, so that some are complete
            np.add.at(tiles, (np.arange(n), rng.integers(0, 3, n) * 9 + copy // 3 * 2), 1)
        tiles = np.minimum(tiles, 4)
        tiles = tiles[tiles.sum(1) == 14]
        return lambda: [
            module.is_win_many(tiles, (), 4, rules, threads=2).tobytes(),
            module.is_complete_many(tiles, threads=2).tobytes(),
            module.shanten_many(tiles, threads=3).tobytes(),
        ]
    if game == "gunzi":
        tricks = np.full((n, 12), 255, np.uint8)
        tricks[:, ::3] = rng.integers(0, 54, (n, 4))
        tricks = tricks[(tricks[:, ::3] != tricks[:, :1]).sum(1) > 0]
        trump = module.Trump("H", 5)
        held = "H3 H4*2 H6 S7 S7 D9 B R"
        return lambda: [
            module.trick_winner_many(tricks, trump, threads=2).tobytes(),
            list(module.iter_follows("H8*2", held, trump, rules)),
            module.random_follow("H8*2", held, trump, rules, seed=1),
        ]
    ranks = np.zeros((n, 15), np.uint8)
    ranks[np.arange(n), rng.integers(0, 13, n)] = rng.integers(1, 5, n)
    ranks[::2, rng.integers(0, 13)] = 1
    found = module.classify_many(ranks, rules)
    plays = np.ascontiguousarray(ranks[found["id"] > 0])
    packed = (plays.astype(np.uint64) << (4 * np.arange(15, dtype=np.uint64))).sum(1)
    return lambda: [
        module.classify_many(ranks, rules, threads=2).tobytes(),
        module.beats_many(packed, packed[::-1].copy(), rules, threads=2).tobytes(),
        module.legal_count_many(ranks[:500], "33", rules).tobytes(),
        [int(play) for play in module.legal_plays("334455667788", None, rules)],
    ]


@pytest.mark.parametrize("name", NAMES)
def test_batches_on_shared_rules(name: str) -> None:
    work = batches(name)
    alone = work()
    assert any(part for part in alone)
    for answer in together(lambda _: [work() for _ in range(3)]):
        assert answer == [alone] * 3


@pytest.mark.parametrize("name", NAMES)
def test_play_batch_on_a_shared_game(name: str) -> None:
    game = qipai.new(name, seed=1)
    quick = bots.search.with_budget(worlds=1, candidates=2)
    alone = [
        qipai.play_batch(game, [bots.greedy, bots.random], 150, seed=2),
        qipai.play_batch(game, quick, 1, seed=3),
    ]
    for number, answer in enumerate(
        together(
            lambda number: [
                qipai.play_batch(
                    game, [bots.greedy, bots.random], 150, seed=2, threads=1 + number % 3
                ),
                qipai.play_batch(game, quick, 1, seed=3),
            ]
        )
    ):
        assert answer == alone, number


# Hands ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_in_every_thread(name: str) -> None:
    kind, rules = type(qipai.new(name, seed=0)), qipai.new(name, seed=0).rules
    alone = [hand(kind(rules, seed=seed), seed) for seed in range(THREADS)]
    assert len(set(alone)) == THREADS
    assert together(lambda seed: hand(kind(rules, seed=seed), seed)) == alone


@pytest.mark.parametrize("name", NAMES)
def test_a_game_that_nobody_changes(name: str) -> None:
    """Eight look at one game, clone it, and play the clones with its own actions."""
    game = qipai.new(name, seed=3)
    for step in range(20):
        ids = game.legal_ids()
        game.apply(int(ids[pick(name, step) % len(ids)]))
    before, record, actions = game.snapshot(), game.record(), game.legal_actions()

    def work(number: int) -> list[Any]:
        said: list[Any] = []
        for action in actions[:4]:
            copy = game.clone()
            said.append([event.as_dict() for event in copy.apply(action)])
            said.append(told(copy))
            said.append(told(game))
            said.append(bots.greedy.choose(game) == game.auto())
        said.append(record.replay() == game == qipai.Record.from_json(record.to_json()).replay())
        said.append(qipai.new(name, deal=record.deal, history=record.history, seed=0).view(0))
        return said

    alone = work(0)
    assert all(answer == alone for answer in together(work))
    assert game.snapshot() == before


@pytest.mark.parametrize("name", NAMES)
def test_a_vec_game_in_every_thread(name: str) -> None:
    def work(number: int) -> str:
        vec = qipai.VecGame(name, 8, seed=number, threads=1 + number % 2)
        seen = hashlib.sha256()
        for step in range(40):
            vec.step(vec.random_actions(step))
            for array in (vec.observations, vec.masks, vec.turns, vec.last_rewards):
                seen.update(array.tobytes())
            if step % 8 == 0:
                for array in vec.legal_features():
                    seen.update(array.tobytes())
        return seen.hexdigest()

    assert together(work) == [work(number) for number in range(THREADS)]


# What should not be shared ----------------------------------------------------------------------


def test_calls_of_one_vec_game_wait_for_each_other() -> None:
    """Each step is done whole, so every game in it stays one that can be."""
    vec = qipai.VecGame("shuangkou/lishui", 1000, seed=1)

    def step(number: int) -> int:
        done = 0
        for turn in range(10):
            try:
                vec.step(vec.random_actions(10 * number + turn).copy())
                done += 1
            except ValueError:
                pass  # another thread has stepped since these were drawn
        return done

    assert sum(together(step)) > 0
    hands = [vec.game(place) for place in range(vec.n)]
    assert [qipai.restore(hand.snapshot()) for hand in hands] == hands


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="here a game is for one thread"
)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_played_by_eight_threads_stays_one_that_can_be(name: str) -> None:
    game = qipai.new(name, seed=1)

    def play(number: int) -> None:
        for turn in range(30):
            try:
                legal = game.legal_ids()
                game.apply(int(legal[(number + turn) % len(legal)]))
                game.record()
                game.events(0)
                if turn % 4 == 0:
                    game.undo()
            except (qipai.IllegalAction, ZeroDivisionError):
                pass  # another thread was first

    together(play)
    assert qipai.restore(game.snapshot()) == game


# Errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_errors_stay_in_their_thread(name: str) -> None:
    """Bad input is refused in its thread, names its own culprit, and changes no game."""
    module = import_module(f"qipai.{name.partition('/')[0]}")
    good = qipai.new(name, seed=1)

    def work(number: int) -> list[str]:
        game, said = qipai.new(name, seed=1), []
        wrong: list[Callable[[], object]] = [
            lambda: game.apply(game.num_actions + number),
            lambda: game.apply("no such thing"),
            lambda: game.apply(int(game.legal_ids()[0]), seat=((game.turn or 0) + 1) % 4),
            lambda: qipai.restore(game.snapshot()[: 30 + number]),
            lambda: qipai.play_batch(game, "greedy", 0),
            lambda: game.rules.replace(stake=-number - 1),
            lambda: qipai.VecGame(game, 2, seed=1).step(np.full(2, 1 << 20, np.int32)),
        ]
        if hasattr(module, "classify_many"):
            rows = np.zeros((20_000, 15), np.uint8)
            rows[10_000 + number, 3] = rows[19_999, 3] = 15
            wrong.append(lambda: module.classify_many(rows, threads=2))
        for attempt in wrong * 3:
            with pytest.raises(ValueError) as caught:
                attempt()
            said.append(str(caught.value))
            assert game == good
        return said

    answers = together(work)
    assert answers == [work(number) for number in range(THREADS)]
    assert answers[0] != answers[1]


def test_a_batch_that_is_broken_off_breaks_off_no_other() -> None:
    def work(number: int) -> int:
        def progress(summary: qipai.Summary) -> None:
            if number % 2:
                raise KeyError(number)

        try:
            return qipai.play_batch(
                "jiayibing", "random", 600, seed=1, threads=2, progress=progress
            ).n
        except KeyError as error:
            return -int(error.args[0])

    assert together(work) == [600, -1, 600, -3, 600, -5, 600, -7]


# First uses -------------------------------------------------------------------------------------

FIRST_USE = """
import hashlib, json, sys
from threading import Barrier, Thread

sys.setswitchinterval(1e-6)
rotate, start, said = ROTATE, Barrier(8), [None] * 8


def game_of(name):
    import qipai
    game = qipai.new(name, seed=1)
    game.apply(int(game.legal_ids()[0]))
    while not game.is_over:
        game.apply(game.auto())
    return [game.snapshot().hex(), game.scores(), [line.text for line in game.result],
            game.observe(0).tolist(), game.record().to_json()]


def arrays_of(game):
    from importlib import import_module
    import numpy
    module = import_module("qipai." + game)
    if hasattr(module, "classify_many"):
        rows = numpy.zeros((4, 15), numpy.uint8)
        rows[:, 4] = 1, 2, 3, 4
        found = module.classify_many(rows)
        assert found.dtype == module.PLAY_DTYPE
        return [str(found.dtype), found.tolist(), module.beats_many(rows, rows).tolist(),
                module.classify("44").cards]
    if game == "mahjong":
        return [module.is_win_many(numpy.zeros((0, 34), numpy.uint8)).tolist(),
                module.is_win("123m456p789s11122z"), module.shanten("123m456p789s1112z")]
    trump = module.Trump("S", 5)
    return [module.trick_winner(["H8", "S5", "R", "H9"], trump),
            list(module.legal_leads("H8 H8", trump))]


def names_of(part):
    import qipai
    return sorted(name for name in dir(qipai) if getattr(qipai, name) is not None)


def batch_of(name):
    import qipai
    vec = qipai.VecGame(name, 2, seed=1)
    return [str(qipai.play_batch(name, ["greedy", "random"], 20, seed=1, threads=2)),
            vec.observations.tolist(), vec.masks.tolist()]


JOBS = ([(game_of, name) for name in NAMES] + [(arrays_of, game) for game in GAMES]
        + [(batch_of, name) for name in NAMES] + [(names_of, "")])


def all_of(jobs):
    answers = {job.__name__ + of: job(of) for job, of in jobs}
    return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()


def run(number):
    at = number * len(JOBS) // 8 if rotate else 0
    start.wait()
    said[number] = all_of(JOBS[at:] + JOBS[:at])


threads = [Thread(target=run, args=(number,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([said, all_of(JOBS)]))
"""


@pytest.mark.parametrize("rotate", [False, True], ids=["the same first", "another first each"])
def test_first_uses_at_once(rotate: bool) -> None:
    """In a fresh interpreter nothing is imported, and no table that is made when needed is made."""
    code = (
        FIRST_USE.replace("ROTATE", str(rotate))
        .replace("in NAMES", f"in {NAMES}")
        .replace("in GAMES", f"in {GAMES}")
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert not answer.stderr
    said, alone = json.loads(answer.stdout)
    assert said == [alone] * THREADS


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has a GIL"
)
def test_the_compiled_modules_leave_the_gil_off() -> None:
    modules = [f"qipai._core.{found.name}" for found in pkgutil.iter_modules(_core.__path__)]
    assert modules
    code = f"import sys, {', '.join(modules)}; print(sys._is_gil_enabled())"
    answer = subprocess.run(
        [sys.executable, "-X", "gil=auto", "-W", "error", "-c", code],
        capture_output=True,
        text=True,
    )
    assert answer.stdout == "False\n", answer.stderr
