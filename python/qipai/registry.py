"""The games by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from qipai import fangyang, gunzi, jiayibing, mahjong, shuangkou
    from qipai._core.game import Engine, Game
    from qipai.plain import Plain
    from qipai.rules._base import RulesBase

# By the number of their engine in snapshots: the name of the module and its presets, the first
# of which is the default.
GAMES: dict[int, tuple[str, tuple[str, ...]]] = {
    1: ("shuangkou", ("wenzhou", "bianfeng", "lishui")),
    2: ("fangyang", ("anshan",)),
    3: ("jiayibing", ("anshan",)),
    4: ("gunzi", ("diamond", "yiku")),
    5: ("mahjong", ("anshan",)),
}


def games() -> list[str]:
    """List the names that :func:`new` takes, each ``game/preset``."""
    return [f"{name}/{preset}" for name, presets in GAMES.values() for preset in presets]


def game_class(name: str) -> type[Any]:
    """Return the ``Game`` of a game; ``ValueError`` for a name that is none."""
    for known, _ in GAMES.values():
        if name == known:
            kind: type[Any] = import_module(f"qipai.{name}").Game
            return kind
    raise ValueError(f"there is no game {name!r}; there are {', '.join(games())}")


def preset_rules(name: str) -> tuple[type[Any], RulesBase]:
    """Return the ``Game`` and the ``Rules`` of ``game/preset``; of ``game``, its first preset."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a game's name must be text, not {type(name).__name__}")
    game, _, preset = name.partition("/")
    kind = game_class(game)
    presets = next(presets for known, presets in GAMES.values() if known == game)
    if preset and preset not in presets:
        raise ValueError(f"{game} has no preset {preset!r}; it has {', '.join(presets)}")
    return kind, getattr(kind.Rules, preset or presets[0])()


@overload
def new(
    name: Literal["shuangkou", "shuangkou/wenzhou", "shuangkou/bianfeng", "shuangkou/lishui"],
    *,
    seed: int | bytes | None = None,
    deal: shuangkou.Deal | None = None,
    history: shuangkou.History | None = None,
) -> shuangkou.Game: ...
@overload
def new(
    name: Literal["fangyang", "fangyang/anshan"],
    *,
    seed: int | bytes | None = None,
    deal: fangyang.Deal | None = None,
    history: fangyang.History | None = None,
) -> fangyang.Game: ...
@overload
def new(
    name: Literal["jiayibing", "jiayibing/anshan"],
    *,
    seed: int | bytes | None = None,
    deal: jiayibing.Deal | None = None,
    history: jiayibing.History | None = None,
) -> jiayibing.Game: ...
@overload
def new(
    name: Literal["gunzi", "gunzi/diamond", "gunzi/yiku"],
    *,
    seed: int | bytes | None = None,
    deal: gunzi.Deal | None = None,
    history: gunzi.History | None = None,
) -> gunzi.Game: ...
@overload
def new(
    name: Literal["mahjong", "mahjong/anshan"],
    *,
    seed: int | bytes | None = None,
    deal: mahjong.Deal | None = None,
    history: mahjong.History | None = None,
) -> mahjong.Game: ...
@overload
def new(
    name: str,
    *,
    seed: int | bytes | None = None,
    deal: Plain | None = None,
    history: Plain | None = None,
) -> Game: ...
def new(
    name: str, *, seed: int | bytes | None = None, deal: Any = None, history: Any = None
) -> Game:
    """Begin a hand by name, ``"shuangkou/bianfeng"``; ``"shuangkou"`` is its first preset.

    Arguments as for the game's ``Game``. ``ValueError`` for a name that is none.
    """
    kind, rules = preset_rules(name)
    game: Game = kind(rules, seed=seed, deal=deal, history=history)
    return game


def restore(data: bytes) -> Game:
    """Return the game of a snapshot of any game; ``ValueError`` for bytes that are none."""
    from qipai._core.game import snapshot_engine

    number = snapshot_engine(data)
    if number not in GAMES:
        raise ValueError("the snapshot is of a game that this version does not have")
    game: Game = game_class(GAMES[number][0]).restore(data)
    return game


def engine(name: str) -> Engine:
    """Return the engine of a game."""
    found: Engine = game_class(name)._engine
    return found
