"""``qipai simulate``: the batch it says, stored, interrupted, elsewhere."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import qipai
from qipai import bots
from qipai.cli import main

Capture = pytest.CaptureFixture[str]
BOTS = ["--bots", "greedy,random"]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "QIPAI_LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def run(capsys: Capture, *argv: str) -> str:
    """Run a command that must succeed and say nothing on standard error."""
    status = main(["simulate", *argv])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


@pytest.mark.parametrize("name", qipai.games())
def test_every_game_is_simulated(capsys: Capture, tmp_path: Path, name: str) -> None:
    file = tmp_path / "summary.json"
    options = ["--hands", "3e2", "--seed", "5", "--threads", "2", "--json", str(file)]
    out = run(capsys, name, *BOTS, *options)
    batch = qipai.play_batch(name, ["greedy", "random"], 300, seed=5)
    assert out == f"{batch}\n  seed: 5\n"
    assert qipai.Summary.from_json(file.read_text(encoding="utf-8")) == batch


def test_hands_are_those_of_all_rotations(capsys: Capture) -> None:
    """101 hands with two bots on the same deals: 51 deals, both ways."""
    out = run(capsys, "shuangkou", *BOTS, "--hands", "101", "--duplicate", "--seed", "1")
    batch = qipai.play_batch("shuangkou", ["greedy", "random"], 51, seed=1, duplicate=True)
    assert batch.hands == 102
    assert out == f"{batch}\n  seed: 1\n"


def test_a_batch_without_a_seed_says_which_it_took(capsys: Capture) -> None:
    out = run(capsys, "fangyang", "--hands", "20")
    seed = out.splitlines()[-1].split()[-1]
    assert out == run(capsys, "fangyang", "--hands", "20", "--seed", seed)


def test_house_rules_and_the_budget_of_search(capsys: Capture) -> None:
    from qipai import fangyang

    out = run(
        capsys,
        *("fangyang", "--bots", "search, greedy", "--hands", "6", "--seed", "2"),
        *("--worlds", "2", "--rules", "stake=5"),
    )
    small = bots.search.with_budget(worlds=2)
    game = fangyang.Game(fangyang.Rules.anshan().replace(stake=5), seed=0)
    batch = qipai.play_batch(game, [small, "greedy"], 6, seed=2)
    assert batch.stake == 5
    assert out == f"{batch}\n  seed: 2\n"


@pytest.fixture
def ctrl_c_works() -> Iterator[None]:
    """A process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupting(after: int) -> Callable[..., qipai.Summary]:
    """play_batch, with Ctrl-C pressed once so many deals are done."""

    def play(*args: Any, progress: Callable[[qipai.Summary], None], **options: Any) -> Any:
        def told(summary: qipai.Summary) -> None:
            progress(summary)
            if summary.n >= after:
                signal.raise_signal(signal.SIGINT)

        if after == 0:
            signal.raise_signal(signal.SIGINT)
        return qipai.play_batch(*args, progress=told, **options)

    return play


@pytest.mark.usefixtures("ctrl_c_works")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_what_is_done_is_told_where_it_is_interrupted(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, threads: str
) -> None:
    file = tmp_path / "summary.json"
    monkeypatch.setattr("qipai.cli.simulate.play_batch", interrupting(600))
    command = ["simulate", "fangyang", "--hands", "1e9", "--seed", "3", "--json", str(file)]
    assert main([*command, "--threads", threads]) == 130
    out, err = capsys.readouterr()
    stored = qipai.Summary.from_json(file.read_text(encoding="utf-8"))
    assert stored.n >= 600 and err == ""
    assert out == f"{stored}\n  seed: 3, stopped after {stored.n:,} of 1,000,000,000 deals\n"
    if threads == "1":  # else the deals are those that were done first
        assert stored == qipai.play_batch("fangyang", "greedy", stored.n, seed=3)


@pytest.mark.usefixtures("ctrl_c_works")
def test_interrupted_before_anything_is_done(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.cli.simulate.play_batch", interrupting(0))
    assert main(["simulate", "fangyang", "--hands", "1e9", "--seed", "3"]) == 130
    assert capsys.readouterr().out == "  seed: 3, stopped after 0 of 1,000,000,000 deals\n"


def test_a_terminal_gets_a_bar_with_the_interval_and_the_time_left(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    out = run(capsys, "shuangkou", *BOTS, "--hands", "600", "--seed", "1")
    drawn = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out)
    batch = qipai.play_batch("shuangkou", ["greedy", "random"], 600, seed=1)
    low, high = batch.interval(0)
    assert f"greedy {batch.mean(0):+.3f}, 95% {low:+.3f} to {high:+.3f} ━" in drawn
    assert "100% 0:00:00" in drawn


# Elsewhere


@pytest.mark.parametrize("on", ["dask", "ray"])
def test_a_cluster_plays_the_same_batch(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, on: str
) -> None:
    connected: list[object] = []

    def connect(where: str, address: str | None) -> str:
        connected.extend([where, address])
        return "engine"

    def play_on(engine: object, *args: Any, **options: Any) -> qipai.Summary:
        assert engine == "engine"
        return qipai.play_batch(*args, **options)

    monkeypatch.setattr("qipai.cluster.connect", connect)
    monkeypatch.setattr("qipai.cluster.play_batch_on", play_on)
    command = ["fangyang", *BOTS, "--hands", "40", "--seed", "7", "--duplicate"]
    assert run(capsys, *command, "--on", on, "--address", "tcp://a:1") == run(capsys, *command)
    assert connected == [on, "tcp://a:1"]


@pytest.mark.parametrize(("on", "library"), [("dask", "distributed"), ("ray", "ray")])
def test_without_its_library_it_says_what_to_install(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, on: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert main(["simulate", "fangyang", "--on", on]) == 2
    out, err = capsys.readouterr()
    assert out == "" and f"pip install 'qipai[{on}]'" in err and err.count("\n") == 1


def test_a_scheduler_that_is_not_there(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(where: str, address: str | None) -> None:
        raise OSError(f"nobody at {address}")

    monkeypatch.setattr("qipai.cluster.connect", connect)
    assert main(["simulate", "fangyang", "--on", "dask", "--address", "tcp://a:1"]) == 2
    assert capsys.readouterr().err == "qipai: --on dask: nobody at tcp://a:1\n"


# Wrong input


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["bridge"], "'bridge'"),
        (["fangyang", "--bots", "clever"], "'clever'; there are random, greedy, search"),
        (["fangyang", "--bots", ""], "''"),
        (["fangyang", "--bots", "greedy,greedy,random"], "3 cannot be dealt out to 4 players"),
        (["fangyang", "--hands", "0"], "'0'"),
        (["fangyang", "--hands", "1.5"], "'1.5'"),
        (["fangyang", "--hands", "1e999"], "'1e999'"),
        (["fangyang", "--hands", "nan"], "'nan'"),
        (["fangyang", "--hands", "many"], "'many'"),
        (["fangyang", "--threads", "0"], "'0'"),
        (["fangyang", "--threads", "1000"], "--threads"),
        (["fangyang", "--seed", "-1"], "--seed"),
        (["fangyang", "--worlds", "3"], "--worlds is for the bot search"),
        (["fangyang", "--bots", "search", "--worlds", "9" * 30], "--worlds"),
        (["fangyang", "--rules", "stake=0"], "stake"),
        (["fangyang", "--json", "/no/such/folder/summary.json"], "/no/such/folder"),
        (["fangyang", "--on", "slurm"], "'slurm'"),
    ],
)
def test_wrong_input_gets_one_line_and_status_2(
    capsys: Capture, argv: list[str], said: str
) -> None:
    assert main(["simulate", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("qipai: ") and err.count("\n") == 1
    assert said in err


# Summaries, stored


def test_a_summary_is_stored_whole() -> None:
    batch = qipai.play_batch("shuangkou", ["greedy", "random"], 30, seed=1, duplicate=True)
    assert qipai.Summary.from_dict(json.loads(json.dumps(batch.as_dict()))) == batch
    stored = batch.as_dict()
    stored["outcomes"].clear()
    assert batch.outcomes  # a copy
    other = qipai.play_batch("shuangkou", ["greedy", "random"], 9, seed=1, first=30, duplicate=True)
    again = qipai.Summary.from_json(batch.to_json()) + qipai.Summary.from_json(other.to_json())
    assert again == qipai.play_batch("shuangkou", ["greedy", "random"], 39, seed=1, duplicate=True)


@pytest.mark.parametrize(
    "change",
    [
        {"n": 0},
        {"n": "30"},
        {"hands": 7},
        {"hands": 31},
        {"stake": 0},
        {"players": 5},
        {"bots": "greedy"},
        {"bots": []},
        {"bots": ["greedy", 7]},
        {"sums": [1, 2]},
        {"squares": [-1, 0, 0, 0]},
        {"bot_sums": [1.5, 0]},
        {"bot_squares": None},
        {"outcomes": [1]},
        {"outcomes": {"双扣": 31}},
        {"outcomes": {"双扣": True}},
        {"game": ""},
        {"more": 1},
    ],
    ids=str,
)
def test_a_summary_that_is_none(change: dict[str, object]) -> None:
    batch = qipai.play_batch("shuangkou", ["greedy", "random"], 30, seed=1)
    with pytest.raises(ValueError):
        qipai.Summary.from_dict({**batch.as_dict(), **change})


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000])
def test_json_that_is_no_summary(text: str) -> None:
    with pytest.raises(ValueError):
        qipai.Summary.from_json(text)
