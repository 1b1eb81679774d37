/* The surroundings of one point in two 64-bit words: 7 columns x 8 rows, a byte a row.
 *
 * The point itself is W7_CENTER, in column 3 of row 3. Bit 7 of every byte is 0, so that a shift
 * from one row into the next lands on it and any mask of points removes it again. */
#ifndef W7_BOARD_KERNEL_WINDOW_H
#define W7_BOARD_KERNEL_WINDOW_H

#include <stdint.h>

typedef struct {
    uint64_t black; /* stones and wall */
    uint64_t white; /* stones and wall */
} w7_window;

#define W7_CENTER_BIT 27
#define W7_CENTER ((uint64_t)1 << W7_CENTER_BIT)
#define W7_WINDOW_POINTS 0x7F7F7F7F7F7F7F7Fu
/* Points with a neighbour outside the window. */
#define W7_WINDOW_RING 0x7F4141414141417Fu

/* The points next to `points`, and bits between the rows. */
static inline uint64_t w7_window_neighbours(uint64_t points)
{
    return points << 1 | points >> 1 | points << 8 | points >> 8;
}

/* `points` and those of `stones` next to them. */
static inline uint64_t w7_window_spread(uint64_t points, uint64_t stones)
{
    return points | (w7_window_neighbours(points) & stones);
}

/* `points` and those of `stones` joined to them inside the window. */
static inline uint64_t w7_window_fill(uint64_t points, uint64_t stones)
{
    for (;;) {
        uint64_t more = w7_window_spread(points, stones);
        if (more == points)
            return points;
        points = more;
    }
}

#endif
