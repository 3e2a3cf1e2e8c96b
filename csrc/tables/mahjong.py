"""Make the tables of 鞍山麻将 as a C header.

The natural tiles of a suit are parted into groups, each filled up with 混: the lowest tile goes
alone, or with its like, or with one or both of the next two kinds, into a run, a triplet or the
pair. So a key's answer follows from those of smaller keys. All answers of a key are kept as the
bits of one integer, and a group is a shift. There are 405,350 keys of up to 14 tiles in a suit,
but few different answers: a key has one byte, the row of its answer.

``first[a] + rank[b]`` is the place of the key with digits ``a`` (kinds 1..4, to the base 5) and
``b`` (kinds 5..9): all ``b`` stand in order of their number of tiles, so those that fit beside an
``a`` are the first so many, whatever ``a`` is.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TextIO

MOST_TILES, MOST_WILD, MOST_SETS = 14, 4, 4
LOW, HIGH = 625, 3125  # keys of kinds 1..4 and of kinds 5..9

# Ways to use up all tiles: bit 8 * wilds + 4 * pair + flags, flags 1 a run and 2 a triplet with a
# natural tile (or a pair of dragons). Where some flags can be had, so can fewer.
ANY_WIN = (1 << 8 * (MOST_WILD + 1)) - 1
NO_PAIR = ANY_WIN // 0xFF * 0x0F
NO_RUN = ANY_WIN // 0xFF * 0x55
NO_TRIPLET = ANY_WIN // 0xFF * 0x33
WILD, PAIR = 8, 4
ADD_RUN, ADD_TRIPLET = 3, 5  # factors: the bits as they are, and those with the flag

# Ways to use some tiles: bit 16 * (5 * pair + sets) + tiles missing.
SET, COUPLE = 16, 80
ANY_COST = (1 << 160) - 1
SETS_LEFT = (1 << 160) - 1 - (0xFFFF << 64) - (0xFFFF << 144)
NO_COUPLE = (1 << 80) - 1

# Of 混 or missing tiles alone: no flags.
WILD_WIN = 1 | 1 << 2 * WILD + PAIR | 1 << 3 * WILD
WILD_COST = sum(1 << SET * (5 * p + m) + 3 * m + 2 * p for p in range(2) for m in range(5))

Answer = tuple[int, int, int]  # tiles mod 3, ways to use all, ways to use some


def digits(key: int, n: int) -> list[int]:
    return [key // 5 ** (n - 1 - i) % 5 for i in range(n)]


def alike(ways: int, costs: int, count: int, wins: list[int], some: list[int], at: int, one: int,
          dragon: bool = False) -> tuple[int, int]:  # fmt: skip
    """Add the ways in which the lowest tile goes into a triplet or the pair."""
    for held in range(1, count + 1):
        rest = at - held * one
        if held <= 3:
            ways |= (wins[rest] & NO_TRIPLET) * ADD_TRIPLET << WILD * (3 - held)
            costs |= (some[rest] & SETS_LEFT) << SET + 3 - held
        if held <= 2:
            pair = wins[rest] & NO_PAIR
            if dragon:
                pair = (pair & NO_TRIPLET) * ADD_TRIPLET  # AM-21
            ways |= pair << PAIR + WILD * (2 - held)
            costs |= (some[rest] & NO_COUPLE) << COUPLE + 2 - held
    return ways, costs


def suit_answers(order: list[int]) -> list[Answer]:
    """The answer of every key, in the order of their places."""
    low = [sum(digits(a, 4)) for a in range(LOW)]
    high = [sum(digits(b, 5)) for b in range(HIGH)]
    fitting = [[b for b in range(HIGH) if high[b] <= most] for most in range(MOST_TILES + 1)]
    wins, some = [0] * (LOW * HIGH), [0] * (LOW * HIGH)
    wins[0], some[0] = WILD_WIN, WILD_COST
    units = [5 ** (8 - i) for i in range(9)]
    for a in range(LOW):
        if low[a] > MOST_TILES:
            continue
        for b in fitting[MOST_TILES - low[a]]:
            key = HIGH * a + b
            if not key:
                continue
            kind = next(i for i in range(9) if key >= units[i])
            one = units[kind]
            count, above = divmod(key, one)
            rest = key - one
            alone = some[rest]
            ways = (wins[rest] & NO_RUN) * ADD_RUN << WILD * 2
            ways, costs = alike(ways, alone, count, wins, some, key, one)
            if kind < 8:
                two = one // 5
                next_count, further = divmod(above, two)
                three = two // 5
                if next_count:
                    ways |= (wins[rest - two] & NO_RUN) * ADD_RUN << WILD
                    costs |= (some[rest - two] & SETS_LEFT) << SET + 1
                if three and further >= three:
                    ways |= (wins[rest - three] & NO_RUN) * ADD_RUN << WILD
                    costs |= (some[rest - three] & SETS_LEFT) << SET + 1
                    if next_count:
                        ways |= (wins[rest - two - three] & NO_RUN) * ADD_RUN
                        costs |= (some[rest - two - three] & SETS_LEFT) << SET
            wins[key], some[key] = ways & ANY_WIN, costs & ANY_COST
    return [
        ((low[a] + high[b]) % 3, wins[HIGH * a + b], some[HIGH * a + b])
        for a in range(LOW)
        if low[a] <= MOST_TILES
        for b in order
        if high[b] <= MOST_TILES - low[a]
    ]


def honour_answers() -> list[Answer]:
    """The answer of every key of the honours; none for more than 14 tiles."""
    units = [5 ** (6 - i) for i in range(7)]
    wins, some = [0] * 5**7, [0] * 5**7
    wins[0], some[0] = WILD_WIN, WILD_COST
    answers: list[Answer] = []
    for key in range(5**7):
        tiles = sum(digits(key, 7))
        if tiles > MOST_TILES:
            answers.append((0, 0, 0))
            continue
        if key:
            kind = next(i for i in range(7) if key >= units[i])
            one = units[kind]
            ways, costs = alike(
                0, some[key - one], key // one, wins, some, key, one, dragon=kind >= 4
            )
            wins[key], some[key] = ways & ANY_WIN, costs & ANY_COST
        answers.append((tiles % 3, wins[key], some[key]))
    return answers


def word(answer: Answer, pair: int, more: int) -> int:
    """What is added up over the suits (mj_row)."""
    left, ways, _ = answer
    wilds = (2 * pair - left) % 3 + 3 * more
    flags = ways >> WILD * wilds + PAIR * pair & 15
    with_more = ways >> WILD * (wilds + 3) + PAIR * pair & 15
    run, triplet, both = flags >> 1 & 1, flags >> 2 & 1, flags >> 3
    lacking = 0 if flags else 1 if with_more else 3
    return triplet | run << 4 | (run | triplet) << 8 | both << 12 | lacking << 16 | wilds << 20


def row(answer: Answer) -> str:
    _, ways, some = answer
    sums = ",".join(
        "{" + ",".join(f"{word(answer, pair, more):#x}" for more in range(2)) + "}"
        for pair in range(2)
    )
    costs = ",".join(str(lowest(some >> SET * i & 0xFFFF)) for i in range(10))
    least = min((w for w in range(MOST_WILD + 1) if ways >> WILD * w & 255), default=5)
    return f"{{{{{sums}}},{{{costs}}},{least}}}"


def lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1 if bits else 14


def classes(answers: list[Answer]) -> tuple[list[int], list[Answer]]:
    """The row of every answer, and the answer of every row."""
    rows: dict[Answer, int] = {}
    found = [rows.setdefault(answer, len(rows)) for answer in answers]
    assert len(rows) <= 256, len(rows)
    return found, list(rows)


def meld_counters(code: int) -> int:
    """The MJ_M_ counters of a meld's byte; 0 for what is none."""
    form, kind = divmod(code - 1, 34)
    suit, rank = divmod(kind, 9)
    if not 0 <= form < 5 or (form == 0 and (suit == 3 or rank > 6)):
        return 0
    has = [suit == 0, suit == 1, suit == 2]
    if form == 0:
        has += [rank in (0, 6), True, True, False, False, False, True]
    else:
        yao = suit == 3 or rank in (0, 8)
        has += [yao, not yao, False, True, form >= 2, kind >= 31, form != 4]
    return sum(1 << 4 * i for i, true in enumerate([*has, True]) if true)


def meld_tiles(code: int) -> list[int]:
    """Counts of the 34 kinds in a meld; five of one, too many for any hand, where it is none."""
    counts = [0] * 34
    if code and not meld_counters(code):
        counts[0] = 5
    elif code:
        form, kind = divmod(code - 1, 34)
        for i in range(3):
            counts[kind + i * (form == 0)] += 1
        counts[kind] += form >= 2
    return counts


def words(counts: list[int]) -> str:
    """Counts as an mj_words."""
    parts = [*(counts[at : at + 8] for at in (0, 9, 18, 26)), [counts[8], counts[17]]]
    return "{" + ",".join(f"0x{int.from_bytes(bytes(p), 'little'):x}ull" for p in parts) + "}"


def write(out: TextIO) -> None:
    order = sorted(range(HIGH), key=lambda b: sum(digits(b, 5)))
    rank = [0] * HIGH
    for place, b in enumerate(order):
        rank[b] = place
    fitting = [sum(sum(digits(b, 5)) <= most for b in range(HIGH)) for most in range(15)]
    sizes = [
        fitting[MOST_TILES - sum(digits(a, 4))] if sum(digits(a, 4)) <= MOST_TILES else 0
        for a in range(LOW)
    ]
    first = [0, *accumulate(sizes)][:LOW]

    def array(ctype: str, name: str, values: list[int], per_line: int = 32) -> None:
        out.write(f"static const {ctype} {name}[{len(values)}] = {{\n")
        for i in range(0, len(values), per_line):
            out.write(",".join(map(str, values[i : i + per_line])) + ",\n")
        out.write("};\n")

    out.write('/* Made by csrc/tables/mahjong.py. */\n#include "mahjong.h"\n')
    array("uint32_t", "mj_first", first)
    array("uint16_t", "mj_rank", rank)
    for name, answers in (("suit", suit_answers(order)), ("honour", honour_answers())):
        found, rows = classes(answers)
        array("uint8_t", f"mj_{name}_class", found)
        out.write(f"static const mj_row mj_{name}_rows[{len(rows)}] = {{\n")
        out.writelines(f"{row(answer)},\n" for answer in rows)
        out.write("};\n")

    codes = range(256)
    array("uint64_t", "mj_meld", [meld_counters(code) for code in codes], 8)
    out.write(f"static const mj_words mj_meld_words[{len(codes)}] = {{\n")
    out.writelines(f"{words(meld_tiles(code))},\n" for code in codes)
    # Row k keeps all but kind k, row 34 all.
    out.write("};\nstatic const mj_words mj_keep[35] = {\n")
    out.writelines(f"{words([255 * (k != kind) for k in range(34)])},\n" for kind in range(35))
    out.write("};\n")
