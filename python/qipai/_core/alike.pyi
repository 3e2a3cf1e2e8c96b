from typing import Never

import numpy as np
from typing_extensions import disjoint_base

@disjoint_base
class AlikePlay:
    """Cards alike, read as a pattern. Each game has its own."""
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def id(self) -> int: ...
    @property
    def width(self) -> int:
        """How many cards."""
    @property
    def rank(self) -> str:
        """Text of the rank."""
    @property
    def cards(self) -> str:
        """Text of the cards."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class Alike:
    """What the pure functions of a game do. A subclass sets the fields, `plain` as the default
    rules have it, and makes its plays.
    """

def play_dtype() -> np.dtype[np.void]:
    """A row of classify_many: the id of the play (0: none), its Kind, which is the number of cards
    too, and the place of its rank, 0 to 14.
    """
