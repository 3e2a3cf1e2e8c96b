"""Make the table of all playable sets of 百变双扣 as a C header.

Built constructively: every pattern without 大王, then every way to take one or two of its cards
away and put 大王 there. One table serves all rules; a row says which rules admit it. A row's
index is the action id, 0 is the pass.

Rows are sorted so that what beats a play is a stretch of rows: patterns that are no bombs by
(kind, length, rank), then the bombs in the order of SK-45. The order of SK-44 is kept as a level
per row and a set of rows above each level.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TextIO

KINDS = (
    "SINGLE", "PAIR", "TRIPLE", "STRAIGHT", "PAIR_RUN", "TRIPLE_RUN",
    "BOMB", "CHAIN_BOMB", "THREE_JOKERS", "FOUR_JOKERS",
)  # fmt: skip
(SINGLE, PAIR, TRIPLE, STRAIGHT, PAIR_RUN, TRIPLE_RUN,
 BOMB, CHAIN_BOMB, THREE_JOKERS, FOUR_JOKERS) = range(1, 11)  # fmt: skip
ACE, TWO, SMALL, BIG = 11, 12, 13, 14  # places of the ranks: 0..12 are 3..A,2
HAND = 27
CHAINS = {4: (3, 4, 5, 6), 5: (3, 4, 5), 6: (3, 4), 7: (3,), 8: (3,)}  # SK-17 within a hand

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Pattern:
    """Cards without 大王 (or jokers alone) that form a play."""

    kind: int
    counts: Counts
    rank: int  # of the top card; of a loop, of its last
    width: int
    length: int
    start: int = -1  # of a loop: the place on the cycle A,2,3..K where it begins
    max_bomb: int = 8  # the rules that admit it: at least this max_bomb

    @property
    def stars(self) -> int:
        if self.kind == BOMB:
            return self.width
        if self.kind == CHAIN_BOMB:
            return self.width + self.length
        return {THREE_JOKERS: 6, FOUR_JOKERS: 7}.get(self.kind, 0)

    @property
    def is_loop(self) -> bool:
        return self.start >= 0


def counts_of(ranks: Iterator[int] | range | list[int], width: int) -> Counts:
    counts = [0] * 15
    for rank in ranks:
        counts[rank] = width
    return tuple(counts)


def runs(kind: int, width: int, shortest: int, longest: int) -> Iterator[Pattern]:
    """Runs of groups within 3..A (SK-11, 13, 15, 17)."""
    for length in range(shortest, longest + 1):
        for low in range(ACE - length + 2):
            ranks = range(low, low + length)
            yield Pattern(kind, counts_of(ranks, width), ranks[-1], width, length)


def loops(width: int, length: int) -> Iterator[Pattern]:
    """Chain bombs through the 2, on the cycle A 2 3 .. K A (SK-19)."""
    cycle = [ACE, TWO, *range(ACE)]
    for start in range(13):
        ranks = [cycle[(start + i) % 13] for i in range(length)]
        if TWO in ranks:
            yield Pattern(
                CHAIN_BOMB, counts_of(ranks, width), ranks[-1], width, length, start=start
            )


def patterns() -> Iterator[Pattern]:
    """Every pattern that a 大王 may help to fill, each as it looks when filled."""
    for rank in range(14):
        yield Pattern(SINGLE, counts_of([rank], 1), rank, 1, 1)
        yield Pattern(PAIR, counts_of([rank], 2), rank, 2, 1)
    for rank in range(13):  # SK-18: never a triple or a bomb of 小王
        yield Pattern(TRIPLE, counts_of([rank], 3), rank, 3, 1)
        for width in range(4, 11):
            yield Pattern(BOMB, counts_of([rank], width), rank, width, 1, max_bomb=max(width, 8))
    yield from runs(STRAIGHT, 1, 5, 12)
    yield from runs(PAIR_RUN, 2, 3, 12)
    yield from runs(TRIPLE_RUN, 3, 3, HAND // 3)
    for width, lengths in CHAINS.items():
        yield from runs(CHAIN_BOMB, width, lengths[0], lengths[-1])
        for length in lengths:
            yield from loops(width, length)


def jokers() -> Iterator[Pattern]:
    """Plays of 大王 alone and of three or four jokers: nothing stands for anything here."""
    yield Pattern(SINGLE, counts_of([BIG], 1), BIG, 1, 1)
    yield Pattern(PAIR, counts_of([BIG], 2), BIG, 2, 1)
    for small, big in ((2, 1), (1, 2)):
        yield Pattern(THREE_JOKERS, (0,) * 13 + (small, big), BIG, 3, 1)
    yield Pattern(FOUR_JOKERS, (0,) * 13 + (2, 2), BIG, 4, 1)


def with_wild(pattern: Pattern) -> Iterator[Counts]:
    """The sets of cards that make the pattern with no, one or two 大王 (SK-30)."""
    held = [rank for rank in range(14) if pattern.counts[rank]]
    for wild in range(3):
        for places in combinations_with_replacement(held, wild):
            counts = list(pattern.counts)
            for rank in places:
                counts[rank] -= 1
            counts[BIG] = wild
            natural = counts[:14]
            if min(natural) < 0 or max(natural) > 8 or natural[SMALL] > 2 or not any(natural):
                continue
            yield tuple(counts)


def order_by_count(pattern: Pattern) -> tuple[int, ...]:
    """SK-45, 46: stars, the joker bombs at their ends, few cards, plain before loop, rank."""
    joker = {THREE_JOKERS: -1, FOUR_JOKERS: 1}.get(pattern.kind, 0)  # SK-43
    if pattern.is_loop:
        end = pattern.start + pattern.length
        if pattern.start == 0 or end > 15:  # A-2-3 together
            place = 0
        elif end > 14:  # K-A-2
            place = 1
        else:
            place = 2
        tail = (0, place, pattern.start)
    else:
        tail = (1, 0, pattern.rank)
    return (pattern.stars, joker, -sum(pattern.counts), *tail)


def order_by_rank(pattern: Pattern) -> tuple[int, ...]:
    """SK-44: stars, the joker bombs at their ends, the top rank whatever the shape."""
    joker = {THREE_JOKERS: -1, FOUR_JOKERS: 1}.get(pattern.kind, 0)
    return (pattern.stars, joker, pattern.rank)


@dataclass(frozen=True)
class Row:
    counts: Counts
    pattern: Pattern

    @property
    def packed(self) -> int:
        return sum(count << 4 * rank for rank, count in enumerate(self.counts))

    @property
    def group(self) -> tuple[int, int]:
        return (self.pattern.kind, self.pattern.length)


def rows() -> list[Row]:
    """All distinct playable sets, in the order of their ids (from 1)."""
    reading: dict[Counts, Pattern] = {pattern.counts: pattern for pattern in jokers()}
    for pattern in patterns():
        for counts in with_wild(pattern):
            known = reading.get(counts)
            if known is None:
                reading[counts] = pattern
                continue
            # SK-31, 32: only the window differs, and the highest is taken.
            assert (known.kind, known.width, known.length) == (
                pattern.kind, pattern.width, pattern.length,
            ), counts  # fmt: skip
            if pattern.rank > known.rank:
                reading[counts] = pattern

    def place(row: Row) -> tuple[object, ...]:
        pattern = row.pattern
        if pattern.stars:
            return (1, order_by_count(pattern), row.counts[BIG], row.packed)
        return (0, row.group, pattern.rank, row.counts[BIG], row.packed)

    made = [Row(counts, pattern) for counts, pattern in reading.items()]
    return sorted(made, key=place)  # type: ignore[arg-type, return-value]


def digest(table: list[Row]) -> str:
    """The fingerprint of ids, cards and readings; it changes only when they do."""
    text = "\n".join(
        f"{row.packed:015x} {p.kind} {p.rank} {p.width} {p.length} {p.stars} {p.start} {p.max_bomb}"
        for row in table
        for p in [row.pattern]
    )
    return hashlib.sha256(text.encode()).hexdigest()


SLOT_BITS, BUCKET_BITS = 13, 11
MULTIPLIER = 0x9E3779B97F4A7C15


def spread(packed: int) -> tuple[int, int]:
    """The bucket of a packed set, and its slot before the bucket's displacement."""
    mixed = (packed ^ packed >> 29) * MULTIPLIER & 0xFFFFFFFFFFFFFFFF
    return mixed >> 64 - BUCKET_BITS, (mixed >> 24) & (1 << SLOT_BITS) - 1


def perfect_hash(keys: list[int]) -> tuple[list[int], list[int]]:
    """Displacements by bucket, and the row (from 1; 0 none) in every slot."""
    buckets: list[list[tuple[int, int]]] = [[] for _ in range(1 << BUCKET_BITS)]
    for row, key in enumerate(keys, start=1):
        bucket, base = spread(key)
        buckets[bucket].append((base, row))
    slots = [0] * (1 << SLOT_BITS)
    displacement = [0] * len(buckets)
    for index in sorted(range(len(buckets)), key=lambda i: -len(buckets[i])):
        for shift in range(len(slots)):
            places = [base ^ shift for base, _ in buckets[index]]
            if len(set(places)) == len(places) and not any(slots[place] for place in places):
                break
        else:
            raise RuntimeError("no perfect hash with this multiplier")
        displacement[index] = shift
        for place, (_, row) in zip(places, buckets[index], strict=True):
            slots[place] = row
    return displacement, slots


def bit_words(members: Iterator[int] | list[int], words: int) -> list[int]:
    value = 0
    for member in members:
        value |= 1 << member
    return [value >> 64 * i & 0xFFFFFFFFFFFFFFFF for i in range(words)]


def write(out: TextIO) -> None:
    table = rows()
    size = len(table) + 1
    words = (size + 63) // 64
    bombs = [row for row in table if row.pattern.stars]
    first_bomb = size - len(bombs)
    bomb_word = first_bomb // 64
    by_rank = sorted({order_by_rank(row.pattern) for row in bombs})
    level = {order: index for index, order in enumerate(by_rank)}
    ids = range(1, size)

    def array(ctype: str, name: str, values: list[int], shape: str, columns: int = 0) -> None:
        out.write(f"static const {ctype} {name}{shape} = {{\n")
        for i in range(0, len(values), columns or 8):
            row = ",".join(
                f"{v:#x}u" if v < 1 << 32 else f"{v:#x}ull" for v in values[i:][: columns or 8]
            )
            out.write(f"{{{row}}},\n" if columns else f"{row},\n")
        out.write("};\n")

    out.write('/* Made by csrc/tables/shuangkou.py. */\n#include "shuangkou.h"\n')
    out.write(f'#define SK_DIGEST "{digest(table)}"\n')
    out.write(f"enum {{ SK_ROWS = {size}, SK_WORDS = {words}, SK_FIRST_BOMB = {first_bomb}, ")
    out.write(f"SK_BOMB_WORD = {bomb_word}, SK_SLOT_BITS = {SLOT_BITS}, ")
    out.write(f"SK_BUCKET_BITS = {BUCKET_BITS} }};\n")
    out.write(f"#define SK_MULTIPLIER 0x{MULTIPLIER:x}ull\n")
    array("uint64_t", "sk_packed", [0, *(row.packed for row in table)], "[SK_ROWS]")
    array("uint8_t", "sk_size", [0, *(sum(row.counts) for row in table)], "[SK_ROWS]")
    out.write("static const sk_play sk_plays[SK_ROWS] = {\n{0,0,0,0,0,0,0},\n")
    for index, row in zip(ids, table, strict=True):
        p = row.pattern
        out.write(
            f"{{{index},{p.kind},{p.rank},{p.width},{p.length},{p.stars},{int(p.is_loop)}}},\n"
        )
    out.write("};\n")

    # What beats row r besides bombs: rows sk_higher[r] .. sk_group_end[r] - 1.
    higher = [0] * size
    group_end = [0] * size
    for row in range(size - 1, 0, -1):
        here = table[row - 1]
        after = table[row] if row < size - 1 else None
        if here.pattern.stars:
            continue
        same = after is not None and not after.pattern.stars and after.group == here.group
        group_end[row] = group_end[row + 1] if same else row + 1
        same_rank = same and after is not None and after.pattern.rank == here.pattern.rank
        higher[row] = higher[row + 1] if same_rank else row + 1
    array("uint16_t", "sk_higher", higher, "[SK_ROWS]")
    array("uint16_t", "sk_group_end", group_end, "[SK_ROWS]")

    # The first bomb that beats row r under SK-45; every later row does too.
    stronger = [first_bomb] * size
    for row in range(size - 1, first_bomb - 1, -1):
        same = row < size - 1 and order_by_count(table[row].pattern) == order_by_count(
            table[row - 1].pattern
        )
        stronger[row] = stronger[row + 1] if same else row + 1
    array("uint16_t", "sk_stronger", stronger, "[SK_ROWS]")

    # SK-44: the level of each bomb, and the set of bombs above each level.
    levels = [0] * size
    for row in range(first_bomb, size):
        levels[row] = level[order_by_rank(table[row - 1].pattern)]
    array("uint8_t", "sk_level", levels, "[SK_ROWS]")
    above: list[int] = []
    for low in range(len(by_rank)):
        members = [row for row in range(first_bomb, size) if levels[row] > low]
        above += bit_words(members, words)[bomb_word:]
    array(
        "uint64_t",
        "sk_above",
        above,
        f"[{len(by_rank)}][SK_WORDS - SK_BOMB_WORD]",
        words - bomb_word,
    )

    # By (max_bomb - 8) + 3 * loops: the rows that the rules admit.
    admitted: list[int] = []
    for loop in (False, True):
        for cap in (8, 9, 10):
            admitted += bit_words(
                [0]
                + [
                    i
                    for i, row in zip(ids, table, strict=True)
                    if row.pattern.max_bomb <= cap and (loop or not row.pattern.is_loop)
                ],
                words,
            )
    array("uint64_t", "sk_admitted", admitted, "[6][SK_WORDS]", words)

    # The rows that need at most n of a rank: their meet over all ranks is what a hand can play.
    within: list[int] = []
    for rank in range(15):
        for held in range(9):
            within += bit_words(
                [0] + [i for i, row in zip(ids, table, strict=True) if row.counts[rank] <= held],
                words,
            )
    array("uint64_t", "sk_within", within, "[15 * 9][SK_WORDS]", words)

    displacement, slots = perfect_hash([row.packed for row in table])
    array("uint16_t", "sk_displacement", displacement, "[1 << SK_BUCKET_BITS]")
    array("uint16_t", "sk_slot_row", slots, "[1 << SK_SLOT_BITS]")
    keys = [table[row - 1].packed if row else 0 for row in slots]
    array("uint64_t", "sk_slot_key", keys, "[1 << SK_SLOT_BITS]")
