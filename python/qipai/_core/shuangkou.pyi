from collections.abc import Iterable
from enum import IntEnum
from typing import Never, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from qipai.rules.shuangkou import Rules

_Cards: TypeAlias = str | bytes | Iterable[SupportsIndex]
_Hands: TypeAlias = NDArray[np.uint64] | NDArray[np.uint8]

class Kind(IntEnum):
    """What a play is (SK-10..18)."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    STRAIGHT = 4
    PAIR_RUN = 5
    TRIPLE_RUN = 6
    BOMB = 7
    CHAIN_BOMB = 8
    THREE_JOKERS = 9
    FOUR_JOKERS = 10

@final
class Play:
    """A set of cards read as a pattern.

    ``kind``, ``rank`` (text of the top rank; of a loop its last, ``"R"`` of joker bombs), ``width``
    cards a group, ``length`` groups (joker bombs: 3 or 4, and 1), ``stars`` (0 for what is no
    bomb), ``is_loop``, ``cards`` (text as played, low to high), ``reading`` (the same with each
    大王 replaced by what it stands for). Immutable and hashable; ``int(play)`` is the action id.
    """
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> Kind:
        """What it is, a :class:`Kind`."""
    @property
    def rank(self) -> str:
        """Text of the top rank of the reading."""
    @property
    def width(self) -> int:
        """Cards in each group."""
    @property
    def length(self) -> int:
        """Number of groups."""
    @property
    def stars(self) -> int:
        """星 of a bomb (SK-16, 17, 18), 0 of anything else."""
    @property
    def is_loop(self) -> bool:
        """Whether it is a 循环炸 (SK-19)."""
    @property
    def cards(self) -> str:
        """Text of the cards as played, low to high."""
    @property
    def reading(self) -> str:
        """Text of the cards with each 大王 replaced by what it stands for, low to high."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def classify(cards: _Cards, rules: Rules | None = None) -> Play | None:
    """Read a set of cards as the pattern it is (SK-10..20, SK-30..32).

    ``cards``: text, ``bytes`` of 15 rank counts, or ids. Returns a :class:`Play`, or None where
    the cards are no pattern. ``ValueError`` for what no hand can be: a ninth 7, 28 cards.
    """

def beats(a: Play | _Cards, b: Play | _Cards, rules: Rules | None = None) -> bool:
    """Whether play ``a`` beats play ``b`` (SK-40..46).

    Each is a :class:`Play` or cards as for :func:`classify`; ``ValueError`` where one is no play.
    """

def legal_plays(
    hand: _Cards, on: Play | _Cards | None = None, rules: Rules | None = None
) -> list[Play]:
    """List every play that a hand can make, each distinct set of ranks once.

    ``hand``: cards of at most 27; ``on``: the play to beat (cards or a :class:`Play`), or None for
    a free lead. Returns Plays in the order of their ids; passing is not among them.
    """

def legal_ids(
    hand: _Cards,
    on: Play | _Cards | None = None,
    rules: Rules | None = None,
    *,
    out: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Ids of what :func:`legal_plays` lists, ascending.

    ``out``: the caller's ``int32`` array with room for them. Returns ``int32`` of shape (k,), the
    first k of ``out``. Errors as :func:`legal_plays`, and ``ValueError`` for an ``out`` that is no
    such array or too small.
    """

def bombs(hand: _Cards, rules: Rules | None = None) -> list[Play]:
    """List every bomb of a hand, 连环炸 and joker bombs included (SK-16..19), by ascending id."""

def table_digest() -> str:
    """The fingerprint of the table: ids, cards and readings."""

def table_size() -> int:
    """How many actions there are: the pass, 0, and every playable set."""

def play_at_id(id: int) -> Play:
    """The Play with an action id from 1 to ``table_size() - 1``."""

def row_of_counts(counts: bytes) -> int:
    """The action id of 15 rank counts, 0 where they are no play under any rules."""

def classify_many(
    array: _Hands,
    rules: Rules | None = None,
    *,
    out: NDArray[np.void] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.void]:
    """Classify many sets at once.

    ``array``: C-contiguous, ``uint64`` of shape (n,) with rank i in bits 4i..4i+3, or ``uint8``
    counts of shape (n, 15). ``out``: the caller's one-dimensional array of ``PLAY_DTYPE`` with
    room for n rows. Returns an array of ``PLAY_DTYPE`` and shape (n,) (the first n of ``out``);
    rows that are no play are all zero. Every row is checked before anything is written, and
    ``ValueError`` names the first that no hand can be. No GIL is held while it works; the result
    is the same for every number of ``threads``.
    """

def beats_many(
    a: _Hands,
    b: _Hands,
    rules: Rules | None = None,
    *,
    out: NDArray[np.bool_] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.bool_]:
    """Whether ``a[i]`` beats ``b[i]``, for many pairs at once (SK-40..46).

    ``a``, ``b``: arrays of n rows as for :func:`classify_many`, every row a play. ``out``: the
    caller's ``bool`` array with room for n. Returns a ``bool`` array of shape (n,). ``ValueError``
    names the first row where one of the two is no play; ``out`` is untouched then.
    """

def legal_count_many(
    array: _Hands,
    on: Play | _Cards | None = None,
    rules: Rules | None = None,
    *,
    out: NDArray[np.int32] | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.int32]:
    """How many plays each of many hands can make.

    ``array``: hands as for :func:`classify_many`; ``on``: the play all of them are to beat, or
    None for a free lead. ``out``: the caller's ``int32`` array with room for n. Returns ``int32``
    of shape (n,): distinct sets of ranks, passing not counted. Errors as :func:`classify_many`.
    """
