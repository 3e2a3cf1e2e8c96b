"""A hand in words: its title, what happens, its result."""

from __future__ import annotations

from collections.abc import Sequence

from qipai._core.game import Game
from qipai.cli.arguments import changes_of
from qipai.cli.games import game_text
from qipai.cli.screen import Screen

TRICK_BEGINS, TRICK_ENDS = "lead", "trick"
# What follows from an action, for a reader.
FOLLOWS = {
    TRICK_BEGINS: "leads",
    "out": "is out",
    "banker": "is banker",
    "bottom": "the bottom is",
    "bury": "buries",
    "dealer": "is dealer",
    "draw": "draws",
    "flip": "flips",
    "joker": "buries",
    "redeal": "the cards are dealt again",
    "show": "shows",
    "take": "takes the bottom",
    TRICK_ENDS: "takes the trick",
    "trump": "makes trump",
    "escape": "escapes",
    "over": "the hand is over",
}
COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")


def show_title(screen: Screen, game: Game) -> None:
    """Write what hand it is."""
    name, rules = game.engine.name, game.rules
    seed = int.from_bytes(game.seed, "little")
    title = f"{name}/{rules.name} {game_text(name).name_zh}".rstrip()
    screen.line((title, "bold"), f", seed {seed if seed < 1 << 64 else hex(seed)}")
    for change in changes_of(name, rules):
        screen.line(f"  {change}")


def show_result(screen: Screen, game: Game, lang: str) -> None:
    """Write the lines of the result, with what each player wins or loses."""

    def numbers(amounts: Sequence[int] | None) -> list[str]:
        if amounts is None:
            return [""] * game.players
        return [f"{signed(amount):>6}" for amount in amounts]

    rows = [("result 结果", "clause", "count", *(f"seat {seat}" for seat in range(game.players)))]
    for line in game.result:
        words = line.text_zh if lang == "zh" else line.text
        count = "" if line.count is None else f"{line.count:5}"
        rows.append((words, line.clause, count, *numbers(line.amounts)))
    rows.append(("score 得分", "", "", *numbers(game.scores())))
    screen.table(rows, "", "dim", "dim", *COLOURS[: game.players], wrap=0)


def signed(amount: int) -> str:
    """Return an amount with its sign."""
    return f"{amount:+}" if amount else "0"
