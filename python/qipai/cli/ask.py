"""``qipai games``, ``qipai eval`` and ``qipai legal``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from qipai.cli.arguments import Parser, add_rules, house_rules, names_of
from qipai.cli.errors import input_from
from qipai.cli.games import Facts, GameText, game_text
from qipai.cli.screen import Screen, counted
from qipai.registry import games


def list_games(screen: Screen, args: Namespace) -> int:
    """Write the names with a line on each."""
    rows: list[tuple[str, str, str]] = []
    for name in games():
        game, _, preset = name.partition("/")
        text = game_text(game)
        about = "; ".join(filter(None, (text.about, text.presets.get(preset))))
        rows.append((name, text.name_zh, about))
    screen.table(rows, "bold", "cyan", "")
    return 0


def evaluate(screen: Screen, args: Namespace) -> int:
    """Write what cards are by each preset, once for those that agree."""
    names = names_of(args.game)
    text, kernel = _words(args.game)
    more = _parse(args, "CARDS", text.eval_options)
    agreed: list[tuple[Facts, list[str]]] = []
    for name in names:
        rules = house_rules(name, more.rules)
        with input_from():
            facts = text.evaluate(kernel, rules, more)
        alike = next((presets for known, presets in agreed if known == facts), None)
        if alike is None:
            agreed.append((facts, [name]))
        else:
            alike.append(name)
    screen.line((" ".join(more.cards), "bold"))
    for facts, presets in agreed:
        screen.line((", ".join(presets), "cyan"))
        screen.table(facts, "dim", "")
    return 0


def legal(screen: Screen, args: Namespace) -> int:
    """Write the plays of a hand, a line for each kind."""
    name = names_of(args.game)[0]
    text, kernel = _words(args.game)
    more = _parse(args, "HAND", text.legal_options)
    rules = house_rules(name, more.rules)
    with input_from():
        groups = text.legal(kernel, rules, more)
    count = sum(map(len, groups.values()))
    screen.line((name, "cyan"), ": ", counted(count, "play"))
    rows = [(kind, str(len(plays)), " ".join(plays)) for kind, plays in groups.items() if plays]
    screen.table(rows, "cyan", "dim", "")
    return 0


def _words(name: str) -> tuple[GameText, ModuleType]:
    """Return the words and the module of a game, with or without its preset."""
    game = name.partition("/")[0]
    return game_text(game), import_module(f"qipai.{game}")


def _parse(args: Namespace, cards: str, add: Callable[[ArgumentParser], None]) -> Namespace:
    """Read what follows the game's name, which says what options there are."""
    parser = Parser(prog=f"qipai {args.command} {args.game}")
    parser.add_argument("cards", nargs="+", metavar=cards)
    add_rules(parser)
    add(parser)
    return parser.parse_args(args.rest)
