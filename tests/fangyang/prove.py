"""All proofs of 放羊, whole: ``python tests/fangyang/prove.py [N]``, N random hands."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "common"))
sys.path.insert(0, str(Path(__file__).parent))

import alike
import test_game
import test_kernel

from qipai.verify import compare_in_parallel


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    kernel = test_kernel.KERNEL
    for what, prove in [
        ("sets classified as the reference does", lambda: alike.prove_classify(kernel, 5)),
        ("pairs of plays compared", lambda: alike.prove_beats(kernel)),
        ("hands against all sub-multisets", lambda: alike.prove_legal(kernel, n // 50, 2)),
        (
            f"actions in {n} whole hands",
            lambda: sum(compare_in_parallel("fangyang", n, 3, lists=0.02, hands_in_a_row=5)),
        ),
        (
            f"actions in {n // 5} hands under house rules",
            lambda: alike.prove_house_rules(test_game.house_hand, n // 5, 4, 0.05),
        ),
    ]:
        begun = time.perf_counter()
        done = prove()
        print(f"{done:>12,} {what}: equal ({time.perf_counter() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
