"""The bots of ``--bots`` and ``--worlds``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from random import Random

from qipai._core.game import Action, Game
from qipai.bots import NATIVE, SEARCH, NativeBot
from qipai.cli.errors import InputError, input_from


def bots_of(args: Namespace, players: int) -> list[NativeBot]:
    """Return the bots, to be dealt out to the places of the order of play."""
    names = [name.strip() for name in args.bots.split(",")]
    for name in names:
        if name not in NATIVE:
            raise InputError(f"--bots: there is no bot {name!r}; there are {', '.join(NATIVE)}")
    if players % len(names):
        raise InputError(f"--bots: {len(names)} cannot be dealt out to {players} players")
    bots = [NATIVE[name] for name in names]
    if args.worlds is None:
        return bots
    if not any(bot.kind == SEARCH for bot in bots):
        raise InputError("--worlds is for the bot search")
    with input_from("--worlds"):
        return [bot.with_budget(worlds=args.worlds) if bot.kind == SEARCH else bot for bot in bots]


def choice(game: Game, bots: Sequence[NativeBot], number: int) -> Action:
    """Return what the bot to act does as the action of this number in the hand."""
    assert game.turn is not None
    bot = bots[game.order.index(game.turn) % len(bots)]
    # A hand goes on alike from the same position, also after an undo.
    return bot.choose(game, Random(f"{game.seed.hex()} {number}").getrandbits(256))
