/* Return to an earlier position of a small board in one step. */
#ifndef W7_BOARD_KERNEL_SAVED_STONES_H
#define W7_BOARD_KERNEL_SAVED_STONES_H

#include "board/kernel/board.h"

enum { W7_SAVED_CELLS = 32 };

/* The stones of a small board, to which it returns in one step: moves are not taken back one by one. */
typedef struct {
    uint64_t cells[W7_SAVED_CELLS];
    uint64_t hash;
    int64_t captured[3];
    int64_t stone_count;
    int64_t removed_count;
} w7_saved_stones;

static inline int w7_board_is_small(const w7_board *board)
{
    return w7_grid_cell_count(&board->grid) <= W7_SAVED_CELLS;
}

/* Saves the stones of a small board. */
static inline void w7_board_save(const w7_board *board, w7_saved_stones *saved)
{
    memcpy(saved->cells, board->grid.cells, w7_grid_cell_count(&board->grid) * sizeof *saved->cells);
    memcpy(saved->captured, board->captured, sizeof saved->captured);
    saved->hash = board->hash;
    saved->stone_count = board->stone_count;
    saved->removed_count = board->removed_count;
}

/* As w7_board_rewind to the state in which the stones were saved, since when no move of it was taken back. */
static inline void w7_board_return(w7_board *board, const w7_saved_stones *saved, int64_t move_count,
                                   int64_t edit_count)
{
    memcpy(board->grid.cells, saved->cells, w7_grid_cell_count(&board->grid) * sizeof *saved->cells);
    memcpy(board->captured, saved->captured, sizeof saved->captured);
    board->hash = saved->hash;
    board->stone_count = saved->stone_count;
    board->removed_count = saved->removed_count;
    board->move_count = move_count;
    board->edit_count = edit_count;
    if (board->position_history_moves > move_count)
        board->position_history_moves = move_count;
    w7_history_cut(board);
}

#endif
