/* Adds and removes stones without captures: during a game (SGF: AB, AW, AE), or before its first move. */
#ifndef W7_BOARD_KERNEL_EDIT_H
#define W7_BOARD_KERNEL_EDIT_H

#include "board/kernel/board.h"

/* Sets the colour of a point, W7_EMPTY included, whatever its content. Nothing is captured, so blocks without liberties
 * are possible. It is no move, but undo of an earlier move undoes it; without a change there is no edit. */
static inline w7_status w7_board_edit(w7_board *board, int color, int32_t x, int32_t y)
{
    w7_edit *edit;
    int before;
    if (color != W7_EMPTY && color != W7_BLACK && color != W7_WHITE)
        return W7_BAD_COLOR;
    if (!w7_board_has_point(board, x, y))
        return W7_OFF_BOARD;
    before = w7_board_get(board, x, y);
    if (before == color)
        return W7_OK;
    if (w7_history_reserve_edits(board, 1) != W7_OK)
        return W7_NO_MEMORY;
    edit = &board->edits[board->edit_count++];
    edit->move_count = board->move_count;
    edit->x = x;
    edit->y = y;
    edit->before = (uint8_t)before;
    edit->after = (uint8_t)color;
    w7_board_recolor(board, before, color, x, y);
    board->unchecked = 1;
    return W7_OK;
}

/* Edits in force. */
static inline int64_t w7_board_edit_count(const w7_board *board)
{
    return board->edit_count;
}

/* Moves that were in force when the last of the edits in force was made, 0 without edits. */
static inline int64_t w7_board_edited_at(const w7_board *board)
{
    return board->edit_count > 0 ? board->edits[board->edit_count - 1].move_count : 0;
}

/* Back to the state with so many moves and edits in force. W7_TOO_DEEP if the history has no such state. */
static inline w7_status w7_board_rewind(w7_board *board, int64_t move_count, int64_t edit_count)
{
    const w7_edit *edits = board->edits;
    if (move_count < 0 || move_count > board->move_count || edit_count < 0 || edit_count > board->edit_count ||
        (edit_count > 0 && edits[edit_count - 1].move_count > move_count) ||
        (edit_count < board->edit_count && edits[edit_count].move_count < move_count))
        return W7_TOO_DEEP;
    w7_board_undo(board, board->move_count - move_count);
    while (board->edit_count > edit_count) {
        const w7_edit *edit = &edits[--board->edit_count];
        w7_board_recolor(board, edit->after, edit->before, edit->x, edit->y);
    }
    w7_history_cut(board);
    return W7_OK;
}

/* Places a stone on a board without moves and edits, as a part of the initial position, without checking liberties; the
 * caller has checked colour and point. */
static inline w7_status w7_board_put(w7_board *board, int color, int32_t x, int32_t y)
{
    if (board->move_count > 0 || board->edit_count > 0)
        return W7_AFTER_MOVE;
    if (w7_board_get(board, x, y) != W7_EMPTY)
        return W7_OCCUPIED;
    w7_board_place(board, color, x, y);
    board->unchecked = 1;
    return W7_OK;
}

#endif
