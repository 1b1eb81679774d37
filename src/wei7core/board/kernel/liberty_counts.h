/* The liberties of every block of a position, counted at once. */
#ifndef W7_BOARD_KERNEL_LIBERTY_COUNTS_H
#define W7_BOARD_KERNEL_LIBERTY_COUNTS_H

#include <stdint.h>

#include "board/kernel/grid.h"

/* The first point of a block, as far as its points were joined. */
static inline int32_t w7_block_root(int32_t *roots, int32_t point)
{
    while (roots[point] != point) {
        roots[point] = roots[roots[point]]; /* path halving */
        point = roots[point];
    }
    return point;
}

/* Takes a byte a point, row by row: 0, 1 or 2. Writes for each stone the liberties of its block, 0 for other points.
 * `roots` is room for a number a point. */
static inline void w7_liberty_counts(const uint8_t *points, int32_t width, int32_t height, int32_t *roots,
                                     int32_t *liberties)
{
    const int32_t area = width * height;
    for (int32_t y = 0, i = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++, i++) {
            liberties[i] = 0;
            roots[i] = i;
            if (points[i] == W7_EMPTY)
                continue;
            if (x > 0 && points[i - 1] == points[i])
                roots[i] = roots[i - 1];
            if (y > 0 && points[i - width] == points[i]) {
                const int32_t here = w7_block_root(roots, i), above = w7_block_root(roots, i - width);
                roots[here > above ? here : above] = here > above ? above : here;
            }
        }
    }
    for (int32_t y = 0, i = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++, i++) {
            int32_t neighbours[4];
            int count = 0;
            if (points[i] != W7_EMPTY)
                continue;
            if (x > 0 && points[i - 1] != W7_EMPTY)
                neighbours[count++] = w7_block_root(roots, i - 1);
            if (x < width - 1 && points[i + 1] != W7_EMPTY)
                neighbours[count++] = w7_block_root(roots, i + 1);
            if (y > 0 && points[i - width] != W7_EMPTY)
                neighbours[count++] = w7_block_root(roots, i - width);
            if (y < height - 1 && points[i + width] != W7_EMPTY)
                neighbours[count++] = w7_block_root(roots, i + width);
            for (int k = 0; k < count; k++) {
                int is_new = 1;
                for (int other = 0; other < k; other++)
                    is_new &= neighbours[other] != neighbours[k];
                liberties[neighbours[k]] += is_new;
            }
        }
    }
    for (int32_t i = 0; i < area; i++)
        if (points[i] != W7_EMPTY)
            liberties[i] = liberties[w7_block_root(roots, i)];
}

#endif
