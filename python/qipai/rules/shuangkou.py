"""百变双扣: the rule sheet and its three presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from qipai.plain import is_tuple
from qipai.rules._base import (
    RulesBase,
    require_bool,
    require_choice,
    require_int,
    require_ints,
    require_text,
)

Row = tuple[int, int, int, int]
Pair = tuple[int, int]

EQUAL_STARS = ("rank", "count")
CONTRIBUTION_COUNTS = ("each", "highest")


def _require_pairs(name: str, value: object) -> None:
    if not is_tuple(value) or len(value) != 3:
        raise ValueError(f"{name} must be a tuple of 3 pairs, not {value!r}")
    for pair in value:
        require_ints(name, pair, 2, 0, 10**4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(RulesBase):
    """House rules of 百变双扣; the defaults are the preset ``wenzhou``.

    Amounts are in points before ``stake``. A bad value raises ``ValueError`` naming the field.
    The ``base_even`` row of ``wenzhou`` is kept as printed, 1,0,0,1, and does not sum to zero:
    replace it by 1,-1,-1,1 for a balanced game (SK-61).
    """

    name: str = "wenzhou"
    loops: bool = False  # SK-19: 2 adjoins A and 3 in a chain bomb
    max_bomb: int = 8  # SK-16: most cards of one rank in a bomb, 8..10
    equal_stars: str = "rank"  # "rank" (SK-44) or "count" (SK-45, SK-46)
    base_double: Row = (4, 4, -4, -4)  # SK-61: 双扣, by finishing place
    base_single: Row = (2, -2, 2, -2)  # SK-61: 单扣
    base_even: Row = (1, 0, 0, 1)  # SK-61: 平扣
    # SK-62, SK-63: for 5, 6, 7, 8, 9, 10-and-more stars
    multiplier: tuple[int, int, int, int, int, int] = (2, 4, 8, 16, 16, 16)
    # SK-64: (the player gets, each other gives) for 6, 7, 8-and-more stars
    contribution: tuple[Pair, Pair, Pair] = ((6, 2), (12, 4), (18, 6))
    contribution_counts: str = "each"  # "each" play (SK-64) or a player's "highest" (SK-65)
    merge_bombs: bool = False  # SK-66: bombs of one size count together
    see_partner: bool = False  # SK-54: who is out may look at the partner's hand
    escape: bool = False  # SK-68: a player may leave the hand at a price
    stake: int = 1  # SK-67

    def __post_init__(self) -> None:
        """Check every field."""
        RulesBase.__post_init__(self)
        require_text("name", self.name)
        for name in ("loops", "merge_bombs", "see_partner", "escape"):
            require_bool(name, getattr(self, name))
        require_int("max_bomb", self.max_bomb, 8, 10)
        require_choice("equal_stars", self.equal_stars, EQUAL_STARS)
        for name in ("base_double", "base_single", "base_even"):
            require_ints(name, getattr(self, name), 4, -1000, 1000)
        require_ints("multiplier", self.multiplier, 6, 1, 4096)
        _require_pairs("contribution", self.contribution)
        require_choice("contribution_counts", self.contribution_counts, CONTRIBUTION_COUNTS)
        require_int("stake", self.stake, 1, 10**6)

    @classmethod
    def wenzhou(cls) -> Self:
        """Return the preset of Wenzhou, the default."""
        return cls()

    @classmethod
    def bianfeng(cls) -> Self:
        """Return the preset of 边锋: loops, equal stars by count, a dearer contribution."""
        return cls(
            name="bianfeng",
            loops=True,
            equal_stars="count",
            base_even=(1, -1, -1, 1),
            contribution=((6, 2), (18, 6), (30, 10)),
            see_partner=True,
            escape=True,
        )

    @classmethod
    def lishui(cls) -> Self:
        """Return the preset of 丽水: ``bianfeng`` with merged bombs and steeper multipliers."""
        return cls.bianfeng().replace(
            name="lishui",
            multiplier=(2, 4, 8, 16, 32, 64),
            contribution_counts="highest",
            merge_bombs=True,
        )
