"""What holds for any input: a law for each door of the package, as a function of bytes.

A law reads its case from the bytes, so that any bytes are a case and near bytes are near cases. It
returns what came of it, "refused" or another word, with a detail after a bar; whatever it raises is
a breach.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import qipai
from qipai import cards, fair, tiles
from qipai.fair import Proof

NAMES = qipai.games()
GAMES = {name: import_module(f"qipai.{name}") for name in sorted({n.split("/")[0] for n in NAMES})}


def load(path: Path) -> ModuleType:
    """A module by its file: tests are no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


snapshots = load(Path(__file__).parents[1] / "common" / "snapshots.py")


class Source:
    """Choices from bytes; zeros when they run out."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def take(self, n: int) -> bytes:
        """The next n bytes, fewer at the end."""
        part = self.data[self.at : self.at + n]
        self.at += n
        return part

    def below(self, n: int) -> int:
        """A number below n."""
        part = self.take(1 if n <= 256 else 4)
        return int.from_bytes(part, "little") % n

    def pick(self, of: Sequence[Any]) -> Any:
        """One of a sequence."""
        return of[self.below(len(of))]

    def rarely(self, good: Any, *odd: Any) -> Any:
        """The first as a rule, else one of the others."""
        return self.pick(odd) if self.below(12) == 11 else good

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(len(self.data))


def why(error: Exception) -> str:
    """The word for a refusal, with the kind of it as detail."""
    if isinstance(error, qipai.IllegalAction):
        return f"refused|{error.reason.code}"
    words = re.findall(r"[a-z]+", re.sub(r"'.*'|\".*\"", "", str(error), flags=re.S))
    return "refused|" + " ".join(words[:4])


# Positions and records to start from ---------------------------------------------------------


@cache
def hand(name: str, seed: int) -> tuple[qipai.Game, ...]:
    """A random hand: its positions, every few actions."""
    game, rng = qipai.new(name, seed=seed), random.Random(seed)
    found = [game.clone()]
    while not game.is_over:
        game.apply(rng.choice(game.legal_actions()))
        if rng.random() < 0.1:
            found.append(game.clone())
    return (*found, game)


def position(source: Source) -> qipai.Game:
    """A position of some hand, to be played with."""
    positions = hand(source.pick(NAMES), source.below(4))
    return source.pick(positions).clone()


# Things that lie about themselves --------------------------------------------------------------


class Always:
    """Every comparison says yes."""

    def __eq__(self, other: object) -> bool:
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__  # type: ignore[assignment]

    def __hash__(self) -> int:
        return 0


class LyingInt(Always, int):
    """A number that is whatever is asked for."""

    def __index__(self) -> int:
        return LyingInt(int(self))


class OtherInt(Always, int):
    """A number that is another when it is converted."""

    def __index__(self) -> int:
        return LyingInt(250)

    def __int__(self) -> int:
        return -7


class LyingIndex:
    """No number, but it is converted into one that lies."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return LyingInt(self.value)


class LyingStr(Always, str):
    """A text whose methods answer with nonsense."""

    __slots__ = ()

    def __len__(self) -> int:
        return 1

    def __getitem__(self, key: Any) -> str:
        return LyingStr("z" * 99)

    def __iter__(self) -> Any:
        return iter(["\0"] * 3)

    def encode(self, *_: Any) -> bytes:
        return b"\xff" * 99

    def isprintable(self) -> bool:
        return True

    def isascii(self) -> bool:
        return True

    strip = removeprefix = removesuffix = lower = upper = lambda self, *_: self

    def startswith(self, *_: Any) -> bool:
        return True

    endswith = startswith  # type: ignore[assignment]

    def split(self, *_: Any) -> list[Any]:
        return [self, 5]

    def partition(self, *_: Any) -> tuple[Any, ...]:
        return self, self, self


def lying(value: Any, source: Source) -> Any:
    """The same value, or a number or text in it that lies."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return source.pick((LyingInt, OtherInt, LyingIndex))(value)
    if isinstance(value, str):
        return LyingStr(value)
    if isinstance(value, list | tuple) and value:
        at = source.below(len(value))
        return type(value)([*value[:at], lying(value[at], source), *value[at + 1 :]])
    if isinstance(value, dict) and value:
        key = source.pick(list(value))
        return value | {key: lying(value[key], source)}
    return value


# Text ----------------------------------------------------------------------------------------

WORDS = (
    *"3456789TJQKA2BR", "10", "H", "S", "D", "C", "♠", "♥", "小王", "大王", "*", "*2", "*3", "*9",
    "'", "''", " ", ",", "+", "-", "m", "p", "s", "z", "万", "筒", "条", "东", "中", "发", "白",
    "pass", "no", "show", "call", "done", "bury ", "give ", "return ", "pick ", " as ", "as S",
    "chi ", "peng", "gang", "hu", "(", ")", "1", "0", "\0", "\ud800", "٣", "3", "é", "escape 2",
)  # fmt: skip


CARDS = ("S", "H", "D", "C", *"3456789TJQKA2BR", "*2", "'", " ")
TILES = (*"123456789", *"mpsz", "'")


def any_text(source: Source, words: Sequence[str] = WORDS) -> str:
    """Text of words that mean something, of any characters, or both."""
    how = source.below(4)
    if how == 0:
        return source.rest().decode("utf-8", "surrogateescape")
    if how == 1:
        return "".join(source.pick(words) for _ in range(1 + source.below(12)))
    parts: list[str] = []
    for _ in range(1 + source.below(8)):
        word = source.below(len(WORDS) + 2)
        if word < len(WORDS):
            parts.append(WORDS[word])
        else:
            parts.append(chr(source.below(0x11_0000)))
    return "".join(parts)


def text(data: bytes) -> str:
    """Text is refused with a ValueError, or read, and written it is read as the same again.

    Cards, tiles, actions in a position, trumps, melds, hands of a kernel, names of games.
    """
    source = Source(data)
    door = source.pick((cards_text, tiles_text, action_text, action_text, other_text))
    try:
        return door(source)
    except ValueError as error:
        return why(error)


def cards_text(source: Source) -> str:
    decks = 1 + source.below(3)
    written = any_text(source, CARDS)
    ids = cards.parse(written, decks=decks)
    assert cards.parse(cards.format(ids, decks=decks), decks=decks) == ids, written
    return "cards"


def tiles_text(source: Source) -> str:
    written = any_text(source, TILES)
    ids = tiles.parse(written)
    assert tiles.parse(tiles.format(ids)) == ids, written
    return "tiles"


def action_text(source: Source) -> str:
    game = position(source)
    legal = game.legal_actions()
    written = any_text(source, CARDS)
    if legal and source.below(2):
        # Near what is legal.
        near = str(source.pick(legal))
        written = source.pick((near, near + written, written + near, near[1:], near[:-1], near * 2))
    before = game.clone()
    try:
        reason = game.check(written)
        action = game.parse(written)
        again = game.parse(str(action))
        # Exact cards that are the lowest, or that the hand lacks, need not be written.
        assert int(again) == int(action), written
        if again != action:
            assert game.check(again) == game.check(action), written
            if reason is None:
                one, two = game.clone(), game.clone()
                assert one.apply(again) == two.apply(action) and one == two, written
    finally:
        assert game == before, written
    return f"action|{reason.code if reason else 'legal'}"


def other_text(source: Source) -> str:
    gunzi, mahjong = GAMES["gunzi"], GAMES["mahjong"]
    what = source.below(8)
    level = source.below(14)
    written = any_text(source, CARDS if what not in (1, 2, 3) else TILES)
    if what == 0:
        trump = gunzi.Trump(written, level)
        assert gunzi.Trump(trump.suit, trump.level) == trump
    elif what == 1:
        assert mahjong.Meld(str(mahjong.Meld(written))) == mahjong.Meld(written)
    elif what == 2:
        mahjong.is_win("19m19p19s1234567z", (), written)
    elif what == 3:
        mahjong.evaluate(written, written[::-1].split(","), None, gun=written)
    elif what == 4:
        qipai.new(written, seed=1)
    elif what == 5:
        gunzi.is_legal_follow(written, written, written[::-1], gunzi.Trump("H", 5))
    else:
        module = source.pick([GAMES[name] for name in ("shuangkou", "fangyang", "jiayibing")])
        play = module.classify(written)
        if play is None:
            return "no play"
        assert module.classify(play.cards) == play, written
    return f"other|{what}"


# Plain data ----------------------------------------------------------------------------------

ODD = (
    None, True, False, -1, 0, 1, 2, 3, 7, 53, 54, 161, 255, 256, 65_536, 2**31 - 1, 2**31, 2**63,
    2**64, 2**300, -(2**63) - 1, 0.0, 1.0, 1.5, 1e300, float("nan"), float("inf"), "", "3", "S3",
    "a" * 40, "\0", "\ud800", "Ⅷ", "00" * 32, "  " * 32, "AB" * 32, [], {}, [[]], [1], ["3"],
    {"a": 1}, "pass", "escape 1", "escape -1", "escape x", "escape  0", "escape " + "9" * 5000,
)  # fmt: skip


def deep(n: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(n):
        nest = [nest]
    return nest


def any_value(source: Source) -> Any:
    """A value that a JSON file may hold."""
    what = source.below(len(ODD) + 4)
    if what < len(ODD):
        return deepcopy(ODD[what])
    if what == len(ODD):
        return deep(source.pick((3, 100, 300)))
    if what == len(ODD) + 1:
        return [any_value(source) for _ in range(source.below(8))]
    return any_text(Source(source.take(12)))


def edited(tree: Any, source: Source) -> Any:
    """Plain data with a few changes anywhere in it."""
    tree = json.loads(json.dumps(tree))
    for _ in range(1 + source.below(3)):
        at: Any = tree
        while True:
            keys = list(at) if isinstance(at, dict) else range(len(at))
            if not keys:
                break
            key = source.pick(keys)
            inner = at[key]
            if isinstance(inner, dict | list) and inner and source.below(8):
                at = inner
                continue
            what = source.below(9)
            if what == 0:
                pass
            elif what == 8:
                del at[key]
            elif what == 1 and isinstance(at, list):
                at.insert(key, at[source.pick(keys)])
            elif what == 2:
                other = source.pick(keys)
                at[key], at[other] = at[other], at[key]
            elif what == 3 and isinstance(inner, str):
                at[key] = inner + any_text(Source(source.take(6)))
            elif what == 4 and isinstance(inner, int):
                at[key] = inner + source.pick((-1, 1, 54, 256))
            elif what == 5 and isinstance(at, dict):
                at[any_text(Source(source.take(6)))] = any_value(source)
            else:
                at[key] = any_value(source)
            break
    return tree


@cache
def record_of(name: str, seed: int) -> dict[str, Any]:
    """A record as plain data, of a hand that ran a while; some are over, some by an escape."""
    positions = hand(name, seed)
    game = positions[(-1, 1, len(positions) // 2, 0)[seed]].clone()
    if seed == 2:
        with suppress(qipai.IllegalAction):  # where the rules have it
            game.escape(1)
    record = game.record()
    if seed == 3:
        record = replace(record, proof=Proof.of(bytes(32), ["a", "b", "c", "d"], 7))
    return record.as_dict()


def record(data: bytes) -> str:
    """Text is refused with a ValueError, or it is a record, written back as the same record.

    Replayed it is refused, too, or it is a hand with these rules, this history, seed and number of
    actions, whose own record replays to the same hand.
    """
    source = Source(data)
    if source.below(4) == 0:
        written = source.rest().decode("utf-8", "surrogateescape")
    else:
        base = record_of(source.pick(NAMES), source.below(4))
        written = json.dumps(edited(base, source))
    try:
        given = qipai.Record.from_json(written)
    except ValueError as error:
        return why(error)
    assert qipai.Record.from_json(given.to_json()) == given
    try:
        game = given.replay()
    except ValueError as error:
        return why(error)
    mine = game.record()
    assert (mine.rules, mine.history) == (given.rules, given.history)
    assert bytes.fromhex(mine.seed) == bytes.fromhex(given.seed)
    assert len(mine.actions) == len(given.actions)
    again = qipai.Record.from_json(mine.to_json()).replay()
    assert again == game and again.record() == mine
    return "replayed"


@cache
def sheets() -> list[tuple[Any, dict[str, Any]]]:
    """Classes that are plain data, with an instance each."""
    found: list[tuple[Any, dict[str, Any]]] = []
    for name in NAMES:
        game = hand(name, 0)[-1]
        for part in (game.rules, game.deal, game.history, game.next_history):
            found.append((type(part), part.as_dict()))
        if name in ("gunzi/yiku", "fangyang/anshan"):
            batch = qipai.play_batch(name, ["greedy", "random"], 2, seed=1)
            found.append((type(batch), batch.as_dict()))
    found.append((Proof, Proof.of(bytes(32), ["a", "b", "c", "d"], 7).as_dict()))
    return found


def sheet(data: bytes) -> str:
    """Data is refused with a ValueError, or it is a sheet that is written back as the same.

    A game with such rules, deal or history is refused, or it has them, and restores.
    """
    source = Source(data)
    kind, base = source.pick(sheets())
    changed = edited(base, source)
    if source.below(16) == 0:
        changed = any_value(source)
    for _ in range(source.pick((0, 0, 1, 2))):
        changed = lying(changed, source)
    try:
        made = kind.from_dict(changed)
    except ValueError as error:
        return why(error)
    assert kind.from_dict(json.loads(json.dumps(made.as_dict()))) == made
    owner = next((g for g in GAMES.values() if kind in (g.Rules, g.Deal, g.History)), None)
    if owner is None:
        return f"made|{kind.__name__}"
    part = {owner.Rules: "rules", owner.Deal: "deal", owner.History: "history"}[kind]
    try:
        game = owner.Game(**{part: made}, seed=1)
    except ValueError as error:
        return why(error)
    assert getattr(game, part) == made
    assert qipai.restore(game.snapshot()) == game
    assert owner.Game(game.rules, seed=1, deal=game.deal, history=game.history) == game
    return f"game|{owner.__name__} {part}"


# Snapshots -----------------------------------------------------------------------------------


def snapshot(data: bytes) -> str:
    """Bytes are refused with a ValueError, or they are a sound game, which restores again.

    The first byte says whether length and checksum are made right first.
    """
    body = data[1:]
    if data[:1] < b"\xf0":
        body = snapshots.sealed(body[: snapshots.HEADER], body[snapshots.HEADER :])
    try:
        game = qipai.restore(body)
    except ValueError as error:
        return why(error)
    snapshots.sound(game)
    return f"sound|{game.engine.name} {game.phase}"


def snapshot_seeds() -> list[bytes]:
    found = [
        bytes(1) + position.snapshot()
        for name in NAMES
        for seed in range(2)
        for position in hand(name, seed)[:: 4 + 4 * seed]
    ]
    # Answers that are held for their turn.
    game = qipai.new("fangyang/anshan", seed=3)
    game.apply(game.legal_actions()[0])
    game.answer(game.pending()[-1], "no")
    return [*found, bytes(1) + game.snapshot()]


# Actions -------------------------------------------------------------------------------------


def any_action(game: qipai.Game, source: Source) -> Any:
    """Something given as an action."""
    legal = game.legal_actions()
    what = source.below(12)
    if what < 4 and legal:
        return source.pick(legal)
    if what == 4 and legal:
        return str(source.pick(legal))
    if what == 5:
        return source.below(game.num_actions)
    if what == 6:
        return source.pick((-1, game.num_actions, 2**31, 2**63, -(2**64), 2**300))
    if what == 7:
        return any_text(Source(source.take(8)))
    if what == 8:
        return [source.below(170) for _ in range(source.below(6))]
    if what == 9:
        held = game.view(game.turn).as_dict().get("hand") or [0]
        return [source.pick(held) for _ in range(1 + source.below(4))]
    if what == 10:
        return source.take(source.pick((0, 1, 15, 34, 54)))
    if source.below(3) == 0:
        near: Any = source.pick(legal) if legal else 0
        near = source.pick((int(near), str(near), [source.below(256)], source.below(2**16)))
        return lying(near, source)
    other = source.pick(hand(source.pick(NAMES), 0))
    return source.pick(other.legal_actions() or [0])


def actions(data: bytes) -> str:
    """Whatever is given as an action, by whichever seat: a ValueError, the game unchanged, or it
    is done, as ``check`` says; undone, the game is as it was. In the end the game is sound."""
    source = Source(data)
    game = position(source)
    done = 0
    for _ in range(24):
        if not source:
            break
        before = game.clone()
        given = any_action(game, source)
        seat = source.pick((None, None, None, game.turn, 0, 1, 2, 3, 5, 9, -1, 2**70))
        way = source.below(16)
        try:
            if way < 12:
                try:
                    reason = game.check(given, seat=seat)
                finally:
                    assert game == before
                try:
                    game.apply(given, seat=seat)
                except qipai.IllegalAction as error:
                    assert error.reason == reason, (given, seat)
                    raise
                assert reason is None, (given, seat)
            elif way == 12:
                game.answer(source.pick(game.pending() or (0,)), given)
            elif way == 13:
                game.play(given if isinstance(given, str | bytes | list) else [])
            elif way == 14:
                game.escape(source.below(8) - 1)
            else:
                game.undo()
                done += 1
                continue
        except ValueError:
            assert game == before, (given, seat)
            continue
        done += 1
        if len(game.logged_actions()) == len(before.logged_actions()) + 1:
            game.clone().undo()
            undone = game.clone()
            undone.undo()
            assert undone.logged_actions() == before.logged_actions()
    snapshots.sound(game)
    return f"{'done' if done else 'refused'}|{game.engine.name} {game.phase}"


# Arrays --------------------------------------------------------------------------------------


def reshaped(array: np.ndarray, source: Source) -> Any:
    """The same numbers in an array of another make, or nearly the same; often as it is."""
    what = source.below(64) - 1
    if what == 0 and array.dtype.names is None:
        return array.astype(source.pick(("i1", "u1", "i4", "i8", "u8", "f8", "?", "O", "c16")))
    if what == 1:
        return array.astype(array.dtype.newbyteorder(">"))
    if what == 2:
        return np.repeat(array, 2, axis=0)[::2]
    if what == 3:
        return array[::-1]
    if what == 4:
        return np.asfortranarray(array)
    if what == 5:
        return array.T
    if what == 6:
        return array.reshape(-1)
    if what == 7:
        return array[None]
    if what == 8:
        return array[..., :-1]
    if what == 9:
        return np.broadcast_to(array[:1], array.shape)
    if what == 10:
        array.flags.writeable = False
    if what == 11:
        return array.tolist()
    if what == 12:
        return source.pick((None, "array", b"", 3, object()))
    if what == 13:
        return memoryview(array)
    if what == 14:
        return array.tobytes()
    if what == 15:
        return (
            np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:]
            .view(array.dtype)
            .reshape(array.shape)
        )
    if what == 16:
        return array.view([("x", array.dtype)])
    return array


def any_out(dtype: Any, n: int, inputs: list[Any], source: Source) -> Any:
    """An array for the answers: none, fitting, or not."""
    what = source.below(12)
    if what < 4:
        return None
    if what == 4 and inputs and isinstance(inputs[0], np.ndarray):
        own = inputs[0]
        try:
            return own.reshape(-1).view(np.uint8)[: n * np.dtype(dtype).itemsize].view(dtype)
        except (ValueError, TypeError):
            return own
    room = np.zeros(n + source.below(3), dtype)
    if what == 5:
        return np.zeros(max(n - 1, 0), dtype)
    return reshaped(room, source) if what < 10 else room


def kept(array: Any) -> bytes | None:
    return array.tobytes() if isinstance(array, np.ndarray) and array.dtype != object else None


def copied(given: Any) -> Any:
    """The numbers of an array in whatever form, to be kept."""
    if isinstance(given, bytes):
        return np.frombuffer(given, np.uint8)
    return np.array(given) if isinstance(given, np.ndarray | memoryview) else given


def fits(array: Any, dtype: Any, n: int) -> bool:
    """Whether an array for the answers is what the documentation asks for."""
    return array is None or (
        isinstance(array, np.ndarray)
        and array.dtype == dtype
        and array.ndim == 1
        and array.flags.c_contiguous
        and array.flags.writeable
        and array.ctypes.data % array.itemsize == 0
        and len(array) >= n
    )


def native(array: Any, dtype: str, columns: int | None) -> bool:
    """Whether an array of rows is what the documentation asks for."""
    return (
        isinstance(array, np.ndarray)
        and array.dtype == np.dtype(dtype)
        and array.flags.c_contiguous
        and array.flags.aligned
        and (array.ndim == 1 if columns is None else array.shape[1:] == (columns,))
    )


@dataclass
class Call:
    """A batch function with its arrays, and the function that does one row."""

    many: Callable[..., Any]
    one: Callable[[int], Any]  # of the number of a row; ValueError where it is none
    inputs: list[Any]
    rows: int
    proper: bool  # whether the inputs are what the documentation asks for
    dtype: Any
    read: Callable[[Any], Any] = lambda value: value.item()


def counts_rows(source: Source, decks: int, n: int) -> np.ndarray:
    """Counts of ranks, of a few cards mostly."""
    rows = np.zeros((n, 15), np.uint8)
    for row in rows:
        for _ in range(source.below(12)):
            row[source.below(15)] += 1 + source.below(4)
        if source.below(4):
            row[:] = 0
            low, width = source.below(13), 1 + source.below(decks)
            row[low : low + source.pick((1, 1, 1, 3, 5))] = width
    return rows


def packed_rows(counts: np.ndarray) -> np.ndarray:
    shifts = 4 * np.arange(15, dtype=np.uint64)
    return (counts.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)


def counts_of(row: Any) -> bytes:
    """Counts of a row in either form; ValueError where bits are set that no rank has."""
    if np.ndim(row):
        return bytes(row)
    packed = int(row)
    if packed >> 60:
        raise ValueError("bits above the ranks")
    return bytes(packed >> 4 * rank & 15 for rank in range(15))


def climbing_call(source: Source) -> Call:
    name = source.pick(("shuangkou", "fangyang", "jiayibing"))
    module = GAMES[name]
    n = source.rarely(1 + source.below(4), 0)
    given: list[Any] = []
    proper = True
    what = source.below(3)
    for _ in range(2 if what == 1 else 1):
        rows = counts_rows(source, 4, n)
        as_bits = source.below(2)
        array = packed_rows(rows) if as_bits else rows
        if source.below(6) == 0 and n:
            array.reshape(-1)[source.below(array.size)] = int.from_bytes(
                source.take(array.itemsize), "little"
            )
        made = reshaped(array, source)
        given.append(made)
        proper = proper and (native(made, "u8", None) or native(made, "u1", 15))
    if proper:
        n = len(given[0])
        proper = len(given[-1]) == n
    copies = list(map(copied, given))

    def row(which: int, i: int) -> bytes:
        return counts_of(copies[which][i])

    if what == 0:

        def one(i: int) -> Any:
            play = module.classify(row(0, i))
            return (0, 0) if play is None else (int(play), int(play.kind))

        return Call(
            module.classify_many, one, given, n, proper, module.PLAY_DTYPE,
            lambda value: (int(value["id"]), int(value["kind"])),
        )  # fmt: skip
    if what == 1:
        return Call(
            module.beats_many, lambda i: module.beats(row(0, i), row(1, i)), given, n, proper, "?"
        )
    on = source.pick((None, "3", "44", "KKK", "R"))
    return Call(
        lambda array, **more: module.legal_count_many(array, on, **more),
        lambda i: len(module.legal_plays(row(0, i), on)), given, n, proper, "i4",
    )  # fmt: skip


def mahjong_hand(source: Source, melds: int) -> bytes:
    counts = bytearray(34)
    while sum(counts) < 14 - 3 * melds:
        kind, left = source.below(34), 14 - 3 * melds - sum(counts)
        shape = source.below(4)
        if shape == 0 and kind < 27 and kind % 9 < 7 and left >= 3:
            for more in range(3):
                counts[kind + more] += 1
        else:
            counts[kind] += min(left, (1, 1, 2, 3)[shape])
    if source.below(8) == 0:
        counts[source.below(34)] = source.below(256)
    return bytes(counts)


def mahjong_call(source: Source) -> Call:
    mahjong = GAMES["mahjong"]
    n = source.rarely(1 + source.below(4), 0)
    sets = ("", "123m", "777z", "(5555z)", "9999p+", "888s", "6z6z6z")
    rows: list[bytes] = []
    melds: list[bytes] = []
    for _ in range(n):
        own = [source.pick(sets[:6]) for _ in range(source.below(3))]
        own = [meld for meld in own if meld]
        melds.append(mahjong.pack_melds(own))
        rows.append(mahjong_hand(source, len(own)))
    hands = np.frombuffer(b"".join(rows), np.uint8).reshape(n, 34).copy()
    packed = np.frombuffer(b"".join(melds), np.uint8).reshape(n, 4).copy()
    wilds = np.array([source.pick((255, 255, 3, 30, source.below(256))) for _ in rows], np.uint8)
    if source.below(6) == 0 and n:
        packed.reshape(-1)[source.below(packed.size)] = source.below(256)
    given = [reshaped(array, source) for array in (hands, packed, wilds)]
    proper = (
        native(given[0], "u1", 34) and native(given[1], "u1", 4) and native(given[2], "u1", None)
    )
    if proper:
        n = len(given[0])
        proper = len(given[1]) == len(given[2]) == n
    copies = [copied(given[0]), *given[1:]]
    name, dtype = source.pick((("is_win", "?"), ("is_complete", "?"), ("shanten", "i1")))
    single = getattr(mahjong, name)

    def one(i: int) -> Any:
        # Melds and wild may be one value for all rows, too, and are never written.
        own, wild = (some[i] if isinstance(some, np.ndarray) else some for some in copies[1:])
        if isinstance(own, np.ndarray):
            own = bytes(own)
        if isinstance(wild, np.uint8):
            wild = None if wild == 255 else int(wild)
        return single(bytes(copies[0][i]), own, wild)

    return Call(getattr(mahjong, f"{name}_many"), one, given, n, proper, dtype)


def tricks_call(source: Source) -> Call:
    gunzi = GAMES["gunzi"]
    n = source.rarely(1 + source.below(4), 0)
    rows = np.full((n, 12), 255, np.uint8)
    for row in rows:
        size = 1 + source.below(3)
        for player in range(4):
            face = source.below(54)
            for place in range(size):
                row[3 * player + place] = face if player == 0 else (face + source.below(2)) % 54
    if source.below(6) == 0 and n:
        rows.reshape(-1)[source.below(rows.size)] = source.below(256)
    trump = np.array([source.below(33) for _ in range(n)], np.uint8)
    array: np.ndarray = rows
    if source.below(2):
        array = np.array([packed_trick(row) for row in rows], np.uint64)
    given = [reshaped(array, source), reshaped(trump, source)]
    proper = native(given[1], "u1", None) and (
        native(given[0], "u8", None) or native(given[0], "u1", 12)
    )
    if proper:
        n = len(given[0])
        proper = len(given[1]) == n
    copies = list(map(copied, given))

    def one(i: int) -> int:
        plays = plays_of(copies[0][i])
        face = int(copies[1][i])
        if face > 31:
            raise ValueError("no trump")
        level = gunzi.Trump("DCHS"[face % 4], 3 + face // 4)
        assert int(level) == face
        return gunzi.trick_winner(plays, level)

    return Call(gunzi.trick_winner_many, one, given, n, proper, "u1")


def packed_trick(row: np.ndarray) -> int:
    size = int((row[:3] != 255).sum())
    packed = int(row[0]) & 63 | (size & 3) << 60
    for follower in range(3):
        for place in range(size):
            face = int(row[3 * (follower + 1) + place]) & 63
            packed |= face << 6 + 18 * follower + 6 * place
    return packed


def plays_of(row: Any) -> list[bytes]:
    """The plays of a row in either form, as counts of faces; ValueError where it is no trick."""
    if np.ndim(row):
        faces = [[int(face) for face in row[3 * i : 3 * i + 3]] for i in range(4)]
        if any(play != sorted(play, key=lambda face: face == 255) for play in faces):
            raise ValueError("a gap")
        faces = [[face for face in play if face != 255] for play in faces]
    else:
        packed = int(row)
        size = packed >> 60
        faces = [[packed & 63] * size]
        for i in range(3):
            faces.append([packed >> 6 + 18 * i + 6 * place & 63 for place in range(3)])
            if any(faces[-1][size:]):
                raise ValueError("bits that no card has")
            del faces[-1][size:]
    if not 1 <= len(faces[0]) <= 3 or any(face > 53 for play in faces for face in play):
        raise ValueError("no trick")
    return [bytes(play.count(face) for face in range(54)) for play in faces]


def arrays(data: bytes) -> str:
    """Arrays of any make: a ValueError or TypeError, nothing written, or row by row what the
    function for one gives. Where they are as documented, it is the first just where a row is none.

    An array for the answers that lies in the input is refused, or the answers are right.
    """
    source = Source(data)
    call = source.pick((climbing_call, climbing_call, mahjong_call, tricks_call))(source)
    out = any_out(call.dtype, call.rows, call.inputs, source)
    threads = source.rarely(1, 2, 0, 257, 2**40, 1.0, None, True, np.int64(1))
    before = [kept(one) for one in (*call.inputs, out)]
    shares = isinstance(out, np.ndarray) and any(
        isinstance(one, np.ndarray) and np.shares_memory(out, one) for one in call.inputs
    )
    try:
        answers = call.many(*call.inputs, out=out, threads=threads)
    except (ValueError, TypeError) as error:
        assert [kept(one) for one in (*call.inputs, out)] == before, "written, then refused"
        usual = isinstance(threads, int | np.integer) and 1 <= threads <= 256
        if call.proper and fits(out, call.dtype, call.rows) and usual and threads is not True:
            if shares:
                return why(error)
            assert any(refuses(call.one, i) for i in range(call.rows)), error
        return why(error)
    rows = len(np.asarray(call.inputs[0]))
    answers = np.asarray(answers)
    assert answers.shape == (rows,)
    # Memory that tells its items only by their size is taken for the answers, too.
    assert out is not None or answers.dtype == np.dtype(call.dtype)
    wanted = [call.one(i) for i in range(rows)]
    assert [call.read(answer) for answer in answers] == wanted, (wanted, answers)
    if isinstance(out, np.ndarray):
        assert rows == 0 or np.shares_memory(out, answers)
        size = answers.nbytes
        assert out.tobytes()[size:] == before[-1][size:], "written beyond the rows"
    if not shares:
        assert [kept(one) for one in call.inputs] == before[:-1], "the input is written"
    return f"{'answered' if rows else 'no rows'}|{call.dtype} {bool(shares)}"


def refuses(one: Callable[[int], Any], i: int) -> bool:
    try:
        one(i)
    except ValueError:
        return True
    return False


def games(data: bytes) -> str:
    """VecGame.step with arrays of any make: a ValueError or TypeError, no game moved, or every
    game moved as a Game of its own does."""
    source = Source(data)
    name, n = source.pick(NAMES), 1 + source.below(3)
    try:
        vec = qipai.VecGame(
            name,
            source.rarely(n, 0, -1, True, 1.0, "1", None, 2**63),
            source.rarely(source.below(9), -1, b"x", 2**256, 1.5, "1", None),
            mask=source.rarely("bits", "bytes", "none", "bit", None),
            autoreset=source.rarely("disabled", "next_step", "", None),
            threads=source.rarely(1, 2, 0, 300, 2**40, "2", None),
        )
    except (ValueError, TypeError) as error:
        return why(error)
    n = len(vec)
    moved = 0
    for step in range(12):
        if not source:
            break
        before = [vec.game(i) for i in range(n)]
        chosen = vec.random_actions(step).copy()
        if source.below(4) == 0:
            chosen[source.below(n)] = source.pick((0, -1, 1, 300, vec.num_actions, 2**31 - 1))
        given = reshaped(chosen, source)
        try:
            vec.step(given)
        except (ValueError, TypeError):
            assert [vec.game(i) for i in range(n)] == before
            legal = all(
                game.is_over or game.check(int(action)) is None
                for game, action in zip(before, chosen, strict=True)
            )
            proper = native(given, "i4", None) and len(given) == n
            assert not (proper and given is chosen and legal), given
            continue
        moved += 1
        for i, action in enumerate(np.asarray(given).tolist()):
            if before[i].is_over:
                continue
            before[i].apply(action)
            assert vec.game(i) == before[i]
            assert vec.dones[i] == before[i].is_over
    before = [vec.game(i) for i in range(n)]
    place = source.rarely(0, -1, n, 2**70, 1.5, None, "0", True)
    try:
        vec.game(place)
        vec.reset([place])
        vec.random_actions(source.rarely(0, -1, 2**64, 1.5, None))
    except (ValueError, TypeError):
        for i in range(n):
            assert vec.game(i) == before[i] or i == place
    return f"{'moved' if moved else 'refused'}|{name}"


# Arguments -----------------------------------------------------------------------------------

SCALARS = (
    None, True, False, -1, 0, 1, 2, 3, 5, 6, 255, 2**31, 2**63, 2**64, 2**256, -(2**63) - 1, 0.0,
    1.5, "1", "table", "", b"", b"\0" * 32, b"\0" * 33, [], [0], (), {}, object(), np.int8(1),
    np.float64(1), np.zeros(2), "\ud800", range(3), Ellipsis, ValueError, LyingInt(10**30),
    LyingInt(-1), LyingInt(250), OtherInt(1), LyingIndex(250), LyingIndex(-1), LyingStr("3"),
    LyingStr("\ud800"), Always(),
)  # fmt: skip


def arguments(data: bytes) -> str:
    """Arguments of any type to a game's methods and to play_batch: a ValueError or TypeError, the
    game unchanged, or an answer that does not depend on where it was written."""
    source = Source(data)
    game = position(source)
    before = game.clone()
    what = source.below(10)
    one, two = source.pick(SCALARS), source.pick(SCALARS)
    try:
        if what == 0:
            out = any_out("i4", game.legal_count(), [], source)
            assert np.array_equal(game.legal_ids(out), game.legal_ids())
        elif what == 1:
            packed = bool(source.below(2))
            size = (game.num_actions + 7) // 8 if packed else game.num_actions
            out = any_out(source.pick(("u1", "?")), size, [], source)
            assert np.array_equal(
                game.action_mask(out, packed=packed), game.action_mask(packed=packed)
            )
        elif what == 2:
            out = any_out("u1", game.observation_spec[-1].stop, [], source)
            assert np.array_equal(game.observe(one, out), game.observe(one))
        elif what == 3:
            wide = game.engine.feature_spec()
            out = any_out("u1", game.legal_count(), [], source)
            if isinstance(out, np.ndarray) and wide and source.below(2):
                out = reshaped(np.zeros((len(out), wide[-1].stop), "u1"), source)
            assert np.array_equal(game.action_features(out), game.action_features())
        elif what == 4:
            other = game.resample(one, two)
            assert other.view(one).as_dict() == game.view(one).as_dict()
            assert qipai.restore(other.snapshot()) == other
        elif what == 5:
            json.dumps(game.view(one).as_dict())
            game.events(one)
        elif what == 6:
            assert set(game.hint(one)) <= set(game.legal_actions())
        elif what == 7:
            try:
                game.clone().apply(one, seat=two)
            finally:
                game.check(one, seat=two)
        elif what == 8:
            qipai.new(source.pick(NAMES), seed=one).next_hand(two)
        else:
            return batch(source)
    except (ValueError, TypeError, RuntimeError) as error:
        if isinstance(error, RuntimeError):
            assert type(error) is RuntimeError and what == 8, error
        assert game == before
        return why(error)
    assert game == before
    return f"answered|{what}"


def batch(source: Source) -> str:
    name = source.pick((*NAMES, "nonesuch", "", "shuangkou/", None, 7))
    bots = source.pick(("greedy", "random", ["greedy", "random"], ["random"] * 3, [], "x", None, 3))
    # No number of hands that would be played for long.
    n = source.pick((1, 2, 3, 0, -1, True, 1.0, "1", None, 2**63 + 1, 2**64))
    more = {
        "seed": source.pick(SCALARS),
        "first": source.pick((0, 0, 1, -1, 2**63 - 1, 2**63, 1.0, "0", None)),
        "duplicate": source.pick((False, True, 0, 1, "", None)),
    }
    threads = source.pick((1, 2, 0, 257, 2**70, 1.0, True, None))
    made = qipai.play_batch(name, bots, n, threads=threads, **more)
    assert made.n == n and sum(made.outcomes.values()) == made.hands
    if more["seed"] is not None:
        assert qipai.play_batch(name, bots, n, **more) == made
    return "batch"


# What the functions of a game take, by name.
KEYWORDS = (
    *("rules", "seed", "deal", "history", "threads", "out"),
    *("gun", "after_kong", "dry", "level"),
)


@cache
def public() -> list[Callable[..., Any]]:
    """The public functions and classes of the games, of cards and tiles, and of fair."""
    modules = (*GAMES.values(), cards, tiles)
    found = [getattr(module, name) for module in modules for name in module.__all__]
    found += [fair.commitment, fair.hand_seed, Proof]
    return [one for one in found if callable(one)]


@cache
def likely() -> list[Any]:
    """Arguments that some function takes."""
    gunzi, mahjong = GAMES["gunzi"], GAMES["mahjong"]
    found: list[Any] = [
        "77", "888", "3456789", "H8", "H8*2", "H3*2 H8*3 C5", "123m456p789s111z22m", "777z", "5s",
        13, ["777z"], (1, 0), (3, 4), [0, 1, 2], ["H8", "H9", "C3", "S3"], bytes([1] * 15),
        bytes(34),
        bytes([1] * 34), bytes([0] * 53 + [1]), np.zeros((2, 15), np.uint8), np.ones(2, np.uint64),
        np.zeros((2, 34), np.uint8), np.full((2, 12), 255, np.uint8), np.zeros((0, 34), np.uint8),
        gunzi.Trump("S", 5), mahjong.Meld("123m"), ["a", "b", "c", "d"], iter("77"), 2**31 - 1,
    ]  # fmt: skip
    for module in GAMES.values():
        game = module.Game(seed=1)
        found += [game.rules, game.deal, game.history, game.deal.as_dict()]
        if hasattr(module, "classify"):
            found.append(module.classify("7"))
    return found


def functions(data: bytes) -> str:
    """Any public function of any module on arguments of any type: a ValueError or TypeError, or an
    answer."""
    source = Source(data)
    function = source.pick(public())
    given = [
        source.pick(likely()) if source.below(4) else source.pick(SCALARS)
        for _ in range(source.below(6))
    ]
    more = {
        source.pick(KEYWORDS): source.pick(likely()) if source.below(2) else source.pick(SCALARS)
        for _ in range(source.pick((0, 0, 0, 1, 2)))
    }
    try:
        answer = function(*given, **more)
        if hasattr(answer, "__next__"):
            for _, _ in zip(range(20), answer, strict=False):
                pass
    except (ValueError, TypeError) as error:
        return why(error)
    return f"answered|{getattr(function, '__name__', function)}"


# The laws ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """A law with inputs to start from, and how many of them a long run tries."""

    check: Callable[[bytes], str]
    seeds: Callable[[], list[bytes]]
    runs: int


def chance_seeds() -> list[bytes]:
    rng = random.Random(1)
    return [rng.randbytes(n) for n in (8, 16, 32, 64, 128) for _ in range(8)]


def text_seeds() -> list[bytes]:
    texts = ["S3 H3'", "77899R", "123m456p789s11z", "H5*2", "show B*3 as S", "KK*", "♠3 小王"]
    doors = [bytes([door, *more, 0]) for door in (0, 1, 2, 4) for more in ((), (0, 0, 0))]
    return [door + text.encode() for door in doors for text in texts] + chance_seeds()


def record_seeds() -> list[bytes]:
    whole = [json.dumps(record_of(name, 1)).encode() for name in NAMES]
    nested = b"[" * 3000 + b"]" * 900
    return [b"\0" + text for text in (*whole, nested)] + chance_seeds()


LAWS = {
    "text": Law(text, text_seeds, 400_000),
    "sheet": Law(sheet, chance_seeds, 200_000),
    "record": Law(record, record_seeds, 100_000),
    "snapshot": Law(snapshot, snapshot_seeds, 300_000),
    "actions": Law(actions, chance_seeds, 40_000),
    "arrays": Law(arrays, chance_seeds, 300_000),
    "games": Law(games, chance_seeds, 60_000),
    "arguments": Law(arguments, chance_seeds, 200_000),
    "functions": Law(functions, chance_seeds, 400_000),
}


def by_chance(law: Law, n: int, seed: int) -> dict[str, int]:
    """Try n inputs that chance makes from the law's own; what came of them."""
    rng = random.Random(seed)
    seeds = law.seeds()
    seen: dict[str, int] = {}
    for _ in range(n):
        data = rng.choice(seeds) if rng.random() < 0.5 else rng.randbytes(rng.randrange(200))
        word = law.check(snapshots.damage(data, rng)).partition("|")[0]
        seen[word] = seen.get(word, 0) + 1
    return seen
