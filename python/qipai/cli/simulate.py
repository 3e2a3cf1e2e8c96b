"""``qipai simulate``: bots against bots, many hands."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from secrets import randbits

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from qipai._core.chance import seed_bytes
from qipai.batches import Summary, play_batch
from qipai.cli import INTERRUPTED
from qipai.cli.arguments import house_rules, names_of
from qipai.cli.errors import InputError, input_from
from qipai.cli.players import bots_of
from qipai.cli.screen import Screen
from qipai.registry import preset_rules


def simulate(screen: Screen, args: Namespace) -> int:
    """Play a batch and write its summary; what is done so far where it is interrupted."""
    name = names_of(args.game)[0]
    game = preset_rules(name)[0](house_rules(name, args.rules), seed=0)
    bots = bots_of(args, game.players)
    seed = randbits(32) if args.seed is None else args.seed
    with input_from("--seed"):
        seed_bytes(seed)
    with input_from("--threads"):
        if not 1 <= args.threads <= 256:
            raise ValueError("must be 1 to 256")
    if args.address is not None and args.on is None:
        raise InputError("--address goes with --on")
    rotations = len(bots) if args.duplicate else 1
    deals = -(-args.hands // rotations)
    options = {"seed": seed, "duplicate": args.duplicate}
    play: Callable[..., Summary]
    if args.on is None:
        play = partial(play_batch, game, bots, deals, threads=args.threads, **options)
    else:
        play = partial(_cluster(args.on, args.address), game, bots, deals, **options)
    with input_from(f"--json {args.json}"):
        opened = args.json.open("w", encoding="utf-8") if args.json else nullcontext()
    with opened as file:
        summary, status = _watch(screen, name, play, deals)
        if summary is not None:
            for line in str(summary).splitlines():
                screen.line(line)
            if file:
                file.write(summary.to_json() + "\n")
    done = 0 if summary is None else summary.n
    screen.line(f"  seed: {seed}", f", stopped after {done:,} of {deals:,} deals" if status else "")
    return status


def _cluster(on: str, address: str | None) -> Callable[..., Summary]:
    """Return ``play_batch`` on an engine."""
    from qipai.cluster import connect, play_batch_on

    try:
        with input_from(f"--on {on}"):
            engine = connect(on, address)
    except ImportError as error:
        raise InputError(str(error)) from error
    return partial(play_batch_on, engine)


def _watch(
    screen: Screen, name: str, play: Callable[..., Summary], deals: int
) -> tuple[Summary | None, int]:
    """Play with a bar; return what was done and the exit status."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=screen.console,
        transient=True,
        disable=not screen.console.is_terminal,
    )
    summary: Summary | None = None
    with progress:
        task = progress.add_task(name, total=deals)

        def show(so_far: Summary) -> None:
            nonlocal summary
            summary = so_far
            progress.update(task, completed=so_far.n, description=interval(so_far))

        try:
            return play(progress=show), 0
        except KeyboardInterrupt:
            return summary, INTERRUPTED


def interval(summary: Summary) -> str:
    """Return what the first bot wins, with its interval."""
    text = f"{summary.bots[0]} {summary.mean(0):+.3f}"
    if summary.n > 1:
        low, high = summary.interval(0)
        text += f", 95% {low:+.3f} to {high:+.3f}"
    return text
