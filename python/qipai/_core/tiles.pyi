from collections.abc import Iterable
from typing import SupportsIndex, TypeAlias

_Tiles: TypeAlias = str | bytes | Iterable[SupportsIndex]

def parse(tiles: _Tiles) -> list[int]:
    """Read tiles into ids, in the order given.

    Text is ranks and then their suit, ``"123m456p789s11z"``: ``m`` or 万, ``p`` or 筒, ``s`` or 条,
    ``z`` for 东南西北白发中 as 1 to 7, which may be written themselves; spaces or commas stand
    between suits as you like. A tile means the lowest id of its kind that the text leaves; ``'``
    after a rank, up to three times, names its second, third or fourth copy.

    ``bytes`` of 34 counts and sequences of ids are taken too. Returns a list of ints,
    ``4 * kind + copy``, kinds 0..33 in the order m, p, s, z. Raises ``ValueError`` that names what
    is no tile, or of what there are more than four.
    """

def format(tiles: _Tiles) -> str:
    """Write ids as text that :func:`parse` reads back into the same ids, in the same order.

    A copy that would not be reached by counting gets its ``'``. ``ValueError`` for an id that does
    not exist or is given twice.
    """
