"""Exact and fast rules for regional Chinese card and mahjong games.

``qipai.new("shuangkou/bianfeng", seed=7)`` begins a hand; ``qipai.games()`` lists the names. Each
game is a module of its own, :mod:`qipai.shuangkou` for one, with its ``Rules``, its ``Game`` and
the pure functions on its cards. Nothing is loaded before it is used.
"""

from __future__ import annotations

from importlib import import_module

# Type checkers take this name for true; typing itself would double the time of this import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from qipai import bots as bots
    from qipai import cards as cards
    from qipai import draw as draw
    from qipai import fair as fair
    from qipai import fangyang as fangyang
    from qipai import gunzi as gunzi
    from qipai import jiayibing as jiayibing
    from qipai import mahjong as mahjong
    from qipai import shuangkou as shuangkou
    from qipai import tiles as tiles
    from qipai._core.game import Action as Action
    from qipai._core.game import Event as Event
    from qipai._core.game import Game as Game
    from qipai._core.game import IllegalAction as IllegalAction
    from qipai._core.game import Reason as Reason
    from qipai.batches import Summary as Summary
    from qipai.batches import play_batch as play_batch
    from qipai.match import Match as Match
    from qipai.record import Record as Record
    from qipai.registry import games as games
    from qipai.registry import new as new
    from qipai.registry import restore as restore
    from qipai.result import Line as Line
    from qipai.spec import Slice as Slice
    from qipai.vecgame import VecGame as VecGame
    from qipai.view import View as View

__version__ = "0.1.0"

_HOME = {
    "Action": "qipai._core.game",
    "Event": "qipai._core.game",
    "Game": "qipai._core.game",
    "IllegalAction": "qipai._core.game",
    "Line": "qipai.result",
    "Match": "qipai.match",
    "Reason": "qipai._core.game",
    "Record": "qipai.record",
    "Slice": "qipai.spec",
    "Summary": "qipai.batches",
    "VecGame": "qipai.vecgame",
    "View": "qipai.view",
    "games": "qipai.registry",
    "new": "qipai.registry",
    "play_batch": "qipai.batches",
    "restore": "qipai.registry",
}
_MODULES = (
    "bots",
    "cards",
    "draw",
    "fair",
    "fangyang",
    "gunzi",
    "jiayibing",
    "mahjong",
    "shuangkou",
    "tiles",
)

__all__ = ["__version__", *_HOME, *_MODULES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = import_module(f"qipai.{name}")
    else:
        raise AttributeError(f"module 'qipai' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
