from collections.abc import Iterable
from enum import IntEnum
from typing import TypeAlias, final

class MeldForm(IntEnum):
    """What a meld is (AM-10)."""

    CHOW = 0
    PONG = 1
    OPEN_KONG = 2
    ADDED_KONG = 3
    CONCEALED_KONG = 4

@final
class Meld:
    """A meld by its text.

    That is ``"123m"`` 吃, ``"777z"`` 碰, ``"7777z"`` 明杠, ``"7777z+"`` 加杠, ``"(7777z)"`` 暗杠;
    ``ValueError`` for text that is none of these; the order of the tiles does not matter.
    ``int(meld)`` is its byte in arrays of melds. Immutable and hashable; ``str`` gives the text.
    """
    def __init__(self, text: str) -> None: ...
    @property
    def code(self) -> int: ...
    @property
    def form(self) -> MeldForm:
        """What it is, a :class:`MeldForm`."""
    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of its tiles, ascending."""
    @property
    def is_kong(self) -> bool:
        """Whether it has four tiles."""
    @property
    def is_open(self) -> bool:
        """Whether it opens the hand: all but a 暗杠 do (AM-33)."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Melds: TypeAlias = str | bytes | Iterable[str | Meld]

def pack_melds(melds: _Melds) -> bytes:
    """Melds as four bytes, ``int(meld)`` each and 0 for none: a row of an array of melds.

    ``ValueError`` for what is no meld, or more than four.
    """
