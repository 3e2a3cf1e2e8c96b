"""The laws of laws.py on a few hundred inputs each, and that breaches of them are caught."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qipai
from qipai.fair import Proof

_spec = importlib.util.spec_from_file_location("laws", Path(__file__).with_name("laws.py"))
assert _spec is not None and _spec.loader is not None
laws: Any = importlib.util.module_from_spec(_spec)
sys.modules["laws"] = laws  # dataclasses look their module up
_spec.loader.exec_module(laws)


# An int may come out as one of a subclass that lies, which Python only frowns on.
LIES = pytest.mark.filterwarnings("ignore:__index__ returned non-int:DeprecationWarning")


@LIES
@pytest.mark.parametrize("name", laws.LAWS)
def test_laws_hold(name: str) -> None:
    seen = laws.by_chance(laws.LAWS[name], 120 if name == "actions" else 600, 7)
    # Inputs that are all refused prove little.
    assert seen.pop("refused") > 0
    assert sum(seen.values()) >= 8


def loses_a_card(patch: pytest.MonkeyPatch) -> None:
    right = qipai.cards.format
    patch.setattr(qipai.cards, "format", lambda ids, decks: right(ids[:-1], decks=decks))


def raises_key_error(patch: pytest.MonkeyPatch) -> None:
    def parse(*_: object, **__: object) -> None:
        raise KeyError("S3")

    patch.setattr(laws.tiles, "parse", parse)


def forgets_the_last_action(patch: pytest.MonkeyPatch) -> None:
    whole = qipai.Record.replay
    patch.setattr(
        qipai.Record, "replay", lambda self: whole(replace(self, actions=self.actions[:-1]))
    )


def takes_any_stake(patch: pytest.MonkeyPatch) -> None:
    for module in laws.GAMES.values():
        plain = module.Rules.as_dict
        patch.setattr(module.Rules, "as_dict", lambda self, plain=plain: plain(self) | {"stake": 9})


def restores_another_game(patch: pytest.MonkeyPatch) -> None:
    right = qipai.restore

    def restore(data: bytes) -> qipai.Game:
        game = right(data)
        if not game.is_over:
            game.apply(game.auto())
        return game

    patch.setattr(qipai, "restore", restore)


def says_that_all_is_legal(patch: pytest.MonkeyPatch) -> None:
    for module in laws.GAMES.values():
        patch.setattr(module.Game, "check", lambda self, action, *, seat=None: None, raising=False)


def answers_the_opposite(patch: pytest.MonkeyPatch) -> None:
    module = laws.GAMES["shuangkou"]
    right = module.beats_many
    patch.setattr(module, "beats_many", lambda a, b, **more: ~right(a, b, **more))


def steps_one_game_only(patch: pytest.MonkeyPatch) -> None:
    right = qipai.VecGame.step

    def step(self: qipai.VecGame, actions: Any) -> None:
        before = self.game(0)
        right(self, actions)
        if not before.is_over:
            self.reset([0])

    patch.setattr(qipai.VecGame, "step", step)


def overflows(patch: pytest.MonkeyPatch) -> None:
    for module in laws.GAMES.values():
        patch.setattr(
            module.Game, "hint", lambda self, n=1: [self.legal_actions()][n], raising=False
        )


def points_of_anything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(laws, "public", lambda: [lambda *given, **more: given[0].upper()])


def keeps_what_it_is_given(patch: pytest.MonkeyPatch) -> None:
    for module in (qipai.plain, *(sys.modules[f"qipai.rules.{name}"] for name in laws.GAMES)):
        patch.setattr(module, "exact", lambda value, depth=2: value, raising=False)


@LIES
@pytest.mark.parametrize(
    ("name", "breaks", "error"),
    [
        ("text", loses_a_card, AssertionError),
        ("text", raises_key_error, KeyError),
        ("sheet", takes_any_stake, AssertionError),
        ("sheet", keeps_what_it_is_given, (AssertionError, ValueError)),
        ("record", forgets_the_last_action, AssertionError),
        ("snapshot", restores_another_game, AssertionError),
        ("actions", says_that_all_is_legal, AssertionError),
        ("arrays", answers_the_opposite, AssertionError),
        ("games", steps_one_game_only, AssertionError),
        ("arguments", overflows, (IndexError, AssertionError)),
        ("functions", points_of_anything, AttributeError),
    ],
)
def test_breaches_are_caught(
    name: str,
    breaks: Callable[[pytest.MonkeyPatch], None],
    error: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    law = laws.LAWS[name]
    law.seeds()
    breaks(monkeypatch)
    with pytest.raises(error):
        laws.by_chance(law, 3000, 7)


def test_the_command_runs(tmp_path: Path) -> None:
    script = str(Path(__file__).with_name("fuzz_laws.py"))
    command = [sys.executable, script, "--by-chance", "text", "50"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "text: 50 inputs" in done.stdout


# What the laws have found ------------------------------------------------------------------------


@pytest.mark.parametrize(("entry", "value"), [("words", [None, "b"]), ("number", "7")])
def test_a_proof_of_other_types_is_a_value_error(entry: str, value: object) -> None:
    data = Proof.of(bytes(32), ["a", "b"]).as_dict() | {entry: value}
    with pytest.raises(ValueError, match="must be"):
        Proof.from_dict(data)
    record = qipai.new("fangyang", seed=1).record().as_dict() | {"proof": data}
    with pytest.raises(ValueError, match="must be"):
        qipai.Record.from_json(json.dumps(record))


def test_numbers_beyond_any_machine_word() -> None:
    with pytest.raises(ValueError, match=r"below 2\*\*31"):
        qipai.VecGame("fangyang", 2**63)
    vec = qipai.VecGame("fangyang", 2, seed=1)
    for place in (2, 2**70, -(2**70)):
        with pytest.raises(ValueError, match="out of range"):
            vec.game(place)


def test_text_of_cards_that_a_hand_lacks_is_read_as_the_same() -> None:
    game = qipai.new("jiayibing/anshan", seed=3)
    hand = game.view(game.turn).hand
    # Both copies of each card, of which the hand may have none, either or both.
    seen = set()
    for face in range(52):
        card = qipai.cards.format([face])
        seen.add((face in hand, face + 54 in hand))
        for written in (f"{card} {card}'", f"{card}' {card}", f"{card} {card}"):
            action = game.parse(written)
            assert sorted(action.cards) == [face, face + 54]
            again = game.parse(str(action))
            assert sorted(again.cards) == sorted(action.cards)
            reason = game.check(action)
            if {face, face + 54} <= set(hand):
                assert reason is None
            else:
                assert reason is not None and reason.code == "not_held"
    assert {(False, False), (True, False), (False, True)} <= seen


def test_tiles_named_in_any_order_make_the_same_log() -> None:
    game = qipai.new("mahjong/anshan", seed=0)
    while not any(str(action).startswith("pon") for action in game.legal_actions()):
        game.apply(game.auto())
    kind = next(str(a) for a in game.legal_actions() if str(a).startswith("pon"))
    low, high = game.clone(), game.clone()
    first, second = low.apply(kind)[0].cards or ()
    assert first < second
    high.apply([second, first])
    assert high == low
    assert high.snapshot() == low.snapshot()
    text = game.clone()
    text.apply(f"pon {qipai.tiles.format([second, first])}")
    assert text == low
    assert text.record().replay() == text
