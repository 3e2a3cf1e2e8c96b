"""``python tests/fuzz/fuzz_laws.py [N] [LAW ...]``: N inputs for each law of laws.py.

With atheris the inputs are guided by the branches that they reach in the package's Python and by
what comes of them; of the compiled core only its answers guide. ``--input LAW FILE`` tries the
input of a breach again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

BREACHES = Path("build") / "fuzz"
MOST_MARKS = 2000


def guided(name: str, n: int) -> None:
    """Try n inputs under atheris, which does not come back: the process ends here."""
    import atheris  # pyright: ignore[reportMissingImports]

    with atheris.instrument_imports(include=["qipai", "laws"]):
        import laws

    law = laws.LAWS[name]
    seen: Counter[str] = Counter()
    marks: dict[str, object] = {}
    begun = time.perf_counter()
    folder = tempfile.TemporaryDirectory()
    for number, seed in enumerate(law.seeds()):
        (Path(folder.name) / str(number)).write_bytes(seed)

    def try_one(data: bytes) -> None:
        answer = law.check(data)
        # A function for each answer: reaching it counts as a branch that was not reached before.
        if answer not in marks and len(marks) < MOST_MARKS:
            marks[answer] = atheris.instrument_func(eval("lambda: None"))
        if answer in marks:
            marks[answer]()
        seen[answer.partition("|")[0]] += 1
        if seen.total() == n:
            report(name, n, seen, begun, f"guided, {len(marks)} answers")
            folder.cleanup()
            os._exit(0)

    BREACHES.mkdir(parents=True, exist_ok=True)
    options = ["-seed=1", "-verbosity=0", "-max_len=4096", "-timeout=60", "-rss_limit_mb=4096"]
    options.append(f"-artifact_prefix={BREACHES}/{name}-")
    atheris.Setup([sys.argv[0], *options, folder.name], try_one)
    atheris.Fuzz()


def unguided(name: str, n: int) -> None:
    """Try n inputs that chance makes."""
    import laws

    begun = time.perf_counter()
    report(name, n, laws.by_chance(laws.LAWS[name], n, 1), begun, "by chance")


def report(name: str, n: int, seen: dict[str, int], begun: float, how: str) -> None:
    words = ", ".join(f"{count:,} {word}" for word, count in sorted(seen.items()))
    taken = time.perf_counter() - begun
    print(f"{name}: {n:,} inputs {how}: {words} ({taken:.0f} s)", flush=True)


def main() -> None:
    match sys.argv[1:]:
        case ["--input", name, file]:
            import laws

            print(laws.LAWS[name].check(Path(file).read_bytes()))
        case [("--guided" | "--by-chance") as how, name, n]:
            (guided if how == "--guided" else unguided)(name, int(n))
        case arguments:
            import laws

            n = int(arguments[0]) if arguments else None
            how = "--guided"
            if find_spec("atheris") is None:
                print("There is no atheris for this Python (pip install 'qipai[fuzz]'): by chance.")
                how = "--by-chance"
            failed: list[str] = []
            for name in arguments[1:] or laws.LAWS:
                wanted = str(n or laws.LAWS[name].runs)
                # A process for each: the fuzzer ends its own, and a crash is one law's.
                one = [sys.executable, __file__, how, name, wanted]
                done = subprocess.run(one, stderr=subprocess.PIPE, text=True, errors="replace")
                if done.returncode:
                    print(done.stderr[-4000:])
                    print(f"{name}: broken; try it again: --input {name} {BREACHES}/{name}-...")
                    failed.append(name)
            sys.exit(f"broken: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
