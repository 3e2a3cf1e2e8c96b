"""Everything that allocates, done again and again, and what memory is in use."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

import qipai
from qipai import bots, cards, tiles

# The least that the C library hands out, and what it keeps beside it.
SMALLEST_CHUNK = 32


class _Mallinfo2(ctypes.Structure):
    """What glibc tells of its heap."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
        .split()
    ]  # fmt: skip


def _mallinfo2() -> Callable[[], Any] | None:
    try:
        function = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return None
    function.restype = _Mallinfo2
    return function


mallinfo2 = _mallinfo2()


@dataclass(frozen=True)
class Use:
    """Memory in use.

    ``blocks``: of Python's own allocator; ``heap``: bytes that were asked of the C library, larger
    Python objects included, but not what tracemalloc needs for itself (0 where it is not glibc);
    ``rss``: bytes of pages in memory (0 where there is no /proc); ``traced``: bytes that
    tracemalloc knows of, 0 while it does not run.
    """

    blocks: int
    heap: int
    rss: int
    traced: int

    def __sub__(self, other: Use) -> Use:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Use(*(mine - theirs for mine, theirs in pairs))

    def __str__(self) -> str:
        return (
            f"{self.blocks:,} blocks, heap {self.heap:,}, traced {self.traced:,}, rss {self.rss:,}"
        )


def in_use() -> Use:
    """What is in use once all garbage is collected."""
    gc.collect()
    heap = 0
    if mallinfo2 is not None:
        info = mallinfo2()
        heap = info.uordblks + info.hblkhd - tracemalloc.get_tracemalloc_memory()
    rss = 0
    status = Path("/proc/self/statm")
    if status.exists():
        rss = int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Use(sys.getallocatedblocks(), heap, rss, tracemalloc.get_traced_memory()[0])


# Operations ------------------------------------------------------------------------------------


def middle(name: str) -> qipai.Game:
    """A hand that ran for a while."""
    game = qipai.new(name, seed=3)
    for _ in range(40):
        if game.is_over:
            break
        game.apply(game.auto())
    if game.is_over:
        game = qipai.new(name, seed=4)
        game.apply(game.auto())
    return game


def end(name: str) -> qipai.Game:
    """A hand that is over."""
    game = qipai.new(name, seed=5)
    while not game.is_over:
        game.apply(game.auto())
    return game


def refused(call: Callable[[], object]) -> Callable[[], object]:
    """A call that must raise a ValueError (an IllegalAction is one) or a TypeError."""

    def tried() -> None:
        try:
            call()
        except (ValueError, TypeError):
            return
        raise AssertionError("it was to be refused")

    return tried


def kernels(name: str) -> dict[str, Callable[[], object]]:
    """The public functions of a game, on what is right and on what is not."""
    module = import_module(f"qipai.{name.split('/')[0]}")
    if hasattr(module, "classify"):
        rows = np.array([1, 2, 3], np.uint64)
        bad = np.array([1, 1 << 63], np.uint64)
        hand = "3344556677R"
        return {
            "classify": lambda: module.classify("77"),
            "classify refused": refused(lambda: module.classify("7" * 9)),
            "beats": lambda: module.beats("88", "77"),
            "beats refused": refused(lambda: module.beats("88", "79")),
            "legal_plays": lambda: module.legal_plays(hand),
            "legal_ids": lambda: module.legal_ids(hand, "33"),
            "classify_many": lambda: module.classify_many(rows),
            "classify_many refused": refused(lambda: module.classify_many(bad)),
            "beats_many": lambda: module.beats_many(rows, rows),
            "beats_many refused": refused(lambda: module.beats_many(rows, bad)),
            "legal_count_many": lambda: module.legal_count_many(rows, "3"),
            "legal_count_many refused": refused(lambda: module.legal_count_many(rows[::2])),
        }
    if module.__name__.endswith("gunzi"):
        trump = module.Trump("S", 5)
        hand = "H3*2 H4 H6 C7*3 S8 B R"
        trick = np.full((3, 12), 255, np.uint8)
        trick[:, ::3] = 1, 2, 3, 5
        return {
            "Trump": lambda: module.Trump("H", 7),
            "Trump refused": refused(lambda: module.Trump("H", 2)),
            "legal_leads": lambda: module.legal_leads(hand, trump),
            "is_legal_follow": lambda: module.is_legal_follow("H8", "H3", hand, trump),
            "is_legal_follow refused": refused(
                lambda: module.is_legal_follow("H8 H9", "H3", hand, trump)
            ),
            "iter_follows": lambda: list(module.iter_follows("H8*2", hand, trump)),
            "iter_follows left": lambda: next(iter(module.iter_follows("C9*2", hand, trump))),
            "random_follow": lambda: module.random_follow("H8", hand, trump, seed=1),
            "trick_winner": lambda: module.trick_winner(["H8", "H9", "C3", "S3"], trump),
            "settle": lambda: module.settle(80, True, (1, 0), level=(3, 4)),
            "trick_winner_many": lambda: module.trick_winner_many(trick, trump),
            "trick_winner_many refused": refused(
                lambda: module.trick_winner_many(trick, np.full(3, 40, np.uint8))
            ),
        }
    hand, waiting = "123m456m789m11z222z", "123m456m789m11z22z"
    rows = np.zeros((2, 34), np.uint8)
    rows[:, :14] = 1
    return {
        "Meld": lambda: module.Meld("(7777z)"),
        "Meld refused": refused(lambda: module.Meld("129m")),
        "is_win": lambda: module.is_win(hand, (), "3s"),
        "is_win refused": refused(lambda: module.is_win(waiting)),
        "evaluate": lambda: module.evaluate(hand, (), "2z"),
        "waits": lambda: module.waits(waiting),
        "waits_fan": lambda: module.waits_fan(waiting, (), "2z"),
        "shanten": lambda: module.shanten(waiting),
        "improving": lambda: module.improving(waiting),
        "payments": lambda: module.payments(3, 0, 1, 2),
        "is_win_many": lambda: module.is_win_many(rows),
        "is_win_many refused": refused(lambda: module.is_win_many(rows[:, :33].copy())),
        "shanten_many": lambda: module.shanten_many(rows, ["123m"][:0], 3),
    }


def operations(name: str) -> dict[str, Callable[[], object]]:
    """All that a caller may do with a game, each leaving nothing behind."""
    game, over, numbers = middle(name), end(name), count()
    kind = type(game)
    saved, written = game.snapshot(), game.record().to_json()
    broken = saved[:-1] + bytes([saved[-1] ^ 1])
    lost = json.dumps({**json.loads(written), "actions": ["pass"] * 4})
    legal = game.legal_actions()[-1]
    wrong = next(id for id in range(game.num_actions) if game.check(id) is not None)
    seat = game.turn or 0
    vec = qipai.VecGame(name, 4, seed=1)
    bad_actions = np.full(4, -1, np.int32)
    small = np.empty(0, np.int32)
    search = bots.search.with_budget(worlds=1, candidates=2)

    def undone() -> None:
        game.apply(legal)
        game.undo()

    def answered() -> None:
        other = game.clone()
        for asked in other.pending():
            if asked != other.turn:
                other.answer(asked, other.view(asked).legal_actions[0])
                other.snapshot()
                break

    def escaped() -> None:
        with suppress(qipai.IllegalAction):
            game.clone().escape(seat)

    def last_of_all(view: qipai.View, actions: list[qipai.Action]) -> qipai.Action:
        return actions[-1]

    def asked() -> None:
        qipai.play_batch(name, last_of_all, 1, seed=1)

    return {
        "new": lambda: qipai.new(name, seed=next(numbers)),
        "new with a deal": lambda: kind(game.rules, seed=1, deal=game.deal, history=game.history),
        "new refused": refused(lambda: qipai.new(name, seed=-1)),
        "rules refused": refused(lambda: game.rules.replace(stake=0)),
        "sheets": lambda: [
            type(sheet).from_dict(sheet.as_dict())
            for sheet in (game.rules, game.deal, game.history)
        ],
        "snapshot": game.snapshot,
        "restore": lambda: qipai.restore(saved),
        "restore refused": refused(lambda: qipai.restore(broken)),
        "pickle": lambda: pickle.loads(pickle.dumps(game)),
        "clone": game.clone,
        "equal": lambda: game == over,
        "view": lambda: [game.view(who).as_dict() for who in (seat, "table", None)],
        "events": lambda: [event.as_dict() for event in game.events(seat)],
        "observe": lambda: game.observe(seat),
        "observe refused": refused(lambda: game.observe(99)),
        "hint": lambda: game.hint(5),
        "auto": game.auto,
        "legal_actions": game.legal_actions,
        "legal_ids": game.legal_ids,
        "legal_ids refused": refused(lambda: game.legal_ids(small)),
        "action_mask": lambda: (game.action_mask(), game.action_mask(packed=True)),
        "action_features": game.action_features,
        "resample": lambda: game.resample(seat, next(numbers)),
        "apply and undo": undone,
        "apply refused": refused(lambda: game.apply(wrong)),
        "apply unreadable": refused(lambda: game.apply("nonsense")),
        "apply of a wrong type": refused(lambda: game.apply(1.5)),  # type: ignore[arg-type]
        "check": lambda: (game.check(legal), game.check(wrong)),
        "parse": lambda: game.parse(str(legal)),
        "answer": answered,
        "escape": escaped,
        "record": lambda: qipai.Record.from_json(game.record().to_json()),
        "replay": lambda: qipai.Record.from_json(written).replay(),
        "replay refused": refused(lambda: qipai.Record.from_json(lost).replay()),
        "record refused": refused(lambda: qipai.Record.from_json(written[:-1])),
        "result": lambda: (over.scores(), [line.as_dict() for line in over.result]),
        "next_hand": lambda: over.next_hand(next(numbers)),
        "cards": lambda: cards.format(cards.parse("H5*2 77 B R")),
        "cards refused": refused(lambda: cards.parse("H5 X")),
        "tiles": lambda: tiles.format(tiles.parse("123m456p11z")),
        "VecGame": lambda: qipai.VecGame(name, 2, seed=1),
        "step": lambda: vec.step(vec.random_actions(next(numbers))),
        "step refused": refused(lambda: vec.step(bad_actions)),
        "a game of a VecGame": lambda: vec.game(0),
        "features of a VecGame": vec.legal_features,
        "play_batch": lambda: qipai.play_batch(name, "greedy", 1, seed=next(numbers)),
        "play_batch refused": refused(lambda: qipai.play_batch(name, ["x"], 1)),
        "search": lambda: search.choose(over.next_hand(1), seed=next(numbers)),
        **({"a bot in Python": asked} if name.startswith("fangyang") else {}),  # the shortest hands
        **kernels(name),
    }


# What the interpreter itself gives and takes.
WAVER = 25

# These take their milliseconds.
SLOW = ("play_batch", "search", "a bot in Python", "resample", "replay", "pickle", "restore", "new")


def growth(operation: Callable[[], object], n: int) -> Use:
    """What n more of an operation leave in use, after some to warm up."""
    for _ in range(max(n // 4, 20)):
        operation()
    before = in_use()
    for _ in range(n):
        operation()
    return in_use() - before


def leaks(operation: Callable[[], object], n: int) -> Use | None:
    """What n or more times an operation leave in use, None where that is nothing to speak of.

    One lost object each time would be n blocks of Python's allocator, or n chunks of the heap. The
    bound is a quarter of that and a little: what is lost every third time is found, and a cache
    that fills is none. What grows must do so three times in a row, and with the number of times.
    """
    assert WAVER + n // 4 < n
    more = Use(0, 0, 0, 0)
    for times in (n, 8 * n, 64 * n):
        bound = WAVER + times // 4
        more = growth(operation, times)
        if more.blocks < bound and more.heap < SMALLEST_CHUNK * bound:
            return None
    return more


def leaking(name: str, n: int) -> list[str]:
    """The operations of a game that leave something behind, each done n times, slow ones fewer."""
    found: list[str] = []
    todo = operations(name)
    gc.collect()
    gc.freeze()  # what is there already need not be looked through each time
    try:
        for what, operation in todo.items():
            times = max(n // 4, 40) if what in SLOW else n
            more = leaks(operation, times)
            if more is not None:
                found.append(f"{name}: {what}, done {times} times, left {more}")
    finally:
        gc.unfreeze()
    return found
