"""``python tests/common/fuzz_snapshots.py [N] [GAME ...]``: N damaged snapshots a game."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import snapshots

import qipai


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name in sys.argv[2:] or qipai.games():
        begun = time.perf_counter()
        refused, accepted = snapshots.fuzz(name, n, 1)
        print(
            f"{name}: {refused:,} damaged snapshots refused, {accepted:,} are sound games "
            f"({time.perf_counter() - begun:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
