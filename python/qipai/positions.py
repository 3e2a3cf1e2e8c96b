"""What a view says, in the order and the words in which it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qipai.cards import format as format_cards
from qipai.climbing import rank_of
from qipai.tiles import format as format_tiles

Facts = list[tuple[str, str]]  # name and value, in words

TILE_GAMES = {"mahjong"}
RANKS = "3456789TJQKA2BR"
# Ranks low to high, where they are not in the order of ids.
ORDERS = {"fangyang": "456789TJQKA23BR"}
SUITS = "DCHS"
TWO = 12  # the place of 2 among the ranks

# Entries that are shown in a way of their own, or not at all.
SHOWN_APART = {
    *("game", "seat", "phase", "turn", "hand", "hands", "sizes", "is_over", "scores"),
    *("table", "table_seat", "legal_actions", "history"),
}
# Entries that name a seat, that are a tile, and that are a kind of tile or several.
SEATS = {"banker", "dealer", "discarder", "leader", "partner", "special", "winner"}
TILES = {"drawn", "last_discard", "turned", "win_tile"}
KINDS = {"gun", "wild"}
# Entries with a row of cards or texts for each seat.
LAID_OUT = ("melds", "discards")


def arranged(game: str, ids: Iterable[int], view: Mapping[str, Any] | None = None) -> list[int]:
    """Return the cards or tiles of a hand low to high, those of a face together.

    ``view``: what the player sees, for games in which trumps are chosen.
    """
    if game in TILE_GAMES:
        return sorted(ids)
    if game == "gunzi":
        trump = view["trump"] if view else None
        return sorted(ids, key=lambda card: (*_strength(card % 54, trump), card))
    order = ORDERS.get(game, RANKS)
    return sorted(ids, key=lambda card: (order.index(RANKS[rank_of(card)]), card % 54, card))


def _strength(face: int, trump: Mapping[str, Any] | None) -> tuple[int, int, int]:
    """Return the place of a face: side suits one after the other, then trumps as in GZ-4."""
    if face >= 52:
        return 6, 0, face
    rank, suit = divmod(face, 4)
    if trump is None:
        return 0, suit, rank
    in_suit = suit == SUITS.index(trump["suit"])
    if rank == trump["level"] - 3:
        return 4 + in_suit, suit, rank
    if rank == TWO:
        return 2 + in_suit, suit, rank
    return int(in_suit), suit, rank


def facts(game: str, view: Mapping[str, Any]) -> Facts:
    """Return what is to be said of a position beside cards and the play to beat."""
    if game == "shuangkou":
        shown = view["open_card"]
        card = _faces([shown["card"]])
        return [("open card", f"{card}, seat {shown['seat']} and seat {shown['other']}")]
    if game == "gunzi":
        return _gunzi_facts(view)
    found: Facts = []
    for name, value in view.items():
        if name in SHOWN_APART or value is None or value is False:
            continue
        if name in SEATS:
            words = f"seat {value}"
        elif name in TILES:
            words = format_tiles([value // 4 * 4])
        elif name in KINDS:
            words = format_tiles([4 * kind for kind in ([value] if name == "wild" else value)])
        elif isinstance(value, str | int):
            words = "yes" if value is True else str(value)
        else:
            continue
        if words:
            found.append((name.replace("_", " "), words))
    return found


def _gunzi_facts(view: Mapping[str, Any]) -> Facts:
    trump, shown = view["trump"], view["shown"]
    found: Facts = [_of_sides("levels", view["levels"])]
    if view["dealer"] is not None:
        found.append(("dealer", f"seat {view['dealer']}"))
    if trump is not None:
        found.append(("trump", f"{trump['suit']} level {trump['level']}"))
    elif shown is not None:
        found.append(("shown", f"{shown['text'].removeprefix('show ')} by seat {shown['seat']}"))
    found += [(name, str(view[name])) for name in ("blood", "tribute") if view[name]]
    if view["phase"] in ("play", "over"):
        found.append(_of_sides("points", view["points"]))
    found += [(f"seat {seat}", _faces(ids)) for seat, ids in view["trick"]]
    return found + [(name, _faces(view[name])) for name in ("bottom", "named") if view[name]]


def _of_sides(name: str, numbers: Iterable[int]) -> tuple[str, str]:
    return f"{name} 0+2:1+3", ":".join(map(str, numbers))


def _faces(ids: Iterable[int]) -> str:
    """Return cards as text, with no word on their copies."""
    return " ".join(format_cards([card % 54]) for card in ids)


def lies_before(view: Mapping[str, Any], seat: int) -> list[tuple[str, list[Any]]]:
    """Return what lies before a seat, cards as ids or texts."""
    return [(name, view[name][seat]) for name in LAID_OUT if name in view and view[name][seat]]
