"""The words of 鞍山麻将."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Any

from qipai.cli.games import Facts, GameText, Groups
from qipai.cli.screen import Face
from qipai.tiles import format as format_tiles
from qipai.tiles import parse

SHAPES = {
    "four_sets": "four sets and a pair 四副一将",
    "seven_pairs": "seven pairs 七对",
    "shisanyao": "thirteen 幺 十三幺",
}
WAITING = 13
SUITS = (("万", "bold red"), ("筒", "bold cyan"), ("条", "bold green"))
WINDS = [(wind, "bold") for wind in "东南西北"]
DRAGONS = [("白", "bold cyan"), ("发", "bold green"), ("中", "bold red")]
FACES = [
    *(Face(number, suit, style) for suit, style in SUITS for number in "一二三四五六七八九"),
    *(Face(honour, "", style) for honour, style in WINDS + DRAGONS),
]


class MahjongText(GameText):
    game = "mahjong"
    name_zh = "鞍山麻将"
    about = "four players, 136 tiles, 混 wild"

    def cards(self, ids: Iterable[int]) -> str:
        return _text_of(tile // 4 for tile in ids)

    def faces(self, ids: Iterable[int]) -> list[Face]:
        return [FACES[tile // 4] for tile in ids]

    def eval_options(self, parser: ArgumentParser) -> None:
        self.legal_options(parser)
        parser.add_argument("--gun", default="", metavar="TILES", help="the tiles that are 枪")
        parser.add_argument(
            "--after-kong", action="store_true", help="won on the tile drawn for a kong 杠上开花"
        )

    def legal_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wild", metavar="TILE", help="the 混")
        parser.add_argument(
            "--melds",
            nargs="+",
            default=[],
            metavar="MELD",
            help="123m 吃, 777z 碰, 7777z 明杠, 7777z+ 加杠, (7777z) 暗杠",
        )

    def evaluate(self, kernel: Any, rules: Any, args: Namespace) -> Facts:
        """Of 14 tiles: what they win; of 13: what they wait for."""
        tiles = parse(" ".join(args.cards))
        hand = (tiles, args.melds, args.wild)
        special = {"gun": args.gun, "after_kong": args.after_kong}
        if len(tiles) + 3 * len(args.melds) == WAITING:
            waits = kernel.waits_fan(*hand, rules, **special)
            if waits:
                return [
                    (f"wait 听 {_text_of([kind])}", f"{waits[kind].total} 番") for kind in waits
                ]
        else:
            win = kernel.evaluate(*hand, rules, **special)
            if win is not None:
                return _facts(win)
        return [("win", "none 不胡"), ("shanten", f"{kernel.shanten(*hand)} 向听")]

    def legal(self, kernel: Any, rules: Any, args: Namespace) -> Groups:
        """Of 14 tiles: winning, and each discard by what it leaves; of 13: the draws that help."""
        tiles = parse(" ".join(args.cards))
        hand = (args.melds, args.wild)
        if len(tiles) + 3 * len(args.melds) == WAITING:
            draws = {"win 胡": kernel.waits(tiles, *hand, rules)}
            draws["improve 进张"] = kernel.improving(tiles, *hand)
            return {what: [_text_of([kind]) for kind in kinds] for what, kinds in draws.items()}
        groups: Groups = {"win 胡": ["win"]} if kernel.is_win(tiles, *hand, rules) else {}
        wild = None if args.wild is None else parse(args.wild)[0] // 4
        kinds = {tile // 4 for tile in tiles}
        if not rules.discard_wild and kinds != {wild}:  # AM-4
            kinds -= {wild}
        lowest = {kind: min(tile for tile in tiles if tile // 4 == kind) for kind in sorted(kinds)}
        leaves = {
            kind: kernel.shanten([tile for tile in tiles if tile != gone], *hand)
            for kind, gone in lowest.items()
        }
        for away in sorted(set(leaves.values())):
            what = f"discard 打, then {f'{away} 向听' if away else 'waiting 听'}"
            groups[what] = [_text_of([kind]) for kind in leaves if leaves[kind] == away]
        return groups


def _facts(win: Any) -> Facts:
    facts = [("total", f"{win.total} 番")]
    facts += [(f"{name} {clause}", str(count)) for name, clause, count in win.fans]
    facts.append(("shape", SHAPES[win.shape]))
    if win.sets:
        facts.append(("sets", " ".join(map(_text_of, win.sets))))
    if win.pair is not None:
        facts.append(("pair", _text_of([win.pair] * 2)))
    if win.wilds:
        facts.append(("混 stand for", _text_of(win.wilds)))
    return facts


def _text_of(kinds: Iterable[int]) -> str:
    """Return kinds as text, with no word on their copies."""
    counts: dict[int, int] = {}
    ids: list[int] = []
    for kind in kinds:
        ids.append(4 * kind + counts.setdefault(kind, 0))
        counts[kind] += 1
    return format_tiles(ids)


GAME = MahjongText()
