"""The words of 鞍山放羊."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from qipai.cli.games.climbing import ClimbingText
from qipai.positions import arranged


class FangyangText(ClimbingText):
    name_zh = "鞍山放羊"
    about = "four players, one deck, the banker calls a card for a partner"
    game = "fangyang"
    kinds: ClassVar = {"SINGLE": "单张", "PAIR": "对子", "TRIPLE": "三同张", "QUAD": "四同张"}

    def hand(self, ids: Iterable[int]) -> str:
        # With suits: one of the cards will be called.
        return self.cards(arranged(self.game, ids))

    def kind_of(self, kernel: Any, rules: Any, action: str) -> str:
        return super().kind_of(kernel, rules, action.removesuffix("*"))


GAME = FangyangText()
