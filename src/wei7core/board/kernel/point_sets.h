/* Sets of points: a bit for each, y * width + x of them before it, the lowest bit of a word first; zeros after them. */
#ifndef W7_BOARD_KERNEL_POINT_SETS_H
#define W7_BOARD_KERNEL_POINT_SETS_H

#include <stddef.h>
#include <stdint.h>

#include "board/kernel/bits.h"
#include "board/kernel/grid.h"

static inline int64_t w7_grid_points(const w7_grid *grid)
{
    return (int64_t)grid->width * grid->height;
}

/* Words of a set, for so many points of the board. */
static inline size_t w7_point_set_words(int64_t points)
{
    return (size_t)((points + 63) / 64);
}

static inline void w7_point_add(uint64_t *set, int64_t number)
{
    set[number >> 6] |= (uint64_t)1 << (number & 63);
}

static inline void w7_point_drop(uint64_t *set, int64_t number)
{
    set[number >> 6] &= ~((uint64_t)1 << (number & 63));
}

static inline int64_t w7_point_count(const uint64_t *set, int64_t points)
{
    int64_t count = 0;
    for (size_t word = 0; word < w7_point_set_words(points); word++)
        count += w7_bit_count(set[word]);
    return count;
}

/* The number of points of the set before one. */
static inline int64_t w7_point_rank(const uint64_t *set, int64_t number)
{
    return w7_point_count(set, number & ~(int64_t)63) +
           w7_bit_count(set[number >> 6] & (((uint64_t)1 << (number & 63)) - 1));
}

static inline int w7_point_in(const uint64_t *set, int64_t number)
{
    return (int)(set[number >> 6] >> (number & 63) & 1);
}

#endif
