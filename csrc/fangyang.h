/* The flat rules of 鞍山放羊. */
#ifndef QIPAI_FANGYANG_H
#define QIPAI_FANGYANG_H

#include <stdint.h>

typedef struct {
    char name[32];
    int32_t stake;
    int16_t score[2][2][3]; /* FY-20..22: not shown, shown; 2v2, 1v3 (shown: two of the three) */
    uint8_t heart4;         /* FY-5: 0 first_out, 1 heart4 */
    uint8_t quad_is_bomb;   /* FY-11 */
} fy_rules;

#endif
