"""鞍山麻将: the house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ._base import RulesBase, require_bool, require_choice, require_int, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(RulesBase):
    """The rule sheet of 鞍山麻将. ``ValueError`` names a field that is out of range."""

    # The preset this sheet started from.
    name: str = "anshan"
    # AM-4: whether a 混 may be discarded by who holds other tiles too.
    discard_wild: bool = True
    # AM-13: with as many tiles left nobody draws and nobody makes a kong; 82 are left by the deal.
    dead_wall: int = 14
    # AM-27: "all_yao", only 1, 9, honours and 混; or "classic", the thirteen kinds and a double.
    shisanyao: str = "all_yao"
    # AM-30: 庄 counts whenever "either" winner or payer is the dealer, or only for the "winner".
    dealer_fan: str = "either"
    # AM-37: 枪 by the turned tile, "open" (明枪), or by one turned after the win, "hidden" (暗枪).
    gun: str = "open"
    # AM-41: 三叉 counts "everywhere", or only in "shisanyao".
    sancha: str = "everywhere"
    # AM-50: the most 番 a payer is charged for; 0 is no limit.
    max_fan: int = 0
    # AM-50: multiplies every payment.
    stake: int = 1

    def __post_init__(self) -> None:
        RulesBase.__post_init__(self)
        require_text("name", self.name)
        require_bool("discard_wild", self.discard_wild)
        require_int("dead_wall", self.dead_wall, 0, 82)
        require_choice("shisanyao", self.shisanyao, ("all_yao", "classic"))
        require_choice("dealer_fan", self.dealer_fan, ("either", "winner"))
        require_choice("gun", self.gun, ("open", "hidden"))
        require_choice("sancha", self.sancha, ("everywhere", "shisanyao"))
        require_int("max_fan", self.max_fan, 0, 30)
        require_int("stake", self.stake, 1, 1_000_000)

    @classmethod
    def anshan(cls) -> Self:
        """Return the rules as played in 鞍山."""
        return cls()
