"""打滚子: the house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ._base import RulesBase, require_bool, require_choice, require_int, require_ints, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(RulesBase):
    """The rule sheet of 打滚子. ``ValueError`` names a field that is out of range."""

    # The preset this sheet started from.
    name: str = "diamond"
    # GZ-52, GZ-53: 活棒 "live" or 死棒 "dead"; GZ-54: either preset takes either.
    follow: str = "dead"
    # GZ-20: who declined is asked again when something "changed", or after "every" card.
    bid_windows: str = "changed"
    # GZ-24: one's own showing may be overturned with another suit.
    self_overturn: bool = False
    # GZ-64: the levels a buried 大王 and a buried 小王 are worth.
    joker_levels: tuple[int, int] = (2, 1)
    # GZ-65: three of which joker end the round: "both" kinds, or "big" 大王 alone.
    instant_jokers: str = "both"
    # GZ-66: multiplies the levels gained.
    stake: int = 1

    def __post_init__(self) -> None:
        RulesBase.__post_init__(self)
        require_text("name", self.name)
        require_choice("follow", self.follow, ("live", "dead"))
        require_choice("bid_windows", self.bid_windows, ("changed", "every"))
        require_bool("self_overturn", self.self_overturn)
        require_ints("joker_levels", self.joker_levels, 2, 0, 7)
        require_choice("instant_jokers", self.instant_jokers, ("both", "big"))
        require_int("stake", self.stake, 1, 1_000_000)

    @classmethod
    def diamond(cls) -> Self:
        """Return the rules of 钻石: 死棒."""
        return cls()

    @classmethod
    def yiku(cls) -> Self:
        """Return the rules of 亿酷: 活棒."""
        return cls(name="yiku", follow="live")
