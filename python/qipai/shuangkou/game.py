"""百变双扣: a hand in words, on top of the compiled engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from qipai._core import game as core
from qipai._core import shuangkou as kernel
from qipai._core import shuangkou_engine as compiled
from qipai.cards import format as format_cards
from qipai.climbing import EVENTS, hand_bits, hands_of, need_hands, one_action, read_cards
from qipai.origin import Sheet
from qipai.plain import Plain
from qipai.result import Line
from qipai.rules._base import require_ints
from qipai.rules.shuangkou import CONTRIBUTION_COUNTS, EQUAL_STARS, Rules
from qipai.spec import Slice, lay_out
from qipai.view import Viewer

DECKS = 2
PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Deal(Plain):
    """All that chance decides in a hand (SK-1, SK-50).

    ``hands``: for each seat 27 card ids, or text; ``open_card``: the id of the marked copy of the
    open card (明牌). ``ValueError`` for what are no cards.
    """

    hands: tuple[tuple[int, ...], ...]
    open_card: int

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        object.__setattr__(self, "hands", need_hands(self.hands, PLAYERS, DECKS))
        (card,) = need_hands(((self.open_card,),), 1, DECKS)[0]
        object.__setattr__(self, "open_card", card)


@dataclass(frozen=True, slots=True)
class History(Plain):
    """What a hand leaves to the next: ``order``, the seats in their order of play (SK-50)."""

    order: tuple[int, ...] = (0, 1, 2, 3)

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        require_ints("order", self.order, PLAYERS, 0, PLAYERS - 1)
        if len(set(self.order)) != PLAYERS:
            raise ValueError(f"order must name the seats 0 to 3, each once, not {self.order!r}")


SHEET = Sheet(
    Rules(),
    {
        "name": "32s",
        "stake": "i",
        "base_double": "4h",
        "base_single": "4h",
        "base_even": "4h",
        "multiplier": "6H",
        "contribution": "6H",
        "loops": "?",
        "max_bomb": "B",
        "equal_stars": "B",
        "contribution_counts": "B",
        "merge_bombs": "?",
        "see_partner": "?",
        "escape": "?",
    },
    {"equal_stars": EQUAL_STARS, "contribution_counts": CONTRIBUTION_COUNTS},
    size=92,
)
DEALT = Struct("<4bB3x64s")

SPEC = lay_out(
    ("hands", (4, 15), "cards of each rank, players in order of play from the viewer; zero unseen"),
    ("played", (4, 15), "cards of each rank that each has played"),
    ("sizes", (4,), "cards each holds"),
    ("places", (4,), "1 to 4 in order of going out, 0 while in"),
    ("stars", (4,), "the most stars each has reached"),
    ("turn", (4,), "who is to act"),
    ("on_table", (4,), "who made the play to beat"),
    ("dealt_marked", (4,), "who was dealt the marked copy of the open card"),
    ("dealt_other", (4,), "who was dealt its other copy"),
    ("holds_marked", (4,), "who still holds the marked copy"),
    ("holds_other", (4,), "who still holds the other copy"),
    ("open_rank", (15,), "the rank of the open card"),
    ("table_cards", (15,), "cards of each rank in the play to beat"),
    ("table_kind", (11,), "its Kind, place 0 unused; all zero on a free lead"),
    ("table_rank", (15,), "its top rank"),
    ("table_width", (1,), "its cards a group"),
    ("table_length", (1,), "its groups"),
    ("table_stars", (1,), "its stars"),
    ("table_loop", (1,), "whether it is a loop"),
    ("ended", (1,), "0 while on, 1 双扣, 2 单扣, 3 平扣, 4 escape"),
)

FEATURES = lay_out(
    ("cards", (15,), "cards of each rank that the action plays"),
    ("kind", (11,), "its Kind; place 0 is the pass"),
    ("rank", (15,), "its top rank"),
    ("width", (1,), "its cards a group"),
    ("length", (1,), "its groups"),
    ("stars", (1,), "its stars"),
    ("loop", (1,), "whether it is a loop"),
    ("size", (1,), "how many cards it plays"),
    ("last", (1,), "whether it plays the whole hand"),
)

OUTCOMES = {"double": "双扣", "single": "单扣", "even": "平扣"}


class ShuangkouEngine(compiled.ShuangkouTable):
    """The words of 百变双扣."""

    phases = ("play", "over")
    play_type = kernel.Play
    outcomes = ("", "双扣", "单扣", "平扣", "逃跑")
    event_kinds = (*EVENTS, "escape")
    reasons = (
        core.Reason("no_play", "SK-20", "these cards are no pattern", "不成牌型"),
        core.Reason("free_lead", "SK-51", "a free lead cannot be passed", "首家出牌不能不出"),
        core.Reason(
            "too_low", "SK-40", "this does not beat the play on the table", "管不上桌上的牌"
        ),
        core.Reason("too_low", "SK-41", "only a bomb beats a bomb", "只有炸弹能管炸弹"),
        core.Reason("too_low", "SK-42", "the bomb has fewer stars", "炸弹星级不够"),
        core.Reason(
            "too_low",
            "SK-43",
            "三王炸弹 is the smallest of six stars, 天王炸弹 the largest of seven",
            "三王炸弹是6星最小，天王炸弹是7星最大",
        ),
        core.Reason("too_low", "SK-44", "equal stars, and no higher rank", "星级相同，牌面不大"),
        core.Reason(
            "too_low",
            "SK-45",
            "equal stars, and neither fewer cards nor higher",
            "星级相同，张数不少，牌面也不大",
        ),
        core.Reason(
            "too_low", "SK-46", "equal stars, and the loop is no larger", "星级相同，循环炸不大"
        ),
    )

    def default_rules(self) -> Rules:
        return Rules.wenzhou()

    def action_text(self, id: int, cards: bytes) -> str:
        if cards:
            return format_cards(list(cards), decks=DECKS)
        return "pass" if id == 0 else kernel.play_at_id(id).cards

    def read_action(self, game: Game, text: str) -> tuple[int, bytes]:
        if text.strip() == "pass":
            return 0, b""
        return read_cards(text, self.hand(game, game.turn or 0), DECKS, _id_of)

    def action_of_cards(self, game: Game, cards: Sequence[int]) -> tuple[int, bytes]:
        return one_action(cards, DECKS, _id_of)

    def pack(self, rules: Rules, history: History | None, deal: Deal | None) -> bytes:
        order = (history or History()).order
        if deal is None:
            return SHEET.pack(rules) + DEALT.pack(*order, 0, b"")
        return SHEET.pack(rules) + DEALT.pack(*order, deal.open_card, hand_bits(deal.hands))

    def unpack(self, origin: bytes) -> tuple[Rules, History, Deal]:
        *order, open_card, bits = DEALT.unpack(origin[SHEET.size :])
        hands = hands_of(bits, PLAYERS)
        return SHEET.unpack(origin[: SHEET.size]), History(tuple(order)), Deal(hands, open_card)

    def view(self, game: Game, seat: Viewer) -> dict[str, Any]:
        hands = [self.hand(game, player) for player in range(PLAYERS)]
        viewer = -1 if seat is None else seat
        seen = [
            hand if viewer != "table" and compiled.may_see(game, viewer, player) else None
            for player, hand in enumerate(hands)
        ]
        table, table_seat = self.table_play(game)
        open_card, leader, other = compiled.open_card(game)
        return {
            "phase": game.phase,
            "turn": game.turn,
            "hand": hands[seat] if isinstance(seat, int) else None,
            "hands": seen,
            "sizes": [len(hand) for hand in hands],
            "order": list(self.order(game)),
            "leader": leader,
            "open_card": {"card": open_card, "seat": leader, "other": other},
            "table": self.action_text(table, b"") if table else None,
            "table_seat": table_seat if table else None,
            "finished": list(self.finished(game)),
            "best_stars": list(compiled.stars(game)),
            "contribution": list(compiled.contribution(game)),
            "is_over": game.is_over,
            "scores": game.scores() if game.is_over else None,
        }

    def result(self, game: Game) -> list[Line]:
        rules = game.rules
        how, multiplier, escaped = compiled.outcome(game)
        stars = compiled.stars(game)
        if how == "escape":
            lost = game.scores()[escaped]
            return [
                _stars_line(rules, max(stars), multiplier, "reached by any player", "全场最大"),
                Line(
                    f"player {escaped} escapes: 双扣 base x {multiplier} x 2",
                    f"玩家{escaped}逃跑：双扣基本分×{multiplier}×2",
                    "SK-68",
                    tuple(lost if seat == escaped else 0 for seat in range(PLAYERS)),
                ),
            ]
        finished = self.finished(game)
        base: tuple[int, ...] = getattr(rules, f"base_{how}")
        order = self.order(game)
        first = order.index(finished[0])
        team = (finished[0], order[(first + 2) % PLAYERS])
        amounts = [0] * PLAYERS
        for seat, points in zip(finished, base, strict=True):
            amounts[seat] = points * multiplier * rules.stake
        best = max(stars[seat] for seat in team)
        name = OUTCOMES[how]
        return [
            _stars_line(rules, best, multiplier, "of the winning team", "胜方最大"),
            Line(
                f"{name} by {team[0]} and {team[1]}: base {_signed(base)} by place x {multiplier}",
                f"{name}：名次基本分{_signed(base)}×{multiplier}",
                "SK-61",
                tuple(amounts),
            ),
            *_contribution_lines(game, rules),
        ]

    def next_history(self, game: Game) -> History:
        return History(self.order(game))

    def observation_spec(self) -> tuple[Slice, ...]:
        return SPEC

    def feature_spec(self) -> tuple[Slice, ...]:
        return FEATURES


def _id_of(counts: bytes) -> int:
    """The action of rank counts, -1 where they are no play under any rules."""
    return kernel.row_of_counts(counts) or -1


def _signed(row: Sequence[int]) -> str:
    return ",".join(f"{points:+d}" if points else "0" for points in row)


def _stars_line(rules: Rules, stars: int, multiplier: int, whose: str, whose_zh: str) -> Line:
    steep = rules.multiplier[4:] != (rules.multiplier[3], rules.multiplier[3])
    return Line(
        f"largest bomb {whose}: {stars} stars, x{multiplier}",
        f"{whose_zh}炸弹：{stars}星，×{multiplier}",
        "SK-63" if steep else "SK-62",
        count=stars,
    )


def _contribution_lines(game: Game, rules: Rules) -> list[Line]:
    """SK-64, SK-65: a line for every play, or for every player's highest."""
    if rules.contribution_counts == "highest":
        booked = [
            (seat, stars, "SK-65") for seat, stars in enumerate(compiled.stars(game)) if stars >= 6
        ]
    else:
        booked = [
            (event.seat, play.stars, "SK-64")
            for event in game.events()
            if event.kind == "play" and event.seat is not None and event.action is not None
            for play in [kernel.play_at_id(int(event.action))]
            if play.stars >= 6
        ]
    lines: list[Line] = []
    for player, stars, clause in booked:
        gain, give = rules.contribution[min(stars, 8) - 6]
        lines.append(
            Line(
                f"player {player}: {stars} stars, +{gain} and -{give} each from the others",
                f"玩家{player}：{stars}星贡献分，得{gain}，其他各-{give}",
                clause,
                tuple((gain if seat == player else -give) * rules.stake for seat in range(PLAYERS)),
            )
        )
    return lines


class Game(core.Game[Rules, Deal, History]):
    """One hand of 百变双扣; arguments as for :class:`qipai.Game`."""

    _engine = ShuangkouEngine()
    Rules = Rules
    Deal = Deal
    History = History

    @property
    def finished(self) -> tuple[int, ...]:
        """The seats in their order of going out; all four at the end (SK-60)."""
        return self._engine.finished(self)


def base_stake(levels: Sequence[int], table: Mapping[int, int] | Sequence[int]) -> int:
    """Return the stake that the lowest of the four players' levels gives (SK-67).

    ``levels``: four ints; ``table``: the caller's stakes, a mapping from level to stake or a
    sequence with that of level i at place i. ``ValueError`` where it has none for the lowest.
    """
    if len(levels) != PLAYERS:
        raise ValueError(f"levels must be those of four players, not {len(levels)}")
    lowest = min(levels)
    known = range(len(table)) if isinstance(table, Sequence) else table
    if lowest not in known:
        raise ValueError(f"the table has no stake for level {lowest}")
    return table[lowest]
