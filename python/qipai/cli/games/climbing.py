"""The words of the games where plays are climbed over: 双扣, 放羊, 甲乙丙."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from qipai.cli.games import Facts, GameText, Groups
from qipai.climbing import rank_of
from qipai.positions import RANKS, arranged


class ClimbingText(GameText):
    """``kinds``: the Chinese names of the kernel's kinds."""

    kinds: ClassVar[Mapping[str, str]]

    def hand(self, ids: Iterable[int]) -> str:
        return "".join(RANKS[rank_of(card)] for card in arranged(self.game, ids))

    def of_seat(self, view: Mapping[str, Any], seat: int) -> str:
        finished: list[int] = view["finished"]
        return f"out, place {finished.index(seat) + 1}" if seat in finished else ""

    def kind_text(self, play: Any) -> str:
        """Return the kind of a play in both languages."""
        return f"{play.kind.name.lower().replace('_', ' ')} {self.kinds[play.kind.name]}"

    def kind_of(self, kernel: Any, rules: Any, action: str) -> str:
        try:
            play = kernel.classify(action, rules)
        except ValueError:  # a pass, a call
            return ""
        return "" if play is None else self.kind_text(play)

    def legal_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", metavar="PLAY", help="the play to beat (none: a free lead)")

    def evaluate(self, kernel: Any, rules: Any, args: Namespace) -> Facts:
        play = kernel.classify(" ".join(args.cards), rules)
        if play is None:
            return [("kind", "none, these cards are no pattern 不成牌型")]
        return [("kind", self.kind_text(play)), ("rank", play.rank), *self.more_facts(play)]

    def more_facts(self, play: Any) -> Facts:
        """Return what there is to say of a play beside kind and rank."""
        return []

    def legal(self, kernel: Any, rules: Any, args: Namespace) -> Groups:
        groups: Groups = {}
        for play in kernel.legal_plays(" ".join(args.cards), args.on, rules):
            groups.setdefault(self.kind_text(play), []).append(play.cards)
        return groups
