"""鞍山甲乙丙, clause by clause."""

from __future__ import annotations

from typing import Any

from ..rules.jiayibing import Rules
from ._alike import (
    RANKS,
    Climb,
    Counts,
    Play,
    check_counts,
    check_keys,
    checked_hands,
    counts_of,
    equal_cards,
    history_seat,
    named_cards,
    of_rank,
    rank_counts,
    rank_text,
    subsets,
)

__all__ = ["Game", "Play", "beats", "classify", "legal_plays"]

ORDER = "3456789TJQKA2BR"  # JY-2, low to high
SIDES = ((0, 2, 4), (1, 3, 5))  # JY-1

_ANSHAN = Rules.anshan()


def classify(cards: Counts, rules: Rules = _ANSHAN) -> Play | None:
    """Return what 15 rank counts are as a play, None if they are none (JY-10).

    ``ValueError`` for what no hand can hold: nine of a rank, three of a joker, 19 cards.
    """
    check_counts(cards, decks=2, most=18)
    play = equal_cards(cards)
    return play if play is not None and play.width <= rules.max_alike else None


def beats(a: Counts | Play, b: Counts | Play, rules: Rules = _ANSHAN) -> bool:
    """Say whether ``a`` may be played on ``b`` (JY-11); ``ValueError`` if either is no play."""
    return _beats(_as_play(a, rules), _as_play(b, rules), rules)


def _beats(new: Play, old: Play, rules: Rules) -> bool:
    if new.width == old.width:
        return ORDER.index(new.rank) > ORDER.index(old.rank)
    # JY-10: a bomb beats what is no bomb; of two bombs, the one with more alike.
    return rules.quad_is_bomb and new.width >= 4 and new.width > old.width


def legal_plays(
    hand: Counts, on: Counts | Play | None = None, rules: Rules = _ANSHAN
) -> list[Play]:
    """Return each play of a hand that may lead (``on`` None) or that beats ``on``."""
    check_counts(hand, decks=2, most=18)
    found = [classify(cards, rules) for cards in subsets(hand)]
    plays = [play for play in found if play is not None]
    if on is None:
        return plays
    old = _as_play(on, rules)
    return [play for play in plays if _beats(play, old, rules)]


def _as_play(cards: Counts | Play, rules: Rules) -> Play:
    counts = counts_of(cards.cards) if isinstance(cards, Play) else cards
    play = classify(counts, rules)
    if play is None:
        raise ValueError(f"{cards!r} is no play")
    return play


class Game:
    """One hand of 甲乙丙 in the open.

    ``deal``: ``{"hands": six lists of 18 card ids}``. ``history``: None or ``{"leader": seat}``;
    without a seat it is the first hand (JY-3). Actions: plays by rank, and ``"pass"``.
    """

    players = 6

    def __init__(
        self, rules: Rules, deal: dict[str, Any], history: dict[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.order = list(range(6))
        check_keys("deal", deal, ("hands",))
        hands = checked_hands(deal.get("hands"), 2, [18] * 6)
        leader = next(seat for seat in range(6) if rules.special_card in hands[seat])  # JY-3
        first_out = history_seat(history, "leader", 6)
        if first_out is not None and rules.leader == "first_out":
            leader = first_out
        self.is_over = False
        self._climb = Climb(hands, leader)

    @property
    def hands(self) -> list[list[int]]:
        """The card ids of each seat, ascending."""
        return self._climb.hands

    @property
    def finished(self) -> list[int]:
        """The seats without cards, in the order of going out."""
        return self._climb.finished

    @property
    def phase(self) -> str:
        """``"play"`` or ``"over"``."""
        return "over" if self.is_over else "play"

    @property
    def turn(self) -> int | None:
        """The seat to act, None when over."""
        return None if self.is_over else self._climb.turn

    def legal_actions(self) -> list[str]:
        """List the texts of the legal actions."""
        if self.is_over:
            return []
        hand = rank_counts(self.hands[self._climb.turn])
        texts = [play.cards for play in legal_plays(hand, self._climb.table, self.rules)]
        # JY-11: a free lead cannot be passed.
        return texts if self._climb.table is None else [*texts, "pass"]

    def is_legal(self, text: str) -> bool:
        """Say whether an action is legal; a play may also be named by its cards (``"H7 S7"``)."""
        legal = self.legal_actions()
        return text in legal or self._as_ranks(text) in legal

    def apply(self, text: str) -> None:
        """Carry out an action; ``ValueError`` if it is illegal, and nothing changes then."""
        if not self.is_legal(text):
            raise ValueError(f"{text!r} is not legal here")
        if text == "pass":
            self._climb.pass_on(self._heir)
            return
        hand = self.hands[self._climb.turn]
        cards = named_cards(hand, text) or of_rank(hand, text[0])[: len(text)]
        play = equal_cards(rank_counts(cards))
        assert play is not None
        self._climb.play(cards, play)
        # JY-13
        if any(all(not self.hands[seat] for seat in side) for side in SIDES):
            self.is_over = True

    def _as_ranks(self, text: str) -> str | None:
        """Return the action text of a play that names its cards, None if it names none."""
        cards = named_cards(self.hands[self._climb.turn], text)
        return "".join(sorted(map(rank_text, cards), key=RANKS.index)) if cards else None

    def _heir(self, seat: int) -> int:
        """Return who leads for a seat without cards (接风, JY-12)."""
        return self._climb.next_holding(seat, range(6))

    def scores(self) -> list[int]:
        """Return what each seat wins (JY-20); ``RuntimeError`` before the end."""
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        holding = [seat for seat in range(6) if self.hands[seat]]  # losers all
        losers = SIDES[holding[0] % 2]
        amount = self.rules.stake * (len(holding) if self.rules.score == "left_holding" else 1)
        return [-amount if seat in losers else amount for seat in range(6)]

    def state(self) -> dict[str, Any]:
        """Return everything as plain JSON; ``table`` is the last play of the trick as rank text.

        It is None before a free lead, and stays when the hand ends.
        """
        table = self._climb.table
        return {
            "turn": self.turn,
            "phase": self.phase,
            "hands": [list(hand) for hand in self.hands],
            "finished": list(self.finished),
            "table": None if table is None else table.cards,
            "table_seat": self._climb.table_seat,
            "is_over": self.is_over,
        }

    def next_history(self) -> dict[str, Any]:
        """Return the leader of the next hand, None if the marked 3 names it (JY-3).

        ``RuntimeError`` before the end.
        """
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        return {"leader": self.finished[0] if self.rules.leader == "first_out" else None}
