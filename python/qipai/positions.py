"""What a view says, in the order and the words in which it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qipai.cards import format as format_cards
from qipai.climbing import rank_of
from qipai.tiles import format as format_tiles

TILE_GAMES = {"mahjong"}
RANKS = "3456789TJQKA2BR"
# Ranks low to high, where they are not in the order of ids.
ORDERS = {"fangyang": "456789TJQKA23BR"}

# Entries that are shown in a way of their own, or not at all.
SHOWN_APART = {
    *("game", "seat", "phase", "turn", "hand", "hands", "sizes", "is_over", "scores"),
    *("table", "table_seat", "legal_actions", "history"),
}
# Entries that name a seat.
SEATS = {"banker", "dealer", "discarder", "leader", "partner", "special", "winner"}
# Entries that are an id, and those that are a kind of tile, or several.
PIECES = {"drawn", "last_discard", "turned", "win_tile"}
KINDS = {"gun", "wild"}


def arranged(game: str, ids: Iterable[int]) -> list[int]:
    """Return the cards or tiles of a hand low to high, those of a face together."""
    if game in TILE_GAMES:
        return sorted(ids)
    order = ORDERS.get(game, RANKS)
    return sorted(ids, key=lambda card: (order.index(RANKS[rank_of(card)]), card % 54, card))


def facts(game: str, view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the public entries that say one thing each, as name and value in words."""
    found: list[tuple[str, str]] = []
    for name, value in view.items():
        if name in SHOWN_APART or value is None or value is False:
            continue
        if name in SEATS:
            words = f"seat {value}"
        elif name in PIECES:
            is_tile = game in TILE_GAMES
            words = format_tiles([value // 4 * 4]) if is_tile else format_cards([value % 54])
        elif name in KINDS:
            words = format_tiles([4 * kind for kind in ([value] if name == "wild" else value)])
        elif isinstance(value, str | int):
            words = "yes" if value is True else str(value)
        else:
            continue
        if words:
            found.append((name.replace("_", " "), words))
    return found


def lies_before(view: Mapping[str, Any], seat: int) -> list[tuple[str, list[Any]]]:
    """Return what lies before a seat, cards as ids or texts: entries with a row for each seat."""
    rows: dict[str, Any] = {
        name: value[seat]
        for name, value in view.items()
        if name != "hands" and isinstance(value, list) and len(value) == len(view["hands"])  # pyright: ignore[reportUnknownArgumentType]
    }
    return [(name, row) for name, row in rows.items() if isinstance(row, list) and row]
