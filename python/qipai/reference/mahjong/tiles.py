"""Tiles and melds. A kind is 0..33: 1m..9m, 1p..9p, 1s..9s, 东南西北白发中 (1z..7z)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

KINDS = range(34)
COPIES = 4
SUITS = "mpsz"
EAST, WHITE, GREEN, RED = 27, 31, 32, 33
DRAGONS = (WHITE, GREEN, RED)


def parse_kinds(text: str) -> list[int]:
    """Return the kinds of ``"123m 11z"``, in the order written; ``ValueError`` for other text."""
    kinds: list[int] = []
    digits = ""
    for letter in text:
        if letter in "123456789":
            digits += letter
        elif letter in SUITS and digits:
            for digit in digits:
                if letter == "z" and digit in "89":
                    raise ValueError(f"no tile {digit}z in {text!r}")
                kinds.append(9 * SUITS.index(letter) + int(digit) - 1)
            digits = ""
        elif letter != " " or digits:
            raise ValueError(f"{letter!r} is out of place in the tiles {text!r}")
    if digits:
        raise ValueError(f"the tiles {text!r} end without a suit")
    return kinds


def format_kinds(kinds: Iterable[int]) -> str:
    """Return kinds as text, in order: ``[27, 0, 1]`` is ``"12m1z"``."""
    ordered = sorted(kinds)
    return "".join(
        "".join(str(k % 9 + 1) for k in ordered if k // 9 == suit) + letter
        for suit, letter in enumerate(SUITS)
        if any(k // 9 == suit for k in ordered)
    )


def suit(kind: int) -> int:
    """Return 0 万, 1 筒, 2 条, 3 honours."""
    return kind // 9


def is_yao(kind: int) -> bool:
    """Whether the kind is a 1, a 9 or an honour (幺九, AM-23)."""
    return kind >= EAST or kind % 9 in (0, 8)


def is_two_or_eight(kind: int) -> bool:
    """Whether the kind is the 2 or 8 of a suit, not a wind (二八, AM-38)."""
    return kind < EAST and kind % 9 in (1, 7)


def run_from(kind: int) -> tuple[int, int, int] | None:
    """Return the run that begins with ``kind``, if one does."""
    return (kind, kind + 1, kind + 2) if kind < EAST and kind % 9 <= 6 else None


def next_kind(kind: int) -> int:
    """Return the kind after ``kind`` in its ring: 1..9, 东南西北, 中发白 (AM-2)."""
    for ring in _RINGS:
        if kind in ring:
            return ring[(ring.index(kind) + 1) % len(ring)]
    raise ValueError(f"no tile is of kind {kind!r}")


def kind_before(kind: int) -> int:
    """Return the kind whose next kind is ``kind``."""
    return next(k for k in KINDS if next_kind(k) == kind)


_RINGS: tuple[list[int], ...] = (
    list(range(0, 9)),
    list(range(9, 18)),
    list(range(18, 27)),
    list(range(27, 31)),
    [RED, GREEN, WHITE],
)


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld: its tiles by kind, and ``how`` it was made.

    ``how`` is the action's word: ``"chi"`` 吃, ``"pon"`` 碰, ``"kong"`` 明杠, ``"addkong"`` 加杠,
    ``"ankong"`` 暗杠. As text ``"123m" "777z" "7777z" "7777z+" "(7777z)"``.
    """

    how: str
    tiles: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the meld a text stands for; ``ValueError`` if it is none."""
        inner, how = text, ""
        if text.startswith("(") and text.endswith(")"):
            inner, how = text[1:-1], "ankong"
        elif text.endswith("+"):
            inner, how = text[:-1], "addkong"
        tiles = tuple(sorted(parse_kinds(inner)))
        if len(tiles) == 4 and len(set(tiles)) == 1:
            return cls(how or "kong", tiles)
        if not how and len(tiles) == 3:
            if len(set(tiles)) == 1:
                return cls("pon", tiles)
            if tiles == run_from(tiles[0]):
                return cls("chi", tiles)
        raise ValueError(f"{text!r} is no meld")

    def __str__(self) -> str:
        tiles = format_kinds(self.tiles)
        return {"ankong": f"({tiles})", "addkong": f"{tiles}+"}.get(self.how, tiles)

    @property
    def is_kong(self) -> bool:
        """Whether it is a kong of any sort."""
        return len(self.tiles) == 4

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand: all but a 暗杠 do (AM-33)."""
        return self.how != "ankong"
