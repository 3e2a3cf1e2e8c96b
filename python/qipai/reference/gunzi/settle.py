"""What a hand comes to: levels, blood, next dealer, round (GZ-10, GZ-12, GZ-32, GZ-61 to GZ-66)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qipai.rules.gunzi import Rules

from .cards import check_level
from .follow import DEFAULT

Side = Literal["dealers", "attackers"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of a hand; ``dealers`` and ``attackers`` are the sides of the hand played."""

    gainer: Side | None  # who met GZ-62, GZ-63 or GZ-65, even if nothing is gained at level 10
    levels: tuple[int, int]  # dealers', attackers' level after the hand; (3, 3) after a round
    gained: int  # levels gained by the gainer, as GZ-66 counts them
    blood: int  # cards due at the next hand (GZ-32, GZ-33)
    payer: Side | None  # who owes them; None if nothing is due
    next_dealer: int | None  # seats on from the dealer (GZ-12); None after a round
    round_winner: Side | None


def settle(
    points: int,
    dug: bool,
    buried: tuple[int, int],
    *,
    level: tuple[int, int],
    dry: bool = False,
    rules: Rules = DEFAULT,
) -> Settlement:
    """Settle a hand.

    ``points`` is the attackers' total S, the bottom of GZ-61 included; ``dug`` whether they won the
    last trick (抠底); ``buried`` the 大王 and 小王 in the bottom; ``level`` the dealers' and the
    attackers' level before; ``dry`` a 干锅 (GZ-44). Raises ``ValueError`` for impossible input.
    """
    _check(points, dug, buried, level)
    big, small = (0, 0) if dry else buried  # GZ-44
    enough = points >= 120
    rewarded = dug == enough  # GZ-62, GZ-63: attackers with both, dealers with neither
    gainer: Side | None = None
    if rewarded:
        gainer = "attackers" if enough else "dealers"

    winner: Side | None = None  # of the round, GZ-65
    three = big == 3 or (small == 3 and rules.instant_jokers == "both")
    if points == 0:
        winner = "dealers"
    elif points >= 300:
        winner = "attackers"
    elif three and rewarded:
        winner = gainer
    if winner is not None:
        return _round_won(winner, 11 - level[winner == "attackers"])
    if gainer == "dealers" and level[0] == 10:  # GZ-10, GZ-63
        return _round_won("dealers", 1)

    after = list(level)
    gained = 0
    if gainer is not None:
        side = int(gainer == "attackers")
        more = 1 + big * rules.joker_levels[0] + small * rules.joker_levels[1]  # GZ-64
        after[side] = min(10, level[side] + more)  # GZ-10: 逢10必打
        gained = after[side] - level[side]

    blood = 0
    if points < 80:
        blood = (80 - points + 9) // 10  # GZ-32: a 5 counts as 10
    elif points > 150:
        blood = (points - 150) // 10
    if rewarded or enough:  # GZ-64: void with 抠底 and too few points
        blood += 2 * big + small  # GZ-33
    payer: Side = "dealers" if enough else "attackers"
    return Settlement(
        gainer=gainer,
        levels=(after[0], after[1]),
        gained=gained,
        blood=blood,
        payer=payer if blood else None,
        next_dealer=1 if enough else 2,  # GZ-12
        round_winner=None,
    )


def _round_won(winner: Side, gained: int) -> Settlement:
    return Settlement(winner, (3, 3), gained, 0, None, None, winner)


def _check(
    points: object, dug: object, buried: tuple[object, object], level: tuple[object, object]
) -> None:
    if not isinstance(dug, bool):
        raise ValueError(f"dug must be True or False, not {dug!r}")
    if len(buried) != 2:
        raise ValueError(f"buried must be the numbers of 大王 and 小王, not {buried!r}")
    jokers = 0
    for name, number in zip(("大王", "小王"), buried, strict=True):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 3:
            raise ValueError(f"buried: there can be 0 to 3 {name}, not {number!r}")
        jokers += number
    most = 300 + (10 * (6 - jokers) if dug else 0)  # GZ-61: the bottom counts twice
    if isinstance(points, bool) or not isinstance(points, int) or points % 5:
        raise ValueError(f"points must be a multiple of 5, not {points!r}")
    if not 0 <= points <= most:
        raise ValueError(f"points must be from 0 to {most} here, not {points}")
    if len(level) != 2:
        raise ValueError(f"level must be the dealers' and the attackers', not {level!r}")
    for number in level:
        check_level("level", number)
