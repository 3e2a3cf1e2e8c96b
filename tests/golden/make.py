"""The golden files: what programs may have stored, and a release must keep (docs/promises.md).

``python tests/golden/make.py`` writes the files that are missing. Where one says otherwise than the
package it prints what changed and leaves it alone; ``--accept`` overwrites it. A file is named
after the versions that it is of, so that a raised version makes a new file beside the old one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import qipai
from qipai import cards, fair, tiles

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
GAMES = sorted({name.partition("/")[0] for name in qipai.games()})
PARTS = ["package", *GAMES]
CLAUSES = {"shuangkou": "SK", "gunzi": "GZ", "mahjong": "AM", "fangyang": "FY", "jiayibing": "JY"}
SHARED_REASONS = range(1, 7)
MOMENTS = (0, 5, 25, 70)  # steps before which a hand is looked at
HELD_MOMENTS = 2  # and so many times with answers that are held


# Hands ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """A hand to be played: ``changes`` to the preset's rules, ``follows``: with the history that
    the hand before left, ``exact``: physical cards are named, ``held``: answers come in any order,
    ``escape``: who runs away at step 70."""

    seed: int
    changes: dict[str, Any] = field(default_factory=dict)
    follows: bool = False
    exact: bool = False
    held: bool = False
    escape: int | None = None


HOUSE: dict[str, dict[str, Any]] = {
    "shuangkou": {
        "name": "茶馆",
        "loops": True,
        "max_bomb": 10,
        "equal_stars": "count",
        "base_even": (3, -1, -1, -1),
        "multiplier": (1, 2, 3, 5, 7, 4096),
        "contribution_counts": "highest",
        "merge_bombs": True,
        "see_partner": True,
        "stake": 5,
    },
    "fangyang": {
        "name": "茶馆",
        "banker": "heart4",
        "quad_is_bomb": True,
        "not_shown_2v2": (3, 5, -1),
        "shown_1v3": (7, -100),
        "stake": 3,
    },
    "jiayibing": {
        "name": "茶馆",
        "special_card": 57,
        "leader": "special",
        "max_alike": 8,
        "quad_is_bomb": True,
        "score": "flat",
        "stake": 1_000_000,
    },
    "gunzi": {
        "name": "茶馆",
        "bid_windows": "every",
        "self_overturn": True,
        "joker_levels": (7, 0),
        "instant_jokers": "big",
        "stake": 2,
    },
    "mahjong": {
        "name": "茶馆",
        "discard_wild": False,
        "dead_wall": 20,
        "shisanyao": "classic",
        "dealer_fan": "winner",
        "gun": "hidden",
        "sancha": "shisanyao",
        "max_fan": 6,
        "stake": 10,
    },
}


MORE = {"fangyang": 12, "jiayibing": 8, "gunzi": 7, "mahjong": 12}


def hands_of(name: str) -> list[Hand]:
    """The hands of a preset."""
    game = name.partition("/")[0]
    hands = [
        Hand(1),
        Hand(2, follows=True, exact=True),
        Hand(3, HOUSE[game], follows=True, held=True),
        Hand(4, HOUSE[game], exact=True, held=True),
    ]
    if name in ("shuangkou/bianfeng", "shuangkou/lishui"):
        hands.append(Hand(5, escape=2))
    if game != "shuangkou":  # for more of the ways in which a hand can end
        hands += [
            Hand(seed, follows=game == "gunzi", held=seed % 2 == 0) for seed in range(5, MORE[game])
        ]
    return hands


def number(*of: object) -> int:
    """A number that follows from its arguments, and from nothing that may change."""
    digest = hashlib.sha256(" ".join(map(str, of)).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def chosen(game: qipai.Game, actions: list[qipai.Action], *of: object) -> qipai.Action:
    """One of the legal actions. In 麻将, where chance alone never wins, one that comes nearer."""
    words = {str(action): action for action in actions}
    if "win" in words:
        return words["win"]
    if game.engine.name == "mahjong" and str(actions[0]).startswith("discard"):
        from qipai import mahjong

        view = game.view(game.turn)
        melds, wild = view["melds"][game.turn], view["wild"]
        counts = [sum(tile // 4 == kind for tile in view.hand or ()) for kind in range(34)]

        def left(action: qipai.Action) -> tuple[int, int]:
            kind = int(action) - 2
            if not 0 <= kind < 34:
                return 99, 0
            rest = [n - (kind == other) for other, n in enumerate(counts)]
            return mahjong.shanten(bytes(rest), melds, wild), kind

        return min(actions, key=left)
    return actions[number("action", *of) % len(actions)]


def exact(game: qipai.Game, action: qipai.Action) -> list[int] | qipai.Action:
    """The highest copies of the cards that an action moves, where a play of them is one."""
    alike: Callable[[int], int] = {
        "gunzi": lambda card: card % 54,
        "mahjong": lambda tile: tile // 4,
    }.get(game.engine.name, lambda card: card % 54 // 4 + card % 54 // 53)
    hand = list(game.view(game.turn).hand or ())
    events = game.clone().apply(action)
    if not events or events[0].kind not in ("play", "discard") or events[0].cards is None:
        return action
    ids: list[int] = []
    for card in events[0].cards:
        like = [other for other in hand if alike(other) == alike(card) and other not in ids]
        if not like:
            return action
        ids.append(max(like))
    return ids if game.check(ids) is None else action


def played(name: str, hand: Hand, history: Any) -> tuple[qipai.Game, list[qipai.Game]]:
    """A hand at its end, and copies of it on the way."""
    game = qipai.new(name, seed=0)
    game = type(game)(
        game.rules.replace(**hand.changes),
        seed=hand.seed,
        history=history if hand.follows else None,
    )
    moments: list[qipai.Game] = []
    step = held = 0
    while not game.is_over:
        if step in MOMENTS:
            moments.append(game.clone())
        others = [seat for seat in game.pending() if seat != game.turn]
        if hand.held and others and number("held", name, hand.seed, step) % 2:
            seat = others[-1]
            answers = game.view(seat).legal_actions
            game.answer(seat, answers[number("answer", name, hand.seed, step) % len(answers)])
            if held < HELD_MOMENTS:
                held += 1
                moments.append(game.clone())
        if step == 70 and hand.escape is not None:
            game.escape(hand.escape)
            break
        action = chosen(game, game.legal_actions(), name, hand.seed, step)
        game.apply(exact(game, action) if hand.exact and step % 3 else action)
        step += 1
    return game, [*moments, game]


# What is written down ---------------------------------------------------------------------------


def digest(value: object) -> str:
    """A short fingerprint of plain data."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def facts(game: qipai.Game) -> dict[str, Any]:
    """What a position is to everybody."""
    seats: list[Any] = [*range(game.players), "table", None]
    write = tiles.format if game.engine.name == "mahjong" else cards.format
    views = [game.view(seat) for seat in seats]
    return {
        "turn": game.turn,
        "phase": game.phase,
        "order": list(game.order),
        "pending": list(game.pending()),
        "hands": [write(view.hand or []) for view in views[: game.players]],
        "actions": len(game.logged_actions()),
        "last": [text for _, text in game.logged_actions()[-3:]],
        "scores": game.scores() if game.is_over else None,
        "legal_ids": digest(game.legal_ids().tolist()),
        "history": digest([[event.as_dict() for event in view.history] for view in views]),
        "views": digest([view.as_dict() for view in views]),
        "observations": digest([game.observe(seat).tolist() for seat in seats if seat != "table"]),
        "features": digest(game.action_features().tolist()),
    }


def in_the_open(game: qipai.Game, seat: int) -> dict[str, str]:
    """An observation by name, in hexadecimal, without what is all zero."""
    seen = game.observe(seat)
    return {
        part.name: seen[part.start : part.stop].tobytes().hex()
        for part in game.observation_spec
        if seen[part.start : part.stop].any()
    }


def layout(spec: tuple[qipai.Slice, ...]) -> list[str]:
    """Slices as texts; what they mean may be reworded."""
    return [f"{part.name} {part.start}:{part.stop} {list(part.shape)}" for part in spec]


def fields(dtype: Any) -> list[str]:
    """The fields of a packed dtype, with where they lie."""
    return [
        f"{name} {dtype.fields[name][0].str} at {dtype.fields[name][1]}" for name in dtype.names
    ] + [f"size {dtype.itemsize}"]


def plain_result(game: qipai.Game) -> dict[str, Any]:
    """What a hand came to, without the words."""
    return {
        "scores": game.scores(),
        "outcome": game.outcome,
        "lines": [
            [line.clause, None if line.amounts is None else list(line.amounts), line.count]
            for line in game.result
        ],
        "next_history": game.next_history.as_dict(),
    }


def hand_entries(name: str) -> Iterator[dict[str, Any]]:
    history = None
    for hand in hands_of(name):
        game, moments = played(name, hand, history)
        history = game.next_history
        yield {
            "record": game.record().as_dict(),
            **plain_result(game),
            "positions": [
                {"snapshot": moment.snapshot().hex(), **facts(moment)} for moment in moments
            ],
            "seen": in_the_open(moments[2], moments[2].turn or 0),  # in the middle
        }


def shuangkou_actions(game: qipai.Game) -> dict[str, Any]:
    """The large table: a fingerprint, every 64th action, and where one kind ends and another
    begins."""
    from qipai import shuangkou

    rules = shuangkou.Rules.lishui().replace(max_bomb=10)
    lines, kinds = ["0 pass"], [""]
    for id in range(1, game.num_actions):
        play = shuangkou.classify(str(game.engine.action(id)), rules)
        assert play is not None
        assert int(play) == id
        lines.append(
            f"{id} {play.cards} {play.kind.name} {play.rank} {play.width}x{play.length} "
            f"stars {play.stars} loop {play.is_loop:d} reads {play.reading}"
        )
        kinds.append(play.kind.name)
    return {
        "digest": digest(lines),
        "some": [
            line
            for id, line in enumerate(lines)
            if id % 64 == 0 or kinds[id] != kinds[id - 1] or [kinds[id]] != kinds[id + 1 : id + 2]
        ],
    }


def actions_of(game: qipai.Game) -> dict[str, Any]:
    if game.engine.name == "shuangkou":
        return shuangkou_actions(game)
    texts = [f"{id} {game.engine.action(id)}" for id in range(game.num_actions)]
    return {"digest": digest(texts), "all": texts}


def clauses_of(game: str) -> list[str]:
    """The clauses that the rules page has anchors for, in order."""
    text = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    found = {int(n) for n in re.findall(rf"\b{CLAUSES[game]}-(\d+)\b", text)}
    return [f"{CLAUSES[game]}-{n}" for n in sorted(found)]


def game_part(game: str) -> dict[str, Any]:
    """All that is kept of one game."""
    names = [name for name in qipai.games() if name.partition("/")[0] == game]
    module = import_module(f"qipai.{game}")
    first = qipai.new(names[0], seed=0)
    engine: Any = first.engine
    part: dict[str, Any] = {
        "presets": {name: qipai.new(name, seed=0).rules.as_dict() for name in names},
        "players": first.players,
        "num_actions": first.num_actions,
        "actions": actions_of(first),
        "phases": list(engine.phases),
        "outcomes": list(engine.outcomes),
        "event_kinds": list(engine.event_kinds),
        "reasons": sorted({f"{reason.code} {reason.clause}".strip() for reason in engine.reasons}),
        "clauses": clauses_of(game),
        "observation": layout(first.observation_spec),
        "features": layout(engine.feature_spec()),
        "view": sorted(first.view(0).as_dict()),
        "deals": {
            "of seed 0": first.deal.as_dict(),
            **{
                f"of seed {seed}": digest(qipai.new(names[0], seed=seed).deal.as_dict())
                for seed in (1, 2, 3, 1 << 64, (1 << 256) - 1)
            },
        },
        "vec": vec_part(names[0]),
        "batch": digest(batch_hands(names[0])),
        "hands": {name: list(hand_entries(name)) for name in names},
    }
    if hasattr(module, "Kind"):
        part["kinds"] = {kind.name: int(kind) for kind in module.Kind}
        part["play_dtype"] = fields(module.PLAY_DTYPE)
        part["many"] = many_part(module)
    if hasattr(module, "MeldForm"):
        part["meld_forms"] = {form.name: int(form) for form in module.MeldForm}
        part["melds"] = melds(module)
    if hasattr(module, "Trump"):
        part["trumps"] = {
            str(module.Trump(suit, level)): int(module.Trump(suit, level))
            for level in range(3, 11)
            for suit in "DCHS"
        }
        part["settlement"] = list(module.Settlement._fields)
    return part


def many_part(module: Any) -> dict[str, str]:
    """What batches of plays answer with."""
    rows = np.zeros((2, 15), np.uint8)
    rows[:, 3] = 1, 2
    return {
        "classify_many": digest(module.classify_many(rows).tolist()),
        "beats_many": module.beats_many(rows, rows).dtype.str,
        "legal_count_many": module.legal_count_many(rows).dtype.str,
    }


def melds(module: Any) -> dict[str, int]:
    """The byte of every meld."""
    texts = [f"{low}{low + 1}{low + 2}{suit}" for suit in "mps" for low in range(1, 8)]
    for suit in "mpsz":
        for rank in range(1, 8 if suit == "z" else 10):
            four = f"{rank}" * 4 + suit
            texts += [f"{rank}" * 3 + suit, four, f"{four}+", f"({four})"]
    return {text: int(module.Meld(text)) for text in texts}


def vec_part(name: str) -> dict[str, Any]:
    """The arrays of a VecGame of three places, and its first deals."""
    arrays = ("observations", "masks", "turns", "rewards", "dones")
    arrays += ("last_observations", "last_rewards")
    vec = qipai.VecGame(name, 3, seed=1)
    deals = [vec.game(place).deal.as_dict() for place in range(3)]
    vec.reset()
    deals += [vec.game(place).deal.as_dict() for place in range(3)]
    return {
        "arrays": {
            array: f"{getattr(vec, array).dtype.str} {list(getattr(vec, array).shape)}"
            for array in arrays
        },
        "mask bytes": list(qipai.VecGame(name, 3, seed=1, mask="bytes").masks.shape),
        "deals": digest(deals),
    }


def batch_hands(name: str) -> list[Any]:
    """The hands that were dealt to who acts first in the deals 0 to 2 of a batch."""
    dealt: list[Any] = []

    def look(view: qipai.View, actions: list[qipai.Action]) -> qipai.Action:
        if not any(event.action for event in view.history):
            dealt.append([view.seat, view.hand])
        return actions[number("batch", len(view.history)) % len(actions)]

    qipai.play_batch(name, [look], 3, seed=1)
    return dealt


def package_part() -> dict[str, Any]:
    """All that is kept and belongs to no single game."""
    secret = bytes(range(32))
    words = ["东", "s o u t h", "'", "x" * 256]
    seeds = {str(n): fair.hand_seed(secret, words, n) for n in (0, 1, (1 << 64) - 1)}
    proof = fair.Proof.of(secret, words)
    game = qipai.new("shuangkou/bianfeng", seed=1)
    record = game.record()
    event = game.clone().apply(game.legal_ids()[0])[0]
    match = qipai.Match("shuangkou/bianfeng", seed=1)
    while not match.game.is_over:
        match.game.apply(int(match.game.legal_ids()[-1]))
    line = match.game.result[0]
    match_seeds = [match.game.seed.hex(), match.next().seed.hex()]
    return {
        "games": qipai.games(),
        "engines": {
            game: int.from_bytes(qipai.new(game, seed=0).snapshot()[8:10], "little")
            for game in GAMES
        },
        "reasons": [
            f"{reason.code} {reason.clause}".strip()
            for reason in map(game.engine.reason_of, SHARED_REASONS)
        ],
        "cards": " ".join(cards.format([id]) for id in range(162)),
        "cards_read": {
            text: cards.parse(text)
            for text in (
                "77899R",
                "H7 S7",
                "H8*3",
                "H7' H7''",
                "♠3 小王",
                "10,大王+♦A",
                "3 3 3 3 3",
            )
        },
        "cards_written": cards.format([26, 80, 134, 53, 107, 161, 0, 1, 56]),
        "tiles": " ".join(tiles.format([id]) for id in range(136)),
        "tiles_read": {
            text: tiles.parse(text)
            for text in ("123m456p789s11z", "5'5''m", "9万 1筒 2条", "东南西北白发中")
        },
        "seeds": {str(n): qipai.new("fangyang", seed=n).seed.hex() for n in (0, 1, 256, 1 << 255)},
        "match": match_seeds,
        "fair": {
            "commitment": fair.commitment(secret),
            "seeds": {n: seed.hex() for n, seed in seeds.items()},
            "deals": {
                name: digest(qipai.new(name, seed=seeds["0"]).deal.as_dict())
                for name in qipai.games()
            },
            "deal of fangyang": qipai.new("fangyang", seed=seeds["0"]).deal.as_dict(),
            "proof": proof.as_dict(),
        },
        "entries": {
            "record": list(record.as_dict()),
            "proof": list(proof.as_dict()),
            "event": list(event.as_dict()),
            "line": list(line.as_dict()),
            "summary": list(qipai.play_batch("shuangkou", "greedy", 1, seed=1).as_dict()),
        },
    }


# Files ------------------------------------------------------------------------------------------


def versions_of(part: str) -> dict[str, int]:
    """The versions that a part of the promises is of, as the package writes them."""
    game = qipai.new("shuangkou" if part == "package" else part, seed=0)
    header = game.snapshot()
    versions = {
        "engine": int.from_bytes(header[10:12], "little"),
        "snapshot": int.from_bytes(header[6:8], "little"),
        "record": game.record().as_dict()["format"],
    }
    if part == "package":
        del versions["engine"]
    return versions


def path_of(part: str, where: Path = HERE) -> Path:
    """The file of a part, of the present versions: ``gunzi-engine1-snapshot1-record1.json``."""
    versions = (f"-{what}{version}" for what, version in versions_of(part).items())
    return where / f"{part}{''.join(versions)}.json"


def build(part: str) -> dict[str, Any]:
    """What the package says now."""
    rest = package_part() if part == "package" else game_part(part)
    made = {"versions": versions_of(part), **rest}
    return json.loads(json.dumps(made, ensure_ascii=False))  # tuples as they come back


def written(value: Any, depth: int = 0) -> str:
    """JSON with what fits into a line in one line, so that a diff can be read."""
    short = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    if len(short) + depth <= 100 or not isinstance(value, dict | list):
        return short
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return short
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        names = (json.dumps(name, ensure_ascii=False) for name in value)
        rows = [f"{name}: {written(value[json.loads(name)], depth + 1)}" for name in names]
    else:
        rows = [written(item, depth + 1) for item in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n" + ",\n".join(pad + row for row in rows) + f"\n{' ' * depth}{end}"


def changes(old: Any, new: Any, at: str = "") -> Iterator[str]:
    """Where two pieces of plain data differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in {**old, **new}:
            where = f"{at}.{name}" if at else name
            if name not in new:
                yield f"{where}: gone, was {short(old[name])}"
            elif name not in old:
                yield f"{where}: new, {short(new[name])}"
            else:
                yield from changes(old[name], new[name], where)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from changes(one, other, f"{at}[{place}]")
    elif old != new:
        yield f"{at}: was {short(old)}, is {short(new)}"


def short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:117]}..."


def read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def main(arguments: list[str] | None = None, where: Path = HERE) -> int:
    parser = argparse.ArgumentParser(description="write what the package promises to keep")
    parser.add_argument("--accept", action="store_true", help="overwrite what says otherwise")
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    given = parser.parse_args(arguments)
    status = 0
    for part in given.parts:
        path, made = path_of(part, where), build(part)
        if path.exists():
            found = list(changes(read(path), made))
            if not found:
                print(f"{path.name}: the same")
                continue
            print(f"{path.name}: {len(found)} changes", *found, sep="\n  ")
            if not given.accept:
                print("  left as it is: see docs/promises.md, and --accept")
                status = 1
                continue
        path.write_text(written(made) + "\n", encoding="utf-8", newline="\n")
        print(f"{path.name}: written")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
