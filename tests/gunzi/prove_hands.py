"""Whole hands on both readings: ``python tests/gunzi/prove_hands.py [N]``.

N hands (5000) for each preset and each way to follow, half of them under house rules, shuffled or
made so that what is rare comes up; then N // 25 whole rounds.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from hands import any_hand, any_history, house_rules, play_both, play_round

from qipai.gunzi import Rules

WAYS = [(preset, follow) for preset in ("diamond", "yiku") for follow in ("dead", "live")]
STRETCH = 20


def rules_of(preset: str, follow: str) -> Rules:
    return (Rules.diamond() if preset == "diamond" else Rules.yiku()).replace(follow=follow)


def prove_hands(task: tuple[str, str, int, int]) -> tuple[int, Counter[str]]:
    preset, follow, n, seed = task
    rng, seen, actions = random.Random(seed), Counter[str](), 0
    for _ in range(n):
        rules = house_rules(rng, rules_of(preset, follow))
        actions += play_both(any_hand(rng, rules, any_history(rng)), rng, 0.03, seen)
    return actions, seen


def prove_rounds(task: tuple[str, str, int, int]) -> tuple[int, Counter[str]]:
    preset, follow, n, seed = task
    rng, seen = random.Random(seed), Counter[str]()
    return sum(play_round(rng, rules_of(preset, follow), 0.02, seen) for _ in range(n)), seen


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with multiprocessing.get_context("spawn").Pool() as pool:
        for preset, follow in WAYS:
            tasks = [
                (
                    preset,
                    follow,
                    min(STRETCH, n - at),
                    1_000_003 * at + WAYS.index((preset, follow)),
                )
                for at in range(0, n, STRETCH)
            ]
            report(f"{preset} {follow}", "actions", pool.imap_unordered(prove_hands, tasks))
        rounds = [(*WAYS[i % 4], 1, 7_000_003 + i) for i in range(n // 25)]
        report(f"{len(rounds)} rounds", "hands", pool.imap_unordered(prove_rounds, rounds))


def report(name: str, what: str, parts: object) -> None:
    begun, total, seen = time.perf_counter(), 0, Counter[str]()
    for n, part in parts:  # type: ignore[attr-defined]
        total += n
        seen += part
    took = time.perf_counter() - begun
    print(f"{name}: {total:,} {what}, all equal ({took:.0f} s)", dict(seen), flush=True)


if __name__ == "__main__":
    main()
