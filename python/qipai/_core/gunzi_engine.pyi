from collections.abc import Iterable
from typing import Any

from qipai._core.game import Engine, Game

class GunziTable(Engine):
    """The C side of the game; :class:`qipai.gunzi.game.GunziEngine` adds its words."""

def hand(game: Game, seat: int) -> list[int]:
    """The ids in a hand, ascending; a card that is named is not in it."""

def asks(game: Game, seat: int) -> bool:
    """Whether a seat has something to answer, as far as it can tell (GZ-20, GZ-42)."""

def sees(game: Game, seat: int) -> tuple[bool, bool]:
    """(whether a seat knows the bottom as it lies, whether it has seen it as it was dealt); -1 for
    everything (GZ-40..42).
    """

def lead(game: Game) -> tuple[int, int, int] | None:
    """(the face led, the cards of each play, who led) of a trick that runs, or None."""

def first_flaw(game: Game, ids: Iterable[int]) -> int:
    """Why the seat to act may not do these actions one after the other, as one decision that they
    complete: a code of a reason, 0 where it may.
    """

def numbers(
    game: Game,
) -> tuple[int, bool, tuple[int, int], tuple[int, tuple[int, int], int, int, int, int, int]]:
    """(attackers' points with the doubled bottom, 抠底, 大王 and 小王 in the bottom, settlement as
    (gainer, levels, gained, blood, payer, next dealer, round winner), -1 for none) of a hand that
    is over.
    """

def position(game: Game) -> dict[str, Any]:
    """Everything that a hand is, but for texts: a dict."""
