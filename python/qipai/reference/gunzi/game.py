"""One hand of 打滚子, with nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from qipai.rules.gunzi import Rules

from .bidding import Showing, first_showings, flip_order, later_showings
from .bottom import SIZE, can_complete, givable, is_dry, may_stop, pickable, to_give, to_pick
from .cards import (
    BIG,
    DECK,
    FACE_OF,
    FACES,
    SMALL,
    Trump,
    alike_text,
    check_level,
    face_text,
    faces_of,
    points,
    shape,
    suit,
)
from .follow import iter_follows, legal_leads, trick_winner
from .settle import Settlement, settle

PLAYERS = 4
DRAWS = DECK - SIZE
MOST_BLOOD = 23  # S = 295 with 保底 and six jokers buried (GZ-32, GZ-33, GZ-64)


def _faces(ids: Iterable[int]) -> list[int]:
    return [card % FACES for card in ids]


def _points(ids: Iterable[int]) -> int:
    return points(_faces(ids))


def _is_int(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _ints(name: str, value: object, length: int) -> list[int]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} must be a list of {length} integers")
    items = list(cast("Sequence[object]", value))
    if len(items) != length:
        raise ValueError(f"{name} must have {length} entries, not {len(items)}")
    for item in items:
        if not _is_int(item, 0, DECK - 1):
            raise ValueError(f"{name}: {item!r} is out of range")
    return cast("list[int]", items)


def _check_keys(name: str, data: object, needed: set[str], known: set[str]) -> None:
    if not isinstance(data, Mapping):
        raise ValueError(f"{name} must be a mapping, not {data!r}")
    keys = set(cast("Mapping[object, object]", data))
    if wrong := (needed - keys) | (keys - known):
        raise ValueError(f"{name}: missing or unknown {sorted(map(str, wrong))}")


def _check_deal_keys(deal: object) -> None:
    keys = {"draws", "bottom", "start"}
    _check_keys("deal", deal, keys, keys | {"flips"})


class Game:
    """One hand.

    ``deal``: ``{"draws": the 156 ids in the order drawn, "bottom": six ids, "start": the seat that
    draws first, "flips": the order (indices 0..5 of the bottom) in which bottom cards are turned
    for GZ-22 and GZ-26, as they lie if left out}``.

    ``history``: ``{"levels": [of seats 0 and 2, of seats 1 and 3], "dealer": seat, or None for the
    first hand of a round, "blood": cards the dealer's 上家 owes}``; None for the first hand. In a
    later hand ``start`` is the dealer (GZ-11).

    A deal to be made again (GZ-22, GZ-26) takes the next of ``redeals``, which are deals with the
    same start. If there is none the phase is ``"redeal"``, nobody is asked, and the caller goes on
    with :meth:`redeal`.

    Phases and action texts (X a face: ``"H8"``, ``"ST"``, ``"B"``, ``"R"``):

    - ``deal``: ``"show R"``, ``"show H5"``, ``"show H5*2"``, ``"show B*3 as S"``, ``"pass"``;
    - ``tribute``: ``"give X"``; ``return``: ``"return X"``;
    - ``bury``: ``"bury X"``, the six in ascending order of face;
    - ``joker`` (扣王): ``"bury B"``, ``"bury R"``, 小王 before 大王, then ``"done"``;
      ``pick``: ``"pick X"``;
    - ``play``: a 单, 棒 or 滚 is one action, ``"H8"``, ``"H8*2"``, ``"H8*3"``. Any other play goes
      card by card in ascending order of face, each card as ``"+X"``; it never ends up as cards all
      alike. :meth:`play` takes a whole set.

    A text removes the lowest ids of its face. ``ValueError`` for an impossible deal or history.
    """

    players = PLAYERS

    def __init__(
        self,
        rules: Rules,
        deal: dict[str, Any],
        history: dict[str, Any] | None = None,
        *,
        redeals: Iterable[dict[str, Any]] = (),
    ) -> None:
        self.rules = rules
        self.order = list(range(PLAYERS))
        self.levels, self.dealer, self.blood = _read_history(history)
        self.is_first = self.dealer is None  # of a round
        self._redeals: Iterator[dict[str, Any]] = iter(redeals)
        _check_deal_keys(deal)
        start = deal["start"]
        if not _is_int(start, 0, PLAYERS - 1):
            raise ValueError(f"deal: start must be a seat, not {start!r}")
        self.start: int = start
        if self.dealer is not None and start != self.dealer:
            raise ValueError(f"deal: start must be the dealer {self.dealer}, not {start} (GZ-11)")
        self.phase = "redeal"
        self.redeal(deal)

    # The deal and the bidding

    def redeal(self, deal: dict[str, Any]) -> None:
        """Deal anew, same start (GZ-22, GZ-26). ``ValueError`` unless the phase is ``redeal``."""
        if self.phase != "redeal":
            raise ValueError(f"no redeal in phase {self.phase!r}")
        _check_deal_keys(deal)
        draws = _ints("draws", deal["draws"], DRAWS)
        bottom = _ints("bottom", deal["bottom"], SIZE)
        flips = _ints("flips", deal.get("flips", list(range(SIZE))), SIZE)
        if len({*draws, *bottom}) != DECK:
            raise ValueError("deal: a card is there twice")
        if sorted(flips) != list(range(SIZE)):
            raise ValueError(f"flips must be the indices 0 to 5 in some order, not {flips}")
        if deal["start"] != self.start:
            raise ValueError(f"deal: start must be {self.start}, not {deal['start']!r}")
        self.phase = "deal"
        self.turn: int | None = None
        self._draws, self._flip_order = draws, flips
        self.hands: list[list[int]] = [[] for _ in range(PLAYERS)]
        self.bottom = bottom
        self.bottom_shown = False
        self.dry = False
        self.drawn = 0
        self.window: list[int] = []  # seats in line to be asked
        self.declined: set[int] = set()  # who said no, with nothing changed since
        self.showing: Showing | None = None
        self.shower: int | None = None
        self.shown_at = 0  # cards drawn before the showing
        self.flipped: list[tuple[int | None, int]] = []  # seat (None in later hands) and card
        self.trump: Trump | None = None
        self.trump_card: int | None = None  # the card that made the trump suit of GZ-21
        self.given: list[int] = []
        self.returned: list[int] = []
        self.picked: list[tuple[int, int]] = []
        self.tribute = 0  # cards to give
        self._jokers_after: list[int] = []  # seats still to be asked for 扣王
        self._picks = 0
        self.partial: list[int] = []  # cards named of a play, a burying or a 扣王 not complete
        self.trick: list[tuple[int, list[int]]] = []
        self._plays: list[tuple[int, ...]] = []
        self.played: list[int] = []
        self.points = [0, 0]  # by side
        self.last_winner: int | None = None
        self.total: int | None = None  # S
        self.dug: bool | None = None
        self.settlement: Settlement | None = None
        self._run_windows()

    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
        return self.phase == "over"

    @property
    def level(self) -> int:
        """The level played: that of the dealer's side, 3 in the first hand of a round."""
        return 3 if self.dealer is None else self.levels[self.dealer % 2]

    def _showings(self, seat: int) -> list[Showing]:
        hand = _faces(self.hands[seat])
        if self.is_first:
            return first_showings(hand, self.showing)
        is_own = self.shower == seat
        return later_showings(hand, self.level, self.showing, is_own, self.rules)

    def _draw(self) -> None:
        seat = (self.start + self.drawn) % PLAYERS
        before = self._showings(seat)
        self.hands[seat].append(self._draws[self.drawn])
        self.drawn += 1
        self.window = _seats_from(seat)  # GZ-20: who drew is asked first
        if self.drawn == DRAWS or self.rules.bid_windows == "every":
            self.declined.clear()  # GZ-20: the end window asks everyone once more
        elif any(new not in before for new in self._showings(seat)):
            self.declined.discard(seat)

    def _run_windows(self) -> None:
        while True:
            while self.window:
                seat = self.window[0]
                if seat not in self.declined and self._showings(seat):
                    self.turn = seat
                    return
                self.window.pop(0)
            if self.drawn == DRAWS:
                return self._end_bidding()
            self._draw()

    def _answer(self, seat: int, text: str) -> None:
        if text == "pass":
            self.declined.add(seat)
            self.window.pop(0)
        else:
            self.showing = next(new for new in self._showings(seat) if new.text == text)
            self.shower, self.shown_at = seat, self.drawn
            self.declined.clear()  # there is something new to overturn
            self.window = _seats_from(seat + 1)
        self._run_windows()

    def _end_bidding(self) -> None:
        self.turn = None
        if self.is_first:
            is_settled = self._first_dealer()
        elif self.showing is not None:
            self.trump, is_settled = Trump(self.showing.suit, self.level), True
        else:
            is_settled = self._flip_trump()
        if not is_settled:
            self.phase = "redeal"
            if (deal := next(self._redeals, None)) is not None:
                self.redeal(deal)
            return
        self._start_tribute()

    def _first_dealer(self) -> bool:
        if self.shower is None:
            return self._flip_dealer()
        order = [
            card
            for index, card in enumerate(self._draws)
            if index >= self.shown_at and (self.start + index) % PLAYERS == self.shower
        ]
        # GZ-21: the shower holds one of the six jokers, so the bottom is never all jokers.
        card = next(card for card in order + self.bottom if card % FACES < SMALL)
        self.trump_card = card
        self.trump = Trump(suit(card % FACES), 3)
        self.dealer = self.shower
        return True

    def _flip_dealer(self) -> bool:
        best = -1
        dealer, named = self.start, ""
        flips = iter(self._flip_order)
        for seat in _seats_from(self.start):  # GZ-22
            face = SMALL
            while face >= SMALL:  # a joker is flipped over by the same player
                index = next(flips, None)
                if index is None:
                    return False
                self.flipped.append((seat, self.bottom[index]))
                face = self.bottom[index] % FACES
            if flip_order(face) > best:
                best, dealer, named = flip_order(face), seat, suit(face)
        self.dealer, self.trump = dealer, Trump(named, 3)
        return True

    def _flip_trump(self) -> bool:
        for index in self._flip_order:  # GZ-26
            card = self.bottom[index]
            self.flipped.append((None, card))
            if card % FACES < SMALL:
                self.trump = Trump(suit(card % FACES), self.level)
                return True
        return False

    # Tribute

    @property
    def _dealer(self) -> int:
        assert self.dealer is not None
        return self.dealer

    @property
    def _trump(self) -> Trump:
        assert self.trump is not None
        return self.trump

    @property
    def giver(self) -> int:
        """The dealer's 上家, who owes the blood (GZ-30)."""
        return (self._dealer + 3) % PLAYERS

    def _start_tribute(self) -> None:
        self.tribute = min(self.blood, len(givable(_faces(self.hands[self.giver]), self.level)))
        if not self.tribute:
            return self._show_bottom()
        self.phase, self.turn = "tribute", self.giver

    def _give(self, seat: int, face: int) -> None:
        self.given.append(_move(face, self.hands[seat], self.hands[self._dealer]))
        if len(self.given) == self.tribute:
            self.phase, self.turn = "return", self._dealer  # GZ-31

    def _return(self, seat: int, face: int) -> None:
        self.returned.append(_move(face, self.hands[seat], self.hands[self.giver]))
        if len(self.returned) == self.tribute:
            self._show_bottom()

    # The bottom

    def _show_bottom(self) -> None:
        self.bottom_shown = self.showing is not None  # GZ-40
        self.dry = self.bottom_shown and is_dry(_faces(self.bottom), self._trump)
        if self.dry:
            return self._start_play()  # GZ-44
        self.hands[self._dealer] += self.bottom
        self.bottom, self.bottom_shown = [], False
        self.phase, self.turn = "bury", self._dealer

    def _bury(self, seat: int, face: int) -> None:
        _move(face, self.hands[seat], self.partial)
        if len(self.partial) < SIZE:
            return
        self.bottom, self.partial = self.partial, []
        self.bottom_shown = any(face >= SMALL for face in _faces(self.bottom))  # GZ-41
        self._jokers_after = _seats_from(seat + 1)[:-1]  # GZ-42
        self._ask_jokers()

    def _ask_jokers(self) -> None:
        if self._jokers_after and pickable(_faces(self.bottom)):  # GZ-43
            self.phase, self.turn = "joker", self._jokers_after.pop(0)
        else:
            self._start_play()

    def _bury_jokers(self) -> None:
        named, self.partial = self.partial, []
        if not named:
            return self._ask_jokers()
        hand = self.hands[cast("int", self.turn)]
        self._picks = min(len(named), len(pickable(_faces(self.bottom))))
        named.sort(key=lambda card: (-(card % FACES), card))  # 小王 last, and first to go back
        self.bottom += named[: self._picks]
        hand += named[self._picks :]
        self.bottom_shown = True
        self.phase = "pick"

    def _pick(self, seat: int, face: int) -> None:
        self.picked.append((seat, _move(face, self.bottom, self.hands[seat])))
        self._picks -= 1
        if not self._picks:
            self._ask_jokers()

    # Play

    def _start_play(self) -> None:
        self.phase = "play"
        self._ask_play(self._dealer)  # GZ-50

    def _ask_play(self, seat: int) -> None:
        self.turn = seat
        hand = _faces(self.hands[seat])
        if self.trick:
            lead = _faces(self.trick[0][1])
            self._plays = list(iter_follows(lead, hand, self._trump, self.rules))
        else:
            self._plays = legal_leads(hand, self._trump)

    def _play_texts(self) -> set[str]:
        begun = tuple(_faces(self.partial))
        texts: set[str] = set()
        for cards in self._plays:
            if number := shape(cards):
                if not begun:
                    texts.add(alike_text(cards[0], number))
            elif cards[: len(begun)] == begun:
                texts.add("+" + face_text(cards[len(begun)]))
        return texts

    def play(self, cards: str | Sequence[int]) -> None:
        """Play a whole set at once: text (``"H6 H9"``, lowest ids), or exactly these ids.

        ``ValueError`` if it is no legal play, or if a play is half named.
        """
        if self.phase != "play" or self.partial:
            raise ValueError("no whole play can be made now")
        hand = self.hands[cast("int", self.turn)]
        faces = faces_of(cards) if isinstance(cards, str) else _faces(cards)
        if tuple(sorted(faces)) not in self._plays:
            raise ValueError(f"{cards!r} is no legal play")
        ids = [] if isinstance(cards, str) else list(cards)
        if len(set(ids)) != len(ids) or not set(ids) <= set(hand):
            raise ValueError(f"{cards!r} are not all in the hand")
        if isinstance(cards, str):
            self._play(faces)
        else:
            for card in ids:
                hand.remove(card)
            self.partial = ids
            self._end_play()

    def _play(self, faces: Sequence[int]) -> None:
        hand = self.hands[cast("int", self.turn)]
        for face in faces:
            _move(face, hand, self.partial)
        if not self.trick or len(self.partial) == len(self.trick[0][1]):
            self._end_play()

    def _end_play(self) -> None:
        seat = cast("int", self.turn)
        self.trick.append((seat, self.partial))
        self.partial = []
        if len(self.trick) < PLAYERS:
            return self._ask_play((seat + 1) % PLAYERS)
        plays = [_faces(ids) for _, ids in self.trick]
        winner = self.trick[trick_winner(plays, self._trump)][0]
        taken = [card for _, ids in self.trick for card in ids]
        self.points[winner % 2] += _points(taken)  # GZ-56
        self.played += taken
        self.trick = []
        self.last_winner = winner
        if self.hands[winner]:
            return self._ask_play(winner)
        self._end(winner)

    def _end(self, winner: int) -> None:
        attackers = 1 - self._dealer % 2
        self.dug = winner % 2 == attackers  # GZ-60
        self.total = self.points[attackers] + 2 * self.dug * _points(self.bottom)  # GZ-61
        bottom = _faces(self.bottom)
        self.settlement = settle(
            self.total,
            self.dug,
            (bottom.count(BIG), bottom.count(SMALL)),
            level=(self.levels[1 - attackers], self.levels[attackers]),
            dry=self.dry,
            rules=self.rules,
        )
        self.phase, self.turn = "over", None

    # What the protocol asks for

    def legal_actions(self) -> list[str]:
        """Return all action texts of the seat asked; none when nobody is."""
        if self.turn is None:
            return []
        hand = _faces(self.hands[self.turn])
        partial = _faces(self.partial)
        texts: Iterable[str]
        match self.phase:
            case "deal":
                texts = [*(new.text for new in self._showings(self.turn)), "pass"]
            case "tribute":
                texts = [f"give {face_text(face)}" for face in to_give(hand, self._trump)]
            case "return":
                texts = {f"return {face_text(face)}" for face in hand}
            case "bury":
                texts = [f"bury {face_text(face)}" for face in _buryable(partial, hand)]
            case "joker":
                texts = [
                    f"bury {face_text(joker)}"
                    for joker in (SMALL, BIG)
                    if joker in hand and joker >= max(partial, default=0)
                ] + ["done"] * may_stop(partial, hand)
            case "pick":
                faces = to_pick(_faces(self.bottom), self._trump)
                texts = [f"pick {face_text(face)}" for face in faces]
            case _:
                texts = self._play_texts()
        return sorted(texts)

    def is_legal(self, text: str) -> bool:
        """Return whether the seat asked may act so."""
        return text in self.legal_actions()

    def apply(self, text: str) -> None:
        """Act for the seat asked. ``ValueError`` if that is not legal; nothing changes then."""
        if not self.is_legal(text):
            raise ValueError(f"{text!r} is not legal in phase {self.phase!r}")
        seat = cast("int", self.turn)
        if self.phase == "deal":
            return self._answer(seat, text)
        if self.phase == "play":
            return self._play(faces_of(text))
        if text == "done":
            return self._bury_jokers()
        face = FACE_OF[text.split()[1]]
        if self.phase == "joker":
            _move(face, self.hands[seat], self.partial)
            return
        steps: dict[str, Callable[[int, int], None]] = {
            "tribute": self._give,
            "return": self._return,
            "bury": self._bury,
            "pick": self._pick,
        }
        steps[self.phase](seat, face)

    def _settled(self) -> Settlement:
        if self.settlement is None:
            raise RuntimeError("the hand is not over")
        return self.settlement

    def scores(self) -> list[int]:
        """Return what each seat gets (GZ-66); ``RuntimeError`` before the end."""
        settled = self._settled()
        if settled.gainer is None:
            return [0] * PLAYERS
        side = (self._dealer + (settled.gainer == "attackers")) % 2
        amount = settled.gained * self.rules.stake
        return [amount if seat % 2 == side else -amount for seat in range(PLAYERS)]

    def next_history(self) -> dict[str, Any]:
        """Return the history of the next hand; ``RuntimeError`` before the end."""
        settled = self._settled()
        dealer = None
        if settled.next_dealer is not None:
            dealer = (self._dealer + settled.next_dealer) % PLAYERS
        mine, theirs = settled.levels
        levels = [mine, theirs] if self._dealer % 2 == 0 else [theirs, mine]
        return {"levels": levels, "dealer": dealer, "blood": settled.blood}

    def state(self) -> dict[str, Any]:
        """Return everything as plain JSON; cards are ids, sorted unless their order has a meaning.

        ``drawn`` cards are dealt and ``undrawn`` lie in the order to come; ``window`` is who is
        still in line to be asked, ``declined`` who said no with nothing changed since; ``flipped``
        and ``picked`` are pairs of seat and card; ``named`` are the cards of a play, a burying or a
        扣王 that is not complete (no longer in the hand); ``points`` by side; ``total`` is S.
        """
        shown = None
        if self.showing is not None:
            text, named = self.showing.text, self.showing.suit or None
            shown = {"seat": self.shower, "text": text, "suit": named}
        return {
            "phase": self.phase,
            "turn": self.turn,
            "is_over": self.is_over,
            "start": self.start,
            "dealer": self.dealer,
            "levels": list(self.levels),
            "blood": self.blood,
            "hands": [sorted(hand) for hand in self.hands],
            "undrawn": self._draws[self.drawn :],
            "drawn": self.drawn,
            "window": list(self.window),
            "declined": sorted(self.declined),
            "shown": shown,
            "flipped": [list(pair) for pair in self.flipped],
            "trump": None if self.trump is None else asdict(self.trump),
            "trump_card": self.trump_card,
            "tribute": self.tribute,
            "given": list(self.given),
            "returned": list(self.returned),
            "bottom": sorted(self.bottom),
            "bottom_shown": self.bottom_shown,
            "dry": self.dry,
            "picked": [list(pair) for pair in self.picked],
            "trick": [[seat, sorted(ids)] for seat, ids in self.trick],
            "named": list(self.partial),
            "points": list(self.points),
            "played": sorted(self.played),
            "last_winner": self.last_winner,
            "total": self.total,
            "dug": self.dug,
            "settlement": None if self.settlement is None else _plain(self.settlement),
        }


def _plain(settlement: Settlement) -> dict[str, Any]:
    return {**asdict(settlement), "levels": list(settlement.levels)}


def _seats_from(seat: int) -> list[int]:
    return [(seat + step) % PLAYERS for step in range(PLAYERS)]


def _move(face: int, source: list[int], target: list[int]) -> int:
    card = min(card for card in source if card % FACES == face)
    source.remove(card)
    target.append(card)
    return card


def _buryable(buried: Sequence[int], hand: Sequence[int]) -> list[int]:
    faces: list[int] = []
    for face in sorted(set(hand)):
        rest = list(hand)
        rest.remove(face)
        if (not buried or face >= buried[-1]) and can_complete([*buried, face], rest):
            faces.append(face)
    return faces


def _read_history(history: dict[str, Any] | None) -> tuple[list[int], int | None, int]:
    if history is None:
        return [3, 3], None, 0
    keys = {"levels", "dealer", "blood"}
    _check_keys("history", history, keys, keys)
    levels = _ints("levels", history["levels"], 2)
    for level in levels:
        check_level("levels", level)
    dealer, blood = history["dealer"], history["blood"]
    if not _is_int(blood, 0, MOST_BLOOD):
        raise ValueError(f"blood must be from 0 to {MOST_BLOOD}, not {blood!r}")
    if dealer is None and (levels != [3, 3] or blood):
        raise ValueError("history: a round starts at levels 3 without blood (GZ-10, GZ-32)")
    if dealer is not None and not _is_int(dealer, 0, PLAYERS - 1):
        raise ValueError(f"dealer must be a seat or None, not {dealer!r}")
    return levels, dealer, blood
