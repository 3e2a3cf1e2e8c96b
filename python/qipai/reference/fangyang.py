"""鞍山放羊, clause by clause."""

from __future__ import annotations

from typing import Any

from ..rules.fangyang import Rules
from ._alike import (
    RANKS,
    SUITS,
    Climb,
    Counts,
    Play,
    check_counts,
    check_keys,
    check_seat,
    checked_hands,
    counts_of,
    equal_cards,
    face_text,
    history_seat,
    named_cards,
    of_rank,
    rank_counts,
    rank_text,
    subsets,
)

__all__ = ["Game", "Play", "beats", "classify", "legal_plays"]

ORDER = "456789TJQKA23BR"  # FY-2, low to high
CALLABLE = "456789TJQKA"  # FY-3
HEART_4 = 6

_ANSHAN = Rules.anshan()


def classify(cards: Counts, rules: Rules = _ANSHAN) -> Play | None:
    """Return what 15 rank counts are as a play, None if they are none (FY-10).

    ``ValueError`` for what no hand can hold: five of a rank, two of a joker, 15 cards.
    """
    check_counts(cards, decks=1, most=14)
    return equal_cards(cards)


def beats(a: Counts | Play, b: Counts | Play, rules: Rules = _ANSHAN) -> bool:
    """Say whether ``a`` may be played on ``b`` (FY-11); ``ValueError`` if either is no play."""
    return _beats(_as_play(a, rules), _as_play(b, rules), rules)


def _beats(new: Play, old: Play, rules: Rules) -> bool:
    if rules.quad_is_bomb and new.kind == "QUAD" and old.kind != "QUAD":
        return True
    return new.kind == old.kind and ORDER.index(new.rank) > ORDER.index(old.rank)


def legal_plays(
    hand: Counts, on: Counts | Play | None = None, rules: Rules = _ANSHAN
) -> list[Play]:
    """Return each play of a hand that may lead (``on`` None) or that beats ``on``."""
    check_counts(hand, decks=1, most=14)
    plays = [_as_play(cards, rules) for cards in subsets(hand)]
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
    """One hand of 放羊 in the open.

    ``deal``: ``{"hands": four lists of card ids, "start": the seat the deal started at}``; the
    seats ``start`` and ``start + 1`` have 14 cards (FY-1). ``history``: None or
    ``{"banker": seat}``; without a seat it is the first hand (FY-5).

    Actions: ``"call HK"`` (FY-3), ``"show"`` or ``"no"`` (FY-6), ``"pass"``, and plays by rank. A
    play with the called card among its cards ends in ``*`` (``"KK*"``); one without it does not.
    """

    players = 4

    def __init__(
        self, rules: Rules, deal: dict[str, Any], history: dict[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.order = list(range(4))
        check_keys("deal", deal, ("hands", "start"))
        start = check_seat("start", deal.get("start"), 4)
        sizes = [14 if (seat - start) % 4 < 2 else 13 for seat in range(4)]  # FY-1
        hands = checked_hands(deal.get("hands"), 1, sizes)
        self.banker = next(seat for seat in range(4) if HEART_4 in hands[seat])  # FY-5
        first_out = history_seat(history, "banker", 4)
        if first_out is not None and rules.banker == "first_out":
            if start != first_out:  # FY-1
                raise ValueError(f"start must be the banker, seat {first_out}, not {start}")
            self.banker = first_out
        self.phase = "call"
        self.called: int | None = None
        self.holder: int | None = None
        self.shown = False
        self._climb = Climb(hands, self.banker)

    @property
    def hands(self) -> list[list[int]]:
        """The card ids of each seat, ascending."""
        return self._climb.hands

    @property
    def finished(self) -> list[int]:
        """The seats without cards, in the order of going out."""
        return self._climb.finished

    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
        return self.phase == "over"

    @property
    def turn(self) -> int | None:
        """The seat to act, None when over."""
        return None if self.is_over else self._climb.turn

    @property
    def known(self) -> bool:
        """Whether the called card was played or shown (FY-6, FY-13)."""
        if self.called is None or self.holder is None:
            return False
        return self.shown or self.called not in self.hands[self.holder]

    @property
    def is_alone(self) -> bool:
        """Whether the banker called a card of its own: one against three (FY-4)."""
        return self.holder == self.banker

    def side(self, seat: int) -> list[int]:
        """Return the seats of a seat's side, itself included (FY-4)."""
        bankers = {self.banker, self.holder}
        return [other for other in range(4) if (other in bankers) == (seat in bankers)]

    def legal_actions(self) -> list[str]:
        """List the texts of the legal actions."""
        if self.phase == "call":
            return [f"call {suit}{rank}" for suit in SUITS for rank in CALLABLE]
        if self.phase == "ask":
            return ["show", "no"] if self._climb.turn == self.holder else ["no"]
        return [] if self.is_over else self._legal_in_play()

    def _legal_in_play(self) -> list[str]:
        hand = self.hands[self._climb.turn]
        texts: list[str] = []
        for play in legal_plays(rank_counts(hand), self._climb.table, self.rules):
            alike = of_rank(hand, play.rank)
            has_called = self.called in alike
            if has_called:
                texts.append(play.cards + "*")
            if len(alike) - has_called >= play.width:
                texts.append(play.cards)
        # FY-11: a free lead cannot be passed.
        return texts if self._climb.table is None else [*texts, "pass"]

    def is_legal(self, text: str) -> bool:
        """Say whether an action is legal; a play may also be named by its cards (``"HK SK"``)."""
        legal = self.legal_actions()
        return text in legal or self._as_ranks(text) in legal

    def apply(self, text: str) -> None:
        """Carry out an action; ``ValueError`` if it is illegal, and nothing changes then."""
        if not self.is_legal(text):
            raise ValueError(f"{text!r} is not legal here")
        if self.phase == "call":
            self._call(text.removeprefix("call "))
        elif self.phase == "ask":
            self._answer(text)
        elif text == "pass":
            self._climb.pass_on(self._heir)
        else:
            self._play(text)

    def _as_ranks(self, text: str) -> str | None:
        """Return the action text of a play that names its cards, None if it names none."""
        cards = named_cards(self.hands[self._climb.turn], text) if self.phase == "play" else None
        if not cards:
            return None
        ranks = "".join(sorted(map(rank_text, cards), key=RANKS.index))
        return ranks + "*" if self.called in cards else ranks

    def _call(self, face: str) -> None:
        self.called, self.holder = next(
            (card, seat)
            for seat, hand in enumerate(self.hands)
            for card in hand
            if face_text(card) == face
        )
        self.phase = "ask"

    def _answer(self, text: str) -> None:
        # FY-6: the asking goes once round from the banker, and ends with a yes.
        self._climb.turn = (self._climb.turn + 1) % 4
        self.shown = text == "show"
        if self.shown or self._climb.turn == self.banker:
            self.phase = "play"
            self._climb.turn = self.banker

    def _play(self, text: str) -> None:
        hand = self.hands[self._climb.turn]
        cards = named_cards(hand, text) or self._lowest_cards(hand, text)
        play = equal_cards(rank_counts(cards))
        assert play is not None
        self._climb.play(cards, play)
        if self._is_decided():
            self.phase = "over"

    def _lowest_cards(self, hand: list[int], text: str) -> list[int]:
        """Return the lowest ids that a play by rank takes; the star takes the called card."""
        ranks = text.removesuffix("*")
        starred = [card for card in hand if card == self.called and text.endswith("*")]
        others = [card for card in of_rank(hand, ranks[0]) if card != self.called]
        return starred + others[: len(ranks) - len(starred)]

    def _heir(self, seat: int) -> int:
        """Return who leads for a seat without cards (接风, FY-13)."""
        return self._climb.next_holding(seat, self.side(seat) if self.known else range(4))

    def _is_decided(self) -> bool:
        # FY-22: banker alone and shown: the first to go out ends the hand.
        if self.shown and self.is_alone and self.finished:
            return True
        # FY-14
        return any(all(not self.hands[seat] for seat in self.side(one)) for one in range(4))

    def scores(self) -> list[int]:
        """Return what each seat wins (FY-20 to FY-23); ``RuntimeError`` before the end."""
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        first_side = self.side(self.banker if self.is_alone else self.finished[0])
        rest = [seat for seat in range(4) if seat not in self.finished]
        letters = "".join("A" if s in first_side else "B" for s in [*self.finished, *rest])
        amount = self._amount(letters) * self.rules.stake
        if not self.is_alone:
            return [amount if seat in first_side else -amount for seat in range(4)]
        return [3 * amount if seat in first_side else -amount for seat in range(4)]

    def _amount(self, letters: str) -> int:
        rules = self.rules
        if not self.is_alone:
            row = rules.shown_2v2 if self.shown else rules.not_shown_2v2
            return row[("ABAB", "AABB", "ABBA").index(letters)]
        if self.shown:
            return rules.shown_1v3["AB".index(letters[0])]
        return rules.not_shown_1v3[{"ABBB": 0, "BABB": 1, "BBAB": 1, "BBBA": 2}[letters]]

    def state(self) -> dict[str, Any]:
        """Return everything as plain JSON.

        ``called`` is the face text. ``table`` is the last play of the trick as rank text, without
        a star: None before a free lead; it stays when the hand ends.
        """
        table = self._climb.table
        return {
            "turn": self.turn,
            "phase": self.phase,
            "hands": [list(hand) for hand in self.hands],
            "banker": self.banker,
            "called": None if self.called is None else face_text(self.called),
            "known": self.known,
            "shown": self.shown,
            "finished": list(self.finished),
            "table": None if table is None else table.cards,
            "table_seat": self._climb.table_seat,
            "is_over": self.is_over,
        }

    def next_history(self) -> dict[str, Any]:
        """Return the banker of the next hand, None if heart 4 names it (FY-5).

        ``RuntimeError`` before the end.
        """
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        return {"banker": self.finished[0] if self.rules.banker == "first_out" else None}
