from collections.abc import Iterable
from typing import Literal, Never, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from qipai._core.melds import Meld
from qipai.rules.mahjong import Rules

_Tiles: TypeAlias = str | bytes | Iterable[SupportsIndex]
_Melds: TypeAlias = str | bytes | Iterable[str | Meld]
_Kind: TypeAlias = SupportsIndex | str

@final
class Win:
    """A winning hand as it is read (AM-42).

    ``total`` (番 of the hand, without 庄 and 点炮), ``fans``, ``shape``, ``sets``, ``pair``,
    ``wilds``. Immutable and hashable; made by :func:`evaluate` and :func:`waits_fan`.
    """
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def total(self) -> int:
        """番 of the hand itself, without 庄 and 点炮 (AM-32..41)."""
    @property
    def fans(self) -> tuple[tuple[str, str, int], ...]:
        """What they are made of: (Chinese name, clause, how many), in the order of the clauses."""
    @property
    def shape(self) -> Literal["four_sets", "seven_pairs", "shisanyao"]:
        """``"four_sets"``, ``"seven_pairs"`` or ``"shisanyao"`` (AM-20)."""
    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The concealed sets as tuples of kinds, the smaller first; of 七对 its pairs."""
    @property
    def pair(self) -> int | None:
        """The kind of the pair, or of the double of 十三幺 by ``"classic"``; else None."""
    @property
    def wilds(self) -> tuple[int, ...]:
        """The kinds that the 混 stand for, ascending; none in 十三幺 of all 幺九 (AM-27)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def is_win(
    hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None, rules: Rules | None = None
) -> bool:
    """Whether a hand wins (AM-20..28).

    ``hand``: all concealed tiles, the winning one included, as text, ``bytes`` of 34 counts (the
    fast path) or ids; a 混 is written as its own kind. ``melds``: up to four, texts or
    :class:`Meld`. ``wild``: the kind that is 混, or its text. ``ValueError`` for what is no hand:
    not 14 tiles (three counted for each meld), five of a kind, a 混 in a meld.
    """

def is_complete(hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None) -> bool:
    """Whether a hand is four sets and a pair or, without melds, seven pairs (AM-20).

    No other condition is asked. Arguments and errors as for :func:`is_win`.
    """

def evaluate(
    hand: _Tiles,
    melds: _Melds = (),
    wild: _Kind | None = None,
    rules: Rules | None = None,
    *,
    gun: _Kind | Iterable[_Kind] = (),
    after_kong: bool = False,
) -> Win | None:
    """Read a winning hand in the way with most 番 (AM-30..42).

    ``hand``, ``melds``, ``wild`` as for :func:`is_win`; ``gun``: the kinds that are 枪 (AM-37), as
    kinds or text; ``after_kong``: won on a kong's replacement tile (AM-39). Returns a :class:`Win`,
    or None where the hand does not win. Errors as for :func:`is_win`.
    """

def waits(
    hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None, rules: Rules | None = None
) -> list[int]:
    """List the kinds that win (听), ascending; a kind of which all four are held is none.

    ``hand``: 13 tiles with three for each meld; the rest as for :func:`is_win`.
    """

def waits_fan(
    hand: _Tiles,
    melds: _Melds = (),
    wild: _Kind | None = None,
    rules: Rules | None = None,
    *,
    gun: _Kind | Iterable[_Kind] = (),
    after_kong: bool = False,
) -> dict[int, Win]:
    """Map every kind that wins, ascending, to the :class:`Win` it would bring.

    ``hand``: 13 tiles with three for each meld; the rest as for :func:`evaluate`.
    """

def shanten(hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None) -> int:
    """Tiles to draw until the hand is complete, less one (向听): -1 complete, 0 waiting.

    Complete is what :func:`is_complete` says: four sets and a pair or seven pairs, no other
    condition. Only tiles that exist are drawn: four of each kind, those in hand and melds included.
    ``hand``: 13 or 14 tiles with three for each meld; the rest as for :func:`is_win`.
    """

def improving(hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None) -> dict[int, int]:
    """Map every kind whose draw lowers :func:`shanten`, ascending, to its copies unseen.

    Unseen is what is neither in hand nor in the melds. ``hand``: 13 tiles with three for each meld;
    the rest as for :func:`is_win`.
    """

def next_kind(tile: _Kind) -> int:
    """The kind after a kind in its ring (AM-2): what is 混 when this one is turned over.

    ``tile``: a kind or its text. Rings are 1..9 of a suit, 东南西北 and 中发白.
    """

def kind_before(tile: _Kind) -> int:
    """The kind before a kind in its ring: what is 明枪 when this one is turned over (AM-37)."""

def best_discard_of(
    hand: _Tiles, melds: _Melds = (), wild: _Kind | None = None, seen: _Tiles = b""
) -> int:
    """The kind that a player would discard who goes by the distance to a win (AM-23, 24 heeded).

    ``hand``: 14 tiles with three for each meld; ``seen``: what its player has seen of tiles
    outside this hand and its melds, in any form. The rest as for :func:`is_win`.
    """

def payments(
    total: SupportsIndex,
    winner: SupportsIndex,
    dealer: SupportsIndex,
    discarder: SupportsIndex | None = None,
    rules: Rules | None = None,
) -> list[int]:
    """What each of the four seats gets, negative where it pays (AM-30, 31, 50); the sum is zero.

    ``total``: 番 of the hand itself; ``winner``, ``dealer``, ``discarder``: seats 0..3, the last
    None for an own draw. Returns four ints, times ``Rules.stake``. ``ValueError`` for what is no
    seat, a discarder who wins, or more 番 than a hand can have.
    """

def suit_costs(counts: bytes, caps: list[int] | None = None) -> tuple[tuple[int, ...], ...]:
    """Tiles missing in one suit of 9 kinds, or in the 7 honours, to no pair and one, and 0..4 sets.

    By the table, or, with ``caps``, by the walk that lets each kind be held no more than so often.
    Returns two tuples of five. For proofs.
    """

def is_win_many(
    hands: NDArray[np.uint8],
    melds: _Melds | NDArray[np.uint8] = (),
    wild: _Kind | NDArray[np.uint8] | None = None,
    rules: Rules | None = None,
    *,
    out: NDArray[np.bool_] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.bool_]:
    """Whether each of many hands wins: :func:`is_win` row by row.

    ``hands``: C-contiguous ``uint8`` counts of shape (n, 34). ``melds``: melds of all rows, or
    ``uint8`` of shape (n, 4), ``int(meld)`` each and 0 for none (:func:`pack_melds` makes a row).
    ``wild``: one kind (or text, or None) for all, or ``uint8`` of shape (n,), 255 for none.
    ``out``: the caller's ``bool`` array with room for n. Returns ``bool`` of shape (n,), the first
    n of ``out``. ``ValueError`` names the first row that is no hand; ``out`` is untouched then. No
    GIL is held while it works; the result is the same for every number of ``threads``.
    """

def is_complete_many(
    hands: NDArray[np.uint8],
    melds: _Melds | NDArray[np.uint8] = (),
    wild: _Kind | NDArray[np.uint8] | None = None,
    *,
    out: NDArray[np.bool_] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.bool_]:
    """Whether each of many hands is complete: :func:`is_complete` row by row.

    Arguments, result and errors as for :func:`is_win_many`.
    """

def shanten_many(
    hands: NDArray[np.uint8],
    melds: _Melds | NDArray[np.uint8] = (),
    wild: _Kind | NDArray[np.uint8] | None = None,
    *,
    out: NDArray[np.int8] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.int8]:
    """Tiles each of many hands is away from waiting: :func:`shanten` row by row.

    Rows have 13 or 14 tiles with three for each meld. Returns ``int8`` of shape (n,), and ``out``
    is ``int8``; the rest as for :func:`is_win_many`.
    """
