/* Detection of ko recaptures among the moves in force. */
#ifndef W7_BOARD_KERNEL_KO_RECAPTURE_H
#define W7_BOARD_KERNEL_KO_RECAPTURE_H

#include "board/kernel/board.h"

/* Whether an edit in force was made when the first `move_count` moves were. */
static inline int w7_board_was_edited_at(const w7_board *board, int64_t move_count)
{
    int64_t low = 0, high = board->edit_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (board->edits[middle].move_count < move_count)
            low = middle + 1;
        else
            high = middle;
    }
    return low < board->edit_count && board->edits[low].move_count == move_count;
}

/* Whether a move in force brought back the position of two moves before, both moves removing one stone, with no edit
 * between them. */
static inline int w7_board_is_ko_recapture(const w7_board *board, int64_t index)
{
    const w7_move *move = &board->moves[index];
    const w7_move *before = move - 1;
    const w7_point *removed, *removed_before;
    if (index < 1 || move->removed_opponent != 1 || before->removed_opponent != 1)
        return 0;
    removed = w7_board_removed(board, index);
    removed_before = w7_board_removed(board, index - 1);
    return removed->x == before->x && removed->y == before->y && removed_before->x == move->x &&
           removed_before->y == move->y && !w7_board_was_edited_at(board, index);
}

#endif
