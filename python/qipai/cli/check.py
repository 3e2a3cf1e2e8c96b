"""``qipai verify``: the compiled core against the reference."""

from __future__ import annotations

from argparse import Namespace

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from qipai.cli.arguments import names_of
from qipai.cli.screen import Screen, counted
from qipai.registry import games
from qipai.verify import Mismatch, compare_hands

INTERRUPTED = 130
HANDS_IN_A_ROW = 4  # a history goes with them


def verify(screen: Screen, args: Namespace) -> int:
    """Compare random hands; exit status 1 where the two differ."""
    names = [name for game in args.games for name in names_of(game)] or games()
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen.console,
        transient=True,
        disable=not screen.console.is_terminal,
    )
    with progress:
        for name in names:
            task = progress.add_task(name, total=args.n)
            hands = actions = 0
            status, end = 0, "no difference"
            try:
                for played in compare_hands(name, args.n, args.seed, hands_in_a_row=HANDS_IN_A_ROW):
                    hands, actions = hands + 1, actions + played
                    progress.update(task, completed=hands)
            except Mismatch as error:
                status, end = 1, f"then a difference: {error}"
            except KeyboardInterrupt:
                status, end = INTERRUPTED, "no difference, stopped"
            done = f"{counted(hands, 'hand')}, {counted(actions, 'action')}"
            screen.line((name, "bold"), f": {done}, {end}")
            progress.remove_task(task)
            if status:
                return status
    return 0
