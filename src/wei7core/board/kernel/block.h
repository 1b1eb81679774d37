/* The points of one block. */
#ifndef W7_BOARD_KERNEL_BLOCK_H
#define W7_BOARD_KERNEL_BLOCK_H

#include "board/kernel/board.h"

/* Lists the stones of the block at a point of the board, or instead its liberties, each once for every stone of the
 * block adjacent to it. The caller frees *points; *count is 0 where there is no stone. */
static inline w7_status w7_block_list(w7_board *board, int32_t x, int32_t y, int liberties, w7_point **points,
                                      int64_t *count)
{
    static const int8_t neighbours[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    w7_flood *flood = &board->flood;
    int color = w7_board_get(board, x, y);
    uint64_t stone_count = 0;
    w7_point *next = NULL;
    *points = NULL;
    *count = 0;
    if (color == W7_EMPTY)
        return W7_OK;
    w7_flood_block(&board->grid, flood, color, x, y, 0);
    for (size_t i = 0; i < flood->marked_count; i++)
        for (uint32_t marks = flood->marks[flood->marked[i]]; marks != 0; marks &= marks - 1)
            stone_count++;
    if (stone_count <= SIZE_MAX / (4 * sizeof *next))
        *points = next = (w7_point *)malloc((size_t)stone_count * 4 * sizeof *next);
    for (size_t i = 0; next != NULL && i < flood->marked_count; i++) {
        for (uint32_t marks = flood->marks[flood->marked[i]]; marks != 0; marks &= marks - 1) {
            w7_point stone = w7_grid_point(&board->grid, flood->marked[i], w7_lowest_bit(marks));
            if (!liberties) {
                *next++ = stone;
                continue;
            }
            for (int side = 0; side < 4; side++) {
                w7_point point = {stone.x + neighbours[side][0], stone.y + neighbours[side][1]};
                if (w7_board_has_point(board, point.x, point.y) && w7_board_get(board, point.x, point.y) == W7_EMPTY)
                    *next++ = point;
            }
        }
    }
    w7_flood_clear(flood);
    if (next == NULL)
        return W7_NO_MEMORY;
    *count = next - *points;
    return W7_OK;
}

#endif
