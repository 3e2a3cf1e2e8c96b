"""百变双扣: three presets, ``Rules.wenzhou()`` (the default), ``.bianfeng()`` and ``.lishui()``.

The functions take cards as text (``"77899R"``), as ``bytes`` of 15 rank counts (3..A,2, 小王, 大王;
the fast path) or as ids, and rules that may be left out. Batches take packed ``uint64`` (rank i in
bits 4i..4i+3) or ``uint8`` counts of shape (n, 15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai._core.shuangkou import (
    Kind,
    Play,
    beats,
    beats_many,
    bombs,
    classify,
    classify_many,
    legal_count_many,
    legal_ids,
    legal_plays,
)
from qipai.rules.shuangkou import Rules
from qipai.shuangkou.game import Deal, Game, History, base_stake

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
    "base_stake",
    "beats",
    "beats_many",
    "bombs",
    "classify",
    "classify_many",
    "legal_count_many",
    "legal_ids",
    "legal_plays",
]


def __getattr__(name: str) -> Any:
    if name != "PLAY_DTYPE":
        raise AttributeError(f"module 'qipai.shuangkou' has no attribute {name!r}")
    import numpy

    # A row of classify_many: the action id (0: no play), Kind, place of the top rank, cards a
    # group, groups, stars, whether it is a loop.
    fields = [("id", "<u2"), ("kind", "u1"), ("rank", "u1"), ("width", "u1")]
    dtype = numpy.dtype([*fields, ("length", "u1"), ("stars", "u1"), ("is_loop", "?")])
    globals()[name] = dtype
    return dtype
