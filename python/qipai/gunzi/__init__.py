"""打滚子: two presets, ``Rules.diamond()`` (死棒, the default) and ``Rules.yiku()`` (活棒).

The functions take cards as text (``"H8*2 C4"``), as ``bytes`` of 54 face counts (face 4 * rank +
suit; the fast path) or as ids, and rules that may be left out. Copies of a face are alike: only
faces matter. Plays are given as text, ascending by face.
"""

from __future__ import annotations

from qipai._core.gunzi import (
    Settlement,
    Trump,
    count_follows,
    is_legal_follow,
    iter_follows,
    legal_leads,
    points,
    random_follow,
    settle,
    trick_winner,
    trick_winner_many,
)
from qipai.rules.gunzi import Rules

__all__ = [
    "Rules",
    "Settlement",
    "Trump",
    "count_follows",
    "is_legal_follow",
    "iter_follows",
    "legal_leads",
    "points",
    "random_follow",
    "settle",
    "trick_winner",
    "trick_winner_many",
]
