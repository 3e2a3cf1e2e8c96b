from collections.abc import Iterable
from typing import SupportsIndex, TypeAlias

_Cards: TypeAlias = str | bytes | Iterable[SupportsIndex]

def tokens(text: str) -> list[tuple[int, int, int]]:
    """The cards of a text as (rank 0..14, suit or -1, copy or -1); ValueError for no card text."""

def parse(cards: _Cards, *, decks: int = 3, taken: Iterable[int] = ()) -> list[int]:
    """Read cards into ids, in the order given.

    Text names ranks (``3 4 5 6 7 8 9 T J Q K A 2``, ``10`` for T) with or without a suit
    (``S H D C`` or its sign), the jokers ``B`` 小王 and ``R`` 大王, ``H8*3`` for several, with
    spaces, commas or ``+`` between as you like. A rank without a suit means the lowest id of that
    rank that the text leaves; ``'`` after a card, once or twice, means its second or third copy.

    ``bytes`` of 15 rank counts or 54 face counts and sequences of ids are taken too. ``taken``:
    ids that are used already, which text and counts pass over.

    Returns a list of ints, ``copy * 54 + face`` with ``face = 4 * rank + suit`` (52 小王, 53 大王).
    Raises ``ValueError`` that names what is no card, or of what there are too many for ``decks``.
    """

def format(cards: _Cards, *, decks: int = 3) -> str:
    """Write ids as text that :func:`parse` reads back into the same ids.

    A copy beyond the first that would not be reached by counting gets its ``'``.
    ``ValueError`` for an id that does not exist or is given twice.
    """
