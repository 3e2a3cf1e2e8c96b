"""The words of 鞍山甲乙丙."""

from __future__ import annotations

from typing import ClassVar

from qipai.cli.games.climbing import ClimbingText


class JiayibingText(ClimbingText):
    name_zh = "鞍山甲乙丙"
    about = "six players, two teams, two decks"
    game = "jiayibing"
    kinds: ClassVar = {
        "SINGLE": "单张",
        "PAIR": "对子",
        "TRIPLE": "三同张",
        "QUAD": "四同张",
        "FIVE": "五同张",
        "SIX": "六同张",
        "SEVEN": "七同张",
        "EIGHT": "八同张",
    }


GAME = JiayibingText()
