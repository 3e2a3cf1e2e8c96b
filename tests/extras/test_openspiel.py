"""Every game in OpenSpiel's own simulation test, and its search bots at the table."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import qipai

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import observation, rl_environment
from open_spiel.python.algorithms import ismcts, mcts

from qipai.envs.openspiel import EVENTS, short_name

NAMES = qipai.games()


def load(name: str):
    return pyspiel.load_game(short_name(name))


def dealt(name: str, rng: np.random.RandomState, actions: int):
    """A state after some random actions."""
    state = load(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(rng.randint(256)))
    for _ in range(actions):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", NAMES)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_is_the_hand_of_its_seed(name: str) -> None:
    """The chance nodes spell the seed; everything after is as on a Game beside it."""
    rng = np.random.RandomState(1)
    game = load(name)
    state = game.new_initial_state()
    seed = bytes(rng.randint(256, size=32).tolist())
    for byte in seed:
        assert state.is_chance_node()
        assert sum(p for _, p in state.chance_outcomes()) == 1
        assert not any(state.observation_tensor(0))
        state.apply_action(byte)
    beside = qipai.new(name, seed=seed)
    while not state.is_terminal():
        assert state.current_player() == beside.turn
        assert state.legal_actions() == beside.legal_ids().tolist()
        assert state.returns() == [0] * beside.players
        for seat in range(beside.players):
            assert state.observation_tensor(seat) == beside.observe(seat).tolist()
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(action) == str(beside.engine.action(action))
        state.apply_action(action)
        beside.apply(action)
    assert state.returns() == beside.scores()
    assert qipai.Record.from_json(str(state)).replay() == beside
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)
    copy = game.deserialize_state(state.serialize())
    assert (str(copy), copy.history()) == (str(state), state.history())


@pytest.mark.parametrize("name", NAMES)
def test_information_states_hold_what_a_seat_knows(name: str) -> None:
    """The same for every deal that a player cannot tell from the true one, and for no other."""
    rng = np.random.RandomState(2)
    state = dealt(name, rng, 30)
    player = state.current_player()
    others = [state.resample_from_infostate(player, rng.random_sample) for _ in range(4)]
    for other in others:
        assert other.current_player() == player
        assert other.legal_actions() == state.legal_actions()
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.observation_string(player) == state.observation_string(player)
    assert len({str(other) for other in [state, *others]}) == 5
    played = state.child(state.legal_actions()[-1])
    assert played.information_state_string(player) != state.information_state_string(player)
    assert played.information_state_tensor(player) != state.information_state_tensor(player)
    while not others[0].is_terminal():
        others[0].apply_action(int(rng.choice(others[0].legal_actions())))
    assert others[0].returns() == others[0].hand.scores()


@pytest.mark.parametrize("name", NAMES)
def test_observers_name_their_parts(name: str) -> None:
    state = dealt(name, np.random.RandomState(3), 20)
    hand = state.hand
    seen = observation.make_observation(load(name), observation.INFO_STATE_OBS_TYPE)
    seen.set_from(state, 1)
    for part in hand.observation_spec:
        expected = hand.observe(1)[part.start : part.stop].reshape(part.shape)
        assert np.array_equal(seen.dict[part.name], expected)
    assert seen.dict["player"].tolist() == [seat == 1 for seat in range(hand.players)]
    events = hand.events(1)
    assert seen.dict["events"].shape == (EVENTS, 5)
    assert np.count_nonzero(seen.dict["events"].any(axis=1)) == len(events)
    last = seen.dict["events"][0]
    assert last[0] == hand.engine.event_kinds.index(events[-1].kind) + 1
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(ValueError, match="one player"):
        load(name).make_py_observer(public)


@pytest.mark.parametrize("name", NAMES)
def test_search_bots_play(name: str) -> None:
    rng = np.random.RandomState(4)
    game = load(name)
    state = dealt(name, rng, 0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    informed = ismcts.ISMCTSBot(game, evaluator, uct_c=2, max_simulations=12, random_state=rng)
    informed.set_resampler(
        lambda state, player: state.resample_from_infostate(player, rng.random_sample)
    )
    omniscient = mcts.MCTSBot(game, 2, 12, evaluator, random_state=rng)
    for move in range(8):
        if state.is_terminal():
            break
        action = int((informed, omniscient)[move % 2].step(state))
        assert action in state.legal_actions()
        state.apply_action(action)
    # Its own way of resampling too.
    plain = ismcts.ISMCTSBot(game, evaluator, uct_c=2, max_simulations=3, random_state=rng)
    assert int(plain.step(state)) in state.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_reinforcement_learning_environment(name: str) -> None:
    environment = rl_environment.Environment(load(name))
    environment.seed(5)
    step = environment.reset()
    rng = np.random.RandomState(5)
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([int(rng.choice(step.observations["legal_actions"][player]))])
    assert step.rewards == environment.get_state.returns()


@pytest.mark.parametrize("name", qipai.games())
def test_games_pickle(name: str) -> None:
    game = pyspiel.load_game(short_name(name))
    assert pickle.loads(pickle.dumps(game)).get_type().short_name == short_name(name)
