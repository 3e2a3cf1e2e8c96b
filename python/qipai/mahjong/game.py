"""鞍山麻将: a hand in words, on top of the compiled engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from qipai._core import game as core
from qipai._core import mahjong_engine as compiled
from qipai._core.mahjong import Win
from qipai._core.melds import Meld
from qipai.origin import Sheet
from qipai.plain import Plain
from qipai.result import Line
from qipai.rules._base import require_int
from qipai.rules.mahjong import Rules
from qipai.spec import Slice, lay_out
from qipai.tiles import format as format_tiles
from qipai.tiles import parse

PLAYERS = 4
TILES = 136
MARK = "'"  # of a copy

# Action ids, as qipai.mahjong lists them.
PASS, WIN = 0, 1
FIRST = {"discard": 2, "chi": 36, "pon": 57, "kong": 91, "ankong": 125, "addkong": 159}
WORDS = {"pass": PASS, "win": WIN}
# Tiles that an action takes out of the hand.
OWN = {"discard": 1, "chi": 2, "pon": 2, "kong": 3, "ankong": 4, "addkong": 1}


@dataclass(frozen=True, slots=True)
class Deal(Plain):
    """All that chance decides in a hand (AM-1).

    ``wall``: the ids of all 136 tiles, or text, in the order in which they are used; ``dealer``: a
    seat. ``ValueError`` for what are no tiles or no seat.
    """

    wall: tuple[int, ...]
    dealer: int

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        try:
            wall = tuple(parse(self.wall))
        except TypeError as error:
            raise ValueError(f"a deal's wall must be tile ids or text: {error}") from None
        if len(wall) != TILES:
            raise ValueError(f"a deal's wall must have {TILES} tiles, not {len(wall)}")
        object.__setattr__(self, "wall", wall)
        require_int("dealer", self.dealer, 0, PLAYERS - 1)


@dataclass(frozen=True, slots=True)
class History(Plain):
    """What a hand leaves to the next: ``dealer``, who deals then; None where chance decides, as in
    a first hand (AM-14)."""

    dealer: int | None = None

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        if self.dealer is not None:
            require_int("dealer", self.dealer, 0, PLAYERS - 1)


SHEET = Sheet(
    Rules(),
    {
        "name": "32s",
        "stake": "i",
        "dead_wall": "B",
        "discard_wild": "?",
        "shisanyao": "B",
        "dealer_fan": "B",
        "gun": "B",
        "sancha": "B",
        "max_fan": "B",
    },
    {
        "shisanyao": ("all_yao", "classic"),
        "dealer_fan": ("either", "winner"),
        "gun": ("open", "hidden"),
        "sancha": ("everywhere", "shisanyao"),
    },
    size=44,
)
DEALT = Struct("<bB2x136s")

SPEC = lay_out(
    (
        "hands",
        (4, 34),
        "concealed tiles of each kind, players in turn from the viewer; zero unseen",
    ),
    ("sizes", (4,), "concealed tiles each holds"),
    ("chows", (4, 21), "runs that each has melded, by their lowest tile, 7 in each suit"),
    (
        "melds",
        (4, 34),
        "1 碰, 2 明杠, 3 加杠, 4 暗杠 of a kind, the last where the viewer knows it",
    ),
    ("concealed_kongs", (4,), "暗杠 of each"),
    ("dealer", (4,), "who deals"),
    ("turn", (4,), "who is to act; while others are asked, the viewer if it is to answer"),
    ("source", (4,), "who discarded the tile that is asked about, or made a 加杠 of it"),
    ("winner", (4,), "who has won"),
    ("payer", (4,), "on whose tile"),
    ("rivers", (4, 40), "the first 40 unclaimed discards of each in order: 1 + kind, then zeros"),
    ("wild", (34,), "the kind that is 混"),
    ("turned", (34,), "the turned tile"),
    ("gun", (34,), "the kinds that are known to be 枪"),
    ("asked", (34,), "the tile that is asked about"),
    ("drawn", (34,), "what the viewer has drawn for this turn"),
    ("win_tile", (34,), "the tile that was won on"),
    ("after_kong", (1,), "whether the tile drawn for this turn is a kong's replacement"),
    ("wall_left", (1,), "tiles left in the wall"),
    ("phase", (4,), "discard, claim, rob, over"),
    ("unseen", (34,), "copies of each kind that the viewer does not see"),
    ("has_drawn", (1,), "whether the seat to act has drawn, not claimed"),
)

FEATURES = lay_out(
    ("type", (8,), "pass, win, discard, 吃, 碰, 明杠, 暗杠, 加杠"),
    ("kind", (34,), "the kind; of a 吃 the lowest of the run"),
    ("held", (1,), "copies of it in hand"),
    ("wild", (1,), "whether it is 混"),
    ("gun", (1,), "whether it is known to be 枪"),
    ("run", (1,), "whether it stands for a run"),
)


class MahjongEngine(compiled.MahjongTable):
    """The words of 鞍山麻将."""

    phases = ("discard", "claim", "rob", "over")
    outcomes = ("自摸", "点炮", "抢杠", "流局")
    event_kinds = (
        "dealer",
        "turned",
        "draw",
        "discard",
        "chi",
        "pon",
        "kong",
        "ankong",
        "addkong",
        "pass",
        "win",
        "show",
        "gun",
        "over",
    )
    reasons = (
        core.Reason("no_action", "AM-10", "these tiles are no action here", "这些牌不成动作"),
        core.Reason("no_pass", "AM-10", "one's own draw cannot be passed", "自己摸牌后不能过"),
        core.Reason("no_win", "AM-20", "the hand does not win", "没有胡牌"),
        core.Reason(
            "after_claim",
            "AM-10",
            "right after 吃 or 碰 only a discard follows",
            "吃碰之后只能打牌",
        ),
        core.Reason(
            "wild_kept",
            "AM-4",
            "a 混 may be discarded only by who holds nothing else",
            "还有别的牌，不能打混",
        ),
        core.Reason(
            "nothing_to_claim", "AM-10", "there is no discard to claim", "没有可吃碰杠的牌"
        ),
        core.Reason("wild_meld", "AM-10", "no meld may use a 混", "混不能吃碰杠"),
        core.Reason("dead_wall", "AM-13", "too few tiles are left for a kong", "剩牌不够，不能杠"),
        core.Reason("no_pong", "AM-10", "there is no 碰 of this kind to add to", "没有可加杠的碰"),
        core.Reason("answer_first", "AM-11", "the asking must be answered first", "须先答要不要"),
        core.Reason(
            "no_meld", "AM-10", "the tile asked about makes no such meld", "这张牌不成此牌组"
        ),
        core.Reason("not_next", "AM-10", "吃 is only for the next in turn", "只能吃上家的牌"),
        core.Reason(
            "other_claim", "AM-11", "this seat is not asked for that now", "现在问的不是这个"
        ),
    )

    def default_rules(self) -> Rules:
        return Rules.anshan()

    def action_text(self, id: int, cards: bytes) -> str:
        word, kind = _named(id)
        if kind < 0:
            return word
        if cards and word in ("discard", "pon"):
            return f"{word} {_exact(cards)}"
        if word != "chi":
            return f"{word} {_text(kind)}"
        marks = {card // 4: MARK * (card % 4) for card in cards}
        run = "".join(f"{low % 9 + 1}{marks.get(low, '')}" for low in range(kind, kind + 3))
        return f"chi {run}{_suit(kind)}"

    def read_action(self, game: Game, text: str) -> tuple[int, bytes]:
        word, _, tiles = text.strip().partition(" ")
        if word in WORDS and not tiles:
            return WORDS[word], b""
        if word not in FIRST:
            raise ValueError(f"{text[:60]!r} is no action: {', '.join((*WORDS, *FIRST))}")
        ids = parse(tiles)
        kinds = sorted(tile // 4 for tile in ids)
        if word == "chi":
            low = _low(kinds)
            if low < 0:
                raise ValueError(f"{tiles[:60]!r} is no run of three")
        elif not kinds or len(set(kinds)) > 1 or len(kinds) > OWN[word]:
            raise ValueError(f"{tiles[:60]!r} is not one kind of tile to {word}")
        else:
            low = kinds[0]
        return _id(word, low), self._marked(game, word, tiles)

    def _marked(self, game: Game, word: str, tiles: str) -> bytes:
        """The exact ids of a discard, 吃 or 碰 whose text marks copies; none where it does not."""
        if MARK not in tiles or word not in ("discard", "chi", "pon"):
            return b""
        ids = parse(tiles)
        asked = game.last_discard
        if word == "chi" and asked is not None:
            ids = [tile for tile in ids if tile // 4 != asked // 4]
        hand = compiled.hand(game, game.turn or 0)
        for place, tile in enumerate(ids):
            # A tile without a mark is read as the first copy, and means the lowest that is held.
            if tile % 4 == 0 and tile not in hand:
                left = (other for other in hand if other // 4 == tile // 4 and other not in ids)
                ids[place] = next(left, tile)
        return bytes(sorted(ids))  # in whatever order they are named

    def action_of_cards(self, game: Game, cards: Sequence[int]) -> tuple[int, bytes]:
        ids = sorted(parse(cards))  # the same tiles make the same log
        kinds = [tile // 4 for tile in ids]
        asked = game.last_discard
        alike = len(set(kinds)) == 1
        if asked is None:
            word = {1: "discard", 4: "ankong"}.get(len(ids), "")
        else:
            word = {2: "pon" if alike else "chi", 3: "kong"}.get(len(ids), "")
            if word == "chi":
                low = _low(sorted([*kinds, asked // 4]))
                return (_id("chi", low) if low >= 0 else -1), bytes(ids)
        if not word or not alike:
            return -1, bytes(ids)
        return _id(word, kinds[0]), bytes(ids)

    def pack(self, rules: Rules, history: History | None, deal: Deal | None) -> bytes:
        dealer = history.dealer if history else None
        before = -1 if dealer is None else dealer
        if deal is None:
            return SHEET.pack(rules) + DEALT.pack(before, 0, b"")
        return SHEET.pack(rules) + DEALT.pack(before, deal.dealer, bytes(deal.wall))

    def unpack(self, origin: bytes) -> tuple[Rules, History, Deal]:
        before, dealer, wall = DEALT.unpack(origin[SHEET.size :])
        history = History(None if before == -1 else before)
        return SHEET.unpack(origin[: SHEET.size]), history, Deal(tuple(wall), dealer)

    def view(self, game: Game, seat: int | str | None) -> dict[str, Any]:
        viewer = -1 if seat is None else PLAYERS if isinstance(seat, str) else seat
        hands = [compiled.hand(game, player) for player in range(PLAYERS)]
        sees = [compiled.sees(game, viewer, player) for player in range(PLAYERS)]
        turn = game.turn
        drawn = compiled.drawn(game) if viewer in (-1, turn) else None
        if game.phase in ("claim", "rob") and viewer >= 0:
            # AM-11: who is asked, or has answered, is nobody else's business.
            turn = viewer if viewer < PLAYERS and compiled.asks(game, viewer) else None
        return {
            "phase": game.phase,
            "turn": turn,
            "hand": hands[seat] if isinstance(seat, int) else None,
            "hands": [hand if sees[player][0] else None for player, hand in enumerate(hands)],
            "sizes": [len(hand) for hand in hands],
            "melds": [
                [_meld_text(meld, sees[player][1]) for meld in compiled.melds(game, player)]
                for player in range(PLAYERS)
            ],
            "discards": [compiled.river(game, player) for player in range(PLAYERS)],
            "drawn": drawn,
            **compiled.table(game),
            "is_over": game.is_over,
            "scores": game.scores() if game.is_over else None,
        }

    def result(self, game: Game) -> list[Line]:
        rules: Rules = game.rules
        win, robbed = compiled.won(game)
        table = compiled.table(game)
        if win is None:
            return [
                Line(
                    f"drawn with {table['wall_left']} tiles left: nobody pays",
                    f"剩{table['wall_left']}张，流局",
                    "AM-13",
                    (0,) * PLAYERS,
                )
            ]
        winner, discarder = table["winner"], table["discarder"]
        lines = [_win_line(winner, discarder, table["win_tile"], robbed), _reading_line(win)]
        lines += [
            Line(f"番 of the hand: {name}", name, clause, count=count)
            for name, clause, count in win.fans
        ]
        points = game.scores()
        for payer in range(PLAYERS):
            if payer != winner:
                lines += _payment_lines(
                    rules, win.total, winner, payer, game.dealer, discarder, points[payer]
                )
        return lines

    def next_history(self, game: Game) -> History:
        table = compiled.table(game)
        stays = table["winner"] in (None, table["dealer"])
        return History(table["dealer"] if stays else (table["dealer"] + 1) % PLAYERS)

    def observation_spec(self) -> tuple[Slice, ...]:
        return SPEC

    def feature_spec(self) -> tuple[Slice, ...]:
        return FEATURES


def _text(kind: int) -> str:
    return format_tiles([4 * kind])


def _suit(kind: int) -> str:
    return _text(kind)[1]


def _exact(tiles: Sequence[int]) -> str:
    """Text that names each copy, the first by no mark."""
    ranks = "".join(f"{tile // 4 % 9 + 1}{MARK * (tile % 4)}" for tile in sorted(tiles))
    return ranks + _suit(tiles[0] // 4)


def _named(id: int) -> tuple[str, int]:
    """The word of an action and its kind; of a 吃 the lowest of the run; -1 for none."""
    if id < FIRST["discard"]:
        return ("pass", "win")[id], -1
    word, first = next((word, at) for word, at in reversed(FIRST.items()) if id >= at)
    if word == "chi":
        suit, rank = divmod(id - first, 7)
        return word, 9 * suit + rank
    return word, id - first


def _id(word: str, kind: int) -> int:
    return FIRST[word] + (7 * (kind // 9) + kind % 9 if word == "chi" else kind)


def _low(kinds: Sequence[int]) -> int:
    """The lowest of three ascending kinds that are a run, else -1."""
    if len(kinds) != 3 or kinds[0] >= 27 or kinds[0] % 9 > 6:
        return -1
    low = kinds[0]
    return low if list(kinds) == [low, low + 1, low + 2] else -1


def _meld_text(meld: Meld, known: bool) -> str:
    """A meld's text; a 暗杠 of which only its owner knows the kind is ``(????)``."""
    text = str(meld)
    return text if known or not text.startswith("(") else "(????)"


def _win_line(winner: int, discarder: int | None, tile: int, robbed: bool) -> Line:
    text = _text(tile // 4)
    if discarder is None:
        return Line(
            f"player {winner} wins by own draw of {text}", f"玩家{winner}自摸{text}", "AM-31"
        )
    if robbed:
        return Line(
            f"player {winner} robs the kong of player {discarder} of {text}",
            f"玩家{winner}抢杠{text}，玩家{discarder}算点炮",
            "AM-12",
        )
    return Line(
        f"player {winner} wins on {text} of player {discarder}",
        f"玩家{discarder}点炮{text}，玩家{winner}胡",
        "AM-31",
    )


SHAPES = {
    "four_sets": ("four sets and a pair", "四副一将"),
    "seven_pairs": ("seven pairs", "七对"),
    "shisanyao": ("十三幺", "十三幺"),
}


def _reading_line(win: Win) -> Line:
    """AM-42: how the tiles are read, and what each 混 stands for."""
    sets = "".join(f" {_set_text(kinds)}" for kinds in win.sets)
    if win.pair is not None:
        sets += f" {_set_text((win.pair, win.pair))}"
    shape, shape_zh = SHAPES[win.shape]
    text, text_zh = f"read as {shape}{sets}", f"{shape_zh}{sets}"
    if win.wilds:
        wilds = " ".join(_text(kind) for kind in win.wilds)
        text, text_zh = f"{text}, 混 as {wilds}", f"{text_zh}，混作{wilds}"
    return Line(text, text_zh, "AM-42")


def _set_text(kinds: Sequence[int]) -> str:
    return "".join(f"{kind % 9 + 1}" for kind in kinds) + _suit(kinds[0])


def _payment_lines(
    rules: Rules,
    total: int,
    winner: int,
    payer: int,
    dealer: int,
    discarder: int | None,
    points: int,
) -> list[Line]:
    """What one player pays, after the 番 that are that player's own (AM-30, AM-31)."""
    lines: list[Line] = []
    fan = total
    if dealer == winner or (dealer == payer and rules.dealer_fan == "either"):
        lines.append(
            Line(
                f"庄 between player {winner} and player {payer}",
                f"庄（玩家{winner}与玩家{payer}）",
                "AM-30",
                count=1,
            )
        )
        fan += 1
    if discarder in (None, payer):
        how, how_zh = (
            ("自摸: player {0} counts as a discarder", "自摸，玩家{0}算点炮")
            if discarder is None
            else ("点炮 by player {0}", "玩家{0}点炮")
        )
        lines.append(Line(how.format(payer), how_zh.format(payer), "AM-31", count=1))
        fan += 1
    amounts = [0] * PLAYERS
    amounts[payer], amounts[winner] = points, -points
    power = min(fan, rules.max_fan) if rules.max_fan else fan
    cap = f", capped at {rules.max_fan}" if power < fan else ""
    cap_zh = f"，封顶{rules.max_fan}番" if power < fan else ""
    lines.append(
        Line(
            f"player {payer} pays for {fan} 番{cap}: 2^{power} times the stake of {rules.stake}",
            f"玩家{payer}付{fan}番{cap_zh}：2^{power}×{rules.stake}",
            "AM-50",
            tuple(amounts),
        )
    )
    return lines


class Game(core.Game[Rules, Deal, History]):
    """One hand of 鞍山麻将; arguments as for :class:`qipai.Game`.

    After a discard or a 加杠 all who may claim the tile are ``pending()``: each sees only its own
    asking (AM-11).
    """

    _engine = MahjongEngine()
    Rules = Rules
    Deal = Deal
    History = History

    @property
    def dealer(self) -> int:
        """The seat of the dealer (AM-14)."""
        dealer: int = compiled.table(self)["dealer"]
        return dealer

    @property
    def wild(self) -> int:
        """The kind that is 混 (AM-2)."""
        wild: int = compiled.table(self)["wild"]
        return wild

    @property
    def wall_left(self) -> int:
        """Tiles left in the wall, the turned one not counted (AM-13)."""
        left: int = compiled.table(self)["wall_left"]
        return left

    @property
    def last_discard(self) -> int | None:
        """The id of the tile that others are asked about, else None."""
        tile: int | None = compiled.table(self)["last_discard"]
        return tile

    @property
    def win(self) -> Win | None:
        """How the winner's hand is read (AM-42); None where nobody has won."""
        return compiled.won(self)[0]
