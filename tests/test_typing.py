"""What type checkers make of the public names; mypy and pyright check this file, pytest runs it."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import qipai
from qipai import shuangkou


def test_a_game_by_name_has_its_own_type() -> None:
    game = qipai.new("shuangkou/bianfeng", seed=7)
    assert_type(game, shuangkou.Game)
    assert_type(game.rules, shuangkou.Rules)
    assert_type(game.deal, shuangkou.Deal)
    assert_type(game.deal.hands, tuple[tuple[int, ...], ...])
    assert_type(game.history, shuangkou.History)
    assert_type(game.Rules.bianfeng(), shuangkou.Rules)
    assert_type(game.clone(), shuangkou.Game)
    assert_type(shuangkou.Game.restore(game.snapshot()), shuangkou.Game)
    assert game.clone() == shuangkou.Game.restore(game.snapshot())


def test_any_game() -> None:
    scores: list[list[int]] = []

    def finish(game: qipai.Game) -> None:
        while not game.is_over:
            actions = assert_type(game.legal_actions(), list[qipai.Action])
            for event in assert_type(game.apply(actions[0]), list[qipai.Event]):
                assert_type(event.for_seat("table"), qipai.Event | None)
        assert_type(game.rules.name, str)
        assert_type(game.rules.as_dict(), dict[str, Any])
        assert_type(game.view(0), qipai.View)
        assert_type(game.result, list[qipai.Line])
        assert_type(game.record().replay(), qipai.Game)
        scores.append(game.scores())

    for name in qipai.games():
        finish(assert_type(qipai.new(name, seed=1), qipai.Game))
    finish(shuangkou.Game(shuangkou.Rules.lishui(), seed=1))
    assert len(scores) == len(qipai.games()) + 1


def test_actions_in_every_form() -> None:
    game = qipai.new("shuangkou", seed=7)
    action = game.legal_actions()[0]
    for form in (action, int(action), str(action), game.parse(str(action))):
        game.apply(form)
        assert_type(game.undo(), qipai.Action | None)
    assert_type(game.check("pass"), qipai.Reason | None)
    assert_type(game.legal_ids(), NDArray[np.int32])
    mask = np.zeros(game.num_actions, np.bool_)
    assert_type(game.action_mask(mask), NDArray[np.bool_])
    assert_type(game.observe(0), NDArray[np.uint8])


def test_kernels() -> None:
    play = assert_type(shuangkou.classify("77899R"), shuangkou.Play | None)
    assert play is not None
    assert_type(play.kind, shuangkou.Kind)
    assert_type(shuangkou.legal_plays([0, 1, 2], on=play), list[shuangkou.Play])
    hands = np.zeros((1, 15), np.uint8)
    assert_type(shuangkou.legal_count_many(hands, threads=2), NDArray[np.int32])
    assert_type(shuangkou.classify_many(hands)["kind"], NDArray[Any])
