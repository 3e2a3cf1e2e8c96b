"""打滚子: a hand in words, on top of the compiled engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, cast

from qipai._core import game as core
from qipai._core import gunzi_engine as compiled
from qipai._core.cards import tokens
from qipai._core.game import Action, Event
from qipai.cards import format as format_cards
from qipai.cards import parse
from qipai.gunzi.reasons import REASONS
from qipai.gunzi.result import end_of, result_lines, settlement
from qipai.origin import Sheet
from qipai.plain import Plain, exact
from qipai.result import Line
from qipai.rules._base import require_int
from qipai.rules.gunzi import Rules
from qipai.spec import Slice, lay_out

DECKS = 3
PLAYERS = 4
FACES = 54
DRAWS = 156
BOTTOM = 6
SUITS = "DCHS"
BIG = 53

# Action ids, as qipai.gunzi lists them.
PASS = 0
ALIKE = 1
STEP = 163
BURY = 217
GIVE = 271
RETURN = 325
PICK = 379
DONE = 433
LEVEL = 434
SHOW_BIG = 530
NAME = 531
WORDS = {"pass": PASS, "done": DONE}
VERBS = {"bury": BURY, "give": GIVE, "return": RETURN, "pick": PICK}


@dataclass(frozen=True, slots=True)
class Deal(Plain):
    """All that chance decides in a hand (GZ-11, GZ-22, GZ-26).

    ``draws``: the 156 cards in the order drawn, ids or text; ``bottom``: the other six in their
    order (GZ-21); ``start``: the seat that draws first; ``flips``: the order, as places in the
    bottom, in which its cards are turned; ``redeals``: how often all was dealt again before this
    deal. ``ValueError`` for what is none of this.
    """

    draws: tuple[int, ...]
    bottom: tuple[int, ...]
    start: int
    flips: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    redeals: int = 0

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        draws = _need_cards("draws", self.draws, DRAWS, ())
        bottom = _need_cards("bottom", self.bottom, BOTTOM, draws)
        object.__setattr__(self, "draws", draws)
        object.__setattr__(self, "bottom", bottom)
        object.__setattr__(self, "flips", _need_places(self.flips))
        require_int("start", self.start, 0, PLAYERS - 1)
        require_int("redeals", self.redeals, 0, 65_535)


@dataclass(frozen=True, slots=True)
class History(Plain):
    """What a hand leaves to the next.

    ``levels``: of the sides of seats 0 and 2, and of 1 and 3 (GZ-10); ``dealer``: None in the first
    hand of a round; ``blood``: cards due from the dealer's 上家 (GZ-32, GZ-33). ``ValueError`` for
    what cannot be; a round begins at level 3, without blood.
    """

    levels: tuple[int, int] = (3, 3)
    dealer: int | None = None
    blood: int = 0

    def __post_init__(self) -> None:
        Plain.__post_init__(self)
        levels = cast("object", self.levels)
        if isinstance(levels, list):
            object.__setattr__(self, "levels", exact(tuple(cast("list[object]", levels))))
        if not isinstance(self.levels, tuple) or len(self.levels) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
            raise ValueError(f"levels must be two levels, not {self.levels!r}")
        for level in self.levels:
            require_int("levels", level, 3, 10)
        require_int("blood", self.blood, 0, 23)
        if self.dealer is not None:
            require_int("dealer", self.dealer, 0, PLAYERS - 1)
        elif self.levels != (3, 3) or self.blood:
            raise ValueError("without a dealer levels must be 3 and 3 and blood 0 (GZ-10)")


def _need_cards(name: str, cards: object, n: int, taken: Iterable[int]) -> tuple[int, ...]:
    try:
        ids = parse(cast("Sequence[int]", cards), decks=DECKS, taken=taken)
    except TypeError as error:
        raise ValueError(f"a deal's {name} must be card ids or text: {error}") from None
    if len(ids) != n:
        raise ValueError(f"a deal's {name} must be {n} cards, not {len(ids)}")
    if set(ids) & set(taken):
        raise ValueError(f"a deal's {name} has a card that is drawn")
    return tuple(ids)


def _need_places(flips: object) -> tuple[int, ...]:
    if not isinstance(flips, Sequence) or isinstance(flips, str | bytes):
        raise ValueError(f"flips must be the places 0 to 5 in some order, not {flips!r}")
    places = tuple(cast("int", exact(place)) for place in cast("Sequence[int]", flips))
    for place in places:
        require_int("flips", place, 0, BOTTOM - 1)
    if len(places) != BOTTOM or len(set(places)) != BOTTOM:
        raise ValueError(f"flips must name each of the places 0 to 5 once, not {places}")
    return places


SHEET = Sheet(
    Rules(),
    {
        "name": "32s",
        "stake": "i",
        "joker_levels": "2B",
        "follow": "B",
        "bid_windows": "B",
        "self_overturn": "?",
        "instant_jokers": "B",
    },
    {
        "follow": ("live", "dead"),
        "bid_windows": ("changed", "every"),
        "instant_jokers": ("both", "big"),
    },
    size=44,
)
DEALT = Struct("<2bbBHB156s6s6sx")

SPEC = lay_out(
    ("hands", (4, 54), "cards of each face, players in turn from the viewer; zero unseen"),
    ("played", (4, 54), "cards of each face that each has played"),
    ("trick", (4, 54), "cards of each face that each has on the table"),
    ("bottom", (54,), "the bottom as it lies, if the viewer knows it (GZ-40..42)"),
    ("first_bottom", (54,), "the bottom as dealt, as far as the viewer has seen it"),
    ("named", (54,), "the viewer's cards that are named but lie nowhere yet"),
    ("given", (54,), "cards given as tribute (GZ-30)"),
    ("returned", (54,), "cards given back (GZ-31)"),
    ("picked", (54,), "cards picked up from the bottom (GZ-42)"),
    ("sizes", (4,), "cards each holds, those named unseen among them"),
    ("turn", (4,), "who is to act; where the asking is secret, the viewer if it may answer"),
    ("dealer", (4,), "who is the dealer; all zero before it is known"),
    ("shower", (4,), "whose showing stands"),
    ("leader", (4,), "who led the trick, or is to"),
    ("winning", (4,), "who wins the trick so far"),
    ("last_winner", (4,), "who won the last trick"),
    ("points", (2,), "points of the viewer's side and the others, by fives (GZ-56)"),
    ("levels", (2, 8), "levels 3 to 10 of the viewer's side and the others (GZ-10)"),
    ("level", (8,), "the level of this hand; all zero before the dealer is known"),
    ("trump", (4,), "the trump suit: D, C, H, S; all zero before it is known"),
    ("shown_count", (1,), "how many cards are shown"),
    ("shown_suit", (4,), "the suit that they name"),
    ("shown_jokers", (2,), "whether they are 小王, 大王"),
    ("phase", (8,), "deal, tribute, return, bury, joker, pick, play, over"),
    ("drawn", (1,), "cards drawn of the 156"),
    ("blood", (1,), "blood due (GZ-32)"),
    ("dry", (1,), "whether it is 干锅 (GZ-44)"),
    ("bottom_shown", (1,), "whether all see the bottom as it lies"),
    ("dead", (1,), "whether 死棒 is played (GZ-53)"),
    ("first_hand", (1,), "whether it is the first hand of a round"),
    ("size", (3,), "how many cards each plays to the trick; all zero before a lead"),
)

FEATURES = lay_out(
    ("suit", (4,), "the suit of the cards, or the suit named: D, C, H, S"),
    ("rank", (13,), "their rank, 3 to A, 2"),
    ("joker", (2,), "小王, 大王"),
    ("count", (1,), "how many cards"),
    (
        "kind",
        (9,),
        "a play of cards alike, a card of a mixed play, bury, give, return, pick, done, pass, show",
    ),
    ("trump", (1,), "whether they are trumps"),
    ("strength", (1,), "their place in the order of GZ-4"),
    ("points", (1,), "what one of them counts (GZ-2)"),
    ("wins", (1,), "whether the play would win the trick so far"),
    ("last", (1,), "whether it plays the whole hand"),
)


def face_text(face: int) -> str:
    """Return the text of a face."""
    return format_cards([face], decks=DECKS)


def alike_text(face: int, n: int) -> str:
    """Return the text of n cards alike."""
    return face_text(face) if n == 1 else f"{face_text(face)}*{n}"


def show_text(id: int) -> str:
    """The text of a showing."""
    if id == SHOW_BIG:
        return "show R"
    if id >= NAME:
        joker, suit = divmod(id - NAME, 4)
        return f"show {'BR'[joker]}*3 as {SUITS[suit]}"
    n, face = divmod(id - LEVEL, 32)
    return f"show {alike_text(face, n + 1)}"


class GunziEngine(compiled.GunziTable):
    """The words of 打滚子."""

    phases = ("deal", "tribute", "return", "bury", "joker", "pick", "play", "over")
    event_kinds = (
        "redeal",
        "draw",
        "pass",
        "show",
        "flip",
        "dealer",
        "trump",
        "give",
        "return",
        "bottom",
        "take",
        "name",
        "bury",
        "joker",
        "pick",
        "lead",
        "play",
        "trick",
        "over",
    )
    outcomes = (
        "nobody, kept",
        "nobody, dug",
        "dealers",
        "attackers",
        "round to dealers, kept",
        "round to dealers, dug",
        "round to attackers, kept",
        "round to attackers, dug",
    )
    reasons = REASONS

    def default_rules(self) -> Rules:
        return Rules.diamond()

    def action_text(self, id: int, cards: bytes) -> str:
        if id == PASS:
            return "pass"
        if id == DONE:
            return "done"
        if id >= LEVEL:
            return show_text(id)
        n, face = divmod(id - ALIKE, FACES)
        text = format_cards(list(cards), decks=DECKS) if cards else face_text(face)
        if id < STEP:
            return text if cards else alike_text(face, n + 1)
        if id < BURY:
            return f"+{text}"
        verb = next(verb for verb, at in VERBS.items() if at <= id < at + FACES)
        return f"{verb} {text}"

    def read_action(self, game: Game, text: str) -> tuple[int, bytes]:
        words = text.strip()
        if words in WORDS:
            return WORDS[words], b""
        if words.startswith("show "):
            return _read_showing(words.removeprefix("show ")), b""
        verb = words.split(" ", 1)[0]
        base = VERBS.get(verb, STEP if words.startswith("+") else 0)
        named = words.removeprefix(verb if base and base != STEP else "").removeprefix("+")
        face, n, ids = _read_cards(game, named, text, bottom=base == PICK)
        if base:
            if n != 1:
                raise ValueError(f"{text.strip()!r} is not one card")
            return base + face, ids
        return (ALIKE + FACES * (n - 1) + face if face >= 0 else -1), ids

    def action_of_cards(self, game: Game, cards: Sequence[int]) -> tuple[int, bytes]:
        ids = sorted(parse(cards, decks=DECKS))
        faces = {card % FACES for card in ids}
        if len(faces) != 1:
            return -1, b""
        face = faces.pop()
        phase = game.phase
        base = {
            "tribute": GIVE,
            "return": RETURN,
            "bury": BURY,
            "joker": BURY,
            "pick": PICK,
        }.get(phase, STEP if phase == "play" and compiled.position(game)["named"] else 0)
        if base:
            return (base + face if len(ids) == 1 else -1), bytes(ids)
        return ALIKE + FACES * (len(ids) - 1) + face, bytes(ids)

    def pack(self, rules: Rules, history: History | None, deal: Deal | None) -> bytes:
        history = history or History()
        dealer = -1 if history.dealer is None else history.dealer
        before = (*history.levels, dealer, history.blood)
        if deal is None:
            return SHEET.pack(rules) + DEALT.pack(*before, 0, 0, b"", b"", b"")
        return SHEET.pack(rules) + DEALT.pack(
            *before,
            deal.redeals,
            deal.start,
            bytes(deal.draws),
            bytes(deal.bottom),
            bytes(deal.flips),
        )

    def unpack(self, origin: bytes) -> tuple[Rules, History, Deal]:
        one, other, dealer, blood, redeals, start, draws, bottom, flips = DEALT.unpack(
            origin[SHEET.size :]
        )
        history = History((one, other), None if dealer == -1 else dealer, blood)
        deal = Deal(tuple(draws), tuple(bottom), start, tuple(flips), redeals)
        return SHEET.unpack(origin[: SHEET.size]), history, deal

    def view(self, game: Game, seat: int | str | None) -> dict[str, Any]:
        all = compiled.position(game)
        held: list[list[int]] = all["hands"]
        viewer = -1 if seat is None else seat if isinstance(seat, int) else PLAYERS
        mine = viewer < 0 or viewer == game.turn
        turn = game.turn
        if viewer >= 0 and game.phase in ("deal", "joker"):
            # GZ-20, GZ-42: who is asked is nobody else's business.
            turn = viewer if viewer < PLAYERS and compiled.asks(game, viewer) else None
        bottom, first_bottom = compiled.sees(game, viewer)
        sizes = [len(hand) for hand in held]
        if game.turn is not None:
            sizes[game.turn] += len(all["named"])
        secret_tribute = game.phase == "tribute" and not mine
        return {
            **all,
            "phase": game.phase,
            "turn": turn,
            "is_over": game.is_over,
            "hand": held[seat] if isinstance(seat, int) else None,
            "hands": [hand if viewer in (-1, i) else None for i, hand in enumerate(held)],
            "sizes": sizes,
            "undrawn": all["undrawn"] if viewer < 0 else None,
            "window": all["window"] if viewer < 0 else None,
            "declined": all["declined"] if viewer < 0 else None,
            "shown": _shown(all["shown"]),
            "trump": _trump(all["trump"]),
            "tribute": None if secret_tribute else all["tribute"],
            "bottom": all["bottom"] if bottom else None,
            "first_bottom": all["first_bottom"] if first_bottom else None,
            "named": all["named"] if mine else [],
            **end_of(game),
            "scores": game.scores() if game.is_over else None,
        }

    def result(self, game: Game) -> list[Line]:
        return result_lines(game)

    def next_history(self, game: Game) -> History:
        done = settlement(game)
        if done["round_winner"]:
            return History()
        dealer = compiled.position(game)["dealer"]
        levels = done["levels"] if dealer % 2 == 0 else done["levels"][::-1]
        return History(tuple(levels), (dealer + done["next_dealer"]) % PLAYERS, done["blood"])

    def observation_spec(self) -> tuple[Slice, ...]:
        return SPEC

    def feature_spec(self) -> tuple[Slice, ...]:
        return FEATURES


def _read_showing(text: str) -> int:
    """The id of a showing; ``ValueError`` where it is none in any hand."""
    cards, named, suit = text.strip().partition(" as ")
    found = tokens(cards)
    kinds = {(rank, suit) for rank, suit, _ in found}
    if len(kinds) != 1 or not 1 <= len(found) <= 3 or any(copy >= 0 for _, _, copy in found):
        raise ValueError(f"'show {text}' shows no cards alike")
    rank, of = kinds.pop()
    if rank == 14 and not named and len(found) == 1:
        return SHOW_BIG
    if rank > 12:
        if len(found) != 3 or suit.strip() not in tuple(SUITS):
            raise ValueError(f"'show {text}': three jokers are shown as D, C, H or S")
        return NAME + 4 * (rank - 13) + SUITS.index(suit.strip())
    if of < 0 or rank > 7 or named:
        raise ValueError(f"'show {text}' shows no level cards")
    return LEVEL + 32 * (len(found) - 1) + 4 * rank + of


def _read_cards(game: Game, cards: str, text: str, *, bottom: bool) -> tuple[int, int, bytes]:
    """(face, number, exact ids or none) of cards alike; face -1 where they are not."""
    found = tokens(cards)
    if not found:
        raise ValueError(f"{text.strip()[:60]!r} names no cards")
    faces: list[int] = []
    for rank, suit, _ in found:
        if rank < 13 and suit < 0:
            raise ValueError(f"{text.strip()[:60]!r} names a card without its suit")
        faces.append(rank + 39 if rank > 12 else 4 * rank + suit)
    if len(set(faces)) > 1 or len(faces) > DECKS:
        return -1, len(faces), b""
    face = faces[0]
    if all(copy < 0 for _, _, copy in found):
        return face, len(faces), b""
    ids = [face + FACES * copy if copy >= 0 else -1 for _, _, copy in found]
    if game.turn is not None:
        where = compiled.position(game)["bottom"] if bottom else compiled.hand(game, game.turn)
        left = [card for card in where if card % FACES == face and card not in ids]
        # A copy that is not there makes the action illegal, not unreadable.
        ids = [card if card >= 0 else left.pop(0) if left else face for card in ids]
    return face, len(faces), bytes(sorted(ids))


def _shown(shown: tuple[int, int, int, int | None] | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    seat, face, n, suit = shown
    if suit is None:
        return {"seat": seat, "text": "show R", "suit": None}
    text = f"show {alike_text(face, n)}"
    if face >= 52:
        text += f" as {SUITS[suit]}"
    return {"seat": seat, "text": text, "suit": SUITS[suit]}


def _trump(face: int | None) -> dict[str, Any] | None:
    return None if face is None else {"suit": SUITS[face % 4], "level": face // 4 + 3}


class Game(core.Game[Rules, Deal, History]):
    """One hand of 打滚子; arguments as for :class:`qipai.Game`.

    ``pending()`` are, while the cards are dealt, all who are to be asked in the window that is open
    unless somebody shows (GZ-20), and all of the dealer's others who have not been asked yet about
    jokers (GZ-42); each sees only its own asking. When all must be dealt again (GZ-22, GZ-26) the
    hand begins anew with an empty log, and ``deal`` is the new deal; the k-th comes from stream k
    of the seed.
    """

    _engine = GunziEngine()
    Rules = Rules
    Deal = Deal
    History = History

    @property
    def dealer(self) -> int | None:
        """The seat of the dealer, None before it is known (GZ-12, GZ-21, GZ-22)."""
        dealer: int | None = compiled.position(self)["dealer"]
        return dealer

    def play(self, cards: str | bytes | Iterable[Any]) -> list[Event]:
        """Play, bury or, as jokers (扣王), bury and be done with a whole set of cards at once.

        ``cards``: text, ids, or ``bytes`` of 54 face counts. A 单, 棒 or 滚 is one action, any
        other set is named card by card. ``IllegalAction`` as :meth:`apply`: nothing is changed.
        """
        phase = self.phase
        if phase not in ("play", "bury", "joker") or self.turn is None:
            return self.apply(cards)
        ids = self._in_hand(cards)
        if phase == "play":
            lead = compiled.lead(self)
            if len({card % FACES for card in ids}) == 1 and len(ids) <= DECKS:
                return self.apply(ids)
            if lead is None:
                raise self._refuse("mixed_lead", ids)
            if len(ids) != lead[1]:
                raise self._refuse("wrong_size", ids)
        if phase == "bury" and len(ids) != BOTTOM:
            raise self._refuse("bury_six", ids)
        base = STEP if phase == "play" else BURY
        ids.sort(key=lambda card: (card % FACES, card))
        steps = [self.engine.action(base + card % FACES, bytes([card])) for card in ids]
        if phase == "joker":
            steps.append(self.engine.action(DONE))
        return self._all(steps, ids)

    def _all(self, steps: list[Action], ids: list[int]) -> list[Event]:
        flaw = compiled.first_flaw(self, map(int, steps))
        if flaw:
            reason = self.engine.reason_of(flaw)
            raise core.IllegalAction(reason, format_cards(ids, decks=DECKS))
        events: list[Event] = []
        for step in steps:
            events += self.apply(step)
        return events

    def _in_hand(self, cards: str | bytes | Iterable[Any]) -> list[int]:
        """The ids of cards in the hand of who is to act: of a face without a copy, the lowest."""
        assert self.turn is not None
        hand = compiled.hand(self, self.turn)
        if isinstance(cards, str):
            marked = [copy for _, _, copy in tokens(cards)]
            ids = parse(cards, decks=DECKS)
            wanted = [
                card if copy >= 0 else -1 - card % FACES
                for card, copy in zip(ids, marked, strict=True)
            ]
        elif isinstance(cards, bytes) and len(cards) == FACES:
            wanted = [-1 - card % FACES for card in parse(cards, decks=DECKS)]
        else:
            wanted = parse(cards, decks=DECKS)
        if not wanted:
            raise ValueError("no cards are named")
        left = [card for card in hand if card not in wanted]
        found: list[int] = []
        for card in wanted:
            if card < 0:
                card = next((held for held in left if held % FACES == -1 - card), -1)
                if card >= 0:
                    left.remove(card)
            elif card not in hand:
                card = -1
            if card < 0:
                raise self._refuse("not_held", parse(cards, decks=DECKS))
            found.append(card)
        return found

    def _refuse(self, code: str, ids: list[int]) -> core.IllegalAction:
        reason = next(
            (reason for reason in self.engine.reasons if reason.code == code),
            self.engine.reason_of(6),
        )
        return core.IllegalAction(reason, format_cards(ids, decks=DECKS))
