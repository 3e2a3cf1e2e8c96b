"""The bottom: 干锅, what may be buried, what may be picked up (GZ-40 to GZ-44)."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import BIG, SMALL, Trump, is_level, is_point, is_trump, rank, strength, suit

SIZE = 6


def is_dry(bottom: Sequence[int], trump: Trump) -> bool:
    """Return whether a shown bottom is 干锅: no trump-suit card, or trumps alone (GZ-44)."""
    of_trump_suit = [
        face
        for face in bottom
        if suit(face) == trump.suit and not is_level(face, trump.level) and rank(face) != "2"
    ]
    return not of_trump_suit or all(is_trump(face, trump) for face in bottom)


def may_stop(named: Sequence[int], hand: Sequence[int]) -> bool:
    """Return whether jokers may be buried so: with a 小王 no 大王 is left in hand (GZ-41)."""
    return SMALL not in named or BIG not in hand


def can_complete(buried: Sequence[int], hand: Sequence[int]) -> bool:
    """Return whether ``buried``, in ascending order, can grow to six cards that GZ-41 allows.

    ``hand`` is what is left beside them; the cards to come may not be below the last one.
    """
    left = SIZE - len(buried)
    rest = [face for face in hand if not buried or face >= buried[-1]]
    others = [face for face in rest if face != SMALL]
    if SMALL not in buried and len(others) >= left:
        return True  # without a 小王 anything goes
    return len(rest) >= left >= hand.count(BIG)  # all 大王 must go with it


def pickable(bottom: Sequence[int]) -> list[int]:
    """Return the faces of the bottom that may be picked up: no 分牌, no jokers (GZ-42, GZ-43)."""
    return [face for face in bottom if face < SMALL and not is_point(face)]


def to_pick(bottom: Sequence[int], trump: Trump) -> list[int]:
    """Return the smallest of them, different faces if they are equal (GZ-42)."""
    faces = pickable(bottom)
    least = min((strength(face, trump) for face in faces), default=0)
    return sorted({face for face in faces if strength(face, trump) == least})


def givable(hand: Sequence[int], level: int) -> list[int]:
    """Return the cards of a hand that tribute may take: 分牌 only as level cards (GZ-30)."""
    return [face for face in hand if not is_point(face) or is_level(face, level)]


def to_give(hand: Sequence[int], trump: Trump) -> list[int]:
    """Return the highest of them, different faces if they are equal (GZ-30)."""
    faces = givable(hand, trump.level)
    most = max((strength(face, trump) for face in faces), default=0)
    return sorted({face for face in faces if strength(face, trump) == most})
