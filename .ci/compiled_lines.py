"""``python .ci/compiled_lines.py FOLDER``: lines of the compiled core that were reached.

The folder holds what ``QIPAI_COVERAGE=1 python setup.py build`` and running the tests left there. A
line of Cython counts as reached where any of the C code ran that stands under its comment in the
generated file.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORIGIN = re.compile(r'\s*/\* "(qipai/_core/\w+\.p[yx][xd])":(\d+)$')

Place = tuple[str, int]


def origins(generated: Path) -> list[Place | None]:
    """For each line of a generated C file the line of Cython that it was made of."""
    places: list[Place | None] = []
    place: Place | None = None
    for line in generated.read_text(encoding="utf-8").splitlines():
        if found := ORIGIN.match(line):
            place = found[1], int(found[2])
        elif line == "}":  # the end of a function
            place = None
        places.append(place)
    return places


def counts(folder: Path) -> dict[str, dict[int, int]]:
    """How often each line of each source was run, over all modules that hold it."""
    lines: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(folder.rglob("*.gcda")):
        told = subprocess.run(
            ["gcov", "--json-format", "--stdout", data], check=True, capture_output=True
        )
        for file in json.loads(told.stdout)["files"]:
            name: str = file["file"]
            if name.startswith("build/cython/"):
                places = origins(ROOT / name)
            elif name.startswith("csrc/") and not name.startswith("csrc/generated/"):
                places = []
            else:
                continue
            for line in file["lines"]:
                number = line["line_number"]
                place = places[number - 1] if places else (name, number)
                if place is not None:
                    lines[place[0]][place[1]] += line["count"]
    return lines


def stretches(numbers: list[int]) -> str:
    """Numbers as text, neighbours run together."""
    parts: list[str] = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return " ".join(parts)


def main() -> None:
    lines = counts(Path(sys.argv[1]))
    if not lines:
        raise SystemExit("nothing was measured: is this a build for coverage, and has it run?")
    total = reached = 0
    for name, found in sorted(lines.items()):
        missing = sorted(number for number, count in found.items() if not count)
        total += len(found)
        reached += len(found) - len(missing)
        share = 100 * (len(found) - len(missing)) / len(found)
        print(f"{name:40} {len(found):5} lines {share:6.1f} %  {stretches(missing)}")
    print(f"{'all':40} {total:5} lines {100 * reached / total:6.1f} %")


if __name__ == "__main__":
    main()
