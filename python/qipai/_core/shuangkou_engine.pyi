from typing import Literal

from qipai._core.climb import Climbing
from qipai._core.game import Game

class ShuangkouTable(Climbing):
    """The C side of the game; :class:`qipai.shuangkou.game.ShuangkouEngine` adds its words."""

def may_see(game: Game, viewer: int, seat: int) -> bool:
    """Whether a viewer may look at a seat's hand now (SK-54)."""

def open_card(game: Game) -> tuple[int, int, int]:
    """(the marked id, who was dealt it, who was dealt its other copy)."""

def stars(game: Game) -> tuple[int, ...]:
    """The most stars each player has reached (SK-62, SK-66)."""

def contribution(game: Game) -> tuple[int, ...]:
    """What each player would get and give for stars now, before the stake (SK-64, SK-65)."""

def outcome(game: Game) -> tuple[Literal["", "double", "single", "even", "escape"], int, int]:
    """(how the hand ended: "double", "single", "even" or "escape"; the multiplier; who escaped or
    -1) of a hand that is over.
    """
