"""百变双扣 in plain Python: the rules clause by clause, slow and without tables.

Cards are counts of the 15 ranks 3..A, 2, 小王 B, 大王 R (indices 0..14, which is also the order of
SK-2) or rank text such as ``"77899R"``; only :class:`Game` knows physical cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from qipai.rules.shuangkou import Rules

RANKS = "3456789TJQKA2BR"
ACE, TWO, SMALL, BIG = 11, 12, 13, 14
SUITS = "DCHS"
HAND = 27
_CARD = re.compile(r"(?:([DCHS])(?![BR]))?(10|[3-9TJQKA2BR])")
_CARDS = re.compile(rf"[\s,+]*(?:{_CARD.pattern}[\s,+]*)*")

# Kind and the least and greatest number of groups, by cards a group (SK-11, 13, 15, 17).
_RUNS = {1: ("STRAIGHT", 5, 12), 2: ("PAIR_RUN", 3, 12), 3: ("TRIPLE_RUN", 3, 12)} | {
    width: ("CHAIN_BOMB", 3, 6) for width in range(4, 9)
}


@dataclass(frozen=True, slots=True)
class Play:
    """A set of cards that is a pattern, in its largest reading (SK-31).

    ``rank`` is the text of the top rank (of a loop its last, ``"R"`` for joker bombs), ``width``
    the cards a group, ``length`` the groups, ``stars`` 0 for what is no bomb. ``cards`` is the text
    as played, low to high; ``reading`` the same with each 大王 that stands for a card replaced.
    """

    kind: str
    rank: str
    width: int
    length: int
    stars: int
    is_loop: bool
    cards: str
    reading: str


Cards = str | Sequence[int]


def parse(text: str) -> list[int]:
    """Return the counts (15) of rank text; spaces, commas and ``+`` are skipped, ``10`` is T.

    ``ValueError`` for what is no rank and for what no hand can hold.
    """
    counts = [0] * 15
    for suit, rank in _tokens(text):
        if suit:
            raise ValueError(f"rank text takes no suits: {text!r}")
        counts[RANKS.index(rank)] += 1
    return _counts(counts)


def classify(cards: Cards, rules: Rules) -> Play | None:
    """Return the largest reading of a set of cards, None if it is no pattern (SK-20, SK-31).

    ``ValueError`` for what no hand can hold.
    """
    # SK-32: readings differ by the window of a run only, so the largest is the highest window.
    return max(readings(cards, rules), key=lambda play: RANKS.index(play.rank), default=None)


def readings(cards: Cards, rules: Rules) -> list[Play]:
    """Return every reading of a set of cards as a pattern (SK-10 to SK-19, SK-30)."""
    counts = _counts(cards)
    total = sum(counts)
    natural = [rank for rank in range(BIG) if counts[rank]]
    if total == 0:
        return []  # SK-20
    if total == counts[SMALL] + counts[BIG] and total >= 3:  # SK-18
        kind, stars = ("THREE_JOKERS", 6) if total == 3 else ("FOUR_JOKERS", 7)
        return [Play(kind, "R", total, 1, stars, False, _text(counts), _text(counts))]
    if len(natural) <= 1:  # cards of one rank; SK-30: 大王 alone are themselves
        return _one_rank(counts, natural[0] if natural else BIG, total, rules)
    found: list[Play] = []
    for width, (kind, least, most) in _RUNS.items():
        length, rest = divmod(total, width)
        if rest or not least <= length <= most:
            continue
        for window in _windows(width, length, rules):
            # Every natural card has its place and, by the total, 大王 fill the places left.
            if all(rank in window and counts[rank] <= width for rank in natural):
                stars = width + length if kind == "CHAIN_BOMB" else 0  # SK-17
                found.append(_play(kind, counts, window, width, stars))
    return found


def _one_rank(counts: list[int], rank: int, total: int, rules: Rules) -> list[Play]:
    if total <= 3:  # SK-10, SK-12, SK-14
        return [_play(("SINGLE", "PAIR", "TRIPLE")[total - 1], counts, [rank], total, 0)]
    if rank < SMALL and total <= rules.max_bomb:  # SK-16
        return [_play("BOMB", counts, [rank], total, total)]
    return []  # SK-18: 大王 do not extend a joker bomb


def _windows(width: int, length: int, rules: Rules) -> Iterator[list[int]]:
    """Yield the runs of ranks that groups of ``width`` cards may form, each low to high."""
    for start in range(ACE - length + 2):  # SK-11, SK-13, SK-15, SK-17: 3..A
        yield list(range(start, start + length))
    if width >= 4 and rules.loops:  # SK-19: through the 2, on the cycle 3..K A 2 3..
        for start in range(TWO - length + 1, TWO + 1):
            yield [(start + step) % 13 for step in range(length)]


def _play(kind: str, counts: list[int], window: list[int], width: int, stars: int) -> Play:
    is_loop = len(window) > 1 and TWO in window
    reading = "".join(RANKS[rank] * width for rank in sorted(window))
    return Play(kind, RANKS[window[-1]], width, len(window), stars, is_loop, _text(counts), reading)


def beats(a: Cards | Play, b: Cards | Play, rules: Rules) -> bool:
    """Tell whether ``a`` beats ``b`` on the table; ``ValueError`` if either is no play."""
    a, b = _as_play(a, rules), _as_play(b, rules)
    if not a.stars or not b.stars:
        if a.stars or b.stars:
            return a.stars > 0  # SK-41
        same = (a.kind, len(a.cards)) == (b.kind, len(b.cards))
        return same and _top(a) > _top(b)  # SK-40
    if a.stars != b.stars:
        return a.stars > b.stars  # SK-42
    if "FOUR_JOKERS" in (a.kind, b.kind):  # SK-43
        return a.kind != b.kind and a.kind == "FOUR_JOKERS"
    if "THREE_JOKERS" in (a.kind, b.kind):  # SK-43
        return a.kind != b.kind and b.kind == "THREE_JOKERS"
    if rules.equal_stars == "rank":
        return _top(a) > _top(b)  # SK-44
    if len(a.cards) != len(b.cards):
        return len(a.cards) < len(b.cards)  # SK-45
    if a.is_loop and b.is_loop:
        return _loop_order(a) > _loop_order(b)  # SK-46
    if a.is_loop or b.is_loop:
        return b.is_loop  # SK-45
    return _top(a) > _top(b)  # SK-45


def _top(play: Play) -> int:
    return RANKS.index(play.rank)


def _loop_order(play: Play) -> tuple[int, int]:
    """Return the class of a loop and the place of its start on A,2,3..K (SK-46)."""
    start = _top(play) - play.length + 1
    holds = {(start + step) % 13 for step in range(play.length)}
    if {ACE, TWO, 0} <= holds:
        group = 0
    elif {ACE - 1, ACE, TWO} <= holds:
        group = 1
    else:
        group = 2
    return group, (start - ACE) % 13


def legal_plays(hand: Cards, on: Cards | Play | None = None, *, rules: Rules) -> list[Play]:
    """Return what a hand can play, each distinct set of ranks once: a lead, or what beats ``on``.

    ``ValueError`` for an impossible hand, or if ``on`` is no play.
    """
    return _playable(set(_candidates(_counts(hand), rules)), on, rules)


def legal_plays_brute(hand: Cards, on: Cards | Play | None = None, *, rules: Rules) -> list[Play]:
    """Return the same as :func:`legal_plays` by asking every subset; for small hands only."""
    return _playable(set(product(*(range(n + 1) for n in _counts(hand)))), on, rules)


def bombs(hand: Cards, rules: Rules) -> list[Play]:
    """Return the bombs of every kind among the plays of a hand (SK-16 to SK-19)."""
    return [play for play in legal_plays(hand, rules=rules) if play.stars]


def _candidates(hand: list[int], rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield the sets of cards in ``hand`` that could be a pattern, some of them repeatedly."""
    for small, big in product(range(hand[SMALL] + 1), range(hand[BIG] + 1)):  # SK-10, 12, 18
        yield (*[0] * 13, small, big)
    for rank, width in product(range(SMALL + 1), range(1, rules.max_bomb + 1)):
        yield from _fillings(hand, [rank], width)
    for width, (_, least, most) in _RUNS.items():
        for length in range(least, most + 1):
            for window in _windows(width, length, rules):
                yield from _fillings(hand, window, width)


def _fillings(hand: list[int], window: list[int], width: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of ``hand`` that make groups of ``width`` over ``window`` with 0..2 大王."""
    if sum(max(0, width - hand[rank]) for rank in window) > hand[BIG]:
        return
    for wild in range(hand[BIG] + 1):
        for replaced in combinations_with_replacement(window, wild):
            cards = [width if rank in window else 0 for rank in range(15)]
            for rank in replaced:
                cards[rank] -= 1
            cards[BIG] = wild
            if all(0 <= n <= held for n, held in zip(cards, hand, strict=True)):
                yield tuple(cards)


def _playable(sets: set[tuple[int, ...]], on: Cards | Play | None, rules: Rules) -> list[Play]:
    target = None if on is None else _as_play(on, rules)
    plays = (classify(cards, rules) for cards in sorted(sets))
    return [play for play in plays if play and (not target or beats(play, target, rules))]


def base_stake(levels: Sequence[int], table: Mapping[int, int]) -> int:
    """Return the stake that the lowest of the four players' levels gives (SK-67).

    ``table`` maps a level to its stake. ``ValueError`` unless there are four levels and the lowest
    is in the table.
    """
    if len(levels) != 4:
        raise ValueError(f"levels must be four, not {levels!r}")
    lowest = min(levels)
    if lowest not in table:
        raise ValueError(f"the table has no stake for level {lowest!r}")
    return table[lowest]


def stars_reached(plays: Sequence[Play], rules: Rules) -> int:
    """Return the most stars that one player's plays have reached, 0 for no bomb (SK-66)."""
    best = max((play.stars for play in plays), default=0)
    if rules.merge_bombs:
        widths = [play.width for play in plays if play.kind == "BOMB"]
        for width in widths:
            # SK-66: each bomb after the first adds a star, of four alike after the second.
            more = widths.count(width) - (2 if width == 4 else 1)
            best = max(best, width + more)
    return best


def multiplier(stars: int, rules: Rules) -> int:
    """Return what the base is multiplied by for the most stars reached (SK-62, SK-63)."""
    return rules.multiplier[min(stars, 10) - 5] if stars >= 5 else 1


def contributions(plays: Sequence[Sequence[Play]], rules: Rules) -> list[int]:
    """Return the 贡献分 of each player for the plays of each, before the stake (SK-64, SK-65)."""
    paid = [0] * len(plays)
    for seat, own in enumerate(plays):
        if rules.contribution_counts == "highest":
            counted = [stars_reached(own, rules)]  # SK-65
        else:
            counted = [play.stars for play in own]  # SK-64
        for stars in counted:
            if stars < 6:
                continue
            gain, give = rules.contribution[min(stars, 8) - 6]
            for other in range(len(plays)):
                paid[other] += gain if other == seat else -give
    return paid


class Game:
    """One hand of 百变双扣 with nothing hidden.

    ``deal``: ``{"hands": four lists of 27 ids, "open_card": id of the marked copy}`` (SK-50);
    ``history``: ``{"order": the four players in order of play}`` of the hand before, None for
    0,1,2,3. ``ValueError`` for anything else.

    Players are numbered 0..3. ``order`` is the order of play of this hand (SK-50), ``leader`` who
    leads its first trick, ``table`` the play to beat and ``table_seat`` whose it is (None for a
    free lead), ``finished`` the players in order of going out and, once places are known, all four.
    """

    players = 4

    def __init__(
        self, rules: Rules, deal: Mapping[str, Any], history: Mapping[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.hands, open_card = _read_deal(deal)
        self.order = _read_order(history)
        self.leader = self._holder(open_card)
        self._seat_partner(self._holder((open_card + 54) % 108))
        self.turn: int | None = self.leader
        self.table: Play | None = None
        self.table_seat: int | None = None
        self.plays: list[list[Play]] = [[], [], [], []]
        self.finished: list[int] = []
        self.escaped: int | None = None

    @property
    def phase(self) -> str:
        """``"play"`` or ``"over"``."""
        return "over" if self.is_over else "play"

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.turn is None

    def partner(self, seat: int) -> int:
        """Return who sits opposite (SK-1)."""
        return self.order[(self.order.index(seat) + 2) % 4]

    def legal_actions(self) -> list[str]:
        """Return every play of the player to act, as rank text, and ``"pass"`` where allowed."""
        if self.turn is None:
            return []
        hand = _count_ids(self.hands[self.turn])
        actions = [play.cards for play in legal_plays(hand, self.table, rules=self.rules)]
        return actions if self.table is None else ["pass", *actions]

    def is_legal(self, text: str) -> bool:
        """Tell whether the player to act may do this."""
        try:
            self._read(text)
        except ValueError:
            return False
        return True

    def apply(self, text: str) -> None:
        """Play cards or pass; ``ValueError``, and nothing changes, if that is not legal.

        Ranks alone take the lowest ids in hand, suited text such as ``"H7 S7"`` just these faces.
        """
        action = self._read(text)
        assert self.turn is not None
        if action is not None:
            play, ids = action
            seat = self.turn
            self.hands[seat] = [card for card in self.hands[seat] if card not in ids]
            self.plays[seat].append(play)
            self.table, self.table_seat = play, seat
            if not self.hands[seat]:
                self.finished.append(seat)
                if self._places_known():
                    self.finished += [other for other in self._after(seat) if self.hands[other]]
                    self.turn = None
                    return
        self._move_turn()

    def escape(self, player: int) -> None:
        """End the hand by a player leaving it, whoever's turn it is (SK-68).

        ``ValueError`` where the rules have no escape, after the end and for no player.
        """
        if not self.rules.escape:
            raise ValueError(f"rules {self.rules.name!r} have no escape")
        if self.is_over:
            raise ValueError("the hand is over")
        if type(player) is not int or player not in range(4):
            raise ValueError(f"no player {player!r}")
        self.escaped, self.turn = player, None

    def scores(self) -> list[int]:
        """Return each player's points, times the stake (SK-67); ``RuntimeError`` before the end."""
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        rules, best = self.rules, self.best_stars()
        if self.escaped is not None:  # SK-68: what fourth place loses in a 双扣, twice
            lost = rules.base_double[3] * multiplier(max(best), rules) * 2
            points = [lost if seat == self.escaped else 0 for seat in range(4)]
        else:
            winners = [self.finished[0], self.partner(self.finished[0])]
            times = multiplier(max(best[seat] for seat in winners), rules)  # SK-62
            base = (rules.base_double, rules.base_single, rules.base_even)[
                self.finished.index(winners[1]) - 1  # SK-60, SK-61
            ]
            points = self.contribution()
            for place, seat in enumerate(self.finished):
                points[seat] += base[place] * times
        return [amount * rules.stake for amount in points]

    def best_stars(self) -> list[int]:
        """Return the most stars each player has reached so far (SK-66)."""
        return [stars_reached(plays, self.rules) for plays in self.plays]

    def contribution(self) -> list[int]:
        """Return the 贡献分 booked so far, before the stake; none after an escape (SK-68)."""
        if self.escaped is not None:
            return [0, 0, 0, 0]
        return contributions(self.plays, self.rules)

    def visible_hands(self, seat: int) -> list[int]:
        """Return whose hands a player may look at: the own, and the partner's under SK-54."""
        if self.rules.see_partner and not self.hands[seat]:
            return [seat, self.partner(seat)]
        return [seat]

    def state(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        return {
            "turn": self.turn,
            "phase": self.phase,
            "order": list(self.order),
            "hands": [sorted(hand) for hand in self.hands],
            "finished": list(self.finished),
            "table": self.table.cards if self.table else None,
            "table_seat": self.table_seat,
            "is_over": self.is_over,
            "leader": self.leader,
            "best_stars": self.best_stars(),
            "contribution": self.contribution(),
        }

    def next_history(self) -> dict[str, Any]:
        """Return what the next hand needs: the order of play stays as it is (SK-50)."""
        return {"order": list(self.order)}

    def _holder(self, card: int) -> int:
        return next(seat for seat, hand in enumerate(self.hands) if card in hand)

    def _seat_partner(self, partner: int) -> None:
        """Seat the holder of the second copy opposite the leader (SK-50)."""
        if partner == self.leader:
            return
        opposite = self.partner(self.leader)
        place, other = self.order.index(opposite), self.order.index(partner)
        self.order[place], self.order[other] = partner, opposite

    def _after(self, seat: int) -> list[int]:
        """Return the three others in order of play."""
        place = self.order.index(seat)
        return [self.order[(place + step) % 4] for step in (1, 2, 3)]

    def _places_known(self) -> bool:
        """Tell whether it is settled which of 双扣, 单扣 and 平扣 this is (SK-60)."""
        double = len(self.finished) == 2 and self.partner(self.finished[0]) == self.finished[1]
        return double or len(self.finished) == 3

    def _move_turn(self) -> None:
        """Give the turn to the next player who has cards, or the lead if all have passed."""
        assert self.turn is not None and self.table_seat is not None
        for seat in self._after(self.turn):
            if seat == self.table_seat:  # SK-52, SK-53
                self.turn = seat if self.hands[seat] else self.partner(seat)
                self.table = self.table_seat = None
                return
            if self.hands[seat]:  # SK-51
                self.turn = seat
                return

    def _read(self, text: str) -> tuple[Play, list[int]] | None:
        """Return the play and its ids that a legal action means, None for a pass."""
        if self.turn is None:
            raise ValueError("the hand is over")
        if text == "pass":
            if self.table is None:
                raise ValueError("a free lead cannot be passed")  # SK-51
            return None
        ids = _take(text, self.hands[self.turn])
        play = classify(_count_ids(ids), self.rules)
        if play is None:
            raise ValueError(f"{text!r} is no pattern")  # SK-20
        if self.table is not None and not beats(play, self.table, self.rules):
            raise ValueError(f"{text!r} does not beat {self.table.cards!r}")
        return play, ids


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return (suit or nothing, rank) of each card in a text; ``ValueError`` if it is none."""
    if not _CARDS.fullmatch(text):
        raise ValueError(f"not cards: {text!r}")
    return [(suit, rank.replace("10", "T")) for suit, rank in _CARD.findall(text)]


def _counts(cards: Cards) -> list[int]:
    """Return the checked counts of cards; ``ValueError`` for what no hand can hold."""
    if isinstance(cards, str):
        return parse(cards)
    if len(cards) != 15:
        raise ValueError(f"counts must be 15, not {len(cards)}")
    for rank, n in zip(RANKS, cards, strict=True):
        if not 0 <= n <= (2 if rank in "BR" else 8):
            raise ValueError(f"no hand holds {n} cards of rank {rank}")
    if sum(cards) > HAND:
        raise ValueError(f"no hand holds {sum(cards)} cards")
    return list(cards)


def _text(counts: Sequence[int]) -> str:
    return "".join(rank * n for rank, n in zip(RANKS, counts, strict=True))


def _as_play(cards: Cards | Play, rules: Rules) -> Play:
    play = cards if isinstance(cards, Play) else classify(cards, rules)
    if play is None:
        raise ValueError(f"{cards!r} is no play")
    return play


def _rank(card: int) -> int:
    face = card % 54
    return face // 4 if face < 52 else face - 52 + SMALL


def _count_ids(ids: Sequence[int]) -> list[int]:
    ranks = [_rank(card) for card in ids]
    return [ranks.count(rank) for rank in range(15)]


def _take(text: str, hand: Sequence[int]) -> list[int]:
    """Return the cards of ``hand`` that a text names; ``ValueError`` if they are not there."""
    left = sorted(hand)
    taken: list[int] = []
    # Suited cards first, so that a bare rank never takes the card that another word names.
    for suit, rank in sorted(_tokens(text), key=lambda card: not card[0]):
        for card in left:
            if _rank(card) == RANKS.index(rank) and suit in ("", SUITS[card % 54 % 4]):
                break
        else:
            raise ValueError(f"{suit}{rank} is not in hand as often as {text!r} asks")
        left.remove(card)
        taken.append(card)
    return taken


def _ints(name: str, value: Any, length: int) -> list[int]:
    """Return a new list of the ints in ``value``; ``ValueError`` naming it for anything else."""
    if type(value) not in (list, tuple) or len(value) != length:
        raise ValueError(f"{name} must be a list of {length} integers")
    if any(type(item) is not int for item in value):
        raise ValueError(f"{name} must be a list of {length} integers")
    return list(value)


def _read_deal(deal: Mapping[str, Any]) -> tuple[list[list[int]], int]:
    """Return the four hands and the marked card of a deal."""
    if set(deal) != {"hands", "open_card"}:
        raise ValueError(f"a deal has hands and open_card, not {list(deal)}")
    hands, open_card = deal["hands"], deal["open_card"]
    if type(hands) not in (list, tuple) or len(hands) != 4:
        raise ValueError("hands must be four lists")
    dealt = [_ints(f"hand {seat}", hand, HAND) for seat, hand in enumerate(hands)]
    if sorted(card for hand in dealt for card in hand) != list(range(108)):
        raise ValueError("the hands must hold each of the ids 0..107 once")
    if type(open_card) is not int or not 0 <= open_card < 108:
        raise ValueError(f"open_card must be an id 0..107, not {open_card!r}")
    return dealt, open_card


def _read_order(history: Mapping[str, Any] | None) -> list[int]:
    """Return the order of play so far, 0,1,2,3 at the start (SK-1)."""
    if history is None:
        return [0, 1, 2, 3]
    if set(history) != {"order"}:
        raise ValueError(f"a history has order, not {list(history)}")
    order = _ints("order", history["order"], 4)
    if sorted(order) != [0, 1, 2, 3]:
        raise ValueError(f"order must be the four players, not {order}")
    return order
