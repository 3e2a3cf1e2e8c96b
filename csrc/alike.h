/* Plays of cards alike, all that 放羊 and 甲乙丙 know: sets of them as bits, and what beats what.

   A set of plays is two words. The play of w cards of rank r is bit 4r + w - 1 of `low` for w 1..4
   and bit 4r + w - 5 of `high` for w 5..8, so that the plays in a hand are its counts, each nibble
   n turned into n ones. Ids: 0 is the pass, then with d decks
   4r + w        w up to 4, r up to 12
   52 + w        小王
   52 + d + w    大王
   52 + 4r + w   w from 5 on (two decks): 57..108 */
#ifndef QIPAI_ALIKE_H
#define QIPAI_ALIKE_H

#include "bits.h"

#define AK_EACH UINT64_C(0x0111111111111111)
#define AK_SUITED UINT64_C(0x000fffffffffffff)

typedef struct {
    uint64_t low, high;
} ak_set;

/* What tells one game from the other, and the house rules. */
typedef struct {
    const uint64_t *above; /* for each rank the nibbles of all that are higher */
    uint8_t decks, hand, max_alike, quad_is_bomb;
} ak_rules;

/* The nibbles of all ranks higher in place. */
#define AK_UP(r) (UINT64_C(0x0ffffffffffffff0) << 4 * (r) & UINT64_C(0x0fffffffffffffff))

/* FY-2: the 3 stands between the 2 and the jokers. */
static const uint64_t fy_above[15] = {
    AK_UP(12), AK_UP(1) | 15, AK_UP(2) | 15, AK_UP(3) | 15, AK_UP(4) | 15,
    AK_UP(5) | 15, AK_UP(6) | 15, AK_UP(7) | 15, AK_UP(8) | 15, AK_UP(9) | 15,
    AK_UP(10) | 15, AK_UP(11) | 15, AK_UP(12) | 15, AK_UP(13), 0};

/* JY-2 */
static const uint64_t jy_above[15] = {AK_UP(0), AK_UP(1), AK_UP(2), AK_UP(3), AK_UP(4),
                                      AK_UP(5), AK_UP(6), AK_UP(7), AK_UP(8), AK_UP(9),
                                      AK_UP(10), AK_UP(11), AK_UP(12), AK_UP(13), 0};

QP_INLINE int ak_id(int decks, int rank, int width) {
    if (rank > 12) return 52 + decks * (rank - 13) + width;
    return 4 * rank + width + (width > 4 ? 52 : 0);
}

QP_INLINE int ak_rank(int decks, int id) {
    if (id > 56) return (id - 57) >> 2;
    return id > 52 ? 13 + (id > 52 + decks) : (id - 1) >> 2;
}

QP_INLINE int ak_width(int decks, int id) {
    if (id > 56) return ((id - 57) & 3) + 5;
    return id > 52 ? id - 52 - (id > 52 + decks ? decks : 0) : ((id - 1) & 3) + 1;
}

/* The id of cards that are all of one rank; 0 for any others, and for more than there are. */
QP_INLINE int ak_find(int decks, uint64_t packed) {
    if (!packed) return 0;
    int rank = qp_ctz64(packed) >> 2, width = qp_nibble(packed, rank);
    if (packed != (uint64_t)width << 4 * rank || width > (rank > 12 ? decks : 4 * decks)) return 0;
    return ak_id(decks, rank, width);
}

/* Everything that can be played from a hand, however many alike. */
QP_INLINE ak_set ak_playable(uint64_t hand) {
    uint64_t one = hand & AK_EACH, two = hand >> 1 & AK_EACH, four = hand >> 2 & AK_EACH;
    uint64_t eight = hand >> 3 & AK_EACH, more = four | eight;
    ak_set set;
    set.low = one | two | more | (two | more) << 1 | ((one & two) | more) << 2 | more << 3;
    set.high = eight | (four & (one | two)) | (eight | (four & two)) << 1 |
               (eight | (four & two & one)) << 2 | eight << 3;
    return set;
}

/* Every play that the rules know (JY-10). */
QP_INLINE ak_set ak_admitted(const ak_rules *rules) {
    ak_set set = {UINT64_C(0x0fffffffffffffff), AK_EACH * ((1u << (rules->max_alike - 4)) - 1)};
    return set;
}

/* Every play that beats so many of a rank: the same number higher; with bombs, any from four alike
   on beat fewer alike (FY-11, JY-10). */
QP_INLINE ak_set ak_beaters(const ak_rules *rules, int rank, int width) {
    uint64_t same = rules->above[rank] & AK_EACH << ((width - 1) & 3);
    ak_set set = {0, 0};
    if (width > 4) set.high = same;
    else set.low = same;
    if (rules->quad_is_bomb) {
        if (width < 4) set.low |= AK_EACH << 3;
        set.high |= AK_EACH * (15u << (width > 4 ? width - 4 : 0) & 15);
    }
    return set;
}

QP_INLINE ak_set ak_meet(ak_set a, ak_set b) {
    ak_set set = {a.low & b.low, a.high & b.high};
    return set;
}

QP_INLINE int ak_has(ak_set set, int rank, int width) {
    uint64_t word = width > 4 ? set.high : set.low;
    return word >> (4 * rank + ((width - 1) & 3)) & 1;
}

/* A set as bits by id: two words, the pass not among them. */
QP_INLINE void ak_ids(int decks, ak_set set, uint64_t *out) {
    uint64_t low = (set.low & AK_SUITED) | (set.low >> 52 & 3) << 52 | (set.low >> 56 & 3) << (52 + decks);
    out[0] = low << 1 | set.high << 57;
    out[1] = set.high >> 7;
}

#endif
