"""The 鞍山麻将 kernel: winning, reading and judging hands, on one table of suit keys.

Counts are of the 34 kinds, the 混 (kind `wild`, -1 for none) among them; melds are four bytes
(melds.pxd). These functions trust what they are given: 14 tiles with three for each meld
(13 where it says so), no kind more than four times, no meld of 混.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "mahjong.h" nogil:
    enum:
        MJ_KINDS, MJ_FANS
        MJ_QIONG, MJ_ZHANLI, MJ_KONG, MJ_DAGEDA, MJ_SIGUIYI, MJ_GUN, MJ_ERBAJIANG, MJ_SHISANYAO
        MJ_QIDUI, MJ_AFTER_KONG, MJ_ERBA, MJ_SANCHA
        MJ_NO_WIN, MJ_FOUR_SETS, MJ_SEVEN_PAIRS, MJ_ALL_YAO

    ctypedef struct mj_rules:
        char name[32]
        int32_t stake
        uint8_t dead_wall
        uint8_t discard_wild
        uint8_t classic
        uint8_t dealer_wins
        uint8_t hidden_gun
        uint8_t sancha_yao
        uint8_t max_fan
        uint8_t unused

    ctypedef struct mj_win:
        uint8_t total
        uint8_t shape
        int8_t pair
        uint8_t sets
        uint8_t set[7]
        uint8_t wilds
        uint8_t wild[4]
        uint8_t fans[12]

    # AM-2: the next kind in its ring, 1..9, 东南西北 or 中发白, and the kind before.
    int mj_next_kind(int kind) noexcept
    int mj_kind_before(int kind) noexcept

# Whether the hand wins (AM-20..28; `classic` as in AM-27).
cdef bint wins(const uint8_t *counts, uint32_t melds, int wild, bint classic) noexcept nogil
# Whether it is four sets and a pair or seven pairs, whatever is in them (AM-20).
cdef bint completes(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil
# The kinds, as bits, with which 13 tiles win; a kind of which all four are held is none.
cdef uint64_t wait_set(const uint8_t *counts, uint32_t melds, int wild, bint classic) noexcept nogil
# The reading with most 番 (AM-32..42); false, and shape MJ_NO_WIN, where the hand does not win.
# `gun`: the kinds that are 枪, as bits.
cdef bint judge(const uint8_t *counts, uint32_t melds, int wild, const mj_rules *rules,
                uint64_t gun, bint after_kong, mj_win *win) noexcept nogil
# Tiles to draw to a complete hand, less one; 13 or 14 tiles.
cdef int tiles_away(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil
# The same without looking whether the tiles exist, with one more for each suit, and for the yao,
# that four sets would lack (AM-23, 24): what a player goes by.
cdef int win_distance(const uint8_t *counts, uint32_t melds, int wild) noexcept nogil
# The kind to discard from 14 tiles: that which leaves the least win_distance, then the most tiles
# unseen (`seen`: copies of each kind outside this hand and its melds) that lower it further, then
# a lone one; 混 only where nothing else is held. `away`, or NULL: the win_distance without one of
# each kind that is held, 混 apart.
cdef int best_discard(const uint8_t *counts, uint32_t melds, int wild,
                      const uint8_t *seen, int *away) noexcept nogil
# AM-50: what each seat gets; `discarder` -1 for an own draw.
cdef void pay(int total, int winner, int dealer, int discarder, const mj_rules *rules,
              int64_t *amounts) noexcept nogil

cdef int flat_rules(object rules, mj_rules *flat) except -1
cdef object win_object(const mj_win *win)
