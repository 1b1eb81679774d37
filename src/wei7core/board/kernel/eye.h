/* Whether an empty point is an eye of a color in the current position. */
#ifndef W7_BOARD_KERNEL_EYE_H
#define W7_BOARD_KERNEL_EYE_H

#include "board/kernel/board.h"

/* Whether the stones of a colour at all `points`, at least one, of the window around (x, y) belong to one block. */
static inline int w7_window_is_one_block(w7_board *board, int color, uint64_t points, uint64_t own, int32_t x,
                                         int32_t y)
{
    const uint64_t seed = points & (0 - points);
    w7_flood *flood = &board->flood;
    const uint64_t effort = flood->effort;
    int is_one = 1, bit;
    if ((points & ~w7_window_fill(seed, own)) == 0)
        return 1;
    bit = w7_lowest_bit(seed);
    w7_flood_block(&board->grid, flood, color, x - 3 + (bit & 7), y - 3 + (bit >> 3), 0);
    for (points ^= seed; points != 0; points &= points - 1) {
        const int32_t at = x - 3 + (w7_lowest_bit(points) & 7), row = y - 3 + (w7_lowest_bit(points) >> 3);
        const int32_t chunk = w7_grid_chunk(&board->grid, at);
        is_one &= (int)(flood->marks[w7_grid_cell(&board->grid, chunk, row)] >> w7_grid_bit(chunk, at) & 1);
    }
    w7_flood_clear(flood);
    flood->effort = effort; /* queries do not count as work of the moves */
    return is_one;
}

/* Whether the point, which is on the board, is an eye of the colour: empty, with its own stones on every side, and
 * these of one block, or the opponent on no diagonal at the edge and on one at most elsewhere. */
static inline int w7_board_is_eye(w7_board *board, int color, int32_t x, int32_t y)
{
    const w7_window window = w7_grid_window(&board->grid, x, y);
    const uint64_t wall = window.black & window.white;
    const uint64_t own = (color == W7_BLACK ? window.black : window.white) & ~wall;
    const uint64_t opponent = (color == W7_BLACK ? window.white : window.black) & ~wall;
    const uint64_t sides = w7_window_neighbours(W7_CENTER),
                   diagonals = W7_CENTER << 7 | W7_CENTER << 9 | W7_CENTER >> 7 | W7_CENTER >> 9;
    uint64_t against = diagonals & opponent;
    if ((W7_CENTER & (own | opponent)) || (sides & ~(own | wall)) || (sides & own) == 0)
        return 0;
    if ((sides & wall) == 0)
        against &= against - 1;
    return against == 0 || w7_window_is_one_block(board, color, sides & own, own, x, y);
}

#endif
