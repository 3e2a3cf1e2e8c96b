"""The benchmarks page: what it says is what was measured, and the READMEs quote nothing else."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "benches" / "page.py"
READMES = {"en": "README.md", "zh": "README.zh-CN.md"}
FIGURE = r"[\d.,]*\d(?:× \w+| (?:ns|µs|ms|s)\b)"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="no benches beside the tests")


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def entrant(library: str, task: str, role: str, *ns: float) -> dict[str, Any]:
    return {"library": library, "task": task, "role": role, "note": "", "ns": list(ns)}


@pytest.fixture
def data() -> dict[str, Any]:
    """Of the rounds of ours and theirs the ratios are 10, 2 and 4, and 1/2, 1/4 and 1/5; of their
    medians 1,000 / 200 and 50 / 200."""
    race = {
        "key": "lead",
        "title": "All plays",
        "item": "lead",
        "note": "Unlike games.",
        "missing": ["DouZero"],
        "entrants": [
            entrant("qipai", "an empty call", "base", 40, 50, 60),
            entrant("qipai", "27 cards with 0 大王", "ours", 100, 200, 1000),
            entrant("OpenSpiel", "20 cards, `legal_actions`", "peer", 1000, 400, 4000),
            entrant("RLCard", "20 cards", "peer", 50, 50, 200),
        ],
    }
    return {
        "date": "2001-02-03",
        "machine": {
            "cpu": "Abacus",
            "cores": 2,
            "system": "Linux x86_64",
            "compiler": "cc 1",
            "python": "3.11.0",
        },
        "load": ["0.1", "1.2"],
        "versions": {"qipai": "0.1.0", "douzero": None},
        "races": [race],
        "benches": {
            "test_games": [
                {"name": "clone", "note": "A copy.", "median": 250, "min": 200, "max": 1234567}
            ]
        },
    }


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0.8461, "0.846 ns"), (12.34, "12.3 ns"), (999.4, "999 ns"), (999.6, "1.00 µs"),
     (15_530, "15.5 µs"), (186_100, "186 µs"), (2.5e7, "25.0 ms"), (1.2e9, "1.20 s")],
)  # fmt: skip
def test_a_time_has_its_unit(page: dict[str, Any], ns: float, text: str) -> None:
    assert page["span"](ns) == text


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict", "spread"),
    [([100, 200, 1000], [1000, 400, 4000], "5.0× faster", "(2.0 to 10)"),
     ([100, 200, 1000], [50, 50, 200], "4.0× slower", "(2.0 to 5.0)"),
     ([1, 1, 1], [1540, 1540, 1540], "1,500× faster", "(1,500 to 1,500)"),
     ([1, 1, 1], [1.26, 0.9, 9.96], "1.3× faster", "(0.90 to 10)"),
     ([100, 100, 100], [96, 104, 110], "as fast", "(0.96 to 1.1)") ,
     ([104, 104, 104], [52, 100, 104], "as fast", "(1.0 to 2.0)"),
     # As they are printed, 1.04 and 1.10: 1.0577.
     ([1.0449], [1.0951], "1.1× faster", "(1.0 to 1.0)")],
)  # fmt: skip
def test_a_ratio_says_who_is_faster(
    page: dict[str, Any], mine: list[float], theirs: list[float], verdict: str, spread: str
) -> None:
    ours, peer = entrant("qipai", "", "ours", *mine), entrant("RLCard", "", "peer", *theirs)
    assert page["verdict"](ours, peer) == verdict
    assert page["spread"](ours, peer) == spread


def test_ratios_are_of_medians_and_ranges_of_rounds(
    page: dict[str, Any], data: dict[str, Any]
) -> None:
    text = page["render"](data)
    assert "| OpenSpiel: 20 cards, `legal_actions` | 5.0× faster (2.0 to 10) |" in text
    assert "| qipai: 27 cards with 0 大王 | 200 ns | 100 ns to 1.00 µs |" in text


def test_what_is_slower_or_missing_is_said(page: dict[str, Any], data: dict[str, Any]) -> None:
    text = page["render"](data)
    assert "| RLCard: 20 cards | 4.0× slower (2.0 to 5.0) |" in text
    assert "- All plays: 27 cards with 0 大王 is 4.0× slower than RLCard: 20 cards" in text
    assert "| DouZero | not installed |" in text
    assert "douzero not installed" in text
    data["races"][0]["entrants"][-1]["ns"] = [196, 196, 196]
    assert "| RLCard: 20 cards | as fast (" in (text := page["render"](data))
    assert "Nowhere in this run." in text
    data["races"][0]["entrants"].pop()
    assert "Nowhere in this run." in page["render"](data)


def test_ratios_come_first_and_the_run_is_named(page: dict[str, Any], data: dict[str, Any]) -> None:
    text = page["render"](data)
    said = ["2001-02-03", "Abacus, 2 cores, Linux x86_64", "cc 1", "0.1, 1.2", "Python 3.11.0",
            "× faster", "an empty call | 50.0 ns | 40.0 ns to 60.0 ns",
            "`clone`: A copy. | 250 ns | 200 ns to 1.23 ms | 4,000,000 |"]  # fmt: skip
    places = [text.find(part) for part in said]
    assert -1 not in places
    assert places == sorted(places)


def test_a_busy_machine_is_said_to_be(page: dict[str, Any], data: dict[str, Any]) -> None:
    assert "machine was busy" not in page["render"](data)
    data["load"][0] = "1.1"
    assert "machine was busy" in page["render"](data)


def test_benches_are_of_one_item(page: dict[str, Any]) -> None:
    bench = {
        "fullname": "benches/test_games.py::test_hand[shuangkou/lishui]",
        "extra_info": {"items": 1000, "note": "A ``hand``."},
        "stats": {"median": 0.002, "min": 0.001, "max": 0.0123456},
    }
    (found,) = page["benches_of"]({"benchmarks": [bench]})["test_games"]
    assert found == {
        "name": "hand[shuangkou/lishui]",
        "note": "A `hand`.",
        "median": 2000,
        "min": 1000,
        "max": 12350,
    }


def test_a_readme_quotes_what_is_there(page: dict[str, Any], data: dict[str, Any]) -> None:
    english, chinese = (page["snippet"](data, language) for language in READMES)
    assert english.count("\n") == chinese.count("\n") == 3 + 1
    assert "| 200 ns | OpenSpiel 1.00 µs | 5.0× faster |" in english
    assert "| 200 ns | OpenSpiel 1.00 µs | 5.0× 更快 |" in chinese
    for peer in data["races"][0]["entrants"]:
        peer["ns"] = [200]
    assert "| as fast |" in page["snippet"](data, "en")
    assert "| 一样快 |" in page["snippet"](data, "zh")


def test_the_processor_is_told_apart(page: dict[str, Any], tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    one = (
        "cpu family\t: 25\nmodel\t\t: 1\nmodel name\t: Abacus 7\nstepping\t: 2\npower management:\n"
    )
    info.write_text(one + "\n" + one.replace("7", "8"), encoding="utf-8")
    assert page["cpu"](info) == "Abacus 7 (family 25, model 1, stepping 2)"
    info.write_text("model name\t: Abacus 7\n", encoding="utf-8")
    assert page["cpu"](info) == "Abacus 7"
    info.write_text("", encoding="utf-8")
    assert page["cpu"](info) == page["cpu"](tmp_path / "none") != ""


def test_a_reader_who_divides_gets_the_ratio(page: dict[str, Any], results: dict[str, Any]) -> None:
    """In the READMEs as they are: of the two times of a row the ratio beside them."""
    rows = re.findall(
        r"\| ([\d.,]+) (\w+) \| \S+ ([\d.,]+) (\w+) \| (?:([\d.,]+)× (\w+)|as fast) \|",
        page["snippet"](results, "en"),
    )
    assert len(rows) == len(page["HEADLINES"])
    for mine, unit, theirs, other, times, word in rows:
        ns = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
        got = float(theirs.replace(",", "")) * ns[other] / (float(mine.replace(",", "")) * ns[unit])
        wanted = float(times.replace(",", "") or 1)
        assert (1 / got if word == "slower" else got) == pytest.approx(wanted, rel=0.051)


@pytest.fixture(scope="module")
def results(page: dict[str, Any]) -> dict[str, Any]:
    if not page["RESULTS"].exists():
        pytest.skip("nothing was measured")
    return json.loads(page["RESULTS"].read_text(encoding="utf-8"))


def test_the_page_is_rendered_from_the_results(
    page: dict[str, Any], results: dict[str, Any]
) -> None:
    assert page["PAGE"].read_text(encoding="utf-8") == page["render"](results)


@pytest.mark.parametrize("language", READMES)
def test_every_figure_of_a_readme_stands_on_the_page(
    page: dict[str, Any], results: dict[str, Any], language: str
) -> None:
    text = (ROOT / READMES[language]).read_text(encoding="utf-8")
    (quoted,) = re.findall(r"<!-- bench -->\n(.*?)<!-- /bench -->", text, re.S)
    assert quoted == page["snippet"](results, language)
    figures = re.findall(FIGURE, quoted.replace("更快", "faster").replace("更慢", "slower"))
    alike = len(re.findall("as fast|一样快", quoted))
    assert len(figures) == 3 * (quoted.count("\n| ") - 1) - alike > 0
    told = page["PAGE"].read_text(encoding="utf-8")
    assert [figure for figure in figures if figure not in told] == []
