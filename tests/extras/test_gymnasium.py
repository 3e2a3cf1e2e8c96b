"""Every game as a Gymnasium vector environment."""

from __future__ import annotations

import numpy as np
import pytest

import qipai

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from qipai.envs.gymnasium import QipaiVectorEnv

NAMES = qipai.games()


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("name", NAMES)
def test_hands_are_the_hands_of_games(name: str, mode: AutoresetMode) -> None:
    """Every hand, step by step, against a Game that is played beside it; actions by the mask."""
    n = 3
    envs = QipaiVectorEnv(name, n, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    seen, infos = envs.reset(seed=1)
    envs.action_space.seed(1)
    games = [envs.games.game(i) for i in range(n)]
    ends = 0
    while ends <= 2 * n:
        assert seen in envs.observation_space
        assert infos["_turn"].all() and infos["_action_mask"].all()
        actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
        over_before = np.array([game.is_over for game in games])
        seen, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.dtype == np.float64 and not truncations.any()
        for i, game in enumerate(games):
            if over_before[i]:
                assert not terminations[i] and not rewards[i]
                if mode is AutoresetMode.NEXT_STEP:
                    games[i] = envs.games.game(i)
                    assert games[i].record().actions == ()
                continue
            actor = game.turn
            game.apply(int(actions[i]))
            assert terminations[i] == game.is_over
            if not game.is_over:
                assert not rewards[i]
                continue
            ends += 1
            assert rewards[i] == game.scores()[actor]
            same_step = mode is AutoresetMode.SAME_STEP
            told = infos["final_info"] if same_step else infos
            assert told["_scores"][i] and told["_last_observations"][i]
            assert told["scores"][i].tolist() == game.scores()
            for seat in range(game.players):
                assert np.array_equal(told["last_observations"][i, seat], game.observe(seat))
            last = infos["final_obs"] if same_step else seen
            assert np.array_equal(last[i], game.observe(actor))
            if same_step:
                assert infos["_final_obs"][i] and infos["_final_info"][i]
                games[i] = envs.games.game(i)
        for i, game in enumerate(games):
            assert np.array_equal(infos["action_mask"][i], game.action_mask())
            assert infos["turn"][i] == (-1 if game.is_over else game.turn)
            if not game.is_over:
                assert np.array_equal(seen[i], game.observe(game.turn))
        if mode is AutoresetMode.DISABLED and all(game.is_over for game in games):
            seen, infos = envs.reset(options={"reset_mask": np.array([True, False, True])})
            assert infos["turn"][1] == -1
            games[0], games[2] = envs.games.game(0), envs.games.game(2)
    envs.close()


def test_seeds_copies_and_wrappers() -> None:
    envs, same = QipaiVectorEnv("fangyang", 4), QipaiVectorEnv("fangyang", 4, copy=False)
    first, _ = envs.reset(seed=2)
    again, infos = same.reset(seed=2)
    assert np.array_equal(first, again)
    assert again is same.games.observations
    assert np.shares_memory(infos["action_mask"], same.games.masks)
    kept = first.copy()
    envs.step(envs.games.random_actions(1))
    assert np.array_equal(first, kept)
    assert not np.array_equal(envs.reset()[0], first)
    assert np.array_equal(envs.reset(seed=2)[0], first)
    counted = RecordEpisodeStatistics(QipaiVectorEnv("fangyang", 2))
    counted.reset(seed=3)
    for step in range(200):
        *_, terminations, _, infos = counted.step(counted.env.games.random_actions(step))
        if terminations.any():
            break
    ended = np.flatnonzero(terminations)[0]
    assert infos["episode"]["l"][ended] == step + 1
    _, infos = DictInfoToList(QipaiVectorEnv("fangyang", 2)).reset(seed=4)
    assert infos[0]["turn"] in range(4)


def test_bad_input() -> None:
    envs = QipaiVectorEnv("shuangkou", 2)
    seen, _ = envs.reset(seed=5)
    actions = envs.games.random_actions(1).copy()
    for wrong in (np.array([actions[0], -1]), actions[:1]):
        with pytest.raises(ValueError):
            envs.step(wrong)
    with pytest.raises(TypeError):
        envs.step(actions.astype(np.float64))
    assert np.array_equal(envs.games.observations, seen)
    mask = np.array([True, False])
    for options, seed in (({"reset_mask": mask}, 1), ({"reset_mask": mask[:1]}, None)):
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(seed=seed, options=options)
    with pytest.raises(ValueError):
        QipaiVectorEnv("shuangkou", 0)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_what_int32_cannot_hold_is_no_action(dtype) -> None:
    envs = QipaiVectorEnv("fangyang", 2)
    _, infos = envs.reset(seed=1)
    legal = [int(np.flatnonzero(mask)[0]) for mask in infos["action_mask"]]
    before = [envs.games.game(place) for place in range(2)]
    for far in (2**32, 10**12):
        with pytest.raises(ValueError, match=rf"actions\[1\] = {far + legal[1]} is not legal"):
            envs.step(np.array([legal[0], far + legal[1]], dtype))
    assert [envs.games.game(place) for place in range(2)] == before
    envs.step(np.array(legal, dtype))
    with pytest.raises(TypeError, match="integers"):
        envs.step(np.array(legal, np.float64))
