/* Randomness. Deals and chance within a hand come from ChaCha20 (RFC 8439) keyed by the seed, so
   that nobody who sees a part can compute the rest; playouts use a faster generator. */
#ifndef QIPAI_CHANCE_H
#define QIPAI_CHANCE_H

#include "bits.h"

typedef struct {
    uint32_t state[16];
    uint32_t block[16];
    int32_t used; /* words of the block already given out */
} qp_chacha;

#define QP_ROTL32(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define QP_QUARTER(a, b, c, d)                                    \
    a += b, d ^= a, d = QP_ROTL32(d, 16), c += d, b ^= c, b = QP_ROTL32(b, 12), \
    a += b, d ^= a, d = QP_ROTL32(d, 8), c += d, b ^= c, b = QP_ROTL32(b, 7)

/* Key: the 32 bytes of the seed. Nonce: `stream` in its first word, the rest zero. Counter: 0. */
QP_INLINE void qp_chacha_init(qp_chacha *c, const uint8_t *seed, uint32_t stream) {
    c->state[0] = 0x61707865, c->state[1] = 0x3320646e;
    c->state[2] = 0x79622d32, c->state[3] = 0x6b206574;
    for (int i = 0; i < 8; i++) c->state[4 + i] = qp_load32(seed + 4 * i);
    c->state[12] = 0, c->state[13] = stream, c->state[14] = 0, c->state[15] = 0;
    c->used = 16;
}

QP_INLINE void qp_chacha_refill(qp_chacha *c) {
    uint32_t x[16];
    memcpy(x, c->state, sizeof x);
    for (int i = 0; i < 10; i++) {
        QP_QUARTER(x[0], x[4], x[8], x[12]);
        QP_QUARTER(x[1], x[5], x[9], x[13]);
        QP_QUARTER(x[2], x[6], x[10], x[14]);
        QP_QUARTER(x[3], x[7], x[11], x[15]);
        QP_QUARTER(x[0], x[5], x[10], x[15]);
        QP_QUARTER(x[1], x[6], x[11], x[12]);
        QP_QUARTER(x[2], x[7], x[8], x[13]);
        QP_QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++) c->block[i] = x[i] + c->state[i];
    c->state[12]++;
    c->used = 0;
}

/* The next 32-bit word of the key stream, little end first. */
QP_INLINE uint32_t qp_chacha_next(qp_chacha *c) {
    if (c->used == 16) qp_chacha_refill(c);
    return c->block[c->used++];
}

/* Uniform in 0..n-1: words at or above the largest multiple of n are thrown away. */
QP_INLINE uint32_t qp_chacha_below(qp_chacha *c, uint32_t n) {
    uint32_t limit = 0xffffffffu - (0xffffffffu % n + 1) % n;
    uint32_t x;
    do x = qp_chacha_next(c);
    while (x > limit);
    return x % n;
}

/* Fisher-Yates from the end: every order equally likely. */
QP_INLINE void qp_chacha_shuffle(qp_chacha *c, uint8_t *items, int n) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)qp_chacha_below(c, (uint32_t)i + 1);
        uint8_t t = items[i];
        items[i] = items[j], items[j] = t;
    }
}

/* splitmix64, for playouts. */
typedef struct {
    uint64_t state;
} qp_rng;

QP_INLINE uint64_t qp_rng_next(qp_rng *r) {
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in 0..n-1 (multiply and reject). */
QP_INLINE uint32_t qp_rng_below(qp_rng *r, uint32_t n) {
    uint64_t m = (qp_rng_next(r) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t threshold = (0u - n) % n;
        while ((uint32_t)m < threshold) m = (qp_rng_next(r) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

#endif
