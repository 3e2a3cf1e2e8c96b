/* The flat rules of 百变双扣 and the words of its table. */
#ifndef QIPAI_SHUANGKOU_H
#define QIPAI_SHUANGKOU_H

#include <stdint.h>

typedef struct {
    char name[32];
    int32_t stake;
    int16_t base[3][4];          /* SK-61: 双扣, 单扣, 平扣 by finishing place */
    uint16_t multiplier[6];      /* SK-62, 63: for 5..9, 10 and more stars */
    uint16_t contribution[3][2]; /* SK-64: for 6, 7, 8 and more stars: gets, each other gives */
    uint8_t loops;               /* SK-19 */
    uint8_t max_bomb;            /* SK-16 */
    uint8_t equal_stars;         /* 0: by rank (SK-44), 1: by count (SK-45) */
    uint8_t contribution_counts; /* 0: each play (SK-64), 1: the highest (SK-65) */
    uint8_t merge_bombs;         /* SK-66 */
    uint8_t see_partner;         /* SK-54 */
    uint8_t escape;              /* SK-68 */
    uint8_t unused;
} sk_rules;

/* A row of the table of playable sets: what the set is read as. */
typedef struct {
    uint16_t id;
    uint8_t kind, rank, width, length, stars, loop;
} sk_play;

#endif
