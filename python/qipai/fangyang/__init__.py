"""鞍山放羊: one preset, ``Rules.anshan()``.

The functions take cards as text (``"KK"``), as ``bytes`` of 15 rank counts (3..A,2, 小王, 大王; the
fast path) or as ids, and rules that may be left out. Batches take packed ``uint64`` (rank i in
bits 4i..4i+3) or ``uint8`` counts of shape (n, 15).

Actions of a ``Game``, as text: ``call HK`` (FY-3), ``show`` and ``no`` (FY-6), ``pass``, ``KK``
(the lowest cards of the rank, the called one not among them) and ``KK*`` (the called card and the
lowest others); suited text (``HK SK``) and ids play exactly those cards. As ids, with faces
``4 * rank + suit`` and ranks 0..12 for 3..A,2:

- 0: pass
- 1..54: a play without the called card: ``4 * rank + cards``; 53 小王, 54 大王
- 55: no
- 56..99: a play with the called card in it: the same + 51
- 100..143: a call: the card's id + 96
- 144: show
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai._core.fangyang import (
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
from qipai.fangyang.game import Deal, Game, History
from qipai.rules.fangyang import Rules

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
        raise AttributeError(f"module 'qipai.fangyang' has no attribute {name!r}")
    from qipai._core.alike import play_dtype

    return play_dtype()
