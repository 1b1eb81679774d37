/* Runs of consecutive moves, played in one call. */
#ifndef W7_BOARD_KERNEL_RUN_H
#define W7_BOARD_KERNEL_RUN_H

#include "_util/cpu.h"
#include "board/kernel/board.h"
#include "board/kernel/planes.h"

enum {
    W7_LEAST_PLANE_RUN = 16, /* moves from which the conversion to planes and back pays */
    W7_LEAST_FIRST_RUN = 128 /* moves from which the tables pay too */
};

/* Whether a run of this length is played on planes, with tables. */
static inline int w7_board_has_planes_for(w7_board *board, int64_t count)
{
    return board->isa >= W7_ISA_AVX512BW && board->grid.has_planes &&
           count >= (board->plane_tables != NULL ? W7_LEAST_PLANE_RUN : W7_LEAST_FIRST_RUN) &&
           w7_board_plane_tables(board) != NULL;
}

/* As w7_board_has_planes_for, for a run; also gives the board a history of its own with room for the moves. */
static inline int w7_board_takes_planes(w7_board *board, int64_t count)
{
    return w7_board_has_planes_for(board, count) && (board->shared == NULL || w7_history_own(board) == W7_OK) &&
           w7_history_reserve_moves(board, count) == W7_OK;
}

/* Plays moves until one cannot be played, whose status is returned, or the number played and the board's work come to
 * `enough` together. The result does not depend on the isa, except the order of the stones removed by one move. */
static inline w7_status w7_board_play_run(w7_board *board, w7_move_rows rows, int64_t count, int64_t enough,
                                          int64_t *played)
{
    w7_status status = W7_OK;
    int64_t next;
#ifdef W7_WITH_X86_ISAS
    if (w7_board_takes_planes(board, count))
        return (board->isa == W7_ISA_AVX512 ? w7_avx512_play_run : w7_avx512bw_play_run)(
            board, w7_board_plane_tables(board), rows, count, enough, played);
#endif
    for (next = 0; next < w7_run_end(board, count, enough); next++) {
        const w7_placement row = w7_move_next(&rows);
        status = w7_board_play(board, row.color, row.x, row.y);
        if (status != W7_OK)
            break;
    }
    *played = next;
    return status;
}

/* Plays moves until one cannot be played, whose status is returned; *played is the number of those before it. */
static inline w7_status w7_board_play_all(w7_board *board, const w7_placement *moves, int64_t count, int64_t *played)
{
    w7_move_rows rows;
    rows.at = (const uint8_t *)moves;
    rows.color = offsetof(w7_placement, color);
    rows.stride = sizeof *moves;
    /* Many games are consecutive in memory, but hardware prefetching stops at the end of a page. */
    rows.ahead = (uintptr_t)moves + W7_MOVES_AHEAD;
    rows.piece = sizeof *moves;
    return w7_board_play_run(board, rows, count, INT64_MAX, played);
}

#endif
