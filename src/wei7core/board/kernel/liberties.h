/* The first few liberties of one block, needed at every move of a ladder. */
#ifndef W7_BOARD_KERNEL_LIBERTIES_H
#define W7_BOARD_KERNEL_LIBERTIES_H

#include "board/kernel/board.h"

/* Adds a point to `count` ones unless it is among them; returns the new number. */
static inline int w7_add_liberty(w7_point *points, int count, w7_point point)
{
    for (int i = 0; i < count; i++)
        if (points[i].x == point.x && points[i].y == point.y)
            return count;
    points[count] = point;
    return count + 1;
}

/* The points adjacent to those of a cell that the flood has marked and where `empty` says so: in its own row if `row`
 * is 0, in the row above if it is -1, below if it is 1. */
static inline uint32_t w7_flood_neighbours(const w7_flood *flood, size_t cell, int row)
{
    const uint32_t marks = flood->marks[cell];
    return row == 0 ? marks << 1 | marks >> 1 : marks;
}

/* The liberties of the block that the flood has marked, `most` of them or fewer; returns how many. */
static inline int w7_flood_liberties(const w7_grid *grid, const w7_flood *flood, int most, w7_point *points)
{
    int count = 0;
    for (size_t i = 0; i < flood->marked_count; i++) {
        for (int row = -1; row <= 1; row++) {
            const size_t cell = flood->marked[i] + (size_t)(ptrdiff_t)row;
            uint32_t empty = w7_flood_neighbours(flood, flood->marked[i], row) & w7_cell_empty(grid->cells[cell]);
            for (; empty != 0; empty &= empty - 1) {
                count = w7_add_liberty(points, count, w7_grid_point(grid, cell, w7_lowest_bit(empty)));
                if (count == most)
                    return count;
            }
        }
    }
    return count;
}

/* The liberties of the block of the stone at (x, y), `most` of them or fewer, and where there are more not always the
 * same; returns how many. */
static inline int w7_block_first_liberties(w7_board *board, int color, int32_t x, int32_t y, int most, w7_point *points)
{
    const w7_window window = w7_grid_window(&board->grid, x, y);
    const uint64_t own = color == W7_BLACK ? window.black & ~window.white : window.white & ~window.black;
    const uint64_t block = w7_window_fill(W7_CENTER, own);
    uint64_t liberties = w7_window_neighbours(block) & ~(window.black | window.white) & W7_WINDOW_POINTS;
    int count = 0;
    for (; liberties != 0 && count < most; liberties &= liberties - 1) {
        const int bit = w7_lowest_bit(liberties);
        points[count].x = x - 3 + (bit & 7);
        points[count++].y = y - 3 + (bit >> 3);
    }
    if (count == most || (block & W7_WINDOW_RING) == 0)
        return count;
    w7_flood_block(&board->grid, &board->flood, color, x, y, 0);
    count = w7_flood_liberties(&board->grid, &board->flood, most, points);
    w7_flood_clear(&board->flood);
    return count;
}

#endif
