"""鞍山甲乙丙: a hand in words, on top of the compiled engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from qipai._core import game as core
from qipai._core import jiayibing as kernel
from qipai._core import jiayibing_engine as compiled
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
from qipai.rules.jiayibing import Rules
from qipai.spec import Slice, lay_out

DECKS = 2
PLAYERS = 6


@dataclass(frozen=True, slots=True)
class Deal(Plain):
    """All that chance decides in a hand: ``hands``, for each seat 18 card ids, or text (JY-1).

    ``ValueError`` for what are no cards.
    """

    hands: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        object.__setattr__(self, "hands", need_hands(self.hands, PLAYERS, DECKS))


@dataclass(frozen=True, slots=True)
class History(Plain):
    """What a hand leaves to the next: ``leader``, who leads then; None where the marked 3 decides,
    as in a first hand (JY-3)."""

    leader: int | None = None

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        if self.leader is not None:
            require_int("leader", self.leader, 0, PLAYERS - 1)


SHEET = Sheet(
    Rules(),
    {
        "name": "32s",
        "stake": "i",
        "special_card": "B",
        "leader": "B",
        "max_alike": "B",
        "quad_is_bomb": "?",
        "score": "B",
    },
    {"leader": ("first_out", "special"), "score": ("left_holding", "flat")},
    size=44,
)
DEALT = Struct("<b7x96s")

SPEC = lay_out(
    ("hands", (6, 15), "cards of each rank, players in turn from the viewer; zero unseen"),
    ("played", (6, 15), "cards of each rank that each has played"),
    ("sizes", (6,), "cards each holds"),
    ("places", (6,), "1 to 6 in order of going out, 0 while in"),
    ("turn", (6,), "who is to act"),
    ("on_table", (6,), "who made the play to beat"),
    ("holds_special", (6,), "who is known to hold the marked 3, having led by it"),
    ("table_rank", (15,), "the rank of the play to beat; all zero on a free lead"),
    ("table_width", (8,), "how many cards it has, from 1"),
)


FEATURES = lay_out(
    ("rank", (15,), "the rank of the play"),
    ("width", (8,), "how many cards it has, from 1"),
    ("pass", (1,), "whether it is the pass"),
    ("last", (1,), "whether it plays the whole hand"),
)


class JiayibingEngine(compiled.JiayibingTable):
    """The words of 甲乙丙."""

    phases = ("play", "over")
    event_kinds = EVENTS
    play_type = kernel.Play
    outcomes = ("1 left", "2 left", "3 left")
    reasons = (
        core.Reason("no_play", "JY-10", "these cards are no pattern", "不成牌型"),
        core.Reason("free_lead", "JY-11", "a free lead cannot be passed", "首家出牌不能不出"),
        core.Reason(
            "too_low", "JY-11", "this does not beat the play on the table", "管不上桌上的牌"
        ),
    )

    def default_rules(self) -> Rules:
        return Rules.anshan()

    def action_text(self, id: int, cards: bytes) -> str:
        if cards:
            return format_cards(list(cards), decks=DECKS)
        return "pass" if id == 0 else kernel.play_at_id(id).cards

    def read_action(self, game: Game, text: str) -> tuple[int, bytes]:
        if text.strip() == "pass":
            return 0, b""
        return read_cards(text, self.hand(game, game.turn or 0), DECKS, kernel.id_of_counts)

    def action_of_cards(self, game: Game, cards: Sequence[int]) -> tuple[int, bytes]:
        return one_action(cards, DECKS, kernel.id_of_counts)

    def pack(self, rules: Rules, history: History | None, deal: Deal | None) -> bytes:
        leader = history.leader if history else None
        bits = b"" if deal is None else hand_bits(deal.hands)
        return SHEET.pack(rules) + DEALT.pack(-1 if leader is None else leader, bits)

    def unpack(self, origin: bytes) -> tuple[Rules, History, Deal]:
        before, bits = DEALT.unpack(origin[SHEET.size :])
        history = History(None if before == -1 else before)
        return SHEET.unpack(origin[: SHEET.size]), history, Deal(hands_of(bits, PLAYERS))

    def view(self, game: Game, seat: int | str | None) -> dict[str, Any]:
        hands = [self.hand(game, player) for player in range(PLAYERS)]
        table, table_seat = self.table_play(game)
        return {
            "phase": game.phase,
            "turn": game.turn,
            "hand": hands[seat] if isinstance(seat, int) else None,
            "hands": seen_hands(hands, seat),
            "sizes": [len(hand) for hand in hands],
            "order": list(self.order(game)),
            "special": compiled.special_seat(game),
            "table": self.action_text(table, b"") if table else None,
            "table_seat": table_seat if table else None,
            "finished": list(self.finished(game)),
            "is_over": game.is_over,
            "scores": game.scores() if game.is_over else None,
        }

    def result(self, game: Game) -> list[Line]:
        winners, holding = compiled.outcome(game)
        names = ", ".join(str(seat) for seat in winners)
        count = 1 if game.rules.score == "flat" else holding
        return [
            Line(
                f"players {names} are out, {holding} of the others hold cards",
                f"玩家{names}全部出完，对方{holding}家还有牌",
                "JY-13",
                count=holding,
            ),
            Line(
                f"each loser pays and each winner receives {count} x the stake",
                f"负方每家付、胜方每家得{count}倍底分",
                "JY-20",
                tuple(game.scores()),
            ),
        ]

    def next_history(self, game: Game) -> History:
        if game.rules.leader == "special":
            return History()
        return History(self.finished(game)[0])

    def observation_spec(self) -> tuple[Slice, ...]:
        return SPEC

    def feature_spec(self) -> tuple[Slice, ...]:
        return FEATURES


class Game(core.Game[Rules, Deal, History]):
    """One hand of 甲乙丙; arguments as for :class:`qipai.Game`."""

    _engine = JiayibingEngine()
    Rules = Rules
    Deal = Deal
    History = History

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in their order of play; every second one is of a side (JY-1)."""
        return self._engine.order(self)

    @property
    def finished(self) -> tuple[int, ...]:
        """The seats in their order of going out."""
        return self._engine.finished(self)
