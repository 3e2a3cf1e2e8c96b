"""鞍山麻将, read clause by clause (AM-1 to AM-50): what a hand is worth, and one hand played."""

from .game import Game
from .hand import (
    Fan,
    Win,
    evaluate,
    improving,
    is_complete,
    is_win,
    payments,
    shanten,
    waits,
    waits_fan,
)
from .tiles import Meld, format_kinds, next_kind, parse_kinds

__all__ = [
    "Fan",
    "Game",
    "Meld",
    "Win",
    "evaluate",
    "format_kinds",
    "improving",
    "is_complete",
    "is_win",
    "next_kind",
    "parse_kinds",
    "payments",
    "shanten",
    "waits",
    "waits_fan",
]
