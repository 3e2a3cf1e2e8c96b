"""What each game adds to the command line: a module ``qipai.cli.games.NAME`` with its ``GAME``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from qipai.cards import format as format_cards
from qipai.cli.errors import InputError
from qipai.cli.screen import Face
from qipai.positions import arranged, facts, lies_before

Facts = list[tuple[str, str]]  # what, and its value
Groups = dict[str, list[str]]  # a kind, and the plays of it


class GameText:
    """A game in words.

    These are the words for any game of cards; a game's own module knows more. ``kernel`` is the
    module ``qipai.NAME``, ``rules`` its rule sheet.
    """

    game = ""
    name_zh = ""
    about = ""
    presets: ClassVar[Mapping[str, str]] = {}

    def cards(self, ids: Iterable[int]) -> str:
        """Return the faces of cards, in the order given."""
        return " ".join(format_cards([card % 54]) for card in ids)

    def hand(self, ids: Iterable[int]) -> str:
        """Return a player's cards, sorted."""
        return self.cards(arranged(self.game, ids))

    def faces(self, ids: Iterable[int]) -> list[Face]:
        """Return cards as they are drawn."""
        return [_card_face(card % 54) for card in ids]

    def facts(self, view: Mapping[str, Any]) -> Facts:
        """Return what is to be said of the position beside cards and the play to beat."""
        return facts(self.game, view)

    def of_seat(self, view: Mapping[str, Any], seat: int) -> str:
        """Return what lies before a seat."""
        return "  ".join(
            f"{name}: {' '.join(map(str, row)) if isinstance(row[0], str) else self.cards(row)}"
            for name, row in lies_before(view, seat)
        )

    def kind_of(self, kernel: Any, rules: Any, action: str) -> str:
        """Return what an action's text is, ``""`` where the text says it."""
        return ""

    def eval_options(self, parser: ArgumentParser) -> None:
        """Add the options of ``qipai eval`` that this game has."""

    def legal_options(self, parser: ArgumentParser) -> None:
        """Add the options of ``qipai legal`` that this game has."""

    def evaluate(self, kernel: Any, rules: Any, args: Namespace) -> Facts:
        """Return what ``args.cards`` are; ``ValueError`` for what are no cards."""
        raise InputError("this game has nothing to evaluate")

    def legal(self, kernel: Any, rules: Any, args: Namespace) -> Groups:
        """Return what ``args.cards``, a hand, can do; ``ValueError`` for what is no hand."""
        raise InputError("this game has no plays to list outside a hand: see qipai play")


RANKS = "3456789TJQKA2"
SUITS = (("♦", "bold red"), ("♣", "bold"), ("♥", "bold red"), ("♠", "bold"))
JOKERS = (Face("小", "王", "bold"), Face("大", "王", "bold red"))


def _card_face(face: int) -> Face:
    if face >= 52:
        return JOKERS[face - 52]
    suit, style = SUITS[face % 4]
    return Face(RANKS[face // 4].replace("T", "10"), suit, style)


def game_text(name: str) -> GameText:
    """Return the words of a game."""
    home = f"{__name__}.{name}"
    if find_spec(home) is None:
        return GameText()
    words: GameText = import_module(home).GAME
    return words
