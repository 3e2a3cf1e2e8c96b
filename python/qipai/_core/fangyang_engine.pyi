from qipai._core.climb import Climbing
from qipai._core.game import Game

class FangyangTable(Climbing):
    """The C side of the game; :class:`qipai.fangyang.game.FangyangEngine` adds its words."""

def sides(game: Game) -> tuple[int, int | None, int | None, bool, bool]:
    """(the banker, the id of the called card or None, who was dealt it or None, whether it is
    known, whether it was shown).
    """

def knows(game: Game, viewer: int) -> bool:
    """Whether a seat, or -1 everything, may tell who holds or held the called card (FY-4)."""

def asks(game: Game, seat: int) -> bool:
    """Whether a seat is still to answer whether it shows the called card (FY-6)."""

def outcome(game: Game) -> tuple[int, int]:
    """(the place of the order of going out in the score table; the players of side A as bits) of
    a hand that is over.
    """
