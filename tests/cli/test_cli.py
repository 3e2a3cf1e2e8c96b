"""The command line: every command, every kind of wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import qipai
from qipai.cli import main
from qipai.cli.games import Facts, GameText, Groups, game_text
from qipai.verify import Mismatch

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "QIPAI_LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def run(capsys: Capture, *argv: str) -> str:
    """Run a command that must succeed and say nothing on standard error."""
    status = main(list(argv))
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


def facts(out: str) -> list[tuple[str, dict[str, str]]]:
    """The answers of eval: the presets, and what is said of each."""
    found: list[tuple[str, dict[str, str]]] = []
    for line in out.splitlines()[1:]:
        if line.startswith("  "):
            name, _, value = line.strip().partition(" ")
            found[-1][1][name] = value.strip()
        else:
            found.append((line, {}))
    return found


def moves(out: str) -> list[str]:
    """The actions in the output of play or replay, without their kinds."""
    rows = [line.split() for line in out.splitlines()]
    return [row[5] for row in rows if len(row) > 5 and row[0].isdigit() and row[1] == "seat"]


def amounts(out: str, row: str) -> list[int]:
    line = next(line for line in out.splitlines() if line.strip().startswith(row))
    return [int(word) for word in line.split()[2:]]


# games, eval, legal


def test_games_are_listed_with_their_chinese_names(capsys: Capture) -> None:
    lines = run(capsys, "games").splitlines()
    assert [line.split()[0] for line in lines] == qipai.games()
    bianfeng = next(line for line in lines if "shuangkou/bianfeng" in line)
    assert "百变双扣" in bianfeng and "边锋" in bianfeng


def test_eval_reads_a_wildcard_once_for_presets_that_agree(capsys: Capture) -> None:
    """SK-31: 77899+R is 778899."""
    (presets, said), *rest = facts(run(capsys, "eval", "shuangkou", "77899R"))
    assert not rest
    assert presets == "shuangkou/wenzhou, shuangkou/bianfeng, shuangkou/lishui"
    assert said["kind"] == "pair run 连对"
    assert (said["rank"], said["groups"], said["reading"]) == ("9", "3 of 2", "778899")
    assert said["stars"].startswith("none")


def test_eval_tells_presets_apart(capsys: Capture) -> None:
    """SK-19: a loop is a chain bomb of 4 + 3 stars in bianfeng and lishui, nothing in wenzhou."""
    wenzhou, others = facts(run(capsys, "eval", "shuangkou", "AAAA22223333"))
    assert wenzhou[0] == "shuangkou/wenzhou" and wenzhou[1]["kind"].startswith("none")
    assert others[0] == "shuangkou/bianfeng, shuangkou/lishui"
    assert others[1]["kind"] == "chain bomb 连环炸弹"
    assert others[1]["stars"] == "7"
    assert others[1]["groups"] == "3 of 4, a loop 循环炸"


def test_eval_takes_one_preset_house_rules_and_cards_apart(capsys: Capture) -> None:
    """SK-16, SK-19: the sheet's fields decide."""
    loop = ["AAAA", "2222", "3333"]
    ((name, said),) = facts(run(capsys, "eval", "shuangkou/wenzhou", *loop))
    assert name == "shuangkou/wenzhou" and said["kind"].startswith("none")
    out = run(capsys, "eval", "shuangkou/wenzhou", *loop, "--rules", "loops=true")
    assert facts(out)[0][1]["stars"] == "7"
    nine = ["eval", "shuangkou/wenzhou", "7777777RR"]
    assert facts(run(capsys, *nine))[0][1]["kind"].startswith("none")
    assert facts(run(capsys, *nine, "--rules", "max_bomb=9"))[0][1]["stars"] == "9"


def test_legal_groups_the_plays_of_a_hand(capsys: Capture) -> None:
    """SK-10, SK-12, SK-14, SK-30: 33R plays 3, R, 33, 3R, 33R."""
    head, *rows = run(capsys, "legal", "shuangkou", "33R").splitlines()
    assert head == "shuangkou/wenzhou: 5 plays"
    assert [row.split() for row in rows] == [
        ["single", "单张", "2", "3", "R"],
        ["pair", "对子", "2", "33", "3R"],
        ["triple", "三张", "1", "33R"],
    ]


def test_legal_on_a_play(capsys: Capture) -> None:
    """SK-40, SK-41: on a pair only a higher pair or a bomb."""
    head, *rows = run(capsys, "legal", "shuangkou", "3356667777", "--on", "66").splitlines()
    assert head == "shuangkou/wenzhou: 2 plays"
    assert [row.split()[-1] for row in rows] == ["77", "7777"]
    assert run(capsys, "legal", "shuangkou", "33", "--on", "BBRR").split()[1:] == ["0", "plays"]


def test_eval_and_legal_of_cards_alike(capsys: Capture) -> None:
    """FY-10, FY-11; JY-10: five alike are no pattern, but a field of the sheet."""
    assert facts(run(capsys, "eval", "fangyang", "KKK"))[0][1] == {
        "kind": "triple 三同张",
        "rank": "K",
    }
    five = ["eval", "jiayibing", "33333"]
    assert facts(run(capsys, *five))[0][1]["kind"].startswith("none")
    assert facts(run(capsys, *five, "--rules", "max_alike=5"))[0][1]["kind"] == "five 五同张"
    # FY-2: 3 and 2 are above A.
    head, row = run(capsys, "legal", "fangyang", "44AA33B", "--on", "22").splitlines()
    assert head == "fangyang/anshan: 1 play" and row.split() == ["pair", "对子", "1", "33"]


def test_hands_are_shown_in_the_order_of_the_game(capsys: Capture) -> None:
    """FY-2, JY-2: 放羊 ranks 3 and 2 above A and shows suits, 甲乙丙 has 3 lowest."""
    for name, order, players in (
        ("fangyang", "456789TJQKA23BR", 4),
        ("jiayibing", "3456789TJQKA2BR", 6),
    ):
        rows = run(capsys, "play", name, "--seed", "7").splitlines()[1 : players + 1]
        for seat, row in enumerate(rows):
            cards = row.split()[3:] if players == 4 else list(row.split()[3])
            assert row.split()[:3] == ["seat", str(seat), str(len(cards))]
            assert [card[-1] for card in cards] == sorted(
                [card[-1] for card in cards], key=order.index
            )


def ask(game: str, command: str, *argv: str) -> Facts | Groups:
    """What a game's own words say of cards, by its first preset."""
    kernel = import_module(f"qipai.{game}")
    text = game_text(game)
    parser = ArgumentParser()
    parser.add_argument("cards", nargs="+")
    if command == "eval":
        text.eval_options(parser)
        return text.evaluate(kernel, kernel.Rules(), parser.parse_args(argv))
    text.legal_options(parser)
    return text.legal(kernel, kernel.Rules(), parser.parse_args(argv))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ["123m", "456p 789s", "111z22z", "--wild", "5z"],
            {"total": "2 番", "穷胡 AM-32": "1", "站立 AM-33": "1", "pair": "22z"},
        ),
        (
            ["11m 11m 55p 77p 22s 44s 66s", "--wild", "5z"],
            {"total": "5 番", "四归一 AM-36": "1", "七对 AM-39": "1", "二八 AM-40": "1"},
        ),
        (["123m 456p 789s 22z", "--melds", "111z", "--wild", "5z"], {"total": "1 番"}),
        # The 混 stands for the second 2z; 穷胡 goes, the triplet of 7z is 大哥大.
        (
            ["123m 456p 789s 777z 25z", "--wild", "5z"],
            {"total": "2 番", "大哥大 AM-35": "1", "混 stand for": "2z"},
        ),
        (["123m 456m 789p 111z 22z", "--wild", "5z"], {"win": "none 不胡"}),
        # 13 tiles: two pairs, either may become the triplet.
        (
            ["123m 456p 789s 11z 22z", "--wild", "5z", "--gun", "1z"],
            {"wait 听 1z": "5 番", "wait 听 2z": "4 番"},
        ),
    ],
)
def test_eval_of_a_mahjong_hand(argv: list[str], said: dict[str, str]) -> None:
    """The worked cases of the rules; AM-3, AM-24, AM-35, AM-37."""
    facts = ask("mahjong", "eval", *argv)
    assert isinstance(facts, list) and said.items() <= dict(facts).items()


def test_legal_of_a_mahjong_hand() -> None:
    """AM-4, AM-20: each discard by what it leaves; 13 tiles by what helps."""
    hand = ["123m 456p 789s 11z 22z 5z", "--wild", "5z"]
    groups = ask("mahjong", "legal", *hand)
    assert isinstance(groups, dict)
    assert next(iter(groups.items())) == ("win 胡", ["win"])
    text, kernel = game_text("mahjong"), import_module("qipai.mahjong")
    rules = kernel.Rules(discard_wild=False)
    args = Namespace(cards=hand[:1], wild="5z", melds=[])
    assert any("5z" in tiles for tiles in groups.values())
    assert not any("5z" in tiles for tiles in text.legal(kernel, rules, args).values())
    assert ask("mahjong", "legal", "123m 456p 789s 11z 22z", "--wild", "5z") == {
        "win 胡": ["1z", "2z", "5z"],
        "improve 进张": ["1z", "2z", "5z"],
    }


def test_eval_of_a_trick_of_gunzi() -> None:
    """GZ-2, GZ-5, GZ-55: `H8*2 HK*2 HA+H3 H9*2` at level 5, spades trump, is the second's."""
    facts = ask("gunzi", "eval", "H8*2", "HK*2", "HA+H3", "H9*2", "--level", "5")
    assert facts == [
        ("H8*2", "two alike 棒, 0 分"),
        ("HK*2", "two alike 棒, 20 分"),
        ("HA+H3", "not alike 散, 0 分"),
        ("H9*2", "two alike 棒, 0 分"),
        ("wins", "HK*2 (play 2)"),
    ]
    assert ask("gunzi", "eval", "R*3") == [("R*3", "three alike 滚, 0 分")]


def test_legal_of_a_hand_of_gunzi() -> None:
    """GZ-50, GZ-53: leads are 单, 棒, 滚; to a 棒 a 滚 need not be broken."""
    assert ask("gunzi", "legal", "H9*2 C4") == {
        "single 单": ["C4", "H9"],
        "two alike 棒": ["H9*2"],
    }
    on = ["--on", "H8*2", "--level", "5"]
    follows = ask("gunzi", "legal", "H9*3 H3 H4 C4", *on)
    assert isinstance(follows, dict)
    assert follows["two alike 棒"] == ["H9*2"] and "H3+H4" in follows["not alike 散"]
    # `H6 H9` live yes, dead no.
    assert ask("gunzi", "legal", "H6*2 H9 C4", *on) == {"two alike 棒": ["H6*2"]}


# play and replay


@pytest.mark.parametrize("name", qipai.games())
def test_every_game_is_played_and_replayed(capsys: Capture, tmp_path: Path, name: str) -> None:
    file = tmp_path / "hand.json"
    out = run(capsys, "play", name, "--seed", "7", "--record", str(file))
    assert run(capsys, "replay", str(file)) == out
    game = qipai.Record.from_json(file.read_text(encoding="utf-8")).replay()
    assert game.is_over and amounts(out, "score") == game.scores()
    assert all(line.text in out and line.clause in out for line in game.result)


@pytest.mark.parametrize("name", qipai.games())
def test_every_game_has_its_words(capsys: Capture, name: str) -> None:
    (line,) = (line for line in run(capsys, "games").splitlines() if line.split()[0] == name)
    assert len(line.split()) > 3
    for command in ("eval", "legal"):
        assert run(capsys, command, name, "--help").startswith(f"usage: qipai {command} {name}")


def test_play_is_the_hand_of_its_seed(capsys: Capture) -> None:
    game = qipai.new("shuangkou/bianfeng", seed=7)
    played: list[str] = []
    while not game.is_over:
        played.append(str(game.auto()))
        game.apply(game.auto())
    out = run(capsys, "play", "shuangkou/bianfeng", "--seed", "7")
    assert moves(out) == played
    assert out.startswith("shuangkou/bianfeng 百变双扣, seed 7\n")
    assert amounts(out, "score") == game.scores()
    assert all(line.text in out and line.clause in out for line in game.result)
    assert out == run(capsys, "play", "shuangkou/bianfeng", "--seed", "0x7")
    assert "\x1b" not in out and all(line == line.rstrip() for line in out.splitlines())


def test_play_counts_the_cards_left(capsys: Capture) -> None:
    out = run(capsys, "play", "shuangkou", "--seed", "3")
    left = [27] * 4
    for line in out.splitlines():
        row = line.split()
        if len(row) > 5 and row[0].isdigit():
            seat = int(row[2])
            left[seat] -= 0 if row[5] == "pass" else len(row[5])
            assert int(row[3]) == left[seat]


def test_play_without_a_seed_says_which_it_took(capsys: Capture) -> None:
    out = run(capsys, "play", "shuangkou")
    seed = out.splitlines()[0].rpartition("seed ")[2]
    assert out == run(capsys, "play", "shuangkou", "--seed", seed)


def test_a_match_goes_on_from_hand_to_hand(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    command = ["play", "shuangkou", "--seed", "7", "--hands", "3", "--record", str(file)]
    out = run(capsys, *command)
    match = qipai.Match("shuangkou", seed=7)
    totals = [0] * 4
    for number in range(3):
        game = match.game if number == 0 else match.next()
        while not game.is_over:
            game.apply(game.auto())
        totals = [a + b for a, b in zip(totals, game.scores(), strict=True)]
    assert [int(word) for word in out.splitlines()[-1].split()[2:]] == totals
    # The hands again, without the lines about the match.
    assert run(capsys, "replay", str(file)) in out
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3


def test_replay_shows_what_play_showed(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    played = run(capsys, "play", "shuangkou", "--seed", "11", "--record", str(file))
    assert run(capsys, "replay", str(file)) == played
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["actions"] == moves(played)
    file.write_text(json.dumps(record, indent=1), encoding="utf-8")
    assert run(capsys, "replay", str(file)) == played


def test_replay_reads_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    game = qipai.new("shuangkou", seed=1)
    monkeypatch.setattr("sys.stdin", StringIO(game.record().to_json()))
    out = run(capsys, "replay", "-")
    assert out.splitlines()[-2] == f"not over: seat {game.turn} is to act"


def test_replay_shows_an_escape(capsys: Capture, tmp_path: Path) -> None:
    """SK-68: who escapes loses 双扣 base 4 x multiplier 1 x 2, the others nothing."""
    game = qipai.new("shuangkou/bianfeng", seed=1)
    game.apply(game.legal_actions()[0])
    game.escape(2)
    file = tmp_path / "hand.json"
    file.write_text(game.record().to_json(), encoding="utf-8")
    out = run(capsys, "replay", str(file))
    assert moves(out)[1:] == ["escape"]
    assert "seat 2 escapes; the hand is over" in out
    assert amounts(out, "score") == [0, 0, -8, 0]


def test_house_rules_are_shown_and_recorded(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    rules = ["--rules", "base_even=[1,-1,-1,1]", "--rules", "stake=5"]
    out = run(capsys, "play", "shuangkou", "--seed", "2", *rules, "--record", str(file))
    assert out.splitlines()[1:3] == ["  base_even=[1,-1,-1,1]", "  stake=5"]
    assert json.loads(file.read_text(encoding="utf-8"))["rules"]["stake"] == 5
    assert run(capsys, "replay", str(file)) == out


def test_results_in_chinese(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["play", "shuangkou", "--seed", "7"]
    chinese = run(capsys, *command, "--lang", "zh")
    assert "胜方最大炸弹" in chinese and "largest bomb" not in chinese
    monkeypatch.setenv("QIPAI_LANG", "zh_CN")
    assert run(capsys, *command) == chinese
    assert "largest bomb" in run(capsys, *command, "--lang", "en")


def no_module(name: str) -> None:
    """What find_spec says of a module that is not there."""


def test_a_game_without_words_of_its_own_is_played(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["play", "shuangkou", "--seed", "7"]
    known = run(capsys, *command)
    monkeypatch.setattr("qipai.cli.games.find_spec", no_module)
    out = run(capsys, *command)
    assert moves(out) == moves(known)
    assert amounts(out, "score") == amounts(known, "score")
    hand = qipai.new("shuangkou", seed=7).view(0).hand
    assert hand is not None and 0 in {card % 54 for card in hand}  # a diamond 3
    assert out.splitlines()[1].split()[:4] == ["seat", "0", "27", "D3"]
    assert main(["eval", "shuangkou", "3"]) == main(["legal", "shuangkou", "3"]) == 2


def test_cards_of_any_game_have_faces() -> None:
    text = GameText()
    assert text.cards([54 + 6, 6, 53]) == "H4 H4 R"
    assert text.hand([53, 54 + 6, 0]) == "D3 H4 R"


# verify


def test_verify_compares_all_presets_of_a_game(capsys: Capture) -> None:
    lines = run(capsys, "verify", "shuangkou", "-n", "1", "--seed", "5").splitlines()
    assert [line.split(":")[0] for line in lines] == [
        name for name in qipai.games() if name.startswith("shuangkou/")
    ]
    assert all(": 1 hand, " in line and line.endswith("no difference") for line in lines)


@pytest.mark.parametrize(
    ("end", "status", "said"),
    [
        (Mismatch('scores: compiled 1, reference 2\n{"format":1}'), 1, '{"format":1}'),
        (KeyboardInterrupt(), 130, "no difference, stopped"),
    ],
)
def test_verify_says_how_far_it_came(
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    end: BaseException,
    status: int,
    said: str,
) -> None:
    def compare(name: str, n: int, seed: int, **options: object) -> Iterator[int]:
        yield from (70, 30)
        raise end

    monkeypatch.setattr("qipai.cli.check.compare_hands", compare)
    assert main(["verify", "shuangkou", "-n", "9"]) == status
    out, err = capsys.readouterr()
    assert out.startswith("shuangkou/wenzhou: 2 hands, 100 actions, ") and said in out
    assert "bianfeng" not in out and err == ""


# Wrong input


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "COMMAND"),
        (["deal"], "'deal'"),
        (["eval"], "GAME"),
        (["eval", "shuangkou"], "CARDS"),
        (["eval", "bridge", "3"], "'bridge'; there are shuangkou/wenzhou"),
        (["eval", "shuangkou/hangzhou", "3"], "'hangzhou'; it has wenzhou, bianfeng, lishui"),
        (["eval", "shuangkou", "77X"], "'X' in '77X' is no card"),
        (["eval", "shuangkou", "777777777"], "9 cards of rank 7"),
        (["eval", "shuangkou", "3", "--wild", "5z"], "--wild 5z"),
        (["eval", "shuangkou", "3", "--rules", "loops"], "FIELD=VALUE"),
        (["eval", "shuangkou", "3", "--rules", "loop=true"], "'loop'"),
        (["eval", "shuangkou", "3", "--rules", "max_bomb=99"], "max_bomb"),
        (["legal", "bridge", "3"], "'bridge'"),
        (["legal", "shuangkou", "3 4 Z"], "'Z'"),
        (["legal", "shuangkou", "34", "--on", "34"], "34 is no play"),
        (["legal", "shuangkou", "34", "--on", "Q1"], "'1'"),
        (["play", "bridge"], "'bridge'"),
        (["play", "shuangkou", "--seed", "seven"], "'seven'"),
        (["play", "shuangkou", "--seed", "-1"], "seed must be at least 0"),
        (["play", "shuangkou", "--seed", "-1", "--hands", "2"], "seed must be at least 0"),
        (["play", "shuangkou", "--hands", "0"], "'0'"),
        (["play", "shuangkou", "--lang", "fr"], "'fr'"),
        (["play", "shuangkou", "--record", "/no/such/folder/hand.json"], "/no/such/folder"),
        (["replay", "/no/such/hand.json"], "/no/such/hand.json"),
        (["verify", "bridge"], "'bridge'"),
        (["verify", "shuangkou", "-n", "-3"], "'-3'"),
        (["verify", "shuangkou", "-n", "many"], "'many'"),
    ],
)
def test_wrong_input_gets_one_line_and_status_2(
    capsys: Capture, argv: list[str], said: str
) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("qipai: ") and err.count("\n") == 1
    assert said in err


def damaged_records() -> Iterator[tuple[str, str]]:
    game = qipai.new("shuangkou", seed=5)
    for _ in range(9):
        game.apply(game.auto())
    whole = game.record().as_dict()
    yield "empty", ""
    yield "cut short", json.dumps(whole)[:-40]
    yield "no record", "[1, 2]"
    yield "nested", "[" * 100_000
    yield "a second one is damaged", json.dumps(whole) + "\n{}"
    changes: list[tuple[str, object]] = [
        ("format", 99),
        ("game", "bridge"),
        ("rules", {}),
        ("seed", "07"),
        ("seed", "z" * 64),
        ("deal", {"hands": [[0]] * 4, "open_card": 0}),
        ("history", {"order": [0, 0, 0, 0]}),
        ("actions", ["pass"]),
        ("actions", [*whole["actions"], "BBRR"]),
        ("actions", ["escape x"]),
        ("actions", [7]),
    ]
    for name, value in changes:
        yield f"{name} {value!r:.20}", json.dumps({**whole, name: value})


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in damaged_records()])
def test_a_damaged_record_gets_one_line_and_status_2(
    capsys: Capture, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "hand.json"
    file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"qipai: {file}: ") and err.count("\n") == 1


def test_a_record_that_is_no_text(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_bytes(b"\xff\xfe\x00")
    assert main(["replay", str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_without_rich_it_says_what_to_install(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert main(["games"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "pip install 'qipai[cli]'" in err and err.count("\n") == 1


# The whole program


def test_version_and_help(capsys: Capture) -> None:
    assert run(capsys, "--version") == f"qipai {qipai.__version__}\n"
    for command in ("games", "eval", "legal", "play", "replay", "verify"):
        assert command in run(capsys, "--help")
        assert run(capsys, command, "--help").startswith(f"usage: qipai {command}")
    assert "--on" in run(capsys, "legal", "shuangkou", "--help")


def test_a_terminal_gets_colour(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for argv in (["games"], ["eval", "shuangkou", "77899R"], ["play", "shuangkou", "--seed", "7"]):
        assert "\x1b[" in run(capsys, *argv)


def program(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": str(options.get("encoding", "utf-8"))}
    return subprocess.run(
        [sys.executable, "-m", "qipai", *argv],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )


def test_the_program_plays_records_and_replays(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    played = program("play", "shuangkou/lishui", "--seed", "7", "--record", str(file))
    assert (played.returncode, played.stderr) == (0, "")
    assert program("replay", str(file)).stdout == played.stdout
    assert run(capsys, "play", "shuangkou/lishui", "--seed", "7") == played.stdout
    wrong = program("replay", str(tmp_path / "none.json"))
    assert (wrong.returncode, wrong.stdout) == (2, "") and "Traceback" not in wrong.stderr


def test_an_output_without_chinese_is_no_error() -> None:
    done = program("eval", "shuangkou", "77899R", encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "pair run ??" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a closed pipe is no SIGPIPE there")
def test_a_reader_that_leaves_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "qipai", "play", "shuangkou", "--seed", "7"],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "")
