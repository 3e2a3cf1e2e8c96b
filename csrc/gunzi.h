/* The flat rules of 打滚子, its hands of three decks, and the order of cards under a trump. */
#ifndef QIPAI_GUNZI_H
#define QIPAI_GUNZI_H

#include "cards.h"

typedef struct {
    char name[32];
    int32_t stake;           /* GZ-66 */
    uint8_t joker_levels[2]; /* GZ-64: 大王, 小王 */
    uint8_t dead;            /* GZ-53; 0: GZ-52 */
    uint8_t every_window;    /* GZ-20 */
    uint8_t self_overturn;   /* GZ-24 */
    uint8_t big_only;        /* GZ-65: 小王 end no round */
    uint8_t unused[2];
} gz_rules;

/* Cards by face, two bits each: there are bit f of `ones` + 2 * bit f of `twos` of face f. */
typedef struct {
    uint64_t ones, twos;
} gz_hand;

#define GZ_FACES 54
#define GZ_ALL ((UINT64_C(1) << GZ_FACES) - 1)
#define GZ_COLUMN UINT64_C(0x1111111111111) /* the 13 ranks of suit 0 */
#define GZ_FIVES (UINT64_C(15) << 4 * 2)
#define GZ_TENS (UINT64_C(15) << 4 * 7 | UINT64_C(15) << 4 * 10) /* T and K */

/* The faces held at all; `twos` are those held twice or more. */
QP_INLINE uint64_t gz_faces(gz_hand h) { return h.ones | h.twos; }
QP_INLINE uint64_t gz_triples(gz_hand h) { return h.ones & h.twos; }
QP_INLINE int gz_count(gz_hand h, int face) {
    return (int)(h.ones >> face & 1) + 2 * (int)(h.twos >> face & 1);
}
QP_INLINE int gz_size(gz_hand h) { return qp_popcount(h.ones) + 2 * qp_popcount(h.twos); }

/* The cards of the faces in a set. */
QP_INLINE gz_hand gz_of(gz_hand h, uint64_t faces) {
    gz_hand part = {h.ones & faces, h.twos & faces};
    return part;
}

/* n alike, n from 0 to 3. */
QP_INLINE gz_hand gz_alike(int face, int n) {
    gz_hand h = {(uint64_t)(n & 1) << face, (uint64_t)(n >> 1) << face};
    return h;
}

/* Bit-sliced: each face is a two-bit number of its own, and no carry leaves it. */
QP_INLINE int gz_within(gz_hand part, gz_hand whole) {
    uint64_t over = (part.twos & ~whole.twos) |
                    (~(part.twos ^ whole.twos) & part.ones & ~whole.ones);
    return over == 0;
}
QP_INLINE gz_hand gz_plus(gz_hand a, gz_hand b) { /* no face goes above three */
    gz_hand h = {a.ones ^ b.ones, a.twos ^ b.twos ^ (a.ones & b.ones)};
    return h;
}
QP_INLINE gz_hand gz_minus(gz_hand a, gz_hand b) { /* b is within a */
    gz_hand h = {a.ones ^ b.ones, a.twos ^ b.twos ^ (~a.ones & b.ones)};
    return h;
}

/* Whether some face of the two together is above three. */
QP_INLINE int gz_overfull(gz_hand a, gz_hand b) {
    return ((a.twos & b.twos) | (a.ones & b.ones & (a.twos ^ b.twos))) != 0;
}

/* GZ-2 */
QP_INLINE int gz_points(gz_hand h) {
    return 5 * gz_size(gz_of(h, GZ_FIVES)) + 10 * gz_size(gz_of(h, GZ_TENS));
}

/* Read 54 counts; false where one is above three. The product gathers bit 0 of the eight bytes
   of a word in its top byte: byte i goes to bit 56 + i, and no two terms share a bit. */
QP_INLINE int gz_read(const uint8_t *counts, gz_hand *out) {
    const uint64_t bit = UINT64_C(0x0101010101010101), gather = UINT64_C(0x0102040810204080);
    uint64_t seen = 0, ones = 0, twos = 0;
    for (int at = 0; at < 48; at += 8) {
        uint64_t x = qp_load64(counts + at);
        seen |= x;
        ones |= (x & bit) * gather >> 56 << at;
        twos |= (x >> 1 & bit) * gather >> 56 << at;
    }
    uint64_t x = qp_load64(counts + 46) >> 16;
    seen |= x;
    out->ones = ones | (x & bit) * gather >> 56 << 48;
    out->twos = twos | (x >> 1 & bit) * gather >> 56 << 48;
    return (seen & ~(bit * 3)) == 0;
}

/* A trump is the face of the trump suit's level card: 4 * (level - 3) + suit, 0..31. */
#define GZ_TRUMPS 32
#define GZ_WEAKEST_TRUMP 12

/* GZ-4: side suits 0..11 by rank, the trump suit 12..23, other 2s 24, its own 25, other level
   cards 26, its own 27, 小王 28, 大王 29. */
QP_INLINE int gz_strength(int trump, int face) {
    int rank = face >> 2, own = (face & 3) == (trump & 3);
    if (face >= 52) return face - 24;
    if (rank == trump >> 2) return 26 + own;
    if (rank == 12) return 24 + own;
    return own ? GZ_WEAKEST_TRUMP + rank : rank;
}

/* GZ-3 */
QP_INLINE uint64_t gz_trumps(int trump) {
    return GZ_COLUMN << (trump & 3) | UINT64_C(15) << 4 * (trump >> 2) | UINT64_C(63) << 48;
}

/* The faces of the suit that a face belongs to, all trumps being one suit (GZ-51). */
QP_INLINE uint64_t gz_suit(int trump, int face) {
    uint64_t trumps = gz_trumps(trump);
    return trumps >> face & 1 ? trumps : GZ_COLUMN << (face & 3) & ~trumps;
}

#endif
