"""鞍山甲乙丙: one preset, ``Rules.anshan()``.

The functions take cards as text (``"KK"``), as ``bytes`` of 15 rank counts (3..A,2, 小王, 大王; the
fast path) or as ids, and rules that may be left out. Batches take packed ``uint64`` (rank i in
bits 4i..4i+3) or ``uint8`` counts of shape (n, 15).

Actions of a ``Game``, as text: ``pass`` and the ranks of a play (``KK``), which take the lowest
cards; suited text (``HK SK``) and ids play exactly those cards. As ids, with ranks 0..12 for
3..A,2:

- 0: pass
- 1..52: up to four alike: ``4 * rank + cards``
- 53, 54: one and two 小王; 55, 56: one and two 大王
- 57..108: five to eight alike, where ``max_alike`` allows them: ``52 + 4 * rank + cards``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai._core.jiayibing import (
    Kind,
    Play,
    beats,
    beats_many,
    classify,
    classify_many,
    legal_count_many,
    legal_ids,
    legal_plays,
)
from qipai.jiayibing.game import Deal, Game, History
from qipai.rules.jiayibing import Rules

if TYPE_CHECKING:
    import numpy

    PLAY_DTYPE: numpy.dtype[numpy.void]

__all__ = [
    "PLAY_DTYPE",
    "Deal",
    "Game",
    "History",
    "Kind",
    "Play",
    "Rules",
    "beats",
    "beats_many",
    "classify",
    "classify_many",
    "legal_count_many",
    "legal_ids",
    "legal_plays",
]


def __getattr__(name: str) -> Any:
    if name != "PLAY_DTYPE":
        raise AttributeError(f"module 'qipai.jiayibing' has no attribute {name!r}")
    from qipai._core.alike import play_dtype

    return play_dtype()
