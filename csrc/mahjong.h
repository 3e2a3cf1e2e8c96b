/* Tiles of 鞍山麻将: the words of a hand, keys of its suits, the rows of the table, flat rules.

   Kinds 0..33 are 1m..9m, 1p..9p, 1s..9s, 1z..7z. A hand is 34 counts, a byte each. */
#ifndef QIPAI_MAHJONG_H
#define QIPAI_MAHJONG_H

#include "cards.h"

#define MJ_KINDS 34
#define MJ_BYTES UINT64_C(0x0101010101010101)

typedef struct {
    char name[32];
    int32_t stake;
    uint8_t dead_wall;    /* AM-13 */
    uint8_t discard_wild; /* AM-4 */
    uint8_t classic;      /* AM-27: 0 "all_yao", 1 "classic" */
    uint8_t dealer_wins;  /* AM-30: 0 "either", 1 "winner" */
    uint8_t hidden_gun;   /* AM-37: 0 "open", 1 "hidden" */
    uint8_t sancha_yao;   /* AM-41: 0 "everywhere", 1 "shisanyao" */
    uint8_t max_fan;      /* AM-50 */
    uint8_t unused;
} mj_rules;

/* 番 in the order of their clauses. */
enum { MJ_QIONG, MJ_ZHANLI, MJ_KONG, MJ_DAGEDA, MJ_SIGUIYI, MJ_GUN, MJ_ERBAJIANG, MJ_SHISANYAO,
       MJ_QIDUI, MJ_AFTER_KONG, MJ_ERBA, MJ_SANCHA, MJ_FANS };

enum { MJ_NO_WIN, MJ_FOUR_SETS, MJ_SEVEN_PAIRS, MJ_ALL_YAO };

/* A winning hand as read (AM-42). A set is 2 * lowest kind, + 1 for a run, so that sets in order of
   their kinds are in order of these numbers; of seven pairs each is 2 * kind. */
typedef struct {
    uint8_t total, shape;
    int8_t pair; /* kind, -1 for none */
    uint8_t sets, set[7];
    uint8_t wilds, wild[4];
    uint8_t fans[MJ_FANS];
} mj_win;

/* A meld is a byte: 1 + 34 * form + lowest kind; four of them, 0 for none, in a uint32. */
enum { MJ_CHOW, MJ_PONG, MJ_OPEN_KONG, MJ_ADDED_KONG, MJ_CONCEALED_KONG, MJ_FORMS };
#define MJ_MELDS (1 + MJ_KINDS * MJ_FORMS)

/* What a meld is, and the suits (bits 0..2) and yao tiles it holds. */
enum { MJ_HAS_YAO = 8, MJ_ALL_OF_YAO = 16, MJ_IS_RUN = 32, MJ_IS_TRIPLET = 64, MJ_IS_KONG = 128,
       MJ_IS_OPEN = 256, MJ_IS_DRAGON = 512, MJ_IS_MELD = 1024 };

/* Natural tiles, the 混 taken out. Ranks 1..8 of a suit in its word, the 9 beside it; that of 条 is
   the lowest byte of `z`, with the honours above. */
typedef struct {
    uint64_t m, p, s, z;
    uint8_t m9, p9;
} mj_words;

/* What a suit with some natural tiles can be (one row for all keys that can be the same).
   word[pair][more]: as sets, or sets and the pair, with the fewest 混 that the number of tiles allows
   (more = 1: three more than these), packed in fields of four bits so that suits are added:
   can hold a triplet or pair that is 有碰; a run; either; both at once; is impossible; and 混 used.
   cost[pair][sets]: tiles missing to so many sets and pairs, any others thrown away.
   least: the fewest 混 with which nothing is left over, 5 where four are too few. */
typedef struct {
    uint32_t word[2][2];
    uint8_t cost[2][5];
    uint8_t least;
} mj_row;

enum { MJ_W_TRIPLET = 0, MJ_W_RUN = 4, MJ_W_EITHER = 8, MJ_W_BOTH = 12, MJ_W_IMPOSSIBLE = 16,
       MJ_W_WILD = 20 };

/* The groups that the lowest natural tile of a suit may go into: how many of its kind and of the next
   two, 混, the form, and by how much a run may begin lower. */
enum { MJ_TRIPLET, MJ_PAIR, MJ_RUN, MJ_GROUPS = 9 };
typedef struct {
    uint8_t take[3], wilds, form, lower;
} mj_group;
static const mj_group mj_groups[MJ_GROUPS] = {
    {{3, 0, 0}, 0, MJ_TRIPLET, 0}, {{2, 0, 0}, 1, MJ_TRIPLET, 0}, {{1, 0, 0}, 2, MJ_TRIPLET, 0},
    {{2, 0, 0}, 0, MJ_PAIR, 0},    {{1, 0, 0}, 1, MJ_PAIR, 0},    {{1, 1, 1}, 0, MJ_RUN, 0},
    {{1, 1, 0}, 1, MJ_RUN, 1},     {{1, 0, 1}, 1, MJ_RUN, 0},     {{1, 0, 0}, 2, MJ_RUN, 2},
};

/* The words of 34 counts; `keep` has zeros where the 混 stands. */
QP_INLINE mj_words mj_load(const uint8_t *c, const mj_words *keep) {
    mj_words w;
    w.m = qp_load64(c) & keep->m;
    w.p = qp_load64(c + 9) & keep->p;
    w.s = qp_load64(c + 18) & keep->s;
    w.z = qp_load64(c + 26) & keep->z;
    w.m9 = c[8] & keep->m9;
    w.p9 = c[17] & keep->p9;
    return w;
}

QP_INLINE int mj_sum(uint64_t bytes) { return (int)((bytes * MJ_BYTES) >> 56); }

/* All 34 counts, or -1 where one is above 4. No byte of the sum can overflow: 0x7f + 0x7b < 256. */
QP_INLINE int mj_size(const uint8_t *c) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), five = UINT64_C(0x7b7b7b7b7b7b7b7b);
    uint64_t m = qp_load64(c), p = qp_load64(c + 9), s = qp_load64(c + 18), z = qp_load64(c + 26);
    uint64_t over = (((m & low) + five) | m) | (((p & low) + five) | p) | (((s & low) + five) | s) |
                    (((z & low) + five) | z);
    if ((over & ~low) || c[8] > 4 || c[17] > 4) return -1;
    return mj_sum(m + p + s + z) + c[8] + c[17];
}

/* Eight counts as two keys of four digits to the base 5: the first four low, the others high. */
QP_INLINE uint64_t mj_digits(uint64_t v) {
    v = (v * 5 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    return (v * 25 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
}

/* Kinds of which the number held is odd. */
QP_INLINE int mj_odd(const mj_words *w) {
    return mj_sum((w->m & MJ_BYTES) + (w->p & MJ_BYTES) + (w->s & MJ_BYTES) + (w->z & MJ_BYTES)) +
           (w->m9 & 1) + (w->p9 & 1);
}

/* Whether a tile of rank 2..8 is among them. */
QP_INLINE int mj_any_middle(const mj_words *w) { return (w->m | w->p | w->s) >> 8 != 0; }

QP_INLINE int mj_any_yao(const mj_words *w) {
    return ((w->m | w->p | w->s) & 255) != 0 || w->z != 0 || w->m9 || w->p9;
}

/* The suits among them, as bits. */
QP_INLINE int mj_suits(const mj_words *w) {
    return ((w->m | w->m9) != 0) | ((w->p | w->p9) != 0) << 1 | ((w->s | (w->z & 255)) != 0) << 2;
}

#endif
