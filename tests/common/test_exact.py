"""Sheets, deals, histories, records and summaries hold what was checked, and are read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import qipai
from qipai import bots, cards, draw
from qipai.cli.arguments import many, number, positive

NAMES = qipai.games()
GAMES = [import_module(f"qipai.{name}") for name in sorted({n.split("/")[0] for n in NAMES})]


class Number(int):
    """Whatever it is compared with, it says what is wanted."""

    def __eq__(self, other: object) -> bool:
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __eq__  # type: ignore[assignment]

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 1


class Text(str):
    __slots__ = ()

    def __len__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__

    def isprintable(self) -> bool:
        return True

    def encode(self, *_: Any) -> bytes:
        return b"x"


class Row(tuple[Any, ...]):
    __slots__ = ()

    def __len__(self) -> int:
        return 4

    def __iter__(self) -> Any:
        return iter((1, 1, 1, 1))


def lying(value: Any) -> Any:
    """The same value, of types that lie."""
    kind = {int: Number, str: Text}.get(type(value))
    if kind is not None:
        return kind(value)
    if isinstance(value, tuple):
        return Row([lying(item) for item in value])
    if isinstance(value, dict):
        return {Text(key): lying(item) for key, item in value.items()}
    return value


def is_exact(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(is_exact, value))
    if type(value) is dict:
        return all(is_exact(item) for pair in value.items() for item in pair)
    return value is None or type(value) in (int, str, bool)


def parts() -> list[Any]:
    found: list[Any] = [qipai.play_batch("fangyang", ["greedy", "random"], 2, seed=1)]
    for name in NAMES:
        game = qipai.new(name, seed=1)
        while not game.is_over:
            game.apply(game.auto())
        found += [game.rules, game.deal, game.history, game.next_history, bots.search]
    return found


def test_what_is_kept_is_exact() -> None:
    for part in parts():
        values = {field.name: getattr(part, field.name) for field in fields(part)}
        made = type(part)(**{name: lying(value) for name, value in values.items()})
        kept = {field.name: getattr(made, field.name) for field in fields(made)}
        assert kept == values
        assert all(is_exact(value) or type(value) is float for value in kept.values()), made
        if hasattr(part, "as_dict"):
            again = type(part).from_dict({k: lying(v) for k, v in part.as_dict().items()})
            assert again == part
            assert all(is_exact(getattr(again, field.name)) for field in fields(again))


@pytest.mark.parametrize("module", GAMES)
def test_a_number_or_text_that_lies_is_seen_through(module: Any) -> None:
    """SK-67, GZ-66, AM-50, FY-23, JY-20: every field of every sheet is in range, whatever it says
    of itself."""
    rules = module.Rules()
    for field in fields(rules):
        value = getattr(rules, field.name)
        if type(value) is bool:
            bad: tuple[Any, ...] = (Number(1), 1, "true")
        elif isinstance(value, int):
            bad = (Number(10**30), Number(-1), True, 10**5000)
        elif isinstance(value, str):
            bad = (Text("x" * 33), Text("\0"), Text(""))
        else:
            bad = (Row(value[:1]), Row([Number(10**6)] * len(value)), Row(["1"] * len(value)))
        for lie in bad:
            with pytest.raises(ValueError, match=field.name):
                rules.replace(**{field.name: lie})
            with pytest.raises(ValueError, match=field.name):
                module.Rules.from_dict(rules.as_dict() | {field.name: lie})


def test_deals_and_histories_see_through_lies() -> None:
    gunzi, mahjong = import_module("qipai.gunzi"), import_module("qipai.mahjong")
    fangyang, shuangkou = import_module("qipai.fangyang"), import_module("qipai.shuangkou")
    jiayibing = import_module("qipai.jiayibing")
    deal = gunzi.Game(seed=1).deal
    for call, name in (
        (lambda: deal.replace(start=Number(9)), "start"),
        (lambda: deal.replace(flips=[Number(60)] * 6), "flips"),
        (lambda: deal.replace(redeals=Number(1 << 16)), "redeals"),
        (lambda: gunzi.History(levels=[Number(50), 3], dealer=0), "levels"),
        (lambda: gunzi.History(dealer=Number(4)), "dealer"),
        (lambda: gunzi.History(dealer=0, blood=Number(24)), "blood"),
        (lambda: mahjong.History(Number(4)), "dealer"),
        (lambda: mahjong.Game(seed=1).deal.replace(dealer=Number(-1)), "dealer"),
        (lambda: fangyang.History(Number(4)), "banker"),
        (lambda: fangyang.Game(seed=1).deal.replace(start=Number(4)), "start"),
        (lambda: jiayibing.History(Number(6)), "leader"),
        (lambda: shuangkou.History(Row([Number(7), 0, 1, 2])), "order"),
    ):
        with pytest.raises(ValueError, match=name):
            call()


def test_numbers_of_numpy_are_ints() -> None:
    rules = qipai.new("mahjong", seed=1).rules.replace(stake=np.int64(5))
    assert type(rules.stake) is int and rules.stake == 5
    for value in (np.bool_(True), np.float64(1), np.array([1, 2]), 1.0):
        with pytest.raises(ValueError, match="stake"):
            rules.replace(stake=value)


def test_marks_and_walls_are_in_range() -> None:
    """JY-3: the marked 3 is a 3; AM-13: 82 tiles are left by the deal."""
    jiayibing, mahjong = import_module("qipai.jiayibing"), import_module("qipai.mahjong")
    for card in (250, 108, 4, 53):
        with pytest.raises(ValueError, match="special_card"):
            jiayibing.Rules.anshan().replace(special_card=Number(card))
    with pytest.raises(ValueError, match="dead_wall"):
        mahjong.Rules.anshan().replace(dead_wall=Number(83))


# Records -----------------------------------------------------------------------------------------


def written(**changes: Any) -> dict[str, Any]:
    rules = qipai.new("shuangkou", seed=1).rules.replace(escape=True)
    game = type(qipai.new("shuangkou", seed=1))(rules, seed=1)
    game.escape(2)
    return game.record().as_dict() | changes


def test_the_seed_of_a_record_is_64_digits() -> None:
    seed = written()["seed"]
    assert qipai.Record.from_dict(written()).replay().is_over
    for bad in (" " * 64, seed[:32] + " " * 32, "A" + seed[1:], "１" + seed[1:], seed + "\n", "",
                seed[1:], seed + "0"):  # fmt: skip
        with pytest.raises(ValueError, match="seed"):
            qipai.Record.from_json(json.dumps(written(seed=bad)))


@pytest.mark.parametrize("text", ["escape １", "escape ٢", "escape 2 ", "escape  2", "escape +2",
                                  "escape 2\n", "escape 1_0", "escape 9"])  # fmt: skip
def test_who_escapes_is_of_digits(text: str) -> None:
    record = qipai.Record.from_json(json.dumps(written(actions=[text])))
    with pytest.raises(ValueError, match="action 0"):
        record.replay()


def test_the_command_line_reads_digits() -> None:
    assert (positive("12"), many("1e3"), many("12"), number("0x1f")) == (12, 1000, 12, 31)
    for read in (positive, many, number):
        with pytest.raises(Exception, match="must be a whole number"):
            read("１２")


def test_a_record_names_its_format_and_what_it_does_not_know() -> None:
    """A higher format is told by its number, whatever else is in it."""
    for changes in ({"format": 2}, {"format": 2, "mood": 1}):
        with pytest.raises(ValueError, match="the record has format 2, this version reads 1"):
            qipai.Record.from_dict(written(**changes))
    with pytest.raises(ValueError, match="a record of format 1 has no 'mood'"):
        qipai.Record.from_dict(written(mood=1))
    for part in ("rules", "deal", "history"):
        with pytest.raises(ValueError, match="has no 'mood'"):
            qipai.Record.from_dict(written(**{part: written()[part] | {"mood": 1}}))
    for entry in ("format", "game", "rules", "seed", "deal", "history", "actions"):
        data = written()
        del data[entry]
        with pytest.raises(ValueError, match=f"a record lacks '{entry}'"):
            qipai.Record.from_dict(data)


def test_fields_of_a_record() -> None:
    record = qipai.Record.from_dict(written())
    lies: dict[str, Any] = {
        name: lying(getattr(record, name)) for name in ("game", "seed", "actions", "format")
    }
    made = replace(record, **lies)
    assert made == record
    assert all(is_exact(getattr(made, name)) for name in lies)
    bad: list[tuple[str, Any]] = [
        ("game", 5), ("seed", Text(" " * 64)), ("seed", None), ("actions", ["pass"]),
        ("actions", (1,)), ("format", Number(2)), ("format", True), ("rules", {}), ("deal", None),
        ("history", 5), ("proof", 5),
    ]  # fmt: skip
    for name, value in bad:
        with pytest.raises((ValueError, TypeError), match=f"record('s| has) {name}"):
            replace(record, **{name: value})


# Arguments ---------------------------------------------------------------------------------------


def test_what_is_no_argument_is_named() -> None:
    game = qipai.new("shuangkou", seed=1)
    view = game.view(0)
    batch = qipai.play_batch("fangyang", ["greedy", "random"], 2, seed=1)
    shuangkou = import_module("qipai.shuangkou")
    wrong: list[tuple[Callable[[Any], object], Any, type[Exception], str]] = [
        (qipai.Record.of, 5, TypeError, "game must be a Game, not int"),
        (bots.greedy.choose, None, TypeError, "game must be a Game, not NoneType"),
        (draw.view, 5, TypeError, "seen must be a View, not int"),
        (draw.summary, 5, TypeError, "batch must be a Summary, not int"),
        (draw.result, [5], TypeError, "must be a Line, not int"),
        (draw.cards, 3, TypeError, "cards must be .* not int"),
        (draw.tiles, 3, TypeError, "tiles must be .* not int"),
        (lambda high: draw.cards("H3", height=high), 10**400, ValueError, "height must be 1 to"),
        (lambda high: draw.cards("H3", height=high), 10**5000, ValueError, "height must be 1 to"),
        (lambda high: draw.cards("H3", height=high), "x", TypeError, "height must be an integer"),
        (lambda wild: draw.tiles("1m", wild=wild), 34, ValueError, "wild must be a kind"),
        (draw.backs, 163, ValueError, "count must be 0 to 162, not 163"),
        (batch.mean, 5, ValueError, "bot must be 0 to 1, not 5"),
        (batch.mean, -1, ValueError, "bot must be 0 to 1, not -1"),
        (batch.mean, "0", TypeError, "bot must be an integer"),
        (batch.interval, np.uint64(2**64 - 1), ValueError, "bot must be 0 to 1, not 18446"),
        (batch.seat_mean, 4, ValueError, "seat must be 0 to 3, not 4"),
        (shuangkou.classify, view, TypeError, "cards must be .* not View"),
        (game.apply, view, TypeError, "cards must be .* not View"),
        (cards.format, view, TypeError, "cards must be .* not View"),
        (draw.cards, view, TypeError, "cards must be .* not View"),
        (iter, view, TypeError, "View"),
    ]
    for function, value, error, text in wrong:
        with pytest.raises(error, match=text) as caught:
            function(value)
        assert type(caught.value) is error, text
    assert batch.mean(np.int64(1)) == batch.mean(1)
    assert re.search('height="10000"', draw.cards("H3", height=10_000))
