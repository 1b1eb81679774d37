/* Stones that are on the board before the first move. */
#ifndef W7_BOARD_KERNEL_SETUP_H
#define W7_BOARD_KERNEL_SETUP_H

#include "board/kernel/board.h"

/* Whether the block of the stone at (x, y) has a liberty; true without a stone or if already checked. */
static inline int w7_setup_has_liberty(w7_board *board, int64_t x, int64_t y)
{
    int32_t chunk;
    int color;
    if (!w7_board_has_point(board, x, y) || (color = w7_board_get(board, (int32_t)x, (int32_t)y)) == W7_EMPTY)
        return 1;
    chunk = w7_grid_chunk(&board->grid, (int32_t)x);
    if (board->flood.marks[w7_grid_cell(&board->grid, chunk, (int32_t)y)] >> w7_grid_bit(chunk, (int32_t)x) & 1)
        return 1;
    return w7_flood_block(&board->grid, &board->flood, color, (int32_t)x, (int32_t)y, 0);
}

/* Adds stones before the first move (clause P-8): points distinct and empty, every block of the whole position with a
 * liberty; existing blocks without liberties are refused if a new stone touches them. On failure *bad is the index of
 * an offending placement, or -1 for other reasons. */
static inline w7_status w7_board_setup(w7_board *board, const w7_placement *stones, int64_t count, int64_t *bad)
{
    w7_status status = W7_OK;
    int64_t placed = 0;
    *bad = -1;
    if (board->move_count > 0 || board->edit_count > 0)
        return W7_AFTER_MOVE;
    for (; placed < count; placed++) {
        const w7_placement *stone = &stones[placed];
        if (stone->color != W7_BLACK && stone->color != W7_WHITE)
            status = W7_BAD_COLOR;
        else if (!w7_board_has_point(board, stone->x, stone->y))
            status = W7_OFF_BOARD;
        else if (w7_board_get(board, stone->x, stone->y) != W7_EMPTY)
            status = W7_OCCUPIED;
        if (status != W7_OK) {
            *bad = placed;
            break;
        }
        w7_board_place(board, stone->color, stone->x, stone->y);
    }
    /* Only a new stone can take a liberty, of its own block or of an adjacent one. */
    for (int64_t i = 0; status == W7_OK && i < count; i++) {
        int64_t x = stones[i].x, y = stones[i].y;
        if (!w7_setup_has_liberty(board, x, y) || !w7_setup_has_liberty(board, x - 1, y) ||
            !w7_setup_has_liberty(board, x + 1, y) || !w7_setup_has_liberty(board, x, y - 1) ||
            !w7_setup_has_liberty(board, x, y + 1)) {
            status = W7_NO_LIBERTY;
            *bad = i;
        }
    }
    w7_flood_clear(&board->flood);
    if (status != W7_OK) {
        while (placed-- > 0)
            w7_board_take(board, stones[placed].color, stones[placed].x, stones[placed].y);
    }
    return status;
}

#endif
