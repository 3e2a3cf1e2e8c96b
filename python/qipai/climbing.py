"""What the climbing games share in words: dealt hands and the cards an action names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard

from qipai._core.cards import parse, tokens

Hands = tuple[tuple[int, ...], ...]

# The kinds of events that every climbing game has, before its own.
EVENTS = ("play", "pass", "lead", "out", "over")


def need_hands(hands: object, players: int, decks: int) -> Hands:
    """Return dealt hands as ascending ids; each is ids or text, and ranks take the lowest ids left.

    ``ValueError`` for what are no hands of so many players; whether they come out even is for the
    engine to say.
    """
    if not _is_row(hands) or len(hands) != players:
        raise ValueError(f"a deal needs the hands of {players} players")
    taken: list[int] = []
    dealt: list[tuple[int, ...]] = []
    try:
        for hand in hands:
            ids = parse(hand, decks=decks, taken=taken)
            taken += ids
            dealt.append(tuple(sorted(ids)))
    except TypeError as error:
        raise ValueError(f"a deal's hands must be card ids or text: {error}") from None
    return tuple(dealt)


def _is_row(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def seen_hands(hands: Sequence[list[int]], viewer: int | str | None) -> list[list[int] | None]:
    """Return the hands where each sees its own only: None for the others, all for viewer None."""
    return [hand if viewer is None or viewer == seat else None for seat, hand in enumerate(hands)]


def rank_of(card: int) -> int:
    """Return the place of a card's rank, 0 to 14."""
    face = card % 54
    return face // 4 if face < 52 else face - 39


def hand_bits(hands: Hands) -> bytes:
    """Return hands as the engines hold them: for each, 15 bytes of bits and one unused."""
    bits = bytearray(16 * len(hands))
    for seat, hand in enumerate(hands):
        for card in hand:
            copy, face = divmod(card, 54)
            bit = 4 * copy + face % 4 if face < 52 else copy
            bits[16 * seat + rank_of(card)] |= 1 << bit
    return bytes(bits)


def hands_of(bits: bytes, players: int) -> Hands:
    """Return the hands that :func:`hand_bits` wrote; ``ValueError`` for bits that are no cards."""
    hands: list[tuple[int, ...]] = []
    for seat in range(players):
        ids: list[int] = []
        for rank, byte in enumerate(bits[16 * seat : 16 * seat + 16]):
            left = byte
            while left:
                bit = (left & -left).bit_length() - 1
                left &= left - 1
                if rank > 14 or (rank > 12 and bit > 1):
                    raise ValueError("the deal has a card that is not in the game")
                joker = 54 * bit + rank + 39
                ids.append(joker if rank > 12 else 54 * (bit // 4) + 4 * rank + bit % 4)
        hands.append(tuple(sorted(ids)))
    return tuple(hands)


def rank_counts(cards: Iterable[int]) -> bytes:
    """Return the 15 rank counts of ids."""
    counts = bytearray(15)
    for card in cards:
        counts[rank_of(card)] += 1
    return bytes(counts)


def in_hand(text: str, hand: Sequence[int], decks: int) -> list[int] | None:
    """Return the ids that text with suits names in a hand, None for text of ranks alone.

    A card without a copy means its lowest copy in the hand, a rank the lowest id of it that the
    text leaves there. Cards that the hand lacks come out as ids that it lacks.
    """
    named = tokens(text)
    if all(suit < 0 and copy < 0 for _, suit, copy in named):
        return None
    left = sorted(hand)
    ids: list[int] = [-1] * len(named)
    # The more exactly a card is named, the earlier, so that the others take what it leaves.
    for step in range(3):
        for place, (rank, suit, copy) in enumerate(named):
            if (0 if copy >= 0 else 1 if suit >= 0 or rank > 12 else 2) != step:
                continue
            fitting = (card for card in left if _fits(card, rank, suit, copy))
            card = next(fitting, None)
            if card is None:
                lacking = (id for id in range(54 * decks) if id not in ids)
                card = next(id for id in lacking if _fits(id, rank, suit, copy))
            else:
                left.remove(card)
            ids[place] = card
    return ids


def _fits(card: int, rank: int, suit: int, copy: int) -> bool:
    return (
        rank_of(card) == rank and (suit < 0 or card % 54 % 4 == suit) and copy in (-1, card // 54)
    )


def read_cards(
    text: str, hand: Sequence[int], decks: int, id_of: Callable[[bytes], int]
) -> tuple[int, bytes]:
    """Return (action id, exact ids) of a play's text; no ids where it names ranks alone.

    ``ValueError`` for text that is no cards, or more of them than there are.
    """
    counts = rank_counts(parse(text, decks=decks))
    if not any(counts):
        raise ValueError(f"{text!r} names no cards")
    ids = in_hand(text, hand, decks)
    return id_of(counts), bytes(ids or ())


def one_action(
    cards: Sequence[int], decks: int, id_of: Callable[[bytes], int]
) -> tuple[int, bytes]:
    """Return (action id, exact ids) of playing physical cards."""
    ids = parse(cards, decks=decks)
    return id_of(rank_counts(ids)), bytes(ids)
