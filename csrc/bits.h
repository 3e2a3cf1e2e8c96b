/* Packed rank counts and small bit sets. Portable C99; every operation is pure. */
#ifndef QIPAI_BITS_H
#define QIPAI_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#define QP_INLINE static __forceinline
static __forceinline int qp_ctz64(uint64_t x) {
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
}
static __forceinline int qp_high64(uint64_t x) {
    unsigned long i;
    _BitScanReverse64(&i, x);
    return (int)i;
}
#else
#define QP_INLINE static inline
#define qp_ctz64(x) __builtin_ctzll(x)
#define qp_high64(x) (63 - __builtin_clzll(x)) /* the highest set bit; x is not 0 */
#endif

/* Rank i of a hand stands in bits 4i..4i+3; the top four bits are always clear. */
#define QP_NIBBLE_TOP UINT64_C(0x0888888888888888)

/* Set bits of x; SWAR, as the baseline instruction set has no population count. */
QP_INLINE int qp_popcount(uint64_t x) {
    x -= (x >> 1) & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((x * UINT64_C(0x0101010101010101)) >> 56);
}

/* Set bits of n words: the byte sums of up to 31 words cannot overflow (31 * 8 < 256). */
QP_INLINE int qp_popcount_words(const uint64_t *word, int n) {
    int total = 0, i = 0;
    while (i < n) {
        int stop = n - i < 31 ? n : i + 31;
        uint64_t bytes = 0;
        for (; i < stop; i++) {
            uint64_t x = word[i];
            x -= (x >> 1) & UINT64_C(0x5555555555555555);
            x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
            bytes += (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        }
        bytes = (bytes & UINT64_C(0x00ff00ff00ff00ff)) + ((bytes >> 8) & UINT64_C(0x00ff00ff00ff00ff));
        total += (int)((bytes * UINT64_C(0x0001000100010001)) >> 48);
    }
    return total;
}

/* Write the indices of the set bits, in ascending order; return how many. */
QP_INLINE int qp_list_bits(const uint64_t *word, int n, int32_t *out) {
    int32_t *p = out;
    for (int i = 0; i < n; i++)
        for (uint64_t x = word[i]; x; x &= x - 1) *p++ = 64 * i + qp_ctz64(x);
    return (int)(p - out);
}

/* The index of the k-th set bit, k from 0; k is below the number of set bits. */
QP_INLINE int qp_select_bit(const uint64_t *word, int k) {
    int i = 0;
    for (;; i++) {
        int here = qp_popcount(word[i]);
        if (k < here) break;
        k -= here;
    }
    uint64_t x = word[i];
    while (k--) x &= x - 1;
    return 64 * i + qp_ctz64(x);
}

/* The first n bits of a set as bytes, 1 or 0 each. A byte of bits is repeated eight times, bit i of
   copy i is kept, and what is not zero becomes 1: no sum passes 0xff, so no byte carries. */
QP_INLINE void qp_bits_to_bytes(const uint64_t *word, int n, uint8_t *out) {
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t x = (word[i >> 6] >> (i & 63) & 255) * UINT64_C(0x0101010101010101);
        x &= UINT64_C(0x8040201008040201);
        x = (x + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
        memcpy(out + i, &x, 8);
    }
    for (; i < n; i++) out[i] = word[i >> 6] >> (i & 63) & 1;
}

/* Sum of the nibbles of a packed hand. */
QP_INLINE int qp_packed_size(uint64_t x) {
    x = (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) + ((x >> 4) & UINT64_C(0x0f0f0f0f0f0f0f0f));
    return (int)((x * UINT64_C(0x0101010101010101)) >> 56);
}

/* Whether every nibble of `part` is at most that of `whole`: no nibble of the difference borrows.
   The second term of a full subtracter's borrow is taken with the true difference, so the lowest
   nibble that falls short always shows; above it nothing matters any more. */
QP_INLINE int qp_packed_within(uint64_t part, uint64_t whole) {
    uint64_t borrow = (~whole & part) | (~(whole ^ part) & (whole - part));
    return (borrow & QP_NIBBLE_TOP) == 0;
}

QP_INLINE int qp_nibble(uint64_t packed, int rank) { return (int)(packed >> (4 * rank)) & 15; }

QP_INLINE uint32_t qp_load32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#endif
