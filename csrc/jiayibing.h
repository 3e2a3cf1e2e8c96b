/* The flat rules of 鞍山甲乙丙. */
#ifndef QIPAI_JIAYIBING_H
#define QIPAI_JIAYIBING_H

#include <stdint.h>

typedef struct {
    char name[32];
    int32_t stake;
    uint8_t special_card; /* JY-3 */
    uint8_t by_special;   /* JY-3: 0 first_out, 1 special */
    uint8_t max_alike;    /* JY-10 */
    uint8_t quad_is_bomb; /* JY-10 */
    uint8_t flat;         /* JY-20: 0 left_holding, 1 flat */
    uint8_t unused[3];
} jy_rules;

#endif
