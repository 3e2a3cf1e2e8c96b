"""鞍山放羊: the house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ._base import RulesBase, require_bool, require_choice, require_int, require_ints, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(RulesBase):
    """The rule sheet of 放羊. ``ValueError`` names a field that is out of range.

    The four score fields say, in stakes, what side A gets from side B for an order of going out
    (2v2: each B pays it and each A receives it; 1v3: each B pays it to the one A). A negative
    number flows the other way. A is the side of who went out first in 2v2, the banker in 1v3.
    """

    # The preset this sheet started from.
    name: str = "anshan"
    # FY-5: who is banker after the first hand: who went out first, or the holder of heart 4.
    banker: str = "first_out"
    # FY-11: four alike also beats every single, pair and triple.
    quad_is_bomb: bool = False
    # FY-20: ABAB, AABB, ABBA.
    not_shown_2v2: tuple[int, int, int] = (1, 2, 0)
    # FY-21: ABBB, BABB or BBAB, BBBA.
    not_shown_1v3: tuple[int, int, int] = (1, 0, -1)
    # FY-22: ABAB, AABB, ABBA.
    shown_2v2: tuple[int, int, int] = (2, 4, 0)
    # FY-22: A goes out first, a B goes out first.
    shown_1v3: tuple[int, int] = (2, -2)
    # FY-23: multiplies the table.
    stake: int = 1

    def __post_init__(self) -> None:
        RulesBase.__post_init__(self)
        require_text("name", self.name)
        require_choice("banker", self.banker, ("first_out", "heart4"))
        require_bool("quad_is_bomb", self.quad_is_bomb)
        require_ints("not_shown_2v2", self.not_shown_2v2, 3, -100, 100)
        require_ints("not_shown_1v3", self.not_shown_1v3, 3, -100, 100)
        require_ints("shown_2v2", self.shown_2v2, 3, -100, 100)
        require_ints("shown_1v3", self.shown_1v3, 2, -100, 100)
        require_int("stake", self.stake, 1, 1_000_000)

    @classmethod
    def anshan(cls) -> Self:
        """Return the rules as played in 鞍山."""
        return cls()
