"""The command line ``qipai``: rules, hands and checks without writing Python."""

from __future__ import annotations

import os
import sys
from argparse import REMAINDER, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import qipai
from qipai.cli.arguments import (
    Parser,
    add_bots,
    add_language,
    add_rules,
    many,
    number,
    positive,
)
from qipai.cli.errors import InputError

WRONG_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 1

GAME = "a name, shuangkou or with its preset shuangkou/bianfeng"
EXAMPLES = """examples:
  qipai games
  qipai eval shuangkou 77899R
  qipai legal shuangkou 3344455R --on 66
  qipai play shuangkou --seed 7 --record hand.json
  qipai replay hand.json
  qipai play fangyang --me 0 --bots search
  qipai simulate jiayibing --bots greedy,random --hands 1e5 --threads 2
  qipai verify shuangkou/wenzhou -n 5"""


def main(argv: list[str] | None = None) -> int:
    """Run a command line (None: that of the process) and return its exit status.

    0: done; 1: ``verify`` found a difference; 2: wrong input, with a message on standard error;
    130: interrupted.
    """
    try:
        return _run(argv)
    except InputError as error:
        print(f"qipai: {error}", file=sys.stderr)
        return WRONG_INPUT
    except SystemExit as done:  # --help, --version
        return done.code if isinstance(done.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The flush at exit must not meet the pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:  # a full disk, say
        print(f"qipai: {error}", file=sys.stderr)
        return WRONG_INPUT


def _run(argv: list[str] | None) -> int:
    args = _parser().parse_args(argv)
    if find_spec("rich") is None:
        raise InputError("the command line needs rich: pip install 'qipai[cli]'")
    from qipai.cli.screen import Screen

    # The function is named, not imported: a command loads only what it needs.
    module, _, function = args.run.partition(":")
    command: Callable[..., int] = getattr(import_module(f"qipai.cli.{module}"), function)
    return command(Screen(), args)


def _parser() -> ArgumentParser:
    parser = Parser(
        prog="qipai",
        description="Exact rules for regional Chinese card and mahjong games.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"qipai {qipai.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, run: str, about: str) -> ArgumentParser:
        added = commands.add_parser(name, help=about, description=about)
        added.set_defaults(run=run)
        return added

    command("games", "ask:list_games", "list the games and their presets")
    for name, run, about in (
        ("eval", "ask:evaluate", "say what cards are, by each preset if it is not named"),
        ("legal", "ask:legal", "list the plays of a hand"),
    ):
        asked = command(name, run, f"{about}; qipai {name} GAME --help for more")
        asked.add_argument("game", metavar="GAME", help=GAME)
        asked.add_argument("rest", nargs=REMAINDER, metavar="...", help="the cards and options")

    played = command("play", "hand:play", "play a hand against bots, or let them play it")
    played.add_argument("game", metavar="GAME", help=GAME)
    played.add_argument("--me", type=number, metavar="SEAT", help="your seat (none: bots only)")
    add_bots(
        played, "who plays, dealt out to the places in turn: greedy (the default), search, random"
    )
    played.add_argument("--seed", type=number, help="of the hand or match (none: a new one)")
    played.add_argument("--hands", type=positive, metavar="N", help="a match of N hands")
    played.add_argument("--record", type=Path, metavar="FILE", help="write each hand there")
    add_rules(played)
    add_language(played)

    replayed = command("replay", "hand:replay", "show the recorded hands of a file")
    replayed.add_argument("file", type=Path, metavar="FILE", help="of play --record; - is stdin")
    add_language(replayed)

    simulated = command("simulate", "simulate:simulate", "let bots play many hands")
    simulated.add_argument("game", metavar="GAME", help=GAME)
    add_bots(
        simulated,
        "who plays, dealt out to the places in turn: random, greedy (the default), search",
    )
    simulated.add_argument(
        "--hands", type=many, default=10_000, metavar="N", help="1e6 for a million (1e4)"
    )
    simulated.add_argument(
        "--duplicate",
        action="store_true",
        help="play each deal once for every rotation of the bots",
    )
    simulated.add_argument("--seed", type=number, help="of the batch (none: a new one)")
    simulated.add_argument(
        "--threads", type=positive, default=1, metavar="N", help="on so many (1)"
    )
    simulated.add_argument("--json", type=Path, metavar="FILE", help="write the summary there")
    simulated.add_argument("--on", choices=("dask", "ray"), help="play on a cluster")
    simulated.add_argument("--address", help="of its scheduler (none: one on this machine)")
    add_rules(simulated)

    verified = command("verify", "check:verify", "compare compiled core and reference")
    verified.add_argument("games", nargs="*", metavar="GAME", help=f"{GAME} (none: all)")
    verified.add_argument("-n", type=positive, default=20, metavar="N", help="hands each (20)")
    verified.add_argument("--seed", type=number, default=0, help="of the random hands (0)")
    return parser
