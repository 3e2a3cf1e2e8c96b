"""The 鞍山麻将 kernel: winning, reading and judging hands, on one table of suit keys."""

cimport cython
from cpython.bytes cimport PyBytes_AsString
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from qipai._core.batch cimport Rows, extras, hands, row_work, spread, thread_count, writable
from qipai._core.bits cimport qp_ctz64, qp_popcount
from qipai._core.melds cimport add_melds, meld_count, melds_of, mj_has, mj_meld
from qipai._core.numbers cimport whole_number
from qipai._core.tiles cimport kind_of, kind_set, kind_text, tile_counts

from qipai.rules.mahjong import Rules

cdef extern from "mahjong.h" nogil:
    enum:
        MJ_M_SUIT, MJ_M_YAO, MJ_M_MIDDLE, MJ_M_RUN, MJ_M_TRIPLET, MJ_M_KONG, MJ_M_DRAGON, MJ_M_OPEN
        MJ_M_MELDS
        MJ_W_TRIPLET, MJ_W_RUN, MJ_W_EITHER, MJ_W_BOTH, MJ_W_LACKS, MJ_W_WILD
    ctypedef struct mj_words:
        uint64_t m
        uint64_t p
        uint64_t s
        uint64_t z
        uint64_t nines
    ctypedef struct mj_row:
        uint32_t word[2][2]
        uint8_t cost[10]
        uint8_t least
    enum:
        MJ_TRIPLET, MJ_PAIR, MJ_RUN, MJ_GROUPS
    ctypedef struct mj_group:
        uint8_t take[3]
        uint8_t wilds
        uint8_t form
        uint8_t lower
    const mj_group *mj_groups
    uint64_t MJ_WAY
    uint64_t qp_load64(const uint8_t *p) noexcept
    mj_words mj_load(const uint8_t *counts, const mj_words *keep) noexcept
    int mj_size(const mj_words *words) noexcept
    bint mj_within(const mj_words *words) noexcept
    void mj_add(mj_words *words, const mj_words *more) noexcept
    bint mj_only(const mj_words *words, const mj_words *keep) noexcept
    uint64_t mj_digits(uint64_t bytes) noexcept
    int mj_odd(const mj_words *words) noexcept
    int mj_bytes_used(uint32_t melds) noexcept
    bint mj_any_middle(const mj_words *words) noexcept
    bint mj_any_yao(const mj_words *words) noexcept
    bint mj_any_four(const mj_words *words) noexcept
    int mj_suits(const mj_words *words) noexcept

cdef extern from "mahjong_table.h" nogil:
    const uint32_t *mj_first
    const uint16_t *mj_rank
    const uint8_t *mj_suit_class
    const uint8_t *mj_honour_class
    const mj_row *mj_suit_rows
    const mj_row *mj_honour_rows
    const mj_words *mj_meld_words
    const mj_words *mj_keep

cdef enum:
    TILES = 14
    DRAGONS = 31
    NO_WILD = 255  # in arrays

cdef object DEFAULT = Rules.anshan()
cdef mj_rules ANSHAN
flat_rules(DEFAULT, &ANSHAN)


# Looking at a hand -----------------------------------------------------------------------------

cdef struct look:
    mj_words words  # of the natural tiles
    int wilds
    int melds
    uint64_t melded  # what the melds have (MJ_M_)
    const mj_row *row[4]


cdef inline const mj_row *suit_row(uint64_t eight, int nine) noexcept nogil:
    cdef uint64_t digits = mj_digits(eight)
    return &mj_suit_rows[mj_suit_class[
        mj_first[digits & 0xffff] + mj_rank[5 * (digits >> 32) + nine]]]


cdef inline const mj_row *honour_row(uint64_t z) noexcept nogil:
    """The lowest byte, which is the 9s, does not count."""
    cdef uint64_t digits = mj_digits(z & ~<uint64_t> 255)
    return &mj_honour_rows[mj_honour_class[625 * (digits & 0xffff) + (digits >> 32)]]


cdef inline void look_at(const uint8_t *counts, uint32_t melds, int wild,
                         look *hand) noexcept nogil:
    hand.words = mj_load(counts, &mj_keep[wild if wild >= 0 else <int> MJ_KINDS])
    hand.wilds = counts[wild] if wild >= 0 else 0
    hand.row[0] = suit_row(hand.words.m, hand.words.nines & 255)
    hand.row[1] = suit_row(hand.words.p, hand.words.nines >> 8)
    hand.row[2] = suit_row(hand.words.s, hand.words.z & 255)
    hand.row[3] = honour_row(hand.words.z)
    hand.melded = 0
    if melds:
        hand.melded = (mj_meld[melds & 255] + mj_meld[melds >> 8 & 255]
                       + mj_meld[melds >> 16 & 255] + mj_meld[melds >> 24])
    hand.melds = mj_has(hand.melded, MJ_M_MELDS)


cdef inline int suits_held(const look *hand) noexcept nogil:
    """The suits of the natural tiles, melds included, as bits."""
    cdef int in_melds = ((mj_has(hand.melded, MJ_M_SUIT) != 0)
                         | (mj_has(hand.melded, MJ_M_SUIT + 4) != 0) << 1
                         | (mj_has(hand.melded, MJ_M_SUIT + 8) != 0) << 2)
    return mj_suits(&hand.words) | in_melds


cdef inline bint yao_held(const look *hand) noexcept nogil:
    return mj_any_yao(&hand.words) | (mj_has(hand.melded, MJ_M_YAO) != 0)


cdef inline bint suits_and_yao(const look *hand) noexcept nogil:
    """AM-23, AM-24."""
    return (suits_held(hand) == 7) & yao_held(hand)


cdef inline uint32_t meld_word(uint64_t melded) noexcept nogil:
    """What the melds add to the sum of the words: a suit of their own."""
    cdef uint32_t run = mj_has(melded, MJ_M_RUN) != 0, triplet = mj_has(melded, MJ_M_TRIPLET) != 0
    return (triplet << MJ_W_TRIPLET | run << MJ_W_RUN | (run | triplet) << MJ_W_EITHER
            | (run & triplet) << MJ_W_BOTH)


cdef inline bint has_both(uint32_t total) noexcept nogil:
    """Whether the suits of this sum of words can hold a run and 有碰 together: one suit has both,
    or two different suits have one each."""
    return (total & 15 << MJ_W_BOTH != 0) | (total & 15 << MJ_W_RUN != 0) & (
        total & 15 << MJ_W_TRIPLET != 0) & (total & 15 << MJ_W_EITHER > 1 << MJ_W_EITHER)


cdef inline bint sets_win(const look *hand) noexcept nogil:
    """Four sets and a pair with AM-21 and AM-22."""
    cdef uint32_t none, total, here
    cdef uint32_t exact = 16 * hand.wilds, three_less = 16 * (hand.wilds - 3)
    cdef int i, j
    cdef bint found = False
    none = (hand.row[0].word[0][0] + hand.row[1].word[0][0] + hand.row[2].word[0][0]
            + hand.row[3].word[0][0] + meld_word(hand.melded))
    for i in range(4):  # the pair is here; nothing is lacking
        total = none - hand.row[i].word[0][0] + hand.row[i].word[1][0]
        found |= (total >> MJ_W_LACKS == exact) & has_both(total)
    if found or hand.wilds < 3:
        return found
    for i in range(4):
        total = none - hand.row[i].word[0][0] + hand.row[i].word[1][0]
        if total >> MJ_W_LACKS & ~1 == three_less:
            for j in range(4):  # three more 混 are here
                here = total - hand.row[j].word[i == j][0] + hand.row[j].word[i == j][1]
                found |= (here >> MJ_W_LACKS == exact) & has_both(here)
    return found


cdef inline bint sets_complete(const look *hand) noexcept nogil:
    """Four sets and a pair. Three 混 left over are a set, or help the one suit that lacks them."""
    cdef uint32_t none, total
    cdef uint32_t exact = 16 * hand.wilds, three_less = 16 * (hand.wilds - 3)
    cdef int i
    cdef bint found = False
    none = (hand.row[0].word[0][0] + hand.row[1].word[0][0] + hand.row[2].word[0][0]
            + hand.row[3].word[0][0])
    for i in range(4):  # the pair is here
        total = (none - hand.row[i].word[0][0] + hand.row[i].word[1][0]) >> MJ_W_LACKS
        found |= (total == exact) | (total & ~1 == three_less)
    return found


cdef inline bint seven_pairs(const look *hand) noexcept nogil:
    """AM-25: closed; a 混 for every kind held an odd number of times, and the others pair up."""
    return (hand.melds == 0) & (mj_odd(&hand.words) <= hand.wilds)


cdef bint is_shisanyao(const uint8_t *counts, int wild, const look *hand,
                       bint classic) noexcept nogil:
    """AM-27. At most four of the 14 tiles are 混, so some are natural."""
    cdef int kind, kinds = 0
    if mj_any_middle(&hand.words) or mj_has(hand.melded, MJ_M_MIDDLE):
        return False
    if not classic:
        return True
    for kind in range(MJ_KINDS):
        kinds += counts[kind] != 0 and kind != wild
    return hand.melds == 0 and TILES - hand.wilds - kinds <= 1


cdef inline bint winning(const uint8_t *counts, uint32_t melds, int wild,
                         bint classic) noexcept nogil:
    cdef look hand
    look_at(counts, melds, wild, &hand)
    return (seven_pairs(&hand) | suits_and_yao(&hand) & sets_win(&hand)) or is_shisanyao(
        counts, wild, &hand, classic)


cdef inline bint complete(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil:
    cdef look hand
    look_at(counts, melds, wild, &hand)
    return seven_pairs(&hand) | sets_complete(&hand)


cdef bint wins(const uint8_t *counts, uint32_t melds, int wild, bint classic) noexcept nogil:
    return winning(counts, melds, wild, classic)


cdef bint completes(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil:
    return complete(counts, melds, wild)


cdef uint64_t wait_set(const uint8_t *counts, uint32_t melds, int wild,
                       bint classic) noexcept nogil:
    cdef uint8_t hand[34]
    cdef uint8_t held[34]
    cdef uint64_t kinds = 0
    cdef int kind
    memcpy(hand, counts, MJ_KINDS)
    memcpy(held, counts, MJ_KINDS)
    add_melds(melds, held)
    for kind in range(MJ_KINDS):
        if held[kind] < 4:
            hand[kind] += 1
            if winning(hand, melds, wild, classic):
                kinds |= <uint64_t> 1 << kind
            hand[kind] -= 1
    return kinds


# The reading with most 番 ----------------------------------------------------------------------
#
# The natural tiles of each suit are parted into groups, each filled up with 混. Of the ways with
# the same profile (混 used, a pair or none, conditions met, natural triplets) one is kept: that of
# most 番, then of the smallest sets, then of the smallest pair. Since a sum of 番 and a list of
# sets in order of suits can be compared suit by suit, the best whole is made of such ways.
#
# A way is a uint64 that is larger where it is better: the highest bit but one is always set; then
# come 番; the sets, each as 255 less its number, in four bytes from the smallest on (so that a list
# that goes on in this suit is before one that ends); and 255 less the kind of the pair, or 0.

cdef enum:
    WAY_FAN = 48
    WAY_SETS = 16
    PROFILES = 160

cdef struct ways:
    int found
    uint8_t profile[PROFILES]  # of those found: 40 * triplets + 8 * wilds + 4 * pair + flags
    uint8_t sets[PROFILES]     # by profile
    uint64_t best[PROFILES]    # by profile, 0 where there is none

cdef struct parting:
    uint8_t count[11]  # natural tiles of the suit, and two that are always 0
    uint8_t set[4]     # those made so far
    int first          # kind of count[0]
    int kinds
    int most           # 混 that the other suits leave
    int live           # conditions that the melds have not met: 1 a run, 2 有碰
    int triplets       # natural ones that are counted, at most
    ways *out


cdef inline void add_way(ways *out, int profile, int sets, uint64_t way) noexcept nogil:
    if out.best[profile] == 0:
        out.profile[out.found] = profile
        out.sets[profile] = sets
        out.found += 1
    if out.best[profile] < way:
        out.best[profile] = way


cdef inline void no_ways(ways *out, int triplets) noexcept nogil:
    out.found = 0
    memset(out.best, 0, 40 * (triplets + 1) * sizeof(uint64_t))


cdef void keep_way(const parting *p, int sets, int pair, int profile, int fan) noexcept nogil:
    """Keep what the groups make, their sets put in order."""
    cdef uint8_t order[4]
    cdef uint64_t way = MJ_WAY | <uint64_t> fan << WAY_FAN
    cdef int i, j
    for i in range(sets):
        j = i
        while j > 0 and order[j - 1] > p.set[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = p.set[i]
    for i in range(sets):
        way |= <uint64_t> (255 - order[i]) << WAY_SETS + 8 * (3 - i)
    if pair >= 0:
        way |= 255 - pair
    add_way(p.out, profile, sets, way)


cdef void part(parting *p, int at, int group, int sets, int pair, int wilds, int flags,
               int triplets, int fan) noexcept nogil:
    """Part the tiles from rank `at` on; the lowest goes into groups from `group` on."""
    cdef const mj_group *g
    cdef int i, kind, now_flags, now_triplets, now_fan, now_pair, now_sets
    while at < p.kinds and p.count[at] == 0:
        at += 1
        group = 0
    if at == p.kinds:
        keep_way(p, sets, pair, 40 * triplets + 8 * wilds + 4 * (pair >= 0) + flags, fan)
        return
    kind = p.first + at
    for i in range(group, MJ_GROUPS):
        g = &mj_groups[i]
        if (p.count[at] < g.take[0] or p.count[at + 1] < g.take[1] or p.count[at + 2] < g.take[2]
                or wilds + g.wilds > p.most):
            continue
        now_flags, now_triplets, now_fan, now_pair, now_sets = flags, triplets, fan, pair, sets
        if g.form == MJ_PAIR:
            if pair >= 0:
                continue
            now_pair = kind
            if kind >= DRAGONS:
                now_flags |= 2 & p.live  # AM-21
            if g.wilds == 0:
                now_fan += is_two_or_eight(kind)  # AM-38
        else:
            if g.form == MJ_TRIPLET:
                p.set[sets] = 2 * kind
                now_flags |= 2 & p.live
                if g.wilds == 0:
                    now_fan += kind >= DRAGONS  # AM-35
                    now_triplets += triplets < p.triplets
            elif kind < 27:
                p.set[sets] = 2 * (p.first + (at - g.lower if at > g.lower else 0)) + 1
                now_flags |= 1 & p.live
            else:
                continue
            now_sets += 1
        p.count[at] -= g.take[0]
        p.count[at + 1] -= g.take[1]
        p.count[at + 2] -= g.take[2]
        part(p, at, i, now_sets, now_pair, wilds + g.wilds, now_flags, now_triplets, now_fan)
        p.count[at] += g.take[0]
        p.count[at + 1] += g.take[1]
        p.count[at + 2] += g.take[2]


cdef inline bint is_two_or_eight(int kind) noexcept nogil:
    return kind < 27 and (kind % 9 == 1 or kind % 9 == 7)


cdef void join(const ways *low, const ways *high, int most, int triplets, ways *out) noexcept nogil:
    """Every way of the lower suits beside every way of the next, with at most so many 混."""
    cdef int i, j, a, b, count
    cdef uint64_t first, second
    no_ways(out, triplets)
    for i in range(low.found):
        a = low.profile[i]
        first = low.best[a]
        for j in range(high.found):
            b = high.profile[j]
            # 混 and the pair add up without a carry as long as neither is too many.
            if a & b & 4 or (a % 40 >> 3) + (b % 40 >> 3) > most:
                continue
            count = a // 40 + b // 40
            if count > triplets:
                count = triplets
            second = high.best[b]
            second = ((second >> WAY_FAN) << WAY_FAN | second & 255
                      | ((second & <uint64_t> 0xffffffff << WAY_SETS) >> 8 * low.sets[a]
                         & <uint64_t> 0xffffffff << WAY_SETS))
            add_way(out, 40 * count + (a % 40 & 60) + (b % 40 & 60) + ((a | b) & 3),
                    low.sets[a] + high.sets[b], first + (second & ~MJ_WAY))


cdef bint best_sets(const uint8_t *counts, const look *hand, int wild, bint count_triplets,
                    uint64_t *best) noexcept nogil:
    """Find the best way to read a hand that wins as four sets and a pair; whether it has three
    natural triplets, melds included, where they count (AM-41)."""
    cdef parting p
    cdef ways one, two, suit_ways
    cdef ways *whole = &one
    cdef ways *wider = &two
    cdef int i, suit, fan, later = 0, best_fan = -1, best_total = -1, wanted = 0, held = 0
    cdef int present = mj_suits(&hand.words) | (hand.words.z >> 8 != 0) << 3
    cdef bint enough, sancha = False
    cdef uint64_t way, found = 0
    for i in range(4):
        later += hand.row[i].least
    cdef int slack = hand.wilds - later
    p.live = (mj_has(hand.melded, MJ_M_RUN) == 0) | (mj_has(hand.melded, MJ_M_TRIPLET) == 0) << 1
    p.triplets = 0
    if count_triplets and mj_has(hand.melded, MJ_M_TRIPLET) < 3:
        wanted = 3 - mj_has(hand.melded, MJ_M_TRIPLET)
        for i in range(MJ_KINDS):
            held += counts[i] >= 3 and i != wild
        if held >= wanted:
            p.triplets = wanted
    p.out = &suit_ways
    no_ways(whole, p.triplets)
    # 混 alone stand for 111m or 11m, the smallest (AM-42).
    add_way(whole, 0, 0, MJ_WAY)
    if hand.wilds >= 2:
        add_way(whole, 8 * 2 + 4, 0, MJ_WAY | 255)
    if hand.wilds >= 3:
        add_way(whole, 8 * 3, 1, MJ_WAY | <uint64_t> 255 << WAY_SETS + 24)
    for suit in range(4):
        later -= hand.row[suit].least
        if not present >> suit & 1:
            continue
        p.first, p.kinds = 9 * suit, 9 if suit < 3 else 7
        memset(p.count, 0, 11)
        memcpy(p.count, counts + p.first, p.kinds)
        if p.first <= wild < p.first + p.kinds:
            p.count[wild - p.first] = 0
        p.most = slack + hand.row[suit].least
        no_ways(&suit_ways, p.triplets)
        part(&p, 0, 0, 0, -1, 0, 0, 0, 0)
        join(whole, &suit_ways, hand.wilds - later, p.triplets, wider)
        whole, wider = wider, whole
    for i in range(whole.found):
        if whole.profile[i] % 40 != 8 * hand.wilds + 4 + p.live:
            continue
        way = whole.best[whole.profile[i]]
        fan = way >> WAY_FAN & 255
        enough = count_triplets and whole.profile[i] // 40 == wanted
        # Most 番, then the smallest sets and pair; then the 番 of the earlier clause (AM-38, 41).
        if (fan + enough > best_total or fan + enough == best_total and (
                way << 16 > found << 16 or way << 16 == found << 16 and fan > best_fan)):
            best_total, best_fan, found, sancha = fan + enough, fan, way, enough
    best[0] = found
    return sancha


cdef inline void set_wilds(mj_win *win, const uint8_t *need, const uint8_t *counts,
                           int wild) noexcept nogil:
    """What the 混 stand for: what the reading needs and the natural tiles do not give."""
    cdef int kind, i
    win.wilds = 0
    for kind in range(MJ_KINDS):
        for i in range(need[kind] - (counts[kind] if kind != wild else 0)):
            win.wild[win.wilds] = kind
            win.wilds += 1


cdef void read_sets(const uint8_t *counts, int wild, uint64_t way, mj_win *win) noexcept nogil:
    """The sets, pair, 混 and 番 of a way."""
    cdef uint8_t need[34]
    cdef int i, number, natural = 0
    memset(need, 0, MJ_KINDS)
    for i in range(4):
        number = way >> WAY_SETS + 8 * (3 - i) & 255
        if number:
            number = 255 - number
            win.set[win.sets] = number
            win.sets += 1
            need[number >> 1] += 1 if number & 1 else 3
            if number & 1:
                need[(number >> 1) + 1] += 1
                need[(number >> 1) + 2] += 1
            elif number >= 2 * DRAGONS and (i == 0 or win.set[win.sets - 2] != number):
                # Where there are three natural ones, the best way has them together.
                natural += counts[number >> 1] >= 3 and number >> 1 != wild
    win.pair = 255 - (way & 255)
    need[win.pair] += 2
    set_wilds(win, need, counts, wild)
    win.fans[MJ_DAGEDA] += natural  # AM-35
    win.fans[MJ_ERBAJIANG] = (way >> WAY_FAN & 255) - natural  # AM-38


cdef void read_pairs(const uint8_t *counts, int wild, mj_win *win) noexcept nogil:
    """Seven pairs: a 混 beside every odd tile, the others 11m (AM-42)."""
    cdef uint8_t need[34]
    cdef int kind, i, spare = 7
    for kind in range(MJ_KINDS):
        need[kind] = (counts[kind] + 1 if kind != wild else 0) & ~1
        spare -= need[kind] >> 1
        if is_two_or_eight(kind) and kind != wild and counts[kind] >= 2:
            win.fans[MJ_ERBA] = 1  # AM-40
    need[0] += 2 * spare
    for kind in range(MJ_KINDS):
        for i in range(need[kind] >> 1):
            win.set[win.sets] = 2 * kind
            win.sets += 1
    set_wilds(win, need, counts, wild)


cdef void read_classic(const uint8_t *counts, int wild, mj_win *win) noexcept nogil:
    """The thirteen kinds and the double, which is 1m where a 混 can choose (AM-27)."""
    cdef uint8_t need[34]
    cdef int kind, doubled = 0
    memset(need, 0, MJ_KINDS)
    for kind in range(MJ_KINDS):
        if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
            need[kind] = 1
            if counts[kind] == 2 and kind != wild:
                doubled = kind
    need[doubled] += 1
    win.pair = doubled
    set_wilds(win, need, counts, wild)


cdef void keep_better(mj_win *win, const mj_win *other) noexcept nogil:
    """Take the other reading if it has more 番."""
    cdef mj_win added = other[0]
    cdef int i
    for i in range(MJ_FANS):
        added.total += added.fans[i]
    if win.shape == MJ_NO_WIN or added.total > win.total:
        win[0] = added


cdef bint judge(const uint8_t *counts, uint32_t melds, int wild, const mj_rules *rules,
                uint64_t gun, bint after_kong, mj_win *win) noexcept nogil:
    cdef look hand
    cdef mj_win common, one  # what every reading has, and a reading
    cdef uint8_t held[34]  # natural tiles, melds included
    cdef uint64_t way
    cdef int kind, triplets = 0
    memset(win, 0, sizeof(mj_win))
    look_at(counts, melds, wild, &hand)
    cdef bint pairs = seven_pairs(&hand)
    cdef bint sets = suits_and_yao(&hand) and sets_win(&hand)
    cdef bint yao = is_shisanyao(counts, wild, &hand, rules.classic)
    if not (pairs or sets or yao):
        return False

    memcpy(held, counts, MJ_KINDS)
    if wild >= 0:
        held[wild] = 0
    add_melds(melds, held)
    memset(&common, 0, sizeof(mj_win))
    common.pair = -1
    common.fans[MJ_QIONG] = hand.wilds == 0  # AM-32
    common.fans[MJ_ZHANLI] = mj_has(hand.melded, MJ_M_OPEN) == 0  # AM-33
    for kind in range(MJ_KINDS):
        common.fans[MJ_SIGUIYI] += held[kind] == 4  # AM-36
        if gun >> kind & 1 and kind != wild:
            common.fans[MJ_GUN] += held[kind]  # AM-37
    common.fans[MJ_SIGUIYI] -= mj_has(hand.melded, MJ_M_KONG)

    # AM-42: of equal readings in this order.
    if sets:
        one = common
        one.shape = MJ_FOUR_SETS
        one.fans[MJ_KONG] = mj_has(hand.melded, MJ_M_KONG)  # AM-34
        one.fans[MJ_AFTER_KONG] = after_kong  # AM-39
        one.fans[MJ_DAGEDA] = mj_has(hand.melded, MJ_M_DRAGON)
        one.fans[MJ_SANCHA] = best_sets(counts, &hand, wild, not rules.sancha_yao, &way)  # AM-41
        read_sets(counts, wild, way, &one)
        keep_better(win, &one)
    if pairs:
        one = common
        one.shape = MJ_SEVEN_PAIRS
        one.fans[MJ_QIDUI] = 1  # AM-39
        read_pairs(counts, wild, &one)
        keep_better(win, &one)
    if yao:
        one = common
        one.shape = MJ_ALL_YAO
        one.fans[MJ_SHISANYAO] = 1  # AM-39
        one.fans[MJ_KONG] = mj_has(hand.melded, MJ_M_KONG)
        one.fans[MJ_AFTER_KONG] = after_kong
        for kind in range(MJ_KINDS):
            triplets += held[kind] >= 3
            one.fans[MJ_DAGEDA] += kind >= DRAGONS and held[kind] >= 3
        one.fans[MJ_SANCHA] = triplets >= 3
        one.fans[MJ_QIDUI] = pairs
        if rules.classic:
            read_classic(counts, wild, &one)
        keep_better(win, &one)
    return True


cdef void pay(int total, int winner, int dealer, int discarder, const mj_rules *rules,
              int64_t *amounts) noexcept nogil:
    cdef int seat, fan
    amounts[winner] = 0
    for seat in range(4):
        if seat == winner:
            continue
        # AM-30, AM-31
        fan = total + (winner == dealer or not rules.dealer_wins and seat == dealer)
        fan += discarder < 0 or seat == discarder
        if rules.max_fan and fan > rules.max_fan:
            fan = rules.max_fan
        amounts[seat] = -(<int64_t> rules.stake << fan)
        amounts[winner] -= amounts[seat]


# Tiles missing ---------------------------------------------------------------------------------

cdef inline int sets_missing(const uint8_t **cost, int sets) noexcept nogil:
    """Tiles missing to so many sets and a pair, over the four suits."""
    cdef int alone[5]
    cdef int paired[5]
    cdef int next_alone[5]
    cdef int next_paired[5]
    cdef int suit, i, j
    cdef uint8_t here[10]
    memcpy(here, cost[0], 10)
    for i in range(sets + 1):
        alone[i], paired[i] = here[i], here[5 + i]
    for suit in range(1, 4):
        memcpy(here, cost[suit], 10)
        for i in range(sets + 1):
            next_alone[i] = alone[i] + here[0]
            next_paired[i] = min(alone[i] + here[5], paired[i] + here[0])
            for j in range(1, i + 1):
                next_alone[i] = min(next_alone[i], alone[i - j] + here[j])
                next_paired[i] = min(next_paired[i], min(
                    alone[i - j] + here[5 + j], paired[i - j] + here[j]))
        memcpy(alone, next_alone, sizeof(alone))
        memcpy(paired, next_paired, sizeof(paired))
    return paired[sets]


cdef inline int pairs_missing(const uint8_t *counts, int wild) noexcept nogil:
    """Tiles missing to seven pairs; four alike are two."""
    cdef int kind, pairs = 0, odd = 0
    for kind in range(MJ_KINDS):
        if kind != wild:
            pairs += counts[kind] >> 1
            odd += counts[kind] & 1
    return 7 - pairs + max(0, 7 - pairs - odd)


# The table's costs let a kind be used a fifth time. Below, tiles must exist: of each kind no more
# than `cap` are used, but for up to `spare` places that are left to 混 still to be drawn.

cdef enum:
    FAR = 99


cdef void capped_costs(const uint8_t *count, const uint8_t *cap, int kinds, int spare,
                       uint8_t *out) noexcept nogil:
    """Tiles missing in one suit, out[10 * places left to 混 + 5 * pair + sets].

    From kind to kind; the state is the runs that still go on, begun two kinds before and one. Three
    equal runs are three triplets, so two are enough."""
    cdef uint8_t states[2][3][3][50]
    cdef int at, one, two, three, triplets, pair, need, missing, over, f, p, m, there
    cdef int now = 0
    cdef const uint8_t *old
    cdef uint8_t *new
    memset(states, FAR, sizeof(states))
    states[0][0][0][0] = 0
    for at in range(kinds):
        memset(states[1 - now], FAR, sizeof(states[0]))
        for one in range(3):
            for two in range(3):
                old = states[now][one][two]
                for three in range(3 if kinds == 9 and at < 7 else 1):
                    new = states[1 - now][two][three]
                    for triplets in range(3):
                        for pair in range(2):
                            need = one + two + three + 3 * triplets + 2 * pair
                            over = max(0, need - cap[at])
                            missing = max(0, need - count[at])
                            for f in range(spare + 1 - over):
                                for p in range(2 - pair):
                                    there = 10 * (f + over) + 5 * (p + pair) + three + triplets
                                    for m in range(5 - three - triplets):
                                        new[there + m] = min(
                                            new[there + m], old[10 * f + 5 * p + m] + missing)
        now = 1 - now
    memcpy(out, states[now][0][0], 10 * (spare + 1))
    # A new pair or set can always be made of a kind of which no tile is held.
    for f in range(spare + 1):
        new = out + 10 * f
        new[5] = min(new[5], new[0] + 2)
        for m in range(1, 5):
            new[m] = min(new[m], new[m - 1] + 3)
            new[5 + m] = min(new[5 + m], min(new[4 + m] + 3, new[m] + 2))


cdef int spared_missing(const uint8_t *natural, const uint8_t *cap, int sets) noexcept nogil:
    """Tiles missing to so many sets and a pair, of which up to four 混 are beyond the caps."""
    cdef uint8_t here[50]
    cdef uint8_t whole[50]
    cdef uint8_t wider[50]
    cdef int suit, f, g, p, q, m, n, there, best = FAR
    memset(whole, FAR, sizeof(whole))
    whole[0] = 0
    for suit in range(4):
        capped_costs(natural + 9 * suit, cap + 9 * suit, 9 if suit < 3 else 7, 4, here)
        memset(wider, FAR, sizeof(wider))
        for f in range(5):
            for g in range(5 - f):
                for p in range(2):
                    for q in range(2 - p):
                        for m in range(5):
                            for n in range(5 - m):
                                there = 10 * (f + g) + 5 * (p + q) + m + n
                                wider[there] = min(wider[there], whole[10 * f + 5 * p + m]
                                                   + here[10 * g + 5 * q + n])
        memcpy(whole, wider, sizeof(whole))
    for f in range(5):
        best = min(best, whole[10 * f + 5 + sets])
    return best


cdef inline bint is_close(const uint8_t *natural, const uint8_t *melded, int kinds) noexcept nogil:
    """Whether the caps can tell in a suit: all four of a kind are held, or three are in melds, and
    natural tiles are near. While one more can be drawn of each kind, and two can be used, the table
    is right (tests/mahjong/prove_kernel.py goes through all keys)."""
    cdef int kind, other, reach = 2 if kinds == 9 else 0
    for kind in range(kinds):
        if natural[kind] + melded[kind] == 4 or melded[kind] == 3:
            for other in range(max(0, kind - reach), min(kinds, kind + reach + 1)):
                if natural[other]:
                    return True
    return False


cdef int existing_missing(const uint8_t *counts, uint32_t melds, int wild, const look *hand,
                          const uint8_t **cost, int loose) noexcept nogil:
    """Tiles missing to four sets and a pair that can be drawn; `loose` without a look at that."""
    cdef uint8_t natural[34]
    cdef uint8_t melded[34]
    cdef uint8_t cap[34]
    cdef uint8_t capped[4][10]
    cdef int suit, kind, kinds, strict
    cdef bint doubtful = False
    # What is beyond the caps is among the missing tiles: up to four can all be 混.
    if wild >= 0 and loose <= 4:
        return loose
    if melds == 0 and not mj_any_four(&hand.words):
        return loose
    memcpy(natural, counts, MJ_KINDS)
    memset(melded, 0, MJ_KINDS)
    add_melds(melds, melded)
    if wild >= 0:
        natural[wild] = 0
    for kind in range(MJ_KINDS):
        cap[kind] = 4 - melded[kind]
    for suit in range(4):
        kind, kinds = 9 * suit, 9 if suit < 3 else 7
        if is_close(natural + kind, melded + kind, kinds):
            capped_costs(natural + kind, cap + kind, kinds, 0, capped[suit])
            cost[suit] = capped[suit]
            doubtful = True
    if not doubtful:
        return loose
    strict = sets_missing(cost, 4 - hand.melds)
    if wild < 0 or strict == loose:
        return strict
    cap[wild] = 0
    return spared_missing(natural, cap, 4 - hand.melds)


cdef int tiles_away(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil:
    cdef look hand
    cdef const uint8_t *cost[4]
    cdef int suit, sets, pairs = FAR
    look_at(counts, melds, wild, &hand)
    for suit in range(4):
        cost[suit] = &hand.row[suit].cost[0]
    sets = sets_missing(cost, 4 - hand.melds)
    if hand.melds == 0:
        pairs = pairs_missing(counts, wild)
    if sets < pairs:
        sets = existing_missing(counts, melds, wild, &hand, cost, sets)
    return min(sets, pairs) - hand.wilds - 1


cdef int win_distance(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil:
    cdef look hand
    cdef const uint8_t *cost[4]
    cdef int suit, suits, sets
    look_at(counts, melds, wild, &hand)
    for suit in range(4):
        cost[suit] = &hand.row[suit].cost[0]
    sets = sets_missing(cost, 4 - hand.melds)
    suits = suits_held(&hand)
    for suit in range(3):
        sets += not suits >> suit & 1
    sets += not yao_held(&hand)
    if hand.melds == 0:
        sets = min(sets, pairs_missing(counts, wild))
    return sets - hand.wilds - 1


# A discard and a draw change one suit each, so the other suits are put together but once.

cdef struct joined:
    uint8_t alone[5]   # tiles missing to so many sets
    uint8_t paired[5]  # and a pair


cdef inline const mj_row *row_at(const uint8_t *natural, int suit) noexcept nogil:
    if suit < 3:
        return suit_row(qp_load64(natural + 9 * suit), natural[9 * suit + 8])
    return honour_row(qp_load64(natural + 26))


cdef inline joined with_suit(const joined *some, const mj_row *row, int sets) noexcept nogil:
    cdef joined wider
    cdef int i, j, alone, paired
    for i in range(sets + 1):
        alone = paired = FAR
        for j in range(i + 1):
            alone = min(alone, some.alone[i - j] + row.cost[j])
            paired = min(paired, min(some.alone[i - j] + row.cost[5 + j],
                                     some.paired[i - j] + row.cost[j]))
        wider.alone[i], wider.paired[i] = <uint8_t> alone, <uint8_t> paired
    return wider


cdef inline joined two_suits(const mj_row *one, const mj_row *other, int sets) noexcept nogil:
    cdef joined first
    memcpy(&first, one.cost, sizeof(joined))
    return with_suit(&first, other, sets)


cdef inline int missing_with(const joined *some, const mj_row *row, int sets) noexcept nogil:
    """Tiles missing to so many sets and a pair, with the last suit."""
    cdef int j, missing = FAR
    for j in range(sets + 1):
        missing = min(missing, min(some.alone[sets - j] + row.cost[5 + j],
                                   some.paired[sets - j] + row.cost[j]))
    return missing


cdef struct lacking:
    int suits      # of natural tiles, melds included: as bits, those of the honours as 8
    int yao        # how many
    int pairs      # natural ones
    int odd


cdef inline int win_lacks(const lacking *l, bint closed, int sets) noexcept nogil:
    """Tiles missing to a win, 混 not counted: `sets` with what AM-23 and AM-24 want, or pairs."""
    cdef int missing = sets + (3 - qp_popcount(l.suits & 7)) + (l.yao == 0)
    if closed:
        missing = min(missing, 7 - l.pairs + max(0, 7 - l.pairs - l.odd))
    return missing


cdef inline bint is_yao(int kind) noexcept nogil:
    return kind >= 27 or kind % 9 == 0 or kind % 9 == 8


cdef int best_discard(const uint8_t *counts, uint32_t melds, int wild, const uint8_t *seen,
                      int *away) noexcept nogil:
    cdef uint8_t natural[34]
    cdef uint8_t held[34]
    cdef int distance[34]
    cdef int in_suit[4]
    cdef const mj_row *drawn[34]  # the row of its suit with one tile more of a kind
    cdef const mj_row *row
    cdef joined beside[4][4]      # both suits but these two
    cdef joined others[4]         # all suits but this one
    cdef joined three
    cdef const joined *rest
    cdef lacking whole, less, more
    cdef look hand
    cdef int kind, draw, suit, at, other, sets, unseen, left, odd, most = -1, least = FAR
    cdef int best = wild
    cdef bint closed
    look_at(counts, melds, wild, &hand)
    sets, closed = 4 - hand.melds, hand.melds == 0
    memcpy(natural, counts, MJ_KINDS)
    memcpy(held, counts, MJ_KINDS)
    add_melds(melds, held)
    if wild >= 0:
        natural[wild] = 0
    memset(&whole, 0, sizeof(whole))
    memset(in_suit, 0, sizeof(in_suit))
    for suit in range(3):
        in_suit[suit] = mj_has(hand.melded, MJ_M_SUIT + 4 * suit)
    whole.yao = mj_has(hand.melded, MJ_M_YAO)
    for kind in range(MJ_KINDS):
        in_suit[kind // 9] += natural[kind]
        whole.yao += natural[kind] if is_yao(kind) else 0
        whole.pairs += natural[kind] >> 1
        whole.odd += natural[kind] & 1
    for suit in range(3):
        whole.suits |= (in_suit[suit] > 0) << suit
    for suit in range(3):
        for at in range(suit + 1, 4):
            other = 0 if suit else 1 if at > 1 else 2
            left = 6 - suit - at - other
            beside[suit][at] = two_suits(hand.row[other], hand.row[left], sets)
            beside[at][suit] = beside[suit][at]
    for suit in range(4):
        others[suit] = with_suit(&beside[suit][suit ^ 1], hand.row[suit ^ 1], sets)
    for kind in range(MJ_KINDS):
        distance[kind] = FAR
        if natural[kind]:
            suit = kind // 9
            less = without(&whole, natural[kind], in_suit[suit], kind)
            natural[kind] -= 1
            distance[kind] = win_lacks(
                &less, closed, missing_with(&others[suit], row_at(natural, suit), sets))
            natural[kind] += 1
            least = min(least, distance[kind])
        if away != NULL:
            away[kind] = distance[kind] - hand.wilds - 1
        if held[kind] + seen[kind] < 4 and kind != wild:
            natural[kind] += 1
            drawn[kind] = row_at(natural, kind // 9)
            natural[kind] -= 1
    for kind in range(MJ_KINDS):
        if distance[kind] > least or least == FAR:
            continue
        suit = kind // 9
        less = without(&whole, natural[kind], in_suit[suit], kind)
        natural[kind] -= 1
        row = row_at(natural, suit)
        unseen = 0
        for at in range(4):
            rest = &others[at]
            if at != suit:
                three = with_suit(&beside[suit][at], row, sets)
                rest = &three
            for draw in range(9 * at, 9 * at + (9 if at < 3 else 7)):
                left = 4 - held[draw] - seen[draw]
                if left <= 0:
                    continue
                if draw == wild:  # always of use
                    unseen += left
                    continue
                more = less
                odd = natural[draw] & 1
                more.suits |= 1 << at
                more.yao += is_yao(draw)
                more.pairs += odd
                more.odd += 1 - 2 * odd
                natural[draw] += 1
                if win_lacks(&more, closed, missing_with(
                        rest, drawn[draw] if at != suit else row_at(natural, at), sets)) < least:
                    unseen += left
                natural[draw] -= 1
        natural[kind] += 1
        if unseen >= most:  # of equals the last: honours go first
            most, best = unseen, kind
    return best


cdef inline lacking without(
    const lacking *whole, int count, int in_suit, int kind
) noexcept nogil:
    """What a hand lacks less a tile, of whose kind and suit there were so many."""
    cdef lacking less = whole[0]
    cdef int odd = count & 1
    less.suits &= ~((in_suit == 1) << kind // 9)
    less.yao -= is_yao(kind)
    less.pairs -= 1 - odd
    less.odd += 1 - 2 * odd
    return less


# What callers give -----------------------------------------------------------------------------

cdef struct given:
    uint8_t counts[34]
    uint32_t melds
    int wild


cdef inline mj_words meld_words(uint32_t melds) noexcept nogil:
    """The tiles of four melds."""
    cdef const mj_words *a = &mj_meld_words[melds & 255]
    cdef const mj_words *b = &mj_meld_words[melds >> 8 & 255]
    cdef const mj_words *c = &mj_meld_words[melds >> 16 & 255]
    cdef const mj_words *d = &mj_meld_words[melds >> 24]
    cdef mj_words sums
    sums.m = a.m + b.m + c.m + d.m
    sums.p = a.p + b.p + c.p + d.p
    sums.s = a.s + b.s + c.s + d.s
    sums.z = a.z + b.z + c.z + d.z
    sums.nines = a.nines + b.nines + c.nines + d.nines
    return sums


cdef inline bint fits(const uint8_t *counts, uint32_t melds, int wild, int least,
                      int most) noexcept nogil:
    """Whether this is a hand of least..most tiles, three counted for each meld: bytes that are
    melds, none of 混, and no kind five times."""
    cdef mj_words held = mj_load(counts, &mj_keep[<int> MJ_KINDS])
    cdef mj_words melded
    cdef int size = mj_size(&held)
    if not mj_within(&held) or wild >= MJ_KINDS:
        return False
    if melds:
        melded = meld_words(melds)  # a byte that is no meld has five of a kind
        mj_add(&held, &melded)
        if not (mj_only(&melded, &mj_keep[wild if wild >= 0 else <int> MJ_KINDS])
                & mj_within(&held)):
            return False
        size += 3 * mj_bytes_used(melds)
    return least <= size <= most


cdef int refuse(const uint8_t *counts, uint32_t melds, int wild, int least, int most) except -1:
    """Raise for what is no such hand."""
    cdef uint8_t held[34]
    cdef uint32_t left = melds
    cdef int kind, size = 0
    for kind in range(MJ_KINDS):
        size += counts[kind]
        if counts[kind] > 4:
            raise ValueError(f"{counts[kind]} copies of {kind_text(kind)}: there are 4")
    if wild >= MJ_KINDS:
        raise ValueError(f"wild must be a kind from 0 to 33, or {NO_WILD} for none, not {wild}")
    while left:
        if left & 255 and mj_meld[left & 255] == 0:
            raise ValueError(f"{left & 255} is no meld")
        left >>= 8
    memcpy(held, counts, MJ_KINDS)
    add_melds(melds, held)
    if wild >= 0 and held[wild] > counts[wild]:
        raise ValueError(f"a meld holds {kind_text(wild)}, the 混")
    for kind in range(MJ_KINDS):
        if held[kind] > 4:
            raise ValueError(
                f"{held[kind]} copies of {kind_text(kind)} in hand and melds: there are 4")
    wanted = f"{least}" if least == most else f"{least} or {most}"
    raise ValueError(
        f"{size} tiles in hand and {meld_count(melds)} melds: "
        f"it must be {wanted} tiles with three for each meld")


cdef int read(object hand, object melds, object wild, given *g, int least, int most) except -1:
    """Read a hand of least..most tiles, three counted for each meld."""
    if type(hand) is bytes and len(<bytes> hand) == MJ_KINDS:
        memcpy(g.counts, PyBytes_AsString(hand), MJ_KINDS)
    else:
        tile_counts(hand, g.counts)
    g.melds = melds_of(melds)
    g.wild = kind_of(wild, "wild")
    if not fits(g.counts, g.melds, g.wild, least, most):
        refuse(g.counts, g.melds, g.wild, least, most)
    return 0


cdef inline object sheet(object rules):
    if rules is None:
        return DEFAULT
    if type(rules) is not Rules:
        raise TypeError(f"rules must be qipai.mahjong.Rules, not {type(rules).__name__}")
    return rules


cdef bint is_classic(object rules) except -1:
    rules = sheet(rules)
    return rules is not DEFAULT and rules.shisanyao == "classic"


cdef int flat_rules(object rules, mj_rules *flat) except -1:
    """The rules as a C struct."""
    rules = sheet(rules)
    cdef bytes name = rules.name.encode()
    memset(flat, 0, sizeof(mj_rules))
    memcpy(flat.name, PyBytes_AsString(name), len(name))
    flat.stake = rules.stake
    flat.dead_wall = rules.dead_wall
    flat.discard_wild = rules.discard_wild
    flat.classic = rules.shisanyao == "classic"
    flat.dealer_wins = rules.dealer_fan == "winner"
    flat.hidden_gun = rules.gun == "hidden"
    flat.sancha_yao = rules.sancha == "shisanyao"
    flat.max_fan = rules.max_fan
    return 0


cdef inline const mj_rules *rules_for(object rules, mj_rules *flat) except NULL:
    if rules is None or rules is DEFAULT:
        return &ANSHAN
    flat_rules(rules, flat)
    return flat


# For Python ------------------------------------------------------------------------------------

cdef tuple FANS = (
    ("穷胡", "AM-32"), ("站立", "AM-33"), ("杠", "AM-34"), ("大哥大", "AM-35"), ("四归一", "AM-36"),
    ("枪", "AM-37"), ("二八将", "AM-38"), ("十三幺", "AM-39"), ("七对", "AM-39"),
    ("杠上开花", "AM-39"), ("二八", "AM-40"), ("三叉", "AM-41"),
)
cdef tuple SHAPES = (None, "four_sets", "seven_pairs", "shisanyao")


@cython.final
@cython.freelist(64)
cdef class Win:
    """A winning hand as it is read (AM-42).

    ``total`` (番 of the hand, without 庄 and 点炮), ``fans``, ``shape``, ``sets``, ``pair``,
    ``wilds``. Immutable and hashable; made by :func:`evaluate` and :func:`waits_fan`.
    """
    cdef mj_win win

    def __init__(self):
        raise TypeError("a Win is made by evaluate()")

    @property
    def total(self):
        """番 of the hand itself, without 庄 and 点炮 (AM-32..41)."""
        return self.win.total

    @property
    def fans(self):
        """What they are made of: (Chinese name, clause, how many), in the order of the clauses."""
        cdef int i
        return tuple([(*FANS[i], self.win.fans[i]) for i in range(MJ_FANS) if self.win.fans[i]])

    @property
    def shape(self):
        """``"four_sets"``, ``"seven_pairs"`` or ``"shisanyao"`` (AM-20)."""
        return SHAPES[self.win.shape]

    @property
    def sets(self):
        """The concealed sets as tuples of kinds, the smaller first; of 七对 its pairs."""
        cdef int i, kind
        made = []
        for i in range(self.win.sets):
            kind = self.win.set[i] >> 1
            if self.win.shape == MJ_SEVEN_PAIRS:
                made.append((kind, kind))
            elif self.win.set[i] & 1:
                made.append((kind, kind + 1, kind + 2))
            else:
                made.append((kind, kind, kind))
        return tuple(made)

    @property
    def pair(self):
        """The kind of the pair, or of the double of 十三幺 by ``"classic"``; else None."""
        return self.win.pair if self.win.pair >= 0 else None

    @property
    def wilds(self):
        """The kinds that the 混 stand for, ascending; none in 十三幺 of all 幺九 (AM-27)."""
        cdef int i
        return tuple([self.win.wild[i] for i in range(self.win.wilds)])

    def __eq__(self, other):
        return isinstance(other, Win) and memcmp(&self.win, &(<Win> other).win, sizeof(mj_win)) == 0

    def __hash__(self):
        return hash((<const char *> &self.win)[:sizeof(mj_win)])

    def __repr__(self):
        fans = " ".join([name if count == 1 else f"{name}×{count}" for name, _, count in self.fans])
        return f"<Win {self.win.total} {self.shape}: {fans}>"

    def __reduce__(self):
        return _win_of, ((<const char *> &self.win)[:sizeof(mj_win)],)


def _win_of(bytes data):
    """A Win of its bytes, for pickle."""
    cdef mj_win win
    if len(data) != sizeof(mj_win):
        raise ValueError(f"{len(data)} bytes are no Win")
    memcpy(&win, PyBytes_AsString(data), sizeof(mj_win))
    if not 1 <= win.shape <= 3 or win.sets > 7 or win.wilds > 4:
        raise ValueError("these bytes are no Win")
    return win_object(&win)


cdef object win_object(const mj_win *win):
    cdef Win made = Win.__new__(Win)
    made.win = win[0]
    return made


def is_win(hand, melds=(), wild=None, rules=None):
    """Whether a hand wins (AM-20..28).

    ``hand``: all concealed tiles, the winning one included, as text, ``bytes`` of 34 counts (the
    fast path) or ids; a 混 is written as its own kind. ``melds``: up to four, texts or
    :class:`Meld`. ``wild``: the kind that is 混, or its text. ``ValueError`` for what is no hand:
    not 14 tiles (three counted for each meld), five of a kind, a 混 in a meld.
    """
    cdef given g
    read(hand, melds, wild, &g, TILES, TILES)
    return wins(g.counts, g.melds, g.wild, is_classic(rules))


def is_complete(hand, melds=(), wild=None):
    """Whether a hand is four sets and a pair or, without melds, seven pairs (AM-20).

    No other condition is asked. Arguments and errors as for :func:`is_win`.
    """
    cdef given g
    read(hand, melds, wild, &g, TILES, TILES)
    return completes(g.counts, g.melds, g.wild)


def evaluate(hand, melds=(), wild=None, rules=None, *, gun=(), after_kong=False):
    """Read a winning hand in the way with most 番 (AM-30..42).

    ``hand``, ``melds``, ``wild`` as for :func:`is_win`; ``gun``: the kinds that are 枪 (AM-37), as
    kinds or text; ``after_kong``: won on a kong's replacement tile (AM-39). Returns a :class:`Win`,
    or None where the hand does not win. Errors as for :func:`is_win`.
    """
    cdef given g
    cdef mj_rules flat
    cdef mj_win win
    cdef const mj_rules *with_rules = rules_for(rules, &flat)
    cdef uint64_t guns = guns_of(gun)
    read(hand, melds, wild, &g, TILES, TILES)
    if not judge(g.counts, g.melds, g.wild, with_rules, guns, after_kong, &win):
        return None
    return win_object(&win)


cdef inline uint64_t guns_of(object gun) except? 0xffffffffffffffff:
    return 0 if type(gun) is tuple and not gun else kind_set(gun, "gun")


def waits(hand, melds=(), wild=None, rules=None):
    """List the kinds that win (听), ascending; a kind of which all four are held is none.

    ``hand``: 13 tiles with three for each meld; the rest as for :func:`is_win`.
    """
    cdef given g
    cdef list kinds = []
    read(hand, melds, wild, &g, TILES - 1, TILES - 1)
    cdef uint64_t left = wait_set(g.counts, g.melds, g.wild, is_classic(rules))
    while left:
        kinds.append(qp_ctz64(left))
        left &= left - 1
    return kinds


def waits_fan(hand, melds=(), wild=None, rules=None, *, gun=(), after_kong=False):
    """Map every kind that wins, ascending, to the :class:`Win` it would bring.

    ``hand``: 13 tiles with three for each meld; the rest as for :func:`evaluate`.
    """
    cdef given g
    cdef mj_rules flat
    cdef mj_win win
    cdef dict found = {}
    cdef int kind
    cdef const mj_rules *with_rules = rules_for(rules, &flat)
    cdef uint64_t guns = guns_of(gun)
    read(hand, melds, wild, &g, TILES - 1, TILES - 1)
    cdef uint64_t left = wait_set(g.counts, g.melds, g.wild, with_rules.classic)
    while left:
        kind = qp_ctz64(left)
        left &= left - 1
        g.counts[kind] += 1
        judge(g.counts, g.melds, g.wild, with_rules, guns, after_kong, &win)
        g.counts[kind] -= 1
        found[kind] = win_object(&win)
    return found


def shanten(hand, melds=(), wild=None):
    """Tiles to draw until the hand is complete, less one (向听): -1 complete, 0 waiting.

    Complete is what :func:`is_complete` says: four sets and a pair or seven pairs, no other
    condition. Only tiles that exist are drawn: four of each kind, those in hand and melds included.
    ``hand``: 13 or 14 tiles with three for each meld; the rest as for :func:`is_win`.
    """
    cdef given g
    read(hand, melds, wild, &g, TILES - 1, TILES)
    return tiles_away(g.counts, g.melds, g.wild)


def improving(hand, melds=(), wild=None):
    """Map every kind whose draw lowers :func:`shanten`, ascending, to its copies unseen.

    Unseen is what is neither in hand nor in the melds. ``hand``: 13 tiles with three for each meld;
    the rest as for :func:`is_win`.
    """
    cdef given g
    cdef uint8_t held[34]
    cdef dict found = {}
    cdef int kind, now
    read(hand, melds, wild, &g, TILES - 1, TILES - 1)
    now = tiles_away(g.counts, g.melds, g.wild)
    memcpy(held, g.counts, MJ_KINDS)
    add_melds(g.melds, held)
    for kind in range(MJ_KINDS):
        if held[kind] < 4:
            g.counts[kind] += 1
            if tiles_away(g.counts, g.melds, g.wild) < now:
                found[kind] = 4 - held[kind]
            g.counts[kind] -= 1
    return found


def next_kind(tile):
    """The kind after a kind in its ring (AM-2): what is 混 when this one is turned over.

    ``tile``: a kind or its text. Rings are 1..9 of a suit, 东南西北 and 中发白.
    """
    return mj_next_kind(one_kind(tile))


def kind_before(tile):
    """The kind before a kind in its ring: what is 明枪 when this one is turned over (AM-37)."""
    return mj_kind_before(one_kind(tile))


cdef int one_kind(object tile) except -1:
    cdef int kind = kind_of(tile, "tile")
    if kind < 0:
        raise TypeError("tile must be a kind or tile text, not None")
    return kind


def best_discard_of(hand, melds=(), wild=None, seen=b""):
    """The kind that a player would discard who goes by the distance to a win (AM-23, 24 heeded).

    ``hand``: 14 tiles with three for each meld; ``seen``: what its player has seen of tiles
    outside this hand and its melds, in any form. The rest as for :func:`is_win`.
    """
    cdef given g
    cdef uint8_t outside[34]
    read(hand, melds, wild, &g, TILES, TILES)
    tile_counts(seen if seen else bytes(MJ_KINDS), outside)
    return best_discard(g.counts, g.melds, g.wild, outside, NULL)


def payments(total, winner, dealer, discarder=None, rules=None):
    """What each of the four seats gets, negative where it pays (AM-30, 31, 50); the sum is zero.

    ``total``: 番 of the hand itself; ``winner``, ``dealer``, ``discarder``: seats 0..3, the last
    None for an own draw. Returns four ints, times ``Rules.stake``. ``ValueError`` for what is no
    seat, a discarder who wins, or more 番 than a hand can have.
    """
    cdef mj_rules flat
    cdef int64_t amounts[4]
    cdef const mj_rules *with_rules = rules_for(rules, &flat)
    cdef int fan = whole(total, "total", 36), first = whole(winner, "winner", 3)
    cdef int second = whole(dealer, "dealer", 3)
    cdef int third = -1 if discarder is None else whole(discarder, "discarder", 3)
    if first == third:
        raise ValueError(f"discarder {third} is the winner")
    pay(fan, first, second, third, with_rules, amounts)
    return [amounts[0], amounts[1], amounts[2], amounts[3]]


cdef int whole(object value, str name, int most) except -1:
    number = whole_number(value, name)
    if not 0 <= number <= most:
        raise ValueError(f"{name} must be 0 to {most}, not {number}")
    return number


def suit_costs(counts, caps=None):
    """Tiles missing in one suit of 9 kinds, or in the 7 honours, to no pair and one, and 0..4 sets.

    By the table, or, with ``caps``, by the walk that lets each kind be held no more than so often.
    Returns two tuples of five. For proofs.
    """
    cdef uint8_t natural[16]
    cdef uint8_t cap[16]
    cdef uint8_t found[10]
    cdef int i, kinds = len(counts)
    cdef const uint8_t *cost = found
    memset(natural, 0, 16)
    for i in range(kinds):
        natural[i + (kinds == 7)] = counts[i]  # as in a word: honours stand above the 9s
        cap[i] = 4 if caps is None else caps[i]
    if caps is not None:
        capped_costs(natural + (kinds == 7), cap, kinds, 0, found)
    elif kinds == 7:
        cost = &honour_row(qp_load64(natural)).cost[0]
    else:
        cost = &suit_row(qp_load64(natural), natural[8]).cost[0]
    return tuple([tuple([cost[5 * p + i] for i in range(5)]) for p in range(2)])


# Batches ---------------------------------------------------------------------------------------

cdef struct batch:
    const uint8_t *counts
    const uint8_t *each_meld  # four bytes a row, or NULL where all have `melds`
    const uint8_t *each_wild
    uint32_t melds
    int wild
    bint classic
    int8_t *out


cdef inline uint32_t melds_at(const batch *b, Py_ssize_t i) noexcept nogil:
    if b.each_meld == NULL:
        return b.melds
    cdef const uint8_t *row = b.each_meld + 4 * i
    return row[0] | <uint32_t> row[1] << 8 | <uint32_t> row[2] << 16 | <uint32_t> row[3] << 24


cdef inline int wild_at(const batch *b, Py_ssize_t i) noexcept nogil:
    if b.each_wild == NULL:
        return b.wild
    return -1 if b.each_wild[i] == NO_WILD else b.each_wild[i]


cdef Py_ssize_t win_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef Py_ssize_t i
    for i in range(lo, hi):
        if not fits(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i), TILES, TILES):
            return i
        b.out[i] = winning(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i), b.classic)
    return -1


cdef Py_ssize_t complete_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef Py_ssize_t i
    for i in range(lo, hi):
        if not fits(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i), TILES, TILES):
            return i
        b.out[i] = complete(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i))
    return -1


cdef Py_ssize_t shanten_rows(void *context, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil:
    cdef batch *b = <batch *> context
    cdef Py_ssize_t i
    for i in range(lo, hi):
        if not fits(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i), TILES - 1, TILES):
            return i
        b.out[i] = tiles_away(b.counts + MJ_KINDS * i, melds_at(b, i), wild_at(b, i))
    return -1


cdef inline bint is_array(object value):
    """An array, as against one value for all rows."""
    return hasattr(value, "dtype") and getattr(value, "ndim", 0) > 0


cdef object run(row_work work, batch *b, object array, object melds, object wild, object out,
                object threads, object dtype, const char *format, int least):
    """Answer all rows; the caller's array is written only once every row is known to be a hand."""
    import numpy

    cdef int parallel = thread_count(threads)
    cdef Rows rows = hands(array, "hands", MJ_KINDS), each_meld = None, each_wild = None
    cdef Rows target = None, made
    if rows.counts() == NULL:
        raise ValueError(f"hands must be uint8 of shape (n, {MJ_KINDS})")
    b.counts, b.each_meld, b.each_wild, b.melds, b.wild = rows.counts(), NULL, NULL, 0, -1
    if is_array(melds):
        each_meld = hands(melds, "melds", 4)
        if each_meld.counts() == NULL or each_meld.n != rows.n:
            raise ValueError(f"melds must be uint8 of shape ({rows.n}, 4)")
        b.each_meld = each_meld.counts()
    else:
        b.melds = melds_of(melds)
    if is_array(wild):
        each_wild = extras(wild, "wild", rows.n)
        b.each_wild = <const uint8_t *> each_wild.view.buf
    else:
        b.wild = kind_of(wild, "wild")
    if out is not None:
        target = writable(out, "out", rows.n, 1, format)
    answer = numpy.empty(rows.n, dtype)
    made = writable(answer, "answer", rows.n, 1, format)
    b.out = <int8_t *> made.view.buf
    cdef Py_ssize_t wrong = spread(work, b, rows.n, parallel)
    if wrong >= 0:
        try:
            refuse(b.counts + MJ_KINDS * wrong, melds_at(b, wrong), wild_at(b, wrong), least, TILES)
        except ValueError as error:
            raise ValueError(f"hands[{wrong}]: {error}") from None
    if target is None:
        return answer
    memcpy(target.view.buf, made.view.buf, rows.n)
    return out[:rows.n]


def is_win_many(hands, melds=(), wild=None, rules=None, *, out=None, threads=1):
    """Whether each of many hands wins: :func:`is_win` row by row.

    ``hands``: C-contiguous ``uint8`` counts of shape (n, 34). ``melds``: melds of all rows, or
    ``uint8`` of shape (n, 4), ``int(meld)`` each and 0 for none (:func:`pack_melds` makes a row).
    ``wild``: one kind (or text, or None) for all, or ``uint8`` of shape (n,), 255 for none.
    ``out``: the caller's ``bool`` array with room for n. Returns ``bool`` of shape (n,), the first
    n of ``out``. ``ValueError`` names the first row that is no hand; ``out`` is untouched then. No
    GIL is held while it works; the result is the same for every number of ``threads``.
    """
    cdef batch b
    b.classic = is_classic(rules)
    return run(win_rows, &b, hands, melds, wild, out, threads, "?", b"?", TILES)


def is_complete_many(hands, melds=(), wild=None, *, out=None, threads=1):
    """Whether each of many hands is complete: :func:`is_complete` row by row.

    Arguments, result and errors as for :func:`is_win_many`.
    """
    cdef batch b
    b.classic = False
    return run(complete_rows, &b, hands, melds, wild, out, threads, "?", b"?", TILES)


def shanten_many(hands, melds=(), wild=None, *, out=None, threads=1):
    """Tiles each of many hands is away from waiting: :func:`shanten` row by row.

    Rows have 13 or 14 tiles with three for each meld. Returns ``int8`` of shape (n,), and ``out``
    is ``int8``; the rest as for :func:`is_win_many`.
    """
    cdef batch b
    b.classic = False
    return run(shanten_rows, &b, hands, melds, wild, out, threads, "b", b"b", TILES - 1)
