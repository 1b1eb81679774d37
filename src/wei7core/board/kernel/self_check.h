/* The board checks itself: for tests, after every change. */
#ifndef W7_BOARD_KERNEL_SELF_CHECK_H
#define W7_BOARD_KERNEL_SELF_CHECK_H

#include "board/kernel/board.h"
#include "board/kernel/superko_history.h"

/* Compares the edits since the last move with the points: nothing else can have changed them. */
static inline const char *w7_board_check_last_edits(const w7_board *board)
{
    for (int64_t i = board->edit_count - 1; i >= 0 && board->edits[i].move_count == board->move_count; i--) {
        const w7_edit *edit = &board->edits[i];
        int shown = w7_board_get(board, edit->x, edit->y);
        for (int64_t later = i + 1; later < board->edit_count; later++) {
            if (board->edits[later].x == edit->x && board->edits[later].y == edit->y) {
                shown = board->edits[later].before;
                break;
            }
        }
        if (edit->after != shown)
            return "an edited point has another colour";
    }
    return NULL;
}

/* Compares the position history, as far as it is valid, with the history of moves. */
static inline const char *w7_board_check_position_history(const w7_board *board)
{
    const w7_position_history *positions = (const w7_position_history *)board->position_history;
    uint64_t hash = board->hash;
    if (positions == NULL || positions->begin != w7_board_edited_at(board))
        return NULL;
    if (board->position_history_moves > board->move_count)
        return "the position history is longer than the moves";
    for (int64_t ply = board->move_count; ply-- > positions->begin;) {
        hash = w7_position_history_step_back(board, ply, hash);
        if (ply < board->position_history_moves && ply - positions->begin < positions->count &&
            positions->keys[ply - positions->begin] != hash)
            return "the position history differs from the moves";
    }
    return NULL;
}

/* Returns NULL, or what is wrong. */
static inline const char *w7_board_check(w7_board *board)
{
    const w7_grid *grid = &board->grid;
    const size_t cell_count = w7_grid_cell_count(grid);
    uint64_t hash = w7_zobrist_empty(grid->width, grid->height);
    const uint64_t effort = board->flood.effort;
    int64_t stones = 0, removed = 0, captured[3] = {0, 0, 0};
    if (grid->cells == NULL)
        return "the board was never made";
    for (size_t cell = 0; cell < cell_count; cell++) {
        if (board->flood.marks[cell] || board->flood.pending[cell])
            return "a flood was not cleaned up";
        if ((cell < W7_ROWS_ABOVE || (cell - W7_ROWS_ABOVE) % grid->stride >= (size_t)grid->height) &&
            grid->cells[cell] != W7_WALL_CELL)
            return "a row between chunks is no wall";
    }
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        for (int32_t y = 0; y < grid->height; y++) {
            uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)];
            for (int bit = 0; bit < 32; bit++) {
                int64_t x = (int64_t)chunk * W7_CHUNK_COLUMNS + bit - W7_OVERLAP;
                int shown = (int)(cell >> bit & 1) | (int)(cell >> (bit + 32) & 1) << 1;
                if (!w7_board_has_point(board, x, y)) {
                    if (shown != W7_WALL)
                        return "a column next to the board is no wall";
                } else if (shown == W7_WALL) {
                    return "a point is wall";
                } else if (shown != w7_board_get(board, (int32_t)x, y)) {
                    return "two chunks show a point differently";
                }
            }
        }
    }
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t x = 0; x < grid->width; x++) {
            int color = w7_board_get(board, x, y);
            if (color == W7_EMPTY)
                continue;
            stones++;
            hash ^= w7_zobrist_stone(color, x, y);
            int has_liberty = w7_flood_block(grid, &board->flood, color, x, y, 1);
            w7_flood_clear(&board->flood);
            if (!has_liberty && !board->unchecked)
                return "a block has no liberty";
        }
    }
    board->flood.effort = effort; /* a check is no work of the moves */
    if (hash != board->hash)
        return "the hash is not that of the stones";
    if (stones != board->stone_count)
        return "the stones were miscounted";
    for (int64_t i = 0; i < board->move_count; i++) {
        const w7_move *move = &board->moves[i];
        if (move->removed_begin != removed || (move->removed_opponent != 0 && move->removed_own != 0))
            return "the history of removed stones is broken";
        removed += move->removed_opponent + move->removed_own;
        captured[move->color] += move->removed_own;
        captured[W7_BLACK + W7_WHITE - move->color] += move->removed_opponent;
    }
    if (removed != board->removed_count)
        return "the history of removed stones has another length";
    if (captured[W7_BLACK] > board->captured[W7_BLACK] || captured[W7_WHITE] > board->captured[W7_WHITE])
        return "fewer stones were captured than the moves removed";
    for (int64_t i = 0; i < board->edit_count; i++) {
        const w7_edit *edit = &board->edits[i];
        if (edit->before == edit->after || edit->before > W7_WHITE || edit->after > W7_WHITE ||
            !w7_board_has_point(board, edit->x, edit->y))
            return "an edit changes nothing";
        if (edit->move_count > (i + 1 < board->edit_count ? edit[1].move_count : board->move_count))
            return "the edits are not in the order of the moves";
    }
    if (board->edit_count > 0 && !board->unchecked)
        return "the board does not know that it was edited";
    if (w7_board_check_position_history(board) != NULL)
        return w7_board_check_position_history(board);
    return w7_board_check_last_edits(board);
}

#endif
