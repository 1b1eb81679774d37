/* Whether a rule set allows one move, and which rule forbids it. */
#ifndef W7_BOARD_KERNEL_LEGALITY_H
#define W7_BOARD_KERNEL_LEGALITY_H

#include "board/kernel/board.h"
#include "board/kernel/ko_recapture.h"
#include "board/kernel/superko_history.h"
#include "board/kernel/rules.h"

/* Whether a superko rule forbids a move that leads to a position of this hash, confirmed by comparing stones. */
static inline w7_status w7_judge_repeat(w7_board *board, w7_ko_rule rule, int color, int32_t x, int32_t y, uint64_t key,
                                        w7_verdict *verdict)
{
    if (w7_board_recall(board) != W7_OK)
        return W7_NO_MEMORY;
    if (w7_position_history_has(board, rule, color, key) && w7_position_history_confirm(board, rule, color, key, x, y))
        *verdict = w7_verdict_of_repeat(rule);
    return W7_OK;
}

/* The verdict on a stone or a pass, (-1, -1), by the player to move. The board does not change. The move is played and
 * taken back, so that only one place implements the effect of a move. */
static inline w7_status w7_board_judge(w7_board *board, w7_rules rules, int color, int32_t x, int32_t y,
                                       w7_verdict *verdict)
{
    const uint64_t effort = board->flood.effort;
    uint64_t key;
    int suicide, ko_recapture;
    w7_status status;
    *verdict = W7_LEGAL;
    if (color != W7_BLACK && color != W7_WHITE)
        return W7_BAD_COLOR;
    if (x == -1 && y == -1)
        return W7_OK;
    status = w7_board_play(board, color, x, y);
    if (status == W7_OCCUPIED || status == W7_OFF_BOARD) {
        *verdict = status == W7_OCCUPIED ? W7_POINT_OCCUPIED : W7_POINT_OFF_BOARD;
        return W7_OK;
    }
    if (status != W7_OK)
        return status;
    key = board->hash;
    suicide = board->moves[board->move_count - 1].removed_own > 0;
    ko_recapture = w7_board_is_ko_recapture(board, board->move_count - 1);
    w7_board_undo(board, 1);
    board->flood.effort = effort; /* queries do not count as work of the moves */
    if (suicide && !rules.suicide)
        *verdict = W7_SUICIDE;
    else if (rules.ko == W7_KO_SIMPLE && ko_recapture)
        *verdict = W7_KO_RECAPTURE;
    else if (rules.ko >= W7_KO_POSITIONAL)
        return w7_judge_repeat(board, (w7_ko_rule)rules.ko, color, x, y, key, verdict);
    return W7_OK;
}

#endif
