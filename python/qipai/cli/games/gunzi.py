"""The words of 打滚子."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, ClassVar

from qipai.cards import parse
from qipai.cli.games import Facts, GameText, Groups

SHAPES = ("single 单", "two alike 棒", "three alike 滚")
MIXED = "not alike 散"


class GunziText(GameText):
    game = "gunzi"
    name_zh = "打滚子"
    about = "four players, two teams, three decks, tricks"
    presets: ClassVar = {"diamond": "钻石: 死棒", "yiku": "亿酷: 活棒"}

    def kind_of(self, kernel: Any, rules: Any, action: str) -> str:
        try:
            return _shape(action) if action[0] != "+" else ""
        except ValueError:  # a showing, a burying
            return ""

    def eval_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--trump", default="S", metavar="SUIT", help="S, H, D or C (S)")
        parser.add_argument("--level", type=int, default=3, help="3 to 10 (3)")

    def legal_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", metavar="LEAD", help="the lead to follow (none: to lead)")
        self.eval_options(parser)

    def evaluate(self, kernel: Any, rules: Any, args: Namespace) -> Facts:
        """Each of ``args.cards`` is a play; of several, in the order played, one wins the trick."""
        facts = [(play, f"{_shape(play)}, {kernel.points(play)} 分") for play in args.cards]
        if len(args.cards) > 1:
            winner = kernel.trick_winner(args.cards, kernel.Trump(args.trump, args.level))
            facts.append(("wins", f"{args.cards[winner]} (play {winner + 1})"))
        return facts

    def legal(self, kernel: Any, rules: Any, args: Namespace) -> Groups:
        trump, hand = kernel.Trump(args.trump, args.level), " ".join(args.cards)
        if args.on is None:
            plays = kernel.legal_leads(hand, trump)
        else:
            plays = kernel.iter_follows(args.on, hand, trump, rules)
        groups: Groups = {}
        for play in plays:
            groups.setdefault(_shape(play), []).append(play.replace(" ", "+"))
        return groups


def _shape(play: str) -> str:
    """Return 单, 棒 or 滚, or that it is none (GZ-5)."""
    cards = parse(play)
    alike = len({card % 54 for card in cards}) == 1 and len(cards) <= len(SHAPES)
    return SHAPES[len(cards) - 1] if alike else MIXED


GAME = GunziText()
