"""打滚子: two presets, ``Rules.diamond()`` (死棒, the default) and ``Rules.yiku()`` (活棒).

The functions take cards as text (``"H8*2 C4"``), as ``bytes`` of 54 face counts (face 4 * rank +
suit; the fast path) or as ids, and rules that may be left out. Copies of a face are alike: only
faces matter. Plays are given as text, ascending by face.

Actions of a ``Game``, as text, X being a card as ``H8``, ``B`` or ``R``: ``pass``, ``show R``,
``show H5*2``, ``show B*3 as S`` (GZ-20..25), ``give X``, ``return X`` (GZ-30, GZ-31), ``bury X``
(GZ-41; as 扣王 ``bury B`` and ``bury R``, then ``done``), ``pick X`` (GZ-42), ``H8``, ``H8*2``,
``H8*3`` (GZ-5), and ``+X`` for each card of any other play, in ascending order of face. The lowest
ids of a face are meant; ``H8'`` and ids name exactly those cards. As ids:

- 0: pass
- 1..162: n alike of a face: ``1 + 54 * (n - 1) + face``
- 163..216: a card of a mixed play: 163 + face
- 217..270: bury; 271..324: give; 325..378: return; 379..432: pick; each + face
- 433: done
- 434..529: show n alike of a level card: ``434 + 32 * (n - 1) + face``
- 530: show 大王
- 531..538: show three 小王 as D, C, H, S, then three 大王
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
from qipai.gunzi.game import Deal, Game, History
from qipai.rules.gunzi import Rules

__all__ = [
    "Deal",
    "Game",
    "History",
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
