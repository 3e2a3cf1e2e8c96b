"""Cards of 打滚子: faces, their text, and how they rank (GZ-1 to GZ-5).

A face is ``4 * rank + suit``, ranks 0..12 for 3..A,2 and suits 0..3 for D C H S; 52 is 小王, 53
大王. There are three cards of each face; the id of a card is ``copy * 54 + face``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RANKS = "3456789TJQKA2"
SUITS = "DCHS"
FACES = 54
COPIES = 3
DECK = FACES * COPIES
SMALL, BIG = 52, 53  # 小王, 大王
POINTS = {"5": 5, "T": 10, "K": 10}  # GZ-2


@dataclass(frozen=True, slots=True)
class Trump:
    """The trumps of a hand: a suit (``"D"``, ``"C"``, ``"H"``, ``"S"``), a level 3..10 (GZ-3)."""

    suit: str
    level: int

    def __post_init__(self) -> None:
        if self.suit not in tuple(SUITS):
            raise ValueError(f"suit must be one of D, C, H, S, not {self.suit!r}")
        check_level("level", self.level)


def check_level(name: str, level: object) -> None:
    """Raise ``ValueError`` unless ``level`` is an int from 3 to 10 (GZ-10)."""
    if isinstance(level, bool) or not isinstance(level, int) or not 3 <= level <= 10:
        raise ValueError(f"{name} must be an integer from 3 to 10, not {level!r}")


def check_faces(name: str, faces: Iterable[object]) -> None:
    """Raise ``ValueError`` unless ``faces`` are faces of the deck, at most three of each."""
    for face, number in Counter(faces).items():
        if isinstance(face, bool) or not isinstance(face, int) or not 0 <= face < FACES:
            raise ValueError(f"{name}: {face!r} is no face of a card")
        if number > COPIES:
            raise ValueError(f"{name}: {number} cards {face_text(face)}, there are only three")


def face_text(face: int) -> str:
    """Return the text of a face: ``"H8"``, ``"ST"``, ``"B"`` 小王, ``"R"`` 大王."""
    if face >= SMALL:
        return "BR"[face - SMALL]
    return SUITS[face % 4] + RANKS[face // 4]


FACE_OF = {face_text(face): face for face in range(FACES)}


def alike_text(face: int, number: int) -> str:
    """Return the text of ``number`` cards alike: ``"H8"``, ``"H8*2"``."""
    return face_text(face) + (f"*{number}" if number > 1 else "")


def faces_of(text: str) -> list[int]:
    """Read card text (``"H8*2 C4"``, separated by spaces or ``+``) into faces, in the order given.

    Raises ``ValueError`` for what is no card.
    """
    faces: list[int] = []
    for word in text.replace("+", " ").split():
        name, star, number = word.partition("*")
        if name not in FACE_OF or (star and number not in ("1", "2", "3")):
            raise ValueError(f"{word!r} is no card")
        faces += [FACE_OF[name]] * int(number or 1)
    return faces


def rank(face: int) -> str:
    """Return the rank letter of a suited face, ``""`` for a joker."""
    return RANKS[face // 4] if face < SMALL else ""


def suit(face: int) -> str:
    """Return the suit letter of a suited face, ``""`` for a joker."""
    return SUITS[face % 4] if face < SMALL else ""


def is_level(face: int, level: int) -> bool:
    """Return whether a face is a level card (级牌)."""
    return rank(face) == RANKS[level - 3]


def is_trump(face: int, trump: Trump) -> bool:
    """Return whether a face is a trump (主): jokers, all 2, level cards, the trump suit (GZ-3)."""
    return (
        face >= SMALL
        or rank(face) == "2"
        or is_level(face, trump.level)
        or suit(face) == trump.suit
    )


def suit_led(face: int, trump: Trump) -> str:
    """Return the suit a face belongs to in play; all trumps are one suit, ``"trump"`` (GZ-51)."""
    return "trump" if is_trump(face, trump) else suit(face)


def strength(face: int, trump: Trump) -> int:
    """Return the place of a face in the order of GZ-4; equal cards have equal strength.

    Every trump is above every side-suit card; side suits compare by rank alone.
    """
    in_trump_suit = suit(face) == trump.suit
    plain = RANKS.index(rank(face)) if face < SMALL else 0  # 3 .. A: 0 .. 11
    if face == BIG:
        return 29
    if face == SMALL:
        return 28
    if is_level(face, trump.level):
        return 27 if in_trump_suit else 26
    if rank(face) == "2":
        return 25 if in_trump_suit else 24
    return plain + (12 if in_trump_suit else 0)


def points(cards: Sequence[int]) -> int:
    """Return the points of the 分牌 among faces: 5 counts 5, T and K 10 each (GZ-2)."""
    check_faces("cards", cards)
    return sum(POINTS.get(rank(face), 0) for face in cards)


def is_point(face: int) -> bool:
    """Return whether a face is a 分牌 (GZ-2)."""
    return rank(face) in POINTS


def shape(cards: Sequence[int]) -> int | None:
    """Return 1 for a 单, 2 for a 棒, 3 for a 滚, None for anything else (GZ-5)."""
    alike = len(set(cards)) == 1 and len(cards) <= COPIES
    return len(cards) if alike else None
