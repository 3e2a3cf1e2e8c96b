"""``qipai play --me``: a person at a table of bots."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import groupby

from qipai._core.game import Action, Event, Game, IllegalAction
from qipai.bots import NativeBot
from qipai.cli.arguments import is_digits
from qipai.cli.games import game_text
from qipai.cli.players import choice
from qipai.cli.screen import Part, Screen
from qipai.cli.telling import (
    COLOURS,
    FOLLOWS,
    TRICK_BEGINS,
    TRICK_ENDS,
    show_result,
    show_title,
    signed,
)
from qipai.positions import arranged

HELP = """\
  TEXT   play it: ranks or cards, 33 or H3 S3, all of them at once; or list what contains it
  #2     the second of those listed
  /TEXT  list what contains it, cards or kind; a line without text lists all
  h      hint
  u      undo, back to your last decision
  q      quit
  ?      this"""
HINTS = 3
# How many plays of a kind are listed unasked.
FEW = 14
DRAW, NAME, PLAY = "draw", "name", "play"


class Person:
    """A person in seat ``me``, who is shown what that seat may know and no more.

    ``game``: the hand as far as it is played.
    """

    def __init__(
        self, screen: Screen, game: Game, me: int, bots: Sequence[NativeBot], lang: str
    ) -> None:
        self.game = game
        self._screen = screen
        self._me = me
        self._bots = bots
        self._lang = lang
        self._text = game_text(game.engine.name)
        self._kernel = import_module(f"qipai.{game.engine.name}")
        self._decisions: list[Game] = []  # the positions in which the person chose
        self._listed: list[Action] = []

    def play(self) -> None:
        """Play until the hand is over or the person leaves."""
        show_title(self._screen, self.game)
        self._screen.line(f"  you are seat {self._me}; ? for help")
        self._tell(self.game.events())
        while not self.game.is_over:
            if self.game.turn != self._me:
                number = len(self.game.logged_actions())
                self._tell(self.game.apply(choice(self.game, self._bots, number)))
            elif self.game.legal_count() == 1:
                self._tell(self.game.apply(self.game.legal_actions()[0]))
            elif not self._decide():
                return
        self._screen.line()
        show_result(self._screen, self.game, self._lang)
        self._screen.line("you: ", (signed(self.game.scores()[self._me]), "bold"))

    # The person's decisions

    def _decide(self) -> bool:
        """Let the person act once; False to leave."""
        self._show_position()
        legal = self.game.legal_actions()
        self._list(legal, FEW)
        while True:
            typed = self._read()
            if typed is None or typed == "q":
                return False
            match typed:
                case "":
                    self._list(legal)
                case "?":
                    self._screen.line(HELP)
                case "h":
                    self._listed = self.game.hint(HINTS)
                    tries = (f"#{i} {action}" for i, action in enumerate(self._listed, 1))
                    self._screen.line("  try ", "  ".join(tries))
                case "u":
                    if self._decisions:
                        self.game = self._decisions.pop()
                        self._screen.line("  back")
                        return True
                    self._screen.line("  you have decided nothing yet")
                case _ if typed[0] == "/":
                    self._list(self._matching(legal, typed[1:]))
                case _:
                    before = self.game.clone()
                    events = self._done(legal, typed)
                    if events is not None:
                        self._decisions.append(before)
                        self._tell(events)
                        return True

    def _read(self) -> str | None:
        """Return a line of the person's, None at the end of the input."""
        with suppress(EOFError):
            if sys.stdin.isatty():
                return input("> ").strip()
            if line := sys.stdin.readline():
                self._screen.line("> ", line.strip())
                return line.strip()
        return None

    def _done(self, legal: Sequence[Action], typed: str) -> list[Event] | None:
        """Do what was typed; None, and why, where it is nothing that can be done."""
        if typed[0] == "#":
            number = typed[1:]
            if is_digits(number) and 1 <= int(number) <= len(self._listed):
                return self.game.apply(self._listed[int(number) - 1])
            self._screen.line(f"  there is no {typed}")
            return None
        named = [action for action in legal if typed in (str(action), _split(str(action))[1])]
        if len(named) == 1:
            return self.game.apply(named[0])
        found = self._matching(legal, typed)
        try:
            return self.game.play(typed)
        except IllegalAction as error:
            reason = error.reason
            words = reason.text_zh if self._lang == "zh" else reason.text
            self._screen.line((f"  {words}", "red"), f" ({reason.clause})" if reason.clause else "")
        except ValueError as error:
            if not found:
                self._screen.line((f"  {error}", "red"))
        if found:
            self._list(found)
        return None

    def _matching(self, legal: Iterable[Action], part: str) -> list[Action]:
        """Return the actions with a text or kind that contains a part."""
        part = part.strip().casefold()
        return [
            action
            for action in legal
            if part in str(action).casefold() or part in self._kind(str(action)).casefold()
        ]

    # What is shown

    def _kind(self, action: str) -> str:
        return self._text.kind_of(self._kernel, self.game.rules, action)

    def _list(self, actions: Sequence[Action], most: int | None = None) -> None:
        """Number actions and list them by kind, of each the first few."""
        groups: dict[str, list[tuple[Action, str]]] = {}
        for action in actions:
            kind = self._kind(str(action))
            verb, rest = ("", str(action)) if kind else _split(str(action))
            groups.setdefault(kind or verb, []).append((action, rest))
        self._listed = [action for group in groups.values() for action, _ in group]
        number = 1
        rows: list[tuple[str, str]] = []
        for kind, group in groups.items():
            listed = [f"#{number + i} {text}" for i, (_, text) in enumerate(group[:most])]
            if len(group) > len(listed):
                listed.append(f"and {len(group) - len(listed)} more")
            rows.append((kind, "  ".join(listed)))
            number += len(group)
        if rows:
            self._screen.table(rows, "cyan", "")
        else:
            self._screen.line("  nothing")

    def _show_position(self) -> None:
        data = self.game.engine.view(self.game, self._me)
        self._screen.line()
        rows = [
            (self._name(seat), f"{data['sizes'][seat]:2}", self._text.of_seat(data, seat))
            for seat in self._from_me()
        ]
        self._screen.table(rows, "", "dim", "")
        said = self._text.facts(data)
        parts = [part for what, value in said for part in ((f"  {what} ", "dim"), value)]
        if parts:
            self._screen.line(*parts)
        if data.get("table") is not None:
            who = self._name(data["table_seat"])
            self._screen.line(("  to beat: ", "dim"), (data["table"], "bold"), f" by {who}")
        hand = arranged(self.game.engine.name, data["hand"], data)
        self._screen.pieces(self._text.faces(hand))

    def _from_me(self) -> tuple[int, ...]:
        """Return the seats in their order of play, the person's first."""
        order = self.game.order
        place = order.index(self._me)
        return order[place:] + order[:place]

    def _name(self, seat: int) -> str:
        return "you" if seat == self._me else f"seat {seat}"

    def _tell(self, events: Iterable[Event]) -> None:
        """Write what the person learns of events."""
        unsaid: list[Event] = []
        for event in events:
            seen = event.for_seat(self._me)
            # What others draw is not seen; what was named shows in the position or the play.
            if seen is None or seen.kind == NAME or (seen.kind == DRAW and not seen.cards):
                continue
            if seen.action is None and seen.kind != PLAY:
                unsaid.append(seen)
                continue
            self._tell_happenings(unsaid)
            unsaid = []
            self._tell_action(seen)
        self._tell_happenings(unsaid)

    def _tell_action(self, event: Event) -> None:
        assert event.seat is not None
        data = self.game.engine.view(self.game, self._me)
        verb, text = _split("" if event.action is None else str(event.action))
        if event.cards and event.kind != PLAY:
            verb = verb or event.kind
        # Of several tiles 吃 or 碰 moves only some, so its text says more.
        is_drawn = event.cards and (event.kind == PLAY or event.count == 1)
        played = text or self._text.cards(event.cards or ())
        kind = self._kind(played) if event.kind == PLAY else ""
        self._screen.line(
            (f"  {self._name(event.seat):6}", COLOURS[event.seat]),
            (f"  {data['sizes'][event.seat]:2} left  ", "dim"),
            f"{verb} " if verb and text != verb else "",
            *(self._faces(event.cards) if is_drawn else [(text, "" if event.cards else "dim")]),
            (f"  {kind}" if kind else "", "dim"),
        )

    def _tell_happenings(self, events: Sequence[Event]) -> None:
        """Write events that are no actions of their own, those of a kind together."""
        if any(event.kind == TRICK_BEGINS for event in events):
            self._screen.line()
        for (kind, seat), alike in groupby(events, key=lambda event: (event.kind, event.seat)):
            verb = FOLLOWS.get(kind, kind)
            cards = [card for event in alike for card in event.cards or ()]
            said = verb if seat is None else _of_you(f"{self._name(seat)} {verb}")
            self._screen.line("  ", said, *([" ", *self._faces(cards)] if cards else []))
        if any(event.kind == TRICK_ENDS for event in events):
            self._screen.line()

    def _faces(self, cards: Sequence[int] | None) -> list[Part]:
        """Return cards as parts of a line, each in its colour."""
        parts: list[Part] = []
        for face in self._text.faces(cards or ()):
            parts += [" ", (str(face), face.style)]
        return parts[1:]


def _split(text: str) -> tuple[str, str]:
    """Return the verb of an action and the rest; no verb where it is all that is said."""
    verb, space, rest = text.partition(" ")
    return (verb, rest) if space and verb.isalpha() and verb.islower() else ("", text)


def _of_you(text: str) -> str:
    """Return what somebody does, put right where it is you: you lead, you are out."""
    if not text.startswith("you "):
        return text
    verb = text.removeprefix("you ")
    return "you " + (
        "are" + verb.removeprefix("is") if verb.startswith("is ") else verb.removesuffix("s")
    )
