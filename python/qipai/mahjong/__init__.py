"""鞍山麻将: rules of the game in :class:`Rules`, and pure functions on hands.

A hand is all concealed tiles, the winning one included, as text (``"123m456p789s11z"``), as
``bytes`` of 34 counts of kinds (1m..9m, 1p..9p, 1s..9s, 1z..7z; the fast path) or as ids. Melds are
texts or :class:`Meld`; ``wild`` is the kind that is 混, which is written as its own kind. Batches
take ``uint8`` counts of shape (n, 34).

Actions of a ``Game``, as text: ``discard 5m``, ``chi 123m`` (the run, the claimed tile in it),
``pon 7z``, ``kong 7z`` (明杠), ``ankong 7z``, ``addkong 7z``, ``win``, ``pass``. A kind means the
lowest ids of it in hand; ``'`` after a rank names a copy (``discard 5'm``; ``chi 12''3m``; ``pon
5'5''m``, the two from the hand), and ids name exactly those tiles. As ids, with kinds 0..33 for
1m..9m, 1p..9p, 1s..9s, 1z..7z:

- 0: pass
- 1: win
- 2..35: discard, the kind + 2
- 36..56: 吃, 36 + 7 for each suit + the rank of the lowest tile, from 0
- 57..90: 碰, the kind + 57
- 91..124: 明杠, the kind + 91
- 125..158: 暗杠, the kind + 125
- 159..192: 加杠, the kind + 159
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
from qipai.mahjong.game import Deal, Game, History
from qipai.rules.mahjong import Rules

__all__ = [
    "Deal",
    "Game",
    "History",
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
