"""One hand, played in the open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ...rules.mahjong import Rules
from .hand import Win, evaluate, is_win, payer_fans, payments
from .tiles import (
    COPIES,
    KINDS,
    Meld,
    format_kinds,
    kind_before,
    next_kind,
    parse_kinds,
    run_from,
)

TILES = 136
DRAWS_FROM = 53  # AM-1: the place in the wall of the first draw


class Game:
    """One hand of 鞍山麻将; nothing is hidden.

    ``deal``: ``{"wall": the 136 tile ids in the order of AM-1, "dealer": seat}``; a tile id is
    4 * kind + copy. ``history``: None or the :meth:`next_history` of the hand before, whose dealer
    the deal must then have (AM-14). ``ValueError`` for anything else.

    Actions: ``"discard 5m"``, ``"chi 123m"`` (the run with the claimed tile), ``"pon 7z"``,
    ``"kong 7z"`` (明杠), ``"ankong 7z"`` (暗杠), ``"addkong 7z"`` (加杠), ``"win"`` and ``"pass"``
    (declines a claim). The lowest ids of a kind leave the hand. Phases: ``"discard"`` (after a
    draw or a claim), ``"claim"`` (asked about a discard), ``"rob"`` (asked about a 加杠 tile),
    ``"over"``; ``turn`` is the seat asked.
    """

    players = 4

    def __init__(
        self, rules: Rules, deal: Mapping[str, Any], history: Mapping[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.order = [0, 1, 2, 3]
        self.wall, self.dealer = _read_deal(deal)
        if history is not None and history != {"dealer": None}:  # AM-14: a first hand's
            dealer = _read_dealer("history", history)
            if dealer != self.dealer:
                raise ValueError(f"the dealer of the deal must be {dealer}, not {self.dealer}")
        self.turned = self.wall[-1]
        self.wild = next_kind(self.turned // 4)  # AM-2
        # AM-37: 明枪 is known from the start, 暗枪 after the win.
        self.gun: list[int] = [kind_before(self.turned // 4)] if rules.gun == "open" else []
        self.hands: list[list[int]] = [[], [], [], []]
        start = 0
        for step in range(4):  # AM-1
            size = 13 if step else 14
            self.hands[(self.dealer + step) % 4] = self.wall[start : start + size]
            start += size
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.discards: list[list[int]] = [[], [], [], []]
        self.front, self.back = DRAWS_FROM, TILES - 1  # what is left: wall[front:back]
        self.is_over = False
        self.winner: int | None = None
        self.win_tile: int | None = None
        self.discarder: int | None = None
        # Who has drawn, claimed or discarded last, and the tile just drawn; the dealer's 14th
        # counts as drawn (AM-10).
        self.actor = self.dealer
        self.drawn: int | None = self.hands[self.dealer][-1]
        self.after_kong = False  # the tile just drawn replaces one of a kong
        # The discard or 加杠 tile that may be claimed, and who is still to be asked for what.
        self.offered: int | None = None
        self.robbing = False
        self.asks: list[tuple[int, list[str]]] = []

    @property
    def turn(self) -> int | None:
        """The seat to act, None when over."""
        if self.is_over:
            return None
        return self.asks[0][0] if self.asks else self.actor

    @property
    def phase(self) -> str:
        """``"discard"``, ``"claim"``, ``"rob"`` or ``"over"``."""
        if self.is_over:
            return "over"
        if self.asks:
            return "rob" if self.robbing else "claim"
        return "discard"

    @property
    def wall_left(self) -> int:
        """How many tiles are left to draw, the turned one not counted."""
        return self.back - self.front

    def legal_actions(self) -> list[str]:
        """Return the texts of all legal actions."""
        if self.is_over:
            return []
        if self.asks:
            return [*self.asks[0][1], "pass"]
        seat = self.actor
        actions: list[str] = []
        if self.drawn is not None:  # AM-10: not right after a claim
            if is_win(self._kinds(seat), self.melds[seat], self.wild, self.rules):
                actions.append("win")
            actions.extend(self._own_kongs(seat))
        kinds = set(self._kinds(seat))
        if not self.rules.discard_wild and kinds != {self.wild}:  # AM-4
            kinds.discard(self.wild)
        actions.extend(f"discard {format_kinds([kind])}" for kind in sorted(kinds))
        return actions

    def is_legal(self, text: str) -> bool:
        """Whether the action is legal."""
        return text in self.legal_actions()

    def apply(self, text: str) -> None:
        """Do the action of who is to act; ``ValueError`` if it is illegal."""
        if not self.is_legal(text):
            raise ValueError(f"illegal action {text!r}")
        seat = cast("int", self.turn)
        word, _, tiles = text.partition(" ")
        kinds = parse_kinds(tiles)
        match word:
            case "win":
                self._win(seat)
            case "pass":
                self.asks.pop(0)
                if not self.asks:
                    self._unclaimed()
            case "discard":
                self._discard(seat, kinds[0])
            case "ankong":
                self._take(seat, kinds * 4)
                self.melds[seat].append(Meld("ankong", tuple(kinds * 4)))
                self._draw_replacement(seat)
            case "addkong":
                self._offer(self._take(seat, kinds)[0], robbing=True)
            case _:
                self._claim(seat, word, kinds if word == "chi" else kinds * _ALIKE[word])

    def result(self) -> list[dict[str, Any]]:
        """Return the lines of the result; ``RuntimeError`` before the end.

        Lines of 番 have name, clause, seat (the winner, or the payer whose payment alone they
        raise) and count; lines of payment have name, clause, seat and amount and add up to the
        scores. A drawn hand is one line without either.
        """
        win = self._result()
        if win is None:
            return [{"name": "流局", "clause": "AM-13"}]
        winner = cast("int", self.winner)
        fans = [(winner, fan) for fan in win.fans]
        for payer in range(4):
            if payer != winner:
                own = payer_fans(payer, winner, self.dealer, self.discarder, self.rules)
                fans.extend((payer, fan) for fan in own)
        lines: list[dict[str, Any]] = [
            {"name": name, "clause": clause, "seat": seat, "count": count}
            for seat, (name, clause, count) in fans
        ]
        for seat, amount in enumerate(self.scores()):
            name = "付" if amount < 0 else "收"
            lines.append({"name": name, "clause": "AM-50", "seat": seat, "amount": amount})
        return lines

    def scores(self) -> list[int]:
        """Return what each seat gains (AM-50); ``RuntimeError`` before the end."""
        win = self._result()
        if win is None:  # AM-13
            return [0, 0, 0, 0]
        winner = cast("int", self.winner)
        return payments(win.total, winner, self.dealer, self.discarder, self.rules)

    def next_history(self) -> dict[str, int]:
        """Return the dealer of the next hand (AM-14); ``RuntimeError`` before the end."""
        self._result()
        stays = self.winner in (None, self.dealer)
        return {"dealer": self.dealer if stays else (self.dealer + 1) % 4}

    def state(self) -> dict[str, Any]:
        """Return the whole state as plain JSON.

        Tiles are ids, except ``wild`` and ``gun``, which are kinds. ``discards`` are in order,
        without those that were claimed or won on; ``last_discard`` is the tile that is being asked
        about in the phases claim and rob (and in nobody's hand or discards in rob), else None.
        ``drawn`` is the tile just drawn by the seat in phase discard, None after a claim;
        ``win_tile`` the tile won on, also among the winner's; ``discarder`` who discarded it or
        made the robbed kong, None after an own draw. ``gun`` is empty until known (AM-37).
        """
        return {
            "turn": self.turn,
            "phase": self.phase,
            "hands": [sorted(hand) for hand in self.hands],
            "melds": [[str(meld) for meld in melds] for melds in self.melds],
            "discards": [list(row) for row in self.discards],
            "wall_left": self.wall_left,
            "wild": self.wild,
            "turned": self.turned,
            "dealer": self.dealer,
            "last_discard": self.offered,
            "drawn": self.drawn,
            "after_kong": self.after_kong,
            "gun": list(self.gun),
            "is_over": self.is_over,
            "winner": self.winner,
            "win_tile": self.win_tile,
            "discarder": self.discarder,
        }

    # Own turn

    def _own_kongs(self, seat: int) -> Iterator[str]:
        if self.wall_left <= self.rules.dead_wall:  # AM-13
            return
        kinds = self._kinds(seat)
        for kind in sorted(set(kinds)):
            tile = format_kinds([kind])
            if kinds.count(kind) == COPIES and kind != self.wild:
                yield f"ankong {tile}"
            if Meld("pon", (kind,) * 3) in self.melds[seat]:
                yield f"addkong {tile}"

    def _discard(self, seat: int, kind: int) -> None:
        [tile] = self._take(seat, [kind])
        self.discards[seat].append(tile)
        self._offer(tile, robbing=False)

    # Claims

    def _offer(self, tile: int, robbing: bool) -> None:
        self.drawn, self.after_kong = None, False
        self.offered, self.robbing = tile, robbing
        self.asks = list(self._askings(tile // 4))
        if not self.asks:
            self._unclaimed()

    def _askings(self, kind: int) -> Iterator[tuple[int, list[str]]]:
        """Yield who is asked for what, in order (AM-11)."""
        if kind == self.wild:  # AM-4
            return
        others = [(self.actor + step) % 4 for step in (1, 2, 3)]
        for seat in others:
            if is_win([*self._kinds(seat), kind], self.melds[seat], self.wild, self.rules):
                yield seat, ["win"]
        if self.robbing:  # AM-12
            return
        tile = format_kinds([kind])
        for seat in others:
            held = self._kinds(seat).count(kind)
            if held >= 2:
                claims = [f"pon {tile}"]
                if held == 3 and self.wall_left > self.rules.dead_wall:  # AM-13
                    claims.append(f"kong {tile}")
                yield seat, claims
        runs = [
            run
            for run in map(run_from, KINDS)
            if run is not None
            and kind in run
            and self.wild not in run
            and {*run} - {kind} <= set(self._kinds(others[0]))
        ]
        if runs:
            yield others[0], [f"chi {format_kinds(run)}" for run in runs]

    def _claim(self, seat: int, how: str, tiles: Sequence[int]) -> None:
        own = list(tiles)
        own.remove(self.discards[self.actor].pop() // 4)
        self._take(seat, own)
        self.melds[seat].append(Meld(how, tuple(tiles)))
        self.actor, self.offered, self.asks = seat, None, []
        if how == "kong":
            self._draw_replacement(seat)

    def _unclaimed(self) -> None:
        tile = cast("int", self.offered)
        self.offered = None
        if self.robbing:
            self.robbing = False
            pon = Meld("pon", (tile // 4,) * 3)
            melds = self.melds[self.actor]
            melds[melds.index(pon)] = Meld("addkong", (tile // 4,) * 4)
            self._draw_replacement(self.actor)
        else:
            self._draw((self.actor + 1) % 4)

    # Drawing and the end

    def _draw(self, seat: int) -> None:
        if self.wall_left <= self.rules.dead_wall:  # AM-13
            self.is_over = True
            return
        self._receive(seat, self.wall[self.front], after_kong=False)
        self.front += 1

    def _draw_replacement(self, seat: int) -> None:
        self.back -= 1
        self._receive(seat, self.wall[self.back], after_kong=True)

    def _receive(self, seat: int, tile: int, after_kong: bool) -> None:
        self.actor, self.drawn, self.after_kong = seat, tile, after_kong
        self.hands[seat].append(tile)

    def _win(self, seat: int) -> None:
        self.is_over, self.winner = True, seat
        if self.offered is None:
            self.win_tile = self.drawn
        else:
            self.win_tile, self.discarder = self.offered, self.actor
            self.hands[seat].append(self.offered)
            if not self.robbing:
                self.discards[self.actor].pop()
        if self.rules.gun == "hidden" and self.wall_left:  # AM-37
            kind = self.wall[self.front] // 4
            self.gun = [kind, next_kind(kind)]
        self.drawn, self.offered, self.asks = None, None, []

    def _result(self) -> Win | None:
        """Return what was won with, None for a drawn hand."""
        if not self.is_over:
            raise RuntimeError("the hand is not over")
        if self.winner is None:
            return None
        return evaluate(
            self._kinds(self.winner),
            self.melds[self.winner],
            self.wild,
            self.rules,
            gun=self.gun,
            after_kong=self.after_kong,
        )

    # Hands

    def _kinds(self, seat: int) -> list[int]:
        return [tile // 4 for tile in self.hands[seat]]

    def _take(self, seat: int, kinds: Sequence[int]) -> list[int]:
        """Remove the lowest ids of some kinds from a hand and return them."""
        taken: list[int] = []
        for kind in kinds:
            tile = min(tile for tile in self.hands[seat] if tile // 4 == kind)
            self.hands[seat].remove(tile)
            taken.append(tile)
        return taken


_ALIKE = {"pon": 3, "kong": 4}


def _read_deal(deal: object) -> tuple[list[int], int]:
    dealer = _read_dealer("deal", deal, "wall")
    wall = cast("Mapping[str, Any]", deal)["wall"]
    if not isinstance(wall, list | tuple):
        raise ValueError(f"wall must be a list, not {type(wall).__name__}")
    tiles = cast("Sequence[object]", wall)
    ids = [tile for tile in tiles if isinstance(tile, int) and not isinstance(tile, bool)]
    if len(ids) != len(tiles) or sorted(ids) != list(range(TILES)):
        raise ValueError(f"wall must hold each tile from 0 to {TILES - 1} once")
    return ids, dealer


def _read_dealer(what: str, data: object, *others: str) -> int:
    keys = {"dealer", *others}
    if not isinstance(data, Mapping) or set(cast("Mapping[object, object]", data)) != keys:
        raise ValueError(f"a {what} has {', '.join(sorted(keys))}, not {data!r}")
    dealer = cast("Mapping[str, object]", data)["dealer"]
    if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < 4:
        raise ValueError(f"dealer must be a seat from 0 to 3, not {dealer!r}")
    return dealer
