"""``python tests/common/prove_leaks.py [N]``: N whole hands of all games, and memory in use.

Most hands are played inside C, some from Python, and after each stretch everything else that
allocates is done with every name. What is in use after half of the
hands is compared with what is at the end; before that, caches of the interpreter fill, such as
that of the names of attributes. A lost object for each hand would be a block of Python's allocator,
or a chunk of at least 32 bytes of the heap. The bounds are a fraction of that: heap and traced
bytes of at most one byte a hand; blocks of at most half the times that each operation was done with
each name, so that a single operation of a single name that loses one object each time is over it.
The resident size is in whole pages, and the allocators keep some, so its bound is 8 bytes a hand,
and 8 MiB.
"""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from leaks import in_use, operations

import qipai

STRETCHES = 100


def from_python(name: str, seed: int) -> None:
    """A hand from Python: every seat is shown every event."""
    game, rng = qipai.new(name, seed=seed), random.Random(seed)
    while not game.is_over:
        for event in game.apply(rng.choice(game.legal_actions())):
            event.for_seat(0)
    qipai.Record.from_json(game.record().to_json())
    qipai.restore(game.snapshot())


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    names = qipai.games()
    hands = max(n // (STRETCHES * len(names)), 1)
    repeats = max(hands // 125, 1)
    begun = time.perf_counter()
    tracemalloc.start()
    everything = [do for name in names for do in operations(name).values()]
    marks = {}
    played = 0
    for stretch in range(1, STRETCHES + 1):
        for name in names:
            slow, greedy = max(hands // 500, 1), hands // 20
            for seed in range(slow):
                from_python(name, stretch * slow + seed)
            for bots, number in (("greedy", greedy), ("random", hands - slow - greedy)):
                if number > 0:
                    qipai.play_batch(name, bots, number, seed=stretch)
            played += max(hands, slow)
        for do in everything:
            for _ in range(repeats):
                do()
        if stretch in (STRETCHES // 10, STRETCHES // 2, STRETCHES):
            marks[stretch] = in_use()
            print(f"{played:>12,} hands: {marks[stretch]}", flush=True)
    more = marks[STRETCHES] - marks[STRETCHES // 2]
    between = played // 2
    done = repeats * STRETCHES // 2
    print(
        f"in the second half, {between:,} hands and {done:,} times each of {len(everything):,} "
        f"operations: {more} ({time.perf_counter() - begun:.0f} s)"
    )
    # In a short run they fill to its end.
    bounds = {
        "blocks": max(done // 2, 5_000 if n < 500_000 else 0),
        "heap": max(between, 1 << 20),
        "traced": max(between, 1 << 20),
        "rss": 8 * between + (8 << 20),
    }
    over = [what for what, bound in bounds.items() if getattr(more, what) > bound]
    if over:
        sys.exit(f"memory grows: {', '.join(over)}; the bounds are {bounds}")


if __name__ == "__main__":
    main()
