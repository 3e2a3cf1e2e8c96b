"""All proofs of 百变双扣, whole: ``python tests/shuangkou/prove.py [N]``, N hands a preset."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import proofs

from qipai.verify import compare_in_parallel


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    plan = [
        ("sets classified as the reference does", proofs.prove_classify),
        ("random sets classified", lambda: proofs.prove_nothing_is_missing(20 * n, 1)),
        ("pairs of readings compared", proofs.prove_beats),
        ("readings with and without 大王 compared", proofs.prove_same_reading_compares_alike),
        ("pairs for SK-32", proofs.prove_one_reading),
        ("small hands against all sub-multisets", lambda: proofs.prove_legal_small(n, 2)),
        ("hands of 27 against the search", lambda: proofs.prove_legal_large(n // 20, 3)),
    ]
    for preset in ("wenzhou", "bianfeng", "lishui"):
        name = f"shuangkou/{preset}"
        plan.append(
            (
                f"actions in {n} whole hands of {preset}",
                lambda name=name: sum(
                    compare_in_parallel(name, n, 4, lists=0.02, hands_in_a_row=5)
                ),
            )
        )
    for preset in ("bianfeng", "lishui"):
        name = f"shuangkou/{preset}"
        plan.append(
            (
                f"escapes in {preset}",
                lambda name=name: proofs.escape_at_random(name, n // 20, 5),
            )
        )
    for what, prove in plan:
        begun = time.perf_counter()
        done = prove()
        print(f"{done:>12,} {what}: equal ({time.perf_counter() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
