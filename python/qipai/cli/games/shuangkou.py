"""The words of 百变双扣."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from qipai.cli.games import Facts
from qipai.cli.games.climbing import ClimbingText


class ShuangkouText(ClimbingText):
    name_zh = "百变双扣"
    about = "four players, two teams, two decks, 大王 wild"
    presets: ClassVar = {
        "wenzhou": "温州, the default",
        "bianfeng": "边锋: loops, fewer cards first among equal stars, escape",
        "lishui": "丽水: 边锋 with merged bombs and steeper multipliers",
    }
    game = "shuangkou"
    kinds: ClassVar = {
        "SINGLE": "单张",
        "PAIR": "对子",
        "TRIPLE": "三张",
        "STRAIGHT": "顺子",
        "PAIR_RUN": "连对",
        "TRIPLE_RUN": "连三张",
        "BOMB": "炸弹",
        "CHAIN_BOMB": "连环炸弹",
        "THREE_JOKERS": "三王炸弹",
        "FOUR_JOKERS": "天王炸弹",
    }

    def of_seat(self, view: Mapping[str, Any], seat: int) -> str:
        stars = view["best_stars"][seat]
        said = (super().of_seat(view, seat), f"bomb of {stars} stars" if stars else "")
        return ", ".join(filter(None, said))

    def more_facts(self, play: Any) -> Facts:
        groups = f"{play.length} of {play.width}" + (", a loop 循环炸" if play.is_loop else "")
        return [
            ("groups", groups),
            ("stars", str(play.stars) if play.stars else "none, no bomb"),
            ("reading", play.reading),
        ]


GAME = ShuangkouText()
