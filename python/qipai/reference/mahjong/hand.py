"""What a hand is: complete, won, how many 番, what it waits for, who pays what.

Everywhere ``hand`` is the concealed tiles, the winning one included: text, 34 counts, or kinds in
any order. ``melds`` are texts or :class:`Meld`; ``wild`` is the kind of 混 (a number or text) or
None. Hand and melds, a kong taken as three, make 14 tiles, or 13 where a tile is still to come.
``ValueError`` names what no hand can be: a wrong number of tiles, five of a kind, a meld that is
none or that holds a 混.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from ...rules.mahjong import Rules
from .tiles import (
    COPIES,
    DRAGONS,
    KINDS,
    Meld,
    format_kinds,
    is_two_or_eight,
    is_yao,
    parse_kinds,
    run_from,
    suit,
)

Hand = str | Sequence[int]
Melds = Sequence[str | Meld]
Kind = str | int
Fan = tuple[str, str, int]  # a line of 番: its name, the clause it comes from, how many

SHAPES = ("four_sets", "seven_pairs", "shisanyao")  # AM-42: of equal readings the earlier

_ANSHAN = Rules.anshan()


@dataclass(frozen=True, slots=True)
class Win:
    """The reading of a won hand with the most 番 (AM-42).

    ``total`` is the 番 of the hand itself, without 庄 and 点炮; ``fans`` its lines in the order of
    their clauses; ``shape`` is one of :data:`SHAPES`. ``sets`` are the concealed sets of four sets
    and a pair, or the seven pairs, by kind and in order; 十三幺 has none. ``pair`` is the kind of
    the pair of four sets and a pair, or of the double of the classic 十三幺, else None. ``wilds``
    are the kinds that the 混 stand for, in order (none in 十三幺 of the first kind).
    """

    total: int
    fans: tuple[Fan, ...]
    shape: str
    sets: tuple[tuple[int, ...], ...]
    pair: int | None
    wilds: tuple[int, ...]


class _Group(NamedTuple):
    """A set or a pair as it is read."""

    tiles: tuple[int, ...]
    wilds: tuple[int, ...] = ()  # those of its tiles that 混 stand for

    @property
    def is_triplet(self) -> bool:
        """Whether it is a triplet or a kong."""
        return len(self.tiles) > 2 and self.tiles[0] == self.tiles[1]

    @property
    def is_run(self) -> bool:
        return self.tiles[0] != self.tiles[1]

    @property
    def has_natural(self) -> bool:
        return len(self.wilds) < len(self.tiles)

    @property
    def is_natural(self) -> bool:
        return not self.wilds


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Tiles that were checked, the 混 apart: they are natural for nothing (AM-3)."""

    concealed: list[int]  # natural tiles in hand, by kind
    held: list[int]  # those and the melds
    wilds: int
    melds: tuple[Meld, ...]
    wild: int | None

    @classmethod
    def of(cls, hand: Hand, melds: Melds, wild: Kind | None, *sizes: int) -> _Tiles:
        concealed = _counts(hand)
        made = tuple(Meld.parse(str(meld)) for meld in melds)
        mixed = None if wild is None else _kind(wild)
        held = concealed.copy()
        for meld in made:
            if mixed in meld.tiles:
                raise ValueError(f"the meld {meld} holds a 混")  # AM-10
            for kind in meld.tiles:
                held[kind] += 1
        for kind in KINDS:
            if held[kind] > COPIES:
                raise ValueError(f"{held[kind]} tiles of {format_kinds([kind])}")
        size = sum(concealed) + 3 * len(made)
        if size not in sizes:
            wanted = " or ".join(map(str, sizes))
            raise ValueError(f"{size} tiles, a kong taken as three; there must be {wanted}")
        wilds = 0
        if mixed is not None:
            wilds, concealed[mixed], held[mixed] = concealed[mixed], 0, 0
        return cls(concealed, held, wilds, made, mixed)

    def readings(self, sets: int, pairs: int) -> Iterator[tuple[list[_Group], list[_Group]]]:
        """Yield every way to read the concealed tiles as so many sets and pairs."""
        yield from _readings(self.concealed, self.wilds, sets, pairs)


def is_complete(hand: Hand, melds: Melds = (), wild: Kind | None = None) -> bool:
    """Say whether 14 tiles are four sets and a pair or seven pairs; no conditions (AM-20)."""
    tiles = _Tiles.of(hand, melds, wild, 14)
    if any(True for _ in tiles.readings(4 - len(tiles.melds), 1)):
        return True
    return not tiles.melds and any(True for _ in tiles.readings(0, 7))


def is_win(hand: Hand, melds: Melds = (), wild: Kind | None = None, rules: Rules = _ANSHAN) -> bool:
    """Say whether 14 tiles win (AM-20 to AM-28)."""
    return evaluate(hand, melds, wild, rules) is not None


def evaluate(
    hand: Hand,
    melds: Melds = (),
    wild: Kind | None = None,
    rules: Rules = _ANSHAN,
    *,
    gun: str | Sequence[int] = (),
    after_kong: bool = False,
) -> Win | None:
    """Return the best reading of 14 tiles (AM-42), None if they do not win.

    ``gun`` are the kinds that are 枪 (AM-37), ``after_kong`` says that the hand was won on a kong's
    replacement tile (AM-39).
    """
    tiles = _Tiles.of(hand, melds, wild, 14)
    guns = {_kind(k) for k in (parse_kinds(gun) if isinstance(gun, str) else gun)}
    wins = [
        *_four_sets(tiles, rules, guns, after_kong),
        *_seven_pairs(tiles, guns),
        *_shisanyao(tiles, rules, guns, after_kong),
    ]
    return min(wins, key=_preference, default=None)


def waits(
    hand: Hand, melds: Melds = (), wild: Kind | None = None, rules: Rules = _ANSHAN
) -> list[int]:
    """Return the kinds that win with 13 tiles.

    A 混 counts as its own kind (it wins by own draw only, AM-4). A kind whose four copies are in
    hand and melds is none.
    """
    return list(waits_fan(hand, melds, wild, rules))


def waits_fan(
    hand: Hand, melds: Melds = (), wild: Kind | None = None, rules: Rules = _ANSHAN
) -> dict[int, Win]:
    """Return the :func:`waits` with what the hand is then worth, without 枪 and 杠上开花."""
    tiles = _Tiles.of(hand, melds, wild, 13)
    wins = {
        kind: evaluate(_with(hand, kind), tiles.melds, wild, rules)
        for kind in KINDS
        if _copies_left(tiles, kind)
    }
    return {kind: win for kind, win in wins.items() if win is not None}


def shanten(hand: Hand, melds: Melds = (), wild: Kind | None = None) -> int:
    """Return how many tiles 13 or 14 tiles are away from waiting: 0 waits, -1 is complete.

    It is one less than the fewest tiles to draw, each for one discarded, until the hand is
    :func:`is_complete`. No kind is held more than four times on the way; a 混 may be drawn too.
    """
    tiles = _Tiles.of(hand, melds, wild, 13, 14)
    lacking = _fewest_lacking(tiles, 4 - len(tiles.melds), 1)
    if not tiles.melds:
        lacking = min(lacking, _fewest_lacking(tiles, 0, 7))
    return lacking - tiles.wilds - 1


def improving(hand: Hand, melds: Melds = (), wild: Kind | None = None) -> dict[int, int]:
    """Return the kinds that lower the :func:`shanten` of 13 tiles, with their copies unseen.

    Unseen are the copies that are not in hand and melds; the turned tile (AM-2) is not looked at.
    """
    tiles = _Tiles.of(hand, melds, wild, 13)
    before = shanten(hand, melds, wild)
    left = {kind: _copies_left(tiles, kind) for kind in KINDS}
    return {
        kind: copies
        for kind, copies in left.items()
        if copies and shanten(_with(hand, kind), melds, wild) < before
    }


def payments(
    total: int, winner: int, dealer: int, discarder: int | None, rules: Rules = _ANSHAN
) -> list[int]:
    """Return what each seat gains for a hand of ``total`` 番; ``discarder`` None: own draw.

    AM-50: 2 to the 番 of the hand and of the payer, times the stake.
    """
    if total < 0:
        raise ValueError(f"total must not be negative, as {total} is")
    for name, seat in (("winner", winner), ("dealer", dealer), ("discarder", discarder)):
        if seat is not None and seat not in range(4):
            raise ValueError(f"{name} must be a seat from 0 to 3, not {seat!r}")
    if discarder == winner:
        raise ValueError(f"the winner {winner} cannot be the discarder")
    gains = [0] * 4
    for payer in range(4):
        if payer != winner:
            own = payer_fans(payer, winner, dealer, discarder, rules)
            fan = total + sum(count for _, _, count in own)
            if rules.max_fan:
                fan = min(fan, rules.max_fan)
            gains[payer] = -rules.stake * 2**fan
    gains[winner] = -sum(gains)
    return gains


def payer_fans(
    payer: int, winner: int, dealer: int, discarder: int | None, rules: Rules
) -> list[Fan]:
    """Return the 番 that count between one payer and the winner only."""
    fans: list[Fan] = []
    if dealer == winner or (dealer == payer and rules.dealer_fan == "either"):
        fans.append(("庄", "AM-30", 1))
    if discarder in (None, payer):
        fans.append(("点炮", "AM-31", 1))
    return fans


# The shapes


def _four_sets(tiles: _Tiles, rules: Rules, guns: set[int], after_kong: bool) -> Iterator[Win]:
    if not any(tiles.held[kind] for kind in KINDS if is_yao(kind)):  # AM-23
        return
    if not {0, 1, 2} <= {suit(kind) for kind in KINDS if tiles.held[kind]}:  # AM-24
        return
    melded = [_Group(meld.tiles) for meld in tiles.melds]
    for concealed, (pair,) in tiles.readings(4 - len(melded), 1):
        sets = melded + concealed
        has_triplet = any(s.is_triplet and s.has_natural for s in sets)
        if not has_triplet and not (pair.tiles[0] in DRAGONS and pair.has_natural):  # AM-21
            continue
        if not any(s.is_run and s.has_natural for s in sets):  # AM-22
            continue
        natural_triplets = [s.tiles[0] for s in sets if s.is_triplet and s.is_natural]
        eyes = is_two_or_eight(pair.tiles[0]) and pair.is_natural
        fans: list[Fan] = [
            *_common_fans(tiles, guns),
            *_kong_fans(tiles, after_kong),
            ("大哥大", "AM-35", sum(kind in DRAGONS for kind in natural_triplets)),
            ("二八将", "AM-38", int(eyes)),
        ]
        if rules.sancha == "everywhere":
            fans.append(("三叉", "AM-41", int(len(natural_triplets) >= 3)))
        yield _win("four_sets", fans, concealed, pair.tiles[0], [*concealed, pair])


def _seven_pairs(tiles: _Tiles, guns: set[int]) -> Iterator[Win]:
    if tiles.melds:  # AM-25
        return
    for _, pairs in tiles.readings(0, 7):
        eyes = any(is_two_or_eight(pair.tiles[0]) and pair.is_natural for pair in pairs)
        fans: list[Fan] = [
            *_common_fans(tiles, guns),
            ("七对", "AM-39", 1),
            ("二八", "AM-40", int(eyes)),
        ]
        yield _win("seven_pairs", fans, pairs, None, pairs)


def _shisanyao(tiles: _Tiles, rules: Rules, guns: set[int], after_kong: bool) -> Iterator[Win]:
    # AM-27: of 14 tiles at most four are 混, so one at least is natural.
    if not all(is_yao(kind) for kind in KINDS if tiles.held[kind]):
        return
    pair: int | None = None
    wilds: list[int] = []
    if rules.shisanyao == "classic":
        doubled = [kind for kind in KINDS if tiles.held[kind] > 1]
        if tiles.melds or len(doubled) > 1 or any(tiles.held[kind] > 2 for kind in doubled):
            return
        wilds = [kind for kind in KINDS if is_yao(kind) and not tiles.held[kind]]
        pair = doubled[0] if doubled else 0
        if not doubled:  # a 混 makes the double, by AM-42 of the smallest kind
            wilds.append(pair)
    thick = [kind for kind in KINDS if tiles.held[kind] >= 3]
    in_pairs = not tiles.melds and any(True for _ in tiles.readings(0, 7))
    yield _win(
        "shisanyao",
        [
            *_common_fans(tiles, guns),
            ("大哥大", "AM-35", sum(kind in DRAGONS for kind in thick)),
            ("十三幺", "AM-39", 1),
            ("七对", "AM-39", int(in_pairs)),
            ("三叉", "AM-41", int(len(thick) >= 3)),
            *_kong_fans(tiles, after_kong),
        ],
        [],
        pair,
        [_Group(tuple(wilds), tuple(wilds))],
    )


def _common_fans(tiles: _Tiles, guns: set[int]) -> list[Fan]:
    """The 番 that every shape may have."""
    kongs = {meld.tiles[0] for meld in tiles.melds if meld.is_kong}
    fours = [kind for kind in KINDS if tiles.held[kind] == 4 and kind not in kongs]
    return [
        ("穷胡", "AM-32", int(not tiles.wilds)),
        ("站立", "AM-33", int(not any(meld.is_open for meld in tiles.melds))),
        ("四归一", "AM-36", len(fours)),
        ("枪", "AM-37", sum(tiles.held[kind] for kind in guns)),
    ]


def _kong_fans(tiles: _Tiles, after_kong: bool) -> list[Fan]:
    return [
        ("杠", "AM-34", sum(meld.is_kong for meld in tiles.melds)),
        ("杠上开花", "AM-39", int(after_kong)),
    ]


def _win(
    shape: str, fans: list[Fan], sets: list[_Group], pair: int | None, groups: list[_Group]
) -> Win:
    return Win(
        total=sum(count for _, _, count in fans),
        fans=tuple(sorted((fan for fan in fans if fan[2]), key=_clause)),
        shape=shape,
        sets=tuple(sorted(group.tiles for group in sets)),
        pair=pair,
        wilds=tuple(sorted(kind for group in groups for kind in group.wilds)),
    )


def _preference(win: Win) -> tuple[object, ...]:
    """What is smallest for the reading that counts (AM-42).

    The 混 of one and the same sets and pair may be placed in ways worth the same, 二八将 or 三叉:
    then the 番 of the earlier clause.
    """
    pair = -1 if win.pair is None else win.pair
    return (-win.total, SHAPES.index(win.shape), win.sets, pair, [*map(_clause, win.fans)])


def _clause(fan: Fan) -> str:
    return fan[1]


# How tiles can be read


def _readings(
    left: list[int], wilds: int, sets: int, pairs: int
) -> Iterator[tuple[list[_Group], list[_Group]]]:
    """Yield every way to read natural tiles and 混 as so many sets and pairs.

    The lowest natural tile is in some set or pair, with other natural tiles and 混; and so on
    with the rest.
    """
    lowest = next((kind for kind in KINDS if left[kind]), None)
    if lowest is None:
        # Sets and pairs of 混 alone meet no condition and count nothing (AM-3, AM-21, AM-22), so
        # they stand for what AM-42 puts first.
        if wilds == 3 * sets + 2 * pairs:
            yield [_Group((0, 0, 0), (0, 0, 0))] * sets, [_Group((0, 0), (0, 0))] * pairs
        return
    shapes: list[tuple[int, ...]] = [(lowest, lowest)] if pairs else []
    if sets:
        shapes.append((lowest, lowest, lowest))
        runs = map(run_from, range(max(0, lowest - 2), lowest + 1))
        shapes.extend(run for run in runs if run is not None and lowest in run)
    for tiles in shapes:
        for group in _with_lowest(lowest, tiles):
            after = left.copy()
            for kind in tiles:
                after[kind] -= 1
            for kind in group.wilds:
                after[kind] += 1
            if min(after) < 0 or len(group.wilds) > wilds:
                continue
            is_pair = len(tiles) == 2
            rest = _readings(after, wilds - len(group.wilds), sets - (not is_pair), pairs - is_pair)
            for more_sets, more_pairs in rest:
                if is_pair:
                    yield more_sets, [group, *more_pairs]
                else:
                    yield [group, *more_sets], more_pairs


def _with_lowest(lowest: int, tiles: tuple[int, ...]) -> set[_Group]:
    """Return the ways to make a group of one natural ``lowest`` at least, and 混."""
    others = list(tiles)
    others.remove(lowest)
    return {_Group(tiles, wilds) for n in range(len(tiles)) for wilds in combinations(others, n)}


def _fewest_lacking(tiles: _Tiles, sets: int, pairs: int) -> int:
    """Return the fewest natural tiles that are lacking to so many sets and pairs.

    Walks the kinds upwards and tries all numbers of triplets, pairs and runs that begin there.
    What the four copies of a kind, less the melded ones, cannot fill must be 混, at most four.
    """
    melded = [held - own for held, own in zip(tiles.held, tiles.concealed, strict=True)]
    room = [0 if kind == tiles.wild else COPIES - melded[kind] for kind in KINDS]

    @cache
    def lacking(kind: int, sets: int, pairs: int, begun: int, begun_before: int, spare: int) -> int:
        """``begun`` runs begin one kind before, ``begun_before`` two; ``spare`` 混 are left."""
        if kind == len(KINDS):
            return 0 if sets == pairs == 0 else _NEVER
        best = _NEVER
        for triplets in range(sets + 1):
            for runs in range(sets - triplets + 1 if run_from(kind) else 1):
                for doubles in range(pairs + 1):
                    want = 3 * triplets + runs + begun + begun_before + 2 * doubles
                    beyond = max(0, want - room[kind])
                    if beyond <= spare:
                        rest = lacking(
                            kind + 1,
                            sets - triplets - runs,
                            pairs - doubles,
                            runs,
                            begun,
                            spare - beyond,
                        )
                        best = min(best, max(0, want - tiles.concealed[kind]) + rest)
        return best

    return lacking(0, sets, pairs, 0, 0, 0 if tiles.wild is None else COPIES)


_NEVER = 99


# Reading the arguments


def _kind(kind: Kind) -> int:
    if isinstance(kind, str):
        kinds = parse_kinds(kind)
        if len(kinds) != 1:
            raise ValueError(f"{kind!r} is not one tile")
        return kinds[0]
    if kind not in KINDS:
        raise ValueError(f"no tile is of kind {kind!r}")
    return kind


def _counts(hand: Hand) -> list[int]:
    if not isinstance(hand, str) and len(hand) == len(KINDS):
        if min(hand) < 0:
            raise ValueError(f"a count of {min(hand)} tiles")
        return list(hand)
    counts = [0] * len(KINDS)
    for kind in parse_kinds(hand) if isinstance(hand, str) else hand:
        counts[_kind(kind)] += 1
    return counts


def _with(hand: Hand, kind: int) -> list[int]:
    counts = _counts(hand)
    counts[kind] += 1
    return counts


def _copies_left(tiles: _Tiles, kind: int) -> int:
    return COPIES - (tiles.wilds if kind == tiles.wild else tiles.held[kind])
