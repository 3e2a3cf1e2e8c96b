from typing import Any

from qipai._core.game import Engine, Game
from qipai._core.mahjong import Win
from qipai._core.melds import Meld

class MahjongTable(Engine):
    """The C side of the game; :class:`qipai.mahjong.game.MahjongEngine` adds its words."""

def hand(game: Game, seat: int) -> list[int]:
    """The ids in a hand, ascending."""

def melds(game: Game, seat: int) -> list[Meld]:
    """A seat's melds in their order."""

def river(game: Game, seat: int) -> list[int]:
    """The ids that a seat discarded and nobody claimed, in order."""

def table(game: Game) -> dict[str, Any]:
    """What lies open, by name."""

def drawn(game: Game) -> int | None:
    """The id that the seat to act has drawn, None after 吃 or 碰 and where others are asked."""

def asks(game: Game, seat: int) -> bool:
    """Whether a seat is still to answer what it may claim (AM-11)."""

def sees(game: Game, viewer: int, seat: int) -> tuple[bool, bool]:
    """(whether a viewer, -1 everything, sees a seat's hand; whether it knows its 暗杠)."""

def won(game: Game) -> tuple[Win | None, bool]:
    """The winning hand as it is read, and whether it robbed a kong; (None, False) where nobody
    has won.
    """
