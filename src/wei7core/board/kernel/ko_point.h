/* The point that the ko of a position forbids. */
#ifndef W7_BOARD_KERNEL_KO_POINT_H
#define W7_BOARD_KERNEL_KO_POINT_H

#include "board/kernel/legality.h"

/* Finds the point forbidden to `color`, the player to move, under simple ko: *point is (-1, -1) without one. The board
 * does not change. */
static inline w7_status w7_board_ko_point(w7_board *board, int color, w7_point *point)
{
    const w7_move *last;
    w7_rules rules;
    w7_verdict verdict;
    w7_point taken;
    w7_status status;
    point->x = point->y = -1;
    if (board->move_count == 0)
        return W7_OK;
    last = w7_board_move(board, board->move_count - 1);
    if (last->removed_opponent != 1 || last->color == color)
        return W7_OK;
    memset(&rules, 0, sizeof rules);
    rules.ko = W7_KO_SIMPLE;
    rules.suicide = 1;
    taken = *w7_board_removed(board, board->move_count - 1);
    status = w7_board_judge(board, rules, color, taken.x, taken.y, &verdict);
    if (status == W7_OK && verdict == W7_KO_RECAPTURE)
        *point = taken;
    return status;
}

#endif
