"""打滚子, clause by clause: the kernel's functions on lists of faces, and a hand in the open."""

from .cards import Trump, points
from .follow import count_follows, is_legal_follow, iter_follows, legal_leads, trick_winner
from .game import Game
from .settle import Settlement, settle

__all__ = [
    "Game",
    "Settlement",
    "Trump",
    "count_follows",
    "is_legal_follow",
    "iter_follows",
    "legal_leads",
    "points",
    "settle",
    "trick_winner",
]
