/* Card text and packed rank counts. Ranks 0..12 are 3..A,2; 13 is 小王, 14 大王; suits D C H S. */
#ifndef QIPAI_CARDS_H
#define QIPAI_CARDS_H

#include "bits.h"

#define QP_DECKS 3
#define QP_MOST_CARDS (54 * QP_DECKS)
#define QP_COPIES 12 /* cards of one rank in three decks */

typedef struct {
    int8_t rank; /* 0..14 */
    int8_t suit; /* 0..3; -1 where the text names none */
    int8_t copy; /* -1 where the text names none */
} qp_card;

typedef struct {
    int n;
    qp_card card[QP_MOST_CARDS];
} qp_cards;

enum { QP_TEXT_FINE = 0, QP_TEXT_UNKNOWN, QP_TEXT_REPEAT, QP_TEXT_MANY };

QP_INLINE int qp_starts(const char *s, const char *end, const char *with) {
    size_t n = strlen(with);
    return (size_t)(end - s) >= n && memcmp(s, with, n) == 0;
}

QP_INLINE int qp_rank_of(const char **at, const char *end) {
    static const char ranks[] = "3456789TJQKA2BR";
    const char *s = *at;
    if (s >= end) return -1;
    if (qp_starts(s, end, "10")) return *at += 2, 7;
    if (qp_starts(s, end, "\xe5\xb0\x8f\xe7\x8e\x8b")) return *at += 6, 13; /* 小王 */
    if (qp_starts(s, end, "\xe5\xa4\xa7\xe7\x8e\x8b")) return *at += 6, 14; /* 大王 */
    const char *found = *s ? strchr(ranks, *s) : 0;
    if (!found) return -1;
    *at = s + 1;
    return (int)(found - ranks);
}

QP_INLINE int qp_suit_of(const char **at, const char *end) {
    static const char letters[] = "DCHS";
    static const char *const signs[8] = {"\xe2\x99\xa6", "\xe2\x99\xa3", "\xe2\x99\xa5",
                                         "\xe2\x99\xa0", "\xe2\x99\xa2", "\xe2\x99\xa7",
                                         "\xe2\x99\xa1", "\xe2\x99\xa4"}; /* ♦♣♥♠ ♢♧♡♤ */
    const char *s = *at;
    if (s >= end) return -1;
    const char *found = *s ? strchr(letters, *s) : 0;
    if (found) return *at = s + 1, (int)(found - letters);
    for (int i = 0; i < 8; i++)
        if (qp_starts(s, end, signs[i])) {
            s += 3;
            if (qp_starts(s, end, "\xef\xb8\x8f")) s += 3; /* the sign shown as a picture */
            return *at = s, i & 3;
        }
    return -1;
}

/* The length of a separator, 0 where there is none; ideographic ones are read too. */
QP_INLINE size_t qp_gap(const char *s, const char *end) {
    if (*s == ' ' || *s == ',' || *s == '+' || *s == '\t' || *s == '\n' || *s == '\r') return 1;
    if (qp_starts(s, end, "\xef\xbc\x8c") || qp_starts(s, end, "\xe3\x80\x81") ||
        qp_starts(s, end, "\xe3\x80\x80"))
        return 3; /* ，、 and the wide space */
    return 0;
}

/* Read cards: ranks with or without a suit before them, `'` once for each copy beyond the first of
   a suited card or joker, `*n` for several, and spaces, commas or + between. Returns QP_TEXT_FINE,
   or what is wrong at `*where` (bytes from the start). */
QP_INLINE int qp_read_cards(const char *text, size_t length, qp_cards *out, size_t *where) {
    const char *s = text, *end = text + length;
    out->n = 0;
    while (s < end) {
        size_t gap = qp_gap(s, end);
        if (gap) {
            s += gap;
            continue;
        }
        *where = (size_t)(s - text);
        int suit = qp_suit_of(&s, end);
        int rank = qp_rank_of(&s, end);
        if (rank < 0 || (suit >= 0 && rank > 12)) return QP_TEXT_UNKNOWN;
        int copy = -1, times = 1;
        if (s < end && *s == '\'') {
            if (suit < 0 && rank < 13) return QP_TEXT_UNKNOWN;
            for (copy = 0; s < end && *s == '\''; s++)
                if (++copy >= QP_DECKS) return QP_TEXT_MANY;
        }
        if (s < end && *s == '*') {
            if (++s >= end || *s < '1' || *s > '9' || copy >= 0) return QP_TEXT_REPEAT;
            times = *s++ - '0';
            if (s < end && *s >= '0' && *s <= '9') times = 10 * times + *s++ - '0';
            if (s < end && *s >= '0' && *s <= '9') return QP_TEXT_REPEAT;
        }
        if (out->n + times > QP_MOST_CARDS) return QP_TEXT_MANY;
        for (int i = 0; i < times; i++) {
            qp_card *card = &out->card[out->n++];
            card->rank = (int8_t)rank, card->suit = (int8_t)suit, card->copy = (int8_t)copy;
        }
    }
    return QP_TEXT_FINE;
}

QP_INLINE uint64_t qp_load64(const uint8_t *p) {
    return (uint64_t)qp_load32(p) | (uint64_t)qp_load32(p + 4) << 32;
}

/* Eight counts of at most 15, one a byte, as eight nibbles. */
QP_INLINE uint64_t qp_nibbles8(uint64_t x) {
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (x | x >> 16) & UINT64_C(0x00000000ffffffff);
}

/* 15 counts as a packed hand; all ones (which is no hand) where a count is above 15. */
QP_INLINE uint64_t qp_pack15(const uint8_t *counts) {
    uint64_t low = qp_load64(counts), high = qp_load64(counts + 7) >> 8;
    if ((low | high) & UINT64_C(0xf0f0f0f0f0f0f0f0)) return ~UINT64_C(0);
    return qp_nibbles8(low) | qp_nibbles8(high) << 32;
}

/* Whether a packed hand is one of `decks` 1 or 2 decks and has at most `most` cards. */
QP_INLINE int qp_packed_fits(uint64_t x, int decks, int most) {
    /* A nibble is above 8 iff its top bit and another are set; above 4 iff bit 2 and a lower one,
       or the top bit, are. Jokers: at most one a deck. */
    uint64_t high = x & QP_NIBBLE_TOP, two = x & (QP_NIBBLE_TOP >> 1);
    uint64_t ones = x & UINT64_C(0x0111111111111111), twos = x & UINT64_C(0x0222222222222222);
    uint64_t lower = (ones << 2) | (twos << 1); /* at bit 2 */
    uint64_t over = decks == 2 ? high & (lower << 1 | two << 1) : (high | (two & lower) << 1);
    uint64_t jokers = x >> 52;
    int small = (int)(jokers & 15), big = (int)(jokers >> 4);
    return !over && small <= decks && big <= decks && qp_packed_size(x) <= most;
}

#endif
