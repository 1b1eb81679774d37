/* The children of a position. */
#ifndef W7_BOARD_KERNEL_CHILD_H
#define W7_BOARD_KERNEL_CHILD_H

#include <stdint.h>

/* A child that removes stones. Points are numbered as in point_sets.h. */
typedef struct {
    uint64_t key; /* its hash XOR that of the position */
    int32_t point;
    int32_t captured; /* stones of the opponent */
    int32_t lost;     /* own stones, that of the move too; 0 where others are captured */
} w7_child;

/* The effects of moves of one colour, in memory of the caller: three sets, and room for a taker on every empty point.
 * For all other children the hash changes by the key of the stone. */
typedef struct {
    uint64_t *empty;      /* points without a stone */
    uint64_t *legal;      /* those of them where the rules allow the move */
    uint64_t *self_atari; /* those where the block of the move would have one liberty */
    w7_child *takers;     /* the children that remove stones, unordered */
    int64_t taker_count;
} w7_children;

#endif
