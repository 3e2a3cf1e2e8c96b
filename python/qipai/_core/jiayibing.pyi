from collections.abc import Iterable
from enum import IntEnum
from typing import SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from qipai._core.alike import AlikePlay
from qipai.rules.jiayibing import Rules

_Cards: TypeAlias = str | bytes | Iterable[SupportsIndex]
_Hands: TypeAlias = NDArray[np.uint64] | NDArray[np.uint8]

class Kind(IntEnum):
    """What a play is (JY-10); the number is that of its cards."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    QUAD = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8

@final
class Play(AlikePlay):
    """A set of cards read as a pattern (JY-10).

    ``kind``, ``rank`` (its text), ``width`` (how many cards) and ``cards`` (text). Immutable and
    hashable; ``int(play)`` is the action id.
    """
    @property
    def kind(self) -> Kind:
        """What it is, a :class:`Kind`."""

def play_at_id(id: int) -> Play:
    """The Play with an action id from 1 to 108."""

def id_of_counts(counts: _Cards) -> int:
    """The action id of cards, -1 where they are no play under any rules."""

def classify(cards: _Cards, rules: Rules | None = None) -> Play | None:
    """Read a set of cards as the pattern it is (JY-10: ``rules.max_alike``).

    ``cards``: text, ``bytes`` of 15 rank counts, or ids. Returns a :class:`Play`, or None where
    the cards are no pattern. ``ValueError`` for what no hand can be: a ninth 7, 19 cards.
    """

def beats(a: Play | _Cards, b: Play | _Cards, rules: Rules | None = None) -> bool:
    """Whether play ``a`` beats play ``b`` (JY-2, JY-10, JY-11).

    Each is a :class:`Play` or cards as for :func:`classify`; ``ValueError`` where one is no play.
    """

def legal_plays(
    hand: _Cards, on: Play | _Cards | None = None, rules: Rules | None = None
) -> list[Play]:
    """List every play that a hand can make, each distinct set of ranks once.

    ``hand``: cards of at most 18; ``on``: the play to beat (cards or a :class:`Play`), or None for
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
    """Whether ``a[i]`` beats ``b[i]``, for many pairs at once (JY-11).

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
