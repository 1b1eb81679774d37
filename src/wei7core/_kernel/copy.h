/* Copies and comparison of boards. */
#ifndef W7_COPY_H
#define W7_COPY_H

#include "board.h"

/* Makes `copy`, which must not be in use, a second board of the same stones and captures; with `history`, of the
 * same moves and edits in force. On failure there is nothing to free. */
static inline w7_status w7_board_copy(w7_board *copy, const w7_board *board, int history)
{
    w7_status status = w7_board_allocate(copy, board->grid.width, board->grid.height);
    if (status != W7_OK)
        return status;
    memcpy(copy->grid.cells, board->grid.cells, w7_grid_cell_count(&board->grid) * sizeof(uint64_t));
    memcpy(copy->captured, board->captured, sizeof copy->captured);
    copy->hash = board->hash;
    copy->stone_count = board->stone_count;
    copy->form = board->form;
    copy->anyhow = board->anyhow;
    if (!history)
        return W7_OK;
    if (board->move_count > 0) {
        copy->moves = (w7_move *)w7_grow(NULL, &copy->move_room, board->move_count, sizeof(w7_move));
        copy->removed = (w7_point *)w7_grow(NULL, &copy->removed_room, board->removed_count, sizeof(w7_point));
        if (copy->moves == NULL || copy->removed == NULL) {
            w7_board_free(copy);
            return W7_NO_MEMORY;
        }
        memcpy(copy->moves, board->moves, (size_t)board->move_count * sizeof(w7_move));
        copy->move_count = board->move_count;
        if (board->removed_count > 0)
            memcpy(copy->removed, board->removed, (size_t)board->removed_count * sizeof(w7_point));
        copy->removed_count = board->removed_count;
    }
    if (board->edit_count > 0) {
        copy->edits = (w7_edit *)w7_grow(NULL, &copy->edit_room, board->edit_count, sizeof(w7_edit));
        if (copy->edits == NULL) {
            w7_board_free(copy);
            return W7_NO_MEMORY;
        }
        memcpy(copy->edits, board->edits, (size_t)board->edit_count * sizeof(w7_edit));
        copy->edit_count = board->edit_count;
    }
    return W7_OK;
}

/* Whether two boards have the same size and the same stones. */
static inline int w7_board_equal(const w7_board *a, const w7_board *b)
{
    return a->grid.width == b->grid.width && a->grid.height == b->grid.height && a->hash == b->hash &&
           (a->grid.width == 0 || /* never made */
            memcmp(a->grid.cells, b->grid.cells, w7_grid_cell_count(&a->grid) * sizeof(uint64_t)) == 0);
}

#endif
