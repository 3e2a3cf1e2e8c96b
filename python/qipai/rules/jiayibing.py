"""鞍山甲乙丙: the house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ._base import RulesBase, require_bool, require_choice, require_int, require_text

_THREES = (0, 1, 2, 3, 54, 55, 56, 57)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(RulesBase):
    """The rule sheet of 甲乙丙. ``ValueError`` names a field that is out of range."""

    # The preset this sheet started from.
    name: str = "anshan"
    # JY-3: the card id of the marked 3 (特殊3); 2 is copy 0 of heart 3.
    special_card: int = 2
    # JY-3: who leads after the first hand: who went out first, or the holder of the marked 3.
    leader: str = "first_out"
    # JY-10: the most alike that are a pattern, 4 to 8.
    max_alike: int = 4
    # JY-10: four alike and more beat every single, pair and triple, and more alike beat fewer.
    quad_is_bomb: bool = False
    # JY-20: a loser pays one stake per loser left holding cards, or one stake flat.
    score: str = "left_holding"
    # JY-20: multiplies the score.
    stake: int = 1

    def __post_init__(self) -> None:
        RulesBase.__post_init__(self)
        require_text("name", self.name)
        require_int("special_card", self.special_card, 0, 107)
        if self.special_card not in _THREES:
            raise ValueError(f"special_card must be the id of a 3, not {self.special_card}")
        require_choice("leader", self.leader, ("first_out", "special"))
        require_int("max_alike", self.max_alike, 4, 8)
        require_bool("quad_is_bomb", self.quad_is_bomb)
        require_choice("score", self.score, ("left_holding", "flat"))
        require_int("stake", self.stake, 1, 1_000_000)

    @classmethod
    def anshan(cls) -> Self:
        """Return the rules as played in 鞍山."""
        return cls()
