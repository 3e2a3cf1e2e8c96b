"""``qipai play`` and ``qipai replay``: a hand, move by move."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from secrets import randbits
from typing import Any

from qipai._core.game import Action, Event, Game
from qipai.bots import NativeBot
from qipai.cli.arguments import house_rules, names_of
from qipai.cli.errors import InputError, input_from
from qipai.cli.games import GameText, game_text
from qipai.cli.person import Person
from qipai.cli.players import bots_of, choice
from qipai.cli.screen import Screen
from qipai.cli.telling import COLOURS, FOLLOWS, TRICK_BEGINS, show_result, show_title, signed
from qipai.match import Match
from qipai.record import Record
from qipai.registry import engine, preset_rules

Move = tuple[int, Action | str]  # a seat and what it does
ESCAPE = "escape"


def play(screen: Screen, args: Namespace) -> int:
    """Play a hand, or the hands of a match: bots, and a person where ``--me`` says so."""
    name = names_of(args.game)[0]
    rules = house_rules(name, args.rules)
    seed = randbits(32) if args.seed is None else args.seed
    with input_from("--seed"):
        hands = _hands(name, rules, seed, args.hands)
    players = engine(name.partition("/")[0]).players
    bots = bots_of(args, players)
    if args.me is not None and not 0 <= args.me < players:
        raise InputError(f"--me: the seats are 0 to {players - 1}")
    with input_from(f"--record {args.record}"):
        opened = args.record.open("w", encoding="utf-8") if args.record else nullcontext()
    totals: list[int] = []
    with opened as file:
        if args.hands:
            screen.line(f"match of {args.hands}, seed {seed}\n")
        for game in hands:
            person = None if args.me is None else Person(screen, game, args.me, bots, args.lang)
            try:
                if person:
                    person.play()
                else:
                    show(screen, game, _moves(game, bots), args.lang)
            finally:
                game = person.game if person else game
                if file:
                    file.write(game.record().to_json() + "\n")
            screen.line()
            if not game.is_over:
                screen.line("stopped")
                return 0
            scores = game.scores()
            totals = [a + b for a, b in zip(totals or [0] * len(scores), scores, strict=True)]
    if args.hands:
        screen.line("total 总分  ", " ".join(map(signed, totals)))
    return 0


def replay(screen: Screen, args: Namespace) -> int:
    """Show the recorded hands of a file again."""
    for record, game in _read(args.file):
        show(screen, replace(record, actions=()).replay(), game.logged_actions(), args.lang)
        screen.line()
    return 0


def show(screen: Screen, game: Game, moves: Iterable[Move], lang: str) -> None:
    """Write a hand from its first position on, doing the moves on it one by one."""
    name, rules = game.engine.name, game.rules
    text, kernel = game_text(name), import_module(f"qipai.{name}")
    show_title(screen, game)
    screen.table(
        [
            (f"seat {seat}", f"{len(hand):2}", text.hand(hand))
            for seat, hand in enumerate(_cards_held(game))
        ],
        "",
        "dim",
        "",
    )
    _tell(screen, text, game.events())
    for number, (seat, action) in enumerate(moves, 1):
        events = game.escape(seat) if action == ESCAPE else game.apply(action)
        kind = text.kind_of(kernel, rules, str(action))
        screen.line(
            (f"{number:5}  ", "dim"),
            (f"seat {seat}", COLOURS[seat]),
            (f"  {len(_cards_held(game)[seat]):2} left  ", "dim"),
            (str(action), "bold" if kind else "dim"),
            (f"  {kind}" if kind else "", "dim"),
        )
        _tell(screen, text, [event for event in events if event.action is None])
    screen.line()
    if game.is_over:
        show_result(screen, game, lang)
    else:
        screen.line(f"not over: seat {game.turn} is to act")


def _tell(screen: Screen, text: GameText, events: Sequence[Event]) -> None:
    """Write events that are no actions of their own."""
    if any(event.kind == TRICK_BEGINS for event in events):
        screen.line()
    told: list[str] = []
    for event in events:
        who = "" if event.seat is None else f"seat {event.seat} "
        cards = f" {text.cards(event.cards)}" if event.cards else ""
        told.append(who + FOLLOWS.get(event.kind, event.kind) + cards)
    if told:
        screen.line(("       " + "; ".join(told), "dim"))


def _cards_held(game: Game) -> list[list[int]]:
    hands: list[list[int]] = game.engine.view(game, None)["hands"]
    return hands


def _hands(name: str, rules: Any, seed: int, n: int | None) -> Iterator[Game]:
    """Return the one hand of a seed, or the n of a match."""
    if n is None:
        return iter([preset_rules(name)[0](rules, seed=seed)])
    return _hands_of(Match(name, rules, seed), n)


def _hands_of(match: Match, n: int) -> Iterator[Game]:
    yield match.game
    for _ in range(n - 1):
        yield match.next()


def _moves(game: Game, bots: Sequence[NativeBot]) -> Iterator[Move]:
    number = 0
    while game.turn is not None:
        yield game.turn, choice(game, bots, number)
        number += 1


def _read(path: Path) -> list[tuple[Record, Game]]:
    """Return the records of a file, one JSON after another, each with its hand played."""
    found: list[tuple[Record, Game]] = []
    with input_from(str(path)):
        text = sys.stdin.read() if path == Path("-") else path.read_text(encoding="utf-8")
        text = text.strip()
        if not text:
            raise ValueError("the file is empty")
        while text:
            try:
                data, end = json.JSONDecoder().raw_decode(text)
            except RecursionError:
                raise ValueError("the record is nested too deeply") from None
            record = Record.from_dict(data)
            found.append((record, record.replay()))
            text = text[end:].lstrip()
    return found
