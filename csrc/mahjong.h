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

/* The bit that every way to read a suit has (see the kernel). */
#define MJ_WAY (UINT64_C(1) << 62)

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
enum { MJ_CHOW, MJ_PONG, MJ_OPEN_KONG, MJ_ADDED_KONG, MJ_CONCEALED_KONG };

/* What a meld has, in counters of four bits, so that melds are added: tiles of each suit, of yao,
   and so on; 0 where the byte is no meld. */
enum { MJ_M_SUIT = 0, MJ_M_YAO = 12, MJ_M_MIDDLE = 16, MJ_M_RUN = 20, MJ_M_TRIPLET = 24,
       MJ_M_KONG = 28, MJ_M_DRAGON = 32, MJ_M_OPEN = 36, MJ_M_MELDS = 40 };

QP_INLINE int mj_has(uint64_t melds, int what) { return (int)(melds >> what) & 15; }

/* How many of four bytes are not 0. */
QP_INLINE int mj_bytes_used(uint32_t four) {
    uint32_t used = (((four & 0x7f7f7f7fu) + 0x7f7f7f7fu) | four) >> 7 & 0x01010101u;
    return (int)(used * 0x01010101u >> 24);
}

/* AM-2: the next kind in its ring, 1..9 of a suit, 东南西北 or 中发白, and the kind before. */
QP_INLINE int mj_next_kind(int kind) {
    if (kind < 27) return kind % 9 == 8 ? kind - 8 : kind + 1;
    if (kind < 31) return kind == 30 ? 27 : kind + 1;
    return kind == 31 ? 33 : kind - 1;
}

QP_INLINE int mj_kind_before(int kind) {
    if (kind < 27) return kind % 9 == 0 ? kind + 8 : kind - 1;
    if (kind < 31) return kind == 27 ? 30 : kind - 1;
    return kind == 33 ? 31 : kind + 1;
}

/* Counts of tiles, a byte each: ranks 1..8 of the suits; 9s and then the honours; 9m and 9p. The 9s
   stand below the honours as they do among the 34 counts. */
typedef struct {
    uint64_t m, p, s, z, nines;
} mj_words;

/* What a suit with some natural tiles can be (one row for all keys that can be the same).
   word[pair][more]: as sets, or sets and the pair, with the fewest 混 that the number of tiles
   allows (more = 1: three more than these), packed in fields of four bits so that suits are added:
   can hold a triplet or pair that is 有碰; a run; either; both at once; what it lacks, 0 nothing,
   1 three more 混, 3 more than these; and 混 used.
   cost[5 * pair + sets]: tiles missing to so many sets and pairs, any others thrown away.
   least: the fewest 混 with which nothing is left over, 5 where four are too few. */
typedef struct {
    uint32_t word[2][2];
    uint8_t cost[10];
    uint8_t least;
} mj_row;

enum { MJ_W_TRIPLET = 0, MJ_W_RUN = 4, MJ_W_EITHER = 8, MJ_W_BOTH = 12, MJ_W_LACKS = 16,
       MJ_W_WILD = 20 };

/* The groups that the lowest natural tile of a suit may go into: how many of its kind and of the
   next two, 混, the form, and by how much a run may begin lower. */
enum { MJ_TRIPLET, MJ_PAIR, MJ_RUN, MJ_GROUPS = 9 };
typedef struct {
    uint8_t take[3], wilds, form, lower;
} mj_group;
static const mj_group mj_groups[MJ_GROUPS] = {
    {{3, 0, 0}, 0, MJ_TRIPLET, 0}, {{2, 0, 0}, 1, MJ_TRIPLET, 0}, {{1, 0, 0}, 2, MJ_TRIPLET, 0},
    {{2, 0, 0}, 0, MJ_PAIR, 0},    {{1, 0, 0}, 1, MJ_PAIR, 0},    {{1, 1, 1}, 0, MJ_RUN, 0},
    {{1, 1, 0}, 1, MJ_RUN, 1},     {{1, 0, 1}, 1, MJ_RUN, 0},     {{1, 0, 0}, 2, MJ_RUN, 2},
};

/* The words of 34 counts, but of the kinds that `keep` keeps only. */
QP_INLINE mj_words mj_load(const uint8_t *c, const mj_words *keep) {
    mj_words w;
    w.m = qp_load64(c) & keep->m;
    w.p = qp_load64(c + 9) & keep->p;
    w.s = qp_load64(c + 18) & keep->s;
    w.z = qp_load64(c + 26) & keep->z;
    w.nines = (c[8] | (uint64_t)c[17] << 8) & keep->nines;
    return w;
}

QP_INLINE int mj_sum(uint64_t bytes) { return (int)((bytes * MJ_BYTES) >> 56); }

/* How many tiles there are; no count is above 4. */
QP_INLINE int mj_size(const mj_words *w) { return mj_sum(w->m + w->p + w->s + w->z + w->nines); }

/* Bytes above 4 get their highest bit. No byte overflows: 0x7f + 0x7b < 256. */
QP_INLINE uint64_t mj_above(uint64_t v) { return ((v & (127 * MJ_BYTES)) + 123 * MJ_BYTES) | v; }

/* Whether no count is above 4. */
QP_INLINE int mj_within(const mj_words *w) {
    return !((mj_above(w->m) | mj_above(w->p) | mj_above(w->s) | mj_above(w->z) |
              mj_above(w->nines)) & (128 * MJ_BYTES));
}

QP_INLINE void mj_add(mj_words *w, const mj_words *more) {
    w->m += more->m, w->p += more->p, w->s += more->s, w->z += more->z, w->nines += more->nines;
}

/* Whether all tiles are of kinds that `keep` keeps. */
QP_INLINE int mj_only(const mj_words *w, const mj_words *keep) {
    return !((w->m & ~keep->m) | (w->p & ~keep->p) | (w->s & ~keep->s) | (w->z & ~keep->z) |
             (w->nines & ~keep->nines));
}

/* Eight counts as two keys of four digits to the base 5: the first four low, the others high. */
QP_INLINE uint64_t mj_digits(uint64_t v) {
    v = (v * 5 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    return (v * 25 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
}

/* Kinds of which the number held is odd. */
QP_INLINE int mj_odd(const mj_words *w) {
    return mj_sum((w->m & MJ_BYTES) + (w->p & MJ_BYTES) + (w->s & MJ_BYTES) + (w->z & MJ_BYTES) +
                  (w->nines & MJ_BYTES));
}

/* Whether a tile of rank 2..8 is among them. */
QP_INLINE int mj_any_middle(const mj_words *w) { return (w->m | w->p | w->s) >> 8 != 0; }

QP_INLINE int mj_any_yao(const mj_words *w) {
    return (((w->m | w->p | w->s) & 255) | w->z | w->nines) != 0;
}

/* Whether all four of a kind are among them; no count is above 4. */
QP_INLINE int mj_any_four(const mj_words *w) {
    return ((w->m | w->p | w->s | w->z | w->nines) & (4 * MJ_BYTES)) != 0;
}

/* The suits among them, as bits. */
QP_INLINE int mj_suits(const mj_words *w) {
    return ((w->m | (w->nines & 255)) != 0) | ((w->p | w->nines >> 8) != 0) << 1 |
           ((w->s | (w->z & 255)) != 0) << 2;
}

#endif
