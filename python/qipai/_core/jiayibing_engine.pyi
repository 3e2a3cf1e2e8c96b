from qipai._core.climb import Climbing
from qipai._core.game import Game

class JiayibingTable(Climbing):
    """The C side of the game; :class:`qipai.jiayibing.game.JiayibingEngine` adds its words."""

def special_seat(game: Game) -> int | None:
    """Who is known to hold the marked 3, or None (JY-3)."""

def outcome(game: Game) -> tuple[tuple[int, ...], int]:
    """(the seats of the winners, how many losers still hold cards) of a hand that is over."""
