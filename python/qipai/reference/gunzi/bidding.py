"""What may be shown while the cards are dealt (GZ-20 to GZ-25)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qipai.rules.gunzi import Rules

from .cards import BIG, COPIES, SMALL, SUITS, alike_text, face_text, is_level, suit


@dataclass(frozen=True, slots=True)
class Showing:
    """Cards shown: ``number`` of ``face``, which name ``suit`` (``""`` for the 大王 of GZ-21)."""

    face: int
    number: int
    suit: str

    @property
    def text(self) -> str:
        """The action text: ``"show R"``, ``"show H5*2"``, ``"show B*3 as S"`` (GZ-20)."""
        named = f" as {self.suit}" if self.face >= SMALL and self.suit else ""
        return f"show {alike_text(self.face, self.number)}{named}"


def first_showings(hand: Sequence[int], standing: Showing | None) -> list[Showing]:
    """Return what a hand may show in the first hand of a round: the first 大王 (GZ-21)."""
    return [Showing(BIG, 1, "")] if standing is None and BIG in hand else []


def later_showings(
    hand: Sequence[int], level: int, standing: Showing | None, is_own: bool, rules: Rules
) -> list[Showing]:
    """Return what a hand may show in a later hand (GZ-23 to GZ-25).

    ``standing`` is the showing to overturn, ``is_own`` whether the holder of the hand made it.
    """
    held = [
        Showing(face, number, suit(face))
        for face in sorted(set(hand))
        if face < SMALL and is_level(face, level)
        for number in range(1, hand.count(face) + 1)
    ] + [
        Showing(joker, COPIES, named)
        for joker in (SMALL, BIG)
        if hand.count(joker) == COPIES
        for named in SUITS
    ]
    return [new for new in held if standing is None or _overturns(new, standing, is_own, rules)]


def _overturns(new: Showing, old: Showing, is_own: bool, rules: Rules) -> bool:
    if new.face >= SMALL:  # GZ-25
        return new.face > old.face or old.face < SMALL
    if old.face >= SMALL or new.number <= old.number:
        return False
    return not is_own or new.suit == old.suit or rules.self_overturn  # GZ-24


def flip_order(face: int) -> int:
    """Return the place of a suited face when the first dealer is flipped for (GZ-22)."""
    return "456789TJQKA23".index(face_text(face)[1])
