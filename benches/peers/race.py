"""Entrants take turns: a round times each of them once, so that a busy moment meets all alike."""

from __future__ import annotations

import json
import random
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

import numpy as np

import qipai
from qipai._core import arena

OURS = "qipai"


@dataclass
class Entrant:
    """``base`` is no contestant: it says what a part of the work takes."""

    library: str
    task: str
    role: Literal["ours", "peer", "base"]
    work: Callable[[], object]
    items: int
    note: str


class Race:
    """One question and those that answer it; what they do not have in common stands in ``note``."""

    def __init__(self, key: str, title: str, item: str, note: str) -> None:
        self.about = {"key": key, "title": title, "item": item, "note": " ".join(note.split())}
        self.entrants: list[Entrant] = []
        self.missing: list[str] = []

    def enter(
        self, library: str, task: str, work: Callable[[], object], items: int, note: str = ""
    ) -> None:
        """``work`` does so many items each time."""
        role: Literal["ours", "peer"] = "ours" if library == OURS else "peer"
        self.entrants.append(Entrant(library, task, role, work, items, note))

    def enter_hands(self, library: str, task: str, hands: Callable[[], tuple[int, int]]) -> None:
        """``hands`` plays the same hands each time, and says how many and of how many decisions."""
        n, decisions = hands()
        self.enter(library, task, hands, decisions, f"{decisions / n:.0f} decisions a hand")

    def base(self, task: str, work: Callable[[], object], items: int) -> None:
        self.entrants.append(Entrant(OURS, task, "base", work, items, ""))

    def invite(self, library: str, enter: Callable[[Race], None]) -> None:
        """Let a peer enter, or note that it is not installed."""
        try:
            enter(self)
        except ImportError:
            self.missing.append(library)

    def run(self, rounds: int) -> dict[str, Any]:
        """What the page keeps: nanoseconds an item of every entrant in every round."""
        took: list[list[float]] = [[] for _ in self.entrants]
        for entrant in self.entrants:
            entrant.work()
        for _ in range(rounds):
            for entrant, times in zip(self.entrants, took, strict=True):
                begun = time.perf_counter_ns()
                entrant.work()
                spent = (time.perf_counter_ns() - begun) / entrant.items
                times.append(float(f"{spent:.4g}"))
        entrants = [
            {"library": one.library, "task": one.task, "role": one.role, "note": one.note, "ns": ns}
            for one, ns in zip(self.entrants, took, strict=True)
        ]
        return {**self.about, "missing": self.missing, "entrants": entrants}


def over(call: Callable[[Any], object], items: Sequence[Any]) -> Callable[[], None]:
    """Work that calls with every item."""

    def work() -> None:
        for item in items:
            call(item)

    return work


def hands_in_c(name: str, n: int) -> Callable[[], tuple[int, int]]:
    """Ours, by uniformly random decisions."""
    game = qipai.new(name, seed=1)
    return lambda: (n, arena.random_hands(game, n, 1)[0])


def enter_openspiel(race: Race, task: str, name: str, n: int = 500) -> None:
    """Theirs in C++: by its uniform random bots, and by the rollouts of its search."""
    import pyspiel

    game = pyspiel.load_game(name)

    def played() -> Iterator[Any]:
        bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
        for deal in range(n):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, deal)
            yield state

    decisions = sum(step.player >= 0 for state in played() for step in state.full_history())
    race.enter_hands("OpenSpiel", task, lambda: (sum(1 for _ in played()), decisions))

    rng = random.Random(1)
    dealt = []
    while len(dealt) < n // 25:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        dealt.append(state)

    def rollouts() -> None:
        for state in dealt:
            evaluator = pyspiel.RandomRolloutEvaluator(25, 1)
            # One simulation evaluates the root. A bot that is used again may crash.
            bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
            bot.mcts_search(state)

    note = "by the rollouts of its search; dealing not included"
    race.enter("OpenSpiel", f"{task}, dealt", rollouts, decisions * len(dealt) * 25 // n, note)


def hands_in_rlcard(name: str, n: int) -> Callable[[], tuple[int, int]]:
    """Theirs, step by step from Python."""
    import rlcard

    def hands() -> tuple[int, int]:
        env = rlcard.make(name, {"seed": 1})
        rng = random.Random(1)
        decisions = 0
        for _ in range(n):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                decisions += 1
        return n, decisions

    return hands


def hands_from_python(name: str, n: int) -> Callable[[], tuple[int, int]]:
    """Ours, an id drawn and applied by Python."""
    out = np.empty(qipai.new(name, seed=1).num_actions, np.int32)

    def hands() -> tuple[int, int]:
        draw = random.Random(1).random
        decisions = 0
        for seed in range(n):
            game = qipai.new(name, seed=seed)
            while game.turn is not None:
                ids = game.legal_ids(out)
                game.apply(int(ids[int(draw() * len(ids))]))
                decisions += 1
        return n, decisions

    return hands


def show(race: dict[str, Any]) -> None:
    print(f"\n{race['title']}: a {race['item']}, ns, median (min to max)")
    for one in race["entrants"]:
        ns = one["ns"]
        figures = f"{median(ns):>12,.1f} ({min(ns):,.1f} to {max(ns):,.1f})"
        print(f"  {one['library']:<12} {one['task']:<44} {figures}  {one['note']}")
    for library in race["missing"]:
        print(f"  {library:<12} not installed")


def main(races: Callable[[], Iterable[Race]], about: str) -> None:
    parser = ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    given = parser.parse_args()
    results = []
    for race in races():
        results.append(race.run(given.rounds))
        show(results[-1])
    if given.json:
        given.json.write_text(json.dumps(results), encoding="utf-8")
