"""Every game in PettingZoo's own tests."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import qipai

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state_space as state_space_test

from qipai.envs.pettingzoo import env, raw_env

NAMES = qipai.games()
# PettingZoo says so of every observation that has a mask, but for its own environments.
WITH_MASK = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation space for each agent probably should be",
        "Observation is not a NumPy array",
        r"Action mask numpy array is all zeros \(no legal actions\)",
    )
]


def masked(test):
    for mark in WITH_MASK:
        test = mark(test)
    return test


@masked
@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("name", NAMES)
def test_api(name: str, make) -> None:
    api_test(make(name, render_mode="ansi"), num_cycles=300)


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str) -> None:
    seed_test(lambda: env(name), num_cycles=300)
    one = raw_env(name)
    one.reset(seed=1)
    deals = [one.game.deal]
    one.reset()
    deals.append(one.game.deal)
    one.reset(seed=1)
    assert one.game.deal == deals[0] != deals[1]
    one.reset()
    assert one.game.deal == deals[1]


@pytest.mark.parametrize("name", NAMES)
def test_state(name: str) -> None:
    one = env(name)
    state_space_test(one)
    one.reset(seed=2)
    assert one.state_space.contains(one.state())
    assert np.array_equal(one.state(), one.unwrapped.game.observe(None))


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_is_the_hand_of_a_game(name: str) -> None:
    """Observations, masks, turns and rewards beside a Game; only the seat's own knowledge."""
    one = env(name)
    one.reset(seed=3)
    inner = one.unwrapped
    beside = type(inner.game)(inner.game.rules, seed=inner.game.seed)
    rng = random.Random(3)
    rewards = dict.fromkeys(one.possible_agents, 0)
    for agent in one.agent_iter():
        seen, reward, terminated, truncated, _ = one.last()
        rewards[agent] += reward
        assert not truncated
        assert terminated == beside.is_over
        seat = one.possible_agents.index(agent)
        assert np.array_equal(seen["observation"], beside.observe(seat))
        if terminated:
            assert not seen["action_mask"].any()
            one.step(None)
            continue
        assert seat == beside.turn
        assert np.flatnonzero(seen["action_mask"]).tolist() == beside.legal_ids().tolist()
        for other, name_of_other in enumerate(one.possible_agents):
            if other != seat:
                assert not one.observe(name_of_other)["action_mask"].any()
        if rng.random() < 0.1:
            truth, inner.game = inner.game, inner.game.resample(seat, rng.getrandbits(256))
            for part, array in one.observe(agent).items():
                assert np.array_equal(array, seen[part])
            inner.game = truth
        action = rng.choice(beside.legal_ids().tolist())
        beside.apply(action)
        one.step(action)
    assert list(rewards.values()) == beside.scores()


def test_illegal_actions_end_nothing() -> None:
    one = env("shuangkou")
    one.reset(seed=4)
    before = one.unwrapped.game.snapshot()
    with pytest.raises(qipai.IllegalAction) as caught:
        one.step(0)
    assert caught.value.reason.clause == "SK-51"
    assert one.unwrapped.game.snapshot() == before
    with pytest.raises(ValueError, match="must act"):
        one.unwrapped.step(None)


def test_house_rules_histories_and_render_modes() -> None:
    rules = qipai.shuangkou.Rules.bianfeng().replace(loops=False)
    history = qipai.shuangkou.History((2, 1, 0, 3))
    one = raw_env(qipai.shuangkou.Game(rules, seed=0, history=history), render_mode="ansi")
    one.reset(seed=5)
    assert (one.game.rules, one.game.history) == (rules, history)
    assert pickle.loads(pickle.dumps(one)).game == one.game
    hidden = one.game.view(one.game.turn)
    shown = one.render()
    assert "phase: play" in shown
    assert str(hidden.hand) not in shown
    assert str(env("shuangkou")) == "qipai_shuangkou_wenzhou_v0"
    quiet = raw_env("shuangkou")
    quiet.reset()
    assert quiet.render() is None
    with pytest.raises(ValueError, match="human"):
        raw_env("shuangkou", render_mode="human")
    with pytest.raises(ValueError, match="nonesuch"):
        raw_env("nonesuch")
