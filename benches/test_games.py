"""Whole hands of every game: in C, from Python, by bots, many stepped together."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qipai
from qipai._core import arena

GAMES = qipai.games()
FIRST = [name for name in GAMES if name.split("/")[1] in ("bianfeng", "anshan", "diamond")]
DECISIONS = 1 << 17
of_games = pytest.mark.parametrize("name", GAMES)
of_first = pytest.mark.parametrize("name", FIRST)


def hands_of(name: str) -> int:
    """Hands that have at least so many decisions."""
    decisions, _ = arena.random_hands(qipai.new(name, seed=1), 200, 1)
    return 200 * DECISIONS // decisions + 1


@of_games
def test_decision_in_a_random_hand_in_c(each, name: str) -> None:
    game, n = qipai.new(name, seed=1), hands_of(name)
    decisions, _ = arena.random_hands(game, n, 7)
    each(lambda: arena.random_hands(game, n, 7), decisions)


@of_games
def test_whole_random_hand_in_c(each, name: str) -> None:
    """One item is a hand, dealt, played and scored."""
    game, n = qipai.new(name, seed=1), hands_of(name)
    each(lambda: arena.random_hands(game, n, 7), n)


@of_games
def test_decision_in_a_random_hand_from_python(each, name: str) -> None:
    """An id drawn from ``legal_ids(out)``, then ``apply(id)``; new games included."""
    out = np.empty(qipai.new(name, seed=1).num_actions, np.int32)
    draw, n = random.Random(1).random, hands_of(name) // 2

    def work() -> int:
        decisions = 0
        for seed in range(n):
            game = qipai.new(name, seed=seed)
            while game.turn is not None:
                ids = game.legal_ids(out)
                game.apply(int(ids[int(draw() * len(ids))]))
                decisions += 1
        return decisions

    each(work, work())


@of_games
def test_greedy_decision(each, name: str) -> None:
    """All seats greedy, on one thread; one item is a decision."""
    n = max(200, hands_of(name) // 4)
    decisions = 0
    for seed in range(100):
        game = qipai.new(name, seed=seed)
        while not game.is_over:
            game.apply(game.auto())
            decisions += 1
    each(lambda: qipai.play_batch(game, ["greedy"], n, seed=1), n * decisions // 100)


@pytest.mark.parametrize("mask", ["bits", "bytes"])
@of_first
def test_vec_step(each, name: str, mask: str) -> None:
    """Observation and mask written, the random action drawn; over whole hands of 1,024 games."""
    n, steps = 1024, 200
    games = qipai.VecGame(name, n, 1, mask=mask, autoreset="same_step")

    def work() -> None:
        for step in range(steps):
            games.step(games.random_actions(step))

    each(work, n * steps)


@of_first
def test_vec_random_actions(each, name: str) -> None:
    """What drawing the actions takes of the above."""
    games = qipai.VecGame(name, 1024, 1)
    each(lambda: games.random_actions(1) is None, 1024)
