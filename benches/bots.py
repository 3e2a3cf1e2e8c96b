"""What the native bots are worth: ``python benches/bots.py`` prints the table as Markdown.

Each deal is played with the bots exchanged; the interval of 95% is that over deals. The exit status
is 1 where an interval does not exclude zero.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser

import qipai

MATCHES = (("greedy", "random", 10_000), ("search", "greedy", 400))
# A hand of 鞍山麻将 is worth up to a power of two, so that few deals tell little.
TIMES = {"mahjong/anshan": 6}


def main() -> int:
    parser = ArgumentParser(description="print how the bots do against each other")
    parser.add_argument("games", nargs="*", metavar="GAME", help="name/preset (none: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", type=float, default=1.0, help="of the deals, 0.1 for a look (1)")
    args = parser.parse_args()
    heads = [f"{one} v {other}" for one, other, _ in MATCHES]
    print("| Game |", " | ".join(heads), "|")
    print("|---|" + "---|" * len(MATCHES))
    every_one_wins = True
    for game in args.games or qipai.games():
        cells: list[str] = []
        for one, other, deals in MATCHES:
            n = max(2, round(deals * args.part * (TIMES.get(game, 1) if one == "search" else 1)))
            batch = qipai.play_batch(
                game, [one, other], n, seed=args.seed, threads=args.threads, duplicate=True
            )
            low, high = batch.interval(0)
            every_one_wins &= low > 0
            cells.append(f"{batch.mean(0):+.3f} ({low:+.3f} to {high:+.3f}), {n:,} deals")
        print(f"| `{game}` |", " | ".join(cells), "|", flush=True)
    return 0 if every_one_wins else 1


if __name__ == "__main__":
    sys.exit(main())
