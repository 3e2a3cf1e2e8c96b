from collections.abc import Sequence

from qipai._core.game import Game

def choose_for(game: Game, bot: tuple[int, int, int, int], seed: bytes) -> int:
    """The id that a native bot, a tuple of the fields of bot_spec, chooses for the seat to act."""

def random_hands(game: Game, n: int, seed: int) -> tuple[int, list[int]]:
    """Play n whole hands with uniformly random actions, without the GIL.

    ``game``: its rules and history are those of every hand. Returns (number of actions, list of
    each player's summed scores).
    """

def batch_seed(seed: bytes, number: int) -> bytes:
    """The 32-byte seed of a deal of a batch."""

def play_deals(
    game: Game,
    bots: Sequence[tuple[int, int, int, int]],
    seed: bytes,
    first: int,
    n: int,
    duplicate: bool,
) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """Play the deals first..first+n-1 of a batch with native bots, without the GIL.

    ``bots``: tuples of the fields of bot_spec; the bot at place p of the order of play is
    ``bots[p % len(bots)]``, and with ``duplicate`` each deal is played once for every rotation of
    them. Returns, in units of the stake: (sums and sums of squares of each player's scores, sums
    and sums of squares over deals of each bot's total, counts of outcomes).
    """

def empty(first: object, second: object = None) -> None:
    """Nothing: what a call of a compiled function costs, for the benches."""
