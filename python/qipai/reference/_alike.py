"""What 放羊 and 甲乙丙 share: patterns of equal cards, turn, pass and 接风."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

RANKS = "3456789TJQKA2BR"
SUITS = "DCHS"
KINDS = ("SINGLE", "PAIR", "TRIPLE", "QUAD", "FIVE", "SIX", "SEVEN", "EIGHT")

Counts = Sequence[int]  # how many of each of the 15 ranks, in the order of RANKS


@dataclass(frozen=True, slots=True)
class Play:
    """Equal cards, played together."""

    kind: str  # one of KINDS
    rank: str  # one of RANKS
    width: int  # how many alike
    cards: str  # the rank, written ``width`` times


def rank_text(card: int) -> str:
    """Return the rank of a card id."""
    face = card % 54
    return RANKS[face // 4] if face < 52 else RANKS[face - 39]


def face_text(card: int) -> str:
    """Return suit and rank of a card id; a joker has no suit."""
    face = card % 54
    return SUITS[face % 4] + rank_text(card) if face < 52 else rank_text(card)


@cache
def counts_of(ranks: str) -> tuple[int, ...]:
    """Return how many of each rank a rank text has."""
    return tuple(ranks.count(rank) for rank in RANKS)


def rank_counts(hand: Sequence[int]) -> list[int]:
    """Return how many of each rank a hand of card ids has."""
    ranks = [rank_text(card) for card in hand]
    return [ranks.count(rank) for rank in RANKS]


def check_counts(cards: Counts, decks: int, most: int) -> None:
    """Raise ``ValueError`` unless some hand of at most ``most`` cards has these ranks."""
    _check_counts(tuple(cards), decks, most)


@cache
def _check_counts(cards: tuple[int, ...], decks: int, most: int) -> None:
    if len(cards) != len(RANKS):
        raise ValueError(f"{len(RANKS)} counts are needed, not {len(cards)}")
    for rank, count in zip(RANKS, cards, strict=True):
        in_deck = decks if rank in "BR" else 4 * decks
        if not 0 <= count <= in_deck:
            raise ValueError(f"{count} cards of rank {rank}; there are {in_deck}")
    if sum(cards) > most:
        raise ValueError(f"{sum(cards)} cards; a hand has at most {most}")


def equal_cards(cards: Counts) -> Play | None:
    """Return the play if all the cards are of one rank (小王 and 大王 are two), else None."""
    return _equal_cards(tuple(cards))


@cache
def _equal_cards(cards: tuple[int, ...]) -> Play | None:
    held = [(rank, count) for rank, count in zip(RANKS, cards, strict=True) if count]
    if len(held) != 1:
        return None
    rank, count = held[0]
    return Play(KINDS[count - 1], rank, count, rank * count)


def subsets(hand: Counts) -> list[tuple[int, ...]]:
    """Return the counts of each non-empty set of equal cards in a hand."""
    return [
        counts_of(rank * width)
        for rank, count in zip(RANKS, hand, strict=True)
        for width in range(1, count + 1)
    ]


def of_rank(hand: Sequence[int], rank: str) -> list[int]:
    """Return the ids of a hand that have a rank, ascending."""
    return sorted(card for card in hand if rank_text(card) == rank)


def named_cards(hand: Sequence[int], text: str) -> list[int] | None:
    """Return the cards of exactly these faces (``"H7 S7"``), lowest copies; None if not held."""
    left = sorted(hand)
    taken: list[int] = []
    for name in text.split():
        card = next((card for card in left if face_text(card) == name), None)
        if card is None:
            return None
        left.remove(card)
        taken.append(card)
    return taken


def check_keys(what: str, data: object, keys: Collection[str]) -> None:
    """Raise ``ValueError`` unless ``data`` is a mapping with no key but ``keys``."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{what} must be a mapping, not {type(data).__name__}")
    for key in data:  # pyright: ignore[reportUnknownVariableType]
        if key not in keys:
            raise ValueError(f"{what} has an unknown entry {key!r}")


def check_seat(what: str, value: object, players: int) -> int:
    """Return the seat; ``ValueError`` if it is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < players:
        raise ValueError(f"{what} must be a seat from 0 to {players - 1}, not {value!r}")
    return value


def history_seat(history: object, key: str, players: int) -> int | None:
    """Return the one seat a history names, if any; ``ValueError`` if it is none."""
    if history is None:
        return None
    check_keys("history", history, (key,))
    seat = cast("Mapping[str, object]", history).get(key)
    return None if seat is None else check_seat(key, seat, players)


def checked_hands(hands: object, decks: int, sizes: Sequence[int]) -> list[list[int]]:
    """Return a sorted copy of dealt hands; ``ValueError`` unless they share out whole decks."""
    dealt: list[list[int]] = []
    seen: set[int] = set()
    for seat, (hand, size) in enumerate(zip(_row("hands", hands, len(sizes)), sizes, strict=True)):
        cards: list[int] = []
        for card in _row(f"the hand of seat {seat}", hand, size):
            if isinstance(card, bool) or not isinstance(card, int) or not 0 <= card < 54 * decks:
                raise ValueError(f"{card!r} in the hand of seat {seat} is no card id")
            if card in seen:
                raise ValueError(f"card {card} is dealt twice")
            seen.add(card)
            cards.append(card)
        dealt.append(sorted(cards))
    return dealt


def _row(what: str, value: object, size: int) -> Sequence[object]:
    if isinstance(value, list | tuple):
        row = cast("Sequence[object]", value)
        if len(row) == size:
            return row
    raise ValueError(f"{what} must be a list of {size}")


@dataclass(slots=True)
class Climb:
    """Turn, pass and the lead after a trick (FY-11 to FY-13, JY-11, JY-12)."""

    hands: list[list[int]]
    turn: int
    table: Play | None = None  # what is to be beaten; None: a free lead
    table_seat: int | None = None
    passes: int = 0  # since the last play
    finished: list[int] = field(default_factory=list[int])  # in the order of going out

    def next_holding(self, seat: int, among: Collection[int]) -> int:
        """Return the next seat in turn, of those among, that still has cards."""
        players = len(self.hands)
        onward = [(seat + step) % players for step in range(1, players)]
        return next(other for other in onward if other in among and self.hands[other])

    def play(self, cards: Sequence[int], play: Play) -> None:
        """Put cards of the seat to act on the table; the turn goes on."""
        hand = self.hands[self.turn]
        for card in cards:
            hand.remove(card)
        if not hand:
            self.finished.append(self.turn)
        self.table, self.table_seat, self.passes = play, self.turn, 0
        self.turn = self.next_holding(self.turn, range(len(self.hands)))

    def pass_on(self, heir: Callable[[int], int]) -> None:
        """Pass. After all others the last to play leads; ``heir`` names who does if it is out."""
        last = self.table_seat
        assert last is not None
        self.passes += 1
        others = [seat for seat, hand in enumerate(self.hands) if hand and seat != last]
        if self.passes < len(others):
            self.turn = self.next_holding(self.turn, others)
            return
        self.turn = last if self.hands[last] else heir(last)
        self.table, self.table_seat, self.passes = None, None, 0
