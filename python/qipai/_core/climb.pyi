from typing_extensions import disjoint_base

from qipai._core.game import Engine, Game

@disjoint_base
class Climbing(Engine):
    """An engine of a climbing game: what all of them can tell of a hand."""
    def order(self, game: Game) -> tuple[int, ...]:
        """The seats in their order of play."""
    def hand(self, game: Game, seat: int) -> list[int]:
        """The ids in a hand, ascending."""
    def table_play(self, game: Game) -> tuple[int, int]:
        """(action id, seat) of the play to beat; (0, -1) on a free lead."""
    def finished(self, game: Game) -> tuple[int, ...]:
        """The seats in their order of going out."""
