"""``qipai play --me``: a person against bots, driven through standard input."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest

import qipai
from qipai import bots
from qipai.cli import main
from qipai.cli.person import Person
from qipai.cli.screen import Screen

Capture = pytest.CaptureFixture[str]
Play = Callable[..., str]
NAMES = qipai.games()
# Enough to play any hand by its hints.
HINTED = "h\n#1\n" * 500


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "QIPAI_LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def play(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Play:
    """``play(typed, *argv)``: what is shown to somebody who types these lines."""

    def run(typed: str, *argv: str) -> str:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        status = main(["play", *argv])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return run


def record_of(file: Path) -> qipai.Record:
    return qipai.Record.from_json(file.read_text(encoding="utf-8"))


def chosen(game: qipai.Game, seat: int) -> list[str]:
    """The actions of a seat that had a choice."""
    record = game.record().as_dict()
    again = qipai.Record.from_dict({**record, "actions": []}).replay()
    found: list[str] = []
    for actor, text in game.logged_actions():
        if actor == seat and again.legal_count() > 1:
            found.append(text)
        again.apply(text)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_person_plays_a_hand_of_every_game(play: Play, tmp_path: Path, name: str) -> None:
    """Who takes every hint plays as greedy does."""
    file = tmp_path / "hand.json"
    out = play(HINTED, name, "--me", "1", "--seed", "7", "--record", str(file))
    game = record_of(file).replay()
    other = qipai.new(name, seed=7)
    while not other.is_over:
        other.apply(other.auto())
    assert game == other and game.is_over
    # The score is explained line by line, and the person's own is said.
    assert all(line.text in out and line.clause in out for line in game.result)
    mine = game.scores()[1]
    assert out.splitlines()[-2] == f"you: {f'{mine:+}' if mine else 0}"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_shown_that_the_seat_may_not_know(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The same screen for every deal that the seat cannot tell from the true one."""
    game = qipai.new(name, seed=11)
    rng = random.Random(11)
    looked = 0
    while not game.is_over:
        if game.legal_count() > 1 and rng.random() < 0.2 and looked < 12:
            assert game.turn is not None
            seen: list[str] = []
            for world in (game, game.resample(game.turn, looked)):
                monkeypatch.setattr("sys.stdin", StringIO("h\n\n/a\n"))
                Person(Screen(), world, game.turn, [bots.greedy], "en").play()
                title, _, rest = capsys.readouterr().out.partition("\n")
                assert "seed" in title
                seen.append(rest)
            assert seen[0] == seen[1]
            looked += 1
        game.apply(rng.choice(game.legal_actions()))
    assert looked == 12


def test_the_seed_decides_what_the_bots_do(play: Play) -> None:
    command = ["shuangkou", "--me", "0", "--bots", "random", "--seed", "5"]
    assert play(HINTED, *command) == play(HINTED, *command)
    assert play(HINTED, *command) != play(HINTED, *command[:4], "greedy", *command[5:])


def test_bots_are_dealt_out_to_the_places(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    small = bots.search.with_budget(worlds=2)
    play(
        *("", "fangyang", "--bots", "search,greedy", "--worlds", "2", "--seed", "3"),
        *("--record", str(file)),
    )
    game = qipai.new("fangyang", seed=3)
    for number, text in enumerate(record_of(file).actions):
        assert game.turn is not None
        if game.order.index(game.turn) % 2:
            assert str(game.auto()) == text
        else:
            chance = random.Random(f"{game.seed.hex()} {number}").getrandbits(256)
            assert str(small.choose(game, chance)) == text
        game.apply(text)
    assert game.is_over


# What is typed


def left_to(play: Play, tmp_path: Path, typed: str, *argv: str) -> tuple[str, list[str]]:
    """What is shown, and what the person chose."""
    file = tmp_path / "hand.json"
    out = play(typed, *argv, "--me", "0", "--record", str(file))
    return out, chosen(record_of(file).replay(), 0)


LEADS = ["shuangkou", "--seed", "6"]


def first_choice(name: str, seed: int) -> qipai.Game:
    """The first position in which seat 0 has a choice, against greedy bots."""
    game = qipai.new(name, seed=seed)
    while game.turn != 0 or game.legal_count() == 1:
        game.apply(game.auto())
    return game


def test_numbers_are_those_listed(play: Play, tmp_path: Path) -> None:
    game = first_choice("shuangkou", 6)
    out, did = left_to(play, tmp_path, "\n#3\n", *LEADS)
    listing = out[out.index("\n> \n") :].split("#3 ")[1]
    text = listing.split()[0]
    assert text in {str(action) for action in game.legal_actions()}
    assert did[0] == text


def test_every_legal_play_is_listed(play: Play, tmp_path: Path) -> None:
    game = first_choice("shuangkou", 6)
    out, did = left_to(play, tmp_path, "\n", *LEADS)
    listing = out[out.index("\n> \n") :]
    assert f"#{game.legal_count()} " in listing and f"#{game.legal_count() + 1} " not in listing
    words = listing.split()
    listed = {after for word, after in pairwise(words) if word[0] == "#"}
    assert listed == {str(action) for action in game.legal_actions()}
    assert did == []


def test_text_filters_by_cards_and_by_kind(play: Play, tmp_path: Path) -> None:
    game = first_choice("shuangkou", 6)
    texts = [str(action) for action in game.legal_actions()]
    out, _ = left_to(play, tmp_path, "/2\n/bomb\nbomb\n炸弹\n/nonesuch\n", *LEADS)
    _, twos, bombs, same, chinese, none = out.split("> ")
    assert {word for word in twos.split() if word in texts} == {t for t in texts if "2" in t}
    rules = qipai.shuangkou.Rules()
    strong = {t for t in texts if t != "pass" and qipai.shuangkou.classify(t, rules).stars}  # type: ignore[union-attr]
    assert {word for word in bombs.split() if word in texts} == strong != set()
    assert bombs.split()[1:] == same.split()[1:] == chinese.split()[1:]
    assert none.split()[:2] == ["/nonesuch", "nothing"]


def test_plays_are_typed_by_rank_or_by_card(play: Play, tmp_path: Path) -> None:
    """A rank means the lowest card of it, a card itself."""
    game = qipai.new("shuangkou", seed=6)
    hand = game.view(game.turn).hand
    assert game.turn is not None and hand is not None
    twos = [card for card in hand if card % 54 // 4 == 12]
    assert len(twos) > 1
    file = tmp_path / "hand.json"
    for typed, card in (("2", twos[0]), (qipai.cards.format(twos[-1:]), twos[-1])):
        play(f"{typed}\n", *LEADS, "--me", str(game.turn), "--record", str(file))
        first = next(e for e in record_of(file).replay().events() if e.kind == "play")
        assert (first.seat, first.cards) == (game.turn, (card,))


def test_a_verb_may_be_left_out(play: Play, tmp_path: Path) -> None:
    """FY-3: the banker calls a card."""
    game = qipai.new("fangyang", seed=3)
    assert game.turn is not None and game.phase == "call"
    file = tmp_path / "hand.json"
    play("HA\n", "fangyang", "--seed", "3", "--me", str(game.turn), "--record", str(file))
    assert record_of(file).actions[0] == "call HA"


def test_what_is_not_legal_is_explained(play: Play, tmp_path: Path) -> None:
    """SK-40, SK-20: seat 0 is to beat a single."""
    command = ["shuangkou", "--seed", "7"]
    game = first_choice("shuangkou", 7)
    assert game.view(0)["table"] == "5"
    typed = "4\n3457\nxyz\n#99\n#\n"
    out, did = left_to(play, tmp_path, typed, *command)
    answers = out.split("> ")[1:]
    assert did == []
    assert "this does not beat the play on the table (SK-40)" in answers[0]
    assert "no pattern (SK-20)" in answers[1]
    assert "'xyz' is no card" in answers[2]
    assert "there is no #99" in answers[3] and "there is no #" in answers[4]
    chinese, _ = left_to(play, tmp_path, "4\n", *command, "--lang", "zh")
    assert "管不上桌上的牌 (SK-40)" in chinese


def test_hints_are_numbered_best_first(play: Play, tmp_path: Path) -> None:
    hints = [str(action) for action in first_choice("shuangkou", 6).hint(3)]
    out, did = left_to(play, tmp_path, "h\n#2\n", *LEADS)
    assert f"try #1 {hints[0]}  #2 {hints[1]}  #3 {hints[2]}" in out
    assert did[0] == hints[1]


def test_help(play: Play, tmp_path: Path) -> None:
    out, did = left_to(play, tmp_path, "?\n", *LEADS)
    assert "undo" in out.split("> ?")[1] and did == []


# Undo, quit, records


@pytest.mark.parametrize("name", NAMES)
def test_undo_goes_back_to_the_last_decision(play: Play, tmp_path: Path, name: str) -> None:
    """Two decisions, both taken back, and on by the hints: as if they had not been."""
    command = [name, "--seed", "9"]
    plain, _ = left_to(play, tmp_path, HINTED, *command)
    undone, _ = left_to(play, tmp_path, "#1\n#1\nu\nu\n" + HINTED, *command)
    assert undone.count("  back\n") == 2
    assert undone.endswith(plain[plain.index("> h") :])


def test_there_is_nothing_to_undo_at_first(play: Play, tmp_path: Path) -> None:
    out, did = left_to(play, tmp_path, "u\n#1\nu\nu\n", *LEADS)
    assert out.count("you have decided nothing yet") == 2
    assert did == []


@pytest.mark.parametrize("typed", ["h\n#1\nq\n", "h\n#1\n", "h\n#1"])
def test_who_leaves_keeps_the_record(play: Play, tmp_path: Path, typed: str) -> None:
    file = tmp_path / "hand.json"
    out = play(typed, *LEADS, "--me", "0", "--record", str(file))
    game = record_of(file).replay()
    assert not game.is_over and game.turn == 0
    assert len(chosen(game, 0)) == 1
    assert out.splitlines()[-1] == "stopped" and "score" not in out


def test_an_interruption_keeps_the_record(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Pressed(StringIO):
        def readline(self, size: int = -1, /) -> str:
            return super().readline(size) or self.interrupt()

        def interrupt(self) -> str:
            raise KeyboardInterrupt

    file = tmp_path / "hand.json"
    monkeypatch.setattr("sys.stdin", Pressed("h\n#1\n"))
    assert main(["play", *LEADS, "--me", "0", "--record", str(file)]) == 130
    assert len(chosen(record_of(file).replay(), 0)) == 1
    assert capsys.readouterr().err == ""


def test_a_match(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    command = ["shuangkou", "--me", "2", "--seed", "7", "--hands", "2", "--record", str(file)]
    out = play(HINTED, *command)
    match = qipai.Match("shuangkou", seed=7)
    for line in file.read_text(encoding="utf-8").splitlines():
        for text in qipai.Record.from_json(line).actions:
            match.game.apply(text)
        assert json.loads(line)["seed"] == match.game.seed.hex()
        match.next()
    assert match.hands == 2
    assert [int(word) for word in out.splitlines()[-1].split()[2:]] == match.totals


# The screen


def test_a_terminal_draws_the_hand(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")
    out = play("", "fangyang", "--seed", "3", "--me", "2")
    hand = qipai.new("fangyang", seed=3).view(2).hand
    assert hand is not None and len(hand) == 13
    assert "╭──" * 13 + "╮" in out and "╰──" * 13 + "╯" in out
    wide = play("", "shuangkou", "--seed", "3", "--me", "2")
    assert "╭──" * 19 + "╮" in wide and "╭──" * 20 not in wide  # 27 cards in two rows
    assert "\x1b[1;31m♥ " in wide


def test_cards_and_tiles_have_faces() -> None:
    from qipai.cli.games import game_text

    cards = game_text("shuangkou").faces(qipai.cards.parse("C3 H10 SA B R"))
    assert list(map(str, cards)) == ["3♣", "10♥", "A♠", "小王", "大王"]
    tiles = game_text("mahjong").faces(qipai.tiles.parse("1m5p9s4z5z6z7z"))
    assert list(map(str, tiles)) == ["一万", "五筒", "九条", "北", "白", "发", "中"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--me", "4"], "--me: the seats are 0 to 3"),
        (["--me", "-1"], "--me"),
        (["--me", "east"], "'east'"),
        (["--me", "0", "--bots", "clever"], "'clever'"),
        (["--bots", "greedy,search,random"], "3 cannot be dealt out"),
        (["--me", "0", "--worlds", "3"], "--worlds"),
    ],
)
def test_wrong_input(capsys: Capture, argv: list[str], said: str) -> None:
    assert main(["play", "shuangkou", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1
