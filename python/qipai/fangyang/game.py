"""鞍山放羊: a hand in words, on top of the compiled engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from qipai._core import fangyang as kernel
from qipai._core import fangyang_engine as compiled
from qipai._core import game as core
from qipai._core.cards import tokens
from qipai.cards import format as format_cards
from qipai.climbing import (
    EVENTS,
    hand_bits,
    hands_of,
    need_hands,
    one_action,
    read_cards,
    seen_hands,
)
from qipai.origin import Sheet
from qipai.plain import Plain
from qipai.result import Line
from qipai.rules._base import require_int
from qipai.rules.fangyang import Rules
from qipai.spec import Slice, lay_out

DECKS = 1
PLAYERS = 4

# Action ids, as qipai.fangyang lists them.
NO = 55
STARRED = 51
CALLS = 96
SHOW = 144
WORDS = {"pass": 0, "no": NO, "show": SHOW}
TEXTS = {id: text for text, id in WORDS.items()}


@dataclass(frozen=True, slots=True)
class Deal(Plain):
    """All that chance decides in a hand (FY-1).

    ``hands``: for each seat 13 or 14 card ids, or text; ``start``: the seat where the deal starts,
    which gets 14 as the next does. ``ValueError`` for what are no cards or no seat.
    """

    hands: tuple[tuple[int, ...], ...]
    start: int

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        object.__setattr__(self, "hands", need_hands(self.hands, PLAYERS, DECKS))
        require_int("start", self.start, 0, PLAYERS - 1)


@dataclass(frozen=True, slots=True)
class History(Plain):
    """What a hand leaves to the next: ``banker``, who is banker then; None where heart 4 decides,
    as in a first hand (FY-5)."""

    banker: int | None = None

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        if self.banker is not None:
            require_int("banker", self.banker, 0, PLAYERS - 1)


SHEET = Sheet(
    Rules(),
    {
        "name": "32s",
        "stake": "i",
        "not_shown_2v2": "3h",
        "not_shown_1v3": "3h",
        "shown_2v2": "3h",
        "shown_1v3": "2h2x",
        "banker": "B",
        "quad_is_bomb": "?",
    },
    {"banker": ("first_out", "heart4")},
    size=64,
)
DEALT = Struct("<bB2x64s")

SPEC = lay_out(
    ("hands", (4, 15), "cards of each rank, players in turn from the viewer; zero unseen"),
    ("played", (4, 15), "cards of each rank that each has played"),
    ("sizes", (4,), "cards each holds"),
    ("places", (4,), "1 to 4 in order of going out, 0 while in"),
    ("turn", (4,), "who is to act; while the called card is asked for, the viewer if it is to"),
    ("on_table", (4,), "who made the play to beat"),
    ("banker", (4,), "who is banker"),
    ("holds_heart4", (4,), "who is known to hold heart 4, as the banker of a first hand"),
    ("bankers_side", (4,), "the banker's side, where the viewer can tell it"),
    ("dealt_called", (4,), "who was dealt the called card, where the viewer can tell it"),
    ("holds_called", (4,), "who still holds it, where the viewer can tell it"),
    ("called_rank", (15,), "the rank of the called card; all zero before the call"),
    ("called_suit", (4,), "its suit: D, C, H, S"),
    ("known", (1,), "whether it has been played or shown (FY-13)"),
    ("shown", (1,), "whether it was shown (FY-6)"),
    ("phase", (4,), "call, ask, play, over"),
    ("table_rank", (15,), "the rank of the play to beat; all zero on a free lead"),
    ("table_width", (4,), "how many cards it has, from 1"),
)

FEATURES = lay_out(
    ("rank", (15,), "the rank of the play"),
    ("width", (4,), "how many cards it has, from 1"),
    ("starred", (1,), "whether the called card is among them"),
    ("last", (1,), "whether it plays the whole hand"),
    ("pass", (1,), "whether it is the pass"),
    ("call_rank", (15,), "the rank of a card to call"),
    ("call_suit", (4,), "its suit: D, C, H, S"),
    ("show", (1,), "whether it shows the called card"),
    ("no", (1,), "whether it answers no"),
)

# By whether it was shown and whether the banker stands alone: the clause and the orders of the
# places in the table.
ORDERS = {
    (False, False): ("FY-20", ("ABAB", "AABB", "ABBA")),
    (False, True): ("FY-21", ("ABBB", "BABB, BBAB", "BBBA")),
    (True, False): ("FY-22", ("ABAB", "AABB", "ABBA")),
    (True, True): ("FY-22", ("ABBB", "B")),
}


NOT_CALLABLE = core.Reason(
    "not_callable", "FY-3", "only a card from 4 to A can be called", "只能叫A以下的牌"
)


class FangyangEngine(compiled.FangyangTable):
    """The words of 放羊."""

    phases = ("call", "ask", "play", "over")
    event_kinds = (*EVENTS, "banker", "call", "show", "no")
    play_type = kernel.Play
    outcomes = (
        "ABAB",
        "AABB",
        "ABBA",
        "ABBB",
        "BABB",
        "BBBA",
        "shown ABAB",
        "shown AABB",
        "shown ABBA",
        "shown ABBB",
        "shown B",
    )
    reasons = (
        core.Reason("no_play", "FY-10", "these cards are no pattern", "不成牌型"),
        core.Reason("free_lead", "FY-11", "a free lead cannot be passed", "首家出牌不能不出"),
        core.Reason(
            "too_low", "FY-11", "this does not beat the play on the table", "管不上桌上的牌"
        ),
        core.Reason(
            "unmarked", "FY-10", "this needs the called card: write it with *", "含所叫的牌，须加*"
        ),
        core.Reason("call_first", "FY-3", "the banker must call a card first", "庄家须先叫牌"),
        core.Reason("called_already", "FY-3", "a card has been called already", "已经叫过牌"),
        core.Reason("answer_first", "FY-6", "the asking must be answered first", "须先答亮或不亮"),
        core.Reason("not_asked", "FY-6", "nobody is asked to show a card now", "现在不能亮牌"),
        core.Reason(
            "not_holder", "FY-6", "only who holds the called card can show it", "没有所叫的牌不能亮"
        ),
    )

    def default_rules(self) -> Rules:
        return Rules.anshan()

    def action_text(self, id: int, cards: bytes) -> str:
        if cards:
            return format_cards(list(cards), decks=DECKS)
        if id in TEXTS:
            return TEXTS[id]
        if id > CALLS + 3:
            return f"call {format_cards([id - CALLS], decks=DECKS)}"
        if id > NO:
            return kernel.play_at_id(id - STARRED).cards + "*"
        return kernel.play_at_id(id).cards

    def read_action(self, game: Game, text: str) -> tuple[int, bytes]:
        text = text.strip()
        if text in WORDS:
            return WORDS[text], b""
        if text.startswith("call"):
            return _read_call(text.removeprefix("call")), b""
        starred = text.endswith("*")
        cards = text.removesuffix("*")
        id, ids = read_cards(cards, self.hand(game, game.turn or 0), DECKS, kernel.id_of_counts)
        return _mark(id, starred or _has_called(game, ids)), ids

    def action_of_cards(self, game: Game, cards: Sequence[int]) -> tuple[int, bytes]:
        id, ids = one_action(cards, DECKS, kernel.id_of_counts)
        return _mark(id, _has_called(game, ids)), ids

    def pack(self, rules: Rules, history: History | None, deal: Deal | None) -> bytes:
        banker = history.banker if history else None
        before = -1 if banker is None else banker
        if deal is None:
            return SHEET.pack(rules) + DEALT.pack(before, 0, b"")
        return SHEET.pack(rules) + DEALT.pack(before, deal.start, hand_bits(deal.hands))

    def unpack(self, origin: bytes) -> tuple[Rules, History, Deal]:
        before, start, bits = DEALT.unpack(origin[SHEET.size :])
        history = History(None if before == -1 else before)
        return SHEET.unpack(origin[: SHEET.size]), history, Deal(hands_of(bits, PLAYERS), start)

    def view(self, game: Game, seat: int | str | None) -> dict[str, Any]:
        hands = [self.hand(game, player) for player in range(PLAYERS)]
        table, table_seat = self.table_play(game)
        banker, called, partner, known, shown = compiled.sides(game)
        viewer = -1 if seat is None else PLAYERS if isinstance(seat, str) else seat
        turn = game.turn
        if game.phase == "ask" and seat is not None:
            # FY-6: who is asked, or has answered, is nobody else's business.
            turn = viewer if viewer < PLAYERS and compiled.asks(game, viewer) else None
        return {
            "phase": game.phase,
            "turn": turn,
            "hand": hands[seat] if isinstance(seat, int) else None,
            "hands": seen_hands(hands, seat),
            "sizes": [len(hand) for hand in hands],
            "banker": banker,
            "called": None if called is None else format_cards([called], decks=DECKS),
            "partner": partner if compiled.knows(game, viewer) else None,
            "known": known,
            "shown": shown,
            "table": self.action_text(table, b"") if table else None,
            "table_seat": table_seat if table else None,
            "finished": list(self.finished(game)),
            "is_over": game.is_over,
            "scores": game.scores() if game.is_over else None,
        }

    def result(self, game: Game) -> list[Line]:
        banker, called, partner, _, shown = compiled.sides(game)
        assert called is not None
        place, side = compiled.outcome(game)
        alone = partner == banker
        clause, orders = ORDERS[shown, alone]
        order = "".join("A" if side >> seat & 1 else "B" for seat in self.finished(game))
        card = format_cards([called], decks=DECKS)
        sides = (
            f"player {banker} called {card} from its own hand and stands alone",
            f"庄家{banker}叫自己手里的{card}，1对3",
        )
        if not alone:
            sides = (
                f"player {banker} called {card}, which player {partner} held",
                f"庄家{banker}叫{card}，与玩家{partner}一伙",
            )
        lines = [Line(*sides, "FY-4")]
        if shown:
            lines.append(Line(f"player {partner} showed it", f"玩家{partner}亮牌", "FY-6"))
        points = game.scores()
        each = points[next(seat for seat in range(PLAYERS) if not side >> seat & 1)]
        lines.append(
            Line(
                f"out in the order {order} ({orders[place]}): {-each:+d} from each B",
                f"出完顺序{order}（{orders[place]}）：每家B付{-each:+d}",
                clause,
                tuple(points),
            )
        )
        return lines

    def next_history(self, game: Game) -> History:
        if game.rules.banker == "heart4":
            return History()
        return History(self.finished(game)[0])

    def observation_spec(self) -> tuple[Slice, ...]:
        return SPEC

    def feature_spec(self) -> tuple[Slice, ...]:
        return FEATURES


def _has_called(game: Game, ids: bytes) -> bool:
    return game.called is not None and game.called in ids


def _mark(id: int, starred: bool) -> int:
    """The id of a play with or without the called card; only A to 4 can have it."""
    if not starred:
        return id
    return id + STARRED if 5 <= id <= 48 else -1


def _read_call(text: str) -> int:
    """The id of calling a card; ``IllegalAction`` for a card that cannot be called (FY-3)."""
    cards = tokens(text)
    if len(cards) != 1 or cards[0][2] > 0:
        raise ValueError(f"{text.strip()!r} is not one card to call")
    rank, suit, _ = cards[0]
    if not 1 <= rank <= 11:
        raise core.IllegalAction(NOT_CALLABLE, f"call{text}")
    if suit < 0:
        raise ValueError(f"{text.strip()!r} names no suit: a card to call has one")
    return CALLS + 4 * rank + suit


class Game(core.Game[Rules, Deal, History]):
    """One hand of 放羊; arguments as for :class:`qipai.Game`.

    After the call, all who have not answered yet are ``pending()``: each sees only its own asking.
    """

    _engine = FangyangEngine()
    Rules = Rules
    Deal = Deal
    History = History

    @property
    def finished(self) -> tuple[int, ...]:
        """The seats in their order of going out."""
        return self._engine.finished(self)

    @property
    def banker(self) -> int:
        """The seat of the banker (FY-5)."""
        return compiled.sides(self)[0]

    @property
    def called(self) -> int | None:
        """The id of the called card, None before the call (FY-3)."""
        return compiled.sides(self)[1]

    @property
    def partner(self) -> int | None:
        """Who was dealt the called card, the banker itself in 1v3; for the server only (FY-4)."""
        return compiled.sides(self)[2]
