"""打滚子 beside OpenSpiel's bridge and hearts, in one run: ``python benches/peers/tricks.py``.

Whole hands by uniformly random decisions: ours inside C, theirs inside C++
(``pyspiel.evaluate_bots`` with its uniform random bots). The games are not the same. Bridge and
hearts deal 52 cards and play 13 tricks of single cards; a bridge auction of random calls is short.
打滚子 deals 162 cards one by one with windows to show in between, buries six, and plays up to 39
tricks of one to three cards that are followed by shape. A decision is what a player chooses; the
ratio is that of the time a decision takes, to the first row. Bridge is played out, not solved.

Needs ``open-spiel``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import pyspiel

import qipai
from qipai._core import arena

ROUNDS = 5
DEALS = 300


def ours(name: str) -> Callable[[int], int]:
    game = qipai.new(name, seed=1)
    return lambda seed: arena.random_hands(game, DEALS, seed)[0]


def open_spiel(name: str) -> Callable[[int], int]:
    game = pyspiel.load_game(name)
    seats = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in seats]

    def work(seed: int) -> int:
        for deal in range(DEALS):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, DEALS * seed + deal)
        return decisions

    decisions = 0
    for deal in range(DEALS):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, deal)
        decisions += sum(action.player >= 0 for action in state.full_history())
    return work


def main() -> None:
    plan = {
        "qipai gunzi/diamond": ours("gunzi/diamond"),
        "qipai gunzi/yiku": ours("gunzi/yiku"),
        "OpenSpiel bridge": open_spiel("bridge(use_double_dummy_result=false)"),
        "OpenSpiel hearts": open_spiel("hearts"),
    }
    base = 0.0
    print(f"{'':20} {'us a deal':>10} {'decisions a deal':>17} {'us a decision':>14} {'ratio':>6}")
    for name, work in plan.items():
        took, decisions = [], 0
        for seed in range(ROUNDS):
            begun = time.perf_counter()
            decisions += work(seed)
            took.append((time.perf_counter() - begun) / DEALS * 1e6)
        deal, number = statistics.median(took), decisions / DEALS / ROUNDS
        each = deal / number
        base = base or each
        print(f"{name:20} {deal:10.1f} {number:17.1f} {each:14.3f} {each / base:6.1f}")


if __name__ == "__main__":
    main()
