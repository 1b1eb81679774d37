/* Copies and comparison of boards.
 *
 * A copy shares the history of its origin until one of the two would overwrite rows of the other. The origin continues
 * to append after the shared rows, so that copies during a game cost it nothing; the copy gets memory of its own with
 * its first move. Either may be used, and freed, by any thread. */
#ifndef W7_BOARD_KERNEL_COPY_H
#define W7_BOARD_KERNEL_COPY_H

#include "board/kernel/board.h"

/* Makes the unshared history of a board shareable. */
static W7_COLD w7_status w7_history_share(w7_board *board)
{
    w7_shared_history *shared = (w7_shared_history *)malloc(sizeof *shared);
    if (shared == NULL)
        return W7_NO_MEMORY;
    shared->boards.number = 1;
    shared->moves = board->moves;
    shared->removed = board->removed;
    shared->edits = board->edits;
    shared->move_room = board->move_room;
    shared->removed_room = board->removed_room;
    shared->edit_room = board->edit_room;
    board->shared = shared;
    return W7_OK;
}

/* Gives `to` the shared history of `from`; its own is released. */
static inline void w7_history_lend(w7_board *from, w7_board *to)
{
    if (to->shared != from->shared) {
        w7_counter_add(&from->shared->boards, 1);
        w7_history_release(to);
        to->shared = from->shared;
        to->moves = from->shared->moves;
        to->removed = from->shared->removed;
        to->edits = from->shared->edits;
    }
    to->move_room = to->removed_room = to->edit_room = 0;
    from->lent_moves = from->move_count;
    from->lent_edits = from->edit_count;
}

/* Copies the stones and captures of a board to `to`, a board or all zeros, and with `history` its moves and edits in
 * force. On failure `to` is unchanged. */
static inline w7_status w7_board_assign(w7_board *to, const w7_board *origin, int history)
{
    w7_board *from = (w7_board *)origin;           /* the sharing of memory is not part of the value of a board */
    const size_t begin = offsetof(w7_board, hash); /* of the members copied as one block */
    const int lends = history && (from->move_count > 0 || from->edit_count > 0);
    if (from->grid.cells == NULL)
        return W7_BAD_SIZE; /* never made */
    if (W7_UNLIKELY(to == from)) {
        if (!history) {
            to->move_count = to->removed_count = to->edit_count = 0;
            w7_history_cut(to);
        }
        return W7_OK;
    }
    if (lends && from->shared == NULL && w7_history_share(from) != W7_OK)
        return W7_NO_MEMORY;
    if (to->grid.width != from->grid.width || to->grid.height != from->grid.height) {
        w7_status status = w7_board_allocate(to, from->grid.width, from->grid.height);
        if (status != W7_OK)
            return status;
        /* Includes the walls around the board. */
        memcpy(to->grid.cells, from->grid.cells, w7_grid_cell_count(&from->grid) * sizeof(uint64_t));
    } else {
        w7_grid_copy_stones(&to->grid, &from->grid);
    }
    if (lends)
        w7_history_lend(from, to);
    memcpy((uint8_t *)to + begin, (const uint8_t *)from + begin, offsetof(w7_board, move_count) - begin);
    to->flood.effort = 0;
    to->move_count = lends ? from->move_count : 0;
    to->removed_count = lends ? from->removed_count : 0;
    to->edit_count = lends ? from->edit_count : 0;
    to->position_history_moves = 0; /* it belonged to other moves */
    w7_history_cut(to);
    return W7_OK;
}

/* Initialises `copy`, memory of any content, as w7_board_assign does. On failure there is nothing to free. */
static inline w7_status w7_board_copy(w7_board *copy, const w7_board *board, int history)
{
    w7_status status;
    memset(copy, 0, sizeof *copy);
    status = w7_board_assign(copy, board, history);
    if (status != W7_OK)
        w7_board_free(copy);
    return status;
}

/* Whether two boards have the same size and the same stones. */
static inline int w7_board_equal(const w7_board *a, const w7_board *b)
{
    return a->grid.width == b->grid.width && a->grid.height == b->grid.height && a->hash == b->hash &&
           (a->grid.width == 0 || /* never made */
            memcmp(a->grid.cells, b->grid.cells, w7_grid_cell_count(&a->grid) * sizeof(uint64_t)) == 0);
}

#endif
