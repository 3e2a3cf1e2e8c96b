from qipai._core.game import Game

def random_hands(game: Game, n: int, seed: int) -> tuple[int, list[int]]:
    """Play n whole hands with uniformly random actions, without the GIL.

    ``game``: its rules and history are those of every hand. Returns (number of actions, list of
    each player's summed scores).
    """
