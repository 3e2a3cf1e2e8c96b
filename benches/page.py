"""Measure, and write what was measured: ``make bench``, or ``python benches/page.py``.

One run times the benches of pytest and the races with other libraries, keeps the results in
docs/benchmarks.json, and from them writes docs/benchmarks.md and the figures in both READMEs.
``--render`` writes them anew without measuring.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from importlib import metadata
from math import floor, log10
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Any

BENCHES = Path(__file__).resolve().parent
ROOT = BENCHES.parent
RESULTS = ROOT / "docs" / "benchmarks.json"
PAGE = ROOT / "docs" / "benchmarks.md"
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh-CN.md"}
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"
DISTRIBUTIONS = (
    "qipai numpy open-spiel rlcard douzero mahjong PyMahjongGB riichienv pkrbot eval7 phevaluator"
).split()
MODEL = ("cpu family", "model", "stepping")  # what tells processors of one name apart
FILES = {
    "test_shuangkou": "百变双扣",
    "test_gunzi": "打滚子",
    "test_mahjong": "鞍山麻将",
    "test_games": "Whole hands of every game",
}

# What the READMEs quote: the texts, the race, our task, the peer and its task.
HEADLINES = [
    (
        "All legal plays of a lead: 27 cards of 双扣, 20 of 斗地主",
        "首家出牌的全部合法牌型：双扣27张，斗地主20张",
        ("lead", "27 cards with 0 大王", "OpenSpiel", "20 cards, `legal_actions`"),
    ),
    ("Shanten of 13 tiles", "13张牌的向听数", ("shanten", "one a call", "riichienv", "one a call")),
    (
        "Is a hand 胡, with 混; a poker hand of 7 cards",
        "带混是否胡牌；对照7张扑克牌的估值",
        ("poker", "`is_win`", "pkrbot", "7 cards"),
    ),
    (
        "The same, 65,536 hands in one call; a loop over them",
        "同上，一次调用65,536手；对照逐手循环",
        ("poker-many", "`is_win_many`", "pkrbot", "7 cards"),
    ),
    (
        "A decision of a random hand, compiled: 打滚子, hearts",
        "随机对局中的一次决策（编译代码）：打滚子；对照红心大战",
        ("tricks", "`gunzi/diamond`", "OpenSpiel", "hearts, dealt"),
    ),
]

Entrant = dict[str, Any]


# Texts ------------------------------------------------------------------------------------------


def digits(number: float, n: int) -> str:
    """With n significant digits: 1.5, 15, 1,500."""
    rounded = float(f"{number:.{n - 1}e}")
    return f"{rounded:,.{max(0, n - 1 - floor(log10(rounded)))}f}"


def span(ns: float) -> str:
    """A time with its unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= 0.9995 * size:
            return f"{digits(ns / size, 3)} {unit}"
    return f"{digits(ns, 3)} ns"


def middle(one: Entrant) -> float:
    """The median as it is printed, so that a reader who divides gets the ratio that is printed."""
    return float(f"{median(one['ns']):.2e}")


def ratio(ours: Entrant, peer: Entrant) -> float:
    """How many times as long the peer took, by the medians."""
    return middle(peer) / middle(ours)


WORDS = ("faster", "slower", "as fast")


def verdict(ours: Entrant, peer: Entrant, words: tuple[str, str, str] = WORDS) -> str:
    faster, slower, alike = words
    times = ratio(ours, peer)
    told = digits(max(times, 1 / times), 2)
    return alike if told == "1.0" else f"{told}× {faster if times > 1 else slower}"


def spread(ours: Entrant, peer: Entrant) -> str:
    """The smallest and the largest of the rounds' ratios, the way round of the verdict."""
    rounds = [theirs / mine for mine, theirs in zip(ours["ns"], peer["ns"], strict=True)]
    ends = rounds if ratio(ours, peer) >= 1 else [1 / one for one in rounds]
    return f"({digits(min(ends), 2)} to {digits(max(ends), 2)})"


def table(heads: list[str], rows: list[list[str]], others: str = "---:") -> list[str]:
    """The first column to the left, the others as told."""
    lines = [heads, ["---", *[others] * (len(heads) - 1)], *rows]
    return [*(f"| {' | '.join(line)} |" for line in lines), ""]


def of(race: dict[str, Any], role: str) -> list[Entrant]:
    return [one for one in race["entrants"] if one["role"] == role]


def compared(race: dict[str, Any]) -> list[str]:
    """Peers as rows, ours as columns."""
    ours = of(race, "ours")
    rows = [
        [
            f"{peer['library']}: {peer['task']}",
            *(f"{verdict(one, peer)} {spread(one, peer)}" for one in ours),
        ]
        for peer in of(race, "peer")
    ]
    rows += [[name, *["not installed"] * len(ours)] for name in race["missing"]]
    heads = ["qipai is, beside", *(one["task"] for one in ours)]
    return [f"### {race['title']}", "", *wrap(race["note"], 100), "", *table(heads, rows)]


def measured(race: dict[str, Any]) -> list[str]:
    rows = [
        [
            f"{one['library']}: {one['task']}" + (f" ({one['note']})" if one["note"] else ""),
            span(median(one["ns"])),
            f"{span(min(one['ns']))} to {span(max(one['ns']))}",
        ]
        for one in race["entrants"]
    ]
    return [
        f"### {race['title']}, times",
        "",
        *table([f"one {race['item']}", "median", "min to max"], rows),
    ]


def benched(title: str, benches: list[dict[str, Any]]) -> list[str]:
    rows: list[list[str]] = []
    told = ""
    for one in benches:
        # What holds for several in a row is said of the first.
        note, told = "" if one["note"] == told else one["note"], one["note"]
        rows.append(
            [
                f"`{one['name']}`" + (f": {note}" if note else ""),
                span(one["median"]),
                f"{span(one['min'])} to {span(one['max'])}",
                digits(1e9 / one["median"], 3),
            ]
        )
    return [f"### {title}", "", *table(["one item", "median", "min to max", "a second"], rows)]


def slower(races: list[dict[str, Any]]) -> list[str]:
    return [
        f"- {race['title']}: {one['task']} is {verdict(one, peer)} "
        f"than {peer['library']}: {peer['task']}"
        for race in races
        for one in of(race, "ours")
        for peer in of(race, "peer")
        if verdict(one, peer).endswith("slower")
    ]


def render(data: dict[str, Any]) -> str:
    """The page."""
    machine, races = data["machine"], data["races"]
    versions = [
        f"{name} {version or 'not installed'}" for name, version in data["versions"].items()
    ]
    losses = slower(races)
    busy = ["The machine was busy: times are too long, and spread; ratios suffer less.", ""]
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench` from one run; do not edit. The raw figures are in",
        "[benchmarks.json](benchmarks.json), the code is in `benches/`.",
        "",
        *table(
            ["Run", ""],
            [
                ["Date", data["date"]],
                ["Machine", f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}"],
                ["Compiler", machine["compiler"]],
                ["Load before, after", f"{data['load'][0]}, {data['load'][1]}"],
                ["Versions", f"Python {machine['python']}, {', '.join(versions)}"],
            ],
            "---",
        ),
        "Figures belong to a machine, a compiler and a day. Entrants of a comparison take turns in",
        "one process: a ratio is that of their medians, with the smallest and the largest of the",
        "rounds. Making the inputs is not timed. *An empty call* is the same loop with a compiled",
        "function that does nothing; it is part of every figure of single calls. One thread, where",
        "nothing else is said.",
        "",
        *(busy if float(data["load"][0]) > 1 else []),
        "## How many times faster or slower",
        "",
        *(line for race in races for line in compared(race)),
        "### Where qipai is slower",
        "",
        *(losses or ["Nowhere in this run."]),
        "",
        "## Times of the comparisons",
        "",
        *(line for race in races for line in measured(race)),
        "## Times of qipai alone",
        "",
        "Each bench goes through all its inputs, 65,536 distinct ones where nothing else is said.",
        "",
        *(line for name, part in data["benches"].items() for line in benched(FILES[name], part)),
    ]  # fmt: skip
    return "\n".join(lines).rstrip("\n") + "\n"


def snippet(data: dict[str, Any], language: str) -> str:
    """What stands in a README."""
    zh = language == "zh"
    rows = []
    entrants = {
        (race["key"], one["library"], one["task"]): one
        for race in data["races"]
        for one in race["entrants"]
    }
    for english, chinese, (key, task, library, its_task) in HEADLINES:
        peer = entrants.get((key, library, its_task))
        if peer is None:
            continue
        ours = entrants[key, "qipai", task]
        words = ("更快", "更慢", "一样快") if zh else WORDS
        rows.append(
            [
                chinese if zh else english,
                span(median(ours["ns"])),
                f"{library} {span(median(peer['ns']))}",
                verdict(ours, peer, words),
            ]
        )
    heads = ["任务", "qipai", "对照", ""] if zh else ["Task", "qipai", "beside", ""]
    return "\n".join([*table(heads, rows), ""])


def write(data: dict[str, Any]) -> None:
    PAGE.write_text(render(data), encoding="utf-8")
    for language, readme in READMES.items():
        before, begin, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        part = snippet(data, language)
        readme.write_text("".join([before, begin, part, end, after]), encoding="utf-8")


# Measuring --------------------------------------------------------------------------------------


def cpu(info: Path = Path("/proc/cpuinfo")) -> str:
    """The processor; its name alone may be that of a whole line of them."""
    text = info.read_text(encoding="utf-8") if info.exists() else ""
    found = dict(
        re.findall(r"^([a-zA-Z ]+?)\s*:[ \t]*(\S.*?)\s*$", text.partition("\n\n")[0], re.M)
    )
    if "model name" not in found:
        return platform.processor() or platform.machine()
    exact = [f"{key.removeprefix('cpu ')} {found[key]}" for key in MODEL if key in found]
    return f"{found['model name']} ({', '.join(exact)})" if exact else found["model name"]


def system() -> str:
    name = platform.system()
    if name == "Linux":
        name = platform.freedesktop_os_release().get("PRETTY_NAME", name)
    return f"{name} {platform.machine()}"


def compiler() -> str:
    """The first line that the compiler says of itself; the extension modules are built with it."""
    cc = shutil.which(os.environ.get("CC", "cc"))
    if cc is None:
        return "unknown"
    told = subprocess.run([cc, "--version"], capture_output=True, text=True, check=True)
    return told.stdout.partition("\n")[0]


def version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def run(*arguments: str) -> None:
    print("==", *arguments, flush=True)
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT)


def benches_of(found: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The results of pytest-benchmark, in nanoseconds an item."""
    parts: dict[str, list[dict[str, Any]]] = {name: [] for name in FILES}
    for bench in found["benchmarks"]:
        path, _, name = bench["fullname"].partition("::")
        extra = bench["extra_info"]
        times = {
            key: float(f"{bench['stats'][key] / extra['items'] * 1e9:.4g}")
            for key in ("median", "min", "max")
        }
        parts[Path(path).stem].append(
            {"name": name.removeprefix("test_"), "note": extra["note"].replace("``", "`"), **times}
        )
    return parts


def measure(rounds: int) -> dict[str, Any]:
    before = load()
    races: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        for script in sorted((BENCHES / "peers").glob("*.py")):
            if script.name == "race.py":
                continue
            name = script.relative_to(ROOT).as_posix()
            run(name, "--rounds", str(rounds), "--json", str(out))
            races += json.loads(out.read_text(encoding="utf-8"))
        run("-m", "pytest", "benches", "--benchmark-only", "--benchmark-columns=median,min,max",
            f"--rounds={rounds}", f"--benchmark-json={out}", "-q")  # fmt: skip
        benches = benches_of(json.loads(out.read_text(encoding="utf-8")))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "cpu": cpu(),
            "cores": os.cpu_count(),
            "system": system(),
            "compiler": compiler(),
            "python": platform.python_version(),
        },
        "load": [before, load()],
        "versions": {name: version(name) for name in DISTRIBUTIONS},
        "races": races,
        "benches": benches,
    }


def main() -> None:
    parser = ArgumentParser(description="measure, and write docs/benchmarks.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--render", action="store_true", help="from docs/benchmarks.json only")
    given = parser.parse_args()
    begun = time.monotonic()
    if not given.render:
        data = measure(given.rounds)
        RESULTS.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    write(json.loads(RESULTS.read_text(encoding="utf-8")))
    print(f"{PAGE.relative_to(ROOT)} is written, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
