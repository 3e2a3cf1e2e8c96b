"""鞍山麻将: rules of the game in :class:`Rules`, and pure functions on hands.

A hand is all concealed tiles, the winning one included, as text (``"123m456p789s11z"``), as
``bytes`` of 34 counts of kinds (1m..9m, 1p..9p, 1s..9s, 1z..7z; the fast path) or as ids. Melds are
texts or :class:`Meld`; ``wild`` is the kind that is 混, which is written as its own kind. Batches
take ``uint8`` counts of shape (n, 34).
"""

from __future__ import annotations

from qipai._core.mahjong import (
    Win,
    evaluate,
    improving,
    is_complete,
    is_complete_many,
    is_win,
    is_win_many,
    kind_before,
    next_kind,
    payments,
    shanten,
    shanten_many,
    waits,
    waits_fan,
)
from qipai._core.melds import Meld, MeldForm, pack_melds
from qipai.rules.mahjong import Rules

__all__ = [
    "Meld",
    "MeldForm",
    "Rules",
    "Win",
    "evaluate",
    "improving",
    "is_complete",
    "is_complete_many",
    "is_win",
    "is_win_many",
    "kind_before",
    "next_kind",
    "pack_melds",
    "payments",
    "shanten",
    "shanten_many",
    "waits",
    "waits_fan",
]
